"""What docs/checking.md says to do about each rule, as SQL.

A repair is run in a transaction with the guards open, with a backup attached as `backup`. Its first word
is the one by which the page calls it: correct, drop, restore, remake, or the command that it names. It
knows no more than a person who has the file, the problem and the backup.
"""

import re
import sqlite3

# What follows from other rows.
LAST_EVENT = (
    "(SELECT to_state FROM session_events AS e WHERE {which} AND axis = '{axis}' "
    "ORDER BY id DESC LIMIT 1)"
)
LAST_TASK = LAST_EVENT.format(which="e.task_id = tasks.id", axis="task")
LAST_STATUS = LAST_EVENT.format(which="e.session_label = label", axis="status")
LAST_RUN = LAST_EVENT.format(which="e.session_label = session_runs.session_label", axis="run")
A_TOKEN = "unixepoch() * 1000"  # higher than any that was given out
HEAD = (
    "UPDATE sessions SET thread_id = (SELECT nullif(thread_id, 0) FROM session_history "
    "WHERE session_label = label ORDER BY id DESC LIMIT 1)"
)
NO_CHOICE = (
    "INSERT INTO session_events(session_label, axis, from_state, \"trigger\", at) "
    "SELECT label, 'choice', (SELECT to_state FROM session_events WHERE session_label = label AND "
    "axis = 'choice' ORDER BY id DESC LIMIT 1), 'expire', updated_at FROM sessions WHERE label = :label;"
    "UPDATE sessions SET pending_choice = NULL WHERE label = :label"
)
TURN_PARENT = (
    "UPDATE turns SET parent_turn_id = iif(id & 16777215 = (SELECT first_depth FROM branches AS b "
    "WHERE b.id = turns.id >> 24), (SELECT parent_turn_id FROM branches AS b WHERE b.id = "
    "turns.id >> 24), id - 1) WHERE id = :ref"
)
BRANCH = (
    "UPDATE branches SET parent_turn_id = (SELECT parent_turn_id FROM turns WHERE turns.id >> 24 = "
    "branches.id ORDER BY turns.id LIMIT 1), first_depth = (SELECT min(turns.id) & 16777215 FROM "
    "turns WHERE turns.id >> 24 = branches.id), closed = closed <> 0 WHERE id = :ref;"
    "UPDATE branches SET level = ifnull((SELECT p.level + 1 FROM branches AS p WHERE p.id = "
    "branches.parent_turn_id >> 24), 0) WHERE id = :ref"
)
JUMP = (
    "UPDATE branches SET (jump_id, jump_depth) = (SELECT iif(p.level - j.level = j.level - k.level, "
    "k.id, p.id), iif(p.level - j.level = j.level - k.level, k.first_depth, p.first_depth) FROM "
    "branches AS p LEFT JOIN branches AS j ON j.id = p.jump_id LEFT JOIN branches AS k ON "
    "k.id = j.jump_id WHERE p.id = branches.parent_turn_id >> 24) WHERE id = :ref"
)
TURNS_OF_REF = "place >> 12 = CAST(:ref AS INTEGER) >> 12"
A_DELIVERY = "restore deliveries session_queue"
LABELLED = (
    "tasks observations edges commits session_events session_history session_runs session_queue "
    "deliveries"
).split()

# By rule: what to do; where the page names two ways, both.
REPAIRS = {
    "schema": ["remake"],
    "schema_version": [
        "correct: REPLACE INTO turnstile_meta VALUES ('schema_version', :version)"
    ],
    "guards_open": ["drop: DELETE FROM turnstile_meta WHERE key = 'unguarded'"],
    "meta": ["correct: REPLACE INTO turnstile_meta VALUES (:ref, 1000000)"],
    "meta_id": ["drop: DELETE FROM turnstile_meta WHERE key = :ref"],
    "transition": ["remake state_transitions"],
    "rule_value": ["drop: DELETE FROM message_rules WHERE id = :ref"],
    "policy_value": ["drop: DELETE FROM session_policies WHERE id = :ref"],
    "request_value": ["drop: DELETE FROM turnstile_requests WHERE request_id = :ref"],
    "deleted_message": ["drop: DELETE FROM deleted_messages WHERE substr(id, 1, 60) = :ref"],
    "identity_value": [
        "correct: UPDATE identities SET envelope = NULL, entity_id = 'rosa' WHERE channel || ' ' || "
        "sender_id = :ref",
        "identity_unlink: SELECT identity_unlink('wa', '1')",
    ],
    "config_value": ["drop: DELETE FROM turnstile_config WHERE key = :ref AND session_label = ifnull(:label, '')"],
    "object_hash": ["restore objects"],
    "object_size": ["restore objects"],
    "object_unused": ["drop: DELETE FROM objects WHERE id = :ref"],
    "step_task": ["drop: DELETE FROM steps WHERE id = :ref"],
    "observation_task": [
        "correct: UPDATE observations SET task_id = (SELECT task_id FROM steps WHERE id = step_id) "
        "WHERE id = :ref AND step_id IS NOT NULL; UPDATE observations SET session_label = (SELECT "
        "session_label FROM tasks WHERE id = task_id) WHERE id = :ref",
    ],
    "branch_parent": [f"correct: {BRANCH}"],
    "branch_jump": [f"correct: {JUMP}"],
    "branch_gap": [
        "restore branches turns messages tool_calls: DELETE FROM branches WHERE id = :ref AND NOT "
        "EXISTS (SELECT 1 FROM turns WHERE turns.id >> 24 = branches.id)"
    ],
    "branch_closed": [f"correct: {BRANCH}"],
    "turn_branch": [
        "restore: INSERT OR IGNORE INTO branches SELECT id >> 24, NULL, id & 16777215, 0, NULL, NULL, 0 "
        f"FROM turns WHERE id = :ref; {BRANCH.replace(':ref', 'CAST(:ref AS INTEGER) >> 24')};"
        f"{JUMP.replace(':ref', 'CAST(:ref AS INTEGER) >> 24')}"
    ],
    "turn_parent": [f"correct: {TURN_PARENT}"],
    "turn_word": [
        "correct: UPDATE turns SET source = 'user', phase = iif(status = 'running', 'processing', NULL) "
        "WHERE id = :ref"
    ],
    "turn_status": [
        "correct: UPDATE turns SET phase = NULL, completed_at = ifnull(completed_at, started_at) "
        "WHERE id = :ref AND status <> 'running'"
    ],
    "turn_range": [
        "correct: UPDATE turns SET started_at = max(started_at, 0), total_tokens = max(total_tokens, 0) "
        "WHERE id = :ref"
    ],
    "turn_context": [
        "correct: UPDATE turns SET context_turn_id = iif(turn_type = 'compaction', id, (SELECT "
        "p.context_turn_id FROM turns AS p WHERE p.id = turns.parent_turn_id)) WHERE id = :ref"
    ],
    "turn_tokens": [
        "correct: UPDATE turns SET thread_tokens = (SELECT p.thread_tokens FROM turns AS p WHERE "
        "p.id = turns.parent_turn_id) WHERE id = :ref"
    ],
    "turn_resumes": ["correct: UPDATE turns SET resumes_turn_id = NULL WHERE id = :ref"],
    "turn_answers": ["correct: UPDATE turns SET answers_turn_id = NULL WHERE id = :ref"],
    "turn_run": ["turnstile_startup: SELECT turnstile_startup(NULL, '{\"all\":1}')"],
    "turn_empty": ["restore messages tool_calls"],
    "compaction_turn": [
        "drop: DELETE FROM compactions WHERE turn_id NOT IN (SELECT id FROM turns)",
        "restore turns compactions",
    ],
    "compaction_word": [
        "correct: UPDATE compactions SET compaction_type = iif(first_kept_turn_id IS NULL, 'full', "
        "'partial'), \"trigger\" = 'manual' WHERE turn_id = :ref"
    ],
    "compaction_recovered": ["correct: UPDATE compactions SET recovered_turn_id = NULL WHERE turn_id = :ref"],
    "compaction_kept": ["restore compactions"],
    "message_turn": [
        "drop: DELETE FROM messages WHERE place = :ref; DELETE FROM tool_calls WHERE place = :ref"
    ],
    "message_gap": [
        f"restore messages tool_calls: DELETE FROM messages WHERE {TURNS_OF_REF}; DELETE FROM tool_calls WHERE {TURNS_OF_REF}"
    ],
    "message_word": ["correct: UPDATE messages SET role = 'user', metadata = NULL WHERE place = :ref"],
    "call_status": [
        "correct: UPDATE tool_calls SET completed_at = started_at WHERE place = :ref AND "
        "completed_at IS NULL; UPDATE tool_calls SET params = '{}' WHERE place = :ref AND NOT "
        "json_valid(params)"
    ],
    "call_id": ["correct: UPDATE tool_calls SET id = id || ' again' WHERE place = :ref"],
    "session_missing": ["drop: " + "; ".join(
        f"DELETE FROM {t} WHERE session_label = :label" for t in LABELLED)],
    "session_label": [
        "correct: UPDATE sessions SET label = substr(label, 1, instr(label, char(0)) - 1) "
        "WHERE label = :label"
    ],
    "session_word": ["correct: UPDATE sessions SET origin = 'user', queue_mode = NULL WHERE label = :label"],
    "session_range": [
        "correct: UPDATE sessions SET created_at = max(created_at, 0), total_tokens = "
        "max(total_tokens, 0) WHERE label = :label"
    ],
    "session_waits": [
        "correct: UPDATE sessions SET waits = EXISTS (SELECT 1 FROM session_queue WHERE "
        "session_label = label AND status = 'pending' AND delivered_at IS NULL) WHERE label = :label"
    ],
    "session_archived": [
        "correct: UPDATE sessions SET archived_at = iif(status = 'archived', updated_at, NULL) "
        "WHERE label = :label"
    ],
    "session_status": [f"correct: UPDATE sessions SET status = {LAST_STATUS} WHERE label = :label"],
    "session_open_task": [
        "correct: UPDATE sessions SET open_task_id = (SELECT id FROM tasks WHERE session_label = label "
        "AND ended_at IS NULL) WHERE label = :label"
    ],
    "session_turns": [
        "correct: UPDATE sessions SET turns = (SELECT count(*) FROM session_history WHERE session_label "
        "= label AND reason IN ('append', 'complete', 'abort')) WHERE label = :label"
    ],
    "head_on_path": [f"correct: {HEAD} WHERE label = :label"],
    "head_history": [f"correct: {HEAD} WHERE label = :label"],
    "history_word": ["correct: UPDATE session_history SET reason = 'append' WHERE id = :ref"],
    "history_turn": ["restore session_history"],
    "worker": ["correct: UPDATE sessions SET is_subagent = task_status IS NOT NULL WHERE label = :label"],
    "worker_status": [
        "correct: UPDATE sessions SET task_status = CASE (SELECT state FROM tasks WHERE id = open_task_id) "
        "WHEN 'Complete' THEN 'completed' WHEN 'Aborted' THEN 'failed' ELSE 'running' END WHERE label = :label"
    ],
    "worker_deadline": ["correct: UPDATE sessions SET deadline = NULL, timeout = NULL WHERE label = :label"],
    "session_parent": [
        "correct: UPDATE sessions SET parent_session_label = NULL, parent_turn_id = NULL "
        "WHERE label = :label"
    ],
    "superseded_flat": [
        "correct: UPDATE sessions SET superseded_by = (SELECT session_label FROM session_aliases "
        "WHERE alias = label) WHERE label = :label"
    ],
    "superseded_alias": [
        "correct: INSERT INTO session_aliases SELECT label, superseded_by, 'identity_merge', updated_at "
        "FROM sessions WHERE label = :label AND open_task_id IS NULL ON CONFLICT(alias) DO UPDATE SET "
        "session_label = excluded.session_label"
    ],
    "superseded_waits": ["correct: UPDATE sessions SET superseded_by = NULL WHERE label = :label"],
    "choice_kind": [f"correct: {NO_CHOICE}"],
    "choice_event": ["restore sessions", f"correct: {NO_CHOICE}"],
    "choice_delivery": [f"correct: {NO_CHOICE}"],
    "choice_task": [f"correct: {NO_CHOICE}"],
    "choice_twice": [
        f"correct: {NO_CHOICE}",
        "queue_cancel: SELECT queue_cancel((SELECT q.id FROM session_queue AS q JOIN sessions AS s ON s.label = "
        "q.session_label WHERE s.label = :label AND q.delivery_id = s.pending_choice ->> '$.delivery_id'))",
    ],
    "choice_released": [
        "correct: INSERT INTO session_queue(session_label, delivery_id, source, channel, sender, "
        "enqueued_at, message, status) SELECT session_label, id, source, channel, sender, at, message, "
        "'pending' FROM deliveries WHERE id = (SELECT data ->> '$.delivery_id' FROM session_events WHERE "
        "id = :ref)"
    ],
    "alias_target": [
        "drop: DELETE FROM session_aliases WHERE alias = :ref",
        "session_alias: SELECT session_alias('report', 's')",
    ],
    "alias_label": ["drop: DELETE FROM session_aliases WHERE alias = :ref"],
    "alias_word": ["correct: UPDATE session_aliases SET reason = 'manual' WHERE alias = :ref"],
    "task_word": [f"correct: UPDATE tasks SET state = {LAST_TASK} WHERE id = :ref"],
    "task_ended": [
        f"correct: UPDATE tasks SET state = {LAST_TASK} WHERE id = :ref; UPDATE tasks SET ended_at = "
        "iif(state = 'None', ifnull(ended_at, last_activity), NULL) WHERE id = :ref"
    ],
    "task_range": ["correct: UPDATE tasks SET started_at = max(started_at, 0) WHERE id = :ref"],
    "task_one_open": [
        "drop: DELETE FROM tasks WHERE session_label = :label AND ended_at IS NULL AND id NOT IN "
        "(SELECT open_task_id FROM sessions WHERE label = :label)"
    ],
    "task_state_data": [
        "correct: UPDATE tasks SET state_data = (SELECT data FROM session_events AS e WHERE e.task_id = "
        "tasks.id AND axis = 'task' ORDER BY id DESC LIMIT 1) WHERE id = :ref"
    ],
    "task_event": [f"correct: UPDATE tasks SET state = ifnull({LAST_TASK}, state) WHERE id = :ref"],
    "task_worked": ["correct: UPDATE tasks SET worked = 1 WHERE id = :ref"],
    "task_asked": [
        "correct: UPDATE tasks SET asked_after = iif(state IN ('AwaitingUser', 'PendingComplete'), "
        "(SELECT ifnull(max(id), 0) FROM deliveries), NULL) WHERE id = :ref"
    ],
    "task_commit": [
        "correct: UPDATE tasks SET commit_id = (SELECT id FROM commits WHERE task_id = tasks.id) "
        "WHERE id = :ref"
    ],
    "task_base": ["restore tasks commits"],
    "task_head": ["restore tasks steps"],
    "task_unflushed": ["restore observations edges"],
    "step_chain": ["restore steps"],
    "step_word": ["restore steps"],
    "step_payload": ["restore steps observations edges"],
    "step_hash": ["restore steps tasks"],
    "observation_word": ["restore observations"],
    "observation_step": ["restore observations steps"],
    "observation_object": ["restore objects"],
    "observation_hash": ["restore observations objects"],
    "commit_chain": ["restore commits"],
    "commit_task": [
        "correct: UPDATE commits SET task_id = (SELECT id FROM tasks WHERE commit_id = commits.id) "
        "WHERE seq = :ref AND EXISTS (SELECT 1 FROM tasks WHERE commit_id = commits.id)"
    ],
    "commit_data": ["restore commits"],
    "commit_hash": ["restore commits tasks"],
    "edge_value": ["correct: UPDATE edges SET weight = 1 WHERE id = :ref", "restore edges"],
    "edge_step": ["restore edges steps"],
    "event_word": ["restore session_events"],
    "event_move": ["restore session_events"],
    "event_chain": ["restore session_events"],
    "worker_report": ["drop: DELETE FROM session_events WHERE id = :ref"],
    "event_task": ["restore session_events tasks sessions"],
    "event_turn": ["restore session_events"],
    "run_missing": [
        "turnstile_startup: SELECT turnstile_startup(NULL, '{\"all\":1}'); INSERT OR IGNORE INTO "
        f"session_runs(session_label, token) VALUES (:label, {A_TOKEN})"
    ],
    "run_word": [
        f"correct: UPDATE session_runs SET run_state = {LAST_RUN}, token = iif(token < 0, {A_TOKEN}, "
        "token) WHERE session_label = :label"
    ],
    "run_event": [
        f"correct: UPDATE session_runs SET run_state = {LAST_RUN} WHERE session_label = :label",
    ],
    "run_turn": ["turnstile_startup: SELECT turnstile_startup(NULL, '{\"all\":1}')"],
    "run_lease": ["turnstile_startup: SELECT turnstile_startup(NULL, '{\"all\":1}')"],
    "run_failed_turn": [
        "correct: UPDATE session_runs SET failed_turn_id = NULL WHERE session_label = :label"
    ],
    "queue_word": [
        "correct: UPDATE session_queue SET mode = NULL, status = iif(delivered_at IS NULL, 'pending', "
        "'delivered') WHERE id = :ref"
    ],
    "queue_delivered": ["correct: UPDATE session_queue SET attempts = max(attempts, 0) WHERE id = :ref"],
    "queue_turn": [
        "turnstile_startup: SELECT turnstile_startup(); UPDATE session_queue SET turn_id = NULL "
        "WHERE id = :ref AND status IN ('failed', 'pending')"
    ],
    "queue_exempt": ["correct: UPDATE session_queue SET exempt = 1 WHERE id = :ref"],
    "queue_due": [
        "correct: UPDATE session_queue SET due_at = NULL, due_after = NULL WHERE id = :ref"
    ],
    "queue_awaits": ["correct: UPDATE session_queue SET awaits_turn = 1 WHERE id = :ref"],
    "queue_shown": ["correct: UPDATE session_queue SET shown_turn_id = NULL WHERE id = :ref"],
    "queue_task": ["correct: UPDATE session_queue SET task_id = 0 WHERE id = :ref"],
    "queue_error": ["correct: UPDATE session_queue SET error = 'unknown' WHERE id = :ref"],
    "queue_said": [
        "correct: UPDATE session_queue SET said_in = nullif((SELECT session_label FROM deliveries "
        "WHERE id = delivery_id), session_label) WHERE id = :ref"
    ],
    "queue_delivery": [A_DELIVERY],
    "delivery_word": ["correct: UPDATE deliveries SET source = 'user', corrected = NULL WHERE id = :ref"],
    "delivery_decision": [A_DELIVERY],
    "delivery_input": [A_DELIVERY],
}


def columns(db, table):
    rows = db.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
    return ", ".join(f'"{r[1]}"' for r in rows if r[6] == 0)


def restore(db, tables):
    """Rows of the backup stand where others with their keys are, or none."""
    for table in tables:
        names = columns(db, table)
        db.execute(
            f'REPLACE INTO main."{table}"({names}) SELECT {names} FROM backup."{table}"'
        )


def statement_of(schema, name):
    """The statement of turnstile_schema() that makes this table, index, view or trigger."""
    found = re.search(rf'^CREATE (?:UNIQUE )?(\w+) "\w+"\."{name}"', schema, re.M)
    if not found:
        return None
    end = found.start()
    while True:
        end = schema.index(";\n", end) + 1
        text = schema[found.start() : end]
        if sqlite3.complete_statement(text):
            return text, found[1]


def remake(db, name, schema, prefix="", where="main"):
    """Runs the statement of turnstile_schema() for this name; a table gets its rows from the backup, and
    what hung on it is missing then."""
    text, kind = statement_of(schema, name)
    if one_of(db, f"SELECT 1 FROM \"{where}\".sqlite_schema WHERE name = '{name}'"):
        db.execute(f'DROP {kind} "{where}"."{name}"')
    db.execute(text)
    if kind == "TABLE":
        names = columns(db, name)
        db.execute(f'INSERT INTO "{where}"."{name}"({names}) SELECT {names} FROM backup."{name}"')


def one_of(db, sql):
    return db.execute(sql).fetchone()


def apply(db, repair, row, schema):
    """Runs a repair for one row of turnstile_check."""
    rule, _, label, ref = row[:4]
    words, _, sql = repair.partition(": ")
    kind, *tables = words.split()
    version = int(re.search(r"\('schema_version', (\d+)\)", schema)[1])
    values = {"label": label, "ref": ref, "version": version}
    if repair == "remake" and not statement_of(schema, ref):  # a host's, in the way of a function
        db.execute("PRAGMA legacy_alter_table = ON")
        db.execute(f'ALTER TABLE "{ref}" RENAME TO "my_{ref}"')
    elif repair == "remake":
        remake(db, ref, schema)
    elif kind == "remake":
        db.execute(f"DELETE FROM {tables[0]}")
        db.execute(re.search(rf'^INSERT INTO "\w+"\."{tables[0]}".*?;$', schema, re.S | re.M)[0])
    for text in sql.split(";") if sql else ():
        db.execute(text, {k: v for k, v in values.items() if f":{k}" in text}).fetchall()
    if kind == "restore":
        restore(db, tables)
