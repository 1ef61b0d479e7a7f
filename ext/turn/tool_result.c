/*
** tool_result.c - turn_tool_result(): what a tool gave; late.c has what comes when its turn has ended.
*/
#include "call.h"

#include "late.h"

SQLITE_EXTENSION_INIT3

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
  ts_call_enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  if (c->rc != SQLITE_OK) return;
  w.session = k.s.label;
  ts_write_result(&w, c->arg[2].text, c->arg[3].text, isError, "call_id");
  ts_call_keep_answers(c, &w);
  ts_call_show_work(c, &k);
  k.repeats = w.duplicates != 0;
  ts_call_return(c, &k, "status", 0, ts_call_end(isError));
}

const CommandSpec ts_turn_tool_result = {"turn_tool_result", runToolResult, 0,
                                         TS_ARGS(4, toolResultArgs), NULL};
