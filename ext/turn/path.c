/*
** path.c - turn_path: the turns from a root to a turn; turn_tree: the turns below one.
**
**   SELECT turn_id, depth FROM turn_path('main');
**   SELECT turn_id FROM turn_path('main') ORDER BY depth DESC LIMIT 10;
**   SELECT turn_id, level FROM turn_tree(16777216) WHERE level <= 2;
**
** A path is a few ranges of ids, one per branch: it is read range by range in either order, and
** conditions on depth narrow the ranges. The tree is walked in preorder: a turn, then what was
** appended after it in its branch, then, from the end upwards, the branches that grow from there.
** The walk keeps one small frame per branch that it is inside of.
*/
#include "path.h"

#include "array.h"
#include "table.h"
#include "turn.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* The columns of both, as the statements turns_down and turns_up give them, but for two that are
** not stored. */
#define TURN_COLUMNS                                                                               \
  "parent_turn_id INTEGER, turn_type TEXT, status TEXT, source TEXT, model TEXT, provider TEXT, "  \
  "input_tokens INTEGER, output_tokens INTEGER, cached_input_tokens INTEGER, "                     \
  "cache_write_tokens INTEGER, reasoning_tokens INTEGER, total_tokens INTEGER, "                   \
  "thread_tokens INTEGER, context_turn_id INTEGER, external_id TEXT, started_at INTEGER, "         \
  "completed_at INTEGER, error TEXT, start HIDDEN"

static const char pathDeclaration[] =
    "CREATE TABLE x(turn_id INTEGER, depth INTEGER, " TURN_COLUMNS ", session HIDDEN)";
static const char treeDeclaration[] =
    "CREATE TABLE x(turn_id INTEGER, level INTEGER, depth INTEGER, " TURN_COLUMNS ")";

#define PATH_TURN 0
#define PATH_DEPTH 1
#define TREE_LEVEL 1
#define TREE_DEPTH 2
#define PATH_PARENT 2 /* from here on those that stand in turns_down, in the same order */
#define STORED 18     /* columns from parent_turn_id to error; the hidden ones come after */
#define PATH_SESSION (3 + STORED)

/* idxNum: which values xFilter gets, in this order; and the order in which rows are wanted. */
#define IDX_START 1
#define IDX_LOW 2        /* depth > or >= */
#define IDX_LOW_OPEN 4   /* it is > */
#define IDX_HIGH 8       /* depth < or <= */
#define IDX_HIGH_OPEN 16 /* it is < */
#define IDX_EQUAL 32     /* depth = */
#define IDX_DOWN 64      /* from the last turn to the root */
#define IDX_LIMIT 128    /* no more than this many rows, */
#define IDX_OFFSET 256   /* after so many */
#define IDX_LEVEL 512    /* of turn_tree: the bounds are on level */
#define IDX_ID 1024      /* of turn_path: turn_id =, whose depth is the id's */

/* A branch that turn_tree is inside of: branches that grow from first … at are still to come; those
** from `at` only when their id is larger than `after`. */
typedef struct Frame {
  sqlite3_int64 first, at, after;
} Frame;

typedef struct TurnCursor {
  TableCursor base;
  sqlite3_int64 id; /* of the present row */
  int isTree;
  int open; /* cmd is in use */
  int downwards;
  sqlite3_int64 startDepth, maxDepth;
  Cmd cmd;
  Query query;
  Text session; /* whose path it is; NULL: that of a turn */
  /* turn_path: the ranges; turn_tree: the present one */
  Path path;
  int segment;
  Segment range;
  sqlite3_int64 expected; /* the id of the next row of the range */
  Frame *frames;
  int nFrames;
  sqlite3_int64 room;
} TurnCursor;

TS_TABLE_CONNECT(path, pathDeclaration)

TS_TABLE_CONNECT(tree, treeDeclaration)

/* ---- Planning -------------------------------------------------------------------------------- */

/* What kind of bound an operator is; 0: none that helps. */
static int boundOf(int op) {
  switch (op) {
  case SQLITE_INDEX_CONSTRAINT_EQ: return IDX_EQUAL;
  case SQLITE_INDEX_CONSTRAINT_GT: return IDX_LOW | IDX_LOW_OPEN;
  case SQLITE_INDEX_CONSTRAINT_GE: return IDX_LOW;
  case SQLITE_INDEX_CONSTRAINT_LT: return IDX_HIGH | IDX_HIGH_OPEN;
  case SQLITE_INDEX_CONSTRAINT_LE: return IDX_HIGH;
  default: return 0;
  }
}

/* The constraint of each role: start, lower bound, upper bound, equality, turn_id, limit, offset;
** -1: none. */
typedef struct Roles {
  int start, low, high, equal, id, limit, offset;
  int others; /* a constraint that we leave to SQLite, so that a limit must not be looked at */
  int refused;
} Roles;

static void sortConstraint(sqlite3_index_info *info, int i, int isTree, int depthColumn, Roles *r) {
  const struct sqlite3_index_constraint *k = &info->aConstraint[i];
  int startColumn = (isTree ? 3 : 2) + STORED;
  int bound = k->iColumn == depthColumn ? boundOf(k->op) : 0;
  if (k->op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
    if (k->usable) r->limit = i;
  } else if (k->op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
    if (k->usable) {
      r->offset = i;
    } else {
      r->others = 1;
    }
  } else if (k->iColumn == startColumn && k->op == SQLITE_INDEX_CONSTRAINT_EQ) {
    if (!k->usable) r->refused = 1;
    r->start = i;
  } else if (bound && k->usable && (bound & IDX_EQUAL) && r->equal < 0) {
    r->equal = i;
  } else if (bound && k->usable && (bound & IDX_LOW) && r->low < 0) {
    r->low = i;
  } else if (bound && k->usable && (bound & IDX_HIGH) && r->high < 0) {
    r->high = i;
  } else {
    r->others = 1;
    if (!isTree && k->iColumn == 0 && k->usable && k->op == SQLITE_INDEX_CONSTRAINT_EQ) r->id = i;
  }
}

static void useConstraint(sqlite3_index_info *info, int i, int bits, int *nArg) {
  if (i < 0) return;
  info->idxNum |= bits;
  info->aConstraintUsage[i].argvIndex = ++*nArg;
}

static int planWith(sqlite3_index_info *info, int isTree, int depthColumn) {
  Roles r = {-1, -1, -1, -1, -1, -1, -1, 0, 0};
  int nArg = 0;
  for (int i = 0; i < info->nConstraint; i++)
    sortConstraint(info, i, isTree, depthColumn, &r);
  if (r.refused) return SQLITE_CONSTRAINT;
  useConstraint(info, r.start, IDX_START, &nArg);
  if (r.start >= 0) info->aConstraintUsage[r.start].omit = 1;
  useConstraint(info, r.low, r.low >= 0 ? boundOf(info->aConstraint[r.low].op) : 0, &nArg);
  useConstraint(info, r.high, r.high >= 0 ? boundOf(info->aConstraint[r.high].op) : 0, &nArg);
  useConstraint(info, r.equal, IDX_EQUAL, &nArg);
  useConstraint(info, r.id, IDX_ID, &nArg);
  if (r.limit >= 0 && !r.others) {
    useConstraint(info, r.limit, IDX_LIMIT, &nArg);
    useConstraint(info, r.offset, IDX_OFFSET, &nArg);
  }
  info->estimatedCost = r.start < 0                 ? 1e12
                        : r.equal >= 0 || r.id >= 0 ? 10
                        : r.low >= 0 || r.high >= 0 ? 500
                                                    : 1000;
  info->estimatedRows = r.equal >= 0 || r.id >= 0 ? 1 : 1000;
  return SQLITE_OK;
}

static int pathBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  int rc = planWith(info, 0, PATH_DEPTH);
  (void)base;
  /* Ids grow along a path as depths do, and no two turns have one: what comes behind orders nothing. */
  if (info->nOrderBy > 0 &&
      (info->aOrderBy[0].iColumn == PATH_DEPTH || info->aOrderBy[0].iColumn == PATH_TURN)) {
    info->orderByConsumed = 1;
    if (info->aOrderBy[0].desc) info->idxNum |= IDX_DOWN;
  } else if (info->nOrderBy > 0) {
    info->idxNum &= ~(IDX_LIMIT | IDX_OFFSET);
  }
  return rc;
}

static int treeBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  int onLevel = 0, rc;
  (void)base;
  for (int i = 0; i < info->nConstraint; i++) {
    if (info->aConstraint[i].iColumn == TREE_LEVEL) onLevel = 1;
  }
  rc = planWith(info, 1, onLevel ? TREE_LEVEL : TREE_DEPTH);
  if (onLevel) info->idxNum |= IDX_LEVEL;
  return rc;
}

/* ---- Cursors --------------------------------------------------------------------------------- */

static void turnReset(TurnCursor *cur) {
  if (!cur->open) return;
  ts_end(&cur->cmd, &cur->query);
  ts_cmd_clear(&cur->cmd);
  cur->frames = NULL;
  cur->nFrames = 0;
  cur->room = 0;
  cur->open = 0;
}

TS_TABLE_CURSOR(turn, TurnCursor)

/* Begins to read a range of one branch. */
static void readRange(TurnCursor *cur, const Segment *range) {
  cur->range = *range;
  cur->query = ts_query(&cur->cmd, cur->downwards ? SQL_TURNS_UP : SQL_TURNS_DOWN, "ii",
                        range->first, range->last);
  cur->expected = cur->downwards ? range->last : range->first;
}

/* Does the row stand where the ranges say, below the turn that they say? */
static void checkRow(TurnCursor *cur) {
  Cmd *c = &cur->cmd;
  sqlite3_int64 id = ts_col_int(&cur->query, COL_TURNS_DOWN_ID),
                parent = ts_col_int(&cur->query, COL_TURNS_DOWN_PARENT_TURN_ID);
  sqlite3_int64 above = ts_segment_parent(&cur->range, id);
  cur->id = id;
  if (id != cur->expected) {
    ts_fail_damaged(c, cur->expected, "it is missing");
  } else if (parent != above) {
    ts_fail_damaged(c, id, "its parent is %lld, not %lld", parent, above);
  }
  cur->expected += cur->downwards ? -1 : 1;
}

/* ---- turn_path --------------------------------------------------------------------------------- */

static int pathNextRow(TurnCursor *cur) {
  Cmd *c = &cur->cmd;
  for (;;) {
    if (ts_row(c, &cur->query)) {
      checkRow(cur);
      return c->rc == SQLITE_OK;
    }
    ts_end(c, &cur->query);
    if (c->rc != SQLITE_OK) return 0;
    if (cur->expected) { /* a range has been read: to its end? */
      sqlite3_int64 end = cur->downwards ? cur->range.first - 1 : cur->range.last + 1;
      if (cur->expected != end) {
        ts_fail_damaged(c, cur->expected, "it is missing");
        return 0;
      }
    }
    if (cur->downwards ? cur->segment >= cur->path.n : cur->segment < 0) return 0;
    readRange(cur, &cur->path.segments[cur->segment]);
    cur->segment += cur->downwards ? 1 : -1;
  }
}

/* ---- turn_tree --------------------------------------------------------------------------------- */

static void pushFrame(TurnCursor *cur, sqlite3_int64 first, sqlite3_int64 last) {
  Frame *list = ts_array_more(&cur->cmd, cur->frames, cur->nFrames, &cur->room, sizeof(*list));
  if (!list) return;
  cur->frames = list;
  cur->frames[cur->nFrames++] = (Frame){first, last, 0};
}

/* The next branch that grows from the frame's turns, from the last turn upwards; 0: none. */
static sqlite3_int64 nextBranch(TurnCursor *cur, Frame *f) {
  Cmd *c = &cur->cmd;
  sqlite3_int64 id = 0;
  while (c->rc == SQLITE_OK && f->at >= f->first) {
    Query q = ts_query(c, SQL_BRANCH_SIBLING, "ii", f->at, f->after);
    if (ts_row(c, &q)) id = ts_col_int(&q, COL_BRANCH_SIBLING_ID);
    ts_end(c, &q);
    if (id) {
      f->after = id;
      return id;
    }
    q = ts_query(c, SQL_BRANCH_BELOW, "ii", f->first, f->at - 1);
    f->at = ts_row(c, &q) && !ts_col_null(&q, COL_BRANCH_BELOW_PARENT_TURN_ID)
                ? ts_col_int(&q, COL_BRANCH_BELOW_PARENT_TURN_ID)
                : 0;
    f->after = 0;
    ts_end(c, &q);
  }
  return 0;
}

/* The turns of a branch from one on: read down to its end, or to the largest depth that is wanted. */
static void enterBranch(TurnCursor *cur, sqlite3_int64 first, sqlite3_int64 parent) {
  Segment range = {first, TS_TURN(TS_BRANCH(first), TS_DEPTH_MASK), first, parent};
  if (cur->maxDepth < TS_DEPTH_MASK) range.last = TS_TURN(TS_BRANCH(first), cur->maxDepth);
  readRange(cur, &range);
}

/* Into a branch that grows from a turn on the way. */
static void enterChild(TurnCursor *cur, sqlite3_int64 id, sqlite3_int64 parent) {
  Cmd *c = &cur->cmd;
  Branch b;
  if (id <= TS_BRANCH(parent) || id > TURNSTILE_MAX_BRANCH) {
    ts_fail_damaged(c, parent, "branch %lld below it has a wrong id", id);
    return;
  }
  if (!ts_branch_load(c, TS_TURN(id, TS_DEPTH(parent) + 1), &b)) return;
  enterBranch(cur, TS_TURN(id, b.firstDepth), parent);
}

static int treeNextRow(TurnCursor *cur) {
  Cmd *c = &cur->cmd;
  for (;;) {
    Frame *f;
    sqlite3_int64 branch;
    if (ts_row(c, &cur->query)) {
      checkRow(cur);
      return c->rc == SQLITE_OK;
    }
    ts_end(c, &cur->query);
    if (c->rc != SQLITE_OK) return 0;
    if (cur->expected) { /* a branch has been read: now what grows from it */
      sqlite3_int64 last = cur->expected - 1;
      if (last < cur->range.first) {
        ts_fail_damaged(c, cur->range.first, "it is missing");
        return 0;
      }
      if (TS_DEPTH(last) >= cur->maxDepth) last = TS_TURN(TS_BRANCH(last), cur->maxDepth - 1);
      pushFrame(cur, cur->range.first, last);
      cur->expected = 0;
    }
    while (cur->nFrames > 0 && c->rc == SQLITE_OK) {
      f = &cur->frames[cur->nFrames - 1];
      branch = nextBranch(cur, f);
      if (branch) {
        enterChild(cur, branch, f->at);
        break;
      }
      cur->nFrames--;
    }
    if (cur->nFrames == 0 || c->rc != SQLITE_OK) return 0;
  }
}

/* ---- Both -------------------------------------------------------------------------------------- */

static int turnNext(sqlite3_vtab_cursor *base) {
  TurnCursor *cur = (TurnCursor *)base;
  cur->base.eof = !(cur->isTree ? treeNextRow(cur) : pathNextRow(cur));
  cur->base.rowid++;
  return ts_table_error(base, &cur->cmd);
}

/* The turn that the argument means: an id, or (turn_path) the head of a session. 0: no turn. */
static sqlite3_int64 startTurn(TurnCursor *cur, sqlite3_value *start) {
  Cmd *c = &cur->cmd;
  sqlite3_int64 id;
  Turn t;
  if (start && sqlite3_value_type(start) == SQLITE_NULL) return 0;
  if (start && sqlite3_value_type(start) == SQLITE_TEXT && !cur->isTree) {
    Text label = ts_copy(c, (const char *)sqlite3_value_text(start), sqlite3_value_bytes(start));
    Session s;
    ts_session_require(c, label, &s);
    cur->session = s.label;
    if (c->rc != SQLITE_OK || !s.head) return 0;
    ts_turn_head(c, &s, &t);
    return s.head;
  }
  if (!ts_table_integer(start, &id)) {
    ts_fail(c, SQLITE_ERROR, "it needs %s%s",
            cur->isTree ? "the id of a turn" : "a session's label or a turn's id",
            ts_table_shown(c, start));
    return 0;
  }
  ts_turn_require(c, id, &t);
  return t.id;
}

/* Conditions on depth, and on turn_id. Values that are no integers are left to SQLite, which looks at
** every row. */
static void readBounds(int idxNum, sqlite3_value **argv, sqlite3_int64 offset, sqlite3_int64 *low,
                       sqlite3_int64 *high) {
  int isExact = 1;
  static const int bounds[] = {IDX_LOW, IDX_HIGH, IDX_EQUAL};
  for (int i = 0; i < 3; i++) {
    sqlite3_int64 v;
    if (!(idxNum & bounds[i])) continue;
    if (sqlite3_value_type(*argv) != SQLITE_INTEGER) {
      isExact = 0;
      argv++;
      continue;
    }
    v = sqlite3_value_int64(*argv++);
    if (v > TS_DEPTH_MASK + 1) v = TS_DEPTH_MASK + 1;
    if (v < -1) v = -1;
    v += offset;
    if (bounds[i] != IDX_HIGH) {
      sqlite3_int64 from = v + (bounds[i] == IDX_LOW && (idxNum & IDX_LOW_OPEN) ? 1 : 0);
      if (from > *low) *low = from;
    }
    if (bounds[i] != IDX_LOW) {
      sqlite3_int64 to = v - (bounds[i] == IDX_HIGH && (idxNum & IDX_HIGH_OPEN) ? 1 : 0);
      if (to < *high) *high = to;
    }
  }
  if (idxNum & IDX_ID) {
    sqlite3_int64 id;
    if (ts_table_integer(*argv++, &id)) {
      if (id < 0) id = -1;
      if (TS_DEPTH(id) > *low) *low = TS_DEPTH(id);
      if (TS_DEPTH(id) < *high) *high = TS_DEPTH(id);
    }
  }
  if ((idxNum & IDX_LIMIT) && isExact && sqlite3_value_type(argv[0]) == SQLITE_INTEGER) {
    sqlite3_int64 rows = sqlite3_value_int64(argv[0]);
    sqlite3_int64 skipped = idxNum & IDX_OFFSET ? sqlite3_value_int64(argv[1]) : 0;
    if (skipped < 0) skipped = 0;
    if (rows >= 0 && rows <= TS_DEPTH_MASK && skipped <= TS_DEPTH_MASK) {
      sqlite3_int64 n = rows + skipped;
      if (idxNum & IDX_DOWN) {
        if (*high - n + 1 > *low) *low = *high - n + 1;
      } else if (*low + n - 1 < *high) {
        *high = *low + n - 1;
      }
    }
  }
}

static const sqlite3_module treeModule;

static int turnFilter(sqlite3_vtab_cursor *base, int idxNum, const char *idxStr, int argc,
                      sqlite3_value **argv) {
  TurnCursor *cur = (TurnCursor *)base;
  Conn *conn = ((Table *)base->pVtab)->conn;
  Cmd *c = &cur->cmd;
  sqlite3_int64 start, low, high;
  (void)idxStr;
  (void)argc;
  turnReset(cur);
  cur->isTree = base->pVtab->pModule == &treeModule;
  ts_cmd_init(c, conn, ts_target_used(conn), cur->isTree ? "turn_tree" : "turn_path");
  memset(&cur->query, 0, sizeof(cur->query));
  memset(&cur->path, 0, sizeof(cur->path));
  memset(&cur->session, 0, sizeof(cur->session));
  cur->open = 1;
  cur->base.rowid = -1;
  cur->expected = 0;
  cur->downwards = (idxNum & IDX_DOWN) != 0;
  start = startTurn(cur, idxNum & IDX_START ? argv[0] : NULL);
  cur->startDepth = TS_DEPTH(start);
  low = cur->isTree ? cur->startDepth : 0;
  high = cur->isTree ? TS_DEPTH_MASK : cur->startDepth;
  if (idxNum & IDX_START) argv++;
  if (cur->isTree) idxNum &= ~(IDX_LIMIT | IDX_OFFSET);
  readBounds(idxNum, argv, idxNum & IDX_LEVEL ? cur->startDepth : 0, &low, &high);
  cur->maxDepth = high;
  if (c->rc != SQLITE_OK || !start || low > high || high < 0) {
    cur->base.eof = 1;
    return ts_table_error(base, c);
  }
  if (cur->isTree) {
    Branch b;
    if (high >= cur->startDepth && ts_branch_load(c, start, &b)) {
      sqlite3_int64 first = TS_TURN(b.id, b.firstDepth);
      enterBranch(cur, start, start == first ? b.parentTurn : start - 1);
    }
  } else {
    ts_path(c, start, low, high, &cur->path);
    cur->segment = cur->downwards ? 0 : cur->path.n - 1;
  }
  return turnNext(base);
}

static int turnColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  TurnCursor *cur = (TurnCursor *)base;
  sqlite3_stmt *row = cur->query.stmt;
  sqlite3_int64 depth = TS_DEPTH(cur->id);
  if (cur->isTree && i == TREE_LEVEL) {
    sqlite3_result_int64(ctx, depth - cur->startDepth);
    return SQLITE_OK;
  }
  if (cur->isTree && i > TREE_LEVEL) i--;
  if (i == PATH_DEPTH) {
    sqlite3_result_int64(ctx, depth);
  } else if (i == 0) {
    sqlite3_result_int64(ctx, cur->id);
  } else if (i < PATH_PARENT + STORED) {
    sqlite3_value *v = sqlite3_column_value(row, COL_TURNS_DOWN_PARENT_TURN_ID + i - PATH_PARENT);
    /* A result is NULL until it is set. */
    if (sqlite3_value_type(v) != SQLITE_NULL) sqlite3_result_value(ctx, v);
  } else if (i == PATH_SESSION && cur->session.z) {
    sqlite3_result_text(ctx, cur->session.z, cur->session.n, SQLITE_TRANSIENT);
  }
  return SQLITE_OK;
}

static const sqlite3_module pathModule = TS_TABLE_MODULE(path, ts_table_disconnect, turn);

static const sqlite3_module treeModule = TS_TABLE_MODULE(tree, ts_table_disconnect, turn);

int ts_turn_path_register(Conn *conn) {
  int rc = ts_module_register(conn, "turn_path", &pathModule);
  return rc == SQLITE_OK ? ts_module_register(conn, "turn_tree", &treeModule) : rc;
}
