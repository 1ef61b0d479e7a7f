/*
** classify.c - delivery_classify(): takes a second opinion about a message's class.
**
**   SELECT turnstile_config('classify_floor', 0.6);
**   SELECT turnstile_config('classify_below', 'ask');
**   SELECT session_deliver('main', 'hm, what about the other one');
**   -- {"action":"classify",…,"second_opinion":{"delivery":7,"prompt":"A user works with an agent. …"}}
**   SELECT delivery_classify(7, classification_parse('B) Modification'));
**   -- {"action":"continue",…}
**
** Between the two calls the message is a waiting input, so nothing is lost when the host dies, and
** newer messages find it in its place. Whoever takes it first (a turn, or a newer message that is
** handed over) takes it with the guessed class; a later opinion changes nothing. When the opinion
** comes in time, the message goes through the table as if it came now. The delivery then has this
** decision, and a repeated delivery of the message returns it.
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

/* It was already decided: nothing to do. */
static void answerDecided(Cmd *c, Text decision) {
  Query q = ts_query(c, SQL_DELIVERY_DUPLICATE, "ti", &decision, (sqlite3_int64)0);
  if (ts_row(c, &q)) ts_return_text(c, ts_col_text(c, &q, COL_DELIVERY_DUPLICATE_DECISION));
  ts_end(c, &q);
}

/* It was taken before the opinion came. */
/* over: inputs that this call has found to answer a closed question or choice, or NULL. */
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

/* The session that has the input now: its session may have been merged into another one. */
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
