/*
** tell.c - the row of a delivery, and inputs that the library itself gives to a session.
**
** A message of a person or a host needs a decision (deliver.c). A message of the library, such as a
** worker's word to its parent or a late result, needs none and waits in the queue. Its delivery is
** recorded as well.
*/
#include "tell.h"

#include "asked.h"
#include "ids.h"
#include "said.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_decision_begin(Json *j, Action action, const Session *s, sqlite3_int64 task,
                       MessageClass cls, double confidence, TaskState previous) {
  ts_json_open(j, '{');
  ts_json_put_string(j, "action", ts_action_names[action]);
  ts_json_put(j, "session", s->label);
  ts_json_put_id(j, "task_id", task);
  ts_json_put_string(j, "class", cls == CLASS_UNKNOWN ? NULL : ts_class_names[cls]);
  ts_json_key(j, "confidence");
  if (cls == CLASS_UNKNOWN) {
    ts_json_null(j);
  } else {
    ts_json_real(j, confidence);
  }
  ts_json_put_string(j, "state", ts_task_machine.states[s->task.state]);
  ts_json_put_string(j, "previous_state", ts_task_machine.states[previous]);
}

void ts_delivery_number(Cmd *c, Inbound *in) {
  in->deliveryId = c->deliveryTaken = ts_id_last_delivery(c) + 1;
}

void ts_delivery_record(Cmd *c, const Session *s, const Inbound *in, MessageClass cls,
                        double confidence, Action action, Text decision, int isTold,
                        sqlite3_int64 toldPlace) {
  const char *name = cls == CLASS_UNKNOWN ? NULL : ts_class_names[cls];
  ts_insert_as(c, ID_DELIVERY, in->deliveryId, SQL_DELIVERY_ADD, "ttttssRstit?tt", &s->label,
               &in->messageId, &in->channel, &in->sender, ts_source_names[in->source], name,
               name != NULL, confidence, ts_action_names[action], &decision, c->now, &in->message,
               isTold, toldPlace, &in->cameAs, &in->cameBy);
}

/* Its own mode, or the session's; "/compact" only ever waits in line. */
static Text modeOf(Cmd *c, const Session *s, const Inbound *in) {
  QueueMode mode = ts_queue_mode(c, s, in);
  Text focus;
  if (mode >= MODE_STEER && ts_live_other(mode) == LIVE_QUEUE) mode = MODE_QUEUE;
  if (ts_asks_compact(in, &focus)) mode = MODE_QUEUE;
  return (Text){ts_queue_modes[mode], (int)strlen(ts_queue_modes[mode])};
}

sqlite3_int64 ts_tell(Cmd *c, Session *s, Inbound *in) {
  Json j;
  if (ts_session_wakes(c, s)) ts_session_revive(c, s);
  in->cameFrom = s->via;
  ts_delivery_number(c, in);
  in->mode = modeOf(c, s, in);
  ts_queue_add(c, s, in, QUEUE_PENDING);
  if (c->rc != SQLITE_OK) return 0;
  ts_session_use(c, s);
  ts_session_save(c, s);
  ts_json_begin(&j, c);
  ts_decision_begin(&j, ACTION_QUEUE, s, s->task.id, CLASS_UNKNOWN, 0, s->task.state);
  ts_asked_put(&j, c, s);
  ts_json_put_int(&j, "queue_id", in->queueId);
  ts_json_close(&j, '}');
  ts_delivery_record(c, s, in, CLASS_UNKNOWN, 0, ACTION_QUEUE, ts_json_finish(&j), 0, 0);
  return in->queueId;
}
