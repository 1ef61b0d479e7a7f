/*
** late_told.c - a result that comes late as an input: its words, and whether somebody was told it already.
*/
#include "late.h"

#include "fill.h"
#include "queue.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

sqlite3_int64 ts_turn_taken_up_by(Cmd *c, sqlite3_int64 failed, int level) {
  sqlite3_int64 by = TURNSTILE_MAX_INTEGER, found = 0;
  while (by && !found && level < TS_MAX_RESUMED && c->rc == SQLITE_OK) {
    Turn t;
    Query q = ts_query(c, SQL_TURNS_RESUMED_BY, "ii", failed, by);
    by = ts_row(c, &q) ? ts_col_int(&q, COL_TURNS_RESUMED_BY_ID) : 0;
    ts_end(c, &q);
    if (!by) break;
    ts_turn_load(c, by, &t);
    found = t.onPath || (t.exists && TS_TURN_RUNS(&t)) ? by : ts_turn_taken_up_by(c, by, level + 1);
  }
  return found;
}

Text ts_turn_session(Cmd *c, sqlite3_int64 turn) {
  static const int statements[][2] = {{SQL_RUN_OF_TURN, COL_RUN_OF_TURN_SESSION_LABEL},
                                      {SQL_TURN_MAKER, COL_TURN_MAKER_SESSION_LABEL}};
  Text label = none;
  for (int i = 0; i < 2 && !label.z; i++) {
    Query q = ts_query(c, statements[i][0], "i", turn);
    if (ts_row(c, &q)) label = ts_col_text(c, &q, statements[i][1]);
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

void ts_late_input(Cmd *c, const Session *s, const LateResult *r, Inbound *in) {
  const char *messageId = ts_printf(c, "result:%lld", r->call);
  memset(in, 0, sizeof(*in));
  if (!messageId) return;
  in->message = inWords(c, s->label, r->tool, r->id, r->result, r->isError);
  in->messageId = (Text){messageId, (int)strlen(messageId)};
  in->channel = TS_TEXT("tool");
  in->sender = r->id;
  in->mode = TS_TEXT("steer");
  in->source = SOURCE_SYSTEM;
  in->cls = CLASS_UNKNOWN;
  in->isExempt = 1; /* it is never lost */
}

LateKnown ts_late_find(Cmd *c, const Session *s, const Inbound *in, sqlite3_int64 *queueId) {
  LateKnown known = LATE_UNKNOWN;
  Text decision = none;
  Query q = ts_query(c, SQL_DELIVERY_SEEN, "ttttnn", &s->label, &in->messageId, &in->channel,
                     &in->sender);
  if (ts_row(c, &q)) {
    known = ts_text_equal(ts_col_view(&q, COL_DELIVERY_SEEN_MESSAGE), in->message) ? LATE_SAME
                                                                                   : LATE_OTHER;
    decision = ts_col_text(c, &q, COL_DELIVERY_SEEN_DECISION);
  }
  ts_end(c, &q);
  if (known == LATE_UNKNOWN) return known;
  q = ts_query(c, SQL_JSON_GET, "ts", &decision, "$.queue_id");
  if (ts_row(c, &q)) *queueId = ts_col_int(&q, COL_JSON_GET_VALUE);
  ts_end(c, &q);
  return known;
}

/* Is a turn another one, or below it? */
static int isBelow(Cmd *c, sqlite3_int64 above, sqlite3_int64 turn) {
  return above && (above == turn || ts_is_ancestor(c, above, turn));
}

/* Is the input shown above a turn, or will it be in its session? */
static int isShown(Cmd *c, sqlite3_int64 queueId, Text session, sqlite3_int64 turn) {
  sqlite3_int64 in = 0;
  int waits = 0;
  Query q = ts_query(c, SQL_QUEUE_SHOWN, "i", queueId);
  if (ts_row(c, &q)) {
    waits = ts_col_int(&q, COL_QUEUE_SHOWN_WAITS) &&
            (!session.z || ts_text_equal(ts_col_view(&q, COL_QUEUE_SHOWN_SESSION_LABEL), session));
    in = ts_col_int(&q, COL_QUEUE_SHOWN_SHOWN_TURN_ID);
  }
  ts_end(c, &q);
  return waits || isBelow(c, in, turn) || (in && isBelow(c, ts_turn_taken_up_by(c, in, 0), turn));
}

LateKnown ts_late_told(Cmd *c, const LateResult *r, Text session, sqlite3_int64 turn) {
  Text label = ts_turn_session(c, TS_PLACE_TURN(r->call));
  sqlite3_int64 queueId = 0;
  LateKnown known;
  Session s;
  Inbound in;
  if (!label.z || c->rc != SQLITE_OK) return LATE_UNKNOWN;
  ts_session_load(c, label, &s);
  ts_late_input(c, &s, r, &in);
  if (c->rc != SQLITE_OK || !s.exists) return LATE_UNKNOWN;
  known = ts_late_find(c, &s, &in, &queueId);
  return known != LATE_UNKNOWN && isShown(c, queueId, session, turn) ? known : LATE_UNKNOWN;
}
