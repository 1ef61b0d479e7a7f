/*
** rewind.h - session_rewind().
*/
#ifndef TS_REWIND_H
#define TS_REWIND_H

#include "core.h"

extern const CommandSpec ts_session_rewind;

#endif
