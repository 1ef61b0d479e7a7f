/*
** bench_turns.c - the turn tree against hand-written C, as ratios, in one run.
**
** As in bench.c, a floor is what a C programmer would write who keeps the same tables, indexes and
** guards by hand, and command and floor take turns in small blocks. Sizes are shown as the ratio of
** a large file to a small one. Large files are filled by plain SQL, with the guards standing open,
** in the order in which commands would have written them; trees with forks by commands.
** Nothing here judges: the table says what is aimed at.
**
**   bench_turns [TURNS [BLOCKS]]       (default 1000000 and 60)
*/
#include "bench.h"

#include <fcntl.h>
#include <math.h>

#define POOL 1024      /* texts to write */
#define SESSIONS 100   /* that grow interleaved in one file */
#define NESTED 10000   /* forks of forks */
#define SAMPLES 20000  /* ancestor queries */
#define COLD 3         /* readings with nothing in memory */
#define SHORT 60       /* bytes of a short message */
#define OTHERS_TURNS 3 /* of each session beside the measured one */
#define FIRST_TURN (1 << 24)

static int nTurns = 1000000;
static int nBlocks = 60;

/* ---- Texts: a median of 600 bytes and a long tail -------------------------------------------- */

typedef struct Text {
  char *raw;
  int n;
  char *json; /* the same as a JSON string, with its quotes */
} Text;

static Text pool[POOL], shortPool[POOL];
static sqlite3_uint64 seed = 88172645463325252ULL;

static sqlite3_uint64 randomBits(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static double uniform(void) {
  return (double)((randomBits() >> 11) + 1) / 9007199254740993.0;
}

static sqlite3_int64 below(sqlite3_int64 n) {
  return (sqlite3_int64)((randomBits() >> 1) % (sqlite3_uint64)n);
}

/* Lengths are log-normal: half below 600 bytes, one in a hundred above 6 KB. */
static void makeTexts(void) {
  static const char *const words[] = {
      "the ",      "table ", "is ",     "read ",  "again, ", "then ", "a ",      "page ", "of ",
      "\"code\" ", "goes ",  "here.\n", "parse ", "what ",   "fail ", "error: ", "in ",   "line "};
  for (int i = 0; i < POOL; i++) {
    double gauss = sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
    int want = (int)(600 * exp(gauss)), n = 0, k = 0;
    if (want < 20) want = 20;
    if (want > 65536) want = 65536;
    pool[i].raw = malloc((size_t)want + 20);
    pool[i].json = malloc(2 * (size_t)want + 50);
    if (!pool[i].raw || !pool[i].json) exit(1);
    while (n < want) {
      n += sprintf(pool[i].raw + n, "%s", words[below(sizeof(words) / sizeof(words[0]))]);
    }
    pool[i].n = n;
    pool[i].json[k++] = '"';
    for (int j = 0; j < n; j++) {
      char c = pool[i].raw[j];
      if (c == '"' || c == '\n') pool[i].json[k++] = '\\';
      pool[i].json[k++] = c == '\n' ? 'n' : c;
    }
    pool[i].json[k++] = '"';
    pool[i].json[k] = 0;
    shortPool[i] = (Text){pool[i].raw, n < SHORT ? n : SHORT, NULL};
  }
}

static const Text *someText(void) {
  return &pool[below(POOL)];
}

/* What the turns of a session hold. */
enum { TWO_MESSAGES, SHORT_MESSAGES, TOOL_CALLS, KINDS };

static const Text *textOf(int kind) {
  return kind == SHORT_MESSAGES ? &shortPool[below(POOL)] : someText();
}

static sqlite3_int64 tokens(const Text *t) {
  return (t->n + 3) / 4;
}

static void bindText(sqlite3_stmt *stmt, int i, const Text *t) {
  sqlite3_bind_text(stmt, i, t->raw, t->n, SQLITE_STATIC);
}

/* ---- Filling by plain SQL -------------------------------------------------------------------- */

typedef struct Filler {
  sqlite3 *db;
  sqlite3_stmt *branch, *turn, *message, *call, *history, *session;
} Filler;

/* Fast and unsafe while it fills; the guards stand open. */
static void fillOpen(Filler *f, const char *path) {
  sqlite3 *db = f->db = openDatabase(path);
  run(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000;");
  run(db, "BEGIN; INSERT INTO turnstile_meta(key, value) VALUES ('unguarded', 1);");
  f->branch = prepare(db, "INSERT INTO branches(id, parent_turn_id, first_depth, level, jump_id) "
                          "VALUES (?1, NULL, 0, 0, NULL)");
  f->turn = prepare(db, "INSERT INTO turns(id, parent_turn_id, status, on_path, source, "
                        "thread_tokens, started_at, completed_at) VALUES (?1, ?2, 'completed', 1, "
                        "'user', ?3, ?4, ?4)");
  f->message = prepare(db, "INSERT INTO messages(place, created_at, content, role) VALUES (?1, "
                           "?2, ?3, ?4)");
  f->call = prepare(db, "INSERT INTO tool_calls(place, id, tool_name, status, started_at, "
                        "completed_at, params, result) VALUES (?1, 'call_' || ?1, 'read_file', "
                        "'completed', ?2, ?2, '{\"path\":\"src/main.c\"}', ?3)");
  f->history = prepare(db, "INSERT INTO session_history(session_label, thread_id, changed_at, "
                           "reason) VALUES ('s' || ?1, ?2, ?3, 'append')");
  f->session = prepare(db, "INSERT INTO sessions(label, thread_id, created_at, updated_at, "
                           "last_activity, turns) VALUES ('s' || ?1, ?2, 1000, ?3, ?3, ?4)");
}

/* One turn at the end of a branch that grows from a root, with its history. */
static void fillTurn(Filler *f, int branch, int depth, sqlite3_int64 *thread, sqlite3_int64 at,
                     int kind) {
  sqlite3_int64 id = (sqlite3_int64)branch << 24 | depth, place = id << 12;
  if (depth == 0) {
    sqlite3_bind_int(f->branch, 1, branch);
    stepAll(f->db, f->branch);
  }
  for (int i = 0; i < 3; i++) {
    const Text *text = textOf(kind);
    sqlite3_stmt *stmt = i == 1 ? f->call : f->message;
    if (i == 1 && kind != TOOL_CALLS) continue;
    sqlite3_bind_int64(stmt, 1, place++);
    sqlite3_bind_int64(stmt, 2, at);
    bindText(stmt, 3, text);
    if (i != 1) sqlite3_bind_text(stmt, 4, i ? "assistant" : "user", -1, SQLITE_STATIC);
    stepAll(f->db, stmt);
    *thread += tokens(text);
  }
  sqlite3_bind_int64(f->turn, 1, id);
  if (depth > 0)
    sqlite3_bind_int64(f->turn, 2, id - 1);
  else
    sqlite3_bind_null(f->turn, 2);
  sqlite3_bind_int64(f->turn, 3, *thread);
  sqlite3_bind_int64(f->turn, 4, at);
  stepAll(f->db, f->turn);
  sqlite3_bind_int(f->history, 1, branch);
  sqlite3_bind_int64(f->history, 2, id);
  sqlite3_bind_int64(f->history, 3, at);
  stepAll(f->db, f->history);
}

static void fillSession(Filler *f, int branch, int turns, sqlite3_int64 at) {
  sqlite3_bind_int(f->session, 1, branch);
  sqlite3_bind_int64(f->session, 2, ((sqlite3_int64)branch << 24) + turns - 1);
  sqlite3_bind_int64(f->session, 3, at);
  sqlite3_bind_int(f->session, 4, turns);
  stepAll(f->db, f->session);
}

static void fillClose(Filler *f) {
  sqlite3_stmt *all[] = {f->branch, f->turn, f->message, f->call, f->history, f->session};
  run(f->db, "DELETE FROM turnstile_meta WHERE key = 'unguarded'; COMMIT;");
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
    sqlite3_finalize(all[i]);
  run(f->db, "PRAGMA journal_mode = WAL;");
  if (sqlite3_close(f->db) != SQLITE_OK) die(f->db, "close");
}

/* A file whose first session, s1, has so many turns; others with a few turns each come after it. */
static void fillChain(const char *path, int turns, int others) {
  Filler f;
  sqlite3_int64 thread = 0;
  fillOpen(&f, path);
  for (int i = 0; i < turns; i++)
    fillTurn(&f, 1, i, &thread, 2000 + i, TWO_MESSAGES);
  fillSession(&f, 1, turns, 2000 + turns);
  for (int k = 2; k < others + 2; k++) {
    thread = 0;
    for (int i = 0; i < OTHERS_TURNS; i++)
      fillTurn(&f, k, i, &thread, 2000 + k, TWO_MESSAGES);
    fillSession(&f, k, OTHERS_TURNS, 2000 + k);
  }
  fillClose(&f);
}

/* Sessions that grow interleaved, of all kinds. */
static void fillMixed(const char *path, int sessions, int perSession) {
  Filler f;
  int *depth = calloc((size_t)sessions, sizeof(int)), *open = calloc((size_t)sessions, sizeof(int));
  sqlite3_int64 *thread = calloc((size_t)sessions, sizeof(sqlite3_int64));
  int nOpen = sessions;
  if (!depth || !open || !thread) exit(1);
  fillOpen(&f, path);
  for (int i = 0; i < sessions; i++)
    open[i] = i;
  for (sqlite3_int64 at = 2000; nOpen > 0; at++) {
    int k = (int)below(nOpen), s = open[k];
    fillTurn(&f, s + 1, depth[s]++, &thread[s], at, s % KINDS);
    if (depth[s] == perSession) open[k] = open[--nOpen];
  }
  for (int i = 0; i < sessions; i++)
    fillSession(&f, i + 1, perSession, 2000);
  fillClose(&f);
  free(depth);
  free(open);
  free(thread);
}

/* The same growth without the extension: ids in the order of writing, messages by an index. */
static void fillPlain(const char *path, int sessions, int perSession) {
  sqlite3 *db = NULL;
  sqlite3_stmt *turn, *message;
  int *depth = calloc((size_t)sessions, sizeof(int)), *open = calloc((size_t)sessions, sizeof(int));
  sqlite3_int64 *head = calloc((size_t)sessions, sizeof(sqlite3_int64));
  int nOpen = sessions;
  if (!depth || !open || !head) exit(1);
  removeDatabase(path);
  if (sqlite3_open(path, &db) != SQLITE_OK) die(db, path);
  run(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000;"
          "CREATE TABLE sessions(label TEXT PRIMARY KEY, thread_id INTEGER);"
          "CREATE TABLE turns(id INTEGER PRIMARY KEY, parent_turn_id INTEGER, status TEXT, "
          "source TEXT, started_at INTEGER, completed_at INTEGER);"
          "CREATE TABLE messages(id INTEGER PRIMARY KEY, turn_id INTEGER, sequence INTEGER, "
          "role TEXT, source TEXT, created_at INTEGER, metadata TEXT, content TEXT);"
          "CREATE INDEX messages_by_turn ON messages(turn_id, sequence); BEGIN;");
  turn = prepare(db, "INSERT INTO turns VALUES (?1, ?2, 'completed', 'user', ?1, ?1)");
  message = prepare(db, "INSERT INTO messages VALUES (NULL, ?1, ?2, ?3, NULL, ?1, NULL, ?4)");
  for (int i = 0; i < sessions; i++)
    open[i] = i;
  for (sqlite3_int64 id = 1; nOpen > 0; id++) {
    int k = (int)below(nOpen), s = open[k];
    sqlite3_bind_int64(turn, 1, id);
    if (head[s])
      sqlite3_bind_int64(turn, 2, head[s]);
    else
      sqlite3_bind_null(turn, 2);
    stepAll(db, turn);
    head[s] = id;
    for (int i = 0; i < 2; i++) {
      sqlite3_bind_int64(message, 1, id);
      sqlite3_bind_int(message, 2, i);
      sqlite3_bind_text(message, 3, i ? "assistant" : "user", -1, SQLITE_STATIC);
      bindText(message, 4, textOf(s % KINDS));
      stepAll(db, message);
    }
    if (++depth[s] == perSession) open[k] = open[--nOpen];
  }
  sqlite3_finalize(turn);
  sqlite3_finalize(message);
  turn = prepare(db, "INSERT INTO sessions VALUES ('s' || ?1, ?2)");
  for (int i = 0; i < sessions; i++) {
    sqlite3_bind_int(turn, 1, i + 1);
    sqlite3_bind_int64(turn, 2, head[i]);
    stepAll(db, turn);
  }
  sqlite3_finalize(turn);
  run(db, "COMMIT; PRAGMA journal_mode = WAL;");
  if (sqlite3_close(db) != SQLITE_OK) die(db, "close");
  free(depth);
  free(open);
  free(head);
}

/* ---- Appending ------------------------------------------------------------------------------- */

/*
** The floor: what it reads to know where the turn goes, and the rows it writes. The guards want a
** turn to begin running and messages to be written while it runs, so a turn is written twice.
*/
enum {
  F_BEGIN,
  F_COMMIT,
  F_SESSION,
  F_PARENT,
  F_NEXT,
  F_TURN,
  F_MESSAGE,
  F_END,
  F_HISTORY,
  F_ADVANCE,
  F_TAKEN,
  F_COUNT
};

static const char *const floorSql[F_COUNT] = {
    [F_BEGIN] = "BEGIN IMMEDIATE",
    [F_COMMIT] = "COMMIT",
    [F_SESSION] = "SELECT s.thread_id, s.status, s.superseded_by, s.open_task_id, s.work_source, "
                  "s.persona_id, s.last_activity, r.run_state, r.expires_at FROM sessions s LEFT "
                  "JOIN session_runs r ON r.session_label = s.label WHERE s.label = 's1'",
    [F_PARENT] = "SELECT on_path, context_turn_id, thread_tokens FROM turns WHERE id = ?1",
    [F_NEXT] = "SELECT 1 FROM turns WHERE id = ?1",
    [F_TURN] = "INSERT INTO turns(id, parent_turn_id, turn_type, status, phase, source, model, "
               "context_turn_id, started_at) VALUES (?1, ?2, 'normal', 'running', 'completing', "
               "'user', ?3, ?4, ?5)",
    [F_MESSAGE] = "INSERT INTO messages(place, role, created_at, content) VALUES (?1, ?2, ?3, ?4)",
    [F_END] = "UPDATE turns SET status = 'completed', phase = NULL, on_path = 1, completed_at = "
              "?2, thread_tokens = ?3, input_tokens = ?4, output_tokens = ?5, total_tokens = ?6 "
              "WHERE id = ?1",
    [F_HISTORY] = "INSERT INTO session_history(session_label, thread_id, task_id, changed_at, "
                  "reason) VALUES ('s1', ?1, NULL, ?2, 'append')",
    [F_ADVANCE] = "UPDATE sessions SET thread_id = ?1, turns = turns + 1, input_tokens = "
                  "input_tokens + ?2, output_tokens = output_tokens + ?3, total_tokens = "
                  "total_tokens + ?4, last_activity = ?5, updated_at = ?5 WHERE label = 's1'",
    [F_TAKEN] = "UPDATE session_queue SET status = 'delivered', delivered_at = ?1 WHERE "
                "session_label = 's1' AND status = 'handed' AND delivered_at IS NULL",
};

/* One way to append to session s1: by the command, or by the floor's statements. */
typedef struct Appender {
  sqlite3 *db;
  sqlite3_stmt *command;
  sqlite3_stmt *floor[F_COUNT];
  int usage; /* the turn reports its model and tokens */
} Appender;

static const char commandSql[] = "SELECT turn_append('s1', ?1)";
static const char commandUsageSql[] =
    "SELECT turn_append('s1', ?1, '{\"model\":\"large-4\",\"usage\":{\"input_tokens\":1200,"
    "\"output_tokens\":340}}')";

static void openCommand(Appender *a, sqlite3 *db, int usage) {
  memset(a, 0, sizeof(*a));
  a->db = db;
  a->usage = usage;
  a->command = prepare(db, usage ? commandUsageSql : commandSql);
}

static void openFloor(Appender *a, sqlite3 *db, int usage) {
  memset(a, 0, sizeof(*a));
  a->db = db;
  a->usage = usage;
  for (int i = 0; i < F_COUNT; i++)
    a->floor[i] = prepare(db, floorSql[i]);
}

static void closeAppender(Appender *a) {
  sqlite3_finalize(a->command);
  for (int i = 0; i < F_COUNT; i++)
    sqlite3_finalize(a->floor[i]);
}

static void floorAppend(Appender *a, const Text *const *texts, int inTransaction) {
  sqlite3_stmt *const *f = a->floor;
  sqlite3_int64 head, id, context, thread, at = wallClock();
  int input = a->usage ? 1200 : 0, output = a->usage ? 340 : 0;
  if (!inTransaction) stepAll(a->db, f[F_BEGIN]);
  if (sqlite3_step(f[F_SESSION]) != SQLITE_ROW) die(a->db, "floor: session");
  head = sqlite3_column_int64(f[F_SESSION], 0);
  sqlite3_reset(f[F_SESSION]);
  sqlite3_bind_int64(f[F_PARENT], 1, head);
  if (sqlite3_step(f[F_PARENT]) != SQLITE_ROW) die(a->db, "floor: parent");
  if (!sqlite3_column_int(f[F_PARENT], 0)) die(a->db, "floor: not on the path");
  context = sqlite3_column_int64(f[F_PARENT], 1);
  thread = sqlite3_column_int64(f[F_PARENT], 2);
  sqlite3_reset(f[F_PARENT]);
  id = head + 1;
  sqlite3_bind_int64(f[F_NEXT], 1, id);
  if (sqlite3_step(f[F_NEXT]) != SQLITE_DONE) die(a->db, "floor: not the tip");
  sqlite3_reset(f[F_NEXT]);
  sqlite3_bind_int64(f[F_TURN], 1, id);
  sqlite3_bind_int64(f[F_TURN], 2, head);
  if (a->usage) sqlite3_bind_text(f[F_TURN], 3, "large-4", -1, SQLITE_STATIC);
  if (context) sqlite3_bind_int64(f[F_TURN], 4, context);
  sqlite3_bind_int64(f[F_TURN], 5, at);
  stepAll(a->db, f[F_TURN]);
  for (int i = 0; i < 2; i++) {
    sqlite3_bind_int64(f[F_MESSAGE], 1, id << 12 | i);
    sqlite3_bind_text(f[F_MESSAGE], 2, i ? "assistant" : "user", -1, SQLITE_STATIC);
    sqlite3_bind_int64(f[F_MESSAGE], 3, at);
    bindText(f[F_MESSAGE], 4, texts[i]);
    stepAll(a->db, f[F_MESSAGE]);
  }
  sqlite3_bind_int64(f[F_END], 1, id);
  sqlite3_bind_int64(f[F_END], 2, at);
  sqlite3_bind_int64(f[F_END], 3, thread + tokens(texts[0]) + tokens(texts[1]));
  if (a->usage) {
    sqlite3_bind_int(f[F_END], 4, input);
    sqlite3_bind_int(f[F_END], 5, output);
    sqlite3_bind_int(f[F_END], 6, input + output);
  }
  stepAll(a->db, f[F_END]);
  sqlite3_bind_int64(f[F_HISTORY], 1, id);
  sqlite3_bind_int64(f[F_HISTORY], 2, at);
  stepAll(a->db, f[F_HISTORY]);
  sqlite3_bind_int64(f[F_ADVANCE], 1, id);
  sqlite3_bind_int(f[F_ADVANCE], 2, input);
  sqlite3_bind_int(f[F_ADVANCE], 3, output);
  sqlite3_bind_int(f[F_ADVANCE], 4, input + output);
  sqlite3_bind_int64(f[F_ADVANCE], 5, at);
  stepAll(a->db, f[F_ADVANCE]);
  sqlite3_bind_int64(f[F_TAKEN], 1, at);
  stepAll(a->db, f[F_TAKEN]);
  if (!inTransaction) stepAll(a->db, f[F_COMMIT]);
}

/* What one block appends, made before the clock runs: the texts, and the same as JSON. */
typedef struct Block {
  const Text *texts[PER_BLOCK][2];
  char *json[PER_BLOCK];
} Block;

static void makeBlock(Block *b) {
  for (int i = 0; i < PER_BLOCK; i++) {
    size_t n;
    b->texts[i][0] = someText();
    b->texts[i][1] = someText();
    n = strlen(b->texts[i][0]->json) + strlen(b->texts[i][1]->json) + 100;
    free(b->json[i]);
    b->json[i] = malloc(n);
    if (!b->json[i]) exit(1);
    snprintf(b->json[i], n,
             "[{\"role\":\"user\",\"content\":%s},{\"role\":\"assistant\",\"content\":%s}]",
             b->texts[i][0]->json, b->texts[i][1]->json);
  }
}

/* Microseconds per turn. */
static double appendBlock(Appender *a, const Block *b, int inTransaction) {
  double t = now();
  if (inTransaction) run(a->db, "BEGIN");
  for (int i = 0; i < PER_BLOCK; i++) {
    if (a->command) {
      sqlite3_bind_text(a->command, 1, b->json[i], -1, SQLITE_STATIC);
      stepAll(a->db, a->command);
    } else {
      floorAppend(a, b->texts[i], inTransaction);
    }
  }
  if (inTransaction) run(a->db, "COMMIT");
  return (now() - t) / PER_BLOCK;
}

static Block block;

static void benchAppend(void) {
  static double ratios[MAX_BLOCKS], ours[MAX_BLOCKS], floors[MAX_BLOCKS];
  heading("appending a turn of two messages", "command, µs", "floor, µs");
  for (int inTransaction = 0; inTransaction < 2; inTransaction++) {
    for (int usage = 0; usage < 2; usage++) {
      sqlite3 *dbs[2] = {openDatabase(pathOf("command")), openDatabase(pathOf("floor"))};
      Appender command, floor;
      char label[100];
      for (int i = 0; i < 2; i++)
        run(dbs[i], "SELECT turn_append('s1', '[{\"role\":\"user\",\"content\":\"begin\"}]');");
      openCommand(&command, dbs[0], usage);
      openFloor(&floor, dbs[1], usage);
      for (int i = -1; i < nBlocks; i++) {
        double c, f;
        makeBlock(&block);
        c = appendBlock(&command, &block, inTransaction);
        f = appendBlock(&floor, &block, inTransaction);
        if (i < 0) continue;
        ours[i] = c;
        floors[i] = f;
        ratios[i] = c / f;
      }
      snprintf(label, sizeof(label), "turn_append%s, %s", usage ? " with model and usage" : "",
               inTransaction ? "inside a transaction" : "autocommit");
      row(label, median(ours, nBlocks), median(floors, nBlocks), median(ratios, nBlocks),
          inTransaction ? "≤ 2" : "≤ 1.3");
      closeAppender(&command);
      closeAppender(&floor);
      for (int i = 0; i < 2; i++) {
        if (sqlite3_close(dbs[i]) != SQLITE_OK) die(dbs[i], "close");
      }
    }
  }
}

/* ---- Appending to large files ---------------------------------------------------------------- */

enum { NEW_FILE, SHORT_CHAIN, MIDDLE_CHAIN, LONG_CHAIN, OTHERS, FILES };

static const char *const fileNames[FILES] = {"new", "short", "middle", "long", "others"};

/* A file as it is after a while, with a log that is written over again; s1 has its first turn. */
static sqlite3 *openNewFile(void) {
  sqlite3 *db = openDatabase(pathOf(fileNames[NEW_FILE]));
  sqlite3_stmt *warm = prepare(db, "SELECT turn_append('s0', ?1)");
  run(db, "PRAGMA wal_autocheckpoint = 0;");
  for (int i = 0; i < PER_BLOCK; i++) {
    sqlite3_bind_text(warm, 1, block.json[i], -1, SQLITE_STATIC);
    stepAll(db, warm);
  }
  sqlite3_finalize(warm);
  run(db, "SELECT turn_append('s1', '[{\"role\":\"user\",\"content\":\"begin\"}]');");
  run(db, "PRAGMA wal_checkpoint(PASSIVE)");
  return db;
}

/* The same blocks go to a new file and to large ones, by the command and by the floor. */
static void benchFlat(void) {
  static double times[2][FILES][MAX_BLOCKS], ratios[2][FILES][MAX_BLOCKS];
  static Appender by[2][FILES];
  int turns[FILES] = {1, 1000, nTurns / 10, nTurns, 10}, others = nTurns / 10;
  sqlite3 *dbs[FILES];
  for (int i = SHORT_CHAIN; i < FILES; i++) {
    fillChain(pathOf(fileNames[i]), turns[i], i == OTHERS ? others : 0);
    dbs[i] = connectForBlocks(pathOf(fileNames[i]));
    openCommand(&by[0][i], dbs[i], 0);
    openFloor(&by[1][i], dbs[i], 0);
  }
  for (int b = -1; b < nBlocks; b++) {
    makeBlock(&block);
    dbs[NEW_FILE] = openNewFile();
    openCommand(&by[0][NEW_FILE], dbs[NEW_FILE], 0);
    openFloor(&by[1][NEW_FILE], dbs[NEW_FILE], 0);
    for (int i = 0; i < FILES; i++) {
      for (int side = 0; side < 2; side++) {
        double t = appendBlock(&by[side][i], &block, 0);
        run(dbs[i], "PRAGMA wal_checkpoint(PASSIVE)");
        if (b < 0) continue;
        times[side][i][b] = t;
        ratios[side][i][b] = t / times[side][NEW_FILE][b];
      }
    }
    closeAppender(&by[0][NEW_FILE]);
    closeAppender(&by[1][NEW_FILE]);
    if (sqlite3_close(dbs[NEW_FILE]) != SQLITE_OK) die(dbs[NEW_FILE], "close");
  }
  heading("appending to a large file, autocommit", "there, µs", "new file, µs");
  for (int side = 0; side < 2; side++) {
    const char *who = side ? "the floor" : "turn_append";
    double small = median(times[side][NEW_FILE], nBlocks);
    for (int i = SHORT_CHAIN; i < FILES; i++) {
      char label[120];
      if (i == OTHERS) {
        snprintf(label, sizeof(label), "%s, beside %d other sessions", who, others);
      } else {
        snprintf(label, sizeof(label), "%s to a session of %d turns", who, turns[i]);
      }
      row(label, median(times[side][i], nBlocks), small, median(ratios[side][i], nBlocks),
          side ? "" : "≤ 1.5");
    }
  }
  for (int i = SHORT_CHAIN; i < FILES; i++) {
    closeAppender(&by[0][i]);
    closeAppender(&by[1][i]);
    if (sqlite3_close(dbs[i]) != SQLITE_OK) die(dbs[i], "close");
    if (i != LONG_CHAIN) removeDatabase(pathOf(fileNames[i]));
  }
}

/* ---- Forking and rewinding ------------------------------------------------------------------- */

enum { FORK, REWIND };

/* One block: forks of s1's head under new labels, or their heads moved back to the root. */
static double forkBlock(sqlite3 *db, sqlite3_stmt *stmt, int what, sqlite3_int64 head, int first,
                        long *steps) {
  double t;
  allSteps(db);
  t = now();
  for (int i = 0; i < PER_BLOCK; i++) {
    sqlite3_bind_int(stmt, 1, first + i);
    sqlite3_bind_int64(stmt, 2, what == FORK ? head : FIRST_TURN);
    stepAll(db, stmt);
  }
  t = (now() - t) / PER_BLOCK;
  *steps = allSteps(db) / PER_BLOCK;
  return t;
}

static void benchFork(void) {
  static const char *const sql[] = {"SELECT session_fork(?2, 'f' || ?1)",
                                    "SELECT session_rewind('f' || ?1, ?2)"};
  static double times[2][2][MAX_BLOCKS], ratios[2][MAX_BLOCKS];
  sqlite3 *dbs[2];
  sqlite3_stmt *stmts[2][2];
  sqlite3_int64 heads[2];
  long steps[2][2];
  fillChain(pathOf("ten"), 10, 0);
  for (int i = 0; i < 2; i++) {
    dbs[i] = connectDatabase(pathOf(i ? fileNames[LONG_CHAIN] : "ten"));
    heads[i] = integer(dbs[i], "SELECT thread_id FROM sessions WHERE label = 's1'");
    for (int what = 0; what < 2; what++)
      stmts[i][what] = prepare(dbs[i], sql[what]);
  }
  for (int b = -1; b < nBlocks; b++) {
    for (int what = 0; what < 2; what++) {
      for (int i = 0; i < 2; i++) {
        double t =
            forkBlock(dbs[i], stmts[i][what], what, heads[i], (b + 1) * PER_BLOCK, &steps[i][what]);
        if (b >= 0) times[i][what][b] = t;
      }
      if (b >= 0) ratios[what][b] = times[1][what][b] / times[0][what][b];
    }
  }
  heading("forking and rewinding, autocommit", "there, µs", "10 turns, µs");
  for (int what = 0; what < 2; what++) {
    char label[100];
    snprintf(label, sizeof(label), "%s at %d turns", what ? "session_rewind" : "session_fork",
             nTurns);
    row(label, median(times[1][what], nBlocks), median(times[0][what], nBlocks),
        median(ratios[what], nBlocks), "≤ 1.5");
  }
  for (int what = 0; what < 2; what++) {
    char label[100];
    snprintf(label, sizeof(label), "steps of SQLite's engine for one %s",
             what ? "session_rewind" : "session_fork");
    row(label, (double)steps[1][what], (double)steps[0][what],
        (double)steps[1][what] / (double)steps[0][what], "1");
  }
  for (int i = 0; i < 2; i++) {
    for (int what = 0; what < 2; what++)
      sqlite3_finalize(stmts[i][what]);
    if (sqlite3_close(dbs[i]) != SQLITE_OK) die(dbs[i], "close");
  }
}

/* ---- Reading a context and a path ------------------------------------------------------------ */

/* Reads every column of the row, as a program would that shows it. Returns how many bytes. */
static long readRow(sqlite3_stmt *stmt) {
  long bytes = 0;
  for (int i = 0, n = sqlite3_column_count(stmt); i < n; i++) {
    switch (sqlite3_column_type(stmt, i)) {
    case SQLITE_INTEGER: bytes += sqlite3_column_int64(stmt, i) == 0; break;
    case SQLITE_NULL: break;
    default:
      if (sqlite3_column_text(stmt, i)) bytes += sqlite3_column_bytes(stmt, i);
    }
  }
  return bytes;
}

typedef struct Reading {
  long rows;
  long bytes;
  double time; /* µs */
} Reading;

static Reading readAll(sqlite3 *db, sqlite3_stmt *stmt) {
  Reading r = {0, 0, now()};
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    r.rows++;
    r.bytes += readRow(stmt);
  }
  if (rc != SQLITE_DONE) die(db, sqlite3_sql(stmt));
  sqlite3_reset(stmt);
  r.time = now() - r.time;
  return r;
}

/* The floor of a context: messages and tool calls of a range of turns, merged by place. */
static Reading readMerged(sqlite3 *db, sqlite3_stmt *messages, sqlite3_stmt *calls,
                          sqlite3_int64 first, sqlite3_int64 last) {
  Reading r = {0, 0, now()};
  sqlite3_stmt *both[2] = {messages, calls};
  int rc[2];
  for (int i = 0; i < 2; i++) {
    sqlite3_bind_int64(both[i], 1, first << 12);
    sqlite3_bind_int64(both[i], 2, last << 12 | 4095);
    rc[i] = sqlite3_step(both[i]);
  }
  while (rc[0] == SQLITE_ROW || rc[1] == SQLITE_ROW) {
    int i = rc[0] != SQLITE_ROW || (rc[1] == SQLITE_ROW && sqlite3_column_int64(calls, 0) <
                                                               sqlite3_column_int64(messages, 0));
    r.rows++;
    r.bytes += readRow(both[i]);
    rc[i] = sqlite3_step(both[i]);
  }
  if (rc[0] != SQLITE_DONE || rc[1] != SQLITE_DONE) die(db, "floor: range");
  sqlite3_reset(messages);
  sqlite3_reset(calls);
  r.time = now() - r.time;
  return r;
}

static void expectRows(Reading r, long rows, const char *what) {
  if (r.rows == rows) return;
  fprintf(stderr, "bench: %s gave %ld rows, not %ld\n", what, r.rows, rows);
  exit(1);
}

/*
** Ways to read: ours with all columns, ours with those that a model is sent, the range scan with
** all columns, and a recursive query, on our tables and on plain ones.
*/
enum { OURS, PROMPT, RANGE, CTE, PLAIN_CTE, WAYS };

static const char *const wayNames[WAYS] = {"all columns", "four columns", "ordered range scan",
                                           "recursive CTE", "recursive CTE, plain tables"};

#define UP                                                                                         \
  "WITH RECURSIVE up(id, parent, n) AS (SELECT t.id, t.parent_turn_id, 0 FROM sessions s JOIN "    \
  "turns t ON t.id = s.thread_id WHERE s.label = ?1 UNION ALL SELECT t.id, t.parent_turn_id, "     \
  "n + 1 FROM up JOIN turns t ON t.id = up.parent) "

/* Of each way: how it reads a context, and how a path. */
static const char *const waySql[WAYS][2] = {
    [OURS] = {"SELECT * FROM session_context(?1)", "SELECT * FROM turn_path(?1)"},
    [PROMPT] = {"SELECT role, content, tool_call_id, tool_name FROM session_context(?1)", NULL},
    [RANGE] = {"SELECT place, role, source, tool_call_id, created_at, metadata, content FROM "
               "messages WHERE place BETWEEN ?1 AND ?2",
               "SELECT id, parent_turn_id, turn_type, status, source, model, provider, "
               "input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, "
               "reasoning_tokens, total_tokens, thread_tokens, context_turn_id, external_id, "
               "started_at, completed_at, error FROM turns WHERE id BETWEEN ?1 AND ?2"},
    [CTE] = {UP "SELECT m.place, m.role, m.source, m.tool_call_id, m.created_at, m.metadata, "
                "m.content FROM up JOIN messages m ON m.place BETWEEN up.id << 12 AND up.id << 12 "
                "| 4095 ORDER BY up.n DESC, m.place",
             UP "SELECT t.* FROM up JOIN turns t ON t.id = up.id ORDER BY up.n DESC"},
    [PLAIN_CTE] = {UP "SELECT m.turn_id, m.sequence, m.role, m.source, m.created_at, m.metadata, "
                      "m.content FROM up JOIN messages m ON m.turn_id = up.id ORDER BY up.n DESC, "
                      "m.sequence",
                   UP "SELECT t.* FROM up JOIN turns t ON t.id = up.id ORDER BY up.n DESC"},
};

static const char callsSql[] =
    "SELECT place, id, tool_name, status, spawned_session_label, started_at, completed_at, error, "
    "params, result FROM tool_calls WHERE place BETWEEN ?1 AND ?2";

typedef struct Reader {
  sqlite3 *dbs[WAYS]; /* the plain tables have a file of their own */
  sqlite3_stmt *stmts[WAYS][2];
  sqlite3_stmt *calls;
  int perSession;
} Reader;

static void openReader(Reader *r, int perSession) {
  sqlite3 *db = connectDatabase(pathOf("mixed")), *plain = NULL;
  memset(r, 0, sizeof(*r));
  if (sqlite3_open(pathOf("plain"), &plain) != SQLITE_OK) die(plain, "plain");
  r->perSession = perSession;
  r->calls = prepare(db, callsSql);
  for (int way = 0; way < WAYS; way++) {
    r->dbs[way] = way == PLAIN_CTE ? plain : db;
    for (int isPath = 0; isPath < 2; isPath++) {
      if (waySql[way][isPath]) r->stmts[way][isPath] = prepare(r->dbs[way], waySql[way][isPath]);
    }
  }
}

static void closeReader(Reader *r) {
  sqlite3_finalize(r->calls);
  for (int way = 0; way < WAYS; way++) {
    for (int isPath = 0; isPath < 2; isPath++)
      sqlite3_finalize(r->stmts[way][isPath]);
  }
  if (sqlite3_close(r->dbs[OURS]) != SQLITE_OK) die(r->dbs[OURS], "close");
  if (sqlite3_close(r->dbs[PLAIN_CTE]) != SQLITE_OK) die(r->dbs[PLAIN_CTE], "close");
}

static int kindOf(int session) {
  return session % KINDS;
}

/* One session's context, or its path. */
static Reading readSession(Reader *r, int way, int session, int isPath) {
  sqlite3_int64 first = (sqlite3_int64)(session + 1) << 24, last = first + r->perSession - 1;
  int calls = !isPath && kindOf(session) == TOOL_CALLS;
  long rows = (long)r->perSession * (isPath ? 1 : 2 + calls * (way <= PROMPT ? 2 : 1));
  sqlite3_stmt *stmt = r->stmts[way][isPath];
  Reading reading;
  char label[20];
  if (way == RANGE && !isPath) {
    reading = readMerged(r->dbs[way], stmt, r->calls, first, last);
  } else {
    snprintf(label, sizeof(label), "s%d", session + 1);
    if (way == RANGE) {
      sqlite3_bind_int64(stmt, 1, first);
      sqlite3_bind_int64(stmt, 2, last);
    } else {
      sqlite3_bind_text(stmt, 1, label, -1, SQLITE_STATIC);
    }
    reading = readAll(r->dbs[way], stmt);
  }
  expectRows(reading, rows, wayNames[way]);
  return reading;
}

/* Slots of the tables: contexts by kind, then paths. */
enum { PATH = KINDS, SLOTS };

static const char *const slotNames[SLOTS] = {
    [TWO_MESSAGES] = "session_context, two messages a turn",
    [SHORT_MESSAGES] = "session_context, two short messages a turn",
    [TOOL_CALLS] = "session_context, a tool call as well",
    [PATH] = "turn_path",
};

/* The recursive queries read messages only. */
static int canRead(int slot, int way) {
  return waySql[way][slot == PATH] && !(slot == TOOL_CALLS && way >= CTE);
}

/* The rows of one slot: both of ours against the range scan, the recursive queries against ours. */
static void readingRows(int slot, int turns, double times[WAYS][SESSIONS], int n) {
  for (int way = 0; way < WAYS; way++) {
    int isCte = way > RANGE, mine = isCte ? OURS : way, other = isCte ? way : RANGE;
    double ours[SESSIONS], theirs[SESSIONS], ratios[SESSIONS];
    char label[150];
    if (way == RANGE || !canRead(slot, way)) continue;
    for (int i = 0; i < n; i++) {
      ours[i] = times[mine][i];
      theirs[i] = times[other][i];
      ratios[i] = isCte ? theirs[i] / ours[i] : ours[i] / theirs[i];
    }
    snprintf(label, sizeof(label), "%s, %d turns%s / %s", slotNames[slot], turns,
             way == PROMPT ? ", four columns" : "", wayNames[other]);
    row(label, median(ours, n), median(theirs, n), median(ratios, n), isCte ? "≥ 4" : "≤ 2");
  }
}

/* All read a session once before the clock counts: none finds what another one has warmed up. */
static void benchWarm(Reader *r, int sessions) {
  static double times[SLOTS][WAYS][SESSIONS];
  int n[SLOTS] = {0};
  for (int session = 0; session < sessions; session++) {
    int slots[2] = {kindOf(session), PATH};
    for (int isPath = 0; isPath < 2; isPath++) {
      int slot = slots[isPath];
      for (int warm = 0; warm < 2; warm++) {
        for (int way = 0; way < WAYS; way++) {
          if (!canRead(slot, way)) continue;
          times[slot][way][n[slot]] = readSession(r, way, session, isPath).time;
        }
      }
      n[slot]++;
    }
  }
  heading("reading, in a file of interleaved sessions", "ours, µs", "theirs, µs");
  for (int slot = 0; slot < SLOTS; slot++)
    readingRows(slot, r->perSession, times[slot], n[slot]);
}

/* Forgets what a connection and the system hold of a file in memory. */
static void forget(sqlite3 *db, const char *path) {
  int fd = open(path, O_RDONLY);
  run(db, "PRAGMA shrink_memory");
  if (fd < 0 || fdatasync(fd) != 0) exit(1);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
}

static void benchCold(Reader *r, int sessions) {
  static double times[WAYS][SESSIONS];
  heading("the same with nothing in memory", "ours, µs", "theirs, µs");
  for (int slot = 0; slot < SLOTS; slot++) {
    for (int i = 0; i < COLD; i++) {
      int session = (slot == PATH ? i : i * KINDS + slot) % sessions;
      for (int way = 0; way < WAYS; way++) {
        if (!canRead(slot, way)) continue;
        forget(r->dbs[OURS], pathOf("mixed"));
        forget(r->dbs[PLAIN_CTE], pathOf("plain"));
        times[way][i] = readSession(r, way, session, slot == PATH).time;
      }
    }
    readingRows(slot, r->perSession, times, COLD);
  }
}

/* Bytes that reading takes beyond what the connection has already, its page cache full. */
static sqlite3_int64 memoryOf(sqlite3 *db, const char *sql, sqlite3_int64 turn, long rows) {
  sqlite3_stmt *stmt = prepare(db, sql);
  sqlite3_int64 before;
  sqlite3_bind_int64(stmt, 1, turn);
  readAll(db, stmt);
  before = sqlite3_memory_used();
  sqlite3_memory_highwater(1);
  expectRows(readAll(db, stmt), rows, sql);
  sqlite3_finalize(stmt);
  return sqlite3_memory_highwater(0) - before;
}

/* Read are turns of short messages: a long text takes memory of its own, in whatever turn it is. */
static void benchMemory(Reader *r) {
  static const struct {
    const char *name, *sql;
    int perTurn;
  } readings[] = {
      {"session_context", "SELECT * FROM session_context(?1)", 2},
      {"session_context, with a budget", "SELECT * FROM session_context(?1, 1000000000)", 2},
      {"turn_path", "SELECT * FROM turn_path(?1)", 1},
      {"turn_path, from the head down", "SELECT * FROM turn_path(?1) ORDER BY depth DESC", 1},
  };
  sqlite3 *db = r->dbs[OURS];
  sqlite3_int64 first = (sqlite3_int64)(SHORT_MESSAGES + 1) << 24;
  /* Fills the page cache, which else would be counted. */
  readSession(r, OURS, TWO_MESSAGES, 0);
  heading("memory while reading", "bytes, long", "bytes, 100 turns");
  for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
    const char *sql = readings[i].sql;
    int per = readings[i].perTurn;
    char label[100];
    sqlite3_int64 small = memoryOf(db, sql, first + 99, 100L * per);
    sqlite3_int64 large = memoryOf(db, sql, first + r->perSession - 1, (long)r->perSession * per);
    snprintf(label, sizeof(label), "%s, %d turns", readings[i].name, r->perSession);
    row(label, (double)large, (double)small, (double)large / (double)small, "flat");
  }
}

static void benchRead(void) {
  int sessions = nTurns >= 1000000 ? SESSIONS : 10, perSession = nTurns / sessions;
  Reader r;
  fillMixed(pathOf("mixed"), sessions, perSession);
  fillPlain(pathOf("plain"), sessions, perSession);
  openReader(&r, perSession);
  benchWarm(&r, sessions);
  benchMemory(&r);
  benchCold(&r, sessions);
  closeReader(&r);
  removeDatabase(pathOf("mixed"));
  removeDatabase(pathOf("plain"));
}

/* ---- Ancestors ------------------------------------------------------------------------------- */

static sqlite3_int64 appendTo(sqlite3 *db, sqlite3_stmt *stmt, sqlite3_int64 parent) {
  sqlite3_int64 id;
  if (parent)
    sqlite3_bind_int64(stmt, 1, parent);
  else
    sqlite3_bind_null(stmt, 1);
  if (sqlite3_step(stmt) != SQLITE_ROW) die(db, "turn_append under a parent");
  id = sqlite3_column_int64(stmt, 0);
  sqlite3_reset(stmt);
  return id;
}

/* Times single calls with random turns of a file: median and 99th percentile. */
static void timeCalls(sqlite3 *db, sqlite3_stmt *stmt, int toDepth, const sqlite3_int64 *ids, int n,
                      double *p50, double *p99) {
  static double times[SAMPLES];
  for (int i = -100; i < SAMPLES; i++) {
    sqlite3_int64 a = ids[below(n)], b = ids[below(n)];
    double t;
    if (toDepth) b = below((a & 0xffffff) + 1);
    t = now();
    sqlite3_bind_int64(stmt, 1, a);
    sqlite3_bind_int64(stmt, 2, b);
    stepAll(db, stmt);
    if (i >= 0) times[i] = now() - t;
  }
  *p50 = median(times, SAMPLES);
  *p99 = times[SAMPLES * 99 / 100];
}

/* The first row is what it costs to look at anything: a row of turns by its id. */
static void ancestorRows(sqlite3 *db, const char *file, const sqlite3_int64 *ids, int n) {
  static const char *const names[] = {"one row by its id", "turn_ancestor", "turn_common_ancestor",
                                      "turn_is_ancestor"};
  static const char *const sqls[] = {
      "SELECT 1 FROM turns WHERE id = ?1 AND ?2", "SELECT turn_ancestor(?1, ?2)",
      "SELECT turn_common_ancestor(?1, ?2)", "SELECT turn_is_ancestor(?1, ?2)"};
  for (int f = 0; f < 4; f++) {
    sqlite3_stmt *stmt = prepare(db, sqls[f]);
    double p50, p99, inside50, inside99;
    timeCalls(db, stmt, f == 1, ids, n, &p50, &p99);
    run(db, "BEGIN; SELECT count(*) FROM sessions;");
    timeCalls(db, stmt, f == 1, ids, n, &inside50, &inside99);
    run(db, "COMMIT;");
    sqlite3_finalize(stmt);
    printf("| %s, %s | %.1f | %.1f | %.1f | %.1f | %s |\n", names[f], file, p50, p99, inside50,
           inside99, f ? "< 20" : "");
    fflush(stdout);
  }
}

/* A path of many short ranges: each fork of the file is on it with one turn. */
static void nestedRows(sqlite3 *db, int nested) {
  static const char *const names[] = {"session_context", "turn_path"};
  heading("a path through nested forks", "ours, µs", "recursive CTE, µs");
  for (int isPath = 0; isPath < 2; isPath++) {
    sqlite3_stmt *stmts[2] = {prepare(db, waySql[OURS][isPath]), prepare(db, waySql[CTE][isPath])};
    double times[2][11], ratios[11];
    char label[80];
    for (int i = 0; i < 11; i++) {
      for (int k = 0; k < 2; k++) {
        Reading r;
        sqlite3_bind_text(stmts[k], 1, "s1", -1, SQLITE_STATIC);
        r = readAll(db, stmts[k]);
        expectRows(r, nested + 1, names[isPath]);
        times[k][i] = r.time;
      }
      ratios[i] = times[1][i] / times[0][i];
    }
    snprintf(label, sizeof(label), "%s, %d forks of one turn", names[isPath], nested);
    row(label, median(times[0], 11), median(times[1], 11), median(ratios, 11), "");
    sqlite3_finalize(stmts[0]);
    sqlite3_finalize(stmts[1]);
  }
}

static void benchAncestors(void) {
  sqlite3_int64 *ids = malloc((size_t)nTurns * sizeof(*ids));
  sqlite3_stmt *append;
  sqlite3 *db;
  char label[100];
  int nested = nTurns < NESTED ? nTurns : NESTED;
  if (!ids) exit(1);
  printf(
      "\n| ancestors, one call on a held statement | µs, median | 99 %% | in a transaction | 99 %% "
      "| aim |\n|---|---:|---:|---:|---:|---:|\n");

  db = connectDatabase(pathOf(fileNames[LONG_CHAIN]));
  for (int i = 0; i < nTurns; i++)
    ids[i] = FIRST_TURN + i;
  snprintf(label, sizeof(label), "one chain of %d", nTurns);
  ancestorRows(db, label, ids, nTurns);
  if (sqlite3_close(db) != SQLITE_OK) die(db, "close");

  /* Nine turns of ten follow the one before; the tenth grows from any turn of the tree. */
  db = openDatabase(pathOf("tree"));
  append = prepare(db, "SELECT turn_append('s1', '[{\"role\":\"user\",\"content\":\"go on\"}]', "
                       "json_object('parent', ?1))");
  run(db, "BEGIN; SELECT turn_append('s1', '[{\"role\":\"user\",\"content\":\"begin\"}]');");
  ids[0] = FIRST_TURN;
  for (int i = 1; i < nTurns; i++) {
    if (i % 10000 == 0) run(db, "COMMIT; BEGIN;");
    ids[i] = appendTo(db, append, below(10) ? ids[i - 1] : ids[below(i)]);
  }
  run(db, "COMMIT;");
  sqlite3_finalize(append);
  snprintf(label, sizeof(label), "random tree of %d with %lld branches", nTurns,
           integer(db, "SELECT count(*) FROM branches"));
  ancestorRows(db, label, ids, nTurns);
  /* Most of that is pages that are not in memory. */
  run(db, "PRAGMA cache_size = -262144; SELECT count(*) FROM branches NOT INDEXED;"
          "SELECT count(*) FROM turns NOT INDEXED WHERE started_at >= 0;");
  strcat(label, ", 256 MB of cache");
  ancestorRows(db, label, ids, nTurns);
  if (sqlite3_close(db) != SQLITE_OK) die(db, "close");
  removeDatabase(pathOf("tree"));

  /* Two turns a branch, and the next branch grows from the first of them. */
  db = openDatabase(pathOf("nested"));
  append = prepare(db, "SELECT turn_append('s1', '[{\"role\":\"user\",\"content\":\"go on\"}]', "
                       "json_object('parent', ?1))");
  run(db, "BEGIN; SELECT turn_append('s1', '[{\"role\":\"user\",\"content\":\"begin\"}]');");
  ids[0] = FIRST_TURN;
  appendTo(db, append, ids[0]);
  for (int i = 1; i < nested; i++) {
    ids[i] = appendTo(db, append, ids[i - 1]);
    appendTo(db, append, ids[i]);
  }
  run(db, "COMMIT;");
  sqlite3_finalize(append);
  if (integer(db, "SELECT max(level) FROM branches") != nested - 1) die(db, "forks not nested");
  snprintf(label, sizeof(label), "%d nested forks", nested);
  ancestorRows(db, label, ids, nested);
  nestedRows(db, nested);
  if (sqlite3_close(db) != SQLITE_OK) die(db, "close");
  free(ids);
}

/* ---- The size of a file ---------------------------------------------------------------------- */

static void benchSize(void) {
  int turns = nTurns / 10 < 5000 ? 5000 : nTurns / 10, sessions = 200;
  sqlite3 *db = openDatabase(pathOf("size"));
  sqlite3_stmt *append = prepare(db, "SELECT turn_append('s' || ?1, ?2)");
  double text = 0, size;
  char label[100];
  for (int i = 0; i < turns; i++) {
    if (i % PER_BLOCK == 0) makeBlock(&block);
    if (i % 10 == 0) run(db, "BEGIN");
    sqlite3_bind_int64(append, 1, 1 + below(sessions));
    sqlite3_bind_text(append, 2, block.json[i % PER_BLOCK], -1, SQLITE_STATIC);
    stepAll(db, append);
    for (int k = 0; k < 2; k++)
      text += block.texts[i % PER_BLOCK][k]->n;
    if (i % 10 == 9) run(db, "COMMIT");
  }
  sqlite3_finalize(append);
  run(db, "PRAGMA wal_checkpoint(TRUNCATE);");
  size = (double)integer(db, "SELECT page_count * page_size FROM pragma_page_count, "
                             "pragma_page_size");
  heading("size of a file", "file, MB", "texts, MB");
  snprintf(label, sizeof(label), "%d turns of two messages, %d sessions interleaved", turns,
           sessions);
  row(label, size / 1e6, text / 1e6, size / text, "≤ 1.4");
  if (sqlite3_close(db) != SQLITE_OK) die(db, "close");
}

int main(int argc, char **argv) {
  double t = now();
  if (argc > 1) nTurns = atoi(argv[1]);
  if (argc > 2) nBlocks = atoi(argv[2]);
  if (nTurns < 2000 || nTurns > 10000000 || nBlocks < 3 || nBlocks > MAX_BLOCKS) {
    fprintf(stderr, "usage: bench_turns [TURNS (2000..10000000) [BLOCKS (3..%d)]]\n", MAX_BLOCKS);
    return 2;
  }
  makeDirectory();
  makeTexts();
  printf("SQLite %s, %d turns, %d blocks of %d operations, medians.\n", sqlite3_libversion(),
         nTurns, nBlocks, PER_BLOCK);
  benchAppend();
  benchFlat();
  benchFork();
  benchRead();
  benchAncestors();
  benchSize();
  printf("\n%.0f seconds.\n", (now() - t) / 1e6);
  return 0;
}
