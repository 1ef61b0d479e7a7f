/*
** fork.h - session_fork(), session_usage().
*/
#ifndef TS_FORK_H
#define TS_FORK_H

#include "core.h"

extern const CommandSpec ts_session_fork, ts_session_usage;

#endif
