/*
** workers.c - sessions that work for other sessions: what a worker's moves mean for its parent.
*/
#include "workers.h"

#include "config.h"
#include "fill.h"
#include "ids.h"
#include "json.h"
#include "queue.h"
#include "tell.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- What a worker says ------------------------------------------------------------------------- */

int ts_worker_works(const Session *s) {
  return s->isSubagent && TS_TEXT_IN(s->taskStatus, LIST_WORKER_OPEN);
}

void ts_worker_set_status(Cmd *c, Session *s, Text status) {
  s->taskStatus = status;
  ts_exec(c, SQL_WORKER_STATUS, "tt", &s->label, &status);
}

sqlite3_int64 ts_worker_record(Cmd *c, const Session *s, sqlite3_int64 task, const char *what,
                               const char *key, Text said) {
  Text data = ts_json_pair(c, key, said);
  return ts_insert_new(c, ID_EVENT, SQL_EVENT_ADD, "t?sttsti", &s->label, task != 0, task, "worker",
                       &s->taskStatus, &s->taskStatus, what, &data, c->now);
}

sqlite3_int64 ts_worker_tell(Cmd *c, const Session *s, const char *what, sqlite3_int64 event,
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
  return ts_tell(c, &parent, &in);
}

sqlite3_int64 ts_worker_newest_task(Cmd *c, const Session *s) {
  sqlite3_int64 id = s->task.id;
  Query q;
  if (id) return id;
  q = ts_query(c, SQL_WORKER_TASK, "t", &s->label);
  if (ts_row(c, &q)) id = ts_col_int(&q, COL_WORKER_TASK_ID);
  ts_end(c, &q);
  return id;
}

/* The worker can't continue. The parent gets one message about it, and no other until the worker
** works again. */
static void hasFailed(Cmd *c, Session *s, const char *what, Text reason) {
  Text text;
  if (!ts_worker_works(s) || c->rc != SQLITE_OK) return;
  ts_worker_set_status(c, s, TS_TEXT("failed"));
  text = ts_fill(c, s->label, "worker.failed", "worker", s->label, "reason", reason);
  ts_worker_tell(c, s, what,
                 ts_worker_record(c, s, ts_worker_newest_task(c, s), what, "reason", reason), text);
}

void ts_worker_died(Cmd *c, Session *s, Text reason) {
  hasFailed(c, s, "died", reason);
}

void ts_worker_stuck(Cmd *c, Session *s, sqlite3_int64 turn) {
  Text error = none;
  Query q;
  if (!ts_worker_works(s)) return;
  q = ts_query(c, SQL_WORKER_FAILED_INPUT, "ti", &s->label, turn);
  if (ts_row(c, &q)) error = ts_col_text(c, &q, COL_WORKER_FAILED_INPUT_ERROR);
  ts_end(c, &q);
  if (error.z) ts_worker_died(c, s, error);
}

/* The worker's messages in the parent's queue whose message_id begins like this. */
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

void ts_worker_cancel_untaken(Cmd *c, const Session *s, const char *begins, const char *why) {
  InputLink *list = untaken(c, s, begins);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    ts_exec(c, SQL_QUEUE_END, "isis", list->in->queueId, "cancelled", c->now, why);
}

/* A question that the parent has not got yet and that is closed: nobody needs its answer any more. */
static void withdraw(Cmd *c, const Session *s) {
  ts_worker_cancel_untaken(c, s, "question:", "nobody asks it any more");
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
  ts_worker_tell(c, s, "question",
                 ts_worker_record(c, s, s->task.id, "question", "question", question), text);
}

void ts_worker_moved(Cmd *c, Session *s, TaskState from, Text before) {
  if (!s->isSubagent || c->rc != SQLITE_OK) return;
  if (from == TASK_AWAITING_USER && s->task.state != from) withdraw(c, s);
  switch (s->task.state) {
  case TASK_AWAITING_USER: asks(c, s, from == TASK_AWAITING_USER ? before : none); break;
  case TASK_COMPLETE: ts_worker_set_status(c, s, TS_TEXT("completed")); break;
  case TASK_ABORTED: hasFailed(c, s, "failed", ts_task_field(c, s, "$.reason")); break;
  default: break;
  }
}

void ts_worker_last_end(Cmd *c, Text label, WorkerEnd *end) {
  Query q = ts_query(c, SQL_WORKER_LAST_END, "t", &label);
  memset(end, 0, sizeof(*end));
  if (ts_row(c, &q)) {
    end->task = ts_col_int(&q, COL_WORKER_LAST_END_TASK_ID);
    end->type = ts_col_text(c, &q, COL_WORKER_LAST_END_COMMIT_TYPE);
    end->saved.id = ts_col_null(&q, COL_WORKER_LAST_END_COMMIT_ID) ? 0 : end->task;
    end->saved.description = ts_col_text(c, &q, COL_WORKER_LAST_END_TASK);
    end->saved.stateData = ts_col_text(c, &q, COL_WORKER_LAST_END_STATE_DATA);
    end->undone = ts_text_is(ts_col_view(&q, COL_WORKER_LAST_END_REASON), TS_REASON_UNDONE);
  }
  ts_end(c, &q);
}

int ts_worker_was_undone(Cmd *c, Text label) {
  WorkerEnd end;
  ts_worker_last_end(c, label, &end);
  return end.undone;
}

static int leftUnanswered(Cmd *c, const Session *s, sqlite3_int64 task) {
  int unanswered = 0;
  Query q = ts_query(c, SQL_WORKER_UNANSWERED, "ti", &s->label, task);
  if (ts_row(c, &q)) unanswered = ts_col_int(&q, COL_WORKER_UNANSWERED_FOUND) != 0;
  ts_end(c, &q);
  return unanswered;
}

/* Does the parent know that this task has ended? It has cancelled the task itself, or has taken the
** message about it. */
static int parentKnows(Cmd *c, const Session *s, sqlite3_int64 task, Text type) {
  const char *id = NULL;
  int isQuestion = 1;
  Query q = ts_query(c, SQL_WORKER_LAST_WORD, "ti", &s->label, task);
  if (ts_row(c, &q)) {
    Text trigger = ts_col_text(c, &q, COL_WORKER_LAST_WORD_TRIGGER);
    isQuestion = ts_text_is(trigger, "question");
    id = ts_printf(c, "%s:%lld", trigger.z ? trigger.z : "",
                   ts_col_int(&q, COL_WORKER_LAST_WORD_ID));
  }
  ts_end(c, &q);
  if (isQuestion || !id) return ts_text_is(type, ts_commit_types[COMMIT_ABANDONED]);
  return untaken(c, s, id) == NULL;
}

MeantFor ts_worker_meant(Cmd *c, const Session *s, Task *saved) {
  WorkerEnd end;
  int wasSaved;
  memset(saved, 0, sizeof(*saved));
  if (!s->isSubagent || s->task.id || c->rc != SQLITE_OK) return MEANT_NEXT;
  ts_worker_last_end(c, s->label, &end);
  *saved = end.saved;
  wasSaved = saved->id && ts_text_is(end.type, ts_commit_types[COMMIT_STALE_AUTO_COMPACT]);
  if (!end.task || (!wasSaved && !leftUnanswered(c, s, end.task))) return MEANT_NEXT;
  /* Whoever answers has asked before the undo. */
  if (!end.undone && parentKnows(c, s, end.task, end.type)) return MEANT_NEXT;
  return wasSaved ? MEANT_SAVED : MEANT_OVER;
}

void ts_worker_goes_on(Cmd *c, const Session *s) {
  ts_worker_cancel_untaken(c, s, "died:", "it goes on");
}

/* Each task has its own deadline. */
static void giveTime(Cmd *c, Session *s) {
  if (!s->timeout) return;
  s->deadline =
      s->timeout > TURNSTILE_MAX_INTEGER - c->now ? TURNSTILE_MAX_INTEGER : c->now + s->timeout;
  ts_exec(c, SQL_WORKER_DEADLINE, "ti", &s->label, s->deadline);
}

void ts_worker_given(Cmd *c, Session *s) {
  if (!s->isSubagent) return;
  if (!ts_worker_works(s)) ts_worker_set_status(c, s, TS_TEXT("pending"));
  giveTime(c, s);
}

void ts_worker_begins(Cmd *c, Session *s) {
  int revived = ts_text_is(s->taskStatus, "failed") && s->task.id &&
                s->task.state != TASK_COMPLETE && s->task.state != TASK_ABORTED;
  if (!s->isSubagent) return;
  if (revived || ts_text_is(s->taskStatus, "pending"))
    ts_worker_set_status(c, s, TS_TEXT("running"));
}

void ts_worker_called_off(Cmd *c, Session *s) {
  if (s->isSubagent) ts_worker_set_status(c, s, TS_TEXT("failed"));
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

/* When a task ends, so do the inputs that the running turn has taken for it, however the turn ends:
** they would begin the same work again. A user's question still needs its answer. */
static void settleTaken(Cmd *c, const Session *s) {
  InputLink *list = ts_queue_list(c, s->label, SQL_WORKER_TAKEN, TS_MAX_INPUTS);
  for (; list && c->rc == SQLITE_OK; list = list->next)
    ts_exec(c, SQL_QUEUE_SETTLE, "iis", list->in->queueId, c->now, NULL);
}

void ts_worker_settle_task(Cmd *c, const Session *s, const Task *task) {
  settleGiven(c, ts_queue_waits(c, s, TS_MAX_INPUTS), task);
  settleGiven(c, ts_queue_list(c, s->label, SQL_WORKER_FAILED_INPUTS, TS_MAX_INPUTS), task);
}

void ts_worker_ended(Cmd *c, Session *s, const Task *task, CommitType type) {
  if (!s->isSubagent || c->rc != SQLITE_OK) return;
  if (task->state == TASK_AWAITING_USER) withdraw(c, s);
  if (type == COMMIT_NORMAL || type == COMMIT_ABANDONED) settleTaken(c, s);
  if (type == COMMIT_NORMAL) ts_worker_settle_task(c, s, task);
  if (type != COMMIT_ABANDONED) return;
  ts_queue_list_off(&s->calledOff, ts_queue_waits(c, s, TS_MAX_INPUTS));
  ts_exec(c, SQL_QUEUE_CANCEL_ALL, "tis", &s->label, c->now, "the task was called off");
}
