/*
** schema.c - turnstile_schema(): the schema as text.
**
**   SELECT turnstile_schema();                          -- all that turnstile_install() would make
**   SELECT turnstile_schema('{"prefix":"agent_"}');
*/
#include "install.h"

#include "functions.h"

SQLITE_EXTENSION_INIT3

static const CommandSpec schemaSpec = {"turnstile_schema", NULL, 0, 0, INSTALL_KEEP_FOREIGN,
                                       ts_install_args,    NULL};

static void appendPiece(Cmd *c, const char *script, void *arg) {
  const char *text = ts_install_expand(c, script);
  if (text) sqlite3_str_appendall(arg, text);
}

/* turnstile_schema([options]) → the DDL as text */
static void schemaFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Cmd c;
  if (ts_refuse_file(ctx, schemaSpec.name)) return;
  ts_install_begin(&c, sqlite3_user_data(ctx), &schemaSpec, argc, argv);
  if (c.rc == SQLITE_OK) {
    sqlite3_str *out = sqlite3_str_new(c.db);
    char *z;
    ts_install_pieces(&c,
                      c.arg[INSTALL_UUID].given ? c.arg[INSTALL_UUID].text.z : ts_install_uuid(&c),
                      appendPiece, out);
    z = sqlite3_str_finish(out);
    if (!z) ts_fail_nomem(&c);
    if (c.rc == SQLITE_OK) {
      sqlite3_result_text(ctx, z, -1, sqlite3_free);
    } else {
      sqlite3_free(z);
    }
  }
  ts_install_end(ctx, &c);
}

int ts_schema_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_schema", -1, SQLITE_DIRECTONLY, schemaFunction},
  };
  return ts_functions_register(conn, functions, 1);
}
