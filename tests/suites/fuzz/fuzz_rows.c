/*
** fuzz_rows.c - a file whose rows somebody has changed: any text or number in any column of any of
** our tables, then every command and table-valued function over it.
**
** Nothing is promised about the answers. Promised is that there is no crash, no endless loop, and
** no error without a name.
*/
#include "fuzz.h"

static const char *const columns[][2] = {
    {"sessions", "pending_choice"},
    {"sessions", "status"},
    {"sessions", "superseded_by"},
    {"sessions", "open_task_id"},
    {"sessions", "work_source"},
    {"sessions", "last_activity"},
    {"sessions", "offered_at"},
    {"tasks", "state"},
    {"tasks", "state_data"},
    {"tasks", "description"},
    {"tasks", "head_step_id"},
    {"tasks", "ended_at"},
    {"observations", "data"},
    {"observations", "kind"},
    {"observations", "hash"},
    {"session_queue", "source"},
    {"session_queue", "class"},
    {"session_queue", "message"},
    {"deliveries", "decision"},
    {"deliveries", "message"},
    {"session_runs", "run_state"},
    {"session_runs", "data"},
    {"session_runs", "expires_at"},
    {"turnstile_config", "value"},
    {"turnstile_config", "key"},
    {"turnstile_meta", "value"},
    {"message_rules", "pattern"},
    {"message_rules", "class"},
    {"message_rules", "state"},
    {"session_aliases", "session_label"},
    {"sessions", "thread_id"},
    {"sessions", "parent_turn_id"},
    {"session_runs", "turn_id"},
    {"session_runs", "token"},
    {"session_queue", "turn_id"},
    {"session_queue", "status"},
    {"turns", "id"},
    {"turns", "parent_turn_id"},
    {"turns", "turn_type"},
    {"turns", "status"},
    {"turns", "phase"},
    {"turns", "on_path"},
    {"turns", "source"},
    {"turns", "context_turn_id"},
    {"turns", "answers_turn_id"},
    {"turns", "thread_tokens"},
    {"turns", "external_id"},
    {"branches", "id"},
    {"branches", "parent_turn_id"},
    {"branches", "first_depth"},
    {"branches", "level"},
    {"branches", "jump_id"},
    {"branches", "jump_depth"},
    {"messages", "place"},
    {"messages", "role"},
    {"messages", "tool_call_id"},
    {"messages", "metadata"},
    {"messages", "content"},
    {"tool_calls", "place"},
    {"tool_calls", "id"},
    {"tool_calls", "status"},
    {"tool_calls", "params"},
    {"tool_calls", "result"},
    {"compactions", "turn_id"},
    {"compactions", "first_kept_turn_id"},
    {"compactions", "recovered_turn_id"},
    {"compactions", "summary_tokens"},
    {"compactions", "summary"},
    {"session_history", "thread_id"},
    {"session_history", "reason"},
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* From here on a column is changed in one row only, to a turn or place that is there as well. */
#define FIRST_OF_TREE 30

static const char *const uses[] = {
    "SELECT count(content) FROM session_context('s')",
    "SELECT count(content) FROM session_context('u', 9)",
    ("SELECT group_concat(content) FROM (SELECT content FROM session_context('s') ORDER BY "
     "position DESC)"),
    "SELECT count(content) FROM session_context(33554434)",
    "SELECT count(error) FROM turn_path('s')",
    "SELECT group_concat(error) FROM (SELECT error FROM turn_path(33554434) ORDER BY depth DESC)",
    "SELECT count(error) FROM turn_tree(16777216)",
    "SELECT turn_ancestor(33554434, 0)",
    "SELECT turn_common_ancestor(33554434, 16777218)",
    "SELECT turn_is_ancestor(16777216, 33554434)",
    "SELECT session_usage('u')",
    "SELECT session_diagram('s')",
    "SELECT session_diagram('u', 'text', '{\"turns\":2}')",
    "SELECT count(detail) FROM session_timeline",
    "SELECT count(detail) FROM session_attention",
    "SELECT count(state), count(choice) FROM session_overview",
    "SELECT count(message) FROM commit_log",
    "SELECT session_needs_compaction('s', 10)",
    "SELECT turn_tool_result(33554434, 1, 'k3', 'a')",
    "SELECT turn_compact('u', 'They went on.', '{\"turn\":33554434,\"token\":1}')",
    "SELECT turn_complete(33554434, 1, '{\"content\":\"done\"}')",
    "SELECT turn_append('u', '[{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"x\"}]')",
    "SELECT turn_append('s', '[{\"role\":\"user\",\"content\":\"x\"}]', '{\"parent\":33554433}')",
    "SELECT turn_begin('t', 'p')",
    "SELECT turn_compact('s', 'They went.', '{\"keep_tokens\":3}')",
    "SELECT session_rewind('u', 16777216)",
    "SELECT session_fork(33554433)",
    "SELECT session_state('s')",
    "SELECT session_recover('t')",
    "SELECT session_progress('s')",
    "SELECT session_deliver('t', 'the second one')",
    "SELECT session_deliver('s', 'continue')",
    "SELECT session_deliver('alias', 'stop')",
    "SELECT session_choose('s', 'A')",
    "SELECT session_transition('s', 'PendingComplete', '{\"summary\":\"done\"}')",
    "SELECT session_flush('s')",
    "SELECT session_run('s', 'p', 'ready')",
    "SELECT count(*) FROM stale_sessions(999999999999)",
    "SELECT count(would_class) FROM policy_replay('{\"new_task_policy\":\"switch\"}')",
    "SELECT count(*) FROM stale_sessions(NULL, 0, 0, 0, 1)",
    "SELECT count(*), sum(length(problem)) FROM turnstile_check('s')",
    "SELECT session_sweep('{\"now\":99999999999}')",
    "SELECT turnstile_startup(NULL, '{\"all\":1}')",
    "SELECT turnstile_config('ask_threshold')",
    "SELECT session_compact('s')",
    "SELECT count(*) FROM classify('yes', 'Running')",
    "SELECT session_export('s')",
    "SELECT session_export('u')",
    "SELECT session_import(session_export('s'), '{\"as\":\"copy\"}')",
    "SELECT session_import(session_export('u'), '{\"as\":\"copy\"}')",
};

/* Takes longer than all the others: only for one input in eight. */
static const char wholeCheck[] = "SELECT count(*), sum(length(problem)) FROM turnstile_check";

/* A view is SQLite's to run. What only begins and ends as an object stops it: json_valid() would tell, but
** with trusted_schema = OFF older versions let no view call it. */
static int isStoppedView(const char *sql, const char *message) {
  return (strstr(sql, "FROM session_timeline") || strstr(sql, "FROM session_attention") ||
          strstr(sql, "FROM session_overview") || strstr(sql, "FROM commit_log")) &&
         strcmp(message, "malformed JSON") == 0;
}

static void use(sqlite3 *db, const char *sql) {
  char *message = NULL;
  int rc = sqlite3_exec(db, sql, NULL, NULL, &message);
  if (rc != SQLITE_OK && (!message || (!strchr(message, ':') && !isStoppedView(sql, message)))) {
    fprintf(stderr, "%s: %s\n", sql, message ? message : "no message");
    fuzzDie(db, "an error without a name");
  }
  sqlite3_free(message);
  if (sqlite3_get_autocommit(db)) fuzzDie(db, "a command ended the transaction");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  int checked = size % 8 == 0;
  if (!db) {
    db = fuzzOpen("'any', 'en'");
    if (sqlite3_exec(db,
                     "SELECT session_deliver('s', 'something else: write a poem', "
                     "'{\"class\":\"NewTask\"}');"
                     "SELECT session_run('s', 'p', 'starting');"
                     "SELECT turnstile_config('ask_threshold', '1h', '{\"session\":\"s\"}');"
                     "INSERT INTO session_aliases VALUES ('alias', 's', 'manual', 0);"
                     "INSERT INTO turnstile_meta VALUES ('unguarded', 1);",
                     NULL, NULL, NULL) != SQLITE_OK) {
      fuzzDie(db, "setup");
    }
  }
  sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
  for (int changes = 0; size > 2 && changes < 4; changes++) {
    const char *const *column = columns[data[0] % COLUMNS];
    int n, asNumber = data[1] % 8 == 0, isTree = data[0] % COLUMNS >= FIRST_OF_TREE;
    int asTurn = isTree && data[1] % 8 < 5, row = data[1] / 8;
    char sql[300], inTree[150];
    const char *value;
    sqlite3_stmt *stmt = NULL;
    /* A CHECK or a STRICT column refuses what it refuses; rules are changed in one row only. */
    snprintf(inTree, sizeof(inTree),
             "rowid = (SELECT rowid FROM %s LIMIT 1 OFFSET ?2 %% (SELECT count(*) FROM %s))",
             column[0], column[0]);
    snprintf(sql, sizeof(sql), "UPDATE OR IGNORE %s SET %s = ?1 WHERE %s", column[0], column[1],
             strcmp(column[0], "message_rules") == 0
                 ? "id = (SELECT id FROM message_rules LIMIT 1 OFFSET 20)"
             : strcmp(column[0], "turnstile_meta") == 0 ? "key = 'rules_version'"
             : isTree                                   ? inTree
                                                        : "1");
    data += 2;
    size -= 2;
    value = fuzzPiece(&data, &size, 1, &n);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) fuzzDie(db, sql);
    if (isTree) sqlite3_bind_int(stmt, 2, row);
    if (asTurn) {
      int what = n ? value[0] & 0x7f : 0;
      sqlite3_int64 turn = (what / 4 % 4) * (sqlite3_int64)16777216 + what % 4;
      sqlite3_bind_int64(stmt, 1, strcmp(column[1], "place") == 0 ? turn * 4096 + what / 16 : turn);
    } else if (asNumber) {
      sqlite3_bind_int64(stmt, 1, n ? value[0] * (sqlite3_int64)1000003 : -1);
    } else {
      sqlite3_bind_text(stmt, 1, value, n, SQLITE_STATIC);
    }
    sqlite3_step(stmt);
    sqlite3_finalize(stmt);
  }
  if (checked) use(db, wholeCheck);
  for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
    use(db, uses[i]);
  sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
  return 0;
}
