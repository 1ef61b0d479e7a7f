/*
** classify_eval.c - how good is the classifier on labelled messages, and how fast?
**
** Usage:  classify_eval [-v|-e|-a] FILE.jsonl … [RULES.sql …]
**
** Without files of rules, those of the directory sql are taken. Each line of a messages file is an
** object with state, message, label, and optionally id, lang, question and task. Prints accuracy,
** precision, recall and F1 per class, macro-F1 over the six classes (Unclear is left out), the rate
** of false closes, a confusion matrix, and the time per 100 characters. -v lists the wrong ones, -e
** with their evidence, -a all of them with their evidence.
**
** A false close is a message that is neither Confirmation nor Abandon, taken for one of them.
*/
#define _POSIX_C_SOURCE 200809L /* clock_gettime, scandir */
#include "load_rules.h"

#include <time.h>

typedef struct Item {
  const char *id, *lang, *state, *question, *task, *message;
  int nQuestion, nTask, nMessage;
  MessageClass label, got;
  ClassifyInput in;
} Item;

static Item *items;
static int nItems;

static const char *keep(sqlite3_stmt *q, int column, int *n) {
  int size = sqlite3_column_bytes(q, column);
  const char *text = (const char *)sqlite3_column_text(q, column);
  char *copy = malloc((size_t)size + 1);
  if (copy == 0) exit(2);
  memcpy(copy, text ? text : "", (size_t)size);
  copy[size] = 0;
  if (n) *n = size;
  return copy;
}

static void load_items(sqlite3 *db, const char *path) {
  char *text = read_file(path, 0), *line = strtok(text, "\n");
  sqlite3_stmt *q = 0;
  sqlite3_prepare_v2(db,
                     "SELECT ?1->>'id', ?1->>'lang', ?1->>'state', ?1->>'question', ?1->>'task',"
                     " ?1->>'message', ?1->>'label'",
                     -1, &q, 0);
  for (; line != 0; line = strtok(0, "\n")) {
    Item it;
    const char *label;
    int n;
    memset(&it, 0, sizeof(it));
    sqlite3_bind_text(q, 1, line, -1, SQLITE_STATIC);
    if (sqlite3_step(q) != SQLITE_ROW) {
      fprintf(stderr, "%s: not JSON: %s\n", path, line);
      exit(2);
    }
    it.id = keep(q, 0, 0);
    it.lang = keep(q, 1, 0);
    it.state = keep(q, 2, &n);
    it.in.state = (TaskState)ts_state_find(&ts_task_machine, it.state, n);
    it.in.question = keep(q, 3, &it.in.nQuestion);
    it.in.task = keep(q, 4, &it.in.nTask);
    it.message = it.in.message = keep(q, 5, &it.in.nMessage);
    label = keep(q, 6, &n);
    it.label = ts_class_find(label, n);
    free((void *)label);
    if ((int)it.in.state < 0 || it.label == CLASS_UNKNOWN) {
      fprintf(stderr, "%s: %s: bad state or label\n", path, it.id);
      exit(2);
    }
    sqlite3_reset(q);
    items = realloc(items, (size_t)(nItems + 1) * sizeof(*items));
    if (items == 0) exit(2);
    items[nItems++] = it;
  }
  sqlite3_finalize(q);
  free(text);
}

static void explain(const RuleSet *rules, const ClassifyResult *r) {
  for (int i = 0; i < r->nEvidence; i++) {
    const Evidence *e = &r->evidence[i];
    printf("      %-13s %+5.2f  ", ts_class_names[e->cls], e->weight);
    if (e->name != 0)
      printf("%s\n", e->name);
    else
      printf("rule %lld: %.90s\n", e->ruleId, ts_rules_get(rules, e->ruleIndex)->pattern);
  }
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void report(void) {
  int table[CLASS_COUNT][CLASS_COUNT] = {{0}}, right = 0, falseCloses = 0, open = 0;
  double macro = 0;
  int nMacro = 0;
  for (int i = 0; i < nItems; i++) {
    MessageClass want = items[i].label, got = items[i].got;
    table[want][got]++;
    right += want == got;
    if (want != CLASS_CONFIRMATION && want != CLASS_ABANDON) {
      open++;
      falseCloses += got == CLASS_CONFIRMATION || got == CLASS_ABANDON;
    }
  }
  printf("%-14s %6s %9s %7s %6s\n", "class", "count", "precision", "recall", "F1");
  for (int c = 0; c < CLASS_COUNT; c++) {
    int said = 0, is = 0;
    double p, r, f;
    for (int k = 0; k < CLASS_COUNT; k++) {
      said += table[k][c];
      is += table[c][k];
    }
    p = said ? (double)table[c][c] / said : 0;
    r = is ? (double)table[c][c] / is : 0;
    f = p + r > 0 ? 2 * p * r / (p + r) : 0;
    if (c != CLASS_UNCLEAR) {
      macro += f;
      nMacro++;
    }
    printf("%-14s %6d %9.3f %7.3f %6.3f\n", ts_class_names[c], is, p, r, f);
  }
  printf("\n%-14s", "is \\ taken for");
  for (int c = 0; c < CLASS_COUNT; c++)
    printf(" %6.6s", ts_class_names[c]);
  printf("\n");
  for (int c = 0; c < CLASS_COUNT; c++) {
    printf("%-14s", ts_class_names[c]);
    for (int k = 0; k < CLASS_COUNT; k++)
      printf(" %6d", table[c][k]);
    printf("\n");
  }
  printf("\nmessages      %d\naccuracy      %.3f\nmacro-F1      %.3f\n", nItems,
         nItems ? (double)right / nItems : 0, macro / nMacro);
  printf("false closes  %d of %d, %.1f %%\n", falseCloses, open,
         open ? 100.0 * falseCloses / open : 0);
}

static int run(RuleSet *rules, Item *it, ClassifyResult *r) {
  char err[400] = "out of memory";
  if (ts_classify(rules, &it->in, r, err, sizeof(err)) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", it->id, err);
    exit(1);
  }
  return r->cls;
}

/* The best of many rounds, so that other programs on the machine count little. */
static void measure(RuleSet *rules) {
  ClassifyResult r;
  double start = seconds(), best = 1e9, chars = 0;
  while (seconds() - start < 1) {
    double begin = seconds(), took;
    for (int i = 0; i < nItems; i++)
      run(rules, &items[i], &r);
    took = seconds() - begin;
    if (took < best) best = took;
  }
  for (int i = 0; i < nItems; i++) {
    const unsigned char *p = (const unsigned char *)items[i].message;
    for (; *p; p++)
      chars += (*p & 0xC0) != 0x80;
  }
  printf("time          %.2f us per message, %.2f us per 100 characters (%d rules)\n",
         best * 1e6 / nItems, best * 1e6 / chars * 100, ts_rules_count(rules));
}

int main(int argc, char **argv) {
  int isVerbose = 0, withEvidence = 0, all = 0, nRuleFiles = 0, a = 1;
  sqlite3 *db;
  RuleSet *rules;
  for (; a < argc && argv[a][0] == '-'; a++) {
    isVerbose |= strchr("vea", argv[a][1]) != 0;
    withEvidence |= strchr("ea", argv[a][1]) != 0;
    all |= argv[a][1] == 'a';
  }
  db = open_rules();
  for (int i = a; i < argc; i++) {
    size_t n = strlen(argv[i]);
    if (n > 4 && strcmp(argv[i] + n - 4, ".sql") == 0) {
      load_rules(db, argv[i]);
      nRuleFiles++;
    } else {
      load_items(db, argv[i]);
    }
  }
  if (nItems == 0) {
    fprintf(stderr, "usage: classify_eval [-v|-e|-a] FILE.jsonl ... [RULES.sql ...]\n");
    return 2;
  }
  if (nRuleFiles == 0) load_all_rules(db, "sql");
  rules = build_rules(db);
  for (int i = 0; i < nItems; i++) {
    ClassifyResult r;
    items[i].got = (MessageClass)run(rules, &items[i], &r);
    if (!isVerbose || (items[i].got == items[i].label && !all)) continue;
    printf("%s %s %s: %s taken for %s: [%.80s] %.300s\n", items[i].id, items[i].lang,
           items[i].state, ts_class_names[items[i].label], ts_class_names[items[i].got],
           items[i].in.question, items[i].message);
    if (withEvidence) explain(rules, &r);
  }
  report();
  measure(rules);
  ts_rules_free(rules);
  for (int i = 0; i < nItems; i++) {
    free((void *)items[i].id);
    free((void *)items[i].lang);
    free((void *)items[i].state);
    free((void *)items[i].in.question);
    free((void *)items[i].in.task);
    free((void *)items[i].message);
  }
  free(items);
  sqlite3_close(db);
  return 0;
}
