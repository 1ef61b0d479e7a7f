/*
** key.h - session keys: the labels that say whose session it is.
**
**   dm:{entity}                                  a person who is known, on any channel
**   dm:{channel}:{sender}                        a sender whom nobody has linked yet
**   group:{channel}:{peer}[:thread:{thread}]     a group, or a thread in it
**   worker:{id}                                  a subagent
**   system:{purpose}                             heartbeats, maintenance
**
** Keys for people and groups may end in :persona:{persona}, for a second persona of the same peer.
** Inside a part ':', '%' and control characters are percent-encoded, so that a key has only one
** reading. Keys are compared byte by byte. Pure except for memory.
*/
#ifndef TS_KEY_H
#define TS_KEY_H

#include "core.h"

/* Appends a part, encoded. Returns NULL, or the fault. */
const char *ts_key_append(sqlite3_str *key, const char *z, int n);

/* session_key(kind, part …), session_key_parse(label) */
int ts_key_register(Conn *conn);

#endif
