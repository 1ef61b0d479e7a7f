#!/usr/bin/env python3
"""replay.py - a log of commands, played on several databases, gives the same rows everywhere.

    tests/replay.py BUILDDIR [seed [length]]

A command depends on the database, its arguments and `now`, and on nothing else: no other clock, no
chance, nothing that a connection remembers. So a log with `now` in every entry is played through
sugar, through the door, within one transaction, with a connection per command, under a prefix and
on a system clock that stands elsewhere; results (errors too) and rows have to agree. The log is
made up with a fixed seed, follows no plan, and so holds many commands that fail.

Then request ids: what succeeded is played once more on the same database, in order and out of it:
the same results, and no row changes.
"""
import json
import os
import random
import sqlite3
import sys
import tempfile

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
CLASSES = ["Response", "Modification", "Confirmation", "Abandon", "NewTask", "Clarification", "Unclear"]
STATES = ["None", "Running", "AwaitingUser", "Interrupted", "PendingComplete", "Complete", "Aborted", "Asleep"]
RUN_STATES = ["idle", "starting", "running", "ready", "interrupted", "error"]
KINDS = ["FileRead", "FileWrite", "CommandRun", "Note", "Plan", "Dream"]
DATA = {
    "AwaitingUser": [{"question": "Which?"}, {"question": "Which?", "asked_at": 5}, {}],
    "Interrupted": [{"user_message": "not so fast"}, {"user_message": 5}],
    "PendingComplete": [{"summary": "Retries added"}, {}],
    "Aborted": [{"reason": "no use"}, None],
}


def deliver(r):
    options = {}
    if r.random() < 0.5:
        options["class"] = r.choice(CLASSES)
    if r.random() < 0.2:
        options["source"] = r.choice(["agent", "timer", "webhook", "system", "robot"])
    if r.random() < 0.4:
        options |= {"message_id": f"m{r.randrange(40)}", "channel": r.choice(["wa", "tg"]), "sender": r.choice(["u1", "u2"])}
    return ["session_deliver", [r.choice(LABELS), r.choice(MESSAGES)], options]


def transition(r):
    state = r.choice(STATES)
    return ["session_transition", [r.choice(LABELS), state, r.choice(DATA.get(state, [None, {"x": 1}]))], {}]


def config(r):
    key, values = r.choice([
        ("ask_threshold", ["1h", "24h", 3 * HOUR, "soon"]), ("auto_compact_threshold", ["2 days", "7d"]),
        ("new_task_policy", ["prompt", "switch", "never"]), ("sweep_batch", [2, 500]), ("text.acknowledge", ["Gut.", "Fine."]),
        ("run_idle_timeout", ["10m"]), ("nonsense", [1])])
    options = {"session": r.choice(LABELS)} if r.random() < 0.4 else {}
    if r.random() < 0.3:
        return ["turnstile_config", [key, None], {**options, "reset": 1}]
    return ["turnstile_config", [key, r.choice(values)], options]


MAKERS = [
    (30, deliver),
    (12, transition),
    (10, lambda r: ["session_note", [r.choice(LABELS), r.choice(MESSAGES)], {}]),
    (8, lambda r: ["session_observe", [r.choice(LABELS), r.choice(KINDS), {"path": f"src/{r.randrange(5)}.c"}, r.choice([None, "text", "int main(void);"])], {}]),
    (4, lambda r: ["session_relate", [r.choice(LABELS), "file:a.c", "DependsOn", r.choice(["file:b.h", "b.h"])], r.choice([{}, {"weight": 0.5}, {"weight": 2}])]),
    (5, lambda r: ["session_flush", [r.choice(LABELS), r.choice([None, "Plan", "Dream"])], {}]),
    (5, lambda r: ["session_compact", [r.choice(LABELS), r.choice([None, "done", ""])], {}]),
    (5, lambda r: ["session_start", [r.choice(LABELS), r.choice(["add retries", "port the parser", " "])], {}]),
    (6, lambda r: ["session_choose", [r.choice(LABELS), r.choice(["A", "B", "continue", "start_fresh", "C"])], {}]),
    (6, lambda r: ["session_recover", [r.choice(LABELS)], {}]),
    (2, lambda r: ["session_state", [r.choice(LABELS)], {}]),
    (2, lambda r: ["session_progress", [r.choice(LABELS)], {}]),
    (7, lambda r: ["session_run", [r.choice(LABELS), r.choice(["A1", "A2"]), r.choice(RUN_STATES), r.choice([None, {"exit_code": 1}])], {}]),
    (3, lambda r: ["session_sweep", [], r.choice([{}, {"limit": 1}, {"dry_run": 1}, {"limit": 0}])]),
    (2, lambda r: ["turnstile_startup", [r.choice([None, "A1", "A2"])], {}]),
    (4, config),
]
PLACES = {
    "session_deliver": ["label", "message"], "session_choose": ["label", "choice"], "session_start": ["label", "task"],
    "session_transition": ["label", "state", "data"], "session_state": ["label"], "session_note": ["label", "text"],
    "session_observe": ["label", "kind", "data", "content"], "session_relate": ["label", "from", "edge", "to"],
    "session_flush": ["label", "kind"], "session_compact": ["label", "message"], "session_recover": ["label"],
    "session_progress": ["label"], "session_run": ["label", "owner", "run_state", "data"], "session_sweep": [],
    "turnstile_startup": ["owner"], "turnstile_config": ["key", "value"],
}


def make_log(seed, length):
    r = random.Random(seed)
    now, log = 1_000_000_000_000, []
    for i in range(length):
        # Mostly seconds pass, sometimes days, now and then the clock goes back.
        now += r.choice([0, 1000, 60_000, 60_000, HOUR, -HOUR] if r.random() < 0.96 else [26 * HOUR, 26 * HOUR, 200 * HOUR])
        maker = r.choices([m for _, m in MAKERS], [w for w, _ in MAKERS])[0]
        command, args, options = maker(r)
        log.append((command, args, {**options, "now": now, "request_id": f"r{i}"} if r.random() < 0.5 else {**options, "now": now}))
    return log


passed = failed = 0


def check(name, got, expected):
    global passed, failed
    if got == expected:
        passed += 1
        return
    failed += 1
    print(f"  {name}\n    got      {str(got)[:300]}\n    expected {str(expected)[:300]}")


def connect(path, prefix=""):
    con = sqlite3.connect(path, isolation_level=None)
    con.enable_load_extension(True)
    con.load_extension(LIBRARY)
    con.execute("SELECT turnstile_install(?)", (json.dumps({"uuid": UUID, "prefix": prefix}),)).fetchall()
    return con


def as_sql(value):
    return json.dumps(value) if isinstance(value, (dict, list)) else value


def by_sugar(con, command, args, options, prefix=""):
    values = [as_sql(v) for v in args] + [json.dumps(options)]
    return con.execute(f"SELECT {command}({', '.join('?' * len(values))})", values).fetchall()[0][0]


def by_door(con, command, args, options, prefix=""):
    return con.execute(f"INSERT INTO {prefix}turnstile VALUES (?, ?) RETURNING turnstile_result()",
                       (command, json.dumps(args + [options]))).fetchall()[0][0]


def by_name(con, command, args, options, prefix=""):
    named = {**dict(zip(PLACES[command], args)), **options}
    return con.execute(f"INSERT INTO {prefix}turnstile VALUES (?, ?) RETURNING turnstile_result()",
                       (command, json.dumps(named))).fetchall()[0][0]


def outcome(con, call, entry, prefix=""):
    try:
        return call(con, *entry, prefix=prefix)
    except sqlite3.Error as e:
        return f"error: {e}"


def play(con, log, call, prefix=""):
    return [outcome(con, call, entry, prefix) for entry in log]


def dump(con, prefix=""):
    tables = [row[0] for row in con.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
    return {t[len(prefix):]: sorted(map(repr, con.execute(f'SELECT * FROM "{t}"'))) for t in tables}


def compare(name, log, results, rows, measure):
    first = next((i for i, (a, b) in enumerate(zip(results, measure[0])) if a != b), None)
    check(f"{name}: the same results" + ("" if first is None else f", but for entry {first} {log[first]}"),
          None if first is None else results[first], None if first is None else measure[0][first])
    for table in sorted(set(rows) | set(measure[1])):
        odd = sorted(set(rows.get(table, [])) ^ set(measure[1].get(table, [])))
        check(f"{name}: {table}", odd[:2], [])


def main():
    global LIBRARY
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: tests/replay.py BUILDDIR [seed [length]]")
    LIBRARY = os.path.abspath(os.path.join(sys.argv[1], "turnstile"))
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    log = make_log(seed, int(sys.argv[3]) if len(sys.argv) > 3 else 600)

    a = connect(":memory:")
    measure = play(a, log, by_sugar), dump(a)
    errors = [r for r in measure[0] if isinstance(r, str) and r.startswith("error: ")]
    check("the log holds commands that fail and commands that don't", 0.05 * len(log) < len(errors) < 0.7 * len(log), True)
    check("each error begins with its command", [e for e in errors if not any(e.startswith(f"error: {c}: ") for c in PLACES)], [])
    tables = ("commits", "steps", "session_queue", "deliveries", "session_runs", "edges", "objects", "turnstile_config", "turnstile_requests")
    check("the log reaches every table", [t for t in tables if not measure[1][t]], [])
    actions = {row[0] for row in a.execute("SELECT action FROM deliveries")}
    check("the log holds most decisions", {"start", "continue", "abandon", "answer", "acknowledge", "prompt", "compact"} - actions, set())
    types = {row[0] for row in a.execute("SELECT commit_type FROM commits")}
    check("the log holds every type of commit", types, {"Normal", "Abandoned", "StaleAutoCompact", "InterruptedByNewTask"})

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
    con.execute("SELECT turnstile_clock(1)")
    r = random.Random(seed)
    compare("another clock, doors by turns", log,
            [outcome(con, r.choice([by_sugar, by_door, by_name]), entry) for entry in log], dump(con), measure)
    con.close()

    con = connect(":memory:", "p_")
    con.execute("SELECT turnstile_use('main', 'p_')")
    compare("a prefix", log, play(con, log, by_sugar, "p_"), dump(con, "p_"), measure)
    con.close()

    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "file.db")
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
    print(f"replay: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
