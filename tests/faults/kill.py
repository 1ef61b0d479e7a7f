"""Processes killed at any moment: kill.py BUILDDIR [rounds]

A child delivers messages and does the work around them in a loop. It writes a message's id to a
pipe once the database has answered. The parent kills it with SIGKILL after a random time, opens
the file, and looks: what was acknowledged is there, pairs sent in one transaction are there
together or not at all, and every invariant holds. Half of the rounds use WAL, half a rollback
journal.
"""

import os
import random
import signal
import subprocess
import sys
import time

from harness import Suite, connect, door, library, one

WORDS = ["add a chart", "make it shorter", "what is left to do?", "yes", "stop", "build a shop"]
CLASSES = ["Response", "Modification", "NewTask", "Clarification", "Confirmation", "Abandon"]


def child(path, lib, seed):
    rnd = random.Random(seed)
    db = connect(path, lib, 30)
    n = 0

    def deliver(label, id):
        options = {"message_id": id}
        if rnd.random() < 0.7:
            options["class"] = rnd.choice(CLASSES)
        door(db, "session_deliver", label, rnd.choice(WORDS), options)

    def work(label):
        state = one(db, "SELECT session_state(?) ->> '$.task_state'", label)
        if state in (None, "None"):
            return
        door(db, "session_observe", label, "FileWrite", '{"path":"a"}', rnd.choice(WORDS) * 200)
        step = rnd.randrange(6)
        if step == 0 and state == "Running":
            door(db, "session_transition", label, "AwaitingUser", {"question": "Which?"})
        elif step == 1 and state == "Running":
            door(db, "session_transition", label, "PendingComplete", {"summary": "done"})
        elif step == 2:
            door(db, "session_flush", label)
        elif step == 3:
            door(db, "session_compact", label)
        elif step == 4:
            one(db, "SELECT session_recover(?)", label)

    while True:
        n += 1
        label = f"s{rnd.randrange(5)}"
        if n % 5 == 0:
            db.execute("BEGIN IMMEDIATE")
            deliver(label, f"{seed}-{n}-a")
            deliver(label, f"{seed}-{n}-b")
            db.execute("COMMIT")
            os.write(1, f"{seed}-{n}-a\n{seed}-{n}-b\n".encode())
        else:
            deliver(label, f"{seed}-{n}")
            os.write(1, f"{seed}-{n}\n".encode())
        work(label)


def main(build, rounds):
    suite = Suite("kill")
    lib = library(build)
    acknowledged = {"wal": [], "delete": []}
    for mode in acknowledged:
        db = connect(suite.path(mode), lib)
        one(db, f"PRAGMA journal_mode = {mode}")
        one(db, "SELECT turnstile_install()")
        db.close()
    rnd = random.Random(20)
    for i in range(rounds):
        mode = ("wal", "delete")[i % 2]
        path = suite.path(mode)
        process = subprocess.Popen(
            [sys.executable, __file__, "child", path, lib, str(i)], stdout=subprocess.PIPE
        )
        first = os.read(process.stdout.fileno(), 65536)
        time.sleep(rnd.random() * 0.03)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
        process.wait()
        process.stdout.close()
        suite.check(f"round {i}: the child was at work", process.returncode, -signal.SIGKILL)
        text = (first + rest).decode()
        acknowledged[mode] += text[: text.rfind("\n") + 1].split()
        db = connect(path, lib)
        suite.sound(f"round {i} ({mode})", db)
        seen = {row[0] for row in db.execute("SELECT message_id FROM deliveries")}
        suite.check(f"round {i}: lost", [m for m in acknowledged[mode] if m not in seen], [])
        halves = [m for m in seen if m.endswith("-a") and m[:-1] + "b" not in seen]
        halves += [m for m in seen if m.endswith("-b") and m[:-1] + "a" not in seen]
        suite.check(f"round {i}: half a transaction", halves, [])
        # Files grow, and with them each look: a new pair of files now and then.
        if i % 40 >= 38:
            db.close()
            for tail in ("", "-wal", "-shm", "-journal"):
                if os.path.exists(path + tail):
                    os.remove(path + tail)
            db = connect(path, lib)
            one(db, f"PRAGMA journal_mode = {mode}")
            one(db, "SELECT turnstile_install()")
            acknowledged[mode] = []
        db.close()
    suite.done()


if sys.argv[1] == "child":
    child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 120)
