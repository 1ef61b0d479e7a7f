/*
** stop_workers.c - stops workers, because their parent's task was cancelled or their deadline has
** passed.
**
** A task's end stops its workers: their runs end and their tasks are closed, level by level,
** without recursion.
*/
#include "stop_workers.h"

#include "choice.h"
#include "lease.h"
#include "task.h"
#include "workers.h"

SQLITE_EXTENSION_INIT3

typedef struct Worker {
  struct Worker *next;
  Text label;
  int atWork;
  int level;
} Worker;

static void stopOne(Cmd *c, Text label, Text reason) {
  Session s;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.exists) return;
  if (s.task.state != TASK_COMPLETE) ts_worker_set_status(c, &s, TS_TEXT("failed"));
  ts_exec(c, SQL_WORKER_DONE, "t", &s.label);
  ts_lease_stop_turn(c, &s, reason);
  ts_choice_release(c, &s, "stop");
  if (s.task.state == TASK_COMPLETE) { /* what is done stays done */
    ts_task_close(c, &s, COMMIT_NORMAL, ts_task_summary(c, &s), none);
  } else if (s.task.id) {
    ts_note(c, &s, NOTE_ABANDON, reason);
    ts_task_close(c, &s, COMMIT_ABANDONED,
                  ts_fill(c, s.label, "commit.abandoned", NULL, none, NULL, none), reason);
  }
  ts_session_save(c, &s);
  ts_exec(c, SQL_QUEUE_CANCEL_ALL, "tis", &s.label, c->now, "the task was called off");
}

void ts_stop_workers(Cmd *c, Text label, Text reason) {
  Worker *list = NULL;
  int level = 1;
  for (;;) {
    Query q = ts_query(c, SQL_WORKERS, "t", &label);
    while (level <= TS_MAX_LEVELS && ts_row(c, &q)) {
      Worker *w = ts_alloc(c, sizeof(*w));
      if (!w) break;
      w->label = ts_col_text(c, &q, COL_WORKERS_LABEL);
      w->atWork = ts_col_int(&q, COL_WORKERS_IS_AT_WORK) != 0;
      w->level = level;
      w->next = list;
      list = w;
    }
    ts_end(c, &q);
    if (!list || c->rc != SQLITE_OK) return;
    label = list->label;
    level = list->level + 1;
    if (list->atWork) stopOne(c, label, reason);
    list = list->next;
  }
}

void ts_stop_worker(Cmd *c, Text worker, Text reason) {
  stopOne(c, worker, reason);
  ts_stop_workers(c, worker, reason);
}

/* ---- Running out of time --------------------------------------------------------------------------- */

void ts_worker_time_out(Cmd *c, Text label) {
  Session s;
  Text text;
  sqlite3_int64 task, event;
  int waits, done;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.deadline || s.deadline > c->now) return;
  task = ts_worker_newest_task(c, &s);
  done = ts_text_is(s.taskStatus, "completed");
  waits = ts_worker_works(&s) || done; /* of one that has failed the parent knows */
  text =
      ts_fill(c, s.label, "worker.timeout", "worker", s.label, "duration", ts_words(c, s.timeout));
  ts_exec(c, SQL_WORKER_DONE, "t", &s.label);
  if (!done) {
    stopOne(c, label, text);
    ts_stop_workers(c, label, text);
    s.taskStatus = TS_TEXT("failed");
  }
  if (!waits) return;
  event = ts_worker_record(c, &s, task, "timeout", "reason", text);
  ts_worker_tell(c, &s, "timeout", event, text);
}

/* A deadline written by a clock that was ahead is judged like a lease: it is at most the worker's
** timeout from now. */
static void mendDeadline(Cmd *c, Text worker) {
  ts_exec(c, SQL_WORKER_DEADLINE_MEND, "ti", &worker, c->now);
}

int ts_workers_time_out(Cmd *c, Text parent) {
  Worker *list = NULL;
  int n = 0;
  Query q =
      ts_query(c, SQL_WORKERS_OVERDUE, "tii", &parent, c->now, (sqlite3_int64)TURNSTILE_CLOCK_STEP);
  while (ts_row(c, &q)) {
    Worker *w = ts_alloc(c, sizeof(*w));
    if (!w) break;
    w->label = ts_col_text(c, &q, COL_WORKERS_OVERDUE_LABEL);
    w->atWork = ts_col_int(&q, COL_WORKERS_OVERDUE_IS_OVERDUE) == 0;
    w->next = list;
    list = w;
  }
  ts_end(c, &q);
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    if (list->atWork) {
      mendDeadline(c, list->label);
    } else {
      ts_worker_time_out(c, list->label);
      n++;
    }
  }
  return n;
}

/* Loads a session again that was changed meanwhile. */
static void reload(Cmd *c, Session *s) {
  Text via = s->via;
  ts_session_load_exact(c, s->label, s);
  s->via = via;
}

void ts_workers_look(Cmd *c, Session *s) {
  int late = s->exists && s->deadline && s->deadline <= c->now;
  if (c->rc != SQLITE_OK || !s->exists) return;
  if (late) {
    ts_worker_time_out(c, s->label);
  } else if (s->deadline && s->timeout && ts_is_ahead(c, s->deadline - s->timeout)) {
    mendDeadline(c, s->label);
    reload(c, s);
  }
  if (ts_workers_time_out(c, s->label) || late) reload(c, s);
}
