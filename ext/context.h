/*
** context.h - what a model is shown of a thread: the newest summary, and the turns after it.
*/
#ifndef TS_CONTEXT_H
#define TS_CONTEXT_H

#include "turn.h"

typedef struct Context {
  sqlite3_int64 last;       /* the turn that it ends with, 0: there is none */
  int runs;                 /* that turn is still running */
  sqlite3_int64 fromDepth;  /* of the first turn that is shown in full */
  sqlite3_int64 compaction; /* the turn whose summary comes first, 0: none */
  Text summary;
  sqlite3_int64 summaryTokens, summaryAt;
  sqlite3_int64 failed; /* a failed turn whose output is shown at the end, 0: none */
  sqlite3_int64 failedTokens;
  sqlite3_int64 lastThreadTokens; /* of everything from the root to the last turn */
  sqlite3_int64 tokens;           /* of what is shown */
} Context;

/* The context that ends with a turn. */
void ts_context_of_turn(Cmd *c, sqlite3_int64 turn, Context *x);
/* The context of a session: that of the turn a live run executes, else of its head. */
void ts_context_of_session(Cmd *c, const Session *s, Context *x);

/* The size of everything from the root to the turn at this depth; 0 above the root. */
sqlite3_int64 ts_thread_tokens(Cmd *c, sqlite3_int64 turn, sqlite3_int64 depth);

/*
** The depth of the oldest turn from which on everything fits into a budget: between from and the
** depth of turn + 1, which means that nothing fits.
*/
sqlite3_int64 ts_context_fit(Cmd *c, sqlite3_int64 turn, sqlite3_int64 turnTokens,
                             sqlite3_int64 from, sqlite3_int64 budget);

/*
** Moves a cut at a depth so that no tool call is on one side of it and its result, in a later turn,
** on the other: down (more turns are kept), or up (fewer are). Calls above the depth `floor` are
** out of reach, and not looked at.
*/
sqlite3_int64 ts_context_cut(Cmd *c, sqlite3_int64 turn, sqlite3_int64 from, sqlite3_int64 floor,
                             int fewer);

extern const CommandSpec ts_session_needs_compaction;
int ts_context_register(Conn *conn);

#endif
