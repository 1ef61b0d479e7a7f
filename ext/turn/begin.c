/*
** begin.c - turn_begin() and turn_compact_begin(): a turn takes the lease, and what waits.
*/
#include "turn_commands.h"

#include "config.h"
#include "context.h"
#include "deliver.h"
#include "ids.h"
#include "json.h"
#include "lease.h"
#include "message.h"
#include "queue.h"
#include "said.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

/* ---- turn_begin(label, owner [, options]) → {turn, token, messages} or NULL ------------------- */

enum {
  BEGIN_LABEL,
  BEGIN_OWNER,
  BEGIN_MESSAGES,
  BEGIN_LEASE,
  BEGIN_SOURCE,
  BEGIN_MODEL,
  BEGIN_PROVIDER,
  BEGIN_PERSONA,
  BEGIN_EXTERNAL
};

static const ArgSpec beginArgs[] = {
    {"label", ARG_LABEL, 1},    {"owner", ARG_NAME, 1},   {"messages", ARG_ARRAY, 0},
    {"lease", ARG_DURATION, 0}, {"source", ARG_TEXT, 0},  {"model", ARG_NAME, 0},
    {"provider", ARG_NAME, 0},  {"persona", ARG_NAME, 0}, {"external_id", ARG_ID, 0},
};

/* What the turn does is seen in its phase. */
static void showCompacting(Cmd *c, const Session *s, sqlite3_int64 id) {
  Turn t;
  ts_turn_load(c, id, &t);
  if (c->rc == SQLITE_OK) ts_turn_walk(c, s, &t, PHASE_COMPACTING);
}

/* The turn begins: its row, the lease, its first messages. messages: as the host gave them, or NULL. calledOff: what it
** lists as cancelled. */
static Text beginTurn(Cmd *c, Session *s, Text owner, sqlite3_int64 lease, TurnFacts *f,
                      InputLink *inputs, Text messages, int compacts, const InputLink *calledOff) {
  sqlite3_int64 id;
  Turn parent;
  Writer w;
  Json j;
  ts_turn_find_parent(c, s, &(Arg){0}, &parent);
  if (c->rc != SQLITE_OK) return none;
  f->startedAt = c->now;
  for (const InputLink *link = messages.z || compacts ? NULL : inputs; link; link = link->next)
    f->inputs++;
  if (lease < 0) lease = ts_config_int(c, s->label, CONFIG_LEASE);
  id = ts_turn_open(c, s, &parent, f, compacts, PHASE_PROCESSING);
  ts_lease_take(c, s, owner, id, lease);
  ts_turn_event(c, s, id, PHASE_COUNT, PHASE_PROCESSING, "begin");
  if (compacts) showCompacting(c, s, id);
  ts_worker_begins(c, s);
  ts_writer_new(&w, c, id);
  w.session = s->label;
  if (messages.z && c->rc == SQLITE_OK && ts_write_messages(&w, messages, "messages") == 0) {
    ts_fail(c, SQLITE_ERROR,
            "messages is empty; without it the turn takes what waits in the queue");
  }
  ts_turn_want_news(&w);
  if (compacts) {
    ts_turn_claim_inputs(&w, s, inputs, ts_queue_front_rank(c, s), 0);
  } else if (messages.z) {
    InputLink *given = ts_queue_among(c, s, messages);
    ts_turn_name_repeats(&w, given);
    ts_turn_claim_inputs(&w, s, given, ts_queue_front_rank(c, s), 1);
  } else {
    ts_turn_write_inputs(&w, s, inputs, ts_queue_front_rank(c, s));
  }
  if (w.next != f->inputs || w.answers) {
    ts_exec(c, SQL_TURN_INPUTS, "ii?", id, w.next, w.answers != 0, w.answers);
  }
  if (c->rc != SQLITE_OK) return none;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "turn", id);
  ts_json_put_int(&j, "token", s->run.token);
  ts_json_put(&j, "session", s->label);
  ts_json_put_id(&j, "parent", parent.exists ? parent.id : 0);
  ts_json_put_int(&j, "expires_at", s->run.expiresAt);
  ts_json_put(&j, "resume_cursor", s->resumeCursor);
  if (compacts) {
    ts_json_put(&j, "summarization_model",
                ts_config_host_name(c, s->label, CONFIG_SUMMARIZATION_MODEL));
  }
  ts_turn_put_inputs(&j, inputs, messages);
  ts_queue_put(&j, "cancelled", calledOff, 0);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* Nobody is at work on the session, nor has left something half done. */
static void settle(Cmd *c, Session *s, Text owner) {
  const char *by = ts_printf(c, "'%.*s'", owner.n, owner.z);
  ts_lease_settle(c, s, by);
  if (s->exists) ts_lease_orphans(c, s, by);
}

/* The failed turn whose output is all that a session without turns shows, 0: there is none. */
static sqlite3_int64 aloneFailed(Cmd *c, const Session *s) {
  sqlite3_int64 context = 0;
  Turn failed;
  if (s->head || !s->run.failedTurn || c->rc != SQLITE_OK) return 0;
  ts_turn_load(c, s->run.failedTurn, &failed);
  return ts_turn_resumable(c, &failed, 0, &context);
}

int ts_turn_take_up(Cmd *c, Session *s) {
  TurnFacts f;
  Turn nothing;
  Writer w;
  sqlite3_int64 id;
  if (!aloneFailed(c, s)) return 0;
  memset(&nothing, 0, sizeof(nothing));
  ts_facts_init(&f);
  f.source = s->workSource;
  f.startedAt = c->now;
  id = ts_turn_open(c, s, &nothing, &f, 0, PHASE_COMPLETING);
  ts_writer_new(&w, c, id);
  ts_write_message(&w, "system", NULL, none,
                   TS_TEXT("")); /* a turn holds a message; no context shows it */
  ts_turn_end(c, id, PHASE_COMPLETED, 1, &f, ts_turn_resumed_size(c, f.resumes), 0, none);
  ts_head_move(c, s, id, MOVE_APPEND, &f);
  return c->rc == SQLITE_OK;
}

/* Does the context of a session show a turn that a summary could stand for? */
static int canCompact(Cmd *c, const Session *s) {
  Context x;
  Path path;
  int found = 0;
  if (!s->head) return aloneFailed(c, s) != 0;
  ts_context_of_session(c, s, &x);
  if (x.failed || c->rc != SQLITE_OK) return 1;
  if (x.fromDepth > TS_DEPTH(s->head)) return 0;
  ts_path(c, s->head, x.fromDepth, TS_DEPTH(s->head), &path);
  for (int i = 0; i < path.n && !found; i++) {
    Query q = ts_query(c, SQL_TURNS_KEPT, "ii", path.segments[i].first, path.segments[i].last);
    found = ts_row(c, &q);
    ts_end(c, &q);
  }
  return found;
}

/* What waits for the session. A "/compact" is no turn of the conversation: what begins with it is a
** compaction, and where there is nothing (yet, or any more) that could be compacted it is done with. */
static InputLink *takeInputs(Cmd *c, Session *s, int *compacts) {
  InputLink *inputs;
  Text focus;
  for (;;) {
    inputs = ts_deliver_take(c, s);
    *compacts = inputs && ts_asks_compact(inputs->in, &focus);
    if (!*compacts || canCompact(c, s) || c->rc != SQLITE_OK) return inputs;
    ts_exec(c, SQL_QUEUE_SETTLE, "iis", inputs->in->queueId, c->now, NULL);
  }
}

/* Something is handed over, after an event: what happens now is the next turn's, also where a compaction makes the
** turn that the head stands at. */
static void leaveHead(Cmd *c, Session *s, sqlite3_int64 before, int compacts) {
  ts_head_leave(c, s, before);
  if (compacts && ts_turn_take_up(c, s)) ts_head_leave(c, s, before);
}

Text ts_turn_begin_for(Cmd *c, Session *s, Text owner, sqlite3_int64 before) {
  TurnFacts f;
  InputLink *inputs;
  int compacts;
  ts_facts_init(&f);
  settle(c, s, owner);
  inputs = takeInputs(c, s, &compacts);
  if (!inputs) return none;
  f.source = s->workSource;
  leaveHead(c, s, before, compacts);
  return beginTurn(c, s, owner, -1, &f, inputs, none, compacts, NULL);
}

static void runBegin(Cmd *c) {
  Text messages = c->arg[BEGIN_MESSAGES].text, owner = c->arg[BEGIN_OWNER].text;
  InputLink *inputs = NULL;
  int compacts = 0;
  sqlite3_int64 before;
  TurnFacts f;
  Session s;
  ts_facts_init(&f);
  f.source = ts_turn_want_source(c, &c->arg[BEGIN_SOURCE], SOURCE_USER);
  if (c->arg[BEGIN_LEASE].given && c->arg[BEGIN_LEASE].i < 1) {
    ts_fail(c, SQLITE_ERROR, "lease must be longer than 0 ms");
  }
  ts_session_load(c, c->arg[BEGIN_LABEL].text, &s);
  if (c->rc != SQLITE_OK || (!s.exists && !messages.z)) return;
  if (s.exists) ts_workers_look(c, &s);
  /* What came to a session that was put away waits until a user brings it back. */
  if (s.status == STATUS_ARCHIVED && !messages.z && !ts_session_wakes(c, &s)) return;
  if (!s.exists || s.status == STATUS_ERROR || c->arg[BEGIN_PERSONA].given) {
    ts_turn_open_session(c, c->arg[BEGIN_LABEL].text, c->arg[BEGIN_PERSONA].text, f.source, &s);
  }
  settle(c, &s, owner);
  if (c->rc == SQLITE_OK && ts_turn_of_external(c, c->arg[BEGIN_EXTERNAL].text)) {
    ts_fail(c, SQLITE_CONSTRAINT, "there is a turn with external_id '%.*s' already; use a new one",
            c->arg[BEGIN_EXTERNAL].text.n, c->arg[BEGIN_EXTERNAL].text.z);
  }
  if (c->rc != SQLITE_OK) return;
  before = ts_id_last(c, ID_EVENT);
  if (messages.z) {
    if (!c->arg[BEGIN_SOURCE].given) f.source = s.workSource;
    ts_turn_wake(c, &s);
    ts_deliver_given(c, &s, f.source);
  } else {
    inputs = takeInputs(c, &s, &compacts);
    if (!inputs) return;
    if (!c->arg[BEGIN_SOURCE].given) f.source = s.workSource;
    ts_turn_wake(c, &s);
  }
  f.model = c->arg[BEGIN_MODEL].text;
  f.provider = c->arg[BEGIN_PROVIDER].text;
  f.externalId = c->arg[BEGIN_EXTERNAL].text;
  leaveHead(c, &s, before, compacts);
  ts_return_text(c, beginTurn(c, &s, owner, c->arg[BEGIN_LEASE].given ? c->arg[BEGIN_LEASE].i : -1,
                              &f, inputs, messages, compacts, s.calledOff));
}

const CommandSpec ts_turn_begin = {"turn_begin", runBegin, 0, TS_ARGS(2, beginArgs), NULL};

/* ---- turn_compact_begin(label, owner [, options]) → {turn, token, …} ---------------------------- */

enum { COMPACT_LABEL, COMPACT_OWNER, COMPACT_LEASE };

static const ArgSpec compactBeginArgs[] = {
    {"label", ARG_LABEL, 1}, {"owner", ARG_NAME, 1}, {"lease", ARG_DURATION, 0}};

/* The "/compact" that were handed over: the compaction is what they ask for. */
static InputLink *handedCompact(Cmd *c, const Session *s) {
  InputLink *list = ts_queue_list(c, s->label, SQL_QUEUE_FOR_TURN, TS_MAX_INPUTS), **at = &list;
  Text focus;
  while (*at && c->rc == SQLITE_OK) {
    if (ts_asks_compact((*at)->in, &focus)) {
      at = &(*at)->next;
    } else {
      *at = (*at)->next;
    }
  }
  return list;
}

static void runCompactBegin(Cmd *c) {
  Text owner = c->arg[COMPACT_OWNER].text;
  const Arg *lease = &c->arg[COMPACT_LEASE];
  TurnFacts f;
  Session s;
  ts_facts_init(&f);
  if (lease->given && lease->i < 1) ts_fail(c, SQLITE_ERROR, "lease must be longer than 0 ms");
  ts_session_require(c, c->arg[COMPACT_LABEL].text, &s);
  if (c->rc != SQLITE_OK) return;
  ts_turn_open_session(c, s.label, none, SOURCE_USER, &s);
  settle(c, &s, owner);
  if (c->rc == SQLITE_OK && !s.head && !aloneFailed(c, &s)) {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' has no turns that could be compacted", s.label.n,
            s.label.z);
  }
  ts_turn_take_up(c, &s);
  if (c->rc != SQLITE_OK) return;
  f.source = s.workSource;
  ts_return_text(c, beginTurn(c, &s, owner, lease->given ? lease->i : -1, &f, handedCompact(c, &s),
                              none, 1, s.calledOff));
}

const CommandSpec ts_turn_compact_begin = {"turn_compact_begin", runCompactBegin, 0,
                                           TS_ARGS(2, compactBeginArgs), NULL};
