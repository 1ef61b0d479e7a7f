/*
** context_rows.c - reads the rows of a context: messages and calls of a stretch of the path, merged.
**
** context.c says what they look like.
*/
#include "context_rows.h"

#include "array.h"
#include "config.h"
#include "messages.h"
#include "text.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* The call whose result is shown. */
const Query *ts_context_call_of(const ContextCursor *cur) {
  return cur->kind == ROW_CALL || cur->single ? &cur->calls : &cur->results;
}

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
int ts_context_tell(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  const Query *q = &cur->messages;
  char idBuffer[TS_MAX_CALL_ID + 1], nameBuffer[TS_MAX_TOOL_NAME + 1];
  Text content = ts_col_view(q, COL_CONTEXT_MESSAGES_CONTENT),
       tool = ts_tool_name_shown(cur->toolName, nameBuffer);
  int isError = sqlite3_column_int(q->stmt, COL_CONTEXT_MESSAGES_IS_ERROR);
  cur->kind = ROW_TOLD;
  sqlite3_free(cur->told);
  cur->told = NULL;
  if (cur->collects) return c->rc == SQLITE_OK;
  if (cur->isOrphan) {
    const char *text = ts_context_orphan_words(c, cur->session, isError);
    cur->told = sqlite3_mprintf("%s\n%.*s", text, content.n, content.z ? content.z : "");
  } else {
    const CallIds *ids = cur->all ? cur->all : &cur->ids;
    TextField fields[] = {{"tool", tool.z, tool.n}, {"id", NULL, 0}};
    const char *tmpl =
        ts_config_text(c, cur->session, isError ? "context.late_error" : "context.late_result");
    char *words;
    Text id;
    id = ts_call_id_shown(ids, cur->toldOf, ts_col_view(q, COL_CONTEXT_MESSAGES_TOOL_CALL_ID),
                          idBuffer);
    fields[1] = (TextField){"id", id.z, id.n};
    words = ts_text_fill(tmpl, fields, 2);
    if (words)
      cur->told = sqlite3_mprintf("%s\n%.*s", words, content.n, content.z ? content.z : "");
    sqlite3_free(words);
  }
  if (!cur->told) ts_fail_nomem(c);
  return c->rc == SQLITE_OK;
}

/* A message of role tool. Returns 0 when it is shown with its call. */
int ts_context_shows_answer(ContextCursor *cur) {
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
  return isLate || cur->isOrphan ? ts_context_tell(cur) : 0;
}

sqlite3_int64 ts_context_answer_of(ContextCursor *cur, sqlite3_int64 place, Text id) {
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
  by = ts_context_answer_of(cur, place, ts_col_view(q, COL_CONTEXT_TOOL_CALLS_ID));
  if (by) {
    cur->kind = ROW_ANSWER;
    cur->answer = ts_query(c, SQL_CONTEXT_ANSWER, "i", by);
    return ts_row(c, &cur->answer);
  }
  cur->kind = wasSpoken(c, place) ? ROW_NOT_YET : ROW_NO_RESULT;
  return c->rc == SQLITE_OK;
}

int ts_context_find_result(ContextCursor *cur) {
  return findResult(cur, &cur->calls);
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
      if (!cur->back) {
        ts_call_id_show(c, &cur->ids, call, ts_col_view(&cur->calls, COL_CONTEXT_TOOL_CALLS_ID));
      }
      return 1;
    }
    cur->kind = ROW_MESSAGE;
    if (sqlite3_column_type(cur->messages.stmt, COL_CONTEXT_MESSAGES_TOOL_CALL_ID) == SQLITE_NULL ||
        ts_context_shows_answer(cur)) {
      return c->rc == SQLITE_OK;
    }
    nextMessage(cur);
  }
}

/* The row of a merged statement has been shown: the statement steps to its next row. */
void ts_context_leave_entry(ContextCursor *cur) {
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

void ts_context_end(ContextCursor *cur) {
  Cmd *c = &cur->cmd;
  ts_end(c, &cur->messages);
  ts_end(c, &cur->calls);
  ts_end(c, &cur->results);
  ts_end(c, &cur->answer);
}

void ts_context_rewind(ContextCursor *cur) {
  ts_context_end(cur);
  cur->segment = cur->path.n;
  cur->message = cur->call = cur->expected = 0;
  cur->inResults = cur->single = 0;
  cur->groupFirst = cur->groupLast = 0;
}

/* Does the next row come from the agent? */
static int isAgents(const ContextCursor *cur) {
  if (cur->kind == ROW_MESSAGE)
    return ts_text_is(ts_col_view(&cur->messages, COL_CONTEXT_MESSAGES_ROLE), "assistant");
  return cur->kind == ROW_CALL;
}

/* The next row. Providers want a user to speak first; instructions of the system may come before. */
int ts_context_next_row(ContextCursor *cur) {
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

/* ---- The path ----------------------------------------------------------------------------------- */

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

void ts_context_path(ContextCursor *cur, sqlite3_int64 from, sqlite3_int64 to) {
  const Context *x = &cur->x;
  int isEnd = !x->last || to == TS_DEPTH(x->last);
  cur->path = (Path){NULL, 0};
  if (x->last) ts_path(&cur->cmd, x->last, from, to, &cur->path);
  insertResumed(&cur->cmd, &cur->path, isEnd ? x->failed : 0);
  cur->segment = cur->path.n;
}
