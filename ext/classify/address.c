/*
** address.c - to whom a message is said. See address.h.
**
** What stands at the beginning is taken off piece by piece: a greeting, mentions and names with what sets them
** off, and "and" between two. A mention is one by its form,
**
**   @helper  @alma:server.org     chats, Telegram, Matrix
**   <@U07AB>  <@U07AB|helper>     Slack
**   <@!123>  <@&123>              Discord
**   <users/123>  <at>Alma</at>    Google Chat, Teams
**
** a name by the setting, alone ("Alma, stop", "Alma stop"), with a sign in front or in brackets ("[Alma] yes",
** "[Alma](link) yes"). At the end of a message only known names count ("stop, Alma"): "ask @bob" speaks of
** somebody. In the middle a name is no address.
**
** No more than its front and its tail is read, so a message costs the same however long it is.
*/
#include "address.h"

#include "cues.h"
#include "utf8.h"
#include "words.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

int ts_is_unseen(unsigned c) {
  return c == 0xAD || c == 0x61C || c == 0x180E || ts_between(c, 0x200B, 0x200F) ||
         ts_between(c, 0x202A, 0x202E) || ts_between(c, 0x2060, 0x206F) || c == 0xFEFF;
}

/* ---- Characters -------------------------------------------------------------------------------- */

/* The piece in which an address at the beginning stands. */
static Text frontOf(Text s) {
  return (Text){s.z, ts_utf8_cut(s.z, s.n, ADDRESS_FRONT_BYTES)};
}

/* All of a text from where a piece of it begins. */
static Text allFrom(Text all, Text piece) {
  return (Text){piece.z, (int)(all.z + all.n - piece.z)};
}

static CharKind kindOf(unsigned c) {
  unsigned first, second;
  return ts_words_fold(c, &first, &second);
}

/* Can the character stand in a word: a letter, a digit, an ideograph, or a mark that belongs to the
** character before it? */
static int isLetter(unsigned c) {
  CharKind kind = kindOf(c);
  return kind == CHAR_LETTER || (kind == CHAR_ALONE && ts_between(c, 0x2E80, 0x3FFFF)) ||
         (kind == CHAR_NOTHING && c >= 0x300 && !ts_is_unseen(c));
}

int ts_is_blank(unsigned c) {
  return c != 0 && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || kindOf(c) == CHAR_SPACE) &&
         c < 0x3001;
}

int ts_is_mark(unsigned c) {
  static const unsigned marks[] = {',',    ':',    ';',    '!',    '.',    '?',    '-',    0x2013,
                                   0x2014, 0x2026, 0x60C,  0x61B,  0x61F,  0x964,  0x3001, 0x3002,
                                   0xFF01, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF61, 0xFF64};
  for (int i = 0; i < COUNT(marks); i++) {
    if (c == marks[i]) return 1;
  }
  return 0;
}

static Text skipUnseen(Text s) {
  int len;
  for (unsigned c = ts_text_peek(s, &len); len && ts_is_unseen(c); c = ts_text_peek(s, &len))
    s = ts_text_past(s, len);
  return s;
}

static Text skipBlanks(Text s) {
  int len;
  for (unsigned c = ts_text_peek(s, &len); len && (ts_is_blank(c) || ts_is_unseen(c));
       c = ts_text_peek(s, &len))
    s = ts_text_past(s, len);
  return s;
}

/* ---- Names ------------------------------------------------------------------------------------- */

static Text trimmed(Text s) {
  s = skipBlanks(s);
  while (s.n && (s.z[0] == '@' || s.z[0] == ' '))
    s = ts_text_past(s, 1);
  while (s.n && (unsigned char)s.z[s.n - 1] <= ' ')
    s.n--;
  return s;
}

const char *ts_names_next(const char *names, int nNames, int *at, int *n) {
  while (names && *at < nNames) {
    Text name = {names + *at, 0};
    while (*at < nNames && names[*at] != ',') {
      name.n++;
      (*at)++;
    }
    if (*at < nNames) (*at)++;
    name = trimmed(name);
    *n = name.n;
    if (name.n) return name.z;
  }
  return NULL;
}

/* Signs that stand around names and can't be part of one. */
static int isOdd(unsigned c) {
  return c < ' ' || c == 0x7F || (c < 0x80 && strchr("<>[]()|\"`", (int)c) != NULL);
}

static const char *problemOf(Text name) {
  int len, nLetters = 0;
  if (name.n > ADDRESS_MAX_NAME_BYTES) return "has a name of more than 64 bytes";
  for (unsigned c; name.n && (c = ts_text_peek(name, &len), len); name = ts_text_past(name, len)) {
    CharKind kind = kindOf(c);
    if (isOdd(c)) return "has a name with a bracket, a quote, a | or a control character";
    nLetters += kind == CHAR_LETTER || (kind == CHAR_ALONE && c >= 0x2E80);
  }
  return nLetters ? NULL : "has a name without a letter or a digit";
}

const char *ts_names_problem(const char *names, int n) {
  int at = 0, nNames = 0, nName;
  const char *name;
  while ((name = ts_names_next(names, n, &at, &nName)) != NULL) {
    const char *problem = problemOf((Text){name, nName});
    if (problem) return problem;
    if (++nNames > ADDRESS_MAX_NAMES) return "has more than 32 names";
  }
  return nNames ? NULL : "has no name";
}

/* The end of a name that stands at the beginning of s, in whatever case it is written, or 0. */
static int nameEnd(Text s, Text name) {
  Text at = s;
  while (name.n) {
    int nMeant, nTyped;
    unsigned meant = ts_text_peek(name, &nMeant), typed, a, b, c, d;
    CharKind kind = ts_words_fold(meant, &a, &b);
    name = ts_text_past(name, nMeant);
    if (kind == CHAR_NOTHING) continue;
    if (kind == CHAR_SPACE) {
      Text after = skipBlanks(at);
      if (after.n == at.n) return 0;
      at = after;
      continue;
    }
    typed = ts_text_peek(at, &nTyped);
    while (nTyped && ts_words_fold(typed, &c, &d) == CHAR_NOTHING) {
      at = ts_text_past(at, nTyped);
      typed = ts_text_peek(at, &nTyped);
    }
    if (!nTyped || ts_words_fold(typed, &c, &d) != kind || a != c || b != d) return 0;
    at = ts_text_past(at, nTyped);
  }
  return s.n - skipUnseen(at).n;
}

/* Is all of s a word of a list? */
static int isOneOf(Text s, Cue cue) {
  for (int i = 0; i < ts_cues[cue].n; i++) {
    const char *word = ts_cues[cue].word[i];
    if (nameEnd(s, (Text){word, (int)strlen(word)}) == s.n) return 1;
  }
  return 0;
}

static int isEveryone(Text s) {
  return isOneOf(s, CUE_EVERYONE);
}

/* Is all of s one of the names? */
static int isNamed(Text s, Text names) {
  const char *name;
  int at = 0, n;
  s = trimmed(s);
  while ((name = ts_names_next(names.z, names.n, &at, &n)) != NULL) {
    if (s.n && nameEnd(s, (Text){name, n}) == s.n) return 1;
  }
  return isEveryone(s);
}

int ts_address_is_word(const char *z, int n, const char *word) {
  return n > 0 && nameEnd((Text){z, n}, (Text){word, (int)strlen(word)}) == n;
}

int ts_address_is_name(const char *z, int n, const char *names, int nNames) {
  return !names || isNamed((Text){z, n}, (Text){names, nNames});
}

/* ---- What addresses ---------------------------------------------------------------------------- */

/* A piece at the front: its end, and whom it means. n 0: there is none. */
typedef struct Piece {
  int n;
  Addressee to;
} Piece;

static const Piece noPiece = {0, ADDRESSED_NOBODY};

static Addressee meant(Text s, Text names) {
  return !names.z || isNamed(s, names) ? ADDRESSED_HERE : ADDRESSED_ELSEWHERE;
}

static int startsWith(Text s, const char *with) {
  int n = (int)strlen(with);
  return s.n >= n && memcmp(s.z, with, (size_t)n) == 0;
}

/* Up to a sign, on the same line; -1: it is not there. */
static int upTo(Text s, const char *sign) {
  int n = (int)strlen(sign);
  for (int i = 0; i + n <= s.n && i <= 4 * ADDRESS_MAX_NAME_BYTES && s.z[i] != '\n'; i++) {
    if (memcmp(s.z + i, sign, (size_t)n) == 0) return i;
  }
  return -1;
}

/* "<@U07AB|helper>" means either. */
static Addressee meantByEither(Text s, Text names) {
  int bar = upTo(s, "|");
  if (bar < 0) return meant(s, names);
  if (meant((Text){s.z, bar}, names) == ADDRESSED_HERE) return ADDRESSED_HERE;
  return meant(ts_text_past(s, bar + 1), names);
}

/* A mention in angle brackets. */
static Piece tagAt(Text s, Text names) {
  static const struct {
    const char *open, *close;
  } tags[] = {{"<at>", "</at>"}, {"<@!", ">"}, {"<@&", ">"},       {"<@", ">"},
              {"<users/", ">"},  {"<!", ">"},  {"<!subteam^", ">"}};
  for (int i = 0; i < COUNT(tags); i++) {
    int open = (int)strlen(tags[i].open), n;
    if (!startsWith(s, tags[i].open)) continue;
    n = upTo(ts_text_past(s, open), tags[i].close);
    if (n <= 0) return noPiece;
    return (Piece){open + n + (int)strlen(tags[i].close),
                   meantByEither((Text){s.z + open, n}, names)};
  }
  return noPiece;
}

/* The bytes of an "@", also a wide one. */
static int atSign(Text s) {
  return startsWith(s, "@") ? 1 : startsWith(s, "\xEF\xBC\xA0") ? 3 : 0;
}

/* Where the word of a mention ends: "@alma:server.org:" without its last sign. */
static int mentionEnd(Text s) {
  int end = 0, len;
  for (Text at = s; at.n; at = ts_text_past(at, len)) {
    unsigned c = ts_text_peek(at, &len);
    int isInside = c == '_' || c == '-' || c == '.' || c == ':' || c == '@' || c == '/' || c == '=';
    if (isLetter(c))
      end = s.n - at.n + len;
    else if (!isInside && !ts_is_unseen(c))
      break;
    if (c == '_') end = s.n - at.n + len;
  }
  return end;
}

/* The longest of the names that stands here, and ends here. */
static int knownAt(Text s, Text names) {
  const char *name;
  int at = 0, n, best = 0;
  while ((name = ts_names_next(names.z, names.n, &at, &n)) != NULL) {
    int end = nameEnd(s, (Text){name, n}), len;
    unsigned c = ts_text_peek(ts_text_past(s, end), &len);
    if (end > best && (!len || kindOf(c) != CHAR_LETTER)) best = end;
  }
  return best;
}

static Piece mentionAt(Text s, Text names) {
  int sign = atSign(s), known, n;
  Text word = ts_text_past(s, sign);
  if (!sign) return tagAt(s, names);
  known = knownAt(word, names);
  n = mentionEnd(word);
  if (known >= n && known) return (Piece){sign + known, ADDRESSED_HERE};
  if (!n) return noPiece;
  /* "@alma:server.org" is known as "alma", too. */
  if (known && word.z[known] == ':') return (Piece){sign + n, ADDRESSED_HERE};
  return (Piece){sign + n, meant((Text){word.z, n}, names)};
}

/* "[Alma]", also as a link "[Alma](…)". An unknown name may be anything: "[x] done". */
static Piece bracketAt(Text s, Text names) {
  Text inside = ts_text_past(s, 1), after;
  int n, link;
  if (!startsWith(s, "[") || (n = upTo(inside, "]")) <= 0) return noPiece;
  inside.n = n;
  if (!names.z || !isNamed(inside, names) || isEveryone(trimmed(inside))) return noPiece;
  after = ts_text_past(s, n + 2);
  link = startsWith(after, "(") ? upTo(after, ")") : -1;
  return (Piece){n + 2 + (link < 0 ? 0 : link + 1), ADDRESSED_HERE};
}

/* What is added to a name that is called, in languages without a blank between the two. */
static int callEnd(Text s) {
  const CueList *calls = &ts_cues[CUE_BEHIND_A_NAME];
  for (int i = 0; i < calls->n; i++) {
    if (startsWith(s, calls->word[i])) return (int)strlen(calls->word[i]);
  }
  return 0;
}

/* A known name, followed by a blank, a mark or the end. */
static Piece nameAt(Text s, Text names) {
  const char *name;
  int at = 0, n, best = 0, len;
  unsigned c;
  while ((name = ts_names_next(names.z, names.n, &at, &n)) != NULL) {
    int end = nameEnd(s, (Text){name, n});
    if (end) end += callEnd(ts_text_past(s, end));
    c = ts_text_peek(ts_text_past(s, end), &len);
    if (end > best && (!len || ts_is_blank(c) || (ts_is_mark(c) && c != '-' && c != '.')))
      best = end;
    /* "Alma." and "Alma - stop", and no "alma.c" */
    if (end > best && (c == '.' || c == '-') &&
        (s.n == end + 1 || ts_is_blank((unsigned char)s.z[end + 1])))
      best = end;
  }
  return (Piece){best, best ? ADDRESSED_HERE : ADDRESSED_NOBODY};
}

static Piece pieceAt(Text s, Text names) {
  Piece p = mentionAt(s, names);
  if (!p.n) p = bracketAt(s, names);
  return p.n || !names.z ? p : nameAt(s, names);
}

/* The marks and blanks behind an address. */
static Text skipMarks(Text s) {
  for (;;) {
    int len;
    Text at = skipBlanks(s);
    unsigned c = ts_text_peek(at, &len);
    if (!len || !ts_is_mark(c)) return at;
    s = ts_text_past(at, len);
  }
}

/* A word of a list at the front, with a blank or a mark behind it: its end, or 0. */
static int wordOf(Text s, Cue cue) {
  for (int i = 0; i < ts_cues[cue].n; i++) {
    const char *word = ts_cues[cue].word[i];
    int end = nameEnd(s, (Text){word, (int)strlen(word)}), len;
    unsigned c = ts_text_peek(ts_text_past(s, end), &len);
    if (end && len && (ts_is_blank(c) || ts_is_mark(c))) return end;
  }
  return 0;
}

/* Greetings, and other words that people say before the name of somebody they call. */
static int greetingEnd(Text s) {
  return wordOf(s, CUE_BEFORE_A_NAME);
}

/* "@bob and @alma stop" is said to both. */
static Text skipAnd(Text s) {
  int end = wordOf(s, CUE_BETWEEN_NAMES);
  return end ? skipBlanks(ts_text_past(s, end)) : s;
}

#define BEHIND_BYTES 16 /* behind a piece, that tell whether it ends there */

/* Takes off the addresses at the front. *to: whom they mean. isCut: the text continues beyond s, and a
** piece that comes close to the end may continue with it. */
static Text withoutFront(Text s, int isCut, Text names, Addressee *to) {
  Text next = s;
  for (int i = 0; i < ADDRESS_MAX_PIECES; i++) {
    Piece p = pieceAt(next, names);
    if (!p.n || (isCut && next.n - p.n < BEHIND_BYTES)) return s;
    if (*to != ADDRESSED_HERE) *to = p.to;
    s = skipMarks(ts_text_past(next, p.n));
    next = skipAnd(s);
  }
  return s;
}

/* ---- At the end -------------------------------------------------------------------------------- */

#define TAIL_BYTES 200 /* so far from its end a message is looked at */

/* s without the blanks, marks and invisible signs at its end. */
static Text withoutMarks(Text s) {
  int end = s.n > TAIL_BYTES ? s.n - TAIL_BYTES : 0, len;
  while (end > 0 && ((unsigned char)s.z[end] & 0xC0) == 0x80)
    end--;
  for (Text at = ts_text_past(s, end); at.n; at = ts_text_past(at, len)) {
    unsigned c = ts_text_peek(at, &len);
    if (!ts_is_blank(c) && !ts_is_mark(c) && !ts_is_unseen(c)) end = s.n - at.n + len;
  }
  s.n = end;
  return s;
}

/* Could an address begin at s.z + at, behind a blank or a mark? */
static int canBegin(Text s, int at) {
  unsigned char before = (unsigned char)s.z[at - 1];
  if (((unsigned char)s.z[at] & 0xC0) == 0x80) return 0;
  return before <= ' ' || before == ',' || before == ':' || before == ';' || before >= 0x80;
}

/* The piece that ends a message: where it begins, or 0. */
static int tailAt(Text s, Text names, Addressee *to) {
  int from = s.n > TAIL_BYTES ? s.n - TAIL_BYTES : 1;
  for (int i = from; i < s.n; i++) {
    Piece p;
    if (!canBegin(s, i)) continue;
    p = pieceAt(ts_text_past(s, i), names);
    if (p.n != s.n - i) continue;
    *to = p.to;
    return i;
  }
  return 0;
}

/* ---- Somebody else's name ----------------------------------------------------------------------- */

#define NAME_WORDS 2 /* of somebody who is called by a name and a mark */

/* Is it a capital letter, or katakana, in which Japanese writes names from elsewhere? */
static int isNameStart(unsigned c) {
  return ts_between(c, 'A', 'Z') || (ts_between(c, 0xC0, 0xDE) && c != 0xD7) ||
         ts_between(c, 0x391, 0x3A9) || ts_between(c, 0x400, 0x42F) ||
         ts_between(c, 0x30A1, 0x30FA);
}

/* Words that stand before a colon, or are called out before a comma, and are nobody's name. */
static int isLabel(Text s) {
  return isOneOf(s, CUE_NO_NAME) || isOneOf(s, CUE_WHAT_IT_IS);
}

/* The message up to its first mark, if one or two words that look like a name stand before it. Before a
** colon a name may be in lower case. */
static int calledEnd(Text s) {
  int len, nWords = 0, nSmall = 0, inWord = 0;
  for (Text at = s; at.n && s.n - at.n < ADDRESS_MAX_NAME_BYTES; at = ts_text_past(at, len)) {
    unsigned c = ts_text_peek(at, &len);
    int isInside = isLetter(c) || c == '_' || c == '-';
    if (ts_is_unseen(c)) continue;
    if (!isInside && !ts_is_blank(c)) {
      int isColon = c == ':' || c == 0xFF1A;
      int isComma = c == ',' || c == 0xFF0C || c == 0x3001 || c == 0x60C;
      int isName = nWords && (!nSmall || (isColon && nWords == 1));
      return (isColon || isComma) && isName ? s.n - at.n : 0;
    }
    if (isInside && !inWord) {
      if (++nWords > NAME_WORDS) return 0;
      nSmall += !isNameStart(c);
    }
    inWord = isInside;
  }
  return 0;
}

static void name(Address *out, Text other, Text beside) {
  if (!beside.n) return;
  out->name = other.z;
  out->nName = other.n;
  out->beside = beside.z;
  out->nBeside = beside.n;
}

static void findOther(Text s, Text names, Address *out) {
  Addressee to = ADDRESSED_NOBODY;
  Text body = withoutMarks(s);
  int at = tailAt(body, names, &to), end;
  if (at && to == ADDRESSED_ELSEWHERE) {
    name(out, ts_text_past(body, at), withoutMarks((Text){s.z, at}));
    return;
  }
  end = calledEnd(s);
  if (end && !isLabel((Text){s.z, end}))
    name(out, (Text){s.z, end}, allFrom(s, skipMarks(frontOf(ts_text_past(s, end)))));
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* Takes off a known name at the end. */
static Text withoutTail(Text s, Text names, Addressee *to) {
  Addressee whom = ADDRESSED_NOBODY;
  Text body = withoutMarks(s);
  int at = names.z ? tailAt(body, names, &whom) : 0;
  if (!at || whom != ADDRESSED_HERE) return s;
  *to = ADDRESSED_HERE;
  return withoutMarks((Text){s.z, at});
}

void ts_address_read(const char *message, int n, const char *names, int nNames, Address *out) {
  Text all = {message, message ? n : 0}, known = {names, names ? nNames : 0}, s, said;
  Addressee to = ADDRESSED_NOBODY;
  int greeting, isCut;
  memset(out, 0, sizeof(*out));
  out->said = all.z;
  out->nSaid = all.n;
  if (all.n <= 0) return;
  s = skipBlanks(frontOf(all));
  isCut = all.n > ADDRESS_FRONT_BYTES;
  greeting = greetingEnd(s);
  said = withoutFront(greeting ? skipMarks(ts_text_past(s, greeting)) : s, isCut, known, &to);
  if (to == ADDRESSED_NOBODY && greeting) said = withoutFront(s, isCut, known, &to);
  said = allFrom(all, said);
  if (to == ADDRESSED_NOBODY) said = all;
  if (to != ADDRESSED_ELSEWHERE && said.n) said = withoutTail(said, known, &to);
  if (to == ADDRESSED_HERE && !said.n && greeting) said = (Text){s.z, greeting};
  out->isCall = !said.n;
  if (to == ADDRESSED_ELSEWHERE || !said.n) said = all;
  out->to = to;
  out->said = said.z;
  out->nSaid = said.n;
  if (to == ADDRESSED_NOBODY && known.z) findOther(allFrom(all, s), known, out);
}
