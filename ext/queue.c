/*
** queue.c - rows of session_queue.
*/
#include "queue.h"

#include "config.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_queue_add(Cmd *c, const Session *s, Inbound *in, const char *status) {
  const char *cls = in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls];
  in->queueId = ts_insert_new(
      c, ID_INPUT, SQL_QUEUE_ADD, "t?sttssssiititi", &s->label, in->deliveryId != 0, in->deliveryId,
      ts_source_names[in->source], &in->channel, &in->sender, in->mode.z, in->messageId.z, cls,
      status, (sqlite3_int64)(strcmp(status, QUEUE_HANDED) == 0), c->now, &in->message, in->rank,
      &s->via, (sqlite3_int64)(s->status != STATUS_ACTIVE));
}

void ts_queue_taken_by(Cmd *c, const Session *s, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_QUEUE_HANDED, "t", &s->label);
  int handed = ts_row(c, &q);
  ts_end(c, &q);
  if (!handed) return;
  ts_exec(c, SQL_QUEUE_TAKEN_UP, "ti?", &s->label, c->now, turn != 0, turn);
}

void ts_queue_taken_up(Cmd *c, const Session *s) {
  ts_queue_taken_by(c, s, 0);
}

InputLink *ts_queue_list(Cmd *c, Text label, int statement, int max) {
  InputLink *first = NULL, **tail = &first;
  Query q = ts_query(c, statement, "t", &label);
  for (int i = 0; i < max && ts_row(c, &q); i++) {
    Inbound *in = ts_alloc(c, sizeof(*in));
    InputLink *link = ts_alloc(c, sizeof(*link));
    Text source, cls;
    if (!in || !link) break;
    in->queueId = ts_col_int(&q, 0);
    in->deliveryId = ts_col_int(&q, 1);
    source = ts_col_text(c, &q, 2);
    in->channel = ts_col_text(c, &q, 3);
    in->sender = ts_col_text(c, &q, 4);
    cls = ts_col_text(c, &q, 5);
    in->message = ts_col_text(c, &q, 6);
    in->mode = ts_col_text(c, &q, 7);
    in->messageId = ts_col_text(c, &q, 8);
    in->enqueuedAt = ts_col_int(&q, 9);
    in->attempts = ts_col_int(&q, 10);
    in->rank = ts_col_int(&q, 11);
    in->cls = cls.z ? ts_class_find(cls.z, cls.n) : CLASS_UNKNOWN;
    in->source = ts_source_find(source);
    link->in = in;
    *tail = link;
    tail = &link->next;
  }
  ts_end(c, &q);
  return first;
}

/* The mode of this name, or QUEUE_MODE_COUNT. */
static QueueMode modeOf(Text name) {
  int i = 0;
  while (i < QUEUE_MODE_COUNT && !ts_text_is(name, ts_queue_modes[i]))
    i++;
  return (QueueMode)i;
}

QueueMode ts_queue_mode(Cmd *c, const Session *s, const Inbound *in) {
  QueueMode mode = modeOf(in->mode);
  if (mode == QUEUE_MODE_COUNT) mode = modeOf(s->queueMode);
  if (mode == QUEUE_MODE_COUNT && ts_config_overrides(c, s->label, CONFIG_QUEUE_MODE)) {
    mode = (QueueMode)ts_config_int(c, s->label, CONFIG_QUEUE_MODE);
  }
  if (mode == QUEUE_MODE_COUNT) {
    mode = (QueueMode)ts_config_int(c, s->label,
                                    (ConfigKey)(CONFIG_QUEUE_MODE_USER + (int)in->source));
  }
  if (mode == QUEUE_MODE_COUNT) mode = (QueueMode)ts_config_int(c, s->label, CONFIG_QUEUE_MODE);
  return mode;
}

sqlite3_int64 ts_queue_count(Cmd *c, const Session *s, sqlite3_int64 *steering) {
  sqlite3_int64 n = 0;
  Query q = ts_query(c, SQL_QUEUE_COUNT, "t", &s->label);
  if (ts_row(c, &q)) {
    n = ts_col_int(&q, 0);
    if (steering) *steering = ts_col_int(&q, 1);
  }
  ts_end(c, &q);
  return n;
}

sqlite3_int64 ts_queue_front_rank(Cmd *c, const Session *s) {
  sqlite3_int64 rank = 0;
  Query q = ts_query(c, SQL_QUEUE_FIRST_RANK, "t", &s->label);
  if (ts_row(c, &q)) rank = ts_col_int(&q, 0);
  ts_end(c, &q);
  return rank - 1;
}
