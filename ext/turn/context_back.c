/*
** context_back.c - reads a context from its last row to its first: ORDER BY position DESC.
**
** What a turn shows depends on the order of its entries, so each turn is read twice: from its first entry on, to
** learn which rows it has, and then row by row, from the last one up. Turns above are not touched before somebody
** asks for a row of theirs. Three things need all that lies above: the position of a row, the id under which a call is
** shown, which no call above it may have, and a late result that is shown as words. Who asks for one of the first two,
** and who meets the third, has the context read once as a whole.
*/
#include "context_rows.h"

#include "array.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* A row that a turn has. */
typedef struct Entry {
  RowKind kind;
  sqlite3_int64 place; /* of its message or call */
} Entry;

struct Backwards {
  int began;
  sqlite3_int64 above; /* the depth up to which turns are left; they are looked for in stretches, */
  sqlite3_int64 width; /* of so many depths each */
  Path path;           /* of the present stretch */
  int segment;         /* of it, which is being read; counts up */
  sqlite3_int64 turn;  /* the one to be read next, going up; 0: none is left in the segment */
  Segment one;         /* the turn that is being read */
  Entry *entries;      /* what is left of its rows, in order */
  int n;
  sqlite3_int64 room;
  Entry first; /* the row in front of which a user's words are put; place 0: there are none */
  int isFirst; /* the present row is that one */
  int summaryLeft;
  sqlite3_int64 nShown;
  ContextCursor *whole; /* the context, read from the first row to the last; NULL: not yet */
  sqlite3_int64 nRows;
};

/* ---- Which rows a turn has ----------------------------------------------------------------------- */

static Entry entryOf(const ContextCursor *cur, RowKind kind) {
  const Query *q;
  if (kind == ROW_MESSAGE || kind == ROW_TOLD) return (Entry){kind, cur->message};
  if (kind == ROW_CALL) return (Entry){kind, cur->call};
  q = ts_context_call_of(cur);
  return (Entry){kind, ts_col_int((Query *)q, COL_CONTEXT_TOOL_CALLS_PLACE)};
}

static void collectTurn(ContextCursor *cur, sqlite3_int64 turn) {
  Backwards *b = cur->back;
  b->one = (Segment){turn, turn, 0, 0};
  cur->path = (Path){&b->one, 1};
  ts_context_rewind(cur);
  cur->opened = 1;
  cur->collects = 1;
  while (ts_context_next_row(cur)) {
    Entry *list = ts_array_more(&cur->cmd, b->entries, b->n, &b->room, sizeof(*list));
    if (!list) break;
    b->entries = list;
    b->entries[b->n++] = entryOf(cur, cur->kind);
    ts_context_leave_entry(cur);
  }
  cur->collects = 0;
}

#define FIRST_WIDTH 16
#define MAX_WIDTH 4096

static sqlite3_int64 lastDepth(const Context *x) {
  return x->last ? TS_DEPTH(x->last) : -1;
}

/* Where a user's words stand, if a context needs any: it is found at the beginning of the path. */
static void findOpening(ContextCursor *cur) {
  Backwards *b = cur->back;
  sqlite3_int64 from = cur->x.fromDepth, end = lastDepth(&cur->x);
  cur->collects = 1;
  do {
    sqlite3_int64 to = from + FIRST_WIDTH - 1 < end ? from + FIRST_WIDTH - 1 : end;
    ts_context_path(cur, from, to);
    ts_context_rewind(cur);
    while (!cur->opened && ts_context_next_row(cur)) {
      if (cur->kind == ROW_OPENING) b->first = entryOf(cur, cur->opens);
      if (!cur->opened) ts_context_leave_entry(cur);
    }
    from = to + 1;
  } while (!cur->opened && from <= end && cur->cmd.rc == SQLITE_OK);
  cur->collects = 0;
}

/* The turns above those that have been read. Returns 0 when there are none. */
static int stretchAbove(ContextCursor *cur) {
  Backwards *b = cur->back;
  sqlite3_int64 from = b->above - b->width + 1;
  if (b->began && b->above < cur->x.fromDepth) return 0;
  if (from < cur->x.fromDepth) from = cur->x.fromDepth;
  ts_context_path(cur, from, b->above);
  b->path = cur->path;
  b->segment = -1;
  b->began = 1;
  b->above = from - 1;
  if (b->width < MAX_WIDTH) b->width *= 2;
  return cur->cmd.rc == SQLITE_OK;
}

/* The next turn on the way up. Returns 0 when there is none. */
static sqlite3_int64 turnAbove(ContextCursor *cur) {
  Backwards *b = cur->back;
  sqlite3_int64 turn;
  if (!b->turn) {
    while (b->segment + 1 >= b->path.n) {
      if (!stretchAbove(cur)) return 0;
    }
    b->turn = b->path.segments[++b->segment].last;
  }
  turn = b->turn;
  b->turn = turn > b->path.segments[b->segment].first ? turn - 1 : 0;
  return turn;
}

/* ---- What needs the whole ------------------------------------------------------------------------ */

/* The error of another command becomes this one's. */
static void takeError(Cmd *c, const Cmd *other) {
  Text message;
  if (other->rc == SQLITE_OK) return;
  message = ts_copy(c, other->err, other->err ? (int)strlen(other->err) : 0);
  c->rc = other->rc;
  c->err = (char *)message.z;
}

/* Reads the context from its first row to its last, beside the row that is shown. */
static ContextCursor *readWhole(ContextCursor *cur) {
  Backwards *b = cur->back;
  ContextCursor *whole = b->whole;
  if (whole || cur->cmd.rc != SQLITE_OK) return whole;
  whole = ts_alloc(&cur->cmd, sizeof(*whole));
  if (!whole) return NULL;
  ts_cmd_init(&whole->cmd, cur->cmd.conn, cur->cmd.target, "session_context");
  whole->open = 1;
  whole->session = cur->session;
  whole->x = cur->x;
  ts_context_path(whole, cur->x.fromDepth, lastDepth(&cur->x));
  whole->opened = cur->showsSummary;
  b->whole = whole;
  b->nRows = cur->showsSummary;
  while (ts_context_next_row(whole)) {
    b->nRows++;
    if (whole->kind == ROW_OPENING) {
      whole->kind = whole->opens;
      b->nRows++;
    }
    ts_context_leave_entry(whole);
  }
  takeError(&cur->cmd, &whole->cmd);
  return whole;
}

sqlite3_int64 ts_context_position(ContextCursor *cur) {
  if (!cur->back) return cur->base.rowid;
  readWhole(cur);
  return cur->cmd.rc == SQLITE_OK ? cur->back->nRows - cur->back->nShown : -1;
}

const CallIds *ts_context_ids(ContextCursor *cur) {
  ContextCursor *whole;
  if (!cur->back) return &cur->ids;
  whole = readWhole(cur);
  cur->all = cur->cmd.rc == SQLITE_OK ? &whole->ids : NULL;
  return cur->all;
}

/* ---- Its rows, one by one ------------------------------------------------------------------------ */

/* A result in words: those of a call that is shown have its id. */
static int standAtTold(ContextCursor *cur) {
  int told;
  cur->collects = 1;
  told = ts_context_shows_answer(cur);
  cur->collects = 0;
  if (told && !cur->isOrphan) ts_context_ids(cur);
  return told && cur->cmd.rc == SQLITE_OK && ts_context_tell(cur);
}

/* Reads a row again. */
static int standAt(ContextCursor *cur, Entry e) {
  Cmd *c = &cur->cmd;
  ts_end(c, &cur->messages);
  ts_end(c, &cur->calls);
  ts_end(c, &cur->answer);
  cur->kind = e.kind;
  if (e.kind == ROW_MESSAGE || e.kind == ROW_TOLD) {
    cur->messages = ts_query(c, SQL_CONTEXT_MESSAGES, "ii", e.place, e.place);
    cur->message = ts_context_next_key(c, &cur->messages);
    return cur->message != 0 && (e.kind == ROW_MESSAGE || standAtTold(cur));
  }
  cur->calls = ts_query(c, SQL_CONTEXT_TOOL_CALLS, "ii", e.place, e.place);
  cur->call = ts_context_next_key(c, &cur->calls);
  cur->single = e.kind != ROW_CALL;
  return cur->call != 0 && (e.kind == ROW_CALL || ts_context_find_result(cur));
}

void ts_context_back_begin(ContextCursor *cur) {
  Backwards *b = cur->back = ts_alloc(&cur->cmd, sizeof(*b));
  if (!b) return;
  b->above = lastDepth(&cur->x);
  b->width = FIRST_WIDTH;
  b->summaryLeft = cur->showsSummary;
  if (!cur->showsSummary) findOpening(cur);
}

int ts_context_back(ContextCursor *cur) {
  Backwards *b = cur->back;
  sqlite3_int64 turn;
  if (!b || cur->cmd.rc != SQLITE_OK) return 0;
  b->nShown++;
  if (b->isFirst) {
    b->isFirst = 0;
    b->first.place = 0;
    cur->kind = ROW_OPENING;
    return 1;
  }
  while (!b->n && cur->cmd.rc == SQLITE_OK && (turn = turnAbove(cur)) != 0)
    collectTurn(cur, turn);
  if (cur->cmd.rc != SQLITE_OK) return 0;
  if (b->n) {
    Entry e = b->entries[--b->n];
    b->isFirst = b->first.place == e.place && b->first.kind == e.kind && e.place != 0;
    if (standAt(cur, e)) return 1;
    if (cur->cmd.rc == SQLITE_OK)
      ts_fail(&cur->cmd, SQLITE_ABORT, "the session was changed while its context was read");
    return 0;
  }
  if (!b->summaryLeft) return 0;
  b->summaryLeft = 0;
  cur->kind = ROW_SUMMARY;
  return 1;
}

void ts_context_back_end(ContextCursor *cur) {
  ContextCursor *whole = cur->back ? cur->back->whole : NULL;
  if (!whole) return;
  ts_context_end(whole);
  ts_cmd_clear(&whole->cmd);
  sqlite3_free(whole->told);
}
