/*
** turn_commands.h - the commands that write turns.
*/
#ifndef TS_TURN_COMMANDS_H
#define TS_TURN_COMMANDS_H

#include "turn.h"

/* Begins a turn with what waits for the session, for deliver's option owner. JSON, as turn_begin returns
** it; NULL when nothing waits. before: the last event before the command. */
Text ts_turn_begin_for(Cmd *c, Session *s, Text owner, sqlite3_int64 before);

/* The turn that has this external_id, 0: none. */
sqlite3_int64 ts_turn_of_external(Cmd *c, Text externalId);
/* The turn to append to: the head, or what the option parent names. */
void ts_turn_find_parent(Cmd *c, const Session *s, const Arg *arg, Turn *parent);
/* Was the turn made in this session, or in one that was merged into it? */
int ts_turn_made_in(Cmd *c, sqlite3_int64 turn, const Session *s);

/* Is a turn that a call names by its external_id somewhere else than the label and the parent of the call say?
** In words, or NULL when it is there, or the command has failed. s: the session of the label. */
const char *ts_turn_elsewhere(Cmd *c, const Turn *known, Text label, const Arg *parent, Session *s);

/* Has the session's head left a turn that such a call names: does it stand above it, or elsewhere? Making the
** turn would have moved the head there. */
int ts_turn_is_left(Cmd *c, const Turn *known, const Arg *parent, const Session *s);

/* Where a session without turns shows the output of a failed one: a turn that says nothing and goes on from
** it, below which a compaction can stand. 0: that is not so, or the command has failed. */
int ts_turn_take_up(Cmd *c, Session *s);

extern const CommandSpec ts_turn_append, ts_turn_begin, ts_turn_message, ts_turn_tool_call,
    ts_turn_tool_result, ts_turn_phase, ts_turn_heartbeat, ts_turn_complete, ts_turn_fail,
    ts_turn_abort, ts_turn_steering, ts_turn_compact_begin, ts_session_stop;

#endif
