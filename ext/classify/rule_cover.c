/*
** rule_cover.c - walks the units of a text: "ok, perfect, danke".
**
** Rules of class Affirmation are not looked for but walked: each matches a unit of approval at a given place ("ok",
** "looks good", "thanks"), the longest wins, separators are stepped over, and the next unit is tried. How far the walk
** came is part of the answer. So "ok, perfect, danke" is understood although three packs took part. A second walk
** takes units of every kind (Completion, Dismissal, Refusal, Filler too) and tells whether they are all of a short
** text, up to one word: "thanks anyway, we don't need the whole thing any more". A unit that is one of some words,
** (?:ok|fine)\b, is found in the table of literals alone.
*/
#include "rule_set.h"

#include "utf8.h"

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define AFFIRMATION_SPAN 120 /* an approval longer than this many bytes has more to say */
#define COVER_SPAN 240       /* and so does what closes a task */
#define COVER_LEFT_OVER 2    /* halves of words that no unit need know */
#define CLAUSE_LEFT_OVER 2   /* with more of them a clause says something else, and is left */

/* A unit found by walking. */
typedef struct Unit {
  int end; /* where it began when nothing was found */
  int cls;
  unsigned langs;    /* bit 1 << language of those that know it, */
  unsigned negating; /* and of those for which it negates */
} Unit;

/* What the clause being walked holds, as bits of languages: of "no" Spanish says that it negates. */
typedef struct Clause {
  unsigned closing, negating;
  unsigned kinds; /* of its units, as in ClauseUnits */
  int ends;       /* it holds a unit that ends the task by itself */
  int nOver;      /* of its words, in halves, no unit knows so many */
} Clause;

/* ---- One unit ---------------------------------------------------------------------------------------- */

/* A unit of approval must not end within a word. Scripts without spaces have no such ends. */
static int endsWord(const char *text, int n, int end) {
  const unsigned char *p = (const unsigned char *)text;
  int len, last = end - 1;
  if (end >= n) return 1;
  if (p[end] == '\'') return 0;
  if (!ts_rule_is_letter(ts_utf8_decode(p + end, p + n, &len))) return 1;
  while (last > 0 && (p[last] & 0xC0) == 0x80)
    last--;
  return ts_utf8_decode(p + last, p + n, &len) >= 0x2E80;
}

/* Steps over what may stand between two units. A question mark may not: "ok?" asks. */
static int skipSeparators(const char *text, int n, int at) {
  const unsigned char *p = (const unsigned char *)text;
  while (at < n) {
    int len;
    unsigned c = ts_utf8_decode(p + at, p + n, &len);
    int isModifier = c == 0xFE0F || c == 0x200D || (c >= 0x1F3FB && c <= 0x1F3FF);
    if (c == '?' || (c >= 0x2010 && !isModifier && !(c >= 0x3000 && c < 0x3005)) ||
        ts_rule_is_letter(c))
      break;
    at += len;
  }
  return at;
}

/* A unit was found: does it reach as far as what is known, and end no word within? One of negative
** weight turns round what else is said in its language. */
static int takeUnit(const Rule *rule, const Walk *w, int at, int end, Unit *longest) {
  unsigned lang = 1u << rule->lang;
  if (end < longest->end || end == at || !endsWord(w->text, w->n, end)) return SQLITE_OK;
  if (end > longest->end || rule->cls < longest->cls)
    *longest = (Unit){end, rule->cls, 0, longest->end < end ? 0 : longest->negating};
  if (rule->cls == longest->cls) longest->langs |= lang;
  if (rule->weight < 0) longest->negating |= lang;
  return SQLITE_OK;
}

/* Tries one unit, of whose literals one of nLiteral bytes stands there, at a place: found when it is longer than what is known, and ends no word within. */
static int tryUnit(RuleSet *set, const Walk *w, int index, int at, int nLiteral, Unit *longest,
                   char *err, int nErr) {
  Rule *rule = &set->rules[index];
  unsigned long long thisTry = (unsigned long long)set->stamp << 16 | (unsigned)at;
  int rc;
  if ((rule->states & w->stateBit) == 0) return SQLITE_OK;
  if ((w->kinds >> (rule->cls - RULE_AFFIRMATION) & 1) == 0) return SQLITE_OK;
  if (rule->isList) return takeUnit(rule, w, at, at + nLiteral, longest);
  if (rule->tried != thisTry) { /* else for another of its literals, or in the walk before */
    if (!ts_rule_has_needs(set, index)) return SQLITE_OK;
    rule->tried = thisTry;
    rule->triedEnd = 0;
    rc = ts_rule_try(set, rule, w->text, w->n, at, &rule->triedEnd, err, nErr);
    if (rc < 0) return -rc;
    if (rc == 0) rule->triedEnd = 0;
  }
  return rule->triedEnd > 0 ? takeUnit(rule, w, at, rule->triedEnd, longest) : SQLITE_OK;
}

/* Tries the units that wait for a literal which stands at a place. */
static int tryWaiting(RuleSet *set, const Walk *w, const Waiting *lit, int at, Unit *longest,
                      char *err, int nErr) {
  const unsigned char *end = (const unsigned char *)w->folded + at + lit->n;
  int rc = SQLITE_OK;
  for (int r = lit->firstRef; r >= 0 && rc == SQLITE_OK; r = set->refs[r].next) {
    const Ref *ref = &set->refs[r];
    if ((ref->states & w->stateBit) == 0 || ref->kind != LITERALS_AT_START) continue;
    if ((w->kinds >> ref->place & 1) == 0 || !ts_literal_can_end(ref->end, end)) continue;
    if (ts_literal_goes_on(set, ref->follows, end))
      rc = tryUnit(set, w, ref->rule, at, lit->n, longest, err, nErr);
  }
  return rc;
}

/* Literals that could stand at a place, one of each length. */
typedef struct Candidate {
  unsigned long long head;
  unsigned key;
  int nHead;
} Candidate;

/* Notes them; their memory is fetched. */
static int candidatesAt(const RuleSet *set, const unsigned char *p, Candidate *candidates) {
  unsigned lengths = ts_literal_lengths(set, TABLE_BITS(AT_UNIT), p) >> 8 * AT_UNIT;
  unsigned long long eight = ts_literal_head(p, LITERAL_HEAD);
  int n = 0;
  for (; lengths != 0; lengths &= lengths - 1) {
    int nHead = __builtin_ctz(lengths) + 1;
    unsigned long long head = eight & ts_literal_masks[nHead].number;
    unsigned key = ts_literal_key(AT_UNIT, head, nHead);
    candidates[n] = (Candidate){head, key, nHead};
    __builtin_prefetch(&set->slot[key % SLOTS]);
    n += (int)ts_literal_may_be(set, key);
  }
  return n;
}

/* The longest unit at a place. Of equally long ones that class counts which stands first in UnitClass. */
static int longestUnit(RuleSet *set, const Walk *w, int at, Unit *longest, char *err, int nErr) {
  const unsigned char *p = (const unsigned char *)w->folded + at;
  Candidate candidates[LITERAL_HEAD + 1];
  int rc = SQLITE_OK, n = candidatesAt(set, p, candidates);
  *longest = (Unit){at, RULE_CLASSES_END, 0, 0};
  for (int k = 0; k < n; k++) {
    const Candidate *c = &candidates[k];
    for (int i = set->slot[c->key % SLOTS]; i >= 0 && rc == SQLITE_OK; i = set->waiting[i].next)
      if (ts_literal_stands(set, &set->waiting[i], AT_UNIT, p, c->head, c->nHead, w->n - at))
        rc = tryWaiting(set, w, &set->waiting[i], at, longest, err, nErr);
  }
  for (int i = 0; i < set->nUnits && rc == SQLITE_OK; i++)
    rc = tryUnit(set, w, set->units[i], at, 0, longest, err, nErr);
  for (int i = 0; set->triesAll && i < set->nRules && rc == SQLITE_OK; i++)
    if (ts_rule_is_unit(&set->rules[i]) && !set->rules[i].isList)
      rc = tryUnit(set, w, i, at, 0, longest, err, nErr);
  return rc;
}

/* ---- Approval ---------------------------------------------------------------------------------------- */

/* Walks units of approval from the start of the text; *affirmed receives how far it came. */
int ts_rules_walk_affirmations(RuleSet *set, const Walk *w, int *affirmed, char *err, int nErr) {
  int at = 0;
  *affirmed = 0;
  while (at < w->n && at < AFFIRMATION_SPAN) {
    Unit unit;
    int rc = longestUnit(set, w, at, &unit, err, nErr);
    if (rc != SQLITE_OK) return rc;
    if (unit.end == at) break;
    at = skipSeparators(w->text, w->n, unit.end);
    *affirmed = at;
  }
  return SQLITE_OK;
}

/* ---- All kinds --------------------------------------------------------------------------------------- */

/* The end of the word at a place; *here and *all grow by the halves that it counts. What is no word is one
** as well. */
static int skipWord(const char *text, int n, int at, int *here, int *all) {
  const unsigned char *p = (const unsigned char *)text;
  int len;
  unsigned c = ts_utf8_decode(p + at, p + n, &len);
  int halves = c >= 0x2E80 && c < 0x20000 ? 1 : 2;
  *here += halves;
  *all += halves;
  at += len;
  while (at < n && c < 0x2E80) {
    c = ts_utf8_decode(p + at, p + n, &len);
    if (c != '\'' && c != '-' && (!ts_rule_is_letter(c) || c >= 0x2E80)) break;
    at += len;
  }
  return at;
}

static int isNegated(const Clause *clause) {
  return (clause->closing & clause->negating) != 0;
}

/* Counts a unit. What closes is no closing when its clause is negated: "it does not work". */
static void countUnit(RuleMatch *out, Clause *clause, const Unit *unit) {
  out->nUnits[unit->cls - RULE_AFFIRMATION]++;
  if (unit->cls != RULE_FILLER && unit->cls != RULE_REFUSAL) clause->closing |= unit->langs;
  clause->ends |= unit->cls == RULE_COMPLETION || unit->cls == RULE_DISMISSAL;
  clause->negating |= unit->negating;
  if (unit->cls != RULE_FILLER) clause->kinds |= 1u << (unit->cls - RULE_AFFIRMATION);
  if (out->nOver <= COVER_LEFT_OVER) out->isNegated |= isNegated(clause);
}

/* Notes what a clause consists of. */
static void noteClause(ClauseUnits *all, const Clause *clause, int isFirst) {
  unsigned kinds = isNegated(clause) ? 0 : clause->kinds;
  unsigned whole = clause->nOver > 0 ? 0 : kinds;
  if (isFirst) all->first = whole;
  all->last = whole;
  all->whole |= whole;
  all->partly |= kinds & ~whole;
  all->nOthers += clause->nOver > 0 || isNegated(clause);
}

/* A word that is left over beside what ends a task can be what is to end, or how it went: "stop uploads",
** "almost done". Only one in a clause of its own may be left. */
static void endClause(RuleMatch *out, Clause *clause) {
  if (clause->ends && clause->nOver > 0) out->nOver = COVER_LEFT_OVER + 1;
  *clause = (Clause){0, 0, 0, 0, 0};
}

/* Is there an end of a clause among what separates two units? Behind a colon it is said what with: "uploads:
** stop". */
static int endsClause(const char *separators, int n) {
  return memchr(separators, '\n', (size_t)n) != 0 && memchr(separators, ':', (size_t)n) == 0;
}

/* Where to go on behind what was found up to a place: a clause that says something else is not read to its end. */
static int nextInCover(const Walk *w, const Clause *clause, int end) {
  const char *lineEnd;
  if (clause->nOver <= CLAUSE_LEFT_OVER) return end;
  lineEnd = memchr(w->text + end, '\n', (size_t)(w->n - end));
  return lineEnd == 0 ? w->n : (int)(lineEnd - w->text);
}

/* Walks units of every kind until the end. */
int ts_rules_walk_cover(RuleSet *set, const Walk *w, RuleMatch *out, char *err, int nErr) {
  Clause clause = {0, 0, 0, 0, 0};
  int at = 0, first = 0; /* where the second clause begins, 0: still in the first */
  if (w->n == 0 || w->n > COVER_SPAN) return SQLITE_OK;
  while (at < w->n) {
    Unit unit;
    int rc = longestUnit(set, w, at, &unit, err, nErr);
    if (rc != SQLITE_OK) return rc;
    if (unit.end == at)
      unit.end = skipWord(w->text, w->n, at, &clause.nOver, &out->nOver);
    else
      countUnit(out, &clause, &unit);
    unit.end = nextInCover(w, &clause, unit.end);
    at = skipSeparators(w->text, w->n, unit.end);
    if (at < w->n && !endsClause(w->text + unit.end, at - unit.end)) continue;
    noteClause(&out->clauses, &clause, first == 0);
    endClause(out, &clause);
    first = at;
  }
  out->isCovered = out->nOver <= COVER_LEFT_OVER && !out->isNegated;
  return SQLITE_OK;
}
