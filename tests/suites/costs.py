#!/usr/bin/env python3
"""costs.py - no command gets slower by what lies in the file.

    tests/suites/costs.py BUILDDIR [rows [deep rows [part of a shape's name]]]

A small file and a large one of the same shape, the same call in both, and what SQLite had to do for it,
counted in steps of its virtual machine (nested statements too): the large file may cost a few steps
more for deeper indexes, and no more. Commands come from matrix.py, whose suite fails without a call of
every command; functions, table-valued functions and views come from the library itself, so that a new
one has to be looked at here. What is linear by its nature stands in LINEAR with its unit.

WIDE gives the file many of one thing each (sessions, groups, aliases, requests, …), DEEP gives each
session of the prepared file a long past. A file is made once, by plain SQL, and looked at without
statistics, with those of the time when it was small, and with its own.

    tests/suites/costs.py build 1000000 50000        a million rows of each, 50,000 for each session
"""
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import matrix  # noqa: E402
from harness import Suite, error_of, library, query_of, steps  # noqa: E402

NOW, DAY = matrix.NOW, matrix.DAY
OLD = NOW - 400 * DAY
SMALL = 20
SLACK = 400  # steps: deeper trees, and counting up to a limit that both files reach
SAMPLE = 2500  # rows of the file that a large one is compared with: what counts to a thousand has got there
# Steps of counting to a thousand in five rows: so much more, where so few rows were asked for that what
# counts has not come so far.
SLACK_COUNTING = 46000
COUNTING = ("session_overview", "session_recover", "session_progress", "commit_log")

suite = Suite("costs")


def check(name, good, detail):
    return suite.check(name, bool(good) or detail)


# ---- Files ------------------------------------------------------------------------------------------

# :n rows each. Ids below 0 are older than everything that the prepared file holds.
SEQ = "WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < :n) "
SESSION = "sessions(label, status, open_task_id, pending_choice, superseded_by, is_subagent, parent_session_label, task_status, parent_turn_id, origin, created_at, updated_at, last_activity)"


def many_sessions(prefix, status="active", open_task="NULL", choice="NULL", successor="NULL", worker=0,
                  parent="NULL", done="NULL", turn="NULL", origin="user", at=OLD):
    return (SEQ + f"INSERT INTO {SESSION} SELECT '{prefix}' || i, '{status}', {open_task}, {choice}, {successor}, "
            f"{worker}, {parent}, {done}, {turn}, '{origin}', {at}, {at}, {at} - i FROM i")


TASK = "tasks(id, session_label, description, state, state_data, started_at, last_activity, ended_at, head_step_id)"
QUEUE = "session_queue(id, session_label, delivery_id, source, status, enqueued_at, delivered_at, message, mode)"
CHOICE = """'{"kind":"stale","text":"?","options":[],"opened_at":1}'"""

THREAD = "(SELECT thread_id AS head FROM sessions WHERE label = 't')"

WIDE = {
    "idle sessions": [many_sessions("dm:x:", at=NOW - 2 * DAY)],
    "idle groups": [many_sessions("group:x:")],
    "archived sessions": [many_sessions("arch", "archived")],
    "sessions with a setting of their own": [
        many_sessions("own"),
        SEQ + "INSERT INTO turnstile_config SELECT 'own' || i, 'archive_after', 36525 * 86400000 FROM i",
    ],
    "sessions with waiting inputs": [
        many_sessions("waits"),
        "UPDATE sessions SET waits = 1 WHERE label GLOB 'waits*'",
        SEQ + f"INSERT INTO {QUEUE} SELECT -i, 'waits' || i, 1, 'user', 'pending', {OLD}, NULL, 'x', 'queue' FROM i",
    ],
    "sessions with a failed input": [
        many_sessions("failed", "archived"),
        SEQ + f"INSERT INTO {QUEUE} SELECT -i, 'failed' || i, 1, 'user', 'failed', {OLD}, {OLD}, 'x', 'queue' FROM i",
    ],
    "sessions in error": [many_sessions("error", "error", at=NOW - DAY)],
    "merged sessions in error": [many_sessions("error", "error", successor="'s'")],
    "open choices": [many_sessions("choice", choice=CHOICE, at=NOW)],
    "open choices of archived sessions": [many_sessions("choice", "archived", choice=CHOICE)],
    "running tasks": [
        many_sessions("busy", open_task="-i", at=NOW),
        SEQ + f"INSERT INTO {TASK} SELECT -i, 'busy' || i, 'work', 'Running', NULL, {NOW}, {NOW}, NULL, NULL FROM i",
    ],
    "open tasks of merged sessions": [
        many_sessions("merged", open_task="-i", successor="'s'"),
        SEQ + f"INSERT INTO {TASK} SELECT -i, 'merged' || i, 'work', 'AwaitingUser', NULL, {OLD}, {OLD}, NULL, NULL FROM i",
    ],
    "old tasks under a live run": [
        many_sessions("live", open_task="-i"),
        SEQ + f"INSERT INTO {TASK} SELECT -i, 'live' || i, 'work', 'Running', NULL, {OLD}, {OLD}, NULL, NULL FROM i",
        SEQ + "INSERT INTO session_runs(session_label, owner, token, run_state, heartbeat_at, expires_at) "
        f"SELECT 'live' || i, 'A9', 1, 'running', {NOW}, {NOW + DAY} FROM i",
    ],
    "runs that are ready": [
        many_sessions("ready", at=NOW),
        SEQ + "INSERT INTO session_runs(session_label, owner, token, run_state, heartbeat_at) "
        f"SELECT 'ready' || i, 'A9', 1, 'ready', {NOW} FROM i",
    ],
    "ready runs with a timeout of their own": [
        many_sessions("ready", at=NOW),
        SEQ + "INSERT INTO session_runs(session_label, owner, token, run_state, heartbeat_at) "
        f"SELECT 'ready' || i, 'A9', 1, 'ready', {NOW - DAY} FROM i",
        SEQ + f"INSERT INTO turnstile_config SELECT 'ready' || i, 'run_idle_timeout', {365 * DAY} FROM i",
    ],
    "runs of one owner": [
        many_sessions("run", at=NOW),
        SEQ + "INSERT INTO session_runs(session_label, owner, token, run_state, heartbeat_at) "
        f"SELECT 'run' || i, 'A1', 1, 'ready', {NOW} FROM i",
    ],
    "ready runs that are idle": [
        many_sessions("idle", at=NOW),
        SEQ + "INSERT INTO session_runs(session_label, owner, token, run_state, heartbeat_at) "
        f"SELECT 'idle' || i, 'A9', 1, 'ready', {OLD} FROM i",
    ],
    "leases that ran out": [
        many_sessions("out", at=NOW),
        SEQ + "INSERT INTO session_runs(session_label, owner, token, run_state, heartbeat_at, expires_at) "
        f"SELECT 'out' || i, 'A9', 1, 'running', {OLD}, {OLD} FROM i",
    ],
    "ready runs of a clock that was ahead": [
        many_sessions("ready", at=NOW),
        SEQ + "INSERT INTO session_runs(session_label, owner, token, run_state, heartbeat_at) "
        f"SELECT 'ready' || i, 'A9', 1, 'ready', {NOW + DAY} FROM i",
    ],
    "sessions of a clock that was ahead": [many_sessions("ahead", at=NOW + DAY)],
    "tasks of a clock that was ahead": [
        many_sessions("ahead", open_task="-i", at=NOW + DAY),
        SEQ + f"INSERT INTO {TASK} SELECT -i, 'ahead' || i, 'work', 'Running', NULL, {NOW}, {NOW}, NULL, NULL FROM i",
    ],
    "workers with a deadline": [
        many_sessions("worker:", worker=1, parent="'w' || i", done="'running'", origin="subagent", at=NOW),
        f"UPDATE sessions SET deadline = {NOW + DAY} WHERE label GLOB 'worker:*'",
    ],
    "workers past their deadline": [
        many_sessions("worker:", worker=1, parent="'w' || i", done="'running'", origin="subagent"),
        f"UPDATE sessions SET deadline = {OLD} WHERE label GLOB 'worker:*'",
    ],
    "inputs that wait for their time": [
        many_sessions("waits", at=NOW),
        "UPDATE sessions SET waits = 1 WHERE label GLOB 'waits*'",
        SEQ + f"INSERT INTO {QUEUE} SELECT -i, 'waits' || i, 1, 'user', 'pending', {OLD}, NULL, 'x', 'queue' FROM i",
        f"UPDATE session_queue SET attempts = 1, due_at = {NOW + 1000}, due_after = 1000 WHERE id < -1",
    ],
    "tasks left behind": [
        many_sessions("left", open_task="-i", at=NOW),
        SEQ + f"INSERT INTO {TASK} SELECT -i, 'left' || i, 'work', 'Complete', NULL, {NOW}, {NOW}, NULL, NULL FROM i",
    ],
    "inputs of no turn": [
        many_sessions("lost", at=NOW),
        SEQ + f"INSERT INTO {QUEUE} SELECT -i, 'lost' || i, 1, 'user', 'processing', {NOW}, NULL, 'x', 'queue' FROM i",
    ],
    "turns of one thread": [
        SEQ + "INSERT INTO turns(id, parent_turn_id, status, on_path, source, started_at, completed_at) "
        f"SELECT head + i, head + i - 1, 'completed', 1, 'user', {NOW}, {NOW} FROM i, {THREAD}",
        SEQ + "INSERT INTO messages(place, role, created_at, content) "
        f"SELECT (head + i) << 12, 'user', {NOW}, 'x' FROM i, {THREAD}",
        SEQ + "INSERT INTO session_history(session_label, thread_id, changed_at, reason) "
        f"SELECT 't', head + i, {NOW}, 'append' FROM i, {THREAD}",
        "UPDATE sessions SET thread_id = thread_id + :n WHERE label = 't'",
    ],
    "ids of deleted messages": [SEQ + f"INSERT INTO deleted_messages SELECT 'id' || i, {OLD} FROM i"],
    "workers of one session": [many_sessions("worker:", worker=1, parent="'parent'", done="'completed'", origin="subagent")],
    "sessions merged into one": [many_sessions("merged", successor="'s'"), many_sessions("mine", successor="'dm:rosa'")],
    "forks of one turn": [
        many_sessions("fork", turn=str(matrix.FIRST), origin="fork"),
        SEQ + f"INSERT INTO branches SELECT 1000 + i, {matrix.FIRST}, 1, 1, 1, 0, 0 FROM i",
        SEQ + "INSERT INTO turns(id, parent_turn_id, status, on_path, source, started_at, completed_at) "
        f"SELECT (1000 + i) << 24 | 1, {matrix.FIRST}, 'completed', 1, 'user', {OLD}, {OLD} FROM i",
    ],
    "sessions that went back to where others are": [
        many_sessions("back", origin="fork"),
        SEQ + "INSERT INTO session_history(session_label, thread_id, changed_at, reason) "
        f"SELECT 'back' || i, place, {OLD}, 'rewind' FROM i, "
        "(SELECT DISTINCT thread_id AS place FROM session_history UNION SELECT 0) WHERE i <= :n / 10",
    ],
    "failed turns beside one": [
        SEQ + f"INSERT INTO branches SELECT 1000 + i, {matrix.FIRST}, 1, 1, 1, 0, 0 FROM i",
        SEQ + "INSERT INTO turns(id, parent_turn_id, status, on_path, source, started_at, completed_at) "
        f"SELECT (1000 + i) << 24 | 1, {matrix.FIRST}, 'failed', 0, 'user', {OLD}, {OLD} FROM i",
    ],
    "aliases": [SEQ + "INSERT INTO session_aliases SELECT 'alias' || i, 'line', 'manual', 1 FROM i"],
    "aliases of everybody": [
        SEQ + "INSERT INTO session_aliases SELECT label || '~' || i, label, 'identity_promotion', 1 FROM i, sessions"
        " WHERE i <= :n / 20"
    ],
    "identities": [
        SEQ + "INSERT INTO identities SELECT 'sms', i, 'e' || i, 'dm:sms:' || i, 'dm:e' || i, NULL, 1, NULL FROM i"
    ],
    "requests": [SEQ + f"INSERT INTO turnstile_requests SELECT 'q' || i, 'session_note', 'x', 1, {OLD} FROM i"],
    "settings that mean nothing": [SEQ + "INSERT INTO turnstile_config SELECT '', 'nothing' || i, i FROM i"],
    "settings of one session that mean nothing": [
        SEQ + "INSERT INTO turnstile_config SELECT 'line', 'nothing' || i, i FROM i",
        SEQ + "INSERT INTO turnstile_config SELECT 's', 'nothing' || i, i FROM i",
    ],
    "inputs of one session that wait": [
        SEQ + f"INSERT INTO {QUEUE} SELECT 1000 + i, 'line', 1, 'timer', 'pending', {OLD}, NULL, 'x', 'queue' FROM i"
    ],
}

# For every session as well. What takes, moves or ends such inputs is linear in them, so few are enough.
LINE = 400
IN_LINE = {
    "inputs in line: waiting": SEQ + f"INSERT INTO {QUEUE} SELECT -70000000 - i * 1000 - sessions.rowid, label, 1, 'user', "
    f"'pending', {OLD}, NULL, 'x', 'queue' FROM i, sessions",
    "inputs in line: handed over": SEQ + f"INSERT INTO {QUEUE} SELECT -70000000 - i * 1000 - sessions.rowid, label, 1, 'user', "
    f"'handed', {OLD}, NULL, 'x', 'queue' FROM i, sessions",
}

# Every session with turns has an open task.
TASKS_OF_THREADS = [
    f"INSERT INTO {TASK} SELECT -1000 - rowid, label, 'work', 'Running', NULL, {NOW}, {NOW}, NULL, NULL FROM sessions "
    "WHERE thread_id IS NOT NULL AND open_task_id IS NULL",
    "UPDATE sessions SET open_task_id = -1000 - rowid WHERE thread_id IS NOT NULL AND open_task_id IS NULL",
]

# For every session of the prepared file; before (sign -1) or after (sign 1) what it has.
DEEP = {
    "events": "INSERT INTO session_events(id, session_label, axis, from_state, to_state, trigger, at) "
    "SELECT {id}, label, 'run', 'running', 'running', 'x', {at} FROM i, sessions",
    "deliveries": "INSERT INTO deliveries(id, session_label, source, action, decision, at, message, message_id, channel) "
    "SELECT {id}, label, 'user', 'queue', '{{\"action\":\"queue\"}}', {at}, 'x', 'd' || i, '{sign}' FROM i, sessions",
    "inputs": f"INSERT INTO {QUEUE} SELECT {{id}}, label, 1, 'user', 'delivered', {{at}}, {{at}}, 'x', 'queue' FROM i, sessions",
    "failed inputs": f"INSERT INTO {QUEUE} SELECT {{id}} + {{sign}} * 50000000, label, 1, 'user', 'failed', {{at}}, {{at}}, 'x', 'queue' FROM i, sessions",
    "commits": "INSERT INTO commits(seq, id, session_label, message, commit_type, created_at) "
    "SELECT {id}, 'c' || {id}, label, 'x', 'Normal', {at} FROM i, sessions",
    "tasks": f"INSERT INTO {TASK} SELECT {{id}}, label, 'x', 'None', NULL, {{at}}, {{at}}, {{at}}, NULL FROM i, sessions",
    "steps": "INSERT INTO steps(task_id, id, step_kind, state, payload, created_at) "
    "SELECT open_task_id, 'st' || {id}, 'Note', 'Running', '[]', {at} FROM i, sessions WHERE open_task_id IS NOT NULL",
    "observations": "INSERT INTO observations(id, session_label, task_id, kind, hash, step_id, created_at, data) "
    "SELECT {id}, label, open_task_id, 'Note', 'h', 'st', {at}, '{{}}' FROM i, sessions",
    "notes without work": "INSERT INTO observations(id, session_label, task_id, kind, auto, hash, step_id, created_at, data) "
    "SELECT {id} + {sign} * 50000000, label, open_task_id, 'Note', 1, 'h', 'st', {at}, '{{}}' FROM i, sessions",
    "observations without a task": "INSERT INTO observations(id, session_label, task_id, kind, hash, created_at, data) "
    "SELECT {id} + {sign} * 90000000, label, NULL, 'Note', 'h', {at}, '{{}}' FROM i, sessions",
    "edges": "INSERT INTO edges(id, session_label, from_kind, from_ref, to_kind, to_ref, label, created_at) "
    "SELECT {id}, label, 'a', 'b', 'c', 'd', 'e', {at} FROM i, sessions",
    "moves of the head": "INSERT INTO session_history(id, session_label, thread_id, task_id, changed_at, reason) "
    "SELECT {id}, label, thread_id, NULL, {at}, 'append' FROM i, sessions WHERE thread_id IS NOT NULL",
    "moves within the task": "INSERT INTO session_history(id, session_label, thread_id, task_id, changed_at, reason) "
    "SELECT {id} + {sign} * 50000000, label, thread_id, open_task_id, {at}, 'append' FROM i, sessions "
    "WHERE thread_id IS NOT NULL AND open_task_id IS NOT NULL",
    "rewinds within the task": "INSERT INTO session_history(id, session_label, thread_id, task_id, changed_at, reason) "
    "SELECT {id} + {sign} * 90000000, label, thread_id, open_task_id, {at}, 'rewind' FROM i, sessions "
    "WHERE thread_id IS NOT NULL AND open_task_id IS NOT NULL",
    "aliases": "INSERT INTO session_aliases SELECT label || '~' || {id}, label, 'manual', 1 FROM i, sessions",
    "keys": "INSERT INTO identity_keys SELECT 'rosa', 'key' || {id} FROM i",
    "senders": "INSERT INTO identities SELECT 'sms', {id}, 'rosa', 'dm:sms:' || {id}, 'dm:rosa', NULL, 1, NULL FROM i",
}
# What has to be there before.
DEEP_NEEDS = {"moves within the task": TASKS_OF_THREADS, "rewinds within the task": TASKS_OF_THREADS}


def inflate(con, statements, n):
    triggers = con.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name <> 'turnstile'").fetchall()
    con.execute("BEGIN")
    for name, _ in triggers:
        con.execute(f'DROP TRIGGER "{name}"')
    for sql in statements:
        con.execute(sql, {"n": n} if ":n" in sql else {})
    for _, sql in triggers:
        con.execute(sql)
    con.execute("COMMIT")


def file_of(name, statements, n):
    con = matrix.base()
    before = con.total_changes
    inflate(con, statements, n)
    check(f"{name}: is filled", con.total_changes - before >= n, f"{con.total_changes - before} rows instead of {n}")
    return con


def statistics_when_small():
    con = matrix.base()
    con.execute("ANALYZE")
    rows = con.execute("SELECT tbl, idx, stat FROM sqlite_stat1").fetchall()
    con.close()
    return rows


def analyze(con, when, early):
    """when: 'early', as long as the file was small (those rows), or 'late'."""
    if when == "early":
        con.execute("ANALYZE sqlite_schema")  # makes the table
        con.execute("DELETE FROM sqlite_stat1")
        con.executemany("INSERT INTO sqlite_stat1 VALUES(?, ?, ?)", early)
        con.execute("ANALYZE sqlite_schema")  # reads it
    elif when == "late":
        con.execute("ANALYZE")


# ---- Counting ----------------------------------------------------------------------------------------


def steps_of(con, run):
    """The steps that a call takes; nothing of it is left."""
    error = None

    def attempt():
        nonlocal error
        error = error_of(run, con)

    con.execute("SAVEPOINT cost")
    count = steps(con, matrix.LIBRARY, attempt)
    con.execute("ROLLBACK TO cost")
    con.execute("RELEASE cost")
    return count, error


def calls():
    out = []
    for cmd in matrix.COMMANDS:
        options = dict(cmd.options, limit=5) if cmd.name == "session_sweep" else cmd.options
        args = matrix.as_json(cmd) + ([options] if options else [])
        out.append((cmd.name, str(cmd), lambda con, name=cmd.name, args=args: matrix.door(con, name, args)))
    for view in VIEWS:
        out.append((view, f"{view} LIMIT 5", lambda con, view=view: con.execute(f"SELECT * FROM {view} LIMIT 5").fetchall()))
        out.append((view, f"{view} of a session", lambda con, view=view: con.execute(
            f"SELECT * FROM {view} WHERE {VIEWS[view]} = 's' LIMIT 5").fetchall()))
    for name, args, _ in matrix.TABLES:
        out.append((name, f"{name}{args} LIMIT 5", lambda con, name=name, args=args: con.execute(
            f"SELECT * FROM {name}({', '.join('?' * len(args))}) LIMIT 5", args).fetchall()))
    out.append(("stale_sessions", "stale_sessions LIMIT 5", lambda con: con.execute("SELECT * FROM stale_sessions LIMIT 5").fetchall()))
    out.append(("stale_sessions", "stale_sessions of one", lambda con: con.execute("SELECT * FROM stale_sessions('s')").fetchall()))
    out.append(("stale_sessions", "stale_sessions, fresh too", lambda con: con.execute(
        "SELECT * FROM stale_sessions(NULL) WHERE include_fresh = 1 LIMIT 5").fetchall()))
    return out


VIEWS = {"threads": "turn_id", "queue_list": "session_label", "session_workers": "worker", "session_overview": "label",
         "session_timeline": "session_label", "commit_log": "session_label", "session_attention": "session_label",
         "session_reports": "worker"}

# What is linear by its nature: which command (or view), in which shapes ("": all), and per what.
LINEAR = [
    ("session_delete", "", "row of that session, and worker that it had"),
    ("session_export", "", "row of that session"),
    ("session_import", "", "row of the document, and of the session that it replaces"),
    ("identity_link", "", "key and sender of the entity; session merged into the one that takes over; alias, input and failed "
     "input of the one that is merged"),
    ("identity_unlink", "", "key and sender of the entity; session merged into its own; input that goes back"),
    ("session_deliver", "inputs of one session that wait", "input that is handed over with the message"),
    ("session_deliver", "workers of one session", "worker that the session ever had, when its task is called off"),
    ("session_recover", "failed inputs", "input that is listed"),
    ("session_deliver", "failed inputs", "input that has failed and its sender calls off"),
    ("session_report", "failed inputs", "failed input of that worker: it may be what gave the task"),
    ("queue_list", "", "input that is listed: waiting, handed, worked on or failed"),
    ("session_timeline", "tasks", "task of that session"),
    ("session_attention", "merged", "session in error, and open task, of a merged session"),
    ("session_attention", "archived", "open choice and failed input of an archived session"),
    ("stale_sessions", "setting of their own", "session with a threshold of its own"),
    ("session_sweep", "setting of their own", "the same"),
    ("stale_sessions", "timeout of their own", "setting of one session"),
    ("session_sweep", "timeout of their own", "run that is ready, with a timeout of its own"),
    ("stale_sessions", "live run", "live run of an old task"),
    ("session_sweep", "live run", "the same"),
    ("session_sweep", "ready runs of a clock that was ahead", "run whose time is mended, once"),
    ("turn_compact", "turns of one thread", "turn that is summarized"),
    ("turnstile_startup", "runs of one owner", "run of that owner"),
    ("turnstile_startup", "past their deadline", "worker that is ended"),
    ("turnstile_startup", "inputs of no turn", "input that is taken back"),
]
# What takes, moves, ends or counts what waits in its session, or was handed over and no turn has taken.
LINEAR += [(name, "inputs in line", "input of its session that waits or was handed over") for name in (
    "session_deliver", "queue_push", "session_report", "session_stop", "session_choose", "session_transition", "session_flush",
    "session_compact", "session_rewind", "session_archive", "session_suspend", "session_fail", "session_sweep",
    "turnstile_startup", "turn_append", "turn_begin", "turn_compact", "turn_compact_begin", "turn_message", "turn_tool_call",
    "turn_tool_result", "turn_phase", "turn_heartbeat", "turn_steering", "turn_complete", "turn_fail", "turn_abort")]

# Of so many rows at most: it is found to be linear in these, and would take hours in larger ones.
LINEAR_UP_TO = 3000


def unit_of(command, shape):
    return next((unit for name, part, unit in LINEAR if name == command and part in shape), None)


def test_complete():
    """Every function, module and view of the library is looked at here, or named with the reason why not."""
    plain, con = sqlite3.connect(":memory:"), matrix.base()
    sql = "SELECT name FROM pragma_function_list UNION SELECT name FROM pragma_module_list"
    added = {row[0] for row in con.execute(sql)} - {row[0] for row in plain.execute(sql)}
    views = {row[0] for row in con.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")} - {"turnstile"}
    looked = {command for command, _, _ in calls()} | ELSEWHERE.keys()
    check("every function and module", added <= looked, f"not looked at: {sorted(added - looked)}")
    check("every view", views == set(VIEWS), f"{sorted(views ^ set(VIEWS))}")
    check("nothing that is not there", looked <= added | views, f"{sorted(looked - added - views)}")


# Functions that read no table that grows, or everything.
ELSEWHERE = {
    "classify_message": "reads the rules", "classify": "reads the rules", "turnstile_rule_check": "reads its arguments",
    "classification_prompt": "reads its arguments", "classification_parse": "reads its argument", "session_key": "reads its arguments",
    "session_key_parse": "reads its argument", "state_diagram": "reads nothing", "session_status_from_legacy": "reads its arguments",
    "turnstile_legacy_text": "reads its argument", "turnstile_legacy_check": "reads its argument", "turnstile_policy_check":
    "reads its arguments", "turnstile_dispatch": "is the door", "turnstile_result": "reads no table", "turnstile_clock": "reads no table",
    "turnstile_use": "reads no table", "turnstile_version": "reads nothing", "turnstile_classifier": "reads no table", "turnstile_renew": "reads one row", "turnstile_install": "makes the tables", "turnstile_schema":
    "reads nothing", "turnstile_check": "reads everything", "policy_replay": "reads as many deliveries as it is told: test_replay", "turnstile_cache": "reads no table",
}


def shapes_of(rows, deep):
    shapes = [(name, sql, rows) for name, sql in WIDE.items()]
    for name, sql in DEEP.items():
        for sign, word in ((-1, "older"), (1, "newer")):
            id = f"({sign} * (i * 1000 + {'sessions.rowid' if 'sessions' in sql else 0} + 1000))"
            fill = SEQ + sql.format(id=id, at=OLD if sign < 0 else NOW, sign=sign)
            shapes.append((f"{word} {name}", DEEP_NEEDS.get(name, []) + [fill], deep))
    return shapes


def compare(name, command, what, run, files):
    """Few rows, some, and many: no more steps with many than with some."""
    few, some, many = files
    least, e1 = steps_of(some.con, run)
    most, e2 = steps_of(many.con, run)
    counts = command in COUNTING and some.rows < 1100
    if most - least < (SLACK_COUNTING if counts else SLACK):
        return check(f"{name}: {what}", True, "")
    steps_of(few.con, run)  # the first run of a connection reads its rules and policies
    first, _ = steps_of(few.con, run)
    unit = unit_of(command, name)
    if not unit:
        return check(f"{name}: {what}", False, f"{first} steps with {few.rows} rows, {least} with {some.rows}, "
                     f"{most} with {many.rows} {e1 or ''} {e2 or ''}")
    # As many more steps with twice the rows.
    check(f"{name}: {what}: linear in {unit}", most - least < 1.3 * (least - first) + SLACK, f"{first}, {least}, {most} {e2 or ''}")


class File:
    """A file of a shape, with so many rows."""

    def __init__(self, name, statements, rows):
        self.con, self.rows = file_of(name, statements, rows), rows


def look_at(name, statements, rows, early, all_calls, moments=(None, "early", "late")):
    """Everything in one shape. What is linear by its nature is looked at in smaller files."""
    near = min(rows, LINEAR_UP_TO)
    files = {n: File(name, statements, n) for n in sorted({SMALL, near // 2, near, rows, min(rows // 2, SAMPLE)})}
    for when in moments:
        full = name + (f" (analyzed {when})" if when else "")
        for file in files.values():
            analyze(file.con, when, early)
        for command, what, run in all_calls:
            sizes = (near // 2, near) if unit_of(command, name) else (min(rows // 2, SAMPLE), rows)
            compare(full, command, what, run, [files[n] for n in (SMALL, *sizes)])
    for file in files.values():
        file.con.close()


# ---- Replaying ---------------------------------------------------------------------------------------

QUESTION = ("INSERT INTO session_events(id, session_label, axis, from_state, to_state, \"trigger\", data, at) SELECT {id}, "
            "'replayed', 'task', 'Running', {state}, 'transition', '{{\"question\":\"How many coats?\"}}', {at} FROM i")
MESSAGE = ("INSERT INTO deliveries(id, session_label, source, class, confidence, action, decision, at, message) SELECT 1000 + i, "
           "'replayed', 'user', 'Response', 0.9, 'resume', '{\"previous_state\":\"AwaitingUser\"}', 2000 + i * 10, 'two' FROM i")
# What no command writes: newer events, their clock ahead; older ones in another state, without data, at the
# far ends of the ids; a clock that went back with every event.
BESIDE = {
    "newer events": QUESTION.format(id="1000000 + i", state="'AwaitingUser'", at=NOW),
    "newer events at the end of the ids": QUESTION.format(id="9223372036854775807 - i", state="'AwaitingUser'", at=NOW),
    "older events in another state": QUESTION.format(id="-9223372036854775807 + i", state="'Running'", at=1),
    "events in another state before the message": QUESTION.format(id="1000000 + i", state="'Running'", at=1),
    "events whose clock went back": QUESTION.format(id="1000000 + i", state="'AwaitingUser'", at=f"{NOW} - i * 10000"),
}


def asked_file(n, beside=None, rows=0):
    """n questions, each with its answer; and so many rows of another kind."""
    con = matrix.base()
    inflate(con, [f"INSERT INTO sessions(label, status, origin, created_at, updated_at, last_activity) VALUES('replayed', 'active', 'user', {OLD}, {OLD}, {OLD})",
                  SEQ + QUESTION.format(id="1000 + i", state="'AwaitingUser'", at="1995 + i * 10"), SEQ + MESSAGE], n)
    if beside:
        inflate(con, [SEQ + BESIDE[beside]], rows)
    return con


def steps_of_replay(con, options):
    sql = "SELECT count(*) FROM policy_replay(?)"
    for _ in range(2):  # the first run prepares
        count, error = steps_of(con, lambda con: con.execute(sql, (json.dumps(options),)).fetchall())
    check("policy_replay", error is None, error)
    return count


def test_replay(rows):
    """So many steps for each delivery, whatever lies beside them."""
    few, twice = (asked_file(n) for n in (rows // 2, rows))
    for of in ({}, {"session": "replayed"}):
        none, some, more = (steps_of_replay(con, {"limit": n, **of}) for con, n in ((few, 0), (few, rows // 2), (twice, rows)))
        check(f"policy_replay{of}: linear in its limit", more - none < 2.4 * (some - none), f"{none}, {some}, {more}")
        check(f"policy_replay{of}: of each", more - none < 1200 * rows, f"{none}, {more}")
    for name in BESIDE:
        ten = {"limit": 10, "session": "replayed"}
        least, most = (steps_of_replay(asked_file(20, name, n), ten) for n in (20, rows * 10))
        check(f"policy_replay: {name}", most - least < SLACK, f"{least}, {most}")


# ---- The newest sessions -------------------------------------------------------------------------------

DELIVERED = (SEQ + "INSERT INTO deliveries(session_label, source, action, decision, at, message) "
             f"SELECT 'dm:x:' || i, 'user', 'queue', '{{}}', {NOW}, 'x' FROM i")


def test_page(rows):
    """The page of sessions that docs/looking.md shows costs what its thousand messages do."""
    page = query_of("looking.md", "SELECT label, last_active FROM session_overview", "ORDER BY last_activity DESC LIMIT 20")
    for when in (None, "early", "late"):
        counts = []
        for n in (max(rows, SAMPLE) // 2, max(rows, SAMPLE) * 2):
            con = file_of("a page of sessions", [*WIDE["idle sessions"], DELIVERED], n)
            analyze(con, when, statistics_when_small())
            counts.append(steps_of(con, lambda con: con.execute(page).fetchall())[0])
            con.close()
        check(f"a page of sessions (analyzed {when})", counts[1] - counts[0] < SLACK, counts)


def main():
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    deep = int(sys.argv[3]) if len(sys.argv) > 3 else 600
    only = sys.argv[4] if len(sys.argv) > 4 else ""
    matrix.LIBRARY = library(sys.argv[1])
    test_complete()
    test_page(rows)
    test_replay(min(rows, LINEAR_UP_TO))
    all_calls = calls()
    early = statistics_when_small()
    for name, statements, n in shapes_of(rows, deep):
        if only in name:
            look_at(name, statements, n, early, all_calls)
    for name, fill in IN_LINE.items():
        if only in name:
            look_at(name, [fill], LINE, early, all_calls, (None,))
    suite.done()


if __name__ == "__main__":
    main()
