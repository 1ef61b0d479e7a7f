/*
** observe.c - session_observe(): what the agent has read, written, run or planned.
*/
#include "task_commands.h"

#include "args.h"
#include "task.h"
#include "word_lists.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec observeArgs[] = {{"label", ARG_LABEL, 1},
                                      {"kind", ARG_TEXT, 1},
                                      {"data", ARG_DATA, 1},
                                      {"content", ARG_TEXT, 0}};

static const char *const observationKinds[] = {LIST_OBSERVATION_KIND};

static void runObserve(Cmd *c) {
  Session s;
  sqlite3_int64 id;
  int kind = ts_arg_word(c, "kind", c->arg[1].text, observationKinds, 5);
  ts_session_require(c, c->arg[0].text, &s);
  ts_task_require(c, &s);
  if (c->rc != SQLITE_OK) return;
  id = ts_observe(c, &s, observationKinds[kind], 0, c->arg[2].text, c->arg[3].text);
  ts_session_touch(c, &s, s.workSource);
  ts_session_save(c, &s);
  ts_return_int(c, id);
}

const CommandSpec ts_session_observe = {"session_observe", runObserve, 0, TS_ARGS(4, observeArgs),
                                        NULL};
