/*
** inbound.c - an incoming message: the caller's options for it, and whether it came before.
*/
#include "decision.h"

#include "args.h"
#include "config.h"
#include "deleted.h"
#include "tell.h"

SQLITE_EXTENSION_INIT3

/* The first arguments of session_deliver and queue_push are the same. */
enum { IN_LABEL, IN_MESSAGE, IN_MESSAGE_ID, IN_SOURCE, IN_CHANNEL, IN_SENDER, IN_MODE };

void ts_deliver_read_inbound(Delivery *d) {
  Cmd *c = d->c;
  Text empty = TS_TEXT("");
  int source = 0;
  d->in.message = c->arg[IN_MESSAGE].text;
  d->in.messageId = c->arg[IN_MESSAGE_ID].text;
  d->in.channel = c->arg[IN_CHANNEL].given ? c->arg[IN_CHANNEL].text : empty;
  d->in.sender = c->arg[IN_SENDER].given ? c->arg[IN_SENDER].text : empty;
  d->in.mode = c->arg[IN_MODE].text;
  if (c->arg[IN_SOURCE].given) {
    source = ts_arg_word(c, "source", c->arg[IN_SOURCE].text, ts_source_names, SOURCE_COUNT);
  }
  if (c->arg[IN_MODE].given) {
    ts_arg_word(c, "mode", c->arg[IN_MODE].text, ts_queue_modes, QUEUE_MODE_COUNT);
  }
  d->in.source = source < 0 ? SOURCE_USER : (Source)source;
}

void ts_deliver_read_keeps_turns(Delivery *d, const Arg *arg) {
  if (d->owner.z) d->keepsTurns = 1;
  if (!arg->given) return;
  d->keepsTurns = arg->i != 0;
  if (d->owner.z && !d->keepsTurns) {
    ts_fail(d->c, SQLITE_ERROR,
            "keeps_turns is 0, but the option owner begins a turn; give one of them");
  }
}

void ts_message_want(Cmd *c, Text label, const char *name, Text message) {
  sqlite3_int64 max = ts_config_int(c, label, CONFIG_MAX_MESSAGE_BYTES);
  if (c->rc == SQLITE_OK && message.n > max) {
    ts_fail(c, SQLITE_TOOBIG,
            "%s is %d bytes long; max_message_bytes allows %lld (turnstile_config)", name,
            message.n, max);
  }
}

void ts_deliver_keep_names(Delivery *d, Text name) {
  Cmd *c = d->c;
  Query q;
  if (!d->in.messageId.z || c->rc != SQLITE_OK) return;
  d->name = name;
  if (!d->ownKey.z && d->in.sender.n) {
    q = ts_query(c, SQL_IDENTITY_OWN_KEY, "tttt", &d->in.channel, &d->in.sender, &name,
                 &d->s.label);
    if (ts_row(c, &q)) d->ownKey = ts_col_text(c, &q, COL_IDENTITY_OWN_KEY_SENDER_LABEL);
    ts_end(c, &q);
  }
  /* The session's label finds it as well and need not be stored. */
  d->in.cameBy = name;
  d->in.cameAs = d->ownKey.z && !ts_text_equal(d->ownKey, d->s.label) ? d->ownKey : name;
}

/* The place in the parent's conversation where it tells its worker something, so that an undo can
** find it. */
static void findToldPlace(Delivery *d) {
  Session parent;
  if (!ts_deliver_is_from_parent(d, &d->in)) return;
  ts_session_load(d->c, d->s.parentLabel, &parent);
  d->isTold = parent.exists;
  d->toldPlace = 2 * parent.head + (parent.headEvent >= 0);
}

void ts_deliver_number(Delivery *d) {
  ts_delivery_number(d->c, &d->in);
  findToldPlace(d);
}

Text ts_deliver_stored_decision(Delivery *d, int *conflict) {
  Cmd *c = d->c;
  Text decision = none, message = none;
  Query q;
  if (!d->in.messageId.z || !d->s.label.z) return none;
  q = ts_query(c, SQL_DELIVERY_SEEN, "tttttt", &d->s.label, &d->in.messageId, &d->in.channel,
               &d->in.sender, &d->name, &d->ownKey);
  if (ts_row(c, &q)) {
    decision = ts_col_text(c, &q, COL_DELIVERY_SEEN_DECISION);
    message = ts_col_text(c, &q, COL_DELIVERY_SEEN_MESSAGE);
  }
  ts_end(c, &q);
  *conflict = decision.z && !ts_text_equal(message, d->in.message);
  return decision;
}

int ts_deliver_was_deleted(Delivery *d) {
  const Text names[] = {d->name, d->s.label, d->route.label, d->ownKey};
  const Inbound *in = &d->in;
  if (!in->messageId.z || !ts_messages_were_deleted(d->c)) return 0;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (i > 0 && names[i].z && ts_text_equal(names[i], names[0])) continue;
    if (ts_message_was_deleted(d->c, names[i], in->messageId, in->channel, in->sender)) return 1;
  }
  return 0;
}
