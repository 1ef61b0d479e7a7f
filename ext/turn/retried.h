/*
** retried.h - inputs that are tried again, as messages of a turn.
*/
#ifndef TS_RETRIED_H
#define TS_RETRIED_H

#include "context.h"

/* {"queue_id":17} and {"queue_id":17,"retries_turn_id":16777216} are what turns write beside an input; null
** stands for what is not there. 0: it is neither, but a host's own. *retries 0: none. */
int ts_input_metadata(Text json, sqlite3_int64 *queueId, sqlite3_int64 *retries);

/* The metadata of an input. queueId, retries 0: none. */
Text ts_input_metadata_new(Cmd *c, sqlite3_int64 queueId, sqlite3_int64 retries);

/* The turn that an attempt at an input has repeated, 0: none. */
sqlite3_int64 ts_retried_by(Cmd *c, sqlite3_int64 turn, sqlite3_int64 queueId);

/* The words that stand in a context for a message of a turn, {NULL,0} when it is shown itself: it repeats
** an input of a turn that this context shows as well. */
Text ts_retried_words(Cmd *c, const Context *x, Text session, sqlite3_int64 turn, Text metadata,
                      Text content);

#endif
