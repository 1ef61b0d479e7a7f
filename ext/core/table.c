/*
** table.c - the parts that all table-valued functions share.
*/
#include "table.h"

#include "decimal.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

int ts_table_connect(sqlite3 *db, Conn *conn, const char *declaration, int risk,
                     sqlite3_vtab **out) {
  Table *table;
  int rc = sqlite3_declare_vtab(db, declaration);
  if (rc != SQLITE_OK) return rc;
  sqlite3_vtab_config(db, risk);
  table = sqlite3_malloc64(sizeof(*table));
  if (!table) return SQLITE_NOMEM;
  memset(table, 0, sizeof(*table));
  table->conn = conn;
  conn->nRef++;
  *out = &table->base;
  return SQLITE_OK;
}

int ts_table_disconnect(sqlite3_vtab *base) {
  Table *table = (Table *)base;
  ts_conn_release(table->conn);
  sqlite3_free(table);
  return SQLITE_OK;
}

int ts_table_open(size_t size, sqlite3_vtab_cursor **out) {
  TableCursor *cur = sqlite3_malloc64(size);
  if (!cur) return SQLITE_NOMEM;
  memset(cur, 0, size);
  *out = &cur->base;
  return SQLITE_OK;
}

int ts_table_eof(sqlite3_vtab_cursor *cursor) {
  return ((TableCursor *)cursor)->eof;
}

int ts_table_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  *rowid = ((TableCursor *)cursor)->rowid;
  return SQLITE_OK;
}

int ts_table_arguments(sqlite3_index_info *info, const int *columns, int n, int nLater) {
  int nArg = 0;
  for (int k = 0; k < n; k++) {
    int seen = -1;
    for (int i = 0; i < info->nConstraint; i++) {
      if (info->aConstraint[i].iColumn != columns[k] ||
          info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) {
        continue;
      }
      if (info->aConstraint[i].usable) {
        seen = i;
      } else if (k >= nLater) {
        return SQLITE_CONSTRAINT;
      }
    }
    if (seen < 0) continue;
    info->idxNum |= 1 << k;
    info->aConstraintUsage[seen].argvIndex = ++nArg;
    info->aConstraintUsage[seen].omit = k >= nLater;
  }
  return SQLITE_OK;
}

void ts_table_values(int idxNum, int argc, sqlite3_value **argv, sqlite3_value **values, int n) {
  int nArg = 0;
  for (int k = 0; k < n; k++) {
    values[k] = (idxNum & (1 << k)) && nArg < argc ? argv[nArg++] : NULL;
  }
}

int ts_table_error(sqlite3_vtab_cursor *cursor, const Cmd *c) {
  if (c->rc != SQLITE_OK && c->err) {
    sqlite3_free(cursor->pVtab->zErrMsg);
    cursor->pVtab->zErrMsg = sqlite3_mprintf("%s", c->err);
  }
  return c->rc;
}

int ts_table_integer(sqlite3_value *v, sqlite3_int64 *i) {
  if (v && sqlite3_value_type(v) == SQLITE_INTEGER) {
    *i = sqlite3_value_int64(v);
    return 1;
  }
  return v && sqlite3_value_type(v) == SQLITE_FLOAT && ts_whole_number(sqlite3_value_double(v), i);
}

const char *ts_table_shown(Cmd *c, sqlite3_value *v) {
  const char *z = NULL;
  switch (v ? sqlite3_value_type(v) : 0) {
  case SQLITE_INTEGER: z = ts_printf(c, ", not %lld", sqlite3_value_int64(v)); break;
  case SQLITE_FLOAT: z = ts_printf(c, ", not %!.15g", sqlite3_value_double(v)); break;
  case SQLITE_TEXT: {
    Text text = {(const char *)sqlite3_value_text(v), 0};
    if (text.z) text.n = sqlite3_value_bytes(v);
    text = ts_clean(c, text);
    z = ts_printf(c, ", not '%s'", ts_excerpt(c, text));
    break;
  }
  case SQLITE_BLOB: z = ", not a blob"; break;
  default: break;
  }
  return z ? z : "";
}
