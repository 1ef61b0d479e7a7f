/*
** settle_choice.c - what a delivery does with the open choice: reading an answer to it, and settling it.
**
** choice.c knows how a choice is stored, answer.c what people answer, and the table in decide.c
** what happens then.
*/
#include "deliver.h"

#include "choice.h"
#include "config.h"
#include "json.h"
#include "said.h"
#include "shape.h"
#include "task.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Reading --------------------------------------------------------------------- */

/* What the message means when the choice is taken into account. */
static MessageClass classAtChoice(const ChoiceReading *reading, const Inbound *in, Text said) {
  int asks = ts_choice_asks(said.z, said.n);
  if (ts_is_command(in) && in->cls != CLASS_ABANDON) return CLASS_CLARIFICATION;
  switch (reading->answer) {
  case ANSWER_UNDECIDED: return in->cls;
  case ANSWER_CONTINUE:
  case ANSWER_START_FRESH:
    /* An answer to the question; words beside an answer neither end the task nor are a task of
    ** their own. */
    return reading->hasWords ? CLASS_MODIFICATION : CLASS_RESPONSE;
  default: break;
  }
  if (reading->says == CHOICE_SAYS_DROP || reading->says == CHOICE_SAYS_DROP_HELD ||
      reading->says == CHOICE_SAYS_DROP_ALL) {
    return reading->hasWords && in->cls == CLASS_NEW_TASK ? CLASS_NEW_TASK : CLASS_ABANDON;
  }
  if (reading->says == CHOICE_SAYS_ASKS && in->cls != CLASS_ABANDON) return CLASS_CLARIFICATION;
  if (reading->says == CHOICE_SAYS_ORDER &&
      (in->cls == CLASS_MODIFICATION || in->cls == CLASS_RESPONSE || in->cls == CLASS_UNCLEAR)) {
    return CLASS_NEW_TASK;
  }
  if (reading->says == CHOICE_SAYS_OTHER) return asks ? CLASS_CLARIFICATION : CLASS_NEW_TASK;
  /* A counter-question wants an answer and no work. */
  if (asks && in->cls != CLASS_NEW_TASK && in->cls != CLASS_ABANDON && !in->isAffirmation) {
    return CLASS_CLARIFICATION;
  }
  return in->cls;
}

static int speaksOf(const Inbound *in, Text other) {
  return ts_choice_speaks_of(in->message.z, in->message.n, other.z, other.n);
}

/* Does it speak about the open task rather than about the request that would replace it? */
static int belongs(const OpenChoice *choice, const Inbound *in, Text task) {
  int ofHeld = choice->held && speaksOf(in, choice->held->message);
  if (in->isGiven) return 1;
  return choice->kind == CHOICE_NEW_TASK ? speaksOf(in, task) && !ofHeld
                                         : speaksOf(in, task) || ofHeld;
}

void ts_choice_read_message(Delivery *d, Inbound *in) {
  Cmd *c = d->c;
  ChoiceOption options[TS_CHOICE_MAX_OPTIONS];
  ChoiceContext context = {NULL, 0, NULL, 0, 0};
  OpenChoice choice;
  Text task, said = ts_said(c, in);
  int n;
  memset(&d->reading, 0, sizeof(d->reading));
  if (!d->s.pendingChoice.z) {
    if (!ts_is_command(in)) d->reading.answer = ts_choice_phrase(said.z, said.n);
    return;
  }
  ts_choice_load(c, &d->s, &choice);
  n = ts_choice_options(c, &d->s, options);
  if (c->rc != SQLITE_OK) return;
  task = choice.savedTask.z ? choice.savedTask : d->s.task.description;
  context.task = task.z;
  context.nTask = task.n;
  if (choice.held) {
    context.held = choice.held->message.z;
    context.nHeld = choice.held->message.n;
    context.isRequest = choice.kind == CHOICE_NEW_TASK;
  }
  d->reading = ts_choice_read(said.z, said.n, options, n, &context);
  if (d->reading.answer != ANSWER_NONE && ts_said_beside(in, choice.text, task).z)
    in->isAside = 1; /* "Bob, the second one" */
  if (ts_is_command(in)) memset(&d->reading, 0, sizeof(d->reading));
  d->belongs = belongs(&choice, in, task);
  if (in->isGiven) return;
  in->cls = classAtChoice(&d->reading, in, said);
  if (in->cls == CLASS_RESPONSE && ts_choice_is_answer(&d->reading)) in->confidence = 1.0;
}

/* Words that are more than an answer which was not understood: "7", "hm?". What is noise has no two. */
static int hasSaid(const Inbound *in) {
  Shape shape;
  if (!in) return 0;
  ts_shape_of(in->message.z, in->message.n, &shape);
  return shape.nWords > 1;
}

/* Is the task given up together with the request that would replace it? A word that just stops something ends a live
** run, as it does where nothing is asked. */
static int dropsAll(const Delivery *d, const OpenChoice *choice, const Inbound *in) {
  if (d->reading.says == CHOICE_SAYS_DROP_ALL) return 1;
  if (!d->liveRun || d->reading.says == CHOICE_SAYS_DROP_HELD) return 0;
  return !in || !choice->held || !speaksOf(in, choice->held->message);
}

ChoiceStep ts_choice_step(Delivery *d, const OpenChoice *choice, const Inbound *in) {
  ChoiceFacts facts = {.kind = choice->kind,
                       .answer = d->reading.answer,
                       .hasWords = d->reading.hasWords,
                       .holds = choice->held != NULL,
                       .cls = in ? in->cls : CLASS_UNKNOWN,
                       .isAffirmation = in && in->isAffirmation,
                       .hasSaid = hasSaid(in),
                       .belongs = d->belongs,
                       .dropsAll = dropsAll(d, choice, in)};
  return ts_choice(&facts);
}

/* ---- Settling -------------------------------------------------------------------------------- */

void ts_choice_take_back(Delivery *d, Inbound *held, const Inbound *by) {
  if (ts_same_sender(held, by)) {
    ts_deliver_keep(d, "note.dropped", held->message);
  } else {
    ts_choice_queue(d->c, &d->s, held);
  }
}

void ts_choice_release_others(Delivery *d) {
  InputLink *list = d->s.pendingChoice.z ? ts_choice_beside_held(d->c, d->s.pendingChoice) : NULL;
  for (; list; list = list->next) {
    if (d->in.cls == CLASS_ABANDON) {
      ts_choice_take_back(d, list->in, &d->in);
    } else {
      ts_choice_queue(d->c, &d->s, list->in);
    }
  }
}

/* The held messages were said to the saved task's question. */
static void askedBefore(Cmd *c, Session *s, const InputLink *held) {
  for (; held; held = held->next) {
    if (held->in->deliveryId) ts_task_asked_before(c, s, held->in->deliveryId);
  }
}

/* list: all that the choice holds. */
static void pickUp(Delivery *d, const OpenChoice *choice, const InputLink *list) {
  Cmd *c = d->c;
  Session *s = &d->s;
  int state = ts_state_find(&ts_task_machine, choice->savedState.z ? choice->savedState.z : "",
                            choice->savedState.n);
  Text text;
  ts_task_start(c, s, choice->savedTask.z ? choice->savedTask : TS_TEXT("(unnamed)"), "pick_up");
  ts_task_worked(c, s); /* by its saved description */
  text = ts_fill(c, s->label, "note.picked_up", "task", s->task.description, NULL, none);
  if (text.z) ts_note_text(c, s, "choice", text.z);
  if (state == TASK_AWAITING_USER || state == TASK_INTERRUPTED || state == TASK_PENDING_COMPLETE) {
    ts_task_move(c, s, (TaskState)state, choice->savedStateData, "pick_up");
    askedBefore(c, s, list);
  }
  /* An approval without a report: somebody who picks up an old saved task wants it to continue. */
  if (choice->held && choice->held->cls == CLASS_CONFIRMATION &&
      s->task.state != TASK_PENDING_COMPLETE) {
    choice->held->cls = CLASS_RESPONSE;
  }
}

/* Nothing is handed over, and the person continues: with which work? */
static void showWhereItStands(Delivery *d) {
  Text question = ts_task_field(d->c, &d->s, "$.question");
  if (!question.z) question = ts_task_field(d->c, &d->s, "$.summary");
  d->action = ACTION_CONTINUE;
  d->message = question;
}

/* How a choice was settled, for a press that arrives twice. */
static Text settledData(Delivery *d) {
  Cmd *c = d->c;
  ChoiceAnswer answer = d->reading.answer;
  Json j;
  Query q = ts_query(c, SQL_JSON_GET, "ts", &d->s.pendingChoice, "$.opened_at");
  sqlite3_int64 openedAt = ts_row(c, &q) ? ts_col_int(&q, COL_JSON_GET_VALUE) : 0;
  ts_end(c, &q);
  if (!openedAt || (answer != ANSWER_CONTINUE && answer != ANSWER_START_FRESH)) return none;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "opened_at", openedAt);
  ts_json_put_string(&j, "chosen", ts_choice_answer_name(answer));
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* Is only the message applied, and the held messages stay in the choice? When the message ends the
** task, the choice closes with it and the held messages wait: a separate step before would be
** useless. */
static int leavesHeld(Delivery *d, const ChoiceStep *step, Inbound *in) {
  if (step->message != MESSAGE_APPLY) return 0;
  return step->held == HELD_STAYS || ts_deliver_ends_task(d, in);
}

/* It stays with the held messages until somebody has chosen. */
static void holdToo(Delivery *d, const Inbound *in) {
  Text home;
  Query q;
  if (!in->deliveryId) return;
  home = ts_queue_home(d->c, in);
  q = ts_query(d->c, SQL_CHOICE_HOLD, "tit", &d->s.pendingChoice, in->deliveryId, &home);
  if (ts_row(d->c, &q)) d->s.pendingChoice = ts_col_text(d->c, &q, COL_CHOICE_HOLD_CHOICE);
  ts_end(d->c, &q);
}

/* The other held messages go the same way. Later messages are changes to a task that continues; if
** a task begins without words, they are its words. */
static void goBeside(Delivery *d, const OpenChoice *choice, const ChoiceStep *step, Inbound *in) {
  MessageClass cls = d->cls;
  double confidence = d->confidence;
  int isFresh = step->held == HELD_START || step->held == HELD_HAND;
  int isEarlier = choice->held && in->deliveryId < choice->held->deliveryId;
  in->label = ts_config_text(d->c, d->s.label, "label.earlier");
  if (isFresh && !choice->held && !d->s.task.id && step->message != MESSAGE_START) {
    ts_deliver_start(d, in);
  } else if (isFresh || isEarlier || !d->s.task.id) {
    ts_deliver_hand(d, in);
  } else {
    ts_deliver_apply(d, in, 1);
    d->cls = cls;
    d->confidence = confidence;
  }
}

static void goHeld(Delivery *d, const ChoiceStep *step, Inbound *held) {
  switch (step->held) {
  case HELD_APPLY: ts_deliver_apply(d, held, 1); break;
  case HELD_START: ts_deliver_start(d, held); break;
  case HELD_HAND:
    if (!held) break;
    held->label = ts_config_text(d->c, d->s.label, "label.earlier");
    ts_deliver_hand(d, held);
    break;
  default: break;
  }
}

/* Words beside "start fresh" go along with the held messages. */
static void handBeside(Delivery *d, Inbound *in) {
  in->label = ts_config_text(d->c, d->s.label, "label.newer");
  ts_deliver_hand(d, in);
}

/* Do the held messages begin the work that follows? */
static int startsFresh(const ChoiceStep *step) {
  return step->held == HELD_START || step->held == HELD_HAND;
}

/* What settles nothing: the message stays with the choice, or only gets a reply. Returns whether it does so. */
static int leavesOpen(Delivery *d, const ChoiceStep *step, Inbound *in) {
  switch (step->message) {
  case MESSAGE_HOLD: holdToo(d, in); /* fall through */
  case MESSAGE_ASK_AGAIN: ts_choice_show(d); return 1;
  case MESSAGE_REPLY:
    d->action = ACTION_ANSWER;
    ts_deliver_hand(d, in);
    return 1;
  default: return 0;
  }
}

/* Closes the choice. Events about it are written while the task is still open. Returns the held
** messages that still have to go somewhere. */
static InputLink *closeChoice(Delivery *d, OpenChoice *choice, const ChoiceStep *step,
                              Inbound *in) {
  Cmd *c = d->c;
  Session *s = &d->s;
  Text stored = s->pendingChoice, text;
  InputLink *list;
  if (step->task != TASK_ABANDON && step->held != HELD_DROP && s->task.id) {
    text =
        ts_fill(c, s->label, startsFresh(step) ? "note.choice.start_fresh" : "note.choice.continue",
                "kind", ts_choice_kind_text(c, s, choice->kind), NULL, none);
    if (text.z) ts_note_text(c, s, "choice", text.z);
  }
  if (choice->held && step->held == HELD_NOTE) ts_deliver_put_away(d, choice->held->message);
  list = ts_choice_all_held(c, stored, choice);
  for (; list && step->held == HELD_DROP; list = list->next)
    ts_choice_take_back(d, list->in, in);
  ts_event(c, s, "choice", ts_choice_kinds[choice->kind], NULL,
           step->held == HELD_DROP ? "drop"
           : startsFresh(step)     ? "start_fresh"
                                   : "continue",
           settledData(d));
  s->pendingChoice = none;
  return list;
}

/* The open task ends, and another one follows. */
static void switchTask(Delivery *d, const OpenChoice *choice, const ChoiceStep *step, Inbound *in) {
  Cmd *c = d->c;
  Session *s = &d->s;
  Text starting = none;
  if (step->held == HELD_START && choice->held) starting = choice->held->message;
  if (step->message == MESSAGE_START) starting = in->message;
  /* It is not known yet what comes next: what the user has said instead, or chosen. */
  if (!starting.z)
    starting = in->message.z ? in->message : ts_choice_fresh_text(c, s, choice->kind);
  if (starting.z) starting = ts_describe(c, starting, 120);
  ts_deliver_end_task(
      d, COMMIT_INTERRUPTED_BY_NEW_TASK,
      ts_fill(c, s->label, "commit.switch", "task", s->task.description, NULL, none), starting);
  ts_deliver_switched(d, choice->held && step->held == HELD_START ? choice->held : in);
}

/* The open task ends, and nothing follows. */
static void abandonTask(Delivery *d, Inbound *in) {
  Cmd *c = d->c;
  Session *s = &d->s;
  d->message = ts_fill(c, s->label, "abandon", "task", s->task.description, NULL, none);
  ts_note(c, s, NOTE_ABANDON, in->message);
  /* Without a choice it cancels the same: what its sender has said before, and no turn has taken. */
  ts_deliver_cancelled(d, ts_queue_cancel_unclaimed(c, s, in));
  ts_deliver_end_task(d, COMMIT_ABANDONED,
                      ts_fill(c, s->label, "commit.abandoned", NULL, none, NULL, none),
                      in->message);
  d->action = ACTION_ABANDON;
}

/* The held messages, each in its way. */
static void goAllHeld(Delivery *d, const OpenChoice *choice, const ChoiceStep *step, Inbound *in,
                      const InputLink *list) {
  if (step->held == HELD_START && !choice->held && step->message != MESSAGE_START) {
    d->action = ACTION_ACKNOWLEDGE;
    d->message = ts_fill(d->c, d->s.label, "acknowledge.fresh", NULL, none, NULL, none);
  } else if (step->message == MESSAGE_WAS_ANSWER && (!choice->held || step->held == HELD_NOTE)) {
    d->s.workSource = SOURCE_USER;
    showWhereItStands(d);
  }
  for (; list; list = list->next) {
    if (list->in == choice->held) {
      goHeld(d, step, list->in);
    } else {
      goBeside(d, choice, step, list->in);
    }
  }
  if (in->message.z) { /* not that of what was held */
    d->cls = in->cls;
    d->confidence = in->confidence;
  }
}

/* The message that settled the choice, after the held ones. */
static void goSettling(Delivery *d, const OpenChoice *choice, const ChoiceStep *step, Inbound *in) {
  Cmd *c = d->c;
  switch (step->message) {
  case MESSAGE_APPLY: ts_deliver_apply(d, in, 0); break;
  case MESSAGE_HAND: handBeside(d, in); break;
  case MESSAGE_START:
    in->label = ts_config_text(c, d->s.label, "label.newer");
    ts_deliver_start(d, in);
    break;
  case MESSAGE_ABANDON:
    if (step->task == TASK_ABANDON) break;
    d->action = ACTION_ACKNOWLEDGE;
    d->message = ts_fill(c, d->s.label,
                         choice->held && ts_same_sender(choice->held, in) ? "acknowledge.dropped"
                                                                          : "acknowledge",
                         NULL, none, NULL, none);
    break;
  default: break;
  }
}

void ts_choice_settle(Delivery *d, Inbound *in) {
  Cmd *c = d->c;
  OpenChoice choice;
  ChoiceStep step;
  Inbound nothing = {.cls = CLASS_UNKNOWN};
  InputLink *list;
  ts_choice_load(c, &d->s, &choice);
  step = ts_choice_step(d, &choice, in);
  if (!in) in = &nothing; /* session_choose: the answer is all there is */
  if (c->rc != SQLITE_OK) return;
  in->openedAt = 0; /* it was read as an answer; its class counts whatever happens to the choice */
  if (leavesOpen(d, &step, in)) return;
  if (leavesHeld(d, &step, in)) {
    ts_deliver_apply(d, in, 0);
    return;
  }
  in->isExempt =
      1; /* the choice is settled: the message that settled it can't be refused any more */
  list = closeChoice(d, &choice, &step, in);
  if (step.task == TASK_SWITCH && d->s.task.id) {
    switchTask(d, &choice, &step, in);
  } else if (step.task == TASK_ABANDON && d->s.task.id) {
    abandonTask(d, in);
  } else if (step.task == TASK_PICK_UP) {
    pickUp(d, &choice, list);
  }
  goAllHeld(d, &choice, &step, in, list);
  goSettling(d, &choice, &step, in);
}
