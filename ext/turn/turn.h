/*
** turn.h - one turn: reading it, opening it, ending it; and moving a session's head.
**
** A turn is a row that begins running and is fixed once it has ended. turn_append() does both in
** one command; between turn_begin() and turn_complete() lie the calls of a live run.
*/
#ifndef TS_TURN_H
#define TS_TURN_H

#include "session.h"
#include "tree.h"

typedef struct Turn {
  sqlite3_int64 id;
  int exists;
  sqlite3_int64 parent; /* 0: a root */
  int isCompaction;
  TurnPhase phase; /* how it ended, once it has */
  int onPath;      /* completed, or aborted with its output kept */
  Source source;
  Text personaId;
  sqlite3_int64 threadTokens;
  sqlite3_int64 context; /* the compaction that its context begins with, 0: none */
  Text error;
  sqlite3_int64 resumes; /* a failed turn that its context shows before it, 0: none */
  sqlite3_int64 answers; /* the oldest turn above whose tool call it answers, 0: none */
  sqlite3_int64 inputs;  /* messages that it began with, 0: it was appended whole */
} Turn;

#define TS_TURN_RUNS(t) ((t)->phase < PHASE_COMPLETED)

/* What a provider reports of a turn; -1: not reported. */
typedef struct Usage {
  sqlite3_int64 input, output, cachedInput, cacheWrite, reasoning, total;
} Usage;

/* What is said about a turn when it begins or ends. */
typedef struct TurnFacts {
  Source source;
  Text model, provider;
  Text externalId;
  Text resumeCursor;
  sqlite3_int64 startedAt;
  sqlite3_int64 inputs; /* messages that it begins with, as far as they are known */
  int movesAway;        /* it does not follow on the session's head */
  sqlite3_int64 tokens; /* the size of its content, -1: to be estimated */
  Usage usage;
  sqlite3_int64
      retryAfter;        /* it failed: its inputs are tried again in so many ms; -1: by settings */
  sqlite3_int64 resumes; /* set when it is opened: the failed turn that it goes on from, 0: none */
} TurnFacts;

void ts_facts_init(TurnFacts *f);

/* A row of turns. A row that plain SQL has made nonsense of fails the command. */
void ts_turn_load(Cmd *c, sqlite3_int64 id, Turn *t);

/* Is a failed turn this one, or one of those that it goes on from? 0: no turn. */
int ts_turn_is_resumed(Cmd *c, sqlite3_int64 by, sqlite3_int64 failed);

/* "turn 17 is failed: it broke": how a turn stands, for errors. */
const char *ts_turn_words(Cmd *c, const Turn *t);

/* Fails the command: the token is not the turn's. */
void ts_fail_token(Cmd *c, sqlite3_int64 token, sqlite3_int64 turn);
/* As ts_turn_load; fails the command when there is no such turn. */
void ts_turn_require(Cmd *c, sqlite3_int64 id, Turn *t);
/* The same; fails the command as well unless the turn can have children and be a head. */
void ts_turn_require_on_path(Cmd *c, sqlite3_int64 id, Turn *t);
/* The turn that a session ends in; for sessions with turns. Fails the command, as damage of the file, when it is
** gone. */
void ts_turn_head(Cmd *c, const Session *s, Turn *t);

/* {"input_tokens":…} into *u. name: the argument's, for errors. */
void ts_usage_parse(Cmd *c, Text json, const char *name, Usage *u);

/* The failed turn that a turn below this one (0: a root) goes on from: `failed`, or, when it has recorded
** nothing, the one that it went on from itself; 0: none. *context is the compaction that its context begins
** with; it becomes one that was made while the failed turn ran in this place. */
sqlite3_int64 ts_turn_resumable(Cmd *c, const Turn *failed, sqlite3_int64 parent,
                                sqlite3_int64 *context);

/* The size of what a turn shows of failed turns before it. */
sqlite3_int64 ts_turn_resumed_size(Cmd *c, sqlite3_int64 failed);

/* At most so many failed turns are shown before the one that goes on. */
#define TS_MAX_RESUMED 16

/* Opens a turn below a parent (parent->exists 0: a root) in this phase. Returns its id. */
sqlite3_int64 ts_turn_open(Cmd *c, Session *s, const Turn *parent, TurnFacts *f, int isCompaction,
                           TurnPhase phase);

/* Ends a running turn. answers: the oldest turn whose call it answers, 0: none. */
void ts_turn_end(Cmd *c, sqlite3_int64 id, TurnPhase how, int onPath, const TurnFacts *f,
                 sqlite3_int64 threadTokens, sqlite3_int64 answers, Text error);

/* Walks a running turn to a phase, with an event for each move. */
void ts_turn_move(Cmd *c, const Session *s, Turn *t, TurnPhase to);
/* The event of one move on the turn axis; from PHASE_COUNT: none. */
void ts_turn_event(Cmd *c, const Session *s, sqlite3_int64 turn, TurnPhase from, TurnPhase to,
                   const char *trigger);

typedef enum HeadMove {
  MOVE_APPEND,
  MOVE_COMPLETE,
  MOVE_ABORT,
  MOVE_COMPACT,
  MOVE_FORK,
  MOVE_REWIND
} HeadMove;

/* Moves the session's head, with its row in session_history; counts what the turn has used. f may
** be NULL. A fork, a rewind and a compaction clear the resume cursor. */
void ts_head_move(Cmd *c, Session *s, sqlite3_int64 turn, HeadMove why, const TurnFacts *f);

/* Something is handed over for the next turn: what happens to the task from here on is not the head's any
** more. event: the last one before that (ts_id_last). */
void ts_head_leave(Cmd *c, Session *s, sqlite3_int64 event);

/* Counts what was used by something that leaves the head where it is. */
void ts_session_spend(Cmd *c, const Session *s, const Usage *u, int clearsCursor);

/* The size of the content of a running or ended turn in tokens. */
sqlite3_int64 ts_turn_size(Cmd *c, sqlite3_int64 turn);
/* The same of what lies between two places. */
sqlite3_int64 ts_places_size(Cmd *c, sqlite3_int64 first, sqlite3_int64 last);

/* What a call without a result takes: contexts tell of it in words (texts context.interrupted and
** context.pending). */
#define TS_NO_RESULT_TOKENS 24
/* What a result takes beside itself that is told in words, away from its call (context.late_result). */
#define TS_LATE_TOKENS 24

/* One token per four bytes. */
#define TS_TOKENS(bytes) (((sqlite3_int64)(bytes) + 3) / 4)
/* The tokens of a message's text; 0 for blanks alone, which are not shown. */
sqlite3_int64 ts_content_tokens(Text content);

/* Has the turn recorded more than its inputs? */
int ts_turn_recorded(Cmd *c, sqlite3_int64 turn);

/* The same of the run that executes the turn: when the run has gone on behind a summary of its own, what it had
** recorded in the turn before that counts, too. */
int ts_run_recorded(Cmd *c, const Turn *t);

/* The size of everything from the root to the end of a turn, of which `own` is its own. */
sqlite3_int64 ts_turn_size_through(Cmd *c, const Turn *t, sqlite3_int64 own);

#endif
