/*
** context.h - what a model is shown of a thread: the newest summary, and the turns after it.
*/
#ifndef TS_CONTEXT_H
#define TS_CONTEXT_H

#include "turn.h"

/* A turn that is shown and answers calls which are not: the words before their results, beyond what
** these take as they are stored. */
typedef struct Orphan {
  sqlite3_int64 depth; /* of the turn, or of the one that is shown with it because it resumes it */
  sqlite3_int64 tokens;
} Orphan;

typedef struct Context {
  sqlite3_int64 last;       /* the turn that it ends with, 0: there is none */
  int runs;                 /* that turn is still running */
  sqlite3_int64 waiting;    /* a place in it from which on nothing is shown yet, 0: none */
  sqlite3_int64 fromDepth;  /* of the first turn that is shown in full */
  sqlite3_int64 compaction; /* the turn whose summary comes first, 0: none */
  Text summary;
  sqlite3_int64 summaryTokens, summaryAt;
  sqlite3_int64 failed; /* a failed turn whose output is shown at the end, 0: none */
  sqlite3_int64 failedTokens;
  sqlite3_int64 lastThreadTokens; /* of everything from the root to the last turn */
  Orphan *orphans;                /* only beside a summary, newest first; in the arena */
  int nOrphans;
  sqlite3_int64 tokens; /* of what is shown */
} Context;

/* The depth at which a context shows the failed turn behind its last one. */
#define TS_CONTEXT_END(x) ((x)->last ? TS_DEPTH((x)->last) + 1 : 0)

/* Does a context show a turn: one of its path, or one that failed and was gone on from? */
int ts_context_shows(Cmd *c, const Context *x, sqlite3_int64 turn);

/* The context that ends with a turn, without orphans. */
void ts_context_turns(Cmd *c, sqlite3_int64 turn, Context *x);

/* The context that ends with a turn, in the words of a session (NULL: of the file). */
void ts_context_of_turn(Cmd *c, sqlite3_int64 turn, Text session, Context *x);
/* The context of a session: of the turn a live run executes, else what its next turn will get. */
void ts_context_of_session(Cmd *c, const Session *s, Context *x);

/* Finds the orphans of a context again, as if it showed turns from this depth on. Does not touch
** x->tokens. */
void ts_context_orphans(Cmd *c, Text session, sqlite3_int64 from, Context *x);
/* What the words of the orphans between two depths take. */
sqlite3_int64 ts_orphan_tokens(const Context *x, sqlite3_int64 from, sqlite3_int64 to);

/* The size of everything from the root to the turn at this depth; 0 above the root. */
sqlite3_int64 ts_thread_tokens(Cmd *c, sqlite3_int64 turn, sqlite3_int64 depth);

/*
** The depth of the oldest turn of a context from which on everything up to a turn fits into a
** budget: between x->fromDepth and the depth of turn + 1, which means that nothing fits. turnTokens
** is the size of everything from the root to the turn.
*/
sqlite3_int64 ts_context_fit(Cmd *c, const Context *x, sqlite3_int64 turn, sqlite3_int64 turnTokens,
                             sqlite3_int64 budget);

/*
** Moves a cut at a depth so that no tool call is on one side of it and its result, in a later turn,
** on the other: down (more turns are kept), or up (fewer are; behind TS_CONTEXT_END: not even the
** failed turn there). Calls above the depth `floor` are out of reach, and not looked at.
*/
sqlite3_int64 ts_context_cut(Cmd *c, const Context *x, sqlite3_int64 from, sqlite3_int64 floor,
                             int fewer);

extern const CommandSpec ts_session_needs_compaction;
int ts_context_register(Conn *conn);

/* A turn that answers calls of turns above it. */
typedef struct Answering {
  sqlite3_int64 turn;
  sqlite3_int64 depth;  /* at which it is shown: its own, or of the turn that resumes it */
  sqlite3_int64 oldest; /* the depth of the oldest turn whose call it answers */
  int resumed;          /* it failed: it is not on the path */
} Answering;
typedef struct AnsweringList {
  Answering *list; /* newest first; in the arena */
  int n;
  sqlite3_int64 room;
} AnsweringList;
/* The first column of a statement's next row, 0 at its end. */
sqlite3_int64 ts_context_next_key(Cmd *c, Query *q);
/* The context of a session, without orphans. */
void ts_context_read_session(Cmd *c, const Session *s, Context *x);
/* The turns that answer earlier ones, of those that a context shows between two depths. They have an
** index of their own, too. */
void ts_context_answers(Cmd *c, const Context *x, sqlite3_int64 from, sqlite3_int64 to,
                        AnsweringList *a);
/* The orphans from a depth on, of a context that shows turns from `shown` on. Without a compaction every
** call is shown. */
void ts_context_add_orphans(Cmd *c, Text session, sqlite3_int64 from, sqlite3_int64 shown,
                            Context *x);

/* The words before a result whose call is not shown. */
const char *ts_context_orphan_words(Cmd *c, Text session, int isError);

/* The last place of a turn that is shown. */
sqlite3_int64 ts_context_last_place(const Context *x, sqlite3_int64 turn);

#endif
