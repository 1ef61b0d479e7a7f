/*
** test_utf8.c - every character there is, and what is none.
**
** All code points are encoded by hand here and read back; then every pair of bytes, the edges of the
** longer forms, and characters that are cut off.
*/
#include "tap.h"
#include "utf8.h"

/* The UTF-8 form of a code point, by its definition (RFC 3629). Returns its length. */
static int encode(unsigned c, unsigned char *out) {
  if (c < 0x80) {
    out[0] = (unsigned char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (unsigned char)(0xC0 | c >> 6);
    out[1] = (unsigned char)(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (unsigned char)(0xE0 | c >> 12);
    out[1] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
    out[2] = (unsigned char)(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = (unsigned char)(0xF0 | c >> 18);
  out[1] = (unsigned char)(0x80 | (c >> 12 & 0x3F));
  out[2] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
  out[3] = (unsigned char)(0x80 | (c & 0x3F));
  return 4;
}

static void testAll(void) {
  int wrong = 0, cut = 0;
  for (unsigned c = 0; c <= 0x10FFFF; c++) {
    unsigned char z[4];
    int n = encode(c, z), len = 0, surrogate = c >= 0xD800 && c <= 0xDFFF;
    unsigned next = 0;
    if (ts_utf8_length(z, z + n) != (surrogate ? 0 : n)) wrong++;
    if (!surrogate && (ts_utf8_decode(z, z + n, &len) != c || len != n)) wrong++;
    if (ts_utf8_next((const char *)z, n, &next) != (surrogate ? 1 : n)) wrong++;
    if (next != (surrogate ? TS_REPLACEMENT_CHARACTER : c)) wrong++;
    for (int k = 1; k < n; k++)
      cut += ts_utf8_length(z, z + k) != 0;
  }
  CHECK_INT("every code point is read back, surrogates are not", wrong, 0);
  CHECK_INT("a character that is cut off is none", cut, 0);
}

static void testBytes(void) {
  int wrong = 0;
  for (int a = 0; a < 256; a++) {
    for (int b = 0; b < 256; b++) {
      unsigned char z[2] = {(unsigned char)a, (unsigned char)b};
      int valid = a < 0x80 ? 1 : a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF ? 2 : 0;
      wrong += ts_utf8_length(z, z + 2) != valid;
    }
  }
  CHECK_INT("every pair of bytes", wrong, 0);
}

static void testEdges(void) {
  static const struct {
    const char *name, *bytes;
    int n, length;
  } cases[] = {
      {"overlong, two bytes", "\xC0\x80", 2, 0},
      {"overlong, three bytes", "\xE0\x9F\xBF", 3, 0},
      {"first of three bytes", "\xE0\xA0\x80", 3, 3},
      {"overlong, four bytes", "\xF0\x8F\xBF\xBF", 4, 0},
      {"first of four bytes", "\xF0\x90\x80\x80", 4, 4},
      {"last character", "\xF4\x8F\xBF\xBF", 4, 4},
      {"past the last", "\xF4\x90\x80\x80", 4, 0},
      {"five bytes", "\xF8\x88\x80\x80", 4, 0},
      {"a stray continuation", "\x80", 1, 0},
      {"NUL is a character", "\0", 1, 1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const unsigned char *p = (const unsigned char *)cases[i].bytes;
    CHECK_INT(cases[i].name, ts_utf8_length(p, p + cases[i].n), cases[i].length);
  }
}

int main(void) {
  testAll();
  testBytes();
  testEdges();
  return tap_done("utf8");
}
