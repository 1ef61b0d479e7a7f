/*
** check.h - turnstile_check: everything in a file that violates an invariant.
*/
#ifndef TS_CHECK_H
#define TS_CHECK_H

#include "core.h"

/* The first problem that a session's rules find: "rule: problem"; NULL: the session is sound. */
const char *ts_check_session(Cmd *c, Text label);

int ts_check_register(Conn *conn);

#endif
