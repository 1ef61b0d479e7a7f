/*
** forward.h - inputs that belong elsewhere.
*/
#ifndef TS_FORWARD_H
#define TS_FORWARD_H

#include "core.h"

/* Inputs that belong elsewhere, because somebody was unlinked while a turn had them. */
typedef struct Forward {
  struct Forward *next;
  sqlite3_int64 input;
  Text channel, sender, to;
} Forward;

/* Of a turn; it is asked before the turn ends. */
Forward *ts_forward_of_turn(Cmd *c, Text session, sqlite3_int64 turn);
/* The same, one input that was cancelled: NULL when it belongs where it is. */
Forward *ts_forward_of_input(Cmd *c, sqlite3_int64 input);
/* The rows of a statement with these four columns. */
Forward *ts_forward_list(Cmd *c, Query q);

/* The turn has come to nothing, or they are tried again: they go to where their senders' messages go now, or the session for
** which they were is. */
void ts_forward(Cmd *c, const Forward *list);

/* The session that has a key; made when there is none. An alias that people made can stand there. */
Text ts_key_open(Cmd *c, Text key, Text persona);

#endif
