/*
** stop.c - session_stop(): stops a turn that somebody has seen.
*/
#include "call.h"

#include "session.h"
#include <string.h>

SQLITE_EXTENSION_INIT3

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
  if (ts_row(c, &q)) label = ts_col_text(c, &q, COL_RUN_OF_TURN_SESSION_LABEL);
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
  ts_call_abort(c, &k, &f, c->arg[STOP_REASON].text, &c->arg[STOP_KEEP]);
}

const CommandSpec ts_session_stop = {"session_stop", runStop, 0, TS_ARGS(3, stopArgs), NULL};
