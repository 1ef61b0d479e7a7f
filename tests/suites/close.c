/*
** close.c - a connection closes, whatever happened on it.
**
** Statements that the extension keeps, compiled rules, results not fetched, cursors left open:
** none of it may make sqlite3_close report SQLITE_BUSY once the host has finalised its own
** statements, and nothing may be left in memory. Meant to be run under valgrind or a sanitizer as
** well; it makes threads, so that those see the state handed from one to another.
*/
#include "tap.h"
#include "turnstile.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Helpers --------------------------------------------------------------------------------- */

static int load(sqlite3 *db) {
  char *err = NULL;
  int rc = sqlite3_turnstile_init(db, &err, NULL);
  sqlite3_free(err);
  return rc;
}

static sqlite3 *fresh(const char *path) {
  sqlite3 *db = NULL;
  if (sqlite3_open(path, &db) != SQLITE_OK || load(db) != SQLITE_OK) exit(2);
  return db;
}

/* Runs SQL. Returns the first column of the last row as text in a buffer, or the error. */
static const char *run(sqlite3 *db, const char *sql) {
  static char answer[1000];
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  snprintf(answer, sizeof(answer), "-");
  while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    const char *z = (const char *)sqlite3_column_text(stmt, 0);
    snprintf(answer, sizeof(answer), "%s", z ? z : "NULL");
    rc = SQLITE_OK;
  }
  if (rc != SQLITE_OK && rc != SQLITE_DONE) {
    snprintf(answer, sizeof(answer), "error: %s", sqlite3_errmsg(db));
  }
  sqlite3_finalize(stmt);
  return answer;
}

/* Two turns with tool calls and a compaction, a fork, and a live turn. */
static void useTurns(sqlite3 *db) {
  static const char *const commands[][2] = {
      {"SELECT turn_append('t','[{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\","
       "\"tool_calls\":[{\"id\":\"k1\",\"name\":\"ls\"},{\"id\":\"k2\",\"name\":\"ls\"}]}]')",
       "16777216"},
      {"SELECT turn_compact('t','They went.') ->> '$.turn'", "16777217"},
      {"SELECT turn_append('t','[{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"a\"}]')",
       "16777218"},
      {"SELECT session_fork(16777216,'u')", "u"},
      {"SELECT turn_append('u','[{\"role\":\"assistant\",\"content\":\"I go.\"}]')", "33554433"},
      {"SELECT turn_begin('u','host','{\"messages\":[{\"role\":\"user\",\"content\":\"and?\"}]}') "
       "->> '$.turn'",
       "33554434"},
      {"SELECT turn_tool_call(33554434,1,'k3','ls') ->> '$.sequence'", "1"},
      {"SELECT turn_common_ancestor(33554434,16777218)", "16777216"},
  };
  for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
    CHECK_STR(commands[i][0], run(db, commands[i][0]), commands[i][1]);
}

static void use(sqlite3 *db) {
  CHECK("deliver", strstr(run(db, "SELECT session_deliver('s','write the report')"), "\"start\""));
  CHECK_STR("transition",
            run(db, "SELECT session_transition('s','AwaitingUser','{\"question\":\"Which?\"}')"),
            "AwaitingUser");
  CHECK("door", strstr(run(db, "INSERT INTO turnstile(command,args) VALUES('session_deliver',"
                               "'[\"s\",\"the blue one\"]') RETURNING turnstile_result()"),
                       "\"continue\""));
  useTurns(db);
}

/* What installing leaves, with the rules of the language that is spoken here; others would only be compiled. It is
** made once and copied: a few connections below install by themselves, and have all rules. */
static sqlite3 *template;

static void makeTemplate(void) {
  template = fresh(":memory:");
  run(template, "SELECT turnstile_install()");
  run(template, "DELETE FROM message_rules WHERE lang NOT IN ('any', 'en')");
  run(template, "VACUUM");
}

static sqlite3 *installed(void) {
  sqlite3 *db = fresh(":memory:");
  sqlite3_backup *copy = sqlite3_backup_init(db, "main", template, "main");
  if (!copy || sqlite3_backup_step(copy, -1) != SQLITE_DONE) exit(2);
  if (sqlite3_backup_finish(copy) != SQLITE_OK) exit(2);
  return db;
}

/* ---- After use and after errors -------------------------------------------------------------- */

static void testUse(void) {
  sqlite3 *db = fresh(":memory:");
  CHECK_INT("close: only loaded", sqlite3_close(db), SQLITE_OK);
  db = fresh(":memory:");
  CHECK("not installed",
        strstr(run(db, "SELECT session_deliver('s','hello')"), "turnstile_install"));
  CHECK_INT("close: not installed", sqlite3_close(db), SQLITE_OK);
  db = fresh(":memory:");
  run(db, "SELECT turnstile_install()");
  use(db);
  CHECK_INT("close: used", sqlite3_close(db), SQLITE_OK);
  db = installed();
  use(db);
  CHECK_INT("close_v2: used", sqlite3_close_v2(db), SQLITE_OK);
}

static void testErrors(void) {
  static const char *const wrong[] = {
      "SELECT session_transition('s','Complete')",
      "SELECT session_transition('s','Nonsense')",
      "SELECT session_deliver('s')",
      "SELECT session_deliver('s','x','{\"unknown\":1}')",
      "SELECT session_deliver('s','x','{')",
      "SELECT session_choose('s','A')",
      "SELECT turnstile_result()",
      "SELECT turnstile_dispatch(1,'u','','session_note','[]')",
      "INSERT INTO turnstile(command,args) VALUES('no_such_command','[]')",
      "INSERT INTO turnstile(command,args) VALUES('session_note','{\"label\":\"s\"}')",
      "SELECT turnstile_use('temp')",
      "SELECT turnstile_install('{\"schema\":\"nowhere\"}')",
      "SELECT * FROM stale_sessions('now')",
      "SELECT * FROM classify('x','Nonsense')",
      "INSERT INTO message_rules(class,pattern,weight) VALUES('Abandon','(',1)",
      "UPDATE tasks SET state = 'Complete'",
      "SELECT turn_append('t','[{\"role\":\"robot\"}]')",
      "SELECT turn_append('t','[{\"role\":\"user\",\"content\":\"x\"},5]')",
      "SELECT turn_append('t','[{\"role\":\"tool\",\"tool_call_id\":\"k9\"}]')",
      "SELECT turn_begin('u','other','{\"messages\":[]}')",
      "SELECT turn_message(33554434,2,'{\"role\":\"user\",\"content\":\"x\"}')",
      "SELECT turn_complete(33554434,1,'{\"content\":5}')",
      "SELECT turn_compact('u','x')",
      "SELECT session_fork(33554434)",
      "SELECT session_rewind('t',33554433)",
      "SELECT turn_ancestor(1,0)",
      "SELECT * FROM turn_path('nobody')",
      "SELECT * FROM turn_path(1.5)",
      "SELECT * FROM turn_tree(5)",
      "SELECT * FROM turn_tree",
      "SELECT * FROM session_context('t','many')",
      "SELECT count(*) FROM turn_path('t') AS a, session_context(a.depth)",
  };
  sqlite3 *db = installed();
  use(db);
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    CHECK(wrong[i], strncmp(run(db, wrong[i]), "error: ", 7) == 0);
  }
  run(db, "BEGIN");
  run(db, wrong[0]);
  run(db, "SELECT session_note('s','kept?')");
  run(db, "ROLLBACK");
  CHECK_INT("close: after errors", sqlite3_close(db), SQLITE_OK);
}

/* In the middle of a transaction: the connection is closed, the transaction is gone. */
static void testOpenTransaction(void) {
  sqlite3 *db = installed();
  run(db, "BEGIN");
  use(db);
  CHECK_INT("close: inside BEGIN", sqlite3_close(db), SQLITE_OK);
}

/* A result that nobody has taken. */
static void testUnusedResult(void) {
  sqlite3 *db = installed();
  run(db, "INSERT INTO turnstile(command,args) VALUES('session_deliver','[\"s\",\"hello\"]')");
  CHECK_INT("close: a result is waiting", sqlite3_close(db), SQLITE_OK);
}

/* ---- Statements that have begun -------------------------------------------------------------- */

/* A statement stepped once: closing is refused, the connection stays usable, and closes later. */
static void halfStepped(const char *sql, int v2) {
  sqlite3 *db = installed();
  sqlite3_stmt *stmt = NULL;
  use(db);
  CHECK_INT(tap_name("prepare: %s", sql), sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
  CHECK_INT(tap_name("first row: %s", sql), sqlite3_step(stmt), SQLITE_ROW);
  if (v2) {
    CHECK_INT(tap_name("close_v2: %s", sql), sqlite3_close_v2(db), SQLITE_OK);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
    }
    sqlite3_finalize(stmt); /* the connection goes with it: valgrind tells */
    return;
  }
  CHECK_INT(tap_name("close too early: %s", sql), sqlite3_close(db), SQLITE_BUSY);
  CHECK_INT(tap_name("close too early, twice: %s", sql), sqlite3_close(db), SQLITE_BUSY);
  CHECK(tap_name("still usable: %s", sql),
        strstr(run(db, "SELECT session_state('s')"), "\"Running\""));
  while (sqlite3_step(stmt) == SQLITE_ROW) {
  }
  CHECK_INT(tap_name("finalize: %s", sql), sqlite3_finalize(stmt), SQLITE_OK);
  CHECK(tap_name("writes again: %s", sql),
        strncmp(run(db, "SELECT session_note('s','after')"), "error", 5) != 0);
  CHECK_INT(tap_name("close: %s", sql), sqlite3_close(db), SQLITE_OK);
}

static void testHalfStepped(void) {
  static const char *const statements[] = {
      "SELECT session_deliver('s','and shorter')",
      "SELECT label FROM stale_sessions WHERE include_fresh = 1",
      "SELECT class FROM classify('yes','Running')",
      "SELECT sql FROM turnstile_cache",
      "SELECT session_state(label) FROM sessions",
      "INSERT INTO turnstile SELECT 'session_note','[\"s\",\"x\"]' FROM sessions RETURNING 1",
      "SELECT turn_id FROM turn_path('u')",
      "SELECT turn_id FROM turn_path('u') ORDER BY depth DESC",
      "SELECT turn_id FROM turn_tree(16777216)",
      "SELECT content FROM session_context('t')",
      "SELECT content FROM session_context('u', 100)",
      "SELECT a.turn_id, b.turn_id, c.kind FROM turn_path('u') AS a, turn_tree(a.turn_id) AS b, "
      "session_context(b.turn_id) AS c",
      "SELECT turn_append('t','[{\"role\":\"user\",\"content\":\"more\"}]') FROM turn_path('t')",
  };
  for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
    for (int v2 = 0; v2 < 2; v2++) {
      halfStepped(statements[i], v2);
    }
  }
}

/* Reset half way instead of being stepped to the end. */
static void testReset(void) {
  sqlite3 *db = installed();
  sqlite3_stmt *stmt = NULL;
  use(db);
  sqlite3_prepare_v2(db, "SELECT sql, runs FROM turnstile_cache", -1, &stmt, NULL);
  sqlite3_step(stmt);
  run(db, "SELECT session_recover('s')"); /* the cache moves under the open cursor */
  sqlite3_step(stmt);
  sqlite3_reset(stmt);
  sqlite3_finalize(stmt);
  sqlite3_prepare_v2(db, "SELECT label FROM stale_sessions WHERE include_fresh = 1", -1, &stmt,
                     NULL);
  sqlite3_step(stmt);
  run(db, "SELECT session_deliver('other','something else')");
  sqlite3_step(stmt);
  sqlite3_reset(stmt);
  sqlite3_step(stmt);
  sqlite3_finalize(stmt);
  CHECK_INT("close: after resets", sqlite3_close(db), SQLITE_OK);
}

/* Cursors over turns at every place where they can stand, two of each at once, while the tree grows
** under them; reset, bound anew, and finalised without having come to the end. */
static void testTurnCursors(void) {
  static const char *const reads[] = {
      "SELECT turn_id FROM turn_path(?1)",
      "SELECT turn_id FROM turn_path(?1) WHERE depth < 9 ORDER BY depth DESC",
      "SELECT turn_id FROM turn_tree((SELECT turn_id FROM turn_path(?1) LIMIT 1))",
      "SELECT content FROM session_context(?1)",
      "SELECT content FROM session_context(?1, 12)",
  };
  for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
    for (int steps = 0; steps < 9; steps++) {
      sqlite3 *db = installed();
      sqlite3_stmt *a = NULL, *b = NULL;
      use(db);
      sqlite3_prepare_v2(db, reads[i], -1, &a, NULL);
      sqlite3_prepare_v2(db, reads[i], -1, &b, NULL);
      sqlite3_bind_text(a, 1, "t", 1, SQLITE_STATIC);
      sqlite3_bind_text(b, 1, "u", 1, SQLITE_STATIC);
      for (int n = 0; n < steps; n++) {
        if (sqlite3_step(a) != SQLITE_ROW) sqlite3_reset(a);
        if (sqlite3_step(b) != SQLITE_ROW) sqlite3_reset(b);
        run(db, "SELECT turn_append('t','[{\"role\":\"user\",\"content\":\"more\"}]')");
      }
      CHECK_INT(tap_name("%d steps of %s: appends", steps, reads[i]),
                atoi(run(db, "SELECT turns FROM sessions WHERE label = 't'")), 2 + steps);
      sqlite3_reset(a);
      sqlite3_bind_text(a, 1, "nobody", 6, SQLITE_STATIC);
      CHECK_INT(tap_name("%d steps of %s: no session", steps, reads[i]), sqlite3_step(a),
                SQLITE_ERROR);
      sqlite3_finalize(a);
      CHECK_INT(tap_name("%d steps of %s: too early", steps, reads[i]), sqlite3_close(db),
                SQLITE_BUSY);
      sqlite3_finalize(b);
      CHECK_INT(tap_name("%d steps of %s: close", steps, reads[i]), sqlite3_close(db), SQLITE_OK);
    }
  }
}

/* Some hosts finalise what they find, and the extension's cached statements with it, right before
** they close. */
static void testCachedAreVisible(void) {
  sqlite3 *db = installed();
  int n = 0;
  use(db);
  for (sqlite3_stmt *s = sqlite3_next_stmt(db, NULL); s; s = sqlite3_next_stmt(db, s)) {
    CHECK_INT("a kept statement is not busy", sqlite3_stmt_busy(s), 0);
    n++;
  }
  CHECK("statements are kept", n > 0);
  CHECK_INT("close: with kept statements", sqlite3_close(db), SQLITE_OK);
}

/* ---- Several loads, several connections, several threads ------------------------------------- */

static void testLoadTwice(void) {
  sqlite3 *db = fresh(":memory:");
  CHECK_INT("load twice", load(db), SQLITE_OK);
  run(db, "SELECT turnstile_install()");
  use(db);
  CHECK_INT("load a third time, after use", load(db), SQLITE_OK);
  CHECK("works", strstr(run(db, "SELECT session_deliver('t','write a poem')"), "\"start\""));
  CHECK("works on", strstr(run(db, "SELECT session_state('s')"), "\"Running\""));
  CHECK_INT("close: loaded three times", sqlite3_close(db), SQLITE_OK);
}

static void testTwoConnections(void) {
  sqlite3 *a = installed(), *b = installed();
  use(a);
  use(b);
  CHECK_INT("close a", sqlite3_close(a), SQLITE_OK);
  CHECK("b works on", strstr(run(b, "SELECT session_deliver('s','shorter')"), "\"continue\""));
  CHECK_INT("close b", sqlite3_close(b), SQLITE_OK);
}

/* An attached file comes, is used, and goes. */
static void testDetach(void) {
  sqlite3 *db = installed();
  const char *answer;
  run(db, "ATTACH ':memory:' AS other");
  run(db, "SELECT turnstile_install('{\"schema\":\"other\"}')");
  run(db, "SELECT turnstile_use('other')");
  CHECK("deliver into it", strstr(run(db, "SELECT session_deliver('s','go')"), "\"session\""));
  CHECK("its door", strstr(run(db, "INSERT INTO other.turnstile(command,args) VALUES("
                                   "'session_deliver','[\"s\",\"write a poem\"]') RETURNING "
                                   "turnstile_result()"),
                           "\"session\""));
  CHECK_STR("detach", run(db, "DETACH other"), "-");
  answer = run(db, "SELECT session_deliver('s','hello')");
  CHECK(tap_name("its name is gone: %s", answer),
        strncmp(answer, "error: session_deliver: ", 24) == 0 && strstr(answer, "other"));
  run(db, "SELECT turnstile_use('main')");
  use(db);
  CHECK_INT("close: after a detach", sqlite3_close(db), SQLITE_OK);
}

static void *useInThread(void *db) {
  run(db, "SELECT session_note('s','from a thread')");
  run(db, "SELECT session_deliver('s','is it done?')");
  return NULL;
}

static void *closeInThread(void *db) {
  return sqlite3_close(db) == SQLITE_OK ? db : NULL;
}

static void testThreads(void) {
  sqlite3 *db = installed();
  pthread_t thread;
  void *closed = NULL;
  use(db);
  for (int i = 0; i < 4; i++) {
    if (pthread_create(&thread, NULL, useInThread, db) != 0) exit(2);
    pthread_join(thread, NULL);
  }
  CHECK_STR("notes of the threads",
            run(db, "SELECT count(*) FROM observations WHERE data LIKE '%from a thread%'"), "4");
  if (pthread_create(&thread, NULL, closeInThread, db) != 0) exit(2);
  pthread_join(thread, &closed);
  CHECK("close: in another thread", closed == db);
}

static void *wholeLife(void *unused) {
  sqlite3 *db = fresh(":memory:");
  sqlite3_stmt *stmt = NULL;
  int ok;
  (void)unused;
  sqlite3_exec(db, "SELECT turnstile_install()", NULL, NULL, NULL);
  for (int i = 0; i < 20; i++)
    sqlite3_exec(db,
                 "SELECT session_deliver('s','one more chart');"
                 "SELECT turn_append('s','[{\"role\":\"user\",\"content\":\"one more chart\"}]');"
                 "SELECT count(content) FROM session_context('s')",
                 NULL, NULL, NULL);
  sqlite3_prepare_v2(db, "SELECT count(*) FROM deliveries", -1, &stmt, NULL);
  ok = sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int(stmt, 0) == 20;
  sqlite3_finalize(stmt);
  return sqlite3_close(db) == SQLITE_OK && ok ? &tapPassed : NULL;
}

static void testThreadsAtOnce(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    if (pthread_create(&threads[i], NULL, wholeLife, NULL) != 0) exit(2);
  }
  for (int i = 0; i < 4; i++) {
    void *ok = NULL;
    pthread_join(threads[i], &ok);
    CHECK("a connection per thread, at once", ok != NULL);
  }
}

/* Out of memory in the midst of things: SQLite's own limit on the heap does it. */
static void testOutOfMemory(void) {
  for (int kb = 0; kb < 64; kb += 4) {
    sqlite3 *db = installed();
    use(db);
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + kb * 1024);
    run(db, "SELECT session_deliver('s','write a poem about the sea')");
    run(db, "SELECT label FROM stale_sessions WHERE include_fresh = 1");
    run(db, "SELECT evidence FROM classify('yes','Running')");
    run(db, "SELECT turn_append('t','[{\"role\":\"user\",\"content\":\"more\"}]')");
    run(db, "SELECT content FROM session_context('t')");
    run(db, "SELECT turn_id FROM turn_tree(16777216)");
    sqlite3_hard_heap_limit64(0);
    CHECK(tap_name("after a limit of %d KiB", kb),
          strstr(run(db, "SELECT session_deliver('s','go on')"), "\"action\""));
    CHECK_INT(tap_name("close: after a limit of %d KiB", kb), sqlite3_close(db), SQLITE_OK);
  }
}

int main(void) {
  sqlite3_int64 base;
  sqlite3_close(fresh(":memory:"));
  base = sqlite3_memory_used();
  makeTemplate();
  testUse();
  testErrors();
  testOpenTransaction();
  testUnusedResult();
  testHalfStepped();
  testReset();
  testTurnCursors();
  testCachedAreVisible();
  testLoadTwice();
  testTwoConnections();
  testDetach();
  testThreads();
  testThreadsAtOnce();
  testOutOfMemory();
  CHECK_INT("close: the template", sqlite3_close(template), SQLITE_OK);
  CHECK_INT("memory that SQLite knows of", sqlite3_memory_used(), base);
  return tap_done("close");
}
