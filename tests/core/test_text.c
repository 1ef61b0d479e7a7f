/*
** test_text.c - the default texts, filling them, durations in words and out of words, first lines.
**
** The allocation tests replace SQLite's allocator by one that fails at the Nth request.
*/
#include "tap.h"
#include "duration.h"
#include "text.h"
#include "turnstile.h"

#include <stdlib.h>

#include <sqlite3.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ---- An allocator that can fail -------------------------------------------------------------- */

static sqlite3_mem_methods realMemory;
static int failAt; /* the failing request, counted from now; 0: none */

static void *failingMalloc(int n) {
  if (failAt && --failAt == 0) return NULL;
  return realMemory.xMalloc(n);
}

static int replaceAllocator(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &realMemory) != SQLITE_OK) return 0;
  sqlite3_mem_methods failing = realMemory;
  failing.xMalloc = failingMalloc;
  if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK) return 0;
  return sqlite3_initialize() == SQLITE_OK;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* The wording that people and stored histories rely on. */
static const struct {
  const char *key, *text;
} wordings[] = {
    {"prompt.stale", "Welcome back! You were working on: {task}\n\nWould you like to:"},
    {"option.stale.continue", "Continue that work"},
    {"option.stale.start_fresh", "Save it and start fresh"},
    {"prompt.new_task", "You have unfinished work on: {task}\n\nShould I:"},
    {"option.new_task.start_fresh", "Save that and start on your new request"},
    {"option.new_task.continue", "Continue where we left off"},
    {"welcome.awaiting_user", "Welcome back! I was asking:\n\n{question}"},
    {"welcome.pending_complete",
     "Welcome back! I had finished:\n\n{summary}\n\nDoes this look good?"},
    {"welcome.running", "Welcome back! I was working on: {task}\n\nProgress so "
                        "far:\n{progress}\n\nShould I continue?"},
    {"welcome.interrupted", "Welcome back! You had said:\n\n{user_message}\n\nI hadn't finished "
                            "processing that. Should I continue?"},
    {"note.question", "Question for user: {question}"},
    {"note.answer", "User response: {message}"},
    {"note.intervention", "User intervention: {message}"},
    {"note.request_more", "User requested continuation: {message}"},
    {"note.confirmation", "User confirmed task complete"},
    {"note.held", "Asked for meanwhile, not started: {message}"},
    {"note.dropped", "Taken back: {message}"},
    {"commit.stale", "Auto-saved: session idle for {duration}: {task}"},
    {"commit.switch", "Saved before starting new task: {task}"},
    {"commit.merged", "Saved when this conversation was merged into {session}: {task}"},
    {"note.merged", "{session} was merged into this conversation; turns of its own: {turns}"},
    {"commit.abandoned", "Abandoned by user"},
    {"commit.undone", "Undone: {task}"},
    {"label.earlier", "Earlier message, still open:"},
    {"label.newer", "Newer message:"},
};

/* Every key with the placeholders its text may use, in their order. */
static const struct {
  const char *key, *fields;
} keys[] = {
    {"prompt.stale", "task"},
    {"prompt.new_task", "task"},
    {"prompt.unclear", "task"},
    {"prompt.saved", "duration task"},
    {"option.stale.continue", ""},
    {"option.stale.start_fresh", ""},
    {"option.new_task.start_fresh", ""},
    {"option.new_task.continue", ""},
    {"option.unclear.continue", ""},
    {"option.unclear.start_fresh", ""},
    {"option.saved.continue", ""},
    {"option.saved.start_fresh", ""},
    {"welcome.awaiting_user", "question"},
    {"welcome.pending_complete", "summary"},
    {"welcome.running", "task progress"},
    {"welcome.interrupted", "user_message"},
    {"welcome.auto_saved", "duration task"},
    {"context.interrupted", ""},
    {"context.pending", ""},
    {"context.late_result", "tool id"},
    {"context.late_error", "tool id"},
    {"context.retried", ""},
    {"context.retried_of", "message"},
    {"context.orphan_result", ""},
    {"context.orphan_error", ""},
    {"context.no_text", ""},
    {"context.opening", ""},
    {"welcome.none", ""},
    {"acknowledge", ""},
    {"acknowledge.fresh", ""},
    {"acknowledge.dropped", ""},
    {"complete", "summary"},
    {"abandon", "task"},
    {"blocked", ""},
    {"rejected.archived", ""},
    {"duplicate.answer", ""},
    {"rejected.over", ""},
    {"rejected.deleted", ""},
    {"rejected.queue_full", ""},
    {"note.question", "question"},
    {"note.answer", "message"},
    {"note.intervention", "message"},
    {"note.request_more", "message"},
    {"note.confirmation", ""},
    {"note.abandon", "message"},
    {"note.choice.continue", "kind"},
    {"note.choice.start_fresh", "kind"},
    {"note.held", "message"},
    {"note.dropped", "message"},
    {"note.stale_dropped", "task duration"},
    {"note.resumed", ""},
    {"note.picked_up", "task"},
    {"note.undone", ""},
    {"note.redone", ""},
    {"progress.none", ""},
    {"kind.stale", ""},
    {"kind.new_task", ""},
    {"kind.unclear", ""},
    {"kind.saved", ""},
    {"commit.stale", "duration task"},
    {"commit.switch", "task"},
    {"commit.merged", "session task"},
    {"note.merged", "session turns"},
    {"note.merged_task", "task"},
    {"note.merged_question", "question"},
    {"commit.abandoned", ""},
    {"commit.undone", "task"},
    {"label.earlier", ""},
    {"label.newer", ""},
    {"worker.failed", "worker reason"},
    {"worker.left", "worker result"},
    {"worker.timeout", "worker duration"},
    {"worker.question", "worker question"},
};

/* The placeholders of a text in their order, separated by spaces. */
static const char *fieldsOf(const char *text) {
  static char names[128];
  names[0] = 0;
  while ((text = strchr(text, '{'))) {
    int n = (int)strcspn(text + 1, "}");
    size_t used = strlen(names);
    snprintf(names + used, sizeof(names) - used, "%s%.*s", used ? " " : "", n, text + 1);
    text += n + 1;
  }
  return names;
}

static void testTexts(void) {
  for (int i = 0; i < COUNT(wordings); i++) {
    CHECK_STR(wordings[i].key, ts_text_default(wordings[i].key), wordings[i].text);
  }
  for (int i = 0; i < COUNT(keys); i++) {
    const char *text = ts_text_default(keys[i].key);
    CHECK(keys[i].key, text && *text);
    if (text) CHECK_STR(tap_name("fields of %s", keys[i].key), fieldsOf(text), keys[i].fields);
  }
  int n = 0;
  for (; ts_text_key(n); n++) {
    int known = 0;
    for (int i = 0; i < COUNT(keys); i++)
      known += strcmp(keys[i].key, ts_text_key(n)) == 0;
    CHECK_INT(tap_name("%s is expected once", ts_text_key(n)), known, 1);
    for (int i = 0; i < n; i++) {
      CHECK(tap_name("%s is there twice", ts_text_key(n)), strcmp(ts_text_key(i), ts_text_key(n)));
    }
  }
  CHECK_INT("number of keys", n, COUNT(keys));
  CHECK("key -1", ts_text_key(-1) == NULL);
  CHECK("unknown key", ts_text_default("welcome.nobody") == NULL);
  CHECK("empty key", ts_text_default("") == NULL);
  CHECK("part of a key", ts_text_default("welcome") == NULL);
}

static void checkFill(const char *tmpl, const TextField *fields, int nFields,
                      const char *expected) {
  char *got = ts_text_fill(tmpl, fields, nFields);
  CHECK_STR(tap_name("fill \"%s\"", tmpl), got, expected);
  sqlite3_free(got);
}

static void testFill(void) {
  static const TextField fields[] = {
      {"task", "add {duration} retries", -1},
      {"duration", "9 days", -1},
      {"part", "abcdef", 3},
      {"empty", "", 0},
      {"none", NULL, 0},
      {"nul", "a\0b\0", 4},
  };
  static const struct {
    const char *tmpl, *expected;
  } cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"{duration}", "9 days"},
      {"idle for {duration}: {task}", "idle for 9 days: add {duration} retries"},
      {"{task}{task}", "add {duration} retriesadd {duration} retries"},
      {"[{part}]", "[abc]"},
      {"[{empty}{none}]", "[]"},
      {"{unknown} {duration}", "{unknown} 9 days"},
      {"{Task}", "{Task}"},
      {"{ task }", "{ task }"},
      {"{}", "{}"},
      {"{", "{"},
      {"}", "}"},
      {"{duration", "{duration"},
      {"duration}", "duration}"},
      {"{{duration}}", "{9 days}"},
      {"{unknown{duration}", "{unknown9 days"},
      {"{nul}", "a\xEF\xBF\xBD"
                "b\xEF\xBF\xBD"},
      {"{durationx}", "{durationx}"},
      {"ä {duration} 中", "ä 9 days 中"},
  };
  for (int i = 0; i < COUNT(cases); i++)
    checkFill(cases[i].tmpl, fields, COUNT(fields), cases[i].expected);
  checkFill("{task}", NULL, 0, "{task}");

  /* The first of two fields with one name counts. */
  static const TextField twice[] = {{"x", "1", -1}, {"x", "2", -1}};
  checkFill("{x}", twice, 2, "1");

  /* A large value arrives whole. */
  size_t n = 1 << 20;
  char *large = malloc(n);
  if (large) {
    memset(large, 'x', n);
    TextField field = {"x", large, (int)n};
    char *got = ts_text_fill("<{x}>", &field, 1);
    CHECK("large value", got && strlen(got) == n + 2 && got[0] == '<' && got[n + 1] == '>');
    sqlite3_free(got);
    free(large);
  }

  /* Behind as many bytes as a text may have no more values are put in, but what stands around them is. */
  n = TURNSTILE_MAX_TEXT + 1;
  large = malloc(n);
  for (int over = 0; large && over < 2; over++) {
    TextField field = {"x", large, TURNSTILE_MAX_TEXT + over};
    memset(large, 'x', n);
    char *got = ts_text_fill("{x}{x}-{x}.", &field, 1);
    CHECK(tap_name("%d more than the largest value", over),
          got && strlen(got) == (size_t)TURNSTILE_MAX_TEXT * (over ? 1 : 2) + (size_t)over + 2);
    sqlite3_free(got);
  }
  free(large);
}

/* ---- Durations ------------------------------------------------------------------------------- */

#define S ((int64_t)1000)
#define M (60 * S)
#define H (60 * M)
#define D (24 * H)
#define W (7 * D)
#define MAX ((int64_t)9007199254740991)

static void testDurationWords(void) {
  static const struct {
    int64_t ms;
    const char *words;
  } cases[] = {
      {0, "0 seconds"},
      {1, "0 seconds"},
      {999, "0 seconds"},
      {-1, "0 seconds"},
      {INT64_MIN, "0 seconds"},
      {1 * S, "1 second"},
      {1 * S + 999, "1 second"},
      {2 * S, "2 seconds"},
      {59 * S, "59 seconds"},
      {1 * M - 1, "59 seconds"},
      {1 * M, "1 minute"},
      {1 * M + 1 * S, "1 minute 1 second"},
      {2 * M + 30 * S, "2 minutes 30 seconds"},
      {59 * M + 59 * S + 999, "59 minutes 59 seconds"},
      {1 * H, "1 hour"},
      {1 * H + 59 * S, "1 hour"},
      {1 * H + 1 * M, "1 hour 1 minute"},
      {5 * H + 20 * M + 7 * S, "5 hours 20 minutes"},
      {1 * D - 1, "23 hours 59 minutes"},
      {1 * D, "1 day"},
      {1 * D + 1 * M, "1 day"},
      {1 * D + 59 * M + 59 * S, "1 day"},
      {1 * D + 1 * H, "1 day 1 hour"},
      {9 * D + 3 * H, "9 days 3 hours"},
      {9 * D + 3 * H + 59 * M, "9 days 3 hours"},
      {2 * W, "14 days"},
      {MAX, "104249991 days 8 hours"},
      {INT64_MAX, "106751991167 days 7 hours"},
  };
  char out[64];
  for (int i = 0; i < COUNT(cases); i++) {
    ts_duration_words(cases[i].ms, out, (int)sizeof(out));
    CHECK_STR(tap_name("%lld ms in words", (long long)cases[i].ms), out, cases[i].words);
  }

  /* No room: cut, ended, and nothing written behind. */
  static const char whole[] = "9 days 3 hours";
  for (int n = 1; n <= (int)sizeof(whole) + 1; n++) {
    memset(out, '#', sizeof(out));
    ts_duration_words(9 * D + 3 * H, out, n);
    int length = n < (int)sizeof(whole) ? n - 1 : (int)sizeof(whole) - 1;
    CHECK(tap_name("%d bytes of room", n),
          (int)strlen(out) == length && memcmp(out, whole, (size_t)length) == 0 && out[n] == '#');
  }
  memset(out, '#', sizeof(out));
  ts_duration_words(1, out, 0);
  ts_duration_words(1, out, -1);
  CHECK_INT("no room at all", out[0], '#');
}

static void testDurationParse(void) {
  static const struct {
    const char *text;
    int64_t ms; /* -1: no duration */
  } cases[] = {
      {"0", 0},
      {"250", 250},
      {"86400000", D},
      {"500ms", 500},
      {"500 ms", 500},
      {"90s", 90 * S},
      {"90 sec", 90 * S},
      {"1 second", S},
      {"2 seconds", 2 * S},
      {"1m", M},
      {"5 min", 5 * M},
      {"1 minute", M},
      {"5 minutes", 5 * M},
      {"24h", D},
      {"2 hr", 2 * H},
      {"1 hour", H},
      {"36 hours", 36 * H},
      {"7d", 7 * D},
      {"7 days", 7 * D},
      {"1 day", D},
      {"1w", W},
      {"2 weeks", 2 * W},
      {"1 week", W},
      {"1h 30m", H + 30 * M},
      {"1h30m", H + 30 * M},
      {"1 h 30 m", H + 30 * M},
      {"9 days 3 hours", 9 * D + 3 * H},
      {"1d 2h 3m 4s 5ms", D + 2 * H + 3 * M + 4 * S + 5},
      {"1.5h", 90 * M},
      {"0.5 s", 500},
      {"1.25 days", 30 * H},
      {"0.0005s", 1},
      {"0.0004s", 0},
      {"1.0000000000000000000001s", S},
      {"  7 Days\n", 7 * D},
      {"24H", D},
      {"5MIN", 5 * M},
      {"007d", 7 * D},
      {"0h", 0},
      {"9007199254740991", MAX},
      {"9007199254740991ms", MAX},
      {"9007199254740s 991ms", MAX},
      {"9007199254740992", -1},
      {"9007199254740s 992ms", -1},
      {"9007199254741s", -1},
      {"104249991 days 8 hours", 104249991 * D + 8 * H},
      {"104249991 days 9 hours", -1},
      {"99999999999999999999999", -1},
      {"99999999999999999999999w", -1},
      {"15250285 w", -1},
      {"", -1},
      {"   ", -1},
      {"-1", -1},
      {"-1h", -1},
      {"+1h", -1},
      {"1h -5m", -1},
      {"h", -1},
      {"days", -1},
      {"1x", -1},
      {"1 fortnight", -1},
      {"1 month", -1},
      {"1y", -1},
      {"1hours ago", -1},
      {"1h, 30m", -1},
      {"1h 30", -1},
      {"30 1h", -1},
      {"1 2", -1},
      {"1.5", -1},
      {"1.h", -1},
      {".5h", -1},
      {"1..5h", -1},
      {"1.5.5h", -1},
      {"1,5h", -1},
      {"1e3", -1},
      {"0x10", -1},
      {"NaN", -1},
      {"inf", -1},
      {"1h;", -1},
      {"1 s econd", -1},
      {"1 secondsecondsecondsecondsecond", -1},
      {"1\xC2\xA0h", -1},
      {"１h", -1},
      {"\xff", -1},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    int64_t ms = -1;
    int ok = ts_duration_parse(cases[i].text, (int)strlen(cases[i].text), &ms);
    CHECK_INT(tap_name("parse \"%s\": ok", cases[i].text), ok, cases[i].ms >= 0);
    CHECK_INT(tap_name("parse \"%s\": ms", cases[i].text), ms, cases[i].ms);
  }
  CHECK_INT("a number alone", ts_duration_is_bare(" 30 ", 4), 1);
  CHECK_INT("with a unit", ts_duration_is_bare("30s", 3), 0);
  CHECK_INT("the length counts for it", ts_duration_is_bare("30s", 2), 1);
  int64_t ms = 77;
  CHECK_INT("the length counts", ts_duration_parse("24hours", 3, &ms) && ms == D, 1);
  CHECK_INT("a cut unit", ts_duration_parse("24hours", 4, &ms), 0);
  CHECK_INT("a NUL behind", ts_duration_parse("24h\0", 4, &ms), 0);
  CHECK_INT("a NUL between", ts_duration_parse("1\0h", 3, &ms), 0);
  CHECK_INT("a NUL in front", ts_duration_parse("\0", 1, &ms), 0);
  CHECK_INT("NULL", ts_duration_parse(NULL, 0, &ms), 0);
  CHECK_INT("refused: the value stays", ms, D);

  /* What is said in words is understood again. */
  for (int64_t t = 0; t < 400 * D; t = t * 3 + 7 * S) {
    char words[64], again[64];
    ts_duration_words(t, words, (int)sizeof(words));
    int ok = ts_duration_parse(words, (int)strlen(words), &ms);
    ts_duration_words(ms, again, (int)sizeof(again));
    CHECK(tap_name("there and back: %s", words), ok && strcmp(words, again) == 0);
  }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void testFirstLine(void) {
  static const struct {
    const char *text;
    int maxChars;
    const char *line;
  } cases[] = {
      {"add retries", 120, "add retries"},
      {"add retries\nand tests", 120, "add retries"},
      {"add retries\r\nand tests", 120, "add retries"},
      {"add retries\rand tests", 120, "add retries"},
      {"\n\n  \t\n  add retries  \nmore", 120, "add retries"},
      {"\xEF\xBB\xBF"
       "title",
       120, "title"},
      {"\xE3\x80\x80"
       "title\xC2\xA0",
       120, "title"},
      {"", 120, ""},
      {" \n\t\r\n ", 120, ""},
      {"abcdef", 6, "abcdef"},
      {"abcdef", 5, "abcd…"},
      {"abcdef", 2, "a…"},
      {"abcdef", 1, "…"},
      {"a", 1, "a"},
      {"abcdef", 0, ""},
      {"abcdef", -3, ""},
      {"abc def", 5, "abc…"},
      {"abc def", 6, "abc d…"},
      {"über alles", 5, "über…"},
      {"中文消息很长", 4, "中文消…"},
      {"中文", 2, "中文"},
      {"🙂🙂🙂", 2, "🙂…"},
      /* Nothing is cut off its base: an accent, a joined family, a skin tone. */
      {"ae\xCC\x81"
       "b",
       3, "a…"},
      {"ae\xCC\x81"
       "b",
       4,
       "ae\xCC\x81"
       "b"},
      {"ae\xCC\x81"
       "bc",
       4, "ae\xCC\x81…"},
      {"x👩‍👧yz", 4, "x…"},
      {"x👍🏽yz", 3, "x…"},
      {"tab\there", 120, "tab\there"},
      {"broken \xFF\xC3 bytes", 120, "broken \xEF\xBF\xBD\xEF\xBF\xBD bytes"},
      {"\xFF\xFE\xFD", 2, "\xEF\xBF\xBD…"},
      {"overlong \xC0\x80\xE0\x80\x80", 120,
       "overlong \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"surrogate \xED\xA0\x80", 120, "surrogate \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"real \xEF\xBF\xBD", 120, "real \xEF\xBF\xBD"},
      {"cut \xF0\x9F\x99", 120, "cut \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    /* A copy of exactly the bytes, so that reading on is seen by a sanitizer. */
    size_t n = strlen(cases[i].text);
    char *copy = malloc(n ? n : 1);
    if (!copy) return;
    memcpy(copy, cases[i].text, n);
    char *line = ts_first_line(copy, (int)n, cases[i].maxChars);
    CHECK_STR(tap_name("first line of \"%s\" in %d", cases[i].text, cases[i].maxChars), line,
              cases[i].line);
    sqlite3_free(line);
    free(copy);
  }
  char *line = ts_first_line("a\0b\nc", 5, 120);
  CHECK_STR("a NUL in a line", line,
            "a\xEF\xBF\xBD"
            "b");
  sqlite3_free(line);
  line = ts_first_line("\0\n\0 x", 5, 120);
  CHECK_STR("NULs are blank", line, "x");
  sqlite3_free(line);
  line = ts_first_line(NULL, 0, 120);
  CHECK_STR("NULL", line, "");
  sqlite3_free(line);
}

static void testUtf8(void) {
  static const struct {
    const char *bytes;
    int n;
    unsigned character;
    int len;
  } cases[] = {
      {"a", 1, 'a', 1},
      {"\0", 1, 0, 1},
      {"\x7F", 1, 0x7F, 1},
      {"\xC2\x80", 2, 0x80, 2},
      {"\xDF\xBF", 2, 0x7FF, 2},
      {"\xE0\xA0\x80", 3, 0x800, 3},
      {"\xED\x9F\xBF", 3, 0xD7FF, 3},
      {"\xEE\x80\x80", 3, 0xE000, 3},
      {"\xEF\xBF\xBF", 3, 0xFFFF, 3},
      {"\xF0\x90\x80\x80", 4, 0x10000, 4},
      {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF, 4},
      {"\xF4\x90\x80\x80", 4, TS_REPLACEMENT_CHARACTER, 1},
      {"\xF5\x80\x80\x80", 4, TS_REPLACEMENT_CHARACTER, 1},
      {"\x80", 1, TS_REPLACEMENT_CHARACTER, 1},
      {"\xBF", 1, TS_REPLACEMENT_CHARACTER, 1},
      {"\xC0\x80", 2, TS_REPLACEMENT_CHARACTER, 1},
      {"\xC1\xBF", 2, TS_REPLACEMENT_CHARACTER, 1},
      {"\xE0\x9F\xBF", 3, TS_REPLACEMENT_CHARACTER, 1},
      {"\xED\xA0\x80", 3, TS_REPLACEMENT_CHARACTER, 1},
      {"\xED\xBF\xBF", 3, TS_REPLACEMENT_CHARACTER, 1},
      {"\xF0\x8F\xBF\xBF", 4, TS_REPLACEMENT_CHARACTER, 1},
      {"\xC2", 1, TS_REPLACEMENT_CHARACTER, 1},
      {"\xE0\xA0", 2, TS_REPLACEMENT_CHARACTER, 1},
      {"\xF0\x90\x80", 3, TS_REPLACEMENT_CHARACTER, 1},
      {"\xC2"
       "a",
       2, TS_REPLACEMENT_CHARACTER, 1},
      {"\xFF", 1, TS_REPLACEMENT_CHARACTER, 1},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    unsigned character = 1;
    int len = ts_utf8_next(cases[i].bytes, cases[i].n, &character);
    CHECK_INT(tap_name("utf-8 case %d: length", i), len, cases[i].len);
    CHECK_INT(tap_name("utf-8 case %d: character", i), character, cases[i].character);
  }
}

static void testOutOfMemory(void) {
  TextField field = {"x", "value", -1};
  failAt = 1;
  CHECK("fill without memory", ts_text_fill("{x}", &field, 1) == NULL);
  failAt = 1;
  CHECK("line without memory", ts_first_line("abc", 3, 10) == NULL);
  failAt = 2;
  char *got = ts_text_fill("{x}", &field, 1);
  CHECK_STR("fill takes one allocation", got, "value");
  sqlite3_free(got);
  failAt = 2;
  got = ts_first_line("abc", 3, 10);
  CHECK_STR("a line takes one allocation", got, "abc");
  sqlite3_free(got);
  failAt = 0;
}

int main(void) {
  if (!CHECK("the allocator can be replaced", replaceAllocator())) return tap_done("text");
  sqlite3_int64 before = sqlite3_memory_used();
  testTexts();
  testFill();
  testDurationWords();
  testDurationParse();
  testFirstLine();
  testUtf8();
  testOutOfMemory();
  CHECK_INT("everything given back", sqlite3_memory_used(), before);
  return tap_done("text");
}
