/*
** decide.c - the delivery decision: the gate, the choice table, and the class × state table.
**
** The tables are written out so that they can be read against the documentation
** (docs/delivering.md) cell by cell; the code around them is only the rules that cut across.
*/
#include "decide.h"

#include "word_lists.h"

#include <string.h>

/* In the order of the enums; decide.h declares their sizes. */
const char *const ts_source_names[] = {LIST_SOURCE};

const char *const ts_action_names[] = {LIST_ACTION, "duplicate"};

const char *const ts_commit_types[] = {"", LIST_COMMIT_TYPE};

const char *const ts_choice_kinds[] = {"", LIST_CHOICE_KIND};

const char *const ts_queue_modes[] = {LIST_QUEUE_MODE};

Gate ts_gate(const GateFacts *f) {
  if (f->status == STATUS_ERROR) return GATE_BLOCK;
  if (f->status == STATUS_ARCHIVED) {
    if (f->source != SOURCE_USER && !f->wakes) return GATE_QUEUE;
    if (f->source == SOURCE_USER && f->rejectArchived) return GATE_REJECT;
  }
  if (f->compacts) return GATE_QUEUE;
  if (f->isCompact) return f->liveRun || f->isHeld ? GATE_QUEUE : GATE_COMPACT;
  if (f->source != SOURCE_USER) return f->liveRun || f->isHeld ? GATE_QUEUE : GATE_CONTINUE;
  if (f->hasTask && !f->liveRun) {
    if (f->idleMs > f->autoMs) return GATE_AUTO_SAVE;
    if (f->idleMs > f->askMs && f->choice == CHOICE_NONE && !f->isWorker && !f->isCommand) {
      return GATE_ASK_STALE;
    }
  }
  if (f->choice != CHOICE_NONE && !f->namesQuestion) return GATE_CHOICE;
  if (f->wasSaved && !f->isWorker && !f->hasTask && !f->liveRun && f->idleMs > f->autoMs)
    return GATE_WAS_SAVED;
  return GATE_CLASSIFY;
}

/*
** What "continue" and "start fresh" do, per kind of choice. The same two columns also serve a
** message that is no answer but implies one.
*/
static const struct {
  ChoiceStep onContinue, onFresh;
} choiceTable[CHOICE_KIND_COUNT] = {
    [CHOICE_STALE] = {{HELD_APPLY, TASK_KEEP, MESSAGE_WAS_ANSWER},
                      {HELD_START, TASK_SWITCH, MESSAGE_WAS_ANSWER}},
    [CHOICE_NEW_TASK] = {{HELD_NOTE, TASK_KEEP, MESSAGE_WAS_ANSWER},
                         {HELD_START, TASK_SWITCH, MESSAGE_WAS_ANSWER}},
    [CHOICE_UNCLEAR] = {{HELD_APPLY, TASK_KEEP, MESSAGE_WAS_ANSWER},
                        {HELD_START, TASK_SWITCH, MESSAGE_WAS_ANSWER}},
    [CHOICE_SAVED] = {{HELD_APPLY, TASK_PICK_UP, MESSAGE_WAS_ANSWER},
                      {HELD_START, TASK_KEEP, MESSAGE_WAS_ANSWER}},
};

/* An answer, with or without words beside it. */
static ChoiceStep answeredStep(const ChoiceFacts *f) {
  ChoiceStep step =
      f->answer == ANSWER_CONTINUE ? choiceTable[f->kind].onContinue : choiceTable[f->kind].onFresh;
  if (!f->hasWords) return step;
  step.message = f->answer == ANSWER_CONTINUE ? MESSAGE_APPLY
                 : f->holds                   ? MESSAGE_HAND
                                              : MESSAGE_START;
  return step;
}

ChoiceStep ts_choice(const ChoiceFacts *f) {
  const ChoiceKind kind = f->kind;
  ChoiceStep step;
  if (f->answer == ANSWER_CONTINUE || f->answer == ANSWER_START_FRESH) return answeredStep(f);

  /* A bare yes does not say which of two ways is meant, and neither do "no" and "both". Words beside it
  ** are kept. */
  if (f->answer == ANSWER_UNDECIDED && f->hasWords) {
    return (ChoiceStep){HELD_STAYS, TASK_KEEP, MESSAGE_HOLD};
  }
  if (f->cls == CLASS_UNCLEAR && f->answer == ANSWER_NONE && f->hasSaid && !f->isAffirmation) {
    return (ChoiceStep){HELD_STAYS, TASK_KEEP, MESSAGE_HOLD};
  }
  if (f->answer == ANSWER_UNDECIDED || f->isAffirmation || f->cls == CLASS_UNCLEAR) {
    return (ChoiceStep){HELD_STAYS, TASK_KEEP, MESSAGE_ASK_AGAIN};
  }
  switch (f->cls) {
  case CLASS_CLARIFICATION: return (ChoiceStep){HELD_STAYS, TASK_KEEP, MESSAGE_REPLY};
  case CLASS_NEW_TASK:
    return (ChoiceStep){HELD_HAND, kind == CHOICE_SAVED ? TASK_KEEP : TASK_SWITCH, MESSAGE_START};
  case CLASS_ABANDON:
    /* While a request waits for "switch or not", it is the request that is taken back. */
    return (ChoiceStep){HELD_DROP,
                        kind == CHOICE_SAVED || (kind == CHOICE_NEW_TASK && !f->dropsAll)
                            ? TASK_KEEP
                            : TASK_ABANDON,
                        MESSAGE_ABANDON};
  default:
    /* Nobody has said which way is meant, and there is no default. */
    if (!f->belongs && f->cls != CLASS_CONFIRMATION) {
      return (ChoiceStep){HELD_STAYS, TASK_KEEP, MESSAGE_HOLD};
    }
    step = choiceTable[kind].onContinue;
    step.message = MESSAGE_APPLY;
    /* Nobody has said that the request is not wanted: the choice continues to hold it. */
    if (step.held == HELD_NOTE) step.held = HELD_STAYS;
    return step;
  }
}

int ts_answers_saved_task(MessageClass cls, ChoiceAnswer answer) {
  return cls == CLASS_RESPONSE || cls == CLASS_CONFIRMATION || answer == ANSWER_CONTINUE;
}

/* One line per class: what happens while no task is open, and what while one is. */
typedef struct ClassRow {
  Action whenNone;
  Action whenOpen;
} ClassRow;

static const ClassRow classTable[CLASS_COUNT] = {
    /*                         None                Running, AwaitingUser, Interrupted, Pending… */
    [CLASS_RESPONSE] = {ACTION_START, ACTION_CONTINUE},
    [CLASS_MODIFICATION] = {ACTION_START, ACTION_CONTINUE},
    [CLASS_CONFIRMATION] = {ACTION_ACKNOWLEDGE, ACTION_ACKNOWLEDGE},
    [CLASS_ABANDON] = {ACTION_ACKNOWLEDGE, ACTION_ABANDON},
    [CLASS_NEW_TASK] = {ACTION_START, ACTION_PROMPT},
    [CLASS_CLARIFICATION] = {ACTION_ANSWER, ACTION_ANSWER},
    [CLASS_UNCLEAR] = {ACTION_ANSWER, ACTION_PROMPT},
};

/* The note that a message leaves when it changes or continues the task, by state. */
static const NoteKind continueNotes[TASK_STATE_COUNT] = {
    [TASK_RUNNING] = NOTE_INTERVENTION,
    [TASK_AWAITING_USER] = NOTE_ANSWER,
    [TASK_INTERRUPTED] = NOTE_INTERVENTION,
    [TASK_PENDING_COMPLETE] = NOTE_REQUEST_MORE,
};

/* It answers nothing and approves nothing; it reaches the agent as words. */
static int isEarlier(const CellFacts *f) {
  return f->isEarlier && (f->state == TASK_AWAITING_USER || f->state == TASK_PENDING_COMPLETE);
}

static MessageClass earlierClass(const CellFacts *f, MessageClass cls) {
  if (cls == CLASS_RESPONSE || cls == CLASS_CONFIRMATION) return CLASS_MODIFICATION;
  return f->continuing && (cls == CLASS_NEW_TASK || cls == CLASS_UNCLEAR) ? CLASS_MODIFICATION
                                                                          : cls;
}

/* The question stays open, and a report stands unless there is more to do than it says. */
static TaskState afterEarlier(const CellFacts *f) {
  int isYes = f->isAffirmation || f->cls == CLASS_CONFIRMATION;
  return f->state == TASK_PENDING_COMPLETE && !isYes ? TASK_RUNNING : f->state;
}

/* The class in force: here the state overrules the words. */
static MessageClass classInForce(const CellFacts *f) {
  MessageClass cls = f->cls;
  if (f->isCommand && cls == CLASS_NEW_TASK) cls = CLASS_UNCLEAR;
  if (isEarlier(f)) return earlierClass(f, cls);
  if (f->state == TASK_PENDING_COMPLETE && f->toReport) {
    return cls == CLASS_UNCLEAR && f->continuing ? CLASS_MODIFICATION : cls;
  }
  if (f->state == TASK_PENDING_COMPLETE && f->isAffirmation) return CLASS_CONFIRMATION;
  if (f->state == TASK_AWAITING_USER && cls == CLASS_CONFIRMATION) return CLASS_RESPONSE;
  if (f->offered && f->isAffirmation && f->state != TASK_NONE) return CLASS_RESPONSE;
  /* Among several people the agent has to find out whom an "ok" is for. It starts no task. */
  if (f->isGroup && cls == CLASS_CONFIRMATION && f->state != TASK_PENDING_COMPLETE) {
    return f->state == TASK_NONE ? CLASS_UNCLEAR : CLASS_MODIFICATION;
  }
  if (f->continuing && f->state != TASK_NONE && (cls == CLASS_NEW_TASK || cls == CLASS_UNCLEAR)) {
    return CLASS_MODIFICATION;
  }
  return cls;
}

Cell ts_cell(const CellFacts *f) {
  Cell cell;
  memset(&cell, 0, sizeof(cell));
  cell.cls = classInForce(f);
  cell.next = f->state;
  if (f->state == TASK_NONE) {
    cell.action = classTable[cell.cls].whenNone;
    cell.starts = cell.action == ACTION_START;
    if (cell.starts) cell.next = TASK_RUNNING;
    cell.hands = cell.action == ACTION_START || cell.action == ACTION_ANSWER;
    return cell;
  }

  cell.action = classTable[cell.cls].whenOpen;
  if (f->skipsQuestion && cell.cls != CLASS_ABANDON && cell.cls != CLASS_CLARIFICATION) {
    cell.action = ACTION_PROMPT;
    cell.asksAgain = 1;
    return cell;
  }
  if (f->isDoubted && !f->continuing && !isEarlier(f)) {
    cell.action = ACTION_PROMPT;
    cell.choice = CHOICE_UNCLEAR;
    return cell;
  }
  switch (cell.cls) {
  case CLASS_RESPONSE:
  case CLASS_MODIFICATION:
    cell.note = isEarlier(f) ? NOTE_INTERVENTION : continueNotes[f->state];
    cell.next = isEarlier(f) ? afterEarlier(f) : TASK_RUNNING;
    cell.hands = 1;
    break;
  case CLASS_CONFIRMATION:
    if (f->state == TASK_PENDING_COMPLETE) {
      cell.action = ACTION_COMPLETE;
      cell.note = NOTE_CONFIRMATION;
      cell.commit = COMMIT_NORMAL;
      cell.next = TASK_NONE;
    }
    break;
  case CLASS_ABANDON:
    cell.note = NOTE_ABANDON;
    cell.commit = COMMIT_ABANDONED;
    cell.next = TASK_NONE;
    break;
  case CLASS_NEW_TASK:
    if (f->switchTasks) {
      cell.action = ACTION_START;
      cell.commit = COMMIT_INTERRUPTED_BY_NEW_TASK;
      cell.starts = 1;
      cell.hands = 1;
      cell.next = TASK_RUNNING;
    } else {
      cell.choice = CHOICE_NEW_TASK;
    }
    break;
  case CLASS_CLARIFICATION: cell.hands = 1; break;
  default:
    if (f->isCommand) {
      /* A slash word raises no choice: whoever knows the word answers. */
      cell.action = ACTION_ANSWER;
      cell.hands = 1;
    } else {
      cell.choice = CHOICE_UNCLEAR;
    }
    break;
  }
  return cell;
}

MessageClass ts_class_doubted(MessageClass guess, int isAtChoice, int hasTask) {
  int closes = guess == CLASS_CONFIRMATION || guess == CLASS_ABANDON || guess == CLASS_NEW_TASK;
  if (isAtChoice) return CLASS_MODIFICATION;
  return hasTask && closes ? CLASS_UNCLEAR : guess;
}

LiveStep ts_live_other(QueueMode mode) {
  return mode == MODE_STEER || mode == MODE_STEER_BACKLOG ? LIVE_STEER : LIVE_QUEUE;
}

LiveStep ts_live(QueueMode mode, const Cell *cell) {
  if (cell->choice != CHOICE_NONE) return LIVE_APPLY;
  if (cell->commit != COMMIT_NONE) return LIVE_FENCE;
  if (cell->cls == CLASS_ABANDON) return LIVE_FENCE; /* it stops an answer, too */
  if (!cell->hands) return LIVE_APPLY;
  if (cell->cls == CLASS_CLARIFICATION) return ts_live_other(mode);
  if (cell->cls != CLASS_RESPONSE && cell->cls != CLASS_MODIFICATION) return LIVE_QUEUE;
  return mode == MODE_INTERRUPT ? LIVE_INTERRUPT : ts_live_other(mode);
}
