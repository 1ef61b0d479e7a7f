#!/usr/bin/python3
"""order_model.py - one order: what queue_list shows is what is handed over, and what turns take, in every mode.

    tests/deliver/order_model.py BUILDDIR [histories]

A run is live, and what happens behind it happens in all orders: two messages and what a choice has held, each in
every mode, a timer's word, queue_front of what stands last, and the choice that opens and closes. Then the run ends
in one of the ways of ENDS. The places are kept by a list of this file's own, which knows two rules: what interrupts
stands before what does not, what was put first before that, the last one put so at its head; what a turn begins with
is put first by that, for when it waits again; all else stands in the order in which it was said, whenever it came to
wait. `histories` more are made at random, in which inputs are called
off and tried again, too; from 2,000 on, all the orders are played and not every sixth.
"""

import itertools
import json
import os
import random
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, library, one  # noqa: E402
from vocabulary import MODES, QUEUE_WAITS, STEERED  # noqa: E402

suite = Suite("order")
lib = library(sys.argv[1])
HISTORIES = int(sys.argv[2]) if len(sys.argv) > 2 else 300
EVENTS = ("one", "two", "timer", "front", "hold", "close")
FRONT, INTERRUPTS, LINE = range(3)
LIST = "SELECT queue_id, mode FROM queue_list WHERE session_label = ? AND status IN (?, ?) ORDER BY position"


class Line:
    """Where everything stands. said: who was before whom; first: the one put first last is the lowest."""

    def __init__(self):
        self.places, self.said, self.first = {}, {}, 0

    def add(self, id, said, interrupts=False):
        self.said[id] = said
        self.places[id] = (INTERRUPTS if interrupts else LINE, said)

    def put_first(self, ids):
        for id in reversed(ids):
            self.first -= 1
            self.places[id] = (FRONT, self.first)

    def back(self, id):
        self.places[id] = (LINE, self.said[id])

    def ids(self):
        return sorted(self.places, key=self.places.get)

    def take(self, ids):
        for id in ids:
            del self.places[id]


class History:
    def __init__(self, db, label, modes):
        self.db, self.label, self.modes, self.done = db, label, modes, []
        self.line, self.said = Line(), 0
        start = self.call("session_deliver", label, "build a shop", {"class": "NewTask", "owner": "w"})
        self.line.add(start["queue_id"], 0)
        self.begin(start["turn"], [start["queue_id"]])

    def call(self, command, *args):
        args = [json.dumps(a) if isinstance(a, dict) else a for a in args]
        marks = ", ".join("?" * len(args))
        result = one(self.db, f"SELECT {command}({marks})", *args)
        return json.loads(result) if isinstance(result, str) and result[:1] == "{" else result

    def check(self, what, got, expected):
        return suite.check(f"{self.label} {self.modes} {self.done}: {what}", got, expected)

    def listed(self, *status):
        status = status or QUEUE_WAITS
        return [r[0] for r in self.db.execute(LIST, (self.label, *status[:1], *status[-1:]))]

    def deliver(self, message, mode, **options):
        self.said += 1
        return self.call("session_deliver", self.label, message, {"class": "Modification", "mode": mode, **options})

    def add(self, decision, mode):
        self.line.add(decision["queue_id"], self.said, mode == "interrupt")

    def can(self, event):
        sql = "SELECT pending_choice IS NOT NULL FROM sessions WHERE label = ?"
        if event in ("one", "two", "hold", "close"):
            return (event == "close") == bool(one(self.db, sql, self.label))
        return event not in ("front", "again") or bool(self.line.places)

    def happen(self, event):
        self.done.append(event)
        if event in ("one", "two"):
            mode = self.modes[event]
            self.add(self.deliver(f"make it {event} {self.said}", mode), mode)
        elif event == "timer":
            self.said += 1
            self.add(self.call("session_deliver", self.label, f"tick {self.said}", {"source": "timer"}), None)
        elif event == "front":
            last = self.line.ids()[-1]
            self.call("queue_front", last)
            self.line.put_first([last])
        elif event == "again":
            last = self.line.ids()[-1]
            self.call("queue_cancel", last)
            self.call("queue_retry", last)
            self.line.back(last)
        elif event == "hold":
            self.said += 1
            options = {"class": "Unclear", "mode": self.modes["hold"]}
            self.held = self.said
            self.call("session_deliver", self.label, f"the kitchen floor {self.said}", options)
        else:
            d = self.call("session_choose", self.label, "continue")
            self.line.add(d["queue_id"], self.held, self.modes["hold"] == "interrupt")
        self.check("queue_list", self.listed(), self.line.ids())

    # ---- How the run ends, and who takes what waits

    def complete(self):
        self.call("turn_complete", self.turn["turn"], self.turn["token"], {"content": "done"})

    def begin(self, turn, ids):
        """Should the turn come to nothing, what it begins with stands first, but for what is put first meanwhile."""
        self.turn, self.begun = turn, ids
        self.line.put_first(ids)
        self.back = {id: self.line.places[id] for id in ids}
        self.line.take(ids)

    def fail(self):
        self.call("turn_fail", self.turn["turn"], self.turn["token"], "no answer")
        self.line.places.update(self.back)
        self.check("what comes back", self.listed(), self.line.ids())

    def taken(self, turn):
        """The inputs of a turn that begins now: what stood first."""
        ids = [m["queue_id"] for m in turn["messages"]]
        ok = self.check("a turn takes", ids, self.line.ids()[: len(ids)])
        self.check("which queue_list shows so", self.listed("processing"), ids)
        if ok:
            self.begin(turn, ids)
        return ok

    def drain(self):
        """Turn by turn until nothing waits."""
        for _ in range(40):
            turn = self.call("turn_begin", self.label, "w")
            if turn is None or not self.taken(turn):
                break
            self.complete()
        self.check("all is taken", self.listed(), [])

    def hand_over(self, **options):
        waits = self.line.ids()
        d = self.deliver("and paint it", "queue", **options)
        self.add(d, None)
        if waits:
            self.check("a decision's inputs", [i["queue_id"] for i in d["inputs"]], self.line.ids())
        return d

    def end_steered(self):
        waits = dict(self.db.execute(LIST, (self.label, "pending", "pending")))
        steered = [id for id in self.line.ids() if waits[id] in STEERED]
        took = self.call("turn_steering", self.turn["turn"], self.turn["token"])
        self.check("a run takes", [m["queue_id"] for m in took["messages"]], steered)
        places = {id: self.line.places[id] for id in steered}
        self.line.take(steered)
        self.check("and leaves", self.listed(), self.line.ids())
        self.line.places.update(places)  # their own, should it come to nothing
        self.fail()
        self.drain()

    def end_completed(self):
        self.complete()
        self.drain()

    def end_failed(self):
        self.fail()
        self.drain()

    def end_handed(self):
        self.complete()
        self.hand_over()
        self.check("what is handed over", self.listed("handed"), self.line.ids())
        if self.taken(self.call("turn_begin", self.label, "w")):
            self.fail()
            self.drain()

    def end_handed_again(self):
        self.complete()
        for _ in range(2):
            self.hand_over()
            self.check("what is handed over", self.listed("handed"), self.line.ids())
        self.taken(self.call("turn_begin", self.label, "w"))

    def end_owned(self):
        self.complete()
        if self.taken(self.hand_over(owner="w")["turn"]):
            self.fail()
            self.drain()


ENDS = [v for k, v in sorted(vars(History).items()) if k.startswith("end_")]


def new_file():
    db = connect(":memory:", lib)
    db.execute("SELECT turnstile_install()")
    return db


def play(db, label, modes, events, end):
    history = History(db, label, modes)
    for event in events:
        if history.can(event):
            history.happen(event)
    if history.can("close"):
        history.happen("close")
    end(history)
    return history


def all_orders():
    return [o for o in itertools.permutations(EVENTS) if o.index("hold") < o.index("close")]


def main():
    orders, n = all_orders(), 0
    for one_mode, held in itertools.product(MODES, MODES):
        db = new_file()
        modes = {"one": one_mode, "two": "interrupt", "hold": held}
        for order in orders[MODES.index(one_mode) % 6 :: 6] if HISTORIES < 2000 else orders:
            play(db, f"s{n}", modes, order, ENDS[n % len(ENDS)])
            n += 1
        suite.check(f"{modes}: sound", db.execute("SELECT rule, ref FROM turnstile_check").fetchall(), [])
        db.close()
    r, db = random.Random(4), new_file()
    for i in range(HISTORIES):
        modes = {event: r.choice(MODES) for event in ("one", "two", "hold")}
        play(db, f"r{i}", modes, r.choices((*EVENTS, "again"), k=12), r.choice(ENDS))
    db.close()
    suite.done()


if __name__ == "__main__":
    main()
