/*
** steering.c - turn_steering(): a live run takes what it can while it goes on.
*/
#include "call.h"

#include "begin.h"
#include "json.h"
#include "lease.h"
#include "take.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec steeringArgs[] = {TURN_AND_TOKEN};

static void runSteering(Cmd *c) {
  InputLink *inputs;
  int recorded;
  Writer w;
  Call k;
  Json j;
  ts_call_enter(c, &k);
  inputs = ts_take_steering(c, &k.s);
  ts_writer_resume(&w, c, k.t.id);
  recorded = ts_turn_recorded(c, k.t.id);
  ts_turn_write_inputs(&w, &k.s, inputs, TURNSTILE_MAX_INTEGER);
  /* An input taken before the turn has done anything counts like those that it began with. */
  if (!recorded) ts_exec(c, SQL_TURN_INPUTS, "ii?", k.t.id, w.next, 0, (sqlite3_int64)0);
  if (k.s.run.state == RUN_INTERRUPTED) ts_run_move(c, &k.s, RUN_RUNNING);
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_turn_put_inputs(&j, inputs, none);
  ts_queue_put(&j, "cancelled", k.s.calledOff, 0);
  ts_call_put_signals(&j, &k);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_turn_steering = {"turn_steering", runSteering, 0, TS_ARGS(2, steeringArgs),
                                      NULL};
