/*
** result.c - turnstile_result(): what the last command returned, once.
**
**   INSERT INTO turnstile(command, args) VALUES ('session_note', '…') RETURNING turnstile_result();
*/
#include "result.h"

#include "door.h"
#include "functions.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_result_clear(Result *r) {
  sqlite3_free(r->z);
  memset(r, 0, sizeof(*r));
}

void ts_result_give(sqlite3_context *ctx, Result *r) {
  switch (r->type) {
  case SQLITE_INTEGER: sqlite3_result_int64(ctx, r->i); break;
  case SQLITE_TEXT:
    sqlite3_result_text(ctx, r->z, (int)strlen(r->z) == r->n ? -1 : r->n, sqlite3_free);
    r->z = NULL;
    break;
  default: sqlite3_result_null(ctx); break;
  }
}

static void resultFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  (void)argc;
  (void)argv;
  if (conn->result.type == 0) {
    sqlite3_result_error(
        ctx,
        "turnstile_result: no command has run since it was last asked; use it as INSERT INTO "
        "turnstile … RETURNING turnstile_result()",
        -1);
    return;
  }
  ts_result_give(ctx, &conn->result);
  ts_result_clear(&conn->result);
}

int ts_result_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_result", 0, SQLITE_DIRECTONLY, resultFunction},
  };
  return ts_functions_register(conn, functions, 1);
}
