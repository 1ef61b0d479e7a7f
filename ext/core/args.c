/*
** args.c - arguments of commands.
**
** Both doors end in the same place: one typed slot per positional argument and per option, in the
** order of the command's table. Positional arguments have fixed places, NULL skips one, and a JSON
** object of options comes after the last place. By name, options may stand beside the arguments or
** in an object called "options". Two options belong to every command: now and request_id.
*/
#include "args.h"

#include "decimal.h"
#include "hash.h"
#include "strict.h"
#include "duration.h"
#include "text.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* The two common options sit behind the command's own slots. */
#define SLOT_NOW (TS_MAX_ARGS - 2)
#define SLOT_REQUEST_ID (TS_MAX_ARGS - 1)

static const ArgSpec nowSpec = {"now", ARG_TIME, 0};
static const ArgSpec requestIdSpec = {"request_id", ARG_ID, 0};

static const ArgSpec *slotSpec(const Cmd *c, int slot) {
  if (slot == SLOT_NOW) return &nowSpec;
  if (slot == SLOT_REQUEST_ID) return &requestIdSpec;
  return &c->spec->args[slot];
}

static const char *typeName(int type) {
  switch (type) {
  case SQLITE_INTEGER: return "an integer";
  case SQLITE_FLOAT: return "a number with a fraction";
  case SQLITE_TEXT: return "text";
  case SQLITE_BLOB: return "a BLOB";
  default: return "NULL";
  }
}

/* A value on its way into a slot. jsonType is NULL for a plain SQL value. */
typedef struct Incoming {
  int type; /* SQLITE_… */
  const char *jsonType;
  Text text;
  sqlite3_int64 i;
  double r;
} Incoming;

static void checkLength(Cmd *c, const ArgSpec *spec, Text t, int max) {
  if (t.n > max) {
    ts_fail(c, SQLITE_ERROR, "%s is %d bytes long; at most %d are allowed", spec->name, t.n, max);
  }
}

/* true and false of JSON arrive as 1 and 0. */
static int isJsonBoolean(const Incoming *in) {
  return in->jsonType && (in->jsonType[0] == 't' || in->jsonType[0] == 'f') &&
         strcmp(in->jsonType, "text") != 0;
}

static void setDecimal(Cmd *c, Arg *arg, sqlite3_int64 i) {
  char *z = ts_printf(c, "%lld", i);
  if (z) arg->text = (Text){z, (int)strlen(z)};
}

/* Does the argument name somebody or something? (external_id is left out: other content under the same one is an
** error anyway, and imports take what there is.) */
static int names(const ArgSpec *spec) {
  if (spec->type == ARG_NAME) {
    return strcmp(spec->name, "channel") == 0 || strcmp(spec->name, "owner") == 0;
  }
  return spec->type == ARG_LABEL ||
         (spec->type == ARG_ID && strcmp(spec->name, "external_id") != 0);
}

/* Where bytes become a replacement character, two ids can become the same text, and two senders would share a
** session. mended: this text has just got such a character. A session that an older version made under such a
** label can still be looked at and put away. */
static void refuseMended(Cmd *c, const ArgSpec *spec, Text text, int mended) {
  int old = spec->type == ARG_LABEL && c->spec->flags & (COMMAND_READ | COMMAND_OLD_LABEL);
  if (!names(spec) || !text.z || !strstr(text.z, TS_UTF8_REPLACEMENT) || (old && !mended)) return;
  ts_fail(c, SQLITE_ERROR,
          "%s holds U+FFFD, a NUL, half a surrogate pair or bytes that are no UTF-8; %s "
          "must be whole",
          spec->name, spec->type == ARG_LABEL ? "a label" : "an id or a name");
}

static void setText(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  int json = isJsonBoolean(in) || (in->type == SQLITE_TEXT && in->jsonType);
  Text given;
  if (in->type != SQLITE_TEXT || (in->jsonType && strcmp(in->jsonType, "text") != 0)) {
    ts_fail(c, SQLITE_ERROR, "%s must be text, not %s%s", spec->name, json ? "a JSON " : "",
            json ? in->jsonType : typeName(in->type));
    return;
  }
  given = ts_copy(c, in->text.z, in->text.n);
  arg->text = ts_clean(c, given);
  if (spec->type == ARG_LABEL || spec->type == ARG_NAME || spec->type == ARG_ID ||
      spec->type == ARG_TURN) {
    if (arg->text.n == 0) ts_fail(c, SQLITE_ERROR, "%s is empty", spec->name);
    checkLength(c, spec, arg->text,
                spec->type == ARG_LABEL ? TURNSTILE_MAX_LABEL : TURNSTILE_MAX_NAME);
    refuseMended(c, spec, arg->text, arg->text.z != given.z);
  } else {
    if (c->rc == SQLITE_OK && spec->type == ARG_MESSAGE &&
        ts_text_blank(arg->text.z, arg->text.n)) {
      ts_fail(c, SQLITE_ERROR, "%s is empty; it must hold more than white space", spec->name);
    }
    checkLength(c, spec, arg->text, TURNSTILE_MAX_TEXT);
  }
}

int ts_json_malformed(Cmd *c) {
  if (c->rc != SQLITE_ERROR || !c->err || !strstr(c->err, "malformed JSON")) return 0;
  c->rc = SQLITE_OK;
  c->err = NULL;
  return 1;
}

/* Can every version of SQLite read this JSON, and has it at most maxDepth levels? If not, the command fails, with
** "NAME is not valid JSON". Escapes that stand for no character become \ufffd, so the text must be the command's
** own copy. The statement that reads it finds out whether the pieces fit together. */
static int acceptJson(Cmd *c, const char *name, Text own, int maxDepth) {
  int odd;
  JsonForm form;
  if (c->rc != SQLITE_OK) return 0;
  form = ts_json_form(own.z, own.n, maxDepth, &odd);
  if (form == JSON_PLAIN) {
    ts_json_mend((char *)own.z, own.n, odd);
  } else if (form == JSON_DEEP) {
    ts_fail(c, SQLITE_ERROR, "%s is JSON of more than %d levels", name, maxDepth);
  } else {
    ts_fail(c, SQLITE_ERROR, "%s is not valid JSON", name);
  }
  return form == JSON_PLAIN;
}

/* Takes the spaces out of a text that was checked. Returns its type, or {NULL,0} when it is not JSON. */
static Text minify(Cmd *c, Text *json) {
  Text type = {NULL, 0}, plain = *json;
  Query q = ts_query(c, SQL_JSON_MINIFY, "t", json);
  if (ts_row(c, &q)) {
    if (!ts_text_equal(*json, ts_col_view(&q, COL_JSON_MINIFY_JSON)))
      plain = ts_col_text(c, &q, COL_JSON_MINIFY_JSON);
    type = ts_col_text(c, &q, COL_JSON_MINIFY_TYPE);
  }
  ts_end(c, &q);
  (void)ts_json_malformed(c);
  if (type.z) *json = plain;
  return type;
}

Text ts_json_minify(Cmd *c, Text *json, int maxDepth) {
  Text type = {NULL, 0}, own = *json;
  int odd;
  if (c->rc != SQLITE_OK || ts_json_form(own.z, own.n, maxDepth, &odd) != JSON_PLAIN) return type;
  if (odd >= 0) {
    own = ts_copy(c, own.z, own.n);
    if (own.z) ts_json_mend((char *)own.z, own.n, odd);
  }
  type = minify(c, &own);
  if (type.z) *json = own;
  return type;
}

/* The first character that is not white space: '{' of an object, '[' of an array. */
static char firstCharacter(Text json) {
  int i = 0;
  while (i < json.n && strchr(" \t\n\r", json.z[i]))
    i++;
  return i < json.n ? json.z[i] : 0;
}

/* An array that the command itself reads, element by element. */
static void setArray(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  if (in->type != SQLITE_TEXT) {
    ts_fail(c, SQLITE_ERROR, "%s must be a JSON array, not %s", spec->name, typeName(in->type));
    return;
  }
  arg->text = ts_clean(c, ts_copy(c, in->text.z, in->text.n));
  checkLength(c, spec, arg->text, TURNSTILE_MAX_TEXT);
  if (!acceptJson(c, spec->name, arg->text, TURNSTILE_MAX_JSON_DEPTH)) return;
  if (firstCharacter(arg->text) != '[') {
    Text json = arg->text, type = minify(c, &json);
    if (type.z) {
      ts_fail(c, SQLITE_ERROR, "%s must be a JSON array, not a JSON %s", spec->name, type.z);
    }
    ts_fail(c, SQLITE_ERROR, "%s is not valid JSON", spec->name);
  }
}

/* A whole document: as text, or as an object among the arguments of the door. */
static void setDocument(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  int isObject = in->jsonType && strcmp(in->jsonType, "object") == 0;
  if (in->type != SQLITE_TEXT || (in->jsonType && !isObject && strcmp(in->jsonType, "text") != 0)) {
    ts_fail(c, SQLITE_ERROR, "%s must be a JSON object, not %s%s", spec->name,
            in->jsonType ? "a JSON " : "", in->jsonType ? in->jsonType : typeName(in->type));
    return;
  }
  arg->text = ts_clean(c, ts_copy(c, in->text.z, in->text.n));
}

/* JSON is kept in one form, without spaces: hashes and idempotency must not depend on the door that
** it came through. */
static void setJson(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  Text type;
  const char *want = spec->type == ARG_OBJECT ? "a JSON object" : "JSON";
  if (in->type != SQLITE_TEXT) {
    ts_fail(c, SQLITE_ERROR, "%s must be %s, not %s", spec->name, want, typeName(in->type));
    return;
  }
  arg->text = ts_clean(c, ts_copy(c, in->text.z, in->text.n));
  checkLength(c, spec, arg->text, TURNSTILE_MAX_TEXT);
  if (!acceptJson(c, spec->name, arg->text, TS_VALUE_DEPTH)) return;
  type = minify(c, &arg->text);
  if (!type.z) ts_fail(c, SQLITE_ERROR, "%s is not valid JSON", spec->name);
  if (c->rc == SQLITE_OK && spec->type == ARG_OBJECT && !ts_text_is(type, "object")) {
    ts_fail(c, SQLITE_ERROR, "%s must be a JSON object, not a JSON %s", spec->name, type.z);
  }
}

static void setInteger(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  sqlite3_int64 max = spec->type == ARG_BOOL ? 1 : TURNSTILE_MAX_INTEGER;
  Incoming whole = *in;
  /* Some drivers send every number as REAL. */
  if (in->type == SQLITE_FLOAT && ts_whole_number(in->r, &whole.i)) {
    whole.type = SQLITE_INTEGER;
    in = &whole;
  }
  if (isJsonBoolean(in) && spec->type != ARG_BOOL) {
    ts_fail(c, SQLITE_ERROR, "%s must be an integer from 0 to %lld, not a JSON %s", spec->name, max,
            in->jsonType);
  } else if (in->type != SQLITE_INTEGER) {
    ts_fail(c, SQLITE_ERROR, "%s must be an integer from 0 to %lld, not %s", spec->name, max,
            typeName(in->type));
  } else if (in->i < 0 || in->i > max) {
    ts_fail(c, SQLITE_ERROR, "%s is %lld; it must be from 0 to %lld", spec->name, in->i, max);
  }
  arg->i = in->i;
}

void ts_time_want(Cmd *c, const char *name, sqlite3_int64 at) {
  int64_t ms;
  const char *unit = ts_time_unit(at, &ms);
  if (!unit) return;
  ts_fail(c, SQLITE_ERROR, "%s is %lld, a time in %s; it must be Unix milliseconds, such as %lld",
          name, at, unit, (sqlite3_int64)ms);
}

static void setDuration(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  int64_t ms = 0;
  if (in->type == SQLITE_TEXT) {
    if (!ts_duration_parse(in->text.z, in->text.n, &ms)) {
      ts_fail(c, SQLITE_ERROR,
              "%s is '%s'; it must be a duration such as 90s, 24h or 7 days, or milliseconds",
              spec->name, ts_excerpt(c, in->text));
    }
    arg->text = ts_copy(c, in->text.z, in->text.n);
    arg->i = ms;
  } else if (in->type == SQLITE_INTEGER && in->i < 0 && !isJsonBoolean(in)) {
    /* Each duration has its own upper limit; the error comes from the code that knows it. */
    ts_fail(
        c, SQLITE_ERROR,
        "%s is %lld; it must be a duration such as 90s, 24h or 7 days, or milliseconds from 0 on",
        spec->name, in->i);
  } else {
    setInteger(c, spec, arg, in);
  }
}

static void setWeight(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  if (isJsonBoolean(in) || (in->type != SQLITE_INTEGER && in->type != SQLITE_FLOAT)) {
    ts_fail(c, SQLITE_ERROR, "%s must be a number from 0 to 1, not %s%s", spec->name,
            isJsonBoolean(in) ? "a JSON " : "",
            isJsonBoolean(in) ? in->jsonType : typeName(in->type));
    return;
  }
  arg->r = in->type == SQLITE_INTEGER ? (double)in->i : in->r;
  if (!(arg->r >= 0 && arg->r <= 1)) {
    ts_fail(c, SQLITE_ERROR, "%s is %s; it must be from 0 to 1", spec->name,
            ts_real_text(c, arg->r).z);
  }
}

static void setAny(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  switch (in->type) {
  case SQLITE_TEXT:
    arg->text = ts_clean(c, ts_copy(c, in->text.z, in->text.n));
    checkLength(c, spec, arg->text, TURNSTILE_MAX_TEXT);
    break;
  case SQLITE_INTEGER: setDecimal(c, arg, in->i); break;
  case SQLITE_FLOAT: arg->text = ts_real_text(c, in->r); break;
  default:
    ts_fail(c, SQLITE_ERROR, "%s must be text or a number, not %s", spec->name, typeName(in->type));
    break;
  }
}

Text ts_json_data(Cmd *c, Text t) {
  Text json = t;
  if (!ts_json_minify(c, &json, TS_VALUE_DEPTH).z) {
    Query q = ts_query(c, SQL_JSON_QUOTE, "t", &t);
    if (ts_row(c, &q)) json = ts_col_text(c, &q, COL_JSON_QUOTE_JSON);
    ts_end(c, &q);
  }
  return json;
}

/* Anything, as JSON: JSON stays JSON, other text becomes a JSON string. */
static void setData(Cmd *c, const ArgSpec *spec, Arg *arg, const Incoming *in) {
  setAny(c, spec, arg, in);
  arg->text = ts_json_data(c, arg->text);
}

static void setSlot(Cmd *c, int slot, const Incoming *in) {
  const ArgSpec *spec = slotSpec(c, slot);
  Arg *arg = &c->arg[slot];
  arg->said = 1;
  if (c->rc != SQLITE_OK || in->type == SQLITE_NULL) return;
  arg->given = 1;
  switch (spec->type) {
  case ARG_TEXT:
  case ARG_LABEL:
  case ARG_NAME:
  case ARG_MESSAGE: setText(c, spec, arg, in); break;
  case ARG_ID:
    if (in->type == SQLITE_INTEGER && !isJsonBoolean(in)) {
      setDecimal(c, arg, in->i);
    } else if (in->type == SQLITE_FLOAT && ts_whole_number(in->r, &arg->i)) {
      setDecimal(c, arg, arg->i);
      arg->i = 0;
    } else {
      setText(c, spec, arg, in);
    }
    break;
  case ARG_TURN:
    if (in->type == SQLITE_TEXT) {
      setText(c, spec, arg, in);
    } else {
      setInteger(c, spec, arg, in);
    }
    break;
  case ARG_ARRAY: setArray(c, spec, arg, in); break;
  case ARG_DOCUMENT: setDocument(c, spec, arg, in); break;
  case ARG_JSON:
  case ARG_OBJECT: setJson(c, spec, arg, in); break;
  case ARG_INT:
  case ARG_BOOL: setInteger(c, spec, arg, in); break;
  case ARG_TIME:
    setInteger(c, spec, arg, in);
    ts_time_want(c, spec->name, arg->i);
    break;
  case ARG_DURATION: setDuration(c, spec, arg, in); break;
  case ARG_WEIGHT: setWeight(c, spec, arg, in); break;
  case ARG_DATA: setData(c, spec, arg, in); break;
  case ARG_ANY: setAny(c, spec, arg, in); break;
  }
  if (slot == SLOT_NOW) c->now = arg->i, c->isDated = 1;
}

static Incoming incoming(Cmd *c, sqlite3_value *v, const char *jsonType) {
  Incoming in;
  memset(&in, 0, sizeof(in));
  in.type = sqlite3_value_type(v);
  in.jsonType = jsonType;
  if (in.type == SQLITE_TEXT) {
    in.text.z = (const char *)sqlite3_value_text(v);
    in.text.n = sqlite3_value_bytes(v);
    if (!in.text.z) ts_fail_nomem(c);
  } else if (in.type == SQLITE_INTEGER) {
    in.i = sqlite3_value_int64(v);
  } else if (in.type == SQLITE_FLOAT) {
    in.r = sqlite3_value_double(v);
  }
  return in;
}

/* A number for a slot that keeps every digit. It is read from its text, since SQLite's reading of the last digits
** differs between versions. When a name is given twice, the text found may be the text of the first: then the value
** stays as SQLite has read it. */
static void readExactly(Cmd *c, int slot, Text json, int isArray, Incoming *in) {
  const ArgSpec *spec = slotSpec(c, slot);
  Query q;
  if (in->type != SQLITE_FLOAT || spec->type != ARG_WEIGHT) return;
  q = ts_query(c, SQL_JSON_NUMBER, "ts", &json,
               isArray ? ts_printf(c, "$[%d]", slot) : ts_printf(c, "$.%s", spec->name));
  if (ts_row(c, &q)) {
    Text number = ts_col_view(&q, COL_JSON_NUMBER_NUMBER);
    double r;
    if (number.z && ts_decimal_read(number.z, number.n, &r) && r - in->r < 1e-15 &&
        in->r - r < 1e-15) {
      in->r = r;
    }
  }
  ts_end(c, &q);
}

/* The slot called name, or -1. Positional names count only when asked for. */
static int findSlot(const Cmd *c, const char *name, int n, int positionalToo) {
  const CommandSpec *spec = c->spec;
  for (int i = positionalToo ? 0 : spec->nArgs; i < spec->nArgs + spec->nOptions; i++) {
    if ((int)strlen(spec->args[i].name) == n && memcmp(spec->args[i].name, name, (size_t)n) == 0) {
      return i;
    }
  }
  if (n == 3 && memcmp(name, "now", 3) == 0) return SLOT_NOW;
  if (n == 10 && memcmp(name, "request_id", 10) == 0) return SLOT_REQUEST_ID;
  return -1;
}

static void failUnknown(Cmd *c, const char *what, Text name, int positionalToo) {
  const CommandSpec *spec = c->spec;
  sqlite3_str *list = sqlite3_str_new(c->db);
  char *known;
  for (int i = positionalToo ? 0 : spec->nArgs; i < spec->nArgs + spec->nOptions; i++) {
    sqlite3_str_appendf(list, "%s, ", spec->args[i].name);
  }
  sqlite3_str_appendall(list, "now, request_id");
  known = ts_adopt(c, sqlite3_str_finish(list));
  ts_fail(c, SQLITE_ERROR, "unknown %s '%s'; it takes: %s", what, ts_excerpt(c, name),
          known ? known : "");
}

/* Members of a JSON object into slots. An object under "options" is kept for a second pass. */
static void setMembers(Cmd *c, Text object, int positionalToo, Text *options) {
  Query q = ts_query(c, SQL_JSON_EACH, "t", &object);
  while (ts_row(c, &q)) {
    const char *key = (const char *)sqlite3_column_text(q.stmt, COL_JSON_EACH_KEY);
    int nKey = sqlite3_column_bytes(q.stmt, COL_JSON_EACH_KEY);
    const char *type = (const char *)sqlite3_column_text(q.stmt, COL_JSON_EACH_TYPE);
    int slot;
    Incoming in;
    if (!key || !type) {
      ts_fail_nomem(c);
      break;
    }
    slot = findSlot(c, key, nKey, positionalToo);
    in = incoming(c, sqlite3_column_value(q.stmt, COL_JSON_EACH_VALUE), type);
    if (slot >= 0) {
      readExactly(c, slot, object, 0, &in);
      setSlot(c, slot, &in);
    } else if (options && nKey == 7 && memcmp(key, "options", 7) == 0) {
      if (strcmp(type, "object") == 0) {
        *options = ts_copy(c, in.text.z, in.text.n);
      } else if (in.type != SQLITE_NULL) {
        ts_fail(c, SQLITE_ERROR, "options must be a JSON object, not a JSON %s", type);
      }
    } else {
      failUnknown(c, positionalToo ? "argument" : "option", (Text){key, nKey}, positionalToo);
    }
  }
  ts_end(c, &q);
}

static void setOptions(Cmd *c, const Incoming *in) {
  Text json;
  if (in->type == SQLITE_NULL) return;
  if (in->type != SQLITE_TEXT) {
    ts_fail(c, SQLITE_ERROR, "options must be a JSON object, not %s", typeName(in->type));
    return;
  }
  json = ts_clean(c, ts_copy(c, in->text.z, in->text.n));
  if (c->rc != SQLITE_OK) return;
  if (firstCharacter(json) != '{') {
    ts_fail(c, SQLITE_ERROR, "options must be a JSON object such as {\"now\":0}");
    return;
  }
  if (!acceptJson(c, "options", json, TURNSTILE_MAX_JSON_DEPTH)) return;
  setMembers(c, json, 0, NULL);
  if (ts_json_malformed(c)) ts_fail(c, SQLITE_ERROR, "options is not valid JSON");
}

static void checkCount(Cmd *c, int n) {
  if (n <= c->spec->nArgs + 1) return;
  ts_fail(c, SQLITE_ERROR, "too many arguments: %d given; it takes %d and an object of options", n,
          c->spec->nArgs);
}

void ts_args_from_values(Cmd *c, sqlite3_value **values, int n) {
  const CommandSpec *spec = c->spec;
  checkCount(c, n);
  for (int i = 0; i < n && c->rc == SQLITE_OK; i++) {
    Incoming in = incoming(c, values[i], NULL);
    if (i < spec->nArgs) {
      setSlot(c, i, &in);
    } else {
      setOptions(c, &in);
    }
  }
}

/* The elements of a JSON array into the positional slots; one behind the last is the options. */
static void setPositions(Cmd *c, Text array) {
  const CommandSpec *spec = c->spec;
  Incoming options = {.type = SQLITE_NULL};
  int i = 0;
  Query q = ts_query(c, SQL_JSON_EACH, "t", &array);
  while (ts_row(c, &q)) {
    const char *type = (const char *)sqlite3_column_text(q.stmt, COL_JSON_EACH_TYPE);
    Incoming in = incoming(c, sqlite3_column_value(q.stmt, COL_JSON_EACH_VALUE), type);
    if (!type) ts_fail_nomem(c);
    if (i < spec->nArgs) {
      readExactly(c, i, array, 1, &in);
      setSlot(c, i, &in);
    } else if (i == spec->nArgs) {
      options = in;
      options.text = ts_copy(c, in.text.z, in.text.n);
    }
    i++;
  }
  ts_end(c, &q);
  checkCount(c, i);
  setOptions(c, &options);
}

void ts_args_from_json(Cmd *c, sqlite3_value *value) {
  Text json = {NULL, 0}, options = {NULL, 0};
  int type = sqlite3_value_type(value);
  if (type == SQLITE_NULL) return;
  if (type != SQLITE_TEXT) {
    ts_fail(c, SQLITE_ERROR, "args must be a JSON array or object, not %s", typeName(type));
    return;
  }
  json.z = (const char *)sqlite3_value_text(value);
  json.n = sqlite3_value_bytes(value);
  if (!json.z) {
    ts_fail_nomem(c);
    return;
  }
  if (memchr(json.z, 0, (size_t)json.n)) {
    ts_fail(c, SQLITE_ERROR, "args holds a NUL character; JSON writes it as an escape");
    return;
  }
  json = ts_clean(c, ts_copy(c, json.z, json.n));
  if (c->rc != SQLITE_OK) return;
  if (firstCharacter(json) != '[' && firstCharacter(json) != '{') {
    ts_fail(c, SQLITE_ERROR, "args must be a JSON array or a JSON object");
    return;
  }
  if (!acceptJson(c, "args", json, TURNSTILE_MAX_JSON_DEPTH)) return;
  if (firstCharacter(json) == '[') {
    setPositions(c, json);
  } else {
    setMembers(c, json, 1, &options);
    if (options.z) setMembers(c, options, 0, NULL);
  }
  if (ts_json_malformed(c)) ts_fail(c, SQLITE_ERROR, "args is not valid JSON");
}

void ts_args_check(Cmd *c) {
  const CommandSpec *spec = c->spec;
  for (int i = 0; i < spec->nArgs + spec->nOptions; i++) {
    const Arg *arg = &c->arg[i];
    int want = spec->args[i].required;
    if (want == ARG_OR_NULL ? !arg->said : want && !arg->given) {
      ts_fail(c, SQLITE_ERROR, "%s is missing", spec->args[i].name);
    }
  }
}

Text ts_args_request_id(const Cmd *c) {
  return c->arg[SLOT_REQUEST_ID].text;
}

Text ts_args_digest(Cmd *c) {
  const CommandSpec *spec = c->spec;
  sqlite3_str *all = sqlite3_str_new(c->db);
  char number[TS_DECIMAL_SIZE];
  HashId id;
  int rc;
  char *z;
  sqlite3_str_appendall(all, spec->name);
  for (int i = 0; i < spec->nArgs + spec->nOptions; i++) {
    const Arg *arg = &c->arg[i];
    Text text = arg->text;
    if (!arg->given) continue;
    if (spec->args[i].type == ARG_ARRAY) {
      if (!minify(c, &text).z) {
        ts_fail(c, SQLITE_ERROR, "%s is not valid JSON", spec->args[i].name);
      }
    }
    ts_decimal(arg->r, TS_DECIMAL_EXACT, number);
    sqlite3_str_appendf(all, "\n%s %d %lld %s ", spec->args[i].name, text.n, arg->i, number);
    if (text.z) sqlite3_str_append(all, text.z, text.n);
  }
  rc = sqlite3_str_errcode(all);
  id = ts_hash("args", sqlite3_str_value(all), sqlite3_str_length(all));
  z = sqlite3_str_finish(all);
  sqlite3_free(z);
  if (rc != SQLITE_OK && c->rc == SQLITE_OK) c->rc = rc;
  return ts_copy(c, id.hex, TS_HASH_HEX);
}

int ts_arg_word(Cmd *c, const char *name, Text t, const char *const *words, int nWords) {
  sqlite3_str *list;
  char *known;
  if (c->rc != SQLITE_OK) return -1;
  for (int i = 0; i < nWords; i++) {
    if (ts_text_is(t, words[i])) return i;
  }
  list = sqlite3_str_new(c->db);
  for (int i = 0; i < nWords; i++) {
    if (words[i][0]) sqlite3_str_appendf(list, "%s%s", i ? ", " : "", words[i]);
  }
  known = ts_adopt(c, sqlite3_str_finish(list));
  ts_fail(c, SQLITE_ERROR, "%s is '%s'; it must be one of: %s", name, ts_excerpt(c, t),
          known ? known : "");
  return -1;
}
