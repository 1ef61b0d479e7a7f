/*
** deleted.h - messages of deleted sessions: sending one again does not bring the session back.
*/
#ifndef TS_DELETED_H
#define TS_DELETED_H

#include "core.h"

/* Does the file have any? Most files have none and need no search. */
int ts_messages_were_deleted(Cmd *c);
/* Was this message delivered to a session of this name that was deleted, not longer ago than request_ttl and
** a sweep? */
int ts_message_was_deleted(Cmd *c, Text name, Text messageId, Text channel, Text sender);

/* The session is deleted: its messages are recognized from now on. */
void ts_deleted_keep(Cmd *c, Text label);

#endif
