/*
** door.c - the one door: the sugar functions, which go through it, and trials.
**
** A command runs in exactly one way: inside the INSTEAD OF trigger of the view `turnstile`, which
** calls turnstile_dispatch() (dispatch.c). A sugar function such as session_deliver() only runs
**
**   INSERT INTO turnstile(command, args) VALUES ('session_deliver', NULL)
**
** with its SQL values waiting beside the statement, and hands the result on. So a command has the
** trigger's statement journal (all or nothing, in every calling context), takes the write lock
** before it reads, and is a write for everybody who looks at the statement.
**
** Commands that only read (COMMAND_READ) skip the statement when called by their sugar, so that
** they work on a read-only database, but can be sent through the door too.
*/
#include "door.h"

#include "args.h"
#include "dispatch.h"
#include "functions.h"
#include "result.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Sugar ----------------------------------------------------------------------------------------- */

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

/* ---- Trials ---------------------------------------------------------------------------------------- */

void ts_attempt(Cmd *c, void (*run)(Cmd *c, void *arg), void *arg, const int *stands) {
  Trial t = {c, run, arg, stands, 0};
  if (c->rc != SQLITE_OK) return;
  c->conn->trial = &t;
  ts_exec(c, SQL_DOOR, "s", c->name);
  if (c->rc == SQLITE_OK && !ts_trial_stands(&t)) ts_door_replaced(c, "nothing was done");
  c->conn->trial = NULL;
  if (t.done && !ts_trial_stands(&t) && (c->rc & 0xff) == SQLITE_CONSTRAINT) {
    c->rc = SQLITE_OK;
    c->err = NULL;
    c->notesRead = 0; /* what it has done to the notes of ids was taken back, too */
    memset(c->noted, 0, sizeof(c->noted));
  }
}

void ts_trial(Cmd *c, void (*run)(Cmd *c, void *arg), void *arg) {
  ts_attempt(c, run, arg, NULL);
}

/* ---- Calling --------------------------------------------------------------------------------------- */

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
    ts_command_execute(&c, 0);
    conn->running = 0;
    if (c.rc == SQLITE_OK) ts_result_give(ctx, &c.result);
  } else if (c.rc == SQLITE_OK) {
    int hadSnapshot =
        sqlite3_txn_state(conn->db, c.target ? c.target->schema : "main") == SQLITE_TXN_READ;
    sqlite3_free(conn->err);
    conn->err = NULL;
    ts_result_clear(&conn->result);
    conn->call = &call;
    /* A table of that name would take the row and keep it. */
    if (c.target && sqlite3_table_column_metadata(conn->db, c.target->schema, c.target->door, NULL,
                                                  NULL, NULL, NULL, NULL, NULL) == SQLITE_OK) {
      ts_door_replaced(&c, "nothing was done");
    }
    ts_exec(&c, SQL_DOOR, "s", sugar->spec->name);
    conn->call = call.outer;
    if (c.rc == SQLITE_OK && call.result.type == 0) {
      ts_door_replaced(&c, "nothing was done");
    }
    if (c.rc == SQLITE_OK) {
      ts_result_give(ctx, &call.result);
    } else {
      failDoor(&c, hadSnapshot);
    }
    ts_result_clear(&call.result);
  }
  if (c.rc != SQLITE_OK) ts_give_error(ctx, &c);
  ts_cmd_clear(&c);
}

int ts_door_register(Conn *conn) {
  int rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && conn->commands[i]; i++) {
    Sugar *sugar = sqlite3_malloc64(sizeof(*sugar));
    if (!sugar) return SQLITE_NOMEM;
    sugar->conn = conn;
    sugar->spec = conn->commands[i];
    conn->nRef++;
    rc = ts_function_register(conn,
                              &(FunctionSpec){sugar->spec->name, -1, SQLITE_DIRECTONLY, runSugar},
                              sugar, sugarRelease);
  }
  return rc;
}
