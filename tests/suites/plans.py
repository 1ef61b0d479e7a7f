#!/usr/bin/env python3
"""plans.py - statistics don't change how anything is looked up.

    tests/suites/plans.py BUILDDIR

What ANALYZE leaves in sqlite_stat1 belongs to the file: it may date from when the file was small, and
in a file from elsewhere it says what somebody liked. SQLite plans by it. So every statement of
sql/statements, every view and every guard is planned without statistics, which is the plan that
tests/suites/costs.py counts the steps of, and then with statistics of several kinds: the plan has to be the
same.

It speaks to the C library, because Python's module has no way to ask for the plans of triggers.
"""

import ctypes
import glob
import os
import re
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, library  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TRIGGER_EQP = 1008

C = ctypes.CDLL("libsqlite3.dylib" if sys.platform == "darwin" else "libsqlite3.so.0")
TEXT, HANDLE, INT = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int
OUT = ctypes.POINTER(HANDLE)
for name, result, args in (
    ("open", INT, [TEXT, OUT]),
    ("close", INT, [HANDLE]),
    ("errmsg", TEXT, [HANDLE]),
    ("enable_load_extension", INT, [HANDLE, INT]),
    ("load_extension", INT, [HANDLE, TEXT, TEXT, HANDLE]),
    ("prepare_v2", INT, [HANDLE, TEXT, INT, OUT, HANDLE]),
    ("step", INT, [HANDLE]),
    ("finalize", INT, [HANDLE]),
    ("column_count", INT, [HANDLE]),
    ("column_text", TEXT, [HANDLE, INT]),
    ("bind_text", INT, [HANDLE, INT, TEXT, INT, HANDLE]),
):
    function = getattr(C, f"sqlite3_{name}")
    function.restype, function.argtypes = result, args


class Connection:
    def __init__(self, lib):
        handle = HANDLE()
        if C.sqlite3_open(b":memory:", ctypes.byref(handle)):
            sys.exit("SQLite doesn't open")
        self.db = handle
        C.sqlite3_enable_load_extension(handle, 1)
        if C.sqlite3_load_extension(handle, lib.encode(), b"sqlite3_turnstile_init", None):
            sys.exit(self.error())
        C.sqlite3_db_config(handle, INT(TRIGGER_EQP), INT(1), None)

    def error(self):
        return C.sqlite3_errmsg(self.db).decode()

    def rows(self, sql, *args):
        """The rows, as texts. An error is raised as ValueError."""
        stmt = HANDLE()
        if C.sqlite3_prepare_v2(self.db, sql.encode(), -1, ctypes.byref(stmt), None):
            raise ValueError(f"{self.error()}: {sql}")
        for i, arg in enumerate(args):
            C.sqlite3_bind_text(stmt, i + 1, str(arg).encode(), -1, HANDLE(-1))
        out = []
        rc = C.sqlite3_step(stmt)
        while rc == 100:
            texts = [C.sqlite3_column_text(stmt, i) for i in range(C.sqlite3_column_count(stmt))]
            out.append([text.decode() if text is not None else None for text in texts])
            rc = C.sqlite3_step(stmt)
        message = self.error()
        C.sqlite3_finalize(stmt)
        if rc != 101:
            raise ValueError(f"{message}: {sql}")
        return out

    def plan(self, sql):
        """The lines of a plan, each after the line that it belongs to."""
        depth, lines = {"0": 0}, []
        for node, parent, _, detail in self.rows("EXPLAIN QUERY PLAN " + sql):
            depth[node] = depth.get(parent, 0) + 1
            # What comes sorted by its first terms is sorted by the others part by part.
            lines.append("  " * depth[node] + detail.replace("RIGHT PART OF ", ""))
        return lines

    def close(self):
        C.sqlite3_close(self.db)


# Views that name no index, so that they are read in the order of their ids, with a LIMIT: the newest commits
# of a file. Those of one session are looked for as statistics say.
BY_ORDER = {"commit_log"}

# Read by the index of workers, as long as no statistics say that nearly all sessions are; then the table is no
# dearer. One that named the index could not be asked for one worker, or for those of one session.
BY_COUNT = {"session_workers"}

# turnstile_check looks at files that lack an index, so its statements (check_…) name none.

# ---- What is planned ---------------------------------------------------------------------------------


def statements():
    """name → text, with the names of a file without a prefix. turnstile_check names no index, and an INSERT that is given
    its id goes the way of the one that isn't."""
    with open(os.path.join(sys.argv[1], "gen", "statement_texts.h"), encoding="utf-8") as f:
        texts = re.findall(r'^  /\* SQL_(\w+) \*/ "(.*)",$', f.read(), re.M)
    out = {}
    for name, text in texts:
        if not name.startswith("CHECK_") and not name.endswith("_AT"):
            out[name.lower()] = expanded(re.sub(r"\\(.)", r"\1", text))
    return out


def expanded(text):
    """Markers as ts_sql_expand reads them; literals stay."""

    def word(match):
        if not match[2]:
            return match[0]
        marks, name = match[1], match[2]
        if name.startswith("'"):
            return "''" if "prefix" in name else "0"
        return {"#": f'"main"."{name}"', "##": f'"{name}"', "###": f'"sqlite_autoindex_{name}_1"'}[marks]

    return re.sub(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|(#{1,3})('[a-z]+'|[a-z_0-9]+)", word, text)


def planned(con):
    """name → SQL: statements, views, and for each table what sets its triggers off."""
    out = dict(statements())
    for (view,) in con.rows("SELECT name FROM sqlite_schema WHERE type = 'view'"):
        if view != "turnstile" and view not in BY_COUNT:
            out[f"view {view}"] = f'SELECT * FROM "{view}"'
            columns = [row[1] for row in con.rows(f'PRAGMA table_info("{view}")')]
            for column in {"session_label", "label"}.intersection(columns) if view not in BY_ORDER else ():
                out[f"view {view} by {column}"] = f'SELECT * FROM "{view}" WHERE {column} = ?1'
    for (table,) in con.rows("SELECT DISTINCT tbl_name FROM sqlite_schema AS s WHERE type = 'trigger' AND EXISTS "
                             "(SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = s.tbl_name)"):
        columns = con.rows(f'PRAGMA table_info("{table}")')
        key = " AND ".join(f'"{row[1]}" = ?1' for row in columns if row[5] != "0")
        out[f"guards of {table}, insert"] = f'INSERT INTO "{table}" DEFAULT VALUES'
        out[f"guards of {table}, update"] = (
            f'UPDATE "{table}" SET ' + ", ".join(f'"{row[1]}" = "{row[1]}"' for row in columns) + f" WHERE {key}")
        out[f"guards of {table}, delete"] = f'DELETE FROM "{table}" WHERE {key}'
    return out


# ---- Statistics --------------------------------------------------------------------------------------


def said(con, row):
    """Statistics that say the same of every index: row(number of its columns)."""
    con.rows("ANALYZE")
    con.rows("DELETE FROM sqlite_stat1")
    tables = con.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (table,) in tables:
        indexes = con.rows(f'PRAGMA index_list("{table}")')
        for index in indexes:
            columns = len(con.rows(f'PRAGMA index_info("{index[1]}")'))
            name = table if index[3] == "pk" and without_rowid(con, table) else index[1]
            con.rows("INSERT INTO sqlite_stat1 VALUES (?1, ?2, ?3)", table, name, row(columns, index[1]))
        if not indexes:
            con.rows("INSERT INTO sqlite_stat1 VALUES (?1, NULL, ?2)", table, row(0, table))
    con.rows("ANALYZE sqlite_schema")


def without_rowid(con, table):
    return con.rows("SELECT 1 FROM sqlite_schema WHERE name = ?1 AND sql LIKE '%WITHOUT ROWID%'", table) != []


def worthless(con):
    said(con, lambda n, _: " ".join(["1000000"] * (n + 1)))


def enormous(con):
    """More than SQLite takes for granted of a table whose indexes are all partial."""
    said(con, lambda n, _: " ".join(["10000000"] * (n + 1)))


def tiny(con):
    said(con, lambda n, _: " ".join(["1"] * (n + 1)))


def sharp(con):
    said(con, lambda n, _: " ".join(["1000000"] + ["1"] * n))


def mixed(seed):
    """Each index worthless, sharp, tiny or in between, by its name."""

    def fill(con):
        def row(n, name):
            rows, each = [(1000000, 1000000), (1000000, 1), (1, 1), (20, 2)][zlib.crc32(name.encode(), seed) % 4]
            return " ".join([str(rows)] + [str(each)] * n)

        said(con, row)

    return fill


def analyzed(con):
    con.rows("SELECT session_start('a', 'x')")
    con.rows("SELECT queue_push('a', 'x')")
    con.rows("ANALYZE")


STATISTICS = {"worthless": worthless, "of many rows": enormous, "tiny": tiny, "sharp": sharp, "of a small file": analyzed,
              **{f"mixed {seed}": mixed(seed) for seed in range(60)}}


def installed(lib):
    con = Connection(lib)
    con.rows("SELECT turnstile_install()")
    return con


def main():
    suite = Suite("plans")
    lib = library(sys.argv[1])
    con = installed(lib)
    texts = planned(con)
    plain = {name: con.plan(sql) for name, sql in texts.items()}
    for where, index in (("", "sessions_workers"), ("WHERE worker = ?1", "(label=?)"),
                         ("WHERE parent_session_label = ?1", "sessions_by_parent ")):
        suite.holds(f"session_workers {where}", " ".join(con.plan(f"SELECT * FROM session_workers {where}")), index)
    con.close()
    # What this looks at is there: the plans of triggers too, and statistics change plans.
    suite.holds("plans of guards", plain["guards of tasks, insert"], "tasks_one_open")
    suite.check("statements with a plan", sum(map(bool, plain.values())) > 250)
    for kind, fill in STATISTICS.items():
        con = installed(lib)
        fill(con)
        if kind == "worthless":
            suite.holds("statistics are read", con.plan("SELECT at FROM session_events WHERE session_label = ?1"), "SCAN")
        for name, sql in texts.items():
            suite.check(f"{name}, statistics {kind}", "\n".join(con.plan(sql)), "\n".join(plain[name]))
        con.close()
    suite.done()


main()
