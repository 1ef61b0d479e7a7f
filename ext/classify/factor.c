/*
** factor.c - tells alternatives of a pattern apart by their first letters. See factor.h.
**
** A pattern is read as alternatives, each a row of atoms: a character, a class, an escape or a group, with a
** quantifier or without. Of many alternatives those that begin with the same character are put together, and
** so on with what is left of them. This changes the order in which they are tried, hence the text of a match,
** but not whether there is one: without groups that are atomic or referred to, every way is tried in the end.
** What this file does not know, it leaves alone, and the whole pattern with it.
*/
#include "factor.h"

#include "utf8.h"

#include <string.h>

#define ALTERNATIVES_MAX 1600 /* of all lists that are being worked on */
#define WORTH_IT 6            /* so many alternatives in a list are told apart */
#define NESTING_MAX 40

typedef struct Piece {
  const char *p;
  int n;
} Piece;

typedef struct Factor {
  char *out;
  int n;
  Piece list[ALTERNATIVES_MAX]; /* a stack: the lists that are being written */
  int nList;
  int depth;
  int isWon;   /* something was put together */
  int hasLeft; /* met what is not understood, or found no room: all is left alone */
} Factor;

static void write(Factor *f, const char *p, int n) {
  if (f->n + n > TS_FACTOR_MAX) {
    f->hasLeft = 1;
    return;
  }
  memcpy(f->out + f->n, p, (size_t)n);
  f->n += n;
}

/* ---- Atoms --------------------------------------------------------------------------------------- */

static int isDigit(char c) {
  return c >= '0' && c <= '9';
}

/* The bytes of a character class at p, or 0. */
static int classLength(const char *p, const char *end) {
  const char *at = p + 1;
  if (at < end && *at == '^') at++;
  if (at < end && *at == ']') at++;
  while (at < end && *at != ']') {
    if (*at == '[') return 0; /* perhaps one within the class */
    at += *at == '\\' ? 2 : 1;
  }
  return at < end ? (int)(at + 1 - p) : 0;
}

/* The bytes of an escape at p, or 0: only those that stand for themselves, for a kind of character or for a
** place. */
static int escapeLength(const char *p, const char *end) {
  const char *close;
  if (end - p < 2 || p[1] == 0 || (unsigned char)p[1] >= 0x80) return 0;
  if (strchr("bBAzZdDwWsShHvVnrt", p[1])) return 2;
  if (p[1] == 'p' || p[1] == 'P') {
    if (end - p < 4 || p[2] != '{') return 0;
    close = memchr(p, '}', (size_t)(end - p));
    return close ? (int)(close + 1 - p) : 0;
  }
  return strchr("\\.^$|()[]{}*+?/-#\"'!,:;<>=&@%~` ", p[1]) ? 2 : 0;
}

/* How a group begins of which the alternatives may change places, 0: it is none. */
static int openerLength(const char *p, const char *end) {
  if (end - p < 3 || p[0] != '(' || p[1] != '?') return 0;
  return p[2] == ':' || p[2] == '=' || p[2] == '!' ? 3 : 0;
}

static int isLookBehind(const char *p, const char *end) {
  return end - p > 4 && memcmp(p, "(?<", 3) == 0 && (p[3] == '=' || p[3] == '!');
}

/* The bytes of the atom at p without its quantifier, or 0 when it is not understood. */
static int atomLength(const char *p, const char *end);

/* The bytes of a group at p, or 0. */
static int groupLength(const char *p, const char *end) {
  const char *at = p + (isLookBehind(p, end) ? 4 : openerLength(p, end));
  if (at == p) return 0;
  while (at < end && *at != ')') {
    int n = *at == '|' || strchr("?*+{", *at) ? 1 : atomLength(at, end);
    if (n == 0) return 0;
    at += n;
  }
  return at < end ? (int)(at + 1 - p) : 0;
}

static int atomLength(const char *p, const char *end) {
  int n;
  switch (*p) {
  case '(': return groupLength(p, end);
  case '[': return classLength(p, end);
  case '\\': return escapeLength(p, end);
  case 0:
  case ')':
  case '|':
  case '?':
  case '*':
  case '+':
  case '{': return 0;
  case '}': return 1; /* the end of a quantifier, where a group is measured */
  default: ts_utf8_decode((const unsigned char *)p, (const unsigned char *)end, &n); return n;
  }
}

/* The bytes of the quantifier at p, 0: there is none, -1: one that is not understood, or a possessive one. */
static int quantifierLength(const char *p, const char *end) {
  const char *at = p;
  if (at == end || *at == 0 || !strchr("?*+{", *at)) return 0;
  if (*at++ == '{') {
    if (at == end || !isDigit(*at)) return -1;
    while (at < end && (isDigit(*at) || *at == ','))
      at++;
    if (at == end || *at++ != '}') return -1;
  }
  if (at < end && *at == '+') return -1;
  if (at < end && *at == '?') at++;
  return (int)(at - p);
}

/* ---- Lists --------------------------------------------------------------------------------------- */

static void writePiece(Factor *f, Piece piece);

/* Takes a text of alternatives apart. Returns where they begin on the stack. */
static int split(Factor *f, const char *p, const char *end) {
  int from = f->nList;
  for (const char *at = p, *start = p; !f->hasLeft; at++) {
    while (at < end && *at != '|') {
      int n = atomLength(at, end), more = n ? quantifierLength(at + n, end) : -1;
      if (more < 0) {
        f->hasLeft = 1;
        return from;
      }
      at += n + more;
    }
    if (f->nList == ALTERNATIVES_MAX) {
      f->hasLeft = 1;
      return from;
    }
    f->list[f->nList++] = (Piece){start, (int)(at - start)};
    start = at + 1;
    if (at >= end) break;
  }
  return from;
}

/* The bytes of the character with which an alternative begins, 0: it begins with something else. */
static int firstLength(Piece piece) {
  const char *end = piece.p + piece.n;
  int n;
  if (piece.n == 0 || strchr("([\\.^$", *piece.p)) return 0;
  n = atomLength(piece.p, end);
  return n > 0 && quantifierLength(piece.p + n, end) == 0 ? n : 0;
}

static void writeList(Factor *f, int from, int to);

/* Writes those of [i, to) that begin like the first one, which are done with then. */
static void writeAlike(Factor *f, int i, int to) {
  Piece first = f->list[i];
  int n = firstLength(first), from = f->nList;
  for (int k = i + 1; k < to && n > 0; k++) {
    Piece *other = &f->list[k];
    if (!other->p || firstLength(*other) != n || memcmp(other->p, first.p, (size_t)n) != 0)
      continue;
    if (f->nList + 2 > ALTERNATIVES_MAX) {
      f->hasLeft = 1;
      return;
    }
    if (f->nList == from) f->list[f->nList++] = (Piece){first.p + n, first.n - n};
    f->list[f->nList++] = (Piece){other->p + n, other->n - n};
    other->p = 0;
  }
  if (f->nList == from) {
    writePiece(f, first);
    return;
  }
  f->isWon = 1;
  write(f, first.p, n);
  write(f, "(?:", 3);
  writeList(f, from, f->nList);
  write(f, ")", 1);
  f->nList = from;
}

/* Writes the alternatives [from, to) of the stack. */
static void writeList(Factor *f, int from, int to) {
  int isMany = to - from >= WORTH_IT;
  if (++f->depth > NESTING_MAX) f->hasLeft = 1;
  for (int i = from; i < to && !f->hasLeft; i++) {
    if (!f->list[i].p) continue;
    if (i > from) write(f, "|", 1);
    if (isMany)
      writeAlike(f, i, to);
    else
      writePiece(f, f->list[i]);
  }
  f->depth--;
}

static void writeAlternatives(Factor *f, const char *p, const char *end) {
  int from = split(f, p, end);
  if (!f->hasLeft) writeList(f, from, f->nList);
  f->nList = from;
}

/* Writes one alternative, the groups in it anew. Look-behind is particular about its alternatives. */
static void writePiece(Factor *f, Piece piece) {
  const char *p = piece.p, *end = p + piece.n;
  while (p < end && !f->hasLeft) {
    int n = atomLength(p, end), open = openerLength(p, end);
    int more = n ? quantifierLength(p + n, end) : -1;
    if (more < 0) {
      f->hasLeft = 1;
      return;
    }
    if (open) {
      write(f, p, open);
      writeAlternatives(f, p + open, p + n - 1);
      write(f, ")", 1);
      write(f, p + n, more);
    } else {
      write(f, p, n + more);
    }
    p += n + more;
  }
}

int ts_factor(const char *pattern, int n, char *out) {
  Factor f;
  f.out = out;
  f.n = f.nList = f.depth = f.isWon = f.hasLeft = 0;
  if (n <= 0 || n > TS_FACTOR_MAX) return 0;
  writeAlternatives(&f, pattern, pattern + n);
  return f.isWon && !f.hasLeft ? f.n : 0;
}
