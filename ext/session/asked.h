/*
** asked.h - what a session asks a person: its open choice, or its task's question.
*/
#ifndef TS_ASKED_H
#define TS_ASKED_H

#include "json.h"
#include "queue.h"
#include "session.h"

/* When the open choice was opened, and when the open question was asked; -1: nothing is open. */
sqlite3_int64 ts_asked_opened_at(Cmd *c, const Session *s);
sqlite3_int64 ts_asked_question_at(Cmd *c, const Session *s);

/* Adds what is asked to a decision: kind (of the choice, or "Question"), opened_at, asked_at. */
void ts_asked_put(Json *j, Cmd *c, const Session *s);

/* A waiting input names the choice or question that it answers: is that closed? An input that was
** already in a turn has answered. */
int ts_asked_over(Cmd *c, const Session *s, const Inbound *in);
/* It is closed: the input must not count as an answer to something else. Its class stays. */
void ts_asked_cancel(Cmd *c, const Inbound *in);

/* The time that identifies a choice or a question: now, but different for two of the same
** millisecond, because a press on the first must not settle the second. last: the statement that
** finds the one before. */
sqlite3_int64 ts_asked_now(Cmd *c, const Session *s, int last);
/* The data of AwaitingUser with asked_at, which defaults to that. */
Text ts_asked_at(Cmd *c, const Session *s, Text data);

#endif
