"""Older files: upgrade.py BUILDDIR [FILE]

tests/data/schema_v1.db, schema_v2.db, … were made by libraries of those schema versions. Each is
refused before the upgrade, upgraded by turnstile_install in one transaction, and is then like a new
file, with everything that it held. Nobody who looks meanwhile sees half of it.
"""

import glob
import json
import os
import shutil
import sqlite3
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

suite = Suite("upgrade")
lib = library(sys.argv[1])
if len(sys.argv) < 3:  # every stored file in turn
    files = sorted(glob.glob(os.path.join(here, "..", "data", "schema_v*.db")))
    now = one(connect(":memory:", lib), "SELECT turnstile_install()")
    suite.check("a file of each version is stored", [os.path.basename(f) for f in files],
                [f"schema_v{n}.db" for n in range(1, now)])
    for n, file in enumerate(files, 1):
        kept = sqlite3.connect(f"file:{file}?mode=ro", uri=True).execute(
            "SELECT value FROM turnstile_meta WHERE key = 'schema_version'").fetchone()[0]
        suite.check(f"and is one of version {n}", int(kept), n)
    if suite.failed:
        suite.done()
    runs = [subprocess.run([sys.executable, __file__, sys.argv[1], f]) for f in files]
    sys.exit(max(run.returncode for run in runs))
stored = sys.argv[2]

# Tables that an upgrade makes anew or counts up.
REMADE = ("turnstile_meta", "state_transitions", "message_rules")


def copy(name):
    path = suite.path(name)
    shutil.copy(stored, path)
    return path


def columns(db):
    """The columns of every table that holds data of the host's."""
    names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").fetchall()
    return {
        n: [c[1] for c in db.execute(f'PRAGMA table_info("{n}")')]
        for (n,) in names
        if n not in REMADE
    }


def rows(db):
    """What the tables and columns hold that the stored file has. Of reports that it knows by their
    deliveries an upgrade makes events, of an axis that it has not."""
    out = {}
    for name, list in stored_columns.items():
        fields = ", ".join(f'"{c}"' for c in list)
        old_ones = " WHERE axis <> 'worker'" if name == "session_events" else ""
        out[name] = db.execute(f'SELECT {fields} FROM "{name}"{old_ones}').fetchall()
    return out


def shape(db):
    """What there is, by name: columns of tables, text of everything else."""
    uuid = one(db, "SELECT value FROM turnstile_meta WHERE key = 'uuid'")
    out = {}
    for type, name, sql in db.execute("SELECT type, name, sql FROM sqlite_schema").fetchall():
        out[type, name] = (
            db.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
            if type == "table"
            else sql and sql.replace(uuid, "UUID")
        )
    return out


def meta(db, key):
    return one(db, "SELECT value FROM turnstile_meta WHERE key = ?", key)


new = connect(":memory:", lib)
version = one(new, "SELECT turnstile_install()")
old = connect(copy("first.db"), lib)
stored_columns = columns(old)
before, uuid, stored_version = rows(old), meta(old, "uuid"), meta(old, "schema_version")
suite.check("the stored file is older", stored_version < version)

# Before: every command that writes says what to do, and changes nothing.
for error in (
    error_of(one, old, "SELECT session_deliver('old', 'hello')"),
    error_of(door, old, "session_deliver", "old", "hello"),
):
    suite.holds("before the upgrade", error, "schema version", "turnstile_install()")
suite.check("before the upgrade: nothing", rows(old), before)

# Rules: one of the host's own, and one of ours switched off, in a file of the old version.
old.execute(
    "UPDATE message_rules SET enabled = 0 WHERE id = (SELECT min(id) FROM message_rules "
    "WHERE origin = 'builtin')"
)
off = old.execute("SELECT class, pattern FROM message_rules WHERE enabled = 0").fetchall()
old.execute("INSERT INTO message_rules(class, pattern, weight) VALUES('Abandon', '^nope$', 2.5)")
rules_version = meta(old, "rules_version")

suite.check("upgrade", one(old, "SELECT turnstile_install()"), version)
suite.check("version", meta(old, "schema_version"), version)
suite.check("uuid", meta(old, "uuid"), uuid)
suite.check("rules_version grows", meta(old, "rules_version") > rules_version)
suite.check("rows", rows(old), before)
got, expected = shape(old), shape(new)
for key in sorted(set(got) | set(expected)):
    suite.check(f"like a new file: {key}", got.get(key), expected.get(key))
# Where the inputs were said that a merge or a parting had moved.
if stored_version < 6:
    said = old.execute(
        "SELECT q.id, q.said_in, nullif(d.session_label, q.session_label) FROM session_queue AS q "
        "LEFT JOIN deliveries AS d ON d.id = q.delivery_id ORDER BY 1"
    ).fetchall()
    suite.check("said_in: where each was said, if not where it is", [r[:2] for r in said], [(r[0], r[2]) for r in said])
    if stored_version == 5:  # a file in which one has
        suite.check("said_in: one has moved, others have not", {r[1] is None for r in said}, {False, True})
moves = "SELECT * FROM state_transitions ORDER BY 1, 2, 3"
suite.check("state_transitions", old.execute(moves).fetchall(), new.execute(moves).fetchall())
rules = "SELECT class, state, pattern, weight, lang, origin FROM message_rules ORDER BY 1, 2, 3, 5"
suite.check(
    "built-in rules",
    [r for r in old.execute(rules) if r[5] == "builtin"],
    new.execute(rules).fetchall(),
)
suite.check(
    "a rule of the host's stays",
    one(old, "SELECT weight FROM message_rules WHERE origin = 'user' AND pattern = '^nope$'"),
    2.5,
)
still = {p for (p,) in new.execute("SELECT pattern FROM message_rules")}
for cls, pattern in off:
    if pattern in still:
        enabled = "SELECT enabled FROM message_rules WHERE class = ? AND pattern = ?"
        suite.check("a rule that was off stays off", one(old, enabled, cls, pattern), 0)
suite.sound("upgraded", old)

# Again: nothing to do.
everything = rows(old), meta(old, "rules_version")
suite.check("again", one(old, "SELECT turnstile_install()"), version)
suite.check("again: nothing", (rows(old), meta(old, "rules_version")), everything)

# What workers had reported is known: the same is the same, and anything else is refused.
if stored_version < 6:
    told = old.execute(
        "SELECT d.sender, d.message, json_extract(d.decision, '$.queue_id'), s.task_status FROM deliveries AS d "
        "JOIN sessions AS s ON s.label = d.sender WHERE d.message_id = 'report' AND d.channel = 'worker'"
    ).fetchall()
    for worker, result, queue_id, status in told:
        again = door(old, "session_report", worker, status, result)
        suite.check(f"a report of {worker} before the upgrade", again, queue_id)
        suite.holds("another one", error_of(door, old, "session_report", worker, status, "x"), "has reported before")
        suite.check("it is shown", one(old, "SELECT result FROM session_reports WHERE worker = ?", worker), result)
        suite.check("a full queue keeps it", one(old, "SELECT exempt FROM session_queue WHERE id = ?", queue_id), 1)

# It works: every session that was there can go on.
for (label,) in old.execute("SELECT label FROM sessions").fetchall():
    suite.check(f"recover {label}", one(old, "SELECT session_recover(?) IS NOT NULL", label), 1)
    decision = json.loads(door(old, "session_deliver", label, "and one more thing"))
    suite.check(f"deliver to {label}", "action" in decision)
decision = json.loads(door(old, "session_deliver", "n", "write a poem"))
suite.check("a new session", decision["action"], "start")
suite.sound("after work", old)
old.close()

# Inside a transaction of the host's: taken back with it, or kept with it.
db = connect(copy("second.db"), lib)
db.execute("BEGIN")
suite.check("in BEGIN", one(db, "SELECT turnstile_install()"), version)
suite.check("in BEGIN: still open", db.in_transaction)
db.execute("ROLLBACK")
suite.check("rolled back", meta(db, "schema_version"), stored_version)
suite.check("rolled back: rows", rows(db), before)
db.execute("BEGIN")
one(db, "SELECT turnstile_install()")
door(db, "session_deliver", "n", "write a poem")
db.execute("COMMIT")
suite.check("committed", meta(db, "schema_version"), version)
suite.sound("committed", db)

# A connection that has the old schema in its memory meets the new one.
path = copy("third.db")
first, second = connect(path, lib), connect(path, lib)
error = error_of(one, second, "SELECT session_state('old')")
if stored_version < 6:  # readers need tables or columns that are not there
    suite.holds("nothing can be read before", error, "schema version", "turnstile_install()")
else:
    suite.check("readers work before", error, None)
one(first, "SELECT turnstile_install()")
suite.check("it can be read then", json.loads(one(second, "SELECT session_state('old')")) != {})
suite.check("another connection", "action" in door(second, "session_deliver", "n", "write a poem"))
first.close()
second.close()

# An index that nothing reads any more can't go while somebody reads; it goes with the next call.
retired = (
    "SELECT count(*) FROM sqlite_schema WHERE name IN ('sessions_without_task', 'sessions_by_use')"
)
db = connect(copy("retired.db"), lib)
has = 1
suite.check("an index of the old version", one(db, retired), has)
reader = db.execute("SELECT value FROM turnstile_meta UNION ALL SELECT 1")
next(reader)
suite.check("upgrade while somebody reads", one(db, "SELECT turnstile_install()"), version)
suite.check("it is still there", one(db, retired), has)
door(db, "session_deliver", "n", "write a poem")
reader.close()
suite.check("once more", one(db, "SELECT turnstile_install()"), version)
suite.check("it is gone", one(db, retired), 0)
suite.sound("retired", db)

# What a session was used for last, and what waits where nothing is taken.
db = connect(copy("used.db"), lib)
db.execute("UPDATE sessions SET status = 'error' WHERE label = 'old'")
db.execute(
    "INSERT INTO session_queue(session_label, source, status, enqueued_at, message) "
    "VALUES ('old', 'timer', 'pending', 77, 'tick')"
)
if stored_version >= 5:  # there the commands say so
    db.execute("UPDATE session_queue SET held = 1 WHERE enqueued_at = 77")
last = one(db, "SELECT max(at) FROM deliveries WHERE session_label = 'old'")
one(db, "SELECT turnstile_install()")
used = one(db, "SELECT last_used FROM session_overview WHERE label = 'old'")
suite.check("used as long as anything came", used >= (last or 0) and used > 0)
suite.check(
    "what waits shows",
    db.execute(
        "SELECT since, detail FROM session_attention "
        "WHERE session_label = 'old' AND reason = 'held_input' AND since = 77"
    ).fetchall(),
    [(77, "in error: tick")],
)
db.close()

# What was handed over before, whether its host keeps turns or not: nobody has said which, so it waits for a
# turn, until the host says that it keeps none.
db = connect(copy("handed.db"), lib)
db.executemany(
    "INSERT INTO session_queue(session_label, source, status, attempts, enqueued_at, message) "
    "VALUES (?, 'timer', 'handed', 1, 78, ?)",
    [("handed 1", "tick"), ("handed 2", "tock")],
)
one(db, "SELECT turnstile_install()")
for label in ("handed 1", "handed 2"):
    db.execute(
        "INSERT INTO sessions(label, status, origin, created_at, updated_at, last_activity) "
        "VALUES (?, 'active', 'user', 78, 78, 78)",
        (label,),
    )
suite.check(
    "what was handed over wants attention",
    db.execute(
        "SELECT detail FROM session_attention WHERE reason = 'handed_input' AND since = 78 ORDER BY ref"
    ).fetchall(),
    [("tick",), ("tock",)],
)
deliver = "SELECT session_deliver(?, 'more', '{\"source\":\"timer\"}')"
one(db, deliver, "handed 1")
begun = json.loads(one(db, "SELECT turn_begin('handed 1', 'w')"))
suite.check("a turn takes it", [m["content"] for m in begun["messages"]], ["tick", "more"])
one(db, "SELECT turnstile_config('keeps_turns', 0)")
one(db, deliver, "handed 2")
suite.check(
    "a host without turns has done with it",
    db.execute(
        "SELECT status FROM session_queue WHERE session_label = 'handed 2' ORDER BY id"
    ).fetchall(),
    [("delivered",), ("handed",)],
)
db.close()

# Several processes at once.
path = copy("fourth.db")
script = (
    "import sys; sys.path.insert(0, sys.argv[1]); from harness import connect, one; "
    "print(one(connect(sys.argv[2], sys.argv[3], 30), 'SELECT turnstile_install()'))"
)
folder = os.path.join(here, "..", "lib")
processes = [
    subprocess.Popen(
        [sys.executable, "-c", script, folder, path, lib], stdout=subprocess.PIPE, text=True
    )
    for _ in range(6)
]
suite.check("six at once", [p.communicate()[0].strip() for p in processes], [str(version)] * 6)
db = connect(path, lib)
builtin = "SELECT count(*) FROM message_rules WHERE origin = 'builtin'"
suite.check("six at once: rules", one(db, builtin), one(new, builtin))
suite.check("six at once: rows", rows(db), before)
suite.sound("six at once", db)

# A file from the future is left alone.
db.execute("UPDATE turnstile_meta SET value = 99 WHERE key = 'schema_version'")
later = rows(db)
suite.holds("a newer file", error_of(one, db, "SELECT turnstile_install()"), "newer", "99")
suite.check("a newer file: nothing", rows(db), later)
db.close()

# A name that the new version wants and the host has taken meanwhile.
db = sqlite3.connect(copy("fifth.db"), isolation_level=None)
taken = [k for k in expected if k not in shape(db) and k[0] in ("table", "view", "index")]
for type, name in taken[:1]:
    db.execute(f"CREATE TABLE {name}(x)")
    db.close()
    db = connect(suite.path("fifth.db"), lib)
    error = error_of(one, db, "SELECT turnstile_install()")
    suite.holds(f"{name} is taken", error, name)
    suite.check(f"{name} is taken: nothing", meta(db, "schema_version"), stored_version)
    suite.check(f"{name} is taken: no transaction", db.in_transaction, False)
suite.done()
