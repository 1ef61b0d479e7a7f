/*
** begin.c - turn_begin(): begins a turn with the inputs that wait, or with what the host gives.
*/
#include "turn_commands.h"

#include "begin.h"
#include "context.h"
#include "ids.h"
#include "opening.h"
#include "queue.h"
#include "said.h"
#include "stop_workers.h"
#include "take.h"

SQLITE_EXTENSION_INIT3

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

/* Does the context of a session show a turn that a summary could stand for? */
static int canCompact(Cmd *c, const Session *s) {
  Context x;
  Path path;
  int found = 0;
  if (!s->head) return ts_turn_only_failed(c, s) != 0;
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

/* The inputs that wait for the session. A "/compact" is not a turn of the conversation: it begins a
** compaction. When there is nothing to compact (yet, or any more), the input is finished. */
static InputLink *takeInputs(Cmd *c, Session *s, int *compacts) {
  InputLink *inputs;
  Text focus;
  for (;;) {
    inputs = ts_take_inputs(c, s);
    *compacts = inputs && ts_asks_compact(inputs->in, &focus);
    if (!*compacts || canCompact(c, s) || c->rc != SQLITE_OK) return inputs;
    ts_exec(c, SQL_QUEUE_SETTLE, "iis", inputs->in->queueId, c->now, NULL);
  }
}

/* Something is handed over, after an event: what happens now belongs to the next turn, even if a
** compaction makes the turn at the head. */
static void leaveHead(Cmd *c, Session *s, sqlite3_int64 before, int compacts) {
  ts_head_leave(c, s, before);
  if (compacts && ts_turn_add_empty(c, s)) ts_head_leave(c, s, before);
}

Text ts_turn_begin_for(Cmd *c, Session *s, Text owner, sqlite3_int64 before) {
  TurnFacts f;
  InputLink *inputs;
  int compacts;
  ts_facts_init(&f);
  ts_turn_settle_before(c, s, owner);
  inputs = takeInputs(c, s, &compacts);
  if (!inputs) return none;
  f.source = s->workSource;
  leaveHead(c, s, before, compacts);
  return ts_turn_start(c, s, &f,
                       &(Opening){.owner = owner, .inputs = inputs, .compacts = compacts});
}

static void runBegin(Cmd *c) {
  Text messages = c->arg[BEGIN_MESSAGES].text, owner = c->arg[BEGIN_OWNER].text;
  InputLink *inputs = NULL;
  int compacts = 0;
  Opening opening;
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
  /* Inputs of an archived or suspended session wait until a user brings it back. */
  if (s.status == STATUS_ARCHIVED && !messages.z && !ts_session_wakes(c, &s)) return;
  if (!s.exists || s.status == STATUS_ERROR || c->arg[BEGIN_PERSONA].given) {
    ts_turn_open_session(c, c->arg[BEGIN_LABEL].text, c->arg[BEGIN_PERSONA].text, f.source, &s);
  }
  ts_turn_settle_before(c, &s, owner);
  if (c->rc == SQLITE_OK && ts_turn_of_external(c, c->arg[BEGIN_EXTERNAL].text)) {
    ts_fail(c, SQLITE_CONSTRAINT, "there is a turn with external_id '%.*s' already; use a new one",
            c->arg[BEGIN_EXTERNAL].text.n, c->arg[BEGIN_EXTERNAL].text.z);
  }
  if (c->rc != SQLITE_OK) return;
  before = ts_id_last(c, ID_EVENT);
  if (messages.z) {
    if (!c->arg[BEGIN_SOURCE].given) f.source = s.workSource;
    ts_turn_wake_session(c, &s);
    ts_take_given(c, &s, f.source);
  } else {
    inputs = takeInputs(c, &s, &compacts);
    if (!inputs) return;
    if (!c->arg[BEGIN_SOURCE].given) f.source = s.workSource;
    ts_turn_wake_session(c, &s);
  }
  f.model = c->arg[BEGIN_MODEL].text;
  f.provider = c->arg[BEGIN_PROVIDER].text;
  f.externalId = c->arg[BEGIN_EXTERNAL].text;
  leaveHead(c, &s, before, compacts);
  opening = (Opening){owner, &c->arg[BEGIN_LEASE], inputs, messages, compacts, s.calledOff};
  ts_return_text(c, ts_turn_start(c, &s, &f, &opening));
}

const CommandSpec ts_turn_begin = {"turn_begin", runBegin, 0, TS_ARGS(2, beginArgs), NULL};
