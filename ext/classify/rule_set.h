/*
** rule_set.h - what a set of rules is made of: for the files that build, compile, run, scan and walk it. All others
** take rules.h.
**
**   rules.c         building a set: rules, and the literals for which they wait
**   rule_compile.c  a row becomes a rule: what is refused, PCRE2's options, budgets of size
**   rule_run.c      running one rule within its limits; machine code
**   rule_match.c    one match, from step to step
**   rule_scan.c     looking every place of a text up among the literals
**   rule_cover.c    walking units, of approval and of all kinds
**   rule_trial.c    trying a pattern on hard texts before it is taken
*/
#ifndef TS_RULE_SET_H
#define TS_RULE_SET_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include "literals.h"
#include "rules.h"

#include <pcre2.h>
#include <string.h>

#define GRAM_BITS 16384 /* into which the two and four bytes at each place of a text are hashed */

#define SLOTS 16384    /* a power of two: literals by their first bytes */
#define KEYS 131072    /* … and the numbers that those make */
#define PAIRS 4096     /* numbers of two bytes */
#define QUADS 8192     /* … and of four */
#define LITERAL_HEAD 8 /* bytes of a literal that are compared as one number */

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
  unsigned short rule;
  unsigned short follows; /* what can follow the literal, in RuleSet.follows */
  int next;               /* -1 ends */
  unsigned char states;   /* as in the rule, and likewise: */
  unsigned char kind;     /* kept here so that most rules need not be looked at */
  unsigned char place;    /* of a unit its kind: the class, from RULE_AFFIRMATION on */
  unsigned char end;      /* LiteralEnd */
  unsigned char isExact;  /* the rule matches where place and end are right */
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
  char folded[TS_TEXT_MAX + 8];             /* the text itself, folded */
  int *hits;                                /* per rule, room for RuleMatch.hits */
  int nHits;
  int *
      loose; /* rules that are not tied to a place, those of units apart: first those that need no literal */
  int nLoose, nAlways;
  int *due; /* and those whose literal occurs in the text that is matched */
  int nDue;
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
  LiteralNext *follows; /* the first one lets everything follow */
  int nFollows, capFollows;
  int slot[SLOTS];                    /* first literal of each, -1 for none */
  unsigned char chained[SLOTS];       /* how many literals each has */
  unsigned long long keys[KEYS / 64]; /* a bit per key of a literal */
  unsigned lengths[PAIRS];            /* which literals begin with two bytes, see lengthBit, */
  unsigned longer[QUADS];             /* and which with four */
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

/* The text that is being walked. */
typedef struct Walk {
  const char *text, *folded;
  int n;
  unsigned stateBit;
  unsigned kinds; /* bit 1 << (class - RULE_AFFIRMATION) */
} Walk;

/* ---- Asked at every place of a text ------------------------------------------------------------------ */

static inline int ts_rule_is_unit(const Rule *r) {
  return r->cls >= RULE_AFFIRMATION;
}

/* ts_rule_is_letter for a byte of ASCII; for others 0. */
static inline int ts_rule_is_ascii_letter(unsigned char c) {
  static const unsigned long long letters[4] = {0x03FF000000000000ull, 0x07FFFFFE87FFFFFEull, 0, 0};
  return (int)(letters[c / 64] >> c % 64 & 1);
}

static inline int ts_rule_is_letter(unsigned c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7) ||
         (c >= 0x2E80 && c < 0xFE00 && !(c >= 0x3000 && c <= 0x3004) &&
          !(c >= 0x3008 && c <= 0x3020));
}

/* The first n bytes at p as one number; eight at most, and eight are readable or n are all that there are. */
static inline unsigned long long ts_literal_head(const unsigned char *p, int n) {
  unsigned long long head = 0;
  memcpy(&head, p, (size_t)(n < LITERAL_HEAD ? n : LITERAL_HEAD));
  return head;
}

/* Of the eight bytes of a number, as they stand in memory, the first so many. */
extern const union LiteralMask {
  unsigned char bytes[LITERAL_HEAD];
  unsigned long long number;
} ts_literal_masks[LITERAL_HEAD + 1];

/* Two bytes as a number. */
static inline unsigned ts_literal_pair(const unsigned char *p) {
  return (p[0] * 16u ^ p[1]) & (PAIRS - 1);
}

/* Four bytes as a number. */
static inline unsigned ts_literal_quad(const unsigned char *p) {
  unsigned four;
  memcpy(&four, p, sizeof(four));
  return four * 2654435769u >> 19;
}

/* The number of a literal which begins like that and has n bytes, or LITERAL_HEAD and more. */
static inline unsigned ts_literal_key(int table, unsigned long long head, int n) {
  return (unsigned)((head ^ (unsigned)(table * 16 + n)) * 0x9E3779B97F4A7C15ull >> 47);
}

/* Could there be a literal of this number? Most places hold none, which one bit tells. */
static inline unsigned ts_literal_may_be(const RuleSet *set, unsigned key) {
  return (unsigned)(set->keys[key / 64] >> key % 64 & 1);
}

/* The first literal that could be it, or -1. */
static inline int ts_literal_first(const RuleSet *set, unsigned key) {
  return ts_literal_may_be(set, key) ? set->slot[key % SLOTS] : -1;
}

/* Which literals of some tables could stand at p? Of each table eight bits, see lengthBit. Three bytes behind the text
** are readable. */
static inline unsigned ts_literal_lengths(const RuleSet *set, unsigned tables,
                                          const unsigned char *p) {
  unsigned lengths = set->lengths[ts_literal_pair(p)] & tables;
  return lengths ? lengths & (0x07070707u | set->longer[ts_literal_quad(p)]) : 0;
}

/* All bits of a table. */
#define TABLE_BITS(table) (255u << 8 * (table))

/* Does a literal of a table stand at p, where the first nHead bytes are head and n bytes are left? */
static inline int ts_literal_stands(const RuleSet *set, const Waiting *lit, int table,
                                    const unsigned char *p, unsigned long long head, int nHead,
                                    int n) {
  if (lit->head != head || lit->table != table || lit->n > n) return 0;
  if (nHead < LITERAL_HEAD) return lit->n == nHead;
  return memcmp(set->text + lit->at + LITERAL_HEAD, p + LITERAL_HEAD,
                (size_t)lit->n - LITERAL_HEAD) == 0;
}

/* Can what stands behind a literal follow it? Says yes when it cannot tell. Two bytes behind the text are readable. */
static inline int ts_literal_can_end(LiteralEnd end, const unsigned char *p) {
  unsigned c = *p;
  if (end == ENDS_ANYHOW || c == 0 || c == '\n') return 1;
  if (end == ENDS_LINE) return 0;
  if (c < 0x80) return !ts_rule_is_letter(c) || (end == ENDS_LETTERS && (c < 'A' || c == '_'));
  if (c == 0xC3) return p[1] == 0x97 || p[1] == 0xB7; /* signs among Latin letters */
  return c != 0xC4 && c != 0xD0 && c != 0xD1 &&
         !(c == 0xC5 && p[1] < 0xBF); /* Latin and Cyrillic letters */
}

/* Do such bytes stand behind a literal? Two bytes behind the text are readable. */
static inline int ts_literal_goes_on(const RuleSet *set, unsigned follows, const unsigned char *p) {
  return set->follows[follows].row[p[0] & 15] >> (p[1] & 15) & 1;
}

/* Is what stands behind a literal beyond doubt what may follow it? */
static inline int ts_literal_ends_surely(LiteralEnd end, const unsigned char *p, int isLast) {
  if (end == ENDS_ANYHOW || isLast || *p == '\n') return 1;
  return end != ENDS_LINE && *p > 0 && *p < 0x80 && ts_literal_can_end(end, p);
}

/* Two or four bytes as the number of a bit. */
static inline unsigned ts_gram(const char *p, int n) {
  unsigned short two;
  unsigned four;
  if (n < 4) {
    memcpy(&two, p, sizeof(two));
    return two * 2654435761u >> 18;
  }
  memcpy(&four, p, sizeof(four));
  return four * 2654435761u >> 18;
}

/* ---- rule_compile.c ---------------------------------------------------------------------------------- */

/* Writes a message into err, of nErr bytes; NULL: nobody asks. */
void ts_rules_error(char *err, int nErr, const char *format, ...);

/* PCRE2 with SQLite's memory, and its compiler within the limits of rules; NULL: no memory. */
pcre2_general_context *ts_rules_engine(void);
pcre2_compile_context *ts_rules_compiler(pcre2_general_context *general);

int ts_rule_read(const RuleRow *row, Rule *rule, char *err, int nErr);
int ts_pattern_compile(pcre2_compile_context *context, const char *pattern, int n, uint32_t more,
                       pcre2_code **out, int *offset, char *err, int nErr);
int ts_rule_size(const pcre2_code *code);
int ts_rule_fits(int size, char *err, int nErr);
int ts_rule_compile(RuleSet *set, const RuleRow *row, Rule *rule, pcre2_code **code, char *err,
                    int nErr);
int ts_rule_compile_as(const RuleSet *set, const Rule *rule, const char *pattern, int n,
                       pcre2_code **code, char *err, int nErr);

/* ---- rule_run.c -------------------------------------------------------------------------------------- */

int ts_rule_try(RuleSet *set, Rule *rule, const char *text, int n, int from, int *end, char *err,
                int nErr);

/* ---- rule_scan.c ------------------------------------------------------------------------------------- */

void ts_rules_read_grams(RuleSet *set, const char *folded, int n);
int ts_rule_has_needs(RuleSet *set, int index);
/* Runs the rules that could match, units apart, and notes which do. */
int ts_rules_scan(RuleSet *set, const Walk *w, char *err, int nErr);

/* ---- rule_cover.c ------------------------------------------------------------------------------------ */

int ts_rules_walk_affirmations(RuleSet *set, const Walk *w, int *affirmed, char *err, int nErr);
int ts_rules_walk_cover(RuleSet *set, const Walk *w, RuleMatch *out, char *err, int nErr);

#endif
