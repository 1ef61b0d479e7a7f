/*
** identity.h - who a sender is: identity_link, identity_unlink.
*/
#ifndef TS_IDENTITY_H
#define TS_IDENTITY_H

#include "session.h"

/* To be called after a session was deleted: settles the entity's other sessions again. */
void ts_keys_settle_deleted(Cmd *c, Text label);

/* To be called before a session is deleted: sessions that were merged into it become independent
** again. They get the inputs that wait for them, and their senders' inputs in the session. */
void ts_session_part_merged(Cmd *c, Session *s);

extern const CommandSpec ts_identity_link;
extern const CommandSpec ts_identity_unlink;

#endif
