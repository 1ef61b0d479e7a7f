/*
** text.h - the texts shown to people and stored in notes and commits, and durations as words.
**
** One table of key → template. Placeholders are {task}, {duration}, {question} and the like. A
** template can be replaced through the config key `text.KEY`; text.c holds the defaults.
*/
#ifndef TS_TEXT_H
#define TS_TEXT_H

#include "utf8.h"

#include <stdint.h>

/* The default template of a key ("welcome.running"), or NULL. */
const char *ts_text_default(const char *key);

/* Key and default template number i (0 …), or NULL past the last. */
const char *ts_text_key(int i);

/* The first placeholder of a template that the key does not have, such as "{taks}", its length into *n; or
** NULL. A brace that no name and no other brace follows is text. */
const char *ts_text_unknown(const char *key, const char *tmpl, int *n);
/* Those that it has: "{task}, {duration}", or "none". A string for sqlite3_free, NULL: out of memory. */
char *ts_text_placeholders(const char *key);

typedef struct TextField {
  const char *name; /* without braces */
  const char *value;
  int n; /* bytes; -1: up to the NUL */
} TextField;

/* The template with its placeholders filled in, as a string for sqlite3_free, or NULL when
** memory runs out. An unknown placeholder stays as it is; a value is never expanded again.
** A NUL inside a value becomes the replacement character: the result ends at its only NUL. */
char *ts_text_fill(const char *tmpl, const TextField *fields, int nFields);

/* "9 days 3 hours": the two largest units of a duration in ms, never empty ("0 seconds").
** Writes at most n bytes including the NUL. */
void ts_duration_words(int64_t ms, char *out, int n);

/* A duration as given by a person: "90s", "24h", "7 days", "1h 30m", "500ms"; a bare number is
** milliseconds. Returns 1 and the value in ms, or 0 when the text is no duration or is out of the
** range 0 … 2^53-1. */
int ts_duration_parse(const char *text, int n, int64_t *ms);

/* Is a duration a number alone? */
int ts_duration_is_bare(const char *text, int n);

/* "seconds" or "microseconds" when a number that should be Unix milliseconds is a time of the years
** 2011 to 2103 in that unit; *ms is what it would be then. NULL: it may be milliseconds. (As milliseconds
** these seconds lie in January and February of 1970.) */
const char *ts_time_unit(int64_t at, int64_t *ms);

/* Is there nothing but white space (of any script), control and zero-width characters? */
int ts_text_blank(const char *text, int n);

/* The first non-blank line, trimmed, cut to at most maxChars characters (with an ellipsis when
** cut, counted among them; never between a character and its accent). "" when there is none. NULs
** and bytes that are not UTF-8 become the replacement character. A string for sqlite3_free, or
** NULL when memory runs out. */
char *ts_first_line(const char *text, int n, int maxChars);

/* Stands for what is not UTF-8. */
#endif
