/*
** install.c - the schema: making it and upgrading it.
**
**   SELECT turnstile_install();                                 -- into main
**   SELECT turnstile_install('{"prefix":"agent_"}');            -- beside tables of other people
**   SELECT turnstile_install('{"schema":"aux"}');               -- into an attached file
**
** The pieces, in order: schema.sql, turn.sql and identity.sql (tables), views.sql, the state
** machines as rows, the built-in rules, guards.sql, door.sql. An older file has its triggers and
** the door dropped, its tables migrated one version at a time, and the rest made again, so that an
** upgraded file equals a new one.
**
** Installing is the one command that can't go through the door. It returns at once when the
** version is current. Otherwise it takes the write lock first (BEGIN IMMEDIATE, or a SAVEPOINT
** inside the caller's transaction), looks again, and does everything in that one transaction; so
** of several processes that install at once one works and the others find it done.
*/
#include "install.h"

#include "args.h"
#include "foreign.h"
#include "scripts.h"
#include "states.h"
#include "functions.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

const ArgSpec ts_install_args[INSTALL_COUNT] = {
    {"prefix", ARG_TEXT, 0},
    {"schema", ARG_NAME, 0},
    {"uuid", ARG_NAME, 0},
    {"keep_foreign", ARG_BOOL, 0},
};

static const CommandSpec installSpec = {"turnstile_install", NULL, 0, TS_ARGS(0, ts_install_args),
                                        NULL};

/* Columns that a table of turn.sql has got since: in a file older than version 3 the table is made with all of
** them. */
static const char widenHistory[] = "ALTER TABLE #session_history ADD COLUMN event_id INTEGER;"
                                   "ALTER TABLE #session_history ADD COLUMN tip_id INTEGER;";

/* A rule that somebody switched off stays off when the built-in rules are made again. */
static const char retireRules[] =
    "UPDATE #message_rules SET origin = 'retired' WHERE origin = 'builtin';";
static const char carryRules[] =
    "UPDATE #message_rules AS made SET enabled = 0 WHERE origin = 'builtin' AND EXISTS (SELECT 1 "
    "FROM #message_rules AS old WHERE old.origin = 'retired' AND old.enabled = 0 AND old.class = "
    "made.class AND old.pattern = made.pattern);"
    "DELETE FROM #message_rules WHERE origin = 'retired';";

/* ---- Running SQL that is not worth a cached statement ---------------------------------------- */

char *ts_install_expand(Cmd *c, const char *sql) {
  if (c->rc != SQLITE_OK || !sql) return NULL;
  return ts_adopt(c, ts_sql_expand(sql, c->target->schema, c->target->prefix));
}

/* Markers are replaced; NULL runs nothing. */
static void runScript(Cmd *c, const char *script) {
  const char *tail = ts_install_expand(c, script);
  while (tail && *tail && c->rc == SQLITE_OK) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(c->db, tail, -1, &stmt, &tail);
    if (rc == SQLITE_OK && stmt) {
      do {
        rc = sqlite3_step(stmt);
      } while (rc == SQLITE_ROW);
    }
    if (rc != SQLITE_OK && rc != SQLITE_DONE) ts_fail_db(c, sqlite3_extended_errcode(c->db));
    sqlite3_finalize(stmt);
  }
}

static sqlite3_stmt *prepareOne(Cmd *c, const char *sql) {
  return ts_prepare_once(c, ts_install_expand(c, sql));
}

/* The value of one column of one row, as text; {NULL,0} without a row, and when a table or a column
** is not there. */
static Text readText(Cmd *c, const char *sql) {
  Text value = {NULL, 0};
  sqlite3_stmt *stmt = prepareOne(c, sql);
  if (ts_step_once(c, stmt) && sqlite3_column_type(stmt, 0) != SQLITE_NULL) {
    const char *z = (const char *)sqlite3_column_text(stmt, 0);
    if (z) {
      value = ts_copy(c, z, sqlite3_column_bytes(stmt, 0));
    } else {
      ts_fail_nomem(c);
    }
  }
  sqlite3_finalize(stmt);
  if (c->rc == SQLITE_ERROR && c->err && strstr(c->err, ": no such ")) {
    c->rc = SQLITE_OK;
    c->err = NULL;
  }
  return value;
}

/* ---- What the scripts create ----------------------------------------------------------------- */

static int nameExists(Cmd *c, const char *name) {
  return ts_foreign_sql(c, name).z != NULL;
}

static void collectForeign(Cmd *c, char kind, const char *name, void *arg) {
  sqlite3_str *list = arg;
  (void)kind;
  if (!nameExists(c, name)) return;
  sqlite3_str_appendf(list, "%s%s", sqlite3_str_length(list) ? ", " : "", name);
}

/* Fails the command when somebody else's objects have names that are to be made. version is the installed one, 0:
** none. */
static void refuseForeign(Cmd *c, int version) {
  sqlite3_str *list = sqlite3_str_new(c->db);
  char *names;
  if (version == 0) ts_each_created(c, ts_script_schema, collectForeign, list);
  if (version < 3) {
    ts_each_created(c, ts_script_turn, collectForeign, list);
    ts_each_created(c, ts_script_identity, collectForeign, list);
  }
  for (int v = version; v > 0 && v < TURNSTILE_SCHEMA_VERSION; v++) {
    ts_each_created(c, ts_script_migrations[v - 1], collectForeign, list);
  }
  ts_each_created(c, ts_script_views, collectForeign, list);
  ts_each_created(c, ts_script_guards, collectForeign, list);
  ts_each_created(c, ts_script_door, collectForeign, list);
  if (sqlite3_str_errcode(list) != SQLITE_OK && c->rc == SQLITE_OK)
    c->rc = sqlite3_str_errcode(list);
  names = sqlite3_str_finish(list);
  if (names && names[0]) {
    ts_fail(c, SQLITE_ERROR,
            "schema \"%s\" already holds other things under these names: %s; choose names of its "
            "own with the option prefix",
            c->target->schema, names);
  }
  sqlite3_free(names);
}

/* The views read SQLite's json_each, and a view that is stored in a file looks for tables of that file first. */
static void refuseHiding(Cmd *c) {
  if (!nameExists(c, "json_each")) return;
  ts_fail(c, SQLITE_ERROR,
          "schema \"%s\" holds a table or view called json_each, which would stand in the place of "
          "SQLite's table-valued function; rename it",
          c->target->schema);
}

static void dropCreated(Cmd *c, char kind, const char *name, void *arg) {
  (void)arg;
  runScript(c, ts_printf(c, "DROP %s IF EXISTS \"%w\".\"%w\";", kind == 'V' ? "VIEW" : "TRIGGER",
                         c->target->schema, name));
}

/* ---- The pieces ------------------------------------------------------------------------------ */

char *ts_install_uuid(Cmd *c) {
  unsigned char b[16];
  sqlite3_randomness((int)sizeof(b), b);
  b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
  b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
  return ts_printf(c, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
                   b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
                   b[14], b[15]);
}

/* The rows of state_transitions as SQL, from the machines of states.c. */
static char *transitionsSql(Cmd *c) {
  sqlite3_str *sql = sqlite3_str_new(c->db);
  const char *separator = "";
  sqlite3_str_appendall(
      sql, "INSERT INTO #state_transitions(axis, from_state, to_state, \"trigger\") VALUES");
  for (int m = 0; m < TS_MACHINE_COUNT; m++) {
    const Machine *machine = ts_machines[m];
    for (int i = 0; i < machine->nTransitions; i++) {
      const Transition *t = &machine->transitions[i];
      sqlite3_str_appendf(sql, "%s\n  (%Q, %Q, %Q, %Q)", separator, machine->axis,
                          machine->states[t->from], machine->states[t->to], t->trigger);
      separator = ",";
    }
  }
  sqlite3_str_appendall(sql, ";\n");
  return (char *)ts_finish(c, sql).z;
}

static char *metaSql(Cmd *c, const char *uuid) {
  return ts_printf(c,
                   "INSERT INTO #turnstile_meta(key, value) VALUES ('uuid', %Q), ('door_key', "
                   "lower(hex(randomblob(16)))), ('schema_version', %d), ('rules_version', 1), "
                   "('policies_version', 1);\n",
                   uuid, TURNSTILE_SCHEMA_VERSION);
}

/* Visits the scripts of a new file in order. */
void ts_install_pieces(Cmd *c, const char *uuid,
                       void (*visit)(Cmd *c, const char *script, void *arg), void *arg) {
  visit(c, ts_script_schema, arg);
  visit(c, ts_script_turn, arg);
  visit(c, ts_script_identity, arg);
  visit(c, ts_script_views, arg);
  visit(c, metaSql(c, uuid), arg);
  visit(c, transitionsSql(c), arg);
  for (int i = 0; ts_script_rules[i]; i++)
    visit(c, ts_script_rules[i], arg);
  visit(c, ts_script_guards, arg);
  visit(c, ts_script_door, arg);
}

static void runPiece(Cmd *c, const char *script, void *arg) {
  (void)arg;
  runScript(c, script);
}

static void makeNew(Cmd *c, const char *uuid) {
  refuseForeign(c, 0);
  refuseHiding(c);
  ts_install_pieces(c, uuid, runPiece, NULL);
}

/* Names what somebody else has put on our tables, before any of it can run. */
static void refuseToRun(Cmd *c, int version) {
  Text list;
  ts_foreign_tables(c);
  ts_cmd_release(c);
  list = ts_foreign_list(c);
  if (c->rc != SQLITE_OK || list.n == 0) return;
  if (c->arg[INSTALL_KEEP_FOREIGN].given && c->arg[INSTALL_KEEP_FOREIGN].i) return;
  ts_fail(
      c, SQLITE_ERROR,
      "schema \"%s\" is to be upgraded from version %d, and holds what turnstile has not made: "
      "%.*s; look at the SQL in sqlite_schema, take off what you don't know, or keep it with the "
      "option {\"keep_foreign\":1}",
      c->target->schema, version, list.n, list.z);
}

static void upgrade(Cmd *c, int version) {
  int began = version;
  Text uuid = readText(c, "SELECT value FROM #turnstile_meta WHERE key = 'uuid'");
  if (!uuid.z) ts_fail(c, SQLITE_ERROR, "turnstile_meta holds no uuid; the file is damaged");
  refuseToRun(c, version);
  if (c->rc != SQLITE_OK) return;
  ts_each_created(c, ts_script_guards, dropCreated, NULL);
  ts_each_created(c, ts_retired_triggers, dropCreated, NULL);
  ts_each_created(c, ts_script_door, dropCreated, NULL);
  if (version >= 3) ts_each_created(c, ts_script_views, dropCreated, NULL);
  refuseForeign(c, version);
  refuseHiding(c);
  for (; version < TURNSTILE_SCHEMA_VERSION; version++) {
    runScript(c, ts_script_migrations[version - 1]);
    if (version == 5 && began >= 3) runScript(c, widenHistory);
    if (version != 2) continue;
    runScript(c, ts_script_turn);
    runScript(c, ts_script_identity);
  }
  runScript(c, ts_script_views);
  runScript(c, "DELETE FROM #state_transitions;");
  runScript(c, transitionsSql(c));
  runScript(c, retireRules);
  for (int i = 0; ts_script_rules[i]; i++)
    runScript(c, ts_script_rules[i]);
  runScript(c, carryRules);
  runScript(c, ts_script_guards);
  runScript(c, ts_script_door);
  runScript(c,
            ts_printf(c,
                      "UPDATE #turnstile_meta SET value = %d WHERE key = 'schema_version';"
                      "UPDATE #turnstile_meta SET value = value + 1 WHERE key = 'rules_version';",
                      TURNSTILE_SCHEMA_VERSION));
}

/* The installed version, or 0: nothing of ours is there. */
static int installedVersion(Cmd *c) {
  Text version;
  long long number;
  char *end;
  if (!ts_foreign_meta_is_ours(c)) {
    ts_fail(c, SQLITE_ERROR,
            "\"%s\".\"%s\" is not the table that turnstile makes; nothing of it was read",
            c->target->schema, ts_printf(c, "%sturnstile_meta", c->target->prefix));
  }
  version = readText(c, "SELECT value FROM #turnstile_meta WHERE key = 'schema_version'");
  if (!version.z) return 0;
  number = strtoll(version.z, &end, 10);
  if (end == version.z || *end || number < 1) {
    ts_fail(c, SQLITE_CORRUPT_VTAB,
            "turnstile_meta holds '%.40s' as schema_version, which is not a version; the file is "
            "damaged",
            version.z);
  }
  return number > INT_MAX ? INT_MAX : (int)number;
}

/* Is the door's view or trigger there? Fails the command when it is somebody else's. */
static int isDoor(Cmd *c, const char *kind, const char *name, Text sql) {
  const char *made = ts_stored_sql(c, ts_script_door, kind, name);
  if (sql.z && made && !ts_text_is(sql, made)) {
    ts_fail(c, SQLITE_CORRUPT_VTAB,
            "\"%s\".\"%s\" is not turnstile's door: somebody has replaced it; look at its SQL, "
            "drop the view, and install again",
            c->target->schema, ts_printf(c, "%s%s", c->target->prefix, name));
  }
  return sql.z != NULL;
}

/* Are the view and its trigger there? Somebody may have dropped them. A second trigger on the view would run as
** well, and could answer. */
static int doorStands(Cmd *c) {
  DoorFound found;
  int view, trigger;
  ts_foreign_door(c, &found);
  if (found.other.z) {
    ts_fail(
        c, SQLITE_CORRUPT_VTAB,
        "\"%s\".\"%s\" has a trigger that is not turnstile's: %.*s; look at its SQL, and drop it",
        c->target->schema, c->target->door, found.other.n, found.other.z);
  }
  view = isDoor(c, "VIEW", "turnstile", found.view);
  trigger = isDoor(c, "TRIGGER", "turnstile_door", found.trigger);
  return view && trigger;
}

/* Returns 1 when there is nothing (more) to do. */
static int isCurrent(Cmd *c, int version) {
  if (version > TURNSTILE_SCHEMA_VERSION) {
    ts_fail(c, SQLITE_ERROR,
            "this file has schema version %d, newer than this library's %d; use a newer library",
            version, TURNSTILE_SCHEMA_VERSION);
  }
  if (version > 0) ts_foreign_tables(c);
  ts_cmd_release(c);
  return c->rc != SQLITE_OK || (version >= TURNSTILE_SCHEMA_VERSION && doorStands(c));
}

/*
** The way back, made before the first step forward. Inside a function SQLite does not recover from
** a lack of memory or from sqlite3_interrupt(): until the statement that called it has ended, nothing
** can be prepared or run, a ROLLBACK included. And making an index expires prepared statements, which
** an authorizer may then refuse to prepare again. Two statements that are in the middle of their rows
** can still make SQLite roll back the whole transaction, the caller's too:
**
**   reader   Its second row calls turnstile_install() once more, which then fails with SQLITE_FULL; a
**            reader that ends with this error, or with a lack of memory when it is reset, makes
**            SQLite roll back.
**   writer   has written into a temporary table. Going on with it during an interrupt ends it at
**            once, and SQLite rolls back because a writing statement was interrupted.
**
** (A script that drops a table has to do without them: SQLite refuses while one is active.)
*/
typedef struct Transaction {
  sqlite3_stmt *begin, *commit, *undo[2], *reader, *writer;
} Transaction;

static void transactionPrepare(Cmd *c, Transaction *t) {
  /* First of all: a new temporary table expires every statement. */
  runScript(c, "CREATE TEMP TABLE IF NOT EXISTS turnstile_undo(x)");
  if (sqlite3_get_autocommit(c->db)) {
    t->begin = prepareOne(c, "BEGIN IMMEDIATE");
    t->commit = prepareOne(c, "COMMIT");
    t->undo[0] = prepareOne(c, "ROLLBACK");
  } else {
    t->begin = prepareOne(c, "SAVEPOINT turnstile_install");
    t->commit = prepareOne(c, "RELEASE turnstile_install");
    t->undo[0] = prepareOne(c, "ROLLBACK TO turnstile_install");
    t->undo[1] = prepareOne(c, "RELEASE turnstile_install");
  }
  t->reader =
      prepareOne(c, ts_printf(c,
                              "SELECT 1 UNION ALL SELECT turnstile_install() FROM (SELECT count(*) "
                              "FROM \"%w\".sqlite_schema)",
                              c->target->schema));
  t->writer = prepareOne(c, "INSERT INTO temp.turnstile_undo VALUES (1) RETURNING x");
}

/* Undoes what was done since t->begin. A failed statement may have rolled back already: then
** autocommit is on again (or the savepoint is gone, and undoing it fails without harm). */
static void transactionUndo(Cmd *c, Transaction *t) {
  if (sqlite3_get_autocommit(c->db)) return;
  if (sqlite3_step(t->undo[0]) == SQLITE_DONE) {
    sqlite3_reset(t->writer);
    if (!t->undo[1] || sqlite3_step(t->undo[1]) == SQLITE_DONE) return;
  }
  sqlite3_step(t->reader);
  sqlite3_reset(t->reader);
  if (!sqlite3_get_autocommit(c->db)) sqlite3_step(t->writer);
}

/* Ends the transaction: keeps everything, or nothing when the command has failed. */
static void transactionEnd(Cmd *c, Transaction *t, int begun) {
  if (c->rc == SQLITE_OK) {
    sqlite3_reset(t->writer); /* a commit is possible beside a reader, but not beside a writer */
    ts_step_once(c, t->commit);
  }
  if (c->rc != SQLITE_OK && begun) transactionUndo(c, t);
  sqlite3_finalize(t->begin);
  sqlite3_finalize(t->commit);
  sqlite3_finalize(t->undo[0]);
  sqlite3_finalize(t->undo[1]);
  sqlite3_finalize(t->reader);
  sqlite3_finalize(t->writer);
  /* If this fails, an empty temporary table stays, which does no harm. */
  sqlite3_exec(c->db, "DROP TABLE IF EXISTS temp.turnstile_undo", NULL, NULL, NULL);
}

void ts_distrust_begin(Cmd *c, Distrust *d) {
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, &d->triggers);
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &d->keys);
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
}

void ts_distrust_end(Cmd *c, const Distrust *d) {
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, d->triggers, NULL);
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_FKEY, d->keys, NULL);
}

/* Drops what an older version has left behind. While somebody reads that is not possible, and it stays for the
** next call. */
static void dropRetired(Cmd *c) {
  const char *sql = c->rc == SQLITE_OK ? ts_install_expand(c, ts_script_retired) : NULL;
  if (sql && !ts_writer_is_active(c->db)) sqlite3_exec(c->db, sql, NULL, NULL, NULL);
}

static void install(Cmd *c) {
  Transaction t;
  Distrust d;
  int version = installedVersion(c), begun;
  if (isCurrent(c, version)) {
    if (version >= 1) dropRetired(c);
    return;
  }
  if (ts_writer_is_active(c->db)) {
    ts_fail(c, SQLITE_ERROR,
            "a statement that writes is still running on this connection; finish it first, and "
            "call turnstile_install in a SELECT of its own");
    return;
  }
  memset(&t, 0, sizeof(t));
  ts_distrust_begin(c, &d);
  c->conn->installing = 1;
  transactionPrepare(c, &t);
  ts_step_once(c, t.begin);
  begun = c->rc == SQLITE_OK;
  ts_step_once(c, t.reader);
  ts_step_once(c, t.writer);
  c->looked = NULL; /* what was looked at before the lock was taken may have changed */
  version = installedVersion(c);
  if (!isCurrent(c, version)) {
    if (version < 1) {
      makeNew(c, c->arg[INSTALL_UUID].given ? c->arg[INSTALL_UUID].text.z : ts_install_uuid(c));
    } else {
      upgrade(c, version);
    }
  }
  transactionEnd(c, &t, begun);
  c->conn->installing = 0;
  dropRetired(c);
  ts_distrust_end(c, &d);
}

/* ---- The SQL functions ----------------------------------------------------------------------- */

/* Reads the arguments into c, and finds the target that they name. */
void ts_install_begin(Cmd *c, Conn *conn, const CommandSpec *spec, int argc, sqlite3_value **argv) {
  const char *prefix, *schema;
  ts_cmd_init(c, conn, ts_target_used(conn), spec->name);
  c->spec = spec;
  if (conn->running) ts_fail(c, SQLITE_ERROR, "it can't run inside a command");
  ts_args_from_values(c, argv, argc);
  if (c->rc != SQLITE_OK) return;
  prefix = c->arg[INSTALL_PREFIX].given ? c->arg[INSTALL_PREFIX].text.z : c->target->prefix;
  schema = c->arg[INSTALL_SCHEMA].given ? c->arg[INSTALL_SCHEMA].text.z : c->target->schema;
  if (!ts_prefix_valid(prefix)) {
    ts_fail(c, SQLITE_ERROR,
            "prefix is '%s'; it must be '' or begin with a letter or _ and hold only letters, "
            "digits and _, at most 32, and not begin with sqlite_",
            ts_excerpt(c, (Text){prefix, (int)strlen(prefix)}));
  } else if (sqlite3_stricmp(schema, "temp") == 0) {
    ts_fail(c, SQLITE_ERROR, "schema is temp, which no other connection would see");
  } else {
    Target *target = ts_target(conn, schema, prefix);
    if (!target) {
      ts_fail_nomem(c);
    } else {
      c->target = target;
    }
  }
}

void ts_install_end(sqlite3_context *ctx, Cmd *c) {
  if (c->rc != SQLITE_OK) ts_give_error(ctx, c);
  ts_cmd_clear(c);
}

/* turnstile_install([options]) → the schema version */
static void installFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Cmd c;
  if (ts_refuse_file(ctx, installSpec.name)) return;
  if (((Conn *)sqlite3_user_data(ctx))->installing) {
    sqlite3_result_error_code(ctx, SQLITE_FULL); /* see Transaction */
    return;
  }
  ts_install_begin(&c, sqlite3_user_data(ctx), &installSpec, argc, argv);
  if (c.rc == SQLITE_OK && sqlite3_txn_state(c.db, c.target->schema) < 0) {
    ts_fail(&c, SQLITE_ERROR, "no database is attached as \"%s\"", c.target->schema);
  }
  if (c.rc == SQLITE_OK) install(&c);
  if (c.rc == SQLITE_OK) sqlite3_result_int(ctx, TURNSTILE_SCHEMA_VERSION);
  ts_install_end(ctx, &c);
}

int ts_install_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_install", -1, SQLITE_DIRECTONLY, installFunction},
  };
  return ts_functions_register(conn, functions, 1);
}
