/*
** fuzz.h - what the fuzz targets share: a database in memory with the tables installed once, rolled
** back after every input, and a reader that takes an input apart.
*/
#ifndef TS_FUZZ_H
#define TS_FUZZ_H

#include "turnstile.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void fuzzDie(sqlite3 *db, const char *what) {
  fprintf(stderr, "fuzz: %s: %s\n", what, sqlite3_errmsg(db));
  abort();
}

/* langs: the languages whose rules the database has; NULL: all. What is rolled back has to be compiled anew. */
static inline sqlite3 *fuzzOpen(const char *langs) {
  sqlite3 *db = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) abort();
  if (sqlite3_turnstile_init(db, NULL, NULL) != SQLITE_OK) fuzzDie(db, "init");
  if (sqlite3_exec(
          db,
          "SELECT turnstile_install('{\"uuid\":\"fuzz\"}');"
          "SELECT turnstile_clock(1000000);"
          "SELECT session_start('s', 'port the parser', '{\"now\":1000}');"
          "SELECT session_observe('s', 'FileRead', 'src/a.c', 'text', '{\"now\":1001}');"
          "SELECT session_deliver('t', 'add retries', '{\"now\":1002}');"
          "SELECT session_transition('t', 'AwaitingUser', '{\"question\":\"which?\"}', "
          "'{\"now\":1003}');"
          /* Turns 16777216 to 16777218, of which the last is a compaction; a fork with
                   ** turn 33554433, and turn 33554434 alive, with token 1. */
          "SELECT turn_append('s', '[{\"role\":\"user\",\"content\":\"go\"},"
          "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k1\",\"name\":\"ls\"},"
          "{\"id\":\"k2\",\"name\":\"ls\",\"result\":\"a\"}]}]', '{\"external_id\":\"x\"}');"
          "SELECT turn_append('s', '[{\"role\":\"user\",\"content\":\"and?\"}]');"
          "SELECT turn_compact('s', 'They went.', '{\"keep_turns\":1}');"
          "SELECT session_fork(16777216, 'u');"
          "SELECT turn_append('u', '[{\"role\":\"tool\",\"tool_call_id\":\"k1\","
          "\"content\":\"b\"}]');"
          "SELECT turn_begin('u', 'host', '{\"messages\":[{\"role\":\"user\","
          "\"content\":\"more\"}],\"lease\":\"1h\"}');"
          "SELECT turn_tool_call(33554434, 1, 'k3', 'ls');",
          NULL, NULL, NULL) != SQLITE_OK) {
    fuzzDie(db, "setup");
  }
  if (langs) {
    char *sql = sqlite3_mprintf("DELETE FROM message_rules WHERE lang NOT IN (%s)", langs);
    if (!sql || sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fuzzDie(db, "rules");
    sqlite3_free(sql);
  }
  return db;
}

/* Takes the next length-prefixed piece of the input: one byte of length in units of `unit`. */
static inline const char *fuzzPiece(const uint8_t **data, size_t *size, size_t unit, int *n) {
  const char *piece;
  size_t want;
  if (*size == 0) {
    *n = 0;
    return "";
  }
  want = (*data)[0] * unit;
  (*data)++;
  (*size)--;
  if (want > *size) want = *size;
  piece = (const char *)*data;
  *data += want;
  *size -= want;
  *n = (int)want;
  return piece;
}

/* What must hold after any command, whatever it was given. */
static inline void fuzzCheck(sqlite3 *db) {
  static const char sql[] =
      /* (session_delete takes events away.) */
      "SELECT (SELECT count(*) FROM session_events) <= (SELECT ifnull(max(id), 0) FROM "
      "session_events) AND NOT EXISTS (SELECT 1 FROM sessions AS s LEFT JOIN tasks AS t ON t.id = "
      "s.open_task_id WHERE (s.open_task_id IS NOT NULL) <> (t.ended_at IS NULL AND t.id IS NOT "
      "NULL)) AND NOT EXISTS (SELECT 1 FROM deliveries WHERE NOT json_valid(decision)) AND NOT "
      "EXISTS (SELECT 1 FROM sessions WHERE pending_choice IS NOT NULL AND NOT "
      "json_valid(pending_choice)) AND NOT "
      /* Turns: heads stand on the path and are the last in the history, running turns have a run,
      ** parents stand on the path, and what is called JSON is JSON. */
      "EXISTS (SELECT 1 FROM sessions AS s WHERE thread_id IS NOT NULL AND ((SELECT on_path FROM "
      "turns WHERE id = thread_id) IS NOT 1 OR thread_id IS NOT (SELECT thread_id FROM "
      "session_history WHERE session_label = s.label ORDER BY id DESC LIMIT 1))) AND "
      "(SELECT count(*) FROM turns WHERE status = 'running') = (SELECT count(*) FROM session_runs "
      "JOIN turns ON id = turn_id AND status = 'running') AND NOT "
      "EXISTS (SELECT 1 FROM turns AS t JOIN turns AS p ON p.id = t.parent_turn_id WHERE "
      "p.on_path = 0) AND NOT "
      "EXISTS (SELECT 1 FROM messages WHERE metadata IS NOT NULL AND NOT json_valid(metadata)) AND "
      "NOT EXISTS (SELECT 1 FROM tool_calls WHERE NOT json_valid(params))";
  sqlite3_stmt *stmt = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) fuzzDie(db, sql);
  if (sqlite3_step(stmt) != SQLITE_ROW) fuzzDie(db, "check");
  if (!sqlite3_column_int(stmt, 0)) fuzzDie(db, "an invariant does not hold");
  sqlite3_finalize(stmt);
}

#endif
