/*
** import.c - session_import(): makes a session from a document that session_export made.
**
**   SELECT session_import(:json);
**   -- {"session":"main","hash":"…","unchanged":false,"turns":12,…}
**
** Anybody may have written the document. It is read whole and nothing in it is trusted: the command
** checks the shape of every row, then the digest over all rows, then every row against the others.
** The ids of steps and commits, and the hashes of observations and objects, are computed again from
** their content, by the functions that compute them when they are first written (task.h). The first
** fault ends the command; the error names section, row and field as JSON counts them, from 0.
**
** Then the rows are written with new ids. Every row that others point at has a number in the
** document, and its id follows from that number: tasks, observations, deliveries and inputs get the
** next ids of their tables, and turns get the places that they would have got one after the other.
** Under another label, steps and commits get other ids, because the label is part of their content.
**
** The guards are open meanwhile, because these rows are not written move by move.
*/
#include "import.h"

#include "check.h"
#include "config.h"
#include "corrections.h"
#include "decimal.h"
#include "delete.h"
#include "export.h"
#include "ids.h"
#include "import_document.h"
#include "queue.h"
#include "settle.h"
#include "task.h"
#include "tree.h"
#include "utf8.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Writing ---------------------------------------------------------------------------------------- */

#define MAX_BOUND 32

/* Values on their way into a statement. */
typedef struct Bound {
  Value v[MAX_BOUND];
  int n;
} Bound;

static void add(Bound *b, Value v) {
  b->v[b->n++] = v;
}

static void addText(Bound *b, Text t) {
  add(b, ts_value_text(t));
}

static void addInt(Bound *b, sqlite3_int64 i) {
  add(b, ts_value_int(i));
}

/* 0 becomes NULL. */
static void addId(Bound *b, sqlite3_int64 id) {
  add(b, id ? ts_value_int(id) : ts_value_null());
}

static void addFields(Bound *b, const Value *row, int from, int to) {
  for (int f = from; f <= to; f++)
    add(b, row[f]);
}

/* Fields of which one is a number with a fraction, written as text: SQLite versions read its last
** digits differently. */
static void addFieldsReal(Bound *b, const Value *row, int from, int to, int real) {
  Text t = ts_value_get(&row[real]);
  int at = b->n + real - from;
  double r;
  addFields(b, row, from, to);
  if (!t.z || !ts_decimal_read(t.z, t.n, &r)) return;
  b->v[at].type = SQLITE_FLOAT;
  b->v[at].u.r = r;
}

static int bindValue(sqlite3_stmt *stmt, int i, const Value *v) {
  switch (v->type) {
  case SQLITE_INTEGER: return sqlite3_bind_int64(stmt, i, v->u.i);
  case SQLITE_FLOAT: return sqlite3_bind_double(stmt, i, v->u.r);
  case SQLITE_TEXT: return sqlite3_bind_text(stmt, i, v->u.z, v->n, SQLITE_STATIC);
  default: return sqlite3_bind_null(stmt, i);
  }
}

static void run(Import *x, int statement, const Bound *b) {
  Cmd *c = x->c;
  Query q = ts_query(c, statement, "");
  for (int i = 0; q.stmt && i < b->n && c->rc == SQLITE_OK; i++) {
    int rc = bindValue(q.stmt, i + 1, &b->v[i]);
    if (rc != SQLITE_OK) ts_fail_db(c, rc);
  }
  while (ts_row(c, &q)) {
  }
  ts_end(c, &q);
}

static sqlite3_int64 taskId(const Import *x, sqlite3_int64 n) {
  return n ? x->firstTask + n - 1 : 0;
}

/* 0 stays: a task that is in no document. */
static void addTask(const Import *x, Bound *b, const Value *n) {
  add(b, TS_IS_NULL(n) ? *n : ts_value_int(taskId(x, ts_value_number(n))));
}

static sqlite3_int64 turnId(const Import *x, sqlite3_int64 n) {
  return n ? x->turns[n - 1] : 0;
}

static Text stepId(const Import *x, sqlite3_int64 n) {
  return n ? x->steps[n - 1] : none;
}

static Text commitId(const Import *x, sqlite3_int64 n) {
  return n ? x->commits[n - 1] : none;
}

static Text visitNumber(void *arg, RefKind kind, Text json) {
  static const SectionId sections[] = {
      [REF_TASK] = SEC_TASKS,          [REF_COMMIT] = SEC_COMMITS, [REF_TURN] = SEC_TURNS,
      [REF_DELIVERY] = SEC_DELIVERIES, [REF_QUEUE] = SEC_QUEUE,
  };
  Import *x = arg;
  sqlite3_int64 n = 0, id = 0;
  const char *z;
  x->nVisited++;
  if (kind == REF_SELF) {
    /* null: the session itself; any other name is kept as it was. */
    if (!ts_text_is(json, "null")) return none;
    {
      Text quoted = none;
      Query q = ts_query(x->c, SQL_JSON_QUOTE, "t", &x->label);
      if (ts_row(x->c, &q)) quoted = ts_col_text(x->c, &q, COL_JSON_QUOTE_JSON);
      ts_end(x->c, &q);
      return quoted;
    }
  }
  x->visited = 0;
  if (ts_text_is(json, "null")) return none;
  for (int i = 0; i < json.n; i++) {
    if (json.z[i] < '0' || json.z[i] > '9' || i > 15) {
      x->badRef = 1;
      return none;
    }
    n = n * 10 + (json.z[i] - '0');
  }
  if (n < 1 || n > rowsOf(x, sections[kind])) {
    x->badRef = 1;
    return none;
  }
  x->visited = n;
  switch (kind) {
  case REF_TASK: id = taskId(x, n); break;
  case REF_TURN: id = turnId(x, n); break;
  case REF_DELIVERY: id = x->firstDelivery + n - 1; break;
  case REF_QUEUE: id = x->firstInput + n - 1; break;
  default: break;
  }
  z = kind == REF_COMMIT ? ts_printf(x->c, "\"%s\"", x->commits[n - 1].z)
                         : ts_printf(x->c, "%lld", id);
  return (Text){z, z ? (int)strlen(z) : 0};
}

/* A field's JSON with ids in place of its numbers. */
static Text withIds(Import *x, SectionId s, sqlite3_int64 i, int field, RefPlace place) {
  Text json = ts_value_get(&rowOf(x, s, i)[field]), done;
  x->visited = 0;
  x->nVisited = x->badRef = 0;
  if (!json.z || place == REFS_NONE || x->c->rc != SQLITE_OK) return json;
  json = ts_import_json(x, json, &done);
  done = ts_refs_replace(x->c, place, json, visitNumber, x);
  if (x->c->rc == SQLITE_OK && (!done.z || x->badRef)) {
    ts_import_fail(x, s, i, field, "refers to a row that is not there, or not by its number");
  }
  return done;
}

/* The id of a section's first row. */
static sqlite3_int64 firstId(Import *x, SectionId section, IdKind kind) {
  sqlite3_int64 last = ts_id_last(x->c, kind);
  if (last > TURNSTILE_MAX_INTEGER / 2) {
    ts_fail(x->c, SQLITE_TOOBIG, "ids of the file are too high: %lld", last);
  }
  if (rowsOf(x, section)) ts_id_taken(x->c, kind);
  return last + 1;
}

/* As when they were made: the first turn below another one continues its branch, and each later one
** begins a new branch. So the later of two turns has the higher id, and every turn has a higher id
** than its parent. */
static void placeTurns(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TURNS) && x->c->rc == SQLITE_OK; i++) {
    const Placed *p = &x->placed[i];
    sqlite3_int64 parent = turnId(x, p->parent);
    int isFirst = !i || p->parent != x->placed[i - 1].parent;
    x->turns[p->turn - 1] =
        parent && isFirst ? parent + 1
                          : TS_TURN(ts_branch_add(x->c, parent), parent ? TS_DEPTH(parent) + 1 : 0);
  }
}

static void findIds(Import *x) {
  x->firstTask = firstId(x, SEC_TASKS, ID_TASK);
  x->firstObservation = firstId(x, SEC_OBSERVATIONS, ID_OBSERVATION);
  x->firstEvent = firstId(x, SEC_EVENTS, ID_EVENT);
  x->firstDelivery = firstId(x, SEC_DELIVERIES, ID_DELIVERY);
  x->firstInput = firstId(x, SEC_QUEUE, ID_INPUT);
  x->turns = ts_import_array(x, sizeof(*x->turns), rowsOf(x, SEC_TURNS));
  x->ended = ts_import_array(x, sizeof(void *), rowsOf(x, SEC_TURNS));
  if (x->c->rc == SQLITE_OK) placeTurns(x);
}

/* The last of so many deliveries. */
static void addAskedAfter(const Import *x, Bound *b, const Value *count) {
  add(b, TS_IS_NULL(count) ? *count : ts_value_int(x->firstDelivery + ts_value_number(count) - 1));
}

static void writeTasks(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_OBJECTS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_OBJECTS, i);
    Bound b = {.n = 0};
    addFields(&b, row, OBJECT_ID, OBJECT_DATA);
    run(x, SQL_OBJECT_ADD, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TASKS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_TASKS, i);
    Bound b = {.n = 0};
    addText(&b, x->label);
    addInt(&b, taskId(x, i + 1));
    addFields(&b, row, TASK_DESCRIPTION, TASK_ENDED_AT);
    addText(&b, stepId(x, number(row, TASK_HEAD_STEP)));
    addText(&b, commitId(x, number(row, TASK_BASE_COMMIT)));
    addText(&b, commitId(x, number(row, TASK_COMMIT)));
    add(&b, row[TASK_WORKED]);
    addId(&b, taskId(x, number(row, TASK_CONTINUES)));
    addAskedAfter(x, &b, &row[TASK_ASKED_AFTER]);
    run(x, SQL_IMPORT_TASK, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_STEPS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_STEPS, i);
    Bound b = {.n = 0};
    addInt(&b, taskId(x, number(row, STEP_TASK)));
    addText(&b, x->steps[i]);
    addText(&b, stepId(x, number(row, STEP_PARENT)));
    addFields(&b, row, STEP_KIND, STEP_CREATED_AT);
    run(x, SQL_IMPORT_STEP, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_COMMITS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_COMMITS, i);
    sqlite3_int64 seq;
    Bound b = {.n = 0};
    addText(&b, x->commits[i]);
    addText(&b, commitId(x, number(row, COMMIT_PARENT)));
    addText(&b, x->label);
    addInt(&b, taskId(x, number(row, COMMIT_TASK)));
    addFields(&b, row, COMMIT_MESSAGE, COMMIT_TYPE_DATA);
    addText(&b, stepId(x, number(row, COMMIT_HEAD_STEP)));
    add(&b, row[COMMIT_CREATED_AT]);
    seq = ts_id_take(x->c, ID_COMMIT);
    if (seq) addInt(&b, seq);
    run(x, seq ? SQL_COMMIT_ADD_AT : SQL_COMMIT_ADD, &b);
  }
}

static void addLink(Import *x, Bound *b, sqlite3_int64 i, int kind, int ref) {
  const Value *row = rowOf(x, SEC_EDGES, i);
  int isNote = isWord(row, kind, "note");
  sqlite3_int64 n = number(row, ref);
  const char *z;
  if (!n) {
    add(b, row[ref]);
    return;
  }
  if ((!isNote && !isWord(row, kind, "task")) ||
      n > rowsOf(x, isNote ? SEC_OBSERVATIONS : SEC_TASKS)) {
    ts_import_fail(x, SEC_EDGES, i, ref, "is not a row of %s", isNote ? "observations" : "tasks");
  }
  z = ts_printf(x->c, "%lld", isNote ? x->firstObservation + n - 1 : taskId(x, n));
  addText(b, (Text){z, z ? (int)strlen(z) : 0});
}

/* Does a relation that no step lists come after all listed ones? When no step lists any, as in
** older documents, its time decides, unless there is only one task. */
static int isOfLast(const Import *x, sqlite3_int64 i, const Value *task) {
  if (x->listedEdges || rowsOf(x, SEC_TASKS) == 1) return i >= x->listedEdges;
  return number(task, TASK_STARTED_AT) <= number(rowOf(x, SEC_EDGES, i), EDGE_CREATED_AT);
}

/* The task of a relation, which documents of version 1 don't name: its step's task. A relation of
** the open task may not be listed yet. */
static sqlite3_int64 guessTask(const Import *x, sqlite3_int64 i) {
  const Value *row = rowOf(x, SEC_EDGES, i);
  sqlite3_int64 step = x->edgeStep[i], to = number(row, EDGE_TO_REF);
  sqlite3_int64 open = number(rowOf(x, SEC_SESSION, 0), SESSION_OPEN_TASK);
  if (step) return number(rowOf(x, SEC_STEPS, step - 1), STEP_TASK);
  if (!open) return 0;
  if (to && isWord(row, EDGE_TO_KIND, "task") && isWord(row, EDGE_LABEL, "Mentions")) {
    return to == open ? open : 0;
  }
  return isOfLast(x, i, rowOf(x, SEC_TASKS, open - 1)) ? open : 0;
}

static sqlite3_int64 taskOfEdge(const Import *x, sqlite3_int64 i) {
  return x->d.version < 2 ? guessTask(x, i) : number(rowOf(x, SEC_EDGES, i), EDGE_TASK);
}

static void writeObservations(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_OBSERVATIONS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_OBSERVATIONS, i);
    sqlite3_int64 object = number(row, OBS_OBJECT);
    Bound b = {.n = 0};
    addText(&b, x->label);
    addInt(&b, x->firstObservation + i);
    addId(&b, taskId(x, number(row, OBS_TASK)));
    addId(&b, turnId(x, number(row, OBS_TURN)));
    addFields(&b, row, OBS_KIND, OBS_HASH);
    add(&b, object ? rowOf(x, SEC_OBJECTS, object - 1)[OBJECT_ID] : ts_value_null());
    addText(&b, stepId(x, number(row, OBS_STEP)));
    addFields(&b, row, OBS_CREATED_AT, OBS_DATA);
    run(x, SQL_IMPORT_OBSERVATION, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_EDGES) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_EDGES, i);
    Bound b = {.n = 0};
    addText(&b, x->label);
    add(&b, row[EDGE_FROM_KIND]);
    addLink(x, &b, i, EDGE_FROM_KIND, EDGE_FROM_REF);
    add(&b, row[EDGE_TO_KIND]);
    addLink(x, &b, i, EDGE_TO_KIND, EDGE_TO_REF);
    addFieldsReal(&b, row, EDGE_LABEL, EDGE_CREATED_AT, EDGE_WEIGHT);
    addText(&b, stepId(x, x->edgeStep[i]));
    addId(&b, taskId(x, taskOfEdge(x, i)));
    addInt(&b, (number(row, EDGE_FROM_REF) != 0) | 2 * (number(row, EDGE_TO_REF) != 0));
    addId(&b, ts_id_take(x->c, ID_EDGE));
    if (x->c->rc == SQLITE_OK) run(x, SQL_IMPORT_EDGE, &b);
  }
}

/* The turn keeps the id that it had elsewhere unless a turn here has it. */
static Value freeExternalId(Import *x, const Value *v) {
  Text id = ts_value_get(v);
  int taken;
  Query q;
  if (!id.z) return *v;
  q = ts_query(x->c, SQL_TURN_BY_EXTERNAL, "t", &id);
  taken = ts_row(x->c, &q);
  ts_end(x->c, &q);
  if (!taken) return *v;
  x->lost = 1;
  return ts_value_null();
}

static void writeTurns(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TURNS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_TURNS, i);
    Bound b = {.n = 0};
    addInt(&b, turnId(x, i + 1));
    addId(&b, turnId(x, number(row, TURN_PARENT)));
    addFields(&b, row, TURN_TYPE, TURN_CONTEXT - 1);
    addId(&b, turnId(x, number(row, TURN_CONTEXT)));
    addId(&b, turnId(x, number(row, TURN_ANSWERS)));
    addId(&b, turnId(x, number(row, TURN_RESUMES)));
    addFields(&b, row, TURN_INPUTS, TURN_THREAD_TOKENS);
    add(&b, freeExternalId(x, &row[TURN_EXTERNAL_ID]));
    addFields(&b, row, TURN_STARTED_AT, TURN_ERROR);
    run(x, SQL_IMPORT_TURN, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_MESSAGES) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_MESSAGES, i);
    Bound b = {.n = 0};
    addInt(&b,
           TS_FIRST_PLACE(turnId(x, number(row, MESSAGE_TURN))) + number(row, MESSAGE_SEQUENCE));
    addFields(&b, row, MESSAGE_ROLE, MESSAGE_CREATED_AT);
    addText(&b, withIds(x, SEC_MESSAGES, i, MESSAGE_METADATA,
                        x->d.version < 2 ? REFS_METADATA_OLD : REFS_METADATA));
    add(&b, row[MESSAGE_CONTENT]);
    if (x->c->rc == SQLITE_OK) run(x, SQL_IMPORT_MESSAGE, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TOOL_CALLS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_TOOL_CALLS, i);
    Bound b = {.n = 0};
    addInt(&b, TS_FIRST_PLACE(turnId(x, number(row, CALL_TURN))) + number(row, CALL_SEQUENCE));
    addFields(&b, row, CALL_ID, CALL_RESULT);
    run(x, SQL_IMPORT_TOOL_CALL, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_COMPACTIONS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_COMPACTIONS, i);
    Bound b = {.n = 0};
    for (int f = COMPACTION_TURN; f <= COMPACTION_RECOVERED; f++)
      addId(&b, turnId(x, number(row, f)));
    addFields(&b, row, COMPACTION_SUMMARIZED, COMPACTION_SUMMARY);
    run(x, SQL_IMPORT_COMPACTION, &b);
  }
}

/* A call's id is unique in its turn. */
static void checkCallIds(Import *x) {
  sqlite3_int64 n = rowsOf(x, SEC_TOOL_CALLS);
  for (sqlite3_int64 i = 0, next; i < n && x->c->rc == SQLITE_OK; i = next) {
    sqlite3_int64 turn = number(rowOf(x, SEC_TOOL_CALLS, i), CALL_TURN), place = 0;
    Query q;
    for (next = i + 1; next < n && number(rowOf(x, SEC_TOOL_CALLS, next), CALL_TURN) == turn;)
      next++;
    if (next == i + 1) continue;
    q = ts_query(x->c, SQL_IMPORT_REPEATED, "ii", TS_FIRST_PLACE(turnId(x, turn)),
                 TS_LAST_PLACE(turnId(x, turn)));
    if (ts_row(x->c, &q)) place = ts_col_int(&q, COL_IMPORT_REPEATED_PLACE);
    ts_end(x->c, &q);
    for (; place && i < next && x->c->rc == SQLITE_OK; i++) {
      if (TS_FIRST_PLACE(turnId(x, turn)) + number(rowOf(x, SEC_TOOL_CALLS, i), CALL_SEQUENCE) ==
          place) {
        ts_import_fail(x, SEC_TOOL_CALLS, i, CALL_ID, "occurs twice in its turn");
      }
    }
  }
}

/* The last of so many events. */
static void addEvent(const Import *x, Bound *b, const Value *count) {
  add(b, TS_IS_NULL(count) ? *count : ts_value_int(x->firstEvent + ts_value_number(count) - 1));
}

static void writeEvents(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_HISTORY) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_HISTORY, i);
    Bound b = {.n = 0};
    addText(&b, x->label);
    addInt(&b, turnId(x, number(row, HISTORY_TURN)));
    addId(&b, taskId(x, number(row, HISTORY_TASK)));
    addFields(&b, row, HISTORY_CHANGED_AT, HISTORY_REASON);
    addEvent(x, &b, &row[HISTORY_EVENTS]);
    addId(&b, ts_id_take(x->c, ID_HISTORY));
    run(x, SQL_IMPORT_HISTORY, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_EVENTS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_EVENTS, i);
    RefPlace place = ts_event_refs(row);
    Text data = withIds(x, SEC_EVENTS, i, EVENT_DATA, place);
    Bound b = {.n = 0};
    if (place == REFS_TURN && x->nVisited > 1) {
      ts_import_fail(x, SEC_EVENTS, i, EVENT_DATA, "names more than one turn");
    }
    if (isWord(row, EVENT_AXIS, "turn") && x->visited) x->ended[x->visited - 1] = row;
    addText(&b, x->label);
    addId(&b, taskId(x, number(row, EVENT_TASK)));
    addFields(&b, row, EVENT_AXIS, EVENT_TRIGGER);
    addText(&b, data);
    add(&b, row[EVENT_AT]);
    addInt(&b, x->firstEvent + i);
    if (x->c->rc == SQLITE_OK) run(x, SQL_IMPORT_SESSION_EVENT, &b);
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TURNS) && x->c->rc == SQLITE_OK; i++) {
    if (x->ended[i] && !ts_text_equal(ts_value_get(&x->ended[i][EVENT_TO]),
                                      ts_value_get(&rowOf(x, SEC_TURNS, i)[TURN_STATUS]))) {
      ts_import_fail(x, SEC_TURNS, i, TURN_STATUS, "is not where events leave the turn");
    }
  }
}

/* A message that asks for work names its input. */
static int needsInput(const Value *row) {
  return IS_WORD_IN(row, DELIVERY_ACTION, LIST_WORK_ACTION, "classify");
}

static void writeDeliveries(Import *x) {
  int corrects = 0;
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_DELIVERIES) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_DELIVERIES, i);
    Text decision = withIds(x, SEC_DELIVERIES, i, DELIVERY_DECISION, REFS_DECISION);
    Bound b = {.n = 0};
    if (x->c->rc != SQLITE_OK) return;
    if (needsInput(row)) {
      Text type = none;
      Query q = ts_query(x->c, SQL_JSON_GET, "ts", &decision, "$.queue_id");
      if (ts_row(x->c, &q)) type = ts_col_text(x->c, &q, COL_JSON_GET_TYPE);
      ts_end(x->c, &q);
      if (!ts_text_is(type, "integer"))
        ts_import_fail(x, SEC_DELIVERIES, i, DELIVERY_DECISION, "asks for work without a queue_id");
    }
    addText(&b, x->label);
    addInt(&b, x->firstDelivery + i);
    addFieldsReal(&b, row, DELIVERY_MESSAGE_ID, DELIVERY_ACTION, DELIVERY_CONFIDENCE);
    addText(&b, decision);
    addFields(&b, row, DELIVERY_AT, DELIVERY_CORRECTED);
    corrects |= !TS_IS_NULL(&row[DELIVERY_CORRECTED]);
    run(x, SQL_IMPORT_DELIVERY, &b);
    if (x->c->rc == SQLITE_CONSTRAINT_UNIQUE) {
      x->c->rc = SQLITE_OK;
      ts_import_fail(x, SEC_DELIVERIES, i, DELIVERY_MESSAGE_ID,
                     "stands there twice with one channel and sender");
    }
  }
  if (corrects) ts_corrections_changed(x->c);
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_QUEUE) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_QUEUE, i);
    Bound b = {.n = 0};
    addText(&b, x->label);
    addInt(&b, x->firstInput + i);
    addInt(&b, x->firstDelivery + number(row, QUEUE_DELIVERY) - 1);
    addFields(&b, row, QUEUE_SOURCE, QUEUE_ATTEMPTS);
    addId(&b, turnId(x, number(row, QUEUE_TURN)));
    addFields(&b, row, QUEUE_ENQUEUED_AT, QUEUE_AWAITS_TURN);
    addId(&b, turnId(x, number(row, QUEUE_SHOWN_TURN)));
    addFields(&b, row, QUEUE_EXEMPT, QUEUE_ASKED_AT);
    addTask(x, &b, &row[QUEUE_TASK]);
    run(x, SQL_IMPORT_INPUT, &b);
  }
}

static void writeSession(Import *x) {
  const Value *row = rowOf(x, SEC_SESSION, 0);
  sqlite3_int64 failed = number(row, SESSION_FAILED_TURN);
  Text choice = withIds(x, SEC_SESSION, 0, SESSION_PENDING_CHOICE, REFS_CHOICE);
  Bound b = {.n = 0};
  addText(&b, x->label);
  addFields(&b, row, SESSION_STATUS, SESSION_QUEUE_MODE);
  addText(&b, choice);
  add(&b, row[SESSION_RESUME_CURSOR]);
  addId(&b, turnId(x, x->nPath));
  addId(&b, taskId(x, number(row, SESSION_OPEN_TASK)));
  addFields(&b, row, SESSION_OFFERED_AT, SESSION_REFUSED);
  addEvent(x, &b, &row[SESSION_HEAD_EVENTS]);
  addInt(&b, x->made);
  addInt(&b, x->c->now); /* somebody wants to continue it here */
  if (x->c->rc == SQLITE_OK) run(x, SQL_IMPORT_SESSION, &b);
  if (failed) {
    Bound r = {.n = 0};
    addText(&r, x->label);
    addId(&r, turnId(x, failed));
    addInt(&r, ts_token_last(x->c));
    run(x, SQL_IMPORT_RUN, &r);
  }
  ts_exec(x->c, SQL_DELETE_SETTINGS, "t", &x->label);
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_CONFIG) && x->c->rc == SQLITE_OK; i++) {
    const Value *setting = rowOf(x, SEC_CONFIG, i);
    Bound s = {.n = 0};
    if (ts_config_is_of_file(ts_value_get(&setting[CONFIG_KEY])))
      continue; /* of an older library */
    add(&s, setting[CONFIG_KEY]);
    addText(&s, x->label);
    add(&s, setting[CONFIG_VALUE]);
    run(x, SQL_CONFIG_PUT, &s);
  }
}

/* Free names become aliases of the session. */
static void writeAliases(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_ALIASES) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_ALIASES, i);
    Text alias = ts_value_get(&row[ALIAS_ALIAS]);
    Query q = ts_query(x->c, SQL_IMPORT_TAKEN, "t", &alias);
    int taken = ts_row(x->c, &q);
    ts_end(x->c, &q);
    /* No command accepts it as a label. */
    if (alias.z && strstr(alias.z, TS_UTF8_REPLACEMENT)) taken = 1;
    if (taken) {
      x->lost = 1;
      ts_json_text(&x->leftOut, alias);
    } else {
      ts_exec(x->c, SQL_IMPORT_ALIAS, "tti", &alias, &x->label, number(row, ALIAS_CREATED_AT));
      ts_config_follow(x->c, alias, x->label);
    }
  }
}

/* The event that says where the session comes from. */
static void writeOrigin(Import *x) {
  Cmd *c = x->c;
  const char *status;
  Session s;
  Json j;
  ts_session_load_exact(c, x->label, &s);
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "hash", x->hash);
  ts_json_put(&j, "label", x->d.label);
  ts_json_put(&j, "uuid", x->uuid);
  if (x->lost) {
    HashId state;
    Doc d;
    ts_doc_load(c, &s, &d);
    if (c->rc == SQLITE_OK) {
      state = ts_doc_hash(&d, x->d.version);
      ts_json_put_string(&j, "state_hash", state.hex);
    }
  }
  ts_json_close(&j, '}');
  status = ts_status_machine.states[s.status];
  s.task.id = 0;
  ts_event(c, &s, "status", status, status, "import", ts_json_finish(&j));
}

static void writeAll(Import *x) {
  if (!ts_text_equal(x->label, x->d.label)) ts_import_ids(x, x->label, 0);
  ts_exec(x->c, SQL_DELETE_UNGUARD, "");
  findIds(x);
  if (x->c->rc == SQLITE_OK) writeTasks(x);
  if (x->c->rc == SQLITE_OK) writeObservations(x);
  if (x->c->rc == SQLITE_OK) writeTurns(x);
  if (x->c->rc == SQLITE_OK) checkCallIds(x);
  if (x->c->rc == SQLITE_OK) writeEvents(x);
  if (x->c->rc == SQLITE_OK) writeDeliveries(x);
  if (x->c->rc == SQLITE_OK) writeSession(x);
  if (x->d.version < 2) {
    ts_exec(x->c, SQL_IMPORT_WORKED, "t", &x->label);
    ts_exec(x->c, SQL_IMPORT_ASKED, "t", &x->label);
    for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_QUEUE) && x->c->rc == SQLITE_OK; i++)
      ts_exec(x->c, SQL_IMPORT_EXEMPT, "ti", &x->label, x->firstInput + i);
    ts_exec(x->c, SQL_IMPORT_HOLD, "t", &x->label);
  }
  if (ts_config_tell_queue(x->c, x->label)) x->lost = 1;
  writeAliases(x);
  writeOrigin(x);
  ts_exec(x->c, SQL_DELETE_GUARD, "");
  ts_keys_settle_new(x->c, x->label);
}

/* ---- session_import(json [, options]) → report ------------------------------------------------------- */

enum { IMPORT_JSON, IMPORT_AS, IMPORT_REPLACE };

static const ArgSpec importArgs[] = {
    {"json", ARG_DOCUMENT, 1}, {"as", ARG_LABEL, 0}, {"replace", ARG_BOOL, 0}};

/* A session with this label exists. Is it the same as the document's? */
static int isUnchanged(Import *x, const Session *s, int replace) {
  Text hash = none, state = none;
  Query q = ts_query(x->c, SQL_IMPORT_EVENT, "t", &s->label);
  if (ts_row(x->c, &q)) {
    hash = ts_col_text(x->c, &q, COL_IMPORT_EVENT_HASH);
    state = ts_col_text(x->c, &q, COL_IMPORT_EVENT_STATE_HASH);
  }
  ts_end(x->c, &q);
  if (!ts_text_equal(hash, x->hash)) return 0;
  if (replace) {
    HashId now;
    Doc d;
    ts_doc_load(x->c, s, &d);
    if (x->c->rc != SQLITE_OK) return 0;
    now = ts_doc_hash(&d, x->d.version);
    return ts_text_is(state, now.hex);
  }
  return 1;
}

/* Makes sure that the label is free, or finds that there is nothing to do. */
static int takeLabel(Import *x, int replace) {
  Cmd *c = x->c;
  Text target = none;
  Session s;
  Query q;
  if (c->rc != SQLITE_OK) return 0;
  q = ts_query(c, SQL_ALIAS_TARGET, "t", &x->label);
  if (ts_row(c, &q)) target = ts_col_text(c, &q, COL_ALIAS_TARGET_SESSION_LABEL);
  ts_end(c, &q);
  if (target.z) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "label '%.*s' is an alias of session '%.*s'; the option as imports under another one",
            x->label.n, x->label.z, target.n, target.z);
  }
  ts_session_load_exact(c, x->label, &s);
  if (c->rc != SQLITE_OK || !s.exists) return 0;
  if (isUnchanged(x, &s, replace)) {
    x->waiting = ts_queue_count(c, &s, NULL);
    return 1;
  }
  if (!replace) {
    ts_fail(
        c, SQLITE_CONSTRAINT,
        "label '%.*s' is taken; the option as imports under another one, replace puts it in that "
        "one's place",
        x->label.n, x->label.z);
  }
  if (c->rc == SQLITE_OK) ts_session_make_room(c, &s);
  return 0;
}

static void returnReport(Import *x, int unchanged) {
  static const struct {
    const char *name;
    SectionId section;
  } counts[] = {{"turns", SEC_TURNS},     {"messages", SEC_MESSAGES}, {"tasks", SEC_TASKS},
                {"commits", SEC_COMMITS}, {"steps", SEC_STEPS},       {"objects", SEC_OBJECTS},
                {"inputs", SEC_QUEUE}};
  Text leftOut = ts_json_finish(&x->leftOut);
  Json j;
  ts_json_begin(&j, x->c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "session", x->label);
  ts_json_put(&j, "hash", x->hash);
  ts_json_key(&j, "unchanged");
  ts_json_bool(&j, unchanged);
  for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
    ts_json_put_int(&j, counts[i].name, rowsOf(x, counts[i].section));
  ts_json_put_int(&j, "waiting", x->waiting);
  ts_json_put_raw(&j, "aliases_left_out", leftOut);
  ts_json_close(&j, '}');
  ts_return_text(x->c, ts_json_finish(&j));
}

static void runImport(Cmd *c) {
  int replace = c->arg[IMPORT_REPLACE].given && c->arg[IMPORT_REPLACE].i, unchanged;
  const char *problem;
  Import x;
  memset(&x, 0, sizeof(x));
  x.c = c;
  x.d.c = c;
  ts_import_read(&x, c->arg[IMPORT_JSON].text);
  ts_import_check(&x);
  if (c->rc != SQLITE_OK) return;
  x.label = c->arg[IMPORT_AS].given ? c->arg[IMPORT_AS].text : x.d.label;
  if (strstr(x.label.z, TS_UTF8_REPLACEMENT)) {
    ts_fail(c, SQLITE_ERROR,
            "json: label holds U+FFFD, as no label may; the option as imports under another one");
    return;
  }
  ts_json_begin(&x.leftOut, c);
  ts_json_open(&x.leftOut, '[');
  unchanged = takeLabel(&x, replace);
  if (!unchanged && c->rc == SQLITE_OK) {
    writeAll(&x);
    /* Checks that no single value allows: a hostile document can describe events that can't have
    ** happened. */
    problem = ts_check_session(c, x.label);
    if (problem) ts_fail(c, SQLITE_ERROR, "json: this session can't have come about (%s)", problem);
  }
  ts_json_close(&x.leftOut, ']');
  returnReport(&x, unchanged);
}

const CommandSpec ts_session_import = {"session_import", runImport, 0, TS_ARGS(1, importArgs),
                                       NULL};
