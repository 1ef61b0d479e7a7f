/*
** renew.c - turnstile_renew(): a copy of a file becomes a file of its own, with a uuid and a key of its own.
**
**   SELECT turnstile_renew();
*/
#include "install.h"

#include "functions.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const CommandSpec renewSpec = {"turnstile_renew", NULL, 0, 0, INSTALL_KEEP_FOREIGN,
                                      ts_install_args,   NULL};

/* turnstile_renew([options]) → the file's new uuid */
static void renewFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Cmd c;
  Text uuid;
  char *result;
  Distrust distrust;
  if (ts_refuse_file(ctx, renewSpec.name)) return;
  ts_install_begin(&c, sqlite3_user_data(ctx), &renewSpec, argc, argv);
  uuid = c.arg[INSTALL_UUID].text;
  if (c.rc == SQLITE_OK && !uuid.z) {
    const char *made = ts_install_uuid(&c);
    uuid = (Text){made, made ? (int)strlen(made) : 0};
  }
  /* Everything that can fail comes before the write. */
  result = c.rc == SQLITE_OK ? sqlite3_mprintf("%.*s", uuid.n, uuid.z) : NULL;
  if (!result) ts_fail_nomem(&c);
  /* A file's trigger could leave out a row, or keep the first of two that go together. */
  ts_distrust_begin(&c, &distrust);
  ts_exec(&c, SQL_META_RENEW, "t", &uuid);
  ts_distrust_end(&c, &distrust);
  if (c.rc == SQLITE_OK) {
    sqlite3_result_text(ctx, result, -1, sqlite3_free);
  } else {
    sqlite3_free(result);
  }
  ts_install_end(ctx, &c);
}

int ts_renew_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_renew", -1, SQLITE_DIRECTONLY, renewFunction},
  };
  return ts_functions_register(conn, functions, 1);
}
