/*
** context.c - session_context: the messages that a model is shown, in order.
**
**   SELECT role, content, tool_call_id, tool_name FROM session_context('main');
**   SELECT * FROM session_context('main', 8000);      -- the newest turns that fit 8,000 tokens
**   SELECT * FROM session_context(16777220);          -- as it was at a turn
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
#include "context.h"

#include "accepted.h"
#include "array.h"
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

/* What the present row shows. */
typedef enum RowKind {
  ROW_SUMMARY,
  ROW_OPENING,   /* words of a user, where the agent would speak first */
  ROW_MESSAGE,   /* a row of messages */
  ROW_TOLD,      /* the same: a result that is told in words */
  ROW_CALL,      /* a row of tool_calls */
  ROW_RESULT,    /* a row of tool_calls once more, for its result */
  ROW_ANSWER,    /* the same: its result is a message of a later turn */
  ROW_NO_RESULT, /* the same: there is none */
  ROW_NOT_YET    /* the same: somebody spoke before there was one */
} RowKind;

typedef struct ContextCursor {
  TableCursor base;
  int open; /* cmd is in use */
  Cmd cmd;
  Text session; /* whose texts are shown; NULL: the file's */
  Context x;
  int showsSummary;
  Path path;
  int segment; /* the one being read; counts down */
  /* One range at a time: messages, tool calls, and, for a group of calls, their results. */
  Query messages, calls, results;
  Query answer;                /* the message of a ROW_ANSWER */
  sqlite3_int64 message, call; /* where the first two stand; 0: at their end */
  sqlite3_int64 expected;      /* the turn after the last one that has been seen */
  int inResults;
  int single; /* the group is one call, whose result is read from `calls` itself */
  sqlite3_int64 groupFirst, groupLast; /* the group of calls that was shown last; 0: none */
  RowKind kind;
  int opened;           /* a user has spoken */
  RowKind opens;        /* what comes behind a ROW_OPENING */
  CallIds ids;          /* of the calls that were shown */
  sqlite3_int64 toldOf; /* the call that a result in words answers */
  Text toolName;        /* of that call */
  int isOrphan;         /* that call is not shown */
  char *told;           /* the result in words; owned */
} ContextCursor;

TS_TABLE_CONNECT(context, declaration)

static int contextBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  int rc = ts_table_arguments(info, idxColumns, 2, 0);
  (void)base;
  info->estimatedCost = info->idxNum & 1 ? 1000 : 1e12;
  info->estimatedRows = 1000;
  if (info->nOrderBy == 1 && info->aOrderBy[0].iColumn == COLUMN_POSITION &&
      !info->aOrderBy[0].desc) {
    info->orderByConsumed = 1;
  }
  return rc;
}

static void contextReset(ContextCursor *cur) {
  if (!cur->open) return;
  ts_end(&cur->cmd, &cur->messages);
  ts_end(&cur->cmd, &cur->calls);
  ts_end(&cur->cmd, &cur->results);
  ts_end(&cur->cmd, &cur->answer);
  ts_cmd_clear(&cur->cmd);
  sqlite3_free(cur->told);
  cur->told = NULL;
  cur->open = 0;
}

TS_TABLE_CURSOR(context, ContextCursor)

/*
** A context reads messages and calls, but no turns. So a turn that holds none is looked up where it should stand: if it were gone, messages would be missing unnoticed. Looks up to the turn `next`, without that one.
*/
static void checkGap(ContextCursor *cur, sqlite3_int64 next) {
  Cmd *c = &cur->cmd;
  sqlite3_int64 n = 0, first = cur->expected;
  Query q;
  cur->expected = next + 1;
  if (next <= first || c->rc != SQLITE_OK) return;
  q = ts_query(c, SQL_TURNS_PRESENT, "ii", first, next - 1);
  if (ts_row(c, &q)) n = ts_col_int(&q, COL_TURNS_PRESENT_COUNT);
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && n != next - first) {
    ts_fail_damaged(c, next - 1, "%lld turns are missing from there upwards", next - first - n);
  }
}

/* A message that is not shown. */
static int saysNothing(const Query *q) {
  if (sqlite3_column_type(q->stmt, COL_CONTEXT_MESSAGES_TOOL_CALL_ID) != SQLITE_NULL)
    return 0; /* a result */
  return ts_says_nothing(
      ts_col_view(q, COL_CONTEXT_MESSAGES_ROLE), ts_col_view(q, COL_CONTEXT_MESSAGES_CONTENT),
      sqlite3_column_type(q->stmt, COL_CONTEXT_MESSAGES_METADATA) != SQLITE_NULL);
}

static void nextMessage(ContextCursor *cur) {
  do
    cur->message = ts_context_next_key(&cur->cmd, &cur->messages);
  while (cur->message && saysNothing(&cur->messages));
}

/* Begins to read the next segment of the path. Returns 0 when there is none left. */
static int nextSegment(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  sqlite3_int64 first, last;
  ts_end(c, &cur->messages);
  ts_end(c, &cur->calls);
  if (cur->expected) checkGap(cur, cur->path.segments[cur->segment].last + 1);
  if (cur->segment == 0 || c->rc != SQLITE_OK) return 0;
  cur->segment--;
  cur->expected = cur->path.segments[cur->segment].first;
  first = TS_FIRST_PLACE(cur->expected);
  last = ts_context_last_place(&cur->x, cur->path.segments[cur->segment].last);
  cur->messages = ts_query(c, SQL_CONTEXT_MESSAGES, "ii", first, last);
  cur->calls = ts_query(c, SQL_CONTEXT_TOOL_CALLS, "ii", first, last);
  nextMessage(cur);
  cur->call = ts_context_next_key(c, &cur->calls);
  return c->rc == SQLITE_OK;
}

/* A result in words. */
static int tell(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  const Query *q = &cur->messages;
  char idBuffer[TS_MAX_CALL_ID + 1], nameBuffer[TS_MAX_TOOL_NAME + 1];
  Text id = ts_call_id_shown(&cur->ids, cur->toldOf,
                             ts_col_view(q, COL_CONTEXT_MESSAGES_TOOL_CALL_ID), idBuffer);
  Text content = ts_col_view(q, COL_CONTEXT_MESSAGES_CONTENT),
       tool = ts_tool_name_shown(cur->toolName, nameBuffer);
  int isError = sqlite3_column_int(q->stmt, COL_CONTEXT_MESSAGES_IS_ERROR);
  sqlite3_free(cur->told);
  cur->told = NULL;
  if (cur->isOrphan) {
    const char *text = ts_context_orphan_words(c, cur->session, isError);
    cur->told = sqlite3_mprintf("%s\n%.*s", text, content.n, content.z ? content.z : "");
  } else {
    TextField fields[] = {{"tool", tool.z, tool.n}, {"id", id.z, id.n}};
    const char *tmpl =
        ts_config_text(c, cur->session, isError ? "context.late_error" : "context.late_result");
    char *words = ts_text_fill(tmpl, fields, 2);
    if (words)
      cur->told = sqlite3_mprintf("%s\n%.*s", words, content.n, content.z ? content.z : "");
    sqlite3_free(words);
  }
  if (!cur->told) ts_fail_nomem(c);
  cur->kind = ROW_TOLD;
  return c->rc == SQLITE_OK;
}

/* A message of role tool. Returns 0 when it is shown with its call. */
static int showsAnswer(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  sqlite3_int64 answer = cur->message, call;
  int isLate;
  cur->toolName = (Text){NULL, 0};
  call = cur->toldOf = ts_find_call(
      c, ts_col_view(&cur->messages, COL_CONTEXT_MESSAGES_TOOL_CALL_ID), answer, &cur->toolName);
  /* The records of a failed turn are not on the path: the calls there know nothing of them. */
  isLate = call && (!cur->x.last || !ts_is_ancestor(c, TS_PLACE_TURN(answer), cur->x.last) ||
                    !ts_answers_directly(c, call, answer));
  cur->isOrphan = !call || (!isLate && TS_DEPTH(TS_PLACE_TURN(call)) < cur->x.fromDepth);
  return isLate || cur->isOrphan ? tell(cur) : 0;
}

/* The message of a later turn with which a call that has no result in its row is shown; 0: none. */
static sqlite3_int64 answerOf(ContextCursor *cur, sqlite3_int64 place, Text id) {
  Cmd *c = &cur->cmd;
  /* An answer belongs to the nearest call above it. After another call with this id no answer can
  ** belong to this call, so the first answer decides. */
  sqlite3_int64 by = cur->x.last ? ts_find_answer(c, id, place, cur->x.last) : 0;
  if (!by || ts_find_call(c, id, by, NULL) != place) return 0;
  return ts_answers_directly(c, place, by) ? by : 0;
}

/* Has somebody spoken behind a call, in its turn? */
static int wasSpoken(Cmd *c, sqlite3_int64 call) {
  return ts_last_foreign(c, call, TS_LAST_PLACE(TS_PLACE_TURN(call))) != 0;
}

/* What is shown as the result of a call. Returns 0 once the command has failed. */
static int findResult(ContextCursor *cur, const Query *q) {
  Cmd *c = &cur->cmd;
  sqlite3_int64 place = ts_col_int((Query *)q, COL_CONTEXT_TOOL_CALLS_PLACE), by;
  ts_end(c, &cur->answer);
  cur->kind = ROW_RESULT;
  if (!ts_text_is(ts_col_view(q, COL_CONTEXT_TOOL_CALLS_STATUS), "pending")) return 1;
  by = answerOf(cur, place, ts_col_view(q, COL_CONTEXT_TOOL_CALLS_ID));
  if (by) {
    cur->kind = ROW_ANSWER;
    cur->answer = ts_query(c, SQL_CONTEXT_ANSWER, "i", by);
    return ts_row(c, &cur->answer);
  }
  cur->kind = wasSpoken(c, place) ? ROW_NOT_YET : ROW_NO_RESULT;
  return c->rc == SQLITE_OK;
}

/* The results of the group of calls that was shown last. Returns 1 with the next one. */
static int nextResult(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  if (!cur->inResults) {
    cur->results = ts_query(c, SQL_CONTEXT_RESULTS, "ii", cur->groupFirst, cur->groupLast);
    cur->inResults = 1;
  }
  if (ts_row(c, &cur->results) && findResult(cur, &cur->results)) return 1;
  ts_end(c, &cur->results);
  cur->inResults = 0;
  cur->groupFirst = 0;
  return 0;
}

static void leaveSingle(ContextCursor *cur) {
  cur->single = 0;
  cur->groupFirst = 0;
  cur->call = ts_context_next_key(&cur->cmd, &cur->calls);
}

/* The next row of the merged stream. Returns 0 at the end. */
static int nextEntry(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  for (;;) {
    sqlite3_int64 message, call;
    if (c->rc != SQLITE_OK) return 0;
    if (cur->inResults && nextResult(cur)) return 1;
    if (cur->single) return findResult(cur, &cur->calls);
    message = cur->message;
    call = cur->call;
    /* A group of calls ends where something else stands, or another turn begins. */
    if (cur->groupFirst && (!call || call != cur->groupLast + 1 ||
                            TS_PLACE_TURN(call) != TS_PLACE_TURN(cur->groupLast))) {
      if (nextResult(cur)) return 1;
      continue;
    }
    if (!message && !call) {
      if (!nextSegment(cur)) return 0;
      continue;
    }
    checkGap(cur, TS_PLACE_TURN(call && (!message || call < message) ? call : message));
    if (call && (!message || call < message)) {
      if (!cur->groupFirst) cur->groupFirst = call;
      cur->groupLast = call;
      cur->kind = ROW_CALL;
      ts_call_id_show(c, &cur->ids, call, ts_col_view(&cur->calls, COL_CONTEXT_TOOL_CALLS_ID));
      return 1;
    }
    cur->kind = ROW_MESSAGE;
    if (sqlite3_column_type(cur->messages.stmt, COL_CONTEXT_MESSAGES_TOOL_CALL_ID) == SQLITE_NULL ||
        showsAnswer(cur)) {
      return c->rc == SQLITE_OK;
    }
    nextMessage(cur);
  }
}

/* The row of a merged statement has been shown: the statement steps to its next row. */
static void leaveEntry(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  switch (cur->kind) {
  case ROW_MESSAGE:
  case ROW_TOLD: nextMessage(cur); break;
  case ROW_CALL:
    /* A call with a message right behind it stands alone: its result is in the same row. */
    if (cur->groupFirst == cur->groupLast && cur->message == cur->groupLast + 1) {
      cur->single = 1;
    } else {
      cur->call = ts_context_next_key(c, &cur->calls);
    }
    break;
  default:
    if (cur->single) leaveSingle(cur);
    break;
  }
}

/* Does the next row come from the agent? */
static int isAgents(const ContextCursor *cur) {
  if (cur->kind == ROW_MESSAGE)
    return ts_text_is(ts_col_view(&cur->messages, COL_CONTEXT_MESSAGES_ROLE), "assistant");
  return cur->kind == ROW_CALL;
}

/* The next row. Providers want a user to speak first; instructions of the system may come before. */
static int nextRow(ContextCursor *cur) {
  if (!nextEntry(cur)) return 0;
  if (cur->opened) return 1;
  if (isAgents(cur)) {
    cur->opens = cur->kind;
    cur->kind = ROW_OPENING;
  }
  cur->opened = cur->kind != ROW_MESSAGE ||
                ts_text_is(ts_col_view(&cur->messages, COL_CONTEXT_MESSAGES_ROLE), "user");
  return 1;
}

static int contextNext(sqlite3_vtab_cursor *base) {
  ContextCursor *cur = (ContextCursor *)base;
  if (cur->kind == ROW_OPENING) {
    cur->kind = cur->opens;
  } else {
    leaveEntry(cur);
    cur->base.eof = !nextRow(cur);
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

static void pushSegment(Cmd *c, Path *path, sqlite3_int64 *room, sqlite3_int64 first,
                        sqlite3_int64 last) {
  Segment *list;
  if (first > last) return;
  list = ts_array_more(c, path->segments, path->n, room, sizeof(*list));
  if (!list) return;
  path->segments = list;
  path->segments[path->n++] = (Segment){first, last, 0, 0};
}

/* A failed turn, and the turns that it continued. */
static void pushFailed(Cmd *c, Path *path, sqlite3_int64 *room, sqlite3_int64 failed) {
  for (int i = 0; failed && i < TS_MAX_RESUMED && c->rc == SQLITE_OK; i++) {
    Turn t;
    ts_turn_load(c, failed, &t);
    pushSegment(c, path, room, failed, failed);
    failed = t.resumes;
  }
}

/* A turn that failed in the middle is not on the path. Its messages and calls are shown before the turn
** that continued from there, so that nobody repeats them unknowingly. */
static void insertResumed(Cmd *c, Path *path, sqlite3_int64 atEnd) {
  Path whole = {NULL, 0};
  sqlite3_int64 room = 0;
  int any = atEnd != 0;
  pushFailed(c, &whole, &room, atEnd);
  for (int i = 0; i < path->n && c->rc == SQLITE_OK; i++) {
    sqlite3_int64 last = path->segments[i].last;
    Query q = ts_query(c, SQL_TURNS_RESUMING, "ii", path->segments[i].first, last);
    while (ts_row(c, &q)) {
      sqlite3_int64 turn = ts_col_int(&q, COL_TURNS_RESUMING_ID),
                    failed = ts_col_int(&q, COL_TURNS_RESUMING_RESUMES_TURN_ID);
      pushSegment(c, &whole, &room, turn, last);
      pushFailed(c, &whole, &room, failed);
      last = turn - 1;
      any = 1;
    }
    ts_end(c, &q);
    pushSegment(c, &whole, &room, path->segments[i].first, last);
  }
  if (any) *path = whole;
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
  if (c->rc == SQLITE_OK && (cur->x.last || cur->x.failed)) {
    if (cur->x.last) {
      ts_path(c, cur->x.last, cur->x.fromDepth, TS_DEPTH(cur->x.last), &cur->path);
    }
    insertResumed(c, &cur->path, cur->x.failed);
    cur->segment = cur->path.n;
  }
  if (cur->showsSummary && c->rc == SQLITE_OK) {
    cur->kind = ROW_SUMMARY;
    cur->opened = 1;
  } else {
    cur->base.eof = !nextRow(cur);
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

/* The call whose result is shown. */
static const Query *callOf(const ContextCursor *cur) {
  return cur->kind == ROW_CALL || cur->single ? &cur->calls : &cur->results;
}

/* Of a call, or its result: what providers want to be of a certain form. */
static void idColumn(const ContextCursor *cur, sqlite3_context *ctx) {
  const Query *q = callOf(cur);
  char buffer[TS_MAX_CALL_ID + 1];
  Text id = ts_call_id_shown(&cur->ids, sqlite3_column_int64(q->stmt, COL_CONTEXT_TOOL_CALLS_PLACE),
                             ts_col_view(q, COL_CONTEXT_TOOL_CALLS_ID), buffer);
  sqlite3_result_text(ctx, id.z, id.n, SQLITE_TRANSIENT);
}

static void nameColumn(const ContextCursor *cur, sqlite3_context *ctx) {
  char buffer[TS_MAX_TOOL_NAME + 1];
  Text name =
      ts_tool_name_shown(ts_col_view(callOf(cur), COL_CONTEXT_TOOL_CALLS_TOOL_NAME), buffer);
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
static void answerColumn(const ContextCursor *cur, sqlite3_context *ctx, int i) {
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
  return answerOf(cur, sqlite3_column_int64(q->stmt, COL_CONTEXT_TOOL_CALLS_PLACE),
                  ts_col_view(q, COL_CONTEXT_TOOL_CALLS_ID))
             ? TS_NO_RESULT_TOKENS
             : 0;
}

/* A call, or its result. */
static void callColumn(ContextCursor *cur, sqlite3_context *ctx, int i) {
  const Query *q = callOf(cur);
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
  case COLUMN_CREATED_AT: resultColumn(ctx, callOf(cur), COL_CONTEXT_TOOL_CALLS_STARTED_AT); break;
  default: callColumn(cur, ctx, i); break;
  }
}

static int contextColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  ContextCursor *cur = (ContextCursor *)base;
  if (i == COLUMN_POSITION) {
    sqlite3_result_int64(ctx, cur->base.rowid);
    return SQLITE_OK;
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

static const sqlite3_module contextModule = TS_TABLE_MODULE(context, ts_table_disconnect, context);

int ts_context_register(Conn *conn) {
  return ts_module_register(conn, "session_context", &contextModule);
}
