/*
** choice.h - does a message answer an open choice? In the words that people really type.
**
** Pure. A message answers when, normalised, it *is* one of: an option's key ("A", "b)",
** "option B"), a position ("1", "the first one", "second"), or a phrasing of what an option does
** ("continue", "start fresh", …; several languages, small typos). A message that merely contains
** such words ("continue with dark mode") is no answer.
*/
#ifndef TS_CHOICE_H
#define TS_CHOICE_H

#include "decide.h"

#define TS_CHOICE_MAX_OPTIONS 8
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

#endif
