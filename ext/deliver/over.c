/*
** over.c - an answer to a closed question or choice is rejected, or recognized as a repeated
** answer.
*/
#include "over.h"

#include "asked.h"
#include "choice.h"
#include "fill.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* The text of the present question or choice, or {NULL,0}. */
static Text askedText(Delivery *d) {
  if (d->s.pendingChoice.z) {
    ts_choice_show(d);
    return d->message;
  }
  return d->s.task.state == TASK_AWAITING_USER ? ts_task_field(d->c, &d->s, "$.question") : none;
}

/* Was the choice opened at that time settled by this option? */
static int choiceTook(Cmd *c, const Session *s, sqlite3_int64 opened, Text answer) {
  Text kind = none, chosen = none;
  Query q = ts_query(c, SQL_CHOICE_TAKEN, "ti", &s->label, opened);
  if (ts_row(c, &q)) {
    kind = ts_col_text(c, &q, COL_CHOICE_TAKEN_KIND);
    chosen = ts_col_text(c, &q, COL_CHOICE_TAKEN_OUTCOME);
  }
  ts_end(c, &q);
  return chosen.z && ts_text_is(chosen, ts_choice_option_meant(c, s, kind, answer));
}

/* Was the question asked at that time answered in these words? */
static int questionTook(Cmd *c, const Session *s, sqlite3_int64 asked, Text answer) {
  int took;
  Query q = ts_query(c, SQL_QUESTION_TAKEN, "tit", &s->label, asked, &answer);
  took = ts_row(c, &q);
  ts_end(c, &q);
  return took;
}

int ts_asked_refuses(Delivery *d, const Arg *opened, const Arg *asked, Text answer) {
  Cmd *c = d->c;
  int choiceOver = opened->given && opened->i != ts_asked_opened_at(c, &d->s);
  int questionOver = asked->given && asked->i != ts_asked_question_at(c, &d->s);
  Text over, now;
  if (!choiceOver && !questionOver) return 0;
  /* A button was pressed twice, or its press arrived twice. */
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
