/*
** policy_replay.c - which stored deliveries other rules or settings would have decided otherwise.
**
**   SELECT delivery, message, class, would_class, action, would_action
**   FROM policy_replay('{"rules":[{"class":"Confirmation","state":"PendingComplete","pattern":"\\Algtm\\z","weight":7}]}');
**
** Reads only. The newest messages of users are classified once more, by the file's rules and corrections or by
** what the options say instead, with as much of that time as is stored: the message, the state that the task
** was in, what the task was about, and what it asked or reported. A row comes where the class is another one,
** or what the table does with it. Settings are those of now, or the options'.
**
** Not looked at is a message whose class was given, or was corrected when it came: the rules had no word in it.
*/
#include "policy_replay.h"

#include "args.h"
#include "classifier.h"
#include "config.h"
#include "corrections.h"
#include "deliver.h"
#include "report.h"
#include "rules.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define PRESET_LIMIT 1000
#define MOST_LIMIT 100000

#define REPLAY_COLUMN_DELIVERY 0
#define REPLAY_COLUMN_SESSION 1
#define REPLAY_COLUMN_AT 2
#define REPLAY_COLUMN_STATE 3
#define REPLAY_COLUMN_MESSAGE 4
#define REPLAY_COLUMN_CLASS 5
#define REPLAY_COLUMN_CONFIDENCE 6
#define REPLAY_COLUMN_ACTION 7
#define REPLAY_COLUMN_WOULD_CLASS 8
#define REPLAY_COLUMN_WOULD_CONFIDENCE 9
#define REPLAY_COLUMN_WOULD_ACTION 10
#define REPLAY_COLUMN_OPTIONS 11

static const char declaration[] =
    "CREATE TABLE x(delivery INTEGER, session_label TEXT, at INTEGER, state TEXT, message TEXT, "
    "class TEXT, confidence REAL, action TEXT, would_class TEXT, would_confidence REAL, "
    "would_action TEXT, options HIDDEN)";

static const int argColumns[] = {REPLAY_COLUMN_OPTIONS};

/* What is tried. */
typedef struct Trying {
  int floor, below, switches; /* below 0: as the session's setting is */
  int corrects;
  Text session; /* NULL: all */
  sqlite3_int64 limit;
} Trying;

typedef struct ReplayCursor {
  sqlite3_vtab_cursor base;
  int open, eof;
  sqlite3_int64 rowid;
  sqlite3_value *options; /* owned */
  Trying trying;
  RuleSet *rules;           /* owned */
  Corrections *corrections; /* owned */
  ClassifyResult result;
  Action action;
  Cmd cmd;
  Query query;
} ReplayCursor;

/* ---- The options --------------------------------------------------------------------------------- */

static const char *const names[] = {"session",        "limit",          "rules",
                                    "langs",          "user_rules",     "corrections",
                                    "classify_floor", "classify_below", "new_task_policy"};

static const char *const belowWords[] = {"guess", "prompt", "ask"};
static const char *const policyWords[] = {"prompt", "switch"};

/* An integer of a range. */
static sqlite3_int64 readNumber(Cmd *c, const Query *q, const char *name, sqlite3_int64 max) {
  sqlite3_int64 i = sqlite3_column_int64(q->stmt, 1);
  if (sqlite3_column_type(q->stmt, 1) != SQLITE_INTEGER || i < 0 || i > max) {
    ts_fail(c, SQLITE_ERROR, "%s must be an integer from 0 to %lld", name, max);
  }
  return i;
}

static int readWord(Cmd *c, Query *q, const char *name, const char *const *words, int n) {
  return ts_arg_word(c, name, ts_col_text(c, q, 1), words, n);
}

static int readShare(Cmd *c, const Query *q) {
  int type = sqlite3_column_type(q->stmt, 1);
  double share = sqlite3_column_double(q->stmt, 1);
  if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(share >= 0 && share <= 1)) {
    ts_fail(c, SQLITE_ERROR, "classify_floor must be a number from 0 to 1");
    return 0;
  }
  return (int)(share * 1000 + 0.5);
}

static void readOption(Cmd *c, Query *q, Trying *t) {
  Text key = ts_col_text(c, q, 0);
  Text type = ts_col_text(c, q, 2);
  switch (ts_arg_word(c, "option", key, names, (int)(sizeof(names) / sizeof(names[0])))) {
  case 0: t->session = ts_col_text(c, q, 1); break;
  case 1: t->limit = readNumber(c, q, "limit", MOST_LIMIT); break;
  case 2:
  case 3:
    if (!ts_text_is(type, "array")) ts_fail(c, SQLITE_ERROR, "%s must be an array", key.z);
    break;
  case 4: (void)readNumber(c, q, "user_rules", 1); break;
  case 5: t->corrects = (int)readNumber(c, q, "corrections", 1); break;
  case 6: t->floor = readShare(c, q); break;
  case 7: t->below = readWord(c, q, "classify_below", belowWords, 3); break;
  case 8: t->switches = readWord(c, q, "new_task_policy", policyWords, 2); break;
  default: break;
  }
}

/* Takes the spaces out of them, too. */
static void readOptions(Cmd *c, Text *options, Trying *t) {
  Text type;
  Query q;
  t->floor = t->below = t->switches = -1;
  t->corrects = 1;
  t->limit = PRESET_LIMIT;
  type = ts_json_minify(c, options, 100);
  if (!ts_text_is(type, "object")) ts_fail(c, SQLITE_ERROR, "options must be a JSON object");
  if (c->rc != SQLITE_OK) return;
  q = ts_query(c, SQL_REPLAY_OPTIONS, "t", options);
  while (ts_row(c, &q))
    readOption(c, &q, t);
  ts_end(c, &q);
}

/* ---- One delivery -------------------------------------------------------------------------------- */

/* The columns of replay_deliveries. */
enum {
  ROW_ID,
  ROW_LABEL,
  ROW_AT,
  ROW_STATE,
  ROW_MESSAGE,
  ROW_CLASS,
  ROW_CONFIDENCE,
  ROW_ACTION,
  ROW_TASK,
  ROW_DATA
};

static int setting(Cmd *c, Text label, int given, ConfigKey key) {
  return given >= 0 ? given : (int)ts_config_int(c, label, key);
}

/* What the table does with a class, when no run is live and no choice is open. */
static Action actionOf(TaskState state, MessageClass cls, int toReport, int affirms, int switches,
                       int isDoubted) {
  CellFacts facts = {.state = state,
                     .cls = cls,
                     .isAffirmation = affirms,
                     .switchTasks = switches,
                     .toReport = toReport,
                     .isDoubted = isDoubted};
  return ts_cell(&facts).action;
}

static int isSlashWord(Text message) {
  Inbound in;
  memset(&in, 0, sizeof(in));
  in.message = message;
  in.source = SOURCE_USER;
  return ts_is_command(&in);
}

/* What is said to a report that asks something. */
static MessageClass toReport(const ClassifyInput *in, const ClassifyResult *r) {
  if (in->state != TASK_PENDING_COMPLETE || r->isCorrected) return CLASS_UNKNOWN;
  return ts_report_reads(ts_report_asks(in->question, in->nQuestion), in->message, in->nMessage,
                         r->cls, r->isAffirmation);
}

/* Is it what was done? Or what the table does with the class that it had: it may have been done differently for
** another reason, such as a live run. Only a doubt asks the host. */
static int isAsDone(Action would, Action table, Text done) {
  if (ts_text_is(done, ts_action_names[would])) return 1;
  return would == table && !ts_text_is(done, ts_action_names[ACTION_CLASSIFY]);
}

/* Would it be decided otherwise? Sets result and action. */
static int looksOtherwise(ReplayCursor *cur, const ClassifyInput *in, Text label, MessageClass was,
                          Text done) {
  Cmd *c = &cur->cmd;
  const Trying *t = &cur->trying;
  ClassifyResult *r = &cur->result;
  int switched = ts_config_int(c, label, CONFIG_NEW_TASK_POLICY) == POLICY_SWITCH;
  int switches = setting(c, label, t->switches, CONFIG_NEW_TASK_POLICY) == POLICY_SWITCH;
  int floor = setting(c, label, t->floor, CONFIG_CLASSIFY_FLOOR);
  int below = setting(c, label, t->below, CONFIG_CLASSIFY_BELOW);
  MessageClass said = toReport(in, r);
  int isDoubted =
      said == CLASS_UNKNOWN && !r->isAffirmation && !r->isCorrected && r->confidence * 1000 < floor;
  Action then =
      actionOf(in->state, was, said == was, r->isAffirmation && said == CLASS_UNKNOWN, switched, 0);
  if (said != CLASS_UNKNOWN) r->cls = said;
  cur->action = actionOf(in->state, r->cls, said != CLASS_UNKNOWN, r->isAffirmation, switches,
                         isDoubted && below == BELOW_PROMPT);
  if (isDoubted && below == BELOW_ASK) cur->action = ACTION_CLASSIFY;
  return r->cls != was || !isAsDone(cur->action, then, done);
}

static int isOver(void *arg) {
  return ts_interrupted(arg);
}

/* The row that the query stands at: is it one to tell of? */
static int tells(ReplayCursor *cur) {
  Cmd *c = &cur->cmd;
  Query *q = &cur->query;
  char why[256] = "";
  Text message = ts_col_view(q, ROW_MESSAGE), task = ts_col_view(q, ROW_TASK);
  Text state = ts_col_view(q, ROW_STATE), asked = ts_col_view(q, ROW_DATA);
  Text cls = ts_col_view(q, ROW_CLASS), label = ts_col_text(c, q, ROW_LABEL);
  int i = state.z ? ts_state_find(&ts_task_machine, state.z, state.n) : -1;
  ClassifyInput in = {.message = message.z, .nMessage = message.n};
  int rc;
  if (c->rc != SQLITE_OK || i < 0 || !message.z || isSlashWord(message)) return 0;
  in.state = (TaskState)i;
  if (in.state != TASK_NONE) {
    in.task = task.z;
    in.nTask = task.z ? task.n : 0;
    in.question = asked.z;
    in.nQuestion = asked.z ? asked.n : 0;
  }
  ts_rules_watch(cur->rules, isOver, c);
  rc = ts_classify(cur->rules, &in, &cur->result, why, (int)sizeof(why));
  ts_rules_watch(cur->rules, NULL, NULL);
  if (rc != SQLITE_OK && c->rc == SQLITE_OK) c->rc = rc;
  if (c->rc != SQLITE_OK) return 0;
  ts_corrections_weigh(cur->corrections, &in, label, &cur->result);
  return looksOtherwise(cur, &in, label, cls.z ? ts_class_find(cls.z, cls.n) : CLASS_UNKNOWN,
                        ts_col_view(q, ROW_ACTION));
}

/* ---- The table-valued function ------------------------------------------------------------------- */

static int replayConnect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **err) {
  (void)argc;
  (void)argv;
  (void)err;
  return ts_table_connect(db, aux, declaration, SQLITE_VTAB_DIRECTONLY, out);
}

static int replayBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = 1000000;
  info->estimatedRows = 1000;
  return ts_table_arguments(info, argColumns, 1, 0);
}

static int replayOpen(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  ReplayCursor *cur = sqlite3_malloc64(sizeof(*cur));
  (void)base;
  if (!cur) return SQLITE_NOMEM;
  memset(cur, 0, sizeof(*cur));
  *out = &cur->base;
  return SQLITE_OK;
}

static void replayReset(ReplayCursor *cur) {
  if (!cur->open) return;
  ts_end(&cur->cmd, &cur->query);
  ts_rules_free(cur->rules);
  ts_corrections_free(cur->corrections);
  sqlite3_value_free(cur->options);
  ts_cmd_clear(&cur->cmd);
  cur->rules = NULL;
  cur->corrections = NULL;
  cur->options = NULL;
  cur->open = 0;
}

static int replayClose(sqlite3_vtab_cursor *base) {
  replayReset((ReplayCursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

static int replayNext(sqlite3_vtab_cursor *base) {
  ReplayCursor *cur = (ReplayCursor *)base;
  do {
    cur->eof = !ts_row(&cur->cmd, &cur->query);
  } while (!cur->eof && !tells(cur));
  cur->rowid++;
  return ts_table_error(base, &cur->cmd);
}

static void loadRules(ReplayCursor *cur, Text options) {
  Cmd *c = &cur->cmd;
  Query q;
  if (c->rc == SQLITE_OK) c->rc = ts_rules_new(&cur->rules);
  q = ts_query(c, SQL_REPLAY_RULES, "ti", &options, (sqlite3_int64)TS_RULES_LOOKED_AT + 1);
  ts_classifier_fill(c, &q, cur->rules);
  if (cur->trying.corrects) cur->corrections = ts_corrections_load(c);
}

static int replayFilter(sqlite3_vtab_cursor *base, int idxNum, const char *idxStr, int argc,
                        sqlite3_value **argv) {
  ReplayCursor *cur = (ReplayCursor *)base;
  Conn *conn = ((Table *)base->pVtab)->conn;
  Cmd *c = &cur->cmd;
  sqlite3_value *values[1];
  Text options = TS_TEXT("{}");
  (void)idxStr;
  ts_table_values(idxNum, argc, argv, values, 1);
  replayReset(cur);
  ts_cmd_init(c, conn, ts_target_used(conn), "policy_replay");
  memset(&cur->query, 0, sizeof(cur->query));
  cur->open = 1;
  cur->rowid = 0;
  if (values[0] && sqlite3_value_type(values[0]) != SQLITE_NULL) {
    cur->options = sqlite3_value_dup(values[0]);
    options.z = cur->options ? (const char *)sqlite3_value_text(cur->options) : NULL;
    options.n = options.z ? sqlite3_value_bytes(cur->options) : 0;
    if (!options.z) c->rc = SQLITE_NOMEM;
    if (c->rc == SQLITE_OK) options = ts_clean(c, options);
  }
  memset(&cur->trying, 0, sizeof(cur->trying));
  readOptions(c, &options, &cur->trying);
  if (c->rc == SQLITE_OK) loadRules(cur, options);
  if (c->rc == SQLITE_OK) {
    cur->query =
        ts_query(c, cur->trying.session.z ? SQL_REPLAY_DELIVERIES_OF : SQL_REPLAY_DELIVERIES, "it",
                 cur->trying.limit, &cur->trying.session);
  }
  return replayNext(base);
}

static int replayEof(sqlite3_vtab_cursor *base) {
  return ((ReplayCursor *)base)->eof;
}

static int replayColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  ReplayCursor *cur = (ReplayCursor *)base;
  switch (i) {
  case REPLAY_COLUMN_WOULD_CLASS:
    sqlite3_result_text(ctx, ts_class_names[cur->result.cls], -1, SQLITE_STATIC);
    break;
  case REPLAY_COLUMN_WOULD_CONFIDENCE: sqlite3_result_double(ctx, cur->result.confidence); break;
  case REPLAY_COLUMN_WOULD_ACTION:
    sqlite3_result_text(ctx, ts_action_names[cur->action], -1, SQLITE_STATIC);
    break;
  case REPLAY_COLUMN_OPTIONS:
    if (cur->options) sqlite3_result_value(ctx, cur->options);
    break;
  default: sqlite3_result_value(ctx, sqlite3_column_value(cur->query.stmt, i)); break;
  }
  return SQLITE_OK;
}

static int replayRowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((ReplayCursor *)base)->rowid;
  return SQLITE_OK;
}

static const sqlite3_module replayModule = {
    .iVersion = 0,
    .xConnect = replayConnect,
    .xBestIndex = replayBestIndex,
    .xDisconnect = ts_table_disconnect,
    .xOpen = replayOpen,
    .xClose = replayClose,
    .xFilter = replayFilter,
    .xNext = replayNext,
    .xEof = replayEof,
    .xColumn = replayColumn,
    .xRowid = replayRowid,
};

int ts_policy_replay_register(Conn *conn) {
  return ts_module_register(conn, "policy_replay", &replayModule);
}
