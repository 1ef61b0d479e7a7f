"""turnstile_check: check.py BUILDDIR [RULE] [--write]

A file in which something of everything happened is healthy. Then, one at a time, a row of it is
changed behind the guards, and the rules that speak are compared with written ones: the rule that the
damage is for, and those that can't help noticing it. No rule is without a damage. What they say, row by
row, is compared with check_said.txt; --write writes that file anew. For each damaged file the form with a
label gives the rows of the whole form that carry this label.

Rows that hold nonsense of every kind are never an error, and never take long. What it costs to look
at one session does not grow with the others. It works read-only, with a prefix, in an attached
file and inside a transaction.
"""

import json
import os
import random
import re
import sqlite3
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import CHECK, Suite, connect, error_of, library, one  # noqa: E402
from repairs import REPAIRS, apply, remake, statement_of  # noqa: E402
from situations import build, call, said  # noqa: E402

suite = Suite("check")
lib = library(sys.argv[1])
only = next((a for a in sys.argv[2:] if a != "--write"), None)
SAID = os.path.join(here, "check_said.txt")


def problems(db, label=None):
    return db.execute(f"{CHECK}(?)", (label,)).fetchall()


def damaged(base, sql):
    """A copy of the file with no guards but the first ones and statements run on it."""
    db = connect(":memory:", lib)
    base.backup(db)
    triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f'DROP TRIGGER "{name}"')
    db.execute("PRAGMA ignore_check_constraints = 1")
    try:
        db.executescript(sql)
    finally:
        for name, text in triggers:
            table = re.search(r'ON "(\w+)"', text)[1]
            if f"drop {name}" not in sql and one(
                db, "SELECT 1 FROM sqlite_schema WHERE name = ?", table
            ):
                db.execute(text)
    return db


T = 1 << 24  # the first turn of branch 1
P = T << 12  # its first place

# What a worker is told to have said, so often.
WORD = (
    "WITH n(i) AS (SELECT value FROM json_each('[1,2]')) "
    "INSERT INTO session_events(id, session_label, task_id, axis, from_state, to_state, \"trigger\", data, at) "
    "SELECT (SELECT max(id) FROM session_events) + i, label, open_task_id, 'worker', 'failed', 'failed', "
    "'{what}', '{{\"result\":\"x\"}}', created_at FROM sessions, n WHERE label = 'worker' AND i <= {n}"
)

# The rule that a damage is for and others that notice, in a text with blanks; the damage.
DAMAGES = [
    # The file.
    ("schema", "DROP INDEX tasks_by_session"),
    ("schema", "DROP VIEW threads; CREATE VIEW threads AS SELECT 1"),
    ("schema", "-- drop tasks_move"),
    ("schema", "ALTER TABLE edges DROP COLUMN evidence"),
    ("schema", "DROP TABLE identities"),
    ("schema", "CREATE TABLE Json_Each(value)"),
    ("schema_version", "UPDATE turnstile_meta SET value = 3 WHERE key = 'schema_version'"),
    ("schema_version", "DELETE FROM turnstile_meta WHERE key = 'schema_version'"),
    ("guards_open", "INSERT INTO turnstile_meta VALUES ('unguarded', 1)"),
    ("meta", "UPDATE turnstile_meta SET value = 'x' WHERE key = 'rules_version'"),
    ("meta", "DELETE FROM turnstile_meta WHERE key = 'policies_version'"),
    ("meta_id", "INSERT INTO turnstile_meta VALUES ('last_branch', 'many')"),
    ("meta_id", "INSERT INTO turnstile_meta VALUES ('last_token', -1)"),
    ("meta_id", "INSERT INTO turnstile_meta VALUES ('last_input', 2)"),
    ("meta_id", "INSERT INTO turnstile_meta VALUES ('last_event', 4503599627370496)"),
    ("transition", "INSERT INTO state_transitions VALUES ('task', 'None', 'Complete', 'x')"),
    ("transition", "UPDATE state_transitions SET \"trigger\" = 'x' WHERE to_state = 'archived'"),
    ("transition event_move", "DELETE FROM state_transitions WHERE to_state = 'PendingComplete'"),
    ("object_hash", "UPDATE objects SET data = '# REPORT'"),
    ("object_hash", "UPDATE objects SET kind = 'tree'"),
    ("object_hash", "UPDATE objects SET kind = printf('%050d', 7)"),
    ("object_size", "UPDATE objects SET size = 7"),
    ("object_size", "UPDATE objects SET data = CAST(data AS BLOB)"),
    ("object_unused observation_hash", "UPDATE observations SET object_id = NULL"),
    ("rule_value", "UPDATE message_rules SET pattern = '(' WHERE id = 5"),
    ("rule_value", "UPDATE message_rules SET class = 'Perhaps' WHERE id = 5"),
    ("rule_value", "UPDATE message_rules SET origin = 'mine' WHERE id = 5"),
    ("policy_value", "UPDATE session_policies SET key_template = 'dm:{' WHERE id = 1"),
    ("policy_value", "UPDATE session_policies SET \"match\" = '[]' WHERE id = 1"),
    ("policy_value", "UPDATE session_policies SET \"match\" = '{' WHERE id = 1"),
    ("request_value", "UPDATE turnstile_requests SET command = 'session_dance'"),
    ("request_value", "UPDATE turnstile_requests SET args_hash = 'none'"),
    ("request_value", "UPDATE turnstile_requests SET at = -1"),
    ("deleted_message", "INSERT INTO deleted_messages VALUES ('m-1', 5)"),
    ("deleted_message", "INSERT INTO deleted_messages VALUES (printf('%064d', 7), -1)"),
    ("identity_value", "UPDATE identities SET entity_id = '' WHERE channel = 'wa'"),
    ("identity_value", "UPDATE identities SET envelope = '{' WHERE channel = 'wa'"),
    ("step_task", "INSERT INTO steps VALUES (99, 'x', NULL, 'Note', 'Running', NULL, '[]', 1)"),
    ("observation_task", "UPDATE observations SET session_label = 'f' WHERE id = 2"),
    ("observation_task step_payload", "UPDATE observations SET task_id = 99 WHERE id = 2"),
    # Branches and turns.
    ("branch_parent", "UPDATE branches SET level = 7 WHERE id = 6"),
    ("branch_parent turn_parent branch_gap", "UPDATE branches SET first_depth = 9 WHERE id = 6"),
    (
        "branch_parent branch_jump turn_parent",
        "UPDATE branches SET parent_turn_id = NULL WHERE id = 6",
    ),
    ("branch_parent", "UPDATE branches SET closed = 2 WHERE id = 6"),
    ("branch_jump", "UPDATE branches SET jump_id = 2 WHERE id = 5"),
    ("branch_jump", "UPDATE branches SET jump_depth = 2 WHERE id = 5"),
    (
        "branch_closed branch_gap turn_parent",
        "UPDATE branches SET parent_turn_id = (SELECT max(id) FROM turns WHERE id >> 24 = "
        "1), first_depth = 5 WHERE id = 3",
    ),
    ("branch_gap", "INSERT INTO branches VALUES (500, NULL, 0, 0, NULL, NULL, 0)"),
    ("turn_word", f"UPDATE turns SET source = 'nobody' WHERE id = {T}"),
    ("turn_word turn_status", f"UPDATE turns SET phase = 'dreaming' WHERE id = {T}"),
    ("turn_status", f"UPDATE turns SET completed_at = NULL WHERE id = {T}"),
    ("turn_range", f"UPDATE turns SET started_at = -1 WHERE id = {T}"),
    ("turn_range", f"UPDATE turns SET total_tokens = -1 WHERE id = {T}"),
    ("turn_branch turn_parent", "DELETE FROM branches WHERE id = (SELECT max(id) FROM branches)"),
    ("turn_branch turn_parent branch_jump branch_parent", "DELETE FROM branches WHERE id = 2"),
    ("turn_parent", f"UPDATE turns SET parent_turn_id = {T} WHERE id = {T} + 2"),
    ("turn_parent", f"UPDATE turns SET parent_turn_id = NULL WHERE id = {T} + 2"),
    ("turn_context", f"UPDATE turns SET context_turn_id = NULL WHERE id = {T} + 4"),
    ("turn_context", f"UPDATE turns SET context_turn_id = {T} WHERE id = {T} + 1"),
    ("turn_tokens", f"UPDATE turns SET thread_tokens = 0 WHERE id = {T} + 4"),
    ("turn_resumes", f"UPDATE turns SET resumes_turn_id = {T} WHERE id = {T} + 1"),
    ("turn_answers", f"UPDATE turns SET answers_turn_id = {T} + 4 WHERE id = {T} + 1"),
    (
        "turn_run run_lease event_turn queue_turn",
        "UPDATE session_runs SET turn_id = NULL WHERE turn_id IS NOT NULL",
    ),
    ("turn_empty", f"DELETE FROM messages WHERE place >> 12 = {T} + 1"),
    ("compaction_turn turn_context", f"UPDATE turns SET turn_type = 'compaction' WHERE id = {T}"),
    ("compaction_turn", f"DELETE FROM compactions WHERE turn_id = {T} + 3"),
    (
        "compaction_turn",
        "INSERT INTO compactions SELECT 5, * FROM (SELECT NULL, NULL, NULL) JOIN (SELECT 0,"
        " 0, 'full', 'manual', NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, 1, NULL, '')",
    ),
    ("compaction_word", "UPDATE compactions SET compaction_type = 'full'"),
    ("compaction_word", "UPDATE compactions SET \"trigger\" = 'boredom'"),
    ("compaction_recovered", "UPDATE compactions SET recovered_turn_id = 5"),
    ("compaction_kept", f"UPDATE compactions SET first_kept_turn_id = {T} + 1"),
    ("compaction_kept", "UPDATE compactions SET first_kept_turn_id = 0"),
    # At the right depth, in another branch.
    ("compaction_kept", f"UPDATE compactions SET first_kept_turn_id = {2 * T} + 2"),
    ("compaction_kept", f"UPDATE compactions SET summarized_through_turn_id = {7 * T} + 1"),
    ("compaction_kept", "UPDATE compactions SET summarized_through_turn_id = -1"),
    ("compaction_kept", f"UPDATE compactions SET summarized_through_turn_id = {T} + 4"),
    (
        "message_turn",
        "INSERT INTO messages(place, role, created_at, content) VALUES (99 << 36, 'user', "
        "1, '')",
    ),
    (
        "message_turn",
        "INSERT INTO tool_calls(place, id, tool_name, status, started_at, params) VALUES "
        "(99 << 36, 'x', 'x', 'pending', 1, '{}')",
    ),
    ("message_gap", f"DELETE FROM messages WHERE place = {P}"),
    ("message_gap", f"UPDATE tool_calls SET place = {P} + 9 WHERE place = {P} + 3"),
    (
        "message_gap",
        f"INSERT INTO messages(place, role, created_at, content) VALUES ({P} + 2, 'user', 1,"
        " '')",
    ),
    ("message_word", f"UPDATE messages SET role = 'ghost' WHERE place = {P}"),
    ("message_word", f"UPDATE messages SET metadata = '{{' WHERE place = {P}"),
    ("call_status", f"UPDATE tool_calls SET completed_at = NULL WHERE place = {P} + 2"),
    ("call_status", f"UPDATE tool_calls SET params = '{{' WHERE place = {P} + 2"),
    ("call_id", f"UPDATE tool_calls SET id = 'k1' WHERE place = {P} + 3"),
    # Sessions.
    (
        "session_missing",
        "INSERT INTO edges(session_label, from_kind, from_ref, to_kind, to_ref, label, "
        "created_at) VALUES ('gone', 'a', 'b', 'c', 'd', 'e', 1)",
    ),
    ("session_word", "UPDATE sessions SET origin = 'space' WHERE label = 's'"),
    ("session_word", "UPDATE sessions SET queue_mode = 'space' WHERE label = 's'"),
    (
        "session_label session_status session_turns head_history session_missing",
        "UPDATE sessions SET label = CAST(x'6600' AS TEXT) WHERE label = 'f'",
    ),
    ("session_range", "UPDATE sessions SET created_at = -5 WHERE label = 's'"),
    ("session_range", "UPDATE sessions SET total_tokens = -5 WHERE label = 's'"),
    ("session_waits", "UPDATE sessions SET waits = 1 - waits WHERE label = 's'"),
    ("session_archived", "UPDATE sessions SET archived_at = NULL WHERE label = 'away'"),
    ("session_status", "UPDATE sessions SET status = 'suspended' WHERE label = 's'"),
    ("session_open_task", "UPDATE sessions SET open_task_id = 1 WHERE label = 's'"),
    ("session_turns", "UPDATE sessions SET turns = 99 WHERE label = 's'"),
    ("head_on_path head_history", "UPDATE sessions SET thread_id = 5 WHERE label = 's'"),
    ("head_history", f"UPDATE sessions SET thread_id = {T} WHERE label = 's'"),
    ("worker", "UPDATE sessions SET is_subagent = 0 WHERE label = 'worker'"),
    ("worker_status", "UPDATE sessions SET task_status = 'completed' WHERE label = 'worker'"),
    ("worker_deadline", "UPDATE sessions SET deadline = 5 WHERE label = (SELECT min(label) FROM sessions WHERE is_subagent = 0)"),
    ("worker_deadline", "UPDATE sessions SET deadline = -1 WHERE label = 'worker'"),
    ("worker_deadline", "UPDATE sessions SET timeout = 0 WHERE label = 'worker'"),
    ("worker_deadline", "UPDATE sessions SET timeout = 5 WHERE label = (SELECT min(label) FROM sessions WHERE is_subagent = 0)"),
    ("session_parent", "UPDATE sessions SET parent_session_label = 'gone' WHERE label = 'worker'"),
    ("session_parent", "UPDATE sessions SET parent_turn_id = 5 WHERE label = 'f'"),
    (
        "superseded_flat superseded_alias",
        "UPDATE sessions SET superseded_by = 'dm:wa:1' WHERE label = 'dm:wa:1'",
    ),
    (
        "superseded_flat superseded_alias",
        "UPDATE sessions SET superseded_by = 'gone' WHERE label = 'f'",
    ),
    ("superseded_alias", "DELETE FROM session_aliases WHERE alias = 'dm:wa:1'"),
    (
        "superseded_waits superseded_alias",
        "UPDATE sessions SET superseded_by = 's' WHERE label = 'pending'",
    ),
    (
        "choice_kind choice_event",
        "UPDATE sessions SET pending_choice = '{}' WHERE label = 'choice'",
    ),
    ("choice_kind choice_event", "UPDATE sessions SET pending_choice = '{' WHERE label = 'choice'"),
    ("choice_event", "UPDATE sessions SET pending_choice = NULL WHERE label = 'choice'"),
    (
        "choice_delivery",
        "UPDATE sessions SET pending_choice = json_set(pending_choice, '$.delivery_id', "
        "999) WHERE label = 'choice'",
    ),
    (
        "choice_delivery",
        "UPDATE sessions SET pending_choice = json_set(pending_choice, '$.earlier', "
        "json('[999]')) WHERE label = 'choice'",
    ),
    ("choice_task task_event", "UPDATE tasks SET state = 'Aborted', state_data = '{\"reason\":\"x\"}' WHERE session_label = 'choice'"),
    (
        "choice_task choice_event",
        "UPDATE sessions SET pending_choice = json_set(pending_choice, '$.kind', 'SavedTaskChoice') "
        "WHERE label = 'choice'",
    ),
    (
        "choice_twice",
        "INSERT INTO session_queue(session_label, delivery_id, source, channel, sender, enqueued_at, message, status) "
        "SELECT session_label, id, source, channel, sender, at, message, 'pending' FROM deliveries WHERE session_label = 'choice';"
        "UPDATE sessions SET waits = 1 WHERE label = 'choice'",
    ),
    (
        "choice_released",
        "INSERT INTO session_events(session_label, axis, from_state, \"trigger\", at, data) "
        "SELECT label, 'choice', 'NewTaskChoice', 'end', updated_at, pending_choice FROM sessions WHERE label = 'choice';"
        "UPDATE sessions SET pending_choice = NULL WHERE label = 'choice'",
    ),
    ("alias_target", "UPDATE session_aliases SET session_label = 'gone' WHERE alias = 'report'"),
    ("alias_target", "UPDATE session_aliases SET session_label = 'dm:wa:1' WHERE alias = 'report'"),
    ("alias_word", "UPDATE session_aliases SET reason = 'whim' WHERE alias = 'report'"),
    ("alias_label", "UPDATE session_aliases SET alias = 'f' WHERE alias = 'report'"),
    # Tasks.
    ("task_word task_event", "UPDATE tasks SET state = 'Dreaming' WHERE session_label = 'worker'"),
    ("task_ended task_event", "UPDATE tasks SET state = 'None' WHERE session_label = 'worker'"),
    (
        "task_ended session_open_task task_event",
        "UPDATE tasks SET ended_at = 5 WHERE session_label = 'worker'",
    ),
    (
        "schema task_one_open task_event task_head",
        "DROP INDEX tasks_one_open; INSERT INTO tasks SELECT 99, 's', 'x', 'Running', NULL,"
        " 1, 1, NULL, NULL, NULL, NULL, 0, NULL, NULL",
    ),
    ("task_range", "UPDATE tasks SET started_at = -1 WHERE id = 1"),
    ("task_state_data", "UPDATE tasks SET state_data = NULL WHERE state = 'AwaitingUser'"),
    (
        "task_state_data",
        "UPDATE tasks SET state_data = json_remove(state_data, '$.asked_at') WHERE state = "
        "'AwaitingUser'",
    ),
    ("task_state_data", "UPDATE tasks SET state_data = '{' WHERE state = 'Aborted'"),
    (
        "task_state_data",
        "UPDATE tasks SET state_data = json_set(state_data, '$.messages[#]', 'x') WHERE "
        "state = 'Interrupted'",
    ),
    (
        "task_state_data",
        "UPDATE tasks SET state_data = '{\"summary\":1}' WHERE state = 'PendingComplete'",
    ),
    (
        "task_event",
        "UPDATE tasks SET state = 'Complete', asked_after = NULL WHERE state = 'PendingComplete'",
    ),
    ("task_worked", "UPDATE tasks SET worked = 0 WHERE state = 'AwaitingUser'"),
    ("task_worked", "UPDATE tasks SET worked = 0 WHERE commit_id IS NOT NULL"),
    ("task_worked", "UPDATE tasks SET worked = 2"),
    ("task_asked", "UPDATE tasks SET asked_after = NULL WHERE state = 'AwaitingUser'"),
    ("task_asked", "UPDATE tasks SET asked_after = 1 WHERE state NOT IN ('AwaitingUser', 'PendingComplete')"),
    ("task_commit commit_task", "UPDATE tasks SET commit_id = 'x' WHERE id = 1"),
    ("task_base step_hash", "UPDATE tasks SET base_commit_id = 'x' WHERE id = 2"),
    ("task_head commit_task", "UPDATE tasks SET head_step_id = 'x' WHERE id = 1"),
    ("task_unflushed step_payload", "UPDATE observations SET step_id = NULL WHERE id = 2"),
    (
        "step_chain step_hash",
        "UPDATE steps SET parent_id = 'x' WHERE task_id = 1 AND step_kind = 'Compact'",
    ),
    (
        "step_word step_hash",
        "UPDATE steps SET step_kind = 'Dance' WHERE task_id = 1 AND step_kind = 'Compact'",
    ),
    (
        "step_payload step_hash observation_step edge_step",
        "UPDATE steps SET payload = '[]' WHERE task_id = 1 AND step_kind = 'Compact'",
    ),
    ("step_hash", "UPDATE steps SET created_at = 5 WHERE task_id = 1 AND step_kind = 'Compact'"),
    ("step_hash commit_hash", "UPDATE tasks SET description = 'x' WHERE id = 1"),
    ("observation_word", "UPDATE observations SET auto = 5 WHERE id = 2"),
    ("observation_step", "UPDATE observations SET step_id = 'x' WHERE id = 2"),
    ("observation_object", "DELETE FROM objects"),
    ("observation_hash", "UPDATE observations SET data = '{}' WHERE id = 2"),
    ("observation_hash observation_step", "UPDATE observations SET hash = 'x' WHERE id = 2"),
    ("commit_chain commit_hash", "UPDATE commits SET parent_id = NULL WHERE seq = 2"),
    ("commit_task task_commit", "UPDATE commits SET task_id = 99 WHERE seq = 2"),
    ("commit_data commit_hash", "UPDATE commits SET type_data = NULL WHERE seq = 2"),
    ("commit_data commit_hash", "UPDATE commits SET commit_type = 'Odd' WHERE seq = 2"),
    ("commit_hash", "UPDATE commits SET message = 'x' WHERE seq = 2"),
    ("edge_value edge_step", "UPDATE edges SET weight = 7"),
    ("edge_step", "UPDATE edges SET evidence = 'because' WHERE id = 1"),
    ("edge_step", "UPDATE edges SET to_ref = to_ref || '0' WHERE step_id IS NOT NULL"),
    ("edge_step", "UPDATE edges SET step_id = 'x' WHERE id = 1"),
    ("step_payload", "DELETE FROM edges WHERE id = 1"),
    ("step_payload task_unflushed", "UPDATE edges SET step_id = NULL WHERE id = 1"),
    # Events and moves of the head.
    ("event_word", "UPDATE session_events SET data = '{' WHERE id = 2"),
    ("event_word event_move event_chain", "UPDATE session_events SET axis = 'mood' WHERE id = 2"),
    ("event_move event_chain", "UPDATE session_events SET to_state = 'Complete' WHERE id = 2"),
    (
        "event_chain",
        "DELETE FROM session_events WHERE session_label = 'away' AND axis = 'status' AND "
        "from_state IS NULL",
    ),
    ("event_task", "UPDATE session_events SET task_id = 99 WHERE id = 2"),
    ("worker_report", WORD.format(what="late", n=2)),
    (
        "event_turn event_chain",
        "UPDATE session_events SET data = '{\"turn\":5}' WHERE axis = 'turn' AND to_state ="
        " 'failed'",
    ),
    ("history_word session_turns", "UPDATE session_history SET reason = 'whim' WHERE id = 1"),
    ("history_turn", "UPDATE session_history SET thread_id = 5 WHERE id = 1"),
    # Runs, inputs, deliveries, settings.
    (
        "run_word run_event",
        "UPDATE session_runs SET run_state = 'dead' WHERE session_label = 'broken'",
    ),
    ("run_word", "UPDATE session_runs SET token = -1 WHERE session_label = 'broken'"),
    ("run_event", "UPDATE session_runs SET run_state = 'running' WHERE session_label = 'live'"),
    (
        "run_turn turn_run event_turn queue_turn",
        "UPDATE session_runs SET turn_id = 5 WHERE session_label = 'live'",
    ),
    ("run_lease", "UPDATE session_runs SET expires_at = NULL WHERE session_label = 'live'"),
    ("run_lease", "UPDATE session_runs SET token = 0 WHERE session_label = 'live'"),
    (
        "run_failed_turn",
        f"UPDATE session_runs SET failed_turn_id = {T} WHERE session_label = 'broken'",
    ),
    (
        "run_missing event_turn queue_turn turn_run",
        "DELETE FROM session_runs WHERE session_label = 'live'",
    ),
    ("run_missing", "DELETE FROM session_runs WHERE session_label = 'broken'"),
    ("queue_word", "UPDATE session_queue SET mode = 'rush' WHERE id = 1"),
    (
        "queue_word queue_delivered session_waits",
        "UPDATE session_queue SET status = 'lost' WHERE status = 'pending' AND "
        "session_label = 'live'",
    ),
    ("queue_delivered", "UPDATE session_queue SET attempts = -1 WHERE id = 1"),
    ("queue_turn", "UPDATE session_queue SET turn_id = 5 WHERE status = 'processing'"),
    ("queue_turn", "UPDATE session_queue SET turn_id = 5 WHERE status = 'failed'"),
    ("queue_turn", f"UPDATE session_queue SET turn_id = {T} WHERE status = 'pending' AND session_label = 'live'"),
    ("queue_due", "UPDATE session_queue SET due_at = 5 WHERE id = 1"),
    ("queue_due", "UPDATE session_queue SET due_at = -1, due_after = 0 WHERE id = 1"),
    ("queue_due", "UPDATE session_queue SET due_at = 5, due_after = 5 WHERE status = 'failed'"),
    ("queue_awaits", "UPDATE session_queue SET awaits_turn = 2 WHERE id = 1"),
    (
        "queue_awaits",
        "UPDATE session_queue SET awaits_turn = 0 WHERE status = 'pending' AND session_label = 'live'",
    ),
    ("queue_awaits", "UPDATE session_queue SET awaits_turn = 0 WHERE status = 'processing'"),
    ("queue_shown", "UPDATE session_queue SET shown_turn_id = 5 WHERE status = 'failed'"),
    ("queue_shown", f"UPDATE session_queue SET shown_turn_id = {90 * T} WHERE status = 'failed'"),
    ("queue_task", "UPDATE session_queue SET task_id = -1 WHERE status = 'failed'"),
    ("queue_task", "UPDATE session_queue SET task_id = 99 WHERE status = 'failed'"),
    (  # a turn of another session, and one in whose messages others stand
        "queue_shown",
        "UPDATE session_queue AS q SET shown_turn_id = (SELECT o.shown_turn_id FROM session_queue AS o "
        "WHERE o.session_label <> q.session_label AND o.shown_turn_id IS NOT NULL ORDER BY o.id LIMIT 1) "
        "WHERE status = 'failed'",
    ),
    ("queue_error", "UPDATE session_queue SET error = NULL WHERE status = 'failed'"),
    ("queue_exempt", "UPDATE session_queue SET exempt = 3 WHERE id = 1"),
    ("queue_said", "UPDATE session_queue SET said_in = 'elsewhere' WHERE id = 1"),
    ("queue_delivery", "UPDATE session_queue SET message = 'x' WHERE id = 1"),
    ("queue_delivery", "UPDATE session_queue SET delivery_id = NULL WHERE id = 1"),
    ("queue_delivery", "DELETE FROM deliveries WHERE id = 1"),
    # The newest rows.
    ("queue_delivery", "DELETE FROM deliveries WHERE id = (SELECT max(id) FROM deliveries)"),
    ("delivery_input", "DELETE FROM session_queue WHERE id = (SELECT max(id) FROM session_queue)"),
    (
        "task_commit task_base",
        "DELETE FROM commits WHERE seq = (SELECT max(seq) FROM commits)",
    ),
    ("event_task step_task", "DELETE FROM tasks WHERE id = (SELECT max(id) FROM tasks)"),
    ("head_history session_turns", "DELETE FROM session_history WHERE session_label = 'mended'"),
    ("delivery_word", "UPDATE deliveries SET source = 'moon' WHERE id = 1"),
    ("delivery_word", "UPDATE deliveries SET corrected = 'Yes' WHERE id = 1"),
    ("delivery_decision delivery_input", "UPDATE deliveries SET decision = '{' WHERE id = 1"),
    ("delivery_decision", "UPDATE deliveries SET action = 'steer' WHERE id = 1"),
    (
        "delivery_input",
        "UPDATE deliveries SET decision = json_remove(decision, '$.queue_id') WHERE id = 1",
    ),
    ("delivery_input", "DELETE FROM session_queue WHERE id = 1"),
    ("config_value", "UPDATE turnstile_config SET value = 'soon' WHERE session_label = ''"),
    ("config_value", "UPDATE turnstile_config SET value = 'rush' WHERE session_label = 's'"),
    ("config_value", "UPDATE turnstile_config SET key = 'luck' WHERE session_label = ''"),
    ("config_value", "INSERT INTO turnstile_config VALUES ('s', 'request_ttl', 60000)"),
    (
        "config_value",
        "INSERT INTO turnstile_config SELECT alias, 'lease', 60000 FROM session_aliases "
        "WHERE alias NOT IN (SELECT label FROM sessions) LIMIT 1",
    ),
]

NONSENSE = (
    None,
    "",
    "x",
    "{",
    "[[]]",
    '{"turn":"x","kind":7,"messages":{},"earlier":[[]],"held":1}',
    "[" * 5000,
    "a\0b",
    -1,
    0,
    2**63 - 1,
    -(2**63),
    T,
    P,
)


def healthy():
    """In every place where a file can be."""
    suite.sound("healthy", base)
    labels = [row[0] for row in base.execute("SELECT label FROM sessions")]
    suite.check("session by session", [r for i in labels for r in problems(base, i)], [])
    suite.check("a session that is not there", problems(base, "nobody"), [])
    suite.check("an alias is no label", problems(base, "report"), [])
    suite.holds(
        "a label is text",
        error_of(lambda: problems(base, 5)),
        "turnstile_check: label must be text, not 5",
    )
    path = suite.path("healthy.db")
    base.execute("VACUUM INTO ?", (path,))
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    db.enable_load_extension(True)
    db.execute("SELECT load_extension(?, 'sqlite3_turnstile_init')", (lib,))
    suite.check("read-only", problems(db), [])
    db.close()
    db = connect(":memory:", lib)
    asks = "turnstile_check: ", "turnstile_install"
    suite.holds("nothing installed", error_of(problems, db), *asks)
    db.execute("ATTACH ? AS side", (path,))
    suite.holds("not in main", error_of(problems, db), *asks)
    one(db, "SELECT turnstile_use('side')")
    suite.check("attached", problems(db), [])
    db.execute("UPDATE side.sessions SET turns = 99 WHERE label = 's'")
    suite.check(
        "attached, damaged",
        [r[:4] for r in problems(db)],
        [("session_turns", "sessions", "s", "s")],
    )
    one(db, 'SELECT turnstile_install(\'{"prefix":"p_","schema":"main"}\')')
    one(db, "SELECT turnstile_use('main', 'p_')")
    build(db)
    suite.check("with a prefix", problems(db), [])
    db.execute("UPDATE p_sessions SET turns = 99 WHERE label = 's'")
    db.execute("DROP TRIGGER p_tasks_move")
    suite.check(
        "with a prefix, damaged",
        [r[:4] for r in problems(db)],
        [("schema", "p_tasks_move", None, "p_tasks_move"), ("session_turns", "sessions", "s", "s")],
    )
    # What a host adds is its own.
    db = connect(":memory:", lib)
    base.backup(db)
    db.executescript(
        "CREATE TABLE mine(x); CREATE INDEX mine_too ON sessions(persona_id);"
        "CREATE TRIGGER mine_three AFTER INSERT ON sessions BEGIN SELECT 1; END;"
    )
    suite.check("beside other things", problems(db), [])
    db.execute("BEGIN")
    call(db, "session_note", "s", "in a transaction")
    suite.check("in a transaction", problems(db), [])
    db.execute("ROLLBACK")
    rows = db.execute("SELECT count(*) FROM turnstile_check AS a, turnstile_check('s') AS b")
    suite.check("one inside another", rows.fetchall(), [(0,)])


def every_rule():
    """No rule is without a damage and a line in the documentation."""
    folder = os.path.dirname(os.path.dirname(here))
    with open(os.path.join(folder, "sql", "statements", "care", "check.sql")) as file:
        rules = set(re.findall(r"SELECT '(\w+)', '\w+',|SELECT '(session_missing)'", file.read()))
    rules = {a or b for a, b in rules}
    with open(os.path.join(folder, "ext", "care", "check.c")) as file:
        source = file.read()
    rules |= set(re.findall(r'\bname\(found,\s*"(\w+)"', source))
    rules |= set(re.findall(r'addSchemaProblem\(cur,\s*"(\w+)"', source))
    tried = {row[0].split()[0] for row in DAMAGES} | {"task_one_open"}
    suite.check("rules that are damaged", tried ^ rules, set())
    with open(os.path.join(folder, "docs", "checking.md")) as file:
        told = set(re.findall(r"^\| `(\w+)` \|", file.read(), re.M))
    suite.check("rules that are documented", told ^ rules, set())
    suite.check("rules enough", len(rules) > 90)


# What a row of each table needs to be no other session's; a second row of the queue lies in another index.
ROWS_ALONE = [
    ("session_aliases", "alias = 'alone too'"),
    ("tasks", ""),
    ("observations", "task_id = NULL"),
    ("edges", ""),
    ("commits", "id = 'alone'"),
    ("session_events", ""),
    ("session_history", ""),
    ("session_runs", ""),
    ("session_queue", "delivered_at = NULL, status = 'pending'"),
    ("session_queue", "delivered_at = 5, status = 'delivered'"),
    ("deliveries", "message_id = NULL"),
    ("turnstile_config", "key = 'luck'"),
]


def alone():
    """A label that rows of one table alone carry is found among the others and behind them, and so is the next."""
    for table, change in ROWS_ALONE:
        for labels in (["a first"], ["zz last"], ["mid", "mie"]):
            db = damaged(base, "")
            for name, _ in db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                db.execute(f'DROP TRIGGER "{name}"')
            db.execute("PRAGMA ignore_check_constraints = 1")
            key = {"commits": "seq", "session_runs": "", "turnstile_config": "", "edges": "id"}.get(table, "id")
            key = "" if table == "session_aliases" else key
            for label in labels:
                given = ["session_label = :label"] + [change.replace("'alone", f"'alone {label}")] * bool(change)
                given += [f"{key} = (SELECT max({key}) + 1 FROM {table})"] * bool(key)
                db.execute(f"CREATE TEMP TABLE one_row AS SELECT * FROM {table} LIMIT 1")
                db.execute(f"UPDATE one_row SET {', '.join(given)}", {"label": label})
                db.execute(f"INSERT INTO {table} SELECT * FROM one_row")
                db.execute("DROP TABLE one_row")
            found = {(row[1], row[2]) for row in problems(db) if row[2] in labels}
            suite.check(f"alone in {table} ({change}): {labels}", found >= {(table, i) for i in labels})
            db.close()


def given_out():
    """An id that was given out is higher than each that is there; where no row is, that is the first one."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    keys = "branch token task observation edge commit event history delivery input".split()
    for value in (1, 0):
        db.execute("INSERT OR IGNORE INTO turnstile_meta VALUES ('unguarded', 1)")
        for key in keys:
            db.execute("INSERT OR REPLACE INTO turnstile_meta VALUES ('last_' || ?, ?)", (key, value))
        db.execute("DELETE FROM turnstile_meta WHERE key = 'unguarded'")
        found = sorted((row[0], row[3]) for row in problems(db))
        expected = [] if value else sorted(("meta_id", f"last_{key}") for key in keys)
        suite.check(f"ids that were given out, in an empty file: {value}", found, expected)
    db.close()


def words(row):
    """A row as a line."""
    return " | ".join("NULL" if x is None else str(x).encode("unicode_escape").decode() for x in row)


def what_was_said():
    """The lines of check_said.txt by damage."""
    lines, said_of = [], {}
    with open(SAID, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("== "):
                lines = said_of.setdefault(line[3:], [])
            elif line and not line.startswith("#"):
                lines.append(line)
    return said_of


def write_said(said_of):
    with open(SAID, "w", encoding="utf-8") as file:
        file.write("# What turnstile_check says of each damage of check.py: rule | table | label | row | problem\n")
        for what, lines in said_of.items():
            file.write("\n".join([f"\n== {what}", *lines]) + "\n")


def damages():
    told, now = what_was_said() if os.path.exists(SAID) else {}, {}
    labels = [row[0] for row in base.execute("SELECT label FROM sessions UNION SELECT 'gone'")]
    for rules, sql in DAMAGES:
        if only and only not in rules.split():
            continue
        db = damaged(base, sql)
        found = problems(db)
        what = f"{rules.split()[0]}: {sql}"
        suite.check(what, sorted({row[0] for row in found}), sorted(rules.split()))
        lacking = [r for r in found if not all((r[0], r[1], r[3], r[4]))]
        suite.check(f"{what}: texts", lacking, [])
        now[what] = sorted(map(words, found))
        suite.check(f"{what}: what is said", now[what], told.get(what))
        if "schema" in rules:  # a session can't be asked then, or nothing else is
            continue
        for label in labels + ["f\0"]:
            mine = [r for r in found if r[2] == label]
            suite.check(f"{what}: {label}", problems(db, label), mine)
        db.close()
    if not only:
        suite.check("nothing is said of what is no damage", sorted(set(told) - set(now)), [])
    if "--write" in sys.argv:
        write_said(told | now if only else now)


def repaired():
    """Each damage is repaired as docs/checking.md says, by every way that it names."""
    folder = os.path.dirname(os.path.dirname(here))
    with open(os.path.join(folder, "docs", "checking.md")) as file:
        told = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", file.read(), re.M))
    suite.check("rules with a repair", set(REPAIRS) ^ set(told), set())
    for rule, ways in REPAIRS.items():
        for way in ways:
            kind = re.match(r"\w+", way)[0]
            suite.holds(f"{rule} is repaired as the page says", told.get(rule, ""), kind)
    schema = one(base, "SELECT turnstile_schema()")
    path = suite.path("backup.db")
    base.execute("VACUUM INTO ?", (path,))
    for rules, sql in DAMAGES:
        if only and only not in rules.split():
            continue
        for way in range(len(REPAIRS[rules.split()[0]])):
            db = damaged(base, sql)
            db.execute("ATTACH ? AS backup", (path,))
            repair(db, rules.split()[0], way, schema)
            suite.check(f"repaired, {way}: {sql}", [r[:5] for r in problems(db)][:4], [])
            guards = one(db, "SELECT count(*) FROM turnstile_meta WHERE key = 'unguarded'")
            suite.check(f"repaired, {way}: {sql}: the guards", guards, 0)
            db.close()


def repair(db, first, way, schema):
    """Repairs what is told, and what is told then. Of the first rule the way that is asked for."""
    for _ in range(60):
        found = problems(db)
        if not found:
            return
        for row in sorted(found, key=lambda r: r[0] != first):
            ways = REPAIRS[row[0]]
            # What can't be put right in one way is put right in the other.
            todo = ways[way] if row[0] == first and way < len(ways) else ways[0]
            way = (way + 1) % len(ways) if row[0] == first else way
            db.execute("BEGIN")  # not IMMEDIATE, which would lock the backup too
            if one(db, "SELECT 1 FROM sqlite_schema WHERE name = 'turnstile_meta'"):
                db.execute("INSERT OR IGNORE INTO turnstile_meta VALUES ('unguarded', 1)")
            try:
                apply(db, todo, row, schema)
            except sqlite3.IntegrityError:  # a unique index can't be made while its rows are double
                db.execute("ROLLBACK")
                continue
            db.execute("DELETE FROM turnstile_meta WHERE key = 'unguarded'")
            db.execute("COMMIT")
            break


def remade():
    """Each table, index, view, guard and the door, in main and with a prefix in an attached file: dropped,
    named, and made anew by its statement of turnstile_schema()."""
    for where, prefix in (("main", ""), ("side", "p_")):
        db = connect(":memory:", lib)
        if where == "side":
            db.execute("ATTACH ':memory:' AS side")
        options = json.dumps({"schema": where, "prefix": prefix})
        one(db, "SELECT turnstile_install(?)", options)
        one(db, "SELECT turnstile_use(?, ?)", where, prefix)
        build(db)
        schema = one(db, "SELECT turnstile_schema(?)", options)
        path = suite.path(f"{where}.db")
        db.execute(f"VACUUM {where} INTO ?", (path,))
        db.execute("ATTACH ? AS backup", (path,))
        things = db.execute(
            f"SELECT type, name FROM {where}.sqlite_schema WHERE name NOT LIKE 'sqlite_%' "
            "ORDER BY type"
        ).fetchall()
        suite.check(f"{where}: things enough", len(things) > 150)
        for kind, name in things:
            db.execute("BEGIN")
            db.execute(f'DROP {kind} {where}."{name}"')
            if name == prefix + "turnstile_meta":  # without it nothing is installed
                suite.holds(f"{where}: {name} is missed", error_of(problems, db), "is not installed")
                remake(db, name, schema, prefix, where)
            else:
                told = one(db, "SELECT 1 FROM turnstile_check WHERE ref = ? LIMIT 1", name)
                suite.check(f"{where}: {name} is missed", told, 1)
            for _ in range(60):  # what is wrong with the schema is told first
                first = db.execute(f"{CHECK} LIMIT 1").fetchone()
                if not first or first[0] != "schema":
                    break
                remake(db, first[3], schema, prefix, where)
            suite.check(f"{where}: {name} is there again", first, None)
            db.execute("ROLLBACK")
        suite.check("a name that is nothing", statement_of(schema, "nothing"), None)
        one(db, "SELECT turnstile_use('main')")


# What a stranger can put behind a column's type, and what it does: other rows are found, or taken for the same;
# a row that is written drops another, or is dropped; rows go with others.
CLAUSES = (
    "COLLATE NOCASE",
    "UNIQUE ON CONFLICT REPLACE",
    "UNIQUE ON CONFLICT IGNORE",
    "NOT NULL ON CONFLICT IGNORE",
    "CHECK (1)",
    "REFERENCES sessions(label) ON DELETE CASCADE",
)
CONSTRAINTS = (
    ", UNIQUE({}) ON CONFLICT REPLACE",
    ", FOREIGN KEY({}) REFERENCES sessions(label) ON DELETE CASCADE",
    ", CONSTRAINT c CHECK ({} <> 'a')",
    ", theirs TEXT UNIQUE ON CONFLICT REPLACE",
)


def other_sql(kind, sql):
    """The SQL of one of our objects in other words that SQLite takes, a few that differ from object to object."""
    found = list(re.finditer(r'\n +("?\w+"?) +(?:TEXT|INTEGER|REAL|ANY)\b', sql)) if kind == "table" else []
    for i, column in enumerate(found[: len(CLAUSES)]):
        clause = CLAUSES[(i + len(sql)) % len(CLAUSES)]
        yield f"{column[1]} {clause}", f"{sql[:column.end()]} {clause}{sql[column.end():]}"
    for constraint in CONSTRAINTS if found else ():
        constraint = constraint.format(found[-1][1])
        behind = sql.rindex(")")
        yield constraint, sql[:behind] + constraint + sql[behind:]
    key = re.search("PRIMARY KEY(?! *[(])", sql)
    if key:
        yield "another key", f"{sql[:key.end()]} ON CONFLICT REPLACE{sql[key.end():]}"
    if kind in ("index", "trigger"):
        # In quotes it is a name, and for want of a column that is called so, a text, which is never true.
        condition = re.search(r"\b(WHERE|WHEN) +(?!\()((?:.(?!\bBEGIN\b))+)", sql, re.DOTALL)
        if condition and '"' not in condition[2]:
            yield "a quoted condition", f'{sql[:condition.start(2)]}"{condition[2]}"{sql[condition.end(2):]}'
    for word in ("NULL", "1"):
        place = re.search(rf"(?<=[=> ]){word}(?=[ );\n]|$)", re.sub("--.*", lambda m: "-" * len(m[0]), sql))
        if place and kind != "table":
            yield f"{word} in quotes", f'{sql[:place.start()]}"{word}"{sql[place.end():]}'


def put_right(db, schema):
    """A table whose labels are the same in capitals: its rows are copied, and put back into one of ours."""
    sql = one(db, "SELECT sql FROM sqlite_schema WHERE name = 'session_aliases'")
    db.executescript(
        "DROP TABLE session_aliases;"
        + sql.replace("session_label TEXT", "session_label TEXT COLLATE NOCASE")
        + "; INSERT INTO session_aliases VALUES('nick', 's', 'manual', 1767225600000);"
        "INSERT INTO sessions(label, created_at, updated_at, last_activity) VALUES('s', 1, 1, 1);"
    )
    suite.check("another collation", db.execute(CHECK).fetchone()[::3], ("schema", "session_aliases"))
    db.executescript(
        "ATTACH ':memory:' AS backup; CREATE TABLE backup.session_aliases AS SELECT * FROM main.session_aliases;"
        "DROP TABLE main.session_aliases"
    )
    for _ in range(60):
        first = db.execute(f"{CHECK} LIMIT 1").fetchone()
        if not first or first[0] != "schema":
            break
        remake(db, first[3], schema, "", "main")
    told = [row[0] for row in db.execute(CHECK).fetchall() if not row[0].startswith("session_")]
    suite.check("its rows are back", told, [])
    suite.check("as they were", one(db, "SELECT session_label FROM session_aliases"), "s")


def altered():
    """Our tables, indexes, views and guards in other words: the columns are there, and what they do is something
    else. And what an application may do to them is no matter."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    things = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    image = db.serialize()
    tried = {}
    for kind, name, sql in things:
        for what, other in other_sql(kind, sql):
            db = connect(":memory:", lib)
            db.deserialize(image)
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE type = ? AND name = ?", (other, kind, name))
            told = error_of(lambda: db.execute("PRAGMA writable_schema = RESET").fetchall())
            told = told or error_of(lambda: tried.update({what: db.execute(CHECK).fetchone()}))
            if not told:  # else SQLite itself refuses it
                rule = (tried[what] or [None])[0]
                suite.check(f"{kind} {name}: {what}", rule in ("schema", "schema_version"))
                tried[kind] = tried.get(kind, 0) + 1
            db.close()
    for kind, least in (("table", 150), ("index", 20), ("trigger", 20), ("view", 4)):
        suite.check(f"{kind}: enough were tried", tried.get(kind, 0) >= least)
    db = connect(":memory:", lib)
    db.deserialize(image)
    put_right(db, one(db, "SELECT turnstile_schema()"))
    db = connect(":memory:", lib)
    db.deserialize(image)
    for table, column in (
        ("steps", "\"unique\" TEXT COLLATE NOCASE DEFAULT ('a,' || (1 + (2)))"),
        ("steps", "[primary, key] ANY CONSTRAINT c CHECK (1) REFERENCES tasks(id) ON DELETE SET NULL"),
        ("messages", "mine TEXT AS (role || ')') VIRTUAL /* UNIQUE ( */"),
        ("turnstile_meta", "mine INTEGER NOT NULL DEFAULT 1"),
    ):
        db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
        suite.check(f"a column of an application: {column}", db.execute(CHECK).fetchall(), [])
    for table, column in (("tasks", "description"), ("steps", "task_id"), ("session_events", '"trigger"')):
        db.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO another")
        db.execute(f"ALTER TABLE {table} RENAME COLUMN another TO {column}")
        suite.check(f"{column} has its name again", db.execute(CHECK).fetchall(), [])
    db.execute("ALTER TABLE steps RENAME TO another")
    db.execute("ALTER TABLE another RENAME TO steps")
    suite.check("a table has its name again", db.execute(CHECK).fetchall(), [])


def nonsense():
    """Two rows of each column of each table hold some kind of nonsense: problems or nothing come of
    it, without much more work than a healthy file takes, and never an error."""
    slowest, tried = 0, 0
    began = time.process_time()
    for _ in range(5):
        problems(base)
    healthy = (time.process_time() - began) / 5
    r = random.Random(7)
    tables = base.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    db = damaged(base, "")
    triggers = db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for (trigger,) in triggers:
        db.execute(f'DROP TRIGGER "{trigger}"')
    for (table,) in tables:
        if table.startswith("sqlite_"):
            continue
        columns = db.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
        for column in [c[1] for c in columns if c[6] == 0]:
            for value in r.sample(NONSENSE, 4):
                db.execute("BEGIN")
                rows = one(db, f'SELECT count(*) FROM "{table}"')
                sql = f'UPDATE OR IGNORE "{table}" SET "{column}" = ?'
                if rows > 1 and "WITHOUT ROWID" not in one(
                    db, "SELECT sql FROM sqlite_schema WHERE name = ?", table
                ):
                    sql += f' WHERE rowid IN (SELECT rowid FROM "{table}" LIMIT 2)'
                try:
                    db.execute(sql, (value,))
                except (sqlite3.Error, OverflowError):
                    db.execute("ROLLBACK")
                    continue
                began = time.process_time()
                error = error_of(lambda: db.execute(CHECK).fetchall())
                slowest = max(slowest, time.process_time() - began)
                tried += 1
                suite.check(f"{table}.{column} = {str(value)[:60]!r}", error, None)
                db.execute("ROLLBACK")
    suite.check("columns were tried", tried > 300)
    suite.check("none took long", slowest < 30 * healthy)


def cut():
    """A long text is cut where a problem quotes it, each at a round length."""
    db, lengths = damaged(base, ""), {}
    for (trigger,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f'DROP TRIGGER "{trigger}"')
    for (table,) in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        columns = db.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
        for column in [c[1] for c in columns if c[6] == 0 and c[2] == "TEXT"]:
            db.execute("BEGIN")
            db.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ?', ("x" * 100,))
            for rule, _, _, _, problem in problems(db):
                for run in re.findall("x{20,}", problem):
                    lengths.setdefault(len(run), set()).add(rule)
            db.execute("ROLLBACK")
    suite.check("lengths to which a text is cut", sorted(lengths), [40, 60, 80, 100])
    suite.check("rules that quote a text", len(lengths[60]) > 30)


def steps(db, label):
    count = [0]

    def tick():
        count[0] += 1

    problems(db, label)
    db.set_progress_handler(tick, 1)
    problems(db, label)
    db.set_progress_handler(None, 0)
    return count[0]


def cost():
    db = connect(":memory:", lib)
    base.backup(db)

    def add(first, last):
        db.execute("BEGIN")
        for i in range(first, last):
            call(db, "turn_append", f"n{i}", said("n"))
            call(db, "session_deliver", f"n{i}", "write it", {"class": "NewTask"})
        db.execute("COMMIT")

    add(0, 20)
    before, whole = steps(db, "s"), steps(db, None)
    add(20, 420)
    after = steps(db, "s")
    suite.check("one session costs the same beside others", after <= before * 1.05)
    each = (steps(db, None) - whole) / 400
    suite.check("a further session costs the same", each < 6000)
    add(420, 820)
    suite.check("and the next ones too", (steps(db, None) - whole) / 800 < each * 1.1)


base = connect(":memory:", lib)
one(base, "SELECT turnstile_install()")
build(base)
if not only:
    healthy()
    every_rule()
    alone()
    given_out()
# Each row of message_rules is tried with each look at the file; a few of each kind tell as much.
base.execute("DELETE FROM message_rules WHERE id > 9 AND id % 12")
damages()
repaired()
if not only:
    remade()
    altered()
    nonsense()
    cut()
    cost()
suite.done()
