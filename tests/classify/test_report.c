/*
** test_report.c - what a report asks at its end, and which replies answer that instead of approving it.
*/
#include "report.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const char *const names[] = {"settled", "asks", "asks for more", "asks for approval"};

static const struct {
  const char *report;
  ReportAsks asks;
} reports[] = {
    {"", REPORT_SETTLED},
    /* What stands behind it, and what is no prose. */
    {"Done. Shall I deploy it? See https://x/y?z=1", REPORT_ASKS},
    {"Want me to also add tests? (details: [log](http://a/b?c))", REPORT_ASKS},
    {"Done. Is staging next? See https://x/y?z=1", REPORT_ASKS},
    {"Done. Deploy to https://x/y?", REPORT_ASKS},
    {"Done. Log: https://x/y?z=1", REPORT_SETTLED},
    {"Done. See [the question?](https://x/y?z=1)", REPORT_ASKS},
    {"Done. Log: x.com/y?z=1", REPORT_SETTLED},
    {"Done. Run `ls a?`", REPORT_SETTLED},
    {"Done. Shall I run `ls a?` too?", REPORT_ASKS},
    {"Done.\n```\nShall I deploy?\n```", REPORT_SETTLED},
    {"Shall I deploy?\n```\nmake deploy\n```\n", REPORT_ASKS},
    {"Deploy it?\n```\nmake deploy\n```\n", REPORT_ASKS},
    {"> Should I use Redis?\nYes, and it does now.", REPORT_SETTLED},
    {"You asked \"should I use Redis?\" It does now.", REPORT_SETTLED},
    {"Du hast gefragt: „Soll ich Redis nehmen?“ Es ist drin.", REPORT_SETTLED},
    {"Done.\n<!-- Shall I deploy? -->", REPORT_SETTLED},
    {"Done. Deploy now? 🏴\xF3\xA0\x81\xA7\xF3\xA0\x81\xBF 👨‍💻", REPORT_ASKS},
    {"Done. Deploy now?\n\n— Claude", REPORT_ASKS},
    {"Done. Deploy now?\n\nBest regards,\nyour agent", REPORT_ASKS},
    {"Done. Deploy now?\n\n🤖 Generated with [Claude](https://c.example/?x)", REPORT_ASKS},
    {"Done. Which do you prefer?\n- deploy now\n- wait until Monday", REPORT_ASKS},
    {"Done. Welche Variante?\nA) sofort\nB) Montag\n", REPORT_ASKS},
    {"What changed?\n- retries\n- jitter", REPORT_SETTLED},
    {"``` Shall I deploy?", REPORT_ASKS},
    {"完成了。要部署吗？ 见 https://x/y?z=1", REPORT_ASKS},
    {"تم. هل أنشره؟ https://x/y?z=1", REPORT_ASKS},
    {"Έτοιμο. Να το ανεβάσω; https://x/y?z=1", REPORT_ASKS},
    {"Five tries, doubling pauses.", REPORT_SETTLED},
    {"Done; all tests pass.", REPORT_SETTLED},
    {"Why did it fail? A missing lock. It is fixed.", REPORT_SETTLED},
    {"The question mark (?) is escaped now.", REPORT_SETTLED},
    {"SELECT a FROM t WHERE b = ? is prepared once.", REPORT_SETTLED},
    {"Should is spelt right now.", REPORT_SETTLED},
    {"I can run it again.", REPORT_SETTLED},
    {"Retries are in. Shall I also update the docs?", REPORT_ASKS},
    {"Retries are in. Shall I also update the docs? (y/n)", REPORT_ASKS},
    {"Retries are in. Shall I also update the docs? [Y/n]", REPORT_ASKS},
    {"Retries are in. Next: uploads too (yes/no)", REPORT_ASKS},
    {"Retries are in. Push it [Y/n]:", REPORT_ASKS},
    {"Fertig. Auch die Doku anpassen (ja/nein)", REPORT_ASKS},
    {"Listo. Subir los cambios (s/n)", REPORT_ASKS},
    {"完成了。合并分支（是/否）", REPORT_ASKS},
    {"Retries are in. Looks good (y/n)", REPORT_ASKS_APPROVAL},
    {"The prompt ends in (y/n).", REPORT_SETTLED},
    {"The prompt takes yes/no", REPORT_SETTLED},
    {"Retries are in (see src/y/n)", REPORT_SETTLED},
    {"Retries are in. Deploy now? 🙂", REPORT_ASKS},
    {"Retries are in. **Deploy now?**", REPORT_ASKS},
    {"Retries are in. \"Deploy now?\"", REPORT_ASKS},
    {"Retries are in. Deploy now? Let me know!", REPORT_ASKS},
    {"Retries are in. Deploy now? Thanks.", REPORT_ASKS},
    {"Retries are in. Shall I deploy? It takes five minutes.", REPORT_ASKS},
    {"Done.\n\nNext steps:\n- Should I bump the version?\n- Should I tag it?\n", REPORT_ASKS},
    {"Done. Want me to add tests", REPORT_ASKS},
    {"Done. Let me know if you'd like me to add tests.", REPORT_ASKS},
    {"Done. Is it ok if I deploy it?", REPORT_ASKS},
    {"Done ❓", REPORT_ASKS},
    {"Done. Deploy?!", REPORT_ASKS},
    {"Done. Deploy⁇", REPORT_ASKS},
    {"Fertig. Soll ich auch die Doku anpassen?", REPORT_ASKS},
    {"Listo. ¿Quieres que lo despliegue?", REPORT_ASKS},
    {"C'est fait. Dois-je aussi mettre à jour la doc ?", REPORT_ASKS},
    {"Готово. Обновить и документацию?", REPORT_ASKS},
    {"Έτοιμο. Να ενημερώσω και την τεκμηρίωση;", REPORT_ASKS},
    {"Έτοιμο. Να ενημερώσω και την τεκμηρίωση\xCD\xBE", REPORT_ASKS},
    {"تم. هل أحدث التوثيق أيضًا؟", REPORT_ASKS},
    {"完成了。要我也更新文档吗？", REPORT_ASKS},
    {"完成了。要我也更新文档吗", REPORT_ASKS},
    {"完了しました。ドキュメントも更新しますか。", REPORT_ASKS},
    {"완료했습니다. 문서도 업데이트할까요", REPORT_ASKS},
    {"Done. Anything else?", REPORT_ASKS_MORE},
    {"Fertig. Kann ich sonst noch helfen?", REPORT_ASKS_MORE},
    {"Listo. ¿Algo más?", REPORT_ASKS_MORE},
    {"完成了。还有别的需要吗？", REPORT_ASKS_MORE},
    {"Done. Does this look good?", REPORT_ASKS_APPROVAL},
    {"Done. Are you happy with it?", REPORT_ASKS_APPROVAL},
    {"Retries are in. Ok?", REPORT_ASKS_APPROVAL},
    {"I'll deploy it then, ok?", REPORT_ASKS},
    {"Fertig. Passt das so?", REPORT_ASKS_APPROVAL},
};

static const struct {
  ReportAsks asks;
  const char *reply;
  MessageClass cls;
  int isAffirmation;
  MessageClass reads;
} replies[] = {
    {REPORT_SETTLED, "yes", CLASS_CONFIRMATION, 1, CLASS_UNKNOWN},
    {REPORT_ASKS, "yes", CLASS_CONFIRMATION, 1, CLASS_RESPONSE},
    {REPORT_ASKS, "👍", CLASS_CONFIRMATION, 1, CLASS_RESPONSE},
    {REPORT_ASKS, "perfect, thanks", CLASS_CONFIRMATION, 1, CLASS_RESPONSE},
    {REPORT_ASKS, "yes, that would be a great help", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "Давай, спасибо", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "No thanks!", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "nein danke", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no thanks, mate", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "nein\ndanke dir", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no thanks, that's it", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "no further thanks", CLASS_CONFIRMATION, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no problem", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "no, that's all", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "that solved it for me", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "note it and close", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "yes", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_ASKS_MORE, "yes", CLASS_CONFIRMATION, 1, CLASS_RESPONSE},
    {REPORT_ASKS_MORE, "thanks", CLASS_CONFIRMATION, 1, CLASS_UNKNOWN},
    {REPORT_ASKS_MORE, "ok", CLASS_CONFIRMATION, 1, CLASS_UNKNOWN},
    {REPORT_ASKS_MORE, "no thanks", CLASS_CONFIRMATION, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_APPROVAL, "yes", CLASS_CONFIRMATION, 1, CLASS_UNKNOWN},
    {REPORT_SETTLED, "no", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "No!", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "no no no", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "nooo", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "nope", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "nah", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "no thanks", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "no, thank you", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "nein", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "Nein, danke", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "нет", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "Нет, спасибо", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "いいえ", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "não", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "NÃO", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "ne", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "non", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "non merci", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "不", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "没有", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "아니요", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "👎", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    /* A sign ends where it ends; a word of letters goes on. */
    {REPORT_SETTLED, "❌no", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "👎no", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "nono", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "not yet", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "nein, noch nicht", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "no", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "No!", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "no no no", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "nooo", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "nope", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "nah", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "no thanks", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "no, thank you", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "nein", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "Nein, danke", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "нет", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "Нет, спасибо", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "いいえ", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "não", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "NÃO", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "ne", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "non", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "non merci", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "不", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "没有", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "아니요", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "👎", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "not yet", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "nein, noch nicht", CLASS_CONFIRMATION, 0, CLASS_UNCLEAR},
    {REPORT_ASKS, "no", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "No!", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no no no", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "nooo", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "nope", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "nah", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no thanks", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no, thank you", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "nein", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "Nein, danke", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "нет", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "Нет, спасибо", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS_MORE, "no", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "No!", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "no no no", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "nooo", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "nope", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "nah", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "no thanks", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "no, thank you", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "nein", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "Nein, danke", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "нет", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "Нет, спасибо", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS, "nicht nötig", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "不用了", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no hace falta", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "не надо", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "no, leave it", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "leave it", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "don't bother", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "lass es", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "that's enough", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS, "stop here", CLASS_ABANDON, 0, CLASS_RESPONSE},
    {REPORT_ASKS_MORE, "nicht nötig", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "不用了", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "no hace falta", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "не надо", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "no, leave it", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "leave it", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "don't bother", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "lass es", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "that's enough", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_MORE, "stop here", CLASS_ABANDON, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_APPROVAL, "nicht nötig", CLASS_ABANDON, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "不用了", CLASS_ABANDON, 0, CLASS_UNCLEAR},
    {REPORT_ASKS_APPROVAL, "no hace falta", CLASS_ABANDON, 0, CLASS_UNCLEAR},
    {REPORT_SETTLED, "nicht nötig", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "不用了", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "no hace falta", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "stop", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "please stop", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "Stop!", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "no, cancel everything", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "abbrechen", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "取消", CLASS_ABANDON, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "no problem", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "nothing else", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "no, that's all", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "none the worse", CLASS_CONFIRMATION, 0, CLASS_UNKNOWN},
    {REPORT_SETTLED, "y", CLASS_UNCLEAR, 0, CLASS_UNKNOWN},
    {REPORT_ASKS, "o", CLASS_UNCLEAR, 0, CLASS_RESPONSE},
    {REPORT_ASKS_APPROVAL, "y", CLASS_UNCLEAR, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_APPROVAL, "(y)", CLASS_UNCLEAR, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_APPROVAL, "J, bitte :)", CLASS_UNCLEAR, 0, CLASS_CONFIRMATION},
    {REPORT_ASKS_APPROVAL, ":o", CLASS_UNCLEAR, 0, CLASS_UNKNOWN},
    {REPORT_ASKS_APPROVAL, ":-S", CLASS_UNCLEAR, 0, CLASS_UNKNOWN},
    {REPORT_ASKS_APPROVAL, "ooo", CLASS_UNCLEAR, 0, CLASS_UNKNOWN},
    {REPORT_ASKS_APPROVAL, "y?", CLASS_UNCLEAR, 0, CLASS_UNKNOWN},
};

static void testReports(void) {
  for (int i = 0; i < COUNT(reports); i++) {
    CHECK_STR(tap_name("\"%s\"", reports[i].report),
              names[ts_report_asks(reports[i].report, (int)strlen(reports[i].report))],
              names[reports[i].asks]);
  }
}

static void testReplies(void) {
  for (int i = 0; i < COUNT(replies); i++) {
    CHECK_INT(tap_name("%s: \"%s\"", names[replies[i].asks], replies[i].reply),
              ts_report_reads(replies[i].asks, replies[i].reply, (int)strlen(replies[i].reply),
                              replies[i].cls, replies[i].isAffirmation),
              replies[i].reads);
  }
}

/* Only the end of a long report is looked at, and no byte of it crashes. */
static void testLimits(void) {
  static const char *const pieces[] = {
      "```",  "`",     "](http://a?b", "<!--", "\"", "\n> ",   "\xE2\x80\x9E",
      "\n- ", "\n-- ", "shall i ",     "?",    "(",  ")",      "\n",
      ". ",   "か",    "\xE3",         ";",    "ω",  "thanks", "y/n",
      "\xFF", " ",     "🙂",         "[",    "]",  "x"};
  char text[5000];
  unsigned state = 20240229;
  int differ = 0;
  memset(text, 'x', sizeof(text));
  memcpy(text, "Shall I deploy? ", 16);
  CHECK_INT("a question far away", ts_report_asks(text, sizeof(text)), REPORT_SETTLED);
  CHECK_INT("NULL", ts_report_asks(NULL, 0), REPORT_SETTLED);
  CHECK_INT("a negative length", ts_report_asks("a?", -1), REPORT_SETTLED);
  for (int round = 0; round < 6000; round++) {
    int n = 0, target;
    state = state * 1664525u + 1013904223u;
    target = (int)(state >> 20) % 900;
    while (n < target) {
      state = state * 1664525u + 1013904223u;
      if (round % 2) {
        text[n++] = (char)(state >> 16);
      } else {
        const char *piece = pieces[(state >> 16) % COUNT(pieces)];
        memcpy(text + n, piece, strlen(piece));
        n += (int)strlen(piece);
      }
    }
    /* A copy of exactly n bytes, so that a read past the end is seen. */
    char *copy = malloc((size_t)(n ? n : 1));
    if (!copy) return;
    memcpy(copy, text, (size_t)n);
    differ += ts_report_asks(copy, n) != ts_report_asks(copy, n);
    ts_report_reads(REPORT_ASKS, copy, n, CLASS_CONFIRMATION, 0);
    free(copy);
  }
  CHECK_INT("random reports", differ, 0);
}

int main(void) {
  testReports();
  testReplies();
  testLimits();
  return tap_done("report");
}
