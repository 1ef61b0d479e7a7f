/*
** stale.c - stale_sessions: sessions that have been idle too long, and what is due.
**
**   SELECT label, task, band, action FROM stale_sessions;
**   SELECT * FROM stale_sessions(NULL, '1h');                -- asking after one hour instead
**   SELECT band FROM stale_sessions WHERE label = 'main' AND include_fresh = 1;
**
** Columns: label, state, task, idle_ms, band (fresh | ask | auto_compact | archive), action (what
** is due: prompt | compact | archive). Hidden columns are arguments: now, ask_threshold,
** auto_compact_threshold, archive_after, include_fresh. A threshold given as an argument applies to
** all sessions; otherwise each session's own setting applies.
**
** A session with an open task goes from fresh through ask and auto_compact to archive. A session
** without a task goes from fresh to archive, and not while it has an open choice or waiting inputs.
** A session with a live run is never stale. The user's last activity decides every band except
** archive; anybody's last activity decides archive. The rows come from two partial indexes by age,
** so the cost grows with the rows returned; include_fresh reads every session.
*/
#include "stale.h"

#include "args.h"
#include "config.h"
#include "table.h"
#include "duration.h"
#include "text.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

StaleBand ts_stale_band(sqlite3_int64 idle, sqlite3_int64 unused, int hasTask, sqlite3_int64 ask,
                        sqlite3_int64 autoCompact, sqlite3_int64 archiveAfter) {
  if (unused > archiveAfter && (!hasTask || idle > autoCompact)) return BAND_ARCHIVE;
  if (hasTask && idle > autoCompact) return BAND_AUTO_COMPACT;
  if (hasTask && idle > ask) return BAND_ASK;
  return BAND_FRESH;
}

int ts_stale_goes_on(Text state) {
  return !TS_TEXT_IN(state, LIST_TASK_OVER);
}

static const char *const bandNames[] = {"fresh", "ask", "auto_compact", "archive"};
static const char *const bandActions[] = {NULL, "prompt", "compact", "archive"};

#define STALE_COLUMN_LABEL 0
#define STALE_COLUMN_STATE 1
#define STALE_COLUMN_TASK 2
#define STALE_COLUMN_IDLE_MS 3
#define STALE_COLUMN_BAND 4
#define STALE_COLUMN_ACTION 5
#define STALE_COLUMN_NOW 6
#define STALE_COLUMN_ASK 7
#define STALE_COLUMN_AUTO_COMPACT 8
#define STALE_COLUMN_ARCHIVE 9
#define STALE_COLUMN_FRESH 10

static const char declaration[] =
    "CREATE TABLE x(label TEXT, state TEXT, task TEXT, idle_ms INTEGER, band TEXT, action TEXT, "
    "now HIDDEN, ask_threshold HIDDEN, auto_compact_threshold HIDDEN, archive_after HIDDEN, "
    "include_fresh HIDDEN)";

/*
** idxNum: one bit per argument that is given, in the order in which xFilter gets them.
**
**   bit 0  label = ?            bit 3  auto_compact_threshold = ?
**   bit 1  now = ?              bit 4  archive_after = ?
**   bit 2  ask_threshold = ?    bit 5  include_fresh = ?
*/
static const int idxColumns[] = {STALE_COLUMN_LABEL,   STALE_COLUMN_NOW,
                                 STALE_COLUMN_ASK,     STALE_COLUMN_AUTO_COMPACT,
                                 STALE_COLUMN_ARCHIVE, STALE_COLUMN_FRESH};
#define IDX_COUNT 6

typedef struct StaleCursor {
  TableCursor base;
  int open; /* cmd and query are in use */
  int includeFresh;
  sqlite3_int64 args[3]; /* the thresholds in force where no session has its own */
  Cmd cmd;
  Query query;
} StaleCursor;

TS_TABLE_CONNECT(stale, declaration)

static int staleBestIndex(sqlite3_vtab *base, sqlite3_index_info *info) {
  int rc = ts_table_arguments(info, idxColumns, IDX_COUNT, 1);
  (void)base;
  info->estimatedCost = info->idxNum & 1 ? 10 : 10000;
  info->estimatedRows = info->idxNum & 1 ? 1 : 1000;
  return rc;
}

static void staleReset(StaleCursor *cur) {
  if (!cur->open) return;
  ts_end(&cur->cmd, &cur->query);
  ts_cmd_clear(&cur->cmd);
  cur->open = 0;
}

TS_TABLE_CURSOR(stale, StaleCursor)

static StaleBand bandOf(const StaleCursor *cur) {
  sqlite3_stmt *row = cur->query.stmt;
  int hasTask = sqlite3_column_int(row, COL_STALE_HAS_TASK) &&
                ts_stale_goes_on(ts_col_view(&cur->query, COL_STALE_STATE));
  return ts_stale_band(sqlite3_column_int64(row, COL_STALE_IDLE),
                       sqlite3_column_int64(row, COL_STALE_UNUSED), hasTask,
                       sqlite3_column_int64(row, COL_STALE_ASK),
                       sqlite3_column_int64(row, COL_STALE_AUTO_COMPACT),
                       sqlite3_column_int64(row, COL_STALE_ARCHIVE_AFTER));
}

static int staleNext(sqlite3_vtab_cursor *base) {
  StaleCursor *cur = (StaleCursor *)base;
  do {
    cur->base.eof = !ts_row(&cur->cmd, &cur->query);
  } while (!cur->base.eof && !cur->includeFresh && bandOf(cur) == BAND_FRESH);
  cur->base.rowid++;
  return ts_table_error(base, &cur->cmd);
}

/* A duration argument: ms or text. */
static sqlite3_int64 durationArg(Cmd *c, const char *name, sqlite3_value *v) {
  int64_t ms = 0;
  int ok = 0;
  if (sqlite3_value_type(v) == SQLITE_INTEGER) {
    ms = sqlite3_value_int64(v);
    ok = ms >= 0 && ms <= TURNSTILE_MAX_INTEGER;
  } else if (sqlite3_value_type(v) == SQLITE_TEXT) {
    const char *z = (const char *)sqlite3_value_text(v);
    ok = z && ts_duration_parse(z, sqlite3_value_bytes(v), &ms);
  }
  if (!ok) {
    ts_fail(c, SQLITE_ERROR,
            "%s must be a duration such as 90s, 24h or 7 days, or milliseconds from 0 to 2^53 - 1",
            name);
  }
  return ms;
}

static int staleFilter(sqlite3_vtab_cursor *base, int idxNum, const char *idxStr, int argc,
                       sqlite3_value **argv) {
  static const ConfigKey keys[3] = {CONFIG_ASK_THRESHOLD, CONFIG_AUTO_COMPACT_THRESHOLD,
                                    CONFIG_ARCHIVE_AFTER};
  StaleCursor *cur = (StaleCursor *)base;
  Conn *conn = ((Table *)base->pVtab)->conn;
  Cmd *c = &cur->cmd;
  Text all = {NULL, 0}, label = {NULL, 0};
  const char *names[3];
  sqlite3_value *values[IDX_COUNT];
  int statement;
  (void)idxStr;
  ts_table_values(idxNum, argc, argv, values, IDX_COUNT);
  staleReset(cur);
  ts_cmd_init(c, conn, ts_target_used(conn), "stale_sessions");
  memset(&cur->query, 0, sizeof(cur->query));
  cur->open = 1;
  cur->base.rowid = 0;
  if (values[1] && sqlite3_value_type(values[1]) != SQLITE_NULL) {
    if (sqlite3_value_type(values[1]) != SQLITE_INTEGER || sqlite3_value_int64(values[1]) < 0 ||
        sqlite3_value_int64(values[1]) > TURNSTILE_MAX_INTEGER) {
      ts_fail(c, SQLITE_ERROR, "now must be an integer from 0 to 2^53 - 1, Unix milliseconds");
    }
    c->now = sqlite3_value_int64(values[1]);
    ts_time_want(c, "now", c->now);
  }
  for (int i = 0; i < 3; i++) {
    sqlite3_value *v = values[2 + i];
    names[i] = ts_config_name(keys[i]);
    if (v && sqlite3_value_type(v) != SQLITE_NULL) {
      cur->args[i] = durationArg(c, names[i], v);
      names[i] = NULL;
    } else {
      cur->args[i] = ts_config_int(c, all, keys[i]);
    }
  }
  cur->includeFresh = values[5] && sqlite3_value_int(values[5]) != 0;
  if (values[0]) {
    label.z = (const char *)sqlite3_value_text(values[0]);
    label.n = sqlite3_value_bytes(values[0]);
    label = ts_copy(c, label.z, label.n);
  }
  if (label.z || values[0]) {
    statement = SQL_STALE_ONE;
  } else {
    statement = cur->includeFresh ? SQL_STALE_ALL : SQL_STALE;
  }
  /* The user is asked before the task is saved, unless the first threshold is the larger one. */
  cur->query = ts_query(c, statement, statement == SQL_STALE_ONE ? "iiiissst" : "iiiisss", c->now,
                        cur->args[0] < cur->args[1] ? cur->args[0] : cur->args[1], cur->args[1],
                        cur->args[2], names[0], names[1], names[2], &label);
  return staleNext(base);
}

static int staleColumn(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  StaleCursor *cur = (StaleCursor *)base;
  sqlite3_stmt *row = cur->query.stmt;
  switch (i) {
  case STALE_COLUMN_LABEL:
  case STALE_COLUMN_STATE:
  case STALE_COLUMN_TASK:
  case STALE_COLUMN_IDLE_MS: sqlite3_result_value(ctx, sqlite3_column_value(row, i)); break;
  case STALE_COLUMN_BAND:
    sqlite3_result_text(ctx, bandNames[bandOf(cur)], -1, SQLITE_STATIC);
    break;
  case STALE_COLUMN_ACTION:
    sqlite3_result_text(ctx, bandActions[bandOf(cur)], -1, SQLITE_STATIC);
    break;
  case STALE_COLUMN_NOW: sqlite3_result_int64(ctx, cur->cmd.now); break;
  case STALE_COLUMN_ASK:
  case STALE_COLUMN_AUTO_COMPACT:
  case STALE_COLUMN_ARCHIVE:
    sqlite3_result_int64(ctx, sqlite3_column_int64(row, COL_STALE_ASK + i - STALE_COLUMN_ASK));
    break;
  case STALE_COLUMN_FRESH: sqlite3_result_int(ctx, cur->includeFresh); break;
  }
  return SQLITE_OK;
}

static const sqlite3_module staleModule = TS_TABLE_MODULE(stale, ts_table_disconnect, stale);

int ts_stale_register(Conn *conn) {
  return ts_module_register(conn, "stale_sessions", &staleModule);
}
