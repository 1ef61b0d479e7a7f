/*
** live.c - the commands of a turn that runs: what it says, calls and is given, its signs of life, its end.
*/
#include "turn_commands.h"

#include "args.h"
#include "deliver.h"
#include "json.h"
#include "late.h"
#include "lease.h"
#include "line.h"
#include "message.h"
#include "queue.h"
#include "report.h"
#include "task.h"
#include "text.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

/* ---- While it runs: turn_message, turn_tool_call, turn_tool_result, turn_phase, … -------------- */

/* The first two arguments of every call of a live run. */
#define TURN_AND_TOKEN                                                                             \
  {"turn", ARG_INT, 1}, {                                                                          \
    "token", ARG_INT, 1                                                                            \
  }

typedef struct Call {
  Session s;
  Turn t;
  int repeats; /* a result that was there already */
} Call;

/* A compaction holds no messages, and ends with its summary. */
static void wantConversation(Cmd *c, const Turn *t) {
  if (c->rc != SQLITE_OK || !t->isCompaction) return;
  ts_fail(c, SQLITE_CONSTRAINT,
          "turn %lld is a compaction: turn_compact ends it with a summary, turn_complete without",
          t->id);
}

static void enter(Cmd *c, Call *k) {
  ts_lease_enter(c, c->arg[0].i, c->arg[1].i, -1, &k->s, &k->t);
  k->repeats = 0;
  wantConversation(c, &k->t);
}

/* The run has shown something: it is running. */
static void showRunning(Cmd *c, Call *k) {
  if (k->s.run.state == RUN_STARTING) ts_run_walk(c, &k->s, RUN_RUNNING);
}

/* The same by something that was recorded: whatever becomes of the turn, it is work. */
static void showWork(Cmd *c, Call *k) {
  ts_task_worked(c, &k->s);
  showRunning(c, k);
}

static void keepAnswers(Cmd *c, const Writer *w) {
  if (w->answers) ts_exec(c, SQL_TURN_ANSWERS, "ii", w->turn, w->answers);
}

/* What every call of a live run returns: whether the run was interrupted, and what it could take. */
static void putSignals(Json *j, const Call *k) {
  sqlite3_int64 steering = 0;
  ts_queue_count(j->c, &k->s, &steering);
  ts_json_put_int(j, "expires_at", k->s.run.expiresAt);
  ts_json_key(j, "interrupted");
  ts_json_bool(j, k->s.run.state == RUN_INTERRUPTED);
  ts_json_put_int(j, "steering", steering);
}

static void returnSignals(Cmd *c, const Call *k, const char *key, sqlite3_int64 i,
                          const char *word) {
  Json j;
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  if (word) {
    ts_json_put_string(&j, key, word);
  } else if (key) {
    ts_json_put_int(&j, key, i);
  }
  if (k->repeats) {
    ts_json_key(&j, "duplicate");
    ts_json_bool(&j, 1);
  }
  putSignals(&j, k);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

static const ArgSpec messageArgs[] = {TURN_AND_TOKEN, {"message", ARG_OBJECT, 1}};

static void runMessage(Cmd *c) {
  Text message = c->arg[2].text;
  char *array;
  Writer w;
  Call k;
  enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  w.session = k.s.label;
  array = ts_printf(c, "[%.*s]", message.n, message.z ? message.z : "");
  if (!array) return;
  w.isOne = 1;
  ts_write_messages(&w, (Text){array, (int)strlen(array)}, "message");
  keepAnswers(c, &w);
  showWork(c, &k);
  k.repeats = w.duplicates != 0;
  returnSignals(c, &k, w.duplicates ? NULL : "sequence", w.first, NULL);
}

const CommandSpec ts_turn_message = {"turn_message", runMessage, 0, TS_ARGS(3, messageArgs), NULL};

static const ArgSpec toolCallArgs[] = {TURN_AND_TOKEN,
                                       {"call_id", ARG_NAME, 1},
                                       {"tool_name", ARG_NAME, 1},
                                       {"params", ARG_DATA, 0},
                                       {"spawned_session_label", ARG_LABEL, 0}};

static void runToolCall(Cmd *c) {
  Writer w;
  Call k;
  enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  if (c->rc != SQLITE_OK) return;
  ts_write_tool_call(&w, c->arg[2].text, c->arg[3].text, c->arg[4].text, c->arg[5].text);
  showWork(c, &k);
  returnSignals(c, &k, "sequence", w.first, NULL);
}

const CommandSpec ts_turn_tool_call = {"turn_tool_call", runToolCall, 0, TS_ARGS(5, toolCallArgs),
                                       NULL};

static const ArgSpec toolResultArgs[] = {
    TURN_AND_TOKEN, {"call_id", ARG_NAME, 1}, {"result", ARG_ANY, 1}, {"error", ARG_BOOL, 0}};

/* Has the turn of the call ended before the tool returned? */
static int isLate(Cmd *c, Turn *t) {
  ts_turn_load(c, c->arg[0].i, t);
  return c->rc == SQLITE_OK && t->exists && !TS_TURN_RUNS(t);
}

static void runToolResult(Cmd *c) {
  int isError = c->arg[4].given && c->arg[4].i;
  Writer w;
  Call k;
  if (isLate(c, &k.t)) {
    ts_late_result(c, &k.t, c->arg[1].i, c->arg[2].text, c->arg[3].text, isError);
    return;
  }
  enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  if (c->rc != SQLITE_OK) return;
  w.session = k.s.label;
  ts_write_result(&w, c->arg[2].text, c->arg[3].text, isError, "call_id");
  keepAnswers(c, &w);
  showWork(c, &k);
  k.repeats = w.duplicates != 0;
  returnSignals(c, &k, "status", 0, isError ? "failed" : "completed");
}

const CommandSpec ts_turn_tool_result = {"turn_tool_result", runToolResult, 0,
                                         TS_ARGS(4, toolResultArgs), NULL};

static const ArgSpec phaseArgs[] = {TURN_AND_TOKEN, {"phase", ARG_TEXT, 1}};

static void runPhase(Cmd *c) {
  int to = ts_arg_word(c, "phase", c->arg[2].text, ts_turn_machine.states, PHASE_COMPLETED);
  Call k;
  if (to < 0) return;
  enter(c, &k);
  if (c->rc != SQLITE_OK) return;
  if ((int)k.t.phase != to) {
    if (!ts_state_move(&ts_turn_machine, (int)k.t.phase, to)) {
      ts_fail_move(c, &ts_turn_machine, (int)k.t.phase, to);
      return;
    }
    ts_turn_walk(c, &k.s, &k.t, (TurnPhase)to);
    showRunning(c, &k);
  }
  returnSignals(c, &k, "phase", 0, ts_turn_machine.states[to]);
}

const CommandSpec ts_turn_phase = {"turn_phase", runPhase, 0, TS_ARGS(3, phaseArgs), NULL};

static const ArgSpec heartbeatArgs[] = {TURN_AND_TOKEN, {"lease", ARG_DURATION, 0}};

static void runHeartbeat(Cmd *c) {
  Call k;
  if (c->arg[2].given && c->arg[2].i < 1) {
    ts_fail(c, SQLITE_ERROR, "lease must be longer than 0 ms");
  }
  k.repeats = 0;
  ts_lease_enter(c, c->arg[0].i, c->arg[1].i, c->arg[2].given ? c->arg[2].i : -1, &k.s, &k.t);
  if (c->rc == SQLITE_OK) ts_workers_time_out(c, k.s.label);
  returnSignals(c, &k, NULL, 0, NULL);
}

const CommandSpec ts_turn_heartbeat = {"turn_heartbeat", runHeartbeat, 0, TS_ARGS(2, heartbeatArgs),
                                       NULL};

static const ArgSpec steeringArgs[] = {TURN_AND_TOKEN};

static void runSteering(Cmd *c) {
  InputLink *inputs;
  int recorded;
  Writer w;
  Call k;
  Json j;
  enter(c, &k);
  inputs = ts_deliver_steer(c, &k.s);
  ts_writer_resume(&w, c, k.t.id);
  recorded = ts_turn_recorded(c, k.t.id);
  ts_turn_write_inputs(&w, &k.s, inputs, TURNSTILE_MAX_INTEGER);
  /* What is taken before anything was done is an input like those that the turn began with. */
  if (!recorded) ts_exec(c, SQL_TURN_INPUTS, "ii?", k.t.id, w.next, 0, (sqlite3_int64)0);
  if (k.s.run.state == RUN_INTERRUPTED) ts_run_walk(c, &k.s, RUN_RUNNING);
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_turn_put_inputs(&j, inputs, none);
  ts_queue_put(&j, "cancelled", k.s.calledOff, 0);
  putSignals(&j, &k);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_turn_steering = {"turn_steering", runSteering, 0, TS_ARGS(2, steeringArgs),
                                      NULL};

/* ---- The end: turn_complete, turn_fail, turn_abort --------------------------------------------- */

/* What the end of a turn means for the task. */
typedef struct Outcome {
  Text word; /* question, done, or NULL */
  Text question, summary;
  Text content; /* all that is said, NULL: nothing */
} Outcome;

/* The end of a text, where what it asks stands; no character is cut. */
static Text endOf(Text text) {
  while (text.n > TS_REPORT_TAIL || (text.n && ((unsigned char)text.z[0] & 0xC0) == 0x80)) {
    text.z++;
    text.n--;
  }
  return text;
}

/* The report of a task. When its summary leaves out what the text asks, that is kept beside it: a yes is said to
** it. */
static Text reportData(Cmd *c, const Outcome *o) {
  Json j;
  if (!o->content.z || ts_report_asks(o->summary.z, o->summary.n) != REPORT_SETTLED ||
      ts_report_asks(o->content.z, o->content.n) == REPORT_SETTLED) {
    return ts_json_pair(c, "summary", o->summary);
  }
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "summary", o->summary);
  ts_json_put(&j, "question", endOf(o->content));
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* Moves the task as the outcome says. A finished turn is never refused because of it: what can't be is
** told in the note that is returned, NULL when all is well. */
static const char *applyOutcome(Cmd *c, Call *k, const Outcome *o) {
  Session *s = &k->s;
  int asks = ts_text_is(o->word, "question");
  TaskState to = asks ? TASK_AWAITING_USER : TASK_PENDING_COMPLETE;
  Text text = asks ? o->question : o->summary, data;
  if (!o->word.z || c->rc != SQLITE_OK) return NULL;
  if (!s->task.id) return "outcome ignored: no task is open";
  if (!text.z || ts_text_blank(text.z, text.n)) {
    return asks ? "outcome ignored: there is no question and no content"
                : "outcome ignored: there is no summary and no content";
  }
  if (s->task.state == TASK_INTERRUPTED) {
    sqlite3_int64 steering = 0;
    ts_queue_count(c, s, &steering);
    if (steering) return "outcome ignored: messages that interrupted the work were not taken yet";
  }
  if (s->task.state == TASK_COMPLETE || s->task.state == TASK_ABORTED) {
    return "outcome ignored: the task is over";
  }
  data = asks ? ts_json_pair(c, "question", text) : reportData(c, o);
  if (asks) data = ts_asked_at(c, s, data);
  if (s->task.state != to && s->task.state != TASK_RUNNING) {
    ts_task_move(c, s, TASK_RUNNING, none, NULL);
  }
  ts_task_move(c, s, to, data, NULL);
  if (asks) ts_note(c, s, NOTE_QUESTION, text);
  s->offered = 0;
  ts_session_save(c, s);
  return NULL;
}

/* The fields of a result. content is written as a message of the assistant, messages as they are. */
static void readResult(Cmd *c, Text result, TurnFacts *f, Writer *w, Outcome *o) {
  Text content = none, messages = none, usage = none;
  Query q;
  if (!result.z) return;
  q = ts_query(c, SQL_JSON_EACH, "t", &result);
  while (ts_row(c, &q)) {
    Text key = ts_col_text(c, &q, 0), type = ts_col_text(c, &q, 1);
    Text value = ts_clean(c, ts_col_text(c, &q, 2));
    const char *want = NULL;
    if (ts_text_is(type, "null")) continue;
    if (ts_text_is(key, "content")) {
      content = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "messages")) {
      messages = value;
      if (!ts_text_is(type, "array")) want = "an array";
    } else if (ts_text_is(key, "usage")) {
      usage = value;
      if (!ts_text_is(type, "object")) want = "an object";
    } else if (ts_text_is(key, "model")) {
      f->model = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "provider")) {
      f->provider = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "outcome")) {
      o->word = value;
      if (!ts_text_is(value, "question") && !ts_text_is(value, "done")) want = "question or done";
    } else if (ts_text_is(key, "question")) {
      o->question = value;
      if (!ts_text_is(type, "text") || ts_text_blank(value.z, value.n)) want = "text, not empty";
    } else if (ts_text_is(key, "summary")) {
      o->summary = value;
      if (!ts_text_is(type, "text") || ts_text_blank(value.z, value.n)) want = "text, not empty";
    } else if (ts_text_is(key, "resume_cursor")) {
      f->resumeCursor = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "tokens")) {
      f->tokens = ts_col_int(&q, 2);
      if (!ts_text_is(type, "integer") || f->tokens < 0 || f->tokens > TURNSTILE_MAX_TOKENS)
        want = "an integer from 0 to 2^43 - 1";
    } else {
      ts_fail(c, SQLITE_ERROR,
              "result has no field '%s'; it takes content, messages, usage, model, provider, "
              "tokens, resume_cursor, outcome, question, summary",
              ts_excerpt(c, key));
    }
    if (want) ts_fail(c, SQLITE_ERROR, "result.%.*s must be %s", key.n, key.z, want);
  }
  ts_end(c, &q);
  ts_usage_parse(c, usage, "result.usage", &f->usage);
  if (!o->question.z) o->question = content;
  if (!o->summary.z) o->summary = content;
  o->content = content;
  if (messages.z) ts_write_messages(w, messages, "result.messages");
  if (content.z) ts_write_message(w, "assistant", NULL, none, content);
}

/* What the three commands return: how the turn ended, where the head is, what waits. */
static void returnEnd(Cmd *c, const Call *k, TurnPhase how, int kept, const char *note,
                      const InputLink *stopped) {
  sqlite3_int64 waiting, due;
  Json j;
  if (c->rc == SQLITE_OK) ts_workers_time_out(c, k->s.label); /* they count among what waits */
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "turn", k->t.id);
  ts_json_put_string(&j, "status", ts_turn_machine.states[how]);
  ts_json_key(&j, "on_path");
  ts_json_bool(&j, kept);
  ts_json_put(&j, "session", k->s.label);
  ts_json_put_id(&j, "head", k->s.head);
  ts_json_put_string(&j, "state", ts_task_machine.states[k->s.task.state]);
  if (note) ts_json_put_string(&j, "note", note);
  ts_queue_put(&j, "cancelled", stopped, 0);
  waiting = ts_queue_count(c, &k->s, NULL);
  due = waiting ? ts_line_due(c, &k->s) : 0;
  ts_json_put_int(&j, "waiting", waiting);
  if (due > c->now) ts_json_put_int(&j, "due_at", due);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

/* A compaction that is left without a summary: what asked for it is done with, the context stays. */
static void leaveCompaction(Cmd *c, Call *k) {
  TurnFacts f;
  ts_facts_init(&f);
  ts_exec(c, SQL_QUEUE_DONE, "tii", &k->s.label, k->t.id, c->now);
  ts_turn_give_up(c, &k->s, &k->t, PHASE_ABORTED, &f, TS_TEXT("it was left without a summary"));
  ts_lease_end(c, &k->s, RUN_READY);
  returnEnd(c, k, PHASE_ABORTED, 0, "no summary was given: the context stays as it is", NULL);
}

static const ArgSpec completeArgs[] = {TURN_AND_TOKEN, {"result", ARG_OBJECT, 0}};

static void runComplete(Cmd *c) {
  Outcome outcome = {none, none, none, none};
  const char *note;
  TurnFacts f;
  Writer w;
  Call k;
  ts_facts_init(&f);
  ts_lease_show(c, c->arg[0].i, c->arg[1].i, &k.s, &k.t);
  if (c->arg[2].given) wantConversation(c, &k.t);
  if (c->rc == SQLITE_OK && k.t.isCompaction) {
    leaveCompaction(c, &k);
    return;
  }
  ts_writer_resume(&w, c, k.t.id);
  w.session = k.s.label;
  if (c->rc != SQLITE_OK) return;
  readResult(c, c->arg[2].text, &f, &w, &outcome);
  ts_turn_keep(c, &k.s, &k.t, PHASE_COMPLETED, &f, none, w.answers);
  note = applyOutcome(c, &k, &outcome);
  ts_lease_end(c, &k.s, RUN_READY);
  returnEnd(c, &k, PHASE_COMPLETED, 1, note, k.s.calledOff);
}

const CommandSpec ts_turn_complete = {"turn_complete", runComplete, 0, TS_ARGS(3, completeArgs),
                                      NULL};

/* The cursor where no head moves: "" clears it. */
static void setCursor(Cmd *c, const Session *s, const Arg *cursor) {
  Text text = cursor->text.n ? cursor->text : none;
  if (cursor->given) ts_exec(c, SQL_SESSION_CURSOR, "tt", &s->label, &text);
}

enum { FAIL_TURN, FAIL_TOKEN, FAIL_ERROR, FAIL_USAGE, FAIL_RETRY_AFTER, FAIL_CURSOR };

static const ArgSpec failArgs[] = {TURN_AND_TOKEN,
                                   {"error", ARG_MESSAGE, 1},
                                   {"usage", ARG_OBJECT, 0},
                                   {"retry_after", ARG_DURATION, 0},
                                   {"resume_cursor", ARG_TEXT, 0}};

#define MAX_RETRY_AFTER ((sqlite3_int64)365 * 86400000)

/* HTTP's Retry-After counts seconds: a bare number out of it would be a thousandth of the pause. */
static void wantUnit(Cmd *c, const Arg *arg) {
  if (arg->text.z && arg->i && ts_duration_is_bare(arg->text.z, arg->text.n)) {
    ts_fail(c, SQLITE_ERROR,
            "retry_after is '%s', without a unit; it must be a duration such as '30 s', or an "
            "integer in milliseconds",
            ts_excerpt(c, arg->text));
  } else if (!arg->text.z && arg->i > 0 && arg->i < 1000) {
    ts_fail(c, SQLITE_ERROR,
            "retry_after is %lld ms, less than a second; for seconds write '%lld s', for "
            "milliseconds '%lld ms'",
            arg->i, arg->i, arg->i);
  }
}

static void readRetryAfter(Cmd *c, TurnFacts *f) {
  const Arg *arg = &c->arg[FAIL_RETRY_AFTER];
  if (!arg->given) return;
  wantUnit(c, arg);
  f->retryAfter = arg->i;
  if (arg->i > MAX_RETRY_AFTER) {
    ts_fail(c, SQLITE_ERROR, "retry_after is %lld ms; it must be from 0 to %lld, a year", arg->i,
            MAX_RETRY_AFTER);
  }
}

static void runFail(Cmd *c) {
  const char *note = NULL;
  TurnFacts f;
  Call k;
  ts_facts_init(&f);
  readRetryAfter(c, &f);
  ts_usage_parse(c, c->arg[FAIL_USAGE].text, "usage", &f.usage);
  ts_lease_show(c, c->arg[FAIL_TURN].i, c->arg[FAIL_TOKEN].i, &k.s, &k.t);
  if (c->rc != SQLITE_OK) return;
  if (f.retryAfter >= 0 && ts_run_recorded(c, &k.t)) {
    note =
        "retry_after ignored: the turn has recorded something, and nothing is done twice by itself";
  }
  ts_turn_give_up(c, &k.s, &k.t, PHASE_FAILED, &f, c->arg[FAIL_ERROR].text);
  setCursor(c, &k.s, &c->arg[FAIL_CURSOR]);
  ts_lease_end(c, &k.s, RUN_IDLE);
  returnEnd(c, &k, PHASE_FAILED, 0, note, k.s.calledOff);
}

const CommandSpec ts_turn_fail = {"turn_fail", runFail, 0, TS_ARGS(3, failArgs), NULL};

enum {
  ABORT_TURN,
  ABORT_TOKEN,
  ABORT_REASON,
  ABORT_KEEP,
  ABORT_USAGE,
  ABORT_REQUEUE,
  ABORT_CURSOR
};

static const ArgSpec abortArgs[] = {TURN_AND_TOKEN,           {"reason", ARG_MESSAGE, 1},
                                    {"keep", ARG_BOOL, 0},    {"usage", ARG_OBJECT, 0},
                                    {"requeue", ARG_BOOL, 0}, {"resume_cursor", ARG_TEXT, 0}};

/* Does the turn stay on the path? With what it has recorded; also when a message interrupts it, which
** would be hard to understand without the one that it interrupts. A compaction has said nothing. */
static int abortKeeps(Cmd *c, const Call *k, const Arg *keep) {
  if ((keep->given && !keep->i) || k->t.isCompaction) return 0;
  return k->s.run.state == RUN_INTERRUPTED || ts_turn_recorded(c, k->t.id);
}

/* Somebody stops the turn: whoever executes it, or who has seen it. */
static void abortTurn(Cmd *c, Call *k, const TurnFacts *f, Text reason, const Arg *keep) {
  InputLink *stopped;
  int keeps;
  if (c->rc != SQLITE_OK) return;
  keeps = abortKeeps(c, k, keep);
  stopped = ts_turn_stop(c, &k->s, &k->t, f, reason, keeps);
  ts_lease_end(c, &k->s, RUN_IDLE);
  if (!k->t.isCompaction) ts_worker_halted(c, &k->s, reason);
  returnEnd(c, k, PHASE_ABORTED, keeps, NULL, stopped);
}

static void runAbort(Cmd *c) {
  Text reason = c->arg[ABORT_REASON].text;
  TurnFacts f;
  Call k;
  ts_facts_init(&f);
  ts_usage_parse(c, c->arg[ABORT_USAGE].text, "usage", &f.usage);
  if (c->arg[ABORT_REQUEUE].i && c->arg[ABORT_KEEP].i) {
    ts_fail(c, SQLITE_ERROR,
            "keep and requeue are both given; what is to be done again can't stay as done");
  }
  ts_lease_show(c, c->arg[ABORT_TURN].i, c->arg[ABORT_TOKEN].i, &k.s, &k.t);
  if (c->rc != SQLITE_OK) return;
  if (!c->arg[ABORT_REQUEUE].i) {
    abortTurn(c, &k, &f, reason, &c->arg[ABORT_KEEP]);
    setCursor(c, &k.s, &c->arg[ABORT_CURSOR]);
    return;
  }
  ts_turn_requeue(c, &k.s, &k.t, &f, reason);
  setCursor(c, &k.s, &c->arg[ABORT_CURSOR]);
  ts_lease_end(c, &k.s, RUN_IDLE);
  returnEnd(c, &k, PHASE_ABORTED, 0, NULL, k.s.calledOff);
}

const CommandSpec ts_turn_abort = {"turn_abort", runAbort, 0, TS_ARGS(3, abortArgs), NULL};

/* ---- session_stop(label, turn, reason [, options]) ---------------------------------------------- */

enum { STOP_LABEL, STOP_TURN, STOP_REASON, STOP_KEEP };

static const ArgSpec stopArgs[] = {{"label", ARG_LABEL, 1},
                                   {"turn", ARG_INT, 1},
                                   {"reason", ARG_MESSAGE, 1},
                                   {"keep", ARG_BOOL, 0}};

/* The session that executes the turn, if it is the one that is meant: a merged session keeps the run
** that it has. */
static int findRun(Cmd *c, sqlite3_int64 turn, const Session *meant, Session *s) {
  Text label = none;
  Query q = ts_query(c, SQL_RUN_OF_TURN, "i", turn);
  if (ts_row(c, &q)) label = ts_col_text(c, &q, 0);
  ts_end(c, &q);
  if (!label.z || c->rc != SQLITE_OK) return 0;
  ts_session_load_exact(c, label, s);
  return s->exists &&
         (ts_text_equal(s->label, meant->label) || ts_text_equal(s->supersededBy, meant->label));
}

/* What was seen is not what is there now. */
static void failSeen(Cmd *c, const Session *s, sqlite3_int64 turn) {
  Turn t;
  memset(&t, 0, sizeof(t));
  ts_turn_load(c, turn, &t);
  if (s->run.turnId) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' executes turn %lld now, not %lld; session_state shows it", s->label.n,
            s->label.z, s->run.turnId, turn);
  } else {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' executes no turn now; turn %lld %s%s", s->label.n,
            s->label.z, turn, t.exists ? "is " : "is not there",
            t.exists ? ts_turn_machine.states[t.phase] : "");
  }
}

static void runStop(Cmd *c) {
  sqlite3_int64 turn = c->arg[STOP_TURN].i;
  Session meant;
  TurnFacts f;
  Call k;
  ts_facts_init(&f);
  ts_session_require(c, c->arg[STOP_LABEL].text, &meant);
  if (c->rc != SQLITE_OK) return;
  if (!findRun(c, turn, &meant, &k.s)) {
    failSeen(c, &meant, turn);
    return;
  }
  ts_turn_require(c, turn, &k.t);
  if (c->rc == SQLITE_OK && !TS_TURN_RUNS(&k.t)) {
    failSeen(c, &meant, turn);
    return;
  }
  abortTurn(c, &k, &f, c->arg[STOP_REASON].text, &c->arg[STOP_KEEP]);
}

const CommandSpec ts_session_stop = {"session_stop", runStop, 0, TS_ARGS(3, stopArgs), NULL};
