/*
** fork.c - other heads on the same tree: session_fork(); and session_usage().
**
** A session is a label and a head. A fork is a new session with its head at an old turn: it writes a
** handful of rows, however long the thread is, and copies nothing.
*/
#include "fork.h"

#include "context.h"
#include "json.h"
#include "settle.h"
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

/* ---- session_usage(label) → JSON --------------------------------------------------------------- */

static const ArgSpec usageArgs[] = {{"label", ARG_LABEL, 1}, {"own", ARG_BOOL, 0}};

static void runUsage(Cmd *c) {
  static const char *const keys[] = {"turns",
                                     "input_tokens",
                                     "output_tokens",
                                     "cached_input_tokens",
                                     "cache_write_tokens",
                                     "reasoning_tokens",
                                     "total_tokens"};
  sqlite3_int64 counted[7] = {0, 0, 0, 0, 0, 0, 0}, thread = 0;
  Session s;
  Context x;
  Query q;
  Json j;
  ts_session_load_to_read(c, c->arg[0].text, (int)c->arg[1].i, &s);
  if (!s.exists) return;
  q = ts_query(c, SQL_SESSION_USAGE, "t", &s.label);
  if (ts_row(c, &q)) {
    for (int i = 0; i < 7; i++)
      counted[i] = ts_col_int(&q, i);
  }
  ts_end(c, &q);
  if (s.head) thread = ts_thread_tokens(c, s.head, TS_DEPTH(s.head));
  ts_context_of_session(c, &s, &x);
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "session", s.label);
  for (int i = 0; i < 7; i++)
    ts_json_put_int(&j, keys[i], counted[i]);
  ts_json_put_int(&j, "thread_turns", s.head ? TS_DEPTH(s.head) + 1 : 0);
  ts_json_put_int(&j, "thread_tokens", thread);
  ts_json_put_int(&j, "context_tokens", x.tokens);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_session_usage = {"session_usage", runUsage, COMMAND_READ,
                                      TS_ARGS(1, usageArgs), NULL};
