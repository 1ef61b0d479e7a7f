/*
** strict.h - is a text JSON as RFC 8259 has it?
**
** SQLite from 3.42 on reads JSON5 as well: NaN becomes null there, 0x10 16, [1,] [1]. What a command
** takes must not depend on the version, so every JSON text that comes in is looked at here before
** SQLite reads it. This is no parser: it goes over the pieces and refuses those that only JSON5 has, and
** what is nested deeper than every version reads. Whether the pieces fit together SQLite says.
*/
#ifndef TS_STRICT_H
#define TS_STRICT_H

/* Levels of a value that is kept, in a result or in an event, inside of other JSON. What comes in as a
** whole may have TURNSTILE_MAX_JSON_DEPTH of them. */
#define TS_VALUE_DEPTH 900

typedef enum JsonForm {
  JSON_PLAIN, /* nothing in it that one version reads and another doesn't */
  JSON_OTHER, /* something that is no JSON */
  JSON_DEEP   /* more levels than maxDepth */
} JsonForm;

/* Looks at n bytes of UTF-8. *odd becomes the byte at which the first escape stands that is no
** character, \u0000 or half of a surrogate pair; -1: there is none. */
JsonForm ts_json_form(const char *z, int n, int maxDepth, int *odd);

/* Every such escape from that byte on becomes the escape of the replacement character, \ufffd:
** SQLite would end the text at the one, and make of the other what is not UTF-8. */
void ts_json_mend(char *z, int n, int odd);

#endif
