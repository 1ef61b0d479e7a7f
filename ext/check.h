/*
** check.h - turnstile_check: what in a file is not as the library leaves it.
*/
#ifndef TS_CHECK_H
#define TS_CHECK_H

#include "core.h"

int ts_check_register(Conn *conn);

#endif
