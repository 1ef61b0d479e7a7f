/*
** classify_functions.c - the classifier as the database sees it.
**
**   SELECT classify_message('yes', 'AwaitingUser');              -- Response
**   SELECT classify_message('yes', 'PendingComplete');           -- Confirmation
**   SELECT * FROM classify('perfect, but log the try', 'PendingComplete');
**
** The rules are rows of message_rules. They are compiled on first use and kept with the connection
** until `rules_version` in turnstile_meta has changed. A set that was compiled in a transaction
** which had changed the rules is not kept: rolled back, the same version number could come to mean
** other rules.
**
** A row that nobody has checked, or that goes beyond its limits on a message, is left out. Whoever asks for
** a classification gets that as an error which names the row; a delivery takes the message without
** it, and says so in its notes: one bad row of a stranger's file must not stop the work.
**
** A host can decide instead: turnstile_classifier('my_function') names an SQL function of the host's
** that gets (message, state, task, question) and returns a class or NULL; NULL falls back to the
** rules. The name belongs to the connection. No command sets it, because commands can be called by
** the triggers of a file, and a file must not choose which of the host's functions is called.
*/
#include "classify_functions.h"

#include "address.h"
#include "corrections.h"
#include "json.h"
#include "prompt.h"
#include "rules.h"
#include "shipped.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MESSAGE_BYTES 480 /* room for an error of the rules */

#define BYTES_LOOKED_AT 33554432 /* of their texts; a longer one is read to its end */

struct Classifier {
  RuleSet *rules;
  Corrections *corrections;    /* NULL: none */
  char leftOut[MESSAGE_BYTES]; /* why a row is not among them, "" when all are */
  const Target *target;
  int looks;
  sqlite3_int64 version;
  int keep; /* may be used again while target and version are the same */
};

static void freeKept(Conn *conn) {
  if (!conn->classifier) return;
  ts_rules_free(conn->classifier->rules);
  ts_corrections_free(conn->classifier->corrections);
  sqlite3_free(conn->classifier);
  conn->classifier = NULL;
}

/* ---- The compiled rules ---------------------------------------------------------------------- */

/* The row that the query stands at. *nBytes grows by the length of its texts. */
static int addRow(const Query *q, RuleSet *rules, Shipped *shipped, sqlite3_int64 *nBytes,
                  char *err, int nErr) {
  RuleRow row;
  memset(&row, 0, sizeof(row));
  row.id = sqlite3_column_int64(q->stmt, 0);
  row.cls = (const char *)sqlite3_column_text(q->stmt, 1);
  row.nCls = sqlite3_column_bytes(q->stmt, 1);
  row.state = (const char *)sqlite3_column_text(q->stmt, 2);
  row.nState = sqlite3_column_bytes(q->stmt, 2);
  row.pattern = (const char *)sqlite3_column_text(q->stmt, 3);
  row.nPattern = sqlite3_column_bytes(q->stmt, 3);
  row.weight = sqlite3_column_double(q->stmt, 4);
  row.lang = (const char *)sqlite3_column_text(q->stmt, 5);
  row.nLang = sqlite3_column_bytes(q->stmt, 5);
  *nBytes += (sqlite3_int64)row.nCls + row.nState + row.nPattern + row.nLang;
  if (row.id < 0) { /* an option's: no guard has looked at it */
    int rc = ts_rule_check_row(&row, NULL, err, nErr);
    if (rc != SQLITE_OK) return rc;
  }
  row.isShipped = row.id >= 0 && ts_shipped(shipped, row.pattern, row.nPattern);
  return ts_rules_add(rules, &row, err, nErr);
}

static void leaveOut(char *leftOut, sqlite3_int64 id, const char *why) {
  if (leftOut[0]) return;
  sqlite3_snprintf(MESSAGE_BYTES, leftOut,
                   id < 0 ? "rules[%lld]: %s"
                          : "message_rules row %lld: %s; correct it or set enabled = 0",
                   id < 0 ? -1 - id : id, why);
}

/* Is there an end to reading after so many rows and bytes? message says why. */
static int isEnough(int nRows, sqlite3_int64 nBytes, char *message) {
  if (nRows == TS_RULES_LOOKED_AT) {
    sqlite3_snprintf(MESSAGE_BYTES, message, "only the first %d rows are looked at",
                     TS_RULES_LOOKED_AT);
  } else if (nBytes > BYTES_LOOKED_AT) {
    sqlite3_snprintf(MESSAGE_BYTES, message,
                     "the rows before it hold more than %d bytes, no further ones are looked at",
                     BYTES_LOOKED_AT);
  } else {
    return 0;
  }
  return 1;
}

static void fillRules(Cmd *c, Query *q, RuleSet *rules, char *leftOut) {
  char message[MESSAGE_BYTES];
  sqlite3_int64 nBytes = 0;
  Shipped shipped;
  memset(&shipped, 0, sizeof(shipped));
  for (int n = 0; ts_row(c, q); n++) {
    int rc;
    if (isEnough(n, nBytes, message)) {
      leaveOut(leftOut, ts_col_int(q, 0), message);
      break;
    }
    if (ts_col_int(q, 6) == 0) continue;
    rc = addRow(q, rules, &shipped, &nBytes, message, (int)sizeof(message));
    if (rc == SQLITE_NOMEM) {
      c->rc = rc;
    } else if (rc != SQLITE_OK) {
      leaveOut(leftOut, ts_col_int(q, 0), message);
    }
  }
  ts_end(c, q);
  if (c->rc == SQLITE_OK) c->rc = ts_rules_finish(rules);
}

void ts_classifier_fill(Cmd *c, Query *q, RuleSet *rules) {
  char leftOut[MESSAGE_BYTES] = "";
  fillRules(c, q, rules, leftOut);
  if (leftOut[0]) ts_fail(c, SQLITE_ERROR, "%s", leftOut);
}

/* A number that changes with every change of message_rules. The door has read it already. */
static sqlite3_int64 rulesVersion(Cmd *c) {
  Query q;
  if (c->rulesVersion) return c->rulesVersion;
  q = ts_query(c, SQL_RULES_VERSION, "");
  if (ts_row(c, &q)) c->rulesVersion = ts_col_int(&q, 0);
  ts_end(c, &q);
  return c->rulesVersion;
}

/* The rule set for the command's file. NULL when the command has failed. */
static struct Classifier *loadRules(Cmd *c) {
  struct Classifier *cl = c->conn->classifier;
  sqlite3_int64 version = rulesVersion(c);
  char leftOut[MESSAGE_BYTES] = "";
  RuleSet *rules = NULL;
  Corrections *corrections = NULL;
  if (c->rc != SQLITE_OK) return NULL;
  if (cl && cl->keep && cl->target == c->target && cl->looks == c->target->looks &&
      cl->version == version) {
    return cl;
  }
  if (!cl) {
    cl = sqlite3_malloc64(sizeof(*cl));
    if (!cl) {
      c->rc = SQLITE_NOMEM;
      return NULL;
    }
    memset(cl, 0, sizeof(*cl));
    c->conn->classifier = cl;
  }
  c->rc = ts_rules_new(&rules);
  if (c->rc == SQLITE_OK) {
    Query q = ts_query(c, SQL_RULES_LOAD, "i", (sqlite3_int64)TS_RULES_LOOKED_AT + 1);
    fillRules(c, &q, rules, leftOut);
  }
  if (c->rc == SQLITE_OK) corrections = ts_corrections_load(c);
  if (c->rc != SQLITE_OK) {
    ts_rules_free(rules);
    return NULL;
  }
  ts_rules_free(cl->rules);
  ts_corrections_free(cl->corrections);
  cl->rules = rules;
  cl->corrections = corrections;
  memcpy(cl->leftOut, leftOut, sizeof(leftOut));
  cl->target = c->target;
  cl->looks = c->target->looks;
  cl->version = version;
  if (sqlite3_get_autocommit(c->db)) c->conn->rulesTouched = 0;
  cl->keep = !c->conn->rulesTouched;
  return cl;
}

/* ---- The host's function --------------------------------------------------------------------- */

/* Returns 1 when the function decided. */
static int askHost(Cmd *c, const ClassifyInput *in, ClassifyResult *result) {
  const char *name = c->conn->classifierFunction;
  sqlite3_stmt *stmt = NULL;
  const char *state = ts_task_machine.states[in->state];
  char *sql;
  int rc, decided = 0;
  if (!name || c->rc != SQLITE_OK) return 0;
  sql = ts_printf(c, "SELECT \"%w\"(?1, ?2, ?3, ?4)", name);
  if (!sql) return 0;
  rc = sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_bind_text(stmt, 1, in->message, in->nMessage, SQLITE_STATIC);
  if (rc == SQLITE_OK) rc = sqlite3_bind_text(stmt, 2, state, -1, SQLITE_STATIC);
  if (rc == SQLITE_OK && in->task) {
    rc = sqlite3_bind_text(stmt, 3, in->task, in->nTask, SQLITE_STATIC);
  }
  if (rc == SQLITE_OK && in->question) {
    rc = sqlite3_bind_text(stmt, 4, in->question, in->nQuestion, SQLITE_STATIC);
  }
  if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
  if (rc != SQLITE_ROW) {
    rc = sqlite3_extended_errcode(c->db);
    ts_fail(c, rc ? rc : SQLITE_ERROR, "classifier %s: %s", name, sqlite3_errmsg(c->db));
  } else if (sqlite3_column_type(stmt, 0) != SQLITE_NULL) {
    const char *cls = (const char *)sqlite3_column_text(stmt, 0);
    result->cls = cls ? ts_class_find(cls, sqlite3_column_bytes(stmt, 0)) : CLASS_UNKNOWN;
    if (result->cls == CLASS_UNKNOWN) {
      Text given = {cls, cls ? sqlite3_column_bytes(stmt, 0) : 0};
      ts_fail(c, SQLITE_ERROR, "classifier %s returned '%s'; it must return a class or NULL", name,
              ts_excerpt(c, given));
    }
    result->confidence = 1.0;
    decided = 1;
  }
  sqlite3_finalize(stmt);
  return decided;
}

static int isIdentifier(const char *z, int n) {
  for (int i = 0; i < n; i++) {
    char ch = z[i];
    int letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
    if (!letter && !(i > 0 && ch >= '0' && ch <= '9')) return 0;
  }
  return n > 0;
}

/* Sets the name of the host's function, or none. */
static void setClassifier(sqlite3_context *ctx, Conn *conn, sqlite3_value *value) {
  char *name = NULL;
  if (sqlite3_value_type(value) != SQLITE_NULL) {
    const char *z = (const char *)sqlite3_value_text(value);
    if (!z || !isIdentifier(z, sqlite3_value_bytes(value))) {
      sqlite3_result_error(
          ctx,
          "turnstile_classifier: name must be the name of an SQL function (letters, "
          "digits and _), or NULL for none",
          -1);
      return;
    }
    name = sqlite3_mprintf("%s", z);
    if (!name) {
      sqlite3_result_error_nomem(ctx);
      return;
    }
  }
  sqlite3_free(conn->classifierFunction);
  conn->classifierFunction = name;
}

/* turnstile_classifier([name]) → the name of the function that decides, NULL: the rules do. */
static void classifierFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  if (ts_refuse_file(ctx, "turnstile_classifier")) return;
  sqlite3_result_null(ctx);
  if (argc > 1) {
    sqlite3_result_error(ctx, "turnstile_classifier: it takes one name", -1);
  } else if (conn->running) {
    sqlite3_result_error(ctx, "turnstile_classifier: it can't run inside a command", -1);
  } else if (argc == 1) {
    setClassifier(ctx, conn, argv[0]);
  } else if (conn->classifierFunction) {
    sqlite3_result_text(ctx, conn->classifierFunction, -1, SQLITE_TRANSIENT);
  }
}

/* ---- Classifying ----------------------------------------------------------------------------- */

/* Has the host asked for an end? A set of rules asks every few tries. */
static int isOver(void *arg) {
  return ts_interrupted(arg);
}

/* The end of a match: its code becomes the command's, and what was left out is returned, or NULL. */
static const char *ended(Cmd *c, const struct Classifier *cl, int rc, int nLeftOut,
                         const char *why) {
  ts_rules_watch(cl->rules, NULL, NULL);
  if (rc != SQLITE_OK && c->rc == SQLITE_OK) c->rc = rc;
  if (nLeftOut > 0) return ts_printf(c, "%s", why);
  return cl->leftOut[0] ? ts_printf(c, "%s", cl->leftOut) : NULL;
}

/* Returns what was left out, or NULL. */
static const char *runRules(Cmd *c, Text label, const ClassifyInput *in, ClassifyResult *result) {
  char message[MESSAGE_BYTES] = "";
  struct Classifier *cl = loadRules(c);
  int rc;
  if (!cl) return NULL;
  ts_rules_watch(cl->rules, isOver, c);
  rc = ts_classify(cl->rules, in, result, message, (int)sizeof(message));
  if (rc == SQLITE_OK) ts_corrections_weigh(cl->corrections, in, label, result);
  return ended(c, cl, rc, rc == SQLITE_OK ? result->nLeftOut : 0, message);
}

/* "without rule 12 (…): match limit exceeded" */
static const char *asNote(Cmd *c, const char *leftOut) {
  const char *note = leftOut ? ts_printf(c, "classified without %s", leftOut) : NULL;
  /* A pattern may have been cut within a character. */
  return note ? ts_clean(c, (Text){note, (int)strlen(note)}).z : NULL;
}

int ts_classifier_affirms(Cmd *c, Text message, const char **note) {
  char why[MESSAGE_BYTES] = "";
  struct Classifier *cl = loadRules(c);
  int yes = 0, nLeftOut = 0, rc;
  *note = NULL;
  if (!cl) return 0;
  ts_rules_watch(cl->rules, isOver, c);
  rc = ts_is_affirmation(cl->rules, message.z, message.n, &yes, &nLeftOut, why, (int)sizeof(why));
  *note = asNote(c, ended(c, cl, rc, nLeftOut, why));
  return yes;
}

/* The rules first, and the host's function for what they are not sure of. */
static void runFloor(Cmd *c, Text label, const ClassifyInput *in, double floor,
                     ClassifyResult *result, const char **note) {
  *note = asNote(c, runRules(c, label, in, result));
  if (c->rc == SQLITE_OK && !result->isCorrected && !result->isAffirmation &&
      result->confidence < floor)
    (void)askHost(c, in, result);
}

void ts_classifier_run(Cmd *c, Text label, const ClassifyInput *in, double floor,
                       ClassifyResult *result, const char **note) {
  *note = NULL;
  if (floor > 0) {
    runFloor(c, label, in, floor, result, note);
    return;
  }
  if (askHost(c, in, result)) {
    Text message = {in->message, in->nMessage};
    result->isAffirmation = ts_classifier_affirms(c, message, note);
    return;
  }
  if (c->rc == SQLITE_OK) *note = asNote(c, runRules(c, label, in, result));
}

/* For the functions that only classify: what was left out is an error. They know of no session, and whoever is
** mentioned in front is meant. */
static void runAllRules(Cmd *c, const ClassifyInput *in, ClassifyResult *result) {
  ClassifyInput said = *in;
  const char *leftOut;
  Address a;
  ts_address_read(in->message, in->nMessage, NULL, 0, &a);
  said.message = a.said;
  said.nMessage = a.nSaid;
  leftOut = runRules(c, (Text){NULL, 0}, &said, result);
  if (leftOut) ts_fail(c, SQLITE_ERROR, "%s", leftOut);
}

/* ---- SQL functions --------------------------------------------------------------------------- */

static Text textOf(Cmd *c, sqlite3_value *v, const char *name) {
  Text t = {NULL, 0};
  if (!v || sqlite3_value_type(v) == SQLITE_NULL) return t;
  if (sqlite3_value_type(v) != SQLITE_TEXT) {
    ts_fail(c, SQLITE_ERROR, "%s must be text", name);
    return t;
  }
  t.z = (const char *)sqlite3_value_text(v);
  t.n = sqlite3_value_bytes(v);
  if (!t.z) {
    c->rc = SQLITE_NOMEM;
    return t;
  }
  return ts_clean(c, t); /* the value outlives the call */
}

/* The four arguments: message, state, task, question. */
static void readInput(Cmd *c, int argc, sqlite3_value **argv, ClassifyInput *in) {
  Text message = textOf(c, argc > 0 ? argv[0] : NULL, "message");
  Text state = textOf(c, argc > 1 ? argv[1] : NULL, "state");
  Text task = textOf(c, argc > 2 ? argv[2] : NULL, "task_context");
  Text question = textOf(c, argc > 3 ? argv[3] : NULL, "question");
  int i = 0;
  memset(in, 0, sizeof(*in));
  if (c->rc != SQLITE_OK) return;
  if (!message.z) ts_fail(c, SQLITE_ERROR, "message is missing");
  if (state.z) {
    i = ts_state_find(&ts_task_machine, state.z, state.n);
    if (i < 0 || i == TASK_COMPLETE || i == TASK_ABORTED) {
      ts_fail(c, SQLITE_ERROR,
              "state is '%s'; it must be None, Running, AwaitingUser, Interrupted or "
              "PendingComplete",
              ts_excerpt(c, state));
      return;
    }
  }
  in->message = message.z;
  in->nMessage = message.n;
  in->state = (TaskState)i;
  in->task = task.z;
  in->nTask = task.n;
  in->question = question.z;
  in->nQuestion = question.n;
}

/* classify_message(message, state [, task_context [, question]]) → class */
static void classifyMessage(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  ClassifyInput in;
  ClassifyResult result;
  Cmd c;
  ts_cmd_init(&c, conn, ts_target_used(conn), "classify_message");
  if (argc < 2 || argc > 4) {
    ts_fail(&c, SQLITE_ERROR, "it takes message, state, and optionally task_context and question");
  }
  readInput(&c, argc, argv, &in);
  memset(&result, 0, sizeof(result));
  if (c.rc == SQLITE_OK) runAllRules(&c, &in, &result);
  if (c.rc == SQLITE_OK) {
    sqlite3_result_text(ctx, ts_class_names[result.cls], -1, SQLITE_STATIC);
  } else {
    ts_give_error(ctx, &c);
  }
  ts_cmd_clear(&c);
}

/* classification_prompt(message, state [, task_context [, question]]) → a prompt for a model */
static void promptFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  ClassifyInput in;
  char *prompt = NULL;
  Cmd c;
  ts_cmd_init(&c, conn, ts_target_used(conn), "classification_prompt");
  if (argc < 2 || argc > 4) {
    ts_fail(&c, SQLITE_ERROR, "it takes message, state, and optionally task_context and question");
  }
  readInput(&c, argc, argv, &in);
  if (c.rc == SQLITE_OK) {
    prompt = ts_classification_prompt(&in);
    if (!prompt) c.rc = SQLITE_NOMEM;
  }
  if (c.rc == SQLITE_OK) {
    sqlite3_result_text(ctx, prompt, -1, sqlite3_free);
  } else {
    ts_give_error(ctx, &c);
  }
  ts_cmd_clear(&c);
}

/* classification_parse(reply) → class or NULL */
static void parseFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  MessageClass cls;
  const char *z;
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  z = (const char *)sqlite3_value_text(argv[0]);
  if (!z) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  cls = ts_classification_parse(z, sqlite3_value_bytes(argv[0]));
  if (cls != CLASS_UNKNOWN) sqlite3_result_text(ctx, ts_class_names[cls], -1, SQLITE_STATIC);
}

/* turnstile_rule_check(class, state, pattern, weight): called by the triggers on message_rules. */
static void ruleCheck(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  char message[MESSAGE_BYTES], full[MESSAGE_BYTES + 32];
  RuleRow row;
  int rc;
  (void)argc;
  memset(&row, 0, sizeof(row));
  conn->rulesTouched = 1;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL && sqlite3_value_type(argv[2]) == SQLITE_NULL) {
    return; /* a row goes; in others NOT NULL says so */
  }
  row.cls = (const char *)sqlite3_value_text(argv[0]);
  row.nCls = sqlite3_value_bytes(argv[0]);
  row.state = (const char *)sqlite3_value_text(argv[1]);
  row.nState = sqlite3_value_bytes(argv[1]);
  row.pattern = (const char *)sqlite3_value_text(argv[2]);
  row.nPattern = sqlite3_value_bytes(argv[2]);
  row.weight = sqlite3_value_double(argv[3]);
  rc = ts_rule_check_row(&row, NULL, message, (int)sizeof(message));
  if (rc == SQLITE_NOMEM) {
    sqlite3_result_error_nomem(ctx);
  } else if (rc != SQLITE_OK) {
    sqlite3_snprintf((int)sizeof(full), full, "message_rules: %s", message);
    sqlite3_result_error(ctx, full, -1);
  }
}

/* ---- The table-valued function classify ------------------------------------------------------ */

#define CLASSIFY_COLUMN_CLASS 0
#define CLASSIFY_COLUMN_SCORE 1
#define CLASSIFY_COLUMN_CONFIDENCE 2
#define CLASSIFY_COLUMN_EVIDENCE 3
#define CLASSIFY_COLUMN_MESSAGE 4 /* the first argument; state, task_context, question follow */
#define CLASSIFY_ARGS 4

/* idxNum: bit i stands for argument i. */
static const int argColumns[CLASSIFY_ARGS] = {CLASSIFY_COLUMN_MESSAGE, CLASSIFY_COLUMN_MESSAGE + 1,
                                              CLASSIFY_COLUMN_MESSAGE + 2,
                                              CLASSIFY_COLUMN_MESSAGE + 3};

static const char declaration[] =
    "CREATE TABLE x(class TEXT, score REAL, confidence REAL, evidence TEXT, message HIDDEN, state "
    "HIDDEN, task_context HIDDEN, question HIDDEN)";

typedef struct ClassifyCursor {
  sqlite3_vtab_cursor base;
  int order[CLASS_COUNT]; /* classes, best first */
  int row;
  sqlite3_value *args[CLASSIFY_ARGS]; /* owned */
  Text evidence[CLASS_COUNT];         /* JSON, in cmd's memory */
  ClassifyResult result;
  int open;
  Cmd cmd;
} ClassifyCursor;

static int classifyConnect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                           sqlite3_vtab **out, char **err) {
  (void)argc;
  (void)argv;
  (void)err;
  return ts_table_connect(db, aux, declaration, SQLITE_VTAB_DIRECTONLY, out);
}

static int classifyBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = 100;
  info->estimatedRows = CLASS_COUNT;
  return ts_table_arguments(info, argColumns, CLASSIFY_ARGS, 0);
}

static int classifyOpen(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  ClassifyCursor *cur = sqlite3_malloc64(sizeof(*cur));
  (void)base;
  if (!cur) return SQLITE_NOMEM;
  memset(cur, 0, sizeof(*cur));
  *out = &cur->base;
  return SQLITE_OK;
}

static void classifyReset(ClassifyCursor *cur) {
  for (int k = 0; k < CLASSIFY_ARGS; k++) {
    sqlite3_value_free(cur->args[k]);
    cur->args[k] = NULL;
  }
  if (cur->open) ts_cmd_clear(&cur->cmd);
  cur->open = 0;
}

static int classifyClose(sqlite3_vtab_cursor *base) {
  classifyReset((ClassifyCursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

/* What spoke for a class: [{"rule":12,"weight":3.0}, {"shape":"a question","weight":0.5},
** {"word":"away","weight":1.9}]. */
static Text evidenceJson(Cmd *c, const ClassifyResult *result, MessageClass cls) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '[');
  for (int i = 0; i < result->nEvidence; i++) {
    const Evidence *e = &result->evidence[i];
    if (e->cls != cls) continue;
    ts_json_open(&j, '{');
    if (e->nWord > 0) {
      ts_json_put(&j, "word", (Text){result->words + e->wordAt, e->nWord});
    } else if (e->ruleIndex == TS_EVIDENCE_CORRECTION) {
      ts_json_put_int(&j, "correction", e->ruleId);
    } else if (e->name) {
      ts_json_put_string(&j, "shape", e->name);
    } else {
      ts_json_put_int(&j, "rule", e->ruleId);
    }
    ts_json_put_raw(&j, "weight", ts_real_text(c, e->weight)); /* all digits: they add up */
    ts_json_close(&j, '}');
  }
  ts_json_close(&j, ']');
  return ts_json_finish(&j);
}

static int classifyFilter(sqlite3_vtab_cursor *base, int idxNum, const char *idxStr, int argc,
                          sqlite3_value **argv) {
  ClassifyCursor *cur = (ClassifyCursor *)base;
  Conn *conn = ((Table *)base->pVtab)->conn;
  Cmd *c = &cur->cmd;
  sqlite3_value *values[CLASSIFY_ARGS];
  ClassifyInput in;
  (void)idxStr;
  classifyReset(cur);
  ts_cmd_init(c, conn, ts_target_used(conn), "classify");
  cur->open = 1;
  cur->row = 0;
  ts_table_values(idxNum, argc, argv, values, CLASSIFY_ARGS);
  for (int k = 0; k < CLASSIFY_ARGS; k++) {
    if (!values[k]) continue;
    cur->args[k] = sqlite3_value_dup(values[k]);
    if (!cur->args[k]) c->rc = SQLITE_NOMEM;
  }
  readInput(c, CLASSIFY_ARGS, values, &in);
  in.listsWords = 1;
  memset(&cur->result, 0, sizeof(cur->result));
  if (c->rc == SQLITE_OK) runAllRules(c, &in, &cur->result);
  for (int i = 0; i < CLASS_COUNT; i++) {
    int at = i;
    cur->evidence[i] = evidenceJson(c, &cur->result, (MessageClass)i);
    /* By share, best first; the winner in front even when the state decided and not the sum. */
    while (at > 0 && (i == (int)cur->result.cls ||
                      (cur->order[at - 1] != (int)cur->result.cls &&
                       cur->result.share[i] > cur->result.share[cur->order[at - 1]]))) {
      cur->order[at] = cur->order[at - 1];
      at--;
    }
    cur->order[at] = i;
  }
  return ts_table_error(base, c);
}

static int classifyNext(sqlite3_vtab_cursor *base) {
  ((ClassifyCursor *)base)->row++;
  return SQLITE_OK;
}

static int classifyEof(sqlite3_vtab_cursor *base) {
  return ((ClassifyCursor *)base)->row >= CLASS_COUNT;
}

static int classifyColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  ClassifyCursor *cur = (ClassifyCursor *)base;
  int cls = cur->order[cur->row];
  switch (i) {
  case CLASSIFY_COLUMN_CLASS:
    sqlite3_result_text(ctx, ts_class_names[cls], -1, SQLITE_STATIC);
    break;
  case CLASSIFY_COLUMN_SCORE: sqlite3_result_double(ctx, cur->result.score[cls]); break;
  case CLASSIFY_COLUMN_CONFIDENCE: sqlite3_result_double(ctx, cur->result.share[cls]); break;
  case CLASSIFY_COLUMN_EVIDENCE:
    sqlite3_result_text(ctx, cur->evidence[cls].z, cur->evidence[cls].n, SQLITE_TRANSIENT);
    break;
  default:
    if (cur->args[i - CLASSIFY_COLUMN_MESSAGE]) {
      sqlite3_result_value(ctx, cur->args[i - CLASSIFY_COLUMN_MESSAGE]);
    }
    break;
  }
  return SQLITE_OK;
}

static int classifyRowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((ClassifyCursor *)base)->row;
  return SQLITE_OK;
}

static const sqlite3_module classifyModule = {
    .iVersion = 0,
    .xConnect = classifyConnect,
    .xBestIndex = classifyBestIndex,
    .xDisconnect = ts_table_disconnect,
    .xOpen = classifyOpen,
    .xClose = classifyClose,
    .xFilter = classifyFilter,
    .xNext = classifyNext,
    .xEof = classifyEof,
    .xColumn = classifyColumn,
    .xRowid = classifyRowid,
};

int ts_classifier_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"classify_message", -1, SQLITE_DIRECTONLY, classifyMessage},
      {"turnstile_classifier", -1, SQLITE_DIRECTONLY, classifierFunction},
      {"classification_prompt", -1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, promptFunction},
      {"classification_parse", 1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, parseFunction},
      {"turnstile_rule_check", 4, SQLITE_INNOCUOUS, ruleCheck},
  };
  int rc;
  ts_conn_owner(conn, freeKept);
  rc = ts_functions_register(conn, functions, 5);
  return rc == SQLITE_OK ? ts_module_register(conn, "classify", &classifyModule) : rc;
}
