/*
** prompt.h - classification by a language model: the text to send, and what the reply means.
*/
#ifndef TS_PROMPT_H
#define TS_PROMPT_H

#include "classify.h"

/* Of a longer text in a prompt, the middle is left out (bytes). */
#define TS_PROMPT_TEXT_MAX 8000

/* The prompt: terminated, valid UTF-8, owned by the caller (sqlite3_free). NULL: out of memory. */
char *ts_classification_prompt(const ClassifyInput *in);

/*
** The class a reply names: by letter, by name, or as {"class": "…"}, with prose around it if need
** be. CLASS_UNKNOWN when it names none, or several.
*/
MessageClass ts_classification_parse(const char *reply, int n);

#endif
