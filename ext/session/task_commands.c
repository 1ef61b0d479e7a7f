/*
** task_commands.c - the commands with which a host or an agent tells about its work: start a task, move its
** state, note and observe, relate, flush, compact; and reading the state.
**
** Whatever is told here is durable when the command returns. It also shows that the host works on
** the input it was handed (queue.h), and, while that input came from a user, it is the activity
** that staleness is measured from.
*/
#include "task_commands.h"

#include "args.h"
#include "called_off.h"
#include "choice.h"
#include "config.h"
#include "deliver.h"
#include "ids.h"
#include "json.h"
#include "line.h"
#include "queue.h"
#include "settle.h"
#include "task.h"
#include "text.h"
#include "turn.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

static void requireTask(Cmd *c, const Session *s) {
  if (c->rc == SQLITE_OK && !s->task.id) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' has no open task; session_start or session_deliver begins one",
            s->label.n, s->label.z);
  }
}

/* ---- session_start(label, task) → task id ---------------------------------------------------- */

static const ArgSpec startArgs[] = {
    {"label", ARG_LABEL, 1}, {"task", ARG_MESSAGE, 1}, {"persona", ARG_NAME, 0}};

static void runStart(Cmd *c) {
  Session s;
  ts_session_load(c, c->arg[0].text, &s);
  if (c->rc != SQLITE_OK) return;
  if (!s.exists) {
    ts_session_open(c, &s, c->arg[2].text, SOURCE_USER);
  } else if (s.status == STATUS_ERROR) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' is in error; no task begins until its status is active", s.label.n,
            s.label.z);
  }
  ts_task_settle(c, &s);
  if (s.task.id) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' has an open task (%.*s, %s); session_compact ends it first", s.label.n,
            s.label.z, s.task.description.n > 120 ? 120 : s.task.description.n,
            s.task.description.z, ts_task_machine.states[s.task.state]);
  }
  ts_session_revive(c, &s);
  ts_queue_taken_up(c, &s);
  ts_head_leave(c, &s, ts_id_last(c, ID_EVENT));
  ts_task_start(c, &s, c->arg[1].text, NULL);
  s.workSource = SOURCE_USER;
  ts_session_touch(c, &s, SOURCE_USER);
  s.offered = 0;
  ts_session_save(c, &s);
  ts_return_int(c, s.task.id);
}

const CommandSpec ts_session_start = {"session_start", runStart, 0, TS_ARGS(2, startArgs), NULL};

/* ---- session_transition(label, state [, data]) → state --------------------------------------- */

static const ArgSpec transitionArgs[] = {
    {"label", ARG_LABEL, 1}, {"state", ARG_TEXT, 1}, {"data", ARG_OBJECT, 0}};

/* A field of the data that was given, or {NULL,0}. It has to be text. */
static Text dataField(Cmd *c, Text data, const char *path, const char *name) {
  Text value = none;
  Query q;
  if (!data.z) return none;
  q = ts_query(c, SQL_JSON_GET, "ts", &data, path);
  if (ts_row(c, &q) && !ts_col_null(&q, 0)) {
    Text type = ts_col_text(c, &q, 1);
    value = ts_col_text(c, &q, 0);
    if (!ts_text_is(type, "text")) {
      ts_fail(c, SQLITE_ERROR, "data.%s must be text, not a JSON %.*s", name, type.n,
              type.z ? type.z : "");
    } else if (ts_text_blank(value.z, value.n)) {
      ts_fail(c, SQLITE_ERROR, "data.%s is empty; it must hold more than white space", name);
    }
  }
  ts_end(c, &q);
  return value;
}

static Text requireField(Cmd *c, Text data, const char *path, const char *name, TaskState to) {
  Text value = dataField(c, data, path, name);
  if (c->rc == SQLITE_OK && !value.z) {
    ts_fail(c, SQLITE_ERROR, "data.%s is missing; %s needs {\"%s\": …}", name,
            ts_task_machine.states[to], name);
  }
  return value;
}

/* AwaitingUser: asked_at defaults to now. */
static Text awaitingData(Cmd *c, const Session *s, Text data) {
  requireField(c, data, "$.question", "question", TASK_AWAITING_USER);
  return ts_asked_at(c, s, data);
}

static void runTransition(Cmd *c) {
  Session s;
  Text data = c->arg[2].text, question = none;
  int asked;
  int to = ts_state_find(&ts_task_machine, c->arg[1].text.z, c->arg[1].text.n);
  if (to < 0) {
    ts_arg_word(c, "state", c->arg[1].text, ts_task_machine.states + 1,
                ts_task_machine.nStates - 1); /* None is reached by a commit only */
    return;
  }
  ts_session_require(c, c->arg[0].text, &s);
  if (c->rc != SQLITE_OK) return;
  asked = s.task.state == TASK_AWAITING_USER;
  if (s.task.state == TASK_NONE && to == TASK_RUNNING) {
    Text task = dataField(c, data, "$.task", "task");
    if (c->rc == SQLITE_OK && !task.z) {
      ts_fail(c, SQLITE_CONSTRAINT,
              "the task is None and becomes Running with session_start, or with data.task");
    }
    if (c->rc != SQLITE_OK) return;
    ts_head_leave(c, &s, ts_id_last(c, ID_EVENT));
    ts_task_start(c, &s, task, NULL);
  } else {
    /* Is the move there at all? Then its data has to be right. */
    if (ts_state_move(&ts_task_machine, s.task.state, to)) {
      switch (to) {
      case TASK_AWAITING_USER:
        data = awaitingData(c, &s, data);
        question = dataField(c, data, "$.question", "question");
        break;
      case TASK_INTERRUPTED: {
        Text message = requireField(c, data, "$.user_message", "user_message", TASK_INTERRUPTED);
        data = ts_interrupted_data(c, &s, data, message);
        break;
      }
      case TASK_PENDING_COMPLETE:
        requireField(c, data, "$.summary", "summary", TASK_PENDING_COMPLETE);
        break;
      case TASK_ABORTED: requireField(c, data, "$.reason", "reason", TASK_ABORTED); break;
      case TASK_COMPLETE:
        /* The summary goes along: it is the commit's message. */
        if (!dataField(c, data, "$.summary", "summary").z) data = s.task.stateData;
        break;
      default: break;
      }
    }
    ts_task_move(c, &s, (TaskState)to, data, NULL);
    if (question.z) ts_note(c, &s, NOTE_QUESTION, question);
    if (to == TASK_INTERRUPTED) {
      ts_note(c, &s, NOTE_INTERVENTION, ts_task_field(c, &s, "$.user_message"));
    }
  }
  ts_task_worked(c, &s); /* also by an Aborted: somebody says why */
  ts_session_revive(c, &s);
  ts_queue_taken_up(c, &s);
  ts_session_touch(c, &s, s.workSource);
  s.offered = 0;
  ts_session_save(c, &s);
  if (asked) ts_answers_called_off(c, &s);
  ts_return_text(c, (Text){ts_task_machine.states[to], (int)strlen(ts_task_machine.states[to])});
}

const CommandSpec ts_session_transition = {"session_transition", runTransition, 0,
                                           TS_ARGS(3, transitionArgs), NULL};

/* ---- session_state(label) → JSON ------------------------------------------------------------- */

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

/* ---- session_note(label, text) → observation id ---------------------------------------------- */

static const ArgSpec noteArgs[] = {{"label", ARG_LABEL, 1}, {"text", ARG_MESSAGE, 1}};

static void runNote(Cmd *c) {
  Session s;
  sqlite3_int64 id;
  ts_session_require(c, c->arg[0].text, &s);
  requireTask(c, &s);
  if (c->rc != SQLITE_OK) return;
  id = ts_observe(c, &s, "Note", 0, ts_json_pair(c, "text", c->arg[1].text), none);
  ts_session_touch(c, &s, s.workSource);
  ts_session_save(c, &s);
  ts_return_int(c, id);
}

const CommandSpec ts_session_note = {"session_note", runNote, 0, TS_ARGS(2, noteArgs), NULL};

/* ---- session_observe(label, kind, data [, content]) → observation id ------------------------- */

static const ArgSpec observeArgs[] = {{"label", ARG_LABEL, 1},
                                      {"kind", ARG_TEXT, 1},
                                      {"data", ARG_DATA, 1},
                                      {"content", ARG_TEXT, 0}};

static const char *const observationKinds[] = {"FileRead", "FileWrite", "CommandRun", "Note",
                                               "Plan"};
static const char *const stepKinds[] = {"SessionStart", "FileRead", "FileWrite", "CommandRun",
                                        "Note",         "Plan",     "Compact"};

static void runObserve(Cmd *c) {
  Session s;
  sqlite3_int64 id;
  int kind = ts_arg_word(c, "kind", c->arg[1].text, observationKinds, 5);
  ts_session_require(c, c->arg[0].text, &s);
  requireTask(c, &s);
  if (c->rc != SQLITE_OK) return;
  id = ts_observe(c, &s, observationKinds[kind], 0, c->arg[2].text, c->arg[3].text);
  ts_session_touch(c, &s, s.workSource);
  ts_session_save(c, &s);
  ts_return_int(c, id);
}

const CommandSpec ts_session_observe = {"session_observe", runObserve, 0, TS_ARGS(4, observeArgs),
                                        NULL};

/* ---- session_relate(label, from, edge, to) → edge id ----------------------------------------- */

static const ArgSpec relateArgs[] = {{"label", ARG_LABEL, 1},   {"from", ARG_NAME, 1},
                                     {"edge", ARG_NAME, 1},     {"to", ARG_NAME, 1},
                                     {"weight", ARG_WEIGHT, 0}, {"evidence", ARG_TEXT, 0}};

/* "file:src/a.c" → kind and reference. */
static void splitRef(Cmd *c, const char *name, Text ref, Text *kind, Text *rest) {
  const char *colon = ref.z ? memchr(ref.z, ':', (size_t)ref.n) : NULL;
  if (c->rc != SQLITE_OK) return;
  if (!colon || colon == ref.z || colon == ref.z + ref.n - 1) {
    ts_fail(c, SQLITE_ERROR,
            "%s is '%s'; it must be KIND:REFERENCE, such as file:src/a.c, note:17 or task:3", name,
            ts_excerpt(c, ref));
    return;
  }
  *kind = ts_copy(c, ref.z, (int)(colon - ref.z));
  *rest = ts_copy(c, colon + 1, (int)(ref.z + ref.n - colon) - 1);
}

static void runRelate(Cmd *c) {
  Session s;
  Text fromKind = none, from = none, toKind = none, to = none;
  double weight = 1.0;
  sqlite3_int64 id;
  splitRef(c, "from", c->arg[1].text, &fromKind, &from);
  splitRef(c, "to", c->arg[3].text, &toKind, &to);
  if (c->arg[4].given) weight = c->arg[4].r;
  ts_session_require(c, c->arg[0].text, &s);
  requireTask(c, &s);
  if (c->rc != SQLITE_OK) return;
  id = ts_insert_new(c, ID_EDGE, SQL_EDGE_ADD, "ttttttrtii", &s.label, &fromKind, &from, &toKind,
                     &to, &c->arg[2].text, weight, &c->arg[5].text, c->now, s.task.id);
  ts_task_worked(c, &s);
  ts_return_int(c, id);
}

const CommandSpec ts_session_relate = {"session_relate", runRelate, 0, TS_ARGS(4, relateArgs),
                                       NULL};

/* ---- session_flush(label [, kind]) → step id ------------------------------------------------- */

static const ArgSpec flushArgs[] = {{"label", ARG_LABEL, 1}, {"kind", ARG_TEXT, 0}};

static void runFlush(Cmd *c) {
  Session s;
  int kind = -1;
  Text before, id;
  if (c->arg[1].given) kind = ts_arg_word(c, "kind", c->arg[1].text, stepKinds, 7);
  ts_session_require(c, c->arg[0].text, &s);
  requireTask(c, &s);
  if (c->rc != SQLITE_OK) return;
  before = s.task.headStepId;
  id = ts_flush(c, &s, kind < 0 ? NULL : stepKinds[kind]);
  if (!ts_text_equal(before, id)) ts_session_touch(c, &s, s.workSource);
  ts_queue_taken_up(c, &s);
  ts_session_save(c, &s);
  ts_return_text(c, id);
}

const CommandSpec ts_session_flush = {"session_flush", runFlush, 0, TS_ARGS(2, flushArgs), NULL};

/* ---- session_compact(label [, message]) → commit id ------------------------------------------ */

static const ArgSpec compactArgs[] = {{"label", ARG_LABEL, 1}, {"message", ARG_TEXT, 0}};

/* No task is open. The same call again (a retry) gets the commit that it made. */
static void compactAgain(Cmd *c, const Session *s, Text message) {
  Text id = none;
  Query q = ts_query(c, SQL_COMMIT_LATEST, "t", &s->label);
  if (ts_row(c, &q)) {
    Text made = ts_col_text(c, &q, 1);
    if (!message.z || ts_text_equal(made, message)) id = ts_col_text(c, &q, 0);
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && !id.z) {
    requireTask(c, s);
    return;
  }
  ts_return_text(c, id);
}

static void runCompact(Cmd *c) {
  Session s;
  Text message = c->arg[1].text, id;
  if (message.z && message.n == 0)
    ts_fail(c, SQLITE_ERROR, "message is empty; NULL takes the summary");
  ts_session_require(c, c->arg[0].text, &s);
  if (c->rc != SQLITE_OK) return;
  if (!s.task.id) {
    compactAgain(c, &s, message);
    return;
  }
  ts_choice_release(c, &s, "compact");
  ts_task_worked(c, &s); /* it is said to be done: there is something to keep */
  if (s.task.state == TASK_ABORTED) {
    Text reason = ts_task_field(c, &s, "$.reason");
    if (!message.z) message = ts_fill(c, s.label, "commit.abandoned", NULL, none, NULL, none);
    id = ts_task_end(c, &s, COMMIT_ABANDONED, message, reason);
  } else {
    if (!message.z) message = ts_task_summary(c, &s);
    id = ts_task_end(c, &s, COMMIT_NORMAL, message, none);
  }
  ts_session_touch(c, &s, s.workSource);
  s.offered = 0;
  ts_session_save(c, &s);
  ts_answers_called_off(c, &s);
  ts_return_text(c, id);
}

const CommandSpec ts_session_compact = {"session_compact", runCompact, 0, TS_ARGS(2, compactArgs),
                                        NULL};
