/*
** policy_replay.c - the stored deliveries that other rules or settings would have decided
** differently.
**
**   SELECT delivery, message, class, would_class, action, would_action
**   FROM policy_replay('{"rules":[{"class":"Confirmation","state":"PendingComplete","pattern":"\\Algtm\\z","weight":7}]}');
**
** It only reads. The newest messages of users are classified again, with the rules and corrections
** of the file or of the options. They are classified with what is stored about that time: the
** message, the task's state, its subject, and its question or report. A row is returned when the
** class differs, or what the table does with it. Settings are the present ones, or the options'.
**
** A message whose class was given, or was corrected when it came, is skipped: the rules did not
** decide it.
*/
#include "policy_replay.h"

#include "args.h"
#include "classifier.h"
#include "config.h"
#include "corrections.h"
#include "decimal.h"
#include "report.h"
#include "rules.h"
#include "said.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define PRESET_LIMIT 1000
#define MOST_LIMIT 100000
#define EVENTS_BACK 16 /* looked at for what a task asked */

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

/* The rules and settings to try. */
typedef struct Trying {
  int floor, below, switches; /* below 0: as the session's setting is */
  int corrects;
  Text session; /* NULL: all */
  sqlite3_int64 limit;
} Trying;

typedef struct ReplayCursor {
  TableCursor base;
  int open;
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

static const char *const ruleNames[] = {"class", "state", "pattern", "weight", "lang"};

#define COUNT(words) ((int)(sizeof(words) / sizeof((words)[0])))

/* The JSON type in a row of json_each, for errors. */
static const char *typeOf(const Query *q) {
  const char *type = (const char *)sqlite3_column_text(q->stmt, COL_REPLAY_OPTIONS_TYPE);
  return type ? type : "null";
}

static int isType(const Query *q, const char *type) {
  return strcmp(typeOf(q), type) == 0;
}

static int isNumber(const Query *q) {
  return isType(q, "integer") || isType(q, "real");
}

/* An integer of a range. Some drivers send every number with a fraction; true and false are 1 and 0. */
static sqlite3_int64 readNumber(Cmd *c, const Query *q, const char *name, sqlite3_int64 max) {
  sqlite3_int64 i = 0;
  int isBoolean = max == 1 && (isType(q, "true") || isType(q, "false"));
  if ((!isNumber(q) && !isBoolean) ||
      !ts_whole_number(sqlite3_column_double(q->stmt, COL_REPLAY_OPTIONS_VALUE), &i) || i < 0 ||
      i > max) {
    ts_fail(c, SQLITE_ERROR, "%s must be an integer from 0 to %lld", name, max);
  }
  return i;
}

static void wantText(Cmd *c, const Query *q, const char *name) {
  if (isType(q, "text")) return;
  ts_fail(c, SQLITE_ERROR, "%s must be text, not a JSON %s", name, typeOf(q));
}

/* A setting that is a word, or a number. */
static int readSetting(Cmd *c, Query *q, ConfigKey key) {
  if (key != CONFIG_CLASSIFY_FLOOR) {
    wantText(c, q, ts_config_name(key));
  } else if (!isNumber(q)) {
    ts_fail(c, SQLITE_ERROR, "classify_floor must be a number from 0 to 1");
  }
  return c->rc == SQLITE_OK
             ? (int)ts_config_parse(c, key, ts_col_text(c, q, COL_REPLAY_OPTIONS_VALUE))
             : 0;
}

static Text readLabel(Cmd *c, Query *q) {
  Text label;
  wantText(c, q, "session");
  label = ts_col_text(c, q, COL_REPLAY_OPTIONS_VALUE);
  if (c->rc == SQLITE_OK && label.n == 0) ts_fail(c, SQLITE_ERROR, "session is empty");
  if (label.n > TURNSTILE_MAX_LABEL) {
    ts_fail(c, SQLITE_ERROR, "session is %d bytes long; at most %d are allowed", label.n,
            TURNSTILE_MAX_LABEL);
  }
  return label;
}

/* The number of a name, which may occur once. given: a bit for each name so far. */
static int readName(Cmd *c, Query *q, const char *what, const char *const *words, int n,
                    unsigned *given) {
  int i = ts_arg_word(c, what, ts_col_text(c, q, COL_REPLAY_OPTIONS_KEY), words, n);
  if (i < 0) return i;
  if (*given & 1U << i) ts_fail(c, SQLITE_ERROR, "%s %s is given twice", what, words[i]);
  *given |= 1U << i;
  return i;
}

static void readOption(Cmd *c, Query *q, Trying *t, unsigned *given) {
  int i = readName(c, q, "option", names, COUNT(names), given);
  switch (i) {
  case 0: t->session = readLabel(c, q); break;
  case 1: t->limit = readNumber(c, q, "limit", MOST_LIMIT); break;
  case 2:
  case 3:
    if (!isType(q, "array")) ts_fail(c, SQLITE_ERROR, "%s must be an array", names[i]);
    break;
  case 4: (void)readNumber(c, q, "user_rules", 1); break;
  case 5: t->corrects = (int)readNumber(c, q, "corrections", 1); break;
  case 6: t->floor = readSetting(c, q, CONFIG_CLASSIFY_FLOOR); break;
  case 7: t->below = readSetting(c, q, CONFIG_CLASSIFY_BELOW); break;
  case 8: t->switches = readSetting(c, q, CONFIG_NEW_TASK_POLICY); break;
  default: break;
  }
}

/* A field of a rule. Its text is checked with the rules; state and lang may be null, as in the
** table. */
static void readField(Cmd *c, Query *q, const char *rule, unsigned *given) {
  int i = readName(c, q, ts_printf(c, "%s: field", rule), ruleNames, COUNT(ruleNames), given);
  if (i < 0 || ((i == 1 || i == 4) && isType(q, "null"))) return;
  if (i == 3) {
    if (!isNumber(q)) {
      ts_fail(c, SQLITE_ERROR, "%s: weight must be a number, not a JSON %s", rule, typeOf(q));
    }
  } else if (!isType(q, "text")) {
    wantText(c, q, ts_printf(c, "%s: %s", rule, ruleNames[i]));
  }
}

static void readRule(Cmd *c, Query *items) {
  const char *rule = ts_printf(c, "rules[%lld]", ts_col_int(items, COL_REPLAY_OPTIONS_KEY));
  Text fields = ts_col_text(c, items, COL_REPLAY_OPTIONS_VALUE);
  unsigned given = 0;
  Query q;
  if (!isType(items, "object")) {
    ts_fail(c, SQLITE_ERROR, "%s must be an object, not a JSON %s", rule, typeOf(items));
  }
  if (c->rc != SQLITE_OK) return;
  q = ts_query(c, SQL_REPLAY_OPTIONS, "t", &fields);
  while (ts_row(c, &q))
    readField(c, &q, rule, &given);
  ts_end(c, &q);
}

static void readRules(Cmd *c, Text options) {
  Query q = ts_query(c, SQL_REPLAY_OPTION_ITEMS, "ts", &options, "$.rules");
  while (ts_row(c, &q))
    readRule(c, &q);
  ts_end(c, &q);
}

/* Names of languages: a name without rules would silently leave out every pack. */
static void readLangs(Cmd *c, Text options) {
  Query q = ts_query(c, SQL_REPLAY_OPTION_ITEMS, "ts", &options, "$.langs");
  while (ts_row(c, &q))
    wantText(c, &q, ts_printf(c, "langs[%lld]", ts_col_int(&q, COL_REPLAY_OPTIONS_KEY)));
  ts_end(c, &q);
  q = ts_query(c, SQL_REPLAY_LANGS_ODD, "ti", &options, (sqlite3_int64)TS_RULES_LOOKED_AT + 1);
  if (ts_row(c, &q)) {
    ts_fail(c, SQLITE_ERROR,
            "langs[%lld] is '%s'; it must be the language of a built-in rule, such as en",
            ts_col_int(&q, COL_REPLAY_LANGS_ODD_KEY),
            ts_excerpt(c, ts_col_text(c, &q, COL_REPLAY_LANGS_ODD_VALUE)));
  }
  ts_end(c, &q);
}

/* Takes the spaces out of them, too. */
static void readOptions(Cmd *c, Text *options, Trying *t) {
  Text type;
  Query q;
  unsigned given = 0;
  t->floor = t->below = t->switches = -1;
  t->corrects = 1;
  t->limit = PRESET_LIMIT;
  type = ts_json_minify(c, options, 100);
  if (!ts_text_is(type, "object")) ts_fail(c, SQLITE_ERROR, "options must be a JSON object");
  if (c->rc != SQLITE_OK) return;
  q = ts_query(c, SQL_REPLAY_OPTIONS, "t", options);
  while (ts_row(c, &q))
    readOption(c, &q, t, &given);
  ts_end(c, &q);
  if (given & 1U << 2) readRules(c, *options);
  if (given & 1U << 3) readLangs(c, *options);
}

/* ---- One delivery -------------------------------------------------------------------------------- */

static int setting(Cmd *c, Text label, int given, ConfigKey key) {
  return given >= 0 ? given : (int)ts_config_int(c, label, key);
}

/* The row's message as a delivery reads it, and its part with a meaning; {NULL,0}: it is a command,
** a call, or may be said to somebody else, so that more than its words decided. */
static Text saidIn(Cmd *c, Text label, Text message, const ClassifyInput *input) {
  Inbound in;
  Text question = {input->question, input->nQuestion}, task = {input->task, input->nTask}, focus;
  memset(&in, 0, sizeof(in));
  in.message = message;
  in.source = SOURCE_USER;
  in.names = ts_config_host_name(c, label, CONFIG_NAMES);
  if (ts_is_command(&in) || ts_asks_compact(&in, &focus) ||
      ts_said_is_call(&in, input->state == TASK_AWAITING_USER) ||
      ts_said_beside(&in, question, task).z) {
    return (Text){NULL, 0};
  }
  return ts_said(c, &in);
}

/* The last event up to this id: may it have come before? */
static int isBefore(Cmd *c, Text label, sqlite3_int64 id, sqlite3_int64 at) {
  Query q = ts_query(c, SQL_REPLAY_EVENT, "ti", &label, id);
  int before = ts_row(c, &q) && ts_col_int(&q, COL_REPLAY_EVENT_AT) <= at;
  ts_end(c, &q);
  return before;
}

/* The id up to which a session's task events came before that time, found by binary search, because
** a file can hold any number of newer events. Where the clock went back, it is one of several such
** ids. */
static sqlite3_int64 lastBefore(Cmd *c, Text label, sqlite3_int64 at) {
  sqlite3_int64 low = 0, high = 0;
  Query q = ts_query(c, SQL_REPLAY_EVENTS_ENDS, "t", &label);
  if (ts_row(c, &q)) {
    low = ts_col_int(&q, COL_REPLAY_EVENTS_ENDS_FIRST);
    high = ts_col_int(&q, COL_REPLAY_EVENTS_ENDS_LAST);
  }
  ts_end(c, &q);
  while (c->rc == SQLITE_OK && low < high) {
    sqlite3_uint64 between = (sqlite3_uint64)high - (sqlite3_uint64)low;
    sqlite3_int64 middle = (sqlite3_int64)((sqlite3_uint64)low + between / 2 + between % 2);
    if (isBefore(c, label, middle, at)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/* The task's last question or report before the row's message; {NULL,0}: no event near it says so.
** */
static Text askedBefore(Cmd *c, Query *row, Text label, Text state) {
  sqlite3_int64 at = ts_col_int(row, COL_REPLAY_DELIVERIES_AT), id = lastBefore(c, label, at);
  Text asked = {NULL, 0};
  Query q =
      ts_query(c, SQL_REPLAY_ASKED, "titii", &label, id, &state, at, (sqlite3_int64)EVENTS_BACK);
  if (ts_row(c, &q)) asked = ts_col_text(c, &q, COL_REPLAY_ASKED_SAID);
  ts_end(c, &q);
  return asked;
}

/* The description of the task that the row's message met. */
static Text taskOf(Cmd *c, Query *row, Text label) {
  sqlite3_int64 at = ts_col_int(row, COL_REPLAY_DELIVERIES_AT),
                id = ts_col_int(row, COL_REPLAY_DELIVERIES_TASK);
  Text action = ts_col_text(c, row, COL_REPLAY_DELIVERIES_ACTION), task = {NULL, 0};
  Query q = ts_query(c, SQL_REPLAY_TASK, "tiit", &label, id, at, &action);
  if (ts_row(c, &q)) task = ts_col_text(c, &q, COL_REPLAY_TASK_DESCRIPTION);
  ts_end(c, &q);
  return task;
}

/* How the message answers a report that asks something. */
static MessageClass toReport(const ClassifyInput *in, const ClassifyResult *r) {
  if (in->state != TASK_PENDING_COMPLETE || r->isCorrected) return CLASS_UNKNOWN;
  return ts_report_reads(ts_report_asks(in->question, in->nQuestion), in->message, in->nMessage,
                         r->cls, r->isAffirmation);
}

/* How a message was decided. */
typedef struct Decided {
  MessageClass cls;
  Text action;
  int isAtChoice;  /* one was open when it came */
  int opensChoice; /* a choice asked for its class, which was unclear or doubted */
  int isSubagents; /* nobody is asked there */
} Decided;

static void readDecided(Query *q, Decided *was) {
  Text cls = ts_col_view(q, COL_REPLAY_DELIVERIES_CLASS),
       kind = ts_col_view(q, COL_REPLAY_DELIVERIES_CHOICE);
  int isOlder = ts_col_int(q, COL_REPLAY_DELIVERIES_WAS_OPEN) != 0;
  was->cls = cls.z ? ts_class_find(cls.z, cls.n) : CLASS_UNKNOWN;
  was->action = ts_col_view(q, COL_REPLAY_DELIVERIES_ACTION);
  was->isSubagents = ts_col_int(q, COL_REPLAY_DELIVERIES_IS_SUBAGENT) != 0;
  was->isAtChoice = isOlder;
  was->opensChoice = !isOlder && ts_text_is(was->action, ts_action_names[ACTION_PROMPT]) &&
                     kind.z && ts_text_is(kind, ts_choice_kinds[CHOICE_UNCLEAR]);
}

/* Is it what was done, or what the table does with its old class? It may have been done differently
** for another reason, such as a live run. Only a doubt asks the host; where the table asks nobody,
** a choice about the message's class came from a doubt. */
static int isAsDone(Action would, Action table, const Decided *was) {
  if (ts_text_is(was->action, ts_action_names[would])) return 1;
  if (was->opensChoice && table != ACTION_PROMPT) return 0;
  return would == table && !ts_text_is(was->action, ts_action_names[ACTION_CLASSIFY]);
}

/* What the table does without a live run and an open choice. */
static Action actionOf(CellFacts facts, MessageClass cls, int switches, int isDoubted) {
  facts.cls = cls;
  facts.switchTasks = switches;
  facts.isDoubted = isDoubted;
  return ts_cell(&facts).action;
}

/* Is the class a guess? */
static int isDoubted(Cmd *c, const Trying *t, Text label, const ClassifyResult *r) {
  int floor = setting(c, label, t->floor, CONFIG_CLASSIFY_FLOOR);
  return !r->isAffirmation && !r->isCorrected && r->confidence * 1000 < floor;
}

/* Would it be decided differently? Sets result and action. */
static int looksOtherwise(ReplayCursor *cur, const ClassifyInput *in, Text label,
                          const Decided *was) {
  Cmd *c = &cur->cmd;
  const Trying *t = &cur->trying;
  ClassifyResult *r = &cur->result;
  int switched = ts_config_int(c, label, CONFIG_NEW_TASK_POLICY) == POLICY_SWITCH;
  int switches = setting(c, label, t->switches, CONFIG_NEW_TASK_POLICY) == POLICY_SWITCH;
  int below = setting(c, label, t->below, CONFIG_CLASSIFY_BELOW);
  MessageClass said = toReport(in, r);
  int doubts = said == CLASS_UNKNOWN && isDoubted(c, t, label, r);
  int asksPerson = doubts && below == BELOW_PROMPT && !was->isSubagents;
  CellFacts facts = {.state = in->state,
                     .isAffirmation = r->isAffirmation && said == CLASS_UNKNOWN,
                     .toReport = said != CLASS_UNKNOWN && said == was->cls,
                     .continuing = was->isSubagents};
  Action then = actionOf(facts, was->cls, switched, 0);
  if (said != CLASS_UNKNOWN) r->cls = said;
  if (asksPerson) r->cls = ts_class_doubted(r->cls, was->isAtChoice, in->state != TASK_NONE);
  facts.isAffirmation = r->isAffirmation;
  facts.toReport = said != CLASS_UNKNOWN;
  cur->action = actionOf(facts, r->cls, switches, asksPerson);
  if (doubts && below == BELOW_ASK) cur->action = ACTION_CLASSIFY;
  return r->cls != was->cls || !isAsDone(cur->action, then, was);
}

static int isOver(void *arg) {
  return ts_interrupted(arg);
}

/* Must the query's current row be returned? */
static int tells(ReplayCursor *cur) {
  Cmd *c = &cur->cmd;
  Query *q = &cur->query;
  char why[256] = "";
  Text message = ts_col_view(q, COL_REPLAY_DELIVERIES_MESSAGE),
       state = ts_col_view(q, COL_REPLAY_DELIVERIES_STATE), task, asked;
  Text label = ts_col_text(c, q, COL_REPLAY_DELIVERIES_SESSION_LABEL);
  Decided was;
  int i = state.z ? ts_state_find(&ts_task_machine, state.z, state.n) : -1;
  ClassifyInput in = {0};
  int rc;
  if (c->rc != SQLITE_OK || i < 0 || !message.z) return 0;
  in.state = (TaskState)i;
  if (in.state != TASK_NONE) {
    asked = askedBefore(c, q, label, state);
    task = taskOf(c, q, label);
    in.task = task.z;
    in.nTask = task.z ? task.n : 0;
    in.question = asked.z;
    in.nQuestion = asked.z ? asked.n : 0;
  }
  message = saidIn(c, label, message, &in);
  in.message = message.z;
  in.nMessage = message.n;
  if (!message.z) return 0;
  ts_rules_watch(cur->rules, isOver, c);
  rc = ts_classify(cur->rules, &in, &cur->result, why, (int)sizeof(why));
  ts_rules_watch(cur->rules, NULL, NULL);
  if (rc != SQLITE_OK && c->rc == SQLITE_OK) c->rc = rc;
  if (c->rc != SQLITE_OK) return 0;
  ts_corrections_weigh(cur->corrections, &in, label, &cur->result);
  readDecided(q, &was);
  return looksOtherwise(cur, &in, label, &was);
}

/* ---- The table-valued function ------------------------------------------------------------------- */

TS_TABLE_CONNECT(replay, declaration)

static int replayBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = 1000000;
  info->estimatedRows = 1000;
  return ts_table_arguments(info, argColumns, 1, 0);
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

TS_TABLE_CURSOR(replay, ReplayCursor)

static int replayNext(sqlite3_vtab_cursor *base) {
  ReplayCursor *cur = (ReplayCursor *)base;
  do {
    cur->base.eof = !ts_row(&cur->cmd, &cur->query);
  } while (!cur->base.eof && !tells(cur));
  cur->base.rowid++;
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
  cur->base.rowid = 0;
  if (values[0] && sqlite3_value_type(values[0]) != SQLITE_NULL) {
    cur->options = sqlite3_value_dup(values[0]);
    options.z = cur->options ? (const char *)sqlite3_value_text(cur->options) : NULL;
    options.n = options.z ? sqlite3_value_bytes(cur->options) : 0;
    if (!options.z) ts_fail_nomem(c);
    if (c->rc == SQLITE_OK) options = ts_clean(c, options);
  }
  memset(&cur->trying, 0, sizeof(cur->trying));
  readOptions(c, &options, &cur->trying);
  if (c->rc == SQLITE_OK) loadRules(cur, options);
  if (c->rc == SQLITE_OK) {
    cur->query = ts_query(c, SQL_REPLAY_DELIVERIES, "it", cur->trying.limit, &cur->trying.session);
  }
  return replayNext(base);
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

static const sqlite3_module replayModule = TS_TABLE_MODULE(replay, ts_table_disconnect, replay);

int ts_policy_replay_register(Conn *conn) {
  return ts_module_register(conn, "policy_replay", &replayModule);
}
