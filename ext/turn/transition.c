/*
** transition.c - session_transition(): a host or an agent tells of a move of the task.
**
** Whatever is told here is durable when the command returns. It also shows that the host works on
** the input it was handed (queue.h), and, while that input came from a user, it is the activity
** that staleness is measured from.
*/
#include "turn_commands.h"

#include "args.h"
#include "asked.h"
#include "called_off.h"
#include "ids.h"
#include "queue.h"
#include "task.h"
#include "text.h"
#include "turn.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const ArgSpec transitionArgs[] = {
    {"label", ARG_LABEL, 1}, {"state", ARG_TEXT, 1}, {"data", ARG_OBJECT, 0}};

/* A field of the data that was given, or {NULL,0}. It has to be text. */
static Text dataField(Cmd *c, Text data, const char *path, const char *name) {
  Text value = none;
  Query q;
  if (!data.z) return none;
  q = ts_query(c, SQL_JSON_GET, "ts", &data, path);
  if (ts_row(c, &q) && !ts_col_null(&q, COL_JSON_GET_VALUE)) {
    Text type = ts_col_text(c, &q, COL_JSON_GET_TYPE);
    value = ts_col_text(c, &q, COL_JSON_GET_VALUE);
    if (!ts_text_is(type, "text")) {
      ts_fail(c, SQLITE_ERROR, "data.%s must be text, not a JSON %.*s", name, type.n,
              type.z ? type.z : "");
    } else if (ts_text_blank(value.z, value.n)) {
      ts_fail(c, SQLITE_ERROR, "data.%s is empty; it must hold more than white space", name);
    }
  }
  ts_end(c, &q);
  return value;
}

static Text requireField(Cmd *c, Text data, const char *path, const char *name, TaskState to) {
  Text value = dataField(c, data, path, name);
  if (c->rc == SQLITE_OK && !value.z) {
    ts_fail(c, SQLITE_ERROR, "data.%s is missing; %s needs {\"%s\": …}", name,
            ts_task_machine.states[to], name);
  }
  return value;
}

/* AwaitingUser: asked_at defaults to now. */
static Text awaitingData(Cmd *c, const Session *s, Text data) {
  requireField(c, data, "$.question", "question", TASK_AWAITING_USER);
  return ts_asked_at(c, s, data);
}

static void runTransition(Cmd *c) {
  Session s;
  Text data = c->arg[2].text, question = none;
  int asked;
  int to = ts_state_find(&ts_task_machine, c->arg[1].text.z, c->arg[1].text.n);
  if (to < 0) {
    ts_arg_word(c, "state", c->arg[1].text, ts_task_machine.states + 1,
                ts_task_machine.nStates - 1); /* None is reached by a commit only */
    return;
  }
  ts_session_require(c, c->arg[0].text, &s);
  if (c->rc != SQLITE_OK) return;
  asked = s.task.state == TASK_AWAITING_USER;
  if (s.task.state == TASK_NONE && to == TASK_RUNNING) {
    Text task = dataField(c, data, "$.task", "task");
    if (c->rc == SQLITE_OK && !task.z) {
      ts_fail(c, SQLITE_CONSTRAINT,
              "the task is None and becomes Running with session_start, or with data.task");
    }
    if (c->rc != SQLITE_OK) return;
    ts_head_leave(c, &s, ts_id_last(c, ID_EVENT));
    ts_task_start(c, &s, task, NULL);
  } else {
    /* Is the move there at all? Then its data has to be right. */
    if (ts_state_move(&ts_task_machine, s.task.state, to)) {
      switch (to) {
      case TASK_AWAITING_USER:
        data = awaitingData(c, &s, data);
        question = dataField(c, data, "$.question", "question");
        break;
      case TASK_INTERRUPTED: {
        Text message = requireField(c, data, "$.user_message", "user_message", TASK_INTERRUPTED);
        data = ts_interrupted_data(c, &s, data, message);
        break;
      }
      case TASK_PENDING_COMPLETE:
        requireField(c, data, "$.summary", "summary", TASK_PENDING_COMPLETE);
        break;
      case TASK_ABORTED: requireField(c, data, "$.reason", "reason", TASK_ABORTED); break;
      case TASK_COMPLETE:
        /* The summary goes along: it is the commit's message. */
        if (!dataField(c, data, "$.summary", "summary").z) data = s.task.stateData;
        break;
      default: break;
      }
    }
    ts_task_move(c, &s, (TaskState)to, data, NULL);
    if (question.z) ts_note(c, &s, NOTE_QUESTION, question);
    if (to == TASK_INTERRUPTED) {
      ts_note(c, &s, NOTE_INTERVENTION, ts_task_field(c, &s, "$.user_message"));
    }
  }
  ts_task_worked(c, &s); /* also by an Aborted: somebody says why */
  ts_session_revive(c, &s);
  ts_queue_taken_up(c, &s);
  ts_session_touch(c, &s, s.workSource);
  s.offered = 0;
  ts_session_save(c, &s);
  if (asked) ts_answers_called_off(c, &s);
  ts_return_text(c, (Text){ts_task_machine.states[to], (int)strlen(ts_task_machine.states[to])});
}

const CommandSpec ts_session_transition = {"session_transition", runTransition, 0,
                                           TS_ARGS(3, transitionArgs), NULL};
