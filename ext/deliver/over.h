/*
** over.h - answers to closed questions and choices.
*/
#ifndef TS_OVER_H
#define TS_OVER_H

#include "deliver.h"

/* An answer may name its choice by opened_at, or its question by asked_at (NULL or not given: it
** names nothing). If that is closed, the answer is rejected, with what is asked now, or it is a
** duplicate, if the same answer was already taken. Nothing is changed, and 1 is returned. answer:
** as it was given. */
int ts_asked_refuses(Delivery *d, const Arg *openedAt, const Arg *askedAt, Text answer);

#endif
