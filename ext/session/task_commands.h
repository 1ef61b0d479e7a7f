/*
** work.h - the commands of work.c.
*/
#ifndef TS_WORK_H
#define TS_WORK_H

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
