"""Files that mean harm, and files that are broken: hostile.py BUILDDIR

Things of other people in the place of our tables, wrong values in our columns, attached files that
call the dispatcher for another file, commands hidden in triggers, views and constraints. Whatever
it is: a clean error or a right answer, never a crash, a hang, or half a command. The whole suite
runs in a child process, so that a crash or a hang is a failure and not the end of the report.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402
from images import Images, Image  # noqa: E402

TABLES = """sessions session_aliases tasks steps objects observations edges commits session_events
session_runs session_queue deliveries message_rules turnstile_config turnstile_requests
turnstile_meta state_transitions deleted_messages""".split()
TREE_TABLES = "turns branches messages tool_calls compactions session_history".split()
IDENTITY_TABLES = "identities session_policies identity_keys alias_homes".split()
IDENTITY_SHARED = IDENTITY_TABLES + ["session_aliases"]
# Those that the commands of both kinds live on.
SHARED = """sessions session_runs session_queue session_events tasks turnstile_config
turnstile_meta""".split()
TABLES += TREE_TABLES + IDENTITY_TABLES

# Other names of ours.
VIEWS = ["turnstile", "threads", "queue_list", "session_workers"]
VIEWS += ["session_overview", "session_timeline", "commit_log", "session_attention"]
MODULES = ["turnstile_cache", "stale_sessions", "turn_path", "turn_tree", "session_context"]
MODULES += ["turnstile_check", "policy_replay"]

WORK = (
    "SELECT session_start('s', 'write the report')",
    """SELECT session_observe('s', 'FileWrite', '{"path":"a"}', 'text')""",
    "SELECT session_deliver('s', 'make it shorter')",
    # Three turns with a compaction after the second, a fork of the second, a live turn on the fork.
    """SELECT turn_append('s', '[{"role":"user","content":"go"},{"role":"assistant","tool_calls":
        [{"id":"k1","name":"ls"},{"id":"k2","name":"cat","result":"x"}]}]')""",
    """SELECT turn_append('s', '[{"role":"tool","tool_call_id":"k1","content":"a.c"}]')""",
    """SELECT turn_compact('s', 'They listed files.', '{"keep_turns":0}')""",
    """SELECT turn_append('s', '[{"role":"assistant","content":"Done."}]')""",
    "SELECT session_fork(16777217, 'f')",
    """SELECT turn_begin('f', 'host', '{"messages":[{"role":"user","content":"and?"}],
        "lease":"2h"}')""",
    "SELECT turn_tool_call(33554434, 1, 'k3', 'ls')",
)
# Somebody known, and the session that one more link merges.
IDENTITY_WORK = (
    "SELECT identity_link('wa', 'u', 'rosa')",
    """SELECT session_deliver(NULL, 'paint it', '{"envelope":{"channel":"wa","sender_id":"u"}}')""",
    """SELECT session_deliver(NULL, 'book it', '{"envelope":{"channel":"tg","sender_id":"u"}}')""",
    "SELECT queue_push('dm:tg:u', 'for two')",
    "SELECT session_alias('nick', 's')",
)


# After so many seconds it is a hang. (Built for coverage, and beside others, the suite is slow.)
PATIENCE = float(os.environ.get("PATIENCE", "7200"))

made = {}  # files in memory with each kind of work: the next one is a copy


def new(path=":memory:", work=True, table=""):
    """A file with some work; the identities are there for the tables that are about them."""
    kind = work, work and table in IDENTITY_SHARED
    if kind not in made:
        made[kind] = connect(":memory:", lib, 1)
        one(made[kind], "SELECT turnstile_install()")
        # The messages here are English. Every connection compiles the rules, most of which are of other languages.
        made[kind].execute("DELETE FROM message_rules WHERE lang NOT IN ('any', 'en')")
        made[kind].execute("VACUUM")
        for sql in (WORK if work else ()) + (IDENTITY_WORK if kind[1] else ()):
            one(made[kind], sql)
    db = connect(path, lib, 1)
    made[kind].backup(db)
    one(db, "SELECT turnstile_renew()")  # every file has its own key
    return db


def copy_of(db):
    """The same file once more, in memory."""
    other = connect(":memory:", lib, 1)
    db.backup(other)
    other.execute("PRAGMA legacy_alter_table = ON")
    return other


@Images
def dump(db, schema="main"):
    """Every row of every table, as one value."""
    rows = []
    names = db.execute(f"SELECT name FROM {schema}.sqlite_schema WHERE type = 'table' ORDER BY 1")
    for (name,) in names.fetchall():
        # The rules are many, and no command writes them: sums will do.
        what = "count(*), total(id), total(weight), total(length(pattern))"
        for columns in (what, "*") if name.endswith("message_rules") else ("*",):
            try:
                found = db.execute(f'SELECT {columns} FROM {schema}."{name}"').fetchall()
                break
            except sqlite3.Error as error:
                found = str(error)
        rows.append((name, found))
    return rows


# Commands that between them touch every table.
COMMANDS = [
    ("session_deliver", "s", "and with colours"),
    ("session_deliver", "new", "write a poem"),
    ("session_deliver", "s", "build a shop", {"class": "NewTask", "request_id": "r"}),
    ("session_choose", "s", "A"),
    ("delivery_classify", 1, "Modification"),
    ("delivery_correct", 1, "Modification"),
    ("session_transition", "s", "AwaitingUser", {"question": "Which?"}),
    ("session_note", "s", "a note"),
    ("session_observe", "s", "Plan", "first this", "content"),
    ("session_relate", "s", "file:a", "Mentions", "note:1"),
    ("session_flush", "s"),
    ("session_recover", "s"),
    ("session_run", "s", "host", "starting"),
    ("session_state", "s"),
    ("session_progress", "s"),
    ("session_sweep", {"now": 4102444800000}),
    ("turnstile_startup", None, {"all": 1}),
    ("turnstile_config", "ask_threshold", "1h"),
    ("session_compact", "s", "done"),
]

# What session_export once wrote.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "export_v1.json"), encoding="utf-8") as file:
    DOCUMENT = file.read().strip()

SAID = [{"role": "assistant", "content": "I look.", "tool_calls": [{"id": "k4", "name": "ls"}]}]
LIVE = (33554434, 1)
# The same for the turn tree. The first lines belong to the live turn, and end it.
TURN_COMMANDS = [
    ("turn_heartbeat", *LIVE, {"lease": "1h"}),
    ("turn_phase", *LIVE, "streaming"),
    ("turn_message", *LIVE, SAID[0]),
    ("turn_tool_call", *LIVE, "k5", "cat", {"path": "a.c"}),
    ("turn_tool_result", *LIVE, "k3", "a.c"),
    ("turn_compact", "f", "They looked.", dict(turn=LIVE[0], token=1, trigger="overflow_recovery")),
    ("session_usage", "f"),
    ("session_diagram", "f"),
    ("session_diagram", "s", "dot", {"turns": 2}),
    ("turn_complete", *LIVE, {"content": "There is a.c.", "usage": {"input_tokens": 5}}),
    ("turn_begin", "f", "host", {"messages": SAID, "external_id": "x1"}),
    ("turn_fail", LIVE[0] + 1, 3, "boom"),
    ("turn_abort", LIVE[0] + 1, 3, "enough"),
    ("turn_begin", "s", "other"),
    ("turn_append", "s", SAID, {"usage": {"input_tokens": 5}, "external_id": "x2"}),
    ("turn_append", "new", SAID, {"parent": "x2", "request_id": "t"}),
    ("turn_ancestor", 33554434, 0),
    ("turn_common_ancestor", 33554434, 16777219),
    ("turn_is_ancestor", 16777216, 33554434),
    ("session_needs_compaction", "s", 100),
    ("session_rewind", "s", 16777217),
    ("session_fork", 16777218),
    ("turn_compact", "s", "They are done.", {"keep_tokens": 5}),
    ("session_export", "s"),
    ("session_import", DOCUMENT, {"as": "s", "replace": 1}),
    ("session_delete", "s", {"dry_run": 1}),
    ("session_delete", "s", {"force": 1}),
    ("session_delete", "f", {"force": 1}),
]

# And for the queue and for workers. They count on a fresh file: on the ids of turns and inputs.
QUEUED = (50331648, 1)
QUEUE_COMMANDS = [
    ("queue_push", "q", "one", {"source": "agent", "mode": "collect", "message_id": "m1"}),
    ("queue_push", "q", "two", {"mode": "collect", "channel": "c", "sender": "x"}),
    ("queue_push", "q", "three", {"mode": "steer"}),
    ("queue_front", 3),
    ("queue_cancel", 4),
    ("session_deliver", "q", "write a poem", {"class": "NewTask", "owner": "host"}),
    ("session_deliver", "q", "with rhymes", {"class": "Modification", "mode": "steer"}),
    ("session_deliver", "q", "no, none", {"class": "Modification"}),
    ("turn_steering", *QUEUED),
    ("turn_tool_call", *QUEUED, "k1", "spawn"),
    ("session_spawn", "q", "find rhymes", {"tool_call_id": "k1", "label": "w"}),
    ("session_spawn", "w", "look into the books", {"label": "v"}),
    ("turn_fail", *QUEUED, "boom"),
    ("queue_retry", 5),
    ("session_report", "v", "completed", "there are none"),
    ("session_recover", "q"),
    ("turn_begin", "q", "host"),
    ("session_deliver", "q", "forget it", {"class": "Abandon"}),
    ("session_report", "w", "failed", "too late"),
]
QUEUE_TABLES = "sessions session_runs session_queue deliveries tool_calls".split()
ENVELOPE = {"channel": "tg", "sender_id": "u"}
# And for who writes, and what becomes of sessions.
IDENTITY_COMMANDS = [
    ("session_route", ENVELOPE),
    ("resolve_session", "dm:rosa"),
    ("session_alias", "nick 2", "dm:rosa"),
    ("identity_link", "tg", "u", "rosa"),
    ("session_deliver", None, "and red", {"envelope": ENVELOPE}),
    ("identity_unlink", "wa", "u"),
    ("identity_link", "tg", "u", "bo", {"force": 1}),
    ("session_alias", "nick", None),
    ("session_suspend", "dm:tg:u"),
    ("session_resume", "dm:tg:u"),
    ("session_archive", "f", {"force": 1}),
    ("session_unarchive", "f"),
    ("session_fail", "s", "broken"),
    ("session_reopen", "s"),
]

READERS = """session_usage session_diagram session_needs_compaction turn_ancestor
turn_common_ancestor turn_is_ancestor""".split()

QUERIES = [
    "SELECT count(*) FROM stale_sessions WHERE include_fresh = 1",
    "SELECT count(*) FROM classify('yes', 'Running')",
    "SELECT count(*) FROM policy_replay('{\"new_task_policy\":\"switch\"}')",
    "SELECT classify_message('yes', 'Running')",
    "SELECT count(*) FROM turnstile_cache",
    "SELECT count(*) FROM turnstile_check",
    "SELECT count(*) FROM threads",
    "SELECT count(message), max(position) FROM queue_list",
    "SELECT count(task_status) FROM session_workers",
    "SELECT count(state), count(choice), count(last_active) FROM session_overview",
    "SELECT count(what), count(detail), count(turn_id) FROM session_timeline",
    "SELECT count(message), max(duration_ms), max(steps) FROM commit_log",
    "SELECT count(detail), max(since) FROM session_attention",
]
for start in ("'s'", "'f'", "16777216", "16777219", "33554434"):
    TURN_QUERIES = [
        f"SELECT count(content) FROM session_context({x})" for x in (start, start + ", 9")
    ]
    TURN_QUERIES += [f"SELECT count(error), count(parent_turn_id) FROM turn_path({start})"]
    TURN_QUERIES += [f"SELECT count(error) FROM turn_path({start}) WHERE depth > 0 LIMIT 2"]
    TURN_QUERIES += [f"SELECT turn_id FROM turn_path({start}) ORDER BY depth DESC LIMIT 3"]
    QUERIES += TURN_QUERIES
QUERIES += [
    f"SELECT count(error) FROM turn_tree(16777216) WHERE level {x}" for x in (">= 0", "< 2")
]


def run_all_of(what, db, commands, ways=(0, 1)):
    before, written = Image(db, dump.read), db.total_changes
    for sugar in ways:
        for command, *args in commands:
            if sugar:
                marks = ", ".join("?" * len(args))
                values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
                error = error_of(one, db, f"SELECT {command}({marks})", *values)
            else:
                error = error_of(door, db, command, *args)
            # SQLite counts rows that were written, also those that were taken back.
            after = before if db.total_changes == written else Image(db, dump.read)
            written = db.total_changes
            if error:
                suite.check(f"{what}: {command} says why", len(str(error)) > 8)
                suite.check(f"{what}: {command} changes nothing", after == before)
            before = after
    suite.check(f"{what}: what was not counted was not written", Image(db, dump.read) == before)


def survives(what, db, whole=True, table="sessions"):
    """Runs everything. Each command happens or fails with a message and changes nothing."""
    for sql in QUERIES:
        error = error_of(one, db, sql)
        suite.check(f"{what}: {sql} says why", not error or len(str(error)) > 8)
    if whole and table in QUEUE_TABLES:
        other = copy_of(db)
        run_all_of(what, other, QUEUE_COMMANDS, (len(what) % 2,))
        other.close()
    # The commands of one kind leave little of what those of the other kind need. So they come first
    # where the table is theirs; where it is that of both, each kind once begins on a fresh copy.
    if whole and table in SHARED:
        other = copy_of(db)
        run_all_of(what, other, TURN_COMMANDS)
        other.close()
    both = (TURN_COMMANDS, COMMANDS) if table in TREE_TABLES else (COMMANDS, TURN_COMMANDS)
    first = IDENTITY_COMMANDS if table in IDENTITY_SHARED else []
    run_all_of(what, db, first + both[0] + both[1])
    for sql in QUERIES[-12:]:
        error_of(one, db, sql)
    suite.check(f"{what}: no transaction is left open", db.in_transaction, False)
    if whole:
        suite.check(f"{what}: integrity", one(db, "PRAGMA integrity_check"), "ok")


# ---- Other things under our names -----------------------------------------------------------


def test_replaced():
    """Each of our tables gone, or replaced by a view or a table of other columns."""
    for table in TABLES:
        for kind in ("gone", "view", "narrow", "wide", "virtual"):
            db = new(table=table)
            db.execute("PRAGMA legacy_alter_table = ON")
            error = error_of(db.execute, f"ALTER TABLE {table} RENAME TO old_{table}")
            if error:
                suite.check(f"{table}: rename", str(error), None)
                continue
            if kind == "view":
                db.execute(f"CREATE VIEW {table} AS SELECT * FROM old_{table}")
            elif kind == "narrow":
                db.execute(f"CREATE TABLE {table}(x)")
            elif kind == "wide":
                columns = [r[1] for r in db.execute(f"PRAGMA table_info(old_{table})")]
                names = ", ".join(f'"{c}"' for c in columns)
                db.execute(f"CREATE TABLE {table}({names}, more)")
                db.execute(f"INSERT INTO {table}({names}) SELECT {names} FROM old_{table}")
            elif kind == "virtual":
                db.execute(f"CREATE VIRTUAL TABLE {table} USING rtree(id, a, b)")
            survives(f"{table} {kind}", db, table=table)
            db.close()


def test_door_replaced():
    """A table, or somebody else's view, in the place of the door: nothing has been done, and a
    command must not look as if it had."""
    call = "SELECT session_deliver('s', 'and with colours')"
    for kind, sql in (
        ("table", "CREATE TABLE turnstile(command, args)"),
        ("view without a trigger", "CREATE VIEW turnstile(command, args) AS SELECT 1, 2"),
        ("nothing", "SELECT 1"),
        (
            "view with an empty trigger",
            "CREATE VIEW turnstile(command, args) AS SELECT 1, 2; CREATE TRIGGER d INSTEAD OF "
            "INSERT ON turnstile BEGIN SELECT 1; END",
        ),
        (
            "trigger that leaves out the command",
            "CREATE VIEW turnstile(command, args) AS SELECT 1, 2; CREATE TRIGGER d INSTEAD OF "
            "INSERT ON turnstile WHEN 0 BEGIN SELECT 1; END",
        ),
    ):
        db = new()
        db.execute("DROP VIEW turnstile")
        db.executescript(sql)
        deliveries = one(db, "SELECT count(*) FROM deliveries")
        error = error_of(one, db, call)
        suite.check(f"door is a {kind}: an error", error is not None)
        suite.check(
            f"door is a {kind}: nothing", one(db, "SELECT count(*) FROM deliveries"), deliveries
        )
        survives(f"door is a {kind}", db)
        db.close()


def swapped(db, *commands, more=""):
    """Another trigger behind the door: it sends these commands (name, args as SQL) instead."""
    version = one(db, "SELECT value FROM turnstile_meta WHERE key = 'schema_version'")
    key = "(SELECT value FROM turnstile_meta WHERE key = 'door_key')"
    sent = [f"SELECT turnstile_dispatch({version}, {key}, '', {name}, {args});" for name, args in commands]
    db.execute("DROP TRIGGER turnstile_door")
    # Before 3.40 SQLite takes back what stands before an error only for a trigger that can RAISE.
    db.execute(
        f"""CREATE TRIGGER turnstile_door INSTEAD OF INSERT ON turnstile BEGIN
        SELECT RAISE(ABORT, 'never') WHERE NEW.command IS 0; {" ".join(sent)} {more} END"""
    )


def test_other_command():
    """A door that sends something else than was called: the call fails, and nothing was done."""
    called = ("NEW.command", "NEW.args")
    deleted = ("'session_delete'", """'["s"]'""")
    for what, commands in (
        ("another command", [deleted]),
        ("one that is unknown", [("'no_command'", "NULL")]),
        ("none", [("NULL", "NULL")]),
        ("a read", [("'session_state'", """'["s"]'""")]),
        ("the call, then another", [called, deleted]),
        ("another, then the call", [deleted, called]),
        ("the call, then a read", [called, ("'session_state'", """'["s"]'""")]),
        ("the call twice", [called, called]),
        ("other arguments", [("NEW.command", """'["f","evil"]'""")]),
        ("the same arguments", [("'session_note'", """'["s","hello"]'""")]),
        ("no arguments", [("NEW.command", "'[]'")]),
        ("the call, then other arguments", [called, ("NEW.command", """'["f","evil"]'""")]),
    ):
        db = new()
        swapped(db, *commands)
        for begin in (False, True):
            if begin:
                db.execute("BEGIN")
                db.execute("UPDATE sessions SET updated_at = updated_at")
            before = dump(db)
            error = error_of(one, db, "SELECT session_note('s', 'hello')")
            begins = str(error).startswith('session_note: "main"."turnstile" is not turnstile\'s door: it sends')
            suite.check(f"door sends {what}: {error}", begins)
            suite.check(f"door sends {what}: nothing, {begin}", dump(db) == before)
            suite.check(f"door sends {what}: the transaction, {begin}", db.in_transaction, begin)
            suite.check(f"door sends {what}: no result", error_of(one, db, "SELECT turnstile_result()") is not None)
        db.execute("COMMIT")
        suite.check(f"door sends {what}: a read needs no door", "Running" in one(db, "SELECT session_state('s')"))
        if commands == [deleted]:
            survives(f"door sends {what}", db)
        db.close()
    # Through the door of another prefix, with its key, in a file that names it in a trigger: also the very same call.
    for sent, first in (
        ("'session_start', '[\"s\",\"evil\"]'", (called,)),
        ("'session_note', NULL", (called,)),
        ("'session_note', NULL", ()),
    ):
        db = new()
        one(db, """SELECT turnstile_install('{"prefix":"b_"}')""")
        db.execute("""INSERT INTO b_turnstile VALUES('session_start', '["s","x"]')""")
        version = one(db, "SELECT value FROM turnstile_meta WHERE key = 'schema_version'")
        swapped(
            db,
            *first,
            more=f"SELECT turnstile_dispatch({version}, (SELECT value FROM b_turnstile_meta WHERE key = 'door_key'), "
            f"'b_', {sent}); SELECT 'b_turnstile' WHERE 0;",
        )
        db.execute("CREATE TABLE bait(x)")
        db.execute("CREATE TRIGGER names AFTER INSERT ON bait BEGIN INSERT INTO b_turnstile VALUES(1, 2); END")
        before = dump(db)
        error = error_of(one, db, "SELECT session_note('s', 'hello')")
        what = f"door sends {sent} to another prefix, {'as well' if first else 'instead'}"
        suite.holds(what, error, "session_note: ", "is not turnstile's door")
        suite.check(f"{what}: nothing", dump(db) == before)
        db.close()
    # What a command tries first, and lets stand, can't be taken back behind its back.
    db = new()
    one(db, "SELECT turnstile_config('queue_full', 'reject')")
    one(db, "SELECT turnstile_config('classify_below', 'ask')")
    said = "SELECT count(*) FROM deliveries WHERE message = 'and with colours'"
    swapped(db, called, more=f"SELECT RAISE(ABORT, 'taken back') WHERE ({said});")
    error = error_of(one, db, "SELECT session_deliver('s', 'and with colours')")
    suite.holds("a trial that stands is taken back", error, "session_deliver: ", "taken back")
    suite.check("a trial that stands is taken back: nothing", one(db, said), 0)
    db.close()


def test_calls_in_calls():
    """What is no other command in a call: calls in each other's arguments, and what a trigger of the
    connection's own writes to another file meanwhile. The result is the call's."""
    count = "SELECT count(*) FROM {}.observations WHERE data LIKE '%{}%'"
    db = new()
    one(db, "SELECT session_note('s', 'in ' || session_note('s', 'out ' || session_note('s', 'first')))")
    noted = """INSERT INTO turnstile VALUES('session_note', json_array('s', 'wrote ' || session_note('s', 'said')))
        RETURNING turnstile_result() || ',' || session_note('s', 'after')"""
    suite.check("a call in an INSERT", len(db.execute(noted).fetchall()[0][0].split(",")), 2)
    for word in ("in ", "out ", "first", "wrote ", "said", "after"):
        suite.check(f"a call in a call: {word}", one(db, count.format("main", word)), 1)
    calls = "SELECT count(DISTINCT session_note('s', 'row ' || value)) FROM json_each('[1,2,3]')"
    suite.check("a call for every row", one(db, calls), 3)
    db.execute("ATTACH ':memory:' AS side")
    for prefix in ("", "m_"):
        one(db, """SELECT turnstile_install(json_object('schema', 'side', 'prefix', ?))""", prefix)
        db.execute(f"INSERT INTO side.{prefix}turnstile VALUES('session_start', '[\"copy\",\"x\"]')")

    # A function of the host's can run commands there; a trigger names a door of that file alone.
    def by_insert():
        db.execute("""INSERT INTO side.turnstile VALUES('session_note', '["copy","by_insert"]')""")

    def by_call():
        one(db, "SELECT turnstile_use('side')")
        one(db, "SELECT session_note('copy', 'by_call')")
        one(db, "SELECT turnstile_use('main')")

    for function in (by_insert, by_call):
        db.create_function(function.__name__, 0, function)
    mirrored = """INSERT INTO m_turnstile VALUES('session_state', '["copy"]');
        INSERT INTO m_turnstile VALUES('session_note', '["copy","by_trigger"]')"""
    notes = "SELECT count(*) FROM side.{}observations WHERE data LIKE '%{}%'"
    for how, sql, prefix in (
        ("by_trigger", mirrored, "m_"),
        ("by_insert", "SELECT by_insert()", ""),
        ("by_call", "SELECT by_call()", ""),
    ):
        db.execute(f"CREATE TEMP TRIGGER beside INSTEAD OF INSERT ON main.turnstile BEGIN {sql}; END")
        noted = one(db, "SELECT session_note('s', ?)", f"beside {how}")
        found = f"SELECT group_concat(id) FROM main.observations WHERE data LIKE '%beside {how}%'"
        suite.check(f"{how}: once, and the result is the call's", str(noted), one(db, found))
        suite.check(f"{how}: once beside it", one(db, notes.format(prefix, how)), 1)
        db.execute("DROP TRIGGER beside")
    suite.sound("calls in calls", db)
    db.close()


def test_foreign_install():
    """Installing over tables of other people is refused, with their names, and changes nothing."""
    for table in TABLES + VIEWS:
        for sql in (f"CREATE TABLE {table}(x)", f"CREATE VIEW {table} AS SELECT 1"):
            db = connect(":memory:", lib)
            db.execute(sql)
            before = db.execute("SELECT * FROM sqlite_schema").fetchall()
            error = error_of(one, db, "SELECT turnstile_install()")
            suite.check(f"{sql}: refused", error is not None)
            # A meta table that can't be read as ours is named too.
            suite.holds(f"{sql}: says which", error, table)
            suite.check(
                f"{sql}: nothing", db.execute("SELECT * FROM sqlite_schema").fetchall(), before
            )
            suite.check(f"{sql}: no transaction", db.in_transaction, False)
            suite.check(
                f"{sql}: a prefix helps",
                one(db, """SELECT turnstile_install('{"prefix":"a_"}') > 0"""),
                1,
            )
            db.close()


# ---- Wrong values ---------------------------------------------------------------------------


def test_columns():
    """A column less, one after the other; and a column with another type in it."""
    for table in TABLES:
        model = new()
        columns = [r[1] for r in model.execute(f"PRAGMA table_info({table})")]
        model.close()
        for column in columns:
            db = new(table=table)
            db.execute("PRAGMA legacy_alter_table = ON")
            db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
            rest = ", ".join(f'"{c}"' for c in columns if c != column) or "1 AS x"
            db.execute(f"CREATE TABLE {table} AS SELECT {rest} FROM old_{table}")
            survives(f"{table} without {column}", db, table=table)
            db.close()
        db = new(table=table)
        db.execute("PRAGMA legacy_alter_table = ON")
        names = ", ".join(f'"{c}"' for c in columns)
        db.execute(f"CREATE TABLE copy_{table} AS SELECT * FROM {table}")
        wrongs = ("zeroblob(9)", "'nonsense'", "-7", "1e300", "NULL")
        for i, column in enumerate(columns):
            for wrong in (wrongs[i % 5], wrongs[(i + 2) % 5]):
                db2 = copy_of(db)
                db2.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
                db2.execute(f"CREATE TABLE {table}({names})")
                values = ", ".join(wrong if c == column else f'"{c}"' for c in columns)
                db2.execute(f"INSERT INTO {table}({names}) SELECT {values} FROM copy_{table}")
                survives(f"{table}.{column} = {wrong}", db2, table=table)
                db2.close()
        db.close()


def test_pending_choice():
    """What plain SQL can write into pending_choice."""
    for text in (
        "",
        "{",
        "[]",
        "null",
        '"A"',
        "17",
        '{"kind":"NoSuchChoice"}',
        '{"kind":"NewTaskChoice"}',
        '{"kind":"NewTaskChoice","options":"AB"}',
        '{"kind":"NewTaskChoice","options":[]}',
        '{"kind":"NewTaskChoice","options":[{"key":7,"action":[],"text":{}}]}',
        '{"kind":"NewTaskChoice","held":{"a":1},"options":[{"key":"A","action":"start_fresh",'
        '"text":"x"}]}',
        '{"kind":"NewTaskChoice","held":"x","delivery_id":99999,"held_class":"?","options":'
        '[{"key":"A","action":"start_fresh","text":"x"}]}',
        '{"kind":"SavedTaskChoice","held":"x","saved":7,"options":[{"key":"A","action":"continue",'
        '"text":"x"}]}',
        '{"kind":"SavedTaskChoice","held":"x","saved":{"task":null,"state":"Nonsense"},"earlier":'
        '[1,2,"x",null,99],"options":[{"key":"A","action":"continue","text":"x"}]}',
        '{"kind":"StaleSessionChoice","options":' + "[" * 900 + "]" * 900 + "}",
        '{"kind":"StaleSessionChoice","held":"' + "x" * 100000 + '"}',
        '{"kind":"StaleSessionChoice","options":[' + '{"key":"A","text":"t"},' * 500 + "1]}",
    ):
        db = new()
        db.execute("UPDATE sessions SET pending_choice = ?", (text,))
        for message in ("A", "continue", "start fresh", "forget it", "write a poem"):
            before = dump(db)
            error = error_of(door, db, "session_deliver", "s", message)
            if error:
                suite.check(f"pending_choice {text[:60]}: nothing", dump(db) == before)
                suite.holds(f"pending_choice {text[:60]}", error, "session_deliver: ")
        survives(f"pending_choice {text[:60]}", db)
        db.close()


def test_loops():
    """superseded_by and aliases that run in circles, or nowhere."""
    for what, sql in (
        ("itself", "UPDATE sessions SET superseded_by = 's' WHERE label = 's'"),
        (
            "each other",
            "UPDATE sessions SET superseded_by = CASE label WHEN 's' THEN 't' ELSE 's' END",
        ),
        ("nowhere", "UPDATE sessions SET superseded_by = 'gone' WHERE label = 's'"),
        (
            "aliases",
            "UPDATE sessions SET superseded_by = 'a' WHERE label = 's'; INSERT INTO "
            "session_aliases VALUES('a','b',NULL,1),('b','a',NULL,1)",
        ),
    ):
        db = new()
        one(db, "SELECT session_start('t', 'other')")
        suite.check(f"{what}: the guards refuse it", bool(error_of(db.executescript, sql)))
        db.executescript(
            f"INSERT INTO turnstile_meta VALUES('unguarded', 1); {sql}; "
            "DELETE FROM turnstile_meta WHERE key = 'unguarded'"
        )
        before = dump(db)
        error = error_of(door, db, "session_deliver", "s", "and with colours")
        if what not in ("nowhere",):
            suite.holds(f"superseded by {what}", error, "loop")
        if error:
            suite.check(f"superseded by {what}: nothing", dump(db) == before)
        survives(f"superseded by {what}", db)
        db.close()


def test_worker_loops():
    """Workers that are their own parents, in short and in long circles, or that have none."""
    for what, sql in (
        ("itself", "UPDATE sessions SET parent_session_label = label WHERE is_subagent = 1"),
        ("its worker", "UPDATE sessions SET parent_session_label = 'v' WHERE label = 'w'"),
        (
            "the parent",
            "UPDATE sessions SET parent_session_label = 'v', is_subagent = 1, "
            "task_status = 'running' WHERE label = 'q'",
        ),
        ("nobody", "UPDATE sessions SET parent_session_label = 'gone' WHERE label = 'w'"),
        ("NULL", "UPDATE sessions SET parent_session_label = NULL WHERE is_subagent = 1"),
        ("nonsense", "UPDATE sessions SET task_status = 'asleep' WHERE is_subagent = 1"),
    ):
        for last in (
            ("session_spawn", "v", "look at home"),
            ("session_report", "w", "failed", "there are none"),
            ("session_report", "v", "completed", "there are none"),
            ("session_deliver", "q", "forget it", {"class": "Abandon"}),
            ("session_deliver", "w", "forget it", {"class": "Abandon"}),
            ("session_recover", "w"),
            ("session_sweep", {"now": 4102444800000}),
        ):
            db = new()
            for command, *args in QUEUE_COMMANDS[:12]:
                door(db, command, *args)
            # Many more, so that a circle which is followed blindly would never end.
            for i in range(12):
                door(db, "session_spawn", "q", "count", {"label": f"c{i}"})
            db.execute(sql)
            before = dump(db)
            error = error_of(door, db, *last)
            if error:
                suite.holds(f"a worker of {what}: {last[0]}", error, last[0] + ": ")
                suite.check(f"a worker of {what}: {last[0]}: nothing", dump(db) == before)
            suite.check(f"a worker of {what}: closed", db.in_transaction, False)
            suite.sound(
                f"a worker of {what}, {last[0]}", db, but=("session_parent", "session_word")
            )
            db.close()


def test_deep_workers():
    """A line of workers as long as the settings can be made to allow: stopped whole."""
    db = new()
    one(db, "SELECT turnstile_config('max_spawn_depth', 100)")
    one(db, "SELECT session_start('w0', 'rename it')")
    for i in range(100):
        door(db, "session_spawn", f"w{i}", "and below", {"label": f"w{i + 1}"})
    error = error_of(door, db, "session_spawn", "w100", "and below")
    suite.holds("a line of workers: its end", error, "max_spawn_depth allows 100")
    door(db, "session_deliver", "w0", "forget it", {"class": "Abandon"})
    states = "SELECT group_concat(DISTINCT task_status) FROM session_workers"
    suite.check("a line of workers: all have stopped", one(db, states), "failed")
    waiting = "SELECT count(*) FROM queue_list WHERE session_label LIKE 'w%'"
    suite.check("a line of workers: nothing waits", one(db, waiting), 0)
    suite.sound("a line of workers", db)
    db.close()


def test_queue_rows():
    """What plain SQL can write into the queue's rows: numbers at their ends, other modes."""
    low, high = -(2**63), 2**63 - 1
    for sql in (
        f"rank = {low}",
        f"rank = {high}",
        f"attempts = {high}",
        f"attempts = {low}",
        f"turn_id = {high}",
        "turn_id = 33554434",
        "delivery_id = NULL",
        f"delivery_id = {low}",
        f"enqueued_at = {high}",
        f"enqueued_at = {low}",
        "mode = 'nonsense'",
        "mode = NULL",
        "class = 'nonsense'",
        "source = 'nonsense'",
        "session_label = 'gone'",
        "session_label = ''",
        "message = ''",
        "message = '/compact'",
        "message = cast(x'610062' AS TEXT)",
        "status = 'nonsense', delivered_at = 1",
        "status = 'handed', delivered_at = NULL",
        "status = 'processing', delivered_at = NULL",
        "status = 'failed', delivered_at = 1",
        "status = 'delivered', delivered_at = 1",
    ):
        db = new()
        for command, *args in QUEUE_COMMANDS[:8]:
            door(db, command, *args)
        error = error_of(db.execute, f"UPDATE session_queue SET {sql}")
        refused = "session_queue.session_label: it must name a session that was not merged"
        if not sql.startswith("session_label"):
            suite.check(f"{sql}: is let in", error, None)
        else:
            suite.check(f"{sql}: is refused", refused in str(error), True)
        for again in (
            ("queue_front", 6),
            ("queue_retry", 6),
            ("queue_push", "q", "five"),
            ("turn_steering", *QUEUED),
            ("session_deliver", "q", "and a title", {"class": "Modification"}),
            ("turn_fail", *QUEUED, "boom"),
            ("turn_begin", "q", "other"),
            ("session_sweep", {"now": 4102444800000}),
            ("queue_cancel", 7),
        ):
            before = dump(db)
            error = error_of(door, db, *again)
            if error:
                suite.holds(f"{sql}: {again[0]}", error, again[0] + ": ")
                suite.check(f"{sql}: {again[0]}: nothing", dump(db) == before)
        for query in QUERIES:
            error = error_of(one, db, query)
            suite.check(f"{sql}: {query} says why", not error or len(str(error)) > 8)
        suite.check(f"{sql}: no transaction is left open", db.in_transaction, False)
        suite.check(f"{sql}: integrity", one(db, "PRAGMA integrity_check"), "ok")
        db.close()


# ---- Attached files and the dispatcher ------------------------------------------------------


def identity(db, schema="main"):
    get = f"SELECT value FROM {schema}.turnstile_meta WHERE key = ?"
    return one(db, get, "uuid"), one(db, get, "door_key"), one(db, get, "schema_version")


def attack(path, version, secret):
    """A file whose views and triggers call the dispatcher with what its author knows of main."""
    bad = sqlite3.connect(path, isolation_level=None)
    bad.create_function("turnstile_dispatch", 5, lambda *args: None)
    call = f"turnstile_dispatch({version}, '{secret}', '', "
    bad.executescript(
        f"""CREATE VIEW turnstile(command, args) AS SELECT 1, 2;
        CREATE TRIGGER d INSTEAD OF INSERT ON turnstile BEGIN
          SELECT {call} NEW.command, NEW.args); END;
        CREATE TABLE bait(x, y DEFAULT 1);
        CREATE TRIGGER b AFTER INSERT ON bait BEGIN
          SELECT {call} 'session_compact', '["s"]'); END;
        CREATE TABLE checked(x CHECK ({call} 'session_compact', '["s"]') IS NULL));
        CREATE VIEW peek AS SELECT {call} 'session_compact', '["s"]') AS x"""
    )
    bad.close()


# What a host does with an attached file. The last two name a door, the attached file's own.
ATTACKED = (
    "INSERT INTO evil.bait VALUES(1, 2)",
    "INSERT INTO evil.checked VALUES(1)",
    "SELECT x FROM evil.peek",
    "INSERT INTO main.log SELECT x FROM evil.peek",
    "UPDATE main.log SET x = (SELECT x FROM evil.peek)",
    "DELETE FROM main.log WHERE x IS NOT (SELECT x FROM evil.peek)",
    "CREATE TABLE main.log2 AS SELECT x FROM evil.peek",
    "INSERT INTO main.log VALUES(1) RETURNING (SELECT x FROM evil.peek)",
    "SELECT session_note('s', 'n') FROM evil.peek",
    """INSERT INTO evil.turnstile VALUES('session_compact', '["s"]')""",
    "INSERT INTO main.turnstile(command, args) SELECT 'session_note', x FROM evil.peek",
)


def test_attached():
    """An attached file whose views and triggers call the dispatcher: with the uuid, which every
    export publishes, and with the door's key, should it have got out."""
    for what, known in (("uuid", 0), ("key", 1)):
        path, evil = suite.path(f"main-{what}.db"), suite.path(f"evil-{what}.db")
        db = new(path)
        db.execute("CREATE TABLE log(x)")
        db.execute("INSERT INTO log VALUES(0)")
        ids = identity(db)
        attack(evil, ids[2], ids[known])
        db.execute("ATTACH ? AS evil", (evil,))
        for begin in ("", "BEGIN", "BEGIN IMMEDIATE", "written"):
            for sql in ATTACKED:
                # Who has the key can call main's door in a statement that names a door, while main
                # is being written to (docs/security.md).
                possible = known and "turnstile" in sql
                if begin:
                    db.execute("BEGIN IMMEDIATE" if begin == "written" else begin)
                if begin == "written":
                    one(db, "SELECT session_note('s', 'mine')")
                before, tasks = dump(db), dump_of(db, "tasks")
                error = error_of(one, db, sql)
                name = f"with the {what}, {begin}: {sql}"
                if possible:
                    suite.check(f"{name}: whole or not", sound_task(db))
                else:
                    suite.check(f"{name}: refused", error is not None)
                    suite.check(f"{name}: no command ran", dump_of(db, "tasks"), tasks)
                    suite.check(f"{name}: nothing", dump(db) == before)
                if begin:
                    db.execute("ROLLBACK")
        suite.sound(f"attached, with the {what}", db)
        survives(f"with a hostile file attached that has the {what}", db)
        db.close()


def dump_of(db, table):
    return db.execute(f"SELECT * FROM main.{table}").fetchall()


def sound_task(db):
    return not db.execute("SELECT * FROM turnstile_check").fetchall()


def test_result_is_not_taken():
    """A result that nobody has asked for can't be read by what an attached file brought along."""
    db = new()
    db.execute("ATTACH ':memory:' AS evil")
    db.executescript(
        """CREATE TABLE evil.stolen(x);
        CREATE TABLE evil.bait(x);
        CREATE TRIGGER evil.b AFTER INSERT ON bait BEGIN
          INSERT INTO stolen VALUES(turnstile_result()); END;
        CREATE VIEW evil.peek AS SELECT turnstile_result() AS x"""
    )
    for sql in ("INSERT INTO evil.bait VALUES(1)", "SELECT * FROM evil.peek"):
        db.execute("""INSERT INTO turnstile VALUES('session_state', '["s"]')""")
        error = error_of(one, db, sql)
        suite.holds(f"{sql}: refused", error, "unsafe use of turnstile_result()")
        suite.check(f"{sql}: nothing", one(db, "SELECT count(*) FROM evil.stolen"), 0)
        suite.check(f"{sql}: it is still there", "state" in one(db, "SELECT turnstile_result()"))
    for sql in (
        "CREATE VIEW evil.c AS SELECT classify_message('stop', 'Running') AS x",
        "CREATE VIEW evil.d AS SELECT class FROM classify('stop', 'Running')",
        "CREATE VIEW evil.e AS SELECT content FROM session_context('s')",
        "CREATE VIEW evil.f AS SELECT label FROM stale_sessions",
        "CREATE VIEW evil.g AS SELECT rule FROM turnstile_check",
        "CREATE VIEW evil.h AS SELECT sql FROM turnstile_cache",
        "CREATE VIEW evil.i AS SELECT turn_id FROM turn_path('s')",
    ):
        error = error_of(one, db, sql) or error_of(one, db, f"SELECT * FROM {sql.split()[2]}")
        suite.holds(f"{sql}: refused", error, "unsafe use of")
    db.close()


def test_result_of_a_trigger():
    """A command that a trigger runs, of an attached file through its own door or of main, is not what
    the connection has asked for: the last result stays."""
    db = new()
    db.execute("ATTACH ':memory:' AS evil")
    one(db, """SELECT turnstile_install('{"schema":"evil"}')""")
    for schema in ("evil", "main"):
        db.executescript(
            f"""CREATE TABLE {schema}.log(x);
            CREATE TRIGGER {schema}.l AFTER INSERT ON log BEGIN
              INSERT INTO turnstile(command, args) VALUES('resolve_session', '["forged"]');
              INSERT INTO turnstile(command, args) VALUES('session_start', '["forged","x"]'); END"""
        )
        asked = "INSERT INTO main.turnstile(command, args) VALUES('session_state', '[\"s\"]')"
        db.execute(asked)
        suite.check(f"{schema}: the trigger", error_of(db.execute, f"INSERT INTO {schema}.log VALUES(1)"), None)
        found = one(db, f"SELECT count(*) FROM {schema}.sessions WHERE label = 'forged'")
        suite.check(f"{schema}: it did its work", found, 1)
        suite.check(f"{schema}: the result is what was asked for", "Running" in one(db, "SELECT turnstile_result()"))
    db.close()


def test_many_prefixes():
    """Calls that are refused leave nothing behind, however many there are."""
    db = new()
    db.execute("ATTACH ':memory:' AS evil")
    db.execute("CREATE TABLE log(x)")
    version = identity(db)[2]
    db.executescript(
        f"""CREATE TABLE evil.n AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c
          WHERE i < 3000) SELECT i FROM c;
        CREATE VIEW evil.v AS SELECT turnstile_dispatch({version}, 'k', 'p' || i || '_', 'x', '[]') FROM n;
        CREATE VIEW evil.w AS SELECT turnstile_dispatch({version}, 'k', hex(zeroblob(1000000)), 'x', '[]')"""
    )
    before = one(db, "SELECT count(*) FROM turnstile_cache")
    for view in ("v", "w"):
        for i in range(300 if view == "v" else 5):
            where = f" LIMIT 1 OFFSET {i}" if view == "v" else ""
            error = error_of(db.execute, f"INSERT INTO log SELECT * FROM evil.{view}{where}")
            suite.check(f"{view} {i}: refused", error is not None)
    suite.check("nothing is kept", one(db, "SELECT count(*) FROM turnstile_cache") <= before + 200)
    suite.check("it works", one(db, "SELECT session_note('s', 'n')") > 0)
    db.close()


def test_damage_is_named():
    """Text that is no JSON in a row: SQLITE_CORRUPT, with where to look; and a view in the place of
    turnstile_meta is named through the door as well."""
    for column, sql in (
        ("pending_choice", "UPDATE sessions SET pending_choice = '{' WHERE label = 's'"),
        ("state_data", "UPDATE tasks SET state_data = 'x' WHERE session_label = 's'"),
    ):
        for call in (one, door):
            db = new()
            db.execute(sql)
            args = ("SELECT session_deliver('s', 'yes, please')",) if call is one else ("session_deliver", "s", "yes")
            error = error_of(call, db, *args)
            if error is None:
                continue  # the command had no need to read it
            suite.holds(f"{column}: says where to look", error, "session_deliver: ", "turnstile_check")
            suite.check(f"{column}: corrupt", error.sqlite_errorname.startswith("SQLITE_CORRUPT"))
            db.close()
    db = new()
    db.executescript(
        "ALTER TABLE turnstile_meta RENAME TO kept; CREATE VIEW turnstile_meta AS SELECT * FROM kept"
    )
    suite.holds(
        "a view of our name, through the door",
        error_of(door, db, "session_note", "s", "n"),
        "session_note: ",
        '"turnstile_meta" is a view',
    )
    db.close()


def test_state_is_out_of_reach():
    """Nothing that a stored schema can reach changes or uses what the connection remembers."""
    for function in (
        "turnstile_classifier('lower')",
        "turnstile_use('main', 'p_')",
        "turnstile_clock(5)",
        "turnstile_result()",
        "turnstile_install()",
        "turnstile_renew()",
        "turnstile_schema()",
        "session_note('s', 'x')",
        "session_state('s')",
        "turnstile_config('lease')",
    ):
        db = new()
        name = function.split("(")[0]
        db.executescript(
            f"""CREATE TABLE bait(x);
            CREATE TRIGGER b AFTER INSERT ON bait BEGIN SELECT {function}; END;
            CREATE VIEW peek AS SELECT {function} AS x"""
        )
        before = dump(db)
        for sql in ("INSERT INTO bait VALUES(1)", "SELECT * FROM peek"):
            error = error_of(one, db, sql)
            suite.holds(f"{function} in {sql}", error, f"unsafe use of {name}()")
        suite.check(f"{function}: nothing", dump(db) == before)
        suite.check(f"{function}: the clock runs", one(db, "SELECT session_note('s', 'n')") > 0)
        db.close()
    # What can be called there, and is refused, leaves the connection's result where it is.
    db = new()
    version = identity(db)[2]
    db.executescript(
        f"""CREATE TABLE bait(x);
        CREATE TRIGGER b AFTER INSERT ON bait BEGIN
          SELECT turnstile_dispatch({version}, 'guessed', '', 'session_note', '["s","x"]'); END"""
    )
    db.execute("""INSERT INTO turnstile VALUES('session_state', '["s"]')""")
    suite.check("a guessed key: refused", error_of(one, db, "INSERT INTO bait VALUES(1)") is not None)
    suite.check("a guessed key: the result stays", "state" in one(db, "SELECT turnstile_result()"))
    # A trigger of the application's own that uses the door goes on working.
    db.execute(
        """CREATE TRIGGER c AFTER DELETE ON bait BEGIN
          INSERT INTO turnstile(command, args) VALUES('session_note', '["s","by a trigger"]'); END"""
    )
    db.execute("DROP TRIGGER b")
    db.execute("INSERT INTO bait VALUES(1)")
    suite.check("a trigger of the application's", error_of(one, db, "DELETE FROM bait"), None)
    found = "SELECT count(*) FROM observations WHERE data LIKE '%by a trigger%'"
    suite.check("a trigger of the application's: done", one(db, found), 1)
    db.execute("CREATE TEMP TABLE t(x)")
    db.execute(
        """CREATE TEMP TRIGGER d AFTER INSERT ON t BEGIN
          INSERT INTO "turnstile" VALUES('session_note', '["s","by a trigger"]'); END"""
    )
    suite.check("a TEMP trigger", error_of(one, db, "INSERT INTO temp.t VALUES(1)"), None)
    suite.check("a TEMP trigger: done", one(db, found), 2)
    suite.sound("state out of reach", db)
    db.close()


def test_copies():
    """A copy of the file attached beside it has the same uuid."""
    path, copy = suite.path("orig.db"), suite.path("copy.db")
    new(path).close()
    shutil.copy(path, copy)
    db = connect(path, lib)
    db.execute("ATTACH ? AS other", (copy,))
    # Each door works on its own file, the one being written to.
    for mine, theirs in (("main", "other"), ("other", "main")):
        before = dump(db, schema=theirs)
        note = f"""INSERT INTO {mine}.turnstile(command, args) VALUES('session_note',
            '["s","into {mine}"]')"""
        suite.check(f"copies: the door of {mine}", error_of(one, db, note), None)
        suite.check(f"copies: not {theirs}", dump(db, schema=theirs) == before)
        found = f"SELECT count(*) FROM {mine}.observations WHERE data LIKE '%into {mine}%'"
        suite.check(f"copies: {mine}", one(db, found), 1)
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE other.sessions SET updated_at = updated_at")
    db.execute("UPDATE main.sessions SET updated_at = updated_at")
    before = dump(db), dump(db, schema="other")
    error = error_of(door, db, "session_note", "s", "which?")
    suite.holds("copies, both being written", error, "same door_key", "turnstile_renew()")
    suite.check("copies, both being written: nothing", (dump(db), dump(db, schema="other")) == before)
    db.execute("ROLLBACK")
    suite.sound("copies", db)
    db.close()


def test_direct_dispatch():
    """The dispatcher called by itself, in every way a host or a file could."""
    key_sql = "(SELECT value FROM turnstile_meta WHERE key = 'door_key')"
    db = new()
    version = identity(db)[2]
    call = f"turnstile_dispatch({version}, {key_sql}, '', 'session_compact', '[\"s\"]')"
    for what, prepare, sql in (
        ("autocommit", [], f"SELECT {call}"),
        ("in BEGIN", ["BEGIN"], f"SELECT {call}"),
        ("in BEGIN IMMEDIATE", ["BEGIN IMMEDIATE"], f"SELECT {call}"),
        (
            "after a write",
            ["BEGIN", "UPDATE sessions SET updated_at = updated_at"],
            f"SELECT {call}",
        ),
        ("as an expression", [], f"SELECT 1 WHERE {call} IS NULL"),
        ("in a view", [], f"SELECT * FROM (SELECT {call})"),
    ):
        for statement in prepare:
            db.execute(statement)
        before = dump(db)
        error = error_of(one, db, sql)
        suite.holds(f"dispatch {what}", error, "turnstile")
        suite.check(f"dispatch {what}: nothing", dump(db) == before)
        if prepare:
            db.execute("COMMIT")
            suite.check(f"dispatch {what}: nothing, committed", dump(db) == before)
    # Beside a statement of the host that writes and has not ended.
    db.execute("CREATE TABLE t(x)")
    db.execute("BEGIN")
    rows = db.execute("INSERT INTO t VALUES(1), (2) RETURNING x")
    next(rows)
    before = dump(db)
    error = error_of(one, db, f"SELECT {call}")
    committed = one(db, "SELECT count(*) FROM commits")
    open_tasks = one(db, "SELECT count(*) FROM tasks WHERE ended_at IS NULL")
    # Refused, or done whole.
    if error:
        suite.check("beside a write: nothing", dump(db) == before)
    else:
        suite.check("beside a write: whole", (committed, open_tasks), (1, 0))
    rows.fetchall()
    db.execute("ROLLBACK")
    # Wrong arguments.
    for args in ("NULL, NULL, NULL, NULL, NULL", "1, 2, 3, 4, 5", ", ".join(["x'00'"] * 5)):
        error = error_of(one, db, f"SELECT turnstile_dispatch({args})")
        suite.holds(f"dispatch({args})", error, "turnstile")
        error = error_of(db.execute, f"INSERT INTO t SELECT turnstile_dispatch({args})")
        suite.check(f"dispatch({args}) in a write", error is not None)
    # In a plain INSERT of the host's, without a trigger and so without a journal.
    db.execute("BEGIN")
    db.execute("UPDATE sessions SET updated_at = updated_at")
    before = dump(db)
    wrong = call.replace("session_compact", "session_transition")
    wrong = wrong.replace('["s"]', '["s","Complete"]')
    error = error_of(db.execute, f"INSERT INTO t VALUES({wrong})")
    suite.check("dispatch in an INSERT: refused move", error is not None)
    suite.check("dispatch in an INSERT: nothing", dump(db) == before)
    db.execute("ROLLBACK")
    suite.sound("direct dispatch", db)
    db.close()


def test_temp():
    """TEMP things called like ours: refused or never reached."""
    for name in TABLES + VIEWS + MODULES:
        for kind, sql in (
            ("table", f"CREATE TEMP TABLE {name}(command, args, x)"),
            ("view", f"CREATE TEMP VIEW {name} AS SELECT 1 AS command, 2 AS args"),
        ):
            db = new()
            db.execute(sql)
            before = one(db, "SELECT count(*) FROM main.deliveries")
            decision = one(db, "SELECT session_deliver('s', 'and with colours')")
            suite.check(f"temp {kind} {name}: works", "action" in json.loads(decision))
            after = one(db, "SELECT count(*) FROM main.deliveries")
            suite.check(f"temp {kind} {name}: into main", after, before + 1)
            pushed = error_of(one, db, "SELECT queue_push('s', 'later')")
            suite.check(f"temp {kind} {name}: the queue works", pushed, None)
            turn = error_of(one, db, "SELECT turn_append('s', ?)", json.dumps(SAID))
            suite.check(f"temp {kind} {name}: turns work", turn, None)
            if name not in MODULES:
                path = "SELECT group_concat(depth) FROM turn_path('s')"
                suite.check(f"temp {kind} {name}: paths", one(db, path), "0,1,2,3,4")
                context = "SELECT count(*) FROM session_context('s')"
                suite.check(f"temp {kind} {name}: contexts", one(db, context), 5)
            error = error_of(one, db, """SELECT turnstile_use('temp')""")
            suite.holds(f"temp {kind} {name}: turnstile_use", error, "temp")
            db.close()
    db = new()
    uuid, key, version = identity(db)
    db.executescript(
        f"""CREATE TEMP TABLE turnstile_meta(key, value);
        INSERT INTO temp.turnstile_meta VALUES('door_key', '{key}'), ('schema_version', {version});
        CREATE TEMP TABLE bait(x);
        CREATE TEMP TRIGGER t AFTER INSERT ON bait BEGIN
          SELECT turnstile_dispatch({version}, '{key}', '', 'session_compact', '["s"]'); END"""
    )
    before = dump(db)
    error = error_of(db.execute, "INSERT INTO bait VALUES(1)")
    suite.check("a TEMP trigger that dispatches: refused", error is not None)
    suite.check("a TEMP trigger that dispatches: nothing", dump(db) == before)
    db.close()


# ---- Triggers, views, constraints -----------------------------------------------------------


def test_recursion():
    """Triggers of the host on our tables that call the door again."""
    for table in ("turns", "branches", "messages", "tool_calls", "session_history"):
        db = new()
        db.execute(
            f"""CREATE TRIGGER again AFTER INSERT ON {table} BEGIN INSERT INTO turnstile(command,
            args) VALUES('turn_append', '["deep",[{{"role":"user","content":"x"}}]]'); END"""
        )
        before = dump(db)
        error = error_of(door, db, "turn_append", "fresh", SAID)
        suite.holds(f"recursion through {table}", error, "inside another command")
        suite.check(f"recursion through {table}: nothing", dump(db) == before)
        db.execute("DROP TRIGGER again")
        suite.sound(f"recursion through {table}", db)
        db.close()
    for table in ("session_queue", "deliveries", "sessions", "tasks", "session_events"):
        db = new()
        db.execute(
            f"""CREATE TRIGGER again AFTER INSERT ON {table} BEGIN
            INSERT INTO turnstile(command, args) VALUES('queue_push', '["deep","again"]');
            END"""
        )
        before = dump(db)
        error = error_of(door, db, "session_spawn", "s", "find the callers")
        suite.holds(f"recursion of queue_push through {table}", error, "inside another command")
        suite.check(f"recursion of queue_push through {table}: nothing", dump(db) == before)
        db.close()
    for table in ("deliveries", "session_events", "session_queue", "tasks", "sessions"):
        db = new()
        db.execute(
            f"""CREATE TRIGGER again AFTER INSERT ON {table} BEGIN
            INSERT INTO turnstile(command, args) VALUES('session_deliver', '["deep","again"]');
            END"""
        )
        before = dump(db)
        error = error_of(door, db, "session_deliver", "fresh", "write a poem")
        suite.holds(f"recursion through {table}", error, "inside another command")
        suite.check(f"recursion through {table}: nothing", dump(db) == before)
        db.execute("DROP TRIGGER again")
        suite.sound(f"recursion through {table}", db)
        db.close()
    # A trigger that only writes rows of its own is welcome.
    db = new()
    db.execute("CREATE TABLE audit(x)")
    db.execute(
        "CREATE TRIGGER audit AFTER INSERT ON deliveries BEGIN INSERT INTO audit "
        "VALUES(NEW.message); END"
    )
    door(db, "session_deliver", "s", "and with colours")
    suite.check("a trigger of the host's", one(db, "SELECT x FROM audit"), "and with colours")
    # One that refuses takes the whole command with it.
    db.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    for how in ("ABORT", "FAIL", "ROLLBACK"):
        db.execute("DROP TRIGGER refuse")
        db.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON deliveries "
            f"BEGIN SELECT RAISE({how}, 'no'); END"
        )
        for begin in ("", "BEGIN"):
            before = dump(db)
            if begin:
                db.execute(begin)
            error = error_of(door, db, "session_deliver", "s", "one more")
            suite.check(f"RAISE({how}) {begin}: an error", error is not None)
            suite.check(f"RAISE({how}) {begin}: nothing", dump(db) == before)
            if db.in_transaction:
                db.execute("COMMIT")
            suite.check(f"RAISE({how}) {begin}: nothing at the end", dump(db) == before)
    db.close()


RAISES = ("ABORT", "FAIL", "ROLLBACK")
OPERATIONS = ("INSERT", "UPDATE", "DELETE")


def touches(db, table, commands):
    """For each command: what it would do, and to which tables, by triggers that only write it down."""
    other = copy_of(db)
    other.execute("CREATE TABLE touched(what)")
    for (name,) in other.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('touched') "
        "AND name NOT LIKE 'sqlite%'"
    ).fetchall():
        for operation in OPERATIONS:
            other.execute(
                f"CREATE TRIGGER {table}_{name}_{operation} BEFORE {operation} ON {name} "
                f"BEGIN INSERT INTO touched VALUES ('{operation} ON {name}'); END"
            )
    for command, *args in commands:
        other.execute("DELETE FROM touched")
        failed = error_of(door, other, command, *args)
        found = [x for (x,) in other.execute("SELECT DISTINCT what FROM touched ORDER BY 1")]
        yield command, args, [] if failed else found
    other.close()


def called(db, sugar, command, args):
    if not sugar:
        return error_of(door, db, command, *args)
    values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
    return error_of(one, db, f"SELECT {command}({', '.join('?' * len(values))})", *values)


def test_raise():
    """A trigger of somebody's that refuses any row that any command writes: it ends the command, in and
    outside of a transaction, and nothing is left. With ROLLBACK the transaction of the host goes too."""
    begins = ("", "BEGIN", "SAVEPOINT x")
    tried, tables = 0, set()
    for kind, commands in (
        ("s", COMMANDS),
        ("turns", TURN_COMMANDS),
        ("queue", QUEUE_COMMANDS),
        ("sessions", IDENTITY_COMMANDS + [("session_sweep", {"now": 4102444800000})]),
    ):
        db = new(table="identities" if kind == "sessions" else "")
        for command, args, found in touches(db, kind, commands):
            for what in found:
                tried += 1
                tables.add(what)
                # Turn about: how it refuses, before or after the row, the way of calling, the transaction.
                how, begin = RAISES[tried % 3], begins[tried // 3 % 3]
                when, sugar = ("BEFORE", "AFTER")[tried // 9 % 2], tried // 18 % 2
                name = f"{command}: RAISE({how}) {when} {what}, {begin or 'alone'}, {sugar}"
                before = dump(db)
                temp = ("", "TEMP ")[tried // 2 % 2]
                operation, _, table = what.split()
                db.execute(
                    f"CREATE {temp}TRIGGER refuse {when} {operation} ON {'main.' if temp else ''}{table} "
                    f"BEGIN SELECT RAISE({how}, 'not this row'); END"
                )
                if begin:
                    db.execute(begin)
                error = called(db, sugar, command, args)
                # SQLite says it in words of its own where the whole transaction is gone.
                suite.holds(f"{name}: an error", error, f"{command}: " if sugar else "not this row")
                suite.check(f"{name}: nothing", dump(db) == before)
                suite.check(
                    f"{name}: the transaction", db.in_transaction, bool(begin) and how != "ROLLBACK"
                )
                if db.in_transaction:
                    db.execute("COMMIT" if begin == "BEGIN" else "RELEASE x")
                db.execute("DROP TRIGGER refuse")
                suite.check(f"{name}: nothing at the end", dump(db) == before)
            # The file as the next command of the list finds it.
            error_of(door, db, command, *args)
        suite.sound(f"refused rows, {kind}", db, deleted=True)
        db.close()
    suite.check("rows of most tables were refused", (tried > 200, len(tables) > 40), (True, True))


def test_left_out():
    """RAISE(IGNORE) leaves out a row, and SQLite tells nobody: what writes refuses while one of our tables
    has such a trigger, the file's or the connection's own, however it is written. Reading goes on."""
    reads = READERS + ["session_state", "session_progress", "session_export"]
    writes = [c for c in COMMANDS + TURN_COMMANDS + QUEUE_COMMANDS if c[0] not in reads]
    db = new()
    for place, table in enumerate(TABLES):
        before = dump(db)
        operation = OPERATIONS[place % 3]
        temp, when = ("", "TEMP ")[place // 3 % 2], ("BEFORE", "AFTER")[place % 2]
        db.execute(
            f"CREATE {temp}TRIGGER leave {when} {operation} ON {'main.' if temp else ''}{table} "
            "BEGIN SELECT RAISE(IGNORE); END"
        )
        says = f'trigger "leave" on "{table}" says RAISE(IGNORE)'
        for begin in ("", "BEGIN", "SAVEPOINT x"):
            if begin:
                db.execute(begin)
            for i, (command, *args) in enumerate(writes[place % 3 :: 3]):
                error = called(db, i % 2, command, args)
                suite.holds(f"{table}: {command} {begin}", error, f"{command}: {says}")
            suite.check(f"{table}, {begin}: it stays open", db.in_transaction, bool(begin))
            if begin:
                db.execute("COMMIT" if begin == "BEGIN" else "RELEASE x")
        suite.check(f"{table}: nothing", dump(db) == before)
        suite.check(f"{table}: reading", error_of(one, db, "SELECT session_state('s')"), None)
        one(db, "SELECT count(*) FROM turnstile_check")
        db.execute("DROP TRIGGER leave")
        suite.check(f"{table}: gone", error_of(door, db, "session_note", "s", table), None)
    # However it is written, and wherever it stands.
    for what, name, sql in (
        ("a quoted table", '"a b"', """DELETE ON "Tasks" BEGIN SELECT 1;
            SELECT /* a */ raise -- b
            ( /* c */ Ignore ) WHERE OLD.id = 0; END"""),
        ("a text for a name", "'x'", "UPDATE OF state ON 'tasks' WHEN 0 "
            "BEGIN SELECT CASE WHEN 1 THEN RAISE(IGNORE) END; END"),
        ("brackets", "[ON turns]", "AFTER INSERT ON [deliveries] "
            "BEGIN DELETE FROM [observations] WHERE RAISE(IGNORE); END"),
        ("the schema", "main.x", "BEFORE INSERT ON main.steps BEGIN SELECT RAISE(IGNORE); END"),
        ("TEMP", "temp.x", "BEFORE INSERT ON steps BEGIN SELECT RAISE(IGNORE); END"),
    ):  # fmt: skip
        db.execute(f"CREATE TRIGGER {name} {sql}")
        error = error_of(door, db, "session_note", "s", "x")
        suite.holds(what, error, "session_note: trigger ", " says RAISE(IGNORE)")
        db.execute(f"DROP TRIGGER {name}")
    # Elsewhere it may be, or only be named.
    db.execute("CREATE TABLE audit(x)")
    for what, sql in (
        ("on a table of its own", "ON audit BEGIN SELECT RAISE(IGNORE); END"),
        ("in a text", "ON observations BEGIN SELECT 'RAISE(IGNORE)'; END"),
        ("in a comment", "ON observations BEGIN SELECT 1 /* RAISE(IGNORE) */; END"),
        ("of a row of its own", "ON observations BEGIN INSERT OR IGNORE INTO audit VALUES (1); END"),
    ):
        db.execute(f"CREATE TRIGGER other BEFORE INSERT {sql}")
        suite.check(what, error_of(door, db, "session_note", "s", "x"), None)
        db.execute("DROP TRIGGER other")
    suite.sound("left out", db)
    # Another set of tables is another.
    one(db, """SELECT turnstile_install('{"prefix":"p_"}')""")
    db.execute("CREATE TRIGGER leave INSERT ON p_tasks BEGIN SELECT RAISE(IGNORE); END")
    suite.check("of another prefix", error_of(door, db, "session_note", "s", "x"), None)
    sql = "INSERT INTO p_turnstile VALUES('session_start', '[\"s\",\"x\"]')"
    suite.holds("the prefix", error_of(db.execute, sql), 'session_start: trigger "leave" on "p_tasks"')
    # A new key is one, whatever triggers the table has.
    key = "SELECT group_concat(value) FROM turnstile_meta WHERE key IN ('uuid', 'door_key')"
    for how in ("IGNORE", "FAIL, 'no'", "ROLLBACK, 'no'"):
        old = one(db, key).split(",")
        db.execute(
            "CREATE TRIGGER keep BEFORE UPDATE ON turnstile_meta WHEN NEW.key = 'door_key' "
            f"BEGIN SELECT RAISE({how}); END"
        )
        one(db, "SELECT turnstile_renew()")
        fresh = one(db, key).split(",")
        suite.check(f"renewed, RAISE({how})", [old[0] == fresh[0], old[1] == fresh[1]], [False, False])
        db.execute("DROP TRIGGER keep")
    db.close()


def test_triggers_off():
    """With triggers off on a connection every command that writes is refused, whichever way it is called; what
    reads goes on."""
    path = suite.path("off.db")
    new(path).close()
    shell = [os.environ.get("SQLITE3", "sqlite3"), "-batch", "-init", os.devnull, path]
    for what, sql, *says in (
        ("a function", "SELECT session_note('s', 'x');", "session_note: triggers are off on this connection"),
        ("in BEGIN", "BEGIN; SELECT session_sweep(); COMMIT;", "session_sweep: triggers are off on this"),
        ("the door", """INSERT INTO turnstile VALUES('session_note', '["s","x"]');""", "because it is a view"),
        ("state", "SELECT session_state('s');", '"session":"s"'),
        ("check", "SELECT 'sound', count(*) FROM turnstile_check;", "sound|0"),
        ("on again", ".dbconfig enable_trigger on\nSELECT session_note('s', 'on') > 0;", "1"),
    ):
        script = f".load {os.path.splitext(lib)[0]} sqlite3_turnstile_init\n.dbconfig enable_trigger off\n{sql}\n"
        run = subprocess.run(shell, input=script, capture_output=True, text=True, check=False)
        suite.holds(f"triggers off: {what}", run.stdout + run.stderr, *says)
    db = connect(path, lib)
    said = db.execute("SELECT data ->> 'text' FROM observations WHERE kind = 'Note' AND data NOT LIKE '%inter%'")
    suite.check("triggers off: nothing was written", said.fetchall(), [("on",)])
    suite.sound("triggers off", db)
    db.close()


def damage_pages(data, rng):
    """Some bytes of some pages become others: where a page says what it holds, or anywhere in it."""
    size, pages = int.from_bytes(data[16:18], "big"), bytearray(data)
    for _ in range(rng.choice((1, 3, 10, 40))):
        page = rng.randrange(len(data) // size)
        within = rng.randrange(rng.choice((12, 64, size)))
        at = page * size + (within if page else 100 + within % (size - 100))
        pages[at] = rng.choice((0, 1, 255, rng.randrange(256), pages[at] ^ 1 << rng.randrange(8)))
    return pages


def ended(call, *args):
    """The error of a call on a damaged file. SQLite's own text of it can hold bytes of the file that are no
    UTF-8, and a length of the file's can be more than there is memory for."""
    try:
        return error_of(call, *args)
    except (UnicodeDecodeError, MemoryError) as error:
        return error


def test_damaged_pages():
    """Bytes of tables, indexes and the schema that are no longer what SQLite wrote: installing, reading and
    every command end, with a message that a function begins with its name. (CASES: how many files.)"""
    base, path = suite.path("whole.db"), suite.path("damaged.db")
    new(base, table="identities").close()
    with open(base, "rb") as file:
        data = file.read()
    for case in range(int(os.environ.get("CASES", "12"))):
        with open(path, "wb") as file:
            file.write(damage_pages(data, random.Random(case)))
        db = connect(path, lib, 1)
        steps = [0]

        def count():
            steps[0] += 1
            return steps[0] > 2000

        db.set_progress_handler(count, 10000)
        commands = [("turnstile_install",)] + COMMANDS + TURN_COMMANDS + IDENTITY_COMMANDS
        for i, (command, *args) in enumerate(commands + [("turnstile_renew",)]):
            sugar = (i + case) % 3 or command in ("turnstile_install", "turnstile_renew")
            error, steps[0] = ended(called, db, sugar, command, args), 0
            suite.check(f"damage {case}: {command} ends", "interrupted" in str(error), False)
            if error and sugar and not isinstance(error, MemoryError):
                suite.holds(f"damage {case}: {command}", error, f"{command}: ")
        for sql in QUERIES:
            error, steps[0] = ended(one, db, sql), 0
            suite.check(f"damage {case}: {sql} ends", "interrupted" in str(error), False)
        suite.check(f"damage {case}: no transaction", db.in_transaction, False)
        db.set_progress_handler(None, 0)
        db.close()
        for more in ("", "-journal", "-wal", "-shm"):
            if os.path.exists(path + more):
                os.unlink(path + more)


# SQLite's numbers of the limits that a connection can have, and values that are low for each.
LIMITS = {
    "VDBE_OP": (5, (0, 20, 80, 200, 500)),
    "FUNCTION_ARG": (6, (0, 1, 2, 3, 5, 8)),
    "ATTACHED": (7, (0,)),
    "LIKE_PATTERN_LENGTH": (8, (0, 2, 8)),
    "VARIABLE_NUMBER": (9, (0, 1, 2, 4, 8)),
    "TRIGGER_DEPTH": (10, (0, 1, 2, 3)),
    "WORKER_THREADS": (11, (0,)),
}


def limited(db, number, value, call, *args):
    """The error of a call under a limit. (With too many steps a statement is "out of memory" to SQLite,
    of which Python says no more.)"""
    usual = db.setlimit(number, value)
    try:
        return error_of(call, *args)
    except MemoryError as error:
        return error
    finally:
        db.setlimit(number, usual)


def test_limits():
    """Limits of the connection, set low: a command is done or refused as a whole, and goes on when they are
    as they were; so are installing and reading."""
    refused, done = set(), set()
    for limit, (number, values) in LIMITS.items():
        for place, value in enumerate(values):
            what = f"{limit} {value}"
            fresh = connect(":memory:", lib, 1)
            error = limited(fresh, number, value, one, fresh, "SELECT turnstile_install()")
            if error and str(error):
                suite.holds(f"{what}: install", error, "turnstile_install: ")
            suite.check(f"{what}: install leaves nothing open", fresh.in_transaction, False)
            made = one(fresh, "SELECT count(*) FROM sqlite_schema")
            suite.check(f"{what}: all of it or nothing", made == 0, error is not None)
            one(fresh, "SELECT turnstile_install()")
            fresh.close()
            db = new(table="identities")
            for begin, commands in (
                ("", QUEUE_COMMANDS + COMMANDS),
                ("BEGIN", TURN_COMMANDS + IDENTITY_COMMANDS),
            ):
                for i, (command, *args) in enumerate(commands):
                    before = dump(db)
                    if begin:
                        db.execute(begin)
                    sugar = (i + place) % 2
                    error = limited(db, number, value, called, db, sugar, command, args)
                    name = f"{what}: {command} {begin}, {sugar}"
                    if db.in_transaction:
                        db.execute("COMMIT")
                    (refused if error else done).add(limit)
                    if not error:
                        continue
                    suite.check(f"{name}: nothing", dump(db) == before)
                    if sugar and str(error):
                        suite.holds(name, error, f"{command}: ")
            for sql in QUERIES:
                error = limited(db, number, value, one, db, sql)
                named = not error or isinstance(error, MemoryError) or len(str(error)) > 8
                suite.check(f"{what}: {sql} says why", named)
            suite.check(f"{what}: goes on", error_of(door, db, "session_start", "n", "x"), None)
            suite.sound(what, db, deleted=True)
            db.close()
    suite.check("each lets commands through", done, set(LIMITS))


def test_sugar_in_schema():
    """Sugar is for statements of the host only, not for what a file holds."""
    call = "session_deliver('s', 'from the file')"
    for what, setup, sql in (
        (
            "trigger",
            f"CREATE TABLE t(x); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT {call}; END",
            "INSERT INTO t VALUES(1)",
        ),
        ("view", f"CREATE VIEW v AS SELECT {call} AS x", "SELECT x FROM v"),
        ("CHECK", f"CREATE TABLE t(x CHECK ({call} IS NULL))", "INSERT INTO t VALUES(1)"),
        ("DEFAULT", f"CREATE TABLE t(x, y DEFAULT ({call}))", "INSERT INTO t(x) VALUES(1)"),
        ("column", f"CREATE TABLE t(x, y AS ({call}))", "SELECT y FROM t"),
        ("index", f"CREATE TABLE t(x); CREATE INDEX i ON t({call})", "INSERT INTO t VALUES(1)"),
    ):
        db = new()
        before = one(db, "SELECT count(*) FROM deliveries")
        error = error_of(db.executescript, setup) or error_of(one, db, sql)
        suite.check(f"sugar in a {what}: refused", error is not None)
        suite.check(
            f"sugar in a {what}: nothing", one(db, "SELECT count(*) FROM deliveries"), before
        )
        db.close()
    for call in (
        'turn_append(\'s\', \'[{"role":"user","content":"from the file"}]\')',
        "session_fork(16777216)",
        "queue_push('s', 'from the file')",
        "queue_cancel(1)",
        "queue_retry(1)",
        "queue_front(1)",
        "turn_steering(33554434, 1)",
        "session_spawn('s', 'from the file')",
        "session_report('s', 'completed', 'from the file')",
        "turn_ancestor(16777217, 0)",
        "session_usage('s')",
        "session_diagram('s')",
        "(SELECT count(*) FROM turn_path('s'))",
        "(SELECT count(*) FROM turn_tree(16777216))",
        "(SELECT count(*) FROM session_context('s'))",
        "(SELECT count(*) FROM policy_replay)",
        "(SELECT count(*) FROM turnstile_check)",
        "(SELECT count(*) FROM stale_sessions)",
        "(SELECT count(*) FROM classify('yes', 'Running'))",
        "classify_message('yes', 'Running')",
    ):
        db = new()
        before = dump(db)
        db.execute(f"CREATE VIEW v AS SELECT {call} AS x")
        suite.holds(f"{call} in a view", error_of(one, db, "SELECT x FROM v"), "unsafe use")
        db.execute("DROP VIEW v")
        suite.check(f"{call} in a view: nothing", dump(db) == before)
        db.close()
    for name in (
        "turnstile_install()",
        "turnstile_use('main')",
        "turnstile_clock(1)",
        "turnstile_schema()",
        "turnstile_config('lease', 5)",
    ):
        db = new()
        db.execute(f"CREATE VIEW v AS SELECT {name} AS x")
        suite.holds(f"{name} in a view", error_of(one, db, "SELECT x FROM v"), "unsafe use")
        db.close()


def test_packing():
    """A full-text table names in the file the functions that pack and unpack its texts, and calls them in
    statements of its own, to which SQLITE_DIRECTONLY means nothing in older SQLite."""
    probe = new(work=False)
    names = one(probe, "SELECT group_concat(name) FROM pragma_module_list").split(",")
    probe.close()
    if "fts4" not in names:
        return
    plain = sqlite3.connect(":memory:")
    known = "SELECT DISTINCT name FROM pragma_function_list WHERE narg IN (-1, 1) AND flags & 0x80000"
    theirs = {name for (name,) in plain.execute(known)}
    plain.close()
    db = new()
    ours = sorted({name for (name,) in db.execute(known)} - theirs)
    suite.check("packing: functions", {"turnstile_use", "session_delete"} < set(ours))
    # What each is given, as the file would: that of which it does most harm.
    harm = {
        "turnstile_clock": 1767225600000,
        "turnstile_classifier": "lower",
        "turnstile_use": "main",
        "turnstile_install": '{"prefix":"f_"}',
        "turnstile_renew": "{}",
        "turnstile_schema": "{}",
    }
    db.execute("CREATE TABLE trap(x)")
    for name in ours:
        for n, spelt in enumerate((name, name.upper())):
            # Names of tables and columns are the file's choice as well.
            table = ("ft", "a' VALUES(?, \"b")[n]
            quoted = table.replace('"', '""')
            db.execute(
                f"""CREATE VIRTUAL TABLE "{quoted}" USING fts4("x y", z, compress="{spelt}",
                    uncompress="{spelt}")"""
            )
            db.execute(
                f"""INSERT INTO "{quoted}_content" VALUES(1, ?, NULL)""", (harm.get(name, "s"),)
            )
            db.execute(
                f"""CREATE TRIGGER spring AFTER INSERT ON trap BEGIN
                    INSERT INTO "{quoted}"("x y") VALUES(NEW.x); END"""
            )
            db.execute(f"""CREATE VIEW peek AS SELECT "x y" FROM "{quoted}" """)
            before = dump(db)
            for how, sql in (
                ("read", f"""SELECT "x y" FROM "{quoted}" """),
                ("by its number", f"""SELECT "x y" FROM "{quoted}" WHERE docid = 1"""),
                ("in a view", "SELECT * FROM peek"),
                ("written", f"""INSERT INTO "{quoted}"("x y") VALUES('{harm.get(name, "s")}')"""),
                ("in a trigger", "INSERT INTO trap VALUES('s')"),
            ):
                what = f"packing by {spelt}, {how}"
                suite.check(f"{what}: refused", error_of(one, db, sql) is not None)
                suite.check(f"{what}: nothing", dump(db) == before)
            db.executescript(
                f"""DROP TRIGGER spring; DROP VIEW peek; DROP TABLE "{quoted}";"""
            )
    suite.check("packing: the classifier", one(db, "SELECT turnstile_classifier()"), None)
    at = one(db, "SELECT session_note('s', 'n')")
    clock = "SELECT created_at > 1767225600000 FROM observations WHERE id = ?"
    suite.check("packing: the clock runs", db.execute(clock, (at,)).fetchone()[0], 1)
    # Another function packs as it did, and a command beside such a table works.
    db.execute("CREATE VIRTUAL TABLE ft USING fts4(x, compress=upper, uncompress=lower)")
    db.execute("INSERT INTO ft VALUES('A')")
    suite.check("packing: others", one(db, "SELECT x FROM ft"), "a")
    noted = "SELECT session_note('s', x) > 0 FROM ft"
    suite.check("packing: a command of what is in it", one(db, noted), 1)
    db.close()


DEFENSIVE = ["1", "start", "1", "1", "1", "1", "1", "2", "f", "3", "They talked."]


def test_trusted_schema():
    """The strictest settings of a connection: everything works."""
    db = connect(":memory:", lib)
    db.execute("PRAGMA trusted_schema = OFF")
    one(db, "SELECT turnstile_install()")
    for sql in WORK:
        one(db, sql)
    suite.check("trusted_schema=OFF: the door", "action" in door(db, "session_deliver", "s", "hi"))
    suite.check(
        "trusted_schema=OFF: a rule",
        error_of(
            db.execute,
            "INSERT INTO message_rules(class, pattern, weight) VALUES('Abandon', '^nope$', 2)",
        ),
        None,
    )
    suite.check("trusted_schema=OFF: a path", one(db, "SELECT count(*) FROM turn_path('s')"), 4)
    # The call of the live turn has no result yet: the context ends before it.
    suite.check(
        "trusted_schema=OFF: a context", one(db, "SELECT count(*) FROM session_context('f')"), 6
    )
    suite.sound("trusted_schema=OFF", db)
    db.close()
    # DEFENSIVE is set by the shell; the module has no way to it before Python 3.12.
    script = f""".load {lib} sqlite3_turnstile_init
.dbconfig defensive on
.dbconfig trusted_schema off
SELECT turnstile_install() > 0;
SELECT session_deliver('s', 'write the report') ->> '$.action';
INSERT INTO turnstile(command, args) VALUES('session_note', '["s","x"]') RETURNING
  turnstile_result();
SELECT session_compact('s', 'done') IS NOT NULL;
SELECT turn_append('s', '[{{"role":"user","content":"x"}}]') >> 24;
INSERT INTO turnstile(command, args) VALUES('turn_begin',
  '["s","host",{{"messages":[{{"role":"user","content":"x"}}]}}]') RETURNING
  turnstile_result() ->> '$.token';
SELECT turn_complete(16777217, 1, '{{"content":"y"}}') ->> '$.head' & 15;
SELECT turn_compact('s', 'They talked.', '{{"keep_turns":0}}') ->> '$.turn' & 15;
SELECT session_fork(16777218, 'f');
SELECT count(*) FROM turn_path('f');
SELECT content FROM session_context('f');
"""
    shell = os.environ.get("SQLITE3", "sqlite3")
    out = subprocess.run(
        [shell, "-batch", "-init", "/dev/null"],
        input=script,
        text=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    lines = [x for x in out.stdout.split("\n") if x and x.split()[-1] not in ("on", "off")]
    suite.check("defensive", (lines, out.stderr), (DEFENSIVE, ""))


# The compaction keeps no turn: the second answers a call of the first, so that one alone cannot be kept.
KINDS = "summar,messag"


def test_read_only():
    """query_only and a read-only file: reading works, writing is refused whole."""
    path = suite.path("ro.db")
    new(path).close()
    for what in ("query_only", "mode=ro"):
        if what == "query_only":
            db = connect(path, lib)
            db.execute("PRAGMA query_only = ON")
        else:
            db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
            db.enable_load_extension(True)
            db.execute("SELECT load_extension(?, 'sqlite3_turnstile_init')", (lib,))
        state = json.loads(one(db, "SELECT session_state('s')"))
        suite.check(f"{what}: state", state["task_state"], "Running")
        suite.check(f"{what}: config", one(db, "SELECT turnstile_config('lease')"), 300000)
        stale = "SELECT count(*) FROM stale_sessions WHERE include_fresh = 1"
        suite.check(f"{what}: stale_sessions", one(db, stale), 2)
        for sql, expected in (
            ("SELECT session_usage('s') ->> '$.turns'", 3),
            ("SELECT session_needs_compaction('s', 1)", 1),
            ("SELECT turn_ancestor(33554434, 1)", 16777217),
            ("SELECT turn_common_ancestor(33554434, 16777219)", 16777217),
            ("SELECT turn_is_ancestor(33554434, 16777219)", 0),
            ("SELECT group_concat(depth) FROM turn_path('s')", "0,1,2,3"),
            ("SELECT group_concat(level) FROM turn_tree(16777217)", "0,1,2,1"),
            ("SELECT group_concat(substr(kind, 1, 6)) FROM session_context('s')", KINDS),
            ("SELECT count(*) FROM threads", 4),
        ):
            suite.check(f"{what}: {sql}", one(db, sql), expected)
        for command, *args in TURN_COMMANDS + QUEUE_COMMANDS:
            if command not in READERS:
                error = error_of(door, db, command, *args)
                suite.holds(f"{what}: {command}", error, "readonly")
        suite.check(f"{what}: install is done", one(db, "SELECT turnstile_install() > 0"), 1)
        error = error_of(one, db, "SELECT session_deliver('s', 'hello')")
        suite.holds(f"{what}: deliver", error, "readonly")
        suite.check(f"{what}: code", error and error.sqlite_errorcode & 0xFF, 8)
        survives(what, db)
        db.close()


def test_depth():
    """JSON and texts of unusual size and depth as arguments."""
    db = new()
    for what, args in (
        ("deep array", "[" * 3000 + "]" * 3000),
        ("deep options", '["s","x",' + '{"a":' * 3000 + "1" + "}" * 3000 + "]"),
        ("many arguments", json.dumps(["s"] * 5000)),
        ("a long name", json.dumps({"label": "s", "x" * 100000: 1})),
        ("a huge number", '["s","x",{"now":1e999}]'),
        ("a fraction", '["s","x",{"now":1.5}]'),
        ("a negative number", '["s","x",{"now":-1}]'),
        ("twice the same name", '{"label":"s","label":"t","message":7}'),
        ("half a surrogate", '["s","\\ud800 x"]'),
        ("NUL", '["s","a\\u0000b"]'),
        ("a BLOB", sqlite3.Binary(b"\xff\xfe[")),
        ("no JSON", "}{"),
    ):
        before = dump(db)
        sql = "INSERT INTO turnstile(command, args) VALUES('session_deliver', ?)"
        error = error_of(db.execute, sql, (args,))
        if error:
            suite.check(f"{what}: nothing", dump(db) == before)
            suite.holds(what, error, "session_deliver: ")
    suite.sound("strange arguments", db)
    db.close()


def test_queue_arguments():
    """The same for the commands of the queue and of workers, and ids at the ends of the numbers."""
    numbers = "1e999 -1e999 1.5 -1 9223372036854775807 9223372036854775808 -9223372036854775808"
    texts = ['"\\ud800 x"', '"a\\u0000b"', '"' + "x" * 3000000 + '"', '"\\ufffe\\uffff"', '""']
    values = numbers.split() + texts + ["null", "true", "{}", "[[]]", "[" * 3000 + "]" * 3000]
    calls = [
        ("queue_push", ['"q"', '"four"'], "message_id source channel sender mode"),
        ("queue_cancel", ["2"], ""),
        ("queue_retry", ["2"], ""),
        ("queue_front", ["2"], ""),
        ("turn_steering", ["50331648", "1"], ""),
        ("session_spawn", ['"q"', '"count"'], "turn tool_call_id persona label timeout"),
        ("session_report", ['"w"', '"completed"', '"none"'], "task_id"),
        ("session_stop", ['"q"', "50331648", '"enough"'], "keep"),
        ("session_deliver", ['"q"', '"more"'], "mode owner"),
    ]
    model = new()
    for command, *args in QUEUE_COMMANDS[:12]:
        door(model, command, *args)
    for command, good, options in calls:
        for value in values:
            wrongs = [good[:i] + [value] + good[i + 1 :] for i in range(len(good))]
            wrongs += [good + ['{"%s":%s}' % (x, value)] for x in f"{options} request_id".split()]
            for wrong in wrongs:
                text = f"[{','.join(wrong)}]"
                what = f"{command}{text[:60]}"
                db = copy_of(model)
                before = dump(db)
                sql = "INSERT INTO turnstile(command, args) VALUES(?, ?)"
                error = error_of(db.execute, sql, (command, text))
                if error:
                    suite.check(f"{what}: begins right", str(error).startswith(command + ": "))
                    suite.check(f"{what}: not too long", len(str(error)) < 1000)
                    suite.check(f"{what}: nothing", dump(db) == before)
                else:
                    suite.sound(what, db)
                db.close()
    model.close()


LONG_CALLS = """session_context(?) session_context('s',?) turn_path(?) turn_tree(?) classify(?,'Running')
classify('x',?) policy_replay(?) turnstile_check(?)""".split()
LONG_CALLS = [f"SELECT * FROM {call}" for call in LONG_CALLS]
LONG_CALLS += [
    f"SELECT {call}"
    for call in """turnstile_use(?) turnstile_use('main',?) turnstile_classifier(?) turnstile_clock(?)
    turnstile_install(json_object('schema',?)) turnstile_install(json_object('prefix',?))
    turnstile_install(json_object(?,1)) turnstile_schema(json_object('schema',?)) session_key(?,'{}')
    session_key('dm',?) state_diagram(?) state_diagram('task',?) classify_message(?,'Running')
    classify_message('x',?) session_state(?) session_progress(?) resolve_session(?) session_route(?)
    session_usage(?) session_diagram(?) session_diagram('s',?) turn_ancestor(?,1) session_import(?)
    session_needs_compaction(?,1) session_export(?) session_delete(?)""".split()
]


def test_long_values():
    """An error does not become as long as what it is about, and is cut between two characters."""
    db = new()
    for sql in LONG_CALLS:
        for value in ("\u00e9" * 40000, "x" + "\U0001f600" * 20000, json.dumps({"y" * 50000: "z" * 50000})):
            error = error_of(one, db, sql, value)
            suite.check(f"{sql} {value[:3]}: {str(error)[:80]}: not too long", len(str(error)) < 1000)
            suite.check(f"{sql} {value[:3]}: UTF-8", "Could not decode" in str(error), False)
    suite.sound("long values", db)
    db.close()


def test_no_utf8():
    """A text that is no UTF-8 in each column of each table: turnstile_check and the commands can be asked, and what
    they return is UTF-8."""
    model = new(table="identities")
    for command, *args in QUEUE_COMMANDS[:13]:
        error_of(door, model, command, *args)
    triggers = model.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        model.execute(f'DROP TRIGGER "{name}"')
    tried = 0
    for table in TABLES:
        if table in ("message_rules", "state_transitions"):
            continue
        for _, column, kind, _, _, _, hidden in model.execute(f"PRAGMA table_xinfo({table})").fetchall():
            if kind not in ("TEXT", "ANY") or hidden:
                continue
            db = copy_of(model)
            name = f'"{column}"'
            db.execute(
                f"UPDATE OR IGNORE {table} SET {name} = CAST(x'61c162' AS TEXT) WHERE {name} = "
                f"(SELECT max({name}) FROM {table} WHERE typeof({name}) = 'text')"
            )
            if one(db, "SELECT changes()"):
                for _, sql in triggers:
                    db.execute(sql)
                tried += 1
                for sql in ("SELECT * FROM turnstile_check", "SELECT * FROM turnstile_check('s')"):
                    # Python can't decode a row that is no UTF-8, and says so by an error.
                    error = error_of(lambda: db.execute(sql).fetchall())
                    suite.check(f"{table}.{column}: {sql}: {error}", "decode" in str(error), False)
                for command, *args in COMMANDS + QUEUE_COMMANDS + IDENTITY_COMMANDS:
                    error = error_of(door, db, command, *args)
                    suite.check(f"{table}.{column}: {command}: {error}", "decode" in str(error), False)
            db.close()
    suite.check("columns were tried", tried > 60)
    model.close()


def run_all():
    for name, test in sorted(globals().items()):
        if name.startswith("test_") and (len(sys.argv) < 4 or sys.argv[3] in name):
            print(f"# {name}", file=sys.stderr, flush=True)
            test()
    suite.done()


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[2] == "run":
        lib = library(sys.argv[1])
        suite = Suite("hostile")
        run_all()
    command = [sys.executable, __file__, sys.argv[1], "run", *sys.argv[2:3]]
    try:
        child = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        last = [x for x in child.stderr.splitlines() if x.startswith("# ")][-1:]
        if child.returncode not in (0, 1) or "Traceback" in child.stderr:
            print(child.stderr[-2000:])
            print(f"hostile: 0 passed, 1 failed (exit code {child.returncode}, {last})")
        sys.exit(child.returncode)
    except subprocess.TimeoutExpired as error:
        print(f"hostile: 0 passed, 1 failed (a hang: {(error.stderr or b'')[-200:]})")
        sys.exit(1)
