/*
** abort.c - turn_abort(): the process that executes a turn stops it.
*/
#include "call.h"

#include "lease.h"
#include "workers.h"

SQLITE_EXTENSION_INIT3

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
void ts_call_abort(Cmd *c, Call *k, const TurnFacts *f, Text reason, const Arg *keep) {
  InputLink *stopped;
  int keeps;
  if (c->rc != SQLITE_OK) return;
  keeps = abortKeeps(c, k, keep);
  stopped = ts_turn_stop(c, &k->s, &k->t, f, reason, keeps);
  ts_lease_release(c, &k->s, RUN_IDLE);
  if (!k->t.isCompaction) ts_worker_halted(c, &k->s, reason);
  ts_call_return_end(c, k, PHASE_ABORTED, keeps, NULL, stopped);
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
  ts_lease_verify(c, c->arg[ABORT_TURN].i, c->arg[ABORT_TOKEN].i, &k.s, &k.t);
  if (c->rc != SQLITE_OK) return;
  if (!c->arg[ABORT_REQUEUE].i) {
    ts_call_abort(c, &k, &f, reason, &c->arg[ABORT_KEEP]);
    ts_call_set_cursor(c, &k.s, &c->arg[ABORT_CURSOR]);
    return;
  }
  ts_turn_requeue(c, &k.s, &k.t, &f, reason);
  ts_call_set_cursor(c, &k.s, &c->arg[ABORT_CURSOR]);
  ts_lease_release(c, &k.s, RUN_IDLE);
  ts_call_return_end(c, &k, PHASE_ABORTED, 0, NULL, k.s.calledOff);
}

const CommandSpec ts_turn_abort = {"turn_abort", runAbort, 0, TS_ARGS(3, abortArgs), NULL};
