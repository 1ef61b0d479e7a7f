/*
** recover.h - session_recover() and session_progress().
*/
#ifndef TS_RECOVER_H
#define TS_RECOVER_H

#include "core.h"

extern const CommandSpec ts_session_recover;
extern const CommandSpec ts_session_progress;

#endif
