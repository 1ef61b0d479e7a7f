/*
** classify_message.c - classify_message(): what a message says, to whoever asks.
**
**   SELECT classify_message('yes', 'AwaitingUser');              -- Response
**   SELECT classify_message('yes', 'PendingComplete');           -- Confirmation
**
** It reads the file that the connection uses, and writes nothing. How a class is found is in classify.c; which rules
** count in classifier.c.
*/
#include "classifier.h"

#include "functions.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Arguments ------------------------------------------------------------------------------------- */

static Text textOf(Cmd *c, sqlite3_value *v, const char *name) {
  Text t = {NULL, 0};
  if (!v || sqlite3_value_type(v) == SQLITE_NULL) return t;
  if (sqlite3_value_type(v) != SQLITE_TEXT) {
    ts_fail(c, SQLITE_ERROR, "%s must be text", name);
    return t;
  }
  t.z = (const char *)sqlite3_value_text(v);
  t.n = sqlite3_value_bytes(v);
  if (!t.z) {
    ts_fail_nomem(c);
    return t;
  }
  return ts_clean(c, t); /* the value outlives the call */
}

/* The four arguments: message, state, task, question. */
void ts_classify_input(Cmd *c, int argc, sqlite3_value **argv, ClassifyInput *in) {
  Text message = textOf(c, argc > 0 ? argv[0] : NULL, "message");
  Text state = textOf(c, argc > 1 ? argv[1] : NULL, "state");
  Text task = textOf(c, argc > 2 ? argv[2] : NULL, "task_context");
  Text question = textOf(c, argc > 3 ? argv[3] : NULL, "question");
  int i = 0;
  memset(in, 0, sizeof(*in));
  if (c->rc != SQLITE_OK) return;
  if (!message.z) ts_fail(c, SQLITE_ERROR, "message is missing");
  if (state.z) {
    i = ts_state_find(&ts_task_machine, state.z, state.n);
    if (i < 0 || i == TASK_COMPLETE || i == TASK_ABORTED) {
      ts_fail(c, SQLITE_ERROR,
              "state is '%s'; it must be None, Running, AwaitingUser, Interrupted or "
              "PendingComplete",
              ts_excerpt(c, state));
      return;
    }
  }
  in->message = message.z;
  in->nMessage = message.n;
  in->state = (TaskState)i;
  in->task = task.z;
  in->nTask = task.n;
  in->question = question.z;
  in->nQuestion = question.n;
}

/* ---- classify_message(message, state [, task_context [, question]]) → class ------------------------ */

/* classify_message(message, state [, task_context [, question]]) → class */
static void classifyMessage(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  ClassifyInput in;
  ClassifyResult result;
  Cmd c;
  ts_cmd_init(&c, conn, ts_target_used(conn), "classify_message");
  if (argc < 2 || argc > 4) {
    ts_fail(&c, SQLITE_ERROR, "it takes message, state, and optionally task_context and question");
  }
  ts_classify_input(&c, argc, argv, &in);
  memset(&result, 0, sizeof(result));
  if (c.rc == SQLITE_OK) ts_classifier_say(&c, &in, &result);
  if (c.rc == SQLITE_OK) {
    sqlite3_result_text(ctx, ts_class_names[result.cls], -1, SQLITE_STATIC);
  } else {
    ts_give_error(ctx, &c);
  }
  ts_cmd_clear(&c);
}

int ts_classify_message_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"classify_message", -1, SQLITE_DIRECTONLY, classifyMessage},
  };
  return ts_functions_register(conn, functions, 1);
}
