/*
** config.c - turnstile_config(): settings with types, defaults, ranges, and overrides per session.
**
**   SELECT turnstile_config('ask_threshold');                               -- 86400000
**   SELECT turnstile_config('ask_threshold', '12h');                        -- 43200000
**   SELECT turnstile_config('ask_threshold', '1h', '{"session":"main"}');   -- for one session
**   SELECT turnstile_config('ask_threshold', NULL, '{"reset":1}');          -- the default again
**
** Values are checked and stored in their final form (durations as milliseconds), so reading them is
** only a look-up. Texts shown to people are settings too, under text.KEY. Properties of the
** connection are not settings: a file must not be able to choose them (turnstile_classifier).
*/
#include "config.h"

#include "address.h"
#include "args.h"
#include "corrections.h"
#include "decide.h"
#include "session.h"
#include "duration.h"
#include "text.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

#define MAX_TEXT_VALUE 4096 /* bytes of a text.KEY */
#define DAY ((sqlite3_int64)86400000)
#define SHARE 1000 /* thousandths in all of it */

/* TYPE_SHARE: from 0 to 1, stored in thousandths. TYPE_NAME: a name of the host's, of 1 to max bytes,
** TYPE_NAMES: several of them (address.h). These two have no default. */
typedef enum ConfigType {
  TYPE_DURATION,
  TYPE_INTEGER,
  TYPE_SHARE,
  TYPE_WORD,
  TYPE_NAME,
  TYPE_NAMES
} ConfigType;

static const char *const policyWords[] = {"prompt", "switch"};
static const char *const archivedWords[] = {"reopen", "reject"};
static const char *const belowWords[] = {"guess", "prompt", "ask"};
static const char *const fullWords[] = {"reject", "drop-oldest"};
#define MODE_WORDS(preset) TYPE_WORD, preset, 0, QUEUE_MODE_COUNT, ts_queue_modes

static const struct {
  const char *name;
  ConfigType type;
  sqlite3_int64 preset; /* ms, a number, or the number of a word */
  sqlite3_int64 min, max;
  const char *const *words;
} settings[CONFIG_KEY_COUNT] = {
    [CONFIG_ASK_THRESHOLD] = {"ask_threshold", TYPE_DURATION, DAY, 0, 36525 * DAY, NULL},
    [CONFIG_AUTO_COMPACT_THRESHOLD] = {"auto_compact_threshold", TYPE_DURATION, 7 * DAY, 0,
                                       36525 * DAY, NULL},
    [CONFIG_ARCHIVE_AFTER] = {"archive_after", TYPE_DURATION, 30 * DAY, 0, 36525 * DAY, NULL},
    [CONFIG_RUN_IDLE_TIMEOUT] = {"run_idle_timeout", TYPE_DURATION, 300000, 1000, 365 * DAY, NULL},
    [CONFIG_LEASE] = {"lease", TYPE_DURATION, 300000, 1000, 365 * DAY, NULL},
    [CONFIG_REQUEST_TTL] = {"request_ttl", TYPE_DURATION, 7 * DAY, 60000, 36525 * DAY, NULL},
    [CONFIG_SWEEP_BATCH] = {"sweep_batch", TYPE_INTEGER, 500, 1, 100000, NULL},
    [CONFIG_MAX_MESSAGE_BYTES] = {"max_message_bytes", TYPE_INTEGER, TURNSTILE_MAX_MESSAGE, 1,
                                  TURNSTILE_MAX_TEXT, NULL},
    [CONFIG_COMPACTION_THRESHOLD] = {"compaction_threshold", TYPE_INTEGER, 85, 1, 100, NULL},
    [CONFIG_COMPACTION_KEEP_TOKENS] = {"compaction_keep_tokens", TYPE_INTEGER, 20000, 0, 1000000000,
                                       NULL},
    [CONFIG_NEW_TASK_POLICY] = {"new_task_policy", TYPE_WORD, POLICY_PROMPT, 0, 1, policyWords},
    [CONFIG_ON_ARCHIVED] = {"on_archived", TYPE_WORD, ON_ARCHIVED_REOPEN, 0, 1, archivedWords},
    [CONFIG_CLASSIFY_FLOOR] = {"classify_floor", TYPE_SHARE, 0, 0, SHARE, NULL},
    [CONFIG_CLASSIFY_BELOW] = {"classify_below", TYPE_WORD, BELOW_GUESS, 0, BELOW_ASK, belowWords},
    [CONFIG_QUEUE_MODE] = {"queue_mode", TYPE_WORD, MODE_QUEUE, 0, QUEUE_MODE_COUNT - 1,
                           ts_queue_modes},
    [CONFIG_QUEUE_MODE_USER] = {"queue_mode_user", MODE_WORDS(MODE_INTERRUPT)},
    [CONFIG_QUEUE_MODE_AGENT] = {"queue_mode_agent", MODE_WORDS(MODE_FOLLOWUP)},
    [CONFIG_QUEUE_MODE_TIMER] = {"queue_mode_timer", MODE_WORDS(MODE_FOLLOWUP)},
    [CONFIG_QUEUE_MODE_WEBHOOK] = {"queue_mode_webhook", MODE_WORDS(MODE_QUEUE)},
    [CONFIG_QUEUE_MODE_SYSTEM] = {"queue_mode_system", MODE_WORDS(MODE_QUEUE)},
    [CONFIG_QUEUE_CAP] = {"queue_cap", TYPE_INTEGER, 100, 1, TS_MAX_INPUTS, NULL},
    [CONFIG_QUEUE_FULL] = {"queue_full", TYPE_WORD, QUEUE_FULL_REJECT, 0, 1, fullWords},
    [CONFIG_MAX_ATTEMPTS] = {"max_attempts", TYPE_INTEGER, 3, 1, 1000, NULL},
    [CONFIG_COLLECT_DEBOUNCE] = {"collect_debounce", TYPE_DURATION, 0, 0, DAY, NULL},
    [CONFIG_COLLECT_MAX_WAIT] = {"collect_max_wait", TYPE_DURATION, 60000, 0, DAY, NULL},
    [CONFIG_RETRY_BACKOFF] = {"retry_backoff", TYPE_DURATION, 0, 0, DAY, NULL},
    [CONFIG_RETRY_BACKOFF_MAX] = {"retry_backoff_max", TYPE_DURATION, 300000, 1000, 365 * DAY,
                                  NULL},
    [CONFIG_MAX_SPAWN_DEPTH] = {"max_spawn_depth", TYPE_INTEGER, 3, 0, 100, NULL},
    [CONFIG_MAX_CHILDREN] = {"max_children", TYPE_INTEGER, 16, 0, 100000, NULL},
    [CONFIG_KEEPS_TURNS] = {"keeps_turns", TYPE_INTEGER, 1, 0, 1, NULL},
    [CONFIG_SUMMARIZATION_MODEL] = {"summarization_model", TYPE_NAME, 0, 1, TURNSTILE_MAX_NAME,
                                    NULL},
    [CONFIG_NAMES] = {"names", TYPE_NAMES, 0, 1, MAX_TEXT_VALUE, NULL},
};

struct ConfigRow {
  ConfigRow *next;
  Text key;
  Text text;
  sqlite3_int64 i;
  int isOwn; /* of the session, not of all */
};

const char *ts_config_name(ConfigKey key) {
  return settings[key].name;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* More rows than settings: some are not settings, and a stranger's file can hold any number. */
#define MAX_ROWS 256

/* A row of the file. A text longer than the limit of a setting is ignored. */
static ConfigRow *keepRow(Cmd *c, Query *q) {
  ConfigRow *row = ts_alloc(c, sizeof(*row));
  if (!row) return NULL;
  row->key = ts_col_text(c, q, COL_CONFIG_LOAD_KEY);
  row->i = ts_col_int(q, COL_CONFIG_LOAD_VALUE);
  if (ts_col_view(q, COL_CONFIG_LOAD_VALUE).n <= MAX_TEXT_VALUE)
    row->text = ts_col_text(c, q, COL_CONFIG_LOAD_VALUE);
  row->isOwn = ts_col_int(q, COL_CONFIG_LOAD_IS_OWN) != 0;
  return row;
}

/* The settings of a session and of all, unless they are too many to be kept. */
static void loadRows(Cmd *c, Text label) {
  ConfigRow **tail = &c->config;
  Query q = ts_query(c, SQL_CONFIG_LOAD, "tii", &label, (sqlite3_int64)MAX_TEXT_VALUE,
                     (sqlite3_int64)MAX_ROWS);
  int n = 0;
  *tail = NULL;
  while (ts_row(c, &q)) {
    ConfigRow *row = ++n < MAX_ROWS ? keepRow(c, &q) : NULL;
    if (!row) break;
    *tail = row;
    tail = &row->next;
  }
  ts_end(c, &q);
  c->configLabel = label;
  c->configLoaded = n < MAX_ROWS ? 1 : -1;
}

/* One setting by its name. */
static const ConfigRow *readRow(Cmd *c, Text label, const char *key) {
  ConfigRow *row = NULL;
  Query q = ts_query(c, SQL_CONFIG_GET, "tsi", &label, key, (sqlite3_int64)MAX_TEXT_VALUE);
  if (ts_row(c, &q)) row = keepRow(c, &q);
  ts_end(c, &q);
  return row;
}

static const ConfigRow *findRow(Cmd *c, Text label, const char *key) {
  Text all = {"", 0};
  if (!label.z) label = all;
  if (!c->configLoaded || !ts_text_equal(c->configLabel, label)) loadRows(c, label);
  if (c->configLoaded < 0) return readRow(c, label, key);
  for (const ConfigRow *row = c->config; row; row = row->next) {
    if (ts_text_is(row->key, key)) return row;
  }
  return NULL;
}

sqlite3_int64 ts_config_int(Cmd *c, Text label, ConfigKey key) {
  const ConfigRow *row = findRow(c, label, settings[key].name);
  if (!row || c->rc != SQLITE_OK) return settings[key].preset;
  if (settings[key].type == TYPE_WORD) {
    for (int i = 0; i <= settings[key].max; i++) {
      if (ts_text_is(row->text, settings[key].words[i])) return i;
    }
    return settings[key].preset;
  }
  /* The range also applies to a value that plain SQL wrote. */
  if (row->i < settings[key].min) return settings[key].min;
  return row->i > settings[key].max ? settings[key].max : row->i;
}

int ts_config_overrides(Cmd *c, Text label, ConfigKey key) {
  const ConfigRow *row = findRow(c, label, settings[key].name);
  return row && row->isOwn;
}

int ts_config_is_of_file(Text key) {
  return ts_text_is(key, settings[CONFIG_SWEEP_BATCH].name) ||
         ts_text_is(key, settings[CONFIG_REQUEST_TTL].name);
}

void ts_config_follow(Cmd *c, Text alias, Text label) {
  ts_exec(c, SQL_CONFIG_FOLLOW, "tt", &alias, &label);
  ts_exec(c, SQL_CONFIG_FORGET, "t", &alias);
  ts_corrections_renamed(c);
  c->configLoaded = 0;
}

/* Must a text have content? Providers refuse an empty message. */
static int mustSpeak(const char *key) {
  return strncmp(key, "context.", 8) == 0;
}

const char *ts_config_text(Cmd *c, Text label, const char *key) {
  const char *preset = ts_text_default(key);
  char name[80];
  const ConfigRow *row;
  sqlite3_snprintf(sizeof(name), name, "text.%s", key);
  row = findRow(c, label, name);
  if (row && row->text.z && !(mustSpeak(key) && ts_text_blank(row->text.z, row->text.n))) {
    return row->text.z;
  }
  return preset ? preset : "";
}

static int isName(int key, Text name) {
  if (settings[key].type == TYPE_NAMES && name.z && ts_names_problem(name.z, name.n)) return 0;
  return name.z && name.n >= settings[key].min && name.n <= settings[key].max &&
         !ts_text_blank(name.z, name.n);
}

Text ts_config_host_name(Cmd *c, Text label, ConfigKey key) {
  const ConfigRow *row = findRow(c, label, settings[key].name);
  return row && isName(key, row->text) ? row->text : (Text){NULL, 0};
}

const char *ts_config_problem(Cmd *c, Text key, sqlite3_value *value) {
  int type = sqlite3_value_type(value), k = 0;
  sqlite3_int64 i = sqlite3_value_int64(value);
  while (k < CONFIG_KEY_COUNT && !ts_text_is(key, settings[k].name))
    k++;
  if (k == CONFIG_KEY_COUNT) {
    const char *name = ts_printf(c, "%.*s", key.n, key.z ? key.z : "");
    if (name && (strncmp(name, "text.", 5) != 0 || !ts_text_default(name + 5))) {
      return "there is no such setting";
    }
    if (type != SQLITE_TEXT) return "it must be text";
    return sqlite3_value_bytes(value) > MAX_TEXT_VALUE ? "it is too long" : NULL;
  }
  if (settings[k].type == TYPE_NAME || settings[k].type == TYPE_NAMES) {
    Text name = {(const char *)sqlite3_value_text(value), sqlite3_value_bytes(value)};
    if (type == SQLITE_TEXT && isName(k, name)) return NULL;
    return settings[k].type == TYPE_NAME ? "it must be a name" : "it must be names with commas";
  }
  if (settings[k].type == TYPE_WORD) {
    Text word = {(const char *)sqlite3_value_text(value), sqlite3_value_bytes(value)};
    for (int w = 0; type == SQLITE_TEXT && word.z && w <= settings[k].max; w++) {
      if (ts_text_is(word, settings[k].words[w])) return NULL;
    }
    return "it is not one of the words of this setting";
  }
  if (type != SQLITE_INTEGER) return "it must be an integer";
  if (i >= settings[k].min && i <= settings[k].max) return NULL;
  return ts_printf(c, "it must be from %lld to %lld", settings[k].min, settings[k].max);
}

/* ---- The command ----------------------------------------------------------------------------- */

enum { SETTING_KEY, SETTING_VALUE, SETTING_SESSION, SETTING_RESET };

static const ArgSpec configArgs[] = {
    {"key", ARG_NAME, 1},
    {"value", ARG_ANY, 0},
    {"session", ARG_LABEL, 0},
    {"reset", ARG_BOOL, 0},
};

static void failKey(Cmd *c, Text key) {
  sqlite3_str *list = sqlite3_str_new(c->db);
  char *known;
  if (ts_text_is(key, "classifier_function")) {
    ts_fail(
        c, SQLITE_ERROR,
        "key 'classifier_function' is unknown: the classifier belongs to the connection; SELECT "
        "turnstile_classifier('name') sets it");
  }
  for (int i = 0; i < CONFIG_KEY_COUNT; i++)
    sqlite3_str_appendf(list, "%s, ", settings[i].name);
  sqlite3_str_appendall(list, "text.KEY");
  known = ts_adopt(c, sqlite3_str_finish(list));
  ts_fail(c, SQLITE_ERROR, "key '%s' is unknown; the keys are: %s", ts_excerpt(c, key),
          known ? known : "");
}

static int findSetting(Cmd *c, Text key) {
  for (int i = 0; i < CONFIG_KEY_COUNT; i++) {
    if (ts_text_is(key, settings[i].name)) return i;
  }
  if (key.n > 5 && memcmp(key.z, "text.", 5) == 0 && ts_text_default(key.z + 5)) {
    return CONFIG_KEY_COUNT;
  }
  failKey(c, key);
  return -1;
}

static void returnSetting(Cmd *c, int key, Text label) {
  sqlite3_int64 i;
  if (key == CONFIG_KEY_COUNT) {
    const char *text = ts_config_text(c, label, c->arg[SETTING_KEY].text.z + 5);
    ts_return_text(c, (Text){text, (int)strlen(text)});
    return;
  }
  if (settings[key].type == TYPE_NAME || settings[key].type == TYPE_NAMES) {
    ts_return_text(c, ts_config_host_name(c, label, (ConfigKey)key));
    return;
  }
  i = ts_config_int(c, label, (ConfigKey)key);
  if (settings[key].type == TYPE_WORD) {
    const char *word = settings[key].words[i];
    ts_return_text(c, (Text){word, (int)strlen(word)});
  } else if (settings[key].type == TYPE_SHARE) {
    ts_return_text(c, ts_real_text(c, (double)i / SHARE));
  } else {
    ts_return_int(c, i);
  }
}

/* "0.65" in thousandths. 0: it is not from 0 to 1, or has more digits. */
static int parseShare(Text value, int64_t *v) {
  int whole = value.n > 0 && (value.z[0] == '0' || value.z[0] == '1'), unit = SHARE, i = whole;
  *v = whole && value.z[0] == '1' ? SHARE : 0;
  if (i < value.n && value.z[i++] != '.') return 0;
  if (!whole && i >= value.n) return 0;
  for (; i < value.n; i++) {
    int digit = value.z[i] - '0';
    unit /= 10;
    if (digit < 0 || digit > 9 || (unit == 0 && digit > 0)) return 0;
    *v += (int64_t)unit * digit;
  }
  return *v <= SHARE;
}

/* The given value as a number within the setting's range, or an error. */
static sqlite3_int64 parseNumber(Cmd *c, int key, Text value) {
  int64_t v = 0;
  int ok;
  if (settings[key].type == TYPE_SHARE) {
    ok = parseShare(value, &v);
    if (!ok) {
      ts_fail(c, SQLITE_ERROR, "%s is '%s'; it must be from 0 to 1, with at most three decimals",
              settings[key].name, ts_excerpt(c, value));
    }
  } else if (settings[key].type == TYPE_DURATION) {
    ok = ts_duration_parse(value.z, value.n, &v);
    if (!ok) {
      ts_fail(c, SQLITE_ERROR,
              "%s is '%s'; it must be a duration such as 90s, 24h or 7 days, or milliseconds",
              settings[key].name, ts_excerpt(c, value));
    }
  } else {
    ok = value.n > 0 && value.n < 17;
    for (int i = 0; ok && i < value.n; i++)
      ok = value.z[i] >= '0' && value.z[i] <= '9';
    if (ok) {
      v = strtoll(value.z, NULL, 10);
    } else {
      ts_fail(c, SQLITE_ERROR, "%s is '%s'; it must be an integer from %lld to %lld",
              settings[key].name, ts_excerpt(c, value), settings[key].min, settings[key].max);
    }
  }
  if (ok && key == CONFIG_RETRY_BACKOFF && v > 0 && v < 1000 &&
      ts_duration_is_bare(value.z, value.n)) {
    ts_fail(c, SQLITE_ERROR,
            "retry_backoff is %lld ms, less than a second; for seconds write '%lld s', for "
            "milliseconds '%lld ms'",
            (sqlite3_int64)v, (sqlite3_int64)v, (sqlite3_int64)v);
  }
  if (ok && (v < settings[key].min || v > settings[key].max)) {
    ts_fail(c, SQLITE_ERROR, "%s is %lld; it must be from %lld to %lld%s", settings[key].name,
            (sqlite3_int64)v, settings[key].min, settings[key].max,
            settings[key].type == TYPE_DURATION ? " ms" : "");
  }
  return v;
}

sqlite3_int64 ts_config_parse(Cmd *c, ConfigKey key, Text value) {
  if (settings[key].type != TYPE_WORD) return parseNumber(c, (int)key, value);
  return ts_arg_word(c, settings[key].name, value, settings[key].words, (int)settings[key].max + 1);
}

int ts_config_storable(Text key, int isText, Text text, sqlite3_int64 number) {
  for (int i = 0; i < CONFIG_KEY_COUNT; i++) {
    if (!ts_text_is(key, settings[i].name)) continue;
    switch (settings[i].type) {
    case TYPE_WORD:
      for (int w = 0; isText && w <= settings[i].max; w++) {
        if (ts_text_is(text, settings[i].words[w])) return 1;
      }
      return 0;
    case TYPE_NAME:
    case TYPE_NAMES: return isText && isName(i, text);
    default: return !isText && number >= settings[i].min && number <= settings[i].max;
    }
  }
  return isText && text.n <= MAX_TEXT_VALUE && key.n > 5 && memcmp(key.z, "text.", 5) == 0 &&
         ts_text_default(key.z + 5) != NULL;
}

/* A placeholder that the key does not have would be shown to people unchanged. */
static void wantPlaceholders(Cmd *c, Text key, Text value) {
  const char *name = key.z + 5, *odd;
  char *known;
  int n;
  if (c->rc != SQLITE_OK || !(odd = ts_text_unknown(name, value.z, &n))) return;
  known = ts_adopt(c, ts_text_placeholders(name));
  ts_fail(
      c, SQLITE_ERROR,
      "value has the placeholder %s, which %s does not have; it has: %s (a brace is text when "
      "anything else than letters, digits, spaces and _ . - stands behind it, as in {\"a\": 1})",
      ts_excerpt(c, (Text){odd, n}), key.z, known ? known : "");
}

/* Names in one form: without blanks and "@" around each, and a comma and a blank between two. */
static Text tidyNames(Cmd *c, Text value) {
  const char *problem = ts_names_problem(value.z, value.n), *name;
  sqlite3_str *out;
  int at = 0, n;
  if (problem || value.n > MAX_TEXT_VALUE) {
    ts_fail(
        c, SQLITE_ERROR,
        "names is '%s', which %s; it must be 1 to 32 names with commas between them, each of 1 to "
        "64 bytes, such as 'Alma, alma_bot, U07AB'",
        ts_excerpt(c, value), problem ? problem : "is longer than 4096 bytes");
    return value;
  }
  out = sqlite3_str_new(c->db);
  while ((name = ts_names_next(value.z, value.n, &at, &n)) != NULL)
    sqlite3_str_appendf(out, "%s%.*s", sqlite3_str_length(out) ? ", " : "", n, name);
  return ts_finish(c, out);
}

/* A name with a replacement character is not anybody's name. */
static void wantWhole(Cmd *c, int key, Text value) {
  if (!strstr(value.z, TS_UTF8_REPLACEMENT)) return;
  ts_fail(c, SQLITE_ERROR,
          "%s holds U+FFFD, a NUL, half a surrogate pair or bytes that are no UTF-8; a name must "
          "be whole",
          settings[key].name);
}

static void setSetting(Cmd *c, int key, Text label, Text value) {
  Text name = c->arg[SETTING_KEY].text;
  if (key == CONFIG_KEY_COUNT) {
    if (value.n > MAX_TEXT_VALUE) {
      ts_fail(c, SQLITE_ERROR, "value is %d bytes long; at most %d are allowed", value.n,
              MAX_TEXT_VALUE);
    }
    if (mustSpeak(name.z + 5) && ts_text_blank(value.z, value.n)) {
      ts_fail(c, SQLITE_ERROR, "%s is what a model reads; it must be more than white space",
              name.z);
    }
    wantPlaceholders(c, name, value);
    ts_exec(c, SQL_CONFIG_PUT, "ttt", &name, &label, &value);
  } else if (settings[key].type == TYPE_NAME) {
    if (!isName(key, value)) {
      ts_fail(c, SQLITE_ERROR, "%s must be a name of %lld to %lld bytes, more than white space",
              settings[key].name, settings[key].min, settings[key].max);
    }
    wantWhole(c, key, value);
    ts_exec(c, SQL_CONFIG_PUT, "ttt", &name, &label, &value);
  } else if (settings[key].type == TYPE_NAMES) {
    Text names = tidyNames(c, value);
    wantWhole(c, key, value);
    ts_exec(c, SQL_CONFIG_PUT, "ttt", &name, &label, &names);
  } else {
    sqlite3_int64 v = ts_config_parse(c, (ConfigKey)key, value);
    if (settings[key].type == TYPE_WORD) {
      ts_exec(c, SQL_CONFIG_PUT, "ttt", &name, &label, &value);
    } else {
      ts_exec(c, SQL_CONFIG_PUT, "tti", &name, &label, v);
    }
  }
}

int ts_config_tell_queue(Cmd *c, Text label) {
  const ConfigRow *row;
  sqlite3_int64 keeps;
  c->configLoaded = 0;
  row = findRow(c, label, settings[CONFIG_KEEPS_TURNS].name);
  if (!row || row->isOwn || c->rc != SQLITE_OK) return 0;
  keeps = ts_config_int(c, label, CONFIG_KEEPS_TURNS);
  ts_exec(c, SQL_QUEUE_AWAITS, "ti", &label, keeps);
  return 1;
}

/* The setting keeps_turns also applies to inputs that were already handed over. */
static void tellQueue(Cmd *c, int key, Text label) {
  const char *name = settings[CONFIG_KEEPS_TURNS].name;
  sqlite3_int64 keeps;
  if (key != CONFIG_KEEPS_TURNS) return;
  c->configLoaded = 0;
  keeps = ts_config_int(c, label, CONFIG_KEEPS_TURNS);
  if (label.n) {
    ts_exec(c, SQL_QUEUE_AWAITS, "ti", &label, keeps);
  } else {
    ts_exec(c, SQL_QUEUE_AWAITS_ALL, "si", name, keeps);
  }
}

static void runConfig(Cmd *c) {
  Text label = TS_TEXT("");
  Text value = c->arg[SETTING_VALUE].text;
  int reset = c->arg[SETTING_RESET].given && c->arg[SETTING_RESET].i;
  int key = findSetting(c, c->arg[SETTING_KEY].text);
  if (key < 0) return;
  if (c->arg[SETTING_SESSION].given && ts_config_is_of_file(c->arg[SETTING_KEY].text)) {
    ts_fail(c, SQLITE_ERROR, "%s holds for the whole file; it must be set without session",
            settings[key].name);
    return;
  }
  if (c->arg[SETTING_SESSION].given) {
    /* An alias stands for its session; the session need not exist yet. */
    Session s;
    ts_session_load(c, c->arg[SETTING_SESSION].text, &s);
    label = s.label;
  }
  if (reset && value.z) {
    ts_fail(c, SQLITE_ERROR, "give either a value or reset, not both");
    return;
  }
  if (reset) {
    ts_exec(c, SQL_CONFIG_DROP, "tt", &c->arg[SETTING_KEY].text, &label);
  } else if (value.z) {
    setSetting(c, key, label, value);
  }
  if (reset || value.z) tellQueue(c, key, label);
  if ((reset || value.z) && key == CONFIG_NAMES) ts_corrections_renamed(c);
  c->configLoaded = 0;
  returnSetting(c, key, label);
}

/* Without a value, and unless a reset is asked for, nothing is written. */
static int readsConfig(const Cmd *c) {
  return !c->arg[SETTING_VALUE].given && !c->arg[SETTING_RESET].i;
}

const CommandSpec ts_turnstile_config = {"turnstile_config", runConfig, COMMAND_MAY_READ,
                                         TS_ARGS(2, configArgs), readsConfig};
