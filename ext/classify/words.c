/*
** words.c - a message as folded words, and small patterns of words. See words.h.
*/
#include "words.h"

#include "utf8.h"

#include <string.h>

/* ---- Folding --------------------------------------------------------------------------------- */

/* À … ÿ and Ā … ſ without their accents; ' ' where one letter is not enough or none fits. */
static const char latin1Letters[] = "aaaaaa ceeeeiiiidnooooo ouuuuy  "
                                    "aaaaaa ceeeeiiiidnooooo ouuuuy y";
static const char latinALetters[] = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii"
                                    "  jjkkkllllllllllnnnnnnnnnoooooo  rrrrrr"
                                    "ssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
_Static_assert(sizeof(latin1Letters) == 64 + 1, "one letter for each of U+00C0 to U+00FF");
_Static_assert(sizeof(latinALetters) == 128 + 1, "one letter for each of U+0100 to U+017F");

/* Folds one ASCII character. */
static CharKind foldAscii(unsigned c, unsigned *out) {
  if (ts_between(c, 'A', 'Z')) c |= 0x20;
  *out = c;
  if (ts_between(c, 'a', 'z') || ts_between(c, '0', '9')) return CHAR_LETTER;
  if (c <= ' ' || c == 0x7F) return CHAR_SPACE;
  if (c == '\'') return CHAR_NOTHING;
  return strchr("$%&+<=>@^|", (int)c) ? CHAR_ALONE : CHAR_STOP;
}

/* Emoji that turn what they decorate into its opposite. */
static int isRefusal(unsigned c) {
  return c == 0x274C || c == 0x274E || c == 0x2716 || c == 0x2717 || c == 0x2718 || c == 0x1F6AB ||
         c == 0x1F44E || c == 0x1F6D1 || c == 0x26D4;
}

CharKind ts_words_fold(unsigned c, unsigned *first, unsigned *second) {
  *second = 0;
  if (c < 0x80) return foldAscii(c, first);
  if (ts_between(c, 0xFF01, 0xFF5E)) c -= 0xFEE0;             /* full width */
  if (ts_between(c, 0x24B6, 0x24CF)) c = 'a' + c - 0x24B6;    /* circled letters */
  if (ts_between(c, 0x2460, 0x2468)) c = '1' + c - 0x2460;    /* circled digits */
  if (ts_between(c, 0x1F170, 0x1F189)) c = 'a' + c - 0x1F170; /* squared letters, A and B in red */
  if (ts_between(c, 0x249C, 0x24B5)) c = 'a' + c - 0x249C;    /* letters in brackets */
  if (ts_between(c, 0x2474, 0x247C)) c = '1' + c - 0x2474;    /* digits in brackets */
  if (ts_between(c, 0x2488, 0x2490)) c = '1' + c - 0x2488;    /* digits with a dot */
  if (ts_between(c, 0x2776, 0x277E)) c = '1' + c - 0x2776;    /* circled digits, in black */
  if (ts_between(c, 0x660, 0x669)) c = '0' + c - 0x660;       /* Arabic digits */
  if (ts_between(c, 0x6F0, 0x6F9)) c = '0' + c - 0x6F0;
  if (ts_between(c, 0x966, 0x96F)) c = '0' + c - 0x966; /* Hindi digits */
  *first = c;
  if (c < 0x80) return foldAscii(c, first);

  if (ts_between(c, 0xC0, 0x17F) && c != 0xD7 && c != 0xF7) {
    char base = c < 0x100 ? latin1Letters[c - 0xC0] : latinALetters[c - 0x100];
    if (base != ' ') {
      *first = (unsigned char)base;
    } else if (c == 0xC6 || c == 0xE6) {
      *first = 'a', *second = 'e';
    } else if (c == 0x152 || c == 0x153) {
      *first = 'o', *second = 'e';
    } else if (c == 0xDF) {
      *first = 's', *second = 's';
    }
    return CHAR_LETTER;
  }
  if (ts_between(c, 0x400, 0x45F)) {
    if (c < 0x410) c += 0x50;
    if (c < 0x430) c += 0x20;
    /* Both are also written as letter + accent, and the accent leaves no trace. */
    if (c == 0x451) c = 0x435; /* ё */
    if (c == 0x439) c = 0x438; /* й */
    *first = c;
    return CHAR_LETTER;
  }

  if (c == 0x622 || c == 0x623 || c == 0x625 || c == 0x671) *first = 0x627; /* alif with whatever */
  if (c == 0x649) *first = 0x64A;
  if (c == 0x629) *first = 0x647;

  if (ts_between(c, 0x300, 0x36F) || ts_between(c, 0x610, 0x61A) || c == 0x61C || c == 0x640 ||
      ts_between(c, 0x64B, 0x65F) || c == 0x670 || c == 0x93C || c == 0x180E ||
      ts_between(c, 0xE0000, 0xE007F) || ts_between(c, 0xE0100, 0xE01EF) ||
      ts_between(c, 0x200B, 0x200F) || ts_between(c, 0x202A, 0x202E) ||
      ts_between(c, 0x2060, 0x206F) || ts_between(c, 0xFE00, 0xFE0F) ||
      ts_between(c, 0x1F3FB, 0x1F3FF) || c == 0xFEFF || c == 0xAD || c == 0x20E3 || c == 0xAA ||
      c == 0xBA || c == 0xB4 || c == 0x2BC || c == 0x2018 || c == 0x2019) {
    return CHAR_NOTHING;
  }
  if (isRefusal(c)) return CHAR_ALONE;
  if (ts_between(c, 0x80, 0xA0) || c == 0x1680 || ts_between(c, 0x2000, 0x200A) || c == 0x2028 ||
      c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000) {
    return CHAR_SPACE;
  }
  if (ts_between(c, 0x2300, 0x23FF) || ts_between(c, 0x2600, 0x27BF) ||
      ts_between(c, 0x2B00, 0x2BFF) || ts_between(c, 0x1F000, 0x1FAFF)) {
    return CHAR_SPACE;
  }
  if (c == 0xA1 || c == 0xBF || c == 0xAB || c == 0xBB || c == 0xB7 ||
      ts_between(c, 0x2010, 0x2027) || ts_between(c, 0x2030, 0x205E) || c == 0x60C || c == 0x61B ||
      c == 0x61F || c == 0x6D4 || c == 0x964 || c == 0x965 || c == 0x37E ||
      ts_between(c, 0x3001, 0x3004) || ts_between(c, 0x3008, 0x301F) || c == 0x30FB ||
      ts_between(c, 0xFF61, 0xFF65)) {
    return CHAR_STOP;
  }
  if (ts_between(c, 0x2E80, 0x30FF) || ts_between(c, 0x3400, 0x9FFF) ||
      ts_between(c, 0xF900, 0xFAFF) || ts_between(c, 0x20000, 0x3FFFF) ||
      c == TS_REPLACEMENT_CHARACTER || ts_between(c, 0xA2, 0xB6) || ts_between(c, 0x20A0, 0x20CF) ||
      ts_between(c, 0x2190, 0x22FF)) {
    return CHAR_ALONE;
  }
  return CHAR_LETTER;
}

#define SIGNS 0x1F000   /* the signs outside of 16 bits that patterns have; 0x800 of them … */
#define SIGNS_AT 0xD800 /* … take the numbers of surrogates, which no text has */
#define NARROW_OTHER 0xFFFF

uint16_t ts_words_narrow(unsigned c) {
  if (c < NARROW_OTHER) return (uint16_t)c;
  return ts_between(c, SIGNS, SIGNS + 0x7FF) ? (uint16_t)(SIGNS_AT + c - SIGNS) : NARROW_OTHER;
}

uint32_t ts_words_head_bit(unsigned c) {
  return (uint32_t)1 << ((c ^ c >> 5) & 31);
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Does a text go on behind a sign as within a name ("resume.pdf", "1.5", "and/or")? Such a sign parts words,
** and no sentences. */
static int isWithin(unsigned sign, int afterLetter, const char *next, int n) {
  unsigned c, first, second;
  if (!afterLetter || sign >= 0x80 || strchr(",;!?()[]{}\"", (int)sign) || n <= 0) return 0;
  ts_utf8_next(next, n, &c);
  return ts_words_fold(c, &first, &second) == CHAR_LETTER;
}

/* Does such a sign make one thing of what stands on both sides of it? "A:new" and "B.then" are written in haste;
** "2:30", "1.5" and "A.M." are not. */
static int isGlue(unsigned sign, const char *next, int n) {
  unsigned c, first, second;
  int at = ts_utf8_next(next, n, &c);
  if (sign == '-' || sign == '_' || sign == '#') return 1;
  if (ts_between(c, '0', '9')) return sign != '/';
  if (sign != '.') return 0;
  if (at >= n) return 1;
  ts_utf8_next(next + at, n - at, &c);
  return ts_words_fold(c, &first, &second) != CHAR_LETTER;
}

/* A sign between two words, without a blank on its left: "A+", "B&B", "A+B". */
static int isGlueAlone(unsigned c) {
  return c == '+' || c == '&' || c == '%' || c == '@';
}

static int isQuestionMark(unsigned c) {
  if (c < 0x80) return c == '?';
  return c == 0xFF1F || c == 0x61F || c == 0x37E || c == 0x203D || c == 0x2753 || c == 0x2754 ||
         ts_between(c, 0x2047, 0x2049);
}

static int isHangul(unsigned c) {
  return ts_between(c, 0xAC00, 0xD7A3);
}

/* Adds the character to the last word, or to a new one. Returns 0 when there is no room for a new one. */
static int addChar(Words *w, int *nChars, int isNew, unsigned first, unsigned second) {
  Word *word;
  if (isNew) {
    if (w->n == WORDS_MAX) return 0;
    w->word[w->n++] = (Word){.at = (unsigned short)*nChars, .number = WORD_NO_NUMBER};
  }
  word = &w->word[w->n - 1];
  w->chars[(*nChars)++] = first;
  if (second) w->chars[(*nChars)++] = second;
  word->n = (unsigned short)(*nChars - word->at);
  return 1;
}

/* What a character that is no letter leaves on the word before it: next is what follows. */
static void markSign(Words *w, unsigned c, unsigned sign, int open, const char *next, int n) {
  Word *last = &w->word[w->n - 1];
  if (c != '\n' && isWithin(sign, open, next, n)) {
    last->glued |= (unsigned char)isGlue(sign, next, n);
    return;
  }
  if (!last->stop) last->list = sign == ')' || sign == '.';
  last->stop = 1;
  last->asks |= (unsigned char)isQuestionMark(c);
}

/* An accent that folding takes away; an apostrophe behind "e" stands for one. */
static int isAccented(unsigned c, unsigned first) {
  return ts_between(c, 0x300, 0x36F) || c == '\'' || c == 0x2019 ||
         (ts_between(c, 0xC0, 0x17F) && first < 0x80);
}

void ts_words_split(Words *w, const char *text, int n) {
  int nChars = 0, open = 0;
  w->n = w->isCut = w->asks = 0;
  if (!text || n < 0) n = 0;
  if (n > WORDS_MAX_BYTES) {
    n = WORDS_MAX_BYTES;
    w->isCut = 1;
  }
  for (int i = 0; i < n;) {
    unsigned c, first, second;
    i += ts_utf8_next(text + i, n - i, &c);
    CharKind kind = ts_words_fold(c, &first, &second);
    if (isQuestionMark(c)) w->asks = 1;
    if (open && w->n && isAccented(c, first)) w->word[w->n - 1].accent = 1;
    if (kind == CHAR_NOTHING) continue;
    if (kind == CHAR_LETTER || kind == CHAR_ALONE) {
      w->asks = 0;
      /* "A로": what Korean adds to a foreign word is one of its own. */
      if (open && isHangul(first) && !isHangul(w->chars[nChars - 1])) open = 0;
      if (!addChar(w, &nChars, !open || kind == CHAR_ALONE, first, second)) {
        w->isCut = 1;
        break;
      }
      if (kind == CHAR_LETTER && isAccented(c, first)) w->word[w->n - 1].accent = 1;
      if (kind == CHAR_ALONE && open && isGlueAlone(first)) w->word[w->n - 2].glued = 1;
    } else if (w->n && (c == '\n' || kind == CHAR_STOP)) {
      markSign(w, c, first, open, text + i, n - i);
    }
    open = kind == CHAR_LETTER;
  }
  if (w->isCut) w->asks = 0;
}

unsigned ts_words_letter(const Words *w, int i) {
  return w->word[i].n == 1 ? w->chars[w->word[i].at] : 0;
}

/* ---- What is the same ------------------------------------------------------------------------- */

#define TYPO_MIN_LETTERS 5 /* of a word in which a typo is forgiven */
#define STEM_LETTERS 5     /* of a word that has a stem */

TS_ALMOST_EQUAL(unsigned)

static int equalWords(const unsigned *typed, int nTyped, const unsigned *meant, int nMeant,
                      int typos) {
  if (nTyped == nMeant && memcmp(typed, meant, (size_t)nMeant * sizeof(*meant)) == 0) return 1;
  return typos && nMeant >= TYPO_MIN_LETTERS && almostEqual(typed, nTyped, meant, nMeant);
}

int ts_words_equal(const Words *w, int i, const Words *other, int k, int typos) {
  const Word *a = &w->word[i], *b = &other->word[k];
  return equalWords(&w->chars[a->at], a->n, &other->chars[b->at], b->n, typos);
}

int ts_words_related(const Words *w, int i, const Words *other, int k) {
  const Word *a = &w->word[i], *b = &other->word[k];
  const unsigned *typed = &w->chars[a->at], *meant = &other->chars[b->at];
  int shorter = a->n < b->n ? a->n : b->n, n = 0;
  while (n < shorter && typed[n] == meant[n])
    n++;
  if (n > 0 && isHangul(typed[0])) return n >= 2;
  if (shorter < STEM_LETTERS) return n == a->n && n == b->n && n == STEM_LETTERS - 1;
  return n >= STEM_LETTERS && 3 * n >= 2 * shorter;
}
