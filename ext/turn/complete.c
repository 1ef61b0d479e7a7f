/*
** complete.c - turn_complete(): ends a live turn well, and what that means for the task.
*/
#include "call.h"

#include "asked.h"
#include "json.h"
#include "lease.h"
#include "report.h"
#include "task.h"
#include "text.h"

SQLITE_EXTENSION_INIT3

/* What the end of a turn means for the task. */
typedef struct Outcome {
  Text word; /* question, done, or NULL */
  Text question, summary;
  Text content; /* all that is said, NULL: nothing */
} Outcome;

/* The end of a text, where what it asks stands; no character is cut. */
static Text endOf(Text text) {
  while (text.n > TS_REPORT_TAIL || (text.n && ((unsigned char)text.z[0] & 0xC0) == 0x80)) {
    text.z++;
    text.n--;
  }
  return text;
}

/* The report of a task. When its summary leaves out what the text asks, that is kept beside it: a yes is said to
** it. */
static Text reportData(Cmd *c, const Outcome *o) {
  Json j;
  if (!o->content.z || ts_report_asks(o->summary.z, o->summary.n) != REPORT_SETTLED ||
      ts_report_asks(o->content.z, o->content.n) == REPORT_SETTLED) {
    return ts_json_pair(c, "summary", o->summary);
  }
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "summary", o->summary);
  ts_json_put(&j, "question", endOf(o->content));
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* Moves the task as the outcome says. A finished turn is never refused because of it: what can't be is
** told in the note that is returned, NULL when all is well. */
static const char *applyOutcome(Cmd *c, Call *k, const Outcome *o) {
  Session *s = &k->s;
  int asks = ts_text_is(o->word, "question");
  TaskState to = asks ? TASK_AWAITING_USER : TASK_PENDING_COMPLETE;
  Text text = asks ? o->question : o->summary, data;
  if (!o->word.z || c->rc != SQLITE_OK) return NULL;
  if (!s->task.id) return "outcome ignored: no task is open";
  if (!text.z || ts_text_blank(text.z, text.n)) {
    return asks ? "outcome ignored: there is no question and no content"
                : "outcome ignored: there is no summary and no content";
  }
  if (s->task.state == TASK_INTERRUPTED) {
    sqlite3_int64 steering = 0;
    ts_queue_count(c, s, &steering);
    if (steering) return "outcome ignored: messages that interrupted the work were not taken yet";
  }
  if (s->task.state == TASK_COMPLETE || s->task.state == TASK_ABORTED) {
    return "outcome ignored: the task is over";
  }
  data = asks ? ts_json_pair(c, "question", text) : reportData(c, o);
  if (asks) data = ts_asked_at(c, s, data);
  if (s->task.state != to && s->task.state != TASK_RUNNING) {
    ts_task_move(c, s, TASK_RUNNING, none, NULL);
  }
  ts_task_move(c, s, to, data, NULL);
  if (asks) ts_note(c, s, NOTE_QUESTION, text);
  s->offered = 0;
  ts_session_save(c, s);
  return NULL;
}

/* The fields of a result. content is written as a message of the assistant, messages as they are. */
static void readResult(Cmd *c, Text result, TurnFacts *f, Writer *w, Outcome *o) {
  Text content = none, messages = none, usage = none;
  Query q;
  if (!result.z) return;
  q = ts_query(c, SQL_JSON_EACH, "t", &result);
  while (ts_row(c, &q)) {
    Text key = ts_col_text(c, &q, COL_JSON_EACH_KEY), type = ts_col_text(c, &q, COL_JSON_EACH_TYPE);
    Text value = ts_clean(c, ts_col_text(c, &q, COL_JSON_EACH_VALUE));
    const char *want = NULL;
    if (ts_text_is(type, "null")) continue;
    if (ts_text_is(key, "content")) {
      content = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "messages")) {
      messages = value;
      if (!ts_text_is(type, "array")) want = "an array";
    } else if (ts_text_is(key, "usage")) {
      usage = value;
      if (!ts_text_is(type, "object")) want = "an object";
    } else if (ts_text_is(key, "model")) {
      f->model = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "provider")) {
      f->provider = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "outcome")) {
      o->word = value;
      if (!ts_text_is(value, "question") && !ts_text_is(value, "done")) want = "question or done";
    } else if (ts_text_is(key, "question")) {
      o->question = value;
      if (!ts_text_is(type, "text") || ts_text_blank(value.z, value.n)) want = "text, not empty";
    } else if (ts_text_is(key, "summary")) {
      o->summary = value;
      if (!ts_text_is(type, "text") || ts_text_blank(value.z, value.n)) want = "text, not empty";
    } else if (ts_text_is(key, "resume_cursor")) {
      f->resumeCursor = value;
      if (!ts_text_is(type, "text")) want = "text";
    } else if (ts_text_is(key, "tokens")) {
      f->tokens = ts_col_int(&q, COL_JSON_EACH_VALUE);
      if (!ts_text_is(type, "integer") || f->tokens < 0 || f->tokens > TURNSTILE_MAX_TOKENS)
        want = "an integer from 0 to 2^43 - 1";
    } else {
      ts_fail(c, SQLITE_ERROR,
              "result has no field '%s'; it takes content, messages, usage, model, provider, "
              "tokens, resume_cursor, outcome, question, summary",
              ts_excerpt(c, key));
    }
    if (want) ts_fail(c, SQLITE_ERROR, "result.%.*s must be %s", key.n, key.z, want);
  }
  ts_end(c, &q);
  ts_usage_parse(c, usage, "result.usage", &f->usage);
  if (!o->question.z) o->question = content;
  if (!o->summary.z) o->summary = content;
  o->content = content;
  if (messages.z) ts_write_messages(w, messages, "result.messages");
  if (content.z) ts_write_message(w, "assistant", NULL, none, content);
}

/* A compaction that is abandoned without a summary: the input that asked for it is finished, the
** context stays. */
static void leaveCompaction(Cmd *c, Call *k) {
  TurnFacts f;
  ts_facts_init(&f);
  ts_exec(c, SQL_QUEUE_DONE, "tii", &k->s.label, k->t.id, c->now);
  ts_turn_discard(c, &k->s, &k->t, PHASE_ABORTED, &f, TS_TEXT("it was left without a summary"));
  ts_lease_release(c, &k->s, RUN_READY);
  ts_call_return_end(c, k, PHASE_ABORTED, 0, "no summary was given: the context stays as it is",
                     NULL);
}

static const ArgSpec completeArgs[] = {TURN_AND_TOKEN, {"result", ARG_OBJECT, 0}};

static void runComplete(Cmd *c) {
  Outcome outcome = {none, none, none, none};
  const char *note;
  TurnFacts f;
  Writer w;
  Call k;
  ts_facts_init(&f);
  ts_lease_verify(c, c->arg[0].i, c->arg[1].i, &k.s, &k.t);
  if (c->arg[2].given) ts_call_want_conversation(c, &k.t);
  if (c->rc == SQLITE_OK && k.t.isCompaction) {
    leaveCompaction(c, &k);
    return;
  }
  ts_writer_resume(&w, c, k.t.id);
  w.session = k.s.label;
  if (c->rc != SQLITE_OK) return;
  readResult(c, c->arg[2].text, &f, &w, &outcome);
  ts_turn_finish(c, &k.s, &k.t, PHASE_COMPLETED, &f, none, w.answers);
  note = applyOutcome(c, &k, &outcome);
  ts_lease_release(c, &k.s, RUN_READY);
  ts_call_return_end(c, &k, PHASE_COMPLETED, 1, note, k.s.calledOff);
}

const CommandSpec ts_turn_complete = {"turn_complete", runComplete, 0, TS_ARGS(3, completeArgs),
                                      NULL};
