/*
** tree.c - branches and ancestors.
*/
#include "tree.h"

#include "array.h"

#include <stdarg.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_fail_damaged(Cmd *c, sqlite3_int64 turn, const char *format, ...) {
  va_list ap;
  char *z;
  va_start(ap, format);
  z = ts_adopt(c, sqlite3_vmprintf(format, ap));
  va_end(ap);
  if (z) ts_fail(c, SQLITE_CORRUPT_VTAB, "turn %lld is damaged: %s", turn, z);
}

void ts_fail_guarded(Cmd *c, sqlite3_int64 turn) {
  const char *text = c->err ? strstr(c->err, ": ") : NULL;
  static const char *const guards[] = {"turns:", "turns.", "messages:", "tool_calls:", "branches:"};
  if ((c->rc & 0xff) != SQLITE_CONSTRAINT || !text) return;
  for (int i = 0; i < 5; i++) {
    if (strncmp(text + 2, guards[i], strlen(guards[i])) != 0) continue;
    c->rc = SQLITE_OK;
    ts_fail_damaged(c, turn, "%s", text + 2);
    return;
  }
}

/*
** Levels are written in skew binary: as a sum of weights 2^k - 1, largest first. A branch's jump
** leaves out the smallest weight of its own level.
*/
sqlite3_int64 ts_jump_level(sqlite3_int64 level) {
  sqlite3_int64 weight = 1, rest = level;
  while (weight * 2 + 1 <= level)
    weight = weight * 2 + 1;
  while (rest > 0) {
    while (weight > rest)
      weight >>= 1;
    rest -= weight;
  }
  return level > 0 ? level - weight : 0;
}

/* Do the fields of a branch fit together? Everything above has a smaller id, so that walks end. */
static const char *branchProblem(const Branch *b, int isRoot) {
  if (isRoot) return b->firstDepth == 0 && b->level == 0 ? NULL : "a root at a wrong depth";
  if (b->parentTurn <= 0 || TS_BRANCH(b->parentTurn) >= b->id ||
      b->firstDepth != TS_DEPTH(b->parentTurn) + 1) {
    return "a wrong parent";
  }
  if (b->level < 1 || b->level >= b->id || b->jump < 1 || b->jump >= b->id || b->jumpDepth < 0 ||
      b->jumpDepth >= b->firstDepth) {
    return "a wrong jump";
  }
  return NULL;
}

/* The branch with this id, on the way up from a turn. */
static int loadBranch(Cmd *c, sqlite3_int64 turn, sqlite3_int64 id, Branch *b) {
  Query q = ts_query(c, SQL_BRANCH_GET, "i", id);
  const char *problem;
  memset(b, 0, sizeof(*b));
  b->id = id;
  if (ts_row(c, &q)) {
    b->parentTurn = ts_col_int(&q, COL_BRANCH_GET_PARENT_TURN_ID);
    b->firstDepth = ts_col_int(&q, COL_BRANCH_GET_FIRST_DEPTH);
    b->level = ts_col_int(&q, COL_BRANCH_GET_LEVEL);
    b->jump = ts_col_int(&q, COL_BRANCH_GET_JUMP_ID);
    b->jumpDepth = ts_col_int(&q, COL_BRANCH_GET_JUMP_DEPTH);
    b->closed = ts_col_int(&q, COL_BRANCH_GET_CLOSED) != 0;
    problem = branchProblem(b, ts_col_null(&q, COL_BRANCH_GET_PARENT_TURN_ID));
  } else {
    problem = "no row";
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && problem) {
    ts_fail_damaged(c, turn, "branch %lld above it has %s in branches", id, problem);
  }
  return c->rc == SQLITE_OK;
}

int ts_branch_load(Cmd *c, sqlite3_int64 turn, Branch *b) {
  if (!loadBranch(c, turn, TS_BRANCH(turn), b)) return 0;
  if (TS_DEPTH(turn) < b->firstDepth) {
    ts_fail_damaged(c, turn, "its branch begins at depth %lld", b->firstDepth);
    return 0;
  }
  return 1;
}

/* From a branch to the one it grows from. */
static int toParent(Cmd *c, sqlite3_int64 turn, Branch *b) {
  Branch up;
  if (!b->parentTurn) {
    ts_fail_damaged(c, turn, "branch %lld above it is a root", b->id);
    return 0;
  }
  if (!loadBranch(c, turn, TS_BRANCH(b->parentTurn), &up)) return 0;
  if (up.level != b->level - 1 || up.firstDepth >= b->firstDepth) {
    ts_fail_damaged(c, turn, "branch %lld above it does not fit its parent branch %lld", b->id,
                    up.id);
    return 0;
  }
  *b = up;
  return 1;
}

static int toJump(Cmd *c, sqlite3_int64 turn, Branch *b) {
  Branch up;
  if (!loadBranch(c, turn, b->jump, &up)) return 0;
  if (up.level != ts_jump_level(b->level) || up.firstDepth != b->jumpDepth) {
    ts_fail_damaged(c, turn, "branch %lld above it has a wrong jump in branches", b->id);
    return 0;
  }
  *b = up;
  return 1;
}

sqlite3_int64 ts_ancestor(Cmd *c, sqlite3_int64 turn, sqlite3_int64 depth) {
  Branch b;
  if (depth < 0 || depth > TS_DEPTH(turn) || !ts_branch_load(c, turn, &b)) return 0;
  while (b.firstDepth > depth) {
    if (!(b.parentTurn && b.jumpDepth > depth ? toJump(c, turn, &b) : toParent(c, turn, &b))) {
      return 0;
    }
  }
  return TS_TURN(b.id, depth);
}

sqlite3_int64 ts_path_at(Cmd *c, sqlite3_int64 turn, sqlite3_int64 branch, sqlite3_int64 *below) {
  Branch b;
  if (below) *below = 0;
  if (TS_BRANCH(turn) <= branch) return turn;
  if (!ts_branch_load(c, turn, &b)) return 0;
  while (b.parentTurn && TS_BRANCH(b.parentTurn) > branch) {
    if (!(b.jump > branch ? toJump(c, turn, &b) : toParent(c, turn, &b))) return 0;
  }
  if (below) *below = TS_TURN(b.id, b.firstDepth);
  return b.parentTurn;
}

int ts_is_ancestor(Cmd *c, sqlite3_int64 a, sqlite3_int64 b) {
  return TS_DEPTH(a) <= TS_DEPTH(b) && ts_ancestor(c, b, TS_DEPTH(a)) == a && c->rc == SQLITE_OK;
}

/* Up to a level, which is not below the branch's. */
static int raise(Cmd *c, sqlite3_int64 turn, Branch *b, sqlite3_int64 level) {
  while (b->level > level) {
    int jumps = ts_jump_level(b->level) >= level;
    if (!(jumps ? toJump(c, turn, b) : toParent(c, turn, b))) return 0;
  }
  return 1;
}

static sqlite3_int64 smaller(sqlite3_int64 a, sqlite3_int64 b) {
  return a < b ? a : b;
}

sqlite3_int64 ts_common_ancestor(Cmd *c, sqlite3_int64 a, sqlite3_int64 b) {
  sqlite3_int64 depthA = TS_DEPTH(a), depthB = TS_DEPTH(b);
  Branch up, vp;
  if (!ts_branch_load(c, a, &up) || !ts_branch_load(c, b, &vp)) return 0;
  /* Both to one level. The turn by which a path enters a branch is the parent turn of the branch
  ** below: so one level less first, and then the last step. */
  if (up.level != vp.level) {
    sqlite3_int64 deep = up.level > vp.level ? a : b;
    Branch *low = up.level > vp.level ? &up : &vp, *high = up.level > vp.level ? &vp : &up;
    sqlite3_int64 *depth = up.level > vp.level ? &depthA : &depthB;
    if (!raise(c, deep, low, high->level + 1)) return 0;
    *depth = TS_DEPTH(low->parentTurn);
    if (!toParent(c, deep, low)) return 0;
  }
  if (up.id == vp.id) return TS_TURN(up.id, smaller(depthA, depthB));
  /* Two different branches of one level, until they grow from one branch. */
  while (TS_BRANCH(up.parentTurn) != TS_BRANCH(vp.parentTurn)) {
    int jumps = up.jump != vp.jump;
    if (!(jumps ? toJump(c, a, &up) && toJump(c, b, &vp)
                : toParent(c, a, &up) && toParent(c, b, &vp))) {
      return 0;
    }
    if (up.level != vp.level) {
      ts_fail_damaged(c, a, "branches %lld and %lld do not have the same level", up.id, vp.id);
      return 0;
    }
  }
  if (!up.parentTurn || !vp.parentTurn) return 0;
  return smaller(up.parentTurn, vp.parentTurn);
}

/* ---- Growing --------------------------------------------------------------------------------- */

static int turnExists(Cmd *c, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_TURN_EXISTS, "i", turn);
  int found = ts_row(c, &q);
  ts_end(c, &q);
  return found;
}

sqlite3_int64 ts_branch_add(Cmd *c, sqlite3_int64 parent) {
  Branch b, jump;
  Query q = ts_query(c, SQL_BRANCH_LAST, "");
  memset(&b, 0, sizeof(b));
  if (ts_row(c, &q)) b.id = ts_col_int(&q, COL_BRANCH_LAST_ID) + 1;
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return 0;
  if (b.id < 1 || b.id > TURNSTILE_MAX_BRANCH) {
    ts_fail(c, SQLITE_TOOBIG, "the file holds %lld branches of turns, and can't hold more",
            (sqlite3_int64)TURNSTILE_MAX_BRANCH);
    return 0;
  }
  if (parent) {
    Branch up;
    if (!ts_branch_load(c, parent, &up)) return 0;
    b.parentTurn = parent;
    b.firstDepth = TS_DEPTH(parent) + 1;
    b.level = up.level + 1;
    jump = up;
    if (ts_jump_level(b.level) != up.level) {
      /* The parent's jump and its jump are equally long: over both. */
      for (int i = 0; i < 2; i++) {
        if (!toJump(c, parent, &jump)) return 0;
      }
    }
    b.jump = jump.id;
    b.jumpDepth = jump.firstDepth;
  }
  ts_exec(c, SQL_BRANCH_ADD, "i?ii??", b.id, parent != 0, parent, b.firstDepth, b.level,
          parent != 0, b.jump, parent != 0, b.jumpDepth);
  return b.id;
}

sqlite3_int64 ts_turn_place(Cmd *c, sqlite3_int64 parent) {
  Branch b;
  if (parent && TS_DEPTH(parent) >= TURNSTILE_MAX_DEPTH) {
    ts_fail(c, SQLITE_TOOBIG, "turn %lld has %lld turns above it, and no turn can lie deeper",
            parent, TS_DEPTH(parent));
    return 0;
  }
  if (parent && !ts_branch_load(c, parent, &b)) return 0;
  if (parent && !b.closed && !turnExists(c, parent + 1)) return parent + 1;
  return TS_TURN(ts_branch_add(c, parent), parent ? TS_DEPTH(parent) + 1 : 0);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

void ts_path(Cmd *c, sqlite3_int64 turn, sqlite3_int64 fromDepth, sqlite3_int64 toDepth,
             Path *path) {
  Branch b;
  sqlite3_int64 room = 0;
  sqlite3_int64 last = toDepth < TS_DEPTH(turn) ? ts_ancestor(c, turn, toDepth) : turn;
  memset(path, 0, sizeof(*path));
  if (fromDepth < 0) fromDepth = 0;
  if (c->rc != SQLITE_OK || !last || fromDepth > TS_DEPTH(last) || !ts_branch_load(c, last, &b)) {
    return;
  }
  for (;;) {
    Segment *s, *list = ts_array_more(c, path->segments, path->n, &room, sizeof(*list));
    if (!list) return;
    path->segments = list;
    s = &path->segments[path->n++];
    s->start = TS_TURN(b.id, b.firstDepth);
    s->parent = b.parentTurn;
    s->last = last;
    s->first = b.firstDepth > fromDepth ? s->start : TS_TURN(b.id, fromDepth);
    if (b.firstDepth <= fromDepth) return;
    last = b.parentTurn;
    if (!toParent(c, turn, &b)) return;
    if (TS_DEPTH(last) < b.firstDepth) {
      ts_fail_damaged(c, last, "its branch begins at depth %lld", b.firstDepth);
      return;
    }
  }
}

sqlite3_int64 ts_segment_parent(const Segment *s, sqlite3_int64 turn) {
  return turn == s->start ? s->parent : turn - 1;
}
