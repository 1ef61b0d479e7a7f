/*
** patterns.h - the patterns of sql/answers/, found by the words with which they can begin.
**
** The patterns are compiled while the library is built (ext/classify/words/compile.c), into the constant tables below:
**
**   - Every word that stands in a pattern has a number. It is found by a key of all its letters, and, with a
**     typo in it, by a key of its front or its back half: one edit leaves one of the two as it was.
**   - A pattern is a row of steps, and a step a set of alternatives, which are words one after the other.
**   - Of each word it is known which steps it can begin a row with. So what begins at a place of a message costs
**     what the word that stands there has in the tables; a word that is in none costs next to nothing.
**
** Nothing is allocated, and nothing is worked out when the library runs.
**
** The language of patterns, which ext/classify/words/ reads:
**
**   word1 word2      one after the other
**   a|b|c            one of these
**   a|b?             one of these or nothing
**   left_off         the two words "left off" as one alternative
**   =latter          no typos: a neighbour of this word means something else
**   @task            words of what the open task is about, up to three
**   @held            words of the request that would replace it, up to three
**
** They are folded like messages, so they can be written with capitals, accents and apostrophes.
*/
#ifndef TS_PATTERNS_H
#define TS_PATTERNS_H

#include "answer_words.h"
#include "words.h"

#include <stdint.h>

#define PATTERN_TYPO_LETTERS 5 /* of a word in which a typo is forgiven */
#define PATTERN_MAX_LETTERS 24 /* of a word in a pattern */
#define PATTERN_KEYS 8192      /* a power of two */
#define PATTERN_MAX_STEPS 4096

/* A word of an alternative: its number, and … */
#define PATTERN_NUMBER 0x3FFF
#define PATTERN_EXACT 0x4000 /* no typos */
#define PATTERN_MORE 0x8000  /* the next one belongs to the same alternative */

#define PATTERN_TASK 0 /* the sets that stand for @task and @held */
#define PATTERN_HELD 1

typedef enum PatternKey { PATTERN_WHOLE, PATTERN_FRONT, PATTERN_BACK } PatternKey;

typedef struct PatternStep {
  uint16_t set;
  uint16_t row;
  uint8_t isOptional;
  uint8_t isLast;
} PatternStep;

typedef struct PatternRow {
  uint32_t heads; /* the bits of the characters with which it can begin (ts_words_head_bit) */
  uint8_t meaning;
} PatternRow;

/* Ranges of one table in another: entry k is [at[k], at[k + 1]). */
extern const uint16_t ts_pattern_letters_at[]; /* word number → its letters, narrow (words.h) */
extern const uint16_t ts_pattern_letters[];
extern const uint16_t ts_pattern_keys_at[]; /* key → word numbers */
extern const uint16_t ts_pattern_keys[];
extern const uint16_t
    ts_pattern_begins_at[]; /* word number → steps, behind the last those of @task, of @held */
extern const uint16_t ts_pattern_begins[];
extern const uint16_t ts_pattern_sets_at[]; /* set → words of its alternatives */
extern const uint16_t ts_pattern_sets[];
extern const PatternStep ts_pattern_steps[];
extern const PatternRow ts_pattern_rows[];
extern const int ts_pattern_words; /* how many words have a number */

/* The key of a half or all of a word of so many letters; ext/classify/words/compile.c takes the same. */
static inline uint32_t ts_pattern_key(PatternKey kind, int length, const uint16_t *letters, int n) {
  uint32_t key = 2166136261u ^ ((uint32_t)kind << 8 | (uint32_t)length);
  for (int k = 0; k < n; k++)
    key = (key ^ letters[k]) * 16777619u;
  return (key ^ key >> 15) & (PATTERN_KEYS - 1);
}

/* A message, and what was found out about it. All zero but for the first four to begin with. */
typedef struct PatternText {
  const Words *words; /* looked up */
  const Words *task;  /* what @task stands for, or NULL */
  const Words *held;  /* what @held stands for, or NULL */
  int typos; /* a letter more, less or other, or two swapped, in a word of five letters and more */
  Ends isNear, isTask, isHeld; /* of which words the next three are known */
  uint64_t
      near[WORDS_MAX]; /* the words that it may be with a typo in it, one bit for several each */
  uint8_t asTask[WORDS_MAX]; /* bit k: it and those behind it are k words of the task */
  uint8_t asHeld[WORDS_MAX]; /* … of the request */
} PatternText;

/* Looks all the words up: Word.number. */
void ts_patterns_look_up(Words *w);

/* What begins at word i, of the meanings of which the bits are set: by[meaning] gets the places where it can
** end. wide: 0: with typos, only rows that can begin with one of the word's first two characters. */
void ts_patterns_read(PatternText *t, int i, uint64_t meanings, int wide, Ends by[WORDS_MEANINGS]);

#endif
