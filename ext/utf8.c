/*
** utf8.c - reading UTF-8, valid or not. Pure.
*/
#include "utf8.h"

#include <string.h>

unsigned ts_utf8_decode(const unsigned char *p, const unsigned char *end, int *len) {
  unsigned c = *p;
  int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;
  if (more == 0 || end - p <= more) {
    *len = 1;
    return c;
  }
  c &= 0x3Fu >> more;
  for (int i = 1; i <= more; i++)
    c = c << 6 | (p[i] & 0x3Fu);
  *len = more + 1;
  return c;
}

int ts_utf8_length(const unsigned char *p, const unsigned char *end) {
  int n;
  unsigned c;
  if (*p < 0x80) return 1;
  n = *p >= 0xF0 ? 4 : *p >= 0xE0 ? 3 : 2;
  if (*p < 0xC2 || *p > 0xF4 || end - p < n) return 0;
  for (int i = 1; i < n; i++) {
    if ((p[i] & 0xC0) != 0x80) return 0;
  }
  c = ts_utf8_decode(p, end, &n);
  if ((n == 3 && c < 0x800) || (n == 4 && (c < 0x10000 || c > 0x10FFFF))) return 0;
  return c >= 0xD800 && c <= 0xDFFF ? 0 : n;
}

int ts_utf8_next(const char *text, int n, unsigned *character) {
  const unsigned char *p = (const unsigned char *)text;
  int len = ts_utf8_length(p, p + n);
  if (len == 0) {
    *character = TS_REPLACEMENT_CHARACTER;
    return 1;
  }
  *character = ts_utf8_decode(p, p + len, &len);
  return len;
}

int ts_utf8_cut(const char *text, int n, int max) {
  int cut = n < max ? n : max;
  if (cut == n) return n;
  while (cut > 0 && cut > max - 4 && ((unsigned char)text[cut] & 0xC0) == 0x80)
    cut--;
  return cut;
}

void ts_utf8_mend(char *text) {
  const unsigned char *end = (const unsigned char *)text + strlen(text);
  for (unsigned char *p = (unsigned char *)text; p < end;) {
    int n = ts_utf8_length(p, end);
    if (n == 0) *p = '?';
    p += n ? n : 1;
  }
}
