/*
** answer.c - reading the answer to a choice: "b)", "the first one", "not A, the other one", "lass uns
** weitermachen", "start fresh, this time with postgres".
**
** The message is cut into folded words (words.c), and the patterns of ext/classify/words/answer_words.c, which patterns.c
** looks up, say what each of them can be: an answer, a denial, a "both" or "neither", a giving up, or something
** that only stands around those. Walking from word to word, every way of using them up is tried at once. A place in the message has a state
** for each thing that can have been said before it, and the cheapest way to that state: units are dearer than
** what stands around them, so that few and long units win ("save it first" is no second answer).
**
** A message that is used up is an answer and nothing else. Where an answer ends at punctuation, or before
** "but", "and", "because", the rest is what is said beside it, and has to be handed over. Two answers that
** contradict each other are none.
**
** Everything is tried literally first. Only when nothing fits are small typos forgiven, and then an answer
** counts only if no way leads to the other one.
*/
#include "answer.h"

#include "patterns.h"

#include "utf8.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static int has(Ends ends, int place) {
  return (ends & ts_ends_bit(place)) != 0;
}

/* ---- What has been said up to a place ---------------------------------------------------------- */

enum { SAID_NOTHING, SAID_CONTINUE, SAID_FRESH, SAID_DROP, SAID_TWO, SAID_COUNT };
enum { DECIDED, UNDECIDED, NEITHER, DOUBTS };

/* As one number, by which the ways to a place are kept apart. */
typedef struct State {
  int said;
  int doubt;
  int denies; /* a "not" waits for what it denies */
  int denied; /* SAID_NOTHING, SAID_CONTINUE or SAID_FRESH */
} State;

#define STATES (SAID_COUNT * DOUBTS * 2 * 3)
#define NO_WAY 0xFFFF
#define SAYS_NOTHING 0x4000 /* dearer than any way that says something */

/* What the words of a way cost. */
enum {
  COST_UNIT = 10,
  COST_NEITHER = 11,
  COST_DOUBT = 12,
  COST_AROUND = 3,
  COST_JOIN = 2,
  COST_MAYBE = 1,
  COST_DENIED = 3
};

typedef struct Reading {
  const Words *words;
  PatternText text;            /* the same, for its patterns */
  const ChoiceOption *options; /* NULL when no choice is at hand */
  int nOptions;
  const Words *texts;            /* the options' own texts; no words: not to be used */
  int backGoesOn;                /* "I'm back" is a wish to go on */
  Ends by[WORDS_MEANINGS];       /* what begins at the place that is looked at, and where it ends */
  Ends answers[SAID_COUNT];      /* … the answers among it */
  Ends parts, withs, asks, ands; /* places before which a rest can begin; where a request begins */
  Ends thanks, greets;           /* places behind a thanks, or a greeting */
  Ends reached;                  /* places to which a way leads */
  unsigned short cost[WORDS_MAX + 1][STATES];
} Reading;

static int numberOf(State s) {
  return ((s.said * DOUBTS + s.doubt) * 2 + s.denies) * 3 + s.denied;
}

static State stateOf(int number) {
  return (State){number / (DOUBTS * 6), number / 6 % DOUBTS, number / 3 % 2, number % 3};
}

static void reach(Reading *r, Ends ends, State s, unsigned cost) {
  int number = numberOf(s);
  r->reached |= ends;
  for (; ends; ends &= ends - 1) {
    int k = ts_ends_first(ends);
    if (cost < r->cost[k][number]) r->cost[k][number] = (unsigned short)cost;
  }
}

#define MEANS(meaning) ((uint64_t)1 << (meaning))
_Static_assert(WORDS_MEANINGS <= 64, "a bit for each");

/* Where patterns of some meanings that begin at word i can end. */
static Ends endsOf(PatternText *t, int i, uint64_t meanings) {
  Ends by[WORDS_MEANINGS] = {0}, ends = 0;
  ts_patterns_read(t, i, meanings, 1, by);
  for (uint64_t left = meanings; left; left &= left - 1)
    ends |= by[__builtin_ctzll(left)];
  return ends;
}

/* ---- What begins at a place -------------------------------------------------------------------- */

/* "B & B": a sign between two letters makes a name of them. */
static int isAmpersand(const Words *w, int i) {
  if (i < 1 || i + 1 >= w->n || w->word[i].n != 1 || w->chars[w->word[i].at] != '&') return 0;
  return w->word[i - 1].n == 1 && w->word[i + 1].n == 1;
}

/* Does word i stand for itself, and is no part of something else as in "B-tree", "1.5", "A+", "B&B"? */
static int isBare(const Words *w, int i) {
  if (w->word[i].glued || (i > 0 && w->word[i - 1].glued)) return 0;
  if (isAmpersand(w, i - 1) || isAmpersand(w, i + 1)) return 0;
  return i < 2 || !w->word[i - 2].glued || w->chars[w->word[i - 1].at] >= '0';
}

/* The place of a single letter among keys, also as typed on a Russian or an Arabic keyboard; 0 for none. */
static char keyLetter(unsigned c, int nOptions) {
  if (ts_between(c, 'a', 'z')) return (char)(c - 'a' + 'A');
  if (c == 0x430) return 'A';                     /* а */
  if (c == 0x431) return 'B';                     /* б */
  if (c == 0x432) return nOptions <= 2 ? 'B' : 0; /* в: looks like B, stands third */
  if (c == 0x627) return 'A';                     /* alif, ba */
  if (c == 0x628) return 'B';
  if (c == 0x441) return nOptions <= 2 ? 0 : 'C'; /* с */
  return 0;
}

/* The option whose key is word i, or -1. */
static int optionOfKey(const Reading *r, int i) {
  char key = isBare(r->words, i) ? keyLetter(ts_words_letter(r->words, i), r->nOptions) : 0;
  for (int k = 0; k < r->nOptions && key; k++) {
    if (r->options[k].key == key || r->options[k].key == (key | 0x20)) return k;
  }
  return -1;
}

/* Does word i look like the name of an option: "C", "42"? */
static int isOptionName(const Words *w, int i) {
  const Word *word = &w->word[i];
  unsigned c = ts_words_letter(w, i);
  if (ts_between(c, 'a', 'z') || ts_between(c, 0x430, 0x44F)) return 1;
  for (int k = 0; k < word->n; k++) {
    if (!ts_between(w->chars[word->at + k], '0', '9')) return 0;
  }
  return 1;
}

/* Some words pick an option by its number from 1; one that leads nowhere, or is none, decides nothing. */
static void pick(Reading *r, Ends ends, int position) {
  ChoiceAnswer answer =
      position >= 1 && position <= r->nOptions ? r->options[position - 1].answer : ANSWER_NONE;
  if (answer == ANSWER_CONTINUE) r->answers[SAID_CONTINUE] |= ends;
  if (answer == ANSWER_START_FRESH) r->answers[SAID_FRESH] |= ends;
  if (answer != ANSWER_CONTINUE && answer != ANSWER_START_FRESH) r->by[WORDS_UNDECIDED] |= ends;
}

static void readPositions(Reading *r, int i) {
  unsigned c = ts_words_letter(r->words, i);
  int n = r->nOptions;
  Ends alone = 0;
  if (ts_between(c, '1', '9') && isBare(r->words, i)) pick(r, ts_ends_bit(i + 1), (int)(c - '0'));
  pick(r, r->by[WORDS_FIRST], 1);
  pick(r, r->by[WORDS_SECOND], 2);
  pick(r, r->by[WORDS_THIRD], 3);
  /* "one" alone counts at the beginning only, "option one" everywhere. */
  if (i > 0 && !r->words->word[i - 1].stop) alone = ts_ends_bit(i + 1);
  pick(r, r->by[WORDS_ONE] & ~alone, 1);
  pick(r, r->by[WORDS_TWO] & ~alone, 2);
  pick(r, r->by[WORDS_THREE] & ~alone, 3);
  pick(r, r->by[WORDS_LAST], n);
  pick(r, r->by[WORDS_FORMER], n == 2 ? 1 : 0);
  pick(r, r->by[WORDS_LATTER], n == 2 ? 2 : 0);
}

/* True when option k's text stands at word i. */
static int isOptionText(const Reading *r, int k, int i) {
  const Words *text = &r->texts[k];
  if (text->n == 0 || text->n > r->words->n - i) return 0;
  for (int j = 0; j < text->n; j++) {
    if (!ts_words_equal(r->words, i + j, text, j, r->text.typos)) return 0;
  }
  return 1;
}

static Ends answered(const Reading *r) {
  return r->answers[SAID_CONTINUE] | r->answers[SAID_FRESH];
}

static int isOffered(const Reading *r, ChoiceAnswer answer) {
  for (int k = 0; k < r->nOptions; k++) {
    if (r->options[k].answer == answer) return 1;
  }
  return !r->options;
}

/* A key that is set off is no article: "A, new task", "continue (A)". */
static void readKey(Reading *r, int i) {
  int key = optionOfKey(r, i);
  Ends longer = 0;
  for (int end = i + 2; end <= r->words->n; end++) {
    if ((key >= 0 && r->words->word[i].stop) || optionOfKey(r, end - 1) >= 0)
      longer |= ts_ends_bit(end);
  }
  r->answers[SAID_CONTINUE] &= ~longer;
  r->answers[SAID_FRESH] &= ~longer;
  if (key < 0) return;
  r->answers[SAID_CONTINUE] &= ~ts_ends_bit(i + 1);
  r->answers[SAID_FRESH] &= ~ts_ends_bit(i + 1);
  pick(r, ts_ends_bit(i + 1), key + 1);
}

/* The nearest source decides: the order of this choice, its own texts, and only then the words that hold for
** every choice; its letters before all of them. */
static void readAnswers(Reading *r, int i) {
  Ends taken;
  memset(r->answers, 0, sizeof(r->answers));
  if (r->options) readPositions(r, i);
  taken = answered(r);
  for (int k = 0; k < r->nOptions; k++) {
    Ends end = isOptionText(r, k, i) ? ts_ends_bit(i + r->texts[k].n) & ~taken : 0;
    if (end) pick(r, end, k + 1);
    r->by[WORDS_DROP] &= ~end;
  }
  taken = answered(r);
  r->by[WORDS_CONTINUE] |= r->by[WORDS_CONTINUE_HERE] | r->by[WORDS_CONTINUE_AND];
  r->by[WORDS_FRESH] |= r->by[WORDS_FRESH_HERE] | r->by[WORDS_FRESH_AND];
  if (isOffered(r, ANSWER_CONTINUE)) r->answers[SAID_CONTINUE] |= r->by[WORDS_CONTINUE] & ~taken;
  if (isOffered(r, ANSWER_START_FRESH)) r->answers[SAID_FRESH] |= r->by[WORDS_FRESH] & ~taken;
  if (r->options) readKey(r, i);
  if (r->options && isOptionName(r->words, i)) r->by[WORDS_UNDECIDED] |= ts_ends_bit(i + 1);
}

/* Without a choice at hand there are no places in it, nothing that is about it, and no task to give up. */
#define WITHOUT_CHOICE                                                                             \
  (MEANS(WORDS_CONTINUE) | MEANS(WORDS_FRESH) | MEANS(WORDS_NOT) | MEANS(WORDS_NOT_AFTER) |        \
   MEANS(WORDS_NOT_CONTINUE) | MEANS(WORDS_NOT_FRESH) | MEANS(WORDS_LEAD) | MEANS(WORDS_LEAD_NO) | \
   MEANS(WORDS_ASK) | MEANS(WORDS_TAIL) | MEANS(WORDS_JOIN) | MEANS(WORDS_BACK))

/* What no part of an answer is; it is looked for when there is none. */
#define NO_PART                                                                                    \
  (MEANS(WORDS_UNIT) | MEANS(WORDS_BEFORE) | MEANS(WORDS_ASKS) | MEANS(WORDS_TELL) |               \
   MEANS(WORDS_TELL_END) | MEANS(WORDS_ORDER) | MEANS(WORDS_ORDER_END) | MEANS(WORDS_WISH) |       \
   MEANS(WORDS_SAME) | MEANS(WORDS_CONSENT))

/* "the B": only before a key, since what else it stands before is no answer of another language. */
static void readArticle(Reading *r, int i) {
  static const unsigned the[] = {'t', 'h', 'e'};
  const Word *word = &r->words->word[i];
  int isThe = word->n == 3 && memcmp(&r->words->chars[word->at], the, sizeof(the)) == 0;
  if (isThe && i + 1 < r->words->n && (optionOfKey(r, i + 1) >= 0 || isOptionName(r->words, i + 1)))
    r->by[WORDS_LEAD] |= ts_ends_bit(i + 1);
}

/* A number, or "a", and what it counts: "2 minutes", "one moment" is no place in the list. */
static void readCount(Reading *r, int i) {
  unsigned c = ts_words_letter(r->words, i);
  Ends counts = r->by[WORDS_ONE] | r->by[WORDS_TWO] | r->by[WORDS_THREE];
  if (isOptionName(r->words, i) && (c == 'a' || c == 0 || ts_between(c, '0', '9')))
    counts |= ts_ends_bit(i + 1);
  for (Ends left = counts & ~ts_ends_bit(r->words->n); left; left &= left - 1) {
    int k = ts_ends_first(left);
    Ends units = r->words->word[k - 1].stop ? 0 : endsOf(&r->text, k, MEANS(WORDS_UNIT));
    if (!units) continue;
    r->answers[SAID_CONTINUE] &= ~(units | ts_ends_bit(k));
    r->answers[SAID_FRESH] &= ~(units | ts_ends_bit(k));
    r->by[WORDS_LEAD] &= ~ts_ends_bit(k);
    r->by[WORDS_UNDECIDED] = (r->by[WORDS_UNDECIDED] & ~ts_ends_bit(k)) | units;
  }
}

/* "è" is no "and". */
static int isAccentedLetter(const Words *w, int i) {
  return w->word[i].n == 1 && w->word[i].accent && w->chars[w->word[i].at] == 'e';
}

/* A key, and another one behind it or nothing: "A a". */
static int isAmongKeys(const Reading *r, int i) {
  return optionOfKey(r, i) >= 0 && (i + 1 >= r->words->n || optionOfKey(r, i + 1) >= 0);
}

static void readPlace(Reading *r, int i) {
  memset(r->by, 0, sizeof(r->by));
  ts_patterns_read(&r->text, i, r->options ? ~NO_PART : WITHOUT_CHOICE, 0, r->by);
  r->thanks |= r->by[WORDS_THANKS];
  r->greets |= r->by[WORDS_GREET];
  r->ands |= r->by[WORDS_CONTINUE_AND] | r->by[WORDS_FRESH_AND] | r->by[WORDS_NEITHER_AND] |
             r->by[WORDS_DROP_AND];
  r->by[WORDS_NEITHER] |= r->by[WORDS_NEITHER_AND];
  r->by[WORDS_DROP] |= r->by[WORDS_DROP_AND];
  /* "what would continue do" does not begin with a doubt. */
  if (has(r->by[WORDS_UNDECIDED], i + 1) && i + 1 < r->words->n && !r->words->word[i].stop &&
      has(endsOf(&r->text, i, MEANS(WORDS_ASKS)), i + 1))
    r->by[WORDS_UNDECIDED] &= ~ts_ends_bit(i + 1);
  if (isAccentedLetter(r->words, i)) r->by[WORDS_BUT] = r->by[WORDS_JOIN] = 0;
  if (r->by[WORDS_BUT] && !isAmongKeys(r, i)) r->parts |= ts_ends_bit(i);
  if (r->by[WORDS_WITH]) r->withs |= ts_ends_bit(i);
  if (r->by[WORDS_ASK]) r->asks |= ts_ends_bit(i);
  readAnswers(r, i);
  if (r->options) readCount(r, i);
  if (r->options) readArticle(r, i);
  if (r->backGoesOn) r->answers[SAID_CONTINUE] |= r->by[WORDS_BACK];
  if (r->options) r->by[WORDS_UNDECIDED] |= r->by[WORDS_BACK];
}

/* ---- From place to place ----------------------------------------------------------------------- */

/* Places before which something is set off. */
static Ends stops(const Words *w) {
  Ends ends = 0;
  for (int k = 0; k < w->n; k++) {
    if (w->word[k].stop) ends |= ts_ends_bit(k + 1);
  }
  return ends;
}

#define NAME_WITHIN 4 /* words from the beginning, in which somebody is spoken to */

/* "Tom, the second one", "B, thanks Tom": a word that is in no pattern, and only says who is meant. */
static void stepName(Reading *r, int i, State s, unsigned cost) {
  const Word *word = &r->words->word[i];
  int says = s.said == SAID_CONTINUE || s.said == SAID_FRESH;
  int isFirst = i < NAME_WITHIN && s.said == SAID_NOTHING && s.doubt == DECIDED && !s.denied;
  int isKnown = word->number != WORD_NO_NUMBER && !has(r->greets, i);
  if (s.denies || !r->options || isKnown || word->n < 2) return;
  if ((isFirst && word->stop && !word->asks) || (says && i == r->words->n - 1 && has(r->thanks, i)))
    reach(r, ts_ends_bit(i + 1), s, cost + COST_UNIT);
}

/* Something that only stands around an answer. */
static void stepAround(Reading *r, int i, State s, unsigned cost, Ends set) {
  Ends denial = r->by[WORDS_NOT] | r->by[WORDS_LEAD_NO];
  Ends around = (r->by[WORDS_LEAD] | r->by[WORDS_ASK]) & ~denial;
  Ends joins = i > 0 ? r->by[WORDS_JOIN] : 0;
  if (s.denies) {
    Ends key = optionOfKey(r, i) >= 0 ? ts_ends_bit(i + 1) : 0;
    reach(r, around & ~set & ~key, s, cost + COST_AROUND);
    return;
  }
  around |= r->by[WORDS_LEAD_NO] & set;
  if (s.said != SAID_NOTHING || s.doubt != DECIDED || s.denied) around |= r->by[WORDS_TAIL];
  /* "a" may be a key, and "and" in Czech. */
  if (optionOfKey(r, i) >= 0) {
    around &= ~ts_ends_bit(i + 1);
    if (i + 1 < r->words->n && (s.said != SAID_NOTHING || s.denied))
      reach(r, joins & ts_ends_bit(i + 1) & ~set, s, cost + COST_UNIT - 1);
    joins &= ~ts_ends_bit(i + 1);
  }
  /* Behind what was denied the answer is expected: "non B, la prima". */
  cost += s.denied && s.said == SAID_NOTHING ? COST_DENIED : 0;
  reach(r, around, s, cost + COST_AROUND);
  reach(r, joins, s, cost + COST_JOIN);
}

/* Two things that were said one after the other. */
static int merged(int one, int other) {
  if (one == SAID_NOTHING || one == other) return other;
  /* What gives the old task up begins the new one. */
  if (one + other == SAID_FRESH + SAID_DROP && one != SAID_TWO && other != SAID_TWO) {
    return SAID_FRESH;
  }
  return SAID_TWO;
}

static State denied(State s, int what) {
  s.denies = 0;
  if (s.said == what) s.said = SAID_TWO;
  s.denied = what;
  return s;
}

static void stepAnswer(Reading *r, State s, unsigned cost, Ends ends, int what) {
  if (s.denies) {
    reach(r, ends, denied(s, what), cost);
    return;
  }
  s.said = s.denied == what ? SAID_TWO : merged(s.said, what);
  reach(r, ends, s, cost);
}

/* "maybe", "perhaps": nothing is decided by what is said beside it. */
static void stepMaybe(Reading *r, State s, unsigned cost) {
  if (s.denies) return;
  s.said = SAID_TWO;
  reach(r, r->by[WORDS_MAYBE], s, cost);
}

/* "both", "neither", "wait": before an answer it says nothing against it, behind one it does. */
static void stepDoubt(Reading *r, State s, unsigned cost, Ends ends, int doubt) {
  if (s.denies) return;
  if (s.said == SAID_CONTINUE || s.said == SAID_FRESH) s.said = SAID_TWO;
  if (doubt > s.doubt) s.doubt = doubt;
  reach(r, ends, s, cost);
}

static void stepDrop(Reading *r, State s, unsigned cost) {
  if (s.denies) {
    s.denies = 0;
    s.doubt = s.doubt == DECIDED ? UNDECIDED : s.doubt;
  } else {
    s.said = merged(s.said, SAID_DROP);
  }
  reach(r, r->by[WORDS_DROP], s, cost);
}

/* "B not, A" denies what stands before, "B, not A" what comes behind, "B, no, A" is taken back. "B not A" may be
** either, where both are said so. */
static void stepDenial(Reading *r, int i, State s, unsigned cost, Ends set) {
  State after = s;
  Ends ends = set | ts_ends_bit(r->words->n);
  Ends off = r->by[WORDS_NOT_AFTER] & ends;
  Ends amid = has(set, i) ? 0 : r->by[WORDS_NOT_AFTER] & ~ends;
  if (!s.denies) {
    after.denies = 1;
    reach(r, r->by[WORDS_NOT] & ~set & ~ts_ends_bit(r->words->n), after, cost + COST_AROUND);
  }
  if (s.said == SAID_CONTINUE || s.said == SAID_FRESH) {
    after = s;
    after.said = SAID_NOTHING;
    after.denied = s.said;
    reach(r, off, after, cost + 1);
    reach(r, amid, after, cost + COST_AROUND);
  } else if (s.denied) {
    reach(r, off, s, cost + 1);
    reach(r, amid, s, cost + COST_AROUND);
  }
}

static void stepOther(Reading *r, State s, unsigned cost) {
  if (s.denies || !s.denied || r->nOptions != 2) {
    stepDoubt(r, s, cost + COST_DOUBT, r->by[WORDS_OTHER], UNDECIDED);
    return;
  }
  stepAnswer(r, s, cost + COST_UNIT, r->by[WORDS_OTHER],
             s.denied == SAID_CONTINUE ? SAID_FRESH : SAID_CONTINUE);
}

/* "B? not sure": what was asked is not said, until it is said again. */
static State afterQuestion(const Reading *r, int i, State s) {
  int isSaid = s.said == SAID_CONTINUE || s.said == SAID_FRESH;
  if (i == 0 || !isSaid || !r->words->word[i - 1].asks || (r->asks & 0xF)) return s;
  s.said = SAID_NOTHING;
  if (s.doubt == DECIDED) s.doubt = UNDECIDED;
  return s;
}

static void step(Reading *r, int i, State s, unsigned cost, Ends set) {
  s = afterQuestion(r, i, s);
  stepName(r, i, s, cost);
  stepAround(r, i, s, cost, set);
  stepDenial(r, i, s, cost, set);
  for (int what = SAID_CONTINUE; what <= SAID_FRESH; what++) {
    Ends no = r->by[what == SAID_CONTINUE ? WORDS_NOT_CONTINUE : WORDS_NOT_FRESH];
    if (r->answers[what]) stepAnswer(r, s, cost + COST_UNIT, r->answers[what], what);
    if (no && !s.denies) reach(r, no, denied(s, what), cost + COST_UNIT);
  }
  if (r->by[WORDS_OTHER]) stepOther(r, s, cost);
  if (r->by[WORDS_DROP]) stepDrop(r, s, cost + COST_UNIT);
  if (r->by[WORDS_MAYBE]) stepMaybe(r, s, cost + COST_MAYBE);
  stepDoubt(r, s, cost + COST_DOUBT, r->by[WORDS_UNDECIDED], UNDECIDED);
  stepDoubt(r, s, cost + COST_NEITHER, r->by[WORDS_NEITHER], NEITHER);
}

static void walk(Reading *r) {
  Ends set = stops(r->words);
  memset(r->cost, 0xFF, sizeof(r->cost));
  r->parts = r->withs = r->asks = r->ands = r->thanks = r->greets = 0;
  r->cost[0][0] = 0;
  r->reached = ts_ends_bit(0);
  r->text.isNear = 0;
  for (int i = 0; i < r->words->n; i++) {
    if (!has(r->reached, i)) continue;
    readPlace(r, i);
    for (int k = 0; k < STATES; k++) {
      if (r->cost[i][k] != NO_WAY) step(r, i, stateOf(k), r->cost[i][k], set);
    }
  }
}

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
  for (int k = 0; k < STATES && has(r->reached, i); k++) {
    State s = stateOf(k);
    unsigned price = r->cost[i][k];
    if (price == NO_WAY || s.denies) continue;
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

/* Can what is said beside an answer begin before word i, though nothing is set off there? */
static int isParted(const Reading *r, int i, State s) {
  Ends parts = r->parts | r->ands | (s.said == SAID_FRESH ? r->withs : 0);
  return has(parts, i);
}

/* Where what is said beside an answer begins, or 0: at the last place that is set off, so that "continue. no,
** wait, start over" is not over at its first stop; else at the first "but" or "and". */
static int restOf(const Reading *r, State *state) {
  const Words *w = r->words;
  Ends set = stops(w);
  unsigned cost;
  for (int i = w->isCut ? w->n : w->n - 1; i > 0; i--) {
    *state = bestAt(r, i, &cost);
    if (cost < SAYS_NOTHING && has(set, i) && saysSomething(*state)) return i;
  }
  for (int i = 1; i < w->n; i++) {
    *state = bestAt(r, i, &cost);
    if (cost < SAYS_NOTHING && saysSomething(*state) && isParted(r, i, *state)) return i;
  }
  return 0;
}

#define ORDER_WORDS 3 /* "make haste" wants nothing made */
#define LAST_WORDS 8  /* in which the verb of an order is looked for, where it stands at the end */
#define AROUND                                                                                     \
  (MEANS(WORDS_LEAD) | MEANS(WORDS_LEAD_NO) | MEANS(WORDS_ASK) | MEANS(WORDS_TAIL) |               \
   MEANS(WORDS_JOIN) | MEANS(WORDS_POLITE) | MEANS(WORDS_THANKS))
#define PLACES                                                                                     \
  (MEANS(WORDS_FIRST) | MEANS(WORDS_SECOND) | MEANS(WORDS_THIRD) | MEANS(WORDS_ONE) |              \
   MEANS(WORDS_TWO) | MEANS(WORDS_THREE) | MEANS(WORDS_LAST) | MEANS(WORDS_FORMER) |               \
   MEANS(WORDS_LATTER))

/* Is the first word a place in the list of options? */
static int isPlace(Reading *r) {
  return has(endsOf(&r->text, 0, PLACES), 1);
}

/* "1. do this 2. do that" is a list, and "first, …" an adverb; and "a, …?" may be a sigh. */
static int isNoAnswer(Reading *r, int end) {
  const Words *w = r->words;
  unsigned letter = ts_words_letter(w, 0);
  if (end == 1 && optionOfKey(r, 0) < 0 && !ts_between(letter, '0', '9') &&
      !isOptionText(r, 0, 0) && !isOptionText(r, 1, 0) && isPlace(r)) {
    return 1;
  }
  for (int k = 0, items = 0; k < w->n && (items || k < NAME_WITHIN); k++) {
    items += w->word[k].list && isOptionName(w, k);
    if (items > 1) return 1;
  }
  return end == 1 && w->asks && (letter == 'a' || letter == 0x430) && !has(r->parts, 1);
}

/* What all of it, or its beginning, says. */
static ChoiceReading answerOf(State s) {
  static const ChoiceAnswer answers[SAID_COUNT] = {ANSWER_NONE, ANSWER_CONTINUE, ANSWER_START_FRESH,
                                                   ANSWER_NONE, ANSWER_UNDECIDED};
  ChoiceReading reading = {answers[s.said], 0, CHOICE_SAYS_NOTHING};
  if (s.said == SAID_DROP) reading.says = CHOICE_SAYS_DROP;
  return reading;
}

/* Does one of some meanings stand at word i, or behind what may stand before an answer? */
static int comes(Reading *r, int i, uint64_t meanings) {
  while (i < r->words->n) {
    Ends around;
    if (endsOf(&r->text, i, meanings)) return 1;
    around = endsOf(&r->text, i, AROUND);
    if (!around) return 0;
    i = ts_ends_first(around);
  }
  return 0;
}

/* Does it end in one of some meanings, or in that and what may stand behind an answer? */
static int endsIn(Reading *r, int from, uint64_t meanings) {
  int n = r->words->n;
  Ends fine = ts_ends_bit(n);
  for (int i = n - 1; i >= from && i >= n - LAST_WORDS && !r->words->isCut; i--) {
    if (endsOf(&r->text, i, meanings) & fine) return 1;
    if (endsOf(&r->text, i, AROUND) & fine) fine |= ts_ends_bit(i);
  }
  return 0;
}

/* Does what stands from word i on want something made or found? */
static int orders(Reading *r, int i) {
  int isLong = r->words->n - i >= ORDER_WORDS;
  return (isLong && comes(r, i, MEANS(WORDS_ORDER) | MEANS(WORDS_WISH))) ||
         endsIn(r, i, MEANS(WORDS_ORDER_END));
}

/* Does it want to know something? */
static int asks(Reading *r, int from) {
  int isBefore = endsOf(&r->text, from, MEANS(WORDS_BEFORE)) != 0;
  if (comes(r, from, MEANS(WORDS_ASKS) | MEANS(WORDS_TELL))) return 1;
  for (int i = from + 1; isBefore && i < r->words->n; i++) {
    if (endsOf(&r->text, i, MEANS(WORDS_ASKS) | MEANS(WORDS_TELL))) return 1;
  }
  return endsIn(r, from, MEANS(WORDS_TELL_END));
}

static int hasMeaning(Reading *r, uint64_t meanings) {
  for (int i = 0; i < r->words->n; i++) {
    if (endsOf(&r->text, i, meanings)) return 1;
  }
  return 0;
}

/* Is there a word that is in no pattern, and is no name of an option? */
static int hasUnknown(const Words *w) {
  for (int i = 0; i < w->n; i++) {
    if (w->word[i].number == WORD_NO_NUMBER && w->word[i].n > 1 && !isOptionName(w, i)) return 1;
  }
  return 0;
}

/* All of it is used up. An answer that ends in a question mark asks back ("A?"), or asks something ("where were
** we?"), unless it is a request ("can we go on?"). */
static ChoiceReading readWhole(Reading *r, State s) {
  ChoiceReading reading = answerOf(s);
  int isAnswer = s.said == SAID_CONTINUE || s.said == SAID_FRESH;
  if (s.said == SAID_NOTHING && (s.doubt != DECIDED || s.denied)) reading.answer = ANSWER_UNDECIDED;
  if (isAnswer && r->words->asks && !(r->asks & 0xF)) {
    int isBack = r->words->n < 3 || !hasMeaning(r, MEANS(WORDS_ASKS));
    reading.answer = isBack ? ANSWER_UNDECIDED : ANSWER_NONE;
  }
  /* What was taken for a name may be what it is about: "hmm, tuesday (23)". */
  if (reading.answer == ANSWER_UNDECIDED && !r->text.typos) reading.hasWords = hasUnknown(r->words);
  return reading;
}

/* An answer, and words beside it from word i on. One that is doubted ("B? not sure") is none, and neither is a
** reason ("neither, the food is ready"): what somebody has to know of it is kept, and nothing is done. */
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
  reading.hasWords = reading.answer != ANSWER_UNDECIDED || nRest > 2;
  return reading;
}

/* With a typo in it, only a longer word begins an answer with words beside it. */
#define TYPO_BESIDE 7

static ChoiceReading readOnce(Reading *r) {
  const Words *w = r->words;
  ChoiceReading nothing = {ANSWER_NONE, 0, CHOICE_SAYS_NOTHING};
  unsigned cost;
  State s;
  int rest;
  walk(r);
  s = bestAt(r, w->n, &cost);
  if (!w->isCut && cost != NO_WAY) return readWhole(r, s);
  if (!r->options || (r->text.typos && w->word[0].n < TYPO_BESIDE)) return nothing;
  rest = restOf(r, &s);
  return rest == 0 || isNoAnswer(r, rest) ? nothing : readBeside(r, s, rest);
}

static int saysNothing(ChoiceReading reading) {
  return reading.answer == ANSWER_NONE && reading.says == CHOICE_SAYS_NOTHING;
}

/* Chinese and Japanese words are not set apart: two characters in a row are as good as one. */
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

/* Do two texts speak of one thing? Short words count when they are in no pattern, as "the" is. */
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

/* What a message that says nothing about the choice wants. An order that speaks of the task, or of what was
** said before ("paint it red"), is none of its own. */
static ChoiceSays wantsElse(Reading *r, const ChoiceContext *context) {
  Words other;
  if (asks(r, 0)) return CHOICE_SAYS_ASKS;
  if (!context || !orders(r, 0) || hasMeaning(r, MEANS(WORDS_SAME))) return CHOICE_SAYS_NOTHING;
  ts_words_split(&other, context->task, context->nTask);
  if (isAbout(r->words, &other)) return CHOICE_SAYS_NOTHING;
  ts_words_split(&other, context->held, context->nHeld);
  return isAbout(r->words, &other) ? CHOICE_SAYS_NOTHING : CHOICE_SAYS_ORDER;
}

/* What somebody quotes above or below is not said by them. */
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
    if (!has(endsOf(&text, i, MEANS(WORDS_POLITE)), i + 1)) {
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

/* The words of the task that what is held does not speak of, too. */
static void splitTask(Words *w, const ChoiceContext *context) {
  Words held;
  int kept = 0;
  ts_words_split(w, context ? context->task : NULL, context ? context->nTask : 0);
  ts_words_split(&held, context ? context->held : NULL, context ? context->nHeld : 0);
  for (int i = 0; i < w->n; i++) {
    int isHeld = 0;
    for (int k = 0; k < held.n && !isHeld; k++)
      isHeld = ts_words_related(w, i, &held, k);
    if (!isHeld) w->word[kept++] = w->word[i];
  }
  w->n = kept;
}

ChoiceReading ts_choice_read(const char *message, int n, const ChoiceOption *options, int nOptions,
                             const ChoiceContext *context) {
  ChoiceReading reading = {ANSWER_NONE, 0, CHOICE_SAYS_NOTHING};
  Words words, task, texts[TS_CHOICE_MAX_OPTIONS];
  Reading r = {.words = &words,
               .text = {.words = &words, .task = &task},
               .options = options,
               .texts = texts};
  if (nOptions <= 0) return reading;
  r.nOptions = nOptions > TS_CHOICE_MAX_OPTIONS ? TS_CHOICE_MAX_OPTIONS : nOptions;
  message = withoutQuote(message, &n);
  split(&words, message, n);
  if (words.n == 0) return reading;
  splitTask(&task, context);
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
    walk(&r);
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

/* Does the text speak of going on? Beginnings of words of several languages, in lower case; a capital
** outside of ASCII is left away. */
static int speaksOfGoingOn(const char *text, int n) {
  static const char *const words[] = {
      "continu",  "contin\xC3\xBA", "resum",   "procee", "go on",  "go ahead", "going",
      "carry on", "keep",           "next",    "start",  "begin",  "ready",    "pick",
      "weiter",   "fortf",          "fortse",  "bereit", "sigo",   "siga",     "segui",
      "seguir",   "prosegu",        "retom",   "reanud", "listo",  "reprend",  "poursui",
      "avan",     "prosseg",        "riprend", "vado",   "родолж", "альше",    "озобнов",
      "отов",     "继续",           "繼續",    "接着",   "恢复",   "続",       "再開",
      "계속",     "kontynu",        "dalej",   "pokra",  "devam",  "verder",   "door",
      "тривал",   "استمر",          "أكمل",    "جاهز",   "متابع",  "जारी",     "आगे",
      "jari",     "aage",           "fortsät", "vidare", "tiếp",   "lanjut",   "terusk",
      "hazır",    "başla",          "ready",   "klaar",  "gotowy", "připrav",  "준비",
      "준비됐",   "준비되",         "준비돼",  "진행"};
  char folded[TS_QUESTION_TAIL + 1];
  if (n <= 0) return 0;
  if (n > TS_QUESTION_TAIL) {
    text += n - TS_QUESTION_TAIL;
    n = TS_QUESTION_TAIL;
  }
  for (int i = 0; i < n; i++)
    folded[i] = (char)(ts_between((unsigned char)text[i], 'A', 'Z') ? text[i] | 0x20
                       : text[i]                                    ? text[i]
                                                                    : ' ');
  folded[n] = 0;
  for (int i = 0; i < COUNT(words); i++) {
    if (strstr(folded, words[i])) return 1;
  }
  return 0;
}

/* Does the message begin with a yes or a no? */
static int consents(const char *message, int n) {
  Words w;
  PatternText text = {.words = &w};
  split(&w, message, n);
  return w.n && endsOf(&text, 0, MEANS(WORDS_CONSENT));
}

int ts_choice_skips_question(const char *message, int n, const char *question, int nQuestion) {
  if (readPhrase(message, n, 1, 1) != SAID_CONTINUE || consents(message, n)) return 0;
  return !speaksOfGoingOn(question, nQuestion);
}
