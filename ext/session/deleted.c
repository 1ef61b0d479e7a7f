/*
** deleted.c - messages of deleted sessions are recognized by a digest, and don't count as new.
*/
#include "deleted.h"

#include "hash.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* The digest of a message that is not kept. */
static HashId hashOf(Text name, Text messageId, Text channel, Text sender) {
  const Text parts[] = {name, messageId, channel, sender};
  HashStream h;
  ts_hash_begin(&h, "deleted message");
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    char length[16];
    sqlite3_snprintf(sizeof(length), length, "%d:", parts[i].n);
    ts_hash_add(&h, length, (int)strlen(length));
    ts_hash_add(&h, parts[i].z, parts[i].n);
  }
  return ts_hash_end(&h);
}

int ts_messages_were_deleted(Cmd *c) {
  Query q = ts_query(c, SQL_DELETED_MESSAGES_ANY, "");
  int any = ts_row(c, &q);
  ts_end(c, &q);
  return any;
}

int ts_message_was_deleted(Cmd *c, Text name, Text messageId, Text channel, Text sender) {
  HashId id;
  Query q;
  int was;
  if (c->rc != SQLITE_OK || !name.z || !messageId.z) return 0;
  id = hashOf(name, messageId, channel, sender);
  q = ts_query(c, SQL_DELETED_MESSAGE, "s", id.hex);
  was = ts_row(c, &q);
  ts_end(c, &q);
  return was;
}

/* The messages are finished: sending one again does not bring the session back. */
void ts_deleted_keep(Cmd *c, Text label) {
  Query q = ts_query(c, SQL_DELETE_MESSAGE_IDS, "t", &label);
  while (ts_row(c, &q)) {
    HashId id = hashOf(ts_col_view(&q, COL_DELETE_MESSAGE_IDS_NAME),
                       ts_col_view(&q, COL_DELETE_MESSAGE_IDS_MESSAGE_ID),
                       ts_col_view(&q, COL_DELETE_MESSAGE_IDS_CHANNEL),
                       ts_col_view(&q, COL_DELETE_MESSAGE_IDS_SENDER));
    ts_exec(c, SQL_DELETED_MESSAGE_ADD, "si", id.hex, c->now);
  }
  ts_end(c, &q);
}
