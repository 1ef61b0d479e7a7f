/*
** corrections.c - what later messages are taken for because of delivery_correct().
**
** The correction is a column of the delivery, and goes where that goes: into documents, and away with its
** session. It changes nothing of what was decided. Of later messages
**
**   the same one in the same state   is taken for the class that was meant: the correction weighs as much as
**                                    is needed to lead
**   a similar one in the same state  gets a weight of at most SIMILAR_MOST for that class, and a margin that
**                                    a class needs to close a task is needed all the same
**
** Messages are compared as rules see them (shape.c), by what they say beside an address and the session's names, without regard to the case of ASCII letters; similar are
** two that share most of their words. No pattern is made of them, so nothing can blow up. The newest
** MOST corrections count, each with its first TEXT_BYTES bytes and MOST_WORDS words.
**
** A correction holds for the file in which it was made. One that came with a document counts in its session
** alone: nobody's import changes what others are taken for.
*/
#include "corrections.h"

#include "rules.h"
#include "slash.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define MOST 500
#define BYTES_LOOKED_AT                                                                            \
  33554432 /* bytes of all messages; a longer message is still read to its end */
#define READ_BYTES (TS_HEAD_BYTES + TS_TAIL_BYTES) /* of a message that are looked at */
#define NAMES_BYTES 4096                           /* of a session's names */
#define TEXT_BYTES 400                             /* of its tidied text */
#define MOST_WORDS 40
#define FEW_WORDS 3      /* two messages with fewer than these are never similar */
#define SIMILAR_FROM 0.6 /* so much of all words must be common to both */
#define SIMILAR_MOST 3.0
#define SAME_LEAD 4.0 /* by so much what was meant leads */

/* A message as it is compared. */
typedef struct Said {
  int n, nWords;
  unsigned words[MOST_WORDS]; /* hashes, in order, each once */
  char text[TEXT_BYTES];
} Said;

typedef struct Correction {
  sqlite3_int64 delivery;
  MessageClass cls;
  TaskState state;
  char *label; /* owned; NULL: it counts in all sessions */
  int nLabel;
  Said said;
} Correction;

struct Corrections {
  int n;
  Correction row[MOST];
};

/* ---- Messages as they are compared --------------------------------------------------------------- */

static int isLetter(unsigned char ch) {
  return ch >= 0x80 || (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
}

/* In order, each once. A word without room does not count. */
static void addWord(Said *s, unsigned hash) {
  int i = s->nWords;
  while (i > 0 && s->words[i - 1] > hash)
    i--;
  if ((i > 0 && s->words[i - 1] == hash) || s->nWords == MOST_WORDS) return;
  memmove(s->words + i + 1, s->words + i, (size_t)(s->nWords - i) * sizeof(s->words[0]));
  s->words[i] = hash;
  s->nWords++;
}

static void readWords(Said *s) {
  for (int i = 0; i < s->n;) {
    unsigned hash = 2166136261u;
    int from = i;
    for (; i < s->n && isLetter((unsigned char)s->text[i]); i++)
      hash = (hash ^ (unsigned char)s->text[i]) * 16777619u;
    if (i > from) {
      addWord(s, hash);
    } else {
      i++;
    }
  }
}

/* Of a message what is said, as the classifier gets it: the address and the name before it belong to the room. */
static void read(const char *said, int n, Said *out) {
  Shape shape;
  ts_shape_of(said, n > READ_BYTES ? ts_utf8_cut(said, n, READ_BYTES) : n, &shape);
  memset(out, 0, sizeof(*out));
  out->n = ts_utf8_cut(shape.text, shape.n, TEXT_BYTES);
  for (int i = 0; i < out->n; i++) {
    char ch = shape.text[i];
    out->text[i] = (char)(ch >= 'A' && ch <= 'Z' ? ch | 0x20 : ch);
  }
  readWords(out);
}

static int isSame(const Said *a, const Said *b) {
  return a->n == b->n && a->n > 0 && memcmp(a->text, b->text, (size_t)a->n) == 0;
}

/* The share of all their words that both have. */
static double overlap(const Said *a, const Said *b) {
  int i = 0, j = 0, common = 0;
  if (a->nWords < FEW_WORDS || b->nWords < FEW_WORDS) return 0;
  while (i < a->nWords && j < b->nWords) {
    if (a->words[i] == b->words[j]) {
      common++;
      i++;
      j++;
    } else if (a->words[i] < b->words[j]) {
      i++;
    } else {
      j++;
    }
  }
  return common / (double)(a->nWords + b->nWords - common);
}

/* ---- Loading ------------------------------------------------------------------------------------- */

/* A task that is Complete or Aborted is about to become None. */
static TaskState effective(int state) {
  return state < 0 || state == TASK_COMPLETE || state == TASK_ABORTED ? TASK_NONE
                                                                      : (TaskState)state;
}

/* What the row's message says to its session, with the present names of that. */
static Text saidIn(Cmd *c, Query *q) {
  Text message = ts_col_view(q, COL_CORRECTIONS_LOAD_MESSAGE),
       names = ts_col_view(q, COL_CORRECTIONS_LOAD_NAMES);
  if (names.n > NAMES_BYTES || (names.z && ts_names_problem(names.z, names.n))) names.z = NULL;
  if (!names.z) names.n = 0;
  return message.z ? ts_slash_understood(c, message, names) : message;
}

/* The present row of the query. 0: it says nothing that can be used. */
static int readRow(Cmd *c, Query *q, Correction *row) {
  Text cls = ts_col_view(q, COL_CORRECTIONS_LOAD_CLASS),
       state = ts_col_view(q, COL_CORRECTIONS_LOAD_STATE), said;
  row->delivery = ts_col_int(q, COL_CORRECTIONS_LOAD_ID);
  row->cls = cls.z ? ts_class_find(cls.z, cls.n) : CLASS_UNKNOWN;
  row->state = effective(state.z ? ts_state_find(&ts_task_machine, state.z, state.n) : -1);
  said = saidIn(c, q);
  if (row->cls == CLASS_UNKNOWN || !said.z) return 0;
  read(said.z, said.n, &row->said);
  row->label = NULL;
  if (!ts_col_null(q, COL_CORRECTIONS_LOAD_LABEL)) {
    Text label = ts_col_view(q, COL_CORRECTIONS_LOAD_LABEL);
    row->label = sqlite3_mprintf("%.*s", label.n, label.z ? label.z : "");
    row->nLabel = label.n;
    if (!row->label) ts_fail_nomem(c);
  }
  return row->said.n > 0;
}

static Corrections *make(Cmd *c) {
  Corrections *all = sqlite3_malloc64(sizeof(*all));
  if (all) {
    memset(all, 0, sizeof(*all));
  } else {
    ts_fail_nomem(c);
  }
  return all;
}

Corrections *ts_corrections_load(Cmd *c) {
  Corrections *all = NULL;
  sqlite3_int64 nBytes = 0;
  Query q = ts_query(c, SQL_CORRECTIONS_LOAD, "iii", (sqlite3_int64)MOST,
                     (sqlite3_int64)READ_BYTES + ADDRESS_FRONT_BYTES, (sqlite3_int64)NAMES_BYTES);
  while (ts_row(c, &q)) {
    if (!all && !(all = make(c))) break;
    if (all->n == MOST || nBytes > BYTES_LOOKED_AT) break;
    nBytes += ts_col_int(&q, COL_CORRECTIONS_LOAD_LENGTH);
    if (readRow(c, &q, &all->row[all->n])) {
      all->n++;
    } else {
      sqlite3_free(all->row[all->n].label);
    }
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK) return all;
  ts_corrections_free(all);
  return NULL;
}

void ts_corrections_free(Corrections *all) {
  if (!all) return;
  for (int i = 0; i < all->n; i++)
    sqlite3_free(all->row[i].label);
  sqlite3_free(all);
}

/* ---- Weighing ------------------------------------------------------------------------------------ */

static int counts(const Correction *row, TaskState state, Text label) {
  if (row->state != state) return 0;
  return !row->label ||
         (label.z && label.n == row->nLabel && memcmp(label.z, row->label, (size_t)label.n) == 0);
}

/* What a class lacks to lead all others; at least SAME_LEAD, so that the correction always counts. */
static double weightToLead(const ClassifyResult *result, MessageClass cls) {
  double most = 0, weight;
  int any = 0;
  for (int i = 0; i < CLASS_COUNT; i++) {
    if (i == (int)cls || (any && result->score[i] <= most)) continue;
    most = result->score[i];
    any = 1;
  }
  weight = most + SAME_LEAD - result->score[cls];
  return weight > SAME_LEAD ? weight : SAME_LEAD;
}

static void takeFor(ClassifyResult *result, const Correction *row) {
  ts_classify_add(result, row->delivery, row->cls, weightToLead(result, row->cls));
  result->isCorrected = 1;
  if (row->cls != CLASS_CONFIRMATION && row->cls != CLASS_RESPONSE) result->isAffirmation = 0;
}

void ts_corrections_weigh(const Corrections *all, const ClassifyInput *in, Text label,
                          ClassifyResult *result) {
  const Correction *like[CLASS_COUNT] = {NULL};
  double share[CLASS_COUNT] = {0};
  TaskState state = effective((int)in->state);
  Said said;
  if (!all || all->n == 0) return;
  read(in->message, in->nMessage, &said);
  for (int i = 0; i < all->n; i++) {
    const Correction *row = &all->row[i];
    double common;
    if (!counts(row, state, label)) continue;
    if (isSame(&row->said, &said)) {
      takeFor(result, row);
      return;
    }
    common = overlap(&row->said, &said);
    if (common < SIMILAR_FROM || common <= share[row->cls]) continue;
    share[row->cls] = common;
    like[row->cls] = row;
  }
  for (int i = 0; i < CLASS_COUNT; i++) {
    if (like[i]) ts_classify_add(result, like[i]->delivery, like[i]->cls, SIMILAR_MOST * share[i]);
  }
}

int ts_corrections_any(Cmd *c, Text label) {
  Query q = ts_query(c, SQL_CORRECTIONS_ANY, "t", &label);
  int any = ts_row(c, &q);
  ts_end(c, &q);
  return any;
}

void ts_corrections_renamed(Cmd *c) {
  c->conn->rulesTouched = 1;
  ts_exec(c, SQL_CORRECTIONS_TOUCH, "");
}

void ts_corrections_changed(Cmd *c) {
  c->conn->rulesTouched = 1;
  ts_exec(c, SQL_RULES_TOUCH, "");
}
