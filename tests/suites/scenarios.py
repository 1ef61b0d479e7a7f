"""Whole stories about runs and the queue: scenarios.py BUILDDIR

Each is a failure that people had with other products, played with several processes' connections on
one file, on a clock of its own, once through the door and once through the functions. What must
hold is written as checks beside the story.
"""

import json
import os
import sqlite3
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

import stress  # noqa: E402

START = 1_700_000_000_000
MINUTE, HOUR = 60, 3600


class World:
    """One file, the connections of those who take part, and what time it is."""

    def __init__(self, story, by_door):
        self.what = f"{story} ({'door' if by_door else 'functions'})"
        self.by_door = by_door
        self.file = suite.path(self.what + ".db")
        self.actors = {}
        self.now = START
        one(self.actor("host"), f"PRAGMA journal_mode = {'wal' if by_door else 'delete'}")
        one(self.actor("host"), "SELECT turnstile_install()")
        self.call("host", "turnstile_config", "lease", "60s")

    def actor(self, name, timeout=10):
        if name not in self.actors:
            self.actors[name] = connect(self.file, lib, timeout)
        one(self.actors[name], "SELECT turnstile_clock(?)", self.now)
        return self.actors[name]

    def at(self, seconds):
        self.now = START + round(seconds * 1000)

    def raw(self, db, command, *args):
        if self.by_door:
            return door(db, command, *args)
        values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
        return one(db, f"SELECT {command}({', '.join('?' * len(args))})", *values)

    def call(self, who, command, *args):
        result = self.raw(self.actor(who), command, *args)
        if isinstance(result, str) and result[:1] in "{[":
            return json.loads(result)
        return result

    def refused(self, who, command, *args):
        """The error of a call that must fail."""
        error = error_of(self.raw, self.actor(who), command, *args)
        return str(error) if error else "it was not refused"

    def rows(self, sql, *args):
        return self.actor("reader").execute(sql, args).fetchall()

    def column(self, sql, *args):
        return [row[0] for row in self.rows(sql, *args)]

    def restart(self):
        """Every process is gone, and comes back."""
        for db in self.actors.values():
            db.close()
        self.actors = {}

    def check(self, what, got, expected=True):
        return suite.check(f"{self.what}: {what}", got, expected)

    def holds(self, what, text, *parts):
        suite.holds(f"{self.what}: {what}", text, *parts)

    def done(self):
        db = self.actor("reader")
        # Some scenarios set a status by plain SQL, which writes no event.
        suite.sound(self.what, db, but=("event_chain",))
        for name, sql in stress.RUN_INVARIANTS + stress.CHAIN_INVARIANTS:
            self.check(name, db.execute(sql).fetchall(), [])
        self.restart()

    # -- Looking

    def queue(self, label, status="pending"):
        return self.column(
            "SELECT message FROM queue_list WHERE session_label = ? AND status = ? "
            "ORDER BY position",
            label,
            status,
        )

    def open(self, label):
        """Everything that is not done with: [(message, status)]."""
        sql = "SELECT message, status FROM queue_list WHERE session_label = ? ORDER BY position"
        return self.rows(sql, label)

    def holder(self, label):
        sql = """SELECT owner FROM session_runs WHERE session_label = ? AND turn_id IS NOT NULL
                 AND expires_at > ? AND run_state IN ('starting', 'running', 'interrupted')"""
        return (self.column(sql, label, self.now) or [None])[0]

    def state(self, label):
        return self.call("reader", "session_state", label)["task_state"]

    def head(self, label):
        return self.call("reader", "session_state", label)["head"]

    def path(self, label):
        return self.column("SELECT turn_id FROM turn_path(?)", label)

    def children(self, turn):
        sql = "SELECT id FROM turns WHERE parent_turn_id = ? AND on_path AND turn_type = 'normal'"
        return self.column(sql, turn)

    def context(self, label):
        return self.column("SELECT content FROM session_context(?)", label)

    def said(self, turn):
        return self.column(
            "SELECT content FROM messages WHERE place BETWEEN ?1 << 12 AND ?1 << 12 | 4095 "
            "AND role = 'user' ORDER BY place",
            turn,
        )

    def moves(self, label):
        sql = "SELECT thread_id FROM session_history WHERE session_label = ? ORDER BY id"
        return self.column(sql, label)

    def commits(self, label):
        sql = "SELECT commit_type FROM commits WHERE session_label = ? ORDER BY seq"
        return self.column(sql, label)

    # -- Doing

    def session(self, label="S1", turns=1):
        """A session with a running task and some turns. Returns them."""
        self.call("host", "session_start", label, "write the report")
        return [self.exchange(label, i + 1) for i in range(turns)]

    def exchange(self, label, n):
        messages = [
            {"role": "user", "content": f"question {n}"},
            {"role": "assistant", "content": f"answer {n}"},
        ]
        return self.call("host", "turn_append", label, messages)

    def setting(self, key, value, label=None):
        self.call("host", "turnstile_config", key, value, {"session": label} if label else {})

    def deliver(self, label, message, who="host", **options):
        options.setdefault("class", "Modification")
        if options.get("source", "user") != "user" or options["class"] is None:
            del options["class"]
        return self.call(who, "session_deliver", label, message, options)

    def begin(self, who, label="S1"):
        return self.call(who, "turn_begin", label, who)

    def say(self, who, run, text):
        message = {"role": "assistant", "content": text}
        return self.call(who, "turn_message", run["turn"], run["token"], message)

    def complete(self, who, run, content, **result):
        result["content"] = content
        return self.call(who, "turn_complete", run["turn"], run["token"], result)

    def drain(self, who, label="S1", run=None):
        """Turns until there is nothing to do. Returns their inputs, in order."""
        taken = []
        while run := run or self.begin(who, label):
            taken += inputs(run)
            self.complete(who, run, "done")
            run = None
        return taken


def inputs(run):
    return run and [m["content"] for m in run["messages"]]


def story(function):
    stories.append(function)
    return function


stories = []


# ---- D01: a queued follow-up outlives a run that times out ----------------------------------


def d01(w):
    w.session()
    w.setting("queue_mode", "queue", "S1")
    run = w.deliver("S1", "sum up the report", owner="A1")["turn"]
    for seconds in range(30, 180, 30):
        w.at(seconds)
        w.call("A1", "turn_heartbeat", run["turn"], run["token"])
    w.at(180)
    w.check("m2 is queued", w.deliver("S1", "and mail it to the team")["action"], "queue")
    w.check("the queue", w.queue("S1"), ["and mail it to the team"])
    w.check("the holder", w.holder("S1"), "A1")
    for seconds in range(200, 30 * MINUTE, 50):
        w.at(seconds)
        w.call("A1", "turn_heartbeat", run["turn"], run["token"])
    w.at(30 * MINUTE)
    return run


@story
def d01_nothing_produced(w):
    run = d01(w)
    w.call("A1", "turn_fail", run["turn"], run["token"], "time limit reached")
    w.check("nobody holds it", w.holder("S1"), None)
    w.check("both wait, in order", w.queue("S1"), ["sum up the report", "and mail it to the team"])
    w.check("the task goes on", w.state("S1"), "Running")
    w.at(30 * MINUTE + 1)
    first = w.begin("A2")
    w.check("m1 comes first", inputs(first), ["sum up the report"])
    w.check("it is the second attempt", first["messages"][0]["attempt"], 2)
    waiting = w.complete("A2", first, "the sum")["waiting"]
    w.check("one more waits", waiting, 1)
    second = w.begin("A2")
    w.check("then m2", inputs(second), ["and mail it to the team"])
    w.check("after the answer to m1", w.context("S1")[-2:], ["the sum", "and mail it to the team"])
    w.complete("A2", second, "mailed")
    w.check("and nothing else", w.begin("A2"), None)
    w.check("each is in one turn", w.open("S1"), [])
    w.check("those two", [w.said(t) for t in w.path("S1")[1:]],
            [["sum up the report"], ["and mail it to the team"]])


@story
def d01_something_produced(w):
    run = d01(w)
    w.say("A1", run, "first half of the sum")
    w.call("A1", "turn_fail", run["turn"], run["token"], "time limit reached")
    w.check("m1 is never run again by itself", w.open("S1"),
            [("and mail it to the team", "pending"), ("sum up the report", "failed")])
    failed = w.call("host", "session_recover", "S1")["failed"]
    w.check("it is shown", [(f["message"], f["error"]) for f in failed],
            [("sum up the report", "time limit reached")])
    second = w.begin("A2")
    w.check("m2 is handed out", inputs(second), ["and mail it to the team"])
    w.check("what was done is told", w.context("S1")[-3:],
            ["sum up the report", "first half of the sum", "and mail it to the team"])
    w.complete("A2", second, "mailed")
    w.check("and nothing else", w.begin("A2"), None)
    w.call("host", "queue_retry", failed[0]["queue_id"])
    again = w.begin("A2")
    w.check("it can be tried again", inputs(again), ["sum up the report"])
    w.complete("A2", again, "the sum")


@story
def d01_it_hangs_for_ever(w):
    run = d01(w)
    w.at(40 * MINUTE)
    w.check("its lease is over", w.holder("S1"), None)
    first = w.begin("A2")
    w.check("m1 comes first", inputs(first), ["sum up the report"])
    w.check("tokens grow", first["token"] > run["token"])
    w.holds("the old one is told by whom", w.refused("A1", "turn_complete", run["turn"],
            run["token"], {"content": "late"}), "turn_complete: ", "'A1'", "'A2' took over")
    w.complete("A2", first, "the sum")
    second = w.begin("A2")
    w.check("then m2", inputs(second), ["and mail it to the team"])
    w.complete("A2", second, "mailed")
    w.check("nothing of the old one has landed", "late" in w.context("S1"), False)


def d01_message_after_the_lease(w, owner):
    """m2 comes when A1's lease is over and nobody has taken over yet."""
    w.session()
    w.deliver("S1", "sum up the report", owner="A1")
    w.at(5 * MINUTE)
    options = {"owner": "A2"} if owner else {}
    run = w.deliver("S1", "and mail it", **options).get("turn")
    taken = w.drain("A2", run=run)
    w.check("m1 before m2", taken, ["sum up the report", "and mail it"])
    w.check("each is in one turn", w.open("S1"), [])


@story
def d01_message_after_the_lease_with_owner(w):
    d01_message_after_the_lease(w, True)


@story
def d01_message_after_the_lease_without(w):
    d01_message_after_the_lease(w, False)


@story
def d01_two_messages_before_a_turn_begins(w):
    """A session that has had a turn: nobody has begun the next one when the second message comes."""
    w.session()
    w.deliver("S1", "hello")
    w.complete("A1", w.begin("A1"), "hi")
    w.deliver("S1", "sum up the report")
    w.deliver("S1", "and mail it")
    run = w.begin("A1")
    w.check("both are handed out", inputs(run), ["sum up the report", "and mail it"])
    w.complete("A1", run, "done")
    w.check("nothing is left", (w.begin("A1"), w.open("S1")), (None, []))


# ---- D03: a second message during a run must not open a second run --------------------------


@story
def d03(w):
    (t1,) = w.session()
    w.setting("queue_mode", "queue", "S1")
    run = w.deliver("S1", "m1", "H1", owner="A1")["turn"]
    w.check("A1 holds it", w.holder("S1"), "A1")
    w.at(20)
    second = w.deliver("S1", "m2", "H2", owner="A2")
    w.check("m2 waits, no turn begins", (second["action"], second.get("turn")), ("queue", None))
    w.at(21)
    w.holds("A2 is refused", w.refused("H2", "turn_begin", "S1", "A2"), "turn_begin: ",
            "'S1' is busy", "'A1' executes turn", str(run["turn"]))
    w.check("the same owner too", "is busy" in w.refused("H1", "turn_begin", "S1", "A1"))
    w.check("the holder stays", w.holder("S1"), "A1")
    w.at(50)
    ended = w.complete("H1", run, "A1's answer")
    t2 = run["turn"]
    w.check("the head is t2", (ended["head"], w.head("S1")), (t2, t2))
    w.at(51)
    run = w.call("H2", "turn_begin", "S1", "A2")
    t3 = run["turn"]
    w.check("A2 gets m2", (inputs(run), run["parent"]), (["m2"], t2))
    w.check("its context holds A1's answer", w.context("S1"),
            ["question 1", "answer 1", "m1", "A1's answer", "m2"])
    w.complete("H2", run, "A2's answer")
    w.check("the path", w.path("S1"), [t1, t2, t3])
    w.check("one child each", (w.children(t1), w.children(t2)), ([t2], [t3]))
    w.check("two moves", w.moves("S1"), [t1, t2, t3])


# ---- D05: the platform delivers the same webhook again --------------------------------------


@story
def d05(w):
    whatsapp = {"channel": "whatsapp", "sender": "+1555"}
    w.setting("queue_mode", "queue")
    w.setting("queue_mode_user", "inherit")
    first = w.deliver("S1", "port the parser", "H1", message_id="wa-77", owner="A1", **whatsapp)
    run, t1 = first["turn"], first["turn"]["turn"]
    w.at(2)
    before = w.rows("SELECT * FROM session_events"), w.open("S1")
    again = w.deliver("S1", "port the parser", "H1", message_id="wa-77", owner="A1", **whatsapp)
    w.check("a duplicate", again.get("duplicate"), True)
    w.check("a loop that tests only the action finds nothing to do",
            (again["action"], again["first"]), ("duplicate", first))
    w.check("queue and task are untouched",
            (w.rows("SELECT * FROM session_events"), w.open("S1")), before)
    w.check("A1 is not interrupted",
            w.call("A1", "turn_heartbeat", run["turn"], run["token"])["interrupted"], False)
    w.at(3)
    pair, barrier = [], threading.Barrier(2)
    options = {"message_id": "wa-78", "class": "Modification", **whatsapp}

    def deliver():
        db = connect(w.file, lib)
        one(db, "SELECT turnstile_clock(?)", w.now)
        barrier.wait()
        pair.append(json.loads(w.raw(db, "session_deliver", "S1", "and mail it", options)))
        db.close()

    threads = [threading.Thread(target=deliver) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    accepted = sorted(d.get("duplicate", False) for d in pair)
    w.check("one of the pair is accepted", accepted, [False, True])
    w.check("it waits once", w.queue("S1"), ["and mail it"])
    w.at(30)
    w.complete("A1", run, "ported")
    run = w.begin("A1")
    w.check("then wa-78", inputs(run), ["and mail it"])
    w.check("with its id", run["messages"][0]["message_id"], "wa-78")
    w.complete("A1", run, "mailed")
    w.at(630)
    late = w.deliver("S1", "port the parser", "H1", message_id="wa-77", owner="A1", **whatsapp)
    w.check("long after: a duplicate", late.get("duplicate"), True)
    w.check("no run", (w.holder("S1"), w.begin("A1")), (None, None))
    w.at(660)
    w.restart()
    w.call("host", "turnstile_startup", None, {"all": True})
    late = w.deliver("S1", "port the parser", "H1", message_id="wa-77", owner="A1", **whatsapp)
    w.check("after a restart: a duplicate", late.get("duplicate"), True)
    changed = w.deliver("S1", "port the lexer", "H1", message_id="wa-77", **whatsapp)
    w.check("another text under the same id: told", changed.get("conflict"), True)
    w.check("one turn for each", [w.said(t) for t in w.path("S1")],
            [["port the parser"], ["and mail it"]])
    w.check("the first is the root", w.path("S1")[0], t1)
    pushed = w.call("host", "queue_push", "S1", "x", {"message_id": "q-1", "source": "webhook"})
    same = w.call("host", "queue_push", "S1", "x", {"message_id": "q-1", "source": "webhook"})
    w.check("a push too", (same, w.queue("S1")), (pushed, ["x"]))


# ---- T07: a message arrives while the conversation is being compacted -----------------------


def t07(w):
    """Thirty turns, a worker, and a compaction that has begun."""
    turns = w.session(turns=30)
    w.setting("queue_mode_user", "queue")
    worker = w.call("host", "session_spawn", "S1", "count the callers")
    w.deliver("S1", "/compact the parser")
    run = w.begin("H1")
    w.check("the compaction is asked for", [(m["action"], m["focus"]) for m in run["messages"]],
            [("compact", "the parser")])
    w.at(5)
    w.check("m1 is queued", w.deliver("S1", "use the new logo")["action"], "queue")
    w.at(6)
    w.call("W1", "session_report", worker, "completed", "12 callers")
    w.check("the report waits behind it", w.queue("S1"), ["use the new logo", "12 callers"])
    w.at(40)
    return turns, run


def finish_t07(w, parent, expected):
    """m1, then the report."""
    w.at(41)
    run = w.begin("A2")
    w.check("m1 comes first", inputs(run), ["use the new logo"])
    w.check("its parent", run["parent"], parent)
    w.check("its context", w.context("S1"), expected + ["use the new logo"])
    w.check("no stale writer", w.complete("A2", run, "the logo is in")["status"], "completed")
    run = w.begin("A2")
    w.check("then the report", inputs(run), ["12 callers"])
    w.complete("A2", run, "noted")
    w.check("then nothing", w.begin("A2"), None)


@story
def t07_in_a_run(w):
    turns, run = t07(w)
    options = {"turn": run["turn"], "token": run["token"], "keep_turns": 2, "focus": "the parser"}
    c1 = w.call("H1", "turn_compact", "S1", "The parser is ported.", options)
    w.check("two turns are kept", c1["first_kept_turn_id"], turns[28])
    w.check("it is what the run was for, and ends it", (c1["turn"], w.holder("S1")), (run["turn"], None))
    w.check("the queue is as it was", w.queue("S1"), ["use the new logo", "12 callers"])
    kept = ["question 29", "answer 29", "question 30", "answer 30"]
    finish_t07(w, run["turn"], ["The parser is ported.", *kept])
    w.check("nothing is deleted", w.path("S1")[:31], turns + [run["turn"]])


@story
def t07_without_a_run(w):
    turns = w.session(turns=30)
    w.setting("queue_mode_user", "queue")
    worker = w.call("host", "session_spawn", "S1", "count the callers")
    w.at(5)
    decision = w.deliver("S1", "use the new logo")
    w.check("m1 is kept", (decision["action"], w.queue("S1", "handed")),
            ("continue", ["use the new logo"]))
    w.at(6)
    w.call("W1", "session_report", worker, "completed", "12 callers")
    w.at(40)
    c1 = w.call("H1", "turn_compact", "S1", "The parser is ported.", {"keep_turns": 2})
    w.check("it is the head", w.head("S1"), c1["turn"])
    w.check("both are still there", [m for m, _ in w.open("S1")],
            ["use the new logo", "12 callers"])
    kept = ["question 29", "answer 29", "question 30", "answer 30"]
    finish_t07(w, c1["turn"], ["The parser is ported.", *kept])
    w.check("nothing is deleted", w.path("S1")[:31], turns + [c1["turn"]])


@story
def t07_refused_behind_a_live_run(w):
    turns, run = t07(w)
    w.holds("somebody else's compaction", w.refused("H2", "turn_compact", "S1", "Sum", {}),
            "turn_compact: ", "is busy", "'H1'")
    w.check("leaves nothing", w.rows("SELECT count(*) FROM compactions"), [(0,)])
    w.holds("nor is it a turn of the conversation", w.refused("H1", "turn_complete", run["turn"],
            run["token"], {"content": "did not need to"}), "turn_complete: ", "is a compaction")
    w.call("H1", "turn_complete", run["turn"], run["token"], None)
    w.check("the head", w.head("S1"), turns[29])
    w.check("what asked for it is done with", w.queue("S1"), ["use the new logo", "12 callers"])


@story
def t07_the_compaction_fails(w):
    turns, run = t07(w)
    w.call("H1", "turn_fail", run["turn"], run["token"], "the model is down")
    w.check("same queue, same order", w.queue("S1"),
            ["/compact the parser", "use the new logo", "12 callers"])
    again = w.begin("H1")
    w.check("it is tried again, alone", inputs(again), ["/compact the parser"])
    ended = w.call("H1", "turn_abort", again["turn"], again["token"], "given up", {"keep": False})
    w.check("stopped, it is not tried again", [c["message"] for c in ended["cancelled"]], ["/compact the parser"])
    tail = [f"{word} {n}" for n in (29, 30) for word in ("question", "answer")]
    w.at(41)
    w.check("the context ends as before", w.context("S1")[-4:], tail)
    everything = [f"{word} {n}" for n in range(1, 31) for word in ("question", "answer")]
    finish_t07(w, turns[29], everything)


# ---- F01: killed between the tool call and its result ---------------------------------------


def f01(w):
    w.session()
    run = w.deliver("S1", "push the fix", owner="A1")["turn"]
    turn = (run["turn"], run["token"])
    w.call("A1", "turn_tool_call", *turn, "c1", "read_file", {"path": "a.c"})
    w.call("A1", "turn_tool_result", *turn, "c1", "int main(void)")
    w.call("A1", "session_observe", "S1", "FileRead", {"path": "a.c"})
    w.call("A1", "session_flush", "S1")
    w.at(5)
    w.call("A1", "turn_tool_call", *turn, "c2", "git_push", {"remote": "origin"})
    w.call("A1", "session_observe", "S1", "CommandRun", {"command": "git push"})
    w.call("A1", "session_flush", "S1")
    w.at(6)
    w.actors.pop("A1").close()
    return run


INTERRUPTED = (
    "No result: the turn ended before this tool call returned. It may or may not have taken effect."
)
CALLS = "SELECT kind, tool_name, status, content FROM session_context(?) WHERE kind LIKE 'tool%'"


def f01_goes_on(w, old, run):
    w.check("the calls and results that A2 sees", w.rows(CALLS, "S1"), [
        ("tool_call", "read_file", "completed", '{"path":"a.c"}'),
        ("tool_result", "read_file", "completed", "int main(void)"),
        ("tool_call", "git_push", "pending", '{"remote":"origin"}'),
        ("tool_result", "git_push", "interrupted", INTERRUPTED),
    ])
    w.check("only the new message is handed out", inputs(run), ["continue"])
    w.check("what was half done is not run again", w.open("S1")[1:], [("push the fix", "failed")])
    w.check("the old turn has failed", w.column("SELECT status FROM turns WHERE id = ?",
                                                old["turn"]), ["failed"])
    w.complete("A2", run, "I have looked: it is pushed.")
    t2 = run["turn"]
    w.check("the head", (w.head("S1"), len(w.path("S1"))), (t2, 2))
    w.exchange("S1", 3)
    calls = [k for k, *_ in w.rows(CALLS, "S1")]
    w.check("later turns build on it", calls, ["tool_call", "tool_result"] * 2)
    late = w.call("A1", "turn_tool_result", old["turn"], old["token"], "c2", "pushed")
    w.check("the dead one's result waits for the next turn", (late["status"], w.column(
        "SELECT message FROM session_queue WHERE id = ?", late["queue_id"])[0]),
        ("completed", "The result of git_push (c2), an earlier tool call, has come:\npushed"))


@story
def f01_restart(w):
    old = f01(w)
    w.at(10 * MINUTE)
    report = w.call("H2", "turnstile_startup", "A1")
    w.check("the restart", (report["sessions"], report["runs_reset"]), (["S1"], 1))
    w.check("nothing is given back: it had recorded something", report["items_given_back"], 0)
    shown = w.call("H2", "session_recover", "S1")
    w.check("recovered", (shown["state"], [f["message"] for f in shown["failed"]]),
            ("Running", ["push the fix"]))
    w.holds("both steps", shown["progress"], "a.c", "git push")
    w.check("git_push has no known result", w.rows(CALLS, "S1")[-1:],
            [("tool_result", "git_push", "interrupted", INTERRUPTED)])
    rows = [w.rows(f"SELECT * FROM {t}") for t in ("turns", "session_queue", "observations")]
    shown.pop("idle_ms")
    again = w.call("H2", "session_recover", "S1")
    again.pop("idle_ms")
    w.check("a second time: the same", again, shown)
    w.check("and nothing new", [w.rows(f"SELECT * FROM {t}") for t in
                                ("turns", "session_queue", "observations")], rows)
    w.at(11 * MINUTE)
    decision = w.deliver("S1", "continue", owner="A2", **{"class": None})
    w.check("continue", (decision["action"], w.state("S1")), ("continue", "Running"))
    f01_goes_on(w, old, decision["turn"])


@story
def f01_nobody_says_that_it_is_dead(w):
    old = f01(w)
    w.at(10 * MINUTE)
    decision = w.deliver("S1", "continue", owner="A2", **{"class": None})
    w.check("continue", decision["action"], "continue")
    f01_goes_on(w, old, decision["turn"])


@story
def f01_tool_results_of_a_later_turn(w):
    """The result comes in after all, as a message of the next turn."""
    f01(w)
    w.at(10 * MINUTE)
    run = w.deliver("S1", "continue", owner="A2")["turn"]
    w.call("A2", "turn_message", run["turn"], run["token"],
           {"role": "assistant", "content": "I look."})
    w.complete("A2", run, "It is pushed.")
    pairs = w.column("SELECT tool_call_id FROM session_context('S1') WHERE kind = 'tool_result'")
    w.check("one result for each call", pairs, ["c1", "c2"])


# ---- F02: someone else holds the write lock -------------------------------------------------


@story
def f02(w):
    held, answers = threading.Event(), {}

    def hold():
        db = sqlite3.connect(w.file, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        held.set()
        time.sleep(1)
        db.execute("COMMIT")
        db.close()

    def deliver(name, timeout):
        db = connect(w.file, lib, timeout)
        one(db, "SELECT turnstile_clock(?)", w.now)
        options = {"message_id": name, "owner": name, "class": "NewTask"}
        try:
            answers[name] = json.loads(w.raw(db, "session_deliver", name, "port it", options))
        except sqlite3.OperationalError as error:
            answers[name] = str(error)
        db.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    patient = threading.Thread(target=deliver, args=("S1", 10))
    patient.start()
    deliver("S3", 0)
    w.holds("without waiting: busy", answers["S3"], "locked")
    patient.join()
    holder.join()
    w.check("with waiting: accepted, and a turn begins",
            (answers["S1"]["action"], inputs(answers["S1"]["turn"])), ("start", ["port it"]))
    for table in ("sessions", "session_queue", "deliveries", "session_runs", "tasks"):
        column = "label" if table == "sessions" else "session_label"
        w.check(f"nothing of the other in {table}",
                w.column(f"SELECT count(*) FROM {table} WHERE {column} = 'S3'"), [0])
    w.check("one turn", w.column("SELECT count(*) FROM turns"), [1])
    deliver("S3", 0)
    again = answers["S3"]
    w.check("again: accepted once", (again["action"], again.get("duplicate", False)),
            ("start", False))
    deliver("S3", 0)
    w.check("and only once", answers["S3"].get("duplicate"), True)

    def host(n):
        """Fifty messages to a session of its own, each worked on; half of the hosts don't wait."""
        db, retries = connect(w.file, lib, 10 * (n % 2)), 0
        one(db, "SELECT turnstile_clock(?)", w.now)

        def insist(*args):
            nonlocal retries
            while True:
                try:
                    return json.loads(w.raw(db, *args))
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                        raise
                    retries += 1
                    time.sleep(0.001)

        for i in range(50):
            options = {"message_id": f"{n}-{i}", "owner": f"H{n}", "class": "Modification"}
            run = insist("session_deliver", f"host {n}", f"message {i}", options)["turn"]
            insist("turn_complete", run["turn"], run["token"], {"content": "done"})
        db.close()
        answers[n] = 50

    one(w.actor("host"), "PRAGMA synchronous = OFF")
    hosts = [threading.Thread(target=host, args=(n,)) for n in range(8)]
    for thread in hosts:
        thread.start()
    for thread in hosts:
        thread.join()
    w.check("every host is done", [answers.get(n) for n in range(8)], [50] * 8)
    for n in range(8):
        said = [m for t in w.path(f"host {n}") for m in w.said(t)]
        w.check(f"host {n}: each once, in order", said, [f"message {i}" for i in range(50)])


# ---- H01: a worker finishes while the manager is busy ---------------------------------------


@story
def h01(w):
    w.session("MA", 4)
    run = w.deliver("MA", "find the callers", owner="A1")["turn"]
    t5 = run["turn"]
    w.call("A1", "turn_tool_call", t5, run["token"], "tc1", "spawn", {"task": "count"})
    worker = w.call("A1", "session_spawn", "MA", "count the callers",
                    {"turn": t5, "tool_call_id": "tc1"})
    w.call("A1", "turn_tool_result", t5, run["token"], "tc1", worker)
    w.complete("A1", run, "a worker looks")
    w.check("the worker is to start", w.column("SELECT task_status FROM session_workers"),
            ["pending"])
    work = w.begin("W", worker)
    given = [(m["content"], m["source"], m["sender"]) for m in work["messages"]]
    w.check("it gets its task", given, [("count the callers", "agent", "MA")])
    w.check("it is at work", w.column("SELECT task_status FROM session_workers"), ["running"])
    w.complete("W", work, "12")

    w.at(MINUTE)
    busy = w.deliver("MA", "m7", owner="A1")["turn"]
    w.at(MINUTE + 10)
    id = w.call("W", "session_report", worker, "completed", "12 callers")
    w.check("r1 waits as a followup", w.rows(
        "SELECT queue_id, mode, source, sender, message FROM queue_list "
        "WHERE session_label = 'MA' AND status = 'pending'"),
        [(id, "followup", "agent", worker, "12 callers")])
    w.check("A1 holds the manager", w.holder("MA"), "A1")
    w.check("and is not interrupted",
            w.call("A1", "turn_heartbeat", busy["turn"], busy["token"])["interrupted"], False)
    w.check("the worker is done", w.column("SELECT task_status FROM session_workers"),
            ["completed"])
    w.check("its task has a commit", w.commits(worker), ["Normal"])
    w.check("a second report is the first", w.call("W", "session_report", worker, "completed",
                                                   "12 callers"), id)
    w.at(MINUTE + 20)
    for name in ("W", "host"):
        w.actors.pop(name).close()
    w.call("W", "turnstile_startup", "W")
    w.check("a third, after a restart",
            w.call("W", "session_report", worker, "completed", "12 callers"), id)
    w.check("another one is refused, not dropped", "has reported before" in w.refused(
        "W", "session_report", worker, "failed", "again"))
    w.check("the queue", w.queue("MA"), ["12 callers"])
    w.check("A1 goes on", w.holder("MA"), "A1")
    for seconds in range(80, 300, 40):
        w.at(seconds)
        w.call("A1", "turn_heartbeat", busy["turn"], busy["token"])
    w.at(5 * MINUTE)
    w.check("r1 waits", w.complete("A1", busy, "m7 is done")["waiting"], 1)
    run = w.begin("A2", "MA")
    w.check("A2 receives r1", inputs(run), ["12 callers"])
    w.complete("A2", run, "there are 12")
    w.check("its turn comes from an agent",
            w.column("SELECT source FROM turns WHERE id = ?", run["turn"]), ["agent"])
    w.check("the links", w.rows(
        "SELECT worker, parent_session_label, parent_turn_id, tool_call_id FROM session_workers"),
        [(worker, "MA", t5, "tc1")])
    w.check("and back", w.rows("SELECT turn_id, spawned_session_label FROM tool_calls"),
            [(t5, worker)])


# ---- S08: after a restart the open question is still there ----------------------------------


def s08(w, ask):
    w.call("host", "session_start", "S1", "add retries")
    run = w.deliver("S1", "go", owner="A1")["turn"]
    w.say("A1", run, "I wonder.")
    data = {"question": "Which retry strategy?",
            "choices": ["A fixed", "B exponential", "C jitter"]}
    ask(run, data)
    w.call("A1", "session_flush", "S1")
    w.at(5)
    w.restart()
    w.at(3 * HOUR)
    w.call("host", "turnstile_startup", None, {"all": True})
    shown = w.call("host", "session_recover", "S1")
    w.check("the question is there", (shown["state"], shown["state_data"]["question"],
            shown["state_data"]["asked_at"], shown["task"]),
            ("AwaitingUser", "Which retry strategy?", START, "add retries"))
    w.check("nobody holds it", (w.holder("S1"), shown["last_run"]["run_state"]), (None, "idle"))
    tables = [t for t in w.column("SELECT name FROM sqlite_schema WHERE type = 'table'")
              if t != "state_transitions"]
    before = [w.rows(f"SELECT * FROM {t}") for t in tables]
    w.at(3 * HOUR + 1)
    again = w.call("host", "session_recover", "S1")
    w.check("a second time: the same", again["message"], shown["message"])
    w.check("and nothing new", [w.rows(f"SELECT * FROM {t}") for t in tables] == before)
    w.at(3 * HOUR + 60)
    decision = w.deliver("S1", "C", owner="A2", **{"class": None})
    w.check("C is the answer", (decision["class"], decision["state"], decision["task_id"]),
            ("Response", "Running", shown["task_id"]))
    w.check("it is in the notes", w.column(
        "SELECT data ->> '$.text' FROM observations WHERE data ->> '$.note' = 'answer'"),
        ["User response: C"])
    w.check("and goes into the turn", inputs(decision["turn"])[-1], "C")
    w.complete("A2", decision["turn"], "jitter it is")
    w.check("no commits", w.commits("S1"), [])
    return shown


@story
def s08_asked_in_the_middle(w):
    shown = s08(w, lambda run, data: w.call("A1", "session_transition", "S1", "AwaitingUser", data))
    w.check("the choices too", shown["state_data"]["choices"][2], "C jitter")


@story
def s08_asked_at_the_end(w):
    s08(w, lambda run, data: w.complete("A1", run, "Which retry strategy?", outcome="question"))


# ---- L01: archived, then spoken to ----------------------------------------------------------


@story
def l01(w):
    turns = [w.exchange("S1", n + 1) for n in range(5)]
    alias = "INSERT INTO session_aliases VALUES ('dm:wa:99', 'S1', 'manual', ?)"
    w.actor("host").execute(alias, (w.now,))
    archive = "UPDATE sessions SET status = 'archived', archived_at = ? WHERE label = 'S1'"
    w.actor("host").execute(archive, (w.now,))
    w.check("its path can be read", w.path("S1"), turns)
    w.check("it is archived", w.call("reader", "session_state", "S1")["status"], "archived")
    w.at(HOUR)
    decision = w.deliver("dm:wa:99", "add retries", owner="A1", **{"class": "NewTask"})
    w.check("m1 is taken", (decision["session"], decision["action"]), ("S1", "start"))
    status = "SELECT status, archived_at FROM sessions WHERE label = 'S1'"
    w.check("it is active again", w.rows(status), [("active", None)])
    run = decision["turn"]
    w.complete("A1", run, "retries added")
    t6 = run["turn"]
    w.check("the same conversation", (run["parent"], w.path("S1")), (turns[4], turns + [t6]))
    w.at(2 * HOUR)
    run = w.deliver("S1", "also jitter", owner="A1")["turn"]
    w.actor("host").execute(archive, (w.now,))
    w.check("A1's finish lands", w.complete("A1", run, "jitter added")["status"], "completed")
    w.check("no turn is lost", w.path("S1"), turns + [t6, run["turn"]])
    w.at(3 * HOUR)
    w.actor("host").execute(
        "UPDATE sessions SET status = 'active', archived_at = NULL WHERE label = 'S1'")
    w.check("taken out again", w.rows(status), [("active", None)])
    w.check("same head", w.head("S1"), run["turn"])
    w.check("same alias", w.column("SELECT session_label FROM session_aliases"), ["S1"])
    w.check("no commit", w.commits("S1"), [])
    # Plain SQL has written no events of the status; what checks them looks at commands.
    w.actor("host").execute("INSERT INTO session_events SELECT NULL, 'S1', NULL, 'status', "
                            "'archived', 'active', 'unarchive', NULL, ?", (w.now,))


# ---- C01: "wait" is not "stop" --------------------------------------------------------------


@story
def c01(w):
    w.session()
    run = w.deliver("S1", "port the parser", owner="A1")["turn"]
    w.say("A1", run, "half of it is ported")
    task = w.call("reader", "session_state", "S1")["task_id"]
    for seconds, text in ((0, "wait"), (10, "please wait for the new file")):
        w.at(seconds)
        decision = w.deliver("S1", text, **{"class": None})
        w.check(f"{text}: no stop", decision["action"] in ("interrupt", "queue", "steer", "prompt"))
        state = w.call("reader", "session_state", "S1")
        w.check(f"{text}: same task", (state["task_id"], state["task_state"] != "None"),
                (task, True))
        w.check(f"{text}: no commit", w.commits("S1"), [])
        w.check(f"{text}: A1 still holds it", w.holder("S1"), "A1")
    texts = [m for m, status in w.open("S1") if status == "pending"]
    held = w.column("SELECT pending_choice ->> '$.held' FROM sessions WHERE label = 'S1'")
    w.check("both texts are kept", sorted(t for t in texts + held if t),
            ["please wait for the new file", "wait"])
    w.at(20)
    decision = w.deliver("S1", "stop", **{"class": None})
    w.check("stop", (decision["action"], decision["state"]), ("abandon", "None"))
    w.check("one Abandoned commit", w.commits("S1"), ["Abandoned"])
    w.check("Aborted, then None", w.column(
        "SELECT to_state FROM session_events WHERE axis = 'task' ORDER BY id DESC LIMIT 2"),
        ["None", "Aborted"])
    w.check("the run is over", (w.holder("S1"), w.queue("S1")), (None, []))
    w.check("what waited is listed", [c["message"] for c in decision.get("cancelled", [])],
            [*texts, "port the parser"])
    w.holds("A1 is told", w.refused("A1", "turn_complete", run["turn"], run["token"],
            {"content": "the other half"}), "turn_complete: ", "is aborted", "stop")
    w.check("its output is kept", w.context("S1")[-1], "half of it is ported")


# ---- A message that interrupts --------------------------------------------------------------


@story
def interrupted_and_taken(w):
    w.session()
    run = w.deliver("S1", "port the parser", owner="A1")["turn"]
    for text in ("use the new grammar", "and the new lexer"):
        decision = w.deliver("S1", text)
        w.check(f"{text}: it interrupts", (decision["action"], decision["state"]),
                ("interrupt", "Interrupted"))
    w.deliver("S1", "beat", source="timer")
    answer = w.say("A1", run, "half of it")
    w.check("the run is told", (answer["interrupted"], answer["steering"]), (True, 2))
    taken = w.call("A1", "turn_steering", run["turn"], run["token"])
    w.check("both, in order", inputs(taken), ["use the new grammar", "and the new lexer"])
    w.check("it goes on", (taken["interrupted"], taken["steering"], w.state("S1")),
            (False, 0, "Running"))
    w.check("they are in the turn", w.said(run["turn"]),
            ["port the parser", "use the new grammar", "and the new lexer"])
    ended = w.complete("A1", run, "done", outcome="done")
    w.check("it ends", (ended["state"], ended["waiting"]), ("PendingComplete", 1))


@story
def interrupted_and_not_taken(w):
    w.session()
    run = w.deliver("S1", "port the parser", owner="A1")["turn"]
    w.call("host", "queue_push", "S1", "earlier in line", {"source": "webhook"})
    w.deliver("S1", "use the new grammar")
    ended = w.complete("A1", run, "ported", outcome="done")
    w.check("its work is kept, its outcome is not", (ended["head"], ended["state"]),
            (run["turn"], "Interrupted"))
    w.holds("it is told why", ended["note"], "interrupted")
    run = w.begin("A2")
    w.check("the message is first in line", inputs(run), ["use the new grammar"])
    w.check("the work goes on", w.state("S1"), "Running")
    w.complete("A2", run, "new grammar")
    w.check("then the others", inputs(w.begin("A2")), ["earlier in line"])


@story
def steered_and_lost(w):
    """What was taken in the middle goes back too, when nothing was recorded."""
    w.session()
    run = w.deliver("S1", "port the parser", owner="A1")["turn"]
    w.deliver("S1", "use the new grammar")
    w.call("A1", "turn_steering", run["turn"], run["token"])
    w.at(5 * MINUTE)
    w.check("both come again", sorted(w.drain("A2")), ["port the parser", "use the new grammar"])


# ---- A full queue, an empty one -------------------------------------------------------------


@story
def full_queue(w):
    w.session()
    for key, value in (("queue_cap", 2), ("queue_mode_user", "queue")):
        w.setting(key, value)
    run = w.deliver("S1", "m0", owner="A1")["turn"]
    for n in (1, 2):
        w.check(f"m{n}", w.deliver("S1", f"m{n}", message_id=f"{n}")["action"], "queue")
    before = w.rows("SELECT * FROM session_events"), w.rows("SELECT * FROM deliveries")
    refused = w.deliver("S1", "m3", message_id="3")
    w.check("m3 is rejected openly", (refused["action"], bool(refused["message"])),
            ("rejected", True))
    w.holds("a push too", w.refused("host", "queue_push", "S1", "m4", {"source": "webhook"}),
            "queue_push: ", "'S1'", "full")
    w.check("nothing is remembered", (w.rows("SELECT * FROM session_events"),
                                      w.rows("SELECT * FROM deliveries")), before)
    w.complete("A1", run, "done")
    run = w.begin("A1")
    again = w.deliver("S1", "m3", message_id="3")
    w.check("m3 comes again", (again["action"], again.get("duplicate", False)), ("queue", False))
    w.check("the queue", w.queue("S1"), ["m2", "m3"])
    w.setting("queue_full", "drop-oldest")
    dropped = w.deliver("S1", "m5")
    w.check("the oldest gives way", [c["message"] for c in dropped["cancelled"]], ["m2"])
    w.check("the queue then", w.queue("S1"), ["m3", "m5"])
    w.check("it says why", w.column("SELECT error FROM session_queue WHERE message = 'm2'"),
            ["dropped: the queue was full"])
    w.complete("A1", run, "done")
    w.check("the next", inputs(w.begin("A1")), ["m3"])


@story
def empty_queue(w):
    w.check("an unknown session", w.begin("A1", "nobody"), None)
    w.check("is not made", w.column("SELECT count(*) FROM sessions"), [0])
    w.session()
    w.check("nothing waits", w.begin("A1"), None)
    w.check("no lease", (w.holder("S1"), w.column("SELECT count(*) FROM session_runs "
                                                  "WHERE expires_at IS NOT NULL")), (None, [0]))
    w.check("no turn", w.column("SELECT count(*) FROM turns"), [1])
    hi = {"messages": [{"role": "user", "content": "hi"}]}
    given = w.call("A1", "turn_begin", "S1", "A1", hi)
    w.check("with messages of its own", inputs(given), ["hi"])
    w.complete("A1", given, "hello")
    w.check("and then none again", w.begin("A1"), None)


# ---- Called off, with others waiting --------------------------------------------------------


@story
def abandon_with_waiting(w):
    w.session()
    w.setting("queue_mode_user", "queue")
    run = w.deliver("S1", "m0", owner="A1", sender="ann")["turn"]
    w.deliver("S1", "ann's", sender="ann")
    w.deliver("S1", "bob's", sender="bob")
    w.deliver("S1", "beat", source="timer")
    worker = w.call("A1", "session_spawn", "S1", "count")
    busy = w.begin("W", worker)
    w.say("W", busy, "one, two")
    decision = w.deliver("S1", "stop", sender="ann", **{"class": "Abandon"})
    w.check("it is over", (decision["action"], decision["state"]), ("abandon", "None"))
    w.check("what she had waiting is listed", [c["message"] for c in decision["cancelled"]],
            ["ann's", "m0"])
    w.check("and what still waits", [c["message"] for c in decision["still_waiting"]], ["bob's", "beat"])
    w.check("the others' waits", w.queue("S1"), ["bob's", "beat"])
    w.check("nobody holds it", w.holder("S1"), None)
    w.holds("the run is told", w.refused("A1", "turn_heartbeat", run["turn"], run["token"]),
            "turn_heartbeat: ", "aborted", "stop")
    w.holds("the worker too", w.refused("W", "turn_heartbeat", busy["turn"], busy["token"]),
            "turn_heartbeat: ", "aborted")
    w.check("it has failed", w.column("SELECT task_status FROM session_workers"), ["failed"])
    w.check("its report comes too late", w.call("W", "session_report", worker, "completed", "2"),
            None)
    w.check("nothing of it waits", w.queue("S1"), ["bob's", "beat"])
    run = w.begin("A2")
    w.check("bob's is next", inputs(run), ["bob's"])
    w.check("as a task of its own", (w.state("S1"), w.commits(worker)), ("Running", ["Abandoned"]))
    w.complete("A2", run, "done")
    w.check("then the timer's", inputs(w.begin("A2")), ["beat"])


@story
def abandon_after_the_lease(w):
    """The run's lease is over and nobody has taken over when the user says stop."""
    w.session()
    run = w.deliver("S1", "m0", owner="A1")["turn"]
    w.say("A1", run, "half")
    w.at(5 * MINUTE)
    w.check("it is over", w.deliver("S1", "stop", **{"class": "Abandon"})["action"], "abandon")
    w.holds("what comes late is refused", w.refused("A1", "turn_complete", run["turn"],
            run["token"], {"content": "the other half"}), "turn_complete: ", str(run["turn"]))


# ---- Order ----------------------------------------------------------------------------------


@story
def order_beside_an_open_choice(w):
    """A choice keeps a user's messages, not those of others: they stay in line."""
    w.session()
    w.check("a choice opens", w.deliver("S1", "hm", **{"class": "Unclear"})["action"], "prompt")
    w.call("host", "queue_push", "S1", "first", {"source": "timer"})
    w.deliver("S1", "second", source="agent")
    w.check("in order", w.drain("A1"), ["first", "second"])


@story
def order_after_a_failure(w):
    """What comes back stands before what came meanwhile, however that came."""
    for n, options in enumerate(({}, {"source": "webhook"}, {"owner": "A2"}, {"mode": "collect"})):
        label = f"S{n}"
        w.session(label)
        run = w.deliver(label, "first", owner="A1")["turn"]
        w.call("A1", "turn_fail", run["turn"], run["token"], "the model is down")
        run = w.deliver(label, "second", **options).get("turn")
        w.check(f"in order {options}", w.drain("A2", label, run), ["first", "second"])


@story
def order_of_modes(w):
    """Steering overtakes, collecting gathers neighbours, all others wait their turn."""
    w.session()
    run = w.deliver("S1", "go", owner="A1")["turn"]
    for text, mode in (("a", "queue"), ("b", "collect"), ("c", "collect"), ("d", "followup"),
                       ("e", "collect"), ("f", "steer"), ("g", "steer-backlog")):
        w.deliver("S1", text, mode=mode, source="webhook")
    taken = w.call("A1", "turn_steering", run["turn"], run["token"])
    w.check("steering", inputs(taken), ["f", "g"])
    w.complete("A1", run, "done")
    turns = []
    while run := w.begin("A1"):
        turns.append(inputs(run))
        w.complete("A1", run, "done")
    w.check("the rest", turns, [["a"], ["b", "c"], ["d"], ["e"]])


# ---- A restart with items in processing -----------------------------------------------------


@story
def restart_with_processing(w):
    w.session()
    for n in (1, 2, 3):
        w.call("host", "queue_push", "S1", f"m{n}", {"source": "webhook", "mode": "collect"})
    w.call("host", "queue_push", "S1", "m4", {"source": "webhook"})
    for attempt in (1, 2, 3):
        run = w.begin("A1")
        w.check(f"attempt {attempt}: all to be collected, in order", inputs(run),
                ["m1", "m2", "m3"])
        w.check(f"attempt {attempt}: counted", {m["attempt"] for m in run["messages"]}, {attempt})
        w.at(10 * attempt)
        w.restart()
        report = w.call("host", "turnstile_startup", "A1", {"all": True})
        if attempt < 3:
            w.check(f"attempt {attempt}: given back", report["items_given_back"], 3)
            w.check(f"attempt {attempt}: as before", w.queue("S1"), ["m1", "m2", "m3", "m4"])
        status = w.call("reader", "session_state", "S1")["status"]
        w.check(f"attempt {attempt}: the session sleeps", status, "suspended")
    w.check("then they have failed", w.queue("S1", "failed"), ["m1", "m2", "m3"])
    failed = w.call("host", "session_recover", "S1")["failed"]
    w.check("and are shown", [(f["message"], f["error"]) for f in failed],
            [(f"m{n}", "the run of 'A1' ended: restart") for n in (1, 2, 3)])
    run = w.begin("A1")
    w.check("the next goes on", inputs(run), ["m4"])
    status = w.call("reader", "session_state", "S1")["status"]
    w.check("the session is awake", status, "active")
    w.complete("A1", run, "done")
    for f in failed:
        w.call("host", "queue_retry", f["queue_id"])
    run = w.begin("A1")
    w.check("tried again, together", inputs(run), ["m1", "m2", "m3"])
    w.check("from the start", {m["attempt"] for m in run["messages"]}, {1})
    w.complete("A1", run, "done")
    w.check("nothing is left", (w.begin("A1"), w.open("S1")), (None, []))


@story
def restart_of_another(w):
    """Only the restarted owner's runs end."""
    runs = {}
    for owner, label in (("A1", "S1"), ("A2", "S2")):
        w.session(label)
        runs[owner] = w.deliver(label, "go", owner=owner)["turn"]
    w.check("its name ends nothing", w.call("host", "turnstile_startup", "A1")["live"], ["S1"])
    report = w.call("host", "turnstile_startup", "A1", {"all": True})
    w.check("one session", report["sessions"], ["S1"])
    w.check("A2 goes on", w.complete("A2", runs["A2"], "done")["status"], "completed")
    w.holds("A1's is over", w.refused("A1", "turn_complete", runs["A1"]["turn"],
            runs["A1"]["token"], {"content": "x"}), "turn_complete: ", "restart")
    w.check("its input waits", w.queue("S1"), ["go"])
    w.check("without an owner: expired leases only",
            w.call("host", "turnstile_startup")["runs_reset"], 0)


if __name__ == "__main__":
    suite = Suite("run_scenarios")
    lib = library(sys.argv[1])
    wanted = sys.argv[2:]
    for play in stories:
        if wanted and play.__name__ not in wanted:
            continue
        for by_door in (True, False):
            world = World(play.__name__, by_door)
            try:
                play(world)
                world.done()
            except (sqlite3.Error, TypeError, KeyError, IndexError) as error:
                where = error.__traceback__
                while where.tb_next and where.tb_next.tb_frame.f_code.co_filename == __file__:
                    where = where.tb_next
                line = f"line {where.tb_lineno}: {type(error).__name__}: {error}"
                world.check("it can be told to the end", line, "")
                world.restart()
    suite.done()
