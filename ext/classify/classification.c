/*
** classification.c - classification_prompt() and classification_parse(): a language model as the classifier.
**
**   SELECT classification_prompt('make it 5', 'Running', 'add retries');   -- text for a model
**   SELECT classification_parse('Class: Modification.');                   -- Modification
**
** The texts are in prompt.c. Nothing here calls a model: the host does, and gives the class to session_deliver or
** delivery_classify.
*/
#include "classifier.h"

#include "prompt.h"
#include "functions.h"

SQLITE_EXTENSION_INIT3

/* classification_prompt(message, state [, task_context [, question]]) → a prompt for a model */
static void promptFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  ClassifyInput in;
  char *prompt = NULL;
  Cmd c;
  ts_cmd_init(&c, conn, ts_target_used(conn), "classification_prompt");
  if (argc < 2 || argc > 4) {
    ts_fail(&c, SQLITE_ERROR, "it takes message, state, and optionally task_context and question");
  }
  ts_classify_input(&c, argc, argv, &in);
  if (c.rc == SQLITE_OK) {
    prompt = ts_classification_prompt(&in);
    if (!prompt) ts_fail_nomem(&c);
  }
  if (c.rc == SQLITE_OK) {
    sqlite3_result_text(ctx, prompt, -1, sqlite3_free);
  } else {
    ts_give_error(ctx, &c);
  }
  ts_cmd_clear(&c);
}

/* classification_parse(reply) → class or NULL */
static void parseFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  MessageClass cls;
  const char *z;
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  z = (const char *)sqlite3_value_text(argv[0]);
  if (!z) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  cls = ts_classification_parse(z, sqlite3_value_bytes(argv[0]));
  if (cls != CLASS_UNKNOWN) sqlite3_result_text(ctx, ts_class_names[cls], -1, SQLITE_STATIC);
}

int ts_classification_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"classification_prompt", -1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, promptFunction},
      {"classification_parse", 1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, parseFunction},
  };
  return ts_functions_register(conn, functions, 2);
}
