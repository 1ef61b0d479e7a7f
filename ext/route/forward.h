/*
** forward.h - inputs that belong to another session.
*/
#ifndef TS_FORWARD_H
#define TS_FORWARD_H

#include "core.h"

/* Inputs that belong to another session, because their sender was unlinked while a turn had them.
** */
typedef struct Forward {
  struct Forward *next;
  sqlite3_int64 input;
  Text channel, sender, to;
} Forward;

/* Those of a turn; to be called before the turn ends. */
Forward *ts_forward_of_turn(Cmd *c, Text session, sqlite3_int64 turn);
/* The same for one cancelled input; NULL when it belongs where it is. */
Forward *ts_forward_of_input(Cmd *c, sqlite3_int64 input);
/* The rows of a statement with these four columns. */
Forward *ts_forward_list(Cmd *c, Query q);

/* Moves inputs when their turn has come to nothing, or when they are tried again: to the session
** where their senders' messages go now, or to the one that they were meant for. */
void ts_forward(Cmd *c, const Forward *list);

/* The session that has a key; it is made if it does not exist. The key may be an alias that people
** made. */
Text ts_key_open(Cmd *c, Text key, Text persona);

#endif
