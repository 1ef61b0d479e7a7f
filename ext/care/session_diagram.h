/*
** session_diagram.h - session_diagram(): a session as a picture.
*/
#ifndef TS_SESSION_DIAGRAM_H
#define TS_SESSION_DIAGRAM_H

#include "core.h"

extern const CommandSpec ts_session_diagram;

#endif
