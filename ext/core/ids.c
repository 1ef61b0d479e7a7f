/*
** ids.c - ids that are given out once.
*/
#include "ids.h"

#include <stdarg.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* Half of what an id may be, so that there is room behind it; check_meta says the same. */
#define TS_MAX_NOTED (TURNSTILE_MAX_INTEGER / 2)

/* The keys of the notes in turnstile_meta; check_meta and ids_noted have the same. */
static const char *const keys[ID_KIND_COUNT + 1] = {
    [ID_TASK] = "last_task",         [ID_OBSERVATION] = "last_observation",
    [ID_EDGE] = "last_edge",         [ID_COMMIT] = "last_commit",
    [ID_EVENT] = "last_event",       [ID_HISTORY] = "last_history",
    [ID_DELIVERY] = "last_delivery", [ID_INPUT] = "last_input",
    [ID_KIND_COUNT] = "last_token",
};

static const int newest[ID_KIND_COUNT] = {
    [ID_TASK] = SQL_NEWEST_TASK,         [ID_OBSERVATION] = SQL_NEWEST_OBSERVATION,
    [ID_EDGE] = SQL_NEWEST_EDGE,         [ID_COMMIT] = SQL_NEWEST_COMMIT,
    [ID_EVENT] = SQL_NEWEST_EVENT,       [ID_HISTORY] = SQL_NEWEST_HISTORY,
    [ID_DELIVERY] = SQL_NEWEST_DELIVERY, [ID_INPUT] = SQL_NEWEST_INPUT,
};

/* A value that plain SQL has put there and that can't be an id is passed over; turnstile_check names it. */
static void readNote(Cmd *c, Query *q) {
  Text key = ts_col_view(q, COL_IDS_NOTED_KEY);
  sqlite3_int64 id = ts_col_int(q, COL_IDS_NOTED_VALUE);
  if (sqlite3_column_type(q->stmt, COL_IDS_NOTED_VALUE) != SQLITE_INTEGER || id < 1 ||
      id > TS_MAX_NOTED)
    return;
  for (int i = 0; key.z && i <= ID_KIND_COUNT; i++) {
    if (ts_text_is(key, keys[i])) c->noted[i] = id;
  }
}

static void readNotes(Cmd *c) {
  Query q;
  if (c->notesRead || c->rc != SQLITE_OK) return;
  c->notesRead = 1;
  q = ts_query(c, SQL_IDS_NOTED, "");
  while (ts_row(c, &q))
    readNote(c, &q);
  ts_end(c, &q);
}

static sqlite3_int64 newestThere(Cmd *c, IdKind kind) {
  sqlite3_int64 id = 0;
  Query q = ts_query(c, newest[kind], "");
  if (ts_row(c, &q)) id = ts_col_int(&q, COL_NEWEST_TASK_ID);
  ts_end(c, &q);
  return id;
}

sqlite3_int64 ts_id_last(Cmd *c, IdKind kind) {
  sqlite3_int64 there = newestThere(c, kind);
  readNotes(c);
  return there > c->noted[kind] ? there : c->noted[kind];
}

void ts_id_taken(Cmd *c, IdKind kind) {
  readNotes(c);
  if (!c->noted[kind]) return;
  ts_exec(c, SQL_ID_FORGET, "s", keys[kind]);
  c->noted[kind] = 0;
}

sqlite3_int64 ts_id_take(Cmd *c, IdKind kind) {
  sqlite3_int64 id;
  readNotes(c);
  if (!c->noted[kind]) return 0;
  id = ts_id_last(c, kind) + 1;
  ts_id_taken(c, kind);
  return id;
}

static sqlite3_int64 insertAt(Cmd *c, sqlite3_int64 at, int id, const char *format, va_list ap) {
  Query q = ts_query_list(c, at ? id + 1 : id, format, ap);
  if (at && q.stmt) {
    int rc = sqlite3_bind_int64(q.stmt, sqlite3_bind_parameter_count(q.stmt), at);
    if (rc != SQLITE_OK) ts_fail_db(c, rc);
  }
  while (ts_row(c, &q)) {
  }
  ts_end(c, &q);
  return c->rc == SQLITE_OK ? sqlite3_last_insert_rowid(c->db) : 0;
}

sqlite3_int64 ts_insert_new(Cmd *c, IdKind kind, int id, const char *format, ...) {
  sqlite3_int64 at = ts_id_take(c, kind);
  va_list ap;
  va_start(ap, format);
  at = insertAt(c, at, id, format, ap);
  va_end(ap);
  return at;
}

void ts_insert_as(Cmd *c, IdKind kind, sqlite3_int64 at, int id, const char *format, ...) {
  va_list ap;
  ts_id_taken(c, kind);
  va_start(ap, format);
  (void)insertAt(c, at, id, format, ap);
  va_end(ap);
}

sqlite3_int64 ts_token_last(Cmd *c) {
  readNotes(c);
  return c->noted[ID_KIND_COUNT];
}

void ts_ids_look(Cmd *c, Ids *ids) {
  for (int i = 0; i < ID_KIND_COUNT; i++)
    ids->last[i] = ts_id_last(c, (IdKind)i);
}

static void note(Cmd *c, int kind, sqlite3_int64 id) {
  if (id <= c->noted[kind]) return;
  ts_exec(c, SQL_ID_NOTE, "si", keys[kind], id);
  c->noted[kind] = id;
}

void ts_ids_keep(Cmd *c, const Ids *before, sqlite3_int64 token) {
  for (int i = 0; i < ID_KIND_COUNT; i++) {
    if (newestThere(c, (IdKind)i) < before->last[i]) note(c, i, before->last[i]);
  }
  note(c, ID_KIND_COUNT, token);
}

sqlite3_int64 ts_id_last_delivery(Cmd *c) {
  sqlite3_int64 last = ts_id_last(c, ID_DELIVERY);
  return last > c->deliveryTaken ? last : c->deliveryTaken;
}
