/*
** late.c - the result of a tool call whose turn has ended.
**
** A process that lost its turn, by a failure, a lease that ran out, or somebody who stopped it, may have a tool at
** work whose effect is real. What it gave is recorded all the same, wherever no run is disturbed:
**
**   - of a turn that is off the path, and from which nothing goes on yet, in the call's row: whoever goes on from
**     it is shown the call with its result;
**   - of one from which a turn goes on already, that was shown the call without a result: as an input of that
**     turn's session, in the words of context.late_result. A live run takes it by turn_steering;
**   - of a turn on the path the same while a run goes on behind it; else a turn that follows has to bring it
**     (message.c), for rows of the path are fixed.
**
** The token must be older than that of the run that goes on; else it opens nothing any more.
*/
#include "late.h"

#include "config.h"
#include "deliver.h"
#include "json.h"
#include "message.h"
#include "task.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

static void failKnown(Cmd *c, Text id) {
  ts_fail(c, SQLITE_CONSTRAINT, "call_id: tool call '%s' has its result already",
          ts_excerpt(c, id));
}

/* The call, 0 when it has its result. */
static sqlite3_int64 findCall(Cmd *c, const Turn *t, Text id, Text *tool) {
  sqlite3_int64 place = 0;
  int pending = 0;
  Query q =
      ts_query(c, SQL_TOOL_CALL_NAMED, "iit", TS_FIRST_PLACE(t->id), TS_LAST_PLACE(t->id), &id);
  if (ts_row(c, &q)) {
    place = ts_col_int(&q, 0);
    pending = ts_text_is(ts_col_view(&q, 1), "pending");
    *tool = ts_col_text(c, &q, 2);
  }
  ts_end(c, &q);
  if (c->rc != SQLITE_OK || (place && pending)) return place;
  if (place) {
    failKnown(c, id);
  } else {
    ts_fail(c, SQLITE_CONSTRAINT, "%s; it holds no tool call '%s'", ts_turn_words(c, t),
            ts_excerpt(c, id));
  }
  return 0;
}

static void failOnPath(Cmd *c, const Turn *t, Text id) {
  ts_fail(c, SQLITE_CONSTRAINT,
          "%s, and stays in the conversation with tool call '%s' as it is; a turn "
          "that follows takes its result: turn_append with role tool, or turn_tool_result with the "
          "turn and the token of the run that goes on",
          ts_turn_words(c, t), ts_excerpt(c, id));
}

/* The turn that was shown what a failed turn has left: it runs, or stays on the path. Turns between them that
** came to nothing hand it on. 0: none yet. */
static sqlite3_int64 takenUpBy(Cmd *c, sqlite3_int64 failed, int level) {
  sqlite3_int64 by = TURNSTILE_MAX_INTEGER, found = 0;
  while (by && !found && level < TS_MAX_RESUMED && c->rc == SQLITE_OK) {
    Turn t;
    Query q = ts_query(c, SQL_TURNS_RESUMED_BY, "ii", failed, by);
    by = ts_row(c, &q) ? ts_col_int(&q, 0) : 0;
    ts_end(c, &q);
    if (!by) break;
    ts_turn_load(c, by, &t);
    found = t.onPath || (t.exists && TS_TURN_RUNS(&t)) ? by : takenUpBy(c, by, level + 1);
  }
  return found;
}

/* A run that goes on has its own token, and its turn. */
static void wantOlder(Cmd *c, sqlite3_int64 by, sqlite3_int64 turn, sqlite3_int64 token) {
  Query q = ts_query(c, SQL_RUN_OF_TURN, "i", by);
  if (ts_row(c, &q) && ts_col_int(&q, 1) <= token) ts_fail_token(c, token, turn);
  ts_end(c, &q);
}

/* The session whose turn it is; of a turn that runs that of the run. {NULL,0}: nobody's any more. */
static Text sessionOf(Cmd *c, sqlite3_int64 turn) {
  static const int statements[] = {SQL_RUN_OF_TURN, SQL_TURN_MAKER};
  Text label = none;
  for (int i = 0; i < 2 && !label.z; i++) {
    Query q = ts_query(c, statements[i], "i", turn);
    if (ts_row(c, &q)) label = ts_col_text(c, &q, 0);
    ts_end(c, &q);
  }
  return label;
}

/* The message that a model reads in place of the result. */
static Text inWords(Cmd *c, Text session, Text tool, Text id, Text result, int isError) {
  Text words = ts_fill(c, session, isError ? "context.late_error" : "context.late_result", "tool",
                       tool, "id", id);
  char *message = ts_printf(c, "%.*s\n%.*s", words.n, words.z ? words.z : "", result.n, result.z);
  return message ? (Text){message, (int)strlen(message)} : none;
}

/* It was said before, under this id. */
static int isKnown(Cmd *c, const Session *s, const Inbound *in) {
  Query q =
      ts_query(c, SQL_DELIVERY_SEEN, "tttt", &s->label, &in->messageId, &in->channel, &in->sender);
  int found = ts_row(c, &q);
  ts_end(c, &q);
  return found;
}

/* The result as an input of the session that goes on. Returns its id. */
static sqlite3_int64 tellSession(Cmd *c, Text label, sqlite3_int64 call, Text tool, Text id,
                                 Text result, int isError) {
  const char *messageId = ts_printf(c, "result:%lld", call);
  Session s;
  Inbound in;
  if (c->rc != SQLITE_OK) return 0;
  memset(&s, 0, sizeof(s));
  if (label.z) ts_session_load(c, label, &s);
  if (c->rc == SQLITE_OK && (!s.exists || (s.isSubagent && !s.task.id))) {
    ts_fail(
        c, SQLITE_CONSTRAINT,
        "the work has gone on without the result of tool call '%s', and has ended; session_deliver "
        "tells it to whom it concerns",
        ts_excerpt(c, id));
    return 0;
  }
  memset(&in, 0, sizeof(in));
  in.message = inWords(c, s.label, tool, id, result, isError);
  in.messageId = (Text){messageId, (int)strlen(messageId)};
  in.channel = TS_TEXT("tool");
  in.sender = id;
  in.mode = TS_TEXT("steer");
  in.source = SOURCE_SYSTEM;
  in.cls = CLASS_UNKNOWN;
  in.isExempt = 1; /* it is never lost */
  if (c->rc == SQLITE_OK && isKnown(c, &s, &in)) {
    failKnown(c, id);
  }
  return c->rc == SQLITE_OK ? ts_queue_push(c, &s, &in) : 0;
}

/* Does a turn run there, so that no other can be appended? */
static int isBusy(Cmd *c, Text label) {
  Session s;
  if (!label.z || c->rc != SQLITE_OK) return 0;
  ts_session_load(c, label, &s);
  return s.exists && ts_run_live(c, &s.run);
}

void ts_late_result(Cmd *c, const Turn *t, sqlite3_int64 token, Text id, Text result, int isError) {
  Text tool = none, label;
  sqlite3_int64 place = findCall(c, t, id, &tool), by, queueId = 0;
  Json j;
  if (!place || c->rc != SQLITE_OK) return;
  if (!result.z) result = TS_TEXT("");
  by = t->onPath ? t->id : takenUpBy(c, t->id, 0);
  if (by) wantOlder(c, by, t->id, token);
  label = by ? sessionOf(c, by) : none;
  if (t->onPath && !isBusy(c, label)) {
    failOnPath(c, t, id);
  } else if (by) {
    queueId = tellSession(c, label, place, tool, id, result, isError);
  } else {
    ts_exec(c, SQL_DELETE_UNGUARD, "");
    ts_exec(c, SQL_TOOL_CALL_FINISH, "isitt", place, isError ? "failed" : "completed", c->now,
            isError ? &result : &none, isError ? &none : &result);
    ts_exec(c, SQL_DELETE_GUARD, "");
  }
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "status", isError ? "failed" : "completed");
  ts_json_key(&j, "late");
  ts_json_bool(&j, 1);
  if (queueId) ts_json_put_int(&j, "queue_id", queueId);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}
