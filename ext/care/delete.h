/*
** delete.h - session_delete(): removes a session and everything that only it has.
*/
#ifndef TS_DELETE_H
#define TS_DELETE_H

#include "session.h"

/* session_delete for a session that another one replaces at once. It is refused as session_delete
** refuses it. The sessions of its entity are not settled again. */
void ts_session_make_room(Cmd *c, Session *s);

extern const CommandSpec ts_session_delete;

#endif
