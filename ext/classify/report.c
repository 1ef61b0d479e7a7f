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

#include "folded.h"
#include "prose.h"
#include "utf8.h"

#include <string.h>

#define SIGNATURE_MAX 120

static const char *const offers[] = {
    "shall i",     "shall we",     "should i",      "should we",   "want me to",   "would you like",
    "do you want", "may i",        "can i ",        "could i ",    "can we ",      "do you need me",
    "like me to",  "ok if i",      "okay if i",     "fine if i",   "mind if i",    "soll ich",
    "sollen wir",  "soll das",     "möchtest du",   "möchten sie", "willst du",    "wollen sie",
    "darf ich",    "kann ich",     "quieres que",   "quiere que",  "desea que",    "te gustaría",
    "le gustaría", "puedo ",       "debo ",         "veux-tu que", "voulez-vous",  "souhaitez-vous",
    "dois-je",     "puis-je",      "est-ce que je", "quer que",    "gostaria que", "devo ",
    "posso ",      "vuoi che",     "vuole che",     "хотите",      "хочешь",       "мне ",
    "нужно ли",    "стоит ли",     "要我",          "需要我",      "要不要",       "是否",
    "我来",        "しましょうか", "ましょうか",    "てもいい",    "てもよろしい", "할까요",
    "드릴까요",    "원하시",       "czy mam",       "mám ",        "isteri",       "zal ik",
    "wil je"};

/* The same as a wish that ends the text, without a mark. */
static const char *const quietOffers[] = {"let me know if you want me to",
                                          "let me know if you'd like me to",
                                          "let me know if you would like me to",
                                          "let me know if i should",
                                          "let me know whether i should",
                                          "let me know whether to",
                                          "tell me if i should",
                                          "say the word",
                                          "sag bescheid, ob ich",
                                          "sag bescheid, wenn ich",
                                          "dime si quieres que",
                                          "dis-moi si tu veux que",
                                          "dites-moi si vous voulez que",
                                          "me avise se",
                                          "fammi sapere se vuoi che"};

static const char *const moreWords[] = {
    "anything else",    "something else", "anything more", "anything further", "else i can",
    "else you need",    "else you want",  "what else",     "is that all",      "was that all",
    "will that be all", "noch etwas",     "noch was",      "sonst noch",       "war das alles",
    "algo más",         "otra cosa",      "autre chose",   "mais alguma",      "mais algo",
    "algo mais",        "altro",          "qualcos'altro", "что-нибудь ещ",    "что-то ещ",
    "что-нибудь еще",   "что-то еще",     "ещё что",       "еще что",          "别的需要",
    "还有别的",         "还需要",         "其他需要",      "ほかに",           "他に",
    "더 필요",          "başka bir",      "coś jeszcze",   "ještě něco",       "nog iets",
    "ще щось",          "شيئا آخر",       "और कुछ"};

static const char *const approvalWords[] = {
    "look good",       "looks good",      "look right",
    "look ok",         "look fine",       "look correct",
    "sound good",      "sounds good",     "does that work",
    "does this work",  "does it work",    "work for you",
    "works for you",   "that ok",         "this ok",
    "that right",      "this right",      "that correct",
    "this correct",    "what you wanted", "what you had in mind",
    "what you needed", "what you meant",  "happy with",
    "satisfied",       "all good",        "good enough",
    "does that help",  "does this help",  "that solve",
    "this solve",      "do you approve",  "are we done",
    "can i close",     "can we close",    "shall i close",
    "should i close",  "mark it as done", "mark this as done",
    "mark it done",    "passt das",       "passt es",
    "ist das ok",      "in ordnung",      "zufrieden",
    "está bien así",   "te parece bien",  "le parece bien",
    "te convient",     "vous convient",   "está bom assim",
    "va bene così",    "подходит",        "устраивает"};

/* Leave is asked for, without a mark: "please confirm that I may push". What is to be confirmed of the report
** itself is an approval (see kindOf). */
static const char *const leaves[] = {"confirm that i",
                                     "confirm i ",
                                     "confirm if i",
                                     "confirm whether i",
                                     "confirm we ",
                                     "confirm that we",
                                     "confirm before i",
                                     "confirm so i",
                                     "confirm so that i",
                                     "confirm and i",
                                     "awaiting your",
                                     "await your",
                                     "waiting for your",
                                     "waiting on your",
                                     "wait for your",
                                     "need your approval",
                                     "need your go",
                                     "need your ok",
                                     "need your permission",
                                     "with your approval",
                                     "with your permission",
                                     "with your ok",
                                     "pending your",
                                     "please approve",
                                     "say if i should",
                                     "tell me if i should",
                                     "tell me whether i",
                                     "bestätige, dass ich",
                                     "bestätige bitte, dass ich",
                                     "bescheid, ob ich",
                                     "auf deine freigabe",
                                     "auf ihre freigabe",
                                     "auf dein ok",
                                     "deine zustimmung",
                                     "ihre zustimmung",
                                     "confirma que puedo",
                                     "confirma si",
                                     "confírmame",
                                     "confirme que puedo",
                                     "tu aprobación",
                                     "su aprobación",
                                     "avísame si debo",
                                     "confirmez que je",
                                     "confirme que je",
                                     "dites-moi si je",
                                     "dis-moi si je",
                                     "votre accord",
                                     "ton accord",
                                     "votre validation",
                                     "confirme se",
                                     "confirme que posso",
                                     "sua aprovação",
                                     "tua aprovação",
                                     "me diga se devo",
                                     "conferma che posso",
                                     "confermi che posso",
                                     "fammi sapere se devo",
                                     "dimmi se devo",
                                     "tua approvazione",
                                     "одтвердите, что",
                                     "одтверди, что",
                                     "ашего подтверждения",
                                     "воего подтверждения",
                                     "ашего согласия",
                                     "айте знать, если мне",
                                     "ай знать, если мне",
                                     "ідтвердьте, що",
                                     "ідтвердь, що",
                                     "otwierdź, że mogę",
                                     "otwierdź, czy",
                                     "daj znać, czy mam",
                                     "twoją zgodę",
                                     "potvrď, že můžu",
                                     "potvrďte, že",
                                     "dej vědět, jestli mám",
                                     "bevestig dat ik",
                                     "laat me weten of ik",
                                     "je goedkeuring",
                                     "onayını bekli",
                                     "onayınızı bekli",
                                     "onay verirsen",
                                     "等你确认",
                                     "等待你的确认",
                                     "等待您的确认",
                                     "请确认我可以",
                                     "请批准",
                                     "ご承認",
                                     "承認をお願い",
                                     "許可をお願い",
                                     "승인해",
                                     "승인을",
                                     "허락해",
                                     "موافقتك",
                                     "بانتظار تأكيد",
                                     "आपकी अनुमति",
                                     "आपकी मंज़ूरी",
                                     "bekräfta att jag",
                                     "ditt godkännande"};

/* An offer that depends on what the reader likes: "I can also update the docs if you like". */
static const char *const ifYouLike[] = {"if you agree",
                                        "if you like",
                                        "if you want",
                                        "if you'd like",
                                        "if you would like",
                                        "if you wish",
                                        "if you approve",
                                        "if you prefer",
                                        "if that's ok",
                                        "if that is ok",
                                        "if that's okay",
                                        "if that works",
                                        "if you're happy",
                                        "if you are happy",
                                        "once you confirm",
                                        "once you approve",
                                        "when you confirm",
                                        "as soon as you confirm",
                                        "just say the word",
                                        "wenn du magst",
                                        "wenn du willst",
                                        "wenn du möchtest",
                                        "wenn sie möchten",
                                        "wenn sie wollen",
                                        "wenn gewünscht",
                                        "auf wunsch",
                                        "falls gewünscht",
                                        "falls du willst",
                                        "falls du möchtest",
                                        "wenn du einverstanden",
                                        "wenn sie einverstanden",
                                        "si quieres",
                                        "si quiere,",
                                        "si te parece",
                                        "si lo deseas",
                                        "si lo desea",
                                        "si estás de acuerdo",
                                        "si tu veux",
                                        "si vous voulez",
                                        "si vous le souhaitez",
                                        "si tu le souhaites",
                                        "si vous êtes d'accord",
                                        "si tu es d'accord",
                                        "se quiser",
                                        "se quiseres",
                                        "se você quiser",
                                        "se concordar",
                                        "se vuoi",
                                        "se vuole",
                                        "se sei d'accord",
                                        "если хочешь",
                                        "если хотите",
                                        "сли хочешь",
                                        "сли хотите",
                                        "если согласны",
                                        "если согласен",
                                        "якщо хочеш",
                                        "якщо хочете",
                                        "кщо хочеш",
                                        "кщо хочете",
                                        "jeśli chcesz",
                                        "jeżeli chcesz",
                                        "eśli chcesz",
                                        "pokud chceš",
                                        "pokud chcete",
                                        "okud chceš",
                                        "als je wilt",
                                        "als u wilt",
                                        "als je wil",
                                        "stersen",
                                        "sterseniz",
                                        "如果你愿意",
                                        "如果您愿意",
                                        "如果你同意",
                                        "如果您同意",
                                        "如果需要",
                                        "如有需要",
                                        "如果您需要",
                                        "如果你需要",
                                        "よければ",
                                        "よろしければ",
                                        "ご希望なら",
                                        "ご希望でしたら",
                                        "必要でしたら",
                                        "원하시면",
                                        "원하면",
                                        "필요하시면",
                                        "필요하면",
                                        "إذا أردت",
                                        "إن أردت",
                                        "إذا كنت تريد",
                                        "अगर आप चाहें",
                                        "यदि आप चाहें",
                                        "om du vill",
                                        "nếu bạn muốn",
                                        "kalau mau",
                                        "jika anda mau",
                                        "jika mau"};

/* What somebody else can do is no offer: "you can change the colour if you like". */
static const char *const yourTurn[] = {
    "you can",       "you could",  "you may",    "you might",    "you should",  "feel free",
    "du kannst",     "sie können", "kannst du",  "puedes",       "puede usted", "tu peux",
    "vous pouvez",   "você pode",  "pode mudar", "podes",        "puoi",        "может",
    "можеш",         "możesz",     "můžeš",      "můžete",       "kun je",      "je kunt",
    "ayarlayabilir", "你可以",     "您可以",     "変更できます", "수 있어요",   "수 있습니다",
    "يمكنك",         "आप ",        "du kan",     "bạn có thể",   "kamu bisa",   "anda bisa"};

/* Behind a question they say nothing of their own. */
static const char *const trailers[] = {"please let me know",
                                       "let me know",
                                       "please confirm",
                                       "please advise",
                                       "just say so",
                                       "just say yes",
                                       "just say the word",
                                       "say the word",
                                       "thanks",
                                       "thank you",
                                       "cheers",
                                       "yes/no",
                                       "y/n",
                                       "yes or no",
                                       "your call",
                                       "up to you",
                                       "what do you think",
                                       "sag einfach bescheid",
                                       "sag bescheid",
                                       "danke",
                                       "ja/nein",
                                       "j/n",
                                       "gracias",
                                       "avísame",
                                       "sí/no",
                                       "s/n",
                                       "merci",
                                       "oui/non",
                                       "o/n",
                                       "obrigado",
                                       "obrigada",
                                       "sim/não",
                                       "grazie",
                                       "sì/no",
                                       "спасибо",
                                       "да/нет",
                                       "д/н",
                                       "谢谢",
                                       "是/否",
                                       "よろしくお願いします",
                                       "お知らせください",
                                       "教えてください",
                                       "감사합니다",
                                       "dzięki"};

/* Ends of sentences that ask without a mark. */
static const char *const askingEnds[] = {"か",   "吗",   "嗎",   "呢",  "까요",
                                         "나요", "가요", "을까", "ㄹ까"};

/* Takes the trailers and all that is no letter off an end; returns its new length. A bracket that is
** closed there goes with what it holds. */
static int cutEnd(const char *text, int n) {
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
    for (int i = 0; i < COUNT(trailers) && n == was; i++) {
      int len = (int)strlen(trailers[i]), at = n - len;
      /* It stands alone, or behind something that is no letter. */
      if (at < 0 || memcmp(text + at, trailers[i], (size_t)len) != 0) continue;
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
  static const char *const tags[] = {"ok?", "okay?", "good?", "alright?", "all right?", "fine?"};
  const char *text = question->text + strspn(question->text, " \n*_\"'");
  for (int i = 0; i < COUNT(tags); i++) {
    if (strcmp(text, tags[i]) == 0) return 1;
  }
  return 0;
}

static ReportAsks kindOf(const Folded *question) {
  if (ts_folded_contains(question->text, moreWords, COUNT(moreWords))) return REPORT_ASKS_MORE;
  if (isBareTag(question)) return REPORT_ASKS_APPROVAL;
  /* "Is it ok if I …" asks for leave, not for approval. */
  if (ts_folded_contains(question->text, approvalWords, COUNT(approvalWords)) &&
      !strstr(question->text, " if i ") && !strstr(question->text, " if we ")) {
    return REPORT_ASKS_APPROVAL;
  }
  return REPORT_ASKS;
}

static int endsAsking(const Folded *f, int n) {
  for (int i = 0; i < COUNT(askingEnds); i++) {
    int len = (int)strlen(askingEnds[i]);
    if (n >= len && memcmp(f->text + n - len, askingEnds[i], (size_t)len) == 0) return 1;
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
  static const char *const pairs[] = {"yes/no",     "y/n",     "yes / no", "y / n",  "ja/nein",
                                      "j/n",        "sí/no",   "si/no",    "s/n",    "oui/non",
                                      "o/n",        "sim/não", "sì/no",    "да/нет", "д/н",
                                      "tak/nie",    "t/n",     "ano/ne",   "a/n",    "ja/nee",
                                      "evet/hayır", "e/h",     "так/ні",   "是/否",  "はい/いいえ"};
  for (int i = 0; i < COUNT(pairs); i++) {
    const char *at = strstr(f->text + n, pairs[i]);
    int len = at ? bracketBehind(f->text, at, at + strlen(pairs[i])) : 0;
    if (len == 0) continue;
    at += strlen(pairs[i]) + (size_t)len;
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
  Folded last;
  int at = sentenceStart(f, n);
  part(&last, f, at, n);
  if (ts_folded_contains(last.text, quietOffers, COUNT(quietOffers))) return 1;
  if (ts_folded_contains(last.text, leaves, COUNT(leaves))) return 1;
  if (ts_folded_contains(last.text, ifYouLike, COUNT(ifYouLike)) &&
      !ts_folded_contains(last.text, yourTurn, COUNT(yourTurn))) {
    return 1;
  }
  while (at < n && f->text[at] == ' ')
    at++;
  for (int i = 0; i < COUNT(offers); i++) {
    int len = (int)strlen(offers[i]);
    if (n - at <= len || memcmp(f->text + at, offers[i], (size_t)len) != 0) continue;
    if (offers[i][len - 1] == ' ' || f->text[at + len] == ' ') return 1;
  }
  return 0;
}

/* Where a line begins that only says who speaks ("— Claude", "Best regards,"), with what follows it; else n. */
static int signatureStart(const Folded *f) {
  static const char *const signs[] = {"\xE2\x80\x94",
                                      "\xE2\x80\x93",
                                      "--",
                                      "~",
                                      "\xF0\x9F\xA4\x96",
                                      "co-authored-by:",
                                      "generated with",
                                      "generated by",
                                      "best regards",
                                      "kind regards",
                                      "regards,",
                                      "best,",
                                      "cheers,",
                                      "yours,",
                                      "viele grüße",
                                      "mit freundlichen",
                                      "saludos",
                                      "cordialement",
                                      "sent from my"};
  for (int at = f->n; at > 0 && f->n - at < SIGNATURE_MAX; at--) {
    if (f->text[at - 1] != '\n') continue;
    for (int i = 0; i < COUNT(signs); i++) {
      if (ts_starts_with(f->text + at, f->n - at, signs[i])) return at;
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
  static const char *const words[] = {
      "which",   "prefer",    "would you", "do you", "should", "shall", "want",  "like me",
      "how do",  "how would", "option",    "welche", "soll",   "möcht", "cuál",  "quier",
      "prefier", "quel",      "préfér",    "quale",  "qual ",  "vuoi",  "какой", "какую",
      "какие",   "哪",        "どれ",      "どちら", "어느",   "어떤"};
  return ts_folded_contains(question->text, words, COUNT(words));
}

/* Does what stands behind a question leave it open? */
static int staysOpen(const Folded *f, const Folded *question, int end) {
  return ts_folded_contains(question->text, offers, COUNT(offers)) || isReference(f, end) ||
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
