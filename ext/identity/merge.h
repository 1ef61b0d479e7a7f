/*
** merge.h - what linking and unlinking share: the keys of an identity, and the sessions that they lead to.
*/
#ifndef TS_MERGE_H
#define TS_MERGE_H

#include "identity.h"
#include "json.h"
#include "route.h"
#include "session.h"

typedef struct Identity {
  Text channel, sender, entity;
  Text senderLabel; /* NULL: the policies give senders no key of their own */
  Text entityLabel;
  Text persona;
  Text envelope; /* further fields of the sender's envelope, JSON or NULL */
} Identity;
/* A session that could be the entity's. */
typedef struct Candidate {
  struct Candidate *next;
  Text label, supersededBy, persona;
  sqlite3_int64 turns, createdAt;
} Candidate;
/* What has been settled, for the report. */
typedef struct Settled {
  Text session; /* the primary; NULL: there is none yet */
  int promoted; /* an alias was made or led elsewhere */
  Json merged;  /* an array */
  int nMerged;
} Settled;
typedef struct Member {
  struct Member *next;
  Identity id;
} Member;
int ts_identity_read_identity(Cmd *c, Text channel, Text sender, Identity *id);
/* An alias goes that a link has made; one that people made stays. */
void ts_identity_drop_alias(Cmd *c, Text alias);
/* A session that could be the entity's. Returns 0 when there is none of this label. */
int ts_identity_read_candidate(Cmd *c, Text label, Candidate *candidate);
/* The same for what must not fail because of policies. 0: they have no answer. */
int ts_identity_try_route(Cmd *c, const Identity *id, int known, Route *r);
int ts_identity_same_text(Text a, Text b);
Member *ts_identity_find_members(Cmd *c, Text entity);
/* Brings the keys of an entity's senders up to date. What the policies have no answer to stays as it
** was. Returns whether there was something to do. */
int ts_identity_refresh(Cmd *c, Text entity);
/* A sender was linked to the entity that the session is of, or is so no more. */
void ts_identity_note_link(Cmd *c, Text label, const char *trigger, const Identity *id);
/* What turns have, and what was cancelled, stays where it is. What was for a session that is parted from the
** one that it was merged into goes there should it wait again, and what was for others does not. */
void ts_identity_part_inputs(Cmd *c, Text label, Text by, Text entity);
/* A session takes messages of its own again, and has what was for it and no sender's of the entity. */
void ts_identity_release(Cmd *c, Text label, Text by, Text entity);
/* To which session an entity's key leads. mayMerge 0: one that was just made gets the aliases, no more.
** Keys that two entities share, and aliases that people made, are left alone. */
void ts_identity_settle(Cmd *c, Text entity, Text key, Text persona, int mayMerge,
                        Settled *settled);
/* The labels that a statement returns, in its order. */
Candidate *ts_identity_read_labels(Cmd *c, Query q);
/* Settles all keys of an entity. Of several personas that have one key, the primary's keeps it: the others'
** messages get keys of their own by that, so it is done once more, as long as it changes keys. */
void ts_identity_settle_all(Cmd *c, Text entity, Settled *settled);
/* The same, where the key may have got its persona since the row was written. */
int ts_identity_find_owner_of(Cmd *c, Text label, Identity *id);
/* Takes a link back; id->senderLabel becomes the key that the sender's messages have from now on. Returns
** how many waiting inputs went along. */
sqlite3_int64 ts_identity_unlink_sender(Cmd *c, Identity *id, Settled *settled);

/* Where a sender's direct messages go, known as the entity or unknown. */
void ts_identity_route(Cmd *c, const Identity *id, int known, Route *r);
/* The keys that a sender's direct messages have without and with the link. One that does not tell
** people apart is none to settle anything by. */
void ts_identity_set_keys(Identity *id, const Route *own, const Route *theirs);

#endif
