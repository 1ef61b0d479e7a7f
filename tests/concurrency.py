"""Several processes on one file: concurrency.py BUILDDIR

Each test runs with a rollback journal and with WAL: deliveries to one session and to many, the
same message_id from two sides at once, installing at once, somebody else holding the write lock,
sugar inside a SELECT that already reads. Nothing may be lost, doubled, or refused without saying
why; and the file holds all invariants afterwards.
"""

import json
import multiprocessing
import os
import sqlite3
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

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
    answers = dict(results.get(timeout=120) for _ in processes)
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
            suite.check(f"m{n} ({mode}): the same decision", pair[0], pair[1])
        suite.check(f"same ({mode}): rows", one(db, "SELECT count(*) FROM deliveries"), 40)
        suite.sound(f"same ({mode})", db)
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
    test_install()
    test_busy()
    test_sugar_in_select()
    suite.done()
