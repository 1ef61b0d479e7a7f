/*
** run.h - the commands about the processes that serve sessions.
*/
#ifndef TS_RUN_H
#define TS_RUN_H

#include "session.h"

/* Sets a run to idle, gives its items back to the queue, and writes the event. Returns how many
** items were given back. */
sqlite3_int64 ts_run_reset(Cmd *c, Session *s, RunState from, const char *trigger);

extern const CommandSpec ts_session_run;
extern const CommandSpec ts_turnstile_startup;

#endif
