/*
** statement.c - prepared statements: the one way to run SQL. The table that owns them is in cache.c.
**
** Preparing costs several times what running does, so statements are kept per target. Who owns
** them matters: statements finalised by a function's destructor make sqlite3_close report BUSY,
** because destructors run after its check. Virtual tables are disconnected before it. So the
** cache belongs to the eponymous table `turnstile_cache`: connected on first use by preparing a
** SELECT from it, finalising everything in xDisconnect.
**
** A statement in use is checked out: its slot is empty meanwhile, so that code which runs inside
** (a user's trigger, another cursor) gets a statement of its own. It goes back to the slot when
** the cache is still connected and the slot still empty, and is finalised otherwise.
*/
#include "core.h"

#include "foreign.h"
#include "functions.h"

#include <stdarg.h>
#include <string.h>

#define TS_STATEMENT_TEXTS
#include "statement_texts.h"

SQLITE_EXTENSION_INIT3

/* ---- Running --------------------------------------------------------------------------------- */

/*
** Our statements write temp.json_each(…): SQLite looks for a table in that schema only, and finds its own
** function when there is none. A table, view or virtual table of that name in temp stands in its way: then the
** command fails, and names it.
*/
static void failHidden(Cmd *c) {
  static const char sql[] =
      "SELECT name FROM temp.sqlite_schema WHERE type IN ('table', 'view') AND lower(name) IN "
      "('json_each', 'json_tree') LIMIT 1";
  sqlite3_stmt *stmt = NULL;
  if (sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
      sqlite3_step(stmt) == SQLITE_ROW) {
    ts_fail(c, SQLITE_ERROR,
            "temp.%s stands in the place of SQLite's table-valued function of this name; drop it",
            sqlite3_column_text(stmt, 0));
  }
  sqlite3_finalize(stmt);
}

/* Could the message come from such a table? */
static int mayBeHidden(int rc, const char *message) {
  return (rc & 0xff) == SQLITE_ERROR &&
         (strstr(message, "is not a function") || strstr(message, "too many arguments on") ||
          strncmp(message, "no such column: ", 16) == 0);
}

/* Is that why the door, a view, can't be written to? */
static int areTriggersOff(sqlite3 *db, const char *message) {
  int on = 1;
  if (!strstr(message, "because it is a view")) return 0;
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, &on) == SQLITE_OK && !on;
}

/* A statement can't be prepared, or not any more: most often because nothing is installed. */
void ts_fail_statement(Cmd *c, int rc) {
  const char *message = sqlite3_errmsg(c->db);
  if (mayBeHidden(rc, message)) {
    message = ts_printf(c, "%s", message); /* the handle forgets it when it is asked again */
    failHidden(c);
    if (c->rc != SQLITE_OK) return;
    if (strncmp(message, "no such column: ", 16) != 0) {
      ts_fail(c, rc, "%s", message);
      return;
    }
  }
  if (areTriggersOff(c->db, message)) {
    ts_fail(
        c, SQLITE_ERROR,
        "triggers are off on this connection (SQLITE_DBCONFIG_ENABLE_TRIGGER), and commands run "
        "in one; switch them on");
  } else if (sqlite3_txn_state(c->db, c->target->schema) < 0) {
    ts_fail(c, SQLITE_ERROR, "no database is attached as \"%s\"", c->target->schema);
  } else if ((rc & 0xff) == SQLITE_ERROR && strncmp(message, "no such table: ", 15) == 0) {
    ts_fail(c, SQLITE_ERROR,
            "turnstile is not installed in schema \"%s\" with prefix '%s' (%s); run SELECT "
            "turnstile_install() first",
            c->target->schema, c->target->prefix, message);
  } else if ((rc & 0xff) == SQLITE_ERROR && strncmp(message, "no such column: ", 16) == 0) {
    ts_fail(c, SQLITE_ERROR,
            "the tables in schema \"%s\" with prefix '%s' are not those of schema version %d (%s); "
            "run SELECT turnstile_install()",
            c->target->schema, c->target->prefix, TURNSTILE_SCHEMA_VERSION, message);
  } else {
    ts_fail_db(c, rc);
  }
}

/* Keeps SQLite from reading a virtual table that a file holds under one of our names. The only virtual tables that
** our statements name are SQLite's own for JSON. */
static unsigned virtualFlag(const char *sql) {
  return strstr(sql, "json_each(") || strstr(sql, "json_tree(") ? 0 : SQLITE_PREPARE_NO_VTAB;
}

static sqlite3_stmt *checkOut(Cmd *c, int id) {
  sqlite3_stmt *stmt;
  char *sql;
  int rc;
  ts_cache_connect(c->conn);
  if (c->looked != c->target) ts_foreign_memory(c);
  stmt = c->target->cached[id];
  /* The door's statement runs what the file's door says, whatever we look at before. The dispatcher looks then,
  ** and holds the lock. */
  if (strchr(statementTexts[id], '#') && (!stmt || id != SQL_DOOR)) ts_foreign_tables(c);
  /* A transaction that has begun by reading may not be allowed to write. */
  if (id == SQL_DOOR || c->rc != SQLITE_OK) ts_cmd_release(c);
  if (c->rc != SQLITE_OK) return NULL;
  if (stmt) {
    c->target->cached[id] = NULL;
    return stmt;
  }
  sql = ts_sql_expand(statementTexts[id], c->target->schema, c->target->prefix);
  if (!sql) {
    ts_fail_nomem(c);
    return NULL;
  }
  rc =
      sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT | virtualFlag(sql), &stmt, NULL);
  sqlite3_free(sql);
  if (rc != SQLITE_OK) {
    ts_fail_statement(c, rc);
    return NULL;
  }
  return stmt;
}

static void checkIn(Cmd *c, int id, sqlite3_stmt *stmt) {
  sqlite3_reset(stmt);
  if (c->conn->caching && !c->target->cached[id]) {
    sqlite3_clear_bindings(stmt);
    c->target->cached[id] = stmt;
  } else {
    sqlite3_finalize(stmt);
  }
}

static int bindText(sqlite3_stmt *stmt, int i, const char *z, int n) {
  return z ? sqlite3_bind_text(stmt, i, z, n, SQLITE_STATIC) : sqlite3_bind_null(stmt, i);
}

static int bindAll(sqlite3_stmt *stmt, const char *format, va_list ap) {
  int rc = SQLITE_OK;
  for (int i = 1; *format && rc == SQLITE_OK; format++, i++) {
    switch (*format) {
    case 't': {
      const Text *t = va_arg(ap, const Text *);
      rc = bindText(stmt, i, t->z, t->n);
      break;
    }
    case 's': rc = bindText(stmt, i, va_arg(ap, const char *), -1); break;
    case 'i': rc = sqlite3_bind_int64(stmt, i, va_arg(ap, sqlite3_int64)); break;
    case 'r': rc = sqlite3_bind_double(stmt, i, va_arg(ap, double)); break;
    case 'R': {
      int given = va_arg(ap, int);
      double v = va_arg(ap, double);
      rc = given ? sqlite3_bind_double(stmt, i, v) : sqlite3_bind_null(stmt, i);
      break;
    }
    case 'v': rc = sqlite3_bind_value(stmt, i, va_arg(ap, sqlite3_value *)); break;
    case 'b': {
      const void *blob = va_arg(ap, const void *);
      rc = sqlite3_bind_blob(stmt, i, blob, va_arg(ap, int), SQLITE_STATIC);
      break;
    }
    case '?': {
      int given = va_arg(ap, int);
      sqlite3_int64 v = va_arg(ap, sqlite3_int64);
      rc = given ? sqlite3_bind_int64(stmt, i, v) : sqlite3_bind_null(stmt, i);
      break;
    }
    default: rc = sqlite3_bind_null(stmt, i); break;
    }
  }
  return rc;
}

Query ts_query_list(Cmd *c, int id, const char *format, va_list ap) {
  Query q = {NULL, id};
  int rc;
  if (c->rc != SQLITE_OK) return q;
  q.stmt = checkOut(c, id);
  if (!q.stmt) return q;
  rc = bindAll(q.stmt, format, ap);
  if (rc != SQLITE_OK) {
    ts_fail_db(c, rc);
    ts_end(c, &q);
  }
  return q;
}

Query ts_query(Cmd *c, int id, const char *format, ...) {
  va_list ap;
  Query q;
  va_start(ap, format);
  q = ts_query_list(c, id, format, ap);
  va_end(ap);
  return q;
}

int ts_row(Cmd *c, Query *q) {
  int rc;
  if (!q->stmt || c->rc != SQLITE_OK) return 0;
  rc = sqlite3_step(q->stmt);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
    ts_fail_statement(c, sqlite3_extended_errcode(c->db));
  }
  ts_cmd_release(c);
  return rc == SQLITE_ROW;
}

void ts_end(Cmd *c, Query *q) {
  if (q->stmt) checkIn(c, q->id, q->stmt);
  q->stmt = NULL;
  ts_cmd_release(c);
}

int ts_interrupted(Cmd *c) {
  Query q = ts_query(c, SQL_BREATHE, "");
  ts_row(c, &q);
  ts_end(c, &q);
  return c->rc != SQLITE_OK;
}

/* Steps a statement to its end. */
static void finish(Cmd *c, Query *q) {
  while (ts_row(c, q)) {
  }
  ts_end(c, q);
}

void ts_exec(Cmd *c, int id, const char *format, ...) {
  va_list ap;
  Query q;
  va_start(ap, format);
  q = ts_query_list(c, id, format, ap);
  va_end(ap);
  finish(c, &q);
}

Text ts_col_text(Cmd *c, Query *q, int i) {
  Text t = {NULL, 0};
  const char *z;
  if (c->rc != SQLITE_OK || !q->stmt) return t;
  if (sqlite3_column_type(q->stmt, i) == SQLITE_NULL) return t;
  z = (const char *)sqlite3_column_text(q->stmt, i);
  if (!z) {
    ts_fail_nomem(c);
    return t;
  }
  return ts_copy(c, z, sqlite3_column_bytes(q->stmt, i));
}

Text ts_col_view(const Query *q, int i) {
  Text t = {(const char *)sqlite3_column_text(q->stmt, i), 0};
  if (t.z) t.n = sqlite3_column_bytes(q->stmt, i);
  return t;
}

sqlite3_int64 ts_col_int(Query *q, int i) {
  return q->stmt ? sqlite3_column_int64(q->stmt, i) : 0;
}

int ts_col_null(Query *q, int i) {
  return !q->stmt || sqlite3_column_type(q->stmt, i) == SQLITE_NULL;
}
