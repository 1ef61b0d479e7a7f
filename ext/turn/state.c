/*
** state.c - session_state(): everything that a host wants to know about a session.
*/
#include "turn_commands.h"

#include "json.h"
#include "line.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const ArgSpec stateArgs[] = {{"label", ARG_LABEL, 1}, {"own", ARG_BOOL, 0}};

/* The turn that is being executed with its phase, and the head. */
static void putTurn(Cmd *c, Json *j, const Session *s) {
  Turn t;
  memset(&t, 0, sizeof(t));
  if (s->run.turnId) ts_turn_load(c, s->run.turnId, &t);
  ts_json_put_id(j, "turn", t.exists ? t.id : 0);
  ts_json_put_string(j, "turn_phase", t.exists ? ts_turn_machine.states[t.phase] : NULL);
  ts_json_put_id(j, "head", s->head);
}

/* Who holds the session now: nobody else gets it before the lease ends. */
static void putHolder(Cmd *c, Json *j, const Session *s) {
  int live = ts_run_live(c, &s->run);
  ts_json_key(j, "live");
  ts_json_bool(j, live);
  ts_json_key(j, "holder");
  if (!live) {
    ts_json_null(j);
    return;
  }
  ts_json_open(j, '{');
  ts_json_put(j, "owner", s->run.owner);
  ts_json_put_id(j, "turn", s->run.turnId);
  ts_json_put_int(j, "until", s->run.expiresAt);
  ts_json_close(j, '}');
}

static void runState(Cmd *c) {
  sqlite3_int64 due;
  Session s;
  Json j;
  ts_session_load_to_read(c, c->arg[0].text, (int)c->arg[1].i, &s);
  if (!s.exists) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "session", s.label);
  if (s.supersededBy.z) ts_json_put(&j, "superseded_by", s.supersededBy);
  ts_json_put_string(&j, "task_state", ts_task_machine.states[s.task.state]);
  ts_json_put_raw(&j, "state_data", s.task.stateData);
  ts_json_put_string(&j, "status", ts_status_machine.states[s.status]);
  ts_json_put(&j, "status_reason", s.statusReason);
  ts_json_put_string(&j, "run_state", ts_run_machine.states[s.run.state]);
  ts_json_put(&j, "owner", s.run.owner);
  putHolder(c, &j, &s);
  putTurn(c, &j, &s);
  ts_json_put_id(&j, "task_id", s.task.id);
  ts_json_put(&j, "task", s.task.description);
  ts_json_put_raw(&j, "pending_choice", s.pendingChoice);
  ts_json_put_int(&j, "last_activity", s.lastActivity);
  ts_json_put_int(&j, "idle_ms", ts_session_idle(c, &s));
  due = ts_line_due(c, &s);
  if (due > c->now) ts_json_put_int(&j, "due_at", due);
  if (s.deadline) ts_json_put_int(&j, "deadline", s.deadline);
  if (s.timeout) ts_json_put_int(&j, "timeout", s.timeout);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_session_state = {"session_state", runState, COMMAND_READ,
                                      TS_ARGS(1, stateArgs), NULL};
