/*
** fuzz_door.c - any bytes as the command and the arguments, through both doors.
**
** The input is a list of calls: a byte that picks the command and the door, then the arguments.
** Whatever comes, a call gives a result or an error with a message that begins with a name, and the
** invariants hold after it.
*/
#include "fuzz.h"

static const char *const commands[] = {
    "session_deliver",  "session_choose",       "session_start",     "session_transition",
    "session_state",    "session_note",         "session_observe",   "session_relate",
    "session_flush",    "session_compact",      "session_recover",   "session_progress",
    "session_run",      "session_sweep",        "turnstile_startup", "turnstile_config",
    "turn_append",      "turn_begin",           "turn_message",      "turn_tool_call",
    "turn_tool_result", "turn_phase",           "turn_heartbeat",    "turn_complete",
    "turn_fail",        "turn_abort",           "turn_compact",      "turn_compact_begin",
    "turn_ancestor",    "turn_common_ancestor", "turn_is_ancestor",  "session_fork",
    "session_rewind",   "session_usage",        "session_diagram",   "session_needs_compaction",
    "session_delete",   "session_export",       "session_import",    "turn_steering",
    "queue_push",       "queue_cancel",         "queue_retry",       "queue_front",
    "session_spawn",    "session_report",       "session_stop",      "session_route",
    "resolve_session",  "session_alias",        "identity_link",     "identity_unlink",
    "session_archive",  "session_unarchive",    "session_suspend",   "session_resume",
    "session_fail",     "session_reopen",       "delivery_classify", "delivery_correct",
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void finish(sqlite3 *db, sqlite3_stmt *stmt) {
  int rc = sqlite3_step(stmt);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
    const char *message = sqlite3_errmsg(db);
    if (!strchr(message, ':') && !strstr(message, "too")) fuzzDie(db, "an error without a name");
  }
  sqlite3_finalize(stmt);
}

static void throughDoor(sqlite3 *db, const char *command, const uint8_t **data, size_t *size) {
  sqlite3_stmt *stmt = NULL;
  int n;
  const char *args = fuzzPiece(data, size, 2, &n);
  if (sqlite3_prepare_v2(db,
                         "INSERT INTO turnstile(command, args) VALUES (?1, ?2) RETURNING "
                         "turnstile_result()",
                         -1, &stmt, NULL) != SQLITE_OK) {
    fuzzDie(db, "prepare");
  }
  sqlite3_bind_text(stmt, 1, command, -1, SQLITE_STATIC);
  sqlite3_bind_text(stmt, 2, args, n, SQLITE_STATIC);
  finish(db, stmt);
}

static void throughSugar(sqlite3 *db, const char *command, const uint8_t **data, size_t *size) {
  char sql[100];
  sqlite3_stmt *stmt = NULL;
  int nArgs = *size ? (*data)[0] % 7 : 0;
  snprintf(sql, sizeof(sql), "SELECT %s(%.*s)", command, nArgs ? 2 * nArgs - 1 : 0, "?,?,?,?,?,?");
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) fuzzDie(db, sql);
  for (int i = 1; i <= nArgs; i++) {
    int n;
    const char *piece = fuzzPiece(data, size, 1, &n);
    switch (n % 7) {
    case 4: /* a turn that is there, or nearly */
      sqlite3_bind_int64(stmt, i, (1 + n % 3) * (sqlite3_int64)16777216 + piece[0] % 4);
      break;
    case 5: sqlite3_bind_blob(stmt, i, piece, n, SQLITE_STATIC); break;
    case 6: sqlite3_bind_int(stmt, i, n ? piece[0] : 0); break;
    default:
      if (i == 1 && n % 2) {
        static const char *const labels[] = {"t", "s", "u"};
        sqlite3_bind_text(stmt, i, labels[n % 3], 1, SQLITE_STATIC);
      } else {
        sqlite3_bind_text(stmt, i, piece, n, SQLITE_STATIC);
      }
      break;
    }
  }
  finish(db, stmt);
}

/* What came of it can be read. */
static void fuzzRead(sqlite3 *db) {
  static const char sql[] =
      "SELECT (SELECT count(*) FROM sessions AS s, turn_path(s.label)) = (SELECT "
      "total((thread_id & 16777215) + 1) FROM sessions WHERE thread_id IS NOT NULL), "
      "(SELECT count(content) FROM sessions AS s, session_context(s.label)) >= 0, "
      "(SELECT count(*) FROM branches AS b, turn_tree(b.id << 24) WHERE b.parent_turn_id IS NULL) "
      ">= 0";
  sqlite3_stmt *stmt = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) fuzzDie(db, sql);
  if (sqlite3_step(stmt) != SQLITE_ROW) fuzzDie(db, "reading");
  if (!sqlite3_column_int(stmt, 0)) fuzzDie(db, "a path has a gap");
  sqlite3_finalize(stmt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  if (!db) db = fuzzOpen("'any', 'en'");
  if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) fuzzDie(db, "begin");
  for (int calls = 0; size > 1 && calls < 8; calls++) {
    const char *command = commands[(data[0] & 0x7f) % COMMANDS];
    int door = data[0] & 0x80;
    data++;
    size--;
    if (door) {
      throughDoor(db, command, &data, &size);
    } else {
      throughSugar(db, command, &data, &size);
    }
    if (sqlite3_get_autocommit(db)) fuzzDie(db, "a command ended the transaction");
    fuzzCheck(db);
  }
  fuzzRead(db);
  if (sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL) != SQLITE_OK) fuzzDie(db, "rollback");
  return 0;
}
