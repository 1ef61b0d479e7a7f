/*
** sweep.c - session_sweep(): does the work that has become due. sql/scripts/sweep.sql is the cron
** script.
**
**   SELECT session_sweep();                          -- the work of one batch, as a report
**   SELECT session_sweep('{"dry_run":1}');           -- what it would do
**
** One call does at most `limit` of each kind of work (config sweep_batch) in one transaction, and
** "more" says whether work is left, so a sweep never holds the write lock for long. It never
** changes last_activity, unless that lies in the future. Kinds of work, in this order: workers
** whose deadline has passed are stopped, and their parents get a message; turns whose lease has
** expired, or that belong to no run, are ended; times in the future, written by a clock that was
** ahead, are set to now; tasks left Complete or Aborted are committed; stale tasks are saved; idle
** sessions are archived, including those whose task has just been ended; abandoned runs
** become idle; old request ids, and ids of messages whose session was deleted, are removed.
**
** One kind of work creates or removes work of another kind: when a task ends, its session can be
** archived; when a choice closes with it, an input is left waiting. So a dry run does the same work
** and rolls it back (ts_trial).
*/
#include "sweep.h"

#include "args.h"
#include "choice.h"
#include "config.h"
#include "door.h"
#include "end_task.h"
#include "json.h"
#include "lease.h"
#include "list.h"
#include "queue.h"
#include "run.h"
#include "session.h"
#include "stale.h"
#include "status.h"
#include "stop_workers.h"
#include "task.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

enum { SWEEP_DRY_RUN, SWEEP_LIMIT, SWEEP_AUTO_COMPACT, SWEEP_ARCHIVE };

static const ArgSpec sweepArgs[] = {{"dry_run", ARG_BOOL, 0},
                                    {"limit", ARG_INT, 0},
                                    {"auto_compact_threshold", ARG_DURATION, 0},
                                    {"archive_after", ARG_DURATION, 0}};

typedef struct Item {
  struct Item *next;
  Text label;
  Text what; /* the task, or the run's state */
  sqlite3_int64 idle;
} Item;

typedef struct Sweep {
  Cmd *c;
  Json j;
  int dry;
  sqlite3_int64 limit;
  int more;
  Item *dropped, **droppedTail; /* tasks that ended without a commit */
  InputLink *cancelled;
} Sweep;

static Item *addItem(Cmd *c, Item ***tail, Text label, Text what) {
  Item *item = ts_alloc(c, sizeof(*item));
  if (!item) return NULL;
  item->label = label;
  item->what = what;
  **tail = item;
  *tail = &item->next;
  return item;
}

/* Reads two columns of a statement's rows, at most `limit` rows; a further row sets `more`. */
static Item *collect(Sweep *w, Query *q, int label, int what) {
  Item *first = NULL, **tail = &first;
  sqlite3_int64 n = 0;
  while (ts_row(w->c, q)) {
    if (++n > w->limit) {
      w->more = 1;
      break;
    }
    if (!addItem(w->c, &tail, ts_col_text(w->c, q, label), ts_col_text(w->c, q, what))) {
      break;
    }
  }
  ts_end(w->c, q);
  return first;
}

/* The longest idle first. */
static int areInOrder(const void *x, const void *y) {
  const Item *a = x, *b = y;
  int n = a->label.n < b->label.n ? a->label.n : b->label.n, order;
  if (a->idle != b->idle) return a->idle > b->idle;
  order = memcmp(a->label.z, b->label.z, (size_t)n);
  return order ? order < 0 : a->label.n <= b->label.n;
}

/* Sessions in a band of stale_sessions. They are handled in a fixed order, not in the order in
** which SQLite finds them. */
static Item *collectStale(Sweep *w, StaleBand band) {
  Cmd *c = w->c;
  Item *first = NULL, **tail = &first;
  sqlite3_int64 autoCompact = ts_config_int(c, none, CONFIG_AUTO_COMPACT_THRESHOLD);
  sqlite3_int64 archive = ts_config_int(c, none, CONFIG_ARCHIVE_AFTER), n = 0;
  const char *autoKey = ts_config_name(CONFIG_AUTO_COMPACT_THRESHOLD);
  const char *archiveKey = ts_config_name(CONFIG_ARCHIVE_AFTER);
  Query q;
  if (c->arg[SWEEP_AUTO_COMPACT].given) {
    autoCompact = c->arg[SWEEP_AUTO_COMPACT].i;
    autoKey = NULL;
  }
  if (c->arg[SWEEP_ARCHIVE].given) {
    archive = c->arg[SWEEP_ARCHIVE].i;
    archiveKey = NULL;
  }
  /* The first threshold does not matter here: the second one is used for both. */
  q = ts_query(c, SQL_STALE, "iiiisssi", c->now, autoCompact, autoCompact, archive, NULL, autoKey,
               archiveKey, (sqlite3_int64)(band == BAND_AUTO_COMPACT));
  while (ts_row(c, &q)) {
    Item *item;
    int hasTask = ts_col_int(&q, COL_STALE_HAS_TASK) != 0;
    StaleBand is = ts_stale_band(ts_col_int(&q, COL_STALE_IDLE), ts_col_int(&q, COL_STALE_UNUSED),
                                 hasTask, ts_col_int(&q, COL_STALE_AUTO_COMPACT),
                                 ts_col_int(&q, COL_STALE_AUTO_COMPACT),
                                 ts_col_int(&q, COL_STALE_ARCHIVE_AFTER));
    if (band == BAND_AUTO_COMPACT
            ? !hasTask || !ts_stale_goes_on(ts_col_view(&q, COL_STALE_STATE)) ||
                  is < BAND_AUTO_COMPACT
            : hasTask || is != BAND_ARCHIVE) {
      continue;
    }
    if (++n > w->limit) {
      w->more = 1;
      break;
    }
    item =
        addItem(c, &tail, ts_col_text(c, &q, COL_STALE_LABEL), ts_col_text(c, &q, COL_STALE_TASK));
    if (!item) break;
    item->idle = ts_col_int(&q, COL_STALE_IDLE);
  }
  ts_end(c, &q);
  return c->rc == SQLITE_OK ? ts_list_sort(first, areInOrder) : NULL;
}

/* Adds a number and a list to the report. */
static void report(Sweep *w, const char *count, const char *list, const Item *items, int byTask) {
  sqlite3_int64 n = 0;
  for (const Item *item = items; item; item = item->next)
    n++;
  ts_json_put_int(&w->j, count, n);
  if (!list) return;
  ts_json_key(&w->j, list);
  ts_json_open(&w->j, '[');
  for (const Item *item = items; item; item = item->next) {
    ts_json_text(&w->j, byTask ? item->what : item->label);
  }
  ts_json_close(&w->j, ']');
}

/* ---- The kinds of work ----------------------------------------------------------------------- */

/* Has the session's newest task ended in a commit? */
static int wasKept(Cmd *c, Text label) {
  Query q = ts_query(c, SQL_TASK_KEPT, "t", &label);
  int kept = ts_row(c, &q);
  ts_end(c, &q);
  return kept;
}

/* Tasks that were left Complete or Aborted. A task without a commit is dropped, as in saveStale. A
** worker's task may have ended together with its parent's. */
static void commitLeftBehind(Sweep *w) {
  Cmd *c = w->c;
  Query q = ts_query(c, SQL_LEFT_BEHIND, "i", w->limit + 1);
  Item *items = collect(w, &q, COL_LEFT_BEHIND_SESSION_LABEL, COL_LEFT_BEHIND_DESCRIPTION),
       *kept = NULL, **keptTail = &kept;
  for (Item *item = items; item && c->rc == SQLITE_OK; item = item->next) {
    Session s;
    ts_session_load(c, item->label, &s);
    if (!s.exists || !ts_text_equal(s.label, item->label)) continue;
    ts_task_settle(c, &s);
    ts_session_save(c, &s);
    ts_queue_list_off(&w->cancelled, s.calledOff);
    addItem(c, wasKept(c, s.label) ? &keptTail : &w->droppedTail, s.label, item->what);
  }
  report(w, "tasks_committed", "committed_tasks", kept, 1);
}

static void saveStale(Sweep *w) {
  Cmd *c = w->c;
  Item *items = collectStale(w, BAND_AUTO_COMPACT), *kept = NULL, **keptTail = &kept;
  for (Item *item = items; item && c->rc == SQLITE_OK; item = item->next) {
    Session s;
    Text said;
    int work;
    ts_session_load(c, item->label, &s);
    if (c->rc != SQLITE_OK || !s.task.id) continue;
    work = s.task.worked;
    addItem(c, work ? &keptTail : &w->droppedTail, s.label, s.task.description);
    ts_choice_release(c, &s, "expire");
    ts_task_end_stale(c, &s, &said);
    ts_worker_saved(c, &s);
    ts_session_save(c, &s);
  }
  report(w, "sessions_compacted", "compacted_tasks", kept, 1);
  report(w, "tasks_dropped", "dropped_tasks", w->dropped, 1);
}

/* Leases beyond the limit: no session with a running turn is archived. A session whose turn was
** active after everything else is left to the next sweep. */
static int archiveOne(Sweep *w, Text label) {
  Cmd *c = w->c;
  Session s;
  sqlite3_int64 used;
  ts_session_load(c, label, &s);
  if (c->rc != SQLITE_OK || !ts_text_equal(s.label, label)) return 0;
  used = s.lastUsed;
  ts_lease_require_free(c, &s, "session_sweep");
  ts_queue_list_off(&w->cancelled, s.calledOff);
  if (s.lastUsed != used) return 0;
  ts_session_move(c, &s, STATUS_ARCHIVED, TS_TEXT(TS_REASON_IDLE));
  ts_session_save(c, &s);
  return 1;
}

static void archiveIdle(Sweep *w) {
  Cmd *c = w->c;
  Item *items = collectStale(w, BAND_ARCHIVE), *done = NULL, **tail = &done;
  for (Item *item = items; item && c->rc == SQLITE_OK; item = item->next) {
    if (archiveOne(w, item->label)) addItem(c, &tail, item->label, none);
  }
  report(w, "sessions_archived", "archived_sessions", done, 0);
}

static Item *resetRuns(Sweep *w, int expired) {
  Cmd *c = w->c;
  Query q;
  Item *items;
  if (expired) {
    q = ts_query(c, SQL_RUNS_EXPIRED, "ii", c->now, w->limit + 1);
  } else {
    q = ts_query(c, SQL_RUNS_IDLE, "iii", c->now, ts_config_int(c, none, CONFIG_RUN_IDLE_TIMEOUT),
                 w->limit + 1);
  }
  items = collect(w, &q, COL_RUNS_EXPIRED_SESSION_LABEL, COL_RUNS_EXPIRED_RUN_STATE);
  for (Item *item = items; item && c->rc == SQLITE_OK; item = item->next) {
    Session s;
    int from = item->what.z ? ts_state_find(&ts_run_machine, item->what.z, item->what.n) : 0;
    ts_session_load_exact(c, item->label, &s);
    ts_run_reset(c, &s, from < 0 ? RUN_IDLE : (RunState)from, expired ? "expire" : "stop");
    ts_queue_list_off(&w->cancelled, s.calledOff);
  }
  return items;
}

/* Workers whose deadlines have passed. Their parents get a message. */
static Item *timeOutWorkers(Sweep *w) {
  Query q = ts_query(w->c, SQL_WORKERS_OVERDUE_ALL, "ii", w->c->now, w->limit + 1);
  Item *items = collect(w, &q, COL_RUNS_EXPIRED_SESSION_LABEL, COL_RUNS_EXPIRED_RUN_STATE);
  for (Item *item = items; item && w->c->rc == SQLITE_OK; item = item->next)
    ts_worker_time_out(w->c, item->label);
  return items;
}

/* Inputs that belong to no run, so no lease expires with them. */
static Item *takeBackOrphans(Sweep *w) {
  Cmd *c = w->c;
  Query q = ts_query(c, SQL_QUEUE_ORPHANED, "i", w->limit + 1);
  Item *items = collect(w, &q, COL_RUNS_EXPIRED_SESSION_LABEL, COL_RUNS_EXPIRED_RUN_STATE);
  for (Item *item = items; item && c->rc == SQLITE_OK; item = item->next) {
    Session s;
    ts_session_load_exact(c, item->label, &s);
    if (!s.exists) continue;
    ts_lease_recover_inputs(c, &s, "session_sweep");
    ts_queue_list_off(&w->cancelled, s.calledOff);
  }
  return items;
}

/* A time in the future, written by a clock that was ahead, would count as young until then. It is
** set to now. (An update that finds no row costs little compared with a sweep.) */
static void mendTimes(Sweep *w) {
  Cmd *c = w->c;
  Query q = ts_query(c, SQL_SESSIONS_AHEAD, "ii", c->now, w->limit + 1);
  Item *items = collect(w, &q, COL_LEFT_BEHIND_SESSION_LABEL, COL_LEFT_BEHIND_DESCRIPTION);
  int ahead;
  for (Item *item = items; item && c->rc == SQLITE_OK; item = item->next)
    ts_exec(c, SQL_SESSION_MEND_TIMES, "ti", &item->label, c->now);
  ts_exec(c, SQL_RUNS_AHEAD, "i", c->now);
  ts_exec(c, SQL_DEADLINES_AHEAD, "i", c->now);
  ts_exec(c, SQL_DUE_AHEAD, "i", c->now);
  q = ts_query(c, SQL_REQUESTS_ARE_AHEAD, "i", c->now);
  ahead = ts_row(c, &q);
  ts_end(c, &q);
  if (ahead) {
    ts_exec(c, SQL_DELETE_UNGUARD, "");
    ts_exec(c, SQL_REQUESTS_AHEAD, "i", c->now);
    ts_exec(c, SQL_DELETE_GUARD, "");
  }
  ts_exec(c, SQL_DELETED_MESSAGES_AHEAD, "i", c->now);
}

/* Deletes rows older than request_ttl, up to the limit, with one statement that counts and one that
** deletes. Returns the number deleted. */
static sqlite3_int64 forget(Sweep *w, int expired, int drop) {
  Cmd *c = w->c;
  sqlite3_int64 before = c->now - ts_config_int(c, none, CONFIG_REQUEST_TTL), n = 0;
  Query q = ts_query(c, expired, "ii", before, w->limit + 1);
  if (ts_row(c, &q)) n = ts_col_int(&q, COL_REQUEST_EXPIRED_COUNT);
  ts_end(c, &q);
  if (n > w->limit) {
    n = w->limit;
    w->more = 1;
  }
  if (n) ts_exec(c, drop, "ii", before, w->limit);
  return n;
}

/* Ids of messages whose session was deleted. */
static void forgetMessages(Sweep *w) {
  (void)forget(w, SQL_DELETED_MESSAGES_EXPIRED, SQL_DELETED_MESSAGES_DROP);
}

static void forgetRequests(Sweep *w) {
  ts_json_put_int(&w->j, "requests_dropped", forget(w, SQL_REQUEST_EXPIRED, SQL_REQUEST_DROP));
}

static void sweepAll(Cmd *c, void *arg) {
  Sweep *w = arg;
  Item *expired, **end;
  (void)c;
  ts_json_open(&w->j, '{');
  ts_json_key(&w->j, "dry_run");
  ts_json_bool(&w->j, w->dry);
  report(w, "workers_timed_out", NULL, timeOutWorkers(w), 0);
  expired = resetRuns(w, 1);
  for (end = &expired; *end; end = &(*end)->next) {
  }
  *end = takeBackOrphans(w);
  mendTimes(w);
  commitLeftBehind(w);
  saveStale(w);
  archiveIdle(w);
  report(w, "leases_expired", NULL, expired, 0);
  report(w, "runs_stopped", NULL, resetRuns(w, 0), 0);
  forgetRequests(w);
  forgetMessages(w);
  ts_queue_put(&w->j, "cancelled", w->cancelled, 0);
  ts_json_key(&w->j, "more");
  ts_json_bool(&w->j, w->more);
  ts_json_close(&w->j, '}');
}

static void runSweep(Cmd *c) {
  Sweep w;
  memset(&w, 0, sizeof(w));
  w.c = c;
  w.droppedTail = &w.dropped;
  w.dry = c->arg[SWEEP_DRY_RUN].given && c->arg[SWEEP_DRY_RUN].i;
  w.limit = ts_config_int(c, none, CONFIG_SWEEP_BATCH);
  if (c->arg[SWEEP_LIMIT].given) {
    w.limit = c->arg[SWEEP_LIMIT].i;
    if (w.limit < 1 || w.limit > 100000) {
      ts_fail(c, SQLITE_ERROR, "limit is %lld; it must be from 1 to 100000", w.limit);
      return;
    }
  }
  ts_json_begin(&w.j, c);
  if (w.dry) {
    ts_trial(c, sweepAll, &w);
  } else {
    sweepAll(c, &w);
  }
  ts_return_text(c, ts_json_finish(&w.j));
}

const CommandSpec ts_session_sweep = {"session_sweep", runSweep, 0, TS_ARGS(0, sweepArgs), NULL};
