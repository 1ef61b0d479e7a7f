/*
** classify_message.c - classify_message() and classify(): what a message says, to whoever asks.
**
**   SELECT classify_message('yes', 'AwaitingUser');              -- Response
**   SELECT classify_message('yes', 'PendingComplete');           -- Confirmation
**   SELECT * FROM classify('perfect, but log the try', 'PendingComplete');
**
** The function gives the class, the table a row for each class with its share and what spoke for it. Both read the file
** that the connection uses, and write nothing. How a class is found is in classify.c; which rules count in classifier.c.
*/
#include "classifier.h"

#include "json.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Arguments ------------------------------------------------------------------------------------- */

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
void ts_classify_input(Cmd *c, int argc, sqlite3_value **argv, ClassifyInput *in) {
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

/* ---- classify_message(message, state [, task_context [, question]]) → class ------------------------ */

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
  ts_classify_input(&c, argc, argv, &in);
  memset(&result, 0, sizeof(result));
  if (c.rc == SQLITE_OK) ts_classifier_say(&c, &in, &result);
  if (c.rc == SQLITE_OK) {
    sqlite3_result_text(ctx, ts_class_names[result.cls], -1, SQLITE_STATIC);
  } else {
    ts_give_error(ctx, &c);
  }
  ts_cmd_clear(&c);
}

/* ---- The table-valued function classify ------------------------------------------------------------ */

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
  ts_classify_input(c, CLASSIFY_ARGS, values, &in);
  in.listsWords = 1;
  memset(&cur->result, 0, sizeof(cur->result));
  if (c->rc == SQLITE_OK) ts_classifier_say(c, &in, &cur->result);
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

int ts_classify_message_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"classify_message", -1, SQLITE_DIRECTONLY, classifyMessage},
  };
  int rc = ts_functions_register(conn, functions, 1);
  return rc == SQLITE_OK ? ts_module_register(conn, "classify", &classifyModule) : rc;
}
