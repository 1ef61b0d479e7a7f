/*
** key.c - session_key(), session_key_parse().
**
**   SELECT session_key('dm', 'whatsapp', '+15550001111');        -- dm:whatsapp:+15550001111
**   SELECT session_key('group', 'slack', 'C02:x', '17');         -- group:slack:C02%3Ax:thread:17
**   SELECT session_key_parse('group:slack:C02%3Ax:thread:17');   -- {"kind":"group","channel":"slack",…}
*/
#include "key.h"

#include "decimal.h"
#include "json.h"
#include "functions.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MAX_PARTS 7 /* of a key: group, channel, peer, "thread", thread, "persona", persona */

/* The names of a key's parts, by its kind and their number. A name in capitals is a fixed word. */
typedef struct Form {
  const char *kind;
  int nParts; /* without the kind */
  const char *parts[MAX_PARTS - 1];
} Form;

static const Form forms[] = {
    {"dm", 1, {"entity"}},
    {"dm", 2, {"channel", "sender"}},
    {"dm", 3, {"entity", "PERSONA", "persona"}},
    {"dm", 4, {"channel", "sender", "PERSONA", "persona"}},
    {"group", 2, {"channel", "peer"}},
    {"group", 4, {"channel", "peer", "THREAD", "thread"}},
    {"group", 4, {"channel", "peer", "PERSONA", "persona"}},
    {"group", 6, {"channel", "peer", "THREAD", "thread", "PERSONA", "persona"}},
    {"worker", 1, {"id"}},
    {"system", 1, {"purpose"}},
};

#define N_FORMS ((int)(sizeof(forms) / sizeof(forms[0])))

static int isWord(const char *name) {
  return name[0] >= 'A' && name[0] <= 'Z';
}

/* Must a byte be encoded? */
static int isSpecial(unsigned char byte) {
  return byte == ':' || byte == '%' || byte < 0x20 || byte == 0x7f;
}

/* Is the character U+FFFD? */
static int isReplacement(const unsigned char *p, int length) {
  return length == 3 && memcmp(p, TS_UTF8_REPLACEMENT, 3) == 0;
}

const char *ts_key_append(sqlite3_str *key, const char *z, int n) {
  const unsigned char *p = (const unsigned char *)z, *end = p + n;
  if (n == 0) return "is empty";
  while (p < end) {
    int length = ts_utf8_length(p, end);
    if (!length) return "is not valid UTF-8";
    if (*p == 0) return "holds a NUL character";
    /* Two names that are not valid text could become the same key. */
    if (isReplacement(p, length)) return "holds U+FFFD, which stands for a byte that is not text";
    if (isSpecial(*p)) {
      sqlite3_str_appendf(key, "%%%02X", *p);
    } else {
      sqlite3_str_append(key, (const char *)p, length);
    }
    p += length;
  }
  return NULL;
}

static int hexDigit(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : -1;
}

/* Decodes a part in place. Returns its length, or -1 when ts_key_append could not have made it. */
static int decode(char *z, int n) {
  const unsigned char *p = (const unsigned char *)z, *end = p + n;
  int out = 0;
  while (p < end) {
    int length = ts_utf8_length(p, end);
    if (!length || isReplacement(p, length)) return -1;
    p += length;
  }
  for (int i = 0; i < n; i++) {
    unsigned char byte = (unsigned char)z[i];
    if (byte == '%') {
      int high = i + 2 < n ? hexDigit(z[i + 1]) : -1, low = i + 2 < n ? hexDigit(z[i + 2]) : -1;
      if (high < 0 || low < 0) return -1;
      byte = (unsigned char)(high * 16 + low);
      if (!isSpecial(byte) || byte == 0) return -1;
      i += 2;
    } else if (isSpecial(byte)) {
      return -1;
    }
    z[out++] = (char)byte;
  }
  return out;
}

/* ---- session_key(kind, part …) → text ---------------------------------------------------------- */

/* The form that a caller means, by the number of its arguments: fixed words don't count, and a
** persona is not an argument. */
static const Form *formFor(const char *kind, int n) {
  for (int f = 0; f < N_FORMS; f++) {
    int plain = 0, persona = 0;
    if (strcmp(forms[f].kind, kind) != 0) continue;
    for (int i = 0; i < forms[f].nParts; i++) {
      plain += !isWord(forms[f].parts[i]);
      persona |= strcmp(forms[f].parts[i], "persona") == 0;
    }
    if (plain == n && !persona) return &forms[f];
  }
  return NULL;
}

/* One part of the key that a caller wants. */
static void appendPart(Cmd *c, sqlite3_str *key, const char *name, sqlite3_value *v) {
  int type = sqlite3_value_type(v);
  const char *problem;
  sqlite3_int64 whole;
  if (type == SQLITE_FLOAT && ts_whole_number(sqlite3_value_double(v), &whole)) {
    /* Some drivers send every number as REAL. */
    char *z = ts_printf(c, "%lld", whole);
    problem = z ? ts_key_append(key, z, (int)strlen(z)) : NULL;
  } else if (type == SQLITE_TEXT || type == SQLITE_INTEGER) {
    const char *z = (const char *)sqlite3_value_text(v);
    if (!z) ts_fail_nomem(c);
    problem = z ? ts_key_append(key, z, sqlite3_value_bytes(v)) : NULL;
  } else {
    problem = type == SQLITE_NULL   ? "is NULL; it must be text or an integer"
              : type == SQLITE_BLOB ? "is a BLOB; it must be text or an integer"
                                    : "is a number with a fraction; it must be text or an integer";
  }
  if (problem) ts_fail(c, SQLITE_ERROR, "%s %s", name, problem);
}

static void makeKey(Cmd *c, sqlite3_str *key, int argc, sqlite3_value **argv) {
  const char *kind = argc ? (const char *)sqlite3_value_text(argv[0]) : NULL;
  const Form *form;
  while (argc > 1 && sqlite3_value_type(argv[argc - 1]) == SQLITE_NULL)
    argc--; /* arguments that may be left out at the end may be NULL */
  form = kind ? formFor(kind, argc - 1) : NULL;
  if (!form) {
    ts_fail(
        c, SQLITE_ERROR,
        "it takes ('dm', entity), ('dm', channel, sender), ('group', channel, peer [, thread]), "
        "('worker', id) or ('system', purpose)");
    return;
  }
  argv++;
  sqlite3_str_appendall(key, form->kind);
  for (int i = 0; i < form->nParts; i++) {
    sqlite3_str_appendchar(key, 1, ':');
    if (isWord(form->parts[i])) {
      sqlite3_str_appendall(key, form->parts[i + 1]); /* the fixed word names the part after it */
    } else {
      appendPart(c, key, form->parts[i], *argv++);
    }
  }
  if (sqlite3_str_length(key) > TURNSTILE_MAX_LABEL) {
    ts_fail(c, SQLITE_ERROR, "the key would be %d bytes long; a label has at most %d",
            sqlite3_str_length(key), TURNSTILE_MAX_LABEL);
  }
}

/* Ends the command; the function's result is the text, or the error. */
static void giveText(sqlite3_context *ctx, Cmd *c, Text t) {
  if (c->rc != SQLITE_OK) {
    ts_give_error(ctx, c);
  } else if (t.z) {
    sqlite3_result_text(ctx, t.z, t.n, SQLITE_TRANSIENT);
  }
  ts_cmd_clear(c);
}

static void sessionKey(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  Cmd c;
  sqlite3_str *key;
  ts_cmd_init(&c, conn, ts_target_used(conn), "session_key");
  key = sqlite3_str_new(c.db);
  makeKey(&c, key, argc, argv);
  giveText(ctx, &c, ts_finish(&c, key));
}

/* ---- session_key_parse(label) → JSON or NULL ---------------------------------------------------- */

typedef struct Part {
  char *z;
  int n;
} Part;

/* Splits at ':'. Returns how many parts there are, 0 when there are too many. */
static int split(char *z, int n, Part *parts) {
  int nParts = 0;
  char *end = z + n;
  for (;;) {
    char *colon = memchr(z, ':', (size_t)(end - z));
    if (nParts == MAX_PARTS) return 0;
    parts[nParts++] = (Part){z, (int)((colon ? colon : end) - z)};
    if (!colon) return nParts;
    z = colon + 1;
  }
}

static int partIs(const Part *p, const char *word) {
  return (int)strlen(word) == p->n && memcmp(p->z, word, (size_t)p->n) == 0;
}

static const Form *formOf(const Part *parts, int nParts) {
  for (int f = 0; f < N_FORMS; f++) {
    int fits = forms[f].nParts == nParts - 1 && partIs(&parts[0], forms[f].kind);
    for (int i = 0; fits && i < forms[f].nParts; i++) {
      if (isWord(forms[f].parts[i])) fits = partIs(&parts[i + 1], forms[f].parts[i + 1]);
    }
    if (fits) return &forms[f];
  }
  return NULL;
}

static Text parseKey(Cmd *c, sqlite3_value *label) {
  Part parts[MAX_PARTS];
  const Form *form;
  Json j;
  Text copy = {NULL, 0};
  int nParts;
  memset(parts, 0, sizeof(parts));
  if (sqlite3_value_type(label) != SQLITE_TEXT) return none;
  copy = ts_copy(c, (const char *)sqlite3_value_text(label), sqlite3_value_bytes(label));
  /* A text with a NUL, or longer than a label, is not a key. */
  if (!copy.z || (int)strlen(copy.z) != copy.n || copy.n > TURNSTILE_MAX_LABEL) return none;
  nParts = split((char *)copy.z, copy.n, parts);
  form = nParts ? formOf(parts, nParts) : NULL;
  if (!form) return none;
  for (int i = 1; i < nParts; i++) {
    parts[i].n = decode(parts[i].z, parts[i].n);
    if (parts[i].n <= 0) return none;
  }
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "kind", form->kind);
  for (int i = 0; i + 1 < nParts; i++) {
    if (isWord(form->parts[i])) continue;
    ts_json_put(&j, form->parts[i], (Text){parts[i + 1].z, parts[i + 1].n});
  }
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

static void sessionKeyParse(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  Cmd c;
  (void)argc;
  ts_cmd_init(&c, conn, ts_target_used(conn), "session_key_parse");
  giveText(ctx, &c, parseKey(&c, argv[0]));
}

int ts_key_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"session_key", -1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, sessionKey},
      {"session_key_parse", 1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, sessionKeyParse},
  };
  return ts_functions_register(conn, functions, 2);
}
