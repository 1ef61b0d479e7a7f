/*
** compact_begin.c - turn_compact_begin(): a run takes the session to write a summary.
*/
#include "turn_commands.h"

#include "config.h"
#include "opening.h"
#include "queue.h"
#include "said.h"

SQLITE_EXTENSION_INIT3

enum { COMPACT_LABEL, COMPACT_OWNER, COMPACT_LEASE };

static const ArgSpec compactBeginArgs[] = {
    {"label", ARG_LABEL, 1}, {"owner", ARG_NAME, 1}, {"lease", ARG_DURATION, 0}};

/* The "/compact" that were handed over: the compaction is what they ask for. */
static InputLink *handedCompact(Cmd *c, const Session *s) {
  InputLink *list = ts_queue_list(c, s->label, SQL_QUEUE_FOR_TURN, TS_MAX_INPUTS), **at = &list;
  Text focus;
  while (*at && c->rc == SQLITE_OK) {
    if (ts_asks_compact((*at)->in, &focus)) {
      at = &(*at)->next;
    } else {
      *at = (*at)->next;
    }
  }
  return list;
}

static void runCompactBegin(Cmd *c) {
  Text owner = c->arg[COMPACT_OWNER].text;
  const Arg *lease = &c->arg[COMPACT_LEASE];
  Opening opening;
  TurnFacts f;
  Session s;
  ts_facts_init(&f);
  if (lease->given && lease->i < 1) ts_fail(c, SQLITE_ERROR, "lease must be longer than 0 ms");
  ts_session_require(c, c->arg[COMPACT_LABEL].text, &s);
  if (c->rc != SQLITE_OK) return;
  ts_turn_open_session(c, s.label, none, SOURCE_USER, &s);
  ts_turn_settle_before(c, &s, owner);
  if (c->rc == SQLITE_OK && !s.head && !ts_turn_only_failed(c, &s)) {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' has no turns that could be compacted", s.label.n,
            s.label.z);
  }
  ts_turn_add_empty(c, &s);
  if (c->rc != SQLITE_OK) return;
  f.source = s.workSource;
  opening = (Opening){owner, lease, handedCompact(c, &s), none, 1, s.calledOff};
  ts_return_text(c, ts_turn_start(c, &s, &f, &opening));
}

const CommandSpec ts_turn_compact_begin = {"turn_compact_begin", runCompactBegin, 0,
                                           TS_ARGS(2, compactBeginArgs), NULL};
