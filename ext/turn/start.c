/*
** start.c - session_start(): a task begins because somebody says so.
*/
#include "turn_commands.h"

#include "end_task.h"
#include "ids.h"
#include "settle.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec startArgs[] = {
    {"label", ARG_LABEL, 1}, {"task", ARG_MESSAGE, 1}, {"persona", ARG_NAME, 0}};

static void runStart(Cmd *c) {
  Session s;
  ts_session_load(c, c->arg[0].text, &s);
  if (c->rc != SQLITE_OK) return;
  if (!s.exists) {
    ts_session_open(c, &s, c->arg[2].text, SOURCE_USER);
  } else if (s.status == STATUS_ERROR) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' is in error; no task begins until its status is active", s.label.n,
            s.label.z);
  }
  ts_task_settle(c, &s);
  if (s.task.id) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' has an open task (%.*s, %s); session_compact ends it first", s.label.n,
            s.label.z, s.task.description.n > 120 ? 120 : s.task.description.n,
            s.task.description.z, ts_task_machine.states[s.task.state]);
  }
  ts_session_revive(c, &s);
  ts_queue_taken_up(c, &s);
  ts_head_leave(c, &s, ts_id_last(c, ID_EVENT));
  ts_task_start(c, &s, c->arg[1].text, NULL);
  s.workSource = SOURCE_USER;
  ts_session_touch(c, &s, SOURCE_USER);
  s.offered = 0;
  ts_session_save(c, &s);
  ts_return_int(c, s.task.id);
}

const CommandSpec ts_session_start = {"session_start", runStart, 0, TS_ARGS(2, startArgs), NULL};
