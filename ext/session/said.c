/*
** said.c - the words by which a message is understood. See said.h.
**
** Everything else looks at a message through here: the classifier, the reading of choices and of reports. What is
** handed over stays as it was said.
*/
#include "said.h"

#include "address.h"
#include "answer.h"
#include "decide.h"
#include "json.h"
#include "queue.h"
#include "utf8.h"
#include "words.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const Text none = {NULL, 0};

/* ---- Characters -------------------------------------------------------------------------------- */

/* The first character, 0 at the end; its bytes into *len. */
static unsigned peek(Text t, int *len) {
  unsigned c = 0;
  *len = t.n > 0 ? ts_utf8_next(t.z, t.n, &c) : 0;
  return c;
}

static Text past(Text t, int n) {
  return (Text){t.z + n, t.n - n};
}

static int isNothing(unsigned c) {
  return ts_is_blank(c) || ts_is_unseen(c);
}

/* Without blanks and signs that nobody sees before it. */
static Text trimFront(Text t) {
  int len;
  for (unsigned c = peek(t, &len); len && isNothing(c); c = peek(t, &len))
    t = past(t, len);
  return t;
}

#define EDGE_BYTES 64 /* so far from its end a message is trimmed */

/* … nor behind it. */
static Text trim(Text t) {
  int len, end;
  t = trimFront(t);
  end = t.n > EDGE_BYTES ? t.n - EDGE_BYTES : 0;
  while (end > 0 && ((unsigned char)t.z[end] & 0xC0) == 0x80)
    end--;
  for (Text at = past(t, end); at.n; at = past(at, len)) {
    if (!isNothing(peek(at, &len))) end = t.n - at.n + len;
  }
  t.n = end;
  return t;
}

/* A vowel sign or an accent, which belongs to the letter before it. */
static int isJoined(CharKind kind, unsigned c) {
  return kind == CHAR_NOTHING && c >= 0x300 && !ts_is_unseen(c);
}

static int isWordChar(unsigned c) {
  unsigned first, second;
  CharKind kind = ts_words_fold(c, &first, &second);
  return c == '_' || c == '-' || kind == CHAR_LETTER || isJoined(kind, c) ||
         (kind == CHAR_ALONE && c >= 0x2E80 && c < 0xFF00);
}

/* ---- Slash words ------------------------------------------------------------------------------- */

static int isWord(Text word, const char *const *words, int nWords) {
  for (int i = 0; i < nWords; i++) {
    if (ts_address_is_word(word.z, word.n, words[i])) return 1;
  }
  return 0;
}

/* What every chat knows for "stop", and the words for it in languages whose people write commands in them. */
static int isStop(Text word) {
  static const char *const words[] = {
      "stop",       "cancel",     "abort",     "stopp",     "abbrechen", "abbruch", "parar",
      "cancelar",   "detener",    "arreter",   "annuler",   "ferma",     "annulla", "zatrzymaj",
      "anuluj",     "zastav",     "zrusit",    "annuleren", "durdur",    "iptal",   "стоп",
      "отмена",     "зупинити",   "скасувати", "停止",      "取消",      "中止",    "キャンセル",
      "ストップ",   "중지",       "취소",      "توقف",      "أوقف",      "ألغ",     "halt",
      "para",       "pare",       "cancela",   "detente",   "alto",      "arrete",  "annule",
      "fermati",    "basta",      "annuleer",  "przerwij",  "przestan",  "zrus",    "prestan",
      "остановись", "остановить", "хватит",    "отмени",    "зупинись",  "скасуй",  "припини",
      "dur",        "停",         "停下",      "止めて",    "やめて",    "멈춰",    "그만",
      "बंद",         "إلغاء",      "रुको",       "रद्द"};
  return isWord(word, words, COUNT(words));
}

static int isCompactWord(Text word) {
  static const char *const words[] = {"compact"};
  return isWord(word, words, COUNT(words));
}

/* The bytes of the sign with which a command begins, also a wide one. *isBang: it is a "!", as on IRC. */
static int signAt(Text t, int *isBang) {
  int len;
  unsigned c = peek(t, &len);
  *isBang = c == '!' || c == 0xFF01;
  return c == '/' || c == 0xFF0F || *isBang ? len : 0;
}

/* How many bytes of t are word. */
static int wordEnd(Text t) {
  int len, end = 0;
  for (Text at = t; at.n; at = past(at, len)) {
    unsigned c = peek(at, &len);
    if (isWordChar(c))
      end = t.n - at.n + len;
    else if (!ts_is_unseen(c))
      break;
  }
  return end;
}

/* The end of the marks at the front of t, when blanks or nothing follows them; else -1. */
static int marksEnd(Text t) {
  int len;
  for (Text at = t; at.n; at = past(at, len)) {
    unsigned c = peek(at, &len);
    if (isNothing(c)) return t.n - at.n;
    if (!ts_is_mark(c)) return -1;
  }
  return t.n;
}

/* "/word", also addressed as "/word@bot", at the beginning: "/usr/bin" and "/a.txt" are paths. All of it, with the
** blanks around it, stands in the first bytes. */
static int readSlash(Text said, Text names, Slash *slash) {
  Text front = {said.z, ts_utf8_cut(said.z, said.n, ADDRESS_FRONT_BYTES)};
  Text t = trimFront(front), rest;
  int isBang, sign = signAt(t, &isBang), n, marks, isKnown;
  if (!sign) return 0;
  t = past(t, sign);
  n = wordEnd(t);
  if (!n && t.n && t.z[0] == '?' && trim(t).n == 1) n = 1;
  if (!n) return 0;
  slash->word = trim((Text){t.z, n});
  rest = past(t, n);
  slash->isFor = 1;
  if (rest.n && rest.z[0] == '@') {
    n = wordEnd(past(rest, 1));
    slash->isFor = ts_address_is_name(rest.z + 1, n, names.z, names.n);
    rest = past(rest, n + 1);
  }
  marks = marksEnd(rest);
  if (marks < 0) return 0;
  rest = trimFront(past(rest, marks));
  if (!rest.n && front.n < said.n) return 0;
  slash->rest = trim((Text){rest.z, (int)(said.z + said.n - rest.z)});
  isKnown = isStop(slash->word) || isCompactWord(slash->word);
  if (marks && slash->rest.n && !isKnown) return 0;
  return !isBang || isStop(slash->word);
}

int ts_slash_named(const Slash *slash, Text question) {
  Text word = slash->word;
  int len;
  for (int i = 0; question.z && i + word.n < question.n; i++) {
    Text behind = {question.z + i + 1, question.n - i - 1};
    if (question.z[i] != '/' || sqlite3_strnicmp(behind.z, word.z, word.n) != 0) continue;
    behind = past(behind, word.n);
    if (!behind.n || !isWordChar(peek(behind, &len))) return 1;
  }
  return 0;
}

/* ---- What is said ------------------------------------------------------------------------------ */

/* What a worker is spawned for, and what it reports, is words, whatever they are. */
static int isWords(const Inbound *in) {
  return in->source == SOURCE_AGENT && (in->isExempt || ts_text_is(in->channel, "worker"));
}

/* To whom it is said. Only people call each other. */
static Address addressOf(const Inbound *in) {
  Address a = {.to = ADDRESSED_NOBODY, .said = in->message.z, .nSaid = in->message.n};
  if (in->source == SOURCE_USER)
    ts_address_read(in->message.z, in->message.n, in->names.z, in->names.n, &a);
  return a;
}

/* Is it said to somebody else? A mention alone may be an answer: "who reviews it?" "@bob" */
static int isElsewhere(const Address *a) {
  return a->to == ADDRESSED_ELSEWHERE && !a->isCall;
}

int ts_said_is_call(const Inbound *in, int answers) {
  Address a = addressOf(in);
  if (!a.isCall || in->isGiven || in->source != SOURCE_USER) return 0;
  return !answers || (in->names.z && a.to == ADDRESSED_HERE && !in->answersQuestion);
}

static Text beside(const Address *a) {
  return (Text){a->said, a->nSaid};
}

/* "/stop @helper": what stands behind the word may be nothing but an address. */
static void readRest(Slash *slash, Text names) {
  Address a;
  ts_address_read(slash->rest.z, slash->rest.n, names.z, names.n, &a);
  if (a.to == ADDRESSED_ELSEWHERE) slash->isFor = 0;
  if (a.to == ADDRESSED_HERE && a.said == slash->rest.z) slash->rest = none;
}

/* The slash word of a message of which it is known to whom it is said. */
static int slashOf(const Inbound *in, const Address *a, Slash *slash) {
  if (in->source != SOURCE_USER || a->to == ADDRESSED_ELSEWHERE) return 0;
  if (!readSlash(beside(a), in->names, slash)) return 0;
  if (slash->rest.n) readRest(slash, in->names);
  return 1;
}

int ts_said_slash(const Inbound *in, Slash *slash) {
  Address a = addressOf(in);
  return slashOf(in, &a, slash);
}

int ts_asks_compact(const Inbound *in, Text *focus) {
  Slash slash;
  if (isWords(in)) return 0;
  if (in->source == SOURCE_USER ? !ts_said_slash(in, &slash)
                                : !readSlash(in->message, none, &slash))
    return 0;
  if (!slash.isFor || !isCompactWord(slash.word)) return 0;
  *focus = slash.rest;
  return 1;
}

void ts_asks_put(Json *j, const Inbound *in) {
  Text focus;
  if (!ts_asks_compact(in, &focus)) return;
  ts_json_put_string(j, "action", ts_action_names[ACTION_COMPACT]);
  ts_json_put(j, "focus", focus);
}

int ts_is_command(const Inbound *in) {
  Slash slash;
  Address a;
  if (in->source != SOURCE_USER || in->isGiven) return 0;
  if (in->isAside) return 1;
  a = addressOf(in);
  if (isElsewhere(&a)) return 1;
  if (!slashOf(in, &a, &slash)) return 0;
  return !slash.isFor || (!isStop(slash.word) && !isCompactWord(slash.word));
}

Text ts_said(Cmd *c, const Inbound *in) {
  Slash slash;
  Address a = addressOf(in);
  const char *said;
  if (!slashOf(in, &a, &slash) || !slash.isFor || !isStop(slash.word)) return beside(&a);
  if (!slash.rest.n) return TS_TEXT("stop");
  said = ts_printf(c, "stop %.*s", slash.rest.n, slash.rest.z);
  return said ? (Text){said, (int)strlen(said)} : in->message;
}

/* ---- To somebody else -------------------------------------------------------------------------- */

#define NAME_BYTES 256 /* of a name that is looked for */

static int isAlike(char a, char b) {
  return sqlite3_strnicmp(&a, &b, 1) == 0;
}

/* How much of a name stands again at the end of its first i + 1 bytes: so much is known where the next does not fit. */
static void readAgain(Text name, unsigned char *again) {
  again[0] = 0;
  for (int i = 1, n = 0; i < name.n; i++) {
    while (n && !isAlike(name.z[i], name.z[n]))
      n = again[n - 1];
    n += isAlike(name.z[i], name.z[n]);
    again[i] = (unsigned char)n;
  }
}

/* Does the name stand in a text? Then it is what that is about. Each byte is looked at once, whatever is repeated. */
static int speaksOf(Text text, Text name) {
  unsigned char again[NAME_BYTES] = {0};
  if (name.n > NAME_BYTES) name.n = NAME_BYTES;
  readAgain(name, again);
  for (int i = 0, n = 0; text.z && i < text.n; i++) {
    while (n && !isAlike(text.z[i], name.z[n]))
      n = again[n - 1];
    n += isAlike(text.z[i], name.z[n]);
    if (n == name.n) return 1;
  }
  return 0;
}

Text ts_said_beside(const Inbound *in, Text question, Text task) {
  Address a = addressOf(in);
  Text name = {a.name, a.nName};
  if (!a.nName || in->isGiven || in->answersQuestion) return none;
  if (name.z[0] != '@' && ts_choice_knows(name.z, name.n)) return none;
  return speaksOf(question, name) || speaksOf(task, name) ? none : (Text){a.beside, a.nBeside};
}

int ts_is_compact(const Inbound *in) {
  Text focus;
  return ts_asks_compact(in, &focus);
}
