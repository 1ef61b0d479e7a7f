/*
** route.h - finds the session of a message: session_route, resolve_session, session_alias.
*/
#ifndef TS_ROUTE_H
#define TS_ROUTE_H

#include "policy.h"

typedef struct Route {
  PolicyChoice choice;
  Text key;        /* the policy's, with the persona where that has a session of its own */
  Text label;      /* the session that has the key; the key itself before that exists */
  const char *via; /* session, alias, merge, new */
} Route;

/* Reads an envelope, a JSON object, and finds out who the principal is. */
void ts_envelope_read(Cmd *c, Text json, Envelope *e);

void ts_route(Cmd *c, const Envelope *e, int explain, Route *route);

/* The session that has a label, or that an alias leads to; {NULL,0}: not found. persona may be
** NULL. */
Text ts_label_find(Cmd *c, Text label, Text *persona);

/* May a session be used for a persona? A session without a persona serves all. */
int ts_personas_agree(Text a, Text b);

extern const CommandSpec ts_session_route;
extern const CommandSpec ts_resolve_session;
extern const CommandSpec ts_session_alias;

#endif
