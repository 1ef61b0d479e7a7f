/*
** answer_ways.h - the ways of using up the words of an answer: what can have been said up to each place, and at what
** price. For answer.c, which says what that means.
*/
#ifndef TS_ANSWER_WAYS_H
#define TS_ANSWER_WAYS_H

#include "answer.h"
#include "patterns.h"

enum {
  SAID_NOTHING,
  SAID_CONTINUE,
  SAID_FRESH,
  SAID_DROP,
  SAID_TWO,
  SAID_DROP_TASK, /* the next three only where a request would replace the task */
  SAID_DROP_HELD,
  SAID_DROP_ALL,
  SAID_COUNT
};
enum { DECIDED, UNDECIDED, NEITHER, DOUBTS };

/* As one number, by which the ways to a place are kept apart. */
typedef struct State {
  int said;
  int doubt;
  int denies; /* a "not" waits for what it denies */
  int denied; /* SAID_NOTHING, SAID_CONTINUE or SAID_FRESH */
} State;

#define STATES (SAID_COUNT * DOUBTS * 2 * 3)
#define NO_WAY 0xFFFF
#define SAYS_NOTHING 0x4000 /* dearer than any way that says something */

typedef struct Reading {
  const Words *words;
  PatternText text;            /* the same, for its patterns */
  const ChoiceOption *options; /* NULL when no choice is at hand */
  int nOptions;
  const Words *texts;            /* the options' own texts; no words: not to be used */
  int isRequest;                 /* a request is held that would replace the task */
  int backGoesOn;                /* "I'm back" is a wish to go on */
  Ends by[WORDS_MEANINGS];       /* what begins at the place that is looked at, and where it ends */
  Ends answers[SAID_COUNT];      /* … the answers among it */
  Ends parts, withs, asks, ands; /* places before which a rest can begin; where a request begins */
  Ends thanks, greets;           /* places behind a thanks, or a greeting */
  Ends reached;                  /* places to which a way leads */
  unsigned short cost[WORDS_MAX + 1][STATES];
} Reading;

#define MEANS(meaning) ((uint64_t)1 << (meaning))
_Static_assert(WORDS_MEANINGS <= 64, "a bit for each");

#define NAME_WITHIN 4 /* words from the beginning, in which somebody is spoken to */

static inline int ts_ends_has(Ends ends, int place) {
  return (ends & ts_ends_bit(place)) != 0;
}

static inline State ts_way_state(int number) {
  return (State){number / (DOUBTS * 6), number / 6 % DOUBTS, number / 3 % 2, number % 3};
}

/* Where patterns of some meanings that begin at word i can end. */
Ends ts_ways_ends_of(PatternText *t, int i, uint64_t meanings);

/* The option whose key is word i, or -1. */
int ts_ways_option_of_key(const Reading *r, int i);

/* Does word i look like the name of an option: "C", "42"? */
int ts_ways_is_option_name(const Words *w, int i);

/* True when option k's text stands at word i. */
int ts_ways_is_option_text(const Reading *r, int k, int i);

/* Places before which something is set off. */
Ends ts_ways_stops(const Words *w);

/* From the first word to the last. */
void ts_ways_walk(Reading *r);

#endif
