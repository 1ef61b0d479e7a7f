/*
** resume.c - session_resume(): makes a suspended session active again.
*/
#include "status.h"

SQLITE_EXTENSION_INIT3

static void runResume(Cmd *c) {
  ts_status_come_back(c, STATUS_SUSPENDED, "suspended");
}

const CommandSpec ts_session_resume = {"session_resume", runResume, 0,
                                       TS_ARGS(1, ts_status_label_args), NULL};
