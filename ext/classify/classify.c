/*
** classify.c - what was meant by a message: adds up evidence and takes the heaviest class.
**
** The state comes first. It decides what is likely before a word is read (table basis), and what
** a piece of evidence speaks for (table readings): an approval answers an open question and
** confirms finished work; a change is an answer while the agent asks, and a new task where there
** is none. Evidence then comes from
**
**   rules        rows whose pattern matches the tidied text (rules.c, shape.c)
**   approval     the message is, or begins with, units of approval ("ok", "perfect, thanks")
**   closing      all of the message is units of approval, of success, of giving up, of refusing, and
**                words that say nothing of their own
**   shape        questions, pasted logs, noise, an option's letter
**   topic        how many of its words the task and the agent's question share
**   words        what a table that was learnt from labelled messages says of them (learnt.h)
**
** Weights are plain sums, near to logarithms of odds: 1 is a hint, 3 is strong, 6 is decisive.
** The heaviest class wins. Modification carries the basis in every state but None and
** AwaitingUser; Confirmation, Abandon and NewTask close a task or put it aside, so they must
** lead by a margin, or the best of the other classes is taken.
*/
#include "classify.h"

#include "kept.h"
#include "learnt.h"
#include "rules.h"
#include "shape.h"
#include "shares.h"
#include "tail.h"
#include "typed_stop.h"
#include "utf8.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

/* Lead over every other class that Confirmation and Abandon need, and that NewTask needs. */
#define CLOSING_LEAD 1.5
#define NEW_TASK_LEAD 0.5

/* What rules say for NewTask, from which on the goal is new beyond doubt. */
#define EXPLICIT_GOAL 6

/* The weight of a rule from which on the words are not asked: in a short message, for which rules are made, or for
** a new goal; and in any other. */
#define DECISIVE_SHORT 4
#define SHORT_WORDS 6
#define DECISIVE 6

/* What rules say for Clarification, from which on a message asks even without a question mark. */
#define ASKS 1.5

/* The share from which on a class that closes is believed on its words. */
#define CLOSING_SHARE 0.75
#define CLOSING_SHARE_ASKED 0.85 /* giving up, while a question is open */
#define ANSWER_WORDS 6           /* a dismissal with so few words answers */
#define STEM_CHARS 4
#define GOING_ON_WORDS 10 /* a longer message that wants to go on can want much else */
#define WORD_MOST (3 * TS_LEARNT_UNIT)
#define UNCLEAR_SHARE 0.6 /* and from which a message says nothing */

/* States without an open task are read alike: Complete and Aborted are about to become None. */
static TaskState effectiveState(TaskState s) {
  return s == TASK_COMPLETE || s == TASK_ABORTED ? TASK_NONE : s;
}

/* What is likely in a state, before a word is read. */
static const double basis[TASK_STATE_COUNT][CLASS_COUNT] = {
    /*                       Resp  Modif  Conf  Aband NewT  Clari Uncl */
    [TASK_NONE] = {-9.0, -9.0, -1.0, -2.0, 3.5, 0.5, 0.0},
    [TASK_RUNNING] = {-9.0, 2.5, 0.0, 0.0, -1.0, 0.0, 0.0},
    [TASK_AWAITING_USER] = {3.0, 0.0, -9.0, -1.0, -1.0, 0.0, 0.0},
    [TASK_INTERRUPTED] = {-9.0, 2.5, -1.0, 0.0, -1.0, 0.0, 0.0},
    [TASK_PENDING_COMPLETE] = {-9.0, 2.5, 0.0, -0.5, 0.0, 0.0, 0.0},
};

/*
** For which class evidence speaks in a state. Rules that name their states mean what they say;
** this is for the others.
*/
#define R CLASS_RESPONSE
#define M CLASS_MODIFICATION
#define C CLASS_CONFIRMATION
#define A CLASS_ABANDON
#define N CLASS_NEW_TASK
#define Q CLASS_CLARIFICATION
#define U CLASS_UNCLEAR
static const unsigned char readings[TASK_STATE_COUNT][CLASS_COUNT] = {
    /* evidence for:           R  M  C  A  N  Q  U */
    [TASK_NONE] = {N, N, C, A, N, Q, U},
    [TASK_RUNNING] = {M, M, C, A, N, Q, U},
    [TASK_AWAITING_USER] = {R, R, R, A, N, Q, U},
    [TASK_INTERRUPTED] = {M, M, C, A, N, Q, U},
    [TASK_PENDING_COMPLETE] = {M, M, C, A, N, Q, U},
};
#undef R
#undef M
#undef C
#undef A
#undef N
#undef Q
#undef U

static void addEvidence(ClassifyResult *out, const char *name, const Rule *rule, int index,
                        MessageClass cls, double weight) {
  if (weight == 0) return;
  out->score[cls] += weight;
  if (out->nEvidence >= TS_EVIDENCE_MAX) {
    out->nUnlisted++;
    return;
  }
  out->evidence[out->nEvidence++] =
      (Evidence){name, rule ? rule->id : 0, rule ? index : -1, 0, 0, cls, weight};
}

static void addShape(ClassifyResult *out, const char *name, MessageClass cls, double weight) {
  addEvidence(out, name, 0, -1, cls, weight);
}

/* The class for which a rule speaks in a state. What speaks against a class does only that. */
static MessageClass readingOf(const Rule *rule, TaskState state) {
  int isPlain = rule->hasState || rule->weight < 0;
  return (MessageClass)(isPlain ? rule->cls : readings[state][rule->cls]);
}

/* What the rules said, beside the scores. */
typedef struct Heard {
  double orders;  /* for a change, in whatever way that reads in the state */
  double newGoal; /* for NewTask */
  double aside;   /* for a Modification while a question is open: it is not answered */
  double loudest; /* what one rule said */
} Heard;

/*
** Adds up the rules that matched. Packs of several languages know the same words ("super", "ok",
** "use"), so languages do not add up: for each class, only the one with most to say for it is
** heard, and the one with most to say against it. Rules for every language always count.
*/
static Heard weighRules(ClassifyResult *out, TaskState state, const RuleSet *rules,
                        const RuleMatch *m) {
  Heard heard = {0, 0, 0, 0};
  double sum[2][CLASS_COUNT][TS_RULE_MAX_LANGS];
  int loudest[2][CLASS_COUNT];
  if (m->nHits == 0) return heard;
  for (int i = 0; i < m->nHits; i++) {
    const Rule *rule = ts_rules_get(rules, m->hits[i]);
    sum[rule->weight < 0][readingOf(rule, state)][rule->lang] = 0;
  }
  memset(loudest, 0, sizeof(loudest));
  for (int i = 0; i < m->nHits; i++) {
    const Rule *rule = ts_rules_get(rules, m->hits[i]);
    MessageClass cls = readingOf(rule, state);
    double *of = sum[rule->weight < 0][cls];
    int *most = &loudest[rule->weight < 0][cls];
    of[rule->lang] += fabs(rule->weight);
    if (rule->lang == 0) continue;
    if (*most == 0 || of[rule->lang] > of[*most] ||
        (of[rule->lang] == of[*most] && rule->lang < *most))
      *most = rule->lang;
  }
  for (int i = 0; i < m->nHits; i++) {
    const Rule *rule = ts_rules_get(rules, m->hits[i]);
    MessageClass cls = readingOf(rule, state);
    if (rule->lang != 0 && rule->lang != loudest[rule->weight < 0][cls]) continue;
    addEvidence(out, 0, rule, m->hits[i], cls, rule->weight);
    if (rule->weight < 0) continue;
    if (rule->weight > heard.loudest) heard.loudest = rule->weight;
    if (rule->cls == CLASS_MODIFICATION && cls == readings[state][CLASS_MODIFICATION])
      heard.orders += rule->weight;
    if (cls == CLASS_NEW_TASK && state != TASK_NONE) heard.newGoal += rule->weight;
    if (cls == CLASS_MODIFICATION && state == TASK_AWAITING_USER) heard.aside += rule->weight;
  }
  return heard;
}

/* "Anything else?": a no is the end then. */
static int asksForMore(const Tail *t) {
  return ts_tail_asks(t) && ts_tail_has(t, CUE_ASKS_FOR_MORE);
}

/* Is a letter or number of a message an item of a list that holds this one? All of a short message is, when it names
** another item: the end of a question does not show all of them. */
static int isItem(char named, char item, int isAll) {
  if (item == named) return 1;
  return isAll && (named >= 'A') == (item >= 'A') && item > named;
}

/* "B", "2", "option c": is a letter or number of the message an item of the question? */
static int namesOption(const Shape *s, const ClassifyInput *in) {
  if (s->nWords > 3 || s->n > 24) return 0;
  for (int i = 0; i < s->n; i++) {
    char c = s->text[i], before = i > 0 ? s->text[i - 1] : ' ',
         after = i + 1 < s->n ? s->text[i + 1] : ' ';
    if (c >= 'a' && c <= 'z') c = (char)(c - 32);
    if (!((c >= 'A' && c <= 'H') || (c >= '1' && c <= '9'))) continue;
    if (before != ' ' && before != '(' && before != '\n' && before != '#') continue;
    if (after != ' ' && after != ')' && after != '\n') continue;
    for (int q = 0; q + 1 < in->nQuestion; q++) {
      char o = in->question[q];
      if (o >= 'a' && o <= 'z') o = (char)(o - 32);
      if (!((o >= 'A' && o <= 'H') || (o >= '1' && o <= '9'))) continue;
      if (isItem(c, o, s->n <= 2) && (q == 0 || strchr(" \n(,;:*", in->question[q - 1]) != 0) &&
          in->question[q - (q > 0)] != 0 && strchr(").: ,=", in->question[q + 1]) != 0)
        return 1;
    }
  }
  return 0;
}

/* Questions, given how much speaks for a request. A question beside a request is part of it. */
static void weighQuestions(ClassifyResult *out, const Shape *s, double request) {
  int onlyQuestions = s->nQuestions == s->nLines;
  if (s->nQuestions == 0) return;
  if (s->lastIsQuestion) {
    addShape(out, "ends in a question", CLASS_CLARIFICATION, 1.0);
    if (onlyQuestions) addShape(out, "only a question", CLASS_CLARIFICATION, 0.5);
    if (onlyQuestions && request < 1)
      addShape(out, "no request", CLASS_CLARIFICATION, s->nWords <= 3 ? 1.5 : 1.25);
  } else {
    addShape(out, "a question", CLASS_CLARIFICATION, 0.5);
  }
  if (!onlyQuestions && request >= 1.5)
    addShape(out, "a question beside a request", CLASS_CLARIFICATION, -1);
}

static void weighShape(ClassifyResult *out, TaskState state, const Shape *s,
                       const ClassifyInput *in, double request) {
  if (state == TASK_AWAITING_USER && namesOption(s, in)) {
    addShape(out, "names an option", CLASS_RESPONSE, 4);
    return;
  }
  if (ts_shape_is_noise(s)) {
    addShape(out, "noise", CLASS_UNCLEAR, 9);
    return;
  }
  if (ts_shape_is_paste(s)) {
    addShape(out, "pasted code or log", (MessageClass)readings[state][CLASS_MODIFICATION], 2);
    return;
  }
  weighQuestions(out, s, request);
  if (s->nWords > 12) addShape(out, "long", CLASS_CONFIRMATION, s->nWords > 25 ? -1.5 : -0.5);
  if (s->nWords > 8) addShape(out, "long", CLASS_ABANDON, s->nWords > 16 ? -2 : -1);
}

/* Does a short message stand in the question? Then it is what was asked for. */
static int isQuoted(const Tail *t, const Shape *s) {
  return s->n >= 3 && s->nWords <= 3 && s->nQuestions == 0 && ts_tail_names(t->text, s->text, s->n);
}

/* "C, and …": is its first clause, a word or two, in the question? */
static int opensWithNamed(const Tail *t, const Shape *s) {
  const char *end = memchr(s->text, '\n', (size_t)s->n);
  int n = end ? (int)(end - s->text) : 0, blanks = 0;
  for (int i = 0; i < n; i++)
    blanks += s->text[i] == ' ';
  return n > 0 && blanks < 2 && (n > 1 || strchr("aiAI", s->text[0]) == 0) &&
         ts_tail_names(ts_tail_last(t), s->text, n);
}

#define N_UNITS(m, kind) ((m)->nUnits[(kind)-RULE_AFFIRMATION])

/* Does a message of one word begin as one of the agent's last sentence does? ("stop": "shall I stop it?") What has no
** spaces is not looked at. */
static int repeatsWord(const Tail *t, const Shape *s) {
  char stem[24];
  int n = 0, nChars = 0;
  for (; n < s->n && n < (int)sizeof(stem) - 5; n++) {
    unsigned char c = (unsigned char)s->text[n];
    if (c >= 0xE3) return 1;
    if ((c & 0xC0) != 0x80 && nChars++ == STEM_CHARS) break;
  }
  ts_cue_fold(stem, s->text, n);
  return strstr(ts_tail_last(t), stem) != 0;
}

/* While a question is open: is what sounds like giving up its answer? "Remove it?" "get rid of it", and "never mind,
** keep it". */
static int answersDismissing(TaskState state, const Shape *s, const Tail *t,
                             const ClauseUnits *clauses) {
  int dismisses = clauses->whole >> (RULE_DISMISSAL - RULE_AFFIRMATION) & 1;
  if (state != TASK_AWAITING_USER) return 0;
  if (dismisses && clauses->nOthers > 0 && s->nWords <= ANSWER_WORDS) return 1;
  if (dismisses && ts_answers_none(s)) return 1;
  if (s->nWords > 2 * ANSWER_WORDS) return 0;
  return ts_tail_asks_with(t, CUE_ASKS_FOR_WORDS) ||
         (ts_tail_asks_with(t, CUE_ASKS_TO_END) && (s->nWords > 1 || repeatsWord(t, s)));
}

/* For what a message speaks that is units only, by state; CLASS_UNKNOWN: for nothing. */
static MessageClass coveredClass(TaskState state, const Shape *s, const RuleMatch *m, const Tail *t,
                                 int endsNothing) {
  int approves = N_UNITS(m, RULE_AFFIRMATION) + N_UNITS(m, RULE_COMPLETION);
  if (N_UNITS(m, RULE_DISMISSAL) > 0) {
    int isTheirs =
        state == TASK_PENDING_COMPLETE && s->nWords <= 5 && ts_tail_has(t, CUE_HAS_STARTED);
    if (endsNothing) return CLASS_RESPONSE;
    if (state == TASK_AWAITING_USER && m->nOver > 0) return CLASS_UNKNOWN;
    return isTheirs ? CLASS_MODIFICATION : CLASS_ABANDON;
  }
  if (state == TASK_AWAITING_USER)
    return approves + N_UNITS(m, RULE_REFUSAL) > 0 ? CLASS_RESPONSE : CLASS_UNKNOWN;
  if (N_UNITS(m, RULE_COMPLETION) > 0) return CLASS_CONFIRMATION;
  if (N_UNITS(m, RULE_REFUSAL) > 0) {
    if (state == TASK_NONE) return m->nOver == 0 ? CLASS_UNCLEAR : CLASS_UNKNOWN;
    if (state != TASK_PENDING_COMPLETE) return CLASS_UNKNOWN;
    return approves > 0 || asksForMore(t) ? CLASS_CONFIRMATION : CLASS_MODIFICATION;
  }
  if (state != TASK_PENDING_COMPLETE || m->nOver > 0) return CLASS_UNKNOWN;
  return approves > 0 ? CLASS_CONFIRMATION : CLASS_UNKNOWN;
}

/* Is a short approval one that sets going ("go on", "do it"), rather than praise? */
static int setsGoing(const Shape *s) {
  Tail message;
  if (s->nWords > 4) return 0;
  ts_tail_read(&message, s->text, s->n);
  return ts_tail_has(&message, CUE_SETS_GOING);
}

/* "I am back, let's continue": whoever wants to go on gives nothing up, unless a no is beside it. */
static int wantsToGoOn(const Shape *s) {
  Tail message;
  if (s->nWords > GOING_ON_WORDS) return 0;
  ts_tail_read(&message, s->text, s->n);
  return ts_tail_opens(&message, CUE_WANTS_TO_GO_ON) && !ts_tail_has(&message, CUE_A_NO_BESIDE_IT);
}

/* Approval, whole or as an opening. */
static void weighApproval(ClassifyResult *out, TaskState state, const Shape *s, int affirmed,
                          const Tail *tail) {
  if (affirmed <= 0) return;
  if (out->isAffirmation && state == TASK_PENDING_COMPLETE &&
      ts_tail_has(tail, CUE_ANNOUNCES_A_STEP) && setsGoing(s)) {
    addShape(out, "go ahead with the next step", CLASS_MODIFICATION, 8);
  } else if (out->isAffirmation) {
    switch (state) {
    case TASK_AWAITING_USER: addShape(out, "approval", CLASS_RESPONSE, 8); break;
    case TASK_INTERRUPTED: addShape(out, "approval", CLASS_MODIFICATION, 4); break;
    case TASK_NONE: addShape(out, "approval", CLASS_CONFIRMATION, 7); break;
    default: addShape(out, "approval", CLASS_CONFIRMATION, 8); break;
    }
  } else if (state == TASK_AWAITING_USER && affirmed > 0) {
    addShape(out, "opens with approval", CLASS_RESPONSE, 1.5);
  } else if (state == TASK_PENDING_COMPLETE) {
    addShape(out, "opens with approval", CLASS_CONFIRMATION, s->nWords <= 8 ? 1.5 : 0.5);
  }
}

/* Is it a question without its mark, that would close, or is but a clause? */
static int asksUnmarked(const ClassifyResult *out, TaskState state, const Shape *s,
                        const RuleMatch *m) {
  double asks = out->score[CLASS_CLARIFICATION] - basis[state][CLASS_CLARIFICATION];
  return (m->isCovered || s->nLines == 1) && asks >= ASKS;
}

#define BESIDE_CODE 2 /* words that may stand beside a call, as in "use stop()" */

/* "job.cancel()", "stop() {": a word of code closes nothing. In "great, run() works now" other words do. */
static int holdsCode(const Shape *s) {
  int nCalls = 0, nOthers = 0, inWord = 0, isCall = 0;
  for (int i = 0; i < s->n; i++) {
    unsigned char c = (unsigned char)s->text[i];
    int isLetter = c >= 0x80 || c == '_' || ts_between(c | 32, 'a', 'z');
    if (c == '(' && inWord && i + 1 < s->n && s->text[i + 1] == ')') {
      isCall = 1;
      if (i + 2 < s->n && s->text[i + 2] == ';') return 1;
    }
    if (c == '{' && nCalls + isCall > 0) return 1;
    inWord |= isLetter;
    if (c != ' ' && c != '\n' && i + 1 < s->n) continue;
    nCalls += isCall;
    nOthers += inWord && !isCall;
    inWord = isCall = 0;
  }
  return nCalls > 0 && nOthers <= BESIDE_CODE;
}

/* All of the message closes: a question does not, with or without its mark, nor does what the agent has named
** itself. 1: it did. */
static int weighCover(ClassifyResult *out, TaskState state, const Shape *s, const RuleMatch *m,
                      const Tail *t, int endsNothing) {
  MessageClass cls;
  if (state == TASK_AWAITING_USER && isQuoted(t, s)) {
    addShape(out, "named in the question", CLASS_RESPONSE, 8);
    return 1;
  }
  if (m->isNegated) {
    addShape(out, "negated", CLASS_CONFIRMATION, -3);
    addShape(out, "negated", CLASS_ABANDON, -3);
  }
  if (holdsCode(s)) {
    addShape(out, "code", CLASS_CONFIRMATION, -8);
    addShape(out, "code", CLASS_ABANDON, -12);
    return 0;
  }
  if (s->nQuestions > 0 || s->isCut) return 0;
  if (asksUnmarked(out, state, s, m)) {
    addShape(out, "asks", CLASS_CONFIRMATION, -4);
    addShape(out, "asks", CLASS_ABANDON, -4);
    return 0;
  }
  if (!m->isCovered) return 0;
  cls = coveredClass(state, s, m, t, endsNothing);
  if (cls == CLASS_UNKNOWN) return 0;
  out->isWhole = m->nOver == 0;
  if (m->nOver == 0)
    addShape(out, "all of it closes", cls, 8);
  else
    addShape(out, "all of it but a word closes", cls, 4);
  return m->nOver == 0;
}

/*
** Words shared with the task, and with what the agent said last. A new goal that shares none is a
** new goal indeed, and what sounds like an order then belongs to it.
*/
static void weighTopic(ClassifyResult *out, TaskState state, const Shape *s,
                       const ClassifyInput *in, const Heard *heard, WordContext *context) {
  Topic topic;
  int nContent = 0, nTask = 0, nQuestion = 0;
  if (heard->newGoal >= EXPLICIT_GOAL)
    addShape(out, "orders for a new goal", CLASS_NEW_TASK, heard->orders);
  if (state == TASK_NONE || in->nTask + in->nQuestion == 0) return;
  ts_topic_clear(&topic);
  ts_topic_add(&topic, in->task, in->nTask, 1);
  ts_topic_add(&topic, in->question, in->nQuestion, 2);
  ts_topic_compare(&topic, s, &nContent, &nTask, &nQuestion);
  context->nContent = nContent;
  context->nTask = nTask;
  context->nQuestion = nQuestion;
  if (nContent == 0) return;
  if (nQuestion > 0)
    addShape(out, "words of the question", CLASS_NEW_TASK, nQuestion > 1 ? -1.5 : -0.75);
  if (nTask > 0) addShape(out, "words of the task", CLASS_NEW_TASK, nTask > 1 ? -1.0 : -0.5);
  if (nTask + nQuestion == 0 && nContent >= 3)
    addShape(out, "no common words", CLASS_NEW_TASK, 0.5);
  if (nTask + nQuestion == 0 && nContent >= 2 && heard->newGoal >= 2)
    addShape(out, "a goal without common words", CLASS_NEW_TASK, 2.5);
  if (heard->aside > 0 && nQuestion > 0)
    addShape(out, "words of the question", CLASS_RESPONSE, nQuestion > 1 ? 2 : 1);
}

/* While a question is open: something else is reported or wanted first. */
static void weighAside(ClassifyResult *out, const Tail *tail, const Heard *heard) {
  if (heard->aside <= 0) return;
  addShape(out, "orders beside the question", CLASS_MODIFICATION, heard->orders);
  if (ts_tail_has(tail, CUE_ASKS_FOR_A_REPORT))
    addShape(out, "a report was asked for", CLASS_RESPONSE, 3);
}

/* The heaviest class, given that closing ones have to lead. */
static MessageClass decide(const double *score) {
  int best = CLASS_MODIFICATION, safe = CLASS_MODIFICATION;
  for (int i = 0; i < CLASS_COUNT; i++) {
    int closes = i == CLASS_CONFIRMATION || i == CLASS_ABANDON || i == CLASS_NEW_TASK;
    if (score[i] > score[best]) best = i;
    if (!closes && score[i] > score[safe]) safe = i;
  }
  if (best != safe &&
      score[best] - score[safe] < (best == CLASS_NEW_TASK ? NEW_TASK_LEAD : CLOSING_LEAD))
    best = safe;
  return (MessageClass)best;
}

/* Lists a span of the text as evidence, whole characters of it. What finds no room is not listed. */
static void addWord(ClassifyResult *out, const Shape *s, const WordFeatures *f, int span,
                    MessageClass cls, double weight) {
  int n = ts_utf8_cut(s->text + f->at[span], f->len[span], TS_EVIDENCE_WORD_BYTES);
  out->score[cls] += weight;
  if (out->nEvidence >= TS_EVIDENCE_MAX || out->nWords + n > (int)sizeof(out->words)) {
    out->nUnlisted++;
    return;
  }
  memcpy(out->words + out->nWords, s->text + f->at[span], (size_t)n);
  out->evidence[out->nEvidence++] = (Evidence){0, 0, -1, out->nWords, n, cls, weight};
  out->nWords += n;
}

/* The span that says most about a class among those that say less than the last one listed, or 0. */
static int nextSpan(const WordFeatures *f, const WordSums *w, int cls, int last) {
  int best = 0, limit = last ? abs(w->span[last][cls]) : INT_MAX;
  for (int i = 1; i < f->nSpans; i++) {
    int weight = abs(w->span[i][cls]);
    if (weight > limit || (weight == limit && i <= last)) continue;
    if (weight > (best ? abs(w->span[best][cls]) : 0)) best = i;
  }
  return best;
}

/* Lists the words that say most about a class, and tells how much is left for the others. */
static int listWords(ClassifyResult *out, const Shape *s, const WordFeatures *f, const WordSums *w,
                     MessageClass cls) {
  int left = w->sum[cls] - w->looks[cls], span = 0;
  for (int i = 0; i < TS_EVIDENCE_WORDS; i++) {
    int weight;
    span = nextSpan(f, w, cls, span);
    if (span == 0) break;
    weight = ts_learnt_damp(f, w->span[span][cls]);
    if (weight == 0) break;
    addWord(out, s, f, span, cls, weight / (double)TS_LEARNT_UNIT);
    left -= weight;
  }
  return left;
}

/* Adds what the words say about one class. */
static void addWords(ClassifyResult *out, const ClassifyInput *in, const Shape *s,
                     const WordFeatures *f, const WordSums *w, MessageClass cls) {
  int left = w->sum[cls] - w->looks[cls];
  addShape(out, "looks", cls, w->looks[cls] / (double)TS_LEARNT_UNIT);
  if (in->listsWords) left = listWords(out, s, f, w, cls);
  addShape(out, in->listsWords ? "other words" : "words", cls, left / (double)TS_LEARNT_UNIT);
}

/* The share from which a class that costs much when it is wrong gets what words say for it, 2: never. Others always
** do. While a question is open nothing is approved, and what sounds like giving up can be an answer; and whoever is
** not understood is asked, which nobody likes who has said something. */
static double doubtShare(TaskState state, int cls) {
  int isAsked = state == TASK_AWAITING_USER;
  switch (cls) {
  case CLASS_CONFIRMATION: return isAsked ? 2 : CLOSING_SHARE;
  case CLASS_ABANDON: return isAsked ? CLOSING_SHARE_ASKED : CLOSING_SHARE;
  case CLASS_UNCLEAR: return UNCLEAR_SHARE;
  default: return 0;
  }
}

/* The likeliest class of those that neither close nor begin a task, and say something. */
static int safeClass(const double *score) {
  int safe = CLASS_MODIFICATION;
  if (score[CLASS_RESPONSE] > score[safe]) safe = CLASS_RESPONSE;
  if (score[CLASS_CLARIFICATION] > score[safe]) safe = CLASS_CLARIFICATION;
  return safe;
}

/* The share of a class when no word says more than WORD_MOST for it: a single one closes nothing. */
static double shareWithoutOne(const ClassifyResult *out, const double *score,
                              const ClassifyInput *in, const WordFeatures *f, WordSums *w,
                              int cls) {
  double capped[CLASS_COUNT], share[CLASS_COUNT];
  int sum = 0;
  if (!in->listsWords) ts_learnt_spans(f, w);
  for (int i = 1; i < f->nSpans; i++)
    sum += w->span[i][cls] > WORD_MOST ? WORD_MOST : w->span[i][cls];
  memcpy(capped, score, sizeof(capped));
  capped[cls] = out->score[cls] + (w->looks[cls] + ts_learnt_damp(f, sum)) / (double)TS_LEARNT_UNIT;
  ts_share_out(capped, share);
  return share[cls];
}

/* Adds what the words say. When it is doubtful, they say no more for a class that costs much than for the likeliest
** one that does not. */
static void weighWords(ClassifyResult *out, const ClassifyInput *in, const Shape *s,
                       const WordContext *context, const WordFeatures *f) {
  WordSums w;
  double score[CLASS_COUNT], share[CLASS_COUNT];
  int safe, isShared = 0;
  ts_learnt_weigh(f, &w);
  if (in->listsWords) ts_learnt_spans(f, &w);
  for (int c = 0; c < CLASS_COUNT; c++)
    score[c] = out->score[c] + w.sum[c] / (double)TS_LEARNT_UNIT;
  safe = safeClass(score);
  for (int c = 0; c < CLASS_COUNT; c++) {
    double enough = doubtShare(in->state, c);
    int isDoubted = enough > 0 && w.sum[c] > w.sum[safe];
    if (isDoubted && c == CLASS_ABANDON && (context->endsNothing || wantsToGoOn(s))) enough = 2;
    if (isDoubted && !isShared) ts_share_out(score, share);
    isShared |= isDoubted;
    if (isDoubted && share[c] >= enough && c != CLASS_UNCLEAR)
      share[c] = shareWithoutOne(out, score, in, f, &w, c);
    if (isDoubted && share[c] < enough)
      addShape(out, "doubtful", (MessageClass)c, w.sum[safe] / (double)TS_LEARNT_UNIT);
    else
      addWords(out, in, s, f, &w, (MessageClass)c);
  }
}

/* Did rules say enough for the words not to be asked? */
static int isDecisive(const Shape *s, const Heard *heard) {
  if (s->nWords <= SHORT_WORDS || heard->newGoal >= DECISIVE_SHORT)
    return heard->loudest >= DECISIVE_SHORT;
  return heard->loudest >= DECISIVE;
}

/* Nothing is known yet. What is listed has no end but its number, and stays as it is. */
static void clear(ClassifyResult *out) {
  out->cls = (MessageClass)0;
  out->confidence = 0;
  memset(out->score, 0, sizeof(out->score));
  memset(out->share, 0, sizeof(out->share));
  out->isWhole = out->isCorrected = out->isAffirmation = out->isDecided = 0;
  out->nEvidence = out->nUnlisted = out->nLeftOut = out->nWords = 0;
}

static int isAtWork(TaskState state) {
  return state == TASK_RUNNING || state == TASK_INTERRUPTED;
}

/* What the tidied message says, words apart. */
static int weighMessage(RuleSet *rules, const ClassifyInput *in, const Shape *s,
                        ClassifyResult *out, WordContext *context, char *err, int nErr) {
  TaskState state = effectiveState(in->state);
  RuleMatch m;
  Tail tail;
  Heard heard;
  double request; /* what speaks for changes to the work */
  int rc, keeps;
  clear(out);
  for (int c = 0; c < CLASS_COUNT; c++)
    addShape(out, "state", (MessageClass)c, basis[state][c]);
  rc = ts_rules_match(rules, s->text, s->n, state, s->nQuestions == 0 ? TS_MATCH_COVER : 0, &m, err,
                      nErr);
  if (rc != 0) return rc;
  out->nLeftOut = m.nLeftOut;
  out->isAffirmation = out->isWhole = s->n > 0 && !s->isCut && m.affirmed == s->n;
  heard = weighRules(out, state, rules, &m);
  request = out->score[readings[state][CLASS_MODIFICATION]] -
            basis[state][readings[state][CLASS_MODIFICATION]];
  if (state != TASK_AWAITING_USER && request >= 2)
    addShape(out, "asks for more", CLASS_CONFIRMATION, -2);
  ts_tail_read(&tail, in->question, in->nQuestion);
  weighApproval(out, state, s, m.affirmed, &tail);
  memset(context, 0, sizeof(*context));
  context->endsNothing = answersDismissing(state, s, &tail, &m.clauses);
  if (context->endsNothing) addShape(out, "answers the question", CLASS_ABANDON, -8);
  keeps = ts_gives_nothing_up(s, &m.clauses);
  if (keeps) addShape(out, "gives nothing up", CLASS_ABANDON, -20);
  out->isDecided =
      out->isAffirmation || (!keeps && weighCover(out, state, s, &m, &tail, context->endsNothing));
  if (!out->isDecided && isAtWork(state) && ts_stop_is_typed(s)) {
    addShape(out, "a stop in other letters", CLASS_ABANDON, 8);
    out->isDecided = 1;
  }
  context->folded = m.folded;
  context->state = state;
  context->asks = ts_tail_asks(&tail);
  context->wantsMore = asksForMore(&tail);
  context->wantsReport = ts_tail_has(&tail, CUE_ASKS_FOR_A_REPORT);
  context->offers = ts_tail_has(&tail, CUE_OFFERS);
  if (!asksUnmarked(out, state, s, &m)) context->clauses = m.clauses;
  context->order = heard.orders >= 2 ? 2 : heard.orders > 0;
  if (out->isDecided) return SQLITE_OK;
  weighShape(out, state, s, in, state == TASK_AWAITING_USER ? 1 : request);
  weighTopic(out, state, s, in, &heard, context);
  weighAside(out, &tail, &heard);
  if (state == TASK_AWAITING_USER && opensWithNamed(&tail, s))
    addShape(out, "opens with what the question names", CLASS_RESPONSE, 5);
  out->isDecided = state == TASK_NONE || isDecisive(s, &heard);
  for (int c = 0; c < CLASS_COUNT; c++)
    context->heard[c] = ts_learnt_heard(out->score[c] - basis[state][c]);
  return SQLITE_OK;
}

static void settle(ClassifyResult *out) {
  out->cls = decide(out->score);
  ts_share_out(out->score, out->share);
  out->confidence = out->share[out->cls];
}

void ts_classify_add(ClassifyResult *out, long long delivery, MessageClass cls, double weight) {
  int n = out->nEvidence;
  addEvidence(out, 0, 0, TS_EVIDENCE_CORRECTION, cls, weight);
  if (out->nEvidence > n) {
    out->evidence[n].ruleId = delivery;
    out->evidence[n].ruleIndex = TS_EVIDENCE_CORRECTION;
  }
  settle(out);
}

int ts_classify_rules(RuleSet *rules, const ClassifyInput *in, ClassifyResult *out,
                      WordFeatures *words, char *err, int nErr) {
  Shape s;
  WordContext context;
  int rc;
  ts_shape_of(in->message, in->nMessage, &s);
  rc = weighMessage(rules, in, &s, out, &context, err, nErr);
  if (rc == SQLITE_OK) ts_learnt_features(&s, &context, words);
  return rc;
}

int ts_classify(RuleSet *rules, const ClassifyInput *in, ClassifyResult *out, char *err, int nErr) {
  Shape s;
  WordContext context;
  WordFeatures words;
  int rc;
  ts_shape_of(in->message, in->nMessage, &s);
  rc = weighMessage(rules, in, &s, out, &context, err, nErr);
  if (rc != SQLITE_OK) return rc;
  if (!out->isDecided && s.n > 0) {
    ts_learnt_features(&s, &context, &words);
    weighWords(out, in, &s, &context, &words);
  }
  settle(out);
  return SQLITE_OK;
}

int ts_is_affirmation(RuleSet *rules, const char *message, int n, int *yes, int *nLeftOut,
                      char *err, int nErr) {
  Shape s;
  RuleMatch m;
  int rc;
  *yes = *nLeftOut = 0;
  ts_shape_of(message, n, &s);
  if (s.n == 0 || s.n > 200 || s.isCut) return SQLITE_OK;
  rc = ts_rules_match(rules, s.text, s.n, TASK_PENDING_COMPLETE, TS_MATCH_AFFIRMATION, &m, err,
                      nErr);
  if (rc != SQLITE_OK) return rc;
  *yes = m.affirmed == s.n;
  *nLeftOut = m.nLeftOut;
  return rc;
}
