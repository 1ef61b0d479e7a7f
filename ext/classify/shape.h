/*
** shape.h - what a message looks like, whatever it says.
**
** Two things are derived from the raw bytes of a message: a tidied text, one clause to a line,
** which is what the pattern rules see; and counts (words, questions, symbols, words shared with
** the task), which are evidence by themselves. Pure, no allocation, any bytes are accepted.
*/
#ifndef TS_SHAPE_H
#define TS_SHAPE_H

/* Of a long message only the beginning and the end are looked at. */
#define TS_HEAD_BYTES 1600
#define TS_TAIL_BYTES 400

/* Room for a tidied text: what is looked at, and the breaks that are put in. */
#define TS_TEXT_MAX (TS_HEAD_BYTES + TS_TAIL_BYTES + 64)

typedef struct Shape {
  char text[TS_TEXT_MAX]; /* tidied, valid UTF-8, not terminated */
  int n;
  int nLines;     /* clauses */
  int nQuestions; /* clauses that end in a question mark */
  int lastIsQuestion;
  int nWords;   /* two ideographs count as a word */
  int nLetters; /* characters of words, digits included */
  int nDigits;  /* of which digits */
  int nSymbols; /* braces, operators, slashes, … as in code */
  int nBreaks;  /* line breaks of the raw message */
  int isCut;    /* the middle of the message was left out */
} Shape;

/* Tidies message (n bytes, may be NULL when n is 0) and counts. */
void ts_shape_of(const char *message, int n, Shape *out);

/* Lines of code, a log or a stack trace rather than prose. */
int ts_shape_is_paste(const Shape *s);

/* One word of random keys, or nothing but punctuation. */
int ts_shape_is_noise(const Shape *s);

/* The words of some texts that say what they are about, as hashes of their beginnings. */
#define TS_TOPIC_SLOTS 256
#define TS_TOPIC_MAX (TS_TOPIC_SLOTS / 2)
typedef struct Topic {
  unsigned slot[TS_TOPIC_SLOTS]; /* 0: free */
  unsigned char in[TS_TOPIC_SLOTS];
  int n;
  unsigned char taken[TS_TOPIC_MAX]; /* the slots that are not */
} Topic;

void ts_topic_clear(Topic *t);

/* Adds the content words of a text; bit says which text it was. */
void ts_topic_add(Topic *t, const char *text, int n, unsigned char bit);

/*
** Counts the different content words of a tidied text, and those of them that the topic holds
** under bit 1 and under bit 2.
*/
void ts_topic_compare(const Topic *t, const Shape *s, int *nContent, int *nIn1, int *nIn2);

#endif
