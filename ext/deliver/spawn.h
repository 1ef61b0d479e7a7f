/*
** spawn.h - subagents: session_spawn() and session_report().
*/
#ifndef TS_SPAWN_H
#define TS_SPAWN_H

#include "core.h"

extern const CommandSpec ts_session_spawn, ts_session_report;

#endif
