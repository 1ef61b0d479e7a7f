/*
** called_off.h - inputs that are cancelled during a run.
*/
#ifndef TS_CALLED_OFF_H
#define TS_CALLED_OFF_H

#include "session.h"

/* An input was cancelled ({NULL,0}: not a user's): if it was the interruption, the run and the task
** continue as before; an interruption by others only names these. */
void ts_input_called_off(Cmd *c, Session *s, Text message);

/* A session's question may be closed: answers to it that its live run could take are cancelled, and
** the run continues as if they had not come. */
void ts_answers_called_off(Cmd *c, Session *s);

#endif
