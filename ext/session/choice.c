/*
** choice.c - the choices that a session offers a person: opening, showing, settling.
**
** A choice is JSON in sessions.pending_choice:
**
**   {"kind":"NewTaskChoice","held":"now build the shop","text":"You have unfinished work …",
**    "options":[{"key":"A","action":"start_fresh","text":"Save that and start …"},
**               {"key":"B","action":"continue","text":"Continue where we left off"}], …}
**
** So it survives restarts, and its letters mean what was shown. Until the choice is settled, the
** held message is stored only here; then it is handed over, kept as a note, or dropped with a note,
** as the table in decide.c says.
*/
#include "choice.h"

#include "asked.h"
#include "config.h"
#include "fill.h"
#include "json.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

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

const char *ts_choice_answer_name(ChoiceAnswer answer) {
  return answer == ANSWER_CONTINUE ? "continue" : "start_fresh";
}

int ts_choice_is_answer(const ChoiceReading *reading) {
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
    if (ts_text_is(answer, ts_choice_answer_name(options[i].answer)))
      return ts_choice_answer_name(options[i].answer);
  }
  reading = ts_choice_read(answer.z, answer.n, options, 2, NULL);
  return ts_choice_is_answer(&reading) ? ts_choice_answer_name(reading.answer) : "";
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* A delivery by its id, as an input. NULL when it does not exist (or on an error). */
static Inbound *loadDelivery(Cmd *c, sqlite3_int64 id) {
  Inbound *in = NULL;
  Query q = ts_query(c, SQL_DELIVERY_GET, "i", id);
  if (ts_row(c, &q) && (in = ts_alloc(c, sizeof(*in))) != NULL) {
    in->deliveryId = id;
    in->cls = CLASS_MODIFICATION;
    in->isExempt = 1; /* it has been accepted already */
    in->message = ts_col_text(c, &q, COL_DELIVERY_GET_MESSAGE);
    in->channel = ts_col_text(c, &q, COL_DELIVERY_GET_CHANNEL);
    in->sender = ts_col_text(c, &q, COL_DELIVERY_GET_SENDER);
    in->messageId = ts_col_text(c, &q, COL_DELIVERY_GET_MESSAGE_ID);
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
    kind = ts_col_text(c, &q, COL_CHOICE_READ_KIND);
    for (int i = 1; i < CHOICE_KIND_COUNT; i++) {
      if (ts_text_is(kind, ts_choice_kinds[i])) choice->kind = (ChoiceKind)i;
    }
    if (!ts_col_null(&q, COL_CHOICE_READ_HELD)) {
      Inbound *held = ts_alloc(c, sizeof(*held));
      if (held) {
        Text cls = ts_col_text(c, &q, COL_CHOICE_READ_HELD_CLASS);
        held->message = ts_col_text(c, &q, COL_CHOICE_READ_HELD);
        held->deliveryId = ts_col_int(&q, COL_CHOICE_READ_DELIVERY_ID);
        held->cls = cls.z ? ts_class_find(cls.z, cls.n) : CLASS_MODIFICATION;
        if (held->cls == CLASS_UNKNOWN) held->cls = CLASS_MODIFICATION;
        held->confidence =
            q.stmt ? sqlite3_column_double(q.stmt, COL_CHOICE_READ_HELD_CONFIDENCE) : 0;
        held->isAffirmation = ts_col_int(&q, COL_CHOICE_READ_HELD_AFFIRMATION) != 0;
        held->mode = ts_col_text(c, &q, COL_CHOICE_READ_HELD_MODE);
        held->cameFrom = ts_col_text(c, &q, COL_CHOICE_READ_HOME);
        held->channel = held->sender = TS_TEXT("");
        held->names = ts_config_host_name(c, s->label, CONFIG_NAMES);
        held->isExempt = 1; /* like all that has been accepted already */
        choice->held = held;
      }
    }
    choice->savedTask = ts_col_text(c, &q, COL_CHOICE_READ_SAVED_TASK);
    choice->savedState = ts_col_text(c, &q, COL_CHOICE_READ_SAVED_STATE);
    choice->savedStateData = ts_col_text(c, &q, COL_CHOICE_READ_SAVED_STATE_DATA);
    choice->options = ts_col_text(c, &q, COL_CHOICE_READ_OPTIONS);
    choice->text = ts_col_text(c, &q, COL_CHOICE_READ_TEXT);
    choice->earlier = ts_col_text(c, &q, COL_CHOICE_READ_EARLIER);
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && choice->kind == CHOICE_NONE) {
    ts_fail(c, SQLITE_CORRUPT_VTAB, "sessions.pending_choice of '%.*s' is not a choice", s->label.n,
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
    Text key = ts_col_text(c, &q, COL_CHOICE_OPTIONS_KEY),
         action = ts_col_text(c, &q, COL_CHOICE_OPTIONS_ACTION);
    Text text = ts_col_text(c, &q, COL_CHOICE_OPTIONS_TEXT);
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
    ts_json_put_string(&j, "action", ts_choice_answer_name(kinds[kind].options[i].answer));
    ts_json_put_string(&j, "text", ts_config_text(c, label, kinds[kind].options[i].text));
    ts_json_close(&j, '}');
  }
  ts_json_close(&j, ']');
  return ts_json_finish(&j);
}

Text ts_choice_fresh_text(Cmd *c, const Session *s, ChoiceKind kind) {
  int i = kinds[kind].options[0].answer == ANSWER_START_FRESH ? 0 : 1; /* each kind has it */
  const char *text = ts_config_text(c, s->label, kinds[kind].options[i].text);
  return ts_copy(c, text, (int)strlen(text));
}

/* Which held messages are for sessions that were merged into this one: they go back if the sessions
** part. */
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

void ts_choice_open(Cmd *c, Session *s, ChoiceKind kind, Inbound *held, const Task *saved,
                    const Inbound *earlier) {
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

Text ts_choice_prompt(Cmd *c, const Session *s, Text question) {
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
  return ts_choice_prompt(c, s, choice.text);
}

void ts_choice_drop(Cmd *c, Session *s, const char *trigger) {
  OpenChoice choice;
  if (!s->pendingChoice.z) return;
  ts_choice_load(c, s, &choice);
  ts_event(c, s, "choice", ts_choice_kinds[choice.kind], NULL, trigger, s->pendingChoice);
  s->pendingChoice = none;
}

InputLink *ts_choice_beside_held(Cmd *c, Text stored) {
  InputLink *list = NULL, **tail = &list;
  Query q = ts_query(c, SQL_CHOICE_EARLIER, "t", &stored);
  while (ts_row(c, &q)) {
    InputLink *link = ts_alloc(c, sizeof(*link));
    if (!link ||
        (link->in = loadDelivery(c, ts_col_int(&q, COL_CHOICE_EARLIER_DELIVERY_ID))) == NULL)
      continue;
    link->in->cameFrom = ts_col_text(c, &q, COL_CHOICE_EARLIER_HOME);
    *tail = link;
    tail = &link->next;
  }
  ts_end(c, &q);
  return list;
}

InputLink *ts_choice_all_held(Cmd *c, Text stored, const OpenChoice *choice) {
  InputLink *list = choice->earlier.z ? ts_choice_beside_held(c, stored) : NULL, **at = &list,
            *link;
  if (!choice->held || (link = ts_alloc(c, sizeof(*link))) == NULL) return list;
  while (*at && (*at)->in->deliveryId < choice->held->deliveryId)
    at = &(*at)->next;
  link->in = choice->held;
  link->next = *at;
  *at = link;
  return list;
}

void ts_choice_queue(Cmd *c, Session *s, Inbound *in) {
  in->cls = CLASS_UNKNOWN;
  in->mode = none;
  ts_queue_add(c, s, in, QUEUE_PENDING);
}

void ts_choice_release(Cmd *c, Session *s, const char *trigger) {
  OpenChoice choice;
  if (!s->pendingChoice.z) return;
  ts_choice_load(c, s, &choice);
  if (c->rc != SQLITE_OK) return;
  for (InputLink *list = ts_choice_all_held(c, s->pendingChoice, &choice); list; list = list->next)
    ts_choice_queue(c, s, list->in);
  ts_choice_drop(c, s, trigger);
}

/* ---- Settling -------------------------------------------------------------------------------- */

Text ts_choice_kind_text(Cmd *c, const Session *s, ChoiceKind kind) {
  const char *text = ts_config_text(c, s->label, kinds[kind].kind);
  return (Text){text, (int)strlen(text)};
}
