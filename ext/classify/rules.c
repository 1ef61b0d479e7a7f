/*
** rules.c - a set of rules: rows, compiled with PCRE2, that are found in a text by their literals.
**
** A rule is a row: class, states, pattern, weight. Each pattern is compiled for itself, so that a
** bad one is refused with its own offset and so that back references and inline options stay
** where they were written (rule_compile.c). Matching a text then takes three steps (rule_match.c):
**
**   1. Fold the text and look every position up in a table of literals (literals.c, rule_scan.c). Most rules
**      begin with one of some literals: they are tried at the places where one stands, anchored,
**      and nowhere else, and only if what else they need occurs in the text. Others need a literal
**      somewhere: they are run if it occurs. A few are always run.
**   2. A rule is run within its limits, from its second run on by a JIT program (rule_run.c).
**   3. Units of approval, and of other kinds, are not looked for but walked (rule_cover.c).
**
** Patterns come from strangers. A new rule has to stay within its limits on texts that are hard for patterns
** (rule_trial.c). That proves nothing, and a file can hold rules that nobody has checked: so backtracking, recursion,
** memory and the number of tries per text are limited, and machine code too.
*/
#include "array.h"
#include "rule_set.h"

#include <limits.h>

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define MATCH_LIMIT 20000   /* backtracking points */
#define DEPTH_LIMIT 20000   /* nested frames of the interpreter */
#define HEAP_LIMIT_KIB 8192 /* memory of the interpreter */
#define CHAIN_MAX                                                                                  \
  128 /* literals that share a slot; rules with further ones are tried on every text */

/* ---- Its beginning and its end ----------------------------------------------------------------------- */

/* What can follow a literal for all sets alike. */
static void fillFollows(LiteralNext *follows) {
  memset(follows, 0, TS_NEXT_OWN * sizeof(*follows));
  memset(follows, 0xFF, sizeof(*follows));
  for (int i = 0; i < 256; i++)
    follows[TS_NEXT_PAIR + i].row[i / 16] = (unsigned short)(1u << i % 16);
  for (int i = 0; i < 16; i++)
    follows[TS_NEXT_BYTE + i].row[i] = 0xFFFF;
}

int ts_rules_new(RuleSet **out) {
  RuleSet *set = sqlite3_malloc64(sizeof(*set));
  *out = 0;
  if (set == 0) return SQLITE_NOMEM;
  memset(set, 0, sizeof(*set));
  memset(set->slot, 0xFF, sizeof(set->slot)); /* all -1 */
  set->general = ts_rules_engine();
  if (set->general != 0) {
    set->compile = ts_rules_compiler(set->general);
    set->match = pcre2_match_context_create(set->general);
    set->data = pcre2_match_data_create(1, set->general);
  }
  set->nFollows = set->capFollows = TS_NEXT_OWN;
  set->follows = sqlite3_malloc64(TS_NEXT_OWN * sizeof(*set->follows));
  if (set->compile == 0 || set->match == 0 || set->data == 0 || set->follows == 0) {
    ts_rules_free(set);
    return SQLITE_NOMEM;
  }
  fillFollows(set->follows);
  pcre2_set_match_limit(set->match, MATCH_LIMIT);
  pcre2_set_depth_limit(set->match, DEPTH_LIMIT);
  pcre2_set_heap_limit(set->match, HEAP_LIMIT_KIB);
  *out = set;
  return SQLITE_OK;
}

void ts_rules_free(RuleSet *set) {
  if (set == 0) return;
  for (int i = 0; i < set->nRules; i++) {
    pcre2_code_free(set->rules[i].code);
    sqlite3_free(set->rules[i].pattern);
  }
  pcre2_match_data_free(set->data);
  pcre2_match_context_free(set->match);
  pcre2_compile_context_free(set->compile);
  pcre2_jit_stack_free(set->stack);
  pcre2_general_context_free(set->general);
  sqlite3_free(set->rules);
  sqlite3_free(set->progress);
  sqlite3_free(set->needs);
  sqlite3_free(set->grams);
  sqlite3_free(set->hits);
  sqlite3_free(set->loose);
  sqlite3_free(set->due);
  sqlite3_free(set->units);
  sqlite3_free(set->text);
  sqlite3_free(set->waiting);
  sqlite3_free(set->refs);
  sqlite3_free(set->follows);
  sqlite3_free(set);
}

void ts_rules_watch(RuleSet *set, int (*isOver)(void *arg), void *arg) {
  set->isOver = isOver;
  set->watchArg = arg;
}

/* ---- Units that are lists of words ------------------------------------------------------------------- */

/* The length of "|…|…)" without its end, if a pattern is "(?:" words ")" and an end of words; else 0. */
static int listLength(const char *p, int n) {
  static const char *const ends[] = {")\\b", ")(?![\\p{L}\\p{M}])", ")"};
  if (n < 5 || memcmp(p, "(?:", 3) != 0) return 0;
  for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
    int len = (int)strlen(ends[i]);
    if (n > 3 + len && memcmp(p + n - len, ends[i], (size_t)len) == 0) {
      n -= len;
      break;
    }
  }
  for (int i = 3; i < n; i++) {
    unsigned char c = (unsigned char)p[i];
    int isPlain =
        c >= 0x80 || ts_rule_is_letter(c) || c == ' ' || c == '\'' || c == '-' || c == '|';
    if (!isPlain) return 0;
  }
  return n - 3;
}

/* Takes a unit's pattern apart if it is a list of words. An empty word is none. */
static int readList(const RuleRow *row, LiteralSet *set) {
  const char *p = row->pattern ? row->pattern + 3 : 0;
  int n = row->pattern ? listLength(row->pattern, row->nPattern) : 0, from = 0, nText = 0;
  if (n == 0 || n >= (int)sizeof(set->text)) return 0;
  set->n = 0;
  for (int i = 0; i <= n; i++) {
    int len;
    if (i < n && p[i] != '|') continue;
    if (i == from || set->n == TS_LITERALS_MAX) return 0;
    len = ts_fold(p + from, i - from, set->text + nText);
    set->list[set->n++] = (Literal){.at = (unsigned short)nText, .n = (unsigned short)len};
    nText += len;
    from = i + 1;
  }
  set->nNeeds = set->asks = set->nNext = 0;
  set->kind = LITERALS_AT_START;
  set->place = PLACE_ANY;
  return 1;
}

/* ---- Literals for which rules wait ------------------------------------------------------------------- */

const union LiteralMask ts_literal_masks[LITERAL_HEAD + 1] = {
    {{0}},
    {{0xFF}},
    {{0xFF, 0xFF}},
    {{0xFF, 0xFF, 0xFF}},
    {{0xFF, 0xFF, 0xFF, 0xFF}},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
};

/* In RuleSet.lengths: there are literals of n bytes, or of LITERAL_HEAD and more. */
static unsigned lengthBit(int table, int n) {
  return 1u << (8 * table + (n < LITERAL_HEAD ? n : LITERAL_HEAD) - 1);
}

static unsigned keyFor(int table, const char *p, int n) {
  return ts_literal_key(table, ts_literal_head((const unsigned char *)p, n),
                        n < LITERAL_HEAD ? n : LITERAL_HEAD);
}

/* The table in which a rule waits for a literal that begins with these bytes. */
static int tableFor(const Rule *r, const Literal *lit, const char *p) {
  if (ts_rule_is_unit(r)) return AT_UNIT;
  if (r->kind != LITERALS_AT_START) return ANYWHERE;
  if (lit->place == PLACE_LINE || lit->place == PLACE_TEXT) return AT_LINE;
  if (lit->place == PLACE_WORD && (unsigned char)p[0] < 0x80 &&
      ts_rule_is_letter((unsigned char)p[0]))
    return AT_WORD;
  return ANYWHERE;
}

/* Has a literal's slot no room for one more? */
static int isCrowded(const RuleSet *set, const Rule *r, const Literal *lit) {
  const char *p = set->scratch.text + lit->at;
  return set->chained[keyFor(tableFor(r, lit, p), p, lit->n) % SLOTS] >= CHAIN_MAX;
}

/* A rule whose literals find no room waits for none: it is tried on every text. */
static void yieldToOthers(RuleSet *set, Rule *r) {
  for (int k = 0; k < set->scratch.n; k++) {
    const Literal *lit = &set->scratch.list[k];
    if (!isCrowded(set, r, lit)) continue;
    r->kind = LITERALS_NONE;
    r->place = PLACE_ANY;
    set->scratch.n = set->scratch.nNext = 0;
  }
}

/* Notes that a literal begins with these bytes. One of one byte begins whatever follows. */
static void noteLength(RuleSet *set, int table, const unsigned char *p, int n) {
  unsigned char pair[2] = {p[0], n > 1 ? p[1] : 0};
  if (n >= 4) set->longer[ts_literal_quad(p)] |= lengthBit(table, n);
  for (int last = n > 1 ? pair[1] : 0xFF; last >= pair[1]; last--) {
    unsigned char as[2] = {pair[0], (unsigned char)last};
    set->lengths[ts_literal_pair(as)] |= lengthBit(table, n);
  }
}

/* Keeps what can follow the literals of the last rule. *more: so much greater are its numbers in the set. */
static int keepFollows(RuleSet *set, int *more) {
  int n = set->scratch.nNext, rc = SQLITE_OK;
  *more = set->nFollows - TS_NEXT_OWN;
  if (set->nFollows + n > USHRT_MAX) n = 0;
  while (rc == SQLITE_OK && set->nFollows + n > set->capFollows)
    rc = ts_array_grow(&set->follows, &set->capFollows, set->capFollows, sizeof(*set->follows));
  if (rc != SQLITE_OK) return rc;
  memcpy(set->follows + set->nFollows, set->scratch.next, (size_t)n * sizeof(*set->follows));
  set->nFollows += n;
  return SQLITE_OK;
}

/* The number of what can follow in the set; 0: there was no room for it. */
static int followsOf(const RuleSet *set, int next, int more) {
  if (next < TS_NEXT_OWN) return next;
  return next + more < set->nFollows ? next + more : 0;
}

/* Does the same rule wait for a literal with the same around it? */
static int isSame(const Ref *ref, const Literal *what, int place, int follows) {
  return ref->place == place && ref->end == what->end && ref->isExact == what->isExact &&
         ref->follows == follows;
}

/* Lets a rule wait for a literal. */
static int waitFor(RuleSet *set, int rule, const Literal *what, int follows) {
  const Rule *r = &set->rules[rule];
  const char *p = set->scratch.text + what->at;
  unsigned char place =
      ts_rule_is_unit(r) ? (unsigned char)(r->cls - RULE_AFFIRMATION) : what->place;
  int n = what->n;
  int table = tableFor(r, what, p);
  unsigned long long head = ts_literal_head((const unsigned char *)p, n);
  unsigned key = ts_literal_key(table, head, n < LITERAL_HEAD ? n : LITERAL_HEAD);
  int *slot = &set->slot[key % SLOTS];
  int i, rc;
  for (i = *slot; i >= 0; i = set->waiting[i].next) {
    const Waiting *lit = &set->waiting[i];
    if (lit->head == head && lit->n == n && lit->table == table &&
        memcmp(set->text + lit->at, p, (size_t)n) == 0)
      break;
  }
  for (int k = i < 0 ? -1 : set->waiting[i].firstRef; k >= 0 && set->refs[k].rule == rule;
       k = set->refs[k].next)
    if (isSame(&set->refs[k], what, place, follows)) return SQLITE_OK;
  rc = ts_array_grow(&set->refs, &set->capRefs, set->nRefs, sizeof(Ref));
  if (rc == SQLITE_OK && i < 0) {
    rc = ts_array_grow(&set->waiting, &set->capWaiting, set->nWaiting, sizeof(Waiting));
    while (rc == SQLITE_OK && set->nText + n > set->capText)
      rc = ts_array_grow(&set->text, &set->capText, set->capText, 1);
    if (rc != SQLITE_OK) return rc;
    i = set->nWaiting++;
    set->waiting[i] =
        (Waiting){head, set->nText, (unsigned short)n, (unsigned short)table, *slot, -1};
    set->chained[key % SLOTS] += set->chained[key % SLOTS] < UCHAR_MAX;
    memcpy(set->text + set->nText, p, (size_t)n);
    set->nText += n;
    *slot = i;
    set->keys[key / 64] |= 1ull << key % 64;
    noteLength(set, table, (const unsigned char *)p, n);
  }
  if (rc != SQLITE_OK) return rc;
  set->refs[set->nRefs] = (Ref){(unsigned short)rule,
                                (unsigned short)follows,
                                set->waiting[i].firstRef,
                                (unsigned char)r->states,
                                (unsigned char)r->kind,
                                place,
                                what->end,
                                what->isExact};
  set->waiting[i].firstRef = set->nRefs++;
  return SQLITE_OK;
}

/* ---- What a rule needs besides ----------------------------------------------------------------------- */

/* Keeps what the last rule needs: of each literal the grams at its beginning and at its end. */
static int keepNeeds(RuleSet *set) {
  for (int k = 0; k < set->scratch.nNeeds; k++) {
    const Literal *lit = &set->scratch.needs[k];
    const char *p = set->scratch.text + lit->at;
    int last = lit->n - (lit->n < 4 ? 2 : 4);
    int rc = ts_array_grow(&set->grams, &set->capGrams, set->nGrams + 1, sizeof(*set->grams));
    if (rc != SQLITE_OK) return rc;
    set->grams[set->nGrams++] = (unsigned short)ts_gram(p, lit->n);
    set->grams[set->nGrams++] = (unsigned short)ts_gram(p + last, lit->n);
  }
  set->needs[set->nRules - 1].n = (unsigned short)set->scratch.nNeeds;
  return SQLITE_OK;
}

/* ---- A rule more ------------------------------------------------------------------------------------- */

/* The number of a language within the set. */
static int langNumber(RuleSet *set, const char *lang, int n) {
  char name[TS_RULE_LANG_BYTES] = {0};
  if (lang == 0 || n <= 0 || (n == 3 && sqlite3_strnicmp(lang, "any", 3) == 0)) return 0;
  memcpy(name, lang, (size_t)(n < TS_RULE_LANG_BYTES ? n : TS_RULE_LANG_BYTES - 1));
  for (int i = 0; i < set->nLangs; i++) {
    if (sqlite3_stricmp(set->langs[i], name) == 0) return i + 1;
  }
  if (set->nLangs + 1 < TS_RULE_MAX_LANGS) memcpy(set->langs[set->nLangs++], name, sizeof(name));
  return set->nLangs;
}

int ts_rules_add(RuleSet *set, const RuleRow *row, char *err, int nErr) {
  int more = 0;
  Rule rule;
  pcre2_code *code = 0;
  int rc = ts_rule_read(row, &rule, err, nErr);
  if (rc != SQLITE_OK) return rc;
  if (ts_rules_full(set->nRules, set->nCompiled, err, nErr)) return SQLITE_ERROR;
  rc = ts_array_grow(&set->rules, &set->capRules, set->nRules, sizeof(Rule));
  if (rc == SQLITE_OK) rc = ts_array_grow(&set->needs, &set->capNeeds, set->nRules, sizeof(Needs));
  if (rc != SQLITE_OK) return rc;
  rule.isList = ts_rule_is_unit(&rule) && readList(row, &set->scratch);
  if (!rule.isList) ts_literals_of(row->pattern, row->pattern ? row->nPattern : 0, &set->scratch);
  rule.kind = set->scratch.kind;
  rule.place = set->scratch.place;
  yieldToOthers(set, &rule);
  rule.isList = rule.isList && rule.kind == LITERALS_AT_START;
  rc = ts_rule_compile(set, row, &rule, &code, err, nErr);
  if (rc != SQLITE_OK) return rc;
  rule.lang = langNumber(set, row->lang, row->nLang);
  rule.code = code;
  rule.pattern = sqlite3_malloc64((sqlite3_uint64)row->nPattern + 1);
  if (rule.pattern == 0) {
    pcre2_code_free(code);
    return SQLITE_NOMEM;
  }
  memcpy(rule.pattern, row->pattern, (size_t)row->nPattern);
  rule.pattern[row->nPattern] = 0;
  rule.nPattern = row->nPattern;
  set->rules[set->nRules++] = rule;
  /* scratch still holds the literals. A rule whose literals could not all be stored is of no use;
  ** the caller gives the set up then. */
  set->needs[set->nRules - 1] = (Needs){set->nGrams, 0, (unsigned short)set->scratch.asks};
  if (!rule.isList && rule.kind == LITERALS_AT_START) rc = keepNeeds(set);
  if (rc == SQLITE_OK) rc = keepFollows(set, &more);
  for (int k = 0; k < set->scratch.n && rc == SQLITE_OK; k++) {
    const Literal *lit = &set->scratch.list[k];
    rc = waitFor(set, set->nRules - 1, lit, followsOf(set, lit->next, more));
  }
  return rc;
}

/* ---- All are there ----------------------------------------------------------------------------------- */

/* Puts literals of one slot, and rules that wait for one literal, side by side, and gives back what room is
** left over. The order within them stays. */
static int packLiterals(RuleSet *set) {
  Waiting *waiting = sqlite3_malloc64(((sqlite3_uint64)set->nWaiting + 1) * sizeof(Waiting));
  Ref *refs = sqlite3_malloc64(((sqlite3_uint64)set->nRefs + 1) * sizeof(Ref));
  int nWaiting = 0, nRefs = 0;
  if (waiting == 0 || refs == 0) {
    sqlite3_free(waiting);
    sqlite3_free(refs);
    return SQLITE_NOMEM;
  }
  for (int i = 0; i < SLOTS; i++) {
    int from = nWaiting;
    for (int w = set->slot[i]; w >= 0; w = set->waiting[w].next) {
      Waiting *to = &waiting[nWaiting++];
      *to = set->waiting[w];
      to->firstRef = nRefs;
      for (int r = set->waiting[w].firstRef; r >= 0; r = set->refs[r].next) {
        refs[nRefs] = set->refs[r];
        refs[nRefs].next = refs[nRefs].next < 0 ? -1 : nRefs + 1;
        nRefs++;
      }
      to->next = to->next < 0 ? -1 : nWaiting;
    }
    set->slot[i] = nWaiting > from ? from : -1;
  }
  sqlite3_free(set->waiting);
  sqlite3_free(set->refs);
  set->waiting = waiting;
  set->refs = refs;
  set->capWaiting = set->nWaiting;
  set->capRefs = set->nRefs;
  return SQLITE_OK;
}

int ts_rules_finish(RuleSet *set) {
  sqlite3_uint64 n = (sqlite3_uint64)set->nRules + 1;
  set->progress = sqlite3_malloc64(n * sizeof(*set->progress));
  set->hits = sqlite3_malloc64(n * sizeof(*set->hits));
  set->loose = sqlite3_malloc64(n * sizeof(*set->loose));
  set->due = sqlite3_malloc64(n * sizeof(*set->due));
  set->units = sqlite3_malloc64(n * sizeof(*set->units));
  if (set->progress == 0 || set->hits == 0 || set->loose == 0 || set->due == 0 || set->units == 0)
    return SQLITE_NOMEM;
  memset(set->progress, 0, (size_t)n * sizeof(*set->progress));
  for (int i = 0; i < set->nRules; i++) {
    if (set->rules[i].kind == LITERALS_AT_START) continue;
    if (ts_rule_is_unit(&set->rules[i]))
      set->units[set->nUnits++] = i;
    else if (set->rules[i].kind == LITERALS_NONE)
      set->loose[set->nLoose++] = i;
  }
  set->nAlways = set->nLoose;
  for (int i = 0; i < set->nRules; i++)
    if (set->rules[i].kind == LITERALS_WITHIN && !ts_rule_is_unit(&set->rules[i]))
      set->loose[set->nLoose++] = i;
  return packLiterals(set);
}

int ts_rules_count(const RuleSet *set) {
  return set->nRules;
}

size_t ts_rules_jit(const RuleSet *set) {
  return set->nJit;
}

const Rule *ts_rules_get(const RuleSet *set, int index) {
  return index >= 0 && index < set->nRules ? &set->rules[index] : 0;
}
