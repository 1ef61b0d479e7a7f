/*
** tell.h - the row of a delivery, and inputs by which the library itself tells a session something.
*/
#ifndef TS_TELL_H
#define TS_TELL_H

#include "decide.h"
#include "json.h"
#include "queue.h"
#include "session.h"

/* The fields with which every decision begins: action, session, task_id, class, confidence, state,
** previous_state. task: 0: the decision is about none. */
void ts_decision_begin(Json *j, Action action, const Session *s, sqlite3_int64 task,
                       MessageClass cls, double confidence, TaskState previous);

/* The id that the delivery of an input has: its row is written when all is decided, behind those of what is told
** to other sessions meanwhile. */
void ts_delivery_number(Cmd *c, Inbound *in);

/* The row of a delivery with its decision. toldPlace: where its parent's conversation stood when it told a worker
** something (isTold). */
void ts_delivery_record(Cmd *c, const Session *s, const Inbound *in, MessageClass cls,
                        double confidence, Action action, Text decision, int isTold,
                        sqlite3_int64 toldPlace);

/* An input that is never lost (isExempt) and no user's goes into the queue of a session, whatever that is doing: a
** worker's word, a result that comes late, a worker's task. Returns its id. */
sqlite3_int64 ts_tell(Cmd *c, Session *s, Inbound *in);

#endif
