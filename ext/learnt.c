/*
** learnt.c - takes a message apart into features, and adds up what the learnt table says about them.
**
** A token is a word, folded; in scripts without spaces a character; or a question mark at the end of
** a clause. Features are of these kinds, each hashed with its kind so that they do not meet:
**
**   WORD, STEM       the token, and its first five letters (two of Hangul) when it is longer
**   PAIR             it and the one before it, in the same clause
**   STATE            the token in this state
**   OPENS            it begins a clause
**   FIRST            it begins the message, in this state
**   the rest         length, questions, what the agent asked, words in common, each in this state
*/
#include "learnt.h"

#include "literals.h"
#include "utf8.h"

#include <string.h>

enum { WORD = 1, STEM, PAIR, STATE, OPENS, FIRST, LENGTH, ASKS, AGENT, TOPIC, ORDER, BIAS, HEARD };

#define TOKEN_BYTES 64 /* of a word that count */

typedef struct Token {
  unsigned hash, stem; /* stem 0: it is the word */
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

static unsigned addBytes(unsigned h, const char *p, int n) {
  for (int i = 0; i < n; i++)
    h = (h ^ (unsigned char)p[i]) * 16777619u;
  return h;
}

/* Reads the word at p, of which the first character is known, into a token. */
static void readWord(const unsigned char *p, const unsigned char *end, Token *token) {
  char folded[TOKEN_BYTES];
  int n = 0, nChars = 0, nStem = 0;
  while (p + n < end && n < TOKEN_BYTES - 4) {
    int len;
    unsigned c = ts_utf8_decode(p + n, end, &len);
    if (!isPart(c)) break;
    n += len;
    nChars += isHangul(c) ? 3 : 1;
    if (nChars <= 6) nStem = n;
  }
  n = n == 0 ? 1 : n;
  token->n = n;
  n = ts_fold((const char *)p, n, folded);
  token->hash = addBytes(2166136261u, folded, n);
  token->stem = nChars > 6 && nStem < n ? addBytes(2166136261u, folded, nStem) : 0;
}

/* The next token at or behind *at, 0: there is none. */
static int nextToken(const Shape *s, int *at, Token *token) {
  const unsigned char *text = (const unsigned char *)s->text, *end = text + s->n;
  token->opens = *at == 0;
  while (*at < s->n) {
    int len;
    unsigned c = ts_utf8_decode(text + *at, end, &len);
    token->at = *at;
    token->opens |= c == '\n';
    if (isPart(c) && c != '\'') {
      readWord(text + *at, end, token);
      *at += token->n;
      return 1;
    }
    *at += len;
    if (c != '?' && !isAlone(c)) continue;
    token->n = len;
    token->hash = addBytes(2166136261u, s->text + token->at, len);
    token->stem = 0;
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
  f->bucket[f->n] = (unsigned short)(h % TS_LEARNT_BUCKETS);
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

static void emitShape(WordFeatures *f, const Shape *s, const WordContext *c) {
  unsigned state = (unsigned)c->state;
  unsigned questions = s->nQuestions == 0           ? 0
                       : s->nQuestions == s->nLines ? 3
                       : s->lastIsQuestion          ? 2
                                                    : 1;
  unsigned agent = (unsigned)(c->asks | c->wantsMore << 1 | c->wantsReport << 2);
  unsigned shared = (unsigned)((c->nTask > 0) | (c->nQuestion > 0) << 1);
  emit(f, 0, BIAS, state, 0);
  emit(f, 0, LENGTH, state, magnitude(s->nWords));
  emit(f, 0, LENGTH, 99, magnitude(s->nWords));
  emit(f, 0, ASKS, state, questions);
  emit(f, 0, ASKS, state + 8 * magnitude(s->nWords), questions);
  emit(f, 0, AGENT, state, agent);
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

static void emitToken(WordFeatures *f, const Token *token, const Token *before, unsigned state) {
  int span = newSpan(f, token->at, token->n);
  emit(f, span, WORD, token->hash, 0);
  emit(f, span, STATE, token->hash, state + 1);
  if (token->stem != 0) emit(f, span, STEM, token->stem, 0);
  if (token->opens) emit(f, span, OPENS, token->hash, 0);
  if (before == 0) {
    emit(f, span, FIRST, token->hash, state + 1);
  } else if (!token->opens) {
    span = newSpan(f, before->at, token->at + token->n - before->at);
    emit(f, span, PAIR, before->hash, token->hash);
  }
}

void ts_learnt_features(const Shape *s, const WordContext *context, WordFeatures *out) {
  Token token, before;
  int at = 0;
  out->n = out->nSpans = out->nTokens = 0;
  newSpan(out, 0, 0);
  emitShape(out, s, context);
  while (out->nTokens < TS_LEARNT_TOKENS && nextToken(s, &at, &token)) {
    emitToken(out, &token, out->nTokens ? &before : 0, (unsigned)context->state);
    before = token;
    out->nTokens++;
  }
}

int ts_learnt_damp(const WordFeatures *f, int sum) {
  return f->nTokens <= TS_LEARNT_DAMPED ? sum : sum * TS_LEARNT_DAMPED / f->nTokens;
}

void ts_learnt_weigh(const WordFeatures *f, WordSums *out) {
  int words[CLASS_COUNT] = {0};
  memset(out->span, 0, (size_t)f->nSpans * sizeof(out->span[0]));
  for (int i = 0; i < f->n; i++) {
    const signed char *w = ts_word_weights[f->bucket[i]];
    int *span = out->span[f->span[i]];
    for (int c = 0; c < CLASS_COUNT; c++)
      span[c] += w[c];
  }
  for (int i = 1; i < f->nSpans; i++)
    for (int c = 0; c < CLASS_COUNT; c++)
      words[c] += out->span[i][c];
  for (int c = 0; c < CLASS_COUNT; c++)
    out->sum[c] = out->span[0][c] + ts_learnt_damp(f, words[c]);
}
