/*
** commands.c - the list of all commands. Each is defined, with its arguments, in the file of its
** subject.
*/
#include "config.h"
#include "core.h"
#include "deliver.h"
#include "recover.h"
#include "runs.h"
#include "sweep.h"
#include "work.h"

const CommandSpec *const ts_commands[] = {
    &ts_session_deliver,
    &ts_session_choose,
    &ts_session_start,
    &ts_session_transition,
    &ts_session_state,
    &ts_session_note,
    &ts_session_observe,
    &ts_session_relate,
    &ts_session_flush,
    &ts_session_compact,
    &ts_session_recover,
    &ts_session_progress,
    &ts_session_run,
    &ts_session_sweep,
    &ts_turnstile_startup,
    &ts_turnstile_config,
    NULL,
};
