/*
** rules.h - a set of pattern rules, compiled from plain rows and matched against one text.
**
** Usage:  ts_rules_new, ts_rules_add for each row, ts_rules_finish, then any number of
** ts_rules_match, at last ts_rules_free. A set belongs to one thread (one connection).
**
** Functions that can fail return SQLITE_OK, SQLITE_NOMEM, or SQLITE_ERROR with a message in err,
** a buffer of nErr bytes given by the caller (it is always terminated; 400 bytes are plenty).
*/
#ifndef TS_RULES_H
#define TS_RULES_H

#include "classify.h"
#include "shape.h"

#include <stddef.h>

#define TS_RULE_MAX_PATTERN 1500         /* bytes of one pattern */
#define TS_RULE_MAX_WEIGHT 100.0         /* weights lie between minus this and this */
#define TS_RULE_MAX_COUNT 5000           /* rules in one set */
#define TS_RULE_MAX_COMPILED (32 * 1024) /* bytes of one compiled pattern */
#define TS_RULES_MAX_COMPILED 8388608    /* … of all that a set has compiled */
#define TS_RULES_MAX_LATE 2097152 /* … and of those that are compiled when they are first run */
#define TS_RULES_MAX_JIT                                                                           \
  ((size_t)16 * 1024 * 1024)  /* bytes of machine code; then no rule gets more */
#define TS_RULE_MAX_LANGS 32  /* languages kept apart in one set; more share the last number */
#define TS_RULE_LANG_BYTES 16 /* of a language's name, the part that counts */

/* Classes of rules that know a unit, to be matched at a given place; see classify.c. */
typedef enum UnitClass {
  RULE_AFFIRMATION = CLASS_COUNT, /* approval: "yes", "perfect", "thanks" */
  RULE_COMPLETION,                /* the work is done: "it works now", "that's all" */
  RULE_DISMISSAL,                 /* it is given up: "forget it", "we don't need that any more" */
  RULE_REFUSAL,                   /* "no", "nothing else" */
  RULE_FILLER,                    /* says nothing of its own: "so", "the whole thing", "please" */
  RULE_CLASSES_END
} UnitClass;
#define UNIT_KINDS (RULE_CLASSES_END - RULE_AFFIRMATION)

/* A row of `message_rules`. Texts with their lengths in bytes; they need not be terminated. */
typedef struct RuleRow {
  long long id;
  const char *cls; /* a name of ts_class_names, or of a unit: "Affirmation", "Completion", … */
  int nCls;
  const char *state; /* a state or a list "Running, Interrupted"; NULL or empty: every state */
  int nState;
  const char *pattern;
  int nPattern;
  double weight;
  const char *lang; /* NULL, empty or "any": every language */
  int nLang;
  int isShipped; /* the pattern is one of the library's own: it is compiled when it is first run */
} RuleRow;

/* A rule as it is kept; what is asked at every try stands together. */
typedef struct Rule {
  unsigned long long tried; /* match and place of the last try, see runAt, */
  int triedEnd;             /* … and where a unit ended, 0: it was none */
  void *code;               /* pcre2_code; NULL: a list of words, or not compiled yet */
  double weight;
  unsigned failed; /* the match in which it went beyond its limits */
  unsigned states; /* bit 1 << TaskState per state in which it counts */
  int cls;         /* MessageClass or UnitClass */
  int lang;        /* number of the language in this set, 0: every language */
  int uses;        /* how often it was run: a JIT program is made at the second */
  int isJit;
  int isList;   /* a unit that is one of some words: no pattern is run */
  int place;    /* LiteralPlace */
  int hasState; /* the row named states */
  int kind;     /* LiteralKind: how the rule is found, see literals.h */
  long long id;
  char *pattern; /* terminated, for error messages */
  int nPattern;
  int nCompiled; /* bytes of code */
} Rule;

typedef struct RuleSet RuleSet;

/* Which units the clauses of a text consist of, clause by clause, however much of the text no unit knows. Kinds
** are bits 1 << (kind - RULE_AFFIRMATION), without fillers; a negated clause has none. */
typedef struct ClauseUnits {
  unsigned whole;       /* kinds of the clauses that consist of units, */
  unsigned partly;      /* and of those that hold other words as well */
  unsigned first, last; /* kinds of the first and of the last clause, if it consists of units */
  int nOthers;          /* clauses that don't */
} ClauseUnits;

/* What ts_rules_match found; valid until the next match or change of the set. */
typedef struct RuleMatch {
  const int *hits; /* indexes of the rules that matched, ascending; no rules of units */
  int nHits;
  const char *folded; /* the text, see ts_fold; as it is where folding would shorten it */
  int affirmed;       /* bytes at the start of the text that are nothing but units of approval */
  /* Units of all kinds, walked to the end of the text. */
  int isCovered;          /* they are all of it, up to one word, and not negated */
  int isNegated;          /* a clause holds one that closes, and one that negates */
  int nUnits[UNIT_KINDS]; /* of each kind, from RULE_AFFIRMATION on */
  int nOver;              /* words left over, in halves: an ideograph is one */
  ClauseUnits clauses;
  int nTries;   /* how often a pattern was run */
  int nLeftOut; /* rules that went beyond their limits; err says of the first what was wrong */
} RuleMatch;

/*
** Checks a pattern by itself: valid UTF-8, at most TS_RULE_MAX_PATTERN bytes, no verbs or options
** "(*", no callouts, no calls of groups, compiles to at most TS_RULE_MAX_COMPILED bytes; and stays within its limits on texts that are hard
** for patterns, looked for and anchored as rules are. On SQLITE_ERROR, *offset is the byte where the
** trouble is, 0 for what matching has shown.
*/
int ts_rule_check(const char *pattern, int n, int *offset, char *err, int nErr);

/* Checks a whole row, as ts_rules_add does. nCompiled, unless NULL, receives the bytes it compiles to. */
int ts_rule_check_row(const RuleRow *row, int *nCompiled, char *err, int nErr);

/* The same without running the pattern on hard texts: for one that has been tried. */
int ts_rule_compile_row(const RuleRow *row, int *nCompiled, char *err, int nErr);

/* Has a set that compiled so many bytes for so many rules no room for one more rule? err says why. */
int ts_rules_full(int nRules, long long nCompiled, char *err, int nErr);

int ts_rules_new(RuleSet **out);
/* A rule that can't be used, or finds no room, is an error and not in the set; the set is as usable as
** before. What was compiled for it counts all the same. */
int ts_rules_add(RuleSet *set, const RuleRow *row, char *err, int nErr);
int ts_rules_finish(RuleSet *set);
void ts_rules_free(RuleSet *set); /* NULL is fine */

/* Asks a function every few tries whether to give up: not 0. NULL: asks nobody. */
void ts_rules_watch(RuleSet *set, int (*isOver)(void *arg), void *arg);

int ts_rules_count(const RuleSet *set);
size_t ts_rules_jit(const RuleSet *set); /* bytes of machine code so far */
const Rule *ts_rules_get(const RuleSet *set, int index);

/* Runs every rule, including those whose literals say that they cannot match; for tests. */
#define TS_MATCH_ALL 1

/* Looks for approval only; finds no hits. */
#define TS_MATCH_AFFIRMATION 2

/* Walks units of every kind too, for RuleMatch.isCovered and what follows it. */
#define TS_MATCH_COVER 4

/*
** Matches all rules of one state against a text (valid UTF-8, see shape.h). A rule that exceeds its
** limits is left out of this match, which is never taken for "no match": out says so, and err names it.
** SQLITE_OK, SQLITE_NOMEM, or SQLITE_INTERRUPT when ts_rules_watch's function wants an end.
*/
int ts_rules_match(RuleSet *set, const char *text, int n, TaskState state, int flags,
                   RuleMatch *out, char *err, int nErr);

#endif
