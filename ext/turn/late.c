/*
** late.c - the result of a tool call whose turn has ended.
**
** A process can lose its turn by a failure, an expired lease, or because somebody stopped it, while
** its tool is still at work and has a real effect. The tool's result is still recorded, wherever
** that does not disturb a run:
**
**   - of a turn that is off the path, and from which nothing goes on yet, in the call's row: whoever goes on from
**     it is shown the call with its result;
**   - of one from which a turn goes on already, that was shown the call without a result: as an input of that
**     turn's session, in the words of context.late_result. A live run takes it by turn_steering;
**   - the same when a summary went through what that turn has left;
**   - of a turn on the path the same while a run goes on behind it; else a turn that follows has to bring it
**     (messages.c), for rows of the path are fixed.
**
** The token must be older than the token of the run that continues; otherwise it is not valid any
** more. A call has one result: the same result again is a duplicate, however it came, and a
** different one is refused.
*/
#include "late.h"

#include "json.h"
#include "messages.h"
#include "tell.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

static void failKnown(Cmd *c, Text id) {
  ts_fail(c, SQLITE_CONSTRAINT,
          "call_id: tool call '%s' has its result already, which is another one",
          ts_excerpt(c, id));
}

/* The call; 0 when it does not exist, which is an error. *known: its row has a result, this one or
** another. */
static sqlite3_int64 findCall(Cmd *c, const Turn *t, LateResult *r, LateKnown *known) {
  Query q =
      ts_query(c, SQL_TOOL_CALL_NAMED, "iit", TS_FIRST_PLACE(t->id), TS_LAST_PLACE(t->id), &r->id);
  if (ts_row(c, &q)) {
    r->call = ts_col_int(&q, COL_TOOL_CALL_NAMED_PLACE);
    r->tool = ts_col_text(c, &q, COL_TOOL_CALL_NAMED_TOOL_NAME);
    if (!ts_text_is(ts_col_view(&q, COL_TOOL_CALL_NAMED_STATUS), "pending")) *known = LATE_OTHER;
  }
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return 0;
  if (!r->call) {
    ts_fail(c, SQLITE_CONSTRAINT, "%s; it holds no tool call '%s'", ts_turn_words(c, t),
            ts_excerpt(c, r->id));
  }
  if (*known == LATE_UNKNOWN) return r->call;
  if (ts_result_is(c, r->call, r->call, r->id, r->result, r->isError)) *known = LATE_SAME;
  return r->call;
}

static void failOnPath(Cmd *c, const Turn *t, Text id) {
  ts_fail(c, SQLITE_CONSTRAINT,
          "%s, and stays in the conversation with tool call '%s' as it is; a turn "
          "that follows takes its result: turn_append with role tool, or turn_tool_result with the "
          "turn and the token of the run that goes on",
          ts_turn_words(c, t), ts_excerpt(c, id));
}

/* The compaction whose summary went through what a failed turn has left, so that no context shows its calls. 0: none. */
static sqlite3_int64 summarisedBy(Cmd *c, const Turn *t) {
  sqlite3_int64 by = 0;
  Text label;
  Session s;
  Query q = ts_query(c, SQL_COMPACTION_PAST, "ii", t->parent, t->id);
  if (ts_row(c, &q)) by = ts_col_int(&q, COL_COMPACTION_PAST_ID);
  ts_end(c, &q);
  if (!by) return 0;
  label = ts_turn_session(c, by);
  if (!label.z || c->rc != SQLITE_OK) return 0;
  ts_session_load(c, label, &s);
  /* The context ends with the turn that failed last, and with what that goes on from. */
  if (!s.exists || ts_turn_is_resumed(c, s.run.failedTurn, t->id)) return 0;
  return s.head && (s.head == by || ts_is_ancestor(c, by, s.head)) ? by : 0;
}

/* A run that goes on has its own token, and its turn. */
static void wantOlder(Cmd *c, sqlite3_int64 by, sqlite3_int64 turn, sqlite3_int64 token) {
  Query q = ts_query(c, SQL_RUN_OF_TURN, "i", by);
  if (ts_row(c, &q) && ts_col_int(&q, COL_RUN_OF_TURN_TOKEN) <= token)
    ts_fail_token(c, token, turn);
  ts_end(c, &q);
}

/* The last turn that a session has, or works on. */
static sqlite3_int64 lastOf(Cmd *c, Text label) {
  Session s;
  if (!label.z || c->rc != SQLITE_OK) return 0;
  ts_session_load(c, label, &s);
  return s.run.turnId ? s.run.turnId : s.head;
}

/* The same in a message of a turn that follows on the path. */
static LateKnown findAnswer(Cmd *c, sqlite3_int64 last, const LateResult *r) {
  sqlite3_int64 by = last ? ts_find_answer(c, r->id, r->call, last) : 0;
  if (!by) return LATE_UNKNOWN;
  return ts_answer_is(c, by, r->result, r->isError) ? LATE_SAME : LATE_OTHER;
}

/* The result as an input of the session that goes on. Returns its id. */
static sqlite3_int64 tellSession(Cmd *c, Text label, const LateResult *r, LateKnown *known) {
  sqlite3_int64 queueId = 0;
  Session s;
  Inbound in;
  if (c->rc != SQLITE_OK) return 0;
  memset(&s, 0, sizeof(s));
  if (label.z) ts_session_load(c, label, &s);
  ts_late_input(c, &s, r, &in);
  if (c->rc == SQLITE_OK && s.exists) *known = ts_late_find(c, &s, &in, &queueId);
  if (*known != LATE_UNKNOWN) return queueId;
  if (c->rc == SQLITE_OK && (!s.exists || (s.isSubagent && !s.task.id))) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "the work has gone on without the result of tool call '%s', and has ended; report the "
            "result by session_deliver",
            ts_excerpt(c, r->id));
    return 0;
  }
  return c->rc == SQLITE_OK ? ts_tell(c, &s, &in) : 0;
}

/* Does a turn run there, so that no other can be appended? */
static int isBusy(Cmd *c, Text label) {
  Session s;
  if (!label.z || c->rc != SQLITE_OK) return 0;
  ts_session_load(c, label, &s);
  return s.exists && ts_run_live(c, &s.run);
}

static void returnLate(Cmd *c, const LateResult *r, LateKnown known, sqlite3_int64 queueId) {
  Json j;
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "status", ts_call_end(r->isError));
  ts_json_key(&j, "late");
  ts_json_bool(&j, 1);
  if (queueId) ts_json_put_int(&j, "queue_id", queueId);
  if (known == LATE_SAME) {
    ts_json_key(&j, "duplicate");
    ts_json_bool(&j, 1);
  }
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

/* Where nobody goes on from it: with the call. */
static void finishCall(Cmd *c, const LateResult *r) {
  ts_exec(c, SQL_DELETE_UNGUARD, "");
  ts_exec(c, SQL_TOOL_CALL_FINISH, "isitt", r->call, ts_call_end(r->isError), c->now,
          r->isError ? &r->result : &none, r->isError ? &none : &r->result);
  ts_exec(c, SQL_DELETE_GUARD, "");
}

/* Who goes on without it is told. Returns the input's id, 0: there is none. */
static sqlite3_int64 tellOn(Cmd *c, const Turn *t, const LateResult *r, sqlite3_int64 by,
                            LateKnown *known) {
  Text label = ts_turn_session(c, by);
  sqlite3_int64 last = t->onPath ? lastOf(c, label) : 0;
  if (t->onPath) *known = findAnswer(c, last, r);
  if (t->onPath && *known == LATE_UNKNOWN && !isBusy(c, label)) {
    *known = last ? ts_late_told(c, r, label, last) : LATE_UNKNOWN;
    if (*known == LATE_UNKNOWN) failOnPath(c, t, r->id);
  }
  return *known == LATE_UNKNOWN ? tellSession(c, label, r, known) : 0;
}

void ts_late_result(Cmd *c, const Turn *t, sqlite3_int64 token, Text id, Text result, int isError) {
  LateResult r = {0, none, id, result.z ? result : TS_TEXT(""), isError};
  LateKnown known = LATE_UNKNOWN;
  sqlite3_int64 by, queueId = 0;
  if (!findCall(c, t, &r, &known) || c->rc != SQLITE_OK) return;
  by = t->onPath ? t->id : ts_turn_taken_up_by(c, t->id, 0);
  if (!by) by = summarisedBy(c, t);
  if (by) wantOlder(c, by, t->id, token);
  if (c->rc != SQLITE_OK) return;
  if (known == LATE_UNKNOWN && by) {
    queueId = tellOn(c, t, &r, by, &known);
  } else if (known == LATE_UNKNOWN) {
    finishCall(c, &r);
  }
  if (known == LATE_OTHER) failKnown(c, id);
  returnLate(c, &r, known, queueId);
}

sqlite3_int64 ts_late_answered(Cmd *c, sqlite3_int64 queueId, Text session) {
  Text messageId = none, id = none;
  sqlite3_int64 last, by = 0;
  Query q = ts_query(c, SQL_QUEUE_TELLS_RESULT, "i", queueId);
  if (ts_row(c, &q)) {
    messageId = ts_col_text(c, &q, COL_QUEUE_TELLS_RESULT_MESSAGE_ID);
    id = ts_col_text(c, &q, COL_QUEUE_TELLS_RESULT_SENDER);
  }
  ts_end(c, &q);
  if (!messageId.z || !id.z) return 0;
  last = lastOf(c, session);
  if (last) by = ts_find_answer(c, id, strtoll(messageId.z + strlen("result:"), NULL, 10), last);
  return by ? TS_PLACE_TURN(by) : 0;
}
