/*
** bench_queue.c - the queue and its turns against hand-written C, as ratios, in one run.
**
** As in bench.c, a floor is what a C programmer would write who keeps the same tables, indexes and
** guards by hand, and command and floor take turns in small blocks. After every case the two
** databases must hold the same rows in all tables, times and hashes apart; else the ratio would be
** worth nothing, and the program fails. Large files are filled by plain SQL with inputs that were
** delivered. Nothing here judges: the table says what is aimed at.
**
**   bench_queue [DELIVERED [BLOCKS]]       (default 1000000 and 60)
*/
#include "bench.h"

#define OTHERS 10000 /* sessions that the delivered inputs are spread over */
#define WAITING 90   /* inputs in a long queue; a queue holds 100 */

static int nDelivered = 1000000;
static int nBlocks = 60;

/* ---- The floor ------------------------------------------------------------------------------- */

/* The measured session is 'm'; in a large file half of the others stand before it, half after. */
#define MESSAGE "also make the header a bit smaller and move it to the left"
#define ANSWER "The header has 18 points now, and stands left."
#define TOKENS ((sizeof(MESSAGE) + 2) / 4 + (sizeof(ANSWER) + 2) / 4)
#define LEASE "300000"
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/*
** What each operation reads to know where it stands, and the rows it writes; of a session only the
** columns that change, so that no index is touched without need. An input has a row in
** deliveries as well, with the decision. The guards want a turn to go through its phases, with an
** event for each, and messages to be written while it runs.
*/
enum {
  F_BEGIN,
  F_COMMIT,
  F_SESSION,
  /* an input */
  F_NEXT_DELIVERY,
  F_QUEUE,
  F_SEEN,
  F_SPOKEN,
  F_DELIVERY,
  /* a turn begins with the first in line */
  F_FIRST,
  F_NOTE,
  F_EDGE,
  F_WORK,
  F_EVENT,
  F_TURN,
  F_RUNNING,
  F_MESSAGE,
  F_TAKE,
  /* it is completed */
  F_PARENT,
  F_PHASE,
  F_END,
  F_HISTORY,
  F_ADVANCE,
  F_DELIVERED,
  F_READY,
  F_COUNT
};

static const char *const floorSql[F_COUNT] = {
    [F_BEGIN] = "BEGIN IMMEDIATE",
    [F_COMMIT] = "COMMIT",
    [F_SESSION] = "SELECT s.thread_id, s.open_task_id, s.status, s.pending_choice, t.state, "
                  "r.token, r.run_state, r.expires_at FROM sessions AS s LEFT JOIN tasks AS t ON "
                  "t.id = s.open_task_id LEFT JOIN session_runs AS r ON r.session_label = s.label "
                  "WHERE s.label = 'm'",
    [F_NEXT_DELIVERY] = "SELECT ifnull(max(id), 0) + 1 FROM deliveries",
    [F_QUEUE] = "INSERT INTO session_queue(session_label, delivery_id, source, mode, message_id, "
                "class, status, enqueued_at, message) VALUES ('m', ?1, ?2, ?3, ?4, ?5, 'pending', "
                "?6, ?7)",
    [F_SEEN] = "UPDATE sessions SET updated_at = ?1 WHERE label = 'm'",
    [F_SPOKEN] = "UPDATE sessions SET last_activity = ?1, updated_at = ?1 WHERE label = 'm'",
    [F_DELIVERY] = "INSERT INTO deliveries(id, session_label, message_id, source, class, "
                   "confidence, action, decision, at, message) VALUES (?1, 'm', ?2, ?3, ?4, ?5, "
                   "'queue', ?6, ?7, ?8)",
    [F_FIRST] = "SELECT id, message FROM session_queue WHERE session_label = 'm' AND status = "
                "'pending' AND delivered_at IS NULL ORDER BY id LIMIT 1",
    [F_NOTE] = "INSERT INTO observations(session_label, task_id, kind, auto, hash, created_at, "
               "data) VALUES ('m', ?1, 'Note', 1, ?2, ?3, ?4)",
    [F_EDGE] =
        "INSERT INTO edges(session_label, from_kind, from_ref, to_kind, to_ref, label, "
        "weight, created_at, task_id, links) VALUES ('m', 'note', ?1, 'task', ?2, 'Mentions', "
        "1.0, ?3, ?2, 3)",
    [F_EVENT] = "INSERT INTO session_events(session_label, task_id, axis, from_state, to_state, "
                "\"trigger\", data, at) VALUES ('m', ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [F_WORK] = "UPDATE sessions SET work_source = ?2, updated_at = ?1 WHERE label = 'm'",
    [F_TURN] = "INSERT INTO turns(id, parent_turn_id, turn_type, status, phase, source, inputs, "
               "started_at) VALUES (?1, ?2, 'normal', 'running', 'processing', ?3, 1, ?4)",
    [F_RUNNING] = "UPDATE session_runs SET owner = 'w', token = ?1, run_state = 'running', turn_id "
                  "= ?2, acquired_at = ?3, heartbeat_at = ?3, expires_at = ?3 + " LEASE
                  ", lease = " LEASE " WHERE session_label = 'm'",
    [F_MESSAGE] = "INSERT INTO messages(place, role, source, created_at, metadata, content) VALUES "
                  "(?1, ?2, ?3, ?4, ?5, ?6)",
    [F_TAKE] = "UPDATE session_queue SET status = 'processing', turn_id = ?2, rank = -2, class = "
               "?3, attempts = 1, task_id = ?4 WHERE id = ?1",
    [F_PARENT] = "SELECT thread_tokens FROM turns WHERE id = ?1",
    [F_PHASE] = "UPDATE turns SET phase = ?2 WHERE id = ?1",
    [F_END] = "UPDATE turns SET status = 'completed', phase = NULL, on_path = 1, completed_at = "
              "?2, thread_tokens = ?3 WHERE id = ?1",
    [F_HISTORY] = "INSERT INTO session_history(session_label, thread_id, task_id, changed_at, "
                  "reason) VALUES ('m', ?1, ?2, ?3, 'complete')",
    [F_ADVANCE] = "UPDATE sessions SET thread_id = ?1, turns = turns + 1, updated_at = ?2, "
                  "last_activity = ifnull(?3, last_activity) WHERE label = 'm'",
    [F_DELIVERED] = "UPDATE session_queue SET status = 'delivered', delivered_at = ?2 WHERE id = "
                    "?1",
    [F_READY] = "UPDATE session_runs SET run_state = 'ready', turn_id = NULL, heartbeat_at = ?1, "
                "expires_at = NULL WHERE session_label = 'm'",
};

/* ---- Two ways to do the same ----------------------------------------------------------------- */

/* Who sends the input: a user's message is classified, and leaves a note when it is taken. */
enum { BY_USER, BY_AGENT, SENDERS };

static const char *const senderNames[SENDERS] = {"user", "agent"};

/* How an input gets into the queue. */
enum { PUSH, PUSH_WITH_ID, DELIVER, DELIVER_CLASS, WAYS };

static const char *const wayNames[WAYS] = {"queue_push", "queue_push with message_id",
                                           "session_deliver, a live run",
                                           "session_deliver, a live run, class given"};

static const char *const waySql[SENDERS][WAYS] = {
    [BY_USER] = {"SELECT queue_push('m', '" MESSAGE "')",
                 "SELECT queue_push('m', '" MESSAGE "', json_object('message_id', ?1))",
                 "SELECT session_deliver('m', '" MESSAGE "')",
                 "SELECT session_deliver('m', '" MESSAGE "', '{\"class\":\"Modification\"}')"},
    [BY_AGENT] = {"SELECT queue_push('m', '" MESSAGE "', '{\"source\":\"agent\"}')"},
};

typedef struct Side {
  sqlite3 *db;
  int byFloor;
  int sender;
  int way;
  sqlite3_stmt *push, *begin, *complete; /* the commands */
  sqlite3_stmt *floor[F_COUNT];
  sqlite3_stmt *drain; /* takes the last input out of the queue again */
  double confidence;   /* of the class of a message that is delivered */
  char inDecision[30]; /* the same, as the decision has it */
  int pushed;          /* makes message ids */
  sqlite3_int64 turn;  /* begun; the floor also remembers what else it needs to end it */
  sqlite3_int64 token, parent, task, input;
} Side;

static void openSide(Side *s, sqlite3 *db, int byFloor, int sender, int way) {
  memset(s, 0, sizeof(*s));
  s->db = db;
  s->byFloor = byFloor;
  s->sender = sender;
  s->way = way;
  s->push = prepare(db, waySql[sender][way]);
  s->begin = prepare(db, "SELECT turn_begin('m', 'w')");
  s->complete = prepare(db, "SELECT turn_complete(?1, ?2, '{\"content\":\"" ANSWER "\"}')");
  s->drain = prepare(db, "UPDATE session_queue SET status = 'delivered', delivered_at = "
                         "enqueued_at WHERE id = (SELECT max(id) FROM session_queue)");
  if (!byFloor) return;
  for (int i = 0; i < F_COUNT; i++)
    s->floor[i] = prepare(db, floorSql[i]);
}

static void closeSide(Side *s) {
  sqlite3_finalize(s->push);
  sqlite3_finalize(s->begin);
  sqlite3_finalize(s->complete);
  sqlite3_finalize(s->drain);
  for (int i = 0; i < F_COUNT; i++)
    sqlite3_finalize(s->floor[i]);
}

static void bindStatic(sqlite3_stmt *stmt, int i, const char *text) {
  sqlite3_bind_text(stmt, i, text, -1, SQLITE_STATIC);
}

/* The row of a statement that must have one. */
static sqlite3_stmt *read1(Side *s, int which) {
  if (sqlite3_step(s->floor[which]) != SQLITE_ROW) die(s->db, floorSql[which]);
  return s->floor[which];
}

static void event(Side *s, const char *axis, const char *from, const char *to, const char *trigger,
                  const char *data, sqlite3_int64 at) {
  sqlite3_stmt *stmt = s->floor[F_EVENT];
  sqlite3_bind_int64(stmt, 1, s->task);
  bindStatic(stmt, 2, axis);
  bindStatic(stmt, 3, from);
  bindStatic(stmt, 4, to);
  bindStatic(stmt, 5, trigger);
  bindStatic(stmt, 6, data);
  sqlite3_bind_int64(stmt, 7, at);
  stepAll(s->db, stmt);
}

static void floorPush(Side *s) {
  sqlite3_stmt *const *f = s->floor, *stmt;
  sqlite3_int64 delivery, queued, at = wallClock();
  int isDelivered = s->way == DELIVER || s->way == DELIVER_CLASS;
  const char *source = senderNames[s->sender];
  char id[30], decision[300], class[60];
  stmt = read1(s, F_SESSION);
  s->task = sqlite3_column_int64(stmt, 1);
  sqlite3_reset(stmt);
  stmt = read1(s, F_NEXT_DELIVERY);
  delivery = sqlite3_column_int64(stmt, 0);
  sqlite3_reset(stmt);
  snprintf(id, sizeof(id), "id-%d", s->pushed);
  stmt = f[F_QUEUE];
  sqlite3_bind_int64(stmt, 1, delivery);
  bindStatic(stmt, 2, source);
  bindStatic(stmt, 3, s->sender == BY_AGENT ? "followup" : "queue");
  if (s->way == PUSH_WITH_ID) bindStatic(stmt, 4, id);
  if (isDelivered) bindStatic(stmt, 5, "Modification");
  sqlite3_bind_int64(stmt, 6, at);
  bindStatic(stmt, 7, MESSAGE);
  stepAll(s->db, stmt);
  queued = sqlite3_last_insert_rowid(s->db);
  stmt = f[isDelivered ? F_SPOKEN : F_SEEN];
  sqlite3_bind_int64(stmt, 1, at);
  stepAll(s->db, stmt);
  if (isDelivered) {
    snprintf(class, sizeof(class), "\"Modification\",\"confidence\":%s", s->inDecision);
  } else {
    snprintf(class, sizeof(class), "null,\"confidence\":null");
  }
  snprintf(decision, sizeof(decision),
           "{\"action\":\"queue\",\"session\":\"m\",\"task_id\":%lld,\"class\":%s,\"state\":"
           "\"Running\",\"previous_state\":\"Running\",\"queue_id\":%lld}",
           s->task, class, queued);
  stmt = f[F_DELIVERY];
  sqlite3_bind_int64(stmt, 1, delivery);
  if (s->way == PUSH_WITH_ID) bindStatic(stmt, 2, id);
  bindStatic(stmt, 3, source);
  if (isDelivered) {
    bindStatic(stmt, 4, "Modification");
    sqlite3_bind_double(stmt, 5, s->confidence);
  }
  bindStatic(stmt, 6, decision);
  sqlite3_bind_int64(stmt, 7, at);
  bindStatic(stmt, 8, MESSAGE);
  stepAll(s->db, stmt);
}

static void floorMessage(Side *s, int i, const char *source, const char *metadata, const char *text,
                         sqlite3_int64 at) {
  sqlite3_stmt *stmt = s->floor[F_MESSAGE];
  sqlite3_bind_int64(stmt, 1, s->turn << 12 | i);
  bindStatic(stmt, 2, i ? "assistant" : "user");
  bindStatic(stmt, 3, source);
  sqlite3_bind_int64(stmt, 4, at);
  bindStatic(stmt, 5, metadata);
  bindStatic(stmt, 6, text);
  stepAll(s->db, stmt);
}

static void floorBegin(Side *s) {
  sqlite3_stmt *const *f = s->floor, *stmt;
  sqlite3_int64 at = wallClock();
  const char *source = senderNames[s->sender];
  char data[60], metadata[60], task[30], note[30];
  stmt = read1(s, F_SESSION);
  s->parent = sqlite3_column_int64(stmt, 0);
  s->task = sqlite3_column_int64(stmt, 1);
  s->token = sqlite3_column_int64(stmt, 5) + 1;
  sqlite3_reset(stmt);
  s->turn = s->parent + 1;
  stmt = read1(s, F_FIRST);
  s->input = sqlite3_column_int64(stmt, 0);
  sqlite3_reset(stmt);
  if (s->sender == BY_USER) {
    stmt = f[F_NOTE];
    sqlite3_bind_int64(stmt, 1, s->task);
    bindStatic(stmt, 2, HASH);
    sqlite3_bind_int64(stmt, 3, at);
    bindStatic(stmt, 4, "{\"text\":\"User intervention: " MESSAGE "\",\"note\":\"intervention\"}");
    stepAll(s->db, stmt);
    snprintf(note, sizeof(note), "%lld", sqlite3_last_insert_rowid(s->db));
    snprintf(task, sizeof(task), "%lld", s->task);
    stmt = f[F_EDGE];
    bindStatic(stmt, 1, note);
    bindStatic(stmt, 2, task);
    sqlite3_bind_int64(stmt, 3, at);
    stepAll(s->db, stmt);
  }
  sqlite3_bind_int64(f[F_WORK], 1, at);
  bindStatic(f[F_WORK], 2, source);
  stepAll(s->db, f[F_WORK]);
  stmt = f[F_TURN];
  sqlite3_bind_int64(stmt, 1, s->turn);
  sqlite3_bind_int64(stmt, 2, s->parent);
  bindStatic(stmt, 3, source);
  sqlite3_bind_int64(stmt, 4, at);
  stepAll(s->db, stmt);
  stmt = f[F_RUNNING];
  sqlite3_bind_int64(stmt, 1, s->token);
  sqlite3_bind_int64(stmt, 2, s->turn);
  sqlite3_bind_int64(stmt, 3, at);
  stepAll(s->db, stmt);
  snprintf(data, sizeof(data), "{\"turn\":%lld}", s->turn);
  event(s, "run", "ready", "running", "run", NULL, at);
  event(s, "turn", NULL, "processing", "begin", data, at);
  snprintf(metadata, sizeof(metadata), "{\"queue_id\":%lld}", s->input);
  floorMessage(s, 0, source, metadata, MESSAGE, at);
  stmt = f[F_TAKE];
  sqlite3_bind_int64(stmt, 1, s->input);
  sqlite3_bind_int64(stmt, 2, s->turn);
  bindStatic(stmt, 3, s->sender == BY_USER ? "Modification" : NULL);
  sqlite3_bind_int64(stmt, 4, s->task);
  stepAll(s->db, stmt);
}

static void floorComplete(Side *s) {
  sqlite3_stmt *const *f = s->floor, *stmt;
  sqlite3_int64 thread, at = wallClock();
  char data[60];
  sqlite3_reset(read1(s, F_SESSION));
  sqlite3_bind_int64(f[F_PARENT], 1, s->parent);
  stmt = read1(s, F_PARENT);
  thread = sqlite3_column_int64(stmt, 0);
  sqlite3_reset(stmt);
  floorMessage(s, 1, NULL, NULL, ANSWER, at);
  snprintf(data, sizeof(data), "{\"turn\":%lld}", s->turn);
  sqlite3_bind_int64(f[F_PHASE], 1, s->turn);
  bindStatic(f[F_PHASE], 2, "streaming");
  stepAll(s->db, f[F_PHASE]);
  event(s, "turn", "processing", "streaming", "stream", data, at);
  bindStatic(f[F_PHASE], 2, "completing");
  stepAll(s->db, f[F_PHASE]);
  event(s, "turn", "streaming", "completing", "finish", data, at);
  stmt = f[F_END];
  sqlite3_bind_int64(stmt, 1, s->turn);
  sqlite3_bind_int64(stmt, 2, at);
  sqlite3_bind_int64(stmt, 3, thread + (sqlite3_int64)TOKENS);
  stepAll(s->db, stmt);
  event(s, "turn", "completing", "completed", "complete", data, at);
  stmt = f[F_HISTORY];
  sqlite3_bind_int64(stmt, 1, s->turn);
  sqlite3_bind_int64(stmt, 2, s->task);
  sqlite3_bind_int64(stmt, 3, at);
  stepAll(s->db, stmt);
  sqlite3_bind_int64(f[F_ADVANCE], 1, s->turn);
  sqlite3_bind_int64(f[F_ADVANCE], 2, at);
  if (s->sender == BY_USER) sqlite3_bind_int64(f[F_ADVANCE], 3, at);
  stepAll(s->db, f[F_ADVANCE]);
  sqlite3_bind_int64(f[F_DELIVERED], 1, s->input);
  sqlite3_bind_int64(f[F_DELIVERED], 2, at);
  stepAll(s->db, f[F_DELIVERED]);
  sqlite3_bind_int64(f[F_READY], 1, at);
  stepAll(s->db, f[F_READY]);
  event(s, "run", "running", "ready", "complete", NULL, at);
}

/* ---- One operation, in a transaction of its own or not --------------------------------------- */

typedef void Floor(Side *);

static void byFloor(Side *s, Floor *floor, int inTransaction) {
  if (!inTransaction) stepAll(s->db, s->floor[F_BEGIN]);
  floor(s);
  if (!inTransaction) stepAll(s->db, s->floor[F_COMMIT]);
}

static void push(Side *s, int inTransaction) {
  s->pushed++;
  if (s->byFloor) {
    byFloor(s, floorPush, inTransaction);
    return;
  }
  if (s->way == PUSH_WITH_ID) {
    char id[30];
    snprintf(id, sizeof(id), "id-%d", s->pushed);
    sqlite3_bind_text(s->push, 1, id, -1, SQLITE_TRANSIENT);
  }
  stepAll(s->db, s->push);
}

static void begin(Side *s, int inTransaction) {
  const char *json;
  char *end;
  if (s->byFloor) {
    byFloor(s, floorBegin, inTransaction);
    return;
  }
  if (sqlite3_step(s->begin) != SQLITE_ROW) die(s->db, "turn_begin");
  json = (const char *)sqlite3_column_text(s->begin, 0);
  if (!json || strncmp(json, "{\"turn\":", 8) != 0) die(s->db, "nothing waits");
  s->turn = strtoll(json + 8, &end, 10);
  if (strncmp(end, ",\"token\":", 9) != 0) die(s->db, "no token");
  s->token = strtoll(end + 9, NULL, 10);
  if (sqlite3_step(s->begin) != SQLITE_DONE) die(s->db, "turn_begin");
  sqlite3_reset(s->begin);
}

static void complete(Side *s, int inTransaction) {
  if (s->byFloor) {
    byFloor(s, floorComplete, inTransaction);
    return;
  }
  sqlite3_bind_int64(s->complete, 1, s->turn);
  sqlite3_bind_int64(s->complete, 2, s->token);
  stepAll(s->db, s->complete);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

enum { ENQUEUE, TAKE };

/*
** Microseconds per operation. The queue is as long before each operation as before the first: an
** input that was enqueued is taken out, and one is enqueued before one is taken, off the clock.
*/
static double block(Side *s, int what, int inTransaction) {
  double t = now(), sum = 0;
  if (inTransaction) run(s->db, "BEGIN IMMEDIATE");
  sum += now() - t;
  for (int i = 0; i < PER_BLOCK; i++) {
    if (what == TAKE) push(s, inTransaction);
    t = now();
    if (what == ENQUEUE) {
      push(s, inTransaction);
    } else {
      begin(s, inTransaction);
      complete(s, inTransaction);
    }
    sum += now() - t;
    if (what == ENQUEUE) stepAll(s->db, s->drain);
  }
  t = now();
  if (inTransaction) run(s->db, "COMMIT");
  sum += now() - t;
  run(s->db, "PRAGMA wal_checkpoint(PASSIVE)");
  return sum / PER_BLOCK;
}

/* Session m, with an open task, its first turn, and so many inputs waiting. */
static void makeSession(sqlite3 *db, int waiting) {
  Side s;
  run(db, "SELECT turnstile_config('queue_mode_user', 'queue');"
          "SELECT session_start('m', 'build the page');");
  openSide(&s, db, 0, BY_USER, PUSH);
  push(&s, 0);
  begin(&s, 0);
  complete(&s, 0);
  for (int i = 0; i < waiting; i++)
    push(&s, 0);
  closeSide(&s);
}

/* A run that lives through the whole case. */
static void makeRun(sqlite3 *db) {
  run(db,
      "SELECT turnstile_config('lease', '1 day');"
      "SELECT turn_begin('m', 'w', '{\"messages\":[{\"role\":\"user\",\"content\":\"go\"}]}');");
}

/* The floor does not classify: it is told what the command says. */
static void learn(Side *s) {
  sqlite3_stmt *stmt;
  if (s->way != DELIVER && s->way != DELIVER_CLASS) return;
  stepAll(s->db, s->push);
  stepAll(s->db, s->drain);
  stmt = prepare(
      s->db,
      "SELECT confidence, decision -> '$.confidence' FROM deliveries ORDER BY id DESC LIMIT 1");
  if (sqlite3_step(stmt) != SQLITE_ROW) die(s->db, "nothing delivered");
  s->confidence = sqlite3_column_double(stmt, 0);
  snprintf(s->inDecision, sizeof(s->inDecision), "%s", (const char *)sqlite3_column_text(stmt, 1));
  sqlite3_finalize(stmt);
}

/* Of each table a query: its rows here, its rows there, and those that are only here. */
static const char compareSql[] =
    "SELECT t.name, format('SELECT (SELECT count(*) FROM main.\"%w\"), (SELECT count(*) FROM "
    "other.\"%w\"), count(*) FROM (SELECT %s FROM main.\"%w\" EXCEPT SELECT %s FROM "
    "other.\"%w\")', "
    "t.name, t.name, t.list, t.name, t.list, t.name) "
    "FROM (SELECT m.name AS name, group_concat('\"' || i.name || '\"') AS list "
    "FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS i "
    "WHERE m.type = 'table' AND m.name NOT IN ('sqlite_stat1', 'turnstile_meta', 'steps') "
    "AND i.name NOT IN ('at', 'last_activity', 'last_used', 'hash', 'head_step_id', 'event_id', "
    "'tip_id', 'head_event_id', 'worked', 'shown_turn_id', 'awaits_turn') AND i.name NOT GLOB "
    "'*_at' "
    "GROUP BY m.name) AS t";

/*
** Both must hold the same rows, apart from times, the hashes made from them, and what the engine notes
** to undo and to show things once. (turnstile_meta has an id of the file, and a step is named by its
** hash.)
*/
static void compare(sqlite3 *db, const char *other) {
  char attach[400];
  sqlite3_stmt *tables;
  snprintf(attach, sizeof(attach), "ATTACH '%s' AS other", other);
  run(db, attach);
  tables = prepare(db, compareSql);
  while (sqlite3_step(tables) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(tables, 0);
    sqlite3_stmt *stmt = prepare(db, (const char *)sqlite3_column_text(tables, 1));
    if (sqlite3_step(stmt) != SQLITE_ROW) die(db, name);
    if (sqlite3_column_int64(stmt, 0) != sqlite3_column_int64(stmt, 1) ||
        sqlite3_column_int64(stmt, 2) != 0) {
      fprintf(stderr,
              "bench: %s: the command has %lld rows, the floor %lld; %lld of the command's are "
              "not the floor's\n",
              name, sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1),
              sqlite3_column_int64(stmt, 2));
      exit(1);
    }
    sqlite3_finalize(stmt);
  }
  sqlite3_finalize(tables);
  run(db, "DETACH other");
}

enum { AUTOCOMMIT, IN_TRANSACTION, IN_MEMORY, MODES };

static const char *const modes[MODES] = {"autocommit", "inside a transaction",
                                         "inside a transaction, temp_store = MEMORY"};

static void benchCase(const char *label, int what, int sender, int way, int waiting, int mode) {
  static double ratios[MAX_BLOCKS], ours[MAX_BLOCKS], floors[MAX_BLOCKS];
  const char *paths[2] = {pathOf("command"), pathOf("floor")};
  int inTransaction = mode != AUTOCOMMIT;
  Side sides[2];
  for (int i = 0; i < 2; i++) {
    sqlite3 *db = openDatabase(paths[i]);
    run(db, "PRAGMA wal_autocheckpoint = 0;");
    if (mode == IN_MEMORY) run(db, "PRAGMA temp_store = MEMORY;");
    makeSession(db, waiting);
    if (way == DELIVER || way == DELIVER_CLASS) makeRun(db);
    openSide(&sides[i], db, i, sender, way);
    learn(&sides[i]);
  }
  for (int b = -1; b < nBlocks; b++) {
    double c = block(&sides[0], what, inTransaction), f = block(&sides[1], what, inTransaction);
    if (b < 0) continue;
    ours[b] = c;
    floors[b] = f;
    ratios[b] = c / f;
  }
  row(label, median(ours, nBlocks), median(floors, nBlocks), median(ratios, nBlocks),
      inTransaction ? "≤ 2" : "≤ 1.3");
  for (int i = 0; i < 2; i++)
    closeSide(&sides[i]);
  compare(sides[0].db, paths[1]);
  for (int i = 0; i < 2; i++) {
    if (sqlite3_close(sides[i].db) != SQLITE_OK) die(sides[i].db, "close");
  }
}

static void benchEnqueue(void) {
  char label[100];
  heading("an input into the queue", "command, µs", "floor, µs");
  for (int mode = 0; mode <= IN_TRANSACTION; mode++) {
    for (int way = 0; way < WAYS; way++) {
      snprintf(label, sizeof(label), "%s, %s", wayNames[way], modes[mode]);
      benchCase(label, ENQUEUE, BY_USER, way, 0, mode);
    }
    snprintf(label, sizeof(label), "queue_push behind %d others, %s", WAITING, modes[mode]);
    benchCase(label, ENQUEUE, BY_USER, PUSH, WAITING, mode);
  }
}

static void benchTake(void) {
  char label[100];
  heading("turn_begin takes an input, turn_complete", "commands, µs", "floor, µs");
  for (int mode = 0; mode < MODES; mode++) {
    snprintf(label, sizeof(label), "a user's message, %s", modes[mode]);
    benchCase(label, TAKE, BY_USER, PUSH, 0, mode);
    snprintf(label, sizeof(label), "an agent's message, %s", modes[mode]);
    benchCase(label, TAKE, BY_AGENT, PUSH, 0, mode);
    snprintf(label, sizeof(label), "a user's message, %d others wait, %s", WAITING, modes[mode]);
    benchCase(label, TAKE, BY_USER, PUSH, WAITING, mode);
  }
}

/* ---- Beside inputs that were delivered ------------------------------------------------------- */

enum { NEW_FILE, SPREAD, SAME, FILES };

static const char *const fileNames[FILES] = {"new", "spread", "same"};
static const char *const fileLabels[FILES] = {"", "spread over 10,000 sessions", "of this session"};

/* Sessions beside m, with nothing to be done about them. */
static void fillOthers(sqlite3 *db) {
  char sql[600];
  snprintf(sql, sizeof(sql),
           "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO "
           "sessions(label, created_at, updated_at, last_activity) SELECT iif(i %% 2, 'a', 'z') || "
           "i, %lld, %lld, %lld FROM n",
           OTHERS, wallClock(), wallClock(), wallClock());
  run(db, sql);
}

/* So many inputs, each with its delivery, as queue_push and a turn have left them. */
static void fillDelivered(sqlite3 *db, int n, int isSpread) {
  char sql[1200], label[80] = "'m'";
  if (isSpread) {
    snprintf(label, sizeof(label), "iif(i %% %d %% 2, 'z', 'a') || (1 + i %% %d)", OTHERS, OTHERS);
  }
  snprintf(sql, sizeof(sql),
           "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO "
           "session_queue(session_label, delivery_id, source, mode, class, status, attempts, "
           "turn_id, enqueued_at, delivered_at, message, rank) SELECT %s, i, 'user', 'queue', "
           "'Modification', 'delivered', 1, 16777216, 1000 + i, 2000 + i, '" MESSAGE "', -2 FROM n",
           n, label);
  run(db, sql);
  snprintf(sql, sizeof(sql),
           "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO "
           "deliveries(id, session_label, source, action, decision, at, message) SELECT i, %s, "
           "'user', 'queue', '{\"action\":\"queue\",\"session\":\"m\",\"task_id\":1,\"class\":"
           "null,\"confidence\":null,\"state\":\"Running\",\"previous_state\":\"Running\","
           "\"queue_id\":' || i || '}', 1000 + i, '" MESSAGE "' FROM n",
           n, label);
  run(db, sql);
}

/* A file with the sessions and inputs that are asked for, and session m with its first turn. */
static sqlite3 *makeFile(const char *path, int hasOthers, int n) {
  sqlite3 *db = openDatabase(path);
  if (hasOthers || n > 0) {
    run(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000;"
            "BEGIN; INSERT INTO turnstile_meta(key, value) VALUES ('unguarded', 1);");
    if (hasOthers) fillOthers(db);
    if (n > 0) fillDelivered(db, n, hasOthers);
    run(db, "DELETE FROM turnstile_meta WHERE key = 'unguarded'; COMMIT;"
            "PRAGMA journal_mode = WAL;");
    if (sqlite3_close(db) != SQLITE_OK) die(db, "close");
    db = connectForBlocks(path);
  }
  run(db, "PRAGMA wal_autocheckpoint = 0;");
  makeSession(db, 0);
  run(db, "PRAGMA wal_checkpoint(PASSIVE)");
  return db;
}

/* The same operations on a new file and on large ones, by the commands and by the floor. */
static void benchFlat(sqlite3 *const *large) {
  static double times[2][2][FILES][MAX_BLOCKS], ratios[2][2][FILES][MAX_BLOCKS];
  static const char *const names[2][2] = {{"queue_push", "turn_begin, turn_complete"},
                                          {"the floor of queue_push", "the floor of the turn"}};
  Side by[2][FILES];
  for (int i = 0; i < FILES; i++) {
    if (i == NEW_FILE) continue;
    for (int side = 0; side < 2; side++) {
      openSide(&by[side][i], large[i], side, BY_USER, PUSH);
      learn(&by[side][i]);
    }
  }
  for (int b = -1; b < nBlocks; b++) {
    sqlite3 *fresh = makeFile(pathOf(fileNames[NEW_FILE]), 0, 0);
    for (int side = 0; side < 2; side++) {
      openSide(&by[side][NEW_FILE], fresh, side, BY_USER, PUSH);
      learn(&by[side][NEW_FILE]);
    }
    /* As it is after a while, with a log that is written over again. */
    block(&by[0][NEW_FILE], TAKE, 0);
    for (int i = 0; i < FILES; i++) {
      for (int side = 0; side < 2; side++) {
        for (int what = 0; what < 2; what++) {
          double t = block(&by[side][i], what, 0);
          if (b < 0) continue;
          times[side][what][i][b] = t;
          ratios[side][what][i][b] = t / times[side][what][NEW_FILE][b];
        }
      }
    }
    for (int side = 0; side < 2; side++)
      closeSide(&by[side][NEW_FILE]);
    if (sqlite3_close(fresh) != SQLITE_OK) die(fresh, "close");
  }
  heading("beside delivered inputs, autocommit", "there, µs", "new file, µs");
  for (int side = 0; side < 2; side++) {
    for (int what = 0; what < 2; what++) {
      double small = median(times[side][what][NEW_FILE], nBlocks);
      for (int i = NEW_FILE + 1; i < FILES; i++) {
        char label[120];
        snprintf(label, sizeof(label), "%s, beside %d %s", names[side][what], nDelivered,
                 fileLabels[i]);
        row(label, median(times[side][what][i], nBlocks), small,
            median(ratios[side][what][i], nBlocks), side ? "" : "≤ 1.5");
      }
    }
  }
  for (int i = NEW_FILE + 1; i < FILES; i++) {
    for (int side = 0; side < 2; side++)
      closeSide(&by[side][i]);
  }
}

/* ---- Steps of SQLite's engine ---------------------------------------------------------------- */

static int countSteps(unsigned type, void *sum, void *stmt, void *unused) {
  (void)type;
  (void)unused;
  *(long *)sum += sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
  return 0;
}

/* Counts into sum, from here on; also statements that live only within a command. NULL: no more. */
static void countInto(sqlite3 *db, long *sum) {
  allSteps(db);
  if (sum) *sum = 0;
  sqlite3_trace_v2(db, sum ? SQLITE_TRACE_PROFILE : 0, sum ? countSteps : NULL, sum);
}

enum { S_PUSH, S_BEGIN, S_COMPLETE, S_DELIVER, S_RECOVER, S_LIST, S_STARTUP, S_SWEEP, S_COUNT };

static const char *const stepNames[S_COUNT] = {
    "queue_push",        "turn_begin, taking one",
    "turn_complete",     "session_deliver, a live run",
    "session_recover",   "queue_list of the session",
    "turnstile_startup", "session_sweep, two years later"};

static void stepsOf(sqlite3 *db, long *steps) {
  static const char *const sql[S_COUNT] = {
      [S_DELIVER] = "SELECT session_deliver('m', '" MESSAGE "')",
      [S_RECOVER] = "SELECT session_recover('m')",
      [S_LIST] = "SELECT * FROM queue_list WHERE session_label = 'm'",
      [S_STARTUP] = "SELECT turnstile_startup('w')",
      [S_SWEEP] = "SELECT session_sweep(json_object('now', unixepoch() * 1000 + 63072000000))",
  };
  Side s;
  openSide(&s, db, 0, BY_USER, PUSH);
  /* Everything once before, so that caches are filled. */
  push(&s, 0);
  begin(&s, 0);
  complete(&s, 0);
  countInto(db, &steps[S_PUSH]);
  push(&s, 0);
  countInto(db, &steps[S_BEGIN]);
  begin(&s, 0);
  countInto(db, &steps[S_COMPLETE]);
  complete(&s, 0);
  countInto(db, NULL);
  /* A live run, and an input that waits. */
  push(&s, 0);
  begin(&s, 0);
  push(&s, 0);
  for (int i = 0; i < S_COUNT; i++) {
    sqlite3_stmt *stmt;
    if (!sql[i]) continue;
    stmt = prepare(db, sql[i]);
    countInto(db, &steps[i]);
    stepAll(db, stmt);
    countInto(db, NULL);
    sqlite3_finalize(stmt);
  }
  closeSide(&s);
}

static void benchSteps(sqlite3 *const *large) {
  long steps[FILES][S_COUNT], base[S_COUNT];
  sqlite3 *small = makeFile(pathOf("new"), 0, 0);
  heading("steps of SQLite's engine", "there", "without");
  stepsOf(small, steps[NEW_FILE]);
  if (sqlite3_close(small) != SQLITE_OK) die(small, "close");
  small = makeFile(pathOf("new"), 1, 0);
  stepsOf(small, base);
  if (sqlite3_close(small) != SQLITE_OK) die(small, "close");
  for (int i = NEW_FILE + 1; i < FILES; i++)
    stepsOf(large[i], steps[i]);
  for (int k = 0; k < S_COUNT; k++) {
    for (int i = NEW_FILE + 1; i < FILES; i++) {
      long without = i == SPREAD ? base[k] : steps[NEW_FILE][k];
      char label[120];
      snprintf(label, sizeof(label), "%s, beside %d %s", stepNames[k], nDelivered, fileLabels[i]);
      row(label, (double)steps[i][k], (double)without, (double)steps[i][k] / (double)without, "1");
    }
  }
}

static void benchDelivered(void) {
  sqlite3 *large[FILES] = {NULL};
  for (int i = NEW_FILE + 1; i < FILES; i++)
    large[i] = makeFile(pathOf(fileNames[i]), i == SPREAD, nDelivered);
  benchSteps(large);
  benchFlat(large);
  for (int i = NEW_FILE + 1; i < FILES; i++) {
    if (sqlite3_close(large[i]) != SQLITE_OK) die(large[i], "close");
  }
}

int main(int argc, char **argv) {
  double t = now();
  if (argc > 1) nDelivered = atoi(argv[1]);
  if (argc > 2) nBlocks = atoi(argv[2]);
  if (nDelivered < 1000 || nDelivered > 10000000 || nBlocks < 3 || nBlocks > MAX_BLOCKS) {
    fprintf(stderr, "usage: bench_queue [DELIVERED (1000..10000000) [BLOCKS (3..%d)]]\n",
            MAX_BLOCKS);
    return 2;
  }
  makeDirectory();
  printf("SQLite %s, %d delivered inputs, %d blocks of %d operations, medians.\n",
         sqlite3_libversion(), nDelivered, nBlocks, PER_BLOCK);
  benchEnqueue();
  benchTake();
  benchDelivered();
  printf("\n%.0f seconds.\n", (now() - t) / 1e6);
  return 0;
}
