#!/usr/bin/python3
"""demo.py BUILDDIR - the demo's table, cell by cell.

Runs the logic of examples/demo.py over the shipped recording in a database in memory and compares
every row, the commits, the choice that was offered, and what the agent's work left behind with what
a reader of the conversation expects. One expectation, one test.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples"))
sys.dont_write_bytecode = True
import demo  # noqa: E402

sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from harness import Suite  # noqa: E402

CHOSEN = "(chosen: continue)"
STALE = "StaleSessionChoice"

# number, how the message begins, class, action, state before, state after, open choice
ROWS = [
    (1, "the upload client dies on the first", "NewTask", "start", "None", "Running", None),
    (2, "C, and let the number of tries", "Response", "continue", "AwaitingUser", "Running", None),
    (3, "oh and 429 should count", "Modification", "continue", "Running", "Running", None),
    (4, "perfect, but the log", "Modification", "continue", "PendingComplete", "Running", None),
    (5, "nope, works on staging", "Confirmation", "complete", "PendingComplete", "None", None),
    (6, "different thing: why do", "NewTask", "start", "None", "Running", None),
    (7, "make it follow local", "Modification", "continue", "PendingComplete", "Running", None),
    (8, "stop, not systemd.", "Modification", "continue", "Interrupted", "Running", None),
    (9, "yes both. sorry", "Response", "prompt", "AwaitingUser", "AwaitingUser", STALE),
    (None, CHOSEN, "Response", "continue", "AwaitingUser", "Running", None),
    (10, "ok", "Response", "continue", "AwaitingUser", "Running", None),
    (11, "now write a load generator", "NewTask", "start", "Running", "Running", None),
    (12, "what would the C one", "Clarification", "answer", "AwaitingUser", "AwaitingUser", None),
    (13, "C then", "Response", "continue", "AwaitingUser", "Running", None),
    (14, "forget it, found", "Abandon", "abandon", "Running", "None", None),
]

REPORTS = "different thing: why do the nightly reports start at 23:00 UTC and not at midnight?"

# After which row, type, message, task.
COMMITS = [
    (
        5,
        "Normal",
        "Each retry now logs its number, the limit and the pause. Checks pass. "
        "Anything else on this?",
        "the upload client dies on the first 503. can you make it retry?",
    ),
    (11, "StaleAutoCompact", f"Auto-saved: session idle for 9 days: {REPORTS}", REPORTS),
    (
        14,
        "Abandoned",
        "Abandoned by user",
        "now write a load generator for the upload endpoint, 200 parallel clients",
    ),
]

TURNS = [  # tool calls, tokens in and out of the turn that begins with the message of that number
    (1, 2400, 360),
    (2, 2100, 640),
    (3, 8600, 860),
    (2, 6700, 350),
    (0, 3450, 12),
    (1, 3200, 200),
    (1, 1900, 140),
    (1, 4100, 250),
    (2, 6900, 340),
    (0, None, None),
    (0, 900, 80),
    (0, 1000, 90),
    (2, 1300, 900),
    (0, 1400, 30),
]

OBSERVED = [  # task, kind, how many
    (1, "CommandRun", 3),
    (1, "FileRead", 1),
    (1, "FileWrite", 4),
    (2, "CommandRun", 3),
    (2, "FileWrite", 2),
    (3, "CommandRun", 1),
    (3, "FileWrite", 1),
]

suite = Suite("demo")
check = suite.check


def check_rows(rows):
    check("number of rows", len(rows), len(ROWS))
    names = ("number", "message", "class", "action", "before", "after", "choice")
    for got, want in zip(rows, ROWS):
        for name, value in zip(names, want):
            cell = got[name]
            if name == "message":
                cell = cell[: len(value)]
            check(f"message {want[0]} ({want[1]}): {name}", cell, value)


def check_commits(db, rows):
    shown = [(r["number"], *r["commit"]) for r in rows if r["commit"]]
    check("commits in the table", shown, [c[:3] for c in COMMITS])
    stored = db.execute(
        "SELECT c.commit_type, c.message, t.description FROM commits AS c "
        "JOIN tasks AS t ON t.commit_id = c.id ORDER BY c.seq"
    ).fetchall()
    check("commits in the database", stored, [c[1:] for c in COMMITS])
    chain = db.execute(
        "SELECT count(*) FROM commits AS c LEFT JOIN commits AS p ON p.seq = c.seq - 1 "
        "WHERE c.parent_id IS p.id"
    ).fetchone()[0]
    check("commits are chained", chain, len(COMMITS))
    idle = "SELECT json_extract(type_data, '$.idle_duration_secs') FROM commits WHERE seq = 2"
    check("idle seconds of the saved task", db.execute(idle).fetchone()[0], 9 * 86400)
    reason = "SELECT json_extract(type_data, '$.reason') FROM commits WHERE seq = 3"
    check("reason", db.execute(reason).fetchone()[0], "forget it, found a ready-made tool")


def check_prompt(rows):
    shown = [r["shown"] for r in rows if r["shown"]]
    check("prompts", len(shown), 1)
    lines = shown[0].splitlines() if shown else []
    check("the prompt names the task", REPORTS in " ".join(lines), True)
    check("the prompt's choices", [line[:3] for line in lines if line[1:2] == ")"], ["A) ", "B) "])


def check_database(db):
    observed = db.execute(
        "SELECT task_id, kind, count(*) FROM observations WHERE auto = 0 "
        "GROUP BY task_id, kind ORDER BY task_id, kind"
    ).fetchall()
    check("observations", observed, OBSERVED)
    loose = "SELECT count(*) FROM observations WHERE step_id IS NULL"
    check("all observations are in a step", db.execute(loose).fetchone()[0], 0)
    open_tasks = "SELECT count(*) FROM tasks WHERE ended_at IS NULL"
    check("open tasks at the end", db.execute(open_tasks).fetchone()[0], 0)
    said = "SELECT count(*), count(DISTINCT at) FROM deliveries"
    check("deliveries", db.execute(said).fetchone(), (14, 14))
    check("integrity", db.execute("PRAGMA integrity_check").fetchone()[0], "ok")


def check_turns(db, rows):
    """The import beside the session: a turn for each message, and the fork."""
    events = "SELECT count(*) FROM session_events WHERE session_label = ?"
    before = db.execute(events, (demo.SESSION,)).fetchone()
    report = demo.import_turns(db, demo.TRANSCRIPT)
    want = {"entries": 51, "turns_made": 14, "turns_there": 0, "tool_calls": 15}
    check("turns: report", report, want)
    turns = demo.turns(db, demo.RECORDING)
    said = [(r["number"] - 1, r["at"], r["message"]) for r in rows if r["number"]]
    check("turns: one for each message", [t[:3] for t in turns], said)
    for turn, expected in zip(turns, TURNS):
        check(f"turns: {turn[2][:30]}: calls and tokens", turn[3:6], expected)
    check("turns: the thread grows", all(a[6] < b[6] for a, b in zip(turns, turns[1:])), True)
    demo.fork(db)
    fork = demo.turns(db, demo.FORK)
    check("fork: shares the path", fork[:-1], turns[: demo.FORKED_AT + 1])
    check("fork: goes its own way", fork[-1][2], "the shell loop")
    check("fork: the recording is as it was", demo.turns(db, demo.RECORDING), turns)
    n, messages, calls, tokens = demo.context(db, demo.FORK)
    check("fork: context", (n, messages, calls), (12, 26, 13))
    check("fork: size of the context", tokens, fork[-1][6])
    check(
        "the import leaves the session alone",
        db.execute(events, (demo.SESSION,)).fetchone(),
        before,
    )
    again = demo.import_turns(db, demo.TRANSCRIPT)
    check("turns: again", (again["turns_made"], again["turns_there"]), (0, 14))


def check_meaning():
    """The demo's own reading of the agent's replies, on cases beside those in the recording."""
    for text, want in [
        ("Which one?\n\nA) this\nB) that", "ask"),
        ("Which one?\n\n1. this\n2. that\n", "ask"),
        ("Done. Shall I push it too?", "ask"),
        ("All set unless you want the tests as well.", "ask"),
        ("All 31 tests pass.", "report"),
        ("Fixed. Anything else?", "report"),
        ("The page is up. Does this look right to you?", "report"),
        ("I'll run the tests next.", "plan"),
        ("Is it? No. It is not.", "report"),
    ]:
        check(f"meaning of {text!r}", demo.meaning(text), want)


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "..", "build")
    db = demo.connect(build, ":memory:")
    rows = list(demo.run(db, demo.TRANSCRIPT))
    check_rows(rows)
    check_commits(db, rows)
    check_prompt(rows)
    check_database(db)
    check_turns(db, rows)
    check_meaning()
    db.close()
    suite.done()


if __name__ == "__main__":
    main()
