#!/usr/bin/python3
"""legacy.py BUILDDIR - sql/scripts/migrate_legacy.sql: sessions of older programs.

Two files that ORMs made (tests/data/legacy says how): one is migrated where it is, the other, whose
tables are called as ours, from an attached file. What is expected is written beside them. Then
small tables of all that can be odd, and processes killed in the middle.
"""
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402
from vocabulary import LIVE_RUN, ROLE  # noqa: E402

OLD_STATUS = ("active", "suspended", "completed", "cancelled", "error")  # its own: of the tables that are taken over

DATA = os.path.join(ROOT, "tests", "data", "legacy")
MAY = 1714557600125  # 2024-05-01 10:00:00.125 UTC
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def at(day, hour=0, minute=0, ms=0):
    """A time in May 2024."""
    return 1714521600000 + (day - 1) * DAY + hour * HOUR + minute * MINUTE + ms


with open(os.path.join(ROOT, "sql", "scripts", "migrate_legacy.sql"), encoding="utf-8") as file:
    SCRIPT = file.read()

with open(os.path.join(ROOT, "docs", "legacy.md"), encoding="utf-8") as file:
    PAGE = file.read()
# The views are those that the page shows.
TYPEORM, MIKRO_ORM = re.findall(r"(?ms)^```sql\n(.*?)^```", PAGE)

PLAIN = """
CREATE TABLE old_session(id, label, status, reason, title, created_at, updated_at, last_activity);
CREATE TABLE old_message(id, session_id, role, content, created_at);
"""
PLAIN_VIEWS = """
CREATE TEMP VIEW legacy_session AS SELECT * FROM old_session;
CREATE TEMP VIEW legacy_message AS SELECT * FROM old_message;
"""


# ---- Migrating and looking -----------------------------------------------------------------------


def migrate(db, policy=None):
    """Runs the script. Returns the report, a dict per row."""
    db.execute("DROP TABLE IF EXISTS temp.legacy_policy")
    if policy:
        db.execute("CREATE TEMP TABLE legacy_policy(policy TEXT)")
        db.execute("INSERT INTO legacy_policy VALUES (?)", (policy,))
    db.executescript(SCRIPT)
    return report(db)


def report(db):
    cursor = db.execute("SELECT * FROM legacy_report")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor]


def refused(db, policy=None):
    """The error of a run that must fail, after a ROLLBACK."""
    error = error_of(migrate, db, policy)
    if db.in_transaction:
        db.execute("ROLLBACK")
    return str(error) if error else "it was not refused"


def rows(db, sql, *args):
    return db.execute(sql, args).fetchall()


def column(db, sql, *args):
    return [row[0] for row in db.execute(sql, args)]


def dump(db, schema="main"):
    """Everything in a schema: the DDL, and all rows."""
    master = f"SELECT name, type, sql FROM {schema}.sqlite_schema ORDER BY type, name"
    found = {"": rows(db, master)}
    for name, kind, _ in found[""]:
        if kind == "table":
            found[name] = rows(db, f'SELECT * FROM {schema}."{name}"')
    return found


def old_tables(db):
    """The tables of the older program, with types."""
    found = dump(db)
    names = ("AgentSession", "ChatMessage", "old_session", "old_message")
    ddl = [row for row in found[""] if row[0] in names]
    return ddl, {name: found[name] for name in names if name in found}


def state(db):
    """{label: (status, status_reason, created_at, updated_at, last_activity, archived_at)}"""
    sql = (
        "SELECT label, status, status_reason, created_at, updated_at, last_activity, archived_at "
        "FROM sessions ORDER BY label"
    )
    return {row[0]: row[1:] for row in rows(db, sql)}


def statuses(db):
    return dict(rows(db, "SELECT label, status FROM sessions"))


def turns(db, label):
    """A thread: for each turn its source, started_at, completed_at, and what was said."""
    found = []
    path = "SELECT turn_id, source, started_at, completed_at FROM turn_path(?) ORDER BY depth"
    for turn, source, started, completed in rows(db, path, label):
        said = rows(
            db,
            "SELECT place, role, content, created_at FROM messages "
            "WHERE place BETWEEN ?1 << 12 AND ?1 << 12 | 4095 UNION ALL "
            "SELECT place, tool_name || ' ' || status, result, completed_at FROM tool_calls "
            "WHERE place BETWEEN ?1 << 12 AND ?1 << 12 | 4095 ORDER BY 1",
            turn,
        )
        found.append((source, started, completed, [row[1:] for row in said]))
    return found


def brief(db, label):
    """A thread: the contents of each turn."""
    return [[content for _, content, _ in said] for *_, said in turns(db, label)]


def sound(what, db):
    suite.sound(what, db)
    left = column(db, "SELECT name FROM temp.sqlite_schema WHERE name NOT IN ('legacy_session',"
                      "'legacy_message', 'legacy_policy', 'legacy_report') ORDER BY name")
    suite.check(f"{what}: nothing temporary is left", (left, db.in_transaction), ([], False))
    suite.check(f"{what}: no task is open", column(db, "SELECT count(*) FROM tasks"), [0])
    wrong = """SELECT e.* FROM session_events AS e WHERE axis = 'status' AND from_state IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM state_transitions AS t WHERE t.axis = e.axis
                 AND t.from_state = e.from_state AND t.to_state = e.to_state
                 AND t."trigger" = e."trigger")"""
    suite.check(f"{what}: only moves that the machine has", rows(db, wrong), [])
    broken = """SELECT label, status, (SELECT to_state FROM session_events WHERE axis = 'status'
                  AND session_label = label ORDER BY id DESC LIMIT 1) AS last
                FROM sessions WHERE status IS NOT last
                OR (archived_at IS NOT NULL) <> (status = 'archived')"""
    suite.check(f"{what}: the events lead to the status", rows(db, broken), [])
    chain = """SELECT session_label, from_state, before FROM
                 (SELECT session_label, from_state, lag(to_state) OVER
                    (PARTITION BY session_label ORDER BY id) AS before
                  FROM session_events WHERE axis = 'status')
               WHERE from_state IS NOT before"""
    suite.check(f"{what}: without a gap", rows(db, chain), [])


def again(what, db, policy=None):
    """Another run changes nothing at all."""
    before, made = dump(db), migrate(db, policy)
    after = dump(db)
    changed = {name for name in before if after.get(name) != before[name]}
    suite.check(f"{what}: a second run changes nothing", (changed, after == before), (set(), True))
    suite.check(f"{what}: and makes nothing",
                {(r["made"], r["turns_made"]) for r in made} <= {(0, 0)})


def copy(name, to):
    path = suite.path(to)
    shutil.copyfile(os.path.join(DATA, name), path)
    return path


# ---- TypeORM: where it is ------------------------------------------------------------------------

LONG = "support:" + "x" * 1100

# label: status by the policy active, by archive, reason, created, updated, last activity
TYPEORM_SESSIONS = {
    "legacy:1": ("active", "archived", None, MAY, at(2, 9, ms=500), MAY + 31 * MINUTE),
    "support:ben": ("archived", "archived", None, at(3, 8), at(3, 12, ms=250), at(3, 8, 2)),
    "support:cleo": ("active", "active", None, at(4, 8), at(4, 8), at(4, 8)),
    "support:dora": ("error", "error", "the model timed out", at(5, 8), at(5, 8, 5), at(5, 8)),
    "support:eli": ("suspended", "suspended", None, at(6, 8), at(6, 9), at(6, 8, 3)),
    "support:anna": ("active", "archived", None, at(7, 8), at(7, 8, 9), at(7, 8, 1)),
    "legacy:7": ("active", "active", None, at(8, 8), at(8, 8, 1), at(8, 8)),
    "legacy:8": ("archived", "archived", None, at(9, 8), at(9, 10), at(9, 8)),
}

TYPEORM_TURNS = {
    "legacy:1": [
        ("user", MAY, MAY + MINUTE, [
            ("user", "Where is my refund?", MAY),
            ("assistant", "It was sent on Monday.", MAY + MINUTE)]),
        ("user", MAY + 30 * MINUTE, MAY + 31 * MINUTE, [
            ("user", "Thanks, and the invoice?", MAY + 30 * MINUTE),
            ("assistant", "Attached.", MAY + 31 * MINUTE)]),
    ],
    "support:ben": [
        ("system", at(3, 8), at(3, 8), [("system", "You are a patient clerk.", at(3, 8))]),
        ("user", at(3, 8, 1), at(3, 8, 2), [
            ("user", "How many orders are open?", at(3, 8, 1)),
            ("assistant", "I look.", at(3, 8, 2)),
            ("tool completed", '{"open":3}', at(3, 8, 2)),
            ("assistant", "Three.", at(3, 8, 2))]),
    ],
    "support:cleo": [],
    "support:dora": [
        ("user", at(5, 8), at(5, 8), [("user", "Can you hear me?", at(5, 8))])],
    "support:eli": [  # the first message of the user is empty, and begins a turn all the same
        ("user", at(6, 8, 1), at(6, 8, 1), [
            ("assistant", "I see only an attachment.", at(6, 8, 1))]),
        ("user", at(6, 8, 2), at(6, 8, 2), [
            ("user", "Right, here is what I meant.", at(6, 8, 2))]),
    ],
    "support:anna": [
        ("user", at(7, 8), at(7, 8, 1), [
            ("user", "One more thing.", at(7, 8)), ("assistant", "Go on.", at(7, 8, 1))])],
    "legacy:7": [("user", at(8, 8), at(8, 8), [("user", "I have no key.", at(8, 8))])],
    "legacy:8": [],
}

# id: label, messages, left out, old label, old status, note
TYPEORM_REPORT = [
    ("1", "legacy:1", 2, 4, 0, "support:anna", "completed", "label of another one too"),
    ("2", "support:ben", 2, 5, 0, "support:ben", "cancelled", None),
    ("3", "support:cleo", 0, 0, 0, "support:cleo", "active", None),
    ("4", "support:dora", 1, 1, 0, "support:dora", "error", None),
    ("5", "support:eli", 2, 5, 3, "support:eli", "suspended", None),
    ("6", "support:anna", 1, 2, 0, "support:anna", "completed", None),
    ("7", "legacy:7", 1, 1, 0, "", "active", "no label"),
    ("8", "legacy:8", 0, 0, 0, LONG, "cancelled", "label over 1024 bytes"),
]


def typeorm(to):
    db = connect(copy("typeorm.db", to), lib)
    db.execute("PRAGMA synchronous = off")
    db.executescript(TYPEORM)
    return db


def check_typeorm(policy):
    what = f"typeorm, policy {policy}"
    db = typeorm(f"{what}.db")
    ddl = "".join(column(db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    suite.holds(f"{what}: the fixture", ddl, "CHECK( \"status\" IN", "FOREIGN KEY", '"createdAt"')
    before = old_tables(db)
    made = migrate(db, policy)
    archive = policy == "archive"
    want = {
        label: (row[archive], row[2], *row[3:6], row[4] if row[archive] == "archived" else None)
        for label, row in TYPEORM_SESSIONS.items()
    }
    suite.check(f"{what}: sessions", state(db), dict(sorted(want.items())))
    for label, expected in TYPEORM_TURNS.items():
        suite.check(f"{what}: turns of {label}", turns(db, label), expected)
    names = ("id", "label", "turns_made", "messages", "left_out", "old_label", "old_status", "note")
    got = [tuple(row[n] for n in names) for row in made]
    suite.check(f"{what}: report", got, TYPEORM_REPORT)
    rest = {(r["made"], r["turns_there"], r["bad_times"]) for r in made}
    suite.check(f"{what}: report, the rest", rest, {(1, 0, 0)})
    suite.check(f"{what}: report, status", {r["label"]: r["status"] for r in made}, statuses(db))
    suite.check(f"{what}: origin", set(column(db, "SELECT origin FROM sessions")), {"import"})
    title = "SELECT data ->> '$.legacy.title' FROM session_events WHERE session_label = ? LIMIT 1"
    suite.check(f"{what}: the title is kept", one(db, title, "legacy:1"), "Refund")
    suite.check(f"{what}: the old tables are as they were", old_tables(db) == before)
    sound(what, db)
    again(what, db, policy)
    suite.check(f"{what}: context", column(db, "SELECT content FROM session_context('support:ben')"
                " WHERE kind <> 'tool_call'"),
                ["You are a patient clerk.", "How many orders are open?", "I look.", '{"open":3}',
                 "Three."])
    db.close()


def check_goes_on():
    """An old session is a session like others: it can be gone on with."""
    db = typeorm("goes on.db")
    migrate(db)
    for label, action in (("support:anna", "start"), ("support:eli", "start"),
                          ("support:ben", "start"), ("support:dora", "blocked")):
        options = {"class": "Modification", "now": at(20)}
        decision = door(db, "session_deliver", label, "And now?", options)
        got = one(db, "SELECT ? ->> '$.action'", decision)
        suite.check(f"goes on: a message for {label}", got, action)
    suite.check("goes on: awake", [statuses(db)[n] for n in ("support:eli", "support:ben")],
                ["active", "active"])
    run = door(db, "turn_begin", "support:anna", "A1", {"now": at(20)})
    parent = one(db, "SELECT external_id FROM turns WHERE id = ? ->> '$.parent'", run)
    suite.check("goes on: below the last old turn", parent, "legacy:6:16")
    before = dump(db)
    error = refused(db)
    suite.check("goes on: a second run beside a live run", error, "it was not refused")
    suite.check("goes on: changes nothing", dump(db) == before)
    db.close()


# ---- MikroORM: from an attached file -------------------------------------------------------------

UUID = "00000000-0000-4000-8000-00000000000"

MIKRO_SESSIONS = {
    "design": ("active", "archived", None, MAY, MAY + 2 * HOUR, MAY + HOUR),
    "print": ("archived", "archived", None, MAY + DAY, MAY + DAY + 5000, MAY + DAY + 3),
    f"legacy:{UUID}3": ("active", "active", None, MAY + 2 * DAY, MAY + 2 * DAY + 10,
                        MAY + 2 * DAY + 10),
    "old": ("error", "error", "error in the old table", MAY + 3 * DAY, MAY + 3 * DAY + 9,
            MAY + 3 * DAY),
    "parked": ("suspended", "suspended", None, MAY + 4 * DAY, MAY + 4 * DAY + 9,
               MAY + 4 * DAY + 8),
}

MIKRO_TURNS = {
    "design": [["Hello, what shall we build?"], ["A lamp.", "Which colour?"], ["Green."],
               ["No, blue.", "Blue it is."]],
    "print": [["Print it.", "printer on fire", "paper jam", "It does not print."]],
    f"legacy:{UUID}3": [["Hi"]],
    "old": [],
    "parked": [["Later."]],
}


def mikro(to):
    old = copy("mikro_orm.db", f"{to} old.db")
    db = connect(suite.path(f"{to}.db"), lib)
    db.execute("PRAGMA synchronous = off")
    db.execute("ATTACH ? AS old", (old,))
    db.executescript(MIKRO_ORM)
    return db, old


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def check_mikro(policy):
    what = f"mikro-orm, policy {policy}"
    db, old = mikro(what)
    ddl = "".join(column(db, "SELECT sql FROM old.sqlite_schema WHERE sql IS NOT NULL"))
    suite.holds(f"{what}: the fixture", ddl, "check (`state` in", "foreign key", "`created_at`")
    before = contents(old)
    made = migrate(db, policy)
    archive = policy == "archive"
    want = {
        label: (row[archive], row[2], *row[3:6], row[4] if row[archive] == "archived" else None)
        for label, row in MIKRO_SESSIONS.items()
    }
    suite.check(f"{what}: sessions", state(db), dict(sorted(want.items())))
    for label, expected in MIKRO_TURNS.items():
        suite.check(f"{what}: turns of {label}", brief(db, label), expected)
    got = [(r["label"], r["turns_made"], r["old_status"], r["note"]) for r in made]
    suite.check(f"{what}: report", got, [
        ("design", 4, "completed", None),
        ("print", 1, "cancelled", None),
        (f"legacy:{UUID}3", 1, "stopped", "no label; unknown status"),
        ("old", 0, "error", None),
        ("parked", 1, "suspended", None),
    ])
    roles = rows(db, "SELECT role, content, metadata ->> '$.legacy_role' FROM messages WHERE "
                     "turn_id = (SELECT thread_id FROM sessions WHERE label = 'print')")
    suite.check(f"{what}: roles", roles, [
        ("user", "Print it.", None), ("assistant", "paper jam", "event"),
        ("assistant", "It does not print.", None)])
    sound(what, db)
    again(what, db, policy)
    suite.check(f"{what}: the old file is as it was", contents(old) == before)
    in_place = connect(copy("mikro_orm.db", f"{what} in place.db"), lib)
    in_place.executescript(MIKRO_ORM.replace("old.", ""))
    untouched = dump(in_place)
    suite.holds(f"{what}: in place, its tables are in the way", refused(in_place),
                "turnstile_install", "sessions, messages")
    suite.check(f"{what}: in place, nothing has changed", dump(in_place) == untouched)
    in_place.close()
    db.close()


# ---- Running it again ----------------------------------------------------------------------------


def check_growth():
    db = typeorm("growth.db")
    migrate(db)
    say = "INSERT INTO ChatMessage(sessionId, role, content, createdAt) VALUES (?, ?, ?, ?)"
    for message in (
        (1, "assistant", "Anything else?", "2024-05-01 11:00:00"),
        (2, "user", "Are you there?", "2024-05-10 08:00:00"),
        (2, "assistant", "Yes.", "2024-05-10 08:00:01"),
        (3, "user", "Something said after all", "2024-05-10 09:00:00"),
        (4, "user", "Again?", "2024-05-10 10:00:00"),
        (5, "system", "Be brief.", "2024-05-10 11:00:00"),
    ):
        db.execute(say, message)
    db.execute("UPDATE AgentSession SET updatedAt = '2024-05-11 00:00:00' WHERE id IN (2, 4)")
    db.execute("UPDATE AgentSession SET status = 'cancelled', updatedAt = '2024-05-12 00:00:00' "
               "WHERE id = 6")
    db.execute("INSERT INTO AgentSession(id, sessionKey, status, createdAt, updatedAt) VALUES "
               "(9, 'support:fay', 'active', '2024-05-13 00:00:00', '2024-05-13 00:00:00'),"
               "(10, 'support:anna', 'active', '2024-05-14 00:00:00', '2024-05-14 00:00:00')")
    before, heads = old_tables(db), dict(rows(db, "SELECT label, thread_id FROM sessions"))
    there = rows(db, "SELECT * FROM turns"), rows(db, "SELECT * FROM messages")
    made = {r["id"]: r for r in migrate(db)}
    suite.check("growth: new turns", {n: r["turns_made"] for n, r in made.items()},
                {"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 0, "7": 0, "8": 0, "9": 0, "10": 0})
    suite.check("growth: turns that were there", [made[n]["turns_there"] for n in "12345678"],
                [2, 2, 0, 1, 2, 1, 1, 0])
    suite.check("growth: new sessions", [n for n, r in made.items() if r["made"]], ["9", "10"])
    suite.check("growth: the label is kept by who has it",
                [(made[n]["label"], made[n]["note"]) for n in ("1", "6", "10")],
                [("legacy:1", "another label"), ("support:anna", None),
                 ("legacy:10", "label is taken")])
    suite.check("growth: nothing that was there has changed",
                (rows(db, "SELECT * FROM turns")[: len(there[0])] == there[0] or
                 set(there[0]) <= set(rows(db, "SELECT * FROM turns")),
                 set(there[1]) <= set(rows(db, "SELECT * FROM messages"))), (True, True))
    for label, last in (
        ("legacy:1", ["Anything else?"]),
        ("support:ben", ["Are you there?", "Yes."]),
        ("support:cleo", ["Something said after all"]),
        ("support:dora", ["Again?"]),
        ("support:eli", ["Be brief."]),
    ):
        suite.check(f"growth: the last turn of {label}", brief(db, label)[-1], last)
        parent = "SELECT t.parent_turn_id FROM turns AS t JOIN sessions ON thread_id = t.id " \
                 "WHERE label = ?"
        suite.check(f"growth: below the old head of {label}", one(db, parent, label), heads[label])
    got = state(db)
    suite.check("growth: ben is archived still", (got["support:ben"][0], got["support:ben"][5]),
                ("archived", at(11)))
    suite.check("growth: dora is in error still", got["support:dora"][:2],
                ("error", "the model timed out"))
    suite.check("growth: eli sleeps still", got["support:eli"][0], "suspended")
    suite.check("growth: anna has been cancelled", (got["support:anna"][0], got["support:anna"][5]),
                ("archived", at(12)))
    active = [got[n][4] for n in ("legacy:1", "support:ben", "support:dora")]
    suite.check("growth: activity", active, [at(1, 11), at(10, 8, ms=1000), at(10, 10)])
    suite.check("growth: the old tables are as they were", old_tables(db) == before)
    sound("growth", db)
    again("growth", db)
    db.close()


def check_followers():
    """The status is the old table's until somebody has moved it, or gone on with the session."""
    db = typeorm("followers.db")
    migrate(db)
    door(db, "session_deliver", "support:ben", "ok thanks",
         {"class": "Confirmation", "now": at(20)})  # reopens it, and begins no task
    door(db, "turn_append", "legacy:1", [{"role": "user", "content": "new"}], {"now": at(20)})
    moved = statuses(db)
    made = {r["id"]: r for r in migrate(db, "archive")}
    moved["support:anna"] = "archived"
    suite.check("followers: the other policy", statuses(db), moved)
    suite.check("followers: notes", [made[n]["note"] for n in ("1", "2", "6")],
                ["another label; has gone on by itself", "has gone on by itself", None])
    db.execute("INSERT INTO ChatMessage(sessionId, role, content, createdAt) VALUES "
               "(2, 'user', 'late', '2024-05-15 00:00:00'), (1, 'user', 'late', '2024-05-15')")
    migrate(db, "archive")
    suite.check("followers: what is new still comes, below the head",
                (brief(db, "support:ben")[-1], brief(db, "legacy:1")[-2:]),
                (["late"], [["new"], ["late"]]))
    suite.check("followers: and moves nothing", (statuses(db), state(db)["legacy:1"][4]),
                (moved, at(20)))
    sound("followers", db)
    again("followers", db, "archive")
    migrate(db)
    suite.check("followers: and back", statuses(db)["support:anna"], "active")
    sound("followers, and back", db)
    db.close()


# What can be done with a session here. None of it moves its status to stay.
GONE_ON = {
    "a delivery": [("session_deliver", "s", "go on", {"class": "Clarification"})],
    "a request": [("session_deliver", "s", "write it", {"class": "NewTask"}),
                  ("session_compact", "s", "written")],
    "a task": [("session_start", "s", "write"), ("session_note", "s", "it is read"),
               ("session_compact", "s", "written")],
    "an agent's message": [("session_deliver", "s", "look", {"source": "agent"})],
    "an input": [("queue_push", "s", "look")],
    "a failed turn": [("queue_push", "s", "look"), ("turn_begin", "s", "A1"), ("turn_fail",)],
    "a turn": [("turn_begin", "s", "A1", {"messages": [{"role": "user", "content": "x"}]}),
               ("turn_complete",)],
    "a turn that was appended": [("turn_append", "s", [{"role": "user", "content": "x"}])],
    "a process": [("session_run", "s", "A1", "starting"), ("session_run", "s", "A1", "idle")],
    "a step back": [("session_rewind", "s", "the first")],
    "a worker": [("session_spawn", "s", "count", {"label": "worker"})],
    "a pause": [("session_suspend", "s"), ("session_archive", "s"), ("session_unarchive", "s")],
}


def check_gone_on():
    """Whatever is done with a session here, its status is no longer the old table's."""
    for what, commands in GONE_ON.items():
        db = plain()
        for n, label in enumerate(("s", "beside")):
            put(db, n, label)
            say(db, 1, n, "user", "a", at(1))
            say(db, 2, n, "user", "b", at(2))
        migrate(db)
        result = "{}"
        for command, *args in commands:
            if command in ("turn_fail", "turn_complete"):
                args = [one(db, "SELECT ? ->> '$.turn'", result),
                        one(db, "SELECT ? ->> '$.token'", result),
                        "broken" if command == "turn_fail" else {"content": "y"}]
            args = [one(db, "SELECT id FROM turns WHERE external_id = 'legacy:0:1'")
                    if a == "the first" else a for a in args]
            result = door(db, command, *args)
        before = statuses(db)
        db.execute("UPDATE old_session SET status = 'cancelled'")
        made = migrate(db)
        suite.check(f"gone on, {what}", statuses(db), {**before, "beside": "archived"})
        suite.check(f"gone on, {what}: the report", [r["note"] for r in made],
                    ["has gone on by itself", None])
        again(f"gone on, {what}", db)
        db.close()


def check_dead_run():
    """A run that is dead by now ends; one that is alive refuses the migration."""
    hour = int(time.time() * 1000) - HOUR
    for recorded in (False, True):
        for state in LIVE_RUN:
            db = plain()
            put(db, 1, "L")
            say(db, 1, 1, "user", "a")
            migrate(db)
            door(db, "queue_push", "L", "look")
            run = door(db, "turn_begin", "L", "A1", {"lease": "5m", "now": hour})
            turn, token = (one(db, "SELECT ? ->> ?", run, f"$.{n}") for n in ("turn", "token"))
            if recorded:
                door(db, "turn_message", turn, token,
                     {"role": "assistant", "content": "I look."}, {"now": hour})
            for step in {"running": ("running",), "interrupted": ("running", "interrupted")}.get(
                    state, ()):
                if one(db, "SELECT run_state FROM session_runs") != step:
                    door(db, "session_run", "L", "A1", step)
            say(db, 2, 1, "user", "b", at(3))
            made = migrate(db)
            what = f"a dead run, {state}, {'with' if recorded else 'without'} output"
            suite.check(f"{what}: the new message", (made[0]["turns_made"], brief(db, "L")[-1]),
                        (1, ["b"]))
            suite.check(f"{what}: the turn", rows(
                db, "SELECT status, error FROM turns WHERE id = ?", turn),
                [("failed", "the lease of 'A1' ran out; migrate_legacy.sql took over")])
            suite.check(f"{what}: the run", rows(
                db, "SELECT run_state, turn_id, expires_at FROM session_runs"),
                [("idle", None, None)])
            suite.check(f"{what}: its input", rows(db, "SELECT message, status FROM session_queue"),
                        [("look", "failed" if recorded else "pending")])
            suite.holds(f"{what}: its token is dead",
                        error_of(door, db, "turn_heartbeat", turn, token), "took over")
            suite.sound(what, db)
            again(what, db)
            db.close()
    db = plain()
    put(db, 1, "L")
    put(db, 2, "M")
    say(db, 1, 1, "user", "a")
    migrate(db)
    said = {"messages": [{"role": "user", "content": "x"}], "lease": "5m"}
    door(db, "turn_begin", "L", "A1", {**said, "now": hour})
    door(db, "turn_begin", "M", "A1", {**said, "lease": "12h"})  # by the clock, however slow the machine
    migrate(db)
    suite.check("dead runs of sessions with nothing new are left to the sweep",
                column(db, "SELECT count(*) FROM turns WHERE status = 'running'"), [2])
    say(db, 2, 2, "user", "b")
    before = dump(db)
    suite.holds("a run that lives", refused(db), "turn_append: session 'M' is busy")
    suite.check("a run that lives: nothing has changed", dump(db) == before)
    db.close()


def check_left_alone():
    """Sessions that have a life of their own here keep their status, also when turns are added."""
    db = plain()
    for n, label in enumerate(("task", "run", "merged", "primary", "put away", "failed")):
        put(db, n, label, "completed", updated_at=at(1))
        say(db, n, n, "user", "a")
    migrate(db)
    door(db, "session_start", "task", "something", {"now": at(2)})
    door(db, "session_run", "run", "A1", "starting", None, {"now": at(2)})
    db.execute("UPDATE sessions SET superseded_by = 'primary' WHERE label = 'merged'")
    door(db, "session_start", "primary", "something", {"now": at(2)})
    for label, to, archived_at, how in (("put away", "archived", at(2), "archive"),
                                        ("failed", "error", None, "fail")):
        db.execute("UPDATE sessions SET status = ?, status_reason = 'mine', archived_at = ? "
                   "WHERE label = ?", (to, archived_at, label))
        db.execute("INSERT INTO session_events(session_label, axis, from_state, to_state, "
                   "\"trigger\", at) VALUES (?, 'status', 'active', ?, ?, ?)",
                   (label, to, how, at(2)))
    before = state(db)
    made = migrate(db, "archive")
    suite.check("left alone: the other policy", state(db), before)
    suite.check("left alone: notes", [r["note"] for r in made], ["has gone on by itself"] * 2 +
                ["merged"] + ["has gone on by itself"] * 3)
    for n in range(6):
        say(db, 10 + n, n, "user", f"b{n}", at(3))
    db.execute("DELETE FROM old_message WHERE id = 11")  # run: a live one takes no turn
    migrate(db, "archive")
    after = state(db)
    suite.check("left alone: with new turns",
                {label: row[:2] + row[5:] for label, row in after.items()},
                {label: row[:2] + row[5:] for label, row in before.items()})
    got = [brief(db, n) for n in ("task", "merged", "primary", "put away", "failed")]
    taken_over = [["a"], ["b2"], ["b3"]]  # a merged session leads to the other one
    suite.check("left alone: the turns", got,
                [[["a"], ["b0"]], taken_over, taken_over, [["a"], ["b4"]], [["a"], ["b5"]]])
    again("left alone", db, "archive")
    db.close()


def check_moves():
    """Every status after every other."""
    for policy in ("active", "archive"):
        for first in (*OLD_STATUS, "archived"):
            for then in (*OLD_STATUS, "archived"):
                db = plain()
                put(db, 1, "s", first, updated_at=at(2))
                say(db, 1, 1, "user", "a")
                migrate(db, policy)
                db.execute("UPDATE old_session SET status = ?, updated_at = ?", (then, at(3)))
                say(db, 2, 1, "user", "b", at(3))
                migrate(db, policy)
                want = one(db, "SELECT session_status_from_legacy(?, ?)", then, policy)
                what = f"{first} and then {then}, policy {policy}"
                suite.check(what, (statuses(db)["s"], brief(db, "s")), (want, [["a"], ["b"]]))
                sound(what, db)
                again(what, db, policy)
                db.close()


# ---- Small tables --------------------------------------------------------------------------------


def plain(path=":memory:"):
    db = connect(path, lib)
    db.executescript(PLAIN + PLAIN_VIEWS)
    return db


def put(db, id, label, status="active", reason=None, title=None, created_at=at(1), updated_at=None,
        last_activity=None):
    row = (id, label, status, reason, title, created_at, updated_at, last_activity)
    db.execute("INSERT INTO old_session VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def say(db, id, session, role, content, created_at=at(1)):
    row = (id, session, role, content, created_at)
    db.execute("INSERT INTO old_message VALUES (?, ?, ?, ?, ?)", row)


TIMES = [  # what stands in the old table, what it is; None: it can't be read
    ("2024-05-01 10:00:00.125", MAY),
    ("2024-05-01T10:00:00.125Z", MAY),
    ("2024-05-01T10:00:00.125", MAY),
    ("2024-05-01t10:00:00.125z", MAY),
    ("2024-05-01 10:00:00.125 +00:00", MAY),
    ("2024-05-01T12:00:00.125+02:00", MAY),
    ("2024-05-01T04:30:00.125-0530", MAY),
    ("2024-05-01 12:00:00.125+02", MAY),
    ("2024-05-01T10:00:00.125400Z", MAY),
    ("  2024-05-01 10:00:00.125\n", MAY),
    ("2024-05-01 10:00:00", MAY - 125),
    ("2024-05-01 10:00", MAY - 125),
    ("2024-05-01", at(1)),
    (1714557600125, MAY),
    (1714557600, MAY - 125),
    (1714557600.125, MAY),
    (1714557600125.0, MAY),
    (1714557600125000, MAY),
    (1714557600125000000, MAY),
    (2460431.916668113, MAY),
    (2460431.5, at(1)),
    ("1714557600125", MAY),
    ("1714557600.125", MAY),
    (0, 0),
    ("1969-12-31 23:59:59", None),
    (-5, None),
    ("2024-13-01", None),
    ("2024-02-31", None),
    ("2023-02-29 10:00:00", None),
    ("2024-04-31T10:00:00Z", None),
    ("2024-02-29", 1709164800000),
    ("2024-05-01 10:00:59.9995", MAY + 59_875),
    ("2024-05-01 10:00:59.999999Z", MAY + 59_875),
    ("2024-05-01 12:00:59.9996+02:00", MAY + 59_875),
    ("2024-05-01 10:00:59.9994", MAY + 59_874),
    ("2024-05-01 23:59:59.9999", at(2)),
    ("yesterday", None),
    ("", None),
    (b"2024-05-01", None),
    ("2024-05-01 10:00:00 CEST", None),
    ("1.2.3", None),
    (9.3e20, None),
]


def check_times():
    for value, want in TIMES:
        db = plain()
        put(db, 1, "all", created_at=value, updated_at=value, last_activity=value)
        put(db, 2, "message", created_at=at(9), updated_at=at(9))
        say(db, 1, 2, "user", "hello", value)
        made = migrate(db)
        what = f"time {value!r}"
        if want is not None:
            row = state(db)["all"]
            suite.check(f"{what}: of a session", row[2:5], (want, want, want))
            suite.check(f"{what}: of a message", turns(db, "message"),
                        [("user", want, want, [("user", "hello", want)])])
        else:
            now = time.time() * 1000
            close = all(abs(ms - now) < HOUR for ms in state(db)["all"][2:5])
            suite.check(f"{what}: now is taken", close)
            suite.check(f"{what}: that of the session is taken", turns(db, "message"),
                        [("user", at(9), at(9), [("user", "hello", at(9))])])
        suite.check(f"{what}: reported", [r["bad_times"] for r in made],
                    [0, 0] if want is not None else [3, 1])
        sound(what, db)
        again(what, db)
        db.close()


def check_seconds():
    """Every fraction of a second, in every second of a minute: to the nearest millisecond."""
    db = plain()
    put(db, 1, "s")
    rnd, want = random.Random(4), []
    for n in range(3000):
        second = rnd.choice((0, 1, 30, 58, 59, 59, 59))
        digits = "".join(rnd.choice("0123456789999") for _ in range(rnd.randrange(1, 10)))
        exact = second * 1000 + int(digits) * 1000 / 10 ** len(digits)
        say(db, n, 1, "user", str(n), f"2024-05-01 10:00:{second:02}.{digits}")
        want.append(MAY - 125 + exact)
    migrate(db)
    got = rows(db, "SELECT content, created_at FROM messages")
    wrong = [(n, at, want[int(n)]) for n, at in got if abs(at - want[int(n)]) > 0.51]
    suite.check("seconds: to the nearest millisecond", (len(got), wrong[:5]), (3000, []))
    db.close()


def check_missing_times():
    db = plain()
    put(db, 1, "from messages", created_at=None)
    say(db, 1, 1, "user", "a", None)
    say(db, 2, 1, "assistant", "b", at(2))
    say(db, 3, 1, "user", "c", None)
    say(db, 4, 1, "assistant", "d", "never")
    put(db, 2, "updated only", created_at=None, updated_at=at(5))
    put(db, 3, "nothing", created_at=None)
    say(db, 5, 3, "user", "e", None)
    made = migrate(db)
    suite.check("missing times: order, and the time above", turns(db, "from messages"), [
        ("user", at(2), at(2), [("user", "a", at(2)), ("assistant", "b", at(2))]),
        ("user", at(2), at(2), [("user", "c", at(2)), ("assistant", "d", at(2))])])
    suite.check("missing times: of the session", state(db)["from messages"][2:5], (at(2),) * 3)
    suite.check("missing times: updated only", state(db)["updated only"][2:5], (at(5),) * 3)
    close = all(abs(ms - time.time() * 1000) < HOUR for ms in state(db)["nothing"][2:5])
    suite.check("missing times: nothing is known", (close, brief(db, "nothing")), (True, [["e"]]))
    suite.check("missing times: NULL is no bad time", [r["bad_times"] for r in made], [1, 0, 0])
    sound("missing times", db)
    time.sleep(0.01)  # now is later
    again("missing times", db)
    db.close()


def check_roles():
    db = plain()
    put(db, 1, "s")
    said = ["System", "USER", " Assistant ", "human", "AI", "bot", "model", "agent", "developer",
            "function", "tool", "critic", None, "user"]
    for n, role in enumerate(said):
        say(db, n, 1, role, f"m{n}", at(1, ms=n))
    migrate(db)
    got = [[role for role, *_ in said] for *_, said in turns(db, "s")]
    suite.check("roles", got, [
        ["system"], ["user", "assistant"],
        # its own: who spoke, in order
        ["user", "assistant", "assistant", "assistant", "assistant", "system", "tool completed",
         "tool completed", "assistant", "assistant"],
        ["user"]])
    kept = "SELECT content, metadata ->> '$.legacy_role' FROM messages WHERE metadata ->> " \
           "'$.legacy_role' IS NOT NULL"
    suite.check("roles: a word that nobody knows is kept", rows(db, kept), [("m11", "critic")])
    answered = "SELECT id, tool_name, params, status, result FROM tool_calls ORDER BY place"
    suite.check("roles: a tool's answer is a finished call", rows(db, answered), [
        ("legacy:1:9", "tool", "{}", "completed", "m9"),
        ("legacy:1:10", "tool", "{}", "completed", "m10")])
    sound("roles", db)
    again("roles", db)
    db.close()


def check_contents():
    odd = ['"quoted" \\ {"a":1}', '[{"type":"text","text":"x"}]', "line\nline\ttab\r",
           "Zoë 漢字 🦊", "'); DROP TABLE old_session; --", "\x01\x1f", " padded ", "x" * 100_000,
           "0", "null"]
    db = plain()
    put(db, 1, "s")
    for n, content in enumerate(odd):
        say(db, n, 1, "user" if n == 0 else "assistant", content, at(1, ms=n))
    put(db, 2, "types")
    for n, content in enumerate((5, 2.5, b"bytes", b"\xff\xfe", "a\0b")):
        say(db, n, 2, "user", content, at(1, ms=n))
    put(db, 3, "empty")
    for n, (role, content) in enumerate((("user", None), ("assistant", ""), ("user", " \t\r\n"),
                                         ("tool", None))):
        say(db, n, 3, role, content)
    made = migrate(db)
    suite.check("contents: odd ones", brief(db, "s"), [odd])
    suite.check("contents: other types", brief(db, "types"),
                [["5"], ["2.5"], ["bytes"], ["��"], ["a�b"]])
    suite.check("contents: nothing but empty ones", (brief(db, "empty"), made[2]["left_out"]),
                ([], 4))
    sound("contents", db)
    again("contents", db)
    db.close()


def check_labels():
    db = plain()
    db.execute("SELECT turnstile_install()")
    door(db, "session_start", "taken", "a task", {"now": at(1)})
    door(db, "session_compact", "taken", None, {"now": at(1)})
    db.execute("INSERT INTO session_aliases VALUES ('alias', 'taken', 'manual', 0)")
    long = "ä" * 512
    for n, (label, active) in enumerate((
        ("taken", 1), ("alias", 1), (None, 1), ("", 1), (long, 1), (long + "x", 1), ("a\0b", 1),
        (7, 1), ("twice", 5), ("twice", 9), ("twice", 7), (" ", 1), ("dm:telegram:4%20", 1),
        ("Twice", 1),
    )):
        put(db, f"i{n}", label, last_activity=at(active))
        say(db, 1, f"i{n}", "user", f"hello {n}")
    made = migrate(db)
    suite.check("labels", [(r["label"], r["note"]) for r in made], [
        ("legacy:i0", "label is taken"), ("legacy:i1", "label is taken"),
        ("legacy:i2", "no label"), ("legacy:i3", "no label"), (long, None),
        ("legacy:i5", "label over 1024 bytes"), ("legacy:i6", "label with a NUL"), ("7", None),
        ("legacy:i8", "label of another one too"), ("twice", None),
        ("legacy:i10", "label of another one too"), (" ", None), ("dm:telegram:4%20", None),
        ("Twice", None)])
    got = [brief(db, r["label"]) for r in made]
    suite.check("labels: each has its own", got, [[[f"hello {n}"]] for n in range(14)])
    suite.check("labels: who had it has nothing new", brief(db, "taken"), [])
    kept = column(db, "SELECT data ->> '$.legacy.label' FROM session_events WHERE "
                      "data -> '$.legacy.id' IS NOT NULL AND session_label IN "
                      "('legacy:i0', 'legacy:i8', 'legacy:i5') ORDER BY session_label")
    suite.check("labels: the old one is kept", kept, ["taken", long + "x", "twice"])
    again("labels", db)
    db.close()


def check_ids():
    db = plain()
    for n, (session, message) in enumerate((("1:2", "3"), ("1", "2:3"), ("1%3A2", "3"), (1.5, 3))):
        put(db, session, f"s{n}")
        say(db, message, session, "user", f"m{n}")
    migrate(db)
    suite.check("ids with colons", [brief(db, f"s{n}") for n in range(4)],
                [[["m0"]], [["m1"]], [["m2"]], [["m3"]]])
    again("ids", db)
    say(db, 9, "gone", "user", "whose?")
    say(db, 10, "gone", "user", "whose?")
    made = migrate(db)[-1]
    suite.check("ids: messages without a session are reported",
                (made["id"], made["label"], made["messages"], made["left_out"], made["note"]),
                ("gone", None, 2, 2, "messages without a session"))
    put(db, "gone", "found")
    migrate(db)
    suite.check("ids: and taken when it is there", brief(db, "found"), [["whose?"], ["whose?"]])
    db.close()


def own(db, made, said):
    """Does each old session have one of its own, with what was said in it and nothing else?"""
    labels = {r["id"]: r["label"] for r in made if r["label"]}
    suite.check(f"{said}: each has a label of its own", len(set(labels.values())), len(labels))
    return {id: sum(brief(db, label), []) for id, label in labels.items()}


def check_taken_labels():
    """legacy:id may be taken as well, by a session, an alias or an old label."""
    def filled(path=":memory:"):
        db = plain(path)
        db.execute("SELECT turnstile_install()")
        for label in ("legacy:2", "legacy:4", "legacy:4-2", "legacy:4-3"):
            door(db, "session_start", label, "a task", {"now": at(1)})
        door(db, "session_start", "else", "a task", {"now": at(1)})
        db.execute("INSERT INTO session_aliases VALUES ('legacy:3', 'else', 'manual', 0)")
        db.execute("INSERT INTO session_aliases VALUES ('legacy:4-4', 'else', 'manual', 0)")
        for id, label in (("9", ""), ("10", "legacy:9"), ("11", "legacy:9-2"), ("2", None),
                          ("3", "else"), ("4", None), ("4-5", None), ("5", "legacy:6"),
                          ("6", "legacy:5"), ("7", "x"), ("8", "x")):
            put(db, id, label)
            say(db, 1, id, "user", f"hello {id}")
            say(db, 2, id, "assistant", f"good day {id}")
        return db

    want = {
        "9": ("legacy:9-3", "no label; legacy:9 is taken"), "10": ("legacy:9", None),
        "11": ("legacy:9-2", None), "2": ("legacy:2-2", "no label; legacy:2 is taken"),
        "3": ("legacy:3-2", "label is taken; legacy:3 is taken"),
        "4": ("legacy:4-6", "no label; legacy:4 is taken"), "4-5": ("legacy:4-5", "no label"),
        "5": ("legacy:6", None), "6": ("legacy:5", None),
        "7": ("legacy:7", "label of another one too"), "8": ("x", None),
    }
    db = filled()
    made = migrate(db)
    suite.check("taken labels", {r["id"]: (r["label"], r["note"]) for r in made}, want)
    suite.check("taken labels: each has its own", own(db, made, "taken labels"),
                {id: [f"hello {id}", f"good day {id}"] for id in want})
    suite.check("taken labels: who had them has nothing new",
                [brief(db, n) for n in ("legacy:2", "legacy:4", "legacy:4-2", "else")], [[]] * 4)
    again("taken labels", db)
    put(db, "12", "legacy:9-3")
    put(db, "4-6", None)
    say(db, 3, "9", "user", "more")
    made = {r["id"]: r for r in migrate(db)}
    suite.check("taken labels: in a later run",
                [(made[id]["label"], made[id]["turns_made"]) for id in ("9", "12", "4", "4-6")],
                [("legacy:9-3", 1), ("legacy:12", 0), ("legacy:4-6", 0), ("legacy:4-6-2", 0)])
    suite.check("taken labels: what is new", brief(db, "legacy:9-3")[-1], ["more"])
    again("taken labels, later", db)
    db.close()
    path = suite.path("taken.db")
    filled(path).close()
    shell(path)
    db = connect(path, lib)
    suite.check("taken labels: by the shell",
                {id: sum(brief(db, label), []) for id, (label, _) in want.items()},
                {id: [f"hello {id}", f"good day {id}"] for id in want})
    db.close()


def check_random_labels():
    """Labels that get in each other's way, in any order: nothing is mixed, nothing is lost."""
    for seed in range(60):
        rnd = random.Random(seed)
        db = plain()
        db.execute("SELECT turnstile_install()")
        names = ["", "1", "1-2", "2", "legacy:1", "1-2-2", "x"]
        words = [f"legacy:{n}" for n in names] + ["x", "", None, "y", "legacy:1-2\0"]
        for label in rnd.sample([w for w in words if w and "\0" not in w], 3):
            door(db, "session_start", label, "a task", {"now": at(1)})
        ids = rnd.sample(names + ["3", "4"], 6)
        said = {}
        for portion in (ids[:3], ids[3:]):
            for id in portion:
                put(db, id, rnd.choice(words), last_activity=at(rnd.randrange(1, 5)))
                for n in range(rnd.randrange(3)):
                    say(db, n, id, "user", f"{id!r} {n}", at(2, ms=n))
                    said.setdefault(id, []).append(f"{id!r} {n}")
            made = migrate(db)
            what = f"random labels, seed {seed}"
            suite.check(f"{what}: to whom it belongs", own(db, made, what),
                        {r["id"]: said.get(r["id"], []) for r in made})
            again(what, db)
        suite.sound(what, db)
        db.close()


BAD = [b"caf\xe9", b"\xff", b"\xc3", b"a\xc0\xafb", b"\xed\xa0\x80", b"\x80", b"a\0b"]


def check_bad_text():
    """What is no clean text: a label, an id, and all that is kept as it stands."""
    for n, bad in enumerate(BAD):
        db = plain()
        db.text_factory = lambda text: text.decode(errors="surrogateescape")
        text = "CAST(? AS TEXT)"
        db.execute(f"INSERT INTO old_session VALUES (1, {text}, {text}, {text}, {text}, ?, ?, ?)",
                   (bad,) * 4 + (at(1),) * 3)
        db.execute(f"INSERT INTO old_session VALUES (2, 'two', 'error', {text}, {text}, ?, ?, ?)",
                   (bad,) * 2 + (at(1),) * 3)
        db.execute(f"INSERT INTO old_message VALUES (1, 1, {text}, {text}, ?)", (bad, bad, at(1)))
        db.execute("INSERT INTO old_message VALUES (2, 1, 'user', 'hello', ?)", (at(2),))
        made = migrate(db)
        what = f"bad text {bad!r}"
        note = "label with a NUL" if 0 in bad else "label with invalid UTF-8"
        suite.check(f"{what}: the label", [(r["label"], r["note"]) for r in made],
                    [("legacy:1", f"{note}; unknown status"), ("two", None)])
        suite.check(f"{what}: one session for each", sorted(statuses(db)), ["legacy:1", "two"])
        for table in ("sessions", "session_events", "turns", "messages"):
            for row in rows(db, f"SELECT * FROM {table}"):
                suite.check(f"{what}: clean in {table}",
                            [v for v in row if re.search("[\0\udc80-\udcff]", str(v))], [])
        suite.check(f"{what}: the events are JSON", column(
            db, "SELECT count(*) FROM session_events WHERE data IS NOT NULL "
                "AND NOT json_valid(data)"), [0])
        suite.check(f"{what}: the messages", len(sum(brief(db, "legacy:1"), [])), 2)
        sound(what, db)
        again(what, db)
        db.close()


def check_odd_ids():
    """Ids that are BLOBs, such as UUIDs, and texts that are not clean: their bytes as hex."""
    rnd = random.Random(8)
    blobs = [rnd.randbytes(16) for _ in range(20)] + [bytes(16), b"a" * 16, b""]
    for kind in ("? AS BLOB", "? AS TEXT"):
        odd = blobs if "BLOB" in kind else BAD
        db = plain()
        db.text_factory = lambda text: text.decode(errors="surrogateescape")
        for n, id in enumerate(odd):
            label = (f"s{n}", None)[n % 2]
            db.execute(f"INSERT INTO old_session VALUES (CAST({kind}), ?, 'active', NULL, NULL, ?,"
                       " NULL, NULL)", (id, label, at(1)))
            for m, other in enumerate((odd[0], odd[-1], id)):
                if m < 2 or id not in (odd[0], odd[-1]):
                    # its own: who spoke, in order
                    db.execute(f"INSERT INTO old_message VALUES (CAST({kind}), CAST({kind}), ?, ?, "
                               "?)", (other, id, ("user", "tool", "assistant")[m], f"{n} {m}",
                                      at(1, ms=m)))
        made = migrate(db)
        suite.check(f"odd ids, {kind}", [r["id"] for r in made], [id.hex().upper() for id in odd])
        want = [[f"{n} {m}" for m in range(3) if m < 2 or id not in (odd[0], odd[-1])]
                for n, id in enumerate(odd)]
        suite.check(f"odd ids, {kind}: the messages",
                    [sum(brief(db, r["label"]), []) for r in made], want)
        labels = [f"s{n}" if n % 2 == 0 else f"legacy:{id.hex().upper()}"
                  for n, id in enumerate(odd)]
        suite.check(f"odd ids, {kind}: the labels", [r["label"] for r in made], labels)
        sound(f"odd ids, {kind}", db)
        again(f"odd ids, {kind}", db)
        db.close()
    db = plain()
    put(db, "x" * 1000, None)
    put(db, "x" * 3000, "long")
    suite.check("odd ids: long ones", [r["label"] for r in migrate(db)],
                ["legacy:" + "x" * 1000, "long"])
    again("odd ids: long ones", db)
    db.close()
    db = plain()
    put(db, "s", "s")
    say(db, "x" * 247, "s", "user", "as long as it may be")
    say(db, "y" * 300, "s", "assistant", "not the first of its turn")
    migrate(db)
    suite.check("odd ids: of messages", brief(db, "s"),
                [["as long as it may be", "not the first of its turn"]])
    again("odd ids: of messages", db)
    say(db, ":" * 83, "s", "user", "each counts three")
    suite.holds("odd ids: of messages, too long", refused(db), "'legacy:s:%3A%3A", "258 bytes long")
    db.execute("DELETE FROM old_message WHERE content LIKE 'each%'")
    say(db, "z" * 248, "s", "tool", "an answer has an id of its own", at(2))
    suite.holds("odd ids: of answers, too long", refused(db), "'legacy:s:zzz", "257 bytes long")
    db.close()


def check_order():
    """By time; where that is equal, as the rows stand."""
    db = plain()
    put(db, 1, "s")
    for id, role, second in (("z", "user", 1), ("a", "assistant", 1), ("m", "user", 1),
                             ("b", "assistant", 1), ("c", "user", 0)):
        say(db, id, 1, role, id, at(1, ms=second))
    migrate(db)
    suite.check("order", brief(db, "s"), [["c"], ["z", "a"], ["m", "b"]])
    say(db, "late", 1, "user", "late", at(1))
    migrate(db)
    suite.check("order: what comes late comes last", brief(db, "s"),
                [["c"], ["z", "a"], ["m", "b"], ["late"]])
    db.close()


def check_large():
    db = plain()
    put(db, 1, "huge")
    sizes = [2_900_000, 12_900_000, 3_900_000, 900_000, 16_700_000, 300_000]
    for n, size in enumerate(sizes):
        say(db, n, 1, "user" if n == 0 else "assistant", str(n) * size)
    migrate(db)
    suite.check("large: huge messages", [[(m[0], len(m)) for m in turn] for turn in
                                         brief(db, "huge")],
                [[("0", sizes[0])], [("1", sizes[1])], [("2", sizes[2])],
                 [("3", sizes[3])], [("4", sizes[4])], [("5", sizes[5])]])
    again("large: huge messages", db)
    db.close()
    db = plain()
    put(db, 1, "many")
    db.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) "
               "INSERT INTO old_message SELECT i, 1, iif(i = 1, 'user', 'assistant'), 'm' || i, ? "
               "FROM n", (at(1),))
    put(db, 2, "big")
    for n in range(9):
        say(db, 10_000 + n, 2, "user" if n == 0 else "assistant", str(n) * 1_000_000)
    migrate(db)
    many = brief(db, "many")
    suite.check("large: many messages", (len(many), sum(many, [])),
                (3, [f"m{n}" for n in range(1, 9001)]))
    big = brief(db, "big")
    suite.check("large: big messages", (len(big) > 1, [m[0] for m in sum(big, [])]),
                (True, list("012345678")))
    sound("large", db)
    again("large", db)
    db.close()


def check_small():
    db = plain()
    suite.check("nothing at all", migrate(db), [])
    db.execute("DROP TABLE legacy_policy")
    db.execute("CREATE TEMP VIEW legacy_policy AS SELECT 'archive' AS policy")
    put(db, 1, "s", "completed")
    db.executescript(SCRIPT.replace("\n", "\r\n"))
    suite.check("a policy in a view", statuses(db), {"s": "archived"})
    db.close()


# ---- The page ------------------------------------------------------------------------------------


def check_page():
    """docs/legacy.md: the words, and the program, which runs as it stands there."""
    table = re.search(r"(?ms)^\| old word.*?(?=\n\n)", PAGE)[0]
    db = connect(":memory:", lib)
    for line in table.splitlines()[2:]:
        words, *want = [cell.strip() for cell in line.strip("|").split(" | ")]
        for word in words.split(", "):
            word = {"anything else": "finished", "empty": "", "NULL": None}.get(word, word)
            sql = "SELECT session_status_from_legacy(?1), session_status_from_legacy(?1, 'archive')"
            suite.check(f"the page: {word}", rows(db, sql, word), [tuple(want)])
    db.close()
    program = re.findall(r"(?ms)^```py\n(.*?)^```", PAGE)[0]
    want = "".join(line[2:] + "\n" for line in program.splitlines() if line.startswith("# ("))
    program = program.replace("./build/turnstile", lib).replace('"new.db"', '":memory:"')
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    suite.check("the page: the program", (done.stdout, done.stderr), (want, ""))
    columns = re.findall(r"(?m)^\| (`.*?) \|", PAGE.split("## The report")[1])
    db = plain()
    migrate(db)
    names = [column[0] for column in db.execute("SELECT * FROM legacy_report").description]
    suite.check("the page: the report", re.findall("`(\\w+)`", " ".join(columns)), names)
    db.close()


# ---- Everything or nothing -----------------------------------------------------------------------


def two_sessions(path=":memory:"):
    db = plain(path)
    for n in (1, 2):
        put(db, n, f"s{n}", "cancelled")
        say(db, n, n, "user", f"m{n}")
    return db


def check_failures():
    bad = [
        ("a status that is a number", "UPDATE old_session SET status = 3 WHERE id = 2",
         "legacy_session: the status of '2' is 3; a number or a BLOB has to be put into words"),
        ("a status that is a BLOB", "UPDATE old_session SET status = x'61' WHERE id = 2",
         "legacy_session: the status of '2' is X'61'; a number or a BLOB has"),
        ("a session without an id", "UPDATE old_session SET id = NULL WHERE id = 2",
         "legacy_session: the row with the label 's2' has no id"),
        ("a session with nothing", "UPDATE old_session SET id = NULL, label = NULL WHERE id = 2",
         "legacy_session: the row with the label NULL has no id"),
        ("two sessions with one id", "UPDATE old_session SET id = 1 WHERE id = 2",
         "legacy_session: the id '1' occurs 2 times; each session needs its own id"),
        ("a number and the same as text", "UPDATE old_session SET id = '1' WHERE id = 2",
         "legacy_session: the id '1' occurs 2 times"),
        ("a BLOB and the same as hex",
         "UPDATE old_session SET id = iif(id = 1, x'00FF', '00FF') WHERE id > 0; "
         "DELETE FROM old_message",
         "legacy_session: the id '00FF' occurs 2 times"),
        ("two messages with one id", "UPDATE old_message SET id = 1, session_id = 2",
         "legacy_message: the id '1' occurs", "times in the session '2'; each message needs"),
        ("a message without a session's id", "UPDATE old_message SET session_id = NULL",
         "legacy_message: the message '", "' names no session"),
        ("a message without an id", "UPDATE old_message SET id = NULL WHERE id = 2",
         "legacy_message: a message of the session '2' has no id"),
        ("a message that is too long",
         "UPDATE old_message SET content = printf('%.*c', 17000000, 'x') WHERE id = 2",
         "legacy_message: the message '2' of the session '2' is 170", " bytes long as JSON; "
         "at most 16777214 are allowed"),
        ("an id that is too long",
         "UPDATE old_message SET id = printf('%.*c', 300, 'x') WHERE id = 2",
         "legacy_message: 'legacy:2:xxx", "is 309 bytes long; at most 256 are allowed"),
        ("an id of over 1000 bytes without a label",
         "UPDATE old_session SET id = printf('%.*c', 1001, 'x'), label = NULL WHERE id = 2",
         "legacy_session: the id that begins with 'xxx", "' is 1001 bytes long; it stands in for "
         "the label (no label), and 1000 are allowed then"),
        ("a column that is missing", "ALTER TABLE old_session DROP COLUMN title", "title"),
    ]
    for what, sql, *errors in bad:
        for installed in (False, True):
            if installed and "message that is too long" in what:
                continue  # once is enough: it takes its time
            db = two_sessions()
            if installed:
                migrate(db)
                put(db, 0, "new")
                say(db, 0, 0, "user", "new")
            if installed and "too long" in what:
                say(db, 2.5, 2, "user", "more")
                sql = sql.replace("WHERE id = 2", "WHERE id = 2.5")
            db.executescript(sql)
            before = dump(db)
            suite.holds(f"{what}: the error", refused(db), "migrate_legacy.sql: "
                        if "column" not in what else "", *errors)
            suite.check(f"{what}: nothing has changed", dump(db) == before)
            db.close()
    db = two_sessions()
    before = dump(db)
    suite.holds("a wrong policy", refused(db, "keep"), "session_status_from_legacy: policy must be")
    suite.check("a wrong policy: nothing has changed", dump(db) == before)
    migrate(db)
    say(db, 9, 2, "user", "more")
    said = [{"role": "user", "content": "x"}]
    door(db, "turn_begin", "s2", "A1", {"messages": said, "lease": "1h"})
    before = dump(db)
    suite.holds("a live run", refused(db), "session 's2' is busy")
    suite.check("a live run: nothing has changed", dump(db) == before)
    error = error_of(db.executescript, "BEGIN;\n" + SCRIPT)
    db.execute("ROLLBACK")
    suite.holds("inside a transaction", error, "cannot start a transaction within a transaction")
    suite.check("inside a transaction: nothing has changed", dump(db) == before)
    db.close()


def check_shell():
    """The sqlite3 shell goes on after an error: even so nothing is written."""
    for bail in (".bail on\n", ""):
        path = suite.path(f"shell {len(bail)}.db")
        db = two_sessions(path)
        db.execute("UPDATE old_message SET id = printf('%.*c', 300, 'x') WHERE id = 2")
        before = dump(db)
        script = f".load {lib}\n{bail}{PLAIN_VIEWS}.read {ROOT}/sql/scripts/migrate_legacy.sql\n"
        shell = ["sqlite3", "-batch", "-init", os.devnull, path]
        done = subprocess.run(shell, input=script, capture_output=True, text=True)
        what = f"shell {'with' if bail else 'without'} .bail"
        suite.holds(f"{what}: the error", done.stderr, "bytes long; at most 256 are allowed")
        suite.check(f"{what}: nothing has changed", dump(db) == before)
        db.execute("UPDATE old_message SET id = 2 WHERE id <> 1")
        done = subprocess.run(shell, input=script, capture_output=True, text=True)
        suite.check(f"{what}: mended", (done.stdout, done.stderr),
                    ("1|s1|archived|1|1|0|1|0|0|s1|cancelled|\n"
                     "2|s2|archived|1|1|0|1|0|0|s2|cancelled|\n", ""))
        db.close()


def shell(path, bail=""):
    """The script in the sqlite3 shell, which goes on after an error. Returns output and errors."""
    script = f".load {lib}\n{bail}{PLAIN_VIEWS}.read {ROOT}/sql/scripts/migrate_legacy.sql\n"
    done = subprocess.run(["sqlite3", "-batch", "-init", os.devnull, path], input=script,
                          capture_output=True, text=True)
    return done.stdout, done.stderr


def statements(script):
    """The script's statements, as a shell takes them one by one."""
    found, part = [], ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found


def go_on(path, script, before=""):
    """Runs statements as a shell without .bail does, whatever fails. Returns the errors."""
    db = connect(path, lib, timeout=0.01)
    db.executescript(PLAIN_VIEWS + before)
    errors = []
    for statement in script:
        error = error_of(lambda: db.execute(statement).fetchall())
        if error:
            errors.append(str(error))
    db.close()
    return errors


def looked_at(path):
    db = connect(path, lib)
    found = dump(db)
    integrity = one(db, "PRAGMA integrity_check")
    db.close()
    return found, integrity


def check_every_statement():
    """In a shell that goes on, any statement may fail: there is everything then, or nothing."""
    start, path = suite.path("every start.db"), suite.path("every.db")
    db = plain(start)
    db.execute("SELECT turnstile_install()")
    put(db, 1, "", "active")
    put(db, 2, "legacy:1", "completed")
    put(db, 3, "s", "error", updated_at=at(4))
    put(db, 4, "s", "suspended")
    for n in range(1, 5):
        # its own: who spoke, in order
        for m, role in enumerate(("user", "assistant", "tool", "user")):
            say(db, m, n, role, f"{n} {m}", at(2, ms=m))
    migrate(db, "archive")  # a part is there already
    for n in range(5, 8):
        put(db, n, ("s", "t", None)[n - 5], ("cancelled", "error", "active")[n - 5])
    for n in range(1, 8):
        # its own: who spoke, in order
        for m, role in enumerate(("user", "tool", "assistant")):
            say(db, 10 + m, n, role, f"{n} more {m}" + "x" * 1500, at(3, ms=m))
    db.execute("UPDATE old_session SET status = 'cancelled' WHERE id IN (1, 3)")
    before = dump(db)
    db.close()
    script = statements(SCRIPT)
    suite.check("every statement: there are some", len(script) > 30)

    def run(script, before=""):
        shutil.copyfile(start, path)
        errors = go_on(path, script, before)
        return errors, *looked_at(path)

    errors, whole, integrity = run(script)
    suite.check("every statement: without an error", (errors, whole != before, integrity),
                ([], True, "ok"))
    seen = set()
    for n, statement in enumerate(script):
        what = f"every statement: without {' '.join(statement.split())[-60:]}"
        errors, after, integrity = run(script[:n] + script[n + 1:])
        seen.add(after == whole)
        suite.check(what, (after == whole or after == before, integrity), (True, "ok"))
    suite.check("every statement: with and without success", seen, {True, False})
    # Inside the trigger: an error behind each of its statements.
    at_work = [n for n, statement in enumerate(script) if "TRIGGER legacy_migrate" in statement][0]
    body = script[at_work]
    ends = [m.end() for m in re.finditer(r";\n", body)][:-2]  # the last one says that all is done
    suite.check("every statement: of the trigger", len(ends) > 40)
    for end in ends:
        # A guard's FAIL keeps what the statement has done so far.
        for how in ("turnstile_legacy_check('broken')", "RAISE(FAIL, 'broken')"):
            broken = body[:end] + f"SELECT {how};\n" + body[end:]
            broken = script[:at_work] + [broken] + script[at_work + 1:]
            for first in (0, 1):  # 1: BEGIN has failed
                errors, after, integrity = run(broken[first:])
                what = f"every statement: {how} behind {' '.join(body[:end].split())[-60:]}"
                suite.check(what, (after == before, integrity), (True, "ok"))
                suite.holds(f"{what}: the errors", errors,
                            "there is no transaction" if first else "broken", "nothing was")
    # A file that is full, at any place.
    pages = os.path.getsize(start) // 4096
    seen = set()
    for more in range(0, 24):
        errors, after, integrity = run(script, f"PRAGMA max_page_count = {pages + more};")
        seen.add(after == whole)
        suite.check(f"every statement: full, {more}",
                    (after == (before if errors else whole), integrity), (True, "ok"))
    suite.check("every statement: full at times", seen, {True, False})
    # A file that somebody else writes to.
    shutil.copyfile(start, path)
    other = connect(path, lib)
    other.execute("BEGIN IMMEDIATE")
    errors = go_on(path, script)
    other.execute("ROLLBACK")
    other.close()
    suite.holds("every statement: locked", errors, "locked")
    suite.check("every statement: the first one", "BEGIN IMMEDIATE" in script[0])
    suite.check("every statement: locked, nothing has changed", looked_at(path)[0] == before)
    # Views with what is wrong: a column that is missing, an id that is there twice.
    for sql in ("ALTER TABLE old_session DROP COLUMN title", "UPDATE old_session SET id = 1",
                "DROP TABLE old_message", "UPDATE old_session SET status = 1 WHERE id = 7"):
        shutil.copyfile(start, path)
        db = connect(path, lib)
        db.execute(sql)
        was = dump(db)
        db.close()
        suite.holds(f"every statement: {sql}", go_on(path, script), "nothing was")
        suite.check(f"every statement: {sql}: nothing has changed", looked_at(path)[0] == was)


def fill(db, first, last):
    """Sessions with a few messages each, and statuses in turn."""
    db.execute("BEGIN")
    for n in range(first, last):
        put(db, n, f"s{n}", OLD_STATUS[n % 5], updated_at=at(20))
        for m in range(6):
            # its own: who spoke, in order
            say(db, m, n, ("user", "assistant", "tool")[m % 3], f"{n} {m} " + "x" * 200,
                at(2, ms=m))
    db.execute("COMMIT")


CHILD = """
import sqlite3, sys
lib, path, script = sys.argv[1:]
db = sqlite3.connect(path, isolation_level=None)
db.enable_load_extension(True)
db.load_extension(lib)
db.executescript({views!r})
db.execute("PRAGMA cache_size = 50")  # pages spill: there is something to roll back
print("go", flush=True)
db.executescript(open(script, encoding="utf-8").read())
print("done", flush=True)
"""


def check_kill():
    rnd = random.Random(1)
    fresh = suite.path("kill fresh.db")
    db = plain(fresh)
    fill(db, 0, 200)
    db.close()
    grown = suite.path("kill grown.db")
    shutil.copyfile(fresh, grown)
    db = connect(grown, lib)
    db.executescript(PLAIN_VIEWS)
    migrate(db)
    fill(db, 200, 400)
    db.close()
    child = [sys.executable, "-c", CHILD.format(views=PLAIN_VIEWS), lib]
    script = os.path.join(ROOT, "sql", "scripts", "migrate_legacy.sql")
    seen = set()
    for start in (fresh, grown):
        path = suite.path("killed.db")
        states = []
        shutil.copyfile(start, path)
        db = sqlite3.connect(path)
        states.append(dump(db))
        db.close()
        begun = time.monotonic()
        subprocess.run(child + [path, script], stdout=subprocess.DEVNULL, check=True)
        took = time.monotonic() - begun
        db = connect(path, lib)
        labels = statuses(db)
        db.close()
        for n in range(12):
            mode = ("wal", "delete")[n % 2]
            what = f"killed, {os.path.basename(start)}, {mode}, {n}"
            for suffix in ("", "-wal", "-shm", "-journal"):
                if os.path.exists(path + suffix):
                    os.unlink(path + suffix)
            shutil.copyfile(start, path)
            db = sqlite3.connect(path)
            db.execute(f"PRAGMA journal_mode = {mode}")
            db.close()
            run = subprocess.Popen(child + [path, script], stdout=subprocess.PIPE)
            run.stdout.readline()
            time.sleep(rnd.random() * took)
            run.send_signal(signal.SIGKILL)
            done = b"done" in run.stdout.read()
            run.wait()
            run.stdout.close()
            db = connect(path, lib)
            suite.check(f"{what}: integrity", one(db, "PRAGMA integrity_check"), "ok")
            after = dump(db)
            if after == states[0]:
                seen.add("before")
                suite.check(f"{what}: it had not said that it was done", done, False)
            else:
                seen.add("after")
                suite.check(f"{what}: all sessions", statuses(db) == labels)
                suite.check(f"{what}: all turns", one(db, "SELECT count(*) FROM turns"),
                            2 * len(labels))
            db.executescript(PLAIN_VIEWS)
            migrate(db)
            suite.check(f"{what}: then all of it", statuses(db) == labels)
            sound(what, db)
            db.close()
    suite.check("killed: before the end at least once", "before" in seen)


# ---- However it arrives --------------------------------------------------------------------------


def check_portions():
    """In portions or at once: the same messages in the same order, the same statuses."""
    words = (*OLD_STATUS, "???", None)
    roles = (*ROLE, "human", "event")
    for seed in range(25):
        rnd = random.Random(seed)
        policy = rnd.choice((None, "archive"))
        db, whole = plain(), plain()
        when, id = at(1), 0
        for portion in range(4):
            for n in range(rnd.randrange(4)):
                old = column(db, "SELECT id FROM old_session")
                new = len(old)
                when += 1000
                row = (new, rnd.choice((f"s{new}", f"s{new}", None)), rnd.choice(words))
                put(db, *row, created_at=when, updated_at=when)
                put(whole, *row, created_at=when, updated_at=when)
            for n in range(rnd.randrange(12)):
                old = column(db, "SELECT id FROM old_session")
                if not old:
                    break
                id += 1
                when += rnd.randrange(3)
                row = (id, rnd.choice(old), rnd.choice(roles), rnd.choice((f"m{id}", "")), when)
                say(db, *row)
                say(whole, *row)
            migrate(db, policy)
        migrate(whole, policy)
        what = f"portions, seed {seed}"
        suite.check(f"{what}: status and activity", [r[:1] + r[4:] for r in state(db).values()],
                    [r[:1] + r[4:] for r in state(whole).values()])
        for label in statuses(whole):
            said = [m for *_, part in turns(db, label) for m in part]
            suite.check(f"{what}: {label}", said,
                        [m for *_, part in turns(whole, label) for m in part])
        sound(what, db)
        again(what, db, policy)
        db.close()
        whole.close()


if __name__ == "__main__":
    suite = Suite("legacy")
    lib = library(sys.argv[1])
    for policy in ("active", "archive"):
        check_typeorm(policy)
        check_mikro(policy)
    check_goes_on()
    check_growth()
    check_followers()
    check_gone_on()
    check_dead_run()
    check_left_alone()
    check_moves()
    check_times()
    check_seconds()
    check_missing_times()
    check_roles()
    check_contents()
    check_labels()
    check_taken_labels()
    check_random_labels()
    check_bad_text()
    check_ids()
    check_odd_ids()
    check_order()
    check_large()
    check_small()
    check_page()
    check_failures()
    check_shell()
    check_every_statement()
    check_kill()
    check_portions()
    suite.done()
