/*
** json.h - JSON out: the one way in which results, events and content are written.
**
** Punctuation is put down here; every text value goes through SQLite's json_quote unless it
** has nothing to escape. Reading JSON is SQLite's as well (json_each, json_extract in the
** statements).
*/
#ifndef TS_JSON_H
#define TS_JSON_H

#include "core.h"

typedef struct Json {
  Cmd *c;
  sqlite3_str *out;
  int comma; /* the next value needs one in front */
} Json;

void ts_json_begin(Json *j, Cmd *c);
/* The finished text, in the command's memory; {NULL,0} when the command has failed. Must be called
** exactly once for each begin. */
Text ts_json_finish(Json *j);

void ts_json_open(Json *j, char bracket);  /* '{' or '[' */
void ts_json_close(Json *j, char bracket); /* '}' or ']' */
void ts_json_key(Json *j, const char *key);
void ts_json_text(Json *j, Text t); /* NULL becomes null */
void ts_json_string(Json *j, const char *z);
void ts_json_int(Json *j, sqlite3_int64 i);
void ts_json_real(Json *j, double r);
void ts_json_bool(Json *j, int b);
void ts_json_null(Json *j);
void ts_json_raw(Json *j, Text json); /* already JSON; NULL becomes null */

/* key and value at once */
void ts_json_put(Json *j, const char *key, Text t);
void ts_json_put_string(Json *j, const char *key, const char *z);
void ts_json_put_int(Json *j, const char *key, sqlite3_int64 i);
void ts_json_put_id(Json *j, const char *key, sqlite3_int64 id); /* 0 becomes null */
void ts_json_put_raw(Json *j, const char *key, Text json);

/* {"key":text} */
Text ts_json_pair(Cmd *c, const char *key, Text value);

#endif
