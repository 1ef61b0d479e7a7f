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

/* Notes that a literal of a rule occurs which is not tied to a place. */
static void noteDue(RuleSet *set, int index) {
  Progress *now = &set->progress[index];
  if (now->due == set->stamp) return;
  now->due = set->stamp;
  set->due[set->nDue++] = index;
}

/* A literal that could stand at a place. */
typedef struct Candidate {
  unsigned long long head; /* see Waiting */
  int at, first;           /* where, and the first of its slot */
  unsigned key;
  unsigned char table, nHead;
} Candidate;

/* The text that is being scanned, and what is still to be looked up. A place can hold 24, a literal of each length in
** each of three tables. */
#define CANDIDATES 64
#define OF_A_PLACE 24
typedef struct Scan {
  const char *text;
  const unsigned char *folded;
  int n;
  unsigned stateBit;
  int nCandidates;
  Candidate candidates[CANDIDATES];
} Scan;

/* A literal of a rule stands at a place: runs the rule, or marks it. */
static int tryRef(RuleSet *set, const Scan *s, const Ref *ref, int at, int end, char *err,
                  int nErr) {
  int index = ref->rule;
  if ((ref->states & s->stateBit) == 0) return SQLITE_OK;
  if (ref->kind == LITERALS_WITHIN) {
    noteDue(set, index);
    return SQLITE_OK;
  }
  if (!ts_literal_goes_on(set, ref->follows, s->folded + end)) return SQLITE_OK;
  if (!isPossiblePlace(ref->place, (const unsigned char *)s->text, at)) return SQLITE_OK;
  if (!ts_literal_can_end(ref->end, s->folded + end)) return SQLITE_OK;
  if (isDone(set, index)) return SQLITE_OK;
  if (ref->isExact && set->nLeftOut == 0 && isSureMatch(ref, s->folded, s->n, at, end)) {
    noteHit(set, index);
    return SQLITE_OK;
  }
  if (!ts_rule_has_needs(set, index)) return SQLITE_OK;
  return runAt(set, index, s->text, s->n, at, s->stateBit, err, nErr);
}

static int tryCandidate(RuleSet *set, const Scan *s, const Candidate *c, char *err, int nErr) {
  const unsigned char *p = s->folded + c->at;
  for (int w = c->first; w >= 0; w = set->waiting[w].next) {
    const Waiting *lit = &set->waiting[w];
    int rc = SQLITE_OK;
    if (!ts_literal_stands(set, lit, c->table, p, c->head, c->nHead, s->n - c->at)) continue;
    for (int r = lit->firstRef; r >= 0 && rc == SQLITE_OK; r = set->refs[r].next)
      rc = tryRef(set, s, &set->refs[r], c->at, c->at + lit->n, err, nErr);
    if (rc != SQLITE_OK) return rc;
  }
  return SQLITE_OK;
}

/* Looks the candidates up, in steps, so that the memory of one is fetched while another is looked at. */
static int tryCandidates(RuleSet *set, Scan *s, char *err, int nErr) {
  int rc = SQLITE_OK;
  for (int i = 0; i < s->nCandidates; i++) {
    Candidate *c = &s->candidates[i];
    c->first = set->slot[c->key % SLOTS];
    if (c->first >= 0) __builtin_prefetch(&set->waiting[c->first]);
  }
  for (int i = 0; i < s->nCandidates && rc == SQLITE_OK; i++)
    rc = tryCandidate(set, s, &s->candidates[i], err, nErr);
  s->nCandidates = 0;
  return rc;
}

/* Notes which literals could stand at a place. */
static void noteCandidates(RuleSet *set, Scan *s, unsigned lengths, int at) {
  unsigned long long eight = ts_literal_head(s->folded + at, LITERAL_HEAD);
  for (; lengths != 0; lengths &= lengths - 1) {
    int bit = __builtin_ctz(lengths), table = bit / 8, nHead = bit % 8 + 1;
    unsigned long long head = eight & ts_literal_masks[nHead].number;
    unsigned key = ts_literal_key(table, head, nHead);
    s->candidates[s->nCandidates] =
        (Candidate){head, at, -1, key, (unsigned char)table, (unsigned char)nHead};
    __builtin_prefetch(&set->slot[key % SLOTS]);
    s->nCandidates += (int)ts_literal_may_be(set, key);
  }
}

/* ---- From place to place ----------------------------------------------------------------------------- */

#define TABLES_WITHIN TABLE_BITS(ANYWHERE)
#define TABLES_OF_WORD (TABLES_WITHIN | TABLE_BITS(AT_WORD))
#define TABLES_OF_LINE (TABLES_OF_WORD | TABLE_BITS(AT_LINE))

static int scan(RuleSet *set, const Walk *w, char *err, int nErr) {
  const unsigned char *p = (const unsigned char *)w->folded;
  Scan s;
  unsigned tables = TABLES_OF_LINE;
  s.text = w->text;
  s.folded = p;
  s.n = w->n;
  s.stateBit = w->stateBit;
  s.nCandidates = 0;
  for (int i = 0; i < w->n; i++) {
    unsigned lengths = ts_literal_lengths(set, tables, p + i);
    /* Literals begin with a character. */
    if (lengths != 0 && (p[i] & 0xC0) != 0x80) noteCandidates(set, &s, lengths, i);
    tables = ts_rule_is_ascii_letter(p[i]) ? TABLES_WITHIN : TABLES_OF_WORD;
    if (p[i] == '\n') tables = TABLES_OF_LINE;
    if (s.nCandidates > CANDIDATES - OF_A_PLACE) {
      int rc = tryCandidates(set, &s, err, nErr);
      if (rc != SQLITE_OK) return rc;
    }
  }
  return tryCandidates(set, &s, err, nErr);
}

/* The same without the table: every rule, at every place. */
static int scanAll(RuleSet *set, const char *text, int n, unsigned stateBit, char *err, int nErr) {
  for (int i = 0; i < set->nRules; i++) {
    for (int at = 0; at < n && set->rules[i].kind == LITERALS_AT_START; at++) {
      int rc;
      if (((unsigned char)text[at] & 0xC0) == 0x80) continue;
      rc = runAt(set, i, text, n, at, stateBit, err, nErr);
      if (rc != SQLITE_OK) return rc;
    }
  }
  return SQLITE_OK;
}

/* Runs a rule that is not tied to a place. */
static int runLoose(RuleSet *set, const Walk *w, int index, char *err, int nErr) {
  Rule *rule = &set->rules[index];
  int rc;
  if ((rule->states & w->stateBit) == 0 || !ts_rule_has_needs(set, index)) return SQLITE_OK;
  rc = ts_rule_try(set, rule, w->text, w->n, 0, 0, err, nErr);
  if (rc < 0) return -rc;
  if (rc > 0) noteHit(set, index);
  return SQLITE_OK;
}

int ts_rules_scan(RuleSet *set, const Walk *w, char *err, int nErr) {
  int rc, nLoose = set->triesAll ? set->nLoose : set->nAlways;
  set->nDue = 0;
  rc =
      set->triesAll ? scanAll(set, w->text, w->n, w->stateBit, err, nErr) : scan(set, w, err, nErr);
  for (int i = 0; i < nLoose && rc == SQLITE_OK; i++)
    rc = runLoose(set, w, set->loose[i], err, nErr);
  for (int i = 0; i < set->nDue && rc == SQLITE_OK; i++)
    rc = runLoose(set, w, set->due[i], err, nErr);
  return rc;
}
