"""Several processes on one file: concurrency.py BUILDDIR

Each test runs with a rollback journal and with WAL: deliveries to one session and to many, the
same message_id from two sides at once, installing at once, somebody else holding the write lock,
sugar inside a SELECT that already reads; turns appended to shared sessions, turns begun by several
owners at once. Nothing may be lost, doubled, or refused without saying why; and the file holds all
invariants afterwards.
"""

import json
import multiprocessing
import os
import sqlite3
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import TURNSTILE_BUSY, Suite, connect, door, error_of, library, one  # noqa: E402

lib = library(sys.argv[1])
MODES = ("delete", "wal")


def new_file(name, mode):
    path = suite.path(f"{name}-{mode}.db")
    db = connect(path, lib)
    one(db, f"PRAGMA journal_mode = {mode}")
    one(db, "SELECT turnstile_install()")
    return path, db


def call(i, barrier, results, work, args):
    try:
        results.put((i, work(i, barrier, *args)))
    except BaseException as error:  # the parent has to hear of it, whatever it is
        results.put((i, f"{type(error).__name__}: {error}"))


def in_processes(n, work, *args):
    """Runs work(number, barrier, *args) in n processes. Returns what each returned."""
    # New processes, not forks: SQLite's connections don't survive a fork.
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(n), context.Queue()
    processes = [
        context.Process(target=call, args=(i, barrier, results, work, args)) for i in range(n)
    ]
    for p in processes:
        p.start()
    answers = dict(results.get(timeout=3600) for _ in processes)
    for p in processes:
        p.join()
    return [answers[i] for i in range(n)]


# ---- Deliveries -----------------------------------------------------------------------------


def deliver_many(i, barrier, path, label, count, timeout, retry):
    """Delivers, by sugar and by the door in turn. Returns how often the file was busy."""
    db = connect(path, lib, timeout)
    barrier.wait()
    busy = 0
    for n in range(count):
        options = {"message_id": f"{i}-{n}", "sender": f"p{i}"}
        if n % 3:
            options["class"] = ("Modification", "Clarification")[n % 2]
        while True:
            try:
                if n % 2:
                    door(db, "session_deliver", label or f"s{i}", f"message {n}", options)
                else:
                    sql = "SELECT session_deliver(?, ?, ?)"
                    one(db, sql, label or f"s{i}", f"message {n}", json.dumps(options))
                break
            except sqlite3.OperationalError as error:
                if not retry or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                busy += 1
                time.sleep(0.001)
    one(db, "SELECT session_state(?)", label or f"s{i}")
    db.close()
    return busy


def check_deliveries(what, db, processes, count):
    rows = db.execute("SELECT sender, message_id FROM deliveries").fetchall()
    expected = {(f"p{i}", f"{i}-{n}") for i in range(processes) for n in range(count)}
    suite.check(f"{what}: how many", len(rows), len(expected))
    suite.check(f"{what}: lost or made up", set(rows) ^ expected, set())
    # Each process's messages lie in the order in which it sent them.
    disorder = """SELECT sender, message_id FROM (
        SELECT sender, message_id, CAST(substr(message_id, instr(message_id, '-') + 1) AS INTEGER)
               AS n, row_number() OVER (PARTITION BY sender ORDER BY id) - 1 AS place
        FROM deliveries) WHERE n <> place"""
    suite.check(f"{what}: order", db.execute(disorder).fetchall(), [])
    suite.sound(what, db)


def test_deliveries():
    for mode in MODES:
        for processes, count in ((2, 60), (8, 20)):
            for label in ("shared", None):
                what = f"{processes} processes, {label or 'own'} session, {mode}"
                path, db = new_file(f"d{processes}{label}", mode)
                answers = in_processes(processes, deliver_many, path, label, count, 30, False)
                suite.check(f"{what}: no errors", answers, [0] * processes)
                check_deliveries(what, db, processes, count)
                db.close()


def test_without_timeout():
    """Eight hosts that don't wait and try again when the file is busy."""
    path, db = new_file("retry", "wal")
    answers = in_processes(8, deliver_many, path, None, 50, 0, True)
    suite.check("hosts that try again: no other error", [type(a) for a in answers], [int] * 8)
    check_deliveries("hosts that try again", db, 8, 50)
    db.close()


# ---- The same message twice -----------------------------------------------------------------


def deliver_same(i, barrier, path, count):
    db = connect(path, lib, 30)
    answers = []
    for n in range(count):
        barrier.wait()
        decision = door(db, "session_deliver", "s", f"message {n}", {"message_id": f"m{n}"})
        answers.append(json.loads(decision))
    db.close()
    return answers


def test_same_message():
    for mode in MODES:
        path, db = new_file("same", mode)
        both = in_processes(2, deliver_same, path, 40)
        for n, pair in enumerate(zip(*both)):
            repeated = [d.pop("duplicate", False) for d in pair]
            suite.check(f"m{n} ({mode}): accepted once", sorted(repeated), [False, True])
            first, again = sorted(pair, key=lambda d: d["action"] == "duplicate")
            suite.check(f"m{n} ({mode}): the same decision", again.get("first"), first)
        suite.check(f"same ({mode}): rows", one(db, "SELECT count(*) FROM deliveries"), 40)
        suite.sound(f"same ({mode})", db)
        db.close()


# ---- Turns ----------------------------------------------------------------------------------


def append_many(i, barrier, path, labels, count):
    """Appends to the sessions in turn. Returns the turns' ids by session, as they came."""
    db = connect(path, lib, 30)
    barrier.wait()
    made = {label: [] for label in labels}
    for n in range(count):
        label = labels[(i + n) % len(labels)]
        said = [{"role": "user", "content": f"{i}-{n}"}, {"role": "assistant", "content": "Yes."}]
        if n % 2:
            turn = door(db, "turn_append", label, said, {"external_id": f"{i}-{n}"})
        else:
            options = json.dumps({"external_id": f"{i}-{n}"})
            turn = one(db, "SELECT turn_append(?, ?, ?)", label, json.dumps(said), options)
        made[label].append(turn)
    db.close()
    return made


def test_appends():
    """No turn is lost; each session is one chain without a fork, and its head is the last."""
    for mode in MODES:
        for processes, count, labels in ((2, 60, ["a"]), (8, 20, ["a", "b", "c"])):
            what = f"{processes} processes append to {len(labels)} sessions, {mode}"
            path, db = new_file(f"append{processes}", mode)
            answers = in_processes(processes, append_many, path, labels, count)
            if not suite.check(f"{what}: no errors", [a for a in answers if type(a) is str], []):
                continue
            total = one(db, "SELECT count(*) FROM turns")
            suite.check(f"{what}: how many", total, processes * count)
            branches = one(db, "SELECT count(*) FROM branches")
            suite.check(f"{what}: no forks", branches, len(labels))
            names = {row[0] for row in db.execute("SELECT external_id FROM turns")}
            expected = {f"{i}-{n}" for i in range(processes) for n in range(count)}
            suite.check(f"{what}: lost or made up", names ^ expected, set())
            for label in labels:
                path_ids = [
                    row[0] for row in db.execute("SELECT turn_id FROM turn_path(?)", (label,))
                ]
                made = sorted(t for a in answers for t in a[label])
                suite.check(f"{what}, {label}: the path", path_ids, made)
                in_order = all(a[label] == sorted(a[label]) for a in answers)
                suite.check(f"{what}, {label}: each process's turns in its order", in_order)
                head = one(db, "SELECT thread_id FROM sessions WHERE label = ?", label)
                suite.check(f"{what}, {label}: the head", head, made[-1])
                moves = [
                    row[0]
                    for row in db.execute(
                        "SELECT thread_id FROM session_history WHERE "
                        "session_label = ? ORDER BY id",
                        (label,),
                    )
                ]
                suite.check(f"{what}, {label}: a row of history per turn", moves, made)
                rows = one(db, "SELECT count(*) FROM session_context(?)", label)
                suite.check(f"{what}, {label}: all of it is in the context", rows, 2 * len(made))
            suite.sound(what, db)
            db.close()


def begin_same(i, barrier, path, rounds):
    """All want the session's next turn at the same moment. The winner executes it."""
    db = connect(path, lib, 30)
    answers = []
    for n in range(rounds):
        said = {"messages": [{"role": "user", "content": f"{n} by {i}"}], "lease": "1h"}
        barrier.wait()
        try:
            begun = json.loads(door(db, "turn_begin", "s", f"p{i}", said))
        except sqlite3.Error as error:
            begun = None
            answers.append(str(error))
        barrier.wait()  # everybody has been answered
        if begun:
            live = begun["turn"], begun["token"]
            door(db, "turn_message", *live, {"role": "assistant", "content": "Done."})
            door(db, "turn_complete", *live)
            answers.append(live)
        barrier.wait()
    db.close()
    return answers


def test_begin():
    """Of several owners that begin at once one wins, each time; the others hear who it was."""
    for mode in MODES:
        rounds, processes = 25, 3
        path, db = new_file("begin", mode)
        answers = in_processes(processes, begin_same, path, rounds)
        if not suite.check(
            f"begin, {mode}: no other errors", [a for a in answers if type(a) is str], []
        ):
            continue
        winners = []
        for n, answer in enumerate(zip(*answers)):
            won = [a for a in answer if type(a) is tuple]
            suite.check(f"begin {n}, {mode}: one wins", len(won), 1)
            owner = f"p{answer.index(won[0])}"
            for lost in answer:
                if type(lost) is str:
                    suite.holds(f"begin {n}, {mode}: the others", lost, "is busy", f"'{owner}'")
            winners += won
        tokens = [token for _, token in winners]
        suite.check(f"begin, {mode}: tokens only grow", tokens, sorted(set(tokens)))
        path_ids = [row[0] for row in db.execute("SELECT turn_id FROM turn_path('s')")]
        suite.check(f"begin, {mode}: the path", path_ids, [turn for turn, _ in winners])
        suite.check(f"begin, {mode}: nothing else", one(db, "SELECT count(*) FROM turns"), rounds)
        suite.check(
            f"begin, {mode}: messages", one(db, "SELECT count(*) FROM messages"), 2 * rounds
        )
        suite.sound(f"begin, {mode}", db)
        db.close()


def work_on_queue(i, barrier, path, count):
    """One process holds the session and has messages delivered; then all begin turns on what waits
    until it is done."""
    db = connect(path, lib, 30)
    done, busy = [], 0
    if i == 0:
        said = {"messages": [{"role": "system", "content": "Wait."}], "lease": "1h"}
        begun = json.loads(door(db, "turn_begin", "s", "p0", said))
    barrier.wait()
    if i == 0:
        for n in range(count):
            options = {"class": "Modification", "source": "agent", "message_id": f"m{n}"}
            door(db, "session_deliver", "s", f"message {n}", options)
        door(db, "turn_complete", begun["turn"], begun["token"])
    deadline = time.time() + 60
    while time.time() < deadline:
        try:
            begun = door(db, "turn_begin", "s", f"p{i}")
        except sqlite3.OperationalError as error:
            assert error.sqlite_errorcode == TURNSTILE_BUSY, error
            busy += 1
            time.sleep(0.001)
            continue
        if begun is None:
            if one(db, "SELECT count(*) FROM session_queue WHERE delivered_at > 0") == count:
                break
            time.sleep(0.001)
            continue
        begun = json.loads(begun)
        done += [m["content"] for m in begun["messages"]]
        door(db, "turn_complete", begun["turn"], begun["token"], {"content": "Done."})
    db.close()
    return done, busy


def test_queue():
    """Every input is worked on once, whoever takes it, in the order in which they came."""
    for mode in MODES:
        count = 40
        path, db = new_file("queue", mode)
        answers = in_processes(3, work_on_queue, path, count)
        if not suite.check(f"queue, {mode}: no errors", [a for a in answers if type(a) is str], []):
            continue
        expected = [f"message {n}" for n in range(count)]
        done = [m for messages, _ in answers for m in messages]
        suite.check(f"queue, {mode}: each once", sorted(done), sorted(expected))
        inputs = [
            row[0]
            for row in db.execute("SELECT content FROM session_context('s') WHERE role = 'user'")
        ]
        suite.check(f"queue, {mode}: in order", inputs, expected)
        left = one(db, "SELECT count(*) FROM session_queue WHERE status <> 'delivered'")
        suite.check(f"queue, {mode}: nothing is left", left, 0)
        suite.sound(f"queue, {mode}", db)
        db.close()


def fork_and_append(i, barrier, path, count):
    """Everybody forks the same turns and appends to the forks."""
    db = connect(path, lib, 30)
    barrier.wait()
    for n in range(count):
        label = door(db, "session_fork", (1 << 24) + n % 5)
        for text in ("first", "second"):
            said = [{"role": "user", "content": f"{text} of {i}-{n}"}]
            door(db, "turn_append", label, said)
        if n % 3 == 0:
            door(db, "turn_compact", label, f"summary of {i}-{n}", {"keep_turns": 1})
    db.close()
    return count


def test_forks():
    for mode in MODES:
        path, db = new_file("forks", mode)
        for n in range(5):
            door(db, "turn_append", "s", [{"role": "user", "content": f"turn {n}"}])
        answers = in_processes(4, fork_and_append, path, 15)
        suite.check(f"forks, {mode}: no errors", answers, [15] * 4)
        labels = [row[0] for row in db.execute("SELECT label FROM sessions WHERE origin = 'fork'")]
        suite.check(f"forks, {mode}: each has a label of its own", len(labels), 60)
        tips = db.execute("SELECT count(DISTINCT thread_id) FROM sessions").fetchone()[0]
        suite.check(f"forks, {mode}: each has a head of its own", tips, 61)
        for label in labels:
            depths = [row[0] for row in db.execute("SELECT depth FROM turn_path(?)", (label,))]
            suite.check(f"forks, {mode}, {label}: a path", depths, list(range(len(depths))))
            last = "SELECT content FROM session_context(?) ORDER BY position DESC LIMIT 1"
            suite.holds(f"forks, {mode}, {label}: its own turns", one(db, last, label), "second of")
        tree = one(db, "SELECT count(*) FROM turn_tree(1 << 24)")
        suite.check(f"forks, {mode}: the tree", tree, one(db, "SELECT count(*) FROM turns"))
        suite.sound(f"forks, {mode}", db)
        db.close()


# ---- Installing at once ---------------------------------------------------------------------


def install_at_once(i, barrier, paths):
    answers = []
    for path in paths:
        db = connect(path, lib, 30)
        barrier.wait()
        answers.append(one(db, "SELECT turnstile_install()"))
        decision = json.loads(one(db, "SELECT session_deliver('s', 'write a report')"))
        answers.append(decision["session"])
        db.close()
    return answers


def test_install():
    rounds = 10
    reference = connect(":memory:", lib)
    version = one(reference, "SELECT turnstile_install()")
    schema = "SELECT group_concat(name || coalesce(sql, ''), char(10)) FROM sqlite_schema"
    for mode in MODES:
        paths = [suite.path(f"install-{mode}-{n}.db") for n in range(rounds)]
        for path in paths:
            db = sqlite3.connect(path, isolation_level=None)
            one(db, f"PRAGMA journal_mode = {mode}")
            db.close()
        answers = in_processes(8, install_at_once, paths)
        suite.check(f"install, {mode}", answers, [[version, "s"] * rounds] * 8)
        for n, path in enumerate(paths):
            db = connect(path, lib)
            what = f"install {n}, {mode}"
            rules = "SELECT count(*) FROM message_rules"
            suite.check(f"{what}: rules", one(db, rules), one(reference, rules))
            uuid = one(db, "SELECT value FROM turnstile_meta WHERE key = 'uuid'")
            ours = one(reference, "SELECT value FROM turnstile_meta WHERE key = 'uuid'")
            expected = one(reference, schema).replace(ours, uuid)
            suite.check(f"{what}: schema", one(db, schema) == expected)
            suite.check(f"{what}: 8 deliveries", one(db, "SELECT count(*) FROM deliveries"), 8)
            db.close()


# ---- Somebody else writes -------------------------------------------------------------------


def hold_lock(path, seconds):
    """Takes the write lock in a thread of its own; returns once it is held."""
    held = threading.Event()

    def run():
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        held.set()
        time.sleep(seconds)
        db.execute("COMMIT")
        db.close()

    thread = threading.Thread(target=run)
    thread.start()
    held.wait()
    return thread


def deliver_f02(i, barrier, path):
    """Process 0 holds the lock, process 1 waits up to 10 s, process 2 does not wait."""
    db = connect(path, lib, (0, 10, 0)[i])
    if i == 0:
        db.execute("BEGIN IMMEDIATE")
        barrier.wait()
        time.sleep(3)
        db.execute("COMMIT")
        return None
    barrier.wait()
    args = (f"f{i}", "write a report", {"message_id": f"m{i}"})
    first = error_of(door, db, "session_deliver", *args)
    sugar = "SELECT session_deliver(?, ?, ?)"
    second = None
    if i == 2:
        second = error_of(one, db, sugar, args[0], args[1], json.dumps(args[2]))
    code = [e and e.sqlite_errorcode for e in (first, second)]
    text = [e and str(e) for e in (first, second)]
    db.close()
    return code, text


def test_busy():
    for mode in MODES:
        path, db = new_file("busy", mode)
        _, waited, refused = in_processes(3, deliver_f02, path)
        suite.check(f"busy, {mode}: with a timeout", waited, ([None, None], [None, None]))
        suite.check(f"busy, {mode}: without", refused[0], [sqlite3.SQLITE_BUSY] * 2)
        for text in refused[1]:
            suite.holds(f"busy, {mode}: message", text, "locked")
        for table in ("sessions", "deliveries", "session_queue", "tasks", "session_events"):
            column = "label" if table == "sessions" else "session_label"
            found = one(db, f"SELECT count(*) FROM {table} WHERE {column} = 'f2'")
            suite.check(f"busy, {mode}: nothing in {table}", found, 0)
        again = json.loads(
            door(db, "session_deliver", "f2", "write a report", {"message_id": "m2"})
        )
        suite.check(f"busy, {mode}: accepted then", again.get("duplicate", False), False)
        suite.check(f"busy, {mode}: task", again["state"], "Running")
        suite.sound(f"busy, {mode}", db)
        db.close()


def test_sugar_in_select():
    """A SELECT that reads the file and calls a command can't wait for the lock; it says so."""
    for mode in MODES:
        path, db = new_file("select", mode)
        db.execute("CREATE TABLE inbox(label, message)")
        db.execute("INSERT INTO inbox VALUES('s', 'write a report')")
        select = "SELECT session_deliver(label, message) FROM inbox"
        holder = hold_lock(path, 0.3)
        impatient = connect(path, lib, 0)
        error = error_of(one, impatient, select)
        suite.check(f"in a SELECT, {mode}: code", error and error.sqlite_errorcode & 0xFF, 5)
        suite.holds(f"in a SELECT, {mode}: message", error, "session_deliver", "without FROM")
        error = error_of(one, impatient, "SELECT session_deliver('s', 'write a report')")
        suite.holds(f"plain, {mode}: message", error, "locked")
        suite.check(f"plain, {mode}: no talk of FROM", "FROM" in str(error), False)
        suite.check(f"in a SELECT, {mode}: nothing", one(db, "SELECT count(*) FROM sessions"), 0)
        holder.join()
        decision = json.loads(one(impatient, select))
        suite.check(f"in a SELECT, {mode}: afterwards", decision["action"], "start")
        if mode == "wal":
            # A snapshot that somebody has written past can't be written from any more.
            impatient.execute("BEGIN")
            one(impatient, "SELECT count(*) FROM inbox")
            db.execute("INSERT INTO inbox VALUES('t', 'something else')")
            error = error_of(one, impatient, "SELECT session_deliver('s', 'shorter')")
            code = error and error.sqlite_errorcode
            suite.check("an old snapshot: code", code, sqlite3.SQLITE_BUSY_SNAPSHOT)
            suite.holds("an old snapshot: message", error, "BEGIN IMMEDIATE")
            suite.check("an old snapshot: the transaction", impatient.in_transaction)
            impatient.execute("ROLLBACK")
        suite.sound(f"in a SELECT, {mode}", db)
        impatient.close()
        db.close()


if __name__ == "__main__":
    suite = Suite("concurrency")
    test_deliveries()
    test_without_timeout()
    test_same_message()
    test_appends()
    test_begin()
    test_queue()
    test_forks()
    test_install()
    test_busy()
    test_sugar_in_select()
    suite.done()
