/*
** revive.c - brings an archived or suspended session back to life.
*/
#include "session.h"

#include "config.h"

SQLITE_EXTENSION_INIT3

int ts_session_wakes(Cmd *c, const Session *s) {
  return s->status == STATUS_ARCHIVED && ts_text_is(s->statusReason, TS_REASON_IDLE) &&
         ts_config_int(c, s->label, CONFIG_ON_ARCHIVED) == ON_ARCHIVED_REOPEN;
}

void ts_session_revive(Cmd *c, Session *s) {
  if (s->status == STATUS_SUSPENDED || s->status == STATUS_ARCHIVED) {
    ts_session_set_status(c, s, STATUS_ACTIVE, (Text){NULL, 0});
  }
}
