/*
** queue.c - rows of session_queue.
*/
#include "queue.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_queue_add(Cmd *c, const Session *s, Inbound *in, const char *status) {
  const char *cls = in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls];
  in->queueId = ts_insert(c, SQL_QUEUE_ADD, "t?sttssssiit", &s->label, in->deliveryId != 0,
                          in->deliveryId, ts_source_names[in->source], &in->channel, &in->sender,
                          in->mode.z, in->messageId.z, cls, status,
                          (sqlite3_int64)(strcmp(status, QUEUE_HANDED) == 0), c->now, &in->message);
}

void ts_queue_taken_up(Cmd *c, const Session *s) {
  ts_exec(c, SQL_QUEUE_TAKEN_UP, "ti", &s->label, c->now);
}
