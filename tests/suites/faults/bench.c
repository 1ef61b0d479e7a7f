/*
** bench.c - template files, connections, digests.
*/
#include "bench.h"

#include "core.h"
#include "inject.h"
#include "turnstile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];
static char installed[300], bare[300], old[300], work[300], template[300];
static int haveOld;
static char *document; /* malloced */

/* ---- Files ----------------------------------------------------------------------------------- */

static int copyFile(const char *from, const char *to) {
  char buffer[65536];
  size_t n;
  FILE *in = fopen(from, "rb"), *out;
  if (!in) return 0;
  out = fopen(to, "wb");
  if (!out) {
    fclose(in);
    return 0;
  }
  while ((n = fread(buffer, 1, sizeof(buffer), in)) > 0) {
    fwrite(buffer, 1, n, out);
  }
  fclose(in);
  return fclose(out) == 0;
}

/* A whole file as text, malloced; NULL: it can't be read. */
static char *readFile(const char *path) {
  FILE *in = fopen(path, "rb");
  char *text = NULL;
  long n;
  if (!in) return NULL;
  if (fseek(in, 0, SEEK_END) == 0 && (n = ftell(in)) >= 0 && fseek(in, 0, SEEK_SET) == 0 &&
      (text = malloc((size_t)n + 1)) != NULL) {
    text[fread(text, 1, (size_t)n, in)] = 0;
  }
  fclose(in);
  return text;
}

/* The stored document, which lies beside the old file. */
static void readDocument(const char *oldFile) {
  const char *slash = strrchr(oldFile, '/');
  char path[400];
  snprintf(path, sizeof(path), "%.*sexport_v1.json", slash ? (int)(slash - oldFile + 1) : 0,
           oldFile);
  document = readFile(path);
}

static void keepDocument(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  must(db, "CREATE TABLE kept(j)");
  if (sqlite3_prepare_v2(db, "INSERT INTO kept VALUES(?1)", -1, &stmt, NULL) != SQLITE_OK ||
      sqlite3_bind_text(stmt, 1, document, -1, SQLITE_STATIC) != SQLITE_OK ||
      sqlite3_step(stmt) != SQLITE_DONE) {
    fprintf(stderr, "the stored document can't be kept: %s\n", sqlite3_errmsg(db));
    exit(2);
  }
  sqlite3_finalize(stmt);
}

static void removeFile(const char *path) {
  static const char *const tails[] = {"", "-journal", "-wal", "-shm"};
  char name[320];
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof(name), "%s%s", path, tails[i]);
    unlink(name);
  }
}

static sqlite3 *openFile(const char *path, const char *vfs, int extension) {
  sqlite3 *db = NULL;
  if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(db));
    exit(2);
  }
  sqlite3_extended_result_codes(db, 1);
  if (extension) {
    char *err = NULL;
    if (sqlite3_turnstile_init(db, &err, NULL) != SQLITE_OK) {
      fprintf(stderr, "loading: %s\n", err ? err : "?");
      exit(2);
    }
  }
  return db;
}

static void setClock(sqlite3 *db, int hours) {
  char sql[80];
  snprintf(sql, sizeof(sql), "SELECT turnstile_clock(%lld)", CASE_START + hours * CASE_HOUR);
  must(db, sql);
}

void bench_begin(const char *oldFile) {
  const char *tmp = getenv("TMPDIR");
  sqlite3 *db;
  snprintf(folder, sizeof(folder), "%.200s/turnstile-faults-XXXXXX", tmp ? tmp : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    exit(2);
  }
  snprintf(installed, sizeof(installed), "%s/installed.db", folder);
  snprintf(bare, sizeof(bare), "%s/bare.db", folder);
  snprintf(old, sizeof(old), "%s/old.db", folder);
  snprintf(work, sizeof(work), "%s/work.db", folder);
  snprintf(template, sizeof(template), "%s/template.db", folder);
  haveOld = oldFile && copyFile(oldFile, old);
  if (oldFile) readDocument(oldFile);
  db = openFile(bare, NULL, 0);
  must(db, "CREATE TABLE witness(x)");
  sqlite3_close(db);
  copyFile(bare, installed);
  db = openFile(installed, NULL, 1);
  setClock(db, 0);
  must(db, "SELECT turnstile_install('{\"uuid\":\"00000000-0000-4000-8000-000000000000\"}')");
  /* The messages of the cases are English, and one case names German. Rules of other languages would only be compiled,
  ** again and again. */
  must(db, "DELETE FROM message_rules WHERE lang NOT IN ('any', 'en', 'de'); VACUUM");
  sqlite3_close(db);
}

const char *bench_installed(void) {
  return installed;
}

void bench_end(void) {
  removeFile(installed);
  removeFile(bare);
  removeFile(old);
  removeFile(work);
  removeFile(template);
  rmdir(folder);
  free(document);
  document = NULL;
}

/* ---- Running SQL ----------------------------------------------------------------------------- */

/*
** The first row's value is read as raw bytes, which takes no memory: a fault in the host's own
** reading of a column is none of ours.
*/
void run_sql(sqlite3 *db, const char *sql, Outcome *out) {
  sqlite3_stmt *stmt = NULL;
  int rc;
  memset(out, 0, sizeof(*out));
  rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (rc == SQLITE_OK) {
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
      if (out->hasRow) continue;
      out->hasRow = 1;
      switch (sqlite3_column_type(stmt, 0)) {
      case SQLITE_NULL: break;
      case SQLITE_INTEGER:
        out->value = malloc(32);
        snprintf(out->value, 32, "%lld", sqlite3_column_int64(stmt, 0));
        break;
      default: {
        const void *z = sqlite3_column_blob(stmt, 0);
        int n = sqlite3_column_bytes(stmt, 0);
        out->value = malloc((size_t)n + 1);
        if (n) memcpy(out->value, z, (size_t)n);
        out->value[n] = 0;
      }
      }
    }
  }
  if (rc != SQLITE_DONE && rc != SQLITE_OK) {
    out->rc = rc;
    snprintf(out->message, sizeof(out->message), "%s", sqlite3_errmsg(db));
  }
  rc = sqlite3_finalize(stmt);
  if (rc != SQLITE_OK && out->rc == SQLITE_OK) out->rc = rc;
}

void outcome_free(Outcome *out) {
  free(out->value);
  out->value = NULL;
}

void must(sqlite3 *db, const char *sql) {
  char *err = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &err) != SQLITE_OK) {
    fprintf(stderr, "%s\n  %s\n", sql, err ? err : "?");
    exit(2);
  }
}

sqlite3_int64 number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_int64 value = -1;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
      sqlite3_step(stmt) == SQLITE_ROW) {
    value = sqlite3_column_int64(stmt, 0);
  }
  sqlite3_finalize(stmt);
  return value;
}

/* FNV-1a, 64 bits. */
static sqlite3_uint64 mix(sqlite3_uint64 h, const void *p, int n) {
  const unsigned char *z = p;
  for (int i = 0; i < n; i++)
    h = (h ^ z[i]) * 1099511628211ULL;
  return h;
}

static int mixRows(sqlite3 *db, const char *sql, sqlite3_uint64 *h) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
      int type = sqlite3_column_type(stmt, i);
      const void *z = sqlite3_column_blob(stmt, i);
      *h = mix(*h, &type, (int)sizeof(type));
      *h = mix(*h, z, sqlite3_column_bytes(stmt, i));
    }
    rc = SQLITE_OK;
  }
  sqlite3_finalize(stmt);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* All rows and the schema, but for what may stay behind an upgrade (sql/schema/retired.sql). */
sqlite3_int64 digest(sqlite3 *db, int *rc) {
  sqlite3_uint64 h = 14695981039346656037ULL;
  sqlite3_stmt *stmt = NULL;
  *rc = sqlite3_prepare_v2(db,
                           "SELECT name, type, sql FROM main.sqlite_schema WHERE name <> "
                           "'witness' AND name NOT LIKE '%sessions_without_task' "
                           "AND name NOT LIKE '%sessions_by_use' "
                           "AND name NOT LIKE '%observations_work' "
                           "AND name NOT LIKE '%session_queue_front' "
                           "ORDER BY name, type",
                           -1, &stmt, NULL);
  while (*rc == SQLITE_OK && (*rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(stmt, 0);
    *rc = SQLITE_OK;
    h = mix(h, name, sqlite3_column_bytes(stmt, 0));
    h = mix(h, sqlite3_column_blob(stmt, 2), sqlite3_column_bytes(stmt, 2));
    if (strcmp((const char *)sqlite3_column_text(stmt, 1), "table") == 0) {
      char sql[200];
      size_t n = strlen(name);
      /* The door's key is drawn by chance. */
      const char *columns = n >= 14 && strcmp(name + n - 14, "turnstile_meta") == 0
                                ? "key, iif(key = 'door_key', length(value), value)"
                                : "*";
      snprintf(sql, sizeof(sql), "SELECT %s FROM main.\"%.100s\" NOT INDEXED", columns, name);
      *rc = mixRows(db, sql, &h);
    }
  }
  sqlite3_finalize(stmt);
  if (*rc == SQLITE_DONE) *rc = SQLITE_OK;
  return *rc == SQLITE_OK ? (sqlite3_int64)h : -1;
}

/* ---- Benches --------------------------------------------------------------------------------- */

/* The case's command as a statement. */
static char *statementOf(const Case *c, Form form) {
  sqlite3 *db = openFile(":memory:", NULL, 0);
  sqlite3_stmt *stmt = NULL;
  char *sql = NULL;
  if (!c->command) {
    sql = strdup(c->args);
  } else {
    const char *make =
        form == FORM_DOOR
            ? "SELECT printf('INSERT INTO turnstile(command, args) VALUES(%Q, %Q) RETURNING "
              "turnstile_result()', ?1, ?2)"
            : "SELECT printf('SELECT %s(%s)', ?1, (SELECT coalesce(group_concat(quote(value)), '') "
              "FROM json_each(?2)))";
    if (sqlite3_prepare_v2(db, make, -1, &stmt, NULL) == SQLITE_OK) {
      sqlite3_bind_text(stmt, 1, c->command, -1, SQLITE_STATIC);
      sqlite3_bind_text(stmt, 2, c->args, -1, SQLITE_STATIC);
      if (sqlite3_step(stmt) == SQLITE_ROW)
        sql = strdup((const char *)sqlite3_column_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
  }
  sqlite3_close(db);
  if (!sql) {
    fprintf(stderr, "case '%s' makes no statement\n", c->name);
    exit(2);
  }
  return sql;
}

void bench_connect(Bench *b) {
  fault_owner(1);
  b->db = openFile(work, FAULT_VFS, 1);
  setClock(b->db, b->c->hours);
  /* A cache of few pages makes a command read and spill while it runs. */
  must(b->db, "PRAGMA cache_size = 6");
  fault_owner(0);
}

int bench_disconnect(Bench *b) {
  int rc;
  fault_owner(1);
  rc = sqlite3_close(b->db);
  fault_owner(0);
  if (rc == SQLITE_OK) b->db = NULL;
  return rc;
}

static void observe(Bench *b) {
  b->seen = openFile(work, NULL, 0);
  sqlite3_busy_timeout(b->seen, 0);
}

int bench_close(Bench *b) {
  int rc = b->db ? bench_disconnect(b) : SQLITE_OK;
  sqlite3_close(b->seen);
  b->seen = NULL;
  return rc;
}

int bench_restore(Bench *b) {
  int rc = bench_close(b);
  removeFile(work);
  copyFile(template, work);
  observe(b);
  number(b->seen, "SELECT count(*) FROM sqlite_schema");
  bench_connect(b);
  return rc;
}

void bench_warm(Bench *b) {
  Outcome out;
  if (b->c->flags & CASE_BARE) return;
  must(b->db, "BEGIN");
  run_sql(b->db, b->sql, &out);
  outcome_free(&out);
  must(b->db, "ROLLBACK");
}

static char reached[SQL_COUNT];

/* What the connection has prepared is in its cache; the row's number is the statement's. */
static void noteReached(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, "SELECT rowid FROM turnstile_cache", -1, &stmt, NULL);
  while (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
    reached[sqlite3_column_int(stmt, 0)] = 1;
  sqlite3_finalize(stmt);
}

int bench_reached(int statement) {
  return reached[statement];
}

int bench_open(Bench *b, const Case *c, Form form, int wal, int begin) {
  const char *from = c->flags & CASE_OLD ? old : c->flags & CASE_BARE ? bare : installed;
  sqlite3 *db;
  Outcome out;
  int rc;
  memset(b, 0, sizeof(*b));
  if (((c->flags & CASE_OLD) && !haveOld) || ((c->flags & CASE_DOCUMENT) && !document)) return 0;
  b->c = c;
  b->form = form;
  b->wal = wal;
  b->begin = begin;
  b->sql = statementOf(c, form);
  removeFile(template);
  copyFile(from, template);
  db = openFile(template, NULL, 1);
  must(db, wal ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE");
  must(db, "CREATE TABLE IF NOT EXISTS witness(x)");
  setClock(db, 0);
  if (c->setup) must(db, c->setup);
  if (c->flags & CASE_DOCUMENT) keepDocument(db);
  sqlite3_close(db);
  bench_restore(b);
  b->before = digest(b->seen, &rc);
  run_sql(b->db, b->sql, &out);
  if (out.rc != SQLITE_OK) {
    printf("%s: without any fault: %s\n", c->name, out.message);
    outcome_free(&out);
    bench_close(b);
    free(b->sql);
    return 0;
  }
  noteReached(b->db);
  b->after = digest(b->seen, &rc);
  b->value = out.value;
  bench_restore(b);
  return 1;
}

void bench_free(Bench *b) {
  free(b->sql);
  free(b->value);
}
