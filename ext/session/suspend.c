/*
** suspend.c - session_suspend(): sets a session aside for a while.
*/
#include "status.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec suspendArgs[] = {{"label", ARG_LABEL, 1}, {"reason", ARG_TEXT, 0}};

static void runSuspend(Cmd *c) {
  Session s;
  ts_status_find_session(c, c->arg[0].text, &s);
  ts_status_return(c, &s, STATUS_SUSPENDED, c->arg[1].text);
}

const CommandSpec ts_session_suspend = {"session_suspend", runSuspend, 0, TS_ARGS(1, suspendArgs),
                                        NULL};
