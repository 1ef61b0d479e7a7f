/*
** end_task.h - how a task ends.
*/
#ifndef TS_END_TASK_H
#define TS_END_TASK_H

#include "task.h"

/* Ends the open task (ts_task_close) with the consequences: a worker's parent no longer waits for
** it, and when the task is cancelled its workers are stopped. Returns the commit's id or {NULL,0}.
** */
Text ts_task_end(Cmd *c, Session *s, CommitType type, Text message, Text detail);

/* The same for a stale task, with the template's message; a task without work is dropped with a
** note. *said: the commit's message or the note. */
Text ts_task_end_stale(Cmd *c, Session *s, Text *said);

/* Complete or Aborted left behind by session_transition: makes the commit they stand for. Returns
** its id or {NULL,0}. */
Text ts_task_settle(Cmd *c, Session *s);

#endif
