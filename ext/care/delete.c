/*
** delete.c - session_delete(): removes a session and everything that only it has.
**
**   SELECT session_delete('main', '{"dry_run":1}');     -- what would go
**   SELECT session_delete('main');                      -- it goes
**
** Rows that carry the session's label are simply deleted. Turns carry no label, because forks share
** them. A turn is deleted when only this session can reach it. Two steps find these turns, branch
** by branch.
**
** First, own turns are the turns that the session can reach: every turn its head was at, its failed
** and aborted turns, its run's turn, and all turns above these. In each branch they reach from the
** branch's first turn to the last own one. Second, the beginning of this stretch stays, up to the
** last turn that somebody else needs, because
**
**   - another session was or is there, or its run is;
**   - a turn below it is not an own turn, or stays;
**   - it failed, and a turn that stays continues it and shows it in its context;
**   - it is a compaction made for a running turn, and that turn stays, or a turn stays that was
**     tried again in its place and begins with this summary.
**
** A turn that goes no longer needs others: the turn above it, the failed turn that it continued,
** compactions made for it or that it begins with. These are checked again until nothing changes.
** The set of turns that stay only shrinks, so this ends. Branches are checked by falling ids,
** because everything below a turn has a larger id: nearly every branch is checked once. Nothing
** above a turn that stays is checked, so the work grows with what is deleted, not with what others
** have.
**
** Turns are then deleted as a few ranges of ids. Their ids are not used again: a branch that loses
** its end is closed, and turnstile_meta keeps the highest id of a branch. So a process that holds
** the token of a deleted turn can't write into another one, and an id that somebody noted never
** leads to a stranger's turn. The same holds for everything else that has a number: see ids.h.
*/
#include "delete.h"

#include "array.h"
#include "corrections.h"
#include "deleted.h"
#include "id_map.h"
#include "identity.h"
#include "ids.h"
#include "json.h"
#include "lease.h"
#include "stop_workers.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Which turns ----------------------------------------------------------------------------- */

/* The own turns of one branch. */
typedef struct Own {
  sqlite3_int64 branch;
  sqlite3_int64 first; /* the first turn of the branch, and the turn above it (0: a root) */
  sqlite3_int64 parent;
  sqlite3_int64 last;  /* the last own turn */
  sqlite3_int64 stays; /* the last of them that stays; first - 1: all go */
  int waits;           /* it must be checked (again) */
} Own;

/* A range of turns to delete. Of its branches, goneFrom to goneTo are deleted as well. */
typedef struct Span {
  sqlite3_int64 first, last;
  sqlite3_int64 goneFrom, goneTo; /* goneFrom > goneTo: none */
} Span;

typedef struct Plan {
  Cmd *c;
  const Session *s;
  Own *own;
  sqlite3_int64 nOwn, ownRoom;
  IdMap places;        /* of a branch in `own`, counted from 1 */
  sqlite3_int64 *heap; /* branches to check, the largest id first */
  sqlite3_int64 nHeap, heapRoom;
  sqlite3_int64 latest; /* the turn seen last, not yet noted: most follow each other in a branch */
  Span *spans;          /* at the end: the turns to delete, by rising ids */
  sqlite3_int64 nSpans;
  sqlite3_int64 shared; /* turns of the thread that stay */
} Plan;

static Own *findOwn(const Plan *p, sqlite3_int64 branch) {
  sqlite3_int64 place = ts_id_map_get(&p->places, branch);
  return place ? &p->own[place - 1] : NULL;
}

static Own *addOwn(Plan *p, sqlite3_int64 branch) {
  Own *list = ts_array_more(p->c, p->own, p->nOwn, &p->ownRoom, sizeof(*list));
  if (!list) return NULL;
  p->own = list;
  ts_id_map_put(p->c, &p->places, branch, p->nOwn + 1);
  if (p->c->rc != SQLITE_OK) return NULL;
  list[p->nOwn].branch = branch;
  return &list[p->nOwn++];
}

static void pushBranch(Plan *p, Own *own) {
  sqlite3_int64 i = p->nHeap, *heap;
  if (own->waits) return;
  heap = ts_array_more(p->c, p->heap, p->nHeap, &p->heapRoom, sizeof(*heap));
  if (!heap) return;
  p->heap = heap;
  own->waits = 1;
  p->nHeap++;
  for (; i > 0 && p->heap[(i - 1) / 2] < own->branch; i = (i - 1) / 2)
    p->heap[i] = p->heap[(i - 1) / 2];
  p->heap[i] = own->branch;
}

static sqlite3_int64 popBranch(Plan *p) {
  sqlite3_int64 top = p->heap[0], last = p->heap[--p->nHeap], i = 0;
  for (;;) {
    sqlite3_int64 child = 2 * i + 1;
    if (child + 1 < p->nHeap && p->heap[child + 1] > p->heap[child]) child++;
    if (child >= p->nHeap || p->heap[child] <= last) break;
    p->heap[i] = p->heap[child];
    i = child;
  }
  p->heap[i] = last;
  return top;
}

/* The first column of the only row; 0 when it is NULL or without a row. */
static sqlite3_int64 oneNumber(Cmd *c, Query *q) {
  sqlite3_int64 value = ts_row(c, q) ? ts_col_int(q, COL_ONLY) : 0;
  ts_end(c, q);
  return value;
}

static int turnIsThere(Cmd *c, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_TURN_EXISTS, "i", turn);
  return oneNumber(c, &q) != 0;
}

/* Is this turn to be deleted, as far as is known? */
static int isGoing(const Plan *p, sqlite3_int64 turn) {
  const Own *own = findOwn(p, TS_BRANCH(turn));
  return own && turn > own->stays && turn <= own->last;
}

/* The session can reach this turn and those above it: checks its branch. */
static void noteTurn(Plan *p, sqlite3_int64 turn) {
  Cmd *c = p->c;
  Own *own;
  if (turn <= 0 || c->rc != SQLITE_OK) return;
  own = findOwn(p, TS_BRANCH(turn));
  if (!own || turn > own->last) {
    Branch b;
    Query q;
    if (!ts_branch_load(c, turn, &b)) return;
    /* What plain SQL has removed is left out. */
    q = ts_query(c, SQL_DELETE_LAST, "ii", TS_TURN(b.id, b.firstDepth), turn);
    turn = oneNumber(c, &q);
    if (!turn || c->rc != SQLITE_OK) return;
    if (!own) {
      own = addOwn(p, b.id);
      if (!own) return;
      own->first = TS_TURN(b.id, b.firstDepth);
      own->parent = b.parentTurn;
      own->last = own->stays = turn;
    } else if (turn > own->last) {
      /* A turn followed the last own one, so all own turns have stayed so far. */
      own->last = own->stays = turn;
    }
  }
  pushBranch(p, own);
}

/* The same for turns that come in the order in which they were made. */
static void seeTurn(Plan *p, sqlite3_int64 turn) {
  if (TS_BRANCH(turn) != TS_BRANCH(p->latest)) {
    noteTurn(p, p->latest);
    p->latest = turn;
  } else if (turn > p->latest) {
    p->latest = turn;
  }
}

static void seeTurns(Plan *p, int statement) {
  Query q = ts_query(p->c, statement, "t", &p->s->label);
  while (ts_row(p->c, &q))
    seeTurn(p, ts_col_int(&q, COL_ONLY));
  ts_end(p->c, &q);
}

/* A statement gives rows (turn, the turn that needs it), from the end of a range upwards. Returns
** the first turn whose second turn stays; low without such a row. */
static sqlite3_int64 neededBy(Plan *p, int statement, sqlite3_int64 low, sqlite3_int64 high) {
  Query q = ts_query(p->c, statement, "ii", low + 1, high);
  while (ts_row(p->c, &q)) {
    if (isGoing(p, ts_col_int(&q, COL_DELETE_RESUMED_NEEDED_BY))) continue;
    low = ts_col_int(&q, COL_DELETE_RESUMED_TURN_ID);
    break;
  }
  ts_end(p->c, &q);
  return low;
}

/* Does a turn that stays begin with this branch's first turn, which is a compaction beside it? */
static int isBegunWith(Plan *p, const Own *own) {
  int needed = 0;
  Query q = ts_query(p->c, SQL_DELETE_BEGUN_WITH, "ii", own->first, own->parent);
  while (!needed && ts_row(p->c, &q))
    needed = !isGoing(p, ts_col_int(&q, COL_DELETE_BEGUN_WITH_ID));
  ts_end(p->c, &q);
  return needed;
}

/* The last turn of an own branch that stays, as far as is known. Each question only looks at what
** the questions before it left open. Rows that are skipped lie in turns to delete, so no row is
** skipped twice. The session's own pointers come last, because they are the most. */
static sqlite3_int64 lastNeeded(Plan *p, const Own *own) {
  Cmd *c = p->c;
  sqlite3_int64 low = own->first - 1, high = own->stays;
  Query q;
  if (high == own->last && turnIsThere(c, high + 1)) return high;
  q = ts_query(c, SQL_DELETE_BRANCHES_OF, "ii", low + 1, high);
  while (ts_row(c, &q)) {
    const Own *child = findOwn(p, ts_col_int(&q, COL_DELETE_BRANCHES_OF_ID));
    if (child && child->stays < child->first) continue;
    low = ts_col_int(&q, COL_DELETE_BRANCHES_OF_PARENT_TURN_ID);
    break;
  }
  ts_end(c, &q);
  low = neededBy(p, SQL_DELETE_RESUMED, low, high);
  low = neededBy(p, SQL_DELETE_RECOVERIES, low, high);
  if (low < own->first && isBegunWith(p, own)) low = own->first;
  q = ts_query(c, SQL_DELETE_POINTED, "iit", low + 1, high, &p->s->label);
  if (ts_row(c, &q) && ts_col_int(&q, COL_DELETE_POINTED_TURN_ID))
    low = ts_col_int(&q, COL_DELETE_POINTED_TURN_ID);
  ts_end(c, &q);
  return low;
}

/* Checks a branch. Turns that go from it no longer need turns of other branches. */
static void lookAt(Plan *p, sqlite3_int64 branch) {
  Cmd *c = p->c;
  Own *own = findOwn(p, branch);
  sqlite3_int64 stays, was, parent;
  Query q;
  if (!own) return;
  own->waits = 0;
  was = own->stays;
  if (was < own->first) return;
  stays = lastNeeded(p, own);
  if (c->rc != SQLITE_OK || stays >= was) return;
  own->stays = stays;
  parent = stays < own->first ? own->parent : 0; /* `own` may move from here on */
  q = ts_query(c, SQL_TURNS_RESUMING, "ii", stays + 1, was);
  while (ts_row(c, &q))
    noteTurn(p, ts_col_int(&q, COL_TURNS_RESUMING_RESUMES_TURN_ID));
  ts_end(c, &q);
  q = ts_query(c, SQL_DELETE_RECOVERED, "ii", stays + 1, was);
  while (ts_row(c, &q))
    noteTurn(p, ts_col_int(&q, COL_DELETE_RECOVERED_TURN_ID));
  ts_end(c, &q);
  q = ts_query(c, SQL_DELETE_BEGINNINGS, "ii", stays + 1, was);
  while (ts_row(c, &q))
    noteTurn(p, ts_col_int(&q, COL_DELETE_BEGINNINGS_CONTEXT_TURN_ID));
  ts_end(c, &q);
  noteTurn(p, parent);
}

/* How many turns of the thread stay: those from the root to the last that does. */
static void countShared(Plan *p) {
  sqlite3_int64 turn = p->s->head;
  while (turn) {
    const Own *own = findOwn(p, TS_BRANCH(turn));
    if (!own) return;
    if (own->stays >= own->first) {
      p->shared = TS_DEPTH(turn < own->stays ? turn : own->stays) + 1;
      return;
    }
    turn = own->parent;
  }
}

/* Sorts by rising branches (heapsort: no recursion, no memory). */
static void sortOwn(Own *a, sqlite3_int64 n) {
  for (sqlite3_int64 start = n / 2, end = n; end > 1;) {
    Own moved;
    sqlite3_int64 i, child;
    if (start > 0) {
      moved = a[--start];
    } else {
      moved = a[--end];
      a[end] = a[0];
    }
    for (i = start; (child = 2 * i + 1) < end; i = child) {
      if (child + 1 < end && a[child + 1].branch > a[child].branch) child++;
      if (a[child].branch <= moved.branch) break;
      a[i] = a[child];
    }
    a[i] = moved;
  }
}

/* The turns to delete, as ranges. Whole branches that follow each other are one range: no turn lies
** between the last turn of one and the first of the next. */
static void makeSpans(Plan *p) {
  sqlite3_int64 n = 0;
  for (sqlite3_int64 i = 0; i < p->nOwn; i++) {
    if (p->own[i].stays < p->own[i].last) p->own[n++] = p->own[i];
  }
  sortOwn(p->own, n);
  p->spans = n ? ts_alloc(p->c, sizeof(*p->spans) * (size_t)n) : NULL;
  for (sqlite3_int64 i = 0; p->spans && i < n; i++) {
    const Own *own = &p->own[i];
    int whole = own->stays < own->first;
    Span *span = p->nSpans ? &p->spans[p->nSpans - 1] : NULL;
    if (span && whole && own->branch == TS_BRANCH(span->last) + 1) {
      span->last = own->last;
      span->goneTo = own->branch;
      continue;
    }
    span = &p->spans[p->nSpans++];
    span->first = own->stays + 1;
    span->last = own->last;
    span->goneFrom = own->branch + !whole;
    span->goneTo = own->branch;
  }
}

/* Finds out everything about turns before one is touched. */
static void planTurns(Plan *p) {
  Cmd *c = p->c;
  seeTurns(p, SQL_DELETE_HISTORY);
  seeTurns(p, SQL_DELETE_ENDED);
  seeTurn(p, p->s->head);
  seeTurn(p, p->s->run.turnId);
  seeTurn(p, p->s->run.failedTurn);
  seeTurn(p, 0);
  while (p->nHeap > 0 && c->rc == SQLITE_OK)
    lookAt(p, popBranch(p));
  if (c->rc != SQLITE_OK) return;
  countShared(p);
  makeSpans(p);
}

/* ---- What is counted --------------------------------------------------------------------------- */

/* In the order of the statement delete_counts. */
static const char *const countNames[] = {"tasks",   "steps",   "commits",  "observations", "edges",
                                         "objects", "events",  "history",  "deliveries",   "queue",
                                         "waiting", "aliases", "settings", "merged"};

enum { COUNT_DELIVERIES = 8, COUNT_QUEUE = 9, COUNT_WAITING = 10, COUNT_MERGED = 13, COUNTS = 14 };

typedef struct Found {
  sqlite3_int64 turns, messages, calls, compactions;
  sqlite3_int64 counts[COUNTS];
  sqlite3_int64 workers; /* that have a run */
  int live;
} Found;

static void countAll(Cmd *c, const Session *s, const Plan *p, Found *f) {
  Query q;
  memset(f, 0, sizeof(*f));
  for (sqlite3_int64 i = 0; i < p->nSpans && c->rc == SQLITE_OK; i++) {
    const Span *span = &p->spans[i];
    q = ts_query(c, SQL_DELETE_SIZES, "iiii", span->first, span->last, TS_FIRST_PLACE(span->first),
                 TS_LAST_PLACE(span->last));
    if (ts_row(c, &q)) {
      f->turns += ts_col_int(&q, COL_DELETE_SIZES_TURNS);
      f->messages += ts_col_int(&q, COL_DELETE_SIZES_MESSAGES);
      f->calls += ts_col_int(&q, COL_DELETE_SIZES_TOOL_CALLS);
      f->compactions += ts_col_int(&q, COL_DELETE_SIZES_COMPACTIONS);
    }
    ts_end(c, &q);
  }
  q = ts_query(c, SQL_DELETE_COUNTS, "t", &s->label);
  if (ts_row(c, &q)) {
    for (int i = 0; i < COUNTS; i++)
      f->counts[i] = ts_col_int(&q, i);
  }
  ts_end(c, &q);
  f->counts[COUNT_QUEUE] += f->counts[COUNT_WAITING];
  q = ts_query(c, SQL_WORKERS_OPEN_COUNT, "ti", &s->label, TURNSTILE_MAX_INTEGER);
  f->workers = oneNumber(c, &q);
  f->live = ts_run_live(c, &s->run);
}

static Text makeReport(Cmd *c, const Session *s, const Plan *p, const Found *f, int dry) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_key(&j, "dry_run");
  ts_json_bool(&j, dry);
  ts_json_put(&j, "session", s->label);
  ts_json_put_string(&j, "status", ts_status_machine.states[s->status]);
  ts_json_put_int(&j, "turns", f->turns);
  ts_json_put_int(&j, "turns_shared", p->shared);
  ts_json_put_int(&j, "messages", f->messages);
  ts_json_put_int(&j, "tool_calls", f->calls);
  ts_json_put_int(&j, "compactions", f->compactions);
  for (int i = 0; i < COUNTS; i++)
    ts_json_put_int(&j, countNames[i], f->counts[i]);
  ts_json_put_int(&j, "workers", f->workers);
  ts_json_key(&j, "live_run");
  ts_json_bool(&j, f->live);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* Does a session wait for what this one reports? */
static int isAwaited(Cmd *c, const Session *s) {
  Session parent;
  if (!s->isSubagent || !ts_worker_works(s) || !s->parentLabel.z) return 0;
  ts_session_load(c, s->parentLabel, &parent);
  return parent.exists;
}

/* Refuses to delete what others would miss, unless `force` allows it. */
static void refuse(Cmd *c, const Session *s, const Found *f, const char *force) {
  if (f->live) {
    ts_fail(c, TURNSTILE_BUSY,
            "session '%.*s' is busy: '%.*s' executes it, with a lease until %lld; %s stops it",
            s->label.n, s->label.z, s->run.owner.n, s->run.owner.z ? s->run.owner.z : "",
            s->run.expiresAt, force);
  } else if (isAwaited(c, s)) {
    ts_fail(c, TURNSTILE_BUSY, "session '%.*s' is at work for '%.*s'; %s takes it away", s->label.n,
            s->label.z, s->parentLabel.n, s->parentLabel.z, force);
  } else if (f->workers) {
    ts_fail(c, TURNSTILE_BUSY, "session '%.*s' has %lld worker%s at work; %s stops %s", s->label.n,
            s->label.z, f->workers, f->workers == 1 ? "" : "s", force,
            f->workers == 1 ? "it" : "them");
  } else if (f->counts[COUNT_MERGED]) {
    Text one = none;
    Query q = ts_query(c, SQL_DELETE_MERGED, "t", &s->label);
    if (ts_row(c, &q)) one = ts_col_text(c, &q, COL_DELETE_MERGED_LABEL);
    ts_end(c, &q);
    ts_fail(
        c, SQLITE_CONSTRAINT, "%lld session%s merged into session '%.*s' ('%.*s'%s); %s parts them",
        f->counts[COUNT_MERGED], f->counts[COUNT_MERGED] == 1 ? " was" : "s were", s->label.n,
        s->label.z, one.n, one.z ? one.z : "", f->counts[COUNT_MERGED] == 1 ? "" : ", …", force);
  }
}

/* ---- The removal ------------------------------------------------------------------------------- */

static void deleteSpan(Cmd *c, const Span *span) {
  sqlite3_int64 from = TS_FIRST_PLACE(span->first), to = TS_LAST_PLACE(span->last);
  ts_exec(c, SQL_DELETE_MESSAGES, "ii", from, to);
  ts_exec(c, SQL_DELETE_TOOL_CALLS, "ii", from, to);
  ts_exec(c, SQL_DELETE_COMPACTIONS, "ii", span->first, span->last);
  ts_exec(c, SQL_DELETE_TURNS, "ii", span->first, span->last);
  ts_exec(c, SQL_DELETE_FORGET_RECOVERED, "ii", span->first, span->last);
  ts_exec(c, SQL_DELETE_FORGET_FAILED, "ii", span->first, span->last);
  ts_exec(c, SQL_DELETE_FORGET_ORIGIN, "ii", span->first, span->last);
  if (span->goneFrom > TS_BRANCH(span->first)) {
    ts_exec(c, SQL_DELETE_CLOSE, "i", TS_BRANCH(span->first));
  }
  if (span->goneFrom <= span->goneTo) {
    ts_exec(c, SQL_DELETE_BRANCHES, "ii", span->goneFrom, span->goneTo);
  }
}

static void deleteTurns(Cmd *c, const Plan *p) {
  Query q;
  if (!p->nSpans) return;
  q = ts_query(c, SQL_BRANCH_LAST, "");
  ts_exec(c, SQL_DELETE_LAST_BRANCH, "i", oneNumber(c, &q));
  for (sqlite3_int64 i = 0; i < p->nSpans && c->rc == SQLITE_OK; i++)
    deleteSpan(c, &p->spans[i]);
}

/* Rows that carry the session's label. Objects and rows of tasks go first, while the rows that lead
** to them are there. */
static const int labelled[] = {
    SQL_DELETE_FORGET_MERGE,
    SQL_DELETE_FORGET_PARENT,
    SQL_DELETE_OBJECTS,
    SQL_DELETE_OBSERVATIONS,
    SQL_DELETE_LOOSE_OBSERVATIONS,
    SQL_DELETE_STEPS,
    SQL_DELETE_EDGES,
    SQL_DELETE_COMMITS,
    SQL_DELETE_TASKS,
    SQL_DELETE_EVENTS,
    SQL_DELETE_MOVES,
    SQL_DELETE_DELIVERIES,
    SQL_DELETE_QUEUE,
    SQL_DELETE_QUEUE_DONE,
    SQL_DELETE_HOMES,
    SQL_DELETE_ALIASES,
    SQL_DELETE_KEYS,
    SQL_DELETE_SETTINGS,
    SQL_DELETE_RUN,
    SQL_DELETE_SESSION,
};

/* ---- session_delete(label [, options]) → report ------------------------------------------------- */

enum { DELETE_LABEL, DELETE_DRY_RUN, DELETE_FORCE };

static const ArgSpec deleteArgs[] = {
    {"label", ARG_LABEL, 1}, {"dry_run", ARG_BOOL, 0}, {"force", ARG_BOOL, 0}};

static void findSession(Cmd *c, Text label, Session *s) {
  ts_session_load_named(c, label, s);
  if (c->rc == SQLITE_OK && !s->exists) {
    ts_fail(c, SQLITE_ERROR, "there is no session '%.*s'", label.n, label.z);
  }
}

/* Deletes everything as planned. The guards are open meanwhile. */
static void removeSession(Cmd *c, Session *s, const Plan *p) {
  Ids before;
  ts_ids_look(c, &before);
  if (ts_corrections_any(c, s->label)) ts_corrections_changed(c);
  ts_exec(c, SQL_DELETE_UNGUARD, "");
  deleteTurns(c, p);
  for (size_t i = 0; i < sizeof(labelled) / sizeof(labelled[0]); i++)
    ts_exec(c, labelled[i], "t", &s->label);
  ts_exec(c, SQL_DELETE_GUARD, "");
  ts_ids_keep(c, &before, s->run.token);
}

/* What belongs to others leaves the session first. */
static void leaveSession(Cmd *c, Session *s) {
  ts_worker_deleted(c, s);
  ts_deleted_keep(c, s->label);
  ts_session_part_merged(c, s);
}

/* What others took back is not deleted. */
static void recount(Cmd *c, const Session *s, const Plan *p, Found *f) {
  static const int moved[] = {COUNT_DELIVERIES, COUNT_QUEUE, COUNT_WAITING};
  Found now;
  countAll(c, s, p, &now);
  for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++)
    f->counts[moved[i]] = now.counts[moved[i]];
}

static void planAll(Cmd *c, const Session *s, Plan *p, Found *found) {
  memset(p, 0, sizeof(*p));
  p->c = c;
  p->s = s;
  planTurns(p);
  countAll(c, s, p, found);
}

void ts_session_make_room(Cmd *c, Session *s) {
  Found found;
  Plan p;
  planAll(c, s, &p, &found);
  refuse(c, s, &found, "session_delete with force");
  if (c->rc != SQLITE_OK) return;
  leaveSession(c, s);
  removeSession(c, s, &p);
}

static void runDelete(Cmd *c) {
  int dry = c->arg[DELETE_DRY_RUN].given && c->arg[DELETE_DRY_RUN].i;
  int force = c->arg[DELETE_FORCE].given && c->arg[DELETE_FORCE].i;
  Session s;
  Plan p;
  Found found;
  Text report;
  findSession(c, c->arg[DELETE_LABEL].text, &s);
  if (c->rc != SQLITE_OK) return;
  planAll(c, &s, &p, &found);
  if (!dry && !force) refuse(c, &s, &found, "force");
  if (!dry && force)
    ts_stop_workers(c, s.label, TS_TEXT("the session that spawned it was deleted"));
  if (!dry && c->rc == SQLITE_OK) {
    leaveSession(c, &s);
    recount(c, &s, &p, &found);
  }
  report = makeReport(c, &s, &p, &found, dry);
  if (!dry) {
    removeSession(c, &s, &p);
    ts_keys_settle_deleted(c, s.label);
  }
  ts_return_text(c, report);
}

const CommandSpec ts_session_delete = {"session_delete", runDelete, COMMAND_OLD_LABEL,
                                       TS_ARGS(1, deleteArgs), NULL};
