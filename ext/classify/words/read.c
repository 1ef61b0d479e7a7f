/*
** read.c - the phrases of sql/answers/, as rows. See read.h.
*/
#include "read.h"
#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PHRASES 16384
#define MAX_HEADINGS 256
#define MAX_NAMES 64
#define MAX_LINE 4096
#define MAX_ENTRY 32768   /* a phrase with all its lines */
#define MAX_TEXT 16777216 /* of all patterns */

#define BLANKS " \t"

static const char *const meanings[WORDS_MEANINGS] = {
    [WORDS_CONTINUE] = "continue",
    [WORDS_CONTINUE_HERE] = "continue_here",
    [WORDS_CONTINUE_AND] = "continue_and",
    [WORDS_FRESH] = "fresh",
    [WORDS_FRESH_HERE] = "fresh_here",
    [WORDS_FRESH_AND] = "fresh_and",
    [WORDS_NOT_CONTINUE] = "not_continue",
    [WORDS_NOT_FRESH] = "not_fresh",
    [WORDS_FIRST] = "first",
    [WORDS_SECOND] = "second",
    [WORDS_THIRD] = "third",
    [WORDS_ONE] = "one",
    [WORDS_TWO] = "two",
    [WORDS_THREE] = "three",
    [WORDS_LAST] = "last",
    [WORDS_FORMER] = "former",
    [WORDS_LATTER] = "latter",
    [WORDS_OTHER] = "other",
    [WORDS_NOT] = "not",
    [WORDS_NOT_AFTER] = "not_after",
    [WORDS_NOT_OFF] = "not_off",
    [WORDS_MAYBE] = "maybe",
    [WORDS_UNIT] = "unit",
    [WORDS_UNDECIDED] = "undecided",
    [WORDS_NEITHER] = "neither",
    [WORDS_NEITHER_AND] = "neither_and",
    [WORDS_DROP] = "drop",
    [WORDS_DROP_AND] = "drop_and",
    [WORDS_DROP_TASK] = "drop_task",
    [WORDS_OFF_TASK] = "off_task",
    [WORDS_DROP_HELD] = "drop_held",
    [WORDS_NOT_TASK] = "not_task",
    [WORDS_NOT_HELD] = "not_held",
    [WORDS_DROP_ALL] = "drop_all",
    [WORDS_HELD_NOW] = "held_now",
    [WORDS_TASK_NOW] = "task_now",
    [WORDS_LEAD] = "lead",
    [WORDS_LEAD_NO] = "lead_no",
    [WORDS_ASK] = "ask",
    [WORDS_TAIL] = "tail",
    [WORDS_POLITE] = "polite",
    [WORDS_JOIN] = "join",
    [WORDS_BUT] = "but",
    [WORDS_WITH] = "with",
    [WORDS_BACK] = "back",
    [WORDS_GREET] = "greet",
    [WORDS_THANKS] = "thanks",
    [WORDS_BEFORE] = "before",
    [WORDS_ASKS] = "asks",
    [WORDS_TELL] = "tell",
    [WORDS_TELL_END] = "tell_end",
    [WORDS_ORDER] = "order",
    [WORDS_ORDER_END] = "order_end",
    [WORDS_WISH] = "wish",
    [WORDS_SAME] = "same",
    [WORDS_CONSENT] = "consent",
};

typedef struct Heading {
  const char *name;
  const char *file; /* that has had it last */
} Heading;

typedef struct Name {
  const char *name, *text;
  int line, isUsed;
} Name;

static Phrase phrases[MAX_PHRASES], sorted[MAX_PHRASES];
static Heading headings[MAX_HEADINGS];
static Name names[MAX_NAMES]; /* of one file */
static int nPhrases, nHeadings, nNames;

/* Where the reading stands. */
static const char *file, *listFile; /* listFile: the first one */
static int line;
static int heading, headingLine, nBelow; /* heading: -1 for none; nBelow: phrases below it */
static char entry[MAX_ENTRY];
static int entryLine; /* 0: none is open */

_Noreturn void ts_phrases_fail(const char *where, int lineThere, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, lineThere ? "%s:%d: " : "%s: ", where, lineThere);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

/* ---- Texts that stay ----------------------------------------------------------------------------- */

static char texts[MAX_TEXT];
static int nText;

static void put(char c) {
  if (nText == MAX_TEXT) ts_phrases_fail(file, line, "the phrases have more text than can be read");
  texts[nText++] = c;
}

static const char *keep(const char *z, size_t n) {
  int began = nText;
  for (size_t k = 0; k < n; k++)
    put(z[k]);
  put('\0');
  return &texts[began];
}

static int isName(const char *name, const char *z, size_t n) {
  return name && strlen(name) == n && memcmp(name, z, n) == 0;
}

static Name *findName(const char *z, size_t n) {
  for (int k = 0; k < nNames; k++) {
    if (isName(names[k].name, z, n)) return &names[k];
  }
  return NULL;
}

/* A name's text for "{name}" at z; what stands behind it. */
static const char *putNamed(const char *z) {
  size_t n = strcspn(z + 1, "}");
  Name *found = findName(z + 1, n);
  if (z[1 + n] != '}') ts_phrases_fail(file, entryLine, "a { without a }");
  if (!found) ts_phrases_fail(file, entryLine, "no {%.*s} is above it in this file", (int)n, z + 1);
  found->isUsed = 1;
  for (const char *text = found->text; *text; text++)
    put(*text);
  return z + n + 2;
}

/* A pattern with its {names} replaced, and single blanks between its steps. */
static const char *expanded(const char *z) {
  int began = nText;
  while (*z) {
    if (*z == '{') {
      z = putNamed(z);
    } else if (!strchr(BLANKS, *z)) {
      put(*z++);
    } else {
      z += strspn(z, BLANKS);
      if (*z) put(' ');
    }
  }
  put('\0');
  return &texts[began];
}

/* ---- Patterns -------------------------------------------------------------------------------------- */

/* What is wrong with an alternative, or NULL. isAlone: it is all of its step. */
static const char *faultOf(const char *z, int n, int isAlone) {
  if (n == 0 || (n == 1 && *z == '=')) return "an alternative has no words";
  if (*z == '@')
    return isAlone && n == 5 && (memcmp(z, "@task", 5) == 0 || memcmp(z, "@held", 5) == 0)
               ? NULL
               : "only a step of its own can be @task";
  for (int k = 0; k < n; k++) {
    if (z[k] == '?') return "a ? stands behind the last alternative of a step";
    if (z[k] == '=' && k) return "a = stands before a word";
    if (strchr("@#\"\\;{}", z[k])) return "there is a sign that means nothing in a pattern";
  }
  return NULL;
}

static void checkStep(const char *step, int n) {
  int nWords = n - (n && step[n - 1] == '?');
  for (int at = 0; at <= nWords;) {
    const char *bar = memchr(step + at, '|', (size_t)(nWords - at));
    int nAlternative = bar ? (int)(bar - step) - at : nWords - at;
    const char *fault = faultOf(step + at, nAlternative, nAlternative == nWords);
    if (fault) ts_phrases_fail(file, entryLine, "%s: \"%.*s\"", fault, n, step);
    at += nAlternative + 1;
  }
}

static void checkPattern(const char *pattern) {
  for (const char *z = pattern; *z; z += strspn(z, " ")) {
    int n = (int)strcspn(z, " ");
    checkStep(z, n);
    z += n;
  }
}

/* ---- Entries: phrases and names ---------------------------------------------------------------------- */

static void addName(const char *name, size_t n, const char *text) {
  const Name *same = findName(name, n);
  if (same)
    ts_phrases_fail(file, entryLine, "{%.*s} stands in line %d already", (int)n, name, same->line);
  if (!*text) ts_phrases_fail(file, entryLine, "\"%.*s =\" has no words behind it", (int)n, name);
  if (nNames == MAX_NAMES) ts_phrases_fail(file, entryLine, "more names than a file can have");
  names[nNames] = (Name){keep(name, n), expanded(text), entryLine, 0};
  nNames++;
}

static int meaningOf(const char *z, size_t n) {
  int k = 0;
  while (k < WORDS_MEANINGS && !isName(meanings[k], z, n))
    k++;
  if (k == WORDS_MEANINGS)
    ts_phrases_fail(file, entryLine, "\"%.*s\" is no meaning: ext/classify/answer_words.h has them",
                    (int)n, z);
  return k;
}

static void checkNew(const Phrase *phrase) {
  for (const Phrase *same = phrases; same < phrases + nPhrases; same++) {
    if (same->meaning == phrase->meaning && strcmp(same->pattern, phrase->pattern) == 0)
      ts_phrases_fail(file, entryLine, "this phrase stands in %s:%d already", same->file,
                      same->line);
  }
}

static void addPhrase(int meaning, const char *text) {
  Phrase phrase = {(WordsMeaning)meaning, heading, NULL, file, entryLine};
  if (file == listFile) ts_phrases_fail(file, entryLine, "the first file has headings only");
  if (heading < 0)
    ts_phrases_fail(file, entryLine, "a phrase stands below a heading: %s has them", listFile);
  if (!*text) ts_phrases_fail(file, entryLine, "\"%s\" has no words behind it", meanings[meaning]);
  if (nPhrases == MAX_PHRASES) ts_phrases_fail(file, entryLine, "more phrases than can be read");
  phrase.pattern = expanded(text);
  checkPattern(phrase.pattern);
  checkNew(&phrase);
  phrases[nPhrases++] = phrase;
  nBelow++;
}

/* The entry that is open ends. */
static void endEntry(void) {
  size_t n = strcspn(entry, BLANKS);
  const char *rest = entry + n + strspn(entry + n, BLANKS);
  if (!entryLine) return;
  if (*rest == '=' && strchr(BLANKS, rest[1]))
    addName(entry, n, rest + 1 + strspn(rest + 1, BLANKS));
  else
    addPhrase(meaningOf(entry, n), rest);
  entryLine = 0;
  entry[0] = '\0';
}

/* ---- Lines ------------------------------------------------------------------------------------------- */

/* No heading is open any more. */
static void endHeading(void) {
  if (heading >= 0 && file != listFile && !nBelow)
    ts_phrases_fail(file, headingLine, "no phrase stands below [%s]", headings[heading].name);
  heading = -1;
  nBelow = 0;
}

static void beginHeading(const char *z, size_t n) {
  int k = 0;
  endHeading();
  if (n < 3 || z[n - 1] != ']') ts_phrases_fail(file, line, "a heading is [some words]");
  while (k < nHeadings && !isName(headings[k].name, z + 1, n - 2))
    k++;
  if (k == nHeadings) {
    if (file != listFile) ts_phrases_fail(file, line, "%s has no heading %s", listFile, z);
    if (nHeadings == MAX_HEADINGS) ts_phrases_fail(file, line, "more headings than can be read");
    headings[nHeadings++].name = keep(z + 1, n - 2);
  } else if (headings[k].file == file) {
    ts_phrases_fail(file, line, "%s stands twice in this file", z);
  }
  headings[k].file = file;
  heading = k;
  headingLine = line;
}

/* A line that goes on with the entry. */
static void goOn(const char *z) {
  size_t n = strlen(entry), nMore = strlen(z);
  if (!entryLine)
    ts_phrases_fail(file, line,
                    "a line that begins with a blank goes on with a phrase, and none is above it");
  if (n + nMore + 2 > sizeof(entry)) ts_phrases_fail(file, entryLine, "a phrase is too long");
  if (entry[n - 1] != '|') entry[n++] = ' ';
  memcpy(entry + n, z, nMore + 1);
}

static void checkUtf8(const char *z, size_t n) {
  const unsigned char *at = (const unsigned char *)z, *end = at + n;
  while (at < end) {
    int length = ts_utf8_length(at, end);
    if (!length) ts_phrases_fail(file, line, "this is not UTF-8");
    at += length;
  }
}

static void readLine(char *z) {
  size_t n = strlen(z);
  checkUtf8(z, n);
  while (n && strchr(BLANKS "\r\n", z[n - 1]))
    z[--n] = '\0';
  if (n && strchr(BLANKS, *z)) {
    goOn(z + strspn(z, BLANKS));
    return;
  }
  endEntry();
  if (*z == '[') {
    beginHeading(z, n);
  } else if (n && *z != '#') {
    entryLine = line;
    memcpy(entry, z, n + 1);
  }
}

static void endFile(void) {
  endEntry();
  endHeading();
  for (int k = 0; k < nNames; k++) {
    if (!names[k].isUsed)
      ts_phrases_fail(file, names[k].line, "nothing in this file uses {%s}", names[k].name);
  }
  nNames = 0;
}

static void readFile(const char *path) {
  char text[MAX_LINE];
  FILE *in = fopen(path, "r");
  file = path;
  line = 0;
  heading = -1;
  if (!in) ts_phrases_fail(path, line, "the file can't be read");
  while (fgets(text, sizeof(text), in)) {
    line++;
    if (!strchr(text, '\n') && !feof(in))
      ts_phrases_fail(path, line, "a line is too long, or has a zero in it");
    readLine(text);
  }
  if (ferror(in)) ts_phrases_fail(path, line, "the file can't be read");
  fclose(in);
  endFile();
}

const Phrase *ts_phrases_read(char *const *files, int n, int *nFound) {
  int nSorted = 0;
  listFile = n ? files[0] : NULL;
  for (int k = 0; k < n; k++)
    readFile(files[k]);
  for (int at = 0; at < nHeadings; at++) {
    for (int k = 0; k < nPhrases; k++) {
      if (phrases[k].heading == at) sorted[nSorted++] = phrases[k];
    }
  }
  *nFound = nSorted;
  return sorted;
}
