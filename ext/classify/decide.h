/*
** decide.h - what a delivered message leads to: the decision as pure functions over plain values.
**
** Delivering runs through up to three questions, each a function with a table behind it:
**
**   ts_gate    Does the message get as far as being classified? (status, /compact, source,
**              staleness, an open choice)
**   ts_choice  A choice is open: what becomes of the held message, the task and this message?
**   ts_cell    The class × state table: what does a classified message do to the task?
**
** deliver.c fetches the facts, asks, and applies the answer. Nothing here touches a database.
*/
#ifndef TS_DECIDE_H
#define TS_DECIDE_H

#include "classify.h"
#include "states.h"

#include <stdint.h>

typedef enum Source {
  SOURCE_USER,
  SOURCE_AGENT,
  SOURCE_TIMER,
  SOURCE_WEBHOOK,
  SOURCE_SYSTEM,
  SOURCE_COUNT
} Source;

/* What the host is told to do. */
typedef enum Action {
  ACTION_START,
  ACTION_CONTINUE,
  ACTION_COMPLETE,
  ACTION_ABANDON,
  ACTION_ANSWER,
  ACTION_ACKNOWLEDGE,
  ACTION_PROMPT,
  ACTION_QUEUE,
  ACTION_STEER,
  ACTION_INTERRUPT,
  ACTION_COMPACT,
  ACTION_BLOCKED,
  ACTION_REJECTED,
  ACTION_CLASSIFY,  /* the host is to say what it is: see deliver/classify.c */
  ACTION_DUPLICATE, /* an answer that was taken before */
  ACTION_COUNT
} Action;

/* How a task ends: the four commit types. */
typedef enum CommitType {
  COMMIT_NONE,
  COMMIT_NORMAL,
  COMMIT_ABANDONED,
  COMMIT_STALE_AUTO_COMPACT,
  COMMIT_INTERRUPTED_BY_NEW_TASK,
  COMMIT_TYPE_COUNT
} CommitType;

/* The choices a person can be offered. Each has two ways out: continue, or start fresh. */
typedef enum ChoiceKind {
  CHOICE_NONE,
  CHOICE_STALE,    /* back after a day: go on with the task, or start fresh? */
  CHOICE_NEW_TASK, /* a new request over an open task: switch, or go on? */
  CHOICE_UNCLEAR,  /* go on with the task, or is this something new? */
  CHOICE_SAVED,    /* an answer to a task saved long ago: pick it up, or take it as new? */
  CHOICE_KIND_COUNT
} ChoiceKind;

typedef enum ChoiceAnswer {
  ANSWER_NONE,
  ANSWER_CONTINUE,
  ANSWER_START_FRESH,
  ANSWER_UNDECIDED /* about the choice, and none of its ways: "C", "7", "no", "both", "wait" */
} ChoiceAnswer;

/* The automatic notes. */
typedef enum NoteKind {
  NOTE_NONE,
  NOTE_QUESTION,
  NOTE_ANSWER,
  NOTE_INTERVENTION,
  NOTE_REQUEST_MORE,
  NOTE_CONFIRMATION,
  NOTE_ABANDON,
  NOTE_KIND_COUNT
} NoteKind;

/* What happens to a message that arrives while a run is live. */
typedef enum QueueMode {
  MODE_QUEUE,         /* waits, first in first out */
  MODE_FOLLOWUP,      /* the same */
  MODE_COLLECT,       /* waits; all that wait go into one turn */
  MODE_STEER,         /* goes into the live run when the run asks for it */
  MODE_STEER_BACKLOG, /* the same; what the run did not take waits its turn one by one */
  MODE_INTERRUPT,     /* the run is told, and the message is first in line */
  QUEUE_MODE_COUNT
} QueueMode;

/* The names of the modes; after them "inherit", which only settings of a source know. */
extern const char *const ts_queue_modes[QUEUE_MODE_COUNT + 1];

extern const char *const ts_source_names[SOURCE_COUNT];
extern const char *const ts_action_names[ACTION_COUNT];
extern const char *const ts_commit_types[COMMIT_TYPE_COUNT]; /* [COMMIT_NONE] is "" */
extern const char *const ts_choice_kinds[CHOICE_KIND_COUNT]; /* [CHOICE_NONE] is "" */

/* ---- The gate -------------------------------------------------------------------------------- */

typedef enum Gate {
  GATE_REJECT,    /* archived, and the policy is to reject: nothing changes */
  GATE_BLOCK,     /* the session is in error: queued unclassified */
  GATE_QUEUE,     /* not from a user, and a live run or an archived session: queued */
  GATE_COMPACT,   /* "/compact" */
  GATE_CONTINUE,  /* not from a user: handed over as it is */
  GATE_AUTO_SAVE, /* idle past the second threshold: save the task, go on */
  GATE_WAS_SAVED, /* the same, but a sweep has saved it already */
  GATE_ASK_STALE, /* idle past the first threshold: offer the stale choice */
  GATE_CHOICE,    /* a choice is open */
  GATE_CLASSIFY   /* none of these: the class decides, and a live run after it */
} Gate;

typedef struct GateFacts {
  SessionStatus status;
  int rejectArchived; /* config on_archived is "reject" */
  int wakes;          /* archived only because nobody used it: any message reopens it */
  int isCompact;      /* the message is "/compact" with or without a focus */
  int isCommand;      /* it is another slash word, which the host or nobody knows */
  Source source;
  int liveRun;
  int isHeld;   /* what is first waits for its time, and everything behind it: nobody is at work */
  int compacts; /* that run writes a summary: everything waits */
  int isWorker; /* a subagent: never prompted */
  int hasTask;
  int64_t idleMs; /* now - last_activity */
  int64_t askMs;  /* thresholds, compared strictly */
  int64_t autoMs;
  ChoiceKind choice; /* the open choice */
  int namesQuestion; /* the message answers the task's question, whatever choice is open */
  int wasSaved;      /* the session's last task was saved because it lay too long */
} GateFacts;

Gate ts_gate(const GateFacts *f);

/* ---- An open choice -------------------------------------------------------------------------- */

typedef enum HeldFate {
  HELD_STAYS, /* the choice stays open and goes on holding it */
  HELD_APPLY, /* goes through the table now */
  HELD_START, /* becomes a task of its own */
  HELD_NOTE,  /* is kept as a note, not as an instruction */
  HELD_HAND,  /* is handed over together with the newer message */
  HELD_DROP   /* the user took it back: kept as a note only */
} HeldFate;

typedef enum TaskFate {
  TASK_KEEP,
  TASK_SWITCH,  /* committed as InterruptedByNewTask */
  TASK_ABANDON, /* committed as Abandoned */
  TASK_PICK_UP  /* the task saved long ago is opened again */
} TaskFate;

typedef enum MessageFate {
  MESSAGE_WAS_ANSWER, /* it answered the choice and is nothing else */
  MESSAGE_APPLY,      /* goes through the table, after the held one if that is applied */
  MESSAGE_START,      /* starts a task */
  MESSAGE_REPLY,      /* is answered; the choice stays */
  MESSAGE_ASK_AGAIN,  /* the choice is shown again */
  MESSAGE_HOLD,       /* the same, and it waits in the choice with what is held */
  MESSAGE_HAND,       /* is handed over with what is held: words beside an answer */
  MESSAGE_ABANDON     /* it took something back: the task, or the held request */
} MessageFate;

typedef struct ChoiceStep {
  HeldFate held;
  TaskFate task;
  MessageFate message;
} ChoiceStep;

typedef struct ChoiceFacts {
  ChoiceKind kind;
  ChoiceAnswer answer;
  int hasWords; /* beside the answer there is more */
  int holds;    /* the choice holds a message */
  MessageClass cls;
  int isAffirmation;
  int hasSaid; /* it says more than a word that was not understood */
  int belongs; /* the message belongs to the open task: it speaks of it, or the caller gave its class */
  int dropsAll; /* an Abandon gives up the task, too, and not only the request that would replace it */
} ChoiceFacts;

ChoiceStep ts_choice(const ChoiceFacts *f);

/* A task was saved because it lay too long. True when the message answers that old task, so that
** the person has to say which is meant (CHOICE_SAVED). */
int ts_answers_saved_task(MessageClass cls, ChoiceAnswer answer);

/* ---- The class × state table ----------------------------------------------------------------- */

typedef struct CellFacts {
  TaskState state;
  MessageClass cls;
  int isAffirmation; /* the message is nothing but a yes */
  int offered;       /* recover asked "should I continue?" and nothing was said since */
  int switchTasks;   /* config new_task_policy is "switch" */
  int continuing;    /* a choice has just settled that this belongs to the task */
  int skipsQuestion; /* the message only wants to go on, and a question is open */
  int toReport;      /* cls is what the message says to the report, whatever its words are */
  int isCommand;     /* a slash word that is not known here: "/model" */
  int isEarlier; /* it was said before what the task asks, or reports: it is no answer to that */
  int isGroup;   /* several people talk here: an "ok" may be said to any of them */
  int isDoubted; /* the class is a guess, and the person is to be asked rather */
} CellFacts;

typedef struct Cell {
  MessageClass cls; /* the class in force, after the rules that depend on the state */
  Action action;
  NoteKind note;
  TaskState next;    /* the task's state afterwards; equal to the state when nothing moves */
  CommitType commit; /* how the open task ends, or COMMIT_NONE */
  ChoiceKind choice; /* the choice to open, holding the message */
  int starts;        /* a task is started with the message */
  int hands;         /* the message is an input for the host: a queue row */
  int asksAgain;     /* the open question is shown again */
} Cell;

Cell ts_cell(const CellFacts *f);

/* What a message is taken for while the person is to be asked rather: nothing ends by a guess, and at an open choice it
** waits. */
MessageClass ts_class_doubted(MessageClass guess, int isAtChoice, int hasTask);

/* ---- A live run ------------------------------------------------------------------------------ */

typedef enum LiveStep {
  LIVE_APPLY,     /* the run is not touched: the cell is carried out (acknowledge, a choice) */
  LIVE_FENCE,     /* the run is aborted, then the cell is carried out */
  LIVE_QUEUE,     /* the message waits; the cell is carried out when it is taken */
  LIVE_STEER,     /* the same; the run may take it while it goes on */
  LIVE_INTERRUPT, /* the same; the run is told, and the message is first in line */
} LiveStep;

/* What a classified message of a user does to a live run. cell is what the table says of it. */
LiveStep ts_live(QueueMode mode, const Cell *cell);

/* A message of another source. */
LiveStep ts_live_other(QueueMode mode);

#endif
