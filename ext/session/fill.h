/*
** fill.h - texts made from templates.
*/
#ifndef TS_FILL_H
#define TS_FILL_H

#include "core.h"

#define TS_MAX_DESCRIPTION 200 /* characters of a task's description made from a message */

/* A template with up to three fields filled in. */
Text ts_fill(Cmd *c, Text label, const char *key, const char *name1, Text value1, const char *name2,
             Text value2);

/* A duration in words, in the command's memory. */
Text ts_words(Cmd *c, sqlite3_int64 ms);

/* A message's first line as a task description. */
Text ts_describe(Cmd *c, Text message, int maxCharacters);

#endif
