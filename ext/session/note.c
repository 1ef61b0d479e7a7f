/*
** note.c - session_note(): a note for the open task.
*/
#include "task_commands.h"

#include "json.h"
#include "task.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec noteArgs[] = {{"label", ARG_LABEL, 1}, {"text", ARG_MESSAGE, 1}};

static void runNote(Cmd *c) {
  Session s;
  sqlite3_int64 id;
  ts_session_require(c, c->arg[0].text, &s);
  ts_task_require(c, &s);
  if (c->rc != SQLITE_OK) return;
  id = ts_observe(c, &s, "Note", 0, ts_json_pair(c, "text", c->arg[1].text), none);
  ts_session_touch(c, &s, s.workSource);
  ts_session_save(c, &s);
  ts_return_int(c, id);
}

const CommandSpec ts_session_note = {"session_note", runNote, 0, TS_ARGS(2, noteArgs), NULL};
