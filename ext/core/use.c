/*
** use.c - turnstile_use(): which file, and which set of tables in it, the functions of this connection work on.
**
**   SELECT turnstile_use('aux');             -- an attached file
**   SELECT turnstile_use('main', 'agent_');  -- tables with a prefix
*/
#include "door.h"

#include "functions.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* turnstile_use(schema [, prefix]) */
static void useFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  const char *schema = (const char *)sqlite3_value_text(argv[0]);
  const char *prefix = argc > 1 ? (const char *)sqlite3_value_text(argv[1]) : "";
  Target *target;
  if (ts_refuse_file(ctx, "turnstile_use")) return;
  if (!schema) schema = "main";
  if (!prefix) prefix = "";
  if (sqlite3_stricmp(schema, "temp") == 0) {
    sqlite3_result_error(ctx, "turnstile_use: schema must not be temp", -1);
    return;
  }
  if (!ts_prefix_valid(prefix)) {
    sqlite3_result_error(ctx, TS_PREFIX_ERROR("turnstile_use"), -1);
    return;
  }
  if (sqlite3_txn_state(conn->db, schema) < 0) {
    int n = (int)strlen(schema), cut = ts_utf8_cut(schema, n, 60);
    char *shown = sqlite3_mprintf("%.*s%s", cut, schema, cut < n ? "…" : "");
    char *message =
        shown ? sqlite3_mprintf("turnstile_use: no database is attached as \"%s\"", shown) : NULL;
    sqlite3_free(shown);
    if (message) {
      sqlite3_result_error(ctx, message, -1);
    } else {
      sqlite3_result_error_nomem(ctx);
    }
    sqlite3_free(message);
    return;
  }
  target = ts_target(conn, schema, prefix);
  if (!target) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  conn->used = target;
  sqlite3_result_null(ctx);
}

int ts_use_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_use", 1, SQLITE_DIRECTONLY, useFunction},
      {"turnstile_use", 2, SQLITE_DIRECTONLY, useFunction},
  };
  return ts_functions_register(conn, functions, 2);
}
