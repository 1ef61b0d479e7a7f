/*
** settle.h - decides which session the keys of an entity lead to.
*/
#ifndef TS_SETTLE_H
#define TS_SETTLE_H

#include "sender.h"
#include "session.h"

/* The sessions that have the keys of an entity. */
typedef struct Claims {
  Candidate *list;
  Candidate *senders; /* the senders' own keys, with or without a session */
  Candidate *primary; /* the one that takes the messages */
} Claims;

/* The sessions for one of the entity's keys. Returns 0 when there is nothing to settle: no session
** exists, two entities share the key, or people made it an alias. */
int ts_claims_find(Cmd *c, Text entity, Text key, Text persona, Claims *claims);
/* Makes the key and the senders' keys lead to the primary. Returns whether that is new. */
int ts_claims_lead(Cmd *c, const Claims *claims, Text key, const char *reason);

/* The event of a merge, or of its end: its trigger, and the other session under this field. */
void ts_note_merge(Cmd *c, const Session *s, const char *trigger, const char *field, Text other);

/* A session that was merged into another one takes messages again. It gets back the inputs that
** were for it and did not come from the entity's senders. */
void ts_unmerge(Cmd *c, Text label, Text by, Text entity);
/* Inputs in turns and cancelled inputs stay where they are. When a merge ends, inputs for the
** parted session go to it if they wait again; inputs for others stay. */
void ts_unmerge_inputs(Cmd *c, Text label, Text by, Text entity);

/* The entity that has this label as one of its keys, even if the key got its persona after the row
** was written; *id has the key and its persona. Returns 0 when no entity has it. */
int ts_entity_of_label(Cmd *c, Text label, Identity *id);

/* To be called for a new session: if its label is a linked person's key, their other keys lead to
** it from now on. */
void ts_keys_settle_new(Cmd *c, Text label);
/* Makes a session, and does the same. */
void ts_session_open(Cmd *c, Session *s, Text persona, Source source);

#endif
