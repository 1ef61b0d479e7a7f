/*
** reply.c - reading a reply to a report: what a yes, a no, a "leave it" says to what the report asks. See report.h.
*/
#include "cues.h"
#include "folded.h"

#include "utf8.h"

#include <string.h>

/* A longer reply has content of its own. */
#define REPLY_MAX 120

static int countWords(const Folded *f) {
  int n = 0, inside = 0;
  for (int i = 0; i < f->n; i++) {
    int space = f->text[i] == ' ' || f->text[i] == '\n';
    n += !space && !inside;
    inside = !space;
  }
  return n;
}

static int isNoSign(unsigned c) {
  return c == 0x1F44E || c == 0x274C || c == 0x2716 || c == 0x1F6AB || c == 0x1F645 ||
         c == 0x1F6D1 || c == 0x23F9 || c == 0x26D4;
}

/* Behind what is no letter (a sign for no or stop is one). */
static int skipSigns(const Folded *f, int at) {
  unsigned c;
  while (at < f->n) {
    int next = at + ts_utf8_next(f->text + at, f->n - at, &c);
    if (ts_folded_is_letter(c) || isNoSign(c)) break;
    at = next;
  }
  return at;
}

/* The end of the longest word of a list that stands at a place, or 0. */
static int wordAt(const Folded *f, int at, Cue cue) {
  const char *const *words = ts_cues[cue].word;
  int end = 0;
  for (int i = 0; i < ts_cues[cue].n; i++) {
    int len = (int)strlen(words[i]), to = at + len;
    unsigned c = ' ';
    if (to <= end || f->n - at < len || memcmp(f->text + at, words[i], (size_t)len) != 0) continue;
    /* "nooo" */
    while (to < f->n && f->text[to] == words[i][len - 1] && f->text[to] >= 'a')
      to++;
    if (to < f->n) ts_utf8_next(f->text + to, f->n - to, &c);
    /* Chinese and Japanese words have no end. */
    if (!ts_folded_is_letter(c) || (unsigned char)words[i][0] >= 0xE2) end = to;
  }
  return end;
}

/* Does the reply begin with a word of a list? Signs may stand before it. */
static int beginsWith(const Folded *f, Cue cue) {
  return wordAt(f, skipSigns(f, 0), cue) > 0;
}

/* The place behind courtesies, and behind everything that is no letter. */
static int skipCourtesies(const Folded *f, int at) {
  int to;
  at = skipSigns(f, at);
  while (at < f->n && (to = wordAt(f, at, CUE_COURTESIES)) > 0)
    at = skipSigns(f, to);
  return at;
}

/* Nothing but a letter for yes, and courtesies. ":o" is a face, "ooo" is a sound, and "y?" asks why. */
static int isYesLetter(const Folded *f) {
  int at = skipSigns(f, 0), to = wordAt(f, at, CUE_LETTERS_FOR_YES);
  if (to != at + 1) return 0;
  if (at > 0 && strchr(":;=-", f->text[at - 1])) return 0;
  return !strchr(f->text, '?') && skipCourtesies(f, to) == f->n;
}

/* Nothing but a no, once or several times, and courtesies. */
static int isBareNo(const Folded *f) {
  int at = skipCourtesies(f, 0), found = 0;
  while (at < f->n) {
    int no = wordAt(f, at, CUE_NO);
    int other = wordAt(f, at, CUE_NOT_NOW);
    int to = no > other ? no : other;
    if (!to) return 0;
    found = 1;
    at = skipCourtesies(f, to);
  }
  return found;
}

/* Does the reply say outright that the task is to end? "Stop here" declines what comes next. */
static int stopsTask(const Folded *f) {
  int at = skipSigns(f, 0), to;
  while ((to = wordAt(f, at, CUE_BEFORE_A_STOP)) > 0)
    at = skipSigns(f, to);
  to = wordAt(f, at, CUE_STOPS_THE_TASK);
  return to > 0 && strncmp(f->text + to, " here", 5) != 0;
}

/* Does a reply that would approve the report by itself answer its question instead? */
static int goesOn(ReportAsks asks, const Folded *f, int n, MessageClass cls, int isAffirmation) {
  if (asks == REPORT_SETTLED || asks == REPORT_ASKS_APPROVAL) return 0;
  if (!isAffirmation && (cls != CLASS_CONFIRMATION || n > REPLY_MAX)) return 0;
  if (asks == REPORT_ASKS_MORE) {
    return isAffirmation && beginsWith(f, CUE_YES);
  }
  if (isAffirmation || beginsWith(f, CUE_YES)) return 1;
  /* "no" and "no thanks" turn the offer down; "no, that's all" is the end of the work. */
  return beginsWith(f, CUE_NO) && countWords(f) <= 3 &&
         (countWords(f) == 1 || ts_cue_stands_in(f->text, CUE_THANKS));
}

/* What a bare no says: nothing about finished work that is not asked about, as "not good" says nothing. */
static MessageClass noTo(ReportAsks asks) {
  return asks == REPORT_ASKS        ? CLASS_RESPONSE
         : asks == REPORT_ASKS_MORE ? CLASS_CONFIRMATION
                                    : CLASS_UNCLEAR;
}

/* What a letter for yes says; without a question it is left to the classifier. */
static MessageClass yesTo(ReportAsks asks) {
  return asks == REPORT_SETTLED         ? CLASS_UNKNOWN
         : asks == REPORT_ASKS_APPROVAL ? CLASS_CONFIRMATION
                                        : CLASS_RESPONSE;
}

/* What turns down an offer, as "leave it" does, leaves the work that is done as it is. */
static MessageClass declined(ReportAsks asks) {
  return asks == REPORT_SETTLED ? CLASS_UNKNOWN : noTo(asks);
}

MessageClass ts_report_reads(ReportAsks asks, const char *reply, int n, MessageClass cls,
                             int isAffirmation) {
  Folded f;
  ts_folded_read(&f, reply, n);
  if (!isAffirmation && n <= REPLY_MAX && isBareNo(&f)) return noTo(asks);
  if (!isAffirmation && n <= REPLY_MAX && isYesLetter(&f)) return yesTo(asks);
  if (cls == CLASS_ABANDON && !isAffirmation) {
    return stopsTask(&f) ? CLASS_UNKNOWN : declined(asks);
  }
  return goesOn(asks, &f, n, cls, isAffirmation) ? CLASS_RESPONSE : CLASS_UNKNOWN;
}
