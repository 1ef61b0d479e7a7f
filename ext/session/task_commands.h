/*
** task_commands.h - the commands of task_commands.c.
*/
#ifndef TS_TASK_COMMANDS_H
#define TS_TASK_COMMANDS_H

#include "core.h"

extern const CommandSpec ts_session_start;
extern const CommandSpec ts_session_transition;
extern const CommandSpec ts_session_state;
extern const CommandSpec ts_session_note;
extern const CommandSpec ts_session_observe;
extern const CommandSpec ts_session_relate;
extern const CommandSpec ts_session_flush;
extern const CommandSpec ts_session_compact;

#endif
