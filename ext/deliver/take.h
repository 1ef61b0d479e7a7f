/*
** take.h - inputs that wait are taken.
*/
#ifndef TS_TAKE_H
#define TS_TAKE_H

#include "queue.h"
#include "session.h"

/* Takes the inputs of the next turn: everything that was handed over, else what stands first in the
** queue. What they mean for the task is applied; s is brought up to date and saved. NULL: there is
** nothing to do. */
InputLink *ts_take_inputs(Cmd *c, Session *s);
/* The same for inputs that the host itself gives to a turn. */
void ts_take_given(Cmd *c, Session *s, Source source);
/* Takes what a live run can take while it goes on. */
InputLink *ts_take_steering(Cmd *c, Session *s);

#endif
