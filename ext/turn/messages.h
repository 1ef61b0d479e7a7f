/*
** messages.h - writing messages and tool calls into a running turn.
*/
#ifndef TS_MESSAGES_H
#define TS_MESSAGES_H

#include "turn.h"

/* Where the next entry of a turn goes, and what has been written so far. */
typedef struct Writer {
  Cmd *c;
  sqlite3_int64 turn;
  sqlite3_int64 next;   /* the next sequence */
  sqlite3_int64 begun;  /* the same when this command began: what lies before may have been shown */
  sqlite3_int64 first;  /* the sequence of the first entry that was written, -1: none */
  sqlite3_int64 tokens; /* the size of what was written */
  sqlite3_int64 answers; /* the oldest turn above whose tool call was answered, 0: none */
  sqlite3_int64 now;
  int isOne;      /* what is written is one message, not an array of them */
  Text session;   /* whose turn it is; {NULL,0}: not known */
  int duplicates; /* results that were there already, the same: nothing was written for them */
  /* Nothing is written: what would be is held against what stands there. */
  int compares;
  int differs; /* something is not the same */
  int results; /* of the turn's own calls */
} Writer;

/* A turn that is new and empty. */
void ts_writer_new(Writer *w, Cmd *c, sqlite3_int64 turn);
/* A turn that holds something already. */
void ts_writer_resume(Writer *w, Cmd *c, sqlite3_int64 turn);

/* A JSON array of messages. name: the argument's, for errors. Returns how many. */
int ts_write_messages(Writer *w, Text json, const char *name);

/* Does a turn hold exactly these messages? Their created_at counts where it is given. */
int ts_messages_equal(Cmd *c, sqlite3_int64 turn, Text json, const char *name);

/* One message. source may be NULL. */
void ts_write_message(Writer *w, const char *role, const char *source, Text metadata, Text content);

/* One tool call without a result; params is JSON or NULL. */
void ts_write_tool_call(Writer *w, Text id, Text name, Text params, Text spawned);

/* How a call is that has its result (CALL_STATUS). */
static inline const char *ts_call_end(int isError) {
  return isError ? "failed" : "completed";
}

/* The result of a call: into the call's row when it is of this turn, else a message of role tool. */
void ts_write_result(Writer *w, Text id, Text result, int isError, const char *name);

/*
** The nearest call before a place with this id, in its turn or above it, that has no result in its own
** row: its place, 0 when there is none. *toolName may be NULL. Ids may repeat ("call_0" in every turn):
** calls of other paths are stepped over a branch at a time.
*/
sqlite3_int64 ts_find_call(Cmd *c, Text id, sqlite3_int64 before, Text *toolName);

/*
** The first message behind a place, on the path to the turn `last`, that answers a call with this id:
** its place, 0 when none does. Looks along the path as ts_find_call does.
*/
sqlite3_int64 ts_find_answer(Cmd *c, Text id, sqlite3_int64 after, sqlite3_int64 last);

/* Does the message at a place give this result? */
int ts_answer_is(Cmd *c, sqlite3_int64 place, Text result, int isError);

/* Has a call between two places, with this id, this result? */
int ts_result_is(Cmd *c, sqlite3_int64 first, sqlite3_int64 last, Text id, Text result,
                 int isError);

/* Is it a message without words, and without metadata that says something? Providers refuse such a message. It is not
** shown, and does not count as standing between two others. */
int ts_says_nothing(Text role, Text content, int hasMetadata);

/* The place of the last message between two places that is not the agent's own, and is shown; 0: none. */
sqlite3_int64 ts_last_foreign(Cmd *c, sqlite3_int64 first, sqlite3_int64 last);

/*
** Can a result that is a message of its own be shown with its call? It can when nothing that is said
** to the model stands between them, and nobody was shown the call without it in the turn that has the
** result. Else it is told in words where it stands: what was shown once does not change.
*/
int ts_answers_directly(Cmd *c, sqlite3_int64 call, sqlite3_int64 answer);
/* Is the result at a place one that is told in words? */
int ts_answer_is_late(Cmd *c, sqlite3_int64 answer);

#endif
