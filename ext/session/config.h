/*
** config.h - settings: one table of keys with their types, defaults and ranges.
*/
#ifndef TS_CONFIG_H
#define TS_CONFIG_H

#include "core.h"

/* The highest queue_cap: so many inputs are looked at together. */
#define TS_MAX_INPUTS 1000000

typedef enum ConfigKey {
  CONFIG_ASK_THRESHOLD,
  CONFIG_AUTO_COMPACT_THRESHOLD,
  CONFIG_ARCHIVE_AFTER,
  CONFIG_RUN_IDLE_TIMEOUT,
  CONFIG_LEASE,
  CONFIG_REQUEST_TTL,
  CONFIG_SWEEP_BATCH,
  CONFIG_MAX_MESSAGE_BYTES,
  CONFIG_COMPACTION_THRESHOLD,
  CONFIG_COMPACTION_KEEP_TOKENS,
  CONFIG_NEW_TASK_POLICY,
  CONFIG_ON_ARCHIVED,
  CONFIG_CLASSIFY_FLOOR, /* in thousandths; 0: none */
  CONFIG_CLASSIFY_BELOW,
  CONFIG_QUEUE_MODE,
  CONFIG_QUEUE_MODE_USER, /* one per source, in the order of the sources */
  CONFIG_QUEUE_MODE_AGENT,
  CONFIG_QUEUE_MODE_TIMER,
  CONFIG_QUEUE_MODE_WEBHOOK,
  CONFIG_QUEUE_MODE_SYSTEM,
  CONFIG_QUEUE_CAP,
  CONFIG_QUEUE_FULL,
  CONFIG_MAX_ATTEMPTS,
  CONFIG_COLLECT_DEBOUNCE,
  CONFIG_COLLECT_MAX_WAIT,
  CONFIG_RETRY_BACKOFF,
  CONFIG_RETRY_BACKOFF_MAX,
  CONFIG_MAX_SPAWN_DEPTH,
  CONFIG_MAX_CHILDREN,
  CONFIG_KEEPS_TURNS,
  CONFIG_SUMMARIZATION_MODEL,
  CONFIG_NAMES,
  CONFIG_KEY_COUNT
} ConfigKey;

enum { POLICY_PROMPT, POLICY_SWITCH };
enum { QUEUE_FULL_REJECT, QUEUE_FULL_DROP_OLDEST };
enum { ON_ARCHIVED_REOPEN, ON_ARCHIVED_REJECT };
/* What happens to a message whose class is below the floor: see classify_below in docs. */
enum { BELOW_GUESS, BELOW_PROMPT, BELOW_ASK };

/* The setting for a session (label.z NULL: for all). Durations in ms, words by number. The rows are
** read once per command. */
sqlite3_int64 ts_config_int(Cmd *c, Text label, ConfigKey key);

/* A setting that holds one or more names of the host; {NULL,0}: not set. */
Text ts_config_host_name(Cmd *c, Text label, ConfigKey key);

/* Does the session have its own value? */
int ts_config_overrides(Cmd *c, Text label, ConfigKey key);

/* The name under which a key is stored ("ask_threshold"). */
const char *ts_config_name(ConfigKey key);

/* Does it apply to the whole file, so that sessions have no own value? */
int ts_config_is_of_file(Text key);

/* A session was imported from another file. If this file sets keeps_turns, that also applies to
** inputs that were handed to the session: returns 1. */
int ts_config_tell_queue(Cmd *c, Text label);

/* When a name becomes an alias, its settings move to the session unless the session has its own:
** nothing looks them up under the name any more. */
void ts_config_follow(Cmd *c, Text alias, Text label);

/* Checks a given value and returns it in the form that ts_config_int reads, or fails the command. */
sqlite3_int64 ts_config_parse(Cmd *c, ConfigKey key, Text value);

/* Could turnstile_config have stored this for a session? The texts end with a NUL. */
int ts_config_storable(Text key, int isText, Text text, sqlite3_int64 number);

/* A text shown to people (text.h), as configured or by default. */
const char *ts_config_text(Cmd *c, Text label, const char *key);

/* What is wrong with a stored setting, in the command's memory; NULL: nothing. */
const char *ts_config_problem(Cmd *c, Text key, sqlite3_value *value);

extern const CommandSpec ts_turnstile_config;

#endif
