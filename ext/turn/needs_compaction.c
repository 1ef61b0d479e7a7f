/*
** needs_compaction.c - session_needs_compaction(): does a context fill too much of a model's
** context window?
*/
#include "context.h"

#include "config.h"
#include "session.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec needsArgs[] = {
    {"label", ARG_LABEL, 1}, {"model_limit", ARG_INT, 1}, {"extra_tokens", ARG_INT, 0}};

static void runNeeds(Cmd *c) {
  sqlite3_int64 limit = c->arg[1].i, extra = c->arg[2].given ? c->arg[2].i : 0, percent;
  Session s;
  Context x;
  if (limit < 1 || limit > TURNSTILE_MAX_TOKENS || extra > TURNSTILE_MAX_TOKENS) {
    ts_fail(c, SQLITE_ERROR, "%s is %lld; it must be a number of tokens from %d to 2^43 - 1",
            limit < 1 || limit > TURNSTILE_MAX_TOKENS ? "model_limit" : "extra_tokens",
            limit < 1 || limit > TURNSTILE_MAX_TOKENS ? limit : extra,
            limit < 1 || limit > TURNSTILE_MAX_TOKENS);
  }
  ts_session_require(c, c->arg[0].text, &s);
  if (c->rc != SQLITE_OK) return;
  ts_context_of_session(c, &s, &x);
  percent = ts_config_int(c, s.label, CONFIG_COMPACTION_THRESHOLD);
  ts_return_int(c, (x.tokens + extra) * 100 > limit * percent);
}

const CommandSpec ts_session_needs_compaction = {"session_needs_compaction", runNeeds, COMMAND_READ,
                                                 TS_ARGS(3, needsArgs), NULL};
