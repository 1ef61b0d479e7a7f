/*
** words.h - a message as folded words, and small patterns of words.
**
** Folded: lower case, no accents, no punctuation, no emoji, no direction marks; full-width and circled
** letters are letters, digits of other scripts are digits. A Chinese or Japanese character is a word of its
** own.
**
** A pattern:
**
**   word1 word2      one after the other
**   a|b|c            one of these
**   a|b?             one of these or nothing
**   left_off         the two words "left off" as one alternative
**   =latter          no typos: a neighbour of this word means something else
**   @task            words of what the open task is about, up to three
**
** Patterns are folded like messages, so they can be written with capitals, accents and apostrophes.
**
** Pure, and nothing is allocated.
*/
#ifndef TS_WORDS_H
#define TS_WORDS_H

#include <stdint.h>

#define WORDS_MAX 40        /* so many words are looked at, from the beginning */
#define WORDS_MAX_BYTES 600 /* … and so many bytes */

typedef struct Word {
  unsigned short at; /* first folded character */
  unsigned short n;
  unsigned char stop; /* punctuation follows, or a line ends */
  unsigned char list; /* … a bracket or a dot, as behind the number of a list */
} Word;

typedef struct Words {
  unsigned chars[2 * WORDS_MAX_BYTES]; /* at most two per byte */
  Word word[WORDS_MAX];
  int n;
  int isCut; /* there are more of them */
  int asks;  /* a question mark stands at the very end, where nothing is cut */
} Words;

/* Where something can end, one bit per place: bit k for "before word k". */
typedef uint64_t Ends;

/* Splits a text. Bytes may be anything. */
void ts_words_split(Words *w, const char *text, int n);

/* Where the pattern can end when it begins at word i: without place i itself, so that nothing is no match.
** task: the words that @task stands for, or NULL. typos: a letter more, less or other, in a word of five
** letters and more. */
Ends ts_words_match(const Words *w, int i, const char *pattern, const Words *task, int typos);

/* The first folded characters, one bit for several each, with which the pattern can begin: no word of another
** one begins it. */
uint32_t ts_words_heads(const char *pattern);

/* The bits of the heads that word i can have: of its first character, and, with typos, of the second,
** with which that may have been swapped. */
uint32_t ts_words_head(const Words *w, int i, int typos);

/* Is word i of w the one at k of other? Small typos may be forgiven. */
int ts_words_equal(const Words *w, int i, const Words *other, int k, int typos);

/* Do two words have the same stem, so that they speak of the same thing? Short ones have none. */
int ts_words_related(const Words *w, int i, const Words *other, int k);

/* The first folded character of a word, when it has no other; else 0. */
unsigned ts_words_letter(const Words *w, int i);

#endif
