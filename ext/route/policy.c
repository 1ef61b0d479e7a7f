/*
** policy.c - evaluates the policies.
**
** The rows of session_policies are parsed once and kept with the connection until
** `policies_version` in turnstile_meta changes, so a message costs a few comparisons per policy.
** Policies read in a transaction that has changed them are not kept: after a rollback the same
** version could stand for other policies.
**
** An unchecked row can have a match that can't be read. Skipping it would send its envelopes to
** another policy's session, which may be another person's. So it is an error, but only for
** envelopes that reach this row. The same holds for rows beyond the limits.
*/
#include "policy.h"

#include "args.h"
#include "array.h"
#include "decimal.h"
#include "key.h"
#include "strict.h"
#include "functions.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define TEMPLATE_BYTES 4096 /* of a key template */
#define MATCH_BYTES 16384   /* of the conditions of one policy */
#define POLICIES_MAX 10000  /* of a file, that are enabled */
#define VALUES_MAX 100000   /* that their conditions name, together */
#define TEXTS_MAX 8388608   /* bytes that are read of them */

/* A condition: the field has one of these values. A NULL value means that the field is missing. */
typedef struct Condition {
  int ofPrincipal;
  Text field;
  int first, n; /* in values */
} Condition;

typedef struct Policy {
  sqlite3_int64 id;
  Text name, keyTemplate, persona;
  int first, n; /* in conditions */
  int wrong;    /* the match can't be read: a Wrong value */
} Policy;

/* What policies_load says about a match. */
enum Wrong { WRONG_LENGTH = 1, WRONG_JSON };

/* A list that grows; items are of one size. */
typedef struct List {
  char *items; /* owned */
  int n, room;
} List;

struct Router {
  List policies, conditions, values; /* of Policy, Condition, Text; in the order of evaluation */
  List texts;                        /* of char *, owned */
  sqlite3_int64 nTexts;              /* bytes of them and of their source */
  int isCut;                         /* there are more policies than are kept */
  const Target *target;
  int looks;
  sqlite3_int64 version;
  int keep; /* may be used again while target and version are the same */
};

static void clearRouter(struct Router *r) {
  for (int i = 0; i < r->texts.n; i++)
    sqlite3_free(((char **)r->texts.items)[i]);
  sqlite3_free(r->texts.items);
  sqlite3_free(r->policies.items);
  sqlite3_free(r->conditions.items);
  sqlite3_free(r->values.items);
  memset(r, 0, sizeof(*r));
}

static void freeKept(Conn *conn) {
  if (!conn->router) return;
  clearRouter(conn->router);
  sqlite3_free(conn->router);
  conn->router = NULL;
}

/* ---- Reading the policies ---------------------------------------------------------------------- */

/* Room for one more item, zeroed; NULL once the command has failed. */
static void *push(Cmd *c, List *list, size_t size) {
  void *item;
  if (c->rc != SQLITE_OK) return NULL;
  if (ts_array_grow(&list->items, &list->room, list->n, size) != SQLITE_OK) {
    ts_fail_nomem(c);
    return NULL;
  }
  item = list->items + size * (size_t)list->n++;
  memset(item, 0, size);
  return item;
}

Text ts_fact_number(Cmd *c, double r) {
  sqlite3_int64 i;
  char *z;
  if (!ts_whole_number(r, &i)) return ts_real_text(c, r);
  z = ts_printf(c, "%lld", i);
  return (Text){z, z ? (int)strlen(z) : 0};
}

/* A copy of a column that lives as long as the router. */
static Text keep(Cmd *c, struct Router *r, Query *q, int i) {
  int isReal = sqlite3_column_type(q->stmt, i) == SQLITE_FLOAT;
  Text t = isReal ? ts_fact_number(c, sqlite3_column_double(q->stmt, i)) : ts_col_view(q, i);
  char **slot;
  if (!t.z) return t;
  slot = push(c, &r->texts, sizeof(char *));
  if (!slot) return (Text){NULL, 0};
  *slot = sqlite3_malloc64((sqlite3_uint64)t.n + 1);
  if (!*slot) {
    ts_fail_nomem(c);
    return (Text){NULL, 0};
  }
  memcpy(*slot, t.z, (size_t)t.n);
  (*slot)[t.n] = 0;
  r->nTexts += t.n;
  return (Text){*slot, t.n};
}

/* The condition to which this row's value belongs: the policy's last one, or a new one. */
static Condition *conditionOf(Cmd *c, struct Router *r, Policy *policy, Query *q) {
  Text side = ts_col_view(q, COL_POLICY_CONDITIONS_SIDE),
       field = ts_col_view(q, COL_POLICY_CONDITIONS_FIELD);
  int ofPrincipal = ts_text_is(side, "principal");
  Condition *condition = NULL;
  if (policy->n) condition = (Condition *)r->conditions.items + r->conditions.n - 1;
  if (condition && condition->ofPrincipal == ofPrincipal &&
      ts_text_equal(condition->field, field)) {
    return condition;
  }
  condition = push(c, &r->conditions, sizeof(Condition));
  if (!condition) return NULL;
  condition->ofPrincipal = ofPrincipal;
  condition->field = keep(c, r, q, 1);
  condition->first = r->values.n;
  policy->n++;
  return condition;
}

static void addValue(Cmd *c, struct Router *r, Policy *policy, Query *q) {
  Condition *condition = conditionOf(c, r, policy, q);
  Text *value = condition ? push(c, &r->values, sizeof(Text)) : NULL;
  if (!value) return;
  *value = keep(c, r, q, 2);
  condition->n++;
}

/* Reads the conditions of a policy. An invalid condition makes the whole match wrong. */
static void readMatch(Cmd *c, struct Router *r, Policy *policy, Text match) {
  Query q = ts_query(c, SQL_POLICY_CONDITIONS, "t", &match);
  while (!policy->wrong && !r->isCut && ts_row(c, &q)) {
    if (ts_col_int(&q, COL_POLICY_CONDITIONS_IS_ODD)) {
      policy->wrong = WRONG_JSON;
    } else if (ts_col_view(&q, COL_POLICY_CONDITIONS_FIELD).z) {
      addValue(c, r, policy, &q);
      r->isCut = r->values.n > VALUES_MAX || r->nTexts > TEXTS_MAX;
    }
  }
  ts_end(c, &q);
}

/* The policy of this row. */
static void addPolicy(Cmd *c, struct Router *r, Query *q) {
  Policy read;
  Text match = ts_col_text(c, q, COL_POLICIES_LOAD_MATCH);
  Policy *slot;
  memset(&read, 0, sizeof(read));
  read.id = ts_col_int(q, COL_POLICIES_LOAD_ID);
  read.name = keep(c, r, q, 1);
  read.keyTemplate = keep(c, r, q, 2);
  read.persona = keep(c, r, q, 3);
  read.wrong = (int)ts_col_int(q, COL_POLICIES_LOAD_PROBLEM);
  read.first = r->conditions.n;
  r->nTexts += match.n;
  r->isCut = r->policies.n == POLICIES_MAX || r->nTexts > TEXTS_MAX;
  if (!read.wrong && !r->isCut) readMatch(c, r, &read, match);
  if (r->isCut) return;
  slot = push(c, &r->policies, sizeof(Policy));
  if (slot) *slot = read;
}

/* The policies in the order of evaluation, as many as there is room for. */
static void fill(Cmd *c, struct Router *r) {
  Query q = ts_query(c, SQL_POLICIES_LOAD, "iii", (sqlite3_int64)POLICIES_MAX + 1,
                     (sqlite3_int64)TEMPLATE_BYTES + 1, (sqlite3_int64)MATCH_BYTES);
  while (!r->isCut && ts_row(c, &q))
    addPolicy(c, r, &q);
  ts_end(c, &q);
}

/* The policies of the command's file. NULL once the command has failed. */
static struct Router *loadRouter(Cmd *c) {
  struct Router *r = c->conn->router;
  sqlite3_int64 version = 0;
  Query q = ts_query(c, SQL_POLICIES_VERSION, "");
  if (ts_row(c, &q)) version = ts_col_int(&q, COL_POLICIES_VERSION_VALUE);
  ts_end(c, &q);
  if (c->rc != SQLITE_OK) return NULL;
  if (r && r->keep && r->target == c->target && r->looks == c->target->looks &&
      r->version == version) {
    return r;
  }
  if (!r) {
    r = sqlite3_malloc64(sizeof(*r));
    if (!r) {
      ts_fail_nomem(c);
      return NULL;
    }
    memset(r, 0, sizeof(*r));
    c->conn->router = r;
  }
  clearRouter(r);
  fill(c, r);
  if (c->rc != SQLITE_OK) {
    clearRouter(r);
    return NULL;
  }
  r->target = c->target;
  r->looks = c->target->looks;
  r->version = version;
  if (sqlite3_get_autocommit(c->db)) c->conn->policiesTouched = 0;
  r->keep = !c->conn->policiesTouched;
  return r;
}

/* ---- Envelopes ----------------------------------------------------------------------------------- */

Text ts_envelope_get(const Envelope *e, const char *name) {
  for (int i = 0; i < e->n; i++) {
    if (ts_text_is(e->fact[i].name, name)) return e->fact[i].value;
  }
  return (Text){NULL, 0};
}

void ts_envelope_set(Envelope *e, Text name, Text value) {
  for (int i = 0; i < e->n; i++) {
    if (!ts_text_equal(e->fact[i].name, name)) continue;
    e->fact[i].value = value;
    return;
  }
  if (e->n < TS_MAX_FACTS + TS_OWN_FACTS) e->fact[e->n++] = (Fact){name, value};
}

/* A field of the principal or of the delivery, as conditions and templates name it. */
static Text factOf(const Envelope *e, int ofPrincipal, Text field) {
  if (!ofPrincipal) {
    for (int i = 0; i < e->n; i++) {
      if (ts_text_equal(e->fact[i].name, field)) return e->fact[i].value;
    }
  } else if (ts_text_is(field, "type")) {
    return e->entity.z ? TS_TEXT("known") : TS_TEXT("unknown");
  } else if (ts_text_is(field, "entity_id")) {
    return e->entity;
  }
  return (Text){NULL, 0};
}

/* ---- Matching -------------------------------------------------------------------------------------- */

static int holds(const struct Router *r, const Condition *condition, Text fact) {
  const Text *values = (const Text *)r->values.items + condition->first;
  for (int i = 0; i < condition->n; i++) {
    if (fact.z && values[i].z ? ts_text_equal(fact, values[i]) : !fact.z && !values[i].z) return 1;
  }
  return 0;
}

/* The condition of a policy that does not hold, or NULL; also NULL when it can't be evaluated. */
static const Condition *unmet(const struct Router *r, const Policy *policy, const Envelope *e) {
  const Condition *conditions = (const Condition *)r->conditions.items + policy->first;
  if (policy->wrong) return NULL;
  for (int i = 0; i < policy->n; i++) {
    const Condition *k = &conditions[i];
    if (!holds(r, k, factOf(e, k->ofPrincipal, k->field))) return k;
  }
  return NULL;
}

static int shown(Text t) {
  return ts_utf8_cut(t.z, t.n, 80);
}

/* "delivery.channel is slack, not teams" */
static Text reason(Cmd *c, const struct Router *r, const Condition *k, Text fact) {
  const Text *values = (const Text *)r->values.items + k->first;
  const char *side = k->ofPrincipal ? "principal" : "delivery";
  sqlite3_str *out = sqlite3_str_new(c->db);
  sqlite3_str_appendf(out, "%s.%.*s is %s%.*s, not ", side, k->field.n, k->field.z,
                      fact.z ? "" : "not given", fact.z ? shown(fact) : 0, fact.z ? fact.z : "");
  for (int i = 0; i < k->n && i < 5; i++) {
    sqlite3_str_appendf(out, "%s%.*s", i ? " or " : "", values[i].z ? shown(values[i]) : 7,
                        values[i].z ? values[i].z : "without");
  }
  if (k->n > 5) sqlite3_str_appendall(out, " or another one");
  return ts_finish(c, out);
}

/* ---- Templates -------------------------------------------------------------------------------------- */

/* The source of a placeholder's value. */
typedef struct Field {
  int ofPrincipal, isPersona;
  Text name; /* behind the dot */
} Field;

static int startsWith(Text t, const char *prefix) {
  int n = (int)strlen(prefix);
  return t.n > n && memcmp(t.z, prefix, (size_t)n) == 0;
}

/* Reads the text between braces. Returns 0 when it does not name a value. */
static int readField(Text inner, Field *field) {
  memset(field, 0, sizeof(*field));
  if (ts_text_is(inner, "persona")) {
    field->isPersona = 1;
    return 1;
  }
  if (ts_text_is(inner, "principal.entity_id") || ts_text_is(inner, "principal.type")) {
    field->ofPrincipal = 1;
    field->name = (Text){inner.z + 10, inner.n - 10};
    return 1;
  }
  if (!startsWith(inner, "delivery.")) return 0;
  field->name = (Text){inner.z + 9, inner.n - 9};
  for (int i = 0; i < field->name.n; i++) {
    char ch = field->name.z[i];
    if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
          ch == '_')) {
      return 0;
    }
  }
  return 1;
}

/* One piece of a template: literal text, a placeholder, or a bracket. */
typedef enum PieceKind {
  PIECE_END,
  PIECE_TEXT,
  PIECE_FIELD,
  PIECE_OPEN,
  PIECE_CLOSE,
  PIECE_BAD
} PieceKind;

typedef struct Piece {
  PieceKind kind;
  Text text; /* the literal, or the text between the braces */
  Field field;
} Piece;

static Piece nextPiece(const char **at, const char *end) {
  Piece piece;
  const char *z = *at, *stop;
  memset(&piece, 0, sizeof(piece));
  if (z == end) return piece;
  if (*z == '[' || *z == ']') {
    piece.kind = *z == '[' ? PIECE_OPEN : PIECE_CLOSE;
    *at = z + 1;
    return piece;
  }
  if (*z == '{') {
    stop = memchr(z, '}', (size_t)(end - z));
    piece.text = (Text){z + 1, stop ? (int)(stop - z) - 1 : (int)(end - z) - 1};
    piece.kind = stop && readField(piece.text, &piece.field) ? PIECE_FIELD : PIECE_BAD;
    *at = stop ? stop + 1 : end;
    return piece;
  }
  stop = z;
  while (stop < end && *stop != '{' && *stop != '[' && *stop != ']')
    stop++;
  piece.kind = PIECE_TEXT;
  piece.text = (Text){z, (int)(stop - z)};
  *at = stop;
  return piece;
}

/* The forbidden part of a text for a key, or NULL. */
static const char *textProblem(const char *z, int n) {
  sqlite3_str *key = sqlite3_str_new(NULL);
  const char *problem = ts_key_append(key, z, n);
  sqlite3_free(sqlite3_str_finish(key));
  return problem;
}

/* Something is wrong. */
static int says(char **problem, char *what) {
  *problem = what;
  return 1;
}

/* Is something wrong with a template? *problem says what, as a string for sqlite3_free; NULL there
** means that memory ran out, not that the template is right. */
static int templateProblem(const char *z, int n, char **problem) {
  const char *at = z, *end = z + n;
  int depth = 0;
  *problem = NULL;
  if (n == 0) return says(problem, sqlite3_mprintf("key_template is empty"));
  if (memchr(z, 0, (size_t)n)) {
    return says(problem, sqlite3_mprintf("key_template holds a NUL character"));
  }
  if (n > TEMPLATE_BYTES) {
    return says(problem, sqlite3_mprintf("key_template is %d bytes long; at most %d are allowed", n,
                                         TEMPLATE_BYTES));
  }
  for (;;) {
    Piece piece = nextPiece(&at, end);
    switch (piece.kind) {
    case PIECE_END:
      return depth ? says(problem, sqlite3_mprintf("key_template has a [ without a ]")) : 0;
    case PIECE_OPEN: depth++; break;
    case PIECE_CLOSE: depth--; break;
    case PIECE_BAD:
      return says(problem, sqlite3_mprintf("key_template has {%.*s}; it can hold {delivery.FIELD}, "
                                           "{principal.entity_id}, {principal.type} and {persona}",
                                           shown(piece.text), piece.text.z));
    default: break;
    }
    if (depth < 0 || depth > 1) {
      return says(problem, sqlite3_mprintf(depth < 0 ? "key_template has a ] without a ["
                                                     : "key_template has a [ inside []"));
    }
  }
}

/* The value that a placeholder stands for. */
static Text valueOf(const Envelope *e, const Policy *policy, const Field *field) {
  return field->isPersona ? policy->persona : factOf(e, field->ofPrincipal, field->name);
}

/* Is a value missing between here and the closing bracket? If so, *at moves behind the bracket. */
static int skipOptional(const Envelope *e, const Policy *policy, const char **at, const char *end) {
  const char *ahead = *at;
  int missing = 0;
  for (;;) {
    Piece piece = nextPiece(&ahead, end);
    if (piece.kind == PIECE_FIELD && !valueOf(e, policy, &piece.field).n) missing = 1;
    if (piece.kind == PIECE_CLOSE || piece.kind == PIECE_END) break;
  }
  if (missing) *at = ahead;
  return missing;
}

static void fillTemplate(Cmd *c, const Envelope *e, const Policy *policy, PolicyChoice *choice) {
  const char *at = policy->keyTemplate.z, *end = at + policy->keyTemplate.n;
  char *problem;
  sqlite3_str *key;
  int optional = 0;
  if (templateProblem(at, policy->keyTemplate.n, &problem)) {
    problem = ts_adopt(c, problem);
    /* An unchecked row; nested brackets would be searched again and again. */
    ts_fail(c, SQLITE_CORRUPT_VTAB, "policy '%.*s' (row %lld): %s; correct it or set enabled = 0",
            shown(policy->name), policy->name.z, policy->id, problem ? problem : "");
    return;
  }
  key = sqlite3_str_new(c->db);
  for (;;) {
    Piece piece = nextPiece(&at, end);
    if (piece.kind == PIECE_END || c->rc != SQLITE_OK) break;
    if (piece.kind == PIECE_TEXT) ts_append(key, piece.text);
    if (piece.kind == PIECE_OPEN) optional = !skipOptional(e, policy, &at, end);
    if (piece.kind == PIECE_CLOSE) optional = 0;
    if (piece.kind == PIECE_FIELD) {
      Text value = valueOf(e, policy, &piece.field);
      const char *problem = value.z ? ts_key_append(key, value.z, value.n) : "is not given";
      if (problem) {
        ts_fail(c, SQLITE_ERROR, "policy '%.*s' makes its key with {%.*s}, which %s",
                policy->name.n, policy->name.z, piece.text.n, piece.text.z, problem);
      }
      if (!optional && ts_text_is(piece.field.name, "entity_id")) choice->namesEntity = 1;
      if (!optional && !piece.field.ofPrincipal &&
          (ts_text_is(piece.field.name, "sender_id") || ts_text_is(piece.field.name, "peer_id"))) {
        choice->namesSender = 1;
      }
    }
  }
  choice->key = ts_finish(c, key);
  if (choice->key.n > TURNSTILE_MAX_LABEL) {
    ts_fail(c, SQLITE_ERROR,
            "the key of policy '%.*s' would be %d bytes long; a label has at most %d",
            policy->name.n, policy->name.z, choice->key.n, TURNSTILE_MAX_LABEL);
  } else if (c->rc == SQLITE_OK && choice->key.n == 0) {
    ts_fail(c, SQLITE_ERROR, "the key of policy '%.*s' is empty", policy->name.n, policy->name.z);
  } else if (c->rc == SQLITE_OK && textProblem(choice->key.z, choice->key.n)) {
    /* An unchecked template. */
    ts_fail(c, SQLITE_ERROR, "the key of policy '%.*s' %s", policy->name.n, policy->name.z,
            textProblem(choice->key.z, choice->key.n));
  }
}

static void failWrong(Cmd *c, const Policy *policy) {
  char *problem = policy->wrong == WRONG_LENGTH
                      ? ts_printf(c, "is longer than %d bytes", MATCH_BYTES)
                      : ts_printf(c, "is not a JSON object of conditions");
  ts_fail(c, SQLITE_CORRUPT_VTAB,
          "policy '%.*s' (row %lld): its match %s; correct it or set enabled = 0",
          shown(policy->name), policy->name.z, policy->id, problem ? problem : "");
}

/* No policy matches. */
static void failNone(Cmd *c, const struct Router *r, const Envelope *e) {
  const Policy *last = (const Policy *)r->policies.items + r->policies.n - 1;
  const Condition *k;
  if (r->isCut) {
    ts_fail(
        c, SQLITE_TOOBIG,
        "no row of session_policies that was looked at matches this envelope, and there are more: "
        "more than %d rows that are enabled, conditions with more than %d values, or more than %d "
        "bytes",
        POLICIES_MAX, VALUES_MAX, TEXTS_MAX);
    return;
  }
  if (r->policies.n == 0) {
    ts_fail(c, SQLITE_ERROR,
            "session_policies has no row that is enabled; it needs one that matches");
    return;
  }
  k = unmet(r, last, e);
  ts_fail(
      c, SQLITE_ERROR,
      "no row of session_policies matches this envelope; the last one, '%.*s', does not because "
      "%s",
      last->name.n, last->name.z, reason(c, r, k, factOf(e, k->ofPrincipal, k->field)).z);
}

void ts_policy_choose(Cmd *c, const Envelope *e, int explain, PolicyChoice *choice) {
  struct Router *r = loadRouter(c);
  memset(choice, 0, sizeof(*choice));
  if (!r) return;
  for (int i = 0; i < r->policies.n; i++) {
    const Policy *policy = (const Policy *)r->policies.items + i;
    const Condition *k = unmet(r, policy, e);
    choice->asked++;
    if (policy->wrong) {
      failWrong(c, policy);
      return;
    }
    if (!k) {
      /* Copies: the next call may reload the policies. */
      choice->policy = ts_copy(c, policy->name.z, policy->name.n);
      if (policy->persona.z) choice->persona = ts_copy(c, policy->persona.z, policy->persona.n);
      fillTemplate(c, e, policy, choice);
      return;
    }
    if (!explain || choice->nPassed == TS_MAX_PASSED_OVER) continue;
    choice->passed[choice->nPassed++] =
        (PassedOver){ts_copy(c, policy->name.z, policy->name.n),
                     reason(c, r, k, factOf(e, k->ofPrincipal, k->field))};
  }
  failNone(c, r, e);
}

/* The same for a persona, which may be NULL. It must be valid as a part of a key. */
static int personaProblem(sqlite3_value *persona, char **problem) {
  const char *z = (const char *)sqlite3_value_text(persona), *text;
  int n = sqlite3_value_bytes(persona);
  if (!z) return sqlite3_value_type(persona) != SQLITE_NULL;
  if (n == 0) {
    return says(problem, sqlite3_mprintf("persona_id is empty; NULL means no persona"));
  }
  if (n > TURNSTILE_MAX_NAME) {
    return says(problem, sqlite3_mprintf("persona_id is %d bytes long; at most %d are allowed", n,
                                         TURNSTILE_MAX_NAME));
  }
  text = textProblem(z, n);
  return text ? says(problem, sqlite3_mprintf("persona_id %s", text)) : 0;
}

int ts_policy_problem(sqlite3_value *keyTemplate, sqlite3_value *persona, char **problem) {
  const char *z = (const char *)sqlite3_value_text(keyTemplate), *text;
  int n = z ? sqlite3_value_bytes(keyTemplate) : 0;
  *problem = NULL;
  if (!z) return sqlite3_value_type(keyTemplate) != SQLITE_NULL;
  if (templateProblem(z, n, problem)) return 1;
  text = textProblem(z, n);
  if (text) return says(problem, sqlite3_mprintf("key_template %s", text));
  return personaProblem(persona, problem);
}

const char *ts_policy_match_problem(Cmd *c, Text match) {
  const char *problem = NULL;
  Text json = match;
  Query q;
  if (c->rc != SQLITE_OK) return NULL;
  if (match.n > MATCH_BYTES) {
    return ts_printf(c, "it is %d bytes long; at most %d are allowed", match.n, MATCH_BYTES);
  }
  if (!match.z || !ts_json_minify(c, &json, TS_VALUE_DEPTH).z) {
    return c->rc == SQLITE_OK ? "it must be a JSON object" : NULL;
  }
  q = ts_query(c, SQL_POLICY_MATCH, "t", &json);
  if (ts_row(c, &q)) problem = ts_col_text(c, &q, COL_POLICY_MATCH_PROBLEM).z;
  ts_end(c, &q);
  return problem;
}

/* The same as an error of the trigger. The text is cleaned: what is stored is what was written, and
** SQLite would read it up to a NUL. */
static void checkMatch(sqlite3_context *ctx, Conn *conn, sqlite3_value *match) {
  const char *problem;
  Text t = {NULL, 0};
  Cmd c;
  ts_cmd_init(&c, conn, ts_target_used(conn), "session_policies.match");
  if (sqlite3_value_type(match) == SQLITE_TEXT) {
    t.z = (const char *)sqlite3_value_text(match);
    t.n = sqlite3_value_bytes(match);
    if (!t.z) ts_fail_nomem(&c);
    t = ts_clean(&c, t);
  }
  problem = ts_policy_match_problem(&c, t);
  if (problem) ts_fail(&c, SQLITE_CONSTRAINT_TRIGGER, "%s", problem);
  if (c.rc != SQLITE_OK) ts_give_error(ctx, &c);
  ts_cmd_clear(&c);
}

/* turnstile_policy_check(key_template, persona_id, match): called by the triggers on session_policies,
** with NULLs when a row goes. */
static void policyCheck(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  char *problem, *full;
  (void)argc;
  conn->policiesTouched = 1;
  /* No template: a row is deleted. For other changes NOT NULL refuses it. */
  if (!ts_policy_problem(argv[0], argv[1], &problem)) {
    if (sqlite3_value_type(argv[0]) != SQLITE_NULL) checkMatch(ctx, conn, argv[2]);
    return;
  }
  full = problem ? sqlite3_mprintf("session_policies: %s", problem) : NULL;
  sqlite3_free(problem);
  if (full) {
    ts_utf8_mend(full);
    sqlite3_result_error(ctx, full, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(full);
}

int ts_policy_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"turnstile_policy_check", 3, SQLITE_INNOCUOUS, policyCheck},
  };
  ts_conn_owner(conn, freeKept);
  return ts_functions_register(conn, functions, 1);
}
