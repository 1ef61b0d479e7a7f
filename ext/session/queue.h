/*
** queue.h - a session's inputs, and handing them over.
**
** Every message that asks for work is a row of session_queue. Without a live run it is handed to
** the caller and stays `handed` until a turn takes it. A host without turns says so (keeps_turns):
** its inputs become `delivered` when it shows that it works on them (a transition, a flush, the
** next handed delivery). Behind a live run an input waits as `pending`, is `processing` while a
** turn has it, and becomes `delivered` when that turn has ended well.
*/
#ifndef TS_QUEUE_H
#define TS_QUEUE_H

#include "json.h"
#include "session.h"

/* One message on its way through a command. */
typedef struct Inbound {
  Text message;
  Text messageId;
  Text cameAs;   /* with a message_id: the name that identifies it; NULL: the session's */
  Text cameBy;   /* the same: the label that was given */
  Text cameFrom; /* the merged session that it is for, or NULL; if it has a row, that counts */
  Text channel;  /* never NULL: "" when not given */
  Text sender;
  Text mode; /* as requested, or as it waits */
  sqlite3_int64 enqueuedAt, attempts, rank;
  sqlite3_int64 dueAt,
      dueAfter; /* it must be tried again then, so long after its last attempt; 0: now */
  sqlite3_int64 openedAt, askedAt; /* the choice, or question, that it answers; 0: not named */
  Source source;
  MessageClass cls;
  double confidence;
  int isAffirmation;
  int isGiven;   /* the class is the caller's word */
  int isDoubted; /* it is a guess, less likely than classify_floor */
  sqlite3_int64 deliveryId;
  sqlite3_int64 queueId; /* its row, once it has one */
  int keepsNoTurns;      /* the host that gets it does so too */
  int isOpen;            /* it was already handed over, and no turn has taken it */
  sqlite3_int64 shownIn; /* the last turn that has it as a message, or 0 */
  int isExempt;          /* a full queue accepts it and never drops it */
  int isRetry;           /* an earlier turn had it and came to nothing */
  int isSettled;         /* there is nothing more to do about it */
  int answersQuestion;   /* it was given as the answer to the open question */
  int namesQuestion;     /* the same, and not as an answer to a choice that may also be open */
  int isAside; /* it is a call ("@alma"), or for somebody else without a mention: "Bob: stop" */
  Text names;  /* the names that its session answers to (config.h); NULL: not set */
  const char *label; /* shown with the input: an earlier or the newer message, or NULL */
} Inbound;

#define QUEUE_PENDING "pending"
#define QUEUE_HANDED "handed"

/* Are they from one person on one channel? */
int ts_same_sender(const Inbound *a, const Inbound *b);

/* The merged session that it is for, or NULL. */
Text ts_queue_home(Cmd *c, const Inbound *in);

/* A new row; sets in->queueId. */
void ts_queue_add(Cmd *c, const Session *s, Inbound *in, const char *status);

typedef struct InputLink {
  struct InputLink *next;
  Inbound *in;
} InputLink;

/* The rows of one of the statements queue_pending, queue_next, … in order; at most `max` of them. */
InputLink *ts_queue_list(Cmd *c, Text label, int statement, int max);

/* A waiting input, by its row. NULL: it no longer waits. */
Inbound *ts_queue_one(Cmd *c, sqlite3_int64 id);

/* Appends a list to another one. */
void ts_queue_join(InputLink **list, InputLink *more);

/* The inputs of a turn, in order. */
InputLink *ts_queue_of_turn(Cmd *c, const Session *s, sqlite3_int64 turn);

/* Cancels the waiting and failed inputs of an Abandon's sender, up to an id; cancels inputs that
** were handed to a host and that no turn has taken. Both return the inputs. */
InputLink *ts_queue_cancel_of(Cmd *c, const Session *s, const Inbound *in, sqlite3_int64 before);
InputLink *ts_queue_cancel_unclaimed(Cmd *c, const Session *s, const Inbound *in);
/* The open task has ended: inputs that a turn had for it, and that wait for a retry or have failed,
** are cancelled. Questions stay, and so do inputs that are not from users (a worker's parent counts
** as one). */
void ts_queue_task_over(Cmd *c, Session *s);
/* The task was cancelled: so are inputs that were handed over for it and that no turn has taken. */
void ts_queue_handed_over(Cmd *c, Session *s);
/* A task that a transition has left Complete or Aborted is committed: the command also lists what
** the transition has cancelled before. */
void ts_queue_settles(Cmd *c, Session *s);
/* Adds inputs to those that a command has cancelled, each once. */
void ts_queue_list_off(InputLink **to, InputLink *list);
/* The same for the inputs of a turn that comes to nothing after its task has ended. */
void ts_queue_turn_over(Cmd *c, Session *s, sqlite3_int64 turn);
/* An input that has decided something is finished: it does not count as cancelled, even if it ended
** its task. */
void ts_queue_settle(Cmd *c, Session *s, const Inbound *in);
/* Is the input among them? */
int ts_queue_is_called_off(const Session *s, const Inbound *in);

/* Another task has replaced the open one, beginning with the message `next`: users' inputs for the
** old task that nobody works on are cancelled and returned. Questions, unclassified inputs, and
** other people's inputs that nobody has worked on stay. */
InputLink *ts_queue_end_task(Cmd *c, const Session *s, const Inbound *next, sqlite3_int64 task);

/* The inputs that nobody works on, the first `max` of them. */
InputLink *ts_queue_waits(Cmd *c, const Session *s, int max);

/* A list of inputs as an array under a key; nothing when it is empty. whose: with source and sender. */
void ts_queue_put(Json *j, const char *key, const InputLink *list, int whose);

/* The mode in which an input waits behind a live run: the delivery's own, else the session's, else its
** source's, else the file's. */
QueueMode ts_queue_mode(Cmd *c, const Session *s, const Inbound *in);

/* The input that a full queue drops, as a list: of the inputs for which nobody waits, the one that
** waits longest. answer: the input that the session waits for, or 0. */
InputLink *ts_queue_oldest(Cmd *c, const Session *s, sqlite3_int64 answer);

/* A rank before everything that waits. */
sqlite3_int64 ts_queue_front_rank(Cmd *c, const Session *s);

/* Is its time in the future? A time written by a clock that was ahead does not count. */
int ts_input_waits(const Cmd *c, const Inbound *in);

/* Does an input wait for its time? Order never flips: then nothing that comes later is handed over. */
int ts_queue_is_held(Cmd *c, const Session *s);

/* How many inputs are handed or wait; *steering: how many of them a live run could take. */
sqlite3_int64 ts_queue_count(Cmd *c, const Session *s, sqlite3_int64 *steering);

/* A host without turns has shown that it works on the inputs that it was handed. */
void ts_queue_taken_up(Cmd *c, const Session *s);
/* The same, and this turn worked on the inputs in its messages. */
void ts_queue_taken_by(Cmd *c, const Session *s, sqlite3_int64 turn, Text messages);

/* The handed-over inputs that an array of messages contains: found by the queue_id in their
** metadata, else by their text, on lines of its own, perhaps after a name or a time. */
InputLink *ts_queue_among(Cmd *c, const Session *s, Text messages);

#endif
