/*
** json.c - JSON out.
*/
#include "json.h"

#include "decimal.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_json_begin(Json *j, Cmd *c) {
  j->c = c;
  j->out = sqlite3_str_new(c->db);
  j->comma = 0;
}

Text ts_json_finish(Json *j) {
  Text t = ts_finish(j->c, j->out);
  j->out = NULL;
  return t;
}

static void separate(Json *j) {
  if (j->comma) sqlite3_str_appendchar(j->out, 1, ',');
  j->comma = 1;
}

void ts_json_open(Json *j, char bracket) {
  separate(j);
  sqlite3_str_appendchar(j->out, 1, bracket);
  j->comma = 0;
}

void ts_json_close(Json *j, char bracket) {
  sqlite3_str_appendchar(j->out, 1, bracket);
  j->comma = 1;
}

/* Does it hold nothing that JSON wants escaped? */
static int isPlain(Text t) {
  for (int i = 0; i < t.n; i++) {
    unsigned char ch = (unsigned char)t.z[i];
    if (ch < 0x20 || ch == '"' || ch == '\\' || ch == 0x7f) return 0;
  }
  return 1;
}

static void appendText(Json *j, Text t) {
  if (isPlain(t)) {
    sqlite3_str_appendchar(j->out, 1, '"');
    sqlite3_str_append(j->out, t.z, t.n);
    sqlite3_str_appendchar(j->out, 1, '"');
  } else {
    Query q = ts_query(j->c, SQL_JSON_QUOTE, "t", &t);
    if (ts_row(j->c, &q)) {
      const char *z = (const char *)sqlite3_column_text(q.stmt, COL_JSON_QUOTE_JSON);
      if (z) {
        sqlite3_str_append(j->out, z, sqlite3_column_bytes(q.stmt, COL_JSON_QUOTE_JSON));
      } else {
        ts_fail_nomem(j->c);
      }
    }
    ts_end(j->c, &q);
  }
}

void ts_json_key(Json *j, const char *key) {
  separate(j);
  appendText(j, (Text){key, (int)strlen(key)});
  sqlite3_str_appendchar(j->out, 1, ':');
  j->comma = 0;
}

void ts_json_text(Json *j, Text t) {
  if (!t.z) {
    ts_json_null(j);
    return;
  }
  separate(j);
  appendText(j, t);
}

void ts_json_string(Json *j, const char *z) {
  ts_json_text(j, (Text){z, z ? (int)strlen(z) : 0});
}

void ts_json_int(Json *j, sqlite3_int64 i) {
  separate(j);
  sqlite3_str_appendf(j->out, "%lld", i);
}

void ts_json_real(Json *j, double r) {
  char z[TS_DECIMAL_SIZE];
  separate(j);
  ts_decimal_hundredths(r, z);
  sqlite3_str_appendall(j->out, z);
}

void ts_json_bool(Json *j, int b) {
  separate(j);
  sqlite3_str_appendall(j->out, b ? "true" : "false");
}

void ts_json_null(Json *j) {
  separate(j);
  sqlite3_str_appendall(j->out, "null");
}

void ts_json_raw(Json *j, Text json) {
  if (!json.z) {
    ts_json_null(j);
    return;
  }
  separate(j);
  ts_append(j->out, json);
}

void ts_json_put(Json *j, const char *key, Text t) {
  ts_json_key(j, key);
  ts_json_text(j, t);
}

void ts_json_put_string(Json *j, const char *key, const char *z) {
  ts_json_key(j, key);
  ts_json_string(j, z);
}

void ts_json_put_int(Json *j, const char *key, sqlite3_int64 i) {
  ts_json_key(j, key);
  ts_json_int(j, i);
}

void ts_json_put_id(Json *j, const char *key, sqlite3_int64 id) {
  ts_json_key(j, key);
  if (id) {
    ts_json_int(j, id);
  } else {
    ts_json_null(j);
  }
}

void ts_json_put_raw(Json *j, const char *key, Text json) {
  ts_json_key(j, key);
  ts_json_raw(j, json);
}

Text ts_json_pair(Cmd *c, const char *key, Text value) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, key, value);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}
