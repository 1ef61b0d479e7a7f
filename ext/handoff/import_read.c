/*
** import_read.c - reads a document: the shape of every row, the digest over all rows.
**
** SQLite parses the JSON, section by section. Every field must occur once and hold a value that its
** kind allows (document.h).
*/
#include "import_document.h"

#include "args.h"
#include "decimal.h"
#include "strict.h"

#include <stdarg.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* The error of a field: "json: commits[2].id …". */
void ts_import_fail(Import *x, SectionId s, sqlite3_int64 i, int field, const char *format, ...) {
  const SectionSpec *spec = &ts_sections[s];
  char place[32] = "";
  va_list ap;
  char *what;
  if (x->c->rc != SQLITE_OK) return;
  va_start(ap, format);
  what = ts_adopt(x->c, sqlite3_vmprintf(format, ap));
  va_end(ap);
  if (!what) return;
  if (s != SEC_SESSION) sqlite3_snprintf(sizeof(place), place, "[%lld]", i);
  ts_fail(x->c, SQLITE_ERROR, "json: %s%s.%s %s", spec->name, place, spec->fields[field].name,
          what);
}

void *ts_import_array(Import *x, size_t size, sqlite3_int64 n) {
  return ts_alloc(x->c, size * (size_t)(n + 1));
}

/* ---- Reading: the shape of each row -------------------------------------------------------------- */

static void checkReal(Import *x, SectionId s, sqlite3_int64 i, int f, Text t) {
  int plain = t.n > 0 && t.n <= 32 && t.z[0] >= '0' && t.z[0] <= '9', inside = 0;
  for (int k = 0; plain && k < t.n; k++)
    plain = strchr("0123456789.eE+-", t.z[k]) != NULL;
  if (plain) {
    double r;
    inside = ts_decimal_read(t.z, t.n, &r) && r >= 0 && r <= 1;
  }
  if (!inside) ts_import_fail(x, s, i, f, "must be a number from 0 to 1, written as text");
}

/* JSON in the library's own form; *type is its type, NULL when the text is not JSON. */
Text ts_import_json(Import *x, Text json, Text *type) {
  *type = ts_json_minify(x->c, &json, TURNSTILE_MAX_JSON_DEPTH);
  return json;
}

static void checkJson(Import *x, SectionId s, sqlite3_int64 i, int f, Text json) {
  const char *want = ts_sections[s].fields[f].json;
  Text type;
  (void)ts_import_json(x, json, &type);
  if (x->c->rc != SQLITE_OK) return;
  if (!type.z) {
    ts_import_fail(x, s, i, f, "is not valid JSON");
  } else if (want && !ts_text_is(type, want)) {
    ts_import_fail(x, s, i, f, "must be a JSON %s, not a JSON %s", want, type.z);
  }
}

/* May the field have this value? References are checked later. */
static void checkValue(Import *x, SectionId s, sqlite3_int64 i, int f, const Value *v) {
  const Field *field = &ts_sections[s].fields[f];
  Text t = ts_value_get(v);
  int isInt = TS_IS_INT(v);
  if (TS_IS_NULL(v)) {
    if (!ts_field_may_lack(field, x->d.version)) ts_import_fail(x, s, i, f, "must not be null");
    return;
  }
  switch (field->kind) {
  case FIELD_NUMBER:
    if (!isInt || v->u.i != i + 1)
      ts_import_fail(x, s, i, f, "must be %lld, the row's number", i + 1);
    break;
  case FIELD_REF:
    if (!isInt || v->u.i < !(field->flags & FIELD_OR_GONE)) {
      ts_import_fail(x, s, i, f, "must be the number of a row of %s", ts_sections[field->of].name);
    }
    break;
  case FIELD_INT:
    if (!isInt || v->u.i < field->min || v->u.i > field->max) {
      ts_import_fail(x, s, i, f, "must be an integer from %lld to %lld", field->min, field->max);
    }
    break;
  case FIELD_LINK:
    if (isInt && v->u.i >= 1) break;
    /* fall through */
  case FIELD_TEXT:
  case FIELD_NAMED:
    if (!t.z) {
      ts_import_fail(x, s, i, f, "must be text");
    } else if (t.n > field->max) {
      ts_import_fail(x, s, i, f, "is %d bytes long; at most %lld are allowed", t.n, field->max);
    } else if (t.n == 0 && field->kind != FIELD_TEXT) {
      ts_import_fail(x, s, i, f, "is empty");
    }
    break;
  case FIELD_WORD:
    for (int w = 0; w < field->nWords; w++) {
      if (ts_text_is(t, field->words[w])) return;
    }
    ts_import_fail(x, s, i, f, "is '%s', which is not one of its words", ts_excerpt(x->c, t));
    break;
  case FIELD_HASH:
    if (!ts_is_hash(t)) ts_import_fail(x, s, i, f, "must be 64 digits of lower-case hex");
    break;
  case FIELD_REAL: checkReal(x, s, i, f, t); break;
  case FIELD_JSON:
    if (!t.z) {
      ts_import_fail(x, s, i, f, "must be JSON as text");
    } else {
      checkJson(x, s, i, f, t);
    }
    break;
  case FIELD_ANY: break;
  }
}

/* A value from json_each. No field holds a number with a fraction, a boolean, or a container. */
static int readValue(Import *x, Query *q, int type, int value, Value *v) {
  Text t = ts_col_view(q, type);
  int real = ts_text_is(t, "real");
  *v = ts_value_null();
  if (ts_text_is(t, "null")) return 1;
  if (ts_text_is(t, "integer") || real) {
    sqlite3_int64 i = ts_col_int(q, value);
    if (sqlite3_column_type(q->stmt, value) == SQLITE_FLOAT &&
        !ts_whole_number(sqlite3_column_double(q->stmt, value), &i)) {
      return 0;
    }
    *v = ts_value_int(i);
    return 1;
  }
  if (ts_text_is(t, "text")) {
    Text copy = ts_col_text(x->c, q, value);
    if (copy.z) copy = ts_clean(x->c, copy);
    *v = ts_value_text(copy);
    return 1;
  }
  return 0;
}

static void finishRow(Import *x, SectionId s, unsigned seen) {
  const SectionSpec *spec = &ts_sections[s];
  sqlite3_int64 i = rowsOf(x, s) - 1;
  Value *row;
  if (i < 0 || x->c->rc != SQLITE_OK) return;
  row = rowOf(x, s, i);
  for (int f = 0; f < spec->nFields && x->c->rc == SQLITE_OK; f++) {
    if (!ts_field_is(&spec->fields[f], x->d.version)) continue;
    if (!(seen & (1u << f))) {
      ts_import_fail(x, s, i, f, "is missing");
    } else {
      checkValue(x, s, i, f, &row[f]);
    }
  }
}

/* The rows of a section, a JSON array of objects. */
static void readRows(Import *x, SectionId s, Text json) {
  const SectionSpec *spec = &ts_sections[s];
  Cmd *c = x->c;
  unsigned seen = 0;
  Value *row = NULL;
  int next = 0;
  Query q = ts_query(c, SQL_IMPORT_ROWS, "t", &json);
  while (ts_row(c, &q)) {
    sqlite3_int64 i = ts_col_int(&q, COL_IMPORT_ROWS_ELEMENT);
    Text key = ts_col_view(&q, COL_IMPORT_ROWS_KEY);
    int f = 0;
    if (!row || i != rowsOf(x, s) - 1) {
      finishRow(x, s, seen);
      row = ts_doc_add(&x->d, s);
      seen = 0;
      next = 0;
      if (!row) break;
    }
    if (!ts_text_is(ts_col_view(&q, COL_IMPORT_ROWS_ELEMENT_TYPE), "object")) {
      ts_fail(c, SQLITE_ERROR, "json: %s[%lld] must be an object", spec->name, i);
    }
    if (!key.z || c->rc != SQLITE_OK) continue; /* an object without fields */
    while (f < spec->nFields && !ts_text_is(key, spec->fields[(next + f) % spec->nFields].name))
      f++;
    if (f < spec->nFields &&
        !ts_field_is(&spec->fields[(next + f) % spec->nFields], x->d.version)) {
      f = spec->nFields;
    }
    if (f == spec->nFields) {
      ts_fail(c, SQLITE_ERROR, "json: %s[%lld] has no field '%s'", spec->name, i,
              ts_excerpt(c, key));
      break;
    }
    f = (next + f) % spec->nFields;
    next = f + 1;
    if (seen & (1u << f)) {
      ts_import_fail(x, s, i, f, "stands there twice");
    } else if (!readValue(x, &q, 3, 4, &row[f])) {
      ts_import_fail(x, s, i, f, "must be null, an integer or text");
    }
    seen |= 1u << f;
  }
  ts_end(c, &q);
  finishRow(x, s, seen);
}

static void readContent(Import *x, Text content) {
  Cmd *c = x->c;
  unsigned seen = 0;
  Query q = ts_query(c, SQL_JSON_EACH, "t", &content);
  while (ts_row(c, &q)) {
    Text key = ts_col_view(&q, COL_JSON_EACH_KEY), json;
    int s = 0, isObject;
    while (s < SEC_COUNT && !ts_text_is(key, ts_sections[s].name))
      s++;
    if (s == SEC_COUNT) {
      ts_fail(c, SQLITE_ERROR, "json: content has no section '%s'", ts_excerpt(c, key));
      break;
    }
    if (seen & (1u << s)) {
      ts_fail(c, SQLITE_ERROR, "json: content.%s stands there twice", ts_sections[s].name);
    }
    seen |= 1u << s;
    isObject = s == SEC_SESSION;
    if (!ts_text_is(ts_col_view(&q, COL_JSON_EACH_TYPE), isObject ? "object" : "array")) {
      ts_fail(c, SQLITE_ERROR, "json: content.%s must be %s", ts_sections[s].name,
              isObject ? "an object" : "an array");
      break;
    }
    json = ts_col_view(&q, COL_JSON_EACH_VALUE);
    if (!json.z) {
      ts_fail_nomem(c);
      break;
    }
    if (isObject) {
      sqlite3_str *list = sqlite3_str_new(c->db);
      sqlite3_str_appendf(list, "[%.*s]", json.n, json.z);
      json = ts_finish(c, list);
    }
    if (c->rc == SQLITE_OK) readRows(x, (SectionId)s, json);
  }
  ts_end(c, &q);
  for (int s = 0; s < SEC_COUNT && c->rc == SQLITE_OK; s++) {
    if (!(seen & (1u << s)))
      ts_fail(c, SQLITE_ERROR, "json: content.%s is missing", ts_sections[s].name);
  }
}

/* SQLite ends a text at an escaped NUL, so a document could be read in two ways. The library's
** texts hold neither a NUL nor half of a surrogate pair. */
static void checkForm(Cmd *c, Text json) {
  int odd;
  JsonForm form;
  if (c->rc != SQLITE_OK) return;
  form = ts_json_form(json.z, json.n, TURNSTILE_MAX_JSON_DEPTH, &odd);
  if (form == JSON_OTHER) {
    ts_fail(c, SQLITE_ERROR, "json is not valid JSON");
  } else if (form == JSON_DEEP) {
    ts_fail(c, SQLITE_ERROR, "json is JSON of more than %d levels", TURNSTILE_MAX_JSON_DEPTH);
  } else if (odd >= 0) {
    ts_fail(c, SQLITE_ERROR, "json holds %s, at byte %d",
            memcmp(json.z + odd + 2, "0000", 4) == 0 ? "a NUL character" : "half of a character",
            odd);
  }
}

static int readVersion(Cmd *c, const Value *v) {
  sqlite3_int64 version = ts_value_number(v);
  if (version >= TS_EXPORT_OLDEST && version <= TS_EXPORT_VERSION) return (int)version;
  ts_fail(c, SQLITE_ERROR,
          "json: turnstile_export must be from %d to %d, the formats that this library reads",
          TS_EXPORT_OLDEST, TS_EXPORT_VERSION);
  return TS_EXPORT_VERSION;
}

/* The document: the fields around its content, and the content. */
static void readDocument(Import *x, Text json) {
  static const char *const names[] = {
      "turnstile_export", "label", "exported_at", "uuid", "hash", "content", "progress_summary"};
  /* The progress summary is for the document's readers; it is computed again from the content. */
  enum { VERSION, LABEL, EXPORTED_AT, UUID, HASH, CONTENT, PROGRESS, NAMES };
  Cmd *c = x->c;
  Text content = none;
  Value v[NAMES];
  unsigned seen = 0;
  Query q;
  checkForm(c, json);
  q = ts_query(c, SQL_JSON_EACH, "t", &json);
  for (int i = 0; i < NAMES; i++)
    v[i] = ts_value_null();
  while (ts_row(c, &q)) {
    Text key = ts_col_view(&q, COL_JSON_EACH_KEY);
    int i = 0;
    while (i < NAMES && (sqlite3_column_type(q.stmt, COL_JSON_EACH_KEY) != SQLITE_TEXT ||
                         !ts_text_is(key, names[i])))
      i++;
    if (i == NAMES) {
      ts_fail(c, SQLITE_ERROR, "json has no field '%s'; it must be what session_export returned",
              ts_excerpt(c, key));
      break;
    }
    if (seen & (1u << i)) ts_fail(c, SQLITE_ERROR, "json: %s stands there twice", names[i]);
    seen |= 1u << i;
    if (i == CONTENT) {
      content = ts_text_is(ts_col_view(&q, COL_JSON_EACH_TYPE), "object")
                    ? ts_col_text(c, &q, COL_JSON_EACH_VALUE)
                    : none;
      if (!content.z) ts_fail(c, SQLITE_ERROR, "json: content must be an object");
    } else if (!readValue(x, &q, 1, 2, &v[i])) {
      ts_fail(c, SQLITE_ERROR, "json: %s must be %s", names[i],
              i == VERSION || i == EXPORTED_AT ? "an integer" : "text");
    }
  }
  ts_end(c, &q);
  if (ts_json_malformed(c)) ts_fail(c, SQLITE_ERROR, "json is not valid JSON");
  for (int i = 0; i < NAMES && c->rc == SQLITE_OK; i++) {
    if (i != PROGRESS && !(seen & (1u << i))) {
      ts_fail(c, SQLITE_ERROR, "json: %s is missing; it must be what session_export returned",
              names[i]);
    }
  }
  if (c->rc != SQLITE_OK) return;
  x->d.version = readVersion(c, &v[VERSION]);
  if (!TS_IS_INT(&v[EXPORTED_AT]) || v[EXPORTED_AT].u.i < 0 ||
      v[EXPORTED_AT].u.i > TURNSTILE_MAX_INTEGER) {
    ts_fail(c, SQLITE_ERROR, "json: exported_at must be an integer from 0 to 2^53 - 1");
  }
  x->d.label = ts_value_get(&v[LABEL]);
  x->uuid = ts_value_get(&v[UUID]);
  x->hash = ts_value_get(&v[HASH]);
  if (x->d.label.n < 1 || x->d.label.n > TURNSTILE_MAX_LABEL) {
    ts_fail(c, SQLITE_ERROR, "json: label must be text of 1 to %d bytes", TURNSTILE_MAX_LABEL);
  }
  if (!x->uuid.z || x->uuid.n > TURNSTILE_MAX_NAME) {
    ts_fail(c, SQLITE_ERROR, "json: uuid must be text of at most %d bytes", TURNSTILE_MAX_NAME);
  }
  if (!ts_is_hash(x->hash))
    ts_fail(c, SQLITE_ERROR, "json: hash must be 64 digits of lower-case hex");
  readContent(x, content);
  if (ts_json_malformed(c)) ts_fail(c, SQLITE_ERROR, "json is not valid JSON");
}

static void checkDigest(Import *x) {
  HashId hash;
  if (x->c->rc != SQLITE_OK) return;
  hash = ts_doc_hash(&x->d, x->d.version);
  if (!ts_text_is(x->hash, hash.hex)) {
    ts_fail(x->c, SQLITE_ERROR, "json: hash does not match the content, whose hash is %s",
            hash.hex);
  }
}

/* Every reference leads to a row. */
static void checkReferences(Import *x) {
  for (int s = 0; s < SEC_COUNT; s++) {
    const SectionSpec *spec = &ts_sections[s];
    for (int f = 0; f < spec->nFields; f++) {
      sqlite3_int64 n;
      if (spec->fields[f].kind != FIELD_REF) continue;
      n = rowsOf(x, spec->fields[f].of);
      for (sqlite3_int64 i = 0; i < rowsOf(x, (SectionId)s) && x->c->rc == SQLITE_OK; i++) {
        if (number(rowOf(x, (SectionId)s, i), f) > n) {
          ts_import_fail(x, (SectionId)s, i, f, "is %lld, and %s has %lld rows",
                         number(rowOf(x, (SectionId)s, i), f), ts_sections[spec->fields[f].of].name,
                         n);
        }
      }
    }
  }
}

/* Values that documents of version 1 lack. Nothing counts as handed to a host without turns, or as
** shown before: so it waits for a turn, and is shown in full. */
static void fillOld(Import *x) {
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_QUEUE) && x->c->rc == SQLITE_OK; i++) {
    Value *row = rowOf(x, SEC_QUEUE, i);
    row[QUEUE_HELD] = ts_value_int(0); /* see SQL_IMPORT_HOLD */
    row[QUEUE_AWAITS_TURN] = ts_value_int(1);
    row[QUEUE_EXEMPT] = ts_value_int(0); /* see SQL_IMPORT_EXEMPT */
  }
  for (sqlite3_int64 i = 0; i < rowsOf(x, SEC_TASKS) && x->c->rc == SQLITE_OK; i++)
    rowOf(x, SEC_TASKS, i)[TASK_WORKED] = ts_value_int(0); /* see SQL_IMPORT_WORKED */
}

void ts_import_read(Import *x, Text json) {
  readDocument(x, json);
  checkDigest(x);
  if (x->d.version < 2) fillOld(x);
  checkReferences(x);
}
