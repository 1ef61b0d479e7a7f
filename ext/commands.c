/*
** commands.c - the list of all commands. Each is defined, with its arguments, in the file of its
** subject.
*/
#include "commands.h"

#include "ancestor.h"
#include "begin.h"
#include "compact.h"
#include "config.h"
#include "context.h"
#include "correct.h"
#include "delete.h"
#include "deliver.h"
#include "export.h"
#include "fork.h"
#include "rewind.h"
#include "identity.h"
#include "import.h"
#include "queue_commands.h"
#include "delivery_classify.h"
#include "progress.h"
#include "recover.h"
#include "route.h"
#include "run.h"
#include "session_diagram.h"
#include "spawn.h"
#include "status.h"
#include "sweep.h"
#include "turn_commands.h"
#include "task_commands.h"

/* clang-format off */
const CommandSpec *const ts_commands[] = {
    &ts_session_deliver,
    &ts_session_choose,
    &ts_delivery_classify,
    &ts_delivery_correct,
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
    &ts_turn_append,
    &ts_turn_begin,
    &ts_turn_message,
    &ts_turn_tool_call,
    &ts_turn_tool_result,
    &ts_turn_phase,
    &ts_turn_heartbeat,
    &ts_turn_steering,
    &ts_turn_complete,
    &ts_turn_fail,
    &ts_turn_abort,
    &ts_turn_compact,
    &ts_turn_compact_begin,
    &ts_turn_ancestor,
    &ts_turn_common_ancestor,
    &ts_turn_is_ancestor,
    &ts_session_fork,
    &ts_session_rewind,
    &ts_session_usage,
    &ts_session_needs_compaction,
    &ts_session_spawn,
    &ts_session_report,
    &ts_session_stop,
    &ts_session_delete,
    &ts_session_export,
    &ts_session_import,
    &ts_queue_push,
    &ts_queue_cancel,
    &ts_queue_retry,
    &ts_queue_front,
    &ts_session_route,
    &ts_resolve_session,
    &ts_session_alias,
    &ts_identity_link,
    &ts_identity_unlink,
    &ts_session_archive,
    &ts_session_unarchive,
    &ts_session_suspend,
    &ts_session_resume,
    &ts_session_fail,
    &ts_session_reopen,
    &ts_session_sweep,
    &ts_session_diagram,
    &ts_turnstile_startup,
    &ts_turnstile_config,
    NULL,
};
/* clang-format on */
