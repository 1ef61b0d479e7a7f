/*
** asked.h - what a session asks of a person: its open choice, or the question of its task.
*/
#ifndef TS_ASKED_H
#define TS_ASKED_H

#include "deliver.h"
#include "json.h"

/* Adds what is asked to a decision: kind (of the choice, or "Question"), opened_at, asked_at. */
void ts_asked_put(Json *j, Cmd *c, const Session *s);

/* An answer may say to what it is one: by opened_at of a choice, asked_at of a question (NULL or not
** given: it says nothing). When that is not asked any more, the decision is made: rejected, with what is
** asked now; or duplicate, when this answer has been taken before. Nothing is changed. Returns 1 then.
** answer: as it was given. */
int ts_asked_refuses(Delivery *d, const Arg *openedAt, const Arg *askedAt, Text answer);

/* An input that waited says to what it is an answer: is that over? One that was in a turn before has answered. */
int ts_asked_over(Cmd *c, const Session *s, const Inbound *in);

#endif
