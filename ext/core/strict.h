/*
** strict.h - is a text JSON as RFC 8259 has it?
**
** SQLite from 3.42 on also reads JSON5: there NaN becomes null, 0x10 becomes 16, and [1,] becomes [1]. What a command
** accepts must not depend on the version, so every JSON text that comes in is checked here before SQLite reads it.
** This is not a parser. It goes over the pieces and refuses those that only JSON5 has, and what is nested deeper than
** every version reads. SQLite says whether the pieces fit together.
*/
#ifndef TS_STRICT_H
#define TS_STRICT_H

/* Levels of a value that is kept inside other JSON, in a result or in an event. JSON that comes in as a whole may
** have TURNSTILE_MAX_JSON_DEPTH of them. */
#define TS_VALUE_DEPTH 900

typedef enum JsonForm {
  JSON_PLAIN, /* nothing in it that only some versions read */
  JSON_OTHER, /* something that is not JSON */
  JSON_DEEP   /* more levels than maxDepth */
} JsonForm;

/* Looks at n bytes of UTF-8. *odd becomes the place of the first escape that stands for no character, \u0000 or
** half of a surrogate pair; -1: there is none. */
JsonForm ts_json_form(const char *z, int n, int maxDepth, int *odd);

/* From that byte on, every such escape becomes the escape of the replacement character, \ufffd: SQLite would end the
** text at \u0000, and would make half of a surrogate pair into what is not UTF-8. */
void ts_json_mend(char *z, int n, int odd);

#endif
