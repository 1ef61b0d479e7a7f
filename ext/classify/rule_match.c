/*
** rule_match.c - one match: a text is folded, its rules are looked for, and its units walked.
*/
#include "rule_set.h"

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

int ts_rules_match(RuleSet *set, const char *text, int n, TaskState state, int flags,
                   RuleMatch *out, char *err, int nErr) {
  char *folded = set->folded;
  Walk walk = {text, folded, n > TS_TEXT_MAX ? TS_TEXT_MAX : n, 1u << state, 1};
  int rc = SQLITE_OK;
  memset(out, 0, sizeof(*out));
  out->hits = set->hits;
  out->folded = folded;
  set->nHits = set->nLeftOut = set->tries = 0;
  if (n > TS_TEXT_MAX) n = TS_TEXT_MAX;
  if (++set->stamp == 0) { /* after four thousand million matches */
    memset(set->progress, 0, (size_t)set->nRules * sizeof(*set->progress));
    for (int i = 0; i < set->nRules; i++) {
      set->rules[i].failed = 0;
      set->rules[i].tried = 0;
    }
    set->stamp = 1;
  }
  /* Tidying removes the few characters that folding would shorten, so that places in both texts
  ** are the same. A text that was not tidied gets the slow way. */
  if (ts_fold(text, n, folded) != n) {
    flags |= TS_MATCH_ALL;
    memcpy(folded, text, (size_t)n);
  }
  memset(folded + n, 0, 8);
  set->triesAll = flags & TS_MATCH_ALL;
  if (!set->triesAll) ts_rules_read_grams(set, folded, n);
  if (!(flags & TS_MATCH_AFFIRMATION)) {
    rc = ts_rules_scan(set, &walk, err, nErr);
    out->nHits = set->nHits;
  }
  if (rc == SQLITE_OK) rc = ts_rules_walk_affirmations(set, &walk, &out->affirmed, err, nErr);
  walk.kinds = ~0u;
  if (rc == SQLITE_OK && (flags & TS_MATCH_COVER))
    rc = ts_rules_walk_cover(set, &walk, out, err, nErr);
  out->nLeftOut = set->nLeftOut;
  out->nTries = set->tries;
  return rc;
}
