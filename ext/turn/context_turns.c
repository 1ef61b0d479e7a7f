/*
** context_turns.c - which turns a context has, where it may be cut, and which results of earlier calls it holds.
**
** context.c shows it as rows.
*/
#include "context.h"

#include "messages.h"

SQLITE_EXTENSION_INIT3

/* ---- Which turns ----------------------------------------------------------------------------- */

static void addOrphans(Cmd *c, Text session, Context *x) {
  if (c->rc != SQLITE_OK) return;
  ts_context_orphans(c, session, x->fromDepth, x);
  x->tokens += ts_orphan_tokens(x, 0, TS_CONTEXT_END(x));
}

void ts_context_of_turn(Cmd *c, sqlite3_int64 turn, Text session, Context *x) {
  ts_context_turns(c, turn, x);
  addOrphans(c, session, x);
}

void ts_context_of_session(Cmd *c, const Session *s, Context *x) {
  ts_context_read_session(c, s, x);
  addOrphans(c, s->label, x);
}

/* The depth at which a context shows a failed turn: the depth of the path's turn that continues it,
** or that continues another turn that did. Several turns can have continued it: one that comes to
** nothing leaves it to the next one. */
static sqlite3_int64 resumedAt(Cmd *c, sqlite3_int64 last, sqlite3_int64 failed, int level) {
  sqlite3_int64 by = TURNSTILE_MAX_INTEGER, depth = -1;
  while (by && depth < 0 && level < TS_MAX_RESUMED && c->rc == SQLITE_OK) {
    Query q = ts_query(c, SQL_TURNS_RESUMED_BY, "ii", failed, by);
    int onPath = 0;
    by = ts_context_next_key(c, &q);
    if (by) onPath = ts_col_int(&q, COL_TURNS_RESUMED_BY_ON_PATH) != 0;
    ts_end(c, &q);
    if (!by) break;
    if (by == last || (onPath && ts_is_ancestor(c, by, last))) {
      depth = TS_DEPTH(by);
    } else if (!onPath) {
      depth = resumedAt(c, last, by, level + 1);
    }
  }
  return depth;
}

/* Is it the failed turn at the end of a context, or one that this went on from? */
static int isAtEnd(Cmd *c, const Context *x, sqlite3_int64 turn) {
  sqlite3_int64 failed = x->failed;
  for (int i = 0; failed && i < TS_MAX_RESUMED && c->rc == SQLITE_OK; i++) {
    Turn t;
    if (failed == turn) return 1;
    ts_turn_load(c, failed, &t);
    failed = t.resumes;
  }
  return 0;
}

int ts_context_shows(Cmd *c, const Context *x, sqlite3_int64 turn) {
  sqlite3_int64 depth;
  Turn t;
  if (isAtEnd(c, x, turn)) return 1;
  ts_turn_load(c, turn, &t);
  if (!x->last || !t.exists || c->rc != SQLITE_OK) return 0;
  depth = t.onPath ? (ts_is_ancestor(c, turn, x->last) ? TS_DEPTH(turn) : -1)
                   : resumedAt(c, x->last, turn, 0);
  return c->rc == SQLITE_OK && depth >= 0 && depth >= x->fromDepth;
}

/* ---- Results of calls of earlier turns ------------------------------------------------------- */

/* The depth of the oldest call, from floor on, that is shown with its result in this turn, over a cut;
** `from` when none is. */
static sqlite3_int64 callOverCut(Cmd *c, const Answering *a, sqlite3_int64 from,
                                 sqlite3_int64 floor) {
  sqlite3_int64 oldest = from;
  Query q;
  if (a->oldest >= from || a->resumed) return from;
  q = ts_query(c, SQL_TURN_ANSWERED, "ii", TS_FIRST_PLACE(a->turn), TS_LAST_PLACE(a->turn));
  while (ts_row(c, &q)) {
    sqlite3_int64 answer = ts_col_int(&q, COL_TURN_ANSWERED_PLACE);
    sqlite3_int64 call =
        ts_find_call(c, ts_col_text(c, &q, COL_TURN_ANSWERED_TOOL_CALL_ID), answer, NULL);
    sqlite3_int64 depth = TS_DEPTH(TS_PLACE_TURN(call));
    if (!call || depth < floor || depth >= oldest) continue;
    if (ts_answers_directly(c, call, answer)) oldest = depth;
  }
  ts_end(c, &q);
  return oldest;
}

/* Upwards from the oldest turn: one whose call is cut off goes, and so does what lies above it. */
static sqlite3_int64 cutUp(Cmd *c, const Context *x, sqlite3_int64 from, sqlite3_int64 floor) {
  AnsweringList a;
  ts_context_answers(c, x, from, TS_CONTEXT_END(x), &a);
  for (int i = a.n - 1; i >= 0 && c->rc == SQLITE_OK; i--) {
    if (a.list[i].depth >= from && callOverCut(c, &a.list[i], from, floor) < from) {
      from = a.list[i].depth + 1;
    }
  }
  return from;
}

/* Down to the oldest call, and on with the turns that this adds. */
static sqlite3_int64 cutDown(Cmd *c, const Context *x, sqlite3_int64 from, sqlite3_int64 floor) {
  sqlite3_int64 to = TS_CONTEXT_END(x);
  while (from <= to && c->rc == SQLITE_OK) {
    sqlite3_int64 added = from - 1;
    AnsweringList a;
    ts_context_answers(c, x, from, to, &a);
    for (int i = 0; i < a.n && c->rc == SQLITE_OK; i++) {
      from = callOverCut(c, &a.list[i], from, floor);
    }
    to = added;
  }
  return from;
}

sqlite3_int64 ts_context_cut(Cmd *c, const Context *x, sqlite3_int64 from, sqlite3_int64 floor,
                             int fewer) {
  return fewer ? cutUp(c, x, from, floor) : cutDown(c, x, from, floor);
}

void ts_context_orphans(Cmd *c, Text session, sqlite3_int64 from, Context *x) {
  ts_context_add_orphans(c, session, from, from, x);
}

sqlite3_int64 ts_orphan_tokens(const Context *x, sqlite3_int64 from, sqlite3_int64 to) {
  sqlite3_int64 tokens = 0;
  for (int i = 0; i < x->nOrphans && x->orphans[i].depth >= from; i++) {
    if (x->orphans[i].depth <= to) tokens += x->orphans[i].tokens;
  }
  return tokens;
}

sqlite3_int64 ts_context_fit(Cmd *c, const Context *x, sqlite3_int64 turn, sqlite3_int64 turnTokens,
                             sqlite3_int64 budget) {
  sqlite3_int64 low = x->fromDepth, high = TS_DEPTH(turn) + 1;
  while (low < high && c->rc == SQLITE_OK) {
    sqlite3_int64 middle = low + (high - low) / 2;
    if (turnTokens - ts_thread_tokens(c, turn, middle - 1) +
            ts_orphan_tokens(x, middle, TS_DEPTH(turn)) <=
        budget) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}
