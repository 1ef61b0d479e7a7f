/*
** asked.c - what a session asks of a person, and answers to what it asks no more.
**
** A button outlives its question: a letter that is pressed late would settle another choice, with other
** options behind the same letters. A host that knows to which choice or question its button belongs says
** so with the time at which that was asked.
*/
#include "asked.h"

#include "task.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const Text none = {NULL, 0};

/* An integer of a JSON text, or -1. */
static sqlite3_int64 timeOf(Cmd *c, Text json, const char *path) {
  sqlite3_int64 at = -1;
  Query q;
  if (!json.z) return -1;
  q = ts_query(c, SQL_JSON_GET, "ts", &json, path);
  if (ts_row(c, &q) && ts_text_is(ts_col_text(c, &q, 1), "integer")) at = ts_col_int(&q, 0);
  ts_end(c, &q);
  return at;
}

static sqlite3_int64 openedAt(Cmd *c, const Session *s) {
  return timeOf(c, s->pendingChoice, "$.opened_at");
}

static sqlite3_int64 askedAt(Cmd *c, const Session *s) {
  return s->task.state == TASK_AWAITING_USER ? timeOf(c, s->task.stateData, "$.asked_at") : -1;
}

/* "NewTaskChoice", …, "Question"; {NULL,0} when nothing is asked. */
static Text kindOf(Cmd *c, const Session *s) {
  Text kind = none;
  Query q;
  if (!s->pendingChoice.z) {
    return s->task.state == TASK_AWAITING_USER ? TS_TEXT("Question") : none;
  }
  q = ts_query(c, SQL_JSON_GET, "ts", &s->pendingChoice, "$.kind");
  if (ts_row(c, &q)) kind = ts_col_text(c, &q, 0);
  ts_end(c, &q);
  return kind;
}

void ts_asked_put(Json *j, Cmd *c, const Session *s) {
  sqlite3_int64 opened = openedAt(c, s), asked = askedAt(c, s);
  Text kind = kindOf(c, s);
  if (kind.z) ts_json_put(j, "kind", kind);
  if (opened >= 0) ts_json_put_int(j, "opened_at", opened);
  if (asked >= 0) ts_json_put_int(j, "asked_at", asked);
}

/* The text of what is asked now, or {NULL,0}. */
static Text askedText(Delivery *d) {
  if (d->s.pendingChoice.z) {
    ts_choice_show(d);
    return d->message;
  }
  return d->s.task.state == TASK_AWAITING_USER ? ts_task_field(d->c, &d->s, "$.question") : none;
}

/* Was the choice of that time settled by this option? */
static int choiceTook(Cmd *c, const Session *s, sqlite3_int64 opened, Text answer) {
  Text kind = none, chosen = none;
  Query q = ts_query(c, SQL_CHOICE_TAKEN, "ti", &s->label, opened);
  if (ts_row(c, &q)) {
    kind = ts_col_text(c, &q, 0);
    chosen = ts_col_text(c, &q, 1);
  }
  ts_end(c, &q);
  return chosen.z && ts_text_is(chosen, ts_choice_option_meant(c, s, kind, answer));
}

/* Was the question of that time answered in these words? */
static int questionTook(Cmd *c, const Session *s, sqlite3_int64 asked, Text answer) {
  int took;
  Query q = ts_query(c, SQL_QUESTION_TAKEN, "tit", &s->label, asked, &answer);
  took = ts_row(c, &q);
  ts_end(c, &q);
  return took;
}

int ts_asked_refuses(Delivery *d, const Arg *opened, const Arg *asked, Text answer) {
  Cmd *c = d->c;
  int choiceOver = opened->given && opened->i != openedAt(c, &d->s);
  int questionOver = asked->given && asked->i != askedAt(c, &d->s);
  Text over, now;
  if (!choiceOver && !questionOver) return 0;
  /* A button that was pressed twice, a press that came twice. */
  d->isDuplicate = (!choiceOver || choiceTook(c, &d->s, opened->i, answer)) &&
                   (!questionOver || questionTook(c, &d->s, asked->i, answer));
  over = ts_fill(c, d->s.label, d->isDuplicate ? "duplicate.answer" : "rejected.over", NULL, none,
                 NULL, none);
  now = askedText(d);
  d->message = over;
  if (now.z) {
    const char *text = ts_printf(c, "%.*s\n\n%.*s", over.n, over.z ? over.z : "", now.n, now.z);
    d->message = text ? ts_copy(c, text, (int)strlen(text)) : none;
  }
  d->action = d->isDuplicate ? ACTION_DUPLICATE : ACTION_REJECTED;
  return 1;
}

int ts_asked_over(Cmd *c, const Session *s, const Inbound *in) {
  if (in->attempts > 0 || in->shownIn) return 0;
  return (in->openedAt && in->openedAt != openedAt(c, s)) ||
         (in->askedAt && in->askedAt != askedAt(c, s));
}
