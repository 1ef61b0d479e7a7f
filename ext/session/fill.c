/*
** fill.c - texts from templates, durations in words, a message as a description.
*/
#include "fill.h"

#include "config.h"
#include "duration.h"
#include "text.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

Text ts_words(Cmd *c, sqlite3_int64 ms) {
  char words[64];
  ts_duration_words(ms, words, (int)sizeof(words));
  return ts_copy(c, words, (int)strlen(words));
}

Text ts_describe(Cmd *c, Text message, int maxCharacters) {
  char *z;
  if (c->rc != SQLITE_OK) return none;
  z = ts_adopt(c, ts_first_line(message.z, message.n, maxCharacters));
  return (Text){z, z ? (int)strlen(z) : 0};
}

Text ts_fill(Cmd *c, Text label, const char *key, const char *name1, Text value1, const char *name2,
             Text value2) {
  TextField fields[2];
  /* A task can be as long as a message; in a text its first line represents it. */
  if (name1 && value1.z && strcmp(name1, "task") == 0) {
    value1 = ts_describe(c, value1, TS_MAX_DESCRIPTION);
  }
  if (name2 && value2.z && strcmp(name2, "task") == 0) {
    value2 = ts_describe(c, value2, TS_MAX_DESCRIPTION);
  }
  fields[0] = (TextField){name1, value1.z ? value1.z : "", value1.n};
  fields[1] = (TextField){name2, value2.z ? value2.z : "", value2.n};
  const char *tmpl = ts_config_text(c, label, key);
  char *z;
  if (c->rc != SQLITE_OK) return none;
  z = ts_adopt(c, ts_text_fill(tmpl, fields, name2 ? 2 : name1 ? 1 : 0));
  return (Text){z, z ? (int)strlen(z) : 0};
}
