/*
** folded.h - the end of a text, as reports and replies are read: lower case as far as it is ASCII.
*/
#ifndef TS_FOLDED_H
#define TS_FOLDED_H

#include "report.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* With spaces for what is none of a text. */
typedef struct Folded {
  char text[TS_REPORT_TAIL + 2];
  int n;
} Folded;

/* The last TS_REPORT_TAIL bytes. Bytes may be anything; text may be NULL. */
void ts_folded_read(Folded *f, const char *text, int n);

/* Asked at every byte of a report. */
static inline int ts_starts_with(const char *text, int n, const char *with) {
  int len = (int)strlen(with);
  return n >= len && memcmp(text, with, (size_t)len) == 0;
}

int ts_folded_is_letter(unsigned c);

/* before: the character in front of it. A semicolon asks in Greek. */
int ts_is_question_mark(unsigned c, unsigned before);

#endif
