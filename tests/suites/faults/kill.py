"""Processes killed at any moment: kill.py BUILDDIR [rounds]

A child delivers messages and does the work around them in a loop; between them it executes turns,
message by message. Once the database has answered, it writes to a pipe what was done: a message's
id, or a line of a turn. The parent kills it with SIGKILL after a random time, opens the file, and
looks: what was acknowledged is there, pairs sent in one transaction are there together or not at
all, finished turns are whole, and every invariant holds. Then somebody else takes over the turn
that the child had begun: it fails, with all that it had recorded. Half of the rounds use WAL, half
a rollback journal.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402
from vocabulary import CLASS  # noqa: E402

LEASE = 60_000
taken_over = []

WORDS = ["add a chart", "make it shorter", "what is left to do?", "yes", "stop", "build a shop"]
CLASSES = [word for word in CLASS if word != "Unclear"]


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

    def tell(what, turn, **more):
        os.write(1, (json.dumps({"did": what, "turn": turn, **more}) + "\n").encode())

    def compact(label, name, options):
        """A summary, unless all that the context shows would be kept."""
        try:
            made = json.loads(door(db, "turn_compact", label, f"sum {name}", options))
        except sqlite3.IntegrityError as error:
            if "would stand for no turn" not in str(error):
                raise
            return
        tell("compact", made["turn"])

    def turn(label, name):
        """A turn of a few steps. Each line that is told is durable by then."""
        said = [{"role": "user", "content": f"{name} go"}]
        options = {"messages": said, "lease": LEASE, "external_id": name}
        begun = json.loads(door(db, "turn_begin", label, f"p{seed}", options))
        live = begun["turn"], begun["token"]
        tell("begin", live[0], place=0, text=f"{name} go")
        for step in range(rnd.randrange(6)):
            text = f"{name} {step} " + "x" * rnd.randrange(3000)
            kind = rnd.randrange(4)
            if kind < 2:
                message = {"role": "assistant", "content": text}
                place = json.loads(door(db, "turn_message", *live, message))["sequence"]
                tell("message", live[0], place=place, text=text)
            elif kind == 2:
                call = door(db, "turn_tool_call", *live, f"k{step}", "ls", {"n": text})
                place = json.loads(call)["sequence"]
                tell("call", live[0], place=place)
                if rnd.random() < 0.7:
                    door(db, "turn_tool_result", *live, f"k{step}", text)
                    tell("result", live[0], place=place, text=text)
            else:
                door(db, "turn_heartbeat", *live)
        how = rnd.choice(["turn_complete"] * 6 + ["turn_fail", "turn_abort", "turn_compact"])
        if how == "turn_compact" and not begun["parent"]:
            how = "turn_complete"  # nothing lies above a first turn
        if how == "turn_compact":
            options = {"turn": live[0], "token": live[1], "keep_turns": rnd.randrange(3)}
            compact(label, name, options)
            how = "turn_complete"
        rest = {"content": f"{name} end"} if how == "turn_complete" else "enough"
        ended = json.loads(door(db, how, *live, rest))
        tell("end", live[0], status=ended["status"], text=f"{name} end")

    def tree(label, name):
        """Whole turns, forks and compactions, each one command."""
        if rnd.random() < 0.7:
            said = [{"role": "assistant", "content": f"{name} {i}"} for i in range(3)]
            tell("append", door(db, "turn_append", label, said, {"external_id": name}), text=name)
            return
        head = one(db, "SELECT thread_id FROM sessions WHERE label = ?", label)
        if head and rnd.random() < 0.5:
            door(db, "session_fork", head, f"fork {name}")
            tell("fork", head, label=f"fork {name}")
        elif head:
            compact(label, name, {"keep_turns": rnd.randrange(3)})

    while True:
        n += 1
        if n % 3 == 0:
            turn(f"t{rnd.randrange(4)}", f"{seed}-{n}")
            continue
        if n % 7 == 0:
            tree(f"t{rnd.randrange(4)}", f"{seed}-{n}")
            continue
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


def check_told(suite, what, db, told):
    """Every line of the turns against the file."""
    missing = []
    for line in map(json.loads, told):
        turn, did = line["turn"], line["did"]
        row = db.execute("SELECT status, on_path FROM turns WHERE id = ?", (turn,)).fetchone()
        place = turn << 12 | line.get("place", 0)
        text = line.get("text")
        content = one(db, "SELECT content FROM messages WHERE place = ?", place)
        if row is None:
            ok = False
        elif did in ("begin", "message"):
            ok = content == text
        elif did in ("call", "result"):
            found = db.execute("SELECT status, result FROM tool_calls WHERE place = ?", (place,))
            ok = (found.fetchone() or (None,))[: 1 if did == "call" else 2] in (
                ("pending",),
                ("completed",),
                ("completed", text),
            )
        elif did == "end":
            last = "SELECT content FROM messages WHERE place >> 12 = ? ORDER BY place DESC LIMIT 1"
            ok = row[0] == line["status"]
            if ok and row[0] == "completed":
                ok = row[1] == 1 and one(db, last, turn) == text
        elif did == "append":
            many = "SELECT group_concat(content) FROM messages WHERE place >> 12 = ?"
            ok = one(db, many, turn) == ",".join(f"{text} {i}" for i in range(3))
        elif did == "fork":
            ok = (
                one(db, "SELECT parent_turn_id FROM sessions WHERE label = ?", line["label"])
                == turn
            )
        else:
            ok = one(db, "SELECT 1 FROM compactions WHERE turn_id = ?", turn) == 1
        if not ok:
            missing.append(line)
    suite.check(f"{what}: lost of turns", missing[:3], [])


def take_over(suite, what, db):
    """What the dead process had begun: the next begin, once the lease is over, fails it."""
    later = one(db, "SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 + ?", 2 * LEASE)
    runs = "SELECT session_label, turn_id, token FROM session_runs WHERE turn_id IS NOT NULL"
    for label, turn, token in db.execute(runs).fetchall():
        held = (
            "SELECT (SELECT count(*) FROM messages WHERE place >> 12 = ?1) + "
            "(SELECT count(*) FROM tool_calls WHERE place >> 12 = ?1)"
        )
        before = one(db, held, turn)
        said = {"messages": [{"role": "user", "content": "who is there?"}]}
        early = error_of(door, db, "turn_begin", label, "next", said)
        suite.holds(f"{what}: the lease holds", early, "is busy")
        begun = json.loads(door(db, "turn_begin", label, "next", {**said, "now": later}))
        row = db.execute("SELECT status, on_path FROM turns WHERE id = ?", (turn,)).fetchone()
        suite.check(f"{what}: an unfinished turn fails", row, ("failed", 0))
        suite.check(f"{what}: what it recorded stays", one(db, held, turn), before)
        late = error_of(door, db, "turn_complete", turn, token, {"content": "too late"})
        suite.holds(f"{what}: its token is dead", late, "took over")
        suite.check(f"{what}: tokens grow", begun["token"] > token)
        door(db, "turn_complete", begun["turn"], begun["token"], {"content": "me"})
        taken_over.append(turn)


def main(build, rounds):
    suite = Suite("kill")
    lib = library(build)
    acknowledged = {"wal": [], "delete": []}
    told = {"wal": [], "delete": []}
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
        lines = text[: text.rfind("\n") + 1].splitlines()
        acknowledged[mode] += [line for line in lines if line[0] != "{"]
        told[mode] += [line for line in lines if line[0] == "{"]
        db = connect(path, lib)
        suite.sound(f"round {i} ({mode})", db)
        check_told(suite, f"round {i} ({mode})", db, told[mode])
        take_over(suite, f"round {i} ({mode})", db)
        suite.sound(f"round {i} ({mode}), taken over", db)
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
            told[mode] = []
        db.close()
    suite.check("some turns were left unfinished", len(taken_over) > rounds // 20)
    suite.done()


if sys.argv[1] == "child":
    child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 120)
