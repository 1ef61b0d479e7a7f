/*
** decimal.c - numbers with a fraction as text, and back; whole ones among them. Pure.
**
** The digits come from C, which rounds correctly in both directions; the point is put in here. Going
** back, the text is given to strtod without a point, as an integer with an exponent.
*/
#include "decimal.h"

#include "turnstile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 400

static int isDigit(char ch) {
  return ch >= '0' && ch <= '9';
}

/* The significant digits of a number, without zeros at the end, and its power of ten. Returns how many
** there are: at least one. */
static int takeDigits(double r, int digits, char *out, int *power) {
  char text[64];
  const char *z = text;
  int n = 0;
  (void)snprintf(text, sizeof(text), "%.*e", digits - 1, fabs(r));
  for (; *z && *z != 'e'; z++) {
    if (isDigit(*z)) out[n++] = *z;
  }
  *power = *z ? atoi(z + 1) : 0;
  while (n > 1 && out[n - 1] == '0')
    n--;
  return n;
}

/* One digit, the point, and the other digits, or a zero if there are none. */
static char *putFraction(char *z, const char *digits, int n) {
  *z++ = digits[0];
  *z++ = '.';
  if (n < 2) *z++ = '0';
  for (int i = 1; i < n; i++)
    *z++ = digits[i];
  return z;
}

/* Without an exponent: the digits around the point, which stands behind the ones. */
static char *putPlain(char *z, const char *digits, int n, int power) {
  int first = power < 0 ? power : 0, last = power > n - 1 ? power : n - 1;
  for (int i = first; i <= last; i++) {
    *z++ = i >= 0 && i < n ? digits[i] : '0';
    if (i == (power < 0 ? first : power)) *z++ = '.';
  }
  if (z[-1] == '.') *z++ = '0';
  return z;
}

void ts_decimal(double r, int digits, char out[TS_DECIMAL_SIZE]) {
  char digit[64] = "0";
  char *z = out;
  int n, power;
  if (r == 0) {
    memcpy(out, "0.0", 4);
    return;
  }
  if (r < 0) *z++ = '-';
  if (!isfinite(r)) {
    memcpy(z, "Inf", 4);
    return;
  }
  n = takeDigits(r, digits, digit, &power);
  if (power < -4 || power >= digits) {
    z = putFraction(z, digit, n);
    (void)snprintf(z, TS_DECIMAL_SIZE - (size_t)(z - out), "e%c%02d", power < 0 ? '-' : '+',
                   abs(power));
    return;
  }
  *putPlain(z, digit, n, power) = 0;
}

void ts_decimal_hundredths(double r, char out[TS_DECIMAL_SIZE]) {
  long long n = fabs(r) < 1e15 ? (long long)(fabs(r) * 100 + 0.5) : 0;
  const char *sign = r < 0 && n ? "-" : "";
  if (n % 10) {
    (void)snprintf(out, TS_DECIMAL_SIZE, "%s%lld.%02lld", sign, n / 100, n % 100);
  } else {
    (void)snprintf(out, TS_DECIMAL_SIZE, "%s%lld.%lld", sign, n / 100, n % 100 / 10);
  }
}

int ts_decimal_read(const char *z, int n, double *r) {
  char text[MAX_DIGITS + 32];
  const char *end = z + n;
  int used = 0, point = 0, fraction = 0;
  long exponent = 0;
  if (z < end && *z == '-') text[used++] = *z++;
  for (; z < end && (isDigit(*z) || (*z == '.' && !point)); z++) {
    if (*z == '.') {
      point = 1;
    } else if (used < MAX_DIGITS) {
      text[used++] = *z;
      fraction += point;
    } else {
      return 0;
    }
  }
  if (used == 0 || !isDigit(z[-1])) return 0;
  if (z < end && (*z == 'e' || *z == 'E')) {
    int negative = end - z > 1 && z[1] == '-';
    z += end - z > 1 && (z[1] == '-' || z[1] == '+') ? 2 : 1;
    if (z == end) return 0;
    for (; z < end && isDigit(*z); z++)
      exponent = exponent < 100000 ? exponent * 10 + (*z - '0') : exponent;
    if (negative) exponent = -exponent;
  }
  if (z != end) return 0;
  (void)snprintf(text + used, sizeof(text) - (size_t)used, "e%ld", exponent - fraction);
  *r = strtod(text, NULL);
  return 1;
}

int ts_whole_number(double r, long long *i) {
  if (!(r >= -(double)TURNSTILE_MAX_INTEGER && r <= (double)TURNSTILE_MAX_INTEGER)) return 0;
  *i = (long long)r;
  return (double)*i == r;
}
