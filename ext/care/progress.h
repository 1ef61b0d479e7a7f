/*
** progress.h - session_progress().
*/
#ifndef TS_PROGRESS_H
#define TS_PROGRESS_H

#include "session.h"

extern const CommandSpec ts_session_progress;

/* The open task's newest observations, oldest first, one line each, and the number of its turns;
** {NULL,0} without an open task. */
Text ts_progress_text(Cmd *c, const Session *s);

#endif
