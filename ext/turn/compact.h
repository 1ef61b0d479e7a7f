/*
** compact.h - turn_compact(), session_compact().
*/
#ifndef TS_COMPACT_H
#define TS_COMPACT_H

#include "core.h"

extern const CommandSpec ts_turn_compact;
extern const CommandSpec ts_session_compact;

#endif
