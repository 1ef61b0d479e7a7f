/*
** text.h - the texts shown to people and stored in notes and commits.
**
** One table of key → template. Placeholders are {task}, {duration}, {question} and the like. A
** template can be replaced through the config key `text.KEY`; text.c holds the defaults.
*/
#ifndef TS_TEXT_H
#define TS_TEXT_H

#include "utf8.h"

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

/* Is there nothing but white space (of any script), control and zero-width characters? */
int ts_text_blank(const char *text, int n);

/* The first non-blank line, trimmed, cut to at most maxChars characters (with an ellipsis when
** cut, counted among them; never between a character and its accent). "" when there is none. NULs
** and bytes that are not UTF-8 become the replacement character. A string for sqlite3_free, or
** NULL when memory runs out. */
char *ts_first_line(const char *text, int n, int maxChars);

#endif
