/*
** context_read.c - what a context begins and ends with, and which of its turns answer calls that it does not show.
**
** context_turns.c says which turns it has, context.c shows it as rows.
*/
#include "context.h"

#include "array.h"
#include "config.h"
#include "messages.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

sqlite3_int64 ts_context_next_key(Cmd *c, Query *q) {
  return ts_row(c, q) ? sqlite3_column_int64(q->stmt, COL_KEY) : 0;
}

/* Can the context of a turn, or of what follows it, begin with a compaction below this one? */
static int standsAbove(Cmd *c, sqlite3_int64 through, const Turn *last, const Context *x) {
  if (x->compaction == last->id) return 1;
  /* Beside a turn that failed, which lay below the last one: that is for what comes next. */
  if (through == last->id) return x->compaction != last->context;
  /* On the path, or beside a turn of the path that was running when it was made. */
  return ts_is_ancestor(c, through, last->id);
}

/* The summary, and from where on turns are shown beside it. */
static void readCompaction(Cmd *c, const Turn *last, Context *x) {
  Turn compaction;
  sqlite3_int64 firstKept = 0, through = 0;
  Query q = ts_query(c, SQL_COMPACTION_GET, "i", x->compaction);
  int found = ts_row(c, &q);
  if (found) {
    firstKept = ts_col_int(&q, COL_COMPACTION_GET_FIRST_KEPT_TURN_ID);
    x->summaryTokens = ts_col_int(&q, COL_COMPACTION_GET_SUMMARY_TOKENS);
    x->summaryAt = ts_col_int(&q, COL_COMPACTION_GET_CREATED_AT);
    x->summary = ts_col_text(c, &q, COL_COMPACTION_GET_SUMMARY);
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && (x->summaryTokens < 0 || x->summaryTokens > TURNSTILE_MAX_INTEGER)) {
    ts_fail_damaged(c, x->compaction, "its summary_tokens are %lld", x->summaryTokens);
  }
  ts_turn_load(c, x->compaction, &compaction);
  if (c->rc != SQLITE_OK) return;
  if (!found || !compaction.exists || !compaction.parent) {
    ts_fail_damaged(c, last->id, "its context begins with turn %lld, which is not a compaction",
                    x->compaction);
    return;
  }
  through = compaction.parent;
  if (!standsAbove(c, through, last, x)) {
    if (c->rc == SQLITE_OK) {
      ts_fail_damaged(c, last->id, "its context begins with turn %lld, which is not on its path",
                      x->compaction);
    }
    return;
  }
  if (firstKept && !ts_is_ancestor(c, firstKept, through)) {
    if (c->rc == SQLITE_OK) {
      ts_fail_damaged(c, x->compaction, "the first turn it keeps is %lld, which is not on its path",
                      firstKept);
    }
    return;
  }
  x->fromDepth = firstKept ? TS_DEPTH(firstKept) : TS_DEPTH(through) + 1;
}

/* The first of the calls at the end of a running turn that wait for a result while nobody has spoken
** behind them, 0: none does. Calls that were made together are shown together. */
static sqlite3_int64 firstWaiting(Cmd *c, sqlite3_int64 turn) {
  sqlite3_int64 first = TS_FIRST_PLACE(turn), last = TS_LAST_PLACE(turn), waiting;
  sqlite3_int64 spoken = ts_last_foreign(c, first, last);
  Query q;
  if (spoken) first = spoken;
  q = ts_query(c, SQL_TOOL_CALL_WAITING, "ii", first, last);
  waiting = ts_context_next_key(c, &q);
  ts_end(c, &q);
  if (!waiting) return 0;
  q = ts_query(c, SQL_TOOL_CALLS_UP, "ii", first, waiting - 1);
  while (ts_context_next_key(c, &q) == waiting - 1)
    waiting--;
  ts_end(c, &q);
  return waiting;
}

sqlite3_int64 ts_context_last_place(const Context *x, sqlite3_int64 turn) {
  return x->waiting && turn == x->last ? x->waiting - 1 : TS_LAST_PLACE(turn);
}

sqlite3_int64 ts_thread_tokens(Cmd *c, sqlite3_int64 turn, sqlite3_int64 depth) {
  Turn t;
  sqlite3_int64 at = depth >= 0 ? ts_ancestor(c, turn, depth) : 0;
  if (!at) return 0;
  ts_turn_load(c, at, &t);
  if (c->rc == SQLITE_OK && !t.exists) ts_fail_damaged(c, at, "it is missing");
  return t.threadTokens;
}

/* The context that ends with a turn and begins with a compaction (0: none), without orphans. */
static void readContext(Cmd *c, const Turn *last, sqlite3_int64 compaction, Context *x) {
  x->last = last->id;
  x->runs = TS_TURN_RUNS(last);
  x->lastThreadTokens = last->threadTokens;
  if (x->runs) {
    x->waiting = firstWaiting(c, last->id);
    x->lastThreadTokens =
        ts_thread_tokens(c, last->id, TS_DEPTH(last->id) - 1) +
        ts_places_size(c, TS_FIRST_PLACE(last->id), ts_context_last_place(x, last->id)) +
        ts_turn_resumed_size(c, last->resumes);
  }
  x->compaction = compaction;
  if (x->compaction) readCompaction(c, last, x);
  x->tokens = x->summaryTokens + x->lastThreadTokens;
  if (x->fromDepth > 0) x->tokens -= ts_thread_tokens(c, last->id, x->fromDepth - 1);
}

void ts_context_turns(Cmd *c, sqlite3_int64 turn, Context *x) {
  Turn t;
  memset(x, 0, sizeof(*x));
  ts_turn_require(c, turn, &t);
  if (c->rc == SQLITE_OK) readContext(c, &t, t.context, x);
}

/* The turn that a session's next one would go on from: the last that failed, or one that is running by its row,
** though its lease is over. Whoever comes next fails that one first. */
static sqlite3_int64 lastFailed(const Session *s, const Turn *running) {
  int isOver = running->exists && !running->isCompaction && TS_TURN_RUNS(running);
  return isOver && running->parent == s->head ? running->id : s->run.failedTurn;
}

/* The context that the session's next turn will get: what a failed turn has done is known to it. */
static void readNext(Cmd *c, const Session *s, const Turn *running, Context *x) {
  Turn head, failed;
  sqlite3_int64 context;
  sqlite3_int64 resumes, last = lastFailed(s, running);
  memset(&head, 0, sizeof(head));
  memset(&failed, 0, sizeof(failed));
  if (s->head) ts_turn_head(c, s, &head);
  if (last) ts_turn_load(c, last, &failed);
  context = head.context;
  resumes = ts_turn_resumable(c, &failed, s->head, &context);
  if (c->rc != SQLITE_OK) return;
  if (head.exists) readContext(c, &head, context, x);
  if (resumes) {
    x->failed = resumes;
    x->failedTokens = ts_turn_resumed_size(c, resumes);
    x->lastThreadTokens += x->failedTokens;
    x->tokens += x->failedTokens;
  }
}

void ts_context_read_session(Cmd *c, const Session *s, Context *x) {
  Turn t;
  memset(x, 0, sizeof(*x));
  memset(&t, 0, sizeof(t));
  if (s->run.turnId) ts_turn_load(c, s->run.turnId, &t);
  if (s->run.turnId && ts_run_holds(c, &s->run)) {
    if (c->rc == SQLITE_OK && (!t.exists || !TS_TURN_RUNS(&t) || t.parent != s->head)) {
      ts_fail_damaged(c, s->run.turnId, "session_runs says that '%.*s' executes it", s->label.n,
                      s->label.z);
    }
  }
  /* A compaction shows nothing of itself: its context is what it summarises. */
  if (t.exists && !t.isCompaction && ts_run_holds(c, &s->run)) {
    ts_context_turns(c, s->run.turnId, x);
  } else {
    readNext(c, s, &t, x);
  }
}

/* ---- Answers to calls of earlier turns -------------------------------------------------------- */

static void pushAnswering(Cmd *c, AnsweringList *a, sqlite3_int64 turn, sqlite3_int64 depth,
                          sqlite3_int64 answers, int resumed) {
  Answering *list = ts_array_more(c, a->list, a->n, &a->room, sizeof(*list));
  if (!list) return;
  a->list = list;
  a->list[a->n++] = (Answering){turn, depth, TS_DEPTH(answers), resumed};
}

/* A failed turn that is shown at a depth, and those that it went on from. */
static void pushResumed(Cmd *c, AnsweringList *a, sqlite3_int64 failed, sqlite3_int64 depth) {
  for (int i = 0; failed && i < TS_MAX_RESUMED && c->rc == SQLITE_OK; i++) {
    Turn t;
    ts_turn_load(c, failed, &t);
    if (t.answers) pushAnswering(c, a, failed, depth, t.answers, 1);
    failed = t.resumes;
  }
}

/* The last turn up to an id that goes on from a failed one, on whatever path; 0: there is none. */
static sqlite3_int64 lastResuming(Cmd *c, sqlite3_int64 upTo, sqlite3_int64 *failed) {
  Query q = ts_query(c, SQL_TURN_RESUMING_LAST, "i", upTo);
  sqlite3_int64 turn = ts_context_next_key(c, &q);
  *failed = turn ? ts_col_int(&q, COL_TURNS_RESUMING_RESUMES_TURN_ID) : 0;
  ts_end(c, &q);
  return turn;
}

/* The failed turns that answer earlier ones, of those that a context shows from a depth on. Turns that
** resume one are rare, and a path can have many branches: from one such turn of the file to the next,
** over the branches that hold none. */
static void findResumed(Cmd *c, const Context *x, sqlite3_int64 from, AnsweringList *a) {
  sqlite3_int64 at = x->last, upTo = x->last; /* ids fall on the way up */
  memset(a, 0, sizeof(*a));
  pushResumed(c, a, x->failed, TS_CONTEXT_END(x));
  while (at && c->rc == SQLITE_OK) {
    sqlite3_int64 failed, turn = lastResuming(c, upTo, &failed);
    if (!turn) return;
    at = ts_path_at(c, at, TS_BRANCH(turn), NULL);
    if (!at || TS_DEPTH(at) < from) return;
    upTo = at;
    if (TS_BRANCH(turn) != TS_BRANCH(at) || turn > at) continue; /* it is not on the path */
    if (TS_DEPTH(turn) < from) return;
    pushResumed(c, a, failed, TS_DEPTH(turn));
    upTo = turn - 1;
  }
}

void ts_context_answers(Cmd *c, const Context *x, sqlite3_int64 from, sqlite3_int64 to,
                        AnsweringList *a) {
  Path path;
  memset(a, 0, sizeof(*a));
  if (to >= TS_CONTEXT_END(x)) pushResumed(c, a, x->failed, TS_CONTEXT_END(x));
  if (!x->last) return;
  ts_path(c, x->last, from, to, &path);
  for (int i = 0; i < path.n && c->rc == SQLITE_OK; i++) {
    const Segment *s = &path.segments[i];
    Query answering = ts_query(c, SQL_TURNS_ANSWERING, "ii", s->first, s->last);
    Query resuming = ts_query(c, SQL_TURNS_RESUMING, "ii", s->first, s->last);
    sqlite3_int64 by = ts_context_next_key(c, &answering), on = ts_context_next_key(c, &resuming);
    while (by || on) {
      if (by >= on) {
        pushAnswering(c, a, by, TS_DEPTH(by),
                      ts_col_int(&answering, COL_TURNS_ANSWERING_ANSWERS_TURN_ID), 0);
        by = ts_context_next_key(c, &answering);
      } else {
        pushResumed(c, a, ts_col_int(&resuming, COL_TURNS_RESUMING_RESUMES_TURN_ID), TS_DEPTH(on));
        on = ts_context_next_key(c, &resuming);
      }
    }
    ts_end(c, &answering);
    ts_end(c, &resuming);
  }
}

const char *ts_context_orphan_words(Cmd *c, Text session, int isError) {
  return ts_config_text(c, session, isError ? "context.orphan_error" : "context.orphan_result");
}

/* What the words cost before those results of a turn that are counted as if they stood with their calls,
** and don't: the call lies above a depth, or its answer is in a turn that failed. */
static sqlite3_int64 wordsOf(Cmd *c, Text session, const Answering *a, sqlite3_int64 from) {
  sqlite3_int64 tokens = 0;
  Query q = ts_query(c, SQL_TURN_ANSWERED, "ii", TS_FIRST_PLACE(a->turn), TS_LAST_PLACE(a->turn));
  while (ts_row(c, &q)) {
    sqlite3_int64 answer = ts_col_int(&q, COL_TURN_ANSWERED_PLACE);
    sqlite3_int64 call =
        ts_find_call(c, ts_col_text(c, &q, COL_TURN_ANSWERED_TOOL_CALL_ID), answer, NULL);
    int isShown = call && TS_DEPTH(TS_PLACE_TURN(call)) >= from;
    int n = ts_col_view(&q, COL_TURN_ANSWERED_CONTENT).n;
    if ((isShown && !a->resumed) || (call && !ts_answers_directly(c, call, answer))) continue;
    if (a->resumed && call) {
      tokens += TS_LATE_TOKENS;
    } else {
      int words = (int)strlen(ts_context_orphan_words(
                      c, session, (int)ts_col_int(&q, COL_TURN_ANSWERED_IS_ERROR))) +
                  1;
      tokens += TS_TOKENS(n + words) - TS_TOKENS(n);
    }
  }
  ts_end(c, &q);
  return tokens;
}

void ts_context_add_orphans(Cmd *c, Text session, sqlite3_int64 from, sqlite3_int64 shown,
                            Context *x) {
  AnsweringList a;
  x->nOrphans = 0;
  if (shown > 0) {
    ts_context_answers(c, x, from, TS_CONTEXT_END(x), &a);
  } else {
    findResumed(c, x, from, &a);
  }
  if (!a.n) return;
  x->orphans = ts_alloc(c, sizeof(*x->orphans) * (size_t)a.n);
  for (int i = 0; i < a.n && c->rc == SQLITE_OK; i++) {
    sqlite3_int64 tokens;
    if (a.list[i].oldest >= shown && !a.list[i].resumed) continue;
    tokens = wordsOf(c, session, &a.list[i], shown);
    if (tokens) x->orphans[x->nOrphans++] = (Orphan){a.list[i].depth, tokens};
  }
}
