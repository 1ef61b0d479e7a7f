/*
** literals.h - which pieces of text must a match of a pattern contain?
**
** Used to skip rules that cannot match, and places where they cannot. The answer is a set of folded
** literals of which one occurs, folded, in every text the pattern matches, if possible at the
** start of the match. Finding no such set is always a correct answer; the rule is then tried on
** every message.
*/
#ifndef TS_LITERALS_H
#define TS_LITERALS_H

#include "utf8.h"

/* More alternatives than this, and the rule is simply tried every time. */
#define TS_LITERALS_MAX 500

#define TS_HEAD_MAX 8 /* bytes of a literal at the start of a match that are worth comparing */

/* More of these, and it is quicker to run the pattern than to look for them. */
#define TS_NEEDS_MAX 160

typedef enum LiteralKind {
  LITERALS_NONE,    /* nothing is known */
  LITERALS_WITHIN,  /* a match contains one of them, of two bytes or more */
  LITERALS_AT_START /* a match begins with one of them, perhaps behind look-around */
} LiteralKind;

/* Where a match can begin, when it begins with a literal. */
typedef enum LiteralPlace {
  PLACE_ANY,
  PLACE_WORD, /* the pattern begins with \b */
  PLACE_LINE, /* with ^ */
  PLACE_TEXT  /* with \A */
} LiteralPlace;

/* What must not follow a literal with which a match begins, the least first. */
typedef enum LiteralEnd {
  ENDS_ANYHOW,
  ENDS_LETTERS, /* a letter */
  ENDS_WORD,    /* … nor a digit or "_" */
  ENDS_LINE     /* anything but the end of the line */
} LiteralEnd;

/* Which two bytes can stand behind a literal: a bit per low half of the first and of the second. */
typedef struct LiteralNext {
  unsigned short row[16];
} LiteralNext;

/* They have numbers. 0: anything. Then those of two known bytes, and of one, by their low halves; then those of a pattern. */
enum { TS_NEXT_PAIR = 1, TS_NEXT_BYTE = TS_NEXT_PAIR + 256, TS_NEXT_OWN = TS_NEXT_BYTE + 16 };
#define TS_NEXT_MAX 256 /* of a pattern */

typedef struct Literal {
  unsigned short at;     /* offset into LiteralSet.text */
  unsigned short n;      /* bytes */
  unsigned char end;     /* LiteralEnd */
  unsigned char isExact; /* it is a match where its place and its end are right */
  unsigned char place;   /* LiteralPlace, where a match begins with it */
  unsigned short next;   /* the number of what can follow */
} Literal;

typedef struct LiteralSet {
  LiteralKind kind;
  LiteralPlace place;
  int n;
  Literal list[TS_LITERALS_MAX];
  int nNeeds; /* a match that begins with a literal contains one of these besides; 0: nothing is known */
  Literal needs[TS_NEEDS_MAX];
  int asks; /* every match contains a question mark */
  int nNext;
  LiteralNext next[TS_NEXT_MAX]; /* from number TS_NEXT_OWN on */
  char text[1536 +
            TS_LITERALS_MAX * TS_HEAD_MAX]; /* as long as the longest pattern, and the heads */
} LiteralSet;

/* Fills set from the pattern (n bytes, valid UTF-8, compiles without PCRE2_EXTENDED). */
void ts_literals_of(const char *pattern, int n, LiteralSet *set);

/*
** Folds valid UTF-8 so that texts which differ only in case become equal as far as literals are
** concerned: Latin, basic Cyrillic, and the odd characters that Unicode equates with those. out
** needs n bytes; returns the bytes written (never more than n).
*/
int ts_fold(const char *in, int n, char *out);

#endif
