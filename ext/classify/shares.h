/*
** shares.h - scores as shares. No library of mathematics is asked, since each rounds in its own way.
*/
#ifndef TS_SHARES_H
#define TS_SHARES_H

/* e to the power of x, which is not above 0. */
double ts_exp(double x);

/* Scores of the classes as shares that add up to 1. */
void ts_share_out(const double *score, double *share);

#endif
