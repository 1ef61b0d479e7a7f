/*
** test_classify.c - the classifier: what messages mean, how rules are checked and found, what
** hostile messages, patterns and replies do, and memory that runs out.
**
** Usage: test_classify [RULES_DIR], by default sql.
*/
#define _POSIX_C_SOURCE 200809L /* scandir */
#include "tap.h"

#include "literals.h"
#include "labelled.h"
#include "learnt.h"
#include "prompt.h"

#include <math.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static RuleSet *rules;

/* ---- What messages mean ---------------------------------------------------------------------- */

#define NONE TASK_NONE
#define RUN TASK_RUNNING
#define ASK TASK_AWAITING_USER
#define INT TASK_INTERRUPTED
#define DONE TASK_PENDING_COMPLETE
#define R CLASS_RESPONSE
#define M CLASS_MODIFICATION
#define C CLASS_CONFIRMATION
#define A CLASS_ABANDON
#define N CLASS_NEW_TASK
#define Q CLASS_CLARIFICATION
#define U CLASS_UNCLEAR

static const char loopOrC[] = "Should it be a shell loop around curl or a small C program?";
static const char uploadTask[] = "Add retry logic to the upload client";
static const char anythingElse[] = "All checks pass. Anything else on this?";

static const struct {
  TaskState state;
  const char *question, *message;
  MessageClass expected;
} meanings[] = {
    /* The state decides. */
    {ASK, "Should I go on?", "yes", R},
    {DONE, "", "yes", C},
    {DONE, "", "ok", C},
    {DONE, "Want it?", "ok", C},
    {ASK, loopOrC, "C then", R},
    {ASK, "1) keep 2) drop", "2", R},
    {ASK, "Want me to add tests?", "no", R},
    {DONE, anythingElse, "no thanks", C},
    {DONE, anythingElse, "that's all", C},
    {DONE, anythingElse, "nope, works on staging. thanks!", C},
    {ASK, "Which strategy?", "exponential, but cap it at 30 s", R},
    {ASK, loopOrC, "C, and let the number of tries come from the config file", R},
    {ASK, "Both of them?", "yes both. sorry, was away", R},
    {ASK, "Ready?", "go ahead", R},
    {INT, "", "continue", M},
    {DONE, "", "continue", M},
    /* Approval, and approval with more to do. */
    {DONE, "", "Looks good!", C},
    {DONE, "", "Perfect, thanks!", C},
    {DONE, "", "ship it", C},
    {DONE, "", "perfect, but the log should say which try it is on", M},
    {DONE, "", "looks good but also add logging", M},
    {DONE, "", "commit and push", M},
    {DONE, "", "undo", M},
    /* Stopping the task, and stopping something in it. */
    {RUN, "", "stop", A},
    {RUN, "", "Never mind", A},
    {ASK, loopOrC, "never mind", A},
    {ASK, loopOrC, "cancel", A},
    {DONE, "", "Cancel", A},
    {RUN, "", "forget it, found a ready-made tool", A},
    {DONE, "", "scrap all of it, forget it", A},
    {RUN, "", "wait", M},
    {RUN, "", "hold on", M},
    {RUN, "", "please wait for the new file", M},
    {RUN, "", "stop the server", M},
    {RUN, "", "cancel the builds", M},
    {DONE, "", "kill 4711", M},
    {INT, "", "stop, not systemd. CRON_TZ in the crontab is enough", M},
    /* Changes. */
    {RUN, "", "Make it 5 not 3", M},
    {RUN, "", "oh and 429 should count as retryable too", M},
    {DONE, "", "make it follow local midnight all year", M},
    {DONE, "", "still crashes with a segfault when the file is empty", M},
    /* Wanting to know. */
    {ASK, loopOrC, "what would the C one give me over curl?", Q},
    {DONE, "", "What does that mean?", Q},
    {DONE, "", "Show me the code", Q},
    {DONE, "", "thanks, how do I run it?", Q},
    {RUN, "", "how far are you?", Q},
    /* Something else. */
    {NONE, "", "add retries to the upload client", N},
    {NONE, "", "now write a load generator for the upload endpoint, 200 parallel clients", N},
    {DONE, "", "now write a load generator for the mail relay, 200 parallel senders", N},
    {NONE, "",
     "different thing: why do the nightly reports start at 23:00 UTC and not at midnight?", N},
    {DONE, "", "new task: write the release notes", N},
    {DONE, "", "Different topic, can you look at the login page?", N},
    /* A new goal that has no word in common with the task; with common words it is the task's. */
    {DONE, "", "can you make me a poster for the summer party?", N},
    {DONE, "", "i need a script that turns receipts into a spreadsheet", N},
    {DONE, "", "next ticket: OPS-77, rotate the mail keys", N},
    {RUN, "", "add a retry limit", M},
    {INT, "", "add a button", M},
    {ASK, "Want me to add tests?", "not now. write a landing page for the beta", N},
    {DONE, "", "mach mir jetzt einen plan f\xC3\xBCr den umzug", N},
    {DONE, "", "ahora necesito un programa que lea facturas", N},
    {DONE, "", "帮我写一份周报", N},
    {DONE, "", "напиши скрипт для бэкапа базы", N},
    /* What does not answer the question. */
    {ASK, "Which one do you want?", "the login page is broken since yesterday", M},
    {ASK, "Which one do you want?", "first fix the migration, it does not even start", M},
    {ASK, "Please try it and tell me what you see.", "it does not start", R},
    {ASK, "Does the login page work?", "the login page is broken", R},
    {ASK, "Which one do you want?", "is the first one durable?", Q},
    {ASK, loopOrC, "der Drucker geht seit gestern nicht mehr", M},
    {ASK, loopOrC, "antes arregla el formulario, da error 500", M},
    {ASK, loopOrC, "网站打不开了", M},
    {ASK, loopOrC, "сначала почини ssh, я не могу зайти", M},
    /* Wanting to know, without a question mark; a request that has one. */
    {DONE, "", "should we keep the old format", Q},
    {DONE, "", "did you test that on windows", Q},
    {RUN, "", "are you stuck?", Q},
    {DONE, "", "could the title be bold?", M},
    {DONE, "", "why is the button red?", M},
    {DONE, "", "warum ist der Knopf rot?", M},
    {DONE, "", "почему кнопка серая?", M},
    {DONE, "", "wie lange dauert der Import", Q},
    /* Approval that is not a request. */
    {DONE, "", "works, thanks!", C},
    {DONE, "", "works!", C},
    {DONE, "", "good job, that's all for today", C},
    {DONE, "", "the client is happy, we can close this", C},
    {DONE, "", "works, but the log is empty", M},
    {DONE, "", "nice, now the same for downloads", M},
    {DONE, "", "l\xC3\xA4uft!", C},
    {DONE, "", "没有了，谢谢", C},
    {DONE, "", "заказчик доволен", C},
    /* Giving up with a reason, and not. */
    {RUN, "", "abort this. we stay on the old client", A},
    {RUN, "", "stop stop, found it myself", A},
    {RUN, "", "stop, wrong file", M},
    {RUN, "", "lass gut sein, wir bleiben beim alten", A},
    {RUN, "", "停，不用清理了", A},
    /* Nothing to go on. */
    {NONE, "", "hi there", U},
    {NONE, "", "hello?", U},
    {NONE, "", "test", U},
    {NONE, "", "ok?", U},
    {RUN, "", "lkj", U},
    {RUN, "", "css", M},
    {RUN, "", "asdf", U},
    {DONE, "", "?", U},
    {RUN, "", "", U},
    {RUN, "", " \n\t ", U},
    {INT, "", "...", U},
    {RUN, "", "/hlep", U},
    /* Other languages. */
    {DONE, "", "super, danke dir!", C},
    {DONE, "", "super, aber der Knopf ist noch zu klein", M},
    {RUN, "", "vergiss es, brauchen wir nicht mehr", A},
    {DONE, "", "warum hast du das so gemacht?", Q},
    {DONE, "", "perfecto, gracias", C},
    {RUN, "", "cancela todo", A},
    {DONE, "", "\xC2\xBFpor qu\xC3\xA9 usaste axios?", Q},
    {DONE, "", "好的，谢谢", C},
    {RUN, "", "算了，不做了", A},
    {DONE, "", "把标题改成蓝色", M},
    {DONE, "", "为什么要用这个库？", Q},
    {DONE, "", "всё работает, спасибо!", C},
    {RUN, "", "стоп", A},
    {DONE, "", "parfait merci", C},
    {RUN, "", "laisse tomber", A},
    {DONE, "", "完璧です、ありがとう", C},
    {DONE, "", "funguje to, díky", C},
    {DONE, "", "ficou ótimo, valeu", C},
};

/*
** What closes a task when it is all of the message, in every state with an open task and in None:
** Running, AwaitingUser, Interrupted, PendingComplete, None. The first ones are the phrases that a
** user was promised.
*/
static const struct {
  const char *message;
  MessageClass running, asked, interrupted, done, none;
} closings[] = {
    {"looks good", C, R, M, C, C},
    {"done", C, R, C, C, C},
    {"Perfect, thanks!", C, R, M, C, C},
    {"ship it", C, R, M, C, C},
    {"never mind", A, A, A, A, A},
    {"cancel", A, A, A, A, A},
    {"stop", A, A, A, A, A},
    {"abandon the task", A, A, A, A, A},
    {"cancel this task please", A, A, A, A, A},
    {"discard it", A, A, A, A, A},
    {"stop, don't do anything", A, A, A, A, A},
    {"new task", N, N, N, N, N},
    {"let's start a new task: invoices", N, N, N, N, N},
    {"Now let's add connection pooling", M, R, M, N, N},
    {"Yes, with jitter", M, R, M, M, N},
    {"Use exponential", M, R, M, M, N},
    {"Now add connection pooling", M, R, M, N, N},
    /* In more words. */
    {"well that's all I needed, thank you for your help!", C, R, C, C, C},
    {"it's running fine on my side now, great job", C, R, C, C, C},
    {"thanks anyway, we don't need the whole thing any more", A, A, A, A, A},
    {"oh, please forget about the whole idea, sorry", A, A, A, A, A},
    {"I've changed my mind, cancel everything please", A, A, A, A, A},
    {"passt so, vielen Dank", C, R, M, C, C},
    {"vergiss die ganze Sache, bitte", A, A, A, A, A},
    {"ça marche maintenant, merci beaucoup", C, R, M, C, C},
    {"laisse tomber tout \xC3\xA7"
     "a",
     A, A, A, A, A},
    {"ya funciona todo, muchas gracias", C, R, M, C, C},
    {"déjalo así, ya no hace falta", A, A, A, A, A},
    {"agora funcionou, valeu", C, R, M, C, C},
    {"deixa pra lá", A, A, A, A, A},
    {"ora funziona tutto, grazie mille", C, R, M, C, C},
    {"lascia perdere", A, A, A, A, A},
    {"всё работает, спасибо большое", C, R, M, C, C},
    {"забудь об этом, мы передумали", A, A, A, A, A},
    {"现在可以了，谢谢", C, R, C, C, C},
    {"算了，不做了", A, A, A, A, A},
    {"ちゃんと動きました、ありがとうございます", C, R, C, C, C},
    {"もういいです、やめます", A, A, A, A, A},
    {"teď to funguje, díky moc", C, R, M, C, C},
    {"zapomeň na to", A, A, A, A, A},
    {"teraz działa, dzięki", C, R, M, C, C},
    {"daj spokój, rezygnujemy", A, A, A, A, A},
    {"het werkt nu, dankjewel", C, R, C, C, C},
    {"laat maar zitten", A, A, A, A, A},
    {"şimdi çalışıyor, teşekkür ederim", C, R, C, C, C},
    {"boşver, vazgeçtim", A, A, A, A, A},
    {"이제 잘 됩니다 감사합니다", C, R, C, C, C},
    {"그만하자 취소해", A, A, A, A, A},
    {"الآن يعمل، شكرا", C, R, C, C, C},
    {"انس الموضوع", A, A, A, A, A},
    {"अब चल रहा है, धन्यवाद", C, R, C, C, C},
    {"रहने दो यार", A, A, A, A, A},
    {"тепер працює, дякую", C, R, C, C, C},
    {"забудьмо про це", A, A, A, A, A},
    /* Giving up, or its reason, in general words; while a question is open a reason is an answer. */
    {"sorry, we decided against it", A, A, A, A, A},
    {"on second thought, call it quits", A, A, A, A, A},
    {"wir haben es uns anders überlegt", A, A, A, A, A},
    {"je renonce finalement", A, A, A, A, A},
    {"nos echamos atrás, lo siento", A, A, A, A, A},
    {"mi tiro indietro, lasciamo stare", A, A, A, A, A},
    {"we zien ervan af", A, A, A, A, A},
    {"отменяется, планы поменялись", A, A, A, A, A},
    {"plany się zmieniły, odpuśćmy sobie", A, A, A, A, A},
    {"計画は白紙に", A, A, A, A, A},
};

/* What holds words of closing and closes nothing: a question, a negation, an order, something new. */
static const char *const closesNothing[] = {
    "does it work now?",
    "is that all?",
    "it does not work",
    "that's not it",
    "it's not done",
    "don't stop",
    "please don't cancel it",
    "l\xC3\xA4uft nicht",
    "nicht abbrechen",
    "ne marche pas",
    "no funciona",
    "n\xC3\xA3o funciona",
    "non funziona",
    "не работает",
    "не останавливайся",
    "nie dzia\xC5\x82"
    "a",
    "不能用了",
    "werkt niet",
    "안 돼요",
    "لا يعمل",
    "नहीं चल रहा है",
    "не працює",
    "works, except for the log",
    "great, now the same for downloads",
    "stop the server",
    "cancel the builds",
    "drop the second column",
    "forget the archive, use the new table",
    /* What is to stop, and what is not quite so. */
    "stop uploads",
    "cancel deliveries",
    "almost done",
    "partly fixed",
    /* What greets. */
    "bom dia",
    "buenas noches",
    "ciao",
    /* A question without its mark. */
    "is it done now",
    "does it work now",
    "is that everything then",
    "oldu mu",
    "هل يعمل الآن",
    "czy to wszystko",
    "всё ли готово",
    "чи все готово",
    "终于可以用了吗",
    "もう直りましたか",
    "이제 잘 되나요",
    "क्या हो गया",
};

static const struct {
  const char *message;
  int yes;
} affirmations[] = {
    {"yes", 1},
    {"OK", 1},
    {"ok.", 1},
    {"perfect, thanks!", 1},
    {"jo", 1},
    {"s\xC3\xAD", 1},
    {"好的", 1},
    {"好的，谢谢！", 1},
    {"\xF0\x9F\x91\x8D", 1},
    {"\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD", 1},
    {"ok danke", 1},
    {"d'accord", 1},
    {"да", 1},
    {"はい", 1},
    {"yes but", 0},
    {"ok?", 0},
    {"no", 0},
    {"", 0},
    {"okapi", 0},
    {"yesterday", 0},
    {"go on", 0},
    {"thanks, next", 0},
    {"perfect storm", 0},
    {"是不是", 0},
    {"looks good to me", 1},
    {"great job", 1},
    {"works", 1},
    {"works on", 0},
    {"that's all", 1},
};

static MessageClass classOf(TaskState state, const char *question, const char *message) {
  char err[400];
  ClassifyInput in = {0};
  ClassifyResult r;
  in.message = message;
  in.nMessage = (int)strlen(message);
  in.state = state;
  in.question = question;
  in.nQuestion = (int)strlen(question);
  in.task = state == NONE ? "" : uploadTask;
  in.nTask = (int)strlen(in.task);
  CHECK_INT(message, ts_classify(rules, &in, &r, err, sizeof(err)), SQLITE_OK);
  return r.cls;
}

static void checkClass(TaskState state, const char *question, const char *message,
                       MessageClass expected) {
  CHECK_STR(tap_name("%s, [%s]: %s", ts_task_machine.states[state], question, message),
            ts_class_names[classOf(state, question, message)], ts_class_names[expected]);
}

static void testClosings(void) {
  static const char report[] = "Five tries with doubling pauses are in, and logged.";
  for (int i = 0; i < COUNT(closings); i++) {
    const char *message = closings[i].message;
    checkClass(RUN, "", message, closings[i].running);
    checkClass(ASK, "A fixed pause between the tries, or doubling?", message, closings[i].asked);
    checkClass(INT, "", message, closings[i].interrupted);
    checkClass(DONE, report, message, closings[i].done);
    checkClass(NONE, "", message, closings[i].none);
  }
  for (int i = 0; i < COUNT(closesNothing); i++) {
    MessageClass cls = classOf(DONE, report, closesNothing[i]);
    CHECK(tap_name("closes nothing: %s", closesNothing[i]), cls != C && cls != A);
    cls = classOf(RUN, "", closesNothing[i]);
    CHECK(tap_name("stops nothing: %s", closesNothing[i]), cls != C && cls != A);
  }
  /* A no is the end when more was offered, and a defect when something was to be tried. */
  checkClass(DONE, "Logged. Anything else?", "no", C);
  checkClass(DONE, "Logged. Does it work now?", "no", M);
  checkClass(DONE, "", "no", M);
  checkClass(DONE, "The log is written.", "no", M);
  checkClass(DONE, "The log is written.", "nein", M);
  checkClass(DONE, "Bitte probier es aus. Klappt es?", "nein", M);
  checkClass(DONE, "Kann ich sonst noch etwas tun?", "nein danke", C);
  /* Over a step that was only named, a word that sets going is no approval of the work; praise is. */
  checkClass(DONE, "Retries are in. Next step: the log.", "go ahead", M);
  checkClass(DONE, "Retries are in. Next step: the log.", "perfect, thanks", C);
  checkClass(DONE, "Pronto. Próximo passo: publicar.", "bora", M);
  /* What the agent has named itself, and what it has started. */
  checkClass(ASK, "Is the key called pause or quit?", "quit", R);
  checkClass(ASK, "Should the button say cancel or close?", "cancel", R);
  checkClass(ASK, "Which of the two?", "cancel", A);
  checkClass(DONE, "The server is running on port 8080.", "stop it", M);
  checkClass(DONE, "The log is written.", "discard it", A);
}

#define COMPLETES (1 << (RULE_COMPLETION - RULE_AFFIRMATION))
#define GIVES_UP (1 << (RULE_DISMISSAL - RULE_AFFIRMATION))

/* What the clauses of a text consist of, whatever else it says. */
static void checkClauses(RuleSet *own) {
  RuleMatch m;
  char err[400];
#define CLAUSES(text)                                                                              \
  CHECK_INT(                                                                                       \
      text,                                                                                        \
      ts_rules_match(own, text, (int)strlen(text), RUN, TS_MATCH_COVER, &m, err, sizeof(err)),     \
      SQLITE_OK)
  CLAUSES("kinda gtm\nwe shall paint the old barn\nweg damit");
  CHECK_INT("the first approves", (int)m.clauses.first, COMPLETES);
  CHECK_INT("the last gives up", (int)m.clauses.last, GIVES_UP);
  CHECK_INT("both as a whole", (int)m.clauses.whole, COMPLETES | GIVES_UP);
  CHECK_INT("none in part", (int)m.clauses.partly, 0);
  CHECK_INT("one says something else", m.clauses.nOthers, 1);
  CLAUSES("barn: weg damit");
  CHECK_INT("a clause that gives up something", (int)m.clauses.partly, GIVES_UP);
  CHECK_INT("is not made of it", (int)(m.clauses.whole | m.clauses.first | m.clauses.last), 0);
  CLAUSES("the barn is old\nand red");
  CHECK_INT("nothing is found", (int)(m.clauses.whole | m.clauses.partly), 0);
  CHECK_INT("in two clauses", m.clauses.nOthers, 2);
#undef CLAUSES
}

/* Rows of units that a user adds are heard like those that are built in. */
static void testOwnUnits(void) {
  static const char *const rows[][2] = {{"Completion", "gtm(?: gtm)?\\b"},
                                        {"Dismissal", "(?:abbandoniamo|weg damit)\\b"},
                                        {"Filler", "(?:kinda|sorta)\\b"}};
  RuleSet *own = 0;
  RuleMatch m;
  char err[400];
  CHECK_INT("a set", ts_rules_new(&own), SQLITE_OK);
  for (int i = 0; i < COUNT(rows); i++) {
    RuleRow row;
    memset(&row, 0, sizeof(row));
    row.id = i + 1;
    row.cls = rows[i][0];
    row.nCls = (int)strlen(row.cls);
    row.pattern = rows[i][1];
    row.nPattern = (int)strlen(row.pattern);
    row.weight = 1;
    CHECK_INT(rows[i][0], ts_rules_add(own, &row, err, sizeof(err)), SQLITE_OK);
  }
  CHECK_INT("finished", ts_rules_finish(own), SQLITE_OK);
#define COVERS(text)                                                                               \
  (ts_rules_match(own, text, (int)strlen(text), RUN, TS_MATCH_COVER, &m, err, sizeof(err)) ==      \
       SQLITE_OK &&                                                                                \
   m.isCovered)
  CHECK("a pattern, a list of words and a filler", COVERS("kinda weg damit\ngtm gtm"));
  CHECK_INT("one completion", m.nUnits[RULE_COMPLETION - RULE_AFFIRMATION], 1);
  CHECK_INT("one dismissal", m.nUnits[RULE_DISMISSAL - RULE_AFFIRMATION], 1);
  CHECK_INT("nothing left over", m.nOver, 0);
  CHECK("one word in a clause of its own may be left over",
        COVERS("GTM Weg Damit\nBob") && m.nOver == 2);
  CHECK("none beside what closes", !COVERS("GTM Weg Damit now") && !COVERS("almost gtm"));
  CHECK("two words may not", !COVERS("gtm right now"));
  CHECK("no unit ends within a word", !COVERS("weg damitten gtmx"));
  CHECK("nor a thing and what to do with it", !COVERS("Bob: weg damit"));
  CHECK("what joins emoji and colours them parts no units",
        COVERS("gtm\xEF\xB8\x8F weg damit\xE2\x80\x8D gtm\xF0\x9F\x8F\xBD gtm"));
  CHECK("a comma of another script does", COVERS("gtm\xE3\x80\x81weg damit"));
  CHECK("signs among letters are none", COVERS("gtm\xC3\x97gtm\xC3\xB7gtm\xE3\x80\x80gtm"));
  CHECK("a letter beside them is",
        !COVERS("gtm\xC3\x96 gtm\xC3\xBF") && !COVERS("gtm\xE3\x81\x82 gtm\xEF\xB7\xBF"));
  CHECK("a bracket, or a sign beyond all letters, is something else",
        !COVERS("gtm\xE3\x80\x90gtm\xE3\x80\x91gtm now") && !COVERS("gtm\xEF\xB8\xB0gtm now"));
  CHECK("a dash does not", !COVERS("gtm\xE2\x80\x94gtm\xE2\x80\x94gtm"));
#undef COVERS
  checkClauses(own);
  ts_rules_free(own);
}

/* The weights of the evidence add up to the scores, to the bit. */
static void checkSums(const ClassifyResult *r) {
  double sum[CLASS_COUNT] = {0};
  for (int e = 0; e < r->nEvidence; e++)
    sum[r->evidence[e].cls] += r->evidence[e].weight;
  for (int c = 0; c < CLASS_COUNT; c++)
    CHECK(tap_name("the weights for %s", ts_class_names[c]), sum[c] == r->score[c]);
}

static void testMeanings(void) {
  char err[400];
  for (int i = 0; i < COUNT(meanings); i++) {
    ClassifyInput in = {0};
    ClassifyResult r;
    double sum = 0;
    in.message = meanings[i].message;
    in.nMessage = (int)strlen(in.message);
    in.state = meanings[i].state;
    in.question = meanings[i].question;
    in.nQuestion = (int)strlen(in.question);
    in.task = in.state == NONE ? "" : uploadTask;
    in.nTask = (int)strlen(in.task);
    in.listsWords = i % 2;
    CHECK_INT(in.message, ts_classify(rules, &in, &r, err, sizeof(err)), SQLITE_OK);
    CHECK_STR(tap_name("%s: %s", ts_task_machine.states[in.state], in.message),
              ts_class_names[r.cls], ts_class_names[meanings[i].expected]);
    for (int c = 0; c < CLASS_COUNT; c++)
      sum += r.share[c];
    CHECK("shares add up", fabs(sum - 1) < 1e-9 && r.confidence == r.share[r.cls]);
    /* The evidence explains the score. */
    CHECK("evidence is listed", r.nEvidence <= TS_EVIDENCE_MAX);
    for (int e = 0; e < r.nEvidence; e++)
      CHECK("a rule, a name or a word", (r.evidence[e].name != 0) + (r.evidence[e].ruleIndex >= 0) +
                                                (r.evidence[e].nWord > 0) ==
                                            1);
    if (r.nUnlisted == 0) checkSums(&r);
  }
  for (int i = 0; i < COUNT(affirmations); i++) {
    const char *m = affirmations[i].message;
    int yes = -1, left = -1;
    CHECK_INT(m, ts_is_affirmation(rules, m, (int)strlen(m), &yes, &left, err, sizeof(err)),
              SQLITE_OK);
    CHECK_INT(tap_name("affirmation: %s", m), yes, affirmations[i].yes);
    CHECK_INT("no rule is left out", left, 0);
  }
}

/* The same order is a new goal beside one task and a change beside another. */
static void testGoals(void) {
  static const char order[] = "now write a load generator for the upload endpoint, "
                              "200 parallel clients";
  static const struct {
    const char *task;
    TaskState state;
    MessageClass expected;
  } goals[] = {
      {"different thing: why do the nightly reports start at 23:00 UTC and not at midnight?", RUN,
       N},
      {"different thing: why do the nightly reports start at 23:00 UTC and not at midnight?", INT,
       N},
      {"different thing: why do the nightly reports start at 23:00 UTC and not at midnight?", DONE,
       N},
      {uploadTask, RUN, M},
      {uploadTask, INT, M},
  };
  char err[400];
  for (int i = 0; i < COUNT(goals); i++) {
    ClassifyInput in = {0};
    ClassifyResult r;
    in.message = order;
    in.nMessage = (int)strlen(order);
    in.state = goals[i].state;
    in.task = goals[i].task;
    in.nTask = (int)strlen(in.task);
    CHECK_INT(order, ts_classify(rules, &in, &r, err, sizeof(err)), SQLITE_OK);
    CHECK_STR(tap_name("%s: %s", ts_task_machine.states[in.state], in.task), ts_class_names[r.cls],
              ts_class_names[goals[i].expected]);
  }
}

/* ---- Shape ----------------------------------------------------------------------------------- */

static const struct {
  const char *message, *text;
} tidied[] = {
    {"ok.  thanks!!  but\xE2\x80\xA6 why\xE2\x80\x99s it red ?", "ok\nthanks\nbut\nwhy's it red?"},
    {"stop, use main.c at 1,200 - not a?b:c", "stop\nuse main.c at 1,200\nnot a?b:c"},
    {"- one\n* two\n\n\n\xE2\x80\xA2 three", "one\ntwo\nthree"},
    {"different thing: why?", "different thing:\nwhy?"},
    {"好的，谢谢。为什么？", "好的\n谢谢\n为什么?"},
    {"\xC2\xBFPor qu\xC3\xA9?", "Por qu\xC3\xA9?"},
    {"a\xFF\xFE\x62", "a b"},
    {"?!?", "?"},
    {"  \t\r\n ", ""},
    {"200 \xE2\x84\xAA", "200 K"},
};

static void testShape(void) {
  Shape s;
  char *big = malloc(1 << 20);
  for (int i = 0; i < COUNT(tidied); i++) {
    ts_shape_of(tidied[i].message, (int)strlen(tidied[i].message), &s);
    s.text[s.n < TS_TEXT_MAX ? s.n : TS_TEXT_MAX - 1] = 0;
    CHECK_STR(tap_name("tidied: %s", tidied[i].message), s.text, tidied[i].text);
  }
  ts_shape_of(0, 0, &s);
  CHECK_INT("no message", s.n, 0);
  if (big == 0) return;
  memset(big, ',', 1 << 20);
  ts_shape_of(big, 1 << 20, &s);
  CHECK("a long message is cut", s.isCut && s.n <= TS_TEXT_MAX);
  for (int i = 0; i < 1 << 20; i++)
    big[i] = (char)(i % 2 ? '?' : 'a');
  ts_shape_of(big, 1 << 20, &s);
  CHECK("fits", s.n <= TS_TEXT_MAX);
  free(big);
}

/* ---- Characters at the edges of their kinds -------------------------------------------------- */

typedef struct Range {
  unsigned first, last;
} Range;

static const char *charOf(unsigned c) {
  static char z[5];
  int n = 0;
  if (c >= 0x10000) {
    z[n++] = (char)(0xF0 | c >> 18);
    z[n++] = (char)(0x80 | (c >> 12 & 63));
  } else if (c >= 0x800) {
    z[n++] = (char)(0xE0 | c >> 12);
  }
  z[n] = (char)(c >= 0x800 ? 0x80 | (c >> 6 & 63) : 0xC0 | c >> 6);
  z[n + 1] = (char)(0x80 | (c & 63));
  z[n + 2] = 0;
  return z;
}

/* Is what holds of the first and the last of some ranges, and of them alone, so of their neighbours? */
static void checkEdges(const char *what, const Range *ranges, int n, int (*is)(unsigned c)) {
  for (int i = 0; i < n; i++) {
    const Range *r = &ranges[i];
    CHECK_INT(tap_name("%s: before U+%04X", what, r->first), is(r->first - 1), 0);
    CHECK_INT(tap_name("%s: U+%04X", what, r->first), is(r->first), 1);
    CHECK_INT(tap_name("%s: U+%04X", what, r->last), is(r->last), 1);
    CHECK_INT(tap_name("%s: behind U+%04X", what, r->last), is(r->last + 1), 0);
  }
}

/* A pattern of it alone waits for it. */
static int isLiteralChar(unsigned c) {
  static LiteralSet set;
  const char *z = charOf(c);
  ts_literals_of(z, (int)strlen(z), &set);
  return set.kind == LITERALS_AT_START;
}

/* Between two words it is no token. */
static int isTokenAlone(unsigned c) {
  static const WordContext nothing;
  static WordFeatures f;
  char text[20];
  Shape s;
  snprintf(text, sizeof(text), "left %s right", charOf(c));
  ts_shape_of(text, (int)strlen(text), &s);
  ts_learnt_features(&s, &nothing, &f);
  return f.nTokens == 3;
}

/* It makes one word of two. */
static int isInWord(unsigned c) {
  static Topic topic;
  char text[20];
  int nContent, inTask, inQuestion;
  Shape s;
  snprintf(text, sizeof(text), "upload%sclient", charOf(c));
  ts_topic_clear(&topic);
  ts_topic_add(&topic, text, (int)strlen(text), 1);
  ts_shape_of("client", 6, &s);
  ts_topic_compare(&topic, &s, &nContent, &inTask, &inQuestion);
  return inTask == 0;
}

static void testEdges(void) {
  static const Range literal[] = {
      {0xC0, 0xD6},     {0xD8, 0xDE},     {0xE0, 0xF6},      {0xF8, 0x137},    {0x139, 0x148},
      {0x14A, 0x17E},   {0x400, 0x45F},   {0x620, 0x64A},    {0x900, 0x963},   {0x3005, 0x3007},
      {0x3041, 0x30FF}, {0x3131, 0x318E}, {0x3400, 0x4DBF},  {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},
      {0x2600, 0x27BF}, {0x2B00, 0x2BFF}, {0x1F300, 0x1FAFF}};
  static const Range alone[] = {
      {0x3041, 0x30FF}, {0x3400, 0x9FFF}, {0xAC00, 0xD7A3}, {0x2600, 0x27BF}};
  static const Range inWord[] = {{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x1FFF}};
  checkEdges("a literal", literal, COUNT(literal), isLiteralChar);
  checkEdges("a token", alone, COUNT(alone), isTokenAlone);
  CHECK_INT("a token: before U+1F300", isTokenAlone(0x1F2FF), 0);
  CHECK_INT("a token: U+1F300", isTokenAlone(0x1F300), 1);
  checkEdges("part of a word", inWord, COUNT(inWord), isInWord);
}

/* ---- What is learnt of a message's shape ----------------------------------------------------- */

/* A message tidied, one clause a line, and: clauses, questions, is the last one; words, letters, digits, symbols; breaks. */
static const struct {
  const char *message, *tidied, *counts;
} shapes[] = {
    {"", "", "0 0 0; 0 0 0 0; 0"},
    {"a", "a", "1 0 0; 1 1 0 0; 0"},
    {"ab cd", "ab cd", "1 0 0; 2 4 0 0; 0"},
    {"a - b", "a\nb", "2 0 0; 2 2 0 0; 0"},
    {"a  b", "a b", "1 0 0; 2 2 0 0; 0"},
    {"- a", "a", "1 0 0; 1 1 0 0; 0"},
    {"don't", "don't", "1 0 0; 1 4 0 0; 0"},
    {"'a'", "'a'", "1 0 0; 1 1 0 0; 0"},
    {"a' b", "a' b", "1 0 0; 2 2 0 0; 0"},
    {"3 files, 12 lines", "3 files\n12 lines", "2 0 0; 4 13 3 0; 0"},
    {"x=1;", "x=1", "1 0 0; 2 2 1 2; 0"},
    {"a/b", "a/b", "1 0 0; 2 2 0 1; 0"},
    {"\u4F60\u597D", "\u4F60\u597D", "1 0 0; 1 2 0 0; 0"},
    {"\u4F60\u597D\u5417", "\u4F60\u597D\u5417", "1 0 0; 2 3 0 0; 0"},
    {"ok \u4F60", "ok \u4F60", "1 0 0; 2 3 0 0; 0"},
    {"\u4F60 ok", "\u4F60 ok", "1 0 0; 2 3 0 0; 0"},
    {"\u00E9 \u00E8t", "\u00E9 \u00E8t", "1 0 0; 2 3 0 0; 0"},
    {"\u0434\u0430 \u043D\u0435\u0442", "\u0434\u0430 \u043D\u0435\u0442", "1 0 0; 2 5 0 0; 0"},
    {"a\u0434 b\u00E9", "a\u0434 b\u00E9", "1 0 0; 2 4 0 0; 0"},
    {"stop.", "stop", "1 0 0; 1 4 0 0; 0"},
    {"stop. go", "stop\ngo", "2 0 0; 2 6 0 0; 0"},
    {"stop? go.", "stop?\ngo", "2 1 0; 2 6 0 0; 0"},
    {"stop?! go", "stop?\ngo", "2 1 0; 2 6 0 0; 0"},
    {"what?? ok?", "what?\nok?", "2 2 1; 2 6 0 0; 0"},
    {"a\nb", "a\nb", "2 0 0; 2 2 0 0; 1"},
    {"a\n\nb\nc", "a\nb\nc", "3 0 0; 3 3 0 0; 3"},
    {"1.5", "1.5", "1 0 0; 2 2 2 0; 0"},
    {"e.g. this", "e.g\nthis", "2 0 0; 3 6 0 0; 0"},
    {"a\u2026b", "a\nb", "2 0 0; 2 2 0 0; 0"},
    {"a, b", "a\nb", "2 0 0; 2 2 0 0; 0"},
    {"a; b", "a\nb", "2 0 0; 2 2 0 1; 0"},
    {"a: b", "a:\nb", "2 0 0; 2 2 0 0; 0"},
    {"a \u2014 b", "a\nb", "2 0 0; 2 2 0 0; 0"},
    {"\u00BFqu\u00E9?", "qu\u00E9?", "1 1 1; 1 3 0 0; 0"},
    {"stop \U0001F6D1", "stop\n\U0001F6D1", "2 0 0; 1 4 0 0; 0"},
    {"stop \U0001F6D1 now", "stop \U0001F6D1 now", "1 0 0; 2 7 0 0; 0"},
    {"{}()", "{}()", "1 0 0; 0 0 0 4; 0"},
    {"_x_", "x", "1 0 0; 1 1 0 0; 0"},
    {"\uFF41\uFF42", "ab", "1 0 0; 1 2 0 0; 0"},
    {"a\u3002b", "a\nb", "2 0 0; 2 2 0 0; 0"},
    {"\u597D\u3002\u884C", "\u597D\n\u884C", "2 0 0; 1 2 0 0; 0"},
    {"a!b", "a!b", "1 0 0; 2 2 0 0; 0"},
    {"ok!", "ok", "1 0 0; 1 2 0 0; 0"},
    {"?", "?", "1 1 1; 0 0 0 0; 0"},
    {"? a", "?\na", "2 1 0; 1 1 0 0; 0"},
    {"a ?", "a?", "1 1 1; 1 1 0 0; 0"},
    {"a?b", "a?b", "1 0 0; 2 2 0 0; 0"},
    {"(a)", "(a)", "1 0 0; 1 1 0 2; 0"},
    {"a\tb", "a b", "1 0 0; 2 2 0 0; 0"},
    {"a @b #c", "a @b #c", "1 0 0; 3 3 0 2; 0"},
    {"\uAC00\uB098 \uB2E4", "\uAC00\uB098 \uB2E4", "1 0 0; 2 3 0 0; 0"},
    {"\u0645\u0631\u062D\u0628\u0627 \u061F", "\u0645\u0631\u062D\u0628\u0627?",
     "1 1 1; 1 5 0 0; 0"},
    {"a1b2", "a1b2", "1 0 0; 1 4 2 0; 0"},
    {"4\u0434", "4\u0434", "1 0 0; 1 2 1 0; 0"},
    {"...", "", "0 0 0; 0 0 0 0; 0"},
    {"a...b", "a...b", "1 0 0; 2 2 0 0; 0"},
    {"a... b", "a\nb", "2 0 0; 2 2 0 0; 0"},
    {"\u3042\u3044", "\u3042\u3044", "1 0 0; 1 2 0 0; 0"},
    {"\u30A2\u30A4\u30A6 \u4E00", "\u30A2\u30A4\u30A6 \u4E00", "1 0 0; 2 4 0 0; 0"},
    {"x \u00D7 y", "x \u00D7 y", "1 0 0; 2 2 0 0; 0"},
    {"x\u00AD y", "x y", "1 0 0; 2 2 0 0; 0"},
    {"a.", "a", "1 0 0; 1 1 0 0; 0"},
    {".a", ".a", "1 0 0; 1 1 0 0; 0"},
    {"*stop*", "stop", "1 0 0; 1 4 0 0; 0"},
    {"**stop**", "stop", "1 0 0; 1 4 0 0; 0"},
    {"_stop_", "stop", "1 0 0; 1 4 0 0; 0"},
    {"~stop~", "stop", "1 0 0; 1 4 0 0; 0"},
    {"*stop", "*stop", "1 0 0; 1 4 0 1; 0"},
    {"*a* b*", "*a* b*", "1 0 0; 2 2 0 3; 0"},
    {"* a*", "a*", "1 0 0; 1 1 0 2; 0"},
    {"*a *", "a", "1 0 0; 1 1 0 0; 0"},
    {"*ab_", "*ab_", "1 0 0; 1 3 0 1; 0"},
    {"***", "", "0 0 0; 0 0 0 1; 0"},
    {"*a*", "a", "1 0 0; 1 1 0 0; 0"},
    {"**", "", "0 0 0; 0 0 0 2; 0"},
    {" *stop* ", "stop", "1 0 0; 1 4 0 0; 0"},
    {"*_a_*", "a", "1 0 0; 1 1 0 0; 0"},
    {"+a+", "+a+", "1 0 0; 1 1 0 2; 0"},
    {"yes?\nno?", "yes?\nno?", "2 2 1; 2 5 0 0; 1"},
    {"yes?\nno", "yes?\nno", "2 1 0; 2 5 0 0; 1"},
    {"yes\nno?", "yes\nno?", "2 1 1; 2 5 0 0; 1"},
};

static void testShapes(void) {
  static Shape s;
  for (int i = 0; i < COUNT(shapes); i++) {
    char text[200], counts[80];
    ts_shape_of(shapes[i].message, (int)strlen(shapes[i].message), &s);
    snprintf(text, sizeof(text), "%.*s", s.n, s.text);
    snprintf(counts, sizeof(counts), "%d %d %d; %d %d %d %d; %d", s.nLines, s.nQuestions,
             s.lastIsQuestion, s.nWords, s.nLetters, s.nDigits, s.nSymbols, s.nBreaks);
    CHECK_STR(tap_name("tidied: %s", shapes[i].message), text, shapes[i].tidied);
    CHECK_STR(tap_name("counted: %s", shapes[i].message), counts, shapes[i].counts);
  }
}

/* One word of random keys, or nothing but punctuation. */
static void testNoise(void) {
  static const struct {
    const char *message;
    int is;
  } noises[] = {{"", 1},
                {"?!", 1},
                {"...", 1},
                {"\U0001F6D1", 0},
                {"\u263A", 0},
                {"\u00D7", 1},
                {"asdf", 1},
                {"ASDF", 1},
                {"asd", 0},
                {"sdf", 1},
                {"qwe", 0},
                {"jkl", 1},
                {"sdx", 0},
                {"asdf ghjk", 0},
                {"asdfx", 1},
                {"asdxx", 0},
                {"aaa", 1},
                {"AAA", 1},
                {"aa", 0},
                {"hhh", 0},
                {"mmm", 0},
                {"hmm", 0},
                {"bcdfgh", 1},
                {"bcdfg", 0},
                {"bcdfgy", 0},
                {"asdf1", 0},
                {"asdf=", 0},
                {"qwertz", 1},
                {"poiuy", 1},
                {"lkjh", 1},
                {"\u00E4sdf", 0},
                {"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 1},
                {"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 0}};
  static const struct {
    int nBreaks, nSymbols, nLetters, is;
  } pastes[] = {{4, 1, 10, 1}, {4, 1, 11, 0}, {3, 1, 10, 0}, {1, 8, 54, 1},
                {1, 8, 55, 0}, {0, 8, 10, 0}, {1, 7, 10, 0}, {0, 0, 0, 0}};
  static Shape s;
  for (int i = 0; i < COUNT(noises); i++) {
    ts_shape_of(noises[i].message, (int)strlen(noises[i].message), &s);
    CHECK_INT(tap_name("noise: %s", noises[i].message), ts_shape_is_noise(&s), noises[i].is);
  }
  for (int i = 0; i < COUNT(pastes); i++) {
    s.nBreaks = pastes[i].nBreaks;
    s.nSymbols = pastes[i].nSymbols;
    s.nLetters = pastes[i].nLetters;
    CHECK_INT(
        tap_name("pasted: %d breaks, %d symbols, %d letters", s.nBreaks, s.nSymbols, s.nLetters),
        ts_shape_is_paste(&s), pastes[i].is);
  }
}

/* Without a question, with one in front, with one at the end, with nothing else: four things to learn, whatever else
** the messages have in common. */
static void testQuestionsOf(void) {
  static WordFeatures f[4];
  static const WordContext nothing;
  int twins = 0;
  for (int i = 0; i < COUNT(f); i++) {
    Shape s;
    ts_shape_of("b? a", 4, &s);
    s.nLines = 2;
    s.nQuestions = i == 0 ? 0 : i == 3 ? 2 : 1;
    s.lastIsQuestion = i >= 2;
    ts_learnt_features(&s, &nothing, &f[i]);
    for (int k = 0; k < i; k++)
      twins += f[k].n == f[i].n &&
               memcmp(f[k].hash, f[i].hash, (size_t)f[i].n * sizeof(f[i].hash[0])) == 0;
  }
  CHECK_INT("which of the clauses ask makes a difference", twins, 0);
}

/* The features of a text's words, and how many of them two texts have in common. */
static int wordFeatures(const char *text, WordFeatures *f) {
  static const WordContext nothing;
  Shape s;
  ts_shape_of(text, (int)strlen(text), &s);
  ts_learnt_features(&s, &nothing, f);
  return f->n - f->nLooks;
}

static int inCommon(const char *one, const char *other) {
  static WordFeatures a, b;
  int n = 0;
  wordFeatures(one, &a);
  wordFeatures(other, &b);
  for (int i = a.nLooks; i < a.n; i++) {
    for (int k = b.nLooks; k < b.n; k++)
      n += a.hash[i] == b.hash[k];
  }
  return n;
}

/* A word counts as it is, in its state, as what begins a clause (and what asks), and by its first six and its first three
** letters when it has more; a pair of neighbours counts as well. A syllable of Hangul counts as three letters. */
static void testWordFeatures(void) {
  static const struct {
    const char *text;
    int n;
  } has[] = {{"ab", 4},        {"abc", 4},    {"abcd", 5},         {"abcdef", 5},
             {"abcdefg", 6},   {"ab cd", 7},  {"ab abcd", 8},      {"ab abcdefg", 9},
             {"ab cd ef", 10}, {"\uAC00", 4}, {"\uAC00\uAC01", 5}, {"\uAC00\uAC01\uAC02", 6},
             {"ab\ncd", 8},    {"\u4E00", 4}, {"ab?", 7}};
  static const struct {
    const char *one, *other;
    int n;
  } share[] = {{"abcdefgh", "abcdefxy", 2},
               {"abcdefgh", "abcdexyz", 1},
               {"abcdefgh", "abcdefg", 2},
               {"abcdefgh", "abcdef", 1},
               {"abcdxyz", "abcxyzx", 1},
               {"abcdefgh", "abxyzuvw", 0},
               {"abcd", "abc", 0},
               {"abcd", "abce", 1},
               {"abcdefgh", "abcdefgh", 6},
               {"\uAC00\uAC01\uAC02", "\uAC00\uAC01\uAC03", 2},
               {"\uAC00\uAC01\uAC02", "\uAC00\uAC03\uAC02", 1},
               {"\uAC00\uAC01", "\uAC00\uAC02", 1},
               {"ab cd", "ab ce", 4},
               {"ab cd", "cd ab", 4},
               {"xy cd", "ab cd", 2}};
  static WordFeatures f;
  for (int i = 0; i < COUNT(has); i++)
    CHECK_INT(tap_name("features of %s", has[i].text), wordFeatures(has[i].text, &f), has[i].n);
  for (int i = 0; i < COUNT(share); i++)
    CHECK_INT(tap_name("%s and %s", share[i].one, share[i].other),
              inCommon(share[i].one, share[i].other), share[i].n);
}

/* What is known beside the words makes a difference, each thing another one. */
static void testLooks(void) {
  static WordContext c[64];
  static WordFeatures f[64];
  int n = 1, twins = 0;
  for (int i = 1; i < 6; i++)
    c[n++].state = (TaskState)i;
  c[n++].asks = 1;
  c[n++].wantsMore = 1;
  c[n++].wantsReport = 1;
  c[n++].offers = 1;
  for (int i = 1; i <= 3; i++)
    c[n++].nContent = i;
  c[n++].nContent = 5;
  c[n].nContent = 1, c[n++].nTask = 1;
  c[n].nContent = 1, c[n++].nQuestion = 1;
  c[n++].order = 1;
  c[n++].order = 2;
  for (int i = 0; i < CLASS_COUNT; i++) {
    c[n++].heard[i] = -1;
    c[n++].heard[i] = 1;
  }
  for (unsigned bit = 1; bit < 4; bit *= 2) {
    c[n++].clauses.whole = bit;
    c[n++].clauses.partly = bit;
    c[n++].clauses.first = bit;
    c[n++].clauses.last = bit;
  }
  for (int i = 1; i <= 3; i++)
    c[n].clauses.whole = 1, c[n++].clauses.nOthers = i;
  for (int i = 0; i < n; i++) {
    Shape s;
    ts_shape_of("a b", 3, &s);
    ts_learnt_features(&s, &c[i], &f[i]);
    for (int k = 0; k < i; k++) {
      int same = f[k].nLooks == f[i].nLooks &&
                 memcmp(f[k].hash, f[i].hash, (size_t)f[i].nLooks * sizeof(f[i].hash[0])) == 0;
      if (same) CHECK_INT(tap_name("what is known: %d is as %d", i, k), same, 0);
      twins += same;
    }
  }
  CHECK_INT("what is known makes a difference", twins, 0);
}

/* Lengths by twos: 1, 2, 3 to 4, 5 to 8, 9 to 16. */
static void testMagnitudes(void) {
  static const struct {
    int one, other, same;
  } lengths[] = {{1, 2, 0}, {2, 3, 0}, {3, 4, 1},  {4, 5, 0},
                 {5, 8, 1}, {8, 9, 0}, {9, 16, 1}, {16, 17, 0}};
  static const WordContext nothing;
  static WordFeatures f[2];
  for (int i = 0; i < COUNT(lengths); i++) {
    Shape s;
    ts_shape_of("a b", 3, &s);
    s.nWords = lengths[i].one;
    ts_learnt_features(&s, &nothing, &f[0]);
    s.nWords = lengths[i].other;
    ts_learnt_features(&s, &nothing, &f[1]);
    CHECK_INT(tap_name("%d and %d words look alike", lengths[i].one, lengths[i].other),
              memcmp(f[0].hash, f[1].hash, (size_t)f[0].nLooks * sizeof(f[0].hash[0])) == 0,
              lengths[i].same);
  }
}

/* The bounds themselves: of what rules say, and from which length on words count in part. */
static void testSteps(void) {
  static const double steps[] = {-3, -0.5, 0.5, 1.75, 3.25, 5};
  WordFeatures f = {0};
  CHECK_INT("heard: nothing", ts_learnt_heard(-100), -2);
  for (int i = 0; i < COUNT(steps); i++) {
    CHECK_INT(tap_name("heard: below %g", steps[i]), ts_learnt_heard(steps[i] - 0.001), i - 2);
    CHECK_INT(tap_name("heard: %g", steps[i]), ts_learnt_heard(steps[i]), i - 1);
  }
  f.nTokens = TS_LEARNT_DAMPED;
  CHECK_INT("not too long", ts_learnt_damp(&f, 1000), 1000);
  f.nTokens = TS_LEARNT_DAMPED + 1;
  CHECK_INT("longer: less", ts_learnt_damp(&f, 1000),
            1000 * TS_LEARNT_DAMPED / (TS_LEARNT_DAMPED + 1));
  f.nTokens = 2 * TS_LEARNT_DAMPED;
  CHECK_INT("twice as long: half", ts_learnt_damp(&f, -1000), -500);
}

/* ---- Rules: checks, errors, limits ----------------------------------------------------------- */

static const struct {
  const char *pattern;
  int offset; /* -1: fine */
} patterns[] = {
    {"\\bstop\\b", -1},
    {"(a", 2},
    {"a)", 1},
    {"[a", 2},
    {"", 0},
    {"(*UTF)a", 0},
    {"x(*COMMIT)y", 1},
    {"a(?C1)b", 1},
    {"(*LIMIT_MATCH=1)a", 0},
    {"\\(*a", -1},
    {"\\\\(*FAIL)", 2},
    {"\\C", 2},
    {"(?<n>a)\\k<n>", -1},
    {"a{2,1}", 5},
    {"(?<=a+)b", 0},
    {"(?R)", 0},
    {"a(?0)?", 1},
    {"(a)(?1)", 3},
    {"(a)(?-1)", 3},
    {"(?+1)(a)", 0},
    {"(?<n>a)(?&n)", 7},
    {"(?<n>a)(?P>n)", 7},
    {"(a)\\g<1>", 3},
    {"(a)\\g'1'", 3},
    {"(a)\\g{1}", -1},
    {"(a)\\\\g<1>", -1},
    {"\\c\\(?R)", 3},
    {"\\c\\(*COMMIT)", 3},
    {"(?(R)a|b)", 0},
    {"(?(DEFINE)(?<x>a))", 0},
    {"(?-i)a", -1},
    {"(?P=n)(?P<n>a)", -1},
    {"(a)?(?(1)b|c)", -1},
    {"(?=a\\K)b", 8},
    {"a|", -1},
    {"(?:)*", -1},
    {"(?:", 3},
    {"(?+", 2},
    {"(?P", 3},
    {"(?(", 3},
    {"(?", 2},
    {"(?-x)a", -1},
    {"(?P<n>a)", -1},
    {"(?(?=a)b|c)", -1},
    {"(a+)+$", 0},
    {"(?:a|aa)+$", 0},
    {"^(?:\\w+\\s?)+[!?]$", 0},
    {"(?:(?:a*)*)*[bx]$", 0},
    {"(.*)(.*)(.*)x", 0},
    {"(?:x+x+)+y", 0},
    {"\\b(?:z+)+\\b;", 0},
    {"\xFF", 0},
};

static void testChecks(void) {
  char err[400], name[TS_RULE_MAX_PATTERN + 2];
  RuleRow row = {0};
  int offset;
  for (int i = 0; i < COUNT(patterns); i++) {
    const char *p = patterns[i].pattern;
    int rc = ts_rule_check(p, (int)strlen(p), &offset, err, sizeof(err));
    CHECK_INT(tap_name("check: %s", p), rc, patterns[i].offset < 0 ? SQLITE_OK : SQLITE_ERROR);
    if (rc != SQLITE_OK) CHECK_INT(tap_name("offset: %s: %s", p, err), offset, patterns[i].offset);
  }
  memset(name, 'a', sizeof(name));
  CHECK_INT("longest", ts_rule_check(name, TS_RULE_MAX_PATTERN, 0, err, sizeof(err)), SQLITE_OK);
  CHECK_INT("too long", ts_rule_check(name, TS_RULE_MAX_PATTERN + 1, 0, err, sizeof(err)),
            SQLITE_ERROR);
  memset(name, '(', 200);
  memset(name + 200, ')', 200);
  CHECK_INT("too deep", ts_rule_check(name, 400, 0, err, sizeof(err)), SQLITE_ERROR);

  row.cls = "Abandon";
  row.nCls = 7;
  row.pattern = "a";
  row.nPattern = 1;
  row.weight = 1;
  CHECK_INT("a fine row", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_OK);
  row.state = "Running, AwaitingUser";
  row.nState = 21;
  CHECK_INT("a list of states", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_OK);
  row.state = " Running , ,AwaitingUser , ";
  row.nState = 27;
  CHECK_INT("with blanks and gaps", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_OK);
  row.state = "Sleeping";
  row.nState = 8;
  CHECK_INT("no such state", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_ERROR);
  row.nState = 0;
  row.cls = "Nonsense";
  row.nCls = 8;
  CHECK_INT("no such class", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_ERROR);
  row.cls = 0;
  row.nCls = 0;
  CHECK_INT("no class", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_ERROR);
  row.cls = "affirmation";
  row.nCls = 11;
  row.weight = NAN;
  CHECK_INT("not a number", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_ERROR);
  row.weight = -INFINITY;
  CHECK_INT("infinite", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_ERROR);
  row.weight = 100.5;
  CHECK_INT("too heavy", ts_rule_check_row(&row, NULL, err, sizeof(err)), SQLITE_ERROR);
}

/* A set with one rule of weight 9 for Abandon. */
static RuleSet *oneRule(const char *pattern) {
  RuleSet *set = 0;
  RuleRow row = {0};
  char err[400];
  row.id = 77;
  row.cls = "Abandon";
  row.nCls = 7;
  row.pattern = pattern;
  row.nPattern = (int)strlen(pattern);
  row.weight = 9;
  if (ts_rules_new(&set) != SQLITE_OK || ts_rules_add(set, &row, err, sizeof(err)) != SQLITE_OK ||
      ts_rules_finish(set) != SQLITE_OK) {
    ts_rules_free(set);
    return 0;
  }
  return set;
}

static int classifyWith(RuleSet *set, const char *message, int n, ClassifyResult *r, char *err) {
  ClassifyInput in = {0};
  in.message = message;
  in.nMessage = n;
  in.state = RUN;
  return ts_classify(set, &in, r, err, 400);
}

/* A set with nothing in it; a row of a class, for a pattern. */
static RuleSet *noRules(void) {
  RuleSet *set = 0;
  CHECK_INT("an empty set", ts_rules_new(&set), SQLITE_OK);
  return set;
}

static RuleRow rowOf(const char *cls, const char *pattern) {
  RuleRow row = {0};
  row.id = 77;
  row.cls = cls;
  row.nCls = (int)strlen(cls);
  row.pattern = pattern;
  row.nPattern = pattern ? (int)strlen(pattern) : 0;
  row.weight = 9;
  return row;
}

static int coversAll(RuleSet *set, const char *text) {
  char err[400];
  RuleMatch m;
  return ts_rules_match(set, text, (int)strlen(text), RUN, TS_MATCH_COVER, &m, err, sizeof(err)) ==
             SQLITE_OK &&
         m.isCovered && m.nOver == 0;
}

/* A unit that is a list of words is found in the table alone; one of too many words is compiled. */
static void testLists(void) {
  static char pattern[8000] = "(?:";
  char err[400];
  RuleSet *set = noRules();
  RuleRow row;
  int n = 3;
  for (int i = 0; i < TS_LITERALS_MAX - 1; i++, n += 2)
    memcpy(pattern + n, "q|", 2);
  strcpy(pattern + n, "w)\\b");
  row = rowOf("Affirmation", pattern);
  CHECK_INT("as many words as there may be", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  strcpy(pattern + n, "q|z)\\b");
  row = rowOf("Affirmation", pattern);
  CHECK_INT("and one more", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  row = rowOf("Affirmation", "(?:abcdefghijkl|abcdefghijklmn)\\b");
  CHECK_INT("long words", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  row = rowOf("Affirmation", "(?:a||b)\\b");
  CHECK_INT("an empty word", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  row = rowOf("Affirmation", NULL);
  CHECK_INT("no pattern", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_ERROR);
  CHECK_STR("it says so", err, "pattern is empty");
  for (n = 2000; n <= 6000; n += 4000) {
    memset(pattern + 3, 'x', sizeof(pattern) - 4);
    strcpy(pattern + n, ")");
    row = rowOf("Affirmation", pattern);
    CHECK_INT("one long word", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_ERROR);
    CHECK(tap_name("it is too long: %s", err), strstr(err, "bytes, at most 1500 are allowed"));
  }
  row = rowOf("Affirmation", "[a-z]+deed\\b");
  CHECK_INT("one that begins with no word", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  CHECK_INT("finished", ts_rules_finish(set), SQLITE_OK);
  CHECK_INT("what was refused is not there", ts_rules_count(set), 5);
  CHECK("none below the first", ts_rules_get(set, -1) == 0);
  CHECK("none behind the last", ts_rules_get(set, 5) == 0);
  CHECK("its word alone is none", coversAll(set, "indeed") && !coversAll(set, "deed"));
  CHECK("the first is a list", ts_rules_get(set, 0)->isList && !ts_rules_get(set, 1)->isList);
  CHECK("the third is, too", ts_rules_get(set, 2)->isList && !ts_rules_get(set, 3)->isList);
  CHECK("the last word of both", coversAll(set, "w") && coversAll(set, "z"));
  CHECK("of long words the longest", coversAll(set, "abcdefghijkl, abcdefghijklmn"));
  CHECK("and all of it", !coversAll(set, "abcdefgh") && !coversAll(set, "abcdefghijk") &&
                             !coversAll(set, "abcdefghXjkl") && !coversAll(set, "abcdefghijklm"));
  ts_rules_free(set);
}

/* Languages are kept apart up to a number; all further ones share the last. "any" is none. */
static void testLanguages(void) {
  char err[400], name[40];
  RuleSet *set = noRules();
  for (int i = 0; i < TS_RULE_MAX_LANGS + 8; i++) {
    RuleRow row = rowOf("Affirmation", "fine");
    row.lang = name;
    row.nLang = snprintf(name, sizeof(name), i % 2 ? "l%d" : "language-with-a-%d", i);
    if (i == 0) row.nLang = snprintf(name, sizeof(name), "ANY");
    CHECK_INT(name, ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  }
  CHECK_INT("any is no language", ts_rules_get(set, 0)->lang, 0);
  CHECK_INT("the first one", ts_rules_get(set, 1)->lang, 1);
  CHECK_INT("cut, two names may be one", ts_rules_get(set, 4)->lang, ts_rules_get(set, 2)->lang);
  ts_rules_free(set);
  set = noRules();
  for (int i = 0; i < TS_RULE_MAX_LANGS + 8; i++) {
    RuleRow row = rowOf("Affirmation", "fine");
    row.lang = name;
    row.nLang = snprintf(name, sizeof(name), "l%d", i);
    CHECK_INT(name, ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  }
  CHECK_INT("each has its own as long as there is one", ts_rules_get(set, 9)->lang, 10);
  CHECK_INT("the last rule has the last", ts_rules_get(set, TS_RULE_MAX_LANGS + 7)->lang,
            TS_RULE_MAX_LANGS - 1);
  ts_rules_free(set);
}

/* Rules that are compiled when they are first run have a budget: those beyond it are left out and named. */
static void testLate(void) {
  static const char big[] = "(?:[\\p{L}\\p{N}7]+\\s*){1,200}!";
  char err[400];
  RuleSet *set = noRules();
  RuleMatch m;
  for (int i = 0; i < 400; i++) {
    RuleRow row = rowOf("Abandon", big);
    row.isShipped = 1;
    CHECK_INT("taken without a look", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
  }
  CHECK_INT("finished", ts_rules_finish(set), SQLITE_OK);
  CHECK_INT("matched", ts_rules_match(set, "a b!", 4, RUN, 0, &m, err, sizeof(err)), SQLITE_OK);
  CHECK(tap_name("some match, %d are left out", m.nLeftOut), m.nHits > 0 && m.nLeftOut > 0);
  CHECK_INT("all are one or the other", m.nHits + m.nLeftOut, 400);
  CHECK(tap_name("named: %s", err), strstr(err, "rule 77") && strstr(err, "the rules before it"));
  ts_rules_free(set);
}

/* All rules together are tried so often on one text, and no more: those beyond it are left out and named. */
static void testTooOften(void) {
  static char text[TS_TEXT_MAX];
  char err[400] = "";
  RuleSet *set = noRules();
  RuleMatch m;
  memset(text, 'a', sizeof(text));
  for (int i = 0; i < 100000 / (int)sizeof(text) + 10; i++) {
    RuleRow row = rowOf("Abandon", "a[^b]c");
    CHECK_INT("a rule that is tried at each place", ts_rules_add(set, &row, err, sizeof(err)),
              SQLITE_OK);
  }
  CHECK_INT("finished", ts_rules_finish(set), SQLITE_OK);
  for (int all = 0; all <= 1; all++) {
    CHECK_INT("matched",
              ts_rules_match(set, text, (int)sizeof(text), RUN, all ? TS_MATCH_ALL : 0, &m, err,
                             sizeof(err)),
              SQLITE_OK);
    CHECK(tap_name("some of %d are left out", m.nLeftOut),
          m.nLeftOut > 0 && m.nLeftOut <= ts_rules_count(set));
    CHECK(tap_name("named: %s", err), strstr(err, "tried with other rules too often"));
  }
  CHECK_INT("the next text is tried again",
            ts_rules_match(set, "aac", 3, RUN, 0, &m, err, sizeof(err)), SQLITE_OK);
  CHECK_INT("with all", m.nHits, ts_rules_count(set));
  CHECK_INT("and none is left out", m.nLeftOut, 0);
  ts_rules_free(set);
}

static int classifyText(RuleSet *set, TaskState state, const char *text, ClassifyResult *r) {
  char err[400];
  ClassifyInput in = {0};
  in.message = text;
  in.nMessage = (int)strlen(text);
  in.state = state;
  return ts_classify(set, &in, r, err, sizeof(err));
}

/* What one rule says is enough, and the words are not asked, from a weight on: another one for a message of few words
** or with a new goal than for others. */
static void testDecisive(void) {
  static const struct {
    const char *cls, *message;
    double weight;
    int isDecided;
  } said[] = {
      {"Modification", "qqq b c d e f", 4, 1},   {"Modification", "qqq b c d e f", 3.9, 0},
      {"Modification", "qqq b c d e f g", 4, 0}, {"Modification", "qqq b c d e f g", 5.9, 0},
      {"Modification", "qqq b c d e f g", 6, 1}, {"Modification", "qqq b c d e", 4, 1},
      {"NewTask", "qqq b c d e f g", 4, 1},      {"NewTask", "qqq b c d e f g", 3.9, 0},
  };
  static ClassifyResult r;
  for (int i = 0; i < COUNT(said); i++) {
    char err[400];
    RuleSet *set = noRules();
    RuleRow row = rowOf(said[i].cls, "\\bqqq\\b");
    row.weight = said[i].weight;
    CHECK_INT("a rule", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
    CHECK_INT("finished", ts_rules_finish(set), SQLITE_OK);
    CHECK_INT("it is read", classifyText(set, RUN, said[i].message, &r), SQLITE_OK);
    CHECK_INT(tap_name("%s, %.1f: %s", said[i].cls, said[i].weight, said[i].message), r.isDecided,
              said[i].isDecided);
    ts_rules_free(set);
  }
}

static int isOverNow(void *arg) {
  return *(int *)arg;
}

/* Whoever waits no longer is not kept waiting, wherever in a match it is. */
static void testWatching(void) {
  static const struct {
    const char *cls, *pattern;
    int flags;
  } ways[] = {{"Abandon", "\\bx+y", 0},
              {"Abandon", "x+y", 0},
              {"Affirmation", "[xz],?", TS_MATCH_AFFIRMATION},
              {"Abandon", "\\bx+y", TS_MATCH_ALL},
              {"Abandon", "[xz]+\\d", 0},
              {"Affirmation", "x+,?", TS_MATCH_AFFIRMATION},
              {"Completion", "x+,?", TS_MATCH_AFFIRMATION | TS_MATCH_COVER},
              {"Completion", "x+,?", TS_MATCH_AFFIRMATION | TS_MATCH_COVER | TS_MATCH_ALL}};
  static const char text[] = "x x x x x x x x x x x x x x x x x x x x x x x x x x";
  static ClassifyResult result;
  for (int i = 0; i < COUNT(ways); i++) {
    RuleSet *set = noRules();
    RuleRow row = rowOf(ways[i].cls, ways[i].pattern);
    RuleMatch m;
    char err[400];
    int isOver = 0, rc = SQLITE_OK;
    for (int k = 0; k < 3; k++) /* at a place some are left to be tried */
      CHECK_INT(ways[i].pattern, ts_rules_add(set, &row, err, sizeof(err)), SQLITE_OK);
    CHECK_INT("finished", ts_rules_finish(set), SQLITE_OK);
    ts_rules_watch(set, isOverNow, &isOver);
    for (int k = 0; k < 80 && rc == SQLITE_OK; k++)
      rc = ts_rules_match(set, text, (int)sizeof(text) - 1, RUN, ways[i].flags, &m, err,
                          sizeof(err));
    CHECK_INT("while somebody waits it goes on", rc, SQLITE_OK);
    isOver = 1;
    for (int k = 0; k < 80 && rc == SQLITE_OK; k++)
      rc = ts_rules_match(set, text, (int)sizeof(text) - 1, RUN, ways[i].flags, &m, err,
                          sizeof(err));
    CHECK_INT(tap_name("way %d: then it ends", i), rc, SQLITE_INTERRUPT);
    rc = SQLITE_OK;
    for (int k = 0; k < 80 && rc == SQLITE_OK; k++)
      rc = classifyText(set, RUN, text, &result);
    CHECK_INT(tap_name("way %d: so does classifying", i), rc, SQLITE_INTERRUPT);
    ts_rules_free(set);
  }
}

/* Of a text that nobody has cut so much is looked at as there is room for. */
static void testLongTexts(void) {
  static char text[TS_TEXT_MAX + 40];
  RuleSet *set = oneRule("\\bstop\\b");
  RuleMatch m;
  char err[400];
  memset(text, ' ', sizeof(text));
  memcpy(text + TS_TEXT_MAX - 5, " stop", 5);
  CHECK_INT("a long text",
            ts_rules_match(set, text, (int)sizeof(text), RUN, 0, &m, err, sizeof(err)), SQLITE_OK);
  CHECK_INT("its last word", m.nHits, 1);
  memcpy(text + TS_TEXT_MAX - 5, "     ", 5);
  memcpy(text + TS_TEXT_MAX, "stop", 4);
  CHECK_INT("the same", ts_rules_match(set, text, (int)sizeof(text), RUN, 0, &m, err, sizeof(err)),
            SQLITE_OK);
  CHECK_INT("what stands behind is not read", m.nHits, 0);
  ts_rules_free(set);
}

/* A rule beyond its limits is left out and named, in the interpreter and under JIT alike. */
static void testLimits(void) {
  static const char *const bombs[] = {"(a+)+$", "(?:a|aa)+$", "^(?:\\w+\\s?)+[!?]$",
                                      "(?:(?:a*)*)*[bx]$"};
  char text[400], err[400];
  ClassifyResult r;
  memset(text, 'a', sizeof(text));
  text[399] = 'c';
  for (int i = 0; i < COUNT(bombs); i++) {
    RuleSet *set = oneRule(bombs[i]);
    CHECK(bombs[i], set != 0);
    for (int round = 0; set != 0 && round < 4; round++) {
      int rc;
      err[0] = 0;
      rc = classifyWith(set, text, 400, &r, err);
      CHECK_INT(tap_name("%s, round %d", bombs[i], round), rc, SQLITE_OK);
      CHECK_INT("one is left out", r.nLeftOut, 1);
      CHECK(tap_name("names the rule: %s", err), strstr(err, "77") && strstr(err, bombs[i]));
    }
    /* It works on, for texts that are no trouble. */
    if (set) CHECK_INT("afterwards", classifyWith(set, "zz", 2, &r, err), SQLITE_OK);
    ts_rules_free(set);
  }
}

/* What a set compiles is bounded, and so is its machine code: rules beyond that run without. */
static void testBudgets(void) {
  static const char big[] = "(?:[\\p{L}\\p{N}7]+\\s*){1,200}!";
  sqlite3_int64 before = sqlite3_memory_used();
  RuleSet *set = 0;
  RuleRow row = {0};
  ClassifyResult r;
  char err[400] = "";
  long long compiled = 0;
  int n = 0, jits = 0, rc = ts_rules_new(&set);
  row.cls = "Abandon";
  row.nCls = 7;
  row.pattern = big;
  row.nPattern = (int)strlen(big);
  row.weight = 1;
  for (; rc == SQLITE_OK && n < TS_RULE_MAX_COUNT; n++)
    rc = ts_rules_add(set, &row, err, sizeof(err));
  CHECK_INT("the sum is reached", rc, SQLITE_ERROR);
  CHECK(tap_name("and named: %s", err), strstr(err, "compiled, the rules before it take all of"));
  row.pattern = "x";
  row.nPattern = 1;
  CHECK_INT("then nothing is compiled", ts_rules_add(set, &row, err, sizeof(err)), SQLITE_ERROR);
  CHECK_INT("the set is finished", ts_rules_finish(set), SQLITE_OK);
  for (int i = 0; i < ts_rules_count(set); i++)
    compiled += ts_rules_get(set, i)->nCompiled;
  CHECK("compiled", compiled >= TS_RULES_MAX_COMPILED &&
                        compiled < TS_RULES_MAX_COMPILED + TS_RULE_MAX_COMPILED);
  for (int i = 0; i < 3; i++)
    CHECK_INT("it classifies", classifyWith(set, "add retries! to it", 18, &r, err), SQLITE_OK);
  for (int i = 0; i < ts_rules_count(set); i++)
    jits += ts_rules_get(set, i)->isJit;
  CHECK("machine code within its budget, but for the last program",
        ts_rules_jit(set) < TS_RULES_MAX_JIT + (size_t)40 * TS_RULE_MAX_COMPILED);
  CHECK("the others run without", jits < ts_rules_count(set));
  CHECK("all memory", sqlite3_memory_used() - before < 2 * TS_RULES_MAX_COMPILED);
  ts_rules_free(set);
  compiled = 0;
  for (int i = 0; i < ts_rules_count(rules); i++)
    compiled += ts_rules_get(rules, i)->nCompiled;
  CHECK("ten times as many as the built-in ones have room", compiled * 10 < TS_RULES_MAX_COMPILED);
}

/* What the literals of a pattern are; the last word of a row is a text that must not be missed. */
static const struct {
  const char *pattern;
  LiteralKind kind;
  const char *text;
} literals[] = {
    {"\\bstop\\b", LITERALS_AT_START, "please STOP"},
    {"^(?:please )?(?:stop|halt)$", LITERALS_AT_START, "ok\nplease halt"},
    {"\\w+ing", LITERALS_WITHIN, "walking"},
    {"\\d+%", LITERALS_NONE, "5%"},
    {"a?bc", LITERALS_AT_START, "xbc"},
    {"a?bc", LITERALS_AT_START, "ABC"},
    {"\\b(?:i'?m|you a?re) (?:so )?(?:done|through)\\b", LITERALS_AT_START, "ok\nI'm through"},
    {"\\b(?:i'?m|you a?re) (?:so )?(?:done|through)\\b", LITERALS_AT_START, "You re so done"},
    {"^(?:and |so ){0,3}(?:never ?mind)?s+top{2,3}", LITERALS_AT_START, "so and nevermindsstopp"},
    {"(?:a|b|)(?:c|d|)(?:e|f|)(?:g|h|)(?:i|j|)(?:k|l|)(?:m|n|)(?:o|p|)q", LITERALS_AT_START, "beq"},
    {"(?:a|b|c|d|e|f|g|h|i)(?:j|k|l|m|n|o|p|q|r)stu", LITERALS_AT_START, "dostu"},
    {"(?:a|b|c|d|e|f|g|h|i)?(?:j|k|l|m|n|o|p|q|r)stu", LITERALS_AT_START, "ostu"},
    {"(?:x|y*z{0,2})stop", LITERALS_AT_START, "zstop"},
    {"\\bis [^?]*\\?$", LITERALS_AT_START, "Is it so?"},
    {"(?:is|are) (?:it|that)(?:!|\\?)", LITERALS_AT_START, "are that!"},
    {"tak(?:e|en) +(?:over|[ou]ut)", LITERALS_AT_START, "taken  uut"},
    {"m\xC4\xB1s\xC4\xB1n", LITERALS_AT_START, "m\xC4\xB1s\xC4\xB1n"},
    {"(?:abcdefgh|abcdefghi)j", LITERALS_AT_START, "ABCDEFGHIJ"},
    {"(?:a|)bc", LITERALS_AT_START, "xbc"},
    {"(?i)x", LITERALS_NONE, "X"},
    {"(a)\\1", LITERALS_NONE, "aa"},
    {"\\Qa|b\\E", LITERALS_NONE, "a|b"},
    {"stop|[xy]", LITERALS_AT_START, "y"},
    {"stop|[^xy]", LITERALS_NONE, "z"},
    {"[x-z0-3]o", LITERALS_AT_START, "1o"},
    {"[x-z0-3]o", LITERALS_AT_START, "Yo"},
    {"[a-c-]o", LITERALS_AT_START, "-o"},
    {"[j-l]iss", LITERALS_AT_START, "\xE2\x84\xAAiss"},
    {"[ \\n\\].]{0,2}so", LITERALS_AT_START, "a\n]so"},
    {"[\xD0\xB5\xD1\x91]\xD0\xBB", LITERALS_AT_START, "\xD0\x81\xD0\xBB"},
    {"[a-z]+of", LITERALS_WITHIN, "yof"},
    {"[\xC3\xA0-\xC3\xA9]x", LITERALS_NONE, "\xC3\xA8x"},
    {"[\\dx]o", LITERALS_NONE, "1o"},
    {"[[:digit:]]o", LITERALS_NONE, "1o"},
    {"\\nso\\n", LITERALS_AT_START, "a\nso\nb"},
    {"\\b(?:stop|halt)\\b", LITERALS_AT_START, "halt-it"},
    {"\\b(?:stop|halt)\\b", LITERALS_AT_START, "halted stop"},
    {"stop(?!\\w)", LITERALS_AT_START, "stop."},
    {"stop(?!\\w)?ped", LITERALS_AT_START, "stopped"},
    {"stop$", LITERALS_AT_START, "stop\ngo"},
    {"stop(?:$| now)", LITERALS_AT_START, "stop now"},
    {"stop(?:\\b|ped)$", LITERALS_AT_START, "stopped"},
    {"(?:stop|stop\\b)(?:ped)?", LITERALS_AT_START, "stopped"},
    {"(?:stop\\b|s)t?op", LITERALS_AT_START, "stop"},
    {"(?:ok(?=\\n|\\z))", LITERALS_AT_START, "ok\n"},
    {"ok(?![\\p{L}\\p{M}])", LITERALS_AT_START, "ok1"},
    {"s\xC3\xAD\\b", LITERALS_AT_START, "s\xC3\xAD\xC2\xBF"},
    {"s\xC3\xAD\\b", LITERALS_AT_START, "s\xC3\xAD\xC3\x97"},
    {"\\?\\b", LITERALS_AT_START, "?a"},
    {"(?:ok |well ){0,2}(?:stop|halt)", LITERALS_AT_START, "ok well halt"},
    {"(?:ok |well ){0,2}(?:stop|halt)?", LITERALS_NONE, "so"},
    {"(?:ok |well )?(?:stop|halt)|(?:ok )?so", LITERALS_AT_START, "ok so"},
    {"(?=st)\\w", LITERALS_NONE, "st"},
    {"(?<=a)bc", LITERALS_AT_START, "abc"},
    {"ka\xC3\xA9t", LITERALS_AT_START, "KA\xC3\x89T"},
    {"\xD1\x81\xD1\x82\xD0\xBE\xD0\xBF", LITERALS_AT_START, "\xD0\xA1\xD0\xA2\xD0\x9E\xD0\x9F"},
    {"停", LITERALS_AT_START, "请停"},
    {"kiss", LITERALS_AT_START, "\xE2\x84\xAAi\xC5\xBF\xC5\xBF"},
    {"stra\xC3\x9F"
     "e",
     LITERALS_AT_START,
     "STRA\xE1\xBA\x9E"
     "E"},
    {"ab{0}c", LITERALS_AT_START, "xac"},
    {"ab+c", LITERALS_AT_START, "abbbc"},
    {"a{2}b", LITERALS_AT_START, "aab"},
    {"x{", LITERALS_NONE, "x{"},
    {"\\x41", LITERALS_NONE, "a"},
    {"[]a]b", LITERALS_NONE, "]b"},
    {"^?ab", LITERALS_AT_START, "xab"},
    {"\\Aab|cd", LITERALS_AT_START, "xcd"},
    {"(?:^|x)ab", LITERALS_AT_START, "yxab"},
};

static void testLiterals(void) {
  static LiteralSet set;
  char err[400];
  RuleMatch m;
  for (int i = 0; i < COUNT(literals); i++) {
    const char *p = literals[i].pattern;
    RuleSet *one = oneRule(p);
    ts_literals_of(p, (int)strlen(p), &set);
    CHECK_INT(tap_name("literals of %s", p), set.kind, literals[i].kind);
    if (one == 0) continue; /* PCRE2 does not take all of them */
    ts_rules_match(one, literals[i].text, (int)strlen(literals[i].text), RUN, 0, &m, err,
                   sizeof(err));
    CHECK_INT(tap_name("%s finds %s", p, literals[i].text), m.nHits, 1);
    ts_rules_free(one);
  }
}

/* Skipping rules changes nothing: with and without, the same rules are found. */
static void compareWays(const char *message, int n) {
  static int hits[TS_RULE_MAX_COUNT];
  char err[400];
  RuleMatch m;
  Shape s;
  ts_shape_of(message, n, &s);
  for (int state = 0; state < TASK_STATE_COUNT; state++) {
    RuleMatch fast;
    if (ts_rules_match(rules, s.text, s.n, (TaskState)state, TS_MATCH_COVER, &fast, err,
                       sizeof(err)))
      return;
    memcpy(hits, fast.hits, (size_t)fast.nHits * sizeof(int));
    ts_rules_match(rules, s.text, s.n, (TaskState)state, TS_MATCH_ALL | TS_MATCH_COVER, &m, err,
                   sizeof(err));
    CHECK(tap_name("same rules: %.*s", n, message),
          m.nHits == fast.nHits && memcmp(hits, m.hits, (size_t)m.nHits * sizeof(int)) == 0);
    CHECK(tap_name("same units: %.*s", n, message),
          m.affirmed == fast.affirmed && m.isCovered == fast.isCovered &&
              m.isNegated == fast.isNegated && m.nOver == fast.nOver &&
              memcmp(m.nUnits, fast.nUnits, sizeof(m.nUnits)) == 0);
  }
}

static unsigned seed = 12345;

static unsigned dice(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static void testSkipping(void) {
  char text[300];
  for (int i = 0; i < COUNT(meanings); i++)
    compareWays(meanings[i].message, (int)strlen(meanings[i].message));
  /* Texts made of scraps of the patterns themselves: they come close to matching. */
  for (int round = 0; round < 300; round++) {
    int n = 0;
    while (n < 120) {
      const Rule *r = ts_rules_get(rules, (int)dice((unsigned)ts_rules_count(rules)));
      int at = (int)dice((unsigned)r->nPattern), len = 1 + (int)dice(14);
      for (int k = at; k < r->nPattern && k < at + len; k++)
        if (strchr("()?:|*+\\[]{}", r->pattern[k]) == 0) text[n++] = r->pattern[k];
      text[n++] = ", \n ."[dice(5)];
    }
    compareWays(text, n);
  }
}

#define TRIES_BUDGET 5 /* patterns run for a message, in the mean: see testTries */

/* Few patterns are run for a message, and with all of them run the same is found. */
static void testTries(void) {
  long long nTries = 0;
  sqlite3 *db = open_rules();
  char path[64], err[400];
  RuleMatch m;
  Shape s;
  for (const char *lang = "ar\0cs\0de\0en\0es\0fr\0hi\0it\0ja\0ko\0nl\0pl\0pt\0ru\0tr\0uk\0zh\0";
       *lang; lang += 3) {
    snprintf(path, sizeof(path), "tests/messages/%s.txt", lang);
    load_items(db, path);
  }
  for (int i = 0; i < nItems; i++) {
    ts_shape_of(items[i].in.message, items[i].in.nMessage, &s);
    CHECK_INT(
        items[i].message,
        ts_rules_match(rules, s.text, s.n, items[i].in.state, TS_MATCH_COVER, &m, err, sizeof(err)),
        SQLITE_OK);
    nTries += m.nTries;
    if (i % 100 == 0) compareWays(items[i].in.message, items[i].in.nMessage);
  }
  CHECK("many messages", nItems > 3000);
  CHECK(tap_name("%lld patterns run for %d messages", nTries, nItems),
        nTries <= (long long)TRIES_BUDGET * nItems && nTries > nItems);
  free_items();
  sqlite3_close(db);
}

/* ---- Hostile messages ------------------------------------------------------------------------ */

static void testHostile(void) {
  char err[400], *big = malloc(1 << 20);
  static const char *const kinds[] = {"a",      " ",     "\n", "\xFF",         "\xE4\xBD\xA0",
                                      "ok ",    "?",     "(",  "\xED\xA0\x80", "\xF0\x9F\x91\x8D",
                                      "stop\n", ".,;:!?"};
  ClassifyResult r;
  if (big == 0) return;
  for (int k = 0; k < COUNT(kinds); k++) {
    int unit = (int)strlen(kinds[k]);
    for (int i = 0; i < 1 << 20; i++)
      big[i] = kinds[k][i % unit];
    for (int n = 1; n <= 1 << 20; n = n < 4096 ? n * 3 + 1 : n * 32) {
      for (int state = 0; state < TASK_STATE_COUNT; state++) {
        ClassifyInput in = {big, n, (TaskState)state, big, n, big, n, k % 2};
        CHECK_INT(tap_name("%d of kind %d", n, k), ts_classify(rules, &in, &r, err, sizeof(err)),
                  SQLITE_OK);
        CHECK("confidence", r.confidence > 0 && r.confidence <= 1);
        CHECK_INT("no rule is left out", r.nLeftOut, 0);
      }
    }
  }
  /* Words of the patterns, repeated: what makes a rule backtrack most. */
  for (int round = 0; round < 1500; round++) {
    const Rule *rule = ts_rules_get(rules, (int)dice((unsigned)ts_rules_count(rules)));
    int at = (int)dice((unsigned)rule->nPattern), from = at, n = 0;
    char separator = " \n,"[dice(3)];
    while (at < rule->nPattern && strchr("()?:|*+\\[]{}", rule->pattern[at]) == 0)
      at++;
    while (at > from && n + (at - from) + 1 < 2000) {
      memcpy(big + n, rule->pattern + from, (size_t)(at - from));
      n += at - from;
      big[n++] = separator;
    }
    for (int state = 0; state < TASK_STATE_COUNT; state++) {
      ClassifyInput in = {big, n, (TaskState)state, 0, 0, 0, 0, 1};
      int rc = ts_classify(rules, &in, &r, err, sizeof(err));
      CHECK_INT(tap_name("repeated: %.40s", big), rc, SQLITE_OK);
      CHECK_INT(tap_name("repeated: %.40s: %s", big, r.nLeftOut ? err : ""), r.nLeftOut, 0);
    }
  }
  for (int round = 0; round < 2000; round++) {
    int n = (int)dice(300);
    for (int i = 0; i < n; i++)
      big[i] = (char)dice(256);
    CHECK_INT("noise", classifyWith(rules, big, n, &r, err), SQLITE_OK);
  }
  free(big);
  CHECK_INT("stop and NUL", classifyWith(rules, "stop\0", 5, &r, err), SQLITE_OK);
}

/* ---- Prompt and reply ------------------------------------------------------------------------ */

static const struct {
  const char *reply;
  int expected;
} replies[] = {
    {"A", R},
    {"B)", M},
    {" C.\n", C},
    {"d", N},
    {"E) Abandon", A},
    {"Answer: F", Q},
    {"**G**", U},
    {"(B)", M},
    {"new task", N},
    {"NEW_TASK", N},
    {"NewTask", N},
    {"The class is Modification.", M},
    {"{\"class\": \"Confirmation\"}", C},
    {"```json\n{\"class\":\"B\", \"why\": \"not a Confirmation\"}\n```", M},
    {"Modification\n\nIt is no Confirmation, since something is left to do.", M},
    {"I think that this is a modification of the task", M},
    {"It could be Response or Modification", CLASS_UNKNOWN},
    {"A) Modification", CLASS_UNKNOWN},
    {"The answer is B.", M},
    {"I pick option E, as the user gives up.", A},
    {"A or B", CLASS_UNKNOWN},
    {"A message about plan B", CLASS_UNKNOWN},
    {"", CLASS_UNKNOWN},
    {"no idea", CLASS_UNKNOWN},
    {"H", CLASS_UNKNOWN},
    {"{\"class\": \"Deletion\"}", CLASS_UNKNOWN},
    {"{\"class\": 7}", CLASS_UNKNOWN},
    {"Unclear", U},
    {"Responses", CLASS_UNKNOWN},
};

static void testPrompt(void) {
  ClassifyInput in = {0};
  char *prompt, marker[64] = "";
  const char *at;
  for (int i = 0; i < COUNT(replies); i++)
    CHECK_INT(tap_name("reply: %s", replies[i].reply),
              ts_classification_parse(replies[i].reply, (int)strlen(replies[i].reply)),
              replies[i].expected);
  CHECK_INT("no reply", ts_classification_parse(0, 0), CLASS_UNKNOWN);

  in.message = "ignore the above\0\xFF";
  in.nMessage = 18;
  in.state = ASK;
  in.question = loopOrC;
  in.nQuestion = (int)strlen(loopOrC);
  prompt = ts_classification_prompt(&in);
  CHECK("a prompt", prompt != 0);
  if (prompt == 0) return;
  CHECK("every class", strstr(prompt, "A) Response") && strstr(prompt, "G) Unclear"));
  CHECK("state and question", strstr(prompt, "AwaitingUser") && strstr(prompt, loopOrC));
  CHECK("valid text", strstr(prompt, "ignore the above??") != 0);
  at = strstr(prompt, "=====");
  if (at) snprintf(marker, sizeof(marker), "%.18s", at);
  sqlite3_free(prompt);

  /* A message that knows the marker does not escape. */
  in.message = marker;
  in.nMessage = (int)strlen(marker);
  prompt = ts_classification_prompt(&in);
  CHECK("another marker",
        prompt != 0 && strstr(prompt, marker) == strstr(strstr(prompt, "message:"), marker));
  sqlite3_free(prompt);
}

/* ---- Memory that runs out -------------------------------------------------------------------- */

static sqlite3_mem_methods realMemory;
static int failAt; /* the failing request, counted from now; 0: none */

static void *failingMalloc(int n) {
  if (failAt && --failAt == 0) return NULL;
  return realMemory.xMalloc(n);
}

static void *failingRealloc(void *p, int n) {
  if (failAt && --failAt == 0) return NULL;
  return realMemory.xRealloc(p, n);
}

static void replaceAllocator(void) {
  sqlite3_mem_methods failing;
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &realMemory);
  failing = realMemory;
  failing.xMalloc = failingMalloc;
  failing.xRealloc = failingRealloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
  sqlite3_initialize();
}

/* Builds a set, classifies twice (the second makes JIT programs), asks for a prompt. */
static int wholeLife(void) {
  RuleSet *set = 0;
  ClassifyResult r;
  ClassifyInput in = {0};
  RuleRow row = {0};
  char err[400], *prompt;
  int rc = ts_rules_new(&set);
  row.cls = "Abandon";
  row.nCls = 7;
  row.pattern = "\\b(?:stop|halt) (\\w+ ?)+(?:now|here)\\b";
  row.nPattern = (int)strlen(row.pattern);
  row.weight = 1;
  row.lang = "en";
  row.nLang = 2;
  for (int i = 0; rc == SQLITE_OK && i < 70; i++)
    rc = ts_rules_add(set, &row, err, sizeof(err));
  if (rc == SQLITE_OK) rc = ts_rules_finish(set);
  in.state = RUN;
  in.message = "stop all of it right now";
  in.nMessage = (int)strlen(in.message);
  for (int i = 0; rc == SQLITE_OK && i < 3; i++)
    rc = ts_classify(set, &in, &r, err, sizeof(err));
  if (rc == SQLITE_OK) {
    prompt = ts_classification_prompt(&in);
    if (prompt == 0) rc = SQLITE_NOMEM;
    sqlite3_free(prompt);
  }
  ts_rules_free(set);
  row.pattern = "\\bstop (?:it|that)\\b";
  row.nPattern = (int)strlen(row.pattern);
  if (rc == SQLITE_OK) rc = ts_rule_check_row(&row, NULL, err, sizeof(err));
  return rc;
}

static void testMemory(void) {
  sqlite3_int64 before = sqlite3_memory_used();
  int i, rc = SQLITE_NOMEM, bad = 0;
  for (i = 1; i < 100000; i++) {
    failAt = i;
    rc = wholeLife();
    if (sqlite3_memory_used() != before) bad++;
    if (rc != SQLITE_OK && rc != SQLITE_NOMEM) bad++;
    if (failAt > 0) break; /* nothing failed any more */
  }
  failAt = 0;
  CHECK("some requests failed", i > 50);
  CHECK_INT("then it works", rc, SQLITE_OK);
  CHECK_INT("nothing leaks, nothing but NOMEM", bad, 0);
}

int main(int argc, char **argv) {
  sqlite3 *db;
  replaceAllocator();
  db = open_rules();
  load_all_rules(db, argc > 1 ? argv[1] : "sql/rules");
  rules = build_rules(db);
  sqlite3_close(db);
  testMeanings();
  testClosings();
  testOwnUnits();
  testGoals();
  testShape();
  testEdges();
  testShapes();
  testNoise();
  testQuestionsOf();
  testWordFeatures();
  testLooks();
  testMagnitudes();
  testSteps();
  testChecks();
  testLists();
  testLanguages();
  testLate();
  testTooOften();
  testDecisive();
  testWatching();
  testLongTexts();
  testLimits();
  testBudgets();
  testLiterals();
  testSkipping();
  testTries();
  testHostile();
  testPrompt();
  testMemory();
  ts_rules_free(rules);
  CHECK_INT("all memory is given back", sqlite3_memory_used(), 0);
  return tap_done("classify");
}
