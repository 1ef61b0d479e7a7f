/*
** deliver.h - a delivery under way: what the files of this room work on together.
*/
#ifndef TS_DELIVER_H
#define TS_DELIVER_H

#include "choice.h"
#include "queue.h"
#include "route.h"
#include "session.h"

#define MAX_NOTES 12

typedef struct Delivery {
  Cmd *c;
  Session s;
  Inbound in;            /* the message; in.message.z is NULL in session_choose */
  Text owner;            /* who begins the turn at once; NULL: nobody */
  ChoiceReading reading; /* what it says to the open choice, or to one in general */
  int belongs;           /* … and whether it belongs to the open task in any case */
  Text persona;          /* for a session that this delivery makes */
  Route route;           /* by which an envelope came here; key NULL: it had a label */
  Text name;             /* by which it came: the label that was given, or the key */
  Text ownKey;           /* … and the one that its sender had before the link; NULL: the same */
  Text
      furtherKeyOf; /* the entity whose messages have not had this key, as far as identities says */
  TaskState previous;
  sqlite3_int64 before; /* the last event before the command */
  int isTold;           /* it is what a parent tells its worker; where its conversation stands: */
  sqlite3_int64 toldPlace; /* deliveries.told_place */
  int liveRun;
  int keepsTurns;    /* what is handed over waits for a turn; below 0: as the setting says */
  int hasAgain;      /* what no turn has taken is among the inputs already */
  int staysOld;      /* the message is no activity */
  int fromGroup;     /* an envelope says that several people talk here */
  int compacts;      /* the live run writes a summary */
  int isHeld;        /* an input waits for its time, and everything behind it */
  sqlite3_int64 due; /* when the first of those that wait can be taken, 0: at once, or none waits */
  int isTaking;      /* a turn takes inputs */
  sqlite3_int64
      secondOf; /* a second opinion came about a message that waited: its row was this; 0: none */
  int isDuplicate;      /* its message_id was seen before, in a session that was deleted */
  int tookWaiting;      /* what waited in the queue has been looked at */
  Task saved;           /* the last task, saved because it lay too long; id 0: none such */
  sqlite3_int64 taskId; /* the task the decision is about */
  /* The decision as it grows. */
  Action action;
  Action handing; /* what the inputs that are handed over ask for */
  MessageClass cls;
  double confidence;
  Text message;        /* shown to a person */
  Text putAway;        /* a request that a choice held, and is a note now: so it says */
  const char *refusal; /* why the session keeps in mind that it was rejected; NULL: it does not */
  Text choices;        /* JSON array */
  Text focus;          /* of /compact */
  Text opinion;        /* the prompt for a second opinion */
  Text commitId;
  InputLink *cancelled;   /* what this message calls off, and what had to give way to it */
  InputLink *waits;       /* after an Abandon: what nobody works on */
  int stops;              /* it is an Abandon that is looked at when it is taken */
  sqlite3_int64 queuedId; /* the row that was put behind a live run last */
  Text turn;              /* JSON: what turn_begin returns */
  const char *notes[MAX_NOTES];
  int nNotes;
  InputLink *inputs, **inputsTail; /* what is handed over, in order */
} Delivery;

/* What was asked about a message is answered (classify.c): given is its class, CLASS_UNKNOWN: the best guess
** stands. It goes on as if it came now, said when it was. Returns the decision, which is the delivery's; NULL: the
** message answers what is asked no more, and is cancelled. */
Text ts_deliver_second_opinion(Cmd *c, const Session *s, const Inbound *in, MessageClass given,
                               Text owner, const Arg *keepsTurns);

/* Takes a classified message through the class × state table. continuing: a choice has just
** settled that it belongs to the task. */
void ts_deliver_apply(Delivery *d, Inbound *in, int continuing);
/* Would this message end the open task? */
int ts_deliver_ends_task(Delivery *d, const Inbound *in);
/* Adds to what is handed over at the end. */
void ts_deliver_hand(Delivery *d, Inbound *in);
/* Keeps a message that is not acted on: a note for the task and for the decision. The template's
** {message} is the message. */
void ts_deliver_keep(Delivery *d, const char *key, Text message);
/* Keeps a request as a note that somebody has put away; the decision's message says so. */
void ts_deliver_put_away(Delivery *d, Text message);
/* Starts a task with a message, which is handed over. */
void ts_deliver_start(Delivery *d, Inbound *in);
void ts_deliver_note(Delivery *d, const char *text);
/* Adds to what the decision lists as cancelled. */
void ts_deliver_cancelled(Delivery *d, InputLink *list);
/* Ends the open task; remembers the commit for the decision. */
void ts_deliver_end_task(Delivery *d, CommitType type, Text message, Text detail);
/* The task has ended for another one, which this message asks for: what was said for it is not worked on
** within the new one. */
void ts_deliver_switched(Delivery *d, const Inbound *next);

/* Fails the command when a message is longer than max_message_bytes; name: of the argument. */
void ts_message_want(Cmd *c, Text label, const char *name, Text message);

/* Shows the stored choice: message and choices of the decision, action prompt. */
void ts_choice_show(Delivery *d);
/* What a message says to the open choice: d->reading. Its class gives way to what it says there, unless the
** caller gave it. */
void ts_choice_read_message(Delivery *d, Inbound *in);
/* What becomes of the open choice by a message that has been read; in is NULL for one that was pressed. */
ChoiceStep ts_choice_step(Delivery *d, const OpenChoice *choice, const Inbound *in);
/* Settles the open choice by d->reading. in is NULL when it was settled by session_choose. */
void ts_choice_settle(Delivery *d, Inbound *in);
/* An Abandon takes back what a choice holds, when it is its sender's; what is somebody else's waits. */
void ts_choice_take_back(Delivery *d, Inbound *held, const Inbound *by);
/* What it holds beside the held message becomes waiting inputs; what the sender of an Abandon has said is taken
** back. */
void ts_choice_release_others(Delivery *d);

extern const CommandSpec ts_queue_push;
extern const CommandSpec ts_session_deliver;
extern const CommandSpec ts_session_choose;

#endif
