/*
** decision.c - the parts of a decision: notes, what is handed over, the class × state table, the queue, the decision as JSON.
*/
#include "decision.h"

#include "asked.h"
#include "called_off.h"
#include "choice.h"
#include "classifier.h"
#include "config.h"
#include "end_task.h"
#include "json.h"
#include "lease.h"
#include "prompt.h"
#include "report.h"
#include "said.h"
#include "task.h"
#include "tell.h"
#include "utf8.h"
#include "workers.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Parts of a decision --------------------------------------------------------------------- */

void ts_deliver_init(Delivery *d, Cmd *c) {
  memset(d, 0, sizeof(*d));
  d->c = c;
  d->action = d->handing = ACTION_COUNT;
  d->cls = CLASS_UNKNOWN;
  d->in.cls = CLASS_UNKNOWN;
  d->inputsTail = &d->inputs;
  d->keepsTurns = -1;
}

void ts_deliver_drop_called_off(Delivery *d) {
  d->inputsTail = &d->inputs;
  while (*d->inputsTail) {
    if (ts_queue_is_called_off(&d->s, (*d->inputsTail)->in)) {
      *d->inputsTail = (*d->inputsTail)->next;
    } else {
      d->inputsTail = &(*d->inputsTail)->next;
    }
  }
}

void ts_deliver_note(Delivery *d, const char *text) {
  if (d->nNotes < MAX_NOTES) d->notes[d->nNotes++] = text;
}

void ts_deliver_cancelled(Delivery *d, InputLink *list) {
  ts_queue_join(&d->cancelled, list);
}

void ts_deliver_cancel_answer(Delivery *d, Inbound *in, MessageClass cls) {
  InputLink *link = ts_alloc(d->c, sizeof(*link));
  if (cls != CLASS_UNKNOWN) in->cls = cls;
  ts_asked_cancel(d->c, in);
  if (!link) return;
  link->in = in;
  ts_deliver_cancelled(d, link);
}

void ts_choice_show(Delivery *d) {
  OpenChoice choice;
  ts_choice_load(d->c, &d->s, &choice);
  d->action = ACTION_PROMPT;
  d->message = ts_choice_prompt(d->c, &d->s, choice.text);
  d->choices = choice.options;
}

void ts_deliver_keep(Delivery *d, const char *key, Text message) {
  Text text = ts_fill(d->c, d->s.label, key, "message", message, NULL, none);
  if (!text.z) return;
  ts_note_text(d->c, &d->s, "held", text.z);
  if (strcmp(key, "note.held") == 0)
    ts_task_worked(d->c, &d->s); /* it is information for the task */
  ts_deliver_note(d, text.z);
}

void ts_deliver_put_away(Delivery *d, Text message) {
  ts_deliver_keep(d, "note.held", message);
  d->putAway = ts_fill(d->c, d->s.label, "note.held", "message", message, NULL, none);
}

void ts_deliver_show_put_away(Delivery *d) {
  sqlite3_str *out;
  if (!d->putAway.z || d->c->rc != SQLITE_OK) return;
  out = sqlite3_str_new(d->c->db);
  ts_append(out, d->putAway);
  if (d->message.z) sqlite3_str_appendall(out, "\n\n");
  ts_append(out, d->message);
  d->message = ts_finish(d->c, out);
}

void ts_deliver_hand_input(Delivery *d, Inbound *in) {
  InputLink *link = in ? ts_alloc(d->c, sizeof(*link)) : NULL;
  if (!link) return;
  link->in = in;
  *d->inputsTail = link;
  d->inputsTail = &link->next;
}

/* Does it add nothing new to the task? It may be the task's first message, the one a worker was
** given, a retried one, or a command. */
static int isFirst(const Delivery *d, const Inbound *in) {
  return in->isRetry || ts_is_compact(in) ||
         (d->isTaking && ts_text_is(d->s.taskStatus, "pending"));
}

/* Everything handed over while a task is open, except its first message, is recorded with the task.
** */
void ts_deliver_hand(Delivery *d, Inbound *in) {
  if (in && !in->isOpen && !isFirst(d, in)) ts_task_worked(d->c, &d->s);
  ts_deliver_hand_input(d, in);
}

void ts_deliver_stop_run(Delivery *d, Text reason) {
  if (!d->liveRun) return;
  ts_deliver_cancelled(d, ts_lease_stop_turn(d->c, &d->s, reason));
  d->liveRun = 0;
  ts_deliver_note(d, "the live run was aborted");
}

void ts_deliver_end_task(Delivery *d, CommitType type, Text message, Text detail) {
  ts_deliver_stop_run(d, detail.z ? detail : message);
  int keeps = type == COMMIT_NORMAL || d->s.task.worked;
  Text task = d->s.task.description;
  d->taskId = d->s.task.id;
  d->commitId = ts_task_end(d->c, &d->s, type, message, detail);
  d->isHeld = d->isHeld && ts_queue_is_held(d->c, &d->s);
  if (!keeps) {
    ts_deliver_note(d, ts_printf(d->c, "dropped without a commit, no work was recorded: %.*s",
                                 task.n, task.z ? task.z : ""));
  }
}

void ts_deliver_switched(Delivery *d, const Inbound *next) {
  ts_deliver_cancelled(d, ts_queue_end_task(d->c, &d->s, next, d->taskId));
  d->isHeld = d->isHeld && ts_queue_is_held(d->c, &d->s);
}

void ts_deliver_start(Delivery *d, Inbound *in) {
  ts_task_start(d->c, &d->s, ts_describe(d->c, in->message, TS_MAX_DESCRIPTION), NULL);
  d->taskId = d->s.task.id;
  d->action = d->handing = ACTION_START;
  ts_deliver_hand_input(d, in);
}

int ts_input_concerns_task(const Inbound *in) {
  return in->source == SOURCE_USER && !ts_is_compact(in);
}

/* Was it said in this session? A message of a session that was merged into it, or parted from it,
** was not. */
static int wasSaidHere(const Delivery *d, const Inbound *in) {
  Text label = d->s.label; /* the message being decided has no row yet */
  Query q = ts_query(d->c, SQL_DELIVERY_SESSION, "i", in->deliveryId);
  if (ts_row(d->c, &q)) label = ts_col_text(d->c, &q, COL_DELIVERY_SESSION_SESSION_LABEL);
  ts_end(d->c, &q);
  return ts_text_equal(label, d->s.label);
}

/* A message that waited may be older than the question or the report: then it is not an answer,
** whatever its words are, unless it names the question. */
static int isEarlier(const Delivery *d, const Inbound *in) {
  if (!ts_state_asks(d->s.task.state) || in->answersQuestion) return 0;
  if (in == &d->in && !d->secondOf) return 0;
  if (in->deliveryId > d->s.task.askedAfter) return !wasSaidHere(d, in);
  return in->deliveryId != 0 || in->queueId != 0;
}

/* A question is open, and the message does not answer it but only says that somebody wants to
** continue. A message to a worker counts as an answer, because the question can't be repeated to
** its sender. */
static int skipsQuestion(const Delivery *d, const Inbound *in) {
  const Task *task = &d->s.task;
  Text said;
  if (task->state != TASK_AWAITING_USER || in->answersQuestion || isEarlier(d, in)) return 0;
  if (d->s.isSubagent || !ts_input_concerns_task(in)) return 0;
  if (ts_is_command(in)) return 0;
  said = ts_said(d->c, in);
  return ts_choice_skips_question(said.z, said.n, task->stateData.z,
                                  task->stateData.z ? task->stateData.n : 0);
}

/* The task is reported: how the message answers the report, which may end in a question. A class
** given by the caller stands. */
static MessageClass saysToReport(Delivery *d, const Inbound *in) {
  Text report = none, said;
  if (d->s.task.state != TASK_PENDING_COMPLETE || !ts_input_concerns_task(in) ||
      ts_is_command(in)) {
    return CLASS_UNKNOWN;
  }
  if (isEarlier(d, in)) return CLASS_UNKNOWN;
  if (in->isGiven && (in->cls == CLASS_CONFIRMATION || !in->isAffirmation)) return CLASS_UNKNOWN;
  report = ts_task_field(d->c, &d->s, "$.question");
  if (!report.z) report = ts_task_field(d->c, &d->s, "$.summary");
  said = ts_said(d->c, in);
  return ts_report_reads(ts_report_asks(report.z, report.z ? report.n : 0), said.z, said.n, in->cls,
                         in->isAffirmation);
}

/* Do several people talk in this session? The label or a message's envelope says so. */
static int isGroup(const Delivery *d) {
  return d->fromGroup || (d->s.label.n > 6 && memcmp(d->s.label.z, "group:", 6) == 0);
}

int ts_deliver_meets_choice(const Delivery *d, const Inbound *in) {
  return d->s.pendingChoice.z && !in->namesQuestion;
}

int ts_deliver_is_doubted(Delivery *d, const Inbound *in, int below) {
  if (in != &d->in || !in->isDoubted) return 0;
  return ts_config_int(d->c, d->s.label, CONFIG_CLASSIFY_BELOW) == below;
}

Cell ts_deliver_cell(Delivery *d, const Inbound *in, int continuing) {
  MessageClass toReport = saysToReport(d, in);
  CellFacts facts = {
      .state = d->s.task.state,
      .cls = toReport == CLASS_UNKNOWN ? in->cls : toReport,
      .isAffirmation = in->isAffirmation,
      .offered = d->s.offered,
      .switchTasks = ts_config_int(d->c, d->s.label, CONFIG_NEW_TASK_POLICY) == POLICY_SWITCH,
      /* Workers are never prompted. */
      .continuing = continuing || d->s.isSubagent || (d->s.pendingChoice.z && in->namesQuestion),
      .skipsQuestion = skipsQuestion(d, in),
      .toReport = toReport != CLASS_UNKNOWN,
      .isCommand = ts_is_command(in),
      .isEarlier = isEarlier(d, in),
      .isGroup = isGroup(d) && ts_input_concerns_task(in),
      .isDoubted = ts_deliver_is_doubted(d, in, BELOW_PROMPT),
  };
  return ts_cell(&facts);
}

int ts_deliver_ends_task(Delivery *d, const Inbound *in) {
  return ts_deliver_cell(d, in, 0).commit != COMMIT_NONE;
}

/* ---- What a parent says to its worker ---------------------------------------------------------- */

int ts_worker_has_parent(Cmd *c, const Session *s, Text name) {
  Session parent, named;
  if (!s->parentLabel.z || ts_text_equal(name, s->parentLabel)) return s->parentLabel.z != NULL;
  ts_session_load(c, s->parentLabel, &parent);
  ts_session_load(c, name, &named);
  return named.exists && ts_text_equal(named.label, parent.label);
}

int ts_deliver_is_from_parent(Delivery *d, const Inbound *in) {
  if (!d->s.isSubagent || in->source != SOURCE_AGENT || in->isExempt) return 0;
  if (ts_text_is(in->channel, "worker")) return 0;
  return in->sender.n == 0 || ts_worker_has_parent(d->c, &d->s, in->sender);
}

void ts_deliver_classify_from_parent(Delivery *d, Inbound *in, MessageClass given) {
  int answers = d->s.task.state == TASK_AWAITING_USER && !isEarlier(d, in);
  in->cls = given != CLASS_UNKNOWN ? given : answers ? CLASS_RESPONSE : CLASS_MODIFICATION;
  in->confidence = 1.0;
}

int ts_class_means_same_task(MessageClass cls) {
  return cls != CLASS_NEW_TASK && cls != CLASS_ABANDON && cls != CLASS_CLARIFICATION;
}

void ts_deliver_resume_saved(Delivery *d, Inbound *in, const Task *saved) {
  Cmd *c = d->c;
  Session *s = &d->s;
  Text text, question = ts_state_field(c, saved->stateData, "$.question");
  ts_worker_goes_on(c, s);
  ts_task_start(c, s, saved->description, "pick_up");
  ts_task_worked(c, s); /* by its saved description */
  text = ts_fill(c, s->label, "note.picked_up", "task", s->task.description, NULL, none);
  if (text.z) ts_note_text(c, s, "choice", text.z);
  if (question.z) ts_note(c, s, NOTE_QUESTION, question);
  ts_note(c, s, question.z ? NOTE_ANSWER : NOTE_INTERVENTION, in->message);
  in->cls = d->cls = question.z ? CLASS_RESPONSE : CLASS_MODIFICATION;
  in->confidence = d->confidence = 1.0;
  d->taskId = s->task.id;
  d->action = d->handing = ACTION_CONTINUE;
  ts_deliver_note(d, text.z);
  ts_deliver_hand(d, in);
}

/* ---- Into the queue, and through the table ----------------------------------------------------- */

void ts_deliver_refuse(Delivery *d, const Inbound *in, Text message, const char *why) {
  ts_exec(d->c, SQL_SESSION_REFUSED, "tissttt", &d->s.label, d->c->now, why,
          ts_source_names[in->source], &in->channel, &in->sender, &message);
}

/* A worker whose task has ended: its parent's message is the next task. */
static int awaitsTask(const Session *s) {
  int isOpen = s->task.id && s->task.state != TASK_COMPLETE && s->task.state != TASK_ABORTED;
  return s->isSubagent && !isOpen;
}

/* Is it what the session waits for: the answer to the open question, or a worker's next task? A
** counter-question or an unclear message is neither. */
static int isAwaited(Delivery *d, const Inbound *in) {
  if (in->cls == CLASS_CLARIFICATION || in->cls == CLASS_UNCLEAR) return 0;
  if (awaitsTask(&d->s)) return ts_deliver_is_from_parent(d, in);
  if (d->s.task.state != TASK_AWAITING_USER) return 0;
  return in->source == SOURCE_USER || ts_deliver_is_from_parent(d, in);
}

/* The first waiting input that the session waits for. 0: it has no such input, or waits for
** nothing. */
static sqlite3_int64 awaitedInput(Delivery *d) {
  Cmd *c = d->c;
  const Session *s = &d->s;
  sqlite3_int64 after = awaitsTask(s) ? -1 : s->task.askedAfter, id = 0;
  Query q;
  if (after >= 0 && s->task.state != TASK_AWAITING_USER) return 0;
  q = ts_query(c, SQL_QUEUE_ANSWER, "tii", &s->label, (sqlite3_int64)s->isSubagent, after);
  while (!id && ts_row(c, &q)) {
    Text source = ts_col_text(c, &q, COL_QUEUE_ANSWER_SOURCE);
    Inbound in;
    memset(&in, 0, sizeof(in));
    in.source = ts_source_find(source);
    in.channel = ts_col_text(c, &q, COL_QUEUE_ANSWER_CHANNEL);
    in.sender = ts_col_text(c, &q, COL_QUEUE_ANSWER_SENDER);
    if (in.source == SOURCE_USER || ts_deliver_is_from_parent(d, &in))
      id = ts_col_int(&q, COL_QUEUE_ANSWER_ID);
  }
  ts_end(c, &q);
  return id;
}

int ts_deliver_admit(Delivery *d, const Inbound *in) {
  Cmd *c = d->c;
  sqlite3_int64 cap = ts_config_int(c, d->s.label, CONFIG_QUEUE_CAP), n = 0, answer;
  InputLink *oldest;
  Query q = ts_query(c, SQL_QUEUE_PENDING_COUNT, "ti", &d->s.label, cap);
  if (ts_row(c, &q)) n = ts_col_int(&q, COL_QUEUE_PENDING_COUNT_COUNT);
  ts_end(c, &q);
  if (n < cap || in->queueId || in->isExempt || in->openedAt || in->askedAt) return 1;
  answer = awaitedInput(d);
  if (!answer && isAwaited(d, in)) return 1;
  if (ts_config_int(c, d->s.label, CONFIG_QUEUE_FULL) == QUEUE_FULL_REJECT) {
    d->action = ACTION_REJECTED;
    d->queuedId = 0;
    d->message = ts_fill(c, d->s.label, "rejected.queue_full", NULL, none, NULL, none);
    d->refusal = "queue_full";
    return 0;
  }
  oldest = ts_queue_oldest(c, &d->s, answer);
  if (!oldest) return 1; /* somebody waits for every input: the next message drops this one */
  ts_exec(c, SQL_QUEUE_END, "isis", oldest->in->queueId, "cancelled", c->now,
          "dropped: the queue was full");
  ts_input_called_off(c, &d->s, oldest->in->source == SOURCE_USER ? oldest->in->message : none);
  ts_deliver_cancelled(d, oldest);
  return 1;
}

int ts_deliver_add_pending(Delivery *d, Inbound *in, LiveStep step) {
  QueueMode m = ts_queue_mode(d->c, &d->s, in);
  const char *mode;
  if (step == LIVE_QUEUE && m >= MODE_STEER) m = MODE_QUEUE;
  if (ts_is_compact(in)) m = MODE_QUEUE;
  mode = ts_queue_modes[m];
  if (!ts_deliver_admit(d, in)) return 0;
  in->mode = (Text){mode, (int)strlen(mode)};
  ts_queue_add(d->c, &d->s, in, QUEUE_PENDING);
  d->queuedId = in->queueId;
  return 1;
}

/* A message for a session with a live run: it waits, and the run may be told. Its meaning for the
** task is decided when it is taken. */
static void applyLive(Delivery *d, Inbound *in, LiveStep step) {
  Cmd *c = d->c;
  Session *s = &d->s;
  int tells = in->source == SOURCE_USER &&
              (in->cls == CLASS_RESPONSE || in->cls == CLASS_MODIFICATION) && step != LIVE_QUEUE;
  if (step == LIVE_INTERRUPT) in->rank = -1;
  if (!ts_deliver_add_pending(d, in, step)) return;
  d->action = step == LIVE_INTERRUPT ? ACTION_INTERRUPT
              : step == LIVE_STEER   ? ACTION_STEER
                                     : ACTION_QUEUE;
  if (tells && (s->task.state == TASK_RUNNING || s->task.state == TASK_INTERRUPTED)) {
    Text data = ts_json_pair(c, "user_message", in->message);
    ts_task_move(c, s, TASK_INTERRUPTED, ts_interrupted_data(c, s, data, in->message), NULL);
  }
  if (step == LIVE_INTERRUPT && s->run.state != RUN_INTERRUPTED) {
    ts_run_move(c, s, RUN_INTERRUPTED);
  }
}

/* Shows the open question again. It has no letters: the host handles the answer. */
static void showQuestion(Delivery *d) {
  d->message = ts_task_field(d->c, &d->s, "$.question");
  d->choices = TS_TEXT("[]");
}

int ts_cell_leaves_room(const Cell *cell) {
  return cell->action == ACTION_ACKNOWLEDGE || cell->asksAgain;
}

/* The task's move by a message: an answer is recorded with its question, a request for more with
** its words. */
static Text toldOf(Delivery *d, const Inbound *in, TaskState to) {
  Cmd *c = d->c;
  TaskState from = d->s.task.state;
  Json j;
  if (to != TASK_RUNNING || (from != TASK_AWAITING_USER && from != TASK_PENDING_COMPLETE)) {
    return none;
  }
  if (from == TASK_PENDING_COMPLETE) return ts_json_pair(c, "user_message", in->message);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "question", ts_task_field(c, &d->s, "$.question"));
  ts_json_put(&j, "answer", in->message);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* The class that counts for a message. A retried message keeps its class. */
static MessageClass classOf(const Inbound *in, const Cell *cell) {
  return in->isRetry && in->cls != CLASS_UNKNOWN ? in->cls : cell->cls;
}

void ts_deliver_apply(Delivery *d, Inbound *in, int continuing) {
  Cmd *c = d->c;
  Session *s = &d->s;
  Cell cell;
  if (c->rc != SQLITE_OK) return;
  cell = ts_deliver_cell(d, in, continuing);
  if (d->liveRun || d->isHeld) {
    LiveStep step = ts_live(d->isHeld ? MODE_QUEUE : ts_queue_mode(c, s, in), &cell);
    if (step == LIVE_FENCE) {
      ts_deliver_stop_run(d, in->message);
    } else if (step != LIVE_APPLY) {
      d->cls = in->cls = classOf(in, &cell);
      d->confidence = in->confidence;
      applyLive(d, in, step);
      return;
    }
  }
  d->action = cell.action;
  d->cls = in->cls = classOf(in, &cell);
  d->confidence = in->confidence;
  s->offered = 0;
  if (s->task.id) d->taskId = s->task.id;
  if (cell.cls == CLASS_ABANDON && in->source == SOURCE_USER) {
    ts_deliver_cancelled(d, ts_queue_cancel_unclaimed(c, s, in));
  }
  if (cell.note != NOTE_NONE && !in->isRetry) ts_note(c, s, cell.note, in->message);

  switch (cell.commit) {
  case COMMIT_NORMAL: {
    Text summary = ts_task_summary(c, s);
    ts_deliver_end_task(d, COMMIT_NORMAL, summary, none);
    d->message = ts_fill(c, s->label, "complete", "summary", summary, NULL, none);
    break;
  }
  case COMMIT_ABANDONED:
    if (ts_deliver_is_from_parent(d, in)) ts_worker_called_off(c, s);
    d->message = ts_fill(c, s->label, "abandon", "task", s->task.description, NULL, none);
    ts_deliver_end_task(d, COMMIT_ABANDONED,
                        ts_fill(c, s->label, "commit.abandoned", NULL, none, NULL, none),
                        in->message);
    break;
  case COMMIT_INTERRUPTED_BY_NEW_TASK:
    ts_deliver_end_task(
        d, COMMIT_INTERRUPTED_BY_NEW_TASK,
        ts_fill(c, s->label, "commit.switch", "task", s->task.description, NULL, none),
        ts_describe(c, in->message, 120));
    ts_deliver_switched(d, in);
    in->isExempt = 1; /* a task that ended because of it is not reopened */
    break;
  default: break;
  }

  if (cell.choice != CHOICE_NONE) {
    ts_choice_open(d->c, &d->s, cell.choice, in, NULL, NULL);
    ts_choice_show(d);
  } else if (cell.asksAgain) {
    showQuestion(d);
  } else if (cell.starts) {
    ts_deliver_start(d, in);
    return;
  } else if (cell.next != s->task.state &&
             !(d->isTaking && s->task.state == TASK_INTERRUPTED && cell.next == TASK_RUNNING)) {
    ts_task_move_told(c, s, cell.next, none, NULL, toldOf(d, in, cell.next));
  }
  if (cell.hands) {
    if (d->handing != ACTION_START) d->handing = cell.action;
    ts_deliver_hand(d, in);
  }
  if (cell.action == ACTION_ACKNOWLEDGE) {
    d->message = ts_fill(c, s->label, "acknowledge", NULL, none, NULL, none);
  }
}

/* ---- Classifying ----------------------------------------------------------------------------- */

/* Rules that the classifier had to skip. Several messages of one delivery can meet the same rule.
** */
static void noteLeftOut(Delivery *d, const char *text) {
  if (!text) return;
  for (int i = 0; i < d->nNotes; i++) {
    if (d->notes[i] && strcmp(d->notes[i], text) == 0) return;
  }
  ts_deliver_note(d, text);
}

/* An unknown slash word, and a message to somebody else, begins nothing, and answers and approves
** nothing: the host or the model decides about it. With words after it, a slash word may add to the
** running task. */
static void classifyCommand(Inbound *in, TaskState state, Text question) {
  Slash slash;
  int isOurs = ts_said_slash(in, &slash) && slash.isFor;
  int isAsked = in->answersQuestion || (isOurs && ts_slash_named(&slash, question));
  if (state == TASK_AWAITING_USER && isAsked) {
    in->cls = CLASS_RESPONSE;
    return;
  }
  in->isAffirmation = 0;
  if (isOurs && (in->cls == CLASS_ABANDON || in->cls == CLASS_CLARIFICATION)) return;
  if (!isOurs || !slash.rest.n || state == TASK_NONE || state == TASK_AWAITING_USER ||
      in->cls == CLASS_CONFIRMATION)
    in->cls = CLASS_UNCLEAR;
}

/* The lowest accepted confidence of a class; 0: any. */
static double floorOf(const Delivery *d) {
  return (double)ts_config_int(d->c, d->s.label, CONFIG_CLASSIFY_FLOOR) / 1000;
}

/* "Bob: stop", "thanks @bob": a message to somebody else that would otherwise end or approve
** something, or answer yes or no. A request for work counts whoever it addresses. */
static int closesForOther(Delivery *d, const Inbound *in, const ClassifyInput *asked) {
  Text question = {asked->question, asked->nQuestion}, task = {asked->task, asked->nTask};
  Text beside = ts_said_beside(in, question, task);
  ClassifyInput input = *asked;
  ClassifyResult result;
  const char *note = NULL;
  if (!beside.z || d->c->rc != SQLITE_OK) return 0;
  memset(&result, 0, sizeof(result));
  input.message = beside.z;
  input.nMessage = beside.n;
  ts_classifier_run(d->c, d->s.label, &input, floorOf(d), &result, &note);
  noteLeftOut(d, note);
  return result.isAffirmation || result.cls == CLASS_ABANDON || result.cls == CLASS_CONFIRMATION ||
         ts_report_reads(REPORT_SETTLED, beside.z, beside.n, result.cls, 0) == CLASS_UNCLEAR;
}

/* The messages that need a second opinion. */
static void keepAsked(Delivery *d, const ClassifyInput *input) {
  char *prompt;
  if (!ts_deliver_is_doubted(d, &d->in, BELOW_ASK) || d->secondOf) return;
  prompt = ts_adopt(d->c, ts_classification_prompt(input));
  if (prompt) d->opinion = (Text){prompt, (int)strlen(prompt)};
}

void ts_deliver_classify(Delivery *d, Inbound *in, const Task *task, MessageClass given) {
  Cmd *c = d->c;
  int earlier = task == &d->s.task && isEarlier(d, in);
  TaskState state = earlier ? TASK_RUNNING : task->state;
  Text data = earlier ? none : task->stateData;
  Text question = ts_state_field(c, data, "$.question"), said;
  ClassifyInput input = {0};
  ClassifyResult result;
  const char *note = NULL;
  double floor;
  if (!question.z) question = ts_state_field(c, data, "$.summary");
  if (c->rc != SQLITE_OK) return;
  if (given != CLASS_UNKNOWN) {
    in->cls = given;
    in->isGiven = 1;
    in->confidence = 1.0;
    in->isAffirmation = ts_classifier_affirms(c, ts_said(c, in), &note);
    noteLeftOut(d, note);
    return;
  }
  memset(&result, 0, sizeof(result));
  said = ts_said(c, in);
  input.message = said.z;
  input.nMessage = said.n;
  input.state = state;
  input.task = task->description.z;
  input.nTask = task->description.n;
  input.question = question.z;
  input.nQuestion = question.n;
  floor = floorOf(d);
  ts_classifier_run(c, d->s.label, &input, floor, &result, &note);
  noteLeftOut(d, note);
  if (c->rc != SQLITE_OK) return;
  in->cls = result.cls;
  in->confidence = result.confidence;
  in->isAffirmation = result.isAffirmation;
  in->isGiven = result.isCorrected; /* somebody has said what it means */
  in->isAside = !in->isGiven && (ts_said_is_call(in, state == TASK_AWAITING_USER) ||
                                 (!result.isWhole && closesForOther(d, in, &input)));
  in->isDoubted = in->confidence < floor && !in->isGiven && !in->isAffirmation && !in->isAside &&
                  !ts_is_command(in);
  if (ts_is_command(in)) classifyCommand(in, state, question);
  if (in->isDoubted && in == &d->in) keepAsked(d, &input);
}

void ts_deliver_doubt(Delivery *d, Gate gate, MessageClass guess) {
  Inbound *in = &d->in;
  if (!in->isDoubted) return;
  if (gate == GATE_CHOICE) {
    in->isDoubted = d->reading.answer == ANSWER_NONE && in->cls == guess;
  } else {
    in->isDoubted = gate == GATE_CLASSIFY && saysToReport(d, in) == CLASS_UNKNOWN &&
                    !(in->answersQuestion && in->cls == CLASS_RESPONSE);
  }
  if (d->secondOf || (d->s.isSubagent && ts_deliver_is_doubted(d, in, BELOW_PROMPT)))
    in->isDoubted = 0;
  if (!ts_deliver_is_doubted(d, in, BELOW_PROMPT)) return;
  if (gate == GATE_CHOICE) d->belongs = 0;
  in->cls = ts_class_doubted(in->cls, gate == GATE_CHOICE, d->s.task.id != 0);
}

/* ---- The decision as JSON -------------------------------------------------------------------- */

static void putInputs(Json *j, const Delivery *d) {
  if (!d->inputs || (d->inputs->in == &d->in && !d->inputs->next)) return;
  ts_json_key(j, "inputs");
  ts_json_open(j, '[');
  for (InputLink *link = d->inputs; link; link = link->next) {
    const Inbound *in = link->in;
    if (!in) continue;
    ts_json_open(j, '{');
    ts_json_put_int(j, "queue_id", in->queueId);
    ts_json_put_string(j, "source", ts_source_names[in->source]);
    if (in->sender.n) ts_json_put(j, "sender", in->sender);
    if (in->label) ts_json_put_string(j, "label", in->label);
    ts_json_put(j, "message", in->message);
    ts_asks_put(j, in);
    ts_json_close(j, '}');
  }
  ts_json_close(j, ']');
}

/* What the host has to ask about, and the number for its answer. */
static void putOpinion(Json *j, const Delivery *d) {
  if (d->action != ACTION_CLASSIFY) return;
  ts_json_key(j, "second_opinion");
  ts_json_open(j, '{');
  ts_json_put_int(j, "delivery", d->in.deliveryId);
  ts_json_put(j, "prompt", d->opinion);
  ts_json_close(j, '}');
}

Text ts_deliver_decision_json(Delivery *d) {
  Json j;
  Inbound *last = NULL;
  ts_json_begin(&j, d->c);
  ts_decision_begin(&j, d->action, &d->s, d->taskId, d->cls, d->confidence, d->previous);
  if (d->message.z) ts_json_put(&j, "message", d->message);
  if (d->choices.z) ts_json_put_raw(&j, "choices", d->choices);
  ts_asked_put(&j, d->c, &d->s);
  if (d->focus.z) ts_json_put(&j, "focus", d->focus);
  if (d->isDuplicate) {
    ts_json_key(&j, "duplicate");
    ts_json_bool(&j, 1);
  }
  if (d->commitId.z) ts_json_put(&j, "commit_id", d->commitId);
  for (InputLink *link = d->inputs; link; link = link->next)
    last = link->in;
  if (d->in.queueId) last = &d->in;
  if (last || d->queuedId) {
    ts_json_put_int(&j, "queue_id", last ? last->queueId : d->queuedId);
  }
  if (d->due > d->c->now) ts_json_put_int(&j, "due_at", d->due);
  putOpinion(&j, d);
  putInputs(&j, d);
  ts_queue_put(&j, "cancelled", d->cancelled, 0);
  ts_queue_put(&j, "still_waiting", d->waits, 1);
  if (d->turn.z) ts_json_put_raw(&j, "turn", d->turn);
  if (d->route.key.z) {
    ts_json_key(&j, "route");
    ts_json_open(&j, '{');
    ts_json_put(&j, "key", d->route.key);
    ts_json_put(&j, "policy", d->route.choice.policy);
    ts_json_put(&j, "persona", d->route.choice.persona);
    ts_json_close(&j, '}');
  }
  if (d->nNotes) {
    ts_json_key(&j, "notes");
    ts_json_open(&j, '[');
    for (int i = 0; i < d->nNotes; i++)
      ts_json_string(&j, d->notes[i]);
    ts_json_close(&j, ']');
  }
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}
