/*
** startup.c - turnstile_startup(): a host starts, so none of its earlier runs is alive.
*/
#include "run.h"

#include "json.h"
#include "lease.h"
#include "queue.h"
#include "status.h"
#include "stop_workers.h"

SQLITE_EXTENSION_INIT3

typedef struct RunLink {
  struct RunLink *next;
  Text label, owner;
  RunState state;
} RunLink;

static RunLink *collectRuns(Cmd *c, Query *q) {
  RunLink *first = NULL, **tail = &first;
  while (ts_row(c, q)) {
    RunLink *link = ts_alloc(c, sizeof(*link));
    Text state;
    int i;
    if (!link) break;
    link->label = ts_col_text(c, q, COL_RUNS_EXPIRED_SESSION_LABEL);
    state = ts_col_text(c, q, COL_RUNS_EXPIRED_RUN_STATE);
    link->owner = ts_col_text(c, q, COL_RUNS_EXPIRED_OWNER);
    i = state.z ? ts_state_find(&ts_run_machine, state.z, state.n) : 0;
    link->state = i < 0 ? RUN_IDLE : (RunState)i;
    *tail = link;
    tail = &link->next;
  }
  ts_end(c, q);
  return first;
}

/* Inputs that no run has, so that no run's end gives them back. Their sessions go into the report. */
static sqlite3_int64 takeBackOrphans(Cmd *c, Json *j, InputLink **cancelled) {
  Query q = ts_query(c, SQL_QUEUE_ORPHANED, "i", TURNSTILE_MAX_INTEGER);
  RunLink *list = collectRuns(c, &q);
  sqlite3_int64 n = 0;
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    Session s;
    ts_session_load_exact(c, list->label, &s);
    if (!s.exists) continue;
    n += ts_lease_recover_inputs(c, &s, c->name);
    ts_queue_list_off(cancelled, s.calledOff);
    ts_json_text(j, s.label);
  }
  return n;
}

/* Workers whose deadline passed while no host ran. Their parents get a message. */
static sqlite3_int64 timeOutWorkers(Cmd *c) {
  RunLink *list;
  sqlite3_int64 n = 0;
  Query q;
  ts_exec(c, SQL_DEADLINES_AHEAD, "i", c->now);
  q = ts_query(c, SQL_WORKERS_OVERDUE_ALL, "ii", c->now, (sqlite3_int64)TURNSTILE_MAX_INTEGER);
  list = collectRuns(c, &q);
  for (; list && c->rc == SQLITE_OK; list = list->next, n++)
    ts_worker_time_out(c, list->label);
  return n;
}

static const ArgSpec startupArgs[] = {{"owner", ARG_NAME, 0}, {"all", ARG_BOOL, 0}};

static void runStartup(Cmd *c) {
  Text owner = c->arg[0].text;
  int all = c->arg[1].given && c->arg[1].i;
  sqlite3_int64 nRuns = 0, nItems = 0, nSuspended = 0, nTimedOut;
  RunLink *runs, *live = NULL, **liveTail = &live;
  InputLink *cancelled = NULL;
  Query q;
  Json j;
  if (owner.z) {
    q = ts_query(c, SQL_RUNS_OF_OWNER, "t", &owner);
  } else if (all) {
    q = ts_query(c, SQL_RUNS_ALL, "");
  } else {
    q = ts_query(c, SQL_RUNS_EXPIRED, "ii", c->now, TURNSTILE_MAX_INTEGER);
  }
  runs = collectRuns(c, &q);
  nTimedOut = timeOutWorkers(c);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_key(&j, "sessions");
  ts_json_open(&j, '[');
  for (RunLink *link = runs, *next; link && c->rc == SQLITE_OK; link = next) {
    Session s;
    next = link->next;
    /* A merged session's run belongs to its own row, not to the primary's. */
    ts_session_load_exact(c, link->label, &s);
    if (!s.exists || s.run.state == RUN_IDLE) continue;
    /* A name does not prove that nobody works: another process may have it. */
    if (!all && s.run.turnId && ts_run_live(c, &s.run)) {
      link->next = NULL;
      *liveTail = link;
      liveTail = &link->next;
      continue;
    }
    nItems += ts_run_reset(c, &s, link->state, "restart");
    ts_queue_list_off(&cancelled, s.calledOff);
    nRuns++;
    ts_session_load(c, link->label, &s);
    if (s.status == STATUS_ACTIVE && ts_text_equal(s.label, link->label)) {
      ts_session_move(c, &s, STATUS_SUSPENDED, TS_TEXT("restart"));
      ts_session_save(c, &s);
      nSuspended++;
    }
    ts_json_text(&j, link->label);
  }
  nItems += takeBackOrphans(c, &j, &cancelled);
  ts_json_close(&j, ']');
  ts_json_put_int(&j, "runs_reset", nRuns);
  ts_json_put_int(&j, "sessions_suspended", nSuspended);
  ts_json_put_int(&j, "items_given_back", nItems);
  ts_json_put_int(&j, "workers_timed_out", nTimedOut);
  ts_queue_put(&j, "cancelled", cancelled, 0);
  ts_json_key(&j, "live");
  ts_json_open(&j, '[');
  for (; live; live = live->next)
    ts_json_text(&j, live->label);
  ts_json_close(&j, ']');
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_turnstile_startup = {"turnstile_startup", runStartup, 0,
                                          TS_ARGS(1, startupArgs), NULL};
