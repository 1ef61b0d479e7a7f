/*
** classify_train.c - learns ext/classify/word_weights.c from labelled messages.
**
** Usage:  classify_train [-c|-w] [-t FILE.jsonl] FILE.jsonl[:work] … [LANG.txt …] [-m FILE …]  > word_weights.c
**
** The model is a softmax over the classes: the score that rules and shape give, times one scale, and on
** top of it a weight per feature and class. Weights are learnt by gradient descent with a step of its
** own per weight (AdaGrad), in a fixed order and with nothing but sums, products, quotients and square
** roots, so that the same messages give the same table on every machine. Each time a message is learnt from, a
** part of its features, drawn anew, is left out: so no single word carries a class alone. It is learnt twice: at
** first for all features, of which those get a row that move scores most (the sum of squares of the weights, times
** the root of the number of messages with the feature), as many as a group has rows; and then anew for these
** alone. Then weights are rounded and written out. Messages of which all closes are left out:
** what they are is known without their words.
**
** -t names messages that are as frequent as in life, and that the rules were written from. They weigh three times
** what others do, but don't teach the scale of the rules' scores, which look surer there than they are.
**
** Files LANG.txt and LANG.WHO.txt hold messages that were written for learning (see labelled.h). Their classes are
** not as frequent as in life, so what is learnt is how far a message tells more than its state and source do: of
** every message of the three kinds (-t, others, written) it is taken for known how frequent its class is there
** beside how frequent it will be (a mean of -t and others, IN_LIFE of it from -t). So many can be written of what
** is hard without that being thought frequent.
**
** What is written out is the mean of the weights in the second half of the rounds: it depends less on the
** messages that came last.
**
** -c: no table; instead each fifth of the messages is judged by what the other four teach, and accuracy,
** macro-F1, false closes and the calibration error are printed. -w lists, beside that, the messages that are
** taken for the wrong class. Messages whose ids end
** in numbers of the same ten are judged together: they come from one conversation, or from one sitting. Of those
** that were written a situation is judged with all its messages, and a line for several states in all of them.
*/
#define _POSIX_C_SOURCE 200809L /* scandir */
#include "labelled.h"
#include "learnt.h"
#include "shares.h"

#include <math.h>

#define FOLDS 5
#define NEIGHBOURS 10 /* so many ids that follow one another are judged together */
#define ROUNDS 8
#define PASSES 20    /* of which the mean is taken */
#define STEP 0.12    /* of descent */
#define DECAY 0.005  /* of every weight, per message and round */
#define TUNED 3      /* how much a message of -t weighs beside another */
#define IN_LIFE 0.25 /* see above */
#define LEFT_OUT 5   /* of ten features, at each step */
#define SURE                                                                                       \
  0.85 /* people never met are understood less well than those that were learnt from: shares are less apart */
#define CLOSING 0.75 /* these and the leads as in classify.c */
#define CLOSING_ASKED 0.85
#define UNCLEAR 0.6
#define CLOSING_LEAD 1.5
#define NEW_TASK_LEAD 0.5

typedef struct Example {
  int n, nLooks, *feature; /* indices of features; the first nLooks count in full */
  int nTokens;
  double score[CLASS_COUNT];
  int isDecided, kind;
  double weight;
} Example;

/* What is learnt for one feature. */
typedef struct Feature {
  unsigned hash;
  double w[CLASS_COUNT], seen[CLASS_COUNT], sum[CLASS_COUNT];
  double nMessages, gain;
  int row;  /* index of the feature, or of the code, whose weights answer for it, -1: none */
  int code; /* of a feature that holds a row */
} Feature;

static Example *examples;
static Feature *features; /* by hash; and behind them the codes */
static int nTuned, nLearnt, nFeatures,
    listsWrong;                 /* nLearnt: the items behind these are only measured */
static double scale, scaleSeen; /* of scores */

enum { KIND_TUNED, KIND_OTHERS, KIND_WRITTEN, KIND_MEASURED, KINDS };

/* How much more frequent a class is in the messages of a kind and state than it will be, as a logarithm. */
static double frequent[KINDS][TASK_STATE_COUNT][CLASS_COUNT];

/* The logarithm of what is not above 1: by Newton, with nothing that differs between machines. */
static double log_of(double x) {
  double y = 0;
  for (int i = 0; i < 60; i++)
    y += x / ts_exp(y) - 1;
  return y;
}

/* Of the messages of a kind and state, the share of each class. */
static void share_of(int kind, int state, double *share) {
  double all = 0;
  for (int c = 0; c < CLASS_COUNT; c++)
    all += share[c] = 0.5;
  for (int i = 0; i < nItems; i++) {
    if (examples[i].kind != kind || (int)items[i].in.state != state || examples[i].isDecided)
      continue;
    share[items[i].label]++;
    all++;
  }
  for (int c = 0; c < CLASS_COUNT; c++)
    share[c] /= all;
}

static void count_classes(void) {
  double share[KINDS][CLASS_COUNT];
  for (int state = 0; state < TASK_STATE_COUNT; state++) {
    for (int kind = 0; kind < KINDS; kind++)
      share_of(kind, state, share[kind]);
    for (int c = 0; c < CLASS_COUNT; c++) {
      double wanted = IN_LIFE * share[KIND_TUNED][c] + (1 - IN_LIFE) * share[KIND_OTHERS][c];
      for (int kind = 0; kind < KINDS; kind++)
        frequent[kind][state][c] = log_of(share[kind][c]) - log_of(wanted);
    }
  }
}

static void *allocate(size_t n, size_t size) {
  void *p = calloc(n ? n : 1, size);
  if (p == 0) exit(2);
  return p;
}

static int by_hash(const void *a, const void *b) {
  unsigned left = ((const Feature *)a)->hash, right = ((const Feature *)b)->hash;
  return left < right ? -1 : left > right;
}

/* Numbers the features of all examples, which hold hashes until now. */
static void number_features(void) {
  size_t n = 0;
  for (int i = 0; i < nItems; i++)
    n += (size_t)examples[i].n;
  features = allocate(n + TS_LEARNT_CODES, sizeof(*features));
  n = 0;
  for (int i = 0; i < nItems; i++)
    for (int k = 0; k < examples[i].n; k++)
      features[n++].hash = (unsigned)examples[i].feature[k];
  qsort(features, n, sizeof(*features), by_hash);
  for (size_t i = 0; i < n; i++)
    if (nFeatures == 0 || features[nFeatures - 1].hash != features[i].hash)
      features[nFeatures++].hash = features[i].hash;
  for (int i = 0; i < nItems; i++) {
    for (int k = 0; k < examples[i].n; k++) {
      Feature key = {.hash = (unsigned)examples[i].feature[k]}, *found;
      found = bsearch(&key, features, (size_t)nFeatures, sizeof(key), by_hash);
      examples[i].feature[k] = (int)(found - features);
    }
  }
}

static void read_examples(RuleSet *rules) {
  static WordFeatures words;
  examples = allocate((size_t)nItems, sizeof(*examples));
  for (int i = 0; i < nItems; i++) {
    Example *e = &examples[i];
    ClassifyResult r;
    char err[400] = "out of memory";
    if (ts_classify_rules(rules, &items[i].in, &r, &words, err, sizeof(err)) != SQLITE_OK) {
      fprintf(stderr, "%s: %s\n", items[i].id, err);
      exit(1);
    }
    memcpy(e->score, r.score, sizeof(r.score));
    e->isDecided = r.isDecided;
    e->kind = i >= nLearnt         ? KIND_MEASURED
              : i < nTuned         ? KIND_TUNED
              : items[i].isWritten ? KIND_WRITTEN
                                   : KIND_OTHERS;
    e->weight = i < nTuned ? TUNED : 1;
    e->n = words.n;
    e->nLooks = words.nLooks;
    e->nTokens = words.nTokens;
    e->feature = allocate((size_t)words.n, sizeof(int));
    for (int k = 0; k < words.n; k++)
      e->feature[k] = (int)words.hash[k];
  }
  number_features();
  count_classes();
}

/* How a feature of a damped message counts. */
static double part_of(const Example *e, int feature) {
  if (feature < e->nLooks || e->nTokens <= TS_LEARNT_DAMPED) return 1;
  return (double)TS_LEARNT_DAMPED / e->nTokens;
}

/* What answers for the k-th feature of a message, 0: nothing. */
static Feature *row_of(const Example *e, int k) {
  int row = features[e->feature[k]].row;
  return row < 0 ? 0 : &features[row];
}

/* What the words of a message say, those apart that are left out (0: none are). */
static void words_of(const Example *e, const unsigned char *isLeftOut, double *sum) {
  for (int c = 0; c < CLASS_COUNT; c++)
    sum[c] = 0;
  for (int i = 0; i < e->n; i++) {
    const Feature *row = row_of(e, i);
    double part = part_of(e, i);
    if (isLeftOut != 0 && isLeftOut[i]) continue;
    for (int c = 0; c < CLASS_COUNT && row != 0; c++)
      sum[c] += row->w[c] * part;
  }
}

static void softmax(const double *in, double *out) {
  double top = in[0], sum = 0;
  for (int c = 1; c < CLASS_COUNT; c++)
    if (in[c] > top) top = in[c];
  for (int c = 0; c < CLASS_COUNT; c++)
    sum += out[c] = ts_exp(in[c] - top);
  for (int c = 0; c < CLASS_COUNT; c++)
    out[c] /= sum;
}

static unsigned next_random(unsigned *random) {
  *random = *random * 1664525u + 1013904223u;
  return *random >> 8;
}

/* Draws what is left out. */
static void draw(unsigned *random, int n, unsigned char *isLeftOut) {
  for (int i = 0; i < n; i++) {
    isLeftOut[i] = (next_random(random) >> 8) % 10 < LEFT_OUT;
  }
}

static void move_weights(const Example *e, const unsigned char *isLeftOut, int c, double g) {
  for (int i = 0; i < e->n; i++) {
    Feature *row = row_of(e, i);
    double step;
    if (row == 0 || isLeftOut[i]) continue;
    step = g * part_of(e, i) + DECAY * row->w[c];
    row->seen[c] += step * step;
    row->w[c] -= STEP * step / sqrt(row->seen[c] + 1e-3);
  }
}

static void learn(const Example *e, MessageClass label, TaskState state, unsigned *random) {
  static unsigned char isLeftOut[TS_LEARNT_FEATURES];
  double words[CLASS_COUNT], z[CLASS_COUNT], p[CLASS_COUNT], slope = 0;
  draw(random, e->n, isLeftOut);
  words_of(e, isLeftOut, words);
  for (int c = 0; c < CLASS_COUNT; c++)
    z[c] = scale * e->score[c] + words[c] * 10 / (10 - LEFT_OUT) + frequent[e->kind][state][c];
  softmax(z, p);
  for (int c = 0; c < CLASS_COUNT; c++) {
    double g = (p[c] - (c == (int)label)) * e->weight;
    slope += g * e->score[c];
    move_weights(e, isLeftOut, c, g);
  }
  if (e->kind == KIND_TUNED) return; /* see above */
  scaleSeen += slope * slope;
  scale -= STEP * 0.2 * slope / sqrt(scaleSeen + 1e-3);
  if (scale < 0.05) scale = 0.05;
}

/* The same for neighbours: by the kind of id, and the tens of its number. */
static unsigned sitting_of(const Item *it) {
  size_t n = strlen(it->id);
  unsigned h;
  while (n > 0 && it->id[n - 1] >= '0' && it->id[n - 1] <= '9')
    n--;
  if (it->id[n] == 0) return it->hash;
  h = ((unsigned)strtoul(it->id + n, 0, 10) / NEIGHBOURS + 1) * 2654435761u;
  h ^= n > 0 ? (unsigned char)it->id[0] * 0x85EBCA6Bu : 0;
  h = (h ^ h >> 16) * 0xC2B2AE35u;
  return h ^ h >> 13;
}

/* Is it judged when this fold is? */
static int is_judged(int i, int fold) {
  unsigned sitting = items[i].isWritten ? items[i].situation : sitting_of(&items[i]);
  if (i >= nLearnt) return fold == 0;
  return fold >= 0 && (int)(sitting % FOLDS) == fold;
}

/* Is it learnt from then? */
static int is_learnt(int i, int fold) {
  return i < nLearnt && !examples[i].isDecided && !is_judged(i, fold);
}

/* All examples, in an order of its own for each round. */
static const int *order_of(int round) {
  static int *order;
  unsigned random = 987654321u + (unsigned)round * 2654435761u;
  if (order == 0) order = allocate((size_t)nItems, sizeof(*order));
  for (int i = 0; i < nItems; i++)
    order[i] = i;
  for (int i = nItems - 1; i > 0; i--) {
    int k = (int)(next_random(&random) % (unsigned)(i + 1)), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
  return order;
}

/* One round over all examples but those judged in a fold (-1: over all). */
static void teach(int round, int fold) {
  const int *order = order_of(round);
  unsigned random = 12345u + (unsigned)round;
  for (int i = 0; i < nItems; i++) {
    const Example *e = &examples[order[i]];
    const Item *it = &items[order[i]];
    if (is_learnt(order[i], fold)) learn(e, it->label, it->in.state, &random);
  }
}

static void forget(void) {
  scale = 0.4;
  scaleSeen = 0;
  for (int i = 0; i < nFeatures; i++) {
    memset(features[i].w, 0, sizeof(features[i].w));
    memset(features[i].seen, 0, sizeof(features[i].seen));
  }
}

/* What each feature moves, in the messages that a fold learns from. */
static void weigh_features(int fold) {
  for (int i = 0; i < nFeatures; i++)
    features[i].nMessages = 0;
  for (int i = 0; i < nItems; i++)
    for (int k = 0; k < examples[i].n && is_learnt(i, fold); k++)
      features[examples[i].feature[k]].nMessages++;
  for (int i = 0; i < nFeatures; i++) {
    features[i].gain = 0;
    for (int c = 0; c < CLASS_COUNT; c++)
      features[i].gain += features[i].w[c] * features[i].w[c] * sqrt(features[i].nMessages);
  }
}

/* Which features hold the rows: indices, -1: none. */
static int holder[TS_LEARNT_ROWS]; /* in groups of TS_LEARNT_WAYS */

/* Finds a row for a feature in its group: one of the same mark, or else the one that is worth least. Whoever
** moves scores more has it. */
static void claim_row(int feature) {
  const Feature *f = &features[feature];
  int first = ts_learnt_group(f->hash), row = first;
  for (int at = first; at < first + TS_LEARNT_WAYS; at++) {
    if (holder[at] >= 0 && ts_learnt_mark(features[holder[at]].hash) == ts_learnt_mark(f->hash)) {
      row = at;
      break;
    }
    if (holder[at] < 0 ||
        (holder[row] >= 0 && features[holder[at]].gain < features[holder[row]].gain))
      row = at;
  }
  if (f->gain > 0 && (holder[row] < 0 || f->gain > features[holder[row]].gain))
    holder[row] = feature;
}

/* The feature whose row is taken for that of another. */
static int answering(unsigned hash) {
  int first = ts_learnt_group(hash);
  for (int at = first; at < first + TS_LEARNT_WAYS; at++)
    if (holder[at] >= 0 && ts_learnt_mark(features[holder[at]].hash) == ts_learnt_mark(hash))
      return holder[at];
  return -1;
}

/* Sums of the weights of rounds. */
typedef struct Sums {
  double scale;
  int n;
} Sums;

static void clear_sums(Sums *sums) {
  sums->scale = sums->n = 0;
  for (int i = 0; i < nFeatures + TS_LEARNT_CODES; i++)
    memset(features[i].sum, 0, sizeof(features[i].sum));
}

static void add_weights(Sums *sums) {
  sums->scale += scale;
  sums->n++;
  for (int i = 0; i < nFeatures + TS_LEARNT_CODES; i++)
    for (int c = 0; c < CLASS_COUNT; c++)
      features[i].sum[c] += features[i].w[c];
}

static void take_means(const Sums *sums) {
  scale = sums->scale / sums->n;
  for (int i = 0; i < nFeatures + TS_LEARNT_CODES; i++)
    for (int c = 0; c < CLASS_COUNT; c++)
      features[i].w[c] = features[i].sum[c] / sums->n;
}

/* The rounds of a pass, of which the second half is added up. */
static void teach_pass(int pass, int rounds, int fold, Sums *sums) {
  for (int r = 0; r < rounds; r++) {
    teach(pass * 100 + r, fold);
    if (r >= rounds / 2) add_weights(sums);
  }
}

static void teach_rounds(int fold) {
  Sums sums;
  clear_sums(&sums);
  for (int pass = 0; pass < PASSES; pass++) {
    forget();
    teach_pass(pass, ROUNDS, fold, &sums);
  }
  take_means(&sums);
}

/* ---- Codes ------------------------------------------------------------------------------------ */

#define CODE_STEPS 12
#define CODE_ROUNDS 12
#define CODE_SEEN 1000 /* codes move little: as if they had moved so often before */

static Feature *code_at(int code) {
  return &features[nFeatures + code];
}

/* The code whose weights are nearest. */
static int nearest_code(const double *w) {
  int best = 0;
  double least = 1e30;
  for (int k = 0; k < TS_LEARNT_CODES; k++) {
    double apart = 0;
    for (int c = 0; c < CLASS_COUNT && apart < least; c++) {
      double d = w[c] - code_at(k)->w[c];
      apart += d * d;
    }
    if (apart < least) {
      least = apart;
      best = k;
    }
  }
  return best;
}

/* The features that hold a row, their weights moved so that they add up to 0, which changes nothing. */
static int list_rows(int *row) {
  int n = 0;
  for (int i = 0; i < TS_LEARNT_ROWS; i++) {
    double mean = 0, *w = holder[i] < 0 ? 0 : features[holder[i]].w;
    if (w == 0) continue;
    for (int c = 0; c < CLASS_COUNT; c++)
      mean += w[c] / CLASS_COUNT;
    for (int c = 0; c < CLASS_COUNT; c++)
      w[c] -= mean;
    row[n++] = holder[i];
  }
  return n;
}

/* Moves each code to the mean of the rows that are nearest to it. */
static void move_codes(const int *row, int n) {
  double weight[TS_LEARNT_CODES] = {0};
  for (int k = 0; k < TS_LEARNT_CODES; k++)
    memset(code_at(k)->sum, 0, sizeof(code_at(k)->sum));
  for (int i = 0; i < n; i++) {
    Feature *f = &features[row[i]];
    double much = sqrt(f->nMessages);
    f->code = nearest_code(f->w);
    weight[f->code] += much;
    for (int c = 0; c < CLASS_COUNT; c++)
      code_at(f->code)->sum[c] += much * f->w[c];
  }
  for (int k = 0; k < TS_LEARNT_CODES; k++)
    for (int c = 0; c < CLASS_COUNT && weight[k] > 0; c++)
      code_at(k)->w[c] = code_at(k)->sum[c] / weight[k];
}

/* Gives every row a code, and teaches the codes. */
static void learn_codes(int fold) {
  static int row[TS_LEARNT_ROWS];
  int n = list_rows(row);
  Sums sums;
  for (int k = 0; k < TS_LEARNT_CODES; k++) {
    memcpy(code_at(k)->w, features[row[(long long)k * n / TS_LEARNT_CODES]].w,
           sizeof(code_at(k)->w));
    for (int c = 0; c < CLASS_COUNT; c++)
      code_at(k)->seen[c] = CODE_SEEN;
    code_at(k)->row = nFeatures + k;
  }
  for (int step = 0; step < CODE_STEPS; step++)
    move_codes(row, n);
  for (int i = 0; i < n; i++)
    features[row[i]].code = nearest_code(features[row[i]].w);
  for (int i = 0; i < nFeatures; i++)
    if (features[i].row >= 0) features[i].row = nFeatures + features[features[i].row].code;
  clear_sums(&sums);
  teach_pass(0, CODE_ROUNDS, fold, &sums);
  take_means(&sums);
}

/* Learns from all messages but those that are judged in a fold. */
static void learn_table(int fold) {
  for (int i = 0; i < nFeatures; i++)
    features[i].row = i;
  teach_rounds(fold);
  weigh_features(fold);
  for (int i = 0; i < TS_LEARNT_ROWS; i++)
    holder[i] = -1;
  for (int i = 0; i < nFeatures; i++)
    claim_row(i);
  for (int i = 0; i < nFeatures; i++)
    features[i].row = answering(features[i].hash);
  teach_rounds(fold);
  learn_codes(fold);
}

/* As in classify.c. */
static double doubt_share(TaskState state, int cls) {
  int isAsked = state == TASK_AWAITING_USER;
  switch (cls) {
  case CLASS_CONFIRMATION: return isAsked ? 2 : CLOSING;
  case CLASS_ABANDON: return isAsked ? CLOSING_ASKED : CLOSING;
  case CLASS_UNCLEAR: return UNCLEAR;
  default: return 0;
  }
}

static int safe_class(const double *z, int withUnclear) {
  int safe = CLASS_MODIFICATION;
  for (int c = 0; c < CLASS_COUNT; c++) {
    int costs = c == CLASS_CONFIRMATION || c == CLASS_ABANDON || c == CLASS_NEW_TASK;
    if (!costs && (withUnclear || c != CLASS_UNCLEAR) && z[c] > z[safe]) safe = c;
  }
  return safe;
}

/* What the classifier would say, and its shares, but for the rounding of weights. */
static MessageClass judge(const Example *e, TaskState state, double temperature, double *share) {
  double words[CLASS_COUNT] = {0}, z[CLASS_COUNT], lead;
  int best = CLASS_MODIFICATION, safe;
  if (!e->isDecided) words_of(e, 0, words);
  for (int c = 0; c < CLASS_COUNT; c++)
    z[c] = (scale * e->score[c] + words[c]) * temperature;
  softmax(z, share);
  safe = safe_class(z, 0);
  for (int c = 0; c < CLASS_COUNT; c++)
    if (words[c] > words[safe] && share[c] < doubt_share(state, c))
      z[c] -= (words[c] - words[safe]) * temperature;
  softmax(z, share);
  safe = safe_class(z, 1);
  for (int c = 0; c < CLASS_COUNT; c++)
    if (z[c] > z[best]) best = c;
  lead = best == CLASS_NEW_TASK ? NEW_TASK_LEAD : CLOSING_LEAD;
  if (best != safe && z[best] - z[safe] < lead * scale * temperature) best = safe;
  return (MessageClass)best;
}

#define TEMPERATURES 8
#define AS_IT_IS 4 /* the one of the table */
typedef struct Tally {
  int table[CLASS_COUNT][CLASS_COUNT];
  double loss[TEMPERATURES], sum[TEMPERATURES][10];
  int n[TEMPERATURES][10], right[TEMPERATURES][10], nAll;
} Tally;

static double temperature_of(int k) {
  return (0.4 + 0.15 * k) * SURE;
}

static void list_wrong(const Item *it, MessageClass got, double share) {
  if (it->label == got) return;
  printf("%s %s %s: %s taken for %s (%.2f): [%.80s] %.200s\n", it->id, it->lang, it->state,
         ts_class_names[it->label], ts_class_names[got], share, it->in.question, it->message);
}

static void tally(Tally *t, int i) {
  double share[CLASS_COUNT];
  for (int k = 0; k < TEMPERATURES; k++) {
    MessageClass got = judge(&examples[i], items[i].in.state, temperature_of(k), share);
    int range = (int)(share[got] * 10);
    range = range > 9 ? 9 : range;
    t->loss[k] -= log(share[items[i].label] + 1e-9);
    t->sum[k][range] += share[got];
    t->n[k][range]++;
    t->right[k][range] += got == items[i].label;
    if (k == AS_IT_IS) t->table[items[i].label][got]++;
  }
  t->nAll++;
}

static void print_tally(const char *what, const Tally *t) {
  int right = 0, closes = 0, open = 0, newTasks = 0;
  double macro = 0;
  for (int c = 0; c < CLASS_COUNT; c++) {
    int said = 0, is = 0;
    for (int k = 0; k < CLASS_COUNT; k++) {
      int isClosing = k == CLASS_CONFIRMATION || k == CLASS_ABANDON;
      said += t->table[k][c];
      is += t->table[c][k];
      if (c != CLASS_CONFIRMATION && c != CLASS_ABANDON) closes += isClosing ? t->table[c][k] : 0;
    }
    right += t->table[c][c];
    if (c != CLASS_CONFIRMATION && c != CLASS_ABANDON) open += is;
    if (c != CLASS_NEW_TASK) newTasks += t->table[c][CLASS_NEW_TASK];
    if (c != CLASS_UNCLEAR && said + is > 0) macro += 2.0 * t->table[c][c] / (said + is) / 6;
  }
  printf("%-10s accuracy %.3f macro-F1 %.3f false closes %.1f %% wrong NewTask %.1f %%\n", what,
         (double)right / t->nAll, macro, 100.0 * closes / open, 100.0 * newTasks / t->nAll);
  for (int k = 0; k < TEMPERATURES; k++) {
    double error = 0;
    for (int r = 0; r < 10; r++)
      error += fabs(t->sum[k][r] - t->right[k][r]);
    printf("   times %.2f: loss %.3f, calibration error %.3f\n", temperature_of(k) / SURE,
           t->loss[k] / t->nAll, error / t->nAll);
  }
}

static void cross_validate(void) {
  static const char *const names[] = {"tuned", "others", "written", "measured"};
  static Tally all, kinds[KINDS];
  double mean = 0;
  memset(&all, 0, sizeof(all));
  memset(kinds, 0, sizeof(kinds));
  for (int fold = 0; fold < FOLDS; fold++) {
    learn_table(fold);
    mean += scale / FOLDS;
    for (int i = 0; i < nItems; i++) {
      if (!is_judged(i, fold)) continue;
      if (listsWrong && examples[i].kind <= KIND_OTHERS) {
        double share[CLASS_COUNT];
        MessageClass got = judge(&examples[i], items[i].in.state, SURE, share);
        list_wrong(&items[i], got, share[got]);
      }
      if (examples[i].kind <= KIND_OTHERS) tally(&all, i);
      tally(&kinds[examples[i].kind], i);
    }
  }
  printf("scale %.3f\n", mean);
  print_tally("all", &all); /* but what was written */
  for (int kind = 0; kind < KINDS; kind++)
    print_tally(names[kind], &kinds[kind]);
}

static int rounded(double weight) {
  int n = (int)floor(weight / scale * TS_LEARNT_UNIT + 0.5);
  return n > TS_LEARNT_WEIGHT ? TS_LEARNT_WEIGHT : n < -TS_LEARNT_WEIGHT ? -TS_LEARNT_WEIGHT : n;
}

/* See learnt.h for how a group is laid out. */
static void write_group(int first) {
  unsigned char group[TS_LEARNT_GROUP] = {0};
  for (int i = 0; i < TS_LEARNT_WAYS; i++) {
    const Feature *f = holder[first + i] < 0 ? 0 : &features[holder[first + i]];
    unsigned mark = f ? ts_learnt_mark(f->hash) : 0;
    if (f == 0) continue;
    group[i] = (unsigned char)f->code;
    group[TS_LEARNT_WAYS + i] = (unsigned char)mark;
    group[2 * TS_LEARNT_WAYS + i / 2] |= (unsigned char)(mark >> 8 << i % 2 * 4);
  }
  printf(" {");
  for (int i = 0; i < TS_LEARNT_GROUP; i++)
    printf("%d,", group[i]);
  printf("},\n");
}

static void write_code(int k) {
  unsigned long long weights = 0;
  for (int c = 0; c < CLASS_COUNT; c++)
    weights |= (unsigned long long)(rounded(code_at(k)->w[c]) + 128) << 8 * c;
  printf(" 0x%014llx,\n", weights);
}

static void write_table(void) {
  printf("/*\n** word_weights.c - what tests/classify/classify_train.c has learnt from %d labelled "
         "messages. Not written by "
         "hand:\n** see learnt.h for what it means, and classification.md for how it is made "
         "anew.\n*/\n"
         "#include \"learnt.h\"\n\n/* clang-format off */\nconst int ts_word_scale = %d;\n\n"
         "const unsigned long long ts_word_weights[TS_LEARNT_CODES] = {\n",
         nLearnt, (int)floor(1000 / (scale * SURE) + 0.5));
  for (int k = 0; k < TS_LEARNT_CODES; k++)
    write_code(k);
  printf("};\n\nconst unsigned char ts_word_rows[TS_LEARNT_GROUPS][TS_LEARNT_GROUP] = {\n");
  for (int first = 0; first < TS_LEARNT_ROWS; first += TS_LEARNT_WAYS)
    write_group(first);
  printf("};\n/* clang-format on */\n");
}

int main(int argc, char **argv) {
  int check = 0;
  sqlite3 *db = open_rules();
  RuleSet *rules;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-c") == 0 || strcmp(argv[i], "-w") == 0) {
      check = 1;
      listsWrong = argv[i][1] == 'w';
    } else if (strcmp(argv[i], "-m") == 0) {
      nLearnt = nItems;
    } else if (strcmp(argv[i], "-t") == 0 && i + 1 < argc && nItems == 0) {
      load_items(db, argv[++i]);
      nTuned = nItems;
    } else {
      load_items(db, argv[i]);
    }
  }
  if (nItems == 0) {
    fprintf(stderr,
            "usage: classify_train [-c|-w] [-t FILE.jsonl] FILE.jsonl[:work] ... [-m FILE ...]\n");
    return 2;
  }
  if (nLearnt == 0) nLearnt = nItems;
  load_all_rules(db, "sql/rules");
  rules = build_rules(db);
  read_examples(rules);
  if (check) {
    cross_validate();
  } else {
    learn_table(-1);
    write_table();
  }
  ts_rules_free(rules);
  for (int i = 0; i < nItems; i++)
    free(examples[i].feature);
  free(examples);
  free(features);
  free_items();
  sqlite3_close(db);
  return 0;
}
