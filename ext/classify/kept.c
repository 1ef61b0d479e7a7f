/*
** kept.c - what sounds like giving up, and gives nothing up. See kept.h.
*/
#include "kept.h"

#include "tail.h"
#include "utf8.h"

#include <string.h>

#define MAX_WORDS 14
#define ALONE_WORDS 5   /* of a message that says no more than that */
#define END_BYTES 9     /* of the form of a word */
#define INSTEAD_WORDS 3 /* of what is wanted in its place */
#define FORM_BYTES 3    /* that a form of a word is longer: "needs", "failing" */

static int countWords(const char *z, const char *end) {
  int n = 0;
  for (; z < end; z++)
    n += *z != ' ' && (z + 1 == end || z[1] == ' ');
  return n;
}

/* Does it end in a word of a list, or in a form of one? */
static int endsWith(const Tail *t, Cue cue) {
  for (int i = 0; i < ts_cues[cue].n; i++) {
    const char *word = ts_cues[cue].word[i], *at = strstr(t->text, word);
    if (at && t->n - (int)(at - t->text) - (int)strlen(word) <= END_BYTES) return 1;
  }
  return 0;
}

/* "Too expensive": a complaint. "Forget that one": of several. */
static int isAboutOne(const Tail *t, const Shape *s) {
  if (s->nLines != 1 || s->nWords > ALONE_WORDS) return 0;
  if (ts_tail_has(t, CUE_TOO_DEAR)) return endsWith(t, CUE_TOO_DEAR);
  return ts_tail_has(t, CUE_LEAVES_OUT) && ts_tail_has(t, CUE_ONE_OF_SEVERAL);
}

/* "I changed my mind, blue": something else is wanted. */
static int wantsInstead(const Tail *t, const Shape *s, const ClauseUnits *clauses) {
  const char *first = strchr(t->text, '\n');
  Tail begin;
  if (s->nLines != 2 || !first || clauses->nOthers == 0 || s->n != t->n) return 0;
  if (countWords(first + 1, t->text + t->n) > INSTEAD_WORDS) return 0;
  ts_tail_read(&begin, t->text, (int)(first - t->text));
  return ts_tail_has(&begin, CUE_CHANGED_MY_MIND) && !ts_tail_opens(t, CUE_A_NO_BESIDE_IT) &&
         !ts_tail_has(t, CUE_NOTHING_INSTEAD) && !ts_cue_stands_in(first + 1, CUE_ASKS_TO_END);
}

/* Does a year stand in it: "2021"? */
static int hasYear(const Tail *t) {
  for (const char *at = t->text; (at = strpbrk(at, "12")) != NULL; at++) {
    int isYear = strncmp(at, "19", 2) == 0 || strncmp(at, "20", 2) == 0;
    int begins = at == t->text || !ts_between((unsigned char)at[-1], '0', '9');
    if (isYear && begins && strspn(at, "0123456789") == 4) return 1;
  }
  return 0;
}

/* "The lease was cancelled in 2021 and renewed": a story. What stands beside it may follow from it: "…, drop it". */
static int isStory(const Tail *t, const Shape *s) {
  return s->nLines == 1 && ts_tail_has(t, CUE_WAS_ENDED) &&
         (hasYear(t) || ts_tail_has(t, CUE_TAKEN_UP_AGAIN));
}

static int isWordOf(Cue cue, const char *z, int n) {
  for (int i = 0; i < ts_cues[cue].n; i++) {
    const char *word = ts_cues[cue].word[i];
    if ((int)strlen(word) == n && memcmp(word, z, (size_t)n) == 0) return 1;
  }
  return 0;
}

/* Does a word begin here that is of a list, or a form of one? */
static int beginsWordOf(Cue cue, const char *z) {
  for (int i = 0; i < ts_cues[cue].n; i++) {
    size_t n = strlen(ts_cues[cue].word[i]);
    if (strncmp(ts_cues[cue].word[i], z, n) == 0 && strcspn(z + n, " \n") <= FORM_BYTES) return 1;
  }
  return 0;
}

/* "Stop, cancel and abort all need tests": words that stop are what it speaks of. The last two are joined, none is said
** twice, and what is said of them follows in the same clause. */
static int listsStops(const Tail *t) {
  const char *z = t->text, *before = "";
  int nStops = 0, nBefore = 0, isJoined = 0, joins = 0;
  while (*z) {
    int n = (int)strcspn(z, " \n/");
    if (n > 0 && isWordOf(CUE_STOPS_A_RUN, z, n)) {
      if (n == nBefore && memcmp(z, before, (size_t)n) == 0) return 0;
      before = z;
      nBefore = n;
      nStops++;
      isJoined = joins;
      joins = 0;
    } else if (n > 0 && isWordOf(CUE_BETWEEN_NAMES, z, n)) {
      joins = 1;
    } else if (n > 0) {
      break;
    }
    z += n + (z[n] != 0);
  }
  if (nStops < 2 || !isJoined || joins || z == t->text || z[-1] != ' ') return 0;
  if (beginsWordOf(CUE_SAID_OF_SEVERAL, z)) return 1;
  z += strcspn(z, " \n");
  return *z == ' ' && beginsWordOf(CUE_SAID_OF_SEVERAL, z + 1);
}

int ts_gives_nothing_up(const Shape *s, const ClauseUnits *clauses) {
  Tail t;
  if (s->nQuestions > 0 || s->isCut || s->nWords > MAX_WORDS) return 0;
  ts_tail_read(&t, s->text, s->n);
  return isAboutOne(&t, s) || wantsInstead(&t, s, clauses) || isStory(&t, s) || listsStops(&t);
}

int ts_answers_none(const Shape *s) {
  const char *first = memchr(s->text, '\n', (size_t)s->n);
  Tail t;
  if (s->nLines != 2 || !first || s->nWords > ALONE_WORDS) return 0;
  ts_tail_read(&t, first + 1, (int)(s->text + s->n - first - 1));
  for (int i = 0; i < ts_cues[CUE_NONE_OR_ALL].n; i++) {
    const char *word = ts_cues[CUE_NONE_OR_ALL].word[i];
    if (strncmp(t.text, word, strlen(word)) == 0) return 1;
  }
  return 0;
}
