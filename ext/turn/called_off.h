/*
** called_off.h - inputs that are called off while a run is at work.
*/
#ifndef TS_CALLED_OFF_H
#define TS_CALLED_OFF_H

#include "session.h"

/* An input was called off ({NULL,0}: no user's): where it was what interrupted, the run and the task go on as before,
** and an interruption by others tells of those alone. */
void ts_input_called_off(Cmd *c, Session *s, Text message);

/* What a session asked it may ask no more: answers to that, which its live run could take, are cancelled, and the
** run goes on as if they had not come. */
void ts_answers_called_off(Cmd *c, Session *s);

#endif
