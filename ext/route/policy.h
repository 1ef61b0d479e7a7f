/*
** policy.h - session_policies: from an envelope to the key of a session.
**
** An envelope says how a message came: channel, sender_id, peer_kind ("dm" when it is not given),
** peer_id, thread_id, and other fields that the policies need. The principal is the author: an
** entity when the sender is linked, else unknown. The first policy that matches both makes the key.
*/
#ifndef TS_POLICY_H
#define TS_POLICY_H

#include "core.h"

#define TS_MAX_FACTS 32 /* fields of an envelope */
#define TS_OWN_FACTS 4  /* … added by the library: peer_kind, channel, sender_id, peer_id */

typedef struct Fact {
  Text name, value;
} Fact;

typedef struct Envelope {
  Fact fact[TS_MAX_FACTS + TS_OWN_FACTS];
  int n;
  Text entity;    /* of the principal; NULL: unknown */
  Text entityKey; /* … the key of its messages, from identities */
} Envelope;

/* Why a policy was skipped. */
typedef struct PassedOver {
  Text policy, because;
} PassedOver;

#define TS_MAX_PASSED_OVER 10

typedef struct PolicyChoice {
  Text policy, key, persona;
  int namesSender; /* the key differs from sender to sender */
  int namesEntity; /* … from entity to entity */
  int asked;       /* how many policies were evaluated, with the chosen one */
  PassedOver passed[TS_MAX_PASSED_OVER];
  int nPassed;
} PolicyChoice;

/* The value of a field, or {NULL,0}. */
Text ts_envelope_get(const Envelope *e, const char *name);
/* Adds or changes a field. At most TS_MAX_FACTS fields may be given. */
void ts_envelope_set(Envelope *e, Text name, Text value);

/* Evaluates the policies. Fails the command when no policy matches, and when a template needs a
** missing value. explain: fill in `passed`. */
void ts_policy_choose(Cmd *c, const Envelope *e, int explain, PolicyChoice *choice);

/* A number as text, in which facts and conditions are compared: a whole number has only one form.
** */
Text ts_fact_number(Cmd *c, double r);

/* Is something wrong with the key_template or persona_id of a policy? *problem says what, as a string
** for sqlite3_free; NULL when memory has run out. */
int ts_policy_problem(sqlite3_value *keyTemplate, sqlite3_value *persona, char **problem);

/* What is wrong with its conditions, in the command's memory; NULL: nothing, or the command has failed. */
const char *ts_policy_match_problem(Cmd *c, Text match);

int ts_policy_register(Conn *conn);

#endif
