/*
** ulid.h - names for what is made without one.
*/
#ifndef TS_ULID_H
#define TS_ULID_H

#include "core.h"

/*
** A ULID: 48 bits of the command's time and 80 bits that stand for randomness, as 26 characters.
** Commands have no randomness of their own, so the 80 bits are a hash of the database's uuid, the
** time, a word and a counter that the caller never repeats.
** Source: https://github.com/ulid/spec
*/
Text ts_ulid(Cmd *c, const char *word, sqlite3_int64 counter);

/* A label for a session that was given none: the word, a mark, a ULID. counter: what the command is
** going to write, whose next id counts. */
Text ts_ulid_label(Cmd *c, const char *word, char mark, IdKind counter);

#endif
