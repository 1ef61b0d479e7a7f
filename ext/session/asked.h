/*
** asked.h - what a session asks of a person: its open choice, or the question of its task.
*/
#ifndef TS_ASKED_H
#define TS_ASKED_H

#include "json.h"
#include "queue.h"
#include "session.h"

/* When the open choice was opened, and the question that is open was asked; -1: there is none. */
sqlite3_int64 ts_asked_opened_at(Cmd *c, const Session *s);
sqlite3_int64 ts_asked_question_at(Cmd *c, const Session *s);

/* Adds what is asked to a decision: kind (of the choice, or "Question"), opened_at, asked_at. */
void ts_asked_put(Json *j, Cmd *c, const Session *s);

/* An input that waited says to what it is an answer: is that over? One that was in a turn before has answered. */
int ts_asked_over(Cmd *c, const Session *s, const Inbound *in);
/* It is: nobody is to take it for an answer to something else. Its class stays what it is. */
void ts_asked_cancel(Cmd *c, const Inbound *in);

/* The time by which a choice or a question goes: now, but two of one millisecond are told apart all the same,
** as a press on the first must not settle the second. last: the statement that finds the one before. */
sqlite3_int64 ts_asked_now(Cmd *c, const Session *s, int last);
/* The data of AwaitingUser with asked_at, which defaults to that. */
Text ts_asked_at(Cmd *c, const Session *s, Text data);

#endif
