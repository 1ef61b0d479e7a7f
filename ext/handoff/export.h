/*
** export.h - a session in the file, as a document.
*/
#ifndef TS_EXPORT_H
#define TS_EXPORT_H

#include "document.h"
#include "session.h"

/* Reads a session. */
void ts_doc_load(Cmd *c, const Session *s, Doc *d);

extern const CommandSpec ts_session_export;

#endif
