#!/usr/bin/python3
"""sweep_model.py BUILDDIR [WALKS] - session_sweep on random databases.

What a dry run says is what the sweep then does, whatever has come together: tasks left behind,
stale and dropped ones, choices with a held message, workers and their parents, turns in the middle,
leases that ran out, runs that nobody tends, settings of one session, small limits. And a dry run
leaves no trace, wherever it is called; no session is archived with a turn that runs.
"""
import collections
import json
import os
import random
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
from harness import Suite, Tally, connect, door, error_of, library, one  # noqa: E402
from vocabulary import CLASS, commands  # noqa: E402

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
LABELS = ["a", "b", "c", "dm:tg:1", "dm:mail:1", "group:x", "a/worker"]
KINDS = ["tasks_committed", "sessions_compacted", "tasks_dropped", "sessions_archived",
         "leases_expired", "runs_stopped", "requests_dropped", "workers_timed_out"]


# What a session becomes stale by, is at work by, or is kept by.
COMMANDS = commands("session turn deliver identity",
                    # Of kinds that make no difference to a sweep one is walked: notes, ends of a turn, ways back to work.
                    but="""session_observe session_relate session_flush session_resume session_reopen session_compact
                    session_fork session_rewind session_stop session_report session_choose identity_unlink
                    turn_abort turn_append turn_compact turn_compact_begin turn_heartbeat turn_phase turn_steering
                    turn_tool_call turn_tool_result turnstile_startup queue_cancel queue_front queue_retry
                    delivery_classify delivery_correct""")


class Walk:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.db = connect(":memory:", lib)
        self.now = 1_000 * DAY
        self.runs = []  # (turn, token)
        self.done = collections.Counter()
        one(self.db, "SELECT turnstile_install()")

    def call(self, command, *args, **options):
        """What a command returns; None when it is refused, as many of a random walk are."""
        options["now"] = self.now
        try:
            result = door(self.db, command, *args, options)
            self.done[command] += 1
            tally.add(command, (*args, options))
            return result
        except Exception as error:
            assert command in str(error), f"{command}{args}: {error}"
            tally.add(command, (*args, options), error)
            return None

    def step(self):
        r = self.r
        label = r.choice(LABELS)
        self.now += r.choice([0, 1000, MINUTE, 10 * MINUTE, 3 * HOUR, DAY, 4 * DAY])
        turn = r.choice(self.runs) if self.runs else (1, 1)
        what = r.randrange(20)
        if what < 3:
            self.call("session_start", label, f"task {self.now}")
        elif what < 5:
            self.call("session_note", label, "read it")
        elif what < 8:
            self.call("session_deliver", label, r.choice(["write it", "yes", "b", "thanks"]),
                      source=r.choice(["user", "user", "timer", "agent"]),
                      **({"class": r.choice(CLASS)} if r.random() < 0.8 else {}))
        elif what == 8:
            self.call("session_transition", label, "PendingComplete", {"summary": "ready"})
            if r.random() < 0.7:
                self.call("session_transition", label, "Complete")
        elif what == 9:
            self.call("session_transition", label, "Aborted", {"reason": "no use"})
        elif what < 13:
            begun = self.call("turn_begin", label, r.choice(["A1", "A2"]),
                              lease=r.choice(["1m", "1h", "10 days"]),
                              **({"messages": [{"role": "user", "content": "x"}]}
                                 if r.random() < 0.5 else {}))
            if begun:
                self.runs.append((one(self.db, "SELECT ? ->> '$.turn'", begun),
                                  one(self.db, "SELECT ? ->> '$.token'", begun)))
        elif what == 13:
            self.call("turn_message", *turn, {"role": "assistant", "content": "I look."})
        elif what == 14:
            self.call(*r.choice([("turn_complete", *turn, {"content": "done"}),
                                 ("turn_fail", *turn, "broken")]))
        elif what == 15:
            for state in r.choice([["starting"], ["starting", "running", "ready"], ["idle"]]):
                self.call("session_run", label, "A1", state, None)
        elif what == 16:
            self.call("queue_push", label, "look", request_id=f"r{self.now}")
        elif what == 17:
            self.call("session_spawn", "a", "count them",
                      label=r.choice(["a/worker", f"a/worker {self.now}"]),
                      **({"timeout": r.choice(["1h", "3 days"])} if r.random() < 0.7 else {}))
        elif what == 18:
            self.call(*r.choice([("session_suspend", label), ("session_fail", label, "broken"),
                                 ("session_archive", label), ("session_unarchive", label),
                                 ("identity_link", "tg", "1", "ann"),
                                 ("identity_link", "mail", "1", "ann")]))
        else:
            key, values = r.choice([("archive_after", ["1 day", "40 days"]),
                                    ("auto_compact_threshold", ["1h", "60 days"]),
                                    ("run_idle_timeout", ["1m", "1h"])])
            self.call("turnstile_config", key, r.choice(values),
                      **({"session": label} if r.random() < 0.8 else {}))

    def dump(self):
        tables = self.db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        return {t: self.db.execute(f'SELECT * FROM "{t}"').fetchall() for (t,) in tables}

    def dry(self, options):
        """A dry run, called in one of the ways that there are."""
        how = self.r.randrange(4)
        text = json.dumps({**options, "dry_run": 1})
        if how == 0:
            return one(self.db, "SELECT session_sweep(?)", text)
        if how == 1:
            return door(self.db, "session_sweep", {**options, "dry_run": 1})
        self.db.execute("BEGIN" if how == 2 else "SAVEPOINT outside")
        self.db.execute("INSERT INTO turnstile_meta VALUES ('outside', 'x')")
        report = one(self.db, "SELECT session_sweep(?)", text)
        suite.check("what was written before stays",
                    one(self.db, "SELECT value FROM turnstile_meta WHERE key = 'outside'"), "x")
        self.db.execute("DELETE FROM turnstile_meta WHERE key = 'outside'")
        self.db.execute("COMMIT" if how == 2 else "RELEASE outside")
        return report

    def sweep(self, what):
        r = self.r
        self.now += r.choice([0, HOUR, DAY, 8 * DAY, 31 * DAY])
        options = {"now": self.now}
        if r.random() < 0.5:
            options["limit"] = r.choice([1, 2, 3])
        if r.random() < 0.2:
            options["archive_after"] = r.choice([DAY, "60 days"])
        if r.random() < 0.2:
            options["auto_compact_threshold"] = r.choice(["1h", "20 days"])
        before = self.dump()
        said = json.loads(self.dry(options))
        after = self.dump()
        suite.check(f"{what}: a dry run changes nothing",
                    [t for t in before if before[t] != after[t]], [])
        done = json.loads(one(self.db, "SELECT session_sweep(?)", json.dumps(options)))
        suite.check(f"{what}: whether it was one", (said.pop("dry_run"), done.pop("dry_run")),
                    (True, False))
        suite.check(f"{what}, {options}: what is said is done", said, done)
        for kind in KINDS:
            self.done[kind] += done[kind]
        self.done["kinds at once"] += sum(done[kind] > 0 for kind in KINDS) > 2
        self.done["more"] += done["more"]
        ended = done["committed_tasks"] + done["compacted_tasks"] + done["dropped_tasks"]
        archived = done["archived_sessions"]
        saved = [label for label in archived for (t,) in self.db.execute(
            "SELECT description FROM tasks WHERE session_label = ? AND ended_at = ?",
            (label, self.now)) if t in ended]
        self.done["saved and archived"] += len(saved)
        suite.check(f"{what}: archived without a turn that runs", self.db.execute(
            "SELECT s.label FROM sessions AS s JOIN session_runs AS r ON r.session_label = s.label "
            "JOIN turns AS t ON t.id = r.turn_id "
            "WHERE s.status = 'archived' AND t.status = 'running'").fetchall(), [])

    def run(self, what):
        for n in range(self.r.randrange(1, 5)):
            for _ in range(self.r.randrange(5, 60)):
                self.step()
            self.sweep(f"{what}, sweep {n}")
        suite.sound(what, self.db)
        self.db.close()


def check_reads():
    """A dry run writes for a moment: where nothing can be written it says so."""
    path = suite.path("reads.db")
    db = connect(path, lib)
    one(db, "SELECT turnstile_install()")
    db.close()
    db = connect(path, lib)
    db.execute("PRAGMA query_only = 1")
    error = error_of(one, db, "SELECT session_sweep('{\"dry_run\":1}')")
    suite.holds("a file that is only read", error, "session_sweep: ", "readonly")
    db.close()


if __name__ == "__main__":
    suite = Suite("model/sweep")
    lib = library(sys.argv[1])
    total, tally = collections.Counter(), Tally()
    for seed in range(int(sys.argv[2]) if len(sys.argv) > 2 else 150):
        walk = Walk(seed)
        walk.run(f"walk {seed}")
        total += walk.done
    for kind in KINDS + COMMANDS + ["kinds at once", "more", "saved and archived"]:
        suite.check(f"{kind} has been seen", total[kind] > 10)
    suite.check("nothing is refused each time", tally.always(), {})
    check_reads()
    suite.done()
