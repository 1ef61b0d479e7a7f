"""Ids are given out once: ids.py BUILDDIR [SEED]

Sessions come and go, most of them the newest ones. Whatever was numbered before - inputs, deliveries,
tasks, observations, edges, commits, events, moves of heads, branches, tokens, names that the library
makes - is never numbered so again: not after a delete, an import over a session, a VACUUM, a dump that
was read back, a rollback, an upgrade. A late call that names an id of old finds nothing.
"""

import json
import os
import random
import shutil
import sqlite3
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, error_of, library, one  # noqa: E402
from situations import call, said  # noqa: E402

suite = Suite("ids")
lib = library(sys.argv[1])
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 11

NUMBERED = {
    "tasks": "id",
    "observations": "id",
    "edges": "id",
    "commits": "seq",
    "session_events": "id",
    "session_history": "id",
    "deliveries": "id",
    "session_queue": "id",
    "branches": "id",
    "turns": "id",
}
NOTES = (
    "SELECT key, value FROM turnstile_meta WHERE key > 'last_branch' AND key < 'last_~' "
    "AND key <> 'last_token'"
)


def ids_of(db, table):
    return {row[0] for row in db.execute(f"SELECT {NUMBERED[table]} FROM {table}")}


def covered():
    """No table with an integer key of its own is forgotten."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    found = set()
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        keys = [r for r in db.execute(f"PRAGMA table_info({table})") if r[5]]
        if len(keys) == 1 and keys[0][2] == "INTEGER":
            found.add(table)
    # By a turn and a place in it; written by people, in plain SQL.
    others = {"messages", "tool_calls", "compactions", "message_rules", "session_policies"}
    suite.check("tables whose rows are numbered", found ^ others, set(NUMBERED))


class World:
    """A file, the ids that it has given out, and somebody who does one thing after another."""

    def __init__(self, r):
        self.r = r
        self.db = connect(":memory:", lib)
        uuid = json.dumps({"uuid": "00000000-0000-4000-8000-000000000001"})
        one(self.db, "SELECT turnstile_install(?)", uuid)
        call(self.db, "turnstile_clock", 1_700_000_000_000)
        self.highest = dict.fromkeys(NUMBERED, 0)
        self.there = {table: set() for table in NUMBERED}
        self.tokens = {}
        self.names = set()
        self.next = 0
        self.documents = []

    def labels(self):
        rows = self.db.execute(
            "SELECT label FROM sessions WHERE superseded_by IS NULL ORDER BY created_at, label"
        )
        return [row[0] for row in rows]

    def some(self):
        labels = self.labels()
        return self.r.choice(labels[-6:]) if labels and self.r.random() < 0.8 else f"s{self.r.randrange(9)}"

    def look(self, what):
        for table in NUMBERED:
            now = ids_of(self.db, table)
            came = now - self.there[table]
            if table == "turns":  # they grow in branches: an id is new as long as it was not there
                again = came & self.highest_turns if hasattr(self, "highest_turns") else set()
                self.highest_turns = getattr(self, "highest_turns", set()) | now
            else:
                again = {i for i in came if i <= self.highest[table]}
                self.highest[table] = max(now | {self.highest[table]})
            if again:
                suite.check(f"{what}: {table} given out again", sorted(again)[:3], [])
            self.there[table] = now

    def token(self, label, token):
        """Tokens of a label grow, also over its deletion."""
        if token <= self.tokens.get(label, 0):
            suite.check(f"token of {label}", token, f"more than {self.tokens[label]}")
        self.tokens[label] = token

    def name(self, label):
        if label in self.names:
            suite.check("a name that was made", label, "a new one")
        self.names.add(label)

    # What can be done.

    def deliver(self):
        self.next += 1
        word = self.r.choice(("NewTask", "NewTask", "Modification", "Response"))
        options = {"class": word, "message_id": f"m{self.next}"}
        if self.r.random() < 0.3:
            options["owner"] = "w"
        label = self.some()
        answer = json.loads(call(self.db, "session_deliver", label, f"do {self.next}", options))
        if answer.get("turn"):
            self.token(answer["session"], answer["turn"]["token"])
            if self.r.random() < 0.7:
                turn, token = answer["turn"]["turn"], answer["turn"]["token"]
                outcome = {"content": "ok", "outcome": self.r.choice(("done", "more"))}
                if self.r.random() < 0.3:
                    call(self.db, "turn_fail", turn, token, "broken")
                else:
                    outcome.pop("outcome") if outcome["outcome"] == "more" else None
                    call(self.db, "turn_complete", turn, token, outcome)

    def begin(self):
        label = self.some()
        begun = call(self.db, "turn_begin", label, "w", {"messages": said("x")[:1]})
        begun = json.loads(begun)
        self.token(begun["session"], begun["token"])
        call(self.db, "turn_complete", begun["turn"], begun["token"], {"content": "fine"})

    def run(self):
        call(self.db, "session_run", self.some(), "w", "starting")

    def work(self):
        label = self.some()
        call(self.db, "session_note", label, "noted")
        call(self.db, "session_relate", label, {"file": "a"}, "About", {"task": "1"})

    def append(self):
        call(self.db, "turn_append", self.some(), said("y"))

    def compact(self):
        call(self.db, "session_compact", self.some(), "done with")

    def fork(self):
        turn = one(self.db, "SELECT thread_id FROM sessions WHERE thread_id IS NOT NULL ORDER BY random_order(label)")
        if turn:
            self.name(call(self.db, "session_fork", turn))

    def spawn(self):
        self.name(call(self.db, "session_spawn", self.some(), "look for it"))

    def delete(self):
        labels = self.labels()
        if labels:
            label = labels[-1] if self.r.random() < 0.6 else self.r.choice(labels)
            call(self.db, "session_delete", label, {"force": 1})

    def take_back(self):
        """A delete, and work behind it, that never happened."""
        before = [self.there[t] for t in NUMBERED], dict(self.highest)
        turns, tokens, names = set(self.highest_turns), dict(self.tokens), set(self.names)
        self.db.execute("BEGIN")
        self.delete()
        error_of(self.deliver)
        error_of(self.spawn)
        self.db.execute("ROLLBACK")
        self.highest, self.highest_turns, self.tokens, self.names = before[1], turns, tokens, names

    def keep(self):
        labels = [row[0] for row in self.db.execute("SELECT label FROM sessions WHERE origin <> 'subagent' AND superseded_by IS NULL")]
        if labels:
            label = self.r.choice(labels)
            document = [None]
            if error_of(lambda: document.insert(0, call(self.db, "session_export", label))) is None:
                self.documents.append((label, document[0]))

    def bring(self):
        if self.documents:
            label, document = self.r.choice(self.documents)
            options = {"replace": 1} if self.r.random() < 0.7 else {"label": f"i{self.next}"}
            one(self.db, "SELECT session_import(?, ?)", document, json.dumps(options))

    def vacuum(self):
        self.db.execute("VACUUM")

    def restore(self):
        """A dump, read into a new file."""
        sql = "\n".join(self.db.iterdump())
        db = connect(":memory:", lib)
        db.executescript(sql)
        call(db, "turnstile_clock", 1_700_000_000_000)
        db.create_function("random_order", 1, hash_of)
        self.db.close()
        self.db = db

    def step(self):
        acts = (
            [self.deliver] * 8 + [self.work] * 3 + [self.append] * 2 + [self.begin] * 3
            + [self.run, self.compact, self.fork, self.spawn, self.keep, self.bring]
            + [self.delete] * 5 + [self.take_back] * 2
        )
        act = self.r.choice(acts)
        if self.r.random() < 0.02:
            act = self.r.choice((self.vacuum, self.restore))
        error = error_of(act)
        done[act.__name__] = done.get(act.__name__, 0) + (error is None)
        self.look(act.__name__)


def hash_of(text):
    return sum(ord(ch) * 31 for ch in text) % 101


done = {}


def walk():
    r = random.Random(seed)
    for n in range(6):
        world = World(r)
        world.db.create_function("random_order", 1, hash_of)
        world.highest_turns = set()
        for i in range(300):
            world.step()
            if i % 25 == 0:
                suite.sound(f"world {n}, step {i}", world.db, deleted=True)
        suite.check(f"world {n}: ids were given out", world.highest["session_events"] > 200)
    for name in ("deliver", "work", "begin", "append", "run", "compact", "fork", "spawn", "delete",
                 "take_back", "keep", "bring", "vacuum", "restore"):
        suite.check(f"{name} was done", done.get(name, 0) > 0)


def late_calls():
    """What the issue of a number was good for."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    call(db, "session_deliver", "a", "first", {"class": "NewTask"})
    gone = json.loads(call(db, "session_deliver", "b", "second", {"class": "NewTask"}))
    last = one(db, "SELECT max(id) FROM session_events")
    call(db, "session_delete", "b")
    notes = dict(db.execute(NOTES).fetchall())
    suite.check("what is noted", notes, {"last_task": 2, "last_event": last, "last_delivery": 2, "last_input": 2})
    kept = json.loads(call(db, "session_deliver", "c", "third", {"class": "NewTask"}))
    suite.check("another input", (gone["queue_id"], kept["queue_id"]), (2, 3))
    suite.holds("a late cancel", error_of(call, db, "queue_cancel", 2), "there is no input 2")
    suite.check("a reader behind the last event", one(db, "SELECT min(id) FROM session_events WHERE id > ?", last), last + 1)
    suite.check("and misses none", one(db, "SELECT count(*) FROM session_events WHERE session_label = 'c' AND id <= ?", last), 0)
    suite.check("the notes have gone", db.execute(NOTES).fetchall(), [])
    call(db, "session_delete", "a")
    suite.check("nothing newest went, nothing is noted", db.execute(NOTES).fetchall(), [])
    # What plain SQL has made of a note is no id.
    for value in ("x", -5, 2**62, None, 1.5):
        db.execute("REPLACE INTO turnstile_meta VALUES ('last_input', ?)", (value,))
        answer = json.loads(call(db, "session_deliver", "c", "fourth", {"class": "Modification"}))
        suite.check(f"a note of {value}", answer["queue_id"] < 20)
    db.execute("REPLACE INTO turnstile_meta VALUES ('last_input', 2)")
    before = one(db, "SELECT max(id) FROM session_queue")
    answer = json.loads(call(db, "session_deliver", "c", "fifth", {"class": "Modification"}))
    suite.check("a note below the newest", answer["queue_id"], before + 1)
    suite.check("is dropped", db.execute(NOTES).fetchall(), [])


def upgraded():
    """Files of older versions do the same from then on."""
    for version in (1, 2, 3, 4):
        path = suite.path(f"v{version}.db")
        shutil.copy(os.path.join(here, "..", "data", f"schema_v{version}.db"), path)
        db = connect(path, lib)
        try:
            one(db, "SELECT turnstile_install()")
        except sqlite3.Error:
            one(db, 'SELECT turnstile_install(\'{"foreign":1}\')')
        call(db, "session_deliver", "new", "first", {"class": "NewTask"})
        before = {t: max(ids_of(db, t) | {0}) for t in NUMBERED}
        call(db, "session_delete", "new", {"force": 1})
        call(db, "session_deliver", "newer", "second", {"class": "NewTask"})
        for table in ("tasks", "session_events", "deliveries", "session_queue"):
            suite.check(f"version {version}: {table}", max(ids_of(db, table)) > before[table])
        db.close()


covered()
walk()
late_calls()
upgraded()
suite.done()
