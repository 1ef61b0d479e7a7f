"""A year in which people are hardly there: timers.py BUILDDIR [DAYS [SEED]]

Sessions that only a timer uses, a webhook, another agent, the system, or now and then a user; workers that
take what waits, workers that die, that fail, that stay away for weeks; a sweep every night. Two things
hold all the time, whatever comes together:

  nothing is lost     what was delivered or pushed is in a turn that was kept, or it waits where turn_begin
                      takes it, or session_attention shows it; and nothing is refused that does not show
  nobody is put away  a session that was used within archive_after is not archived, one that was not used for
                      longer, and has nothing that waits, is

Time is only the option `now`; nothing depends on the machine's speed.
"""

import json
import os
import random
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, door, library, one  # noqa: E402
from vocabulary import QUEUE_OPEN  # noqa: E402

suite = Suite("timers")
lib = library(sys.argv[1])
DAYS = int(sys.argv[2]) if len(sys.argv) > 2 else 400
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
HOUR = 3_600_000
DAY = 24 * HOUR
START = 1_767_225_600_000

# How a session is used: by whom, every how many days, how it comes in, who works on it.
#   deliver  session_deliver, and a worker that polls with turn_begin
#   owner    session_deliver with the option owner
#   push     queue_push, and a worker that polls
#   append   session_deliver, then turn_append by the same process
#   given    turn_begin with messages: nothing comes in by the queue
#   bare     turn_append alone
SESSIONS = {
    "system:daily": ("timer", 1, "deliver"),
    "system:daily owner": ("timer", 1, "owner"),
    "system:weekly": ("timer", 7, "push"),
    "system:monthly": ("timer", 31, "deliver"),
    "system:monthly push": ("timer", 31, "push"),
    "system:quarterly": ("timer", 92, "owner"),
    "hook:issues": ("webhook", 2, "deliver"),
    "hook:rare": ("webhook", 45, "push"),
    "agent:helper": ("agent", 1, "append"),
    "agent:given": ("agent", 3, "given"),
    "agent:bare": ("agent", 5, "bare"),
    "boot": ("system", 10, "deliver"),
    "group:tg:1": ("timer", 1, "deliver"),
    "dm:ann": ("timer", 1, "deliver"),  # a user writes, too: every 50 days
    "dm:task": ("timer", 1, "deliver"),  # the user left an open task on the first day
    "idle": (None, 0, None),
    "idle long": (None, 0, None),
}


class Year:
    def __init__(self):
        self.r = random.Random(SEED)
        self.db = connect(suite.path("year.db"), lib)
        self.db.execute("PRAGMA synchronous = OFF")
        one(self.db, "SELECT turnstile_install()")
        self.now = START
        self.sent = {}  # text → session
        self.used = {}  # session → when it was used last
        self.refused = 0
        what = ("kept", "failed", "died", "archived", "back", "retried")
        self.seen = dict.fromkeys(what, 0)
        self.dead = []  # (turn, token) of workers that died

    def call(self, command, *args, **options):
        return door(self.db, command, *args, {**options, "now": self.now})

    def pass_time(self, ms):
        self.now += ms

    def message(self, label):
        text = f"input {len(self.sent)} for {label}"
        self.sent[text] = label
        return text

    # ---- what comes in, and who works on it

    def use(self, label):
        self.used[label] = self.now

    def come_in(self, label, source, way):
        if way in ("given", "bare"):
            messages = [{"role": "user", "content": self.message(label)}]
            self.use(label)
            if way == "bare":
                self.call("turn_append", label, messages, source=source)
            else:
                self.work(self.call("turn_begin", label, "w", messages=messages, source=source), label)
            return
        text = self.message(label)
        options = {"source": source, "message_id": f"m{len(self.sent)}"}
        if way == "push":
            self.call("queue_push", label, text, **options)
        else:
            owner = {"owner": "w"} if way == "owner" else {}
            decision = json.loads(self.call("session_deliver", label, text, **options, **owner))
            suite.check(f"{label}: taken", decision["action"] not in ("rejected", "blocked"))
            if decision.get("turn"):
                self.use(label)
                self.work(json.dumps(decision["turn"]), label)
        self.use(label)
        # The same message again, because the answer was lost: it is known.
        if self.r.random() < 0.05:
            waiting = one(self.db, "SELECT count(*) FROM session_queue")
            self.call("queue_push", label, text, **options)
            suite.check("a repeated one is known", one(self.db, "SELECT count(*) FROM session_queue"), waiting)
        if way == "append" and self.r.random() < 0.9:
            self.call("turn_append", label, [{"role": "user", "content": text}], source=source)

    def work(self, begun, label):
        """A turn: completed, failed with and without output, or left by a worker that dies."""
        if not begun:
            return False
        turn = json.loads(begun)
        key = turn["turn"], turn["token"]
        luck = self.r.random()
        if luck < 0.08:
            self.seen["died"] += 1
            return False
        if luck < 0.2:  # half done: its input is not run again by itself
            self.call("turn_message", *key, {"role": "assistant", "content": "half"})
        self.pass_time(self.r.choice([1000, 60_000, 4 * 60_000]))
        self.use(label)
        if luck < 0.25:
            self.call("turn_fail", *key, "the provider is gone")
            self.seen["failed"] += 1
            return False
        self.call("turn_complete", *key, {"content": "done"})
        self.seen["kept"] += 1
        return True

    def poll(self):
        """A worker that looks after all sessions in which something waits."""
        waiting = "SELECT DISTINCT session_label FROM session_queue WHERE delivered_at IS NULL ORDER BY 1"
        for (label,) in self.db.execute(waiting).fetchall():
            for _ in range(50):
                begun = None
                try:
                    begun = self.call("turn_begin", label, "w")
                except Exception as error:
                    suite.holds(f"{label}: only what is busy is refused", error, "is busy")
                if begun:
                    self.use(label)
                if not self.work(begun, label):
                    break

    def retry(self):
        """A person looks at what wants attention, once in a while."""
        rows = "SELECT ref FROM session_attention WHERE reason = 'failed_input' ORDER BY since"
        for (ref,) in self.db.execute(rows).fetchall():
            self.call("queue_retry", ref)
            self.seen["retried"] += 1

    # ---- the nights

    def unused(self):
        """Sessions that the coming sweep may archive, and those that it has to."""
        waiting = {
            label
            for (label,) in self.db.execute(
                "SELECT session_label FROM session_queue WHERE delivered_at IS NULL"
            )
        }
        may, must = set(), set()
        for label, task in self.db.execute(
            "SELECT label, open_task_id FROM sessions WHERE status <> 'archived'"
        ):
            idle = self.now - self.used[label]
            if idle > 30 * DAY and not label.startswith("group:"):
                may.add(label)
                if idle > 30 * DAY + HOUR and label not in waiting and not task:
                    must.add(label)
        return may, must

    def sweep(self, day):
        may, must = self.unused()
        archived = set(json.loads(self.call("session_sweep"))["archived_sessions"])
        self.seen["archived"] += len(archived)
        suite.check(f"day {day}: who was used stays", sorted(archived - may), [])
        suite.check(f"day {day}: who was not used goes", sorted(must - archived), [])

    def nothing_is_lost(self, day):
        """Every text is in the path of its session, or waits, or shows."""
        kept = {
            text
            for (text,) in self.db.execute(
                "SELECT m.content FROM messages AS m JOIN turns AS t ON t.id = m.turn_id "
                "WHERE t.on_path = 1 AND m.role = 'user'"
            )
        }
        status = dict(self.db.execute("SELECT label, status FROM sessions"))
        held = {
            ref
            for (ref,) in self.db.execute(
                "SELECT ref FROM session_attention WHERE reason IN ('held_input', 'failed_input')"
            )
        }
        lost = []
        rows = {
            text: (id, state)
            for id, text, state in self.db.execute("SELECT id, message, status FROM session_queue")
        }
        for text, label in self.sent.items():
            if text in kept:
                continue
            id, state = rows.get(text, (None, None))
            waits = state in QUEUE_OPEN and status[label] == "active"
            # turn_append was left out after a delivery: taken up by the next one.
            if not waits and id not in held and not (state == "delivered" and label == "agent:helper"):
                # turn_begin with messages that failed: nothing came by the queue, the host knows.
                if label != "agent:given":
                    lost.append((text, state, status[label]))
        suite.check(f"day {day}: nothing is lost", lost, [])
        suite.check(
            f"day {day}: nothing is refused",
            one(self.db, "SELECT count(*) FROM deliveries WHERE action IN ('rejected', 'blocked')"),
            0,
        )

    # ---- the year

    def begin(self):
        for label, (source, _, _) in SESSIONS.items():
            self.use(label)
            if source is None:
                self.call("turn_append", label, [{"role": "user", "content": "hello"}])
        self.call("session_deliver", "dm:ann", "hello", **{"class": "Clarification"})
        self.call("session_start", "dm:task", "move the jobs")
        self.call("session_note", "dm:task", "three of them")
        self.poll()

    def day(self, day):
        away = day % 90 in range(40, 75)  # the worker is away for weeks
        self.pass_time(START + day * DAY + 6 * HOUR - self.now)
        for label, (source, every, way) in SESSIONS.items():
            if source and day % every == every // 2:
                was = one(self.db, "SELECT status FROM sessions WHERE label = ?", label)
                try:
                    self.come_in(label, source, "push" if way == "given" and away else way)
                except Exception as error:  # a turn of a worker that has just died
                    suite.holds(f"{label}: only what is busy is refused", error, "is busy")
                    text = f"input {len(self.sent) - 1} for {label}"
                    stored = one(self.db, "SELECT count(*) FROM deliveries WHERE message = ?", text)
                    if not stored:
                        self.sent.pop(text, None)
                self.seen["back"] += was == "archived"
        if day % 50 == 17:
            self.call("session_deliver", "dm:ann", self.message("dm:ann"), **{"class": "Clarification"})
            self.use("dm:ann")
        if not away:
            self.poll()
            self.pass_time(HOUR)
            self.poll()
        if day % 20 == 19:
            self.retry()
        self.pass_time(START + day * DAY + 23 * HOUR - self.now)
        self.sweep(day)
        if day % 10 == 0:
            self.nothing_is_lost(day)

    def run(self):
        self.begin()
        for day in range(1, DAYS + 1):
            self.day(day)
        self.nothing_is_lost("last")
        # The end: everybody works again, and everything that was sent has been worked on.
        for _ in range(60):
            self.pass_time(10 * 60_000)
            self.call("session_sweep")
            self.retry()
            self.poll()
        self.nothing_is_lost("after all")
        left = "SELECT count(*) FROM session_queue WHERE status NOT IN ('delivered', 'cancelled')"
        suite.check("nothing waits any more", one(self.db, left), 0)
        suite.check("nothing was refused", one(self.db, "SELECT count(*) FROM sessions WHERE refused IS NOT NULL"), 0)
        status = dict(self.db.execute("SELECT label, status FROM sessions"))
        for label, (source, every, _) in SESSIONS.items():
            if not source or label == "group:tg:1":
                want = "active" if source else "archived"
                suite.check(f"{label}: in the end", status[label], want)
            elif every < 31:
                events = "SELECT count(*) FROM session_events WHERE session_label = ? AND to_state = 'archived'"
                suite.check(f"{label}: never archived", one(self.db, events, label), 0)
        for what, n in self.seen.items():
            suite.check(f"it happened: {what}", n > 0)
        suite.sound("the year", self.db)


Year().run()
suite.done()
