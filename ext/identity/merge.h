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
  Text session; /* the primary, or NULL */
  int promoted; /* an alias was made or changed */
  Json merged;  /* an array */
  int nMerged;
} Settled;

/* A sender was linked to the session's entity, or unlinked from it. */
void ts_session_note_link(Cmd *c, Text label, const char *trigger, const Identity *id);
/* Settles which session an entity's key leads to, and merges the other sessions that have the key
** into it. Keys that two entities share, and aliases that people made, are left alone. */
void ts_entity_settle_key(Cmd *c, Text entity, Text key, Text persona, Settled *settled);
/* Settles all keys of an entity. If several personas have one key, the primary's persona keeps it
** and the others' messages get their own keys. So this is repeated as long as keys change. */
void ts_entity_settle(Cmd *c, Text entity, Settled *settled);
/* The labels that a statement returns, in its order. */
Candidate *ts_labels_of(Cmd *c, Query q);
/* Undoes a link; id->senderLabel becomes the key of the sender's messages. Returns how many waiting
** inputs moved. */
sqlite3_int64 ts_identity_unlink_sender(Cmd *c, Identity *id, Settled *settled);

#endif
