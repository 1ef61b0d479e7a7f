/*
** settle.h - to which session the keys of an entity lead.
*/
#ifndef TS_SETTLE_H
#define TS_SETTLE_H

#include "sender.h"
#include "session.h"

/* The sessions that have the keys of an entity. */
typedef struct Claims {
  Candidate *list;
  Candidate *senders; /* the senders' own keys, whether there is a session of each or not */
  Candidate *primary; /* the one that takes the messages */
} Claims;

/* Those for one of the entity's keys. Returns 0 when there is nothing to settle: no session, or a key that two
** entities share, or that people have made an alias. */
int ts_claims_find(Cmd *c, Text entity, Text key, Text persona, Claims *claims);
/* Makes the key, and those of the senders, lead to the primary. Returns whether that is new. */
int ts_claims_lead(Cmd *c, const Claims *claims, Text key, const char *reason);

/* The event by which a merge is known, or its end: trigger, and the other session under this field. */
void ts_note_merge(Cmd *c, const Session *s, const char *trigger, const char *field, Text other);

/* A session that was merged into another takes messages of its own again, and has what was for it and no sender's of
** the entity. */
void ts_unmerge(Cmd *c, Text label, Text by, Text entity);
/* What turns have, and what was cancelled, stays where it is. What was for a session that is parted from the
** one that it was merged into goes there should it wait again, and what was for others does not. */
void ts_unmerge_inputs(Cmd *c, Text label, Text by, Text entity);

/* The entity one of whose keys a label is, also where the key may have got its persona since the row was written;
** *id has the key and its persona. Returns 0 when there is none. */
int ts_entity_of_label(Cmd *c, Text label, Identity *id);

/* A session was made: where its label is the key of somebody who is linked, their other keys lead to
** it from now on. */
void ts_keys_settle_new(Cmd *c, Text label);
/* Makes a session, and settles that. */
void ts_session_open(Cmd *c, Session *s, Text persona, Source source);

#endif
