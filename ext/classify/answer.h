/*
** answer.h - what does a message say to an open choice? In the words that people really type.
**
** Pure. A message answers with an option's key ("A", "b)", "option B"), a position ("1", "the first one",
** "second"), or a phrasing of what an option does ("continue", "start fresh", …; 20 languages, small
** typos), also after a denial of the other one ("don't continue, start fresh"). What stands beside the answer
** ("B, but keep my branch") takes nothing from it: hasWords says that there is more to hand over. A message
** that merely contains such words ("continue with dark mode") is no answer.
**
** It may also be about the choice and take none of its ways: a key or position that is not offered, several
** of them, "no", "neither", "both", "wait", "I don't know", "I'm back", "A?", "maybe A", "not B", "2 minutes". That is ANSWER_UNDECIDED, and
** the choice has to be shown again.
*/
#ifndef TS_ANSWER_H
#define TS_ANSWER_H

#include "decide.h"

#define TS_CHOICE_MAX_OPTIONS 8
/* An agent's question stands at the end of its message: so many bytes of that are read. */
#define TS_QUESTION_TAIL 1000

/* One option as it is stored: its key "A", the way out that it means, and its text (UTF-8). */
typedef struct ChoiceOption {
  char key;
  ChoiceAnswer answer;
  const char *text;
  int nText;
} ChoiceOption;

typedef enum ChoiceSays {
  CHOICE_SAYS_NOTHING,
  CHOICE_SAYS_DROP,      /* the task is given up */
  CHOICE_SAYS_DROP_HELD, /* the request that would replace the task is taken back */
  CHOICE_SAYS_DROP_ALL,  /* both */
  CHOICE_SAYS_OTHER,     /* none of the ways, and something else behind that */
  CHOICE_SAYS_ORDER, /* nothing about the choice: an order of its own, that has nothing to do with the task */
  CHOICE_SAYS_ASKS /* it wants to know something */
} ChoiceSays;

/* What a message says to a choice. */
typedef struct ChoiceReading {
  ChoiceAnswer answer;
  int hasWords; /* beside that there is more, which somebody has to know; also when nothing is decided */
  ChoiceSays says; /* without an answer */
} ChoiceReading;

/* What the choice is about (UTF-8): texts may be NULL. */
typedef struct ChoiceContext {
  const char *task; /* the open task, or the saved one */
  int nTask;
  const char *held; /* what the choice holds */
  int nHeld;
  int isRequest; /* that is a request which would replace the task */
} ChoiceContext;

/* Bytes may be anything. The first words of a message are looked at (words.h), whatever its length.
** context: NULL when nothing is known. */
ChoiceReading ts_choice_read(const char *message, int n, const ChoiceOption *options, int nOptions,
                             const ChoiceContext *context);

/* Does the beginning of a message speak of what another text speaks of? */
int ts_choice_speaks_of(const char *message, int n, const char *other, int nOther);

/* Do the patterns of choices know one of some words, such as "perfect" or "please"? Then the words are no
** name. */
int ts_choice_knows(const char *words, int n);

/* Does it end in a question mark, of whatever script? */
int ts_choice_asks(const char *message, int n);

/* The same without a choice at hand: ANSWER_CONTINUE when the message is nothing but a wish to go
** on ("continue", "go on", "weiter"), ANSWER_START_FRESH for "start fresh", else ANSWER_NONE. */
ChoiceAnswer ts_choice_phrase(const char *message, int n);

/* Does a message only say that somebody is there and wants to go on ("continue", "I'm back, let's go
** on")? Over an open question that is no answer to it, unless the question speaks of going on itself
** ("Shall I continue?"), or the message begins with a yes or no. question: all that was asked, options
** too. */
int ts_choice_skips_question(const char *message, int n, const char *question, int nQuestion);

#endif
