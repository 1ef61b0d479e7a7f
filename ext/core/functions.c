/*
** functions.c - registering functions and modules, and taking them back when loading fails. See functions.h.
*/
#include "functions.h"

SQLITE_EXTENSION_INIT3

static int note(Conn *conn, int rc, const char *name, int nArg) {
  Registry *r = conn->registry;
  if (rc != SQLITE_OK || !r) return rc;
  if (r->n == TS_MAX_REGISTERED) return SQLITE_INTERNAL;
  r->entries[r->n].name = name;
  r->entries[r->n].nArg = nArg;
  r->n++;
  return SQLITE_OK;
}

int ts_function_register(Conn *conn, const FunctionSpec *spec, void *data,
                         void (*destroy)(void *)) {
  int rc = sqlite3_create_function_v2(conn->db, spec->name, spec->nArg, SQLITE_UTF8 | spec->flags,
                                      data, spec->function, NULL, NULL, destroy);
  return note(conn, rc, spec->name, spec->nArg);
}

int ts_functions_register(Conn *conn, const FunctionSpec *specs, int n) {
  int rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < n; i++) {
    conn->nRef++; /* SQLite gives it back, even when it fails */
    rc = ts_function_register(conn, &specs[i], conn, ts_conn_release);
  }
  return rc;
}

int ts_module_register(Conn *conn, const char *name, const sqlite3_module *module) {
  int rc;
  conn->nRef++;
  rc = sqlite3_create_module_v2(conn->db, name, module, conn, ts_conn_release);
  return note(conn, rc, name, TS_IS_MODULE);
}

void ts_registry_undo(Conn *conn, const Registry *registry) {
  conn->dead = 1;
  for (int i = registry->n - 1; i >= 0; i--) {
    const char *name = registry->entries[i].name;
    if (registry->entries[i].nArg == TS_IS_MODULE) {
      (void)sqlite3_create_module_v2(conn->db, name, NULL, NULL, NULL);
    } else {
      (void)sqlite3_create_function_v2(conn->db, name, registry->entries[i].nArg, SQLITE_UTF8, NULL,
                                       NULL, NULL, NULL, NULL);
    }
  }
}

void ts_give_error(sqlite3_context *ctx, const Cmd *c) {
  if ((c->rc & 0xff) == SQLITE_NOMEM || !c->err) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  /* Message first, code second: that order keeps both. */
  sqlite3_result_error(ctx, c->err, -1);
  sqlite3_result_error_code(ctx, c->rc);
}
