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
** Everything is settled from the rows of identities alone, so that an unlink is the same once more,
** with one row less.
*/
#include "identity.h"

#include "deliver.h"
#include "json.h"
#include "route.h"
#include "task.h"
#include "text.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

typedef struct Identity {
  Text channel, sender, entity;
  Text senderLabel; /* NULL: the policies give senders no key of their own */
  Text entityLabel;
  Text persona;
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
  }
  ts_end(c, &q);
  return found;
}

/* ---- Keys ------------------------------------------------------------------------------------------ */

/* The envelope of a direct message, its sender unknown. */
static void senderEnvelope(Cmd *c, const Identity *id, Envelope *e) {
  memset(e, 0, sizeof(*e));
  ts_envelope_set(c, e, TS_TEXT("channel"), id->channel);
  ts_envelope_set(c, e, TS_TEXT("sender_id"), id->sender);
  ts_envelope_set(c, e, TS_TEXT("peer_kind"), TS_TEXT("dm"));
  ts_envelope_set(c, e, TS_TEXT("peer_id"), id->sender);
}

/* The keys that a sender's direct messages have without and with the link, as the policies are now.
** One that does not tell people apart is none to settle anything by. */
static void findKeys(Cmd *c, Identity *id) {
  Envelope e;
  Route route;
  senderEnvelope(c, id, &e);
  ts_route(c, &e, 0, &route);
  id->senderLabel = route.choice.namesSender ? route.key : none;
  e.entity = id->entity;
  ts_route(c, &e, 0, &route);
  id->entityLabel = route.choice.namesEntity ? route.key : none;
  id->persona = route.choice.persona;
}

/* ---- Candidates ------------------------------------------------------------------------------------- */

static void addCandidate(Cmd *c, Candidate **list, Text label, Text persona) {
  Candidate found, *candidate;
  Query q;
  int exists;
  for (candidate = *list; candidate; candidate = candidate->next) {
    if (ts_text_equal(candidate->label, label)) return;
  }
  memset(&found, 0, sizeof(found));
  q = ts_query(c, SQL_CANDIDATE, "t", &label);
  exists = ts_row(c, &q);
  if (exists) {
    found.label = label;
    found.turns = ts_col_int(&q, 0);
    found.createdAt = ts_col_int(&q, 1);
    found.supersededBy = ts_col_text(c, &q, 2);
    found.persona = ts_col_text(c, &q, 3);
  }
  ts_end(c, &q);
  if (!exists || !ts_personas_agree(found.persona, persona)) return;
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

/* The sessions that have the entity's key or one of its senders' keys. *senders: those keys. */
static Candidate *findCandidates(Cmd *c, Text entity, Text key, Text persona, Candidate **senders) {
  Candidate *list = NULL;
  Query q = ts_query(c, SQL_IDENTITY_SENDERS, "tt", &entity, &key);
  *senders = NULL;
  while (ts_row(c, &q)) {
    Candidate *sender = ts_alloc(c, sizeof(*sender));
    if (!sender) break;
    sender->label = ts_col_text(c, &q, 0);
    sender->next = *senders;
    *senders = sender;
  }
  ts_end(c, &q);
  for (Candidate *sender = *senders; sender && c->rc == SQLITE_OK; sender = sender->next)
    addCandidate(c, &list, sender->label, persona);
  addCandidate(c, &list, key, persona);
  return list;
}

/* ---- Merging ---------------------------------------------------------------------------------------- */

static void noteStatus(Cmd *c, const Session *s, const char *trigger, const char *key, Text other) {
  const char *status = ts_status_machine.states[s->status];
  ts_event(c, s, "status", status, status, trigger, ts_json_pair(c, key, other));
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
  sqlite3_str_append(out, head.z ? head.z : "", head.n);
  if (s->task.id) {
    Text task =
        ts_fill(c, primary->label, "note.merged_task", "task", s->task.description, NULL, none);
    sqlite3_str_appendf(out, "\n%.*s", task.n, task.z ? task.z : "");
  }
  if (question.z) {
    Text asked =
        ts_fill(c, primary->label, "note.merged_question", "question", question, NULL, none);
    sqlite3_str_appendf(out, "\n%.*s", asked.n, asked.z ? asked.z : "");
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
  if (s.task.id) {
    commit =
        ts_task_close(c, &s, COMMIT_INTERRUPTED_BY_NEW_TASK,
                      ts_fill(c, s.label, "commit.merged", "task", task, "session", primary.label),
                      primary.label);
  }
  ts_session_save(c, &s);
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
  ts_json_close(&settled->merged, '}');
}

/* A session takes messages of its own again. */
static void release(Cmd *c, Text label, Text by) {
  Session s;
  ts_exec(c, SQL_ALIAS_DROP, "t", &label);
  ts_exec(c, SQL_SUPERSEDE, "tti", &label, &none, c->now);
  ts_session_load_exact(c, label, &s);
  if (c->rc == SQLITE_OK) noteStatus(c, &s, "unmerge", "was_superseded_by", by);
}

/* ---- Settling --------------------------------------------------------------------------------------- */

/* Makes a key lead to a session, unless it does, or is a session's own label. */
static void leadTo(Cmd *c, Text key, Text session, const char *reason, Settled *settled) {
  Text held = none, why = none;
  Candidate *own = NULL;
  Query q;
  addCandidate(c, &own, key, none);
  if (own || ts_text_equal(key, session)) return;
  q = ts_query(c, SQL_ALIAS_GET, "t", &key);
  if (ts_row(c, &q)) {
    held = ts_col_text(c, &q, 0);
    why = ts_col_text(c, &q, 1);
  }
  ts_end(c, &q);
  if (!held.z) {
    ts_exec(c, SQL_ALIAS_ADD, "ttsi", &key, &session, reason, c->now);
  } else if (!ts_text_equal(held, session) && !ts_text_is(why, "manual")) {
    ts_exec(c, SQL_ALIAS_POINT, "ttsi", &key, &session, reason, c->now);
  } else {
    return;
  }
  settled->promoted = 1;
}

static int leadsElsewhere(Cmd *c, Text key) {
  Text why = none;
  Query q = ts_query(c, SQL_ALIAS_GET, "t", &key);
  if (ts_row(c, &q)) why = ts_col_text(c, &q, 1);
  ts_end(c, &q);
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
  if (!key.z || c->rc != SQLITE_OK) return;
  if (isShared(c, key, entity) || leadsElsewhere(c, key)) return;
  list = findCandidates(c, entity, key, persona, &senders);
  for (Candidate *candidate = list; candidate; candidate = candidate->next) {
    if (!primary || comesFirst(candidate, primary)) primary = candidate;
  }
  if (!primary || c->rc != SQLITE_OK || (list->next && !mayMerge)) return;
  if (primary->supersededBy.z) release(c, primary->label, primary->supersededBy);
  for (Candidate *candidate = list; candidate; candidate = candidate->next) {
    if (candidate == primary || ts_text_equal(candidate->supersededBy, primary->label)) continue;
    if (!ts_personas_agree(candidate->persona, primary->persona)) continue;
    if (candidate->supersededBy.z) release(c, candidate->label, candidate->supersededBy);
    merge(c, candidate, primary->label, settled);
  }
  leadTo(c, key, primary->label, settled->nMerged ? "identity_merge" : "identity_promotion",
         settled);
  for (Candidate *sender = senders; sender; sender = sender->next)
    leadTo(c, sender->label, primary->label, "identity_promotion", settled);
  settled->session = primary->label;
}

/* Settles the entity one of whose keys a label is. */
static void settleLabel(Cmd *c, Text label, int mayMerge) {
  Text entity = none, key = none, persona = none;
  Settled settled;
  Query q = ts_query(c, SQL_IDENTITY_OF_LABEL, "t", &label);
  if (ts_row(c, &q)) {
    entity = ts_col_text(c, &q, 0);
    key = ts_col_text(c, &q, 1);
    persona = ts_col_text(c, &q, 2);
  }
  ts_end(c, &q);
  memset(&settled, 0, sizeof(settled));
  ts_json_begin(&settled.merged, c);
  if (entity.z) settle(c, entity, key, persona, mayMerge, &settled);
  ts_json_finish(&settled.merged);
}

void ts_identity_created(Cmd *c, Text label) {
  settleLabel(c, label, 0);
}

void ts_identity_deleted(Cmd *c, Text label) {
  settleLabel(c, label, 1);
}

/* ---- identity_unlink(channel, sender) --------------------------------------------------------------- */

/* What a sender has waiting goes where the sender's messages go from now on. */
static sqlite3_int64 moveWaiting(Cmd *c, const Identity *id, Text from, Text to) {
  sqlite3_int64 n = 0;
  Text found;
  Query q;
  if (!from.z || !to.z) return 0;
  found = ts_label_find(c, to, NULL); /* an alias that people made can stand there */
  if (found.z) to = found;
  if (ts_text_equal(from, to)) return 0;
  q = ts_query(c, SQL_QUEUE_OF_SENDER, "ttt", &from, &id->channel, &id->sender);
  if (ts_row(c, &q)) n = ts_col_int(&q, 0);
  ts_end(c, &q);
  if (n == 0) return 0;
  if (!found.z) {
    Session s;
    memset(&s, 0, sizeof(s));
    s.label = to;
    ts_session_create(c, &s, id->persona, SOURCE_USER);
  }
  ts_exec(c, SQL_QUEUE_MOVE_SENDER, "tttt", &from, &to, &id->channel, &id->sender);
  return n;
}

/* The same for those who stay with the entity, when the session in which their inputs wait does not. */
static void moveMembers(Cmd *c, const Identity *left, Text from, Text to) {
  Query q = ts_query(c, SQL_IDENTITY_MEMBERS, "tt", &left->entity, &left->entityLabel);
  struct Member {
    struct Member *next;
    Identity id;
  } *list = NULL;
  while (ts_row(c, &q)) {
    struct Member *member = ts_alloc(c, sizeof(*member));
    if (!member) break;
    member->id = *left;
    member->id.channel = ts_col_text(c, &q, 0);
    member->id.sender = ts_col_text(c, &q, 1);
    member->next = list;
    list = member;
  }
  ts_end(c, &q);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    moveWaiting(c, &list->id, from, to);
}

/* What an open choice holds of a sender who leaves becomes an input that waits, to go along. */
static void releaseHeld(Cmd *c, const Identity *id, Text label) {
  Session s;
  OpenChoice choice;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.pendingChoice.z) return;
  ts_choice_load(c, &s, &choice);
  if (c->rc != SQLITE_OK || !choice.held || !ts_text_equal(choice.held->channel, id->channel) ||
      !ts_text_equal(choice.held->sender, id->sender)) {
    return;
  }
  ts_choice_release(c, &s, "unmerge");
  ts_session_save(c, &s);
}

/* Where a sender's messages go once the link is gone: as the policies are now, else as they were. */
static Identity unknownAgain(Cmd *c, const Identity *id) {
  Identity now = *id;
  Envelope e;
  Route route;
  if (!id->senderLabel.z) return now;
  senderEnvelope(c, id, &e);
  ts_route(c, &e, 0, &route);
  if (route.choice.namesSender) {
    now.senderLabel = route.key;
    now.persona = route.choice.persona;
  }
  return now;
}

/* Takes a link back. Returns how many waiting inputs went along. */
static sqlite3_int64 unlinkSender(Cmd *c, const Identity *id, Settled *settled) {
  Identity now;
  Text was = id->entityLabel.z ? ts_label_find(c, id->entityLabel, NULL) : none, by = none,
       why = none;
  sqlite3_int64 moved = 0;
  int exists = 0;
  Query q;
  ts_exec(c, SQL_IDENTITY_DROP, "tt", &id->channel, &id->sender);
  if (id->senderLabel.z) {
    q = ts_query(c, SQL_CANDIDATE, "t", &id->senderLabel);
    exists = ts_row(c, &q);
    if (exists) by = ts_col_text(c, &q, 2);
    ts_end(c, &q);
  }
  if (exists && by.z) {
    release(c, id->senderLabel, by);
  } else if (exists) {
    /* It was the primary: whatever led to it for the entity's sake, does no more. */
    Candidate *list = NULL;
    q = ts_query(c, SQL_SUPERSEDED_OF, "t", &id->senderLabel);
    while (ts_row(c, &q)) {
      Candidate *candidate = ts_alloc(c, sizeof(*candidate));
      if (!candidate) break;
      candidate->label = ts_col_text(c, &q, 0);
      candidate->next = list;
      list = candidate;
    }
    ts_end(c, &q);
    ts_exec(c, SQL_ALIAS_DROP_OF, "t", &id->senderLabel);
    for (; list && c->rc == SQLITE_OK; list = list->next)
      release(c, list->label, id->senderLabel);
  } else if (id->senderLabel.z) {
    q = ts_query(c, SQL_ALIAS_GET, "t", &id->senderLabel);
    if (ts_row(c, &q)) why = ts_col_text(c, &q, 1);
    ts_end(c, &q);
    if (why.z && !ts_text_is(why, "manual")) ts_exec(c, SQL_ALIAS_DROP, "t", &id->senderLabel);
  }
  now = unknownAgain(c, id);
  if (was.z) releaseHeld(c, id, was);
  moved = moveWaiting(c, &now, was, now.senderLabel);
  settle(c, id->entity, id->entityLabel, id->persona, 1, settled);
  if (exists && !by.z && was.z && ts_text_equal(was, id->senderLabel)) {
    moveMembers(c, id, was, settled->session.z ? settled->session : id->entityLabel);
  }
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

/* ---- identity_link(channel, sender, entity) ---------------------------------------------------------- */

enum { LINK_CHANNEL, LINK_SENDER, LINK_ENTITY, LINK_FORCE };

static const ArgSpec linkArgs[] = {
    {"channel", ARG_NAME, 1}, {"sender", ARG_ID, 1}, {"entity", ARG_ID, 1}, {"force", ARG_BOOL, 0}};

static void runLink(Cmd *c) {
  Identity id, old;
  Settled settled, before;
  int known, isNew;
  Json j;
  Text merged;
  memset(&id, 0, sizeof(id));
  memset(&settled, 0, sizeof(settled));
  memset(&before, 0, sizeof(before));
  id.channel = c->arg[LINK_CHANNEL].text;
  id.sender = c->arg[LINK_SENDER].text;
  id.entity = c->arg[LINK_ENTITY].text;
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
  findKeys(c, &id);
  if (isNew) {
    ts_exec(c, SQL_IDENTITY_ADD, "tttttti", &id.channel, &id.sender, &id.entity, &id.senderLabel,
            &id.entityLabel, &id.persona, c->now);
  } else {
    ts_exec(c, SQL_IDENTITY_KEYS, "ttttt", &id.channel, &id.sender, &id.senderLabel,
            &id.entityLabel, &id.persona);
  }
  settle(c, id.entity, id.entityLabel, id.persona, 1, &settled);
  ts_json_close(&settled.merged, ']');
  merged = ts_json_finish(&settled.merged);
  ts_json_finish(&before.merged);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "action",
                     settled.nMerged    ? "merged"
                     : settled.promoted ? "promoted"
                     : isNew            ? "linked"
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
