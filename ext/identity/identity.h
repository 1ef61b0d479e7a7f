/*
** identity.h - who a sender is: identity_link, identity_unlink.
*/
#ifndef TS_IDENTITY_H
#define TS_IDENTITY_H

#include "session.h"

/* A session was deleted: the sessions that are left of the same entity are settled anew. */
void ts_keys_settle_deleted(Cmd *c, Text label);

/* A session goes, and those that were merged into it stand by themselves again: with what waited for them, and
** what their senders have in it. */
void ts_session_part_merged(Cmd *c, Session *s);

extern const CommandSpec ts_identity_link;
extern const CommandSpec ts_identity_unlink;

#endif
