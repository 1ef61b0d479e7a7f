/*
** conn.c - the state of one connection, its targets, and the names inside SQL.
**
** A Conn is shared by every function and module that is registered with the connection. Each holds
** one reference and gives it back in its xDestroy; SQLite also calls xDestroy when a registration
** fails, so counting is all there is to it. The statements a Target keeps are not finalised when the
** last reference is given back, but when the table that owns them goes (cache.c): function destructors
** run after sqlite3_close has looked for unfinalised statements.
*/
#include "core.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_conn_release(void *p) {
  Conn *conn = p;
  if (--conn->nRef > 0) return;
  while (conn->targets) {
    Target *t = conn->targets;
    conn->targets = t->next;
    sqlite3_free(t->schema);
    sqlite3_free(t->prefix);
    sqlite3_free(t->door);
    sqlite3_free(t->skips);
    sqlite3_free(t);
  }
  for (int i = 0; i < TS_MAX_OWNERS && conn->owners[i]; i++)
    conn->owners[i](conn);
  sqlite3_free(conn->classifierFunction);
  sqlite3_free(conn->err);
  sqlite3_free(conn->result.z);
  sqlite3_free(conn);
}

void ts_conn_owner(Conn *conn, void (*letGo)(Conn *conn)) {
  int i = 0;
  while (i < TS_MAX_OWNERS - 1 && conn->owners[i] && conn->owners[i] != letGo)
    i++;
  conn->owners[i] = letGo;
}

Target *ts_target(Conn *conn, const char *schema, const char *prefix) {
  Target *t;
  for (t = conn->targets; t; t = t->next) {
    if (sqlite3_stricmp(t->schema, schema) == 0 && sqlite3_stricmp(t->prefix, prefix) == 0) {
      return t;
    }
  }
  t = sqlite3_malloc64(sizeof(*t));
  if (!t) return NULL;
  memset(t, 0, sizeof(*t));
  t->schema = sqlite3_mprintf("%s", schema);
  t->prefix = sqlite3_mprintf("%s", prefix);
  t->door = sqlite3_mprintf("%sturnstile", prefix);
  if (!t->schema || !t->prefix || !t->door) {
    sqlite3_free(t->schema);
    sqlite3_free(t->prefix);
    sqlite3_free(t->door);
    sqlite3_free(t);
    return NULL;
  }
  t->next = conn->targets;
  conn->targets = t;
  return t;
}

Target *ts_target_used(Conn *conn) {
  return conn->used ? conn->used : ts_target(conn, "main", "");
}

void ts_target_forget(Target *target) {
  sqlite3_finalize(target->witness);
  target->witness = NULL;
  target->checked = 0;
  for (int i = 0; i < SQL_COUNT; i++) {
    sqlite3_finalize(target->cached[i]);
    target->cached[i] = NULL;
  }
}

int ts_writer_is_active(sqlite3 *db) {
  for (sqlite3_stmt *s = sqlite3_next_stmt(db, NULL); s; s = sqlite3_next_stmt(db, s)) {
    if (sqlite3_stmt_busy(s) && !sqlite3_stmt_readonly(s)) return 1;
  }
  return 0;
}

/*
** An FTS3 or FTS4 table says in the file which functions pack and unpack its texts, and calls them in statements
** of its own. Older versions of SQLite allow every function there; newer ones prepare these statements with
** SQLITE_PREPARE_FROM_DDL. The statements look like this and in no other way.
*/
static int isPacking(const char *sql, const char *function) {
  static const char read[] = "SELECT docid,\"", write[] = "_content' VALUES(?,\"";
  const char *at = strncmp(sql, read, sizeof(read) - 1) == 0 ? sql + sizeof(read) - 1 : NULL;
  int n = (int)strlen(function);
  if (at && sqlite3_strnicmp(at, function, n) == 0 && strncmp(at + n, "\"(x.'c0", 7) == 0) return 1;
  if (strncmp(sql, "INSERT INTO ", 12) != 0) return 0;
  for (at = strstr(sql, write); at; at = strstr(at, write)) {
    at += sizeof(write) - 1;
    if (sqlite3_strnicmp(at, function, n) == 0 && strncmp(at + n, "\"(?)", 4) == 0) return 1;
  }
  return 0;
}

int ts_refuse_file(sqlite3_context *ctx, const char *function) {
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  char *error;
  sqlite3_stmt *s = sqlite3_next_stmt(db, NULL);
  while (s && !(sqlite3_stmt_busy(s) && sqlite3_sql(s) && isPacking(sqlite3_sql(s), function)))
    s = sqlite3_next_stmt(db, s);
  if (!s) return 0;
  error = sqlite3_mprintf("%s: a table of the file calls it, an FTS4 table with it as compress or "
                          "uncompress; only a statement of the host may",
                          function);
  if (error) {
    sqlite3_result_error(ctx, error, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(error);
  return 1;
}

int ts_each_schema(Conn *conn, int (*visit)(void *arg, const char *schema), void *arg) {
  sqlite3_stmt *stmt = NULL;
  int rc;
#if SQLITE_VERSION_NUMBER >= 3039000
  if (sqlite3_libversion_number() >= 3039000) {
    for (int i = 0;; i++) {
      const char *schema = sqlite3_db_name(conn->db, i);
      if (!schema) return SQLITE_OK;
      rc = visit(arg, schema);
      if (rc != SQLITE_OK) return rc;
    }
  }
#endif
  /* Not the table-valued function: a table of that name could stand in its place. */
  rc = sqlite3_prepare_v2(conn->db, "PRAGMA database_list", -1, &stmt, NULL);
  while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    const char *schema = (const char *)sqlite3_column_text(stmt, 1);
    rc = schema ? visit(arg, schema) : SQLITE_NOMEM;
  }
  sqlite3_finalize(stmt);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Copies a text literal or a quoted name through unchanged. Returns its length in bytes. */
static int quotedLength(const char *z) {
  char q = z[0];
  int i = 1;
  while (z[i]) {
    if (z[i] == q) {
      if (z[i + 1] != q) return i + 1;
      i++;
    }
    i++;
  }
  return i;
}

static int isNameByte(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || ch == '_';
}

char *ts_sql_expand(const char *sql, const char *schema, const char *prefix) {
  sqlite3_str *out = sqlite3_str_new(NULL);
  const char *z = sql;
  while (*z) {
    int n = 1;
    if (*z == '\'' || *z == '"') {
      n = quotedLength(z);
    } else if (z[0] == '-' && z[1] == '-') {
      n = (int)strcspn(z, "\n");
    } else if (*z == '#') {
      int bare = z[1] == '#', ofKey = bare && z[2] == '#';
      const char *name = z + 1 + bare + ofKey;
      int nName = 0;
      if (*name == '\'') {
        n = 1 + quotedLength(name);
        if (strncmp(name, "'prefix'", 8) == 0) sqlite3_str_appendf(out, "%Q", prefix);
        if (strncmp(name, "'version'", 9) == 0) {
          sqlite3_str_appendf(out, "%d", TURNSTILE_SCHEMA_VERSION);
        }
        z += n;
        continue;
      }
      while (isNameByte(name[nName]))
        nName++;
      if (nName > 0) {
        if (!bare) sqlite3_str_appendf(out, "\"%w\".", schema);
        sqlite3_str_appendf(out, ofKey ? "\"sqlite_autoindex_%w%.*s_1\"" : "\"%w%.*s\"", prefix,
                            nName, name);
        z = name + nName;
        continue;
      }
    } else {
      n = (int)strcspn(z, "'\"-#");
      if (n == 0) n = 1;
    }
    sqlite3_str_append(out, z, n);
    z += n;
  }
  return sqlite3_str_finish(out);
}

int ts_prefix_valid(const char *prefix) {
  size_t n = strlen(prefix);
  if (n > 32 || sqlite3_strnicmp(prefix, "sqlite_", 7) == 0) return 0;
  for (size_t i = 0; i < n; i++) {
    char ch = prefix[i];
    int letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
    if (!letter && !(i > 0 && ch >= '0' && ch <= '9')) return 0;
  }
  return 1;
}
