/*
** choice.h - the open choice of a session, as it is stored.
*/
#ifndef TS_CHOICE_H
#define TS_CHOICE_H

#include "answer.h"
#include "queue.h"
#include "session.h"

/* A choice as it is stored. */
typedef struct OpenChoice {
  ChoiceKind kind;
  Inbound *held; /* NULL: nothing is held */
  Text options;  /* JSON array */
  Text text;     /* the question as shown, without the options */
  Text savedTask, savedState, savedStateData;
  Text earlier; /* JSON array of delivery ids */
} OpenChoice;

void ts_choice_load(Cmd *c, const Session *s, OpenChoice *choice);
/* The options in the stored order; returns how many. */
int ts_choice_options(Cmd *c, const Session *s, ChoiceOption *options);
/* Opens a choice that holds a message (or nothing). saved: the task that CHOICE_SAVED can pick up
** again; earlier: a message that an expired choice held. */
void ts_choice_open(Cmd *c, Session *s, ChoiceKind kind, Inbound *held, const Task *saved,
                    const Inbound *earlier);
/* Which option of a choice of this kind an answer means: continue, start_fresh, or "". */
const char *ts_choice_option_meant(Cmd *c, const Session *s, Text kind, Text answer);
/* Closes it without an answer. The caller keeps the held messages. */
void ts_choice_drop(Cmd *c, Session *s, const char *trigger);
/* The same; does nothing without an open choice. The held message becomes a waiting input, because
** its task is gone. */
void ts_choice_release(Cmd *c, Session *s, const char *trigger);
/* The stored choice as one text: question and options. */
Text ts_choice_text(Cmd *c, const Session *s);

const char *ts_choice_answer_name(ChoiceAnswer answer);
/* One of the options, and nothing else. */
int ts_choice_is_answer(const ChoiceReading *reading);
/* How the choice words the option to begin something else. */
Text ts_choice_fresh_text(Cmd *c, const Session *s, ChoiceKind kind);
/* The question and its options as one text. */
Text ts_choice_prompt(Cmd *c, const Session *s, Text question);
/* The other held messages, in the order in which they came. */
InputLink *ts_choice_beside_held(Cmd *c, Text stored);
/* All held messages, in the order in which they came. */
InputLink *ts_choice_all_held(Cmd *c, Text stored, const OpenChoice *choice);
/* Unclassified: what the message means depends on the state in which it is taken. */
void ts_choice_queue(Cmd *c, Session *s, Inbound *in);
Text ts_choice_kind_text(Cmd *c, const Session *s, ChoiceKind kind);

#endif
