/*
** corrections.h - what was meant by messages that were taken for something else, and what that says of others.
*/
#ifndef TS_CORRECTIONS_H
#define TS_CORRECTIONS_H

#include "classify.h"
#include "core.h"

/* What a set of rules is compiled with: the corrections of a file, the newest ones. For
** ts_corrections_free. */
typedef struct Corrections Corrections;

/* NULL: there are none, or the command has failed. */
Corrections *ts_corrections_load(Cmd *c);
void ts_corrections_free(Corrections *all);

/* Adds what they say of a message to what the rules have said. in: what is said, without an address. label: the session, NULL when it is not known. */
void ts_corrections_weigh(const Corrections *all, const ClassifyInput *in, Text label,
                          ClassifyResult *result);

/* Has a session some? */
int ts_corrections_any(Cmd *c, Text label);

/* Some have come or gone, without delivery_correct: the connection looks again. */
void ts_corrections_changed(Cmd *c);

/* The names have changed to which a session answers, and with them what was said beside those. */
void ts_corrections_renamed(Cmd *c);

#endif
