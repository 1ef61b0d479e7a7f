/*
** report.c - reading the end of a report: is something asked there?
**
** The last question of the text counts when nothing follows it but signs, brackets ("(y/n)"), emoji and
** phrases like "let me know"; or when it offers something ("Shall I …?"), whatever follows. An offer is one
** without a question mark too, and so is what ends in the answers to choose from, "(yes/no)". Other questions
** with an answer behind them ("Why? A missing lock.") ask nobody.
**
** Code, addresses of links, comments, quoted lines and questions that are quoted within a sentence are no prose: a
** question mark there asks nothing. Behind a question may stand a signature, a few words with a link, and, when it
** asks for a choice, a list.
*/
#include "report.h"

#include "utf8.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

#define TAIL TS_REPORT_TAIL
/* A longer reply has content of its own. */
#define REPLY_MAX 120

/* Text in lower case as far as it is ASCII, with spaces for what is none of a text. */
typedef struct Folded {
  char text[TAIL + 2];
  int n;
} Folded;

/* ---- Its prose ------------------------------------------------------------------------------------ */

#define LINK '\1' /* stands for an address: no letter, and no end of a sentence */
#define SIGNATURE_MAX 120

/* A growing end of a text: of what is too much the beginning goes. */
typedef struct Prose {
  char text[2 * TAIL];
  int n;
} Prose;

static void put(Prose *p, char ch) {
  if (p->n == (int)sizeof(p->text)) {
    memmove(p->text, p->text + TAIL, TAIL);
    p->n = TAIL;
  }
  p->text[p->n++] = ch;
}

static int startsWith(const char *text, int n, const char *with) {
  int len = (int)strlen(with);
  return n >= len && memcmp(text, with, (size_t)len) == 0;
}

/* So far an end is looked for, and so much of a text is looked at. */
#define AWAY_MAX 4000
#define PROSE_MAX 65536

/* What is looked for ahead. Each keeps how far it was looked for, so that a text in which much begins and nothing ends
** costs no more than its length. */
typedef enum Sought {
  SEEK_FENCE,
  SEEK_COMMENT,
  SEEK_CODE,
  SEEK_LINK,
  SEEK_QUOTE,
  SEEK_HIGH,
  SEEK_ANGLE,
  SEEK_LOW,
  SEEK_CORNER,
  SEEK_QUESTION,
  SEEK_QUESTION_WIDE,
  SEEK_QUESTION_ARABIC,
  SEEK_COUNT
} Sought;

static const char *const sought[SEEK_COUNT] = {
    "```", "-->",          "`",  ")", "\"",           "\xE2\x80\x9D",
    "»",   "\xE2\x80\x9C", "」", "?", "\xEF\xBC\x9F", "\xD8\x9F"};

/* Between from and at there is none. */
typedef struct Ahead {
  int from, at;
} Ahead;

typedef struct Look {
  const char *text;
  int n;
  Ahead ahead[SEEK_COUNT];
  Ahead address; /* no question mark makes an address of what stands between these */
} Look;

static int isAt(const Look *l, int i, Sought what) {
  return startsWith(l->text + i, l->n - i, sought[what]);
}

/* Where the next such piece stands from a place on, before another place and on its line unless it may be on another;
** -1: there is none. */
static int next(Look *l, int from, int to, Sought what, int anyLine) {
  Ahead *a = &l->ahead[what];
  int i = a->from <= from && from <= a->at ? a->at : from;
  while (i < to && (anyLine || l->text[i] != '\n') && !isAt(l, i, what))
    i++;
  if (a->from > from || from > a->at) a->from = from;
  a->at = i;
  return i < to && isAt(l, i, what) ? i : -1;
}

/* Behind the next such piece; 0: there is none. */
static int behind(Look *l, int from, Sought what, int anyLine) {
  int to = l->n - from > AWAY_MAX && what != SEEK_FENCE ? from + AWAY_MAX : l->n;
  int at = next(l, from, to, what, anyLine);
  return at < 0 ? 0 : at + (int)strlen(sought[what]);
}

/* An address goes on so far, with the signs of the sentence it stands in, … */
static int addressSpan(const Look *l, int i) {
  int from = i;
  while (i < l->n && i - from < AWAY_MAX && (unsigned char)l->text[i] > ' ' &&
         !strchr("<>()[]{}\"`", l->text[i]) && (unsigned char)l->text[i] < 0xE2)
    i++;
  return i;
}

/* … and ends before these. */
static int addressEnd(const Look *l, int from) {
  int i = addressSpan(l, from);
  while (i > from && strchr(".,;:!?*_'", l->text[i - 1]))
    i--;
  return i;
}

/* Begins an address here? A word with a question mark between its letters is one, too: "x.com/y?z=1". */
static int isAddress(Look *l, int i) {
  const char *text = l->text + i;
  int end, dots = 0;
  if (startsWith(text, l->n - i, "http://") || startsWith(text, l->n - i, "https://")) return 1;
  if (startsWith(text, l->n - i, "www.")) return 1;
  if (i > 0 && !strchr(" \n(<\"'", text[-1])) return 0;
  if (i >= l->address.from && i < l->address.at) return 0;
  end = addressEnd(l, i);
  l->address = (Ahead){i, addressSpan(l, i)};
  for (; i + 1 < end; i++) {
    dots |= l->text[i] == '.' || l->text[i] == '/';
    if (dots && l->text[i] == '?') return 1;
  }
  return 0;
}

/* Is what is quoted from here on brought in by other words ("you asked: "…?"")? A sentence by itself is said. */
static int isBroughtIn(const char *text, int i) {
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '*'))
    i--;
  return i > 0 && !strchr("\n.!?)", text[i - 1]) && (unsigned char)text[i - 1] < 0x80;
}

/* Is there a question in what stands between two places? */
static int asksBetween(Look *l, int from, int to) {
  return next(l, from, to, SEEK_QUESTION, 1) >= 0 ||
         next(l, from, to, SEEK_QUESTION_WIDE, 1) >= 0 ||
         next(l, from, to, SEEK_QUESTION_ARABIC, 1) >= 0;
}

/* The end of a quotation that begins here, with a question in it and brought in by other words; else 0. */
static int quotedEnd(Look *l, int i) {
  static const struct {
    const char *open;
    Sought close;
  } marks[] = {{"\"", SEEK_QUOTE},
               {"\xE2\x80\x9C", SEEK_HIGH},
               {"«", SEEK_ANGLE},
               {"„", SEEK_LOW},
               {"「", SEEK_CORNER}};
  for (int k = 0; k < COUNT(marks); k++) {
    int from = i + (int)strlen(marks[k].open), end;
    if (!startsWith(l->text + i, l->n - i, marks[k].open)) continue;
    end = behind(l, from, marks[k].close, 0);
    return end && isBroughtIn(l->text, i) && asksBetween(l, from, end) ? end : 0;
  }
  return 0;
}

/* The end of a line. */
static int lineEnd(const Look *l, int i) {
  const char *end = memchr(l->text + i, '\n', (size_t)(l->n - i));
  return end ? (int)(end - l->text) + 1 : l->n;
}

/* The end of what is no prose and begins here: code, the address of a link, a comment, a quoted line, a
** question that is quoted; else 0. *instead: what stands for it. */
static int awayEnd(Look *l, int i, char *instead) {
  const char *text = l->text + i;
  int left = l->n - i, isLine = i == 0 || text[-1] == '\n', end;
  *instead = ' ';
  if (startsWith(text, left, "```")) return behind(l, i + 3, SEEK_FENCE, 1);
  if (startsWith(text, left, "<!--")) return behind(l, i + 4, SEEK_COMMENT, 1);
  *instead = '\n';
  if (isLine && *text == '>') return lineEnd(l, i);
  *instead = 'x';
  if (*text == '`') return behind(l, i + 1, SEEK_CODE, 0);
  if ((end = quotedEnd(l, i)) > 0) return end;
  *instead = LINK;
  if (*text == '(' && i > 0 && text[-1] == ']') return behind(l, i, SEEK_LINK, 0);
  return isAddress(l, i) ? addressEnd(l, i) : 0;
}

/* The end of a text without what is no prose. */
static void readProse(Prose *p, const char *text, int n) {
  Look look = {.text = text, .n = n};
  char instead;
  p->n = 0;
  if (n > PROSE_MAX) {
    look.text += n - PROSE_MAX;
    look.n = PROSE_MAX;
  }
  for (int i = 0; i < look.n;) {
    int end = awayEnd(&look, i, &instead);
    if (end > i) {
      put(p, instead);
      i = end;
    } else {
      put(p, look.text[i++]);
    }
  }
}

static void fold(Folded *f, const char *text, int n) {
  memset(f, 0, sizeof(*f)); /* whoever looks behind the end finds nothing */
  if (!text || n < 0) n = 0;
  if (n > TAIL) {
    text += n - TAIL;
    n = TAIL;
  }
  for (int i = 0; i < n; i++) {
    unsigned char ch = (unsigned char)text[i];
    f->text[f->n++] = (char)(ch >= 'A' && ch <= 'Z'                 ? ch | 0x20
                             : ch < ' ' && ch != '\n' && ch != LINK ? ' '
                                                                    : ch);
  }
  f->text[f->n] = 0;
}

static int between(unsigned c, unsigned low, unsigned high) {
  return c >= low && c <= high;
}

static int isGreek(unsigned c) {
  return between(c, 0x370, 0x3FF) || between(c, 0x1F00, 0x1FFF);
}

/* before: the character in front of it. A semicolon asks in Greek. */
static int isQuestionMark(unsigned c, unsigned before) {
  return c == '?' || c == 0xFF1F || c == 0x61F || c == 0x37E || c == 0x55E || c == 0x1367 ||
         c == 0x2E2E || c == 0x203D || between(c, 0x2047, 0x2049) || c == 0xFE56 || c == 0xFE16 ||
         c == 0x2753 || c == 0x2754 || (c == ';' && isGreek(before));
}

static int isLetter(unsigned c) {
  return between(c, 'a', 'z') || between(c, 'A', 'Z') || between(c, '0', '9') ||
         (c >= 0xC0 && !between(c, 0xE0000, 0xE0FFF) && !between(c, 0x2000, 0x2BFF) &&
          !between(c, 0x3000, 0x303F) && !between(c, 0xFE00, 0xFE0F) &&
          !between(c, 0xFF00, 0xFF20) && c != 0xFFFD && c != 0x37E && c != 0x61F &&
          !between(c, 0x1F000, 0x1FAFF));
}

static int contains(const char *text, const char *const *words, int nWords) {
  for (int i = 0; i < nWords; i++) {
    if (strstr(text, words[i])) return 1;
  }
  return 0;
}

/* ---- The question --------------------------------------------------------------------------------- */

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
    if (n > 0 && !isLetter(c) && !isQuestionMark(c, 0) &&
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
    if (isQuestionMark(c, before)) {
      end = next;
      *from = start;
    }
    if (c == '\n' || isQuestionMark(c, before) || c == 0x3002 || c == 0xFF01 ||
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
  if (contains(question->text, moreWords, COUNT(moreWords))) return REPORT_ASKS_MORE;
  if (isBareTag(question)) return REPORT_ASKS_APPROVAL;
  /* "Is it ok if I …" asks for leave, not for approval. */
  if (contains(question->text, approvalWords, COUNT(approvalWords)) &&
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
  if (contains(last.text, quietOffers, COUNT(quietOffers))) return 1;
  if (contains(last.text, leaves, COUNT(leaves))) return 1;
  if (contains(last.text, ifYouLike, COUNT(ifYouLike)) &&
      !contains(last.text, yourTurn, COUNT(yourTurn))) {
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
      if (startsWith(f->text + at, f->n - at, signs[i])) return at;
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
                   startsWith(f->text + at, end - at, "\xE2\x80\xA2") ||
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
  if (at >= f->n || !memchr(f->text + at, LINK, (size_t)(f->n - at))) return 0;
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
  return contains(question->text, words, COUNT(words));
}

/* Does what stands behind a question leave it open? */
static int staysOpen(const Folded *f, const Folded *question, int end) {
  return contains(question->text, offers, COUNT(offers)) || isReference(f, end) ||
         (isList(f, end) && asksToChoose(question));
}

ReportAsks ts_report_asks(const char *report, int n) {
  Prose prose;
  Folded f, question;
  int from = 0, end, cut;
  readProse(&prose, report, report && n > 0 ? n : 0);
  fold(&f, prose.text, prose.n);
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

/* ---- The reply ------------------------------------------------------------------------------------ */

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
static const char *const noWords[] = {
    "no",     "nope",  "nah",  "naw",    "non",    "nein",     "nö",    "nee",  "não",
    "nÃo",    "nie",   "ne",   "nej",    "nei",    "nop",      "нет",   "Нет",  "НЕТ",
    "ні",     "hayır", "不",   "不是",   "不要",   "不行",     "不好",  "没有", "否",
    "いいえ", "いえ",  "いや", "ううん", "아니요", "아니오",   "아뇨",  "아니", "لا",
    "όχι",    "Όχι",   "नहीं",  "nu",     "nem",    "tidak",    "không", "yok",  "nada",
    "👎",      "❌",     "✖",    "🚫",      "🙅",      "negative", "nay"};

/* Beside a no they say nothing of their own. */
static const char *const courtesies[] = {
    "thanks",    "thank you", "thx",        "ty",         "cheers", "please",     "sorry",
    "danke",     "dank",      "vielen",     "schön",      "bitte",  "gracias",    "muchas",
    "por favor", "merci",     "obrigado",   "obrigada",   "grazie", "спасибо",    "Спасибо",
    "谢谢",      "謝謝",      "ありがとう", "ございます", "です",   "감사합니다", "dziękuję",
    "dzięki",    "děkuji",    "díky",       "شكرا"};

/* They put off or turn down, and neither approve nor mean the task. */
static const char *const notNow[] = {
    "not now",     "not right now", "not yet",    "not really", "no need",    "noch nicht",
    "jetzt nicht", "ahora no",      "todavía no", "aún no",     "pas encore", "pas maintenant",
    "ainda não",   "agora não",     "non ancora", "non ora",    "ещё нет",    "еще нет",
    "не сейчас",   "まだ",          "还没",       "还没有",     "ještě ne",   "jeszcze nie"};

/* What ends the task although the report asks for something else. */
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
    if (isLetter(c) || isNoSign(c)) break;
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
    if (!isLetter(c) || (unsigned char)words[i][0] >= 0xE2) end = to;
  }
  return end;
}

/* Does the reply begin with one of the words? What is no letter may stand before. */
static int beginsWith(const Folded *f, const char *const *words, int nWords) {
  return wordAt(f, skipSigns(f, 0), words, nWords) > 0;
}

/* Nothing but a no, once or several times, and courtesies. */
static int isBareNo(const Folded *f) {
  int at = skipSigns(f, 0), found = 0;
  while (at < f->n) {
    int no = wordAt(f, at, noWords, COUNT(noWords));
    int other = wordAt(f, at, notNow, COUNT(notNow));
    int to = no > other ? no : other;
    if (to) {
      found = 1;
    } else {
      to = wordAt(f, at, courtesies, COUNT(courtesies));
    }
    if (!to) return 0;
    at = skipSigns(f, to);
  }
  return found;
}

/* Is it said outright that the task is to end? "Stop here" turns down what comes next. */
static int stopsTask(const Folded *f) {
  int at = skipSigns(f, 0), to;
  while ((to = wordAt(f, at, lead, COUNT(lead))) > 0)
    at = skipSigns(f, to);
  to = wordAt(f, at, stopWords, COUNT(stopWords));
  return to > 0 && strncmp(f->text + to, " here", 5) != 0;
}

/* Does a reply, that by itself would approve the report, answer its question instead? */
static int goesOn(ReportAsks asks, const Folded *f, int n, MessageClass cls, int isAffirmation) {
  if (asks == REPORT_SETTLED || asks == REPORT_ASKS_APPROVAL) return 0;
  if (!isAffirmation && (cls != CLASS_CONFIRMATION || n > REPLY_MAX)) return 0;
  if (asks == REPORT_ASKS_MORE) {
    return isAffirmation && beginsWith(f, yesWords, COUNT(yesWords));
  }
  if (isAffirmation || beginsWith(f, yesWords, COUNT(yesWords))) return 1;
  /* "no" and "no thanks" turn the offer down; "no, that's all" is the end of the work. */
  return beginsWith(f, noWords, COUNT(noWords)) && countWords(f) <= 3 &&
         (countWords(f) == 1 || contains(f->text, thanks, COUNT(thanks)));
}

/* What a bare no says: nothing about finished work that is not asked about, as "not good" says nothing. */
static MessageClass noTo(ReportAsks asks) {
  return asks == REPORT_ASKS        ? CLASS_RESPONSE
         : asks == REPORT_ASKS_MORE ? CLASS_CONFIRMATION
                                    : CLASS_UNCLEAR;
}

/* What turns down an offer, as "leave it" does, leaves the work that is done as it is. */
static MessageClass declined(ReportAsks asks) {
  return asks == REPORT_SETTLED ? CLASS_UNKNOWN : noTo(asks);
}

MessageClass ts_report_reads(ReportAsks asks, const char *reply, int n, MessageClass cls,
                             int isAffirmation) {
  Folded f;
  fold(&f, reply, n);
  if (!isAffirmation && n <= REPLY_MAX && isBareNo(&f)) return noTo(asks);
  if (cls == CLASS_ABANDON && !isAffirmation) {
    return stopsTask(&f) ? CLASS_UNKNOWN : declined(asks);
  }
  return goesOn(asks, &f, n, cls, isAffirmation) ? CLASS_RESPONSE : CLASS_UNKNOWN;
}
