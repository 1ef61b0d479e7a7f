/*
** status.h - the commands of the status axis.
*/
#ifndef TS_STATUS_H
#define TS_STATUS_H

#include "core.h"

extern const CommandSpec ts_session_archive;
extern const CommandSpec ts_session_unarchive;
extern const CommandSpec ts_session_suspend;
extern const CommandSpec ts_session_resume;
extern const CommandSpec ts_session_fail;
extern const CommandSpec ts_session_reopen;

#endif
