/*
** sender.h - a sender, the entity to which it is linked, and the keys of its messages.
*/
#ifndef TS_SENDER_H
#define TS_SENDER_H

#include "route.h"

typedef struct Identity {
  Text channel, sender, entity;
  Text senderLabel; /* NULL: the policies give senders no key of their own */
  Text entityLabel;
  Text persona;
  Text envelope; /* further fields of the sender's envelope, JSON or NULL */
} Identity;

/* One of the senders that are linked to an entity. */
typedef struct Member {
  struct Member *next;
  Identity id;
} Member;

/* A session that could be the entity's. */
typedef struct Candidate {
  struct Candidate *next;
  Text label, supersededBy, persona;
  sqlite3_int64 turns, createdAt;
} Candidate;

/* The row of a sender. Returns 0 when it is not linked. */
int ts_identity_find(Cmd *c, Text channel, Text sender, Identity *id);

/* To which session an alias leads, and why; {NULL,0}: there is none. */
Text ts_alias_read(Cmd *c, Text alias, Text *why);
/* An alias goes that a link has made; one that people made stays. */
void ts_alias_drop_linked(Cmd *c, Text alias);

/* A session that could be the entity's. Returns 0 when there is none of this label. */
int ts_candidate_load(Cmd *c, Text label, Candidate *candidate);

/* Are both the same text, or both NULL? */
int ts_text_same(Text a, Text b);

/* Where a sender's direct messages go, known as the entity or unknown. */
void ts_identity_route(Cmd *c, const Identity *id, int known, Route *r);
/* The same for what must not fail because of policies. 0: they have no answer. */
int ts_identity_try_route(Cmd *c, const Identity *id, int known, Route *r);
/* The key of a linked sender's messages, as the policies are now, and the persona with it; it need not be
** the entity's. Where they have no answer: the one given. */
Text ts_identity_key_now(Cmd *c, Identity *id, Text otherwise);
/* The key that a sender's messages had before the link, and have after it, by their envelope; {NULL,0}: the
** policies have none. */
Text ts_identity_own_key(Cmd *c, const Envelope *e);
/* The keys that a sender's direct messages have without and with the link. One that does not tell
** people apart is none to settle anything by. */
void ts_identity_set_keys(Identity *id, const Route *own, const Route *theirs);

Member *ts_entity_members(Cmd *c, Text entity);
/* Brings the keys of an entity's senders up to date. What the policies have no answer to stays as it
** was. Returns whether there was something to do. */
int ts_entity_refresh_keys(Cmd *c, Text entity);

#endif
