/*
** progress.c - session_progress(): what was done for the open task, as text for whoever continues
** it.
**
**   SELECT session_progress('main');
*/
#include "progress.h"

#include "args.h"
#include "json.h"
#include "lease.h"
#include "task.h"
#include "tree.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define PROGRESS_LINES 20
#define PROGRESS_COUNTED 1000 /* older observations, and turns, are counted up to here */

/* An observation as one line, made of its data's usual fields. */
static Text progressLine(Cmd *c, Text kind, Text data) {
  Text line = none;
  Query q = ts_query(c, SQL_PROGRESS_LINE, "tt", &kind, &data);
  if (ts_row(c, &q)) line = ts_col_text(c, &q, COL_PROGRESS_LINE_LINE);
  ts_end(c, &q);
  return line.z ? ts_describe(c, line, 160) : line;
}

/* The tool calls of a turn that failed or was aborted, one line each. */
static void appendCalls(Cmd *c, sqlite3_str *out, sqlite3_int64 turn) {
  Query q;
  if (!turn) return;
  q = ts_query(c, SQL_CONTEXT_TOOL_CALLS, "ii", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn));
  for (int i = 0; i < PROGRESS_LINES && ts_row(c, &q); i++) {
    Text name = ts_col_text(c, &q, COL_CONTEXT_TOOL_CALLS_TOOL_NAME),
         status = ts_col_text(c, &q, COL_CONTEXT_TOOL_CALLS_STATUS);
    sqlite3_str_appendf(out, "%s- Called %.*s%s", sqlite3_str_length(out) ? "\n" : "", name.n,
                        name.z ? name.z : "",
                        ts_text_is(status, "pending")  ? " (result unknown)"
                        : ts_text_is(status, "failed") ? " (failed)"
                                                       : "");
  }
  ts_end(c, &q);
}

Text ts_progress_text(Cmd *c, const Session *s) {
  struct Line {
    struct Line *next;
    Text text;
  } *newest = NULL;
  sqlite3_int64 total = 0, turns;
  int n = 0;
  sqlite3_str *out;
  Text text;
  Query q;
  if (!s->task.id) return none;
  turns = ts_task_turns(c, s, PROGRESS_COUNTED);
  q = ts_query(c, SQL_OBSERVATION_COUNT, "ii", s->task.id,
               (sqlite3_int64)PROGRESS_COUNTED + PROGRESS_LINES + 1);
  if (ts_row(c, &q)) total = ts_col_int(&q, COL_OBSERVATION_COUNT_COUNT);
  ts_end(c, &q);
  q = ts_query(c, SQL_OBSERVATION_LATEST, "ii", s->task.id, (sqlite3_int64)PROGRESS_LINES);
  while (ts_row(c, &q)) {
    struct Line *line = ts_alloc(c, sizeof(*line));
    if (!line) break;
    line->text = progressLine(c, ts_col_text(c, &q, COL_OBSERVATION_LATEST_KIND),
                              ts_col_text(c, &q, COL_OBSERVATION_LATEST_DATA));
    line->next = newest; /* the list ends up oldest first */
    newest = line;
    n++;
  }
  ts_end(c, &q);
  out = sqlite3_str_new(c->db);
  if (total - n > PROGRESS_COUNTED) {
    sqlite3_str_appendf(out, "- (more than %d earlier)\n", PROGRESS_COUNTED);
  } else if (total > n) {
    sqlite3_str_appendf(out, "- (%lld earlier)\n", total - n);
  }
  for (; newest; newest = newest->next) {
    if (!newest->text.n) continue;
    sqlite3_str_appendall(out, "- ");
    ts_append(out, newest->text);
    if (newest->next) sqlite3_str_appendchar(out, 1, '\n');
  }
  appendCalls(c, out, s->run.turnId ? s->run.turnId : s->run.failedTurn);
  if (turns) {
    sqlite3_str_appendf(out, "%s- %lld%s turn%s", sqlite3_str_length(out) ? "\n" : "", turns,
                        turns == PROGRESS_COUNTED ? " or more" : "", turns == 1 ? "" : "s");
  }
  text = ts_finish(c, out);
  if (text.z && text.n == 0) text = ts_fill(c, s->label, "progress.none", NULL, none, NULL, none);
  return text;
}

static const ArgSpec progressArgs[] = {{"label", ARG_LABEL, 1}, {"own", ARG_BOOL, 0}};

static void runProgress(Cmd *c) {
  Session s;
  ts_session_load_to_read(c, c->arg[0].text, (int)c->arg[1].i, &s);
  if (!s.exists || !s.task.id) return;
  ts_return_text(c, ts_progress_text(c, &s));
}

const CommandSpec ts_session_progress = {"session_progress", runProgress, COMMAND_READ,
                                         TS_ARGS(1, progressArgs), NULL};
