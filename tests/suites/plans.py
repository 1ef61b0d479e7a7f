#!/usr/bin/env python3
"""plans.py - statistics don't change how anything is looked up.

    tests/suites/plans.py BUILDDIR

What ANALYZE leaves in sqlite_stat1 belongs to the file: it may date from when the file was small, and
in a file from elsewhere it says what somebody liked. SQLite plans by it. So every statement of
sql/statements, every view and every guard is planned without statistics, which is the plan that
tests/suites/costs.py counts the steps of, and then with statistics of several kinds: the plan has to be the
same. And the plan reads no table that grows from one end to the other: what does is listed with its reason.

It speaks to the C library, because Python's module has no way to ask for the plans of triggers.
"""

import ctypes
import glob
import os
import re
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, library, query_of  # noqa: E402

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


def statements(wanted=lambda name: not name.startswith("CHECK_") and not name.endswith("_AT")):
    """name → text, with the names of a file without a prefix. turnstile_check names no index, and an INSERT that is given
    its id goes the way of the one that isn't."""
    with open(os.path.join(sys.argv[1], "gen", "statement_texts.h"), encoding="utf-8") as f:
        texts = re.findall(r'^  /\* SQL_(\w+) \*/ "(.*)",$', f.read(), re.M)
    return {name.lower(): expanded(re.sub(r"\\(.)", r"\1", text)) for name, text in texts if wanted(name)}


def given_ids():
    """An INSERT that is given its id."""
    return statements(lambda name: name.endswith("_AT") and not name.startswith("CHECK_"))


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


# ---- What is read from one end to the other --------------------------------------------------------------

# Statements that read a table from one end to the other, and why that is no more than they are asked for.
WHOLE = {
    "rules_load": "message_rules: all that are enabled are wanted",
    "replay_rules": "message_rules: the same",
    "replay_langs_odd": "message_rules: the languages of all",
    "policies_load": "session_policies: all that are enabled are wanted",
    "replay_deliveries": "deliveries: the newest, up to a LIMIT",
    "stale_all": "sessions: include_fresh asks for every session",
    "stale": "none: o is the list of the sessions that have a threshold of their own",
    "deleted_messages_any": "deleted_messages: the first row, if there is any",
}

# Statements that read all of a partial index, which holds what they are about.
PARTIAL = {
    "left_behind": "tasks_left_behind", "corrections_touch": "deliveries_corrected", "corrections_load": "deliveries_corrected",
    "queue_awaits_all": "session_queue_taken", "queue_orphaned": "session_queue_processing", "runs_all": "session_runs_busy",
}

# Columns of views that say where something stands: nobody looks a row up by them.
UNKEYED = {("queue_list", "turn_id"), ("session_overview", "turn_id"), ("session_timeline", "turn_id")}

# Views are asked for all rows, for those of one session, and by what else they are looked up by.
KEYS = ("session_label", "label", "worker", "parent_session_label", "turn_id")
# What else is asked of views, as the pages recommend it, and the table that may be read, up to its LIMIT.
ASKED = {
    "the newest commits": ("SELECT * FROM commit_log ORDER BY seq DESC LIMIT 10", {"commits"}),
    "the newest sessions": (
        query_of("looking.md", "SELECT label, last_active FROM session_overview", "ORDER BY last_activity DESC LIMIT 20"),
        {"deliveries"}),
    "a timeline in order": ("SELECT * FROM session_timeline WHERE session_label = ?1 ORDER BY at, part, id", set()),
    "messages of the newest turns": (
        query_of("turns.md", "SELECT m.role, m.content", "ORDER BY m.place DESC LIMIT 3"), set()),
}

# Table-valued functions that come sorted, or find what is asked for: no sort, and no scan of a table beside them. What they
# run within stands in sql/statements.
SORTED = [
    "SELECT turn_id FROM turn_path(?1) ORDER BY depth LIMIT 5", "SELECT turn_id FROM turn_path(?1) ORDER BY depth DESC LIMIT 5",
    "SELECT * FROM turn_path(?1) ORDER BY turn_id DESC", "SELECT * FROM turn_path(?1) ORDER BY depth DESC, status",
    "SELECT content FROM session_context(?1) ORDER BY position", "SELECT content FROM session_context(?1) ORDER BY position DESC LIMIT 5",
    "SELECT content FROM session_context(?1, 500) ORDER BY position DESC",
    "SELECT m.content FROM turn_path(?1) AS p JOIN messages AS m ON m.place BETWEEN p.turn_id << 12 AND p.turn_id << 12 | 4095 "
    "ORDER BY p.depth DESC LIMIT 5",
]


def tables_of(con):
    """name, or that of an index → the table of the file that it belongs to, and whether all of its rows are there."""
    found = {}
    for kind, name, table, sql in con.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type IN ('table', 'index')"):
        found[name] = table, kind == "table" or " WHERE " not in (sql or "").replace("\n", " ")
    return found


def scans(con, sql, plan):
    """(table, index or None) of each table of the file that a plan reads from one end to the other. Subqueries and
    functions are none of these. Where the plan has an alias, all tables of that alias are taken for it."""
    known, found = tables_of(con), set()
    inside = [text for (text,) in con.rows("SELECT sql FROM sqlite_schema WHERE type IN ('view', 'trigger')")]
    for line in plan:
        match = re.search(r"\bSCAN (?:\w+\.)?(\w+)(?: USING (?:COVERING )?INDEX (\w+))?", line)
        if not match or " VIRTUAL TABLE " in line:
            continue
        name, index = match.groups()
        if index:
            found.add((known[index][0], index))
        elif name in known:
            found.add((name, None))
        else:
            # Its own text says what the name is; that of a view is asked for names that it brings in.
            own = re.search(r"\bAS\s+" + name + r"\b|\b" + name + r"\b[^,;]*\bAS\s*\(", sql)
            for text in [sql] if own else inside:
                aliased = re.findall(r'(\w+)"?\s+AS\s+"?' + name + r'\b', text)
                found.update((table, None) for table in aliased if table in known)
    return found


def test_scans(suite, con, texts, plans):
    """No statement reads a table that grows, but those that are listed with a reason."""
    known = tables_of(con)
    for name, sql in texts.items():
        found = scans(con, sql, plans[name])
        if name in WHOLE:
            tables = {table for table, _ in found}
            table = WHOLE[name].split(":")[0]
            suite.check(f"{name}: is listed for a reason", tables, {"turnstile_config" if table == "none" else table})
        elif name in PARTIAL:
            suite.check(f"{name}: reads its partial index", {index for _, index in found}, {PARTIAL[name]})
            suite.check(f"{name}: {PARTIAL[name]} is partial", known[PARTIAL[name]][1], False)
        elif name == "view session_attention":
            suite.check(f"{name}: reads what waits", [x for x in found if not x[1] or known[x[1]][1]], [])
        elif not name.startswith("view ") or " by " in name:
            suite.check(f"{name}: reads no table from one end to the other", found, set())
        if name != "replay_langs_odd":  # of the languages that it is given
            suite.check(f"{name}: makes no index for itself", [line for line in plans[name] if "AUTOMATIC" in line], [])
    # What this looks for is found.
    for sql, table in (("SELECT 1 FROM deliveries AS x WHERE x.action = ?1", ("deliveries", None)),
                       ("SELECT 1 FROM (SELECT 1 AS n) AS s CROSS JOIN #turns AS t WHERE t.model = n", ("turns", None)),
                       ("SELECT count(*) FROM #tasks INDEXED BY ##tasks_by_session WHERE id > 0", ("tasks", "tasks_by_session"))):
        sql = expanded(sql)
        suite.check(f"{sql}: is seen", scans(con, sql, con.plan(sql)), {table})
    suite.check("all that is listed is there", sorted((set(WHOLE) | set(PARTIAL)) - set(texts)), [])


def test_looking(suite, con):
    """Views by each of their keys, what the pages recommend, and functions that come sorted."""
    for (view,) in con.rows("SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'turnstile'"):
        for column in {row[1] for row in con.rows(f'PRAGMA table_info("{view}")')}.intersection(KEYS):
            if (view, column) in UNKEYED:
                continue
            sql = f'SELECT * FROM "{view}" WHERE "{column}" = ?1'
            suite.check(f"{view} by {column}", scans(con, sql, con.plan(sql)), set())
    for name, (sql, allowed) in ASKED.items():
        plan = con.plan(sql)
        suite.check(name, {table for table, _ in scans(con, sql, plan)}, allowed)
        suite.check(f"{name}: makes no index for itself", [line for line in plan if "AUTOMATIC" in line], [])
    for sql in SORTED:
        plan = con.plan(sql)
        suite.check(f"{sql}: is not sorted", [line for line in plan if "TEMP B-TREE" in line], [])
        suite.check(f"{sql}: no table beside it", scans(con, sql, plan), set())


def main():
    suite = Suite("plans")
    lib = library(sys.argv[1])
    con = installed(lib)
    texts = planned(con)
    plain = {name: con.plan(sql) for name, sql in texts.items()}
    for where, index in (("", "sessions_workers"), ("WHERE worker = ?1", "(label=?)"),
                         ("WHERE parent_session_label = ?1", "sessions_by_parent ")):
        suite.holds(f"session_workers {where}", " ".join(con.plan(f"SELECT * FROM session_workers {where}")), index)
    test_looking(suite, con)
    test_scans(suite, con, {**texts, **given_ids()}, {**plain, **{name: con.plan(sql) for name, sql in given_ids().items()}})
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
