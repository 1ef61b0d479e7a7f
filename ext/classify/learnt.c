/*
** learnt.c - takes a message apart into features, and adds up what the learnt table says about them.
**
** A token is a word, folded; in scripts without spaces a character; or a question mark at the end of
** a clause. Features are of these kinds, each hashed with its kind so that they do not meet:
**
**   WORD             the token
**   STEM, PREFIX     its first six and its first three letters (two syllables and one of Hangul), when it is
**                    longer
**   PAIR             it and the one before it, in the same clause
**   STATE            the token in this state
**   OPENS            it begins a clause, and that together with whether the message asks
**   CLAUSES          of which units its clauses consist, see ClauseUnits
**   the rest         length, questions, what the agent asked, words in common, each in this state
*/
#include "learnt.h"

#include "literals.h"
#include "utf8.h"

#include <string.h>

enum {
  WORD = 1,
  STEM,
  PREFIX,
  PAIR,
  STATE,
  OPENS,
  LENGTH,
  ASKS,
  AGENT,
  TOPIC,
  ORDER,
  BIAS,
  HEARD,
  CLAUSES
};

#define TOKEN_BYTES 64 /* of a word that count */

typedef struct Token {
  unsigned hash, stem, prefix; /* stem, prefix 0: it is the word */
  int at, n;
  int opens; /* a clause */
} Token;

static int isHangul(unsigned c) {
  return c >= 0xAC00 && c <= 0xD7A3;
}

/* Characters that are a token each. */
static int isAlone(unsigned c) {
  return (c >= 0x3041 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) ||
         (c >= 0x2600 && c <= 0x27BF) || c >= 0x1F300;
}

static int isPart(unsigned c) {
  if (c < 0x80)
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '\'';
  return (c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7) || isHangul(c);
}

static unsigned addBytes(unsigned h, const unsigned char *p, int n) {
  for (int i = 0; i < n; i++)
    h = (h ^ p[i]) * 16777619u;
  return h;
}

/* The text that is taken apart: folded, and as long as the tidied one. */
typedef struct Folded {
  const unsigned char *p;
  int n;
} Folded;

static int isPlain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '\'';
}

/* Reads the word at a place, of which the first character is known, into a token. */
static void readWord(const Folded *text, int at, Token *token) {
  const unsigned char *p = text->p + at, *end = text->p + text->n;
  unsigned h = 2166136261u, stem = h, prefix = 0;
  int n = 0, nChars = 0;
  while (p + n < end && n < TOKEN_BYTES - 4) {
    int len = 1;
    if (!isPlain(p[n])) {
      unsigned c = p[n] < 0x80 ? 0 : ts_utf8_decode(p + n, end, &len);
      if (c == 0 || !isPart(c)) break;
      nChars += isHangul(c) ? 2 : 0;
    }
    h = addBytes(h, p + n, len);
    n += len;
    if (++nChars <= 6) stem = h;
    if (nChars >= 3 && prefix == 0) prefix = h;
  }
  token->n = n == 0 ? 1 : n;
  token->hash = n == 0 ? addBytes(h, p, 1) : h;
  token->stem = nChars > 6 && stem != h ? stem : 0;
  token->prefix = prefix != h ? prefix : 0;
}

/* The next token at or behind *at, 0: there is none. */
static int nextToken(const Folded *text, int *at, Token *token) {
  const unsigned char *end = text->p + text->n;
  token->opens = *at == 0;
  while (*at < text->n) {
    int len = 1;
    unsigned c = text->p[*at];
    if (c >= 0x80) c = ts_utf8_decode(text->p + *at, end, &len);
    token->at = *at;
    token->opens |= c == '\n';
    if (isPart(c) && c != '\'') {
      readWord(text, *at, token);
      *at += token->n;
      return 1;
    }
    *at += len;
    if (c != '?' && !isAlone(c)) continue;
    token->n = len;
    token->hash = addBytes(2166136261u, text->p + token->at, len);
    token->stem = token->prefix = 0;
    return 1;
  }
  return 0;
}

static void emit(WordFeatures *f, int span, unsigned kind, unsigned a, unsigned b) {
  unsigned h = (kind * 0x9E3779B1u) ^ a;
  h = (h ^ h >> 16) * 0x85EBCA6Bu;
  h ^= b * 0xC2B2AE35u;
  h = (h ^ h >> 13) * 0xC2B2AE35u;
  h ^= h >> 16;
  if (f->n >= TS_LEARNT_FEATURES) return;
  __builtin_prefetch(ts_word_rows[h % TS_LEARNT_GROUPS]);
  f->hash[f->n] = h;
  f->span[f->n++] = (unsigned short)span;
}

static int newSpan(WordFeatures *f, int at, int n) {
  f->at[f->nSpans] = (unsigned short)at;
  f->len[f->nSpans] = (unsigned short)n;
  return f->nSpans++;
}

/* 0, 1, 2, 3–4, 5–8, … */
static unsigned magnitude(int n) {
  unsigned m = 0;
  for (; n > 2; n = (n + 1) / 2)
    m++;
  return m + (unsigned)n;
}

int ts_learnt_heard(double score) {
  static const double steps[] = {-3, -0.5, 0.5, 1.75, 3.25, 5};
  int n = -2;
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
    n += score >= steps[i];
  return n;
}

/* 0: none, 1: one that is not the last clause, 2: one that is, 3: nothing else. */
static unsigned questionsOf(const Shape *s) {
  if (s->nQuestions == 0) return 0;
  if (s->nQuestions == s->nLines) return 3;
  return s->lastIsQuestion ? 2 : 1;
}

static void emitShape(WordFeatures *f, const Shape *s, const WordContext *c) {
  unsigned state = (unsigned)c->state;
  unsigned questions = questionsOf(s);
  unsigned agent = (unsigned)(c->asks | c->wantsMore << 1 | c->wantsReport << 2 | c->offers << 3);
  unsigned shared = (unsigned)((c->nTask > 0) | (c->nQuestion > 0) << 1);
  emit(f, 0, BIAS, state, 0);
  emit(f, 0, LENGTH, state, magnitude(s->nWords));
  emit(f, 0, LENGTH, 99, magnitude(s->nWords));
  emit(f, 0, ASKS, state, questions);
  emit(f, 0, ASKS, state + 8 * magnitude(s->nWords), questions);
  emit(f, 0, AGENT, state, agent);
  emit(f, 0, AGENT, state + 8 + 8 * (unsigned)c->order, agent + 16 * questions);
  emit(f, 0, TOPIC, state, shared + 4 * magnitude(c->nContent));
  emit(f, 0, TOPIC, state + 8, shared);
  emit(f, 0, ORDER, state, (unsigned)c->order);
  for (unsigned k = 0; k < CLASS_COUNT; k++)
    emit(f, 0, HEARD, state + 8 * k, (unsigned)(c->heard[k] + 8));
  emit(f, 0, HEARD, state + 64,
       (unsigned)(c->heard[CLASS_CLARIFICATION] + 8 + 16 * (c->heard[CLASS_MODIFICATION] + 8)));
  emit(f, 0, HEARD, state + 72,
       (unsigned)(c->heard[CLASS_NEW_TASK] + 8 + 16 * (c->heard[CLASS_MODIFICATION] + 8)));
  emit(f, 0, ORDER, state + 8, (unsigned)c->order + 4 * shared + 16 * questions);
}

/* Giving up in one clause tells more than in half of one, and orders beside it something else. */
static void emitClauses(WordFeatures *f, const WordContext *c) {
  const ClauseUnits *u = &c->clauses;
  unsigned state = (unsigned)c->state, order = (unsigned)c->order;
  unsigned others = (unsigned)(u->nOthers > 3 ? 3 : u->nOthers);
  for (unsigned kind = 0; kind < UNIT_KINDS - 1; kind++) {
    unsigned found = kind * 4 + (u->whole >> kind & 1) * 2 + (u->partly >> kind & 1);
    emit(f, 0, CLAUSES, found, state);
    emit(f, 0, CLAUSES, found + 16 * (1 + order), state + 8 * others);
  }
  emit(f, 0, CLAUSES, 100 + u->whole, state);
  emit(f, 0, CLAUSES, 300 + u->whole + 16 * u->partly, state);
  emit(f, 0, CLAUSES, 600 + u->first + 16 * u->last, state);
  emit(f, 0, CLAUSES, 900 + u->first, state + 8 * order);
  emit(f, 0, CLAUSES, 1000 + u->last, state + 8 * order);
}

static void emitToken(WordFeatures *f, const Token *token, const Token *before, unsigned state,
                      unsigned questions) {
  int span = newSpan(f, token->at, token->n);
  emit(f, span, WORD, token->hash, 0);
  emit(f, span, STATE, token->hash, state + 1);
  if (token->stem != 0) emit(f, span, STEM, token->stem, 0);
  if (token->prefix != 0) emit(f, span, PREFIX, token->prefix, 0);
  if (token->opens) {
    emit(f, span, OPENS, token->hash, 0);
    emit(f, span, OPENS, token->hash, questions + 1);
  }
  if (before != 0 && !token->opens) {
    span = newSpan(f, before->at, token->at + token->n - before->at);
    emit(f, span, PAIR, before->hash, token->hash);
  }
}

void ts_learnt_features(const Shape *s, const WordContext *context, WordFeatures *out) {
  char folded[TS_TEXT_MAX + 8];
  Folded text = {(const unsigned char *)context->folded, s->n};
  Token token, before = {0, 0, 0, 0, 0, 0};
  unsigned questions = questionsOf(s);
  int at = 0;
  /* Tidying has removed what folding would shorten: places in both texts are the same. */
  if (!text.p)
    text.p = (const unsigned char *)(ts_fold(s->text, s->n, folded) == s->n ? folded : s->text);
  out->n = out->nSpans = out->nTokens = 0;
  newSpan(out, 0, 0);
  emitShape(out, s, context);
  emitClauses(out, context);
  out->nLooks = out->n;
  while (out->nTokens < TS_LEARNT_TOKENS && nextToken(&text, &at, &token)) {
    emitToken(out, &token, out->nTokens ? &before : 0, (unsigned)context->state, questions);
    before = token;
    out->nTokens++;
  }
}

int ts_learnt_damp(const WordFeatures *f, int sum) {
  return f->nTokens <= TS_LEARNT_DAMPED ? sum : sum * TS_LEARNT_DAMPED / f->nTokens;
}

#define EACH_BYTE 0x01010101u

/* Could one of four bytes be this one? Most features are not known, which this tells at once. */
static int mayHold(const unsigned char *p, unsigned byte) {
  unsigned four;
  memcpy(&four, p, sizeof(four));
  four ^= byte * EACH_BYTE;
  return ((four - EACH_BYTE) & ~four & EACH_BYTE * 0x80) != 0;
}

/* The weights of a feature, as in ts_word_weights, 0: the table does not know it. */
static inline unsigned long long weightsOf(unsigned hash) {
  const unsigned char *group = ts_word_rows[hash % TS_LEARNT_GROUPS];
  const unsigned char *low = group + TS_LEARNT_WAYS, *high = low + TS_LEARNT_WAYS;
  unsigned mark = ts_learnt_mark(hash);
  if (!mayHold(low, mark & 255)) return 0;
  for (int i = 0; i < TS_LEARNT_WAYS; i++) {
    if (low[i] == (mark & 255) && (high[i / 2] >> i % 2 * 4 & 15) == mark >> 8)
      return ts_word_weights[group[i]];
  }
  return 0;
}

/*
** Adds up the rows of some features. Those of every second class are added as four numbers of sixteen bits in one,
** and taken out before such a number can overflow.
*/
#define LANES 0x00FF00FF00FF00FFull
#define LANE_ROWS 256

static void addRows(const unsigned *hash, int n, int *sum) {
  while (n > 0) {
    unsigned long long lanes[2] = {0, 0};
    int known = 0;
    for (; n > 0 && known < LANE_ROWS; n--, hash++) {
      unsigned long long weights = weightsOf(*hash);
      if (weights == 0) continue;
      lanes[0] += weights & LANES;
      lanes[1] += weights >> 8 & LANES;
      known++;
    }
    for (int c = 0; c < CLASS_COUNT; c++)
      sum[c] += (int)(lanes[c % 2] >> c / 2 * 16 & 0xFFFF) - 128 * known;
  }
}

void ts_learnt_weigh(const WordFeatures *f, WordSums *out) {
  int words[CLASS_COUNT] = {0};
  memset(out->looks, 0, sizeof(out->looks));
  addRows(f->hash, f->nLooks, out->looks);
  addRows(f->hash + f->nLooks, f->n - f->nLooks, words);
  for (int c = 0; c < CLASS_COUNT; c++)
    out->sum[c] = out->looks[c] + ts_learnt_damp(f, words[c]);
}

void ts_learnt_spans(const WordFeatures *f, WordSums *out) {
  memset(out->span, 0, (size_t)f->nSpans * sizeof(out->span[0]));
  for (int i = f->nLooks; i < f->n; i++) {
    unsigned long long weights = weightsOf(f->hash[i]);
    for (int c = 0; c < CLASS_COUNT && weights != 0; c++)
      out->span[f->span[i]][c] += (int)(weights >> 8 * c & 255) - 128;
  }
}
