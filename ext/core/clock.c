/*
** clock.c - turnstile_clock(): the time of this connection, for tests and replays.
**
**   SELECT turnstile_clock(1700000000000);   -- the time stands still
**   SELECT turnstile_clock(NULL);            -- it runs again
*/
#include "door.h"

#include "duration.h"
#include "functions.h"

SQLITE_EXTENSION_INIT3

static void failClock(sqlite3_context *ctx, const char *unit, sqlite3_int64 at, sqlite3_int64 ms) {
  char *error =
      sqlite3_mprintf("turnstile_clock: ms is %lld, a time in %s; it must be Unix milliseconds, "
                      "such as %lld",
                      at, unit, ms);
  if (error) {
    sqlite3_result_error(ctx, error, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(error);
}

/* turnstile_clock(ms): the time stands still; turnstile_clock(NULL): it runs again. */
static void clockFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  const char *unit;
  int64_t ms;
  (void)argc;
  if (ts_refuse_file(ctx, "turnstile_clock")) return;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) {
    conn->pinned = 0;
    sqlite3_result_null(ctx);
    return;
  }
  if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER || sqlite3_value_int64(argv[0]) < 0 ||
      sqlite3_value_int64(argv[0]) > TURNSTILE_MAX_INTEGER) {
    sqlite3_result_error(ctx,
                         "turnstile_clock: ms must be an integer from 0 to 2^53 - 1, or NULL "
                         "for the system's time",
                         -1);
    return;
  }
  unit = ts_time_unit(sqlite3_value_int64(argv[0]), &ms);
  if (unit) {
    failClock(ctx, unit, sqlite3_value_int64(argv[0]), ms);
    return;
  }
  conn->pinned = 1;
  conn->pinnedAt = sqlite3_value_int64(argv[0]);
  sqlite3_result_int64(ctx, conn->pinnedAt);
}

int ts_clock_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_clock", 1, SQLITE_DIRECTONLY, clockFunction},
  };
  return ts_functions_register(conn, functions, 1);
}
