/*
** queue.h - a session's inputs, and handing them over.
**
** Every message that asks for work is a row of session_queue. Without a live run it is handed to
*the
** caller and stays `handed` until the host shows that it works on it (a transition, a flush, the
** next handed delivery); then it is `delivered`.
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
  Text mode;
  Source source;
  MessageClass cls;
  double confidence;
  int isAffirmation;
  sqlite3_int64 deliveryId;
  sqlite3_int64 queueId; /* its row, once it has one */
  int isSettled;         /* there is nothing more to do about it */
  const char *label;     /* shown with the input: an earlier or the newer message; NULL: none */
} Inbound;

#define QUEUE_PENDING "pending"
#define QUEUE_HANDED "handed"

/* A new row; sets in->queueId. */
void ts_queue_add(Cmd *c, const Session *s, Inbound *in, const char *status);

/* The host has shown that it works on what it was handed. */
void ts_queue_taken_up(Cmd *c, const Session *s);

#endif
