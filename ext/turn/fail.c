/*
** fail.c - turn_fail(): ends a live turn that has come to nothing.
*/
#include "call.h"

#include "lease.h"
#include "duration.h"

SQLITE_EXTENSION_INIT3

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
  ts_lease_verify(c, c->arg[FAIL_TURN].i, c->arg[FAIL_TOKEN].i, &k.s, &k.t);
  if (c->rc != SQLITE_OK) return;
  if (f.retryAfter >= 0 && ts_run_recorded(c, &k.t)) {
    note =
        "retry_after ignored: the turn has recorded something, and nothing is done twice by itself";
  }
  ts_turn_discard(c, &k.s, &k.t, PHASE_FAILED, &f, c->arg[FAIL_ERROR].text);
  ts_call_set_cursor(c, &k.s, &c->arg[FAIL_CURSOR]);
  ts_lease_release(c, &k.s, RUN_IDLE);
  ts_call_return_end(c, &k, PHASE_FAILED, 0, note, k.s.calledOff);
}

const CommandSpec ts_turn_fail = {"turn_fail", runFail, 0, TS_ARGS(3, failArgs), NULL};
