/*
** spawn.c - subagents.
**
**   SELECT session_spawn('main', 'find every caller of post()');       -- worker:01J…
**   SELECT session_report('worker:01J…', 'completed', '12 callers');   -- into main's queue
**
** A worker is a session of its own with an open task and that task as its first input. It names its
** parent, the turn and the tool call that spawned it; the view session_workers shows the link from
** both sides. Its report ends the task and puts one durable message into the parent's queue, however
** often it is called. A worker is never prompted, and stops when its parent's task is called off.
*/
#include "spawn.h"

#include "args.h"
#include "config.h"
#include "deliver.h"
#include "identity.h"
#include "lease.h"
#include "task.h"
#include "ulid.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

#define MAX_LEVELS 128 /* of workers of workers; only damaged links go further */

/* ---- session_spawn(parent, task [, options]) → label --------------------------------------------- */

enum { SPAWN_PARENT, SPAWN_TASK, SPAWN_TURN, SPAWN_CALL, SPAWN_PERSONA, SPAWN_LABEL };

static const ArgSpec spawnArgs[] = {
    {"parent", ARG_LABEL, 1},      {"task", ARG_MESSAGE, 1}, {"turn", ARG_INT, 0},
    {"tool_call_id", ARG_NAME, 0}, {"persona", ARG_NAME, 0}, {"label", ARG_LABEL, 0},
};

/* Are too many workers of a session not done, or would one more lie too deep? */
static void checkLimits(Cmd *c, const Session *parent) {
  sqlite3_int64 children = 0, depth = 1;
  sqlite3_int64 maxDepth = ts_config_int(c, parent->label, CONFIG_MAX_SPAWN_DEPTH);
  sqlite3_int64 maxChildren = ts_config_int(c, parent->label, CONFIG_MAX_CHILDREN);
  Text up = parent->isSubagent ? parent->parentLabel : none;
  Query q = ts_query(c, SQL_WORKERS_OPEN_COUNT, "ti", &parent->label, maxChildren);
  if (ts_row(c, &q)) children = ts_col_int(&q, 0);
  ts_end(c, &q);
  for (; up.z && depth < MAX_LEVELS; depth++) {
    Session s;
    ts_session_load_exact(c, up, &s);
    up = s.exists && s.isSubagent ? s.parentLabel : none;
  }
  if (depth > maxDepth) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "a worker of session '%.*s' would lie %lld levels deep; max_spawn_depth allows %lld",
            parent->label.n, parent->label.z, depth, maxDepth);
  } else if (children >= maxChildren) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' has %lld workers at work; max_children allows %lld", parent->label.n,
            parent->label.z, children, maxChildren);
  }
}

/* The turn that spawns, and the tool call in it, which gets the worker's name. */
static void linkCall(Cmd *c, sqlite3_int64 turn, Text call, Text worker) {
  sqlite3_int64 place = 0;
  Query q =
      ts_query(c, SQL_TOOL_CALL_FIND, "iit", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn), &call);
  if (ts_row(c, &q)) place = ts_col_int(&q, 0);
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return;
  if (!place) {
    ts_fail(c, SQLITE_ERROR, "turn %lld has no tool call '%.*s'", turn, call.n, call.z);
    return;
  }
  ts_exec(c, SQL_TOOL_CALL_SPAWNED, "it", place, &worker);
}

static void runSpawn(Cmd *c) {
  Text label = c->arg[SPAWN_LABEL].text, persona = c->arg[SPAWN_PERSONA].text;
  sqlite3_int64 turn = c->arg[SPAWN_TURN].i;
  Session parent, s;
  Inbound in;
  Turn t;
  memset(&t, 0, sizeof(t));
  ts_session_require(c, c->arg[SPAWN_PARENT].text, &parent);
  if (c->arg[SPAWN_TURN].given) {
    ts_turn_require(c, turn, &t);
  } else {
    turn = parent.run.turnId;
  }
  if (c->arg[SPAWN_CALL].given && !turn) {
    ts_fail(c, SQLITE_ERROR, "tool_call_id needs a turn; session '%.*s' executes none",
            parent.label.n, parent.label.z);
  }
  ts_message_want(c, parent.label, "task", c->arg[SPAWN_TASK].text);
  checkLimits(c, &parent);
  if (!label.z) label = ts_ulid_label(c, "worker", ':', ID_EVENT);
  ts_label_want_free(c, label);
  if (c->rc != SQLITE_OK) return;
  if (!persona.z) persona = parent.personaId;
  ts_task_worked(c, &parent);
  ts_exec(c, SQL_WORKER_ADD, "ttt?tti", &label, &persona, &parent.label, turn != 0, turn,
          &c->arg[SPAWN_CALL].text, &c->arg[SPAWN_TASK].text, c->now);
  if (c->arg[SPAWN_CALL].given) linkCall(c, turn, c->arg[SPAWN_CALL].text, label);
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK) return;
  ts_event(c, &s, "status", NULL, "active", "spawn", none);
  ts_identity_created(c, label);
  ts_task_start(c, &s, ts_describe(c, c->arg[SPAWN_TASK].text, TS_MAX_DESCRIPTION), NULL);
  memset(&in, 0, sizeof(in));
  in.message = c->arg[SPAWN_TASK].text;
  in.channel = TS_TEXT("");
  in.sender = parent.label;
  in.source = SOURCE_AGENT;
  in.cls = CLASS_UNKNOWN;
  in.isExempt = 1;
  ts_queue_push(c, &s, &in);
  ts_return_text(c, label);
}

const CommandSpec ts_session_spawn = {"session_spawn", runSpawn, 0, TS_ARGS(2, spawnArgs), NULL};

/* ---- session_report(worker, status, result) → queue id -------------------------------------------- */

static const ArgSpec reportArgs[] = {
    {"worker", ARG_LABEL, 1}, {"status", ARG_TEXT, 1}, {"result", ARG_MESSAGE, 1}};

static const char *const reportStates[] = {"completed", "failed"};

/* The message that an earlier report of this worker left with its parent; 0: none. *said: its text. */
static sqlite3_int64 earlierReport(Cmd *c, const Session *parent, Text worker, Text *said) {
  Text id = TS_TEXT("report"), channel = TS_TEXT("worker");
  sqlite3_int64 queueId = 0;
  Query q = ts_query(c, SQL_DELIVERY_SEEN, "tttt", &parent->label, &id, &channel, &worker);
  Text decision = none;
  if (ts_row(c, &q)) {
    decision = ts_col_text(c, &q, 0);
    *said = ts_col_text(c, &q, 1);
  }
  ts_end(c, &q);
  if (!decision.z) return 0;
  q = ts_query(c, SQL_JSON_GET, "ts", &decision, "$.queue_id");
  if (ts_row(c, &q)) queueId = ts_col_int(&q, 0);
  ts_end(c, &q);
  return queueId;
}

/* Another report than the first one would be lost. */
static void failReported(Cmd *c, const Session *s, const Session *parent, const char *how) {
  const char *before = ts_printf(c, "%.*s%s", s->taskStatus.n, s->taskStatus.z, how);
  ts_fail(c, SQLITE_CONSTRAINT,
          "worker '%.*s' has reported before, %s; what else there is to say goes to '%.*s' by "
          "queue_push",
          s->label.n, s->label.z, before ? before : "", parent->label.n, parent->label.z);
}

static void runReport(Cmd *c) {
  int status = ts_arg_word(c, "status", c->arg[1].text, reportStates, 2);
  Text result = c->arg[2].text;
  sqlite3_int64 queueId;
  Session s, parent;
  Inbound in;
  Text was, said = none;
  if (status < 0) return;
  ts_session_load_exact(c, c->arg[0].text, &s);
  if (c->rc == SQLITE_OK && (!s.exists || !s.isSubagent)) {
    ts_fail(c, SQLITE_ERROR, "%s '%.*s'; session_spawn makes one",
            s.exists ? "this session is no worker:" : "there is no worker", c->arg[0].text.n,
            c->arg[0].text.z);
  }
  if (c->rc != SQLITE_OK) return;
  was = s.taskStatus;
  ts_session_load(c, s.parentLabel, &parent);
  if (parent.exists && (queueId = earlierReport(c, &parent, s.label, &said)) != 0) {
    if (!ts_text_is(was, reportStates[status]) || !ts_text_equal(said, result)) {
      failReported(c, &s, &parent, ts_text_equal(said, result) ? "" : ", with another result");
      return;
    }
    ts_return_int(c, queueId);
    return;
  }
  ts_task_settle(c, &s);                 /* what a transition has left Complete or Aborted */
  if (ts_text_is(was, "failed")) return; /* it was stopped: nobody waits for it */
  if (s.task.id) {
    ts_task_worked(c, &s); /* a report is */
    ts_task_end(c, &s, status ? COMMIT_ABANDONED : COMMIT_NORMAL, ts_describe(c, result, 200),
                status ? result : none);
  }
  ts_session_save(c, &s);
  ts_exec(c, SQL_WORKER_STATUS, "ts", &s.label, reportStates[status]);
  ts_exec(c, SQL_WORKER_TASK_DONE, "ti", &s.label, c->now);
  /* Once more: ending the worker's task may have touched it. */
  if (parent.exists) ts_session_load(c, s.parentLabel, &parent);
  if (!parent.exists || c->rc != SQLITE_OK) return;
  memset(&in, 0, sizeof(in));
  in.message = result;
  in.messageId = TS_TEXT("report");
  in.channel = TS_TEXT("worker");
  in.sender = s.label;
  in.source = SOURCE_AGENT;
  in.cls = CLASS_UNKNOWN;
  in.isExempt = 1; /* a result is never lost */
  ts_return_int(c, ts_queue_push(c, &parent, &in));
}

const CommandSpec ts_session_report = {"session_report", runReport, 0, TS_ARGS(3, reportArgs),
                                       NULL};

/* ---- Stopping -------------------------------------------------------------------------------------- */

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
  ts_exec(c, SQL_WORKER_STATUS, "ts", &s.label, "failed");
  s.taskStatus = TS_TEXT("failed");
  ts_lease_fence(c, &s, reason);
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
    while (level <= MAX_LEVELS && ts_row(c, &q)) {
      Worker *w = ts_alloc(c, sizeof(*w));
      if (!w) break;
      w->label = ts_col_text(c, &q, 0);
      w->atWork = ts_col_int(&q, 1) != 0;
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

int ts_worker_works(const Session *s) {
  return s->isSubagent &&
         (ts_text_is(s->taskStatus, "pending") || ts_text_is(s->taskStatus, "running"));
}

void ts_worker_ended(Cmd *c, Session *s, CommitType type) {
  if (!ts_worker_works(s) || (type != COMMIT_NORMAL && type != COMMIT_ABANDONED)) return;
  s->taskStatus = type == COMMIT_NORMAL ? TS_TEXT("completed") : TS_TEXT("failed");
  ts_exec(c, SQL_WORKER_STATUS, "tt", &s->label, &s->taskStatus);
  if (type == COMMIT_ABANDONED) {
    ts_exec(c, SQL_QUEUE_CANCEL_ALL, "tis", &s->label, c->now, "the task was called off");
  }
}
