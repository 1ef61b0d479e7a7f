/*
** alias.c - session_alias(): gives a session another name.
*/
#include "route.h"

#include "config.h"
#include "session.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec aliasArgs[] = {{"alias", ARG_LABEL, 1}, {"label", ARG_LABEL, 0}};

static void runAlias(Cmd *c) {
  Text alias = c->arg[0].text, target = none, reason = none, held = none;
  Session s;
  Query q = ts_query(c, SQL_ALIAS_GET, "t", &alias);
  if (ts_row(c, &q)) {
    held = ts_col_text(c, &q, COL_ALIAS_GET_SESSION_LABEL);
    reason = ts_col_text(c, &q, COL_ALIAS_GET_REASON);
  }
  ts_end(c, &q);
  ts_session_load_exact(c, alias, &s);
  if (c->rc != SQLITE_OK) return;
  if (s.exists) {
    ts_fail(c, SQLITE_CONSTRAINT, "alias '%.*s' is the label of a session; choose another one",
            alias.n, alias.z);
    return;
  }
  if (held.z && !ts_text_is(reason, "manual")) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "alias '%.*s' was made by identity_link and leads to '%.*s'; identity_unlink takes it "
            "back",
            alias.n, alias.z, held.n, held.z);
    return;
  }
  if (held.z) ts_exec(c, SQL_ALIAS_DROP_HOME, "t", &alias);
  if (!c->arg[1].given) {
    if (held.z) ts_exec(c, SQL_ALIAS_DROP, "t", &alias);
    ts_return_null(c);
    return;
  }
  ts_session_require(c, c->arg[1].text, &s);
  target = s.label;
  if (c->rc != SQLITE_OK) return;
  if (!held.z) {
    ts_exec(c, SQL_ALIAS_ADD, "ttsi", &alias, &target, "manual", c->now);
    ts_config_follow(c, alias, target);
  } else if (!ts_text_equal(held, target)) {
    ts_exec(c, SQL_ALIAS_POINT, "ttsi", &alias, &target, "manual", c->now);
  }
  ts_return_text(c, target);
}

const CommandSpec ts_session_alias = {"session_alias", runAlias, 0, TS_ARGS(2, aliasArgs), NULL};
