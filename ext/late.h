/*
** late.h - the result of a tool call whose turn has ended.
*/
#ifndef TS_LATE_H
#define TS_LATE_H

#include "turn.h"

/* The result of a call that an ended turn has made; returns what turn_tool_result does. */
void ts_late_result(Cmd *c, const Turn *t, sqlite3_int64 token, Text id, Text result, int isError);

#endif
