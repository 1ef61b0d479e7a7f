/*
** classify.c - delivery_classify(): a second opinion about what a message is.
**
**   SELECT turnstile_config('classify_floor', 0.6);
**   SELECT turnstile_config('classify_below', 'ask');
**   SELECT session_deliver('main', 'hm, what about the other one');
**   -- {"action":"classify",…,"second_opinion":{"delivery":7,"prompt":"A user works with an agent. …"}}
**   SELECT delivery_classify(7, classification_parse('B) Modification'));
**   -- {"action":"continue",…}
**
** Between the two the message is an input that waits, so that nothing is lost when the host dies, and what
** comes meanwhile finds it where it stands. Whoever takes it first (a turn, a newer message that is handed
** over) takes it as what it was guessed to be; an opinion that comes later changes nothing. One that comes
** in time lets the message go through the table as if it came now. The delivery's decision is then that one,
** also for whoever delivers the message again.
*/
#include "delivery_classify.h"

#include "args.h"
#include "deliver.h"

SQLITE_EXTENSION_INIT3

enum { OPINION_DELIVERY, OPINION_CLASS, OPINION_OWNER, OPINION_KEEPS_TURNS };

static const ArgSpec opinionArgs[] = {
    {"delivery", ARG_INT, 1},
    {"class", ARG_TEXT, ARG_OR_NULL},
    {"owner", ARG_NAME, 0},
    {"keeps_turns", ARG_BOOL, 0},
};

/* A delivery as it was decided. */
typedef struct Doubted {
  Text label, action, decision;
  sqlite3_int64 queueId;
} Doubted;

static void load(Cmd *c, sqlite3_int64 id, Doubted *d) {
  Query q = ts_query(c, SQL_DELIVERY_DOUBTED, "i", id);
  if (ts_row(c, &q)) {
    d->label = ts_col_text(c, &q, COL_DELIVERY_DOUBTED_SESSION_LABEL);
    d->action = ts_col_text(c, &q, COL_DELIVERY_DOUBTED_ACTION);
    d->decision = ts_col_text(c, &q, COL_DELIVERY_DOUBTED_DECISION);
    d->queueId = ts_col_int(&q, COL_DELIVERY_DOUBTED_QUEUE_ID);
  }
  ts_end(c, &q);
  if (!d->action.z) ts_fail(c, SQLITE_ERROR, "there is no delivery %lld", id);
}

/* It was decided before: nothing is to be done. */
static void answerDecided(Cmd *c, Text decision) {
  Query q = ts_query(c, SQL_DELIVERY_DUPLICATE, "ti", &decision, (sqlite3_int64)0);
  if (ts_row(c, &q)) ts_return_text(c, ts_col_text(c, &q, COL_DELIVERY_DUPLICATE_DECISION));
  ts_end(c, &q);
}

/* It was taken before the opinion came. */
/* over: what this call has found to answer what is asked no more, or NULL. */
static void answerLate(Cmd *c, sqlite3_int64 id, const Doubted *d, const Inbound *over) {
  Text decision = {NULL, 0};
  Query q = ts_query(c, SQL_DELIVERY_LATE, "tsi", &d->decision,
                     "it was taken, or called off, before a second opinion came",
                     over ? over->queueId : (sqlite3_int64)0);
  if (ts_row(c, &q)) decision = ts_col_text(c, &q, COL_DELIVERY_LATE_DECISION);
  ts_end(c, &q);
  ts_exec(c, SQL_DELETE_UNGUARD, "");
  ts_exec(c, SQL_DELIVERY_LATER, "ist", id, ts_action_names[ACTION_QUEUE], &decision);
  ts_exec(c, SQL_DELETE_GUARD, "");
  if (c->rc == SQLITE_OK) ts_return_text(c, decision);
}

/* The session that has the input now: it may have been merged into another one. */
static void findSession(Cmd *c, sqlite3_int64 queueId, Session *s) {
  Text label = {NULL, 0};
  Query q = ts_query(c, SQL_QUEUE_GET, "i", queueId);
  if (ts_row(c, &q)) label = ts_col_text(c, &q, COL_QUEUE_GET_SESSION_LABEL);
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && label.z) ts_session_require(c, label, s);
}

static MessageClass givenClass(Cmd *c) {
  int i;
  if (!c->arg[OPINION_CLASS].given) return CLASS_UNKNOWN;
  i = ts_arg_word(c, "class", c->arg[OPINION_CLASS].text, ts_class_names, CLASS_COUNT);
  return i < 0 ? CLASS_UNKNOWN : (MessageClass)i;
}

static void runClassify(Cmd *c) {
  sqlite3_int64 id = c->arg[OPINION_DELIVERY].i;
  MessageClass given = givenClass(c);
  Doubted d = {0};
  Inbound *in;
  Session s;
  Text decision;
  load(c, id, &d);
  if (c->rc != SQLITE_OK) return;
  if (!ts_text_is(d.action, ts_action_names[ACTION_CLASSIFY])) {
    answerDecided(c, d.decision);
    return;
  }
  in = ts_queue_one(c, d.queueId);
  if (!in || in->deliveryId != id) {
    if (c->rc == SQLITE_OK) answerLate(c, id, &d, NULL);
    return;
  }
  findSession(c, d.queueId, &s);
  if (c->rc != SQLITE_OK) return;
  decision = ts_deliver_second_opinion(c, &s, in, given, c->arg[OPINION_OWNER].text,
                                       &c->arg[OPINION_KEEPS_TURNS]);
  if (c->rc != SQLITE_OK) return;
  if (decision.z) {
    ts_return_text(c, decision);
  } else {
    answerLate(c, id, &d, in);
  }
}

const CommandSpec ts_delivery_classify = {"delivery_classify", runClassify, 0,
                                          TS_ARGS(2, opinionArgs), NULL};
