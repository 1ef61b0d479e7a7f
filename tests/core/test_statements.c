/*
** test_statements.c - every heading of sql/statements says what its statement takes and gives.
**
** C reads columns by the names in the headings (COL_QUEUE_GET_STATUS), and binds in the order of their
** parameters. So each statement is prepared over freshly installed tables, and asked how many it has of both.
** Two columns in the wrong order would still be as many: where SQL itself calls a column what the heading
** calls one, it has to be that one.
*/
#include "core.h"
#include "tap.h"
#include "turnstile.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define TS_STATEMENT_TEXTS
#include "statement_texts.h"
#undef TS_STATEMENT_TEXTS
#define TS_STATEMENT_NAMES
#include "statement_texts.h"
#undef TS_STATEMENT_NAMES
#define TS_STATEMENT_SHAPES
#include "statement_texts.h"

#define MAX_COLUMNS 64

static sqlite3 *installed(void) {
  sqlite3 *db = NULL;
  char *err = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
      sqlite3_turnstile_init(db, &err, NULL) != SQLITE_OK ||
      sqlite3_exec(db, "SELECT turnstile_install()", NULL, NULL, &err) != SQLITE_OK) {
    printf("%s\n", err ? err : sqlite3_errmsg(db));
    exit(2);
  }
  return db;
}

static sqlite3_stmt *prepared(sqlite3 *db, int id) {
  sqlite3_stmt *stmt = NULL;
  char *sql = ts_sql_expand(statementTexts[id], "main", "");
  if (!sql || sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) {
    printf("%s: %s\n", statementNames[id], sqlite3_errmsg(db));
  }
  sqlite3_free(sql);
  return stmt;
}

/* Takes a list with spaces apart. Returns how many words it has. */
static int words(char *list, const char *out[MAX_COLUMNS]) {
  int n = 0;
  for (char *z = strtok(list, " "); z && n < MAX_COLUMNS; z = strtok(NULL, " "))
    out[n++] = z;
  return n;
}

/* Is there a column that SQL calls so, and this one is not it? */
static int isAnother(sqlite3_stmt *stmt, int column, const char *name) {
  int named = 0;
  for (int i = 0; i < sqlite3_column_count(stmt); i++) {
    if (strcmp(sqlite3_column_name(stmt, i), name) == 0) {
      if (i == column) return 0;
      named = 1;
    }
  }
  return named;
}

static void compare(sqlite3_stmt *stmt, int id) {
  const char *name = statementNames[id], *columns[MAX_COLUMNS];
  char *list = sqlite3_mprintf("%s", statementShapes[id].columns);
  int n;
  if (!list) exit(2);
  n = words(list, columns);
  CHECK_INT(tap_name("%s: parameters", name), statementShapes[id].parameters,
            sqlite3_bind_parameter_count(stmt));
  CHECK_INT(tap_name("%s: columns", name), n, sqlite3_column_count(stmt));
  for (int i = 0; i < n && n == sqlite3_column_count(stmt); i++) {
    CHECK(tap_name("%s: column %d is %s, and SQL calls another so", name, i, columns[i]),
          !isAnother(stmt, i, columns[i]));
  }
  sqlite3_free(list);
}

int main(void) {
  sqlite3 *db = installed();
  for (int id = 0; id < SQL_COUNT; id++) {
    sqlite3_stmt *stmt = prepared(db, id);
    CHECK(tap_name("%s is prepared", statementNames[id]), stmt != NULL);
    if (stmt) compare(stmt, id);
    sqlite3_finalize(stmt);
  }
  CHECK_INT("closed", sqlite3_close(db), SQLITE_OK);
  return tap_done("statements");
}
