/*
** rule_run.c - runs one rule at a place, within its limits.
**
** The second run of a rule makes a JIT program for it, from a pattern whose alternatives are told apart by their first
** letters (factor.c); short-lived connections thus never pay for the compiler. Without JIT everything works the same,
** slower (but for atomic groups, on which JIT and interpreter of PCRE2 10.42 can differ). JIT runs on a stack of its own of 1 MiB, and where that overflows the interpreter takes over under the same
** limits. A rule for which the engine says neither "match" nor "no match" is left out of that match and named in its
** result.
*/
#include "rule_set.h"

#include "factor.h"
#include "utf8.h"

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define JIT_STACK_START ((size_t)32 * 1024)
#define JIT_STACK_MAX ((size_t)1024 * 1024)
#define JIT_AFTER 2      /* runs of a rule before a JIT program is made */
#define TRIES_MAX 100000 /* of all rules together on one text */
#define WORK_WATCHED                                                                               \
  64 /* so many tries, or KiB of machine code, and the watching function is asked */

/* Lets a rule be one that is quicker and finds the same, if there is one. Of a unit it counts which text it
** matches, so that it stays as it is. */
static void factor(RuleSet *set, Rule *rule) {
  char pattern[TS_FACTOR_MAX];
  pcre2_code *code = 0;
  int n = ts_rule_is_unit(rule) ? 0 : ts_factor(rule->pattern, rule->nPattern, pattern);
  if (n == 0 || ts_rule_compile_as(set, rule, pattern, n, &code, 0, 0) != SQLITE_OK) return;
  pcre2_code_free(rule->code);
  rule->code = code;
  rule->nCompiled = ts_rule_size(code);
}

/* Tries to make a JIT program. Failing is fine: the interpreter does the same. The size is known only
** afterwards, so the last program may go beyond the budget; it can't be much, a rule being small. */
static void makeJit(RuleSet *set, Rule *rule) {
  size_t n = 0;
  if (set->nJit >= TS_RULES_MAX_JIT) return;
  if (set->stack == 0) {
    set->stack = pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MAX, set->general);
    if (set->stack == 0) {
      set->jitIsOff = 1;
      return;
    }
    pcre2_jit_stack_assign(set->match, 0, set->stack);
  }
  factor(set, rule);
  rule->isJit = pcre2_jit_compile(rule->code, PCRE2_JIT_COMPLETE) == 0;
  if (pcre2_pattern_info(rule->code, PCRE2_INFO_JITSIZE, &n) != 0) n = 0;
  if (n < (size_t)rule->nCompiled) n = (size_t)rule->nCompiled; /* to give up was work, too */
  set->nJit += n;
  set->sinceAsked += (int)(n / 1024);
}

/* Runs one rule at an offset. Returns 1 and the end of the match, 0, or a negative PCRE2 code. */
static int runRule(RuleSet *set, Rule *rule, const char *text, int n, int from, int *end) {
  int rc = PCRE2_ERROR_JIT_BADOPTION;
  if (rule->uses < JIT_AFTER && ++rule->uses == JIT_AFTER && !set->jitIsOff) makeJit(set, rule);
  if (rule->isJit)
    rc = pcre2_jit_match(rule->code, (PCRE2_SPTR)text, (PCRE2_SIZE)n, (PCRE2_SIZE)from, 0,
                         set->data, set->match);
  if (rc == PCRE2_ERROR_JIT_BADOPTION || rc == PCRE2_ERROR_JIT_STACKLIMIT)
    rc = pcre2_match(rule->code, (PCRE2_SPTR)text, (PCRE2_SIZE)n, (PCRE2_SIZE)from,
                     PCRE2_NO_JIT | set->known, set->data, set->match);
  if (rc == PCRE2_ERROR_NOMATCH) return 0;
  if (rc < 0) return rc;
  if (end != 0) *end = (int)pcre2_get_ovector_pointer(set->data)[1];
  return 1;
}

/* Leaves a rule out of the current match, for all of its places. */
static void leaveOut(RuleSet *set, Rule *rule, const char *why, char *err, int nErr) {
  rule->failed = set->stamp;
  if (set->nLeftOut++ == 0)
    ts_rules_error(err, nErr, "rule %lld (%.*s): %s", rule->id,
                   ts_utf8_cut(rule->pattern, (int)strlen(rule->pattern), 100), rule->pattern, why);
}

/* Compiles a rule that was added without. What they compile to has a budget of its own, as what is added
** must not depend on which rules have been run. */
static int compileLate(RuleSet *set, Rule *rule, char *err, int nErr) {
  char why[200];
  int rc = SQLITE_ERROR;
  pcre2_code *code = 0;
  ts_rules_error(why, (int)sizeof(why), "the rules before it take all of %d bytes",
                 TS_RULES_MAX_LATE);
  if (set->nLate < TS_RULES_MAX_LATE)
    rc = ts_rule_compile_as(set, rule, rule->pattern, rule->nPattern, &code, why, (int)sizeof(why));
  if (rc == SQLITE_OK) {
    rule->code = code;
    rule->nCompiled = ts_rule_size(code);
    set->nLate += rule->nCompiled;
  }
  if (rc == SQLITE_ERROR) leaveOut(set, rule, why, err, nErr);
  return rc;
}

/* Tries a rule at an offset. 1 and the end of the match; 0 also when it is left out; else minus a
** result code. */
int ts_rule_try(RuleSet *set, Rule *rule, const char *text, int n, int from, int *end, char *err,
                int nErr) {
  PCRE2_UCHAR why[160];
  int rc;
  if (rule->failed == set->stamp || rule->isList) return 0;
  if (++set->tries > TRIES_MAX) {
    leaveOut(set, rule, "the text has been tried with other rules too often", err, nErr);
    return 0;
  }
  if (++set->sinceAsked >= WORK_WATCHED) {
    set->sinceAsked = 0;
    if (set->isOver && set->isOver(set->watchArg)) return -SQLITE_INTERRUPT;
  }
  if (rule->code == 0) {
    rc = compileLate(set, rule, err, nErr);
    if (rc != SQLITE_OK) return rc == SQLITE_NOMEM ? -rc : 0;
  }
  rc = runRule(set, rule, text, n, from, end);
  if (rc >= 0) return rc;
  if (rc == PCRE2_ERROR_NOMEMORY) return -SQLITE_NOMEM;
  if (pcre2_get_error_message(rc, why, sizeof(why)) < 0) why[0] = 0;
  leaveOut(set, rule, (const char *)why, err, nErr);
  return 0;
}
