/*
** prose.h - what is prose of a text: without code, addresses of links, comments, quoted lines, and questions that are
** quoted within a sentence.
*/
#ifndef TS_PROSE_H
#define TS_PROSE_H

#include "report.h"

#define PROSE_LINK '\1' /* stands for an address: no letter, and no end of a sentence */

/* A growing end of a text: of what is too much the beginning goes. */
typedef struct Prose {
  char text[2 * TS_REPORT_TAIL];
  int n;
} Prose;

/* The end of a text without what is no prose. */
void ts_prose_read(Prose *p, const char *text, int n);

#endif
