/*
** test_address.c - to whom a message is said, and what is said beside the address.
*/
#include "address.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define NAMES "Alma, alma_bot, U07AB, 4711, Alma Bot, アルマ, Zoë"

static const char *const whom[] = {"nobody", "here", "elsewhere"};

/* Without names: whoever is mentioned in front is meant. said NULL: all of it. */
static const struct {
  const char *message;
  Addressee to;
  const char *said;
} unnamed[] = {
    {"@helper stop", ADDRESSED_HERE, "stop"},
    {"@helper: stop", ADDRESSED_HERE, "stop"},
    {"@helper, stop!", ADDRESSED_HERE, "stop!"},
    {"@helper - stop", ADDRESSED_HERE, "stop"},
    {"@helper — stop", ADDRESSED_HERE, "stop"},
    {"@helper\nstop", ADDRESSED_HERE, "stop"},
    {"  @helper  stop", ADDRESSED_HERE, "stop"},
    {"@helper... stop", ADDRESSED_HERE, "stop"},
    {"＠helper stop", ADDRESSED_HERE, "stop"},
    {"@my_bot stop", ADDRESSED_HERE, "stop"},
    {"@my-bot stop", ADDRESSED_HERE, "stop"},
    {"@_ stop", ADDRESSED_HERE, "stop"},
    {"@помощник стоп", ADDRESSED_HERE, "стоп"},
    {"@アルマ 止めて", ADDRESSED_HERE, "止めて"},
    {"@alma:server.org stop", ADDRESSED_HERE, "stop"},
    {"@alma:server.org: stop", ADDRESSED_HERE, "stop"},
    {"<@U07AB> stop", ADDRESSED_HERE, "stop"},
    {"<@U07AB>: stop", ADDRESSED_HERE, "stop"},
    {"<@U07AB>stop", ADDRESSED_HERE, "stop"},
    {"<@U07AB|helper> stop", ADDRESSED_HERE, "stop"},
    {"<@!123> stop", ADDRESSED_HERE, "stop"},
    {"<@&123> stop", ADDRESSED_HERE, "stop"},
    {"<users/123> stop", ADDRESSED_HERE, "stop"},
    {"<at>Alma</at> stop", ADDRESSED_HERE, "stop"},
    {"<!here> stop", ADDRESSED_HERE, "stop"},
    {"<!subteam^S1|@bots> stop", ADDRESSED_HERE, "stop"},
    {"\xE2\x81\xA8@helper\xE2\x81\xA9 stop", ADDRESSED_HERE, "stop"},
    {"\xE2\x80\x8F@helper stop", ADDRESSED_HERE, "stop"},
    {"@helper\xE2\x80\x8B stop", ADDRESSED_HERE, "stop"},
    {"@helper @other stop", ADDRESSED_HERE, "stop"},
    {"@helper and @other: stop", ADDRESSED_HERE, "stop"},
    {"hey @helper stop", ADDRESSED_HERE, "stop"},
    {"Hallo @helper, stopp", ADDRESSED_HERE, "stopp"},
    {"hey @helper", ADDRESSED_HERE, "hey"},
    {"ok <@U1>", ADDRESSED_HERE, "ok"},
    {"@helper and stop", ADDRESSED_HERE, "and stop"},
    /* Nothing but an address. */
    {"@helper", ADDRESSED_HERE, NULL},
    {"@helper?!", ADDRESSED_HERE, NULL},
    {"<@U07AB>", ADDRESSED_HERE, NULL},
    /* No address. */
    {"stop @helper", ADDRESSED_NOBODY, NULL},
    {"stop", ADDRESSED_NOBODY, NULL},
    {"", ADDRESSED_NOBODY, NULL},
    {"   ", ADDRESSED_NOBODY, NULL},
    {"@", ADDRESSED_NOBODY, NULL},
    {"@ stop", ADDRESSED_NOBODY, NULL},
    {"@: stop", ADDRESSED_NOBODY, NULL},
    {"<@> stop", ADDRESSED_NOBODY, NULL},
    {"<@U07AB stop", ADDRESSED_NOBODY, NULL},
    {"<at>Alma stop", ADDRESSED_NOBODY, NULL},
    {"Alma: stop", ADDRESSED_NOBODY, NULL},
    {"Alma, stop", ADDRESSED_NOBODY, NULL},
    {"[Alma] stop", ADDRESSED_NOBODY, NULL},
    {"[x] done", ADDRESSED_NOBODY, NULL},
    {"hey stop", ADDRESSED_NOBODY, NULL},
    {"tell @helper to stop", ADDRESSED_NOBODY, NULL},
    {"mail me@x.org", ADDRESSED_NOBODY, NULL},
    {"<b>stop</b>", ADDRESSED_NOBODY, NULL},
};

/* With names. */
static const struct {
  const char *message;
  Addressee to;
  const char *said;
} named[] = {
    {"Alma: stop", ADDRESSED_HERE, "stop"},
    {"Alma, stop", ADDRESSED_HERE, "stop"},
    {"Alma stop", ADDRESSED_HERE, "stop"},
    {"ALMA stop", ADDRESSED_HERE, "stop"},
    {"alma:stop", ADDRESSED_HERE, "stop"},
    {"Alma - stop", ADDRESSED_HERE, "stop"},
    {"Alma! Stop!", ADDRESSED_HERE, "Stop!"},
    {"Alma. Stop.", ADDRESSED_HERE, "Stop."},
    {"Alma? stop", ADDRESSED_HERE, "stop"},
    {"Al\xE2\x80\x8Bma: stop", ADDRESSED_HERE, "stop"},
    {"Ａｌｍａ：stop", ADDRESSED_HERE, "stop"},
    {"zoe: stop", ADDRESSED_HERE, "stop"},
    {"Alma  Bot: stop", ADDRESSED_HERE, "stop"},
    {"@Alma Bot stop", ADDRESSED_HERE, "stop"},
    {"[Alma] yes", ADDRESSED_HERE, "yes"},
    {"[Alma]: yes", ADDRESSED_HERE, "yes"},
    {"[Alma](tg://user?id=1) yes", ADDRESSED_HERE, "yes"},
    {"[@alma] yes", ADDRESSED_HERE, "yes"},
    {"hey Alma stop", ADDRESSED_HERE, "stop"},
    {"Hey, Alma, stop", ADDRESSED_HERE, "stop"},
    {"эй Alma стоп", ADDRESSED_HERE, "стоп"},
    {"ok Alma", ADDRESSED_HERE, "ok"},
    {"アルマ、止めて", ADDRESSED_HERE, "止めて"},
    {"アルマさん、止めて", ADDRESSED_HERE, "止めて"},
    {"ねえアルマ、止めて", ADDRESSED_NOBODY, NULL},
    {"ねえ、アルマ、止めて", ADDRESSED_HERE, "止めて"},
    {"@alma_bot stop", ADDRESSED_HERE, "stop"},
    {"@alma:server.org stop", ADDRESSED_HERE, "stop"},
    {"<@U07AB> stop", ADDRESSED_HERE, "stop"},
    {"<@u07ab> stop", ADDRESSED_HERE, "stop"},
    {"<@U1|alma> stop", ADDRESSED_HERE, "stop"},
    {"<@!4711> stop", ADDRESSED_HERE, "stop"},
    {"<at>Alma</at> stop", ADDRESSED_HERE, "stop"},
    {"@here stop", ADDRESSED_HERE, "stop"},
    {"@everyone stop", ADDRESSED_HERE, "stop"},
    {"<!channel> stop", ADDRESSED_HERE, "stop"},
    {"@bob and @alma stop", ADDRESSED_HERE, "stop"},
    {"@alma @bob stop", ADDRESSED_HERE, "stop"},
    {"@bob, Alma: stop", ADDRESSED_HERE, "stop"},
    {"stop, Alma", ADDRESSED_HERE, "stop"},
    {"stop Alma!", ADDRESSED_HERE, "stop"},
    {"stop @alma", ADDRESSED_HERE, "stop"},
    {"thanks <@U07AB>.", ADDRESSED_HERE, "thanks"},
    {"止めて、アルマ", ADDRESSED_HERE, "止めて"},
    {"Alma", ADDRESSED_HERE, NULL},
    {"Alma?", ADDRESSED_HERE, NULL},
    {"@Alma", ADDRESSED_HERE, NULL},
    {"@bob stop", ADDRESSED_ELSEWHERE, NULL},
    {"@bob", ADDRESSED_ELSEWHERE, NULL},
    {"hey @bob stop", ADDRESSED_ELSEWHERE, NULL},
    {"<@U99> stop", ADDRESSED_ELSEWHERE, NULL},
    {"<at>Bob</at> stop", ADDRESSED_ELSEWHERE, NULL},
    {"@alma2 stop", ADDRESSED_ELSEWHERE, NULL},
    {"@bob stop, Alma said so", ADDRESSED_ELSEWHERE, NULL},
    /* In the middle of a sentence, or a part of a word, it is no address. */
    {"tell Alma to stop", ADDRESSED_NOBODY, NULL},
    {"almanac stop", ADDRESSED_NOBODY, NULL},
    {"Alma's footer is broken", ADDRESSED_NOBODY, NULL},
    {"alma.c is broken", ADDRESSED_NOBODY, NULL},
    {"alma-old is broken", ADDRESSED_NOBODY, NULL},
    {"アルマジロ、止めて", ADDRESSED_NOBODY, NULL},
    {"[Bob] yes", ADDRESSED_NOBODY, NULL},
    {"[x] done", ADDRESSED_NOBODY, NULL},
    {"bigalma", ADDRESSED_NOBODY, NULL},
};

/* Somebody else's name, as far as its form goes. name NULL: there is none. */
static const struct {
  const char *message, *name, *beside;
} others[] = {
    {"Bob: stop", "Bob", "stop"},
    {"Bob, stop", "Bob", "stop"},
    {"bob: stop", "bob", "stop"},
    {"Bob Miller, stop", "Bob Miller", "stop"},
    {"Сергей, стоп", "Сергей", "стоп"},
    {"鲍勃：停", "鲍勃", "停"},
    {"thanks @bob", "@bob", "thanks"},
    {"thanks, <@U99>!", "<@U99>", "thanks"},
    {"ボブ、止めて", "ボブ", "止めて"},
    {"bob, stop", NULL, NULL},
    {"Argh, stop", NULL, NULL},
    {"算了，停", NULL, NULL},
    {"يكفي، توقف", NULL, NULL},
    {"Note: stop", NULL, NULL},
    {"PS: thanks", NULL, NULL},
    {"Bob: ", NULL, NULL},
    {"we two and Bob: stop", NULL, NULL},
    {"make the title: Foo", NULL, NULL},
    {"stop", NULL, NULL},
    {"Alma, Bob: stop", NULL, NULL},
};

static const struct {
  const char *names, *problem;
} lists[] = {
    {"Alma", NULL},
    {" @Alma ,, U07AB,", NULL},
    {"アルマ", NULL},
    {"", "has no name"},
    {" , @,", "has no name"},
    {"Alma, !!", "has a name without a letter or a digit"},
    {"<@U07AB>", "has a name with a bracket, a quote, a | or a control character"},
    {"Alma\nBob", "has a name with a bracket, a quote, a | or a control character"},
    {"0123456789012345678901234567890123456789012345678901234567890123", NULL},
    {"01234567890123456789012345678901234567890123456789012345678901234",
     "has a name of more than 64 bytes"},
    {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,1,2,3,4,5,6", NULL},
    {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,1,2,3,4,5,6,7", "has more than 32 names"},
};

/* A piece of a message as a string, until the next call. */
static const char *piece(const char *z, int n) {
  static char text[256];
  if (!z) return NULL;
  if (n > (int)sizeof(text) - 1) n = (int)sizeof(text) - 1;
  memcpy(text, z, (size_t)n);
  text[n] = 0;
  return text;
}

static void check(const char *message, const char *names, Addressee to, const char *said) {
  Address a;
  ts_address_read(message, (int)strlen(message), names, names ? (int)strlen(names) : 0, &a);
  CHECK_STR(tap_name("\"%s\" is said to", message), whom[a.to], whom[to]);
  CHECK_STR(tap_name("\"%s\" says", message), piece(a.said, a.nSaid), said ? said : message);
}

static void testAddresses(void) {
  for (int i = 0; i < COUNT(unnamed); i++)
    check(unnamed[i].message, NULL, unnamed[i].to, unnamed[i].said);
  for (int i = 0; i < COUNT(named); i++)
    check(named[i].message, NAMES, named[i].to, named[i].said);
}

static void testOthers(void) {
  for (int i = 0; i < COUNT(others); i++) {
    const char *message = others[i].message;
    Address a;
    ts_address_read(message, (int)strlen(message), NAMES, sizeof(NAMES) - 1, &a);
    CHECK_STR(tap_name("\"%s\" names", message), piece(a.name, a.nName), others[i].name);
    CHECK_STR(tap_name("\"%s\" says to them", message), piece(a.beside, a.nBeside),
              others[i].beside);
    ts_address_read(message, (int)strlen(message), NULL, 0, &a);
    CHECK_INT(tap_name("\"%s\" names nobody without names", message), a.nName, 0);
  }
}

static void testLists(void) {
  for (int i = 0; i < COUNT(lists); i++) {
    CHECK_STR(tap_name("names '%s'", lists[i].names),
              ts_names_problem(lists[i].names, (int)strlen(lists[i].names)), lists[i].problem);
  }
  CHECK_INT("of no names every one is meant", ts_address_is_name("bob", 3, NULL, 0), 1);
  CHECK_INT("of some it is not", ts_address_is_name("bob", 3, "alma", 4), 0);
  CHECK_INT("a word with a sign nobody sees in it",
            ts_address_is_word("ST\xE2\x80\x8BOP", 7, "stop"), 1);
  CHECK_INT("a longer word", ts_address_is_word("stops", 5, "stop"), 0);
  CHECK_INT("no word", ts_address_is_word("", 0, "stop"), 0);
}

/* Any bytes, and any names; what is said is a piece of the message. */
static void testHostile(void) {
  static const char *const pieces[] = {"@",
                                       "<@",
                                       ">",
                                       "<at>",
                                       "</at>",
                                       "|",
                                       "Alma",
                                       "alma_bot",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       ":",
                                       ",",
                                       "-",
                                       " ",
                                       "\n",
                                       "hey ",
                                       "and ",
                                       "\xE2",
                                       "アルマ",
                                       "さん",
                                       "\xFF",
                                       "<!",
                                       "@h",
                                       "stop",
                                       "/stop",
                                       ".",
                                       "\xE2\x80\x8B",
                                       "！",
                                       "Bob"};
  char text[1200];
  unsigned state = 20261129;
  int nOutside = 0;
  for (int round = 0; round < 6000; round++) {
    int n = 0, target;
    const char *names = round % 3 ? NAMES : NULL;
    Address a;
    state = state * 1664525u + 1013904223u;
    target = (int)(state >> 20) % 900;
    while (n < target) {
      state = state * 1664525u + 1013904223u;
      if (round % 4 == 3) {
        text[n++] = (char)(state >> 16);
      } else {
        const char *p = pieces[(state >> 16) % COUNT(pieces)];
        memcpy(text + n, p, strlen(p));
        n += (int)strlen(p);
      }
    }
    /* A copy of exactly n bytes, so that a read past the end is seen. */
    char *copy = malloc((size_t)(n ? n : 1));
    if (!copy) return;
    memcpy(copy, text, (size_t)n);
    ts_address_read(copy, n, names, names ? (int)strlen(names) : 0, &a);
    nOutside += a.said < copy || a.said + a.nSaid > copy + n;
    nOutside += a.nName && (a.name < copy || a.name + a.nName > copy + n);
    nOutside += a.nBeside && (a.beside < copy || a.beside + a.nBeside > copy + n);
    ts_address_read(copy, n, copy, n, &a);
    ts_names_problem(copy, n);
    free(copy);
  }
  CHECK_INT("what is said lies in the message", nOutside, 0);
}

/* A message of blanks, and what is said behind them: an address within the first bytes, or none, and no piece of a
** word because reading ends there. */
static void testEdge(void) {
  static char text[2 * ADDRESS_FRONT_BYTES + 64];
  int nHere = 0;
  for (int pad = 0; pad <= ADDRESS_FRONT_BYTES + 16; pad++) {
    Address a;
    const char *behind;
    memset(text, ' ', (size_t)pad);
    for (int k = 0; k < 2; k++) {
      int n = pad + sprintf(text + pad, "%s%0*d", k ? "Alma.c Almanac @almanac " : "Alma: stop ",
                            ADDRESS_FRONT_BYTES, 7);
      ts_address_read(text, n, NAMES, (int)strlen(NAMES), &a);
      behind = text + pad + 6;
      if (k) {
        CHECK(tap_name("%d blanks and a word like a name", pad), a.to == ADDRESSED_NOBODY);
      } else if (a.to == ADDRESSED_HERE) {
        nHere++;
        CHECK(tap_name("%d blanks: what is said", pad),
              a.said == behind && a.said + a.nSaid == text + n);
      } else {
        CHECK(tap_name("%d blanks: far behind, all is said", pad),
              pad > ADDRESS_FRONT_BYTES - 32 && a.to == ADDRESSED_NOBODY && a.said == text &&
                  a.nSaid == n);
      }
    }
  }
  CHECK("an address within the first bytes is one", nHere > ADDRESS_FRONT_BYTES - 32);
}

/* Long messages of nothing but addresses: so many are taken off, and the rest is said. */
static void testMany(void) {
  static const char *const pieces[] = {"@alma_bot ", "Alma, ", "<@U07AB>", "[Alma](a)",
                                       "@alma_bot and "};
  static char text[100 * 1000];
  for (int i = 0; i < COUNT(pieces); i++) {
    int n = 0, unit = (int)strlen(pieces[i]);
    Address a;
    for (; n + unit <= (int)sizeof(text); n += unit)
      memcpy(text + n, pieces[i], (size_t)unit);
    ts_address_read(text, n, NAMES, (int)strlen(NAMES), &a);
    CHECK(tap_name("%s again and again is said here", pieces[i]), a.to == ADDRESSED_HERE);
    CHECK(tap_name("%s again and again: so many are taken off", pieces[i]),
          a.said >= text + (ADDRESS_MAX_PIECES - 1) * unit &&
              a.said <= text + ADDRESS_MAX_PIECES * unit);
    CHECK(tap_name("%s again and again is no call", pieces[i]), !a.isCall);
  }
}

int main(void) {
  testAddresses();
  testOthers();
  testLists();
  testHostile();
  testEdge();
  testMany();
  return tap_done("address");
}
