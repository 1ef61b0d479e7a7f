/*
** dispatch.c - turnstile_dispatch(): the inner side of the door, which finds the command and runs it.
**
** The dispatcher trusts nobody who calls it: it acts only for the one file that is being written to
** and whose secret key (turnstile_meta) the caller has read, only while a statement is executed that
** names the door or fires a trigger which does, and never inside another command.
*/
#include "dispatch.h"

#include "args.h"
#include "door.h"
#include "foreign.h"
#include "functions.h"
#include "result.h"
#include "text.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const CommandSpec *findCommand(const Conn *conn, const char *name) {
  for (int i = 0; conn->commands[i]; i++) {
    if (strcmp(conn->commands[i]->name, name) == 0) return conn->commands[i];
  }
  return NULL;
}

/* ---- Running one command --------------------------------------------------------------------------- */

/* A repeated request_id: the first result once more. Returns 1 when the command is answered. */
static int answerRepeat(Cmd *c, Text requestId, Text digest) {
  Query q = ts_query(c, SQL_REQUEST_GET, "t", &requestId);
  int known = ts_row(c, &q);
  if (known) {
    Text command = ts_col_text(c, &q, COL_REQUEST_GET_COMMAND);
    Text hash = ts_col_text(c, &q, COL_REQUEST_GET_ARGS_HASH);
    if (c->rc == SQLITE_OK && (!ts_text_is(command, c->name) || !ts_text_equal(hash, digest))) {
      ts_fail(c, SQLITE_ERROR,
              "request_id '%.*s' was used before for %s with other arguments; use a new one",
              requestId.n, requestId.z, command.z ? command.z : "another command");
    }
    switch (sqlite3_column_type(q.stmt, COL_REQUEST_GET_RESULT)) {
    case SQLITE_INTEGER: ts_return_int(c, ts_col_int(&q, COL_REQUEST_GET_RESULT)); break;
    case SQLITE_NULL: ts_return_null(c); break;
    default: ts_return_text(c, ts_col_text(c, &q, COL_REQUEST_GET_RESULT)); break;
    }
  }
  ts_end(c, &q);
  return known;
}

static void keepRequest(Cmd *c, Text requestId, Text digest) {
  Result *r = &c->result;
  Text text = {r->z, r->n};
  if (r->type == SQLITE_INTEGER) {
    ts_exec(c, SQL_REQUEST_PUT, "tst?i", &requestId, c->name, &digest, 1, r->i, c->now);
  } else {
    ts_exec(c, SQL_REQUEST_PUT, "tstti", &requestId, c->name, &digest, &text, c->now);
  }
}

/* Arguments have been checked, so text that SQLite now finds not to be JSON stands in the file. */
static void nameDamage(Cmd *c) {
  if (c->rc != SQLITE_ERROR || !c->err || !strstr(c->err, ": malformed JSON")) return;
  c->rc = SQLITE_OK;
  ts_fail(c, SQLITE_CORRUPT_VTAB,
          "malformed JSON in a row that it read; SELECT * FROM turnstile_check names the row");
}

void ts_command_execute(Cmd *c, int isWrite) {
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

/* ---- Who calls ------------------------------------------------------------------------------------- */

/* So many bytes of a statement's text are looked at; a longer one is taken to name the door. */
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
** SQLite does not tell a function which trigger calls it. What can be seen are the statements that are writing,
** and their text. One of them names the door, or fires a trigger of the application's that does. A view in
** somebody else's file does neither when a statement of the host's reads it.
*/
typedef enum Caller {
  CALLER_NONE,     /* nothing is being written */
  CALLER_OTHER,    /* something that does not name the door */
  CALLER_TRIGGER,  /* the same, but the file or the connection has a trigger that does */
  CALLER_STATEMENT /* a statement that names it */
} Caller;

/* Looks at statements only: triggers are looked for once the target is known. */
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

/* Does this schema's meta table hold the key? A schema without such a table is not an error here. */
static int schemaHasKey(SchemaSearch *search, Target *target, int *yes) {
  Cmd c;
  Query q;
  int rc;
  ts_cmd_init(&c, search->conn, target, "turnstile");
  q = ts_query(&c, SQL_META_DOOR, "");
  *yes =
      ts_row(&c, &q) && sqlite3_column_text(q.stmt, COL_META_DOOR_DOOR_KEY) &&
      strcmp((const char *)sqlite3_column_text(q.stmt, COL_META_DOOR_DOOR_KEY), search->key) == 0;
  if (*yes) search->rulesVersion = ts_col_int(&q, COL_META_DOOR_RULES_VERSION);
  ts_end(&c, &q);
  rc = (c.rc & 0xff) == SQLITE_ERROR ? SQLITE_OK : c.rc;
  if (rc != SQLITE_OK && c.err) {
    ts_fail(search->caller, rc, "%s", c.err + strlen("turnstile: "));
  }
  ts_cmd_clear(&c);
  return rc;
}

/* What is remembered of a target stays for the connection. Beyond so many, a target is made only for tables that
** exist: somebody else's view can call with any number of prefixes. */
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
    ts_fail_db(c, rc); /* unless the error is there already */
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

/* ---- The dispatcher -------------------------------------------------------------------------------- */

int ts_trial_stands(const Trial *t) {
  return t->done && t->stands && *t->stands;
}

static void runTrial(sqlite3_context *ctx, Trial *t) {
  t->run(t->c, t->arg);
  t->done = t->c->rc == SQLITE_OK;
  if (ts_trial_stands(t)) {
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

/* Does the command only read, given its arguments? */
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
  ts_command_execute(c, isWrite);
  conn->running = 0;
}

void ts_door_replaced(Cmd *c, const char *what) {
  ts_fail(c, SQLITE_CORRUPT_VTAB,
          "\"%s\".\"%s\" is not turnstile's door: %s; its view or trigger has been replaced",
          c->target->schema, c->target->door, what);
}

/* The call that is on its way to this command's file: nothing else is let in there. A trigger of the connection's
** own can write to another file meanwhile. */
static Call *callOnItsWay(const Cmd *c) {
  Call *call = c->conn->call;
  return call && sqlite3_stricmp(call->target->schema, c->target->schema) == 0 ? call : NULL;
}

/* Is this the call as our door hands it on: the same command, once, with its arguments waiting beside the
** statement? */
static int isCallItself(const Cmd *c, const Call *call, const CommandSpec *spec,
                        sqlite3_value *args) {
  return !call->arrived && call->spec == spec && call->target == c->target &&
         sqlite3_value_type(args) == SQLITE_NULL;
}

/* The error names what was called, whatever was sent. */
static void failSwapped(Cmd *c, const Call *call) {
  c->name = call->spec->name;
  c->target = call->target;
  ts_door_replaced(c, "it sends something else than what was called, or more than once");
}

/* turnstile_dispatch(schema version, door_key, prefix, command, args), from the door's trigger. It leaves what the
** connection remembers alone until it is sure who calls. */
static void dispatch(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  /* The type is read first: reading a BLOB as text turns it into text. */
  int nameType = sqlite3_value_type(argv[3]);
  const char *name = (const char *)sqlite3_value_text(argv[3]);
  /* A BLOB, or a text with a NUL in it, names no command. */
  int isText = name && nameType == SQLITE_TEXT && (int)strlen(name) == sqlite3_value_bytes(argv[3]);
  const CommandSpec *spec = isText ? findCommand(conn, name) : NULL;
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
  /* The connection has asked neither for what a trigger has done nor for what was done beside a call. */
  if (call) {
    kept = &call->result;
  } else if (caller == CALLER_STATEMENT && !conn->call) {
    kept = &conn->result;
  }
  if (c.rc == SQLITE_OK) {
    if (kept) ts_result_clear(kept);
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

int ts_dispatch_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_dispatch", 5, SQLITE_INNOCUOUS, dispatch},
  };
  return ts_functions_register(conn, functions, 1);
}
