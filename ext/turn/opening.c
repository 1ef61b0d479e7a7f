/*
** opening.c - a turn begins: its row, the lease, its first messages. begin.c and compact_begin.c say with what.
*/
#include "opening.h"

#include "config.h"
#include "json.h"
#include "lease.h"
#include "messages.h"
#include "turn_commands.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* What the turn does is seen in its phase. */
static void showCompacting(Cmd *c, const Session *s, sqlite3_int64 id) {
  Turn t;
  ts_turn_load(c, id, &t);
  if (c->rc == SQLITE_OK) ts_turn_move(c, s, &t, PHASE_COMPACTING);
}

Text ts_turn_start(Cmd *c, Session *s, TurnFacts *f, const Opening *o) {
  sqlite3_int64 id;
  Turn parent;
  Writer w;
  Json j;
  ts_turn_find_parent(c, s, &(Arg){0}, &parent);
  if (c->rc != SQLITE_OK) return none;
  f->startedAt = c->now;
  for (const InputLink *link = o->messages.z || o->compacts ? NULL : o->inputs; link;
       link = link->next)
    f->inputs++;
  id = ts_turn_open(c, s, &parent, f, o->compacts, PHASE_PROCESSING);
  ts_lease_take(c, s, o->owner, id,
                o->lease && o->lease->given ? o->lease->i
                                            : ts_config_int(c, s->label, CONFIG_LEASE));
  ts_turn_event(c, s, id, PHASE_COUNT, PHASE_PROCESSING, "begin");
  if (o->compacts) showCompacting(c, s, id);
  ts_worker_begins(c, s);
  ts_writer_new(&w, c, id);
  w.session = s->label;
  if (o->messages.z && c->rc == SQLITE_OK && ts_write_messages(&w, o->messages, "messages") == 0) {
    ts_fail(c, SQLITE_ERROR,
            "messages is empty; without it the turn takes what waits in the queue");
  }
  ts_turn_want_news(&w);
  if (o->compacts) {
    ts_turn_claim_inputs(&w, s, o->inputs, ts_queue_front_rank(c, s), 0);
  } else if (o->messages.z) {
    InputLink *given = ts_queue_among(c, s, o->messages);
    ts_turn_mark_repeats(&w, given);
    ts_turn_claim_inputs(&w, s, given, ts_queue_front_rank(c, s), 1);
  } else {
    ts_turn_write_inputs(&w, s, o->inputs, ts_queue_front_rank(c, s));
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
  if (o->compacts) {
    ts_json_put(&j, "summarization_model",
                ts_config_host_name(c, s->label, CONFIG_SUMMARIZATION_MODEL));
  }
  ts_turn_put_inputs(&j, o->inputs, o->messages);
  ts_queue_put(&j, "cancelled", o->calledOff, 0);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

void ts_turn_settle_before(Cmd *c, Session *s, Text owner) {
  const char *by = ts_printf(c, "'%.*s'", owner.n, owner.z);
  ts_lease_require_free(c, s, by);
  if (s->exists) ts_lease_recover_inputs(c, s, by);
}

sqlite3_int64 ts_turn_only_failed(Cmd *c, const Session *s) {
  sqlite3_int64 context = 0;
  Turn failed;
  if (s->head || !s->run.failedTurn || c->rc != SQLITE_OK) return 0;
  ts_turn_load(c, s->run.failedTurn, &failed);
  return ts_turn_resumable(c, &failed, 0, &context);
}

int ts_turn_add_empty(Cmd *c, Session *s) {
  TurnFacts f;
  Turn nothing;
  Writer w;
  sqlite3_int64 id;
  if (!ts_turn_only_failed(c, s)) return 0;
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
