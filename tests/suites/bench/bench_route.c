/*
** bench_route.c - finding the session of a message: resolve_session and session_route.
**
** The floor of resolve_session is what one would write by hand: two prepared look-ups, by label and,
** when there is none, by alias. Both take turns in blocks, on one file with SESSIONS sessions and as
** many aliases. session_route is timed by itself, with the built-in policies and with 1,000 before
** them. Nothing here judges.
**
**   bench_route [SESSIONS [BLOCKS]]       (default 100000 and 60)
*/
#include "bench.h"

#define CALLS 500
#define MAX_BLOCKS 1000
#define POLICIES 1000

static int nSessions = 100000;
static int nBlocks = 60;

/* What is looked up. */
enum { BY_LABEL, BY_ALIAS, NOWHERE, WAYS };

static const char *const wayNames[WAYS] = {"a session's label", "an alias", "no session"};
static const char *const patterns[WAYS] = {"session-%d", "alias-%d", "nobody-%d"};

static sqlite3_stmt *direct, *byAlias, *resolve;

/* One look-up by hand. Returns the length of what was found. */
static int byHand(sqlite3 *db, const char *label) {
  int n = 0, rc;
  sqlite3_bind_text(direct, 1, label, -1, SQLITE_STATIC);
  rc = sqlite3_step(direct);
  if (rc == SQLITE_ROW) n = sqlite3_column_bytes(direct, 0);
  sqlite3_reset(direct);
  if (rc == SQLITE_DONE) {
    sqlite3_bind_text(byAlias, 1, label, -1, SQLITE_STATIC);
    rc = sqlite3_step(byAlias);
    if (rc == SQLITE_ROW) n = sqlite3_column_bytes(byAlias, 0);
    sqlite3_reset(byAlias);
  }
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) die(db, "by hand");
  return n;
}

static int byCommand(sqlite3 *db, const char *label) {
  int n = 0;
  sqlite3_bind_text(resolve, 1, label, -1, SQLITE_STATIC);
  if (sqlite3_step(resolve) != SQLITE_ROW) die(db, "resolve_session");
  n = sqlite3_column_bytes(resolve, 0);
  sqlite3_reset(resolve);
  return n;
}

static void benchResolve(sqlite3 *db, int way, int inside) {
  static double ours[MAX_BLOCKS], theirs[MAX_BLOCKS], ratios[MAX_BLOCKS];
  unsigned random = 12345;
  char label[40];
  if (inside) run(db, "BEGIN; SELECT count(*) FROM turnstile_meta;");
  for (int block = -1; block < nBlocks; block++) {
    double time[2];
    for (int hand = 0; hand < 2; hand++) {
      unsigned start = random;
      double t = now();
      for (int i = 0; i < CALLS; i++) {
        int n;
        start = start * 1103515245u + 12345u;
        snprintf(label, sizeof(label), patterns[way], (int)(start >> 8) % nSessions);
        n = hand ? byHand(db, label) : byCommand(db, label);
        if ((n > 0) != (way != NOWHERE)) {
          fprintf(stderr, "bench: '%s' gives %d bytes\n", label, n);
          exit(1);
        }
      }
      time[hand] = (now() - t) / CALLS;
    }
    random = random * 1103515245u + 12345u;
    if (block < 0) continue;
    ours[block] = time[0];
    theirs[block] = time[1];
    ratios[block] = time[0] / time[1];
  }
  if (inside) run(db, "COMMIT;");
  printf("| %s, %s | %.1f | %.1f | %.2f | %s |\n", wayNames[way],
         inside ? "inside a transaction" : "autocommit", median(ours, nBlocks),
         median(theirs, nBlocks), median(ratios, nBlocks), inside ? "" : "≤ 1.3");
}

static void benchRoute(sqlite3 *db, const char *what, const char *envelope) {
  static double times[MAX_BLOCKS];
  sqlite3_stmt *stmt = prepare(db, "SELECT session_route(?1)");
  for (int block = -1; block < nBlocks; block++) {
    double t = now();
    for (int i = 0; i < 100; i++) {
      sqlite3_bind_text(stmt, 1, envelope, -1, SQLITE_STATIC);
      stepAll(db, stmt);
    }
    if (block >= 0) times[block] = (now() - t) / 100;
  }
  sqlite3_finalize(stmt);
  printf("| %s | %.1f | < 100 |\n", what, median(times, nBlocks));
}

int main(int argc, char **argv) {
  char path[] = "/tmp/turnstile-bench-route.db", sql[600];
  sqlite3 *db;
  if (argc > 1) nSessions = atoi(argv[1]);
  if (argc > 2) nBlocks = atoi(argv[2]);
  if (nSessions < 1 || nBlocks < 1 || nBlocks > MAX_BLOCKS) {
    fprintf(stderr, "usage: bench_route [SESSIONS [BLOCKS]]\n");
    return 2;
  }
  db = openDatabase(path);
  snprintf(sql, sizeof(sql),
           "BEGIN; WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
           "INSERT INTO sessions(label, created_at, updated_at, last_activity) "
           "SELECT 'session-' || i, 0, 0, 0 FROM n; "
           "INSERT INTO session_aliases(alias, session_label, reason, created_at) "
           "SELECT 'alias-' || substr(label, 9), label, 'manual', 0 FROM sessions; COMMIT;",
           nSessions - 1);
  run(db, sql);
  direct = prepare(db, "SELECT label FROM sessions WHERE label = ?1 AND superseded_by IS NULL");
  byAlias = prepare(db, "SELECT session_label FROM session_aliases WHERE alias = ?1");
  resolve = prepare(db, "SELECT resolve_session(?1)");
  printf("SQLite %s, %d sessions and as many aliases, %d blocks, medians.\n", sqlite3_libversion(),
         nSessions, nBlocks);
  printf("\n| resolve_session | command, µs | by hand, µs | ratio | aim "
         "|\n|---|---:|---:|---:|---:|\n");
  for (int inside = 0; inside < 2; inside++) {
    for (int way = 0; way < WAYS; way++)
      benchResolve(db, way, inside);
  }
  sqlite3_finalize(direct);
  sqlite3_finalize(byAlias);
  sqlite3_finalize(resolve);

  printf("\n| session_route | µs | aim |\n|---|---:|---:|\n");
  benchRoute(db, "3 policies", "{\"channel\":\"sms\",\"sender_id\":\"+1555\"}");
  snprintf(sql, sizeof(sql),
           "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
           "INSERT INTO session_policies(name, match, key_template) SELECT 'p' || i, "
           "json_object('delivery', json_object('peer_kind', 'dm', 'team_id', 'T' || i)), "
           "'team:{delivery.team_id}:{delivery.sender_id}' FROM n;",
           POLICIES);
  run(db, sql);
  benchRoute(db, "1,000 policies before them, none of which matches",
             "{\"channel\":\"sms\",\"sender_id\":\"+1555\"}");
  benchRoute(db, "1,000 policies, the last of which matches",
             "{\"channel\":\"sms\",\"sender_id\":\"+1555\",\"team_id\":\"T1000\"}");
  sqlite3_close(db);
  removeDatabase(path);
  return 0;
}
