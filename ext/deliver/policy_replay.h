/*
** policy_replay.h - the stored deliveries that other rules or settings would have decided
** differently.
*/
#ifndef TS_POLICY_REPLAY_H
#define TS_POLICY_REPLAY_H

#include "core.h"

/* Registers the table-valued function policy_replay. */
int ts_policy_replay_register(Conn *conn);

#endif
