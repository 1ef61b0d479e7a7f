/*
** identity.h - who a sender is: identity_link, identity_unlink.
*/
#ifndef TS_IDENTITY_H
#define TS_IDENTITY_H

#include "policy.h"
#include "session.h"

/* A session was made: where its label is the key of somebody who is linked, their other keys lead to
** it from now on. */
void ts_identity_created(Cmd *c, Text label);

/* A session was deleted: the sessions that are left of the same entity are settled anew. */
void ts_identity_deleted(Cmd *c, Text label);

/* The key that a sender's messages had before the link, and have after it, by their envelope; {NULL,0}: the
** policies have none. */
Text ts_identity_own_key(Cmd *c, const Envelope *e);

/* A session goes, and those that were merged into it stand by themselves again: with what waited for them, and
** what their senders have in it. */
void ts_identity_part(Cmd *c, Session *s);

/* Inputs of a turn that belong elsewhere, because somebody was unlinked while it was under way. */
typedef struct Going Going;
Going *ts_identity_going(Cmd *c, Text session, sqlite3_int64 turn);
/* The same, one input that was cancelled: NULL when it belongs where it is. */
Going *ts_identity_going_input(Cmd *c, sqlite3_int64 input);
/* The turn has come to nothing, or they are tried again: they go to where their senders' messages go now, or the session for
** which they were is. */
void ts_identity_bring(Cmd *c, Going *list);

extern const CommandSpec ts_identity_link;
extern const CommandSpec ts_identity_unlink;

#endif
