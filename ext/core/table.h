/*
** table.h - what the registrations and the table-valued functions have in common.
*/
#ifndef TS_TABLE_H
#define TS_TABLE_H

#include "core.h"

typedef struct FunctionSpec {
  const char *name;
  int nArg;  /* -1: any number */
  int flags; /* SQLITE_INNOCUOUS, SQLITE_DIRECTONLY, SQLITE_DETERMINISTIC */
  void (*function)(sqlite3_context *, int, sqlite3_value **);
} FunctionSpec;

/* What was registered while the library is being loaded, so that it can be taken back. */
#define TS_MAX_REGISTERED 256
typedef struct Registry {
  int n;
  struct {
    const char *name;
    int nArg; /* TS_IS_MODULE: a module */
  } entries[TS_MAX_REGISTERED];
} Registry;
#define TS_IS_MODULE (-2)

/* Registers one function. data is released by destroy, also when it fails. */
int ts_function_register(Conn *conn, const FunctionSpec *spec, void *data, void (*destroy)(void *));
/* Registers functions whose user data is the connection, each with a reference to it. */
int ts_functions_register(Conn *conn, const FunctionSpec *specs, int n);
int ts_module_register(Conn *conn, const char *name, const sqlite3_module *module);
/* Takes back what was registered, the newest first. What SQLite won't give up (a function, while a
** statement runs) stays, and is inert from then on. */
void ts_registry_undo(Conn *conn, const Registry *registry);

/* The command's error as the function's. */
void ts_give_error(sqlite3_context *ctx, const Cmd *c);

/* A connected table-valued function. */
typedef struct Table {
  sqlite3_vtab base;
  Conn *conn; /* holds a reference */
} Table;

/* risk is SQLITE_VTAB_INNOCUOUS or SQLITE_VTAB_DIRECTONLY. */
int ts_table_connect(sqlite3 *db, Conn *conn, const char *declaration, int risk,
                     sqlite3_vtab **out);
int ts_table_disconnect(sqlite3_vtab *base);

/*
** For xBestIndex: every "column = ?" on one of the columns sets the bit of the column's place in
** idxNum, and xFilter gets the values in that order. The first `nLater` columns are no arguments
*but
** ordinary columns: SQLite checks them once more, and does without while a value can't be had yet.
** Returns SQLITE_CONSTRAINT when an argument can't be had: the plan won't do.
*/
int ts_table_arguments(sqlite3_index_info *info, const int *columns, int n, int nLater);
/* For xFilter: the values by place, NULL where none was given. */
void ts_table_values(int idxNum, int argc, sqlite3_value **argv, sqlite3_value **values, int n);

/* An integer argument; some drivers send it as REAL. */
int ts_table_integer(sqlite3_value *v, sqlite3_int64 *i);

/* The command's error as the table's; returns its code. */
int ts_table_error(sqlite3_vtab_cursor *cursor, const Cmd *c);

/* ", not 1.5": a wrong value at the end of an error; nothing for an argument that is not there. In
** the command's memory. */
const char *ts_table_shown(Cmd *c, sqlite3_value *v);

#endif
