/*
** deleted.h - messages whose session was deleted: one that is sent again does not bring it back.
*/
#ifndef TS_DELETED_H
#define TS_DELETED_H

#include "core.h"

/* Any at all? Most files have none, and nothing to look for. */
int ts_messages_were_deleted(Cmd *c);
/* Was this message delivered to a session of this name that was deleted, not longer ago than request_ttl and
** a sweep? */
int ts_message_was_deleted(Cmd *c, Text name, Text messageId, Text channel, Text sender);

/* The session goes: its messages are known from now on. */
void ts_deleted_keep(Cmd *c, Text label);

#endif
