/*
** once.c - statements that are run once and not kept. Nothing is looked at before them: foreign.c, which looks at
** the file, runs such statements itself.
*/
#include "core.h"

SQLITE_EXTENSION_INIT3

sqlite3_stmt *ts_prepare_once(Cmd *c, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  if (!sql || c->rc != SQLITE_OK) return NULL;
  if (sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
    ts_fail_db(c, sqlite3_extended_errcode(c->db));
  }
  return stmt;
}

int ts_step_once(Cmd *c, sqlite3_stmt *stmt) {
  int rc;
  if (!stmt || c->rc != SQLITE_OK) return 0;
  rc = sqlite3_step(stmt);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) ts_fail_db(c, sqlite3_extended_errcode(c->db));
  return rc == SQLITE_ROW;
}
