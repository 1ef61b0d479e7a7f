/*
** bench.h - what the benchmarks share: clocks, statements that must succeed, databases in a
** directory of their own, medians, tables.
*/
#ifndef BENCH_H
#define BENCH_H

#include "turnstile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PER_BLOCK 50 /* operations whose times are added up */
#define MAX_BLOCKS 1000

/* Microseconds. */
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Milliseconds since 1970. */
static inline sqlite3_int64 wallClock(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (sqlite3_int64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
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

static inline sqlite3_int64 integer(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = prepare(db, sql);
  sqlite3_int64 value;
  if (sqlite3_step(stmt) != SQLITE_ROW) die(db, sql);
  value = sqlite3_column_int64(stmt, 0);
  sqlite3_finalize(stmt);
  return value;
}

/* Steps of SQLite's engine that all statements of a connection took since the last call. */
static inline long allSteps(sqlite3 *db) {
  long n = 0;
  for (sqlite3_stmt *s = sqlite3_next_stmt(db, NULL); s; s = sqlite3_next_stmt(db, s))
    n += sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 1);
  return n;
}

static char benchDirectory[] = "/tmp/turnstile-bench-XXXXXX";

/* Also when something fails: the files are large. */
static inline void removeFiles(void) {
  char command[300];
  snprintf(command, sizeof(command), "rm -rf %s", benchDirectory);
  if (system(command) != 0) fprintf(stderr, "bench: %s is left behind\n", benchDirectory);
}

/* Makes the directory, which goes when the program ends. */
static inline void makeDirectory(void) {
  if (!mkdtemp(benchDirectory) || atexit(removeFiles) != 0) exit(1);
}

/* The path of a database in the directory; four are remembered. */
static inline const char *pathOf(const char *name) {
  static char paths[4][300];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, 300, "%s/%s.db", benchDirectory, name);
  return path;
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

/* Checkpoints run between the blocks only: a block is too short to share them out evenly. */
static inline sqlite3 *connectForBlocks(const char *path) {
  sqlite3 *db = connectDatabase(path);
  run(db, "PRAGMA wal_autocheckpoint = 0;");
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

static inline void heading(const char *title, const char *ours, const char *theirs) {
  printf("\n| %s | %s | %s | ratio | aim |\n|---|---:|---:|---:|---:|\n", title, ours, theirs);
}

static inline void row(const char *what, double ours, double theirs, double ratio,
                       const char *aim) {
  printf("| %s | %.1f | %.1f | %.2f | %s |\n", what, ours, theirs, ratio, aim);
  fflush(stdout);
}

#endif
