/*
** count_commands.c - runs commands for tests/suites/written.py, so that valgrind can count what they take.
**
**   count_commands FILE < SCRIPT
**
** A line of the script is a sign and a text: "-" SQL that is run, ":" SQL that is run within count_this, "=" the name
** of what was counted since the last name. Statements are prepared outside of what is counted, as hosts keep
** theirs.
*/
#define _POSIX_C_SOURCE 200809L /* getline */
#include "bench.h"

/* Not static, so that they keep their names. */
void count_this(sqlite3 *db, sqlite3_stmt *stmt);
void counted(const char *name);

__attribute__((noinline)) void count_this(sqlite3 *db, sqlite3_stmt *stmt) {
  stepAll(db, stmt);
}

/* valgrind writes what it has counted when this returns. */
__attribute__((noinline)) void counted(const char *name) {
  printf("%s\n", name);
  fflush(stdout);
}

int main(int argc, char **argv) {
  sqlite3 *db;
  char *line = NULL;
  size_t room = 0;
  ssize_t n;
  if (argc != 2) return 2;
  db = connectDatabase(argv[1]);
  run(db, "PRAGMA synchronous = OFF");
  while ((n = getline(&line, &room, stdin)) > 0) {
    if (line[n - 1] == '\n') line[n - 1] = 0;
    if (line[0] == '=') {
      counted(line + 1);
    } else {
      sqlite3_stmt *stmt = prepare(db, line + 1);
      if (line[0] == ':') {
        count_this(db, stmt);
      } else {
        stepAll(db, stmt);
      }
      sqlite3_finalize(stmt);
    }
  }
  free(line);
  sqlite3_close(db);
  return 0;
}
