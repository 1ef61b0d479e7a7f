/*
** queue.c - what a person or a host can do with a single input.
**
**   SELECT queue_cancel(17);     -- it is not to be worked on
**   SELECT queue_retry(17);      -- it failed or was cancelled: let it wait once more, at its old place
**   SELECT queue_front(17);      -- it is to be the next one
**
** Each returns the row's id. The view queue_list shows what there is.
*/
#include "queue_commands.h"

#include "called_off.h"
#include "config.h"
#include "decision.h"
#include "deliver.h"
#include "end_task.h"
#include "forward.h"
#include "late.h"
#include "settle.h"
#include "utf8.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const ArgSpec idArgs[] = {{"queue_id", ARG_INT, 1}};

typedef struct Row {
  sqlite3_int64 id;
  Text label, status;
  Text interrupts; /* a user's waiting words, which may interrupt the work */
  int isLater;     /* it waits for its time */
  int isAgents;
} Row;

static void want(Cmd *c, const Row *r, const char *wanted) {
  if (c->rc != SQLITE_OK || !r->status.z || strstr(wanted, r->status.z)) return;
  ts_fail(c, SQLITE_CONSTRAINT, "input %lld is %.*s; it must be %s", r->id, r->status.n,
          r->status.z, wanted);
}

/* The row of the argument; fails the command unless its status is one of those wanted (NULL: any). */
static void loadRow(Cmd *c, Row *r, const char *wanted) {
  Query q = ts_query(c, SQL_QUEUE_GET, "i", c->arg[0].i);
  memset(r, 0, sizeof(*r));
  r->id = c->arg[0].i;
  if (ts_row(c, &q)) {
    r->label = ts_col_text(c, &q, COL_QUEUE_GET_SESSION_LABEL);
    r->status = ts_col_text(c, &q, COL_QUEUE_GET_STATUS);
    r->isLater = ts_text_is(r->status, "pending") && !ts_col_null(&q, COL_QUEUE_GET_DUE_AT);
    r->isAgents = ts_text_is(ts_col_view(&q, COL_QUEUE_GET_SOURCE), ts_source_names[SOURCE_AGENT]);
    if (ts_text_is(ts_col_view(&q, COL_QUEUE_GET_SOURCE), ts_source_names[SOURCE_USER]) &&
        !ts_text_is(r->status, "failed")) {
      r->interrupts = ts_col_text(c, &q, COL_QUEUE_GET_MESSAGE);
    }
  }
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return;
  if (!r->status.z) {
    ts_fail(c, SQLITE_ERROR, "there is no input %lld in the queue", r->id);
  } else if (wanted) {
    want(c, r, wanted);
  }
}

static void runCancel(Cmd *c) {
  Session s;
  Row r;
  loadRow(c, &r, "pending, handed or failed");
  ts_exec(c, SQL_QUEUE_END, "isis", r.id, "cancelled", c->now, "cancelled by queue_cancel");
  if (c->rc != SQLITE_OK) return;
  ts_session_load_exact(c, r.label, &s);
  if (s.exists) ts_input_called_off(c, &s, r.interrupts);
  if (s.exists) ts_worker_halted(c, &s, TS_TEXT("its input was cancelled"));
  ts_return_int(c, r.id);
}

const CommandSpec ts_queue_cancel = {"queue_cancel", runCancel, 0, TS_ARGS(1, idArgs), NULL};

/* A cancelled input has stayed where it was. It is worked on in the session where its sender's
** messages go now; nothing waits in a merged session. */
static void bringAgain(Cmd *c, const Row *r) {
  Session s;
  Forward *elsewhere = ts_forward_of_input(c, r->id);
  if (elsewhere) {
    ts_forward(c, elsewhere);
    return;
  }
  ts_session_load_exact(c, r->label, &s);
  if (s.supersededBy.z) ts_exec(c, SQL_QUEUE_MOVE, "tt", &s.label, &s.supersededBy);
}

/* A message of a deleted parent to its worker: nobody would get the result. */
static void wantParent(Cmd *c, const Session *s, const Row *r) {
  if (c->rc != SQLITE_OK || !r->isAgents || !s->isSubagent || s->parentLabel.z || s->task.id)
    return;
  ts_fail(c, SQLITE_CONSTRAINT,
          "input %lld was for the task of worker '%.*s', whose parent is gone, and nobody would "
          "get its report; session_spawn gives the task to a worker of another session",
          r->id, s->label.n, s->label.z);
}

/* A task that was left Complete or Aborted is committed first: its end would cancel the retried
** input. */
static void settleTask(Cmd *c, Row *r) {
  Session s;
  if (c->rc != SQLITE_OK) return;
  ts_session_load_exact(c, r->label, &s);
  wantParent(c, &s, r);
  if (!s.exists || (s.task.state != TASK_COMPLETE && s.task.state != TASK_ABORTED)) return;
  ts_task_settle(c, &s);
  ts_session_save(c, &s);
  loadRow(c, r, NULL);
}

/* A tool's result is told once: not again when a turn already holds it. */
static void wantUntold(Cmd *c, const Row *r) {
  sqlite3_int64 by = c->rc == SQLITE_OK ? ts_late_answered(c, r->id, r->label) : 0;
  if (!by) return;
  ts_fail(c, SQLITE_CONSTRAINT,
          "input %lld tells the result of a tool call that turn %lld holds already", r->id, by);
}

/* An input that waits for its time need not wait longer. */
static void runRetry(Cmd *c) {
  Row r;
  loadRow(c, &r, NULL);
  settleTask(c, &r);
  if (!r.isLater) want(c, &r, "failed or cancelled");
  wantUntold(c, &r);
  ts_exec(c, r.isLater ? SQL_QUEUE_NOW : SQL_QUEUE_AGAIN, "i", r.id);
  if (c->rc != SQLITE_OK) return;
  bringAgain(c, &r);
  ts_return_int(c, r.id);
}

const CommandSpec ts_queue_retry = {"queue_retry", runRetry, 0, TS_ARGS(1, idArgs), NULL};

static void runFront(Cmd *c) {
  Session s;
  Row r;
  loadRow(c, &r, "pending");
  if (c->rc != SQLITE_OK) return;
  memset(&s, 0, sizeof(s));
  s.label = r.label;
  ts_exec(c, SQL_QUEUE_RANK, "ii", r.id, ts_queue_front_rank(c, &s));
  ts_return_int(c, r.id);
}

const CommandSpec ts_queue_front = {"queue_front", runFront, 0, TS_ARGS(1, idArgs), NULL};

/* ---- queue_push(label, message [, options]) → queue id ---------------------------------------- */

enum {
  PUSH_LABEL,
  PUSH_MESSAGE,
  PUSH_MESSAGE_ID,
  PUSH_SOURCE,
  PUSH_CHANNEL,
  PUSH_SENDER,
  PUSH_MODE
};

static const ArgSpec pushArgs[] = {
    {"label", ARG_LABEL, 1}, {"message", ARG_MESSAGE, 1}, {"message_id", ARG_ID, 0},
    {"source", ARG_TEXT, 0}, {"channel", ARG_NAME, 0},    {"sender", ARG_ID, 0},
    {"mode", ARG_TEXT, 0},
};

/* The queue id of a stored decision. */
static void returnQueueId(Cmd *c, Text decision) {
  Query q = ts_query(c, SQL_JSON_GET, "ts", &decision, "$.queue_id");
  if (ts_row(c, &q) && !ts_col_null(&q, COL_JSON_GET_VALUE)) {
    ts_return_int(c, ts_col_int(&q, COL_JSON_GET_VALUE));
  } else {
    ts_return_null(c);
  }
  ts_end(c, &q);
}

/* Only enqueues; the delivery is recorded with action queue. Fails the command when there is no room.
** Returns the row's id. */
static sqlite3_int64 push(Cmd *c, Session *s, Inbound *in) {
  Delivery d;
  ts_deliver_init(&d, c);
  if (ts_session_wakes(c, s)) ts_session_revive(c, s);
  d.s = *s;
  d.in = *in;
  d.in.cameFrom = s->via;
  d.previous = s->task.state;
  d.taskId = s->task.id;
  ts_deliver_number(&d);
  d.action = ACTION_QUEUE;
  ts_deliver_add_pending(&d, &d.in, ts_live_other(ts_queue_mode(c, &d.s, &d.in)));
  if (d.action == ACTION_REJECTED) {
    ts_fail(c, SQLITE_TOOBIG, "the queue of session '%.*s' is full (queue_cap)", s->label.n,
            s->label.z);
  }
  ts_deliver_finish(&d);
  return d.in.queueId;
}

static void runPush(Cmd *c) {
  Delivery d;
  Text decision;
  int conflict = 0;
  ts_deliver_init(&d, c);
  ts_deliver_read_inbound(&d);
  ts_session_load(c, c->arg[PUSH_LABEL].text, &d.s);
  d.in.names = ts_config_host_name(c, d.s.label, CONFIG_NAMES);
  ts_message_want(c, d.s.label, "message", d.in.message);
  if (c->rc != SQLITE_OK) return;
  ts_deliver_keep_names(&d, c->arg[PUSH_LABEL].text);
  decision = ts_deliver_stored_decision(&d, &conflict);
  if (conflict) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "message_id '%.*s' was used before for another message; use a new one",
            d.in.messageId.n, d.in.messageId.z);
    return;
  }
  if (decision.z) {
    returnQueueId(c, decision);
    return;
  }
  if (ts_deliver_was_deleted(&d)) {
    ts_return_null(c);
    return;
  }
  if (!d.s.exists) ts_session_open(c, &d.s, none, d.in.source);
  ts_return_int(c, push(c, &d.s, &d.in));
}

const CommandSpec ts_queue_push = {"queue_push", runPush, 0, TS_ARGS(2, pushArgs), NULL};
