/*
** workers.h - sessions that work for other sessions: what a worker's moves mean for its parent.
** Workers are stopped in stop_workers.c; the commands about them are in spawn.c and report.c.
*/
#ifndef TS_WORKERS_H
#define TS_WORKERS_H

#include "queue.h"
#include "session.h"

/* The reason for which session_rewind stops a worker, and cancels an input. */
#define TS_REASON_UNDONE "undone by session_rewind"
/* Has the last task of a worker ended like this? */
int ts_worker_was_undone(Cmd *c, Text label);

/* Is it a worker whose report is still to come? */
int ts_worker_works(const Session *s);
/* A worker's task has moved from this state: its task_status follows, and its parent gets a message
** if it would wait in vain. before: the data of the state that it was in. */
void ts_worker_moved(Cmd *c, Session *s, TaskState from, Text before);

/* This task of a worker has ended with a commit of this type, or would have: nobody needs to work
** on the input that gave it. */
void ts_worker_ended(Cmd *c, Session *s, const Task *task, CommitType type);

/* A worker gets a task; a worker's turn begins. */
void ts_worker_given(Cmd *c, Session *s);
void ts_worker_begins(Cmd *c, Session *s);

/* Its parent, or a caller in the parent's place, ends the worker's task: nobody waits for it any
** more. To be called before the task is ended. */
void ts_worker_called_off(Cmd *c, Session *s);

/* A worker can't continue, for this reason: its parent gets one message. The task stays as it is. */
void ts_worker_died(Cmd *c, Session *s, Text reason);
/* The same if inputs of this ended turn have failed for good, because of their content. */
void ts_worker_stuck(Cmd *c, Session *s, sqlite3_int64 turn);

/* The same: its session is deleted, and its question is closed. */
void ts_worker_deleted(Cmd *c, Session *s);
/* Somebody has stopped a worker's turn, or cancelled one of its inputs: if it has nothing left to
** continue with by itself, its parent gets a message. A worker that has asked a question continues
** with the answer. */
void ts_worker_halted(Cmd *c, Session *s, Text reason);
/* A worker's task was stale and has ended. */
void ts_worker_saved(Cmd *c, Session *s);

/* How the last task has ended. */
typedef struct WorkerEnd {
  sqlite3_int64 task; /* 0: none has */
  Text type;          /* of the commit, also of one that was not made */
  int undone;         /* by an undo of its parent's */
  Task saved;         /* the task; id 0 without a commit */
} WorkerEnd;

void ts_worker_last_end(Cmd *c, Text label, WorkerEnd *end);

/* What a parent says to a worker without an open task is meant for: */
typedef enum MeantFor {
  MEANT_NEXT,  /* a next task */
  MEANT_SAVED, /* the last one, which was saved because it lay too long, as the parent can't know yet: it goes on */
  MEANT_OVER /* the question of the last one, which has ended otherwise, as the parent can't know either */
} MeantFor;

/* saved: the task, with description and data, of MEANT_SAVED. */
MeantFor ts_worker_meant(Cmd *c, const Session *s, Task *saved);
/* The worker continues that task: messages to its parent about the end that were not taken are
** cancelled. */
void ts_worker_goes_on(Cmd *c, const Session *s);

#define TS_MAX_LEVELS 128 /* of workers of workers; only damaged links go further */
void ts_worker_set_status(Cmd *c, Session *s, Text status);
/* The event by which a worker's word is known: under the task, with the text. Returns its id. */
sqlite3_int64 ts_worker_record(Cmd *c, const Session *s, sqlite3_int64 task, const char *what,
                               const char *key, Text said);
/* One message in the parent's queue, whatever the parent is doing. 0: it has no parent. */
sqlite3_int64 ts_worker_tell(Cmd *c, const Session *s, const char *what, sqlite3_int64 event,
                             Text message);
/* The worker's newest task: the open one, or the last that it had. 0: none. */
sqlite3_int64 ts_worker_newest_task(Cmd *c, const Session *s);
void ts_worker_cancel_untaken(Cmd *c, const Session *s, const char *begins, const char *why);
/* The input that gave a task ends with it, even if no turn has it, or if it has failed. Other
** inputs wait, as inputs do that came during a turn. */
void ts_worker_settle_task(Cmd *c, const Session *s, const Task *task);

#endif
