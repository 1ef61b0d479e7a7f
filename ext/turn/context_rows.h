/*
** context_rows.h - the rows of a context while it is read, one after the other.
*/
#ifndef TS_CONTEXT_ROWS_H
#define TS_CONTEXT_ROWS_H

#include "accepted.h"
#include "context.h"
#include "table.h"

/* What the present row shows. */
typedef enum RowKind {
  ROW_SUMMARY,
  ROW_OPENING,   /* words of a user, where the agent would speak first */
  ROW_MESSAGE,   /* a row of messages */
  ROW_TOLD,      /* the same: a result that is told in words */
  ROW_CALL,      /* a row of tool_calls */
  ROW_RESULT,    /* a row of tool_calls once more, for its result */
  ROW_ANSWER,    /* the same: its result is a message of a later turn */
  ROW_NO_RESULT, /* the same: there is none */
  ROW_NOT_YET    /* the same: somebody spoke before there was one */
} RowKind;

/* How far a context has been read that is read from its last row to its first. */
typedef struct Backwards Backwards;

typedef struct ContextCursor {
  TableCursor base;
  int open; /* cmd is in use */
  Cmd cmd;
  Text session; /* whose texts are shown; NULL: the file's */
  Context x;
  int showsSummary;
  Path path;
  int segment; /* the one being read; counts down */
  /* One range at a time: messages, tool calls, and, for a group of calls, their results. */
  Query messages, calls, results;
  Query answer;                /* the message of a ROW_ANSWER */
  sqlite3_int64 message, call; /* where the first two stand; 0: at their end */
  sqlite3_int64 expected;      /* the turn after the last one that has been seen */
  int inResults;
  int single; /* the group is one call, whose result is read from `calls` itself */
  sqlite3_int64 groupFirst, groupLast; /* the group of calls that was shown last; 0: none */
  RowKind kind;
  int opened;           /* a user has spoken */
  RowKind opens;        /* what comes behind a ROW_OPENING */
  CallIds ids;          /* of the calls that were shown */
  sqlite3_int64 toldOf; /* the call that a result in words answers */
  Text toolName;        /* of that call */
  int isOrphan;         /* that call is not shown */
  char *told;           /* the result in words; owned */
  int collects;         /* turns are read only to learn which rows they have: nothing is told */
  Backwards *back;      /* NULL: the rows are read from the first to the last */
  const CallIds *all;   /* read backwards: the ids of all calls, once they are asked for */
} ContextCursor;

/* The turns that a context shows between two depths: those of the path, the failed ones before those that continued
** them, and behind the last turn the one that the next turn will continue. */
void ts_context_path(ContextCursor *cur, sqlite3_int64 from, sqlite3_int64 to);

/* Ends the statements that are being read. */
void ts_context_end(ContextCursor *cur);

/* Zeroes what reading has come to, so that the path is read from its first row again. */
void ts_context_rewind(ContextCursor *cur);

/* The next row. Returns 0 at the end, or once the command has failed. */
int ts_context_next_row(ContextCursor *cur);

/* The row of a statement has been shown: the statement steps to its next row. */
void ts_context_leave_entry(ContextCursor *cur);

/* `messages` stands at a result. Returns 0 when it is shown with its call, and is no row. */
int ts_context_shows_answer(ContextCursor *cur);

/* Puts that result into words. Returns 0 once the command has failed. */
int ts_context_tell(ContextCursor *cur);

/* What is shown as the result of the call at which `calls` stands. Returns 0 once the command has failed. */
int ts_context_find_result(ContextCursor *cur);

/* The call whose result is shown, or that is. */
const Query *ts_context_call_of(const ContextCursor *cur);

/* The message of a later turn with which a call that has no result in its row is shown; 0: none. */
sqlite3_int64 ts_context_answer_of(ContextCursor *cur, sqlite3_int64 place, Text id);

/* Begins to read from the last row to the first. */
void ts_context_back_begin(ContextCursor *cur);

/* The row before, or at first the last one. Returns 0 in front of the first, or once the command has failed. */
int ts_context_back(ContextCursor *cur);

/* The position of the present row, and the ids of all calls. Both ask for what lies in front of the row: that is read
** then, once, from the first row on. Position -1, or NULL: the command has failed. */
sqlite3_int64 ts_context_position(ContextCursor *cur);
const CallIds *ts_context_ids(ContextCursor *cur);

/* Gives back what reading backwards holds. */
void ts_context_back_end(ContextCursor *cur);

#endif
