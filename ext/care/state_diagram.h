/*
** state_diagram.h - pictures of the state machines.
*/
#ifndef TS_STATE_DIAGRAM_H
#define TS_STATE_DIAGRAM_H

#include "core.h"

int ts_diagram_register(Conn *conn);

#endif
