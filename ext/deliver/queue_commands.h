/*
** queue_commands.h - queue_cancel(), queue_retry(), queue_front(), queue_push().
*/
#ifndef TS_QUEUE_COMMANDS_H
#define TS_QUEUE_COMMANDS_H

#include "core.h"

extern const CommandSpec ts_queue_cancel, ts_queue_retry, ts_queue_front;

#endif
