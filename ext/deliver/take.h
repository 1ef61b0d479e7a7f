/*
** take.h - taking inputs that wait.
*/
#ifndef TS_TAKE_H
#define TS_TAKE_H

#include "queue.h"
#include "session.h"

/* Takes the inputs of the next turn: everything that was handed over, else the first of the queue.
** Their meaning is applied to the task; s is updated and saved. NULL: nothing to do. */
InputLink *ts_take_inputs(Cmd *c, Session *s);
/* The same for inputs that the host gives to a turn. */
void ts_take_given(Cmd *c, Session *s, Source source);
/* Takes what a live run can take. */
InputLink *ts_take_steering(Cmd *c, Session *s);

#endif
