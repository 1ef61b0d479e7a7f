/*
** line.h - the inputs of a session that stand in line: which a turn would take, which a live run could.
*/
#ifndef TS_LINE_H
#define TS_LINE_H

#include "queue.h"
#include "session.h"

/* The inputs that stand first: one, all that interrupt, or all that are to be collected. NULL: there are
** none, or they are to be taken later, at *due. */
InputLink *ts_line_first(Cmd *c, const Session *s, sqlite3_int64 *due);

/* When a turn can take the next input: now or earlier, at once; 0: none waits. */
sqlite3_int64 ts_line_due(Cmd *c, const Session *s);

/* Does it wait in a mode in which a live run can take it? */
int ts_input_is_for_run(const Inbound *in);

/* Does a user's message still wait that interrupted the work? taken: those that are taken now do not count. */
int ts_line_interrupts(Cmd *c, const Session *s, const InputLink *taken);

#endif
