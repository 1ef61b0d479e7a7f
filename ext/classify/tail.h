/*
** tail.h - the end of what an agent or a user said, in which words of the lists (cues.h) are looked for.
*/
#ifndef TS_TAIL_H
#define TS_TAIL_H

#include "cues.h"

/* What an agent asks for stands at the end of what it says. */
#define TAIL_BYTES 300

typedef struct Tail {
  char text[TAIL_BYTES + 1]; /* as ts_cue_fold leaves it */
  int n;
  unsigned long long pairs[64]; /* a bit per hash of two neighbouring bytes, so that most words need
                                   not be looked for */
} Tail;

/* text may be NULL. */
void ts_tail_read(Tail *t, const char *text, int n);

/* Does it hold a word of a list? */
int ts_tail_has(const Tail *t, Cue cue);

/* … from the beginning of a word on? */
int ts_tail_opens(const Tail *t, Cue cue);

/* Does it end in a question? Behind the mark stands little. */
int ts_tail_asks(const Tail *t);

/* … with a word of a list in its last sentence? */
int ts_tail_asks_with(const Tail *t, Cue cue);

/* The last sentence, behind the signs that end the one before. */
const char *ts_tail_last(const Tail *t);

/* Does something that was said, folded, hold a short text word for word? */
int ts_tail_names(const char *said, const char *text, int n);

#endif
