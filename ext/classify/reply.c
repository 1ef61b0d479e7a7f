/*
** reply.c - reading a reply to a report: what a yes, a no, a "leave it" says to what the report asks. See report.h.
*/
#include "folded.h"

#include "utf8.h"

#include <string.h>

/* A longer reply has content of its own. */
#define REPLY_MAX 120

static const char *const yesWords[] = {
    "yes",       "yeah",      "yep",        "yup",        "yea",       "ya",
    "sure",      "please",    "go ahead",   "do it",      "do so",     "do that",
    "go for it", "of course", "absolutely", "definitely", "certainly", "by all means",
    "ja",        "jo",        "jep",        "klar",       "gerne",     "gern",
    "bitte",     "mach",      "natürlich",  "sí",         "si",        "claro",
    "dale",      "adelante",  "por favor",  "oui",        "ouais",     "volontiers",
    "vas-y",     "allez-y",   "bien sûr",   "sim",        "pode",      "com certeza",
    "sì",        "certo",     "vai",        "procedi",    "да",        "Да",
    "давай",     "Давай",     "конечно",    "Конечно",    "ага",       "好",
    "是",        "要",        "可以",       "行",         "嗯",        "请",
    "はい",      "ええ",      "うん",       "お願い",     "네",        "예",
    "응",        "그래",      "tak",        "jasne",      "ano",       "evet",
    "tamam",     "так",       "نعم",        "हां",         "haan"};
/* The letters that "(y/n)", "(j/n)", "(o/n)" and "(s/n)" ask for. */
static const char *const yesLetters[] = {"y", "j", "o", "s"};
static const char *const noWords[] = {
    "no",     "nope",  "nah",  "naw",    "non",    "nein",     "nö",    "nee",  "não",
    "nÃo",    "nie",   "ne",   "nej",    "nei",    "nop",      "нет",   "Нет",  "НЕТ",
    "ні",     "hayır", "不",   "不是",   "不要",   "不行",     "不好",  "没有", "否",
    "いいえ", "いえ",  "いや", "ううん", "아니요", "아니오",   "아뇨",  "아니", "لا",
    "όχι",    "Όχι",   "नहीं",  "nu",     "nem",    "tidak",    "không", "yok",  "nada",
    "👎",      "❌",     "✖",    "🚫",      "🙅",      "negative", "nay"};

/* They say nothing of their own beside a no. */
static const char *const courtesies[] = {
    "thanks",    "thank you", "thx",        "ty",         "cheers", "please",     "sorry",
    "danke",     "dank",      "vielen",     "schön",      "bitte",  "gracias",    "muchas",
    "por favor", "merci",     "obrigado",   "obrigada",   "grazie", "спасибо",    "Спасибо",
    "谢谢",      "謝謝",      "ありがとう", "ございます", "です",   "감사합니다", "dziękuję",
    "dzięki",    "děkuji",    "díky",       "شكرا"};

/* They postpone or decline; they neither approve nor mean the task. */
static const char *const notNow[] = {
    "not now",     "not right now", "not yet",    "not really", "no need",    "noch nicht",
    "jetzt nicht", "ahora no",      "todavía no", "aún no",     "pas encore", "pas maintenant",
    "ainda não",   "agora não",     "non ancora", "non ora",    "ещё нет",    "еще нет",
    "не сейчас",   "まだ",          "还没",       "还没有",     "ještě ne",   "jeszcze nie"};

/* Words that end the task although the report asks for something else. */
static const char *const stopWords[] = {
    "stop",     "stopp",      "abort",    "cancel",    "halt",       "quit",       "scrap",
    "discard",  "abandon",    "give up",  "i give up", "abbrechen",  "abbruch",    "brich",
    "verwirf",  "verwerfen",  "cancela",  "cancelar",  "cancelalo",  "cancélalo",  "cancelá",
    "aborta",   "abortar",    "para",     "parar",     "detente",    "descarta",   "descártalo",
    "arrête",   "arrêtez",    "arrete",   "annule",    "annulez",    "annuler",    "abandonne",
    "pare",     "annulla",    "ferma",    "fermati",   "interrompi", "стоп",       "Стоп",
    "отмена",   "Отмена",     "отмени",   "Отмени",    "остановись", "Остановись", "хватит",
    "Хватит",   "停",         "停止",     "取消",      "中止",       "放弃",       "やめて",
    "中止して", "キャンセル", "ストップ", "취소",      "중지",       "그만",       "zruš",
    "zrušit",   "přestaň",    "anuluj",   "przestań",  "zatrzymaj",  "🛑",       "⏹",
    "⛔"};
/* They may stand before those. */
static const char *const lead[] = {
    "please", "ok",       "okay",      "no",  "nein", "bitte", "and", "just",       "hey", "so",
    "well",   "actually", "por favor", "non", "não",  "нет",   "Нет", "пожалуйста", "请",  "now"};

static const char *const thanks[] = {"thank",   "thx",    "cheers",  "danke", "gracias",  "merci",
                                     "obrigad", "grazie", "спасибо", "谢",    "ありがと", "감사"};

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

/* The end of the longest of the words that stands at a place, or 0. */
static int wordAt(const Folded *f, int at, const char *const *words, int nWords) {
  int end = 0;
  for (int i = 0; i < nWords; i++) {
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

/* Does the reply begin with one of the words? Signs may stand before it. */
static int beginsWith(const Folded *f, const char *const *words, int nWords) {
  return wordAt(f, skipSigns(f, 0), words, nWords) > 0;
}

/* The place behind courtesies, and behind everything that is no letter. */
static int skipCourtesies(const Folded *f, int at) {
  int to;
  at = skipSigns(f, at);
  while (at < f->n && (to = wordAt(f, at, courtesies, COUNT(courtesies))) > 0)
    at = skipSigns(f, to);
  return at;
}

/* Nothing but a letter for yes, and courtesies. ":o" is a face, "ooo" is a sound, and "y?" asks why. */
static int isYesLetter(const Folded *f) {
  int at = skipSigns(f, 0), to = wordAt(f, at, yesLetters, COUNT(yesLetters));
  if (to != at + 1) return 0;
  if (at > 0 && strchr(":;=-", f->text[at - 1])) return 0;
  return !strchr(f->text, '?') && skipCourtesies(f, to) == f->n;
}

/* Nothing but a no, once or several times, and courtesies. */
static int isBareNo(const Folded *f) {
  int at = skipCourtesies(f, 0), found = 0;
  while (at < f->n) {
    int no = wordAt(f, at, noWords, COUNT(noWords));
    int other = wordAt(f, at, notNow, COUNT(notNow));
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
  while ((to = wordAt(f, at, lead, COUNT(lead))) > 0)
    at = skipSigns(f, to);
  to = wordAt(f, at, stopWords, COUNT(stopWords));
  return to > 0 && strncmp(f->text + to, " here", 5) != 0;
}

/* Does a reply that would approve the report by itself answer its question instead? */
static int goesOn(ReportAsks asks, const Folded *f, int n, MessageClass cls, int isAffirmation) {
  if (asks == REPORT_SETTLED || asks == REPORT_ASKS_APPROVAL) return 0;
  if (!isAffirmation && (cls != CLASS_CONFIRMATION || n > REPLY_MAX)) return 0;
  if (asks == REPORT_ASKS_MORE) {
    return isAffirmation && beginsWith(f, yesWords, COUNT(yesWords));
  }
  if (isAffirmation || beginsWith(f, yesWords, COUNT(yesWords))) return 1;
  /* "no" and "no thanks" turn the offer down; "no, that's all" is the end of the work. */
  return beginsWith(f, noWords, COUNT(noWords)) && countWords(f) <= 3 &&
         (countWords(f) == 1 || ts_folded_contains(f->text, thanks, COUNT(thanks)));
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
