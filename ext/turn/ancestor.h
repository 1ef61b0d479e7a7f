/*
** ancestor.h - turn_ancestor(), turn_common_ancestor(), turn_is_ancestor().
*/
#ifndef TS_ANCESTOR_H
#define TS_ANCESTOR_H

#include "core.h"

extern const CommandSpec ts_turn_ancestor, ts_turn_common_ancestor, ts_turn_is_ancestor;

#endif
