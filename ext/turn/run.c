/*
** run.c - session_run(): processes come and go, sessions stay.
**
** The run state says what the process that serves a session is doing. It never survives a restart:
** turnstile_startup() (startup.c) sets a restarted owner's runs to idle and its sessions to suspended, from
** which the next delivery takes them back by itself. What a process reports with session_run(),
** an exit code above all, is kept as data and never changes the session's status.
*/
#include "run.h"

#include "args.h"
#include "ids.h"
#include "lease.h"
#include "stop_workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

enum { RUN_LABEL, RUN_OWNER, RUN_STATE, RUN_DATA, RUN_TOKEN, RUN_DEAD };

static const ArgSpec runArgs[] = {{"label", ARG_LABEL, 1},    {"owner", ARG_NAME, 1},
                                  {"run_state", ARG_TEXT, 1}, {"data", ARG_JSON, 0},
                                  {"token", ARG_INT, 0},      {"dead", ARG_BOOL, 0}};

/* A name proves nothing: another process with the same name may be at work. To end a turn with a
** live lease, a caller shows its token, or says that no process of that name lives. */
static void wantRight(Cmd *c, const Session *s) {
  const Arg *token = &c->arg[RUN_TOKEN];
  if (c->arg[RUN_DEAD].i) return;
  if (token->given && token->i != s->run.token) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "token %lld is not the one that turn_begin gave out for turn %lld", token->i,
            s->run.turnId);
  } else if (!token->given && ts_run_live(c, &s->run)) {
    ts_fail(
        c, TURNSTILE_BUSY,
        "a run of '%.*s' executes turn %lld, with a lease until %lld; its own process gives the "
        "option token, and dead says that no process of that name lives",
        s->run.owner.n, s->run.owner.z ? s->run.owner.z : "", s->run.turnId, s->run.expiresAt);
  }
}

static void runRun(Cmd *c) {
  Session s;
  Run run;
  Text owner = c->arg[RUN_OWNER].text, data = c->arg[RUN_DATA].text;
  Text state = c->arg[RUN_STATE].text;
  const Transition *move;
  int to = ts_state_find(&ts_run_machine, state.z, state.n);
  if (to < 0) {
    ts_arg_word(c, "run_state", state, ts_run_machine.states, ts_run_machine.nStates);
    return;
  }
  ts_session_require(c, c->arg[RUN_LABEL].text, &s);
  run = s.run;
  if (c->rc != SQLITE_OK) return;
  if (run.exists && run.state != RUN_IDLE && run.owner.z && !ts_text_equal(run.owner, owner)) {
    ts_fail(c, TURNSTILE_BUSY,
            "the run of session '%.*s' is %s and belongs to '%.*s', not to '%.*s'", s.label.n,
            s.label.z, ts_run_machine.states[run.state], run.owner.n, run.owner.z, owner.n,
            owner.z);
    return;
  }
  move = ts_state_move(&ts_run_machine, run.state, to);
  /* Saying the same state again is a sign of life, and may bring new data. */
  if (!move && to != (int)run.state) {
    ts_fail_move(c, &ts_run_machine, (int)run.state, to);
    return;
  }
  if (run.turnId && to == RUN_READY) {
    ts_fail(c, SQLITE_CONSTRAINT, "turn %lld is still running; turn_complete ends it", run.turnId);
  }
  /* A process that stops or breaks in the middle of a turn leaves it failed. */
  if (run.turnId && (to == RUN_IDLE || to == RUN_ERROR)) {
    wantRight(c, &s);
    ts_lease_fail_turn(c, &s,
                       ts_printf(c, "the process of '%.*s' reported %s", owner.n, owner.z,
                                 ts_run_machine.states[to]));
  }
  if (!data.z) data = run.data;
  if (run.exists) {
    ts_exec(c, SQL_RUN_MOVE, "ttsti", &s.label, &owner, ts_run_machine.states[to], &data, c->now);
  } else {
    ts_exec(c, SQL_RUN_ADD, "ttstii", &s.label, &owner, ts_run_machine.states[to], &data, c->now,
            ts_token_last(c));
  }
  if (move) {
    ts_event(c, &s, "run", ts_run_machine.states[run.state], ts_run_machine.states[to],
             move->trigger, c->arg[RUN_DATA].text);
    if (to == RUN_IDLE || to == RUN_ERROR) ts_worker_left(c, s.label);
  }
  ts_return_text(c, (Text){ts_run_machine.states[to], (int)strlen(ts_run_machine.states[to])});
}

const CommandSpec ts_session_run = {"session_run", runRun, 0, TS_ARGS(4, runArgs), NULL};

sqlite3_int64 ts_run_reset(Cmd *c, Session *s, RunState from, const char *trigger) {
  sqlite3_int64 orphans;
  ts_lease_fail_turn(c, s,
                     ts_printf(c, "the run of '%.*s' ended: %s", s->run.owner.n,
                               s->run.owner.z ? s->run.owner.z : "", trigger));
  orphans = ts_lease_recover_inputs(c, s, c->name);
  ts_exec(c, SQL_RUN_RESET, "t", &s->label);
  ts_event(c, s, "run", ts_run_machine.states[from], ts_run_machine.states[RUN_IDLE], trigger,
           none);
  ts_worker_left(c, s->label);
  return s->run.givenBack + orphans;
}
