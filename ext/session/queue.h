/*
** queue.h - a session's inputs, and handing them over.
**
** Every message that asks for work is a row of session_queue. Without a live run it is handed to the
** caller and stays `handed` until a turn takes it. A host that keeps no turns says so (keeps_turns): what
** it was handed is `delivered` when it shows that it works on it (a transition, a flush, the next handed
** delivery). Behind a live run an input waits as `pending`, is `processing` while a turn has it, and
** `delivered` when that turn has ended well.
*/
#ifndef TS_QUEUE_H
#define TS_QUEUE_H

#include "json.h"
#include "session.h"

/* One message on its way through a command. */
typedef struct Inbound {
  Text message;
  Text messageId;
  Text cameAs; /* with a message_id: the name by which it is known again; NULL: the session's */
  Text cameBy; /* the same: the label that was given */
  Text
      cameFrom; /* the merged session that it is for; NULL: none. Of one that has a row that says it */
  Text channel; /* never NULL: "" when not given */
  Text sender;
  Text mode; /* as it was asked for, or as it waits */
  sqlite3_int64 enqueuedAt, attempts, rank;
  sqlite3_int64 dueAt,
      dueAfter; /* it is to be tried again then, so long after its last attempt; 0: now */
  sqlite3_int64 openedAt, askedAt; /* the choice, the question that it answers; 0: none is named */
  Source source;
  MessageClass cls;
  double confidence;
  int isAffirmation;
  int isGiven;   /* the class is the caller's word */
  int isDoubted; /* it is a guess, less likely than classify_floor */
  sqlite3_int64 deliveryId;
  sqlite3_int64 queueId; /* its row, once it has one */
  int keepsNoTurns;      /* so does the host to which it is handed over */
  int isOpen;            /* it was handed over before, and no turn has taken it */
  sqlite3_int64 shownIn; /* the last turn in whose messages it stands, 0: none */
  int isExempt;          /* it is let into a full queue, and never dropped from one */
  int isRetry;           /* it was in a turn before that came to nothing */
  int isSettled;         /* there is nothing more to do about it */
  int answersQuestion;   /* it was given as the answer to the question that is open */
  int namesQuestion;     /* the same, and not as one to the choice that may be open, too */
  int isAside; /* it is a call ("@alma"), or for somebody else without a mention: "Bob: stop" */
  Text names;  /* to which its session answers (config.h); NULL: none are set */
  const char *label; /* shown with the input: an earlier or the newer message; NULL: none */
} Inbound;

#define QUEUE_PENDING "pending"
#define QUEUE_HANDED "handed"

/* Are they of one person on one channel? */
int ts_same_sender(const Inbound *a, const Inbound *b);

/* The merged session that it is for; NULL: none. */
Text ts_queue_home(Cmd *c, const Inbound *in);

/* A new row; sets in->queueId. */
void ts_queue_add(Cmd *c, const Session *s, Inbound *in, const char *status);

typedef struct InputLink {
  struct InputLink *next;
  Inbound *in;
} InputLink;

/* The rows of one of the statements queue_pending, queue_next, … in order; at most `max` of them. */
InputLink *ts_queue_list(Cmd *c, Text label, int statement, int max);

/* An input that waits, by its row. NULL: it does not wait any more. */
Inbound *ts_queue_one(Cmd *c, sqlite3_int64 id);

/* Puts a list behind another one. */
void ts_queue_join(InputLink **list, InputLink *more);

/* What a turn has, in order. */
InputLink *ts_queue_of_turn(Cmd *c, const Session *s, sqlite3_int64 turn);

/* Cancels what the sender of an Abandon has waiting, or failed, up to an id; what was handed to a host and no turn
** has taken. Both return what that was. */
InputLink *ts_queue_cancel_of(Cmd *c, const Session *s, const Inbound *in, sqlite3_int64 before);
InputLink *ts_queue_cancel_unclaimed(Cmd *c, const Session *s, const Inbound *in);
/* The open task has ended: what a turn has had for it, and waits to be tried again or has failed, is cancelled.
** Questions, and what came from others than users (a worker's parent is one), stay. */
void ts_queue_task_over(Cmd *c, Session *s);
/* The task was called off: so is what was handed over for it, and no turn has taken. */
void ts_queue_handed_over(Cmd *c, Session *s);
/* The task that a transition has left Complete or Aborted is committed: whoever does it is told, too, of what that
** has called off before. */
void ts_queue_settles(Cmd *c, Session *s);
/* Puts inputs among those that a command has called off, each once. */
void ts_queue_list_off(InputLink **to, InputLink *list);
/* The same of what a turn has that comes to nothing, when its task has ended meanwhile. */
void ts_queue_turn_over(Cmd *c, Session *s, sqlite3_int64 turn);
/* An input that has decided something is done with: it was not called off, whatever it has ended. */
void ts_queue_settle(Cmd *c, Session *s, const Inbound *in);
/* Is the input among them? */
int ts_queue_is_called_off(const Session *s, const Inbound *in);

/* Another task was begun instead of the one that was open, with the message next: what users said for that, and
** nobody is at work on, is cancelled, and returned. Questions, what was not looked at yet, and what somebody else
** has said and nobody has worked on stay. */
InputLink *ts_queue_end_task(Cmd *c, const Session *s, const Inbound *next, sqlite3_int64 task);

/* What nobody works on, the first `max` of it. */
InputLink *ts_queue_waits(Cmd *c, const Session *s, int max);

/* A list of inputs as an array under a key; nothing when it is empty. whose: with source and sender. */
void ts_queue_put(Json *j, const char *key, const InputLink *list, int whose);

/* The mode in which an input waits behind a live run: the delivery's own, else the session's, else its
** source's, else the file's. */
QueueMode ts_queue_mode(Cmd *c, const Session *s, const Inbound *in);

/* The one that a full queue drops, a list of one: it waits longest of those for which nobody waits. answer: the
** input for which the session waits, 0: none. */
InputLink *ts_queue_oldest(Cmd *c, const Session *s, sqlite3_int64 answer);

/* The rank that stands before everything that waits. */
sqlite3_int64 ts_queue_front_rank(Cmd *c, const Session *s);

/* Is its time still to come? A time that a clock has written down which was ahead is not. */
int ts_input_waits(const Cmd *c, const Inbound *in);

/* Does an input wait for its time? Order never flips: then nothing that comes later is handed over. */
int ts_queue_is_held(Cmd *c, const Session *s);

/* How many inputs are handed or wait; *steering: how many of them a live run could take. */
sqlite3_int64 ts_queue_count(Cmd *c, const Session *s, sqlite3_int64 *steering);

/* A host that keeps no turns has shown that it works on what it was handed. */
void ts_queue_taken_up(Cmd *c, const Session *s);
/* The same; and this turn worked on what stands in its messages. */
void ts_queue_taken_by(Cmd *c, const Session *s, sqlite3_int64 turn, Text messages);

/* Of what was handed over, that which stands in an array of messages: by the number in their metadata
** (queue_id), else by its text, in lines of its own, behind a name or a time perhaps. */
InputLink *ts_queue_among(Cmd *c, const Session *s, Text messages);

#endif
