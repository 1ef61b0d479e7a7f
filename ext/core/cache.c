/*
** cache.c - turnstile_cache: the statements that this connection keeps, as a table, which owns them.
**
**   SELECT sql, runs FROM turnstile_cache ORDER BY runs DESC;
*/
#include "functions.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

typedef struct CacheCursor {
  TableCursor base;
  Target *target;
  int slot;
} CacheCursor;

#define CACHE_COLUMN_SCHEMA 0
#define CACHE_COLUMN_PREFIX 1
#define CACHE_COLUMN_SQL 2
#define CACHE_COLUMN_RUNS 3

static int cacheConnect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **err) {
  Conn *conn = aux;
  int rc = ts_table_connect(db, conn, "CREATE TABLE x(schema, prefix, sql, runs)",
                            SQLITE_VTAB_DIRECTONLY, out);
  (void)argc;
  (void)argv;
  (void)err;
  if (rc == SQLITE_OK) conn->caching++;
  return rc;
}

static int cacheDisconnect(sqlite3_vtab *base) {
  Conn *conn = ((Table *)base)->conn;
  conn->caching--;
  for (Target *t = conn->targets; t && !conn->caching; t = t->next)
    ts_target_forget(t);
  return ts_table_disconnect(base);
}

static int cacheBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = SQL_COUNT;
  info->estimatedRows = SQL_COUNT;
  return SQLITE_OK;
}

/* The cursor holds nothing. */
static void cacheReset(CacheCursor *cur) {
  (void)cur;
}

TS_TABLE_CURSOR(cache, CacheCursor)

/* Moves to the next filled slot at or after the present one. */
static void cacheSeek(CacheCursor *cur) {
  while (cur->target) {
    for (; cur->slot < SQL_COUNT; cur->slot++) {
      cur->base.rowid = cur->slot;
      if (cur->target->cached[cur->slot]) return;
    }
    cur->target = cur->target->next;
    cur->slot = 0;
  }
  cur->base.eof = 1;
}

static int cacheFilter(sqlite3_vtab_cursor *base, int idxNum, const char *idxStr, int argc,
                       sqlite3_value **argv) {
  CacheCursor *cur = (CacheCursor *)base;
  (void)idxNum;
  (void)idxStr;
  (void)argc;
  (void)argv;
  cur->target = ((Table *)base->pVtab)->conn->targets;
  cur->slot = 0;
  cur->base.eof = 0;
  cacheSeek(cur);
  return SQLITE_OK;
}

static int cacheNext(sqlite3_vtab_cursor *base) {
  CacheCursor *cur = (CacheCursor *)base;
  cur->slot++;
  cacheSeek(cur);
  return SQLITE_OK;
}

static int cacheColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  CacheCursor *cur = (CacheCursor *)base;
  sqlite3_stmt *stmt = cur->target->cached[cur->slot];
  switch (i) {
  case CACHE_COLUMN_SCHEMA:
    sqlite3_result_text(ctx, cur->target->schema, -1, SQLITE_TRANSIENT);
    break;
  case CACHE_COLUMN_PREFIX:
    sqlite3_result_text(ctx, cur->target->prefix, -1, SQLITE_TRANSIENT);
    break;
  case CACHE_COLUMN_SQL:
    if (stmt) sqlite3_result_text(ctx, sqlite3_sql(stmt), -1, SQLITE_TRANSIENT);
    break;
  case CACHE_COLUMN_RUNS:
    if (stmt) sqlite3_result_int(ctx, sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_RUN, 0));
    break;
  }
  return SQLITE_OK;
}

static const sqlite3_module cacheModule = TS_TABLE_MODULE(cache, cacheDisconnect, cache);

int ts_cache_register(Conn *conn) {
  return ts_module_register(conn, "turnstile_cache", &cacheModule);
}

void ts_cache_connect(Conn *conn) {
  sqlite3_stmt *stmt = NULL;
  if (conn->caching) return;
  /* A failure (out of memory, an authorizer, a table of that name) only means that statements are
  ** not kept: nothing depends on it. */
  (void)sqlite3_prepare_v2(conn->db, "SELECT 1 FROM temp.turnstile_cache", -1, &stmt, NULL);
  sqlite3_finalize(stmt);
}
