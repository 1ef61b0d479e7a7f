/*
** resolve.c - resolve_session(): the session that a label or an alias leads to.
*/
#include "route.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec resolveArgs[] = {{"label", ARG_LABEL, 1}};

static void runResolve(Cmd *c) {
  Text found = ts_label_find(c, c->arg[0].text, NULL);
  if (found.z) {
    ts_return_text(c, found);
  } else {
    ts_return_null(c);
  }
}

const CommandSpec ts_resolve_session = {"resolve_session", runResolve, COMMAND_READ,
                                        TS_ARGS(1, resolveArgs), NULL};
