/*
** archive.c - session_archive(): archives a session and ends its running turn.
*/
#include "status.h"

#include "lease.h"

SQLITE_EXTENSION_INIT3

enum { ARCHIVE_LABEL, ARCHIVE_REASON, ARCHIVE_FORCE };

static const ArgSpec archiveArgs[] = {
    {"label", ARG_LABEL, 1}, {"reason", ARG_TEXT, 0}, {"force", ARG_BOOL, 0}};

static void runArchive(Cmd *c) {
  Session s;
  Text reason = c->arg[ARCHIVE_REASON].text;
  ts_status_find_session(c, c->arg[ARCHIVE_LABEL].text, &s);
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
    ts_lease_stop_turn(c, &s, TS_TEXT("the session was archived"));
  }
  /* A turn whose lease has run out ends here: an archived session is not written to. */
  if (!ts_run_live(c, &s.run)) ts_lease_require_free(c, &s, "session_archive");
  /* A session that the sweep has archived, and that somebody archives now, stays archived. */
  if (ts_session_wakes(c, &s) && !reason.z) {
    s.statusReason = none;
    ts_session_save(c, &s);
  }
  ts_status_return(c, &s, STATUS_ARCHIVED, reason);
}

const CommandSpec ts_session_archive = {"session_archive", runArchive, COMMAND_OLD_LABEL,
                                        TS_ARGS(1, archiveArgs), NULL};
