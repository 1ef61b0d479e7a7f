"""A message that is rejected changes nothing: refused.py BUILDDIR [STEPS [SEED]]

A matrix of what a message can meet while the queue is full: a live run, a retry that is waited for, a summary that is
written, a session in error or in the archive; a task in each state or none; a choice of each kind, with and without
something that was said beside it; both ways of new_task_policy. In each every message is delivered, in every mode, and
every choice is pressed. The file before and after is the same to the last row where the decision is `rejected`, but for what
the session keeps in mind of a refusal. Where it is anything else, the file is sound, and what the choice held is in the
queue, in a note or in the choice still.

Then a walk at random with small queues, in which the same holds of every decision.
"""

import itertools
import json
import os
import random
import sqlite3
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import CHECK, Suite, connect, library, one  # noqa: E402

suite = Suite("refused")
lib = library(sys.argv[1])
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
START = 1_767_225_600_000
HOUR = 3_600_000


def call(db, command, *args):
    return one(db, f"SELECT {command}({', '.join('?' * len(args))})", *args)


def deliver(db, message, **options):
    return json.loads(call(db, "session_deliver", "main", message, json.dumps(options)))


def pressed(db, key):
    return json.loads(call(db, "session_choose", "main", key))


def install(db):
    """With the rules of the language in which this is written: others are only compiled and compared."""
    call(db, "turnstile_install")
    db.execute("DELETE FROM message_rules WHERE lang NOT IN ('any', 'en')")


def dump(db):
    """Every row, but for what a session keeps in mind of what it refused."""
    rows = []
    for (table,) in db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
    ).fetchall():
        cursor = db.execute(f'SELECT * FROM "{table}"')
        names = [column[0] for column in cursor.description]
        keep = [i for i, name in enumerate(names) if not name.startswith("refused")]
        rows += sorted(repr((table, *(row[i] for i in keep))) for row in cursor.fetchall())
    return rows


# ---- The matrix --------------------------------------------------------------------------------


def no_task(db):
    call(db, "session_start", "main", "Add retries")
    call(db, "session_note", "main", "x")
    call(db, "session_transition", "main", "PendingComplete", '{"summary":"done"}')
    deliver(db, "perfect")


def running(db):
    call(db, "session_start", "main", "Add retries")
    call(db, "session_note", "main", "x")


def awaiting(db):
    running(db)
    call(db, "session_transition", "main", "AwaitingUser", '{"question":"Fixed or doubling?"}')


def reported(db):
    running(db)
    call(db, "session_transition", "main", "PendingComplete", '{"summary":"done"}')


def choice(kind, held, wait, earlier, state=running, **options):
    def made(db):
        state(db)
        call(db, "turnstile_clock", START + wait)
        decision = deliver(db, held, message_id="held", sender="ann", **options)
        suite.check(f"{kind} is opened", decision.get("kind"), kind)
        if earlier:
            decision = deliver(db, earlier, message_id="beside", sender="ann")
            suite.check(f"{kind}: {earlier!r} is held, too", decision["action"], "prompt")

    return made


BESIDE = "no, zorglub"
STATES = {
    "no task": no_task,
    "running": running,
    "awaiting": awaiting,
    "reported": reported,
}
for beside in (None, BESIDE):
    with_it = " and more" if beside else ""
    STATES |= {
        "new task" + with_it: choice("NewTaskChoice", "different thing: build a boat", 0, beside),
        "new task over a question"
        + with_it: choice("NewTaskChoice", "different thing: build a boat", 0, beside, awaiting),
        "unclear" + with_it: choice("UnclearChoice", "hmm blorp", 0, beside, **{"class": "Unclear"}),
        "stale" + with_it: choice("StaleSessionChoice", "also add jitter", 25 * HOUR, beside),
    }
STATES["saved"] = choice("SavedTaskChoice", "use jitter", 8 * 24 * HOUR, None, **{"class": "Response"})


def live(db):
    call(db, "session_deliver", "main", "tick", '{"source":"timer"}')
    call(db, "turn_begin", "main", "w")


def retried(db):
    live(db)
    call(db, "turn_fail", one(db, "SELECT max(id) FROM turns"), token(db), "429", '{"retry_after":"9h"}')


def token(db):
    return one(db, "SELECT token FROM session_runs WHERE session_label = 'main'")


def compacting(db):
    live(db)
    call(db, "turn_complete", one(db, "SELECT max(id) FROM turns"), token(db), '{"content":"here"}')
    call(db, "turn_compact_begin", "main", "c")


BUSY = {
    "nobody": lambda db: None,
    "a live run": live,
    "a retry": retried,
    "a summary": compacting,
    "error": lambda db: call(db, "session_fail", "main", "gone"),
    "archived": lambda db: call(db, "session_archive", "main"),
}

MESSAGES = [
    ("A", {}),
    ("B", {}),
    ("A, and make it red", {}),
    ("B, but keep my branch", {}),
    ("neither", {}),
    ("no, zorglub too", {}),
    ("what does that mean?", {}),
    ("stop", {}),
    ("stop", {"sender": "ann"}),
    ("ok", {}),
    ("looks good, thanks", {}),
    ("use three attempts", {"class": "Modification"}),
    ("different thing: paint the door", {}),
    ("paint the door", {"class": "NewTask"}),
    ("/compact", {}),
    ("/model", {}),
    ("ping", {"source": "timer"}),
    ("news", {"source": "agent"}),
]


def fill(db):
    """So much waits that no more is let in."""
    call(db, "turnstile_config", "queue_cap", 1)
    for i in range(2):
        try:
            call(db, "queue_push", "main", f"filler {i}", '{"source":"webhook","sender":"hook"}')
        except sqlite3.OperationalError:
            pass
        except sqlite3.Error as error:
            if "is full" not in str(error):
                raise


def texts(db):
    """Where a message can be that is not lost."""
    return "\n".join(
        str(row[0])
        for row in db.execute(
            "SELECT message FROM session_queue UNION ALL SELECT data FROM observations"
            " UNION ALL SELECT pending_choice FROM sessions"
            " UNION ALL SELECT message FROM deliveries AS d JOIN sessions AS s ON s.label = d.session_label"
            " JOIN json_each(s.pending_choice, '$.earlier') AS e ON e.value = d.id"
        )
    )


tally = {}


def compare(what, db, before, act, held=()):
    """Does it, and takes it back. Returns the action."""
    db.execute("BEGIN")
    decision = act()
    action = decision["action"]
    if action == "rejected":
        after = dump(db)
        suite.check(f"{what}: rejected", sorted(set(before) ^ set(after))[:6], [])
        suite.check(f"{what}: the decision tells of nothing done",
                    [k for k in ("commit_id", "queue_id", "cancelled", "turn", "notes") if k in decision], [])
    else:
        if sum(tally.values()) % 7 == 0:
            suite.check(f"{what}: {action}", db.execute(CHECK).fetchall()[:3], [])
        kept = texts(db)
        suite.check(f"{what}: {action}: held", [h for h in held if h not in kept], [])
    db.execute("ROLLBACK")
    return action


def matrix():
    for (state, make), (busy, begin), policy in itertools.product(
        STATES.items(), BUSY.items(), ("prompt", "switch")
    ):
        db = connect(":memory:", lib)
        install(db)
        call(db, "turnstile_clock", START)
        make(db)
        call(db, "turnstile_config", "new_task_policy", policy)
        call(db, "turnstile_config", "ask_threshold", "100d")
        call(db, "turnstile_config", "auto_compact_threshold", "200d")
        begin(db)
        fill(db)
        suite.check(f"{state}, {busy}: something waits",
                    one(db, "SELECT count(*) > 0 FROM session_queue WHERE status = 'pending'"), 1)
        stored = one(db, "SELECT pending_choice FROM sessions WHERE label = 'main'")
        held = []
        if stored:
            held = [json.loads(stored)["held"]] + ([BESIDE] if "earlier" in stored else [])
        name = f"{state}, {busy}, {policy}"
        before = dump(db)
        for (message, options), mode in itertools.product(MESSAGES, (None, "steer", "interrupt")):
            if mode and (busy != "a live run" or message in ("/compact", "/model")):
                continue
            given = options | ({"mode": mode} if mode else {})
            action = compare(f"{name}: {message} {given}", db, before,
                             lambda m=message, o=given: deliver(db, m, message_id="m", **o), held)
            tally[(bool(stored), busy, action)] = tally.get((bool(stored), busy, action), 0) + 1
        if stored and busy != "error":
            for key in "AB":
                action = compare(f"{name}: press {key}", db, before, lambda k=key: pressed(db, k), held)
                suite.check(f"{name}: a press is taken", action != "rejected")
        for key, opened in (("A", 5), ("B", 5)):
            action = compare(f"{name}: {key} of another choice", db, before,
                             lambda k=key: deliver(db, k, opened_at=START + opened))
            suite.check(f"{name}: {key} of another choice is rejected", action, "rejected")
        db.close()
    for busy in ("a live run", "a retry", "a summary", "error"):
        suite.check(f"{busy}: something was rejected", tally.get((False, busy, "rejected"), 0) > 0)
        suite.check(f"{busy}: with a choice, too", tally.get((True, busy, "rejected"), 0) > 0)


# ---- At random ---------------------------------------------------------------------------------


def settle(db, now):
    """A lease that has run out is settled by whoever comes next, whatever becomes of his message."""
    if one(db, "SELECT expires_at <= ? FROM session_runs WHERE session_label = 'main'", now):
        call(db, "session_sweep")


def walk():
    r = random.Random(SEED)
    db = connect(":memory:", lib)
    install(db)
    call(db, "turnstile_config", "queue_cap", 2)
    call(db, "turnstile_config", "on_archived", "reject")
    now, rejected, refusals = START, 0, set()
    for step in range(STEPS):
        now += r.choice((1, 1000, 60_000, 60_000, HOUR, 26 * HOUR if r.random() < 0.05 else 5))
        call(db, "turnstile_clock", now)
        if r.random() < 0.03:
            call(db, "turnstile_config", "new_task_policy", r.choice(("prompt", "switch")))
        what = r.random()
        try:
            if what < 0.12:
                call(db, "turn_begin", "main", "w")
            elif what < 0.2:
                turn, at = db.execute(
                    "SELECT turn_id, token FROM session_runs WHERE session_label = 'main'"
                ).fetchone() or (None, None)
                if turn and r.random() < 0.4:
                    call(db, "turn_fail", turn, at, "429", '{"retry_after":"2h"}')
                elif turn:
                    outcome = r.choice(("done", "question", "working"))
                    call(db, "turn_complete", turn, at, json.dumps({"content": "Fixed or doubling?", "outcome": outcome}))
            elif what < 0.24:
                command, *why = r.choice((("session_fail", "gone"), ("session_archive",)))
                call(db, command, "main", *why)
            elif what < 0.32:
                call(db, r.choice(("session_reopen", "session_unarchive")), "main")
            elif what < 0.34:
                call(db, "turn_compact_begin", "main", "c")
            else:
                raise LookupError
            continue
        except sqlite3.Error:
            continue
        except LookupError:
            pass
        message, options = r.choice(MESSAGES)
        settle(db, now)
        before = dump(db)
        try:
            if r.random() < 0.1:
                decision = pressed(db, r.choice("AB"))
            else:
                decision = deliver(db, message, **options)
        except sqlite3.Error:
            suite.check(f"step {step}: an error", dump(db) == before)
            continue
        if decision["action"] == "rejected":
            rejected += 1
            refusals.add(decision["message"][:9])
            suite.check(f"step {step}: {message} {options}: rejected",
                        sorted(set(before) ^ set(dump(db)))[:6], [])
    suite.check("the walk met enough of them", rejected > STEPS // 40 and len(refusals) > 1)
    suite.sound("after the walk", db)


matrix()
walk()
if "-v" in sys.argv:
    for key in sorted(tally, key=str):
        print(key, tally[key])
suite.done()
