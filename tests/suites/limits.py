"""The limits of the turn tree: limits.py BUILDDIR

BUILDDIR holds a library that was built with limits low enough to reach (the Makefile has the
numbers): 6 turns on top of each other, 3 branches in a file, 8 messages and tool calls in a turn.
The last one allowed works. The next one is an error that says which limit it is, whatever command
meets it and however it is called: the file is as before, a transaction of the host's stays open
with all that it holds, and work that needs no more room goes on.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

DEPTH, BRANCH, SEQUENCE = 5, 3, 7
TOO_BIG = 18  # SQLITE_TOOBIG: SQLITE_FULL would make SQLite roll the transaction back

DEEP = f"has {DEPTH} turns above it, and no turn can lie deeper"
WIDE = f"the file holds {BRANCH} branches of turns, and can't hold more"
LONG = f"holds {SEQUENCE + 1} messages and tool calls, and can't hold more"


def turn(branch, depth):
    return branch << 24 | depth


def said(n=1, role="user"):
    return [{"role": role, "content": f"message {i}"} for i in range(n)]


def calls(*ids):
    return {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [{"id": i, "name": "ls"} for i in ids],
    }


def new(*commands):
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    db.execute("CREATE TABLE witness(x)")
    for command, *args in commands:
        door(db, command, *args)
    return db


def dump(db):
    names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").fetchall()
    return {n: db.execute(f'SELECT * FROM "{n}"').fetchall() for (n,) in names if n != "witness"}


def sugar(db, command, *args, tail=""):
    values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
    return one(db, f"SELECT {command}({', '.join('?' * len(values))}){tail}", *values)


def refused(what, db, says, command, *args):
    """Whichever way it is called: an error with that text, and nothing has changed."""
    before = dump(db)
    db.execute("DELETE FROM witness")
    db.execute("INSERT INTO witness VALUES(1)")
    for way, call in {
        "sugar": lambda: sugar(db, command, *args),
        "door": lambda: door(db, command, *args),
        "sugar FROM a table": lambda: sugar(db, command, *args, tail=" FROM witness"),
        "INSERT … SELECT": lambda: db.execute(
            "INSERT INTO turnstile SELECT ?, ? FROM witness", (command, json.dumps(args))
        ),
    }.items():
        name = f"{what}, {command}, {way}"
        error = error_of(call)
        suite.holds(f"{name}: message", error, f"{command}: ", says)
        suite.check(f"{name}: code", error and error.sqlite_errorcode, TOO_BIG)
        suite.check(f"{name}: nothing changed", dump(db) == before)
        suite.check(f"{name}: no transaction is left", db.in_transaction, False)
        db.execute("BEGIN")
        db.execute("INSERT INTO witness VALUES(2)")
        suite.holds(f"{name}, in a transaction: message", error_of(call), says)
        suite.check(f"{name}, in a transaction: it stays open", db.in_transaction, True)
        kept = one(db, "SELECT count(*) FROM witness WHERE x = 2")
        suite.check(f"{name}, in a transaction: it keeps the host's row", kept, 1)
        suite.check(f"{name}, in a transaction: nothing changed", dump(db) == before)
        if db.in_transaction:
            db.execute("ROLLBACK")
    suite.sound(what, db)


# ---- Turns on top of each other -------------------------------------------------------------


def test_depth():
    db = new()
    for depth in range(DEPTH + 1):
        suite.check(f"turn {depth}", door(db, "turn_append", "s", said()), turn(1, depth))
    last = turn(1, DEPTH)
    refused("deepest turn", db, DEEP, "turn_append", "s", said())
    refused("deepest turn", db, DEEP, "turn_begin", "s", "host", {"messages": said()})
    refused("deepest turn", db, DEEP, "turn_compact", "s", "They talked.")
    refused("deepest turn, a parent", db, DEEP, "turn_append", "new", said(), {"parent": last})
    suite.check("no session was made", one(db, "SELECT count(*) FROM sessions"), 1)
    path = one(db, "SELECT group_concat(depth) FROM turn_path('s')")
    suite.check("the path", path, "0,1,2,3,4,5")
    suite.check("the context", one(db, "SELECT count(*) FROM session_context('s')"), DEPTH + 1)
    suite.check("the top", one(db, "SELECT turn_ancestor(?, 0)", last), turn(1, 0))
    # A fork needs no room; its next turn does.
    suite.check("fork of the deepest", door(db, "session_fork", last, "f"), "f")
    refused("on the fork", db, DEEP, "turn_append", "f", said())
    refused("on the fork", db, DEEP, "turn_compact", "f", "They talked.", {"keep_turns": 0})
    # One back, and there is room for one.
    door(db, "session_rewind", "s", turn(1, DEPTH - 1))
    suite.check("after a rewind", door(db, "turn_append", "s", said()), turn(2, DEPTH))
    suite.sound("depth", db)
    db.close()


def test_depth_begun():
    """The last turn as a begun one, with a compaction made for it beside."""
    db = new(*[("turn_append", "s", said())] * DEPTH)
    begun = json.loads(door(db, "turn_begin", "s", "host", {"messages": said()}))
    suite.check("the deepest turn begins", begun["turn"], turn(1, DEPTH))
    made = json.loads(
        door(
            db,
            "turn_compact",
            "s",
            "They talked.",
            {"turn": begun["turn"], "token": begun["token"], "keep_turns": 1},
        )
    )
    suite.check("a compaction beside it", made["turn"], turn(2, DEPTH))
    door(db, "turn_message", begun["turn"], begun["token"], said(role="assistant")[0])
    ended = json.loads(door(db, "turn_complete", begun["turn"], begun["token"]))
    suite.check("it completes", ended["head"], turn(1, DEPTH))
    refused("after the deepest, begun", db, DEEP, "turn_begin", "s", "host", {"messages": said()})
    runs = db.execute("SELECT turn_id, expires_at FROM session_runs").fetchall()
    suite.check("no lease is taken", runs, [(None, None)])
    db.close()


def test_depth_queue():
    """What waits in the queue stays there when its turn can't begin."""
    db = new(*[("turn_append", "s", said())] * (DEPTH + 1), ("session_deliver", "s", "go on"))
    before = db.execute("SELECT status, attempts, turn_id FROM session_queue").fetchall()
    refused("an input waits", db, DEEP, "turn_begin", "s", "host")
    after = db.execute("SELECT status, attempts, turn_id FROM session_queue").fetchall()
    suite.check("the input is where it was", (len(after), after), (1, before))
    db.close()


def test_depth_takeover():
    """A lease that ran out is not taken over by a turn that can't begin."""
    db = new(*[("turn_append", "s", said())] * DEPTH)
    door(db, "turn_begin", "s", "host", {"messages": said(), "lease": 1, "now": 1000})
    door(db, "session_fork", turn(1, DEPTH - 1), "f")
    door(db, "turn_append", "f", said())
    refused("an expired lease", db, DEEP, "turn_append", "s", said(), {"parent": turn(2, DEPTH)})
    status = one(db, "SELECT status FROM turns WHERE id = ?", turn(1, DEPTH))
    suite.check("the old turn is as it was", status, "running")
    db.close()


# ---- Branches -------------------------------------------------------------------------------


def test_branch():
    db = new(("turn_append", "s", said()), ("turn_append", "s", said()))
    suite.check("the second", door(db, "turn_append", "t", said()), turn(2, 0))
    door(db, "session_fork", turn(1, 0), "f")
    suite.check("the last", door(db, "turn_append", "f", said()), turn(3, 1))
    refused("a root", db, WIDE, "turn_append", "new", said())
    refused("a root", db, WIDE, "turn_begin", "new", "host", {"messages": said()})
    suite.check("no session was made", one(db, "SELECT count(*) FROM sessions"), 3)
    suite.check("no run was made", one(db, "SELECT count(*) FROM session_runs"), 0)
    suite.check("a fork needs no room", door(db, "session_fork", turn(1, 0), "g"), "g")
    refused("on the fork", db, WIDE, "turn_append", "g", said())
    refused("on the fork", db, WIDE, "turn_begin", "g", "host", {"messages": said()})
    refused("on the fork", db, WIDE, "turn_compact", "g", "They talked.")
    refused("elsewhere", db, WIDE, "turn_append", "s", said(), {"parent": turn(1, 0)})
    # At the end of a branch there is room.
    suite.check("at an end", door(db, "turn_append", "t", said()), turn(2, 1))
    made = json.loads(door(db, "turn_compact", "s", "They talked."))
    suite.check("a compaction at an end", made["turn"], turn(1, 2))
    suite.check("a turn behind it", door(db, "turn_append", "s", said()), turn(1, 3))
    begun = json.loads(door(db, "turn_begin", "s", "host", {"messages": said()}))
    suite.check("a begun turn at an end", begun["turn"], turn(1, 4))
    live = {"turn": begun["turn"], "token": begun["token"]}
    refused("beside the running turn", db, WIDE, "turn_compact", "s", "They talked.", {**live, "keep_turns": 0})
    context = one(db, "SELECT context_turn_id FROM turns WHERE id = ?", begun["turn"])
    suite.check("the running turn's context is as it was", context, turn(1, 2))
    ended = json.loads(door(db, "turn_complete", *live.values(), {"content": "Done."}))
    suite.check("it completes", ended["head"], turn(1, 4))
    back = json.loads(door(db, "session_rewind", "s", turn(1, 1)))
    suite.check("rewind", back["head"], turn(1, 1))
    refused("after a rewind", db, WIDE, "turn_append", "s", said())
    tree = one(db, "SELECT group_concat(level) FROM turn_tree(?)", turn(1, 0))
    suite.check("the tree", tree, "0,1,2,3,4,1")
    suite.sound("branches", db)
    db.close()


def test_branch_queue():
    """A message is accepted all the same, and waits."""
    db = new(*[("turn_append", label, said()) for label in ("a", "b", "c")])
    decision = json.loads(door(db, "session_deliver", "new", "write a report"))
    suite.check("a delivery", decision["action"], "start")
    refused("an input waits", db, WIDE, "turn_begin", "new", "host")
    waits = one(db, "SELECT count(*) FROM session_queue WHERE turn_id IS NULL")
    suite.check("the input waits", waits, 1)
    db.close()


# ---- Messages and calls ---------------------------------------------------------------------


def test_sequence():
    db = new()
    most = SEQUENCE + 1
    suite.check("a full turn", door(db, "turn_append", "s", said(most)), turn(1, 0))
    count = one(db, "SELECT count(*) FROM session_context('s')")
    suite.check("all of it is in the context", count, most)
    refused("a message too many", db, LONG, "turn_append", "s", said(most + 1))
    refused("a message too many", db, LONG, "turn_append", "new", said(most + 1))
    refused("a call too many", db, LONG, "turn_append", "s", said(most - 1) + [calls("a", "b")])
    refused(
        "a message too many", db, LONG, "turn_begin", "new", "host", {"messages": said(most + 1)}
    )
    suite.check("no session was made", one(db, "SELECT count(*) FROM sessions"), 1)
    # Results of calls of the same turn need no place.
    done = (
        said(most - 3)
        + [calls("a", "b")]
        + [{"role": "tool", "tool_call_id": i, "content": "done"} for i in "ab"]
    )
    suite.check("results need no place", door(db, "turn_append", "s", done), turn(1, 1))
    db.close()


def test_sequence_begun():
    for how in ("turn_complete", "turn_fail", "turn_abort"):
        db = new(("turn_append", "s", [calls("early")]))
        begun = json.loads(door(db, "turn_begin", "s", "host", {"messages": said(2)}))
        live = begun["turn"], begun["token"]
        for n in range(2, SEQUENCE):
            place = json.loads(door(db, "turn_message", *live, said(role="assistant")[0]))
            suite.check(f"place {n}", place["sequence"], n)
        refused("one place left", db, LONG, "turn_message", *live, calls("a"))
        refused("one place left", db, LONG, "turn_complete", *live, {"messages": said(2)})
        place = json.loads(door(db, "turn_tool_call", *live, "own", "ls"))
        suite.check("the last place", place["sequence"], SEQUENCE)
        refused("no place left", db, LONG, "turn_message", *live, said()[0])
        refused("no place left", db, LONG, "turn_tool_call", *live, "b", "ls")
        refused("no place left", db, LONG, "turn_tool_result", *live, "early", "late")
        refused("no place left", db, LONG, "turn_complete", *live, {"content": "Done."})
        status = one(db, "SELECT status FROM turns WHERE id = ?", live[0])
        suite.check("the turn is still running", status, "running")
        # What needs no place goes on.
        result = json.loads(door(db, "turn_tool_result", *live, "own", "a.c"))
        suite.check("a result of its own call", result["status"], "completed")
        phase = json.loads(door(db, "turn_phase", *live, "streaming"))
        suite.check("a phase", phase["phase"], "streaming")
        rest = {"turn_complete": [{}], "turn_fail": ["full"], "turn_abort": ["full"]}[how]
        head = json.loads(door(db, how, *live, *rest))["head"]
        suite.check(f"{how}: the head", head, turn(1, 0 if how == "turn_fail" else 1))
        suite.check(
            f"{how}: the session goes on", error_of(door, db, "turn_append", "s", said()), None
        )
        suite.sound(f"{how} of a full turn", db)
        db.close()


lib = library(sys.argv[1])
suite = Suite("limits")
for test_name, test in sorted(globals().copy().items()):
    if test_name.startswith("test_"):
        test()
suite.done()
