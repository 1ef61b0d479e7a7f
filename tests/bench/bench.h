/*
** bench.h - what the benchmarks share: a clock, statements that must succeed, a fresh database,
** medians.
*/
#ifndef BENCH_H
#define BENCH_H

#include "turnstile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Microseconds. */
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static inline void die(sqlite3 *db, const char *what) {
  fprintf(stderr, "bench: %s: %s\n", what, sqlite3_errmsg(db));
  exit(1);
}

static inline void run(sqlite3 *db, const char *sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) die(db, sql);
}

static inline sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK) {
    die(db, sql);
  }
  return stmt;
}

/* Steps a statement to its end and resets it. */
static inline void stepAll(sqlite3 *db, sqlite3_stmt *stmt) {
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
  }
  if (rc != SQLITE_DONE) die(db, sqlite3_sql(stmt));
  sqlite3_reset(stmt);
}

static inline void removeDatabase(const char *path) {
  static const char *const suffixes[] = {"", "-wal", "-shm"};
  char name[300];
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
    unlink(name);
  }
}

/* A connection with the extension, in WAL mode. */
static inline sqlite3 *connectDatabase(const char *path) {
  sqlite3 *db = NULL;
  if (sqlite3_open(path, &db) != SQLITE_OK) die(db, path);
  if (sqlite3_turnstile_init(db, NULL, NULL) != SQLITE_OK) die(db, "init");
  run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  return db;
}

/* One new database with the extension and its tables, in WAL mode. */
static inline sqlite3 *openDatabase(const char *path) {
  sqlite3 *db;
  removeDatabase(path);
  db = connectDatabase(path);
  run(db, "SELECT turnstile_install();");
  return db;
}

static inline int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double median(double *values, int n) {
  qsort(values, (size_t)n, sizeof(values[0]), compareDoubles);
  return values[n / 2];
}

#endif
