/*
** literals.c - a prefilter for patterns: literals of which every match must contain one.
**
** A few hundred rules are checked against each message, and hardly any of them match. Starting a
** regular expression engine costs more than a look at a table, so each pattern is read once, when
** it is added, for text that it cannot match without:
**
**     ^(?:please )?stop (?:it|that)\b         begins with "please s", "stop it" or "stop tha"
**     \b(?:never ?mind|forget (?:it|this))    begins with "never mi", "nevermin" or "forget i", …
**     \b(?:is|are) \w+ (?:done|ready)\b       begins with "is " or "are ", and contains "done" or "ready"
**     \w+ (?:mind|care)\b                     contains "mind" or "care"
**     \d+%                                    nothing known
**
** The reader understands a plain subset of the syntax: literals, classes, groups, alternation,
** quantifiers and look-around. For the start of a match it collects heads: the texts of up to eight
** bytes with which a match can begin. Each piece of a sequence lengthens the heads of those before it,
** in every way there is, until a head is long enough, or something stands there that is no literal. Where the ways are
** too many, a head ends, and keeps which two bytes can follow it. A head that is all of a match says so.
** For the inside it keeps the most telling part of a sequence, also among what stands behind the first
** literal; an alternation needs a literal from each branch, and what is optional counts for nothing. At anything else (inline options, back references, \Q, \x and so on) it gives up, and
** the rule is always tried. Soundness is what matters: a skipped rule that could have matched
** would be an error nobody sees.
**
** Patterns match without regard to case under Unicode's rules, so both sides are folded. Beyond
** ASCII that is done for accented Latin and for Cyrillic; scripts without case need none (Chinese,
** Japanese, Korean, Arabic, Devanagari). Other
** letters (Greek, ß) end a literal; their neighbours usually suffice.
*/
#include "literals.h"

#include <string.h>

#define PATTERN_BYTES 1536
#define NESTING_MAX 40
#define NODES_MAX 2048
#define WITHIN_MIN 2     /* shorter literals within a match are too common to be of use */
#define HEADS_MAX 2048   /* beginnings that are being worked on */
#define HEADS_CROSSED 64 /* more are not made of two sets by joining each with each */

/* A set under construction: a chain of literals, or "none" when n is 0. */
typedef struct Chain {
  int head, tail; /* indexes into Reader.node */
  int n;
  int shortest; /* bytes of the shortest member */
} Chain;

typedef struct Node {
  unsigned short at, n;
  int next; /* -1 ends the chain */
} Node;

/* A text with which a part can begin. */
typedef struct Head {
  char text[TS_HEAD_MAX];
  unsigned char n;
  unsigned char isWhole; /* the part can end behind it; else something follows */
  unsigned char end;     /* LiteralEnd: what cannot follow */
  unsigned char place;   /* LiteralPlace: where it stands */
  unsigned char isVague; /* something is asked besides that is not noted here */
  unsigned char unused;
  unsigned short next; /* of one that is not whole: what can follow, see Literal */
} Head;

typedef struct Reader {
  const unsigned char *p, *end;
  char *text; /* receives folded literals, one after the other */
  int nText;
  Node node[2 * NODES_MAX]; /* those of Part.rest in the second half */
  int nNode, nRest;
  Head head[HEADS_MAX]; /* a stack: those of the part that was read last are on its top */
  int nHead;
  int headsFull; /* nothing is known about beginnings */
  int idle;      /* what is read stands too far behind the beginning to take part in it */
  int splits;    /* a class of a few characters is an alternative of each */
  int isAtomic;  /* a part of it gives nothing back, or may not be there */
  LiteralSet *set;
  int depth;
  int gaveUp; /* met syntax that is not understood */
} Reader;

static const Chain noChain = {-1, -1, 0, 0};

/* What is known about a part of a pattern. */
typedef struct Part {
  Chain within;
  Chain rest;   /* like within, but none of the first ones */
  int asks;     /* it contains a question mark */
  int isBehind; /* something that need not be there can stand before what is within, */
  int isLate;   /* … and before what is read next */
  int canBeEmpty;
} Part;

/* Scripts and symbols without case: their bytes can be compared as they are. */
static int isCaselessScript(unsigned c) {
  return (c >= 0x620 && c <= 0x64A) || (c >= 0x900 && c <= 0x963) || (c >= 0x3131 && c <= 0x318E) ||
         (c >= 0x3005 && c <= 0x3007) || (c >= 0x3041 && c <= 0x30FF) ||
         (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x2600 && c <= 0x27BF) ||
         (c >= 0x2B00 && c <= 0x2BFF) || (c >= 0x1F300 && c <= 0x1FAFF);
}

/* Letters with case whose folding is known: Latin with accents, and basic Cyrillic. */
static int isKnownLetter(unsigned c) {
  if (c >= 0xC0 && c <= 0x17E)
    return c != 0xD7 && c != 0xDF && c != 0xF7 && c != 0x138 && c != 0x149;
  return c >= 0x400 && c <= 0x45F;
}

/* Latin with accents: in most blocks the small letter follows its capital. */
static unsigned foldLatin(unsigned c) {
  if (c <= 0xDE) return c == 0xD7 ? c : c + 0x20;
  if (c < 0x100 || c == 0x130 || c == 0x131 || c == 0x138 || c == 0x149) return c;
  if (c == 0x178) return 0xFF;
  if ((c >= 0x139 && c <= 0x148) || c >= 0x179) return c + (c & 1);
  return c | 1;
}

/* The folded form of one character, or the character itself. */
static unsigned foldChar(unsigned c) {
  /* U+1C80..U+1C86 are old letter forms that Unicode equates with these when ignoring case. */
  static const unsigned short oldForms[] = {0x432, 0x434, 0x43E, 0x441, 0x442, 0x442, 0x44A};
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c == 0x17F) return 's'; /* long s */
  if (c >= 0xC0 && c <= 0x17E) return foldLatin(c);
  if (c == 0x212B) return 0xE5; /* angstrom sign */
  if (c == 0x212A) return 'k';  /* kelvin sign */
  if (c >= 0x410 && c <= 0x42F) return c + 0x20;
  if (c >= 0x400 && c <= 0x40F) return c + 0x50;
  if (c >= 0x1C80 && c <= 0x1C86) return oldForms[c - 0x1C80];
  return c;
}

/* Writes a folded character. Everything that folding changes lies below U+0800. */
static int putFolded(unsigned c, const unsigned char *p, int len, char *out) {
  unsigned f = foldChar(c);
  if (f < 0x80) {
    out[0] = (char)f;
    return 1;
  }
  if (f == c) {
    for (int i = 0; i < len; i++)
      out[i] = (char)p[i];
    return len;
  }
  out[0] = (char)(0xC0 | f >> 6);
  out[1] = (char)(0x80 | (f & 0x3F));
  return 2;
}

#define EACH_BYTE 0x0101010101010101ull

/* Folds eight bytes at once if they are ASCII: 1, they were. */
static int foldEight(const unsigned char *p, char *out) {
  unsigned long long eight, isCapital;
  memcpy(&eight, p, sizeof(eight));
  if (eight & EACH_BYTE * 0x80) return 0;
  /* The highest bit of each byte: is it 'A' and above, and not above 'Z'? */
  isCapital = (eight + EACH_BYTE * (0x80 - 'A')) & ~(eight + EACH_BYTE * (0x7F - 'Z'));
  eight |= (isCapital & EACH_BYTE * 0x80) >> 2;
  memcpy(out, &eight, sizeof(eight));
  return 1;
}

/* The same for a character from U+0400 to U+047F. */
static int foldCyrillic(const unsigned char *p, char *out) {
  unsigned c = (p[0] & 1u) << 6 | (p[1] & 0x3Fu);
  c += c >= 0x30 ? 0 : c < 0x10 ? 0x50 : 0x20;
  out[0] = (char)(0xD0 | c >> 6);
  out[1] = (char)(0x80 | (c & 0x3F));
  return 2;
}

int ts_fold(const char *in, int n, char *out) {
  const unsigned char *p = (const unsigned char *)in, *end = p + n;
  int nOut = 0;
  while (p < end) {
    int len = 1;
    while (end - p >= 8 && foldEight(p, out + nOut)) {
      p += 8;
      nOut += 8;
    }
    if (p == end) break;
    if (*p < 0x80) {
      out[nOut++] = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
    } else if ((*p & 0xFE) == 0xD0 && end - p > 1) {
      nOut += foldCyrillic(p, out + nOut);
      len = 2;
    } else if (*p >= 0xE3 && end - p > 3) { /* nothing there is folded */
      memcpy(out + nOut, p, 4);
      len = *p >= 0xF0 ? 4 : 3;
      nOut += len;
    } else {
      unsigned c = ts_utf8_decode(p, end, &len);
      nOut += putFolded(c, p, len, out + nOut);
    }
    p += len;
  }
  return nOut;
}

/* True when a tells more about a match than b does. */
static int isBetter(Chain a, Chain b) {
  int la = a.shortest > 5 ? 5 : a.shortest, lb = b.shortest > 5 ? 5 : b.shortest;
  if (a.n == 0) return 0;
  if (b.n == 0) return 1;
  return la != lb ? la > lb : a.n < b.n;
}

static Chain single(Reader *r, int at, int n) {
  Chain c = noChain;
  if (r->nNode >= NODES_MAX) {
    r->gaveUp = 1;
    return c;
  }
  c.head = c.tail = r->nNode++;
  c.n = 1;
  c.shortest = n;
  r->node[c.head] = (Node){(unsigned short)at, (unsigned short)n, -1};
  return c;
}

static Chain join(Reader *r, Chain a, Chain b) {
  if (a.n == 0) return b;
  if (b.n == 0) return a;
  r->node[a.tail].next = b.head;
  a.tail = b.tail;
  a.n += b.n;
  if (b.shortest < a.shortest) a.shortest = b.shortest;
  return a;
}

/* The same literals in nodes of their own, for Part.rest. Finding no room for them is no harm. */
static Chain copyRest(Reader *r, Chain c) {
  Chain copy = c;
  if (c.n == 0 || r->nRest + c.n > NODES_MAX) return noChain;
  copy.head = NODES_MAX + r->nRest;
  for (int i = c.head; i >= 0; i = r->node[i].next) {
    copy.tail = NODES_MAX + r->nRest++;
    r->node[copy.tail] = r->node[i];
    r->node[copy.tail].next = copy.tail + 1;
  }
  r->node[copy.tail].next = -1;
  return copy;
}

static void offerRest(Reader *r, Part *part, Chain c) {
  if (isBetter(c, part->rest)) part->rest = copyRest(r, c);
}

/* isBehind: within its group something that need not be there can stand before it. */
static void offerWithin(Part *part, Chain c, int isBehind) {
  if (!isBetter(c, part->within)) return;
  part->within = c;
  part->isBehind = isBehind || part->isLate;
}

/* One branch of a pattern while it is read. */
typedef struct Sequence {
  Part part;
  int start;     /* where the literal being collected begins in the text */
  int isOpen;    /* the start of a match still lies ahead: nothing but empty matches so far */
  int from;      /* its first head */
  int isGrowing; /* some of its heads can still become longer */
} Sequence;

/* Ends the literal that is being collected: it may be the best of the sequence, and its first one. */
static void endLiteral(Reader *r, Sequence *s) {
  int n = r->nText - s->start, isFirst = s->isOpen;
  if (n == 0) return;
  s->isOpen = 0;
  if (n >= WITHIN_MIN) {
    Chain c = single(r, s->start, n);
    if (!isFirst) offerRest(r, &s->part, c);
    offerWithin(&s->part, c, 0);
  }
  s->start = r->nText;
}

/* ---- Beginnings -------------------------------------------------------------------------------- */

/* Lets two bytes follow, or one and whatever comes then. */
static void allowNext(LiteralNext *next, const char *text, int n) {
  unsigned second = n > 1 ? 1u << ((unsigned char)text[1] & 15) : 0xFFFF;
  next->row[(unsigned char)text[0] & 15] |= (unsigned short)second;
}

/* The number of what can follow; 0 where there is no room for one more. */
static unsigned short keepNext(Reader *r, const LiteralNext *next) {
  LiteralSet *set = r->set;
  for (int i = set->nNext - 1; i >= 0; i--)
    if (memcmp(&set->next[i], next, sizeof(*next)) == 0) return (unsigned short)(TS_NEXT_OWN + i);
  if (set->nNext == TS_NEXT_MAX) return 0;
  set->next[set->nNext] = *next;
  return (unsigned short)(TS_NEXT_OWN + set->nNext++);
}

/* The same for one text. */
static unsigned short nextOfText(const char *text, int n) {
  unsigned first = (unsigned char)text[0] & 15;
  if (n == 1) return (unsigned short)(TS_NEXT_BYTE + first);
  return (unsigned short)(TS_NEXT_PAIR + first * 16 + ((unsigned char)text[1] & 15));
}

/* A head of n bytes, of which it takes the first. Of the rest of like is taken what fits. */
static void pushLike(Reader *r, const char *text, int n, const Head *like) {
  Head *head = &r->head[r->nHead];
  if (r->idle) return;
  if (r->nHead == HEADS_MAX) {
    r->headsFull = 1;
    return;
  }
  memset(head, 0, sizeof(*head));
  head->n = (unsigned char)(n < TS_HEAD_MAX ? n : TS_HEAD_MAX);
  memcpy(head->text, text, head->n);
  head->place = like->place;
  head->isVague = like->isVague;
  if (n <= TS_HEAD_MAX) {
    head->isWhole = like->isWhole;
    head->end = like->end;
    head->next = like->next;
  } else {
    head->next = nextOfText(text + TS_HEAD_MAX, n - TS_HEAD_MAX);
  }
  r->nHead++;
}

static void pushHead(Reader *r, const char *text, int n, int isWhole) {
  Head like = {.isWhole = (unsigned char)isWhole};
  pushLike(r, text, n, &like);
}

/* Behind those from here on stands something that is no literal. */
static void cutHeads(Reader *r, int from) {
  for (int i = from; i < r->nHead; i++)
    r->head[i].isWhole = 0;
}

static int hasWhole(const Reader *r, int from) {
  for (int i = from; i < r->nHead; i++)
    if (r->head[i].isWhole) return 1;
  return 0;
}

/* Literal bytes follow. */
static void appendToHeads(Reader *r, int from, const char *text, int n) {
  for (int i = from; i < r->nHead; i++) {
    Head *head = &r->head[i];
    int k = 0;
    if (!head->isWhole || n == 0) continue;
    while (k < n && head->n < TS_HEAD_MAX)
      head->text[head->n++] = text[k++];
    head->isWhole = k == n;
    if (k < n) head->next = nextOfText(text + k, n - k);
    head->isVague |= head->end != ENDS_ANYHOW;
    head->end = k > 0 ? ENDS_ANYHOW : head->end;
  }
}

/* Puts what stands on the stack from one place on down to another. */
static void lowerHeads(Reader *r, int to, int from) {
  memmove(&r->head[to], &r->head[from], (size_t)(r->nHead - from) * sizeof(Head));
  r->nHead -= from - to;
}

/* Does a text, folded, end in a letter, a digit or "_"? Says no when it cannot tell. */
static int endsInWord(const char *text, int n) {
  unsigned last = n > 0 ? (unsigned char)text[n - 1] : 0, first;
  if (last < 0x80)
    return (last >= 'a' && last <= 'z') || (last >= '0' && last <= '9') || last == '_';
  first = n > 1 ? (unsigned char)text[n - 2] : 0;
  return (first >= 0xC3 && first <= 0xC5) || first == 0xD0 || first == 0xD1;
}

static void dropTwice(Reader *r, int from) {
  int n = from;
  for (int i = from; i < r->nHead; i++) {
    int k = from;
    while (k < n && memcmp(&r->head[k], &r->head[i], sizeof(Head)) != 0)
      k++;
    if (k == n) r->head[n++] = r->head[i];
  }
  r->nHead = n;
}

/* What the heads from one on let follow on what stands before them, those that are empty apart; 0: anything. */
static unsigned short nextOf(Reader *r, int from, int end) {
  LiteralNext next = {{0}};
  for (int i = from; i < end; i++) {
    if (r->head[i].n == 0 && !r->head[i].isWhole) return 0;
    if (r->head[i].n > 0) allowNext(&next, r->head[i].text, r->head[i].n);
  }
  return keepNext(r, &next);
}

/* A head and one that follows it, as one. */
static void joinHead(Reader *r, const Head *head, const Head *next) {
  char text[2 * TS_HEAD_MAX];
  Head both = *next;
  memcpy(text, head->text, TS_HEAD_MAX);
  memcpy(text + head->n, next->text, TS_HEAD_MAX);
  both.isVague |= head->isVague;
  both.isVague |= next->place != PLACE_ANY && (head->n > 0 || head->place != PLACE_ANY);
  if (head->n > 0 || head->place != PLACE_ANY) both.place = head->place;
  if (next->n == 0 && head->end > both.end) both.end = head->end;
  if (next->n > 0) both.isVague |= head->end != ENDS_ANYHOW;
  pushLike(r, text, head->n + next->n, &both);
}

/* What follows some heads, [then, end) of them. */
typedef struct Following {
  int then, end;
  int isKnown; /* the rest is */
  int isOpen;  /* one can be empty, */
  int isLast;  /* … or all are */
  unsigned short next;
} Following;

static void readFollowing(Reader *r, Following *f) {
  f->isKnown = f->isLast = 1;
  for (int k = f->then; k < f->end; k++) {
    int isEmpty = r->head[k].n == 0 && r->head[k].isWhole;
    f->isOpen |= isEmpty;
    f->isLast &= isEmpty;
  }
  f->next = f->isOpen && r->nHead > HEADS_CROSSED * 4 ? 0 : nextOf(r, f->then, f->end);
}

/* Joins a head with what follows without making it longer: it ends here, but for what can be empty. */
static void closeHead(Reader *r, const Head *head, Following *f) {
  Head closed = *head;
  if (!f->isKnown) readFollowing(r, f);
  closed.isWhole = 0;
  closed.next = f->next;
  if (!f->isLast) pushLike(r, head->text, head->n, &closed);
  if (!f->isOpen || (!f->isLast && f->next == 0)) return;
  for (int k = f->then; k < f->end; k++) {
    Head following = r->head[k];
    if (following.n == 0 && following.isWhole) joinHead(r, head, &following);
  }
}

/* Joins the heads [from, then) with those behind them, of what follows: each with each, or, when those are too
** many, only the empty one. */
static void crossHeads(Reader *r, int from, int then) {
  Following f = {.then = then, .end = r->nHead};
  int nWhole = 0, isWide;
  if (r->idle) return;
  for (int i = from; i < then; i++)
    nWhole += r->head[i].isWhole;
  isWide = nWhole > 1 && nWhole * (f.end - then) > HEADS_CROSSED;
  for (int i = from; i < then; i++) {
    Head head = r->head[i];
    if (!head.isWhole) {
      pushLike(r, head.text, head.n, &head);
    } else if (head.n == TS_HEAD_MAX || (isWide && head.n > 0)) {
      closeHead(r, &head, &f);
    } else {
      for (int k = then; k < f.end; k++)
        joinHead(r, &head, &r->head[k]);
    }
  }
  lowerHeads(r, from, f.end);
  if (nWhole > 1 && r->nHead - from <= HEADS_CROSSED) dropTwice(r, from);
}

/* What was read last, from a place on, can repeat so often. most: 1, or more. It ends behind the first time, or comes
** once more. */
static void repeatHeads(Reader *r, int from, int least, int most) {
  if (most > 1 && (least > 1 || r->nHead > HEADS_CROSSED * 4)) {
    cutHeads(r, from);
  } else if (most > 1) {
    int end = r->nHead;
    unsigned short again = nextOf(r, from, end);
    for (int i = from; i < end; i++) {
      Head head = r->head[i];
      if (!head.isWhole || head.n == 0) continue;
      head.isWhole = 0;
      head.next = again;
      pushLike(r, head.text, head.n, &head);
    }
  }
  if (least == 0) pushHead(r, "", 0, 1);
}

/* Steps over a character class; p is behind the '['. */
static void skipClass(Reader *r) {
  if (r->p < r->end && *r->p == '^') r->p++;
  if (r->p < r->end && *r->p == ']') r->p++;
  while (r->p < r->end && *r->p != ']') {
    if (*r->p == '\\') {
      r->p++;
      if (r->p < r->end && (*r->p == 'Q' || *r->p == 'E')) r->gaveUp = 1;
    } else if (*r->p == '[' && r->p + 1 < r->end && strchr(":.=", r->p[1]) != 0) {
      /* [:alpha:] and relatives contain a ']' that ends nothing. */
      const unsigned char *q = r->p + 2;
      while (q + 1 < r->end && !(q[0] == r->p[1] && q[1] == ']'))
        q++;
      if (q + 1 >= r->end) r->gaveUp = 1;
      r->p = q + 1;
    }
    if (r->p < r->end) r->p++;
  }
  if (r->p < r->end) r->p++;
}

static int isAlnum(unsigned c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

#define CLASS_MAX 20 /* characters of a class that are told apart */

/* The next character of a class; 0: it is none that stands for itself. */
static unsigned classChar(const unsigned char **p, const unsigned char *end) {
  int len = 1;
  unsigned c = ts_utf8_decode(*p, end, &len);
  *p += len;
  if (c >= 0x80) return isCaselessScript(c) || isKnownLetter(c) ? c : 0;
  if (c == '[') return 0;
  if (c != '\\') return c;
  if (*p == end) return 0;
  c = *(*p)++;
  if (c == 'n') return '\n';
  return c < 0x80 && !isAlnum(c) ? c : 0;
}

/* Of a class between its brackets each character as a head; 0: they are too many, or others. */
static int classHeads(Reader *r, const unsigned char *p, const unsigned char *end) {
  char text[4];
  if (!r->splits || p >= end || *p == '^' || *p == ']') return 0;
  for (int n = 0; p < end; n++) {
    const unsigned char *from = p;
    unsigned c = classChar(&p, end), last = c;
    int len = (int)(p - from);
    if (p + 1 < end && *p == '-') {
      p++;
      last = classChar(&p, end);
      if (!isAlnum(c) || !isAlnum(last)) return 0;
    }
    n += (int)(last - c);
    if (c == 0 || last < c || n >= CLASS_MAX) return 0;
    for (; c <= last; c++)
      pushHead(r, text, putFolded(c, from, len, text), 1);
  }
  return 1;
}

/* What cannot follow where such a part of a pattern that matches an empty string stands. *isBoundary: if a letter
** stands before it. */
static LiteralEnd endOf(const unsigned char *p, const unsigned char *end, int *isBoundary) {
  static const struct {
    const char *part;
    LiteralEnd end;
  } ends[] = {{"b", ENDS_WORD},           {"$", ENDS_LINE},
              {"z", ENDS_LINE},           {"(?!\\w)", ENDS_WORD},
              {"(?=\\n|\\z)", ENDS_LINE}, {"(?![\\p{L}\\p{M}])", ENDS_LETTERS}};
  *isBoundary = *p == 'b';
  for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
    size_t n = strlen(ends[i].part);
    if ((size_t)(end - p) == n && memcmp(p, ends[i].part, n) == 0) return ends[i].end;
  }
  return ENDS_ANYHOW;
}

/* A part [p, end) of a pattern that matches an empty string says what cannot follow the heads from one on. */
static void endHeads(Reader *r, int from, const unsigned char *p, const unsigned char *end) {
  int isBoundary;
  LiteralEnd what = endOf(p, end, &isBoundary);
  for (int i = from; i < r->nHead; i++) {
    Head *head = &r->head[i];
    int isKnown = what != ENDS_ANYHOW && *p != 'z' && head->n > 0;
    isKnown = isKnown && (!isBoundary || endsInWord(head->text, head->n));
    if (!head->isWhole) continue;
    head->isVague |= !isKnown;
    if (what == ENDS_ANYHOW || head->n == 0 || head->end >= what) continue;
    if (!isBoundary || endsInWord(head->text, head->n)) head->end = (unsigned char)what;
  }
}

/* Reads a quantifier if there is one. Returns the least number of repeats, -1 without one. *most: 1, or more. */
static int readQuantifier(Reader *r, int *most) {
  int least = 0;
  *most = 1;
  if (r->p >= r->end) return -1;
  *most = *r->p == '?' ? 1 : 2;
  switch (*r->p) {
  case '?':
  case '*': least = 0; break;
  case '+': least = 1; break;
  case '{':
    r->p++;
    if (r->p >= r->end || *r->p < '0' || *r->p > '9') {
      r->gaveUp = 1; /* a literal brace */
      return -1;
    }
    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
      least = least > 1000 ? least : least * 10 + (*r->p - '0');
    while (r->p < r->end && *r->p != '}') {
      if (*r->p != ',' && (*r->p < '0' || *r->p > '9')) {
        r->gaveUp = 1;
        return -1;
      }
      r->p++;
    }
    if (r->p >= r->end) {
      r->gaveUp = 1;
      return -1;
    }
    r->isAtomic |= least == 0 && r->p[-1] == '0'; /* perhaps never */
    break;
  default: *most = 1; return -1;
  }
  r->p++;
  r->isAtomic |= r->p < r->end && *r->p == '+';
  if (r->p < r->end && (*r->p == '?' || *r->p == '+')) r->p++; /* lazy, possessive */
  return least;
}

static Part readAlternatives(Reader *r);

/* Reads a group behind its '('. *isZeroWidth is set for look-around, which tells nothing. */
static Part readGroup(Reader *r, int *isZeroWidth) {
  Part c = {noChain, noChain, 0, 0, 0, 1};
  *isZeroWidth = 0;
  if (++r->depth > NESTING_MAX) {
    r->gaveUp = 1;
    return c;
  }
  if (r->p < r->end && *r->p == '?') {
    const unsigned char *q = r->p + 1;
    if (q < r->end && (*q == ':' || *q == '>')) {
      r->isAtomic |= *q == '>';
      r->p = q + 1;
    } else if (q < r->end && (*q == '=' || *q == '!')) {
      *isZeroWidth = 1;
      r->p = q + 1;
    } else if (q + 1 < r->end && *q == '<' && (q[1] == '=' || q[1] == '!')) {
      *isZeroWidth = 1;
      r->p = q + 2;
    } else {
      r->gaveUp = 1; /* inline options, names, conditions, … */
      return c;
    }
  } else if (r->p < r->end && *r->p == '*') {
    r->gaveUp = 1;
    return c;
  }
  c = readAlternatives(r);
  if (r->p < r->end && *r->p == ')')
    r->p++;
  else
    r->gaveUp = 1;
  r->depth--;
  return c;
}

/*
** Reads an escape behind its backslash. Returns 1 when it stands for the literal *c, 0 when it
** takes part in no literal, 2 when it matches an empty string.
*/
static int readEscape(Reader *r, unsigned *c) {
  unsigned e;
  if (r->p >= r->end) {
    r->gaveUp = 1;
    return 0;
  }
  e = *r->p++;
  *c = e;
  if (strchr("bBAzZ", (int)e) != 0) return 2;
  if (e == 'n') {
    *c = '\n';
    return 1;
  }
  if (strchr("dDwWsShHvVRNXtrfea", (int)e) != 0) {
    /* \N{…} would need more than one letter. */
    if (e == 'N' && r->p < r->end && *r->p == '{') r->gaveUp = 1;
    return 0;
  }
  if (e == 'p' || e == 'P') {
    if (r->p < r->end && *r->p == '{') {
      while (r->p < r->end && *r->p != '}')
        r->p++;
    }
    if (r->p < r->end) r->p++;
    return 0;
  }
  if (e >= 0x80 || (e >= '0' && e <= '9') || (e >= 'a' && e <= 'z') || (e >= 'A' && e <= 'Z')) {
    r->gaveUp = 1;
    return 0;
  }
  return 1;
}

/* A literal that need not be there. */
static void optionalLiteral(Reader *r, int from, unsigned c, const unsigned char *p, int len,
                            int most) {
  char text[4];
  int then = r->nHead, n = putFolded(c, p, len, text);
  pushHead(r, text, n, 1);
  repeatHeads(r, then, 0, most);
  crossHeads(r, from, then);
}

/* How many plain letters and blanks come next that no quantifier follows. */
static int plainBytes(const Reader *r) {
  const unsigned char *p = r->p;
  while (p < r->end && (*p == ' ' || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
    p++;
  if (p > r->p && p < r->end && (*p == '?' || *p == '*' || *p == '+' || *p == '{')) p--;
  return (int)(p - r->p);
}

/* Takes them, for the heads from one on. Most of a pattern is that. */
static void takePlain(Reader *r, int n, int from) {
  char *text = r->text + r->nText;
  r->nText += ts_fold((const char *)r->p, n, text);
  r->p += n;
  appendToHeads(r, from, text, n);
}

/* A piece of a sequence, and how often it can repeat. */
typedef struct Atom {
  const unsigned char *at;  /* where it stands; of an escape, what is behind the backslash */
  const unsigned char *end; /* … and its end, before its quantifier */
  int len;                  /* bytes of a literal */
  unsigned c;               /* its character */
  int isLiteral, isGroup, isZeroWidth;
  int isSplit; /* a class: its characters are on the stack of heads */
  Part group;
  int then;        /* where its own heads begin */
  int least, most; /* see readQuantifier */
} Atom;

/* Reads a group of a sequence behind its '('. The literal so far ends here, for the group writes its own behind it. */
static void readInner(Reader *r, Sequence *s, Atom *a) {
  endLiteral(r, s);
  a->isGroup = 1;
  r->idle += !s->isGrowing;
  a->group = readGroup(r, &a->isZeroWidth);
  r->idle -= !s->isGrowing;
  s->start = r->nText;
}

/* Reads the next piece, without its quantifier. */
static void readAtom(Reader *r, Sequence *s, Atom *a) {
  int kind;
  *a = (Atom){.at = r->p, .len = 1, .c = *r->p, .then = r->nHead};
  if (a->c >= 0x80) {
    a->c = ts_utf8_decode(r->p, r->end, &a->len);
    a->isLiteral = isCaselessScript(a->c) || isKnownLetter(a->c);
    r->p += a->len;
    return;
  }
  r->p++;
  switch (a->c) {
  case '(': readInner(r, s, a); break;
  case '[':
    skipClass(r);
    a->isSplit = s->isGrowing && classHeads(r, a->at + 1, r->p - 1);
    break;
  case '.': break;
  case '^':
  case '$': a->isZeroWidth = 1; break;
  case '\\':
    kind = readEscape(r, &a->c);
    a->isLiteral = kind == 1;
    a->isZeroWidth = kind == 2;
    a->at = r->p - 1;
    break;
  default: a->isLiteral = 1;
  }
}

/* The heads of a piece, repeated as it can be, follow those of the sequence. */
static void joinHeads(Reader *r, const Sequence *s, const Atom *a) {
  repeatHeads(r, a->then, a->least, a->most);
  crossHeads(r, s->from, a->then);
}

/* What the heads of a sequence cannot tell is asked. */
static void blurHeads(Reader *r, int from) {
  for (int i = from; i < r->nHead; i++)
    r->head[i].isVague = 1;
}

/* The heads of a sequence, of which nothing has been read yet, begin at such a place. */
static void placeHeads(Reader *r, int from, LiteralPlace place) {
  for (int i = from; i < r->nHead; i++) {
    Head *head = &r->head[i];
    if (!head->isWhole) continue;
    head->isVague |= head->n > 0 || head->place != PLACE_ANY;
    if (head->n == 0 && head->place == PLACE_ANY) head->place = (unsigned char)place;
  }
}

/* What matches an empty string. */
static void takeZeroWidth(Reader *r, const Sequence *s, const Atom *a) {
  int isFirst = r->nHead > s->from && r->head[s->from].n == 0 && a->then == s->from + 1;
  r->nHead = a->then; /* of what it looks at */
  if (a->least >= 0)
    blurHeads(r, s->from);
  else if (isFirst && strchr("^Ab", *a->at) != 0)
    placeHeads(r, s->from, *a->at == '^' ? PLACE_LINE : *a->at == 'A' ? PLACE_TEXT : PLACE_WORD);
  else
    endHeads(r, s->from, a->at, a->end);
}

static void takeGroup(Reader *r, Sequence *s, const Atom *a) {
  const Part *group = &a->group;
  if (a->least != 0) {
    offerRest(r, &s->part, s->isOpen ? group->rest : group->within);
    s->part.asks |= group->asks;
    offerWithin(&s->part, group->within, group->isBehind);
  }
  s->isOpen &= a->least == 0 || group->canBeEmpty;
  if (s->isGrowing) joinHeads(r, s, a);
}

/* A literal that must be there. */
static void takeLiteral(Reader *r, Sequence *s, const Atom *a) {
  char *text = r->text + r->nText;
  int n = putFolded(a->c, a->at, a->len, text);
  if (s->isGrowing) appendToHeads(r, s->from, text, n);
  if (a->most > 1) cutHeads(r, s->from);
  r->nText += n;
  s->part.asks |= a->c == '?';
  if (a->least > 0) endLiteral(r, s); /* "a+": the literal cannot go on behind it */
}

/* A class, or an optional character. */
static void takeVague(Reader *r, Sequence *s, const Atom *a) {
  endLiteral(r, s);
  s->isOpen &= a->least == 0;
  if (a->isLiteral && s->isGrowing) {
    optionalLiteral(r, s->from, a->c, a->at, a->len, a->most);
  } else if (a->isSplit) {
    joinHeads(r, s, a);
  } else {
    r->nHead = a->then;
    cutHeads(r, s->from);
  }
}

static void takeAtom(Reader *r, Sequence *s, const Atom *a) {
  if (a->isZeroWidth) {
    takeZeroWidth(r, s, a);
    return;
  }
  s->part.isLate |= a->least == 0 || (a->isGroup && a->group.canBeEmpty);
  if (a->isGroup)
    takeGroup(r, s, a);
  else if (a->isLiteral && a->least != 0)
    takeLiteral(r, s, a);
  else
    takeVague(r, s, a);
}

/* One branch: everything up to '|', ')' or the end. */
static Part readSequence(Reader *r) {
  Sequence s = {.part = {noChain, noChain, 0, 0, 0, 0},
                .start = r->nText,
                .isOpen = 1,
                .from = r->nHead,
                .isGrowing = 1};
  pushHead(r, "", 0, 1);
  while (r->p < r->end && *r->p != '|' && *r->p != ')' && !r->gaveUp) {
    int nPlain = plainBytes(r);
    Atom a;
    s.isGrowing = s.isGrowing && hasWhole(r, s.from);
    if (nPlain > 0) {
      takePlain(r, nPlain, s.from);
      continue;
    }
    readAtom(r, &s, &a);
    if (r->gaveUp) break;
    a.end = r->p;
    a.least = readQuantifier(r, &a.most);
    takeAtom(r, &s, &a);
  }
  endLiteral(r, &s);
  s.part.canBeEmpty = s.isOpen;
  return s.part;
}

static Part readAlternatives(Reader *r) {
  Part all = readSequence(r);
  while (r->p < r->end && *r->p == '|' && !r->gaveUp) {
    Part next;
    r->p++;
    next = readSequence(r);
    /* A branch that needs nothing makes the whole need nothing. */
    all.within =
        all.within.n == 0 || next.within.n == 0 ? noChain : join(r, all.within, next.within);
    all.rest = all.rest.n == 0 || next.rest.n == 0 ? noChain : join(r, all.rest, next.rest);
    all.asks &= next.asks;
    all.isBehind |= next.isBehind;
    all.canBeEmpty |= next.canBeEmpty;
  }
  return all;
}

/* Where the matches of a pattern without top-level alternatives begin. */
static LiteralPlace placeOf(const char *p, int n) {
  int after = n > 0 && p[0] == '^' ? 1 : 2;
  if (n <= after || strchr("?*+{", p[after]) != 0) return PLACE_ANY;
  if (p[0] == '^') return PLACE_LINE;
  if (p[0] == '\\' && p[1] == 'A') return PLACE_TEXT;
  if (p[0] == '\\' && p[1] == 'b') return PLACE_WORD;
  return PLACE_ANY;
}

static int listOf(const Reader *r, Chain c, Literal *list) {
  int n = 0;
  for (int i = c.head; i >= 0; i = r->node[i].next)
    list[n++] = (Literal){.at = r->node[i].at, .n = r->node[i].n};
  return n;
}

/* Lists the heads as literals, unless a match can begin with none of them. */
static int listHeads(Reader *r, LiteralSet *set) {
  if (r->headsFull || r->nHead > TS_LITERALS_MAX) return 0;
  for (int i = 0; i < r->nHead; i++)
    if (r->head[i].n == 0) return 0;
  for (int i = 0; i < r->nHead; i++) {
    const Head *head = &r->head[i];
    memcpy(r->text + r->nText, head->text, head->n);
    set->list[i] = (Literal){(unsigned short)r->nText,
                             head->n,
                             head->end,
                             (unsigned char)(head->isWhole && !head->isVague && !r->isAtomic),
                             head->place,
                             head->next};
    r->nText += head->n;
  }
  set->n = r->nHead;
  return 1;
}

/* Reads a pattern from its start. */
static Part readPattern(Reader *r, const char *pattern, int n, int splits, LiteralSet *set) {
  Part part;
  for (int isMany = 0; isMany <= 1; isMany++) {
    r->p = (const unsigned char *)pattern;
    r->end = r->p + n;
    r->set = set;
    r->isAtomic = set->nNext = 0;
    r->text = set->text;
    r->splits = splits;
    r->nText = r->nNode = r->nRest = r->nHead = r->depth = r->gaveUp = r->headsFull = r->idle = 0;
    part = isMany ? readAlternatives(r) : readSequence(r);
    set->place = isMany ? PLACE_ANY : placeOf(pattern, n);
    if (r->p == r->end) break; /* else there are alternatives: all of them, from the start */
  }
  return part;
}

/* What a match that begins with a literal contains besides: of what stands behind the first literal, or of what need
** not be the first. */
static void listNeeds(const Reader *r, const Part *part, LiteralSet *set) {
  if (part->rest.n > 0 && part->rest.n <= TS_NEEDS_MAX)
    set->nNeeds = listOf(r, part->rest, set->needs);
  else if (part->isBehind && part->within.n <= TS_NEEDS_MAX)
    set->nNeeds = listOf(r, part->within, set->needs);
}

void ts_literals_of(const char *pattern, int n, LiteralSet *set) {
  Reader r;
  Part part;
  set->n = set->nNeeds = set->asks = set->nNext = 0;
  set->kind = LITERALS_NONE;
  set->place = PLACE_ANY;
  if (n > PATTERN_BYTES) return;
  part = readPattern(&r, pattern, n, 1, set);
  if (!r.gaveUp && (r.headsFull || r.nHead > TS_LITERALS_MAX))
    part = readPattern(&r, pattern, n, 0, set);
  if (r.gaveUp || r.p != r.end) return;
  set->asks = part.asks;
  if (listHeads(&r, set)) {
    set->kind = LITERALS_AT_START;
    listNeeds(&r, &part, set);
  } else if (part.within.n > 0 && part.within.n <= TS_LITERALS_MAX) {
    set->kind = LITERALS_WITHIN;
    set->n = listOf(&r, part.within, set->list);
  }
}
