/*
** shape.c - tidies a message and measures it.
**
** People write "ok.thanks!!  but… why’s it red ?" and the rules should not have to know all of
** that. A tidied text has
**   - one clause to a line: a line ends at . ! ? ; , and : when white space, an ideograph or the
**     end follows, at a dash between spaces, and at a line break. So in a rule `^` and `$` are the
**     ends of a clause, and \A and \z those of the message;
**   - no punctuation at the end of a line except one "?" or ":" (those mean something);
**   - single spaces, straight quotes, no list bullets, no blank lines, nothing invalid.
**     File names, numbers and code ("main.c", "1,200", "a?b:c") keep their punctuation.
** The example becomes "ok.thanks", "but", "why's it red?".
**
** Which words say what a message is about is judged without a dictionary: words of four letters
** or more, cut after five (so "retries" meets "retry" and "retrying"), minus a list of the
** commonest; in scripts without spaces, each pair of neighbouring characters.
*/
#include "shape.h"

#include "address.h"
#include "literals.h"

#include <string.h>

/* The tidied text under construction. */
typedef struct Writer {
  Shape *s;
  int lineStart;    /* where the current line begins */
  int pendingSpace; /* a space is due before the next character */
} Writer;

static int isIdeograph(unsigned c) {
  return (c >= 0x3041 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) ||
         (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x20000 && c <= 0x3FFFF);
}

/* Letters of words written with spaces between them. */
static int isWordChar(unsigned c) {
  if (c < 0x80)
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  return c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7;
}

static void put(Writer *w, const unsigned char *p, int n) {
  Shape *s = w->s;
  if (s->n + n + 2 > TS_TEXT_MAX) return;
  if (w->pendingSpace && s->n > w->lineStart) s->text[s->n++] = ' ';
  w->pendingSpace = 0;
  memcpy(s->text + s->n, p, (size_t)n);
  s->n += n;
}

/* Ends the line with mark ('?', ':' or 0), unless nothing is on it. */
static void endLine(Writer *w, char mark) {
  Shape *s = w->s;
  w->pendingSpace = 0;
  if (s->n == w->lineStart && mark == '?' && s->nLines == 0) {
    s->text[s->n++] = '?'; /* a bare question mark is a message too */
  } else if (s->n == w->lineStart) {
    return;
  } else if (mark != 0 && s->n + 2 <= TS_TEXT_MAX) {
    s->text[s->n++] = mark;
  }
  s->nLines++;
  s->lastIsQuestion = mark == '?';
  s->nQuestions += s->lastIsQuestion;
  if (s->n + 1 <= TS_TEXT_MAX) s->text[s->n++] = '\n';
  w->lineStart = s->n;
}

/* Characters that are written in several ways, as one. Returns 0 for "drop it". */
static unsigned unify(unsigned c) {
  if (c >= 0xFF10 && c <= 0xFF5A)
    c = c == 0xFF1A || c == 0xFF1B || c == 0xFF1F ? c : c - 0xFEE0; /* full width */
  switch (c) {
  case 0x2018:
  case 0x2019:
  case 0x02BC:
  case 0xFF07:
  case 0xB4: return '\'';
  case 0x201C:
  case 0x201D:
  case 0x201E:
  case 0xAB:
  case 0xBB: return '"';
  case 0xFF1F:
  case 0x61F: return '?';
  case 0xFF01:
  case 0x3002:
  case 0x2026:
  case 0xFF61: return '!';
  case 0xFF0C:
  case 0x3001:
  case 0xFF1B:
  case 0x60C:
  case 0x61B: return ',';
  case 0xFF1A: return ':';
  case 0xA0:
  case 0x3000:
  case 0x202F:
  case 0x85: return ' ';
  case 0x2013:
  case 0x2014: return 0x2014;
  case 0xA1:
  case 0xBF: return 0; /* ¡ ¿ */
  case 0x2022:
  case 0xB7: return ' ';
  case 0x2028:
  case 0x2029: return '\n';
  /* What ignoring case equates with something shorter. */
  case 0x17F: return 's';
  case 0x212A: return 'K';
  case 0x212B: return 0xC5;
  default: break;
  }
  if (ts_is_unseen(c)) return 0;
  if (c >= 0x2000 && c <= 0x200A) return ' ';
  if (c >= 0x1C80 && c <= 0x1C86) return 0;
  if (c < 0x20) return c == '\n' || c == '\r' ? '\n' : ' ';
  return c;
}

/* Does a mark of punctuation before this place end a clause? */
static int isBreak(const unsigned char *p, const unsigned char *end) {
  int n;
  if (p >= end) return 1;
  if (*p < 0x80) return *p <= ' ';
  n = ts_utf8_length(p, end);
  if (n == 0) return 1;
  return ts_utf8_decode(p, end, &n) >= 0x2E80 || unify(ts_utf8_decode(p, end, &n)) <= ' ';
}

static void countChar(Shape *s, unsigned c, int *inWord, int *nIdeographs) {
  int word = isWordChar(c);
  if (word && !*inWord) s->nWords++;
  *inWord = word || (*inWord && c == '\'');
  if (isIdeograph(c)) {
    s->nLetters++;
    if (++*nIdeographs % 2 == 1) s->nWords++;
  } else if (word) {
    s->nLetters++;
    s->nDigits += c >= '0' && c <= '9';
  } else if (c > ' ' && c < 0x80 && strchr("{}()[]<>=;|\\/*&$#@%^~+_`", (int)c) != 0) {
    s->nSymbols++;
  }
}

/* A run of . ! ? … decides as a whole; it is a question if it holds a question mark. */
static const unsigned char *readMarks(const unsigned char *p, const unsigned char *end,
                                      int *isQuestion, int *isWide) {
  while (p < end) {
    int n = ts_utf8_length(p, end);
    unsigned c = n == 0 ? 0 : ts_utf8_decode(p, end, &n);
    unsigned u = unify(c);
    if (n == 0 || (u != '.' && u != '!' && u != '?')) break;
    *isQuestion |= u == '?';
    *isWide |= c >= 0x80;
    p += n;
  }
  return p;
}

/* An ASCII letter or digit. */
static int isPlain(unsigned char c) {
  return (unsigned)(c | 0x20) - 'a' < 26 || (unsigned)c - '0' < 10;
}

/* Copies ASCII letters and digits, most of most messages, without looking at each twice. */
static const unsigned char *copyPlain(Writer *w, const unsigned char *p, const unsigned char *end,
                                      int *inWord) {
  Shape *s = w->s;
  const unsigned char *start = p;
  while (p < end && isPlain(*p)) {
    s->nDigits += *p <= '9';
    p++;
  }
  s->nLetters += (int)(p - start);
  s->nWords += !*inWord;
  *inWord = 1;
  put(w, start, (int)(p - start));
  return p;
}

/* Does a Latin letter with an accent, or a Cyrillic one, of two bytes stand here? */
static int isTwoByteLetter(const unsigned char *p, const unsigned char *end) {
  if (end - p < 2 || (p[1] & 0xC0) != 0x80) return 0;
  return (*p & 0xFE) == 0xD0 || *p == 0xC4 || (*p == 0xC3 && p[1] != 0x97 && p[1] != 0xB7);
}

/* Copies such letters, which need none of the questions that tidy asks. */
static const unsigned char *copyLetters(Writer *w, const unsigned char *p, const unsigned char *end,
                                        int *inWord) {
  Shape *s = w->s;
  s->nWords += !*inWord;
  *inWord = 1;
  for (; isTwoByteLetter(p, end); p += 2) {
    s->nLetters++;
    put(w, p, 2);
  }
  return p;
}

static int isEmoji(unsigned c) {
  return (c >= 0x2300 && c <= 0x23FF) || (c >= 0x2600 && c <= 0x27BF) ||
         (c >= 0x2B00 && c <= 0x2BFF) || (c >= 0x1F000 && c <= 0x1FAFF) || c == 0xFE0F;
}

#define EMOJI_BYTES 80 /* so many of them can end a line */

/* Is there nothing but emoji from here to the end of the line? They are a clause of their own: "stop 🛑". */
static int endsInEmoji(const unsigned char *p, const unsigned char *end) {
  const unsigned char *limit = end - p > EMOJI_BYTES ? p + EMOJI_BYTES : end;
  for (int n; p < limit; p += n) {
    unsigned c;
    if ((n = ts_utf8_length(p, end)) == 0) return 0;
    c = ts_utf8_decode(p, end, &n);
    if (c == '\n') return 1;
    if (!isEmoji(c) && unify(c) != 0 && unify(c) != ' ' && c != '!' && c != '.') return 0;
  }
  return limit == end;
}

static void tidy(Writer *w, const unsigned char *p, const unsigned char *end) {
  Shape *s = w->s;
  int inWord = 0, nIdeographs = 0, isSign = 0, afterEmoji = 0;
  while (p < end) {
    int n, isQuestion = 0, isWide = 0;
    unsigned c;
    const unsigned char *next;
    if (isPlain(*p)) {
      p = copyPlain(w, p, end, &inWord);
      isSign = 0;
      continue;
    }
    if (*p == ' ') { /* as below, without asking what it could be */
      w->pendingSpace = 1;
      inWord = 0;
      p++;
      continue;
    }
    if (isTwoByteLetter(p, end)) {
      p = copyLetters(w, p, end, &inWord);
      isSign = 0;
      continue;
    }
    n = ts_utf8_length(p, end);
    c = n == 0 ? ' ' : unify(ts_utf8_decode(p, end, &n));
    next = p + (n == 0 ? 1 : n);
    afterEmoji = isSign;
    isSign = isEmoji(c);
    countChar(s, c, &inWord, &nIdeographs);
    if (c == '.' || c == '!' || c == '?') {
      next = readMarks(p, end, &isQuestion, &isWide);
      if (isWide || isBreak(next, end)) {
        endLine(w, isQuestion ? '?' : 0);
      } else if (isQuestion && next - p > 1) {
        endLine(w, '?');
      } else {
        put(w, p, (int)(next - p));
      }
    } else if (c == '\n') {
      s->nBreaks++;
      endLine(w, 0);
    } else if (c == ' ') {
      w->pendingSpace = 1;
    } else if ((c == ',' || c == ';' || c == ':') && ((n > 1) || isBreak(next, end))) {
      endLine(w, c == ':' ? ':' : 0);
    } else if (c == 0x2014 || ((c == '-' || c == '*' || c == '>') && s->n == w->lineStart)) {
      if (isBreak(next, end) || (next < end && *next == c))
        endLine(w, 0); /* a bullet, or a dash at the start */
      else if (c == 0x2014)
        endLine(w, 0);
      else
        put(w, p, n);
    } else if (c == '-' && w->pendingSpace && (isBreak(next, end) || *next == '-')) {
      while (next < end && *next == '-')
        next++;
      endLine(w, 0);
    } else if (c != 0 && n > 0) {
      if (isEmoji(c) && !afterEmoji && endsInEmoji(p, end)) endLine(w, 0);
      if (c < 0x80 && n > 1) { /* a unified quote */
        unsigned char one = (unsigned char)c;
        put(w, &one, 1);
      } else if (c == 0xC5) {
        put(w, (const unsigned char *)"\xC3\x85", 2);
      } else {
        put(w, p, n);
      }
    }
    p = next;
  }
}

#define EMPHASISED_BYTES 200 /* so long a message can be one that is emphasised as a whole */

static int isSpace(unsigned char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Does it stand between two signs of emphasis, with none of them within? What is quoted is something else. */
static int isEmphasised(const unsigned char *p, int n) {
  if (n < 3 || n > EMPHASISED_BYTES || p[0] != p[n - 1]) return 0;
  if (p[0] != '*' && p[0] != '_' && p[0] != '~') return 0;
  return !isSpace(p[1]) && (p[1] == p[0] || !memchr(p + 1, p[0], (size_t)n - 2));
}

/* "*stop*" and "**done**" are the words within. */
static const unsigned char *unwrap(const unsigned char *p, int *n) {
  const unsigned char *end = p + *n, *from = p;
  while (from < end && isSpace(*from))
    from++;
  while (end > from && isSpace(end[-1]))
    end--;
  while (isEmphasised(from, (int)(end - from)))
    from++, end--;
  *n = (int)(end - from);
  return from;
}

void ts_shape_of(const char *message, int n, Shape *out) {
  Writer w = {out, 0, 0};
  const unsigned char *p = (const unsigned char *)message;
  memset((char *)out + sizeof(out->text), 0, sizeof(*out) - sizeof(out->text));
  if (p == 0 || n <= 0) return;
  p = unwrap(p, &n);
  if (n <= TS_HEAD_BYTES + TS_TAIL_BYTES) {
    tidy(&w, p, p + n);
  } else {
    const unsigned char *headEnd = p + TS_HEAD_BYTES, *tail = p + n - TS_TAIL_BYTES;
    while (headEnd > p && (*headEnd & 0xC0) == 0x80)
      headEnd--;
    out->isCut = 1;
    tidy(&w, p, headEnd);
    endLine(&w, 0);
    tidy(&w, tail, p + n);
  }
  endLine(&w, 0);
  if (out->n > 0 && out->text[out->n - 1] == '\n') out->n--;
}

int ts_shape_is_paste(const Shape *s) {
  int prose = s->nLetters + 1;
  if (s->nBreaks >= 4 && s->nSymbols * 12 > prose) return 1;
  return s->nBreaks >= 1 && s->nSymbols >= 8 && s->nSymbols * 7 > prose;
}

/* Rows of the common keyboards, for messages typed by an elbow. */
static int isRowOfKeys(const char *p, int n) {
  static const char *const rows[] = {"qwertyuiop", "asdfghjkl",  "zxcvbnm",  "qwertzuiop",
                                     "yxcvbnm",    "poiuytrewq", "lkjhgfdsa"};
  int matched = 0;
  for (int i = 0; i + 1 < n; i++) {
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
      const char *at = strchr(rows[r], p[i]);
      if (p[i] != 0 && at != 0 && at[1] != 0 && at[1] == p[i + 1]) {
        matched++;
        break;
      }
    }
  }
  if (n == 3) return matched == 2;
  return n >= 4 && matched >= n - 2 && matched >= 3;
}

int ts_shape_is_noise(const Shape *s) {
  char word[32];
  int n = 0, nVowels = 0, isLatin = 1, isRepeated = 1;
  if (s->n == 0) return 1;
  if (s->nLetters == 0) {
    for (int i = 0; i < s->n; i++)
      if ((unsigned char)s->text[i] >= 0xE2) return 0; /* perhaps an emoji that means something */
    return 1;
  }
  if (s->nWords != 1 || s->n > 30 || s->nDigits > 0 || s->nSymbols > 0) return 0;
  for (int i = 0; i < s->n && n < 31; i++) {
    unsigned char c = (unsigned char)s->text[i];
    if (c >= 'A' && c <= 'Z') c = (unsigned char)(c + 32);
    if (c >= 0x80) isLatin = 0;
    if (c >= 'a' && c <= 'z') {
      word[n++] = (char)c;
      nVowels += strchr("aeiouy", c) != 0;
      isRepeated &= word[0] == (char)c;
    }
  }
  if (!isLatin || n == 0) return 0;
  if (n >= 3 && isRepeated && word[0] != 'h' && word[0] != 'm') return 1;
  if ((n > 3 || nVowels == 0) && isRowOfKeys(word, n)) return 1;
  return n >= 6 && nVowels == 0;
}

/* ---- what a text is about -------------------------------------------------------------------- */

/* Frequent words that say nothing about a topic; sorted, cut after five letters like all words. */
static const char commonWords[][8] = {
    "about", "after", "again", "alles", "also",  "alway", "anoth", "anyth", "aqui",  "auch",
    "back",  "becau", "been",  "befor", "bitte", "both",  "como",  "could", "cuand", "danke",
    "dann",  "dass",  "defau", "denn",  "desde", "diese", "does",  "doesn", "doing", "donde",
    "done",  "dont",  "down",  "each",  "eine",  "einen", "einer", "esta",  "este",  "even",
    "every", "fine",  "finis", "first", "from",  "good",  "great", "habe",  "haben", "hast",
    "have",  "here",  "hier",  "into",  "jetzt", "just",  "kann",  "kanns", "keep",  "kein",
    "know",  "later", "least", "leave", "left",  "let's", "lets",  "like",  "make",  "many",
    "maybe", "mehr",  "mine",  "more",  "most",  "much",  "must",  "need",  "neue",  "next",
    "nice",  "nicht", "noch",  "nothi", "okay",  "once",  "only",  "other", "over",  "para",
    "perfe", "pero",  "pleas", "porqu", "quier", "reall", "right", "same",  "seems", "shall",
    "shoul", "show",  "sich",  "sind",  "some",  "somet", "still", "such",  "sure",  "take",
    "tell",  "thank", "that",  "that'", "their", "them",  "then",  "there", "these", "they",
    "thing", "think", "this",  "those", "todo",  "unter", "until", "upon",  "used",  "very",
    "wait",  "want",  "well",  "were",  "what",  "what'", "when",  "where", "which", "while",
    "will",  "wird",  "with",  "witho", "work",  "worki", "works", "would", "yeah",  "your"};

/* Eight bytes as a number that compares like the text. */
static inline unsigned long long asNumber(const char *p) {
  const unsigned char *b = (const unsigned char *)p;
  return (unsigned long long)b[0] << 56 | (unsigned long long)b[1] << 48 |
         (unsigned long long)b[2] << 40 | (unsigned long long)b[3] << 32 |
         (unsigned long long)b[4] << 24 | (unsigned long long)b[5] << 16 |
         (unsigned long long)b[6] << 8 | (unsigned long long)b[7];
}

/* Is it a common word, as such a number? */
static int isCommon(unsigned long long word) {
  int at = 0, n = (int)(sizeof(commonWords) / sizeof(commonWords[0]));
  while (n > 1) { /* no branch within: half of them would be guessed wrong */
    int half = n / 2;
    at += asNumber(commonWords[at + half]) <= word ? half : 0;
    n -= half;
  }
  return asNumber(commonWords[at]) == word;
}

#define HASH_START 2166136261u

static inline unsigned hashByte(unsigned h, unsigned char byte) {
  return (h ^ byte) * 16777619u;
}

static unsigned hashBytes(const unsigned char *p, int n) {
  unsigned h = HASH_START;
  for (int i = 0; i < n; i++)
    h = hashByte(h, p[i]);
  return h;
}

void ts_topic_clear(Topic *t) {
  memset(t, 0, sizeof(*t));
}

/* The slot of a hash: the one that holds it, or the free one where it belongs. */
static inline int findSlot(const Topic *t, unsigned h) {
  int i = (int)(h % TS_TOPIC_SLOTS);
  while (t->slot[i] != 0 && t->slot[i] != h)
    i = (i + 1) % TS_TOPIC_SLOTS;
  return i;
}

static void addHash(Topic *t, unsigned h, unsigned char bit) {
  int i;
  h |= 1; /* 0 means free */
  i = findSlot(t, h);
  if (t->slot[i] == 0) {
    if (t->n >= TS_TOPIC_MAX) return; /* enough is known */
    t->slot[i] = h;
    t->taken[t->n++] = (unsigned char)i;
  }
  t->in[i] |= bit;
}

/* A word as it is read: of its first letters, folded, a hash and the bytes as a number. */
typedef struct Stem {
  unsigned long long bytes;
  unsigned hash;
  int nBytes, nChars, isNumber;
} Stem;

static const Stem noStem = {0, HASH_START, 0, 0, 1};

#define STEM_CHARS 5

static inline void addToStem(Stem *stem, unsigned char byte) {
  stem->hash = hashByte(stem->hash, byte);
  stem->bytes = stem->bytes << 8 | byte;
  stem->nBytes++;
}

/* ASCII letters and digits in lower case, 0: it is none. */
static const unsigned char plain[256] = {
    ['0'] = '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ['A'] = 'a', 'b', 'c',
    'd',         'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n',         'o', 'p',
    'q',         'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', ['a'] = 'a', 'b', 'c',
    'd',         'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n',         'o', 'p',
    'q',         'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z'};

/* Reads such letters; returns what is behind them. */
static const unsigned char *readPlain(Stem *stem, const unsigned char *p,
                                      const unsigned char *end) {
  const unsigned char *from = p;
  unsigned char highest = 0;
  for (; p < end && plain[*p] && stem->nChars + (p - from) < STEM_CHARS; p++) {
    unsigned char c = plain[*p];
    addToStem(stem, c);
    highest = c > highest ? c : highest;
  }
  for (; p < end && plain[*p]; p++)
    highest = plain[*p] > highest ? plain[*p] : highest;
  stem->nChars += (int)(p - from);
  stem->isNumber &= highest <= '9';
  return p;
}

/* Reads another letter of so many bytes. */
static void readLetter(Stem *stem, const unsigned char *p, int len, unsigned c) {
  char folded[4];
  int n = stem->nChars++ < STEM_CHARS ? ts_fold((const char *)p, len, folded) : 0;
  for (int i = 0; i < n; i++)
    addToStem(stem, (unsigned char)folded[i]);
  stem->isNumber &= c >= '0' && c <= '9';
}

/* Adds a word, unless it is short or common. */
static void addStem(Topic *t, const Stem *stem, unsigned char bit) {
  if (stem->nChars < 4 && !(stem->isNumber && stem->nChars >= 2)) return;
  if (stem->nBytes < 8 && isCommon(stem->bytes << 8 * (8 - stem->nBytes))) return;
  addHash(t, stem->hash, bit);
}

/* Adds every content word of a text (any bytes) to t under bit. */
static void addWords(Topic *t, const char *text, int n, unsigned char bit) {
  const unsigned char *p = (const unsigned char *)text, *end = p + n;
  const unsigned char *previous = 0; /* the ideograph before this one */
  Stem stem = noStem;
  while (p < end) {
    int len;
    unsigned c;
    if (plain[*p]) {
      p = readPlain(&stem, p, end);
      previous = 0;
      continue;
    }
    len = *p < 0x80 ? 1 : ts_utf8_length(p, end);
    c = len == 1 ? *p : len == 0 ? ' ' : ts_utf8_decode(p, end, &len);
    if (len == 0) len = 1;
    if (isWordChar(c) || (c == '\'' && stem.nChars > 0)) {
      readLetter(&stem, p, len, c);
      previous = 0;
    } else {
      if (stem.nChars > 0) {
        addStem(t, &stem, bit);
        stem = noStem;
      }
      if (isIdeograph(c)) {
        if (previous != 0) addHash(t, hashBytes(previous, (int)(p + len - previous)), bit);
        previous = p;
      } else {
        previous = 0;
      }
    }
    p += len;
  }
  if (stem.nChars > 0) addStem(t, &stem, bit);
}

/* What a question is about stands at its end, after the report; tasks are short. */
#define TOPIC_BYTES 600

void ts_topic_add(Topic *t, const char *text, int n, unsigned char bit) {
  if (text == 0 || n <= 0) return;
  if (n > TOPIC_BYTES) {
    text += n - TOPIC_BYTES;
    n = TOPIC_BYTES;
  }
  addWords(t, text, n, bit);
}

void ts_topic_compare(const Topic *t, const Shape *s, int *nContent, int *nIn1, int *nIn2) {
  Topic mine;
  ts_topic_clear(&mine);
  addWords(&mine, s->text, s->n, 1);
  *nContent = mine.n;
  *nIn1 = *nIn2 = 0;
  for (int i = 0; i < mine.n; i++) {
    int k = findSlot(t, mine.slot[mine.taken[i]]);
    if (t->slot[k] == 0) continue;
    *nIn1 += (t->in[k] & 1) != 0;
    *nIn2 += (t->in[k] & 2) != 0;
  }
}
