"""Files that strangers have prepared: foreign.py BUILDDIR

A host opens a file that somebody sent and calls turnstile_install(), as it does with every file.
Nothing that the file brought along may run then, whatever it is and wherever it stands: triggers,
views, virtual tables, generated columns, CHECKs, defaults, indexes on expressions, a door. It is
named instead. An application's own triggers are named too, before an upgrade, and go on working
when the caller keeps them.
"""

import glob
import os
import shutil
import sqlite3
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

suite = Suite("foreign")
lib = library(sys.argv[1])
STORED = sorted(glob.glob(os.path.join(here, "..", "data", "schema_v*.db")))
INSTALL = "SELECT turnstile_install()"
KEEP = """SELECT turnstile_install('{"keep_foreign":1}')"""
count = 0


class Host:
    """A connection whose functions count how often they are called."""

    def __init__(self, path):
        self.calls = 0
        self.db = connect(path, lib)
        # Deterministic, so that indexes and generated columns may call it; not DIRECTONLY, as
        # nearly all functions that hosts register.
        self.db.create_function("boom", -1, self.boom, deterministic=True)
        self.db.create_collation("boom", self.collate)

    def boom(self, *args):
        self.calls += 1
        return args[0] if args else 1

    def collate(self, a, b):
        self.calls += 1
        return (a > b) - (a < b)


def stranger(stored, sql):
    """A copy of a stored file into which a stranger has put something. Returns its path."""
    global count
    count += 1
    path = suite.path(f"stranger{count}.db")
    shutil.copy(stored, path)
    db = sqlite3.connect(path, isolation_level=None)
    db.create_function("boom", -1, lambda *args: args[0] if args else 1, deterministic=True)
    for name in ("turnstile_dispatch", "turnstile_rule_check", "turnstile_policy_check"):
        db.create_function(name, -1, lambda *args: None)
    for name in ("regexp", "match"):
        db.create_function(name, 2, lambda *args: 1)
    db.create_collation("boom", lambda a, b: (a > b) - (a < b))
    db.execute("PRAGMA legacy_alter_table = ON")
    db.executescript(sql)
    db.close()
    return path


def started(name):
    """A file of the present version with a session. Returns its path."""
    path = suite.path(name)
    db = connect(path, lib)
    one(db, INSTALL)
    door(db, "session_start", "s", "x")
    db.close()
    return path


def schema(db):
    return db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()


def version(db):
    return one(db, "SELECT value FROM turnstile_meta WHERE key = 'schema_version'")


def refused(what, path, *parts):
    """Installing names what it found; nothing has run, nothing has changed."""
    host = Host(path)
    before = schema(host.db)
    error = error_of(one, host.db, INSTALL)
    suite.holds(f"{what}: named", error, "turnstile_install: ", *parts)
    suite.check(f"{what}: nothing ran", host.calls, 0)
    suite.check(f"{what}: nothing changed", schema(host.db) == before)
    suite.check(f"{what}: no transaction", host.db.in_transaction, False)
    for pragma in ("trusted_schema", "writable_schema", "recursive_triggers"):
        got = one(host.db, f"PRAGMA {pragma}")
        suite.check(f"{what}: {pragma}", got, 1 if pragma == "trusted_schema" else 0)
    return host


def kept(what, path, stays):
    """With keep_foreign the upgrade goes on, and still nothing of it runs."""
    host = Host(path)
    suite.check(f"{what}, kept: installs", error_of(one, host.db, KEEP), None)
    suite.check(f"{what}, kept: nothing ran", host.calls, 0)
    names = [row[1] for row in schema(host.db)]
    suite.check(f"{what}, kept: it is still there", stays in names)
    suite.check(f"{what}, kept: it is upgraded", version(host.db), one(host.db, INSTALL))
    return host


def test_triggers():
    """A trigger on every table that the upgrade could touch, in every form."""
    for stored in STORED:
        db = sqlite3.connect(stored)
        tables = [n for (n,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        db.close()
        whole = "".join(
            f"CREATE TRIGGER x_{table}_{when}_{what} {when} {what} ON {table} "
            f"BEGIN SELECT boom(); END;"
            for table in tables
            for when in ("BEFORE", "AFTER")
            for what in ("INSERT", "UPDATE", "DELETE")
        )
        name = os.path.basename(stored)
        path = stranger(stored, whole)
        refused(f"{name}: triggers on all tables", path, f"trigger x_{tables[0]}_BEFORE_INSERT on")
        host = kept(f"{name}: triggers on all tables", path, f"x_{tables[-1]}_AFTER_DELETE")
        # In daily use they work: the application's own.
        door(host.db, "session_start", "mine", "x")
        suite.check(f"{name}: they work afterwards", host.calls > 0)
        suite.sound(f"{name}: triggers", host.db)
        for table in tables:
            path = stranger(
                stored, f"CREATE TRIGGER x AFTER UPDATE ON {table} BEGIN SELECT boom(); END"
            )
            refused(f"{name}: a trigger on {table}", path, f"trigger x on {table}")
    newest = STORED[-1]
    # Under a name of ours: dropped before anything is written, so it can't run either.
    path = stranger(
        newest,
        "DROP TRIGGER tasks_move; CREATE TRIGGER tasks_move BEFORE UPDATE ON session_queue "
        "BEGIN SELECT boom(); END; DROP TRIGGER commits_fixed; CREATE TRIGGER commits_fixed "
        "AFTER INSERT ON message_rules BEGIN SELECT boom(); END",
    )
    host = Host(path)
    suite.check("triggers in our clothes: installs", error_of(one, host.db, INSTALL), None)
    suite.check("triggers in our clothes: nothing ran", host.calls, 0)
    suite.sound("triggers in our clothes", host.db)
    # On a table of the stranger's, under a name of ours: an upgrade would drop it.
    path = stranger(
        newest,
        "DROP TRIGGER tasks_move; CREATE TABLE theirs(x); CREATE TRIGGER tasks_move AFTER INSERT "
        "ON theirs BEGIN SELECT boom(); END",
    )
    refused("a trigger of theirs under our name", path, "trigger tasks_move on theirs")
    # A door of an older file that does more than call the dispatcher.
    path = stranger(
        newest,
        "DROP TRIGGER turnstile_door; CREATE TRIGGER turnstile_door INSTEAD OF INSERT ON turnstile "
        "BEGIN SELECT boom(); END",
    )
    refused("an older door of theirs", path, "trigger turnstile_door on turnstile")
    path = stranger(
        newest, "DROP VIEW turnstile; CREATE VIEW turnstile(command, args) AS SELECT boom(), 1"
    )
    refused("an older door's view of theirs", path, "view turnstile")
    # On a view, the door too.
    path = stranger(
        newest,
        "CREATE TRIGGER second INSTEAD OF INSERT ON turnstile BEGIN SELECT boom(); END",
    )
    refused("a second trigger on the door", path, "trigger second on turnstile")


def test_tables():
    """Code inside a table or an index: CHECKs, generated columns, defaults, expressions."""
    for stored in STORED:
        name = os.path.basename(stored)
        for what, sql, object in (
            ("a generated column", "ALTER TABLE sessions ADD COLUMN x TEXT AS (boom(label))", "sessions"),
            ("a stored CHECK", "ALTER TABLE tasks ADD COLUMN x TEXT CHECK (boom(x) IS NULL)", "tasks"),
            ("a quoted name", 'ALTER TABLE tasks ADD COLUMN x TEXT AS ("boom"(label))', "tasks"),
            ("with comments", "ALTER TABLE tasks ADD COLUMN x TEXT AS (boom/**/ /* ( */(label))", "tasks"),
            ("a column called so", "ALTER TABLE tasks ADD COLUMN boom TEXT AS (boom(label))", "tasks"),
            ("an index on an expression", "CREATE INDEX x ON sessions(boom(label))", "x"),
            ("a partial index", "CREATE INDEX x ON sessions(label) WHERE boom(label) = 'a'", "x"),
            ("a collation", "CREATE INDEX x ON sessions(label COLLATE boom)", "x"),
            ("a collation as text", "CREATE INDEX x ON sessions(label COLLATE 'boom')", "x"),
            ("LIKE, which a host can replace", "CREATE INDEX x ON sessions(label) WHERE label LIKE 'a'", "x"),
            # What stands behind a column that is called so names no table.
            ("behind a column called ON", 'ALTER TABLE sessions ADD COLUMN "on" TEXT; ALTER TABLE sessions ADD COLUMN boom '
             'TEXT; CREATE INDEX x ON sessions(label) WHERE ("on" + boom(1)) IS NULL', "x"),
            ("behind a column called VIEW", "ALTER TABLE sessions ADD COLUMN view TEXT; ALTER TABLE sessions ADD COLUMN boom "
             "TEXT; CREATE INDEX x ON sessions(view || boom(1))", "x"),
            ("behind a column called TABLE", 'ALTER TABLE sessions ADD COLUMN "table" TEXT; ALTER TABLE sessions ADD COLUMN boom '
             'TEXT; CREATE UNIQUE INDEX x ON sessions(label, [table] || `boom`(1))', "x"),
            ("an index called ON", 'ALTER TABLE sessions ADD COLUMN "on" TEXT; ALTER TABLE sessions ADD COLUMN boom TEXT; '
             'CREATE INDEX "on" ON sessions("on" || boom(1))', "on"),
            ("LIKE as a call", "CREATE INDEX x ON sessions(\"like\"(label, 'a'))", "x"),
            (
                "one of our indexes",
                "DROP INDEX sessions_by_open_task; CREATE INDEX sessions_by_open_task "
                "ON sessions(boom(label))",
                "sessions_by_open_task",
            ),
        ):  # fmt: skip
            sql = sql.replace("(label))", "(session_label))") if " tasks " in sql else sql
            kind = "table" if object in ("sessions", "tasks") else "index"
            refused(f"{name}: {what}", stranger(stored, sql), f"{kind} {object}")
    # What an application may well have added, and calls nothing.
    for what, sql in (
        ("a column", "ALTER TABLE sessions ADD COLUMN tenant TEXT NOT NULL DEFAULT 'none'"),
        ("an index", "CREATE INDEX by_persona ON sessions(persona_id, created_at)"),
        ("an index on a column of its own", "ALTER TABLE tasks ADD COLUMN tenant INT; "
         "CREATE INDEX by_tenant ON tasks(tenant) WHERE tenant IS NOT NULL"),
        ("a view", "CREATE VIEW mine AS SELECT boom(label) FROM sessions"),
        ("a table", "CREATE TABLE mine(x CHECK (length(x) > 1))"),
        ("a trigger on its own table", "CREATE TABLE mine(x); CREATE TRIGGER own AFTER INSERT ON "
         "mine BEGIN SELECT boom(); END"),
    ):  # fmt: skip
        path = stranger(STORED[-1], sql)
        host = Host(path)
        suite.check(f"{what} of an application's: installs", error_of(one, host.db, INSTALL), None)
        suite.check(f"{what} of an application's: nothing ran", host.calls, 0)
    # With a function of the application's in a table of its own.
    host = Host(stranger(STORED[-1], "CREATE TABLE mine(x CHECK (boom(x) IS NOT NULL))"))
    suite.check("a function in a CHECK of theirs", error_of(one, host.db, INSTALL), None)
    suite.check("a function in a CHECK of theirs: nothing ran", host.calls, 0)


def replaced(table, kind):
    """SQL that puts something else in a table's place."""
    columns = "key, value" if table == "turnstile_meta" else "label"
    rename = f"ALTER TABLE {table} RENAME TO old_{table};"
    return {
        "view": f"{rename} CREATE VIEW {table} AS SELECT *, boom({columns.split(', ')[-1]}) AS b "
        f"FROM old_{table}",
        "endless view": f"{rename} CREATE VIEW {table} AS WITH RECURSIVE c(key, value, label) AS "
        "(SELECT 1, 2, 3 UNION ALL SELECT key + 1, value, label FROM c) SELECT * FROM c",
        "virtual table": f"{rename} CREATE VIRTUAL TABLE {table} USING rtree(id, a, b)",
        "virtual table, oddly written": f"{rename} CREATE VIRTUAL TABLE {table} USING "
        f"rtree(id, a, b); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
        f"'create/*x*/ virtual table {table} USING rtree(id, a, b)' WHERE name = '{table}'",
        "generated": f"{rename} CREATE TABLE {table}(key PRIMARY KEY, base, label, "
        "value AS (boom(base))); "
        f"INSERT INTO {table}(key, base) VALUES ('schema_version', 4), ('uuid', 'u')",
    }[kind]


def test_in_our_place():
    """Views, virtual tables and tables of another make where ours should be: never read."""
    for stored in (STORED[0], STORED[-1]):
        name = os.path.basename(stored)
        for table in ("turnstile_meta", "sessions", "tasks", "message_rules", "session_queue"):
            for kind in ("view", "endless view", "virtual table", "virtual table, oddly written", "generated"):
                what = f"{name}: {table} is a {kind}"
                path = stranger(stored, replaced(table, kind))
                host = refused(what, path, table)
                for sql in (
                    KEEP,
                    "SELECT session_state('old')",
                    "SELECT session_deliver('old', 'hello')",
                    "SELECT count(*) FROM stale_sessions",
                    "SELECT count(*) FROM session_context('old')",
                    "SELECT classify_message('yes', 'Running')",
                    "SELECT turnstile_config('lease')",
                    "SELECT count(*) FROM turnstile_check",
                ):
                    if kind == "generated" and (table != "turnstile_meta" or sql != KEEP):
                        continue  # a real table: the caller may keep it, and SQLite may read it
                    error = error_of(one, host.db, sql)
                    suite.check(f"{what}: {sql}: nothing ran ({error})", host.calls, 0)
                    if sql == KEEP:
                        suite.check(f"{what}: keep_foreign does not help", error is not None)


def test_doors():
    """A file of the present version with another door."""
    made = started("made.db")
    for what, sql in (
        ("another view", "DROP VIEW turnstile; CREATE VIEW turnstile(command, args) AS SELECT boom(), 1"),
        (
            "another trigger",
            "DROP TRIGGER turnstile_door; CREATE TRIGGER turnstile_door INSTEAD OF INSERT ON turnstile "
            "BEGIN SELECT boom(); END",
        ),
        ("a table", "DROP VIEW turnstile; CREATE TABLE turnstile(command, args)"),
        (
            "a door with more in it",
            "DROP TRIGGER turnstile_door; CREATE TRIGGER turnstile_door INSTEAD OF INSERT ON turnstile "
            "BEGIN SELECT boom(); SELECT turnstile_dispatch(5, (SELECT value FROM turnstile_meta WHERE "
            "key = 'door_key'), '', NEW.command, NEW.args); END",
        ),
    ):
        path = stranger(made, sql)
        refused(f"a door that is {what}", path, "is not turnstile's door")
    path = stranger(made, "CREATE TRIGGER x INSTEAD OF INSERT ON turnstile BEGIN SELECT boom(); END")
    refused("a second trigger on the door", path, "has a trigger that is not turnstile's: x")
    # One that sends another command than was called: the error has the name of what was called.
    path = stranger(
        made,
        "DROP TRIGGER turnstile_door; CREATE TRIGGER turnstile_door INSTEAD OF INSERT ON turnstile "
        "BEGIN SELECT turnstile_dispatch((SELECT value FROM turnstile_meta WHERE key = 'schema_version'), "
        "(SELECT value FROM turnstile_meta WHERE key = 'door_key'), '', 'session_transition', '[]'); END",
    )
    host = Host(path)
    for sql in ("SELECT session_note('s', 'n')", "SELECT session_start('new', 'x')"):
        name = sql.split()[1].split("(")[0]
        error = str(error_of(one, host.db, sql))
        suite.holds(f"another command: {sql}", error, f"{name}: ", "is not turnstile's door: it sends something else")
    # The application's triggers on our tables are no matter while nothing is upgraded.
    path = stranger(made, "CREATE TRIGGER x AFTER INSERT ON session_events BEGIN SELECT boom(); END")
    host = Host(path)
    suite.check("a trigger in a current file", error_of(one, host.db, INSTALL), None)
    suite.check("a trigger in a current file: nothing ran", host.calls, 0)
    door(host.db, "session_note", "s", "n")
    suite.sound("a trigger in a current file", host.db)


def test_writefile():
    """The way in that was found: an upgrade, a trigger that sets the classifier, a command."""
    path = stranger(
        STORED[-1],
        "CREATE TRIGGER x AFTER UPDATE ON turnstile_meta BEGIN INSERT INTO turnstile(command, args) "
        """VALUES('turnstile_config', '["classifier_function","boom"]'); END""",
    )
    refused("a trigger that sets the classifier", path, "trigger x on turnstile_meta")
    host = kept("a trigger that sets the classifier", path, "x")
    for sql in (
        "SELECT session_deliver('old', 'hello')",
        "INSERT OR REPLACE INTO turnstile_config VALUES('', 'classifier_function', 'boom')",
        "SELECT session_deliver('old', 'hello')",
        "UPDATE turnstile_meta SET value = value",
        "SELECT session_deliver('old', 'and hello')",
    ):
        error_of(one, host.db, sql)
        suite.check(f"{sql}: the host's function is not called", host.calls, 0)


def use_side(host):
    """The connection uses what is called side; which file that is, changes afterwards."""
    host.db.execute("ATTACH ':memory:' AS side")
    one(host.db, "SELECT turnstile_use('side')")
    host.db.execute("DETACH side")


def test_swapped():
    """Another file under the schema's name: looked at again."""
    good, bad = started("good.db"), suite.path("bad.db")
    shutil.copy(stranger(good, replaced("sessions", "view")), bad)
    host = Host(":memory:")
    use_side(host)
    for path, works in ((good, True), (bad, False), (good, True), (bad, False)):
        host.db.execute("ATTACH ? AS side", (path,))
        for sql in ("SELECT session_state('s')", "SELECT session_note('s', 'n')"):
            error = error_of(one, host.db, sql)
            suite.check(f"{os.path.basename(path)}: {sql}: {error}", error is None, works)
            suite.check(f"{os.path.basename(path)}: {sql}: nothing ran", host.calls, 0)
        host.db.execute("DETACH side")


def odd(table, sql, *values):
    """SQL that puts a view that calls boom() in a table's place, and then edits its schema row."""
    return (
        f"ALTER TABLE {table} RENAME TO old_{table}; CREATE VIEW {table} AS SELECT *, boom(1) AS b "
        f"FROM (SELECT boom(1) AS label, boom(1) AS key, boom(1) AS value); "
        f"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET {sql} WHERE name = '{table}'"
    )


def test_odd_schema():
    """sqlite_schema with texts that SQLite reads as one thing and SQL compares as another."""
    virtual = (
        "ALTER TABLE {0} RENAME TO old_{0}; CREATE VIRTUAL TABLE {0} USING rtree(key, value, label); "
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = {1} WHERE name = '{0}'"
    )
    for table in ("turnstile_meta", "sessions", "tasks", "turnstile_config"):
        for what, sql in (
            ("another case of the type", odd(table, "type = 'VIEW'")),
            ("a type that is a BLOB", odd(table, "type = CAST('view' AS BLOB)")),
            ("a type with a NUL", odd(table, "type = 'view' || char(0) || 'x'")),
            ("a name that is a BLOB", odd(table, f"name = CAST('{table}' AS BLOB)")),
            ("a name with a NUL", odd(table, f"name = '{table}' || char(0, 120)")),
            ("names in another case", odd(table, "name = upper(name), tbl_name = upper(tbl_name)")),
            (
                "names that are BLOBs",
                odd(table, f"name = CAST('{table}' AS BLOB), tbl_name = CAST('{table}' AS BLOB), "
                    "type = CAST('vIeW' AS BLOB)"),
            ),
            (
                "a byte order mark before VIRTUAL",
                virtual.format(table, f"'create ' || char(65279) || 'virtual table {table} USING "
                               "rtree(key, value, label)'"),
            ),
            (
                "blanks of all kinds before VIRTUAL",
                virtual.format(table, "'create' || char(12, 13, 9) || '/**/-- x' || char(10) || "
                               f"char(65279) || 'VIRTUAL TABLE {table} USING rtree(key, value, label)'"),
            ),
            (
                "a virtual table whose type has another case",
                virtual.format(table, f"'CREATE VIRTUAL TABLE {table} USING rtree(key, value, label)'"
                               ", type = 'Table'"),
            ),
        ):  # fmt: skip
            host = Host(stranger(STORED[-1], sql))
            for call in (
                INSTALL,
                KEEP,
                "SELECT session_state('old')",
                "SELECT session_deliver('old', 'hello')",
                "SELECT count(*) FROM stale_sessions",
                "SELECT count(*) FROM turnstile_check",
                "SELECT turnstile_config('lease')",
            ):
                error = error_of(one, host.db, call)
                suite.holds(f"{table}, {what}: {call}", str(error).lower(), f'"main"."{table}" is')
                suite.check(f"{table}, {what}: {call}: nothing ran", host.calls, 0)
    # A trigger whose row says TRIGGER is one, and is named.
    path = stranger(
        STORED[-1],
        "CREATE TRIGGER x AFTER UPDATE ON turnstile_meta BEGIN SELECT boom(); END; "
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'TRIGGER' WHERE name = 'x'",
    )
    refused("TRIGGER", path, "TRIGGER x on turnstile_meta")
    kept("TRIGGER", path, "x")
    # Bytes that are no text come out as valid UTF-8 with the function's name in front.
    path = stranger(
        STORED[-1],
        "CREATE TABLE x(a); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
        "CAST(x'435245415445205441424c4520fffe28' AS TEXT), name = CAST(x'fffe' AS TEXT) WHERE name = 'x'",
    )
    db = sqlite3.connect(path, isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(lib)
    for call in (INSTALL, KEEP, "SELECT session_state('old')", "SELECT session_start('new', 'x')"):
        try:
            error = error_of(one, db, call)
        except UnicodeDecodeError as refusal:  # a newer SQLite reads the schema before it calls us
            suite.check(f"odd bytes: {call}", sqlite3.sqlite_version_info > (3, 41), str(refusal) != "")
            continue
        suite.holds(f"odd bytes: {call}", error, ": malformed database schema (\ufffd\ufffd)")
    # A version that is no number of a version.
    for value, part in (
        ("4294967301", "has schema version 2147483647, newer"),
        ("'99999999999999999999'", "has schema version 2147483647, newer"),
        ("'5x'", "holds '5x' as schema_version"),
        ("'five'", "holds 'five' as schema_version"),
        ("''", "holds '' as schema_version"),
        ("-5", "holds '-5' as schema_version"),
        ("0", "holds '0' as schema_version"),
        ("4.5", "holds '4.5' as schema_version"),
        ("CAST(x'fe34' AS TEXT)", "holds '\ufffd4' as schema_version"),
    ):
        path = stranger(STORED[-1], f"UPDATE turnstile_meta SET value = {value} WHERE key = 'schema_version'")
        refused(f"version {value}", path, part)


def test_called():
    """A function whose name is a word of ours: a column is called so, but nothing calls it."""
    for word in ("hash", "label", "message", "token", "summary", "tasks", "sessions", "turnstile_meta"):
        for stored in (STORED[0], STORED[-1]):
            for what, sql, named in (
                ("a generated column", f"ALTER TABLE tasks ADD COLUMN x TEXT AS ({word}(description))", "table tasks"),
                ("with blanks", f'ALTER TABLE tasks ADD COLUMN x TEXT AS ("{word}" /**/ (description))', "table tasks"),
                ("an index", f"CREATE INDEX x ON tasks({word}(description))", "index x on tasks"),
                ("a partial index", f"CREATE INDEX x ON tasks(state) WHERE {word}(state)", "index x on tasks"),
            ):
                path = suite.path(f"called {word} {what} {os.path.basename(stored)}.db")
                shutil.copy(stored, path)
                db = sqlite3.connect(path, isolation_level=None)
                db.create_function(word, -1, lambda *args: 1, deterministic=True)
                db.executescript(sql)
                db.close()
                refused(f"{word}() in {what}", path, named)


def test_operators():
    """An operator that is a function of the host's, also where a column is called like it; a CHECK, a
    generated column or a foreign key that calls nothing is none of ours either."""
    for stored in (STORED[0], STORED[-1]):
        for table, a, b in (("turnstile_meta", "value", "key"), ("tasks", "state", "description")):
            for what, sql in (
                *(
                    (word, f'ALTER TABLE {table} ADD COLUMN "{word}" INT CHECK (({a} {word} {b}) OR 1)')
                    for word in ("regexp", "match", "glob", "like")
                ),
                ("NOT", f"ALTER TABLE {table} ADD COLUMN regexp INT CHECK (({a} NOT REGEXP {b}) OR 1)"),
                ("a comment", f'ALTER TABLE {table} ADD COLUMN "glob" INT AS ({a}/**/glob\f{b})'),
                ("a plain CHECK", f"ALTER TABLE {table} ADD COLUMN x INT CHECK ({a} <> -77)"),
                ("a plain generated column", f"ALTER TABLE {table} ADD COLUMN x TEXT AS ({a} || {b})"),
                ("a foreign key", f"ALTER TABLE {table} ADD COLUMN x INT REFERENCES sessions(label)"),
                ("a collation", f"ALTER TABLE {table} ADD COLUMN x TEXT COLLATE boom"),
            ):
                path = stranger(stored, sql)
                host = Host(path)
                calls = []
                for name in ("regexp", "match", "glob", "like"):
                    called = lambda *args: calls.append(args) or 1  # noqa: E731
                    host.db.create_function(name, 2, called, deterministic=True)
                before = schema(host.db)
                error = error_of(one, host.db, INSTALL)
                name = f"{os.path.basename(stored)}: {what} in {table}"
                suite.holds(f"{name}: named", error, "turnstile_install: ", table)
                suite.check(f"{name}: nothing ran", (calls, host.calls), ([], 0))
                suite.check(f"{name}: nothing changed", schema(host.db) == before)


def test_added_columns():
    """Columns that an application has added behind ours are no damage, before and after an upgrade."""
    path = stranger(
        STORED[-1], "ALTER TABLE commits ADD COLUMN color TEXT NOT NULL DEFAULT 'blue'"
    )
    db = connect(path, lib)
    suite.check("an added column: installs", error_of(one, db, INSTALL), None)
    suite.sound("an added column", db)
    db.execute("ALTER TABLE sessions ADD COLUMN tenant TEXT")
    suite.sound("another one", db)
    door(db, "session_start", "s", "x")
    suite.check("a command works", one(db, "SELECT count(*) FROM sessions WHERE label = 's'"), 1)


def test_foreign_keys():
    """A table of the stranger's refers to ours, and what it holds would be computed."""
    sql = (
        "CREATE TABLE evil(y DEFAULT (boom(1)), x AS (boom(y)) REFERENCES {0}(id) "
        "DEFERRABLE INITIALLY DEFERRED, z REFERENCES {0}(id) ON DELETE SET DEFAULT DEFAULT (boom(7)), "
        "CHECK (boom(z) IS NOT 9)); INSERT INTO evil(y, z) VALUES (1, 1), (1000, 2)"
    )
    for stored in (None, STORED[0], STORED[-1]):
        for table in ("message_rules", "tasks"):
            path = suite.path(f"refers {table} {os.path.basename(stored or 'new')}")
            if stored:
                shutil.copy(stored, path)
            db = sqlite3.connect(path, isolation_level=None)
            db.create_function("boom", -1, lambda *args: args[0] if args else 1, deterministic=True)
            db.executescript(sql.format(table))
            db.close()
            for begin in ("", "BEGIN"):
                host = Host(path)
                host.db.execute("PRAGMA foreign_keys = ON")
                host.db.execute(begin)
                for call in (INSTALL, KEEP):
                    error = error_of(one, host.db, call)
                    what = f"{stored}: a table that refers to {table}: {begin} {call}: {error}"
                    suite.check(f"{what}: nothing ran", host.calls, 0)
                    on = one(host.db, "PRAGMA foreign_keys")
                    suite.check(f"{what}: foreign keys are on again", on, 1)
                    suite.check(f"{what}: named", error is None or str(error).startswith("turnstile_install: "))


def test_same_name():
    """Another file under the same name and the same path, or as bytes: looked at again."""
    good, path = started("same good.db"), suite.path("same.db")
    bad = {what: stranger(good, replaced(what, "view")) for what in ("sessions", "tasks")}
    uses = ("SELECT session_state('s')", "SELECT session_note('s', 'n')", "SELECT count(*) FROM stale_sessions")
    host = Host(":memory:")
    use_side(host)
    for file in (good, bad["sessions"], good, bad["tasks"], bad["sessions"], good):
        shutil.copy(file, path)
        host.db.execute("ATTACH ? AS side", (path,))
        for sql in uses:
            error = error_of(one, host.db, sql)
            suite.check(f"one path: {file == good}: {sql}: {error}", error is None, file == good)
            suite.check(f"one path: {sql}: nothing ran", host.calls, 0)
        host.db.execute("DETACH side")
    # What was compiled from the one file's rules and policies is not the other's.
    files = []
    for cls in ("Abandon", "Clarification"):
        file = suite.path(f"rules {cls}.db")
        db = connect(file, lib)
        one(db, INSTALL)
        db.execute("INSERT INTO message_rules(class, pattern, weight) VALUES (?, 'xyzzy', 5)", (cls,))
        policy = "INSERT INTO session_policies(name, key_template) VALUES ('p', ?)"
        db.execute(policy, (f"{cls}:{{delivery.sender_id}}",))
        db.close()
        files.append((file, cls))
    for file, cls in files * 2:
        shutil.copy(file, path)
        host.db.execute("ATTACH ? AS side", (path,))
        got = one(host.db, "SELECT classify_message('xyzzy', 'Running')")
        suite.check(f"the rules of {cls}", got, cls)
        got = one(host.db, """SELECT session_route('{"channel":"c","sender_id":"me"}')""")
        suite.holds(f"the policies of {cls}", got, f"{cls}:me")
        host.db.execute("DETACH side")
    if not hasattr(host.db, "deserialize"):
        return
    def fresh(schema):
        host = Host(":memory:")
        host.db.execute("ATTACH ':memory:' AS side")
        one(host.db, f"SELECT turnstile_use('{schema}')")
        return host

    for schema in ("main", "side"):
        host = fresh(schema)
        for file in (good, bad["sessions"], good, bad["tasks"]):
            # Older versions of SQLite keep a pointer into what was main before, in every
            # table-valued function that was read (json_each is enough): a new connection for each.
            if schema == "main" and sqlite3.sqlite_version_info < (3, 54):
                host = fresh(schema)
            with open(file, "rb") as f:
                host.db.deserialize(f.read(), name=schema)
            for sql in uses:
                error = error_of(one, host.db, sql)
                suite.check(f"{schema}, bytes: {file == good}: {sql}: {error}", error is None, file == good)
                suite.check(f"{schema}, bytes: {sql}: nothing ran", host.calls, 0)


def test_restored():
    """Another file's content comes into one that is open, by SQLite's backup."""
    good, path = started("backup good.db"), suite.path("backup.db")
    bad = stranger(good, replaced("sessions", "view"))
    for mode in (path, ":memory:"):
        host = Host(mode)
        for file in (good, bad, good, bad):
            source = sqlite3.connect(file)
            source.backup(host.db)
            source.close()
            for sql in ("SELECT session_state('s')", "SELECT count(*) FROM stale_sessions"):
                error = error_of(one, host.db, sql)
                suite.check(f"restored: {file == good}: {sql}: {error}", error is None, file == good)
                suite.check(f"restored: {sql}: nothing ran", host.calls, 0)


def test_settings():
    """What an upgrade switches off for its own time is as before, also when it fails."""
    for prepare in ("SELECT 1", "CREATE TRIGGER x AFTER UPDATE ON tasks BEGIN SELECT boom(); END"):
        for call in (INSTALL, KEEP):
            for trusted in (0, 1):
                path = stranger(STORED[-1], prepare)
                db = Host(path).db
                db.execute(f"PRAGMA trusted_schema = {trusted}")
                error_of(one, db, call)
                suite.check(f"{prepare}, {call}: trusted_schema", one(db, "PRAGMA trusted_schema"), trusted)
                db.execute("CREATE TABLE mine(x)")
                db.execute("CREATE TABLE log(x)")
                db.execute("CREATE TRIGGER y AFTER INSERT ON mine BEGIN INSERT INTO log VALUES(1); END")
                db.execute("INSERT INTO mine VALUES(1)")
                suite.check(f"{prepare}, {call}: triggers run", one(db, "SELECT count(*) FROM log"), 1)


def test_checkpoint():
    """Nothing is left open behind installing: a checkpoint right after it finds no lock."""
    for what, sql, call in (
        ("new", "", INSTALL),
        ("old", None, INSTALL),
        ("without a door", "SELECT turnstile_install(); DROP VIEW turnstile", INSTALL),
        ("current", "SELECT turnstile_install()", INSTALL),
        ("refused", "CREATE TABLE sessions(x)", INSTALL),
        ("renewed", "SELECT turnstile_install()", "SELECT turnstile_renew()"),
        ("beside a temporary table", "CREATE TEMP TABLE t(x)", INSTALL),
    ):
        path = suite.path(f"checkpoint {what}.db")
        if sql is None:
            shutil.copy(STORED[0], path)
        db = connect(path, lib)
        db.execute("PRAGMA journal_mode = WAL").fetchall()
        for statement in (sql or "").split(";"):
            db.execute(statement).fetchall()
        error_of(one, db, call)
        for pragma in ("wal_checkpoint", "wal_checkpoint(TRUNCATE)"):
            error = error_of(lambda: db.execute(f"PRAGMA {pragma}").fetchall())
            suite.check(f"{what}: {pragma}", error, None)
        suite.check(f"{what}: VACUUM", error_of(db.execute, "VACUUM"), None)


for name, test in sorted(globals().items()):
    if name.startswith("test_") and (len(sys.argv) < 3 or sys.argv[2] in name):
        test()
suite.done()
