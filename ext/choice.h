/*
** choice.h - does a message answer an open choice? In the words that people really type.
**
** Pure. A message answers when, normalised, it *is* one of: an option's key ("A", "b)",
** "option B"), a position ("1", "the first one", "second"), or a phrasing of what an option does
** ("continue", "start fresh", …; several languages, small typos). A message that merely contains
** such words ("continue with dark mode") is no answer.
**
** A message may also be about the choice and take none of its ways: a key or position that is not
** offered, several of them, "no", "neither", "both", "wait", "I don't know", "I'm back". That is
** ANSWER_UNDECIDED, and the choice has to be shown again.
*/
#ifndef TS_CHOICE_H
#define TS_CHOICE_H

#include "decide.h"

#define TS_CHOICE_MAX_OPTIONS 8
/* What is asked stands at the end of what an agent says: so much of it is looked at (bytes). */
#define TS_QUESTION_TAIL 1000
/* A longer message is never an answer (bytes). */
#define TS_CHOICE_MAX_ANSWER 160

/* One option as it is stored: key "A", the way out it stands for, and its text (UTF-8). */
typedef struct ChoiceOption {
  char key;
  ChoiceAnswer answer;
  const char *text;
  int nText;
} ChoiceOption;

/* The answer that a message gives, or ANSWER_NONE. Bytes may be anything. */
ChoiceAnswer ts_choice_match(const char *message, int n, const ChoiceOption *options, int nOptions);

/* The same without a choice at hand: ANSWER_CONTINUE when the message is nothing but a wish to go
** on ("continue", "go on", "weiter"), ANSWER_START_FRESH for "start fresh", else ANSWER_NONE. */
ChoiceAnswer ts_choice_phrase(const char *message, int n);

/* Does a message only say that somebody is there and wants to go on ("continue", "I'm back, let's go
** on")? Over an open question that is no answer to it, unless the question speaks of going on itself
** ("Shall I continue?"), or the message begins with a yes or no. question: all that was asked, options
** too. */
int ts_choice_skips_question(const char *message, int n, const char *question, int nQuestion);

#endif
