/*
** merge.h - what linking and unlinking share: the sessions of an entity become one.
*/
#ifndef TS_MERGE_H
#define TS_MERGE_H

#include "identity.h"
#include "json.h"
#include "settle.h"

/* What has been settled, for the report. */
typedef struct Settled {
  Text session; /* the primary; NULL: there is none yet */
  int promoted; /* an alias was made or led elsewhere */
  Json merged;  /* an array */
  int nMerged;
} Settled;

/* A sender was linked to the entity that the session is of, or is so no more. */
void ts_session_note_link(Cmd *c, Text label, const char *trigger, const Identity *id);
/* To which session an entity's key leads: the others that have it are merged into that one. Keys that two entities
** share, and aliases that people made, are left alone. */
void ts_entity_settle_key(Cmd *c, Text entity, Text key, Text persona, Settled *settled);
/* Settles all keys of an entity. Of several personas that have one key, the primary's keeps it: the others'
** messages get keys of their own by that, so it is done once more, as long as it changes keys. */
void ts_entity_settle(Cmd *c, Text entity, Settled *settled);
/* The labels that a statement returns, in its order. */
Candidate *ts_labels_of(Cmd *c, Query q);
/* Takes a link back; id->senderLabel becomes the key that the sender's messages have from now on. Returns
** how many waiting inputs went along. */
sqlite3_int64 ts_identity_unlink_sender(Cmd *c, Identity *id, Settled *settled);

#endif
