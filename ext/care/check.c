/*
** check.c - turnstile_check: every invariant, as rows of problems. Empty when the file is healthy.
**
**   SELECT * FROM turnstile_check;              -- the whole file
**   SELECT * FROM turnstile_check('main');      -- what concerns one session, by its exact label
**
** Columns: rule (a short name, see docs/checking.md), table_name, session_label (NULL: it concerns
** the file), ref (the row's id or key, as text), problem (a sentence that names the values). The
** hidden column label is the argument.
**
** The rules are statements (sql/statements/care/check.sql). Those about a session take its label
** and read by index. For the whole file, the file's own rules come first. Then each label that any
** row carries is checked with the rules of a session, so the form with a label gives a part of the
** same rows. This file checks what SQL can't say, row by row: hashes are computed again from the
** content that made them, rules and policies are read as they are when used, and the schema is
** compared with that of an empty database in memory on which the same scripts have run.
**
** Only the row at hand is kept in memory. A row that holds nonsense is a problem, not an error:
** numbers, words and JSON are checked before they are used. Errors are SQLite's own (no memory,
** pages that can't be read), a file without the tables, or one of another schema version when a
** label is given.
*/
#include "check.h"

#include "config.h"
#include "foreign.h"
#include "hash.h"
#include "policy.h"
#include "rules.h"
#include "scripts.h"
#include "shipped.h"
#include "table.h"
#include "task.h"
#include "tree.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define CHECK_COLUMN_RULE 0
#define CHECK_COLUMN_TABLE 1
#define CHECK_COLUMN_SESSION 2
#define CHECK_COLUMN_REF 3
#define CHECK_COLUMN_PROBLEM 4
#define CHECK_COLUMN_LABEL 5

static const char declaration[] =
    "CREATE TABLE x(rule TEXT, table_name TEXT, session_label TEXT, ref TEXT, problem TEXT, "
    "label HIDDEN)";

/* idxNum: bit 0, label = ?. */
static const int idxColumns[] = {CHECK_COLUMN_LABEL};

/* A problem that C code found, not a statement. */
typedef struct Problem {
  struct Problem *next; /* the next problem of the schema */
  const char *rule, *table;
  const char *ref, *problem; /* in a command's memory */
} Problem;

typedef struct CheckCursor CheckCursor;

/* A statement, and the function that checks its rows; NULL: each row is already a problem. */
typedef struct Check {
  int statement;
  int (*look)(CheckCursor *cur, Problem *found); /* 1: there is a problem */
} Check;

typedef enum Stage { STAGE_SCHEMA, STAGE_FILE, STAGE_SESSION, STAGE_END } Stage;

struct CheckCursor {
  TableCursor base;
  int open;                /* cmd is in use */
  Cmd cmd;                 /* the whole walk */
  Cmd row;                 /* what is computed for one row; its memory goes with the next */
  int nRules;              /* that are enabled and can be used, */
  sqlite3_int64 nCompiled; /* and the bytes to which they compile */
  Shipped shipped;         /* where the last rule of ours stood */
  Query query;
  int sure;  /* the statement has been begun again since its first problem */
  int found; /* the row is `problem`, not the query's */
  Problem problem;
  Problem *schema; /* what is wrong with the schema, still to be shown */
  Stage stage;
  int next;             /* in the stage's list of checks */
  sqlite3_value *label; /* the session at hand; owned */
  int one;              /* only this one */
  int usable;           /* the tables exist */
};

/* ---- Reading a row --------------------------------------------------------------------------- */

/* A column's value, not copied. */
static Text textAt(CheckCursor *cur, int i) {
  Text t = {NULL, 0};
  if (sqlite3_column_type(cur->query.stmt, i) == SQLITE_NULL) return t;
  t = ts_col_view(&cur->query, i);
  if (!t.z) ts_fail_nomem(&cur->cmd);
  return t;
}

static sqlite3_int64 intAt(CheckCursor *cur, int i) {
  return sqlite3_column_int64(cur->query.stmt, i);
}

/* The first characters of something that may be long; a terminated copy. */
static const char *shown(CheckCursor *cur, Text t) {
  Text start = ts_clean(&cur->row, (Text){t.z, t.z ? ts_utf8_cut(t.z, t.n, 80) : 0});
  return ts_printf(&cur->row, "%.*s", start.n, start.z ? start.z : "");
}

static void name(Problem *found, const char *rule, const char *table, const char *ref,
                 const char *problem) {
  found->rule = rule;
  found->table = table;
  found->ref = ref;
  found->problem = problem;
}

/* Is this the id of that content? content is canonical JSON, or {NULL,0} after an error. */
static int hashIs(const char *kind, Text content, Text id) {
  HashId hash = ts_hash(kind, content.z, content.n);
  return id.n == TS_HASH_HEX && memcmp(id.z, hash.hex, TS_HASH_HEX) == 0;
}

/* ---- Content ids ----------------------------------------------------------------------------- */

static int lookStep(CheckCursor *cur, Problem *found) {
  Text id = textAt(cur, COL_CHECK_STEP_ROWS_ID);
  StepFields f = {textAt(cur, COL_CHECK_STEP_ROWS_PARENT_ID),
                  textAt(cur, COL_CHECK_STEP_ROWS_BASE_COMMIT_ID),
                  textAt(cur, COL_CHECK_STEP_ROWS_SESSION_LABEL),
                  textAt(cur, COL_CHECK_STEP_ROWS_DESCRIPTION),
                  textAt(cur, COL_CHECK_STEP_ROWS_STEP_KIND),
                  textAt(cur, COL_CHECK_STEP_ROWS_STATE),
                  textAt(cur, COL_CHECK_STEP_ROWS_STATE_DATA),
                  textAt(cur, COL_CHECK_STEP_ROWS_PAYLOAD),
                  intAt(cur, COL_CHECK_STEP_ROWS_CREATED_AT)};
  Text content = ts_step_content(&cur->row, &f);
  if (cur->row.rc != SQLITE_OK || hashIs("step", content, id)) return 0;
  name(found, "step_hash", "steps", shown(cur, id),
       ts_printf(&cur->row, "of task %lld: the id is not the hash of what the step holds",
                 intAt(cur, COL_CHECK_STEP_ROWS_TASK_ID)));
  return 1;
}

static int lookObservation(CheckCursor *cur, Problem *found) {
  Text hash = textAt(cur, COL_CHECK_OBSERVATION_ROWS_HASH);
  Text content = ts_observation_content(&cur->row, textAt(cur, COL_CHECK_OBSERVATION_ROWS_KIND),
                                        textAt(cur, COL_CHECK_OBSERVATION_ROWS_DATA),
                                        textAt(cur, COL_CHECK_OBSERVATION_ROWS_OBJECT_ID),
                                        intAt(cur, COL_CHECK_OBSERVATION_ROWS_CREATED_AT));
  if (cur->row.rc != SQLITE_OK || hashIs("observation", content, hash)) return 0;
  name(found, "observation_hash", "observations",
       shown(cur, textAt(cur, COL_CHECK_OBSERVATION_ROWS_ID)),
       ts_printf(&cur->row, "hash is '%s', which is not that of what the observation holds",
                 shown(cur, hash)));
  return 1;
}

static int lookCommit(CheckCursor *cur, Problem *found) {
  Text id = textAt(cur, COL_CHECK_COMMIT_ROWS_ID);
  CommitFields f = {textAt(cur, COL_CHECK_COMMIT_ROWS_PARENT_ID),
                    textAt(cur, COL_CHECK_COMMIT_ROWS_SESSION_LABEL),
                    textAt(cur, COL_CHECK_COMMIT_ROWS_DESCRIPTION),
                    textAt(cur, COL_CHECK_COMMIT_ROWS_MESSAGE),
                    textAt(cur, COL_CHECK_COMMIT_ROWS_COMMIT_TYPE),
                    textAt(cur, COL_CHECK_COMMIT_ROWS_TYPE_DATA),
                    textAt(cur, COL_CHECK_COMMIT_ROWS_HEAD_STEP_ID),
                    intAt(cur, COL_CHECK_COMMIT_ROWS_CREATED_AT)};
  Text content = ts_commit_content(&cur->row, &f);
  if (cur->row.rc != SQLITE_OK || hashIs("commit", content, id)) return 0;
  name(found, "commit_hash", "commits", shown(cur, textAt(cur, COL_CHECK_COMMIT_ROWS_SEQ)),
       ts_printf(&cur->row, "id is '%s', which is not the hash of what the commit holds",
                 shown(cur, id)));
  return 1;
}

/* A payload is an array of hashes: a hash can't begin inside another one. */
static int lists(Text payload, const char *hash) {
  for (int i = 0; i + TS_HASH_HEX <= payload.n; i++) {
    if (payload.z[i] == hash[0] && memcmp(payload.z + i, hash, TS_HASH_HEX) == 0) return 1;
  }
  return 0;
}

static int lookEdge(CheckCursor *cur, Problem *found) {
  Text payload = textAt(cur, COL_CHECK_EDGE_ROWS_STEP_PAYLOAD);
  EdgeFields f = ts_edge_read(&cur->query, COL_CHECK_EDGE_ROWS_FROM_KIND);
  Text content = ts_edge_content(&cur->row, &f);
  if (cur->row.rc != SQLITE_OK || lists(payload, ts_hash("edge", content.z, content.n).hex)) {
    return 0;
  }
  name(found, "edge_step", "edges", shown(cur, textAt(cur, COL_CHECK_EDGE_ROWS_ID)),
       ts_printf(&cur->row,
                 "step_id is '%s'; it must be a step of the task whose payload lists the hash of "
                 "what the relation holds",
                 shown(cur, textAt(cur, COL_CHECK_EDGE_ROWS_STEP_ID))));
  return 1;
}

static int lookObject(CheckCursor *cur, Problem *found) {
  sqlite3_stmt *row = cur->query.stmt;
  int isText = sqlite3_column_type(row, COL_CHECK_OBJECT_ROWS_DATA) ==
               SQLITE_TEXT; /* before it is made one */
  Text id = textAt(cur, COL_CHECK_OBJECT_ROWS_ID), kind = textAt(cur, COL_CHECK_OBJECT_ROWS_KIND),
       data = textAt(cur, COL_CHECK_OBJECT_ROWS_DATA);
  const char *kindName = shown(cur, kind);
  if (cur->row.rc != SQLITE_OK) return 0;
  if (!isText || intAt(cur, COL_CHECK_OBJECT_ROWS_SIZE) != data.n) {
    name(found, "object_size", "objects", shown(cur, id),
         ts_printf(&cur->row, "size is %lld, the data has %d bytes%s",
                   intAt(cur, COL_CHECK_OBJECT_ROWS_SIZE), data.n,
                   isText ? "" : " and is not text"));
    return 1;
  }
  if (kind.n < 40 && hashIs(kindName, data, id)) return 0;
  name(found, "object_hash", "objects", shown(cur, id),
       ts_printf(&cur->row, "the id is not the hash of the data, a %s of %d bytes", kindName,
                 data.n));
  return 1;
}

/* ---- Settings, rules, policies, requests ----------------------------------------------------- */

static int lookConfig(CheckCursor *cur, Problem *found) {
  Text key = textAt(cur, COL_CHECK_CONFIG_ROWS_KEY);
  const char *problem = ts_config_problem(
      &cur->row, key, sqlite3_column_value(cur->query.stmt, COL_CHECK_CONFIG_ROWS_VALUE));
  if (!problem && textAt(cur, COL_CHECK_CONFIG_ROWS_SESSION_LABEL).n && ts_config_is_of_file(key)) {
    problem = "it holds for the whole file, and no session can have its own";
  } else if (!problem && intAt(cur, COL_CHECK_CONFIG_ROWS_IS_ALIAS)) {
    problem = "it is set for an alias, where nothing looks it up";
  }
  if (cur->row.rc != SQLITE_OK || !problem) return 0;
  name(found, "config_value", "turnstile_config", shown(cur, key),
       ts_printf(&cur->row, "the value is '%s': %s",
                 shown(cur, textAt(cur, COL_CHECK_CONFIG_ROWS_VALUE)), problem));
  return 1;
}

/* Is an enabled rule valid, and is there still room for it after the rules before it? A rule that
** compiles takes room even if something else is wrong with it. A rule without room is not compiled,
** so that the time stays limited however many rules a file holds. */
static int checkRule(CheckCursor *cur, const RuleRow *row, char *message, int nMessage) {
  int isEnabled = intAt(cur, COL_CHECK_RULE_ROWS_ENABLED) != 0, rc, size;
  int isShipped = ts_shipped(&cur->shipped, row->pattern, row->nPattern);
  if (isEnabled && ts_rules_full(cur->nRules, cur->nCompiled, message, nMessage))
    return SQLITE_ERROR;
  rc = isShipped ? ts_rule_compile_row(row, &size, message, nMessage)
                 : ts_rule_check_row(row, &size, message, nMessage);
  if (!isEnabled || size <= 0) return rc;
  cur->nRules++;
  if (!isShipped) cur->nCompiled += size;
  return rc;
}

static int lookRule(CheckCursor *cur, Problem *found) {
  char message[400];
  Text cls = textAt(cur, COL_CHECK_RULE_ROWS_CLASS), state = textAt(cur, COL_CHECK_RULE_ROWS_STATE),
       pattern = textAt(cur, COL_CHECK_RULE_ROWS_PATTERN);
  Text lang = textAt(cur, COL_CHECK_RULE_ROWS_LANG),
       origin = textAt(cur, COL_CHECK_RULE_ROWS_ORIGIN);
  RuleRow row;
  int rc;
  if (cur->cmd.rc != SQLITE_OK) return 0;
  memset(&row, 0, sizeof(row));
  row.id = intAt(cur, COL_CHECK_RULE_ROWS_ID);
  row.cls = cls.z;
  row.nCls = cls.n;
  row.state = state.z;
  row.nState = state.n;
  row.pattern = pattern.z;
  row.nPattern = pattern.n;
  row.weight = sqlite3_column_double(cur->query.stmt, COL_CHECK_RULE_ROWS_WEIGHT);
  row.lang = lang.z;
  row.nLang = lang.n;
  rc = checkRule(cur, &row, message, (int)sizeof(message));
  if (rc == SQLITE_NOMEM) cur->row.rc = rc;
  if (cur->row.rc == SQLITE_OK && rc == SQLITE_OK &&
      (ts_text_is(origin, "builtin") || ts_text_is(origin, "user"))) {
    return 0;
  }
  if (rc == SQLITE_OK) {
    sqlite3_snprintf(sizeof(message), message, "origin is '%s', neither builtin nor user",
                     shown(cur, origin));
  }
  name(found, "rule_value", "message_rules", shown(cur, textAt(cur, COL_CHECK_RULE_ROWS_ID)),
       ts_printf(&cur->row, "%s", message));
  return 1;
}

static int lookPolicy(CheckCursor *cur, Problem *found) {
  sqlite3_stmt *row = cur->query.stmt;
  char *problem;
  if (ts_policy_problem(sqlite3_column_value(row, COL_CHECK_POLICY_ROWS_KEY_TEMPLATE),
                        sqlite3_column_value(row, COL_CHECK_POLICY_ROWS_PERSONA_ID), &problem)) {
    problem = ts_adopt(&cur->row, problem);
    if (!problem) return 0;
  } else {
    const char *wrong =
        ts_policy_match_problem(&cur->row, textAt(cur, COL_CHECK_POLICY_ROWS_MATCH));
    if (cur->row.rc != SQLITE_OK || !wrong) return 0;
    problem = ts_printf(&cur->row, "match: %s", wrong);
  }
  name(found, "policy_value", "session_policies", shown(cur, textAt(cur, COL_CHECK_POLICY_ROWS_ID)),
       ts_printf(&cur->row, "policy '%s': %s", shown(cur, textAt(cur, COL_CHECK_POLICY_ROWS_NAME)),
                 problem ? problem : ""));
  return 1;
}

static int lookRequest(CheckCursor *cur, Problem *found) {
  Text id = textAt(cur, COL_CHECK_REQUEST_ROWS_REQUEST_ID),
       command = textAt(cur, COL_CHECK_REQUEST_ROWS_COMMAND),
       hash = textAt(cur, COL_CHECK_REQUEST_ROWS_ARGS_HASH);
  int known = 0;
  for (int i = 0; cur->cmd.conn->commands[i] && !known; i++)
    known = ts_text_is(command, cur->cmd.conn->commands[i]->name);
  if (cur->cmd.rc != SQLITE_OK) return 0;
  if (known && ts_is_hash(hash) && id.n > 0 && intAt(cur, COL_CHECK_REQUEST_ROWS_AT) >= 0) return 0;
  name(found, "request_value", "turnstile_requests", shown(cur, id),
       ts_printf(&cur->row, "command is '%s', args_hash '%s', at %lld", shown(cur, command),
                 shown(cur, hash), intAt(cur, COL_CHECK_REQUEST_ROWS_AT)));
  return 1;
}

/* ---- The machines, the tree ------------------------------------------------------------------ */

static int lookTransition(CheckCursor *cur, Problem *found) {
  Text axis = textAt(cur, COL_CHECK_TRANSITION_ROWS_AXIS),
       from = textAt(cur, COL_CHECK_TRANSITION_ROWS_FROM_STATE),
       to = textAt(cur, COL_CHECK_TRANSITION_ROWS_TO_STATE),
       trigger = textAt(cur, COL_CHECK_TRANSITION_ROWS_TRIGGER);
  for (int m = 0; m < TS_MACHINE_COUNT; m++) {
    const Machine *machine = ts_machines[m];
    const Transition *move;
    int a = ts_state_find(machine, from.z, from.n), b = ts_state_find(machine, to.z, to.n);
    if (!ts_text_is(axis, machine->axis) || a < 0 || b < 0) continue;
    move = ts_state_move(machine, a, b);
    if (move && ts_text_is(trigger, move->trigger)) return 0;
  }
  if (cur->cmd.rc != SQLITE_OK) return 0;
  name(found, "transition", "state_transitions",
       ts_printf(&cur->row, "%s %s %s", shown(cur, axis), shown(cur, from), shown(cur, to)),
       ts_printf(&cur->row, "no machine of this library has this move with trigger '%s'",
                 shown(cur, trigger)));
  return 1;
}

/* Is a turn on the path to another? *damaged: the tree does not say. */
static int isAbove(CheckCursor *cur, sqlite3_int64 turn, sqlite3_int64 below, int *damaged) {
  int above;
  *damaged = 0;
  if (turn <= 0 || below <= 0 || cur->row.rc != SQLITE_OK) return 0;
  above = turn != below && ts_is_ancestor(&cur->row, turn, below);
  if (cur->row.rc == SQLITE_CORRUPT_VTAB) {
    cur->row.rc = SQLITE_OK;
    cur->row.err = NULL;
    *damaged = 1;
  }
  return above;
}

static int lookCompaction(CheckCursor *cur, Problem *found) {
  sqlite3_stmt *row = cur->query.stmt;
  sqlite3_int64 turn = intAt(cur, COL_CHECK_COMPACTION_ROWS_TURN_ID),
                kept = intAt(cur, COL_CHECK_COMPACTION_ROWS_FIRST_KEPT_TURN_ID),
                through = intAt(cur, COL_CHECK_COMPACTION_ROWS_SUMMARIZED_THROUGH_TURN_ID);
  int keeps = sqlite3_column_type(row, COL_CHECK_COMPACTION_ROWS_FIRST_KEPT_TURN_ID) != SQLITE_NULL,
      damaged1 = 0, damaged2 = 0;
  int tells =
      sqlite3_column_type(row, COL_CHECK_COMPACTION_ROWS_SUMMARIZED_THROUGH_TURN_ID) != SQLITE_NULL;
  int keptAbove = keeps && isAbove(cur, kept, turn, &damaged1);
  int throughAbove = tells && isAbove(cur, through, turn, &damaged2);
  /* The turns that are kept begin right below the summarized ones. */
  int meet = !keeps || TS_DEPTH(kept) == (tells ? TS_DEPTH(through) + 1 : 0);
  if (cur->row.rc != SQLITE_OK || damaged1 || damaged2) return 0; /* rules about branches say so */
  if (keeps == keptAbove && tells == throughAbove && meet) return 0;
  name(found, "compaction_kept", "compactions",
       shown(cur, textAt(cur, COL_CHECK_COMPACTION_ROWS_TURN_ID)),
       ts_printf(&cur->row,
                 "first_kept_turn_id is %s, summarized_through_turn_id %s; both must lie above it, "
                 "the one right below the other",
                 keeps ? ts_printf(&cur->row, "%lld", kept) : "NULL",
                 tells ? ts_printf(&cur->row, "%lld", through) : "NULL"));
  return 1;
}

/* ---- The lists ------------------------------------------------------------------------------- */

static const Check fileChecks[] = {
    {SQL_CHECK_META, NULL},
    {SQL_CHECK_TRANSITION_ROWS, lookTransition},
    {SQL_CHECK_LOOSE, NULL},
    {SQL_CHECK_DELETED_MESSAGES, NULL},
    {SQL_CHECK_OBJECT_ROWS, lookObject},
    {SQL_CHECK_RULE_ROWS, lookRule},
    {SQL_CHECK_POLICY_ROWS, lookPolicy},
    {SQL_CHECK_REQUEST_ROWS, lookRequest},
    {SQL_CHECK_BRANCHES, NULL},
    {SQL_CHECK_TURNS, NULL},
    {SQL_CHECK_MESSAGES, NULL},
    {SQL_CHECK_COMPACTIONS, NULL},
    {SQL_CHECK_COMPACTION_ROWS, lookCompaction},
};

static const Check sessionChecks[] = {
    {SQL_CHECK_MISSING, NULL},
    {SQL_CHECK_SESSION, NULL},
    {SQL_CHECK_CHOICE, NULL},
    {SQL_CHECK_ALIASES, NULL},
    {SQL_CHECK_TASKS, NULL},
    {SQL_CHECK_STEPS, NULL},
    {SQL_CHECK_STEP_ROWS, lookStep},
    {SQL_CHECK_OBSERVATIONS, NULL},
    {SQL_CHECK_OBSERVATION_ROWS, lookObservation},
    {SQL_CHECK_COMMITS, NULL},
    {SQL_CHECK_EDGE_ROWS, lookEdge},
    {SQL_CHECK_COMMIT_ROWS, lookCommit},
    {SQL_CHECK_EVENTS, NULL},
    {SQL_CHECK_RUN, NULL},
    {SQL_CHECK_QUEUE, NULL},
    {SQL_CHECK_DELIVERIES, NULL},
    {SQL_CHECK_HISTORY, NULL},
    {SQL_CHECK_CONFIG_ROWS, lookConfig},
};

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ---- The schema ------------------------------------------------------------------------------ */

static void addSchemaProblem(CheckCursor *cur, const char *rule, const char *table, const char *ref,
                             const char *problem) {
  Problem *p = ts_alloc(&cur->cmd, sizeof(*p)), **tail = &cur->schema;
  if (!p) return;
  name(p, rule, table, ref, problem);
  while (*tail)
    tail = &(*tail)->next;
  *tail = p;
}

/* One script into the database in memory. */
static void runScript(Cmd *c, sqlite3 *db, const char *script) {
  char *sql, *message = NULL;
  int rc;
  if (c->rc != SQLITE_OK) return;
  sql = ts_sql_expand(script, "main", c->target->prefix);
  if (!sql) {
    ts_fail_nomem(c);
    return;
  }
  rc = sqlite3_exec(db, sql, NULL, NULL, &message);
  if (rc == SQLITE_NOMEM) {
    c->rc = rc;
  } else if (rc != SQLITE_OK) {
    ts_fail(c, rc, "the schema to compare with can't be made: %s", message ? message : "");
  }
  sqlite3_free(message);
  sqlite3_free(sql);
}

static sqlite3_stmt *prepareOn(Cmd *c, sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  int rc;
  if (c->rc != SQLITE_OK || !sql) return NULL;
  rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (rc == SQLITE_NOMEM) {
    c->rc = rc;
  } else if (rc != SQLITE_OK && db == c->db) {
    ts_fail_statement(c, sqlite3_extended_errcode(db));
  } else if (rc != SQLITE_OK) {
    ts_fail(c, sqlite3_extended_errcode(db), "%s", sqlite3_errmsg(db));
  }
  return stmt;
}

/* The first column for two texts; in the command's memory, {NULL,0} without a row. */
static Text askOn(Cmd *c, sqlite3 *db, sqlite3_stmt *stmt, const char *a, const char *b) {
  Text value = {NULL, 0};
  int rc;
  if (!stmt || c->rc != SQLITE_OK) return value;
  rc = sqlite3_bind_text(stmt, 1, a, -1, SQLITE_STATIC);
  if (rc == SQLITE_OK) rc = sqlite3_bind_text(stmt, 2, b, -1, SQLITE_STATIC);
  if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
  if (rc == SQLITE_ROW) {
    const char *z = (const char *)sqlite3_column_text(stmt, 0);
    if (z) value = ts_copy(c, z, sqlite3_column_bytes(stmt, 0));
    if (!z && sqlite3_column_type(stmt, 0) != SQLITE_NULL) ts_fail_nomem(c);
  } else if (rc == SQLITE_NOMEM) {
    c->rc = rc;
  } else if (rc != SQLITE_DONE) {
    ts_fail(c, sqlite3_extended_errcode(db), "%s", sqlite3_errmsg(db));
  }
  sqlite3_reset(stmt);
  return value;
}

/* Compares the schema that the scripts make with the file's. The SQL text says how columns are
** compared, what a conflict or a deletion does, and when a guard fires. Returns 0 when tables
** differ. */
static int compareSchema(CheckCursor *cur, sqlite3 *made) {
  Cmd *c = &cur->cmd;
  const char *schema = c->target->schema;
  sqlite3_stmt *each =
      prepareOn(c, made, "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  sqlite3_stmt *there = prepareOn(
      c, c->db,
      ts_printf(c,
                "SELECT sql FROM \"%w\".sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type = ?2",
                schema));
  int rc = SQLITE_OK, usable = 1;
  while (c->rc == SQLITE_OK && (rc = sqlite3_step(each)) == SQLITE_ROW) {
    const char *type = (const char *)sqlite3_column_text(each, 0);
    const char *object = (const char *)sqlite3_column_text(each, 1);
    const char *sql = (const char *)sqlite3_column_text(each, 2);
    Text found;
    int isTable = type && strcmp(type, "table") == 0;
    if (!type || !object || !sql) {
      ts_fail_nomem(c);
      break;
    }
    found = askOn(c, c->db, there, object, type);
    if (c->rc != SQLITE_OK || ts_foreign_same(found, sql, isTable)) continue;
    if (isTable) usable = 0;
    object = ts_printf(c, "%s", object);
    addSchemaProblem(cur, "schema", object, object,
                     ts_printf(c, "this %s is %s", type,
                               found.z ? "not the one that this library makes" : "missing"));
  }
  if (c->rc == SQLITE_OK && rc == SQLITE_NOMEM) c->rc = rc;
  sqlite3_finalize(each);
  sqlite3_finalize(there);
  return usable;
}

/* Every move of the machines must be in state_transitions. */
static void findTransitions(CheckCursor *cur) {
  Cmd *c = &cur->cmd;
  for (int m = 0; m < TS_MACHINE_COUNT; m++) {
    const Machine *machine = ts_machines[m];
    for (int i = 0; i < machine->nTransitions && c->rc == SQLITE_OK; i++) {
      const char *from = machine->states[machine->transitions[i].from];
      const char *to = machine->states[machine->transitions[i].to];
      Query q = ts_query(c, SQL_CHECK_TRANSITION, "sss", machine->axis, from, to);
      int there = ts_row(c, &q);
      ts_end(c, &q);
      if (there || c->rc != SQLITE_OK) continue;
      addSchemaProblem(cur, "transition", "state_transitions",
                       ts_printf(c, "%s %s %s", machine->axis, from, to), "this move is missing");
    }
  }
}

/* The views read SQLite's json_each: see refuseHiding of install.c. */
static void findHiding(CheckCursor *cur) {
  Cmd *c = &cur->cmd;
  if (!ts_foreign_sql(c, "json_each").z) return;
  addSchemaProblem(
      cur, "schema", "json_each", "json_each",
      "it stands in the place of SQLite's table-valued function, which the views read");
}

/* Returns 0 when the other rules can't run: tables are missing or of another version. */
static int checkSchema(CheckCursor *cur) {
  Cmd *c = &cur->cmd;
  sqlite3 *made = NULL;
  Text version = {NULL, 0};
  int usable = 1, rc;
  Query q = ts_query(c, SQL_CHECK_SCHEMA_VERSION, "");
  if (ts_row(c, &q)) version = ts_col_text(c, &q, COL_CHECK_SCHEMA_VERSION_SCHEMA_VERSION);
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return 0;
  if (!ts_text_is(version, ts_printf(c, "%d", TURNSTILE_SCHEMA_VERSION))) {
    addSchemaProblem(cur, "schema_version", "turnstile_meta", "schema_version",
                     ts_printf(c, "it is '%s', this library works with %d", shown(cur, version),
                               TURNSTILE_SCHEMA_VERSION));
    return 0;
  }
  rc = sqlite3_open_v2("", &made, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY,
                       NULL);
  if (rc != SQLITE_OK) {
    ts_fail(c, rc, "no database in memory could be opened: %s", sqlite3_errstr(rc));
    if (rc == SQLITE_NOMEM) c->err = NULL;
  }
  runScript(c, made, ts_script_schema);
  runScript(c, made, ts_script_turn);
  runScript(c, made, ts_script_identity);
  runScript(c, made, ts_script_views);
  runScript(c, made, ts_script_guards);
  runScript(c, made, ts_script_door);
  if (c->rc == SQLITE_OK) usable = compareSchema(cur, made);
  sqlite3_close(made);
  findHiding(cur);
  if (usable) findTransitions(cur);
  return usable;
}

/* ---- The table ------------------------------------------------------------------------------- */

TS_TABLE_CONNECT(check, declaration)

static int checkBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  int rc = ts_table_arguments(info, idxColumns, 1, 0);
  (void)base;
  info->estimatedCost = info->idxNum & 1 ? 1000 : 1000000;
  info->estimatedRows = 10;
  return rc;
}

static void checkReset(CheckCursor *cur) {
  if (!cur->open) return;
  ts_end(&cur->cmd, &cur->query);
  ts_cmd_clear(&cur->row);
  ts_cmd_clear(&cur->cmd);
  sqlite3_value_free(cur->label);
  cur->label = NULL;
  cur->schema = NULL;
  cur->open = 0;
}

TS_TABLE_CURSOR(check, CheckCursor)

/* The session at hand, or the one after it. Returns 0 at the end. */
static int nextLabel(CheckCursor *cur) {
  sqlite3_value *next = NULL;
  Query q = ts_query(&cur->cmd, SQL_CHECK_LABEL_NEXT, "v", cur->label);
  if (ts_row(&cur->cmd, &q) && !ts_col_null(&q, COL_CHECK_LABEL_NEXT_LABEL)) {
    next = sqlite3_value_dup(sqlite3_column_value(q.stmt, COL_CHECK_LABEL_NEXT_LABEL));
    if (!next) ts_fail_nomem(&cur->cmd);
  }
  ts_end(&cur->cmd, &q);
  sqlite3_value_free(cur->label);
  cur->label = next;
  return next != NULL;
}

/* Begins the next statement. Returns 0 at the end. */
static int nextCheck(CheckCursor *cur) {
  ts_end(&cur->cmd, &cur->query);
  cur->sure = 0;
  if (cur->stage == STAGE_FILE && cur->next == COUNT(fileChecks)) {
    cur->stage = STAGE_SESSION;
    cur->next = 0;
  }
  if (cur->stage == STAGE_SESSION && cur->next == COUNT(sessionChecks)) {
    if (cur->one || !nextLabel(cur)) cur->stage = STAGE_END;
    cur->next = 0;
  }
  if (cur->cmd.rc != SQLITE_OK || cur->stage == STAGE_END) return 0;
  if (cur->stage == STAGE_FILE) {
    cur->query = ts_query(&cur->cmd, fileChecks[cur->next++].statement, "");
  } else {
    cur->query = ts_query(&cur->cmd, sessionChecks[cur->next++].statement, "v", cur->label);
  }
  return cur->cmd.rc == SQLITE_OK;
}

/* Is the statement's row a problem? */
static int lookAtRow(CheckCursor *cur) {
  const Check *check = (cur->stage == STAGE_FILE ? fileChecks : sessionChecks) + cur->next - 1;
  int yes;
  if (!check->look) return 1;
  memset(&cur->problem, 0, sizeof(cur->problem));
  yes = check->look(cur, &cur->problem);
  if (cur->cmd.rc == SQLITE_OK && cur->row.rc != SQLITE_OK) {
    if (cur->row.err) cur->cmd.err = ts_printf(&cur->cmd, "%s", cur->row.err);
    if (cur->cmd.rc == SQLITE_OK) cur->cmd.rc = cur->row.rc;
  }
  cur->found = yes;
  return yes && cur->cmd.rc == SQLITE_OK;
}

/* Moves to the next problem; the stage is STAGE_END after the last one. */
static void findNext(CheckCursor *cur) {
  for (;;) {
    ts_cmd_clear(&cur->row);
    cur->found = 0;
    if (cur->query.stmt && ts_row(&cur->cmd, &cur->query)) {
      if (lookAtRow(cur)) {
        if (cur->sure) return;
        /* json_valid() also returns 0 when memory ran out for a moment: call it a second time. */
        cur->sure = 1;
        sqlite3_reset(cur->query.stmt);
      }
    } else if (cur->cmd.rc != SQLITE_OK || !nextCheck(cur)) {
      cur->stage = STAGE_END;
      return;
    }
    if (cur->cmd.rc != SQLITE_OK) return;
  }
}

static int checkNext(sqlite3_vtab_cursor *base) {
  CheckCursor *cur = (CheckCursor *)base;
  cur->base.rowid++;
  cur->base.eof = 0;
  if (cur->stage == STAGE_SCHEMA) {
    if (cur->schema) {
      cur->problem = *cur->schema;
      cur->schema = cur->schema->next;
      cur->found = 1;
      return SQLITE_OK;
    }
    cur->stage = cur->usable ? STAGE_FILE : STAGE_END;
    cur->base.eof = !cur->usable;
    if (cur->base.eof) return SQLITE_OK;
  }
  findNext(cur);
  cur->base.eof = cur->stage == STAGE_END;
  return ts_table_error(base, &cur->cmd);
}

static int checkFilter(sqlite3_vtab_cursor *base, int idxNum, const char *idxStr, int argc,
                       sqlite3_value **argv) {
  CheckCursor *cur = (CheckCursor *)base;
  Conn *conn = ((Table *)base->pVtab)->conn;
  sqlite3_value *value;
  int usable = 1;
  (void)idxStr;
  ts_table_values(idxNum, argc, argv, &value, 1);
  checkReset(cur);
  ts_cmd_init(&cur->cmd, conn, ts_target_used(conn), "turnstile_check");
  ts_cmd_init(&cur->row, conn, ts_target_used(conn), "turnstile_check");
  memset(&cur->query, 0, sizeof(cur->query));
  cur->nRules = 0;
  cur->nCompiled = 0;
  memset(&cur->shipped, 0, sizeof(cur->shipped));
  cur->open = 1;
  cur->base.rowid = 0;
  cur->next = 0;
  cur->one = value != NULL && sqlite3_value_type(value) != SQLITE_NULL;
  cur->stage = cur->one ? STAGE_SESSION : STAGE_SCHEMA;
  if (cur->one) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
      ts_fail(&cur->cmd, SQLITE_ERROR, "label must be text%s", ts_table_shown(&cur->cmd, value));
    }
    cur->label = sqlite3_value_dup(value);
    if (!cur->label) ts_fail_nomem(&cur->cmd);
  } else {
    Query q;
    usable = cur->cmd.rc == SQLITE_OK && checkSchema(cur);
    /* Rows with an empty label come first, for example settings for all sessions. */
    q = ts_query(&cur->cmd, SQL_JSON_GET, "ss", "\"\"", "$");
    if (ts_row(&cur->cmd, &q)) {
      cur->label = sqlite3_value_dup(sqlite3_column_value(q.stmt, COL_JSON_GET_VALUE));
      if (!cur->label) ts_fail_nomem(&cur->cmd);
    }
    ts_end(&cur->cmd, &q);
    cur->usable = usable;
  }
  if (cur->cmd.rc != SQLITE_OK) {
    cur->stage = STAGE_END;
    return ts_table_error(base, &cur->cmd);
  }
  return checkNext(base);
}

const char *ts_check_session(Cmd *c, Text label) {
  CheckCursor cur;
  const char *found = NULL;
  Query q;
  if (c->rc != SQLITE_OK) return NULL;
  memset(&cur, 0, sizeof(cur));
  ts_cmd_init(&cur.cmd, c->conn, c->target, c->name);
  ts_cmd_init(&cur.row, c->conn, c->target, c->name);
  cur.open = 1;
  cur.one = 1;
  cur.stage = STAGE_SESSION;
  q = ts_query(&cur.cmd, SQL_CHECK_LABEL, "t", &label);
  if (ts_row(&cur.cmd, &q)) {
    cur.label = sqlite3_value_dup(sqlite3_column_value(q.stmt, COL_CHECK_LABEL_LABEL));
    if (!cur.label) ts_fail_nomem(&cur.cmd);
  }
  ts_end(&cur.cmd, &q);
  if (cur.cmd.rc == SQLITE_OK) findNext(&cur);
  if (cur.cmd.rc == SQLITE_OK && cur.stage != STAGE_END) {
    Text rule = textAt(&cur, COL_CHECK_MISSING_RULE),
         problem = textAt(&cur, COL_CHECK_MISSING_PROBLEM);
    found = cur.found ? ts_printf(c, "%s: %s", cur.problem.rule, cur.problem.problem)
                      : ts_printf(c, "%.*s: %.*s", rule.n, rule.z, problem.n, problem.z);
  }
  if (cur.cmd.rc != SQLITE_OK) {
    if (cur.cmd.err) c->err = ts_printf(c, "%s", cur.cmd.err);
    if (c->rc == SQLITE_OK) c->rc = cur.cmd.rc;
  }
  checkReset(&cur);
  return found;
}

/* A text from the file, n bytes long, as valid UTF-8 whatever the file holds. A text with a NUL
** stays as it is, because a repair finds the row by it. */
static int giveClean(CheckCursor *cur, sqlite3_context *ctx, const unsigned char *z, int n) {
  int hasNul = z && memchr(z, 0, (size_t)n);
  Text clean = hasNul ? (Text){(const char *)z, n}
               : z    ? ts_clean(&cur->row, (Text){(const char *)z, n})
                      : (Text){NULL, 0};
  if (!clean.z) return SQLITE_NOMEM;
  sqlite3_result_text(ctx, clean.z, clean.n, SQLITE_TRANSIENT);
  return SQLITE_OK;
}

static int checkColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  CheckCursor *cur = (CheckCursor *)base;
  const Problem *p = &cur->problem;
  sqlite3_stmt *row = cur->query.stmt;
  const char *text = NULL;
  if (i == CHECK_COLUMN_LABEL) {
    if (cur->one) sqlite3_result_value(ctx, cur->label);
    return SQLITE_OK;
  }
  if (i == CHECK_COLUMN_SESSION) {
    if (cur->stage == STAGE_SESSION && (cur->one || sqlite3_value_bytes(cur->label) > 0)) {
      const unsigned char *z = sqlite3_value_text(cur->label);
      return giveClean(cur, ctx, z, sqlite3_value_bytes(cur->label));
    }
    return SQLITE_OK;
  }
  if (!cur->found) {
    int column = i == CHECK_COLUMN_REF ? 2 : i == CHECK_COLUMN_PROBLEM ? 3 : i;
    if (sqlite3_column_type(row, column) == SQLITE_NULL) return SQLITE_OK;
    text = (const char *)sqlite3_column_text(row, column);
    return giveClean(cur, ctx, (const unsigned char *)text, sqlite3_column_bytes(row, column));
  }
  switch (i) {
  case CHECK_COLUMN_RULE: text = p->rule; break;
  case CHECK_COLUMN_TABLE: text = p->table; break;
  case CHECK_COLUMN_REF: text = p->ref; break;
  case CHECK_COLUMN_PROBLEM: text = p->problem; break;
  }
  sqlite3_result_text(ctx, text ? text : "", -1, SQLITE_TRANSIENT);
  return SQLITE_OK;
}

static const sqlite3_module checkModule = TS_TABLE_MODULE(check, ts_table_disconnect, check);

int ts_check_register(Conn *conn) {
  return ts_module_register(conn, "turnstile_check", &checkModule);
}
