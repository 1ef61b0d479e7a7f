/*
** classify_functions.h - the classifier as the database sees it: rules from message_rules, compiled once
** per connection and file; the SQL functions around it.
*/
#ifndef TS_CLASSIFY_FUNCTIONS_H
#define TS_CLASSIFY_FUNCTIONS_H

#include "classify.h"
#include "core.h"

/* Registers classify_message, classify, classification_prompt, classification_parse and
** turnstile_rule_check. */
int ts_classifier_register(Conn *conn);

/* Classifies for the session that a command works on. Asks the host's function when one is set
** (turnstile_classifier), else the rules; with a floor above 0 the rules first, and the function when what
** they say is less likely. Fails the command on an error of the function; a rule that cannot be used is left
** out, and *note then says so (in the command's memory, else NULL). */
void ts_classifier_run(Cmd *c, Text label, const ClassifyInput *in, double floor,
                       ClassifyResult *result, const char **note);

/* Fills a new set with the rows of a statement that is like rules_load, and finishes it; ends the query. A row that
** can't be used fails the command. */
struct RuleSet;
void ts_classifier_fill(Cmd *c, Query *q, struct RuleSet *rules);

#define TS_RULES_LOOKED_AT 20000 /* rows of message_rules, enabled or not */

/* Is the message nothing but an affirmation? */
int ts_classifier_affirms(Cmd *c, Text message, const char **note);

#endif
