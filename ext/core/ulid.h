/*
** ulid.h - names for what is made without one.
*/
#ifndef TS_ULID_H
#define TS_ULID_H

#include "core.h"

/* A label for a session that was given none: the word, a mark, a ULID. counter: what the command is
** going to write, whose next id counts. */
Text ts_ulid_label(Cmd *c, const char *word, char mark, IdKind counter);

#endif
