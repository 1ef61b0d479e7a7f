/*
** result.h - the result of a command on its way to whoever asked.
*/
#ifndef TS_RESULT_H
#define TS_RESULT_H

#include "core.h"

void ts_result_clear(Result *r);

/* The work is done, so nothing may fail any more. A text goes with a length of -1, because SQLite then knows that
** a NUL ends it; before 3.40 it took memory for a NUL of its own otherwise. */
void ts_result_give(sqlite3_context *ctx, Result *r);

#endif
