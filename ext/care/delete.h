/*
** delete.h - session_delete(): a session is removed, with everything that only it has.
*/
#ifndef TS_DELETE_H
#define TS_DELETE_H

#include "session.h"

/* The same for a session whose place another one takes at once. Refused as session_delete refuses it;
** of the session's entity nothing is settled anew. */
void ts_session_make_room(Cmd *c, Session *s);

/* Was this message delivered to a session of this name that was deleted, not longer ago than request_ttl and
** a sweep? */
int ts_message_was_deleted(Cmd *c, Text name, Text messageId, Text channel, Text sender);

/* Any at all? Most files have none, and nothing to look for. */
int ts_messages_were_deleted(Cmd *c);

extern const CommandSpec ts_session_delete;

#endif
