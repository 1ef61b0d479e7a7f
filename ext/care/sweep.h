/*
** sweep.h - session_sweep().
*/
#ifndef TS_SWEEP_H
#define TS_SWEEP_H

#include "core.h"

extern const CommandSpec ts_session_sweep;

#endif
