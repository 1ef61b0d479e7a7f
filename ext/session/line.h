/*
** line.h - a session's inputs in line: which a turn would take, and which a live run could take.
*/
#ifndef TS_LINE_H
#define TS_LINE_H

#include "queue.h"
#include "session.h"

/* The first inputs in line: one, all that interrupt, or all that are collected. NULL: nothing is in
** line, or it must be taken later, at *due. */
InputLink *ts_line_first(Cmd *c, const Session *s, sqlite3_int64 *due);

/* When a turn can take the next input: now or earlier, at once; 0: none waits. */
sqlite3_int64 ts_line_due(Cmd *c, const Session *s);

/* Does it wait in a mode that a live run can take? */
int ts_input_is_for_run(const Inbound *in);

/* Does a user's message that interrupted the work still wait? taken: inputs taken now do not count. */
int ts_line_interrupts(Cmd *c, const Session *s, const InputLink *taken);

#endif
