/*
** spawn.h - subagents: session_spawn(), session_report(), and what stopping a session stops.
*/
#ifndef TS_SPAWN_H
#define TS_SPAWN_H

#include "session.h"

/* Stops the workers of a session whose task was called off, and theirs: runs are aborted, tasks
** abandoned, what waits is cancelled. */
void ts_stop_workers(Cmd *c, Text label, Text reason);

/* Is it a worker whose report is still to come? */
int ts_worker_works(const Session *s);

/* A worker's task has ended with a commit of this type, or would have. */
void ts_worker_ended(Cmd *c, Session *s, CommitType type);

extern const CommandSpec ts_session_spawn, ts_session_report;

#endif
