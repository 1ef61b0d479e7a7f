/*
** compile.c - the phrases of sql/answers/ as the constant tables that ext/classify/patterns.h describes.
**
**   compile_words tables sql/answers/headings.txt FILE…   prints the tables in C
**   compile_words rows   sql/answers/headings.txt FILE…   the phrases as they are read, for test_patterns.c
**
** Runs while the library is built. What can't be meant so ends it with a message: what read.h says, a word that is too
** long, more of anything than a table can number.
*/
#include "patterns.h"
#include "read.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 65535 /* of anything: the tables have 16 bits */

typedef struct Slice {
  const char *z;
  int n;
} Slice;

static const Phrase *compiled; /* the one that is compiled, for messages */

static void fail(const char *what) {
  if (compiled)
    ts_phrases_fail(compiled->file, compiled->line, "%s: \"%s\"", what, compiled->pattern);
  fprintf(stderr, "sql/answers: %s\n", what);
  exit(1);
}

/* A growing list of 16-bit numbers. */
typedef struct List {
  uint16_t item[MAX];
  int n;
} List;

static void add(List *list, int item) {
  if (list->n == MAX || item > MAX) fail("more than a table can hold");
  list->item[list->n++] = (uint16_t)item;
}

/* ---- Words ------------------------------------------------------------------------------------- */

static List letters,
    lettersAt; /* of the words; lettersAt has one entry more than there are words */

static int wordOf(const uint16_t *word, int n) {
  int last = lettersAt.n - 1;
  for (int k = 0; k < last; k++) {
    int at = lettersAt.item[k];
    if (lettersAt.item[k + 1] - at == n && memcmp(&letters.item[at], word, (size_t)n * 2) == 0)
      return k;
  }
  if (last > PATTERN_NUMBER) fail("too many different words");
  for (int k = 0; k < n; k++)
    add(&letters, word[k]);
  add(&lettersAt, letters.n);
  return last;
}

/* ---- Sets of alternatives ---------------------------------------------------------------------- */

static List sets, setsAt;
static Slice setText[MAX]; /* by which sets that are written alike are one */

/* One alternative, which is not empty, without its "=". */
static void addWords(Slice alt, int flags) {
  uint16_t word[PATTERN_MAX_LETTERS + 2];
  int n = 0, began = sets.n;
  for (int at = 0; at <= alt.n;) {
    unsigned c = ' ', first = 0, second = 0;
    CharKind kind;
    at += at < alt.n ? ts_utf8_next(alt.z + at, alt.n - at, &c) : 1;
    kind = c == '_' || c == ' ' ? CHAR_SPACE : ts_words_fold(c, &first, &second);
    if (kind == CHAR_NOTHING) continue;
    if (kind != CHAR_LETTER && n) {
      add(&sets, wordOf(word, n) | flags | PATTERN_MORE);
      n = 0;
    }
    if (kind == CHAR_LETTER || kind == CHAR_ALONE) word[n++] = ts_words_narrow(first);
    if (kind == CHAR_LETTER && second) word[n++] = ts_words_narrow(second);
    if (n > PATTERN_MAX_LETTERS) fail("a word is too long");
    if (kind == CHAR_ALONE) {
      add(&sets, wordOf(word, n) | flags | PATTERN_MORE);
      n = 0;
    }
  }
  if (sets.n == began) fail("an alternative has no words");
  sets.item[sets.n - 1] &= (uint16_t)~PATTERN_MORE;
}

static int setOf(Slice text) {
  int number = setsAt.n - 1;
  for (int k = 0; k < number; k++) {
    if (setText[k].n == text.n && memcmp(setText[k].z, text.z, (size_t)text.n) == 0) return k;
  }
  setText[number] = text;
  for (int at = 0; at < text.n;) {
    const char *z = text.z + at, *bar = memchr(z, '|', (size_t)(text.n - at));
    int n = bar ? (int)(bar - z) : text.n - at, isExact = *z == '=';
    addWords((Slice){z + isExact, n - isExact}, isExact ? PATTERN_EXACT : 0);
    at += n + 1;
  }
  add(&setsAt, sets.n);
  return number;
}

/* ---- Rows and their steps ---------------------------------------------------------------------- */

static PatternStep steps[MAX];
static PatternRow rows[MAX];
static int nSteps, nRows;
static List begins, beginsAt;

static void addRow(const Phrase *phrase) {
  compiled = phrase;
  for (const char *z = phrase->pattern; *z; z += strspn(z, " ")) {
    int n = (int)strcspn(z, " "), isOptional = z[n - 1] == '?';
    if (nSteps == PATTERN_MAX_STEPS) fail("too many steps");
    steps[nSteps].set = (uint16_t)setOf((Slice){z, n - isOptional});
    steps[nSteps].row = (uint16_t)nRows;
    steps[nSteps++].isOptional = (uint8_t)isOptional;
    z += n;
  }
  steps[nSteps - 1].isLast = 1;
  rows[nRows++].meaning = (uint8_t)phrase->meaning;
  compiled = NULL;
}

/* Can a row begin with this step? */
static int canBegin(int step) {
  return step == 0 || steps[step - 1].isLast || (steps[step - 1].isOptional && canBegin(step - 1));
}

/* True for the first word of an alternative. */
static int isFirst(int set, int k) {
  return k == setsAt.item[set] || !(sets.item[k - 1] & PATTERN_MORE);
}

static void addHeads(int step) {
  int set = steps[step].set;
  uint32_t *heads = &rows[steps[step].row].heads;
  if (set == PATTERN_TASK || set == PATTERN_HELD) *heads = ~(uint32_t)0;
  for (int k = setsAt.item[set]; k < setsAt.item[set + 1]; k++) {
    int word = sets.item[k] & PATTERN_NUMBER;
    unsigned c = letters.item[lettersAt.item[word]];
    if (isFirst(set, k)) *heads |= ts_words_head_bit(c);
  }
}

static int beginsWith(int step, int word) {
  int set = steps[step].set;
  if (set == PATTERN_TASK) return word == lettersAt.n - 1;
  if (set == PATTERN_HELD) return word == lettersAt.n;
  for (int k = setsAt.item[set]; k < setsAt.item[set + 1]; k++) {
    if (isFirst(set, k) && (sets.item[k] & PATTERN_NUMBER) == word) return 1;
  }
  return 0;
}

static void addBegins(void) {
  for (int step = 0; step < nSteps; step++) {
    if (canBegin(step)) addHeads(step);
  }
  for (int word = 0; word <= lettersAt.n; word++) {
    add(&beginsAt, begins.n);
    for (int step = 0; step < nSteps; step++) {
      if (canBegin(step) && beginsWith(step, word)) add(&begins, step);
    }
  }
  add(&beginsAt, begins.n);
}

/* ---- Keys -------------------------------------------------------------------------------------- */

static List keys, keysAt;
static List ofKey[PATTERN_KEYS];

static void addKeys(int word) {
  const uint16_t *z = &letters.item[lettersAt.item[word]];
  int n = lettersAt.item[word + 1] - lettersAt.item[word], half = (n - 1) / 2;
  add(&ofKey[ts_pattern_key(PATTERN_WHOLE, n, z, n)], word);
  if (n < PATTERN_TYPO_LETTERS) return;
  add(&ofKey[ts_pattern_key(PATTERN_FRONT, n, z, half)], word);
  add(&ofKey[ts_pattern_key(PATTERN_BACK, n, z + n - half, half)], word);
}

static void collectKeys(void) {
  for (int word = 0; word < lettersAt.n - 1; word++)
    addKeys(word);
  for (int key = 0; key < PATTERN_KEYS; key++) {
    add(&keysAt, keys.n);
    for (int k = 0; k < ofKey[key].n; k++)
      add(&keys, ofKey[key].item[k]);
  }
  add(&keysAt, keys.n);
}

/* ---- Output ------------------------------------------------------------------------------------ */

static void print(const char *name, const List *list) {
  printf("\nconst uint16_t %s[] = {", name);
  for (int k = 0; k < list->n; k++)
    printf("%s%d,", k % 20 ? "" : "\n", list->item[k]);
  printf("\n};\n");
}

static void printRows(void) {
  printf("\nconst PatternStep ts_pattern_steps[] = {\n");
  for (int k = 0; k < nSteps; k++) {
    printf("{%d, %d, %d, %d},\n", steps[k].set, steps[k].row, steps[k].isOptional, steps[k].isLast);
  }
  printf("};\n\nconst PatternRow ts_pattern_rows[] = {\n");
  for (int k = 0; k < nRows; k++)
    printf("{0x%lx, %d},\n", (unsigned long)rows[k].heads, rows[k].meaning);
  printf("};\n\nconst int ts_pattern_words = %d;\n", lettersAt.n - 1);
}

static void printTables(void) {
  printf(
      "/* Made from sql/answers/ by ext/classify/words/compile.c. */\n#include \"patterns.h\"\n");
  print("ts_pattern_letters_at", &lettersAt);
  print("ts_pattern_letters", &letters);
  print("ts_pattern_keys_at", &keysAt);
  print("ts_pattern_keys", &keys);
  print("ts_pattern_begins_at", &beginsAt);
  print("ts_pattern_begins", &begins);
  print("ts_pattern_sets_at", &setsAt);
  print("ts_pattern_sets", &sets);
  printRows();
}

static void compile(const Phrase *phrases, int n) {
  add(&lettersAt, 0);
  add(&setsAt, 0);
  setText[PATTERN_TASK] = (Slice){"@task", 5};
  add(&setsAt, 0);
  setText[PATTERN_HELD] = (Slice){"@held", 5};
  add(&setsAt, 0);
  for (int k = 0; k < n; k++)
    addRow(&phrases[k]);
  addBegins();
  collectKeys();
}

int main(int argc, char **argv) {
  int n, isRows = argc > 1 && strcmp(argv[1], "rows") == 0;
  const Phrase *phrases;
  if (argc < 4 || (!isRows && strcmp(argv[1], "tables") != 0)) {
    fprintf(stderr, "usage: compile_words tables|rows HEADINGS FILE…\n");
    return 2;
  }
  phrases = ts_phrases_read(argv + 2, argc - 2, &n);
  compile(phrases, n);
  if (!isRows) printTables();
  for (int k = 0; isRows && k < n; k++)
    printf("{(WordsMeaning)%d, \"%s\"},\n", phrases[k].meaning, phrases[k].pattern);
  return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
