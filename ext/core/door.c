/*
** door.c - the one door: the dispatcher, the sugar functions, and turnstile_result().
**
** A command runs in exactly one way: inside the INSTEAD OF trigger of the view `turnstile`, which
** calls turnstile_dispatch(). A sugar function such as session_deliver() only runs
**
**   INSERT INTO turnstile(command, args) VALUES ('session_deliver', NULL)
**
** with its SQL values waiting beside the statement, and hands the result on. So a command has the
** trigger's statement journal (all or nothing, in every calling context), takes the write lock
** before it reads, and is a write for everybody who looks at the statement.
**
** The dispatcher trusts nobody who calls it: it acts only for the one file that is being written to
** and whose secret key (turnstile_meta) the caller has read, only while a statement is executed that
** names the door or fires a trigger which does, and never inside another command.
**
** Commands that only read (COMMAND_READ) skip the statement when called by their sugar, so that
** they work on a read-only database, but can be sent through the door too.
*/
#include "door.h"

#include "args.h"
#include "foreign.h"
#include "table.h"
#include "text.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const CommandSpec *findCommand(const char *name) {
  for (int i = 0; ts_commands[i]; i++) {
    if (strcmp(ts_commands[i]->name, name) == 0) return ts_commands[i];
  }
  return NULL;
}

/* A call on its way from a sugar function through the door to the dispatcher: it arrives once. */
typedef struct Call {
  const CommandSpec *spec;
  Target *target;
  sqlite3_value **args;
  int nArgs;
  int arrived;
  Result result;      /* z is owned */
  struct Call *outer; /* a function of the host's that a trigger calls can call a command */
} Call;

static void clearResult(Result *r) {
  sqlite3_free(r->z);
  memset(r, 0, sizeof(*r));
}

/* The work is done, so nothing may fail any more. A text goes with a length of -1, for then SQLite
** knows that a NUL ends it; before 3.40 it took memory for a NUL of its own otherwise. */
static void resultGive(sqlite3_context *ctx, Result *r) {
  switch (r->type) {
  case SQLITE_INTEGER: sqlite3_result_int64(ctx, r->i); break;
  case SQLITE_TEXT:
    sqlite3_result_text(ctx, r->z, (int)strlen(r->z) == r->n ? -1 : r->n, sqlite3_free);
    r->z = NULL;
    break;
  default: sqlite3_result_null(ctx); break;
  }
}

/* ---- Running one command --------------------------------------------------------------------- */

/* A repeated request_id: the first result once more. Returns 1 when the command is answered. */
static int answerRepeat(Cmd *c, Text requestId, Text digest) {
  Query q = ts_query(c, SQL_REQUEST_GET, "t", &requestId);
  int known = ts_row(c, &q);
  if (known) {
    Text command = ts_col_text(c, &q, 0);
    Text hash = ts_col_text(c, &q, 1);
    if (c->rc == SQLITE_OK && (!ts_text_is(command, c->name) || !ts_text_equal(hash, digest))) {
      ts_fail(c, SQLITE_ERROR,
              "request_id '%.*s' was used before for %s with other arguments; use a new one",
              requestId.n, requestId.z, command.z ? command.z : "another command");
    }
    switch (sqlite3_column_type(q.stmt, 2)) {
    case SQLITE_INTEGER: ts_return_int(c, ts_col_int(&q, 2)); break;
    case SQLITE_NULL: ts_return_null(c); break;
    default: ts_return_text(c, ts_col_text(c, &q, 2)); break;
    }
  }
  ts_end(c, &q);
  return known;
}

static void keepRequest(Cmd *c, Text requestId, Text digest) {
  Result *r = &c->result;
  Text text = {r->z, r->n};
  if (r->type == SQLITE_INTEGER) {
    ts_exec(c, SQL_REQUEST_PUT_TEXT, "tst?i", &requestId, c->name, &digest, 1, r->i, c->now);
  } else {
    ts_exec(c, SQL_REQUEST_PUT_TEXT, "tstti", &requestId, c->name, &digest, &text, c->now);
  }
}

/* What comes in was checked: text that SQLite finds to be no JSON now stands in the file. */
static void nameDamage(Cmd *c) {
  if (c->rc != SQLITE_ERROR || !c->err || !strstr(c->err, ": malformed JSON")) return;
  c->rc = SQLITE_OK;
  ts_fail(c, SQLITE_CORRUPT_VTAB,
          "malformed JSON in a row that it read; SELECT * FROM turnstile_check names the row");
}

/* Arguments are in place: check, look for a repetition, run. */
static void execute(Cmd *c, int isWrite) {
  int autocommit = sqlite3_get_autocommit(c->db);
  Text requestId = ts_args_request_id(c), digest = {NULL, 0};
  ts_args_check(c);
  if (requestId.z && isWrite && c->rc == SQLITE_OK) {
    digest = ts_args_digest(c);
    if (answerRepeat(c, requestId, digest)) return;
  }
  if (c->rc == SQLITE_OK) {
    c->spec->run(c);
    nameDamage(c);
    if (c->rc == SQLITE_OK && c->result.type == 0) ts_return_null(c);
  }
  if (digest.z && c->rc == SQLITE_OK) keepRequest(c, requestId, digest);
  if (c->rc == SQLITE_OK && sqlite3_get_autocommit(c->db) != autocommit) {
    ts_fail(c, SQLITE_ABORT, "the transaction was rolled back underneath the command");
  }
}

/* ---- Who calls the dispatcher ---------------------------------------------------------------- */

/* A statement's text is looked at up to here; what is longer is taken to name the door. */
#define TS_LOOK_AT 16384

static int isWordByte(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
         ch == '_' || (ch & 0x80);
}

/* Does this SQL hold the name of the door with this prefix as a whole word, in letters of either case? */
static int mentionsDoor(const char *sql, const char *prefix) {
  static const Text view = TS_TEXT("turnstile");
  int n = (int)strlen(prefix), i = 0;
  if (!sql) return 1;
  for (; sql[i] && i < TS_LOOK_AT; i++) {
    if ((i == 0 || !isWordByte(sql[i - 1])) && sqlite3_strnicmp(sql + i, prefix, n) == 0 &&
        sqlite3_strnicmp(sql + i + n, view.z, view.n) == 0 && !isWordByte(sql[i + n + view.n])) {
      return 1;
    }
  }
  return i == TS_LOOK_AT;
}

/* A trigger of the application's, in the file or of this connection, that writes to the door. */
static int triggerMentions(Cmd *c) {
  int found = 0;
  sqlite3_stmt *stmt = ts_prepare_once(
      c, ts_printf(c,
                   "SELECT sql FROM \"%w\".sqlite_schema WHERE type = 'trigger' AND name <> "
                   "'%qturnstile_door' COLLATE NOCASE UNION ALL SELECT sql FROM "
                   "temp.sqlite_schema WHERE type = 'trigger'",
                   c->target->schema, c->target->prefix));
  while (!found && ts_step_once(c, stmt))
    found = mentionsDoor((const char *)sqlite3_column_text(stmt, 0), c->target->prefix);
  sqlite3_finalize(stmt);
  return found;
}

/*
** SQLite does not tell a function which trigger calls it. What can be seen: the statements that are
** writing, and their text. One of them names the door, or fires a trigger of the application's that
** does; a view of somebody else's file that is read by a statement of the host's does neither.
*/
typedef enum Caller {
  CALLER_NONE,     /* nothing is being written */
  CALLER_OTHER,    /* something that does not name the door */
  CALLER_TRIGGER,  /* the same, but the file or the connection has a trigger that does */
  CALLER_STATEMENT /* a statement that names it */
} Caller;

/* Of statements alone: a trigger is looked for once the target is known. */
static Caller findWriter(sqlite3 *db, const char *prefix) {
  Caller caller = CALLER_NONE;
  for (sqlite3_stmt *s = sqlite3_next_stmt(db, NULL); s; s = sqlite3_next_stmt(db, s)) {
    if (!sqlite3_stmt_busy(s) || sqlite3_stmt_readonly(s)) continue;
    if (mentionsDoor(sqlite3_sql(s), prefix)) return CALLER_STATEMENT;
    caller = CALLER_OTHER;
  }
  return caller;
}

/* Looking for the file that a dispatch is meant for. */
typedef struct SchemaSearch {
  Cmd *caller; /* gets the error */
  Conn *conn;
  const char *key;
  const char *prefix;
  Target *found;
  int nFound;
  sqlite3_int64 rulesVersion;
} SchemaSearch;

/* Does this schema's meta table hold the key? A schema without one is no error here. */
static int schemaHasKey(SchemaSearch *search, Target *target, int *yes) {
  Cmd c;
  Query q;
  int rc;
  ts_cmd_init(&c, search->conn, target, "turnstile");
  q = ts_query(&c, SQL_META_DOOR, "");
  *yes = ts_row(&c, &q) && sqlite3_column_text(q.stmt, 0) &&
         strcmp((const char *)sqlite3_column_text(q.stmt, 0), search->key) == 0;
  if (*yes) search->rulesVersion = ts_col_int(&q, 1);
  ts_end(&c, &q);
  rc = (c.rc & 0xff) == SQLITE_ERROR ? SQLITE_OK : c.rc;
  if (rc != SQLITE_OK && c.err) {
    ts_fail(search->caller, rc, "%s", c.err + strlen("turnstile: "));
  }
  ts_cmd_clear(&c);
  return rc;
}

/* What is remembered of a target stays for the connection. Past this many, only for tables that are
** there: a view of somebody else's can call with any number of prefixes. */
#define TS_MANY_TARGETS 64

static int isWorthATarget(const SchemaSearch *s, const char *schema) {
  int n = 0, found;
  char *name;
  for (const Target *t = s->conn->targets; t; t = t->next)
    n++;
  if (n < TS_MANY_TARGETS) return 1;
  name = sqlite3_mprintf("%sturnstile_meta", s->prefix);
  found = name && sqlite3_table_column_metadata(s->conn->db, schema, name, "value", NULL, NULL,
                                                NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_free(name);
  return found;
}

static int visitSchema(void *arg, const char *schema) {
  SchemaSearch *s = arg;
  Target *target;
  int yes = 0, rc;
  if (sqlite3_stricmp(schema, "temp") == 0) return SQLITE_OK;
  if (sqlite3_txn_state(s->conn->db, schema) != SQLITE_TXN_WRITE) return SQLITE_OK;
  if (!isWorthATarget(s, schema)) return SQLITE_OK;
  target = ts_target(s->conn, schema, s->prefix);
  if (!target) return SQLITE_NOMEM;
  rc = schemaHasKey(s, target, &yes);
  if (yes) {
    s->found = target;
    s->nFound++;
  }
  return rc;
}

/* Finds the one file that is being written to and whose door calls; fails the command otherwise.
** Returns what the statements say of the caller. */
static Caller findTarget(Cmd *c, sqlite3_value **argv) {
  const char *key = (const char *)sqlite3_value_text(argv[1]);
  const char *prefix = (const char *)sqlite3_value_text(argv[2]);
  SchemaSearch search = {c, c->conn, key ? key : "", prefix ? prefix : "", NULL, 0, 0};
  int version = sqlite3_value_int(argv[0]), rc;
  Caller caller = findWriter(c->db, search.prefix);
  if (caller == CALLER_NONE) {
    c->name = "turnstile_dispatch";
    ts_fail(c, SQLITE_ERROR, "INSERT INTO turnstile calls it; it can't be called by itself");
    return caller;
  }
  if (version != TURNSTILE_SCHEMA_VERSION) {
    ts_fail(c, SQLITE_ERROR,
            "this file has schema version %d, the library works with %d; run SELECT "
            "turnstile_install()",
            version, TURNSTILE_SCHEMA_VERSION);
    return caller;
  }
  rc = key && key[0] && ts_prefix_valid(search.prefix)
           ? ts_each_schema(c->conn, visitSchema, &search)
           : SQLITE_OK;
  if (rc != SQLITE_OK) {
    ts_fail_db(c, rc); /* unless it was told in other words */
  } else if (search.nFound != 1) {
    ts_fail(c, SQLITE_ERROR,
            search.nFound
                ? "several attached files hold the same door_key (copies of one file?); "
                  "detach all but one, or give one a key of its own with turnstile_renew()"
                : "the file being written to is not the one this view belongs to");
  } else {
    c->target = search.found;
    c->looked = search.found; /* in this very transaction */
    c->rulesVersion = search.rulesVersion;
  }
  return caller;
}

/* ---- The dispatcher -------------------------------------------------------------------------- */

/* A part of a command that is tried: by a statement that fails when it has run. SQLite then takes back
** what was written in it, and nothing else. A savepoint can't be begun inside a command. */
typedef struct Trial {
  Cmd *c;
  void (*run)(Cmd *c, void *arg);
  void *arg;
  const int *stands; /* is it to stay after all? NULL: never */
  int done;          /* it came to its end without an error */
} Trial;

static int standsAtEnd(const Trial *t) {
  return t->done && t->stands && *t->stands;
}

static void runTrial(sqlite3_context *ctx, Trial *t) {
  t->run(t->c, t->arg);
  t->done = t->c->rc == SQLITE_OK;
  if (standsAtEnd(t)) {
    sqlite3_result_null(ctx);
  } else if (t->done) {
    sqlite3_result_error(ctx, "turnstile: a trial is taken back", -1);
    sqlite3_result_error_code(ctx, SQLITE_CONSTRAINT_FUNCTION);
  } else {
    ts_give_error(ctx, t->c);
  }
}

/* Only a text names a command: a BLOB with the bytes of one doesn't. */
static void failUnknown(Cmd *c, sqlite3_value *given, int type) {
  if (type == SQLITE_BLOB) {
    ts_fail(c, SQLITE_ERROR, "command must be text, not a BLOB");
  } else {
    const char *z = (const char *)sqlite3_value_text(given);
    Text name = {z ? z : "NULL", z ? sqlite3_value_bytes(given) : 4};
    ts_fail(c, SQLITE_ERROR, "command '%s' is unknown; docs/reference.md lists them",
            ts_excerpt(c, name));
  }
}

/* Does it only read, with the arguments that are in place? */
static int isRead(const Cmd *c, const CommandSpec *spec) {
  if (spec->flags & COMMAND_READ) return 1;
  return (spec->flags & COMMAND_MAY_READ) && c->rc == SQLITE_OK && spec->reads(c);
}

/* Runs the command that has been let in: the call, or what a statement has written to the door. */
static void runCommand(Cmd *c, const CommandSpec *spec, Call *call, sqlite3_value *args) {
  Conn *conn = c->conn;
  int isWrite;
  c->spec = spec;
  conn->running = 1;
  if (call) {
    call->arrived = 1;
    ts_args_from_values(c, call->args, call->nArgs);
  } else {
    ts_args_from_json(c, args);
  }
  isWrite = !isRead(c, spec);
  if (isWrite) ts_foreign_skips(c);
  execute(c, isWrite);
  conn->running = 0;
}

/* Somebody has put something else in the door's place. */
static void failReplaced(Cmd *c, const char *what) {
  ts_fail(c, SQLITE_CORRUPT_VTAB,
          "\"%s\".\"%s\" is not turnstile's door: %s; its view or trigger has been replaced",
          c->target->schema, c->target->door, what);
}

/* The call that is on its way to this command's file: there nothing else is let in. To another file a
** trigger of the connection's own can write beside it. */
static Call *callOnItsWay(const Cmd *c) {
  Call *call = c->conn->call;
  return call && sqlite3_stricmp(call->target->schema, c->target->schema) == 0 ? call : NULL;
}

/* Is it the call as our door hands it on: that command, its arguments waiting beside it, once? */
static int isCallItself(const Cmd *c, const Call *call, const CommandSpec *spec,
                        sqlite3_value *args) {
  return !call->arrived && call->spec == spec && call->target == c->target &&
         sqlite3_value_type(args) == SQLITE_NULL;
}

/* The error has the name of what was called, whatever was sent. */
static void failSwapped(Cmd *c, const Call *call) {
  c->name = call->spec->name;
  c->target = call->target;
  failReplaced(c, "it sends something else than what was called, or more than once");
}

/* turnstile_dispatch(schema version, door_key, prefix, command, args), from the door's trigger. What
** the connection remembers is not touched before it is sure who calls. */
static void dispatch(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  /* Its type first: reading a BLOB as text makes a text of it. */
  int nameType = sqlite3_value_type(argv[3]);
  const char *name = (const char *)sqlite3_value_text(argv[3]);
  /* Exactly that text: a NUL in it or a BLOB names no command. */
  int isText = name && nameType == SQLITE_TEXT && (int)strlen(name) == sqlite3_value_bytes(argv[3]);
  const CommandSpec *spec = isText ? findCommand(name) : NULL;
  int fromSugar = spec && conn->call && conn->call->spec == spec;
  Caller caller = CALLER_NONE;
  Call *call = NULL;
  Result *kept = NULL;
  Cmd c;
  (void)argc;

  ts_cmd_init(&c, conn, ts_target_used(conn), spec ? spec->name : "turnstile");
  if (c.rc == SQLITE_OK) caller = findTarget(&c, argv);
  if (c.rc == SQLITE_OK && conn->trial && conn->trial->c->target == c.target) {
    Trial *trial = conn->trial;
    conn->trial = NULL;
    runTrial(ctx, trial);
    ts_cmd_clear(&c);
    return;
  }
  if (c.rc == SQLITE_OK && conn->running) {
    ts_fail(&c, SQLITE_ERROR, "a command can't run inside another command");
  } else if (c.rc == SQLITE_OK && caller == CALLER_OTHER && triggerMentions(&c)) {
    caller = CALLER_TRIGGER;
  } else if (c.rc == SQLITE_OK && caller == CALLER_OTHER) {
    ts_fail(&c, SQLITE_ERROR,
            "no statement that is running names the door \"%s\", nor does a trigger of this file; "
            "something else called turnstile_dispatch",
            c.target->door);
  }
  if (c.rc == SQLITE_OK) call = callOnItsWay(&c);
  if (call && !isCallItself(&c, call, spec, argv[4])) {
    failSwapped(&c, call);
    fromSugar = 1;
  }
  /* What a trigger has done is not what the connection asked for, nor what was done beside a call. */
  if (call) {
    kept = &call->result;
  } else if (caller == CALLER_STATEMENT && !conn->call) {
    kept = &conn->result;
  }
  if (c.rc == SQLITE_OK) {
    if (kept) clearResult(kept);
    if (spec) {
      runCommand(&c, spec, call, argv[4]);
    } else {
      failUnknown(&c, argv[3], nameType);
    }
  }
  if (c.rc == SQLITE_OK) {
    if (kept) {
      *kept = c.result;
      c.result.z = NULL;
    }
    sqlite3_result_null(ctx);
  } else {
    if (fromSugar) {
      sqlite3_free(conn->err);
      conn->err = c.err ? sqlite3_mprintf("%s", c.err) : NULL;
    }
    ts_give_error(ctx, &c);
  }
  ts_cmd_clear(&c);
}

/* turnstile_result(): what the last command returned, once. */
static void resultFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  (void)argc;
  (void)argv;
  if (conn->result.type == 0) {
    sqlite3_result_error(
        ctx,
        "turnstile_result: no command has run since it was last asked; use it as INSERT INTO "
        "turnstile … RETURNING turnstile_result()",
        -1);
    return;
  }
  resultGive(ctx, &conn->result);
  clearResult(&conn->result);
}

/* ---- Sugar ----------------------------------------------------------------------------------- */

typedef struct Sugar {
  Conn *conn; /* holds a reference */
  const CommandSpec *spec;
} Sugar;

static void sugarRelease(void *p) {
  Sugar *s = p;
  ts_conn_release(s->conn);
  sqlite3_free(s);
}

/* The door's statement failed before or after the dispatcher ran. */
static void failDoor(Cmd *c, int hadSnapshot) {
  Conn *conn = c->conn;
  int rc = c->rc;
  if (conn->err) {
    c->err = conn->err;
  } else if ((rc & 0xff) == SQLITE_BUSY && hadSnapshot) {
    c->rc = SQLITE_OK;
    ts_fail(c, rc,
            "the database is locked, and this statement already reads from it; call it without "
            "FROM, or begin the transaction with a write (BEGIN IMMEDIATE)");
  }
}

void ts_attempt(Cmd *c, void (*run)(Cmd *c, void *arg), void *arg, const int *stands) {
  Trial t = {c, run, arg, stands, 0};
  if (c->rc != SQLITE_OK) return;
  c->conn->trial = &t;
  ts_exec(c, SQL_DOOR, "s", c->name);
  if (c->rc == SQLITE_OK && !standsAtEnd(&t)) failReplaced(c, "nothing was done");
  c->conn->trial = NULL;
  if (t.done && !standsAtEnd(&t) && (c->rc & 0xff) == SQLITE_CONSTRAINT) {
    c->rc = SQLITE_OK;
    c->err = NULL;
    c->notesRead = 0; /* what it has done to the notes of ids was taken back, too */
    memset(c->noted, 0, sizeof(c->noted));
  }
}

void ts_trial(Cmd *c, void (*run)(Cmd *c, void *arg), void *arg) {
  ts_attempt(c, run, arg, NULL);
}

static void runSugar(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Sugar *sugar = sqlite3_user_data(ctx);
  Conn *conn = sugar->conn;
  Call call = {sugar->spec, ts_target_used(conn), argv, argc, 0, {0, 0, NULL, 0}, conn->call};
  int reads = 0;
  Cmd c;
  if (ts_refuse_file(ctx, sugar->spec->name)) return;
  ts_cmd_init(&c, conn, call.target, sugar->spec->name);
  c.spec = sugar->spec;
  if (conn->running) {
    ts_fail(&c, SQLITE_ERROR, "a command can't run inside another command");
  } else if (sugar->spec->flags & (COMMAND_READ | COMMAND_MAY_READ)) {
    ts_args_from_values(&c, argv, argc);
    reads = (sugar->spec->flags & COMMAND_READ) || sugar->spec->reads(&c);
  }
  if (reads && c.rc == SQLITE_OK) {
    conn->running = 1;
    execute(&c, 0);
    conn->running = 0;
    if (c.rc == SQLITE_OK) resultGive(ctx, &c.result);
  } else if (c.rc == SQLITE_OK) {
    int hadSnapshot =
        sqlite3_txn_state(conn->db, c.target ? c.target->schema : "main") == SQLITE_TXN_READ;
    sqlite3_free(conn->err);
    conn->err = NULL;
    clearResult(&conn->result);
    conn->call = &call;
    /* A table of that name would take the row and keep it. */
    if (c.target && sqlite3_table_column_metadata(conn->db, c.target->schema, c.target->door, NULL,
                                                  NULL, NULL, NULL, NULL, NULL) == SQLITE_OK) {
      failReplaced(&c, "nothing was done");
    }
    ts_exec(&c, SQL_DOOR, "s", sugar->spec->name);
    conn->call = call.outer;
    if (c.rc == SQLITE_OK && call.result.type == 0) {
      failReplaced(&c, "nothing was done");
    }
    if (c.rc == SQLITE_OK) {
      resultGive(ctx, &call.result);
    } else {
      failDoor(&c, hadSnapshot);
    }
    clearResult(&call.result);
  }
  if (c.rc != SQLITE_OK) ts_give_error(ctx, &c);
  ts_cmd_clear(&c);
}

/* ---- Settings of the connection -------------------------------------------------------------- */

/* turnstile_use(schema [, prefix]) */
static void useFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  const char *schema = (const char *)sqlite3_value_text(argv[0]);
  const char *prefix = argc > 1 ? (const char *)sqlite3_value_text(argv[1]) : "";
  Target *target;
  if (ts_refuse_file(ctx, "turnstile_use")) return;
  if (!schema) schema = "main";
  if (!prefix) prefix = "";
  if (sqlite3_stricmp(schema, "temp") == 0) {
    sqlite3_result_error(ctx, "turnstile_use: schema must not be temp", -1);
    return;
  }
  if (!ts_prefix_valid(prefix)) {
    sqlite3_result_error(ctx, TS_PREFIX_ERROR("turnstile_use"), -1);
    return;
  }
  if (sqlite3_txn_state(conn->db, schema) < 0) {
    int n = (int)strlen(schema), cut = ts_utf8_cut(schema, n, 60);
    char *shown = sqlite3_mprintf("%.*s%s", cut, schema, cut < n ? "…" : "");
    char *message =
        shown ? sqlite3_mprintf("turnstile_use: no database is attached as \"%s\"", shown) : NULL;
    sqlite3_free(shown);
    if (message) {
      sqlite3_result_error(ctx, message, -1);
    } else {
      sqlite3_result_error_nomem(ctx);
    }
    sqlite3_free(message);
    return;
  }
  target = ts_target(conn, schema, prefix);
  if (!target) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  conn->used = target;
  sqlite3_result_null(ctx);
}

static void failClock(sqlite3_context *ctx, const char *unit, sqlite3_int64 at, sqlite3_int64 ms) {
  char *error =
      sqlite3_mprintf("turnstile_clock: ms is %lld, a time in %s; it must be Unix milliseconds, "
                      "such as %lld",
                      at, unit, ms);
  if (error) {
    sqlite3_result_error(ctx, error, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(error);
}

/* turnstile_clock(ms): the time stands still; turnstile_clock(NULL): it runs again. */
static void clockFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  const char *unit;
  int64_t ms;
  (void)argc;
  if (ts_refuse_file(ctx, "turnstile_clock")) return;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) {
    conn->pinned = 0;
    sqlite3_result_null(ctx);
    return;
  }
  if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER || sqlite3_value_int64(argv[0]) < 0 ||
      sqlite3_value_int64(argv[0]) > TURNSTILE_MAX_INTEGER) {
    sqlite3_result_error(ctx,
                         "turnstile_clock: ms must be an integer from 0 to 2^53 - 1, or NULL "
                         "for the system's time",
                         -1);
    return;
  }
  unit = ts_time_unit(sqlite3_value_int64(argv[0]), &ms);
  if (unit) {
    failClock(ctx, unit, sqlite3_value_int64(argv[0]), ms);
    return;
  }
  conn->pinned = 1;
  conn->pinnedAt = sqlite3_value_int64(argv[0]);
  sqlite3_result_int64(ctx, conn->pinnedAt);
}

/* turnstile_version() */
static void versionFunction(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  if (((Conn *)sqlite3_user_data(ctx))->dead) {
    sqlite3_result_error(ctx, "turnstile_version: loading turnstile has failed", -1);
    return;
  }
  sqlite3_result_text(ctx, TURNSTILE_VERSION, -1, SQLITE_STATIC);
}

static const FunctionSpec functions[] = {
    {"turnstile_dispatch", 5, SQLITE_INNOCUOUS, dispatch},
    {"turnstile_result", 0, SQLITE_DIRECTONLY, resultFunction},
    {"turnstile_use", 1, SQLITE_DIRECTONLY, useFunction},
    {"turnstile_use", 2, SQLITE_DIRECTONLY, useFunction},
    {"turnstile_clock", 1, SQLITE_DIRECTONLY, clockFunction},
    {"turnstile_version", 0, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, versionFunction},
};

int ts_door_register(Conn *conn) {
  int rc = ts_functions_register(conn, functions, (int)(sizeof(functions) / sizeof(functions[0])));
  for (int i = 0; rc == SQLITE_OK && ts_commands[i]; i++) {
    Sugar *sugar = sqlite3_malloc64(sizeof(*sugar));
    if (!sugar) return SQLITE_NOMEM;
    sugar->conn = conn;
    sugar->spec = ts_commands[i];
    conn->nRef++;
    rc = ts_function_register(conn,
                              &(FunctionSpec){sugar->spec->name, -1, SQLITE_DIRECTONLY, runSugar},
                              sugar, sugarRelease);
  }
  return rc;
}
