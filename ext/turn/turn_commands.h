/*
** turn_commands.h - the commands that write turns.
*/
#ifndef TS_TURN_COMMANDS_H
#define TS_TURN_COMMANDS_H

#include "messages.h"
#include "queue.h"
#include "turn.h"

/* The turn that has this external_id, 0: none. */
sqlite3_int64 ts_turn_of_external(Cmd *c, Text externalId);
/* The turn to append to: the head, or what the option parent names. */
void ts_turn_find_parent(Cmd *c, const Session *s, const Arg *arg, Turn *parent);

/* Is a turn that a call names by its external_id somewhere else than the label and the parent of the call say?
** In words, or NULL when it is there, or the command has failed. s: the session of the label. */
const char *ts_turn_elsewhere(Cmd *c, const Turn *known, Text label, const Arg *parent, Session *s);

/* Has the session's head left a turn that such a call names: does it stand above it, or elsewhere? Making the
** turn would have moved the head there. */
int ts_turn_is_left(Cmd *c, const Turn *known, const Arg *parent, const Session *s);

extern const CommandSpec ts_turn_append, ts_turn_message, ts_turn_tool_call, ts_turn_tool_result,
    ts_turn_phase, ts_turn_heartbeat, ts_turn_complete, ts_turn_fail, ts_turn_abort,
    ts_turn_compact_begin, ts_session_stop, ts_session_start, ts_session_transition,
    ts_session_state;

void ts_turn_put_inputs(Json *j, const InputLink *inputs, Text messages);
/* Inputs from the queue as messages of the turn. */
void ts_turn_write_inputs(Writer *w, const Session *s, const InputLink *inputs, sqlite3_int64 rank);

Source ts_turn_want_source(Cmd *c, const Arg *arg, Source preset);
/* The session of this label, made when there is none, fit for a turn. */
void ts_turn_open_session(Cmd *c, Text label, Text persona, Source source, Session *s);
/* Makes a session active that is suspended or archived; its row is only written then. */
void ts_turn_wake_session(Cmd *c, Session *s);
/* Messages of the turn that the host wrote itself, with the queue_id of an input that an earlier turn has shown: their
** metadata names that turn, too. */
void ts_turn_mark_repeats(const Writer *w, const InputLink *inputs);
/* Fails the command when all that was given to a new turn was there already: a turn holds at least one new entry. */
void ts_turn_want_news(Writer *w);
/* The rows of inputs are the turn's from now on; isSaid: they stand in its messages. rank: the highest that they have
** should they wait again, which they do in the order that they have now. */
void ts_turn_claim_inputs(Writer *w, const Session *s, const InputLink *inputs, sqlite3_int64 rank,
                          int isSaid);

#endif
