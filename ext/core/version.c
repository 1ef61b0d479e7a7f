/*
** version.c - turnstile_version(): the library's own version.
*/
#include "door.h"

#include "functions.h"

SQLITE_EXTENSION_INIT3

/* turnstile_version() */
static void versionFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  if (((Conn *)sqlite3_user_data(ctx))->dead) {
    sqlite3_result_error(ctx, "turnstile_version: loading turnstile has failed", -1);
    return;
  }
  sqlite3_result_text(ctx, TURNSTILE_VERSION, -1, SQLITE_STATIC);
}

int ts_version_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_version", 0, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, versionFunction},
  };
  return ts_functions_register(conn, functions, 1);
}
