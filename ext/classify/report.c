/*
** report.c - reading the end of a report: is something asked there?
**
** The last question of the text counts when nothing follows it but signs, brackets ("(y/n)"), emoji and
** phrases like "let me know"; or when it offers something ("Shall I …?"), whatever follows. An offer is one
** without a question mark too, and so is what ends in the answers to choose from, "(yes/no)". Other questions
** with an answer behind them ("Why? A missing lock.") ask nobody.
**
** Only prose asks (prose.c). Behind a question may stand a signature, a few words with a link, and, when it
** asks for a choice, a list.
*/
#include "report.h"

#include "cues.h"
#include "folded.h"
#include "prose.h"
#include "utf8.h"

#include <string.h>

#define SIGNATURE_MAX 120

/* Takes the trailers and all that is no letter off an end; returns its new length. A bracket that is
** closed there goes with what it holds. */
static int cutEnd(const char *text, int n) {
  const CueList *trailers = &ts_cues[CUE_NOTHING_BEHIND_A_QUESTION];
  for (;;) {
    int was = n, last = n, nLast = n;
    unsigned c = 0;
    while (last > 0 && ((unsigned char)text[last - 1] & 0xC0) == 0x80)
      last--;
    if (last > 0) last--;
    if (n > 0) ts_utf8_next(text + last, nLast - last, &c);
    if (n > 0 && (c == ')' || c == ']' || c == 0xFF09)) {
      const char *opening = c == ')' ? "(" : c == ']' ? "[" : "\xEF\xBC\x88";
      int at = last;
      while (at > 0 && strncmp(text + at, opening, strlen(opening)) != 0)
        at--;
      if (strncmp(text + at, opening, strlen(opening)) == 0) {
        n = at;
        continue;
      }
    }
    if (n > 0 && !ts_folded_is_letter(c) && !ts_is_question_mark(c, 0) &&
        !(c == ';' && last > 1 && ((unsigned char)text[last - 1] & 0x80))) {
      n = last;
      continue;
    }
    for (int i = 0; i < trailers->n && n == was; i++) {
      int len = (int)strlen(trailers->word[i]), at = n - len;
      /* It stands alone, or behind something that is no letter. */
      if (at < 0 || memcmp(text + at, trailers->word[i], (size_t)len) != 0) continue;
      if (at > 0 && !strchr(" \n.!?,;:*_>-\x9F\x82\x81", text[at - 1])) continue;
      n = at;
    }
    if (n == was) return n;
  }
}

/* The last question: its end behind the mark, or -1; *from: where its sentence begins. */
static int lastQuestion(const Folded *f, int *from) {
  unsigned c, before = 0;
  int start = 0, end = -1;
  for (int i = 0; i < f->n;) {
    int next = i + ts_utf8_next(f->text + i, f->n - i, &c);
    if (ts_is_question_mark(c, before)) {
      end = next;
      *from = start;
    }
    if (c == '\n' || ts_is_question_mark(c, before) || c == 0x3002 || c == 0xFF01 ||
        ((c == '.' || c == '!') &&
         (next >= f->n || f->text[next] == ' ' || f->text[next] == '\n'))) {
      start = next;
    }
    before = c;
    i = next;
  }
  return end;
}

/* Copies a part, so that it can be searched alone. */
static void part(Folded *out, const Folded *f, int from, int to) {
  out->n = to - from;
  memcpy(out->text, f->text + from, (size_t)out->n);
  out->text[out->n] = 0;
}

/* "Ok?" by itself is about what was done. */
static int isBareTag(const Folded *question) {
  const CueList *tags = &ts_cues[CUE_BARE_TAGS];
  const char *text = question->text + strspn(question->text, " \n*_\"'");
  for (int i = 0; i < tags->n; i++) {
    if (strcmp(text, tags->word[i]) == 0) return 1;
  }
  return 0;
}

static ReportAsks kindOf(const Folded *question) {
  if (ts_cue_stands_in(question->text, CUE_ASKS_FOR_ANYTHING_ELSE)) return REPORT_ASKS_MORE;
  if (isBareTag(question)) return REPORT_ASKS_APPROVAL;
  /* "Is it ok if I …" asks for leave, not for approval. */
  if (ts_cue_stands_in(question->text, CUE_ASKS_FOR_APPROVAL) &&
      !strstr(question->text, " if i ") && !strstr(question->text, " if we ")) {
    return REPORT_ASKS_APPROVAL;
  }
  return REPORT_ASKS;
}

static int endsAsking(const Folded *f, int n) {
  const CueList *askingEnds = &ts_cues[CUE_ENDS_THAT_ASK];
  for (int i = 0; i < askingEnds->n; i++) {
    int len = (int)strlen(askingEnds->word[i]);
    if (n >= len && memcmp(f->text + n - len, askingEnds->word[i], (size_t)len) == 0) return 1;
  }
  return 0;
}

/* How long is the bracket that closes what stands between two places, opened right before it? 0: it is none. */
static int bracketBehind(const char *text, const char *from, const char *to) {
  if (from > text && strchr("([", from[-1]) && *to && strchr(")]", *to)) return 1;
  if (from - text > 2 && memcmp(from - 3, "\xEF\xBC\x88", 3) == 0 &&
      strncmp(to, "\xEF\xBC\x89", 3) == 0) {
    return 3;
  }
  return 0;
}

/* Is an answer asked for behind n, where the words end: "Merge it (yes/no)", "Push now [Y/n]:"? With a full stop behind
** it a report tells of such a prompt. */
static int namesAnswers(const Folded *f, int n) {
  const CueList *pairs = &ts_cues[CUE_ANSWERS_TO_CHOOSE_FROM];
  for (int i = 0; i < pairs->n; i++) {
    const char *at = strstr(f->text + n, pairs->word[i]);
    int len = at ? bracketBehind(f->text, at, at + strlen(pairs->word[i])) : 0;
    if (len == 0) continue;
    at += strlen(pairs->word[i]) + (size_t)len;
    if (at[strspn(at, " \n*_`\"'")] != '.') return 1;
  }
  return 0;
}

/* The sentence that ends at n begins here. */
static int sentenceStart(const Folded *f, int n) {
  int at = n;
  while (at > 0 &&
         !(strchr("\n", f->text[at - 1]) ||
           (strchr(".!?", f->text[at - 1]) && (f->text[at] == ' ' || f->text[at] == '\n')) ||
           (at > 2 && memcmp(f->text + at - 3, "\xE3\x80\x82", 3) == 0)))
    at--;
  return at;
}

/* An offer that ends the text, without a mark. */
static int offersQuietly(const Folded *f, int n) {
  const CueList *offers = &ts_cues[CUE_ASKS_LEAVE];
  Folded last;
  int at = sentenceStart(f, n);
  part(&last, f, at, n);
  if (ts_cue_stands_in(last.text, CUE_OFFERS_QUIETLY)) return 1;
  if (ts_cue_stands_in(last.text, CUE_AWAITS_LEAVE)) return 1;
  if (ts_cue_stands_in(last.text, CUE_IF_YOU_LIKE) && !ts_cue_stands_in(last.text, CUE_YOUR_TURN)) {
    return 1;
  }
  while (at < n && f->text[at] == ' ')
    at++;
  for (int i = 0; i < offers->n; i++) {
    int len = (int)strlen(offers->word[i]);
    if (n - at <= len || memcmp(f->text + at, offers->word[i], (size_t)len) != 0) continue;
    if (offers->word[i][len - 1] == ' ' || f->text[at + len] == ' ') return 1;
  }
  return 0;
}

/* Where a line begins that only says who speaks ("— Claude", "Best regards,"), with what follows it; else n. */
static int signatureStart(const Folded *f) {
  const CueList *signs = &ts_cues[CUE_SIGNATURES];
  for (int at = f->n; at > 0 && f->n - at < SIGNATURE_MAX; at--) {
    if (f->text[at - 1] != '\n') continue;
    for (int i = 0; i < signs->n; i++) {
      if (ts_starts_with(f->text + at, f->n - at, signs->word[i])) return at;
    }
  }
  return f->n;
}

/* Is a part nothing but a list, or a few words with a link? */
static int isList(const Folded *f, int at) {
  int found = 0;
  while (at < f->n) {
    int n = 0, end = at;
    while (end < f->n && f->text[end] != '\n')
      end++;
    while (at < end && f->text[at] == ' ')
      at++;
    while (at + n < end && strchr("0123456789", f->text[at + n]))
      n++;
    if (at < end) {
      int isKey = n || (f->text[at] >= 'a' && f->text[at] <= 'z');
      int isItem = strchr("-*+", f->text[at]) ||
                   ts_starts_with(f->text + at, end - at, "\xE2\x80\xA2") ||
                   (isKey && at + (n ? n : 1) < end && strchr(".):", f->text[at + (n ? n : 1)])) ||
                   (f->text[at] == '(' && at + 2 < end && f->text[at + 2] == ')');
      if (!isItem) return 0;
      found = 1;
    }
    at = end + 1;
  }
  return found;
}

static int isReference(const Folded *f, int at) {
  int words = 0;
  if (at >= f->n || !memchr(f->text + at, PROSE_LINK, (size_t)(f->n - at))) return 0;
  for (int i = at; i < f->n; i++)
    words += (f->text[i] == ' ' || f->text[i] == '\n') && i + 1 < f->n;
  return words <= 8;
}

/* Which of several? What is listed behind it answers no such question. */
static int asksToChoose(const Folded *question) {
  return ts_cue_stands_in(question->text, CUE_ASKS_TO_CHOOSE);
}

/* Does what stands behind a question leave it open? */
static int staysOpen(const Folded *f, const Folded *question, int end) {
  return ts_cue_stands_in(question->text, CUE_ASKS_LEAVE) || isReference(f, end) ||
         (isList(f, end) && asksToChoose(question));
}

ReportAsks ts_report_asks(const char *report, int n) {
  Prose prose;
  Folded f, question;
  int from = 0, end, cut;
  ts_prose_read(&prose, report, report && n > 0 ? n : 0);
  ts_folded_read(&f, prose.text, prose.n);
  f.n = signatureStart(&f);
  f.text[f.n] = 0;
  end = lastQuestion(&f, &from);
  if (end >= 0) {
    part(&question, &f, from, end);
    cut = cutEnd(f.text, f.n);
    if (cut <= end || staysOpen(&f, &question, end)) return kindOf(&question);
  }
  cut = cutEnd(f.text, f.n);
  part(&question, &f, sentenceStart(&f, cut), cut);
  if (endsAsking(&f, cut) || offersQuietly(&f, cut) || namesAnswers(&f, cut)) {
    return kindOf(&question);
  }
  return REPORT_SETTLED;
}
