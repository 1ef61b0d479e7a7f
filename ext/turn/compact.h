/*
** compaction.h - turn_compact().
*/
#ifndef TS_COMPACTION_H
#define TS_COMPACTION_H

#include "core.h"

extern const CommandSpec ts_turn_compact;

#endif
