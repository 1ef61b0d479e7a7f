/*
** worker_left.c - the process that served a worker is gone, and has left no report.
*/
#include "stop_workers.h"

#include "fill.h"
#include "queue.h"
#include "task.h"
#include "turn.h"
#include "workers.h"

SQLITE_EXTENSION_INIT3

/* What it has said last, in the turn at its head. */
static Text saidLast(Cmd *c, const Session *s) {
  Text said = none;
  Query q = ts_query(c, SQL_WORKER_SAID, "ii", TS_FIRST_PLACE(s->head), TS_LAST_PLACE(s->head));
  if (ts_row(c, &q)) said = ts_col_text(c, &q, COL_WORKER_SAID_CONTENT);
  ts_end(c, &q);
  return said;
}

/* The message of the last commit. */
static Text commitMessage(Cmd *c, const Session *s) {
  Text message = none;
  Query q = ts_query(c, SQL_COMMIT_LATEST, "t", &s->label);
  if (ts_row(c, &q)) message = ts_col_text(c, &q, COL_COMMIT_LATEST_MESSAGE);
  ts_end(c, &q);
  return message;
}

/* Is there anything with which the worker would go on by itself: inputs, those that a host without turns was handed
** included, or workers of its own? */
static int goesOnByItself(Cmd *c, const Session *s) {
  sqlite3_int64 below = 0;
  Query q;
  if (ts_run_live(c, &s->run) || ts_queue_waits(c, s, 1)) return 1;
  q = ts_query(c, SQL_QUEUE_HANDED, "t", &s->label);
  if (ts_row(c, &q)) below = 1;
  ts_end(c, &q);
  if (below) return 1;
  q = ts_query(c, SQL_WORKERS_OPEN_COUNT, "ti", &s->label, (sqlite3_int64)1);
  if (ts_row(c, &q)) below = ts_col_int(&q, COL_WORKERS_OPEN_COUNT_COUNT);
  ts_end(c, &q);
  return below > 0;
}

static int isHeard(Cmd *c, const Session *s, sqlite3_int64 task) {
  Query q = ts_query(c, SQL_WORKER_HEARD, "ti", &s->label, task);
  int heard = ts_row(c, &q);
  ts_end(c, &q);
  return heard;
}

/* What the newest task has ended with, if it has ended well and the parent has heard nothing of it since; else
** {NULL,0}. */
static Text endedUnheard(Cmd *c, const Session *s) {
  WorkerEnd end;
  sqlite3_int64 task = s->task.id;
  int done = s->task.state == TASK_COMPLETE;
  if (!task) {
    ts_worker_last_end(c, s->label, &end);
    task = end.task;
    done = task && ts_text_is(end.type, ts_commit_types[COMMIT_NORMAL]);
  }
  if (!done || isHeard(c, s, task)) return none;
  return s->task.id ? ts_task_summary(c, s) : commitMessage(c, s);
}

/* Its parent is told, with its last words: what it has done is not lost. */
static void tellLeft(Cmd *c, Session *s, Text said) {
  sqlite3_int64 task = ts_worker_newest_task(c, s);
  Text text = said.z ? ts_fill(c, s->label, "worker.left", "worker", s->label, "result", said)
                     : ts_fill(c, s->label, "worker.failed", "worker", s->label, "reason",
                               TS_TEXT("it has stopped without a report"));
  ts_worker_tell(c, s, "died", ts_worker_record(c, s, task, "died", "reason", text), text);
}

void ts_worker_left(Cmd *c, Text label) {
  Session s;
  Text ended;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.exists || !s.isSubagent || s.supersededBy.z) return;
  if (s.task.state == TASK_AWAITING_USER || goesOnByItself(c, &s)) return;
  ended = endedUnheard(c, &s);
  if (ended.z) {
    tellLeft(c, &s, ended);
  } else if (ts_worker_works(&s) && s.task.id && s.head) {
    Text summary = ts_task_field(c, &s, "$.summary");
    ts_worker_set_status(c, &s, TS_TEXT("failed"));
    tellLeft(c, &s, summary.z ? summary : saidLast(c, &s));
  }
}
