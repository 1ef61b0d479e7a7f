/*
** patterns.c - which patterns begin at a word. See patterns.h.
*/
#include "patterns.h"

#include <string.h>

#define TASK_WORDS 3 /* in a row, that @task or @held stands for */

/* ---- Words ------------------------------------------------------------------------------------- */

static int narrow(const Words *w, int i, uint16_t letters[PATTERN_MAX_LETTERS + 1]) {
  const Word *word = &w->word[i];
  if (word->n > PATTERN_MAX_LETTERS + 1) return 0;
  for (int k = 0; k < word->n; k++)
    letters[k] = ts_words_narrow(w->chars[word->at + k]);
  return word->n;
}

static const uint16_t *lettersOf(int number, int *n) {
  *n = ts_pattern_letters_at[number + 1] - ts_pattern_letters_at[number];
  return &ts_pattern_letters[ts_pattern_letters_at[number]];
}

static unsigned short numberOf(const uint16_t *letters, int n) {
  uint32_t key = ts_pattern_key(PATTERN_WHOLE, n, letters, n);
  for (int k = ts_pattern_keys_at[key]; k < ts_pattern_keys_at[key + 1]; k++) {
    int nMeant;
    const uint16_t *meant = lettersOf(ts_pattern_keys[k], &nMeant);
    if (nMeant == n && memcmp(meant, letters, (size_t)n * sizeof(*letters)) == 0)
      return ts_pattern_keys[k];
  }
  return WORD_NO_NUMBER;
}

void ts_patterns_look_up(Words *w) {
  uint16_t letters[PATTERN_MAX_LETTERS + 1];
  for (int i = 0; i < w->n; i++) {
    int n = narrow(w, i, letters);
    w->word[i].number = n ? numberOf(letters, n) : WORD_NO_NUMBER;
  }
}

TS_ALMOST_EQUAL(uint16_t)

static int isAlmost(const uint16_t *typed, int n, int number) {
  int nMeant;
  const uint16_t *meant = lettersOf(number, &nMeant);
  return nMeant >= PATTERN_TYPO_LETTERS && almostEqual(typed, n, meant, nMeant);
}

/* ---- Patterns ---------------------------------------------------------------------------------- */

/* What the reading of one place needs. */
typedef struct Place {
  PatternText *text;
  int i;
  uint64_t meanings;
  uint32_t heads; /* of rows that may begin here */
  Ends *by;
  uint64_t tried[PATTERN_MAX_STEPS / 64]; /* steps; with typos several words may lead to one */
} Place;

static int isTried(Place *p, int step) {
  uint64_t bit = (uint64_t)1 << (step & 63);
  int is = (p->tried[step >> 6] & bit) != 0;
  p->tried[step >> 6] |= bit;
  return is;
}

static uint8_t readTopic(const PatternText *t, const Words *topic, int i) {
  uint8_t lengths = 0;
  for (int n = 1; topic && n <= TASK_WORDS && i + n <= t->words->n; n++) {
    int found = 0;
    for (int k = 0; k < topic->n && !found; k++)
      found = ts_words_related(t->words, i + n - 1, topic, k);
    if (!found) break;
    lengths |= (uint8_t)(1 << n);
  }
  return lengths;
}

static Ends taskLengths(PatternText *t, int i) {
  if (!(t->isTask & ts_ends_bit(i))) {
    t->isTask |= ts_ends_bit(i);
    t->asTask[i] = readTopic(t, t->task, i);
  }
  return t->asTask[i];
}

static Ends heldLengths(PatternText *t, int i) {
  if (!(t->isHeld & ts_ends_bit(i))) {
    t->isHeld |= ts_ends_bit(i);
    t->asHeld[i] = readTopic(t, t->held, i);
  }
  return t->asHeld[i];
}

static uint64_t nearBits(PatternText *t, int i);

/* Is word i the one that a pattern means? */
static int isWord(PatternText *t, int i, uint16_t meant) {
  uint16_t letters[PATTERN_MAX_LETTERS + 1];
  int number = meant & PATTERN_NUMBER;
  if (t->words->word[i].number == number) return 1;
  if (!t->typos || (meant & PATTERN_EXACT)) return 0;
  if (!(nearBits(t, i) >> (number & 63) & 1)) return 0;
  return isAlmost(letters, narrow(t->words, i, letters), number);
}

/* Of the words that patterns mean, those that a place in the message could be. */
typedef struct Candidates {
  int number;
  uint64_t near; /* with a typo in it */
} Candidates;

static int isCandidate(const Candidates *c, uint16_t meant) {
  int number = meant & PATTERN_NUMBER;
  return number == c->number || (!(meant & PATTERN_EXACT) && (c->near >> (number & 63) & 1));
}

/* How many words the alternatives of a set can take at word i: bit k for k. */
static Ends matchSet(PatternText *t, int i, int set) {
  const uint16_t *meant = &ts_pattern_sets[ts_pattern_sets_at[set]];
  const uint16_t *end = &ts_pattern_sets[ts_pattern_sets_at[set + 1]];
  Candidates first;
  Ends lengths = 0;
  if (set == PATTERN_TASK) return taskLengths(t, i);
  if (set == PATTERN_HELD) return heldLengths(t, i);
  first = (Candidates){t->words->word[i].number, t->typos ? nearBits(t, i) : 0};
  if (first.number == WORD_NO_NUMBER && !first.near) return 0;
  for (; meant < end; meant++) {
    int n = 0, is = isCandidate(&first, *meant);
    while (is && (is = i + n < t->words->n && isWord(t, i + n, *meant)) && (*meant & PATTERN_MORE))
      meant++, n++;
    if (is) lengths |= ts_ends_bit(n + 1);
    while (*meant & PATTERN_MORE)
      meant++;
  }
  return lengths;
}

/* Where the rest of a row, from a step on, can end when it begins at one of some places. */
static Ends matchRest(PatternText *t, const PatternStep *step, Ends at) {
  for (; at; step++) {
    Ends next = step->isOptional ? at : 0;
    for (Ends left = at; left; left &= left - 1) {
      int k = ts_ends_first(left);
      if (k < t->words->n) next |= matchSet(t, k, step->set) << k;
    }
    at = next;
    if (step->isLast) break;
  }
  return at;
}

/* A row that begins at the place with this step, all steps before it left out. */
static void tryStep(Place *p, int number) {
  const PatternStep *step = &ts_pattern_steps[number];
  const PatternRow *row = &ts_pattern_rows[step->row];
  Ends at;
  if (!(row->heads & p->heads) || !(p->meanings >> row->meaning & 1) || isTried(p, number)) return;
  at = matchSet(p->text, p->i, step->set) << p->i;
  p->by[row->meaning] |= step->isLast ? at : matchRest(p->text, step + 1, at);
}

static void tryWord(Place *p, int number) {
  for (int k = ts_pattern_begins_at[number]; k < ts_pattern_begins_at[number + 1]; k++)
    tryStep(p, ts_pattern_begins[k]);
}

/* The words of the patterns with one half like that of word i: notes those that are near, or tries them at
** place p. */
static void nearHalf(PatternText *t, int i, const uint16_t *typed, int n, uint32_t key, Place *p) {
  for (int k = ts_pattern_keys_at[key]; k < ts_pattern_keys_at[key + 1]; k++) {
    int number = ts_pattern_keys[k];
    if (!isAlmost(typed, n, number)) continue;
    t->near[i] |= (uint64_t)1 << (number & 63);
    if (p) tryWord(p, number);
  }
}

/* The words that word i may be with a typo in it. One that is in the patterns itself has none: "start" is no
** Swedish word for "drop it". p: NULL, or the place where they are to be tried, which takes that they are noted. */
static void nearWords(PatternText *t, int i, Place *p) {
  uint16_t typed[PATTERN_MAX_LETTERS + 1];
  int n = t->words->word[i].number == WORD_NO_NUMBER ? narrow(t->words, i, typed) : 0;
  for (int meant = n - 1; n && meant <= n + 1; meant++) {
    int half = (meant - 1) / 2;
    if (meant < PATTERN_TYPO_LETTERS) continue;
    nearHalf(t, i, typed, n, ts_pattern_key(PATTERN_FRONT, meant, typed, half), p);
    nearHalf(t, i, typed, n, ts_pattern_key(PATTERN_BACK, meant, typed + n - half, half), p);
  }
}

static uint64_t nearBits(PatternText *t, int i) {
  if (!(t->isNear & ts_ends_bit(i))) {
    t->isNear |= ts_ends_bit(i);
    t->near[i] = 0;
    nearWords(t, i, NULL);
  }
  return t->near[i];
}

void ts_patterns_read(PatternText *t, int i, uint64_t meanings, int wide, Ends by[WORDS_MEANINGS]) {
  const Word *word = &t->words->word[i];
  int isTask = taskLengths(t, i) != 0, isHeld = heldLengths(t, i) != 0;
  int isNear = t->typos && nearBits(t, i);
  Place p;
  if (word->number == WORD_NO_NUMBER && !isTask && !isHeld && !isNear) return;
  p = (Place){t, i, meanings, ~(uint32_t)0, by, {0}};
  if (t->typos && !wide) {
    p.heads = ts_words_head_bit(t->words->chars[word->at]);
    if (word->n > 1) p.heads |= ts_words_head_bit(t->words->chars[word->at + 1]);
  }
  if (word->number != WORD_NO_NUMBER) tryWord(&p, word->number);
  if (isTask) tryWord(&p, ts_pattern_words);
  if (isHeld) tryWord(&p, ts_pattern_words + 1);
  if (isNear) nearWords(t, i, &p);
}
