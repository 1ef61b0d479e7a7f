/*
** check.h - turnstile_check: what in a file is not as the library leaves it.
*/
#ifndef TS_CHECK_H
#define TS_CHECK_H

#include "core.h"

/* The first problem that the rules about sessions find in this one: "rule: problem"; NULL: none. */
const char *ts_check_session(Cmd *c, Text label);

int ts_check_register(Conn *conn);

#endif
