/*
** link.c - identity_link(): links a sender to an entity, and makes one session of their sessions.
*/
#include "merge.h"

#include "json.h"
#include "route.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Keys ------------------------------------------------------------------------------------------ */

static void findKeys(Cmd *c, Identity *id) {
  Route own, theirs;
  ts_identity_route(c, id, 0, &own);
  ts_identity_route(c, id, 1, &theirs);
  ts_identity_set_keys(id, &own, &theirs);
}

/* ---- identity_link(channel, sender, entity) ---------------------------------------------------------- */

enum { LINK_CHANNEL, LINK_SENDER, LINK_ENTITY, LINK_FORCE, LINK_ENVELOPE };

static const ArgSpec linkArgs[] = {{"channel", ARG_NAME, 1},
                                   {"sender", ARG_ID, 1},
                                   {"entity", ARG_ID, 1},
                                   {"force", ARG_BOOL, 0},
                                   {"envelope", ARG_OBJECT, 0}};

/* The envelope belongs to the sender; its channel and sender must not be somebody else's. */
static void checkEnvelope(Cmd *c, const Identity *id) {
  const char *const names[] = {"channel", "sender_id"};
  const Text wanted[] = {id->channel, id->sender};
  Envelope e;
  ts_envelope_read(c, c->arg[LINK_ENVELOPE].text, &e);
  for (int i = 0; i < 2; i++) {
    Text is = ts_envelope_get(&e, names[i]);
    if (is.z && !ts_text_equal(is, wanted[i])) {
      ts_fail(c, SQLITE_ERROR, "envelope: %s is '%.*s', but the link is that of '%.*s'", names[i],
              is.n, is.z, wanted[i].n, wanted[i].z);
    }
  }
}

/* A session made without a persona gets the persona of the policy that applies to its linked
** sender. Returns whether it did. */
static int adopt(Cmd *c, const Identity *id) {
  Candidate own;
  Route r;
  if (!id->persona.z || !id->senderLabel.z) return 0;
  /* After an unlink the sender must still find it. */
  if (!ts_identity_try_route(c, id, 0, &r) || !ts_personas_agree(r.choice.persona, id->persona))
    return 0;
  if (!ts_candidate_load(c, id->senderLabel, &own) || own.persona.z || own.supersededBy.z) return 0;
  ts_exec(c, SQL_SESSION_ADOPT, "tti", &own.label, &id->persona, c->now);
  return 1;
}

static void runLink(Cmd *c) {
  Identity id, old;
  Settled settled, before;
  int known, isNew, changed;
  Json j;
  Text merged;
  memset(&id, 0, sizeof(id));
  memset(&settled, 0, sizeof(settled));
  memset(&before, 0, sizeof(before));
  id.channel = c->arg[LINK_CHANNEL].text;
  id.sender = c->arg[LINK_SENDER].text;
  id.entity = c->arg[LINK_ENTITY].text;
  if (c->arg[LINK_ENVELOPE].given) checkEnvelope(c, &id);
  known = ts_identity_find(c, id.channel, id.sender, &old);
  if (known && !ts_text_equal(old.entity, id.entity) && !c->arg[LINK_FORCE].i) {
    ts_fail(
        c, SQLITE_CONSTRAINT,
        "sender '%.*s' of channel '%.*s' is linked to '%.*s'; identity_unlink takes that back, and "
        "the option force does it here",
        id.sender.n, id.sender.z, id.channel.n, id.channel.z, old.entity.n, old.entity.z);
    return;
  }
  isNew = !known || !ts_text_equal(old.entity, id.entity);
  ts_json_begin(&before.merged, c);
  ts_json_begin(&settled.merged, c);
  ts_json_open(&settled.merged, '[');
  if (known && isNew) ts_identity_unlink_sender(c, &old, &before);
  id.envelope = c->arg[LINK_ENVELOPE].given ? c->arg[LINK_ENVELOPE].text : old.envelope;
  if (!isNew) {
    ts_exec(c, SQL_IDENTITY_ENVELOPE, "ttt", &id.channel, &id.sender, &id.envelope);
  }
  ts_entity_refresh_keys(c, id.entity);
  findKeys(c, &id);
  if (isNew) {
    if (adopt(c, &id)) findKeys(c, &id);
    ts_exec(c, SQL_IDENTITY_ADD, "ttttttit", &id.channel, &id.sender, &id.entity, &id.senderLabel,
            &id.entityLabel, &id.persona, c->now, &id.envelope);
  }
  ts_entity_settle(c, id.entity, &settled);
  ts_identity_find(c, id.channel, id.sender, &id);
  changed = !isNew && (!ts_text_same(id.senderLabel, old.senderLabel) ||
                       !ts_text_same(id.entityLabel, old.entityLabel) ||
                       !ts_text_same(id.persona, old.persona));
  settled.session = id.entityLabel.z ? ts_label_find(c, id.entityLabel, NULL) : none;
  if (isNew || changed) ts_session_note_link(c, settled.session, "link", &id);
  ts_json_close(&settled.merged, ']');
  merged = ts_json_finish(&settled.merged);
  ts_json_finish(&before.merged);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "action",
                     settled.nMerged    ? "merged"
                     : settled.promoted ? "promoted"
                     : isNew            ? "linked"
                     : changed          ? "updated"
                                        : "unchanged");
  ts_json_put(&j, "entity", id.entity);
  ts_json_put(&j, "key", id.entityLabel);
  ts_json_put(&j, "session", settled.session);
  ts_json_put_raw(&j, "merged", merged);
  if (known && isNew) ts_json_put(&j, "was", old.entity);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_identity_link = {"identity_link", runLink, 0, TS_ARGS(3, linkArgs), NULL};
