"""What the Python suites share: connections with the extension, counting, and the invariants.

A suite is run as `python3 SUITE.py BUILDDIR`; BUILDDIR holds the library. It ends with a line
`NAME: N passed, N failed` and with exit code 1 when something failed.
"""

import collections
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile


def library(build):
    for name in ("turnstile.so", "turnstile.dylib"):
        path = os.path.join(build, name)
        if os.path.exists(path):
            return os.path.abspath(path)
    sys.exit(f"there is no turnstile library in {build}")


def connect(path, lib, timeout=10.0, uri=False, encoding=None):
    """A connection in autocommit mode with the extension loaded. encoding: of the texts in a new file."""
    db = sqlite3.connect(path, timeout=timeout, isolation_level=None, uri=uri)
    if encoding:
        db.execute(f"PRAGMA encoding = '{encoding}'")
    if lib:
        if not hasattr(db, "enable_load_extension"):
            sys.exit(f"{sys.executable} can't load extensions; run this with /usr/bin/python3, or another one that can")
        db.enable_load_extension(True)
        db.execute("SELECT load_extension(?, 'sqlite3_turnstile_init')", (lib,))
        db.enable_load_extension(False)
    return db


def steps(db, lib, run):
    """How many steps SQLite's machine takes for run(), nested statements too. Counted in C: a function of Python's
    for each of them takes fifty times as long as they do. An error of run() goes on; what is counted then is lost."""
    try:
        db.execute("SELECT steps_counted()").fetchall()
    except sqlite3.OperationalError:
        db.enable_load_extension(True)
        db.execute("SELECT load_extension(?)", (helper(os.path.dirname(lib)),))
        db.enable_load_extension(False)
        db.execute("SELECT steps_counted()").fetchall()
    run()
    return one(db, "SELECT steps_counted()")


def query_of(page, begins, ends):
    """The query of a page of docs/ that begins with a line and ends so, from line to line."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", page)
    with open(place, encoding="utf-8") as text:
        found = re.findall(rf"^{re.escape(begins)}\n(?:.*\n)*?{re.escape(ends)};$", text.read(), re.M)
    if len(found) != 1:
        raise LookupError(f"docs/{page} has {len(found)} queries that begin with {begins!r} and end in {ends!r}, not one")
    return found[0]


def helper(build):
    """The library of tests/lib/error_of.c. `make test` builds it; who runs a suite by hand may not have it yet."""
    path, source = os.path.join(build, "tests", "error_of.so"), os.path.join(os.path.dirname(os.path.abspath(__file__)), "error_of.c")
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(source):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        made = f"{path}.{os.getpid()}"
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", made, source], check=True)
        os.replace(made, path)
    return path


def one(db, sql, *args):
    """The first column of the only row. The statement is run to its end."""
    rows = db.execute(sql, args).fetchall()
    return rows[0][0] if rows else None


def through(db, command, args, view="turnstile"):
    """A command through a door. args: a list of them, or a dict by their names."""
    return one(db, f"INSERT INTO {view}(command, args) VALUES(?, ?) RETURNING turnstile_result()", command, json.dumps(args))


def door(db, command, *args):
    """A command through the door."""
    return through(db, command, args)


def error_of(call, *args):
    """The error that a call raises, or None."""
    try:
        call(*args)
    except sqlite3.Error as error:
        return error
    return None


class Suite:
    def __init__(self, name, width=None):
        """width: so many characters of a value are shown, when the values are whole tables."""
        self.name, self.width = name, width
        self.passed = self.failed = 0
        self.folder = tempfile.TemporaryDirectory(prefix="turnstile-")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def check(self, what, got, expected=True):
        if got == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{what}\n  got      {self.shown(got)}\n  expected {self.shown(expected)}", flush=True)
        return got == expected

    def shown(self, value):
        text = repr(value)
        return text if self.width is None or len(text) <= self.width else text[: self.width] + "…"

    def holds(self, what, text, *parts):
        """Does the text (or error) hold all the parts?"""
        missing = [p for p in parts if p not in str(text)]
        return self.check(what, f"{text!r} lacks {missing}" if missing else True)

    def sound(self, what, db, but=(), deleted=False):
        """integrity_check, every invariant, and turnstile_check where the extension is loaded; of
        its rules all but some. deleted: sessions were, which leaves gaps in what is numbered."""
        self.check(f"{what}: integrity", one(db, "PRAGMA integrity_check"), "ok")
        loaded = one(db, "SELECT 1 FROM pragma_module_list WHERE name = 'turnstile_check'")
        for name, sql in INVARIANTS:
            if (sql == CHECK and not loaded) or (deleted and "gapless" in name):
                continue
            rows = [row for row in db.execute(sql).fetchall() if row[0] not in but]
            self.check(f"{what}: {name}", rows[:5], [])

    def done(self):
        self.folder.cleanup()
        print(f"{self.name}: {self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


class Tally:
    """What a walk's commands came to: done, or refused. A walk that lets the state refuse a command would not notice that
    one of its own words is wrong; always() gives what was tried and refused each time: a command, an option of it, or a word
    that it was given as an option or in a place."""

    def __init__(self, least=10):
        self.least, self.done, self.refused, self.said = least, collections.Counter(), collections.Counter(), {}

    def add(self, command, args, error=None):
        """args: its arguments in their places, and its options as a dict among them."""
        for what in dict.fromkeys((command, *self.parts(command, args))):
            (self.done if error is None else self.refused)[what] += 1
            if error is not None:
                self.said[what] = str(error)

    @staticmethod
    def parts(command, args):
        """Options, and words but those in the first place, where most commands have a label."""
        for place, value in enumerate(args):
            if place == 0 and isinstance(value, str):
                continue
            for name, word in value.items() if isinstance(value, dict) else ((None, value),):
                if name is not None:
                    yield f"{command} {name}"
                if isinstance(word, str) and re.fullmatch(r"[A-Za-z_-]+", word):
                    yield f"{command} {place if name is None else name}={word}"

    def always(self, but=()):
        """What was refused each time, with the last error; but: what is meant to be."""
        often = (what for what, n in self.refused.items() if n >= self.least and not self.done[what])
        return {what: self.said[what] for what in often if what not in but}


# What the library finds itself: every rule of docs/checking.md.
CHECK = "SELECT rule, table_name, session_label, ref, problem FROM turnstile_check"

# Each is a query for rows that must not exist.
TURNSTILE_BUSY = 5 | 84 << 8  # somebody else is at work; not that the file is locked

INVARIANTS = [
    ("turnstile_check is empty", CHECK),
    (
        "events are gapless",
        "SELECT * FROM (SELECT count(*) AS n, max(id) AS last FROM session_events) WHERE n <> coalesce(last, 0)",
    ),
    (
        "deliveries are gapless",
        "SELECT * FROM (SELECT count(*) AS n, max(id) AS last FROM deliveries) WHERE n <> coalesce(last, 0)",
    ),
    (
        "what asks for work has an input",
        "SELECT id, decision FROM deliveries WHERE action IN ('start', 'answer', 'compact', "
        "'queue', 'blocked') AND decision ->> '$.queue_id' IS NULL",
    ),
    (
        "a decision's input is there",
        "SELECT id, decision FROM deliveries AS d WHERE decision ->> '$.queue_id' IS NOT NULL AND "
        "NOT EXISTS (SELECT 1 FROM session_queue AS q WHERE q.id = d.decision ->> '$.queue_id' "
        "AND (q.session_label = d.session_label OR q.delivery_id = d.id OR q.session_label = "
        "(SELECT superseded_by FROM sessions WHERE label = d.session_label)))",
    ),
    (
        "an input's delivery is there, with the same text",
        "SELECT id FROM session_queue AS q WHERE NOT EXISTS (SELECT 1 FROM deliveries AS d "
        "WHERE d.id = q.delivery_id AND d.message = q.message)",
    ),
    (
        "one open task per session",
        "SELECT session_label FROM tasks WHERE ended_at IS NULL GROUP BY 1 HAVING count(*) > 1",
    ),
    (
        "open_task_id is the open task",
        "SELECT label FROM sessions AS s WHERE open_task_id IS NOT (SELECT id FROM tasks WHERE "
        "session_label = s.label AND ended_at IS NULL)",
    ),
    (
        "a task is where its last event left it",
        "SELECT id FROM tasks AS t WHERE state IS NOT (SELECT to_state FROM session_events WHERE "
        "task_id = t.id AND axis = 'task' ORDER BY id DESC LIMIT 1)",
    ),
    (
        "a session's status is where its last event left it",
        "SELECT label FROM sessions AS s WHERE status IS NOT (SELECT to_state FROM session_events "
        "WHERE session_label = s.label AND axis = 'status' ORDER BY id DESC LIMIT 1)",
    ),
    (
        "a session's commits are a chain",
        "SELECT * FROM (SELECT session_label, parent_id, lag(id) OVER (PARTITION BY session_label "
        "ORDER BY seq) AS before FROM commits) WHERE parent_id IS NOT before",
    ),
    (
        "a commit is its task's",
        "SELECT c.id FROM commits AS c LEFT JOIN tasks AS t ON t.id = c.task_id "
        "WHERE t.commit_id IS NOT c.id OR t.state <> 'None'",
    ),
    (
        "a task's commit is there",
        "SELECT id FROM tasks AS t WHERE commit_id IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM commits AS c WHERE c.id = t.commit_id AND c.task_id = t.id)",
    ),
    (
        "steps are a chain",
        "SELECT id FROM steps AS s WHERE parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        "steps AS p WHERE p.task_id = s.task_id AND p.id = s.parent_id)",
    ),
    (
        "a task's head is a step of its own",
        "SELECT id FROM tasks AS t WHERE head_step_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        "steps AS s WHERE s.task_id = t.id AND s.id = t.head_step_id)",
    ),
    (
        "flushed observations have their step",
        "SELECT id FROM observations AS o WHERE step_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        "steps AS s WHERE s.task_id = o.task_id AND s.id = o.step_id)",
    ),
    (
        "an ended task leaves nothing unflushed",
        "SELECT o.id FROM observations AS o JOIN tasks AS t ON t.id = o.task_id "
        "WHERE t.commit_id IS NOT NULL AND o.step_id IS NULL",
    ),
    ("the guards are closed", "SELECT key FROM turnstile_meta WHERE key = 'unguarded'"),
    # The turn tree.
    (
        "a head stands on the path",
        "SELECT label FROM sessions AS s WHERE thread_id IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM turns WHERE id = s.thread_id AND on_path = 1)",
    ),
    (
        "a head is where its last move left it",
        "SELECT label FROM sessions AS s WHERE thread_id IS NOT (SELECT nullif(thread_id, 0) FROM "
        "session_history WHERE session_label = s.label ORDER BY id DESC LIMIT 1)",
    ),
    (
        "history is gapless",
        "SELECT * FROM (SELECT count(*) AS n, max(id) AS last FROM session_history) WHERE n <> coalesce(last, 0)",
    ),
    (
        "a running turn has its run",
        "SELECT id FROM turns AS t WHERE status = 'running' AND "
        "(SELECT count(*) FROM session_runs WHERE turn_id = t.id) <> 1",
    ),
    (
        "a run's turn is running, below the head",
        "SELECT session_label FROM session_runs AS r WHERE turn_id IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM turns AS t JOIN sessions AS s ON s.label = r.session_label "
        "WHERE t.id = r.turn_id AND t.status = 'running' AND t.parent_turn_id IS s.thread_id)",
    ),
    (
        "a lease goes with a turn",
        "SELECT session_label FROM session_runs WHERE "
        "turn_id IS NOT NULL AND (expires_at IS NULL OR token < 1)",
    ),
    (
        "a turn's columns fit its status",
        "SELECT id FROM turns WHERE (status = 'running') <> (phase IS NOT NULL) "
        "OR (status = 'running') <> (completed_at IS NULL) "
        "OR on_path > (status IN ('completed', 'aborted')) OR on_path < (status = 'completed')",
    ),
    (
        "a turn is where its last event left it",
        "SELECT id FROM turns AS t JOIN (SELECT data ->> '$.turn' AS turn, max(id) AS last "
        "FROM session_events WHERE axis = 'turn' GROUP BY 1) AS e ON e.turn = t.id WHERE "
        "(SELECT to_state FROM session_events WHERE id = e.last) IS NOT coalesce(phase, status)",
    ),
    (
        "a turn lies right below its parent, which stands on the path",
        "SELECT t.id FROM turns AS t LEFT JOIN turns AS p ON p.id = t.parent_turn_id WHERE "
        "t.id & 16777215 <> CASE WHEN t.parent_turn_id IS NULL THEN 0 "
        "WHEN p.on_path = 1 THEN (p.id & 16777215) + 1 ELSE -1 END",
    ),
    (
        "a branch holds its turns without a gap",
        "SELECT b.id FROM branches AS b WHERE (SELECT min(id & 16777215) IS NOT b.first_depth OR "
        "max(id & 16777215) - b.first_depth + 1 <> count(*) FROM turns WHERE id >> 24 = b.id)",
    ),
    (
        "a turn has its branch",
        "SELECT id FROM turns WHERE id >> 24 NOT IN (SELECT id FROM branches)",
    ),
    (
        "a branch fits its parent branch and its jump",
        "SELECT b.id FROM branches AS b LEFT JOIN branches AS p ON p.id = b.parent_turn_id >> 24 "
        "LEFT JOIN branches AS j ON j.id = b.jump_id WHERE "
        "b.level <> CASE WHEN b.parent_turn_id IS NULL THEN 0 ELSE coalesce(p.level, -9) + 1 END "
        "OR b.first_depth <> coalesce((b.parent_turn_id & 16777215) + 1, 0) "
        "OR (b.parent_turn_id IS NULL) <> (b.jump_id IS NULL) OR b.jump_depth IS NOT j.first_depth",
    ),
    (
        # But for one place that is left out between two steps of calls.
        "a turn's messages and calls follow each other without a gap",
        "SELECT place >> 12 FROM (SELECT place, call, lag(place) OVER turn AS before, "
        "lag(call) OVER turn AS after_call FROM (SELECT place, 0 AS call FROM messages UNION ALL "
        "SELECT place, 1 FROM tool_calls) WINDOW turn AS (PARTITION BY place >> 12 ORDER BY place)) "
        "WHERE place - coalesce(before, (place >> 12 << 12) - 1) NOT IN (1, 1 + (call AND "
        "coalesce(after_call, 0))) OR (place >> 12) NOT IN (SELECT id FROM turns)",
    ),
    (
        # But for a run that went on behind a summary of what it had done, and then said nothing.
        "a turn that ended well holds something",
        "SELECT id FROM turns AS t WHERE on_path = 1 AND turn_type = 'normal' AND NOT EXISTS "
        "(SELECT 1 FROM compactions WHERE turn_id = t.parent_turn_id) AND NOT EXISTS "
        "(SELECT 1 FROM messages WHERE place BETWEEN t.id << 12 AND t.id << 12 | 4095) AND NOT "
        "EXISTS (SELECT 1 FROM tool_calls WHERE place BETWEEN t.id << 12 AND t.id << 12 | 4095)",
    ),
    (
        "a call's columns fit its status",
        "SELECT place FROM tool_calls WHERE (status = 'pending') <> (completed_at IS NULL) OR "
        "(status = 'failed') <> (error IS NOT NULL) OR (status = 'completed') <> "
        "(result IS NOT NULL)",
    ),
    (
        "a call's id is used once in its turn",
        "SELECT place >> 12, id FROM tool_calls GROUP BY 1, 2 HAVING count(*) > 1",
    ),
    (
        "a compaction has its turn, and the other way round",
        "SELECT id FROM turns AS t WHERE (turn_type = 'compaction' AND on_path = 1) <> "
        "EXISTS (SELECT 1 FROM compactions WHERE turn_id = t.id)",
    ),
    (
        "a compaction keeps what lies above it",
        "WITH RECURSIVE up(c, t) AS (SELECT turn_id, turn_id FROM compactions UNION ALL "
        "SELECT c, parent_turn_id FROM up JOIN turns ON id = t WHERE parent_turn_id IS NOT NULL) "
        "SELECT turn_id FROM compactions AS k WHERE first_kept_turn_id IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM up WHERE c = k.turn_id AND t = first_kept_turn_id)",
    ),
    (
        "the sizes of threads grow",
        "SELECT t.id FROM turns AS t JOIN turns AS p ON p.id = t.parent_turn_id "
        "WHERE t.status <> 'running' AND (t.thread_tokens < p.thread_tokens OR "
        "(t.turn_type = 'compaction' AND t.thread_tokens <> p.thread_tokens))",
    ),
    (
        "a session counts the turns it has made",
        "SELECT label FROM sessions AS s WHERE turns <> (SELECT count(*) FROM session_history "
        "WHERE session_label = s.label AND reason IN ('append', 'complete', 'abort'))",
    ),
    (
        "an input is being processed by a running turn",
        "SELECT id FROM session_queue AS q WHERE status = 'processing' AND NOT EXISTS "
        "(SELECT 1 FROM turns WHERE id = q.turn_id AND status = 'running')",
    ),
]
