/*
** late.h - the result of a tool call whose turn has ended.
*/
#ifndef TS_LATE_H
#define TS_LATE_H

#include "queue.h"
#include "turn.h"

/* The result of a call that an ended turn has made; returns what turn_tool_result does. */
void ts_late_result(Cmd *c, const Turn *t, sqlite3_int64 token, Text id, Text result, int isError);

/* What a tool has given, and for which call. */
typedef struct LateResult {
  sqlite3_int64 call; /* its place */
  Text tool, id, result;
  int isError;
} LateResult;

typedef enum LateKnown { LATE_UNKNOWN, LATE_SAME, LATE_OTHER } LateKnown;

/* Was a result of the call told as an input that the context of a turn shows, or that the turn's session will be shown?
** session: {NULL,0}: any. The same, or another one? */
LateKnown ts_late_told(Cmd *c, const LateResult *r, Text session, sqlite3_int64 turn);

/* Does an input tell what a tool gave, and the conversation of a session has that as a message meanwhile? The turn
** that holds it; 0: no. */
sqlite3_int64 ts_late_answered(Cmd *c, sqlite3_int64 queueId, Text session);

/* The turn that was shown what a failed turn has left: it runs, or stays on the path. Turns between them that
** came to nothing hand it on (level: how many were). 0: none yet. */
sqlite3_int64 ts_turn_taken_up_by(Cmd *c, sqlite3_int64 failed, int level);
/* The session whose turn it is; for a running turn, the run's session. {NULL,0}: no session has it
** any more. */
Text ts_turn_session(Cmd *c, sqlite3_int64 turn);
/* The input in which the result is told. */
void ts_late_input(Cmd *c, const Session *s, const LateResult *r, Inbound *in);
/* Was the input delivered before, under its message_id, with the same words or with others? *queueId: its row. */
LateKnown ts_late_find(Cmd *c, const Session *s, const Inbound *in, sqlite3_int64 *queueId);

#endif
