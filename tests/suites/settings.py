"""What a host has set on its connection, and tables under SQLite's and our own names.

    /usr/bin/python3 tests/suites/settings.py BUILDDIR

A day of work (commands through both doors, table-valued functions, views, hand-off, checks) runs with
each setting. What the commands return, what they leave in the tables and what the views show must be
the same as without.
"""

import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, error_of, library, one  # noqa: E402

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
LIB = library(BUILD)
UUID = "00000000-0000-4000-8000-000000000000"
suite = Suite("settings")

T = 16777216
DAY = [
    ("session_start", "main", "Add retries"),
    ("session_observe", "main", "FileRead", '{"path":"src/a.c"}'),
    ("session_observe", "main", "CommandRun", '{"command":"make","exit_code":2}'),
    ("session_note", "main", "as agreed", {"request_id": "r1"}),
    ("session_note", "main", "as agreed", {"request_id": "r1"}),
    ("session_relate", "main", "file:src/a.c", "touches", "task:1", {"weight": 0.1}),
    ("session_transition", "main", "AwaitingUser", '{"question":"Five or three?","extra":[1.50]}'),
    ("session_deliver", "main", "five, please", {"message_id": "m1", "channel": "web"}),
    ("session_deliver", "main", "five, please", {"message_id": "m1", "channel": "web"}),
    ("session_transition", "main", "PendingComplete", '{"summary":"Five."}'),
    ("session_deliver", "main", "that works, thanks!"),
    ("session_deliver", "work", "write the report", {"owner": "w1"}),
    ("turn_message", T, 1, '{"role":"assistant","content":"I look."}'),
    ("turn_tool_call", T, 1, "c1", "bash", '{"command": "make"}'),
    ("turn_tool_result", T, 1, "c1", "done"),
    ("session_deliver", "work", "and a table of contents"),
    ("turn_steering", T, 1),
    ("turn_complete", T, 1, '{"content":"Here.","usage":{"input_tokens":5},"outcome":"done"}'),
    ("turn_append", "work", '[{"role":"user","content":"more"},{"role":"assistant","content":"yes",'
     '"tool_calls":[{"id":"c2","name":"ls","params":{"a":[1,2]},"result":"x"}]}]'),
    ("session_fork", T, "idea"),
    ("turn_compact", "work", "All done so far."),
    ("session_deliver", "long", "build the importer"),
    ("session_deliver", "long", "paint the house instead", {"now": 1800000000000 + 2 * 86400000}),
    ("identity_link", "wa", "+1", "rosa"),
    ("session_route", '{"channel":"wa","sender_id":"+1","thread_id":1.5}'),
    ("turnstile_config", "lease", "2m"),
    ("queue_push", "idea", "later"),
    ("session_suspend", "main"),
    ("session_sweep", {"now": 1800000000000 + 30 * 86400000}),
    ("session_delete", "idea"),
    ("session_state", "work"),
    ("session_transition", "work", "Complete"),
    ("session_note", "nobody", "x"),
]
FUNCTIONS = [
    "SELECT * FROM session_context('work')",
    "SELECT * FROM turn_path((SELECT thread_id FROM sessions WHERE label = 'work'))",
    "SELECT * FROM stale_sessions(1900000000000)",
    "SELECT * FROM classify('stop, use cron instead', 'Running')",
    "SELECT * FROM turnstile_check",
    "SELECT * FROM policy_replay('{\"langs\":[\"de\"]}')",
    "SELECT session_diagram('work')",
]
VIEWS = ["session_overview", "session_timeline", "session_attention", "queue_list", "commit_log",
         "session_workers", "session_reports", "threads"]
# What these show is read out of JSON.
OF_JSON = ["session_overview", "session_timeline", "session_attention", "session_workers", "session_reports"]


def sugar(db, name, *args):
    values = [json.dumps(a) if isinstance(a, dict) else a for a in args]
    return db.execute(f"SELECT {name}({','.join('?' * len(values))})", values).fetchall()[0][0]


def door(db, name, *args):
    sql = "INSERT INTO turnstile(command, args) VALUES(?, ?) RETURNING turnstile_result()"
    rows = db.execute(sql, (name, json.dumps(list(args)))).fetchall()
    return rows[-1][0]


def attempt(call, *args):
    try:
        return call(*args)
    except sqlite3.Error as error:
        return f"{type(error).__name__}: {error}"


def rows_of(db, sql):
    return sorted(map(repr, db.execute(sql).fetchall()))


def day(call, before=(), prepare=None, after=None):
    """Everything that a day leaves behind, by name."""
    db = connect(":memory:", LIB)
    for sql in before:
        db.execute(sql).fetchall()
    if prepare:
        prepare(db)
    said = {"install": attempt(one, db, f"SELECT turnstile_install('{{\"uuid\":\"{UUID}\"}}')")}
    if after:
        after(db)
    db.execute("SELECT turnstile_clock(1800000000000)").fetchall()
    for i, (name, *args) in enumerate(DAY):
        said[f"{i} {name}"] = attempt(call, db, name, *args)
    said["export"] = attempt(call, db, "session_export", "work")
    said["import"] = attempt(call, db, "session_import", said["export"], {"as": "copy"})
    for sql in FUNCTIONS:
        said[sql] = attempt(rows_of, db, sql)
    for view in VIEWS:
        said[view] = attempt(rows_of, db, f'SELECT * FROM main."{view}"')
    tables = db.execute(
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
        "AND name NOT LIKE 'other%' AND name <> 'turnstile_meta' ORDER BY name"
    ).fetchall()
    for (table,) in tables:
        said[f"table {table}"] = attempt(rows_of, db, f'SELECT * FROM main."{table}"')
    db.close()
    return said


def same(what, got, want, but=()):
    keys = [k for k in want if k not in but]
    bad = [(k, got.get(k), want[k]) for k in keys if got.get(k) != want[k]]
    return suite.check(what, [(k, str(g)[:300], str(w)[:300]) for k, g, w in bad[:3]], [])


PRAGMAS = [
    ["PRAGMA full_column_names = ON", "PRAGMA short_column_names = OFF"],
    ["PRAGMA full_column_names = ON"],
    ["PRAGMA short_column_names = OFF"],
    ["PRAGMA case_sensitive_like = ON"],
    ["PRAGMA reverse_unordered_selects = ON"],
    ["PRAGMA recursive_triggers = ON"],
    ["PRAGMA count_changes = ON"],
    ["PRAGMA legacy_alter_table = ON"],
    ["PRAGMA empty_result_callbacks = ON"],
    ["PRAGMA foreign_keys = ON"],
    ["PRAGMA foreign_keys = ON", "PRAGMA defer_foreign_keys = ON"],
    ["PRAGMA cell_size_check = ON"],
    ["PRAGMA secure_delete = ON"],
    ["PRAGMA trusted_schema = OFF"],
    ["PRAGMA automatic_index = OFF"],
    ["PRAGMA ignore_check_constraints = ON"],
    ["PRAGMA writable_schema = ON"],
    ["PRAGMA read_uncommitted = ON"],
    ["PRAGMA temp_store = MEMORY"],
    ["PRAGMA encoding = 'UTF-16le'"],
    ["PRAGMA auto_vacuum = FULL"],
    ["PRAGMA cache_size = 10", "PRAGMA cache_spill = OFF"],
    ["PRAGMA analysis_limit = 1", "PRAGMA optimize"],
]


def check_pragmas(want):
    plain = {"sugar": day(sugar), "door": day(door)}
    same("both doors", plain["door"], plain["sugar"])
    for sql in PRAGMAS:
        for name, call in (("sugar", sugar), ("door", door)):
            same(f"{'; '.join(sql)}, {name}", day(call, before=sql), want)
    said = day(door, after=lambda db: db.execute("PRAGMA query_only = ON"))
    for i, (name, *args) in enumerate(DAY[:5]):
        suite.holds(f"query_only: {name}", said[f"{i} {name}"], "attempt to write a readonly")
    suite.check("query_only: nothing is written", said["table sessions"], [])


# Names that our statements, views and guards could run into, and what stands under them.
NAMES = ["json_each", "json_tree", "pragma_table_xinfo", "pragma_database_list", "turnstile_cache",
         "turnstile_check", "classify", "session_context", "turn_path", "stale_sessions",
         "policy_replay", "state_diagram"]
HIDING = ("json_each", "json_tree")
SHAPES = {
    "table": "CREATE TABLE {s}.{n}(key, type, value, sql)",
    "view": "CREATE {t} VIEW {s}{n}(key, type, value, sql) AS SELECT 1, 2, 3, 4",
    "virtual table": "CREATE VIRTUAL TABLE {s}.{n} USING rtree(id, x0, x1)",
}


def make(db, shape, schema, name):
    sql = SHAPES[shape]
    if shape == "view":
        return db.execute(
            sql.format(t="TEMP" if schema == "temp" else "", n=name,
                       s="" if schema == "temp" else f"{schema}."))
    return db.execute(sql.format(s=schema, n=name))


def check_names(want):
    for name in NAMES:
        for shape in SHAPES:
            for schema in ("main", "temp", "other"):
                what = f"a {shape} called {schema}.{name}"

                late = name in HIDING and schema != "other"

                def stand(db, schema=schema, name=name, shape=shape, late=late):
                    db.execute("ATTACH ':memory:' AS other")
                    if not late:
                        make(db, shape, schema, name)

                def later(db, schema=schema, name=name, shape=shape, late=late):
                    if late:
                        make(db, shape, schema, name)

                said = day(door, prepare=stand, after=later)
                if late and schema == "temp":
                    check_hidden(what, said, want, name)
                    continue
                # What a query of one's own says unqualified is what is found there.
                but = [k for k in want if f"FROM {name}" in k or k == f"table {name}"]
                if schema == "main" and name == "json_each":
                    but += OF_JSON
                    check_views(what, said, shape)
                    suite.holds(f"{what}: turnstile_check", said["SELECT * FROM turnstile_check"],
                                "json_each", "it stands in the place of")
                    but.append("SELECT * FROM turnstile_check")
                same(what, said, want, but)


def check_views(what, said, shape):
    """They fail, and tell why as far as SQLite lets them; turnstile_check does in any case."""
    for view in OF_JSON:
        name = "no such column" if shape == "virtual table" else "json_each"
        suite.holds(f"{what}: {view}", said[view], "Error", name)


def check_hidden(what, said, want, name):
    """Commands that need it say so, and nothing half done is left."""
    told = [k for k, v in said.items() if f"temp.{name} stands in the place" in str(v)]
    if name == "json_each":
        commands = [f"{i} {command}" for i, (command, *_) in enumerate(DAY)]
        suite.check(f"{what}: every command names it", [k for k in commands if k not in told], [])
        suite.check(f"{what}: nothing is done", said["table sessions"], [])
    else:
        same(what, said, want, told)
        suite.check(f"{what}: it is named", len(told) > 0 or name == "json_tree")


def check_install():
    for shape in SHAPES:
        db = connect(":memory:", LIB)
        make(db, shape, "main", "JSON_Each")
        error = error_of(one, db, "SELECT turnstile_install()")
        suite.holds(f"install beside a {shape} json_each", error, "turnstile_install: ", "json_each",
                    "rename it")
        suite.check("and nothing is made", one(db, "SELECT count(*) FROM sqlite_schema "
                                               "WHERE name LIKE '%session%'"), 0)
        db.close()
    # Named while statements are kept: told once, and gone with the table.
    db = connect(":memory:", LIB)
    one(db, "SELECT turnstile_install()")
    door(db, "session_start", "a", "b")
    db.execute("CREATE TEMP TABLE json_each(x)")
    suite.holds("a table made later", error_of(door, db, "session_note", "a", "x"),
                "session_note: ", "temp.json_each stands in the place")
    suite.check("a function that reads no JSON goes on", isinstance(one(db, "SELECT session_note('a', 'x')"), int))
    rows = "SELECT count(*) FROM observations"
    before = one(db, rows)
    for sql in ("SELECT session_note('a', 'x', '{\"request_id\":\"r\"}')", "SELECT count(*) FROM turnstile_check",
                "SELECT count(*) FROM policy_replay('{}')"):
        suite.holds(sql, error_of(one, db, sql), "temp.json_each stands in the place")
    suite.check("and nothing is done", one(db, rows), before)
    db.execute("DROP TABLE temp.json_each")
    suite.check("and dropped", door(db, "session_note", "a", "x"), 2)
    db.close()


def check_trust():
    """Reading and writing every table and view of a file that is not trusted."""
    db = connect(":memory:", LIB)
    one(db, "SELECT turnstile_install()")
    for name, *args in DAY[:20]:
        attempt(door, db, name, *args)
    names = db.execute("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND "
                       "name NOT LIKE 'sqlite%'").fetchall()
    suite.check("tables and views", len(names) > 30)
    before = {n: db.execute(f'SELECT * FROM "{n}"').fetchall() for n, _ in names}
    db.execute("PRAGMA trusted_schema = OFF")
    for name, type_ in names:
        suite.check(f"untrusted: {name}", db.execute(f'SELECT * FROM "{name}"').fetchall(),
                    before[name])
        if type_ == "view":
            continue
        column = one(db, f"SELECT name FROM pragma_table_xinfo('{name}') WHERE hidden = 0")
        for sql in (f'UPDATE "{name}" SET "{column}" = "{column}"', f'DELETE FROM "{name}"',
                    f'INSERT INTO "{name}" SELECT * FROM "{name}" WHERE 0'):
            db.execute("SAVEPOINT s")
            error = str(error_of(db.execute, sql))
            suite.check(f"untrusted: {sql}: no function is refused", "unsafe use" in error, False)
            db.execute("ROLLBACK TO s")
            db.execute("RELEASE s")
    insert = "INSERT INTO session_policies(name, key_template, \"match\") VALUES('x', 'k', ?)"
    db.execute(insert, ('{"delivery":{"a":[1,"b"]}}',))
    for bad in ("NaN", "[1,]", '{"delivery":{"a":0x10}}', "{delivery:{}}", "x", "[]", '{"a":{}}',
                '{"principal":{"type":"y"}}', b"{}", '{"delivery":{}}\0'):
        suite.holds(f"untrusted: match {bad!r}", error_of(db.execute, insert, (bad,)),
                    "session_policies.match")
    db.close()


def main():
    want = day(sugar)
    bad = [k for k in want if "Error: " in str(want[k])]
    suite.check("what fails in a day", [k.split()[-1] for k in bad],
                ["session_transition", "session_note"])
    check_pragmas(want)
    check_names(want)
    check_install()
    check_trust()
    suite.done()


main()
