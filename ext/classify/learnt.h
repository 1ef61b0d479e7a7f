/*
** learnt.h - what the words of a message say about its class, as a table learnt from labelled messages.
**
** The table (word_weights.c) is constant data, written by tests/classify/classify_train.c: 39,164 rows, each with a code
** of eight bits and a mark of twelve, and for each of the 256 codes a weight per class, in all 98 KB. A message is
** taken apart into features (words, pairs of neighbours, beginnings of words, the word that begins a clause, some of
** them with the state too), and what the codes of their rows weigh is added up. A feature is known by a hash: its low part names the group of four rows in which its
** row would stand, its high part is the mark of the row. So the table holds the features that tell most, and
** what it does not know says nothing (but for one in a thousand, which is taken for another of the same mark).
** Everything is integers, so that every machine gets the same sums. Pure, no allocation.
*/
#ifndef TS_LEARNT_H
#define TS_LEARNT_H

#include "classify.h"
#include "rules.h"
#include "shape.h"

#define TS_LEARNT_GROUPS 9791
#define TS_LEARNT_WAYS 4 /* rows of a group */
#define TS_LEARNT_ROWS (TS_LEARNT_GROUPS * TS_LEARNT_WAYS)
#define TS_LEARNT_CODES 256
#define TS_LEARNT_UNIT 16    /* so much of a sum is one of a score */
#define TS_LEARNT_WEIGHT 40  /* the greatest weight, either way */
#define TS_LEARNT_TOKENS 160 /* of a message that are looked at */
#define TS_LEARNT_DAMPED 24  /* more tokens than this say no more than so many */
#define TS_LEARNT_FEATURES (TS_LEARNT_TOKENS * 8 + 64)
#define TS_LEARNT_SPANS (TS_LEARNT_TOKENS * 2 + 1)

/* What is known of a message beside its words. */
typedef struct WordContext {
  const char *folded; /* its tidied text, folded: see RuleMatch; NULL: it is still to be folded */
  TaskState state;
  int asks;                       /* the agent's message ends in a question, */
  int wantsMore;                  /* which offers more, */
  int wantsReport;                /* or something was to be tried */
  int offers;                     /* it says what it could do next */
  int endsNothing;                /* what sounds like giving up answers it */
  int nContent, nTask, nQuestion; /* words in common, see ts_topic_compare */
  ClauseUnits clauses;    /* all 0 when nothing is known: there is a question, or it is long */
  int order;              /* what sounds like an order: 0 no, 1 a hint, 2 clearly */
  int heard[CLASS_COUNT]; /* what rules and shape say for a class: see ts_learnt_heard */
} WordContext;

/* What they say in a few steps: from -2, much against it, to 4, decisively for it. */
int ts_learnt_heard(double score);

/* A message taken apart. */
typedef struct WordFeatures {
  int n;                                   /* features */
  unsigned hash[TS_LEARNT_FEATURES];       /* of each, and */
  unsigned short span[TS_LEARNT_FEATURES]; /* to which span of the text it belongs */
  int nLooks;                              /* of the features, those of span 0 stand first */
  int nSpans;                              /* span 0: no words, but what the message looks like */
  unsigned short at[TS_LEARNT_SPANS], len[TS_LEARNT_SPANS]; /* bytes of the tidied text */
  int nTokens;
} WordFeatures;

/* The first row of the group in which a feature's row would stand, and the mark that it would have: 1 … 4095. */
static inline int ts_learnt_group(unsigned hash) {
  return (int)(hash % TS_LEARNT_GROUPS) * TS_LEARNT_WAYS;
}

static inline unsigned ts_learnt_mark(unsigned hash) {
  return hash >> 20 ? hash >> 20 : 1;
}

/* Takes a tidied text apart. */
void ts_learnt_features(const Shape *s, const WordContext *context, WordFeatures *out);

/* What a long message says counts in part. */
int ts_learnt_damp(const WordFeatures *f, int sum);

/* What the table says, in units of 1 / TS_LEARNT_UNIT: in all, for what the message looks like (span 0), and
** for each of the other spans. Sums are damped, those of spans are not. */
typedef struct WordSums {
  int sum[CLASS_COUNT];
  int looks[CLASS_COUNT];
  int span[TS_LEARNT_SPANS][CLASS_COUNT]; /* see ts_learnt_spans */
} WordSums;

void ts_learnt_weigh(const WordFeatures *f, WordSums *out);

/* Beside that, span by span, for those who want to know. */
void ts_learnt_spans(const WordFeatures *f, WordSums *out);

/*
** word_weights.c. Of each group the codes of its rows, the low eight bits of each mark, and the high four bits of each,
** two to a byte. Mark 0: no feature's. Of each code the weights of the classes, plus 128, a byte each from the low
** bits on.
*/
#define TS_LEARNT_GROUP (TS_LEARNT_WAYS * 5 / 2)
extern const unsigned char ts_word_rows[TS_LEARNT_GROUPS][TS_LEARNT_GROUP];
extern const unsigned long long ts_word_weights[TS_LEARNT_CODES];
extern const int
    ts_word_scale; /* scores this far apart, in thousandths, differ by a factor e in their shares */

#endif
