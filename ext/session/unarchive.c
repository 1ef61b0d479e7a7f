/*
** unarchive.c - session_unarchive(): a session is taken out of the archive.
*/
#include "status.h"

SQLITE_EXTENSION_INIT3

static void runUnarchive(Cmd *c) {
  ts_status_come_back(c, STATUS_ARCHIVED, "archived");
}

const CommandSpec ts_session_unarchive = {"session_unarchive", runUnarchive, 0,
                                          TS_ARGS(1, ts_status_label_args), NULL};
