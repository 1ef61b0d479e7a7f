/*
** cues.h - lists of words of all languages by which the library knows what is said: that a question offers something, that
** a reply begins with a yes. They stand in sql/cues/, where CUE_ASKS_TO_END is [asks to end]; sql/cues/headings.txt says
** what each list is for, and docs/source.md how to add a word.
*/
#ifndef TS_CUES_H
#define TS_CUES_H

#include "cue_names.h"

typedef struct CueList {
  const char *const *word; /* in lower case as far as it is ASCII; none is empty */
  int n;
} CueList;

extern const CueList ts_cues[CUES];

/* A text as the lists are written: in lower case as far as it is ASCII, with blanks for zeros. out has room for n bytes
** and for the zero behind them. */
void ts_cue_fold(char *out, const char *text, int n);

/* Does a word of a list stand in a folded text, be it inside of a longer word? */
int ts_cue_stands_in(const char *text, Cue cue);

#endif
