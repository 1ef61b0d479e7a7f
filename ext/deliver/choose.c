/*
** choose.c - session_choose(): a person has pressed one of the options of the open choice.
*/
#include "deliver.h"

#include "choice.h"
#include "decision.h"
#include "ids.h"
#include "over.h"

SQLITE_EXTENSION_INIT3

enum { CHOOSE_SESSION, CHOOSE_OPTION, CHOOSE_OPENED_AT, CHOOSE_KEEPS_TURNS };

static const ArgSpec chooseArgs[] = {{"label", ARG_LABEL, 1},
                                     {"choice", ARG_NAME, 1},
                                     {"opened_at", ARG_TIME, 0},
                                     {"keeps_turns", ARG_BOOL, 0}};

static void runChoose(Cmd *c) {
  static const Arg unasked = {0};
  Delivery d;
  ChoiceOption options[TS_CHOICE_MAX_OPTIONS];
  ChoiceAnswer answer = ANSWER_NONE;
  Text given = c->arg[CHOOSE_OPTION].text;
  sqlite3_str *list;
  Text known;
  int n;
  ts_deliver_init(&d, c);
  ts_deliver_read_keeps_turns(&d, &c->arg[CHOOSE_KEEPS_TURNS]);
  ts_session_require(c, c->arg[CHOOSE_SESSION].text, &d.s);
  if (c->rc != SQLITE_OK) return;
  d.previous = d.s.task.state;
  d.taskId = d.s.task.id;
  if (ts_asked_refuses(&d, &c->arg[CHOOSE_OPENED_AT], &unasked, given)) {
    ts_return_text(c, ts_deliver_decision_json(&d));
    return;
  }
  if (!d.s.pendingChoice.z) {
    ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' has no open choice", d.s.label.n, d.s.label.z);
    return;
  }
  if (d.s.task.state == TASK_COMPLETE || d.s.task.state == TASK_ABORTED) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "the task that the choice is about is %s; there is nothing to choose",
            ts_task_machine.states[d.s.task.state]);
    return;
  }
  n = ts_choice_options(c, &d.s, options);
  list = sqlite3_str_new(c->db);
  for (int i = 0; i < n; i++) {
    const char *action = options[i].answer == ANSWER_CONTINUE ? "continue" : "start_fresh";
    char key[2] = {options[i].key, 0};
    char lower[2] = {(char)(options[i].key | 0x20), 0};
    if (ts_text_is(given, key) || ts_text_is(given, lower) || ts_text_is(given, action)) {
      answer = options[i].answer;
    }
    sqlite3_str_appendf(list, "%s%c (%s)", i ? ", " : "", options[i].key, action);
  }
  known = ts_finish(c, list);
  if (answer == ANSWER_NONE) {
    ts_fail(c, SQLITE_ERROR, "choice '%.*s' is not offered; it must be one of: %.*s", given.n,
            given.z, known.n, known.z);
  }
  if (c->rc != SQLITE_OK) return;
  d.before = ts_id_last(c, ID_EVENT);
  d.s.offered = 0;
  if (d.s.status == STATUS_ERROR) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' is in error; no choice is taken until its status is active",
            d.s.label.n, d.s.label.z);
    return;
  }
  ts_deliver_revive(&d);
  d.liveRun = ts_run_live(c, &d.s.run);
  d.isHeld = !d.liveRun && ts_queue_is_held(c, &d.s);
  d.reading.answer = answer;
  ts_choice_settle(&d, NULL);
  ts_session_touch(c, &d.s, SOURCE_USER);
  ts_return_text(c, ts_deliver_finish(&d));
}

const CommandSpec ts_session_choose = {"session_choose", runChoose, 0, TS_ARGS(2, chooseArgs),
                                       NULL};
