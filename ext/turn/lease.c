/*
** lease.c - taking, showing, losing and releasing the lease of a session.
*/
#include "lease.h"

#include "config.h"
#include "forward.h"
#include "ids.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_run_move(Cmd *c, Session *s, RunState to) {
  while (s->run.state != to && c->rc == SQLITE_OK) {
    RunState next = to;
    const Transition *move = ts_state_move(&ts_run_machine, (int)s->run.state, (int)to);
    if (!move) {
      /* idle and error lead through starting, everything else through running. */
      next = s->run.state == RUN_ERROR  ? RUN_IDLE
             : s->run.state == RUN_IDLE ? RUN_STARTING
                                        : RUN_RUNNING;
      move = ts_state_move(&ts_run_machine, (int)s->run.state, (int)next);
    }
    if (!move) {
      ts_fail_move(c, &ts_run_machine, (int)s->run.state, (int)to);
      return;
    }
    ts_exec(c, SQL_RUN_STATE, "ts", &s->label, ts_run_machine.states[next]);
    ts_event(c, s, "run", ts_run_machine.states[s->run.state], ts_run_machine.states[next],
             move->trigger, none);
    s->run.state = next;
  }
}

/* The inputs of a turn that came to nothing wait again, those that were tried often enough excepted;
** those of a turn that has recorded something are never run again by themselves, nor is what was for a task that has
** ended meanwhile. */
static void returnInputs(Cmd *c, Session *s, const Turn *t, int recorded, const TurnFacts *f,
                         Text error) {
  Query q = ts_query(c, SQL_QUEUE_PROCESSING, "ti", &s->label, t->id);
  int any = ts_row(c, &q);
  ts_end(c, &q);
  if (!any) return;
  ts_queue_turn_over(c, s, t->id);
  if (recorded) {
    ts_exec(c, SQL_QUEUE_FAILED, "tiit", &s->label, t->id, c->now, &error);
    ts_worker_stuck(c, s, t->id);
    return;
  }
  if (f->retryAfter < 0) {
    ts_exec(c, SQL_QUEUE_WORN, "tiiit", &s->label, t->id,
            ts_config_int(c, s->label, CONFIG_MAX_ATTEMPTS), c->now, &error);
  }
  ts_worker_stuck(c, s, t->id);
  q = ts_query(c, SQL_QUEUE_PROCESSING_COUNT, "t", &s->label);
  if (ts_row(c, &q)) s->run.givenBack = ts_col_int(&q, COL_QUEUE_PROCESSING_COUNT_COUNT);
  ts_end(c, &q);
  if (f->retryAfter >= 0) {
    ts_exec(c, SQL_QUEUE_LATER, "tit??", &s->label, t->id, &error, f->retryAfter > 0,
            c->now + f->retryAfter, f->retryAfter > 0, f->retryAfter);
  } else {
    ts_exec(c, SQL_QUEUE_BACK, "titiii", &s->label, t->id, &error, c->now,
            ts_config_int(c, s->label, CONFIG_RETRY_BACKOFF),
            ts_config_int(c, s->label, CONFIG_RETRY_BACKOFF_MAX));
  }
}

/* Was a compaction made while the turn ran, or taken over from one that failed in the same place? */
static int wasCompacted(Cmd *c, const Turn *t) {
  Turn compaction;
  if (!t->context || !t->parent) return 0;
  ts_turn_load(c, t->context, &compaction);
  return compaction.parent == t->parent;
}

sqlite3_int64 ts_turn_to_resume(Cmd *c, const Session *s, const Turn *t, int recorded) {
  if (t->isCompaction) return s->run.failedTurn;
  return recorded || wasCompacted(c, t) ? t->id : t->resumes;
}

/* The turn ends without staying on the path. again: its inputs wait again, whatever it has recorded. */
static void discard(Cmd *c, Session *s, Turn *t, TurnPhase how, const TurnFacts *f, Text error,
                    int again) {
  const Transition *move = ts_state_move(&ts_turn_machine, (int)t->phase, (int)how);
  int recorded = ts_run_recorded(c, t);
  sqlite3_int64 failed = ts_turn_to_resume(c, s, t, recorded);
  Forward *elsewhere = ts_forward_of_turn(c, s->label, t->id);
  ts_turn_event(c, s, t->id, t->phase, how, move ? move->trigger : "fail");
  if (again) ts_exec(c, SQL_QUEUE_REQUEUE, "ti", &s->label, t->id);
  returnInputs(c, s, t, recorded, f, error);
  /* A session that was merged into another has the run it had, but no inputs that wait or failed. */
  if (s->supersededBy.z) {
    ts_exec(c, SQL_QUEUE_MOVE, "tt", &s->label, &s->supersededBy);
    ts_exec(c, SQL_QUEUE_MOVE_FAILURES, "tt", &s->label, &s->supersededBy);
  }
  ts_forward(c, elsewhere);
  if (failed) ts_exec(c, SQL_RUN_FAILED, "t?", &s->label, 1, failed);
  s->run.failedTurn = failed;
  if (f->usage.total >= 0) ts_session_spend(c, s, &f->usage, 0);
  /* It was used as long as the turn showed life. */
  ts_session_used_until(c, s, s->run.heartbeatAt);
  ts_turn_end(c, t->id, how, 0, f, ts_turn_size_through(c, t, ts_turn_size(c, t->id)), 0, error);
}

void ts_turn_discard(Cmd *c, Session *s, Turn *t, TurnPhase how, const TurnFacts *f, Text error) {
  discard(c, s, t, how, f, error, 0);
}

void ts_turn_requeue(Cmd *c, Session *s, Turn *t, const TurnFacts *f, Text reason) {
  discard(c, s, t, PHASE_ABORTED, f, reason, 1);
}

InputLink *ts_turn_stop(Cmd *c, Session *s, Turn *t, const TurnFacts *f, Text reason, int keep) {
  InputLink *stopped = ts_queue_of_turn(c, s, t->id);
  Forward *elsewhere = ts_forward_of_turn(c, s->label, t->id);
  TurnFacts facts = *f;
  if (stopped) ts_exec(c, SQL_QUEUE_STOPPED, "tiit", &s->label, t->id, c->now, &reason);
  ts_forward(c, elsewhere);
  if (keep) {
    ts_turn_finish(c, s, t, PHASE_ABORTED, &facts, reason, 0);
  } else {
    discard(c, s, t, PHASE_ABORTED, &facts, reason, 0);
  }
  return stopped;
}

void ts_turn_finish_part(Cmd *c, Session *s, Turn *t, TurnPhase how, TurnFacts *f, Text error,
                         sqlite3_int64 answers) {
  if (how == PHASE_COMPLETED) ts_turn_move(c, s, t, PHASE_COMPLETING);
  ts_turn_event(c, s, t->id, t->phase, how, how == PHASE_COMPLETED ? "complete" : "abort");
  if (f->tokens < 0) f->tokens = ts_turn_size(c, t->id);
  ts_turn_end(c, t->id, how, 1, f, ts_turn_size_through(c, t, f->tokens), answers, error);
  ts_session_touch(c, s, t->source);
  ts_head_move(c, s, t->id, how == PHASE_COMPLETED ? MOVE_COMPLETE : MOVE_ABORT, f);
}

void ts_turn_finish(Cmd *c, Session *s, Turn *t, TurnPhase how, TurnFacts *f, Text error,
                    sqlite3_int64 answers) {
  ts_turn_finish_part(c, s, t, how, f, error, answers);
  ts_exec(c, SQL_QUEUE_DONE, "tii", &s->label, t->id, c->now);
}

/* The lease ends with the turn; the owner stays. */
static void endLease(Cmd *c, Session *s) {
  s->run.turnId = 0;
  s->run.hasLease = 0;
  ts_exec(c, SQL_RUN_RELEASE, "ti", &s->label, s->run.token);
}

InputLink *ts_lease_stop_turn(Cmd *c, Session *s, Text reason) {
  InputLink *stopped = NULL;
  Turn t;
  TurnFacts f;
  if (c->rc != SQLITE_OK || !s->run.turnId) return NULL;
  ts_facts_init(&f);
  ts_turn_load(c, s->run.turnId, &t);
  if (t.exists && TS_TURN_RUNS(&t)) {
    stopped = ts_turn_stop(c, s, &t, &f, reason, ts_turn_recorded(c, t.id));
  }
  s->run.token++;
  endLease(c, s);
  ts_run_move(c, s, RUN_IDLE);
  return stopped;
}

static void failBusy(Cmd *c, const Session *s) {
  ts_fail(c, TURNSTILE_BUSY,
          "session '%.*s' is busy: '%.*s' executes turn %lld, with a lease until %lld", s->label.n,
          s->label.z, s->run.owner.n, s->run.owner.z ? s->run.owner.z : "", s->run.turnId,
          s->run.expiresAt);
}

/* retryAfter: as of TurnFacts. */
static void failTurn(Cmd *c, Session *s, const char *error, sqlite3_int64 retryAfter) {
  Turn t;
  TurnFacts f;
  if (c->rc != SQLITE_OK || !s->run.turnId) return;
  ts_turn_load(c, s->run.turnId, &t);
  ts_facts_init(&f);
  f.retryAfter = retryAfter;
  if (t.exists && TS_TURN_RUNS(&t) && error) {
    ts_turn_discard(c, s, &t, PHASE_FAILED, &f, (Text){error, (int)strlen(error)});
  }
  s->run.token++;
  endLease(c, s);
}

void ts_lease_fail_turn(Cmd *c, Session *s, const char *error) {
  failTurn(c, s, error, -1);
}

void ts_lease_undo_turn(Cmd *c, Session *s, const char *error) {
  failTurn(c, s, error, 0);
}

/* ---- Inputs that no run has ------------------------------------------------------------------- */

/* Inputs that are being processed in one turn, or in none (0), which is not their session's run's. */
typedef struct Orphans {
  struct Orphans *next;
  sqlite3_int64 turn, n;
} Orphans;

static Orphans *listOrphans(Cmd *c, const Session *s) {
  Orphans *first = NULL, **tail = &first;
  Query q = ts_query(c, SQL_QUEUE_ORPHANS, "t", &s->label);
  while (ts_row(c, &q)) {
    Orphans *o = ts_alloc(c, sizeof(*o));
    if (!o) break;
    o->turn = ts_col_int(&q, COL_QUEUE_ORPHANS_TURN_ID);
    o->n = ts_col_int(&q, COL_QUEUE_ORPHANS_COUNT);
    *tail = o;
    tail = &o->next;
  }
  ts_end(c, &q);
  return first;
}

static int someRunHas(Cmd *c, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_RUN_OF_TURN, "i", turn);
  int found = ts_row(c, &q);
  ts_end(c, &q);
  return found;
}

/* The state in which its last event left the session's run. */
static RunState lastRunState(Cmd *c, const Session *s) {
  int state = RUN_IDLE;
  Query q = ts_query(c, SQL_RUN_LAST_STATE, "t", &s->label);
  if (ts_row(c, &q)) {
    Text name = ts_col_view(&q, COL_RUN_LAST_STATE_TO_STATE);
    state = name.z ? ts_state_find(&ts_run_machine, name.z, name.n) : RUN_IDLE;
  }
  ts_end(c, &q);
  return state < 0 ? RUN_IDLE : (RunState)state;
}

/* The session's row in session_runs is gone, and with it the tokens that it gave out. There were fewer
** than milliseconds until now. */
static void restoreRun(Cmd *c, Session *s) {
  RunState was;
  if (s->run.exists) return;
  was = lastRunState(c, s);
  s->run.token = c->now > ts_token_last(c) ? c->now : ts_token_last(c);
  ts_exec(c, SQL_RUN_ADD, "ttstii", &s->label, &none, ts_run_machine.states[RUN_IDLE], &none,
          c->now, s->run.token);
  s->run.exists = 1;
  if (was == RUN_IDLE) return;
  ts_event(c, s, "run", ts_run_machine.states[was], ts_run_machine.states[RUN_IDLE], "expire",
           none);
}

/* What the turn has made of its inputs, as when a run is ended; those of people who were unlinked meanwhile
** go where they belong. Returns how many wait again. */
static sqlite3_int64 settleOrphans(Cmd *c, Session *s, const Orphans *o, Text error) {
  Forward *elsewhere = ts_forward_of_turn(c, s->label, o->turn);
  Turn t;
  TurnFacts f;
  int recorded = 0;
  ts_turn_load(c, o->turn, &t);
  ts_facts_init(&f);
  if (!t.exists) {
    ts_exec(c, SQL_QUEUE_GIVE_BACK, "t", &s->label);
  } else if (t.onPath) {
    ts_exec(c, SQL_QUEUE_DONE, "tii", &s->label, t.id, c->now);
    return 0;
  } else if (TS_TURN_RUNS(&t) && someRunHas(c, t.id)) {
    ts_exec(c, SQL_QUEUE_BACK, "titiii", &s->label, t.id, &error, c->now, (sqlite3_int64)0,
            (sqlite3_int64)0);
  } else if (TS_TURN_RUNS(&t)) {
    restoreRun(c, s);
    ts_turn_discard(c, s, &t, PHASE_FAILED, &f, error);
    return ts_run_recorded(c, &t) ? 0 : o->n;
  } else {
    recorded = ts_run_recorded(c, &t);
    returnInputs(c, s, &t, recorded, &f, error);
  }
  ts_forward(c, elsewhere);
  return recorded ? 0 : o->n;
}

sqlite3_int64 ts_lease_recover_inputs(Cmd *c, Session *s, const char *by) {
  Orphans *list = listOrphans(c, s);
  const char *error = list ? ts_printf(c, "no run had it; %s took it back", by) : NULL;
  sqlite3_int64 n = 0;
  if (!error) return 0;
  for (; list && c->rc == SQLITE_OK; list = list->next)
    n += settleOrphans(c, s, list, (Text){error, (int)strlen(error)});
  if (s->supersededBy.z) {
    ts_exec(c, SQL_QUEUE_MOVE, "tt", &s->label, &s->supersededBy);
    ts_exec(c, SQL_QUEUE_MOVE_FAILURES, "tt", &s->label, &s->supersededBy);
  }
  return n;
}

void ts_lease_release(Cmd *c, Session *s, RunState to) {
  const Transition *move = ts_state_move(&ts_run_machine, (int)s->run.state, (int)to);
  if (!move) { /* through the states between */
    ts_run_move(c, s, to);
  } else {
    ts_event(c, s, "run", ts_run_machine.states[s->run.state], ts_run_machine.states[to],
             move->trigger, none);
  }
  s->run.state = to;
  s->run.turnId = 0;
  s->run.hasLease = 0;
  ts_exec(c, SQL_RUN_END, "tsii", &s->label, ts_run_machine.states[to], s->run.token, c->now);
}

void ts_lease_require_free_past(Cmd *c, Session *s, const char *by) {
  if (c->rc == SQLITE_OK && c->isDated && ts_run_holds(c, &s->run)) {
    failBusy(c, s);
  } else {
    ts_lease_require_free(c, s, by);
  }
}

void ts_lease_require_free(Cmd *c, Session *s, const char *by) {
  if (c->rc != SQLITE_OK || !s->run.exists) return;
  if (ts_run_live(c, &s->run)) {
    failBusy(c, s);
    return;
  }
  if (!s->run.turnId) return;
  ts_lease_fail_turn(c, s,
                     ts_printf(c, "the lease of '%.*s' ran out; %s took over", s->run.owner.n,
                               s->run.owner.z ? s->run.owner.z : "", by));
  ts_run_move(c, s, RUN_IDLE);
}

/* The lease holds for so long from now on. */
static void holdFor(const Cmd *c, Session *s, sqlite3_int64 lease) {
  s->run.hasLease = 1;
  s->run.lease = lease;
  s->run.expiresAt =
      lease > TURNSTILE_MAX_INTEGER - c->now ? TURNSTILE_MAX_INTEGER : c->now + lease;
}

void ts_lease_take(Cmd *c, Session *s, Text owner, sqlite3_int64 turn, sqlite3_int64 lease) {
  RunState from = s->run.state, to = RUN_STARTING;
  int known = s->run.exists;
  if (!known) s->run.token = ts_token_last(c);
  s->run.token++;
  s->run.owner = owner;
  s->run.turnId = turn;
  holdFor(c, s, lease);
  if (known && from == RUN_ERROR) ts_run_move(c, s, RUN_IDLE);
  from = s->run.state;
  /* A process may have reported its own state before it asked for the lease. */
  if (from == RUN_READY || from == RUN_RUNNING || from == RUN_INTERRUPTED) to = RUN_RUNNING;
  ts_exec(c, known ? SQL_RUN_RETAKE : SQL_RUN_TAKE, "ttisiiii", &s->label, &owner, s->run.token,
          ts_run_machine.states[to], turn, c->now, s->run.expiresAt, lease);
  if (from != to) {
    const Transition *move = ts_state_move(&ts_run_machine, (int)from, (int)to);
    ts_event(c, s, "run", ts_run_machine.states[from], ts_run_machine.states[to],
             move ? move->trigger : "run", none);
  }
  s->run.exists = 1;
  s->run.state = to;
}

/* Why a call with this turn and token is refused. */
static void failStale(Cmd *c, const Turn *t, sqlite3_int64 token) {
  if (!TS_TURN_RUNS(t)) {
    ts_fail(c, SQLITE_CONSTRAINT, "%s; nothing can be added to it", ts_turn_words(c, t));
  } else {
    ts_fail_token(c, token, t->id);
  }
}

void ts_lease_verify(Cmd *c, sqlite3_int64 turn, sqlite3_int64 token, Session *s, Turn *t) {
  Text label = none;
  sqlite3_int64 newest = 0;
  Query q;
  memset(s, 0, sizeof(*s));
  ts_turn_require(c, turn, t);
  if (c->rc != SQLITE_OK) return;
  q = ts_query(c, SQL_RUN_OF_TURN, "i", turn);
  if (ts_row(c, &q)) {
    label = ts_col_text(c, &q, COL_RUN_OF_TURN_SESSION_LABEL);
    newest = ts_col_int(&q, COL_RUN_OF_TURN_TOKEN);
  }
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return;
  if (!TS_TURN_RUNS(t) || !label.z || newest != token) {
    failStale(c, t, token);
    return;
  }
  /* A session that was merged into another keeps the run it has. */
  ts_session_load_exact(c, label, s);
  if (c->rc == SQLITE_OK && !s->exists) {
    ts_fail_damaged(c, turn, "its session '%.*s' is missing", label.n, label.z);
  }
  s->run.heartbeatAt = c->now;
}

void ts_lease_renew(Cmd *c, sqlite3_int64 turn, sqlite3_int64 token, sqlite3_int64 lease,
                    Session *s, Turn *t) {
  ts_lease_verify(c, turn, token, s, t);
  if (c->rc != SQLITE_OK) return;
  holdFor(c, s, lease >= 0 ? lease : s->run.lease);
  ts_exec(c, SQL_RUN_RENEW, "tiii", &s->label, c->now, s->run.expiresAt, s->run.lease);
}
