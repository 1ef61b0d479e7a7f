/*
** append.c - turn_append(): adds a finished turn as a whole; and what commands that write turns
** share.
**
** A host that runs the model itself and only wants its turns kept calls turn_append() once a turn.
** A host that needs a session for itself, must survive a crash, or shows its progress calls
** turn_begin(), then turn_message(), turn_tool_call() and turn_tool_result() during the turn, and
** turn_complete(), turn_fail() or turn_abort() at the end. Everything is durable at once.
*/
#include "turn_commands.h"

#include "args.h"
#include "json.h"
#include "lease.h"
#include "messages.h"
#include "queue.h"
#include "retried.h"
#include "said.h"
#include "settle.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- What the commands share ----------------------------------------------------------------- */

Source ts_turn_want_source(Cmd *c, const Arg *arg, Source preset) {
  int i;
  if (!arg->given) return preset;
  i = ts_arg_word(c, "source", arg->text, ts_source_names, SOURCE_COUNT);
  return i < 0 ? preset : (Source)i;
}

void ts_turn_open_session(Cmd *c, Text label, Text persona, Source source, Session *s) {
  ts_session_load(c, label, s);
  if (c->rc != SQLITE_OK) return;
  if (!s->exists) {
    ts_session_open(c, s, persona, source);
  } else if (s->status == STATUS_ERROR) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' is in error; no turn begins until its status is active", s->label.n,
            s->label.z);
  }
  if (persona.z) s->personaId = persona;
}

void ts_turn_wake_session(Cmd *c, Session *s) {
  if (s->status == STATUS_ACTIVE) return;
  ts_session_revive(c, s);
  ts_session_save(c, s);
}

sqlite3_int64 ts_turn_of_external(Cmd *c, Text externalId) {
  sqlite3_int64 id = 0;
  Query q;
  if (!externalId.z) return 0;
  q = ts_query(c, SQL_TURN_BY_EXTERNAL, "t", &externalId);
  if (ts_row(c, &q)) id = ts_col_int(&q, COL_TURN_BY_EXTERNAL_ID);
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
static int madeIn(Cmd *c, sqlite3_int64 turn, const Session *s) {
  int same = 0;
  Query q = ts_query(c, SQL_TURN_MAKER, "i", turn);
  if (ts_row(c, &q)) {
    same = ts_text_equal(ts_col_text(c, &q, COL_TURN_MAKER_SESSION_LABEL), s->label) ||
           ts_text_equal(ts_col_text(c, &q, COL_TURN_MAKER_SUPERSEDED_BY), s->label);
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
  if (!s->exists || !madeIn(c, known->id, s)) return "in another session";
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

/* How a call differs from the one that made the turn; NULL when it is the same call again. */
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

/* Repeating a call gives the turn that the first one made. A different call is never dropped
** because of its id. */
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

void ts_turn_mark_repeats(const Writer *w, const InputLink *inputs) {
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

void ts_turn_want_news(Writer *w) {
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
  f.source = ts_turn_want_source(c, &c->arg[APPEND_SOURCE], SOURCE_USER);
  id = ts_turn_of_external(c, externalId);
  if (c->rc != SQLITE_OK) return;
  if (id) {
    appendAgain(c, id, externalId, &f);
    return;
  }
  ts_turn_open_session(c, c->arg[APPEND_LABEL].text, c->arg[APPEND_PERSONA].text, f.source, &s);
  if (!c->arg[APPEND_SOURCE].given) f.source = s.workSource;
  ts_lease_require_free_past(c, &s, "turn_append");
  ts_turn_find_parent(c, &s, &c->arg[APPEND_PARENT], &parent);
  if (c->rc != SQLITE_OK) return;
  f.model = c->arg[APPEND_MODEL].text;
  f.provider = c->arg[APPEND_PROVIDER].text;
  f.externalId = externalId;
  f.resumeCursor = c->arg[APPEND_CURSOR].text;
  f.movesAway = parent.id != s.head;
  f.startedAt = c->arg[APPEND_STARTED].given ? c->arg[APPEND_STARTED].i : c->now;
  ts_turn_wake_session(c, &s);
  ts_worker_begins(c, &s);
  id = ts_turn_open(c, &s, &parent, &f, 0, PHASE_COMPLETING);
  ts_writer_new(&w, c, id);
  w.session = s.label;
  if (c->rc == SQLITE_OK && ts_write_messages(&w, messages, "messages") == 0) {
    ts_fail(c, SQLITE_ERROR, "messages is empty; a turn holds at least one");
  }
  ts_turn_want_news(&w);
  /* Under an external_id the call may come once more, and is compared with what is there. */
  if (!externalId.z) ts_turn_mark_repeats(&w, ts_queue_among(c, &s, messages));
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

void ts_turn_put_inputs(Json *j, const InputLink *inputs, Text messages) {
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

void ts_turn_claim_inputs(Writer *w, const Session *s, const InputLink *inputs, sqlite3_int64 rank,
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

void ts_turn_write_inputs(Writer *w, const Session *s, const InputLink *inputs,
                          sqlite3_int64 rank) {
  Cmd *c = w->c;
  for (const InputLink *link = inputs; link && c->rc == SQLITE_OK; link = link->next) {
    const Inbound *in = link->in;
    ts_write_message(w, "user", ts_source_names[in->source],
                     ts_input_metadata_new(c, in->queueId, in->shownIn), in->message);
  }
  ts_turn_claim_inputs(w, s, inputs, rank, 1);
}
