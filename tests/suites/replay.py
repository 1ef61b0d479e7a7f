#!/usr/bin/env python3
"""replay.py - a log of commands, played on several databases, gives the same rows everywhere.

    tests/suites/replay.py BUILDDIR [seed [length]]

A command depends on the database, its arguments and `now`, and on nothing else: no other clock, no
chance, nothing that a connection remembers. So a log with `now` in every entry is played through
sugar, through the door, within one transaction, with a connection per command, under a prefix and
on a system clock that stands elsewhere; results (errors too) and rows have to agree. The log is
made up with a fixed seed, follows no plan, and so holds many commands that fail. Turns are named by
ids and tokens that a command has returned: a database on which the log is played while it grows
tells them.

The rows hold every invariant of the fault suites. Then request ids: what succeeded is played once
more on the same database, in order and out of it: the same results, and no row changes.
"""
import json
import os
import random
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402
from harness import INVARIANTS, Suite, library, one, through  # noqa: E402
from options import STATEMENTS, documented  # noqa: E402
import vocabulary  # noqa: E402
from vocabulary import (  # noqa: E402
    CALL_STATUS, CLASS, COMMIT_TYPE, HEAD_MOVE, OBSERVATION_KIND, QUEUE_END, QUEUE_OPEN, RUN_STATE, SOURCE, TASK_STATE, TURN_PHASE, WORKER_STATUS)

UUID = "00000000-0000-4000-8000-00000000000b"
HOUR = 3_600_000

LABELS = ["main", "dm:wa:1", "group:x", "worker:7", "ä b"]
MESSAGES = [
    "add retries to the upload client", "make it five, not three", "yes", "no", "looks good", "perfect, ship it",
    "perfect, now also log it", "stop", "never mind", "wait", "what does that mean?", "show me the code", "continue",
    "start fresh", "A", "b", "the second one", "1", "new task: pool the connections", "different topic, write a readme",
    "hmm", "weiter", "/compact", "/compact the design", "use exponential backoff", "thanks!", "x" * 500, "zwei\nZeilen",
    "", "   ", "café 👩‍👩‍👧", "{\"a\":1}", "cancel the subscription endpoint", "ok",
]
OWNERS = ["A1", "A2", "A3"]
# Each list with a word that is none of them.
MODES, STATES, KINDS = [*vocabulary.MODES, "later"], [*TASK_STATE, "Asleep"], [*OBSERVATION_KIND, "Dream"]
WRONG = {"later", "Asleep", "Dream", "robot", "done", "idle", "Maybe", "never", "drop", "svg"}
DATA = {
    "AwaitingUser": [{"question": "Which?"}, {"question": "Which?", "asked_at": 5}, {}],
    "Interrupted": [{"user_message": "not so fast"}, {"user_message": 5}],
    "PendingComplete": [{"summary": "Retries added"}, {}],
    "Aborted": [{"reason": "no use"}, None],
}


def asked_at(db):
    """When something was asked last, of whomever: by chance of the asked session. No draw of its own."""
    return db.execute("SELECT ifnull(max(since), 5) FROM session_attention WHERE reason IN ('choice', 'question')").fetchone()[0]


def deliver(r, db):
    options = {}
    if r.random() < 0.5:
        options["class"] = r.choice(CLASS)
    if r.random() < 0.2:
        options["source"] = r.choice([*SOURCE[1:], "robot"])
    if r.random() < 0.4:
        options |= {"message_id": f"m{r.randrange(40)}", "channel": r.choice(["wa", "tg"]), "sender": r.choice(["u1", "u2"])}
    if r.random() < 0.4:
        options["mode"] = r.choice(MODES)
    if r.random() < 0.4:
        options["owner"] = r.choice(OWNERS)
    elif r.random() < 0.15:
        options["keeps_turns"] = r.choice([0, 1])
    if options.get("class") == "Response" and "owner" not in options:
        options["asked_at" if "mode" in options else "opened_at"] = asked_at(db)
    place = label(r, db) if r.random() < 0.5 else busy_label(r, db)
    return ["session_deliver", [place, r.choice(MESSAGES)], options]


def transition(r, db):
    state = r.choice(STATES)
    return ["session_transition", [r.choice(LABELS), state, r.choice(DATA.get(state, [None, {"x": 1}]))], {}]


def config(r, db):
    key, values = r.choice([
        ("ask_threshold", ["1h", "24h", 3 * HOUR, "soon"]), ("auto_compact_threshold", ["2 days", "7d"]),
        ("new_task_policy", ["prompt", "switch", "never"]), ("sweep_batch", [2, 500]), ("text.acknowledge", ["Gut.", "Fine."]),
        ("run_idle_timeout", ["10m"]), ("nonsense", [1])] if r.random() < 0.5 else [
        ("queue_mode", MODES), ("queue_mode_user", ["inherit", *MODES]),
        ("queue_mode_agent", ["inherit", "steer"]),
        ("queue_cap", [1, 1, 2, 5]), ("queue_cap", [1, 2]),
        ("queue_full", ["reject", "drop-oldest", "drop-oldest", "drop"]),
        ("max_attempts", [1, 4]), ("collect_debounce", ["2m"]), ("collect_max_wait", ["30s", "5m"]), ("retry_backoff", ["20s"]), ("retry_backoff_max", ["1m"]), ("lease", ["90s", "30m", "24h"]),
        ("classify_floor", [0.9, 0.99, "2"]), ("classify_below", ["ask", "ask", "prompt", "guess"]),
        ("max_spawn_depth", [1, 2]), ("max_children", [1, 1, 3]), ("keeps_turns", [0, 1, 2]),
        ("names", ["Alma", "Alma, bot", "<@U1>"])])
    options = {"session": r.choice(LABELS)} if r.random() < 0.6 else {}
    if r.random() < 0.4:
        return ["turnstile_config", [key, None], {**options, "reset": 1}]
    return ["turnstile_config", [key, r.choice(values)], options]


# ---- Turns -------------------------------------------------------------------------------------


def label(r, db):
    """A session's label, now and then that of a fork."""
    if r.random() < 0.7:
        return r.choice(LABELS)
    return r.choice(
        [row[0] for row in db.execute("SELECT label FROM sessions ORDER BY label")] or LABELS
    )


def look(db, n=9):
    """Options of what only reads. Not drawn: what follows in the log stays."""
    return ({0: {"own": 1}, 3: {"dry_run": 1}, 5: {"dry_run": 1, "own": 1}}).get(db.total_changes % n, {})


def busy_label(r, db):
    """A session with a turn that runs, or did when its process died."""
    runs = db.execute(
        "SELECT session_label FROM session_runs WHERE turn_id IS NOT NULL "
        "ORDER BY expires_at DESC, 1 LIMIT 4"
    ).fetchall()
    return r.choice(runs)[0] if runs else label(r, db)


def some_turn(r, db):
    """A turn that is there; rarely one that is none."""
    ids = [row[0] for row in db.execute("SELECT id FROM turns ORDER BY id DESC LIMIT 60")]
    return r.choice(ids) if ids and r.random() < 0.95 else r.choice([0, 99, 1 << 24, 5 << 24 | 3])


def live_turn(r, db):
    """A running turn with its token; rarely another turn or another token."""
    runs = db.execute(
        "SELECT turn_id, token FROM session_runs WHERE turn_id IS NOT NULL ORDER BY 1"
    ).fetchall()
    if not runs or r.random() < 0.05:
        return [some_turn(r, db), 1]
    turn, token = r.choice(runs)
    return [turn, token + (r.random() < 0.05)]


def call_id(r, db):
    """The id of a call that waits for its result; else a new one, or one used before."""
    waiting = [
        row[0]
        for row in db.execute(
            "SELECT id FROM tool_calls WHERE status = 'pending' ORDER BY place DESC LIMIT 8"
        )
    ]
    return r.choice(waiting) if waiting and r.random() < 0.8 else f"k{r.randrange(200)}"


def message(r, db):
    """One message; some are wrong."""
    kind = r.random()
    if kind < 0.5:
        return {"role": r.choice(["user", *vocabulary.ROLE_INPUT]), "content": r.choice(MESSAGES)}
    if kind < 0.7:
        return {
            "role": "assistant",
            "content": r.choice(MESSAGES),
            "metadata": {"n": r.randrange(9)},
        }
    if kind < 0.87:
        calls = [
            {
                "id": f"k{r.randrange(1000)}",
                "name": r.choice(["ls", "cat"]),
                "params": {"path": f"{r.randrange(9)}.c"},
            }
            for _ in range(r.randrange(1, 4))
        ]
        calls[0] |= r.choice([{}, {}, {"result": "text"}, {"error": "no such file"}])
        return {"role": "assistant", "content": r.choice([None, "I look."]), "tool_calls": calls}
    if kind < 0.98:
        return {
            "role": "tool",
            "tool_call_id": call_id(r, db),
            "content": r.choice(MESSAGES),
            "is_error": r.choice([0, 1, True]),
        }
    return r.choice(
        [
            {"role": "tool", "content": "x"},
            {"role": "robot", "content": "x"},
            {"role": "user"},
            {"role": "user", "content": "x", "refusal": None},
            {},
        ]
    )


def messages(r, db):
    return [message(r, db) for _ in range(r.randrange(1, 4))]


def usage(r):
    return {"input_tokens": r.randrange(1000), "output_tokens": r.randrange(300)}


def tool_result(r, db):
    turn, token = live_turn(r, db)
    waiting = [
        row[0]
        for row in db.execute(
            "SELECT id FROM tool_calls WHERE place >> 12 = ? AND status = 'pending' ORDER BY place",
            (turn,),
        )
    ]
    call = r.choice(waiting) if waiting and r.random() < 0.7 else call_id(r, db)
    return [
        "turn_tool_result",
        [turn, token, call, r.choice(["a.c", 5, ""])],
        {"error": r.choice([0, 0, 1])},
    ]


def rewind(r, db):
    heads = db.execute("SELECT label, thread_id FROM sessions ORDER BY label").fetchall() or [
        ("main", None)
    ]
    place, head = r.choice(heads)
    path = [
        row[0]
        for row in db.execute(
            "SELECT turn_id FROM turn_path(?) ORDER BY depth DESC LIMIT 4", (head,)
        )
    ]
    left = db.execute(
        "SELECT tip_id FROM session_history WHERE session_label = ? ORDER BY id DESC LIMIT 1", (place,)
    ).fetchone()
    way = r.random()
    if way < 0.05:
        turn = None
    elif way < 0.3 and left and left[0]:
        turn = left[0]  # forward again
    else:
        turn = r.choice(path) if path and way < 0.8 else some_turn(r, db)
    return ["session_rewind", [place, turn], {}]


def append(r, db):
    options = {}
    if r.random() < 0.3:
        options |= {
            "usage": usage(r),
            "model": "m",
            "provider": "p",
            "resume_cursor": f"c{r.randrange(9)}",
        }
    if r.random() < 0.2:
        options["external_id"] = f"x{r.randrange(30)}"
    if r.random() < 0.15:
        options["parent"] = r.choice([some_turn(r, db), f"x{r.randrange(30)}"])
    if r.random() < 0.2:
        options["tokens"] = r.randrange(100)
    return ["turn_append", [label(r, db), messages(r, db)], options]


def begin(r, db):
    options = {"lease": r.choice(["90s", "10m", "3h", "24h", "24h", 5])}
    if r.random() < 0.8:
        options |= {"messages": messages(r, db), "source": r.choice(["user", "agent", "timer"])}
    return ["turn_begin", [label(r, db), r.choice(OWNERS)], options]


def complete(r, db):
    result = r.choice([None, {}, {"content": "done"}, {"messages": messages(r, db)}])
    if result and r.random() < 0.5:
        result |= {"outcome": r.choice(["question", "done", "done", "perhaps"])}
        result |= r.choice([{}, {"question": "Which?"}, {"summary": "Retries added"}])
    if result and r.random() < 0.5:
        result |= {
            "usage": usage(r),
            "resume_cursor": f"c{r.randrange(9)}",
            "tokens": r.randrange(100),
        }
    return ["turn_complete", live_turn(r, db) + [result], {}]


def compact_turns(r, db):
    options = r.choice(
        [
            {},
            {"keep_turns": r.randrange(4)},
            {"keep_turns": 1},
            {"keep_turns": 2},
            {"keep_tokens": r.randrange(200)},
            {"first_kept_turn_id": some_turn(r, db)},
        ]
    )
    place = label(r, db)
    if r.random() < 0.5:
        runs = db.execute(
            "SELECT session_label, turn_id, token FROM session_runs "
            "WHERE turn_id IS NOT NULL ORDER BY 1"
        ).fetchall()
        if runs:
            place, turn, token = r.choice(runs)
            options = {
                **options,
                "turn": turn,
                "token": token,
                "trigger": r.choice(["overflow_recovery", "context_limit"]),
            }
    if r.random() < 0.3:
        options = {**options, "usage": usage(r), "focus": "files", "metadata": {"n": 1}}
    if r.random() < 0.3:
        options = {**options, "model_limit": r.choice([20, 200, 8000])}
    if r.random() < 0.2:
        options = {**options, "summarized_through_turn_id": some_turn(r, db)}
    if r.random() < 0.2:
        options = {**options, "external_id": f"c{r.randrange(9)}", "started_at": 5}
    if r.random() < 0.2:
        return ["turn_compact_begin", [place, r.choice(OWNERS)], {"lease": r.choice([1000, 60000])}]
    return [
        "turn_compact",
        [place, r.choice(["They talked.", "They talked of files.", "They wrote.", " "])],
        options,
    ]


def live(maker):
    """For commands that need a running turn: when there is none, mostly one begins."""

    def make(r, db):
        runs = db.execute("SELECT 1 FROM session_runs WHERE turn_id IS NOT NULL LIMIT 1").fetchall()
        return maker(r, db) if runs or r.random() < 0.1 else begin(r, db)

    return make


# ---- The queue and workers ---------------------------------------------------------------------


def push(r, db):
    options = {}
    if r.random() < 0.6:
        options["source"] = r.choice([*SOURCE, "robot"])
    if r.random() < 0.6:
        options["mode"] = r.choice(MODES)
    if r.random() < 0.4:
        options |= {
            "message_id": f"m{r.randrange(40)}",
            "channel": r.choice(["wa", "tg"]),
            "sender": r.choice(["u1", "u2"]),
        }
    place = label(r, db) if r.random() < 0.5 else busy_label(r, db)
    return ["queue_push", [place, r.choice(MESSAGES)], options]


def an_input(command, *wanted):
    """For commands about an input: one in the right status; now and then any, or none."""

    def make(r, db):
        rows = db.execute("SELECT id, status FROM session_queue ORDER BY id DESC LIMIT 300")
        ids = [(row[0], row[1] in wanted) for row in rows]
        fitting = [n for n, fits in ids if fits]
        if not fitting or r.random() < 0.2:
            fitting = [n for n, _ in ids[:20]] + [99999]
        return [command, [r.choice(fitting)], {}]

    return make


def begin_waiting(r, db):
    """A turn where something waits, after a crash often by another owner."""
    labels = [
        row[0]
        for row in db.execute(
            "SELECT DISTINCT session_label FROM session_queue "
            "WHERE status IN ('pending', 'handed', 'processing') ORDER BY 1"
        )
    ]
    lease = r.choice([{}, {"lease": "90s"}, {"lease": "3h"}, {"lease": "24h"}])
    return ["turn_begin", [r.choice(labels or LABELS), r.choice(OWNERS)], lease]


def steering(r, db):
    """Mostly in a run for which something waits."""
    runs = db.execute(
        "SELECT DISTINCT r.turn_id, r.token FROM session_runs AS r "
        "JOIN session_queue AS q USING (session_label) WHERE r.turn_id IS NOT NULL "
        "AND q.status = 'pending' AND q.mode IN ('steer', 'steer-backlog', 'interrupt') ORDER BY 1"
    ).fetchall()
    run = list(r.choice(runs)) if runs and r.random() < 0.8 else live_turn(r, db)
    return ["turn_steering", run, {}]


def spawn(r, db):
    parent, options = label(r, db), {}
    calls = db.execute(
        "SELECT r.session_label, r.turn_id, t.id FROM session_runs AS r "
        "JOIN tool_calls AS t ON t.place >> 12 = r.turn_id ORDER BY t.place DESC LIMIT 9"
    ).fetchall()
    if calls and r.random() < 0.5:
        parent, turn, call = r.choice(calls)
        options = {"tool_call_id": call if r.random() < 0.9 else "k0"}
        if r.random() < 0.5:
            options["turn"] = turn
    elif r.random() < 0.6:
        workers = db.execute(
            "SELECT label FROM sessions WHERE is_subagent = 1 ORDER BY created_at DESC, 1 LIMIT 5"
        )
        parent = r.choice([row[0] for row in workers] or [parent])
        options = r.choice([{}, {"turn": some_turn(r, db)}])
    if r.random() < 0.3:
        options["label"] = f"w{r.randrange(60)}"
    if r.random() < 0.2:
        options["persona"] = "p"
    if r.random() < 0.3:
        options["timeout"] = r.choice(["1m", "1h", 0])
    return ["session_spawn", [parent, r.choice(MESSAGES)], options]


def report(r, db):
    workers = [
        row[0]
        for row in db.execute(
            "SELECT label FROM sessions WHERE is_subagent = 1 ORDER BY created_at DESC, 1 LIMIT 12"
        )
    ]
    worker = r.choice(workers) if workers and r.random() < 0.9 else label(r, db)
    status = r.choice(["completed", "completed", "failed", "done"])
    tasks = [row[0] for row in db.execute("SELECT id FROM tasks WHERE session_label = ? ORDER BY id", (worker,))]
    options = {"task_id": r.choice(tasks)} if tasks and r.random() < 0.2 else {}
    return ["session_report", [worker, status, r.choice(MESSAGES)], options]


def parents(r, db):
    """What a parent says to its worker."""
    workers = db.execute(
        "SELECT label, parent_session_label FROM sessions WHERE is_subagent = 1 ORDER BY created_at DESC, 1 LIMIT 12"
    ).fetchall()
    if not workers:
        return push(r, db)
    worker, parent = r.choice(workers)
    options = {"source": "agent"}
    if parent and r.random() < 0.6:
        options["sender"] = parent
    if r.random() < 0.1:
        options["class"] = "Abandon"
    return ["session_deliver", [worker, r.choice(MESSAGES)], options]


def stop(r, db):
    """Somebody stops what runs, or what has run."""
    runs = db.execute("SELECT session_label, turn_id FROM session_runs WHERE turn_id IS NOT NULL ORDER BY 1").fetchall()
    if not runs or r.random() < 0.2:
        return ["session_stop", [label(r, db), some_turn(r, db), "enough"], {}]
    return ["session_stop", [*r.choice(runs), "enough"], r.choice([{}, {"keep": 0}])]


def process(r, db):
    """A process says how it is doing."""
    options = r.choice([{}, {}, {}, {"dead": 1}, {"token": r.randrange(1, 9)}])
    return ["session_run", [r.choice(LABELS), r.choice(["A1", "A2"]), r.choice(RUN_STATE), r.choice([None, {"exit_code": 1}])], options]


QUEUE_MAKERS = [
    (18, push),
    (5, an_input("queue_cancel", "pending", "handed")),
    (5, an_input("queue_retry", "failed")),
    (5, an_input("queue_front", "pending")),
    (16, begin_waiting),
    (12, steering),
    (10, spawn),
    (8, report),
    (6, parents),
    (3, stop),
]

TURN_MAKERS = [
    (30, append),
    (10, begin),
    (12, live(lambda r, db: ["turn_message", live_turn(r, db) + [message(r, db)], {}])),
    (
        8,
        live(
            lambda r, db: [
                "turn_tool_call",
                live_turn(r, db)
                + [f"k{r.randrange(1000)}", "ls", r.choice([None, {"path": "a.c"}, "text"])],
                r.choice([{}, {"spawned_session_label": "worker:7"}]),
            ]
        ),
    ),
    (8, live(tool_result)),
    (
        5,
        live(
            lambda r, db: [
                "turn_phase",
                live_turn(r, db) + [r.choice([*TURN_PHASE[1:], "idle"])],
                {},
            ]
        ),
    ),
    (3, live(lambda r, db: ["turn_heartbeat", live_turn(r, db), r.choice([{}, {"lease": "20m"}])])),
    (11, live(complete)),
    (
        3,
        live(
            lambda r, db: [
                "turn_fail",
                live_turn(r, db) + ["boom"],
                r.choice([{}, {"usage": usage(r), "resume_cursor": ""}, {"retry_after": "40s"}, {"retry_after": 0}]),
            ]
        ),
    ),
    (
        4,
        live(
            lambda r, db: ["turn_abort", live_turn(r, db) + ["enough"], r.choice([{}, {"keep": 0, "resume_cursor": "left"}, {"requeue": 1}])]
        ),
    ),
    (9, compact_turns),
    (2, lambda r, db: ["turn_ancestor", [some_turn(r, db), r.randrange(6)], {}]),
    (2, lambda r, db: ["turn_common_ancestor", [some_turn(r, db), some_turn(r, db)], {}]),
    (2, lambda r, db: ["turn_is_ancestor", [some_turn(r, db), some_turn(r, db)], {}]),
    (
        6,
        lambda r, db: [
            "session_fork",
            [some_turn(r, db), r.choice([None, None, f"f{r.randrange(20)}", "main"])],
            r.choice([{}, {"persona": "p"}]),
        ],
    ),
    (5, rewind),
    (2, lambda r, db: ["session_usage", [label(r, db)], look(db, 2)]),
    (
        2,
        lambda r, db: [
            "session_needs_compaction",
            [label(r, db), r.choice([50, 500, 0]), r.choice([None, 20])],
            {},
        ],
    ),
]

# ---- Who writes, and what becomes of sessions ----------------------------------------------------

CHANNELS, SENDERS, ENTITIES = ["wa", "tg"], ["u1", "u2", "1"], ["rosa", "b:o"]


def name(r, db):
    """A label, or another name: a key of somebody, an alias."""
    own = f"dm:{r.choice(CHANNELS)}:{r.choice(SENDERS)}"
    return r.choice([label(r, db), own, "dm:rosa", "nick"])


def envelope(r):
    e = {"channel": r.choice(CHANNELS), "sender_id": r.choice(SENDERS)}
    if r.random() < 0.2:
        e |= {"peer_kind": "group", "peer_id": "x", "thread_id": r.choice(["", 7])}
    if r.random() < 0.1:
        e |= r.choice([{"channel": ""}, {"peer_kind": "room"}, {"vip": True}, {"a": [1]}])
    return e


def deliver_envelope(r, db):
    command, (_, message), options = deliver(r, db)
    to = r.choice([None, None, None, name(r, db)])
    return [command, [to, message], {**options, "envelope": envelope(r)}]


def link(r, db):
    args = [r.choice(CHANNELS), r.choice(SENDERS), r.choice(ENTITIES)]
    return ["identity_link", args, r.choice([{}, {"force": 1}])]


def alias(r, db):
    return ["session_alias", [r.choice(["nick", name(r, db)]), r.choice([None, name(r, db)])], {}]


def archive(r, db):
    return ["session_archive", [name(r, db)], r.choice([{}, {"force": 1}, {"reason": "done"}])]


IDENTITY_MAKERS = [
    (14, deliver_envelope),
    (9, link),
    (5, lambda r, db: ["identity_unlink", [r.choice(CHANNELS), r.choice(SENDERS)], {}]),
    (3, alias),
    (2, lambda r, db: ["session_route", [envelope(r)], {}]),
    (2, lambda r, db: ["resolve_session", [name(r, db)], {}]),
    (3, archive),
    (2, lambda r, db: ["session_unarchive", [name(r, db)], {}]),
    (2, lambda r, db: ["session_suspend", [name(r, db)], r.choice([{}, {"reason": "later"}])]),
    (2, lambda r, db: ["session_resume", [name(r, db)], {}]),
    (2, lambda r, db: ["session_fail", [name(r, db), r.choice(["broken", " "])], {}]),
    (4, lambda r, db: ["session_reopen", [name(r, db)], {}]),
]

def opinion(r, db):
    """About a message that is doubted; now and then about any."""
    wanted = "action = 'classify'" if r.random() < 0.8 else "1"
    ids = [row[0] for row in db.execute(f"SELECT id FROM deliveries WHERE {wanted} ORDER BY id DESC LIMIT 5")] or [99999]
    options = r.choice([{}, {"owner": r.choice(["A1", "A2"])}, {"keeps_turns": 0}])
    return ["delivery_classify", [r.choice(ids), r.choice([None, *CLASS])], options]


def correction(r, db):
    ids = [row[0] for row in db.execute("SELECT id FROM deliveries ORDER BY id DESC LIMIT 40")] or [99999]
    return ["delivery_correct", [r.choice(ids), r.choice([None, *CLASS, "Maybe"])], {}]


MAKERS = TURN_MAKERS + QUEUE_MAKERS + IDENTITY_MAKERS + [
    (50, deliver),
    (12, transition),
    (10, lambda r, db: ["session_note", [r.choice(LABELS), r.choice(MESSAGES)], {}]),
    (8, lambda r, db: ["session_observe", [r.choice(LABELS), r.choice(KINDS), {"path": f"src/{r.randrange(5)}.c"}, r.choice([None, "text", "int main(void);"])], {}]),
    (4, lambda r, db: ["session_relate", [r.choice(LABELS), "file:a.c", "DependsOn", r.choice(["file:b.h", "b.h"])], r.choice([{}, {"weight": 0.5}, {"weight": 2}])]),
    (5, lambda r, db: ["session_flush", [r.choice(LABELS), r.choice([None, "Plan", "Dream"])], {}]),
    (5, lambda r, db: ["session_compact", [r.choice(LABELS), r.choice([None, "done", ""])], {}]),
    (7, lambda r, db: ["session_start", [r.choice(LABELS), r.choice(["add retries", "port the parser", " "])], {}]),
    (6, lambda r, db: ["session_choose", [r.choice(LABELS), r.choice(["A", "B", "continue", "start_fresh", "C"])],
                       {"opened_at": asked_at(db)} if r.random() < 0.2 else r.choice([{}, {"keeps_turns": 0}])]),
    (6, opinion),
    (3, correction),
    (6, lambda r, db: ["session_recover", [r.choice(LABELS)], look(db)]),
    (2, lambda r, db: ["session_state", [r.choice(LABELS)], look(db, 2)]),
    (2, lambda r, db: ["session_progress", [r.choice(LABELS)], look(db, 2)]),
    (2, lambda r, db: ["session_diagram", [label(r, db), r.choice([None, "mermaid", "dot", "text", "svg"])], r.choice([{}, {"turns": 3}])]),
    (7, process),
    (2, lambda r, db: ["session_sweep", [], r.choice([{}, {"limit": 1}, {"dry_run": 1}, {"limit": 0}])]),
    (2, lambda r, db: ["turnstile_startup", [r.choice([None, "A1", "A2"])], r.choice([{}, {"all": 1}])]),
    (9, config),
]
def take_document(r, db):
    """What a session is now, under another label, or in the place of a session."""
    labels = [row[0] for row in db.execute("SELECT label FROM sessions ORDER BY label")] or LABELS
    copies = [name for name in labels if name.startswith("copy ")]
    if copies and r.random() < 0.3:  # a document that may have been imported already
        (text,) = db.execute("SELECT session_export(?)", (copies[0],)).fetchone()
        return ["session_import", [text], {"as": copies[0]}]
    (text,) = db.execute("SELECT session_export(?)", (r.choice(labels),)).fetchone()
    options = r.choice([{}, {"as": f"copy {r.randrange(6)}"}, {"as": busy_label(r, db)}, {"replace": 1}])
    if options.get("as") and r.random() < 0.5:
        options = {**options, "replace": 1}
    return ["session_import", [text or "{}"], options]


# Deletes and imports leave gaps, and little to look at: they have a log of their own.
WITH_DELETES = MAKERS + [
    (8, take_document),
    (2, lambda r, db: ["session_export", [label(r, db)], {}]),
    (
        15,
        lambda r, db: [
            "session_delete",
            [label(r, db) if r.random() < 0.8 else busy_label(r, db)],
            r.choice([{}, {"dry_run": 1}, {"force": 1}]),
        ],
    ),
]
PLACES = {
    "session_deliver": ["label", "message"], "session_choose": ["label", "choice"],
    "delivery_classify": ["delivery", "class"], "delivery_correct": ["delivery", "class"], "session_start": ["label", "task"],
    "session_transition": ["label", "state", "data"], "session_state": ["label"], "session_note": ["label", "text"],
    "session_observe": ["label", "kind", "data", "content"], "session_relate": ["label", "from", "edge", "to"],
    "session_flush": ["label", "kind"], "session_compact": ["label", "message"], "session_recover": ["label"],
    "session_progress": ["label"], "session_diagram": ["label", "format"], "session_run": ["label", "owner", "run_state", "data"], "session_sweep": [],
    "turnstile_startup": ["owner"], "turnstile_config": ["key", "value"],
    "queue_push": ["label", "message"], "queue_cancel": ["queue_id"],
    "queue_retry": ["queue_id"], "queue_front": ["queue_id"],
    "turn_steering": ["turn", "token"],
    "session_spawn": ["parent", "task"], "session_report": ["worker", "status", "result"],
    "session_stop": ["label", "turn", "reason"],
    "turn_append": ["label", "messages"], "turn_begin": ["label", "owner"],
    "turn_compact_begin": ["label", "owner"],
    "turn_message": ["turn", "token", "message"],
    "turn_tool_call": ["turn", "token", "call_id", "tool_name", "params"],
    "turn_tool_result": ["turn", "token", "call_id", "result"],
    "turn_phase": ["turn", "token", "phase"],
    "turn_heartbeat": ["turn", "token"], "turn_complete": ["turn", "token", "result"],
    "turn_fail": ["turn", "token", "error"], "turn_abort": ["turn", "token", "reason"],
    "turn_compact": ["label", "summary"], "turn_ancestor": ["turn", "depth"],
    "turn_common_ancestor": ["a", "b"], "turn_is_ancestor": ["a", "b"],
    "session_fork": ["turn", "label"],
    "session_rewind": ["label", "turn"], "session_usage": ["label"],
    "session_delete": ["label"], "session_export": ["label"], "session_import": ["json"],
    "session_needs_compaction": ["label", "model_limit", "extra_tokens"],
}
PLACES |= {
    "identity_link": ["channel", "sender", "entity"], "identity_unlink": ["channel", "sender"],
    "session_alias": ["alias", "label"], "session_route": ["envelope"],
    "resolve_session": ["label"], "session_archive": ["label"], "session_unarchive": ["label"],
    "session_suspend": ["label"], "session_resume": ["label"],
    "session_fail": ["label", "reason"], "session_reopen": ["label"],
}


suite = Suite("replay", width=300)
check = suite.check
TAKEN = set()  # options that a command of a log was given and took


def connect(path, prefix=""):
    con = harness.connect(path, LIBRARY)
    con.execute("SELECT turnstile_install(?)", (json.dumps({"uuid": UUID, "prefix": prefix}),)).fetchall()
    return con


def as_sql(value):
    return json.dumps(value) if isinstance(value, (dict, list)) else value


def by_sugar(con, command, args, options, prefix=""):
    values = [as_sql(v) for v in args] + [json.dumps(options)]
    return one(con, f"SELECT {command}({', '.join('?' * len(values))})", *values)


def by_door(con, command, args, options, prefix=""):
    return through(con, command, args + [options], f"{prefix}turnstile")


def by_name(con, command, args, options, prefix=""):
    return through(con, command, {**dict(zip(PLACES[command], args)), **options}, f"{prefix}turnstile")


def outcome(con, call, entry, prefix=""):
    try:
        return call(con, *entry, prefix=prefix)
    except sqlite3.Error as e:
        return f"error: {e}"


# What the log begins with: limits that it will meet.
BEGINNING = [
    ["turnstile_config", [key, value], {"session": place} if place else {}]
    for place, key, value in (
        ("group:x", "queue_cap", 1), ("group:x", "queue_full", "drop-oldest"),
        ("ä b", "queue_cap", 2), ("ä b", "queue_full", "drop-oldest"), ("main", "queue_cap", 2),
        ("dm:wa:1", "queue_cap", 1), (None, "max_children", 2), (None, "max_spawn_depth", 1))
] + [
    # What chance alone brings too rarely.
    ["session_start", ["parent", "write the report"], {}],
    ["session_relate", ["parent", "file:a.c", "DependsOn", "file:b.h"], {}],
    ["session_spawn", ["parent", "find the callers"], {"label": "child one"}],
    ["session_spawn", ["child one", "look deeper"], {}],
    ["session_spawn", ["parent", "read the tests"], {"label": "child two"}],
    ["session_spawn", ["parent", "and one more"], {}],
]


# Every setting that a log changes for all sessions.
SETTINGS = ["ask_threshold", "auto_compact_threshold", "new_task_policy", "sweep_batch", "text.acknowledge",
            "run_idle_timeout", "queue_mode", "queue_mode_user", "queue_mode_agent", "queue_cap", "queue_full",
            "max_attempts", "collect_debounce", "collect_max_wait", "retry_backoff", "retry_backoff_max", "lease",
            "classify_floor", "classify_below", "max_spawn_depth", "max_children", "keeps_turns", "names"]


def then(command, *args, **options):
    """An entry of EVERYTHING; a value that is a function is asked what it is. after: so much later."""
    def of(value, db):
        return value(db) if callable(value) else value

    return lambda db: (command, [of(a, db) for a in args], {k: of(v, db) for k, v in options.items()})


def turn_of(label):
    return lambda db: run_of(db, label)[0]


def token_of(label):
    return lambda db: run_of(db, label)[1]


def begun(label):
    return lambda db: first_turn(db, label)


def failed_input(label):
    return lambda db: db.execute("SELECT max(id) FROM session_queue WHERE session_label = ? AND status = 'failed'",
                                 (label,)).fetchone()[0]


def user(text):
    return [{"role": "user", "content": text}]


LIVE = {place: (turn_of(place), token_of(place)) for place in ("e.run", "e.steer", "e.fails", "e.retry", "e.done", "e.tries")}

# One of each kind that a log has to hold, whatever its seed: in sessions of its own, with the settings of a new file.
EVERYTHING = [then("turnstile_config", key, None, reset=1) for key in SETTINGS] + [
    # A path, a fork of it, and a run that is added to, is busy, and is called off with and without what it has done.
    then("turn_append", "e.path", user("list the files")),
    then("turn_append", "e.path", user("and?")),
    then("session_fork", begun("e.path"), None),
    then("session_fork", begun("e.path"), "e.fork"),
    then("turn_append", "e.fork", user("what is in it?")),
    then("session_rewind", "e.path", lambda db: newest_turn(db, "e.fork")),
    then("turn_ancestor", begun("e.path"), 0),
    then("turn_common_ancestor", begun("e.path"), lambda db: newest_turn(db, "e.fork")),
    then("turn_is_ancestor", begun("e.path"), lambda db: newest_turn(db, "e.fork")),
    then("session_usage", "e.path"),
    then("session_needs_compaction", "e.path", 50, None),
    then("turn_compact", "e.path", "They listed files.", keep_turns=1),
    then("turn_compact_begin", "e.path", "A1"),
    then("turn_begin", "e.run", "A1", messages=user("look")),
    then("turn_append", "e.run", user("busy?")),
    then("turn_begin", "e.run", "A2", messages=user("busy?")),
    then("turn_message", *LIVE["e.run"], {"role": "assistant", "content": "I look.", "tool_calls": [
        {"id": "k1", "name": "ls"}, {"id": "k2", "name": "cat"}, {"id": "k3", "name": "rm"}]}),
    then("turn_tool_result", *LIVE["e.run"], "k1", "a.c"),
    then("turn_tool_result", *LIVE["e.run"], "k2", "no such file", error=1),
    then("session_spawn", "e.run", "dig", turn=turn_of("e.run"), tool_call_id="k3"),
    then("turn_phase", *LIVE["e.run"], "streaming"),
    then("turn_abort", *LIVE["e.run"], "enough"),
    then("turn_message", begun("e.run"), 1, {"role": "user", "content": "too late"}),
    then("turn_steering", begun("e.run"), 1),
    then("turn_begin", "e.run", "A1", messages=user("again")),
    then("turn_abort", *LIVE["e.run"], "enough", keep=0),
    then("turn_begin", "e.run", "A1", messages=user("once more")),
    then("session_stop", "e.run", turn_of("e.run"), "enough"),
    # Steering, with something in it and with nothing; what else waits for a run.
    then("session_deliver", "e.steer", "add retries", owner="A1", **{"class": "NewTask"}),
    then("session_deliver", "e.steer", "log each", mode="steer", **{"class": "Modification"}),
    then("turn_steering", *LIVE["e.steer"]),
    then("turn_steering", *LIVE["e.steer"]),
    then("queue_push", "e.steer", "a hint", source="agent", mode="steer-backlog"),
    then("queue_push", "e.steer", "first of all"),
    then("queue_front", lambda db: newest_input(db)),
    then("session_deliver", "e.steer", "no, five", mode="interrupt", **{"class": "Modification"}),
    then("turn_heartbeat", *LIVE["e.steer"]),
    # An input that fails and is tried again by hand; one that stays failed; one that is tried again and again.
    *(entry for place in ("e.fails", "e.retry") for entry in (
        then("session_deliver", place, "restart it", owner="A1", **{"class": "NewTask"}),
        then("turn_tool_call", *LIVE[place], "k9", "bash", {"command": "restart"}),
        then("turn_fail", *LIVE[place], "the machine went down"))),
    then("queue_retry", failed_input("e.retry")),
    then("turn_begin", "e.retry", "A2"),
    then("turnstile_config", "max_attempts", 4, session="e.tries"),
    then("session_deliver", "e.tries", "restart it", owner="A1", **{"class": "NewTask"}),
    then("turn_begin", "e.tries", "A2", after=25 * HOUR),
    then("turn_begin", "e.tries", "A3", after=25 * HOUR),
    then("session_deliver", "e.twice", "restart it", owner="A1", **{"class": "NewTask"}),
    then("turn_begin", "e.twice", "A2", after=25 * HOUR),
    # Limits of queues, and what is called off.
    then("turnstile_config", "queue_cap", 1, session="e.drops"),
    then("turnstile_config", "queue_full", "drop-oldest", session="e.drops"),
    then("queue_push", "e.drops", "one"),
    then("queue_push", "e.drops", "two"),
    then("turnstile_config", "queue_cap", 1, session="e.full"),
    then("queue_push", "e.full", "one"),
    then("queue_push", "e.full", "two"),
    then("session_deliver", "e.limit", "add tries", owner="A1", **{"class": "NewTask"}),
    then("turnstile_config", "queue_cap", 1, session="e.limit"),
    then("queue_push", "e.limit", "log each"),
    then("session_deliver", "e.limit", "and one more", mode="queue", **{"class": "Modification"}),
    then("queue_push", "e.line", "one", mode="collect"),
    then("queue_retry", lambda db: newest_input(db)),
    then("queue_cancel", lambda db: newest_input(db)),
    then("queue_front", lambda db: newest_input(db)),
    then("queue_retry", lambda db: newest_input(db)),
    then("session_deliver", "e.off", "add retries", owner="A1", **{"class": "NewTask"}),
    then("session_deliver", "e.off", "and log them", mode="followup", **{"class": "Modification"}),
    then("session_deliver", "e.off", "forget it", **{"class": "Abandon"}),
    then("session_start", "e.sender", "oversee", request_id="e1"),
    then("session_spawn", "e.sender", "dig", label="e.told"),
    then("turn_begin", "e.told", "A1"),
    then("session_deliver", "e.told", "and tests", source="agent", sender="e.sender", mode="followup"),
    then("session_deliver", "e.told", "forget it", source="agent", sender="e.sender", **{"class": "Abandon"}),
    # Decisions, and every type of commit.
    then("session_start", "e.ready", "add a flag"),
    then("session_note", "e.ready", "added"),
    then("session_observe", "e.ready", "FileRead", {"path": "src/a.c"}, "int main(void);"),
    then("session_flush", "e.ready", None),
    then("session_state", "e.ready"),
    then("session_progress", "e.ready"),
    then("session_diagram", "e.ready", "text", turns=5),
    then("session_transition", "e.ready", "PendingComplete", {"summary": "Flag added"}),
    then("session_deliver", "e.ready", "looks good", **{"class": "Confirmation"}),
    then("session_deliver", "e.ready", "thanks!", **{"class": "Confirmation"}),
    then("session_start", "e.asked", "add retries"),
    then("session_note", "e.asked", "read"),
    then("session_deliver", "e.asked", "pool the connections", **{"class": "NewTask"}),
    then("session_choose", "e.asked", "A"),
    then("session_deliver", "e.ready", "port it", **{"class": "NewTask"}),
    then("session_deliver", "e.ready", "make it two", **{"class": "Modification"}),
    then("session_note", "e.ready", "ported"),
    then("session_deliver", "e.ready", "/compact"),
    then("session_start", "e.gone", "write it"),
    then("session_note", "e.gone", "begun"),
    then("session_deliver", "e.gone", "forget it", **{"class": "Abandon"}),
    then("turnstile_config", "new_task_policy", "switch", session="e.switch"),
    then("session_start", "e.switch", "write it"),
    then("session_note", "e.switch", "begun"),
    then("session_deliver", "e.switch", "pool the connections", **{"class": "NewTask"}),
    then("session_start", "e.old", "an old task"),
    then("session_note", "e.old", "begun"),
    then("session_recover", "e.old", after=200 * HOUR),
    then("session_start", "e.told off", "write it"),
    then("session_note", "e.told off", "begun"),
    then("session_compact", "e.told off", "written"),
    then("session_start", "e.served", "write it"),
    then("session_run", "e.served", "A1", "starting", None),
    then("session_sweep", limit=1),
    then("turnstile_startup", "A1"),
    # What a turn says of its task.
    then("session_deliver", "e.done", "add retries", owner="A1", **{"class": "NewTask"}),
    then("turn_complete", *LIVE["e.done"], {"content": "Built.", "outcome": "done"}),
    then("turn_begin", "e.done", "A1", messages=user("and now?")),
    then("session_compact", "e.done", "built"),
    then("turn_complete", *LIVE["e.done"], {"content": "Nothing.", "outcome": "done"}),
    # Workers: each status of their tasks, a label that was made up, a report that nobody waits for.
    then("session_start", "e.parent", "rename post()"),
    *(then("session_spawn", "e.parent", "find the callers", label=f"e.{status}")
      for status in WORKER_STATUS),
    then("session_spawn", "e.parent", "read the docs"),
    then("turn_begin", "e.running", "A1"),
    then("session_report", "e.completed", "completed", "there are 12"),
    then("session_report", "e.failed", "failed", "there are none"),
    then("session_report", "e.parent", "completed", "done"),
    then("session_start", "e.former", "rename get()"),
    then("session_spawn", "e.former", "find the callers", label="e.stopped"),
    then("session_deliver", "e.former", "forget it", **{"class": "Abandon"}),
    then("session_report", "e.stopped", "failed", "too late"),
    # Who writes, and what becomes of sessions.
    then("identity_link", "e.wa", "+1", "e:rosa"),
    then("session_deliver", None, "book a flight", envelope={"channel": "e.wa", "sender_id": "+1"}, **{"class": "NewTask"}),
    then("session_deliver", None, "paint it", envelope={"channel": "e.mail", "sender_id": "r@x"}, **{"class": "NewTask"}),
    then("identity_link", "e.mail", "r@x", "e:rosa"),
    then("identity_link", "e.mail", "r@x", "e:rosa"),
    then("session_deliver", None, "paint it", envelope={"channel": "e.sms", "sender_id": "+3"}, **{"class": "NewTask"}),
    then("identity_link", "e.sms", "+3", "e:bo"),
    then("session_deliver", None, "me too", envelope={"channel": "e.tg", "sender_id": "+4"}, **{"class": "NewTask"}),
    then("identity_link", "e.tg", "+4", "e:bo"),
    then("session_deliver", None, "in blue", message_id="m1", envelope={"channel": "e.tg", "sender_id": "+4"},
         **{"class": "Modification"}),
    then("session_route", {"channel": "e.wa", "sender_id": "+1"}),
    then("identity_unlink", "e.sms", "+3"),
    then("session_alias", "e.nick", "e.old"),
    then("resolve_session", "e.nick"),
    *(entry for place, ways in (
        ("e.away", (("session_archive",), ("session_unarchive",))),
        ("e.paused", (("session_suspend",), ("session_resume",))),
        ("e.broken", (("session_fail", "broken"), ("session_reopen",)))) for entry in (
            then("session_start", place, "x"), *(then(way, place, *rest) for way, *rest in ways))),
    # Names, and who may be meant.
    then("turnstile_config", "names", "Alma, bot", session="e.named"),
    then("session_deliver", "e.named", "Alma, write a poem"),
    # Options that nothing above brings.
    then("turn_append", "e.told", user("list the files"), source="agent", persona="p1", started_at=5, external_id="e.x1"),
    then("turn_append", "e.told", user("and?")),
    then("turn_compact", "e.told", "They listed files.", parent="e.x1", keep_turns=0, model="m", provider="p", duration_ms=7),
    then("turn_begin", "e.told", "A1", messages=user("look"), model="m", provider="p", persona="p1", external_id="e.x2"),
    then("turn_abort", turn_of("e.told"), token_of("e.told"), "enough", usage={"input_tokens": 5}),
    then("session_start", "e.shown", "write it", persona="p1"),
    then("session_relate", "e.shown", "file:a.c", "DependsOn", "file:b.h", evidence="#include"),
    then("session_deliver", "e.shown", "build a shop", **{"class": "NewTask"}),
    then("session_choose", "e.shown", "A", keeps_turns=0),
    then("session_deliver", "e.clerk", "write a poem", persona="p1"),
    then("session_sweep", limit=1, auto_compact_threshold="36525d", archive_after="36525d"),
    then("identity_link", "e.tg", "+9", "e:eve", envelope={"region": "eu"}),
    # A "/compact" for which nothing is left; a pair of call and result that stands over the default's cut.
    then("turn_append", "e.short", user("list the files")),
    then("turn_compact", "e.short", "They listed files.", keep_turns=0),
    then("queue_push", "e.short", "/compact"),
    then("queue_push", "e.short", "and now?"),
    then("turn_begin", "e.short", "A1"),
    then("turn_append", "e.pair", [{"role": "assistant", "tool_calls": [{"id": "k", "name": "ls"}]}]),
    then("turn_append", "e.pair", [{"role": "tool", "tool_call_id": "k", "content": "a.c"}]),
    then("turn_compact", "e.pair", "They listed files."),
    then("turn_append", "e.kept", user("one")),
    then("turn_append", "e.kept", user("two")),
    then("turn_compact", "e.kept", "They counted.", first_kept_turn_id=lambda db: db.execute(
        "SELECT head FROM session_overview WHERE label = 'e.kept'").fetchone()[0]),
]


# What is of the moment, and so might not be in the rows at the end of a log.
ENDING = [
    lambda db: ("session_deliver", ["at work", "write the report"], {"class": "NewTask", "owner": "w1"}),
    lambda db: ("session_deliver", ["at work", "no, of last year"], {"class": "Modification", "mode": "interrupt"}),
    lambda db: ("turn_heartbeat", at_work(db), {}),
    # A worker's report waits when the turn that spawned the worker is undone.
    lambda db: ("turn_append", ["to be undone", [{"role": "user", "content": "look around"}]], {}),
    lambda db: ("turn_append", ["to be undone", [{"role": "user", "content": "dig"}]], {}),
    lambda db: ("session_spawn", ["to be undone", "dig"], {"label": "digging"}),
    lambda db: ("session_report", ["digging", "completed", "12 callers"], {}),
    lambda db: ("session_rewind", ["to be undone", first_turn(db, "to be undone")], {}),
    # One that stays has reported, was told more, and has reported on that. Undone, redone, and undone to the beginning, while
    # a host without turns is at work.
    lambda db: ("session_start", ["to be told", "oversee"], {}),
    lambda db: ("session_spawn", ["to be told", "dig"], {"label": "is told"}),
    lambda db: ("session_report", ["is told", "completed", "12 callers"], {}),
    lambda db: ("turn_append", ["to be told", [{"role": "user", "content": "12 callers"}]], {}),
    lambda db: ("session_deliver", ["to be told", "go on"], {"class": "Modification"}),
    lambda db: ("session_deliver", ["is told", "and tests"], {"source": "agent"}),
    lambda db: ("turn_append", ["to be told", [{"role": "user", "content": "go on"}]], {}),
    lambda db: ("session_report", ["is told", "completed", "5 more"], {}),
    lambda db: ("session_rewind", ["to be told", first_turn(db, "to be told")], {}),
    lambda db: ("session_rewind", ["to be told", left_turn(db, "to be told")], {}),
    lambda db: ("session_spawn", ["to be told", "and the docs"], {"label": "is stopped"}),
    lambda db: ("session_deliver", ["to be told", "log them"], {"class": "Modification", "keeps_turns": 0}),
    lambda db: ("session_rewind", ["to be told", None], {}),
    # A run goes on behind a summary of its own turn.
    lambda db: ("turn_begin", ["full", "w1"], {"messages": [{"role": "user", "content": "read all"}]}),
    lambda db: ("turn_tool_call", [*run_of(db, "full"), "k", "read", {}], {}),
    lambda db: ("turn_compact", ["full", "It was read."], own_summary(db, "full")),
    lambda db: ("turn_complete", [*run_of(db, "full"), {"content": "Done."}], {}),
    # A run is recovered from a context that is too long.
    lambda db: ("turn_append", ["long", [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]], {}),
    lambda db: ("turn_begin", ["long", "w1"], {"messages": [{"role": "user", "content": "and now?"}]}),
    lambda db: ("turn_compact", ["long", "We met."], dict(zip(("turn", "token"), run_of(db, "long")), trigger="overflow_recovery", keep_turns=0)),
    # What chance alone brings too rarely.
    lambda db: ("session_alias", ["a name for it", "full"], {}),
    lambda db: ("turnstile_config", ["classify_floor", 1], {"session": "doubted"}),
    lambda db: ("turnstile_config", ["classify_below", "ask"], {"session": "doubted"}),
    lambda db: ("session_deliver", ["doubted", "hm the other one rather"], {}),
    lambda db: ("delivery_classify", [newest_delivery(db), "NewTask"], {}),
    lambda db: ("session_deliver", ["doubted", "use the blue door perhaps"], {}),
    lambda db: ("delivery_correct", [newest_delivery(db), "Clarification"], {}),
    lambda db: ("session_deliver", ["doubted", "use the blue door perhaps"], {}),
    lambda db: ("session_deliver", ["doubted", "hm the other one rather"], {}),
    lambda db: ("queue_push", ["full", "read it again"], {}),
    lambda db: ("queue_cancel", [newest_input(db)], {}),
    lambda db: ("queue_cancel", [newest_input(db)], {}),
]


def newest_turn(db, label):
    return db.execute("SELECT turn_id FROM turn_path(?) ORDER BY depth DESC LIMIT 1", (label,)).fetchone()[0]


def newest_delivery(db):
    return db.execute("SELECT max(id) FROM deliveries").fetchone()[0]


def newest_input(db):
    return db.execute("SELECT max(id) FROM session_queue").fetchone()[0]


def run_of(db, label):
    return list(db.execute("SELECT turn_id, token FROM session_runs WHERE session_label = ?", (label,)).fetchone())


def own_summary(db, label):
    turn, token = run_of(db, label)
    return {"turn": turn, "token": token, "trigger": "overflow_recovery", "summarized_through_turn_id": turn}


def first_turn(db, label):
    return db.execute("SELECT turn_id FROM turn_path(?) ORDER BY depth LIMIT 1", (label,)).fetchone()[0]


def left_turn(db, label):
    """The end of the path that an undo has left."""
    return db.execute("SELECT tip_id FROM session_history WHERE session_label = ? ORDER BY id DESC", (label,)).fetchone()[0]


def at_work(db):
    """The turn of the session that is at work, with its token."""
    runs = db.execute("SELECT turn_id, token FROM session_runs WHERE session_label = 'at work'").fetchall()
    return list(runs[0]) if runs else [0, 0]


def over_work(db):
    """An import in the place of a session that is at work."""
    text = db.execute("SELECT session_export(label) FROM sessions ORDER BY label LIMIT 1").fetchone()[0]
    return ("session_import", [text], {"as": "at work", "replace": 1})


def make_log(seed, length, makers=None):
    beginning, ending = ([], ENDING + [lambda db: ("session_delete", ["at work"], {}), over_work]) if makers else (BEGINNING, EVERYTHING + ENDING)
    makers = makers or MAKERS
    r = random.Random(seed)
    now, log, db = 1_000_000_000_000, [], connect(":memory:")
    for i in range(length):
        # Mostly seconds pass, sometimes days, now and then the clock goes back.
        seconds = [0, 1000, 1000, 30_000, 60_000, 60_000, HOUR // 5, HOUR, -HOUR]
        now += r.choice(seconds if r.random() < 0.96 else [26 * HOUR, 26 * HOUR, 200 * HOUR])
        maker = r.choices([m for _, m in makers], [w for w, _ in makers])[0]
        command, args, options = beginning[i] if i < len(beginning) else maker(r, db)
        log.append((command, args, {**options, "now": now, "request_id": f"r{i}"} if r.random() < 0.5 else {**options, "now": now}))
        outcome(db, by_sugar, log[-1])
    for maker in ending:
        command, args, options = maker(db)
        now += options.get("after", 0)
        log.append((command, args, {k: v for k, v in options.items() if k != "after"} | {"now": now}))
        outcome(db, by_sugar, log[-1])
    db.close()
    return log


def play(con, log, call, prefix=""):
    results = [outcome(con, call, entry, prefix) for entry in log]
    for (command, _, options), result in zip(log, results):
        if not (isinstance(result, str) and result.startswith("error: ")):
            TAKEN.update((command, option) for option in options)
    return results


def dump(con, prefix=""):
    tables = [row[0] for row in con.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
    rows = {t[len(prefix):]: sorted(map(repr, con.execute(f'SELECT * FROM "{t}"'))) for t in tables}
    # Installing has drawn it by chance; no command uses it.
    rows["turnstile_meta"] = [r for r in rows["turnstile_meta"] if "door_key" not in r]
    # What the table-valued functions make of it; the clock is held, as leases depend on it.
    con.execute("SELECT turnstile_clock(1000000000000)")
    labels = f"SELECT label FROM {prefix}sessions"
    roots = f"SELECT id << 24 FROM {prefix}branches WHERE parent_turn_id IS NULL"
    for name, starts in (("turn_path", labels), ("session_context", labels), ("turn_tree", roots)):
        for (start,) in con.execute(starts).fetchall():
            shown = con.execute(f"SELECT * FROM {name}(?)", (start,)).fetchall()
            rows[f"{name} of {start}"] = list(map(repr, shown))
    con.execute("SELECT turnstile_clock(NULL)")
    return rows


def compare(name, log, results, rows, measure):
    first = next((i for i, (a, b) in enumerate(zip(results, measure[0])) if a != b), None)
    check(f"{name}: the same results" + ("" if first is None else f", but for entry {first} {log[first]}"),
          None if first is None else results[first], None if first is None else measure[0][first])
    for table in sorted(set(rows) | set(measure[1])):
        odd = sorted(set(rows.get(table, [])) ^ set(measure[1].get(table, [])))
        check(f"{name}: {table}", odd[:2], [])


def holds(what, log, a, measure):
    """Everything that a log has to hold, or it would show nothing."""
    tables = ("commits", "steps", "session_queue", "deliveries", "session_runs", "edges", "objects", "turnstile_config", "turnstile_requests",
              "turns", "branches", "messages", "tool_calls", "compactions", "session_history",
              "session_aliases", "identities")
    check(f"{what} reaches every table", [t for t in tables if not measure[1][t]], [])
    actions = {row[0] for row in a.execute("SELECT action FROM deliveries")}
    check(f"{what} holds most decisions", {"start", "continue", "abandon", "answer", "acknowledge", "prompt", "compact", "classify"} - actions, set())
    types = {row[0] for row in a.execute("SELECT commit_type FROM commits")}
    check(f"{what} holds every type of commit", types, set(COMMIT_TYPE))

    for column, table, values in (
            ("reason", "session_history", set(HEAD_MOVE)),
            ("status", "session_queue", {*QUEUE_OPEN, *QUEUE_END}),
            ("mode", "session_queue", {None, *vocabulary.MODES}),
            ("action", "deliveries", {"queue", "steer", "interrupt"}),
            ("task_status", "sessions", {None, *WORKER_STATUS}),
            ("min(attempts, 3)", "session_queue", {0, 1, 2, 3}),
            ("error", "session_queue",
             {None, "cancelled by queue_cancel", "called off by its sender",
              "dropped: the queue was full", "the task was called off", "undone by session_rewind"}),
            ("resumes_turn_id IS NULL", "turns", {0, 1}),
            ("spawned_session_label IS NULL", "tool_calls", {0, 1}),
            ("error LIKE '%took over'", "turns", {None, 0, 1}),
            ("status || on_path", "turns", {"completed1", "failed0", "aborted0", "aborted1"}),
            ("status", "tool_calls", set(CALL_STATUS)),
            ("compaction_type", "compactions", set(vocabulary.COMPACTION_TYPE)),
            ("recovered_turn_id IS NULL", "compactions", {0, 1}),
            ("corrected IS NULL", "deliveries", {0, 1}),
            ("came_by IS NULL", "deliveries", {0, 1}),
            ("said_in IS NULL", "session_queue", {0, 1}),
            ("came_from IS NULL", "session_queue", {0, 1})):
        found = {row[0] for row in a.execute(f"SELECT {column} FROM {table}")}
        check(f"{what} holds every {column} of {table}", values - found, set())
    for command, text in (("turn_append", "busy"), ("turn_begin", "busy"),
                          ("turn_message", "nothing can be added"), ("session_rewind", "not on the path"),
                          ("turn_steering", "nothing can be added"), ("queue_push", "is full"),
                          ("queue_cancel", "it must be"), ("queue_retry", "it must be"),
                          ("queue_front", "it must be"), ("session_spawn", "levels deep"),
                          ("session_spawn", "workers at work"), ("session_report", "not a worker")):
        check(f"{what} holds a {command} that is refused", any(
            e[0] == command and text in str(result) for e, result in zip(log, measure[0])), True)
    played = list(zip(log, measure[0]))
    for command in PLACES:
        if command in ("session_delete", "session_export", "session_import"):
            continue  # they have a log of their own
        done = [r for e, r in played if e[0] == command and not str(r).startswith("error: ")]
        check(f"{what} holds a {command} that succeeds", bool(done), True)
    for kind, command, text in (
            ("a delivery that is rejected", "session_deliver", '"action":"rejected"'),
            ("a delivery that begins a turn", "session_deliver", '"turn":{"turn":'),
            ("a delivery that cancels", "session_deliver", '"cancelled":[{'),
            ("steering with something in it", "turn_steering", '{"messages":[{'),
            ("steering with nothing", "turn_steering", '{"messages":[]'),
            ("a second attempt", "turn_begin", '"attempt":2'),
            ("a task's outcome", "turn_complete", '"state":"PendingComplete"'),
            ("an outcome that is ignored", "turn_complete", '"note":"outcome ignored'),
            ("a run that is told of an interrupt", "turn_", '"interrupted":true'),
            ("a worker with a label of its own", "session_spawn", "worker:"),
            ("a rewind that tells what workers were told", "session_rewind", '"told":[{'),
            ("a rewind that cancels", "session_rewind", '"cancelled":[{'),
            ("a rewind after which something waits again", "session_rewind", '"returned":[{'),
            ("a rewind that stops a worker", "session_rewind", '"workers_stopped":['),
            ("a rewind over what a host without turns has", "session_rewind", "keeps no turns, and stays done"),
            ("a message that a second opinion lets start a task", "delivery_classify", '"action":"start"'),
            ("a correction", "delivery_correct", '"was":"'),
            ("names of its own", "turnstile_config", "Alma, bot"),
            ("a report that nobody waits for", "session_report", "None")):
        check(f"{what} holds {kind}", any(
            e[0].startswith(command) and text in str(result) for e, result in played), True)
    check(f"{what} holds a redo", any(e[0] == "session_rewind" and "error" not in str(r) and
          (json.loads(r)["head"] or 0) > (json.loads(r)["previous_head"] or 0) for e, r in played), True)
    check(f"{what} holds forks with a label of their own making", any(
        e[0] == "session_fork" and str(result).startswith("fork-")
        for e, result in zip(log, measure[0])), True)

    for action in ("linked", "promoted", "merged", "unchanged", "unlinked"):
        check(f"{what} holds links that are {action}", any(
            e[0].startswith("identity_") and f'"action":"{action}"' in str(result)
            for e, result in zip(log, measure[0])), True)


def holds_by_itself(seed):
    """What every log begins and ends with holds all of it: nothing hangs on chance."""
    log = make_log(seed, len(BEGINNING))
    con = connect(":memory:")
    results = play(con, log, by_sugar)
    holds("a log with nothing by chance", log, con, (results, dump(con)))
    con.close()


def replay_deletes(seed):
    log = make_log(seed, 1500, WITH_DELETES)
    a = connect(":memory:")
    measure = play(a, log, by_sugar), dump(a)
    gone = [str(r) for e, r in zip(log, measure[0]) if e[0] == "session_delete"]
    for text in ('"dry_run":false', '"dry_run":true', "there is no session", "is busy"):
        check(f"the log holds a session_delete with {text}", any(text in r for r in gone), True)
    taken = [str(r) for e, r in zip(log, measure[0]) if e[0] == "session_import"]
    for text in ('"unchanged":false', '"unchanged":true', "is taken", "is busy"):
        check(f"the log holds a session_import with {text}", any(text in r for r in taken), True)
    some = ['"turns":0' not in r and '"dry_run":false' in r for r in gone]
    check("and some of turns", any(some), True)
    for name, sql in INVARIANTS:
        # A merge moves inputs to another session, with which they can go.
        if "gapless" not in name and "input" not in name:
            check(f"with deletes: {name}", a.execute(sql).fetchall()[:3], [])
    for call in (by_door, by_name):
        con = connect(":memory:")
        con.execute("BEGIN")
        compare("with deletes, by a door", log, play(con, log, call), dump(con), measure)
        con.close()
    con = connect(":memory:", "p_")
    con.execute("SELECT turnstile_use('main', 'p_')")
    compare("with deletes, a prefix", log, play(con, log, by_sugar, "p_"), dump(con, "p_"), measure)
    con.close()


def main():
    global LIBRARY
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: tests/suites/replay.py BUILDDIR [seed [length]]")
    LIBRARY = library(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    log = make_log(seed, int(sys.argv[3]) if len(sys.argv) > 3 else 3000)

    a = connect(":memory:")
    measure = play(a, log, by_sugar), dump(a)
    errors = [r for r in measure[0] if isinstance(r, str) and r.startswith("error: ")]
    check("the log holds commands that fail and commands that don't", 0.05 * len(log) < len(errors) < 0.7 * len(log), True)
    check("each error begins with its command", [e for e in errors if not any(e.startswith(f"error: {c}: ") for c in PLACES)], [])
    holds("the log", log, a, measure)
    odd = {found[1] for error in errors if (found := re.search(r" is '([^']*)'; it must be one of", error))}
    check("the words that are none of a list are those meant to be", odd - WRONG, set())

    for name, sql in INVARIANTS:
        # An input that a merge moved is deleted with the session that it went to.
        if name != "a decision's input is there":
            check(name, a.execute(sql).fetchall()[:3], [])

    for name, call in {"the door by place": by_door, "the door by name": by_name}.items():
        con = connect(":memory:")
        compare(name, log, play(con, log, call), dump(con), measure)
        con.close()

    con = connect(":memory:")
    con.execute("BEGIN")
    results = play(con, log, by_door)
    con.execute("COMMIT")
    compare("one transaction", log, results, dump(con), measure)
    con.close()

    con = connect(":memory:")
    con.execute("SELECT turnstile_clock(1)")  # commands are given their time
    r = random.Random(seed)
    compare("another clock, doors by turns", log,
            [outcome(con, r.choice([by_sugar, by_door, by_name]), entry) for entry in log], dump(con), measure)
    con.close()

    con = connect(":memory:", "p_")
    con.execute("SELECT turnstile_use('main', 'p_')")
    compare("a prefix", log, play(con, log, by_sugar, "p_"), dump(con, "p_"), measure)
    con.close()

    path = suite.path("file.db")
    con = connect(path)
    con.execute("PRAGMA journal_mode = WAL")
    con.execute("PRAGMA synchronous = OFF")
    con.close()
    results = []
    for entry in log:
        con = connect(path)
        results.append(outcome(con, by_sugar, entry))
        con.close()
    con = connect(path)
    compare("a connection per command", log, results, dump(con), measure)
    check("the file is whole", con.execute("PRAGMA integrity_check").fetchone()[0], "ok")
    con.close()

    # Request ids: what succeeded can be sent again, in any order, and changes nothing. (A sweep has
    # forgotten the oldest; those would be done anew.)
    known = {row[0] for row in a.execute("SELECT request_id FROM turnstile_requests")}
    again = [(i, entry) for i, entry in enumerate(log) if entry[2].get("request_id") in known]
    check("there are requests to repeat", len(again) > 20, True)
    for order in (again, random.Random(seed).sample(again, len(again))):
        wrong = [(i, entry) for i, entry in order
                 if outcome(a, random.Random(i).choice([by_sugar, by_door, by_name]), entry) != measure[0][i]]
        check("repeated requests return what they returned", wrong[:1], [])
        check("and change nothing", dump(a) == measure[1], True)
    i, (command, args, options) = again[0]
    check("with another now it is the same request", outcome(a, by_door, (command, args, {**options, "now": 5})), measure[0][i])
    holds_by_itself(seed)
    replay_deletes(seed)
    check("the logs hold every option of every command", [
        (command, option) for command, options in documented().items() if command not in STATEMENTS
        for option in options if (command, option) not in TAKEN], [])
    suite.done()


if __name__ == "__main__":
    main()
