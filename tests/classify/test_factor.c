/*
** test_factor.c - a pattern that is told apart by first letters matches where the one did that was written.
*/
#define _POSIX_C_SOURCE 200809L /* scandir */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "factor.h"
#include "load_rules.h"
#include "tap.h"

#include <pcre2.h>

static const struct {
  const char *pattern, *factored; /* NULL: left alone */
} cases[] = {
    {"(?:add|adjust|all|build|bump|cut)", "(?:a(?:dd|djust|ll)|b(?:uild|ump)|cut)"},
    {"add|build|cut|align|drop|end|a", "a(?:dd|lign|)|build|cut|drop|end"},
    {"^(?:a|b|c|d|e|f)$", 0},
    {"(?:aa|ab|ac)", 0}, /* too few to be worth it */
    {"(?:x(?:aa|ab|b|c|d|e)y|z){2,3}?", "(?:x(?:a(?:a|b)|b|c|d|e)y|z){2,3}?"},
    {"(?:aa|ab|ac|ad|ae|af|ag)", "(?:a(?:a|b|c|d|e|f|g))"},
    {"(?:aba|abb|abc|abd|abe|abf|ac)", "(?:a(?:b(?:a|b|c|d|e|f)|c))"},
    {"(?:a?b|ac|ad|b|c|d)", "(?:a?b|a(?:c|d)|b|c|d)"},
    {"(?:ä1|ä2|ö|ü|ß|é)", "(?:ä(?:1|2)|ö|ü|ß|é)"},
    {"(?:[ab]|a1|a2|\\w|.|^a)", "(?:[ab]|a(?:1|2)|\\w|.|^a)"},
    {"(?:a1|a2|\\(|\\||[|)]|b)", "(?:a(?:1|2)|\\(|\\||[|)]|b)"},
    {"(?=a1|a2|b|c|d|e)", "(?=a(?:1|2)|b|c|d|e)"},
    {"(?!a1|a2|b|c|d|e)x", "(?!a(?:1|2)|b|c|d|e)x"},
    {"(?<=a1|a2|b1|c1|d1|e1)x", 0},
    {"(?:a1|a2|b|c|d|e)(?<!a1|a2|b0|c0|d0|e0)", "(?:a(?:1|2)|b|c|d|e)(?<!a1|a2|b0|c0|d0|e0)"},
    {"(a1|a2|b|c|d|e)", 0},
    {"(?>a1|a2|b|c|d|e)", 0},
    {"(?:a1|a2|b|c|d|e)++", 0},
    {"(?:a1|a2|b|c|d|e)x*+", 0},
    {"(?i:a1|a2|b|c|d|e)", 0},
    {"(?|a1|a2|b|c|d|e)", 0},
    {"(?:a1|a2|b|c|d|e)\\1", 0},
    {"(?:a1|a2|b|c|d|e)\\Kx", 0},
    {"\\Q(?:a1|a2|b|c|d|e)", 0},
    {"(?:a1|a2|b|c|d|e", 0},
    {"(?:a1|a2|b|c|d|e))", 0},
    {"(?:a1|a2|b|c|d|e){", 0},
    {"(?:a1|a2|b|c|d|[e)", 0},
    {"(?:a1|a2|b|c|d|[[:alpha:]])", 0},
    {"(?:a1|a2|b|c|d|e)\\", 0},
    /* Each escape and each class is one piece, whatever stands in it. */
    {"(?:a1|a2|\\p{L}|b|c|d)", "(?:a(?:1|2)|\\p{L}|b|c|d)"},
    {"(?:a1|a2|x\\p{L|}|\\P{Lu}+|c|d)", "(?:a(?:1|2)|x\\p{L|}|\\P{Lu}+|c|d)"},
    {"(?:a1|a2|\\pL|b|c|d)", 0},
    {"(?:a1|a2|\\PL|b|c|d)", 0},
    {"a1|a2|b|c|d|\\p{", 0},
    {"a1|a2|b|c|d|\\p{}", "a(?:1|2)|b|c|d|\\p{}"},
    {"a1|a2|b|c|d|\\p{L", 0},
    {"(?:a1|a2|\\p{L|b|c|d)", 0},
    {"(?:a1|a2|\\N|b|c|d)", 0},
    {"(?:a1|a2|\\x41|b|c|d)", 0},
    {"(?:a1|a2|\\ä|b|c|d)", 0},
    {"(?:a1|a2|[]|]|[^]|]|[^|]|[\\]|])", "(?:a(?:1|2)|[]|]|[^]|]|[^|]|[\\]|])"},
    {"(?:a1|a2|b|c|d|[|)", 0},
    {"(?:a1|a2|b|c|d|[\\", 0},
    /* Quantifiers: of a piece that repeats the letter does not stand alone. */
    {"(?:a1|a2|a{2}|a{1,}?|a*|a+|a?)", "(?:a(?:1|2)|a{2}|a{1,}?|a*|a+|a?)"},
    {"(?:a1|a2|b{2|c|d|e)", 0},
    {"(?:a1|a2|b{,2}|c|d|e)", 0},
    {"(?:a1|a2|b{x}|c|d|e)", 0},
    {"(?:a1|a2|b{2}+|c|d|e)", 0},
    {"a1|a2|b|c|d|e{", 0},
    {"a1|a2|b|c|d|e{1", 0},
    {"a1|a2|b|c|d|e{1}", "a(?:1|2)|b|c|d|e{1}"},
    {"a1|a2|b|c|d|?", 0},
    /* Groups. */
    {"a1|a2|b|c|d|(?", 0},
    {"a1|a2|b|c|d|(?:", 0},
    {"a1|a2|b|c|d|(?:)", "a(?:1|2)|b|c|d|(?:)"},
    {"a1|a2|b|c|d|(?<", 0},
    {"a1|a2|b|c|d|(?<=", 0},
    {"a1|a2|b|c|d|(?<n>x)", 0},
    {"a1|a2|b|c|d|(?<=x)y", "a(?:1|2)|b|c|d|(?<=x)y"},
    {"a1|a2|b|c|d|(?:x|y)z", "a(?:1|2)|b|c|d|(?:x|y)z"},
    {"a1|a2|b|c|d|(?#x)", 0},
    {"", 0},
};

static void testCases(void) {
  char out[TS_FACTOR_MAX + 1];
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    int n = ts_factor(cases[i].pattern, (int)strlen(cases[i].pattern), out);
    out[n] = 0;
    CHECK_STR(tap_name("factored: %s", cases[i].pattern), out,
              cases[i].factored ? cases[i].factored : "");
  }
}

/* Patterns of stones that grow without an end, or beyond what is kept. */
static void testSizes(void) {
  static char pattern[TS_FACTOR_MAX + 20], out[TS_FACTOR_MAX];
  int n = 0;
  while (n + 3 <= TS_FACTOR_MAX)
    n += snprintf(pattern + n, 4, "%c%c|", 'a' + n % 26, 'a' + n % 19);
  pattern[n - 1] = 'z';
  CHECK("long ones that shrink", ts_factor(pattern, n, out) > 0);
  CHECK_INT("too long", ts_factor(pattern, TS_FACTOR_MAX + 1, out), 0);
  memset(pattern, '|', TS_FACTOR_MAX);
  CHECK_INT("nothing but bars", ts_factor(pattern, TS_FACTOR_MAX, out), 0);
  for (n = 0; n + 3 <= TS_FACTOR_MAX; n += 3)
    memcpy(pattern + n, "(?:", 3);
  CHECK_INT("groups that do not end", ts_factor(pattern, n, out), 0);
  for (n = 0; n + 6 <= TS_FACTOR_MAX; n += 6)
    snprintf(pattern + n, 7, "%c%c%c|q|", 'a' + n / 6 % 26, 'a' + n / 156, 'z');
  CHECK("bars and twins", ts_factor(pattern, n, out) > 0);
}

/* ---- The rules --------------------------------------------------------------------------------- */

static unsigned seed = 4711;

static unsigned dice(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static pcre2_code *compiled(const char *pattern, int n) {
  int code;
  PCRE2_SIZE at;
  return pcre2_compile((PCRE2_SPTR)pattern, (PCRE2_SIZE)n,
                       PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_MULTILINE | PCRE2_ANCHORED,
                       &code, &at, 0);
}

/* A text of scraps of the pattern, which comes close to matching. */
static int scraps(const char *pattern, int nPattern, char *text, int room) {
  int n = 0;
  while (n < room - 20) {
    int at = (int)dice((unsigned)nPattern), len = 1 + (int)dice(14);
    for (int k = at; k < nPattern && k < at + len; k++)
      if ((unsigned char)pattern[k] < 0x80 && !strchr("()?:|*+\\[]{}", pattern[k]))
        text[n++] = pattern[k];
    text[n++] = ", \n ."[dice(5)];
  }
  return n;
}

/* Does the one match at each place where the other does? */
static int agree(const pcre2_code *one, const pcre2_code *other, const char *text, int n,
                 int *nMatches) {
  pcre2_match_data *data = pcre2_match_data_create(1, 0);
  int same = data != 0;
  for (int at = 0; at < n && same; at++) {
    int a = pcre2_match(one, (PCRE2_SPTR)text, (PCRE2_SIZE)n, (PCRE2_SIZE)at, 0, data, 0);
    int b = pcre2_match(other, (PCRE2_SPTR)text, (PCRE2_SIZE)n, (PCRE2_SIZE)at, 0, data, 0);
    same = (a >= 0) == (b >= 0);
    *nMatches += a >= 0;
  }
  pcre2_match_data_free(data);
  return same;
}

static int compareRule(const Rule *rule, int *nMatches) {
  char out[TS_FACTOR_MAX], text[160];
  int n = ts_factor(rule->pattern, rule->nPattern, out), same = 1;
  pcre2_code *one, *other;
  if (n == 0) return 0;
  one = compiled(rule->pattern, rule->nPattern);
  other = compiled(out, n);
  CHECK(tap_name("compiles: %.60s", rule->pattern), one != 0 && other != 0);
  for (int round = 0; round < 40 && same && one && other; round++)
    same = agree(one, other, text, scraps(rule->pattern, rule->nPattern, text, sizeof(text)),
                 nMatches);
  CHECK(tap_name("same places: %.60s", rule->pattern), same);
  pcre2_code_free(one);
  pcre2_code_free(other);
  return 1;
}

static void testRules(void) {
  sqlite3 *db = open_rules();
  RuleSet *rules;
  int nFactored = 0, nMatches = 0;
  load_all_rules(db, "sql/rules");
  rules = build_rules(db);
  for (int i = 0; i < ts_rules_count(rules); i++)
    nFactored += compareRule(ts_rules_get(rules, i), &nMatches);
  CHECK("many rules are told apart", nFactored > 200);
  CHECK("and some texts match", nMatches > 5000);
  ts_rules_free(rules);
  sqlite3_close(db);
}

int main(void) {
  testCases();
  testSizes();
  testRules();
  return tap_done("factor");
}
