/*
** waiting.c - waiting inputs: what a message does to them, and which go with it when it is handed
** over.
*/
#include "decision.h"

#include "asked.h"
#include "config.h"
#include "list.h"
#include "said.h"
#include "task.h"
#include "turn.h"

SQLITE_EXTENSION_INIT3

/* ---- Inputs that waited ---------------------------------------------------------------------- */

void ts_deliver_cancel_waiting(Delivery *d) {
  sqlite3_int64 before = d->secondOf ? d->secondOf : TURNSTILE_MAX_INTEGER;
  ts_deliver_cancelled(d, ts_queue_cancel_of(d->c, &d->s, &d->in, before));
}

/* Was it said before an Abandon, by the same sender? */
static int isCalledOff(const Inbound *in, const Inbound *abandon) {
  return in->source == SOURCE_USER && in->queueId < abandon->queueId &&
         ts_text_equal(in->channel, abandon->channel) && ts_text_equal(in->sender, abandon->sender);
}

void ts_deliver_cancel_before(Delivery *d, const Inbound *in) {
  if (in->cls != CLASS_ABANDON || in->source != SOURCE_USER) return;
  d->inputsTail = &d->inputs;
  while (*d->inputsTail) {
    if (isCalledOff((*d->inputsTail)->in, in)) {
      *d->inputsTail = (*d->inputsTail)->next;
    } else {
      d->inputsTail = &(*d->inputsTail)->next;
    }
  }
  ts_deliver_cancelled(d, ts_queue_cancel_of(d->c, &d->s, in, in->queueId));
}

/* What waits in the queue, in order. */
static InputLink *waitingInputs(Delivery *d) {
  return ts_queue_list(d->c, d->s.label, SQL_QUEUE_PENDING, TS_MAX_INPUTS);
}

/* Hands one of them over unchanged, before a newer message that decides. */
static void handOlder(Delivery *d, Inbound *in) {
  if (ts_input_concerns_task(in)) {
    if (in->cls == CLASS_UNKNOWN) ts_deliver_classify(d, in, &d->s.task, CLASS_UNKNOWN);
    if (d->s.task.id) ts_note(d->c, &d->s, NOTE_INTERVENTION, in->message);
    in->label = ts_config_text(d->c, d->s.label, "label.earlier");
  }
  ts_deliver_hand(d, in);
}

/* By the order in which they were delivered, however they came here. Inputs without a delivery keep
** their order. */
static int wereInOrder(const void *a, const void *b) {
  return ((const InputLink *)a)->in->deliveryId <= ((const InputLink *)b)->in->deliveryId;
}

/* By their places: as in queue_list, and as a turn takes them. */
static int standInOrder(const void *a, const void *b) {
  const Inbound *first = ((const InputLink *)a)->in, *next = ((const InputLink *)b)->in;
  return first->rank < next->rank ||
         (first->rank == next->rank && first->deliveryId <= next->deliveryId);
}

/* A copy of the list with the users' inputs, the newest first. */
static InputLink *usersNewestFirst(Cmd *c, const InputLink *older) {
  InputLink *copies = NULL, **tail = &copies, *newestFirst = NULL;
  for (; older; older = older->next) {
    InputLink *link = ts_input_concerns_task(older->in) ? ts_alloc(c, sizeof(*link)) : NULL;
    if (!link) continue;
    link->in = older->in;
    *tail = link;
    tail = &link->next;
  }
  copies = ts_list_sort(copies, wereInOrder);
  for (InputLink *next; copies; copies = next) {
    next = copies->next;
    copies->next = newestFirst;
    newestFirst = copies;
  }
  return newestFirst;
}

int ts_deliver_cancel_if_over(Delivery *d, Inbound *in) {
  if (!ts_asked_over(d->c, &d->s, in)) return 0;
  ts_deliver_cancel_answer(d, in, CLASS_UNKNOWN);
  return 1;
}

int ts_deliver_answers_choice(const Delivery *d, const Inbound *in) {
  return in->openedAt && d->s.pendingChoice.z && !in->isRetry && ts_input_concerns_task(in);
}

/* Was it said after a message that has got a second opinion? Then it goes on waiting. */
static int isLater(const Delivery *d, const Inbound *in) {
  return d->secondOf && in->deliveryId >= d->in.deliveryId;
}

InputLink *ts_deliver_still_waiting(Delivery *d) {
  InputLink *list = waitingInputs(d), **at = &list;
  while (*at && d->c->rc == SQLITE_OK) {
    InputLink *link = *at;
    if (ts_deliver_cancel_if_over(d, link->in) || ts_deliver_answers_choice(d, link->in) ||
        isLater(d, link->in)) {
      *at = link->next;
    } else {
      at = &link->next;
    }
  }
  return list;
}

/* The next unfinished one, classified; NULL at the end. */
static Inbound *nextOfUser(Delivery *d, InputLink **users) {
  Inbound *newest;
  while (*users && (*users)->in->isSettled)
    *users = (*users)->next;
  newest = *users ? (*users)->in : NULL;
  if (newest && newest->cls == CLASS_UNKNOWN)
    ts_deliver_classify(d, newest, &d->s.task, CLASS_UNKNOWN);
  return newest;
}

int ts_deliver_apply_waiting(Delivery *d, InputLink *older) {
  Cmd *c = d->c;
  InputLink *users = usersNewestFirst(c, older);
  Inbound *newest = nextOfUser(d, &users);
  while (newest && c->rc == SQLITE_OK && !ts_deliver_cell(d, newest, 1).hands) {
    Cell cell = ts_deliver_cell(d, newest, 1);
    int isOver = !ts_cell_leaves_room(&cell);
    ts_deliver_apply(d, newest, 1);
    ts_queue_settle(c, &d->s, newest);
    newest->isSettled = 1;
    if (newest->cls == CLASS_ABANDON) {
      ts_deliver_cancel_before(d, newest);
      for (InputLink *link = older; link; link = link->next)
        link->in->isSettled |= isCalledOff(link->in, newest);
    }
    if (isOver) return 1;
    newest = nextOfUser(d, &users);
  }
  for (; older && c->rc == SQLITE_OK; older = older->next) {
    if (older->in->isSettled) continue;
    if (older->in == newest) {
      ts_deliver_apply(d, newest, 1);
    } else {
      handOlder(d, older->in);
    }
  }
  return 0;
}

int ts_deliver_hand_unless_users(Delivery *d, InputLink *older) {
  for (const InputLink *link = older; link; link = link->next) {
    if (link->in->source == SOURCE_USER) return 0;
  }
  for (; older; older = older->next)
    handOlder(d, older->in);
  return 1;
}

void ts_deliver_apply_with_waiting(Delivery *d) {
  InputLink *older = ts_deliver_still_waiting(d);
  Cell cell = ts_deliver_cell(d, &d->in, 0);
  d->tookWaiting = 1;
  if (!older || cell.cls == CLASS_ABANDON || (!cell.hands && !ts_cell_leaves_room(&cell))) {
    ts_deliver_apply(d, &d->in, 0);
  } else if (cell.hands) {
    /* A switch of tasks comes first: then they belong to the new task. */
    int switches = cell.commit != COMMIT_NONE;
    if (switches) {
      ts_deliver_apply(d, &d->in, 0);
      older = ts_deliver_still_waiting(d); /* without what was said for the old one */
    }
    for (; older; older = older->next)
      handOlder(d, older->in);
    if (!switches) ts_deliver_apply(d, &d->in, 1);
  } else {
    ts_deliver_apply(d, &d->in, 0);
    ts_deliver_apply_waiting(d, older);
    d->cls = d->in.cls;
    d->confidence = d->in.confidence;
  }
}

/* Does the host that asks keep turns? */
static int keepsTurns(Delivery *d) {
  if (d->keepsTurns < 0) {
    d->keepsTurns = ts_config_int(d->c, d->s.label, CONFIG_KEEPS_TURNS) != 0;
  }
  return d->keepsTurns;
}

/* Inputs that were handed over before, and that no turn has taken, go along, because the process
** that had them may have died. The next turn takes all of them, and only one turn does. Returns
** their number. */
static int handAgain(Delivery *d) {
  Cmd *c = d->c;
  InputLink *list = ts_queue_list(c, d->s.label, SQL_QUEUE_UNCLAIMED, MAX_AGAIN);
  int n = 0;
  for (; list; list = list->next) {
    Inbound *in = list->in;
    if (ts_is_compact(in)) continue;
    in->isOpen = 1;
    in->label = ts_config_text(c, d->s.label, "label.earlier");
    ts_deliver_hand(d, in);
    n++;
  }
  if (n) {
    ts_deliver_note(d,
                    "no turn has taken what was handed over before, and it is handed over again; a "
                    "host that keeps no turns sets keeps_turns to 0");
  }
  return n;
}

void ts_deliver_hand_forgotten(Delivery *d) {
  if (d->action != ACTION_ACKNOWLEDGE || d->cls != CLASS_CONFIRMATION || d->inputs || d->liveRun ||
      d->isHeld || d->s.pendingChoice.z || !keepsTurns(d) || !handAgain(d)) {
    return;
  }
  d->handing = ACTION_ANSWER;
  for (const InputLink *link = d->inputs; link; link = link->next) {
    if (link->in->cls != CLASS_CLARIFICATION && link->in->cls != CLASS_UNCLEAR)
      d->handing = ACTION_CONTINUE;
  }
  d->hasAgain = 1;
}

void ts_deliver_hand_over(Delivery *d) {
  Cmd *c = d->c;
  if (!d->inputs) return;
  if (d->liveRun || d->isHeld) {
    /* Somebody works on the session, or the first input waits for its time: they wait. */
    LiveStep step = LIVE_QUEUE;
    d->inputs = ts_list_sort(d->inputs, wereInOrder);
    for (InputLink *link = d->inputs; link; link = link->next) {
      Inbound *in = link->in;
      step = LIVE_QUEUE;
      if (d->liveRun && in->cls == CLASS_CLARIFICATION)
        step = ts_live_other(ts_queue_mode(c, &d->s, in));
      if (!in->queueId) ts_deliver_add_pending(d, in, step);
    }
    d->inputs = NULL;
    if (d->action != ACTION_REJECTED) {
      d->action = step == LIVE_STEER ? ACTION_STEER : ACTION_QUEUE;
    }
    return;
  }
  ts_head_leave(c, &d->s, d->before);
  if (!d->tookWaiting && !d->liveRun) {
    /* Older inputs that were not decided here go along as well. */
    for (InputLink *older = ts_deliver_still_waiting(d); older; older = older->next)
      handOlder(d, older->in);
  }
  if (keepsTurns(d) && !d->hasAgain && d->action != ACTION_COMPACT) handAgain(d);
  d->inputs = ts_list_sort(d->inputs, standInOrder);
  ts_queue_taken_up(c, &d->s);
  for (InputLink *link = d->inputs; link; link = link->next) {
    Inbound *in = link->in;
    if (link == d->inputs || in->source == SOURCE_USER) d->s.workSource = in->source;
    if (in->isOpen) continue;
    in->keepsNoTurns = !keepsTurns(d);
    if (in->queueId) {
      ts_exec(c, SQL_QUEUE_HAND, "isi", in->queueId,
              in->cls == CLASS_UNKNOWN ? NULL : ts_class_names[in->cls],
              (sqlite3_int64)keepsTurns(d));
    } else {
      ts_queue_add(c, &d->s, in, QUEUE_HANDED);
    }
  }
}
