/*
** count_classify.c - classifies some messages, reads some as answers to a choice, to whom long ones are said, and what
** long reports ask, and what the first message of a connection costs, for tests/classify/instructions.py.
**
** Usage:  count_classify DIRECTORY-OF-RULES
**
** Rules are run until their machine code is made, as in a connection that has classified for a while; only then
** comes what is counted: count_this. Prints a line per message, its name and its characters.
*/
#define _POSIX_C_SOURCE 200809L /* scandir */
#include "address.h"
#include "answer.h"
#include "load_rules.h"
#include "report.h"
#include "turnstile.h"

static sqlite3 *connection;

#define TASK "build a small web shop that sells tea, with a list of products and a checkout"
#define SAID                                                                                       \
  "I have added the list of products. Shall I go on with the checkout, or do you want to look "    \
  "first?"

/* Of about a hundred characters each. */
static const struct {
  const char *name, *text;
  int n; /* characters up to which it is repeated; 0: as it is */
} messages[] = {
    {"short",
     "The list looks good, but the prices are missing on small screens. Please put them below the "
     "names now",
     0},
    {"order",
     "can you also add a filter for green tea and make sure that the buttons still work when I "
     "click twice?",
     0},
    {"german",
     "Die Liste sieht gut aus, aber die Preise fehlen auf kleinen Bildschirmen. Setz sie bitte "
     "unter den Namen",
     0},
    {"russian",
     "Список выглядит хорошо, но цены не видны на маленьких экранах. Поставь их, пожалуйста, под "
     "названиями тут",
     0},
    {"chinese", "列表看起来不错，但是在小屏幕上看不到价格。请把价格放到名称下面，按钮也要大一点",
     0},
    {"long",
     "The list looks good, but the prices are missing on small screens and I wonder why that is "
     "so. "
     "Please put them below the names, and use the font of the headings there. When I open the "
     "cart "
     "nothing happens for a second or two; it should tell that it loads. I have written down what "
     "the others said about it in the meeting, so that you know what they need from us.\n",
     10000},
    {"long log",
     "2024-05-01 12:00:01 ERROR [main] shop.Cart: cannot read /var/lib/shop/cart.json (code 17)\n",
     10000},
    {"long russian",
     "Список выглядит хорошо, но цены не видны на маленьких экранах. Поставь их, пожалуйста, под "
     "названиями. "
     "Когда я открываю корзину, секунду ничего не происходит.\n",
     10000},
};

/* The characters of a text. */
static int length(const char *text, int n) {
  int chars = 0;
  for (int i = 0; i < n; i++)
    chars += ((unsigned char)text[i] & 0xC0) != 0x80;
  return chars;
}

/* Repeats a text until it has so many characters. */
static int repeat(const char *text, int chars, char *out) {
  int n = 0, unit = (int)strlen(text), has = length(text, unit);
  for (int all = 0; all < chars; all += has, n += unit)
    memcpy(out + n, text, (size_t)unit);
  return n;
}

static void classify(RuleSet *rules, const ClassifyInput *in, ClassifyResult *result) {
  char err[400] = "out of memory";
  if (ts_classify(rules, in, result, err, sizeof(err)) != SQLITE_OK || result->nLeftOut) {
    fprintf(stderr, "%s\n", err);
    exit(1);
  }
}

static ChoiceReading readChoice(const char *text, int n) {
  static const ChoiceOption options[] = {
      {'A', ANSWER_CONTINUE, "Continue the task", 17},
      {'B', ANSWER_START_FRESH, "Start fresh with the new one", 28},
  };
  ChoiceContext context = {TASK, (int)strlen(TASK), "write a parser for the logs", 27, 0};
  return ts_choice_read(text, n, options, 2, &context);
}

/* As many names as there may be: "n0.x,n1.x,…". */
static int manyNames(char *out, int size) {
  int n = 0;
  for (int i = 0; i < ADDRESS_MAX_NAMES; i++)
    n += snprintf(out + n, (size_t)(size - n), "n%d.x,", i);
  return n;
}

static MessageClass readAddress(const char *text, int n) {
  static char names[8 * ADDRESS_MAX_NAMES];
  Address a;
  ts_address_read(text, n, names, manyNames(names, sizeof(names)), &a);
  return a.to == ADDRESSED_HERE ? CLASS_RESPONSE : CLASS_UNCLEAR;
}

/* What the first message of a connection costs, by SQL: reading the rules. */
static MessageClass classifyFirst(void) {
  static const char sql[] = "SELECT classify_message('yes', 'AwaitingUser') = 'Response'";
  sqlite3_stmt *q = 0;
  int is;
  if (sqlite3_prepare_v2(connection, sql, -1, &q, 0) != SQLITE_OK ||
      sqlite3_step(q) != SQLITE_ROW) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(connection));
    exit(1);
  }
  is = sqlite3_column_int(q, 0);
  sqlite3_finalize(q);
  return is ? CLASS_RESPONSE : CLASS_UNCLEAR;
}

/* Not static, so that it keeps its name. in NULL: a connection's first message. rules NULL: the message is an answer to a choice; a state: it is read to whom
** it is said, or, where one is running, what it asks as a report. */
void count_this(RuleSet *rules, const ClassifyInput *in, ClassifyResult *result);

__attribute__((noinline)) void count_this(RuleSet *rules, const ClassifyInput *in,
                                          ClassifyResult *result) {
  if (!in)
    result->cls = classifyFirst();
  else if (rules)
    classify(rules, in, result);
  else if (in->state == TASK_RUNNING)
    result->cls = ts_report_asks(in->message, in->nMessage) ? CLASS_RESPONSE : CLASS_UNCLEAR;
  else if (in->state != TASK_NONE)
    result->cls = readAddress(in->message, in->nMessage);
  else
    result->cls = readChoice(in->message, in->nMessage).hasWords ? CLASS_RESPONSE : CLASS_UNCLEAR;
}

/* Counts the messages of a hundred characters as answers: none of them is one. */
static void countChoices(void) {
  ClassifyResult result;
  for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
    ClassifyInput in = {.message = messages[i].text, .nMessage = (int)strlen(messages[i].text)};
    if (messages[i].n) continue;
    count_this(0, &in, &result);
    printf("%s %d choice, %s\n", ts_class_names[result.cls], length(in.message, in.nMessage),
           messages[i].name);
  }
}

/* Messages of a million characters that are nothing but names, mentions, blanks or what nobody sees. */
static void countAddresses(void) {
  static const char *const pieces[][2] = {{"n0.x,", "names"},          {"@a ", "mentions"},
                                          {"n\xE2\x80\x8B", "unseen"}, {" ", "blanks"},
                                          {"[n0.x](a)", "brackets"},   {"@a", "one mention"},
                                          {"<@U1|n0.x>", "tags"},      {"!", "marks"}};
  static char text[1000 * 1000 * 4];
  ClassifyResult result;
  for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
    ClassifyInput in = {.message = text, .state = TASK_PENDING_COMPLETE};
    in.nMessage = repeat(pieces[i][0], 1000 * 1000, text);
    count_this(0, &in, &result);
    printf("%s %d address, %s\n", ts_class_names[result.cls], length(text, in.nMessage),
           pieces[i][1]);
  }
}

/* Reports in which much begins that nothing ends. */
static void countReports(void) {
  static const char *const pieces[][2] = {{"'", "quotes"},      {"](", "links"},
                                          {"<!--", "comments"}, {"a\xE2\x80\x9C", "quotations"},
                                          {"'a", "words"},      {"`\n", "code"}};
  static char text[64 * 1024 + 16];
  ClassifyResult result;
  for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
    ClassifyInput in = {.message = text, .state = TASK_RUNNING};
    in.nMessage = repeat(pieces[i][0], 20000, text);
    count_this(0, &in, &result);
    printf("%s %d report, %s\n", ts_class_names[result.cls], length(text, in.nMessage),
           pieces[i][1]);
  }
}

/* Counts the first message of a connection to a file that is installed. */
static void countLoading(void) {
  ClassifyResult result;
  char *error = 0;
  if (sqlite3_open(":memory:", &connection) != SQLITE_OK ||
      sqlite3_turnstile_init(connection, &error, 0) != SQLITE_OK ||
      sqlite3_exec(connection, "SELECT turnstile_install()", 0, 0, &error) != SQLITE_OK) {
    fprintf(stderr, "%s\n", error ? error : "no connection");
    exit(1);
  }
  count_this(0, 0, &result);
  printf("%s %d load\n", ts_class_names[result.cls], 3);
  sqlite3_close(connection);
}

int main(int argc, char **argv) {
  static char text[64 * 1024];
  ClassifyResult result;
  sqlite3 *db = open_rules();
  RuleSet *rules;
  if (argc != 2) return 2;
  load_all_rules(db, argv[1]);
  rules = build_rules(db);
  for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
    ClassifyInput in = {
        text, 0, TASK_PENDING_COMPLETE, TASK, (int)strlen(TASK), SAID, (int)strlen(SAID), 0};
    in.nMessage = repeat(messages[i].text, messages[i].n ? messages[i].n : 1, text);
    for (int round = 0; round < 3; round++)
      classify(rules, &in, &result);
    count_this(rules, &in, &result);
    printf("%s %d %s\n", ts_class_names[result.cls], length(text, in.nMessage), messages[i].name);
  }
  countChoices();
  countAddresses();
  countReports();
  countLoading();
  ts_rules_free(rules);
  sqlite3_close(db);
  return 0;
}
