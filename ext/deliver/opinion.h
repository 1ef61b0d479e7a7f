/*
** opinion.h - a second opinion about what a message is.
*/
#ifndef TS_OPINION_H
#define TS_OPINION_H

#include "core.h"

extern const CommandSpec ts_delivery_classify;

#endif
