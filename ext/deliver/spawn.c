/*
** spawn.c - subagents.
**
**   SELECT session_spawn('main', 'find every caller of post()');       -- worker:01J…
**   SELECT session_report('worker:01J…', 'completed', '12 callers');   -- into main's queue
**
** A worker is a session of its own with an open task and that task as its first input. It names its
** parent, the turn and the tool call that spawned it; the view session_workers shows the link from
** both sides. Its report ends the task and puts one durable message into the parent's queue, however
** often it is called: one report for each task that the worker has had. What it says when nobody waits
** any more is kept as well. A worker is never prompted, and stops when its parent's task is called off.
**
** A worker that can't go on wakes its parent: one input says which worker it is, and what happened.
** task_status says whether somebody still has to: pending and running wait for a report; of completed
** and failed the parent knows, or will by the report. So it follows the task's state at once, not only
** its commit. What was said is an event of the axis worker, under the task that it is about.
*/
#include "spawn.h"

#include "args.h"
#include "choice.h"
#include "config.h"
#include "deliver.h"
#include "identity.h"
#include "json.h"
#include "lease.h"
#include "queue.h"
#include "task.h"
#include "ulid.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

#define MAX_LEVELS 128 /* of workers of workers; only damaged links go further */

/* ---- What a worker says ------------------------------------------------------------------------- */

int ts_worker_works(const Session *s) {
  return s->isSubagent &&
         (ts_text_is(s->taskStatus, "pending") || ts_text_is(s->taskStatus, "running"));
}

static void setStatus(Cmd *c, Session *s, Text status) {
  s->taskStatus = status;
  ts_exec(c, SQL_WORKER_STATUS, "tt", &s->label, &status);
}

/* The event by which a worker's word is known: under the task, with the text. Returns its id. */
static sqlite3_int64 record(Cmd *c, const Session *s, sqlite3_int64 task, const char *what,
                            const char *key, Text said) {
  Text data = ts_json_pair(c, key, said);
  return ts_insert_new(c, ID_EVENT, SQL_EVENT_ADD, "t?sttsti", &s->label, task != 0, task, "worker",
                       &s->taskStatus, &s->taskStatus, what, &data, c->now);
}

/* One message in the parent's queue, whatever the parent is doing. 0: there is no parent. */
static sqlite3_int64 tell(Cmd *c, const Session *s, const char *what, sqlite3_int64 event,
                          Text message) {
  const char *id = ts_printf(c, "%s:%lld", what, event);
  Session parent;
  Inbound in;
  if (!id || !s->parentLabel.z) return 0;
  ts_session_load(c, s->parentLabel, &parent);
  if (!parent.exists || c->rc != SQLITE_OK) return 0;
  memset(&in, 0, sizeof(in));
  in.message = message;
  in.messageId = (Text){id, (int)strlen(id)};
  in.channel = TS_TEXT("worker");
  in.sender = s->label;
  in.source = SOURCE_AGENT;
  in.cls = CLASS_UNKNOWN;
  in.isExempt = 1; /* it is never lost */
  return ts_queue_push(c, &parent, &in);
}

/* The worker's newest task: the open one, or the last that it had. 0: none. */
static sqlite3_int64 newestTask(Cmd *c, const Session *s) {
  sqlite3_int64 id = s->task.id;
  Query q;
  if (id) return id;
  q = ts_query(c, SQL_WORKER_TASK, "t", &s->label);
  if (ts_row(c, &q)) id = ts_col_int(&q, 0);
  ts_end(c, &q);
  return id;
}

/* It can't go on. Told once: a parent that knows is not told again, until the worker works anew. */
static void hasFailed(Cmd *c, Session *s, const char *what, Text reason) {
  Text text;
  if (!ts_worker_works(s) || c->rc != SQLITE_OK) return;
  setStatus(c, s, TS_TEXT("failed"));
  text = ts_fill(c, s->label, "worker.failed", "worker", s->label, "reason", reason);
  tell(c, s, what, record(c, s, newestTask(c, s), what, "reason", reason), text);
}

void ts_worker_died(Cmd *c, Session *s, Text reason) {
  hasFailed(c, s, "died", reason);
}

void ts_worker_stuck(Cmd *c, Session *s, sqlite3_int64 turn) {
  Text error = none;
  Query q;
  if (!ts_worker_works(s)) return;
  q = ts_query(c, SQL_WORKER_FAILED_INPUT, "ti", &s->label, turn);
  if (ts_row(c, &q)) error = ts_col_text(c, &q, 0);
  ts_end(c, &q);
  if (error.z) ts_worker_died(c, s, error);
}

/* Of what waits in the parent's queue, what this worker has said whose message_id begins so. */
static InputLink *untaken(Cmd *c, const Session *s, const char *begins) {
  Session parent;
  InputLink *list, **at = &list;
  if (!s->parentLabel.z || c->rc != SQLITE_OK) return NULL;
  ts_session_load(c, s->parentLabel, &parent);
  list = parent.exists ? ts_queue_waits(c, &parent, TS_MAX_INPUTS) : NULL;
  while (*at) {
    const Inbound *in = (*at)->in;
    int isIts = in->source == SOURCE_AGENT && ts_text_is(in->channel, "worker") &&
                ts_text_equal(in->sender, s->label) && in->messageId.z &&
                strncmp(in->messageId.z, begins, strlen(begins)) == 0;
    if (isIts) {
      at = &(*at)->next;
    } else {
      *at = (*at)->next;
    }
  }
  return list;
}

static void cancelUntaken(Cmd *c, const Session *s, const char *begins, const char *why) {
  InputLink *list = untaken(c, s, begins);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    ts_exec(c, SQL_QUEUE_END, "isis", list->in->queueId, "cancelled", c->now, why);
}

/* A question that the parent was not given yet, and that nobody asks any more: its answer would be one to
** nothing. */
static void withdraw(Cmd *c, const Session *s) {
  cancelUntaken(c, s, "question:", "nobody asks it any more");
}

void ts_worker_deleted(Cmd *c, Session *s) {
  if (s->isSubagent && s->task.state == TASK_AWAITING_USER) withdraw(c, s);
  ts_worker_died(c, s, TS_TEXT("its session was deleted"));
}

void ts_worker_halted(Cmd *c, Session *s, Text reason) {
  if (!ts_worker_works(s) || c->rc != SQLITE_OK) return;
  if (s->task.state == TASK_AWAITING_USER || ts_run_live(c, &s->run)) return;
  if (!ts_queue_waits(c, s, 1)) ts_worker_died(c, s, reason);
}

void ts_worker_saved(Cmd *c, Session *s) {
  const char *reason;
  if (!ts_worker_works(s) || c->rc != SQLITE_OK) return;
  reason = ts_printf(c, "its task lay idle for %s", ts_words(c, ts_session_idle(c, s)).z);
  if (reason) ts_worker_died(c, s, (Text){reason, (int)strlen(reason)});
}

/* A question is asked once, however often its state is reported. */
static void asks(Cmd *c, const Session *s, Text before) {
  Text question = ts_task_field(c, s, "$.question"), text;
  if (before.z && ts_text_equal(question, ts_state_field(c, before, "$.question"))) return;
  if (before.z) withdraw(c, s);
  text = ts_fill(c, s->label, "worker.question", "worker", s->label, "question", question);
  tell(c, s, "question", record(c, s, s->task.id, "question", "question", question), text);
}

void ts_worker_moved(Cmd *c, Session *s, TaskState from, Text before) {
  if (!s->isSubagent || c->rc != SQLITE_OK) return;
  if (from == TASK_AWAITING_USER && s->task.state != from) withdraw(c, s);
  switch (s->task.state) {
  case TASK_AWAITING_USER: asks(c, s, from == TASK_AWAITING_USER ? before : none); break;
  case TASK_COMPLETE: setStatus(c, s, TS_TEXT("completed")); break;
  case TASK_ABORTED: hasFailed(c, s, "failed", ts_task_field(c, s, "$.reason")); break;
  default: break;
  }
}

/* How the last task has ended. */
typedef struct LastEnd {
  sqlite3_int64 task; /* 0: none has */
  Text type;          /* of the commit, also of one that was not made */
  int undone;         /* by an undo of its parent's */
  Task saved;         /* the task; id 0 without a commit */
} LastEnd;

static void loadLastEnd(Cmd *c, Text label, LastEnd *end) {
  Query q = ts_query(c, SQL_WORKER_LAST_END, "t", &label);
  memset(end, 0, sizeof(*end));
  if (ts_row(c, &q)) {
    end->task = ts_col_int(&q, 0);
    end->type = ts_col_text(c, &q, 1);
    end->saved.id = ts_col_null(&q, 2) ? 0 : end->task;
    end->saved.description = ts_col_text(c, &q, 3);
    end->saved.stateData = ts_col_text(c, &q, 4);
    end->undone = ts_text_is(ts_col_view(&q, 5), TS_REASON_UNDONE);
  }
  ts_end(c, &q);
}

int ts_worker_was_undone(Cmd *c, Text label) {
  LastEnd end;
  loadLastEnd(c, label, &end);
  return end.undone;
}

static int leftUnanswered(Cmd *c, const Session *s, sqlite3_int64 task) {
  int unanswered = 0;
  Query q = ts_query(c, SQL_WORKER_UNANSWERED, "ti", &s->label, task);
  if (ts_row(c, &q)) unanswered = ts_col_int(&q, 0) != 0;
  ts_end(c, &q);
  return unanswered;
}

/* Does the parent know that this task has ended? It called it off itself, or has taken what says so. */
static int parentKnows(Cmd *c, const Session *s, sqlite3_int64 task, Text type) {
  const char *id = NULL;
  int isQuestion = 1;
  Query q = ts_query(c, SQL_WORKER_LAST_WORD, "ti", &s->label, task);
  if (ts_row(c, &q)) {
    Text trigger = ts_col_text(c, &q, 1);
    isQuestion = ts_text_is(trigger, "question");
    id = ts_printf(c, "%s:%lld", trigger.z ? trigger.z : "", ts_col_int(&q, 0));
  }
  ts_end(c, &q);
  if (isQuestion || !id) return ts_text_is(type, ts_commit_types[COMMIT_ABANDONED]);
  return untaken(c, s, id) == NULL;
}

MeantFor ts_worker_meant(Cmd *c, const Session *s, Task *saved) {
  LastEnd end;
  int wasSaved;
  memset(saved, 0, sizeof(*saved));
  if (!s->isSubagent || s->task.id || c->rc != SQLITE_OK) return MEANT_NEXT;
  loadLastEnd(c, s->label, &end);
  *saved = end.saved;
  wasSaved = saved->id && ts_text_is(end.type, ts_commit_types[COMMIT_STALE_AUTO_COMPACT]);
  if (!end.task || (!wasSaved && !leftUnanswered(c, s, end.task))) return MEANT_NEXT;
  /* Whoever answers has asked before the undo. */
  if (!end.undone && parentKnows(c, s, end.task, end.type)) return MEANT_NEXT;
  return wasSaved ? MEANT_SAVED : MEANT_OVER;
}

void ts_worker_goes_on(Cmd *c, const Session *s) {
  cancelUntaken(c, s, "died:", "it goes on");
}

/* Each task has its time anew. */
static void giveTime(Cmd *c, Session *s) {
  if (!s->timeout) return;
  s->deadline =
      s->timeout > TURNSTILE_MAX_INTEGER - c->now ? TURNSTILE_MAX_INTEGER : c->now + s->timeout;
  ts_exec(c, SQL_WORKER_DEADLINE, "ti", &s->label, s->deadline);
}

void ts_worker_given(Cmd *c, Session *s) {
  if (!s->isSubagent) return;
  if (!ts_worker_works(s)) setStatus(c, s, TS_TEXT("pending"));
  giveTime(c, s);
}

void ts_worker_begins(Cmd *c, Session *s) {
  int revived = ts_text_is(s->taskStatus, "failed") && s->task.id &&
                s->task.state != TASK_COMPLETE && s->task.state != TASK_ABORTED;
  if (!s->isSubagent) return;
  if (revived || ts_text_is(s->taskStatus, "pending")) setStatus(c, s, TS_TEXT("running"));
}

void ts_worker_called_off(Cmd *c, Session *s) {
  if (s->isSubagent) setStatus(c, s, TS_TEXT("failed"));
}

/* ---- session_spawn(parent, task [, options]) → label --------------------------------------------- */

enum {
  SPAWN_PARENT,
  SPAWN_TASK,
  SPAWN_TURN,
  SPAWN_CALL,
  SPAWN_PERSONA,
  SPAWN_LABEL,
  SPAWN_TIMEOUT
};

static const ArgSpec spawnArgs[] = {
    {"parent", ARG_LABEL, 1},      {"task", ARG_MESSAGE, 1}, {"turn", ARG_INT, 0},
    {"tool_call_id", ARG_NAME, 0}, {"persona", ARG_NAME, 0}, {"label", ARG_LABEL, 0},
    {"timeout", ARG_DURATION, 0},
};

/* Are too many workers of a session not done, or would one more lie too deep? */
static void checkLimits(Cmd *c, const Session *parent) {
  sqlite3_int64 children = 0, depth = 1;
  sqlite3_int64 maxDepth = ts_config_int(c, parent->label, CONFIG_MAX_SPAWN_DEPTH);
  sqlite3_int64 maxChildren = ts_config_int(c, parent->label, CONFIG_MAX_CHILDREN);
  Text up = parent->isSubagent ? parent->parentLabel : none;
  Query q = ts_query(c, SQL_WORKERS_OPEN_COUNT, "ti", &parent->label, maxChildren);
  if (ts_row(c, &q)) children = ts_col_int(&q, 0);
  ts_end(c, &q);
  for (; up.z && depth < MAX_LEVELS; depth++) {
    Session s;
    ts_session_load_exact(c, up, &s);
    up = s.exists && s.isSubagent ? s.parentLabel : none;
  }
  if (depth > maxDepth) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "a worker of session '%.*s' would lie %lld levels deep; max_spawn_depth allows %lld",
            parent->label.n, parent->label.z, depth, maxDepth);
  } else if (children >= maxChildren) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' has %lld workers at work; max_children allows %lld", parent->label.n,
            parent->label.z, children, maxChildren);
  }
}

/* The turn that spawns, and the tool call in it, which gets the worker's name. */
static void linkCall(Cmd *c, sqlite3_int64 turn, Text call, Text worker) {
  sqlite3_int64 place = 0;
  Query q =
      ts_query(c, SQL_TOOL_CALL_FIND, "iit", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn), &call);
  if (ts_row(c, &q)) place = ts_col_int(&q, 0);
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return;
  if (!place) {
    ts_fail(c, SQLITE_ERROR, "turn %lld has no tool call '%.*s'", turn, call.n, call.z);
    return;
  }
  ts_exec(c, SQL_TOOL_CALL_SPAWNED, "it", place, &worker);
}

static void runSpawn(Cmd *c) {
  Text label = c->arg[SPAWN_LABEL].text, persona = c->arg[SPAWN_PERSONA].text;
  sqlite3_int64 turn = c->arg[SPAWN_TURN].i;
  const Arg *timeout = &c->arg[SPAWN_TIMEOUT];
  Session parent, s;
  Inbound in;
  Turn t;
  memset(&t, 0, sizeof(t));
  if (timeout->given && timeout->i < 1) {
    ts_fail(c, SQLITE_ERROR, "timeout must be longer than 0 ms");
  }
  ts_session_require(c, c->arg[SPAWN_PARENT].text, &parent);
  ts_workers_look(c, &parent);
  if (c->arg[SPAWN_TURN].given) {
    ts_turn_require(c, turn, &t);
  } else {
    turn = parent.run.turnId;
  }
  if (c->arg[SPAWN_CALL].given && !turn) {
    ts_fail(c, SQLITE_ERROR, "tool_call_id needs a turn; session '%.*s' executes none",
            parent.label.n, parent.label.z);
  }
  ts_message_want(c, parent.label, "task", c->arg[SPAWN_TASK].text);
  checkLimits(c, &parent);
  if (!label.z) label = ts_ulid_label(c, "worker", ':', ID_EVENT);
  ts_label_want_free(c, label);
  if (c->rc != SQLITE_OK) return;
  if (!persona.z) persona = parent.personaId;
  ts_task_worked(c, &parent);
  ts_exec(c, SQL_WORKER_ADD, "ttt?tti?", &label, &persona, &parent.label, turn != 0, turn,
          &c->arg[SPAWN_CALL].text, &c->arg[SPAWN_TASK].text, c->now, timeout->given, timeout->i);
  if (c->arg[SPAWN_CALL].given) linkCall(c, turn, c->arg[SPAWN_CALL].text, label);
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK) return;
  ts_event(c, &s, "status", NULL, "active", "spawn", none);
  ts_identity_created(c, label);
  ts_task_start(c, &s, ts_describe(c, c->arg[SPAWN_TASK].text, TS_MAX_DESCRIPTION), NULL);
  memset(&in, 0, sizeof(in));
  in.message = c->arg[SPAWN_TASK].text;
  in.channel = TS_TEXT("");
  in.sender = parent.label;
  in.source = SOURCE_AGENT;
  in.cls = CLASS_UNKNOWN;
  in.isExempt = 1;
  ts_queue_push(c, &s, &in);
  ts_return_text(c, label);
}

const CommandSpec ts_session_spawn = {"session_spawn", runSpawn, 0, TS_ARGS(2, spawnArgs), NULL};

/* ---- session_report(worker, status, result [, options]) → queue id -------------------------------- */

enum { REPORT_WORKER, REPORT_STATUS, REPORT_RESULT, REPORT_TASK };

static const ArgSpec reportArgs[] = {{"worker", ARG_LABEL, 1},
                                     {"status", ARG_TEXT, 1},
                                     {"result", ARG_MESSAGE, 1},
                                     {"task_id", ARG_INT, 0}};

enum { REPORTED_COMPLETED, REPORTED_FAILED };
static const char *const reportStates[] = {"completed", "failed"};

typedef struct Report {
  Session s;
  sqlite3_int64 task; /* what it is a report of; 0: the worker has had none */
  int status;         /* REPORTED_… */
  Text result;
} Report;

/* How the task has ended, by its state: a commit may be yet to come, or never will. -1: it is open, or
** was saved. */
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
  if (ts_row(c, &q)) type = ts_col_text(c, &q, 0);
  ts_end(c, &q);
  if (ts_text_is(type, ts_commit_types[COMMIT_NORMAL])) return REPORTED_COMPLETED;
  if (ts_text_is(type, ts_commit_types[COMMIT_ABANDONED])) return REPORTED_FAILED;
  /* Of one that was saved a report may still come. */
  if (ts_text_is(type, ts_commit_types[COMMIT_STALE_AUTO_COMPACT])) return -1;
  /* It was stopped when no task was open any more. */
  return !s->task.id && ts_text_is(s->taskStatus, "failed") ? REPORTED_FAILED : -1;
}

/* The input that a report has left with the parent, or with the session that took the parent over. */
static void returnQueued(Cmd *c, const Session *s, sqlite3_int64 event) {
  /* The second is what reports were called once. */
  const char *names[] = {ts_printf(c, "report:%lld", event), "report"};
  Text channel = TS_TEXT("worker"), decision = none;
  Session parent;
  if (!s->parentLabel.z) return;
  ts_session_load(c, s->parentLabel, &parent);
  for (int i = 0; i < 2 && !decision.z && c->rc == SQLITE_OK; i++) {
    Text id = {names[i], (int)strlen(names[i])};
    Query q = ts_query(c, SQL_DELIVERY_SEEN, "tttt", &parent.label, &id, &channel, &s->label);
    if (ts_row(c, &q)) decision = ts_col_text(c, &q, 0);
    ts_end(c, &q);
  }
  if (decision.z) {
    Query q = ts_query(c, SQL_JSON_GET, "ts", &decision, "$.queue_id");
    if (ts_row(c, &q) && !ts_col_null(&q, 0)) ts_return_int(c, ts_col_int(&q, 0));
    ts_end(c, &q);
  }
}

/* Another report than the first one would be lost. */
static void failReported(Cmd *c, const Report *r, Text status, const char *how) {
  const char *before = ts_printf(c, "%.*s%s", status.n, status.z, how);
  ts_fail(c, SQLITE_CONSTRAINT,
          "worker '%.*s' has reported before, %s; what else there is to say goes to '%.*s' by "
          "queue_push",
          r->s.label.n, r->s.label.z, before ? before : "", r->s.parentLabel.n,
          r->s.parentLabel.z ? r->s.parentLabel.z : "");
}

/* A task has one report: the same once more gives what the first one gave. Of one for which nobody waits any more each
** text is kept. Returns 0 when it is new. */
static int answerAgain(Cmd *c, const Report *r) {
  Text status = none, said = none, how = none;
  sqlite3_int64 event = 0;
  Query q = ts_query(c, SQL_WORKER_REPORTED, "tist", &r->s.label, r->task, reportStates[r->status],
                     &r->result);
  if (ts_row(c, &q)) {
    event = ts_col_int(&q, 0);
    how = ts_col_text(c, &q, 1);
    status = ts_col_text(c, &q, 2);
    said = ts_col_text(c, &q, 3);
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

/* The event says by its states what was reported, whatever became of the worker. */
static sqlite3_int64 recordReport(Cmd *c, const Report *r, const char *what) {
  Session s = r->s;
  s.taskStatus = (Text){reportStates[r->status], (int)strlen(reportStates[r->status])};
  return record(c, &s, r->task, what, "result", r->result);
}

static void settleTask(Cmd *c, const Session *s, const Task *task);

/* Of a task that was saved: its commit is made, and the input that gave it may wait still, or have failed. */
static void settleSaved(Cmd *c, const Report *r) {
  Task task;
  Query q = ts_query(c, SQL_WORKER_TASK_GIVEN, "i", r->task);
  memset(&task, 0, sizeof(task));
  if (ts_row(c, &q)) {
    task.id = r->task;
    task.description = ts_col_text(c, &q, 0);
    task.startedAt = ts_col_int(&q, 1);
  }
  ts_end(c, &q);
  if (task.id) settleTask(c, &r->s, &task);
}

/* The report ends the task that it is of. */
static void endByReport(Cmd *c, Report *r) {
  Session *s = &r->s;
  int failed = r->status == REPORTED_FAILED;
  Text result = r->result;
  /* First: that the task ends is news to nobody. */
  setStatus(c, s, failed ? TS_TEXT("failed") : TS_TEXT("completed"));
  if (s->task.id) {
    ts_task_worked(c, s); /* a report is */
    ts_task_end(c, s, failed ? COMMIT_ABANDONED : COMMIT_NORMAL, ts_describe(c, result, 200),
                failed ? result : none);
  } else {
    settleSaved(c, r);
  }
  ts_session_save(c, s);
  ts_deliver_withdrawn(c, s);
  ts_exec(c, SQL_WORKER_DONE, "t", &s->label);
}

static void findTask(Cmd *c, Report *r) {
  Query q;
  sqlite3_int64 found = 0;
  r->task = newestTask(c, &r->s);
  if (!c->arg[REPORT_TASK].given || c->rc != SQLITE_OK) return;
  r->task = c->arg[REPORT_TASK].i;
  q = ts_query(c, SQL_WORKER_HAD_TASK, "ti", &r->s.label, r->task);
  found = ts_row(c, &q);
  ts_end(c, &q);
  if (!found && c->rc == SQLITE_OK) {
    ts_fail(c, SQLITE_ERROR, "task_id is %lld, which is no task of worker '%.*s'", r->task,
            r->s.label.n, r->s.label.z);
  }
}

static void findWorker(Cmd *c, Session *s) {
  Text label = c->arg[REPORT_WORKER].text;
  ts_session_load_exact(c, label, s);
  if (!s->exists) ts_session_load(c, label, s); /* by an alias */
  if (c->rc == SQLITE_OK && (!s->exists || !s->isSubagent)) {
    ts_fail(c, SQLITE_ERROR, "%s '%.*s'; session_spawn makes one",
            s->exists ? "this session is no worker:" : "there is no worker", label.n, label.z);
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
  /* Of an earlier task it says nothing about the one at work now. */
  if (r.task == newestTask(c, &r.s)) {
    endByReport(c, &r);
    cancelUntaken(c, &r.s, "died:", "it has reported");
  }
  input = tell(c, &r.s, "report", recordReport(c, &r, "report"), r.result);
  if (input) ts_return_int(c, input);
}

const CommandSpec ts_session_report = {"session_report", runReport, 0, TS_ARGS(3, reportArgs),
                                       NULL};

/* ---- Stopping -------------------------------------------------------------------------------------- */

typedef struct Worker {
  struct Worker *next;
  Text label;
  int atWork;
  int level;
} Worker;

static void stopOne(Cmd *c, Text label, Text reason) {
  Session s;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.exists) return;
  if (s.task.state != TASK_COMPLETE) setStatus(c, &s, TS_TEXT("failed"));
  ts_exec(c, SQL_WORKER_DONE, "t", &s.label);
  ts_lease_fence(c, &s, reason);
  ts_choice_release(c, &s, "stop");
  if (s.task.state == TASK_COMPLETE) { /* what is done stays done */
    ts_task_close(c, &s, COMMIT_NORMAL, ts_task_summary(c, &s), none);
  } else if (s.task.id) {
    ts_note(c, &s, NOTE_ABANDON, reason);
    ts_task_close(c, &s, COMMIT_ABANDONED,
                  ts_fill(c, s.label, "commit.abandoned", NULL, none, NULL, none), reason);
  }
  ts_session_save(c, &s);
  ts_exec(c, SQL_QUEUE_CANCEL_ALL, "tis", &s.label, c->now, "the task was called off");
}

void ts_stop_workers(Cmd *c, Text label, Text reason) {
  Worker *list = NULL;
  int level = 1;
  for (;;) {
    Query q = ts_query(c, SQL_WORKERS, "t", &label);
    while (level <= MAX_LEVELS && ts_row(c, &q)) {
      Worker *w = ts_alloc(c, sizeof(*w));
      if (!w) break;
      w->label = ts_col_text(c, &q, 0);
      w->atWork = ts_col_int(&q, 1) != 0;
      w->level = level;
      w->next = list;
      list = w;
    }
    ts_end(c, &q);
    if (!list || c->rc != SQLITE_OK) return;
    label = list->label;
    level = list->level + 1;
    if (list->atWork) stopOne(c, label, reason);
    list = list->next;
  }
}

void ts_stop_worker(Cmd *c, Text worker, Text reason) {
  stopOne(c, worker, reason);
  ts_stop_workers(c, worker, reason);
}

/* Is it the input that gave a task? */
static int gave(Cmd *c, const Inbound *in, const Task *task) {
  return in->enqueuedAt <= task->startedAt &&
         ts_text_equal(ts_describe(c, in->message, TS_MAX_DESCRIPTION), task->description);
}

static void settleGiven(Cmd *c, InputLink *list, const Task *task) {
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    if (!gave(c, list->in, task)) continue;
    ts_exec(c, SQL_QUEUE_SETTLE, "iis", list->in->queueId, c->now, NULL);
    return;
  }
}

/* What the turn that runs has taken for a task that has ended is done with it, whatever becomes of the turn: it would
** begin the same work anew. A question of a user's still wants its answer. */
static void settleTaken(Cmd *c, const Session *s) {
  InputLink *list = ts_queue_list(c, s->label, SQL_WORKER_TAKEN, TS_MAX_INPUTS);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    ts_exec(c, SQL_QUEUE_SETTLE, "iis", list->in->queueId, c->now, NULL);
}

/* The input that gave a task is done with the task, also one that no turn has, or that has failed. What else was said
** waits, as what came while a turn ran does. */
static void settleTask(Cmd *c, const Session *s, const Task *task) {
  settleGiven(c, ts_queue_waits(c, s, TS_MAX_INPUTS), task);
  settleGiven(c, ts_queue_list(c, s->label, SQL_WORKER_FAILED_INPUTS, TS_MAX_INPUTS), task);
}

void ts_worker_ended(Cmd *c, Session *s, const Task *task, CommitType type) {
  if (!s->isSubagent || c->rc != SQLITE_OK) return;
  if (task->state == TASK_AWAITING_USER) withdraw(c, s);
  if (type == COMMIT_NORMAL || type == COMMIT_ABANDONED) settleTaken(c, s);
  if (type == COMMIT_NORMAL) settleTask(c, s, task);
  if (type != COMMIT_ABANDONED) return;
  ts_queue_list_off(&s->calledOff, ts_queue_waits(c, s, TS_MAX_INPUTS));
  ts_exec(c, SQL_QUEUE_CANCEL_ALL, "tis", &s->label, c->now, "the task was called off");
}

/* ---- Left without a report ------------------------------------------------------------------------- */

/* What it has said last, in the turn at its head. */
static Text saidLast(Cmd *c, const Session *s) {
  Text said = none;
  Query q;
  if (!s->head) return none;
  q = ts_query(c, SQL_WORKER_SAID, "ii", TS_FIRST_PLACE(s->head), TS_LAST_PLACE(s->head));
  if (ts_row(c, &q)) said = ts_col_text(c, &q, 0);
  ts_end(c, &q);
  return said;
}

/* The message of the last commit. */
static Text commitMessage(Cmd *c, const Session *s) {
  Text message = none;
  Query q = ts_query(c, SQL_COMMIT_LATEST, "t", &s->label);
  if (ts_row(c, &q)) message = ts_col_text(c, &q, 1);
  ts_end(c, &q);
  return message;
}

/* Is there anything with which the worker would go on by itself: inputs, those that a host without turns was handed
** included, or workers of its own? */
static int goesOnByItself(Cmd *c, const Session *s) {
  sqlite3_int64 below = 0;
  Query q;
  if (ts_run_live(c, &s->run) || ts_queue_waits(c, s, 1)) return 1;
  q = ts_query(c, SQL_QUEUE_HANDED, "t", &s->label);
  if (ts_row(c, &q)) below = 1;
  ts_end(c, &q);
  if (below) return 1;
  q = ts_query(c, SQL_WORKERS_OPEN_COUNT, "ti", &s->label, (sqlite3_int64)1);
  if (ts_row(c, &q)) below = ts_col_int(&q, 0);
  ts_end(c, &q);
  return below > 0;
}

static int isHeard(Cmd *c, const Session *s, sqlite3_int64 task) {
  Query q = ts_query(c, SQL_WORKER_HEARD, "ti", &s->label, task);
  int heard = ts_row(c, &q);
  ts_end(c, &q);
  return heard;
}

/* What the newest task has ended with, if it has ended well and the parent has heard nothing of it since; else
** {NULL,0}. */
static Text endedUnheard(Cmd *c, const Session *s) {
  LastEnd end;
  sqlite3_int64 task = s->task.id;
  int done = s->task.state == TASK_COMPLETE;
  if (!task) {
    loadLastEnd(c, s->label, &end);
    task = end.task;
    done = task && ts_text_is(end.type, ts_commit_types[COMMIT_NORMAL]);
  }
  if (!done || isHeard(c, s, task)) return none;
  return s->task.id ? ts_task_summary(c, s) : commitMessage(c, s);
}

/* Its parent is told, with its last words: what it has done is not lost. */
static void tellLeft(Cmd *c, Session *s, Text said) {
  sqlite3_int64 task = newestTask(c, s);
  Text text = said.z ? ts_fill(c, s->label, "worker.left", "worker", s->label, "result", said)
                     : ts_fill(c, s->label, "worker.failed", "worker", s->label, "reason",
                               TS_TEXT("it has stopped without a report"));
  tell(c, s, "died", record(c, s, task, "died", "reason", text), text);
}

void ts_worker_left(Cmd *c, Text label) {
  Session s;
  Text ended;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.exists || !s.isSubagent || s.supersededBy.z) return;
  if (s.task.state == TASK_AWAITING_USER || goesOnByItself(c, &s)) return;
  ended = endedUnheard(c, &s);
  if (ended.z) {
    tellLeft(c, &s, ended);
  } else if (ts_worker_works(&s) && s.task.id && s.head) {
    Text summary = ts_task_field(c, &s, "$.summary");
    setStatus(c, &s, TS_TEXT("failed"));
    tellLeft(c, &s, summary.z ? summary : saidLast(c, &s));
  }
}

/* ---- Running out of time --------------------------------------------------------------------------- */

void ts_worker_time_out(Cmd *c, Text label) {
  Session s;
  Text text;
  sqlite3_int64 task, event;
  int waits, done;
  ts_session_load_exact(c, label, &s);
  if (c->rc != SQLITE_OK || !s.deadline || s.deadline > c->now) return;
  task = newestTask(c, &s);
  done = ts_text_is(s.taskStatus, "completed");
  waits = ts_worker_works(&s) || done; /* of one that has failed the parent knows */
  text =
      ts_fill(c, s.label, "worker.timeout", "worker", s.label, "duration", ts_words(c, s.timeout));
  ts_exec(c, SQL_WORKER_DONE, "t", &s.label);
  if (!done) {
    stopOne(c, label, text);
    ts_stop_workers(c, label, text);
    s.taskStatus = TS_TEXT("failed");
  }
  if (!waits) return;
  event = record(c, &s, task, "timeout", "reason", text);
  tell(c, &s, "timeout", event, text);
}

/* A deadline that a clock has written down which was ahead is judged as a lease is: it lies no further from now
** than the worker's time is long. */
static void mendDeadline(Cmd *c, Text worker) {
  ts_exec(c, SQL_WORKER_DEADLINE_MEND, "ti", &worker, c->now);
}

int ts_workers_time_out(Cmd *c, Text parent) {
  Worker *list = NULL;
  int n = 0;
  Query q =
      ts_query(c, SQL_WORKERS_OVERDUE, "tii", &parent, c->now, (sqlite3_int64)TURNSTILE_CLOCK_STEP);
  while (ts_row(c, &q)) {
    Worker *w = ts_alloc(c, sizeof(*w));
    if (!w) break;
    w->label = ts_col_text(c, &q, 0);
    w->atWork = ts_col_int(&q, 1) == 0;
    w->next = list;
    list = w;
  }
  ts_end(c, &q);
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    if (list->atWork) {
      mendDeadline(c, list->label);
    } else {
      ts_worker_time_out(c, list->label);
      n++;
    }
  }
  return n;
}

/* Loads a session anew that what was done has touched. */
static void reload(Cmd *c, Session *s) {
  Text via = s->via;
  ts_session_load_exact(c, s->label, s);
  s->via = via;
}

void ts_workers_look(Cmd *c, Session *s) {
  int late = s->exists && s->deadline && s->deadline <= c->now;
  if (c->rc != SQLITE_OK || !s->exists) return;
  if (late) {
    ts_worker_time_out(c, s->label);
  } else if (s->deadline && s->timeout && ts_is_ahead(c, s->deadline - s->timeout)) {
    mendDeadline(c, s->label);
    reload(c, s);
  }
  if (ts_workers_time_out(c, s->label) || late) reload(c, s);
}
