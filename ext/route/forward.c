/*
** forward.c - moves inputs to the session where they belong, once no turn has them.
**
** When a sender is unlinked while a turn has their input, the input stays, and its row says where
** it belongs (session_queue.goes_to). When the turn ends without recording anything, or the input
** is tried again, it goes to the session where its sender's messages go at that time.
*/
#include "forward.h"

#include "settle.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

Text ts_key_open(Cmd *c, Text key, Text persona) {
  Text found = ts_label_find(c, key, NULL);
  Session s;
  if (found.z || c->rc != SQLITE_OK) return found;
  memset(&s, 0, sizeof(s));
  s.label = key;
  ts_session_open(c, &s, persona, SOURCE_USER);
  return key;
}

Forward *ts_forward_list(Cmd *c, Query q) {
  Forward *list = NULL, **tail = &list;
  while (ts_row(c, &q)) {
    Forward *one = ts_alloc(c, sizeof(*one));
    if (!one) break;
    one->input = ts_col_int(&q, COL_QUEUE_GOING_ID);
    one->channel = ts_col_text(c, &q, COL_QUEUE_GOING_CHANNEL);
    one->sender = ts_col_text(c, &q, COL_QUEUE_GOING_SENDER);
    one->to = ts_col_text(c, &q, COL_QUEUE_GOING_GOES_TO);
    *tail = one;
    tail = &one->next;
  }
  ts_end(c, &q);
  return list;
}

Forward *ts_forward_of_turn(Cmd *c, Text session, sqlite3_int64 turn) {
  return ts_forward_list(c, ts_query(c, SQL_QUEUE_GOING, "ti", &session, turn));
}

Forward *ts_forward_of_input(Cmd *c, sqlite3_int64 input) {
  return ts_forward_list(c, ts_query(c, SQL_QUEUE_GOING_INPUT, "i", input));
}

void ts_forward(Cmd *c, const Forward *list) {
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    Identity id;
    Text key = list->to, label;
    if (ts_identity_find(c, list->channel, list->sender, &id)) {
      key = ts_identity_key_now(c, &id, id.entityLabel);
      if (!key.z) key = list->to;
    }
    label = ts_key_open(c, key, id.persona);
    ts_exec(c, SQL_QUEUE_BRING, "itt", list->input, &label, &key);
  }
}
