/*
** tap.h - the smallest harness that the C tests share.
**
** A test is a program. Each CHECK macro is one case with a name; a case that holds is only
** counted, one that fails is printed with its place, its name, what came and what should have
** come. The last line tells the totals, and tap_done's value is the exit code:
**
**     CHECK_INT(tap_name("row %d", i), ts_answer(i), 42);
**     return tap_done("answers");
**
** Everything is static, so a test stays one file and one compile command.
*/
#ifndef TS_TAP_H
#define TS_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TAP_UNUSED __attribute__((unused))

static int tapPassed, tapFailed;

/* A case's name from a format; valid until the next call. */
__attribute__((format(printf, 1, 2))) TAP_UNUSED static const char *tap_name(const char *format,
                                                                             ...) {
  static char name[512];
  va_list args;
  va_start(args, format);
  vsnprintf(name, sizeof(name), format, args);
  va_end(args);
  return name;
}

/* Counts a case. Returns ok. */
TAP_UNUSED static int tap_case(int ok, const char *file, int line, const char *name) {
  if (ok) {
    tapPassed++;
  } else {
    tapFailed++;
    printf("%s:%d: %s\n", file, line, name);
  }
  return ok;
}

TAP_UNUSED static void tap_int(long long got, long long expected, const char *file, int line,
                               const char *name) {
  if (!tap_case(got == expected, file, line, name)) {
    printf("  got      %lld\n  expected %lld\n", got, expected);
  }
}

/* Prints a string, or what stands for none. */
TAP_UNUSED static void tap_show(const char *label, const char *text) {
  if (text) {
    printf("  %s \"%s\"\n", label, text);
  } else {
    printf("  %s NULL\n", label);
  }
}

TAP_UNUSED static void tap_str(const char *got, const char *expected, const char *file, int line,
                               const char *name) {
  int same = got && expected ? strcmp(got, expected) == 0 : got == expected;
  if (!tap_case(same, file, line, name)) {
    tap_show("got     ", got);
    tap_show("expected", expected);
  }
}

/* The totals, and the exit code: 0 when every case held. */
TAP_UNUSED static int tap_done(const char *test) {
  printf("%s: %d passed, %d failed\n", test, tapPassed, tapFailed);
  return tapFailed ? 1 : 0;
}

#define CHECK(name, condition) tap_case(!!(condition), __FILE__, __LINE__, name)
#define CHECK_INT(name, got, expected) tap_int(got, expected, __FILE__, __LINE__, name)
#define CHECK_STR(name, got, expected) tap_str(got, expected, __FILE__, __LINE__, name)

#endif
