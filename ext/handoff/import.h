/*
** import.h - session_import(): makes a session from a document.
*/
#ifndef TS_IMPORT_H
#define TS_IMPORT_H

#include "core.h"

extern const CommandSpec ts_session_import;

#endif
