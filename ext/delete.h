/*
** delete.h - session_delete(): a session is removed, with everything that only it has.
*/
#ifndef TS_DELETE_H
#define TS_DELETE_H

#include "core.h"

extern const CommandSpec ts_session_delete;

#endif
