/*
** choice.c - the choices that a session offers a person: opening, showing, settling.
**
** A choice is JSON in sessions.pending_choice:
**
**   {"kind":"NewTaskChoice","held":"now build the shop","text":"You have unfinished work …",
**    "options":[{"key":"A","action":"start_fresh","text":"Save that and start …"},
**               {"key":"B","action":"continue","text":"Continue where we left off"}], …}
**
** So it survives restarts, and its letters mean what was shown. The held message is in no other
** place until the choice is settled; then it is handed over, kept as a note, or dropped with one,
** as the table in decide.c says.
*/
#include "deliver.h"

#include "args.h"
#include "config.h"
#include "json.h"
#include "task.h"
#include "said.h"
#include "shape.h"
#include "text.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

/* ---- What each kind asks --------------------------------------------------------------------- */

static const struct {
  const char *prompt; /* text key of the question */
  const char *kind;   /* text key of what the note says about it */
  struct {
    ChoiceAnswer answer;
    const char *text; /* text key */
  } options[2];
} kinds[CHOICE_KIND_COUNT] = {
    [CHOICE_STALE] = {"prompt.stale",
                      "kind.stale",
                      {{ANSWER_CONTINUE, "option.stale.continue"},
                       {ANSWER_START_FRESH, "option.stale.start_fresh"}}},
    [CHOICE_NEW_TASK] = {"prompt.new_task",
                         "kind.new_task",
                         {{ANSWER_START_FRESH, "option.new_task.start_fresh"},
                          {ANSWER_CONTINUE, "option.new_task.continue"}}},
    [CHOICE_UNCLEAR] = {"prompt.unclear",
                        "kind.unclear",
                        {{ANSWER_CONTINUE, "option.unclear.continue"},
                         {ANSWER_START_FRESH, "option.unclear.start_fresh"}}},
    [CHOICE_SAVED] = {"prompt.saved",
                      "kind.saved",
                      {{ANSWER_CONTINUE, "option.saved.continue"},
                       {ANSWER_START_FRESH, "option.saved.start_fresh"}}},
};

static const char *answerName(ChoiceAnswer answer) {
  return answer == ANSWER_CONTINUE ? "continue" : "start_fresh";
}

/* One of the ways, and nothing beside it. */
static int isAnswer(const ChoiceReading *reading) {
  return !reading->hasWords &&
         (reading->answer == ANSWER_CONTINUE || reading->answer == ANSWER_START_FRESH);
}

const char *ts_choice_option_meant(Cmd *c, const Session *s, Text kindName, Text answer) {
  ChoiceOption options[2];
  ChoiceReading reading;
  int kind = CHOICE_KIND_COUNT - 1;
  while (kind > 0 && !ts_text_is(kindName, ts_choice_kinds[kind]))
    kind--;
  if (!kind) return "";
  for (int i = 0; i < 2; i++) {
    const char *text = ts_config_text(c, s->label, kinds[kind].options[i].text);
    options[i].key = (char)('A' + i);
    options[i].answer = kinds[kind].options[i].answer;
    options[i].text = text ? text : "";
    options[i].nText = (int)strlen(options[i].text);
    if (ts_text_is(answer, answerName(options[i].answer))) return answerName(options[i].answer);
  }
  reading = ts_choice_read(answer.z, answer.n, options, 2, NULL);
  return isAnswer(&reading) ? answerName(reading.answer) : "";
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* A delivery by its id, as an input. NULL when there is none (or on an error). */
static Inbound *loadDelivery(Cmd *c, sqlite3_int64 id) {
  Inbound *in = NULL;
  Query q = ts_query(c, SQL_DELIVERY_GET, "i", id);
  if (ts_row(c, &q) && (in = ts_alloc(c, sizeof(*in))) != NULL) {
    in->deliveryId = id;
    in->cls = CLASS_MODIFICATION;
    in->isExempt = 1; /* it has been accepted already */
    in->message = ts_col_text(c, &q, 0);
    in->channel = ts_col_text(c, &q, 2);
    in->sender = ts_col_text(c, &q, 3);
    in->messageId = ts_col_text(c, &q, 4);
  }
  ts_end(c, &q);
  return in;
}

void ts_choice_load(Cmd *c, const Session *s, OpenChoice *choice) {
  Query q;
  Text kind;
  memset(choice, 0, sizeof(*choice));
  if (!s->pendingChoice.z) return;
  q = ts_query(c, SQL_CHOICE_READ, "t", &s->pendingChoice);
  if (ts_row(c, &q)) {
    kind = ts_col_text(c, &q, 0);
    for (int i = 1; i < CHOICE_KIND_COUNT; i++) {
      if (ts_text_is(kind, ts_choice_kinds[i])) choice->kind = (ChoiceKind)i;
    }
    if (!ts_col_null(&q, 1)) {
      Inbound *held = ts_alloc(c, sizeof(*held));
      if (held) {
        Text cls = ts_col_text(c, &q, 3);
        held->message = ts_col_text(c, &q, 1);
        held->deliveryId = ts_col_int(&q, 2);
        held->cls = cls.z ? ts_class_find(cls.z, cls.n) : CLASS_MODIFICATION;
        if (held->cls == CLASS_UNKNOWN) held->cls = CLASS_MODIFICATION;
        held->confidence = q.stmt ? sqlite3_column_double(q.stmt, 4) : 0;
        held->isAffirmation = ts_col_int(&q, 5) != 0;
        held->mode = ts_col_text(c, &q, 12);
        held->cameFrom = ts_col_text(c, &q, 13);
        held->channel = held->sender = TS_TEXT("");
        held->names = ts_config_host_name(c, s->label, CONFIG_NAMES);
        held->isExempt = 1; /* like all that has been accepted already */
        choice->held = held;
      }
    }
    choice->savedTask = ts_col_text(c, &q, 6);
    choice->savedState = ts_col_text(c, &q, 7);
    choice->savedStateData = ts_col_text(c, &q, 8);
    choice->options = ts_col_text(c, &q, 9);
    choice->text = ts_col_text(c, &q, 10);
    choice->earlier = ts_col_text(c, &q, 11);
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && choice->kind == CHOICE_NONE) {
    ts_fail(c, SQLITE_CORRUPT_VTAB, "sessions.pending_choice of '%.*s' is no choice", s->label.n,
            s->label.z);
  }
  if (choice->held && choice->held->deliveryId) {
    Inbound *delivery = loadDelivery(c, choice->held->deliveryId);
    if (delivery) {
      choice->held->channel = delivery->channel;
      choice->held->sender = delivery->sender;
      choice->held->messageId = delivery->messageId;
    }
  }
}

int ts_choice_options(Cmd *c, const Session *s, ChoiceOption *options) {
  int n = 0;
  Query q = ts_query(c, SQL_CHOICE_OPTIONS, "t", &s->pendingChoice);
  while (ts_row(c, &q) && n < TS_CHOICE_MAX_OPTIONS) {
    Text key = ts_col_text(c, &q, 0), action = ts_col_text(c, &q, 1);
    Text text = ts_col_text(c, &q, 2);
    if (!key.n || !text.z) continue;
    options[n].key = key.z[0];
    options[n].answer = ts_text_is(action, "continue") ? ANSWER_CONTINUE : ANSWER_START_FRESH;
    options[n].text = text.z;
    options[n].nText = text.n;
    n++;
  }
  ts_end(c, &q);
  return n;
}

/* ---- Opening and showing --------------------------------------------------------------------- */

static Text optionsJson(Cmd *c, Text label, ChoiceKind kind) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '[');
  for (int i = 0; i < 2; i++) {
    char key[2] = {(char)('A' + i), 0};
    ts_json_open(&j, '{');
    ts_json_put_string(&j, "key", key);
    ts_json_put_string(&j, "action", answerName(kinds[kind].options[i].answer));
    ts_json_put_string(&j, "text", ts_config_text(c, label, kinds[kind].options[i].text));
    ts_json_close(&j, '}');
  }
  ts_json_close(&j, ']');
  return ts_json_finish(&j);
}

/* How the choice words that something else is to be begun. */
static Text freshText(Cmd *c, const Session *s, ChoiceKind kind) {
  const char *text;
  int i = 0;
  while (i < TS_CHOICE_MAX_OPTIONS - 1 && kinds[kind].options[i].answer != ANSWER_START_FRESH)
    i++;
  text = ts_config_text(c, s->label, kinds[kind].options[i].text);
  return ts_copy(c, text, (int)strlen(text));
}

/* Which of what it holds are for sessions that were merged into this one: they go home should those part. */
static void putHomes(Cmd *c, Json *j, const Inbound *held, const Inbound *earlier) {
  const Inbound *const both[] = {held, earlier};
  int n = 0;
  for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
    Text home = both[i] && both[i]->deliveryId ? ts_queue_home(c, both[i]) : none;
    const char *id = home.z ? ts_printf(c, "%lld", both[i]->deliveryId) : NULL;
    if (!id) continue;
    if (!n++) {
      ts_json_key(j, "homes");
      ts_json_open(j, '{');
    }
    ts_json_put(j, id, home);
  }
  if (n) ts_json_close(j, '}');
}

void ts_choice_open(Delivery *d, ChoiceKind kind, Inbound *held, const Task *saved,
                    const Inbound *earlier) {
  Cmd *c = d->c;
  Session *s = &d->s;
  Text task = saved ? saved->description : s->task.description;
  Text text = ts_fill(c, s->label, kinds[kind].prompt, "task", task, "duration",
                      ts_words(c, ts_session_idle(c, s)));
  sqlite3_int64 openedAt = ts_asked_now(c, s, SQL_CHOICE_LAST_OPENED);
  Json j;
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "kind", ts_choice_kinds[kind]);
  ts_json_put(&j, "held", held ? held->message : none);
  ts_json_put_raw(&j, "options", optionsJson(c, s->label, kind));
  ts_json_put(&j, "text", text);
  ts_json_put_int(&j, "opened_at", openedAt);
  if (held) {
    ts_json_put_int(&j, "delivery_id", held->deliveryId);
    ts_json_put_string(&j, "held_class", ts_class_names[held->cls]);
    ts_json_key(&j, "held_confidence");
    ts_json_real(&j, held->confidence);
    ts_json_put_int(&j, "held_affirmation", held->isAffirmation);
    if (held->mode.z) ts_json_put(&j, "held_mode", held->mode);
  }
  if (saved) {
    ts_json_key(&j, "saved");
    ts_json_open(&j, '{');
    ts_json_put(&j, "task", saved->description);
    ts_json_put_string(&j, "state", ts_task_machine.states[saved->state]);
    ts_json_put_raw(&j, "state_data", saved->stateData);
    ts_json_close(&j, '}');
  }
  if (earlier) {
    ts_json_key(&j, "earlier");
    ts_json_open(&j, '[');
    ts_json_int(&j, earlier->deliveryId);
    ts_json_close(&j, ']');
  }
  putHomes(c, &j, held, earlier);
  ts_json_close(&j, '}');
  s->pendingChoice = ts_json_finish(&j);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "opened_at", openedAt);
  ts_json_close(&j, '}');
  ts_event(c, s, "choice", NULL, ts_choice_kinds[kind], "open", ts_json_finish(&j));
}

/* The question and its options as one text. */
static Text promptText(Cmd *c, const Session *s, Text question) {
  ChoiceOption options[TS_CHOICE_MAX_OPTIONS];
  int n = ts_choice_options(c, s, options);
  sqlite3_str *out = sqlite3_str_new(c->db);
  ts_append(out, question);
  for (int i = 0; i < n; i++) {
    sqlite3_str_appendf(out, "\n%c) ", options[i].key);
    ts_append(out, (Text){options[i].text, options[i].nText});
  }
  return ts_finish(c, out);
}

Text ts_choice_text(Cmd *c, const Session *s) {
  OpenChoice choice;
  ts_choice_load(c, s, &choice);
  return promptText(c, s, choice.text);
}

void ts_choice_show(Delivery *d) {
  OpenChoice choice;
  ts_choice_load(d->c, &d->s, &choice);
  d->action = ACTION_PROMPT;
  d->message = promptText(d->c, &d->s, choice.text);
  d->choices = choice.options;
}

void ts_choice_drop(Cmd *c, Session *s, const char *trigger) {
  OpenChoice choice;
  if (!s->pendingChoice.z) return;
  ts_choice_load(c, s, &choice);
  ts_event(c, s, "choice", ts_choice_kinds[choice.kind], NULL, trigger, s->pendingChoice);
  s->pendingChoice = none;
}

/* What is held beside the held message, in the order in which it came. */
static InputLink *besideHeld(Cmd *c, Text stored) {
  InputLink *list = NULL, **tail = &list;
  Query q = ts_query(c, SQL_CHOICE_EARLIER, "t", &stored);
  while (ts_row(c, &q)) {
    InputLink *link = ts_alloc(c, sizeof(*link));
    if (!link || (link->in = loadDelivery(c, ts_col_int(&q, 0))) == NULL) continue;
    link->in->cameFrom = ts_col_text(c, &q, 1);
    *tail = link;
    tail = &link->next;
  }
  ts_end(c, &q);
  return list;
}

/* All that the choice holds, in the order in which it came. */
static InputLink *allHeld(Cmd *c, Text stored, const OpenChoice *choice) {
  InputLink *list = choice->earlier.z ? besideHeld(c, stored) : NULL, **at = &list, *link;
  if (!choice->held || (link = ts_alloc(c, sizeof(*link))) == NULL) return list;
  while (*at && (*at)->in->deliveryId < choice->held->deliveryId)
    at = &(*at)->next;
  link->in = choice->held;
  link->next = *at;
  *at = link;
  return list;
}

/* Unclassified: what the message means depends on the state in which it is taken. */
static void queueWaiting(Cmd *c, Session *s, Inbound *in) {
  in->cls = CLASS_UNKNOWN;
  in->mode = none;
  ts_queue_add(c, s, in, QUEUE_PENDING);
}

void ts_choice_release(Cmd *c, Session *s, const char *trigger) {
  OpenChoice choice;
  if (!s->pendingChoice.z) return;
  ts_choice_load(c, s, &choice);
  if (c->rc != SQLITE_OK) return;
  for (InputLink *list = allHeld(c, s->pendingChoice, &choice); list; list = list->next)
    queueWaiting(c, s, list->in);
  ts_choice_drop(c, s, trigger);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* What the message means when the choice is taken into account. */
static MessageClass classAtChoice(const ChoiceReading *reading, const Inbound *in, Text said) {
  int asks = ts_choice_asks(said.z, said.n);
  if (ts_is_command(in) && in->cls != CLASS_ABANDON) return CLASS_CLARIFICATION;
  switch (reading->answer) {
  case ANSWER_UNDECIDED: return in->cls;
  case ANSWER_CONTINUE:
  case ANSWER_START_FRESH:
    /* An answer to what was asked; words beside one are neither the end of the task nor a task of their own. */
    return reading->hasWords ? CLASS_MODIFICATION : CLASS_RESPONSE;
  default: break;
  }
  if (reading->says == CHOICE_SAYS_DROP) {
    return reading->hasWords && in->cls == CLASS_NEW_TASK ? CLASS_NEW_TASK : CLASS_ABANDON;
  }
  if (reading->says == CHOICE_SAYS_ASKS && in->cls != CLASS_ABANDON) return CLASS_CLARIFICATION;
  if (reading->says == CHOICE_SAYS_ORDER &&
      (in->cls == CLASS_MODIFICATION || in->cls == CLASS_RESPONSE || in->cls == CLASS_UNCLEAR)) {
    return CLASS_NEW_TASK;
  }
  if (reading->says == CHOICE_SAYS_OTHER) return asks ? CLASS_CLARIFICATION : CLASS_NEW_TASK;
  /* Whoever asks back wants an answer, and no work. */
  if (asks && in->cls != CLASS_NEW_TASK && in->cls != CLASS_ABANDON && !in->isAffirmation) {
    return CLASS_CLARIFICATION;
  }
  return in->cls;
}

static int speaksOf(const Inbound *in, Text other) {
  return ts_choice_speaks_of(in->message.z, in->message.n, other.z, other.z ? other.n : 0);
}

/* Does it speak of the open task, and not rather of the request that is to take its place? */
static int belongs(const OpenChoice *choice, const Inbound *in, Text task) {
  int ofHeld = choice->held && speaksOf(in, choice->held->message);
  if (in->isGiven) return 1;
  return choice->kind == CHOICE_NEW_TASK ? speaksOf(in, task) && !ofHeld
                                         : speaksOf(in, task) || ofHeld;
}

void ts_choice_read_message(Delivery *d, Inbound *in) {
  Cmd *c = d->c;
  ChoiceOption options[TS_CHOICE_MAX_OPTIONS];
  ChoiceContext context = {NULL, 0, NULL, 0};
  OpenChoice choice;
  Text task, said = ts_said(c, in);
  int n;
  memset(&d->reading, 0, sizeof(d->reading));
  if (!d->s.pendingChoice.z) {
    if (!ts_is_command(in)) d->reading.answer = ts_choice_phrase(said.z, said.n);
    return;
  }
  ts_choice_load(c, &d->s, &choice);
  n = ts_choice_options(c, &d->s, options);
  if (c->rc != SQLITE_OK) return;
  task = choice.savedTask.z ? choice.savedTask : d->s.task.description;
  context.task = task.z;
  context.nTask = task.z ? task.n : 0;
  if (choice.held) {
    context.held = choice.held->message.z;
    context.nHeld = choice.held->message.n;
  }
  d->reading = ts_choice_read(said.z, said.n, options, n, &context);
  if (d->reading.answer != ANSWER_NONE && ts_said_beside(in, choice.text, task).z)
    in->isAside = 1; /* "Bob, the second one" */
  if (ts_is_command(in)) memset(&d->reading, 0, sizeof(d->reading));
  d->belongs = belongs(&choice, in, task);
  if (in->isGiven) return;
  in->cls = classAtChoice(&d->reading, in, said);
  if (in->cls == CLASS_RESPONSE && isAnswer(&d->reading)) in->confidence = 1.0;
}

/* Words that are more than an answer which was not understood: "7", "hm?". */
static int hasSaid(const Inbound *in) {
  Shape shape;
  if (!in || !in->message.z) return 0;
  ts_shape_of(in->message.z, in->message.n, &shape);
  return shape.nWords > 1 && !ts_shape_is_noise(&shape);
}

ChoiceStep ts_choice_step(Delivery *d, const OpenChoice *choice, const Inbound *in) {
  ChoiceFacts facts = {.kind = choice->kind,
                       .answer = d->reading.answer,
                       .hasWords = d->reading.hasWords && in,
                       .holds = choice->held != NULL,
                       .cls = in ? in->cls : CLASS_UNKNOWN,
                       .isAffirmation = in && in->isAffirmation,
                       .hasSaid = hasSaid(in),
                       .belongs = d->belongs};
  return ts_choice(&facts);
}

/* ---- Settling -------------------------------------------------------------------------------- */

void ts_choice_take_back(Delivery *d, Inbound *held, const Inbound *by) {
  if (ts_same_sender(held, by)) {
    ts_deliver_keep(d, "note.dropped", held->message);
  } else {
    queueWaiting(d->c, &d->s, held);
  }
}

void ts_choice_release_others(Delivery *d) {
  InputLink *list = d->s.pendingChoice.z ? besideHeld(d->c, d->s.pendingChoice) : NULL;
  for (; list; list = list->next) {
    if (d->in.cls == CLASS_ABANDON) {
      ts_choice_take_back(d, list->in, &d->in);
    } else {
      queueWaiting(d->c, &d->s, list->in);
    }
  }
}

/* What the choice holds was said to what the saved task asks. */
static void askedBefore(Cmd *c, Session *s, const InputLink *held) {
  for (; held; held = held->next) {
    if (held->in->deliveryId) ts_task_asked_before(c, s, held->in->deliveryId);
  }
}

/* list: all that the choice holds. */
static void pickUp(Delivery *d, const OpenChoice *choice, const InputLink *list) {
  Cmd *c = d->c;
  Session *s = &d->s;
  int state = ts_state_find(&ts_task_machine, choice->savedState.z ? choice->savedState.z : "",
                            choice->savedState.n);
  Text text;
  ts_task_start(c, s, choice->savedTask.z ? choice->savedTask : TS_TEXT("(unnamed)"), "pick_up");
  ts_task_worked(c, s); /* by what was saved of it */
  text = ts_fill(c, s->label, "note.picked_up", "task", s->task.description, NULL, none);
  if (text.z) ts_note_text(c, s, "choice", text.z);
  if (state == TASK_AWAITING_USER || state == TASK_INTERRUPTED || state == TASK_PENDING_COMPLETE) {
    ts_task_move(c, s, (TaskState)state, choice->savedStateData, "pick_up");
    askedBefore(c, s, list);
  }
}

/* Nothing is handed over, and the person goes on: with what? */
static void showWhereItStands(Delivery *d) {
  Text question = ts_task_field(d->c, &d->s, "$.question");
  if (!question.z) question = ts_task_field(d->c, &d->s, "$.summary");
  d->action = ACTION_CONTINUE;
  d->message = question;
}

/* How a choice was settled, for a press that comes twice. */
static Text settledData(Delivery *d) {
  Cmd *c = d->c;
  ChoiceAnswer answer = d->reading.answer;
  Json j;
  Query q = ts_query(c, SQL_JSON_GET, "ts", &d->s.pendingChoice, "$.opened_at");
  sqlite3_int64 openedAt = ts_row(c, &q) ? ts_col_int(&q, 0) : 0;
  ts_end(c, &q);
  if (!openedAt || (answer != ANSWER_CONTINUE && answer != ANSWER_START_FRESH)) return none;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "opened_at", openedAt);
  ts_json_put_string(&j, "chosen", answerName(answer));
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

static Text kindText(Cmd *c, const Session *s, ChoiceKind kind) {
  const char *text = ts_config_text(c, s->label, kinds[kind].kind);
  return (Text){text, (int)strlen(text)};
}

/* Is the message alone applied, with nothing done to what is held? It stays in the choice. When the
** message ends the task, the choice closes with it and what it held waits: a step of its own before
** would have been for nothing. */
static int leavesHeld(Delivery *d, const ChoiceStep *step, Inbound *in) {
  if (step->message != MESSAGE_APPLY) return 0;
  return step->held == HELD_STAYS || ts_deliver_ends_task(d, in);
}

/* It stays with what the choice holds, until somebody has said which way it goes. */
static void holdToo(Delivery *d, const Inbound *in) {
  Text home;
  Query q;
  if (!in->deliveryId) return;
  home = ts_queue_home(d->c, in);
  q = ts_query(d->c, SQL_CHOICE_HOLD, "tit", &d->s.pendingChoice, in->deliveryId, &home);
  if (ts_row(d->c, &q)) d->s.pendingChoice = ts_col_text(d->c, &q, 0);
  ts_end(d->c, &q);
}

/* What is held beside the held message goes the same way. What came after it is a change to a task that goes
** on; where a task begins that has no words yet, these are its words. */
static void goBeside(Delivery *d, const OpenChoice *choice, const ChoiceStep *step, Inbound *in) {
  MessageClass cls = d->cls;
  double confidence = d->confidence;
  int isFresh = step->held == HELD_START || step->held == HELD_HAND;
  int isEarlier = choice->held && in->deliveryId < choice->held->deliveryId;
  in->label = ts_config_text(d->c, d->s.label, "label.earlier");
  if (isFresh && !choice->held && !d->s.task.id && step->message != MESSAGE_START) {
    ts_deliver_start(d, in);
  } else if (isFresh || isEarlier || !d->s.task.id) {
    ts_deliver_hand(d, in);
  } else {
    ts_deliver_apply(d, in, 1);
    d->cls = cls;
    d->confidence = confidence;
  }
}

static void goHeld(Delivery *d, const ChoiceStep *step, Inbound *held) {
  switch (step->held) {
  case HELD_APPLY: ts_deliver_apply(d, held, 1); break;
  case HELD_START: ts_deliver_start(d, held); break;
  case HELD_HAND:
    held->label = ts_config_text(d->c, d->s.label, "label.earlier");
    ts_deliver_hand(d, held);
    break;
  default: break;
  }
}

/* What is said beside "start fresh" goes along with what was held. */
static void handBeside(Delivery *d, Inbound *in) {
  in->label = ts_config_text(d->c, d->s.label, "label.newer");
  ts_deliver_hand(d, in);
}

void ts_choice_settle(Delivery *d, Inbound *in) {
  Cmd *c = d->c;
  Session *s = &d->s;
  OpenChoice choice;
  Text stored = s->pendingChoice, starting = none, text;
  ChoiceStep step;
  Inbound nothing = {.cls = CLASS_UNKNOWN};
  InputLink *list;
  ts_choice_load(c, s, &choice);
  step = ts_choice_step(d, &choice, in);
  if (!in) in = &nothing; /* session_choose: the answer is all there is */
  if (c->rc != SQLITE_OK) return;
  in->openedAt =
      0; /* it has been looked at as an answer; what it is else holds whatever becomes of the choice */

  if (step.message == MESSAGE_HOLD) holdToo(d, in);
  if (step.message == MESSAGE_ASK_AGAIN || step.message == MESSAGE_HOLD) {
    ts_choice_show(d);
    return;
  }
  if (step.message == MESSAGE_REPLY) {
    d->action = ACTION_ANSWER;
    ts_deliver_hand(d, in);
    return;
  }

  if (leavesHeld(d, &step, in)) {
    ts_deliver_apply(d, in, 0);
    return;
  }

  /* The choice is settled, and what has settled it is not refused any more. Whatever is said about it is
  ** said while the task is still open. */
  in->isExempt = 1;
  if (step.task != TASK_ABANDON && step.held != HELD_DROP && s->task.id) {
    text = ts_fill(c, s->label,
                   step.held == HELD_START || step.held == HELD_HAND ? "note.choice.start_fresh"
                                                                     : "note.choice.continue",
                   "kind", kindText(c, s, choice.kind), NULL, none);
    if (text.z) ts_note_text(c, s, "choice", text.z);
  }
  if (choice.held && step.held == HELD_NOTE) ts_deliver_put_away(d, choice.held->message);
  list = allHeld(c, stored, &choice);
  for (; list && step.held == HELD_DROP; list = list->next)
    ts_choice_take_back(d, list->in, in);
  ts_event(c, s, "choice", ts_choice_kinds[choice.kind], NULL,
           step.held == HELD_DROP                              ? "drop"
           : step.held == HELD_START || step.held == HELD_HAND ? "start_fresh"
                                                               : "continue",
           settledData(d));
  s->pendingChoice = none;

  if (step.task == TASK_SWITCH && s->task.id) {
    if (step.held == HELD_START && choice.held) starting = choice.held->message;
    if (step.message == MESSAGE_START) starting = in->message;
    /* Nothing is known yet of what comes next: what the user has said instead, or chosen. */
    if (!starting.z && choice.held) starting = choice.held->message;
    if (!starting.z) starting = in->message.z ? in->message : freshText(c, s, choice.kind);
    if (starting.z) starting = ts_describe(c, starting, 120);
    ts_deliver_end_task(
        d, COMMIT_INTERRUPTED_BY_NEW_TASK,
        ts_fill(c, s->label, "commit.switch", "task", s->task.description, NULL, none), starting);
    ts_deliver_switched(d, choice.held && step.held == HELD_START ? choice.held : in);
  } else if (step.task == TASK_ABANDON && s->task.id) {
    d->message = ts_fill(c, s->label, "abandon", "task", s->task.description, NULL, none);
    ts_note(c, s, NOTE_ABANDON, in->message);
    /* Without a choice it calls off the same: what its sender has said before, and no turn has taken. */
    ts_deliver_cancelled(d, ts_queue_cancel_unclaimed(c, s, in));
    ts_deliver_end_task(d, COMMIT_ABANDONED,
                        ts_fill(c, s->label, "commit.abandoned", NULL, none, NULL, none),
                        in->message);
    d->action = ACTION_ABANDON;
  } else if (step.task == TASK_PICK_UP) {
    pickUp(d, &choice, list);
  }

  if (step.held == HELD_START && !choice.held && step.message != MESSAGE_START) {
    d->action = ACTION_ACKNOWLEDGE;
    d->message = ts_fill(c, s->label, "acknowledge.fresh", NULL, none, NULL, none);
  } else if (step.message == MESSAGE_WAS_ANSWER && (!choice.held || step.held == HELD_NOTE)) {
    s->workSource = SOURCE_USER;
    showWhereItStands(d);
  }
  for (; list; list = list->next) {
    if (list->in == choice.held) {
      goHeld(d, &step, list->in);
    } else {
      goBeside(d, &choice, &step, list->in);
    }
  }

  if (in->message.z) { /* not that of what was held */
    d->cls = in->cls;
    d->confidence = in->confidence;
  }
  if (step.message == MESSAGE_APPLY) {
    ts_deliver_apply(d, in, 0);
  } else if (step.message == MESSAGE_HAND) {
    handBeside(d, in);
  } else if (step.message == MESSAGE_START) {
    in->label = ts_config_text(c, s->label, "label.newer");
    ts_deliver_start(d, in);
  } else if (step.message == MESSAGE_ABANDON && step.task != TASK_ABANDON) {
    d->action = ACTION_ACKNOWLEDGE;
    d->message = ts_fill(c, s->label,
                         choice.held && ts_same_sender(choice.held, in) ? "acknowledge.dropped"
                                                                        : "acknowledge",
                         NULL, none, NULL, none);
  }
}
