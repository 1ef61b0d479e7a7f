/*
** rule_check.c - turnstile_rule_check(): asked by the triggers on message_rules whether a row may stand there.
**
** It returns NULL, or fails with what is wrong. How a rule is read and tried is in rule_compile.c and rule_trial.c.
*/
#include "classifier.h"

#include "rules.h"
#include "functions.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MESSAGE_BYTES 480 /* room for an error of the rules */

/* turnstile_rule_check(class, state, pattern, weight): called by the triggers on message_rules. */
static void ruleCheck(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  char message[MESSAGE_BYTES], full[MESSAGE_BYTES + 32];
  RuleRow row;
  int rc;
  (void)argc;
  memset(&row, 0, sizeof(row));
  conn->rulesTouched = 1;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL && sqlite3_value_type(argv[2]) == SQLITE_NULL) {
    return; /* a row goes; in others NOT NULL says so */
  }
  row.cls = (const char *)sqlite3_value_text(argv[0]);
  row.nCls = sqlite3_value_bytes(argv[0]);
  row.state = (const char *)sqlite3_value_text(argv[1]);
  row.nState = sqlite3_value_bytes(argv[1]);
  row.pattern = (const char *)sqlite3_value_text(argv[2]);
  row.nPattern = sqlite3_value_bytes(argv[2]);
  row.weight = sqlite3_value_double(argv[3]);
  rc = ts_rule_check_row(&row, NULL, message, (int)sizeof(message));
  if (rc == SQLITE_NOMEM) {
    sqlite3_result_error_nomem(ctx);
  } else if (rc != SQLITE_OK) {
    sqlite3_snprintf((int)sizeof(full), full, "message_rules: %s", message);
    sqlite3_result_error(ctx, full, -1);
  }
}

int ts_rule_check_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_rule_check", 4, SQLITE_INNOCUOUS, ruleCheck},
  };
  return ts_functions_register(conn, functions, 1);
}
