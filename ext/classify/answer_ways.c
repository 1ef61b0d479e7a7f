/*
** answer_ways.c - walks from word to word of an answer, trying every way of using them up at once.
**
** A place in the message has a state for each thing that can have been said before it, and the cheapest way to that
** state: units are dearer than what stands around them, so that few and long units win ("save it first" is no second
** answer).
*/
#include "answer_ways.h"

#include "utf8.h"

#include <string.h>

/* ---- What has been said up to a place ---------------------------------------------------------- */

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

static int numberOf(State s) {
  return ((s.said * DOUBTS + s.doubt) * 2 + s.denies) * 3 + s.denied;
}

static void reach(Reading *r, Ends ends, State s, unsigned cost) {
  int number = numberOf(s);
  r->reached |= ends;
  for (; ends; ends &= ends - 1) {
    int k = ts_ends_first(ends);
    if (cost < r->cost[k][number]) r->cost[k][number] = (unsigned short)cost;
  }
}

/* Where patterns of some meanings that begin at word i can end. */
Ends ts_ways_ends_of(PatternText *t, int i, uint64_t meanings) {
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
int ts_ways_option_of_key(const Reading *r, int i) {
  char key = isBare(r->words, i) ? keyLetter(ts_words_letter(r->words, i), r->nOptions) : 0;
  for (int k = 0; k < r->nOptions && key; k++) {
    if (r->options[k].key == key || r->options[k].key == (key | 0x20)) return k;
  }
  return -1;
}

/* Does word i look like the name of an option: "C", "42"? */
int ts_ways_is_option_name(const Words *w, int i) {
  const Word *word = &w->word[i];
  unsigned c = ts_words_letter(w, i);
  if (ts_between(c, 'a', 'z') || ts_between(c, 0x430, 0x44F)) return 1;
  for (int k = 0; k < word->n; k++) {
    if (!ts_between(w->chars[word->at + k], '0', '9')) return 0;
  }
  return 1;
}

/* Some words pick an option by its number from 1. An option that leads nowhere, or does not exist, decides
** nothing. */
static void pick(Reading *r, Ends ends, int position) {
  ChoiceAnswer answer = r->options && position >= 1 && position <= r->nOptions
                            ? r->options[position - 1].answer
                            : ANSWER_NONE;
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
int ts_ways_is_option_text(const Reading *r, int k, int i) {
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
  if (!r->options) return 1;
  for (int k = 0; k < r->nOptions; k++) {
    if (r->options[k].answer == answer) return 1;
  }
  return 0;
}

/* A key that is set off is not an article: "A, new task", "continue (A)". */
static void readKey(Reading *r, int i) {
  int key = ts_ways_option_of_key(r, i);
  Ends longer = 0;
  for (int end = i + 2; end <= r->words->n; end++) {
    if ((key >= 0 && r->words->word[i].stop) || ts_ways_option_of_key(r, end - 1) >= 0)
      longer |= ts_ends_bit(end);
  }
  r->answers[SAID_CONTINUE] &= ~longer;
  r->answers[SAID_FRESH] &= ~longer;
  if (key < 0) return;
  r->answers[SAID_CONTINUE] &= ~ts_ends_bit(i + 1);
  r->answers[SAID_FRESH] &= ~ts_ends_bit(i + 1);
  pick(r, ts_ends_bit(i + 1), key + 1);
}

/* What is named: the task, the request that would replace it, or both. Where there is no such request, who gives up
** the task by name gives it up. */
static void readTopics(Reading *r) {
  Ends of;
  if (!r->isRequest) {
    r->by[WORDS_DROP] |= r->by[WORDS_DROP_TASK];
    return;
  }
  /* "Discard the task" names none, even if it has the word in it. */
  r->by[WORDS_DROP_TASK] = (r->by[WORDS_DROP_TASK] | r->by[WORDS_OFF_TASK]) & ~r->by[WORDS_DROP];
  of = r->by[WORDS_DROP_TASK] | r->by[WORDS_DROP_HELD] | r->by[WORDS_DROP_ALL] |
       r->by[WORDS_NOT_TASK] | r->by[WORDS_NOT_HELD];
  r->by[WORDS_DROP] &= ~of;
  r->by[WORDS_CONTINUE_HERE] = (r->by[WORDS_CONTINUE_HERE] & ~of) | r->by[WORDS_TASK_NOW];
  r->by[WORDS_FRESH_HERE] = (r->by[WORDS_FRESH_HERE] & ~of) | r->by[WORDS_HELD_NOW];
}

/* The nearest source decides: the order of this choice, its own texts, and only then the words that hold for
** every choice; its letters before all of them. */
static void readAnswers(Reading *r, int i) {
  Ends taken;
  memset(r->answers, 0, sizeof(r->answers));
  if (r->options) readPositions(r, i);
  taken = answered(r);
  for (int k = 0; k < r->nOptions; k++) {
    Ends end = ts_ways_is_option_text(r, k, i) ? ts_ends_bit(i + r->texts[k].n) & ~taken : 0;
    if (end) pick(r, end, k + 1);
    r->by[WORDS_DROP] &= ~end;
  }
  taken = answered(r);
  readTopics(r);
  r->by[WORDS_CONTINUE] |= r->by[WORDS_CONTINUE_HERE] | r->by[WORDS_CONTINUE_AND];
  r->by[WORDS_FRESH] |= r->by[WORDS_FRESH_HERE] | r->by[WORDS_FRESH_AND];
  if (isOffered(r, ANSWER_CONTINUE)) r->answers[SAID_CONTINUE] |= r->by[WORDS_CONTINUE] & ~taken;
  if (isOffered(r, ANSWER_START_FRESH)) r->answers[SAID_FRESH] |= r->by[WORDS_FRESH] & ~taken;
  if (r->options) readKey(r, i);
  if (r->options && ts_ways_is_option_name(r->words, i))
    r->by[WORDS_UNDECIDED] |= ts_ends_bit(i + 1);
}

/* Without an open choice there are no places in a list, no words about the choice, and no task to give up. */
#define WITHOUT_CHOICE                                                                             \
  (MEANS(WORDS_CONTINUE) | MEANS(WORDS_FRESH) | MEANS(WORDS_NOT) | MEANS(WORDS_NOT_AFTER) |        \
   MEANS(WORDS_NOT_OFF) | MEANS(WORDS_NOT_CONTINUE) | MEANS(WORDS_NOT_FRESH) | MEANS(WORDS_LEAD) | \
   MEANS(WORDS_LEAD_NO) | MEANS(WORDS_ASK) | MEANS(WORDS_TAIL) | MEANS(WORDS_JOIN) |               \
   MEANS(WORDS_BACK))

/* Meanings that are no part of an answer; they are looked for when there is no answer. */
#define NO_PART                                                                                    \
  (MEANS(WORDS_UNIT) | MEANS(WORDS_BEFORE) | MEANS(WORDS_ASKS) | MEANS(WORDS_TELL) |               \
   MEANS(WORDS_TELL_END) | MEANS(WORDS_ORDER) | MEANS(WORDS_ORDER_END) | MEANS(WORDS_WISH) |       \
   MEANS(WORDS_SAME) | MEANS(WORDS_CONSENT))

/* "the B": only before a key, because "the" before any other word is no answer in another language. */
static void readArticle(Reading *r, int i) {
  static const unsigned the[] = {'t', 'h', 'e'};
  const Word *word = &r->words->word[i];
  int isThe = word->n == 3 && memcmp(&r->words->chars[word->at], the, sizeof(the)) == 0;
  if (isThe && i + 1 < r->words->n &&
      (ts_ways_option_of_key(r, i + 1) >= 0 || ts_ways_is_option_name(r->words, i + 1)))
    r->by[WORDS_LEAD] |= ts_ends_bit(i + 1);
}

/* A number, or "a", with what it counts: "2 minutes" and "one moment" are no places in the list. */
static void readCount(Reading *r, int i) {
  unsigned c = ts_words_letter(r->words, i);
  Ends counts = r->by[WORDS_ONE] | r->by[WORDS_TWO] | r->by[WORDS_THREE];
  if (ts_ways_is_option_name(r->words, i) && (c == 'a' || c == 0 || ts_between(c, '0', '9')))
    counts |= ts_ends_bit(i + 1);
  for (Ends left = counts & ~ts_ends_bit(r->words->n); left; left &= left - 1) {
    int k = ts_ends_first(left);
    Ends units = r->words->word[k - 1].stop ? 0 : ts_ways_ends_of(&r->text, k, MEANS(WORDS_UNIT));
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

/* A key with another one behind it, or with nothing behind it: "A a". */
static int isAmongKeys(const Reading *r, int i) {
  return ts_ways_option_of_key(r, i) >= 0 &&
         (i + 1 >= r->words->n || ts_ways_option_of_key(r, i + 1) >= 0);
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
  if (ts_ends_has(r->by[WORDS_UNDECIDED], i + 1) && i + 1 < r->words->n &&
      !r->words->word[i].stop &&
      ts_ends_has(ts_ways_ends_of(&r->text, i, MEANS(WORDS_ASKS)), i + 1))
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
Ends ts_ways_stops(const Words *w) {
  Ends ends = 0;
  for (int k = 0; k < w->n; k++) {
    if (w->word[k].stop) ends |= ts_ends_bit(k + 1);
  }
  return ends;
}

/* A denial, of an option or of something named. */
#define DENIALS (MEANS(WORDS_NOT) | MEANS(WORDS_NOT_TASK) | MEANS(WORDS_NOT_HELD))

/* "Tom, the second one", "B, thanks Tom": a word that no pattern has, and that only says who is meant. In "red, not the
** cookbook" it says what is wanted. */
static void stepName(Reading *r, int i, State s, unsigned cost) {
  const Word *word = &r->words->word[i];
  int says = s.said == SAID_CONTINUE || s.said == SAID_FRESH;
  int isFirst = i < NAME_WITHIN && s.said == SAID_NOTHING && s.doubt == DECIDED && !s.denied;
  int isKnown = word->number != WORD_NO_NUMBER && !ts_ends_has(r->greets, i);
  if (s.denies || !r->options || isKnown || word->n < 2) return;
  if ((isFirst && word->stop && !word->asks && !ts_ways_ends_of(&r->text, i + 1, DENIALS)) ||
      (says && i == r->words->n - 1 && ts_ends_has(r->thanks, i)))
    reach(r, ts_ends_bit(i + 1), s, cost + COST_UNIT);
}

/* Something that only stands around an answer. */
static void stepAround(Reading *r, int i, State s, unsigned cost, Ends set) {
  Ends denial = r->by[WORDS_NOT] | r->by[WORDS_LEAD_NO];
  Ends around = (r->by[WORDS_LEAD] | r->by[WORDS_ASK]) & ~denial;
  Ends joins = i > 0 ? r->by[WORDS_JOIN] : 0;
  if (s.denies) {
    Ends key = ts_ways_option_of_key(r, i) >= 0 ? ts_ends_bit(i + 1) : 0;
    reach(r, around & ~set & ~key, s, cost + COST_AROUND);
    return;
  }
  around |= r->by[WORDS_LEAD_NO] & set;
  if (s.said != SAID_NOTHING || s.doubt != DECIDED || s.denied) around |= r->by[WORDS_TAIL];
  /* "a" may be a key, and "and" in Czech. */
  if (ts_ways_option_of_key(r, i) >= 0) {
    around &= ~ts_ends_bit(i + 1);
    if (i + 1 < r->words->n && (s.said != SAID_NOTHING || s.denied))
      reach(r, joins & ts_ends_bit(i + 1) & ~set, s, cost + COST_UNIT - 1);
    joins &= ~ts_ends_bit(i + 1);
  }
  /* The answer is expected behind what was denied: "non B, la prima". */
  cost += s.denied && s.said == SAID_NOTHING ? COST_DENIED : 0;
  reach(r, around, s, cost + COST_AROUND);
  reach(r, joins, s, cost + COST_JOIN);
}

/* The same where a request is held, and it is said what becomes of which: "drop the cookbook, make the poster",
** "forget the poster, go on". one < other. */
static int mergedTopics(int one, int other) {
  if (one == SAID_CONTINUE && other == SAID_DROP_HELD) return SAID_CONTINUE;
  if (one == SAID_FRESH && (other == SAID_DROP_TASK || other == SAID_DROP_ALL)) return SAID_FRESH;
  if (one == SAID_DROP) return other == SAID_TWO ? SAID_TWO : other;
  return one >= SAID_DROP_TASK ? SAID_DROP_ALL : SAID_TWO;
}

/* Two meanings that were said one after the other. */
static int merged(int one, int other) {
  if (one == SAID_NOTHING || one == other) return other;
  if (one >= SAID_DROP_TASK || other >= SAID_DROP_TASK)
    return one < other ? mergedTopics(one, other) : mergedTopics(other, one);
  /* An answer that gives up the old task begins the new one. */
  return one != SAID_TWO && one + other == SAID_FRESH + SAID_DROP ? SAID_FRESH : SAID_TWO;
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

/* "maybe", "perhaps": words beside it decide nothing. */
static void stepMaybe(Reading *r, State s, unsigned cost) {
  if (s.denies) return;
  s.said = SAID_TWO;
  reach(r, r->by[WORDS_MAYBE], s, cost);
}

/* "both", "neither", "wait": such a word says nothing against an answer that follows, but it does against
** one before it. */
static void stepDoubt(Reading *r, State s, unsigned cost, Ends ends, int doubt) {
  if (s.denies) return;
  if (s.said == SAID_CONTINUE || s.said == SAID_FRESH) s.said = SAID_TWO;
  if (doubt > s.doubt) s.doubt = doubt;
  reach(r, ends, s, cost);
}

static void stepDrop(Reading *r, State s, unsigned cost, Ends ends, int what) {
  if (s.denies) {
    s.denies = 0;
    s.doubt = s.doubt == DECIDED ? UNDECIDED : s.doubt;
  } else {
    s.said = merged(s.said, what);
  }
  reach(r, ends, s, cost);
}

/* "Not the cookbook" gives it up, unless words before it may be what is wanted: "7 minutes, not five". */
static void stepNamedDenial(Reading *r, State s, unsigned cost) {
  if (!r->isRequest || (s.said == SAID_NOTHING && s.doubt == UNDECIDED)) return;
  stepDrop(r, s, cost + COST_UNIT, r->by[WORDS_NOT_TASK], SAID_DROP_TASK);
  stepDrop(r, s, cost + COST_UNIT, r->by[WORDS_NOT_HELD], SAID_DROP_HELD);
}

/* "B not, A" denies what stands before, "B, not A" what comes behind, "B, no, A" is taken back. "B not A" may be
** either, where both are said so. */
static void stepDenial(Reading *r, int i, State s, unsigned cost, Ends set) {
  State after = s;
  Ends ends = set | ts_ends_bit(r->words->n);
  Ends off = (r->by[WORDS_NOT_AFTER] | r->by[WORDS_NOT_OFF]) & ends;
  Ends amid = ts_ends_has(set, i) ? 0 : r->by[WORDS_NOT_AFTER] & ~ends;
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

/* "B? not sure": an answer that is asked is not given until it is said again. */
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
  for (int k = 0; k < 4; k++) {
    static const int saids[] = {SAID_DROP, SAID_DROP_TASK, SAID_DROP_HELD, SAID_DROP_ALL};
    static const int words[] = {WORDS_DROP, WORDS_DROP_TASK, WORDS_DROP_HELD, WORDS_DROP_ALL};
    Ends ends = k == 0 || r->isRequest ? r->by[words[k]] : 0;
    if (ends) stepDrop(r, s, cost + COST_UNIT, ends, saids[k]);
  }
  if (r->by[WORDS_NOT_TASK] | r->by[WORDS_NOT_HELD]) stepNamedDenial(r, s, cost);
  if (r->by[WORDS_MAYBE]) stepMaybe(r, s, cost + COST_MAYBE);
  stepDoubt(r, s, cost + COST_DOUBT, r->by[WORDS_UNDECIDED], UNDECIDED);
  stepDoubt(r, s, cost + COST_NEITHER, r->by[WORDS_NEITHER], NEITHER);
}

void ts_ways_walk(Reading *r) {
  Ends set = ts_ways_stops(r->words);
  memset(r->cost, 0xFF, sizeof(r->cost));
  r->parts = r->withs = r->asks = r->ands = r->thanks = r->greets = 0;
  r->cost[0][0] = 0;
  r->reached = ts_ends_bit(0);
  r->text.isNear = 0;
  for (int i = 0; i < r->words->n; i++) {
    if (!ts_ends_has(r->reached, i)) continue;
    readPlace(r, i);
    for (int k = 0; k < STATES; k++) {
      if (r->cost[i][k] != NO_WAY) step(r, i, ts_way_state(k), r->cost[i][k], set);
    }
  }
}
