/*
** legacy.h - the words that older programs use for a session's status.
*/
#ifndef TS_LEGACY_H
#define TS_LEGACY_H

#include "core.h"
#include "states.h"

/* What a word of the old vocabulary is now. archive: finished sessions are archived, not active.
** Pure. */
SessionStatus ts_legacy_status(Text word, int archive);

int ts_legacy_register(Conn *conn);

#endif
