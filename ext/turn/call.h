/*
** call.h - a call of a live run: turn_message, turn_heartbeat, turn_complete, …
*/
#ifndef TS_CALL_H
#define TS_CALL_H

#include "messages.h"
#include "queue.h"
#include "turn.h"
#include "turn_commands.h"

/* The first two arguments of every call of a live run. */
#define TURN_AND_TOKEN                                                                             \
  {"turn", ARG_INT, 1}, {                                                                          \
    "token", ARG_INT, 1                                                                            \
  }

typedef struct Call {
  Session s;
  Turn t;
  int repeats; /* a result that was there already */
} Call;

/* Fails the command for a compaction: it holds no messages, and ends with its summary. */
void ts_call_want_conversation(Cmd *c, const Turn *t);
/* Loads the session and the turn that the first two arguments name, and renews the lease. */
void ts_call_enter(Cmd *c, Call *k);
/* The run has shown something: it is running. */
void ts_call_show_running(Cmd *c, Call *k);
/* The same by something that was recorded: whatever becomes of the turn, it is work. */
void ts_call_show_work(Cmd *c, Call *k);
/* Which earlier calls a turn's messages answer is kept in its row. */
void ts_call_keep_answers(Cmd *c, const Writer *w);

/* What every call of a live run returns: whether the run was interrupted, and what it could take. */
void ts_call_put_signals(Json *j, const Call *k);
/* The same as an object, with this field in front: a word, or else a number (key NULL: none). */
void ts_call_return(Cmd *c, const Call *k, const char *key, sqlite3_int64 i, const char *word);
/* What the commands return that end a turn: how it ended, where the head is, what waits. */
void ts_call_return_end(Cmd *c, const Call *k, TurnPhase how, int kept, const char *note,
                        const InputLink *stopped);

/* The cursor where no head moves: "" clears it. */
void ts_call_set_cursor(Cmd *c, const Session *s, const Arg *cursor);

/* Stops the turn, for whoever executes it or for a person (abort.c). keep: the option, which may not be given. */
void ts_call_abort(Cmd *c, Call *k, const TurnFacts *f, Text reason, const Arg *keep);

#endif
