/*
** utf8.h - reading UTF-8, valid or not.
*/
#ifndef TS_UTF8_H
#define TS_UTF8_H

/* A piece of UTF-8 that somebody else owns. z == NULL is SQL NULL. */
typedef struct Text {
  const char *z;
  int n;
} Text;

/* No text: NULL as an argument, a column or a result. */
static const Text none = {0, 0};

#define TS_REPLACEMENT_CHARACTER 0xFFFDu
#define TS_UTF8_REPLACEMENT "\xef\xbf\xbd" /* the same as bytes */

/* These two are asked at every character of every message. */

/* Decodes the character at p (valid UTF-8, p < end) and stores its length. */
static inline unsigned ts_utf8_decode(const unsigned char *p, const unsigned char *end, int *len) {
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

/* How many bytes the character at p takes (p < end), or 0 when the bytes are not valid UTF-8: a stray
** or overlong byte, a surrogate, a value past U+10FFFF, a character that is cut off. */
static inline int ts_utf8_length(const unsigned char *p, const unsigned char *end) {
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

/* How many of n bytes at text may stay so that they are at most max and no character is cut. */
int ts_utf8_cut(const char *text, int n, int max);

/* Every byte of a terminated text that is no part of valid UTF-8 becomes a question mark, in place. */
void ts_utf8_mend(char *text);

/* The character that starts at text, of which n >= 1 bytes are there, and how many bytes it takes
** (1 … 4). A byte that is no part of valid UTF-8 counts as one replacement character. */
int ts_utf8_next(const char *text, int n, unsigned *character);

/* The first character, its bytes into *len; 0 at the end. */
static inline unsigned ts_text_peek(Text t, int *len) {
  unsigned c = 0;
  *len = t.n > 0 ? ts_utf8_next(t.z, t.n, &c) : 0;
  return c;
}

/* What follows the first n bytes. */
static inline Text ts_text_past(Text t, int n) {
  return (Text){t.z + n, t.n - n};
}

static inline int ts_between(unsigned c, unsigned low, unsigned high) {
  return c >= low && c <= high;
}

#endif
