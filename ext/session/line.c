/*
** line.c - the first inputs in a session's queue, and when a turn can take them.
*/
#include "line.h"

#include "config.h"
#include "said.h"

SQLITE_EXTENSION_INIT3

static int modeIs(const Inbound *in, QueueMode mode) {
  return ts_text_is(in->mode, ts_queue_modes[mode]);
}

/* Is the second one taken together with the first? */
static int goTogether(const Cmd *c, const Inbound *first, const Inbound *next) {
  if (ts_is_compact(next) || ts_input_waits(c, next)) return 0;
  if (first->rank != next->rank) return 0;
  if (modeIs(first, MODE_COLLECT)) return modeIs(next, MODE_COLLECT);
  return modeIs(first, MODE_INTERRUPT) && modeIs(next, MODE_INTERRUPT);
}

/* When n collected inputs are taken: collect_debounce after the newest, because more may come, but
** the oldest does not wait longer than collect_max_wait, and a full queue does not wait. */
static sqlite3_int64 collectedAt(Cmd *c, const Session *s, const Inbound *oldest,
                                 const Inbound *newest, sqlite3_int64 n) {
  sqlite3_int64 wait = ts_config_int(c, s->label, CONFIG_COLLECT_DEBOUNCE);
  sqlite3_int64 longest = ts_config_int(c, s->label, CONFIG_COLLECT_MAX_WAIT);
  sqlite3_int64 first = oldest->enqueuedAt, last = newest->enqueuedAt;
  if (wait == 0 || n >= ts_config_int(c, s->label, CONFIG_QUEUE_CAP)) return c->now;
  if (ts_is_ahead(c, first) || ts_is_ahead(c, last)) return c->now;
  if (longest < wait) longest = wait;
  return first + longest < last + wait ? first + longest : last + wait;
}

/* The inputs at the front of a list that are taken together; the rest is cut off. */
static sqlite3_int64 cutTogether(const Cmd *c, InputLink *list, InputLink **last, int *more) {
  sqlite3_int64 n = 1;
  *more = 1;
  for (*last = list; (*last)->next; *last = (*last)->next, n++) {
    if (goTogether(c, list->in, (*last)->next->in)) continue;
    (*last)->next = NULL;
    *more = 0;
    break;
  }
  return n;
}

InputLink *ts_line_first(Cmd *c, const Session *s, sqlite3_int64 *due) {
  InputLink *list = ts_queue_list(c, s->label, SQL_QUEUE_NEXT_FRONT, TS_MAX_INPUTS), *last;
  int more; /* could more be collected after these? */
  sqlite3_int64 n;
  *due = 0;
  if (!list) list = ts_queue_list(c, s->label, SQL_QUEUE_NEXT, 1);
  if (list && modeIs(list->in, MODE_COLLECT) && list->in->rank >= 0) {
    list = ts_queue_list(c, s->label, SQL_QUEUE_NEXT, TS_MAX_INPUTS);
  }
  if (!list) return NULL;
  *due = c->now;
  if (ts_input_waits(c, list->in)) *due = list->in->dueAt;
  if (*due > c->now) return NULL;
  if (ts_is_compact(list->in)) {
    list->next = NULL;
    return list;
  }
  n = cutTogether(c, list, &last, &more);
  if (modeIs(list->in, MODE_COLLECT) && list->in->rank >= 0 && more) {
    *due = collectedAt(c, s, list->in, last->in, n);
  }
  return *due > c->now ? NULL : list;
}

/* Every look at the queue asks this, so it reads one row and sorts nothing. */
static int isHandedToTurn(Cmd *c, const Session *s) {
  Query q = ts_query(c, SQL_QUEUE_HAS_FOR_TURN, "t", &s->label);
  int has = ts_row(c, &q);
  ts_end(c, &q);
  return has;
}

sqlite3_int64 ts_line_due(Cmd *c, const Session *s) {
  sqlite3_int64 due = 0;
  if (isHandedToTurn(c, s)) return c->now;
  (void)ts_line_first(c, s, &due);
  return due;
}

int ts_input_is_for_run(const Inbound *in) {
  return modeIs(in, MODE_STEER) || modeIs(in, MODE_STEER_BACKLOG) || modeIs(in, MODE_INTERRUPT);
}

static int isAmong(const InputLink *list, sqlite3_int64 queueId) {
  for (; list; list = list->next) {
    if (list->in->queueId == queueId) return 1;
  }
  return 0;
}

int ts_line_interrupts(Cmd *c, const Session *s, const InputLink *taken) {
  InputLink *link = ts_queue_list(c, s->label, SQL_QUEUE_PENDING, TS_MAX_INPUTS);
  for (; link; link = link->next) {
    const Inbound *in = link->in;
    if (ts_input_is_for_run(in) && in->source == SOURCE_USER && !isAmong(taken, in->queueId) &&
        (in->cls == CLASS_RESPONSE || in->cls == CLASS_MODIFICATION)) {
      return 1;
    }
  }
  return 0;
}
