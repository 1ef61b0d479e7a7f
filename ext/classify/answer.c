/*
** answer.c - reading the answer to a choice: "b)", "the first one", "not A, the other one", "lass uns
** weitermachen", "start fresh, this time with postgres".
**
** The message is cut into folded words (words.c), and the patterns of sql/answers/, which patterns.c
** looks up, say what each of them can be: an answer, a denial, a "both" or "neither", a giving up, or something
** that only stands around those. Walking from word to word, every way of using them up is tried at once
** (answer_ways.c).
**
** A message that is used up is an answer and nothing else. Where an answer ends at punctuation, or before
** "but", "and", "because", the rest is what is said beside it, and has to be handed over. Two answers that
** contradict each other are none.
**
** Everything is tried literally first. Only when nothing fits are small typos forgiven, and then an answer
** counts only if no way leads to the other one.
*/
#include "answer.h"

#include "answer_ways.h"
#include "cues.h"
#include "utf8.h"

#include <string.h>

/* ---- What a message says ----------------------------------------------------------------------- */

static int saysNothingAtAll(State s) {
  return s.said == SAID_NOTHING && s.doubt == DECIDED && !s.denied;
}

/* The cheapest state at a place; *cost: NO_WAY when there is none. What says something is meant so ("la prima"
** is no praise). Ways of one price that say different things say two, and so do all ways when typos were
** forgiven. */
static State bestAt(const Reading *r, int i, unsigned *cost) {
  State best = {SAID_NOTHING, DECIDED, 0, 0};
  int reached[SAID_COUNT] = {0};
  *cost = NO_WAY;
  for (int k = 0; k < STATES && ts_ends_has(r->reached, i); k++) {
    State s = ts_way_state(k);
    unsigned price = r->cost[i][k];
    if (price == NO_WAY || s.denies) continue;
    if (s.said == SAID_DROP_TASK) s.said = SAID_FRESH;
    if (saysNothingAtAll(s)) price += SAYS_NOTHING;
    reached[s.said] = 1;
    if (price == *cost && s.said != best.said) best.said = SAID_TWO;
    if (price < *cost) {
      best = s;
      *cost = price;
    }
  }
  if (r->text.typos && reached[SAID_CONTINUE] && reached[SAID_FRESH]) best.said = SAID_TWO;
  return best;
}

static int saysSomething(State s) {
  return s.said != SAID_NOTHING || s.doubt == NEITHER;
}

/* Can the words beside an answer begin before word i, although nothing is set off there? */
static int isParted(const Reading *r, int i, State s) {
  Ends parts = r->parts | r->ands | (s.said == SAID_FRESH ? r->withs : 0);
  return ts_ends_has(parts, i);
}

/* Where the words beside an answer begin, or 0. They begin at the last place that is set off, so that
** "continue. no, wait, start over" does not end at its first stop; otherwise at the first "but" or "and". */
static int restOf(const Reading *r, State *state) {
  const Words *w = r->words;
  Ends set = ts_ways_stops(w);
  unsigned cost;
  for (int i = w->isCut ? w->n : w->n - 1; i > 0; i--) {
    *state = bestAt(r, i, &cost);
    if (cost < SAYS_NOTHING && ts_ends_has(set, i) && saysSomething(*state)) return i;
  }
  for (int i = 1; i < w->n; i++) {
    *state = bestAt(r, i, &cost);
    if (cost < SAYS_NOTHING && saysSomething(*state) && isParted(r, i, *state)) return i;
  }
  return 0;
}

#define ORDER_WORDS 3 /* "make haste" wants nothing made */
#define LAST_WORDS 8  /* words at the end in which the verb of an order is looked for */
#define AROUND                                                                                     \
  (MEANS(WORDS_LEAD) | MEANS(WORDS_LEAD_NO) | MEANS(WORDS_ASK) | MEANS(WORDS_TAIL) |               \
   MEANS(WORDS_JOIN) | MEANS(WORDS_POLITE) | MEANS(WORDS_THANKS))
#define PLACES                                                                                     \
  (MEANS(WORDS_FIRST) | MEANS(WORDS_SECOND) | MEANS(WORDS_THIRD) | MEANS(WORDS_ONE) |              \
   MEANS(WORDS_TWO) | MEANS(WORDS_THREE) | MEANS(WORDS_LAST) | MEANS(WORDS_FORMER) |               \
   MEANS(WORDS_LATTER))

/* Is the first word a place in the list of options? */
static int isPlace(Reading *r) {
  return ts_ends_has(ts_ways_ends_of(&r->text, 0, PLACES), 1);
}

/* "1. do this 2. do that" is a list, and "first, …" an adverb; and "a, …?" may be a sigh. */
static int isNoAnswer(Reading *r, int end) {
  const Words *w = r->words;
  unsigned letter = ts_words_letter(w, 0);
  if (end == 1 && ts_ways_option_of_key(r, 0) < 0 && !ts_between(letter, '0', '9') &&
      !ts_ways_is_option_text(r, 0, 0) && !ts_ways_is_option_text(r, 1, 0) && isPlace(r)) {
    return 1;
  }
  for (int k = 0, items = 0; k < w->n && (items || k < NAME_WITHIN); k++) {
    items += w->word[k].list && ts_ways_is_option_name(w, k);
    if (items > 1) return 1;
  }
  return end == 1 && w->asks && (letter == 'a' || letter == 0x430) && !ts_ends_has(r->parts, 1);
}

/* What all of it, or its beginning, says. */
static ChoiceReading answerOf(State s) {
  static const ChoiceAnswer answers[SAID_COUNT] = {ANSWER_NONE, ANSWER_CONTINUE, ANSWER_START_FRESH,
                                                   ANSWER_NONE, ANSWER_UNDECIDED};
  ChoiceReading reading = {answers[s.said], 0, CHOICE_SAYS_NOTHING};
  if (s.said == SAID_DROP) reading.says = CHOICE_SAYS_DROP;
  if (s.said == SAID_DROP_HELD) reading.says = CHOICE_SAYS_DROP_HELD;
  if (s.said == SAID_DROP_ALL) reading.says = CHOICE_SAYS_DROP_ALL;
  return reading;
}

/* Does a pattern of some meanings stand at word i, or behind words that may stand before an answer? */
static int comes(Reading *r, int i, uint64_t meanings) {
  while (i < r->words->n) {
    Ends around;
    if (ts_ways_ends_of(&r->text, i, meanings)) return 1;
    around = ts_ways_ends_of(&r->text, i, AROUND);
    if (!around) return 0;
    i = ts_ends_first(around);
  }
  return 0;
}

/* Does the message end in a pattern of some meanings, perhaps with words behind it that may stand behind
** an answer? */
static int endsIn(Reading *r, int from, uint64_t meanings) {
  int n = r->words->n;
  Ends fine = ts_ends_bit(n);
  for (int i = n - 1; i >= from && i >= n - LAST_WORDS && !r->words->isCut; i--) {
    if (ts_ways_ends_of(&r->text, i, meanings) & fine) return 1;
    if (ts_ways_ends_of(&r->text, i, AROUND) & fine) fine |= ts_ends_bit(i);
  }
  return 0;
}

/* Do the words from i on want something made or found? */
static int orders(Reading *r, int i) {
  int isLong = r->words->n - i >= ORDER_WORDS;
  return (isLong && comes(r, i, MEANS(WORDS_ORDER) | MEANS(WORDS_WISH))) ||
         endsIn(r, i, MEANS(WORDS_ORDER_END));
}

/* Does it want to know something? */
static int asks(Reading *r, int from) {
  int isBefore = ts_ways_ends_of(&r->text, from, MEANS(WORDS_BEFORE)) != 0;
  if (comes(r, from, MEANS(WORDS_ASKS) | MEANS(WORDS_TELL))) return 1;
  for (int i = from + 1; isBefore && i < r->words->n; i++) {
    if (ts_ways_ends_of(&r->text, i, MEANS(WORDS_ASKS) | MEANS(WORDS_TELL))) return 1;
  }
  return endsIn(r, from, MEANS(WORDS_TELL_END));
}

static int hasMeaning(Reading *r, uint64_t meanings) {
  for (int i = 0; i < r->words->n; i++) {
    if (ts_ways_ends_of(&r->text, i, meanings)) return 1;
  }
  return 0;
}

/* Is there a word that is neither in a pattern nor the name of an option? */
static int hasUnknown(const Words *w) {
  for (int i = 0; i < w->n; i++) {
    if (w->word[i].number == WORD_NO_NUMBER && w->word[i].n > 1 && !ts_ways_is_option_name(w, i))
      return 1;
  }
  return 0;
}

/* What a bare denial leaves of two options: "not B" the other one, and whoever doesn't want to start fresh goes on,
** which loses nothing. Who doesn't want to go on may want nothing at all, "no A" may be two words, and what is said
** about a place ("not the second one") may be a doubt. Two words may be one answer with a typo in it: "statt fresh". */
static int leftBy(Reading *r, State s) {
  const Words *w = r->words;
  if (r->nOptions != 2 || r->text.typos || w->asks) return SAID_NOTHING;
  if (ts_ways_ends_of(&r->text, 0, MEANS(WORDS_LEAD_NO))) return SAID_NOTHING;
  if (w->n == 2 && ts_ways_option_of_key(r, 1) >= 0)
    return s.denied == SAID_FRESH ? SAID_CONTINUE : SAID_FRESH;
  if (w->n < 3 || !comes(r, 0, MEANS(WORDS_NOT))) return SAID_NOTHING;
  for (int i = 0; i < w->n; i++) {
    if (ts_ways_option_of_key(r, i) >= 0) return SAID_NOTHING;
  }
  return s.denied == SAID_FRESH && !hasMeaning(r, PLACES & ~MEANS(WORDS_ONE)) ? SAID_CONTINUE
                                                                              : SAID_NOTHING;
}

/* All of it is used up. An answer that ends in a question mark asks back ("A?"), or asks something ("where were
** we?"), unless it is a request ("can we go on?"). */
static ChoiceReading readWhole(Reading *r, State s) {
  ChoiceReading reading;
  int isAnswer;
  if (s.said == SAID_NOTHING && s.doubt == DECIDED && s.denied) s.said = leftBy(r, s);
  reading = answerOf(s);
  isAnswer = s.said == SAID_CONTINUE || s.said == SAID_FRESH;
  if (s.said == SAID_NOTHING && (s.doubt != DECIDED || s.denied)) reading.answer = ANSWER_UNDECIDED;
  if (isAnswer && r->words->asks && !(r->asks & 0xF)) {
    int isBack = r->words->n < 3 || !hasMeaning(r, MEANS(WORDS_ASKS));
    reading.answer = isBack ? ANSWER_UNDECIDED : ANSWER_NONE;
  }
  /* "Drop the poster?" asks, too. */
  if (r->words->asks && !(r->asks & 0xF) &&
      (reading.says == CHOICE_SAYS_DROP_HELD || reading.says == CHOICE_SAYS_DROP_ALL))
    reading = (ChoiceReading){ANSWER_UNDECIDED, 0, CHOICE_SAYS_NOTHING};
  /* A word that was taken for a name may be the subject: "hmm, tuesday (23)". */
  if (reading.answer == ANSWER_UNDECIDED && !r->text.typos) reading.hasWords = hasUnknown(r->words);
  return reading;
}

/* Is the request that would replace the task named, up to where the message was read? */
static int namesHeld(const Reading *r) {
  for (int i = 0; i < r->words->n; i++) {
    if (ts_ends_has(r->text.isHeld, i) && r->text.asHeld[i]) return 1;
  }
  return 0;
}

/* An answer, with words beside it from word i on. A doubted answer ("B? not sure") is none, and neither is
** a reason ("neither, the food is ready"): the words that somebody has to know are kept, and nothing is
** done. */
static ChoiceReading readBeside(Reading *r, State s, int i) {
  const Words *w = r->words;
  ChoiceReading reading = answerOf(s);
  int nRest = w->isCut ? WORDS_MAX : w->n - i;
  int isDoubted =
      w->word[i - 1].asks && !(r->asks & 0xF) && (s.said == SAID_CONTINUE || s.said == SAID_FRESH);
  if (isDoubted) reading.answer = ANSWER_UNDECIDED;
  if (s.said == SAID_NOTHING) {
    if (nRest > 1 && (w->asks || asks(r, i) || orders(r, i)))
      reading.says = CHOICE_SAYS_OTHER;
    else
      reading.answer = ANSWER_UNDECIDED;
  }
  /* "forget the poster, make it blue": the words are for the task. */
  if (s.said == SAID_DROP_HELD && namesHeld(r))
    reading = (ChoiceReading){ANSWER_CONTINUE, 1, CHOICE_SAYS_NOTHING};
  reading.hasWords = reading.answer != ANSWER_UNDECIDED || nRest > 2;
  return reading;
}

/* A word with a typo only begins an answer with words beside it if the word is a longer one. */
#define TYPO_BESIDE 7

static ChoiceReading readOnce(Reading *r) {
  const Words *w = r->words;
  ChoiceReading nothing = {ANSWER_NONE, 0, CHOICE_SAYS_NOTHING};
  unsigned cost;
  State s;
  int rest;
  ts_ways_walk(r);
  s = bestAt(r, w->n, &cost);
  if (!w->isCut && cost != NO_WAY) return readWhole(r, s);
  if (r->text.typos && w->word[0].n < TYPO_BESIDE) return nothing;
  rest = restOf(r, &s);
  return rest == 0 || isNoAnswer(r, rest) ? nothing : readBeside(r, s, rest);
}

static int saysNothing(ChoiceReading reading) {
  return reading.answer == ANSWER_NONE && reading.says == CHOICE_SAYS_NOTHING;
}

/* Chinese and Japanese do not separate words: two characters in a row count as a word. */
static int sharesCharacters(const Words *a, int i, const Words *b, int k) {
  for (int j = 0; j < 2; j++) {
    unsigned c;
    if (i + j >= a->n || k + j >= b->n) return 0;
    c = ts_words_letter(a, i + j);
    if (c < 0x2E80 || c != ts_words_letter(b, k + j)) return 0;
  }
  return 1;
}

#define CONTENT_LETTERS 6 /* shorter words are mostly such as "there" and "would" */

/* Do two texts speak of one thing? Short words only count if no pattern has them; patterns have "the". */
static int isAbout(const Words *w, const Words *other) {
  for (int i = 0; i < w->n; i++) {
    const Word *word = &w->word[i];
    for (int k = 0; k < other->n; k++) {
      if (word->number != WORD_NO_NUMBER && word->n < CONTENT_LETTERS) continue;
      if (ts_words_related(w, i, other, k) || sharesCharacters(w, i, other, k)) return 1;
      if (word->n > 2 && ts_words_equal(w, i, other, k, 0)) return 1;
    }
  }
  return 0;
}

/* What a message wants that says nothing about the choice. An order that speaks of the task or of
** something said before ("paint it red") is not an order of its own. */
static ChoiceSays wantsElse(Reading *r, const ChoiceContext *context) {
  Words other;
  if (asks(r, 0)) return CHOICE_SAYS_ASKS;
  if (!context || !orders(r, 0) || hasMeaning(r, MEANS(WORDS_SAME))) return CHOICE_SAYS_NOTHING;
  ts_words_split(&other, context->task, context->nTask);
  if (isAbout(r->words, &other)) return CHOICE_SAYS_NOTHING;
  ts_words_split(&other, context->held, context->nHeld);
  return isAbout(r->words, &other) ? CHOICE_SAYS_NOTHING : CHOICE_SAYS_ORDER;
}

/* A quote above or below is not what the sender says. */
static const char *withoutQuote(const char *message, int *n) {
  const char *end = message + (message && *n > 0 ? *n : 0), *said = message, *line = message;
  while (line < end) {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    next = next ? next + 1 : end;
    if (*line != '>') {
      line = next;
      continue;
    }
    if (line != said) {
      end = line;
      break;
    }
    said = line = next;
  }
  if (said >= end) return message;
  *n = (int)(end - said);
  return said;
}

static void dropPoliteWords(Words *w) {
  PatternText text = {.words = w};
  int kept = 0;
  for (int i = 0; i < w->n; i++) {
    if (!ts_ends_has(ts_ways_ends_of(&text, i, MEANS(WORDS_POLITE)), i + 1)) {
      w->word[kept++] = w->word[i];
    } else if (kept) {
      w->word[kept - 1].stop |= w->word[i].stop;
    }
  }
  w->n = kept;
}

static void split(Words *w, const char *text, int n) {
  ts_words_split(w, text, n);
  ts_patterns_look_up(w);
  dropPoliteWords(w);
}

/* The words that another text does not have. */
static void dropShared(Words *w, const Words *other) {
  int kept = 0;
  for (int i = 0; i < w->n; i++) {
    int isShared = 0;
    for (int k = 0; k < other->n && !isShared; k++)
      isShared = ts_words_related(w, i, other, k);
    if (!isShared) w->word[kept++] = w->word[i];
  }
  w->n = kept;
}

/* The words of the task and of the held request that tell the two apart. The request has its own names only where it
** would replace the task. */
static void splitTopics(Words *task, Words *held, const ChoiceContext *context) {
  Words all;
  ts_words_split(task, context ? context->task : NULL, context ? context->nTask : 0);
  ts_words_split(held, context ? context->held : NULL, context ? context->nHeld : 0);
  all = *task;
  dropShared(task, held);
  dropShared(held, &all);
  if (!context || !context->isRequest) held->n = 0;
}

ChoiceReading ts_choice_read(const char *message, int n, const ChoiceOption *options, int nOptions,
                             const ChoiceContext *context) {
  ChoiceReading reading = {ANSWER_NONE, 0, CHOICE_SAYS_NOTHING};
  Words words, task, held, texts[TS_CHOICE_MAX_OPTIONS];
  Reading r = {.words = &words,
               .text = {.words = &words, .task = &task, .held = &held},
               .isRequest = context && context->isRequest,
               .options = options,
               .texts = texts};
  if (nOptions <= 0) return reading;
  r.nOptions = nOptions > TS_CHOICE_MAX_OPTIONS ? TS_CHOICE_MAX_OPTIONS : nOptions;
  message = withoutQuote(message, &n);
  split(&words, message, n);
  if (words.n == 0) return reading;
  splitTopics(&task, &held, context);
  for (int k = 0; k < r.nOptions; k++) {
    split(&texts[k], options[k].text, options[k].nText);
    if (texts[k].isCut) texts[k].n = 0;
  }
  for (r.text.typos = 0; r.text.typos <= 1 && saysNothing(reading); r.text.typos++)
    reading = readOnce(&r);
  r.text.typos = 0;
  if (saysNothing(reading)) reading.says = wantsElse(&r, context);
  return reading;
}

/* Without a choice at hand. */
static int readPhrase(const char *message, int n, int backGoesOn, int typos) {
  Words words;
  Reading r = {.words = &words, .text = {.words = &words}, .backGoesOn = backGoesOn};
  unsigned cost = NO_WAY;
  State s = {SAID_NOTHING, DECIDED, 0, 0};
  split(&words, message, n);
  if (words.n == 0 || words.isCut) return SAID_NOTHING;
  for (r.text.typos = 0; r.text.typos <= typos && cost == NO_WAY; r.text.typos++) {
    ts_ways_walk(&r);
    s = bestAt(&r, words.n, &cost);
  }
  return cost == NO_WAY ? SAID_NOTHING : s.said;
}

ChoiceAnswer ts_choice_phrase(const char *message, int n) {
  int said = readPhrase(message, n, 0, 1);
  return said == SAID_CONTINUE ? ANSWER_CONTINUE
         : said == SAID_FRESH  ? ANSWER_START_FRESH
                               : ANSWER_NONE;
}

int ts_choice_knows(const char *words, int n) {
  Words w;
  ts_words_split(&w, words, n);
  ts_patterns_look_up(&w);
  for (int i = 0; i < w.n; i++) {
    if (w.word[i].number != WORD_NO_NUMBER) return 1;
  }
  return 0;
}

/* ---- What it is about -------------------------------------------------------------------------- */

int ts_choice_speaks_of(const char *message, int n, const char *other, int nOther) {
  Words a, b;
  ts_words_split(&a, message, n);
  ts_words_split(&b, other, nOther);
  for (int i = 0; i < a.n; i++) {
    for (int k = 0; k < b.n; k++) {
      int isShort = a.word[i].n < CONTENT_LETTERS && a.chars[a.word[i].at] < 0x2E80;
      if ((!isShort && ts_words_related(&a, i, &b, k)) || sharesCharacters(&a, i, &b, k)) return 1;
    }
  }
  return 0;
}

int ts_choice_asks(const char *message, int n) {
  Words words;
  while (n > WORDS_MAX_BYTES) { /* what is asked stands at the end */
    message += WORDS_MAX_BYTES / 2;
    n -= WORDS_MAX_BYTES / 2;
  }
  ts_words_split(&words, message, n);
  return words.asks;
}

/* ---- Over an open question ----------------------------------------------------------------------- */

/* Does the text speak of going on? */
static int speaksOfGoingOn(const char *text, int n) {
  char folded[TS_QUESTION_TAIL + 1];
  if (n <= 0) return 0;
  if (n > TS_QUESTION_TAIL) {
    text += n - TS_QUESTION_TAIL;
    n = TS_QUESTION_TAIL;
  }
  ts_cue_fold(folded, text, n);
  return ts_cue_stands_in(folded, CUE_SPEAKS_OF_GOING_ON);
}

/* Does the message, which has words, begin with a yes or a no? */
static int consents(const char *message, int n) {
  Words w;
  PatternText text = {.words = &w};
  split(&w, message, n);
  return ts_ways_ends_of(&text, 0, MEANS(WORDS_CONSENT)) != 0;
}

int ts_choice_skips_question(const char *message, int n, const char *question, int nQuestion) {
  if (readPhrase(message, n, 1, 1) != SAID_CONTINUE || consents(message, n)) return 0;
  return !speaksOfGoingOn(question, nQuestion);
}
