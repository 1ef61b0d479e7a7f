/*
** test_words.c - a text as folded words, and which words are the same or speak of the same thing.
*/
#include "tap.h"
#include "words.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* The first words of two texts: equal, equal but for a typo, of one stem? */
static const struct {
  const char *typed, *meant;
  int equal, almost, related;
} pairs[] = {
    {"retry", "retry", 1, 1, 1},
    {"Retry", "retry", 1, 1, 1},
    {"retry", "retries", 0, 0, 0},
    /* A letter other, more, less, or two swapped: at the front, inside and at the end. */
    {"betry", "retry", 0, 1, 0},
    {"rebry", "retry", 0, 1, 0},
    {"retrb", "retry", 0, 1, 0},
    {"xretry", "retry", 0, 1, 0},
    {"rextry", "retry", 0, 1, 0},
    {"retryx", "retry", 0, 1, 1},
    {"etry", "retry", 0, 1, 0},
    {"rery", "retry", 0, 1, 0},
    {"retr", "retry", 0, 1, 0},
    {"ertry", "retry", 0, 1, 0},
    {"rtery", "retry", 0, 1, 0},
    {"retyr", "retry", 0, 1, 0},
    {"rretry", "retry", 0, 1, 0},
    {"retryy", "retry", 0, 1, 1},
    /* Two letters. */
    {"bebry", "retry", 0, 0, 0},
    {"rtyre", "retry", 0, 0, 0},
    {"yetrr", "retry", 0, 0, 0},
    {"retryxx", "retry", 0, 0, 1},
    {"ret", "retry", 0, 0, 0},
    {"reyxt", "retry", 0, 0, 0},
    {"rexxy", "retry", 0, 0, 0},
    {"rerxy", "retry", 0, 0, 0},
    {"rexty", "retry", 0, 0, 0},
    /* It counts how long the word is that is meant. */
    {"step", "stop", 0, 0, 0},
    {"stopp", "stop", 0, 0, 0},
    {"stp", "stop", 0, 0, 0},
    {"stop", "stopp", 0, 1, 0},
    /* A stem of five letters, and two thirds of the shorter word. */
    {"upload", "uploads", 0, 1, 1},
    {"uploading", "uploaded", 0, 0, 1},
    {"loading", "uploading", 0, 0, 0},
    {"testing", "resting", 0, 1, 0},
    {"tests", "tested", 0, 0, 0},
    {"tests", "tests", 1, 1, 1},
    {"testsuite", "testsuites", 0, 1, 1},
    {"interface", "internals", 0, 0, 0},
    {"international", "internals", 0, 0, 1},
    {"internationale", "internetting", 0, 0, 0},
    {"painting", "painter", 0, 0, 1},
    {"paintball", "painterly", 0, 0, 0},
    {"paintbox", "painterly", 0, 0, 0},
    {"paintedly", "painterly", 0, 1, 1},
    {"painteddy", "painterly", 0, 0, 1},
    {"paintbo", "painterly", 0, 0, 1},
    {"wall", "wall", 1, 1, 1},
    {"wall", "walls", 0, 1, 0},
    {"walls", "wall", 0, 0, 0},
    {"wal", "wal", 1, 1, 0},
    {"wall", "ball", 0, 0, 0},
    /* Hangul: two syllables. */
    {"\xEC\x97\x85\xEB\xA1\x9C\xEB\x93\x9C", "\xEC\x97\x85\xEB\xA1\x9C\xEB\x94\xA9", 0, 0, 1},
    {"\xEC\x97\x85\xEB\xA1\x9C", "\xEC\x97\x85\xEB\xAC\xB4", 0, 0, 0},
};

static void testPairs(void) {
  static Words typed, meant;
  for (int i = 0; i < COUNT(pairs); i++) {
    const char *a = pairs[i].typed, *b = pairs[i].meant;
    ts_words_split(&typed, a, (int)strlen(a));
    ts_words_split(&meant, b, (int)strlen(b));
    CHECK_INT(tap_name("%s, %s: the same", a, b), ts_words_equal(&typed, 0, &meant, 0, 0),
              pairs[i].equal);
    CHECK_INT(tap_name("%s, %s: but for a typo", a, b), ts_words_equal(&typed, 0, &meant, 0, 1),
              pairs[i].almost);
    CHECK_INT(tap_name("%s, %s: of one stem", a, b), ts_words_related(&typed, 0, &meant, 0),
              pairs[i].related);
    CHECK_INT(tap_name("%s, %s: of one stem", b, a), ts_words_related(&meant, 0, &typed, 0),
              pairs[i].related);
  }
}

/* Words beside others: an index is that of its own text. */
static void testPlaces(void) {
  static Words w, other;
  static const char text[] = "please retry the upload", task[] = "upload it and retry";
  ts_words_split(&w, text, (int)strlen(text));
  ts_words_split(&other, task, (int)strlen(task));
  CHECK_INT("words", w.n * 10 + other.n, 44);
  for (int i = 0; i < w.n; i++) {
    for (int k = 0; k < other.n; k++) {
      int same = (i == 1 && k == 3) || (i == 3 && k == 0);
      CHECK_INT(tap_name("word %d and %d", i, k), ts_words_equal(&w, i, &other, k, 0), same);
      CHECK_INT(tap_name("word %d and %d: one stem", i, k), ts_words_related(&w, i, &other, k),
                same);
    }
  }
}

int main(void) {
  testPairs();
  testPlaces();
  return tap_done("words");
}
