/*
** duration.c - durations as words: "9 days 3 hours", and as people give them: "1h 30m". See duration.h.
*/
#include "duration.h"

#include "turnstile.h"

#include <stdio.h>
#include <string.h>

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const struct {
  int64_t ms;
  const char *one, *many;
} wordUnits[] = {
    {86400000, "day", "days"},
    {3600000, "hour", "hours"},
    {60000, "minute", "minutes"},
    {1000, "second", "seconds"},
};

void ts_duration_words(int64_t ms, char *out, int n) {
  const int last = COUNT(wordUnits) - 1;
  int i = 0;
  if (n <= 0) return;
  if (ms < 0) ms = 0;
  while (i < last && ms < wordUnits[i].ms)
    i++;
  long long first = ms / wordUnits[i].ms;
  long long second = i < last ? ms % wordUnits[i].ms / wordUnits[i + 1].ms : 0;
  int used =
      snprintf(out, (size_t)n, "%lld %s", first, first == 1 ? wordUnits[i].one : wordUnits[i].many);
  if (second && used < n) {
    snprintf(out + used, (size_t)(n - used), " %lld %s", second,
             second == 1 ? wordUnits[i + 1].one : wordUnits[i + 1].many);
  }
}

/* Largest integer that JavaScript can hold exactly. */
#define DURATION_MAX ((int64_t)9007199254740991)
/* Digits behind the point that count; further ones are below a nanosecond of a week. */
#define FRACTION_DIGITS 9

static const struct {
  const char *names; /* separated by spaces, with one at either end */
  int64_t ms;
} parseUnits[] = {
    {" ms msec msecs millisecond milliseconds ", 1},
    {" s sec secs second seconds ", 1000},
    {" m min mins minute minutes ", 60000},
    {" h hr hrs hour hours ", 3600000},
    {" d day days ", 86400000},
    {" w week weeks ", 604800000},
};

/* A character of the text or 0 past its end; a NUL in the text reads as junk. */
static int charAt(const char *text, int n, int i) {
  if (i >= n) return 0;
  return text[i] ? (unsigned char)text[i] : 1;
}

static int isBlank(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static int isDigit(int c) {
  return c >= '0' && c <= '9';
}

static int isAlpha(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The length in ms of the unit called name (n letters, any case), or 0. */
static int64_t unitLength(const char *name, int n) {
  char padded[16];
  if (n > (int)sizeof(padded) - 3) return 0;
  padded[0] = ' ';
  for (int i = 0; i < n; i++)
    padded[1 + i] = (char)(name[i] | 0x20);
  padded[1 + n] = ' ';
  padded[2 + n] = 0;
  for (int i = 0; i < COUNT(parseUnits); i++) {
    if (strstr(parseUnits[i].names, padded)) return parseUnits[i].ms;
  }
  return 0;
}

int ts_duration_parse(const char *text, int n, int64_t *ms) {
  int64_t total = 0;
  int parts = 0, bare = 0, i = 0;
  for (;;) {
    while (isBlank(charAt(text, n, i)))
      i++;
    if (i >= n) break;
    /* A number without a unit is milliseconds, and then it is all there is. */
    if (bare || !isDigit(charAt(text, n, i))) return 0;

    int64_t whole = 0, fraction = 0, scale = 1;
    for (; isDigit(charAt(text, n, i)); i++) {
      whole = whole * 10 + (text[i] - '0');
      if (whole > DURATION_MAX) return 0;
    }
    if (charAt(text, n, i) == '.') {
      int start = ++i;
      for (; isDigit(charAt(text, n, i)); i++) {
        if (i - start >= FRACTION_DIGITS) continue;
        fraction = fraction * 10 + (text[i] - '0');
        scale *= 10;
      }
      if (i == start) return 0;
    }
    while (isBlank(charAt(text, n, i)))
      i++;
    int unitAt = i;
    while (isAlpha(charAt(text, n, i)))
      i++;
    int64_t unit = 1;
    if (i > unitAt) {
      unit = unitLength(text + unitAt, i - unitAt);
      if (unit == 0) return 0;
    } else {
      if (parts || scale > 1) return 0;
      bare = 1;
    }
    if (whole > DURATION_MAX / unit) return 0;
    total += whole * unit + (fraction * unit + scale / 2) / scale;
    if (total > DURATION_MAX) return 0;
    parts++;
  }
  if (parts == 0) return 0;
  *ms = total;
  return 1;
}

int ts_duration_is_bare(const char *text, int n) {
  for (int i = 0; i < n; i++) {
    if (!isDigit(text[i]) && !isBlank(text[i])) return 0;
  }
  return 1;
}

/* 2011 to 2103. */
#define SECONDS_FROM 1300000000
#define SECONDS_TO 4200000000

const char *ts_time_unit(int64_t at, int64_t *ms) {
  *ms = at;
  if (at >= SECONDS_FROM && at <= SECONDS_TO) {
    *ms = at * 1000;
    return "seconds";
  }
  if (at >= SECONDS_FROM * (int64_t)1000000 && at <= SECONDS_TO * (int64_t)1000000) {
    *ms = at / 1000;
    return "microseconds";
  }
  return NULL;
}
