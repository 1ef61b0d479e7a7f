"""Loading, and failing to: loading.py BUILDDIR

A program bundles a copy of the library, and another one is installed on the machine: both come to
one connection. Or a statement is running, or a function of the host's has one of our names. Whatever
happens, the process lives on, and what was loaded first works as before.

Every case runs in a process of its own, because what is looked for is a crash.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, error_of, library, one  # noqa: E402

ENTRY = "sqlite3_turnstile_init"
NAMES = (
    "SELECT group_concat(name || '/' || narg) FROM (SELECT DISTINCT name, narg FROM "
    "pragma_function_list WHERE name LIKE 'turn%' OR name LIKE 'session%' OR name LIKE 'queue%' "
    "OR name LIKE 'class%' OR name LIKE 'identity%' OR name LIKE 'state%' ORDER BY 1, 2)"
)


def load(db, path):
    db.enable_load_extension(True)
    return error_of(one, db, "SELECT load_extension(?, ?)", path, ENTRY)


def works(db):
    """A new session, end to end. Raises when something is not right."""
    one(db, "SELECT turnstile_install()")
    label = f"s{one(db, 'SELECT count(*) FROM sessions')}"
    assert one(db, "SELECT session_deliver(?, 'add retries') ->> '$.action'", label) == "start"
    assert one(db, "SELECT turn_append(?, ?)", label, '[{"role":"user","content":"x"}]') > 0
    assert one(db, "SELECT count(*) FROM session_context(?)", label) == 1
    assert one(db, "SELECT count(*) FROM turnstile_check") == 0


def case_two_copies(lib, copy, other):
    db = sqlite3.connect(":memory:", isolation_level=None)
    assert load(db, lib) is None
    works(db)
    one(db, "SELECT turnstile_clock(1767225600000)")
    assert load(db, copy) is None, "the same version: fine"
    works(db)
    assert one(db, "SELECT created_at FROM sessions WHERE label = 's1'") == 1767225600000, (
        "the settings of the connection stay"
    )
    db.close()


def case_two_copies_at_once(lib, copy, other):
    db = sqlite3.connect(":memory:", isolation_level=None)
    load(db, lib)
    works(db)
    rows = db.execute("SELECT label FROM sessions UNION ALL SELECT name FROM sqlite_schema")
    next(rows)
    assert load(db, copy) is None
    works(db)
    rows.fetchall()
    works(db)
    db.close()


def case_another_version(lib, copy, other):
    db = sqlite3.connect(":memory:", isolation_level=None)
    load(db, lib)
    before = one(db, NAMES)
    error = load(db, other)
    assert "is loaded on this connection already" in str(error), error
    assert one(db, NAMES) == before
    works(db)
    db.close()


def case_another_version_first(lib, copy, other):
    db = sqlite3.connect(":memory:", isolation_level=None)
    assert load(db, other) is None
    rows = db.execute("SELECT name FROM pragma_function_list")
    next(rows)
    assert "is loaded on this connection already" in str(load(db, lib))
    works(db)
    rows.fetchall()
    works(db)
    db.close()


def clash(lib, name, running):
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.create_function(name, -1, lambda *args: "the host's")
    if running:
        rows = db.execute("SELECT name FROM pragma_function_list")
        next(rows)
    error = load(db, lib)
    # SELECT load_extension() is a statement too, so SQLite never lets a function be replaced there.
    expected = "loaded on this connection" if name == "turnstile_version" else "active statements"
    assert expected in str(error), error
    if running:
        rows.fetchall()
    assert one(db, f"SELECT {name}()") == "the host's"
    for sql in (
        "SELECT session_state('s')",
        "SELECT turnstile_install()",
        "SELECT turnstile_version()",
        "SELECT * FROM turnstile_check",
        "SELECT * FROM session_context('s')",
        "SELECT classify_message('stop', 'Running')",
    ):
        if name + "(" not in sql:
            assert error_of(one, db, sql) is not None, f"{sql} works after a failed load"
    # Once nothing runs, what was left is replaced. (load_extension of the C API is no statement.)
    db.create_function(name, -1, None)
    db.load_extension(lib)
    works(db)
    other = sqlite3.connect(":memory:", isolation_level=None)
    assert load(other, lib) is None
    works(other)
    other.close()
    db.close()


def case_clash_first(lib, copy, other):
    for running in (False, True):
        clash(lib, "turnstile_version", running)


def case_clash_command(lib, copy, other):
    for running in (False, True):
        clash(lib, "session_deliver", running)


def case_clash_last(lib, copy, other):
    for running in (False, True):
        clash(lib, "classification_prompt", running)


def case_many_connections(lib, copy, other):
    for _ in range(20):
        dbs = [sqlite3.connect(":memory:", isolation_level=None) for _ in range(4)]
        for i, db in enumerate(dbs):
            for path in (lib, copy, lib) if i % 2 else (copy, lib):
                assert load(db, path) is None
            works(db)
        for db in dbs:
            db.close()


def case_closed_while_running(lib, copy, other):
    db = sqlite3.connect(":memory:", isolation_level=None)
    load(db, lib)
    works(db)
    rows = db.execute("SELECT * FROM turnstile_cache")
    next(rows)
    load(db, copy)
    load(db, other)
    del rows
    db.close()


CASES = sorted(name for name in globals() if name.startswith("case_"))

if __name__ == "__main__":
    if len(sys.argv) > 3:
        globals()[sys.argv[1]](*sys.argv[2:])
        sys.exit(0)
    suite = Suite("loading")
    lib = library(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(lib, os.path.join(folder, "bundled.so"))
        other = os.path.join(folder, "other.so")
        version = one(connect(":memory:", lib), "SELECT turnstile_version()").encode()
        content = open(lib, "rb").read()
        changed = content.replace(b"\0" + version + b"\0", b"\0" + b"9" * len(version) + b"\0")
        suite.check("another version is made of it", changed != content)
        open(other, "wb").write(changed)
        for case in CASES:
            run = subprocess.run(
                [sys.executable, __file__, case, lib, copy, other], capture_output=True, text=True
            )
            how = signal.Signals(-run.returncode).name if run.returncode < 0 else run.returncode
            suite.check(f"{case}: {run.stderr[-600:]}", how, 0)
    suite.done()
