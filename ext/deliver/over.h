/*
** over.h - answers to what a session asks no more.
*/
#ifndef TS_OVER_H
#define TS_OVER_H

#include "deliver.h"

/* An answer may say to what it is one: by opened_at of a choice, asked_at of a question (NULL or not
** given: it says nothing). When that is not asked any more, the decision is made: rejected, with what is
** asked now; or duplicate, when this answer has been taken before. Nothing is changed. Returns 1 then.
** answer: as it was given. */
int ts_asked_refuses(Delivery *d, const Arg *openedAt, const Arg *askedAt, Text answer);

#endif
