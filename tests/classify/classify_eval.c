/*
** classify_eval.c - how good is the classifier on labelled messages, and how fast?
**
** Usage:  classify_eval [-v|-e|-a] FILE.jsonl[:work|:unseen] … [RULES.sql …]
**
** Without files of rules, those of the directory sql are taken. What a messages file holds, and what its
** halves are, is in labelled.h. Prints precision, recall and F1 per class, macro-F1 over the six
** classes (Unclear is left out), a confusion matrix, accuracy and macro-F1 per language and state, the
** rates of false closes and of wrong new tasks, how far the confidence can be believed, and the time
** per 100 characters. -v lists the wrong ones, -e with their evidence, -a all of them with their
** evidence.
**
** A false close is a message that is neither Confirmation nor Abandon, taken for one of them. A wrong
** new task is one that is no NewTask, taken for it. The expected calibration error is the mean
** distance between confidence and accuracy in ten ranges of confidence, weighed by their messages.
*/
#define _POSIX_C_SOURCE 200809L /* clock_gettime, scandir */
#include "labelled.h"

#include <math.h>
#include <time.h>

static double *confidences;

static void explain(const RuleSet *rules, const ClassifyResult *r) {
  for (int i = 0; i < r->nEvidence; i++) {
    const Evidence *e = &r->evidence[i];
    printf("      %-13s %+5.2f  ", ts_class_names[e->cls], e->weight);
    if (e->nWord > 0)
      printf("\"%.*s\"\n", e->nWord, r->words + e->wordAt);
    else if (e->name != 0)
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

/* Of the messages for which a field of Item has a value, or of all. */
typedef struct Figures {
  int table[CLASS_COUNT][CLASS_COUNT]; /* what it is, what it was taken for */
  int n, right;
  double precision[CLASS_COUNT], recall[CLASS_COUNT], f1[CLASS_COUNT];
  double macro; /* over the classes that occur, Unclear apart */
} Figures;

static void scoreClasses(Figures *f) {
  int nMacro = 0;
  for (int c = 0; c < CLASS_COUNT; c++) {
    int said = 0, is = 0;
    for (int k = 0; k < CLASS_COUNT; k++) {
      said += f->table[k][c];
      is += f->table[c][k];
    }
    f->precision[c] = said ? (double)f->table[c][c] / said : 0;
    f->recall[c] = is ? (double)f->table[c][c] / is : 0;
    if (f->precision[c] + f->recall[c] > 0)
      f->f1[c] = 2 * f->precision[c] * f->recall[c] / (f->precision[c] + f->recall[c]);
    if (c == CLASS_UNCLEAR || is == 0) continue;
    f->macro += f->f1[c];
    nMacro++;
  }
  f->macro = nMacro ? f->macro / nMacro : 0;
}

static Figures figuresOf(const char *lang, const char *state) {
  Figures f;
  memset(&f, 0, sizeof(f));
  for (int i = 0; i < nItems; i++) {
    if (lang != 0 && strcmp(items[i].lang, lang) != 0) continue;
    if (state != 0 && strcmp(items[i].state, state) != 0) continue;
    f.table[items[i].label][items[i].got]++;
    f.right += items[i].label == items[i].got;
    f.n++;
  }
  scoreClasses(&f);
  return f;
}

/* Messages that are not of some classes, taken for one of them. */
static int wronglyTaken(const Figures *f, unsigned classes, int *nOthers) {
  int wrong = 0;
  *nOthers = 0;
  for (int is = 0; is < CLASS_COUNT; is++) {
    for (int got = 0; got < CLASS_COUNT && !(classes >> is & 1); got++) {
      *nOthers += f->table[is][got];
      wrong += classes >> got & 1 ? f->table[is][got] : 0;
    }
  }
  return wrong;
}

static void reportTable(const Figures *f) {
  printf("%-14s %6s %9s %7s %6s\n", "class", "count", "precision", "recall", "F1");
  for (int c = 0; c < CLASS_COUNT; c++) {
    int is = 0;
    for (int k = 0; k < CLASS_COUNT; k++)
      is += f->table[c][k];
    printf("%-14s %6d %9.3f %7.3f %6.3f\n", ts_class_names[c], is, f->precision[c], f->recall[c],
           f->f1[c]);
  }
  printf("\n%-14s", "is \\ taken for");
  for (int c = 0; c < CLASS_COUNT; c++)
    printf(" %6.6s", ts_class_names[c]);
  printf("\n");
  for (int c = 0; c < CLASS_COUNT; c++) {
    printf("%-14s", ts_class_names[c]);
    for (int k = 0; k < CLASS_COUNT; k++)
      printf(" %6d", f->table[c][k]);
    printf("\n");
  }
}

static void reportLine(const char *what, const Figures *f) {
  int others, closes = wronglyTaken(f, 1u << CLASS_CONFIRMATION | 1u << CLASS_ABANDON, &others);
  printf("%-16s %5d %9.3f %9.3f %6d\n", what, f->n, f->n ? (double)f->right / f->n : 0, f->macro,
         closes);
}

/* One line per value of a field, in the order of first appearance. */
static void reportEach(int byState) {
  for (int i = 0; i < nItems; i++) {
    const char *value = byState ? items[i].state : items[i].lang;
    Figures f;
    int seen = 0;
    for (int k = 0; k < i && !seen; k++)
      seen = strcmp(byState ? items[k].state : items[k].lang, value) == 0;
    if (seen) continue;
    f = byState ? figuresOf(0, value) : figuresOf(value, 0);
    reportLine(value, &f);
  }
}

#define RANGES 10

static void reportConfidence(void) {
  int n[RANGES] = {0}, right[RANGES] = {0};
  double sum[RANGES] = {0}, error = 0;
  for (int i = 0; i < nItems; i++) {
    int k = (int)(confidences[i] * RANGES);
    if (k >= RANGES) k = RANGES - 1;
    n[k]++;
    right[k] += items[i].got == items[i].label;
    sum[k] += confidences[i];
  }
  printf("\n%-16s %5s %9s %9s\n", "confidence", "count", "mean", "right");
  for (int k = 0; k < RANGES; k++) {
    if (n[k] == 0) continue;
    printf("%.1f to %.1f       %5d %9.3f %9.3f\n", (double)k / RANGES, (double)(k + 1) / RANGES,
           n[k], sum[k] / n[k], (double)right[k] / n[k]);
    error += fabs(sum[k] - right[k]);
  }
  printf("calibration error %.3f\n", nItems ? error / nItems : 0);
}

static void report(void) {
  Figures f = figuresOf(0, 0);
  int others, wrong;
  reportTable(&f);
  printf("\n%-16s %5s %9s %9s %6s\n", "", "count", "accuracy", "macro-F1", "closes");
  reportLine("all", &f);
  reportEach(1);
  reportEach(0);
  reportConfidence();
  printf("\nmessages      %d\naccuracy      %.3f\nmacro-F1      %.3f\n", nItems,
         nItems ? (double)f.right / nItems : 0, f.macro);
  wrong = wronglyTaken(&f, 1u << CLASS_CONFIRMATION | 1u << CLASS_ABANDON, &others);
  printf("false closes  %d of %d, %.1f %%\n", wrong, others, others ? 100.0 * wrong / others : 0);
  wrong = wronglyTaken(&f, 1u << CLASS_NEW_TASK, &others);
  printf("wrong NewTask %d of %d, %.1f %%\n", wrong, others, others ? 100.0 * wrong / others : 0);
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

static void classifyAll(RuleSet *rules, int isVerbose, int withEvidence, int all) {
  confidences = malloc((size_t)(nItems + 1) * sizeof(*confidences));
  if (confidences == 0) exit(2);
  for (int i = 0; i < nItems; i++) {
    ClassifyResult r;
    items[i].in.listsWords = withEvidence;
    items[i].got = (MessageClass)run(rules, &items[i], &r);
    confidences[i] = r.confidence;
    if (!isVerbose || (items[i].got == items[i].label && !all)) continue;
    printf("%s %s %s: %s taken for %s: [%.80s] %.300s\n", items[i].id, items[i].lang,
           items[i].state, ts_class_names[items[i].label], ts_class_names[items[i].got],
           items[i].in.question, items[i].message);
    if (withEvidence) explain(rules, &r);
  }
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
    fprintf(stderr, "usage: classify_eval [-v|-e|-a] FILE.jsonl[:work|:unseen] ... "
                    "[RULES.sql ...]\n");
    return 2;
  }
  if (nRuleFiles == 0) load_all_rules(db, "sql/rules");
  rules = build_rules(db);
  classifyAll(rules, isVerbose, withEvidence, all);
  report();
  measure(rules);
  ts_rules_free(rules);
  free_items();
  free(confidences);
  sqlite3_close(db);
  return 0;
}
