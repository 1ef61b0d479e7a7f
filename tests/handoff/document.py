#!/usr/bin/python3
"""document.py BUILDDIR - whether a session's document carries every column of its rows.

The columns are those that the file's own schema has. Each is changed, row by row and value by value, until
a document of the file is another one; a column that no change of shows is in no document, and then
docs/handoff.md has to name it with the reason. So no new column is forgotten.
"""

import json
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, library, one  # noqa: E402
from situations import build  # noqa: E402

suite = Suite("document")
lib = library(sys.argv[1])

# Of what a column that refers to something can be made.
REFERS = {
    "turn": "SELECT id FROM turns",
    "thread": "SELECT id FROM turns",
    "tool_call": "SELECT id FROM tool_calls",
    "task": "SELECT id FROM tasks",
    "continues": "SELECT id FROM tasks",
    "event": "SELECT id FROM session_events",
    "commit": "SELECT id FROM commits",
    "step": "SELECT id FROM steps",
    "parent_id": "SELECT id FROM steps UNION SELECT id FROM commits",
    "object": "SELECT id FROM objects",
    "delivery": "SELECT id FROM deliveries",
}


def left_out():
    """{column or table: why}, as docs/handoff.md tells it."""
    with open(os.path.join(here, "..", "..", "docs", "handoff.md"), encoding="utf-8") as file:
        text = file.read()
    table = text[text.index("### Columns that are in no document") :]
    table = table[: table.index("\n## ")]
    reasons = {}
    for names, why in re.findall(r"^\| (`.*?) \| (.*) \|$", table, re.M):
        for name in re.findall(r"`([^`]+)`", names):
            reasons[name] = why
    return reasons


def documents(db):
    """What all sessions' documents hold."""
    made = []
    for (label,) in db.execute("SELECT label FROM sessions ORDER BY rowid").fetchall():
        try:
            doc = json.loads(one(db, "SELECT session_export(?)", label))
            made.append((doc["content"], doc["hash"]))
        except Exception as error:  # noqa: BLE001 - it has been noticed, too
            made.append(str(error))
    return made


def values(db, name, kind, value):
    for part, sql in REFERS.items():
        if part in name:
            yield from (row[0] for row in db.execute(sql).fetchall())
    if kind in ("INTEGER", "REAL"):
        yield from (v for v in ((value or 0) + 1, 1, 0) if v != value)
    else:
        yield from (f"{value or ''}x", '{"a":1}', "[]", None)


def shows(db, table, name, kind, before):
    """Does a change of the column make another document?"""
    has_rowid = one(db, "SELECT wr FROM pragma_table_list(?)", table) == 0
    key = "rowid" if has_rowid else name
    rows = db.execute(f'SELECT {key}, "{name}" FROM "{table}"').fetchall()
    for row, value in rows:
        for other in values(db, name, kind, value):
            db.execute("SAVEPOINT change")
            try:
                db.execute(f'UPDATE "{table}" SET "{name}" = ? WHERE {key} IS ?', (other, row))
                changed = documents(db) != before
            except Exception:  # noqa: BLE001 - a key, a type: it was no change
                changed = False
            db.execute("ROLLBACK TO change")
            db.execute("RELEASE change")
            if changed:
                return True
    return False


def main():
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    build(db)
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f'DROP TRIGGER "{name}"')
    db.execute("PRAGMA ignore_check_constraints = 1")
    reasons, before = left_out(), documents(db)
    suite.check("documents are there", len(before) > 10 and all(isinstance(d, tuple) for d in before))
    suite.check("every reason says something", [n for n, why in reasons.items() if len(why) < 9], [])
    # What is left out does not show: the changes above would be seen.
    for column in (
        "sessions.deadline",
        "sessions.last_used",
        "sessions.turns",
        "sessions.superseded_by",
        "session_history.tip_id",
        "session_queue.goes_to",
        "session_queue.came_from",
        "session_runs.owner",
        "session_runs.token",
    ):
        table, name = column.split(".")
        kind = one(db, "SELECT type FROM pragma_table_info(?) WHERE name = ?", table, name)
        suite.check(f"{column} shows in no document", shows(db, table, name, kind, before), False)
    known = set()
    tables = db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for (table,) in tables:
        known.add(table)
        for name, kind, hidden in db.execute(
            "SELECT name, type, hidden FROM pragma_table_xinfo(?)", (table,)
        ).fetchall():
            column = f"{table}.{name}"
            known |= {column, name}
            if hidden or table in reasons or column in reasons or name in reasons:
                continue
            suite.check(
                f"{column} is in the document, or docs/handoff.md says why not",
                shows(db, table, name, kind, before),
            )
    suite.check("every reason is of a column that there is", sorted(set(reasons) - known), [])


main()
suite.done()
