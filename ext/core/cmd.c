/*
** cmd.c - the running command: its memory, its error, its time, and texts made clean.
*/
#include "core.h"

#include "decimal.h"
#include "utf8.h"

#include <stdarg.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* Blocks taken by a command, freed together when it ends. The data follows the header. */
typedef union Block {
  union Block *next;
  double align;
  sqlite3_int64 alignInt;
} Block;

static sqlite3_int64 systemTime(sqlite3 *db) {
  sqlite3_vfs *vfs = NULL;
  sqlite3_int64 julianMs = 0;
  double julianDay = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_VFS_POINTER, &vfs) != SQLITE_OK || !vfs) {
    vfs = sqlite3_vfs_find(NULL);
  }
  if (!vfs) return 0;
  if (vfs->iVersion >= 2 && vfs->xCurrentTimeInt64) {
    vfs->xCurrentTimeInt64(vfs, &julianMs);
  } else {
    vfs->xCurrentTime(vfs, &julianDay);
    julianMs = (sqlite3_int64)(julianDay * 86400000.0);
  }
  /* Julian day 2440587.5 is 1970-01-01. */
  return julianMs - 210866760000000;
}

void ts_cmd_init(Cmd *c, Conn *conn, Target *target, const char *name) {
  memset(c, 0, sizeof(*c));
  c->conn = conn;
  c->db = conn->db;
  c->target = target;
  c->name = name;
  if (!target) ts_fail_nomem(c);
  if (conn->dead) ts_fail(c, SQLITE_ERROR, "loading turnstile has failed on this connection");
  c->now = conn->pinned ? conn->pinnedAt : systemTime(conn->db);
}

void ts_cmd_release(Cmd *c) {
  if (c->witnessing && c->target->witness) sqlite3_reset(c->target->witness);
  c->witnessing = 0;
}

void ts_cmd_clear(Cmd *c) {
  Block *b = c->arena;
  ts_cmd_release(c);
  while (b) {
    Block *next = b->next;
    sqlite3_free(b);
    b = next;
  }
  c->arena = NULL;
  sqlite3_free(c->result.z);
  c->result.z = NULL;
}

/* Memory is handed out even after an error, so that the error's message can be kept. */
static void *arenaTake(Cmd *c, size_t n) {
  Block *b = sqlite3_malloc64(sizeof(Block) + n);
  if (!b) return NULL;
  memset(b, 0, sizeof(Block) + n);
  b->next = c->arena;
  c->arena = b;
  return b + 1;
}

void *ts_alloc(Cmd *c, size_t n) {
  void *p;
  if (c->rc != SQLITE_OK) return NULL;
  p = arenaTake(c, n);
  if (!p) ts_fail_nomem(c);
  return p;
}

Text ts_copy(Cmd *c, const char *z, int n) {
  Text t = {NULL, 0};
  char *copy;
  if (!z) return t;
  copy = ts_alloc(c, (size_t)n + 1);
  if (!copy) return t;
  memcpy(copy, z, (size_t)n);
  t.z = copy;
  t.n = n;
  return t;
}

char *ts_adopt(Cmd *c, char *z) {
  char *copy = NULL;
  if (z) {
    Text t = ts_copy(c, z, (int)strlen(z));
    copy = (char *)t.z;
    sqlite3_free(z);
  } else {
    ts_fail_nomem(c);
  }
  return copy;
}

void ts_append(sqlite3_str *str, Text t) {
  if (t.n > 0) sqlite3_str_append(str, t.z, t.n);
}

Text ts_finish(Cmd *c, sqlite3_str *str) {
  Text t = {NULL, 0};
  int rc = sqlite3_str_errcode(str), n = sqlite3_str_length(str);
  char *z = sqlite3_str_finish(str); /* NULL also when it is empty */
  if (rc == SQLITE_TOOBIG) {
    ts_fail(c, rc, "the result is larger than SQLite's limit for a text");
  } else if (rc != SQLITE_OK && c->rc == SQLITE_OK) {
    c->rc = rc;
  }
  if (c->rc == SQLITE_OK) t = ts_copy(c, z ? z : "", n);
  sqlite3_free(z);
  return t;
}

char *ts_printf(Cmd *c, const char *format, ...) {
  va_list ap;
  char *z;
  if (c->rc != SQLITE_OK) return NULL;
  va_start(ap, format);
  z = sqlite3_vmprintf(format, ap);
  va_end(ap);
  return ts_adopt(c, z);
}

void ts_fail_nomem(Cmd *c) {
  if (c->rc == SQLITE_OK) c->rc = SQLITE_NOMEM;
}

/* Keeps the message as valid UTF-8, whatever names stand in it. */
static void setError(Cmd *c, int rc, const char *message) {
  Text t = {message, message ? (int)strlen(message) : 0};
  if (message) t = ts_clean(c, t);
  c->err = t.z ? arenaTake(c, (size_t)t.n + 1) : NULL;
  c->rc = c->err ? rc : SQLITE_NOMEM;
  if (c->err) memcpy(c->err, t.z, (size_t)t.n);
}

void ts_fail(Cmd *c, int rc, const char *format, ...) {
  va_list ap;
  char *detail, *message;
  if (c->rc != SQLITE_OK) return;
  va_start(ap, format);
  detail = sqlite3_vmprintf(format, ap);
  va_end(ap);
  message = detail ? sqlite3_mprintf("%s: %s", c->name, detail) : NULL;
  setError(c, rc, message);
  sqlite3_free(message);
  sqlite3_free(detail);
}

void ts_fail_db(Cmd *c, int rc) {
  char *message;
  if (c->rc != SQLITE_OK) return;
  if ((rc & 0xff) == SQLITE_NOMEM) {
    c->rc = rc;
    return;
  }
  message = sqlite3_mprintf("%s: %s", c->name, sqlite3_errmsg(c->db));
  setError(c, rc, message);
  sqlite3_free(message);
}

int ts_text_is(Text t, const char *z) {
  return t.z && (int)strlen(z) == t.n && memcmp(t.z, z, (size_t)t.n) == 0;
}

int ts_text_in(Text t, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (ts_text_is(t, words[i])) return 1;
  }
  return 0;
}

int ts_text_equal(Text a, Text b) {
  return a.n == b.n && (a.z == NULL) == (b.z == NULL) &&
         (a.n == 0 || (a.z && b.z && memcmp(a.z, b.z, (size_t)a.n) == 0));
}

/* The length of the character at z, or 0 for what a text must not hold: a NUL or invalid UTF-8. */
static int cleanLength(const char *z, int n) {
  const unsigned char *p = (const unsigned char *)z;
  return *p ? ts_utf8_length(p, p + n) : 0;
}

/* How many bytes from here on are ASCII other than NUL, in blocks of eight. */
static int asciiRun(const char *z, int n) {
  static const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t word;
    memcpy(&word, z + i, sizeof(word));
    if (((word - ones) | word) & tops) break;
  }
  return i;
}

Text ts_clean(Cmd *c, Text t) {
  const char *z = t.z;
  int bad = 0, at = 0;
  char *out;
  Text clean = {NULL, 0};
  for (int i = asciiRun(z, t.n); i < t.n; i += asciiRun(z + i, t.n - i)) {
    int len = cleanLength(z + i, t.n - i);
    if (!len) bad++;
    i += len ? len : 1;
  }
  if (!bad) return t;
  out = ts_alloc(c, (size_t)t.n + 2 * (size_t)bad + 1);
  if (!out) return clean;
  for (int i = 0; i < t.n;) {
    int len = cleanLength(z + i, t.n - i);
    if (len) {
      memcpy(out + at, z + i, (size_t)len);
      at += len;
      i += len;
    } else {
      for (const char *mark = TS_UTF8_REPLACEMENT; *mark; mark++)
        out[at++] = *mark;
      i++;
    }
  }
  clean.z = out;
  clean.n = at;
  return clean;
}

/* A command may return one thing and then another: the first is thrown away. */
static void returnType(Cmd *c, int type) {
  sqlite3_free(c->result.z);
  c->result.z = NULL;
  c->result.n = 0;
  c->result.type = type;
}

void ts_return_null(Cmd *c) {
  if (c->rc == SQLITE_OK) returnType(c, SQLITE_NULL);
}

void ts_return_int(Cmd *c, sqlite3_int64 i) {
  if (c->rc != SQLITE_OK) return;
  returnType(c, SQLITE_INTEGER);
  c->result.i = i;
}

/* A file may hold texts that no command has written: even then the result is valid UTF-8. */
void ts_return_text(Cmd *c, Text t) {
  if (c->rc != SQLITE_OK) return;
  if (!t.z) {
    ts_return_null(c);
    return;
  }
  t = ts_clean(c, t);
  if (!t.z) return;
  returnType(c, SQLITE_NULL);
  c->result.z = sqlite3_malloc64((sqlite3_uint64)t.n + 1);
  if (!c->result.z) {
    ts_fail_nomem(c);
    return;
  }
  memcpy(c->result.z, t.z, (size_t)t.n);
  c->result.z[t.n] = 0;
  c->result.n = t.n;
  c->result.type = SQLITE_TEXT;
}

#define EXCERPT_BYTES 60

const char *ts_excerpt(Cmd *c, Text t) {
  Text clean;
  char *z;
  int n;
  if (!t.z) return "";
  n = ts_utf8_cut(t.z, t.n, EXCERPT_BYTES);
  clean = ts_clean(c, (Text){t.z, n});
  z = ts_printf(c, "%.*s%s", clean.n, clean.z ? clean.z : "", n < t.n ? "…" : "");
  return z ? z : "";
}

Text ts_real_text(Cmd *c, double r) {
  char z[TS_DECIMAL_SIZE];
  ts_decimal(r, TS_DECIMAL_SHORT, z);
  return ts_copy(c, z, (int)strlen(z));
}
