/*
** classifier.c - the classifier as the database sees it: the rules of a file, and turnstile_classifier().
**
**   SELECT turnstile_classifier('my_function');     -- my_function(message, state, task, question)
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
#include "classifier.h"

#include "address.h"
#include "corrections.h"
#include "rules.h"
#include "shipped.h"
#include "functions.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MESSAGE_BYTES 480 /* room for an error of the rules */

#define BYTES_LOOKED_AT 33554432 /* bytes of their texts; a longer text is still read to its end */

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

/* ---- The compiled rules ---------------------------------------------------------------------------- */

/* The present row of the query. *nBytes grows by the length of the row's texts. */
static int addRow(const Query *q, RuleSet *rules, Shipped *shipped, sqlite3_int64 *nBytes,
                  char *err, int nErr) {
  RuleRow row;
  memset(&row, 0, sizeof(row));
  row.id = sqlite3_column_int64(q->stmt, COL_RULES_LOAD_ID);
  row.cls = (const char *)sqlite3_column_text(q->stmt, COL_RULES_LOAD_CLASS);
  row.nCls = sqlite3_column_bytes(q->stmt, COL_RULES_LOAD_CLASS);
  row.state = (const char *)sqlite3_column_text(q->stmt, COL_RULES_LOAD_STATE);
  row.nState = sqlite3_column_bytes(q->stmt, COL_RULES_LOAD_STATE);
  row.pattern = (const char *)sqlite3_column_text(q->stmt, COL_RULES_LOAD_PATTERN);
  row.nPattern = sqlite3_column_bytes(q->stmt, COL_RULES_LOAD_PATTERN);
  row.weight = sqlite3_column_double(q->stmt, COL_RULES_LOAD_WEIGHT);
  row.lang = (const char *)sqlite3_column_text(q->stmt, COL_RULES_LOAD_LANG);
  row.nLang = sqlite3_column_bytes(q->stmt, COL_RULES_LOAD_LANG);
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

/* Does reading end after so many rows and bytes? message says why. */
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
      leaveOut(leftOut, ts_col_int(q, COL_RULES_LOAD_ID), message);
      break;
    }
    if (ts_col_int(q, COL_RULES_LOAD_ENABLED) == 0) continue;
    rc = addRow(q, rules, &shipped, &nBytes, message, (int)sizeof(message));
    if (rc == SQLITE_NOMEM) {
      c->rc = rc;
    } else if (rc != SQLITE_OK) {
      leaveOut(leftOut, ts_col_int(q, COL_RULES_LOAD_ID), message);
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
  if (ts_row(c, &q)) c->rulesVersion = ts_col_int(&q, COL_RULES_VERSION_VALUE);
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
      ts_fail_nomem(c);
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

/* ---- The host's function --------------------------------------------------------------------------- */

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

/* ---- Classifying ----------------------------------------------------------------------------------- */

/* Has the host asked for an end? A set of rules asks every few tries. */
static int isOver(void *arg) {
  return ts_interrupted(arg);
}

/* Ends a match: its code becomes the command's. Returns what was left out, or NULL. */
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
  /* The cut of a pattern may lie within a character. */
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

/* The rules come first; the host's function decides what they are not sure of. */
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

/* For the functions that only classify: a rule that was left out is an error. They know no session, so a
** name in front always addresses the reader. */
void ts_classifier_say(Cmd *c, const ClassifyInput *in, ClassifyResult *result) {
  ClassifyInput said = *in;
  const char *leftOut;
  Address a;
  ts_address_read(in->message, in->nMessage, NULL, 0, &a);
  said.message = a.said;
  said.nMessage = a.nSaid;
  leftOut = runRules(c, (Text){NULL, 0}, &said, result);
  if (leftOut) ts_fail(c, SQLITE_ERROR, "%s", leftOut);
}

int ts_classifier_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_classifier", -1, SQLITE_DIRECTONLY, classifierFunction},
  };
  ts_conn_owner(conn, freeKept);
  return ts_functions_register(conn, functions, 1);
}
