/*
** stop_workers.h - workers are stopped, with those below them.
*/
#ifndef TS_STOP_WORKERS_H
#define TS_STOP_WORKERS_H

#include "session.h"

/* Stops the workers of a session whose task was cancelled, and their workers: runs are aborted,
** tasks abandoned, what waits is cancelled. */
void ts_stop_workers(Cmd *c, Text label, Text reason);

/* The same for one worker, and those below it. */
void ts_stop_worker(Cmd *c, Text worker, Text reason);

/* A worker whose deadline has passed is stopped, and its parent told. */
void ts_worker_time_out(Cmd *c, Text label);
/* The same for all workers of a session whose deadlines have passed. Returns how many were stopped. */
int ts_workers_time_out(Cmd *c, Text parent);
/* The same for all workers of the session of a command, and for the session itself if it is a worker; it is loaded
** again if it was changed. */
void ts_workers_look(Cmd *c, Session *s);

/* The process that served a worker is gone. If nothing is left with which the worker would go on, and it has not
** reported, its parent is told, with what it has said last. A report is still taken. */
void ts_worker_left(Cmd *c, Text label);

#endif
