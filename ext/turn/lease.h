/*
** lease.h - the lease of a session: which process executes its turn, and until when.
**
** turn_begin() takes the lease and gives out a token. Tokens of a session only grow; a call that
** shows an old one is refused, and says who took over. While the token is the newest, every call
** with it renews the lease.
*/
#ifndef TS_LEASE_H
#define TS_LEASE_H

#include "queue.h"
#include "turn.h"

/* Loads the session and the turn that a call with turn and token speaks of, and renews the lease:
** for as long as before, or for `lease` ms when that is not negative. Fails the command when the
** turn is not running or the token is not the newest. */
void ts_lease_renew(Cmd *c, sqlite3_int64 turn, sqlite3_int64 token, sqlite3_int64 lease,
                    Session *s, Turn *t);

/* The same without renewing it: for a call that ends the turn. */
void ts_lease_verify(Cmd *c, sqlite3_int64 turn, sqlite3_int64 token, Session *s, Turn *t);

/* Fails the command while a live run holds the session. A run that has lost its lease in the middle
** of a turn is ended: the turn fails, its inputs are given back, its token is dead. */
void ts_lease_require_free(Cmd *c, Session *s, const char *by);

/* The same for what is written down afterwards, as an import does with the option now: that a run's last call
** is later does not mean that a clock was ahead, so no live run is ended by it. */
void ts_lease_require_free_past(Cmd *c, Session *s, const char *by);

/* Ends the turn that the run is in the middle of: it fails with this error, its inputs are given
** back, the token is dead. The run's state stays. Nothing happens without such a turn. */
void ts_lease_fail_turn(Cmd *c, Session *s, const char *error);

/* The same for a turn that has recorded nothing and is ended through no fault of its own: it does
** not count as an attempt, and its inputs are tried again at once. */
void ts_lease_undo_turn(Cmd *c, Session *s, const char *error);

/* Inputs that are being processed although no run of the session has their turn - a row of session_runs
** is gone, or plain SQL was at work - are dealt with as after a crash: they wait again, or have failed
** when their turn has recorded something. A turn that runs without a run fails. Returns how many inputs
** wait again. by: which command does it. */
sqlite3_int64 ts_lease_recover_inputs(Cmd *c, Session *s, const char *by);

/* The owner ends the lease with the turn, and stays: a sign of life, and the run moves to a state. */
void ts_lease_release(Cmd *c, Session *s, RunState to);

/* Takes the lease for a new turn; s->run is brought up to date. lease: ms. */
void ts_lease_take(Cmd *c, Session *s, Text owner, sqlite3_int64 turn, sqlite3_int64 lease);

/* Moves the run to a state by the machine's moves, with their events. */
void ts_run_move(Cmd *c, Session *s, RunState to);

/* The turn stays on the path, completed or aborted, and the head moves to it. */
void ts_turn_finish(Cmd *c, Session *s, Turn *t, TurnPhase how, TurnFacts *f, Text error,
                    sqlite3_int64 answers);

/* The same, but its inputs are not finished: the run continues with them. */
void ts_turn_finish_part(Cmd *c, Session *s, Turn *t, TurnPhase how, TurnFacts *f, Text error,
                         sqlite3_int64 answers);

/* Somebody has stopped the turn. This is a decision, so its inputs are cancelled and returned.
** keep: the turn stays on the path with what it has recorded. */
InputLink *ts_turn_stop(Cmd *c, Session *s, Turn *t, const TurnFacts *f, Text reason, int keep);

/* The same, but its inputs are to wait again, first in line, whatever it has recorded. */
void ts_turn_requeue(Cmd *c, Session *s, Turn *t, const TurnFacts *f, Text reason);

/* Stops the turn of a live run because of a message: output is kept, the token is dead, and its
** inputs are cancelled and returned. */
InputLink *ts_lease_stop_turn(Cmd *c, Session *s, Text reason);

/* Ends a turn that came to nothing: failed, or aborted without keeping anything. Its inputs go back
** to their place, unless it has recorded something: then they are failed. */
void ts_turn_discard(Cmd *c, Session *s, Turn *t, TurnPhase how, const TurnFacts *f, Text error);

/* Which failed turn the next one continues, when this one has come to nothing. A compaction shows
** nothing of an earlier failed turn, so it continues none. */
sqlite3_int64 ts_turn_to_resume(Cmd *c, const Session *s, const Turn *t, int recorded);

#endif
