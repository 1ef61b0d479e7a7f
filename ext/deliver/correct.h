/*
** correct.h - delivery_correct().
*/
#ifndef TS_CORRECT_H
#define TS_CORRECT_H

#include "core.h"

extern const CommandSpec ts_delivery_correct;

#endif
