/*
** said.h - the words by which a message is understood: without the address in front of it, and with the slash
** words that every chat knows.
*/
#ifndef TS_SAID_H
#define TS_SAID_H

#include "queue.h"
#include "slash.h"

/* The slash word of a user's message, or 0. */
int ts_said_slash(const Inbound *in, Slash *slash);

/* What may be said to somebody who is no session, "Bob: stop": what stands beside the name; {NULL,0}: nothing. The
** name is in no known word, nor in the texts of what is asked and done. */
Text ts_said_beside(const Inbound *in, Text question, Text task);

/* Is it nothing but a call, "@alma", "Alma?"? To a question somebody's mention is an answer, but not the session's own
** name. */
int ts_said_is_call(const Inbound *in, int answers);

/* "/compact" alone or with a focus behind it: a command, whoever gives it, which means nothing for the
** task and never reaches the model. */
int ts_asks_compact(const Inbound *in, Text *focus);
int ts_is_compact(const Inbound *in);
/* Where an input is shown that asks for it: action and focus. */
void ts_asks_put(Json *j, const Inbound *in);
/* A user's slash word that is not known here, "/model", or what is said to somebody else, "@bob stop": it opens no
** choice, starts nothing and is no answer. */
int ts_is_command(const Inbound *in);
/* The words by which a message is understood: "@helper go on" is "go on", and "/cancel" is "stop". */
Text ts_said(Cmd *c, const Inbound *in);

#endif
