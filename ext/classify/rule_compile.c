/*
** rule_compile.c - a row becomes a rule, and its pattern a program of PCRE2.
**
** Patterns come from strangers. Verbs, options, callouts and calls of groups are refused. What a pattern compiles to is
** limited for one and for all: a repeat in a repeat makes a short pattern long.
**
** All memory, PCRE2's too, comes from SQLite's allocator (machine code apart, which the JIT maps
** itself and which is optional).
*/
#include "rule_set.h"

#include "utf8.h"

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define NEST_LIMIT 50 /* parentheses within parentheses */

void ts_rules_error(char *err, int nErr, const char *format, ...) {
  va_list args;
  if (err == 0 || nErr <= 0) return;
  va_start(args, format);
  sqlite3_vsnprintf(nErr, err, format, args);
  va_end(args);
  ts_utf8_mend(err); /* names in it may be anything, and what was too long is cut */
}

static void *engineMalloc(PCRE2_SIZE n, void *unused) {
  (void)unused;
  return sqlite3_malloc64(n);
}

static void engineFree(void *p, void *unused) {
  (void)unused;
  sqlite3_free(p);
}

pcre2_general_context *ts_rules_engine(void) {
  return pcre2_general_context_create(engineMalloc, engineFree, 0);
}

/* ---- A pattern --------------------------------------------------------------------------------------- */

static int isDigit(char ch) {
  return ch >= '0' && ch <= '9';
}

/* Does "(?" with these n bytes behind it, of which there is one, call a group, or ask whether one is being called? */
static int callsGroup(const char *p, int n) {
  if (isDigit(p[0]) || p[0] == 'R' || p[0] == '&') return 1;
  if (n > 1 && (p[0] == '+' || p[0] == '-')) return isDigit(p[1]);
  if (n > 1 && p[0] == 'P') return p[1] == '>';
  return n > 1 && p[0] == '(' && (p[1] == 'R' || p[1] == 'D');
}

/* What is wrong with a parenthesis and the n bytes behind it, of which there is one, or NULL. */
static const char *forbiddenGroup(const char *p, int n) {
  if (p[0] == '*') {
    return "verbs and options \"(*\" are not allowed (write \\( for a parenthesis)";
  }
  if (n < 2 || p[0] != '?') return 0;
  if (p[1] == 'C') return "callouts are not allowed";
  return callsGroup(p + 1, n - 1) ? "calls of groups, such as (?R), are not allowed" : 0;
}

/* The byte offset of a construct that is not allowed, or -1. what receives its description. In doubt,
** as within a class, it is taken for what it looks like. */
static int findForbidden(const char *p, int n, const char **what) {
  int isEscaped = 0;
  *what = 0;
  for (int i = 0; i + 1 < n; i++) {
    /* \c takes the character behind it, a backslash too. */
    int takenByC = i > 2 && memcmp(p + i - 3, "\\c\\", 3) == 0;
    if (p[i] == '(' && (!isEscaped || takenByC)) *what = forbiddenGroup(p + i + 1, n - i - 1);
    if (p[i] == '\\' && !isEscaped && i + 2 < n && p[i + 1] == 'g' &&
        (p[i + 2] == '<' || p[i + 2] == '\'')) {
      *what = "calls of groups, such as \\g<1>, are not allowed";
    }
    if (*what) return i;
    isEscaped = !isEscaped && p[i] == '\\';
  }
  return -1;
}

pcre2_compile_context *ts_rules_compiler(pcre2_general_context *general) {
  pcre2_compile_context *c = pcre2_compile_context_create(general);
  if (c == 0) return 0;
  pcre2_set_parens_nest_limit(c, NEST_LIMIT);
  pcre2_set_max_pattern_length(c, TS_RULE_MAX_PATTERN);
  return c;
}

/* The bytes that a compiled pattern takes. */
int ts_rule_size(const pcre2_code *code) {
  size_t n = 0;
  return pcre2_pattern_info(code, PCRE2_INFO_SIZE, &n) == 0 ? (int)n : 0;
}

/* A compiled pattern within its budget? A short one with repeats in repeats can take the thousandfold. */
int ts_rule_fits(int size, char *err, int nErr) {
  if (size <= TS_RULE_MAX_COMPILED) return SQLITE_OK;
  ts_rules_error(
      err, nErr,
      "pattern: compiled it takes %d bytes, at most %d are allowed; let what it repeats be "
      "shorter, or repeat less often",
      size, TS_RULE_MAX_COMPILED);
  return SQLITE_ERROR;
}

/* Compiles a pattern after the checks that PCRE2 does not make. more: further options of PCRE2. */
int ts_pattern_compile(pcre2_compile_context *context, const char *pattern, int n, uint32_t more,
                       pcre2_code **out, int *offset, char *err, int nErr) {
  uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_MULTILINE |
                     PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | more;
  const char *what = 0;
  int code = 0;
  PCRE2_SIZE at = 0;
  *out = 0;
  *offset = 0;
  if (pattern == 0 || n <= 0) {
    ts_rules_error(err, nErr, "pattern is empty");
    return SQLITE_ERROR;
  }
  if (n > TS_RULE_MAX_PATTERN) {
    *offset = TS_RULE_MAX_PATTERN;
    ts_rules_error(err, nErr, "pattern has %d bytes, at most %d are allowed", n,
                   TS_RULE_MAX_PATTERN);
    return SQLITE_ERROR;
  }
  *offset = findForbidden(pattern, n, &what);
  if (*offset >= 0) {
    ts_rules_error(err, nErr, "pattern: %s at offset %d", what, *offset);
    return SQLITE_ERROR;
  }
  *offset = 0;
  *out = pcre2_compile((PCRE2_SPTR)pattern, (PCRE2_SIZE)n, options, &code, &at, context);
  if (*out == 0) {
    PCRE2_UCHAR text[160];
    /* 121: the compiler could not get memory; -48: the same from below. */
    if (code == PCRE2_ERROR_HEAP_FAILED || code == PCRE2_ERROR_NOMEMORY) return SQLITE_NOMEM;
    if (pcre2_get_error_message(code, text, sizeof(text)) < 0) text[0] = 0;
    *offset = (int)at;
    ts_rules_error(err, nErr, "pattern: %s at offset %d", (const char *)text, *offset);
    return SQLITE_ERROR;
  }
  return SQLITE_OK;
}

/* ---- A row ------------------------------------------------------------------------------------------- */

/* Reads "Running, Interrupted" into bits. Empty means every state. */
static int parseStates(const RuleRow *row, Rule *rule, char *err, int nErr) {
  const char *p = row->state, *end = p == 0 ? p : p + row->nState;
  rule->states = 0;
  rule->hasState = 0;
  while (p < end) {
    const char *start;
    int n, state;
    while (p < end && (*p == ' ' || *p == ','))
      p++;
    start = p;
    while (p < end && *p != ',')
      p++;
    n = (int)(p - start);
    while (n > 0 && start[n - 1] == ' ')
      n--;
    if (n == 0) continue;
    state = ts_state_find(&ts_task_machine, start, n);
    if (state < 0) {
      ts_rules_error(err, nErr, "state: there is no task state \"%.*s\"", ts_utf8_cut(start, n, 40),
                     start);
      return SQLITE_ERROR;
    }
    rule->states |= 1u << state;
  }
  if (rule->states != 0)
    rule->hasState = 1;
  else
    rule->states = ~0u;
  return SQLITE_OK;
}

/* The class of units called name, or CLASS_UNKNOWN. */
static int findUnit(const char *name, int n) {
  static const char *const names[UNIT_KINDS] = {"Affirmation", "Completion", "Dismissal", "Refusal",
                                                "Filler"};
  for (int i = 0; i < UNIT_KINDS && name != 0; i++) {
    if ((int)strlen(names[i]) == n && sqlite3_strnicmp(names[i], name, n) == 0)
      return RULE_AFFIRMATION + i;
  }
  return CLASS_UNKNOWN;
}

/* Everything of a row but the pattern. */
int ts_rule_read(const RuleRow *row, Rule *rule, char *err, int nErr) {
  memset(rule, 0, sizeof(*rule));
  rule->id = row->id;
  rule->weight = row->weight;
  rule->cls = ts_class_find(row->cls, row->nCls);
  if (rule->cls == CLASS_UNKNOWN) rule->cls = findUnit(row->cls, row->nCls);
  if (rule->cls == CLASS_UNKNOWN) {
    ts_rules_error(err, nErr, "class: there is no class \"%.*s\"",
                   row->cls ? ts_utf8_cut(row->cls, row->nCls, 40) : 0, row->cls ? row->cls : "");
    return SQLITE_ERROR;
  }
  /* Written so that NaN fails too. */
  if (!(row->weight >= -TS_RULE_MAX_WEIGHT && row->weight <= TS_RULE_MAX_WEIGHT)) {
    ts_rules_error(err, nErr, "weight: must lie between -%d and %d", (int)TS_RULE_MAX_WEIGHT,
                   (int)TS_RULE_MAX_WEIGHT);
    return SQLITE_ERROR;
  }
  return parseStates(row, rule, err, nErr);
}

/* ---- A rule of a set --------------------------------------------------------------------------------- */

int ts_rules_full(int nRules, long long nCompiled, char *err, int nErr) {
  if (nRules >= TS_RULE_MAX_COUNT) {
    ts_rules_error(err, nErr, "more than %d rules", TS_RULE_MAX_COUNT);
  } else if (nCompiled >= TS_RULES_MAX_COMPILED) {
    ts_rules_error(err, nErr, "compiled, the rules before it take all of %d bytes",
                   TS_RULES_MAX_COMPILED);
  } else {
    return 0;
  }
  return 1;
}

/* How a rule is compiled beside what all are: PCRE2 options. What is tried at one place needs no search. */
static uint32_t optionsOf(const RuleSet *set, const Rule *rule) {
  int isAnchored = ts_rule_is_unit(rule) || rule->kind == LITERALS_AT_START;
  return (isAnchored ? PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE : 0) |
         (set->known ? 0 : PCRE2_MATCH_INVALID_UTF);
}

/* Compiles the pattern of a rule within the budgets of the rule and of the set. One that fails has cost
** about as much as it is long. */
int ts_rule_compile(RuleSet *set, const RuleRow *row, Rule *rule, pcre2_code **code, char *err,
                    int nErr) {
  int rc, offset;
  if (row->isShipped) return SQLITE_OK;
  if (rule->isList && row->nPattern <= TS_RULE_MAX_PATTERN) {
    rule->nCompiled = row->nPattern;
    set->nCompiled += row->nPattern;
    return SQLITE_OK;
  }
  rc = ts_pattern_compile(set->compile, row->pattern, row->nPattern, optionsOf(set, rule), code,
                          &offset, err, nErr);
  rule->nCompiled = rc == SQLITE_OK ? ts_rule_size(*code) : 0;
  set->nCompiled += rc == SQLITE_OK ? rule->nCompiled : row->nPattern;
  if (rc == SQLITE_OK) rc = ts_rule_fits(rule->nCompiled, err, nErr);
  if (rc != SQLITE_OK) {
    pcre2_code_free(*code);
    *code = 0;
  }
  return rc;
}

/* Compiles a pattern for a rule of the set, unless it takes more than one may. */
int ts_rule_compile_as(const RuleSet *set, const Rule *rule, const char *pattern, int n,
                       pcre2_code **code, char *err, int nErr) {
  int offset, rc = ts_pattern_compile(set->compile, pattern, n, optionsOf(set, rule), code, &offset,
                                      err, nErr);
  if (rc == SQLITE_OK) rc = ts_rule_fits(ts_rule_size(*code), err, nErr);
  if (rc != SQLITE_OK) {
    pcre2_code_free(*code);
    *code = 0;
  }
  return rc;
}
