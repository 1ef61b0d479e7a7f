#!/usr/bin/python3
"""transcript.py BUILDDIR [sizes] - the importer of transcripts, sql/scripts/import_transcript.sql. With `sizes`: only
what has to do with very large entries, which takes a minute.

Small transcripts are built entry by entry and imported; what is expected is written beside them.
For whole transcripts the rule is: however a transcript arrives, at once, line by line, or in a file
that shares its beginning with another, the same messages and calls are there in the end, each once.
"""
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
from harness import Suite  # noqa: E402

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build"))
LIBRARY = os.path.join(BUILD, "turnstile")
TRANSCRIPT = os.path.join(ROOT, "examples", "transcript.jsonl")

suite = Suite("import")
check = suite.check


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", newline="") as file:
        return file.read()


SCRIPT = read("sql/scripts/import_transcript.sql")


def connect(path=":memory:"):
    db = sqlite3.connect(path, isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(LIBRARY)
    db.execute("SELECT turnstile_install()")
    db.execute("CREATE TEMP TABLE import_source(label TEXT, transcript TEXT)")
    return db


# ---- Building transcripts -----------------------------------------------------------------------

START = 1772442251000  # 2026-03-02 09:04:11 UTC


class Log:
    """A transcript under construction. An entry hangs from the one before it unless told otherwise;
    the first letters of its uuid say what it is."""

    def __init__(self, lines=(), last=None, session="s-1"):
        self.lines, self.last, self.session = list(lines), last, session

    def copy(self, session):
        """The same beginning, under another sessionId."""
        lines = [line.replace(f'"{self.session}"', f'"{session}"') for line in self.lines]
        return Log(lines, self.last, session)

    def add(self, kind, uuid, message, parent="", **more):
        entry = {
            "parentUuid": self.last if parent == "" else parent,
            "isSidechain": False,
            "sessionId": self.session,
            "type": kind,
            "message": message,
            "uuid": uuid,
            "timestamp": stamp(len(self.lines)),
            **more,
        }
        self.lines.append(json.dumps({k: v for k, v in entry.items() if v is not ...}))
        if not entry["isSidechain"]:
            self.last = uuid
        return self

    def user(self, uuid, content, parent="", **more):
        return self.add("user", uuid, {"role": "user", "content": content}, parent, **more)

    def agent(self, uuid, content, parent="", usage=None, message_id=None, model="m-1", **more):
        if isinstance(content, str):
            content = [text(content)]
        message = {
            "role": "assistant",
            "content": content,
            "model": model,
            "stop_reason": "end_turn",
        }
        message["id"] = message_id or f"msg-{uuid}"
        if usage:
            names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
            message["usage"] = dict(zip((*names, "cache_creation_input_tokens"), usage))
        return self.add("assistant", uuid, message, parent, **more)

    def results(self, uuid, *blocks, parent="", **more):
        return self.user(uuid, list(blocks), parent, **more)

    def raw(self, line):
        self.lines.append(line)
        return self

    def __str__(self):
        return "".join(line + "\n" for line in self.lines)


def stamp(n):
    at = START + n * 1000
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at // 1000)) + f".{at % 1000:03}Z"


def text(words):
    return {"type": "text", "text": words}


def call(name, tool="Bash", **params):
    return {"type": "tool_use", "id": name, "name": tool, "input": params}


def result(name, content="ok", **more):
    return {"type": "tool_result", "tool_use_id": name, "content": content, **more}


# ---- Importing and looking ----------------------------------------------------------------------


def load(db, *sources):
    """Imports (label, transcript) pairs in one go. Returns the report, a dict per pair."""
    db.execute("DELETE FROM import_source")
    db.executemany(
        "INSERT INTO import_source VALUES (?, ?)",
        [
            (label, log if log is None or isinstance(log, bytes) else str(log))
            for label, log in sources
        ],
    )
    db.executescript(SCRIPT)
    cursor = db.execute("SELECT * FROM import_report")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor]


def rows(db, sql, *args):
    return db.execute(sql, args).fetchall()


def column(db, sql, *args):
    return [row[0] for row in db.execute(sql, args)]


def path(db, label):
    return column(db, "SELECT external_id FROM turn_path(?) ORDER BY depth", label)


def tree(db):
    """{external id: that of the parent} of all turns."""
    sql = (
        "SELECT t.external_id, p.external_id FROM turns AS t "
        "LEFT JOIN turns AS p ON p.id = t.parent_turn_id ORDER BY t.id"
    )
    return dict(rows(db, sql))


def said(db, external_id):
    """The messages and calls of a turn, in order."""
    sql = (
        "SELECT place, role, content FROM messages WHERE turn_id = ?1 UNION ALL "
        "SELECT place, tool_name, status || ' ' || coalesce(result, error, '') FROM tool_calls "
        "WHERE turn_id = ?1 ORDER BY place"
    )
    turn = column(db, "SELECT id FROM turns WHERE external_id = ?", external_id)[0]
    return [row[1:] for row in rows(db, sql, turn)]


def turn(db, external_id, columns):
    return rows(db, f"SELECT {columns} FROM turns WHERE external_id = ?", external_id)[0]


def everything(db):
    """All that was said and done, wherever it was put: what must not depend on how it arrived."""
    sql = (
        "SELECT 'message', role, coalesce(source, ''), content, created_at, metadata ->> '$.uuid' "
        "FROM messages WHERE tool_call_id IS NULL UNION ALL "
        "SELECT 'call', id, tool_name, params, started_at, spawned_session_label FROM tool_calls "
        "UNION ALL "
        "SELECT 'result', id, status = 'failed', coalesce(result, error), completed_at, '' "
        "FROM tool_calls WHERE status <> 'pending' UNION ALL "
        "SELECT 'result', tool_call_id, coalesce(metadata ->> '$.is_error', 0), content,"
        " created_at, '' FROM messages WHERE tool_call_id IS NOT NULL ORDER BY 1, 2, 3, 4, 5, 6"
    )
    return rows(db, sql)


TABLES = "sessions turns branches messages tool_calls session_history session_events".split()


def dump(db):
    return {name: rows(db, f"SELECT * FROM {name} ORDER BY rowid") for name in TABLES}


def usage(db, label):
    report = json.loads(column(db, "SELECT session_usage(?)", label)[0])
    return report["turns"], report["input_tokens"], report["output_tokens"]


def sound(db, what):
    """Every turn is readable, its depth and its parent fit, and nothing temporary is left."""
    check(f"{what}: integrity", column(db, "PRAGMA integrity_check"), ["ok"])
    bad = "SELECT count(*) FROM turns WHERE (id & 16777215) <> 0 AND parent_turn_id IS NULL"
    check(f"{what}: depths", column(db, bad), [0])
    left = column(db, "SELECT name FROM temp.sqlite_schema WHERE type = 'table' ORDER BY name")
    check(f"{what}: TEMP tables", left, ["import_report", "import_source"])
    check(f"{what}: no transaction is open", db.in_transaction, False)


# ---- The shipped recording ----------------------------------------------------------------------

# How the prompt begins; tool calls, of which failed; tokens in, out, cached, written to the cache.
RECORDING = [
    ("the upload client dies", 1, 0, (2400, 360, 7200, 400)),
    ("C, and let the number", 2, 0, (2100, 640, 6300, 200)),
    ("oh and 429 should count", 3, 1, (8600, 860, 25800, 600)),
    ("perfect, but the log", 2, 0, (6700, 350, 20100, 400)),
    ("nope, works on staging", 0, 0, (3450, 12, 10350, 200)),
    ("different thing: why", 1, 0, (3200, 200, 9600, 400)),
    ("make it follow local", 1, 1, (1900, 140, 5700, 200)),
    ("stop, not systemd.", 1, 0, (4100, 250, 12300, 400)),
    ("yes both. sorry", 2, 0, (6900, 340, 20700, 600)),
    ("ok", 0, 0, (None, None, None, None)),
    ("now write a load", 0, 0, (900, 80, 2700, 200)),
    ("what would the C one", 0, 0, (1000, 90, 3000, 200)),
    ("C then", 2, 0, (1300, 900, 3900, 200)),
    ("forget it, found", 0, 0, (1400, 30, 4200, 200)),
]


def check_recording():
    db = connect()
    log = read("examples/transcript.jsonl")
    report = load(db, ("main", log))[0]
    want = {"label": "main", "entries": 51, "turns_made": 14, "turns_there": 0, "tool_calls": 15}
    want |= {"sidechains": 0, "skipped": 0, "broken": 0, "first_broken_line": None}
    head = report.pop("head")
    check("recording: report", report, want)
    check("recording: head", column(db, "SELECT thread_id FROM sessions"), [head])
    turns = rows(
        db,
        "SELECT turn_id, external_id, input_tokens, output_tokens, cached_input_tokens,"
        " cache_write_tokens FROM turn_path('main') ORDER BY depth",
    )
    check("recording: turns", len(turns), len(RECORDING))
    for (begins, calls, bad, used), row in zip(RECORDING, turns):
        prompt, of_prompt, role = rows(
            db,
            "SELECT content, metadata ->> '$.uuid', role FROM messages WHERE place = ? << 12",
            row[0],
        )[0]
        check(f"recording: {begins}: prompt", (prompt[: len(begins)], role), (begins, "user"))
        check(f"recording: {begins}: external_id", row[1], of_prompt)
        done = rows(
            db, "SELECT count(*), sum(status = 'failed') FROM tool_calls WHERE turn_id = ?", row[0]
        )[0]
        check(f"recording: {begins}: tool calls", (done[0], done[1] or 0), (calls, bad))
        check(f"recording: {begins}: usage", row[2:], used)
    facts = "status, on_path, source, model, started_at, completed_at, turn_type"
    third = turn(db, turns[2][1], facts)
    want = ("completed", 1, "user", "model-large-1", 1772442610000, 1772442659000, "normal")
    check("recording: a turn's facts", third, want)
    check(
        "recording: a call's times",
        rows(
            db,
            "SELECT started_at, completed_at, error FROM tool_calls WHERE id = ?",
            "toolu_b026c48bbf33feff9243",
        )[0][:2],
        (1772442615000, 1772442629000),
    )
    check(
        "recording: a failed call",
        rows(
            db,
            "SELECT status, error LIKE 'retry.c:41:9: error%', result FROM tool_calls WHERE id = ?",
            "toolu_b026c48bbf33feff9243",
        ),
        [("failed", 1, None)],
    )
    check(
        "recording: the mark of an interrupt stays in its turn",
        said(db, turns[6][1])[-1],
        ("user", "[Request interrupted by user]"),
    )
    check("recording: no task", column(db, "SELECT count(*) FROM tasks"), [0])
    check(
        "recording: last activity is the transcript's",
        rows(db, "SELECT created_at, last_activity FROM sessions"),
        [(1772442267000, 1773334731000)],
    )
    check("recording: usage of the session", usage(db, "main"), (14, 43950, 4252))
    sound(db, "recording")

    before = dump(db)
    again = load(db, ("main", log))[0]
    check(
        "recording again: report",
        (again["turns_made"], again["turns_there"], again["tool_calls"], again["head"]),
        (0, 14, 0, head),
    )
    check("recording again: nothing has changed", dump(db), before)


def check_growing():
    """A file that grows: from every length to the end, and line by line."""
    lines = read("examples/transcript.jsonl").splitlines(keepends=True)
    whole = connect()
    load(whole, ("main", "".join(lines)))
    want, used = everything(whole), usage(whole, "main")[1:]
    for n in range(1, len(lines)):
        db = connect()
        load(db, ("main", "".join(lines[:n])))
        load(db, ("main", "".join(lines)))
        check(f"growing from {n} lines: all there, once", everything(db), want)
        check(f"growing from {n} lines: usage", usage(db, "main")[1:], used)
        last = path(db, "main")[-1]
        check(
            f"growing from {n} lines: head",
            last,
            json.loads(lines[49])["uuid"] if n <= 49 else json.loads(lines[n])["uuid"],
        )
        check(
            f"growing from {n} lines: all turns on the path", len(path(db, "main")), len(tree(db))
        )
    db = connect()
    for n in range(1, len(lines) + 1):
        load(db, ("main", "".join(lines[:n])))
    check("line by line: all there, once", everything(db), want)
    check("line by line: on the path", len(path(db, "main")), len(tree(db)))
    sound(db, "line by line")

    db = connect()
    log = Log().user("p1", "look").agent("a1", [text("I look."), call("k1")])
    load(db, ("main", log))
    check(
        "a turn that has begun",
        said(db, "p1"),
        [("user", "look"), ("assistant", "I look."), ("Bash", "pending ")],
    )
    log.results("r1", result("k1", "a.c")).agent("a2", "There is a.c.").user("p2", "thanks")
    report = load(db, ("main", log))[0]
    check("it has grown: report", (report["turns_made"], report["turns_there"]), (2, 1))
    check("it has grown: tree", tree(db), {"p1": None, "r1": "p1", "p2": "r1"})
    check(
        "it has grown: what is new is a further turn",
        said(db, "r1"),
        [("tool", "a.c"), ("assistant", "There is a.c.")],
    )
    check(
        "it has grown: the turn that was there is as it was",
        said(db, "p1")[-1],
        ("Bash", "pending "),
    )
    check(
        "it has grown: the context has one result",
        rows(db, "SELECT kind, content FROM session_context('main') WHERE tool_call_id = 'k1'"),
        [("tool_call", "{}"), ("tool_result", "a.c")],
    )


# ---- Branches -----------------------------------------------------------------------------------


def check_branches():
    db = connect()
    log = (
        Log()
        .user("p1", "a tool")
        .agent("a1", "Which?")
        .user("p2", "in C")
        .agent("a2", "Done, in C.")
    )
    load(db, ("main", log))
    log.user("p3", "in Rust", parent="a1").agent("a3", "Done, in Rust.")
    report = load(db, ("main", log))[0]
    check("edited prompt: report", (report["turns_made"], report["turns_there"]), (1, 2))
    check("edited prompt: tree", tree(db), {"p1": None, "p2": "p1", "p3": "p1"})
    check("edited prompt: the head is the newer", path(db, "main"), ["p1", "p3"])
    log.user("p4", "faster", parent="a2").agent("a4", "Faster.")
    load(db, ("main", log))
    check("back on the older branch", path(db, "main"), ["p1", "p2", "p4"])
    at_once = connect()
    load(at_once, ("main", log))
    check("branches at once: tree", tree(at_once), tree(db))
    check("branches at once: head", path(at_once, "main"), ["p1", "p2", "p4"])
    check(
        "branches at once: the same ids",
        rows(at_once, "SELECT id, external_id FROM turns ORDER BY id"),
        rows(db, "SELECT id, external_id FROM turns ORDER BY id"),
    )

    # A second first prompt makes a second tree. Sessions that have turns can't begin one.
    log = Log().user("p1", "hi").agent("a1", "Hi.").user("p2", "bye").agent("a2", "Bye.")
    again = Log(log.lines, "a2").user("q1", "hello", parent=None).agent("b1", "Hello.")
    more = Log(again.lines, "b1").user("q2", "and?").user("q3", "so?")
    want = {"p1": None, "p2": "p1", "q1": None}
    db = connect()
    load(db, ("main", again))
    check("first prompt edited: tree", tree(db), want)
    check("first prompt edited: the session is where the file ends", path(db, "main"), ["q1"])
    check("first prompt edited: the other tree", path(db, "main:root:p1"), ["p1", "p2"])
    load(db, ("main", more))
    check("first prompt edited: grown", path(db, "main"), ["q1", "q2", "q3"])
    db = connect()
    load(db, ("main", log))
    load(db, ("main", again))
    check("first prompt edited, later: tree", tree(db), want)
    check("first prompt edited, later: the root", path(db, "main:root:q1"), ["q1"])
    check("first prompt edited, later: the session still", path(db, "main"), ["p1", "p2"])
    load(db, ("main", more))
    check(
        "first prompt edited, later: the session has followed", path(db, "main"), ["q1", "q2", "q3"]
    )
    before = dump(db)
    load(db, ("main", more))
    check("first prompt edited, later: again, nothing has changed", dump(db), before)
    db = connect()
    load(db, ("main", log), ("main", Log(session="s-2").user("q1", "x").user("q2", "y")))
    check(
        "two files under one label: one below the other", path(db, "main"), ["p1", "p2", "q1", "q2"]
    )

    db = connect()
    load(db, ("main", Log().user("p1", "a").user("p2", "b").user("p3", "c")))
    check("prompts without an answer are turns", path(db, "main"), ["p1", "p2", "p3"])

    # An edit in the middle of a turn's work: the branch hangs from the whole turn.
    db = connect()
    log = Log().user("p1", "go").agent("a1", [call("k1")]).results("r1", result("k1"))
    log.agent("a2", "Done.").user("p2", "no, otherwise", parent="r1")
    load(db, ("main", log))
    check("edited in the middle of a turn", tree(db), {"p1": None, "p2": "p1"})

    # Written out of order: the parent stands below.
    db = connect()
    log = Log().user("p1", "a").user("p3", "c", parent="p2").user("p2", "b", parent="p1")
    load(db, ("main", log))
    check("parents below their children", tree(db), {"p1": None, "p2": "p1", "p3": "p2"})


def check_shared():
    """Two files with the same beginning."""
    a = Log().user("p1", "a tool").agent("a1", "Which?", usage=(10, 1)).user("p2", "in C")
    a.agent("a2", "Done, in C.", usage=(20, 2))
    b = a.copy("s-2").user("p3", "and tests").agent("a3", "With tests.", usage=(30, 3))
    a.user("p4", "thanks").agent("a4", "Welcome.", usage=(40, 4))
    for name, steps in (
        ("A, then B", [[("A", a)], [("B", b)]]),
        ("B, then A", [[("B", b)], [("A", a)]]),
        ("A and B", [[("A", a), ("B", b)]]),
        ("B and A", [[("B", b), ("A", a)]]),
    ):
        db = connect()
        reports = {r["label"]: r for step in steps for r in load(db, *step)}
        check(f"shared, {name}: tree", tree(db), {"p1": None, "p2": "p1", "p3": "p2", "p4": "p2"})
        check(f"shared, {name}: A", path(db, "A"), ["p1", "p2", "p4"])
        check(f"shared, {name}: B", path(db, "B"), ["p1", "p2", "p3"])
        check(
            f"shared, {name}: heads",
            sorted(r["head"] for r in reports.values()),
            sorted(column(db, "SELECT thread_id FROM sessions")),
        )
        counts = {label: (r["turns_made"], r["turns_there"]) for label, r in reports.items()}
        first = name[0]
        check(
            f"shared, {name}: report",
            counts,
            {first: (3, 0), ("B" if first == "A" else "A"): (1, 2)},
        )
        used = [usage(db, label)[1] for label in "AB"]
        check(f"shared, {name}: usage is counted once", sum(used), 100)
        before = dump(db)
        for step in steps:
            load(db, *step)
        check(f"shared, {name}: again, nothing has changed", dump(db), before)

    for name, steps in (
        ("one after the other", [[("A", a)], [("B", a.copy("s-2"))]]),
        ("together", [[("A", a), ("B", a.copy("s-2"))]]),
    ):
        db = connect()
        for step in steps:
            load(db, *step)
        check(
            f"the same file twice, {name}: both",
            (path(db, "A"), path(db, "B")),
            (["p1", "p2", "p4"],) * 2,
        )
        check(
            f"the same file twice, {name}: forked",
            column(db, "SELECT reason FROM session_history WHERE session_label = 'B'"),
            ["fork"],
        )
        check(f"the same file twice, {name}: turns", len(tree(db)), 3)

    # The second file's turn has more in it than the first knew.
    db = connect()
    short = Log().user("p1", "look").agent("a1", [call("k1")])
    long = short.copy("s-2").results("r1", result("k1", "a.c")).agent("a2", "a.c")
    load(db, ("A", short))
    load(db, ("B", long))
    check(
        "a longer copy under another label", (path(db, "A"), path(db, "B")), (["p1"], ["p1", "r1"])
    )
    load(db, ("A", long))
    check("what another label has added is not added again", len(tree(db)), 2)


# ---- Sidechains ---------------------------------------------------------------------------------


def check_sidechains():
    log = Log().user("p1", "find it").agent("a1", [call("k1", "Task", prompt="search src")])
    log.user("s1", "search src", parent=None, isSidechain=True)
    log.agent("s2", [call("g1", "Grep")], parent="s1", isSidechain=True, usage=(5, 1))
    log.results("s3", result("g1", "a.c:1"), parent="s2", isSidechain=True)
    log.agent("s4", "In a.c.", parent="s3", isSidechain=True, usage=(6, 1))
    log.results("r1", result("k1", "In a.c."), parent="a1").agent("a2", "a.c has it.", usage=(9, 2))
    db = connect()
    report = load(db, ("main", log))[0]
    side = "main:sidechain:s1"
    check(
        "sidechain: report",
        [report[k] for k in ("turns_made", "tool_calls", "sidechains")],
        [2, 2, 1],
    )
    check(
        "sidechain: sessions", column(db, "SELECT label FROM sessions ORDER BY 1"), ["main", side]
    )
    check("sidechain: paths", (path(db, "main"), path(db, side)), (["p1"], ["s1"]))
    check(
        "sidechain: its messages",
        said(db, "s1"),
        [("user", "search src"), ("Grep", "completed a.c:1"), ("assistant", "In a.c.")],
    )
    check(
        "sidechain: not in the main turn",
        said(db, "p1"),
        [("user", "find it"), ("Task", "completed In a.c."), ("assistant", "a.c has it.")],
    )
    check("sidechain: whose message it is", turn(db, "s1", "source")[0], "agent")
    check("sidechain: its usage", (usage(db, side), usage(db, "main")), ((1, 11, 2), (1, 9, 2)))
    check(
        "sidechain: the call names it",
        rows(db, "SELECT id, spawned_session_label FROM tool_calls ORDER BY id"),
        [("g1", None), ("k1", side)],
    )
    before = dump(db)
    report = load(db, ("main", log))[0]
    check(
        "sidechain again",
        (report["turns_made"], report["turns_there"], dump(db) == before),
        (0, 2, True),
    )
    load(db, ("copy", log.copy("s-2")))
    check(
        "sidechain: a copy shares it",
        column(db, "SELECT label FROM sessions ORDER BY 1"),
        ["copy", "main", side],
    )
    log.user("s5", "and tests?", parent="s4", isSidechain=True)
    log.agent("s6", "None.", parent="s5", isSidechain=True)
    load(db, ("main", log))
    check("sidechain: grown", (path(db, side), path(db, "main")), (["s1", "s5"], ["p1"]))
    sound(db, "sidechain")

    # Two at once, their entries mixed, hanging from the calls' entries; others by their agentId.
    log = (
        Log().user("p1", "find both").agent("a1", [call("k1", "Task", prompt="x")], message_id="m")
    )
    log.agent("a2", [call("k2", "Task", prompt="x")], message_id="m")
    for step in ("1", "2"):
        for side in ("s", "t"):
            parent = {"s1": "a1", "t1": "a2", "s2": "s1", "t2": "t1"}[side + step]
            add = log.user if step == "1" else log.agent
            add(side + step, "x", parent=parent, isSidechain=True)
    log.agent("a3", [call("k3", "Task", prompt="y"), call("k4", "Task", prompt="y")])
    for side in ("v", "w"):
        log.user(side + "1", "y", parent=None, isSidechain=True, agentId="agent-" + side)
        log.agent(side + "2", "Y.", parent=side + "1", isSidechain=True, agentId="agent-" + side)
    log.results("r3", result("k3"), toolUseResult={"agentId": "agent-w"}, parent="a3")
    log.results("r4", result("k4"), toolUseResult={"agentId": "agent-v"}, parent="a3")
    db = connect()
    load(db, ("main", log))
    check(
        "four sidechains: paths",
        [path(db, f"main:sidechain:{s}1") for s in "stvw"],
        [["s1"], ["t1"], ["v1"], ["w1"]],
    )
    check(
        "four sidechains: two messages each", [len(said(db, s + "1")) for s in "stvw"], [2, 2, 2, 2]
    )
    check(
        "four sidechains: each call names its own",
        rows(db, "SELECT id, spawned_session_label FROM tool_calls ORDER BY id"),
        [(f"k{n}", f"main:sidechain:{s}1") for n, s in zip("1234", "stwv")],
    )
    check(
        "four sidechains: the agent's id is kept",
        column(
            db, "SELECT metadata ->> '$.agent_id' FROM messages WHERE metadata ->> '$.uuid' = 'v1'"
        ),
        ["agent-v"],
    )
    check("four sidechains: main", path(db, "main"), ["p1"])

    db = connect()
    log = Log().user("s1", "only this", parent=None, isSidechain=True)
    log.agent("s2", "Done.", parent="s1", isSidechain=True)
    report = load(db, ("agent", log))[0]
    check("a file with a sidechain only", (report["head"], report["turns_made"]), (None, 1))
    check(
        "a file with a sidechain only: its session",
        column(db, "SELECT label FROM sessions"),
        ["agent:sidechain:s1"],
    )


# ---- Where sessions come from, and whose they are -----------------------------------------------


def origins(db):
    return dict(rows(db, "SELECT label, origin FROM sessions"))


def check_origin():
    log = Log().user("p1", "hi").agent("a1", [call("k1", "Task", prompt="dig")])
    log.user("s1", "dig", parent=None, isSidechain=True)
    again = Log(log.lines, "a1").user("q1", "hello", parent=None)
    db = connect()
    load(db, ("main", again), ("copy", again.copy("s-2")))
    want = dict.fromkeys(("main", "main:root:p1", "main:sidechain:s1", "copy"), "import")
    check("origin: what an import makes", origins(db), want)
    check(
        "origin: the fork is one still",
        rows(
            db, "SELECT parent_turn_id = thread_id, is_subagent FROM sessions WHERE label = 'copy'"
        ),
        [(1, 0)],
    )
    db = connect()
    append(db, "main", "live")
    append(db, "job", "live", source="timer")
    db.execute("SELECT session_fork((SELECT thread_id FROM sessions WHERE label = 'job'), 'fork')")
    append(db, "main:sidechain:s1", "live")
    was = rows(db, "SELECT * FROM sessions WHERE label = 'main:sidechain:s1'")[0]
    load(db, ("main", log), ("fork", Log(session="s-3").user("f1", "x")))
    load(db, ("job", Log(session="s-4").user("j1", "x")), ("new", Log().user("n1", "x")))
    host = {"main": "user", "job": "system", "fork": "fork", "main:sidechain:s1": "user"}
    check("origin: a session that was there keeps its own", origins(db), host | {"new": "import"})
    now = rows(db, "SELECT * FROM sessions WHERE label = 'main:sidechain:s1'")[0]
    check("origin: nor does it become a subagent", now[6:13], was[6:13])


LINK = (
    "SELECT is_subagent, parent_session_label,"
    " (SELECT external_id FROM turns WHERE id = s.parent_turn_id), spawn_tool_call_id,"
    " task_description, task_status, origin FROM sessions AS s WHERE label = ?"
)


def link(db, label):
    return rows(db, LINK, label)[0]


def fit(db, what):
    """A call that names a session is named by it."""
    bad = (
        "SELECT t.id FROM tool_calls AS t LEFT JOIN sessions AS s ON s.label = "
        "t.spawned_session_label WHERE t.spawned_session_label IS NOT NULL AND "
        "(s.spawn_tool_call_id, s.parent_turn_id) IS NOT (t.id, t.turn_id)"
    )
    check(f"{what}: calls and sessions name each other", column(db, bad), [])


def chain(first="search src", **more):
    log = Log().user("p1", "find it").agent("a1", [call("k1", "Task", prompt="search src")])
    log.user("s1", first, parent=None, isSidechain=True, **more)
    return log.agent("s2", "In a.c.", parent="s1", isSidechain=True, **more)


def check_workers():
    side = "main:sidechain:s1"
    db = connect()
    load(db, ("main", chain()))
    want = (1, "main", "p1", "k1", "search src", "completed", "import")
    check("a sidechain's session: its link", link(db, side), want)
    check("a sidechain's session: main is none", link(db, "main")[:2], (0, None))
    check(
        "a sidechain's session: session_workers",
        rows(
            db,
            "SELECT worker, parent_session_label, tool_call_id, task, task_status "
            "FROM session_workers",
        ),
        [(side, "main", "k1", "search src", "completed")],
    )
    fit(db, "a sidechain's session")

    # In a group that goes on in a second turn the call is in that one.
    log = Log().user("p1", "find it")
    load(db := connect(), ("main", log))
    log.agent("a1", [call("k1", "Task", prompt="dig")])
    log.user("s1", "dig", parent=None, isSidechain=True)
    load(db, ("main", log))
    check("the turn of the call", link(db, side)[2:4], ("a1", "k1"))

    for name, first, want in (
        ("several lines", "\n  \t search src \nand more\n", "search src"),
        ("200 characters", "é" * 200, "é" * 200),
        ("201 characters", "é" * 201, "é" * 199 + "…"),
        ("a blank where it is cut", "é" * 198 + " " + "é" * 9, "é" * 198 + "…"),
        ("half a character", "a" + LONE + "b", "a\ufffdb"),
        ("blocks", [{"type": "image"}, text("look at this"), text("now")], "look at this"),
        ("no text", [{"type": "image"}], None),
    ):
        db = connect()
        load(db, ("main", chain(first)))
        check(f"the task: {name}", link(db, side)[4:6], (want, "completed"))
    db = connect()
    load(db, ("main", chain("something else")))
    want = (1, "main", None, None, "something else", "completed", "import")
    check("no call is known", link(db, side), want)
    log = Log().agent("s1", "So far.", parent=None, isSidechain=True)
    load(db := connect(), ("main", log))
    check("a chain without a prompt", link(db, side)[4:6], (None, "completed"))
    check("a chain without its parent", link(db, side)[1], "main")
    load(db, ("main", log.user("p1", "go")))
    check("the parent comes later", (link(db, side)[1], origins(db)["main"]), ("main", "import"))

    # What only the result tells, and it comes later.
    log = chain("something else", agentId="agent-1")
    db = connect()
    load(db, ("main", log))
    check("the call is not known yet", link(db, side)[2:4], (None, None))
    log.results("r1", result("k1"), toolUseResult={"agentId": "agent-1"}, parent="a1")
    load(db, ("main", log))
    check("then it is", link(db, side)[2:4], ("p1", "k1"))
    fit(db, "then it is")
    before = dump(db)
    load(db, ("main", log))
    check("then it is: again, nothing has changed", dump(db), before)

    # The same prompt twice: in order. A call of the chain itself did not start it.
    log = (
        Log()
        .user("p1", "go")
        .agent("a1", [call(k, "Task", prompt="x") for k in ("k1", "k2", "k3")])
    )
    log.user("s1", "x", parent=None, isSidechain=True).user(
        "t1", "x", parent=None, isSidechain=True
    )
    load(db := connect(), ("main", log))
    check(
        "two with the same prompt",
        [link(db, f"main:sidechain:{s}1")[3] for s in "st"],
        ["k1", "k2"],
    )
    fit(db, "two with the same prompt")
    log = Log().user("p1", "go").user("s1", "x", parent=None, isSidechain=True)
    log.agent("s2", [call("k1", "Task", prompt="x")], parent="s1", isSidechain=True)
    load(db := connect(), ("main", log))
    check("a chain that calls for the same again", link(db, side)[2:4], (None, None))
    fit(db, "a chain that calls for the same again")

    # A chain called for by a chain: it is the transcript's as well.
    log.user("t1", "y", parent=None, isSidechain=True)
    log.agent("s3", [call("k2", "Task", prompt="y")], parent="s2", isSidechain=True)
    load(db := connect(), ("main", log))
    check("a chain of a chain", link(db, "main:sidechain:t1")[1:4], ("main", "s1", "k2"))

    # spawned_session_label takes 256 bytes, a label 1,024.
    long = "m" * 240
    load(db := connect(), (long, chain()))
    check("a long label", link(db, f"{long}:sidechain:s1")[1:4], (long, "p1", "k1"))
    check(
        "a long label: the call",
        column(db, "SELECT spawned_session_label FROM tool_calls"),
        [f"{long}:sidechain:s1"],
    )
    long = "m" * 250
    load(db := connect(), (long, chain()))
    check("a longer label", link(db, f"{long}:sidechain:s1")[1:4], (long, "p1", "k1"))
    check(
        "a longer label: the call",
        column(db, "SELECT spawned_session_label FROM tool_calls"),
        [None],
    )
    before = dump(db)
    load(db, (long, chain()))
    check("a longer label: again, nothing has changed", dump(db), before)


def check_workers_at_rest():
    """An imported subagent is done: it is neither counted, stopped, asked nor prompted."""
    side, day = "main:sidechain:s1", 86_400_000

    def call_(sql, *args):
        return column(db, f"SELECT {sql}", *args)[0]

    def record():
        return rows(db, "SELECT * FROM sessions WHERE label = ?", side), [
            rows(db, f"SELECT * FROM {name} WHERE session_label = ?", side)
            for name in ("tasks", "session_queue", "session_events", "session_runs", "commits")
        ]

    def refused(sql, *args):
        try:
            call_(sql, *args)
        except sqlite3.Error as error:
            return str(error)
        return None

    db = connect()
    load(db, ("main", chain()))
    before = record()
    call_("session_start('main', 'rename post()')")
    call_("session_spawn('main', 'find the callers', '{\"label\":\"w1\"}')")
    call_("session_deliver('main', 'forget it', '{\"class\":\"Abandon\"}')")
    status = "SELECT label, task_status FROM sessions WHERE is_subagent ORDER BY 1"
    check("abandon: the status", rows(db, status), [(side, "completed"), ("w1", "failed")])
    check("abandon: the imported one is as it was", record(), before)

    call_("turnstile_config('max_children', 1)")
    call_("session_start('main', 'rename get()')")
    call_("session_spawn('main', 'find the callers', '{\"label\":\"w2\"}')")
    error = refused("session_spawn('main', 'one more')")
    check("max_children: the imported one is not counted", "has 1 workers" in (error or ""))
    call_("session_spawn(?, 'dig deeper', '{\"label\":\"below\"}')", side)
    check("a worker of the imported one", link(db, "below")[1], side)
    call_("turnstile_config('max_spawn_depth', 2)")
    error = refused("session_spawn('below', 'deeper still')")
    check("max_spawn_depth: counted through it", "max_spawn_depth" in (error or ""))
    before = record()
    call_("session_deliver('main', 'forget it', '{\"class\":\"Abandon\"}')")
    want = [("below", "failed"), (side, "completed"), ("w1", "failed"), ("w2", "failed")]
    check("abandon: what works below it is stopped", rows(db, status), want)
    check("abandon: itself is as it was", record(), before)

    # Time goes by.
    db = connect()
    load(db, ("main", chain()))
    before = record()
    for days in (2, 8):
        now = json.dumps({"now": START + days * day})
        back = json.loads(call_("session_recover(?, ?)", side, now))
        check(
            f"recover after {days} days: nothing to ask",
            (back["state"], back["choice"]),
            ("None", None),
        )
        call_("session_sweep(?)", now)
        check(f"sweep after {days} days: as it was", record(), before)
        stale = "SELECT label FROM stale_sessions WHERE now = ?"
        check(f"stale after {days} days: none", column(db, stale, START + days * day), [])
    now = START + 31 * day
    stale = "SELECT label, state, band FROM stale_sessions WHERE now = ? ORDER BY label"
    want = [("main", "None", "archive"), (side, "None", "archive")]
    check("stale after 31 days: like every session", rows(db, stale, now), want)
    call_("session_sweep(?)", json.dumps({"now": now}))
    facts = "SELECT status, task_status, pending_choice, open_task_id FROM sessions WHERE label = ?"
    check("sweep after 31 days", rows(db, facts, side), [("archived", "completed", None, None)])

    # Something new to do.
    for name, later in (("soon", 1000), ("after three days", 3 * day), ("archived", 40 * day)):
        now = json.dumps({"now": START + later})
        db = connect()
        load(db, ("main", chain()))
        if name == "archived":
            call_("session_sweep(?)", json.dumps({"now": START + 31 * day}))
            check("deliver, archived: it is", rows(db, facts, side)[0][0], "archived")
        answer = json.loads(call_("session_deliver(?, 'and the tests?', ?)", side, now))
        got = answer["action"], rows(db, facts, side)[0][:3]
        want = ("start", ("active", "pending", None))  # as of every worker with another task
        check(f"deliver, {name}: a new task, no prompt", got, want)
        waits = column(db, "SELECT session_label FROM session_queue WHERE status <> 'delivered'")
        check(f"deliver, {name}: nothing for the parent", set(waits), {side})
        lies = json.dumps({"now": START + later + 3 * day})
        answer = json.loads(call_("session_deliver(?, 'hm', ?)", side, lies))
        got = answer["action"], rows(db, facts, side)[0][2]
        check(f"deliver, {name}, and again later: no prompt", got, ("continue", None))
        call_("session_recover(?, ?)", side, lies)
        check(f"deliver, {name}, then recover: no choice", rows(db, facts, side)[0][2], None)
        load(db, ("main", chain()))
        check(f"deliver, {name}, imported again", link(db, side)[5:], ("pending", "import"))
        turn = json.loads(call_("turn_begin(?, 'w', ?)", side, lies))
        check(f"deliver, {name}, at work", link(db, side)[5], "running")
        said = '{"content":"There are none."}'
        call_("turn_complete(?, ?, ?, ?)", turn["turn"], turn["token"], said, lies)
        call_("session_report(?, 'completed', 'there are none', ?)", side, lies)
        check(f"deliver, {name}, and reported", link(db, side)[5], "completed")

    db = connect()
    load(db, ("main", chain()))
    call_('turn_begin(?, \'w\', \'{"messages":[{"role":"user","content":"x"}]}\')', side)
    check("a turn of its own: it stays done", link(db, side)[5], "completed")
    db = connect()
    load(db, ("main", chain()))
    check(
        "a report by hand is a message for the parent",
        call_("session_report(?, 'completed', 'ok')", side),
        1,
    )
    check("a report by hand: done", link(db, side)[5], "completed")


# ---- Calls, usage, content ----------------------------------------------------------------------


def check_calls():
    # Every call in an entry of its own, the results between them; the chain forks at every call.
    log = Log().user("p1", "look around")
    used = dict(message_id="m1", usage=(100, 30, 7, 3))
    log.agent("a0", "I look.", message_id="m1", usage=(100, 1, 7, 3))
    log.agent("a1", [call("k1", "Read", path="a")], parent="a0", **used)
    log.results("r1", result("k1", "A"), parent="a1")
    log.agent("a2", [call("k2", "Read", path="b")], parent="a1", **used)
    log.agent("a3", [call("k3", "Read", path="c")], parent="a2", **used)
    log.results("r3", result("k3", "C", is_error=True), parent="a3")
    log.results("r2", result("k2", "B"), parent="a2")
    log.agent("a4", "All read.", parent="r2", usage=(200, 5))
    db = connect()
    report = load(db, ("main", log))[0]
    check("parallel calls: report", (report["turns_made"], report["tool_calls"]), (1, 3))
    check(
        "parallel calls",
        said(db, "p1"),
        [
            ("user", "look around"),
            ("assistant", "I look."),
            ("Read", "completed A"),
            ("Read", "completed B"),
            ("Read", "failed C"),
            ("assistant", "All read."),
        ],
    )
    check(
        "parallel calls: a message is counted once",
        turn(
            db,
            "p1",
            "input_tokens, output_tokens, cached_input_tokens, cache_write_tokens," " total_tokens",
        ),
        (300, 35, 7, 3, 335),
    )
    for n in range(1, len(log.lines)):
        grown = connect()
        load(grown, ("main", "\n".join(log.lines[:n])))
        load(grown, ("main", log))
        check(f"parallel calls from {n} lines: all there, once", everything(grown), everything(db))
        check(f"parallel calls from {n} lines: input is counted once", usage(grown, "main")[1], 300)

    db = connect()
    log = Log().user("p1", "go").agent("a1", [call("k1"), call("k2")])
    log.results("p2", result("k1", "refused", is_error=True), text("no, use make"))
    log.agent("a2", "With make.")
    load(db, ("main", log))
    check("a prompt that brings a result along: turns", path(db, "main"), ["p1", "p2"])
    check(
        "a prompt that brings a result along",
        said(db, "p2"),
        [("tool", "refused"), ("user", "no, use make"), ("assistant", "With make.")],
    )
    check(
        "a prompt that brings a result along: in the context",
        rows(
            db,
            "SELECT tool_call_id, status FROM session_context('main') WHERE kind = 'tool_result' "
            "ORDER BY 1",
        ),
        [("k1", "failed"), ("k2", "interrupted")],
    )
    log.user("p3", [result("k1", "never"), text("or ninja")], parent="a1")
    load(db, ("main", log))
    check("and one on the other branch", said(db, "p3"), [("tool", "never"), ("user", "or ninja")])

    db = connect()
    log = Log().user("p1", "go").agent("a1", [call("k1")]).results("r1", result("k1", "one"))
    log.results("r2", result("k1", "two")).results("r3", result("nobody's", "three"))
    log.agent("a2", [call("k1")]).agent("a3", [{"type": "tool_use", "name": "no id"}])
    load(db, ("main", log))
    got = said(db, "p1")
    check("calls and results that don't fit: the first counts", got[1], ("Bash", "completed one"))
    check(
        "calls and results that don't fit: kept as JSON",
        [
            (role, json.loads(content)[0].get("content", json.loads(content)[0].get("id")))
            for role, content in got[2:]
        ],
        [("user", "two"), ("user", "three"), ("assistant", "k1"), ("assistant", None)],
    )
    before = dump(db)
    load(db, ("main", log))
    check("calls and results that don't fit: again, nothing has changed", dump(db), before)

    db = connect()
    log = Log().user("p1", "go").agent("a1", [call("k1")]).results("r1", result("k1"))
    log.user("p2", "more").agent("a2", [call("k1")]).results("r2", result("k1", "second"))
    load(db, ("main", log))
    check(
        "the same id in two turns",
        (said(db, "p1")[1], said(db, "p2")[1]),
        (("Bash", "completed ok"), ("Bash", "completed second")),
    )
    for n in range(1, len(log.lines)):
        grown = connect()
        load(grown, ("main", "\n".join(log.lines[:n])))
        load(grown, ("main", log))
        check(f"the same id in two turns, from {n} lines", everything(grown), everything(db))
    log.agent("a3", [call("k1")]).agent("a4", "Done.")
    load(db, ("main", log))
    check("the same id in two turns: grown", said(db, "a3")[-1], ("assistant", "Done."))


def check_content():
    picture = {"type": "image", "source": {"type": "base64", "data": "iVBOR"}}
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    log = Log().user("p1", [text("what is this?"), picture])
    log.agent("a1", [thought]).agent("a2", [thought, text("A cat."), call("k1")])
    log.results("r1", result("k1", [text("one"), text("two")]))
    log.agent("a3", [call("k2"), call("k3"), call("k4"), call("k5", tags=["a", None], n=1.5)])
    log.results("r2", result("k2", [text("see"), picture]), result("k3", ""))
    log.results(
        "r3", {"type": "tool_result", "tool_use_id": "k4"}, result("k5", "bad", is_error=True)
    )
    log.agent("a4", [text("one"), text("two")]).agent("a5", [text("  \n")]).agent("a6", [])
    log.user("c1", "<note>from the program</note>", isMeta=True).user("c2", ["plain", "words"])
    db = connect()
    load(db, ("main", log))
    got = said(db, "p1")
    check("content: blocks of a prompt", json.loads(got[0][1]), [text("what is this?"), picture])
    check("content: a thought", json.loads(got[1][1]), [thought])
    check("content: a thought and text", json.loads(got[2][1]), [thought, text("A cat.")])
    check("content: a result of two texts", got[3], ("Bash", "completed one\ntwo"))
    check(
        "content: a result with a picture",
        json.loads(got[4][1].split(" ", 1)[1]),
        [text("see"), picture],
    )
    check("content: empty results", got[5:7], [("Bash", "completed ")] * 2)
    check("content: an error", got[7], ("Bash", "failed bad"))
    check("content: two texts", got[8], ("assistant", "one\n\ntwo"))
    check(
        "content: nothing makes no message; the program's own are the system's",
        rows(db, "SELECT content, source FROM messages WHERE source IS NOT NULL"),
        [("<note>from the program</note>", "system")],
    )
    check("content: strings in a list", said(db, "c2"), [("user", "plain\n\nwords")])
    check(
        "content: parameters",
        json.loads(column(db, "SELECT params FROM tool_calls WHERE id = 'k5'")[0]),
        {"tags": ["a", None], "n": 1.5},
    )
    check(
        "content: why it stopped",
        column(
            db,
            "SELECT metadata ->> '$.stop_reason' FROM messages WHERE metadata ->> '$.uuid' = 'a4'",
        ),
        ["end_turn"],
    )

    db = connect()
    odd = [
        'a\\nb\\\\n"\\"c',
        "line\none\r\ntwo\ttab",
        "\\u0000 as words",
        "ü 🐈 \u2028 \x01\x02",
        '["not","an array"]',
        "{}",
        "null",
        "'; DROP TABLE turns; --",
        "\\",
        '\\"',
        "a\\\\u0000b",
    ]
    log = Log()
    for n, words in enumerate(odd):
        log.user(f"p{n}", words)
    load(db, ("main", log))
    check("content: odd texts", column(db, "SELECT content FROM messages ORDER BY place"), odd)
    nul = str(Log().user("p1", "a@b")).replace("a@b", "a\\u0000b")
    db = connect()
    load(db, ("nul", nul))
    check(
        "content: a NUL becomes the replacement character", said(db, "p1"), [("user", "a\ufffdb")]
    )

    db = connect()
    log = Log().user("p1", "go").agent("a1", "One.", model="m-1").agent("a2", "Two.", model="m-2")
    log.agent("a3", "API error", model="<synthetic>").user("p2", "?", timestamp=...)
    log.user("p3", "!", timestamp="2026-03-02T11:00:00.999+02:00").user("p4", "x", timestamp="soon")
    load(db, ("main", log))
    check("content: the last model", turn(db, "p1", "model")[0], "m-2")
    check("content: a time with an offset", turn(db, "p3", "started_at")[0], 1772442000999)
    check("content: without a time", path(db, "main"), ["p1", "p2", "p3", "p4"])


def check_other_types():
    log = Log().raw('{"type":"summary","summary":"About it","leafUuid":"a1"}')
    log.raw('{"type":"file-history-snapshot","messageId":"x","snapshot":{}}')
    log.raw('{"type":"system","uuid":"y0","parentUuid":null,"isSidechain":false,"content":"hook"}')
    log.last = "y0"
    log.user("p1", "go").agent("a1", "Gone.")
    log.raw('{"type":"system","uuid":"y1","parentUuid":"a1","isSidechain":false}')
    log.user("p2", "on", parent="y1")
    log.raw('{"type":"attachment","uuid":"y2","parentUuid":"p2"}').agent("a2", "On.", parent="y2")
    log.raw('{"type":"system","uuid":"y3","parentUuid":null,"logicalParentUuid":"a2"}')
    log.user("p3", "This session is continued.", parent="y3", isCompactSummary=True)
    db = connect()
    report = load(db, ("main", log))[0]
    check(
        "other types: report",
        [report[k] for k in ("entries", "turns_made", "skipped", "broken")],
        [5, 3, 6, 0],
    )
    check("other types: chains lead through them", tree(db), {"p1": None, "p2": "p1", "p3": "p2"})
    check(
        "other types: the turn goes on behind them",
        said(db, "p2"),
        [("user", "on"), ("assistant", "On.")],
    )
    log.user("p4", "again", parent="y0")
    load(db, ("main", log))
    check("other types: another root under one of them", tree(db)["p4"], None)
    check("other types: its session", path(db, "main:root:p4"), ["p4"])


# ---- What is wrong with a file ------------------------------------------------------------------


def check_malformed():
    good = Log().user("p1", "one").agent("a1", "One.").user("p2", "two").agent("a2", "Two.")
    want = {"p1": None, "p2": "p1"}
    whole = str(good)
    for name, log in (
        ("no last newline", whole.rstrip("\n")),
        ("CRLF", whole.replace("\n", "\r\n")),
        ("blank lines", "\n\n" + whole.replace("\n", "\n  \n\t\n")),
        ("a byte order mark", "\ufeff" + whole),
        ("bytes", whole.encode()),
    ):
        db = connect()
        report = load(db, ("main", log))[0]
        check(f"{name}: tree", tree(db), want)
        check(
            f"{name}: report", (report["entries"], report["broken"], report["skipped"]), (4, 0, 0)
        )

    lines = whole.splitlines()
    for name, line in (
        ("no JSON", "not json"),
        ("half an entry", lines[1][:40]),
        ("two in one line", lines[1] + lines[1]),
        ("an array", "[1,2]"),
        ("a number", "17"),
        ("a string", '"x"'),
        ("no uuid", '{"type":"user","message":{"role":"user","content":"x"}}'),
        ("an empty uuid", '{"type":"user","uuid":"","message":{"role":"user","content":"x"}}'),
        ("no message", '{"type":"assistant","uuid":"x1"}'),
        ("content a number", '{"type":"user","uuid":"x1","message":{"role":"user","content":7}}'),
    ):
        db = connect()
        report = load(db, ("main", "\n".join(lines[:2] + [line] + lines[2:])))[0]
        check(
            f"a line with {name}: report", (report["broken"], report["first_broken_line"]), (1, 3)
        )
        check(
            f"a line with {name}: the rest is there",
            (tree(db), path(db, "main")),
            (want, ["p1", "p2"]),
        )

    # The last line is still being written; then it is whole.
    for cut in (1, 60, len(lines[3]) - 1):
        db = connect()
        torn = "\n".join(lines[:3] + [lines[3][:cut]])
        report = load(db, ("main", torn))[0]
        check(f"torn at {cut}: report", (report["entries"], report["broken"]), (3, 1))
        load(db, ("main", whole))
        check(f"torn at {cut}, then whole", path(db, "main"), ["p1", "p2", "a2"])

    # Any line broken at first and mended later: nothing is lost, nothing is there twice.
    log = Log().user("p1", "go").agent("a1", [call("k1")]).results("r1", result("k1"))
    log.agent("a2", "Done.").user("p2", "more").agent("a3", [text("See."), call("k2")])
    log.results("r2", result("k2", "2")).agent("a4", [call("k3")]).results(
        "r3", result("k3"), text("so?")
    )
    log.agent("a5", "So.")
    at_once = connect()
    load(at_once, ("main", log))
    ids = [json.loads(line)["uuid"] for line in log.lines]
    for n in range(len(log.lines)):
        db = connect()
        broken = log.lines[:n] + ["{" + log.lines[n]] + log.lines[n + 1 :]
        report = load(db, ("main", "\n".join(broken)))[0]
        check(f"line {n + 1} is broken: report", report["first_broken_line"], n + 1)
        load(db, ("main", log))
        texts = {
            (row[1], row[5]) for row in everything(db) if row[0] == "message" and row[5] in ids
        }
        wanted = {(row[1], row[5]) for row in everything(at_once) if row[0] == "message"}
        check(f"line {n + 1} is mended: messages", wanted - texts, set())
        twice = rows(
            db,
            "SELECT metadata ->> '$.uuid', count(*) FROM messages WHERE "
            "tool_call_id IS NULL AND metadata ->> '$.uuid' NOT LIKE 'r%' "
            "GROUP BY 1 HAVING count(*) > 1",
        )
        check(f"line {n + 1} is mended: no message twice", twice, [])
        calls = column(db, "SELECT id FROM tool_calls ORDER BY id")
        check(f"line {n + 1} is mended: calls", calls, ["k1", "k2", "k3"])
        before = dump(db)
        load(db, ("main", log))
        check(f"line {n + 1} is mended: again, nothing has changed", dump(db), before)

    db = connect()
    log = Log().user("p1", "one").user("y1", "c", parent="y1").agent("x1", "a", parent="x2")
    log.agent("x2", "b", parent="x1").user("q1", "d", parent="q2").user("q2", "e", parent="q1")
    report = load(db, ("main", log))[0]
    check(
        "circles: report",
        (report["turns_made"], report["broken"], report["first_broken_line"]),
        (2, 4, 3),
    )
    check(
        "an entry that is its own parent goes on from the one above",
        tree(db),
        {"p1": None, "y1": "p1"},
    )

    db = connect()
    log = (
        Log()
        .user("p1", "one")
        .agent("a1", "One.", parent="gone")
        .user("p2", "two", parent="gone, too")
    )
    load(db, ("main", log))
    check("a parent that is missing: on from the line above", tree(db), {"p1": None, "p2": "p1"})
    check("a parent that is missing: the answer too", said(db, "p1")[-1], ("assistant", "One."))

    db = connect()
    log = Log().user("p1", "one").raw(good.lines[0])
    report = load(db, ("main", log))[0]
    check(
        "an entry twice",
        (report["entries"], report["turns_made"], said(db, "p1")),
        (1, 1, [("user", "one")]),
    )

    for name, log, broken in (("empty", "", 0), ("blank", "\n \n", 0), ("NULL", None, 1)):
        db = connect()
        report = load(db, ("main", log))[0]
        check(
            f"{name}: report",
            (report["entries"], report["turns_made"], report["broken"]),
            (0, 0, broken),
        )
        check(f"{name}: no session", column(db, "SELECT count(*) FROM sessions"), [0])


def fails(db, *sources):
    try:
        load(db, *sources)
    except sqlite3.Error as error:
        open_transaction = db.in_transaction
        if open_transaction:
            db.execute("ROLLBACK")
        return str(error), open_transaction
    return None, None


def check_errors():
    """An import happens wholly or not at all."""
    log = Log().user("p1", "one").agent("a1", "One.").user("p2", "two")
    other = Log(session="s-2").user("q1", "three")
    db = connect()
    load(db, ("busy", Log(session="s-3").user("z1", "zero")))
    db.execute(
        'SELECT turn_begin(\'busy\', \'me\', \'{"messages":[{"role":"user","content":"x"}]}\')'
    )
    before = dump(db)
    error, open_transaction = fails(db, ("main", log), ("busy", other))
    check("a session with a live run: refused", bool(error) and error.startswith("turn_append: "))
    check("a session with a live run: to be rolled back", open_transaction, True)
    check("a session with a live run: nothing has changed", dump(db), before)
    check("a session with a live run: which", "session 'busy'" in (error or ""))
    rule = "a label must be text of 1 to 1024 bytes, also with :sidechain: and a uuid"
    chain = Log().user("s1", "go", parent=None, isSidechain=True)
    for name, label, source in (
        ("no label", None, other),
        ("an empty label", "", other),
        ("a label of 1,025 bytes", "é" * 512 + "x", other),
        ("a label with a NUL", "a\0b", other),
        ("a BLOB as label", b"main", other),
        ("no label and nothing to import", None, ""),
        ("a label that leaves a sidechain no room", "x" * 1012, chain),
    ):
        error, open_transaction = fails(db, ("main", log), (label, source))
        check(f"{name}: refused", error, "CHECK constraint failed: " + rule)
        check(f"{name}: to be rolled back", open_transaction, True)
        check(f"{name}: nothing has changed", dump(db), before)
    db.execute("UPDATE sessions SET status = 'error' WHERE label = 'busy'")
    db.execute("UPDATE session_runs SET expires_at = 1")
    before = dump(db)
    error, _ = fails(db, ("main", log), ("busy", other))
    check("a session in error: refused, with its name", "session 'busy'" in (error or ""))
    check("a session in error: nothing has changed", dump(db), before)
    load(db, ("main", log), ("other", other))
    check("afterwards it works", (path(db, "main"), path(db, "other")), (["p1", "p2"], ["q1"]))
    load(db, ("é" * 512, Log(session="s-4").user("v1", "four")), ("x" * 1011, chain))
    check(
        "the longest labels",
        column(db, "SELECT length(CAST(label AS BLOB)) FROM sessions WHERE length(label) > 9"),
        [1024, 1024],
    )
    sound(db, "afterwards")


# ---- One odd value ------------------------------------------------------------------------------


def odd(name, log, broken=None, db=None, after="z1"):
    """Imports a log with something odd in it: whatever it is, the rest is there, the report tells
    of the line, and a second import changes nothing. A prompt follows that must be the head."""
    db = db or connect()
    if isinstance(log, Log):
        log.user(after, "and then?")
    try:
        report = load(db, ("main", log))[0]
    except sqlite3.Error as error:
        check(f"{name}: imported", f"{str(error)[:200]}")
        db.execute("ROLLBACK")
        return db
    got = report["broken"], report["first_broken_line"]
    check(f"{name}: broken", got, (1, broken) if broken else (0, None))
    check(f"{name}: what follows is there", path(db, "main")[-1:], [after])
    before = dump(db)
    report = load(db, ("main", log))[0]
    check(f"{name}: again", (dump(db) == before, report["turns_made"]), (True, 0))
    for table, field in (("messages", "content"), ("tool_calls", "params"), ("sessions", "label")):
        bad = f"SELECT count(*) FROM {table} WHERE instr(CAST({field} AS BLOB), x'00')"
        check(f"{name}: no NUL in {table}", column(db, bad), [0])
    return db


LONE = "\ud800"  # half of a pair, as some writers cut a text


def mended(value):
    """A value as a command keeps it: half of a pair becomes the replacement character."""
    return json.loads(json.dumps(value).replace("\\ud800", "\\ufffd"))


def check_odd_calls():
    for name, block in (
        ("a call id of 257 bytes", call("k" * 257)),
        ("a call id of 129 characters", call("é" * 129)),
        ("an empty call id", call("")),
        ("a call id with half a character", call("k" + LONE)),
        ("a call id that is a number", call(7)),
        ("a call id that is an object", call({"a": 1})),
        ("a tool without a name", call("k1", "")),
        ("a tool's name of 257 bytes", call("k1", "n" * 257)),
        ("a tool's name of 1 MB", call("k1", "n" * 1_000_000)),
        ("a tool's name with half a character", call("k1", LONE * 100)),
        ("a tool's name that is a number", call("k1", 7)),
    ):
        log = Log().user("p1", "go").agent("a1", [text("I look."), block])
        log.results("r1", result(block["id"], "found")).agent("a2", "Found.")
        db = odd(name, log)
        got = said(db, "p1")
        check(f"{name}: kept as JSON", json.loads(got[1][1]), mended([text("I look."), block]))
        check(f"{name}: its result too", json.loads(got[2][1]), mended([result(block["id"], "found")]))
        check(f"{name}: no call", (len(got), column(db, "SELECT id FROM tool_calls")), (4, []))
    for name, id_, want in (
        ("a call id of 256 bytes", "k" * 256, "k" * 256),
        ("a call id with a NUL", "k\0", "k\ufffd"),
        ("a call id of other letters", "é🐈", "é🐈"),
    ):
        log = Log().user("p1", "go").agent("a1", [call(id_, "n" * 256)])
        db = odd(name, log.results("r1", result(id_, "found")))
        check(
            f"{name}: a call",
            rows(db, "SELECT id, tool_name, result FROM tool_calls"),
            [(want, "n" * 256, "found")],
        )

    for name, content, want in (
        ("a number", 7, "7"),
        ("a fraction", 1.5, "1.5"),
        ("true", True, "true"),
        ("an object", {"a": LONE}, '{"a":"\\ufffd"}'),
        ("null", None, ""),
        ("half a character", "a" + LONE, "a" + "\ufffd" * 3),
        ("a list of numbers", [1, 2], "[1,2]"),
        ("a list of texts without text", [{"type": "text"}], ""),
    ):
        log = Log().user("p1", "go").agent("a1", [call("k1")]).results("r1", result("k1", content))
        db = odd(f"a result that is {name}", log)
        check(f"a result that is {name}", column(db, "SELECT result FROM tool_calls"), [want])
    for value, want in (("yes", 0), (7, 0), (None, 0), ({}, 0), (1, 1), (True, 1)):
        log = Log().user("p1", "go").agent("a1", [call("k1")])
        db = odd(f"is_error {value}", log.results("r1", result("k1", "x", is_error=value)))
        check(f"is_error {value}", column(db, "SELECT status = 'failed' FROM tool_calls"), [want])
    for value in (None, 7, "words", '{"a":1}', True, [1], 1e308):
        log = Log().user("p1", "go").agent("a1", [{**call("k1"), "input": value}])
        db = odd(f"input {value}", log)
        got = column(db, "SELECT params FROM tool_calls")[0]
        want = {} if value is None else json.loads(value) if value == '{"a":1}' else value
        check(f"input {value}: the parameters", json.loads(got), want)


def check_odd_entries():
    for name, uuid, number in (
        ("a number", 7, 2),
        ("null", None, 2),
        ("an object", {"a": 1}, 2),
        ("empty", "", 2),
        ("257 bytes long", "u" * 257, 2),
        ("half a character", "u" + LONE, 2),
        ("256 bytes long", "u" * 256, None),
        ("of other letters", "é🐈", None),
        ("with a NUL in it", "u\0", None),
    ):
        for kind, log in (
            ("a prompt's", Log().user("p1", "go").user(uuid, "odd")),
            ("an answer's", Log().user("p1", "go").agent(uuid, "odd")),
        ):
            log.agent("a2", "Gone.")
            db = odd(f"{kind} uuid that is {name}", log, number)
            words = column(db, "SELECT content FROM messages ORDER BY place")
            check(
                f"{kind} uuid that is {name}: all but that",
                words,
                ["go"] + ["odd"] * (not number) + ["Gone.", "and then?"],
            )
    for uuid in ("u" * 3000, "u" + LONE, ""):
        log = Log().raw(json.dumps({"type": "system", "uuid": uuid, "isSidechain": True}))
        log.user("s1", "dig", parent=uuid, isSidechain=True).user("p1", "go", parent=uuid)
        db = odd(f"a skipped line with the uuid {uuid[:3]}", log)
        check(
            f"a skipped line with the uuid {uuid[:3]}: a chain below it",
            path(db, "main:sidechain:s1"),
            ["s1"],
        )
    for parent in (7, {"a": 1}, "", "x" * 3000, True, LONE):
        log = Log().user("p1", "go").agent("a1", "Gone.", parent=parent)
        odd(f"parentUuid {str(parent)[:9]!a}", log)

    good = START + 1000
    for value, want in (
        (7, None),
        (1772442251000, None),
        ("", None),
        ("now", None),
        ("2461101.5", None),
        ("12:00", None),
        ("soon", None),
        ("1969-12-31T23:59:59Z", None),
        ("0000-01-01T00:00:00Z", None),
        ("99999-01-01T00:00:00Z", None),
        ("2026-13-01T00:00:00Z", None),
        ("2026-03-02T25:04:12Z", None),
        ({"at": 1}, None),
        ("1970-01-01T00:00:00Z", 0),
        ("9999-12-31T23:59:59.999Z", 253402300799999),
        ("2026-03-02T09:04:12.0004Z", good),
        ("2026-03-02 09:04:12", good),
    ):
        log = Log().user("p1", "go").agent("a1", "Gone.", timestamp=value)
        db = odd(f"timestamp {value}", log)
        at = column(db, "SELECT created_at FROM messages WHERE metadata ->> '$.uuid' = 'a1'")
        check(f"timestamp {value}: when", at, [START if want is None else want])

    for value in (7, "", "m" * 257, "m" + LONE, None, {"a": 1}, True):
        log = Log().user("p1", "go").agent("a1", "One.").agent("a2", "Two.", model=value)
        db = odd(f"model {str(value)[:9]!a}", log)
        check(f"model {str(value)[:9]!a}: the one before", turn(db, "p1", "model")[0], "m-1")
    db = odd("a model with a NUL", Log().user("p1", "go").agent("a1", "One.", model="m\0" * 64))
    check("a model with a NUL", turn(db, "p1", "model")[0], "m\ufffd" * 64)

    for value in (7, "", "r" * 257, "r" + LONE, {"a": 1}):
        log = Log().user("p1", "go").agent("a1", "One.", agentId=value)
        entry = json.loads(log.lines[1])
        entry["message"] |= {"stop_reason": value, "role": value, "id": value}
        log.lines[1] = json.dumps(entry)
        db = odd(f"stop_reason, role, id and agentId {str(value)[:9]!a}", log)
        got = column(db, "SELECT metadata FROM messages ORDER BY place")[1]
        want = {"uuid": "a1"} | (
            {"agent_id": json.dumps(value).replace(" ", "")} if value in (7, {"a": 1}) else {}
        )
        check(f"stop_reason and agentId {str(value)[:9]!a}", json.loads(got), want)


def check_odd_usage():
    most = 2**43 - 1
    for value, want in (
        (-1, 30),
        ("12", 30),
        (1.5, 30),
        (most + 1, 30),
        (2**53, 30),
        (2**70, 30),
        (1e300, 30),
        (True, 30),
        (None, 30),
        ([5], 30),
        ({"a": 5}, 30),
        (7.0, 37),
        (0, 30),
        (most - 30, most),
        (most, None),
    ):
        log = Log().user("p1", "go").agent("a1", "One.", usage=(30, 3))
        db = odd(f"usage {value}", log.agent("a2", "Two.", usage=(value, 4, value)))
        got = turn(db, "p1", "input_tokens, output_tokens")
        check(f"usage {value}: what is a number counts", got, (want, 7))
    for value in (7, "12", [1], True, None, {}, {"input_tokens": {}}, {"x": 1}):
        log = Log().user("p1", "go").agent("a1", "One.", usage=(30, 3)).agent("a2", "Two.")
        entry = json.loads(log.lines[2])
        entry["message"]["usage"] = value
        log.lines[2] = json.dumps(entry)
        db = odd(f"usage: {value}", log)
        check(f"usage: {value}: none", turn(db, "p1", "input_tokens, output_tokens"), (30, 3))


def check_odd_content():
    for name, content, want in (
        ("numbers", "[1e999,123456789012345678901,-0.5]", "[1e999,123456789012345678901,-0.5]"),
        ("words of JSON", "[true,false,[1,[2]],{}]", "[true,false,[1,[2]],{}]"),
        ("a number in a block", '[{"type":"x","n":1e999}]', '[{"type":"x","n":1e999}]'),
        (
            "half a character in a block",
            '[{"type":"x","n":"\\ud800"}]',
            '[{"type":"x","n":"\\ufffd"}]',
        ),
        ("half a character", '"a\\udc00b"', "a" + "\ufffd" * 3 + "b"),
        ("a NUL", '"a\\u0000b"', "a\ufffdb"),
        ("a NUL in a block", '[{"type":"x","n":"\\u0000"}]', '[{"type":"x","n":"\\ufffd"}]'),
    ):
        log = Log().user("p1", "@@")
        log.lines[0] = log.lines[0].replace('"@@"', content)
        db = odd(f"content: {name}", log)
        check(f"content: {name}", said(db, "p1"), [("user", want)])
    log = Log().user("p1", [{"type": "text"}, {"type": "text", "text": 7}, {"type": 7}, None])
    db = odd("content: blocks without what they need", log)
    check(
        "content: blocks without what they need",
        json.loads(said(db, "p1")[0][1]),
        [{"type": "text", "text": 7}, {"type": 7}],
    )

    lines = Log().user("p1", "go").agent("a1", "One.").user("z1", "on").lines
    for name, line in (
        ("a NUL byte in a text", lines[1].replace("One", "O\0e")),
        ("a NUL byte between entries", lines[1][:-1] + "\0}"),
    ):
        db = odd(name, "\n".join([lines[0], line, lines[2]]), 2)
    bad = "\n".join([lines[0], lines[1].replace("One", "O@e"), lines[2]])
    db = odd("a stray byte in a text", bad.encode().replace(b"@", b"\xff\xc3"))
    check("a stray byte in a text", said(db, "p1")[1], ("assistant", "O\ufffd\ufffde."))
    bad = "\n".join([lines[0], lines[1].replace('"a1"', '"a@"'), lines[2]])
    odd("a stray byte in a uuid", bad.encode().replace(b"@", b"\x80"), 2)

    # How deep SQLite reads differs by version: wherever it ends, only that line is left out.
    for depth in [*range(980, 1004), *range(1980, 2004), 5000]:
        for name, blocks_ in (
            ("input", [call("k1", deep="@")]),
            ("content", [{"type": "x", "x": "@"}]),
        ):
            log = Log().user("p1", "go").agent("a1", blocks_).agent("a2", "Two.").user("z1", "on")
            log = str(log).replace('"@"', "[" * depth + "]" * depth)
            db = connect()
            try:
                report = load(db, ("main", log))[0]
            except sqlite3.Error as error:
                check(f"{name} {depth} deep", str(error)[:200])
                db.execute("ROLLBACK")
                continue
            held = column(
                db,
                "SELECT count(*) FROM messages WHERE content LIKE '%[[[%' UNION ALL "
                "SELECT count(*) FROM tool_calls WHERE params LIKE '%[[[%'",
            )
            check(f"{name} {depth} deep: there or told of", sum(held) + report["broken"], 1)
            check(f"{name} {depth} deep: the rest", path(db, "main"), ["p1", "z1"])


def check_odd_sizes():
    mega = 1_000_000
    for name, content, number in (
        ("a text of 15.1 MB", "x" * 15_100_000, 2),
        ("a call of 17 MB", [call("k1", x="x" * 17 * mega)], 2),
        ("a text of a million quotes", '"' * mega, None),
    ):
        log = Log().user("p1", "go").agent("a1", content).agent("a2", "Two.")
        db = odd(name, log, number)
        got = column(db, "SELECT max(length(content)) FROM messages")[0]
        check(f"{name}: is there", got >= mega, number is None)
    log = Log().user("p1", "go").agent("a1", [call("k1")])
    db = odd(
        "17 MB beside the message", log.results("r1", result("k1"), toolUseResult="x" * 17 * mega)
    )
    check("17 MB beside the message: the result", said(db, "p1")[1], ("Bash", "completed ok"))
    log = Log().user("p1", "x" * (mega // 2)).agent("a1", "y" * 14 * mega)
    db = odd(
        "a large entry between others", log.agent("a2", "z" * 7 * mega).agent("a3", "w" * mega)
    )
    check(
        "a large entry between others: turns",
        rows(
            db,
            "SELECT substr(content, 1, 1), length(content) FROM messages "
            "WHERE length(content) > 99",
        ),
        [("x", mega // 2), ("y", 14 * mega), ("z", 7 * mega), ("w", mega)],
    )

    def calls(first, n):
        return [call(f"k{i}") for i in range(first, first + n)]

    for name, lots, want in (
        ("5,000 calls in an entry", [5000], 0),
        ("3,001 calls in an entry", [3001], 0),
        ("3,000 calls in an entry", [3000], 3000),
        ("3,000 calls and 2,000 more", [3000, 2000], 5000),
        ("900 calls, four times", [900] * 4, 3600),
        ("1, 999, 2,999, 1,001, 3 calls", [1, 999, 2999, 1001, 3], 5003),
    ):
        log, first = Log().user("p1", "go"), 0
        for i, n in enumerate(lots):
            log.agent(f"a{i}", calls(first, n))
            first += n
        db = odd(name, log)
        check(f"{name}: calls", column(db, "SELECT count(*) FROM tool_calls"), [want])
        check(
            f"{name}: those that are none are kept",
            column(db, "SELECT json_array_length(content) FROM messages WHERE content LIKE '[%'"),
            [] if want else lots,
        )


def check_held():
    """A turn of the host has a prompt's uuid as external_id, but nothing can go on from it."""
    begin = "SELECT turn_begin('host', 'w', ?) ->> '$.turn'"
    inputs = {"messages": [{"role": "user", "content": "two"}], "external_id": "p2"}
    for name, end in (
        ("failed", "SELECT turn_fail(?, 1, 'crashed')"),
        ("aborted", "SELECT turn_abort(?, 1, 'stopped')"),
        ("running", "SELECT ?"),
    ):
        for answered in (True, False):
            db = connect()
            append(db, "host", "one")
            held = column(db, begin, json.dumps(inputs))[0]
            column(db, end, held)
            log = Log().user("p1", "one").agent("a1", "One.").user("p2", "two")
            if answered:
                log.agent("a2", "Two.")
            what = f"a prompt of a turn that is {name}, {'answered' if answered else 'alone'}"
            off = column(db, "SELECT on_path = 0 FROM turns WHERE id = ?", held)[0]
            check(f"{what}: off the path", off, 1)
            db = odd(what, log, None if answered else 3, db=db)
            check(f"{what}: path", path(db, "main"), ["p1"] + ["a2"] * answered + ["z1"])
            if answered:
                check(what, said(db, "a2"), [("user", "two"), ("assistant", "Two.")])
                log.agent("a3", "Three.")
                load(db, ("main", log))
                check(f"{what}: grown", path(db, "main"), ["p1", "a2", "z1", "a3"])
    # One that is on the path, but holds an answer.
    db = connect()
    append(db, "host", "one", external_id="a1")
    odd("an answer's uuid is a turn", Log().user("p1", "one").agent("a1", "One."), db=db)


# ---- Sessions that are there --------------------------------------------------------------------


def append(db, label, words, **options):
    messages = json.dumps([{"role": "user", "content": words}])
    return column(db, "SELECT turn_append(?, ?, ?)", label, messages, json.dumps(options))[0]


def check_sessions():
    log = Log().user("p1", "one").agent("a1", "One.").user("p2", "two").agent("a2", "Two.")
    db = connect()
    append(db, "main", "live", external_id="live")
    load(db, ("main", log))
    check("a session with turns: under its head", path(db, "main"), ["live", "p1", "p2"])
    log.user("p3", "one, again", parent=None)
    load(db, ("main", log))
    check("a session with turns: another root hangs from the same", tree(db)["p3"], "live")

    db = connect()
    log = Log(log.lines[:4], "a2")
    load(db, ("main", log))
    append(db, "main", "live", external_id="live")
    before = dump(db)
    load(db, ("main", log))
    check("a session that went on: again, nothing has changed", dump(db), before)
    log.agent("a3", "Two and a half.")
    load(db, ("main", log))
    check(
        "a session that went on: what is late comes behind",
        path(db, "main"),
        ["p1", "p2", "live", "a3"],
    )
    log.user("p3", "three")
    load(db, ("main", log))
    check(
        "a session that went on: the file's next prompt is a branch of the file's turn",
        path(db, "main")[-1],
        "p3",
    )

    db = connect()
    load(db, ("main", log))
    db.execute("SELECT session_rewind('main', (SELECT id FROM turns WHERE external_id = 'p1'))")
    before = dump(db)
    load(db, ("main", log))
    check("a session that was rewound: again, nothing has changed", dump(db), before)

    # The result comes when the next prompt has been imported already.
    db = connect()
    log = Log().user("p1", "go").agent("a1", [call("k1")]).user("p2", "and?")
    load(db, ("main", log))
    log.results("r1", result("k1", "late"), parent="a1")
    load(db, ("main", log))
    check("a late result: behind the head", path(db, "main"), ["p1", "p2", "r1"])
    log.user("p3", "thanks", parent="p2")
    log.results("r2", result("nobody's", "later"), parent="a1")
    load(db, ("main", log))
    check("a late result and a prompt: the prompt is the head", path(db, "main")[-1], "p3")

    # A host that keeps its turns under the same ids.
    db = connect()
    log = Log().user("p1", "one").agent("a1", "One.").user("p2", "two")
    append(db, "main", "one", external_id="p1")
    report = load(db, ("main", log))[0]
    check(
        "a turn that the host made is taken as it is",
        (tree(db), said(db, "p1"), report["turns_there"]),
        ({"p1": None, "p2": "p1"}, [("user", "one")], 1),
    )

    # A part of a file.
    db = connect()
    log = Log().user("p1", "one").agent("a1", "One.").user("p2", "two").agent("a2", "Two.")
    load(db, ("main", "\n".join(log.lines[:2])))
    load(db, ("main", "\n".join(log.lines[2:])))
    check("the rest of a file alone: under the head", path(db, "main"), ["p1", "p2"])

    db = connect()
    db.execute("ATTACH ':memory:' AS side")
    db.execute("CREATE TABLE side.turns(id, external_id)")
    load(db, ("main", log))
    check("beside an attached file", path(db, "main"), ["p1", "p2"])


# ---- Anything -----------------------------------------------------------------------------------


def random_log(rng, session):
    """Entries that hang together somehow. Every text, call and result holds a word of its own."""
    log, uuids, words = Log(session=session), [], []

    def word():
        words.append(f"w{session}x{len(words)}w")
        return words[-1]

    for n in range(rng.randint(1, 40)):
        parent = log.last
        if uuids and rng.random() < 0.25:
            parent = rng.choice(uuids)
        elif rng.random() < 0.05:
            parent = rng.choice([None, "gone"])
        more = {"isSidechain": rng.random() < 0.1}
        if rng.random() < 0.1:
            more["isMeta"] = True
        uuid = f"{session}-{n}"
        uuids.append(uuid)
        name = f"k{rng.randint(0, 6)}"
        kind = rng.random()
        if kind < 0.25:
            log.user(uuid, word(), parent=parent, **more)
        elif kind < 0.5:
            blocks = [call(f"k{rng.randint(0, 6)}", n=word()) for _ in range(rng.randint(1, 2))]
            log.agent(
                uuid, blocks + ([text(word())] if rng.random() < 0.3 else []), parent=parent, **more
            )
        elif kind < 0.75:
            extra = [text(word())] if rng.random() < 0.15 else []
            log.results(uuid, result(name, word()), *extra, parent=parent, **more)
        elif kind < 0.9:
            log.agent(uuid, word(), parent=parent, **more)
        elif kind < 0.95:
            log.raw(json.dumps({"type": "system", "uuid": uuid, "parentUuid": parent, **more}))
            log.last = uuid
        else:
            log.agent(uuid, [{"type": "thinking", "thinking": word()}], parent=parent, **more)
    return log, words


def counts(db, words):
    """How often each word is in the database."""
    held = "\n".join(
        column(db, "SELECT content FROM messages")
        + column(db, "SELECT params || ' ' || coalesce(result, error, '') FROM tool_calls")
    )
    return {n for n in map(held.count, words)}


def check_anything():
    """Whatever hangs together how: in pieces or at once, everything is there exactly once."""
    bad = []
    for seed in range(100):
        rng = random.Random(seed)
        (log, words), (other, others) = random_log(rng, f"s{seed}"), random_log(rng, f"t{seed}")
        shared = Log(log.lines[: len(log.lines) // 2] + other.lines)
        for cuts in (0, 1, 5):
            db = connect()
            for cut in sorted(rng.randint(0, len(log.lines)) for _ in range(cuts)):
                load(db, ("main", "\n".join(log.lines[:cut])))
            load(db, ("main", log), ("other", shared))
            found = counts(db, words + others)
            before = dump(db)
            load(db, ("main", log), ("other", shared))
            if found != {1} or dump(db) != before:
                bad.append((seed, cuts, found, dump(db) == before))
    check("anything: all there, once; again changes nothing", bad, [])


# ---- Size ---------------------------------------------------------------------------------------


def long_log(entries, prompts_every):
    """A conversation with a call in every second step, and an edited prompt now and then."""
    random.seed(entries)
    log, n, last_prompt = Log(), 0, None
    while n < entries:
        if n % prompts_every == 0:
            parent = last_prompt if last_prompt and random.random() < 0.1 else log.last
            last_prompt = log.last
            log.user(f"u{n}", f"prompt {n} " + "x" * 200, parent=parent)
        elif n % 2:
            log.agent(f"u{n}", [text(f"step {n}"), call(f"k{n}", arg="y" * 300)], usage=(7, 3))
        else:
            log.results(f"u{n}", result(f"k{n - 1}", "z" * 400))
        n += 1
    return log


def timed(log, label="main"):
    db = connect()
    began = time.process_time()
    report = load(db, (label, log))[0]
    return time.process_time() - began, report, db


def check_size():
    small, report, db = timed(long_log(5000, 10))
    check(
        "5,000 entries: report",
        (report["entries"], report["turns_made"], report["broken"]),
        (5000, 500, 0),
    )
    check("5,000 entries: usage", rows(db, "SELECT sum(input_tokens) FROM turns")[0][0], 7 * 2500)
    check(f"5,000 entries: in time ({small:.1f} s)", small < 10)
    large, report, _ = timed(long_log(20000, 10))
    check("20,000 entries: report", (report["entries"], report["turns_made"]), (20000, 2000))
    check(
        f"20,000 entries cost four times as much ({small:.2f} s, {large:.2f} s)",
        large < 8 * small + 1,
    )
    again = time.process_time()
    load(db, ("main", long_log(5000, 10)))
    again = time.process_time() - again
    check(f"5,000 entries again ({again:.2f} s)", again < 2 * small + 1)

    spent, report, db = timed(long_log(9000, 9000))
    check(f"one prompt, 9,000 entries ({spent:.1f} s)", spent < 10)
    check("one prompt, 9,000 entries: several turns", report["turns_made"], 5)
    check("one prompt, 9,000 entries: one after the other", len(path(db, "main")), 5)
    late = column(db, "SELECT count(*) FROM messages WHERE role = 'tool'")[0]
    check(
        "one prompt, 9,000 entries: calls",
        rows(db, "SELECT count(*), sum(status = 'pending') FROM tool_calls"),
        [(4500, 1 + late)],
    )
    most = "SELECT max(n) FROM (SELECT count(*) AS n FROM messages GROUP BY turn_id)"
    check("one prompt, 9,000 entries: no turn is full", column(db, most)[0] < 3100)
    answered = (
        "SELECT count(*) FROM session_context('main') "
        "WHERE kind = 'tool_result' AND status = 'completed'"
    )
    check(
        "one prompt, 9,000 entries: every call but the last has its result",
        column(db, answered),
        [4499],
    )
    before = dump(db)
    load(db, ("main", long_log(9000, 9000)))
    check("one prompt, 9,000 entries: again, nothing has changed", dump(db), before)

    log = Log().user("p1", "look")
    for n in range(5):
        log.agent(f"a{n}", [call(f"k{n}")]).results(f"r{n}", result(f"k{n}", "w" * 5_000_000))
    _, report, db = timed(log)
    check("25 MB in one turn", (report["broken"], len(path(db, "main")) > 1), (0, True))

    log = Log().user("p1", "wait")
    for n in range(3000):
        log.raw(json.dumps({"type": "progress", "uuid": f"y{n}", "parentUuid": log.last}))
        log.last = f"y{n}"
    log.user("p2", "on")
    spent, _, db = timed(log)
    check(
        f"3,000 entries that are skipped in a row ({spent:.1f} s)", path(db, "main"), ["p1", "p2"]
    )


# ---- The shell, the documentation ---------------------------------------------------------------


def shell(*command, stdin=""):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


def without_uuid(database):
    db = sqlite3.connect(database)
    try:
        return {name: rows(db, f"SELECT * FROM {name} ORDER BY rowid") for name in TABLES}
    finally:
        db.close()


def blocks(path_, language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", read(path_))


def check_shell():
    if not shutil.which("sqlite3"):
        print("import: the sqlite3 shell is not installed; what needs it is not run")
        return
    with tempfile.TemporaryDirectory() as work:
        by_python, by_shell = os.path.join(work, "python.db"), os.path.join(work, "it's shell.db")
        log = os.path.join(work, "it's a log.jsonl")
        shutil.copy(TRANSCRIPT, log)
        db = connect(by_python)
        load(db, ("it's me", read("examples/transcript.jsonl")))
        db.close()
        importer = ["sh", "examples/import.sh", by_shell, "it's me", log, LIBRARY]
        status, out, err = shell(*importer)
        check("import.sh: status", (status, err), (0, ""))
        check("import.sh: the same as from Python", without_uuid(by_shell), without_uuid(by_python))
        console = [
            block for block in blocks("examples/README.md", "console") if "import.sh" in block
        ]
        expected = re.split(r"(?m)^\$ .*\n", console[0])[1:] if console else ["", ""]
        trimmed = [
            re.sub(r"(?m)^ +| +$", "", text_).replace("main", "it's me") for text_ in expected
        ]
        check(
            "import.sh prints what examples/README.md shows",
            re.sub(r"(?m)^ +| +$", "", out),
            trimmed[0],
        )
        status, out, err = shell(*importer)
        check("import.sh again: status", (status, err), (0, ""))
        check(
            "import.sh again: report",
            re.findall(r"turns_(\w+) = (\d+)", out),
            [("made", "0"), ("there", "14")],
        )
        check(
            "import.sh again: nothing has changed", without_uuid(by_shell), without_uuid(by_python)
        )
        check(
            "import.sh: no transcript",
            shell("sh", "examples/import.sh", by_shell, "x", "none", LIBRARY)[::2],
            (1, "import.sh: there is no none\n"),
        )
        check("import.sh: called wrongly", shell("sh", "examples/import.sh", by_shell)[0] != 0)
        db = connect(by_shell)
        db.execute(
            "SELECT turn_begin('it''s me', 'w', "
            '\'{"messages":[{"role":"user","content":"x"}]}\')'
        )
        db.close()
        before = without_uuid(by_shell)
        with open(log, "a", encoding="utf-8") as file:
            file.write(
                str(Log().user("more", "more", parent="6e106c0e-e9de-4479-8044-9aa0ca304218"))
            )
        status, out, err = shell(*importer)
        check("import.sh: a live run: status", (status != 0, "turn_append: " in err), (True, True))
        check("import.sh: a live run: nothing has changed", without_uuid(by_shell), before)
        # Without .bail the shell goes on after the error; there is no half import either.
        script = importer_script(log, "it's me")
        status, out, err = shell("sqlite3", "-batch", "-init", os.devnull, by_shell, stdin=script)
        check("the shell without .bail: says so", "turn_append: " in err + out)
        check("the shell without .bail: nothing has changed", without_uuid(by_shell), before)


def importer_script(log, label):
    quoted = log.replace("'", "''"), label.replace("'", "''")
    return (
        f".load '{LIBRARY}'\nCREATE TEMP TABLE import_source(label TEXT, transcript TEXT);\n"
        f"INSERT INTO import_source VALUES ('{quoted[1]}',"
        f" CAST(readfile('{quoted[0]}') AS TEXT));\n"
        ".read sql/scripts/import_transcript.sql\n"
    )


def check_docs():
    """The programs in docs/transcripts.md run, and print what their comments say."""
    found = blocks("docs/transcripts.md", "py")
    check("docs/transcripts.md has a program", len(found), 1)
    for block in found:
        code = block.replace('"./build/turnstile"', json.dumps(LIBRARY)).replace(
            '"agent.db"', '":memory:"'
        )
        want = re.findall(r"(?m)^print\(.*\)  # (.*)$", block)
        status, out, err = shell(sys.executable, "-c", code)
        check("docs/transcripts.md: what the program prints", (out.splitlines(), err), (want, ""))
    names = re.findall(r"(?m)^\| `(\w+)` \|", read("docs/transcripts.md").split("## The report", 1)[-1])
    db = connect()
    load(db, ("main", ""))
    check(
        "docs/transcripts.md: the columns of the report",
        names,
        [d[0] for d in db.execute("SELECT * FROM import_report").description],
    )


def main():
    if len(sys.argv) > 2 and sys.argv[2] == "sizes":
        check_odd_sizes()
    else:
        check_all()
    suite.done()


def check_all():
    check_recording()
    check_growing()
    check_branches()
    check_shared()
    check_sidechains()
    check_calls()
    check_content()
    check_other_types()
    check_malformed()
    check_errors()
    check_odd_calls()
    check_odd_entries()
    check_odd_usage()
    check_odd_content()
    check_held()
    check_origin()
    check_workers()
    check_workers_at_rest()
    check_sessions()
    check_anything()
    check_size()
    check_shell()
    check_docs()


if __name__ == "__main__":
    main()
