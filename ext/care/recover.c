/*
** recover.c - session_recover(): what to show a person who returns.
**
**   SELECT session_recover('main') ->> '$.message';
**   -- Welcome back! I was asking: …
**
** Recovering applies the stale rules first: after the second threshold it saves the task, between
** the two thresholds it opens a choice (without a held message). Then it reports the session's
** state. A second call finds everything done and reports the same. The session remembers the
** question "should I continue?", so a plain "yes" continues.
*/
#include "recover.h"

#include "args.h"
#include "choice.h"
#include "config.h"
#include "deliver.h"
#include "end_task.h"
#include "json.h"
#include "lease.h"
#include "progress.h"
#include "said.h"
#include "stop_workers.h"
#include "task.h"
#include "tree.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* Applies the stale rules. *changed: something was done. A session in error asks nobody, because no
** option could be chosen. */
static void applyStaleRules(Delivery *d, int *changed) {
  Cmd *c = d->c;
  Session *s = &d->s;
  sqlite3_int64 idle = ts_session_idle(c, s);
  Text text;
  if (s->task.state == TASK_COMPLETE || s->task.state == TASK_ABORTED) {
    ts_task_settle(c, s);
    *changed = 1;
    return;
  }
  if (!s->task.id || ts_run_live(c, &s->run)) return;
  if (idle > ts_config_int(c, s->label, CONFIG_AUTO_COMPACT_THRESHOLD)) {
    ts_choice_release(c, s, "expire");
    ts_task_end_stale(c, s, &text);
    ts_worker_saved(c, s);
    *changed = 1;
    return;
  }
  if (idle > ts_config_int(c, s->label, CONFIG_ASK_THRESHOLD) && !s->pendingChoice.z &&
      !s->isSubagent && s->status != STATUS_ERROR) {
    ts_choice_open(d->c, &d->s, CHOICE_STALE, NULL, NULL, NULL);
    *changed = 1;
  }
}

/* How the last task ended: its commit, for the report. Returns the text about a task that was saved
** because it was stale, if the user has not been back since; else {NULL,0}. */
static Text lastEnd(Delivery *d) {
  Cmd *c = d->c;
  Session *s = &d->s;
  Text task = none;
  sqlite3_int64 seconds = 0, at = 0;
  int saved = 0;
  Query q;
  if (s->task.id) return none;
  q = ts_query(c, SQL_LAST_END, "t", &s->label);
  if (ts_row(c, &q)) {
    d->commitId = ts_col_text(c, &q, COL_LAST_END_COMMIT_ID);
    saved = (int)ts_col_int(&q, COL_LAST_END_WAS_STALE);
    seconds = ts_col_int(&q, COL_LAST_END_IDLE);
    at = ts_col_int(&q, COL_LAST_END_AT);
    task = ts_col_text(c, &q, COL_LAST_END_TASK);
  }
  ts_end(c, &q);
  /* There was no activity since then. */
  if (!saved || (at - s->lastActivity) / 1000 != seconds) return none;
  return ts_fill(c, s->label, "welcome.auto_saved", "task", task, "duration",
                 ts_words(c, at - s->lastActivity));
}

/* The welcome-back text for the state, and whether it asks to continue. */
static Text welcome(Cmd *c, const Session *s, Text progress, int *offers) {
  *offers = 0;
  switch (s->task.state) {
  case TASK_AWAITING_USER:
    return ts_fill(c, s->label, "welcome.awaiting_user", "question",
                   ts_task_field(c, s, "$.question"), "task", s->task.description);
  case TASK_PENDING_COMPLETE:
    return ts_fill(c, s->label, "welcome.pending_complete", "summary",
                   ts_task_field(c, s, "$.summary"), "task", s->task.description);
  case TASK_RUNNING:
    *offers = 1;
    return ts_fill(c, s->label, "welcome.running", "task", s->task.description, "progress",
                   progress);
  case TASK_INTERRUPTED:
    *offers = 1;
    return ts_fill(c, s->label, "welcome.interrupted", "user_message",
                   ts_task_field(c, s, "$.user_message"), "task", s->task.description);
  default: return ts_fill(c, s->label, "welcome.none", NULL, none, NULL, none);
  }
}

/* An input of queue_open or queue_failures, as what it is: "/compact" asks for a compaction. */
static void putInput(Cmd *c, Json *j, Query *q, int failed) {
  Inbound in;
  Text source = ts_col_text(c, q, COL_QUEUE_OPEN_SOURCE);
  memset(&in, 0, sizeof(in));
  in.source = ts_source_find(source);
  in.channel = ts_col_text(c, q, COL_QUEUE_OPEN_CHANNEL);
  in.message = ts_col_text(c, q, COL_QUEUE_OPEN_MESSAGE);
  in.isExempt = ts_col_int(q, COL_QUEUE_OPEN_EXEMPT) == 1;
  ts_json_open(j, '{');
  ts_json_put_int(j, "queue_id", ts_col_int(q, COL_QUEUE_OPEN_ID));
  ts_json_put(j, "source", source);
  ts_json_put_int(j, "enqueued_at", ts_col_int(q, COL_QUEUE_OPEN_ENQUEUED_AT));
  ts_json_put(j, "message", in.message);
  ts_asks_put(j, &in);
  if (failed || !ts_col_null(q, COL_QUEUE_OPEN_ERROR))
    ts_json_put(j, "error", ts_col_text(c, q, COL_QUEUE_OPEN_ERROR));
  if (!failed && !ts_col_null(q, COL_QUEUE_OPEN_DUE_AT))
    ts_json_put_int(j, "due_at", ts_col_int(q, COL_QUEUE_OPEN_DUE_AT));
  ts_json_close(j, '}');
}

static void putQueue(Cmd *c, Json *j, const Session *s, const char *key, int handed) {
  Query q = ts_query(c, SQL_QUEUE_OPEN, "t", &s->label);
  ts_json_key(j, key);
  ts_json_open(j, '[');
  while (ts_row(c, &q)) {
    if (ts_text_is(ts_col_view(&q, COL_QUEUE_OPEN_STATUS), "pending") != handed)
      putInput(c, j, &q, 0);
  }
  ts_end(c, &q);
  ts_json_close(j, ']');
}

/* Failed inputs, which wait for somebody's decision. */
static void putFailures(Cmd *c, Json *j, const Session *s) {
  Query q = ts_query(c, SQL_QUEUE_FAILURES, "t", &s->label);
  ts_json_key(j, "failed");
  ts_json_open(j, '[');
  while (ts_row(c, &q))
    putInput(c, j, &q, 1);
  ts_end(c, &q);
  ts_json_close(j, ']');
}

static void putRun(Json *j, const Session *s) {
  const Run *run = &s->run;
  ts_json_key(j, "last_run");
  if (!run->exists) {
    ts_json_null(j);
    return;
  }
  ts_json_open(j, '{');
  ts_json_put(j, "owner", run->owner);
  ts_json_put_string(j, "run_state", ts_run_machine.states[run->state]);
  ts_json_key(j, "heartbeat_at");
  if (run->hasHeartbeat) {
    ts_json_int(j, run->heartbeatAt);
  } else {
    ts_json_null(j);
  }
  ts_json_put_raw(j, "data", run->data);
  ts_json_close(j, '}');
}

/* Which stale rule session_recover would apply first; NULL: no rule. */
static const char *dueOf(Cmd *c, const Session *s) {
  sqlite3_int64 idle = ts_session_idle(c, s);
  if (s->task.state == TASK_COMPLETE || s->task.state == TASK_ABORTED) return "commit";
  if (!s->task.id || s->supersededBy.z || ts_run_live(c, &s->run)) return NULL;
  if (idle > ts_config_int(c, s->label, CONFIG_AUTO_COMPACT_THRESHOLD)) return "auto_compact";
  if (s->pendingChoice.z || s->isSubagent || s->status == STATUS_ERROR) return NULL;
  return idle > ts_config_int(c, s->label, CONFIG_ASK_THRESHOLD) ? "ask" : NULL;
}

static void putReport(Cmd *c, Delivery *d, Text saved, int isLook) {
  Session *s = &d->s;
  Text progress = ts_progress_text(c, s), message;
  int offers = 0;
  Json j;
  message = welcome(c, s, progress, &offers);
  if (saved.z) message = saved;
  if (s->pendingChoice.z && s->status != STATUS_ERROR) {
    message = ts_choice_text(c, s);
    offers = 0;
  }
  if (offers && !s->offered && !isLook) {
    s->offered = 1;
    s->offeredAt = c->now;
    ts_session_save(c, s);
  }
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "session", s->label);
  ts_json_put_string(&j, "status", ts_status_machine.states[s->status]);
  ts_json_put_string(&j, "state", ts_task_machine.states[s->task.state]);
  ts_json_put_raw(&j, "state_data", s->task.stateData);
  ts_json_put_id(&j, "task_id", s->task.id);
  ts_json_put(&j, "task", s->task.description);
  ts_json_put(&j, "message", message);
  ts_json_put(&j, "progress", progress);
  ts_json_put_raw(&j, "choice", s->pendingChoice);
  putQueue(c, &j, s, "handed", 1);
  putQueue(c, &j, s, "queued", 0);
  putFailures(c, &j, s);
  ts_queue_put(&j, "cancelled", s->calledOff, 0);
  putRun(&j, s);
  ts_json_put_int(&j, "idle_ms", ts_session_idle(c, s));
  if (d->commitId.z) ts_json_put(&j, "commit_id", d->commitId);
  if (isLook) ts_json_put_string(&j, "due", dueOf(c, s));
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

enum { RECOVER_LABEL, RECOVER_DRY_RUN, RECOVER_OWN };

static const ArgSpec recoverArgs[] = {
    {"label", ARG_LABEL, 1}, {"dry_run", ARG_BOOL, 0}, {"own", ARG_BOOL, 0}};

/* The form that only reads: reports the session as it is. */
static void runLook(Cmd *c, Delivery *d) {
  ts_session_load_to_read(c, c->arg[RECOVER_LABEL].text, (int)c->arg[RECOVER_OWN].i, &d->s);
  if (!d->s.exists) return;
  putReport(c, d, lastEnd(d), 1);
}

static int recoverReads(const Cmd *c) {
  return c->arg[RECOVER_DRY_RUN].i != 0;
}

static void runRecover(Cmd *c) {
  Delivery d;
  int changed = 0;
  memset(&d, 0, sizeof(d));
  d.c = c;
  d.inputsTail = &d.inputs;
  if (recoverReads(c)) {
    runLook(c, &d);
    return;
  }
  if (c->arg[RECOVER_OWN].i) {
    ts_fail(c, SQLITE_ERROR, "own goes with dry_run: a superseded session is only read");
  }
  ts_session_load(c, c->arg[RECOVER_LABEL].text, &d.s);
  if (!d.s.exists) return;
  ts_workers_look(c, &d.s);
  ts_lease_recover_inputs(c, &d.s, "session_recover");
  applyStaleRules(&d, &changed);
  if (changed) ts_session_save(c, &d.s);
  putReport(c, &d, lastEnd(&d), 0);
}

const CommandSpec ts_session_recover = {"session_recover", runRecover, COMMAND_MAY_READ,
                                        TS_ARGS(1, recoverArgs), recoverReads};
