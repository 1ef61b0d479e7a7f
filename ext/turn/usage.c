/*
** usage.c - session_usage(): tokens and turns, of a session and of its thread.
*/
#include "fork.h"

#include "context.h"
#include "json.h"

SQLITE_EXTENSION_INIT3

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
