/*
** import.h - session_import(): a document becomes a session.
*/
#ifndef TS_IMPORT_H
#define TS_IMPORT_H

#include "core.h"

extern const CommandSpec ts_session_import;

#endif
