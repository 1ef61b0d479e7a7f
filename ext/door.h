/*
** door.h - the functions through which commands are reached.
*/
#ifndef TS_DOOR_H
#define TS_DOOR_H

#include "core.h"

/* Registers turnstile_dispatch, turnstile_result, turnstile_use, turnstile_clock,
** turnstile_version and one sugar function per command. */
int ts_door_register(Conn *conn);

#endif
