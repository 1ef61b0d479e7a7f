/*
** classify_function.c - classify(): a row for each class of a message, with its share and what spoke for it.
**
**   SELECT * FROM classify('perfect, but log the try', 'PendingComplete');
*/
#include "classifier.h"

#include "json.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

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
  TableCursor base;
  int order[CLASS_COUNT];             /* classes, best first */
  sqlite3_value *args[CLASSIFY_ARGS]; /* owned */
  Text evidence[CLASS_COUNT];         /* JSON, in cmd's memory */
  ClassifyResult result;
  int open;
  Cmd cmd;
} ClassifyCursor;

TS_TABLE_CONNECT(classify, declaration)

static int classifyBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = 100;
  info->estimatedRows = CLASS_COUNT;
  return ts_table_arguments(info, argColumns, CLASSIFY_ARGS, 0);
}

static void classifyReset(ClassifyCursor *cur) {
  for (int k = 0; k < CLASSIFY_ARGS; k++) {
    sqlite3_value_free(cur->args[k]);
    cur->args[k] = NULL;
  }
  if (cur->open) ts_cmd_clear(&cur->cmd);
  cur->open = 0;
}

TS_TABLE_CURSOR(classify, ClassifyCursor)

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
  cur->base.rowid = 0;
  cur->base.eof = 0;
  ts_table_values(idxNum, argc, argv, values, CLASSIFY_ARGS);
  for (int k = 0; k < CLASSIFY_ARGS; k++) {
    if (!values[k]) continue;
    cur->args[k] = sqlite3_value_dup(values[k]);
    if (!cur->args[k]) ts_fail_nomem(c);
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
  TableCursor *cur = (TableCursor *)base;
  cur->eof = ++cur->rowid >= CLASS_COUNT;
  return SQLITE_OK;
}

static int classifyColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  ClassifyCursor *cur = (ClassifyCursor *)base;
  int cls = cur->order[cur->base.rowid];
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

static const sqlite3_module classifyModule =
    TS_TABLE_MODULE(classify, ts_table_disconnect, classify);

int ts_classify_register(Conn *conn) {
  return ts_module_register(conn, "classify", &classifyModule);
}
