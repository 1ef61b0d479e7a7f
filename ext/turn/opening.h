/*
** opening.h - a turn begins.
*/
#ifndef TS_OPENING_H
#define TS_OPENING_H

#include "queue.h"
#include "turn.h"

/* Fails the command while somebody is at work on the session; settles what somebody has left half done. */
void ts_turn_settle_before(Cmd *c, Session *s, Text owner);

/* What a turn begins with. */
typedef struct Opening {
  Text owner;
  const Arg *lease; /* NULL or not given: as configured */
  InputLink *inputs;
  Text messages; /* as the host gave them; NULL: those of the inputs */
  int compacts;
  const InputLink *calledOff; /* what the result lists as cancelled */
} Opening;

/* The turn begins: its row, the lease, its first messages. Returns what turn_begin does. */
Text ts_turn_start(Cmd *c, Session *s, TurnFacts *f, const Opening *o);

/* The failed turn whose output is all that a session without turns shows, 0: there is none. */
sqlite3_int64 ts_turn_only_failed(Cmd *c, const Session *s);

/* Where a session without turns shows the output of a failed one: a turn that says nothing and goes on from
** it, below which a compaction can stand. 0: that is not so, or the command has failed. */
int ts_turn_add_empty(Cmd *c, Session *s);

#endif
