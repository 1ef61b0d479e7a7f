/*
** import_check_turns.c - compares the turns of a document with each other, and what lies on them.
**
** The turns up to the session's head are its thread, each below the one before; the others stand beside it, for a
** turn or an input that names them. Messages and calls lie in the places of a turn, a compaction has its row, and
** history ends at the head.
*/
#include "import_document.h"

#include "word_lists.h"

#include <stdlib.h>

SQLITE_EXTENSION_INIT3

static int isCompaction(const Import *x, sqlite3_int64 turn) {
  return isWord(rowOf(x, SEC_TURNS, turn - 1), TURN_TYPE, "compaction");
}

/* May a turn's context begin with this compaction? It may if it is the parent's, or was made beside
** the turn. */
static int fitsContext(const Import *x, sqlite3_int64 turn) {
  const Value *row = rowOf(x, SEC_TURNS, turn - 1);
  sqlite3_int64 context = number(row, TURN_CONTEXT), parent = number(row, TURN_PARENT);
  if (isCompaction(x, turn)) return context == turn;
  if (context == (parent ? number(rowOf(x, SEC_TURNS, parent - 1), TURN_CONTEXT) : 0)) return 1;
  return context && isCompaction(x, context) &&
         number(rowOf(x, SEC_TURNS, context - 1), TURN_PARENT) == parent;
}

/* Can a turn below `parent` (0: a root) continue this failed turn? */
static int isResumable(const Import *x, sqlite3_int64 failed, sqlite3_int64 parent) {
  const Value *row = rowOf(x, SEC_TURNS, failed - 1);
  sqlite3_int64 up = number(row, TURN_PARENT);
  return failed > x->nPath && !isCompaction(x, failed) && (up == parent || (up && up < parent));
}

static void checkTurn(Import *x, sqlite3_int64 turn) {
  const Value *row = rowOf(x, SEC_TURNS, turn - 1), *up = NULL;
  sqlite3_int64 parent = number(row, TURN_PARENT), i = turn - 1, tokens = 0;
  sqlite3_int64 resumes = number(row, TURN_RESUMES);
  int beside = turn > x->nPath, on = number(row, TURN_ON_PATH) != 0;
  if (beside ? parent > x->nPath : parent != i) {
    ts_import_fail(x, SEC_TURNS, i, TURN_PARENT,
                   beside ? "is not a turn of the thread" : "is not the turn before");
    return;
  }
  if (parent) up = rowOf(x, SEC_TURNS, parent - 1);
  if (up) tokens = number(up, TURN_THREAD_TOKENS);
  if (isWord(row, TURN_STATUS, "completed") ? !on : on && !isWord(row, TURN_STATUS, "aborted")) {
    ts_import_fail(x, SEC_TURNS, i, TURN_ON_PATH, "does not fit the status");
  } else if (isCompaction(x, turn) && !isWord(row, TURN_STATUS, "completed")) {
    ts_import_fail(x, SEC_TURNS, i, TURN_STATUS, "must be completed: the turn is a compaction");
  } else if (isCompaction(x, turn) && !parent) {
    ts_import_fail(x, SEC_TURNS, i, TURN_PARENT, "must not be null: the turn is a compaction");
  } else if (on != (!beside || isCompaction(x, turn))) {
    ts_import_fail(x, SEC_TURNS, i, TURN_ON_PATH,
                   beside ? "must be 0 beside the thread" : "must be 1 in the thread");
  } else if (!fitsContext(x, turn)) {
    ts_import_fail(x, SEC_TURNS, i, TURN_CONTEXT,
                   "is neither that of the parent nor a compaction beside the turn");
  } else if (number(row, TURN_ANSWERS) > parent) {
    ts_import_fail(x, SEC_TURNS, i, TURN_ANSWERS, "is not a turn above");
  } else if (resumes && (!isResumable(x, resumes, parent) || isCompaction(x, turn))) {
    ts_import_fail(x, SEC_TURNS, i, TURN_RESUMES, "is not a failed turn that this one can resume");
  } else if (isCompaction(x, turn) ? number(row, TURN_THREAD_TOKENS) != tokens
                                   : number(row, TURN_THREAD_TOKENS) < tokens) {
    ts_import_fail(x, SEC_TURNS, i, TURN_THREAD_TOKENS, "does not fit that of the parent, %lld",
                   tokens);
  }
}

/* Do failed turns continue each other in a circle? walked: for each turn, the turn from which it
** was reached. */
static int goesInCircles(const Import *x, sqlite3_int64 *walked, sqlite3_int64 turn) {
  sqlite3_int64 t = turn;
  while (t && !walked[t - 1]) {
    walked[t - 1] = turn;
    t = number(rowOf(x, SEC_TURNS, t - 1), TURN_RESUMES);
  }
  return t && walked[t - 1] == turn;
}

static void checkTurns(Import *x) {
  const Value *session = rowOf(x, SEC_SESSION, 0);
  sqlite3_int64 n = rowsOf(x, SEC_TURNS), failed = number(session, SESSION_FAILED_TURN);
  char *used = ts_import_array(x, 1, n);
  sqlite3_int64 *walked = ts_import_array(x, sizeof(*walked), n);
  if (x->nPath > TURNSTILE_MAX_DEPTH + 1) {
    ts_fail(x->c, SQLITE_TOOBIG, "json: session.head: a thread has at most %lld turns",
            (sqlite3_int64)TURNSTILE_MAX_DEPTH + 1);
  }
  for (sqlite3_int64 t = 1; t <= n && x->c->rc == SQLITE_OK; t++) {
    const Value *row = rowOf(x, SEC_TURNS, t - 1);
    checkTurn(x, t);
    if (number(row, TURN_CONTEXT) && number(row, TURN_CONTEXT) != t)
      used[number(row, TURN_CONTEXT) - 1] = 1;
    if (number(row, TURN_RESUMES)) used[number(row, TURN_RESUMES) - 1] = 1;
    if (x->c->rc == SQLITE_OK && goesInCircles(x, walked, t)) {
      ts_import_fail(x, SEC_TURNS, t - 1, TURN_RESUMES, "leads back to the turn itself");
    }
  }
  if (x->c->rc != SQLITE_OK) return;
  if (failed && !isResumable(x, failed, x->nPath)) {
    ts_import_fail(x, SEC_SESSION, 0, SESSION_FAILED_TURN,
                   "is not a failed turn that the next one can resume");
    return;
  }
  if (failed) used[failed - 1] = 1;
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_QUEUE); i++) {
    sqlite3_int64 shown = number(rowOf(x, SEC_QUEUE, i), QUEUE_SHOWN_TURN);
    if (shown) used[shown - 1] = 1;
  }
  for (sqlite3_int64 t = x->nPath + 1; t <= n && x->c->rc == SQLITE_OK; t++) {
    if (!used[t - 1])
      ts_import_fail(x, SEC_TURNS, t - 1, TURN_N, "stands beside the thread for no turn");
  }
}

static int comparePlaced(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->level != y->level) return x->level < y->level ? -1 : 1;
  return (x->turn < y->turn) - (x->turn > y->turn); /* beside the thread the newest stands first */
}

/* Documents of version 1 don't say in which order turns of one place began: their times decide, and
** a turn follows the turn that it continues. */
static void guessKey(Import *x, sqlite3_int64 turn, sqlite3_int64 *way) {
  sqlite3_int64 n = 0, t = turn, key = 0, level = 0;
  for (; t && !x->placed[t - 1].turn; t = number(rowOf(x, SEC_TURNS, t - 1), TURN_RESUMES))
    way[n++] = t;
  if (t) {
    key = x->placed[t - 1].key;
    level = x->placed[t - 1].level;
  }
  while (n > 0) {
    const Value *row = rowOf(x, SEC_TURNS, (t = way[--n]) - 1);
    sqlite3_int64 at = number(row, TURN_STARTED_AT);
    if (at > key) key = at;
    x->placed[t - 1] = (Placed){number(row, TURN_PARENT), key, ++level, t};
  }
}

static void readKeys(Import *x) {
  sqlite3_int64 n = rowsOf(x, SEC_TURNS);
  sqlite3_int64 *way = ts_import_array(x, sizeof(*way), n);
  x->placed = ts_import_array(x, sizeof(*x->placed), n);
  for (sqlite3_int64 t = 1; t <= n && x->c->rc == SQLITE_OK; t++) {
    const Value *row = rowOf(x, SEC_TURNS, t - 1);
    if (x->d.version < 2) {
      guessKey(x, t, way);
    } else {
      x->placed[t - 1] = (Placed){number(row, TURN_PARENT), number(row, TURN_NTH), 0, t};
    }
  }
}

/* The order in which the turns of each place began. */
static void checkOrder(Import *x) {
  sqlite3_int64 n = rowsOf(x, SEC_TURNS), nth = 0;
  readKeys(x);
  if (x->c->rc != SQLITE_OK || !n) return;
  qsort(x->placed, (size_t)n, sizeof(*x->placed), comparePlaced);
  for (sqlite3_int64 i = 0; i < n && x->d.version > 1 && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_TURNS, x->placed[i].turn - 1), *before = NULL;
    sqlite3_int64 resumes = number(row, TURN_RESUMES);
    nth = i && x->placed[i].parent == x->placed[i - 1].parent ? nth + 1 : 1;
    if (resumes) before = rowOf(x, SEC_TURNS, resumes - 1);
    if (number(row, TURN_NTH) != nth) {
      ts_import_fail(x, SEC_TURNS, x->placed[i].turn - 1, TURN_NTH,
                     "must be %lld: so many turns of its parent are there up to it", nth);
    } else if (before && number(before, TURN_PARENT) == number(row, TURN_PARENT) &&
               number(before, TURN_NTH) > nth) {
      ts_import_fail(x, SEC_TURNS, x->placed[i].turn - 1, TURN_NTH,
                     "is before that of the turn that it goes on from");
    }
  }
}

static void checkCall(Import *x, sqlite3_int64 i) {
  const Value *row = rowOf(x, SEC_TOOL_CALLS, i);
  if (isWord(row, CALL_STATUS, "pending") != TS_IS_NULL(&row[CALL_COMPLETED_AT])) {
    ts_import_fail(x, SEC_TOOL_CALLS, i, CALL_COMPLETED_AT, "does not fit the status");
  } else if (isWord(row, CALL_STATUS, "failed") == TS_IS_NULL(&row[CALL_ERROR])) {
    ts_import_fail(x, SEC_TOOL_CALLS, i, CALL_ERROR, "does not fit the status");
  } else if (isWord(row, CALL_STATUS, "completed") == TS_IS_NULL(&row[CALL_RESULT])) {
    ts_import_fail(x, SEC_TOOL_CALLS, i, CALL_RESULT, "does not fit the status");
  }
}

/* A run that continued after a summary of itself and got no input may end without an output. */
static int mayBeEmpty(const Import *x, sqlite3_int64 turn) {
  const Value *row = rowOf(x, SEC_TURNS, turn - 1);
  sqlite3_int64 parent = number(row, TURN_PARENT);
  return isCompaction(x, turn) || !number(row, TURN_ON_PATH) || (parent && isCompaction(x, parent));
}

/* Messages and calls take a turn's places in order, one each; one place stays empty between two
** steps of calls. */
static void checkPlaces(Import *x) {
  sqlite3_int64 m = 0, k = 0, nMessages = rowsOf(x, SEC_MESSAGES),
                nCalls = rowsOf(x, SEC_TOOL_CALLS);
  for (sqlite3_int64 t = 1; t <= rowsOf(x, SEC_TURNS) && x->c->rc == SQLITE_OK; t++) {
    sqlite3_int64 place = 0;
    int isCall = 0; /* the entry before is a call */
    for (;; place++) {
      const Value *message = m < nMessages ? rowOf(x, SEC_MESSAGES, m) : NULL;
      const Value *call = k < nCalls ? rowOf(x, SEC_TOOL_CALLS, k) : NULL;
      if (message && number(message, MESSAGE_TURN) == t &&
          number(message, MESSAGE_SEQUENCE) == place) {
        if (!TS_IS_NULL(&message[MESSAGE_CALL]) && !isWord(message, MESSAGE_ROLE, "tool")) {
          ts_import_fail(x, SEC_MESSAGES, m, MESSAGE_CALL, "must be null: the role is not tool");
        }
        m++;
      } else if (call && number(call, CALL_TURN) == t && number(call, CALL_SEQUENCE) == place) {
        checkCall(x, k++);
        isCall = 1;
        continue;
      } else if (isCall && call && number(call, CALL_TURN) == t &&
                 number(call, CALL_SEQUENCE) == place + 1) {
        /* Another step of calls. */
      } else {
        break;
      }
      isCall = 0;
    }
    if (m < nMessages && number(rowOf(x, SEC_MESSAGES, m), MESSAGE_TURN) <= t) {
      ts_import_fail(x, SEC_MESSAGES, m, MESSAGE_SEQUENCE, "is not the next place of the turn");
    } else if (k < nCalls && number(rowOf(x, SEC_TOOL_CALLS, k), CALL_TURN) <= t) {
      ts_import_fail(x, SEC_TOOL_CALLS, k, CALL_SEQUENCE, "is not the next place of the turn");
    } else if (place == 0 && !mayBeEmpty(x, t)) {
      ts_import_fail(x, SEC_TURNS, t - 1, TURN_N, "is a turn without messages");
    }
  }
}

static void checkCompactions(Import *x) {
  sqlite3_int64 turn = 0, n = rowsOf(x, SEC_COMPACTIONS);
  for (sqlite3_int64 i = 0; i < n && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_COMPACTIONS, i);
    sqlite3_int64 next = number(row, COMPACTION_TURN), parent, kept, recovered;
    for (turn++; turn < next && !isCompaction(x, turn); turn++) {
    }
    if (turn != next || !isCompaction(x, turn)) {
      ts_import_fail(x, SEC_COMPACTIONS, i, COMPACTION_TURN,
                     "is not the next turn that is a compaction");
      return;
    }
    parent = number(rowOf(x, SEC_TURNS, turn - 1), TURN_PARENT);
    kept = number(row, COMPACTION_FIRST_KEPT);
    recovered = number(row, COMPACTION_RECOVERED);
    if (kept > parent || (kept && isCompaction(x, kept))) {
      ts_import_fail(x, SEC_COMPACTIONS, i, COMPACTION_FIRST_KEPT,
                     "is not a turn of messages above");
    } else if (number(row, COMPACTION_THROUGH) > parent ||
               (kept && number(row, COMPACTION_THROUGH) != kept - 1)) {
      ts_import_fail(x, SEC_COMPACTIONS, i, COMPACTION_THROUGH, "is not a turn above");
    } else if (isWord(row, COMPACTION_TYPE, "full") != !kept) {
      ts_import_fail(x, SEC_COMPACTIONS, i, COMPACTION_TYPE, "does not fit first_kept");
    } else if (recovered && (isCompaction(x, recovered) ||
                             number(rowOf(x, SEC_TURNS, recovered - 1), TURN_PARENT) != parent)) {
      ts_import_fail(x, SEC_COMPACTIONS, i, COMPACTION_RECOVERED,
                     "is not a turn beside the compaction");
    }
  }
  for (turn++; turn <= rowsOf(x, SEC_TURNS) && x->c->rc == SQLITE_OK; turn++) {
    if (isCompaction(x, turn))
      ts_import_fail(x, SEC_TURNS, turn - 1, TURN_TYPE, "has no row in compactions");
  }
}

/* How many events there were; this never falls. */
static void checkEventCount(Import *x, SectionId s, sqlite3_int64 i, int field,
                            sqlite3_int64 *least) {
  const Value *v = &rowOf(x, s, i)[field];
  if (TS_IS_NULL(v)) return;
  if (ts_value_number(v) < *least || ts_value_number(v) > rowsOf(x, SEC_EVENTS)) {
    ts_import_fail(x, s, i, field, "must be from %lld to %lld, the number of events", *least,
                   rowsOf(x, SEC_EVENTS));
  }
  *least = ts_value_number(v);
}

static void checkHistory(Import *x) {
  sqlite3_int64 n = rowsOf(x, SEC_HISTORY), last = 0, events = 0;
  for (sqlite3_int64 i = 0; i < n && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_HISTORY, i);
    last = number(row, HISTORY_TURN);
    checkEventCount(x, SEC_HISTORY, i, HISTORY_EVENTS, &events);
    if (last && !number(rowOf(x, SEC_TURNS, last - 1), TURN_ON_PATH)) {
      ts_import_fail(x, SEC_HISTORY, i, HISTORY_TURN, "is a turn that was never a head");
    }
    x->made += IS_WORD_IN(row, HISTORY_REASON, LIST_TURN_MOVE);
  }
  if (last != x->nPath) {
    ts_import_fail(x, SEC_SESSION, 0, SESSION_HEAD, "is not where history ends");
  }
  checkEventCount(x, SEC_SESSION, 0, SESSION_HEAD_EVENTS, &events);
}

void ts_import_check_turns(Import *x) {
  if (x->c->rc == SQLITE_OK) checkTurns(x);
  if (x->c->rc == SQLITE_OK) checkOrder(x);
  if (x->c->rc == SQLITE_OK) checkPlaces(x);
  checkCompactions(x);
  if (x->c->rc == SQLITE_OK) checkHistory(x);
}
