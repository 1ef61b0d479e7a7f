/*
** rules.c - compiles rule rows with PCRE2 and finds those that match a text.
**
** A rule is a row: class, states, pattern, weight. Each pattern is compiled for itself, so that a
** bad one is refused with its own offset and so that back references and inline options stay
** where they were written. Matching a text then takes three steps:
**
**   1. Fold the text and look every position up in a table of literals (literals.c). Most rules
**      begin with one of some literals: they are tried at the places where one stands, anchored,
**      and nowhere else, and only if what else they need occurs in the text. Others need a literal
**      somewhere: they are run if it occurs. A few are always run.
**   2. The second run of a rule makes a JIT program for it, from a pattern whose alternatives are told
**      apart by their first letters (factor.c); short-lived connections
**      thus never pay for the compiler. Without JIT everything works the same, slower.
**   3. Rules of class Affirmation are not looked for but walked: each matches a unit of approval
**      at a given place ("ok", "looks good", "thanks"), the longest wins, separators are stepped
**      over, and the next unit is tried. How far the walk came is part of the answer. So "ok,
**      perfect, danke" is understood although three packs took part. A second walk takes units of
**      every kind (Completion, Dismissal, Refusal, Filler too) and tells whether they are all of a
**      short text, up to one word: "thanks anyway, we don't need the whole thing any more". A unit
**      that is one of some words, (?:ok|fine)\b, is found in the table of literals alone.
**
** Patterns come from strangers. Verbs, options, callouts and calls of groups are refused; a new rule
** has to stay within its limits on texts that are hard for patterns. That proves nothing, and a file can
** hold rules that nobody has checked: so backtracking, recursion, memory and the number of tries per text
** are limited, JIT runs on a stack of its own of 1 MiB, and where that overflows the interpreter takes over
** under the same limits. What a pattern compiles to is limited for one and for all, machine code too: a
** repeat in a repeat makes a short pattern long, and a program of it longer. A rule for which the engine says neither "match" nor "no match" is left out
** of that match and named in its result.
**
** All memory, PCRE2's too, comes from SQLite's allocator (machine code apart, which the JIT maps
** itself and which is optional).
*/
#define PCRE2_CODE_UNIT_WIDTH 8
#include "rules.h"

#include "factor.h"
#include "literals.h"
#include "utf8.h"

#include <pcre2.h>
#include <string.h>

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define MATCH_LIMIT 20000   /* backtracking points */
#define DEPTH_LIMIT 20000   /* nested frames of the interpreter */
#define HEAP_LIMIT_KIB 8192 /* memory of the interpreter */
#define NEST_LIMIT 50       /* parentheses within parentheses */
#define JIT_STACK_START ((size_t)32 * 1024)
#define JIT_STACK_MAX ((size_t)1024 * 1024)
#define JIT_AFTER 2      /* runs of a rule before a JIT program is made */
#define TRIES_MAX 100000 /* of all rules together on one text */
#define WORK_WATCHED                                                                               \
  64 /* so many tries, or KiB of machine code, and the watching function is asked */
#define CHAIN_MAX                                                                                  \
  128 /* literals that share a slot; rules with further ones are tried on every text */

#define AFFIRMATION_SPAN 120 /* an approval longer than this many bytes has more to say */
#define COVER_SPAN 240       /* and so does what closes a task */
#define COVER_LEFT_OVER 2    /* halves of words that no unit need know */
#define CLAUSE_LEFT_OVER 2   /* with more of them a clause says something else, and is left */

#define GRAM_BITS 16384 /* into which the two and four bytes at each place of a text are hashed */

#define SLOTS 16384 /* a power of two: literals by their first bytes */
#define KEYS 131072 /* … and the numbers that those make */
#define PAIRS 4096  /* numbers of two bytes */
#define HEAD 8      /* bytes of a literal that are compared as one number */

/* Literals are looked up in four ways: at every place, where a word begins, where a line begins,
** and at a place where a unit of approval may begin. */
enum { ANYWHERE, AT_WORD, AT_LINE, AT_UNIT, TABLES };

/* A literal, shared by all rules that wait for it. */
typedef struct Waiting {
  unsigned long long head; /* its first eight bytes, those that are missing 0 */
  int at;                  /* all bytes, in RuleSet.text */
  unsigned short n, table;
  int next;     /* next literal of the slot, -1 ends */
  int firstRef; /* chain of rules, in RuleSet.refs */
} Waiting;

typedef struct Ref {
  int rule;
  int next;           /* -1 ends */
  unsigned states;    /* as in the rule, and likewise: */
  unsigned char kind; /* kept here so that most rules need not be looked at */
  unsigned char place;
} Ref;

/* How far a rule has come. The numbers are those of matches (see RuleSet.stamp). */
typedef struct Progress {
  unsigned due;        /* when its literal occurs, */
  unsigned hit;        /* when it was found, */
  unsigned met, unmet; /* when the text has what else it needs, or hasn't */
} Progress;

/* What a match of a rule that begins with a literal contains besides. */
typedef struct Needs {
  int at; /* in RuleSet.grams, two for each of … */
  unsigned short n;
  unsigned short asks; /* a question mark */
} Needs;

struct RuleSet {
  Rule *rules;
  int nRules, capRules;
  Progress *progress; /* per rule */
  Needs *needs;       /* per rule */
  int capNeeds;
  unsigned short *grams;
  int nGrams, capGrams;
  unsigned long long holds[GRAM_BITS / 64]; /* the grams of the text that is matched */
  int isAsking;                             /* it has a question mark */
  int *hits;                                /* per rule, room for RuleMatch.hits */
  int nHits;
  int *loose; /* rules that are not tied to a place, those of units apart */
  int nLoose;
  int *units; /* rules of units that begin with no literal */
  int nUnits;
  unsigned stamp; /* number of the current match */
  char langs[TS_RULE_MAX_LANGS][TS_RULE_LANG_BYTES];
  int nLangs;
  char *text; /* bytes of all literals */
  int nText, capText;
  Waiting *waiting;
  int nWaiting, capWaiting;
  Ref *refs;
  int nRefs, capRefs;
  int slot[SLOTS];                      /* first literal of each, -1 for none */
  unsigned char chained[SLOTS];         /* how many literals each has */
  unsigned long long keys[KEYS / 64];   /* a bit per key of a literal */
  unsigned char lengths[TABLES][PAIRS]; /* which literals begin with two bytes, see lengthBit */
  LiteralSet scratch;
  pcre2_general_context *general;
  pcre2_compile_context *compile;
  pcre2_match_context *match;
  pcre2_match_data *data;
  pcre2_jit_stack *stack; /* made with the first JIT program, NULL until then */
  int jitIsOff;           /* no JIT here, or no memory for its stack */
  unsigned known;         /* PCRE2_NO_UTF_CHECK where every text is known to be UTF-8, else 0 */
  long long nCompiled;    /* bytes of all patterns compiled so far, those left out included */
  int nLate;              /* … and of those compiled when they were first run */
  size_t nJit;            /* bytes of machine code */
  int sinceAsked;         /* work done since the watching function was asked */
  int triesAll;           /* the current match leaves nothing out */
  int tries;              /* of the current match, */
  int nLeftOut;           /* and rules left out of it */
  int (*isOver)(void *arg);
  void *watchArg;
};

/* ---- errors and memory ----------------------------------------------------------------------- */

static void setError(char *err, int nErr, const char *format, ...) {
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

/* Makes room for one element more. *array keeps its old value when memory runs out. */
static int grow(void *array, int *cap, int used, size_t elementSize) {
  void *old, *bigger;
  int newCap;
  if (used < *cap) return SQLITE_OK;
  newCap = *cap ? *cap * 2 : 64;
  memcpy(&old, array, sizeof(old));
  bigger = sqlite3_realloc64(old, (sqlite3_uint64)newCap * elementSize);
  if (bigger == 0) return SQLITE_NOMEM;
  memcpy(array, &bigger, sizeof(bigger));
  *cap = newCap;
  return SQLITE_OK;
}

/* ---- checking a row -------------------------------------------------------------------------- */

static int isDigit(char ch) {
  return ch >= '0' && ch <= '9';
}

/* Does "(?" with these n bytes behind it call a group, or ask whether one is being called? */
static int callsGroup(const char *p, int n) {
  if (n > 0 && (isDigit(p[0]) || p[0] == 'R' || p[0] == '&')) return 1;
  if (n > 1 && (p[0] == '+' || p[0] == '-')) return isDigit(p[1]);
  if (n > 1 && p[0] == 'P') return p[1] == '>';
  return n > 1 && p[0] == '(' && (p[1] == 'R' || p[1] == 'D');
}

/* What is wrong with a parenthesis and the n bytes behind it, or NULL. */
static const char *forbiddenGroup(const char *p, int n) {
  if (n > 0 && p[0] == '*') {
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

static pcre2_compile_context *newCompileContext(pcre2_general_context *general) {
  pcre2_compile_context *c = pcre2_compile_context_create(general);
  if (c == 0) return 0;
  pcre2_set_parens_nest_limit(c, NEST_LIMIT);
  pcre2_set_max_pattern_length(c, TS_RULE_MAX_PATTERN);
  return c;
}

/* The bytes that a compiled pattern takes. */
static int sizeOf(const pcre2_code *code) {
  size_t n = 0;
  return pcre2_pattern_info(code, PCRE2_INFO_SIZE, &n) == 0 ? (int)n : 0;
}

/* A compiled pattern within its budget? A short one with repeats in repeats can take the thousandfold. */
static int checkSize(int size, char *err, int nErr) {
  if (size <= TS_RULE_MAX_COMPILED) return SQLITE_OK;
  setError(err, nErr,
           "pattern: compiled it takes %d bytes, at most %d are allowed; let what it repeats be "
           "shorter, or repeat less often",
           size, TS_RULE_MAX_COMPILED);
  return SQLITE_ERROR;
}

/* Compiles a pattern after the checks that PCRE2 does not make. more: further options of PCRE2. */
static int compilePattern(pcre2_compile_context *context, const char *pattern, int n, uint32_t more,
                          pcre2_code **out, int *offset, char *err, int nErr) {
  uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_MULTILINE |
                     PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | more;
  const char *what = 0;
  int code = 0;
  PCRE2_SIZE at = 0;
  *out = 0;
  *offset = 0;
  if (pattern == 0 || n <= 0) {
    setError(err, nErr, "pattern is empty");
    return SQLITE_ERROR;
  }
  if (n > TS_RULE_MAX_PATTERN) {
    *offset = TS_RULE_MAX_PATTERN;
    setError(err, nErr, "pattern has %d bytes, at most %d are allowed", n, TS_RULE_MAX_PATTERN);
    return SQLITE_ERROR;
  }
  *offset = findForbidden(pattern, n, &what);
  if (*offset >= 0) {
    setError(err, nErr, "pattern: %s at offset %d", what, *offset);
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
    setError(err, nErr, "pattern: %s at offset %d", (const char *)text, *offset);
    return SQLITE_ERROR;
  }
  return SQLITE_OK;
}

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
      setError(err, nErr, "state: there is no task state \"%.*s\"", ts_utf8_cut(start, n, 40),
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

static int isUnit(const Rule *r) {
  return r->cls >= RULE_AFFIRMATION;
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
static int parseRow(const RuleRow *row, Rule *rule, char *err, int nErr) {
  memset(rule, 0, sizeof(*rule));
  rule->id = row->id;
  rule->weight = row->weight;
  rule->cls = ts_class_find(row->cls, row->nCls);
  if (rule->cls == CLASS_UNKNOWN) rule->cls = findUnit(row->cls, row->nCls);
  if (rule->cls == CLASS_UNKNOWN) {
    setError(err, nErr, "class: there is no class \"%.*s\"",
             row->cls ? ts_utf8_cut(row->cls, row->nCls, 40) : 0, row->cls ? row->cls : "");
    return SQLITE_ERROR;
  }
  /* Written so that NaN fails too. */
  if (!(row->weight >= -TS_RULE_MAX_WEIGHT && row->weight <= TS_RULE_MAX_WEIGHT)) {
    setError(err, nErr, "weight: must lie between -%d and %d", (int)TS_RULE_MAX_WEIGHT,
             (int)TS_RULE_MAX_WEIGHT);
    return SQLITE_ERROR;
  }
  return parseStates(row, rule, err, nErr);
}

/* ---- building a set -------------------------------------------------------------------------- */

int ts_rules_new(RuleSet **out) {
  RuleSet *set = sqlite3_malloc64(sizeof(*set));
  *out = 0;
  if (set == 0) return SQLITE_NOMEM;
  memset(set, 0, sizeof(*set));
  memset(set->slot, 0xFF, sizeof(set->slot)); /* all -1 */
  set->general = pcre2_general_context_create(engineMalloc, engineFree, 0);
  if (set->general != 0) {
    set->compile = newCompileContext(set->general);
    set->match = pcre2_match_context_create(set->general);
    set->data = pcre2_match_data_create(1, set->general);
  }
  if (set->compile == 0 || set->match == 0 || set->data == 0) {
    ts_rules_free(set);
    return SQLITE_NOMEM;
  }
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
  sqlite3_free(set->units);
  sqlite3_free(set->text);
  sqlite3_free(set->waiting);
  sqlite3_free(set->refs);
  sqlite3_free(set);
}

void ts_rules_watch(RuleSet *set, int (*isOver)(void *arg), void *arg) {
  set->isOver = isOver;
  set->watchArg = arg;
}

static int isLetter(unsigned c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7) ||
         (c >= 0x2E80 && c < 0xFE00 && !(c >= 0x3000 && c <= 0x3004) &&
          !(c >= 0x3008 && c <= 0x3020));
}

/* ---- units that are lists of words ------------------------------------------------------------ */

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
    int isPlain = c >= 0x80 || isLetter(c) || c == ' ' || c == '\'' || c == '-' || c == '|';
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
    set->list[set->n++] = (Literal){(unsigned short)nText, (unsigned short)len};
    nText += len;
    from = i + 1;
  }
  set->nNeeds = set->asks = 0;
  set->kind = LITERALS_AT_START;
  set->place = PLACE_ANY;
  return 1;
}

/* The first n bytes at p as one number; eight at most, and eight are readable or n are all that there are. */
static unsigned long long headOf(const unsigned char *p, int n) {
  unsigned long long head = 0;
  memcpy(&head, p, (size_t)(n < HEAD ? n : HEAD));
  return head;
}

/* Of the eight bytes of a number, as they stand in memory, the first so many. */
static const union HeadMask {
  unsigned char bytes[HEAD];
  unsigned long long number;
} headMasks[HEAD + 1] = {
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

/* Two bytes as a number. */
static unsigned pairOf(const unsigned char *p) {
  return (p[0] * 16u ^ p[1]) & (PAIRS - 1);
}

/* In RuleSet.lengths: there are literals of n bytes, or of HEAD and more. */
static unsigned char lengthBit(int n) {
  return (unsigned char)(1u << ((n < HEAD ? n : HEAD) - 1));
}

/* The number of a literal which begins like that and has n bytes, or HEAD and more. */
static unsigned keyOf(int table, unsigned long long head, int n) {
  return (unsigned)((head ^ (unsigned)(table * 16 + n)) * 0x9E3779B97F4A7C15ull >> 47);
}

static unsigned keyFor(int table, const char *p, int n) {
  return keyOf(table, headOf((const unsigned char *)p, n), n < HEAD ? n : HEAD);
}

/* The first literal that could be it, or -1: most places hold none, which one bit tells. */
static int firstOf(const RuleSet *set, unsigned key) {
  return set->keys[key / 64] >> key % 64 & 1 ? set->slot[key % SLOTS] : -1;
}

/* The table in which a rule waits for a literal. */
static int tableFor(const Rule *r, const char *p) {
  if (isUnit(r)) return AT_UNIT;
  if (r->kind == LITERALS_AT_START && (r->place == PLACE_LINE || r->place == PLACE_TEXT))
    return AT_LINE;
  if (r->kind == LITERALS_AT_START && r->place != PLACE_ANY && (unsigned char)p[0] < 0x80 &&
      isLetter((unsigned char)p[0]))
    return AT_WORD;
  return ANYWHERE;
}

/* Has a literal's slot no room for one more? */
static int isCrowded(const RuleSet *set, const Rule *r, const char *p, int n) {
  return set->chained[keyFor(tableFor(r, p), p, n) % SLOTS] >= CHAIN_MAX;
}

/* A rule whose literals find no room waits for none: it is tried on every text. */
static void yieldToOthers(RuleSet *set, Rule *r) {
  for (int k = 0; k < set->scratch.n; k++) {
    const Literal *lit = &set->scratch.list[k];
    if (!isCrowded(set, r, set->scratch.text + lit->at, lit->n)) continue;
    r->kind = LITERALS_NONE;
    r->place = PLACE_ANY;
    set->scratch.n = 0;
  }
}

/* Notes that a literal begins with these bytes. One of one byte begins whatever follows. */
static void noteLength(RuleSet *set, int table, const unsigned char *p, int n) {
  unsigned char pair[2] = {p[0], n > 1 ? p[1] : 0};
  for (int last = n > 1 ? pair[1] : 0xFF; last >= pair[1]; last--) {
    unsigned char as[2] = {pair[0], (unsigned char)last};
    set->lengths[table][pairOf(as)] |= lengthBit(n);
  }
}

/* Lets a rule wait for a literal. */
static int waitFor(RuleSet *set, int rule, const char *p, int n) {
  const Rule *r = &set->rules[rule];
  int table = tableFor(r, p);
  unsigned long long head = headOf((const unsigned char *)p, n);
  unsigned key = keyOf(table, head, n < HEAD ? n : HEAD);
  int *slot = &set->slot[key % SLOTS];
  int i, rc;
  for (i = *slot; i >= 0; i = set->waiting[i].next) {
    const Waiting *lit = &set->waiting[i];
    if (lit->head == head && lit->n == n && lit->table == table &&
        memcmp(set->text + lit->at, p, (size_t)n) == 0)
      break;
  }
  if (i >= 0 && set->waiting[i].firstRef >= 0 && set->refs[set->waiting[i].firstRef].rule == rule)
    return SQLITE_OK; /* twice in one pattern */
  rc = grow(&set->refs, &set->capRefs, set->nRefs, sizeof(Ref));
  if (rc == SQLITE_OK && i < 0) {
    rc = grow(&set->waiting, &set->capWaiting, set->nWaiting, sizeof(Waiting));
    while (rc == SQLITE_OK && set->nText + n > set->capText)
      rc = grow(&set->text, &set->capText, set->capText, 1);
    if (rc != SQLITE_OK) return rc;
    i = set->nWaiting++;
    set->waiting[i] =
        (Waiting){head, set->nText, (unsigned short)n, (unsigned short)table, *slot, -1};
    set->chained[key % SLOTS]++;
    memcpy(set->text + set->nText, p, (size_t)n);
    set->nText += n;
    *slot = i;
    set->keys[key / 64] |= 1ull << key % 64;
    noteLength(set, table, (const unsigned char *)p, n);
  }
  if (rc != SQLITE_OK) return rc;
  set->refs[set->nRefs] = (Ref){rule, set->waiting[i].firstRef, r->states, (unsigned char)r->kind,
                                (unsigned char)r->place};
  set->waiting[i].firstRef = set->nRefs++;
  return SQLITE_OK;
}

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

int ts_rules_full(int nRules, long long nCompiled, char *err, int nErr) {
  if (nRules >= TS_RULE_MAX_COUNT) {
    setError(err, nErr, "more than %d rules", TS_RULE_MAX_COUNT);
  } else if (nCompiled >= TS_RULES_MAX_COMPILED) {
    setError(err, nErr, "compiled, the rules before it take all of %d bytes",
             TS_RULES_MAX_COMPILED);
  } else {
    return 0;
  }
  return 1;
}

/* How a rule is compiled beside what all are: PCRE2 options. What is tried at one place needs no search. */
static uint32_t optionsOf(const RuleSet *set, const Rule *rule) {
  int isAnchored = isUnit(rule) || rule->kind == LITERALS_AT_START;
  return (isAnchored ? PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE : 0) |
         (set->known ? 0 : PCRE2_MATCH_INVALID_UTF);
}

/* Compiles the pattern of a rule within the budgets of the rule and of the set. One that fails has cost
** about as much as it is long. */
static int compileRule(RuleSet *set, const RuleRow *row, Rule *rule, pcre2_code **code, char *err,
                       int nErr) {
  int rc, offset;
  if (row->isShipped) return SQLITE_OK;
  if (rule->isList && row->nPattern <= TS_RULE_MAX_PATTERN) {
    rule->nCompiled = row->nPattern;
    set->nCompiled += row->nPattern;
    return SQLITE_OK;
  }
  rc = compilePattern(set->compile, row->pattern, row->nPattern, optionsOf(set, rule), code,
                      &offset, err, nErr);
  rule->nCompiled = rc == SQLITE_OK ? sizeOf(*code) : 0;
  set->nCompiled += rc == SQLITE_OK ? rule->nCompiled : row->nPattern;
  if (rc == SQLITE_OK) rc = checkSize(rule->nCompiled, err, nErr);
  if (rc != SQLITE_OK) {
    pcre2_code_free(*code);
    *code = 0;
  }
  return rc;
}

/* ---- what a rule needs besides ---------------------------------------------------------------- */

/* Two or four bytes as the number of a bit. */
static unsigned gramOf(const char *p, int n) {
  unsigned short two;
  unsigned four;
  if (n < 4) {
    memcpy(&two, p, sizeof(two));
    return two * 2654435761u >> 18;
  }
  memcpy(&four, p, sizeof(four));
  return four * 2654435761u >> 18;
}

/* Keeps what the last rule needs: of each literal the grams at its beginning and at its end. */
static int keepNeeds(RuleSet *set) {
  for (int k = 0; k < set->scratch.nNeeds; k++) {
    const Literal *lit = &set->scratch.needs[k];
    const char *p = set->scratch.text + lit->at;
    int last = lit->n - (lit->n < 4 ? 2 : 4);
    int rc = grow(&set->grams, &set->capGrams, set->nGrams + 1, sizeof(*set->grams));
    if (rc != SQLITE_OK) return rc;
    set->grams[set->nGrams++] = (unsigned short)gramOf(p, lit->n);
    set->grams[set->nGrams++] = (unsigned short)gramOf(p + last, lit->n);
  }
  set->needs[set->nRules - 1].n = (unsigned short)set->scratch.nNeeds;
  return SQLITE_OK;
}

int ts_rules_add(RuleSet *set, const RuleRow *row, char *err, int nErr) {
  Rule rule;
  pcre2_code *code = 0;
  int rc = parseRow(row, &rule, err, nErr);
  if (rc != SQLITE_OK) return rc;
  if (ts_rules_full(set->nRules, set->nCompiled, err, nErr)) return SQLITE_ERROR;
  rc = grow(&set->rules, &set->capRules, set->nRules, sizeof(Rule));
  if (rc == SQLITE_OK) rc = grow(&set->needs, &set->capNeeds, set->nRules, sizeof(Needs));
  if (rc != SQLITE_OK) return rc;
  rule.isList = isUnit(&rule) && readList(row, &set->scratch);
  if (!rule.isList) ts_literals_of(row->pattern, row->pattern ? row->nPattern : 0, &set->scratch);
  rule.kind = set->scratch.kind;
  rule.place = set->scratch.place;
  yieldToOthers(set, &rule);
  rule.isList = rule.isList && rule.kind == LITERALS_AT_START;
  rc = compileRule(set, row, &rule, &code, err, nErr);
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
  for (int k = 0; k < set->scratch.n && rc == SQLITE_OK; k++) {
    const Literal *lit = &set->scratch.list[k];
    rc = waitFor(set, set->nRules - 1, set->scratch.text + lit->at, lit->n);
  }
  return rc;
}

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
  set->units = sqlite3_malloc64(n * sizeof(*set->units));
  if (set->progress == 0 || set->hits == 0 || set->loose == 0 || set->units == 0)
    return SQLITE_NOMEM;
  memset(set->progress, 0, (size_t)n * sizeof(*set->progress));
  for (int i = 0; i < set->nRules; i++) {
    if (set->rules[i].kind == LITERALS_AT_START) continue;
    if (isUnit(&set->rules[i]))
      set->units[set->nUnits++] = i;
    else
      set->loose[set->nLoose++] = i;
  }
  return packLiterals(set);
}

int ts_rules_langs(const RuleSet *set) {
  return set->nLangs;
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

/* ---- matching -------------------------------------------------------------------------------- */

/* Compiles a pattern for a rule of the set, unless it takes more than one may. */
static int compileWithin(const RuleSet *set, const Rule *rule, const char *pattern, int n,
                         pcre2_code **code, char *err, int nErr) {
  int offset,
      rc = compilePattern(set->compile, pattern, n, optionsOf(set, rule), code, &offset, err, nErr);
  if (rc == SQLITE_OK) rc = checkSize(sizeOf(*code), err, nErr);
  if (rc != SQLITE_OK) {
    pcre2_code_free(*code);
    *code = 0;
  }
  return rc;
}

/* Lets a rule be one that is quicker and finds the same, if there is one. Of a unit it counts which text it
** matches, so that it stays as it is. */
static void factor(RuleSet *set, Rule *rule) {
  char pattern[TS_FACTOR_MAX];
  pcre2_code *code = 0;
  int n = isUnit(rule) ? 0 : ts_factor(rule->pattern, rule->nPattern, pattern);
  if (n == 0 || compileWithin(set, rule, pattern, n, &code, 0, 0) != SQLITE_OK) return;
  pcre2_code_free(rule->code);
  rule->code = code;
  rule->nCompiled = sizeOf(code);
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
    setError(err, nErr, "rule %lld (%.*s): %s", rule->id,
             ts_utf8_cut(rule->pattern, (int)strlen(rule->pattern), 100), rule->pattern, why);
}

/* Compiles a rule that was added without. What they compile to has a budget of its own, as what is added
** must not depend on which rules have been run. */
static int compileLate(RuleSet *set, Rule *rule, char *err, int nErr) {
  char why[200];
  int rc = SQLITE_ERROR;
  pcre2_code *code = 0;
  setError(why, (int)sizeof(why), "the rules before it take all of %d bytes", TS_RULES_MAX_LATE);
  if (set->nLate < TS_RULES_MAX_LATE)
    rc = compileWithin(set, rule, rule->pattern, rule->nPattern, &code, why, (int)sizeof(why));
  if (rc == SQLITE_OK) {
    rule->code = code;
    rule->nCompiled = sizeOf(code);
    set->nLate += rule->nCompiled;
  }
  if (rc == SQLITE_ERROR) leaveOut(set, rule, why, err, nErr);
  return rc;
}

/* Tries a rule at an offset. 1 and the end of the match; 0 also when it is left out; else minus a
** result code. */
static int tryRule(RuleSet *set, Rule *rule, const char *text, int n, int from, int *end, char *err,
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

/* A unit of approval must not end within a word. Scripts without spaces have no such ends. */
static int endsWord(const char *text, int n, int end) {
  const unsigned char *p = (const unsigned char *)text;
  int len, last = end - 1;
  if (end >= n) return 1;
  if (p[end] == '\'') return 0;
  if (!isLetter(ts_utf8_decode(p + end, p + n, &len))) return 1;
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
    if (c == '?' || (c >= 0x2010 && !isModifier && !(c >= 0x3000 && c < 0x3005)) || isLetter(c))
      break;
    at += len;
  }
  return at;
}

/* Notes what a text holds. Eight bytes behind it are readable. */
static void readGrams(RuleSet *set, const char *folded, int n) {
  memset(set->holds, 0, sizeof(set->holds));
  set->isAsking = memchr(folded, '?', (size_t)n) != 0;
  for (int i = 0; i < n; i++) {
    unsigned two = gramOf(folded + i, 2), four = gramOf(folded + i, 4);
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
static int hasNeeds(RuleSet *set, int index) {
  Progress *now = &set->progress[index];
  if (now->met == set->stamp) return 1;
  if (now->unmet == set->stamp) return 0;
  if (set->triesAll || holdsNeeds(set, &set->needs[index]))
    now->met = set->stamp;
  else
    now->unmet = set->stamp;
  return now->met == set->stamp;
}

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
    return text[at - 1] >= 0x80 || text[at] >= 0x80 || !isLetter(text[at - 1]) ||
           !isLetter(text[at]);
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

/* Tries an anchored rule at one place and notes a hit. SQLITE_OK or an error. */
static int runAt(RuleSet *set, int index, const char *text, int n, int at, unsigned stateBit,
                 char *err, int nErr) {
  Rule *rule = &set->rules[index];
  /* Two literals of one rule can stand at the same place: "never" and "never mind". */
  unsigned long long thisTry = (unsigned long long)set->stamp << 16 | (unsigned)at;
  int rc;
  if (isUnit(rule) || (rule->states & stateBit) == 0) return SQLITE_OK;
  if (set->progress[index].hit == set->stamp || rule->tried == thisTry) return SQLITE_OK;
  if (!isPossiblePlace(rule->place, (const unsigned char *)text, at)) return SQLITE_OK;
  rule->tried = thisTry;
  rc = tryRule(set, rule, text, n, at, 0, err, nErr);
  if (rc < 0) return -rc;
  if (rc > 0) noteHit(set, index);
  return SQLITE_OK;
}

/* Does a literal of a table stand at p, where the first nHead bytes are head and n bytes are left? */
static int standsAt(const RuleSet *set, const Waiting *lit, int table, const unsigned char *p,
                    unsigned long long head, int nHead, int n) {
  if (lit->head != head || lit->table != table || lit->n > n) return 0;
  if (nHead < HEAD) return lit->n == nHead;
  return memcmp(set->text + lit->at + HEAD, p + HEAD, (size_t)lit->n - HEAD) == 0;
}

/* Looks one place of the folded text up: runs what begins there, marks what may be found. */
static int scanPlace(RuleSet *set, int table, unsigned lengths, const char *text,
                     const unsigned char *folded, int n, int at, unsigned stateBit, char *err,
                     int nErr) {
  unsigned long long eight = headOf(folded + at, HEAD);
  for (; lengths != 0; lengths &= lengths - 1) {
    int len = __builtin_ctz(lengths) + 1;
    unsigned long long head = eight & headMasks[len].number;
    for (int w = firstOf(set, keyOf(table, head, len)); w >= 0; w = set->waiting[w].next) {
      if (!standsAt(set, &set->waiting[w], table, folded + at, head, len, n - at)) continue;
      for (int r = set->waiting[w].firstRef; r >= 0; r = set->refs[r].next) {
        const Ref *ref = &set->refs[r];
        int index = ref->rule, rc;
        if ((ref->states & stateBit) == 0) continue;
        if (ref->kind == LITERALS_WITHIN) {
          set->progress[index].due = set->stamp;
          continue;
        }
        if (isDone(set, index) || !hasNeeds(set, index)) continue;
        if (!isPossiblePlace(ref->place, (const unsigned char *)text, at)) continue;
        rc = runAt(set, index, text, n, at, stateBit, err, nErr);
        if (rc != SQLITE_OK) return rc;
      }
    }
  }
  return SQLITE_OK;
}

/* Which literals of a table could stand at p? One byte behind the text is readable. */
static unsigned lengthsAt(const RuleSet *set, int table, const unsigned char *p) {
  return set->lengths[table][pairOf(p)];
}

/* Could a word of ASCII letters begin at this place? */
static int beginsWord(const unsigned char *p, int at) {
  return at == 0 || p[at - 1] >= 0x80 || !isLetter(p[at - 1]);
}

static int scan(RuleSet *set, const char *text, const char *folded, int n, unsigned stateBit,
                char *err, int nErr) {
  const unsigned char *p = (const unsigned char *)folded;
  for (int i = 0; i < n; i++) {
    int rc = SQLITE_OK;
    unsigned lengths;
    if ((p[i] & 0xC0) == 0x80) continue; /* literals begin with a character */
    lengths = lengthsAt(set, ANYWHERE, p + i);
    if (lengths) rc = scanPlace(set, ANYWHERE, lengths, text, p, n, i, stateBit, err, nErr);
    lengths = lengthsAt(set, AT_WORD, p + i);
    if (rc == SQLITE_OK && lengths && beginsWord(p, i))
      rc = scanPlace(set, AT_WORD, lengths, text, p, n, i, stateBit, err, nErr);
    if (rc == SQLITE_OK && (i == 0 || p[i - 1] == '\n'))
      rc = scanPlace(set, AT_LINE, lengthsAt(set, AT_LINE, p + i), text, p, n, i, stateBit, err,
                     nErr);
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
    if (!hasNeeds(set, index)) continue;
    if ((rule->states & stateBit) == 0) continue;
    rc = tryRule(set, rule, text, n, 0, 0, err, nErr);
    if (rc < 0) return -rc;
    if (rc > 0) noteHit(set, index);
  }
  return SQLITE_OK;
}

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

/* The text that is being walked. */
typedef struct Walk {
  const char *text, *folded;
  int n;
  unsigned stateBit;
  unsigned kinds; /* bit 1 << (class - RULE_AFFIRMATION) */
} Walk;

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
  unsigned long long thisTry = (unsigned long long)set->stamp << 17 |
                               (unsigned long long)(w->kinds == 1) << 16 | (unsigned)at;
  int end = 0, rc;
  if ((rule->states & w->stateBit) == 0) return SQLITE_OK;
  if ((w->kinds >> (rule->cls - RULE_AFFIRMATION) & 1) == 0) return SQLITE_OK;
  if (rule->isList) return takeUnit(rule, w, at, at + nLiteral, longest);
  if (rule->tried == thisTry || !hasNeeds(set, index))
    return SQLITE_OK; /* for another of its literals */
  rule->tried = thisTry;
  rc = tryRule(set, rule, w->text, w->n, at, &end, err, nErr);
  if (rc < 0) return -rc;
  return rc > 0 ? takeUnit(rule, w, at, end, longest) : SQLITE_OK;
}

/* The longest unit at a place. Of equally long ones that class counts which stands first in UnitClass. */
static int longestUnit(RuleSet *set, const Walk *w, int at, Unit *longest, char *err, int nErr) {
  const unsigned char *p = (const unsigned char *)w->folded + at;
  int rc = SQLITE_OK;
  *longest = (Unit){at, RULE_CLASSES_END, 0, 0};
  unsigned lengths = lengthsAt(set, AT_UNIT, p);
  unsigned long long eight = headOf(p, HEAD);
  for (; lengths != 0; lengths &= lengths - 1) {
    int len = __builtin_ctz(lengths) + 1;
    unsigned long long head = eight & headMasks[len].number;
    for (int i = firstOf(set, keyOf(AT_UNIT, head, len)); i >= 0; i = set->waiting[i].next) {
      if (!standsAt(set, &set->waiting[i], AT_UNIT, p, head, len, w->n - at)) continue;
      for (int r = set->waiting[i].firstRef; r >= 0 && rc == SQLITE_OK; r = set->refs[r].next)
        if (set->refs[r].kind == LITERALS_AT_START)
          rc = tryUnit(set, w, set->refs[r].rule, at, set->waiting[i].n, longest, err, nErr);
    }
  }
  for (int i = 0; i < set->nUnits && rc == SQLITE_OK; i++)
    rc = tryUnit(set, w, set->units[i], at, 0, longest, err, nErr);
  for (int i = 0; set->triesAll && i < set->nRules && rc == SQLITE_OK; i++)
    if (isUnit(&set->rules[i]) && !set->rules[i].isList)
      rc = tryUnit(set, w, i, at, 0, longest, err, nErr);
  return rc;
}

/* Walks units of approval from the start of the text; *affirmed receives how far it came. */
static int walkAffirmations(RuleSet *set, const Walk *w, int *affirmed, char *err, int nErr) {
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
    if (c != '\'' && c != '-' && (!isLetter(c) || c >= 0x2E80)) break;
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
static int walkCover(RuleSet *set, const Walk *w, RuleMatch *out, char *err, int nErr) {
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
  out->isCovered = at >= w->n && out->nOver <= COVER_LEFT_OVER && !out->isNegated;
  return SQLITE_OK;
}

int ts_rules_match(RuleSet *set, const char *text, int n, TaskState state, int flags,
                   RuleMatch *out, char *err, int nErr) {
  char folded[TS_TEXT_MAX + 8];
  unsigned stateBit = 1u << state;
  Walk walk = {text, folded, n > TS_TEXT_MAX ? TS_TEXT_MAX : n, stateBit, 1};
  int rc = SQLITE_OK;
  memset(out, 0, sizeof(*out));
  out->hits = set->hits;
  set->nHits = set->nLeftOut = set->tries = 0;
  if (n > TS_TEXT_MAX) n = TS_TEXT_MAX;
  if (++set->stamp == 0) { /* after four thousand million matches */
    memset(set->progress, 0, (size_t)set->nRules * sizeof(*set->progress));
    for (int i = 0; i < set->nRules; i++)
      set->rules[i].failed = 0;
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
  if (!set->triesAll) readGrams(set, folded, n);
  if (!(flags & TS_MATCH_AFFIRMATION)) {
    rc = flags & TS_MATCH_ALL ? scanAll(set, text, n, stateBit, err, nErr)
                              : scan(set, text, folded, n, stateBit, err, nErr);
    if (rc == SQLITE_OK) rc = runLoose(set, text, n, stateBit, err, nErr);
    out->nHits = set->nHits;
  }
  if (rc == SQLITE_OK) rc = walkAffirmations(set, &walk, &out->affirmed, err, nErr);
  walk.kinds = ~0u;
  if (rc == SQLITE_OK && (flags & TS_MATCH_COVER)) rc = walkCover(set, &walk, out, err, nErr);
  out->nLeftOut = set->nLeftOut;
  out->nTries = set->tries;
  return rc;
}

/* ---- checking by trying ------------------------------------------------------------------------ */

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
    rc = tryRule(set, &set->rules[0], text, n, at, 0, 0, 0);
    if (rc < 0) return -rc;
    if (set->nLeftOut == 0) continue;
    setError(err, nErr,
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
  pcre2_general_context *general = pcre2_general_context_create(engineMalloc, engineFree, 0);
  if (general != 0) context = newCompileContext(general);
  if (context != 0)
    rc = compilePattern(context, pattern, n, PCRE2_MATCH_INVALID_UTF, &code, offset, err, nErr);
  size = code ? sizeOf(code) : 0;
  if (rc == SQLITE_OK) rc = checkSize(size, err, nErr);
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
  int at = 0, rc = parseRow(row, &rule, err, nErr);
  if (nCompiled != 0) *nCompiled = 0;
  if (rc != SQLITE_OK) return rc;
  return compileAlone(row->pattern, row->nPattern, nCompiled, &at, err, nErr);
}

int ts_rule_check_row(const RuleRow *row, int *nCompiled, char *err, int nErr) {
  int rc = ts_rule_compile_row(row, nCompiled, err, nErr);
  if (rc == SQLITE_OK) rc = tryPattern(row->pattern, row->nPattern, err, nErr);
  return rc;
}
