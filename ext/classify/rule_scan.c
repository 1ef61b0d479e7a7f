/*
** rule_scan.c - finds the rules that match a text, by the literals with which they begin.
**
** Every place of the folded text is looked up in the table of literals (rules.c). A rule is tried at the places where
** one of its literals stands, anchored, and only if what else it needs occurs in the text: of that the text's
** grams tell, two and four bytes each, hashed into bits.
*/
#include "rule_set.h"

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

/* ---- What a rule needs besides ----------------------------------------------------------------------- */

/* Notes what a text holds. Eight bytes behind it are readable. */
void ts_rules_read_grams(RuleSet *set, const char *folded, int n) {
  memset(set->holds, 0, sizeof(set->holds));
  set->isAsking = memchr(folded, '?', (size_t)n) != 0;
  for (int i = 0; i < n; i++) {
    unsigned two = ts_gram(folded + i, 2), four = ts_gram(folded + i, 4);
    set->holds[two / 64] |= 1ull << two % 64;
    set->holds[four / 64] |= 1ull << four % 64;
  }
}

static int holds(const RuleSet *set, unsigned gram) {
  return (int)(set->holds[gram / 64] >> gram % 64 & 1);
}

static int holdsNeeds(const RuleSet *set, const Needs *needs) {
  const unsigned short *gram = set->grams + needs->at, *end = gram + 2 * (size_t)needs->n;
  if (needs->asks && !set->isAsking) return 0;
  for (; gram < end; gram += 2)
    if (holds(set, gram[0]) && holds(set, gram[1])) return 1;
  return needs->n == 0;
}

/* Could the text hold what a rule needs besides the literal with which it begins? */
int ts_rule_has_needs(RuleSet *set, int index) {
  Progress *now = &set->progress[index];
  if (now->met == set->stamp) return 1;
  if (now->unmet == set->stamp) return 0;
  if (set->triesAll || holdsNeeds(set, &set->needs[index]))
    now->met = set->stamp;
  else
    now->unmet = set->stamp;
  return now->met == set->stamp;
}

/* ---- At one place ------------------------------------------------------------------------------------ */

/* Is it known already whether a rule matches? */
static int isDone(const RuleSet *set, int index) {
  const Progress *now = &set->progress[index];
  return now->hit == set->stamp || now->unmet == set->stamp;
}

/* Could a match begin at this place? Says yes when it cannot tell. */
static int isPossiblePlace(int place, const unsigned char *text, int at) {
  if (at == 0) return 1;
  switch (place) {
  case PLACE_TEXT: return 0;
  case PLACE_LINE: return text[at - 1] == '\n';
  case PLACE_WORD: /* between two ASCII letters there is no boundary */
    return text[at - 1] >= 0x80 || text[at] >= 0x80 || !ts_rule_is_letter(text[at - 1]) ||
           !ts_rule_is_letter(text[at]);
  default: return 1;
  }
}

/* Does a match begin at this place beyond doubt, where the first byte of a literal stands? */
static int isSurePlace(int place, const unsigned char *text, int at) {
  unsigned c = text[at];
  if (at == 0 && place != PLACE_WORD) return 1;
  switch (place) {
  case PLACE_TEXT: return 0;
  case PLACE_LINE: return text[at - 1] == '\n';
  case PLACE_WORD: /* Latin and Cyrillic letters */
    return (ts_rule_is_ascii_letter((unsigned char)c) || (c >= 0xC3 && c <= 0xC5) || c == 0xD0 ||
            c == 0xD1) &&
           (at == 0 || (text[at - 1] < 0x80 && !ts_rule_is_ascii_letter(text[at - 1])));
  default: return 1;
  }
}

/* Notes that a rule matched, keeping the hits in ascending order. */
static void noteHit(RuleSet *set, int index) {
  int i = set->nHits++;
  for (; i > 0 && set->hits[i - 1] > index; i--)
    set->hits[i] = set->hits[i - 1];
  set->hits[i] = index;
  set->progress[index].hit = set->stamp;
}

/* Is a literal of a rule, at a place of a folded text, a match without its pattern being asked? */
static int isSureMatch(const Ref *ref, const unsigned char *folded, int n, int at, int end) {
  return isSurePlace(ref->place, folded, at) &&
         ts_literal_ends_surely((LiteralEnd)ref->end, folded + end, end == n);
}

/* Tries an anchored rule at one place and notes a hit. SQLITE_OK or an error. */
static int runAt(RuleSet *set, int index, const char *text, int n, int at, unsigned stateBit,
                 char *err, int nErr) {
  Rule *rule = &set->rules[index];
  /* Two literals of one rule can stand at the same place: "never" and "never mind". */
  unsigned long long thisTry = (unsigned long long)set->stamp << 16 | (unsigned)at;
  int rc;
  if (ts_rule_is_unit(rule) || (rule->states & stateBit) == 0) return SQLITE_OK;
  if (set->progress[index].hit == set->stamp || rule->tried == thisTry) return SQLITE_OK;
  if (!isPossiblePlace(rule->place, (const unsigned char *)text, at)) return SQLITE_OK;
  rule->tried = thisTry;
  rc = ts_rule_try(set, rule, text, n, at, 0, err, nErr);
  if (rc < 0) return -rc;
  if (rc > 0) noteHit(set, index);
  return SQLITE_OK;
}

/* Looks one place of the folded text up: runs what begins there, marks what may be found. */
static int scanPlace(RuleSet *set, int table, unsigned lengths, const char *text,
                     const unsigned char *folded, int n, int at, unsigned stateBit, char *err,
                     int nErr) {
  unsigned long long eight = ts_literal_head(folded + at, LITERAL_HEAD);
  for (; lengths != 0; lengths &= lengths - 1) {
    int len = __builtin_ctz(lengths) + 1;
    unsigned long long head = eight & ts_literal_masks[len].number;
    for (int w = ts_literal_first(set, ts_literal_key(table, head, len)); w >= 0;
         w = set->waiting[w].next) {
      if (!ts_literal_stands(set, &set->waiting[w], table, folded + at, head, len, n - at))
        continue;
      for (int r = set->waiting[w].firstRef; r >= 0; r = set->refs[r].next) {
        const Ref *ref = &set->refs[r];
        int index = ref->rule, rc;
        if ((ref->states & stateBit) == 0) continue;
        if (ref->kind == LITERALS_WITHIN) {
          set->progress[index].due = set->stamp;
          continue;
        }
        if (!isPossiblePlace(ref->place, (const unsigned char *)text, at)) continue;
        if (!ts_literal_can_end(ref->end, folded + at + set->waiting[w].n)) continue;
        if (isDone(set, index)) continue;
        if (ref->isExact && set->nLeftOut == 0 &&
            isSureMatch(ref, folded, n, at, at + set->waiting[w].n)) {
          noteHit(set, index);
          continue;
        }
        if (!ts_literal_goes_on(set, ref->follows, folded + at + set->waiting[w].n)) continue;
        if (!ts_rule_has_needs(set, index)) continue;
        rc = runAt(set, index, text, n, at, stateBit, err, nErr);
        if (rc != SQLITE_OK) return rc;
      }
    }
  }
  return SQLITE_OK;
}

/* ---- From place to place ----------------------------------------------------------------------------- */

static int scan(RuleSet *set, const char *text, const char *folded, int n, unsigned stateBit,
                char *err, int nErr) {
  const unsigned char *p = (const unsigned char *)folded;
  unsigned char before = '\n';
  for (int i = 0; i < n; before = p[i++]) {
    int rc = SQLITE_OK;
    unsigned lengths;
    if ((p[i] & 0xC0) == 0x80) continue; /* literals begin with a character */
    lengths = ts_literal_lengths(set, ANYWHERE, p + i);
    if (lengths) rc = scanPlace(set, ANYWHERE, lengths, text, p, n, i, stateBit, err, nErr);
    if (rc == SQLITE_OK && !ts_rule_is_ascii_letter(before)) {
      lengths = ts_literal_lengths(set, AT_WORD, p + i);
      if (lengths) rc = scanPlace(set, AT_WORD, lengths, text, p, n, i, stateBit, err, nErr);
    }
    if (rc == SQLITE_OK && before == '\n')
      rc = scanPlace(set, AT_LINE, ts_literal_lengths(set, AT_LINE, p + i), text, p, n, i, stateBit,
                     err, nErr);
    if (rc != SQLITE_OK) return rc;
  }
  return SQLITE_OK;
}

/* The same without the table: every rule, at every place. */
static int scanAll(RuleSet *set, const char *text, int n, unsigned stateBit, char *err, int nErr) {
  for (int i = 0; i < set->nRules; i++) {
    set->progress[i].due = set->stamp;
    for (int at = 0; at < n && set->rules[i].kind == LITERALS_AT_START; at++) {
      int rc;
      if (((unsigned char)text[at] & 0xC0) == 0x80) continue;
      rc = runAt(set, i, text, n, at, stateBit, err, nErr);
      if (rc != SQLITE_OK) return rc;
    }
  }
  return SQLITE_OK;
}

/* Runs the rules that are not tied to a place, unless a literal they need is missing. */
static int runLoose(RuleSet *set, const char *text, int n, unsigned stateBit, char *err, int nErr) {
  for (int i = 0; i < set->nLoose; i++) {
    int index = set->loose[i], rc;
    Rule *rule = &set->rules[index];
    if (rule->kind == LITERALS_WITHIN && set->progress[index].due != set->stamp) continue;
    if (!ts_rule_has_needs(set, index)) continue;
    if ((rule->states & stateBit) == 0) continue;
    rc = ts_rule_try(set, rule, text, n, 0, 0, err, nErr);
    if (rc < 0) return -rc;
    if (rc > 0) noteHit(set, index);
  }
  return SQLITE_OK;
}

int ts_rules_scan(RuleSet *set, const Walk *w, char *err, int nErr) {
  int rc = set->triesAll ? scanAll(set, w->text, w->n, w->stateBit, err, nErr)
                         : scan(set, w->text, w->folded, w->n, w->stateBit, err, nErr);
  return rc == SQLITE_OK ? runLoose(set, w->text, w->n, w->stateBit, err, nErr) : rc;
}
