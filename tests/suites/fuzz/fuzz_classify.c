/*
** fuzz_classify.c - any bytes as message, task, question and as a user's rule.
**
** A rule is either refused with its offset or works within its limits; a message always gets one of
** the seven classes or an error that names the rule; the reply of a model never breaks the parser.
*/
#include "fuzz.h"

static void run(sqlite3 *db, sqlite3_stmt *stmt) {
  int rc = sqlite3_step(stmt);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE && !strchr(sqlite3_errmsg(db), ':')) {
    fuzzDie(db, "an error without a name");
  }
  if (rc == SQLITE_ROW && sqlite3_column_type(stmt, 0) == SQLITE_NULL &&
      strstr(sqlite3_sql(stmt), "classify_message")) {
    fuzzDie(db, "no class");
  }
  sqlite3_reset(stmt);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) fuzzDie(db, sql);
  return stmt;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  static sqlite3_stmt *classify, *parse, *rule, *explain;
  static const char *const states[] = {"None", "Running", "AwaitingUser", "Interrupted",
                                       "PendingComplete"};
  const char *piece;
  int n, withRule;
  if (!db) {
    db = fuzzOpen(NULL);
    classify = prepare(db, "SELECT classify_message(?1, ?2, ?3, ?4)");
    explain = prepare(db, "SELECT sum(confidence) FROM classify(?1, ?2, ?3, ?4)");
    parse = prepare(db, "SELECT classification_parse(?1)");
    rule =
        prepare(db, "INSERT INTO message_rules(class, pattern, weight) VALUES ('Abandon', ?1, 3)");
  }
  if (size < 2) return 0;
  withRule = data[0] % 16 == 0; /* compiling all rules anew takes a while */
  sqlite3_bind_text(classify, 2, states[data[1] % 5], -1, SQLITE_STATIC);
  sqlite3_bind_text(explain, 2, states[data[1] % 5], -1, SQLITE_STATIC);
  data += 2;
  size -= 2;
  if (withRule) {
    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    piece = fuzzPiece(&data, &size, 1, &n);
    sqlite3_bind_text(rule, 1, piece, n, SQLITE_STATIC);
    run(db, rule);
  }
  piece = fuzzPiece(&data, &size, 8, &n);
  sqlite3_bind_text(classify, 1, piece, n, SQLITE_STATIC);
  sqlite3_bind_text(explain, 1, piece, n, SQLITE_STATIC);
  sqlite3_bind_text(parse, 1, piece, n, SQLITE_STATIC);
  for (int i = 3; i <= 4; i++) {
    piece = fuzzPiece(&data, &size, 2, &n);
    sqlite3_bind_text(classify, i, piece, n, SQLITE_STATIC);
    sqlite3_bind_text(explain, i, piece, n, SQLITE_STATIC);
  }
  run(db, classify);
  run(db, explain);
  run(db, parse);
  if (withRule) sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
  return 0;
}
