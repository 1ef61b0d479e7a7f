/*
** check.h - turnstile_check: what in a file is not as the library leaves it.
*/
#ifndef TS_CHECK_H
#define TS_CHECK_H

#include "core.h"

/* Fails the command when the rules about sessions find a problem in this one. what: begins the error. */
void ts_check_session(Cmd *c, Text label, const char *what);

int ts_check_register(Conn *conn);

#endif
