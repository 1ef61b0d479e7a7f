/*
** finish.c - a delivery is decided: rows, the session, the turn that begins at once, and the record.
*/
#include "decision.h"

#include "begin.h"
#include "line.h"
#include "tell.h"
#include "turn.h"

SQLITE_EXTENSION_INIT3

/* Several messages may share one decision. The host works on what is handed over. When a task has
** just ended or a choice must be shown, it waits. Choices come only with a prompt. */
static void reconcile(Delivery *d) {
  if (d->action == ACTION_COUNT) d->action = ACTION_CONTINUE;
  if (d->action == ACTION_COMPLETE || d->action == ACTION_ABANDON || d->action == ACTION_PROMPT) {
    for (InputLink *link = d->inputs; link; link = link->next) {
      link->in->cls = CLASS_UNKNOWN;
      link->in->mode = none;                      /* it interrupts nothing */
      link->in->openedAt = link->in->askedAt = 0; /* it has answered */
      if (!link->in->queueId) ts_queue_add(d->c, &d->s, link->in, QUEUE_PENDING);
    }
    d->inputs = NULL;
  }
  if (d->inputs && d->action == ACTION_ACKNOWLEDGE) {
    d->action = d->handing == ACTION_COUNT ? ACTION_CONTINUE : d->handing;
  }
  if (d->inputs) d->message = none;
  ts_deliver_show_put_away(d);
  if (d->action != ACTION_PROMPT) d->choices = none;
  if (d->in.source != SOURCE_USER || d->action == ACTION_COMPACT) d->cls = CLASS_UNKNOWN;
}

/* The delivery stores this decision: delivering the message again returns it. */
static void decideAnew(Delivery *d, Text decision) {
  ts_exec(d->c, SQL_DELETE_UNGUARD, "");
  ts_exec(d->c, SQL_DELIVERY_DECIDE, "isRst", d->in.deliveryId,
          d->cls == CLASS_UNKNOWN ? NULL : ts_class_names[d->cls], d->cls != CLASS_UNKNOWN,
          d->confidence, ts_action_names[d->action], &decision);
  if (d->in.queueId) ts_exec(d->c, SQL_QUEUE_SAID_AS, "ii", d->in.queueId, d->secondOf);
  ts_exec(d->c, SQL_DELETE_GUARD, "");
}

int ts_run_compacts(Cmd *c, const Session *s) {
  Turn t;
  if (!ts_run_live(c, &s->run) || !s->run.turnId) return 0;
  ts_turn_load(c, s->run.turnId, &t);
  return t.isCompaction;
}

/* A "/compact" that waited is taken first, and alone. */
static void beginTurn(Delivery *d) {
  Cmd *c = d->c;
  InputLink *listed = d->s.calledOff;
  d->turn = ts_turn_begin_for(c, &d->s, d->owner, d->before);
  if (!listed) ts_deliver_cancelled(d, d->s.calledOff); /* else it stands behind what is listed */
  if (d->turn.z && ts_run_compacts(c, &d->s)) {
    ts_deliver_note(d, "the run that has begun is a compaction that was asked for before; what was "
                       "said waits for the turn after it");
  }
}

/* The answer to a "stop" lists what others have waiting, in every state of the session. */
static int isStop(const Delivery *d) {
  return d->stops || d->action == ACTION_ABANDON || /* by what waited, too */
         (d->cls == CLASS_ABANDON && d->in.source == SOURCE_USER && d->in.message.z && !d->inputs);
}

static void listWaits(Delivery *d) {
  InputLink **link = &d->waits;
  int n = 0;
  d->waits = ts_queue_waits(d->c, &d->s, MAX_AGAIN + 1);
  while (*link && n < MAX_AGAIN) {
    if ((*link)->in->queueId == d->in.queueId) { /* the message itself */
      *link = (*link)->next;
    } else {
      link = &(*link)->next;
      n++;
    }
  }
  *link = NULL;
}

Text ts_deliver_finish(Delivery *d) {
  Cmd *c = d->c;
  Text decision;
  if (c->rc != SQLITE_OK) return none;
  ts_deliver_drop_called_off(d);
  ts_deliver_cancelled(d, d->s.calledOff);
  ts_deliver_hand_forgotten(d);
  reconcile(d);
  ts_deliver_hand_over(d);
  if (d->s.task.id) d->taskId = d->s.task.id;
  if (d->action != ACTION_REJECTED) ts_session_use(c, &d->s);
  ts_session_save(c, &d->s);
  if (isStop(d)) listWaits(d);
  if (d->owner.z && d->inputs && d->action != ACTION_COMPACT) {
    beginTurn(d);
  }
  if (d->isHeld) d->due = ts_line_due(c, &d->s);
  decision = ts_deliver_decision_json(d);
  /* What was rejected is not remembered: the same message_id may come again later. */
  if (d->secondOf) {
    decideAnew(d, decision);
  } else if (d->in.message.z && d->action != ACTION_REJECTED) {
    ts_delivery_record(c, &d->s, &d->in, d->cls, d->confidence, d->action, decision, d->isTold,
                       d->toldPlace);
  }
  return decision;
}
