/*
** unlink.c - identity_unlink(), and other code that parts merged sessions: inputs go where their
** senders are.
*/
#include "merge.h"

#include "choice.h"
#include "forward.h"
#include "json.h"
#include "lease.h"
#include "route.h"
#include "session.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- identity_unlink(channel, sender) --------------------------------------------------------------- */

/* A sender's inputs in a session go where the sender's messages go from now on. Waiting and failed
** inputs go at once, inputs in a turn go if the turn fails, and cancelled inputs go if somebody
** retries them. Returns how many waited. */
static sqlite3_int64 moveInputs(Cmd *c, const Identity *id, Text from, Text to) {
  const Text *own = id->senderLabel.z ? &id->senderLabel : &to;
  sqlite3_int64 waiting = 0, failed = 0, taken = 0;
  Text found, key = to;
  Query q;
  if (!from.z || !to.z) return 0;
  found = ts_label_find(c, to, NULL);
  if (ts_text_equal(from, found.z ? found : to)) return 0;
  q = ts_query(c, SQL_QUEUE_OF_SENDER, "ttt", &from, &id->channel, &id->sender);
  if (ts_row(c, &q)) {
    waiting = ts_col_int(&q, COL_QUEUE_OF_SENDER_WAITING);
    failed = ts_col_int(&q, COL_QUEUE_OF_SENDER_FAILED);
    taken = ts_col_int(&q, COL_QUEUE_OF_SENDER_TAKEN);
  }
  ts_end(c, &q);
  if (taken) ts_exec(c, SQL_QUEUE_SET_GOES_TO, "tttt", &from, own, &id->channel, &id->sender);
  ts_exec(c, SQL_QUEUE_SET_GOES_TO_CANCELLED, "tttt", &from, own, &id->channel, &id->sender);
  if (!waiting && !failed) return 0;
  to = ts_key_open(c, to, id->persona);
  ts_exec(c, SQL_QUEUE_MOVE_SENDER, "ttttt", &from, &to, &id->channel, &id->sender, &key);
  if (failed) {
    ts_exec(c, SQL_QUEUE_MOVE_FAILED, "ttttt", &from, &to, &id->channel, &id->sender, &key);
  }
  return waiting;
}

/* The same for senders who stay with the entity when the session with their inputs does not. to:
** the session for them if no policy matches. */
static void moveMembers(Cmd *c, const Identity *left, Text from, Text to) {
  for (Member *member = ts_entity_members(c, left->entity); member && c->rc == SQLITE_OK;
       member = member->next) {
    Identity id = member->id;
    Text there = ts_text_same(id.entityLabel, left->entityLabel) ? to : id.entityLabel;
    moveInputs(c, &id, from, ts_identity_key_now(c, &id, there));
  }
}

/* Messages that an open choice holds from a leaving sender become waiting inputs, so that they can
** move. leaves: the session itself leaves, and messages of those who stay must not go with it. */
static void releaseHeld(Cmd *c, const Identity *id, Text label, int leaves) {
  Session s;
  int holds;
  Query q = ts_query(c, SQL_CHOICE_HOLDS_OF, "tttit", &label, &id->channel, &id->sender,
                     (sqlite3_int64)leaves, &id->entity);
  holds = ts_row(c, &q);
  ts_end(c, &q);
  if (!holds) return;
  ts_session_load_exact(c, label, &s);
  ts_choice_release(c, &s, "unmerge");
  ts_session_save(c, &s);
}

/* A turn that has recorded nothing and holds an input of somebody who moves away is ended: the
** input waits again and can move. This does not count as an attempt. others: an input of those who
** stay with the entity. A turn that has recorded something continues; its inputs are never given
** back. */
static void endTurn(Cmd *c, const Identity *id, Text label, int others) {
  Session s;
  Turn t;
  Query q;
  int holds;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.run.turnId) return;
  if (others) {
    q = ts_query(c, SQL_QUEUE_TAKEN_OF_OTHERS, "tittt", &s.label, s.run.turnId, &id->entity,
                 &id->channel, &id->sender);
  } else {
    q = ts_query(c, SQL_QUEUE_TAKEN_OF_SENDER, "titt", &s.label, s.run.turnId, &id->channel,
                 &id->sender);
  }
  holds = ts_row(c, &q);
  ts_end(c, &q);
  if (!holds) return;
  ts_turn_load(c, s.run.turnId, &t);
  if (!t.exists || ts_run_recorded(c, &t)) return;
  ts_lease_undo_turn(c, &s, "a sender was unlinked");
  ts_run_move(c, &s, RUN_IDLE);
}

/* Where a sender's messages go after the unlink: by the present policies, else as before. */
static Identity unknownAgain(Cmd *c, const Identity *id) {
  Identity now = *id;
  Route r;
  if (id->senderLabel.z && ts_identity_try_route(c, id, 0, &r) && r.choice.namesSender) {
    now.senderLabel = r.key;
    now.persona = r.choice.persona;
  }
  return now;
}

/* The session that has a linked sender's messages. */
static Text sessionOf(Cmd *c, const Identity *id) {
  Route r;
  if (!ts_identity_try_route(c, id, 1, &r)) {
    return id->entityLabel.z ? ts_label_find(c, id->entityLabel, NULL) : none;
  }
  return r.choice.namesEntity ? ts_label_find(c, r.key, NULL) : none;
}

/* A primary leaves with its sender: aliases that led to it as the entity's session end. */
static void leave(Cmd *c, Text primary, Text entity) {
  const Candidate *list = ts_labels_of(c, ts_query(c, SQL_SUPERSEDED_OF, "t", &primary));
  ts_exec(c, SQL_ALIAS_DROP_OF, "t", &primary);
  /* This comes first, while the rows still say which session they were merged into. */
  for (const Candidate *one = list; one && c->rc == SQLITE_OK; one = one->next)
    ts_unmerge_inputs(c, one->label, primary, entity);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    ts_unmerge(c, list->label, primary, entity);
}

sqlite3_int64 ts_identity_unlink_sender(Cmd *c, Identity *id, Settled *settled) {
  Identity now;
  Candidate session, *others;
  Text was, own, by = none;
  sqlite3_int64 moved = 0;
  int exists = 0, leaves;
  ts_entity_refresh_keys(c, id->entity);
  ts_identity_find(c, id->channel, id->sender, id);
  was = sessionOf(c, id);
  own = id->senderLabel;
  ts_session_note_link(c, was, "unlink", id);
  others = ts_labels_of(c, ts_query(c, SQL_IDENTITY_PLACES, "ttt", &id->entity, &was, &own));
  for (const Candidate *other = others; other && c->rc == SQLITE_OK; other = other->next)
    endTurn(c, id, other->label, 0);
  if (own.z) {
    endTurn(c, id, own, 1);
    exists = ts_candidate_load(c, own, &session);
    by = session.supersededBy;
  }
  leaves = exists && !by.z;
  if (leaves) {
    leave(c, own, id->entity);
  } else if (exists) {
    ts_unmerge(c, own, by, id->entity);
  } else if (own.z) {
    ts_alias_drop_linked(c, own);
  }
  ts_exec(c, SQL_IDENTITY_DROP, "tt", &id->channel, &id->sender);
  now = unknownAgain(c, id);
  for (const Candidate *other = others; other && c->rc == SQLITE_OK; other = other->next)
    releaseHeld(c, id, other->label, 0);
  if (leaves) releaseHeld(c, id, own, 1);
  for (const Candidate *other = others; other && c->rc == SQLITE_OK; other = other->next)
    moved += moveInputs(c, &now, other->label, now.senderLabel);
  ts_entity_settle_key(c, id->entity, id->entityLabel, none, settled);
  ts_entity_settle(c, id->entity, settled);
  settled->session = id->entityLabel.z ? ts_label_find(c, id->entityLabel, NULL) : none;
  if (exists) moveMembers(c, id, own, settled->session.z ? settled->session : id->entityLabel);
  ts_exec(c, SQL_IDENTITY_KEYS_DROP, "t", &id->entity);
  id->senderLabel = now.senderLabel;
  return moved;
}

static const ArgSpec unlinkArgs[] = {{"channel", ARG_NAME, 1}, {"sender", ARG_ID, 1}};

static void runUnlink(Cmd *c) {
  Identity id;
  Settled settled;
  sqlite3_int64 moved;
  Json j;
  Text session, merged;
  memset(&settled, 0, sizeof(settled));
  if (!ts_identity_find(c, c->arg[0].text, c->arg[1].text, &id)) {
    ts_return_null(c);
    return;
  }
  ts_json_begin(&settled.merged, c);
  ts_json_open(&settled.merged, '[');
  moved = ts_identity_unlink_sender(c, &id, &settled);
  ts_json_close(&settled.merged, ']');
  merged = ts_json_finish(&settled.merged);
  session = id.senderLabel.z ? ts_label_find(c, id.senderLabel, NULL) : none;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "action", "unlinked");
  ts_json_put(&j, "entity", id.entity);
  ts_json_put(&j, "key", id.senderLabel);
  ts_json_put(&j, "session", session);
  ts_json_put_int(&j, "waiting_moved", moved);
  ts_json_put(&j, "entity_session", settled.session);
  ts_json_put_raw(&j, "merged", merged);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_identity_unlink = {"identity_unlink", runUnlink, 0, TS_ARGS(2, unlinkArgs),
                                        NULL};

/* ---- A session with others in it is deleted ---------------------------------------------------------- */

/* Messages that its choice holds, and inputs of a turn that has recorded nothing, wait again and
** can move. */
static void giveBack(Cmd *c, Session *s) {
  Turn t;
  if (s->pendingChoice.z) {
    ts_choice_release(c, s, "unmerge");
    ts_session_save(c, s);
  }
  if (!s->run.turnId || c->rc != SQLITE_OK) return;
  ts_turn_load(c, s->run.turnId, &t);
  if (t.exists && !ts_run_recorded(c, &t)) ts_lease_undo_turn(c, s, "its session was deleted");
}

/* Senders of the entity who have a session of their own take their inputs there. */
static void partMembers(Cmd *c, Text label) {
  Identity owner;
  if (!ts_entity_of_label(c, label, &owner)) return;
  for (Member *member = ts_entity_members(c, owner.entity); member && c->rc == SQLITE_OK;
       member = member->next) {
    Identity *id = &member->id;
    if (!id->senderLabel.z || ts_text_equal(id->senderLabel, label)) continue;
    if (!ts_text_same(ts_label_find(c, id->senderLabel, NULL), id->senderLabel)) continue;
    moveInputs(c, id, label, id->senderLabel);
  }
}

/* Inputs of others leave a session before it is deleted, unchanged. */
static void bringOthers(Cmd *c, const Session *s, const Forward *list) {
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    Text label = ts_label_find(c, list->to, NULL);
    if (ts_text_same(label, s->label)) continue;
    label = ts_key_open(c, list->to, none);
    ts_exec(c, SQL_QUEUE_BRING, "itt", list->input, &label, &list->to);
  }
}

/* Inputs of others in a turn end with the turn, and are listed in their senders' sessions. So are
** cancelled inputs, if the sender has a session; no session is made for them. */
static void bringTaken(Cmd *c, const Session *s) {
  const Forward *list = ts_forward_of_turn(c, s->label, s->run.turnId);
  if (list) {
    ts_exec(c, SQL_DELETE_TAKEN, "tis", &s->label, c->now, "its session was deleted");
    bringOthers(c, s, list);
  }
  bringOthers(c, s, ts_forward_list(c, ts_query(c, SQL_QUEUE_GOING_CANCELLED, "t", &s->label)));
}

/* Messages delivered to it whose inputs are now in another session take their deliveries along. */
static void bringDeliveries(Cmd *c, Text from) {
  const Forward *list = ts_forward_list(c, ts_query(c, SQL_DELETE_SAID, "t", &from));
  if (list) ts_exec(c, SQL_DELETE_UNGUARD, "");
  for (const Forward *one = list; one && c->rc == SQLITE_OK; one = one->next) {
    ts_exec(c, SQL_DELETE_LEAVE_DELIVERY, "itt", one->input, &from, &one->to);
    ts_exec(c, SQL_DELETE_AT_HOME, "i", one->input);
  }
  if (list) ts_exec(c, SQL_DELETE_GUARD, "");
}

void ts_session_part_merged(Cmd *c, Session *s) {
  const Candidate *list = ts_labels_of(c, ts_query(c, SQL_SUPERSEDED_OF, "t", &s->label));
  if (list) giveBack(c, s);
  for (const Candidate *one = list; one && c->rc == SQLITE_OK; one = one->next)
    ts_unmerge(c, one->label, s->label, none);
  if (list) partMembers(c, s->label);
  bringTaken(c, s);
  bringDeliveries(c, s->label);
}
