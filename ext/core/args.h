/*
** args.h - a command's arguments: from SQL values or from JSON into c->arg, checked.
*/
#ifndef TS_ARGS_H
#define TS_ARGS_H

#include "core.h"

/* From a sugar call: positional values, the last of which may be the options. */
void ts_args_from_values(Cmd *c, sqlite3_value **values, int n);

/* From the door: a JSON array (positional) or a JSON object (by name). args == NULL: none. */
void ts_args_from_json(Cmd *c, sqlite3_value *args);

/* After either: are the required ones there? */
void ts_args_check(Cmd *c);

/* The option request_id, or {NULL,0}. */
Text ts_args_request_id(const Cmd *c);

/* A digest of the arguments without now and request_id. It is the same whichever way they came. */
Text ts_args_digest(Cmd *c);

/* json_each or json() has read a text that is not JSON. Clears the error, so that the library can
** write its own. */
int ts_json_malformed(Cmd *c);

/* Any text as JSON: JSON stays JSON, without spaces; other text becomes a JSON string. */
Text ts_json_data(Cmd *c, Text t);

/* The type of a text that is JSON, and the text without spaces. {NULL,0}: it is not JSON, or nested
** deeper than maxDepth, or the command has failed; the text is left as it is. */
Text ts_json_minify(Cmd *c, Text *json, int maxDepth);

/* Fails the command when a time is in seconds or microseconds: times are Unix milliseconds. */
void ts_time_want(Cmd *c, const char *name, sqlite3_int64 at);

/* The number of a text in a list of words, from 0. Fails the command and returns -1 when it is not among them; name:
** the argument's, for the error. */
int ts_arg_word(Cmd *c, const char *name, Text t, const char *const *words, int nWords);

#endif
