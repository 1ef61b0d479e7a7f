/*
** shares.c - scores as shares, with the same bits on every machine. See shares.h.
*/
#include "shares.h"

#include "learnt.h"

#include <string.h>

static const double expTerms[] = {1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0};

/* Each step is a statement of its own, so that no compiler joins two into one with another rounding. */
double ts_exp(double x) {
  double y = x / 1024, p = 1.0 / 720;
  if (x < -600) return 0;
  for (size_t i = 0; i < sizeof(expTerms) / sizeof(expTerms[0]); i++) {
    p = p * y;
    p = p + expTerms[i];
  }
  for (int i = 0; i < 10; i++)
    p = p * p;
  return p;
}

#define LANES 8 /* numbers that are worked on side by side */
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

/* The same as ts_exp for each of some numbers, in as many steps as for one. */
static void expEach(const double x[LANES], double out[LANES]) {
  Lanes y, p = {0};
  memcpy(&y, x, sizeof(y));
  y = y / 1024;
  p = p + 1.0 / 720;
  for (size_t i = 0; i < sizeof(expTerms) / sizeof(expTerms[0]); i++) {
    p = p * y;
    p = p + expTerms[i];
  }
  for (int i = 0; i < 10; i++)
    p = p * p;
  memcpy(out, &p, sizeof(p));
  for (int k = 0; k < LANES; k++)
    if (x[k] < -600) out[k] = 0;
}

void ts_share_out(const double *score, double *share) {
  double top = score[0], sum = 0, apart[LANES] = {0}, power[LANES];
  for (int i = 1; i < CLASS_COUNT; i++)
    if (score[i] > top) top = score[i];
  for (int i = 0; i < CLASS_COUNT; i++) {
    apart[i] = score[i] - top;
    apart[i] = apart[i] * 1000;
    apart[i] = apart[i] / ts_word_scale;
  }
  expEach(apart, power);
  for (int i = 0; i < CLASS_COUNT; i++) {
    share[i] = power[i];
    sum = sum + share[i];
  }
  for (int i = 0; i < CLASS_COUNT; i++)
    share[i] /= sum;
}
