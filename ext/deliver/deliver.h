/*
** deliver.h - a delivery in progress: what the files of this room share.
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
  ChoiceReading reading; /* how it answers the open choice, or any choice */
  int belongs;           /* … and whether it belongs to the open task in any case */
  Text persona;          /* for a session that this delivery makes */
  Route route;           /* the route of its envelope; key NULL: it had a label */
  Text name;             /* the name it came under: the given label, or the key */
  Text ownKey;           /* … and the one that its sender had before the link; NULL: the same */
  Text furtherKeyOf;     /* the entity for which this key is new */
  TaskState previous;
  sqlite3_int64 before; /* the last event before the command */
  int isTold;           /* it is a parent's message to its worker; the place in the conversation: */
  sqlite3_int64 toldPlace; /* deliveries.told_place */
  int liveRun;
  int keepsTurns;    /* what is handed over waits for a turn; -1: as the setting says */
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
  Task saved;           /* the last task if it was saved as stale; id 0: it was not */
  sqlite3_int64 taskId; /* the task the decision is about */
  /* The decision as it grows. */
  Action action;
  Action handing; /* what the inputs that are handed over ask for */
  MessageClass cls;
  double confidence;
  Text message;        /* shown to a person */
  Text putAway;        /* a request that a choice held, and is a note now: so it says */
  const char *refusal; /* the reason that the session records for a rejection; NULL: not recorded */
  Text choices;        /* JSON array */
  Text focus;          /* of /compact */
  Text opinion;        /* the prompt for a second opinion */
  Text commitId;
  InputLink *cancelled;   /* what this message cancels, and what was dropped for it */
  InputLink *waits;       /* after an Abandon: what nobody works on */
  int stops;              /* it is an Abandon that is decided when it is taken */
  sqlite3_int64 queuedId; /* the row that was put behind a live run last */
  Text turn;              /* JSON: what turn_begin returns */
  const char *notes[MAX_NOTES];
  int nNotes;
  InputLink *inputs, **inputsTail; /* what is handed over, in order */
} Delivery;

/* A second opinion has come about a message (classify.c): given is its class, CLASS_UNKNOWN: the
** best guess stands. The message is decided as if it came now, with the time when it was said.
** Returns the delivery's decision; NULL: the message answers a closed question or choice and is
** cancelled. */
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
/* Keeps a request that somebody has put off as a note; the decision's message says so. */
void ts_deliver_put_away(Delivery *d, Text message);
/* Starts a task with a message, which is handed over. */
void ts_deliver_start(Delivery *d, Inbound *in);
void ts_deliver_note(Delivery *d, const char *text);
/* Adds to what the decision lists as cancelled. */
void ts_deliver_cancelled(Delivery *d, InputLink *list);
/* Ends the open task; remembers the commit for the decision. */
void ts_deliver_end_task(Delivery *d, CommitType type, Text message, Text detail);
/* The task has ended because this message asks for another one: messages for the old task are not
** worked on in the new one. */
void ts_deliver_switched(Delivery *d, const Inbound *next);

/* Fails the command when a message is longer than max_message_bytes; name: of the argument. */
void ts_message_want(Cmd *c, Text label, const char *name, Text message);

/* Shows the stored choice: message and choices of the decision, action prompt. */
void ts_choice_show(Delivery *d);
/* Reads how a message answers the open choice, into d->reading. This replaces its class, unless the
** caller gave that. */
void ts_choice_read_message(Delivery *d, Inbound *in);
/* Applies a message that has been read to the open choice; in is NULL for a pressed option. */
ChoiceStep ts_choice_step(Delivery *d, const OpenChoice *choice, const Inbound *in);
/* Settles the open choice by d->reading. in is NULL when it was settled by session_choose. */
void ts_choice_settle(Delivery *d, Inbound *in);
/* An Abandon takes back its sender's messages that a choice holds; other people's messages wait. */
void ts_choice_take_back(Delivery *d, Inbound *held, const Inbound *by);
/* The other messages that it holds become waiting inputs; those from the sender of an Abandon are
** taken back. */
void ts_choice_release_others(Delivery *d);

extern const CommandSpec ts_queue_push;
extern const CommandSpec ts_session_deliver;
extern const CommandSpec ts_session_choose;

#endif
