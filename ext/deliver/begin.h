/*
** begin.h - a turn takes waiting inputs: when it begins, and while it runs.
*/
#ifndef TS_BEGIN_H
#define TS_BEGIN_H

#include "session.h"

/* Begins a turn with the session's waiting inputs, for session_deliver's option owner. Returns the
** JSON of turn_begin; NULL when nothing waits. before: the last event before the command. */
Text ts_turn_begin_for(Cmd *c, Session *s, Text owner, sqlite3_int64 before);

extern const CommandSpec ts_turn_begin;
extern const CommandSpec ts_turn_steering;

#endif
