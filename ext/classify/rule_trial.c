/*
** rule_trial.c - tries a pattern before it is taken: on texts that are hard for patterns it has to stay within its
** limits. That proves nothing, and a file can hold rules that nobody has checked, which is why the limits hold for every
** match.
*/
#include "rule_set.h"

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define PROBE_BYTES 320 /* of a text made of one character: enough for what grows with a square */

/* Runs the only rule of a set over a text that repeats a piece and ends in what else the pattern could
** want: at every character of the first piece. */
static int probe(RuleSet *set, const char *piece, int nPiece, char *err, int nErr) {
  const Rule *rule = &set->rules[0];
  char text[PROBE_BYTES + 2 + TS_RULE_MAX_PATTERN];
  int n = 0;
  if (nPiece == 1) {
    n = PROBE_BYTES;
    memset(text, piece[0], PROBE_BYTES);
  }
  for (; n + nPiece <= PROBE_BYTES; n += nPiece)
    memcpy(text + n, piece, (size_t)nPiece);
  text[n] = 1; /* what hardly a pattern asks for */
  text[n + 1] = '\n';
  memcpy(text + n + 2, rule->pattern, (size_t)rule->nPattern);
  n += 2 + rule->nPattern;
  set->tries = set->nLeftOut = 0;
  set->stamp++;
  for (int at = 0; at < nPiece; at++) {
    int rc;
    if (((unsigned char)piece[at] & 0xC0) == 0x80) continue;
    rc = ts_rule_try(set, &set->rules[0], text, n, at, 0, 0, 0);
    if (rc < 0) return -rc;
    if (set->nLeftOut == 0) continue;
    ts_rules_error(
        err, nErr,
        "pattern: it goes beyond its limits on a text of %d bytes, \"%.*s…\"; bound what "
        "repeats, and what repeats within it",
        n, nPiece > 2 ? nPiece : nPiece * 3, text);
    return SQLITE_ERROR;
  }
  return SQLITE_OK;
}

/* Texts that are hard for patterns: long ones of few different characters, and those that the pattern
** itself is made of. */
static int probeAll(RuleSet *set, const char *pattern, int n, char *err, int nErr) {
  static const char *const pieces[] = {"a",  " ",      "0",        "\n",       "ok ",
                                       "1.", "a, b; ", "aA0 _-\n", "\xC3\xA9", "\xE5\xA5\xBD"};
  unsigned char seen[256] = {0};
  int rc = SQLITE_OK;
  for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]) && rc == SQLITE_OK; i++)
    rc = probe(set, pieces[i], (int)strlen(pieces[i]), err, nErr);
  for (int i = 0; i < n && rc == SQLITE_OK; i++) {
    unsigned char ch = (unsigned char)pattern[i];
    if (ch >= ' ' && ch < 0x7F && !seen[ch]++) rc = probe(set, pattern + i, 1, err, nErr);
  }
  return rc;
}

/* The rule in a set of its own, as one of this class. */
static int checkAs(const char *cls, const char *pattern, int n, char *err, int nErr) {
  RuleSet *set = 0;
  RuleRow row;
  int rc = ts_rules_new(&set);
  memset(&row, 0, sizeof(row));
  row.cls = cls;
  row.nCls = (int)strlen(cls);
  row.pattern = pattern;
  row.nPattern = n;
  if (rc == SQLITE_OK) {
    set->jitIsOff = 1; /* machine code has the same limits, and costs more to make */
    set->known = PCRE2_NO_UTF_CHECK;
    rc = ts_rules_add(set, &row, err, nErr);
  }
  if (rc == SQLITE_OK) rc = ts_rules_finish(set);
  if (rc == SQLITE_OK) rc = probeAll(set, pattern, n, err, nErr);
  ts_rules_free(set);
  return rc;
}

/* Compiles a pattern by itself, to learn the offset of a mistake. */
static int compileAlone(const char *pattern, int n, int *nCompiled, int *offset, char *err,
                        int nErr) {
  int rc = SQLITE_NOMEM, size;
  pcre2_code *code = 0;
  pcre2_compile_context *context = 0;
  pcre2_general_context *general = ts_rules_engine();
  if (general != 0) context = ts_rules_compiler(general);
  if (context != 0)
    rc = ts_pattern_compile(context, pattern, n, PCRE2_MATCH_INVALID_UTF, &code, offset, err, nErr);
  size = code ? ts_rule_size(code) : 0;
  if (rc == SQLITE_OK) rc = ts_rule_fits(size, err, nErr);
  if (nCompiled) *nCompiled = size;
  pcre2_code_free(code);
  pcre2_compile_context_free(context);
  pcre2_general_context_free(general);
  return rc;
}

static int tryPattern(const char *pattern, int n, char *err, int nErr) {
  int rc = checkAs("Affirmation", pattern, n, err, nErr);
  if (rc == SQLITE_OK) rc = checkAs("Modification", pattern, n, err, nErr);
  return rc;
}

int ts_rule_check(const char *pattern, int n, int *offset, char *err, int nErr) {
  int at = 0, rc = compileAlone(pattern, n, 0, &at, err, nErr);
  if (rc == SQLITE_OK) rc = tryPattern(pattern, n, err, nErr);
  if (offset != 0) *offset = at;
  return rc;
}

int ts_rule_compile_row(const RuleRow *row, int *nCompiled, char *err, int nErr) {
  Rule rule;
  int at = 0, rc = ts_rule_read(row, &rule, err, nErr);
  if (nCompiled != 0) *nCompiled = 0;
  if (rc != SQLITE_OK) return rc;
  return compileAlone(row->pattern, row->nPattern, nCompiled, &at, err, nErr);
}

int ts_rule_check_row(const RuleRow *row, int *nCompiled, char *err, int nErr) {
  int rc = ts_rule_compile_row(row, nCompiled, err, nErr);
  if (rc == SQLITE_OK) rc = tryPattern(row->pattern, row->nPattern, err, nErr);
  return rc;
}
