/*
** report.c - session_report(): a worker reports how its task has ended.
*/
#include "spawn.h"

#include "args.h"
#include "called_off.h"
#include "end_task.h"
#include "task.h"
#include "workers.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

enum { REPORT_WORKER, REPORT_STATUS, REPORT_RESULT, REPORT_TASK };

static const ArgSpec reportArgs[] = {{"worker", ARG_LABEL, 1},
                                     {"status", ARG_TEXT, 1},
                                     {"result", ARG_MESSAGE, 1},
                                     {"task_id", ARG_INT, 0}};

enum { REPORTED_COMPLETED, REPORTED_FAILED };

static const char *const reportStates[] = {LIST_WORKER_END};

typedef struct Report {
  Session s;
  sqlite3_int64 task; /* its task; 0: the worker has had no task */
  int status;         /* REPORTED_… */
  Text result;
} Report;

/* How the task has ended, by its state: the commit may come later or never. -1: it is open, or was
** saved. */
static int endOf(Cmd *c, const Report *r) {
  const Session *s = &r->s;
  Text type = none;
  Query q;
  if (r->task && r->task == s->task.id) {
    return s->task.state == TASK_COMPLETE  ? REPORTED_COMPLETED
           : s->task.state == TASK_ABORTED ? REPORTED_FAILED
                                           : -1;
  }
  q = ts_query(c, SQL_WORKER_TASK_END, "ti", &s->label, r->task);
  if (ts_row(c, &q)) type = ts_col_text(c, &q, COL_WORKER_TASK_END_COMMIT_TYPE);
  ts_end(c, &q);
  if (ts_text_is(type, ts_commit_types[COMMIT_NORMAL])) return REPORTED_COMPLETED;
  if (ts_text_is(type, ts_commit_types[COMMIT_ABANDONED])) return REPORTED_FAILED;
  /* A saved task may still be reported. */
  if (ts_text_is(type, ts_commit_types[COMMIT_STALE_AUTO_COMPACT])) return -1;
  /* It was stopped when no task was open any more. */
  return !s->task.id && ts_text_is(s->taskStatus, "failed") ? REPORTED_FAILED : -1;
}

/* The input of a report in the parent, or in the session that the parent was merged into. */
static void returnQueued(Cmd *c, const Session *s, sqlite3_int64 event) {
  /* The second is what reports were called once. */
  const char *names[] = {ts_printf(c, "report:%lld", event), "report"};
  Text channel = TS_TEXT("worker"), decision = none;
  Session parent;
  if (!s->parentLabel.z) return;
  ts_session_load(c, s->parentLabel, &parent);
  for (int i = 0; i < 2 && !decision.z && c->rc == SQLITE_OK; i++) {
    Text id = {names[i], (int)strlen(names[i])};
    Query q = ts_query(c, SQL_DELIVERY_SEEN, "ttttnn", &parent.label, &id, &channel, &s->label);
    if (ts_row(c, &q)) decision = ts_col_text(c, &q, COL_DELIVERY_SEEN_DECISION);
    ts_end(c, &q);
  }
  if (decision.z) {
    Query q = ts_query(c, SQL_JSON_GET, "ts", &decision, "$.queue_id");
    if (ts_row(c, &q) && !ts_col_null(&q, COL_JSON_GET_VALUE))
      ts_return_int(c, ts_col_int(&q, COL_JSON_GET_VALUE));
    ts_end(c, &q);
  }
}

/* Another report than the first one would be lost. */
static void failReported(Cmd *c, const Report *r, Text status, const char *how) {
  const char *before = ts_printf(c, "%.*s%s", status.n, status.z, how);
  ts_fail(c, SQLITE_CONSTRAINT,
          "worker '%.*s' has reported before, %s; tell '%.*s' anything else by queue_push",
          r->s.label.n, r->s.label.z, before ? before : "", r->s.parentLabel.n,
          r->s.parentLabel.z ? r->s.parentLabel.z : "");
}

/* A task has one report: repeating it returns what the first call returned. When nobody waits for
** the task any more, every text is kept. Returns 0 when the report is new. */
static int answerAgain(Cmd *c, const Report *r) {
  Text status = none, said = none, how = none;
  sqlite3_int64 event = 0;
  Query q = ts_query(c, SQL_WORKER_REPORTED, "tist", &r->s.label, r->task, reportStates[r->status],
                     &r->result);
  if (ts_row(c, &q)) {
    event = ts_col_int(&q, COL_WORKER_REPORTED_ID);
    how = ts_col_text(c, &q, COL_WORKER_REPORTED_TRIGGER);
    status = ts_col_text(c, &q, COL_WORKER_REPORTED_TO_STATE);
    said = ts_col_text(c, &q, COL_WORKER_REPORTED_RESULT);
  }
  ts_end(c, &q);
  if (!event || c->rc != SQLITE_OK) return c->rc != SQLITE_OK;
  if (!ts_text_is(status, reportStates[r->status]) || !ts_text_equal(said, r->result)) {
    if (ts_text_is(how, "late")) return 0;
    failReported(c, r, status, ts_text_equal(said, r->result) ? "" : ", with another result");
  } else if (ts_text_is(how, "report")) {
    returnQueued(c, &r->s, event);
  }
  return 1;
}

/* The event's states say what was reported, whatever happened to the worker. */
static sqlite3_int64 recordReport(Cmd *c, const Report *r, const char *what) {
  Session s = r->s;
  s.taskStatus = (Text){reportStates[r->status], (int)strlen(reportStates[r->status])};
  return ts_worker_record(c, &s, r->task, what, "result", r->result);
}

/* For a saved task: its commit exists, and the input with the task may still wait, or have failed.
** */
static void settleSaved(Cmd *c, const Report *r) {
  Task task;
  Query q = ts_query(c, SQL_WORKER_TASK_GIVEN, "i", r->task);
  memset(&task, 0, sizeof(task));
  if (ts_row(c, &q)) {
    task.id = r->task;
    task.description = ts_col_text(c, &q, COL_WORKER_TASK_GIVEN_DESCRIPTION);
    task.startedAt = ts_col_int(&q, COL_WORKER_TASK_GIVEN_STARTED_AT);
  }
  ts_end(c, &q);
  if (task.id) ts_worker_settle_task(c, &r->s, &task);
}

/* The report ends its task. */
static void endByReport(Cmd *c, Report *r) {
  Session *s = &r->s;
  int failed = r->status == REPORTED_FAILED;
  Text result = r->result;
  /* This comes first: nobody needs a message that the task has ended. */
  ts_worker_set_status(c, s, failed ? TS_TEXT("failed") : TS_TEXT("completed"));
  if (s->task.id) {
    ts_task_worked(c, s); /* a report is */
    ts_task_end(c, s, failed ? COMMIT_ABANDONED : COMMIT_NORMAL, ts_describe(c, result, 200),
                failed ? result : none);
  } else {
    settleSaved(c, r);
  }
  ts_session_save(c, s);
  ts_answers_called_off(c, s);
  ts_exec(c, SQL_WORKER_DONE, "t", &s->label);
}

static void findTask(Cmd *c, Report *r) {
  Query q;
  sqlite3_int64 found = 0;
  r->task = ts_worker_newest_task(c, &r->s);
  if (!c->arg[REPORT_TASK].given || c->rc != SQLITE_OK) return;
  r->task = c->arg[REPORT_TASK].i;
  q = ts_query(c, SQL_WORKER_HAD_TASK, "ti", &r->s.label, r->task);
  found = ts_row(c, &q);
  ts_end(c, &q);
  if (!found && c->rc == SQLITE_OK) {
    ts_fail(c, SQLITE_ERROR, "task_id is %lld, which is not a task of worker '%.*s'", r->task,
            r->s.label.n, r->s.label.z);
  }
}

static void findWorker(Cmd *c, Session *s) {
  Text label = c->arg[REPORT_WORKER].text;
  ts_session_load_exact(c, label, s);
  if (!s->exists) ts_session_load(c, label, s); /* by an alias */
  if (c->rc == SQLITE_OK && (!s->exists || !s->isSubagent)) {
    ts_fail(c, SQLITE_ERROR, "%s '%.*s'; session_spawn makes one",
            s->exists ? "this session is not a worker:" : "there is no worker", label.n, label.z);
  }
}

static void runReport(Cmd *c) {
  Report r;
  sqlite3_int64 input;
  int end;
  memset(&r, 0, sizeof(r));
  r.status = ts_arg_word(c, "status", c->arg[REPORT_STATUS].text, reportStates, 2);
  r.result = c->arg[REPORT_RESULT].text;
  if (r.status < 0) return;
  findWorker(c, &r.s);
  findTask(c, &r);
  if (c->rc != SQLITE_OK || answerAgain(c, &r)) return;
  end = endOf(c, &r);
  if (end == REPORTED_COMPLETED && r.status == REPORTED_FAILED) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "the task of worker '%.*s' has ended completed; it can't be reported failed",
            r.s.label.n, r.s.label.z);
    return;
  }
  ts_task_settle(c, &r.s); /* what a transition has left Complete or Aborted */
  ts_session_save(c, &r.s);
  if (end == REPORTED_FAILED) {
    recordReport(c, &r, "late"); /* nobody waits for it, but it was said */
    return;
  }
  /* A report of an earlier task says nothing about the present one. */
  if (r.task == ts_worker_newest_task(c, &r.s)) {
    endByReport(c, &r);
    ts_worker_cancel_untaken(c, &r.s, "died:", "it has reported");
  }
  input = ts_worker_tell(c, &r.s, "report", recordReport(c, &r, "report"), r.result);
  if (input) ts_return_int(c, input);
}

const CommandSpec ts_session_report = {"session_report", runReport, 0, TS_ARGS(3, reportArgs),
                                       NULL};
