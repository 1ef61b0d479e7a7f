/*
** strict.c - is a text JSON as RFC 8259 has it? Pure.
*/
#include "strict.h"

#include <string.h>

static int isDigit(char ch) {
  return ch >= '0' && ch <= '9';
}

/* The value of four hexadecimal digits, or -1. */
static int hex4(const char *z, const char *end) {
  int value = 0;
  if (end - z < 4) return -1;
  for (int i = 0; i < 4; i++) {
    char ch = z[i];
    int digit = isDigit(ch)              ? ch - '0'
                : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
                : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
                                         : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/* The length of the escape at z, which is a backslash; 0: JSON has no such escape. *isOdd is set when it stands
** for no character. A pair of surrogates is one escape. */
static int escapeLength(const char *z, const char *end, int *isOdd) {
  int first, second;
  *isOdd = 0;
  if (end - z < 2 || !z[1] || !strchr("\"\\/bfnrtu", z[1])) return 0;
  if (z[1] != 'u') return 2;
  first = hex4(z + 2, end);
  if (first < 0) return 0;
  if (first >= 0xD800 && first <= 0xDBFF && end - z >= 12 && z[6] == '\\' && z[7] == 'u') {
    second = hex4(z + 8, end);
    if (second >= 0xDC00 && second <= 0xDFFF) return 12;
  }
  *isOdd = first == 0 || (first >= 0xD800 && first <= 0xDFFF);
  return 6;
}

/* Behind the string that begins at z, or NULL when it is not a JSON string. */
static const char *skipString(const char *start, const char *z, const char *end, int *odd) {
  z++;
  while (z < end && *z != '"') {
    int n = 1, isOdd = 0;
    if ((unsigned char)*z < 0x20) return NULL;
    if (*z == '\\') n = escapeLength(z, end, &isOdd);
    if (n == 0) return NULL;
    if (isOdd && *odd < 0) *odd = (int)(z - start);
    z += n;
  }
  return z < end ? z + 1 : NULL;
}

static const char *skipDigits(const char *z, const char *end) {
  if (z >= end || !isDigit(*z)) return NULL;
  while (z < end && isDigit(*z))
    z++;
  return z;
}

/* The same for a number: no sign but the minus, no zero in front, digits on both sides of the point. */
static const char *skipNumber(const char *z, const char *end) {
  if (*z == '-') z++;
  z = z < end && *z == '0' ? z + 1 : skipDigits(z, end);
  if (z && z < end && *z == '.') z = skipDigits(z + 1, end);
  if (z && z < end && (*z == 'e' || *z == 'E')) {
    z++;
    if (z < end && (*z == '+' || *z == '-')) z++;
    z = skipDigits(z, end);
  }
  return z;
}

static const char *skipWord(const char *z, const char *end) {
  const char *word = *z == 't' ? "true" : *z == 'f' ? "false" : "null";
  size_t n = strlen(word);
  return (size_t)(end - z) >= n && memcmp(z, word, n) == 0 ? z + n : NULL;
}

/* Behind the piece at z, which is no white space, or NULL. before: the character with which the piece
** before it began. */
static const char *skipPiece(const char *start, const char *z, const char *end, char before,
                             int *odd) {
  switch (*z) {
  case '{':
  case '[':
  case ',': return z + 1;
  case '}':
  case ']': return before == ',' ? NULL : z + 1;
  case ':': return before == '"' ? z + 1 : NULL; /* a name stands in quotes */
  case '"': return skipString(start, z, end, odd);
  case 't':
  case 'f':
  case 'n': return skipWord(z, end);
  default: return *z == '-' || isDigit(*z) ? skipNumber(z, end) : NULL;
  }
}

JsonForm ts_json_form(const char *z, int n, int maxDepth, int *odd) {
  const char *start = z, *end = z + n;
  int depth = 0;
  char before = 0;
  JsonForm form = JSON_PLAIN;
  *odd = -1;
  while (z < end) {
    char piece = *z;
    if (piece == ' ' || piece == '\n' || piece == '\t' || piece == '\r') {
      z++;
      continue;
    }
    if (piece == '{' || piece == '[') depth++;
    if (piece == '}' || piece == ']') depth--;
    if (depth > maxDepth) form = JSON_DEEP;
    z = skipPiece(start, z, end, before, odd);
    if (!z) return JSON_OTHER;
    before = piece;
  }
  return form;
}

void ts_json_mend(char *z, int n, int odd) {
  char *end = z + n;
  if (odd < 0) return;
  for (z += odd; z < end; z++) {
    int isOdd = 0, length = *z == '\\' ? escapeLength(z, end, &isOdd) : 1;
    for (int i = 0; isOdd && i < 4; i++)
      z[2 + i] = "fffd"[i];
    if (length > 1) z += length - 1;
  }
}
