/*
** error_of.c - functions that only the SQL tests load.
**
**   error_of(sql)        the message of the error that running sql ends with, NULL when it succeeds
**   error_code_of(sql)   that error's extended result code as a number, 0 when it succeeds
**   value_of(sql)        the first column of the first row; an error of sql is an error
**   dump_of([schema])    every row of every table as one text, to see whether anything changed
**   schema_of([schema])  the same of sqlite_schema
**   plan_of(sql)         the lines of EXPLAIN QUERY PLAN as a JSON array
**
** sql may hold several statements; all are run to their ends, on the connection of the caller.
** Call these without FROM: a FROM opens a read snapshot before the first write can ask for its
** lock.
**
** A statement that fails has to leave nothing behind. error_of and error_code_of look: they take a
** dump before each statement, and when one fails and the dump is another afterwards, the message
** (the code) says so in place of the error. So each test of a refusal tests this too.
**
** What is taken is a copy of the file's pages where SQLite gives one (3.39), in a fraction of the time of a
** dump. The same pages are the same rows; only of others a dump is made, and of the copy too.
**
**   steps_counted()      the steps of SQLite's machine on this connection since the last call, with a few of
**                        the statement that asks. From the first call on they are counted
*/
#include "sqlite3ext.h"

#include <string.h>

SQLITE_EXTENSION_INIT1

/* ---- Dumps ----------------------------------------------------------------------------------- */

static void appendValue(sqlite3_str *out, sqlite3_stmt *row, int i) {
  switch (sqlite3_column_type(row, i)) {
  case SQLITE_NULL: sqlite3_str_appendall(out, "NULL"); break;
  case SQLITE_INTEGER: sqlite3_str_appendf(out, "%lld", sqlite3_column_int64(row, i)); break;
  case SQLITE_FLOAT: sqlite3_str_appendf(out, "%!.17g", sqlite3_column_double(row, i)); break;
  default: {
    const unsigned char *z = sqlite3_column_blob(row, i);
    int n = sqlite3_column_bytes(row, i);
    /* Text goes in as it is, a byte that would end it early in hexadecimal. */
    sqlite3_str_appendchar(out, 1, '\'');
    for (int k = 0, start = 0; k <= n; k++) {
      if (k < n && z[k] != 0 && z[k] != '\'') continue;
      sqlite3_str_append(out, (const char *)z + start, k - start);
      if (k < n) sqlite3_str_appendf(out, "\\%02x", z[k]);
      start = k + 1;
    }
    sqlite3_str_appendchar(out, 1, '\'');
  }
  }
}

/* Appends the rows of a query, one a line. */
static int appendRows(sqlite3 *db, sqlite3_str *out, const char *title, char *sql) {
  sqlite3_stmt *row = NULL;
  int rc = sql ? sqlite3_prepare_v2(db, sql, -1, &row, NULL) : SQLITE_NOMEM;
  while (rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW) {
    sqlite3_str_appendf(out, "%s(", title);
    for (int i = 0; i < sqlite3_column_count(row); i++) {
      if (i) sqlite3_str_appendall(out, ", ");
      appendValue(out, row, i);
    }
    sqlite3_str_appendall(out, ")\n");
    rc = SQLITE_OK;
  }
  sqlite3_finalize(row);
  sqlite3_free(sql);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* The tables of a schema, in the order of their names. A string for sqlite3_free; NULL: *rc. */
static char *dump(sqlite3 *db, const char *schema, int *rc) {
  sqlite3_str *out = sqlite3_str_new(db);
  sqlite3_stmt *tables = NULL;
  char *sql = sqlite3_mprintf("SELECT name FROM \"%w\".sqlite_schema WHERE type = 'table' "
                              "AND name NOT LIKE 'sqlite_stat%%' ORDER BY name",
                              schema);
  *rc = sql ? sqlite3_prepare_v2(db, sql, -1, &tables, NULL) : SQLITE_NOMEM;
  sqlite3_free(sql);
  while (*rc == SQLITE_OK && (*rc = sqlite3_step(tables)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(tables, 0);
    *rc = appendRows(db, out, name, sqlite3_mprintf("SELECT * FROM \"%w\".\"%w\"", schema, name));
  }
  sqlite3_finalize(tables);
  if (*rc == SQLITE_DONE) *rc = SQLITE_OK;
  if (*rc == SQLITE_OK && sqlite3_str_length(out) == 0) sqlite3_str_appendall(out, "(nothing)\n");
  if (*rc == SQLITE_OK) *rc = sqlite3_str_errcode(out);
  if (*rc != SQLITE_OK) {
    sqlite3_free(sqlite3_str_finish(out));
    return NULL;
  }
  return sqlite3_str_finish(out);
}

static void giveText(sqlite3_context *ctx, char *z, int rc) {
  if (z) {
    sqlite3_result_text(ctx, z, -1, sqlite3_free);
  } else {
    sqlite3_result_error(ctx, sqlite3_errmsg(sqlite3_context_db_handle(ctx)), -1);
    sqlite3_result_error_code(ctx, rc);
  }
}

static const char *schemaArg(int argc, sqlite3_value **argv) {
  const char *schema = argc > 0 ? (const char *)sqlite3_value_text(argv[0]) : NULL;
  return schema ? schema : "main";
}

static void dumpOf(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  int rc;
  char *z = dump(sqlite3_context_db_handle(ctx), schemaArg(argc, argv), &rc);
  giveText(ctx, z, rc);
}

static void schemaOf(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  sqlite3_str *out = sqlite3_str_new(db);
  int rc = appendRows(db, out, "",
                      sqlite3_mprintf("SELECT type, name, tbl_name, sql FROM "
                                      "\"%w\".sqlite_schema ORDER BY type, name",
                                      schemaArg(argc, argv)));
  char *z = sqlite3_str_finish(out);
  if (rc != SQLITE_OK) {
    sqlite3_free(z);
    z = NULL;
  }
  giveText(ctx, z, rc);
}

static void planOf(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  sqlite3_str *out = sqlite3_str_new(db);
  char *sql = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sqlite3_value_text(argv[0])), *z;
  sqlite3_stmt *row = NULL;
  int rc = sql ? sqlite3_prepare_v2(db, sql, -1, &row, NULL) : SQLITE_NOMEM;
  (void)argc;
  sqlite3_str_appendchar(out, 1, '[');
  /* The details are words and names of SQLite's: nothing in them needs an escape. */
  while (rc == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
    sqlite3_str_appendf(out, "%s\"%s\"", sqlite3_str_length(out) > 1 ? "," : "",
                        sqlite3_column_text(row, 3));
  }
  sqlite3_finalize(row);
  sqlite3_free(sql);
  sqlite3_str_appendall(out, "]");
  z = sqlite3_str_finish(out);
  if (rc != SQLITE_OK) {
    sqlite3_free(z);
    z = NULL;
  }
  giveText(ctx, z, rc);
}

/* ---- Looking whether anything changed -------------------------------------------------------- */

/* What the main database holds: its pages, or else a dump. */
typedef struct Image {
  unsigned char *pages;
  sqlite3_int64 size;
  char *dump;
} Image;

static Image take(sqlite3 *db) {
  Image p = {NULL, 0, NULL};
  int unused;
  if (sqlite3_libversion_number() >= 3039000) p.pages = sqlite3_serialize(db, "main", &p.size, 0);
  if (!p.pages) p.dump = dump(db, "main", &unused);
  return p;
}

static void drop(Image *p) {
  sqlite3_free(p->pages);
  sqlite3_free(p->dump);
  p->pages = NULL;
  p->dump = NULL;
}

/* The dump of an image, out of its pages; a string for sqlite3_free. */
static char *dumpOfPages(Image *p) {
  sqlite3 *db = NULL;
  char *z = NULL;
  int rc = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL);
  if (p->size > 19) p->pages[18] = p->pages[19] = 1; /* a file in memory has no write-ahead log */
  if (rc == SQLITE_OK) {
    rc = sqlite3_deserialize(db, "main", p->pages, p->size, p->size, SQLITE_DESERIALIZE_READONLY);
  }
  if (rc == SQLITE_OK) z = dump(db, "main", &rc);
  sqlite3_close(db);
  return z;
}

/* Does the database hold something else than an image that was taken of it? */
static int isChanged(sqlite3 *db, Image *before) {
  Image now = take(db);
  int rc, changed = 0;
  if (!before->pages || !now.pages || before->size != now.size ||
      memcmp(before->pages, now.pages, now.size) != 0) {
    char *then = before->pages ? dumpOfPages(before) : before->dump, *here = dump(db, "main", &rc);
    changed = !then || !here || strcmp(then, here) != 0;
    if (then != before->dump) sqlite3_free(then);
    sqlite3_free(here);
  }
  drop(&now);
  return changed;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* What running a text came to. */
typedef struct Outcome {
  int rc;
  int changed;   /* a statement failed and left the database different */
  char *message; /* of the error; for sqlite3_free */
  sqlite3_value *first;
} Outcome;

static int step(sqlite3_stmt *stmt, Outcome *o) {
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    if (!o->first) o->first = sqlite3_value_dup(sqlite3_column_value(stmt, 0));
  }
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void run(sqlite3 *db, const char *sql, int watch, Outcome *o) {
  memset(o, 0, sizeof(*o));
  while (sql && *sql && o->rc == SQLITE_OK) {
    sqlite3_stmt *stmt = NULL;
    Image before = {NULL, 0, NULL};
    if (watch) before = take(db);
    o->rc = sqlite3_prepare_v2(db, sql, -1, &stmt, &sql);
    if (o->rc == SQLITE_OK && stmt) o->rc = step(stmt, o);
    if (o->rc != SQLITE_OK) {
      o->rc = sqlite3_extended_errcode(db);
      o->message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
    }
    sqlite3_finalize(stmt);
    if (o->rc != SQLITE_OK && (before.pages || before.dump)) o->changed = isChanged(db, &before);
    drop(&before);
  }
}

static void errorOf(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Outcome o;
  (void)argc;
  run(sqlite3_context_db_handle(ctx), (const char *)sqlite3_value_text(argv[0]), 1, &o);
  if (o.changed) {
    char *z = sqlite3_mprintf("it failed and left something behind: %s", o.message);
    sqlite3_free(o.message);
    o.message = z;
  }
  if (o.message) sqlite3_result_text(ctx, o.message, -1, sqlite3_free);
  sqlite3_value_free(o.first);
}

static void errorCodeOf(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Outcome o;
  (void)argc;
  run(sqlite3_context_db_handle(ctx), (const char *)sqlite3_value_text(argv[0]), 1, &o);
  sqlite3_result_int(ctx, o.changed ? -1 : o.rc);
  sqlite3_free(o.message);
  sqlite3_value_free(o.first);
}

static void valueOf(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Outcome o;
  (void)argc;
  run(sqlite3_context_db_handle(ctx), (const char *)sqlite3_value_text(argv[0]), 0, &o);
  if (o.rc != SQLITE_OK) {
    sqlite3_result_error(ctx, o.message ? o.message : "out of memory", -1);
    sqlite3_result_error_code(ctx, o.rc);
  } else if (o.first) {
    sqlite3_result_value(ctx, o.first);
  }
  sqlite3_free(o.message);
  sqlite3_value_free(o.first);
}

/* ---- Counting -------------------------------------------------------------------------------- */

typedef struct Steps {
  sqlite3_int64 n;
} Steps;

static int count(void *steps) {
  ((Steps *)steps)->n++;
  return 0;
}

static void stepsCounted(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Steps *steps = sqlite3_user_data(ctx);
  (void)argc, (void)argv;
  sqlite3_result_int64(ctx, steps->n);
  steps->n = 0;
  sqlite3_progress_handler(sqlite3_context_db_handle(ctx), 1, count, steps);
}

static const struct {
  const char *name;
  int nArg;
  void (*function)(sqlite3_context *, int, sqlite3_value **);
} functions[] = {
    {"error_of", 1, errorOf},   {"error_code_of", 1, errorCodeOf},
    {"value_of", 1, valueOf},   {"dump_of", 0, dumpOf},
    {"dump_of", 1, dumpOf},     {"schema_of", 0, schemaOf},
    {"schema_of", 1, schemaOf}, {"plan_of", 1, planOf},
};

__attribute__((visibility("default"))) int sqlite3_errorof_init(sqlite3 *db, char **pzErrMsg,
                                                                const sqlite3_api_routines *pApi) {
  int rc = SQLITE_OK;
  (void)pzErrMsg;
  SQLITE_EXTENSION_INIT2(pApi);
  for (size_t i = 0; rc == SQLITE_OK && i < sizeof(functions) / sizeof(functions[0]); i++) {
    rc = sqlite3_create_function_v2(db, functions[i].name, functions[i].nArg,
                                    SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, functions[i].function,
                                    NULL, NULL, NULL);
  }
  Steps *steps = rc == SQLITE_OK ? sqlite3_malloc64(sizeof(*steps)) : NULL;
  if (!steps) return rc == SQLITE_OK ? SQLITE_NOMEM : rc;
  steps->n = 0;
  return sqlite3_create_function_v2(db, "steps_counted", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, steps,
                                    stepsCounted, NULL, NULL, sqlite3_free);
}
