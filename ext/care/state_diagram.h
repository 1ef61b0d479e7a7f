/*
** state_diagram.h - pictures of the state machines.
*/
#ifndef TS_STATE_DIAGRAM_H
#define TS_STATE_DIAGRAM_H

#include "core.h"
#include "states.h"

typedef enum DiagramFormat { DIAGRAM_MERMAID, DIAGRAM_DOT, DIAGRAM_TEXT } DiagramFormat;

/* Appends the picture of one machine, or of all four (only == NULL). Pure. */
void ts_diagram(sqlite3_str *out, const Machine *only, DiagramFormat format);

int ts_diagram_register(Conn *conn);

#endif
