/*
** merge.c - who a sender is, and what that means for sessions.
**
**   SELECT identity_link('whatsapp', '+15550001111', 'rosa');
**   -- {"action":"promoted","entity":"rosa","key":"dm:rosa","session":"dm:whatsapp:+15550001111",…}
**   SELECT identity_link('mail', 'rosa@example.org', 'rosa');
**   -- {"action":"merged",…,"merged":[{"session":"dm:mail:rosa@example.org",…}]}
**
** While nobody knows who a sender is, the policies give a key of their own to each (the sender's
** key). Once linked, the sender's messages get the entity's key. A link therefore settles to which
** session the entity's key leads:
**
**   promotion   One session there is: the entity's key becomes an alias of it. The conversation goes
**               on, under the label that it has.
**   merge       There are several: the one with more turns is the primary (of equal ones the older
**               one, then by label). The others are superseded: kept and readable, and all that
**               would go to them goes to the primary. Trees are never merged.
**
** Everything is settled from the rows of identities, so that an unlink is the same once more, with one
** row less. The keys in them are brought up to date first: policies change, and a key goes to another
** persona.
*/
#include "identity.h"

#include "choice.h"
#include "config.h"
#include "json.h"
#include "merge.h"
#include "queue.h"
#include "route.h"
#include "session.h"
#include "task.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MAX_ROUNDS 4 /* of settling an entity's keys */

static const Text none = {NULL, 0};

int ts_identity_read_identity(Cmd *c, Text channel, Text sender, Identity *id) {
  int found;
  Query q = ts_query(c, SQL_IDENTITY_GET, "tt", &channel, &sender);
  memset(id, 0, sizeof(*id));
  id->channel = channel;
  id->sender = sender;
  found = ts_row(c, &q);
  if (found) {
    id->entity = ts_col_text(c, &q, 0);
    id->senderLabel = ts_col_text(c, &q, 1);
    id->entityLabel = ts_col_text(c, &q, 2);
    id->persona = ts_col_text(c, &q, 3);
    id->envelope = ts_col_text(c, &q, 4);
  }
  ts_end(c, &q);
  return found;
}

/* To which session an alias leads, and why; {NULL,0}: there is none. */
static Text readAlias(Cmd *c, Text alias, Text *why) {
  Text held = none;
  Query q = ts_query(c, SQL_ALIAS_GET, "t", &alias);
  *why = none;
  if (ts_row(c, &q)) {
    held = ts_col_text(c, &q, 0);
    *why = ts_col_text(c, &q, 1);
  }
  ts_end(c, &q);
  return held;
}

void ts_identity_drop_alias(Cmd *c, Text alias) {
  Text why;
  readAlias(c, alias, &why);
  if (why.z && !ts_text_is(why, "manual")) ts_exec(c, SQL_ALIAS_DROP, "t", &alias);
}

int ts_identity_read_candidate(Cmd *c, Text label, Candidate *candidate) {
  int exists;
  Query q = ts_query(c, SQL_CANDIDATE, "t", &label);
  memset(candidate, 0, sizeof(*candidate));
  candidate->label = label;
  exists = ts_row(c, &q);
  if (exists) {
    candidate->turns = ts_col_int(&q, 0);
    candidate->createdAt = ts_col_int(&q, 1);
    candidate->supersededBy = ts_col_text(c, &q, 2);
    candidate->persona = ts_col_text(c, &q, 3);
  }
  ts_end(c, &q);
  return exists;
}

/* ---- Keys ------------------------------------------------------------------------------------------ */

/* The envelope of a direct message, its sender unknown. */
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

/* Was there an answer? That policies have none is no error; err: what the command said before. */
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

int ts_identity_same_text(Text a, Text b) {
  return a.z && b.z ? ts_text_equal(a, b) : !a.z && !b.z;
}

/* The session that was a sender's before the link remains so, whatever keys the policies make now. An
** alias of a key that is no longer made goes. */
static void keepOwn(Cmd *c, const Identity *before, Identity *now) {
  Text label = before->senderLabel;
  Candidate own;
  if (!label.z || ts_identity_same_text(label, now->senderLabel)) return;
  if (!ts_identity_read_candidate(c, label, &own)) {
    ts_identity_drop_alias(c, label);
  } else if (ts_personas_agree(own.persona, now->persona)) {
    now->senderLabel = label;
  }
}

Member *ts_identity_find_members(Cmd *c, Text entity) {
  Member *list = NULL, **tail = &list;
  Query q = ts_query(c, SQL_IDENTITY_MEMBERS, "t", &entity);
  while (ts_row(c, &q)) {
    Member *member = ts_alloc(c, sizeof(*member));
    if (!member) break;
    member->id.channel = ts_col_text(c, &q, 0);
    member->id.sender = ts_col_text(c, &q, 1);
    member->id.entity = entity;
    member->id.senderLabel = ts_col_text(c, &q, 2);
    member->id.entityLabel = ts_col_text(c, &q, 3);
    member->id.persona = ts_col_text(c, &q, 4);
    member->id.envelope = ts_col_text(c, &q, 5);
    *tail = member;
    tail = &member->next;
  }
  ts_end(c, &q);
  return list;
}

int ts_identity_refresh(Cmd *c, Text entity) {
  int changed = 0;
  for (Member *member = ts_identity_find_members(c, entity); member && c->rc == SQLITE_OK;
       member = member->next) {
    const Identity *before = &member->id;
    Identity now = *before;
    Route own, theirs;
    if (!ts_identity_try_route(c, before, 0, &own) || !ts_identity_try_route(c, before, 1, &theirs))
      continue;
    ts_identity_set_keys(&now, &own, &theirs);
    keepOwn(c, before, &now);
    if (ts_identity_same_text(now.senderLabel, before->senderLabel) &&
        ts_identity_same_text(now.entityLabel, before->entityLabel) &&
        ts_identity_same_text(now.persona, before->persona)) {
      continue;
    }
    if (before->entityLabel.z && !ts_identity_same_text(now.entityLabel, before->entityLabel)) {
      ts_exec(c, SQL_IDENTITY_KEY_ADD, "tt", &entity, &before->entityLabel);
    }
    ts_exec(c, SQL_IDENTITY_KEYS, "ttttt", &now.channel, &now.sender, &now.senderLabel,
            &now.entityLabel, &now.persona);
    changed = 1;
  }
  return changed;
}

/* ---- Candidates ------------------------------------------------------------------------------------- */

static void addCandidate(Cmd *c, Candidate **list, Text label, Text persona) {
  Candidate found, *candidate;
  for (candidate = *list; candidate; candidate = candidate->next) {
    if (ts_text_equal(candidate->label, label)) return;
  }
  if (!ts_identity_read_candidate(c, label, &found) || !ts_personas_agree(found.persona, persona))
    return;
  candidate = ts_alloc(c, sizeof(*candidate));
  if (!candidate) return;
  *candidate = found;
  candidate->next = *list;
  *list = candidate;
}

/* Is a the one that goes on? */
static int comesFirst(const Candidate *a, const Candidate *b) {
  int n, order;
  if (a->turns != b->turns) return a->turns > b->turns;
  if (a->createdAt != b->createdAt) return a->createdAt < b->createdAt;
  n = a->label.n < b->label.n ? a->label.n : b->label.n;
  order = memcmp(a->label.z, b->label.z, (size_t)n);
  return order ? order < 0 : a->label.n < b->label.n;
}

/* The sessions that have the entity's key or one of its senders' keys, and the one to which the
** entity's key leads. *senders: those keys. */
static Candidate *findCandidates(Cmd *c, Text entity, Text key, Text persona, Candidate **senders) {
  Candidate *list = NULL;
  Text held, why;
  Query q = ts_query(c, SQL_IDENTITY_SENDERS, "tt", &entity, &key);
  *senders = NULL;
  while (ts_row(c, &q)) {
    Text label = ts_col_text(c, &q, 0), voice = ts_col_text(c, &q, 1);
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
  held = readAlias(c, key, &why);
  for (Candidate *sender = *senders; sender && c->rc == SQLITE_OK; sender = sender->next)
    addCandidate(c, &list, sender->label, sender->persona);
  addCandidate(c, &list, key, persona);
  if (held.z) addCandidate(c, &list, held, persona);
  return list;
}

/* ---- Merging ---------------------------------------------------------------------------------------- */

static void noteStatus(Cmd *c, const Session *s, const char *trigger, const char *key, Text other) {
  const char *status = ts_status_machine.states[s->status];
  ts_event(c, s, "status", status, status, trigger, ts_json_pair(c, key, other));
}

void ts_identity_note_link(Cmd *c, Text label, const char *trigger, const Identity *id) {
  Session s;
  const char *status;
  Json j;
  if (!label.z || c->rc != SQLITE_OK) return;
  ts_session_load_exact(c, label, &s);
  if (!s.exists) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "channel", id->channel);
  ts_json_put(&j, "sender", id->sender);
  ts_json_put(&j, "entity", id->entity);
  ts_json_close(&j, '}');
  status = ts_status_machine.states[s.status];
  ts_event(c, &s, "status", status, status, trigger, ts_json_finish(&j));
}

/* What the primary is told of a session that was merged into it. */
static Text mergeNote(Cmd *c, const Session *s, const Session *primary, sqlite3_int64 turns) {
  Text question = ts_task_field(c, s, "$.question");
  sqlite3_str *out = sqlite3_str_new(c->db);
  char number[24];
  Text head;
  sqlite3_snprintf(sizeof(number), number, "%lld", turns);
  head = ts_fill(c, primary->label, "note.merged", "session", s->label, "turns",
                 (Text){number, (int)strlen(number)});
  ts_append(out, head);
  if (s->task.id) {
    Text task =
        ts_fill(c, primary->label, "note.merged_task", "task", s->task.description, NULL, none);
    sqlite3_str_appendf(out, "; %.*s", task.n, task.z ? task.z : "");
  }
  if (question.z) {
    Text asked =
        ts_fill(c, primary->label, "note.merged_question", "question", question, NULL, none);
    sqlite3_str_appendf(out, "; %.*s", asked.n, asked.z ? asked.z : "");
  }
  return ts_finish(c, out);
}

/* One session is superseded by another. Its open task is committed, an open choice released, what waits
** goes to the primary. A live run goes on to its end. */
static void merge(Cmd *c, const Candidate *loser, Text primaryLabel, Settled *settled) {
  Session s, primary;
  sqlite3_int64 waiting, steering;
  Text task, commit = none, note;
  ts_session_load_exact(c, loser->label, &s);
  ts_session_load_exact(c, primaryLabel, &primary);
  if (c->rc != SQLITE_OK) return;
  ts_task_settle(c, &s);
  note = mergeNote(c, &s, &primary, loser->turns);
  task = s.task.description;
  ts_choice_release(c, &s, "merge");
  waiting = ts_queue_count(c, &s, &steering);
  ts_exec(c, SQL_QUEUE_MOVE, "tt", &s.label, &primary.label);
  ts_exec(c, SQL_QUEUE_MOVE_FAILURES, "tt", &s.label, &primary.label);
  if (s.task.id) {
    commit =
        ts_task_close(c, &s, COMMIT_INTERRUPTED_BY_NEW_TASK,
                      ts_fill(c, s.label, "commit.merged", "task", task, "session", primary.label),
                      primary.label);
  }
  ts_session_save(c, &s);
  ts_exec(c, SQL_ALIAS_KEEP_HOMES, "t", &s.label);
  ts_exec(c, SQL_ALIAS_REPOINT, "tt", &s.label, &primary.label);
  ts_exec(c, SQL_SUPERSEDE_REPOINT, "tt", &s.label, &primary.label);
  ts_exec(c, SQL_SUPERSEDE, "tti", &s.label, &primary.label, c->now);
  ts_exec(c, SQL_ALIAS_ADD, "ttsi", &s.label, &primary.label, "identity_merge", c->now);
  noteStatus(c, &s, "merge", "superseded_by", primary.label);
  if (note.z) ts_note_text(c, &primary, "merged", note.z);
  noteStatus(c, &primary, "merge", "supersedes", s.label);
  settled->nMerged++;
  ts_json_open(&settled->merged, '{');
  ts_json_put(&settled->merged, "session", s.label);
  ts_json_put_int(&settled->merged, "turns", loser->turns);
  ts_json_put_int(&settled->merged, "waiting_moved", waiting);
  ts_json_put(&settled->merged, "task", task);
  ts_json_put(&settled->merged, "commit_id", commit);
  ts_queue_put(&settled->merged, "cancelled", s.calledOff, 0);
  ts_json_close(&settled->merged, '}');
}

void ts_identity_part_inputs(Cmd *c, Text label, Text by, Text entity) {
  ts_exec(c, SQL_QUEUE_RETURN_TAKEN, "ttt", &label, &by, &entity);
  ts_exec(c, SQL_QUEUE_RETURN_CANCELLED, "ttt", &label, &by, &entity);
  ts_exec(c, SQL_QUEUE_PART_TAKEN, "tt", &label, &entity);
  ts_exec(c, SQL_QUEUE_PART_CANCELLED, "tt", &label, &entity);
}

/* What an open choice holds for a session that is parted from this one waits, to go home; with it what else it
** holds, whose order is kept. */
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

void ts_identity_release(Cmd *c, Text label, Text by, Text entity) {
  Session s;
  releaseHeldFor(c, label, by, entity);
  ts_identity_part_inputs(c, label, by, entity);
  ts_exec(c, SQL_ALIAS_DROP, "t", &label);
  ts_exec(c, SQL_SUPERSEDE, "tti", &label, &none, c->now);
  ts_exec(c, SQL_ALIAS_GO_HOME, "tt", &label, &by);
  ts_exec(c, SQL_ALIAS_DROP_HOMES, "t", &label);
  ts_exec(c, SQL_QUEUE_RETURN, "ttt", &label, &by, &entity);
  ts_exec(c, SQL_QUEUE_RETURN_FAILURES, "ttt", &label, &by, &entity);
  ts_session_load_exact(c, label, &s);
  if (c->rc == SQLITE_OK) noteStatus(c, &s, "unmerge", "was_superseded_by", by);
}

/* ---- Settling --------------------------------------------------------------------------------------- */

/* Makes a key lead to a session, unless it does, or is a session's own label. */
static void leadTo(Cmd *c, Text key, Text session, const char *reason, Settled *settled) {
  Text held, why;
  Candidate own;
  if (ts_text_equal(key, session) || ts_identity_read_candidate(c, key, &own)) return;
  held = readAlias(c, key, &why);
  if (!held.z) {
    ts_exec(c, SQL_ALIAS_ADD, "ttsi", &key, &session, reason, c->now);
    ts_config_follow(c, key, session);
  } else if (!ts_text_equal(held, session) && !ts_text_is(why, "manual")) {
    ts_exec(c, SQL_ALIAS_POINT, "ttsi", &key, &session, reason, c->now);
  } else {
    return;
  }
  settled->promoted = 1;
}

static int leadsElsewhere(Cmd *c, Text key) {
  Text why;
  readAlias(c, key, &why);
  return ts_text_is(why, "manual");
}

static int isShared(Cmd *c, Text key, Text entity) {
  Query q = ts_query(c, SQL_IDENTITY_SHARED, "tt", &key, &entity);
  int shared = ts_row(c, &q);
  ts_end(c, &q);
  return shared;
}

void ts_identity_settle(Cmd *c, Text entity, Text key, Text persona, int mayMerge,
                        Settled *settled) {
  Candidate *list, *senders, *primary = NULL;
  int merged = settled->nMerged, live = 0;
  if (!key.z || c->rc != SQLITE_OK) return;
  if (isShared(c, key, entity) || leadsElsewhere(c, key)) return;
  list = findCandidates(c, entity, key, persona, &senders);
  /* What was settled before stays so: a superseded session does not come first again. */
  for (Candidate *candidate = list; candidate; candidate = candidate->next)
    live |= !candidate->supersededBy.z;
  for (Candidate *candidate = list; candidate; candidate = candidate->next) {
    if (live && candidate->supersededBy.z) continue;
    if (!primary || comesFirst(candidate, primary)) primary = candidate;
  }
  if (!primary || c->rc != SQLITE_OK || (list->next && !mayMerge)) return;
  if (primary->supersededBy.z)
    ts_identity_release(c, primary->label, primary->supersededBy, entity);
  /* First those that take messages, then those that were merged: into one of the others, perhaps. */
  for (int superseded = 0; superseded < 2; superseded++) {
    for (Candidate *candidate = list, now; candidate; candidate = candidate->next) {
      if (candidate == primary || (candidate->supersededBy.z != NULL) != superseded) continue;
      if (ts_text_equal(candidate->supersededBy, primary->label)) continue;
      if (!ts_personas_agree(candidate->persona, primary->persona)) continue;
      if (superseded && ts_identity_read_candidate(c, candidate->label, &now)) {
        ts_identity_release(c, now.label, now.supersededBy, entity);
      }
      merge(c, candidate, primary->label, settled);
    }
  }
  leadTo(c, key, primary->label,
         settled->nMerged > merged ? "identity_merge" : "identity_promotion", settled);
  for (Candidate *sender = senders; sender; sender = sender->next) {
    if (!ts_personas_agree(sender->persona, primary->persona)) continue;
    leadTo(c, sender->label, primary->label, "identity_promotion", settled);
  }
  settled->session = primary->label;
}

Candidate *ts_identity_read_labels(Cmd *c, Query q) {
  Candidate *list = NULL, **tail = &list;
  while (ts_row(c, &q)) {
    Candidate *candidate = ts_alloc(c, sizeof(*candidate));
    if (!candidate) break;
    candidate->label = ts_col_text(c, &q, 0);
    *tail = candidate;
    tail = &candidate->next;
  }
  ts_end(c, &q);
  return list;
}

void ts_identity_settle_all(Cmd *c, Text entity, Settled *settled) {
  for (int round = 0; round < MAX_ROUNDS && c->rc == SQLITE_OK; round++) {
    const Candidate *key =
        ts_identity_read_labels(c, ts_query(c, SQL_IDENTITY_KEYS_OF, "t", &entity));
    for (; key && c->rc == SQLITE_OK; key = key->next)
      ts_identity_settle(c, entity, key->label, none, 1, settled);
    if (!ts_identity_refresh(c, entity)) return;
  }
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

/* The entity one of whose keys a label is; *id has the key and its persona. */
static int findOwner(Cmd *c, Text label, Identity *id) {
  int found;
  Query q = ts_query(c, SQL_IDENTITY_OF_LABEL, "t", &label);
  memset(id, 0, sizeof(*id));
  found = ts_row(c, &q);
  if (found) {
    id->entity = ts_col_text(c, &q, 0);
    id->entityLabel = ts_col_text(c, &q, 1);
    id->persona = ts_col_text(c, &q, 2);
  }
  ts_end(c, &q);
  return found;
}

int ts_identity_find_owner_of(Cmd *c, Text label, Identity *id) {
  Text key = withoutPersona(label);
  if (findOwner(c, label, id)) return 1;
  return key.n < label.n && findOwner(c, key, id);
}

/* Settles the entity one of whose keys a label is. */
static void settleLabel(Cmd *c, Text label, int mayMerge) {
  Identity id;
  Settled settled;
  if (!ts_identity_find_owner_of(c, label, &id)) return;
  ts_identity_refresh(c, id.entity);
  if (!ts_identity_find_owner_of(c, label, &id)) return;
  memset(&settled, 0, sizeof(settled));
  ts_json_begin(&settled.merged, c);
  if (mayMerge) {
    ts_identity_settle_all(c, id.entity, &settled);
  } else {
    ts_identity_settle(c, id.entity, id.entityLabel, id.persona, 0, &settled);
  }
  ts_json_finish(&settled.merged);
}

void ts_identity_created(Cmd *c, Text label) {
  settleLabel(c, label, 0);
}

void ts_identity_deleted(Cmd *c, Text label) {
  settleLabel(c, label, 1);
}
