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
** open choice and turns stay as they are. That an agent's process has ended is no status.
*/
#include "status.h"

#include "lease.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

/* As ts_session_load_named; fails the command when there is none. */
static void findSession(Cmd *c, Text label, Session *s) {
  ts_session_load_named(c, label, s);
  if (!s->exists) ts_session_require(c, label, s);
}

static void moveTo(Cmd *c, Session *s, SessionStatus to, Text reason) {
  if (c->rc != SQLITE_OK) return;
  if (to == STATUS_ACTIVE) {
    /* Somebody wants it, and has looked at what it had refused. */
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

/* ---- session_archive(label) ----------------------------------------------------------------------- */

enum { ARCHIVE_LABEL, ARCHIVE_REASON, ARCHIVE_FORCE };

static const ArgSpec archiveArgs[] = {
    {"label", ARG_LABEL, 1}, {"reason", ARG_TEXT, 0}, {"force", ARG_BOOL, 0}};

static void runArchive(Cmd *c) {
  Session s;
  Text reason = c->arg[ARCHIVE_REASON].text;
  findSession(c, c->arg[ARCHIVE_LABEL].text, &s);
  if (c->rc != SQLITE_OK) return;
  if (s.status != STATUS_ARCHIVED && ts_run_live(c, &s.run)) {
    if (!c->arg[ARCHIVE_FORCE].i) {
      ts_fail(c, TURNSTILE_BUSY,
              "session '%.*s' has a live run: '%.*s' executes turn %lld, with a lease until %lld; "
              "archive it when the turn has ended, or with the option force",
              s.label.n, s.label.z, s.run.owner.n, s.run.owner.z ? s.run.owner.z : "", s.run.turnId,
              s.run.expiresAt);
      return;
    }
    ts_lease_fence(c, &s, TS_TEXT("the session was archived"));
  }
  /* A turn whose lease has run out ends here: an archived session is not written to. */
  if (!ts_run_live(c, &s.run)) ts_lease_settle(c, &s, "session_archive");
  /* What the sweep has archived, and is now put away, stays away. */
  if (ts_session_wakes(c, &s) && !reason.z) {
    s.statusReason = none;
    ts_session_save(c, &s);
  }
  moveTo(c, &s, STATUS_ARCHIVED, reason);
}

const CommandSpec ts_session_archive = {"session_archive", runArchive, COMMAND_OLD_LABEL,
                                        TS_ARGS(1, archiveArgs), NULL};

/* ---- The others ------------------------------------------------------------------------------------ */

static const ArgSpec labelArgs[] = {{"label", ARG_LABEL, 1}};

/* Each way back to active has a command of its own: nobody ends an error by mistake. */
static void comeBack(Cmd *c, SessionStatus from, const char *asked) {
  Session s;
  findSession(c, c->arg[0].text, &s);
  if (c->rc == SQLITE_OK && s.status != from && s.status != STATUS_ACTIVE) {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' is %s, not %s", s.label.n, s.label.z,
            ts_status_machine.states[s.status], asked);
  }
  moveTo(c, &s, STATUS_ACTIVE, none);
}

static void runUnarchive(Cmd *c) {
  comeBack(c, STATUS_ARCHIVED, "archived");
}

const CommandSpec ts_session_unarchive = {"session_unarchive", runUnarchive, 0,
                                          TS_ARGS(1, labelArgs), NULL};

static void runReopen(Cmd *c) {
  comeBack(c, STATUS_ERROR, "in error");
}

const CommandSpec ts_session_reopen = {"session_reopen", runReopen, 0, TS_ARGS(1, labelArgs), NULL};

static void runResume(Cmd *c) {
  comeBack(c, STATUS_SUSPENDED, "suspended");
}

const CommandSpec ts_session_resume = {"session_resume", runResume, 0, TS_ARGS(1, labelArgs), NULL};

static const ArgSpec suspendArgs[] = {{"label", ARG_LABEL, 1}, {"reason", ARG_TEXT, 0}};

static void runSuspend(Cmd *c) {
  Session s;
  findSession(c, c->arg[0].text, &s);
  moveTo(c, &s, STATUS_SUSPENDED, c->arg[1].text);
}

const CommandSpec ts_session_suspend = {"session_suspend", runSuspend, 0, TS_ARGS(1, suspendArgs),
                                        NULL};

static const ArgSpec failArgs[] = {{"label", ARG_LABEL, 1}, {"reason", ARG_MESSAGE, 1}};

static void runFail(Cmd *c) {
  Session s;
  findSession(c, c->arg[0].text, &s);
  moveTo(c, &s, STATUS_ERROR, c->arg[1].text);
}

const CommandSpec ts_session_fail = {"session_fail", runFail, 0, TS_ARGS(2, failArgs), NULL};
