/*
** deliver.c - session_deliver(): decides about a message.
**
**   SELECT session_deliver('main', 'add retries to the upload client');
**   -- {"action":"start","session":"main","task_id":1,"class":"NewTask",…,"state":"Running",…}
**
** The order is fixed: find or make the session; answer a repeated message_id with the stored
** decision; ask the gate (decide.c) whether the message's class counts; settle an open choice or
** apply the class × state table; hand over what asks for work; record the delivery with its
** decision. When the answer is returned, everything it says has been done.
**
** Inputs that waited (while the session was in error or archived) are taken first, in order, so the
** order of a session's inputs never changes.
*/
#include "deliver.h"

#include "args.h"
#include "choice.h"
#include "config.h"
#include "decision.h"
#include "door.h"
#include "end_task.h"
#include "fill.h"
#include "ids.h"
#include "lease.h"
#include "line.h"
#include "over.h"
#include "said.h"
#include "sender.h"
#include "settle.h"
#include "stop_workers.h"
#include "utf8.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Inputs that waited ---------------------------------------------------------------------- */

/* ---- The gate's ways ------------------------------------------------------------------------- */

/* The task was saved because it was stale (saved == NULL: dropped, it had no work), and an open
** choice has expired with it. The message is decided after that. */
static void goOnAfterSave(Delivery *d, const Task *saved, const OpenChoice *expired,
                          ChoiceAnswer answer) {
  Cmd *c = d->c;
  Inbound *held = expired->held, *message = &d->in;
  if (answer == ANSWER_UNDECIDED) answer = ANSWER_NONE;
  if (expired->kind != CHOICE_NONE && answer != ANSWER_NONE && d->reading.hasWords) {
    /* It says more than its answer: it is handed over with the held messages. */
    if (answer == ANSWER_START_FRESH) saved = NULL;
    if (held && answer == ANSWER_CONTINUE && expired->kind == CHOICE_NEW_TASK) {
      ts_deliver_put_away(d, held->message);
      held = NULL;
    }
  } else if (expired->kind != CHOICE_NONE && answer != ANSWER_NONE) {
    /* It only answers the expired choice. */
    message = held;
    held = NULL;
    if (message && answer == ANSWER_CONTINUE && expired->kind == CHOICE_NEW_TASK) {
      ts_deliver_put_away(d, message->message);
      message = NULL;
    }
    if (answer == ANSWER_START_FRESH) saved = NULL;
    if (message && answer == ANSWER_START_FRESH) {
      ts_deliver_start(d, message);
      return;
    }
  } else if (!ts_answers_saved_task(d->in.cls, answer)) {
    saved = NULL;
  }
  if (saved) {
    ts_choice_open(d->c, &d->s, CHOICE_SAVED, message, saved, held);
    ts_choice_show(d);
    return;
  }
  if (!message) {
    d->action = ACTION_ACKNOWLEDGE;
    d->message = ts_fill(c, d->s.label, "acknowledge.fresh", NULL, none, NULL, none);
    return;
  }
  if (held && message->cls == CLASS_ABANDON) {
    ts_choice_take_back(d, held, message);
    held = NULL;
  }
  ts_deliver_apply(d, message, 0);
  if (held && d->action == ACTION_ACKNOWLEDGE) {
    ts_deliver_apply(d, held, 1);
    d->cls = message->cls;
    d->confidence = message->confidence;
  } else if (held) {
    held->label = ts_config_text(c, d->s.label, "label.earlier");
    ts_deliver_hand(d, held);
  }
}

/* Idle past the second threshold: the task is saved, an open choice closes, the message is decided.
** */
static void autoSave(Delivery *d) {
  Cmd *c = d->c;
  Task old = d->s.task;
  ChoiceAnswer answer = d->reading.answer;
  OpenChoice expired;
  Text text;
  ts_choice_load(c, &d->s, &expired);
  ts_choice_release_others(d);
  ts_choice_drop(c, &d->s, "expire");
  d->commitId = ts_task_end_stale(c, &d->s, &text);
  if (text.z) ts_deliver_note(d, text.z);
  if (c->rc == SQLITE_OK)
    goOnAfterSave(d, d->commitId.z && !d->s.isSubagent ? &old : NULL, &expired, answer);
  if (!d->s.task.id) ts_worker_saved(c, &d->s);
}

/* The same when a sweep has already saved the task: its choice was released then. */
static void wasSaved(Delivery *d) {
  OpenChoice nothing;
  memset(&nothing, 0, sizeof(nothing));
  goOnAfterSave(d, &d->saved, &nothing, d->reading.answer);
}

/* Queued, for a time when it can be taken. */
static void enqueue(Delivery *d, Action action, const char *key) {
  if (!ts_deliver_add_pending(d, &d->in, action == ACTION_STEER ? LIVE_STEER : LIVE_QUEUE)) return;
  d->action = action;
  if (key) d->message = ts_fill(d->c, d->s.label, key, NULL, none, NULL, none);
}

void ts_deliver_revive(Delivery *d) {
  SessionStatus was = d->s.status;
  if (was == STATUS_ACTIVE) return;
  ts_session_revive(d->c, &d->s);
  ts_deliver_note(d, was == STATUS_SUSPENDED
                         ? ts_fill(d->c, d->s.label, "note.resumed", NULL, none, NULL, none).z
                         : "taken out of the archive");
}

/* An Abandon while a choice is open: does it end the task? It may answer the choice, or only take
** back the request that the choice holds; then messages for the task go on waiting. */
static int callsOffTask(Delivery *d, const Inbound *in) {
  OpenChoice choice;
  ts_choice_load(d->c, &d->s, &choice);
  return ts_choice_step(d, &choice, in).task == TASK_ABANDON;
}

/* The session is in error, or its conversation is being compacted, so a message is classified when
** it is taken. But an Abandon cancels its sender's older messages at once, so that nobody begins or
** continues them. A class given by a parent stays, and so does the caller's class while a summary
** is written. */
static void callOffEarly(Delivery *d, MessageClass given) {
  Inbound in = d->in;
  if (ts_deliver_is_from_parent(d, &in)) d->in.cls = given;
  if (!ts_input_concerns_task(&in)) return;
  ts_deliver_classify(d, &in, &d->s.task, given);
  if (ts_deliver_meets_choice(d, &in)) ts_choice_read_message(d, &in);
  if (in.cls != CLASS_ABANDON) return;
  d->stops = 1;
  if (d->compacts) d->in.cls = given;
  if (ts_deliver_meets_choice(d, &in) && !callsOffTask(d, &in)) return;
  ts_deliver_cancel_waiting(d);
  if (!d->compacts) ts_deliver_stop_run(d, in.message);
}

/* A parent can end its worker's task at once, even while the worker is busy. */
static int endsWorker(Delivery *d, Gate gate, MessageClass given) {
  return gate == GATE_QUEUE && given == CLASS_ABANDON && d->s.status != STATUS_ARCHIVED &&
         ts_deliver_is_from_parent(d, &d->in) && !ts_is_compact(&d->in);
}

/* A parent speaks to the worker's last task before it can know that this task has ended: that
** begins nothing new. 0: it does not. */
static int meansEnded(Delivery *d, MessageClass given) {
  Cmd *c = d->c;
  Task saved;
  if (!ts_deliver_is_from_parent(d, &d->in) || ts_is_compact(&d->in) ||
      !ts_class_means_same_task(given))
    return 0;
  switch (ts_worker_meant(c, &d->s, &saved)) {
  case MEANT_SAVED:
    ts_deliver_revive(d);
    ts_deliver_resume_saved(d, &d->in, &saved);
    ts_session_touch(c, &d->s, d->in.source);
    return 1;
  case MEANT_OVER:
    d->action = ACTION_REJECTED;
    d->message = ts_fill(c, d->s.label, "rejected.over", NULL, none, NULL, none);
    return 1;
  default: return 0;
  }
}

/* The task that a message can mean: the open one, or a saved one that may be picked up. */
static const Task *taskMeant(Delivery *d, Gate gate, Task *saved) {
  OpenChoice choice;
  int state;
  if (gate == GATE_WAS_SAVED) return &d->saved;
  if (gate != GATE_CHOICE || d->s.task.id) return &d->s.task;
  ts_choice_load(d->c, &d->s, &choice);
  state = choice.savedState.z
              ? ts_state_find(&ts_task_machine, choice.savedState.z, choice.savedState.n)
              : -1;
  if (choice.kind != CHOICE_SAVED || state <= TASK_NONE) return &d->s.task;
  memset(saved, 0, sizeof(*saved));
  saved->description = choice.savedTask;
  saved->state = (TaskState)state;
  saved->stateData = choice.savedStateData;
  return saved;
}

/* Nothing is decided yet. The message waits, and whoever takes it before an opinion comes takes it
** with the guessed class. */
static void askOpinion(Delivery *d) {
  d->in.cls = CLASS_UNKNOWN;
  if (!ts_deliver_admit(d, &d->in)) return;
  ts_queue_add(d->c, &d->s, &d->in, QUEUE_PENDING);
  d->action = ACTION_CLASSIFY;
  ts_session_touch(d->c, &d->s, d->in.source);
}

/* It waits for the run that is live, or is shown to it. */
static void waitForRun(Delivery *d, MessageClass given) {
  Cmd *c = d->c;
  LiveStep step = d->liveRun ? ts_live_other(ts_queue_mode(c, &d->s, &d->in)) : LIVE_QUEUE;
  if (ts_is_compact(&d->in) || d->compacts) step = LIVE_QUEUE;
  if (d->compacts || ts_deliver_is_from_parent(d, &d->in)) callOffEarly(d, given);
  /* The run that asked waits for the answer. */
  if (d->liveRun && !d->compacts && !d->in.mode.z && d->s.task.state == TASK_AWAITING_USER &&
      ts_deliver_is_from_parent(d, &d->in)) {
    d->in.mode = TS_TEXT("steer");
    step = LIVE_STEER;
  }
  if (d->s.status != STATUS_ARCHIVED || d->in.source == SOURCE_USER || ts_session_wakes(c, &d->s)) {
    ts_deliver_revive(d);
  }
  enqueue(d, step == LIVE_STEER ? ACTION_STEER : ACTION_QUEUE, NULL);
}

static void refuseArchived(Delivery *d) {
  d->action = ACTION_REJECTED;
  d->message = ts_fill(d->c, d->s.label, "rejected.archived", NULL, none, NULL, none);
  ts_deliver_refuse(d, &d->in, d->in.message, "archived");
}

/* Gates at which no message is classified. Returns whether it is one. */
static int isKeptOut(Delivery *d, Gate gate, MessageClass given) {
  switch (gate) {
  case GATE_BLOCK:
    callOffEarly(d, given);
    enqueue(d, ACTION_BLOCKED, "blocked");
    return 1;
  case GATE_QUEUE: waitForRun(d, given); return 1;
  case GATE_REJECT: refuseArchived(d); return 1;
  default: return 0;
  }
}

/* What the message means at its gate. Returns the gate that the meaning leads to. */
static Gate classifyAtGate(Delivery *d, Gate gate, MessageClass given) {
  Task saved;
  MessageClass guess;
  if (d->in.source == SOURCE_USER && gate != GATE_COMPACT) {
    ts_deliver_classify(d, &d->in, taskMeant(d, gate, &saved), given);
    guess = d->in.cls;
    if (ts_deliver_meets_choice(d, &d->in) ||
        (!d->s.pendingChoice.z && (gate == GATE_AUTO_SAVE || gate == GATE_WAS_SAVED)))
      ts_choice_read_message(d, &d->in);
    ts_deliver_doubt(d, gate, guess);
  }
  if (gate == GATE_CONTINUE && !d->s.pendingChoice.z && ts_deliver_is_from_parent(d, &d->in)) {
    ts_deliver_classify_from_parent(d, &d->in, given);
    gate = GATE_CLASSIFY;
  }
  if (d->c->rc != SQLITE_OK) return gate;
  d->cls = d->in.cls;
  d->confidence = d->in.confidence;
  /* A stop ends the task even when it is stale: nobody is asked whether to continue. */
  if (gate == GATE_ASK_STALE && ts_deliver_cell(d, &d->in, 0).cls == CLASS_ABANDON)
    gate = GATE_CLASSIFY;
  return gate;
}

/* A summary is to be written: the message goes to the run that writes it. */
static void handCompaction(Delivery *d) {
  d->tookWaiting = 1; /* a compaction does not take them */
  d->action = d->handing = ACTION_COMPACT;
  d->in.mode = TS_TEXT("queue");
  ts_deliver_hand_input(d, &d->in);
}

/* The message goes on with what is there, behind those that wait. */
static void continueBehind(Delivery *d) {
  InputLink *older;
  d->tookWaiting = 1;
  older = ts_deliver_still_waiting(d);
  if (d->s.pendingChoice.z ? !ts_deliver_hand_unless_users(d, older)
                           : ts_deliver_apply_waiting(d, older)) {
    enqueue(d, ACTION_QUEUE, NULL); /* behind the others */
    if (d->action != ACTION_REJECTED) d->message = none;
    return;
  }
  if (d->handing != ACTION_START) d->handing = ACTION_CONTINUE;
  d->action = d->handing;
  ts_deliver_hand(d, &d->in);
}

static void passGate(Delivery *d, Gate gate) {
  switch (gate) {
  case GATE_COMPACT: handCompaction(d); break;
  case GATE_CONTINUE: continueBehind(d); break;
  case GATE_AUTO_SAVE: autoSave(d); break;
  case GATE_WAS_SAVED: wasSaved(d); break;
  case GATE_CHOICE: ts_choice_settle(d, &d->in); break;
  default:
    if (d->liveRun || d->isHeld) {
      ts_deliver_apply(d, &d->in, 0);
    } else {
      ts_deliver_apply_with_waiting(d);
    }
    break;
  }
}

static void decide(Delivery *d, Gate gate, MessageClass given) {
  Cmd *c = d->c;
  if (endsWorker(d, gate, given)) gate = GATE_CONTINUE;
  if (gate == GATE_CONTINUE && meansEnded(d, given)) return;
  if (isKeptOut(d, gate, given)) return;
  ts_deliver_revive(d);
  gate = classifyAtGate(d, gate, given);
  if (c->rc != SQLITE_OK) return;
  if (gate == GATE_ASK_STALE) {
    ts_choice_open(c, &d->s, CHOICE_STALE, &d->in, NULL, NULL);
    ts_choice_show(d);
    return; /* nothing was continued: the session keeps its age */
  }
  if (ts_deliver_is_doubted(d, &d->in, BELOW_ASK)) {
    askOpinion(d);
    return;
  }
  d->opinion = none;
  if (d->in.cls == CLASS_ABANDON && d->in.source == SOURCE_USER &&
      (gate != GATE_CHOICE || callsOffTask(d, &d->in))) {
    ts_deliver_cancel_waiting(d);
  }
  passGate(d, gate);
  if (d->action != ACTION_REJECTED && !d->staysOld) ts_session_touch(c, &d->s, d->in.source);
}

/* ---- session_deliver ------------------------------------------------------------------------- */

enum {
  DELIVER_SESSION,
  DELIVER_MESSAGE_TEXT,
  DELIVER_MESSAGE_ID,
  DELIVER_SOURCE,
  DELIVER_CHANNEL,
  DELIVER_SENDER,
  DELIVER_MODE,
  DELIVER_CLASS,
  DELIVER_PERSONA,
  DELIVER_OWNER,
  DELIVER_ENVELOPE,
  DELIVER_OPENED_AT,
  DELIVER_ASKED_AT,
  DELIVER_KEEPS_TURNS
};

static const ArgSpec deliverArgs[] = {
    {"label", ARG_LABEL, 0},   {"message", ARG_MESSAGE, 1},  {"message_id", ARG_ID, 0},
    {"source", ARG_TEXT, 0},   {"channel", ARG_NAME, 0},     {"sender", ARG_ID, 0},
    {"mode", ARG_TEXT, 0},     {"class", ARG_TEXT, 0},       {"persona", ARG_NAME, 0},
    {"owner", ARG_NAME, 0},    {"envelope", ARG_OBJECT, 0},  {"opened_at", ARG_TIME, 0},
    {"asked_at", ARG_TIME, 0}, {"keeps_turns", ARG_BOOL, 0},
};

/* Its answer: an action that asks no work of the host, whatever was first decided. */
static int answerDuplicate(Delivery *d, int *conflict) {
  Cmd *c = d->c;
  Text decision = ts_deliver_stored_decision(d, conflict);
  Query q;
  if (!decision.z) return 0;
  q = ts_query(c, SQL_DELIVERY_DUPLICATE, "ti", &decision, (sqlite3_int64)*conflict);
  if (ts_row(c, &q)) ts_return_text(c, ts_col_text(c, &q, COL_DELIVERY_DUPLICATE_DECISION));
  ts_end(c, &q);
  return 1;
}

/* Nothing is written, and no session is made. */
static void answerDeleted(Delivery *d) {
  d->action = ACTION_REJECTED;
  d->isDuplicate = 1;
  d->previous = d->s.task.state;
  d->message = ts_fill(d->c, d->s.label, "rejected.deleted", NULL, none, NULL, none);
  ts_return_text(d->c, ts_deliver_decision_json(d));
}

static MessageClass givenClass(Cmd *c) {
  int i;
  if (!c->arg[DELIVER_CLASS].given) return CLASS_UNKNOWN;
  i = ts_arg_word(c, "class", c->arg[DELIVER_CLASS].text, ts_class_names, CLASS_COUNT);
  return i < 0 ? CLASS_UNKNOWN : (MessageClass)i;
}

/* Fields of an envelope, checked like the options of these names; a key is checked when it is made.
** */
static void wantWhole(Cmd *c, const Inbound *in) {
  int channel = strstr(in->channel.z, TS_UTF8_REPLACEMENT) != NULL;
  if (!channel && !strstr(in->sender.z, TS_UTF8_REPLACEMENT)) return;
  ts_fail(c, SQLITE_ERROR,
          "envelope: %s holds U+FFFD, a NUL or bytes that are no UTF-8; a name must be whole",
          channel ? "channel" : "sender_id");
}

/* The session, from the envelope when no label was given. The envelope's channel, sender and
** persona count unless an option gives them. */
static void findSession(Delivery *d) {
  Cmd *c = d->c;
  Text label = c->arg[DELIVER_SESSION].text;
  Envelope e;
  if (c->arg[DELIVER_ENVELOPE].given) {
    Text channel, sender;
    ts_envelope_read(c, c->arg[DELIVER_ENVELOPE].text, &e);
    channel = ts_envelope_get(&e, "channel");
    sender = ts_envelope_get(&e, "sender_id");
    d->fromGroup = !ts_text_is(ts_envelope_get(&e, "peer_kind"), "dm");
    if (!c->arg[DELIVER_CHANNEL].given && channel.z) d->in.channel = channel;
    if (!c->arg[DELIVER_SENDER].given && sender.z) d->in.sender = sender;
    if (label.z) wantWhole(c, &d->in);
    if (!label.z) {
      ts_route(c, &e, 0, &d->route);
      /* The key leads to the same session and also gives the name. */
      label = d->route.key;
      if (d->in.messageId.z && e.entity.z) d->ownKey = ts_identity_own_key(c, &e);
      /* The next message is routed by the policy's answer. */
      if (d->route.choice.persona.z) d->persona = d->route.choice.persona;
      if (e.entity.z && d->route.choice.namesEntity && !ts_text_equal(d->route.key, e.entityKey)) {
        d->furtherKeyOf = e.entity;
      }
    }
  } else if (!label.z) {
    ts_fail(c, SQLITE_ERROR, "label is missing; it can be NULL only with the option envelope");
  }
  if (c->rc == SQLITE_OK) ts_session_load(c, label, &d->s);
  d->in.cameFrom = d->s.via;
  d->in.names = ts_config_host_name(c, d->s.label, CONFIG_NAMES);
  ts_deliver_keep_names(d, label);
}

/* The session's last task, if it was saved because it was stale. */
static void loadSaved(Delivery *d) {
  Cmd *c = d->c;
  Query q = ts_query(c, SQL_SAVED_TASK, "t", &d->s.label);
  if (ts_row(c, &q)) {
    Text state = ts_col_text(c, &q, COL_SAVED_TASK_STATE);
    int i = state.z ? ts_state_find(&ts_task_machine, state.z, state.n) : -1;
    d->saved.id = 1;
    d->saved.description = ts_col_text(c, &q, COL_SAVED_TASK_TASK);
    d->saved.state = i > TASK_NONE ? (TaskState)i : TASK_RUNNING;
    d->saved.stateData = ts_col_text(c, &q, COL_SAVED_TASK_STATE_DATA);
  }
  ts_end(c, &q);
}

static Gate askGate(Delivery *d) {
  Cmd *c = d->c;
  Session *s = &d->s;
  OpenChoice choice;
  ts_choice_load(c, s, &choice);
  d->liveRun = ts_run_live(c, &s->run);
  d->compacts = ts_run_compacts(c, s);
  d->isHeld = !d->liveRun && s->exists && ts_queue_is_held(c, s);
  GateFacts facts = {
      .status = s->status,
      .wakes = ts_session_wakes(c, s),
      .rejectArchived = ts_config_int(c, s->label, CONFIG_ON_ARCHIVED) == ON_ARCHIVED_REJECT,
      .isCompact = ts_asks_compact(&d->in, &d->focus),
      .isCommand = ts_is_command(&d->in),
      .source = d->in.source,
      .liveRun = d->liveRun,
      .isHeld = d->isHeld,
      .compacts = d->compacts,
      .isWorker = s->isSubagent,
      .hasTask = s->task.id != 0 && s->task.state != TASK_COMPLETE && s->task.state != TASK_ABORTED,
      .idleMs = ts_session_idle(c, s),
      .askMs = ts_config_int(c, s->label, CONFIG_ASK_THRESHOLD),
      .autoMs = ts_config_int(c, s->label, CONFIG_AUTO_COMPACT_THRESHOLD),
      .choice = choice.kind,
      .namesQuestion = d->in.namesQuestion,
  };
  if (!facts.hasTask && facts.choice == CHOICE_NONE && facts.idleMs > facts.autoMs) loadSaved(d);
  facts.wasSaved = d->saved.id != 0;
  /* For the next message the task keeps its age. */
  d->staysOld = facts.isCommand && facts.hasTask && facts.idleMs > facts.askMs;
  return ts_gate(&facts);
}

/* Everything that a delivery does after the gate. */
typedef struct Attempt {
  Delivery *d;
  Gate gate;
  MessageClass given;
  int stands; /* it was not rejected */
  Text decision;
} Attempt;

static void attempt(Cmd *c, void *arg) {
  Attempt *a = arg;
  Delivery *d = a->d;
  if (d->furtherKeyOf.z) ts_exec(c, SQL_IDENTITY_KEY_ADD, "tt", &d->furtherKeyOf, &d->route.key);
  if (a->gate != GATE_BLOCK && a->gate != GATE_QUEUE && d->s.task.id) {
    d->commitId = ts_task_settle(c, &d->s);
    /* A choice about a task that has just ended is gone. */
    if (!d->s.task.id) a->gate = askGate(d);
  }
  decide(d, a->gate, a->given);
  a->decision = ts_deliver_finish(d);
  a->stands = d->action != ACTION_REJECTED;
}

/* Can the message still be rejected at the end? It can when the queue is full, or when the worker's
** request is over. Only inputs that wait behind something are counted. */
static int mayBeRejected(Delivery *d, Gate gate) {
  Cmd *c = d->c;
  sqlite3_int64 cap, n = 0;
  Query q;
  if (ts_deliver_is_from_parent(d, &d->in)) return 1;
  if (ts_config_int(c, d->s.label, CONFIG_QUEUE_FULL) != QUEUE_FULL_REJECT) return 0;
  if (d->s.pendingChoice.z) return 1; /* it holds what may have to wait */
  if (ts_config_int(c, d->s.label, CONFIG_CLASSIFY_BELOW) == BELOW_ASK) return 1;
  if (!d->liveRun && !d->isHeld && gate != GATE_BLOCK && gate != GATE_QUEUE &&
      gate != GATE_CONTINUE)
    return 0;
  cap = ts_config_int(c, d->s.label, CONFIG_QUEUE_CAP);
  q = ts_query(c, SQL_QUEUE_OPEN_COUNT, "ti", &d->s.label, cap);
  if (ts_row(c, &q)) n = ts_col_int(&q, COL_QUEUE_OPEN_COUNT_COUNT);
  ts_end(c, &q);
  return n >= cap;
}

/* The changes for a rejected message were rolled back: the decision describes the session as it is.
** */
static Text rejected(Delivery *d, const Delivery *before) {
  Delivery after = *d;
  *d = *before;
  d->inputsTail = &d->inputs;
  d->action = ACTION_REJECTED;
  d->cls = after.cls;
  d->confidence = after.confidence;
  d->message = after.message;
  if (d->isHeld) d->due = ts_line_due(d->c, &d->s);
  if (after.refusal) ts_deliver_refuse(d, &d->in, d->in.message, after.refusal);
  return ts_deliver_decision_json(d);
}

/* All of it, or nothing: a message that is rejected changes nothing. */
static void deliver(Delivery *d, Gate gate, MessageClass given) {
  Cmd *c = d->c;
  Attempt a = {d, gate, given, 0, none};
  Delivery before = *d;
  if (mayBeRejected(d, gate)) {
    ts_attempt(c, attempt, &a, &a.stands);
    if (c->rc == SQLITE_OK && !a.stands) a.decision = rejected(d, &before);
  } else {
    attempt(c, &a);
  }
  if (c->rc == SQLITE_OK) ts_return_text(c, a.decision);
}

static void runDeliver(Cmd *c) {
  Delivery d;
  MessageClass given;
  Gate gate;
  int conflict = 0;
  ts_deliver_init(&d, c);
  ts_deliver_read_inbound(&d);
  d.persona = c->arg[DELIVER_PERSONA].text;
  d.owner = c->arg[DELIVER_OWNER].text;
  given = givenClass(c);
  ts_deliver_read_keeps_turns(&d, &c->arg[DELIVER_KEEPS_TURNS]);
  findSession(&d);
  if (c->rc != SQLITE_OK) return;
  ts_message_want(c, d.s.label, "message", d.in.message);
  if (c->rc != SQLITE_OK) return;
  if (d.s.exists) ts_workers_look(c, &d.s);
  if (answerDuplicate(&d, &conflict)) {
    /* The new text of an edited message is not used; the decision says so. */
    if (conflict) ts_deliver_refuse(&d, &d.in, d.in.message, "message_id");
    return;
  }
  if (ts_deliver_was_deleted(&d)) {
    answerDeleted(&d);
    return;
  }
  d.previous = d.s.task.state;
  d.taskId = d.s.task.id;
  if (ts_asked_refuses(&d, &c->arg[DELIVER_OPENED_AT], &c->arg[DELIVER_ASKED_AT], d.in.message)) {
    ts_return_text(c, ts_deliver_decision_json(&d));
    return;
  }
  d.in.answersQuestion = c->arg[DELIVER_ASKED_AT].given;
  if (c->arg[DELIVER_OPENED_AT].given) d.in.openedAt = c->arg[DELIVER_OPENED_AT].i;
  if (c->arg[DELIVER_ASKED_AT].given) d.in.askedAt = c->arg[DELIVER_ASKED_AT].i;
  /* A message that the caller calls another task, or unclear, is not an answer. */
  d.in.namesQuestion =
      d.in.askedAt && !d.in.openedAt && given != CLASS_NEW_TASK && given != CLASS_UNCLEAR;
  d.before = ts_id_last(c, ID_EVENT);
  if (!d.s.exists) ts_session_open(c, &d.s, d.persona, d.in.source);
  /* A run whose lease has expired is over: its inputs come first. */
  if (!ts_run_live(c, &d.s.run)) {
    ts_lease_require_free(
        c, &d.s, d.owner.z ? ts_printf(c, "'%.*s'", d.owner.n, d.owner.z) : "session_deliver");
  }
  ts_deliver_number(&d);
  d.previous = d.s.task.state;
  d.taskId = d.s.task.id;
  gate = askGate(&d);
  if (c->rc != SQLITE_OK) return;
  if (gate == GATE_REJECT) {
    /* Rejected visibly, and its message_id is not remembered: the same message may come again
    ** later. */
    decide(&d, gate, given);
    ts_return_text(c, ts_deliver_decision_json(&d));
    return;
  }
  deliver(&d, gate, given);
}

/* The message can't be worked on yet: it waits on, and its class is known. */
static Text waitsOn(Delivery *d, Gate gate, MessageClass given) {
  d->action = gate == GATE_BLOCK ? ACTION_BLOCKED : ACTION_QUEUE;
  d->cls = given;
  d->confidence = 1.0;
  callOffEarly(d, given);
  d->in.cls = given;
  if (given != CLASS_UNKNOWN)
    ts_exec(d->c, SQL_QUEUE_CLASS, "is", d->in.queueId, ts_class_names[given]);
  return ts_deliver_finish(d);
}

Text ts_deliver_second_opinion(Cmd *c, const Session *s, const Inbound *in, MessageClass given,
                               Text owner, const Arg *keepsTurns) {
  Delivery d;
  Attempt a = {&d, GATE_CLASSIFY, given, 0, none};
  ts_deliver_init(&d, c);
  d.s = *s;
  d.in = *in;
  d.secondOf = in->queueId;
  d.owner = owner;
  ts_deliver_read_keeps_turns(&d, keepsTurns);
  d.before = ts_id_last(c, ID_EVENT);
  if (!ts_run_live(c, &d.s.run)) ts_lease_require_free(c, &d.s, "delivery_classify");
  d.previous = d.s.task.state;
  d.taskId = d.s.task.id;
  if (ts_deliver_cancel_if_over(&d, &d.in)) return none;
  a.gate = askGate(&d);
  if (c->rc != SQLITE_OK) return none;
  /* Nothing was said since that takes the session out of the archive. */
  if (s->status == STATUS_ARCHIVED || a.gate == GATE_BLOCK || a.gate == GATE_QUEUE)
    return waitsOn(&d, a.gate, given);
  /* It comes again and was already accepted. */
  ts_exec(c, SQL_QUEUE_SETTLE, "iis", in->queueId, c->now,
          given == CLASS_UNKNOWN ? NULL : ts_class_names[given]);
  d.in.queueId = 0;
  d.in.isExempt = 1;
  attempt(c, &a);
  return a.decision;
}

const CommandSpec ts_session_deliver = {"session_deliver", runDeliver, 0, TS_ARGS(2, deliverArgs),
                                        NULL};
