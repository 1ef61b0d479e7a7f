/*
** queue.c - rows of session_queue.
*/
#include "queue.h"

#include "config.h"
#include "ids.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

int ts_same_sender(const Inbound *a, const Inbound *b) {
  return ts_text_equal(a->channel, b->channel) && ts_text_equal(a->sender, b->sender);
}

Text ts_queue_home(Cmd *c, const Inbound *in) {
  Text home = in->cameFrom;
  Query q;
  if (!in->queueId) return home;
  q = ts_query(c, SQL_QUEUE_HOME, "i", in->queueId);
  home = ts_row(c, &q) ? ts_col_text(c, &q, COL_QUEUE_HOME_CAME_FROM) : (Text){NULL, 0};
  ts_end(c, &q);
  return home;
}

void ts_queue_add(Cmd *c, const Session *s, Inbound *in, const char *status) {
  const char *cls = in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls];
  in->queueId = ts_insert_new(
      c, ID_INPUT, SQL_QUEUE_ADD, "t?sttssssiititiii??", &s->label, in->deliveryId != 0,
      in->deliveryId, ts_source_names[in->source], &in->channel, &in->sender, in->mode.z,
      in->messageId.z, cls, status, (sqlite3_int64)(strcmp(status, QUEUE_HANDED) == 0), c->now,
      &in->message, in->rank, &in->cameFrom, (sqlite3_int64)(s->status != STATUS_ACTIVE),
      (sqlite3_int64)!in->keepsNoTurns, (sqlite3_int64)in->isExempt, in->openedAt != 0,
      in->openedAt, in->askedAt != 0, in->askedAt);
}

/* Inputs handed to a host without turns; turn 0: the host shows in another way that it works on
** them. */
static void takeUp(Cmd *c, const Session *s, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_QUEUE_HANDED, "t", &s->label);
  int handed = ts_row(c, &q);
  ts_end(c, &q);
  if (!handed) return;
  ts_exec(c, SQL_QUEUE_TAKEN_UP, "ti?", &s->label, c->now, turn != 0, turn);
}

void ts_queue_taken_up(Cmd *c, const Session *s) {
  takeUp(c, s, 0);
}

void ts_queue_taken_by(Cmd *c, const Session *s, sqlite3_int64 turn, Text messages) {
  InputLink *list = ts_queue_among(c, s, messages);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    ts_exec(c, SQL_QUEUE_TAKEN_BY, "iii", list->in->queueId, c->now, turn);
  takeUp(c, s, turn);
}

/* ---- Inputs in the messages that a host writes itself ------------------------------------------- */

/* A user's text without the parts that were already recognized as inputs. */
typedef struct Said {
  struct Said *next;
  Text rest;
  int isNamed; /* it names its input itself */
  sqlite3_int64 queueId;
} Said;

static Said *listSaid(Cmd *c, Text messages) {
  Said *first = NULL, **tail = &first;
  Query q = ts_query(c, SQL_MESSAGES_SAID, "t", &messages);
  while (ts_row(c, &q)) {
    Said *said = ts_alloc(c, sizeof(*said));
    if (!said) break;
    said->rest = ts_col_text(c, &q, COL_MESSAGES_SAID_TEXT);
    said->isNamed = !ts_col_null(&q, COL_MESSAGES_SAID_QUEUE_ID);
    said->queueId = ts_col_int(&q, COL_MESSAGES_SAID_QUEUE_ID);
    *tail = said;
    tail = &said->next;
  }
  ts_end(c, &q);
  return first;
}

/* Can a message begin here: at a line's start, or after its author and time ("[09:30] ", "ann: ",
** "<ann> ")? */
static int beginsAt(const char *z, int i) {
  if (i == 0 || z[i - 1] == '\n') return 1;
  while (i > 0 && z[i - 1] == ' ')
    i--;
  return i > 0 && strchr(":]>)", z[i - 1]) != NULL;
}

/* Is the text there, up to the end of a line? The place where it was found is not searched again. */
static int takeLines(Text *rest, Text text) {
  for (int i = 0; i + text.n <= rest->n; i++) {
    int end = i + text.n;
    if (rest->z[i] != text.z[0] || memcmp(rest->z + i, text.z, (size_t)text.n) != 0) continue;
    if (!beginsAt(rest->z, i)) continue;
    if (end < rest->n && rest->z[end] != '\n' && rest->z[end] != '\r') continue;
    rest->z += end;
    rest->n -= end;
    return 1;
  }
  return 0;
}

static int isSaid(Said *said, const Inbound *in) {
  for (; said; said = said->next) {
    if (said->isNamed ? said->queueId == in->queueId : takeLines(&said->rest, in->message))
      return 1;
  }
  return 0;
}

InputLink *ts_queue_among(Cmd *c, const Session *s, Text messages) {
  InputLink *list = ts_queue_list(c, s->label, SQL_QUEUE_HANDED_ROWS, TS_MAX_INPUTS), **at = &list;
  Said *said = list ? listSaid(c, messages) : NULL;
  while (*at) {
    if (isSaid(said, (*at)->in)) {
      at = &(*at)->next;
    } else {
      *at = (*at)->next;
    }
  }
  return list;
}

/* A row of one of the statements that list inputs. */
static Inbound *readInput(Cmd *c, Query *q) {
  Inbound *in = ts_alloc(c, sizeof(*in));
  Text cls;
  if (!in) return NULL;
  in->queueId = ts_col_int(q, COL_QUEUE_PENDING_ID);
  in->deliveryId = ts_col_int(q, COL_QUEUE_PENDING_DELIVERY_ID);
  in->source = ts_source_find(ts_col_text(c, q, COL_QUEUE_PENDING_SOURCE));
  in->channel = ts_col_text(c, q, COL_QUEUE_PENDING_CHANNEL);
  in->sender = ts_col_text(c, q, COL_QUEUE_PENDING_SENDER);
  cls = ts_col_text(c, q, COL_QUEUE_PENDING_CLASS);
  in->message = ts_col_text(c, q, COL_QUEUE_PENDING_MESSAGE);
  in->mode = ts_col_text(c, q, COL_QUEUE_PENDING_MODE);
  in->messageId = ts_col_text(c, q, COL_QUEUE_PENDING_MESSAGE_ID);
  in->enqueuedAt = ts_col_int(q, COL_QUEUE_PENDING_ENQUEUED_AT);
  in->attempts = ts_col_int(q, COL_QUEUE_PENDING_ATTEMPTS);
  in->rank = ts_col_int(q, COL_QUEUE_PENDING_RANK);
  in->shownIn = ts_col_int(q, COL_QUEUE_PENDING_SHOWN_TURN_ID);
  in->isRetry = in->attempts > 0 || in->shownIn; /* it has left its note already */
  in->isExempt = ts_col_int(q, COL_QUEUE_PENDING_EXEMPT) == 1;
  in->dueAt = ts_col_int(q, COL_QUEUE_PENDING_DUE_AT);
  in->dueAfter = ts_col_int(q, COL_QUEUE_PENDING_DUE_AFTER);
  in->openedAt = ts_col_int(q, COL_QUEUE_PENDING_OPENED_AT);
  in->askedAt = ts_col_int(q, COL_QUEUE_PENDING_ASKED_AT);
  in->answersQuestion = in->askedAt != 0;
  in->namesQuestion = in->askedAt && !in->openedAt;
  in->cls = cls.z ? ts_class_find(cls.z, cls.n) : CLASS_UNKNOWN;
  return in;
}

/* Until there are no more, or `max` of them: inputs of this session. */
static InputLink *listInputs(Cmd *c, Query *q, Text label, int max) {
  InputLink *first = NULL, **tail = &first;
  Text names;
  for (int i = 0; i < max && ts_row(c, q); i++) {
    Inbound *in = readInput(c, q);
    InputLink *link = ts_alloc(c, sizeof(*link));
    if (!in || !link) break;
    link->in = in;
    *tail = link;
    tail = &link->next;
  }
  ts_end(c, q);
  if (!first) return NULL;
  names = ts_config_host_name(c, label, CONFIG_NAMES);
  for (InputLink *link = first; link; link = link->next)
    link->in->names = names;
  return first;
}

void ts_queue_join(InputLink **list, InputLink *more) {
  while (*list)
    list = &(*list)->next;
  *list = more;
}

InputLink *ts_queue_list(Cmd *c, Text label, int statement, int max) {
  Query q = ts_query(c, statement, "t", &label);
  return listInputs(c, &q, label, max);
}

Inbound *ts_queue_one(Cmd *c, sqlite3_int64 id) {
  Query q = ts_query(c, SQL_QUEUE_ONE, "i", id);
  Inbound *in = ts_row(c, &q) ? readInput(c, &q) : NULL;
  ts_end(c, &q);
  return in;
}

InputLink *ts_queue_oldest(Cmd *c, const Session *s, sqlite3_int64 answer) {
  Query q = ts_query(c, SQL_QUEUE_OLDEST, "ti", &s->label, answer);
  return listInputs(c, &q, s->label, 1);
}

InputLink *ts_queue_of_turn(Cmd *c, const Session *s, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_QUEUE_OF_TURN, "ti", &s->label, turn);
  return listInputs(c, &q, s->label, TS_MAX_INPUTS);
}

static void endAll(Cmd *c, const InputLink *list, const char *why) {
  for (; list && c->rc == SQLITE_OK; list = list->next)
    ts_exec(c, SQL_QUEUE_END, "isis", list->in->queueId, "cancelled", c->now, why);
}

#define CALLED_OFF "called off by its sender"

InputLink *ts_queue_cancel_of(Cmd *c, const Session *s, const Inbound *in, sqlite3_int64 before) {
  Query q = ts_query(c, SQL_QUEUE_WAITING_OF, "ttti", &s->label, &in->channel, &in->sender, before);
  InputLink *list = listInputs(c, &q, s->label, TS_MAX_INPUTS);
  q = ts_query(c, SQL_QUEUE_FAILED_OF, "ttti", &s->label, &in->channel, &in->sender, before);
  ts_queue_join(&list, listInputs(c, &q, s->label, TS_MAX_INPUTS));
  endAll(c, list, CALLED_OFF);
  return list;
}

InputLink *ts_queue_cancel_unclaimed(Cmd *c, const Session *s, const Inbound *in) {
  sqlite3_int64 before = in->queueId ? in->queueId : TURNSTILE_MAX_INTEGER;
  Query q =
      ts_query(c, SQL_QUEUE_UNCLAIMED_OF, "ttti", &s->label, &in->channel, &in->sender, before);
  InputLink *list = listInputs(c, &q, s->label, TS_MAX_INPUTS);
  endAll(c, list, CALLED_OFF);
  return list;
}

static void callOff(Cmd *c, Session *s, InputLink *list) {
  endAll(c, list, "its task has ended");
  ts_queue_join(&s->calledOff, list);
}

static InputLink *listOf(Cmd *c, const Session *s, int statement, sqlite3_int64 of) {
  Query q = ts_query(c, statement, "tii", &s->label, of, (sqlite3_int64)s->isSubagent);
  return listInputs(c, &q, s->label, TS_MAX_INPUTS);
}

/* Inputs that failed in a turn for a task. given: also the input that gave the task to a worker. */
static InputLink *listFailed(Cmd *c, const Session *s, sqlite3_int64 task, int given) {
  Query q = ts_query(c, SQL_QUEUE_TRIED_FAILED, "tiii", &s->label, task,
                     (sqlite3_int64)s->isSubagent, (sqlite3_int64)given);
  return listInputs(c, &q, s->label, TS_MAX_INPUTS);
}

static int isListed(const InputLink *list, const Inbound *in) {
  for (; list; list = list->next) {
    if (list->in->queueId == in->queueId) return 1;
  }
  return 0;
}

void ts_queue_list_off(InputLink **to, InputLink *list) {
  for (InputLink *next; list; list = next) {
    next = list->next;
    list->next = NULL;
    if (!isListed(*to, list->in)) ts_queue_join(to, list);
  }
}

void ts_queue_settles(Cmd *c, Session *s) {
  Query q = ts_query(c, SQL_QUEUE_CALLED_OFF, "ti", &s->label, s->task.id);
  ts_queue_list_off(&s->calledOff, listInputs(c, &q, s->label, TS_MAX_INPUTS));
}

void ts_queue_handed_over(Cmd *c, Session *s) {
  ts_queue_list_off(&s->calledOff, ts_queue_list(c, s->label, SQL_QUEUE_OF_TASK, TS_MAX_INPUTS));
  ts_exec(c, SQL_QUEUE_OF_TASK_ENDS, "ti", &s->label, c->now);
}

void ts_queue_task_over(Cmd *c, Session *s) {
  callOff(c, s, listOf(c, s, SQL_QUEUE_TRIED, s->task.id));
  /* A report settles the input that gave the task (report.c). */
  callOff(c, s, listFailed(c, s, s->task.id, s->task.state == TASK_ABORTED));
}

void ts_queue_turn_over(Cmd *c, Session *s, sqlite3_int64 turn) {
  callOff(c, s, listOf(c, s, SQL_QUEUE_OF_ENDED, turn));
}

void ts_queue_settle(Cmd *c, Session *s, const Inbound *in) {
  InputLink **link = &s->calledOff;
  while (*link && (*link)->in->queueId != in->queueId)
    link = &(*link)->next;
  if (*link) *link = (*link)->next; /* it has ended the task itself */
  ts_exec(c, SQL_QUEUE_SETTLE, "iis", in->queueId, c->now,
          in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls]);
}

int ts_queue_is_called_off(const Session *s, const Inbound *in) {
  return isListed(s->calledOff, in);
}

InputLink *ts_queue_end_task(Cmd *c, const Session *s, const Inbound *next, sqlite3_int64 task) {
  Text empty = TS_TEXT("");
  const Text *channel = next->channel.z ? &next->channel : &empty;
  const Text *sender = next->sender.z ? &next->sender : &empty;
  InputLink *list = ts_queue_list(c, s->label, SQL_QUEUE_OF_TASK, TS_MAX_INPUTS);
  Query q = ts_query(c, SQL_QUEUE_OF_TASK_WAITING, "ttti", &s->label, channel, sender, task);
  ts_queue_join(&list, listInputs(c, &q, s->label, TS_MAX_INPUTS));
  ts_queue_join(&list, listFailed(c, s, task, 1));
  endAll(c, list, "another task was begun instead");
  return list;
}

InputLink *ts_queue_waits(Cmd *c, const Session *s, int max) {
  Query q = ts_query(c, SQL_QUEUE_WAITS_STILL, "ti", &s->label, (sqlite3_int64)max);
  return listInputs(c, &q, s->label, max);
}

void ts_queue_put(Json *j, const char *key, const InputLink *list, int whose) {
  if (!list) return;
  ts_json_key(j, key);
  ts_json_open(j, '[');
  for (; list; list = list->next) {
    const Inbound *in = list->in;
    ts_json_open(j, '{');
    ts_json_put_int(j, "queue_id", in->queueId);
    if (whose) ts_json_put_string(j, "source", ts_source_names[in->source]);
    if (whose && in->sender.n) ts_json_put(j, "sender", in->sender);
    ts_json_put(j, "message", in->message);
    ts_json_close(j, '}');
  }
  ts_json_close(j, ']');
}

int ts_input_waits(const Cmd *c, const Inbound *in) {
  return in->dueAt > c->now && in->dueAt - c->now - TURNSTILE_CLOCK_STEP <= in->dueAfter;
}

int ts_queue_is_held(Cmd *c, const Session *s) {
  Query q = ts_query(c, SQL_QUEUE_DUE, "ti", &s->label, c->now);
  int held = ts_row(c, &q);
  ts_end(c, &q);
  return held;
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
  Query q = ts_query(c, SQL_QUEUE_COUNT, "ti", &s->label, c->now);
  if (ts_row(c, &q)) {
    n = ts_col_int(&q, COL_QUEUE_COUNT_WAITING);
    if (steering) *steering = ts_col_int(&q, COL_QUEUE_COUNT_STEERABLE);
  }
  ts_end(c, &q);
  return n;
}

sqlite3_int64 ts_queue_front_rank(Cmd *c, const Session *s) {
  sqlite3_int64 rank = 0;
  Query q = ts_query(c, SQL_QUEUE_FIRST_RANK, "t", &s->label);
  if (ts_row(c, &q)) rank = ts_col_int(&q, COL_QUEUE_FIRST_RANK_RANK);
  ts_end(c, &q);
  return rank - 1;
}
