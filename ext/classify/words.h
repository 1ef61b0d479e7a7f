/*
** words.h - a message as folded words.
**
** Folded: lower case, no accents, no punctuation, no emoji, no direction marks; full-width and circled
** letters are letters, digits of other scripts are digits. A Chinese or Japanese character is a word of its
** own.
**
** Pure, and nothing is allocated.
*/
#ifndef TS_WORDS_H
#define TS_WORDS_H

#include <stdint.h>

#define WORDS_MAX 40        /* so many words are looked at, from the beginning */
#define WORDS_MAX_BYTES 600 /* … and so many bytes */
#define WORD_NO_NUMBER 0xFFFF

typedef struct Word {
  unsigned short at; /* first folded character */
  unsigned short n;
  unsigned short number; /* in the patterns (patterns.h), once it is looked up; or WORD_NO_NUMBER */
  unsigned char stop;    /* punctuation follows, or a line ends */
  unsigned char list;    /* … a bracket or a dot, as behind the number of a list */
  unsigned char asks;    /* … a question mark */
  unsigned char glued;   /* it goes on as within a name: "B-tree", "1.5", "B&B" */
  unsigned char accent;  /* a letter has lost an accent: "è" is no "e" */
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

static inline Ends ts_ends_bit(int place) {
  return (Ends)1 << (place & 63);
}

/* The first of the places, of which there is one at least. */
static inline int ts_ends_first(Ends ends) {
  return __builtin_ctzll(ends);
}

typedef enum CharKind {
  CHAR_NOTHING, /* leaves no trace: accents, apostrophes, variation selectors */
  CHAR_SPACE,   /* ends a word: blanks, control characters, emoji */
  CHAR_STOP,    /* ends a word and says so: punctuation */
  CHAR_LETTER,
  CHAR_ALONE /* a word of its own: a Chinese or Japanese character, a sign that must not be lost */
} CharKind;

/* Folds a character: its kind and, for the kinds that leave one, one or two folded characters
** (second 0 when there is none). */
CharKind ts_words_fold(unsigned c, unsigned *first, unsigned *second);

/* A folded character in 16 bits. Those of the patterns keep apart from all others. */
uint16_t ts_words_narrow(unsigned c);

/* One of 32 bits, by which words with another first character are told apart quickly. */
uint32_t ts_words_head_bit(unsigned c);

/* Splits a text. Bytes may be anything. */
void ts_words_split(Words *w, const char *text, int n);

/* Is word i of w the one at k of other? With typos, a letter may be more, less or other, or two swapped, in a
** word of five letters and more. */
int ts_words_equal(const Words *w, int i, const Words *other, int k, int typos);

/* Do two words have the same stem, so that they speak of the same thing? Short ones have none. */
int ts_words_related(const Words *w, int i, const Words *other, int k);

/* almostEqual(a, nA, b, nB) for letters of a type: true when a and b are one edit apart at most: a letter more, less
** or other, or two swapped. */
#define TS_ALMOST_EQUAL(type)                                                                      \
  static int almostEqual(const type *a, int nA, const type *b, int nB) {                           \
    while (nA && nB && a[0] == b[0])                                                               \
      a++, b++, nA--, nB--;                                                                        \
    while (nA && nB && a[nA - 1] == b[nB - 1])                                                     \
      nA--, nB--;                                                                                  \
    if (nA <= 1 && nB <= 1) return 1;                                                              \
    return nA == 2 && nB == 2 && a[0] == b[1] && a[1] == b[0];                                     \
  }

/* The first folded character of a word, when it has no other; else 0. */
unsigned ts_words_letter(const Words *w, int i);

#endif
