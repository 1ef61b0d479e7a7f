/*
** commands.h - the list of all commands.
*/
#ifndef TS_COMMANDS_H
#define TS_COMMANDS_H

#include "core.h"

/* Ended by NULL. */
extern const CommandSpec *const ts_commands[];

#endif
