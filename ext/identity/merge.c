/*
** merge.c - a sender's entity, and what it means for sessions.
**
**   SELECT identity_link('whatsapp', '+15550001111', 'rosa');
**   -- {"action":"promoted","entity":"rosa","key":"dm:rosa","session":"dm:whatsapp:+15550001111",…}
**   SELECT identity_link('mail', 'rosa@example.org', 'rosa');
**   -- {"action":"merged",…,"merged":[{"session":"dm:mail:rosa@example.org",…}]}
**
** While a sender is not linked, the policies give that sender its own key (the sender's key). Once
** linked, the sender's messages get the entity's key. So a link settles which session the entity's
** key leads to:
**
**   promotion   One session there is: the entity's key becomes an alias of it. The conversation goes
**               on, under the label that it has.
**   merge       There are several: the one with more turns is the primary (of equal ones the older
**               one, then by label). The others are superseded: kept and readable, and all that
**               would go to them goes to the primary. Trees are never merged.
**
** Everything is settled from the rows of identities, so an unlink does the same with one row less.
** The keys in the rows are updated first, because policies change and a key may move to another
** persona.
*/
#include "identity.h"

#include "choice.h"
#include "end_task.h"
#include "json.h"
#include "merge.h"
#include "queue.h"
#include "route.h"
#include "session.h"
#include "task.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MAX_ROUNDS 4 /* of settling an entity's keys */

/* ---- Merging ---------------------------------------------------------------------------------------- */

void ts_session_note_link(Cmd *c, Text label, const char *trigger, const Identity *id) {
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

/* The note in the primary about a session that was merged into it. */
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

/* One session is superseded by another. Its open task is committed, an open choice is released, and
** waiting inputs go to the primary. A live run continues to its end. */
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
  ts_note_merge(c, &s, "merge", "superseded_by", primary.label);
  if (note.z) ts_note_text(c, &primary, "merged", note.z);
  ts_note_merge(c, &primary, "merge", "supersedes", s.label);
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

/* ---- Settling --------------------------------------------------------------------------------------- */

void ts_entity_settle_key(Cmd *c, Text entity, Text key, Text persona, Settled *settled) {
  Claims claims;
  int merged = settled->nMerged;
  if (!ts_claims_find(c, entity, key, persona, &claims)) return;
  if (claims.primary->supersededBy.z)
    ts_unmerge(c, claims.primary->label, claims.primary->supersededBy, entity);
  /* First the sessions that take messages, then the merged ones, perhaps merged into one of the
  ** first. */
  for (int superseded = 0; superseded < 2; superseded++) {
    for (Candidate *candidate = claims.list, now; candidate; candidate = candidate->next) {
      if (candidate == claims.primary || (candidate->supersededBy.z != NULL) != superseded)
        continue;
      if (ts_text_equal(candidate->supersededBy, claims.primary->label)) continue;
      if (!ts_personas_agree(candidate->persona, claims.primary->persona)) continue;
      if (superseded && ts_candidate_load(c, candidate->label, &now)) {
        ts_unmerge(c, now.label, now.supersededBy, entity);
      }
      merge(c, candidate, claims.primary->label, settled);
    }
  }
  settled->promoted |= ts_claims_lead(
      c, &claims, key, settled->nMerged > merged ? "identity_merge" : "identity_promotion");
  settled->session = claims.primary->label;
}

Candidate *ts_labels_of(Cmd *c, Query q) {
  Candidate *list = NULL, **tail = &list;
  while (ts_row(c, &q)) {
    Candidate *candidate = ts_alloc(c, sizeof(*candidate));
    if (!candidate) break;
    candidate->label = ts_col_text(c, &q, COL_ONLY);
    *tail = candidate;
    tail = &candidate->next;
  }
  ts_end(c, &q);
  return list;
}

void ts_entity_settle(Cmd *c, Text entity, Settled *settled) {
  for (int round = 0; round < MAX_ROUNDS && c->rc == SQLITE_OK; round++) {
    const Candidate *key = ts_labels_of(c, ts_query(c, SQL_IDENTITY_KEYS_OF, "t", &entity));
    for (; key && c->rc == SQLITE_OK; key = key->next)
      ts_entity_settle_key(c, entity, key->label, none, settled);
    if (!ts_entity_refresh_keys(c, entity)) return;
  }
}

void ts_keys_settle_deleted(Cmd *c, Text label) {
  Identity id;
  Settled settled;
  if (!ts_entity_of_label(c, label, &id)) return;
  ts_entity_refresh_keys(c, id.entity);
  if (!ts_entity_of_label(c, label, &id)) return;
  memset(&settled, 0, sizeof(settled));
  ts_json_begin(&settled.merged, c);
  ts_entity_settle(c, id.entity, &settled);
  ts_json_finish(&settled.merged);
}
