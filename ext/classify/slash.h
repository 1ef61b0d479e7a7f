/*
** slash.h - slash words, "/stop", "/model gpt", and what a user's message says beside an address and such a word.
*/
#ifndef TS_SLASH_H
#define TS_SLASH_H

#include "address.h"
#include "core.h"

/* A slash word at the beginning, "/model gpt", "/help@my_bot". */
typedef struct Slash {
  Text word; /* without its slash, as it was typed */
  Text rest; /* what stands behind it */
  int isFor; /* this session: "/stop@bob" may be for somebody else */
} Slash;

/* "/word", also addressed as "/word@bot", at the beginning: "/usr/bin" and "/a.txt" are paths. 0: there is none. names:
** to which the session answers; NULL: none are set. */
int ts_slash_read(Text said, Text names, Slash *slash);

/* The same of a message of which it is known to whom it is said. Said to somebody else it is none. */
int ts_slash_beside(const Address *a, Text names, Slash *slash);

int ts_slash_is_stop(Text word);
int ts_slash_is_compact(Text word);

/* Does a question name it, "/approve or /reject"? Then it is an answer. */
int ts_slash_named(const Slash *slash, Text question);

/* The words by which a user's message is understood: "@helper go on" is "go on", and "/cancel" is "stop". A piece of
** the message, or in the command's memory. */
Text ts_slash_understood(Cmd *c, Text message, Text names);

#endif
