/*
** identity.c - who a sender is, and what that means for sessions.
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
#include "lease.h"
#include "queue.h"
#include "route.h"
#include "session.h"
#include "task.h"
#include "text.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MAX_ROUNDS 4 /* of settling an entity's keys */

static const Text none = {NULL, 0};

typedef struct Identity {
  Text channel, sender, entity;
  Text senderLabel; /* NULL: the policies give senders no key of their own */
  Text entityLabel;
  Text persona;
  Text envelope; /* further fields of the sender's envelope, JSON or NULL */
} Identity;

/* A session that could be the entity's. */
typedef struct Candidate {
  struct Candidate *next;
  Text label, supersededBy, persona;
  sqlite3_int64 turns, createdAt;
} Candidate;

/* What has been settled, for the report. */
typedef struct Settled {
  Text session; /* the primary; NULL: there is none yet */
  int promoted; /* an alias was made or led elsewhere */
  Json merged;  /* an array */
  int nMerged;
} Settled;

static int readIdentity(Cmd *c, Text channel, Text sender, Identity *id) {
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

/* An alias goes that a link has made; one that people made stays. */
static void dropAlias(Cmd *c, Text alias) {
  Text why;
  readAlias(c, alias, &why);
  if (why.z && !ts_text_is(why, "manual")) ts_exec(c, SQL_ALIAS_DROP, "t", &alias);
}

/* A session that could be the entity's. Returns 0 when there is none of this label. */
static int readCandidate(Cmd *c, Text label, Candidate *candidate) {
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

/* Where a sender's direct messages go, known as the entity or unknown. */
static void route(Cmd *c, const Identity *id, int known, Route *r) {
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

/* The same for what must not fail because of policies. 0: they have no answer. */
static int tryRoute(Cmd *c, const Identity *id, int known, Route *r) {
  char *err = c->err;
  if (c->rc != SQLITE_OK) return 0;
  route(c, id, known, r);
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

/* The keys that a sender's direct messages have without and with the link. One that does not tell
** people apart is none to settle anything by. */
static void setKeys(Identity *id, const Route *own, const Route *theirs) {
  id->senderLabel = own->choice.namesSender ? own->key : none;
  id->entityLabel = theirs->choice.namesEntity ? theirs->key : none;
  id->persona = theirs->choice.persona;
}

static void findKeys(Cmd *c, Identity *id) {
  Route own, theirs;
  route(c, id, 0, &own);
  route(c, id, 1, &theirs);
  setKeys(id, &own, &theirs);
}

static int sameText(Text a, Text b) {
  return a.z && b.z ? ts_text_equal(a, b) : !a.z && !b.z;
}

/* The session that was a sender's before the link remains so, whatever keys the policies make now. An
** alias of a key that is no longer made goes. */
static void keepOwn(Cmd *c, const Identity *before, Identity *now) {
  Text label = before->senderLabel;
  Candidate own;
  if (!label.z || sameText(label, now->senderLabel)) return;
  if (!readCandidate(c, label, &own)) {
    dropAlias(c, label);
  } else if (ts_personas_agree(own.persona, now->persona)) {
    now->senderLabel = label;
  }
}

typedef struct Member {
  struct Member *next;
  Identity id;
} Member;

static Member *findMembers(Cmd *c, Text entity) {
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

/* Brings the keys of an entity's senders up to date. What the policies have no answer to stays as it
** was. Returns whether there was something to do. */
static int refresh(Cmd *c, Text entity) {
  int changed = 0;
  for (Member *member = findMembers(c, entity); member && c->rc == SQLITE_OK;
       member = member->next) {
    const Identity *before = &member->id;
    Identity now = *before;
    Route own, theirs;
    if (!tryRoute(c, before, 0, &own) || !tryRoute(c, before, 1, &theirs)) continue;
    setKeys(&now, &own, &theirs);
    keepOwn(c, before, &now);
    if (sameText(now.senderLabel, before->senderLabel) &&
        sameText(now.entityLabel, before->entityLabel) && sameText(now.persona, before->persona)) {
      continue;
    }
    if (before->entityLabel.z && !sameText(now.entityLabel, before->entityLabel)) {
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
  if (!readCandidate(c, label, &found) || !ts_personas_agree(found.persona, persona)) return;
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

/* A sender was linked to the entity that the session is of, or is so no more. */
static void noteLink(Cmd *c, Text label, const char *trigger, const Identity *id) {
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

/* What turns have, and what was cancelled, stays where it is. What was for a session that is parted from the
** one that it was merged into goes there should it wait again, and what was for others does not. */
static void partInputs(Cmd *c, Text label, Text by, Text entity) {
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

/* A session takes messages of its own again, and has what was for it and no sender's of the entity. */
static void release(Cmd *c, Text label, Text by, Text entity) {
  Session s;
  releaseHeldFor(c, label, by, entity);
  partInputs(c, label, by, entity);
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
  if (ts_text_equal(key, session) || readCandidate(c, key, &own)) return;
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

/* To which session an entity's key leads. mayMerge 0: one that was just made gets the aliases, no more.
** Keys that two entities share, and aliases that people made, are left alone. */
static void settle(Cmd *c, Text entity, Text key, Text persona, int mayMerge, Settled *settled) {
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
  if (primary->supersededBy.z) release(c, primary->label, primary->supersededBy, entity);
  /* First those that take messages, then those that were merged: into one of the others, perhaps. */
  for (int superseded = 0; superseded < 2; superseded++) {
    for (Candidate *candidate = list, now; candidate; candidate = candidate->next) {
      if (candidate == primary || (candidate->supersededBy.z != NULL) != superseded) continue;
      if (ts_text_equal(candidate->supersededBy, primary->label)) continue;
      if (!ts_personas_agree(candidate->persona, primary->persona)) continue;
      if (superseded && readCandidate(c, candidate->label, &now)) {
        release(c, now.label, now.supersededBy, entity);
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

/* The labels that a statement returns, in its order. */
static Candidate *readLabels(Cmd *c, Query q) {
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

/* Settles all keys of an entity. Of several personas that have one key, the primary's keeps it: the others'
** messages get keys of their own by that, so it is done once more, as long as it changes keys. */
static void settleAll(Cmd *c, Text entity, Settled *settled) {
  for (int round = 0; round < MAX_ROUNDS && c->rc == SQLITE_OK; round++) {
    const Candidate *key = readLabels(c, ts_query(c, SQL_IDENTITY_KEYS_OF, "t", &entity));
    for (; key && c->rc == SQLITE_OK; key = key->next)
      settle(c, entity, key->label, none, 1, settled);
    if (!refresh(c, entity)) return;
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

/* The same, where the key may have got its persona since the row was written. */
static int findOwnerOf(Cmd *c, Text label, Identity *id) {
  Text key = withoutPersona(label);
  if (findOwner(c, label, id)) return 1;
  return key.n < label.n && findOwner(c, key, id);
}

/* Settles the entity one of whose keys a label is. */
static void settleLabel(Cmd *c, Text label, int mayMerge) {
  Identity id;
  Settled settled;
  if (!findOwnerOf(c, label, &id)) return;
  refresh(c, id.entity);
  if (!findOwnerOf(c, label, &id)) return;
  memset(&settled, 0, sizeof(settled));
  ts_json_begin(&settled.merged, c);
  if (mayMerge) {
    settleAll(c, id.entity, &settled);
  } else {
    settle(c, id.entity, id.entityLabel, id.persona, 0, &settled);
  }
  ts_json_finish(&settled.merged);
}

void ts_identity_created(Cmd *c, Text label) {
  settleLabel(c, label, 0);
}

void ts_identity_deleted(Cmd *c, Text label) {
  settleLabel(c, label, 1);
}

/* ---- identity_unlink(channel, sender) --------------------------------------------------------------- */

/* The session that has a key; made when there is none. An alias that people made can stand there. */
static Text openSession(Cmd *c, Text key, Text persona) {
  Text found = ts_label_find(c, key, NULL);
  Session s;
  if (found.z || c->rc != SQLITE_OK) return found;
  memset(&s, 0, sizeof(s));
  s.label = key;
  ts_session_create(c, &s, persona, SOURCE_USER);
  return key;
}

/* What a session has of a sender's inputs goes where the sender's messages go from now on: what waits
** and what has failed at once, what is in a turn should that fail, and what was cancelled should somebody
** have it worked on after all. Returns how many waited. */
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
    waiting = ts_col_int(&q, 0);
    failed = ts_col_int(&q, 1);
    taken = ts_col_int(&q, 2);
  }
  ts_end(c, &q);
  if (taken) ts_exec(c, SQL_QUEUE_SET_GOES_TO, "tttt", &from, own, &id->channel, &id->sender);
  ts_exec(c, SQL_QUEUE_SET_GOES_TO_CANCELLED, "tttt", &from, own, &id->channel, &id->sender);
  if (!waiting && !failed) return 0;
  to = openSession(c, to, id->persona);
  ts_exec(c, SQL_QUEUE_MOVE_SENDER, "ttttt", &from, &to, &id->channel, &id->sender, &key);
  if (failed) {
    ts_exec(c, SQL_QUEUE_MOVE_FAILED, "ttttt", &from, &to, &id->channel, &id->sender, &key);
  }
  return waiting;
}

/* The key of a linked sender's messages, as the policies are now, and the persona with it; it need not be
** the entity's. Where they have no answer: the one given. */
static Text keyNow(Cmd *c, Identity *id, Text otherwise) {
  Route r;
  if (!tryRoute(c, id, 1, &r)) return otherwise;
  id->persona = r.choice.persona;
  return r.key;
}

/* The same for those who stay with the entity, when the session that has their inputs does not.
** to: where that goes if the policies have no answer. */
static void moveMembers(Cmd *c, const Identity *left, Text from, Text to) {
  for (Member *member = findMembers(c, left->entity); member && c->rc == SQLITE_OK;
       member = member->next) {
    Identity id = member->id;
    Text there = sameText(id.entityLabel, left->entityLabel) ? to : id.entityLabel;
    moveInputs(c, &id, from, keyNow(c, &id, there));
  }
}

struct Going {
  Going *next;
  sqlite3_int64 input;
  Text channel, sender, to;
};

static Going *readGoing(Cmd *c, Query q) {
  Going *list = NULL, **tail = &list;
  while (ts_row(c, &q)) {
    Going *going = ts_alloc(c, sizeof(*going));
    if (!going) break;
    going->input = ts_col_int(&q, 0);
    going->channel = ts_col_text(c, &q, 1);
    going->sender = ts_col_text(c, &q, 2);
    going->to = ts_col_text(c, &q, 3);
    *tail = going;
    tail = &going->next;
  }
  ts_end(c, &q);
  return list;
}

Going *ts_identity_going(Cmd *c, Text session, sqlite3_int64 turn) {
  return readGoing(c, ts_query(c, SQL_QUEUE_GOING, "ti", &session, turn));
}

Going *ts_identity_going_input(Cmd *c, sqlite3_int64 input) {
  return readGoing(c, ts_query(c, SQL_QUEUE_GOING_INPUT, "i", input));
}

void ts_identity_bring(Cmd *c, Going *list) {
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    Identity id;
    Text key = list->to, label;
    if (readIdentity(c, list->channel, list->sender, &id)) {
      key = keyNow(c, &id, id.entityLabel);
      if (!key.z) key = list->to;
    }
    label = openSession(c, key, id.persona);
    ts_exec(c, SQL_QUEUE_BRING, "itt", list->input, &label, &key);
  }
}

/* What an open choice holds of a sender who leaves becomes an input that waits, to go along. leaves:
** the session does, and what it holds of those who stay must not. */
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

/* A turn that has recorded nothing, but holds an input of somebody who will be elsewhere, ends: the
** input waits again, and can move. That was no attempt. others: an input of those who stay with the
** entity. One that has recorded something goes on; its inputs are never given back. */
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
  ts_lease_take_back(c, &s, "a sender was unlinked");
  ts_run_walk(c, &s, RUN_IDLE);
}

/* Where a sender's messages go once the link is gone: as the policies are now, else as they were. */
static Identity unknownAgain(Cmd *c, const Identity *id) {
  Identity now = *id;
  Route r;
  if (id->senderLabel.z && tryRoute(c, id, 0, &r) && r.choice.namesSender) {
    now.senderLabel = r.key;
    now.persona = r.choice.persona;
  }
  return now;
}

/* The session in which a linked sender's messages are. */
static Text sessionOf(Cmd *c, const Identity *id) {
  Route r;
  if (!tryRoute(c, id, 1, &r)) {
    return id->entityLabel.z ? ts_label_find(c, id->entityLabel, NULL) : none;
  }
  return r.choice.namesEntity ? ts_label_find(c, r.key, NULL) : none;
}

/* A primary leaves with its sender: whatever led to it for the entity's sake, does no more. */
static void leave(Cmd *c, Text primary, Text entity) {
  const Candidate *list = readLabels(c, ts_query(c, SQL_SUPERSEDED_OF, "t", &primary));
  ts_exec(c, SQL_ALIAS_DROP_OF, "t", &primary);
  /* First of all, as long as they say into which one they were merged. */
  for (const Candidate *one = list; one && c->rc == SQLITE_OK; one = one->next)
    partInputs(c, one->label, primary, entity);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    release(c, list->label, primary, entity);
}

/* Takes a link back; id->senderLabel becomes the key that the sender's messages have from now on. Returns
** how many waiting inputs went along. */
static sqlite3_int64 unlinkSender(Cmd *c, Identity *id, Settled *settled) {
  Identity now;
  Candidate session, *others;
  Text was, own, by = none;
  sqlite3_int64 moved = 0;
  int exists = 0, leaves;
  refresh(c, id->entity);
  readIdentity(c, id->channel, id->sender, id);
  was = sessionOf(c, id);
  own = id->senderLabel;
  noteLink(c, was, "unlink", id);
  others = readLabels(c, ts_query(c, SQL_IDENTITY_PLACES, "ttt", &id->entity, &was, &own));
  for (const Candidate *other = others; other && c->rc == SQLITE_OK; other = other->next)
    endTurn(c, id, other->label, 0);
  if (own.z) {
    endTurn(c, id, own, 1);
    exists = readCandidate(c, own, &session);
    by = session.supersededBy;
  }
  leaves = exists && !by.z;
  if (leaves) {
    leave(c, own, id->entity);
  } else if (exists) {
    release(c, own, by, id->entity);
  } else if (own.z) {
    dropAlias(c, own);
  }
  ts_exec(c, SQL_IDENTITY_DROP, "tt", &id->channel, &id->sender);
  now = unknownAgain(c, id);
  for (const Candidate *other = others; other && c->rc == SQLITE_OK; other = other->next)
    releaseHeld(c, id, other->label, 0);
  if (leaves) releaseHeld(c, id, own, 1);
  for (const Candidate *other = others; other && c->rc == SQLITE_OK; other = other->next)
    moved += moveInputs(c, &now, other->label, now.senderLabel);
  settle(c, id->entity, id->entityLabel, none, 1, settled);
  settleAll(c, id->entity, settled);
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
  if (!readIdentity(c, c->arg[0].text, c->arg[1].text, &id)) {
    ts_return_null(c);
    return;
  }
  ts_json_begin(&settled.merged, c);
  ts_json_open(&settled.merged, '[');
  moved = unlinkSender(c, &id, &settled);
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

/* What a choice of it holds, and what a turn has that has recorded nothing, waits again, and can move. */
static void giveBack(Cmd *c, Session *s) {
  Turn t;
  if (s->pendingChoice.z) {
    ts_choice_release(c, s, "unmerge");
    ts_session_save(c, s);
  }
  if (!s->run.turnId || c->rc != SQLITE_OK) return;
  ts_turn_load(c, s->run.turnId, &t);
  if (t.exists && !ts_run_recorded(c, &t)) ts_lease_take_back(c, s, "its session was deleted");
}

/* Senders of the entity who have a session of their own take their inputs there. */
static void partMembers(Cmd *c, Text label) {
  Identity owner;
  if (!findOwnerOf(c, label, &owner)) return;
  for (Member *member = findMembers(c, owner.entity); member && c->rc == SQLITE_OK;
       member = member->next) {
    Identity *id = &member->id;
    if (!id->senderLabel.z || ts_text_equal(id->senderLabel, label)) continue;
    if (!sameText(ts_label_find(c, id->senderLabel, NULL), id->senderLabel)) continue;
    moveInputs(c, id, label, id->senderLabel);
  }
}

/* What is others' leaves a session that is deleted, as it is. */
static void bringOthers(Cmd *c, const Session *s, const Going *list) {
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    Text label = ts_label_find(c, list->to, NULL);
    if (sameText(label, s->label)) continue;
    label = openSession(c, list->to, none);
    ts_exec(c, SQL_QUEUE_BRING, "itt", list->input, &label, &list->to);
  }
}

/* What a turn has of others comes to nothing with it, and is listed where they are; and what was cancelled, where
** they have a session: nothing is made for it. */
static void bringTaken(Cmd *c, const Session *s) {
  const Going *list = ts_identity_going(c, s->label, s->run.turnId);
  if (list) {
    ts_exec(c, SQL_DELETE_TAKEN, "tis", &s->label, c->now, "its session was deleted");
    bringOthers(c, s, list);
  }
  bringOthers(c, s, readGoing(c, ts_query(c, SQL_QUEUE_GOING_CANCELLED, "t", &s->label)));
}

/* What was said in it and is in another session by now, for whatever reason, takes its delivery along. */
static void bringDeliveries(Cmd *c, Text from) {
  const Going *list = readGoing(c, ts_query(c, SQL_DELETE_SAID, "t", &from));
  if (list) ts_exec(c, SQL_DELETE_UNGUARD, "");
  for (const Going *one = list; one && c->rc == SQLITE_OK; one = one->next) {
    ts_exec(c, SQL_DELETE_LEAVE_DELIVERY, "itt", one->input, &from, &one->to);
    ts_exec(c, SQL_DELETE_AT_HOME, "i", one->input);
  }
  if (list) ts_exec(c, SQL_DELETE_GUARD, "");
}

void ts_identity_part(Cmd *c, Session *s) {
  const Candidate *list = readLabels(c, ts_query(c, SQL_SUPERSEDED_OF, "t", &s->label));
  if (list) giveBack(c, s);
  for (const Candidate *one = list; one && c->rc == SQLITE_OK; one = one->next)
    release(c, one->label, s->label, none);
  if (list) partMembers(c, s->label);
  bringTaken(c, s);
  bringDeliveries(c, s->label);
}

/* ---- identity_link(channel, sender, entity) ---------------------------------------------------------- */

enum { LINK_CHANNEL, LINK_SENDER, LINK_ENTITY, LINK_FORCE, LINK_ENVELOPE };

static const ArgSpec linkArgs[] = {{"channel", ARG_NAME, 1},
                                   {"sender", ARG_ID, 1},
                                   {"entity", ARG_ID, 1},
                                   {"force", ARG_BOOL, 0},
                                   {"envelope", ARG_OBJECT, 0}};

/* The envelope is the sender's own; what it says of channel and sender must not be another's. */
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

/* A session that was made for no persona becomes that of the policy by which its sender is known.
** Returns whether it has. */
static int adopt(Cmd *c, const Identity *id) {
  Candidate own;
  Route r;
  if (!id->persona.z || !id->senderLabel.z) return 0;
  /* Unknown again, the sender must find it. */
  if (!tryRoute(c, id, 0, &r) || !ts_personas_agree(r.choice.persona, id->persona)) return 0;
  if (!readCandidate(c, id->senderLabel, &own) || own.persona.z || own.supersededBy.z) return 0;
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
  known = readIdentity(c, id.channel, id.sender, &old);
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
  if (known && isNew) unlinkSender(c, &old, &before);
  id.envelope = c->arg[LINK_ENVELOPE].given ? c->arg[LINK_ENVELOPE].text : old.envelope;
  if (!isNew) {
    ts_exec(c, SQL_IDENTITY_ENVELOPE, "ttt", &id.channel, &id.sender, &id.envelope);
  }
  refresh(c, id.entity);
  findKeys(c, &id);
  if (isNew) {
    if (adopt(c, &id)) findKeys(c, &id);
    ts_exec(c, SQL_IDENTITY_ADD, "ttttttit", &id.channel, &id.sender, &id.entity, &id.senderLabel,
            &id.entityLabel, &id.persona, c->now, &id.envelope);
  }
  settleAll(c, id.entity, &settled);
  readIdentity(c, id.channel, id.sender, &id);
  changed =
      !isNew && (!sameText(id.senderLabel, old.senderLabel) ||
                 !sameText(id.entityLabel, old.entityLabel) || !sameText(id.persona, old.persona));
  settled.session = id.entityLabel.z ? ts_label_find(c, id.entityLabel, NULL) : none;
  if (isNew || changed) noteLink(c, settled.session, "link", &id);
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
