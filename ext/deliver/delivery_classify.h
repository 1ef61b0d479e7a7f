/*
** delivery_classify.h - a second opinion about what a message is.
*/
#ifndef TS_DELIVERY_CLASSIFY_H
#define TS_DELIVERY_CLASSIFY_H

#include "core.h"

extern const CommandSpec ts_delivery_classify;

#endif
