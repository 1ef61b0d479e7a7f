/*
** typed_stop.c - a stop as people type it in a hurry. See typed_stop.h.
*/
#include "typed_stop.h"

#include "cues.h"
#include "utf8.h"
#include "words.h"

#include <string.h>

#define MAX_BYTES 60
#define MAX_LETTERS 24
#define SWAPPED_LETTERS 4 /* in a shorter word no two letters are taken for swapped */

typedef struct Letters {
  unsigned c[MAX_LETTERS + 2]; /* folded, and each of a run of one letter once */
  int n;
  int nWords, longest; /* in letters, with those that are repeated */
  int isOther;         /* it has signs of code, or too much of all */
} Letters;

static void addLetter(Letters *l, unsigned c) {
  if (l->n && l->c[l->n - 1] == c) return;
  if (l->n >= MAX_LETTERS)
    l->isOther = 1;
  else
    l->c[l->n++] = c;
}

/* A mention that ends the text, behind some words: "stop @helper". */
static int isMention(const Letters *l, const char *z, int n) {
  return l->n > 0 && n > 1 && *z == '@' && memchr(z, ' ', (size_t)n) == NULL;
}

static void readLetters(Letters *l, const char *z, int n) {
  int inWord = 0, nAt;
  memset(l, 0, sizeof(*l));
  for (; n > 0 && !l->isOther; z += nAt, n -= nAt) {
    unsigned c, first = 0, second = 0;
    CharKind kind;
    nAt = ts_utf8_next(z, n, &c);
    kind = ts_words_fold(c, &first, &second);
    if (kind == CHAR_NOTHING) continue;
    if (!inWord && isMention(l, z, n)) return;
    if (kind == CHAR_LETTER || (kind == CHAR_ALONE && c >= 0x2E80)) {
      l->nWords += !inWord;
      inWord = kind == CHAR_LETTER ? inWord + 1 : 1;
      if (inWord > l->longest) l->longest = inWord;
      addLetter(l, first);
      if (second) addLetter(l, second);
    } else {
      inWord = 0;
      l->isOther = c < 0x80 && c != 0 && strchr("()[]{}<>;:=/\\$#&|@", (int)c) != NULL;
    }
  }
}

static int isSame(const Letters *a, const Letters *b) {
  int n = a->n, at = 0;
  if (n != b->n) return 0;
  while (at < n && a->c[at] == b->c[at])
    at++;
  if (at == n) return 1;
  if (n < SWAPPED_LETTERS || at + 1 == n) return 0;
  if (a->c[at] != b->c[at + 1] || a->c[at + 1] != b->c[at]) return 0;
  return memcmp(&a->c[at + 2], &b->c[at + 2], (size_t)(n - at - 2) * sizeof(a->c[0])) == 0;
}

/* Is all of a text a word of a list? For a stop it may be typed in other letters. */
static int isIn(Cue cue, const char *z, int n, int isTyped) {
  const CueList *list = &ts_cues[cue];
  Letters said, word;
  readLetters(&said, z, n);
  if (said.isOther || said.n == 0 || (said.nWords > 1 && said.longest > 1)) return 0;
  for (int i = 0; i < list->n; i++) {
    readLetters(&word, list->word[i], (int)strlen(list->word[i]));
    if (isTyped
            ? isSame(&said, &word)
            : said.n == word.n && memcmp(said.c, word.c, (size_t)said.n * sizeof(said.c[0])) == 0)
      return 1;
  }
  return 0;
}

int ts_stop_is_typed(const Shape *s) {
  const char *z = s->text, *end;
  int n = s->n, first;
  if (n == 0 || n > MAX_BYTES || s->isCut || s->nQuestions > 0 || s->nLines > 2) return 0;
  if (s->nLines == 1) return isIn(CUE_STOPS_A_RUN, z, n, 1);
  end = memchr(z, '\n', (size_t)n);
  if (end == NULL) return 0;
  first = (int)(end - z);
  return (isIn(CUE_WHAT_IT_IS, z, first, 0) && isIn(CUE_STOPS_A_RUN, end + 1, n - first - 1, 1)) ||
         (isIn(CUE_STOPS_A_RUN, z, first, 1) && isIn(CUE_WHAT_IT_IS, end + 1, n - first - 1, 0));
}
