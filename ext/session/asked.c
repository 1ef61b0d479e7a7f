/*
** asked.c - what a session asks a person now: its open choice, or its task's question.
**
** A button outlives its question: a letter pressed late would settle another choice, with other
** options for the same letters. A host that knows which choice or question its button belongs to
** passes the time at which it was asked.
*/
#include "asked.h"

#include "args.h"
#include "json.h"

SQLITE_EXTENSION_INIT3

/* An integer of a JSON text, or -1. */
static sqlite3_int64 timeOf(Cmd *c, Text json, const char *path) {
  sqlite3_int64 at = -1;
  Query q;
  if (!json.z) return -1;
  q = ts_query(c, SQL_JSON_GET, "ts", &json, path);
  if (ts_row(c, &q) && ts_text_is(ts_col_text(c, &q, COL_JSON_GET_TYPE), "integer"))
    at = ts_col_int(&q, COL_JSON_GET_VALUE);
  ts_end(c, &q);
  return at;
}

sqlite3_int64 ts_asked_opened_at(Cmd *c, const Session *s) {
  return timeOf(c, s->pendingChoice, "$.opened_at");
}

sqlite3_int64 ts_asked_question_at(Cmd *c, const Session *s) {
  return s->task.state == TASK_AWAITING_USER ? timeOf(c, s->task.stateData, "$.asked_at") : -1;
}

/* "NewTaskChoice", …, "Question"; {NULL,0} when nothing is asked. */
static Text kindOf(Cmd *c, const Session *s) {
  Text kind = none;
  Query q;
  if (!s->pendingChoice.z) {
    return s->task.state == TASK_AWAITING_USER ? TS_TEXT("Question") : none;
  }
  q = ts_query(c, SQL_JSON_GET, "ts", &s->pendingChoice, "$.kind");
  if (ts_row(c, &q)) kind = ts_col_text(c, &q, COL_JSON_GET_VALUE);
  ts_end(c, &q);
  return kind;
}

void ts_asked_put(Json *j, Cmd *c, const Session *s) {
  sqlite3_int64 opened = ts_asked_opened_at(c, s), asked = ts_asked_question_at(c, s);
  Text kind = kindOf(c, s);
  if (kind.z) ts_json_put(j, "kind", kind);
  if (opened >= 0) ts_json_put_int(j, "opened_at", opened);
  if (asked >= 0) ts_json_put_int(j, "asked_at", asked);
}

int ts_asked_over(Cmd *c, const Session *s, const Inbound *in) {
  if (in->attempts > 0 || in->shownIn) return 0;
  return (in->openedAt && in->openedAt != ts_asked_opened_at(c, s)) ||
         (in->askedAt && in->askedAt != ts_asked_question_at(c, s));
}

void ts_asked_cancel(Cmd *c, const Inbound *in) {
  ts_exec(c, SQL_QUEUE_OVER, "isis", in->queueId,
          in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls], c->now,
          "what it answers was asked no more");
}

sqlite3_int64 ts_asked_now(Cmd *c, const Session *s, int last) {
  sqlite3_int64 at = c->now;
  Query q = ts_query(c, last, "tii", &s->label, c->now, (sqlite3_int64)TURNSTILE_CLOCK_STEP);
  if (ts_row(c, &q) && !ts_col_null(&q, COL_CHOICE_LAST_OPENED_AT))
    at = ts_col_int(&q, COL_CHOICE_LAST_OPENED_AT) + 1;
  ts_end(c, &q);
  return at;
}

Text ts_asked_at(Cmd *c, const Session *s, Text data) {
  Text out = none;
  Query q = ts_query(c, SQL_ASKED_AT, "ti", &data, ts_asked_now(c, s, SQL_QUESTION_LAST_ASKED));
  if (ts_row(c, &q)) {
    sqlite3_int64 at = ts_col_int(&q, COL_ASKED_AT_VALUE);
    if (!ts_text_is(ts_col_text(c, &q, COL_ASKED_AT_TYPE), "integer") || at < 0 ||
        at > TURNSTILE_MAX_INTEGER) {
      ts_fail(c, SQLITE_ERROR,
              "data.asked_at must be an integer from 0 to 2^53 - 1, Unix milliseconds");
    }
    ts_time_want(c, "data.asked_at", at);
    out = ts_col_text(c, &q, COL_ASKED_AT_DATA);
  }
  ts_end(c, &q);
  return out;
}
