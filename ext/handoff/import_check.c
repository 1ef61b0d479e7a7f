/*
** import_check.c - compares the rows of a document with each other; import_check_turns.c does so for turns.
**
** Ids and hashes are computed again from the content, by the functions that compute them when they
** are first written (task.h). Steps and commits must be chains, and everything must be in the state
** of its last event. The schema's guards and the commands enforce the same for rows
** that come one by one.
*/
#include "import_document.h"

#include "args.h"
#include "answer.h"
#include "config.h"
#include "decimal.h"
#include "task.h"
#include "word_lists.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Tasks, steps, observations, commits ---------------------------------------------------------- */

/* The data of a state has the field that the state needs. */
static void checkStateData(Import *x, sqlite3_int64 i) {
  static const struct {
    const char *state, *path, *name, *type;
  } fields[] = {
      {"AwaitingUser", "$.question", "question", "text"},
      {"AwaitingUser", "$.asked_at", "asked_at", "integer"},
      {"Interrupted", "$.user_message", "user_message", "text"},
      {"Interrupted", "$.messages", "messages", "array"},
      {"PendingComplete", "$.summary", "summary", "text"},
      {"Aborted", "$.reason", "reason", "text"},
  };
  const Value *row = rowOf(x, SEC_TASKS, i);
  Text data = ts_value_get(&row[TASK_STATE_DATA]);
  for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]) && x->c->rc == SQLITE_OK; f++) {
    Text type = none;
    if (!isWord(row, TASK_STATE, fields[f].state)) continue;
    if (data.z) {
      Query q = ts_query(x->c, SQL_JSON_GET, "ts", &data, fields[f].path);
      if (ts_row(x->c, &q)) type = ts_col_text(x->c, &q, COL_JSON_GET_TYPE);
      ts_end(x->c, &q);
    }
    if (!ts_text_is(type, fields[f].type)) {
      ts_import_fail(x, SEC_TASKS, i, TASK_STATE_DATA, "must hold %s, of type %s", fields[f].name,
                     fields[f].type);
    }
  }
}

/* Of what was worked on there is something to keep; what goes on with a task goes on with the first of those
** that do. */
static void checkWork(Import *x, sqlite3_int64 i) {
  const Value *row = rowOf(x, SEC_TASKS, i);
  sqlite3_int64 continues = number(row, TASK_CONTINUES);
  int worked = !TS_IS_NULL(&row[TASK_COMMIT]) || !(isWord(row, TASK_STATE, "None") ||
                                                   IS_WORD_IN(row, TASK_STATE, LIST_TASK_UNWORKED));
  if (x->d.version > 1 && worked && !number(row, TASK_WORKED)) {
    ts_import_fail(x, SEC_TASKS, i, TASK_WORKED,
                   "must be 1: the task has a commit, or its state "
                   "comes of work");
  }
  if (continues &&
      (continues > i || !TS_IS_NULL(&rowOf(x, SEC_TASKS, continues - 1)[TASK_CONTINUES]))) {
    ts_import_fail(x, SEC_TASKS, i, TASK_CONTINUES,
                   "is not an earlier task, or itself continues another");
  }
}

/* How many deliveries came before its question or report. */
static void checkAsked(Import *x, sqlite3_int64 i) {
  const Value *row = rowOf(x, SEC_TASKS, i), *v = &row[TASK_ASKED_AFTER];
  int asks = IS_WORD_IN(row, TASK_STATE, LIST_TASK_ASKS);
  if (x->d.version < 2) return;
  if (!asks && !TS_IS_NULL(v)) {
    ts_import_fail(x, SEC_TASKS, i, TASK_ASKED_AFTER, "must be null: the task asks nothing");
  }
  if (asks && (TS_IS_NULL(v) || ts_value_number(v) > rowsOf(x, SEC_DELIVERIES))) {
    ts_import_fail(x, SEC_TASKS, i, TASK_ASKED_AFTER,
                   "must be from 0 to %lld, the number of deliveries", rowsOf(x, SEC_DELIVERIES));
  }
}

static void checkTasks(Import *x) {
  sqlite3_int64 open = 0;
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TASKS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_TASKS, i);
    int ended = !TS_IS_NULL(&row[TASK_ENDED_AT]);
    if (isWord(row, TASK_STATE, "None") != ended) {
      ts_import_fail(x, SEC_TASKS, i, TASK_ENDED_AT, "must be set exactly when the state is None");
    }
    if (ended && !TS_IS_NULL(&row[TASK_STATE_DATA])) {
      ts_import_fail(x, SEC_TASKS, i, TASK_STATE_DATA, "must be null when the state is None");
    }
    if (!ended && !TS_IS_NULL(&row[TASK_COMMIT])) {
      ts_import_fail(x, SEC_TASKS, i, TASK_COMMIT, "must be null as long as the task is open");
    }
    if (!ended && open) {
      ts_import_fail(x, SEC_TASKS, i, TASK_STATE, "makes a second open task beside tasks[%lld]",
                     open - 1);
    }
    if (!ended) open = i + 1;
    if (number(row, TASK_HEAD_STEP) != x->lastStep[i]) {
      ts_import_fail(x, SEC_TASKS, i, TASK_HEAD_STEP, "is not the last step of the task");
    }
    if (number(row, TASK_COMMIT) &&
        number(rowOf(x, SEC_COMMITS, number(row, TASK_COMMIT) - 1), COMMIT_TASK) != i + 1) {
      ts_import_fail(x, SEC_TASKS, i, TASK_COMMIT, "is the commit of another task");
    }
    checkWork(x, i);
    checkStateData(x, i);
    if (x->c->rc == SQLITE_OK) checkAsked(x, i);
  }
  if (number(rowOf(x, SEC_SESSION, 0), SESSION_OPEN_TASK) != open) {
    ts_import_fail(x, SEC_SESSION, 0, SESSION_OPEN_TASK, "is not the open task");
  }
}

static void checkSteps(Import *x) {
  sqlite3_int64 task = 0;
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_STEPS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_STEPS, i);
    sqlite3_int64 t = number(row, STEP_TASK), parent = t == task ? i : 0;
    if (t < task)
      ts_import_fail(x, SEC_STEPS, i, STEP_TASK, "stands behind a step of a later task");
    if (number(row, STEP_PARENT) != parent) {
      ts_import_fail(x, SEC_STEPS, i, STEP_PARENT,
                     parent ? "is not the step before" : "must be null");
    }
    if (!parent && !isWord(row, STEP_KIND, "SessionStart")) {
      ts_import_fail(x, SEC_STEPS, i, STEP_KIND,
                     "must be SessionStart: it is the first of its task");
    }
    if (x->c->rc != SQLITE_OK) return;
    if (!parent) x->firstStep[t - 1] = i + 1;
    x->lastStep[t - 1] = i + 1;
    task = t;
  }
}

static void checkObjects(Import *x) {
  char *used = ts_import_array(x, 1, rowsOf(x, SEC_OBJECTS));
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_OBSERVATIONS) && x->c->rc == SQLITE_OK; i++) {
    sqlite3_int64 object = number(rowOf(x, SEC_OBSERVATIONS, i), OBS_OBJECT);
    if (object) used[object - 1] = 1;
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_OBJECTS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_OBJECTS, i);
    HashId id = ts_hash(row[OBJECT_KIND].u.z, row[OBJECT_DATA].u.z, row[OBJECT_DATA].n);
    if (number(row, OBJECT_SIZE) != row[OBJECT_DATA].n) {
      ts_import_fail(x, SEC_OBJECTS, i, OBJECT_SIZE, "is not the size of the data, %d bytes",
                     row[OBJECT_DATA].n);
    } else if (!isWord(row, OBJECT_ID, id.hex)) {
      ts_import_fail(x, SEC_OBJECTS, i, OBJECT_ID, "does not match its content");
    } else if (!used[i]) {
      ts_import_fail(x, SEC_OBJECTS, i, OBJECT_ID, "is an object that no observation has");
    }
  }
}

static void checkObservations(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_OBSERVATIONS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_OBSERVATIONS, i);
    sqlite3_int64 task = number(row, OBS_TASK), step = number(row, OBS_STEP);
    sqlite3_int64 object = number(row, OBS_OBJECT);
    Text content;
    HashId hash;
    if (step && number(rowOf(x, SEC_STEPS, step - 1), STEP_TASK) != task) {
      ts_import_fail(x, SEC_OBSERVATIONS, i, OBS_STEP, "is a step of another task");
    }
    if (!step && task && number(rowOf(x, SEC_TASKS, task - 1), TASK_COMMIT)) {
      ts_import_fail(x, SEC_OBSERVATIONS, i, OBS_STEP, "must not be null: its task was committed");
    }
    content = ts_observation_content(
        x->c, ts_value_get(&row[OBS_KIND]), ts_value_get(&row[OBS_DATA]),
        object ? ts_value_get(&rowOf(x, SEC_OBJECTS, object - 1)[OBJECT_ID]) : none,
        number(row, OBS_CREATED_AT));
    if (x->c->rc != SQLITE_OK) return;
    hash = ts_hash("observation", content.z, content.n);
    if (!isWord(row, OBS_HASH, hash.hex)) {
      ts_import_fail(x, SEC_OBSERVATIONS, i, OBS_HASH, "does not match its content");
    }
  }
}

/* The content of a relation's hash: the rows that it names, as the document has them. */
static Text edgeEnd(Import *x, const Value *row, int kind, int ref) {
  sqlite3_int64 n = number(row, ref);
  const Value *t;
  const char *z;
  Text description;
  if (!n) return ts_value_get(&row[ref]);
  if (isWord(row, kind, "note")) {
    return n <= rowsOf(x, SEC_OBSERVATIONS)
               ? ts_value_get(&rowOf(x, SEC_OBSERVATIONS, n - 1)[OBS_HASH])
               : none;
  }
  if (n > rowsOf(x, SEC_TASKS)) return none;
  t = rowOf(x, SEC_TASKS, n - 1);
  description = ts_value_get(&t[TASK_DESCRIPTION]);
  z = ts_printf(x->c, "%lld %.*s", number(t, TASK_STARTED_AT), description.n, description.z);
  return (Text){z, z ? (int)strlen(z) : 0};
}

static HashId edgeHash(Import *x, sqlite3_int64 i) {
  const Value *row = rowOf(x, SEC_EDGES, i);
  Text weight = ts_value_get(&row[EDGE_WEIGHT]), content;
  EdgeFields f = {
      ts_value_get(&row[EDGE_FROM_KIND]), edgeEnd(x, row, EDGE_FROM_KIND, EDGE_FROM_REF),
      ts_value_get(&row[EDGE_TO_KIND]),   edgeEnd(x, row, EDGE_TO_KIND, EDGE_TO_REF),
      ts_value_get(&row[EDGE_LABEL]),     0,
      ts_value_get(&row[EDGE_EVIDENCE]),  number(row, EDGE_CREATED_AT)};
  if (!weight.z || !ts_decimal_read(weight.z, weight.n, &f.weight)) f.weight = 0;
  content = ts_edge_content(x->c, &f);
  return ts_hash("edge", content.z, content.n);
}

/* After its observations a step lists relations in order, from *edge on; some relations may be in
** no step. Returns whether the rest of the payload consists of them. */
static int takeEdges(Import *x, sqlite3_int64 step, Text payload, int at, int any,
                     sqlite3_int64 *edge) {
  while (at < payload.n - 1 && x->c->rc == SQLITE_OK) {
    HashId hash;
    if (any && payload.z[at++] != ',') return 0;
    any = 1;
    if (at + TS_HASH_HEX + 3 > payload.n || payload.z[at] != '"') return 0;
    do {
      if (*edge == rowsOf(x, SEC_EDGES)) return 0;
      hash = edgeHash(x, (*edge)++);
    } while (memcmp(payload.z + at + 1, hash.hex, TS_HASH_HEX) != 0 && x->c->rc == SQLITE_OK);
    x->edgeStep[*edge - 1] = step;
    x->listedEdges = *edge;
    at += TS_HASH_HEX + 2;
    if (payload.z[at - 1] != '"') return 0;
  }
  return at == payload.n - 1 && payload.z[at] == ']';
}

/* A step's payload lists the hashes of its observations, in order, and then those of its relations. */
static void checkPayloads(Import *x) {
  sqlite3_int64 nSteps = rowsOf(x, SEC_STEPS);
  sqlite3_int64 *first = ts_import_array(x, sizeof(*first), nSteps);
  sqlite3_int64 *next = ts_import_array(x, sizeof(*next), rowsOf(x, SEC_OBSERVATIONS));
  sqlite3_int64 edge = 0;
  x->edgeStep = ts_import_array(x, sizeof(*x->edgeStep), rowsOf(x, SEC_EDGES));
  if (!first || !next || !x->edgeStep) return;
  for (sqlite3_int64 i = rowsOf(x, SEC_OBSERVATIONS); i > 0; i--) {
    sqlite3_int64 step = number(rowOf(x, SEC_OBSERVATIONS, i - 1), OBS_STEP);
    if (!step) continue;
    next[i - 1] = first[step - 1];
    first[step - 1] = i;
  }
  for (sqlite3_int64 i = 0; i < nSteps && x->c->rc == SQLITE_OK; i++) {
    Text payload = ts_value_get(&rowOf(x, SEC_STEPS, i)[STEP_PAYLOAD]);
    sqlite3_int64 at = 1;
    int fits = payload.n >= 2 && payload.z[0] == '[';
    for (sqlite3_int64 o = first[i]; o && fits; o = next[o - 1]) {
      Text hash = ts_value_get(&rowOf(x, SEC_OBSERVATIONS, o - 1)[OBS_HASH]);
      fits = at + hash.n + 3 <= payload.n && payload.z[at] == '"' &&
             memcmp(payload.z + at + 1, hash.z, (size_t)hash.n) == 0 &&
             payload.z[at + 1 + hash.n] == '"' &&
             (!next[o - 1] || payload.z[at + 2 + hash.n] == ',');
      at += hash.n + 2 + (next[o - 1] != 0);
    }
    if (!fits || !takeEdges(x, i + 1, payload, at, first[i] != 0, &edge)) {
      ts_import_fail(
          x, SEC_STEPS, i, STEP_PAYLOAD,
          "does not list the observations of the step, and then relations of the document");
    }
  }
}

/* A relation belongs to the task of its step; a relation without a step will be listed later. */
static void checkEdges(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_EDGES) && x->c->rc == SQLITE_OK; i++) {
    sqlite3_int64 task = number(rowOf(x, SEC_EDGES, i), EDGE_TASK), step = x->edgeStep[i];
    if (step && number(rowOf(x, SEC_STEPS, step - 1), STEP_TASK) != task) {
      ts_import_fail(x, SEC_EDGES, i, EDGE_TASK, "is not the task of the step that lists it");
    } else if (!step && task && number(rowOf(x, SEC_TASKS, task - 1), TASK_COMMIT)) {
      ts_import_fail(x, SEC_EDGES, i, EDGE_TASK,
                     "was committed, and no step of it lists the relation");
    }
  }
}

static Text hashText(Cmd *c, const char *kind, Text content) {
  HashId id;
  if (c->rc != SQLITE_OK) return none;
  id = ts_hash(kind, content.z, content.n);
  return ts_copy(c, id.hex, TS_HASH_HEX);
}

/* The ids of a task's steps under a label. verify: they must be those of the document. */
static void makeSteps(Import *x, Text label, int verify, sqlite3_int64 task) {
  const Value *t = rowOf(x, SEC_TASKS, task - 1);
  sqlite3_int64 base = number(t, TASK_BASE_COMMIT);
  if (!x->firstStep[task - 1]) return;
  for (sqlite3_int64 i = x->firstStep[task - 1]; i <= x->lastStep[task - 1]; i++) {
    const Value *row = rowOf(x, SEC_STEPS, i - 1);
    StepFields f = {number(row, STEP_PARENT) ? x->steps[i - 2] : none,
                    base ? x->commits[base - 1] : none,
                    label,
                    ts_value_get(&t[TASK_DESCRIPTION]),
                    ts_value_get(&row[STEP_KIND]),
                    ts_value_get(&row[STEP_STATE]),
                    ts_value_get(&row[STEP_STATE_DATA]),
                    ts_value_get(&row[STEP_PAYLOAD]),
                    number(row, STEP_CREATED_AT)};
    x->steps[i - 1] = hashText(x->c, "step", ts_step_content(x->c, &f));
    if (verify && !ts_text_equal(ts_value_get(&row[STEP_ID]), x->steps[i - 1])) {
      ts_import_fail(x, SEC_STEPS, i - 1, STEP_ID, "does not match its content");
    }
    if (x->c->rc != SQLITE_OK) return;
  }
}

/* The ids of all steps and commits under a label. A commit follows the steps of its task, and these
** follow the commit that the task began from. */
void ts_import_ids(Import *x, Text label, int verify) {
  char *done = ts_import_array(x, 1, rowsOf(x, SEC_TASKS));
  for (sqlite3_int64 i = 1; i <= rowsOf(x, SEC_COMMITS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_COMMITS, i - 1);
    sqlite3_int64 task = number(row, COMMIT_TASK), head = number(row, COMMIT_HEAD_STEP);
    const Value *t = rowOf(x, SEC_TASKS, task - 1);
    if (number(row, COMMIT_PARENT) != i - 1) {
      ts_import_fail(x, SEC_COMMITS, i - 1, COMMIT_PARENT,
                     i > 1 ? "is not the commit before" : "must be null");
    } else if (number(t, TASK_COMMIT) != i) {
      ts_import_fail(x, SEC_COMMITS, i - 1, COMMIT_TASK, "is a task with another commit, or none");
    } else if (head != number(t, TASK_HEAD_STEP)) {
      ts_import_fail(x, SEC_COMMITS, i - 1, COMMIT_HEAD_STEP, "is not the last step of its task");
    } else if (number(t, TASK_BASE_COMMIT) >= i) {
      ts_import_fail(x, SEC_TASKS, task - 1, TASK_BASE_COMMIT,
                     "is not a commit before the task's own");
    } else {
      CommitFields f;
      makeSteps(x, label, verify, task);
      done[task - 1] = 1;
      f = (CommitFields){i > 1 ? x->commits[i - 2] : none,   label,
                         ts_value_get(&t[TASK_DESCRIPTION]), ts_value_get(&row[COMMIT_MESSAGE]),
                         ts_value_get(&row[COMMIT_TYPE]),    ts_value_get(&row[COMMIT_TYPE_DATA]),
                         head ? x->steps[head - 1] : none,   number(row, COMMIT_CREATED_AT)};
      x->commits[i - 1] = hashText(x->c, "commit", ts_commit_content(x->c, &f));
      if (verify && !ts_text_equal(ts_value_get(&row[COMMIT_ID]), x->commits[i - 1])) {
        ts_import_fail(x, SEC_COMMITS, i - 1, COMMIT_ID, "does not match its content");
      }
    }
  }
  for (sqlite3_int64 t = 1; t <= rowsOf(x, SEC_TASKS) && x->c->rc == SQLITE_OK; t++) {
    if (!done[t - 1]) makeSteps(x, label, verify, t);
  }
}

/* ---- Events, deliveries, inputs, settings ----------------------------------------------------------- */

static int isState(const Value *v, const Machine *m) {
  Text t = ts_value_get(v);
  return TS_IS_NULL(v) || ts_state_find(m, t.z ? t.z : "", t.n) >= 0;
}

static int isChoiceKind(const Value *v) {
  if (TS_IS_NULL(v)) return 1;
  for (int i = 1; i < CHOICE_KIND_COUNT; i++) {
    if (ts_text_is(ts_value_get(v), ts_choice_kinds[i])) return 1;
  }
  return 0;
}

/* What a worker has said to its parent: how it was then, twice. */
static void checkWord(Import *x, sqlite3_int64 i) {
  const Value *row = rowOf(x, SEC_EVENTS, i);
  if (!IS_WORD_IN(row, EVENT_TO, LIST_WORKER_STATUS)) {
    ts_import_fail(x, SEC_EVENTS, i, EVENT_TO, "is not a state of its axis");
  } else if (!ts_text_equal(ts_value_get(&row[EVENT_FROM]), ts_value_get(&row[EVENT_TO]))) {
    ts_import_fail(x, SEC_EVENTS, i, EVENT_FROM, "is not what the event ends in");
  }
}

/* Each state belongs to its axis, and a task or session is in the state of its last event. */
static void checkEvents(Import *x) {
  const Value **last = ts_import_array(x, sizeof(void *), rowsOf(x, SEC_TASKS)), *status = NULL,
              *run = NULL;
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_EVENTS) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_EVENTS, i);
    Text axis = ts_value_get(&row[EVENT_AXIS]);
    const Machine *m = NULL;
    for (int k = 0; k < TS_MACHINE_COUNT; k++) {
      if (ts_text_is(axis, ts_machines[k]->axis)) m = ts_machines[k];
    }
    if (ts_text_is(axis, "worker")) {
      checkWord(x, i);
      continue;
    }
    if (m ? !isState(&row[EVENT_FROM], m) : !isChoiceKind(&row[EVENT_FROM])) {
      ts_import_fail(x, SEC_EVENTS, i, EVENT_FROM, "is not a state of its axis");
    } else if (m ? !isState(&row[EVENT_TO], m) : !isChoiceKind(&row[EVENT_TO])) {
      ts_import_fail(x, SEC_EVENTS, i, EVENT_TO, "is not a state of its axis");
    } else if (m && TS_IS_NULL(&row[EVENT_TO])) {
      ts_import_fail(x, SEC_EVENTS, i, EVENT_TO, "must not be null");
    } else if (m == &ts_status_machine && isWord(row, EVENT_TRIGGER, "import")) {
      ts_import_fail(x, SEC_EVENTS, i, EVENT_TRIGGER, "is import, which no document holds");
    }
    if (m == &ts_task_machine && number(row, EVENT_TASK)) last[number(row, EVENT_TASK) - 1] = row;
    if (m == &ts_status_machine) status = row;
    if (m == &ts_run_machine) run = row;
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TASKS) && x->c->rc == SQLITE_OK; i++) {
    if (!last[i] || !ts_text_equal(ts_value_get(&last[i][EVENT_TO]),
                                   ts_value_get(&rowOf(x, SEC_TASKS, i)[TASK_STATE]))) {
      ts_import_fail(x, SEC_TASKS, i, TASK_STATE, "is not where events leave the task");
    }
  }
  if (x->c->rc != SQLITE_OK) return;
  if (status && !ts_text_equal(ts_value_get(&status[EVENT_TO]),
                               ts_value_get(&rowOf(x, SEC_SESSION, 0)[SESSION_STATUS]))) {
    ts_import_fail(x, SEC_SESSION, 0, SESSION_STATUS, "is not where events leave the session");
  }
  if (run && !isWord(run, EVENT_TO, "idle")) {
    ts_import_fail(x, SEC_EVENTS, rowsOf(x, SEC_EVENTS) - 1, EVENT_TO,
                   "leaves the run %s; it must end idle", ts_value_get(&run[EVENT_TO]).z);
  }
}

/* One field of a JSON object, and its type. */
static Text fieldOf(Import *x, Text choice, const char *path, Text *type) {
  Text value = none;
  Query q = ts_query(x->c, SQL_JSON_GET, "ts", &choice, path);
  *type = none;
  if (ts_row(x->c, &q)) {
    value = ts_col_text(x->c, &q, COL_JSON_GET_VALUE);
    *type = ts_col_text(x->c, &q, COL_JSON_GET_TYPE);
  }
  ts_end(x->c, &q);
  return value;
}

/* The number of the input that a message names; 0: it is the host's own input, without a number;
** -1: it is not an input. */
static sqlite3_int64 inputOf(Import *x, const Value *message) {
  Text metadata = ts_value_get(&message[MESSAGE_METADATA]), type = none, n;
  if (!IS_WORD_IN(message, MESSAGE_ROLE, LIST_ROLE_INPUT)) return -1;
  if (!metadata.z) return 0;
  n = fieldOf(x, metadata, "$.queue_id", &type);
  if (!type.z) return 0;
  return ts_text_is(type, "integer") && n.z && n.n < 17 ? strtoll(n.z, NULL, 10) : -1;
}

/* Can the input be in a message of the turn? It can in a message with its number, or in one that
** the host wrote itself. */
static int standsIn(const Import *x, const sqlite3_int64 *inputs, sqlite3_int64 input,
                    sqlite3_int64 turn) {
  sqlite3_int64 i = 0, behind = rowsOf(x, SEC_MESSAGES);
  while (i < behind) { /* they are in the order of turns */
    sqlite3_int64 middle = i + (behind - i) / 2;
    if (number(rowOf(x, SEC_MESSAGES, middle), MESSAGE_TURN) < turn) {
      i = middle + 1;
    } else {
      behind = middle;
    }
  }
  for (; i < rowsOf(x, SEC_MESSAGES); i++) {
    if (number(rowOf(x, SEC_MESSAGES, i), MESSAGE_TURN) != turn) return 0;
    if (inputs[i] == 0 || inputs[i] == input) return 1;
  }
  return 0;
}

/* When and by whom it may be taken, and where it already is. */
static void checkWaiting(Import *x, const sqlite3_int64 *inputs, sqlite3_int64 i) {
  const Value *row = rowOf(x, SEC_QUEUE, i);
  int pending = isWord(row, QUEUE_STATUS, "pending"), due = !TS_IS_NULL(&row[QUEUE_DUE_AT]);
  sqlite3_int64 shown = number(row, QUEUE_SHOWN_TURN);
  if (pending && !number(row, QUEUE_AWAITS_TURN)) {
    ts_import_fail(x, SEC_QUEUE, i, QUEUE_AWAITS_TURN, "must be 1: it was not handed over");
  } else if (due == TS_IS_NULL(&row[QUEUE_DUE_AFTER])) {
    ts_import_fail(x, SEC_QUEUE, i, QUEUE_DUE_AFTER, "must be set exactly when due_at is");
  } else if (due && (isWord(row, QUEUE_STATUS, "handed") || isWord(row, QUEUE_STATUS, "failed"))) {
    ts_import_fail(x, SEC_QUEUE, i, QUEUE_DUE_AT, "must be null: it waits no more");
  } else if (shown && !standsIn(x, inputs, i + 1, shown)) {
    ts_import_fail(x, SEC_QUEUE, i, QUEUE_SHOWN_TURN, "is not a turn that has it in its messages");
  }
}

static void checkQueue(Import *x) {
  sqlite3_int64 *inputs = ts_import_array(x, sizeof(*inputs), rowsOf(x, SEC_MESSAGES));
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_MESSAGES) && x->c->rc == SQLITE_OK; i++)
    inputs[i] = inputOf(x, rowOf(x, SEC_MESSAGES, i));
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_QUEUE) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_QUEUE, i);
    const Value *delivery = rowOf(x, SEC_DELIVERIES, number(row, QUEUE_DELIVERY) - 1);
    int open = IS_WORD_IN(row, QUEUE_STATUS, LIST_QUEUE_WAITS);
    if (open != TS_IS_NULL(&row[QUEUE_DELIVERED_AT])) {
      ts_import_fail(x, SEC_QUEUE, i, QUEUE_DELIVERED_AT, "does not fit the status");
    } else if (!ts_text_equal(ts_value_get(&row[QUEUE_MESSAGE]),
                              ts_value_get(&delivery[DELIVERY_MESSAGE]))) {
      ts_import_fail(x, SEC_QUEUE, i, QUEUE_MESSAGE, "is not that of its delivery");
    }
    checkWaiting(x, inputs, i);
    x->waiting += open;
  }
}

static void checkSettings(Import *x) {
  Text before = none;
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_CONFIG) && x->c->rc == SQLITE_OK; i++) {
    const Value *row = rowOf(x, SEC_CONFIG, i), *v = &row[CONFIG_VALUE];
    Text key = ts_value_get(&row[CONFIG_KEY]);
    int n = before.n < key.n ? before.n : key.n;
    int order = before.z ? memcmp(before.z, key.z, (size_t)n) : -1;
    if (order > 0 || (order == 0 && before.n >= key.n)) {
      ts_import_fail(x, SEC_CONFIG, i, CONFIG_KEY, "is not behind the one before");
    } else if (!ts_config_storable(key, TS_IS_TEXT(v), ts_value_get(v), ts_value_number(v))) {
      ts_import_fail(x, SEC_CONFIG, i, CONFIG_VALUE,
                     "is not a valid value of a session's setting '%s'", ts_excerpt(x->c, key));
    }
    before = key;
  }
}

/* What was refused: how often, since when, and the last message. */
static void checkRefused(Import *x) {
  static const struct {
    const char *path, *type;
  } fields[] = {{"$.count", "integer"}, {"$.since", "integer"}, {"$.at", "integer"},
                {"$.why", "text"},      {"$.source", "text"},   {"$.channel", "text"},
                {"$.sender", "text"},   {"$.message", "text"}};
  Text refused = ts_value_get(&rowOf(x, SEC_SESSION, 0)[SESSION_REFUSED]), type;
  if (!refused.z) return;
  for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]) && x->c->rc == SQLITE_OK; f++) {
    Text value = fieldOf(x, refused, fields[f].path, &type);
    if (!ts_text_is(type, fields[f].type) || (f < 3 && value.z && value.z[0] == '-')) {
      ts_import_fail(x, SEC_SESSION, 0, SESSION_REFUSED, "must hold %s, of type %s",
                     fields[f].path + 2, fields[f].type);
    }
  }
}

static void checkChoice(Import *x) {
  Text choice = ts_value_get(&rowOf(x, SEC_SESSION, 0)[SESSION_PENDING_CHOICE]), type, value;
  sqlite3_int64 delivery = 0;
  const char *wrong = NULL;
  int options = 0;
  Value kind;
  Query q;
  if (!choice.z || x->c->rc != SQLITE_OK) return;
  kind = ts_value_text(fieldOf(x, choice, "$.kind", &type));
  if (!TS_IS_TEXT(&kind) || !isChoiceKind(&kind)) wrong = "kind";
  fieldOf(x, choice, "$.text", &type);
  if (!wrong && !ts_text_is(type, "text")) wrong = "text";
  fieldOf(x, choice, "$.options", &type);
  if (!wrong && !ts_text_is(type, "array")) wrong = "options";
  if (!wrong) {
    q = ts_query(x->c, SQL_CHOICE_OPTIONS, "t", &choice);
    while (ts_row(x->c, &q)) {
      Text key = ts_col_text(x->c, &q, COL_CHOICE_OPTIONS_KEY),
           action = ts_col_text(x->c, &q, COL_CHOICE_OPTIONS_ACTION);
      if (key.n != 1 || ts_col_null(&q, COL_CHOICE_OPTIONS_TEXT) ||
          (!ts_text_is(action, "continue") && !ts_text_is(action, "start_fresh"))) {
        wrong = "options";
      }
      options++;
    }
    ts_end(x->c, &q);
    if (ts_json_malformed(x->c) || options < 1 || options > 8) wrong = "options";
  }
  value = fieldOf(x, choice, "$.saved.state", &type);
  if (!wrong && type.z &&
      (!ts_text_is(type, "text") || ts_state_find(&ts_task_machine, value.z, value.n) < 0)) {
    wrong = "saved.state";
  }
  value = fieldOf(x, choice, "$.delivery_id", &type);
  if (!wrong && ts_text_is(type, "integer")) {
    for (int i = 0; i < value.n && i < 17; i++)
      delivery = value.z[i] < '0' || value.z[i] > '9' ? rowsOf(x, SEC_DELIVERIES) + 1
                                                      : delivery * 10 + (value.z[i] - '0');
  }
  value = fieldOf(x, choice, "$.held", &type);
  if (!wrong && value.z) {
    if (!ts_text_is(type, "text")) {
      wrong = "held";
    } else if (delivery < 1 || delivery > rowsOf(x, SEC_DELIVERIES) ||
               !ts_text_equal(value, ts_value_get(&rowOf(x, SEC_DELIVERIES,
                                                         delivery - 1)[DELIVERY_MESSAGE]))) {
      wrong = "delivery_id";
    }
  }
  if (wrong) ts_import_fail(x, SEC_SESSION, 0, SESSION_PENDING_CHOICE, "has no fitting %s", wrong);
}

void ts_import_check(Import *x) {
  if (x->c->rc == SQLITE_OK && rowsOf(x, SEC_SESSION) != 1) {
    ts_fail(x->c, SQLITE_ERROR, "json: content.session must be one object");
  }
  if (x->c->rc != SQLITE_OK) return;
  x->nPath = number(rowOf(x, SEC_SESSION, 0), SESSION_HEAD);
  x->steps = ts_import_array(x, sizeof(*x->steps), rowsOf(x, SEC_STEPS));
  x->commits = ts_import_array(x, sizeof(*x->commits), rowsOf(x, SEC_COMMITS));
  x->firstStep = ts_import_array(x, sizeof(*x->firstStep), rowsOf(x, SEC_TASKS));
  x->lastStep = ts_import_array(x, sizeof(*x->lastStep), rowsOf(x, SEC_TASKS));
  if (x->c->rc != SQLITE_OK) return;
  checkSteps(x);
  if (x->c->rc == SQLITE_OK) checkTasks(x);
  checkObjects(x);
  checkObservations(x);
  checkPayloads(x);
  if (x->d.version > 1 && x->c->rc == SQLITE_OK) checkEdges(x);
  ts_import_ids(x, x->d.label, 1);
  ts_import_check_turns(x);
  checkEvents(x);
  checkQueue(x);
  checkSettings(x);
  checkChoice(x);
  checkRefused(x);
}
