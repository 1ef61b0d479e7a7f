/*
** flush.c - session_flush(): makes a step of the observations since the last step.
*/
#include "task_commands.h"

#include "args.h"
#include "queue.h"
#include "task.h"
#include "word_lists.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec flushArgs[] = {{"label", ARG_LABEL, 1}, {"kind", ARG_TEXT, 0}};

/* The first kind, SessionStart, is only for the step with which the library begins a task. */
static const char *const stepKinds[] = {LIST_STEP_KIND};
#define FLUSH_KINDS (stepKinds + 1)
#define FLUSH_KIND_COUNT ((int)(sizeof(stepKinds) / sizeof(*stepKinds)) - 1)

static void runFlush(Cmd *c) {
  Session s;
  int kind = -1;
  Text before, id;
  if (c->arg[1].given) kind = ts_arg_word(c, "kind", c->arg[1].text, FLUSH_KINDS, FLUSH_KIND_COUNT);
  ts_session_require(c, c->arg[0].text, &s);
  ts_task_require(c, &s);
  if (c->rc != SQLITE_OK) return;
  before = s.task.headStepId;
  id = ts_flush(c, &s, kind < 0 ? NULL : FLUSH_KINDS[kind]);
  if (!ts_text_equal(before, id)) ts_session_touch(c, &s, s.workSource);
  ts_queue_taken_up(c, &s);
  ts_session_save(c, &s);
  ts_return_text(c, id);
}

const CommandSpec ts_session_flush = {"session_flush", runFlush, 0, TS_ARGS(2, flushArgs), NULL};
