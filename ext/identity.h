/*
** identity.h - who a sender is: identity_link, identity_unlink.
*/
#ifndef TS_IDENTITY_H
#define TS_IDENTITY_H

#include "core.h"

/* A session was made: where its label is the key of somebody who is linked, their other keys lead to
** it from now on. */
void ts_identity_created(Cmd *c, Text label);

/* A session was deleted: the sessions that are left of the same entity are settled anew. */
void ts_identity_deleted(Cmd *c, Text label);

/* Inputs that have failed with a turn, and whose senders were unlinked while it was under way, go to
** where their senders' messages go now. */
void ts_identity_bring(Cmd *c, sqlite3_int64 turn);

extern const CommandSpec ts_identity_link;
extern const CommandSpec ts_identity_unlink;

#endif
