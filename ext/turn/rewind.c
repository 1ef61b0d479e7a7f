/*
** rewind.c - session_rewind(): undo, and redo.
**
**   SELECT session_rewind('main', 16777216);  -- back to that turn; NULL: before the first
**   -- {"session":"main","head":16777216,"state":"AwaitingUser",…}
**
** The head moves back along its path, or forward again along the path that it was taken back from,
** as long as nothing was added meanwhile. The task moves along: it becomes what it was when the
** head was there.
**
** Events of the task belong to the turn at the head, up to the first input that was handed over for
** the next turn. sessions.head_event_id keeps that moment while the head stays, and the row of
** session_history keeps it when the head leaves. So a turn's last event on the task axis up to
** there has the task's state and its data.
**
** Nothing that was said or recorded is deleted: commits stay, and an ended task is picked up as a
** new one; notes stay with the task; finished inputs stay finished. The command's notes list what
** it could not take back.
*/
#include "rewind.h"

#include "choice.h"
#include "config.h"
#include "end_task.h"
#include "ids.h"
#include "json.h"
#include "lease.h"
#include "queue.h"
#include "session.h"
#include "stop_workers.h"
#include "task.h"
#include "workers.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

#define UNDONE TS_REASON_UNDONE

/* Something that is listed in the result. */
typedef struct Listed {
  struct Listed *next;
  Text text; /* a worker, a message, a note */
  sqlite3_int64 id;
  Text worker; /* that was told it */
} Listed;

typedef struct List {
  Listed *first, **tail;
} List;

typedef struct Rewind {
  Cmd *c;
  Session s;
  sqlite3_int64 turn, from; /* where the head goes, and whence; 0: before the first turn */
  sqlite3_int64 failed;     /* a failed turn that no turn will continue any more */
  TaskState previous;
  int isKnown;       /* is the task's state there recorded? */
  sqlite3_int64 end; /* the last event that belongs to the turn */
  Task to;           /* the task as it was; id 0: none */
  Text commitId;     /* of a task that this ends */
  int forwards;
  sqlite3_int64 tip; /* the end of the way that can be gone forward */
  List workers, cancelled, returned, told, notes;
  InputLink *waits; /* what is returned */
} Rewind;

static Listed *list(Rewind *r, List *l, sqlite3_int64 id, Text text) {
  Listed *item = ts_alloc(r->c, sizeof(*item));
  if (!item) return NULL;
  item->id = id;
  item->text = text;
  if (!l->tail) l->tail = &l->first;
  *l->tail = item;
  l->tail = &item->next;
  return item;
}

/* An input stands in one list: in that of what became of it last. */
static void unlist(List *l, sqlite3_int64 id) {
  Listed **at = &l->first;
  while (*at && (*at)->id != id)
    at = &(*at)->next;
  if (!*at) return;
  if (!(*at)->next) l->tail = at;
  *at = (*at)->next;
}

static void note(Rewind *r, const char *text) {
  if (text) list(r, &r->notes, 0, (Text){text, (int)strlen(text)});
}

/* ---- Where to -------------------------------------------------------------------------------- */

/* The end of the path that the session can go forward on again: 0 when it was not taken back. */
static sqlite3_int64 tipOf(Cmd *c, const Session *s) {
  sqlite3_int64 tip = 0;
  Query q = ts_query(c, SQL_HISTORY_LAST, "t", &s->label);
  if (ts_row(c, &q))
    tip = ts_col_null(&q, COL_HISTORY_LAST_TIP_ID) ? ts_col_int(&q, COL_HISTORY_LAST_THREAD_ID)
                                                   : ts_col_int(&q, COL_HISTORY_LAST_TIP_ID);
  ts_end(c, &q);
  return tip;
}

static int isOnPath(Cmd *c, sqlite3_int64 turn, sqlite3_int64 head) {
  return !turn || (head && ts_is_ancestor(c, turn, head));
}

static void findTurn(Rewind *r, const Arg *arg) {
  Cmd *c = r->c;
  Turn t;
  r->from = r->s.head;
  r->tip = r->s.tip = tipOf(c, &r->s);
  if (!arg->given || c->rc != SQLITE_OK) return;
  ts_turn_require(c, arg->i, &t);
  r->turn = t.id;
  if (c->rc != SQLITE_OK ||
      (t.onPath && (isOnPath(c, t.id, r->s.head) || isOnPath(c, t.id, r->s.tip)))) {
    return;
  }
  ts_fail(c, SQLITE_CONSTRAINT,
          "turn %lld is not on the path of session '%.*s', nor on one that it was taken back from "
          "last; session_fork makes a session of it",
          t.id, r->s.label.n, r->s.label.z);
}

/* ---- What the task was there ------------------------------------------------------------------- */

/* The last event that belongs to the turn. 0: the session was not there yet. */
static void findEnd(Rewind *r) {
  Cmd *c = r->c;
  sqlite3_int64 row = 0;
  int hasNext;
  Query q = ts_query(c, SQL_HISTORY_OF_TURN, "it", r->turn, &r->s.label);
  r->isKnown = 1;
  if (ts_row(c, &q)) row = ts_col_int(&q, COL_HISTORY_OF_TURN_ID);
  ts_end(c, &q);
  if (!row) return;
  q = ts_query(c, SQL_HISTORY_NEXT, "ti", &r->s.label, row);
  hasNext = ts_row(c, &q);
  if (hasNext) {
    r->isKnown = !ts_col_null(&q, COL_HISTORY_NEXT_EVENT_ID);
    r->end = ts_col_int(&q, COL_HISTORY_NEXT_EVENT_ID);
  }
  ts_end(c, &q);
  if (!hasNext) r->end = r->s.headEvent >= 0 ? r->s.headEvent : ts_id_last(c, ID_EVENT);
}

static void findTask(Rewind *r) {
  Cmd *c = r->c;
  int state = TASK_NONE;
  Query q = ts_query(c, SQL_TASK_EVENT_UNTIL, "ti", &r->s.label, r->end);
  if (ts_row(c, &q)) {
    Text name = ts_col_view(&q, COL_TASK_EVENT_UNTIL_TO_STATE);
    state = name.z ? ts_state_find(&ts_task_machine, name.z, name.n) : TASK_NONE;
    r->to.id = ts_col_int(&q, COL_TASK_EVENT_UNTIL_TASK_ID);
    r->to.description = ts_col_text(c, &q, COL_TASK_EVENT_UNTIL_DESCRIPTION);
    r->to.stateData = ts_col_text(c, &q, COL_TASK_EVENT_UNTIL_DATA);
  }
  ts_end(c, &q);
  r->to.state = state < 0 ? TASK_NONE : (TaskState)state;
  if (r->to.state == TASK_NONE) memset(&r->to, 0, sizeof(r->to));
}

/* The first task of a chain in which each continues the one before. */
static sqlite3_int64 origin(Cmd *c, sqlite3_int64 task) {
  sqlite3_int64 first = task;
  Query q = ts_query(c, SQL_TASK_ORIGIN, "i", task);
  if (ts_row(c, &q)) first = ts_col_int(&q, COL_TASK_ORIGIN_ID);
  ts_end(c, &q);
  return first;
}

static int isSameTask(Cmd *c, const Task *a, const Task *b) {
  return a->id && b->id && (a->id == b->id || origin(c, a->id) == origin(c, b->id));
}

/* A task that is over but not committed either stays as it was or is committed now. A worker's task
** belongs to its parent: it never goes back to before it was given, and nobody picks it up again. */
static void adjustTask(Rewind *r) {
  Session *s = &r->s;
  int isSame = isSameTask(r->c, &s->task, &r->to);
  if ((r->to.state == TASK_COMPLETE || r->to.state == TASK_ABORTED) &&
      (!isSame || s->task.state != r->to.state)) {
    memset(&r->to, 0, sizeof(r->to));
    isSame = 0;
  }
  if (!r->isKnown || (s->isSubagent && !s->task.id)) {
    r->to = s->task;
  } else if (s->isSubagent && !isSame) {
    r->to = s->task;
    r->to.state = TASK_RUNNING;
    r->to.stateData = none;
  }
}

static int stands(Rewind *r) {
  const Task *is = &r->s.task, *to = &r->to;
  if (!is->id || !to->id) return is->id == to->id;
  return isSameTask(r->c, is, to) && is->state == to->state &&
         ts_text_equal(is->stateData, to->stateData);
}

/* ---- Taking the task along ----------------------------------------------------------------------- */

/* Has it moved, or has a run worked on it, since it was picked up? Moves by an undo do not count as
** work. */
static int hasMoved(Cmd *c, const Session *s) {
  int moved = 0;
  Query q = ts_query(c, SQL_EVENTS_BACK, "t", &s->label);
  while (!moved && ts_row(c, &q)) {
    Text trigger = ts_col_view(&q, COL_EVENTS_BACK_TRIGGER);
    if (ts_col_int(&q, COL_EVENTS_BACK_TASK_ID) != s->task.id) continue;
    if (ts_text_is(trigger, "pick_up")) break;
    if (ts_text_is(ts_col_view(&q, COL_EVENTS_BACK_AXIS), "task")) {
      moved = !ts_text_is(trigger, "undo") && !ts_text_is(trigger, "redo");
    } else if (ts_text_is(trigger, "begin")) {
      moved = ts_turn_recorded(c, ts_col_int(&q, COL_EVENTS_BACK_TURN_ID));
    }
  }
  ts_end(c, &q);
  return moved;
}

/* A task that continues a committed one and on which nothing was done since. */
static int isUntouched(Cmd *c, const Session *s) {
  int observed = 0;
  Query q;
  if (origin(c, s->task.id) == s->task.id) return 0;
  q = ts_query(c, SQL_TASK_OBSERVED, "i", s->task.id);
  observed = ts_row(c, &q);
  ts_end(c, &q);
  return !observed && ts_task_turns(c, s, 1) == 0 && s->headEvent < 0 && !hasMoved(c, s);
}

/* It was not there at that turn. */
static void endTask(Rewind *r) {
  Cmd *c = r->c;
  Session *s = &r->s;
  const char *task = ts_printf(c, "'%s'", ts_excerpt(c, s->task.description));
  if (origin(c, s->task.id) != s->task.id) { /* the task itself may have been, and have ended */
    task = ts_printf(c, "task %lld, as which %s goes on,", s->task.id, task);
  }
  if (isUntouched(c, s)) s->task.worked = 0; /* the commit before has it all */
  r->commitId =
      ts_task_close(c, s, COMMIT_ABANDONED,
                    ts_fill(c, s->label, "commit.undone", "task", s->task.description, NULL, none),
                    TS_TEXT(UNDONE));
  note(r, ts_printf(c,
                    r->commitId.z ? "%s was not begun yet: it ended with an Abandoned commit"
                                  : "%s was not begun yet: it ended without a commit",
                    task));
}

/* It has ended since. Its commit, if it has one, stays. */
static void pickUpTask(Rewind *r) {
  Cmd *c = r->c;
  Session *s = &r->s;
  Text text;
  ts_task_start(c, s, r->to.description.z ? r->to.description : TS_TEXT("(unnamed)"), "pick_up");
  ts_exec(c, SQL_TASK_CONTINUES, "ii", s->task.id, origin(c, r->to.id));
  ts_task_worked(c, s); /* by what is on record of it */
  text = ts_fill(c, s->label, "note.picked_up", "task", s->task.description, NULL, none);
  if (text.z) ts_note_text(c, s, "undo", text.z);
  note(r, ts_printf(c, "task %lld had ended: it goes on as task %lld, and its commit stays",
                    r->to.id, s->task.id));
}

static void moveTask(Rewind *r, const char *trigger) {
  Cmd *c = r->c;
  Session *s = &r->s;
  if (s->task.state == r->to.state && ts_text_equal(s->task.stateData, r->to.stateData)) return;
  if (r->to.state == TASK_RUNNING) {
    /* From Running itself no move leads there. */
    if (s->task.state == TASK_RUNNING) {
      Text why = {trigger, (int)strlen(trigger)};
      ts_task_move(c, s, TASK_INTERRUPTED, ts_json_pair(c, "user_message", why), trigger);
    }
    ts_task_move(c, s, TASK_RUNNING, r->to.stateData, trigger);
    return;
  }
  /* The way from one waiting state to another leads through Running. */
  if (!ts_state_move(&ts_task_machine, s->task.state, r->to.state)) {
    ts_task_move(c, s, TASK_RUNNING, none, trigger);
  }
  ts_task_move(c, s, r->to.state, r->to.stateData, trigger);
}

static void takeTask(Rewind *r) {
  Cmd *c = r->c;
  Session *s = &r->s;
  int goesOn = isSameTask(c, &s->task, &r->to);
  if (!r->isKnown) note(r, "what the task was at that turn is not on record: it stays as it is");
  if (!stands(r)) {
    if (s->task.state == TASK_COMPLETE || s->task.state == TASK_ABORTED) ts_task_settle(c, s);
    goesOn = isSameTask(c, &s->task, &r->to);
    if (s->task.id && !goesOn) endTask(r);
    if (!s->task.id && r->to.id) pickUpTask(r);
    if (s->task.id) moveTask(r, r->forwards ? "redo" : "undo");
  }
  if (goesOn && c->rc == SQLITE_OK) {
    Text text =
        ts_fill(c, s->label, r->forwards ? "note.redone" : "note.undone", NULL, none, NULL, none);
    if (text.z) ts_note_text(c, s, r->forwards ? "redo" : "undo", text.z);
    if (!r->forwards) note(r, "what was noted since stays in the record of the task");
  }
}

/* ---- Workers and inputs ---------------------------------------------------------------------------- */

/* Does the present conversation continue from what a failed turn left? Later turns of one place have
** higher ids, except where an older version imported them: there, a turn that continues another one says
** so. */
static int isResumed(Cmd *c, sqlite3_int64 failed, sqlite3_int64 parent, sqlite3_int64 turn) {
  Turn t;
  if (!turn) return 0;
  ts_turn_load(c, turn, &t);
  if (t.parent != parent) return 0;
  return failed < turn || ts_turn_is_resumed(c, t.resumes, failed);
}

/* Is a turn left behind when the head stands at another one? */
static int isLeft(Cmd *c, sqlite3_int64 turn, sqlite3_int64 head) {
  sqlite3_int64 there;
  Turn t;
  if (!head || TS_DEPTH(turn) > TS_DEPTH(head)) return 1;
  there = ts_ancestor(c, head, TS_DEPTH(turn));
  if (there == turn) return 0;
  ts_turn_load(c, turn, &t);
  return !t.exists || t.onPath || !isResumed(c, turn, t.parent, there);
}

/* Did the session itself make a turn? Inputs that came by a merge, or came back after one, may belong to a
** turn of another session, whose place says nothing here. */
static int isOwn(Rewind *r, sqlite3_int64 turn) {
  Cmd *c = r->c;
  int is;
  Query q;
  if (isOnPath(c, turn, r->from)) return 1;
  q = ts_query(c, SQL_TURN_IS_OF, "ti", &r->s.label, turn);
  is = ts_row(c, &q);
  ts_end(c, &q);
  return is;
}

/* Does this move of the head leave the turn behind? */
static int isUndone(Rewind *r, sqlite3_int64 turn) {
  return isLeft(r->c, turn, r->turn) && isOwn(r, turn);
}

/* Did something that is undone spawn the worker? A worker that names no turn is as old as its first event. */
static int isUndoneWorker(Rewind *r, Text label, sqlite3_int64 turn) {
  sqlite3_int64 first = 0;
  Query q;
  if (turn) return isUndone(r, turn);
  q = ts_query(r->c, SQL_EVENT_FIRST, "t", &label);
  if (ts_row(r->c, &q)) first = ts_col_int(&q, COL_EVENT_FIRST_ID);
  ts_end(r->c, &q);
  return r->isKnown && first > r->end;
}

/* Has a worker that stays got another task since then? */
static int hasUndoneTask(Rewind *r, Text label) {
  sqlite3_int64 before = 0, newest = 0;
  Query q = ts_query(r->c, SQL_TASK_EVENT_UNTIL, "ti", &label, r->end);
  if (ts_row(r->c, &q)) before = ts_col_int(&q, COL_TASK_EVENT_UNTIL_TASK_ID);
  ts_end(r->c, &q);
  if (!before || !r->isKnown) return 0;
  q = ts_query(r->c, SQL_WORKER_TASK, "t", &label);
  if (ts_row(r->c, &q)) newest = ts_col_int(&q, COL_WORKER_TASK_ID);
  ts_end(r->c, &q);
  return newest > before;
}

static void stopWorkers(Rewind *r) {
  Cmd *c = r->c;
  List found = {NULL, NULL};
  Query q = ts_query(c, SQL_WORKERS_OPEN, "t", &r->s.label);
  while (ts_row(c, &q))
    list(r, &found, ts_col_int(&q, COL_WORKERS_OPEN_PARENT_TURN_ID),
         ts_col_text(c, &q, COL_WORKERS_OPEN_LABEL));
  ts_end(c, &q);
  for (const Listed *w = found.first; w && c->rc == SQLITE_OK; w = w->next) {
    if (!isUndoneWorker(r, w->text, w->id) && !hasUndoneTask(r, w->text)) continue;
    ts_stop_worker(c, w->text, TS_TEXT(UNDONE));
    list(r, &r->workers, 0, w->text);
  }
}

/* The worker's event that its message tells of, from an id such as "report:17". Below 0: the id names
** none. */
static sqlite3_int64 eventOf(Text messageId) {
  const char *event = messageId.z ? strchr(messageId.z, ':') : NULL;
  return event ? (sqlite3_int64)strtoll(event + 1, NULL, 10) : -1;
}

/* Is a worker's message about a task that it was given since? */
static int isOfUndoneTask(Rewind *r, Text worker, Text messageId) {
  Cmd *c = r->c;
  sqlite3_int64 before = 0, task = 0, event = eventOf(messageId);
  Query q;
  if (event < 0 || !r->isKnown) return 0;
  q = ts_query(c, SQL_WORKER_WORD, "i", event);
  if (ts_row(c, &q)) task = ts_col_int(&q, COL_WORKER_WORD_TASK_ID);
  ts_end(c, &q);
  q = ts_query(c, SQL_TASK_EVENT_UNTIL, "ti", &worker, r->end);
  if (ts_row(c, &q)) before = ts_col_int(&q, COL_TASK_EVENT_UNTIL_TASK_ID);
  ts_end(c, &q);
  return before && task > before;
}

/* Does the message come from a worker that an undone turn spawned, or is it about a task that an undone
** turn gave? Workers of a session that was merged into this one have theirs from another conversation. */
static int isUndoneWord(Rewind *r, Text worker, Text messageId) {
  sqlite3_int64 turn = 0;
  int isOurs = 0;
  Query q = ts_query(r->c, SQL_WORKER_SPAWNED, "t", &worker);
  int is = ts_row(r->c, &q);
  if (is) turn = ts_col_int(&q, COL_WORKER_SPAWNED_PARENT_TURN_ID);
  if (is)
    isOurs = ts_text_equal(ts_col_view(&q, COL_WORKER_SPAWNED_PARENT_SESSION_LABEL), r->s.label);
  ts_end(r->c, &q);
  if (!is || (!turn && !isOurs)) return 0;
  return isUndoneWorker(r, worker, turn) || (isOurs && isOfUndoneTask(r, worker, messageId));
}

static void cancel(Rewind *r, sqlite3_int64 id, Text message) {
  ts_exec(r->c, SQL_QUEUE_END, "isis", id, "cancelled", r->c->now, UNDONE);
  unlist(&r->returned, id);
  list(r, &r->cancelled, id, message);
}

static void cancelReports(Rewind *r) {
  Cmd *c = r->c;
  InputLink *in = ts_queue_list(c, r->s.label, SQL_QUEUE_PENDING, TS_MAX_INPUTS);
  for (; in && c->rc == SQLITE_OK; in = in->next) {
    if (in->in->source == SOURCE_AGENT && ts_text_is(in->in->channel, "worker") &&
        isUndoneWord(r, in->in->sender, in->in->messageId)) {
      cancel(r, in->in->queueId, in->in->message);
    }
  }
}

/* A host that keeps no turns has begun the work that it was handed: such an input is done, like one that a
** turn has taken. */
static void settleHosts(Rewind *r) {
  Cmd *c = r->c;
  InputLink *in = ts_queue_list(c, r->s.label, SQL_QUEUE_HANDED_ROWS, TS_MAX_INPUTS);
  for (; in && c->rc == SQLITE_OK; in = in->next) {
    note(r, ts_printf(c, "'%s' was handed to a host that keeps no turns, and stays done",
                      ts_excerpt(c, in->in->message)));
  }
  ts_queue_taken_up(c, &r->s);
}

/* Inputs that were handed over but that no turn has taken were said about undone work. They wait, and are
** classified again when they are taken. */
static void returnInputs(Rewind *r) {
  Cmd *c = r->c;
  InputLink *in = ts_queue_list(c, r->s.label, SQL_QUEUE_FOR_TURN, TS_MAX_INPUTS);
  r->waits = in;
  for (; in && c->rc == SQLITE_OK; in = in->next) {
    ts_exec(c, SQL_QUEUE_UNHAND, "i", in->in->queueId);
    list(r, &r->returned, in->in->queueId, in->in->message);
  }
  settleHosts(r);
}

static int isCancelled(Cmd *c, sqlite3_int64 id) {
  int is = 0;
  Query q = ts_query(c, SQL_QUEUE_GET, "i", id);
  if (ts_row(c, &q)) is = ts_text_is(ts_col_view(&q, COL_QUEUE_GET_STATUS), "cancelled");
  ts_end(c, &q);
  return is;
}

/* The task's question stands again, so a waiting input that answered it before is an answer again. */
static void keepAnswers(Rewind *r) {
  Cmd *c = r->c;
  if (!ts_state_asks(r->s.task.state)) return;
  for (const InputLink *in = r->waits; in && c->rc == SQLITE_OK; in = in->next) {
    Query q = ts_query(c, SQL_DELIVERY_MET, "i", in->in->deliveryId);
    int was = ts_row(c, &q) && ts_text_is(ts_col_text(c, &q, COL_DELIVERY_MET_STATE),
                                          ts_task_machine.states[r->s.task.state]);
    ts_end(c, &q);
    if (was && !isCancelled(c, in->in->queueId)) ts_task_asked_before(c, &r->s, in->in->deliveryId);
  }
}

/* ---- What was tried, and what was heard ----------------------------------------------------------- */

/* An input, and the turn that had it. */
typedef struct Tried {
  struct Tried *next;
  sqlite3_int64 id, turn, attempts; /* turn 0: it is not known */
  Text message, sender, messageId;
  int isWorkers; /* a worker has said it */
} Tried;

/* The rows of a statement that shows inputs so. */
static Tried *listTried(Cmd *c, Query *q) {
  Tried *first = NULL, **tail = &first;
  while (ts_row(c, q)) {
    Tried *t = ts_alloc(c, sizeof(*t));
    if (!t) break;
    t->id = ts_col_int(q, COL_QUEUE_ATTEMPTED_ID);
    t->message = ts_col_text(c, q, COL_QUEUE_ATTEMPTED_MESSAGE);
    t->turn = ts_col_int(q, COL_QUEUE_ATTEMPTED_TURN_ID);
    t->isWorkers = ts_col_int(q, COL_QUEUE_ATTEMPTED_IS_WORKER) != 0;
    t->sender = ts_col_text(c, q, COL_QUEUE_ATTEMPTED_SENDER);
    t->messageId = ts_col_text(c, q, COL_QUEUE_ATTEMPTED_MESSAGE_ID);
    t->attempts = ts_col_int(q, COL_QUEUE_ATTEMPTED_ATTEMPTS);
    *tail = t;
    tail = &t->next;
  }
  ts_end(c, q);
  return first;
}

static Tried *listWaiting(Rewind *r) {
  Query q = ts_query(r->c, SQL_QUEUE_ATTEMPTED, "t", &r->s.label);
  return listTried(r->c, &q);
}

/* A turn that was tried below another one has a higher id; what was tried above it is not left. */
static Tried *listFailed(Rewind *r) {
  Query q = ts_query(r->c, SQL_QUEUE_ATTEMPTS_FAILED, "ti", &r->s.label, r->turn);
  return listTried(r->c, &q);
}

/* Did a turn that is left try the input? When the turn of an attempt is unknown, its place is the head: an
** input that was tried is first in line until it is done. */
static int isTriedThere(Rewind *r, const Tried *t) {
  return t->turn ? isUndone(r, t->turn) : !r->forwards && t->attempts > 0;
}

/* Is there an input that was tried from the turn on and would be tried again? */
static int hasTried(Rewind *r) {
  for (const Tried *t = listWaiting(r); t; t = t->next) {
    if (!t->isWorkers && isTriedThere(r, t)) return 1;
  }
  for (const Tried *t = listFailed(r); t; t = t->next) {
    if (isTriedThere(r, t)) return 1;
  }
  return 0;
}

/* Is a worker's message still its last word? A report is. A question is as long as it is asked, and so is
** the message that the worker can't continue as long as it does not. */
static int holdsStill(Cmd *c, const Tried *t) {
  Session w;
  sqlite3_int64 last = 0, event = eventOf(t->messageId);
  Query q;
  if (event < 0 || strncmp(t->messageId.z, "report:", 7) == 0) return 1;
  ts_session_load_exact(c, t->sender, &w);
  if (c->rc != SQLITE_OK || !w.exists) return c->rc == SQLITE_OK;
  q = ts_query(c, SQL_WORKER_WORD_LAST, "t", &w.label);
  if (ts_row(c, &q)) last = ts_col_int(&q, COL_WORKER_WORD_LAST_ID);
  ts_end(c, &q);
  if (last != event) return 0;
  return strncmp(t->messageId.z, "question:", 9) == 0 ? w.task.state == TASK_AWAITING_USER
                                                      : ts_text_is(w.taskStatus, "failed");
}

/* A turn that is left has taken it, so nobody would hear of it. */
static void sayAgain(Rewind *r, const Tried *t, const char *why) {
  if (isUndoneWord(r, t->sender, t->messageId) || !holdsStill(r->c, t)) return;
  ts_exec(r->c, SQL_QUEUE_SAY_AGAIN, "is?", t->id, why, why && t->turn, t->turn);
  list(r, &r->returned, t->id, t->message);
}

/* Undo is a decision: inputs that were tried from the turn on are not tried again by themselves. A
** worker's message waits. */
static void endTried(Rewind *r) {
  Cmd *c = r->c;
  Tried *t = listWaiting(r);
  for (; t && c->rc == SQLITE_OK; t = t->next) {
    if (!t->isWorkers && isTriedThere(r, t)) cancel(r, t->id, t->message);
  }
  t = listFailed(r);
  for (; t && c->rc == SQLITE_OK; t = t->next) {
    if (!isTriedThere(r, t)) continue;
    if (t->isWorkers && !isUndoneWord(r, t->sender, t->messageId)) {
      sayAgain(r, t, NULL);
    } else {
      cancel(r, t->id, t->message);
    }
  }
}

/* Inputs that the turns which are left now had taken. When the head goes forward: those beyond the new place,
** of workers that were undone at the place before, where nobody heard of them. Ids grow along a path. */
static void bringBack(Rewind *r) {
  Cmd *c = r->c;
  sqlite3_int64 end = r->forwards ? r->tip : r->from;
  Query q = ts_query(c, SQL_QUEUE_HEARD, "ti", &r->s.label, r->turn);
  for (Tried *t = listTried(c, &q); t && c->rc == SQLITE_OK; t = t->next) {
    if (isLeft(c, t->turn, r->turn) && !isLeft(c, t->turn, end)) sayAgain(r, t, UNDONE);
  }
}

/* ---- Going forward over what was undone -------------------------------------------------------------- */

/* The turn that had taken it is gone back to. */
static void hearAgain(Rewind *r) {
  Cmd *c = r->c;
  Query q = ts_query(c, SQL_QUEUE_SAID_AGAIN, "ts", &r->s.label, UNDONE);
  for (Tried *t = listTried(c, &q); t && c->rc == SQLITE_OK; t = t->next) {
    if (isLeft(c, t->turn, r->turn)) continue;
    ts_exec(c, SQL_QUEUE_TAKEN_BY, "iii", t->id, c->now, t->turn);
    unlist(&r->returned, t->id);
  }
}

/* Does the head go forward to a place below this turn that had been left? */
static int isEntered(Rewind *r, sqlite3_int64 turn) {
  Turn t;
  ts_turn_load(r->c, turn, &t);
  return t.exists && isOnPath(r->c, t.parent, r->turn) && !isOnPath(r->c, t.parent, r->from);
}

/* A worker's cancelled message waits again. If a turn on the way forward had taken it, the conversation
** has it with that turn: it is finished there, or when the head moves to that turn. */
static void restoreWord(Rewind *r, const Tried *t) {
  Cmd *c = r->c;
  Turn had = {0};
  if (t->turn && isOnPath(c, t->turn, r->turn)) {
    ts_exec(c, SQL_QUEUE_TAKEN_BY, "iii", t->id, c->now, t->turn);
    return;
  }
  if (t->turn) ts_turn_load(c, t->turn, &had);
  sayAgain(r, t, had.exists && had.onPath ? UNDONE : NULL);
}

/* What the undo has cancelled. A request stays as it is. */
static void restoreInputs(Rewind *r) {
  Cmd *c = r->c;
  Query q = ts_query(c, SQL_QUEUE_UNDONE, "ts", &r->s.label, UNDONE);
  for (Tried *t = listTried(c, &q); t && c->rc == SQLITE_OK; t = t->next) {
    if (t->isWorkers) {
      restoreWord(r, t);
    } else if (t->turn && isEntered(r, t->turn)) {
      note(r, ts_printf(c, "'%s' stays cancelled; queue_retry(%lld) has it worked on",
                        ts_excerpt(c, t->message), t->id));
    }
  }
}

/* ---- What workers were told -------------------------------------------------------------------------- */

/* Is what was told at this place (deliveries.told_place) in force when the head stands there? What was on its way to
** the next turn is that turn's. */
static int isTold(Rewind *r, sqlite3_int64 place, sqlite3_int64 head) {
  sqlite3_int64 turn = place >> 1;
  return isOnPath(r->c, turn, head) && !((place & 1) && turn == head);
}

typedef struct Telling {
  struct Telling *next;
  Text message, status, error;
  sqlite3_int64 place, queueId, attempts;
} Telling;

/* What a worker was told, back to what stays in force unchanged. */
static Telling *listTold(Rewind *r, Text worker) {
  Cmd *c = r->c;
  Telling *first = NULL, **tail = &first;
  Query q = ts_query(c, SQL_DELIVERIES_TOLD, "t", &worker);
  while (ts_row(c, &q)) {
    Telling *t = ts_alloc(c, sizeof(*t));
    if (!t) break;
    t->message = ts_col_text(c, &q, COL_DELIVERIES_TOLD_MESSAGE);
    t->place = ts_col_int(&q, COL_DELIVERIES_TOLD_TOLD_PLACE);
    t->queueId = ts_col_int(&q, COL_DELIVERIES_TOLD_QUEUE_ID);
    t->status = ts_col_text(c, &q, COL_DELIVERIES_TOLD_STATUS);
    t->attempts = ts_col_int(&q, COL_DELIVERIES_TOLD_ATTEMPTS);
    t->error = ts_col_text(c, &q, COL_DELIVERIES_TOLD_ERROR);
    if (isTold(r, t->place, r->turn) && isTold(r, t->place, r->from)) break;
    *tail = t;
    tail = &t->next;
  }
  ts_end(c, &q);
  return first;
}

/* A message that nobody has yet is taken back; otherwise the result tells of it. */
static void takeBack(Rewind *r, Text worker, const Telling *t) {
  Listed *told;
  if (ts_text_is(t->status, "cancelled")) return;
  if (ts_text_is(t->status, "pending") && !t->attempts) {
    cancel(r, t->queueId, t->message);
    return;
  }
  told = list(r, &r->told, t->queueId, t->message);
  if (told) told->worker = worker;
}

/* Going forward, what was taken back stays so. */
static void lookAtTold(Rewind *r, Text worker) {
  Cmd *c = r->c;
  for (Telling *t = listTold(r, worker); t && c->rc == SQLITE_OK; t = t->next) {
    int was = isOnPath(c, t->place >> 1, r->from), is = isTold(r, t->place, r->turn);
    if (was && !is && !r->forwards) takeBack(r, worker, t);
    if (!r->forwards || !is || !ts_text_is(t->error, UNDONE)) continue;
    note(r,
         ts_printf(c, "'%s' to worker '%.*s' stays cancelled; queue_retry(%lld) has it worked on",
                   ts_excerpt(c, t->message), worker.n, worker.z, t->queueId));
  }
}

static int isListed(const List *l, Text text) {
  for (const Listed *item = l->first; item; item = item->next) {
    if (ts_text_equal(item->text, text)) return 1;
  }
  return 0;
}

/* A worker that an undo had stopped and that belongs to the conversation again. */
static void noteStopped(Rewind *r, Text worker) {
  if (!ts_worker_was_undone(r->c, worker)) return;
  note(r, ts_printf(r->c, "worker '%.*s' was stopped by an undo, and does not go on by itself",
                    worker.n, worker.z));
}

/* Of workers that stay. */
static void lookAtWorkers(Rewind *r) {
  Cmd *c = r->c;
  List found = {NULL, NULL}, failed = {NULL, NULL};
  Query q = ts_query(c, SQL_WORKERS_OF, "t", &r->s.label);
  while (ts_row(c, &q)) {
    Text label = ts_col_text(c, &q, COL_WORKERS_OF_LABEL);
    list(r, &found, ts_col_int(&q, COL_WORKERS_OF_PARENT_TURN_ID), label);
    if (ts_col_int(&q, COL_WORKERS_OF_HAS_FAILED)) list(r, &failed, 0, label);
  }
  ts_end(c, &q);
  for (const Listed *w = found.first; w && c->rc == SQLITE_OK; w = w->next) {
    if (isUndoneWorker(r, w->text, w->id) || isListed(&r->workers, w->text)) continue;
    lookAtTold(r, w->text);
    if (r->forwards && isListed(&failed, w->text)) noteStopped(r, w->text);
  }
}

/* ---- What had interrupted the work ----------------------------------------------------------------- */

/* Is the input waiting whose words these are, perhaps among others? */
static int isWaiting(Cmd *c, const Session *s, Text said) {
  const InputLink *in = ts_queue_list(c, s->label, SQL_QUEUE_PENDING, TS_MAX_INPUTS);
  for (; in; in = in->next) {
    if (in->in->source == SOURCE_USER && strstr(said.z, in->in->message.z)) return 1;
  }
  return 0;
}

/* Inputs that were cancelled with the task, and answers to closed questions, do not count as
** waiting. */
static void listCalledOff(Rewind *r) {
  List returned = r->returned;
  for (const InputLink *in = r->s.calledOff; in; in = in->next) {
    unlist(&returned, in->in->queueId);
    list(r, &r->cancelled, in->in->queueId, in->in->message);
  }
  r->returned = (List){NULL, NULL};
  for (const Listed *item = returned.first; item && r->c->rc == SQLITE_OK; item = item->next) {
    list(r, isCancelled(r->c, item->id) ? &r->cancelled : &r->returned, item->id, item->text);
  }
}

/* An input that a turn which is left has taken interrupts the task again: nobody else will get that input. */
static void noteInterruption(Rewind *r) {
  Cmd *c = r->c;
  Text said = none;
  if (r->s.task.state != TASK_INTERRUPTED) return;
  said = ts_task_field(c, &r->s, "$.user_message");
  if (!said.z || isWaiting(c, &r->s, said)) return;
  note(r, ts_printf(c,
                    "'%s' had interrupted the work, and was taken by a turn that was left; deliver "
                    "it again to have it worked on",
                    ts_excerpt(c, said)));
}

/* ---- The result ------------------------------------------------------------------------------------- */

static void putInputs(Json *j, const char *key, const List *l) {
  if (!l->first) return;
  ts_json_key(j, key);
  ts_json_open(j, '[');
  for (const Listed *item = l->first; item; item = item->next) {
    ts_json_open(j, '{');
    if (item->worker.z) ts_json_put(j, "worker", item->worker);
    if (item->id) ts_json_put_int(j, "queue_id", item->id);
    ts_json_put(j, "message", item->text);
    ts_json_close(j, '}');
  }
  ts_json_close(j, ']');
}

static void putTexts(Json *j, const char *key, const List *l) {
  if (!l->first) return;
  ts_json_key(j, key);
  ts_json_open(j, '[');
  for (const Listed *item = l->first; item; item = item->next)
    ts_json_text(j, item->text);
  ts_json_close(j, ']');
}

static void returnRewind(Rewind *r) {
  Json j;
  ts_json_begin(&j, r->c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "session", r->s.label);
  ts_json_put_id(&j, "head", r->turn);
  ts_json_put_id(&j, "previous_head", r->from);
  ts_json_put_string(&j, "state", ts_task_machine.states[r->s.task.state]);
  ts_json_put_string(&j, "previous_state", ts_task_machine.states[r->previous]);
  ts_json_put_id(&j, "task_id", r->s.task.id);
  if (r->failed) ts_json_put_int(&j, "dropped_turn", r->failed);
  if (r->commitId.z) ts_json_put(&j, "commit_id", r->commitId);
  putTexts(&j, "workers_stopped", &r->workers);
  putInputs(&j, "cancelled", &r->cancelled);
  putInputs(&j, "returned", &r->returned);
  putInputs(&j, "told", &r->told);
  putTexts(&j, "notes", &r->notes);
  ts_json_close(&j, '}');
  ts_return_text(r->c, ts_json_finish(&j));
}

/* ---- session_rewind(label, turn) → JSON --------------------------------------------------------------- */

static const ArgSpec rewindArgs[] = {{"label", ARG_LABEL, 1}, {"turn", ARG_INT, ARG_OR_NULL}};

/* What happens to everything else that belongs to the turns which are left. */
static void leave(Rewind *r) {
  Cmd *c = r->c;
  Session *s = &r->s;
  ts_head_move(c, s, r->turn, MOVE_REWIND, NULL);
  if (s->run.failedTurn) ts_exec(c, SQL_RUN_FAILED, "t?", &s->label, 0, (sqlite3_int64)0);
  s->run.failedTurn = 0;
  if (s->pendingChoice.z) note(r, "the open choice was closed; what it held waits");
  ts_choice_release(c, s, "undo");
  returnInputs(r);
  if (r->forwards) hearAgain(r);
  cancelReports(r); /* first: stopping a worker withdraws what it asks */
  stopWorkers(r);
  endTried(r);
  if (r->forwards) restoreInputs(r);
  bringBack(r);
  lookAtWorkers(r);
  takeTask(r);
  keepAnswers(r);
  if (!r->forwards && r->turn != r->from) note(r, "inputs of the turns that were left stay done");
  if (!r->forwards) noteInterruption(r);
  s->offered = 0;
  /* Somebody who goes back is present: the task that was picked up is not idle. */
  ts_session_touch(c, s, SOURCE_USER);
  ts_session_save(c, s);
  /* Its parent no longer has the question, or the input that was tried is not tried again: the task would
  ** wait for nothing. */
  if (r->previous == TASK_AWAITING_USER || r->cancelled.first)
    ts_worker_halted(c, s, TS_TEXT("it was taken back by session_rewind"));
}

static void runRewind(Cmd *c) {
  Rewind r;
  memset(&r, 0, sizeof(r));
  r.c = c;
  ts_session_require(c, c->arg[0].text, &r.s);
  ts_lease_require_free(c, &r.s, "session_rewind");
  if (c->rc != SQLITE_OK) return;
  findTurn(&r, &c->arg[1]);
  findEnd(&r);
  findTask(&r);
  adjustTask(&r);
  if (c->rc != SQLITE_OK) return;
  r.previous = r.s.task.state;
  r.failed = r.s.run.failedTurn;
  r.forwards = TS_DEPTH(r.turn) > TS_DEPTH(r.from) || (r.turn && !r.from);
  if (r.turn != r.from || r.failed || !stands(&r) || hasTried(&r)) leave(&r);
  listCalledOff(&r);
  returnRewind(&r);
}

const CommandSpec ts_session_rewind = {"session_rewind", runRewind, 0, TS_ARGS(2, rewindArgs),
                                       NULL};
