/*
** load_rules.h - builds a rule set from the files sql/rules/, as installing would.
**
** The files insert into `#message_rules`; here that is a table in a memory database.
*/
#ifndef LOAD_RULES_H
#define LOAD_RULES_H

#include "rules.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a file whole; the result is malloced and terminated. Exits when it cannot. */
static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  size_t n = 0, cap = 1 << 16;
  char *text = malloc(cap + 1);
  if (f == 0 || text == 0) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  for (;;) {
    size_t got = fread(text + n, 1, cap - n, f);
    n += got;
    if (got == 0) break;
    if (n == cap) text = realloc(text, (cap *= 2) + 1);
    if (text == 0) exit(2);
  }
  fclose(f);
  text[n] = 0;
  if (size) *size = n;
  return text;
}

/* A database with an empty table message_rules. */
static sqlite3 *open_rules(void) {
  sqlite3 *db = 0;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) exit(2);
  sqlite3_exec(db,
               "CREATE TABLE message_rules(id INTEGER PRIMARY KEY, class TEXT, state TEXT,"
               " pattern TEXT, weight REAL, lang TEXT, enabled INTEGER DEFAULT 1, origin TEXT)",
               0, 0, 0);
  return db;
}

/* Runs one file of rules. Exits with the error when it is bad. */
static void load_rules(sqlite3 *db, const char *path) {
  char *sql = read_file(path, 0), *mark, *err = 0;
  while ((mark = strstr(sql, "#message_rules")) != 0)
    *mark = ' ';
  if (sqlite3_exec(db, sql, 0, 0, &err) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", path, err);
    exit(2);
  }
  free(sql);
}

/* Runs every .sql of a directory. */
static inline void load_all_rules(sqlite3 *db, const char *dir) {
  struct dirent **names = 0;
  int n = scandir(dir, &names, 0, alphasort);
  for (int i = 0; i < n; i++) {
    const char *name = names[i]->d_name;
    if (strstr(name, ".sql") != 0) {
      char path[1024];
      snprintf(path, sizeof(path), "%s/%s", dir, name);
      load_rules(db, path);
    }
    free(names[i]);
  }
  free(names);
}

/* A finished set of all rules of the database. Exits with the error when a rule is bad. */
static RuleSet *build_rules(sqlite3 *db) {
  RuleSet *set = 0;
  sqlite3_stmt *q = 0;
  char err[400] = "out of memory";
  if (ts_rules_new(&set) != SQLITE_OK) exit(2);
  sqlite3_prepare_v2(db,
                     "SELECT id, class, state, pattern, weight, lang FROM message_rules"
                     " WHERE enabled ORDER BY id",
                     -1, &q, 0);
  while (sqlite3_step(q) == SQLITE_ROW) {
    RuleRow row;
    row.id = sqlite3_column_int64(q, 0);
    row.cls = (const char *)sqlite3_column_text(q, 1);
    row.nCls = sqlite3_column_bytes(q, 1);
    row.state = (const char *)sqlite3_column_text(q, 2);
    row.nState = sqlite3_column_bytes(q, 2);
    row.pattern = (const char *)sqlite3_column_text(q, 3);
    row.nPattern = sqlite3_column_bytes(q, 3);
    row.weight = sqlite3_column_double(q, 4);
    row.lang = (const char *)sqlite3_column_text(q, 5);
    row.nLang = sqlite3_column_bytes(q, 5);
    row.isShipped = 0;
    if (ts_rules_add(set, &row, err, sizeof(err)) != SQLITE_OK) {
      fprintf(stderr, "rule %lld (%s): %s\n", row.id, row.pattern, err);
      exit(2);
    }
  }
  sqlite3_finalize(q);
  if (ts_rules_finish(set) != SQLITE_OK) exit(2);
  return set;
}

#endif
