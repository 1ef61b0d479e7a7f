/*
** fuzz_rows.c - a file whose rows somebody has changed: any text or number in any column of any of
** our tables, then every command and table-valued function over it.
**
** Nothing is promised about the answers. Promised is that there is no crash, no endless loop, and
** no error without a name.
*/
#include "fuzz.h"

static const char *const columns[][2] = {
    {"sessions", "pending_choice"}, {"sessions", "status"},
    {"sessions", "superseded_by"},  {"sessions", "open_task_id"},
    {"sessions", "work_source"},    {"sessions", "last_activity"},
    {"sessions", "offered_at"},     {"tasks", "state"},
    {"tasks", "state_data"},        {"tasks", "description"},
    {"tasks", "head_step_id"},      {"tasks", "ended_at"},
    {"observations", "data"},       {"observations", "kind"},
    {"observations", "hash"},       {"session_queue", "source"},
    {"session_queue", "class"},     {"session_queue", "message"},
    {"deliveries", "decision"},     {"deliveries", "message"},
    {"session_runs", "run_state"},  {"session_runs", "data"},
    {"session_runs", "expires_at"}, {"turnstile_config", "value"},
    {"turnstile_config", "key"},    {"turnstile_meta", "value"},
    {"message_rules", "pattern"},   {"message_rules", "class"},
    {"message_rules", "state"},     {"session_aliases", "session_label"},
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const char *const uses[] = {
    "SELECT session_state('s')",
    "SELECT session_recover('t')",
    "SELECT session_progress('s')",
    "SELECT session_deliver('t', 'the second one')",
    "SELECT session_deliver('s', 'continue')",
    "SELECT session_deliver('alias', 'stop')",
    "SELECT session_choose('s', 'A')",
    "SELECT session_transition('s', 'PendingComplete', '{\"summary\":\"done\"}')",
    "SELECT session_flush('s')",
    "SELECT session_run('s', 'p', 'ready')",
    "SELECT count(*) FROM stale_sessions(999999999999)",
    "SELECT count(*) FROM stale_sessions(NULL, 0, 0, 0, 1)",
    "SELECT session_sweep('{\"now\":99999999999}')",
    "SELECT turnstile_startup(NULL, '{\"all\":1}')",
    "SELECT turnstile_config('ask_threshold')",
    "SELECT session_compact('s')",
    "SELECT count(*) FROM classify('yes', 'Running')",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  if (!db) {
    db = fuzzOpen();
    if (sqlite3_exec(db,
                     "SELECT session_deliver('s', 'something else: write a poem', "
                     "'{\"class\":\"NewTask\"}');"
                     "SELECT session_run('s', 'p', 'starting');"
                     "SELECT turnstile_config('ask_threshold', '1h', '{\"session\":\"s\"}');"
                     "INSERT INTO session_aliases VALUES ('alias', 's', 'manual', 0);"
                     "INSERT INTO turnstile_meta VALUES ('unguarded', 1);",
                     NULL, NULL, NULL) != SQLITE_OK) {
      fuzzDie(db, "setup");
    }
  }
  sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
  for (int changes = 0; size > 2 && changes < 4; changes++) {
    const char *const *column = columns[data[0] % COLUMNS];
    int n, asNumber = data[1] % 8 == 0;
    char sql[200];
    const char *value;
    sqlite3_stmt *stmt = NULL;
    /* A CHECK or a STRICT column refuses what it refuses; rules are changed in one row only. */
    snprintf(sql, sizeof(sql), "UPDATE %s SET %s = ?1 WHERE %s", column[0], column[1],
             strcmp(column[0], "message_rules") == 0    ? "id = 20"
             : strcmp(column[0], "turnstile_meta") == 0 ? "key = 'rules_version'"
                                                        : "1");
    data += 2;
    size -= 2;
    value = fuzzPiece(&data, &size, 1, &n);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) fuzzDie(db, sql);
    if (asNumber) {
      sqlite3_bind_int64(stmt, 1, n ? value[0] * (sqlite3_int64)1000003 : -1);
    } else {
      sqlite3_bind_text(stmt, 1, value, n, SQLITE_STATIC);
    }
    sqlite3_step(stmt);
    sqlite3_finalize(stmt);
  }
  for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
    char *message = NULL;
    int rc = sqlite3_exec(db, uses[i], NULL, NULL, &message);
    if (rc != SQLITE_OK && (!message || !strchr(message, ':'))) {
      fprintf(stderr, "%s: %s\n", uses[i], message ? message : "no message");
      fuzzDie(db, "an error without a name");
    }
    sqlite3_free(message);
    if (sqlite3_get_autocommit(db)) fuzzDie(db, "a command ended the transaction");
  }
  sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
  return 0;
}
