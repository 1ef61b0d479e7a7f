/*
** messages.c - messages and tool calls: from JSON into rows.
**
**   [{"role":"user","content":"list the files"},
**    {"role":"assistant","content":"I look.","tool_calls":[{"id":"k1","name":"ls","params":{}}]},
**    {"role":"tool","tool_call_id":"k1","content":"a.c"},
**    {"role":"assistant","content":"There is a.c."}]
**
** Messages and tool calls of a turn share one count, the sequence. A result goes into its call's row
** while that is of the same turn. A result that comes in a later turn becomes a message of its own
** there: the call's turn is fixed, and other sessions may have forked from it.
*/
#include "messages.h"

#include "args.h"
#include "late.h"
#include "duration.h"
#include "text.h"
#include "utf8.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static sqlite3_int64 smaller(sqlite3_int64 a, sqlite3_int64 b) {
  return a < b ? a : b;
}

static sqlite3_int64 larger(sqlite3_int64 a, sqlite3_int64 b) {
  return a > b ? a : b;
}

void ts_writer_new(Writer *w, Cmd *c, sqlite3_int64 turn) {
  memset(w, 0, sizeof(*w));
  w->c = c;
  w->turn = turn;
  w->first = -1;
  w->now = c->now;
}

void ts_writer_resume(Writer *w, Cmd *c, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_TURN_LAST_PLACE, "ii", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn));
  ts_writer_new(w, c, turn);
  if (ts_row(c, &q) && !ts_col_null(&q, COL_TURN_LAST_PLACE_PLACE)) {
    w->next = ts_col_int(&q, COL_TURN_LAST_PLACE_PLACE) - TS_FIRST_PLACE(turn) + 1;
    w->begun = w->next;
  }
  ts_end(c, &q);
}

/* Where the first entry stands. */
static sqlite3_int64 noteFirst(Writer *w, sqlite3_int64 place) {
  if (w->first < 0) w->first = place - TS_FIRST_PLACE(w->turn);
  return place;
}

/* The place of the next entry. */
static sqlite3_int64 takePlace(Writer *w) {
  if (w->next > TURNSTILE_MAX_SEQUENCE) {
    ts_fail(w->c, SQLITE_TOOBIG, "turn %lld holds %d messages and tool calls, and can't hold more",
            w->turn, TURNSTILE_MAX_SEQUENCE + 1);
  }
  return noteFirst(w, TS_FIRST_PLACE(w->turn) + w->next++);
}

/* The row that stands where a new one would be written. */
static void compare(Writer *w, Query q) {
  if (!ts_row(w->c, &q)) w->differs = 1;
  ts_end(w->c, &q);
}

static void addMessage(Writer *w, const char *role, Text source, Text callId, sqlite3_int64 at,
                       Text metadata, Text content) {
  sqlite3_int64 place = takePlace(w);
  if (!content.z) content = TS_TEXT("");
  if (w->compares) {
    compare(w, ts_query(w->c, SQL_MESSAGE_IS, "isttitt", place, role, &source, &callId, at,
                        &metadata, &content));
    return;
  }
  ts_exec(w->c, SQL_MESSAGE_ADD, "isttitt", place, role, &source, &callId, at, &metadata, &content);
  ts_fail_guarded(w->c, w->turn);
  w->tokens += ts_content_tokens(content);
}

void ts_write_message(Writer *w, const char *role, const char *source, Text metadata,
                      Text content) {
  Text from = {source, source ? (int)strlen(source) : 0};
  addMessage(w, role, from, none, w->now, metadata, content);
}

/* ---- Tool calls ------------------------------------------------------------------------------ */

typedef struct Call {
  Text id, name, params, result, error, spawned;
} Call;

/* Is there a call with this id in the turn itself? *pending says whether it waits for a result. */
static sqlite3_int64 ownCall(Writer *w, Text id, int *pending) {
  sqlite3_int64 place = 0;
  Query q = ts_query(w->c, SQL_TOOL_CALL_FIND, "iit", TS_FIRST_PLACE(w->turn),
                     TS_LAST_PLACE(w->turn), &id);
  *pending = 0;
  if (ts_row(w->c, &q)) {
    place = ts_col_int(&q, COL_TOOL_CALL_FIND_PLACE);
    *pending = ts_text_is(ts_col_text(w->c, &q, COL_TOOL_CALL_FIND_STATUS), "pending");
  }
  ts_end(w->c, &q);
  return place;
}

/* The result of a call of the turn itself. */
static void compareResult(Writer *w, Text id, Text result, int isError) {
  w->results++;
  compare(w, ts_query(w->c, SQL_TOOL_RESULT_IS, "iitstt", TS_FIRST_PLACE(w->turn),
                      TS_LAST_PLACE(w->turn), &id, ts_call_end(isError), isError ? &result : &none,
                      isError ? &none : &result));
}

static void compareCall(Writer *w, const Call *call) {
  Text params = call->params.z ? call->params : TS_TEXT("{}");
  compare(w, ts_query(w->c, SQL_TOOL_CALL_IS, "itttt", takePlace(w), &call->id, &call->name,
                      &params, &call->spawned));
  if (call->error.z) {
    compareResult(w, call->id, call->error, 1);
  } else if (call->result.z) {
    compareResult(w, call->id, call->result, 0);
  }
}

/* Have all calls of the group that ends at a place got their results? 0 when no call stands there. */
static int groupIsDone(Writer *w, sqlite3_int64 last) {
  int n = 0, done = 1;
  Query q = ts_query(w->c, SQL_TOOL_CALLS_UP, "ii", TS_FIRST_PLACE(w->turn), last);
  while (done && ts_row(w->c, &q) && ts_col_int(&q, COL_TOOL_CALLS_UP_PLACE) == last - n) {
    n++;
    done = !ts_text_is(ts_col_view(&q, COL_TOOL_CALLS_UP_STATUS), "pending");
  }
  ts_end(w->c, &q);
  return n && done;
}

static int callStandsAt(Writer *w, sqlite3_int64 place) {
  Query q = ts_query(w->c, SQL_TOOL_CALL_AT, "i", place);
  int found = ts_row(w->c, &q);
  ts_end(w->c, &q);
  return found;
}

/* Calls that stand next to each other were made together. A call that comes when those before it have
** their results begins another step: if nothing was said in between, one place stays empty. */
static void beginStep(Writer *w) {
  sqlite3_int64 place = TS_FIRST_PLACE(w->turn) + w->next;
  if (w->next == 0 || w->c->rc != SQLITE_OK) return;
  if (w->compares ? !callStandsAt(w, place) && callStandsAt(w, place + 1)
                  : groupIsDone(w, place - 1)) {
    w->next++;
  }
}

static void addCall(Writer *w, const Call *call, sqlite3_int64 at) {
  int pending, done = call->result.z || call->error.z;
  Text params = call->params.z ? call->params : TS_TEXT("{}");
  sqlite3_int64 place;
  if (w->compares) {
    compareCall(w, call);
    return;
  }
  if (ownCall(w, call->id, &pending)) {
    ts_fail(w->c, SQLITE_CONSTRAINT, "turn %lld holds a tool call '%.*s' already", w->turn,
            call->id.n, call->id.z);
  }
  place = takePlace(w);
  ts_exec(w->c, SQL_TOOL_CALL_ADD, "ittsti?ttt", place, &call->id, &call->name,
          call->error.z ? "failed"
          : done        ? "completed"
                        : "pending",
          &call->spawned, at, done, at, &call->error, &params, &call->result);
  ts_fail_guarded(w->c, w->turn);
  w->tokens += TS_TOKENS(params.n) + TS_TOKENS(call->result.z ? call->result.n : call->error.n);
  if (!done) w->tokens += TS_NO_RESULT_TOKENS;
}

void ts_write_tool_call(Writer *w, Text id, Text name, Text params, Text spawned) {
  Call call = {id, name, params, none, none, spawned};
  beginStep(w);
  addCall(w, &call, w->now);
}

/* Both searches take the next row in the order of places and look where the path passes that row's branch.
** Either the path's own turns there hold the row, or the search continues behind them, which skips all
** other branches in between. */
sqlite3_int64 ts_find_call(Cmd *c, Text id, sqlite3_int64 before, Text *toolName) {
  sqlite3_int64 at = TS_PLACE_TURN(before), upTo = before - 1, found = 0;
  while (at && !found) {
    sqlite3_int64 place;
    Query q = ts_query(c, SQL_TOOL_CALL_PENDING, "ti", &id, upTo);
    if (!ts_row(c, &q)) {
      ts_end(c, &q);
      break;
    }
    place = ts_col_int(&q, COL_TOOL_CALL_PENDING_PLACE);
    at = ts_path_at(c, at, TS_BRANCH(TS_PLACE_TURN(place)), NULL);
    if (at && ts_is_ancestor(c, TS_PLACE_TURN(place), at)) {
      found = place;
      if (toolName) *toolName = ts_col_text(c, &q, COL_TOOL_CALL_PENDING_TOOL_NAME);
    }
    ts_end(c, &q);
    if (at) upTo = smaller(place - 1, TS_LAST_PLACE(at));
  }
  return c->rc == SQLITE_OK ? found : 0;
}

sqlite3_int64 ts_find_answer(Cmd *c, Text id, sqlite3_int64 after, sqlite3_int64 last) {
  sqlite3_int64 at, below;
  do {
    sqlite3_int64 place = 0;
    Query q = ts_query(c, SQL_TOOL_CALL_ANSWERS, "tii", &id, after, TS_LAST_PLACE(last));
    if (ts_row(c, &q)) place = ts_col_int(&q, COL_TOOL_CALL_ANSWERS_PLACE);
    ts_end(c, &q);
    if (!place) return 0;
    at = ts_path_at(c, last, TS_BRANCH(TS_PLACE_TURN(place)), &below);
    if (at && ts_is_ancestor(c, TS_PLACE_TURN(place), at)) return place;
    after = larger(place, TS_FIRST_PLACE(below) - 1);
  } while (below && c->rc == SQLITE_OK);
  return 0;
}

int ts_says_nothing(Text role, Text content, int hasMetadata) {
  return ts_text_blank(content.z, content.n) && (!hasMetadata || ts_text_is(role, "assistant"));
}

/* The first row between two places that says something, from a statement that lists messages. 0: there is
** none. */
static sqlite3_int64 firstSaid(Cmd *c, int statement, sqlite3_int64 first, sqlite3_int64 last) {
  sqlite3_int64 place = 0;
  Query q;
  if (first > last) return 0;
  q = ts_query(c, statement, "ii", first, last);
  while (!place && ts_row(c, &q)) {
    if (ts_says_nothing(ts_col_view(&q, COL_MESSAGES_FOREIGN_ROLE),
                        ts_col_view(&q, COL_MESSAGES_FOREIGN_CONTENT),
                        (int)ts_col_int(&q, COL_MESSAGES_FOREIGN_HAS_METADATA)))
      continue;
    place = ts_col_int(&q, COL_MESSAGES_FOREIGN_PLACE);
  }
  ts_end(c, &q);
  return place;
}

sqlite3_int64 ts_last_foreign(Cmd *c, sqlite3_int64 first, sqlite3_int64 last) {
  return firstSaid(c, SQL_MESSAGES_FOREIGN, first, last);
}

/* Is there more than results of earlier calls between two places? A message that is not shown separates
** nothing. */
static int moreBetween(Cmd *c, sqlite3_int64 first, sqlite3_int64 last) {
  int found;
  Query q;
  if (first > last) return 0;
  if (firstSaid(c, SQL_MESSAGES_SPOKEN, first, last)) return 1;
  q = ts_query(c, SQL_TOOL_CALLS_BETWEEN, "ii", first, last);
  found = ts_row(c, &q);
  ts_end(c, &q);
  return found;
}

/* Has anything but results been said in the turns from below a call's turn to above an answer's? */
static int turnsBetween(Cmd *c, sqlite3_int64 call, sqlite3_int64 answer) {
  Path path;
  int found = 0;
  if (TS_DEPTH(answer) - TS_DEPTH(call) < 2) return 0;
  ts_path(c, answer, TS_DEPTH(call) + 1, TS_DEPTH(answer) - 1, &path);
  for (int i = 0; i < path.n && !found && c->rc == SQLITE_OK; i++) {
    const Segment *s = &path.segments[i];
    found = moreBetween(c, TS_FIRST_PLACE(s->first), TS_LAST_PLACE(s->last));
  }
  return found;
}

int ts_answers_directly(Cmd *c, sqlite3_int64 call, sqlite3_int64 answer) {
  sqlite3_int64 from = TS_PLACE_TURN(call), to = TS_PLACE_TURN(answer), first = TS_FIRST_PLACE(to);
  Turn t;
  if (from == to) return !ts_last_foreign(c, call, answer);
  ts_turn_load(c, to, &t);
  /* Whoever began the turn has been shown the call without the result, and after a failed turn the
  ** messages of that turn. */
  if (t.resumes || (t.inputs && answer - first >= t.inputs)) return 0;
  return !ts_last_foreign(c, call, TS_LAST_PLACE(from)) && !moreBetween(c, first, answer - 1) &&
         !turnsBetween(c, from, to);
}

int ts_answer_is_late(Cmd *c, sqlite3_int64 answer) {
  sqlite3_int64 call = 0;
  Query q = ts_query(c, SQL_CONTEXT_ANSWER, "i", answer);
  if (ts_row(c, &q))
    call = ts_find_call(c, ts_col_view(&q, COL_CONTEXT_MESSAGES_TOOL_CALL_ID), answer, NULL);
  ts_end(c, &q);
  return call && !ts_answers_directly(c, call, answer);
}

static Text markError(Cmd *c, Text metadata) {
  Query q = ts_query(c, SQL_JSON_IS_ERROR, "t", &metadata);
  Text marked = none;
  if (ts_row(c, &q)) marked = ts_col_text(c, &q, COL_JSON_IS_ERROR_METADATA);
  ts_end(c, &q);
  return marked;
}

/* Repeating a result changes nothing; a different result is an error. */
static void countAgain(Writer *w, Text id, int same, sqlite3_int64 turn, const char *name) {
  if (same || w->c->rc != SQLITE_OK) {
    w->duplicates++;
    return;
  }
  ts_fail(w->c, SQLITE_CONSTRAINT,
          turn ? "%s: tool call '%s' has its result already, which is another one, in turn %lld"
               : "%s: tool call '%s' has its result already, which is another one",
          name, ts_excerpt(w->c, id), turn);
}

int ts_answer_is(Cmd *c, sqlite3_int64 place, Text result, int isError) {
  Query q = ts_query(c, SQL_CONTEXT_ANSWER, "i", place);
  int same = ts_row(c, &q) &&
             ts_text_equal(ts_col_view(&q, COL_CONTEXT_MESSAGES_CONTENT), result) &&
             (ts_col_int(&q, COL_CONTEXT_MESSAGES_IS_ERROR) != 0) == (isError != 0);
  ts_end(c, &q);
  return same;
}

/* A result of a call above the turn. Does the context have one already, or will it have one, as a message
** (*turn: the turn of it) or as an input in words? Is it the same result or another one? */
static LateKnown knownAnswer(Writer *w, const LateResult *r, sqlite3_int64 *turn) {
  Cmd *c = w->c;
  sqlite3_int64 by = ts_find_answer(c, r->id, r->call, w->turn);
  *turn = by ? TS_PLACE_TURN(by) : 0;
  if (by) return ts_answer_is(c, by, r->result, r->isError) ? LATE_SAME : LATE_OTHER;
  if (TS_PLACE_TURN(r->call) == w->turn) return LATE_UNKNOWN;
  return ts_late_told(c, r, w->session, w->turn);
}

/* A result that becomes a message of its own, because its call was shown without it. */
static void addAnswer(Writer *w, const LateResult *r, Text metadata, sqlite3_int64 at,
                      const char *name) {
  Cmd *c = w->c;
  sqlite3_int64 turn = TS_PLACE_TURN(r->call), place, by;
  LateKnown known = knownAnswer(w, r, &by);
  if (known != LATE_UNKNOWN) countAgain(w, r->id, known == LATE_SAME, by, name);
  if (known != LATE_UNKNOWN || c->rc != SQLITE_OK) return;
  place = TS_FIRST_PLACE(w->turn) + w->next;
  addMessage(w, "tool", none, r->id, at, r->isError ? markError(c, metadata) : metadata, r->result);
  if (c->rc == SQLITE_OK && !ts_answers_directly(c, r->call, place)) w->tokens += TS_LATE_TOKENS;
  if (turn == w->turn) return;
  if (!w->answers || TS_DEPTH(turn) < TS_DEPTH(w->answers)) w->answers = turn;
}

/* Has somebody spoken behind a call of the turn before this command? What was shown since does not change:
** the call got a result that says that there is none yet. */
static int wasShown(Writer *w, sqlite3_int64 call) {
  return ts_last_foreign(w->c, call, TS_FIRST_PLACE(w->turn) + w->begun - 1) != 0;
}

/* A result that was there before has no row in the turn. */
static int wasSkipped(Writer *w, Text id, Text result, int isError) {
  LateResult r = {0, none, id, result, isError};
  sqlite3_int64 here = TS_FIRST_PLACE(w->turn), by;
  Query q = ts_query(w->c, SQL_CONTEXT_ANSWER, "i", here + w->next);
  int stands =
      ts_row(w->c, &q) && ts_text_equal(ts_col_view(&q, COL_CONTEXT_MESSAGES_TOOL_CALL_ID), id);
  ts_end(w->c, &q);
  if (stands) return 0;
  r.call = ts_find_call(w->c, id, here, &r.tool);
  return r.call && knownAnswer(w, &r, &by) == LATE_SAME;
}

static void compareAnswer(Writer *w, Text id, Text result, int isError, Text metadata,
                          sqlite3_int64 at) {
  if (wasSkipped(w, id, result, isError)) return;
  addMessage(w, "tool", none, id, at, isError ? markError(w->c, metadata) : metadata, result);
}

int ts_result_is(Cmd *c, sqlite3_int64 first, sqlite3_int64 last, Text id, Text result,
                 int isError) {
  Query q = ts_query(c, SQL_TOOL_RESULT_IS, "iitstt", first, last, &id, ts_call_end(isError),
                     isError ? &result : &none, isError ? &none : &result);
  int same = ts_row(c, &q);
  ts_end(c, &q);
  return same;
}

static void addResult(Writer *w, Text id, Text result, int isError, Text metadata, sqlite3_int64 at,
                      const char *name) {
  Cmd *c = w->c;
  LateResult r = {0, none, id, result.z ? result : TS_TEXT(""), isError};
  int pending;
  sqlite3_int64 place = ownCall(w, id, &pending);
  result = r.result;
  if (w->compares) {
    if (place) {
      compareResult(w, id, result, isError);
    } else {
      compareAnswer(w, id, result, isError, metadata, at);
    }
    return;
  }
  if (place && !pending) {
    int same =
        ts_result_is(c, TS_FIRST_PLACE(w->turn), TS_LAST_PLACE(w->turn), id, result, isError);
    countAgain(w, id, same, 0, name);
    return;
  }
  if (place && !wasShown(w, place)) {
    noteFirst(w, place);
    ts_exec(c, SQL_TOOL_CALL_FINISH, "isitt", place, ts_call_end(isError), at,
            isError ? &result : &none, isError ? &none : &result);
    w->tokens += TS_TOKENS(result.n) - TS_NO_RESULT_TOKENS;
    return;
  }
  r.call = place ? place : ts_find_call(c, id, TS_FIRST_PLACE(w->turn), &r.tool);
  if (c->rc != SQLITE_OK) return;
  if (!r.call) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "%s: no tool call '%s' waits for a result in turn %lld or above it", name,
            ts_excerpt(c, id), w->turn);
    return;
  }
  addAnswer(w, &r, metadata, at, name);
}

void ts_write_result(Writer *w, Text id, Text result, int isError, const char *name) {
  addResult(w, id, result, isError, none, w->now, name);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

typedef struct Message {
  char where[80]; /* "messages[2]" */
  Text role, content, toolCalls, callId, source, metadata;
  int saysError, isError;
  int hasCreatedAt;
  sqlite3_int64 createdAt;
} Message;

static void wrongField(Cmd *c, const char *where, const char *field, const char *want) {
  ts_fail(c, SQLITE_ERROR, "%s.%s must be %s", where, field, want);
}

/* A field that has to be text, not empty. */
static Text wantText(Cmd *c, const char *where, const char *field, Text type, Text value) {
  if ((!ts_text_is(type, "text") && !ts_text_is(type, "integer")) || value.n == 0) {
    wrongField(c, where, field, "text, not empty");
  }
  if (value.n > TURNSTILE_MAX_NAME) {
    ts_fail(c, SQLITE_ERROR, "%s.%s is %d bytes long; at most %d are allowed", where, field,
            value.n, TURNSTILE_MAX_NAME);
  }
  return value;
}

static int isNull(Text type) {
  return ts_text_is(type, "null");
}

/* What content can be: text, or an object or array, which is kept as its JSON text. */
static Text wantContent(Cmd *c, const char *where, const char *field, Text type, Text value) {
  if (isNull(type)) return none;
  if (!ts_text_is(type, "text") && !ts_text_is(type, "object") && !ts_text_is(type, "array")) {
    wrongField(c, where, field, "text, an object or an array");
  }
  return value;
}

static void setField(Cmd *c, Message *m, Text key, Text type, Text value) {
  const char *w = m->where;
  if (ts_text_is(key, "role")) {
    m->role = wantText(c, w, "role", type, value);
  } else if (ts_text_is(key, "content")) {
    m->content = wantContent(c, w, "content", type, value);
  } else if (ts_text_is(key, "metadata")) {
    if (isNull(type)) return;
    if (!ts_text_is(type, "object")) wrongField(c, w, "metadata", "an object");
    m->metadata = value;
  } else if (ts_text_is(key, "tool_calls")) {
    if (isNull(type)) return;
    if (!ts_text_is(type, "array")) wrongField(c, w, "tool_calls", "an array");
    m->toolCalls = value;
  } else if (ts_text_is(key, "tool_call_id")) {
    if (isNull(type)) return;
    m->callId = wantText(c, w, "tool_call_id", type, value);
  } else if (ts_text_is(key, "source")) {
    if (isNull(type)) return;
    m->source = wantText(c, w, "source", type, value);
    if (c->rc == SQLITE_OK && ts_source_find(value) == SOURCE_USER && !ts_text_is(value, "user")) {
      wrongField(c, w, "source", "user, agent, timer, webhook or system");
    }
  } else if (ts_text_is(key, "is_error")) {
    m->saysError = 1;
    m->isError = ts_text_is(type, "true") || ts_text_is(value, "1");
    if (!m->isError && !isNull(type) && !ts_text_is(type, "false") && !ts_text_is(value, "0")) {
      wrongField(c, w, "is_error", "true or false");
    }
  } else if (ts_text_is(key, "created_at")) {
    if (isNull(type)) return;
    m->hasCreatedAt = 1;
    if (!ts_text_is(type, "integer") || value.n > 16 || value.z[0] == '-') {
      wrongField(c, w, "created_at", "an integer from 0 to 2^53 - 1, Unix milliseconds");
      return;
    }
    for (int i = 0; i < value.n; i++)
      m->createdAt = m->createdAt * 10 + (value.z[i] - '0');
    if (m->createdAt > TURNSTILE_MAX_INTEGER) {
      wrongField(c, w, "created_at", "an integer from 0 to 2^53 - 1, Unix milliseconds");
    }
    int64_t ms;
    if (c->rc == SQLITE_OK && ts_time_unit(m->createdAt, &ms)) {
      ts_time_want(c, ts_printf(c, "%s.created_at", w), m->createdAt);
    }
  } else {
    ts_fail(c, SQLITE_ERROR, "%s has no field '%s'; put it into metadata", w, ts_excerpt(c, key));
  }
}

/* Parameters are JSON. A text that holds JSON counts as that JSON, any other text as a JSON string. */
static Text wantParams(Cmd *c, Text type, Text value) {
  if (isNull(type)) return none;
  if (ts_text_is(type, "true")) return TS_TEXT("true");
  if (ts_text_is(type, "false")) return TS_TEXT("false");
  return ts_json_data(c, value);
}

/* {"name","arguments"} inside a call: the shape of some providers. */
static void setFunction(Cmd *c, Call *call, const char *where, Text json) {
  Query q = ts_query(c, SQL_JSON_EACH, "t", &json);
  while (ts_row(c, &q)) {
    Text key = ts_col_text(c, &q, COL_JSON_EACH_KEY), type = ts_col_text(c, &q, COL_JSON_EACH_TYPE),
         value = ts_col_text(c, &q, COL_JSON_EACH_VALUE);
    if (ts_text_is(key, "name")) {
      call->name = wantText(c, where, "function.name", type, value);
    } else if (ts_text_is(key, "arguments")) {
      call->params = wantParams(c, type, value);
    }
  }
  ts_end(c, &q);
}

static void setCallField(Cmd *c, Call *call, const char *where, Text key, Text type, Text value) {
  if (ts_text_is(key, "id")) {
    call->id = wantText(c, where, "id", type, value);
  } else if (ts_text_is(key, "name")) {
    call->name = wantText(c, where, "name", type, value);
  } else if (ts_text_is(key, "params") || ts_text_is(key, "input")) {
    call->params = wantParams(c, type, value);
  } else if (ts_text_is(key, "result")) {
    call->result = wantContent(c, where, "result", type, value);
  } else if (ts_text_is(key, "error")) {
    call->error = wantContent(c, where, "error", type, value);
  } else if (ts_text_is(key, "spawned_session_label")) {
    call->spawned = isNull(type) ? none : wantText(c, where, "spawned_session_label", type, value);
    if (call->spawned.z && strstr(call->spawned.z, TS_UTF8_REPLACEMENT)) {
      ts_fail(c, SQLITE_ERROR, "%s.spawned_session_label holds U+FFFD; a label must be whole",
              where);
    }
  } else if (ts_text_is(key, "function") && ts_text_is(type, "object")) {
    setFunction(c, call, where, value);
  } else if (!ts_text_is(key, "type")) {
    ts_fail(c, SQLITE_ERROR,
            "%s has no field '%s'; it takes id, name, params, result, error, "
            "spawned_session_label",
            where, ts_excerpt(c, key));
  }
}

static void finishCall(Writer *w, const Call *call, const char *where, sqlite3_int64 at) {
  Cmd *c = w->c;
  if (c->rc == SQLITE_OK && (!call->id.z || !call->name.z)) {
    ts_fail(c, SQLITE_ERROR, "%s needs an id and a name", where);
  }
  if (c->rc == SQLITE_OK && call->result.z && call->error.z) {
    ts_fail(c, SQLITE_ERROR, "%s has both a result and an error; give one", where);
  }
  if (c->rc == SQLITE_OK) addCall(w, call, at);
}

static void writeCalls(Writer *w, const Message *m, sqlite3_int64 at) {
  Cmd *c = w->c;
  Query q = ts_query(c, SQL_TOOL_CALLS_EACH, "t", &m->toolCalls);
  char where[120];
  sqlite3_int64 current = -1;
  Call call;
  memset(&call, 0, sizeof(call));
  beginStep(w);
  while (ts_row(c, &q)) {
    sqlite3_int64 i = ts_col_int(&q, COL_MESSAGES_EACH_ELEMENT);
    if (i != current) {
      if (current >= 0) finishCall(w, &call, where, at);
      memset(&call, 0, sizeof(call));
      current = i;
      sqlite3_snprintf(sizeof(where), where, "%s.tool_calls[%lld]", m->where, i);
      if (c->rc == SQLITE_OK &&
          !ts_text_is(ts_col_view(&q, COL_MESSAGES_EACH_ELEMENT_TYPE), "object")) {
        ts_fail(c, SQLITE_ERROR, "%s must be an object", where);
      }
    }
    if (!ts_col_null(&q, COL_MESSAGES_EACH_KEY)) {
      setCallField(c, &call, where, ts_col_view(&q, COL_MESSAGES_EACH_KEY),
                   ts_col_view(&q, COL_MESSAGES_EACH_TYPE),
                   ts_clean(c, ts_col_text(c, &q, COL_MESSAGES_EACH_VALUE)));
    }
  }
  ts_end(c, &q);
  if (current >= 0) finishCall(w, &call, where, at);
}

static void finishMessage(Writer *w, const Message *m) {
  static const char *const roles[] = {LIST_ROLE};
  Cmd *c = w->c;
  sqlite3_int64 at = m->hasCreatedAt ? m->createdAt : w->now;
  int role = 0;
  if (c->rc != SQLITE_OK) return;
  while (role < 4 && !ts_text_is(m->role, roles[role]))
    role++;
  if (role == 4) {
    ts_fail(c, SQLITE_ERROR, "%s.role %s%s; it must be user, assistant, system or tool", m->where,
            m->role.z ? "is " : "is missing", ts_excerpt(c, m->role));
  } else if (role == 3 && !m->callId.z) {
    ts_fail(c, SQLITE_ERROR, "%s.tool_call_id is missing; role tool needs it", m->where);
  } else if (role != 3 && m->callId.z) {
    ts_fail(c, SQLITE_ERROR, "%s.tool_call_id goes with role tool only", m->where);
  } else if (role != 1 && m->toolCalls.z) {
    ts_fail(c, SQLITE_ERROR, "%s.tool_calls go with role assistant only", m->where);
  } else if (role != 3 && m->saysError) {
    ts_fail(c, SQLITE_ERROR, "%s.is_error goes with role tool only", m->where);
  } else if (!m->content.z && (!m->toolCalls.z || ts_text_is(m->toolCalls, "[]"))) {
    ts_fail(c, SQLITE_ERROR, "%s.content is missing", m->where);
  }
  if (c->rc != SQLITE_OK) return;
  if (role == 3) {
    addResult(w, m->callId, m->content, m->isError, m->metadata, at, m->where);
    return;
  }
  if (m->content.z || m->metadata.z) {
    addMessage(w, roles[role], m->source, none, at, m->metadata, m->content);
  }
  if (m->toolCalls.z) writeCalls(w, m, at);
}

int ts_write_messages(Writer *w, Text json, const char *name) {
  Cmd *c = w->c;
  sqlite3_int64 current = -1;
  Message m;
  Query q = ts_query(c, SQL_MESSAGES_EACH, "t", &json);
  int n = 0;
  memset(&m, 0, sizeof(m));
  while (ts_row(c, &q)) {
    sqlite3_int64 i = ts_col_int(&q, COL_MESSAGES_EACH_ELEMENT);
    if (i != current) {
      if (current >= 0) finishMessage(w, &m);
      memset(&m, 0, sizeof(m));
      current = i;
      n++;
      if (w->isOne) {
        sqlite3_snprintf(sizeof(m.where), m.where, "%s", name);
      } else {
        sqlite3_snprintf(sizeof(m.where), m.where, "%s[%lld]", name, i);
      }
      if (c->rc == SQLITE_OK &&
          !ts_text_is(ts_col_view(&q, COL_MESSAGES_EACH_ELEMENT_TYPE), "object")) {
        ts_fail(c, SQLITE_ERROR, "%s must be an object with role and content", m.where);
      }
    }
    if (!ts_col_null(&q, COL_MESSAGES_EACH_KEY)) {
      setField(c, &m, ts_col_view(&q, COL_MESSAGES_EACH_KEY),
               ts_col_view(&q, COL_MESSAGES_EACH_TYPE),
               ts_clean(c, ts_col_text(c, &q, COL_MESSAGES_EACH_VALUE)));
    }
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_ERROR && c->err && strstr(c->err, "malformed JSON")) {
    c->rc = SQLITE_OK;
    ts_fail(c, SQLITE_ERROR, "%s is not valid JSON", name);
  }
  if (current >= 0) finishMessage(w, &m);
  return n;
}

int ts_messages_equal(Cmd *c, sqlite3_int64 turn, Text json, const char *name) {
  sqlite3_int64 held, results = 0;
  Writer w;
  Query q;
  ts_writer_resume(&w, c, turn);
  held = w.next;
  ts_writer_new(&w, c, turn);
  w.compares = 1;
  w.now = -1;
  ts_write_messages(&w, json, name);
  q = ts_query(c, SQL_TOOL_RESULTS, "ii", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn));
  if (ts_row(c, &q)) results = ts_col_int(&q, COL_TOOL_RESULTS_COUNT);
  ts_end(c, &q);
  return c->rc == SQLITE_OK && !w.differs && w.next == held && w.results == results;
}
