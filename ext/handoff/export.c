/*
** export.c - session_export(): a session as one JSON document.
**
**   SELECT session_export('main');
**   -- {"turnstile_export":1,"label":"main","exported_at":…,"uuid":"…","hash":"…",
**   --   "progress_summary":"…","content":{…}}
**
** Everything that belongs to the session is in it, except what means nothing elsewhere: its run and
** its lease, the identities of its senders, its link to the session that spawned it. From the turn
** tree it takes the thread from the root to the head, and what contexts of that thread show beside
** it: failed turns that others continued, failed turns that a waiting input was in, and compactions
** made while a turn was running.
**
** A running turn is exported as if its process had died. It is left out, and its inputs wait again;
** or, if it has already recorded something, it has failed and so have its inputs.
**
** The rows are read first, with their ids in this file. Then every reference becomes the number of
** a row in the document, and references out of the document become null.
*/
#include "export.h"

#include "array.h"
#include "config.h"
#include "decimal.h"
#include "id_map.h"
#include "json.h"
#include "lease.h"
#include "progress.h"
#include "retried.h"
#include "task.h"
#include "turn.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* A document while it is read from the file. */
typedef struct Export {
  Cmd *c;
  const Session *s;
  Doc *d;
  IdMap ids[SEC_COUNT];
  Path path;
  sqlite3_int64 running; /* the turn that a run executes, or 0 */
  int recorded;          /* it has recorded something */
  sqlite3_int64 failed;  /* the failed turn that the next one continues, or 0 */
  sqlite3_int64 nPath;   /* turns of the thread */
  sqlite3_int64 *beside; /* turns beside the path, in the order of the document */
  sqlite3_int64 nBeside, besideRoom;
  sqlite3_int64 *events; /* ids of those that are in the document, in order */
  sqlite3_int64 nEvents;
  sqlite3_int64
      nAskedAfter; /* deliveries from before the open task's question, or made elsewhere */
} Export;

/* ---- Rows ---------------------------------------------------------------------------------------- */

static Value columnValue(Export *x, Query *q, int i) {
  Cmd *c = x->c;
  if (ts_col_null(q, i)) return ts_value_null();
  if (sqlite3_column_type(q->stmt, i) == SQLITE_INTEGER) return ts_value_int(ts_col_int(q, i));
  if (sqlite3_column_type(q->stmt, i) == SQLITE_FLOAT) {
    char z[TS_DECIMAL_SIZE];
    ts_decimal(sqlite3_column_double(q->stmt, i), TS_DECIMAL_EXACT, z);
    return ts_value_text(ts_copy(c, z, (int)strlen(z)));
  }
  {
    Text t = ts_col_text(c, q, i);
    return t.z ? ts_value_text(ts_clean(c, t)) : ts_value_null();
  }
}

/* Statements of sections give the row's id, then each field. */
_Static_assert((int)COL_EXPORT_DELIVERIES_IS_ELSEWHERE == DELIVERY_FIELDS + 1 &&
                   (int)COL_EXPORT_INPUT_IS_ELSEWHERE == QUEUE_FIELDS + 1,
               "what more a statement gives stands behind the fields");

/* The statement's current row as a row of a section; NULL once the command has failed. */
static Value *takeRow(Export *x, SectionId s, Query *q) {
  const SectionSpec *spec = &ts_sections[s];
  Value *row = ts_doc_add(x->d, s);
  if (!row) return NULL;
  for (int i = 0; i < spec->nFields; i++) {
    row[i] = spec->fields[i].kind == FIELD_NUMBER
                 ? ts_value_int(x->d->rows[s].n)
                 : columnValue(x, q, COL_EXPORT_SESSION_ROW + 1 + i);
  }
  ts_id_map_put(x->c, &x->ids[s], ts_col_int(q, COL_EXPORT_SESSION_ROW), x->d->rows[s].n);
  return row;
}

static void readSection(Export *x, SectionId s, int statement) {
  Query q = ts_query(x->c, statement, "t", &x->s->label);
  while (ts_row(x->c, &q))
    takeRow(x, s, &q);
  ts_end(x->c, &q);
}

static void readObjects(Export *x) {
  for (sqlite3_int64 i = 0; i < x->d->rows[SEC_OBSERVATIONS].n && x->c->rc == SQLITE_OK; i++) {
    sqlite3_int64 id = ts_value_number(&ts_doc_row(x->d, SEC_OBSERVATIONS, i)[OBS_OBJECT]);
    Query q;
    if (!id || ts_id_map_get(&x->ids[SEC_OBJECTS], id)) continue;
    q = ts_query(x->c, SQL_EXPORT_OBJECT, "i", id);
    if (ts_row(x->c, &q)) takeRow(x, SEC_OBJECTS, &q);
    ts_end(x->c, &q);
  }
}

/* ---- Turns --------------------------------------------------------------------------------------- */

static void readTurns(Export *x, sqlite3_int64 first, sqlite3_int64 last) {
  Query q = ts_query(x->c, SQL_EXPORT_TURNS, "ii", first, last);
  sqlite3_int64 next = first;
  while (ts_row(x->c, &q)) {
    sqlite3_int64 id = ts_col_int(&q, COL_EXPORT_TURNS_ROW);
    if (id != next++) break;
    takeRow(x, SEC_TURNS, &q);
  }
  ts_end(x->c, &q);
  if (x->c->rc == SQLITE_OK && ts_id_map_get(&x->ids[SEC_TURNS], last) == 0) {
    ts_fail_damaged(x->c, last, "it, or a turn before it in its branch, is missing");
  }
}

/* A turn beside the path that a row refers to. Returns its row, NULL when it was already added. */
static const Value *addBeside(Export *x, sqlite3_int64 turn) {
  sqlite3_int64 *list;
  if (!turn || x->c->rc != SQLITE_OK || ts_id_map_get(&x->ids[SEC_TURNS], turn)) return NULL;
  list = ts_array_more(x->c, x->beside, x->nBeside, &x->besideRoom, sizeof(*list));
  if (!list) return NULL;
  x->beside = list;
  x->beside[x->nBeside++] = turn;
  readTurns(x, turn, turn);
  if (x->c->rc != SQLITE_OK) return NULL;
  return ts_doc_row(x->d, SEC_TURNS, x->d->rows[SEC_TURNS].n - 1);
}

/* A failed turn whose output is shown, and the failed turns before it that are shown. */
static void addFailed(Export *x, sqlite3_int64 turn) {
  for (int i = 0; turn && i < TS_MAX_RESUMED && x->c->rc == SQLITE_OK; i++) {
    const Value *row = addBeside(x, turn);
    if (!row) { /* already added, but from here more may be shown before it */
      sqlite3_int64 n = ts_id_map_get(&x->ids[SEC_TURNS], turn);
      if (!n) return;
      row = ts_doc_row(x->d, SEC_TURNS, n - 1);
    }
    turn = ts_value_number(&row[TURN_RESUMES]);
    addBeside(x, ts_value_number(&row[TURN_CONTEXT]));
  }
}

/* Which failed turn the next turn would continue if the session had no run. */
static void findFailed(Export *x) {
  sqlite3_int64 context = 0;
  Turn t;
  x->failed = x->s->run.failedTurn;
  if (x->s->run.turnId) {
    ts_turn_load(x->c, x->s->run.turnId, &t);
    if (t.exists && TS_TURN_RUNS(&t)) {
      x->running = t.id;
      x->recorded = ts_run_recorded(x->c, &t);
      if (!x->failed) x->failed = ts_turn_to_resume(x->c, x->s, &t, x->recorded);
    }
  }
  if (!x->failed) return;
  ts_turn_load(x->c, x->failed, &t);
  if (!ts_turn_resumable(x->c, &t, x->s->head, &context) && !context) x->failed = 0;
}

/* A running turn in the document has failed, at the time of its last sign of life. */
static void endRunning(Export *x) {
  sqlite3_int64 n = ts_id_map_get(&x->ids[SEC_TURNS], x->running);
  Value *row;
  Turn t;
  if (!n || x->c->rc != SQLITE_OK) return;
  ts_turn_load(x->c, x->running, &t);
  row = ts_doc_row(x->d, SEC_TURNS, n - 1);
  row[TURN_STATUS] = ts_value_text(TS_TEXT("failed"));
  row[TURN_ON_PATH] = ts_value_int(0);
  row[TURN_COMPLETED_AT] = row[TURN_STARTED_AT];
  if (x->s->run.heartbeatAt > ts_value_number(&row[TURN_STARTED_AT])) {
    row[TURN_COMPLETED_AT] = ts_value_int(x->s->run.heartbeatAt);
  }
  row[TURN_ERROR] = ts_value_text(TS_TEXT("the session was exported while the turn was running"));
  row[TURN_THREAD_TOKENS] = ts_value_int(ts_turn_size_through(x->c, &t, ts_turn_size(x->c, t.id)));
}

/* Turns whose messages hold inputs that may be tried again, including turns that failed without an
** output, if their parent is in the thread. */
static void addShown(Export *x) {
  Query q = ts_query(x->c, SQL_EXPORT_SHOWN, "t", &x->s->label);
  while (ts_row(x->c, &q)) {
    sqlite3_int64 parent;
    Turn t;
    ts_turn_load(x->c, ts_col_int(&q, COL_EXPORT_SHOWN_SHOWN), &t);
    if (!t.exists || t.onPath || TS_TURN_RUNS(&t)) continue;
    parent = ts_id_map_get(&x->ids[SEC_TURNS], t.parent);
    if (!t.parent || (parent && parent <= x->nPath)) addFailed(x, t.id);
  }
  ts_end(x->c, &q);
}

/* A turn in its place, below its parent. */
typedef struct Placed {
  sqlite3_int64 parent, id;
  Value *nth;
} Placed;

static int comparePlaced(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

/* In one place, later turns have higher ids. The document drops the ids and keeps the order. */
static void numberPlaces(Export *x) {
  sqlite3_int64 n = x->d->rows[SEC_TURNS].n, i = 0, nth = 0;
  Placed *placed = n ? ts_alloc(x->c, sizeof(*placed) * (size_t)n) : NULL;
  if (!placed) return;
  for (int k = x->path.n - 1; k >= 0; k--) {
    for (sqlite3_int64 id = x->path.segments[k].first; id <= x->path.segments[k].last; id++)
      placed[i++].id = id;
  }
  for (sqlite3_int64 k = 0; k < x->nBeside; k++)
    placed[i++].id = x->beside[k];
  for (i = 0; i < n; i++) {
    Value *row = ts_doc_row(x->d, SEC_TURNS, i);
    placed[i].parent = ts_value_number(&row[TURN_PARENT]);
    placed[i].nth = &row[TURN_NTH];
  }
  qsort(placed, (size_t)n, sizeof(*placed), comparePlaced);
  for (i = 0; i < n; i++) {
    nth = i && placed[i].parent == placed[i - 1].parent ? nth + 1 : 1;
    *placed[i].nth = ts_value_int(nth);
  }
}

static void readThread(Export *x) {
  if (x->s->head) ts_path(x->c, x->s->head, 0, TS_DEPTH(x->s->head), &x->path);
  for (int i = x->path.n - 1; i >= 0 && x->c->rc == SQLITE_OK; i--)
    readTurns(x, x->path.segments[i].first, x->path.segments[i].last);
  findFailed(x);
  x->nPath = x->d->rows[SEC_TURNS].n;
  for (sqlite3_int64 i = 0; i < x->nPath && x->c->rc == SQLITE_OK; i++) {
    const Value *row = ts_doc_row(x->d, SEC_TURNS, i);
    addBeside(x, ts_value_number(&row[TURN_CONTEXT]));
    addFailed(x, ts_value_number(&row[TURN_RESUMES]));
  }
  addFailed(x, x->failed);
  addShown(x);
  endRunning(x);
  if (x->c->rc == SQLITE_OK) numberPlaces(x);
}

typedef void (*RangeVisit)(Export *x, sqlite3_int64 first, sqlite3_int64 last);

static void eachRange(Export *x, RangeVisit visit) {
  for (int i = x->path.n - 1; i >= 0 && x->c->rc == SQLITE_OK; i--)
    visit(x, x->path.segments[i].first, x->path.segments[i].last);
  for (sqlite3_int64 i = 0; i < x->nBeside && x->c->rc == SQLITE_OK; i++)
    visit(x, x->beside[i], x->beside[i]);
}

static void readRange(Export *x, SectionId s, int statement, sqlite3_int64 from, sqlite3_int64 to) {
  Query q = ts_query(x->c, statement, "ii", from, to);
  while (ts_row(x->c, &q))
    takeRow(x, s, &q);
  ts_end(x->c, &q);
}

static void readMessages(Export *x, sqlite3_int64 first, sqlite3_int64 last) {
  readRange(x, SEC_MESSAGES, SQL_EXPORT_MESSAGES, TS_FIRST_PLACE(first), TS_LAST_PLACE(last));
}

static void readCalls(Export *x, sqlite3_int64 first, sqlite3_int64 last) {
  readRange(x, SEC_TOOL_CALLS, SQL_EXPORT_TOOL_CALLS, TS_FIRST_PLACE(first), TS_LAST_PLACE(last));
}

static void readCompactions(Export *x, sqlite3_int64 first, sqlite3_int64 last) {
  readRange(x, SEC_COMPACTIONS, SQL_EXPORT_COMPACTIONS, first, last);
}

/* Where the head was. A turn that is not in the document is replaced by the last turn that its path
** shares with the thread; a turn of another tree becomes the place before the first turn. The
** number of moves stays the same. */
static void readHistory(Export *x) {
  Cmd *c = x->c;
  Query q = ts_query(c, SQL_EXPORT_HISTORY, "t", &x->s->label);
  while (ts_row(c, &q)) {
    sqlite3_int64 turn = ts_col_int(&q, COL_EXPORT_HISTORY_TURN);
    Value *row = takeRow(x, SEC_HISTORY, &q);
    if (!row || !turn || ts_id_map_get(&x->ids[SEC_TURNS], turn)) continue;
    turn = x->s->head ? ts_common_ancestor(c, turn, x->s->head) : 0;
    row[HISTORY_TURN] = turn ? ts_value_int(turn) : ts_value_null();
  }
  ts_end(c, &q);
}

/* ---- Events -------------------------------------------------------------------------------------- */

static void readEvents(Export *x) {
  Query q = ts_query(x->c, SQL_EXPORT_EVENTS, "t", &x->s->label);
  sqlite3_int64 room = 0;
  while (ts_row(x->c, &q)) {
    sqlite3_int64 *list = ts_array_more(x->c, x->events, x->nEvents, &room, sizeof(*list));
    if (!list) break;
    x->events = list;
    x->events[x->nEvents++] = ts_col_int(&q, COL_EXPORT_EVENTS_ROW);
    takeRow(x, SEC_EVENTS, &q);
  }
  ts_end(x->c, &q);
}

/* The last event of an object, which may be another session's: as the number of this session's
** events up to it. */
static void countEvents(const Export *x, Value *v) {
  sqlite3_int64 first = 0, behind = x->nEvents;
  if (TS_IS_NULL(v)) return;
  while (first < behind) {
    sqlite3_int64 middle = first + (behind - first) / 2;
    if (x->events[middle] <= ts_value_number(v)) {
      first = middle + 1;
    } else {
      behind = middle;
    }
  }
  *v = ts_value_int(first);
}

/* The events of an axis end in this state, at the time of the last one. */
static void endAxis(Export *x, const char *axis, const char *const *ends, const char *trigger) {
  for (sqlite3_int64 i = x->d->rows[SEC_EVENTS].n; i > 0; i--) {
    const Value *row = ts_doc_row(x->d, SEC_EVENTS, i - 1);
    Value from = row[EVENT_TO], task = row[EVENT_TASK], at = row[EVENT_AT], data = row[EVENT_DATA];
    Value *end;
    if (!ts_text_is(ts_value_get(&row[EVENT_AXIS]), axis)) continue;
    for (int k = 0; ends[k]; k++)
      if (ts_text_is(ts_value_get(&from), ends[k])) return;
    end = ts_doc_add(x->d, SEC_EVENTS);
    if (!end) return;
    end[EVENT_TASK] = task;
    end[EVENT_AXIS] = ts_value_text((Text){axis, (int)strlen(axis)});
    end[EVENT_FROM] = from;
    end[EVENT_TO] = ts_value_text((Text){ends[0], (int)strlen(ends[0])});
    end[EVENT_TRIGGER] = ts_value_text((Text){trigger, (int)strlen(trigger)});
    end[EVENT_DATA] = strcmp(axis, "turn") == 0 ? data : ts_value_null();
    end[EVENT_AT] = at;
    return;
  }
}

/* The document has neither the run nor a running turn: both end as if the process had died. */
static void endRun(Export *x) {
  static const char *const turn[] = {"failed", "completed", "aborted", NULL};
  static const char *const run[] = {"idle", NULL};
  endAxis(x, "turn", turn, "fail");
  endAxis(x, "run", run, "stop");
}

/* ---- Deliveries and inputs ------------------------------------------------------------------------- */

/* When two messages came from elsewhere with the same id, the first keeps it. */
static void dropKnownId(Export *x, const Value *row, sqlite3_int64 from) {
  Value *mine = (Value *)row;
  for (sqlite3_int64 i = from; i < x->d->rows[SEC_DELIVERIES].n - 1; i++) {
    const Value *other = ts_doc_row(x->d, SEC_DELIVERIES, i);
    if (ts_text_equal(ts_value_get(&other[DELIVERY_MESSAGE_ID]),
                      ts_value_get(&row[DELIVERY_MESSAGE_ID])) &&
        ts_text_equal(ts_value_get(&other[DELIVERY_CHANNEL]),
                      ts_value_get(&row[DELIVERY_CHANNEL])) &&
        ts_text_equal(ts_value_get(&other[DELIVERY_SENDER]), ts_value_get(&row[DELIVERY_SENDER]))) {
      mine[DELIVERY_MESSAGE_ID] = ts_value_null();
      return;
    }
  }
}

/* The last delivery before the open task asked its question, 0: it asks nothing. */
static sqlite3_int64 askedAfter(const Export *x) {
  return ts_state_asks(x->s->task.state) ? x->s->task.askedAfter : 0;
}

/* The same as a number of deliveries in the document. */
static void countAskedAfter(const Export *x) {
  for (sqlite3_int64 i = 0; i < x->d->rows[SEC_TASKS].n; i++) {
    Value *v = &ts_doc_row(x->d, SEC_TASKS, i)[TASK_ASKED_AFTER];
    if (!TS_IS_NULL(v)) *v = ts_value_int(x->nAskedAfter);
  }
}

static void readDeliveries(Export *x) {
  sqlite3_int64 foreign = -1, after = askedAfter(x);
  Query q = ts_query(x->c, SQL_EXPORT_DELIVERIES, "t", &x->s->label);
  while (ts_row(x->c, &q)) {
    Value *row = takeRow(x, SEC_DELIVERIES, &q);
    if (!row) break;
    if (ts_col_int(&q, COL_EXPORT_DELIVERIES_ROW) <= after ||
        ts_col_int(&q, COL_EXPORT_DELIVERIES_IS_ELSEWHERE))
      x->nAskedAfter = x->d->rows[SEC_DELIVERIES].n;
    if (!ts_col_int(&q, COL_EXPORT_DELIVERIES_IS_ELSEWHERE)) continue;
    if (foreign < 0) foreign = x->d->rows[SEC_DELIVERIES].n - 1;
    if (TS_IS_TEXT(&row[DELIVERY_MESSAGE_ID])) dropKnownId(x, row, foreign);
  }
  ts_end(x->c, &q);
}

static void closeInput(Value *row, const char *status, sqlite3_int64 at, Text error) {
  row[QUEUE_STATUS] = ts_value_text((Text){status, (int)strlen(status)});
  row[QUEUE_DELIVERED_AT] = ts_value_int(at);
  row[QUEUE_ERROR] = ts_value_text(error);
}

/* An input that moved to another session is finished here, even if it waits there for a decision.
** */
static void leaveInput(Value *row) {
  static const int theirs[] = {QUEUE_DUE_AT, QUEUE_DUE_AFTER, QUEUE_SHOWN_TURN};
  for (int i = 0; i < 3; i++)
    row[theirs[i]] = ts_value_null();
  row[QUEUE_HELD] = ts_value_int(0);
  row[QUEUE_AWAITS_TURN] = ts_value_int(1);
  if (TS_IS_NULL(&row[QUEUE_DELIVERED_AT]) ||
      ts_text_is(ts_value_get(&row[QUEUE_STATUS]), "failed")) {
    closeInput(row, "cancelled", ts_value_number(&row[QUEUE_ENQUEUED_AT]),
               TS_TEXT("it waits in another session"));
  }
}

/* An input of a running turn: exported as after a crash of that turn. */
static void giveBack(Export *x, Value *row) {
  sqlite3_int64 attempts = ts_value_number(&row[QUEUE_ATTEMPTS]);
  sqlite3_int64 at = ts_value_number(&row[QUEUE_ENQUEUED_AT]);
  Query q = ts_query(x->c, SQL_EXPORT_TURN_STARTED, "i", ts_value_number(&row[QUEUE_TURN]));
  if (ts_row(x->c, &q)) at = ts_col_int(&q, COL_EXPORT_TURN_STARTED_STARTED_AT);
  ts_end(x->c, &q);
  if (x->running && x->recorded && ts_value_number(&row[QUEUE_TURN]) == x->running) {
    closeInput(row, "failed", at, TS_TEXT("the session was exported while a turn worked on it"));
    return;
  }
  if (attempts >= ts_config_int(x->c, x->s->label, CONFIG_MAX_ATTEMPTS)) {
    const char *error =
        attempts == 1 ? "tried once" : ts_printf(x->c, "tried %lld times", attempts);
    if (error) closeInput(row, "failed", at, (Text){error, (int)strlen(error)});
  } else {
    row[QUEUE_STATUS] = ts_value_text(TS_TEXT("pending"));
  }
  row[QUEUE_TURN] = ts_value_null();
}

/* An input's last attempt, up to a given one, that is in the document, or 0. */
static sqlite3_int64 attemptHere(Export *x, sqlite3_int64 turn, sqlite3_int64 queueId) {
  while (turn && !ts_id_map_get(&x->ids[SEC_TURNS], turn))
    turn = ts_retried_by(x->c, turn, queueId);
  return turn;
}

/* The turn that a message repeats is in the document. */
static void repeatHere(Export *x, Value *metadata) {
  sqlite3_int64 queueId, retries, here;
  if (TS_IS_NULL(metadata) || !ts_input_metadata(ts_value_get(metadata), &queueId, &retries))
    return;
  here = attemptHere(x, retries, queueId);
  if (here != retries) *metadata = ts_value_text(ts_input_metadata_new(x->c, queueId, here));
}

static void readInput(Export *x, sqlite3_int64 id) {
  Query q = ts_query(x->c, SQL_EXPORT_INPUT, "it", id, &x->s->label);
  Value *row = ts_row(x->c, &q) ? takeRow(x, SEC_QUEUE, &q) : NULL;
  if (row && ts_col_int(&q, COL_EXPORT_INPUT_IS_ELSEWHERE)) {
    leaveInput(row);
  } else if (row && ts_text_is(ts_value_get(&row[QUEUE_STATUS]), "processing")) {
    giveBack(x, row);
  }
  if (row && !TS_IS_NULL(&row[QUEUE_SHOWN_TURN])) {
    row[QUEUE_SHOWN_TURN] =
        ts_value_int(attemptHere(x, ts_value_number(&row[QUEUE_SHOWN_TURN]), id));
  }
  ts_end(x->c, &q);
}

static void readQueue(Export *x) {
  Query q = ts_query(x->c, SQL_EXPORT_QUEUE, "t", &x->s->label);
  while (ts_row(x->c, &q))
    readInput(x, ts_col_int(&q, COL_EXPORT_QUEUE_ID));
  ts_end(x->c, &q);
}

/* ---- References ------------------------------------------------------------------------------------ */

static Text visitRef(void *arg, RefKind kind, Text json) {
  static const SectionId sections[] = {
      [REF_TASK] = SEC_TASKS,          [REF_COMMIT] = SEC_COMMITS, [REF_TURN] = SEC_TURNS,
      [REF_DELIVERY] = SEC_DELIVERIES, [REF_QUEUE] = SEC_QUEUE,
  };
  Export *x = arg;
  sqlite3_int64 id = 0, n;
  const char *z;
  if (kind == REF_SELF) {
    Text own, value = none;
    Query q = ts_query(x->c, SQL_JSON_GET, "ts", &json, "$");
    if (ts_row(x->c, &q)) value = ts_col_text(x->c, &q, COL_JSON_GET_VALUE);
    ts_end(x->c, &q);
    own = x->s->label;
    return ts_text_equal(value, own) ? TS_TEXT("null") : none;
  }
  if (kind == REF_COMMIT) {
    Text value = none;
    Query q = ts_query(x->c, SQL_JSON_GET, "ts", &json, "$");
    if (ts_row(x->c, &q)) value = ts_col_text(x->c, &q, COL_JSON_GET_VALUE);
    ts_end(x->c, &q);
    if (value.z) {
      q = ts_query(x->c, SQL_EXPORT_COMMIT, "t", &value);
      if (ts_row(x->c, &q)) id = ts_col_int(&q, COL_EXPORT_COMMIT_SEQ);
      ts_end(x->c, &q);
    }
  } else {
    for (int i = 0; i < json.n && i < 18 && json.z[i] >= '0' && json.z[i] <= '9'; i++)
      id = id * 10 + (json.z[i] - '0');
  }
  n = ts_id_map_get(&x->ids[sections[kind]], id);
  if (!n) return TS_TEXT("null");
  z = ts_printf(x->c, "%lld", n);
  return (Text){z, z ? (int)strlen(z) : 0};
}

static void replaceRefs(Export *x, RefPlace place, Value *v, const char *what) {
  Text json = ts_value_get(v), done;
  if (!json.z || place == REFS_NONE || x->c->rc != SQLITE_OK) return;
  done = ts_refs_replace(x->c, place, json, visitRef, x);
  if (x->c->rc == SQLITE_OK && !done.z) {
    ts_fail(x->c, SQLITE_CORRUPT_VTAB, "session '%.*s' is damaged: %s is not as it was written",
            x->s->label.n, x->s->label.z, what);
  }
  *v = ts_value_text(done);
}

/* "17" after the kind note or task is a row's number. A number that is not this session's gets a
** mark, so that it does not name a row elsewhere. */
static void linkRef(Export *x, const Value *kind, Value *v) {
  Text k = ts_value_get(kind), ref = ts_value_get(v);
  sqlite3_int64 id = 0, n;
  int isNote = ts_text_is(k, "note");
  if ((!isNote && !ts_text_is(k, "task")) || !ref.n || ref.n > 16) return;
  for (int i = 0; i < ref.n; i++) {
    if (ref.z[i] < '0' || ref.z[i] > '9') return;
    id = id * 10 + (ref.z[i] - '0');
  }
  n = ref.z[0] == '0' ? 0 : ts_id_map_get(&x->ids[isNote ? SEC_OBSERVATIONS : SEC_TASKS], id);
  if (n) {
    *v = ts_value_int(n);
  } else {
    const char *z = ts_printf(x->c, "?%.*s", ref.n, ref.z);
    if (z) *v = ts_value_text((Text){z, (int)strlen(z)});
  }
}

/* A message that asks for work names its input. When the input moved to another session, the
** message names that session's row; the input here is the one that has this message. */
static void nameInput(Export *x, Value *row, sqlite3_int64 n) {
  for (sqlite3_int64 i = 0; i < x->d->rows[SEC_QUEUE].n && x->c->rc == SQLITE_OK; i++) {
    const Value *input = ts_doc_row(x->d, SEC_QUEUE, i);
    Text decision = ts_value_get(&row[DELIVERY_DECISION]);
    Query q;
    if (ts_value_number(&input[QUEUE_DELIVERY]) != n) continue;
    q = ts_query(x->c, SQL_EXPORT_NAME_INPUT, "ti", &decision, i + 1);
    if (ts_row(x->c, &q))
      row[DELIVERY_DECISION] = ts_value_text(ts_col_text(x->c, &q, COL_EXPORT_NAME_INPUT_DECISION));
    ts_end(x->c, &q);
    return;
  }
}

static void nameInputs(Export *x) {
  for (sqlite3_int64 i = 0; i < x->d->rows[SEC_DELIVERIES].n && x->c->rc == SQLITE_OK; i++) {
    Value *row = ts_doc_row(x->d, SEC_DELIVERIES, i);
    Text decision = ts_value_get(&row[DELIVERY_DECISION]);
    static const char unknown[] = "\"queue_id\":null";
    int lost = 0;
    for (int k = 0; !lost && k + (int)sizeof(unknown) - 1 <= decision.n; k++)
      lost = decision.z[k] == '"' && memcmp(decision.z + k, unknown, sizeof(unknown) - 1) == 0;
    if (lost) nameInput(x, row, i + 1);
  }
}

static void resolve(Export *x) {
  Doc *d = x->d;
  Value *session;
  for (int s = 0; s < SEC_COUNT; s++) {
    const SectionSpec *spec = &ts_sections[s];
    for (sqlite3_int64 i = 0; i < d->rows[s].n && x->c->rc == SQLITE_OK; i++) {
      Value *row = ts_doc_row(d, (SectionId)s, i);
      for (int f = 0; f < spec->nFields; f++) {
        sqlite3_int64 n;
        if (spec->fields[f].kind != FIELD_REF || TS_IS_NULL(&row[f])) continue;
        n = ts_id_map_get(&x->ids[spec->fields[f].of], ts_value_number(&row[f]));
        row[f] = n || (spec->fields[f].flags & FIELD_OR_GONE) ? ts_value_int(n) : ts_value_null();
      }
      switch (s) {
      case SEC_EDGES:
        linkRef(x, &row[EDGE_FROM_KIND], &row[EDGE_FROM_REF]);
        linkRef(x, &row[EDGE_TO_KIND], &row[EDGE_TO_REF]);
        break;
      case SEC_MESSAGES:
        repeatHere(x, &row[MESSAGE_METADATA]);
        replaceRefs(x, REFS_METADATA, &row[MESSAGE_METADATA], "metadata of a message");
        break;
      case SEC_EVENTS:
        replaceRefs(x, ts_event_refs(row), &row[EVENT_DATA], "data of an event");
        break;
      case SEC_DELIVERIES:
        replaceRefs(x, REFS_DECISION, &row[DELIVERY_DECISION], "a decision");
        break;
      default: break;
      }
    }
  }
  for (sqlite3_int64 i = 0; i < d->rows[SEC_HISTORY].n; i++)
    countEvents(x, &ts_doc_row(d, SEC_HISTORY, i)[HISTORY_EVENTS]);
  countAskedAfter(x);
  if (!d->rows[SEC_SESSION].n) return;
  session = ts_doc_row(d, SEC_SESSION, 0);
  countEvents(x, &session[SESSION_HEAD_EVENTS]);
  replaceRefs(x, REFS_CHOICE, &session[SESSION_PENDING_CHOICE], "pending_choice");
  nameInputs(x);
}

void ts_doc_load(Cmd *c, const Session *s, Doc *d) {
  Export x;
  memset(&x, 0, sizeof(x));
  memset(d, 0, sizeof(*d));
  d->c = c;
  d->version = TS_EXPORT_VERSION;
  d->label = s->label;
  x.c = c;
  x.s = s;
  x.d = d;
  readSection(&x, SEC_SESSION, SQL_EXPORT_SESSION);
  readSection(&x, SEC_TASKS, SQL_EXPORT_TASKS);
  readSection(&x, SEC_STEPS, SQL_EXPORT_STEPS);
  readSection(&x, SEC_OBSERVATIONS, SQL_EXPORT_OBSERVATIONS);
  readObjects(&x);
  readSection(&x, SEC_EDGES, SQL_EXPORT_EDGES);
  readSection(&x, SEC_COMMITS, SQL_EXPORT_COMMITS);
  readThread(&x);
  eachRange(&x, readMessages);
  eachRange(&x, readCalls);
  eachRange(&x, readCompactions);
  readHistory(&x);
  readEvents(&x);
  endRun(&x);
  readDeliveries(&x);
  readQueue(&x);
  readSection(&x, SEC_ALIASES, SQL_EXPORT_ALIASES);
  readSection(&x, SEC_CONFIG, SQL_EXPORT_CONFIG);
  if (c->rc != SQLITE_OK) return;
  if (d->rows[SEC_SESSION].n && x.failed) {
    ts_doc_row(d, SEC_SESSION, 0)[SESSION_FAILED_TURN] = ts_value_int(x.failed);
  }
  resolve(&x);
}

/* ---- As JSON --------------------------------------------------------------------------------------- */

static void putRow(Json *j, const SectionSpec *spec, const Value *row) {
  ts_json_open(j, '{');
  for (int f = 0; f < spec->nFields; f++) {
    ts_json_key(j, spec->fields[f].name);
    if (TS_IS_INT(&row[f])) {
      ts_json_int(j, row[f].u.i);
    } else {
      ts_json_text(j, ts_value_get(&row[f]));
    }
  }
  ts_json_close(j, '}');
}

static void putContent(Json *j, const Doc *d) {
  ts_json_open(j, '{');
  for (int s = 0; s < SEC_COUNT && j->c->rc == SQLITE_OK; s++) {
    const SectionSpec *spec = &ts_sections[s];
    ts_json_key(j, spec->name);
    if (s != SEC_SESSION) ts_json_open(j, '[');
    for (sqlite3_int64 i = 0; i < d->rows[s].n && j->c->rc == SQLITE_OK; i++)
      putRow(j, spec, ts_doc_row(d, (SectionId)s, i));
    if (s != SEC_SESSION) ts_json_close(j, ']');
  }
  ts_json_close(j, '}');
}

static const ArgSpec exportArgs[] = {{"label", ARG_LABEL, 1}};

static void runExport(Cmd *c) {
  Text uuid = none, progress = none;
  HashId hash;
  Session s;
  Query q;
  Json j;
  Doc d;
  /* While this statement is open, all reads see the session at one moment. */
  q = ts_query(c, SQL_META_UUID, "");
  if (ts_row(c, &q)) uuid = ts_col_text(c, &q, COL_META_UUID_UUID);
  ts_session_load_named(c, c->arg[0].text, &s);
  if (s.exists) {
    ts_doc_load(c, &s, &d);
    progress = ts_progress_text(c, &s);
  }
  ts_end(c, &q);
  if (!s.exists) ts_return_null(c);
  if (c->rc != SQLITE_OK || !s.exists) return;
  hash = ts_doc_hash(&d, TS_EXPORT_VERSION);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "turnstile_export", TS_EXPORT_VERSION);
  ts_json_put(&j, "label", s.label);
  ts_json_put_int(&j, "exported_at", c->now);
  ts_json_put(&j, "uuid", uuid);
  ts_json_put_string(&j, "hash", hash.hex);
  ts_json_put(&j, "progress_summary", progress);
  ts_json_key(&j, "content");
  putContent(&j, &d);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_session_export = {"session_export", runExport, COMMAND_READ,
                                       TS_ARGS(1, exportArgs), NULL};
