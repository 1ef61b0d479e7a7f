"""Many workers on one file, killed at any moment: stress.py BUILDDIR [PROCESSES MESSAGES SESSIONS]

Each process sends its messages (every one with a message_id, until it is acknowledged) and works:
it begins turns, records output, takes steering, ends turns well or badly, sleeps over its lease,
walks away. The parent kills processes with SIGKILL and starts them again; leases are short, so that
runs are taken over all the time. Every process logs what it did and what was refused.

Afterwards everything is drained, and what must hold is computed from the tables, from the logs and
from the plan of messages, which is known beforehand: nothing is lost or doubled, a session is
executed by one run at a time, tokens only grow, a run that was taken over writes nothing more and
is told by whom, inputs keep their order, threads don't fork.
"""

import collections
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import TURNSTILE_BUSY, Suite, connect, door, library, one  # noqa: E402
from vocabulary import MODES, SOURCE  # noqa: E402

LEASE = 300  # ms, of turn_begin; a turn that a delivery begins has the setting's 1000
PATIENCE = 600  # seconds for everything

# What happens in a session decides which fates its messages may have.
ROLES = ["work", "stop", "work", "choice", "work", "reject", "work", "drop"]
SMALL_QUEUE = 6

TEXTS = ["also log call {}", "make it {} seconds, not five", "use jitter in step {}"]
ANSWERS = ["A", "B", "continue", "start fresh"]


def open_file(path, lib, timeout):
    db = connect(path, lib, timeout)
    # A killed process loses nothing that it has written; only a machine does.
    one(db, "PRAGMA synchronous = OFF")
    return db


def role_of(label):
    return ROLES[int(label[1:]) % len(ROLES)]


# ---- The plan -------------------------------------------------------------------------------


def planned(process, n, sessions):
    """Message n of a process: the same whenever it is asked for."""
    rnd = random.Random(f"{process}/{n}")
    label = f"s{rnd.randrange(sessions)}"
    role = role_of(label)
    options = {"message_id": f"{process}-{n}", "sender": f"p{process}"}
    text = rnd.choice(TEXTS).format(f"{process}.{n}")
    way = rnd.choice(["push", "deliver", "owner"])
    if rnd.random() < 0.3:
        options["source"] = rnd.choice(SOURCE[1:])
    elif way != "push":
        classes = ["Modification", "Response", "Clarification"]
        if role in ("stop", "choice") and rnd.random() < 0.25:
            classes = ["Confirmation", "Abandon"]
        elif role == "choice" and rnd.random() < 0.3:
            classes = ["NewTask", "Unclear"]
        options["class"] = rnd.choice(classes)
        if role == "choice" and rnd.random() < 0.15:
            text = rnd.choice(ANSWERS)
    if rnd.random() < 0.6:
        options["mode"] = rnd.choice(MODES)
    if role != "choice" and rnd.random() < 0.01:
        text = f"/compact keep {process}.{n}"
    return label, text, way, options


# ---- A worker -------------------------------------------------------------------------------


class Refused(Exception):
    """The run was taken over, fenced or swept: its turn is over."""


class Worker:
    def __init__(self, lib, folder, number, messages, sessions):
        self.name = f"w{number}"
        self.number, self.messages, self.sessions = number, messages, sessions
        self.rnd = random.Random(f"{number} {os.getpid()} {time.time()}")
        # Some wait for the lock, the others try again by themselves.
        self.patient = number % 4 == 0
        self.db = open_file(os.path.join(folder, "stress.db"), lib, 60 if self.patient else 0)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self.log = os.open(os.path.join(folder, f"{self.name}.log"), flags, 0o600)
        ack = os.path.join(folder, f"{self.name}.ack")
        self.ack = os.open(ack, flags, 0o600)
        with open(ack, encoding="ascii") as f:
            self.sent = f.read().count("\n")

    def call(self, command, *args):
        """By either door. Returns the result and when the call began and ended."""
        values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
        by_door = self.rnd.random() < 0.5
        sugar = f"SELECT {command}({', '.join('?' * len(args))})"
        began = time.monotonic()
        while True:
            try:
                result = door(self.db, command, *args) if by_door else one(self.db, sugar, *values)
                return result, began, time.monotonic()
            except sqlite3.OperationalError as error:
                code = error.sqlite_errorcode
                if self.patient or code == TURNSTILE_BUSY or code & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                time.sleep(self.rnd.random() * 0.002)
                began = time.monotonic()

    def note(self, kind, run, began, ended, detail=None):
        session, turn, token = run
        line = [kind, session, turn, token, os.getpid(), began, ended, detail]
        os.write(self.log, (json.dumps(line) + "\n").encode())

    # -- Sending

    def send(self):
        label, text, way, options = planned(self.number, self.sent, self.sessions)
        try:
            if way == "push":
                options.pop("class", None)
                self.call("queue_push", label, text, options)
                decision = {}
            else:
                if way == "owner":
                    options["owner"] = self.name
                result, began, ended = self.call("session_deliver", label, text, options)
                decision = json.loads(result)
        except sqlite3.Error as error:
            if "full" not in str(error):
                raise
            decision = {"action": "rejected"}
        if decision.get("action") == "rejected":
            return label  # it is sent again
        os.write(self.ack, f"{self.sent}\n".encode())
        self.sent += 1
        if decision.get("turn"):
            run = decision["turn"]
            self.note("begin", (label, run["turn"], run["token"]), began, ended, 1000)
            self.execute(label, run)
        return label

    # -- Working

    def work(self, label):
        """One turn of what waits. False when there is nothing to do or somebody else does it."""
        options = {"lease": LEASE}
        try:
            result, began, ended = self.call("turn_begin", label, self.name, options)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != TURNSTILE_BUSY:
                raise
            return False
        if result is None:
            return False
        run = json.loads(result)
        self.note("begin", (label, run["turn"], run["token"]), began, ended, LEASE)
        self.execute(label, run)
        return True

    def write(self, run, command, *args):
        """A call of the live run. Its answer says whether somebody interrupts."""
        began = time.monotonic()
        try:
            args = (run[1], run[2], *args) if command != "turn_compact" else args
            result, began, ended = self.call(command, *args)
        except sqlite3.IntegrityError as error:
            self.note("refused", run, began, time.monotonic(), str(error))
            raise Refused from error
        answer = json.loads(result)
        if answer.get("late"):  # the turn has ended: the result is kept, and is no word of the live run
            raise Refused
        self.note("write", run, began, ended, command)
        return answer

    def execute(self, label, begun):
        run = (label, begun["turn"], begun["token"])
        try:
            if any(m.get("action") == "compact" for m in begun["messages"]):
                self.compact(run)
            elif self.record(run):
                self.end(run)
        except Refused:
            pass

    def mine(self, run):
        return f"{self.name} {os.getpid()} {run[2]}"

    def compact(self, run):
        """A compaction, which holds no messages: a summary ends it, or there is none to write."""
        how = self.rnd.random()
        if how < 0.1:
            return  # it walks away
        options = {"turn": run[1], "token": run[2], "keep_turns": self.rnd.randrange(4)}
        if how < 0.2:
            self.write(run, "turn_fail", "the model is down")
        elif how < 0.3:
            self.write(run, "turn_abort", "called off")
        else:
            try:
                self.write(run, "turn_compact", run[0], "What was said before.", options)
            except Refused as refused:
                if "would stand for no turn" not in str(refused.__cause__):
                    raise
                self.write(run, "turn_complete", None)

    def record(self, run):
        """Some output. False: it walks away in the middle."""
        rnd = self.rnd
        for i in range(rnd.choice([0, 1, 1, 2, 3])):
            step, answer = rnd.randrange(5), None
            if rnd.random() < 0.012:
                time.sleep(rnd.uniform(0.6, 2) * LEASE / 1000)
            if step == 0:
                answer = self.write(run, "turn_heartbeat", {"lease": LEASE})
            elif step == 1:
                answer = self.write(run, "turn_phase", "streaming")
            elif step == 2:
                call = f"call-{run[2]}-{i}"
                self.write(run, "turn_tool_call", call, self.mine(run), {"n": i})
                if rnd.random() < 0.85:
                    answer = self.write(run, "turn_tool_result", call, "done")
            else:
                message = {"role": "assistant", "content": self.mine(run)}
                answer = self.write(run, "turn_message", message)
            if answer and answer["steering"] and rnd.random() < 0.8:
                self.write(run, "turn_steering")
        return rnd.random() < 0.985

    def end(self, run):
        how = self.rnd.random()
        if how < 0.86:
            result = {"content": self.mine(run)}
            if self.rnd.random() < 0.3:
                result["outcome"] = self.rnd.choice(["question", "done"])
            self.write(run, "turn_complete", result)
        elif how < 0.93:
            self.write(run, "turn_fail", "the model is down")
        else:
            self.write(run, "turn_abort", "called off", {"keep": self.rnd.randrange(2)})

    def main(self):
        self.call("turnstile_startup", self.name, {"all": 1})  # nobody else has the name
        while self.sent < self.messages:
            label = self.send()
            for _ in range(2):
                self.work(label)
                label = f"s{self.rnd.randrange(self.sessions)}"
        idle = 0
        while idle < 3:
            done = [self.work(f"s{i}") for i in range(self.sessions)]
            idle = 0 if any(done) else idle + 1


# ---- What must hold at any moment -----------------------------------------------------------

# Each is a query for rows that must not exist. They can be read while others write.
RUN_INVARIANTS = [
    (
        "a running turn is some run's",
        "SELECT id FROM turns WHERE status = 'running' AND id NOT IN "
        "(SELECT turn_id FROM session_runs WHERE turn_id IS NOT NULL)",
    ),
    (
        "a run's turn is running, and has a lease",
        "SELECT session_label FROM session_runs AS r WHERE (turn_id IS NULL) <> (expires_at IS "
        "NULL) OR (turn_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns WHERE id = r.turn_id "
        "AND status = 'running'))",
    ),
    (
        "an input in work is in the running turn of its session",
        "SELECT id FROM session_queue AS q WHERE status = 'processing' AND delivered_at IS NULL "
        "AND turn_id IS NOT (SELECT turn_id FROM session_runs "
        "WHERE session_label = q.session_label)",
    ),
    (
        "no input waits that has been in too many turns",
        "SELECT id, attempts FROM session_queue WHERE status = 'pending' AND attempts >= 3",
    ),
    (
        "a head is where the last move led",
        "SELECT label FROM sessions AS s WHERE thread_id IS NOT (SELECT nullif(thread_id, 0) FROM "
        "session_history WHERE session_label = s.label ORDER BY id DESC LIMIT 1)",
    ),
    (
        "a head stands on the path",
        "SELECT label FROM sessions WHERE thread_id IS NOT NULL AND thread_id NOT IN "
        "(SELECT id FROM turns WHERE on_path = 1)",
    ),
]

# These read a lot: they are for the end. No session has been rewound or forked.
CHAIN_INVARIANTS = [
    (
        "a session's moves are a chain of turns",
        "SELECT * FROM (SELECT h.id, h.session_label, t.parent_turn_id AS parent, "
        "lag(h.thread_id) OVER (PARTITION BY h.session_label ORDER BY h.id) AS before "
        "FROM session_history AS h JOIN turns AS t ON t.id = h.thread_id "
        "WHERE h.reason NOT IN ('fork', 'rewind')) WHERE parent IS NOT before",
    ),
    (
        "a turn on the path was moved to once",
        "SELECT t.id FROM turns AS t LEFT JOIN session_history AS h ON h.thread_id = t.id AND "
        "h.reason <> 'fork' WHERE t.on_path = 1 AND t.turn_type = 'normal' GROUP BY t.id "
        "HAVING count(h.id) <> 1",
    ),
    (
        "no fork among normal turns",
        "SELECT parent_turn_id FROM turns WHERE on_path = 1 AND turn_type = 'normal' "
        "AND parent_turn_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
    ),
    (
        "turns of a session begin after one another",
        "SELECT * FROM (SELECT id, session_label, from_state, lag(to_state) OVER (PARTITION BY "
        "session_label ORDER BY id) AS before FROM session_events WHERE axis = 'turn') "
        "WHERE from_state IS NULL AND before NOT IN ('completed', 'failed', 'aborted')",
    ),
    (
        "what has failed says why, and was tried",
        "SELECT id, error, attempts FROM session_queue WHERE status = 'failed' "
        "AND (error IS NULL OR attempts < 1 OR turn_id IS NULL)",
    ),
    (
        "a failed input was tried often enough, or its turn had recorded something",
        "SELECT id, attempts, error FROM session_queue AS q WHERE status = 'failed' "
        "AND attempts < 3 AND NOT EXISTS (SELECT 1 FROM tool_calls "
        "WHERE place BETWEEN q.turn_id << 12 AND q.turn_id << 12 | 4095) "
        "AND NOT EXISTS (SELECT 1 FROM messages WHERE place BETWEEN q.turn_id << 12 "
        "AND q.turn_id << 12 | 4095 AND metadata ->> '$.queue_id' IS NULL)",
    ),
    (
        "what was cancelled says why",
        "SELECT id FROM session_queue WHERE status = 'cancelled' AND error IS NULL",
    ),
]


def violations(db, invariants):
    """All of them in one snapshot: name → rows."""
    db.execute("BEGIN")
    found = {name: db.execute(sql).fetchall()[:5] for name, sql in invariants}
    db.execute("COMMIT")
    return {name: rows for name, rows in found.items() if rows}


# ---- The parent -----------------------------------------------------------------------------


def install(path, lib, sessions):
    db = open_file(path, lib, 60)
    one(db, "PRAGMA journal_mode = WAL")
    one(db, "SELECT turnstile_install()")
    one(db, "SELECT turnstile_config('lease', '1s')")
    for i in range(sessions):
        label = f"s{i}"
        if role_of(label) in ("reject", "drop"):
            own = {"session": label}
            door(db, "turnstile_config", "queue_cap", SMALL_QUEUE, own)
            if role_of(label) == "drop":
                door(db, "turnstile_config", "queue_full", "drop-oldest", own)
            door(db, "turnstile_config", "collect_debounce", 20, own)
    return db


def swarm(suite, db, lib, processes, messages, sessions):
    """All workers until they have sent everything. Returns how often one was killed."""
    rnd, deadline, kills = random.Random(11), time.monotonic() + PATIENCE, 0
    folder = suite.folder.name

    def start(i):
        args = [sys.executable, __file__, "worker", lib, folder, i, messages, sessions]
        return subprocess.Popen([str(a) for a in args], stderr=subprocess.PIPE)

    alive = {i: start(i) for i in range(processes)}
    seen = {}
    while alive and time.monotonic() < deadline:
        time.sleep(rnd.uniform(0.2, 1.5))
        for i, process in list(alive.items()):
            if process.poll() is None:
                continue
            text = process.stderr.read().decode()
            process.stderr.close()
            suite.check(f"worker {i} came to its end", (process.returncode, text), (0, ""))
            del alive[i]
        if alive:
            i = rnd.choice(list(alive))
            alive[i].send_signal(signal.SIGKILL)
            if alive[i].wait() == -signal.SIGKILL:
                kills += 1
                alive[i].stderr.close()
                alive[i] = start(i)
        if rnd.random() < 0.2:
            door(db, "session_sweep")
        for name, rows in violations(db, RUN_INVARIANTS).items():
            seen.setdefault(name, rows)
    for name, _ in RUN_INVARIANTS:
        suite.check(f"at any moment: {name}", seen.get(name, []), [])
    suite.check("all workers were done in time", sorted(alive), [])
    for process in alive.values():
        process.kill()
        process.wait()
        process.stderr.close()
    return kills


def drain(db, sessions):
    """Everything that still waits goes through a turn. Gives the ids that it was told are cancelled."""
    quiet, told = 0, set()
    while quiet < 2:
        quiet += 1
        for i in range(sessions):
            label = f"s{i}"
            choice = one(db, "SELECT session_state(?) ->> '$.pending_choice'", label)
            if choice:
                chosen = json.loads(door(db, "session_choose", label, ("continue", "start_fresh")[i % 2]))
                told |= {c["queue_id"] for c in chosen.get("cancelled", [])}
            while True:
                begun = door(db, "turn_begin", label, "drain")
                if begun is None:
                    break
                run, quiet = json.loads(begun), 0
                compacts = any(m.get("action") == "compact" for m in run["messages"])
                result = None if compacts else {"content": "drain"}
                door(db, "turn_complete", run["turn"], run["token"], result)
        time.sleep(0.03)
    return told


# ---- Looking at what came of it -------------------------------------------------------------


def read_logs(folder, processes):
    lines = []
    for i in range(processes):
        with open(os.path.join(folder, f"w{i}.log"), encoding="utf-8") as f:
            for line in f.read().split("\n")[:-1]:
                kind, session, turn, token, pid, began, ended, detail = json.loads(line)
                lines.append((began, ended, kind, session, turn, token, (f"w{i}", pid), detail))
    return sorted(lines, key=lambda line: line[:2])


def takeovers(db, lines):
    """Turn that failed → who began the next one in the same command, if that is known.

    A turn_begin that finds nothing to do ends a dead run as well: then nobody follows at once."""
    owner = {(line[3], line[4]): line[6][0] for line in lines if line[2] == "begin"}
    sql = """SELECT session_label, data ->> '$.turn', at, id, "trigger" FROM session_events
      WHERE axis = 'turn' AND "trigger" IN ('begin', 'fail') ORDER BY session_label, id"""
    waited = dict(db.execute("SELECT turn_id, min(enqueued_at) FROM session_queue GROUP BY 1"))
    found, before = {}, None
    for event in db.execute(sql).fetchall():
        session, turn, at, _, trigger = event
        if trigger == "begin" and before and before[0] == session and before[4] == "fail":
            if before[2] == at and (session, turn) in owner and waited.get(turn, at) < at:
                found[before[1]] = owner[session, turn]
        before = event
    return found


REFUSALS = re.compile(
    r"^\w+: turn \d+ is (failed|aborted): "
    r"((?P<taken>the lease of '\w+' ran out; ('(?P<new>\w+)'|session_deliver) took over)"
    r"|the run of '\w+' ended: expire"
    r"|(?P<said>.+)); nothing can be added to it$"
)


def check_log(suite, db, lines):
    """What the workers saw: no token twice, no write after somebody else has begun."""
    owners, begins, last = {}, collections.defaultdict(list), {}
    doubled, late, early, backwards, odd, wrong = [], [], [], [], [], []
    named = collections.Counter()
    for began, ended, kind, session, turn, token, who, detail in lines:
        if owners.setdefault((session, token), (who, turn)) != (who, turn):
            doubled.append((session, token, who, owners[session, token]))
        if kind == "begin":
            begins[session].append((token, began, ended, who))
    for session, list_ in begins.items():
        # Of two begins that don't overlap in time, the later one has the greater token.
        for (t1, _, ended, _), (t2, began, _, _) in zip(list_, list_[1:]):
            if began > ended and t2 <= t1:
                backwards.append((session, t1, t2))
    ordered = {session: sorted(list_) for session, list_ in begins.items()}
    takers = takeovers(db, lines)
    for began, ended, kind, session, turn, token, who, detail in lines:
        if kind == "write":
            for other, _, begun, by in ordered[session]:
                if other > token:
                    if began > begun:
                        late.append((session, token, who, other, by, detail))
                    break
        if kind == "refused":
            match = REFUSALS.match(detail)
            if "would stand for no turn" in detail:
                continue
            if not match:
                odd.append(detail)
            elif match["taken"]:
                named[match["new"] or "session_deliver"] += 1
                if ended - last[session, token] < LEASE / 1000 - 0.01:
                    early.append((session, token, ended - last[session, token], detail))
                taker = takers.get(turn)
                if taker and match["new"] and taker != match["new"]:
                    wrong.append((session, token, taker, detail))
            elif match["said"] and role_of(session) not in ("stop", "choice"):
                odd.append(detail)
        last[session, token] = began
    suite.check("each token has one holder", doubled[:5], [])
    suite.check("tokens grow", backwards[:5], [])
    suite.check("nothing is written after somebody else has begun", late[:5], [])
    suite.check("no lease is taken over before its time", early[:5], [])
    suite.check("a refusal names who took over", wrong[:5], [])
    suite.check("nothing else is refused", sorted(set(odd))[:5], [])
    held = dict(db.execute("SELECT session_label, token FROM session_runs"))
    behind = [s for s, list_ in ordered.items() if list_[-1][0] > held.get(s, 0)]
    suite.check("the newest token is the greatest", behind, [])
    return named


def check_output(suite, db):
    """All that a turn has recorded comes from one holder."""
    mixed = collections.defaultdict(set)
    for turn, text in db.execute(
        "SELECT turn_id, content FROM messages WHERE role = 'assistant' AND content <> 'drain' "
        "UNION ALL SELECT turn_id, tool_name FROM tool_calls"
    ):
        mixed[turn].add(text)
    suite.check("a turn's output is of one hand", [t for t in mixed.items() if len(t[1]) > 1], [])


class Fates:
    """Where each message has ended."""

    def __init__(self, db):
        self.turns = collections.defaultdict(list)  # queue id → turns that it was in
        for place, queue_id in db.execute(
            "SELECT place, metadata ->> '$.queue_id' FROM messages WHERE metadata IS NOT NULL"
        ):
            self.turns[queue_id].append(place)
        self.called_off = set(  # when a user has called a session's work off
            db.execute("SELECT session_label, at FROM deliveries WHERE action = 'abandon'")
        )
        self.on_path = {row[0] for row in db.execute("SELECT id FROM turns WHERE on_path = 1")}
        db.row_factory = sqlite3.Row
        self.rows = {row["delivery_id"]: row for row in db.execute("SELECT * FROM session_queue")}
        self.deliveries = db.execute("SELECT * FROM deliveries").fetchall()
        db.row_factory = None
        self.cancelled = {
            row[0]
            for row in db.execute(
                "SELECT c.value ->> '$.queue_id' FROM deliveries, "
                "json_each(decision, '$.cancelled') AS c WHERE decision LIKE '%\"cancelled\"%'"
            )
        }
        notes = db.execute("SELECT data ->> '$.text' FROM observations WHERE auto = 1")
        self.notes = "\n".join(row[0] for row in notes)

    def of(self, delivery):
        row, role = self.rows.get(delivery["id"]), role_of(delivery["session_label"])
        if row is None:
            return self.without_row(delivery, role)
        places = self.turns[row["id"]]
        kept = [p for p in places if p >> 12 in self.on_path]
        if len(kept) > 1:
            return "BAD: in two turns of the path"
        compacts = row["message"].startswith("/compact ")
        if row["status"] == "delivered":
            return "compacted" if compacts else self.delivered(row, role, places, kept)
        if row["status"] == "failed":
            return "failed" if compacts or places and not kept else "BAD: failed without a turn"
        if row["status"] == "cancelled" and row["error"].startswith("stopped: "):
            return "stopped"
        if row["status"] == "cancelled":
            if kept:
                return "BAD: cancelled after it was worked on"
            if row["id"] not in self.cancelled:
                return "BAD: cancelled, and nobody was told"
            return "cancelled" if role != "work" and role != "reject" else "BAD: cancelled"
        return f"BAD: {row['status']} for ever"

    def delivered(self, row, role, places, kept):
        if kept:
            return "in a turn"
        if row["turn_id"]:
            # Its run was called off by a user.
            return "called off" if role in ("stop", "choice") else "BAD: in no turn that counts"
        if row["class"] in ("Confirmation", "Abandon") and role in ("stop", "choice"):
            return "settled"
        if (row["session_label"], row["delivered_at"]) in self.called_off:
            return "called off"
        return "BAD: handed over, and in no turn"

    def without_row(self, delivery, role):
        if role not in ("stop", "choice"):
            return "BAD: gone"
        if delivery["class"] in ("Confirmation", "Abandon"):
            return delivery["action"]
        if role == "choice" and delivery["message"] in ANSWERS:
            return "an answer"
        if role == "choice" and delivery["message"] in self.notes:
            return "noted"
        if role == "choice" and (delivery["action"], delivery["class"]) == ("prompt", "Unclear"):
            return "asked again"  # another choice was open, and stayed
        return "BAD: gone"


def check_fates(suite, db, processes, messages, sessions, told):
    expected = {}
    for process in range(processes):
        for n in range(messages):
            label, text, _, options = planned(process, n, sessions)
            expected[label, options["sender"], options["message_id"]] = text
    fates = Fates(db)
    fates.cancelled |= told
    found = {
        (d["session_label"], d["sender"], d["message_id"]): d["message"] for d in fates.deliveries
    }
    suite.check("deliveries", len(fates.deliveries), len(expected))
    suite.check("deliveries as they were sent", found == expected)
    ends, examples = collections.Counter(), {}
    for delivery in fates.deliveries:
        end = fates.of(delivery)
        ends[end] += 1
        examples.setdefault(end, delivery["decision"])
    for end, count in sorted(ends.items()):
        example = examples[end] if end.startswith("BAD") else ""
        suite.check(f"fate: {end}", (count, example) if example else 0, 0)
    suite.check("some are in a turn", ends["in a turn"] > 0)
    attempts = [
        (r["id"], r["attempts"], len(fates.turns[r["id"]]))
        for r in fates.rows.values()
        if len(fates.turns[r["id"]]) > r["attempts"]
    ]
    suite.check("every attempt is counted", attempts[:5], [])
    return ends


def check_order(suite, db):
    """Inputs that don't overtake go into turns in the order in which they came."""
    sql = """SELECT q.session_label, q.id, b.id FROM session_queue AS q
      JOIN (SELECT id, data ->> '$.turn' AS turn FROM session_events
            WHERE axis = 'turn' AND "trigger" = 'begin') AS b ON b.turn = q.turn_id
      WHERE (q.mode IS NULL OR q.mode IN ('queue', 'followup', 'collect'))
        AND q.message NOT LIKE '/compact%' AND q.rank >= 0 -- what was tried before stands in front
      ORDER BY q.session_label, b.id, q.id"""
    flips, before = [], (None, 0, 0)
    for session, id, begun in db.execute(sql):
        if session == before[0] and id < before[1]:
            flips.append((session, id, begun, "after", before[1:]))
        before = (session, id, begun)
    suite.check("order among inputs never flips", flips[:5], [])


def check_threads(suite, db, sessions):
    for i in range(sessions):
        moves = [
            row[0]
            for row in db.execute(
                "SELECT thread_id FROM session_history WHERE session_label = ? ORDER BY id",
                (f"s{i}",),
            )
        ]
        path = [row[0] for row in db.execute("SELECT turn_id FROM turn_path(?)", (f"s{i}",))]
        suite.check(f"s{i}: the path is what the head has moved along", path == moves)
        pairs = collections.Counter(
            row[0] for row in db.execute(
                "SELECT tool_call_id || iif(kind = 'tool_call', '', ' r') FROM session_context(?) "
                "WHERE kind IN ('tool_call', 'tool_result')", (f"s{i}",))
        )
        open_ = [k for k in pairs if not k.endswith(" r") and pairs[k] != pairs[k + " r"]]
        suite.check(f"s{i}: every call in the context has its result", open_, [])


def check_retry(suite, db, sessions):
    """What has failed can be tried again."""
    failed = [
        row[0]
        for row in db.execute("SELECT id FROM session_queue WHERE status = 'failed' LIMIT 20")
    ]
    for id in failed:
        door(db, "queue_retry", id)
    drain(db, sessions)
    marks = ", ".join("?" * len(failed))
    sql = f"SELECT DISTINCT status, attempts FROM session_queue WHERE id IN ({marks})"
    suite.check("tried again: delivered", db.execute(sql, failed).fetchall(), [("delivered", 1)])


def main(build, processes=8, messages=2000, sessions=16):
    suite = Suite("stress")
    lib = library(build)
    began = time.monotonic()
    db = install(suite.path("stress.db"), lib, sessions)
    kills = swarm(suite, db, lib, processes, messages, sessions)
    swarmed = time.monotonic()
    time.sleep(1.1)  # every lease is over
    told = drain(db, sessions)
    suite.sound("in the end", db)
    for name, sql in RUN_INVARIANTS + CHAIN_INVARIANTS:
        suite.check(f"in the end: {name}", db.execute(sql).fetchall()[:5], [])
    lines = read_logs(suite.folder.name, processes)
    named = check_log(suite, db, lines)
    check_output(suite, db)
    ends = check_fates(suite, db, processes, messages, sessions, told)
    check_order(suite, db)
    check_threads(suite, db, sessions)
    check_retry(suite, db, sessions)
    if os.environ.get("STRESS_KEEP"):
        db.execute("VACUUM INTO ?", (os.environ["STRESS_KEEP"],))
    if processes * messages >= 2000:
        # A run in which nothing went wrong has tested nothing.
        suite.check("processes were killed", kills > 0)
        suite.check("runs were taken over and told so", sum(named.values()) > 0)
        suite.check("some have failed", ends["failed"] > 0)
        suite.check("some were cancelled", ends["cancelled"] > 0)
    turns = one(db, "SELECT count(*) FROM turns")
    print(
        f"{processes * messages} messages, {turns} turns, {kills} kills, "
        f"{sum(named.values())} late writes refused, "
        f"{swarmed - began:.0f} + {time.monotonic() - swarmed:.0f} s; "
        + ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    )
    db.close()
    suite.done()


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        Worker(sys.argv[2], sys.argv[3], *(int(a) for a in sys.argv[4:])).main()
    else:
        main(sys.argv[1], *(int(a) for a in sys.argv[2:]))
