/*
** test_patterns.c - the tables into which the patterns of answers are compiled, against the patterns as they are
** written.
**
** For every row messages are made that it fits: one alternative of each step, words of a task for @task and @held, some of
** them with a letter changed. At the first places of each message all rows are tried in the plainest way, letter
** by letter and with a table of edits, and what ts_patterns_read finds has to be the same, place by place and
** meaning by meaning, literally and with typos.
*/
#include "patterns.h"
#include "tap.h"
#include "utf8.h"

#include <stdlib.h>

#define MAX_ROWS 4096
#define MAX_ALTERNATIVES 32768
#define MAX_WORDS 16 /* of an alternative */
#define MAX_LETTERS 26

/* The phrases of sql/answers/, as the build reads them. */
static const struct {
  WordsMeaning meaning;
  const char *pattern;
} phrases[] = {
#include "choice_phrases.h"
};

static const char task[] = "Migrate the mail templates to the new engine";

typedef struct Letters {
  unsigned c[MAX_LETTERS];
  int n;
} Letters;

typedef struct Alternative {
  const char *z; /* as it is written, without "=" */
  int nBytes;
  int isExact, isTask;
  int endsStep, isOptional, endsRow;
  Letters word[MAX_WORDS];
  int n;
} Alternative;

static Alternative alternatives[MAX_ALTERNATIVES];
static int rowAt[MAX_ROWS], nRows, nAlternatives;

/* ---- The patterns as they are written ------------------------------------------------------------ */

static void foldAlternative(Alternative *a) {
  int open = 0;
  for (int at = 0; at < a->nBytes;) {
    unsigned c, first, second;
    CharKind kind;
    at += ts_utf8_next(a->z + at, a->nBytes - at, &c);
    kind = c == '_' ? CHAR_SPACE : ts_words_fold(c, &first, &second);
    if (kind == CHAR_NOTHING) continue;
    if ((kind == CHAR_LETTER && !open) || kind == CHAR_ALONE) a->n++;
    open = kind == CHAR_LETTER;
    if (!open && kind != CHAR_ALONE) continue;
    if (a->n > MAX_WORDS || a->word[a->n - 1].n > MAX_LETTERS - 2) abort();
    Letters *word = &a->word[a->n - 1];
    word->c[word->n++] = first;
    if (open && second) word->c[word->n++] = second;
  }
}

static void addAlternative(const char *z, int n) {
  Alternative *a = &alternatives[nAlternatives++];
  if (nAlternatives == MAX_ALTERNATIVES || nRows == MAX_ROWS) abort();
  a->isExact = *z == '=';
  a->z = z + a->isExact;
  a->nBytes = n - a->isExact;
  a->isTask = *z == '@';
  if (!a->isTask) foldAlternative(a);
}

static void addPattern(const char *z) {
  rowAt[nRows++] = nAlternatives;
  while (*(z += strspn(z, " "))) {
    int n = (int)strcspn(z, " |?");
    addAlternative(z, n);
    alternatives[nAlternatives - 1].endsStep = z[n] != '|';
    for (int k = nAlternatives - 1; z[n] == '?' && k >= rowAt[nRows - 1]; k--) {
      if (k < nAlternatives - 1 && alternatives[k].endsStep) break;
      alternatives[k].isOptional = 1;
    }
    z += n + (z[n] == '|' || z[n] == '?');
  }
  alternatives[nAlternatives - 1].endsRow = 1;
}

/* ---- The plainest way ---------------------------------------------------------------------------- */

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Letters more, less, other and two swapped, by which b becomes a. */
static int edits(const unsigned *a, int nA, const unsigned *b, int nB) {
  int d[MAX_LETTERS + 2][MAX_LETTERS + 2];
  for (int i = 0; i <= nA; i++) {
    for (int k = 0; k <= nB; k++) {
      d[i][k] = i == 0 ? k : k == 0 ? i : d[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
      if (i && k) d[i][k] = least(d[i][k], least(d[i - 1][k], d[i][k - 1]) + 1);
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
    }
  }
  return d[nA][nB];
}

static int isSame(const Words *w, int i, const Letters *meant, int typos) {
  const Word *word = &w->word[i];
  const unsigned *typed = &w->chars[word->at];
  int isEqual = word->n == meant->n && memcmp(typed, meant->c, word->n * sizeof(*typed)) == 0;
  if (isEqual || !typos || meant->n < 5 || abs(word->n - meant->n) > 1) return isEqual;
  if (word->number != WORD_NO_NUMBER) return 0; /* a word of its own */
  return edits(typed, word->n, meant->c, meant->n) <= 1;
}

static int isOfTask(const Words *w, int i, const Words *ofTask) {
  for (int k = 0; k < ofTask->n; k++) {
    if (ts_words_related(w, i, ofTask, k)) return 1;
  }
  return 0;
}

/* The lengths an alternative has at word i: bit k for k words. */
static Ends lengthsOf(const Words *w, int i, const Alternative *a, const Words *ofTask, int typos) {
  Ends lengths = 0;
  int n = 0;
  if (a->isTask) {
    for (; n < 3 && i + n < w->n && isOfTask(w, i + n, ofTask); n++)
      lengths |= ts_ends_bit(n + 1);
    return lengths;
  }
  while (n < a->n && i + n < w->n && isSame(w, i + n, &a->word[n], typos && !a->isExact))
    n++;
  return n == a->n ? ts_ends_bit(n) : 0;
}

static Ends endsOfRow(const Words *w, int i, int row, const Words *ofTask, int typos) {
  Ends at = ts_ends_bit(i), next = 0;
  for (const Alternative *a = &alternatives[rowAt[row]];; a++) {
    for (int k = i; k < w->n; k++) {
      if (at & ts_ends_bit(k)) next |= lengthsOf(w, k, a, ofTask, typos) << k;
    }
    if (!a->endsStep) continue;
    at = next | (a->isOptional ? at : 0);
    next = 0;
    if (a->endsRow || !at) return at & ~ts_ends_bit(i);
  }
}

/* Can the row begin with one of the first two characters of word i? */
static int hasHead(const Words *w, int i, int row) {
  const Word *word = &w->word[i];
  uint32_t head = ts_words_head_bit(w->chars[word->at]);
  if (word->n > 1) head |= ts_words_head_bit(w->chars[word->at + 1]);
  for (const Alternative *a = &alternatives[rowAt[row]];; a++) {
    if (a->isTask || (ts_words_head_bit(a->word[0].c[0]) & head)) return 1;
    if (a->endsStep && (!a->isOptional || a->endsRow)) return 0;
  }
}

/* ---- Messages -------------------------------------------------------------------------------------- */

static unsigned seed = 1;

static int roll(int n) {
  seed = seed * 1103515245u + 12345u;
  return (int)(seed >> 16) % n;
}

/* Another letter for one of the last bytes, where it is ASCII. */
static void spoil(char *text, int n) {
  int at = n - 1 - roll(n < 6 ? n : 6);
  if (text[at] >= 'a' && text[at] <= 'z') text[at] = (char)('a' + roll(26));
}

/* A message for a row: one of each step's alternatives, or none where it can be missing. */
static int messageFor(int row, char *text, int typos) {
  int n = 0;
  for (int k = rowAt[row], first = k;; k++) {
    const Alternative *a = &alternatives[k];
    if (!a->endsStep) continue;
    const Alternative *taken = &alternatives[first + roll(k - first + 1)];
    if (!a->isOptional || roll(2)) {
      const char *z = taken->isTask ? "mail templates" : taken->z;
      int nBytes = taken->isTask ? 14 : taken->nBytes;
      for (int i = 0; i < nBytes; i++)
        text[n++] = (char)(z[i] == '_' ? ' ' : z[i]);
      if (typos && roll(2)) spoil(text, n);
      text[n++] = ' ';
    }
    if (a->endsRow) return n;
    first = k + 1;
  }
}

/* ---- Both ------------------------------------------------------------------------------------------ */

static int isRead(PatternText *t, int i, int wide) {
  Ends by[WORDS_MEANINGS] = {0}, plain[WORDS_MEANINGS] = {0};
  ts_patterns_read(t, i, ~(uint64_t)0, wide, by);
  for (int row = 0; row < nRows; row++) {
    if (t->typos && !wide && !hasHead(t->words, i, row)) continue;
    plain[phrases[row].meaning] |= endsOfRow(t->words, i, row, t->task, t->typos);
  }
  return memcmp(by, plain, sizeof(by)) == 0;
}

static void testRow(int row, const Words *ofTask) {
  char text[4000];
  Words w;
  for (int typos = 0; typos <= 1; typos++) {
    int n = messageFor(row, text, typos);
    ts_words_split(&w, text, n);
    ts_patterns_look_up(&w);
    PatternText t = {.words = &w, .task = ofTask, .held = ofTask, .typos = typos};
    for (int i = 0; i < w.n && i < 3; i++) {
      CHECK(tap_name("word %d of \"%.*s\", typos %d", i, n, text, typos),
            isRead(&t, i, row % 8 == 0));
    }
  }
}

int main(void) {
  static Words ofTask;
  ts_words_split(&ofTask, task, (int)sizeof(task) - 1);
  for (size_t k = 0; k < sizeof(phrases) / sizeof(*phrases); k++)
    addPattern(phrases[k].pattern);
  CHECK("there are rows", nRows > 500);
  for (int row = 0; row < nRows; row++)
    testRow(row, &ofTask);
  return tap_done("patterns");
}
