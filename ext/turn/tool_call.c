/*
** tool_call.c - turn_tool_call(): a live run calls a tool.
*/
#include "call.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec toolCallArgs[] = {TURN_AND_TOKEN,
                                       {"call_id", ARG_NAME, 1},
                                       {"tool_name", ARG_NAME, 1},
                                       {"params", ARG_DATA, 0},
                                       {"spawned_session_label", ARG_LABEL, 0}};

static void runToolCall(Cmd *c) {
  Writer w;
  Call k;
  ts_call_enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  if (c->rc != SQLITE_OK) return;
  ts_write_tool_call(&w, c->arg[2].text, c->arg[3].text, c->arg[4].text, c->arg[5].text);
  ts_call_show_work(c, &k);
  ts_call_return(c, &k, "sequence", w.first, NULL);
}

const CommandSpec ts_turn_tool_call = {"turn_tool_call", runToolCall, 0, TS_ARGS(5, toolCallArgs),
                                       NULL};
