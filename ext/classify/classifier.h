/*
** classifier.h - the classifier as the database sees it: rules from message_rules, compiled once
** per connection and file; the SQL functions around it.
*/
#ifndef TS_CLASSIFIER_H
#define TS_CLASSIFIER_H

#include "classify.h"
#include "core.h"

int ts_classifier_register(Conn *conn);       /* turnstile_classifier */
int ts_rule_check_register(Conn *conn);       /* turnstile_rule_check */
int ts_classification_register(Conn *conn);   /* classification_prompt, classification_parse */
int ts_classify_message_register(Conn *conn); /* classify_message */
int ts_classify_register(Conn *conn);         /* classify */

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

/* Reads the four arguments of a function that only classifies: message, state, task, question. */
void ts_classify_input(Cmd *c, int argc, sqlite3_value **argv, ClassifyInput *in);

/* Classifies for such a function: what was left out is an error. It knows of no session, and whoever is mentioned in
** front is meant. */
void ts_classifier_say(Cmd *c, const ClassifyInput *in, ClassifyResult *result);

/* Is the message nothing but an affirmation? */
int ts_classifier_affirms(Cmd *c, Text message, const char **note);

#endif
