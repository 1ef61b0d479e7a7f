/*
** settle.c - decides which session the keys of an entity lead to.
**
** Among the sessions that have one of the keys, the one with the most turns is the primary (if
** equal, the older one, then by label). The keys become its aliases. Only a link merges sessions
** (merge.c). A new session gets the aliases if no other session has them.
*/
#include "settle.h"

#include "choice.h"
#include "config.h"
#include "json.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Candidates ------------------------------------------------------------------------------------- */

static void addCandidate(Cmd *c, Candidate **list, Text label, Text persona) {
  Candidate found, *candidate;
  for (candidate = *list; candidate; candidate = candidate->next) {
    if (ts_text_equal(candidate->label, label)) return;
  }
  if (!ts_candidate_load(c, label, &found) || !ts_personas_agree(found.persona, persona)) return;
  candidate = ts_alloc(c, sizeof(*candidate));
  if (!candidate) return;
  *candidate = found;
  candidate->next = *list;
  *list = candidate;
}

/* Does a come before b as the primary? */
static int comesFirst(const Candidate *a, const Candidate *b) {
  int n, order;
  if (a->turns != b->turns) return a->turns > b->turns;
  if (a->createdAt != b->createdAt) return a->createdAt < b->createdAt;
  n = a->label.n < b->label.n ? a->label.n : b->label.n;
  order = memcmp(a->label.z, b->label.z, (size_t)n);
  return order ? order < 0 : a->label.n < b->label.n;
}

/* The sessions that have the entity's key or one of its senders' keys, and the session that the
** entity's key leads to. *senders: the senders' keys. */
static Candidate *findCandidates(Cmd *c, Text entity, Text key, Text persona, Candidate **senders) {
  Candidate *list = NULL;
  Text held, why;
  Query q = ts_query(c, SQL_IDENTITY_SENDERS, "tt", &entity, &key);
  *senders = NULL;
  while (ts_row(c, &q)) {
    Text label = ts_col_text(c, &q, COL_IDENTITY_SENDERS_SENDER_LABEL),
         voice = ts_col_text(c, &q, COL_IDENTITY_SENDERS_PERSONA_ID);
    Candidate *sender;
    if (!ts_personas_agree(voice, persona)) continue;
    sender = ts_alloc(c, sizeof(*sender));
    if (!sender) break;
    sender->label = label;
    sender->persona = voice;
    sender->next = *senders;
    *senders = sender;
  }
  ts_end(c, &q);
  held = ts_alias_read(c, key, &why);
  for (Candidate *sender = *senders; sender && c->rc == SQLITE_OK; sender = sender->next)
    addCandidate(c, &list, sender->label, sender->persona);
  addCandidate(c, &list, key, persona);
  if (held.z) addCandidate(c, &list, held, persona);
  return list;
}

static int leadsElsewhere(Cmd *c, Text key) {
  Text why;
  ts_alias_read(c, key, &why);
  return ts_text_is(why, "manual");
}

static int isShared(Cmd *c, Text key, Text entity) {
  Query q = ts_query(c, SQL_IDENTITY_SHARED, "tt", &key, &entity);
  int shared = ts_row(c, &q);
  ts_end(c, &q);
  return shared;
}

int ts_claims_find(Cmd *c, Text entity, Text key, Text persona, Claims *claims) {
  int live = 0;
  memset(claims, 0, sizeof(*claims));
  if (!key.z || c->rc != SQLITE_OK) return 0;
  if (isShared(c, key, entity) || leadsElsewhere(c, key)) return 0;
  claims->list = findCandidates(c, entity, key, persona, &claims->senders);
  /* A superseded session does not become the primary again. */
  for (Candidate *candidate = claims->list; candidate; candidate = candidate->next)
    live |= !candidate->supersededBy.z;
  for (Candidate *candidate = claims->list; candidate; candidate = candidate->next) {
    if (live && candidate->supersededBy.z) continue;
    if (!claims->primary || comesFirst(candidate, claims->primary)) claims->primary = candidate;
  }
  return claims->primary && c->rc == SQLITE_OK;
}

/* ---- A session stands by itself again --------------------------------------------------------------- */

void ts_note_merge(Cmd *c, const Session *s, const char *trigger, const char *key, Text other) {
  const char *status = ts_status_machine.states[s->status];
  ts_event(c, s, "status", status, status, trigger, ts_json_pair(c, key, other));
}

void ts_unmerge_inputs(Cmd *c, Text label, Text by, Text entity) {
  ts_exec(c, SQL_QUEUE_RETURN_TAKEN, "ttt", &label, &by, &entity);
  ts_exec(c, SQL_QUEUE_RETURN_CANCELLED, "ttt", &label, &by, &entity);
  ts_exec(c, SQL_QUEUE_PART_TAKEN, "tt", &label, &entity);
  ts_exec(c, SQL_QUEUE_PART_CANCELLED, "tt", &label, &entity);
}

/* Messages that an open choice holds for a session that is now parted become waiting inputs, so
** that they can go there. So does everything else that the choice holds, to keep the order. */
static void releaseHeldFor(Cmd *c, Text label, Text by, Text entity) {
  Session s;
  Query q = ts_query(c, SQL_CHOICE_HOLDS_FOR, "ttt", &by, &label, &entity);
  int holds = ts_row(c, &q);
  ts_end(c, &q);
  if (!holds) return;
  ts_session_load_exact(c, by, &s);
  ts_choice_release(c, &s, "unmerge");
  ts_session_save(c, &s);
}

void ts_unmerge(Cmd *c, Text label, Text by, Text entity) {
  Session s;
  releaseHeldFor(c, label, by, entity);
  ts_unmerge_inputs(c, label, by, entity);
  ts_exec(c, SQL_ALIAS_DROP, "t", &label);
  ts_exec(c, SQL_SUPERSEDE, "tti", &label, &none, c->now);
  ts_exec(c, SQL_ALIAS_GO_HOME, "tt", &label, &by);
  ts_exec(c, SQL_ALIAS_DROP_HOMES, "t", &label);
  ts_exec(c, SQL_QUEUE_RETURN, "ttt", &label, &by, &entity);
  ts_exec(c, SQL_QUEUE_RETURN_FAILURES, "ttt", &label, &by, &entity);
  ts_session_load_exact(c, label, &s);
  if (c->rc == SQLITE_OK) ts_note_merge(c, &s, "unmerge", "was_superseded_by", by);
}

/* ---- Keys lead to the one that comes first ---------------------------------------------------------- */

/* Makes a key lead to a session, unless it already does or is a session's own label. */
static void leadTo(Cmd *c, Text key, Text session, const char *reason, int *promoted) {
  Text held, why;
  Candidate own;
  if (ts_text_equal(key, session) || ts_candidate_load(c, key, &own)) return;
  held = ts_alias_read(c, key, &why);
  if (!held.z) {
    ts_exec(c, SQL_ALIAS_ADD, "ttsi", &key, &session, reason, c->now);
    ts_config_follow(c, key, session);
  } else if (!ts_text_equal(held, session) && !ts_text_is(why, "manual")) {
    ts_exec(c, SQL_ALIAS_POINT, "ttsi", &key, &session, reason, c->now);
  } else {
    return;
  }
  *promoted = 1;
}

int ts_claims_lead(Cmd *c, const Claims *claims, Text key, const char *reason) {
  const Candidate *primary = claims->primary;
  int promoted = 0;
  leadTo(c, key, primary->label, reason, &promoted);
  for (const Candidate *sender = claims->senders; sender; sender = sender->next) {
    if (!ts_personas_agree(sender->persona, primary->persona)) continue;
    leadTo(c, sender->label, primary->label, "identity_promotion", &promoted);
  }
  return promoted;
}

/* A key without the persona behind it; the label itself when there is none. */
static Text withoutPersona(Text label) {
  static const char word[] = ":persona:";
  const int n = (int)sizeof(word) - 1;
  for (int i = label.n - n; i > 0; i--) {
    if (memcmp(label.z + i, word, (size_t)n) == 0) return (Text){label.z, i};
  }
  return label;
}

/* The entity that has this label as one of its keys; *id has the key and its persona. */
static int findOwner(Cmd *c, Text label, Identity *id) {
  int found;
  Query q = ts_query(c, SQL_IDENTITY_OF_LABEL, "t", &label);
  memset(id, 0, sizeof(*id));
  found = ts_row(c, &q);
  if (found) {
    id->entity = ts_col_text(c, &q, COL_IDENTITY_OF_LABEL_ENTITY_ID);
    id->entityLabel = ts_col_text(c, &q, COL_IDENTITY_OF_LABEL_ENTITY_LABEL);
    id->persona = ts_col_text(c, &q, COL_IDENTITY_OF_LABEL_PERSONA_ID);
  }
  ts_end(c, &q);
  return found;
}

int ts_entity_of_label(Cmd *c, Text label, Identity *id) {
  Text key = withoutPersona(label);
  if (findOwner(c, label, id)) return 1;
  return key.n < label.n && findOwner(c, key, id);
}

void ts_keys_settle_new(Cmd *c, Text label) {
  Identity id;
  Claims claims;
  if (!ts_entity_of_label(c, label, &id)) return;
  ts_entity_refresh_keys(c, id.entity);
  if (!ts_entity_of_label(c, label, &id)) return;
  if (!ts_claims_find(c, id.entity, id.entityLabel, id.persona, &claims) || claims.list->next)
    return;
  if (claims.primary->supersededBy.z)
    ts_unmerge(c, claims.primary->label, claims.primary->supersededBy, id.entity);
  ts_claims_lead(c, &claims, id.entityLabel, "identity_promotion");
}

void ts_session_open(Cmd *c, Session *s, Text persona, Source source) {
  ts_session_create(c, s, persona, source);
  ts_keys_settle_new(c, s->label);
}
