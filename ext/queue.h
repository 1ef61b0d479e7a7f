/*
** queue.h - a session's inputs, and handing them over.
**
** Every message that asks for work is a row of session_queue. Without a live run it is handed to the
** caller and stays `handed` until the host shows that it works on it (a turn begins and takes it, a
** transition, a flush, the next handed delivery); then it is `delivered`. Behind a live run it waits
** as `pending`, is `processing` while a turn has it, and `delivered` when that turn has ended well.
*/
#ifndef TS_QUEUE_H
#define TS_QUEUE_H

#include "session.h"

/* One message on its way through a command. */
typedef struct Inbound {
  Text message;
  Text messageId;
  Text channel; /* never NULL: "" when not given */
  Text sender;
  Text mode; /* as it was asked for, or as it waits */
  sqlite3_int64 enqueuedAt, attempts, rank;
  Source source;
  MessageClass cls;
  double confidence;
  int isAffirmation;
  sqlite3_int64 deliveryId;
  sqlite3_int64 queueId; /* its row, once it has one */
  int isExempt;          /* it is let into a full queue */
  int isRetry;           /* it was in a turn before that came to nothing */
  int isSettled;         /* there is nothing more to do about it */
  int answersQuestion;   /* it was given as the answer to the question that is open */
  const char *label;     /* shown with the input: an earlier or the newer message; NULL: none */
} Inbound;

#define QUEUE_PENDING "pending"
#define QUEUE_HANDED "handed"

/* A new row; sets in->queueId. */
void ts_queue_add(Cmd *c, const Session *s, Inbound *in, const char *status);

typedef struct InputLink {
  struct InputLink *next;
  Inbound *in;
} InputLink;

/* The rows of one of the statements queue_pending, queue_next, … in order; at most `max` of them. */
InputLink *ts_queue_list(Cmd *c, Text label, int statement, int max);

/* The mode in which an input waits behind a live run: the delivery's own, else the session's, else its
** source's, else the file's. */
QueueMode ts_queue_mode(Cmd *c, const Session *s, const Inbound *in);

/* The rank that stands before everything that waits. */
sqlite3_int64 ts_queue_front_rank(Cmd *c, const Session *s);

/* How many inputs are handed or wait; *steering: how many of them a live run could take. */
sqlite3_int64 ts_queue_count(Cmd *c, const Session *s, sqlite3_int64 *steering);

/* The host has shown that it works on what it was handed. */
void ts_queue_taken_up(Cmd *c, const Session *s);
/* The same: this turn worked on it. */
void ts_queue_taken_by(Cmd *c, const Session *s, sqlite3_int64 turn);

#endif
