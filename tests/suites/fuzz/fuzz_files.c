/*
** fuzz_files.c - files that strangers have prepared: opened, installed, upgraded, attached, read,
** written to, detached and swapped for others.
**
** An input is first a recipe for a file: which stored file it begins with, then edits, each a few
** bytes that pick what is replaced by what (edits[] below), or, in one case of eight, bytes that are
** changed in the file itself. Four bytes in front of it say how the host opens it.
**
** Promised, whatever the file is: no crash and no endless loop; while turnstile_install runs, and
** need not keep what it found, the host's function boom(), which any schema may call, is not called;
** an install that fails leaves the schema, the transaction and the connection's switches as they
** were; a healthy main database is not changed by whoever only reads or writes the attached file;
** errors are valid UTF-8 and begin with the function's name.
*/
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "fuzz.h"

#include "utf8.h"

#include <unistd.h>

/* ---- The host -------------------------------------------------------------------------------- */

static int booms;        /* calls of boom() since it was last set to 0 */
static long ticks;       /* thousands of steps of the statement that runs */
static int hasOwnLoops;  /* bytes were changed: what SQLite itself makes of them is not ours */
static char folder[200]; /* of the files */

/* No command on these small files needs as many steps (thousands). */
#define MAX_TICKS 20000

static void boom(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  booms++;
  if (argc) sqlite3_result_value(ctx, argv[0]);
}

static void nothing(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_result_null(ctx);
}

static int compare(void *arg, int n, const void *a, int m, const void *b) {
  int d = memcmp(a, b, (size_t)(n < m ? n : m));
  (void)arg;
  booms++;
  return d ? d : n - m;
}

static int tick(void *arg) {
  (void)arg;
  return ++ticks > MAX_TICKS;
}

/* What every host registers: neither innocuous nor DIRECTONLY; deterministic, so that indexes and
** generated columns may call it. "hash" is a word of our schema as well. */
static void hostFunctions(sqlite3 *db) {
  static const char *const names[] = {"boom", "hash"};
  for (int i = 0; i < 2; i++) {
    sqlite3_create_function(db, names[i], -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, boom, NULL,
                            NULL);
  }
  sqlite3_create_collation(db, "boom", SQLITE_UTF8, NULL, compare);
  sqlite3_progress_handler(db, 1000, tick, NULL);
}

/* A message that SQLite made itself, before or around what is ours. */
static int isOfSqlite(const char *message) {
  static const char *const all[] = {"out of memory", "interrupted", "database disk image",
                                    "file is not a database", "disk I/O error"};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
    if (strncmp(message, all[i], strlen(all[i])) == 0) return 1;
  }
  return 0;
}

/* An error is a text. That of a function of ours, called as SELECT f(…), has its name in front. */
static void checkError(sqlite3 *db, const char *sql) {
  const char *message = sqlite3_errmsg(db), *end = message + strlen(message);
  const char *name = strncmp(sql, "SELECT ", 7) == 0 ? sql + 7 : "";
  size_t n = strcspn(name, "(");
  for (const unsigned char *p = (const unsigned char *)message; *p;) {
    int len = ts_utf8_length(p, (const unsigned char *)end);
    if (!len) fuzzDie(db, "an error that is no UTF-8");
    p += len;
  }
  if (strncmp(name, "turn", 4) != 0 && strncmp(name, "session_", 8) != 0) return;
  if (strncmp(message, name, n) == 0 && message[n] == ':') return;
  if (!isOfSqlite(message)) fuzzDie(db, sql);
}

/* Runs a statement to its end. ours: nothing of the stranger's may make it endless. */
static int run(sqlite3 *db, const char *sql, int ours) {
  sqlite3_stmt *stmt = NULL;
  int rc;
  ticks = 0;
  rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (rc == SQLITE_OK) {
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(stmt); i++)
        (void)sqlite3_column_text(stmt, i);
    }
    if (rc != SQLITE_DONE) checkError(db, sql);
  }
  if (ours && !hasOwnLoops && ticks > MAX_TICKS) fuzzDie(db, sql);
  sqlite3_finalize(stmt);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* All of sqlite_schema, to be compared; "" when it can't be read. To be freed. */
static char *schemaOf(sqlite3 *db, const char *schema) {
  sqlite3_str *out = sqlite3_str_new(NULL);
  char *sql = sqlite3_mprintf(
      "SELECT quote(type), quote(name), quote(tbl_name), quote(sql) FROM \"%w\".sqlite_schema",
      schema);
  sqlite3_stmt *stmt = NULL;
  char *z;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
    while (sqlite3_step(stmt) == SQLITE_ROW) {
      for (int i = 0; i < 4; i++)
        sqlite3_str_appendf(out, "%s,", sqlite3_column_text(stmt, i));
    }
  }
  sqlite3_finalize(stmt);
  sqlite3_free(sql);
  z = sqlite3_str_finish(out);
  return z ? z : sqlite3_mprintf("");
}

static int flag(sqlite3 *db, int which) {
  int on = 0;
  sqlite3_db_config(db, which, -1, &on);
  return on;
}

/* turnstile_install runs nothing of the file's, and undoes what it could not finish. */
static void install(sqlite3 *db, const char *schema, const char *options) {
  char *before = schemaOf(db, schema), *after;
  int autocommit = sqlite3_get_autocommit(db), rc;
  int triggers = flag(db, SQLITE_DBCONFIG_ENABLE_TRIGGER);
  int trusted = flag(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA);
  int keys = flag(db, SQLITE_DBCONFIG_ENABLE_FKEY);
  char *sql = sqlite3_mprintf("SELECT turnstile_install('%s')", options);
  booms = 0;
  rc = run(db, sql, 1);
  /* Who keeps what is there lets SQLite compute the columns and CHECKs of it. */
  if (booms && !strstr(options, "keep_foreign")) {
    fuzzDie(db, "turnstile_install ran what the file brought along");
  }
  if (flag(db, SQLITE_DBCONFIG_ENABLE_TRIGGER) != triggers ||
      flag(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA) != trusted ||
      flag(db, SQLITE_DBCONFIG_ENABLE_FKEY) != keys) {
    fuzzDie(db, "turnstile_install left a switch as it was not");
  }
  after = schemaOf(db, schema);
  if (rc != SQLITE_OK && strcmp(before, after) != 0)
    fuzzDie(db, "a failed install changed the schema");
  if (sqlite3_get_autocommit(db) != autocommit && !hasOwnLoops) {
    fuzzDie(db, "turnstile_install ended the transaction, or left one");
  }
  sqlite3_free(before);
  sqlite3_free(after);
  sqlite3_free(sql);
}

#define CYCLE(list, i) (list)[(size_t)(i) % (sizeof(list) / sizeof((list)[0]))]

/* Everything that reads, on the schema in use. */
static const char *const reads[] = {
    "SELECT session_state('s')",
    "SELECT session_usage('u')",
    "SELECT session_diagram('s')",
    "SELECT session_needs_compaction('s', 10)",
    "SELECT turn_ancestor(33554434, 0)",
    "SELECT turn_common_ancestor(33554434, 16777218)",
    "SELECT session_export('s')",
    "SELECT turnstile_config('lease')",
    "SELECT resolve_session('{\"channel\":\"c\",\"sender\":\"p\"}')",
    "SELECT * FROM session_context('s')",
    "SELECT * FROM session_context('s') ORDER BY position DESC",
    "SELECT * FROM turn_path('u')",
    "SELECT * FROM turn_tree(16777216)",
    "SELECT * FROM stale_sessions",
    "SELECT * FROM turnstile_check",
    "SELECT * FROM policy_replay('{\"classify_floor\":0.9}')",
    "SELECT classify_message('yes, go on', 'Running')",
};

/* What writes: a few commands through their functions, then through the door. */
static const char *const writes[] = {
    "SELECT session_start('new', 'a task')",
    "SELECT session_deliver('s', 'yes, go on')",
    "SELECT turn_append('s', '[{\"role\":\"user\",\"content\":\"and?\"}]')",
    "SELECT turnstile_config('lease', '2m')",
    "SELECT session_sweep()",
    "SELECT turnstile_startup()",
    "SELECT session_delete('t')",
    "SELECT turnstile_renew()",
};

static const char *const views[] = {
    "threads",          "queue_list", "session_workers",   "session_overview",
    "session_timeline", "commit_log", "session_attention", "turnstile",
};

/* A few of each, those that the input says. */
static void use(sqlite3 *db, const char *schema, int writing, int from) {
  char sql[200];
  snprintf(sql, sizeof(sql), "SELECT turnstile_use('%s')", schema);
  run(db, sql, 1);
  for (int i = 0; i < 4; i++)
    run(db, CYCLE(reads, from * 4 + i), 1);
  /* A view of the stranger's may do what SQLite lets it, without end as well. */
  for (int i = 0; i < 2; i++) {
    snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\".%s LIMIT 50", schema,
             CYCLE(views, from * 2 + i));
    run(db, sql, 0);
  }
  if (!writing) return;
  for (int i = 0; i < 2; i++)
    run(db, CYCLE(writes, from * 2 + i), 1);
  snprintf(sql, sizeof(sql),
           "INSERT INTO \"%s\".turnstile(command, args) VALUES ('session_note', '[\"s\",\"n\"]') "
           "RETURNING turnstile_result()",
           schema);
  run(db, sql, 1);
}

/* ---- The file -------------------------------------------------------------------------------- */

typedef struct Image {
  unsigned char *z; /* of sqlite3_malloc */
  sqlite3_int64 n;
} Image;

#define STORED 4
static Image images[STORED + 2]; /* versions 1 to 4, the present one, and nothing in UTF-16 */
#define IMAGES ((int)(sizeof(images) / sizeof(images[0])))

static Image readImage(const char *path) {
  Image image = {NULL, 0};
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    fprintf(stderr, "fuzz: %s can't be read; run it in the project's folder\n", path);
    abort();
  }
  image.n = ftell(file);
  image.z = sqlite3_malloc64((sqlite3_uint64)image.n);
  rewind(file);
  if (!image.z || fread(image.z, 1, (size_t)image.n, file) != (size_t)image.n) abort();
  fclose(file);
  image.z[18] = image.z[19] = 1; /* no WAL: it is opened in memory too */
  return image;
}

static Image imageOf(sqlite3 *db) {
  Image image;
  image.z = sqlite3_serialize(db, "main", &image.n, 0);
  if (!image.z) fuzzDie(db, "serialize");
  return image;
}

static void openImage(sqlite3 *db, const char *schema, Image image) {
  unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)image.n);
  if (!copy) abort();
  memcpy(copy, image.z, (size_t)image.n);
  if (sqlite3_deserialize(db, schema, copy, image.n, image.n,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
      SQLITE_OK) {
    fuzzDie(db, "deserialize");
  }
}

static void writeImage(const char *path, Image image) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(image.z, 1, (size_t)image.n, file) != (size_t)image.n) abort();
  fclose(file);
}

/* The input, byte by byte; 0 when it is over. */
typedef struct Input {
  const uint8_t *z;
  size_t n;
} Input;

static int next(Input *in, int below) {
  if (!in->n) return 0;
  in->n--;
  return *in->z++ % below;
}

#define PICK(in, list) (list)[next(in, (int)(sizeof(list) / sizeof((list)[0])))]

/* The one text that a query gives, for sqlite3_free; "" without one. */
static char *text(sqlite3 *db, char *sql) {
  sqlite3_stmt *stmt = NULL;
  char *z = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
      sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0)) {
    z = sqlite3_mprintf("%s", sqlite3_column_text(stmt, 0));
  }
  sqlite3_finalize(stmt);
  sqlite3_free(sql);
  return z ? z : sqlite3_mprintf("");
}

static void does(sqlite3 *db, char *sql) {
  sqlite3_exec(db, sql, NULL, NULL, NULL); /* what SQLite refuses no stranger can send */
  sqlite3_free(sql);
}

/* The name of an object of the file; kind: "table", "view", "trigger", "index", or "%" for any. */
static char *object(sqlite3 *db, Input *in, const char *kind) {
  return text(db,
              sqlite3_mprintf("SELECT name FROM (SELECT name FROM sqlite_schema WHERE type LIKE "
                              "%Q AND name NOT LIKE 'sqlite%%' AND name NOT LIKE 'was%%') "
                              "LIMIT 1 OFFSET %d %% max(1, (SELECT count(*) FROM sqlite_schema "
                              "WHERE type LIKE %Q))",
                              kind, next(in, 256), kind));
}

static char *column(sqlite3 *db, Input *in, const char *table) {
  return text(db, sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q) LIMIT 1 OFFSET %d", table,
                                  next(in, 12)));
}

/* The columns as a list, of which one is written as `instead` (with %w for its name). */
static char *columns(sqlite3 *db, const char *table, int which, const char *before,
                     const char *after) {
  return text(
      db, sqlite3_mprintf("SELECT group_concat(iif(cid = %d, %Q, '') || '\"' || name || '\"' || "
                          "iif(cid = %d, %Q, ''), ', ') FROM pragma_table_info(%Q)",
                          which, before, which, after, table));
}

/* As the door's own trigger calls it. */
#define DISPATCH(command)                                                                          \
  "SELECT turnstile_dispatch(5, (SELECT value FROM turnstile_meta WHERE key = 'door_key'), '', "   \
  "'" command "', '[]')"

static const char *const bodies[] = {
    "SELECT boom(1)",
    "SELECT boom(turnstile_version())",
    "INSERT INTO turnstile(command, args) VALUES ('session_note', '[\"s\",\"boom\"]')",
    DISPATCH("session_sweep"),
    "UPDATE turnstile_meta SET value = 'x' WHERE key = 'uuid'",
    "DELETE FROM message_rules WHERE id = 1",
    "SELECT RAISE(IGNORE)",
    "SELECT RAISE(ROLLBACK, 'boom')",
    "SELECT session_state('s')",
    "INSERT OR REPLACE INTO turnstile_config VALUES ('', 'lease', '1ms')",
};

static void editTable(sqlite3 *db, Input *in) {
  char *table = object(db, in, "table"), *list, *name;
  int how = next(in, 9), which = next(in, 12);
  name = sqlite3_mprintf("was%d_%s", next(in, 3), table);
  list = columns(db, table, which, how < 2 ? "boom(" : "", how < 2 ? ") AS x" : "");
  if (how == 4) {
    sqlite3_free(list);
    list = columns(db, table, which, "", " AS (boom(1))");
  }
  does(db, sqlite3_mprintf("ALTER TABLE \"%w\" RENAME TO \"%w\"", table, name));
  switch (how) {
  case 0:
    does(db, sqlite3_mprintf("CREATE VIEW \"%w\" AS SELECT %s FROM \"%w\"", table, list, name));
    break;
  case 1:
    does(db, sqlite3_mprintf(
                 "CREATE VIEW \"%w\" AS WITH RECURSIVE c AS (SELECT * FROM \"%w\" UNION ALL "
                 "SELECT * FROM c) SELECT *, boom(1) FROM c",
                 table, name));
    break;
  case 2:
    does(db, sqlite3_mprintf("CREATE VIRTUAL TABLE \"%w\" USING fts5(%s)", table, list));
    break;
  case 3:
    does(db, sqlite3_mprintf("CREATE VIRTUAL TABLE \"%w\" USING rtree(id, label, value)", table));
    break;
  case 4:
  case 5:
    does(db, sqlite3_mprintf("CREATE TABLE \"%w\"(%s)", table, list));
    does(db, sqlite3_mprintf("INSERT INTO \"%w\" SELECT * FROM \"%w\"", table, name));
    break;
  case 6:
    does(db,
         sqlite3_mprintf("CREATE TABLE \"%w\"(%s, x, PRIMARY KEY(x)) WITHOUT ROWID", table, list));
    break;
  case 7:
    does(db, sqlite3_mprintf("CREATE VIEW \"%w\" AS SELECT %s FROM \"%w\"", table, list, name));
    does(db, sqlite3_mprintf("CREATE TRIGGER x_%w INSTEAD OF INSERT ON \"%w\" BEGIN %s; END", table,
                             table, PICK(in, bodies)));
    break;
  default: break; /* it is gone */
  }
  sqlite3_free(table);
  sqlite3_free(list);
  sqlite3_free(name);
}

static void editTrigger(sqlite3 *db, Input *in) {
  static const char *const whens[] = {"BEFORE INSERT", "AFTER INSERT",  "BEFORE UPDATE",
                                      "AFTER UPDATE",  "BEFORE DELETE", "AFTER DELETE"};
  char *table = object(db, in, "table"), *ours = object(db, in, "trigger");
  const char *when = PICK(in, whens), *body = PICK(in, bodies);
  if (next(in, 3) == 0) {
    does(db, sqlite3_mprintf("DROP TRIGGER \"%w\"", ours));
  } else {
    sqlite3_free(ours);
    ours = sqlite3_mprintf("x%d", next(in, 4));
  }
  does(db, sqlite3_mprintf("CREATE TRIGGER \"%w\" %s ON \"%w\" BEGIN %s; END", ours, when, table,
                           body));
  sqlite3_free(table);
  sqlite3_free(ours);
}

static void editColumn(sqlite3 *db, Input *in) {
  static const char *const what[] = {
      "AS (boom(\"%w\"))",
      "AS (hash(\"%w\"))",
      "CHECK (boom(\"%w\") IS NOT 'a')",
      "DEFAULT '%w'",
      "CHECK (hash(\"%w\"))",
      "AS (\"boom\"/**/(\"%w\"))",
      "COLLATE boom AS (\"%w\")",
      "REFERENCES turnstile_meta(\"%w\")",
      "TEXT NOT NULL DEFAULT '%w'",
  };
  char *table = object(db, in, "table"), *of = column(db, in, table);
  char *sql = sqlite3_mprintf(PICK(in, what), of);
  does(db, sqlite3_mprintf("ALTER TABLE \"%w\" ADD COLUMN x%d %s", table, next(in, 3), sql));
  sqlite3_free(sql);
  sqlite3_free(table);
  sqlite3_free(of);
}

static void editIndex(sqlite3 *db, Input *in) {
  static const char *const what[] = {"boom(\"%w\")", "hash(\"%w\")",      "\"%w\" COLLATE boom",
                                     "\"%w\"",       "\"%w\" || boom(1)", "abs(\"%w\")"};
  char *table = object(db, in, "table"), *of = column(db, in, table),
       *ours = object(db, in, "index");
  char *sql = sqlite3_mprintf(PICK(in, what), of);
  int partial = next(in, 3);
  if (next(in, 2)) {
    does(db, sqlite3_mprintf("DROP INDEX \"%w\"", ours));
  } else {
    sqlite3_free(ours);
    ours = sqlite3_mprintf("y%d", next(in, 4));
  }
  does(db, sqlite3_mprintf("CREATE INDEX \"%w\" ON \"%w\"(%s) %s", ours, table, sql,
                           partial == 1   ? "WHERE boom(1)"
                           : partial == 2 ? "WHERE rowid LIKE 'a'"
                                          : ""));
  sqlite3_free(sql);
  sqlite3_free(table);
  sqlite3_free(of);
  sqlite3_free(ours);
}

static void editVersion(sqlite3 *db, Input *in) {
  static const char *const versions[] = {"1",   "2",   "3",          "4",    "5",    "6",
                                         "0",   "-1",  "4294967301", "'5x'", "NULL", "x'35'",
                                         "4.5", "'5'", "5.0",        "1e300"};
  static const char *const keys[] = {"schema_version", "schema_version", "uuid",
                                     "door_key",       "rules_version",  "unguarded"};
  const char *key = PICK(in, keys);
  does(db, sqlite3_mprintf("INSERT OR REPLACE INTO turnstile_meta(key, value) VALUES (%Q, %s)", key,
                           PICK(in, versions)));
}

static void editDoor(sqlite3 *db, Input *in) {
  int how = next(in, 6);
  const char *body = PICK(in, bodies);
  if (how < 4) does(db, sqlite3_mprintf("DROP TRIGGER turnstile_door"));
  if (how < 3) does(db, sqlite3_mprintf("DROP VIEW turnstile"));
  if (how == 0) does(db, sqlite3_mprintf("CREATE TABLE turnstile(command, args)"));
  if (how == 1)
    does(db, sqlite3_mprintf("CREATE VIEW turnstile(command, args) AS SELECT boom(1), 2"));
  if (how == 1 || how == 3 || how == 4) {
    does(db, sqlite3_mprintf("CREATE TRIGGER %s INSTEAD OF INSERT ON turnstile BEGIN %s; END",
                             how == 4 ? "zz" : "turnstile_door", body));
  }
  if (how == 5)
    does(db, sqlite3_mprintf("DROP TRIGGER turnstile_door; CREATE TRIGGER turnstile_door AFTER "
                             "INSERT ON tasks BEGIN %s; END",
                             body));
}

static void editView(sqlite3 *db, Input *in) {
  char *view = object(db, in, "view");
  does(db, sqlite3_mprintf("DROP VIEW \"%w\"", view));
  if (next(in, 2)) {
    does(db, sqlite3_mprintf(
                 "CREATE VIEW \"%w\" AS SELECT boom(turnstile_dispatch(5, (SELECT value FROM "
                 "turnstile_meta WHERE key = 'door_key'), '', 'session_note', "
                 "'[\"s\",\"x\"]'))",
                 view));
  } else {
    does(db, sqlite3_mprintf("CREATE TABLE \"%w\"(x CHECK (boom(x)))", view));
  }
  sqlite3_free(view);
}

static void editReference(sqlite3 *db, Input *in) {
  static const char *const actions[] = {"CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT",
                                        "NO ACTION"};
  char *table = object(db, in, "table"), *of = column(db, in, table);
  const char *action = PICK(in, actions);
  does(db, sqlite3_mprintf(
               "CREATE TABLE refers%d(y, x AS (boom(y)) REFERENCES \"%w\"(\"%w\") DEFERRABLE "
               "INITIALLY DEFERRED, z DEFAULT (boom(2)) REFERENCES \"%w\"(\"%w\") ON DELETE %s "
               "ON UPDATE %s, CHECK (boom(z) IS NOT 'b'))",
               next(in, 3), table, of, table, of, action, action));
  does(db, sqlite3_mprintf("INSERT INTO refers0(y, z) SELECT \"%w\", \"%w\" FROM \"%w\" LIMIT 9",
                           of, of, table));
  sqlite3_free(table);
  sqlite3_free(of);
}

/* Edits of sqlite_schema itself. What SQLite does not load is a file that does not open. */
static void editSchema(sqlite3 *db, Input *in) {
  static const char *const columns[] = {"type", "name", "tbl_name", "sql"};
  static const char *const forms[] = {
      "upper(%s)",
      "CAST(%s AS BLOB)",
      "%s || char(0, 120)",
      "replace(%s, ' ', char(32, 65279))",
      "replace(%s, ' ', '/**/')",
      "replace(%s, 'CREATE', 'create/*''*/')",
      "replace(%s, 'TABLE', char(9, 12) || '--x' || char(10) || 'table')",
      "replace(%s, '\"', '`')",
      "CAST(CAST(%s AS BLOB) || x'ff' AS TEXT)",
      "'sqlite_' || %s",
      "replace(%s, '(', ' /*')",
      "%s || ' '",
      "NULL",
      "lower(%s)",
  };
  char *name = object(db, in, "%");
  const char *column = PICK(in, columns), *form = PICK(in, forms);
  char *to = sqlite3_mprintf(form, column);
  does(db, sqlite3_mprintf("UPDATE sqlite_schema SET %s = %s WHERE name = %Q", column, to, name));
  sqlite3_free(to);
  sqlite3_free(name);
}

/* Any bytes in the middle of an object's SQL. */
static void editSql(sqlite3 *db, Input *in) {
  char *name = object(db, in, "%");
  int at = next(in, 200) + 7, n = next(in, 8);
  sqlite3_stmt *stmt = NULL;
  if ((size_t)n > in->n) n = (int)in->n;
  if (sqlite3_prepare_v2(
          db,
          "UPDATE sqlite_schema SET sql = CAST(CAST(substr(sql, 1, ?1) AS BLOB) || ?2 || "
          "CAST(substr(sql, ?1 + ?3) AS BLOB) AS TEXT) WHERE name = ?4",
          -1, &stmt, NULL) == SQLITE_OK) {
    sqlite3_bind_int(stmt, 1, at);
    sqlite3_bind_blob(stmt, 2, in->z, n, SQLITE_STATIC);
    in->z += n;
    in->n -= (size_t)n;
    sqlite3_bind_int(stmt, 3, 1 + next(in, 4));
    sqlite3_bind_text(stmt, 4, name, -1, SQLITE_STATIC);
    sqlite3_step(stmt);
  }
  sqlite3_finalize(stmt);
  sqlite3_free(name);
}

static void editRows(sqlite3 *db, Input *in) {
  static const char *const values[] = {"NULL",
                                       "x'00ff'",
                                       "9223372036854775807",
                                       "-1",
                                       "'[1,]'",
                                       "1e999",
                                       "'a' || char(0) || 'b'",
                                       "zeroblob(9)",
                                       "CAST(x'fe' AS TEXT)",
                                       "''"};
  char *table = object(db, in, "table"), *of = column(db, in, table);
  does(db, sqlite3_mprintf("UPDATE OR IGNORE \"%w\" SET \"%w\" = %s", table, of, PICK(in, values)));
  sqlite3_free(table);
  sqlite3_free(of);
}

static void editDrop(sqlite3 *db, Input *in) {
  static const char *const kinds[] = {"table", "view", "trigger", "index"};
  const char *kind = PICK(in, kinds);
  char *name = object(db, in, kind);
  does(db, sqlite3_mprintf("DROP %s \"%w\"", kind, name));
  sqlite3_free(name);
}

static void editStatistics(sqlite3 *db, Input *in) {
  static const char *const stats[] = {"'1 1'", "'-1 x'", "'9999999999999999999 0'",
                                      "x'ff'", "NULL",   "'0 0 0 0 0 0'"};
  does(db, sqlite3_mprintf("ANALYZE"));
  does(db, sqlite3_mprintf("UPDATE sqlite_stat1 SET stat = %s", PICK(in, stats)));
}

static void (*const edits[])(sqlite3 *, Input *) = {
    editTable, editTrigger,    editColumn, editIndex,   editVersion, editDoor,
    editView,  editReference,  editSchema, editSql,     editSchema,  editRows,
    editDrop,  editStatistics, editTable,  editTrigger,
};

/* A file after the recipe. */
static Image cook(Input *in) {
  Image image = images[next(in, IMAGES)], made;
  sqlite3 *db = NULL;
  int n = 1 + next(in, 6);
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) abort();
  openImage(db, "main", image);
  hostFunctions(db);
  for (int i = 0; i < 3; i++) {
    static const char *const names[] = {"turnstile_dispatch", "turnstile_rule_check",
                                        "turnstile_policy_check"};
    sqlite3_create_function(db, names[i], -1, SQLITE_UTF8, NULL, nothing, NULL, NULL);
  }
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_exec(db, "PRAGMA legacy_alter_table = ON; PRAGMA writable_schema = ON", NULL, NULL, NULL);
  for (int i = 0; i < n && in->n; i++) {
    ticks = 0;
    PICK(in, edits)(db, in);
  }
  made = imageOf(db);
  sqlite3_close(db);
  return made;
}

/* A stored file with other bytes here and there: in the header and the schema, or anywhere. */
static Image spoil(Input *in) {
  Image image = images[next(in, IMAGES)];
  unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)image.n);
  if (!copy) abort();
  memcpy(copy, image.z, (size_t)image.n);
  image.z = copy;
  while (in->n > 3) {
    sqlite3_int64 at = next(in, 256) << 8;
    at |= next(in, 256);
    at *= 1 + next(in, 16);
    copy[at % image.n] = (unsigned char)next(in, 256);
  }
  return image;
}

/* ---- One input ------------------------------------------------------------------------------- */

static void setUp(void) {
  sqlite3 *db = fuzzOpen("'any', 'en'");
  for (int i = 0; i < STORED; i++) {
    char path[100];
    snprintf(path, sizeof(path), "tests/data/schema_v%d.db", i + 1);
    images[i] = readImage(path);
  }
  images[STORED] = imageOf(db);
  sqlite3_close(db);
  if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
      sqlite3_exec(
          db,
          "PRAGMA encoding = 'UTF-16le'; CREATE TABLE theirs(x); CREATE VIEW mine AS SELECT "
          "boom(1)",
          NULL, NULL, NULL) != SQLITE_OK) {
    abort();
  }
  images[STORED + 1] = imageOf(db);
  sqlite3_close(db);
  snprintf(folder, sizeof(folder), "%s/turnstile-fuzz-XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  if (!mkdtemp(folder)) abort();
}

static void asMain(Image image, int how, int options, int from) {
  static const char *const all[] = {"{}", "{\"keep_foreign\":1}", "{\"prefix\":\"a_\"}",
                                    "{\"keep_foreign\":1,\"prefix\":\"was0_\"}"};
  sqlite3 *db = NULL;
  char path[300], sql[100];
  snprintf(path, sizeof(path), "%s/main.db", folder);
  writeImage(path, image);
  if (sqlite3_open(how & 1 ? ":memory:" : path, &db) != SQLITE_OK) abort();
  if (sqlite3_turnstile_init(db, NULL, NULL) != SQLITE_OK) fuzzDie(db, "init");
  if (how & 1) openImage(db, "main", image);
  hostFunctions(db);
  snprintf(sql, sizeof(sql), "PRAGMA trusted_schema = %d; PRAGMA foreign_keys = %d", how >> 1 & 1,
           how >> 2 & 1);
  sqlite3_exec(db, sql, NULL, NULL, NULL);
  if (how & 8) use(db, "main", 0, from);
  if (how & 16) sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
  install(db, "main", all[options]);
  if (how & 16) sqlite3_exec(db, how & 32 ? "ROLLBACK" : "COMMIT", NULL, NULL, NULL);
  use(db, "main", 1, from);
  if (sqlite3_close(db) != SQLITE_OK) fuzzDie(db, "close");
  unlink(path);
}

static void attached(Image image, int how, int from) {
  static sqlite3 *db; /* healthy, and the same for all files */
  static Image before;
  char path[300], sql[400];
  Image after;
  if (!db) {
    db = fuzzOpen("'any', 'en'");
    hostFunctions(db);
    if (sqlite3_exec(db, "PRAGMA recursive_triggers = ON", NULL, NULL, NULL) != SQLITE_OK) abort();
    before = imageOf(db);
  }
  /* Always at the same path, under the same name. */
  snprintf(path, sizeof(path), "%s/side.db", folder);
  writeImage(path, image);
  snprintf(sql, sizeof(sql), "ATTACH '%s' AS side", how & 1 ? ":memory:" : path);
  ticks = 0;
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK) {
    if (how & 1) openImage(db, "side", image);
    use(db, "side", !(how & 2), from);
    if (how & 4) install(db, "side", "{\"schema\":\"side\"}");
    if (how & 8) install(db, "side", "{\"schema\":\"side\",\"keep_foreign\":1}");
    use(db, "side", how & 12, from + 1);
    use(db, "main", 0, from);
    if (sqlite3_exec(db, "DETACH side", NULL, NULL, NULL) != SQLITE_OK) fuzzDie(db, "DETACH");
    after = imageOf(db);
    if (after.n != before.n || memcmp(after.z, before.z, (size_t)after.n) != 0) {
      fuzzDie(db, "the attached file changed main");
    }
    sqlite3_free(after.z);
  }
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input in = {data, size};
  int how, options, from;
  Image image;
  if (!folder[0]) setUp();
  if (size < 5) return 0;
  hasOwnLoops = next(&in, 8) == 7;
  how = next(&in, 256);
  options = next(&in, 8);
  from = next(&in, 16);
  image = hasOwnLoops ? spoil(&in) : cook(&in);
  if (image.n > 100 && options < 4) asMain(image, how, options, from);
  if (image.n > 100 && options >= 4) attached(image, how, from);
  sqlite3_free(image.z);
  return 0;
}
