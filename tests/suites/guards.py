"""The guards: guards.py BUILDDIR [TABLE]

Every table of the schema, every key of it (primary key, unique index, rowid under each of its names),
every conflict clause and every form of statement: no row that is kept disappears or changes its keys,
and none that is fixed changes at all; with recursive_triggers on and off, with and without the
extension. The tables and keys come from the schema: a new one is not forgotten. The attacks are worth
something: without triggers they succeed on each key, and without any one of the guards some succeed.
"""

import itertools
import os
import re
import sqlite3
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, library, one  # noqa: E402
from situations import build, call, said  # noqa: E402

suite = Suite("guards")
lib = library(sys.argv[1])
only = sys.argv[2] if len(sys.argv) > 2 else None

# What a table's guards promise. KEPT: rows stay, with their keys. FIXED: they stay as they are. TAKEN: no
# other statement than a DELETE of that row takes it away. OPEN: plain SQL may do anything.
KEPT, FIXED, TAKEN, OPEN = "kept", "fixed", "taken", "open"
RULES = {
    "sessions": KEPT,
    "tasks": KEPT,
    "turns": KEPT,
    "messages": KEPT,
    "tool_calls": KEPT,
    "session_runs": KEPT,
    "session_queue": KEPT,
    "steps": FIXED,
    "commits": FIXED,
    "branches": FIXED,
    "compactions": FIXED,
    "deliveries": FIXED,
    "session_events": FIXED,
    "session_history": FIXED,
    "objects": FIXED,
    "turnstile_requests": TAKEN,
    "session_aliases": TAKEN,
    "identities": TAKEN,
    # A host's own rows, and what the library makes anew.
    "observations": OPEN,
    "edges": OPEN,
    "message_rules": OPEN,
    "session_policies": OPEN,
    "turnstile_config": OPEN,
    "turnstile_meta": OPEN,
    "state_transitions": OPEN,
    "alias_homes": OPEN,
    "deleted_messages": OPEN,
    "identity_keys": OPEN,
}
CLAUSES = ("", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ABORT", "OR ROLLBACK")
ROWIDS = ("rowid", "_rowid_", "oid", "ROWID")

# What a new row has to be for the guards that ask for more than its place.
NEW = {
    "sessions": {"status": "active", "thread_id": None, "superseded_by": None},
    "tasks": {"state": "Running", "ended_at": None},
    "session_runs": {"run_state": "idle", "turn_id": None},
    "turns": {"status": "running", "phase": "processing", "on_path": 0},
    "session_aliases": {"session_label": "s", "reason": "manual"},
}
# By what a row of a table whose rows may change is known, when another came under its key.
BORN = {
    "sessions": "created_at",
    "tasks": "started_at",
    "turns": "started_at",
    "messages": "created_at",
    "tool_calls": "started_at",
    "session_runs": "acquired_at",
    "session_queue": "enqueued_at",
}
fresh = itertools.count(1)


class Table:
    def __init__(self, db, name):
        self.name = name
        self.rule = RULES[name]
        info = [r for r in db.execute(f'PRAGMA table_xinfo("{name}")') if r[6] == 0]
        self.columns = [r[1] for r in info]
        self.types = {r[1]: r[2] for r in info}
        self.primary = [r[1] for r in sorted(info, key=lambda r: r[5]) if r[5]]
        text = one(db, "SELECT sql FROM sqlite_schema WHERE name = ?", name)
        self.has_rowid = "WITHOUT ROWID" not in text
        self.alias = (
            self.primary[0]
            if self.has_rowid
            and len(self.primary) == 1
            and self.types[self.primary[0]] == "INTEGER"
            else None
        )
        # A key: its columns, and of which rows it is one.
        self.keys = [(tuple(self.primary), "1")]
        for _, index, unique, origin, partial in db.execute(f'PRAGMA index_list("{name}")'):
            if unique and origin != "pk":
                columns = tuple(r[2] for r in db.execute(f'PRAGMA index_info("{index}")'))
                sql = one(db, "SELECT sql FROM sqlite_schema WHERE name = ?", index)
                where = re.split(r"\bWHERE\b", sql)[1] if partial else "1"
                self.keys.append((columns, where))
        if self.has_rowid:
            self.keys += [((rowid,), "1") for rowid in ROWIDS]
        self.unique = {c for key, _ in self.keys for c in key if c in self.columns}

    def rows(self, db, where="1"):
        columns = ", ".join(f'"{c}"' for c in self.columns)
        columns = f"rowid, {columns}" if self.has_rowid else columns
        return db.execute(f'SELECT {columns} FROM "{self.name}" WHERE {where}').fetchall()

    def dict(self, row):
        return dict(zip((["rowid"] if self.has_rowid else []) + self.columns, row))

    def lost(self, before, after, sql):
        """Rows that are not there any more as the rule wants them."""
        if self.rule in (FIXED, TAKEN):
            gone = set(before) - set(after)
        else:
            known = {"rowid", *self.primary}
            if not re.match("UPDATE|.*DO UPDATE", sql):
                known.add(BORN[self.name])
            names = (["rowid"] if self.has_rowid else []) + self.columns
            places = [i for i, c in enumerate(names) if c in known]
            gone = {tuple(r[i] for i in places) for r in before}
            gone -= {tuple(r[i] for i in places) for r in after}
        return sorted(gone, key=repr)[:2]


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def new_row(table, victim, key, like):
    """A row like another, which has only this key of the victim's."""
    row = {c: like[c] for c in table.columns}
    row.update(NEW.get(table.name, {}))
    n = next(fresh)
    for column in table.unique:
        row[column] = f"fresh {n}" if table.types[column] == "TEXT" else 10**9 + n
    if table.name in BORN:
        row[BORN[table.name]] = 10**9 + n
    if table.alias:
        del row[table.alias]
    for column in key:
        if column in ROWIDS and table.alias:
            row[column] = victim["rowid"]
        else:
            row[column] = victim["rowid"] if column in ROWIDS else victim[column]
    return row


def attacks(table, victim, key, other):
    """Statements that would take the victim's place."""
    row = new_row(table, victim, key, other)
    names = ", ".join(f'"{c}"' if c not in ROWIDS else c for c in row)
    values = ", ".join(literal(v) for v in row.values())
    into = f'INTO "{table.name}"({names})'
    for clause in CLAUSES:
        yield f"INSERT {clause} {into} VALUES ({values})"
        yield f"INSERT {clause} {into} SELECT {values}"
    yield f"REPLACE {into} VALUES ({values}) RETURNING 1"
    yield f"WITH n AS (SELECT 1) REPLACE {into} SELECT {values} FROM n"
    yield f"INSERT {into} VALUES ({values}) ON CONFLICT DO NOTHING"
    for column in table.columns:
        n = next(fresh)
        value = literal(f"fresh {n}" if table.types[column] == "TEXT" else 10**9 + n)
        yield f'INSERT {into} VALUES ({values}) ON CONFLICT DO UPDATE SET "{column}" = {value}'
        yield (
            f'INSERT OR REPLACE {into} VALUES ({values}) ON CONFLICT DO UPDATE SET "{column}" = '
            f'excluded."{column}"'
        )
    for rowid in ROWIDS if table.has_rowid else ():
        yield (
            f"INSERT OR REPLACE {into} VALUES ({values}) ON CONFLICT DO UPDATE SET "
            f"{rowid} = {other['rowid']}"
        )
    # The other row comes to where the victim is.
    at = f"rowid = {other['rowid']}" if table.has_rowid else None
    if not at:
        at = " AND ".join(f'"{c}" = {literal(other[c])}' for c in table.primary)
    place = {c: victim["rowid"] if c in ROWIDS else victim[c] for c in key}
    sets = ", ".join(f"{c} = {literal(v)}" for c, v in place.items())
    for clause in CLAUSES:
        yield f'UPDATE {clause} "{table.name}" SET {sets} WHERE {at}'
    yield f'UPDATE OR REPLACE "{table.name}" SET {sets} FROM (SELECT 1 AS one) WHERE {at}'
    left, right = ", ".join(place), ", ".join(literal(v) for v in place.values())
    yield f'UPDATE OR REPLACE "{table.name}" SET ({left}) = (SELECT {right}) WHERE {at} RETURNING 1'
    # The victim moves away. (A name may: it is given up, and no other with it.)
    n = next(fresh)
    away = ", ".join(
        f"{c} = {literal(f'fresh {n}' if table.types.get(c) == 'TEXT' else 10**9 + n)}" for c in key
    )
    there = f"rowid = {victim['rowid']}" if table.has_rowid else None
    if not there:
        there = " AND ".join(f'"{c}" = {literal(victim[c])}' for c in table.primary)
    if key != ("alias",):
        for clause in CLAUSES:
            yield f'UPDATE {clause} "{table.name}" SET {away} WHERE {there}'
    if table.rule in (KEPT, FIXED):
        yield f'DELETE FROM "{table.name}" WHERE {there}'
        yield f'DELETE FROM "{table.name}"'
    if table.rule in (FIXED, TAKEN) and table.name not in ("session_aliases", "identities"):
        for column in table.columns:
            n = next(fresh)
            value = literal(f"fresh {n}" if table.types[column] == "TEXT" else 10**9 + n)
            yield f'UPDATE "{table.name}" SET "{column}" = {value} WHERE {there}'


def pairs(db, table, where):
    """Victims with one other row each: the first, the last, one in between."""
    rows = [table.dict(r) for r in table.rows(db, where)]
    rest = [table.dict(r) for r in table.rows(db)]
    for i in sorted({0, len(rows) // 2, len(rows) - 1} if rows else ()):
        others = [r for r in rest if r != rows[i]]
        if others:
            yield rows[i], others[len(others) // 3]


def attack(db, table, keep_going=True):
    """Runs every attack on a table. Yields (key, statement, lost rows) of those that succeed."""
    before = table.rows(db)
    for key, where in table.keys:
        for victim, other in list(pairs(db, table, where)):
            for sql in attacks(table, victim, key, other):
                db.execute("BEGIN")
                try:
                    db.execute(sql).fetchall()
                except sqlite3.Error:
                    pass
                counted[0] += 1
                if db.in_transaction:  # else OR ROLLBACK has taken it back
                    lost = table.lost(before, table.rows(db), sql)
                    db.execute("ROLLBACK")
                    if lost:
                        yield key, sql, lost
                        if not keep_going:
                            return


def copy_of(base, with_extension):
    db = connect(":memory:", lib if with_extension else None)
    base.backup(db)
    return db


def drop(db, names):
    for name in names:
        db.execute(f'DROP TRIGGER "{name}"')


def tables_of(db):
    names = db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    suite.check("every table has a rule", {n for (n,) in names} ^ set(RULES), set())
    found = [Table(db, n) for (n,) in names if RULES[n] != OPEN and (not only or n == only)]
    return found


def triggers_of(db, table):
    sql = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?"
    return [name for (name,) in db.execute(sql, (table.name,))]


counted = [0]
base = connect(":memory:", lib)
one(base, "SELECT turnstile_install()")
build(base)
call(base, "identity_link", "sms", "ann", "rosa")
call(base, "session_alias", "paper", "f")
call(base, "session_note", "s", "again", {"request_id": "r2"})
call(base, "session_observe", "s", "FileRead", {"path": "b"}, "other content")
call(base, "turn_append", "f", said("once more"), {"external_id": "x1"})
call(base, "turn_append", "f", said("twice more"), {"external_id": "x2"})
call(base, "turn_append", "f", [{"role": "assistant", "content": "", "tool_calls": [
    {"id": "k9", "name": "ls", "result": "a"}]}])
call(base, "turn_compact", "f", "They talked again.", {"keep_turns": 1})
suite.sound("the file", base)
tables = tables_of(base)

for with_extension, recursive in ((1, 0), (1, 1), (0, 0), (0, 1)):
    db = copy_of(base, with_extension)
    db.execute(f"PRAGMA recursive_triggers = {recursive}")
    for table in tables:
        suite.check(f"{table.name} has rows", len(table.rows(db)) > 1)
        what = f"{table.name}, extension {with_extension}, recursive_triggers {recursive}"
        suite.check(what, list(attack(db, table))[:3], [])

# Without the guards every key is lost.
db = copy_of(base, 1)
for table in tables:
    drop(db, triggers_of(db, table))
    keys = {key for key, _, _ in attack(db, table)}
    suite.check(f"{table.name}: each key can be attacked", {k for k, _ in table.keys} - keys, set())

# Of the guards none is for nothing, as far as it is one of those that keep a row.
guards = re.compile(r"_(first|place|place_first|keep|fixed|label)$")
for table in tables:
    for name in triggers_of(base, table):
        if not guards.search(name) or name in ("session_queue_label", "identities_first",
                                               "session_aliases_first", "session_aliases_name_first"):
            continue
        db = copy_of(base, 1)
        drop(db, [name])
        suite.check(f"without {name}", bool(list(attack(db, table, keep_going=False))))
        db.close()

suite.check("attacks enough", only or counted[0] > 20000)
suite.done()
