/*
** test_decimal.c - numbers with a fraction as text, and back.
*/
#include "decimal.h"
#include "tap.h"

#include <math.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const struct {
  double r;
  int digits;
  const char *text;
} written[] = {
    {0, 17, "0.0"},
    {-0.0, 17, "0.0"},
    {1, 17, "1.0"},
    {-1, 17, "-1.0"},
    {10, 17, "10.0"},
    {0.5, 17, "0.5"},
    {0.1, 15, "0.1"},
    {0.1, 17, "0.10000000000000001"},
    {0.0001, 15, "0.0001"},
    {0.00001, 15, "1.0e-05"},
    {0.000012, 15, "1.2e-05"},
    {123.456, 15, "123.456"},
    {-123.456, 15, "-123.456"},
    {120.5, 15, "120.5"},
    {100000000000000.0, 15, "100000000000000.0"},
    {123456789012345.0, 15, "123456789012345.0"},
    {1e15, 15, "1.0e+15"},
    {1.5e15, 15, "1.5e+15"},
    {1e16, 17, "10000000000000000.0"},
    {1e17, 17, "1.0e+17"},
    {1.25e300, 15, "1.25e+300"},
    {-1.25e-300, 15, "-1.25e-300"},
    {HUGE_VAL, 17, "Inf"},
    {-HUGE_VAL, 17, "-Inf"},
};

static const struct {
  double r;
  const char *text;
} hundredths[] = {
    {0, "0.0"},         {1, "1.0"},        {0.85, "0.85"},  {0.8, "0.8"},
    {0.05, "0.05"},     {0.004, "0.0"},    {0.006, "0.01"}, {0.995, "1.0"},
    {-0.004, "0.0"},    {-0.006, "-0.01"}, {-2.5, "-2.5"},  {12.34, "12.34"},
    {12.3456, "12.35"}, {1e15, "0.0"},     {-1e15, "0.0"},  {9e14, "900000000000000.0"},
};

static const struct {
  const char *text;
  int is;
  double r;
} texts[] = {
    {"0", 1, 0},
    {"1", 1, 1},
    {"-1", 1, -1},
    {"0.25", 1, 0.25},
    {"2.5e-3", 1, 0.0025},
    {"2.5E+3", 1, 2500},
    {"2.5e3", 1, 2500},
    {"25e-1", 1, 2.5},
    {"-0.5e1", 1, -5},
    {"1e400", 1, HUGE_VAL},
    {"1e-400", 1, 0},
    {"12.5", 1, 12.5},
    {"9e9", 1, 9e9},
    {"0.10000000000000001", 1, 0.1},
    {"", 0, 0},
    {"-", 0, 0},
    {"+1", 0, 0},
    {" 1", 0, 0},
    {"1 ", 0, 0},
    {"1.", 0, 0},
    {".", 0, 0},
    {"-.", 0, 0},
    {"1.2.3", 0, 0},
    {"--1", 0, 0},
    {"1-", 0, 0},
    {"e5", 0, 0},
    {"-e5", 0, 0},
    {"1e", 0, 0},
    {"1e-", 0, 0},
    {"1e+", 0, 0},
    {"1e5x", 0, 0},
    {"1e5.5", 0, 0},
    {"1e--5", 0, 0},
    {"x", 0, 0},
    {"1x", 0, 0},
    {"0x10", 0, 0},
    {"Inf", 0, 0},
    {"NaN", 0, 0},
    {"1,5", 0, 0},
    {"/", 0, 0},
    {":", 0, 0},
    {"1/", 0, 0},
    {"1:", 0, 0},
    {"1.e5", 0, 0},
};

static void testWritten(void) {
  char out[TS_DECIMAL_SIZE];
  for (int i = 0; i < COUNT(written); i++) {
    ts_decimal(written[i].r, written[i].digits, out);
    CHECK_STR(tap_name("%g in %d digits", written[i].r, written[i].digits), out, written[i].text);
  }
  for (int i = 0; i < COUNT(hundredths); i++) {
    ts_decimal_hundredths(hundredths[i].r, out);
    CHECK_STR(tap_name("hundredths of %g", hundredths[i].r), out, hundredths[i].text);
  }
}

/* A text stands in the middle of another one: its own bytes alone count. */
static void testRead(void) {
  static const char beside[] = "5-+e.";
  char text[64];
  for (int i = 0; i < COUNT(texts) * COUNT(beside); i++) {
    const char *z = texts[i / COUNT(beside)].text;
    int n = (int)strlen(z), is = texts[i / COUNT(beside)].is;
    double r = -7, expected = texts[i / COUNT(beside)].r;
    memset(text, beside[i % COUNT(beside)], sizeof(text));
    memcpy(text + 1, z, (size_t)n);
    CHECK_INT(tap_name("is \"%s\" beside \"%.1s\" a decimal?", z, text),
              ts_decimal_read(text + 1, n, &r), is);
    if (is) CHECK(tap_name("\"%s\" is %g", z, expected), r == expected);
  }
}

static void testLong(void) {
  char text[500];
  double r = 0;
  memset(text, '0', sizeof(text));
  text[0] = '1';
  CHECK_INT("400 digits", ts_decimal_read(text, 400, &r), 1);
  CHECK("their number", isinf(r));
  CHECK_INT("401 digits", ts_decimal_read(text, 401, &r), 0);
  memset(text, '0', sizeof(text));
  text[1] = '.';
  text[300] = '1';
  CHECK_INT("300 digits, and a point", ts_decimal_read(text, 301, &r), 1);
  CHECK("their small number", fabs(r * 1e299 - 1) < 1e-12);
  memset(text, '0', sizeof(text));
  memcpy(text, "1e", 2);
  memset(text + 2, '9', 400);
  CHECK_INT("an exponent of 400 digits", ts_decimal_read(text, 402, &r), 1);
  CHECK("is beyond every number", isinf(r));
}

static void testWhole(void) {
  static const struct {
    double r;
    int is;
  } numbers[] = {{0, 1},
                 {-0.0, 1},
                 {1, 1},
                 {-1, 1},
                 {0.5, 0},
                 {-1.5, 0},
                 {1e15 + 0.5, 0},
                 {9007199254740991.0, 1},
                 {-9007199254740991.0, 1},
                 {9007199254740992.0, 0},
                 {-9007199254740992.0, 0},
                 {1e300, 0},
                 {-1e300, 0},
                 {HUGE_VAL, 0},
                 {-HUGE_VAL, 0},
                 {NAN, 0}};
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    long long n = 7;
    int is = ts_whole_number(numbers[i].r, &n);
    CHECK_INT(tap_name("is %.17g whole?", numbers[i].r), is, numbers[i].is);
    if (is) CHECK(tap_name("%.17g as an integer", numbers[i].r), (double)n == numbers[i].r);
  }
}

int main(void) {
  testWritten();
  testRead();
  testLong();
  testWhole();
  return tap_done("decimal");
}
