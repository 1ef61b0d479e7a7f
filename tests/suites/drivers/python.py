"""The extension in Python's own sqlite3 module: python.py BUILDDIR

What a host would write: load, install, deliver by sugar and by the door, transactions both by hand
and by the module, errors, threads that pass a connection on, closing.
"""

import json
import os
import sqlite3
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402

suite = Suite("driver python")
lib = library(sys.argv[1])
path = suite.path("test.db")

# The module's default: a transaction begins by itself before an INSERT, not before a SELECT.
db = sqlite3.connect(path)
db.enable_load_extension(True)
db.load_extension(lib)
db.enable_load_extension(False)
suite.check("install", one(db, "SELECT turnstile_install()") > 0)
decision = json.loads(one(db, "SELECT session_deliver(?, ?)", "main", "write the report"))
suite.check("sugar", (decision["action"], decision["state"]), ("start", "Running"))
suite.check("sugar is no transaction of the module's", db.in_transaction, False)

decision = json.loads(door(db, "session_deliver", "main", "and make it short"))
suite.check("the door", decision["action"], "continue")
suite.check("the door is one", db.in_transaction)
db.rollback()
suite.check("rollback", one(db, "SELECT count(*) FROM deliveries"), 1)
door(db, "session_deliver", "main", "and make it short")
db.commit()
suite.check("commit", one(db, "SELECT count(*) FROM deliveries"), 2)

with db:
    door(db, "session_note", "main", "in a with block")
suite.check("a with block", one(db, "SELECT count(*) FROM observations WHERE auto = 0"), 1)
try:
    with db:
        door(db, "session_note", "main", "taken back")
        door(db, "session_transition", "main", "Complete", None)
except sqlite3.Error as error:
    suite.holds("an error", error, "session_transition: ", "Running", "Complete")
    suite.check("its class", type(error), sqlite3.IntegrityError)
    suite.check("its code", error.sqlite_errorcode & 0xFF, sqlite3.SQLITE_CONSTRAINT)
suite.check("the block is undone", one(db, "SELECT count(*) FROM observations WHERE auto = 0"), 1)

# Somebody else has the session: a code of its own, which is none of SQLite's, and the class of "busy".
door(db, "turn_begin", "held", "A1", {"messages": [{"role": "user", "content": "go"}]})
try:
    door(db, "turn_begin", "held", "A2")
except sqlite3.Error as error:
    suite.check("busy: its class", type(error), sqlite3.OperationalError)
    suite.check("busy: its code", error.sqlite_errorcode, 21509)
    suite.check("busy: its primary code", error.sqlite_errorcode & 0xFF, sqlite3.SQLITE_BUSY)
else:
    suite.check("busy: an error", False)
suite.check("busy: the transaction goes on", db.in_transaction)
holder = json.loads(one(db, "SELECT session_state('held')"))["holder"]
suite.check("busy: who has it", (holder["owner"], holder["until"] > 0), ("A1", True))
db.rollback()

# A failed command leaves the transaction around it as it was.
door(db, "session_note", "main", "first")
error = error_of(door, db, "session_note", "nobody", "second")
suite.holds("an error inside a transaction", error, "session_note: ", "nobody")
suite.check("the transaction goes on", db.in_transaction)
door(db, "session_note", "main", "third")
db.commit()
suite.check("what worked is kept", one(db, "SELECT count(*) FROM observations WHERE auto = 0"), 3)

# Several commands in one statement, and in executemany (which takes the door, not a SELECT).
db.executemany(
    "INSERT INTO turnstile(command, args) VALUES('session_deliver', ?)",
    [(json.dumps([f"s{i}", "write a poem"]),) for i in range(3)],
)
db.execute("INSERT INTO turnstile SELECT 'session_note', json_array(label, 'x') FROM sessions")
db.commit()
suite.check("in bulk", one(db, "SELECT count(*) FROM sessions"), 4)
suite.check("its notes", one(db, "SELECT count(*) FROM observations WHERE data LIKE '%\"x\"%'"), 4)

# Types: NULL, numbers, text with a NUL, BLOBs, a lone surrogate.
suite.check("NULL", one(db, "SELECT session_state('nobody')"), None)
suite.check("an integer", type(one(db, "SELECT session_note('main', 'n')")), int)
suite.check("changes() after a command", one(db, "SELECT changes()"), 0)
suite.holds("a BLOB", error_of(one, db, "SELECT session_note('main', ?)", b"x"), "a BLOB")
suite.holds("a number", error_of(one, db, "SELECT session_note('main', ?)", 7), "an integer")
db.rollback()

# A function of the host's decides the class.
db.create_function("my_classifier", 4, lambda message, state, task, question: "Clarification")
one(db, "SELECT turnstile_classifier('my_classifier')")
decision = json.loads(one(db, "SELECT session_deliver('main', 'build a shop')"))
suite.check("the classifier", decision["class"], "Clarification")


def broken(*_):
    raise ValueError("no idea")


db.create_function("my_classifier", 4, broken)
before = one(db, "SELECT count(*) FROM deliveries")
error = error_of(one, db, "SELECT session_deliver('main', 'build a shop')")
suite.holds("the classifier fails", error, "session_deliver: ", "my_classifier")
suite.check("and nothing happened", one(db, "SELECT count(*) FROM deliveries"), before)
one(db, "SELECT turnstile_classifier(NULL)")

# A statement that is still being read does not stop a command.
cursor = db.execute("SELECT label FROM sessions")
cursor.fetchone()
decision = json.loads(one(db, "SELECT session_deliver('main', 'and shorter')"))
suite.check("beside an open cursor", "action" in decision)
cursor.fetchall()

# A connection that is used by one thread and then by another.
shared = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
shared.enable_load_extension(True)
shared.load_extension(lib)
answers = []
for _ in range(2):
    worker = threading.Thread(
        target=lambda: answers.append(one(shared, "SELECT session_note('main', 'thread')"))
    )
    worker.start()
    worker.join()
suite.check("threads in turn", [type(a) for a in answers], [int, int])
shared.close()

suite.sound("at the end", db)
db.close()
again = connect(path, lib)
suite.check("a new connection", json.loads(one(again, "SELECT session_state('main')"))["status"],
            "active")
again.close()
suite.done()
