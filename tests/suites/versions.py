#!/usr/bin/env python3
"""versions.py - the same log gives the same rows on every version of SQLite.

    tests/suites/versions.py BUILDDIR record FILE     on one version: plays, and writes what came into FILE
    tests/suites/versions.py BUILDDIR compare FILE    on another: plays the same, and compares

What is played: the logs of replay.py, with every result (errors too) and every row; each command of
matrix.py; what views, table-valued functions, pictures and documents make of the rows; the classifier's
numbers; and values that versions of SQLite have read or written in different ways. The database of
one version is opened by the other: it is sound there, holds the same, and goes on.
"""
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import matrix  # noqa: E402
import replay  # noqa: E402
from harness import Suite, library  # noqa: E402

SEED, LENGTH, DELETES = 2, 1500, 600
NOW = 1_000_000_000_000

NUMBERS = [
    "0.1", "0.3", "0.29999999999999999", "1e5", "1E400", "-1e400", "1.0", "-0.0", "1e-7", "5e-324", "0.05",
    "2.2250738585072014e-308", "1.7976931348623157e308", "123456789012345678901", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "1e15", "1e16", "1e17", "123456.789e3", "0.7", "0.85",
    "3.141592653589793", "100", "1e2", "0.1234567890123456789",
]
TEXTS = [
    '"\\u0041"', '"\\ud83d\\ude00"', '"\\ud800"', '"a\\/b"', '"\\t"', '"\\u0000"', '"tab\there"', '"ä\u2028"',
    '{"a":1,"a":2}', '{"":1}', '{"a":{"b":[1,2,{"c":null}]}}', "[]", "{}", " [ 1 , 2 ] ", "true", "null", '""',
    '[' * 900 + ']' * 900, '[' * 1100 + ']' * 1100,
    # What RFC 8259 does not have.
    "NaN", "Infinity", "-Infinity", "0x10", "[1,]", "{a:1}", "{'a':1}", "'a'", "+1", ".5", "5.", "01", "/**/1", "// x\n1",
    "[1 2]", "", " ", "nul", '"\\x41"', '"a\nb"', "\ufeff1", "\u00a01", "\v1", "1e", "-", "[,1]", '{"a":1,}',
]


def probes():
    """Statements with values, each for the same small database."""
    for text in NUMBERS + TEXTS:
        data = '{"x":' + text + "}"
        yield "SELECT session_observe('main', 'Note', ?)", (data,)
        yield "INSERT INTO turnstile VALUES ('session_observe', ?)", ('["main","Note",' + data + "]",)
        yield "SELECT session_note('main', 'x', ?)", ('{"now":' + text + "}",)
        yield "SELECT turnstile_config('ask_threshold', ?)", (text,)
        yield "SELECT turn_append('main', ?)", ('[{"role":"user","content":' + text + "}]",)
        yield "SELECT turn_append('main', ?)", (
            '[{"role":"assistant","tool_calls":[{"id":"n","name":"go","params":' + text + "}]}]",)
        yield "SELECT session_deliver('main', 'x', ?)", ('{"class":"Response","confidence":' + text + "}",)
        yield "SELECT session_deliver('main', 'x', ?)", ('{"envelope":' + text + "}",)
        yield "INSERT INTO session_policies(name, \"match\", key_template) VALUES ('x', ?, 'a:{delivery.channel}')", (text,)
        yield "SELECT turnstile_config('nonsense', ?)", (text,)
        yield "SELECT session_import(?)", (text,)
        yield "INSERT INTO turnstile VALUES ('session_note', ?)", (text,)
    for number in (0.1, 0.3, 1e300, 1e-300, -0.0, 1.0, 2.5, float("inf"), 1e15, 1e16, 0.1 + 0.2):
        yield "SELECT session_note('main', ?)", (number,)
        yield "SELECT turnstile_config('max_attempts', ?)", (number,)
        if number != float("inf"):  # SQLite before 3.42 makes no JSON of it
            yield "SELECT session_sweep(json_object('limit', ?))", (number,)
        yield "SELECT * FROM turn_path(?)", (number,)
        yield "SELECT * FROM session_context('main', ?)", (number,)
        yield "SELECT session_context_tokens('main', ?)", (number,)
        yield "INSERT INTO message_rules(class, pattern, weight) VALUES ('NewTask', 'probe', ?)", (number,)
    for message in replay.MESSAGES:
        for state in replay.STATES[:5]:
            yield "SELECT * FROM classify(?, ?)", (message, state)
            yield "SELECT classify_message(?, ?)", (message, state)


def looks():
    """Statements that read, for a database with much in it."""
    for label in replay.LABELS:
        for form in ("mermaid", "dot", "text"):
            yield "SELECT session_diagram(?, ?)", (label, form)
        for command in ("session_state", "session_export"):
            yield f"SELECT {command}(?)", (label,)
        yield "SELECT * FROM session_context(?, 200)", (label,)
    for form in ("mermaid", "dot", "text"):
        yield "SELECT state_diagram(?)", (form,)
    yield "SELECT turnstile_schema('{\"uuid\":\"u\"}')", ()
    yield "SELECT * FROM stale_sessions", ()
    yield "SELECT * FROM turnstile_check", ()
    yield "SELECT * FROM policy_replay(?)", ('{"langs":["de"]}',)


def ask(con, sql, values):
    try:
        return sorted(map(repr, con.execute(sql, values).fetchall()))
    except sqlite3.Error as e:
        return [f"error: {e}"]


def views(con):
    names = con.execute("SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'turnstile' ORDER BY name")
    return {name: ask(con, f'SELECT * FROM "{name}"', ()) for (name,) in names.fetchall()}


def probed():
    """What each probe returns, and what it has written."""
    con = replay.connect(":memory:")
    replay.by_sugar(con, "session_start", ["main", "probe"], {"now": NOW})
    empty, came = replay.dump(con), {}
    for i, (sql, values) in enumerate(probes()):
        con.execute("SELECT turnstile_clock(?)", (NOW,))  # dump() lets it go
        con.execute("BEGIN")
        result = ask(con, sql, values)
        rows = empty if "".join(result).startswith("error") else replay.dump(con)
        con.execute("ROLLBACK")
        changed = {table: [row for row in rows[table] if row not in set(empty.get(table, []))] for table in rows}
        came[f"{i} {sql} {values}"[:160]] = [result, {table: new for table, new in changed.items() if new}]
    con.close()
    return came


def call(cmd):
    con = matrix.base()
    try:
        came = matrix.sugar(con, cmd.name, matrix.positional(cmd))
    except sqlite3.Error as e:
        came = f"error: {e}"
    rows = {table: sorted(map(repr, con.execute(f'SELECT * FROM "{table}"'))) for table in matrix.dump(con)}
    con.close()
    return {"result": came, "rows": without_key(rows)}


def without_key(rows):
    return {**rows, "turnstile_meta": [row for row in rows["turnstile_meta"] if "door_key" not in row]}


def play(logs):
    """Everything that has to be the same, by name."""
    came = {}
    for name, log in logs.items():
        con = replay.connect(":memory:")
        came[name] = {"results": replay.play(con, log, replay.by_sugar), "rows": replay.dump(con)}
        con.execute("SELECT turnstile_clock(?)", (NOW,))
        came[name]["views"] = views(con)
        came[name]["looks"] = {f"{sql} {values}": ask(con, sql, values) for sql, values in looks()}
        con.close()
    came["probes"] = probed()
    came["commands"] = {f"{i} {cmd}": call(cmd) for i, cmd in enumerate(matrix.COMMANDS)}
    return came


def make_database(path, log):
    con = replay.connect(path)
    replay.play(con, log, replay.by_door)
    con.close()


def opened(path):
    """What another version sees in a database: its rows, its problems, and that it goes on."""
    con = replay.connect(path)
    con.execute("SELECT turnstile_clock(?)", (NOW,))
    seen = {
        "integrity": ask(con, "PRAGMA integrity_check", ()),
        "check": ask(con, "SELECT * FROM turnstile_check", ()),
        "rows": replay.dump(con),
        "views": views(con),
    }
    con.execute("BEGIN")
    seen["goes on"] = ask(con, "SELECT session_deliver('another', 'add retries')", ())
    con.execute("ROLLBACK")
    con.close()
    return seen


def record(path):
    logs = {"the log": replay.make_log(SEED, LENGTH), "with deletes": replay.make_log(SEED, DELETES, replay.WITH_DELETES)}
    make_database(path + ".db", logs["the log"])
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"sqlite": sqlite3.sqlite_version, "logs": logs, "came": play(logs), "opened": opened(path + ".db")}, out)
    print(f"recorded on SQLite {sqlite3.sqlite_version}")


def same(suite, name, got, expected):
    """Goes down to the first value that differs."""
    if isinstance(expected, dict) and isinstance(got, dict) and set(got) == set(expected):
        for key in expected:
            same(suite, f"{name}, {key}", got[key], expected[key])
    elif isinstance(expected, list) and isinstance(got, list) and len(got) == len(expected):
        odd = [i for i, (a, b) in enumerate(zip(got, expected)) if a != b]
        suite.check(f"{name}: {len(odd)} of {len(got)}, first {odd[:1]}", [got[i] for i in odd[:3]], [expected[i] for i in odd[:3]])
    else:
        suite.check(name, got, expected)


def compare(path):
    suite = Suite("versions")
    with open(path, encoding="utf-8") as text:
        recorded = json.load(text)
    logs = {name: [tuple(entry) for entry in log] for name, log in recorded["logs"].items()}
    came = json.loads(json.dumps(play(logs)))
    same(suite, "played", came, recorded["came"])
    same(suite, "the file of the other version", json.loads(json.dumps(opened(path + ".db"))), recorded["opened"])
    suite.done()


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in ("record", "compare"):
        sys.exit("usage: tests/suites/versions.py BUILDDIR record|compare FILE")
    matrix.LIBRARY = replay.LIBRARY = library(sys.argv[1])
    {"record": record, "compare": compare}[sys.argv[2]](sys.argv[3])


if __name__ == "__main__":
    main()
