/*
** utf8.h - reading UTF-8, valid or not.
*/
#ifndef TS_UTF8_H
#define TS_UTF8_H

#define TS_REPLACEMENT_CHARACTER 0xFFFDu
#define TS_UTF8_REPLACEMENT "\xef\xbf\xbd" /* the same as bytes */

/* How many bytes the character at p takes (p < end), or 0 when the bytes are not valid UTF-8: a stray
** or overlong byte, a surrogate, a value past U+10FFFF, a character that is cut off. */
int ts_utf8_length(const unsigned char *p, const unsigned char *end);

/* Decodes the character at p (valid UTF-8, p < end) and stores its length. */
unsigned ts_utf8_decode(const unsigned char *p, const unsigned char *end, int *len);

/* How many of n bytes at text may stay so that they are at most max and no character is cut. */
int ts_utf8_cut(const char *text, int n, int max);

/* Every byte of a terminated text that is no part of valid UTF-8 becomes a question mark, in place. */
void ts_utf8_mend(char *text);

/* The character that starts at text, of which n >= 1 bytes are there, and how many bytes it takes
** (1 … 4). A byte that is no part of valid UTF-8 counts as one replacement character. */
int ts_utf8_next(const char *text, int n, unsigned *character);

#endif
