/*
** fail.c - session_fail(): sets a session to error.
*/
#include "status.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec failArgs[] = {{"label", ARG_LABEL, 1}, {"reason", ARG_MESSAGE, 1}};

static void runFail(Cmd *c) {
  Session s;
  ts_status_find_session(c, c->arg[0].text, &s);
  ts_status_return(c, &s, STATUS_ERROR, c->arg[1].text);
}

const CommandSpec ts_session_fail = {"session_fail", runFail, 0, TS_ARGS(2, failArgs), NULL};
