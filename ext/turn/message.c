/*
** message.c - turn_message(): a live run says something.
*/
#include "call.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const ArgSpec messageArgs[] = {TURN_AND_TOKEN, {"message", ARG_OBJECT, 1}};

static void runMessage(Cmd *c) {
  Text message = c->arg[2].text;
  char *array;
  Writer w;
  Call k;
  ts_call_enter(c, &k);
  ts_writer_resume(&w, c, k.t.id);
  w.session = k.s.label;
  array = ts_printf(c, "[%.*s]", message.n, message.z ? message.z : "");
  if (!array) return;
  w.isOne = 1;
  ts_write_messages(&w, (Text){array, (int)strlen(array)}, "message");
  ts_call_keep_answers(c, &w);
  ts_call_show_work(c, &k);
  k.repeats = w.duplicates != 0;
  ts_call_return(c, &k, w.duplicates ? NULL : "sequence", w.first, NULL);
}

const CommandSpec ts_turn_message = {"turn_message", runMessage, 0, TS_ARGS(3, messageArgs), NULL};
