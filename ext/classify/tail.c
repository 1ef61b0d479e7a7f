/*
** tail.c - the end of what was said, and words of the lists in it. See tail.h.
*/
#include "tail.h"

#include <string.h>

static unsigned pairOf(const char *p) {
  unsigned short two;
  memcpy(&two, p, sizeof(two));
  return (two * 40503u >> 4) & 4095;
}

void ts_tail_read(Tail *t, const char *text, int n) {
  t->n = text == 0 || n < 0 ? 0 : n;
  if (t->n > TAIL_BYTES) {
    text += t->n - TAIL_BYTES;
    t->n = TAIL_BYTES;
  }
  ts_cue_fold(t->text, text, t->n);
  memset(t->pairs, 0, sizeof(t->pairs));
  for (int i = 0; i + 1 < t->n; i++) {
    unsigned pair = pairOf(t->text + i);
    t->pairs[pair / 64] |= 1ull << pair % 64;
  }
}

/* Could a word be in it? One byte is too short to tell. */
static int mayHold(const Tail *t, const char *word) {
  if (word[0] == 0 || word[1] == 0) return 1;
  if (!(t->pairs[pairOf(word) / 64] >> pairOf(word) % 64 & 1)) return 0;
  if (word[2] == 0) return 1;
  return t->pairs[pairOf(word + 1) / 64] >> pairOf(word + 1) % 64 & 1;
}

/* Does it hold a word of a list, from some place of its text on? */
static int holdsFrom(const Tail *t, const char *from, Cue cue) {
  const char *const *word = ts_cues[cue].word;
  for (int i = 0; i < ts_cues[cue].n; i++)
    if (mayHold(t, word[i]) && strstr(from, word[i]) != 0) return 1;
  return 0;
}

int ts_tail_has(const Tail *t, Cue cue) {
  return holdsFrom(t, t->text, cue);
}

int ts_tail_asks(const Tail *t) {
  int from = t->n > 12 ? t->n - 12 : 0;
  return strchr(t->text + from, '?') != 0 || strstr(t->text + from, "\xEF\xBC\x9F") != 0 ||
         strstr(t->text + from, "\xD8\x9F") != 0;
}

const char *ts_tail_last(const Tail *t) {
  static const char *const ends[] = {". ", "! ",           "? ",
                                     "\n", "\xE3\x80\x82", "\xEF\xBC\x81"}; /* 。！ */
  const char *from = t->text;
  int n = t->n;
  while (n > 0 && strchr(" \n?!.", t->text[n - 1]) != 0)
    n--;
  for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
    for (const char *at = from; (at = strstr(at, ends[i])) != 0 && at < t->text + n;)
      from = at += strlen(ends[i]);
  }
  return from;
}

int ts_tail_asks_with(const Tail *t, Cue cue) {
  return ts_tail_asks(t) && holdsFrom(t, ts_tail_last(t), cue);
}

int ts_tail_opens(const Tail *t, Cue cue) {
  for (int i = 0; i < ts_cues[cue].n; i++) {
    const char *word = ts_cues[cue].word[i];
    if (!mayHold(t, word)) continue;
    for (const char *at = t->text; (at = strstr(at, word)) != 0; at++) {
      unsigned char before = at > t->text ? (unsigned char)at[-1] : ' ';
      if ((unsigned char)word[0] >= 0xE3 || before <= ' ' || strchr("'\"(,", before) != 0) return 1;
    }
  }
  return 0;
}

int ts_tail_names(const char *said, const char *text, int n) {
  char folded[64];
  if (n >= (int)sizeof(folded)) return 0;
  ts_cue_fold(folded, text, n);
  for (const char *at = said; (at = strstr(at, folded)) != 0; at++) {
    if (at > said && at[-1] >= 'a' && at[-1] <= 'z') continue;
    if (!(at[n] >= 'a' && at[n] <= 'z')) return 1;
  }
  return 0;
}
