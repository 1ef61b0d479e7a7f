/*
** sender.c - a sender's entity, and the keys that the policies give to that sender's messages.
**
** While a sender is not linked, the policies give that sender its own key (the sender's key). Once
** linked, the sender's messages get the entity's key. The table identities holds both keys. They
** are updated before they settle anything, because policies change.
*/
#include "sender.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

int ts_identity_find(Cmd *c, Text channel, Text sender, Identity *id) {
  int found;
  Query q = ts_query(c, SQL_IDENTITY_GET, "tt", &channel, &sender);
  memset(id, 0, sizeof(*id));
  id->channel = channel;
  id->sender = sender;
  found = ts_row(c, &q);
  if (found) {
    id->entity = ts_col_text(c, &q, COL_IDENTITY_GET_ENTITY_ID);
    id->senderLabel = ts_col_text(c, &q, COL_IDENTITY_GET_SENDER_LABEL);
    id->entityLabel = ts_col_text(c, &q, COL_IDENTITY_GET_ENTITY_LABEL);
    id->persona = ts_col_text(c, &q, COL_IDENTITY_GET_PERSONA_ID);
    id->envelope = ts_col_text(c, &q, COL_IDENTITY_GET_ENVELOPE);
  }
  ts_end(c, &q);
  return found;
}

Text ts_alias_read(Cmd *c, Text alias, Text *why) {
  Text held = none;
  Query q = ts_query(c, SQL_ALIAS_GET, "t", &alias);
  *why = none;
  if (ts_row(c, &q)) {
    held = ts_col_text(c, &q, COL_ALIAS_GET_SESSION_LABEL);
    *why = ts_col_text(c, &q, COL_ALIAS_GET_REASON);
  }
  ts_end(c, &q);
  return held;
}

void ts_alias_drop_linked(Cmd *c, Text alias) {
  Text why;
  ts_alias_read(c, alias, &why);
  if (why.z && !ts_text_is(why, "manual")) ts_exec(c, SQL_ALIAS_DROP, "t", &alias);
}

int ts_candidate_load(Cmd *c, Text label, Candidate *candidate) {
  int exists;
  Query q = ts_query(c, SQL_CANDIDATE, "t", &label);
  memset(candidate, 0, sizeof(*candidate));
  candidate->label = label;
  exists = ts_row(c, &q);
  if (exists) {
    candidate->turns = ts_col_int(&q, COL_CANDIDATE_TURNS);
    candidate->createdAt = ts_col_int(&q, COL_CANDIDATE_CREATED_AT);
    candidate->supersededBy = ts_col_text(c, &q, COL_CANDIDATE_SUPERSEDED_BY);
    candidate->persona = ts_col_text(c, &q, COL_CANDIDATE_PERSONA_ID);
  }
  ts_end(c, &q);
  return exists;
}

int ts_text_same(Text a, Text b) {
  return a.z && b.z ? ts_text_equal(a, b) : !a.z && !b.z;
}

/* ---- Keys ------------------------------------------------------------------------------------------ */

/* The envelope of a direct message from an unknown sender. */
static void senderEnvelope(Cmd *c, const Identity *id, Envelope *e) {
  Text fields = id->envelope.z ? id->envelope : TS_TEXT("{}");
  ts_envelope_read(c, fields, e);
  e->entity = none;
  ts_envelope_set(e, TS_TEXT("channel"), id->channel);
  ts_envelope_set(e, TS_TEXT("sender_id"), id->sender);
  if (!ts_envelope_get(e, "peer_id").z) ts_envelope_set(e, TS_TEXT("peer_id"), id->sender);
}

void ts_identity_route(Cmd *c, const Identity *id, int known, Route *r) {
  Envelope e;
  memset(r, 0, sizeof(*r));
  senderEnvelope(c, id, &e);
  if (known) e.entity = id->entity;
  ts_route(c, &e, 0, r);
}

/* Was there an answer? It is not an error when no policy matches; err: the command's earlier error.
** */
static int answered(Cmd *c, char *err) {
  if (c->rc == SQLITE_OK) return 1;
  if (c->rc == SQLITE_ERROR || c->rc == SQLITE_CORRUPT_VTAB) {
    c->rc = SQLITE_OK;
    c->err = err;
  }
  return 0;
}

int ts_identity_try_route(Cmd *c, const Identity *id, int known, Route *r) {
  char *err = c->err;
  if (c->rc != SQLITE_OK) return 0;
  ts_identity_route(c, id, known, r);
  return answered(c, err);
}

Text ts_identity_own_key(Cmd *c, const Envelope *e) {
  Envelope unknown = *e;
  char *err = c->err;
  Route r;
  if (c->rc != SQLITE_OK) return none;
  memset(&r, 0, sizeof(r));
  unknown.entity = none;
  ts_route(c, &unknown, 0, &r);
  return answered(c, err) ? r.key : none;
}

void ts_identity_set_keys(Identity *id, const Route *own, const Route *theirs) {
  id->senderLabel = own->choice.namesSender ? own->key : none;
  id->entityLabel = theirs->choice.namesEntity ? theirs->key : none;
  id->persona = theirs->choice.persona;
}

/* The sender keeps the session that it had before the link, whatever keys the policies make now. An
** alias for a key that is no longer made is deleted. */
static void keepOwn(Cmd *c, const Identity *before, Identity *now) {
  Text label = before->senderLabel;
  Candidate own;
  if (!label.z || ts_text_same(label, now->senderLabel)) return;
  if (!ts_candidate_load(c, label, &own)) {
    ts_alias_drop_linked(c, label);
  } else if (ts_personas_agree(own.persona, now->persona)) {
    now->senderLabel = label;
  }
}

Member *ts_entity_members(Cmd *c, Text entity) {
  Member *list = NULL, **tail = &list;
  Query q = ts_query(c, SQL_IDENTITY_MEMBERS, "t", &entity);
  while (ts_row(c, &q)) {
    Member *member = ts_alloc(c, sizeof(*member));
    if (!member) break;
    member->id.channel = ts_col_text(c, &q, COL_IDENTITY_MEMBERS_CHANNEL);
    member->id.sender = ts_col_text(c, &q, COL_IDENTITY_MEMBERS_SENDER_ID);
    member->id.entity = entity;
    member->id.senderLabel = ts_col_text(c, &q, COL_IDENTITY_MEMBERS_SENDER_LABEL);
    member->id.entityLabel = ts_col_text(c, &q, COL_IDENTITY_MEMBERS_ENTITY_LABEL);
    member->id.persona = ts_col_text(c, &q, COL_IDENTITY_MEMBERS_PERSONA_ID);
    member->id.envelope = ts_col_text(c, &q, COL_IDENTITY_MEMBERS_ENVELOPE);
    *tail = member;
    tail = &member->next;
  }
  ts_end(c, &q);
  return list;
}

int ts_entity_refresh_keys(Cmd *c, Text entity) {
  int changed = 0;
  for (Member *member = ts_entity_members(c, entity); member && c->rc == SQLITE_OK;
       member = member->next) {
    const Identity *before = &member->id;
    Identity now = *before;
    Route own, theirs;
    if (!ts_identity_try_route(c, before, 0, &own) || !ts_identity_try_route(c, before, 1, &theirs))
      continue;
    ts_identity_set_keys(&now, &own, &theirs);
    keepOwn(c, before, &now);
    if (ts_text_same(now.senderLabel, before->senderLabel) &&
        ts_text_same(now.entityLabel, before->entityLabel) &&
        ts_text_same(now.persona, before->persona)) {
      continue;
    }
    if (before->entityLabel.z && !ts_text_same(now.entityLabel, before->entityLabel)) {
      ts_exec(c, SQL_IDENTITY_KEY_ADD, "tt", &entity, &before->entityLabel);
    }
    ts_exec(c, SQL_IDENTITY_KEYS, "ttttt", &now.channel, &now.sender, &now.senderLabel,
            &now.entityLabel, &now.persona);
    changed = 1;
  }
  return changed;
}

Text ts_identity_key_now(Cmd *c, Identity *id, Text otherwise) {
  Route r;
  if (!ts_identity_try_route(c, id, 1, &r)) return otherwise;
  id->persona = r.choice.persona;
  return r.key;
}
