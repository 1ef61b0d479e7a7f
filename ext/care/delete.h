/*
** delete.h - session_delete(): a session is removed, with everything that only it has.
*/
#ifndef TS_DELETE_H
#define TS_DELETE_H

#include "session.h"

/* session_delete for a session whose place another one takes at once. Refused as session_delete refuses it;
** of the session's entity nothing is settled anew. */
void ts_session_make_room(Cmd *c, Session *s);

extern const CommandSpec ts_session_delete;

#endif
