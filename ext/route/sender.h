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

/* The session that an alias leads to, and why; {NULL,0}: no such alias. */
Text ts_alias_read(Cmd *c, Text alias, Text *why);
/* Deletes an alias made by a link; an alias that people made stays. */
void ts_alias_drop_linked(Cmd *c, Text alias);

/* A session that could be the entity's. Returns 0 when no session has this label. */
int ts_candidate_load(Cmd *c, Text label, Candidate *candidate);

/* Are both the same text, or both NULL? */
int ts_text_same(Text a, Text b);

/* Where a sender's direct messages go, known as the entity or unknown. */
void ts_identity_route(Cmd *c, const Identity *id, int known, Route *r);
/* The same for callers that must not fail because of policies. 0: no policy matches. */
int ts_identity_try_route(Cmd *c, const Identity *id, int known, Route *r);
/* The key of a linked sender's messages under the present policies, and its persona; it may differ
** from the entity's. If no policy matches: the given key. */
Text ts_identity_key_now(Cmd *c, Identity *id, Text otherwise);
/* The keys of a sender's messages before and after the link, by their envelope; {NULL,0}: no policy
** matches. */
Text ts_identity_own_key(Cmd *c, const Envelope *e);
/* The keys of a sender's direct messages without and with the link. A key that does not tell people
** apart settles nothing. */
void ts_identity_set_keys(Identity *id, const Route *own, const Route *theirs);

Member *ts_entity_members(Cmd *c, Text entity);
/* Updates the keys of an entity's senders. A key stays as it was when no policy matches. Returns
** whether a key changed. */
int ts_entity_refresh_keys(Cmd *c, Text entity);

#endif
