/*
** heartbeat.c - turn_heartbeat(): a sign of life.
*/
#include "call.h"

#include "lease.h"
#include "stop_workers.h"

SQLITE_EXTENSION_INIT3

static const ArgSpec heartbeatArgs[] = {TURN_AND_TOKEN, {"lease", ARG_DURATION, 0}};

static void runHeartbeat(Cmd *c) {
  Call k;
  if (c->arg[2].given && c->arg[2].i < 1) {
    ts_fail(c, SQLITE_ERROR, "lease must be longer than 0 ms");
  }
  k.repeats = 0;
  ts_lease_renew(c, c->arg[0].i, c->arg[1].i, c->arg[2].given ? c->arg[2].i : -1, &k.s, &k.t);
  if (c->rc == SQLITE_OK) ts_workers_time_out(c, k.s.label);
  ts_call_return(c, &k, NULL, 0, NULL);
}

const CommandSpec ts_turn_heartbeat = {"turn_heartbeat", runHeartbeat, 0, TS_ARGS(2, heartbeatArgs),
                                       NULL};
