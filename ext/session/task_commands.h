/*
** task_commands.h - what an agent notes about its task.
*/
#ifndef TS_TASK_COMMANDS_H
#define TS_TASK_COMMANDS_H

#include "core.h"

extern const CommandSpec ts_session_note;
extern const CommandSpec ts_session_observe;
extern const CommandSpec ts_session_relate;
extern const CommandSpec ts_session_flush;

#endif
