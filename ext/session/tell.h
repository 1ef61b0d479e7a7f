/*
** tell.h - the row of a delivery, and inputs that the library itself gives to a session.
*/
#ifndef TS_TELL_H
#define TS_TELL_H

#include "decide.h"
#include "json.h"
#include "queue.h"
#include "session.h"

/* The fields with which every decision begins: action, session, task_id, class, confidence, state, previous_state.
** task 0: the decision is not about a task. */
void ts_decision_begin(Json *j, Action action, const Session *s, sqlite3_int64 task,
                       MessageClass cls, double confidence, TaskState previous);

/* The id of an input's delivery: its row is written at the end of the decision, after the rows of
** messages to other sessions. */
void ts_delivery_number(Cmd *c, Inbound *in);

/* The row of a delivery with its decision. toldPlace: the place in the parent's conversation where
** it told a worker something (isTold). */
void ts_delivery_record(Cmd *c, const Session *s, const Inbound *in, MessageClass cls,
                        double confidence, Action action, Text decision, int isTold,
                        sqlite3_int64 toldPlace);

/* Puts an input that is never lost (isExempt) and not a user's into a session's queue, whatever the
** session is doing: a worker's word, a late result, a worker's task. Returns its id. */
sqlite3_int64 ts_tell(Cmd *c, Session *s, Inbound *in);

#endif
