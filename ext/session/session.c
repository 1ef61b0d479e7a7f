/*
** session.c - loading, creating and saving sessions; events; the status axis.
*/
#include "session.h"

#include "ids.h"
#include "json.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* A merged session points at its primary. Pointers are flat; the bound only protects against a loop
** of rows that plain SQL wrote. */
#define MAX_HOPS 8

static int findState(Cmd *c, const Machine *m, Text name, const char *column) {
  int i = ts_state_find(m, name.z ? name.z : "", name.n);
  if (i >= 0) return i;
  ts_fail(c, SQLITE_CORRUPT_VTAB, "%s holds '%.*s', which is no %s state", column, name.n,
          name.z ? name.z : "", m->axis);
  return 0;
}

Source ts_source_find(Text name) {
  for (int i = 0; i < SOURCE_COUNT; i++) {
    if (ts_text_is(name, ts_source_names[i])) return (Source)i;
  }
  return SOURCE_USER;
}

static void readSession(Cmd *c, Query *q, Session *s) {
  Text source;
  s->exists = 1;
  s->label = ts_col_text(c, q, COL_SESSION_LOAD_LABEL);
  s->status = (SessionStatus)findState(
      c, &ts_status_machine, ts_col_text(c, q, COL_SESSION_LOAD_STATUS), "sessions.status");
  s->statusReason = ts_col_text(c, q, COL_SESSION_LOAD_STATUS_REASON);
  s->pendingChoice = ts_col_text(c, q, COL_SESSION_LOAD_PENDING_CHOICE);
  source = ts_col_text(c, q, COL_SESSION_LOAD_WORK_SOURCE);
  s->workSource = ts_source_find(source);
  s->offered = !ts_col_null(q, COL_SESSION_LOAD_OFFERED_AT);
  s->offeredAt = ts_col_int(q, COL_SESSION_LOAD_OFFERED_AT);
  s->createdAt = ts_col_int(q, COL_SESSION_LOAD_CREATED_AT);
  s->lastActivity = ts_col_int(q, COL_SESSION_LOAD_LAST_ACTIVITY);
  s->personaId = ts_col_text(c, q, COL_SESSION_LOAD_PERSONA_ID);
  s->supersededBy = ts_col_text(c, q, COL_SESSION_LOAD_SUPERSEDED_BY);
  s->origin = ts_col_text(c, q, COL_SESSION_LOAD_ORIGIN);
  s->archived = !ts_col_null(q, COL_SESSION_LOAD_ARCHIVED_AT);
  s->archivedAt = ts_col_int(q, COL_SESSION_LOAD_ARCHIVED_AT);
  s->resumeCursor = ts_col_text(c, q, COL_SESSION_LOAD_RESUME_CURSOR);
  s->isSubagent = ts_col_int(q, COL_SESSION_LOAD_IS_SUBAGENT) != 0;
  s->head = ts_col_int(q, COL_SESSION_LOAD_THREAD_ID);
  s->queueMode = ts_col_text(c, q, COL_SESSION_LOAD_QUEUE_MODE);
  s->parentLabel = ts_col_text(c, q, COL_SESSION_LOAD_PARENT_SESSION_LABEL);
  s->taskStatus = ts_col_text(c, q, COL_SESSION_LOAD_TASK_STATUS);
  s->lastUsed = ts_col_int(q, COL_SESSION_LOAD_LAST_USED);
  s->deadline = ts_col_int(q, COL_SESSION_LOAD_DEADLINE);
  s->timeout = ts_col_int(q, COL_SESSION_LOAD_TIMEOUT);
  s->headEvent = ts_col_null(q, COL_SESSION_LOAD_HEAD_EVENT_ID)
                     ? -1
                     : ts_col_int(q, COL_SESSION_LOAD_HEAD_EVENT_ID);
  if (!ts_col_null(q, COL_SESSION_LOAD_RUN_STATE)) {
    s->run.exists = 1;
    s->run.state =
        (RunState)findState(c, &ts_run_machine, ts_col_text(c, q, COL_SESSION_LOAD_RUN_STATE),
                            "session_runs.run_state");
    s->run.owner = ts_col_text(c, q, COL_SESSION_LOAD_OWNER);
    s->run.data = ts_col_text(c, q, COL_SESSION_LOAD_DATA);
    s->run.hasHeartbeat = !ts_col_null(q, COL_SESSION_LOAD_HEARTBEAT_AT);
    s->run.heartbeatAt = ts_col_int(q, COL_SESSION_LOAD_HEARTBEAT_AT);
    s->run.hasLease = !ts_col_null(q, COL_SESSION_LOAD_EXPIRES_AT);
    s->run.expiresAt = ts_col_int(q, COL_SESSION_LOAD_EXPIRES_AT);
    s->run.token = ts_col_int(q, COL_SESSION_LOAD_TOKEN);
    s->run.turnId = ts_col_int(q, COL_SESSION_LOAD_TURN_ID);
    s->run.lease = ts_col_int(q, COL_SESSION_LOAD_LEASE);
    s->run.failedTurn = ts_col_int(q, COL_SESSION_LOAD_FAILED_TURN_ID);
  }
}

/* Its open task at the moment of the session's row: that statement is still open. (In a join, a
** table that the statistics call tiny would be read as a whole.) */
static void readTask(Cmd *c, sqlite3_int64 id, Session *s) {
  Query q = ts_query(c, SQL_SESSION_TASK, "i", id);
  if (ts_row(c, &q)) {
    s->task.id = id;
    s->task.description = ts_col_text(c, &q, COL_SESSION_TASK_DESCRIPTION);
    s->task.state = (TaskState)findState(c, &ts_task_machine,
                                         ts_col_text(c, &q, COL_SESSION_TASK_STATE), "tasks.state");
    s->task.stateData = ts_col_text(c, &q, COL_SESSION_TASK_STATE_DATA);
    s->task.startedAt = ts_col_int(&q, COL_SESSION_TASK_STARTED_AT);
    s->task.headStepId = ts_col_text(c, &q, COL_SESSION_TASK_HEAD_STEP_ID);
    s->task.baseCommitId = ts_col_text(c, &q, COL_SESSION_TASK_BASE_COMMIT_ID);
    s->task.worked = ts_col_int(&q, COL_SESSION_TASK_WORKED) != 0;
    s->task.askedAfter = ts_col_int(&q, COL_SESSION_TASK_ASKED_AFTER);
  }
  ts_end(c, &q);
}

static SavedSession savedOf(const Session *s) {
  return (SavedSession){
      .isKnown = 1,
      .status = s->status,
      .statusReason = s->statusReason.z,
      .pendingChoice = s->pendingChoice.z,
      .taskId = s->task.id,
      .offered = s->offered,
      .offeredAt = s->offered ? s->offeredAt : 0,
      .archived = s->archived,
      .archivedAt = s->archived ? s->archivedAt : 0,
      .lastActivity = s->lastActivity,
      .lastUsed = s->lastUsed,
  };
}

/* Are they equal except for the last activity and use? */
static int savedAlike(const SavedSession *a, const SavedSession *b) {
  return a->isKnown && b->isKnown && a->status == b->status && a->statusReason == b->statusReason &&
         a->pendingChoice == b->pendingChoice && a->taskId == b->taskId &&
         a->offered == b->offered && a->offeredAt == b->offeredAt && a->archived == b->archived &&
         a->archivedAt == b->archivedAt;
}

void ts_session_load_exact(Cmd *c, Text label, Session *s) {
  Query q;
  memset(s, 0, sizeof(*s));
  s->label = label;
  s->headEvent = -1;
  q = ts_query(c, SQL_SESSION_LOAD, "t", &label);
  if (ts_row(c, &q)) {
    readSession(c, &q, s);
    if (!ts_col_null(&q, COL_SESSION_LOAD_OPEN_TASK_ID))
      readTask(c, ts_col_int(&q, COL_SESSION_LOAD_OPEN_TASK_ID), s);
    s->saved = savedOf(s);
  }
  ts_end(c, &q);
}

void ts_session_load(Cmd *c, Text label, Session *s) {
  Text via = {NULL, 0};
  for (int hop = 0; hop < MAX_HOPS; hop++) {
    Text target = {NULL, 0};
    Query q;
    ts_session_load_exact(c, label, s);
    s->via = via;
    if (c->rc != SQLITE_OK || (s->exists && !s->supersededBy.z)) return;
    if (s->exists) {
      target = s->supersededBy;
      if (!via.z) via = label;
    } else {
      q = ts_query(c, SQL_ALIAS_TARGET, "t", &label);
      if (ts_row(c, &q)) {
        target = ts_col_text(c, &q, COL_ALIAS_TARGET_SESSION_LABEL);
        via = ts_col_text(c, &q, COL_ALIAS_TARGET_HOME);
      }
      ts_end(c, &q);
      if (!target.z) return;
    }
    label = target;
  }
  ts_fail(c, SQLITE_CORRUPT_VTAB, "session '%.*s' is superseded in a loop", label.n, label.z);
}

void ts_session_load_named(Cmd *c, Text label, Session *s) {
  ts_session_load_exact(c, label, s);
  if (c->rc == SQLITE_OK && !s->exists) ts_session_load(c, label, s);
}

void ts_session_load_to_read(Cmd *c, Text label, int own, Session *s) {
  if (own) {
    ts_session_load_named(c, label, s);
  } else {
    ts_session_load(c, label, s);
  }
}

void ts_session_require(Cmd *c, Text label, Session *s) {
  ts_session_load(c, label, s);
  if (c->rc == SQLITE_OK && !s->exists) {
    /* A table-valued function takes a label of any length. */
    const char *shown = label.n > TURNSTILE_MAX_LABEL ? ts_excerpt(c, label)
                                                      : ts_printf(c, "%.*s", label.n, label.z);
    ts_fail(c, SQLITE_ERROR, "there is no session '%s'; session_deliver or session_start makes one",
            shown);
  }
}

void ts_label_want_free(Cmd *c, Text label) {
  Session s;
  int isAlias;
  Query q;
  ts_session_load_exact(c, label, &s);
  q = ts_query(c, SQL_ALIAS_TARGET, "t", &label);
  isAlias = ts_row(c, &q);
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && (s.exists || isAlias)) {
    ts_fail(c, SQLITE_CONSTRAINT, "label '%.*s' is taken by %s; choose another one", label.n,
            label.z, s.exists ? "a session" : "an alias");
  }
}

void ts_session_create(Cmd *c, Session *s, Text persona, Source source) {
  int user = source == SOURCE_USER;
  ts_exec(c, SQL_SESSION_CREATE, "ttsis", &s->label, &persona, user ? "user" : "system", c->now,
          ts_source_names[source]);
  s->exists = 1;
  s->status = STATUS_ACTIVE;
  s->personaId = persona;
  s->origin = user ? TS_TEXT("user") : TS_TEXT("system");
  s->workSource = source;
  s->createdAt = s->lastActivity = c->now;
  ts_event(c, s, "status", NULL, "active", "create", (Text){NULL, 0});
}

void ts_session_save(Cmd *c, Session *s) {
  SavedSession before = s->saved;
  s->saved = savedOf(s);
  if (savedAlike(&before, &s->saved)) {
    const char *source = ts_source_names[s->workSource];
    if (before.lastUsed != s->lastUsed) {
      ts_exec(c, SQL_SESSION_USED, "tsiii", &s->label, source, s->lastActivity, c->now,
              s->lastUsed);
    } else if (before.lastActivity == s->lastActivity) {
      ts_exec(c, SQL_SESSION_SEEN, "tsi", &s->label, source, c->now);
    } else {
      ts_exec(c, SQL_SESSION_ACTIVE, "tsii", &s->label, source, s->lastActivity, c->now);
    }
    return;
  }
  ts_exec(c, SQL_SESSION_SAVE, "tstt?s??iii", &s->label, ts_status_machine.states[s->status],
          &s->statusReason, &s->pendingChoice, s->task.id != 0, s->task.id,
          ts_source_names[s->workSource], s->offered, s->offeredAt, s->archived, s->archivedAt,
          s->lastActivity, c->now, s->lastUsed);
}

#define USE_STEP 3600000 /* an hour */

/* A moment, rounded to the full hour. */
static sqlite3_int64 fullHour(sqlite3_int64 at) {
  at = (at + USE_STEP - 1) / USE_STEP * USE_STEP;
  return at < TURNSTILE_MAX_INTEGER ? at : TURNSTILE_MAX_INTEGER;
}

/* A time of use, as it is kept; never in the future. */
static void usedAt(const Cmd *c, Session *s, sqlite3_int64 at) {
  if (at > c->now) at = c->now;
  if (s->lastUsed > fullHour(c->now)) s->lastUsed = fullHour(c->now);
  if (at <= s->lastActivity || at <= s->lastUsed) return;
  s->lastUsed = fullHour(at);
}

void ts_session_use(const Cmd *c, Session *s) {
  usedAt(c, s, c->now);
}

void ts_session_used_until(Cmd *c, Session *s, sqlite3_int64 at) {
  usedAt(c, s, at);
  if (!s->exists || s->lastUsed == s->saved.lastUsed) return;
  ts_exec(c, SQL_SESSION_USED_UNTIL, "ti", &s->label, s->lastUsed);
  s->saved.lastUsed = s->lastUsed;
}

void ts_session_touch(const Cmd *c, Session *s, Source source) {
  if (source == SOURCE_USER || s->isSubagent) s->lastActivity = c->now;
  ts_session_use(c, s);
}

sqlite3_int64 ts_session_idle(const Cmd *c, const Session *s) {
  return c->now > s->lastActivity ? c->now - s->lastActivity : 0;
}

void ts_fail_move(Cmd *c, const Machine *m, int from, int to) {
  sqlite3_str *list = sqlite3_str_new(c->db);
  Text reachable;
  for (int i = 0; i < m->nStates; i++) {
    if (!ts_state_move(m, from, i)) continue;
    sqlite3_str_appendf(list, "%s%s", sqlite3_str_length(list) ? ", " : "", m->states[i]);
    /* A task ends by a command of its own. */
    if (m == &ts_task_machine && i == TASK_NONE) {
      sqlite3_str_appendall(list, from == TASK_COMPLETE || from == TASK_ABORTED
                                      ? " (by session_compact)"
                                      : " (by a commit)");
    }
  }
  reachable = ts_finish(c, list);
  ts_fail(c, SQLITE_CONSTRAINT, "the %s is %s and can't become %s; from %s it can become: %.*s",
          m->axis, m->states[from], m->states[to], m->states[from], reachable.n, reachable.z);
}

void ts_event(Cmd *c, const Session *s, const char *axis, const char *from, const char *to,
              const char *trigger, Text data) {
  ts_insert_new(c, ID_EVENT, SQL_EVENT_ADD, "t?ssssti", &s->label, s->task.id != 0, s->task.id,
                axis, from, to, trigger, &data, c->now);
}

int ts_is_ahead(const Cmd *c, sqlite3_int64 at) {
  return at > c->now && at - c->now > TURNSTILE_CLOCK_STEP;
}

int ts_run_live(const Cmd *c, const Run *run) {
  return ts_run_holds(c, run) && !ts_is_ahead(c, run->heartbeatAt);
}

int ts_run_holds(const Cmd *c, const Run *run) {
  return run->exists && run->hasLease && run->expiresAt > c->now &&
         (run->state == RUN_STARTING || run->state == RUN_RUNNING || run->state == RUN_INTERRUPTED);
}

Text ts_state_field(Cmd *c, Text stateData, const char *path) {
  Text value = {NULL, 0};
  Query q;
  if (!stateData.z) return (Text){NULL, 0};
  q = ts_query(c, SQL_JSON_GET, "ts", &stateData, path);
  if (ts_row(c, &q)) value = ts_col_text(c, &q, COL_JSON_GET_VALUE);
  ts_end(c, &q);
  return value;
}

Text ts_task_field(Cmd *c, const Session *s, const char *path) {
  return ts_state_field(c, s->task.stateData, path);
}

/* What is open in a session that takes no more inputs waits visibly. (An update without a row costs
** several times as much as a look.) */
static void holdInputs(Cmd *c, const Session *s) {
  Query q = ts_query(c, SQL_SESSION_HOLDING, "t", &s->label);
  int any = ts_row(c, &q);
  ts_end(c, &q);
  if (any) ts_exec(c, SQL_SESSION_HOLDS, "t", &s->label);
}

void ts_session_set_status(Cmd *c, Session *s, SessionStatus to, Text reason) {
  const Transition *t = ts_state_move(&ts_status_machine, s->status, to);
  if (!t) {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' is %s and can't become %s", s->label.n,
            s->label.z, ts_status_machine.states[s->status], ts_status_machine.states[to]);
    return;
  }
  ts_event(c, s, "status", ts_status_machine.states[s->status], ts_status_machine.states[to],
           t->trigger, reason.z ? ts_json_pair(c, "reason", reason) : reason);
  s->status = to;
  s->statusReason = reason;
  s->archived = to == STATUS_ARCHIVED;
  s->archivedAt = c->now;
  if (to != STATUS_ACTIVE) holdInputs(c, s);
}
