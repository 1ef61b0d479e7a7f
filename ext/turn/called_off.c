/*
** called_off.c - what a run need not do when an input that concerned it is cancelled.
*/
#include "called_off.h"

#include "asked.h"
#include "config.h"
#include "lease.h"
#include "line.h"
#include "task.h"

SQLITE_EXTENSION_INIT3

/* Is a message one of those that interrupted the task? *left: what the state is without it, NULL when nothing else did. */
static int hasInterrupted(Cmd *c, const Session *s, Text message, Text *left) {
  int is;
  Query q;
  *left = none;
  if (s->task.state != TASK_INTERRUPTED || !message.z) return 0;
  q = ts_query(c, SQL_INTERRUPTED_WITHOUT, "tt", &s->task.stateData, &message);
  is = ts_row(c, &q);
  if (is) *left = ts_col_text(c, &q, COL_INTERRUPTED_WITHOUT_DATA);
  ts_end(c, &q);
  return is;
}

void ts_input_called_off(Cmd *c, Session *s, Text message) {
  Text left;
  int has = hasInterrupted(c, s, message, &left), live = ts_run_live(c, &s->run);
  if (c->rc != SQLITE_OK || (!live && !has)) return;
  if (ts_line_interrupts(c, s, NULL)) {
    if (!left.z) return;
    ts_task_move(c, s, TASK_INTERRUPTED, left, "withdraw");
    ts_session_save(c, s);
    return;
  }
  if (s->task.state == TASK_INTERRUPTED) ts_task_move(c, s, TASK_RUNNING, none, NULL);
  if (live && s->run.state == RUN_INTERRUPTED) ts_run_move(c, s, RUN_RUNNING);
  ts_session_save(c, s);
}

void ts_answers_called_off(Cmd *c, Session *s) {
  InputLink *list;
  int any = 0;
  if (!ts_run_live(c, &s->run)) return;
  list = ts_queue_list(c, s->label, SQL_QUEUE_PENDING, TS_MAX_INPUTS);
  for (; list && c->rc == SQLITE_OK; list = list->next) {
    if (!ts_input_is_for_run(list->in) || !ts_asked_over(c, s, list->in)) continue;
    ts_asked_cancel(c, list->in);
    any = 1;
  }
  if (any) ts_input_called_off(c, s, none);
}
