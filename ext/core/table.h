/*
** table.h - what the table-valued functions have in common.
*/
#ifndef TS_TABLE_H
#define TS_TABLE_H

#include "functions.h"

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
