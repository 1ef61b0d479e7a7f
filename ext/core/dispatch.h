/*
** dispatch.h - what the two sides of the door share: the functions that call (door.c) and the dispatcher that answers
** (dispatch.c).
*/
#ifndef TS_DISPATCH_H
#define TS_DISPATCH_H

#include "core.h"

/* A call on its way from a sugar function through the door to the dispatcher: it arrives once. */
typedef struct Call {
  const CommandSpec *spec;
  Target *target;
  sqlite3_value **args;
  int nArgs;
  int arrived;
  Result result;      /* z is owned */
  struct Call *outer; /* a function of the host's that a trigger calls can call a command */
} Call;

/* A part of a command that is tried: by a statement that fails when it has run. SQLite then takes back
** what was written in it, and nothing else. A savepoint can't be begun inside a command. */
typedef struct Trial {
  Cmd *c;
  void (*run)(Cmd *c, void *arg);
  void *arg;
  const int *stands; /* is it to stay after all? NULL: never */
  int done;          /* it came to its end without an error */
} Trial;

int ts_trial_stands(const Trial *t);

/* Arguments are in place: checks them, looks for a repetition, runs. */
void ts_command_execute(Cmd *c, int isWrite);

/* Somebody has put something else in the door's place: the error. */
void ts_door_replaced(Cmd *c, const char *what);

#endif
