/*
** fork.c - session_fork(): another head on the same tree.
**
** A session is a label and a head. A fork is a new session with its head at an old turn: it writes a
** handful of rows, however long the thread is, and copies nothing.
*/
#include "fork.h"

#include "settle.h"
#include "turn.h"
#include "ulid.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- session_fork(turn [, label]) → label ----------------------------------------------------- */

static const ArgSpec forkArgs[] = {
    {"turn", ARG_INT, 1}, {"label", ARG_LABEL, 0}, {"persona", ARG_NAME, 0}};

static void runFork(Cmd *c) {
  Text label = c->arg[1].text, persona = c->arg[2].text;
  const char *data;
  Session s;
  Turn t;
  ts_turn_require_on_path(c, c->arg[0].i, &t);
  if (!label.z) label = ts_ulid_label(c, "fork", '-', ID_HISTORY);
  ts_label_want_free(c, label);
  if (c->rc != SQLITE_OK) return;
  if (!persona.z) persona = t.personaId;
  ts_exec(c, SQL_SESSION_FORK, "ttii", &label, &persona, t.id, c->now);
  memset(&s, 0, sizeof(s));
  s.label = label;
  s.lastActivity = c->now;
  data = ts_printf(c, "{\"turn\":%lld}", t.id);
  ts_event(c, &s, "status", NULL, "active", "fork", (Text){data, data ? (int)strlen(data) : 0});
  ts_head_move(c, &s, t.id, MOVE_FORK, NULL);
  ts_keys_settle_new(c, label);
  ts_return_text(c, label);
}

const CommandSpec ts_session_fork = {"session_fork", runFork, 0, TS_ARGS(2, forkArgs), NULL};
