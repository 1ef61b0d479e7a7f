/*
** spawn.c - subagents.
**
**   SELECT session_spawn('main', 'find every caller of post()');       -- worker:01J…
**   SELECT session_report('worker:01J…', 'completed', '12 callers');   -- into main's queue
**
** A worker is a session of its own with an open task and that task as its first input. It names its
** parent, the turn and the tool call that spawned it; the view session_workers shows the link from
** both sides. Its report ends the task and puts one durable message into the parent's queue,
** however often it is called: one report for each of the worker's tasks. A report for which nobody
** waits any more is kept as well. A worker is never prompted, and stops when its parent's task is
** cancelled.
**
** A worker that can't continue wakes its parent: one input says which worker it is, and what
** happened. task_status says whether a report is still due: pending and running wait for a report;
** the parent knows about completed and failed, or learns it from the report. So task_status follows
** the task's state at once, not only its commit. A report is an event of the axis worker, with its
** task.
*/
#include "spawn.h"

#include "config.h"
#include "deliver.h"
#include "fill.h"
#include "queue.h"
#include "settle.h"
#include "stop_workers.h"
#include "task.h"
#include "tell.h"
#include "turn.h"
#include "ulid.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- session_spawn(parent, task [, options]) → label --------------------------------------------- */

enum {
  SPAWN_PARENT,
  SPAWN_TASK,
  SPAWN_TURN,
  SPAWN_CALL,
  SPAWN_PERSONA,
  SPAWN_LABEL,
  SPAWN_TIMEOUT
};

static const ArgSpec spawnArgs[] = {
    {"parent", ARG_LABEL, 1},      {"task", ARG_MESSAGE, 1}, {"turn", ARG_INT, 0},
    {"tool_call_id", ARG_NAME, 0}, {"persona", ARG_NAME, 0}, {"label", ARG_LABEL, 0},
    {"timeout", ARG_DURATION, 0},
};

/* Are too many workers of a session unfinished, or would another one be nested too deep? */
static void checkLimits(Cmd *c, const Session *parent) {
  sqlite3_int64 children = 0, depth = 1;
  sqlite3_int64 maxDepth = ts_config_int(c, parent->label, CONFIG_MAX_SPAWN_DEPTH);
  sqlite3_int64 maxChildren = ts_config_int(c, parent->label, CONFIG_MAX_CHILDREN);
  Text up = parent->isSubagent ? parent->parentLabel : none;
  Query q = ts_query(c, SQL_WORKERS_OPEN_COUNT, "ti", &parent->label, maxChildren);
  if (ts_row(c, &q)) children = ts_col_int(&q, COL_WORKERS_OPEN_COUNT_COUNT);
  ts_end(c, &q);
  for (; up.z && depth < TS_MAX_LEVELS; depth++) {
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

/* The spawning turn and its tool call, which gets the worker's name. */
static void linkCall(Cmd *c, sqlite3_int64 turn, Text call, Text worker) {
  sqlite3_int64 place = 0;
  Query q =
      ts_query(c, SQL_TOOL_CALL_FIND, "iit", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn), &call);
  if (ts_row(c, &q)) place = ts_col_int(&q, COL_TOOL_CALL_FIND_PLACE);
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
  const Arg *timeout = &c->arg[SPAWN_TIMEOUT];
  Session parent, s;
  Inbound in;
  Turn t;
  memset(&t, 0, sizeof(t));
  if (timeout->given && timeout->i < 1) {
    ts_fail(c, SQLITE_ERROR, "timeout must be longer than 0 ms");
  }
  ts_session_require(c, c->arg[SPAWN_PARENT].text, &parent);
  ts_workers_look(c, &parent);
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
  ts_exec(c, SQL_WORKER_ADD, "ttt?tti?", &label, &persona, &parent.label, turn != 0, turn,
          &c->arg[SPAWN_CALL].text, &c->arg[SPAWN_TASK].text, c->now, timeout->given, timeout->i);
  if (c->arg[SPAWN_CALL].given) linkCall(c, turn, c->arg[SPAWN_CALL].text, label);
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK) return;
  ts_event(c, &s, "status", NULL, "active", "spawn", none);
  ts_keys_settle_new(c, label);
  ts_task_start(c, &s, ts_describe(c, c->arg[SPAWN_TASK].text, TS_MAX_DESCRIPTION), NULL);
  memset(&in, 0, sizeof(in));
  in.message = c->arg[SPAWN_TASK].text;
  in.channel = TS_TEXT("");
  in.sender = parent.label;
  in.source = SOURCE_AGENT;
  in.cls = CLASS_UNKNOWN;
  in.isExempt = 1;
  ts_tell(c, &s, &in);
  ts_return_text(c, label);
}

const CommandSpec ts_session_spawn = {"session_spawn", runSpawn, 0, TS_ARGS(2, spawnArgs), NULL};
