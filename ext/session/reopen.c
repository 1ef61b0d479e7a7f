/*
** reopen.c - session_reopen(): makes a session active again after an error.
*/
#include "status.h"

SQLITE_EXTENSION_INIT3

static void runReopen(Cmd *c) {
  ts_status_come_back(c, STATUS_ERROR, "in error");
}

const CommandSpec ts_session_reopen = {"session_reopen", runReopen, 0,
                                       TS_ARGS(1, ts_status_label_args), NULL};
