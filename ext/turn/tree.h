/*
** tree.h - where turns lie: ids, branches, ancestors.
**
** A turn id is branch << 24 | depth. A branch is a run of turns that were appended one after the
** other; a turn that is appended elsewhere than at the end of a branch begins a new one. The path
** from a root to a turn is therefore a few ranges of ids, and a fork copies nothing.
**
** Going up branch by branch would take as many steps as there are forks above. Every branch
** therefore also knows one further up: its jump. Jumps are arranged so that any branch above is
** reached in O(log n) steps, with one stored pointer per branch (the skew-binary arrangement of E.
** Myers, "An applicative random-access stack", 1983).
**
** Branch rows never change, but that session_delete() closes those whose end it removes: an id that
** stood for one turn never stands for another one. What plain SQL has damaged is noticed on the way:
** ids must fall, depths and levels must fit, so that no walk goes round in a circle.
*/
#ifndef TS_TREE_H
#define TS_TREE_H

#include "core.h"

#define TS_DEPTH_MASK (((sqlite3_int64)1 << TURNSTILE_DEPTH_BITS) - 1)
#define TS_BRANCH(turn) ((turn) >> TURNSTILE_DEPTH_BITS)
#define TS_DEPTH(turn) ((turn)&TS_DEPTH_MASK)
#define TS_TURN(branch, depth) ((branch) << TURNSTILE_DEPTH_BITS | (depth))

/* The places of a turn's messages and tool calls. */
#define TS_FIRST_PLACE(turn) ((turn) << TURNSTILE_SEQUENCE_BITS)
#define TS_LAST_PLACE(turn)                                                                        \
  (TS_FIRST_PLACE(turn) | (((sqlite3_int64)1 << TURNSTILE_SEQUENCE_BITS) - 1))
#define TS_PLACE_TURN(place) ((place) >> TURNSTILE_SEQUENCE_BITS)

typedef struct Branch {
  sqlite3_int64 id;
  sqlite3_int64 parentTurn; /* 0: a root */
  sqlite3_int64 firstDepth;
  sqlite3_int64 level; /* branches above */
  sqlite3_int64 jump, jumpDepth;
  int closed; /* turns at its end were deleted: their ids are not given out again */
} Branch;

/* The level that a branch's jump leads to. Pure. */
sqlite3_int64 ts_jump_level(sqlite3_int64 level);

/* The branch of a turn. Fails the command, naming the turn, when it is damaged. */
int ts_branch_load(Cmd *c, sqlite3_int64 turn, Branch *b);

/* The turn at a depth on the path to a turn; 0 when the path is shorter. */
sqlite3_int64 ts_ancestor(Cmd *c, sqlite3_int64 turn, sqlite3_int64 depth);

/* The last turn that is on both paths; 0 when the turns are of different trees. */
sqlite3_int64 ts_common_ancestor(Cmd *c, sqlite3_int64 a, sqlite3_int64 b);

/* Is a on the path to b? */
int ts_is_ancestor(Cmd *c, sqlite3_int64 a, sqlite3_int64 b);

/*
** Where the path to a turn passes a branch's id; ids of branches fall on the way up. Returns the
** last turn of the path that lies in this branch or one with a smaller id, 0 when none does. *below
** may be NULL; it becomes the first turn of the path behind that one's branch, 0 when the path ends
** in it.
*/
sqlite3_int64 ts_path_at(Cmd *c, sqlite3_int64 turn, sqlite3_int64 branch, sqlite3_int64 *below);

/* The row of a new branch that grows from a turn (0: a root). Returns its id. */
sqlite3_int64 ts_branch_add(Cmd *c, sqlite3_int64 parent);

/* The id for a new child of a turn (0: a new root): the next in the branch when parent is its last,
** else the first of a new branch, whose row is written. */
sqlite3_int64 ts_turn_place(Cmd *c, sqlite3_int64 parent);

/* A path as ranges of ids, each within one branch. */
typedef struct Segment {
  sqlite3_int64 first, last; /* turns */
  sqlite3_int64 start;       /* the branch's first turn, and the turn above that */
  sqlite3_int64 parent;
} Segment;

typedef struct Path {
  Segment *segments; /* last first: segments[0] holds the turn that the path leads to */
  int n;
} Path;

/* The part of the path to a turn from one depth to another, in the command's memory. */
void ts_path(Cmd *c, sqlite3_int64 turn, sqlite3_int64 fromDepth, sqlite3_int64 toDepth,
             Path *path);

/* The turn above another one that lies in this segment, 0 for a root. */
sqlite3_int64 ts_segment_parent(const Segment *s, sqlite3_int64 turn);

/* After a write that a guard may have refused because the stored tree contradicts itself: names the
** turn. */
void ts_fail_guarded(Cmd *c, sqlite3_int64 turn);

/* Fails the command: the stored tree contradicts itself. */
void ts_fail_damaged(Cmd *c, sqlite3_int64 turn, const char *format, ...);

#endif
