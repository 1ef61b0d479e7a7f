/*
** literals.c - a prefilter for patterns: literals of which every match must contain one.
**
** A few hundred rules are checked against each message, and hardly any of them match. Starting a
** regular expression engine costs more than a look at a table, so each pattern is read once, when
** it is added, for text that it cannot match without:
**
**     ^(?:please )?stop (?:it|that)\b         begins with "please " or "stop "
**     \b(?:never ?mind|forget (?:it|this))    begins with "never" or "forget "
**     \w+ (?:mind|care)\b                     contains "mind" or "care"
**     \d+%                                    nothing known
**
** The reader understands a plain subset of the syntax: literals, classes, groups, alternation,
** quantifiers and look-around. For the start of a match it collects the first literal of each
** branch, looking past what is optional or empty. For the inside it keeps the most telling part of
** a sequence; an alternation needs a literal from each branch, and what is optional counts for
** nothing. At anything else (inline options, back references, \Q, \x and so on) it gives up, and
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

#define NESTING_MAX 40
#define NODES_MAX 2048
#define WITHIN_MIN 2 /* shorter literals within a match are too common to be of use */
#define START_MAX 6  /* of a literal at the start, as many bytes as are worth comparing */

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

typedef struct Reader {
  const unsigned char *p, *end;
  char *text; /* receives folded literals, one after the other */
  int nText;
  Node node[NODES_MAX];
  int nNode;
  int depth;
  int gaveUp; /* met syntax that is not understood */
} Reader;

static const Chain noChain = {-1, -1, 0, 0};

/* What is known about a part of a pattern. */
typedef struct Part {
  Chain within;
  Chain first; /* one of these begins the part, unless it is empty */
  int noFirst; /* the part can begin with something that is no literal */
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
    return c != 0xD7 && c != 0xDF && c != 0xF7 && c != 0x130 && c != 0x131 && c != 0x138 &&
           c != 0x149;
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
  if (f == c) {
    for (int i = 0; i < len; i++)
      out[i] = (char)p[i];
    return len;
  }
  if (f < 0x80) {
    out[0] = (char)f;
    return 1;
  }
  out[0] = (char)(0xC0 | f >> 6);
  out[1] = (char)(0x80 | (f & 0x3F));
  return 2;
}

int ts_fold(const char *in, int n, char *out) {
  const unsigned char *p = (const unsigned char *)in, *end = p + n;
  int nOut = 0;
  while (p < end) {
    int len = 1;
    if (*p < 0x80) {
      out[nOut++] = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
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

/*
** Ends the literal that began at offset start of the text: it may be the best of the sequence, and
** its first one. *isOpen says that nothing but empty matches lies before it.
*/
static void endLiteral(Reader *r, int start, Part *part, int *isOpen) {
  int n = r->nText - start;
  if (n == 0) return;
  if (*isOpen) part->first = join(r, part->first, single(r, start, n > START_MAX ? START_MAX : n));
  *isOpen = 0;
  if (n >= WITHIN_MIN) {
    Chain c = single(r, start, n);
    if (isBetter(c, part->within)) part->within = c;
  }
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

/* Reads a quantifier if there is one. Returns the least number of repeats, -1 without one. */
static int readQuantifier(Reader *r) {
  int least = 0;
  if (r->p >= r->end) return -1;
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
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
      least = least > 1000 ? least : least * 10 + (*r->p++ - '0');
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
    break;
  default: return -1;
  }
  r->p++;
  if (r->p < r->end && (*r->p == '?' || *r->p == '+')) r->p++; /* lazy, possessive */
  return least;
}

static Part readAlternatives(Reader *r);

/* Reads a group behind its '('. *isZeroWidth is set for look-around, which tells nothing. */
static Part readGroup(Reader *r, int *isZeroWidth) {
  Part c = {noChain, noChain, 0, 1};
  *isZeroWidth = 0;
  if (++r->depth > NESTING_MAX) {
    r->gaveUp = 1;
    return c;
  }
  if (r->p < r->end && *r->p == '?') {
    const unsigned char *q = r->p + 1;
    if (q < r->end && (*q == ':' || *q == '>')) {
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
  if (strchr("dDwWsShHvVRNXntrfea", (int)e) != 0) {
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

/* One branch: everything up to '|', ')' or the end. */
static Part readSequence(Reader *r) {
  Part part = {noChain, noChain, 0, 0};
  int start = r->nText; /* where the literal being collected begins */
  int isOpen = 1;       /* the start of a match still lies ahead */
  while (r->p < r->end && *r->p != '|' && *r->p != ')' && !r->gaveUp) {
    const unsigned char *atom = r->p;
    unsigned c = *r->p;
    int len = 1, isLiteral = 0, isGroup = 0, zeroWidth = 0, least;
    Part group = part;
    if (c >= 0x80) {
      c = ts_utf8_decode(r->p, r->end, &len);
      isLiteral = isCaselessScript(c) || isKnownLetter(c);
      r->p += len;
    } else {
      r->p++;
      switch (c) {
      case '(':
        /* The literal so far ends here, for the group writes its own behind it. */
        endLiteral(r, start, &part, &isOpen);
        isGroup = 1;
        group = readGroup(r, &zeroWidth);
        start = r->nText;
        break;
      case '[': skipClass(r); break;
      case '.': break;
      case '^':
      case '$': zeroWidth = 1; break;
      case '\\': {
        int kind = readEscape(r, &c);
        isLiteral = kind == 1;
        zeroWidth = kind == 2;
        atom = r->p - 1;
        break;
      }
      default: isLiteral = 1;
      }
    }
    if (r->gaveUp) break;
    least = readQuantifier(r);
    if (zeroWidth) continue;
    if (isGroup) {
      if (least != 0 && isBetter(group.within, part.within)) part.within = group.within;
      if (isOpen) {
        part.first = join(r, part.first, group.first);
        part.noFirst |= group.noFirst;
        isOpen = least == 0 || group.canBeEmpty;
      }
    } else if (isLiteral && least != 0) {
      r->nText += putFolded(c, atom, len, r->text + r->nText);
      if (least > 0) { /* "a+": the literal cannot go on behind it */
        endLiteral(r, start, &part, &isOpen);
        start = r->nText;
      }
    } else {
      /* A class, or an optional character. */
      endLiteral(r, start, &part, &isOpen);
      part.noFirst |= isOpen;
      isOpen &= least == 0;
      start = r->nText;
    }
  }
  endLiteral(r, start, &part, &isOpen);
  part.canBeEmpty = isOpen;
  return part;
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
    all.first = join(r, all.first, next.first);
    all.noFirst |= next.noFirst;
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

void ts_literals_of(const char *pattern, int n, LiteralSet *set) {
  Reader r;
  Part part;
  Chain c;
  set->n = 0;
  set->kind = LITERALS_NONE;
  set->place = PLACE_ANY;
  if (n > (int)sizeof(set->text)) return;
  r.p = (const unsigned char *)pattern;
  r.end = r.p + n;
  r.text = set->text;
  r.nText = r.nNode = r.depth = r.gaveUp = 0;
  part = readSequence(&r);
  if (r.p == r.end) {
    set->place = placeOf(pattern, n);
  } else { /* alternatives: read them all, from the start */
    r.p = (const unsigned char *)pattern;
    r.nText = r.nNode = r.depth = 0;
    part = readAlternatives(&r);
  }
  if (r.gaveUp || r.p != r.end) return;
  if (!part.noFirst && !part.canBeEmpty && part.first.n > 0 && part.first.n <= TS_LITERALS_MAX) {
    set->kind = LITERALS_AT_START;
    c = part.first;
  } else if (part.within.n > 0 && part.within.n <= TS_LITERALS_MAX) {
    set->kind = LITERALS_WITHIN;
    c = part.within;
  } else {
    return;
  }
  for (int i = c.head; i >= 0; i = r.node[i].next)
    set->list[set->n++] = (Literal){r.node[i].at, r.node[i].n};
}
