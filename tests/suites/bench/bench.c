/*
** bench.c - commands against a hand-written floor, as ratios, in one run.
**
** The floor is what a C programmer would write who keeps the same tables, indexes and guards by
** hand: prepared statements held open, values bound, the same rows written, nothing decided.
** Command and floor take turns in small blocks on two databases of the same making, so that a
** machine whose speed drifts slows both; the ratio is taken block by block and its median is
** reported. Nothing here judges: the table in docs/benchmarks.md says what is aimed at.
**
**   bench [BLOCKS]       (default 60)
*/
#include "bench.h"
#include "classify.h"
#include "rules.h"

/* ---- The floor: the rows of each command, by hand -------------------------------------------- */

static const char sessionSql[] =
    "SELECT s.label, s.status, s.pending_choice, s.open_task_id, s.last_activity, t.description, "
    "t.state, t.state_data, t.head_step_id FROM sessions s LEFT JOIN tasks t ON t.id = "
    "s.open_task_id WHERE s.label = 's'";
static const char touchSql[] =
    "UPDATE sessions SET status = 'active', status_reason = NULL, pending_choice = NULL, "
    "open_task_id = 1, work_source = 'user', offered_at = NULL, archived_at = NULL, last_activity "
    "= ?1, updated_at = ?1 WHERE label = 's'";
static const char observeSql[] =
    "INSERT INTO observations(session_label, task_id, kind, auto, hash, object_id, created_at, "
    "data) VALUES ('s', 1, 'Note', 0, "
    "'0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', NULL, ?1, "
    "'{\"text\":\"a note of some forty characters or so\"}')";
static const char eventSql[] =
    "INSERT INTO session_events(session_label, task_id, axis, from_state, to_state, \"trigger\", "
    "data, at) VALUES ('s', 1, 'task', ?2, ?3, 'x', '{\"summary\":\"all of it is done\"}', ?1)";
static const char moveSql[] =
    "UPDATE tasks SET state = ?3, state_data = '{\"summary\":\"all of it is done\"}', "
    "last_activity = ?1 WHERE id = 1";
static const char edgeSql[] =
    "INSERT INTO edges(session_label, from_kind, from_ref, to_kind, to_ref, label, weight, "
    "created_at) VALUES ('s', 'note', '1', 'task', '1', 'Mentions', 1.0, ?1)";
static const char takenSql[] =
    "UPDATE session_queue SET status = 'delivered', delivered_at = ?1 WHERE session_label = 's' "
    "AND status = 'handed' AND delivered_at IS NULL";
static const char queueSql[] =
    "INSERT INTO session_queue(session_label, delivery_id, source, class, status, attempts, "
    "enqueued_at, message) VALUES ('s', 1, 'user', 'Modification', 'handed', 1, ?1, 'also make "
    "the header a bit smaller and move it to the left')";
static const char deliverySql[] =
    "INSERT INTO deliveries(session_label, source, class, confidence, action, decision, at, "
    "message) VALUES ('s', 'user', 'Modification', 0.9, 'continue', "
    "'{\"action\":\"continue\",\"session\":\"s\",\"task_id\":1,\"class\":\"Modification\","
    "\"confidence\":0.93,\"state\":\"Running\",\"previous_state\":\"Running\",\"queue_id\":1}', "
    "?1, 'also make the header a bit smaller and move it to the left')";

#define MAX_STATEMENTS 10

typedef struct Case {
  const char *name;
  const char *command;               /* SQL with ?1 = now; run once per operation */
  const char *second;                /* run in turn with the first, or NULL */
  const char *floor[MAX_STATEMENTS]; /* what one operation writes by hand */
  const char *states[2][2];          /* ?2 and ?3 of the two turns */
} Case;

static const Case cases[] = {
    {"session_note",
     "SELECT session_note('s', 'a note of some forty characters or so', json_object('now', ?1))",
     NULL,
     {sessionSql, observeSql, touchSql},
     {{NULL, NULL}, {NULL, NULL}}},
    {"session_transition",
     "SELECT session_transition('s', 'PendingComplete', '{\"summary\":\"all of it is done\"}', "
     "json_object('now', ?1))",
     "SELECT session_transition('s', 'Running', NULL, json_object('now', ?1))",
     {sessionSql, moveSql, eventSql, takenSql, touchSql},
     {{"Running", "PendingComplete"}, {"PendingComplete", "Running"}}},
    {"session_deliver",
     "SELECT session_deliver('s', 'also make the header a bit smaller and move it to the left', "
     "json_object('now', ?1))",
     NULL,
     {sessionSql, observeSql, edgeSql, takenSql, queueSql, touchSql, deliverySql},
     {{NULL, NULL}, {NULL, NULL}}},
    {"session_deliver, class given",
     "SELECT session_deliver('s', 'also make the header a bit smaller and move it to the left', "
     "json_object('class', 'Modification', 'now', ?1))",
     NULL,
     {sessionSql, observeSql, edgeSql, takenSql, queueSql, touchSql, deliverySql},
     {{NULL, NULL}, {NULL, NULL}}},
};

/* The same without an option, as a host without a clock of its own would call it. */
static const char *const plain[] = {
    "SELECT session_note('s', 'a note of some forty characters or so')",
    NULL,
    "SELECT session_deliver('s', 'also make the header a bit smaller and move it to the left')",
    "SELECT session_deliver('s', 'also make the header a bit smaller and move it to the left', "
    "'{\"class\":\"Modification\"}')",
};

static void prepareSession(sqlite3 *db) {
  run(db, "SELECT session_start('s', 'build the page', '{\"now\":1000}');");
}

/* One block of operations, in microseconds per operation. */
static double commandBlock(sqlite3 *db, sqlite3_stmt *const *stmts, int inTransaction,
                           sqlite3_int64 *clock) {
  double t = now();
  if (inTransaction) run(db, "BEGIN");
  for (int i = 0; i < PER_BLOCK; i++) {
    sqlite3_stmt *stmt = stmts[1] && i % 2 ? stmts[1] : stmts[0];
    if (sqlite3_bind_parameter_count(stmt)) sqlite3_bind_int64(stmt, 1, ++*clock);
    stepAll(db, stmt);
  }
  if (inTransaction) run(db, "COMMIT");
  return (now() - t) / PER_BLOCK;
}

static double floorBlock(sqlite3 *db, sqlite3_stmt *const *stmts, const Case *c, int inTransaction,
                         sqlite3_int64 *clock, sqlite3_stmt *begin, sqlite3_stmt *commit) {
  double t = now();
  if (inTransaction) run(db, "BEGIN");
  for (int i = 0; i < PER_BLOCK; i++) {
    if (!inTransaction) stepAll(db, begin);
    ++*clock;
    for (int k = 0; stmts[k]; k++) {
      int n = sqlite3_bind_parameter_count(stmts[k]);
      if (n >= 1) sqlite3_bind_int64(stmts[k], 1, *clock);
      if (n >= 2) sqlite3_bind_text(stmts[k], 2, c->states[i % 2][0], -1, SQLITE_STATIC);
      if (n >= 3) sqlite3_bind_text(stmts[k], 3, c->states[i % 2][1], -1, SQLITE_STATIC);
      stepAll(db, stmts[k]);
    }
    if (!inTransaction) stepAll(db, commit);
  }
  if (inTransaction) run(db, "COMMIT");
  return (now() - t) / PER_BLOCK;
}

static void runCase(const Case *c, const char *const *commands, const char *label, int blocks,
                    int inTransaction) {
  static double ratios[MAX_BLOCKS], ours[MAX_BLOCKS], floors[MAX_BLOCKS];
  sqlite3 *a, *b;
  sqlite3_stmt *command[2] = {NULL, NULL}, *floor[MAX_STATEMENTS + 1] = {NULL}, *begin, *commit;
  sqlite3_int64 clockA = 2000, clockB = 2000;
  a = openDatabase(pathOf("command"));
  b = openDatabase(pathOf("floor"));
  prepareSession(a);
  prepareSession(b);
  command[0] = prepare(a, commands[0]);
  if (commands[1]) command[1] = prepare(a, commands[1]);
  for (int k = 0; k < MAX_STATEMENTS && c->floor[k]; k++)
    floor[k] = prepare(b, c->floor[k]);
  begin = prepare(b, "BEGIN IMMEDIATE");
  commit = prepare(b, "COMMIT");
  commandBlock(a, command, inTransaction, &clockA);
  floorBlock(b, floor, c, inTransaction, &clockB, begin, commit);
  for (int i = 0; i < blocks; i++) {
    ours[i] = commandBlock(a, command, inTransaction, &clockA);
    floors[i] = floorBlock(b, floor, c, inTransaction, &clockB, begin, commit);
    ratios[i] = ours[i] / floors[i];
  }
  printf("| %s | %s | %.1f | %.1f | %.2f |\n", label,
         inTransaction ? "inside a transaction" : "autocommit, WAL", median(ours, blocks),
         median(floors, blocks), median(ratios, blocks));
  for (int k = 0; k < 2; k++)
    sqlite3_finalize(command[k]);
  for (int k = 0; floor[k]; k++)
    sqlite3_finalize(floor[k]);
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  if (sqlite3_close(a) != SQLITE_OK) die(a, "close");
  if (sqlite3_close(b) != SQLITE_OK) die(b, "close");
}

/* ---- stale_sessions on many sessions --------------------------------------------------------- */

static long steps(sqlite3_stmt *stmt) {
  return sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
}

/* Counts what the statement behind stale_sessions does, through the table of cached statements. */
static void benchStale(int sessions) {
  static double ratios[101];
  sqlite3 *db;
  sqlite3_stmt *tvf, *floor, *fill;
  double ours = 0, hand = 0;
  db = openDatabase(pathOf("stale"));
  run(db, "BEGIN");
  fill = prepare(db, "INSERT INTO sessions(label, open_task_id, created_at, updated_at, "
                     "last_activity) VALUES (printf('s%07d', ?1), ?1, 0, 0, ?2)");
  for (int i = 1; i <= sessions; i++) {
    sqlite3_bind_int(fill, 1, i);
    /* A hundred lie for two days, all others for an hour or less. */
    sqlite3_bind_int64(fill, 2, 10000000000 - (i % (sessions / 100) ? i % 3600 * 1000 : 172800000));
    stepAll(db, fill);
  }
  sqlite3_finalize(fill);
  fill = prepare(db, "INSERT INTO tasks(id, session_label, description, started_at, last_activity) "
                     "VALUES (?1, printf('s%07d', ?1), 'a task', 0, 0)");
  for (int i = 1; i <= sessions; i++) {
    sqlite3_bind_int(fill, 1, i);
    stepAll(db, fill);
  }
  sqlite3_finalize(fill);
  run(db, "COMMIT");
  run(db, "SELECT turnstile_clock(10000000000);");
  tvf = prepare(db, "SELECT label, state, task, idle_ms, band FROM stale_sessions");
  floor = prepare(db, "SELECT s.label, t.state, t.description, 10000000000 - s.last_activity FROM "
                      "sessions s JOIN tasks t ON t.id = s.open_task_id WHERE s.open_task_id IS "
                      "NOT NULL AND s.status <> 'archived' AND s.superseded_by IS NULL AND "
                      "s.last_activity < 10000000000 - "
                      "86400000");
  for (int i = 0; i < 101; i++) {
    int rows = 0;
    double t = now();
    while (sqlite3_step(tvf) == SQLITE_ROW)
      rows++;
    sqlite3_reset(tvf);
    ours = now() - t;
    if (rows != 100) die(db, "stale_sessions did not return the hundred stale ones");
    t = now();
    stepAll(db, floor);
    hand = now() - t;
    ratios[i] = ours / hand;
  }
  steps(floor);
  stepAll(db, floor);
  printf("| stale_sessions, 100 stale of %d | | %.1f | %.1f | %.2f |\n", sessions, ours, hand,
         median(ratios, 101));
  printf("\nSteps of SQLite's engine for those 100 rows: floor %ld", steps(floor));
  {
    /* Full scan steps of the statement that the table-valued function runs. */
    sqlite3_stmt *s = NULL;
    while ((s = sqlite3_next_stmt(db, s)) != NULL) {
      if (!strstr(sqlite3_sql(s), "sessions_by_open_task")) continue;
      steps(s);
      while (sqlite3_step(tvf) == SQLITE_ROW) {
      }
      sqlite3_reset(tvf);
      printf(", stale_sessions %ld (rows visited by a full scan: %d)", steps(s),
             sqlite3_stmt_status(s, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0));
      break;
    }
  }
  printf(".\n\n");
  sqlite3_finalize(tvf);
  sqlite3_finalize(floor);
  sqlite3_close(db);
}

/* ---- Classifying ----------------------------------------------------------------------------- */

static void benchClassify(void) {
  static const char *const messages[] = {
      "the table on the second page is still cut off at the right edge when the window gets "
      "narrow, fix it",
      "can you explain why the nightly import now takes twice as long as it did before the last "
      "change?",
      "looks good so far, thanks. could the summary line also name the file it was read from, in "
      "brackets",
      "stop, that is the wrong directory. the config lives in deploy/prod and nothing in test may "
      "change",
  };
  static double times[200];
  sqlite3 *db;
  sqlite3_stmt *stmt;
  static const char task[] = "move the import to the new server";
  double characters = 0, whole;
  RuleSet *rules = NULL;
  sqlite3_stmt *load;
  char error[400];
  db = openDatabase(pathOf("classify"));
  stmt = prepare(db, "SELECT classify_message(?1, ?2, 'move the import to the new server')");
  for (int m = 0; m < 4; m++)
    characters += (double)strlen(messages[m]);
  for (int i = 0; i < 200; i++) {
    double t = now();
    for (int k = 0; k < 25; k++) {
      for (int m = 0; m < 4; m++) {
        sqlite3_bind_text(stmt, 1, messages[m], -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 2, m == 2 ? "PendingComplete" : "Running", -1, SQLITE_STATIC);
        stepAll(db, stmt);
      }
    }
    times[i] = (now() - t) / 25.0 / characters * 100.0;
  }
  whole = median(times, 200);

  /* The same without SQL around it: the rules from the same table, the classifier called from C. */
  if (ts_rules_new(&rules) != SQLITE_OK) die(db, "rules");
  load = prepare(db, "SELECT id, class, state, pattern, weight, lang FROM message_rules");
  while (sqlite3_step(load) == SQLITE_ROW) {
    RuleRow row = {.id = sqlite3_column_int64(load, 0),
                   .cls = (const char *)sqlite3_column_text(load, 1),
                   .nCls = sqlite3_column_bytes(load, 1),
                   .state = (const char *)sqlite3_column_text(load, 2),
                   .nState = sqlite3_column_bytes(load, 2),
                   .pattern = (const char *)sqlite3_column_text(load, 3),
                   .nPattern = sqlite3_column_bytes(load, 3),
                   .weight = sqlite3_column_double(load, 4),
                   .lang = (const char *)sqlite3_column_text(load, 5),
                   .nLang = sqlite3_column_bytes(load, 5)};
    if (ts_rules_add(rules, &row, error, (int)sizeof(error)) != SQLITE_OK) die(db, error);
  }
  sqlite3_finalize(load);
  if (ts_rules_finish(rules) != SQLITE_OK) die(db, "rules");
  for (int i = 0; i < 200; i++) {
    double t = now();
    for (int k = 0; k < 25; k++) {
      for (int m = 0; m < 4; m++) {
        ClassifyInput in = {.message = messages[m],
                            .nMessage = (int)strlen(messages[m]),
                            .state = m == 2 ? TASK_PENDING_COMPLETE : TASK_RUNNING,
                            .task = task,
                            .nTask = (int)strlen(task)};
        ClassifyResult result;
        if (ts_classify(rules, &in, &result, error, (int)sizeof(error)) != SQLITE_OK) {
          die(db, error);
        }
      }
    }
    times[i] = (now() - t) / 25.0 / characters * 100.0;
  }
  printf(
      "classify_message per 100 characters: the classifier %.1f µs, the whole call from SQL %.1f "
      "µs (medians; a task as context, all %d built-in rules).\n",
      median(times, 200), whole, ts_rules_count(rules));
  ts_rules_free(rules);
  sqlite3_finalize(stmt);
  sqlite3_close(db);
}

int main(int argc, char **argv) {
  int blocks = argc > 1 ? atoi(argv[1]) : 60;
  int sessions = argc > 2 ? atoi(argv[2]) : 1000000;
  if (blocks < 3 || blocks > MAX_BLOCKS || sessions < 1000) {
    fprintf(stderr, "usage: bench [BLOCKS (3..%d) [SESSIONS (1000..)]]\n", MAX_BLOCKS);
    return 2;
  }
  makeDirectory();
  printf("SQLite %s, %d blocks of %d operations, µs per operation, medians.\n\n",
         sqlite3_libversion(), blocks, PER_BLOCK);
  printf("| command | mode | command | floor | ratio |\n|---|---|---:|---:|---:|\n");
  for (int mode = 0; mode < 2; mode++) {
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const char *commands[2] = {cases[i].command, cases[i].second};
      char label[80];
      snprintf(label, sizeof(label), "%s (with `now`)", cases[i].name);
      runCase(&cases[i], commands, label, blocks, mode);
      if (plain[i]) {
        const char *once[2] = {plain[i], NULL};
        runCase(&cases[i], once, cases[i].name, blocks, mode);
      }
    }
  }
  benchStale(sessions);
  benchClassify();
  return 0;
}
