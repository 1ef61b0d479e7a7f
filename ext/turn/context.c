/*
** context.c - session_context: the messages that a model is shown, in order.
**
**   SELECT role, content, tool_call_id, tool_name FROM session_context('main');
**   SELECT * FROM session_context('main', 8000);      -- the newest turns that fit 8,000 tokens
**   SELECT * FROM session_context(16777220);          -- as it was at a turn
**   SELECT content FROM session_context('main') ORDER BY position DESC LIMIT 40;   -- reads so much
**
** A context is the summary of the nearest compaction, if the path has one, and a stretch of the
** path: from the first turn that the compaction kept to the last turn. Messages and tool calls of a
** stretch lie in the order of their ids, so reading it takes a few range scans; nothing else is
** read.
**
** Providers refuse a tool call that is not directly followed by its result, a result without its
** call, and an empty message. They also cache what they have read: a longer context costs little as
** long as its beginning stays the same. Hence:
**
**   - calls that stand next to each other are shown together, then all their results;
**   - a call that came to nothing gets a result that says so;
**   - a result that came in a later turn is shown with its call when nothing was said in between; else the
**     call was shown without it, and it is told in words where it came, as is one whose call only a
**     summary tells of;
**   - calls at the end of a turn that is running are shown when all of them have their results, or when
**     somebody has spoken;
**   - a message without text is not shown;
**   - where the agent would speak first, a few words of the user come before.
*/
#include "context_rows.h"

#include "config.h"
#include "messages.h"
#include "retried.h"
#include "table.h"
#include "text.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define COLUMN_POSITION 0
#define COLUMN_TURN_ID 1
#define COLUMN_SEQUENCE 2
#define COLUMN_KIND 3
#define COLUMN_ROLE 4
#define COLUMN_CONTENT 5
#define COLUMN_TOOL_CALL_ID 6
#define COLUMN_TOOL_NAME 7
#define COLUMN_STATUS 8
#define COLUMN_TOKENS 9
#define COLUMN_SOURCE 10
#define COLUMN_METADATA 11
#define COLUMN_CREATED_AT 12
#define COLUMN_START 13
#define COLUMN_BUDGET 14
#define COLUMN_SESSION 15 /* whose context it is; NULL: that of a turn */

static const char declaration[] =
    "CREATE TABLE x(position INTEGER, turn_id INTEGER, sequence INTEGER, kind TEXT, role TEXT, "
    "content TEXT, tool_call_id TEXT, tool_name TEXT, status TEXT, tokens INTEGER, source TEXT, "
    "metadata TEXT, created_at INTEGER, start HIDDEN, token_budget HIDDEN, session HIDDEN)";

static const int idxColumns[] = {COLUMN_START, COLUMN_BUDGET};

TS_TABLE_CONNECT(context, declaration)

/* idxNum has this bit beside those of the arguments. */
#define IDX_DOWN 4 /* from the last row to the first */

static int contextBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  int rc = ts_table_arguments(info, idxColumns, 2, 0);
  (void)base;
  info->estimatedCost = info->idxNum & 1 ? 1000 : 1e12;
  info->estimatedRows = 1000;
  /* No two rows have one position: what comes behind it orders nothing. */
  if (info->nOrderBy > 0 && info->aOrderBy[0].iColumn == COLUMN_POSITION) {
    info->orderByConsumed = 1;
    if (info->aOrderBy[0].desc) info->idxNum |= IDX_DOWN;
  }
  return rc;
}

static void contextReset(ContextCursor *cur) {
  if (!cur->open) return;
  ts_context_back_end(cur);
  ts_context_end(cur);
  ts_cmd_clear(&cur->cmd);
  sqlite3_free(cur->told);
  cur->told = NULL;
  cur->open = 0;
}

TS_TABLE_CURSOR(context, ContextCursor)

static int contextNext(sqlite3_vtab_cursor *base) {
  ContextCursor *cur = (ContextCursor *)base;
  if (cur->back) {
    cur->base.eof = !ts_context_back(cur);
  } else if (cur->kind == ROW_OPENING) {
    cur->kind = cur->opens;
  } else {
    ts_context_leave_entry(cur);
    cur->base.eof = !ts_context_next_row(cur);
  }
  cur->base.rowid++;
  return ts_table_error(base, &cur->cmd);
}

static void failStart(Cmd *c, sqlite3_value *start) {
  ts_fail(c, SQLITE_ERROR, "it needs a session's label or a turn's id%s", ts_table_shown(c, start));
}

/* The context that the first argument means, without orphans: those are found while rows are read. Only a
** budget counts them in advance. */
static void findContext(Cmd *c, sqlite3_value *start, Text *session, Context *x) {
  sqlite3_int64 turn;
  memset(x, 0, sizeof(*x));
  switch (start ? sqlite3_value_type(start) : 0) {
  case SQLITE_NULL: break;
  case SQLITE_INTEGER:
  case SQLITE_FLOAT:
    if (ts_table_integer(start, &turn)) {
      ts_context_turns(c, turn, x);
    } else {
      failStart(c, start);
    }
    break;
  case SQLITE_TEXT: {
    Session s;
    Text label = ts_copy(c, (const char *)sqlite3_value_text(start), sqlite3_value_bytes(start));
    ts_session_require(c, label, &s);
    if (c->rc == SQLITE_OK) ts_context_read_session(c, &s, x);
    *session = s.label;
    break;
  }
  default: failStart(c, start); break;
  }
}

/* The depth from which on turns fit into a budget, if a result in words took no more than the result
** itself. In fact the words can only make it a greater depth, so orphans above it need not be found. */
static sqlite3_int64 fitOrphans(ContextCursor *cur, sqlite3_int64 budget) {
  Cmd *c = &cur->cmd;
  Context *x = &cur->x;
  sqlite3_int64 from = 0;
  if (x->last) {
    from = ts_context_fit(c, x, x->last, x->lastThreadTokens - x->failedTokens,
                          budget - x->failedTokens);
  }
  if (c->rc == SQLITE_OK) ts_context_add_orphans(c, cur->session, from, x->fromDepth, x);
  return from;
}

/* Leaves out the oldest turns that do not fit, and a summary that is too long by itself. */
static void applyBudget(ContextCursor *cur, sqlite3_value *value) {
  Cmd *c = &cur->cmd;
  Context *x = &cur->x;
  sqlite3_int64 budget, from, end = TS_CONTEXT_END(x);
  if (!value || sqlite3_value_type(value) == SQLITE_NULL || c->rc != SQLITE_OK) return;
  if (!ts_table_integer(value, &budget) || budget < 0) {
    ts_fail(c, SQLITE_ERROR, "token_budget must be a number of tokens, an integer from 0%s",
            ts_table_shown(c, value));
    return;
  }
  if (x->summaryTokens <= budget) {
    budget -= x->summaryTokens;
  } else {
    cur->showsSummary = 0;
  }
  from = fitOrphans(cur, budget);
  if (c->rc != SQLITE_OK) return;
  if (x->failed) {
    sqlite3_int64 tokens = x->failedTokens + ts_orphan_tokens(x, end, end);
    if (tokens > budget) {
      x->failed = 0;
      x->fromDepth = end;
      return;
    }
    budget -= tokens;
  }
  if (!x->last) return;
  if (x->nOrphans) {
    from = ts_context_fit(c, x, x->last, x->lastThreadTokens - x->failedTokens, budget);
  }
  if (from > x->fromDepth) from = ts_context_cut(c, x, from, x->fromDepth, 1);
  if (from > end) x->failed = 0;
  x->fromDepth = from;
}

static int contextFilter(sqlite3_vtab_cursor *base, int idxNum, const char *idxStr, int argc,
                         sqlite3_value **argv) {
  ContextCursor *cur = (ContextCursor *)base;
  Conn *conn = ((Table *)base->pVtab)->conn;
  Cmd *c = &cur->cmd;
  sqlite3_value *values[2];
  (void)idxStr;
  ts_table_values(idxNum, argc, argv, values, 2);
  contextReset(cur);
  memset((char *)cur + sizeof(cur->base.base), 0, sizeof(*cur) - sizeof(cur->base.base));
  ts_cmd_init(c, conn, ts_target_used(conn), "session_context");
  cur->open = 1;
  findContext(c, values[0], &cur->session, &cur->x);
  cur->showsSummary = cur->x.compaction != 0;
  applyBudget(cur, values[1]);
  if (!(idxNum & IDX_DOWN)) {
    ts_context_path(cur, cur->x.fromDepth, cur->x.last ? TS_DEPTH(cur->x.last) : -1);
  }
  if (idxNum & IDX_DOWN) {
    ts_context_back_begin(cur);
    cur->base.eof = !ts_context_back(cur);
  } else if (cur->showsSummary && c->rc == SQLITE_OK) {
    cur->kind = ROW_SUMMARY;
    cur->opened = 1;
  } else {
    cur->base.eof = !ts_context_next_row(cur);
  }
  return ts_table_error(base, c);
}

static void resultText(sqlite3_context *ctx, const char *z) {
  sqlite3_result_text(ctx, z, -1, SQLITE_STATIC);
}

/* A result is NULL until it is set. */
static void resultColumn(sqlite3_context *ctx, const Query *q, int i) {
  sqlite3_value *v = sqlite3_column_value(q->stmt, i);
  if (sqlite3_value_type(v) != SQLITE_NULL) sqlite3_result_value(ctx, v);
}

static void summaryColumn(const ContextCursor *cur, sqlite3_context *ctx, int i) {
  switch (i) {
  case COLUMN_TURN_ID: sqlite3_result_int64(ctx, cur->x.compaction); break;
  case COLUMN_KIND: resultText(ctx, "summary"); break;
  case COLUMN_ROLE: resultText(ctx, "user"); break;
  case COLUMN_CONTENT:
    sqlite3_result_text(ctx, cur->x.summary.z, cur->x.summary.n, SQLITE_TRANSIENT);
    break;
  case COLUMN_TOKENS: sqlite3_result_int64(ctx, cur->x.summaryTokens); break;
  case COLUMN_CREATED_AT: sqlite3_result_int64(ctx, cur->x.summaryAt); break;
  default: break;
  }
}

static void openingColumn(ContextCursor *cur, sqlite3_context *ctx, int i) {
  switch (i) {
  case COLUMN_KIND: resultText(ctx, "opening"); break;
  case COLUMN_ROLE: resultText(ctx, "user"); break;
  case COLUMN_CONTENT:
    sqlite3_result_text(ctx, ts_config_text(&cur->cmd, cur->session, "context.opening"), -1,
                        SQLITE_TRANSIENT);
    break;
  case COLUMN_TOKENS: sqlite3_result_int64(ctx, 0); break;
  default: break;
  }
}

/* Where an entry stands. */
static void placeColumn(sqlite3_context *ctx, sqlite3_int64 place, int i) {
  sqlite3_int64 turn = TS_PLACE_TURN(place);
  sqlite3_result_int64(ctx, i == COLUMN_TURN_ID ? turn : place - TS_FIRST_PLACE(turn));
}

static void messageContent(ContextCursor *cur, sqlite3_context *ctx) {
  Text content = ts_col_view(&cur->messages, COL_CONTEXT_MESSAGES_CONTENT);
  if (cur->kind == ROW_TOLD) {
    sqlite3_result_text(ctx, cur->told, -1, SQLITE_TRANSIENT);
  } else if (ts_text_blank(content.z, content.n)) {
    sqlite3_result_text(ctx, ts_config_text(&cur->cmd, cur->session, "context.no_text"), -1,
                        SQLITE_TRANSIENT);
  } else {
    Text words =
        ts_retried_words(&cur->cmd, &cur->x, cur->session, TS_PLACE_TURN(cur->message),
                         ts_col_view(&cur->messages, COL_CONTEXT_MESSAGES_METADATA), content);
    if (words.z) {
      sqlite3_result_text(ctx, words.z, words.n, SQLITE_TRANSIENT);
    } else {
      resultColumn(ctx, &cur->messages, COL_CONTEXT_MESSAGES_CONTENT);
    }
  }
}

static sqlite3_int64 messageTokens(const ContextCursor *cur) {
  Text content = ts_col_view(&cur->messages, COL_CONTEXT_MESSAGES_CONTENT);
  if (cur->kind != ROW_TOLD) return ts_content_tokens(content);
  return cur->isOrphan ? TS_TOKENS(strlen(cur->told)) : ts_content_tokens(content) + TS_LATE_TOKENS;
}

static void messageColumn(ContextCursor *cur, sqlite3_context *ctx, int i) {
  const Query *q = &cur->messages;
  switch (i) {
  case COLUMN_TURN_ID:
  case COLUMN_SEQUENCE: placeColumn(ctx, cur->message, i); break;
  case COLUMN_KIND: resultText(ctx, "message"); break;
  case COLUMN_ROLE:
    if (cur->kind == ROW_TOLD) {
      resultText(ctx, "user");
    } else {
      resultColumn(ctx, q, COL_CONTEXT_MESSAGES_ROLE);
    }
    break;
  case COLUMN_CONTENT: messageContent(cur, ctx); break;
  case COLUMN_TOKENS: sqlite3_result_int64(ctx, messageTokens(cur)); break;
  case COLUMN_SOURCE: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_SOURCE); break;
  case COLUMN_METADATA: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_METADATA); break;
  case COLUMN_CREATED_AT: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_CREATED_AT); break;
  default: break;
  }
}

/* Of a call, or its result: what providers want to be of a certain form. */
static void idColumn(ContextCursor *cur, sqlite3_context *ctx) {
  const Query *q = ts_context_call_of(cur);
  const CallIds *ids = ts_context_ids(cur);
  char buffer[TS_MAX_CALL_ID + 1];
  Text id;
  if (!ids) return;
  id = ts_call_id_shown(ids, sqlite3_column_int64(q->stmt, COL_CONTEXT_TOOL_CALLS_PLACE),
                        ts_col_view(q, COL_CONTEXT_TOOL_CALLS_ID), buffer);
  sqlite3_result_text(ctx, id.z, id.n, SQLITE_TRANSIENT);
}

static void nameColumn(const ContextCursor *cur, sqlite3_context *ctx) {
  char buffer[TS_MAX_TOOL_NAME + 1];
  Text name = ts_tool_name_shown(
      ts_col_view(ts_context_call_of(cur), COL_CONTEXT_TOOL_CALLS_TOOL_NAME), buffer);
  sqlite3_result_text(ctx, name.z, name.n, SQLITE_TRANSIENT);
}

static void paramsColumn(const ContextCursor *cur, sqlite3_context *ctx) {
  Text params = ts_col_view(&cur->calls, COL_CONTEXT_TOOL_CALLS_PARAMS);
  int empty;
  char *object;
  if (!ts_params_are_bare(params, &empty)) {
    resultColumn(ctx, &cur->calls, COL_CONTEXT_TOOL_CALLS_PARAMS);
  } else if (empty) {
    resultText(ctx, "{}");
  } else if ((object = sqlite3_mprintf("{\"input\":%.*s}", params.n, params.z)) != NULL) {
    sqlite3_result_text(ctx, object, -1, sqlite3_free);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
}

/* A result that is a message of a later turn, with its call. */
static void answerColumn(ContextCursor *cur, sqlite3_context *ctx, int i) {
  const Query *q = &cur->answer;
  switch (i) {
  case COLUMN_TURN_ID:
  case COLUMN_SEQUENCE:
    placeColumn(ctx, sqlite3_column_int64(q->stmt, COL_CONTEXT_MESSAGES_PLACE), i);
    break;
  case COLUMN_KIND: resultText(ctx, "tool_result"); break;
  case COLUMN_ROLE: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_ROLE); break;
  case COLUMN_CONTENT: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_CONTENT); break;
  case COLUMN_TOOL_CALL_ID: idColumn(cur, ctx); break;
  case COLUMN_TOOL_NAME: nameColumn(cur, ctx); break;
  case COLUMN_STATUS:
    resultText(ctx, ts_call_end(sqlite3_column_int(q->stmt, COL_CONTEXT_MESSAGES_IS_ERROR)));
    break;
  case COLUMN_TOKENS:
    sqlite3_result_int64(ctx, ts_content_tokens(ts_col_view(q, COL_CONTEXT_MESSAGES_CONTENT)));
    break;
  case COLUMN_SOURCE: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_SOURCE); break;
  case COLUMN_METADATA: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_METADATA); break;
  case COLUMN_CREATED_AT: resultColumn(ctx, q, COL_CONTEXT_MESSAGES_CREATED_AT); break;
  default: break;
  }
}

/* A call without a result in its turn is always counted with the text that stands for one. Where a later
** turn has the result, that text is no row, and its tokens go to the call: so the rows add up to the
** context. */
static sqlite3_int64 resultTokens(ContextCursor *cur) {
  const Query *q = &cur->calls;
  if (!ts_text_is(ts_col_view(q, COL_CONTEXT_TOOL_CALLS_STATUS), "pending")) return 0;
  return ts_context_answer_of(cur, sqlite3_column_int64(q->stmt, COL_CONTEXT_TOOL_CALLS_PLACE),
                              ts_col_view(q, COL_CONTEXT_TOOL_CALLS_ID))
             ? TS_NO_RESULT_TOKENS
             : 0;
}

/* A call, or its result. */
static void callColumn(ContextCursor *cur, sqlite3_context *ctx, int i) {
  const Query *q = ts_context_call_of(cur);
  int isResult = cur->kind != ROW_CALL;
  switch (i) {
  case COLUMN_TURN_ID:
  case COLUMN_SEQUENCE:
    placeColumn(ctx, sqlite3_column_int64(q->stmt, COL_CONTEXT_TOOL_CALLS_PLACE), i);
    break;
  case COLUMN_KIND: resultText(ctx, isResult ? "tool_result" : "tool_call"); break;
  case COLUMN_ROLE: resultText(ctx, isResult ? "tool" : "assistant"); break;
  case COLUMN_CONTENT:
    if (isResult) {
      resultColumn(ctx, q, COL_CONTEXT_TOOL_CALLS_RESULT);
    } else {
      paramsColumn(cur, ctx);
    }
    break;
  case COLUMN_TOOL_CALL_ID: idColumn(cur, ctx); break;
  case COLUMN_TOOL_NAME: nameColumn(cur, ctx); break;
  case COLUMN_STATUS: resultColumn(ctx, q, COL_CONTEXT_TOOL_CALLS_STATUS); break;
  case COLUMN_TOKENS:
    sqlite3_result_int64(
        ctx, TS_TOKENS(sqlite3_column_bytes(q->stmt, isResult ? COL_CONTEXT_TOOL_CALLS_RESULT
                                                              : COL_CONTEXT_TOOL_CALLS_PARAMS)) +
                 (isResult ? 0 : resultTokens(cur)));
    break;
  case COLUMN_CREATED_AT:
    resultColumn(
        ctx, q, isResult ? COL_CONTEXT_TOOL_CALLS_COMPLETED_AT : COL_CONTEXT_TOOL_CALLS_STARTED_AT);
    break;
  default: break;
  }
}

/* The result of a call that has none. */
static void missingColumn(ContextCursor *cur, sqlite3_context *ctx, int i) {
  int isOver = cur->kind == ROW_NO_RESULT;
  switch (i) {
  case COLUMN_CONTENT:
    sqlite3_result_text(
        ctx,
        ts_config_text(&cur->cmd, cur->session, isOver ? "context.interrupted" : "context.pending"),
        -1, SQLITE_TRANSIENT);
    break;
  case COLUMN_STATUS: resultText(ctx, isOver ? "interrupted" : "pending"); break;
  case COLUMN_TOKENS: sqlite3_result_int64(ctx, TS_NO_RESULT_TOKENS); break;
  case COLUMN_CREATED_AT:
    resultColumn(ctx, ts_context_call_of(cur), COL_CONTEXT_TOOL_CALLS_STARTED_AT);
    break;
  default: callColumn(cur, ctx, i); break;
  }
}

static int contextColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  ContextCursor *cur = (ContextCursor *)base;
  if (i == COLUMN_POSITION) {
    sqlite3_result_int64(ctx, ts_context_position(cur));
    return ts_table_error(base, &cur->cmd);
  }
  if (i == COLUMN_SESSION) {
    if (cur->session.z) {
      sqlite3_result_text(ctx, cur->session.z, cur->session.n, SQLITE_TRANSIENT);
    }
    return SQLITE_OK;
  }
  switch (cur->kind) {
  case ROW_SUMMARY: summaryColumn(cur, ctx, i); break;
  case ROW_OPENING: openingColumn(cur, ctx, i); break;
  case ROW_MESSAGE:
  case ROW_TOLD: messageColumn(cur, ctx, i); break;
  case ROW_ANSWER: answerColumn(cur, ctx, i); break;
  case ROW_NO_RESULT:
  case ROW_NOT_YET: missingColumn(cur, ctx, i); break;
  default: callColumn(cur, ctx, i); break;
  }
  return cur->cmd.rc == SQLITE_OK ? SQLITE_OK : ts_table_error(base, &cur->cmd);
}

/* The position. */
static int contextRowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  ContextCursor *cur = (ContextCursor *)base;
  *rowid = ts_context_position(cur);
  return ts_table_error(base, &cur->cmd);
}

static const sqlite3_module contextModule =
    TS_TABLE_MODULE_BY(context, ts_table_disconnect, context, contextRowid);

int ts_context_register(Conn *conn) {
  return ts_module_register(conn, "session_context", &contextModule);
}
