/*
** utf8.c - reading UTF-8, valid or not. Pure.
*/
#include "utf8.h"

#include <string.h>

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
