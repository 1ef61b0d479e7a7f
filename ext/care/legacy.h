/*
** legacy.h - the words that older programs use for a session's status.
*/
#ifndef TS_LEGACY_H
#define TS_LEGACY_H

#include "core.h"

int ts_legacy_register(Conn *conn);

#endif
