/*
** status.c - the life of a session: archived and taken out again, suspended, failed and reopened.
**
**   SELECT session_archive('main');                         -- archived
**   SELECT session_unarchive('main');                       -- active
**   SELECT session_suspend('main');                         -- suspended
**   SELECT session_resume('main');                          -- active
**   SELECT session_fail('main', 'the provider is gone');    -- error
**   SELECT session_reopen('main');                          -- active
**
** A session never completes. Its status says whether it is listed and takes messages; task, queue,
** open choice and turns stay as they are. The end of an agent's process does not change the status.
*/
#include "status.h"

#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_session_move(Cmd *c, Session *s, SessionStatus to, Text reason) {
  int moves = ts_state_move(&ts_status_machine, s->status, to) != NULL;
  ts_session_set_status(c, s, to, reason);
  if (!moves) return;
  if (to == STATUS_ERROR) ts_worker_died(c, s, reason);
  if (to == STATUS_ARCHIVED) ts_worker_died(c, s, TS_TEXT("its session was archived"));
}

void ts_status_find_session(Cmd *c, Text label, Session *s) {
  ts_session_load_named(c, label, s);
  if (!s->exists) ts_session_require(c, label, s);
}

void ts_status_return(Cmd *c, Session *s, SessionStatus to, Text reason) {
  if (c->rc != SQLITE_OK) return;
  if (to == STATUS_ACTIVE) {
    /* Somebody wants the session and has seen what it refused. */
    ts_session_use(c, s);
    ts_exec(c, SQL_SESSION_ACKNOWLEDGED, "t", &s->label);
  }
  if (s->status != to) {
    ts_session_move(c, s, to, reason);
    ts_session_save(c, s);
  } else if (reason.z && !ts_text_equal(reason, s->statusReason)) {
    s->statusReason = reason;
    ts_session_save(c, s);
  }
  ts_return_text(c, (Text){ts_status_machine.states[s->status],
                           (int)strlen(ts_status_machine.states[s->status])});
}

void ts_status_come_back(Cmd *c, SessionStatus from, const char *asked) {
  Session s;
  ts_status_find_session(c, c->arg[0].text, &s);
  if (c->rc == SQLITE_OK && s.status != from && s.status != STATUS_ACTIVE) {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' is %s, not %s", s.label.n, s.label.z,
            ts_status_machine.states[s.status], asked);
  }
  ts_status_return(c, &s, STATUS_ACTIVE, none);
}

const ArgSpec ts_status_label_args[1] = {{"label", ARG_LABEL, 1}};
