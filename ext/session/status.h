/*
** status.h - the status of a session, and the commands that set it.
*/
#ifndef TS_STATUS_H
#define TS_STATUS_H

#include "session.h"

/* A move on the status axis, with its event; the parent of a worker is told what it would wait for in vain. Refused moves
** fail the command. */
void ts_session_move(Cmd *c, Session *s, SessionStatus to, Text reason);

/* As ts_session_load_named; fails the command when there is none. */
void ts_status_find_session(Cmd *c, Text label, Session *s);
/* What every command of the status axis ends with: the move, unless the session has the status, and its name. */
void ts_status_return(Cmd *c, Session *s, SessionStatus to, Text reason);
/* Each way back to active has a command of its own: nobody ends an error by mistake. asked: the status in words. */
void ts_status_come_back(Cmd *c, SessionStatus from, const char *asked);
/* The arguments of those: a label. */
extern const ArgSpec ts_status_label_args[1];

extern const CommandSpec ts_session_archive;
extern const CommandSpec ts_session_unarchive;
extern const CommandSpec ts_session_suspend;
extern const CommandSpec ts_session_resume;
extern const CommandSpec ts_session_fail;
extern const CommandSpec ts_session_reopen;

#endif
