#!/usr/bin/python3
"""delete_model.py - session_delete against reachability worked out in Python.

    tests/care/delete_model.py BUILDDIR [seeds]

Random trees over several sessions are built through the commands: appends under the head and under
any turn, forks, rewinds, compactions (also for a running turn), turns that complete, fail and are
aborted, with and without output. Then sessions are deleted one after the other, in any order, with
more commands in between. The model knows turns(id, parent) and who points where; from that it says
which turns are left. After every delete the other sessions must show what they showed before, every
turn that is left must have the context it had, no row may carry the label, and no id may be used
twice. When the last session is gone no turn is left.

The last part counts steps of SQLite's machine instead of seconds.
"""

import json
import os
import random
import sqlite3
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import INVARIANTS, Suite, Tally, connect, door, error_of, library, one  # noqa: E402

suite, tally = Suite("delete"), Tally()
lib = library(sys.argv[1])
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20

CALL = {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "k", "name": "ls"}]}

# Tables whose rows belong to a session, and how the report calls them.
LABELLED = {
    "tasks": "tasks",
    "commits": "commits",
    "observations": "observations",
    "edges": "edges",
    "session_events": "events",
    "session_history": "history",
    "deliveries": "deliveries",
    "session_queue": "queue",
    "session_aliases": "aliases",
    "turnstile_config": "settings",
}
COUNTED = LABELLED | {
    "turns": "turns",
    "messages": "messages",
    "tool_calls": "tool_calls",
    "compactions": "compactions",
    "steps": "steps",
    "objects": "objects",
}

# What must not be after a delete. (That events and deliveries are numbered without gaps is over.)
SOUND = [(name, sql) for name, sql in INVARIANTS if "gapless" not in name] + [
    (
        "no pointer leads to nothing",
        "SELECT * FROM (SELECT label, thread_id AS turn FROM sessions "
        "UNION ALL SELECT label, parent_turn_id FROM sessions "
        "UNION ALL SELECT session_label, thread_id FROM session_history "
        "UNION ALL SELECT session_label, turn_id FROM session_runs "
        "UNION ALL SELECT session_label, failed_turn_id FROM session_runs "
        "UNION ALL SELECT session_label, turn_id FROM session_queue "
        "UNION ALL SELECT id, context_turn_id FROM turns "
        "UNION ALL SELECT id, resumes_turn_id FROM turns "
        "UNION ALL SELECT id, answers_turn_id FROM turns "
        "UNION ALL SELECT turn_id, recovered_turn_id FROM compactions "
        "UNION ALL SELECT turn_id, summarized_through_turn_id FROM compactions "
        "UNION ALL SELECT session_label, data ->> '$.turn' FROM session_events "
        "WHERE axis = 'turn') "
        "WHERE turn IS NOT NULL AND turn NOT IN (SELECT id FROM turns)",
    ),
    (
        "rows have their session",
        "SELECT session_label FROM ("
        + " UNION ALL ".join(f"SELECT session_label FROM {t}" for t in LABELLED)
        + " UNION ALL SELECT session_label FROM session_runs) "
        "WHERE session_label <> '' AND session_label NOT IN (SELECT label FROM sessions)",
    ),
    (
        "steps have their task, objects somebody who saw them, and the other way round",
        "SELECT id FROM steps WHERE task_id NOT IN (SELECT id FROM tasks) UNION ALL "
        "SELECT id FROM objects WHERE id NOT IN (SELECT object_id FROM observations "
        "WHERE object_id IS NOT NULL) UNION ALL SELECT id FROM observations "
        "WHERE object_id IS NOT NULL AND object_id NOT IN (SELECT id FROM objects)",
    ),
    (
        "nobody was merged into a session that is gone",
        "SELECT label FROM sessions WHERE superseded_by NOT IN (SELECT label FROM sessions)",
    ),
    (
        "a branch that lost its end is closed",
        "SELECT parent_turn_id FROM branches AS b WHERE parent_turn_id + 1 NOT IN "
        "(SELECT id FROM turns) AND NOT (SELECT closed FROM branches WHERE id = "
        "b.parent_turn_id >> 24)",
    ),
    ("the guards are closed", "SELECT key FROM turnstile_meta WHERE key = 'unguarded'"),
]


class Model:
    """Turns and pointers as they are stored now. It knows nothing of branches and places."""

    def __init__(self, db):
        self.up = {}  # turn → turns that it needs: above it, and what its context shows
        for row in db.execute(
            "SELECT id, parent_turn_id, context_turn_id, resumes_turn_id, answers_turn_id "
            "FROM turns"
        ):
            self.up[row[0]] = {t for t in row[1:] if t is not None}
        for turn, kept, through, made_for in db.execute(
            "SELECT turn_id, first_kept_turn_id, summarized_through_turn_id, recovered_turn_id "
            "FROM compactions"
        ):
            self.up[turn] |= {t for t in (kept, through) if t is not None}
            if made_for is not None:
                self.up.setdefault(made_for, set()).add(turn)
        self.points = {}
        for label, turn in db.execute(
            "SELECT label, thread_id FROM sessions UNION ALL "
            "SELECT session_label, thread_id FROM session_history UNION ALL "
            "SELECT session_label, turn_id FROM session_runs UNION ALL "
            "SELECT session_label, failed_turn_id FROM session_runs UNION ALL "
            "SELECT session_label, turn_id FROM session_queue UNION ALL "
            "SELECT session_label, data ->> '$.turn' FROM session_events WHERE axis = 'turn'"
        ):
            self.points.setdefault(label, set()).add(turn)
        self.heads = dict(db.execute("SELECT label, thread_id FROM sessions"))

    def reach(self, labels):
        seen, todo = set(), [t for label in labels for t in self.points[label] if t is not None]
        while todo:
            turn = todo.pop()
            if turn not in seen:
                seen.add(turn)
                todo.extend(self.up.get(turn, ()))
        return seen

    def thread(self, label, parents):
        turn, path = self.heads[label], []
        while turn is not None:
            path.append(turn)
            turn = parents[turn]
        return path


def dump(db):
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {t: db.execute(f'SELECT * FROM "{t}" ORDER BY 1, 2').fetchall() for t in tables}


SHOWN = [
    "SELECT * FROM turn_path(?)",
    "SELECT * FROM session_context(?)",
    "SELECT session_usage(?)",
    "SELECT session_state(?)",
    "SELECT * FROM session_history WHERE session_label = ?",
    "SELECT * FROM session_events WHERE session_label = ?",
    "SELECT * FROM session_queue WHERE session_label = ?",
    "SELECT session_recover(?)",
]


def rows_or_error(db, sql, *args):
    try:
        return db.execute(sql, args).fetchall()
    except sqlite3.Error as error:
        return str(error)


def shown(db, label):
    """Everything that a session shows of itself."""
    db.execute("BEGIN")
    got = [rows_or_error(db, sql, label) for sql in SHOWN]
    db.execute("ROLLBACK")
    return got


class World:
    def __init__(self, seed, path=":memory:"):
        self.r = random.Random(seed)
        self.name = f"seed {seed}"
        self.db = connect(path, lib)
        self.db.execute("SELECT turnstile_clock(1700000000000)")
        one(self.db, "SELECT turnstile_install()")
        self.ever, self.gone = set(), set()  # ids of turns that were ever used, that are no more
        self.made = 0
        self.labels = [f"s{i}" for i in range(self.r.randint(2, 6))]

    def rows(self, sql, *args):
        return self.db.execute(sql, args).fetchall()

    def call(self, command, *args):
        """Some calls are refused; that changes nothing."""
        try:
            result = door(self.db, command, *args)
        except sqlite3.Error as error:
            return tally.add(command, args, error)
        tally.add(command, args)
        return result

    def some_turn(self):
        turns = self.rows("SELECT id FROM turns WHERE on_path = 1 ORDER BY id")
        return self.r.choice(turns)[0] if turns else 0

    def live(self):
        runs = self.rows(
            "SELECT session_label, turn_id, token FROM session_runs "
            "WHERE turn_id IS NOT NULL ORDER BY 1"
        )
        return self.r.choice(runs) if runs else ("", 0, 0)

    def said(self):
        self.made += 1
        return [{"role": self.r.choice(("user", "assistant")), "content": f"{self.made}."}]

    def stumble(self, label):
        """Turns are compacted while they run, or fail in the middle, or both; others go on."""
        r = self.r
        for _ in range(r.randint(1, 3)):
            begun = self.call("turn_begin", label, "host", {"messages": self.said()})
            if not begun:
                return
            turn, token = (json.loads(begun)[k] for k in ("turn", "token"))
            if r.random() < 0.7:
                self.call("turn_message", turn, token, self.said()[0])
            if r.random() < 0.4:
                self.call(
                    "turn_compact",
                    label,
                    "Long.",
                    {"turn": turn, "token": token, "keep_turns": r.randrange(2)},
                )
            if r.random() < 0.7:
                self.call("turn_fail", turn, token, "boom")
            else:
                self.call("turn_complete", turn, token, {"content": "done"})
        if r.random() < 0.7:
            self.call("turn_append", label, self.said())
        turns = self.rows("SELECT id FROM turns WHERE on_path = 1 ORDER BY id DESC LIMIT 3")
        new = f"f{r.randrange(9)}"
        if turns and r.random() < 0.6 and self.call("session_fork", r.choice(turns)[0], new):
            self.labels += [new] * (new not in self.labels)

    def step(self):
        r, label = self.r, self.r.choice(self.labels)
        way = r.random()
        if way < 0.1:
            self.stumble(label)
            return self.look_at_ids()
        way = r.random()
        if way < 0.25:
            messages = self.said() + ([CALL] if r.random() < 0.2 else [])
            if r.random() < 0.15:
                messages.append({"role": "tool", "tool_call_id": "k", "content": "late"})
            self.call("turn_append", label, messages)
        elif way < 0.33:
            self.call("turn_append", label, self.said(), {"parent": self.some_turn()})
        elif way < 0.42:
            new = r.choice(self.labels + [f"f{r.randrange(9)}"])
            if self.call("session_fork", self.some_turn(), new) and new not in self.labels:
                self.labels.append(new)
        elif way < 0.48:
            path = self.rows(
                "SELECT turn_id FROM turn_path((SELECT thread_id FROM sessions "
                "WHERE label = ?))",
                label,
            )
            if path:
                self.call("session_rewind", label, r.choice(path)[0])
        elif way < 0.53:
            self.call("turn_compact", label, "They talked.", {"keep_turns": r.randrange(3)})
        elif way < 0.66:
            self.call("turn_begin", label, "host", {"messages": self.said()})
        elif way < 0.74:
            _, turn, token = self.live()
            self.call("turn_message", turn, token, CALL if r.random() < 0.4 else self.said()[0])
        elif way < 0.79:
            owner, turn, token = self.live()
            self.call(
                "turn_compact",
                owner,
                "Long.",
                {"turn": turn, "token": token, "keep_turns": r.randrange(2)},
            )
        elif way < 0.88:
            _, turn, token = self.live()
            end = r.choice(("turn_complete", "turn_fail", "turn_abort", "drop"))
            if end == "turn_complete":
                self.call(end, turn, token, {"content": "done"})
            elif end == "drop":
                self.call("turn_abort", turn, token, "enough", {"keep": 0})
            else:
                self.call(end, turn, token, "boom")
        elif way < 0.92:
            self.call(
                "session_deliver", label, "go on", {"class": r.choice(("NewTask", "Response"))}
            )
        elif way < 0.94:
            for some in r.sample(self.labels, 2):
                self.call("session_start", some, "look")
                self.call("session_observe", some, "FileRead", "a.c", r.choice(("one", "two")))
        elif way < 0.95:
            self.call("session_flush", label)
        elif way < 0.96:
            self.call("session_compact", label)
        elif way < 0.97:
            if self.rows("SELECT 1 FROM sessions WHERE label = ?", label):
                self.call("turnstile_config", "ask_threshold", "2h", {"session": label})
        elif way < 0.98:
            self.db.execute(
                "INSERT OR IGNORE INTO session_aliases SELECT ?, label, 'manual', 0 "
                "FROM sessions WHERE label = ?",
                (f"alias of {label}", label),
            )
        elif way < 0.99:
            new = f"w{r.randrange(5)}"
            if (
                self.call("session_spawn", label, "count", {"label": new})
                and new not in self.labels
            ):
                self.labels.append(new)
        else:
            self.call("session_run", label, "host", "idle")
        return self.look_at_ids()

    def look_at_ids(self):
        now = {t for (t,) in self.rows("SELECT id FROM turns")}
        if now & self.gone:
            suite.check(f"{self.name}: ids that are used twice", now & self.gone, set())
        self.ever |= now
        self.gone = self.ever - now

    def delete(self, label):
        """Deletes a session and compares everything."""
        db, name = self.db, f"{self.name}: delete {label}"
        model = Model(db)
        parents = dict(self.rows("SELECT id, parent_turn_id FROM turns"))
        others = [
            s for (s,) in self.rows("SELECT label FROM sessions WHERE label <> ? ORDER BY 1", label)
        ]
        suite.check(
            f"{name}: before, every turn is somebody's", model.reach(model.points), set(parents)
        )
        left = model.reach(others)
        runs = one(
            db,
            "SELECT count(*) FROM session_runs WHERE session_label = ? " "AND turn_id IS NOT NULL",
            label,
        )
        workers = one(
            db,
            "SELECT count(*) FROM sessions WHERE parent_session_label = ? AND "
            "task_status IN ('pending', 'running')",
            label,
        )
        awaited = one(
            db,
            "SELECT EXISTS (SELECT 1 FROM sessions AS w JOIN sessions AS p ON "
            "p.label = w.parent_session_label WHERE w.label = ? AND w.is_subagent = 1 "
            "AND w.task_status IN ('pending', 'running'))",
            label,
        )
        if runs or workers or awaited:
            before = dump(db)
            suite.holds(
                f"{name}: refused",
                error_of(door, db, "session_delete", label),
                "is busy" if runs else "at work",
            )
            suite.check(f"{name}: and nothing changed", dump(db) == before)
        if workers or awaited:
            # They are stopped by a command of theirs first, so that the rest can be compared.
            for (w,) in self.rows("SELECT label FROM sessions WHERE is_subagent = 1"):
                self.call(
                    "turn_fail",
                    *(
                        self.rows(
                            "SELECT turn_id, token FROM session_runs WHERE "
                            "session_label = ? AND turn_id IS NOT NULL",
                            w,
                        )
                        or [(0, 0)]
                    )[0],
                    "x",
                )
                self.call("session_report", w, "failed", "stop")
            return self.delete(label)
        before = dump(db)
        shows = {s: shown(db, s) for s in others}
        contexts = {t: self.context(t) for t in left}
        options = {"force": 1} if runs else {}
        dry = json.loads(door(db, "session_delete", label, options | {"dry_run": 1}))
        suite.check(f"{name}: a dry run changes nothing", dump(db) == before)
        real = json.loads(door(db, "session_delete", label, options))
        suite.check(f"{name}: both say the same", dry | {"dry_run": False}, real)
        after = dump(db)
        for table, key in COUNTED.items():
            suite.check(f"{name}: {table}", len(before[table]) - len(after[table]), real[key])
        suite.check(f"{name}: what is left", {r[0] for r in after["turns"]}, left)
        suite.check(
            f"{name}: shared",
            real["turns_shared"],
            len([t for t in model.thread(label, parents) if t in left]),
        )
        for s in others:
            suite.check(f"{name}: {s} shows what it showed", shown(db, s) == shows[s])
        wrong = [t for t in left if self.context(t) != contexts[t]]
        suite.check(f"{name}: contexts of turns", wrong, [])
        suite.check(
            f"{name}: its row is gone",
            one(db, "SELECT count(*) FROM sessions " "WHERE label = ?", label),
            0,
        )
        for problem, sql in SOUND:
            suite.check(f"{name}: {problem}", self.rows(sql)[:3], [])
        self.trees(name)
        self.look_at_ids()

    def context(self, turn):
        return rows_or_error(self.db, "SELECT * FROM session_context(?)", turn)

    def trees(self, name):
        """turn_tree from every root against the stored parents."""
        for (root,) in self.rows("SELECT id FROM turns WHERE parent_turn_id IS NULL"):
            got = sorted(self.rows("SELECT turn_id, level FROM turn_tree(?)", root))
            expected = self.rows(
                "WITH RECURSIVE down(id, level) AS (SELECT ?, 0 UNION ALL SELECT t.id, level + 1 "
                "FROM down JOIN turns AS t ON t.parent_turn_id = down.id) "
                "SELECT id, level FROM down ORDER BY 1",
                root,
            )
            suite.check(f"{name}: turn_tree", got, expected)

    def run(self):
        r = self.r
        for _ in range(r.randint(5, 60)):
            self.step()
        while True:
            labels = [s for (s,) in self.rows("SELECT label FROM sessions ORDER BY 1")]
            if not labels:
                break
            self.delete(r.choice(labels))
            if r.random() < 0.5 and self.made < 150:
                for _ in range(r.randint(1, 12)):
                    self.step()
        left = {
            t: len(rows)
            for t, rows in dump(self.db).items()
            if rows and t in COUNTED | {"branches": 0, "sessions": 0, "session_runs": 0}
        }
        suite.check(f"{self.name}: nothing is left", left, {})
        suite.check(f"{self.name}: integrity", one(self.db, "PRAGMA integrity_check"), "ok")


# ---- Steps ---------------------------------------------------------------------------------------


def steps(db, sql, *args):
    """How many steps of SQLite's machine a statement takes; it is undone."""
    count = 0

    def handler():
        nonlocal count
        count += 1
        return 0

    db.execute("SAVEPOINT steps")
    db.execute(sql, args).fetchall()
    db.execute("ROLLBACK TO steps")
    db.set_progress_handler(handler, 1)
    db.execute(sql, args).fetchall()
    db.set_progress_handler(None, 0)
    db.execute("ROLLBACK TO steps")
    db.execute("RELEASE steps")
    return count


def session_of_ten(db, label, parent=None):
    """Ten turns with a task, messages in the queue and a note."""
    door(db, "session_deliver", label, "port the parser", {"class": "NewTask"})
    door(db, "session_observe", label, "FileRead", "a.c", f"text of {label}")
    for i in range(10):
        options = {"parent": parent} if parent and i == 0 else {}
        door(db, "turn_append", label, [{"role": "user", "content": f"{i}"}], options)


def crowd(n, deep):
    """A file with n other sessions of ten turns, or one other thread of n turns; then ours."""
    db = connect(":memory:", lib)
    db.execute("SELECT turnstile_clock(1700000000000)")
    one(db, "SELECT turnstile_install()")
    db.execute("BEGIN")
    turn = None
    for i in range(1 if deep else n):
        session_of_ten(db, f"other {i}")
    for i in range(n if deep else 0):
        turn = door(db, "turn_append", "other 0", [{"role": "user", "content": "more"}])
    session_of_ten(db, "ours", turn)
    for i in range(5 if deep else 0):
        door(db, "turn_append", "other 0", [{"role": "user", "content": "more"}])
    db.execute("COMMIT")
    return db


def test_steps():
    sql = "SELECT session_delete('ours')"
    for deep, what in ((0, "sessions"), (1, "turns above")):
        few, many = (steps(crowd(n, deep), sql) for n in (10, 10_000))
        suite.check(f"steps beside 10 other {what}: {few}", 500 < few < 8000)
        suite.check(f"steps beside 10,000 other {what}: {few} grew to {many}", many <= few * 1.02)
    db = crowd(10, 1)
    large = steps(db, "SELECT session_delete('other 0')")
    suite.check(f"steps: a longer session takes more: {few} and {large}", large > few)


for seed in range(SEEDS):
    World(seed).run()
suite.check("nothing is refused each time", tally.always(), {})
test_steps()
suite.done()
