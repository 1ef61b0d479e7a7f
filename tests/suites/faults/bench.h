/*
** bench.h - a case set up on files, ready to be run many times.
**
** Each case has a template file: Turnstile installed, the setup run. A bench works on a copy of
** it with two connections. The one under test runs the command with something failing. The
** observer has no extension and no faults; it reads what is really in the file as a digest of
** every table, so that "nothing changed" means every row of every table.
*/
#ifndef FAULT_BENCH_H
#define FAULT_BENCH_H

#include "cases.h"

#include <sqlite3.h>

typedef enum Form { FORM_SUGAR, FORM_DOOR } Form;

typedef struct Outcome {
  int rc; /* SQLITE_OK, or the first error */
  char message[512];
  char *value; /* first column of the first row, or NULL; malloced */
  int hasRow;
} Outcome;

typedef struct Bench {
  const Case *c;
  Form form;
  int wal;
  int begin;                   /* the command runs inside BEGIN, after a row of the host's own */
  char *sql;                   /* malloced */
  sqlite3 *db;                 /* under test */
  sqlite3 *seen;               /* the observer */
  sqlite3_int64 before, after; /* digests */
  char *value; /* what the command returns when nothing fails; malloced, may be NULL */
} Bench;

/* Makes the directory for files and the installed file. old is a file of schema version 1, with a stored
** document beside it, or NULL. Exits when that fails: nothing can be tested then. */
void bench_begin(const char *old);
void bench_end(void);
/* A file in which the schema is installed, and nothing else. */
const char *bench_installed(void);

/* Returns 0, with a message printed, when the case does not work even without faults. */
int bench_open(Bench *b, const Case *c, Form form, int wal, int begin);
/* Closes both connections. Returns what sqlite3_close said of the one under test. */
int bench_close(Bench *b);
void bench_free(Bench *b);

/* Has a case prepared this statement (SQL_…) without any fault? Only what a command runs counts, not what
** its setup does. */
int bench_reached(int statement);

/* Only the one under test; its statements and rules are cold afterwards. */
void bench_connect(Bench *b);
int bench_disconnect(Bench *b);
/* The file as the setup left it, and both connections anew. */
int bench_restore(Bench *b);
/* Runs the command once and takes it back, so that statements and rules are in place. */
void bench_warm(Bench *b);

void run_sql(sqlite3 *db, const char *sql, Outcome *out);
void outcome_free(Outcome *out);
/* Runs SQL that must work; prints and exits otherwise. */
void must(sqlite3 *db, const char *sql);

/* Every row of every table but `witness`; -1 with rc set when it can't be read. */
sqlite3_int64 digest(sqlite3 *db, int *rc);
/* One integer, or -1. */
sqlite3_int64 number(sqlite3 *db, const char *sql);

#endif
