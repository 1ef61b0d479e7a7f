/*
** test_answer.c - which messages answer a choice, and which only look as if they did.
**
** Tables of messages, each with the answer it gives at the stale choice (A = continue, B = start
** fresh), at the new-task choice (A = start fresh, B = continue), or both. After them: positions,
** a host's own options, typos, the limits, and arbitrary bytes.
*/
#include "answer.h"
#include "tap.h"
#include "text.h"
#include "words.h"

#include <stdlib.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

#define C ANSWER_CONTINUE
#define F ANSWER_START_FRESH
#define NO ANSWER_NONE
#define U ANSWER_UNDECIDED

#define OPTION(key, answer, text)                                                                  \
  { key, answer, text, (int)sizeof(text) - 1 }

static const ChoiceOption stale[] = {OPTION('A', C, "Continue that work"),
                                     OPTION('B', F, "Save it and start fresh")};
static const ChoiceOption newTask[] = {OPTION('A', F, "Save that and start on your new request"),
                                       OPTION('B', C, "Continue where we left off")};
static const ChoiceOption unclear[] = {OPTION('A', C, "Go on with that"),
                                       OPTION('B', F, "Take your message as something new")};
static const ChoiceOption saved[] = {OPTION('A', C, "Pick that work up again"),
                                     OPTION('B', F, "Take your message as something new")};

static const char *answerName(ChoiceAnswer answer) {
  return answer == C   ? "continue"
         : answer == F ? "start_fresh"
         : answer == U ? "undecided"
                       : "none";
}

static ChoiceAnswer answerTo(const char *message, int n, const ChoiceOption *options,
                             int nOptions) {
  return ts_choice_read(message, n, options, nOptions, NULL).answer;
}

static void check(const char *choice, const ChoiceOption *options, int nOptions,
                  const char *message, ChoiceAnswer expected) {
  ChoiceAnswer got = answerTo(message, (int)strlen(message), options, nOptions);
  CHECK_STR(tap_name("%s: \"%s\"", choice, message), answerName(got), answerName(expected));
}

/* Keys, positions and mixtures: what they mean depends on the order of the choice. */
static const struct {
  const char *message;
  ChoiceAnswer atStale, atNewTask;
} placed[] = {
    {"A", C, F},
    {"a", C, F},
    {"B", F, C},
    {"b)", F, C},
    {"(b)", F, C},
    {"[A]", C, F},
    {"B.", F, C},
    {"b!!", F, C},
    {" a \r\n", C, F},
    {"\"A\"", C, F},
    {"'a'", C, F},
    {"**B**", F, C},
    {"`A`", C, F},
    {"A?", U, U},
    {"Option A", C, F},
    {"option b please", F, C},
    {"Option: B", F, C},
    {"opt. b", F, C},
    {"optoin B", F, C},
    {"answer: A", C, F},
    {"the answer is A", C, F},
    {"my answer is: A", C, F},
    {"I choose A", C, F},
    {"I'd pick b", F, C},
    {"i pick B", F, C},
    {"go with A", C, F},
    {"I'll go with option B, thanks!", F, C},
    {"let's go with B then", F, C},
    {"let's do A", C, F},
    {"let’s take b", F, C},
    {"B it is", F, C},
    {"b sounds good", F, C},
    {"ok, A", C, F},
    {"yes, B", F, C},
    {"yeah b please", F, C},
    {"no, A", C, F},
    {"no A", U, U},
    {"not A", F, C},
    {"not B", C, F},
    {"A not B", C, F},
    {"B rather than A", F, C},
    {"I meant B", F, C},
    {"don't start fresh", C, C},
    {"please don't start over", C, C},
    {"не надо заново", C, C},
    {"👎 start fresh", C, C},
    {"not the first one", U, U},
    {"never mind, continue", C, C},
    {"nevermind, start fresh", F, F},
    {"choice B", F, C},
    {"letter a", C, F},
    {"1", C, F},
    {"2", F, C},
    {"1.", C, F},
    {"2)", F, C},
    {"#1", C, F},
    {"no. 1", C, F},
    {"number 2", F, C},
    {"Number two please", F, C},
    {"option 1", C, F},
    {"one", C, F},
    {"two", F, C},
    {"first", C, F},
    {"1st", C, F},
    {"the first one", C, F},
    {"the first option please", C, F},
    {"first one", C, F},
    {"second", F, C},
    {"the 2nd", F, C},
    {"I'd like the second one", F, C},
    {"let's go with the second option please", F, C},
    {"The former", C, F},
    {"the latter", F, C},
    {"the last one", F, C},
    {"last", F, C},
    {"teh first", NO, NO},
    {"the frist one", C, F},
    {"the secnod", F, C},
    {"later", U, U},
    {"the letter", NO, NO},
    {"format", NO, NO},
    {"3", U, U},
    {"0", U, U},
    {"10", U, U},
    {"third", U, U},
    {"C", U, U},
    {"1 2", U, U},
    {"1.5", U, U},
    {"A B", U, U},
    {"A/B", U, U},
    {"A or B?", U, U},
    {"A and B", U, U},
    {"both", U, U},
    {"either", U, U},
    {"neither", U, U},
    {"A, and also rename it", C, F},
    {"A because it is nearly done", C, F},
    {"B but keep the branch", F, C},
    {"what is A?", NO, NO},
    {"A+B", U, U},
    {"$1", NO, NO},
    {"AA", NO, NO},
    {"❌ A", F, C},
    /* A key or position together with its own meaning; against it, it is no answer. */
    {"A) Continue that work", C, U},
    {"A. Continue that work.", C, U},
    {"B) Save it and start fresh", F, U},
    {"A) Save that and start on your new request", U, F},
    {"B - Continue where we left off", U, C},
    {"B, start fresh", F, U},
    {"A, continue", C, U},
    {"A continue", C, U},
    {"continue (A)", C, U},
    {"A, start fresh", U, F},
    {"A, new task", U, F},
    {"first: continue", C, U},
    {"the second, start over please", F, U},
    {"not A, the other one", F, C},
    {"not B, the other one", C, F},
    {"non A, l'altra", F, C},
    {"not both, A", C, F},
    {"not the other one, A", C, F},
    /* Other scripts and keyboards. */
    {"Ａ", C, F},
    {"２", F, C},
    {"1️⃣", C, F},
    {"②", F, C},
    {"🅱️", F, C},
    {"Ⓐ", C, F},
    {"👍 A", C, F},
    {"а", C, F},
    {"Б", F, C},
    {"В", F, C},
    {"вариант Б", F, C},
    {"давай вариант А", C, F},
    {"первый", C, F},
    {"Второй вариант, пожалуйста", F, C},
    {"последний", F, C},
    {"два", F, C},
    {"Variante A", C, F},
    {"die erste", C, F},
    {"die zweite Option bitte", F, C},
    {"Ich nehme B", F, C},
    {"Nummer 2", F, C},
    {"letzteres", F, C},
    {"das letzte", F, C},
    {"eins", C, F},
    {"zwei", F, C},
    {"la primera", C, F},
    {"la segunda, por favor", F, C},
    {"opción B", F, C},
    {"opcion a", C, F},
    {"dos", F, C},
    {"la première", C, F},
    {"la deuxième option s'il vous plaît", F, C},
    {"l'option B", F, C},
    {"je choisis A", C, F},
    {"deux", F, C},
    {"a primeira", C, F},
    {"a segunda opção", F, C},
    {"opção B por favor", F, C},
    {"la prima", C, F},
    {"la seconda", F, C},
    {"scelgo B", F, C},
    {"prima", NO, NO},
    {"um", U, U},
    {"选A", C, F},
    {"我选B", F, C},
    {"选择 B 吧", F, C},
    {"B方案", F, C},
    {"第一个", C, F},
    {"选第二个", F, C},
    {"第2个", F, C},
    {"最后一个", F, C},
    {"前者", C, F},
    {"Aで", C, F},
    {"Bでお願いします", F, C},
    {"Bにします", F, C},
    {"1番", C, F},
    {"2番目の方で", F, C},
    {"最初の", C, F},
    {"後者", F, C},
};

/* Phrasings, which mean the same at every choice. */
static const struct {
  ChoiceAnswer answer;
  const char *messages[80];
} phrasings[] = {
    {C,
     {"continue",
      "Continue",
      "CONTINUE!!",
      "continue...",
      "continue please",
      "please continue",
      "just continue",
      "ok continue",
      "yes, continue",
      "yes continue please",
      "no, continue",
      "continue that",
      "continue it",
      "continue with it",
      "continue with that work",
      "continue the task",
      "continue the old task",
      "continue with the previous one",
      "Continue that work",
      "continue where we left off",
      "continue from where you left off",
      "Continue Where We Left Off.",
      "from where we left off",
      "continue what we were doing",
      "continue working on it",
      "let's continue",
      "lets continue",
      "let us continue",
      "I want to continue",
      "I'd like to continue",
      "I would rather continue",
      "can you continue",
      "contiue",
      "contineu",
      "cotninue",
      "continu",
      "contunue",
      "go on",
      "goon",
      "go on please",
      "Go on with that",
      "keep going",
      "keep going 🚀",
      "keep at it",
      "keep working on that",
      "carry on",
      "carry on with the old task",
      "resume",
      "resume the work",
      "resum the work",
      "pick it up again",
      "pick up where we left off",
      "Pick that work up again",
      "finish that first",
      "stick with the current one",
      "back to the old one",
      "the old one",
      "the old task please",
      "the previous work",
      "🙂 continue",
      "„continue“",
      "continue - thanks",
      "continue, go on",
      "go ahead with the old task",
      "start again from where we left off",
      "perfect, continue"}},
    {F,
     {"start fresh",
      "Start fresh.",
      "START FRESH",
      "start-fresh",
      "startfresh",
      "strat fresh",
      "start frehs",
      "starts fresh",
      "fresh",
      "fresh start",
      "a fresh start",
      "start over",
      "startover",
      "start over please",
      "start all over again",
      "start from scratch",
      "from scratch",
      "start anew",
      "start again",
      "begin again",
      "clean slate",
      "start new",
      "start a new task",
      "start the new one",
      "start something new",
      "new",
      "new one",
      "the new one",
      "a new one",
      "new task",
      "new task please",
      "new topic",
      "something new",
      "it's something new",
      "it is a new task",
      "that's a different task",
      "take it as something new",
      "Take your message as something new",
      "treat it as a new task",
      "go with the new one",
      "continue with the new one",
      "move on to the new task",
      "switch",
      "switch to the new one",
      "switch to my new request",
      "switch over",
      "save it",
      "save it and start fresh",
      "save it, start fresh",
      "save & start fresh",
      "Save that and start on your new request",
      "save that and start on my new request",
      "save that and start on the new request please",
      "save the old one and start fresh",
      "ok let's start fresh",
      "I want to start fresh",
      "yes, start fresh",
      "no, start fresh",
      "no. start over",
      "new task, start fresh"}},
    {C,
     {"weiter",
      "weiter bitte",
      "Bitte weiter",
      "weitermachen",
      "Weitermachen!",
      "weitermahcen",
      "mach weiter",
      "mach bitte weiter",
      "mach damit weiter",
      "machen wir weiter",
      "lass uns weitermachen",
      "lass uns damit weitermachen",
      "da weitermachen, wo wir aufgehört haben",
      "dort weiter wo wir aufgehoert haben",
      "fortfahren",
      "fortsetzen",
      "ja, weiter",
      "nein, weiter",
      "ich möchte weitermachen",
      "mit der alten Aufgabe weitermachen",
      "weiter mit der alten Aufgabe",
      "setz die Arbeit fort",
      "die alte Aufgabe",
      "arbeite daran weiter",
      "weiter geht's"}},
    {F,
     {"neu anfangen", "Neu starten", "von vorn", "von vorne anfangen", "fang neu an",
      "fang bitte neu an", "neue Aufgabe", "etwas Neues", "was neues", "das ist etwas neues",
      "speichern und neu anfangen", "Speichere das und fang neu an", "neu", "die neue",
      "wechsle zur neuen Aufgabe", "Neuanfang", "ich will neu anfangen", "neu anfagnen"}},
    {C,
     {"continuar", "continúa", "continua", "Continuar por favor", "sigue", "seguir", "sigamos",
      "sigue adelante", "sigue con eso", "seguir con el trabajo", "continuemos donde lo dejamos",
      "retomar la tarea anterior", "sí, continúa", "vamos a continuar", "quiero continuar",
      "no, continúa", "contniuar"}},
    {F,
     {"empezar de nuevo", "empezar de cero", "empieza de nuevo", "comenzar de nuevo", "de cero",
      "algo nuevo", "nueva tarea", "una nueva tarea", "la nueva", "guardar y empezar de nuevo",
      "guárdalo y empieza de cero", "quiero empezar de nuevo", "empezemos de nuevo"}},
    {C,
     {"continuer", "continuez", "on continue", "continuons", "reprendre", "reprends le travail",
      "continuer s'il te plaît", "continue s’il vous plaît", "reprendre là où on en était",
      "continuer où on s'est arrêté", "poursuivre", "poursuis", "oui, continue",
      "je veux continuer", "vas-y continue", "continuer cette tâche", "reprender"}},
    {F,
     {"recommencer", "recommencer à zéro", "recommence a zero", "repartir de zéro",
      "nouvelle tâche", "une nouvelle demande", "quelque chose de nouveau", "nouveau départ",
      "sauvegarder et recommencer à zéro", "commencer la nouvelle tâche",
      "passer à la nouvelle tâche", "je veux repartir à zéro"}},
    {C,
     {"continuar com isso", "continue com o trabalho", "vamos continuar", "seguir em frente",
      "continuar de onde paramos", "retomar a tarefa", "prosseguir", "sim, continue",
      "quero continuar", "continuar por favor"}},
    {F,
     {"começar de novo", "comecar do zero", "recomeçar", "do zero", "algo novo", "nova tarefa",
      "uma nova tarefa", "salvar e começar de novo", "salve isso e comece do zero",
      "quero começar de novo"}},
    {C,
     {"continuare", "continuiamo", "prosegui", "vai avanti", "andiamo avanti", "riprendi il lavoro",
      "continua da dove eravamo rimasti", "sì, continua", "voglio continuare",
      "continua per favore"}},
    {F,
     {"ricominciare", "ricomincia da capo", "iniziare da zero", "da capo", "nuovo compito",
      "qualcosa di nuovo", "salva e ricomincia da zero", "salva e inizia da capo",
      "passa alla nuova attività"}},
    {C,
     {"продолжай", "Продолжить", "продолжим", "Продолжай, пожалуйста", "давай продолжим",
      "продолжай работу", "дальше", "давай дальше", "да, продолжай",
      "продолжим с того места, где остановились", "продложай", "старую задачу", "хочу продолжить"}},
    {F,
     {"начать заново", "начни заново", "начнём сначала", "начать с нуля", "с нуля", "заново начать",
      "новая задача", "новую задачу", "начать новую задачу", "что-то новое",
      "сохрани и начни заново", "сохранить это и начать новое", "новое",
      "переключись на новую задачу", "начать занвоо"}},
    {C,
     {"继续", "请继续", "继续吧", "继续。", "继续之前的工作", "继续做之前的", "好的，继续",
      "接着做", "继续上次的任务", "我们继续", "从上次中断的地方继续", "繼續", "請繼續", "我想继续",
      "不，继续", "旧的任务", "继续那个"}},
    {F,
     {"重新开始", "从头开始", "新任务", "新的任务", "开始新任务", "新的", "做新的", "换个新的",
      "保存并重新开始", "先保存再开始新的任务", "重來", "重新開始", "我要重新开始", "从头再来",
      "切换到新任务", "好，重新开始吧"}},
    {C,
     {"続けて", "続けてください", "続ける", "続行", "継続", "再開", "再開してください", "続きから",
      "続きをお願いします", "前の作業を続けて", "その作業を続けてください", "はい、続けて",
      "前の作業の続きからお願いします", "そのまま続けて", "中断したところから再開"}},
    {F,
     {"最初から", "最初からお願いします", "最初からやり直して", "新しく始める",
      "新しく始めてください", "やり直し", "新しいタスク", "新しい方でお願いします", "新しいの",
      "保存して新しく始める", "保存して新しい依頼を始めてください", "ゼロから", "新規",
      "新しいことを始めたいです"}},
};

/* Messages that contain, resemble or deny an answer. */
/* About the choice, and none of its ways: it has to be shown again. */
static const char *const undecided[] = {
    "不",
    "いいえ",
    "нет",
    "wait a second",
    "nope",
    "no",
    "no thanks",
    "nein",
    "give me one second",
    "7",
    "(c)",
    "C!",
    "D)",
    "42",
    "option C",
    "the third one",
    "A & B",
    "1 and 2",
    "neither of them",
    "none of the above",
    "neither A nor B",
    "both please",
    "can we do both?",
    "wait",
    "hold on please",
    "hang on",
    "not sure yet",
    "I don't know",
    "maybe later",
    "not now",
    "let me think about it",
    "whatever",
    "you decide",
    "I'm back",
    "hello, I'm back",
    "no thank you",
    "nein danke",
    "keins von beiden",
    "weder noch",
    "beides",
    "warte",
    "weiß nicht",
    "bin wieder da",
    "no sé",
    "ninguna",
    "las dos",
    "espera",
    "ya volví",
    "aucun des deux",
    "les deux",
    "attends",
    "je ne sais pas",
    "je suis de retour",
    "nenhuma",
    "tanto faz",
    "voltei",
    "nessuno dei due",
    "entrambi",
    "aspetta",
    "ни то ни другое",
    "оба",
    "подожди",
    "не знаю",
    "я вернулся",
    "都不要",
    "两个都要",
    "等一下",
    "不知道",
    "我回来了",
    "どちらでもない",
    "両方",
    "待って",
    "ただいま",
    "👎",
    "❌",
    "option",
    "don't continue",
    "dont continue",
    "do not continue",
    "never continue",
    "no continue",
    "continue or start fresh?",
    "continue, start fresh",
    "start fresh or continue",
    "start fresh and continue",
    "not both",
    "please not both",
    "not the other one",
    "it's not the other one",
    "neither, don't drop it",
    "ne nepokračuj",
    "save and continue",
    "nicht weiter",
    "nicht weitermachen",
    "die andere",
    "no continuar",
    "ne continue pas",
    "não continue",
    "non continuare",
    "не продолжай",
    "不继续",
    "不要继续",
    "别继续",
    "不要重新开始",
    "続けないで",
    "🛑 continue",
};

static const char *const others[] = {
    "",
    " ",
    "\n\t",
    "...",
    "?",
    "!",
    "👍",
    "yes",
    "Yes.",
    "yes please",
    "ok",
    "okay thanks",

    "sure",
    "go ahead",
    "do it",
    "proceed",
    "go",
    "please",
    "thanks",
    "ja",

    "ja bitte",
    "sí",
    "oui",
    "sim",
    "sì",
    "да",

    "好的",
    "好",
    "是的",

    "はい",

    "お願いします",
    "continue with dark mode",
    "continue with the dark mode",
    "continue the build on CI",
    "go on vacation",
    "go on strike with the tests",
    "stop",
    "cancel",
    "never mind",
    "discontinue",
    "what does continue mean?",
    "should I continue?",
    "start the server",
    "start",
    "now add connection pooling",
    "resume.pdf is attached",
    "save it to disk",
    "save the file",
    "switch to postgres",
    "switch branches",
    "start over there",
    "not maybe",
    "the new one is broken",
    "the old one is broken",
    "first, explain the diff",
    "second thoughts",

    "the last one failed",
    "keep going with the second commit only",
    "french",
    "restarting the server helps",
    "weiter mit dem dunklen Modus",
    "mach das Fenster weiter auf",
    "no sigas",
    "sigue con el modo oscuro",
    "continue avec le mode sombre",
    "продолжай с тёмной темой",
    "继续吗",
    "继续加深色模式",
    "ダークモードを続けて",
    "継続的インテグレーション",
    "huevo",
    "continue\xff",
    "\xff\xfe",
    "A\xc3",
    "continue = true",
    "if (continue) start",
};

/* An answer, and words beside it; what is none of the ways. */
static const struct {
  const char *message;
  ChoiceAnswer answer; /* at the stale choice */
  int hasWords;
  ChoiceSays says;
} besides[] = {
    {"continue, but use tabs", C, 1, CHOICE_SAYS_NOTHING},
    {"continue and then push", C, 1, CHOICE_SAYS_NOTHING},
    {"start fresh with a new schema for users", F, 1, CHOICE_SAYS_NOTHING},
    {"new task: add dark mode", F, 1, CHOICE_SAYS_NOTHING},
    {"new idea: dark mode", F, 1, CHOICE_SAYS_NOTHING},
    {"B, but keep my branch", F, 1, CHOICE_SAYS_NOTHING},
    {"start fresh, this time with systemd timers", F, 1, CHOICE_SAYS_NOTHING},
    {"A, and use the staging server", C, 1, CHOICE_SAYS_NOTHING},
    {"save and start fresh: I need a price list", F, 1, CHOICE_SAYS_NOTHING},
    {"don't continue, start fresh but keep the log", F, 1, CHOICE_SAYS_NOTHING},
    {"nicht weiter, neu, und diesmal mit Postgres", F, 1, CHOICE_SAYS_NOTHING},
    {"B aber behalte den Branch", F, 1, CHOICE_SAYS_NOTHING},
    {"la B, pero guarda la rama", F, 1, CHOICE_SAYS_NOTHING},
    {"on repart de zéro, avec postgres cette fois", F, 1, CHOICE_SAYS_NOTHING},
    {"la seconda, ma tieni il ramo", F, 1, CHOICE_SAYS_NOTHING},
    {"давай заново, но ветку оставь", F, 1, CHOICE_SAYS_NOTHING},
    {"kaydet ve baştan başla ama dalı koru", F, 1, CHOICE_SAYS_NOTHING},
    {"계속하되 뉴스레터는 마지막에", C, 1, CHOICE_SAYS_NOTHING},
    {"새로 시작하고 이번엔 postgres로", F, 1, CHOICE_SAYS_NOTHING},
    {"ga maar door, maar laat de nieuwsbrief voor later", C, 1, CHOICE_SAYS_NOTHING},
    {"zacznij od nowa, tym razem z postgresem", F, 1, CHOICE_SAYS_NOTHING},
    {"重新开始，这次用postgres", F, 1, CHOICE_SAYS_NOTHING},
    {"続けて。ただしメルマガは最後に", C, 1, CHOICE_SAYS_NOTHING},
    {"ابدأ من جديد، هذه المرة مع بوستجرس", F, 1, CHOICE_SAYS_NOTHING},
    {"नया शुरू करो, लेकिन ब्रांच रखना", F, 1, CHOICE_SAYS_NOTHING},
    {"почни спочатку, цього разу з postgres", F, 1, CHOICE_SAYS_NOTHING},
    {"Ｂ, but keep it", F, 1, CHOICE_SAYS_NOTHING},
    {"neither. make me a list of all customers", NO, 1, CHOICE_SAYS_OTHER},
    {"something else entirely: book the room", NO, 1, CHOICE_SAYS_OTHER},
    {"weder noch, schreib mir ein Gedicht", NO, 1, CHOICE_SAYS_OTHER},
    {"ninguna, hazme una lista de precios", NO, 1, CHOICE_SAYS_OTHER},
    {"둘 다 아니고 가격표 만들어줘", NO, 1, CHOICE_SAYS_OTHER},
    {"都不是，帮我做一张价目表", NO, 1, CHOICE_SAYS_OTHER},
    {"neither", U, 0, CHOICE_SAYS_NOTHING},
    {"something else", U, 0, CHOICE_SAYS_NOTHING},
    {"both, in that order", U, 0, CHOICE_SAYS_NOTHING},
    {"A or B, hard to say", U, 0, CHOICE_SAYS_NOTHING},
    {"a?", U, 0, CHOICE_SAYS_NOTHING},
    {"skip", U, 0, CHOICE_SAYS_NOTHING},
    {"continue. no wait, start over with the logos", U, 1, CHOICE_SAYS_NOTHING},
    {"drop it, the client left", NO, 1, CHOICE_SAYS_DROP},
    {"forget the templates, we won't do that any more", NO, 0, CHOICE_SAYS_DROP},
    {"neither, cancel the whole migration", NO, 0, CHOICE_SAYS_DROP},
    {"lass es ganz sein, der Kunde ist weg", NO, 1, CHOICE_SAYS_DROP},
    {"laisse tomber", NO, 0, CHOICE_SAYS_DROP},
    {"不做了", NO, 0, CHOICE_SAYS_DROP},
    {"boş ver, müşteri vazgeçti", NO, 1, CHOICE_SAYS_DROP},
    {"forget the old one, start fresh", F, 0, CHOICE_SAYS_NOTHING},
    {"don't drop it, continue", C, 0, CHOICE_SAYS_NOTHING},
    {"1. fix the footer 2. fix the header", NO, 0, CHOICE_SAYS_NOTHING},
    {"first, explain the diff", NO, 0, CHOICE_SAYS_ASKS},
    {"a, what was it?", NO, 0, CHOICE_SAYS_ASKS},
    {"where were we?", NO, 0, CHOICE_SAYS_ASKS},
    /* Doubted: what is said beside it is kept, and none is chosen. */
    {"B? not sure", U, 0, CHOICE_SAYS_NOTHING},
    {"hmm, tuesday (23)", U, 1, CHOICE_SAYS_NOTHING},
    {"B? yes, B", F, 0, CHOICE_SAYS_NOTHING},
    {"can we start over? thanks", F, 0, CHOICE_SAYS_NOTHING},
    {"B? the footer is not done", U, 1, CHOICE_SAYS_NOTHING},
    {"maybe B, the footer can wait", U, 1, CHOICE_SAYS_NOTHING},
    {"neither, the food is ready", U, 1, CHOICE_SAYS_NOTHING},
    {"neither, bake a cake for me", NO, 1, CHOICE_SAYS_OTHER},
    {"neither, where is the key?", NO, 1, CHOICE_SAYS_OTHER},
    /* Denied behind, with an "is" that looks like an "and". */
    {"la seconda \xC3\xA8 quella sbagliata", U, 0, CHOICE_SAYS_NOTHING},
    {"la seconda e' quella sbagliata", U, 0, CHOICE_SAYS_NOTHING},
    {"a segunda \xC3\xA9 p\xC3\xA9ssima demais", U, 0, CHOICE_SAYS_NOTHING},
    {"non B, la prima", C, 0, CHOICE_SAYS_NOTHING},
    {"hmm, B? the footer is not done", U, 1, CHOICE_SAYS_NOTHING},
    {"A? the footer is not done", U, 1, CHOICE_SAYS_NOTHING},
    {"can we continue? the footer is not done", C, 1, CHOICE_SAYS_NOTHING},
    {"something else? the footer is not done", U, 1, CHOICE_SAYS_NOTHING},
    {"neither, cake", U, 0, CHOICE_SAYS_NOTHING},
    {"1, but keep the branch", C, 1, CHOICE_SAYS_NOTHING},
    {"a, but is the server down?", C, 1, CHOICE_SAYS_NOTHING},
    {"a, is the server down?", NO, 0, CHOICE_SAYS_NOTHING},
    {"а, что это было?", NO, 0, CHOICE_SAYS_ASKS},
    /* What is denied, or looks like another word, gives nothing up. */
    {"not", NO, 0, CHOICE_SAYS_NOTHING},
    {"not, thanks", NO, 0, CHOICE_SAYS_NOTHING},
    {"not today", NO, 0, CHOICE_SAYS_NOTHING},
    {"no longer", NO, 0, CHOICE_SAYS_NOTHING},
    {"it's not", NO, 0, CHOICE_SAYS_NOTHING},
    {"start", NO, 0, CHOICE_SAYS_NOTHING},
    {"shall", NO, 0, CHOICE_SAYS_NOTHING},
    {"deine", NO, 0, CHOICE_SAYS_NOTHING},
    {"составь", NO, 0, CHOICE_SAYS_NOTHING},
    {"cancle everything", NO, 0, CHOICE_SAYS_DROP},
    {"cancel evrything", NO, 0, CHOICE_SAYS_DROP},
    {"it's not needed any more", NO, 0, CHOICE_SAYS_DROP},
    {"that's not relevant", NO, 0, CHOICE_SAYS_DROP},
    {"not any more", NO, 0, CHOICE_SAYS_DROP},
    {"it's off", NO, 0, CHOICE_SAYS_DROP},
    {"that's no longer needed", NO, 0, CHOICE_SAYS_DROP},
    /* Part of something else. */
    {"2 seconds", U, 0, CHOICE_SAYS_NOTHING},
    {"1 sec please", U, 0, CHOICE_SAYS_NOTHING},
    {"B-tree, please", NO, 0, CHOICE_SAYS_NOTHING},
    {"B-tree, the index is slow", NO, 0, CHOICE_SAYS_NOTHING},
    {"1.5 hours", U, 0, CHOICE_SAYS_NOTHING},
    {"2:30, not earlier", NO, 0, CHOICE_SAYS_NOTHING},
    {"B&B in Bath, two nights", NO, 0, CHOICE_SAYS_NOTHING},
    {"B & B in Bath, two nights", NO, 0, CHOICE_SAYS_NOTHING},
    {"A+ work", NO, 0, CHOICE_SAYS_NOTHING},
    {"plan B failed yesterday", NO, 0, CHOICE_SAYS_NOTHING},
    {"the door", NO, 0, CHOICE_SAYS_NOTHING},
    {"open the door", NO, 0, CHOICE_SAYS_NOTHING},
    /* Orders and questions. */
    {"paint the door", NO, 0, CHOICE_SAYS_ORDER},
    {"paint it", NO, 0, CHOICE_SAYS_NOTHING},
    {"write a list of templates", NO, 0, CHOICE_SAYS_NOTHING},
    {"before we continue tell me how long it takes", NO, 0, CHOICE_SAYS_ASKS},
    {"what would continue do", NO, 0, CHOICE_SAYS_ASKS},
    /* Names and quotes. */
    {"Hi Tom, the second one", F, 0, CHOICE_SAYS_NOTHING},
    {"B, thanks Ann", F, 0, CHOICE_SAYS_NOTHING},
    {"> A) Continue\n> B) Start\n\nB", F, 0, CHOICE_SAYS_NOTHING},
    {"B\n> A) Continue\n> B) Start", F, 0, CHOICE_SAYS_NOTHING},
    {"can we continue?", C, 0, CHOICE_SAYS_NOTHING},
    {"resume.pdf is attached", NO, 0, CHOICE_SAYS_NOTHING},
    {"forget the weather", NO, 0, CHOICE_SAYS_NOTHING},
};

static void testBesides(void) {
  static const char task[] = "Migrate the mail templates to the new engine";
  const ChoiceContext context = {task, sizeof(task) - 1, NULL, 0, 0};
  for (int i = 0; i < COUNT(besides); i++) {
    const char *message = besides[i].message;
    ChoiceReading got = ts_choice_read(message, (int)strlen(message), stale, 2, &context);
    CHECK_STR(tap_name("beside: \"%s\"", message), answerName(got.answer),
              answerName(besides[i].answer));
    CHECK_INT(tap_name("beside: \"%s\": words", message), got.hasWords, besides[i].hasWords);
    CHECK_INT(tap_name("beside: \"%s\": says", message), (int)got.says, (int)besides[i].says);
  }
}

/* What else is wanted depends on what the choice is about: the task, and what it holds. */
static void testContext(void) {
  static const struct {
    const char *message, *task, *held;
    ChoiceSays says;
  } cases[] = {
      {"paint the door", "Migrate the mail templates", "bake bread", CHOICE_SAYS_ORDER},
      {"paint the door", "Migrate the mail templates", "the doors are brown", CHOICE_SAYS_ORDER},
      {"paint the wall", "Build the wall", NULL, CHOICE_SAYS_NOTHING},
      {"paint the templates", "Migrate the mail templates", NULL, CHOICE_SAYS_NOTHING},
      {"paint the wall", "Migrate the mail templates", "build the wall", CHOICE_SAYS_NOTHING},
      {"paint the new door", "Migrate to the new engine", NULL, CHOICE_SAYS_ORDER},
      {"paint the unfinished door", "Tidy the unfinished list", NULL, CHOICE_SAYS_NOTHING},
      {"paint the hut", "Build the hut", NULL, CHOICE_SAYS_NOTHING},
      {"paint the hut", "Build the inn", NULL, CHOICE_SAYS_ORDER},
      {"paint it red", "Migrate the mail templates", NULL, CHOICE_SAYS_NOTHING},
      {"写一份报告", "修改报告", NULL, CHOICE_SAYS_NOTHING},
      {"写一份报告", "修改首页", NULL, CHOICE_SAYS_ORDER},
      {"写一份报告", "告", NULL, CHOICE_SAYS_ORDER},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    const char *message = cases[i].message, *task = cases[i].task, *held = cases[i].held;
    const ChoiceContext context = {task, (int)strlen(task), held, held ? (int)strlen(held) : 0, 0};
    ChoiceReading got = ts_choice_read(message, (int)strlen(message), stale, 2, &context);
    CHECK_INT(tap_name("\"%s\" beside \"%s\" and \"%s\"", message, task, held ? held : ""),
              (int)got.says, (int)cases[i].says);
  }
}

static void testSpeaksOf(void) {
  static const struct {
    const char *message, *other;
    int speaks;
  } cases[] = {
      {"the templates are slow", "Migrate the mail templates", 1},
      {"the template is slow", "Migrate the mail templates", 1},
      {"there it is", "there is a door", 0},
      {"cheese", "Migrate the mail templates", 0},
      {"mail", "Migrate the mail templates", 0}, /* short words are mostly such as "there" */
      {"报告", "修改报告", 1},
      {"报告", "修改报", 0},
      {"报", "修改报告", 0},
      {"报价", "修改报告", 0},
      {"", "修改报告", 0},
      {"报告", "", 0},
  };
  static const struct {
    const char *words;
    int knows;
  } known[] = {
      {"perfect", 1}, {"please, Zebulon", 1}, {"Zebulon", 0}, {"Zebulon Quux", 0}, {"", 0}};
  for (int i = 0; i < COUNT(cases); i++) {
    CHECK_INT(tap_name("\"%s\" speaks of \"%s\"", cases[i].message, cases[i].other),
              ts_choice_speaks_of(cases[i].message, (int)strlen(cases[i].message), cases[i].other,
                                  (int)strlen(cases[i].other)),
              cases[i].speaks);
  }
  for (int i = 0; i < COUNT(known); i++) {
    CHECK_INT(tap_name("\"%s\" is known", known[i].words),
              ts_choice_knows(known[i].words, (int)strlen(known[i].words)), known[i].knows);
  }
}

static void testPlaced(void) {
  for (int i = 0; i < COUNT(placed); i++) {
    check("stale", stale, 2, placed[i].message, placed[i].atStale);
    check("new task", newTask, 2, placed[i].message, placed[i].atNewTask);
  }
}

static void testPhrasings(void) {
  for (int i = 0; i < COUNT(phrasings); i++) {
    for (int k = 0; k < COUNT(phrasings[i].messages) && phrasings[i].messages[k]; k++) {
      const char *message = phrasings[i].messages[k];
      check("stale", stale, 2, message, phrasings[i].answer);
      check("new task", newTask, 2, message, phrasings[i].answer);
      check("unclear", unclear, 2, message, phrasings[i].answer);
      check("saved", saved, 2, message, phrasings[i].answer);
    }
  }
}

static void testOthers(void) {
  for (int i = 0; i < COUNT(others); i++) {
    check("stale", stale, 2, others[i], NO);
    check("new task", newTask, 2, others[i], NO);
    CHECK_STR(tap_name("phrase: \"%s\"", others[i]),
              answerName(ts_choice_phrase(others[i], (int)strlen(others[i]))), answerName(NO));
  }
}

static void testUndecided(void) {
  for (int i = 0; i < COUNT(undecided); i++) {
    check("stale", stale, 2, undecided[i], U);
    check("new task", newTask, 2, undecided[i], U);
    check("unclear", unclear, 2, undecided[i], U);
    check("saved", saved, 2, undecided[i], U);
    CHECK_STR(tap_name("phrase: \"%s\"", undecided[i]),
              answerName(ts_choice_phrase(undecided[i], (int)strlen(undecided[i]))),
              answerName(NO));
  }
}

/* Over an open question: does the message say no more than that somebody wants to go on? */
static void testQuestions(void) {
  static const struct {
    const char *question, *message;
    int skips;
  } cases[] = {
      {"Which backoff?", "continue", 1},
      {"Which backoff?", "Resume.", 1},
      {"Which backoff?", "I'm back", 1},
      {"Which backoff?", "let's go on", 1},
      {"Which backoff?", "I'm back, let's go on", 1},
      {"Which backoff?", "please carry on where we left off", 1},
      {"Which backoff?", "hi, I am back now", 1},
      {"Which backoff?", "ich bin wieder da, weiter", 1},
      {"Which backoff?", "sigamos", 1},
      {"Which backoff?", "je suis de retour", 1},
      {"Which backoff?", "voltei", 1},
      {"Which backoff?", "andiamo avanti", 1},
      {"Which backoff?", "я вернулся, продолжай", 1},
      {"Which backoff?", "继续", 1},
      {"Which backoff?", "ただいま", 1},
      /* Consent is an answer, and so is everything with content. */
      {"Which backoff?", "yes, continue", 0},
      {"Which backoff?", "ok, go on", 0},
      {"Which backoff?", "no, keep going", 0},
      {"Which backoff?", "да, продолжай", 0},
      {"Which backoff?", "go ahead", 0},
      {"Which backoff?", "the second one", 0},
      {"Which backoff?", "continue with the exponential one", 0},
      {"Which backoff?", "start over", 0},
      {"Which backoff?", "yes", 0},
      {"Which backoff?", "", 0},
      /* The question is whether to go on. */
      {"Shall I continue?", "continue", 0},
      {"All tests pass. Should I go on with the second part?", "keep going", 0},
      {"Soll ich weitermachen?", "weiter", 0},
      {"Ready?", "let's go on", 0},
      {"Stop here or proceed?", "carry on", 0},
      {"Продолжить?", "продолжай", 0},
      {"要继续吗？", "继续", 0},
      {"", "continue", 1},
      {"Which backoff?", "   ", 0},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    CHECK_INT(tap_name("\"%s\" \"%s\"", cases[i].question, cases[i].message),
              ts_choice_skips_question(cases[i].message, (int)strlen(cases[i].message),
                                       cases[i].question, (int)strlen(cases[i].question)),
              cases[i].skips);
  }
  char text[3000];
  memset(text, 'x', sizeof(text));
  memcpy(text, "continue?", 9);
  CHECK_INT("only the end of a long text asks",
            ts_choice_skips_question("continue", 8, text, sizeof(text)), 1);
  CHECK_INT("NULL", ts_choice_skips_question(NULL, 0, NULL, 0), 0);
  CHECK_INT("behind a NUL it asks, too",
            ts_choice_skips_question("continue", 8, "Tests pass.\0Continue?", 21), 0);
}

/* Without a choice at hand only a plain wish counts; keys, positions and short hints do not. */
static void testPhraseAlone(void) {
  static const struct {
    const char *message;
    ChoiceAnswer expected;
  } cases[] = {
      {"continue", C},
      {"Continue where we left off", C},
      {"continue please", C},
      {"yes, go on", C},
      {"weiter", C},
      {"mach bitte weiter", C},
      {"продолжай", C},
      {"继续", C},
      {"続けてください", C},
      {"contineu", C},
      {"start fresh", F},
      {"let's start over", F},
      {"neu anfangen", F},
      {"重新开始", F},
      {"A", NO},
      {"1", NO},
      {"the first one", NO},
      {"the last one", NO},
      {"new", NO},
      {"fresh", NO},
      {"switch", NO},
      {"save it", NO},
      {"the old one", NO},
      {"new task", NO},
      {"start a new project", NO},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    const char *message = cases[i].message;
    CHECK_STR(tap_name("phrase: \"%s\"", message),
              answerName(ts_choice_phrase(message, (int)strlen(message))),
              answerName(cases[i].expected));
  }
}

static void testOwnOptions(void) {
  static const ChoiceOption three[] = {OPTION('A', C, "Finish the parser"),
                                       OPTION('B', F, "Drop everything"),
                                       OPTION('C', C, "Keep both branches")};
  check("three", three, 3, "C", C);
  check("three", three, 3, "с", C); /* Cyrillic */
  check("three", three, 3, "в", U); /* looks like B, stands third */
  check("three", three, 3, "б", F);
  check("three", three, 3, "third", C);
  check("three", three, 3, "3", C);
  check("three", three, 3, "the last one", C);
  check("three", three, 3, "the second one", F);
  check("three", three, 3, "the latter", U);
  check("three", three, 3, "not B, the other one", U);
  check("three", three, 3, "former", U);
  check("three", three, 3, "finish the parser", C);
  check("three", three, 3, "Let's finish the praser!", C);
  check("three", three, 3, "drop everything please", F);
  check("three", three, 3, "B) drop everything", F);
  check("three", three, 3, "A) drop everything", U);
  check("three", three, 3, "keep both", NO);
  check("three", three, 3, "start fresh", F);

  /* A host that words an option like the other side's phrase: its own words come first. */
  static const ChoiceOption crossed[] = {OPTION('A', F, "Go on"), OPTION('B', C, "New")};
  check("crossed", crossed, 2, "go on", F);
  check("crossed", crossed, 2, "new", C);
  check("crossed", crossed, 2, "continue", C);

  /* "First, use tabs" is an adverb, unless an option is called so. */
  static const ChoiceOption ordered[] = {OPTION('A', F, "First"), OPTION('B', C, "Last")};
  check("ordered", ordered, 2, "first, use tabs", F);
  check("ordered", ordered, 2, "last, use tabs", C);
  check("stale", stale, 2, "first, use tabs", NO);
  check("stale", stale, 2, "last, use tabs", NO);

  /* Two options in the same words: nobody can tell. */
  static const ChoiceOption twins[] = {OPTION('A', C, "Same words"), OPTION('B', F, "same words")};
  check("twins", twins, 2, "same words", U);
  check("twins", twins, 2, "b", F);

  /* Options close to each other: a typo between them decides nothing. */
  static const ChoiceOption close[] = {OPTION('A', C, "bravo"), OPTION('B', F, "brave")};
  check("close", close, 2, "bravo", C);
  check("close", close, 2, "brave", F);
  check("close", close, 2, "bravi", U);

  /* Only what is offered can be chosen; an option that leads nowhere gives no answer. */
  static const ChoiceOption only[] = {OPTION('A', C, "Continue"), OPTION('B', NO, "Later")};
  check("only", only, 2, "continue", C);
  check("only", only, 2, "start fresh", NO);
  check("only", only, 2, "B", U);
  check("only", only, 2, "later", U);

  static const ChoiceOption fresh[] = {OPTION('A', F, "Start fresh"), OPTION('B', NO, "Later")};
  check("fresh", fresh, 2, "start over", F);
  check("fresh", fresh, 2, "continue", NO);

  static const ChoiceOption lower[] = {OPTION('a', C, ""), OPTION('b', F, "")};
  check("lower", lower, 2, "B", F);
  check("lower", lower, 2, "", NO);

  check("no options", stale, 0, "continue", NO);
  check("negative", stale, -1, "continue", NO);
  ChoiceOption many[TS_CHOICE_MAX_OPTIONS + 2];
  for (int i = 0; i < COUNT(many); i++)
    many[i] = (ChoiceOption){(char)('A' + i), C, NULL, 0};
  check("many", many, COUNT(many), "H", C);
  check("many", many, COUNT(many), "8", C);
  check("many", many, COUNT(many), "I", U);
  check("many", many, COUNT(many), "9", U);
}

static void testLimits(void) {
  char text[4 * WORDS_MAX_BYTES];
  memset(text, ' ', sizeof(text));
  text[0] = 'A';
  CHECK_INT("longest answer", answerTo(text, WORDS_MAX_BYTES, stale, 2), C);
  CHECK_INT("a byte longer: not all of it is read", answerTo(text, WORDS_MAX_BYTES + 1, stale, 2),
            NO);
  text[1] = ',';
  memset(text + 2, 'x', sizeof(text) - 2);
  CHECK_INT("words beside it, as many as there are", answerTo(text, sizeof(text), stale, 2), C);
  memset(text, 'a', sizeof(text));
  CHECK_INT("one long word", answerTo(text, sizeof(text), stale, 2), NO);
  CHECK_INT("length 0", answerTo("A", 0, stale, 2), NO);
  CHECK_INT("negative length", answerTo("A", -1, stale, 2), NO);
  CHECK_INT("NULL", answerTo(NULL, 0, stale, 2), NO);
  CHECK_INT("NULL phrase", ts_choice_phrase(NULL, 0), NO);
  CHECK_INT("NUL behind", answerTo("A\0", 2, stale, 2), C);
  CHECK_INT("NUL between", answerTo("start\0fresh", 11, stale, 2), F);
  CHECK_INT("text behind a NUL", answerTo("A\0rename it", 11, stale, 2), NO);
  CHECK_INT("overlong A", answerTo("\xC1\x81", 2, stale, 2), NO);
  CHECK_INT("cut character", answerTo("A\xE7\xBB", 3, stale, 2), NO);

  /* Signs that grow or crowd: nothing may overflow. */
  static const char *const fillers[] = {"a ", "&", "ß", "æ", "ok ", "的", "o\xCC\x88", "1 ", "- "};
  for (int i = 0; i < COUNT(fillers); i++) {
    size_t n = 0, len = strlen(fillers[i]);
    while (n + len <= WORDS_MAX_BYTES) {
      memcpy(text + n, fillers[i], len);
      n += len;
    }
    CHECK_INT(tap_name("many \"%s\"", fillers[i]), answerTo(text, (int)n, stale, 2), NO);
    ChoiceOption odd[] = {{'A', C, text, (int)n}, {'B', F, text, sizeof(text)}};
    CHECK_INT(tap_name("options of \"%s\"", fillers[i]), answerTo("b", 1, odd, 2), F);
  }

  static char manyX[100000];
  memset(manyX, 'x', sizeof(manyX));
  ChoiceOption huge[] = {{'A', C, manyX, (int)sizeof(manyX)}, {'B', F, NULL, -1}};
  CHECK_INT("text too long to be typed", answerTo("b", 1, huge, 2), F);
}

/* Arbitrary bytes, and pieces of the vocabulary in any order: no crash (the sanitizers watch), and
** the same answer twice. */
static void testRandom(void) {
  static const char *const pieces[] = {"continue ", "start ", "fresh ",  "A",    ") ",   "the ",
                                       "1",         " ",      "继",      "续",   "\xff", "é",
                                       "Ж",         "👍",      "please ", "no, ", "no ",  "save ",
                                       "\0x",       "it ",    "neu "};
  unsigned state = 20240229;
  int differ = 0;
  for (int round = 0; round < 1500; round++) {
    char text[WORDS_MAX_BYTES];
    int n = 0;
    state = state * 1664525u + 1013904223u;
    int target = (int)(state >> 24) % WORDS_MAX_BYTES;
    while (n < target) {
      state = state * 1664525u + 1013904223u;
      if (round % 2) {
        text[n++] = (char)(state >> 16);
      } else {
        const char *piece = pieces[(state >> 16) % COUNT(pieces)];
        size_t len = strlen(piece);
        if (n + (int)len > WORDS_MAX_BYTES) break;
        memcpy(text + n, piece, len);
        n += (int)len;
        if (len == 0) n = target;
      }
    }
    /* A copy of exactly n bytes, so that a read past the end is seen. */
    char *copy = malloc((size_t)(n ? n : 1));
    if (!copy) return;
    memcpy(copy, text, (size_t)n);
    ChoiceAnswer first = answerTo(copy, n, stale, 2);
    ChoiceOption odd[] = {{'A', C, copy, n}, {'B', F, "Save it", 7}};
    answerTo(copy, n, odd, 2);
    ts_choice_phrase(copy, n);
    ts_choice_skips_question(copy, n, copy, n);
    differ += first != answerTo(copy, n, stale, 2);
    free(copy);
  }
  CHECK_INT("random messages", differ, 0);
}

/* One wrong letter anywhere in the plainest answers never turns one into the other. */
static void testTyposStayOnTheirSide(void) {
  static const struct {
    const char *phrase;
    ChoiceAnswer answer;
  } plain[] = {{"continue", C},     {"go on", C},        {"keep going", C},  {"resume", C},
               {"carry on", C},     {"weitermachen", C}, {"continuar", C},   {"continuer", C},
               {"start fresh", F},  {"start over", F},   {"new task", F},    {"switch", F},
               {"neu anfangen", F}, {"recommencer", F},  {"the new one", F}, {"the old one", C}};
  for (int i = 0; i < COUNT(plain); i++) {
    char text[64];
    int n = (int)strlen(plain[i].phrase), crossed = 0;
    ChoiceAnswer other = plain[i].answer == C ? F : C;
    for (int at = 0; at < n; at++) {
      for (char letter = 'a'; letter <= 'z'; letter++) {
        memcpy(text, plain[i].phrase, (size_t)n);
        text[at] = letter;
        crossed += answerTo(text, n, stale, 2) == other;
        memcpy(text + at + 1, plain[i].phrase + at, (size_t)(n - at));
        text[at] = letter;
        crossed += answerTo(text, n + 1, stale, 2) == other;
      }
      memcpy(text, plain[i].phrase, (size_t)at);
      memcpy(text + at, plain[i].phrase + at + 1, (size_t)(n - at - 1));
      crossed += answerTo(text, n - 1, stale, 2) == other;
    }
    CHECK_INT(tap_name("typos in \"%s\"", plain[i].phrase), crossed, 0);
  }
}

/* The default options, as they are shown, answer their own choice; every default phrase of one way
** out is none of the other. */
static void testDefaultTexts(void) {
  static const char *const kinds[] = {"stale", "new_task", "unclear", "saved"};
  for (int i = 0; i < COUNT(kinds); i++) {
    const char *go = ts_text_default(tap_name("option.%s.continue", kinds[i]));
    const char *fresh = ts_text_default(tap_name("option.%s.start_fresh", kinds[i]));
    CHECK(kinds[i], go && fresh);
    if (!go || !fresh) continue;
    ChoiceOption options[] = {{'A', C, go, (int)strlen(go)}, {'B', F, fresh, (int)strlen(fresh)}};
    check(kinds[i], options, 2, go, C);
    check(kinds[i], options, 2, fresh, F);
  }
}

/* What the characters of Unicode are in an answer, from one to the last of a row; a letter otherwise. */
static const struct {
  unsigned first, last;
  char
      kind; /* n: nothing, it may stand within a word; s: a space; p: punctuation; a: a word of its own */
} characters[] = {
    {0x80, 0xA0, 's'},       {0xA1, 0xA1, 'p'},       {0xA2, 0xA9, 'a'},
    {0xAA, 0xAA, 'n'},       {0xAB, 0xAB, 'p'},       {0xAC, 0xAC, 'a'},
    {0xAD, 0xAD, 'n'},       {0xAE, 0xB3, 'a'},       {0xB4, 0xB4, 'n'},
    {0xB5, 0xB6, 'a'},       {0xB7, 0xB7, 'p'},       {0xBA, 0xBA, 'n'},
    {0xBB, 0xBB, 'p'},       {0xBF, 0xBF, 'p'},       {0x2BC, 0x2BC, 'n'},
    {0x300, 0x36F, 'n'},     {0x1680, 0x1680, 's'},   {0x2000, 0x200A, 's'},
    {0x200B, 0x200F, 'n'},   {0x2010, 0x2017, 'p'},   {0x2018, 0x2019, 'n'},
    {0x201A, 0x2027, 'p'},   {0x2028, 0x2029, 's'},   {0x202A, 0x202E, 'n'},
    {0x202F, 0x202F, 's'},   {0x2030, 0x205E, 'p'},   {0x205F, 0x205F, 's'},
    {0x2060, 0x206F, 'n'},   {0x20A0, 0x20CF, 'a'},   {0x20E3, 0x20E3, 'n'},
    {0x2190, 0x22FF, 'a'},   {0x2300, 0x23FF, 's'},   {0x2600, 0x26D3, 's'},
    {0x26D4, 0x26D4, 'a'},   {0x26D5, 0x2715, 's'},   {0x2716, 0x2718, 'a'},
    {0x2719, 0x274B, 's'},   {0x274C, 0x274C, 'a'},   {0x274D, 0x274D, 's'},
    {0x274E, 0x274E, 'a'},   {0x274F, 0x27BF, 's'},   {0x2B00, 0x2BFF, 's'},
    {0x2E80, 0x2FFF, 'a'},   {0x3000, 0x3000, 's'},   {0x3001, 0x3004, 'p'},
    {0x3005, 0x3007, 'a'},   {0x3008, 0x301F, 'p'},   {0x3020, 0x30FA, 'a'},
    {0x30FB, 0x30FB, 'p'},   {0x30FC, 0x30FF, 'a'},   {0x3400, 0x9FFF, 'a'},
    {0xF900, 0xFAFF, 'a'},   {0xFE00, 0xFE0F, 'n'},   {0xFEFF, 0xFEFF, 'n'},
    {0xFF61, 0xFF65, 'p'},   {0xFFFD, 0xFFFD, 'a'},   {0x1F000, 0x1F16F, 's'},
    {0x1F18A, 0x1F3FA, 's'}, {0x1F3FB, 0x1F3FF, 'n'}, {0x1F400, 0x1F44D, 's'},
    {0x1F44E, 0x1F44E, 'a'}, {0x1F44F, 0x1F6AA, 's'}, {0x1F6AB, 0x1F6AB, 'a'},
    {0x1F6AC, 0x1F6D0, 's'}, {0x1F6D1, 0x1F6D1, 'a'}, {0x1F6D2, 0x1FAFF, 's'},
    {0x20000, 0x3FFFF, 'a'},
};

/* In UTF-8; returns how many bytes. */
static int encode(unsigned c, char *out) {
  unsigned char *p = (unsigned char *)out;
  if (c < 0x800) {
    p[0] = (unsigned char)(0xC0 | c >> 6), p[1] = (unsigned char)(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    p[0] = (unsigned char)(0xE0 | c >> 12), p[1] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
    p[2] = (unsigned char)(0x80 | (c & 0x3F));
    return 3;
  }
  p[0] = (unsigned char)(0xF0 | c >> 18), p[1] = (unsigned char)(0x80 | (c >> 12 & 0x3F));
  p[2] = (unsigned char)(0x80 | (c >> 6 & 0x3F)), p[3] = (unsigned char)(0x80 | (c & 0x3F));
  return 4;
}

static char kindOf(unsigned c) {
  for (int i = 0; i < COUNT(characters); i++) {
    if (c >= characters[i].first && c <= characters[i].last) return characters[i].kind;
  }
  return 'l';
}

/* Is this, with the character in it, the answer B? */
static int isB(const char *before, unsigned c, const char *behind) {
  char text[40];
  int n = (int)strlen(before);
  memcpy(text, before, (size_t)n);
  n += encode(c, text + n);
  strcpy(text + n, behind);
  return answerTo(text, (int)strlen(text), stale, 2) == F;
}

static int isOfItsKind(unsigned c) {
  char kind = kindOf(c);
  int parts = kind == 's' || kind == 'p';
  /* (A word with a letter too many is taken for a typing error.) */
  return (kind == 'l' || isB("op", c, "tion b") == (kind == 'n')) &&
         isB("option", c, "b") == parts && isB("b", c, "") == (parts || kind == 'n');
}

/* The first and the last of every row, and those beside them, at the places where their kind tells: in a
** word, between two, and behind one. */
static void testCharacters(void) {
  for (int i = 0; i < COUNT(characters); i++) {
    const unsigned at[] = {characters[i].first - 1, characters[i].first, characters[i].last,
                           characters[i].last + 1};
    for (int k = 0; k < COUNT(at); k++) {
      if (at[k] < 0x80 || (at[k] >= 0x1F170 && at[k] <= 0x1F189))
        continue; /* tables above have those */
      CHECK(tap_name("U+%04X is of its kind, %c", at[k], kindOf(at[k])), isOfItsKind(at[k]));
    }
  }
}

/* ---- Signs between words ------------------------------------------------------------------------- */

static const struct {
  const char *text;
  int glued, list, stop; /* the first word of it */
} signs[] = {
    {"a-b", 1, 0, 0},  {"a_b", 1, 0, 0},  {"a#b", 1, 0, 0},  {"a:b", 0, 0, 0},   {"a/b", 0, 0, 0},
    {"a.b", 1, 0, 0},  {"a.bc", 0, 0, 0}, {"a.b.", 1, 0, 0}, {"a.1", 1, 0, 0},   {"a:1", 1, 0, 0},
    {"a/1", 0, 0, 0},  {"a#1", 1, 0, 0},  {"a+b", 1, 0, 0},  {"a&b", 1, 0, 0},   {"a%b", 1, 0, 0},
    {"a@b", 1, 0, 0},  {"a<b", 0, 0, 0},  {"a$b", 0, 0, 0},  {"a +b", 0, 0, 0},  {"a,b", 0, 0, 1},
    {"a) b", 0, 1, 1}, {"a. b", 0, 1, 1}, {"a: b", 0, 0, 1}, {"a,) b", 0, 0, 1}, {"a- b", 0, 0, 1},
};

/* What a sign makes of the word in front of it: one thing with the next one, the head of a list, the end of a
** sentence. */
static void testSigns(void) {
  for (int i = 0; i < COUNT(signs); i++) {
    Words w;
    ts_words_split(&w, signs[i].text, (int)strlen(signs[i].text));
    CHECK_INT(tap_name("%s: glued", signs[i].text), w.word[0].glued, signs[i].glued);
    CHECK_INT(tap_name("%s: list", signs[i].text), w.word[0].list, signs[i].list);
    CHECK_INT(tap_name("%s: stop", signs[i].text), w.word[0].stop, signs[i].stop);
  }
}

int main(void) {
  testPlaced();
  testBesides();
  testContext();
  testSpeaksOf();
  testPhrasings();
  testUndecided();
  testQuestions();
  testOthers();
  testPhraseAlone();
  testOwnOptions();
  testLimits();
  testRandom();
  testTyposStayOnTheirSide();
  testDefaultTexts();
  testCharacters();
  testSigns();
  return tap_done("choice");
}
