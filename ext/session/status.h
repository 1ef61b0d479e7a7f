/*
** status.h - the status of a session, and the commands that set it.
*/
#ifndef TS_STATUS_H
#define TS_STATUS_H

#include "session.h"

/* A move on the status axis, with its event; a worker's parent gets a message if it would wait in
** vain. Refused moves fail the command. */
void ts_session_move(Cmd *c, Session *s, SessionStatus to, Text reason);

/* As ts_session_load_named; fails the command when the session does not exist. */
void ts_status_find_session(Cmd *c, Text label, Session *s);
/* The end of every command of the status axis: the move, unless the session already has the status,
** and its name. */
void ts_status_return(Cmd *c, Session *s, SessionStatus to, Text reason);
/* Each way back to active has its own command, so that nobody ends an error by mistake. asked: the
** status in words. */
void ts_status_come_back(Cmd *c, SessionStatus from, const char *asked);
/* The arguments of these commands: a label. */
extern const ArgSpec ts_status_label_args[1];

extern const CommandSpec ts_session_archive;
extern const CommandSpec ts_session_unarchive;
extern const CommandSpec ts_session_suspend;
extern const CommandSpec ts_session_resume;
extern const CommandSpec ts_session_fail;
extern const CommandSpec ts_session_reopen;

#endif
