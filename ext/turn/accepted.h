/*
** accepted.h - tool calls in a context, as the strictest provider takes them.
*/
#ifndef TS_ACCEPTED_H
#define TS_ACCEPTED_H

#include "id_map.h"

#define TS_MAX_CALL_ID 40
#define TS_MAX_TOOL_NAME 64

/* The ids of the calls that a context has shown. Zeroed: none. */
typedef struct CallIds {
  IdMap shown; /* their hashes */
  IdMap
      changed; /* places of calls that are shown under another id than the recorded one: how, + 1 */
} CallIds;

/* A call is shown now, for the first time: decides under which id. */
void ts_call_id_show(Cmd *c, CallIds *ids, sqlite3_int64 place, Text id);

/* The id under which a call is shown: the recorded one, or what is written into the buffer. */
Text ts_call_id_shown(const CallIds *ids, sqlite3_int64 place, Text id,
                      char buffer[TS_MAX_CALL_ID + 1]);

/* The name under which a tool is shown: the recorded one, or what is written into the buffer. */
Text ts_tool_name_shown(Text name, char buffer[TS_MAX_TOOL_NAME + 1]);

/* Are parameters JSON that is no object? *empty becomes 1 when they say nothing. */
int ts_params_are_bare(Text params, int *empty);

#endif
