/*
** table.h - what the table-valued functions have in common.
*/
#ifndef TS_TABLE_H
#define TS_TABLE_H

#include "functions.h"

#include <stddef.h>

/* A connected table-valued function. */
typedef struct Table {
  sqlite3_vtab base;
  Conn *conn; /* holds a reference */
} Table;

/* risk is SQLITE_VTAB_INNOCUOUS or SQLITE_VTAB_DIRECTONLY. */
int ts_table_connect(sqlite3 *db, Conn *conn, const char *declaration, int risk,
                     sqlite3_vtab **out);
int ts_table_disconnect(sqlite3_vtab *base);

/* A cursor begins with this. xFilter and xNext set it. */
typedef struct TableCursor {
  sqlite3_vtab_cursor base;
  sqlite3_int64 rowid;
  int eof;
} TableCursor;

/* A cursor of that size, nothing set. */
int ts_table_open(size_t size, sqlite3_vtab_cursor **out);
int ts_table_eof(sqlite3_vtab_cursor *cursor);
int ts_table_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid);

/* What opens and closes cursors of a type; the function …Reset gives back what one holds. */
#define TS_TABLE_CURSOR(name, Type)                                                                \
  static int name##Open(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {                           \
    (void)base;                                                                                    \
    return ts_table_open(sizeof(Type), out);                                                       \
  }                                                                                                \
  static int name##Close(sqlite3_vtab_cursor *base) {                                              \
    name##Reset((Type *)base);                                                                     \
    sqlite3_free(base);                                                                            \
    return SQLITE_OK;                                                                              \
  }

/* What connects a table that no view or trigger of a file may read. */
#define TS_TABLE_CONNECT(name, declaration)                                                        \
  static int name##Connect(sqlite3 *db, void *conn, int argc, const char *const *argv,             \
                           sqlite3_vtab **out, char **err) {                                       \
    (void)argc;                                                                                    \
    (void)argv;                                                                                    \
    (void)err;                                                                                     \
    return ts_table_connect(db, conn, declaration, SQLITE_VTAB_DIRECTONLY, out);                   \
  }

/* The module of a table: its connection, its plan, and what its cursors do. */
#define TS_TABLE_MODULE(name, disconnect, cursor)                                                  \
  TS_TABLE_MODULE_BY(name, disconnect, cursor, ts_table_rowid)

/* The same, with a rowid of its own. */
#define TS_TABLE_MODULE_BY(name, disconnect, cursor, rowid)                                        \
  {                                                                                                \
    .iVersion = 0, .xConnect = name##Connect, .xBestIndex = name##BestIndex,                       \
    .xDisconnect = (disconnect), .xOpen = cursor##Open, .xClose = cursor##Close,                   \
    .xFilter = cursor##Filter, .xNext = cursor##Next, .xEof = ts_table_eof,                        \
    .xColumn = cursor##Column, .xRowid = (rowid)                                                   \
  }

/*
** For xBestIndex: every "column = ?" on one of the columns sets the bit of the column's place in
** idxNum, and xFilter gets the values in that order. The first `nLater` columns are no
** arguments but ordinary columns: SQLite checks them once more, and does without while a value can't be had yet.
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
