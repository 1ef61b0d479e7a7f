/*
** slash.c - what a user's message says beside an address, and the slash words that every chat knows. See slash.h.
*/
#include "slash.h"

#include "cues.h"
#include "utf8.h"
#include "words.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Characters ------------------------------------------------------------------------------------ */

static int isNothing(unsigned c) {
  return ts_is_blank(c) || ts_is_unseen(c);
}

/* Without blanks and signs that nobody sees before it. */
static Text trimFront(Text t) {
  int len;
  for (unsigned c = ts_text_peek(t, &len); len && isNothing(c); c = ts_text_peek(t, &len))
    t = ts_text_past(t, len);
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
  for (Text at = ts_text_past(t, end); at.n; at = ts_text_past(at, len)) {
    if (!isNothing(ts_text_peek(at, &len))) end = t.n - at.n + len;
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

/* ---- The words ------------------------------------------------------------------------------------- */

/* What every chat knows for "stop", and the words for it in languages whose people write commands in them. */
int ts_slash_is_stop(Text word) {
  const CueList *stops = &ts_cues[CUE_STOPS_IN_A_WORD];
  for (int i = 0; i < stops->n; i++) {
    if (ts_address_is_word(word.z, word.n, stops->word[i])) return 1;
  }
  return 0;
}

int ts_slash_is_compact(Text word) {
  return ts_address_is_word(word.z, word.n, "compact");
}

/* ---- A slash word ---------------------------------------------------------------------------------- */

/* The bytes of the sign with which a command begins, also a wide one. *isBang: it is a "!", as on IRC. */
static int signAt(Text t, int *isBang) {
  int len;
  unsigned c = ts_text_peek(t, &len);
  *isBang = c == '!' || c == 0xFF01;
  return c == '/' || c == 0xFF0F || *isBang ? len : 0;
}

/* How many bytes of t are word. */
static int wordEnd(Text t) {
  int len, end = 0;
  for (Text at = t; at.n; at = ts_text_past(at, len)) {
    unsigned c = ts_text_peek(at, &len);
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
  for (Text at = t; at.n; at = ts_text_past(at, len)) {
    unsigned c = ts_text_peek(at, &len);
    if (isNothing(c)) return t.n - at.n;
    if (!ts_is_mark(c)) return -1;
  }
  return t.n;
}

/* "/word", also addressed as "/word@bot", at the beginning: "/usr/bin" and "/a.txt" are paths. All of it, with the
** blanks around it, stands in the first bytes. */
int ts_slash_read(Text said, Text names, Slash *slash) {
  Text front = {said.z, ts_utf8_cut(said.z, said.n, ADDRESS_FRONT_BYTES)};
  Text t = trimFront(front), rest;
  int isBang, sign = signAt(t, &isBang), n, marks, isKnown;
  if (!sign) return 0;
  t = ts_text_past(t, sign);
  n = wordEnd(t);
  if (!n && t.n && t.z[0] == '?' && trim(t).n == 1) n = 1;
  if (!n) return 0;
  slash->word = trim((Text){t.z, n});
  rest = ts_text_past(t, n);
  slash->isFor = 1;
  if (rest.n && rest.z[0] == '@') {
    n = wordEnd(ts_text_past(rest, 1));
    slash->isFor = ts_address_is_name(rest.z + 1, n, names.z, names.n);
    rest = ts_text_past(rest, n + 1);
  }
  marks = marksEnd(rest);
  if (marks < 0) return 0;
  rest = trimFront(ts_text_past(rest, marks));
  if (!rest.n && front.n < said.n) return 0;
  slash->rest = trim((Text){rest.z, (int)(said.z + said.n - rest.z)});
  isKnown = ts_slash_is_stop(slash->word) || ts_slash_is_compact(slash->word);
  if (marks && slash->rest.n && !isKnown) return 0;
  return !isBang || ts_slash_is_stop(slash->word);
}

int ts_slash_named(const Slash *slash, Text question) {
  Text word = slash->word;
  int len;
  for (int i = 0; question.z && i + word.n < question.n; i++) {
    Text behind = {question.z + i + 1, question.n - i - 1};
    if (question.z[i] != '/' || sqlite3_strnicmp(behind.z, word.z, word.n) != 0) continue;
    behind = ts_text_past(behind, word.n);
    if (!behind.n || !isWordChar(ts_text_peek(behind, &len))) return 1;
  }
  return 0;
}

/* "/stop @helper": what stands behind the word may be nothing but an address. */
static void readRest(Slash *slash, Text names) {
  Address a;
  ts_address_read(slash->rest.z, slash->rest.n, names.z, names.n, &a);
  if (a.to == ADDRESSED_ELSEWHERE) slash->isFor = 0;
  if (a.to == ADDRESSED_HERE && a.said == slash->rest.z) slash->rest = none;
}

int ts_slash_beside(const Address *a, Text names, Slash *slash) {
  Text beside = {a->said, a->nSaid};
  if (a->to == ADDRESSED_ELSEWHERE || !ts_slash_read(beside, names, slash)) return 0;
  if (slash->rest.n) readRest(slash, names);
  return 1;
}

/* ---- What is understood ---------------------------------------------------------------------------- */

Text ts_slash_understood(Cmd *c, Text message, Text names) {
  Slash slash;
  Address a;
  const char *said;
  ts_address_read(message.z, message.n, names.z, names.n, &a);
  if (!ts_slash_beside(&a, names, &slash) || !slash.isFor || !ts_slash_is_stop(slash.word)) {
    return (Text){a.said, a.nSaid};
  }
  if (!slash.rest.n) return TS_TEXT("stop");
  said = ts_printf(c, "stop %.*s", slash.rest.n, slash.rest.z);
  return said ? (Text){said, (int)strlen(said)} : message;
}
