/*
** take.c - taking inputs that wait: by a turn that begins, and by a live run.
**
** The meaning of an input depends on the state in which it is taken. So it is classified and goes
** through the table at that time.
*/
#include "decision.h"

#include "config.h"
#include "end_task.h"
#include "line.h"
#include "said.h"
#include "take.h"
#include "task.h"
#include "workers.h"

SQLITE_EXTENSION_INIT3

/* ---- Taking what waits ----------------------------------------------------------------------- */

/* Is the row among what is handed over? */
static int isHanded(const Delivery *d, sqlite3_int64 queueId) {
  for (const InputLink *link = d->inputs; link; link = link->next) {
    if (link->in->queueId == queueId) return 1;
  }
  return 0;
}

/* The same for waiting inputs. After queue_retry, a cancelled input is taken as the next task. */
static int takeForEnded(Delivery *d, Inbound *in) {
  Cmd *c = d->c;
  Task saved;
  if (!ts_deliver_is_from_parent(d, in) || !ts_class_means_same_task(in->cls) || in->attempts > 0 ||
      in->shownIn)
    return 0;
  switch (ts_worker_meant(c, &d->s, &saved)) {
  case MEANT_SAVED:
    in->attempts++;
    ts_deliver_resume_saved(d, in, &saved);
    return 1;
  case MEANT_OVER: ts_deliver_cancel_answer(d, in, CLASS_NEW_TASK); return 1;
  default: return 0;
  }
}

/* An answer to the open choice that had to wait: it settles the choice now, as it would have done
** then. The messages that it releases go into the turn. 0: it is not such an answer. */
static int takePressed(Delivery *d, Inbound *in) {
  if (!ts_deliver_answers_choice(d, in)) return 0;
  if (in->cls == CLASS_UNKNOWN) ts_deliver_classify(d, in, &d->s.task, CLASS_UNKNOWN);
  ts_choice_read_message(d, in);
  ts_choice_settle(d, in);
  for (InputLink *link = d->inputs; link; link = link->next) {
    if (link->in->queueId) continue;
    ts_queue_add(d->c, &d->s, link->in, QUEUE_PENDING);
    link->in->attempts = 1;
  }
  return 1;
}

/* The input with a worker's task, retried by queue_retry after the task has ended: it is the next
** task, and the parent gets its report. */
static int givesTaskAgain(const Delivery *d, const Inbound *in) {
  return d->s.isSubagent && !d->s.task.id && in->source == SOURCE_AGENT && in->isExempt &&
         !ts_text_is(in->channel, "worker") && ts_worker_has_parent(d->c, &d->s, in->sender);
}

/* An input goes into a turn: its meaning is applied now. An input that asks for no work is
** finished. */
static void takeInput(Delivery *d, Inbound *in) {
  Cmd *c = d->c;
  if (ts_queue_is_called_off(&d->s, in) || ts_deliver_cancel_if_over(d, in) || takeForEnded(d, in))
    return;
  in->attempts++;
  d->isTaking = 1; /* goOn() says when interrupted work goes on */
  if (takePressed(d, in)) {
    d->action = ACTION_COUNT; /* only the turn is told */
  } else if (ts_input_concerns_task(in)) {
    if (in->cls == CLASS_UNKNOWN) ts_deliver_classify(d, in, &d->s.task, CLASS_UNKNOWN);
    ts_deliver_apply(d, in, 1);
  } else if (!d->s.pendingChoice.z && ts_deliver_is_from_parent(d, in)) {
    MessageClass was = in->cls;
    ts_deliver_classify_from_parent(d, in, in->isRetry ? CLASS_UNKNOWN : was);
    ts_deliver_apply(d, in, 1);
    if (in->isRetry && was != CLASS_UNKNOWN) in->cls = was;
  } else if (givesTaskAgain(d, in)) {
    ts_deliver_start(d, in);
  } else {
    ts_deliver_hand(d, in);
  }
  if (isHanded(d, in->queueId)) return;
  ts_deliver_cancel_before(d, in);
  ts_queue_settle(c, &d->s, in);
}

/* A task that was left Complete or Aborted is committed first. */
static void takeBegin(Delivery *d, Cmd *c, Session *s) {
  ts_deliver_init(d, c);
  d->s = *s;
  if (d->s.task.state == TASK_COMPLETE || d->s.task.state == TASK_ABORTED) {
    ts_task_settle(c, &d->s);
    ts_session_save(c, &d->s);
  }
  d->taskId = d->s.task.id;
}

static void takeEnd(Delivery *d, Session *s) {
  ts_queue_list_off(&d->s.calledOff, d->cancelled);
  ts_session_save(d->c, &d->s);
  *s = d->s;
}

/* The session after the inputs are taken: interrupted work continues once every interrupting input
** was taken. */
static void goOn(Delivery *d, Source source) {
  Cmd *c = d->c;
  Session *s = &d->s;
  if (s->task.state == TASK_INTERRUPTED && !ts_line_interrupts(c, s, d->inputs)) {
    ts_task_move(c, s, TASK_RUNNING, none, NULL);
  }
  s->workSource = source;
  ts_session_use(c, s);
}

/* "/compact" is taken alone. */
static void cutAtCompact(InputLink *list) {
  for (InputLink *link = list; link && link->next; link = link->next) {
    if (ts_is_compact(link->in) || ts_is_compact(link->next->in)) link->next = NULL;
  }
}

InputLink *ts_take_inputs(Cmd *c, Session *s) {
  Delivery d;
  InputLink *list;
  sqlite3_int64 due;
  int settled = 0;
  takeBegin(&d, c, s);
  list = ts_queue_list(c, s->label, SQL_QUEUE_FOR_TURN, TS_MAX_INPUTS);
  cutAtCompact(list);
  d.inputs = list;
  while (!d.inputs && c->rc == SQLITE_OK && (list = ts_line_first(c, &d.s, &due)) != NULL) {
    for (InputLink *next; list && c->rc == SQLITE_OK; list = next) {
      next = list->next;
      takeInput(&d, list->in);
      settled = 1;
    }
    ts_deliver_drop_called_off(&d);
  }
  if (d.inputs && c->rc == SQLITE_OK) {
    Source source = d.inputs->in->source;
    for (InputLink *link = d.inputs; link; link = link->next) {
      if (link->in->source == SOURCE_USER) source = SOURCE_USER;
    }
    goOn(&d, source);
  }
  if (d.inputs || settled) takeEnd(&d, s);
  *s = d.s;
  return d.inputs;
}

void ts_take_given(Cmd *c, Session *s, Source source) {
  Delivery d;
  takeBegin(&d, c, s);
  if (d.s.task.state == TASK_PENDING_COMPLETE && source == SOURCE_USER) {
    ts_task_move(c, &d.s, TASK_RUNNING, none, NULL);
  }
  goOn(&d, source);
  takeEnd(&d, s);
}

/* Can a live run take it? Not a message that ends the task or asks for another one. */
static int canSteer(Delivery *d, Inbound *in) {
  Cell cell;
  if (ts_is_compact(in)) return 0;
  if (!ts_input_concerns_task(in)) return 1;
  if (in->cls == CLASS_UNKNOWN) ts_deliver_classify(d, in, &d->s.task, CLASS_UNKNOWN);
  cell = ts_deliver_cell(d, in, 0); /* the class that counts: an approval may be an answer */
  return cell.cls == CLASS_RESPONSE || cell.cls == CLASS_MODIFICATION ||
         cell.cls == CLASS_CLARIFICATION;
}

InputLink *ts_take_steering(Cmd *c, Session *s) {
  Delivery d;
  InputLink *list = ts_queue_list(c, s->label, SQL_QUEUE_PENDING, TS_MAX_INPUTS);
  takeBegin(&d, c, s);
  for (InputLink *next; list && c->rc == SQLITE_OK; list = next) {
    next = list->next;
    if (!ts_input_is_for_run(list->in) || ts_input_waits(c, list->in)) continue;
    if (ts_deliver_cancel_if_over(&d, list->in)) continue;
    if (canSteer(&d, list->in)) {
      takeInput(&d, list->in);
    } else if (list->in->cls != CLASS_UNKNOWN || ts_is_compact(list->in)) {
      ts_exec(c, SQL_QUEUE_UNSTEER, "is", list->in->queueId,
              list->in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[list->in->cls]);
    }
  }
  if (d.inputs && c->rc == SQLITE_OK) {
    goOn(&d, s->workSource);
  }
  if (d.inputs || d.cancelled) takeEnd(&d, s);
  *s = d.s;
  return d.inputs;
}
