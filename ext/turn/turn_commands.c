/*
** turn_commands.c - the commands that write turns.
**
** A host that runs the model itself and only wants its turns kept calls turn_append() once a turn.
** A host that must be alone with a session, survive a crash, or show what is going on calls
** turn_begin(), then turn_message(), turn_tool_call() and turn_tool_result() while it goes on, and
** turn_complete(), turn_fail() or turn_abort() in the end. Everything is durable at once.
*/
#include "turn_commands.h"

#include "args.h"
#include "config.h"
#include "context.h"
#include "deliver.h"
#include "ids.h"
#include "json.h"
#include "late.h"
#include "lease.h"
#include "message.h"
#include "queue.h"
#include "report.h"
#include "retried.h"
#include "said.h"
#include "task.h"
#include "text.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

/* ---- What the commands share ----------------------------------------------------------------- */

static Source wantSource(Cmd *c, const Arg *arg, Source preset) {
  int i;
  if (!arg->given) return preset;
  i = ts_arg_word(c, "source", arg->text, ts_source_names, SOURCE_COUNT);
  return i < 0 ? preset : (Source)i;
}

/* The session of this label, made when there is none, fit for a turn. */
static void openSession(Cmd *c, Text label, Text persona, Source source, Session *s) {
  ts_session_load(c, label, s);
  if (c->rc != SQLITE_OK) return;
  if (!s->exists) {
    ts_session_create(c, s, persona, source);
  } else if (s->status == STATUS_ERROR) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' is in error; no turn begins until its status is active", s->label.n,
            s->label.z);
  }
  if (persona.z) s->personaId = persona;
}

/* A session that sleeps wakes up. Its row is only written when that is so. */
static void wake(Cmd *c, Session *s) {
  if (s->status == STATUS_ACTIVE) return;
  ts_session_revive(c, s);
  ts_session_save(c, s);
}

sqlite3_int64 ts_turn_of_external(Cmd *c, Text externalId) {
  sqlite3_int64 id = 0;
  Query q;
  if (!externalId.z) return 0;
  q = ts_query(c, SQL_TURN_BY_EXTERNAL, "t", &externalId);
  if (ts_row(c, &q)) id = ts_col_int(&q, 0);
  ts_end(c, &q);
  return id;
}

/* ---- turn_append(label, messages [, options]) → turn ----------------------------------------- */

enum {
  APPEND_LABEL,
  APPEND_MESSAGES,
  APPEND_SOURCE,
  APPEND_MODEL,
  APPEND_PROVIDER,
  APPEND_PERSONA,
  APPEND_USAGE,
  APPEND_TOKENS,
  APPEND_CURSOR,
  APPEND_STARTED,
  APPEND_EXTERNAL,
  APPEND_PARENT
};

static const ArgSpec appendArgs[] = {
    {"label", ARG_LABEL, 1},     {"messages", ARG_ARRAY, 1}, {"source", ARG_TEXT, 0},
    {"model", ARG_NAME, 0},      {"provider", ARG_NAME, 0},  {"persona", ARG_NAME, 0},
    {"usage", ARG_OBJECT, 0},    {"tokens", ARG_INT, 0},     {"resume_cursor", ARG_TEXT, 0},
    {"started_at", ARG_TIME, 0}, {"external_id", ARG_ID, 0}, {"parent", ARG_TURN, 0},
};

/* The turn to append to: the head, or what the option parent names. */
void ts_turn_find_parent(Cmd *c, const Session *s, const Arg *arg, Turn *parent) {
  sqlite3_int64 id = s->head;
  memset(parent, 0, sizeof(*parent));
  if (c->rc != SQLITE_OK) return;
  if (arg->given) {
    id = arg->text.z ? ts_turn_of_external(c, arg->text) : arg->i;
    if (c->rc == SQLITE_OK && arg->text.z && !id) {
      ts_fail(c, SQLITE_ERROR, "parent: there is no turn with external_id '%.*s'", arg->text.n,
              arg->text.z);
      return;
    }
  }
  if (arg->given) {
    ts_turn_require_on_path(c, id, parent);
  } else if (id) {
    ts_turn_head(c, s, parent);
  }
}

/* Was the turn made in this session, or in one that was merged into it? */
int ts_turn_made_in(Cmd *c, sqlite3_int64 turn, const Session *s) {
  int same = 0;
  Query q = ts_query(c, SQL_TURN_MAKER, "i", turn);
  if (ts_row(c, &q)) {
    same = ts_text_equal(ts_col_text(c, &q, 0), s->label) ||
           ts_text_equal(ts_col_text(c, &q, 1), s->label);
  }
  ts_end(c, &q);
  return same;
}

static int sameFacts(Cmd *c, sqlite3_int64 turn, const TurnFacts *f) {
  const Usage *u = &f->usage;
  const Arg *source = &c->arg[APPEND_SOURCE], *started = &c->arg[APPEND_STARTED];
  Query q =
      ts_query(c, SQL_TURN_IS, "ittst???????", turn, &c->arg[APPEND_MODEL].text,
               &c->arg[APPEND_PROVIDER].text, source->given ? ts_source_names[f->source] : NULL,
               &c->arg[APPEND_PERSONA].text, started->given, started->i, u->input >= 0, u->input,
               u->output >= 0, u->output, u->cachedInput >= 0, u->cachedInput, u->cacheWrite >= 0,
               u->cacheWrite, u->reasoning >= 0, u->reasoning, u->total >= 0, u->total);
  int same = ts_row(c, &q);
  ts_end(c, &q);
  return same;
}

const char *ts_turn_elsewhere(Cmd *c, const Turn *known, Text label, const Arg *parent,
                              Session *s) {
  ts_session_load(c, label, s);
  if (c->rc != SQLITE_OK) return NULL;
  if (!s->exists || !ts_turn_made_in(c, known->id, s)) return "in another session";
  if (parent->given) {
    Turn below;
    ts_turn_find_parent(c, s, parent, &below);
    if (below.id != known->parent) return "below another parent";
  }
  return NULL;
}

int ts_turn_is_left(Cmd *c, const Turn *known, const Arg *parent, const Session *s) {
  return known->parent == s->head || (!parent->given && !ts_is_ancestor(c, known->id, s->head));
}

/* In what a call differs from the one that made the turn, NULL when it is the same once more. */
static const char *difference(Cmd *c, const Turn *known, const TurnFacts *f) {
  const Arg *at = &c->arg[APPEND_PARENT];
  Session s;
  const char *elsewhere = ts_turn_elsewhere(c, known, c->arg[APPEND_LABEL].text, at, &s);
  if (elsewhere || c->rc != SQLITE_OK) return elsewhere;
  if (!ts_messages_equal(c, known->id, c->arg[APPEND_MESSAGES].text, "messages")) {
    return "with other messages";
  }
  if (!sameFacts(c, known->id, f)) return "with another source, model, provider, persona or usage";
  return ts_turn_is_left(c, known, at, &s) ? "and the session's head is no longer at it or below it"
                                           : NULL;
}

/* The same call once more gives the turn that the first one made. What is not the same is never dropped for
** the sake of its id. */
static void appendAgain(Cmd *c, sqlite3_int64 id, Text externalId, const TurnFacts *f) {
  Turn known;
  const char *differs;
  ts_turn_load(c, id, &known);
  if (c->rc == SQLITE_OK && !known.onPath) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "turn %lld has the external_id '%.*s' and is %s; give another external_id", id,
            externalId.n, externalId.z, ts_turn_machine.states[known.phase]);
  }
  if (c->rc != SQLITE_OK) return;
  differs = difference(c, &known, f);
  if (differs) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "external_id '%.*s' was used before for turn %lld, %s; use a new one", externalId.n,
            externalId.z, id, differs);
  }
  ts_return_int(c, id);
}

/* Inputs that stand in the words of a host: a message that is one, and names it, is told which turn it repeats. */
static void nameRepeats(const Writer *w, const InputLink *inputs) {
  Cmd *c = w->c;
  for (const InputLink *link = inputs; link && c->rc == SQLITE_OK; link = link->next) {
    const Inbound *in = link->in;
    Text named, repeats;
    if (!in->shownIn) continue;
    named = ts_input_metadata_new(c, in->queueId, 0);
    repeats = ts_input_metadata_new(c, in->queueId, in->shownIn);
    ts_exec(c, SQL_MESSAGE_RETRIES, "ittt", w->turn, &named, &in->message, &repeats);
  }
}

/* A turn holds something: results that were there already are not written once more. */
static void wantNews(Writer *w) {
  if (w->c->rc != SQLITE_OK || w->next || !w->duplicates) return;
  ts_fail(w->c, SQLITE_CONSTRAINT,
          "messages are results that are there already; a turn holds at least one new entry");
}

static void runAppend(Cmd *c) {
  Text messages = c->arg[APPEND_MESSAGES].text, externalId = c->arg[APPEND_EXTERNAL].text;
  sqlite3_int64 id;
  TurnFacts f;
  Session s;
  Turn parent;
  Writer w;
  ts_facts_init(&f);
  if (c->arg[APPEND_TOKENS].i > TURNSTILE_MAX_TOKENS) {
    ts_fail(c, SQLITE_ERROR, "tokens is %lld; it must be from 0 to 2^43 - 1",
            c->arg[APPEND_TOKENS].i);
  }
  ts_usage_parse(c, c->arg[APPEND_USAGE].text, "usage", &f.usage);
  f.source = wantSource(c, &c->arg[APPEND_SOURCE], SOURCE_USER);
  id = ts_turn_of_external(c, externalId);
  if (c->rc != SQLITE_OK) return;
  if (id) {
    appendAgain(c, id, externalId, &f);
    return;
  }
  openSession(c, c->arg[APPEND_LABEL].text, c->arg[APPEND_PERSONA].text, f.source, &s);
  if (!c->arg[APPEND_SOURCE].given) f.source = s.workSource;
  ts_lease_settle_past(c, &s, "turn_append");
  ts_turn_find_parent(c, &s, &c->arg[APPEND_PARENT], &parent);
  if (c->rc != SQLITE_OK) return;
  f.model = c->arg[APPEND_MODEL].text;
  f.provider = c->arg[APPEND_PROVIDER].text;
  f.externalId = externalId;
  f.resumeCursor = c->arg[APPEND_CURSOR].text;
  f.movesAway = parent.id != s.head;
  f.startedAt = c->arg[APPEND_STARTED].given ? c->arg[APPEND_STARTED].i : c->now;
  wake(c, &s);
  ts_worker_begins(c, &s);
  id = ts_turn_open(c, &s, &parent, &f, 0, PHASE_COMPLETING);
  ts_writer_new(&w, c, id);
  w.session = s.label;
  if (c->rc == SQLITE_OK && ts_write_messages(&w, messages, "messages") == 0) {
    ts_fail(c, SQLITE_ERROR, "messages is empty; a turn holds at least one");
  }
  wantNews(&w);
  /* Under an external_id the call may come once more, and is compared with what is there. */
  if (!externalId.z) nameRepeats(&w, ts_queue_among(c, &s, messages));
  if (c->arg[APPEND_TOKENS].given) w.tokens = c->arg[APPEND_TOKENS].i;
  ts_turn_end(c, id, PHASE_COMPLETED, 1, &f,
              parent.threadTokens + w.tokens + ts_turn_resumed_size(c, f.resumes), w.answers, none);
  ts_session_touch(c, &s, f.source);
  ts_head_move(c, &s, id, MOVE_APPEND, &f);
  ts_queue_taken_by(c, &s, id, messages);
  ts_return_int(c, id);
}

const CommandSpec ts_turn_append = {"turn_append", runAppend, 0, TS_ARGS(2, appendArgs), NULL};

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

static void putInputs(Json *j, const InputLink *inputs, Text messages) {
  ts_json_key(j, "messages");
  if (messages.z) {
    ts_json_raw(j, messages);
    return;
  }
  ts_json_open(j, '[');
  for (; inputs; inputs = inputs->next) {
    const Inbound *in = inputs->in;
    ts_json_open(j, '{');
    ts_json_put_string(j, "role", "user");
    ts_json_put(j, "content", in->message);
    ts_json_put_int(j, "queue_id", in->queueId);
    ts_json_put_string(j, "source", ts_source_names[in->source]);
    if (in->channel.n) ts_json_put(j, "channel", in->channel);
    if (in->sender.n) ts_json_put(j, "sender", in->sender);
    if (in->messageId.z) ts_json_put(j, "message_id", in->messageId);
    ts_json_put_string(j, "class", in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls]);
    ts_asks_put(j, in);
    ts_json_put_int(j, "attempt", in->attempts);
    ts_json_close(j, '}');
  }
  ts_json_close(j, ']');
}

/* Was it said after the one that stands behind it? What has the same rank stands in the order of being said. */
static int overtakes(const InputLink *link) {
  return link->next && link->in->deliveryId > link->next->in->deliveryId;
}

/* The rows of inputs are the turn's from now on; isSaid: they stand in its messages. rank: the highest that they have
** should they wait again, which they do in the order that they have now. */
static void claimInputs(Writer *w, const Session *s, const InputLink *inputs, sqlite3_int64 rank,
                        int isSaid) {
  for (const InputLink *link = inputs; link; link = link->next)
    rank -= overtakes(link);
  for (; inputs && w->c->rc == SQLITE_OK; rank += overtakes(inputs), inputs = inputs->next) {
    const Inbound *in = inputs->in;
    ts_exec(w->c, SQL_QUEUE_BEGIN, "iisii?", in->queueId, w->turn,
            in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls], rank, (sqlite3_int64)isSaid,
            s->task.id != 0, s->task.id);
  }
}

/* Inputs from the queue as messages of the turn. */
static void writeInputs(Writer *w, const Session *s, const InputLink *inputs, sqlite3_int64 rank) {
  Cmd *c = w->c;
  for (const InputLink *link = inputs; link && c->rc == SQLITE_OK; link = link->next) {
    const Inbound *in = link->in;
    ts_write_message(w, "user", ts_source_names[in->source],
                     ts_input_metadata_new(c, in->queueId, in->shownIn), in->message);
  }
  claimInputs(w, s, inputs, rank, 1);
}

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
  wantNews(&w);
  if (compacts) {
    claimInputs(&w, s, inputs, ts_queue_front_rank(c, s), 0);
  } else if (messages.z) {
    InputLink *given = ts_queue_among(c, s, messages);
    nameRepeats(&w, given);
    claimInputs(&w, s, given, ts_queue_front_rank(c, s), 1);
  } else {
    writeInputs(&w, s, inputs, ts_queue_front_rank(c, s));
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
  putInputs(&j, inputs, messages);
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
  f.source = wantSource(c, &c->arg[BEGIN_SOURCE], SOURCE_USER);
  if (c->arg[BEGIN_LEASE].given && c->arg[BEGIN_LEASE].i < 1) {
    ts_fail(c, SQLITE_ERROR, "lease must be longer than 0 ms");
  }
  ts_session_load(c, c->arg[BEGIN_LABEL].text, &s);
  if (c->rc != SQLITE_OK || (!s.exists && !messages.z)) return;
  if (s.exists) ts_workers_look(c, &s);
  /* What came to a session that was put away waits until a user brings it back. */
  if (s.status == STATUS_ARCHIVED && !messages.z && !ts_session_wakes(c, &s)) return;
  if (!s.exists || s.status == STATUS_ERROR || c->arg[BEGIN_PERSONA].given) {
    openSession(c, c->arg[BEGIN_LABEL].text, c->arg[BEGIN_PERSONA].text, f.source, &s);
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
    wake(c, &s);
    ts_deliver_given(c, &s, f.source);
  } else {
    inputs = takeInputs(c, &s, &compacts);
    if (!inputs) return;
    if (!c->arg[BEGIN_SOURCE].given) f.source = s.workSource;
    wake(c, &s);
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
  openSession(c, s.label, none, SOURCE_USER, &s);
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

/* ---- While it runs: turn_message, turn_tool_call, turn_tool_result, turn_phase, … -------------- */

/* The first two arguments of every call of a live run. */
#define TURN_AND_TOKEN                                                                             \
  {"turn", ARG_INT, 1}, {                                                                          \
    "token", ARG_INT, 1                                                                            \
  }

typedef struct Call {
  Session s;
  Turn t;
  int repeats; /* a result that was there already */
} Call;

/* A compaction holds no messages, and ends with its summary. */
static void wantConversation(Cmd *c, const Turn *t) {
  if (c->rc != SQLITE_OK || !t->isCompaction) return;
  ts_fail(c, SQLITE_CONSTRAINT,
          "turn %lld is a compaction: turn_compact ends it with a summary, turn_complete without",
          t->id);
}

static void enter(Cmd *c, Call *k) {
  ts_lease_enter(c, c->arg[0].i, c->arg[1].i, -1, &k->s, &k->t);
  k->repeats = 0;
  wantConversation(c, &k->t);
}

/* The run has shown something: it is running. */
static void showRunning(Cmd *c, Call *k) {
  if (k->s.run.state == RUN_STARTING) ts_run_walk(c, &k->s, RUN_RUNNING);
}

/* The same by something that was recorded: whatever becomes of the turn, it is work. */
static void showWork(Cmd *c, Call *k) {
  ts_task_worked(c, &k->s);
  showRunning(c, k);
}

static void keepAnswers(Cmd *c, const Writer *w) {
  if (w->answers) ts_exec(c, SQL_TURN_ANSWERS, "ii", w->turn, w->answers);
}

/* What every call of a live run returns: whether the run was interrupted, and what it could take. */
static void putSignals(Json *j, const Call *k) {
  sqlite3_int64 steering = 0;
  ts_queue_count(j->c, &k->s, &steering);
  ts_json_put_int(j, "expires_at", k->s.run.expiresAt);
  ts_json_key(j, "interrupted");
  ts_json_bool(j, k->s.run.state == RUN_INTERRUPTED);
  ts_json_put_int(j, "steering", steering);
}

static void returnSignals(Cmd *c, const Call *k, const char *key, sqlite3_int64 i,
                          const char *word) {
  Json j;
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  if (word) {
    ts_json_put_string(&j, key, word);
  } else if (key) {
    ts_json_put_int(&j, key, i);
  }
  if (k->repeats) {
    ts_json_key(&j, "duplicate");
    ts_json_bool(&j, 1);
  }
  putSignals(&j, k);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

static const ArgSpec messageArgs[] = {TURN_AND_TOKEN, {"message", ARG_OBJECT, 1}};

static void runMessage(Cmd *c) {
  Text message = c->arg[2].text;
  char *array;
  Writer w;
  Call k;
  enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  w.session = k.s.label;
  array = ts_printf(c, "[%.*s]", message.n, message.z ? message.z : "");
  if (!array) return;
  w.isOne = 1;
  ts_write_messages(&w, (Text){array, (int)strlen(array)}, "message");
  keepAnswers(c, &w);
  showWork(c, &k);
  k.repeats = w.duplicates != 0;
  returnSignals(c, &k, w.duplicates ? NULL : "sequence", w.first, NULL);
}

const CommandSpec ts_turn_message = {"turn_message", runMessage, 0, TS_ARGS(3, messageArgs), NULL};

static const ArgSpec toolCallArgs[] = {TURN_AND_TOKEN,
                                       {"call_id", ARG_NAME, 1},
                                       {"tool_name", ARG_NAME, 1},
                                       {"params", ARG_DATA, 0},
                                       {"spawned_session_label", ARG_LABEL, 0}};

static void runToolCall(Cmd *c) {
  Writer w;
  Call k;
  enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  if (c->rc != SQLITE_OK) return;
  ts_write_tool_call(&w, c->arg[2].text, c->arg[3].text, c->arg[4].text, c->arg[5].text);
  showWork(c, &k);
  returnSignals(c, &k, "sequence", w.first, NULL);
}

const CommandSpec ts_turn_tool_call = {"turn_tool_call", runToolCall, 0, TS_ARGS(5, toolCallArgs),
                                       NULL};

static const ArgSpec toolResultArgs[] = {
    TURN_AND_TOKEN, {"call_id", ARG_NAME, 1}, {"result", ARG_ANY, 1}, {"error", ARG_BOOL, 0}};

/* Has the turn of the call ended before the tool returned? */
static int isLate(Cmd *c, Turn *t) {
  ts_turn_load(c, c->arg[0].i, t);
  return c->rc == SQLITE_OK && t->exists && !TS_TURN_RUNS(t);
}

static void runToolResult(Cmd *c) {
  int isError = c->arg[4].given && c->arg[4].i;
  Writer w;
  Call k;
  if (isLate(c, &k.t)) {
    ts_late_result(c, &k.t, c->arg[1].i, c->arg[2].text, c->arg[3].text, isError);
    return;
  }
  enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  if (c->rc != SQLITE_OK) return;
  w.session = k.s.label;
  ts_write_result(&w, c->arg[2].text, c->arg[3].text, isError, "call_id");
  keepAnswers(c, &w);
  showWork(c, &k);
  k.repeats = w.duplicates != 0;
  returnSignals(c, &k, "status", 0, isError ? "failed" : "completed");
}

const CommandSpec ts_turn_tool_result = {"turn_tool_result", runToolResult, 0,
                                         TS_ARGS(4, toolResultArgs), NULL};

static const ArgSpec phaseArgs[] = {TURN_AND_TOKEN, {"phase", ARG_TEXT, 1}};

static void runPhase(Cmd *c) {
  int to = ts_arg_word(c, "phase", c->arg[2].text, ts_turn_machine.states, PHASE_COMPLETED);
  Call k;
  if (to < 0) return;
  enter(c, &k);
  if (c->rc != SQLITE_OK) return;
  if ((int)k.t.phase != to) {
    if (!ts_state_move(&ts_turn_machine, (int)k.t.phase, to)) {
      ts_fail_move(c, &ts_turn_machine, (int)k.t.phase, to);
      return;
    }
    ts_turn_walk(c, &k.s, &k.t, (TurnPhase)to);
    showRunning(c, &k);
  }
  returnSignals(c, &k, "phase", 0, ts_turn_machine.states[to]);
}

const CommandSpec ts_turn_phase = {"turn_phase", runPhase, 0, TS_ARGS(3, phaseArgs), NULL};

static const ArgSpec heartbeatArgs[] = {TURN_AND_TOKEN, {"lease", ARG_DURATION, 0}};

static void runHeartbeat(Cmd *c) {
  Call k;
  if (c->arg[2].given && c->arg[2].i < 1) {
    ts_fail(c, SQLITE_ERROR, "lease must be longer than 0 ms");
  }
  k.repeats = 0;
  ts_lease_enter(c, c->arg[0].i, c->arg[1].i, c->arg[2].given ? c->arg[2].i : -1, &k.s, &k.t);
  if (c->rc == SQLITE_OK) ts_workers_time_out(c, k.s.label);
  returnSignals(c, &k, NULL, 0, NULL);
}

const CommandSpec ts_turn_heartbeat = {"turn_heartbeat", runHeartbeat, 0, TS_ARGS(2, heartbeatArgs),
                                       NULL};

static const ArgSpec steeringArgs[] = {TURN_AND_TOKEN};

static void runSteering(Cmd *c) {
  InputLink *inputs;
  int recorded;
  Writer w;
  Call k;
  Json j;
  enter(c, &k);
  inputs = ts_deliver_steer(c, &k.s);
  ts_writer_resume(&w, c, k.t.id);
  recorded = ts_turn_recorded(c, k.t.id);
  writeInputs(&w, &k.s, inputs, TURNSTILE_MAX_INTEGER);
  /* What is taken before anything was done is an input like those that the turn began with. */
  if (!recorded) ts_exec(c, SQL_TURN_INPUTS, "ii?", k.t.id, w.next, 0, (sqlite3_int64)0);
  if (k.s.run.state == RUN_INTERRUPTED) ts_run_walk(c, &k.s, RUN_RUNNING);
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  putInputs(&j, inputs, none);
  ts_queue_put(&j, "cancelled", k.s.calledOff, 0);
  putSignals(&j, &k);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_turn_steering = {"turn_steering", runSteering, 0, TS_ARGS(2, steeringArgs),
                                      NULL};

/* ---- The end: turn_complete, turn_fail, turn_abort --------------------------------------------- */

/* What the end of a turn means for the task. */
typedef struct Outcome {
  Text word; /* question, done, or NULL */
  Text question, summary;
  Text content; /* all that is said, NULL: nothing */
} Outcome;

/* The end of a text, where what it asks stands; no character is cut. */
static Text endOf(Text text) {
  while (text.n > TS_REPORT_TAIL || (text.n && ((unsigned char)text.z[0] & 0xC0) == 0x80)) {
    text.z++;
    text.n--;
  }
  return text;
}

/* The report of a task. When its summary leaves out what the text asks, that is kept beside it: a yes is said to
** it. */
static Text reportData(Cmd *c, const Outcome *o) {
  Json j;
  if (!o->content.z || ts_report_asks(o->summary.z, o->summary.n) != REPORT_SETTLED ||
      ts_report_asks(o->content.z, o->content.n) == REPORT_SETTLED) {
    return ts_json_pair(c, "summary", o->summary);
  }
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "summary", o->summary);
  ts_json_put(&j, "question", endOf(o->content));
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* Moves the task as the outcome says. A finished turn is never refused because of it: what can't be is
** told in the note that is returned, NULL when all is well. */
static const char *applyOutcome(Cmd *c, Call *k, const Outcome *o) {
  Session *s = &k->s;
  int asks = ts_text_is(o->word, "question");
  TaskState to = asks ? TASK_AWAITING_USER : TASK_PENDING_COMPLETE;
  Text text = asks ? o->question : o->summary, data;
  if (!o->word.z || c->rc != SQLITE_OK) return NULL;
  if (!s->task.id) return "outcome ignored: no task is open";
  if (!text.z || ts_text_blank(text.z, text.n)) {
    return asks ? "outcome ignored: there is no question and no content"
                : "outcome ignored: there is no summary and no content";
  }
  if (s->task.state == TASK_INTERRUPTED) {
    sqlite3_int64 steering = 0;
    ts_queue_count(c, s, &steering);
    if (steering) return "outcome ignored: messages that interrupted the work were not taken yet";
  }
  if (s->task.state == TASK_COMPLETE || s->task.state == TASK_ABORTED) {
    return "outcome ignored: the task is over";
  }
  data = asks ? ts_json_pair(c, "question", text) : reportData(c, o);
  if (asks) data = ts_asked_at(c, s, data);
  if (s->task.state != to && s->task.state != TASK_RUNNING) {
    ts_task_move(c, s, TASK_RUNNING, none, NULL);
  }
  ts_task_move(c, s, to, data, NULL);
  if (asks) ts_note(c, s, NOTE_QUESTION, text);
  s->offered = 0;
  ts_session_save(c, s);
  return NULL;
}

/* The fields of a result. content is written as a message of the assistant, messages as they are. */
static void readResult(Cmd *c, Text result, TurnFacts *f, Writer *w, Outcome *o) {
  Text content = none, messages = none, usage = none;
  Query q;
  if (!result.z) return;
  q = ts_query(c, SQL_JSON_EACH, "t", &result);
  while (ts_row(c, &q)) {
    Text key = ts_col_text(c, &q, 0), type = ts_col_text(c, &q, 1);
    Text value = ts_clean(c, ts_col_text(c, &q, 2));
    const char *want = NULL;
    if (ts_text_is(type, "null")) continue;
    if (ts_text_is(key, "content")) {
      content = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "messages")) {
      messages = value;
      if (!ts_text_is(type, "array")) want = "an array";
    } else if (ts_text_is(key, "usage")) {
      usage = value;
      if (!ts_text_is(type, "object")) want = "an object";
    } else if (ts_text_is(key, "model")) {
      f->model = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "provider")) {
      f->provider = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "outcome")) {
      o->word = value;
      if (!ts_text_is(value, "question") && !ts_text_is(value, "done")) want = "question or done";
    } else if (ts_text_is(key, "question")) {
      o->question = value;
      if (!ts_text_is(type, "text") || ts_text_blank(value.z, value.n)) want = "text, not empty";
    } else if (ts_text_is(key, "summary")) {
      o->summary = value;
      if (!ts_text_is(type, "text") || ts_text_blank(value.z, value.n)) want = "text, not empty";
    } else if (ts_text_is(key, "resume_cursor")) {
      f->resumeCursor = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "tokens")) {
      f->tokens = ts_col_int(&q, 2);
      if (!ts_text_is(type, "integer") || f->tokens < 0 || f->tokens > TURNSTILE_MAX_TOKENS)
        want = "an integer from 0 to 2^43 - 1";
    } else {
      ts_fail(c, SQLITE_ERROR,
              "result has no field '%s'; it takes content, messages, usage, model, provider, "
              "tokens, resume_cursor, outcome, question, summary",
              ts_excerpt(c, key));
    }
    if (want) ts_fail(c, SQLITE_ERROR, "result.%.*s must be %s", key.n, key.z, want);
  }
  ts_end(c, &q);
  ts_usage_parse(c, usage, "result.usage", &f->usage);
  if (!o->question.z) o->question = content;
  if (!o->summary.z) o->summary = content;
  o->content = content;
  if (messages.z) ts_write_messages(w, messages, "result.messages");
  if (content.z) ts_write_message(w, "assistant", NULL, none, content);
}

/* What the three commands return: how the turn ended, where the head is, what waits. */
static void returnEnd(Cmd *c, const Call *k, TurnPhase how, int kept, const char *note,
                      const InputLink *stopped) {
  sqlite3_int64 waiting, due;
  Json j;
  if (c->rc == SQLITE_OK) ts_workers_time_out(c, k->s.label); /* they count among what waits */
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "turn", k->t.id);
  ts_json_put_string(&j, "status", ts_turn_machine.states[how]);
  ts_json_key(&j, "on_path");
  ts_json_bool(&j, kept);
  ts_json_put(&j, "session", k->s.label);
  ts_json_put_id(&j, "head", k->s.head);
  ts_json_put_string(&j, "state", ts_task_machine.states[k->s.task.state]);
  if (note) ts_json_put_string(&j, "note", note);
  ts_queue_put(&j, "cancelled", stopped, 0);
  waiting = ts_queue_count(c, &k->s, NULL);
  due = waiting ? ts_deliver_due(c, &k->s) : 0;
  ts_json_put_int(&j, "waiting", waiting);
  if (due > c->now) ts_json_put_int(&j, "due_at", due);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

/* A compaction that is left without a summary: what asked for it is done with, the context stays. */
static void leaveCompaction(Cmd *c, Call *k) {
  TurnFacts f;
  ts_facts_init(&f);
  ts_exec(c, SQL_QUEUE_DONE, "tii", &k->s.label, k->t.id, c->now);
  ts_turn_give_up(c, &k->s, &k->t, PHASE_ABORTED, &f, TS_TEXT("it was left without a summary"));
  ts_lease_end(c, &k->s, RUN_READY);
  returnEnd(c, k, PHASE_ABORTED, 0, "no summary was given: the context stays as it is", NULL);
}

static const ArgSpec completeArgs[] = {TURN_AND_TOKEN, {"result", ARG_OBJECT, 0}};

static void runComplete(Cmd *c) {
  Outcome outcome = {none, none, none, none};
  const char *note;
  TurnFacts f;
  Writer w;
  Call k;
  ts_facts_init(&f);
  ts_lease_show(c, c->arg[0].i, c->arg[1].i, &k.s, &k.t);
  if (c->arg[2].given) wantConversation(c, &k.t);
  if (c->rc == SQLITE_OK && k.t.isCompaction) {
    leaveCompaction(c, &k);
    return;
  }
  ts_writer_resume(&w, c, k.t.id);
  w.session = k.s.label;
  if (c->rc != SQLITE_OK) return;
  readResult(c, c->arg[2].text, &f, &w, &outcome);
  ts_turn_keep(c, &k.s, &k.t, PHASE_COMPLETED, &f, none, w.answers);
  note = applyOutcome(c, &k, &outcome);
  ts_lease_end(c, &k.s, RUN_READY);
  returnEnd(c, &k, PHASE_COMPLETED, 1, note, k.s.calledOff);
}

const CommandSpec ts_turn_complete = {"turn_complete", runComplete, 0, TS_ARGS(3, completeArgs),
                                      NULL};

/* The cursor where no head moves: "" clears it. */
static void setCursor(Cmd *c, const Session *s, const Arg *cursor) {
  Text text = cursor->text.n ? cursor->text : none;
  if (cursor->given) ts_exec(c, SQL_SESSION_CURSOR, "tt", &s->label, &text);
}

enum { FAIL_TURN, FAIL_TOKEN, FAIL_ERROR, FAIL_USAGE, FAIL_RETRY_AFTER, FAIL_CURSOR };

static const ArgSpec failArgs[] = {TURN_AND_TOKEN,
                                   {"error", ARG_MESSAGE, 1},
                                   {"usage", ARG_OBJECT, 0},
                                   {"retry_after", ARG_DURATION, 0},
                                   {"resume_cursor", ARG_TEXT, 0}};

#define MAX_RETRY_AFTER ((sqlite3_int64)365 * 86400000)

/* HTTP's Retry-After counts seconds: a bare number out of it would be a thousandth of the pause. */
static void wantUnit(Cmd *c, const Arg *arg) {
  if (arg->text.z && arg->i && ts_duration_is_bare(arg->text.z, arg->text.n)) {
    ts_fail(c, SQLITE_ERROR,
            "retry_after is '%s', without a unit; it must be a duration such as '30 s', or an "
            "integer in milliseconds",
            ts_excerpt(c, arg->text));
  } else if (!arg->text.z && arg->i > 0 && arg->i < 1000) {
    ts_fail(c, SQLITE_ERROR,
            "retry_after is %lld ms, less than a second; for seconds write '%lld s', for "
            "milliseconds '%lld ms'",
            arg->i, arg->i, arg->i);
  }
}

static void readRetryAfter(Cmd *c, TurnFacts *f) {
  const Arg *arg = &c->arg[FAIL_RETRY_AFTER];
  if (!arg->given) return;
  wantUnit(c, arg);
  f->retryAfter = arg->i;
  if (arg->i > MAX_RETRY_AFTER) {
    ts_fail(c, SQLITE_ERROR, "retry_after is %lld ms; it must be from 0 to %lld, a year", arg->i,
            MAX_RETRY_AFTER);
  }
}

static void runFail(Cmd *c) {
  const char *note = NULL;
  TurnFacts f;
  Call k;
  ts_facts_init(&f);
  readRetryAfter(c, &f);
  ts_usage_parse(c, c->arg[FAIL_USAGE].text, "usage", &f.usage);
  ts_lease_show(c, c->arg[FAIL_TURN].i, c->arg[FAIL_TOKEN].i, &k.s, &k.t);
  if (c->rc != SQLITE_OK) return;
  if (f.retryAfter >= 0 && ts_run_recorded(c, &k.t)) {
    note =
        "retry_after ignored: the turn has recorded something, and nothing is done twice by itself";
  }
  ts_turn_give_up(c, &k.s, &k.t, PHASE_FAILED, &f, c->arg[FAIL_ERROR].text);
  setCursor(c, &k.s, &c->arg[FAIL_CURSOR]);
  ts_lease_end(c, &k.s, RUN_IDLE);
  returnEnd(c, &k, PHASE_FAILED, 0, note, k.s.calledOff);
}

const CommandSpec ts_turn_fail = {"turn_fail", runFail, 0, TS_ARGS(3, failArgs), NULL};

enum {
  ABORT_TURN,
  ABORT_TOKEN,
  ABORT_REASON,
  ABORT_KEEP,
  ABORT_USAGE,
  ABORT_REQUEUE,
  ABORT_CURSOR
};

static const ArgSpec abortArgs[] = {TURN_AND_TOKEN,           {"reason", ARG_MESSAGE, 1},
                                    {"keep", ARG_BOOL, 0},    {"usage", ARG_OBJECT, 0},
                                    {"requeue", ARG_BOOL, 0}, {"resume_cursor", ARG_TEXT, 0}};

/* Does the turn stay on the path? With what it has recorded; also when a message interrupts it, which
** would be hard to understand without the one that it interrupts. A compaction has said nothing. */
static int abortKeeps(Cmd *c, const Call *k, const Arg *keep) {
  if ((keep->given && !keep->i) || k->t.isCompaction) return 0;
  return k->s.run.state == RUN_INTERRUPTED || ts_turn_recorded(c, k->t.id);
}

/* Somebody stops the turn: whoever executes it, or who has seen it. */
static void abortTurn(Cmd *c, Call *k, const TurnFacts *f, Text reason, const Arg *keep) {
  InputLink *stopped;
  int keeps;
  if (c->rc != SQLITE_OK) return;
  keeps = abortKeeps(c, k, keep);
  stopped = ts_turn_stop(c, &k->s, &k->t, f, reason, keeps);
  ts_lease_end(c, &k->s, RUN_IDLE);
  if (!k->t.isCompaction) ts_worker_halted(c, &k->s, reason);
  returnEnd(c, k, PHASE_ABORTED, keeps, NULL, stopped);
}

static void runAbort(Cmd *c) {
  Text reason = c->arg[ABORT_REASON].text;
  TurnFacts f;
  Call k;
  ts_facts_init(&f);
  ts_usage_parse(c, c->arg[ABORT_USAGE].text, "usage", &f.usage);
  if (c->arg[ABORT_REQUEUE].i && c->arg[ABORT_KEEP].i) {
    ts_fail(c, SQLITE_ERROR,
            "keep and requeue are both given; what is to be done again can't stay as done");
  }
  ts_lease_show(c, c->arg[ABORT_TURN].i, c->arg[ABORT_TOKEN].i, &k.s, &k.t);
  if (c->rc != SQLITE_OK) return;
  if (!c->arg[ABORT_REQUEUE].i) {
    abortTurn(c, &k, &f, reason, &c->arg[ABORT_KEEP]);
    setCursor(c, &k.s, &c->arg[ABORT_CURSOR]);
    return;
  }
  ts_turn_requeue(c, &k.s, &k.t, &f, reason);
  setCursor(c, &k.s, &c->arg[ABORT_CURSOR]);
  ts_lease_end(c, &k.s, RUN_IDLE);
  returnEnd(c, &k, PHASE_ABORTED, 0, NULL, k.s.calledOff);
}

const CommandSpec ts_turn_abort = {"turn_abort", runAbort, 0, TS_ARGS(3, abortArgs), NULL};

/* ---- session_stop(label, turn, reason [, options]) ---------------------------------------------- */

enum { STOP_LABEL, STOP_TURN, STOP_REASON, STOP_KEEP };

static const ArgSpec stopArgs[] = {{"label", ARG_LABEL, 1},
                                   {"turn", ARG_INT, 1},
                                   {"reason", ARG_MESSAGE, 1},
                                   {"keep", ARG_BOOL, 0}};

/* The session that executes the turn, if it is the one that is meant: a merged session keeps the run
** that it has. */
static int findRun(Cmd *c, sqlite3_int64 turn, const Session *meant, Session *s) {
  Text label = none;
  Query q = ts_query(c, SQL_RUN_OF_TURN, "i", turn);
  if (ts_row(c, &q)) label = ts_col_text(c, &q, 0);
  ts_end(c, &q);
  if (!label.z || c->rc != SQLITE_OK) return 0;
  ts_session_load_exact(c, label, s);
  return s->exists &&
         (ts_text_equal(s->label, meant->label) || ts_text_equal(s->supersededBy, meant->label));
}

/* What was seen is not what is there now. */
static void failSeen(Cmd *c, const Session *s, sqlite3_int64 turn) {
  Turn t;
  memset(&t, 0, sizeof(t));
  ts_turn_load(c, turn, &t);
  if (s->run.turnId) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' executes turn %lld now, not %lld; session_state shows it", s->label.n,
            s->label.z, s->run.turnId, turn);
  } else {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' executes no turn now; turn %lld %s%s", s->label.n,
            s->label.z, turn, t.exists ? "is " : "is not there",
            t.exists ? ts_turn_machine.states[t.phase] : "");
  }
}

static void runStop(Cmd *c) {
  sqlite3_int64 turn = c->arg[STOP_TURN].i;
  Session meant;
  TurnFacts f;
  Call k;
  ts_facts_init(&f);
  ts_session_require(c, c->arg[STOP_LABEL].text, &meant);
  if (c->rc != SQLITE_OK) return;
  if (!findRun(c, turn, &meant, &k.s)) {
    failSeen(c, &meant, turn);
    return;
  }
  ts_turn_require(c, turn, &k.t);
  if (c->rc == SQLITE_OK && !TS_TURN_RUNS(&k.t)) {
    failSeen(c, &meant, turn);
    return;
  }
  abortTurn(c, &k, &f, c->arg[STOP_REASON].text, &c->arg[STOP_KEEP]);
}

const CommandSpec ts_session_stop = {"session_stop", runStop, 0, TS_ARGS(3, stopArgs), NULL};
