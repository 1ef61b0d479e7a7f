/*
** phase.c - turn_phase(): what a live run is doing.
*/
#include "call.h"

#include "args.h"
#include "session.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec phaseArgs[] = {TURN_AND_TOKEN, {"phase", ARG_TEXT, 1}};

static void runPhase(Cmd *c) {
  int to = ts_arg_word(c, "phase", c->arg[2].text, ts_turn_machine.states, PHASE_COMPLETED);
  Call k;
  if (to < 0) return;
  ts_call_enter(c, &k);
  if (c->rc != SQLITE_OK) return;
  if ((int)k.t.phase != to) {
    if (!ts_state_move(&ts_turn_machine, (int)k.t.phase, to)) {
      ts_fail_move(c, &ts_turn_machine, (int)k.t.phase, to);
      return;
    }
    ts_turn_move(c, &k.s, &k.t, (TurnPhase)to);
    ts_call_show_running(c, &k);
  }
  ts_call_return(c, &k, "phase", 0, ts_turn_machine.states[to]);
}

const CommandSpec ts_turn_phase = {"turn_phase", runPhase, 0, TS_ARGS(3, phaseArgs), NULL};
