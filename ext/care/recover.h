/*
** recover.h - session_recover().
*/
#ifndef TS_RECOVER_H
#define TS_RECOVER_H

#include "session.h"

extern const CommandSpec ts_session_recover;

#endif
