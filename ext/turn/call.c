/*
** call.c - what the calls of a live run share: each shows its turn and its token, and returns what the host should know.
*/
#include "call.h"

#include "lease.h"
#include "line.h"
#include "queue.h"
#include "stop_workers.h"
#include "task.h"

SQLITE_EXTENSION_INIT3

void ts_call_want_conversation(Cmd *c, const Turn *t) {
  if (c->rc != SQLITE_OK || !t->isCompaction) return;
  ts_fail(c, SQLITE_CONSTRAINT,
          "turn %lld is a compaction: turn_compact ends it with a summary, turn_complete without",
          t->id);
}

void ts_call_enter(Cmd *c, Call *k) {
  ts_lease_renew(c, c->arg[0].i, c->arg[1].i, -1, &k->s, &k->t);
  k->repeats = 0;
  ts_call_want_conversation(c, &k->t);
}

void ts_call_show_running(Cmd *c, Call *k) {
  if (k->s.run.state == RUN_STARTING) ts_run_move(c, &k->s, RUN_RUNNING);
}

void ts_call_show_work(Cmd *c, Call *k) {
  ts_task_worked(c, &k->s);
  ts_call_show_running(c, k);
}

void ts_call_keep_answers(Cmd *c, const Writer *w) {
  if (w->answers) ts_exec(c, SQL_TURN_ANSWERS, "ii", w->turn, w->answers);
}

void ts_call_put_signals(Json *j, const Call *k) {
  sqlite3_int64 steering = 0;
  ts_queue_count(j->c, &k->s, &steering);
  ts_json_put_int(j, "expires_at", k->s.run.expiresAt);
  ts_json_key(j, "interrupted");
  ts_json_bool(j, k->s.run.state == RUN_INTERRUPTED);
  ts_json_put_int(j, "steering", steering);
}

void ts_call_return(Cmd *c, const Call *k, const char *key, sqlite3_int64 i, const char *word) {
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
  ts_call_put_signals(&j, k);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

void ts_call_return_end(Cmd *c, const Call *k, TurnPhase how, int kept, const char *note,
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
  due = waiting ? ts_line_due(c, &k->s) : 0;
  ts_json_put_int(&j, "waiting", waiting);
  if (due > c->now) ts_json_put_int(&j, "due_at", due);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

void ts_call_set_cursor(Cmd *c, const Session *s, const Arg *cursor) {
  Text text = cursor->text.n ? cursor->text : none;
  if (cursor->given) ts_exec(c, SQL_SESSION_CURSOR, "tt", &s->label, &text);
}
