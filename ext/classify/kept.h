/*
** kept.h - what sounds like giving up, and gives nothing up: a complaint ("too expensive"), something that is left out of
** several ("forget that one"), another wish ("I changed my mind, blue"), a story ("the lease was cancelled in 2021 and
** renewed"), and words that stop as a subject ("stop and cancel need tests").
*/
#ifndef TS_KEPT_H
#define TS_KEPT_H

#include "rules.h"
#include "shape.h"

int ts_gives_nothing_up(const Shape *s, const ClauseUnits *clauses);

/* "Never mind, none": is the second of two clauses an answer? */
int ts_answers_none(const Shape *s);

#endif
