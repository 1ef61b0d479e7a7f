/*
** prose.c - the prose at the end of a text. See prose.h.
**
** A question mark in code, in an address or in what somebody else is quoted with asks nothing. Ends of such pieces are
** looked for once: a text in which much begins and nothing ends costs no more than its length.
*/
#include "prose.h"

#include "folded.h"

#include <string.h>

#define TAIL TS_REPORT_TAIL

static void put(Prose *p, char ch) {
  if (p->n == (int)sizeof(p->text)) {
    memmove(p->text, p->text + TAIL, TAIL);
    p->n = TAIL;
  }
  p->text[p->n++] = ch;
}

/* So far an end is looked for, and so much of a text is looked at. */
#define AWAY_MAX 4000
#define PROSE_MAX 65536

/* What is looked for ahead. Each keeps how far it was looked for, so that a text in which much begins and nothing ends
** costs no more than its length. */
typedef enum Sought {
  SEEK_FENCE,
  SEEK_COMMENT,
  SEEK_CODE,
  SEEK_LINK,
  SEEK_QUOTE,
  SEEK_HIGH,
  SEEK_ANGLE,
  SEEK_LOW,
  SEEK_CORNER,
  SEEK_QUESTION,
  SEEK_QUESTION_WIDE,
  SEEK_QUESTION_ARABIC,
  SEEK_COUNT
} Sought;

static const char *const sought[SEEK_COUNT] = {
    "```", "-->",          "`",  ")", "\"",           "\xE2\x80\x9D",
    "»",   "\xE2\x80\x9C", "」", "?", "\xEF\xBC\x9F", "\xD8\x9F"};

/* Between from and at there is none. */
typedef struct Ahead {
  int from, at;
} Ahead;

typedef struct Look {
  const char *text;
  int n;
  Ahead ahead[SEEK_COUNT];
  Ahead address; /* no question mark makes an address of what stands between these */
} Look;

static int isAt(const Look *l, int i, Sought what) {
  return ts_starts_with(l->text + i, l->n - i, sought[what]);
}

/* Where the next such piece stands from a place on, before another place and on its line unless it may be on another;
** -1: there is none. */
static int next(Look *l, int from, int to, Sought what, int anyLine) {
  Ahead *a = &l->ahead[what];
  int i = a->from <= from && from <= a->at ? a->at : from;
  while (i < to && (anyLine || l->text[i] != '\n') && !isAt(l, i, what))
    i++;
  if (a->from > from || from > a->at) a->from = from;
  a->at = i;
  return i < to && isAt(l, i, what) ? i : -1;
}

/* Behind the next such piece; 0: there is none. */
static int behind(Look *l, int from, Sought what, int anyLine) {
  int to = l->n - from > AWAY_MAX && what != SEEK_FENCE ? from + AWAY_MAX : l->n;
  int at = next(l, from, to, what, anyLine);
  return at < 0 ? 0 : at + (int)strlen(sought[what]);
}

/* An address goes on so far, with the signs of the sentence it stands in, … */
static int addressSpan(const Look *l, int i) {
  int from = i;
  while (i < l->n && i - from < AWAY_MAX && (unsigned char)l->text[i] > ' ' &&
         !strchr("<>()[]{}\"`", l->text[i]) && (unsigned char)l->text[i] < 0xE2)
    i++;
  return i;
}

/* … and ends before these. */
static int addressEnd(const Look *l, int from) {
  int i = addressSpan(l, from);
  while (i > from && strchr(".,;:!?*_'", l->text[i - 1]))
    i--;
  return i;
}

/* Begins an address here? A word with a question mark between its letters is one, too: "x.com/y?z=1". */
static int isAddress(Look *l, int i) {
  const char *text = l->text + i;
  int end, dots = 0;
  if (ts_starts_with(text, l->n - i, "http://") || ts_starts_with(text, l->n - i, "https://"))
    return 1;
  if (ts_starts_with(text, l->n - i, "www.")) return 1;
  if (i > 0 && !strchr(" \n(<\"'", text[-1])) return 0;
  if (i >= l->address.from && i < l->address.at) return 0;
  end = addressEnd(l, i);
  l->address = (Ahead){i, addressSpan(l, i)};
  for (; i + 1 < end; i++) {
    dots |= l->text[i] == '.' || l->text[i] == '/';
    if (dots && l->text[i] == '?') return 1;
  }
  return 0;
}

/* Is what is quoted from here on brought in by other words ("you asked: "…?"")? A sentence by itself is said. */
static int isBroughtIn(const char *text, int i) {
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '*'))
    i--;
  return i > 0 && !strchr("\n.!?)", text[i - 1]) && (unsigned char)text[i - 1] < 0x80;
}

/* Is there a question in what stands between two places? */
static int asksBetween(Look *l, int from, int to) {
  return next(l, from, to, SEEK_QUESTION, 1) >= 0 ||
         next(l, from, to, SEEK_QUESTION_WIDE, 1) >= 0 ||
         next(l, from, to, SEEK_QUESTION_ARABIC, 1) >= 0;
}

/* The end of a quotation that begins here, with a question in it and brought in by other words; else 0. */
static int quotedEnd(Look *l, int i) {
  static const struct {
    const char *open;
    Sought close;
  } marks[] = {{"\"", SEEK_QUOTE},
               {"\xE2\x80\x9C", SEEK_HIGH},
               {"«", SEEK_ANGLE},
               {"„", SEEK_LOW},
               {"「", SEEK_CORNER}};
  for (int k = 0; k < COUNT(marks); k++) {
    int from = i + (int)strlen(marks[k].open), end;
    if (!ts_starts_with(l->text + i, l->n - i, marks[k].open)) continue;
    end = behind(l, from, marks[k].close, 0);
    return end && isBroughtIn(l->text, i) && asksBetween(l, from, end) ? end : 0;
  }
  return 0;
}

/* The end of a line. */
static int lineEnd(const Look *l, int i) {
  const char *end = memchr(l->text + i, '\n', (size_t)(l->n - i));
  return end ? (int)(end - l->text) + 1 : l->n;
}

/* The end of what is no prose and begins here: code, the address of a link, a comment, a quoted line, a
** question that is quoted; else 0. *instead: what stands for it. */
static int awayEnd(Look *l, int i, char *instead) {
  const char *text = l->text + i;
  int left = l->n - i, isLine = i == 0 || text[-1] == '\n', end;
  *instead = ' ';
  if (ts_starts_with(text, left, "```")) return behind(l, i + 3, SEEK_FENCE, 1);
  if (ts_starts_with(text, left, "<!--")) return behind(l, i + 4, SEEK_COMMENT, 1);
  *instead = '\n';
  if (isLine && *text == '>') return lineEnd(l, i);
  *instead = 'x';
  if (*text == '`') return behind(l, i + 1, SEEK_CODE, 0);
  if ((end = quotedEnd(l, i)) > 0) return end;
  *instead = PROSE_LINK;
  if (*text == '(' && i > 0 && text[-1] == ']') return behind(l, i, SEEK_LINK, 0);
  return isAddress(l, i) ? addressEnd(l, i) : 0;
}

/* The end of a text without what is no prose. */
void ts_prose_read(Prose *p, const char *text, int n) {
  Look look = {.text = text, .n = n};
  char instead;
  p->n = 0;
  if (n > PROSE_MAX) {
    look.text += n - PROSE_MAX;
    look.n = PROSE_MAX;
  }
  for (int i = 0; i < look.n;) {
    int end = awayEnd(&look, i, &instead);
    if (end > i) {
      put(p, instead);
      i = end;
    } else {
      put(p, look.text[i++]);
    }
  }
}
