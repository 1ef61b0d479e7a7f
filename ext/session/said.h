/*
** said.h - the words that give a message its meaning: without the address before it, and with the
** slash words that every chat knows.
*/
#ifndef TS_SAID_H
#define TS_SAID_H

#include "queue.h"
#include "slash.h"

/* The slash word of a user's message, or 0. */
int ts_said_slash(const Inbound *in, Slash *slash);

/* The words beside a name when a message may be said to a person, not to a session, "Bob: stop";
** {NULL,0}: it has no such name. The name is not a known word, and not in the texts of the task and
** of its question. */
Text ts_said_beside(const Inbound *in, Text question, Text task);

/* Is it only a call, "@alma", "Alma?"? Another person's mention can answer a question; the
** session's own name can't. */
int ts_said_is_call(const Inbound *in, int answers);

/* "/compact" alone or with a focus after it: a command, from any sender, which means nothing for
** the task and never reaches the model. */
int ts_asks_compact(const Inbound *in, Text *focus);
int ts_is_compact(const Inbound *in);
/* Where an input is shown that asks for it: action and focus. */
void ts_asks_put(Json *j, const Inbound *in);
/* A user's unknown slash word, "/model", or a message to somebody else, "@bob stop": it opens no
** choice, starts nothing and answers nothing. */
int ts_is_command(const Inbound *in);
/* The words that give a message its meaning: "@helper go on" is "go on", and "/cancel" is "stop". */
Text ts_said(Cmd *c, const Inbound *in);

#endif
