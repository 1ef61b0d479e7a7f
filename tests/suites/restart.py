#!/usr/bin/python3
"""restart.py BUILDDIR - a process is killed in the middle of a run, and what a restart finds.

A child takes a session through turns and stops at a chosen place; there it gets SIGKILL, with the
transaction that it has open, if any. Then the file is opened anew and turnstile_startup is called
in each of its forms: with the owner, with `all`, without either before and after the lease. Checked
is that the process is ephemeral and the conversation is not: every run idle, its sessions
suspended, the head, the history and the context those of the last completed turn; the provider's
resume_cursor is that turn's, never one that came with a turn which did not complete, and the next
turn_begin hands it out. tests/suites/scenarios.py tells whole stories around this, and
tests/suites/faults/kill.py kills at random.
"""
import json
import os
import signal
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

START = 1_700_000_000_000
LEASE = 60_000
USER = {"role": "user"}


def opened(path, lib):
    db = connect(path, lib)
    one(db, "PRAGMA synchronous = off")  # a killed process needs no sync, and the tests many
    return db


# ---- The process that dies -----------------------------------------------------------------------


class Child:
    """What the child does, up to the place where it is killed."""

    def __init__(self, path, lib, stop, open_transaction):
        self.db = opened(path, lib)
        self.stop, self.open_transaction = stop, open_transaction
        one(self.db, "SELECT turnstile_clock(?)", START)

    def call(self, command, *args):
        result = door(self.db, command, *args)
        return json.loads(result) if isinstance(result, str) and result[:1] == "{" else result

    def place(self, name):
        """The end, if this is the place: says so, and waits to be killed."""
        if name != self.stop:
            return
        if self.open_transaction:
            # Half of the next thing to do, written and not committed.
            self.db.execute("BEGIN IMMEDIATE")
            self.call("session_note", "main", "this was never committed")
            if self.run:
                live = self.run["turn"], self.run["token"]
                said = {"content": "never committed", "resume_cursor": "never"}
                self.call("turn_complete", *live, said)
        print(json.dumps(self.run), flush=True)
        sys.stdin.read()

    def turn(self, label, n, cursor, places):
        self.run = None
        if places:
            self.place("delivered")
        self.run = self.call("turn_begin", label, "A1", {"lease": LEASE})
        live = self.run["turn"], self.run["token"]
        if places:
            self.place("turn_begin")
        self.call("turn_phase", *live, "streaming")
        if places:
            self.place("turn_phase")
        self.call("turn_message", *live, {"role": "assistant", "content": f"thought {n}"})
        if places:
            self.place("turn_message")
        self.call("turn_tool_call", *live, f"c{n}", "bash", {"command": "make"})
        if places:
            self.place("turn_tool_call")
        self.call("turn_tool_result", *live, f"c{n}", "made")
        if places:
            self.place("turn_tool_result")
        self.call("turn_phase", *live, "completing")
        if places:
            self.place("completing")
        self.call("turn_complete", *live, {"content": f"answer {n}", "resume_cursor": cursor})
        self.run = None
        if places:
            self.place("turn_complete")

    def life(self):
        """A turn that completes, one that fails, one that completes without a cursor, and then the
        turn with the places."""
        self.deliver("main", "question 1")
        self.turn("main", 1, "cursor 1", False)
        self.deliver("main", "question 2")
        run = self.call("turn_begin", "main", "A1", {"lease": LEASE})
        live = run["turn"], run["token"]
        self.call("turn_message", *live, {"role": "assistant", "content": "half an answer"})
        self.call("turn_fail", *live, "the model did not answer")
        self.deliver("main", "question 3")
        self.turn("main", 3, None, False)  # completes, and says nothing of a cursor
        self.deliver("main", "question 4")
        self.turn("main", 4, "cursor 4", True)
        self.deliver("main", "question 5")
        self.run = None
        self.place("handed")

    def deliver(self, label, message):
        self.call("session_deliver", label, message, {"class": "Modification"})


# ---- Before and after ----------------------------------------------------------------------------

# Places between calls: is a run live there; had it recorded anything; is the turn complete.
PLACES = {
    "delivered": (False, False, False),
    "turn_begin": (True, False, False),
    "turn_phase": (True, False, False),
    "turn_message": (True, True, False),
    "turn_tool_call": (True, True, False),
    "turn_tool_result": (True, True, False),
    "completing": (True, True, False),
    "turn_complete": (False, False, True),
    "handed": (False, False, True),
}

FORMS = {  # what a restart calls, and when: ms after the last call of the dead
    "owner": (("A1", {"all": 1}), 1000),
    "all": ((None, {"all": 1}), 1000),
    "none, the lease stands": ((), 1000),
    "none, after the lease": ((), LEASE + 1000),
    "another owner": (("B1", {"all": 1}), 1000),
}
NOTHING_FOUND = ("none, the lease stands", "another owner")

FIXED = {  # what no restart may touch
    "session_history": "SELECT * FROM session_history ORDER BY id",
    "completed turns": "SELECT * FROM turns WHERE on_path ORDER BY id",
    "messages": "SELECT * FROM messages ORDER BY place",
    "tool_calls": "SELECT * FROM tool_calls ORDER BY place",
    "tasks": "SELECT * FROM tasks",
    "observations": "SELECT * FROM observations",
    "deliveries": "SELECT * FROM deliveries",
    "heads": "SELECT label, thread_id, resume_cursor, last_activity FROM sessions ORDER BY label",
    "path": "SELECT * FROM turn_path('main')",
}


def rows(db, sql, *args):
    return db.execute(sql, args).fetchall()


def prepare(path):
    """Beside the session that is killed: one of another process in the middle of a run, one of the
    same process that is between turns, and one that nobody works on."""
    db = opened(path, lib)
    one(db, "SELECT turnstile_install()")
    one(db, "PRAGMA journal_mode = wal")
    one(db, "SELECT turnstile_clock(?)", START)
    for label in ("main", "beside", "ready", "asleep"):
        door(db, "session_start", label, f"the task of {label}")
    said = [{**USER, "content": "go"}]
    door(db, "turn_begin", "beside", "B1", {"messages": said, "lease": "2h"})
    door(db, "session_run", "ready", "A1", "starting")
    door(db, "session_run", "ready", "A1", "running")
    door(db, "session_run", "ready", "A1", "ready")
    db.close()


def kill_at(path, stop, open_transaction):
    """The run that was live when the child was killed, or None."""
    command = [sys.executable, os.path.abspath(__file__), "child", lib, path, stop]
    command += ["open"] if open_transaction else []
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    line = child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdin.close()
    child.stdout.close()
    return json.loads(line)


def fixed(db):
    return {name: rows(db, sql) for name, sql in FIXED.items()}


def status(db, label):
    return one(db, "SELECT status FROM sessions WHERE label = ?", label)


def run_state(db, label):
    return one(db, "SELECT run_state FROM session_runs WHERE session_label = ?", label)


def check(stop, form, open_transaction):
    live, recorded, complete = PLACES[stop]
    args, later = FORMS[form]
    found = live and form not in NOTHING_FOUND
    what = f"{stop}{', in a transaction' if open_transaction else ''}, {form}"
    path = suite.path(f"{what}.db")
    prepare(path)
    dead = kill_at(path, stop, open_transaction)
    suite.check(f"{what}: a run was live", dead is not None, live)

    db = opened(path, lib)
    one(db, "SELECT turnstile_clock(?)", START + later)
    suite.sound(what, db)
    cursor = "cursor 4" if complete else "cursor 1"
    held = one(db, "SELECT resume_cursor FROM sessions WHERE label = 'main'")
    suite.check(f"{what}: the cursor of the last completed turn", held, cursor)
    suite.check(f"{what}: nothing uncommitted is left",
                one(db, "SELECT (SELECT count(*) FROM observations WHERE data LIKE '%never%') + "
                        "(SELECT count(*) FROM messages WHERE content LIKE '%never%')"), 0)
    before = fixed(db)
    turns = rows(db, "SELECT id, status FROM turns ORDER BY id")
    texts = ["question 1", "thought 1", "answer 1", "question 3", "thought 3", "answer 3"]
    texts += ["question 4", "thought 4", "answer 4"] if complete else []
    said = [content for (content,) in rows(
        db, "SELECT m.content FROM turn_path('main') AS p JOIN messages AS m "
            "ON m.place BETWEEN p.turn_id << 12 AND p.turn_id << 12 | 4095 "
            "ORDER BY p.depth, m.place")]
    suite.check(f"{what}: the history", said, texts)

    # The restart. Another process reports nothing of it before, and loses nothing by it.
    report = json.loads(door(db, "turnstile_startup", *args))
    sessions = {  # main and ready have a run also between turns: it is ready, and has no lease
        "owner": ["main", "ready"],
        "all": ["beside", "main", "ready"],
        "none, after the lease": ["main"] * live,
        "another owner": ["beside"],
    }.get(form, [])
    suite.check(f"{what}: sessions of the report", sorted(report["sessions"]), sorted(sessions))
    suite.check(f"{what}: counts of the report",
                (report["runs_reset"], report["sessions_suspended"]), (len(sessions),) * 2)
    given = 1 if found and not recorded else 0
    suite.check(f"{what}: given back", report["items_given_back"], given)
    for label in ("main", "beside", "ready", "asleep"):
        asleep = label in sessions
        suite.check(f"{what}: status of {label}", status(db, label),
                    "suspended" if asleep else "active")
        if asleep:
            suite.check(f"{what}: run of {label}", run_state(db, label), "idle")
            lease = "SELECT turn_id, expires_at FROM session_runs WHERE session_label = ?"
            suite.check(f"{what}: lease of {label}", rows(db, lease, label), [(None, None)])
        moves = rows(db, "SELECT axis, to_state FROM session_events WHERE session_label = ? AND "
                         "at = ? AND axis IN ('run', 'status') ORDER BY id", label, START + later)
        suite.check(f"{what}: events of {label}", moves,
                    [("run", "idle"), ("status", "suspended")] if asleep else [])
    if form == "all":
        left = one(db, "SELECT count(*) FROM session_runs WHERE run_state <> 'idle'")
        suite.check(f"{what}: every run is idle", left, 0)
    after = fixed(db)
    suite.check(f"{what}: nothing else has changed",
                [name for name in FIXED if after[name] != before[name]], [])
    ended = {dead["turn"]} if found else set()
    if form in ("all", "another owner"):
        ended |= {one(db, "SELECT max(id) FROM turns WHERE id NOT IN (SELECT turn_id FROM "
                          "turn_tree((SELECT min(turn_id) FROM turn_path('main'))))")}
    suite.check(f"{what}: which turns have failed",
                rows(db, "SELECT id, status FROM turns ORDER BY id"),
                [(id, "failed" if id in ended else was) for id, was in turns])
    suite.sound(f"{what}, restarted", db)

    # A second restart finds nothing.
    report = json.loads(door(db, "turnstile_startup", *args))
    suite.check(f"{what}: a second restart", report, {
        "sessions": [], "runs_reset": 0, "sessions_suspended": 0, "items_given_back": 0,
        "workers_timed_out": 0, "live": []})

    if live and not found:
        busy = str(error_of(door, db, "turn_begin", "main", "A2"))
        suite.holds(f"{what}: the lease still stands", busy, "busy", "'A1'")
        one(db, "SELECT turnstile_clock(?)", START + LEASE + 1000)  # it is taken over, then

    # The next delivery resumes: the status, the thread of the provider, the conversation.
    head = one(db, "SELECT thread_id FROM sessions WHERE label = 'main'")
    options = {"class": "Modification", "owner": "A2"}
    decision = json.loads(door(db, "session_deliver", "main", "are you back?", options))
    suite.check(f"{what}: the delivery",
                (decision["action"], decision["state"], status(db, "main")),
                ("continue", "Running", "active"))
    begun = decision["turn"]
    waiting = []
    if stop == "delivered" or (live and not recorded):
        waiting = ["question 4"]
    elif stop == "handed":
        waiting = ["question 5"]
    suite.check(f"{what}: the inputs", [m["content"] for m in begun["messages"]],
                waiting + ["are you back?"])
    suite.check(f"{what}: the cursor is handed out", begun["resume_cursor"], cursor)
    suite.check(f"{what}: below the last completed turn", begun["parent"], head)
    seen = [c for (c,) in rows(db, "SELECT content FROM session_context('main') WHERE kind = "
                                   "'message'")]
    history = texts[:3] + ["question 2", "half an answer"] + texts[3:]  # also what has failed
    suite.check(f"{what}: the context begins with the history", seen[: len(history)], history)
    suite.check(f"{what}: half of a turn is shown", "thought 4" in seen[len(history):],
                recorded and not complete)
    if live:
        late = str(error_of(door, db, "turn_complete", dead["turn"], dead["token"],
                            {"content": "late", "resume_cursor": "late"}))
        suite.holds(f"{what}: the dead one's turn is over", late, "turn_complete: ", "failed")
        held = one(db, "SELECT resume_cursor FROM sessions WHERE label = 'main'")
        suite.check(f"{what}: and its cursor refused", held, cursor)
    door(db, "turn_complete", begun["turn"], begun["token"],
         {"content": "I am.", "resume_cursor": "cursor 6"})
    run = json.loads(door(db, "turn_begin", "main", "A2", {"messages": [{**USER, "content": "x"}]}))
    suite.check(f"{what}: and so on", (run["resume_cursor"], run["parent"]),
                ("cursor 6", begun["turn"]))
    suite.sound(f"{what}, gone on", db)
    db.close()


def check_sleeper(how):
    """A suspended session is woken by turn_begin and turn_append as well, with its cursor."""
    what = f"woken by {how}"
    path = suite.path(f"{what}.db")
    prepare(path)
    kill_at(path, "turn_begin", False)
    db = opened(path, lib)
    one(db, "SELECT turnstile_clock(?)", START + 1000)
    door(db, "turnstile_startup", "A1", {"all": 1})
    suite.check(f"{what}: asleep", status(db, "main"), "suspended")
    if how == "turn_begin":
        run = json.loads(door(db, "turn_begin", "main", "A1"))
        suite.check(f"{what}: the input, the cursor",
                    ([m["content"] for m in run["messages"]], run["resume_cursor"]),
                    (["question 4"], "cursor 1"))
    elif how == "turn_append":
        door(db, "turn_append", "main", [{**USER, "content": "by hand"}])
        held = one(db, "SELECT resume_cursor FROM sessions WHERE label = 'main'")
        suite.check(f"{what}: the cursor", held, "cursor 1")
    else:
        door(db, "session_recover", "main")
        suite.check(f"{what}: looking wakes nobody", status(db, "main"), "suspended")
        db.close()
        return
    suite.check(f"{what}: awake", status(db, "main"), "active")
    suite.sound(what, db)
    db.close()


if __name__ == "__main__":
    if sys.argv[1] == "child":
        Child(sys.argv[3], sys.argv[2], sys.argv[4], sys.argv[5:] == ["open"]).life()
        sys.exit("the place was never reached")
    suite = Suite("restart")
    lib = library(sys.argv[1])
    for stop in PLACES:
        for form in FORMS:
            check(stop, form, False)
        check(stop, "owner", True)
        check(stop, "none, after the lease", True)
    for how in ("turn_begin", "turn_append", "session_recover"):
        check_sleeper(how)
    suite.done()
