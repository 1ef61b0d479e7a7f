#!/usr/bin/python3
"""lease_model.py - leases and the queue against a model of them.

    tests/turn/lease_model.py BUILDDIR [operations [seed]]

The model below is a second implementation of what docs/queue.md and docs/delivering.md say, in
plain Python objects: who holds a session, what waits, in which order, what a message does to a task
while a run is alive, and what becomes of inputs when a run ends well, badly, or not at all. It
predicts every result and every refusal, and after every operation the rows of the session: run,
task, head, choice, turns and queue.

Histories are made up: owners that work, crash, forget their token or come back late, messages of
all modes, classes and sources, a clock that jumps over leases. What always holds (one running turn
per run, growing tokens, dead ones refused, every message in one place, an order that never flips)
is also looked at in the database alone, without the model. A history that goes wrong is shrunk and
printed as SQL; with its seed as third argument it is made up again.

What is left to others: every state of two messages (walk.py), what a pause does to a task
(deliver.py, ../stale.sql), the shape of the tree (tree.py), several processes at once
(../concurrency.py)."""
import collections
import copy
import itertools
import json
import os
import random
import re
import sqlite3
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import INVARIANTS, Tally, library  # noqa: E402
from histories import Failure, Failures, call  # noqa: E402
from vocabulary import (  # noqa: E402
    ACTION, CLASS, CLASS_WORDS, CLASS_WORK, LIVE_RUN, MODES, QUEUE_OPEN, QUEUE_WAITS, SOURCE, STEERED, TASK_ASKS, TASK_OVER, commands,
)

UUID = "00000000-0000-4000-8000-00000000d0d0"
START, SECOND, MINUTE = 1_000_000_000_000, 1000, 60_000
ANSWERS = {"A": 0, "B": 1}
# its own: the moves as the model has them
MOVES = {
    "None": set(),
    "Running": {"AwaitingUser", "PendingComplete", "Interrupted", "Aborted"},
    "AwaitingUser": {"Running", "AwaitingUser", "Aborted"},
    "Interrupted": {"Running", "Interrupted", "Aborted"},
    "PendingComplete": {"Complete", "Running", "PendingComplete", "Aborted"},
    "Complete": set(),
    "Aborted": set(),
}
# its own: the moves as the model has them
PHASES = {
    "processing": {"streaming", "compacting"},
    "streaming": {"completing", "compacting"},
    "compacting": {"streaming"},
    "completing": set(),
}
# its own: the moves as the model has them
RUNS = {
    "idle": {"starting"},
    "starting": {"running", "error", "idle"},
    "running": {"ready", "interrupted", "error", "idle"},
    "ready": {"running", "idle"},
    "interrupted": {"running", "ready", "idle"},
    "error": {"idle"},
}
HANDING = {"start", "continue", "answer"}
OPTIONS = {
    "NewTaskChoice": ("start_fresh", "continue"),
    "UnclearChoice": ("continue", "start_fresh"),
}
DEFAULTS = {
    "queue_mode": "queue",
    "queue_mode_user": "interrupt",
    "queue_mode_agent": "followup",
    "queue_mode_timer": "followup",
    "queue_mode_webhook": "queue",
    "queue_mode_system": "queue",
    "queue_cap": 100,
    "queue_full": "reject",
    "max_attempts": 3,
    "collect_debounce": 0,
    "collect_max_wait": MINUTE,
    "new_task_policy": "prompt",
    "on_archived": "reopen",
    "keeps_turns": 1,
    "lease": 5 * MINUTE,
    "run_idle_timeout": 5 * MINUTE,
}

# What a run of the usual length comes to.
COMMANDS = commands("turn deliver", beside="session_sweep turnstile_config",
                    # Workers, summaries, archived sessions and second opinions have tests of their own; tasks begin
                    # with messages.
                    but="""session_spawn session_report session_stop session_archive session_start
                    turn_compact turn_compact_begin delivery_classify delivery_correct""") + ["plain_sql"]
# What commands must have done beside that: see deed().
DEEDS = set("due_input retried_after_stop retried_before_due requeued".split())
ACTIONS = set(ACTION) - {"classify"}

# What an error says, in a word.
ERRORS = [
    ("busy", r"is busy: '.*' executes turn \d+"),
    ("over", r"turn \d+ is (failed|aborted|completed).*nothing can be added to it"),
    ("token", r"token \d+ is not the one"),
    ("no turn", r"there is no turn"),
    ("no input", r"there is no input \d+ in the queue"),
    ("status", r"input \d+ is \w+; it must be"),
    ("full", r"the queue of session .* is full"),
    ("no choice", r"has no open choice"),
    ("choice over", r"the task that the choice is about is"),
    ("in error", r"is in error;"),
    ("archived", r"is archived;"),
    ("move", r"can't become"),
    ("no task", r"has no open task|the task is None and becomes"),
    ("no session", r"there is no session"),
    ("off the path", r"is not on the path of session"),
    ("not kept", r"it must be completed, or aborted with its output kept"),
    ("stays", r"and stays in the conversation with tool call"),
    ("has its result", r"has its result already"),
    ("no call", r"no tool call '.*' waits for a result|it holds no tool call"),
    ("taken", r"is taken by"),
    ("another message", r"message_id '.*' was used before for another message"),
    ("another's", r"the run of session .* and belongs to"),
    ("a name is no proof", r"a run of .* executes turn"),
    ("turn runs", r"turn \d+ is still running"),
    ("compaction", r"turn \d+ is a compaction"),
]
REFUSALS = {word for word, _ in ERRORS}


class Refused(Exception):
    """The model says that the command fails, and why, in a word of ERRORS."""


def class_of(text):
    """What a classifier would say: the texts made up here name their class."""
    word = text.rpartition(" ")[2]
    return word if word in CLASS else "Modification"


def words_of(text):
    """The words that can tell what a message is about: short ones are mostly such as "there"."""
    return {word for word in text.split() if len(word) >= 6}


def is_compact(text):
    return text == "/compact" or text.startswith("/compact ")


def is_request(row):
    """A "/compact", whoever sent it: what begins with it is a compaction, and no turn of the conversation."""
    return is_compact(row.text)


def asks_something(row):
    """Is it a user's message that means something for the task?"""
    return row.source == "user" and not is_compact(row.text)


# ---- The model -----------------------------------------------------------------------------------


class Row:
    """An input in the queue."""

    __slots__ = (
        "id delivery text source channel sender mode cls given status attempts turn rank at held awaits shown due "
        "task last again met retried".split()
    )

    def __init__(self, id, delivery, text, source, channel, sender, mode, at):
        self.id, self.delivery, self.text, self.source = id, delivery, text, source
        self.channel, self.sender, self.mode, self.at = channel, sender, mode, at
        self.cls, self.status, self.attempts, self.turn, self.rank = None, "pending", 0, None, 0
        self.held, self.awaits, self.shown, self.due, self.given = False, True, False, None, False
        self.task = None  # for which a turn had it last
        self.last, self.again = None, False  # the turn in whose messages it stands; did one come to nothing?
        self.met = None  # what the task was asking when it came
        self.retried = False  # by queue_retry

    def seen(self):
        return (self.id, self.status, self.mode, self.cls, self.attempts, self.turn, self.order(), self.due)

    def order(self):
        return 0 if self.status == "cancelled" else self.rank

    def place(self):
        """Where it stands among those that wait, and among those that are handed over."""
        return self.rank, self.delivery, self.id

    def tried(self):
        """Was it taken before? Then it stays what it was."""
        return self.cls is not None and (self.attempts > 0 or self.shown)

    def waits(self, now):
        """Is its time still to come?"""
        return self.due is not None and self.due > now


class Turn:
    __slots__ = "id parent status phase on_path output calls session resumes owner compacts nth".split()

    def __init__(self, id, parent, session):
        self.id, self.parent, self.session = id, parent, session
        self.status, self.phase, self.on_path = "running", "processing", 0
        self.output, self.calls, self.resumes, self.compacts = False, [], None, False

    def seen(self):
        return (self.id, self.parent, self.status, self.phase, self.on_path, self.resumes)


class Task:
    __slots__ = "id description state data work root own asked_after".split()

    def __init__(self, id, description):
        self.id, self.description, self.state, self.data, self.work = (
            id,
            description,
            "Running",
            None,
            False,
        )
        self.root = id  # the first of the tasks that go on with one another
        self.own = False  # a turn was made for it
        self.asked_after = 0  # the last message before it asked, or reported, what it does

    def asks(self):
        return (self.root, self.state, json.dumps(self.data)) if self.state in TASK_ASKS else None

    def stand(self):
        return self.root, self.description, self.state, copy.deepcopy(self.data)


class Choice:
    """held: the message, as a Row that is in no queue yet. later: those that were said since, and did not say which
    way it is to go."""

    __slots__ = "kind held later".split()

    def __init__(self, kind, held):
        self.kind, self.held, self.later = kind, held, []

    def all(self):
        return [self.held, *self.later]


class Session:
    def __init__(self, label):
        self.label, self.status, self.head, self.queue_mode = label, "active", None, None
        self.task = self.choice = None
        self.rows, self.seen_ids = {}, {}
        self.owner, self.token, self.run, self.turn, self.expires, self.lease = (
            None,
            0,
            None,
            None,
            None,
            None,
        )
        self.beat = self.failed_turn = self.tip = None
        self.left = None  # (what the task was,) when something was handed over at this head
        self.places = {}  # what it was at the turns that the head has left
        self.commits = False
        self.asked = 0  # when it last asked

    @property
    def state(self):
        return self.task.state if self.task else "None"

    def with_status(self, *statuses):
        return [r for r in self.rows.values() if r.status in statuses]

    def line(self):
        """What is pending, in the order in which it is taken."""
        return sorted(self.with_status("pending"), key=Row.place)

    def live(self, now):
        return self.run in LIVE_RUN and self.expires is not None and self.expires > now

    def busy(self, now):
        """Nothing is handed over: somebody works, or an input waits for its time, and all behind it."""
        return self.live(now) or self.delayed(now)

    def delayed(self, now):
        return any(r.waits(now) for r in self.with_status("pending"))


class Model:
    """The whole file. A command is a method; it returns what is to be seen of the result."""

    def __init__(self):
        self.sessions, self.turns, self.config = {}, {}, {}
        self.branches = self.last_row = self.last_delivery = self.last_task = self.forks = 0
        self.touched = set()  # turns that the last command changed
        self.given = []  # (turn, token) ever given out
        self.off_rows = set()  # inputs that were called off because their task has ended
        self.called = []

    def run(self, entry):
        """→ (result, None) or (None, why it is refused)."""
        self.touched = set()
        self.called = []  # what was cancelled with the task that it was for
        command, args, options = entry
        self.owner = options.get("owner")  # of session_deliver
        self.before = {s.label: s.task and s.task.stand() for s in self.sessions.values()}
        try:
            return getattr(self, command)(*args, **options), None
        except Refused as e:
            return None, e.args[0]

    # -- Settings

    def setting(self, s, key):
        return self.config.get((s.label, key), self.config.get(("", key), DEFAULTS[key]))

    def turnstile_config(self, key, value, now, session=None, reset=0):
        self.config.pop((session or "", key), None)
        if not reset:
            self.config[session or "", key] = value
        if key == "keeps_turns":
            for s in self.sessions.values():
                if s.label == session or not session and (s.label, key) not in self.config:
                    for r in s.with_status("handed"):
                        r.awaits = bool(self.setting(s, key))
        return None

    def mode_for(self, s, source, mode):
        """option > sessions.queue_mode > the session's own setting > that of the source > all."""
        if mode:
            return mode
        if s.queue_mode:
            return s.queue_mode
        if (s.label, "queue_mode") in self.config:
            return self.config[s.label, "queue_mode"]
        mode = self.setting(s, "queue_mode_" + source)
        return self.setting(s, "queue_mode") if mode == "inherit" else mode

    def plain_sql(self, label, column, value, now):
        if label in self.sessions:
            setattr(self.sessions[label], column, value)
        return None

    # -- Tasks

    def leave(self, s):
        """Something is handed over: what happens to the task now is not the head's any more."""
        if s.left is None:
            s.left = (self.before.get(s.label),)

    def move(self, s, head, tip=None):
        s.places[s.head] = s.left[0] if s.left else s.task and s.task.stand()
        s.head, s.left, s.tip = head, None, tip
        if s.task and tip is None:
            s.task.work = s.task.own = True

    def start_task(self, s, description):
        self.last_task += 1
        s.task = Task(self.last_task, description)

    def over(self, s, task):
        """The task is done or aborted: what a turn has had for it, and waits again or has failed, is done with."""
        for r in s.with_status("pending", "failed"):
            if self.is_for(r, task):
                r.status = "cancelled"
                self.called.append(r.id)
                self.off_rows.add(r.id)

    def is_for(self, row, task):
        """Did users say it for that task, and a turn have had it?"""
        if row.source != "user" or row.cls not in CLASS_WORK:
            return False
        if row.status != "failed" and row.task is None:
            return bool(row.attempts > 0 or row.shown)
        return row.task == task.id

    def end_task(self, s, now, always=False):
        """The task ends, with a commit or without one: then there was no work."""
        if s.task.state not in TASK_OVER:
            self.over(s, s.task)
        if s.choice:
            self.release(s, now)
        if s.task.work or always:
            s.commits = True
        s.task = None

    def release(self, s, now):
        """The choice closes by itself: what it held waits in the queue."""
        held, s.choice = s.choice.all(), None
        for row in held:
            self.put_back(s, row, now)

    def put_back(self, s, row, now):
        """It waits in the queue, unclassified."""
        row.cls, row.mode, row.held = None, None, True
        self.enter(s, row, now)

    def take_up(self, s):
        """A host without turns shows that it works on what it was handed."""
        for r in s.with_status("handed"):
            if not r.awaits:
                r.status = "delivered"

    def unclaimed(self, s):
        """What was handed over, and waits for a turn."""
        return [r for r in s.with_status("handed") if r.awaits]

    def call_off(self, s):
        """The task is called off, with what users said for it and no turn has taken. → which that is"""
        rows = [
            r
            for r in self.unclaimed(s)
            if r.source == "user" and r.cls not in (None, *CLASS_WORDS)
        ]
        for r in rows:
            r.status = "cancelled"
        return [r.id for r in rows]

    def give_way(self, s, row, ended):
        """The task gives way to another, with what users said for it. → which that is"""
        mine = (row.channel, row.sender)
        rows = sorted(
            (
                r
                for r in self.unclaimed(s)
                if r.source == "user" and r.cls not in (None, *CLASS_WORDS)
            ),
            key=lambda r: r.id,
        ) + sorted(
            (
                r
                for r in s.with_status("pending")
                if r.source == "user"
                and r.cls in CLASS_WORK
                and (self.is_for(r, ended) or r.cls != "NewTask" and (r.channel, r.sender) == mine)
            ),
            key=lambda r: r.id,
        ) + [r for r in s.with_status("failed") if self.is_for(r, ended)]
        for r in rows:
            r.status = "cancelled"
        for r in s.with_status("processing"):
            if r.task == ended.id:
                r.task = 0  # a run without a lease has it: it is no other task's
        called, self.called = self.called, []
        return called + [r.id for r in rows]

    def commit_left_behind(self, s, now):
        if s.state in TASK_OVER:
            self.take_up(s)
            rows = [r for r in s.with_status("cancelled") if r.id in self.off_rows and r.task == s.task.id]
            self.called += [r.id for r in rows if r.id not in self.called]  # by a transition
            if s.state == "Aborted":
                self.called += self.call_off(s)
            self.end_task(s, now, s.state == "Complete")

    def to_running(self, s):
        if s.task and s.task.state != "Running":
            s.task.state, s.task.data = "Running", None

    def earlier(self, s, row):
        """Was it said before the task asked, or reported, what it does? It waited since, and is no answer to that."""
        return s.state in TASK_ASKS and row.delivery <= s.task.asked_after

    def go_on(self, s, row, said):
        """A message that waited is work on the task. What was said before a question leaves it open, and a yes from
        before a report leaves that as it is. said: its class, as it was said."""
        is_yes = row.text == "yes" or said == "Confirmation"
        if not self.earlier(s, row) or s.state == "PendingComplete" and not is_yes:
            self.to_running(s)

    def interrupt_task(self, s, text):
        if s.state == "Interrupted":
            s.task.data = {"user_message": text, "messages": s.task.data["messages"] + [text]}
        elif s.state == "Running":
            s.task.state = "Interrupted"
            s.task.data = {"user_message": text, "messages": [text]}

    def session_transition(self, label, state, data, now):
        s = self.session(label)
        if state not in MOVES[s.state]:
            raise Refused("no task" if (s.state, state) == ("None", "Running") else "move")
        if state == "Interrupted":
            self.interrupt_task(s, data["user_message"])
        elif state == "Complete":
            s.task.state = state
            self.over(s, s.task)
        else:
            s.task.state = state
            s.task.data = dict(data) if data else None
            if state == "Aborted":
                self.over(s, s.task)
            if state == "AwaitingUser":
                s.task.data["asked_at"] = self.asked_at(s, now)
            s.task.asked_after = self.last_delivery
        if s.task:
            s.task.work = True
        if s.choice and state in TASK_OVER:
            self.release(s, now)
        self.take_up(s)
        self.resume(s)
        return state

    def session_compact(self, label, message, now):
        s = self.session(label)
        if not s.task:
            if not s.commits:
                raise Refused("no task")
            return None
        self.take_up(s)
        if s.state == "Aborted":
            self.call_off(s)
        self.end_task(s, now, True)
        return None

    def asked_at(self, s, now):
        """Two questions of one millisecond are told apart."""
        s.asked = s.asked + 1 if now <= s.asked < now + MINUTE else now
        return s.asked

    def resume(self, s):
        if s.status in ("suspended", "archived"):
            s.status = "active"

    def session(self, label):
        if label not in self.sessions:
            raise Refused("no session")
        return self.sessions[label]

    def make(self, label):
        if label not in self.sessions:
            self.sessions[label] = Session(label)
        return self.sessions[label]

    # -- The queue

    def enter(self, s, row, now):
        self.last_row += 1
        row.id, row.at = self.last_row, now
        s.rows[row.id] = row
        return row

    def answers(self, s, row):
        """Can it be the answer to the question that is open?"""
        asked = s.state == "AwaitingUser" and row.source == "user" and row.delivery > s.task.asked_after
        return asked and row.cls not in CLASS_WORDS

    def make_room(self, s, now, row):
        """→ the rows dropped for a new one, or None: it is refused."""
        pending = sorted(s.with_status("pending"), key=lambda r: r.id)
        if len(pending) < self.setting(s, "queue_cap"):
            return []
        answers = [r for r in pending if self.answers(s, r) and not r.held]
        if not answers and self.answers(s, row):
            return []
        if self.setting(s, "queue_full") == "reject":
            return None
        # What a choice has held has been accepted, and somebody waits for the answer, and for what is tried again.
        pending = [
            r for r in pending if not (r.held or r.shown or r.attempts or r.retried or r in answers[:1])
        ]
        if not pending:
            return []
        pending[0].status = "cancelled"
        self.calm(s, now, pending[0].text if pending[0].source == "user" else None)
        return [pending[0].id]

    def untaken(self, s):
        """Does a user's message still wait that interrupted the work?"""
        return any(
            r.mode in STEERED and r.source == "user" and r.cls in ("Response", "Modification")
            for r in s.with_status("pending")
        )

    def calm(self, s, now, text=None):
        """What interrupted may have been called off: a live run, or the task, which then says so. text: what was."""
        said = list(s.task.data["messages"]) if s.state == "Interrupted" else []
        has = text in said
        if not s.live(now) and not has:
            return
        if self.untaken(s):
            if has and len(said) > 1:
                said.pop(len(said) - 1 - said[::-1].index(text))
                s.task.data = {"user_message": said[-1], "messages": said}
            return
        if s.state == "Interrupted":
            self.to_running(s)
        if s.live(now) and s.run == "interrupted":
            s.run = "running"

    def row(self, id):
        for s in self.sessions.values():
            if id in s.rows:
                return s, s.rows[id]
        raise Refused("no input")

    def queue_push(
        self, label, text, now, source="user", channel="", sender="", message_id=None, mode=None
    ):
        if label in self.sessions and message_id is not None:
            seen = self.sessions[label].seen_ids.get((message_id, channel, sender))
            if seen and seen[0] != text:
                raise Refused("another message")
            if seen:
                return seen[1].get("queue_id")
        s = self.make(label)
        row = Row(None, self.last_delivery + 1, text, source, channel, sender, mode, now)
        row.met = s.task and s.task.asks()
        dropped = self.make_room(s, now, row)
        if dropped is None:
            raise Refused("full")
        self.last_delivery += 1
        steers = self.mode_for(s, source, mode) in ("steer", "steer-backlog")
        row.mode = self.stored_mode(s, row, "steer" if steers else "queue")
        self.enter(s, row, now)
        if message_id is not None:
            state = s.state
            decision = {
                "action": "queue",
                "class": None,
                "state": state,
                "previous_state": state,
                "queue_id": row.id,
            }
            if dropped:
                decision["cancelled"] = dropped
            s.seen_ids[message_id, channel, sender] = (text, decision)
        return row.id

    def queue_cancel(self, id, now):
        s, row = self.row(id)
        if row.status not in ("pending", "handed", "failed"):
            raise Refused("status")
        interrupts = row.source == "user" and row.status != "failed"
        row.status = "cancelled"
        self.calm(s, now, row.text if interrupts else None)
        return id

    def queue_retry(self, id, now):
        s, row = self.row(id)
        if row.status == "pending" and row.due is not None:  # it need not wait for its time
            row.due = None
            return id
        kept = self.stand()
        self.commit_left_behind(s, now)  # its end would call off what is tried again
        if row.status not in ("failed", "cancelled"):
            self.back_to(kept)
            raise Refused("status")
        row.status, row.attempts, row.turn, row.rank, row.due = "pending", 0, None, 0, None
        row.again, row.retried = False, True
        self.off_rows.discard(row.id)
        return id

    def queue_front(self, id, now):
        s, row = self.row(id)
        if row.status != "pending":
            raise Refused("status")
        row.rank = self.front(s)
        return id

    def front(self, s):
        """The rank of what is to stand before all that waits, and before what interrupts later."""
        return min([-1] + [r.rank for r in s.with_status("pending", "processing")]) - 1

    # -- Applying a user's input when a run takes it

    def apply_taken(self, s, row, now):
        """→ True when the run is to see it; an approval or a refusal decides and is done with."""
        if not asks_something(row):
            return True
        self.classify(s, row)
        state, cls = s.state, self.taken_as(s, row)
        said, row.cls = row.cls, row.cls if row.tried() else cls
        if cls in ("Response", "Modification", "NewTask"):
            if state == "None":
                self.start_task(s, row.text)
            elif state != "Interrupted":  # give() says when interrupted work goes on
                self.go_on(s, row, said)
        elif cls == "Confirmation":
            if state == "PendingComplete":
                self.take_up(s)
                self.end_task(s, now, True)
            row.status = "delivered"
            return False
        elif cls == "Abandon":
            self.cancel_unclaimed(s, row)
            if state != "None":
                self.take_up(s)
                self.call_off(s)
                self.end_task(s, now)
            row.status = "delivered"
            self.cancel_before(s, row)
            return False
        return True

    def taken_as(self, s, row):
        """What the class of an input that waited comes to in this state."""
        if self.earlier(s, row):
            return row.cls if row.cls in ("Clarification", "Abandon") else "Modification"
        if row.cls == "Confirmation" and s.state == "AwaitingUser":
            return "Response"
        if s.state != "None" and row.cls in ("NewTask", "Unclear"):
            return "Modification"
        return row.cls

    def cancel_before(self, s, row):
        """A refusal that waited itself calls off what its sender had said before. → which that is"""
        rows = [
            r
            for r in s.with_status("pending", "failed")
            if r.id < row.id and r.source == "user" and (r.channel, r.sender) == (row.channel, row.sender)
        ]
        for r in rows:
            r.status = "cancelled"
        return [r.id for r in sorted(rows, key=lambda r: r.id)]

    def cancel_unclaimed(self, s, row):
        """So it does with what was handed over before, and no turn has taken."""
        rows = [
            r
            for r in self.unclaimed(s)
            if r.source == "user"
            and (r.channel, r.sender) == (row.channel, row.sender)
            and (row.id is None or r.id < row.id)
        ]
        for r in rows:
            r.status = "cancelled"
        return [r.id for r in sorted(rows, key=lambda r: r.id)]

    def classify(self, s, row):
        if row.cls is None:
            row.cls = class_of(row.text)
            if not self.earlier(s, row):
                self.in_force(s, row)

    def give(self, s, rows, turn, rank=None, by_hand=False):
        """Into the turn. rank: what they get back, should it come to nothing, in this order; None: their own."""
        overtakes = [r.delivery > after.delivery for r, after in zip(rows, rows[1:])] + [False]
        ranks = [None if rank is None else rank - sum(overtakes[i:]) for i in range(len(rows))]
        for r, rank in zip(rows, ranks):
            if r.status == "pending":
                r.attempts += 1
            r.status, r.turn, r.shown, r.due = "processing", turn.id, True, None
            r.task = s.task.id if s.task else None
            if not turn.compacts:
                r.last = turn.id
            if rank is not None:
                r.rank = min(r.rank, rank)
        if s.state == "Interrupted" and (rows or by_hand) and not self.untaken(s):
            self.to_running(s)

    def next_inputs(self, s, now):
        """What turn_begin takes, applied."""
        handed = self.unclaimed(s)
        if handed:
            handed.sort(key=Row.place)
            if is_request(handed[0]):
                return handed[:1]
            return list(itertools.takewhile(lambda r: not is_request(r), handed))
        while True:
            line = s.line()
            if not line:
                return []
            first = line[0]
            rows = [first]
            if first.waits(now):
                return []
            if not is_request(first):
                if first.mode == "collect" or first.mode == "interrupt" and first.rank < 0:
                    rows = list(itertools.takewhile(lambda r: self.together(first, r, now), line))
            if first.mode == "collect" and first.rank >= 0 and len(rows) == len(line):
                if self.collected_at(s, rows, now) > now:
                    return []
            rows = [r for r in rows if self.apply_taken(s, r, now)]
            rows = [r for r in rows if r.status != "cancelled"]
            if rows:
                return rows

    def collected_at(self, s, rows, now):
        """More may be on its way, but the oldest does not wait for ever, nor a queue that is full."""
        wait, longest = self.setting(s, "collect_debounce"), self.setting(s, "collect_max_wait")
        if not wait or len(rows) >= self.setting(s, "queue_cap"):
            return now
        return min(rows[-1].at + wait, rows[0].at + max(wait, longest))

    def together(self, first, row, now):
        """Are both taken by one turn?"""
        if is_request(row) or row.waits(now):
            return False
        return (row.rank, row.mode) == (first.rank, first.mode)

    # -- Runs

    def new_turn(self, s, parent):
        if parent is not None and parent + 1 not in self.turns:
            id = parent + 1
        else:
            self.branches += 1
            id = self.branches << 24 | (0 if parent is None else (parent & 0xFFFFFF) + 1)
        if parent is None and id in self.turns:
            raise AssertionError("a turn twice")
        turn = self.turns[id] = Turn(id, parent, s.label)
        turn.nth = len(self.turns)
        self.touched.add(id)
        return turn

    def resumes(self, s, turn):
        """What the turn that failed here had written is shown before the next one here."""
        if s.failed_turn and self.turns[s.failed_turn].parent == turn.parent:
            turn.resumes = s.failed_turn
        s.failed_turn = None

    def end_turn(self, s, status, keep, interrupted=False):
        """Ends the session's running turn. → is it on the path?"""
        turn = self.turns[s.turn]
        self.touched.add(turn.id)
        turn.status, turn.phase = status, None
        turn.on_path = (
            1
            if status == "completed" or (status == "aborted" and keep and (turn.output or interrupted))
            else 0
        )
        if turn.on_path:
            self.move(s, turn.id)
            s.failed_turn = None
        elif turn.output:
            s.failed_turn = turn.id
        elif turn.resumes:
            s.failed_turn = turn.resumes
        s.turn, s.expires = None, None
        return turn

    def give_back(self, s, turn, due=None):
        """The inputs of a turn that ended. due: when they may be tried again, uncounted. → how many wait again."""
        rows = [r for r in s.with_status("processing") if r.turn == turn.id]
        for r in rows:
            if turn.on_path:
                r.status = "delivered"
            elif self.has_ended(s, r):
                r.status = "cancelled"
                self.called.append(r.id)
                self.off_rows.add(r.id)
            elif due is not None and not turn.output:
                r.status, r.turn, r.due, r.attempts = "pending", None, due, max(0, r.attempts - 1)
            elif turn.output or r.attempts >= self.setting(s, "max_attempts"):
                r.status = "failed"
            else:
                r.status, r.turn = "pending", None
        for r in rows:
            r.again = r.again or r.status == "pending"
        return sum(r.status == "pending" for r in rows)

    def has_ended(self, s, row):
        """Was it for a task that has ended?"""
        if not row.task or not self.is_for(row, Task(row.task, "")):
            return False
        return not s.task or s.task.id != row.task or s.task.state in TASK_OVER

    def take_over(self, s):
        """A run whose lease ran out, or whose process is gone: its turn fails, its token dies."""
        given = 0
        if s.turn is not None:
            turn = self.end_turn(s, "failed", False)
            given = self.give_back(s, turn)
            s.token += 1
        s.run, s.expires = "idle", None
        return given

    def fence(self, s):
        """A user's word ends the live run: output is kept, what it worked on is done with. → which that is"""
        stopped = self.stop(s, self.end_turn(s, "aborted", True))
        s.token += 1
        s.run = "idle"
        return stopped

    def stop(self, s, turn):
        """Somebody has stopped the turn."""
        rows = sorted((r for r in s.with_status("processing") if r.turn == turn.id), key=lambda r: r.id)
        for r in rows:
            r.status = "cancelled"
        return [r.id for r in rows]

    def begin(self, s, owner, now, lease=None, messages=None, source=None):
        """→ what turn_begin returns. The session's run is not live."""
        if s.turn is not None:
            self.take_over(s)
        self.commit_left_behind(s, now)
        rows = [] if messages else self.next_inputs(s, now)
        while rows and is_request(rows[0]) and s.head is None and not s.failed_turn:
            rows[0].status = "delivered"  # there is nothing yet that could be compacted
            rows = self.next_inputs(s, now)
        if not rows and not messages:
            return None
        if s.status in ("suspended", "archived"):
            s.status = "active"
        self.leave(s)
        if rows and is_request(rows[0]) and s.head is None:
            self.take_up_failed(s)
            self.leave(s)
        s.run = "running" if s.run in ("ready", "running", "interrupted") else "starting"
        s.owner, s.token = owner, s.token + 1
        s.lease = self.setting(s, "lease") if lease is None else lease
        s.expires, s.beat = now + s.lease, now
        turn = self.new_turn(s, s.head)
        turn.owner = owner
        turn.compacts = bool(rows) and is_request(rows[0])
        if turn.compacts:
            turn.phase = "compacting"
        else:
            self.resumes(s, turn)
        s.turn = turn.id
        if messages:  # what was handed over to the host can be among them
            handed = [
                r
                for r in sorted(s.with_status("handed"), key=Row.place)
                if r.text in [m["content"] for m in messages]
            ]
            self.give(s, handed, turn, self.front(s), True)
        else:
            self.give(s, rows, turn, self.front(s))
        if messages and source == "user" and s.state == "PendingComplete":
            self.to_running(s)
        self.given.append((turn.id, s.token))
        return {
            "turn": turn.id,
            "token": s.token,
            "parent": turn.parent,
            "expires_at": s.expires,
            "inputs": [r.id for r in rows],
        }

    def take_up_failed(self, s):
        """What failed turns alone have written gets a turn above a summary."""
        turn = self.new_turn(s, None)
        turn.status, turn.phase, turn.on_path = "completed", None, 1
        self.resumes(s, turn)
        self.move(s, turn.id)

    def turn_begin(self, label, owner, now, lease=None, messages=None, source="user"):
        if label not in self.sessions and not messages:
            return None
        s = self.make(label)
        if s.status == "archived" and not messages:
            return None
        if s.status == "error":
            raise Refused("in error")
        if s.live(now):
            raise Refused("busy")
        begun = self.begin(s, owner, now, lease, messages, source)
        return begun and {**begun, **self.off()}

    def holder(self, turn, token):
        """The session of a running turn, when the token is the right one."""
        if turn not in self.turns:
            raise Refused("no turn")
        if self.turns[turn].status != "running":
            raise Refused("over")
        s = self.sessions[self.turns[turn].session]
        if s.turn != turn or s.token != token:
            raise Refused("token")
        return s, self.turns[turn]

    def conversing(self, turn, token):
        """The same, for what a compaction does not do: it says nothing but its summary."""
        s, t = self.holder(turn, token)
        if t.compacts:
            raise Refused("compaction")
        return s, t

    def sign(self, s, now, lease=None):
        """A call with the token renews the lease, and says what there is to know."""
        if lease is not None:
            s.lease = lease
        s.expires, s.beat = now + s.lease, now
        steering = [r for r in s.with_status("pending") if r.mode in STEERED and not r.waits(now)]
        return {
            "expires_at": s.expires,
            "interrupted": s.run == "interrupted",
            "steering": len(steering),
        }

    def working(self, s):
        if s.run == "starting":
            s.run = "running"

    def works(self, s):
        """Something is recorded: it is work, whatever becomes of the turn."""
        self.working(s)
        if s.task:
            s.task.work = True

    def turn_message(self, turn, token, message, now):
        s, t = self.conversing(turn, token)
        t.output = True
        self.works(s)
        return self.sign(s, now)

    def turn_tool_call(self, turn, token, call, name, params, now):
        s, t = self.conversing(turn, token)
        t.output = True
        t.calls.append(call)
        self.works(s)
        return self.sign(s, now)

    def turn_tool_result(self, turn, token, call, result, now):
        ended = self.turns.get(turn)
        if ended and ended.status != "running":
            return self.late_result(ended, token, call, now)
        s, t = self.conversing(turn, token)
        if call not in t.calls:
            raise Refused("no call")
        t.calls.remove(call)
        self.works(s)
        return {"status": "completed", **self.sign(s, now)}

    def late_result(self, t, token, call, now):
        """The turn has ended: into the call's row when nobody goes on from it, else an input of who does."""
        if call not in t.calls:
            raise Refused("no call")
        by = t if t.on_path else self.taken_up_by(t)
        if by is None:
            t.calls.remove(call)
            return {"status": "completed", "late": True}
        s = self.sessions[by.session]
        if s.turn == by.id and s.token <= token:
            raise Refused("token")
        told = s.seen_ids.get(("result", "tool", call))
        if t.on_path and not s.live(now):
            if told and self.is_shown(s, s.rows[told[1]["queue_id"]]):
                return {"status": "completed", "late": True, "duplicate": True}
            raise Refused("stays")
        if told:
            return {"status": "completed", "late": True, **told[1], "duplicate": True}
        self.last_delivery += 1
        row = Row(None, self.last_delivery, "what it gave", "system", "tool", call, "steer", now)
        row.held = True
        self.enter(s, row, now)
        s.seen_ids["result", "tool", call] = (row.text, {"queue_id": row.id})
        return {"status": "completed", "late": True, "queue_id": row.id}

    def is_shown(self, s, row):
        """Does the input wait, or stand in the messages of a turn that stays, or of one that such a turn goes on from?"""
        if row.status in QUEUE_WAITS:
            return True
        turn = self.turns.get(row.last)
        return bool(turn) and (turn.on_path or self.taken_up_by(turn) is not None)

    def taken_up_by(self, t):
        """Who was shown what it has left, and runs, or stays: what came to nothing between them hands it on."""
        for u in sorted(self.turns.values(), key=lambda u: -u.id):
            if u.resumes == t.id:
                found = u if u.on_path or u.status == "running" else self.taken_up_by(u)
                if found:
                    return found
        return None

    def turn_phase(self, turn, token, phase, now):
        s, t = self.conversing(turn, token)
        if phase != t.phase and phase not in PHASES[t.phase]:
            raise Refused("move")
        if phase != t.phase:
            t.phase = phase
            self.touched.add(t.id)
            self.working(s)
        return {"phase": phase, **self.sign(s, now)}

    def turn_heartbeat(self, turn, token, now, lease=None):
        s, t = self.holder(turn, token)
        return self.sign(s, now, lease)

    def turn_steering(self, turn, token, now):
        s, t = self.conversing(turn, token)
        self.commit_left_behind(s, now)
        rows = []
        for r in s.line():
            if r.waits(now):
                continue
            if self.can_steer(s, r):
                if self.apply_taken(s, r, now):
                    rows.append(r)
            elif r.mode in STEERED and asks_something(r):
                r.mode = "queue"
        self.give(s, rows, t)
        if s.run == "interrupted":
            s.run = "running"
        return {"inputs": [r.id for r in rows], **self.off(), **self.sign(s, now)}

    def can_steer(self, s, row):
        """What ends the task, or asks for another one, is left to the next turn."""
        if row.mode not in STEERED or is_request(row):
            return False
        if asks_something(row):
            self.classify(s, row)
        if row.cls == "Confirmation" and self.earlier(s, row):
            return True  # it approves nothing, and is words
        return row.cls in (None, "Response", "Modification", "Clarification")

    def ended(self, s, turn, note=False):
        return {
            "turn": turn.id,
            "status": turn.status,
            "on_path": bool(turn.on_path),
            "head": s.head,
            "state": s.state,
            "note": note,
            "waiting": len(s.with_status("pending") + self.unclaimed(s)),
        }

    def turn_complete(self, turn, token, result, now):
        s, t = self.holder(turn, token) if result is None else self.conversing(turn, token)
        if t.compacts:
            return self.leave_compaction(s, t, now)
        result = result or {}
        self.end_turn(s, "completed", True)
        self.give_back(s, t)
        s.run = "ready"
        s.beat = now
        note = False
        outcome = result.get("outcome")
        if outcome:
            field = "question" if outcome == "question" else "summary"
            text = result.get(field, result.get("content"))
            untaken = s.state == "Interrupted" and any(
                r.mode in STEERED and not r.waits(now) for r in s.with_status("pending")
            )
            if not text or not s.task or untaken or s.state in TASK_OVER:
                note = True
            elif outcome == "question":
                at = self.asked_at(s, now)
                s.task.asked_after = self.last_delivery
                s.task.state, s.task.data = "AwaitingUser", {"question": text, "asked_at": at}
            else:
                s.task.asked_after = self.last_delivery
                s.task.state, s.task.data = "PendingComplete", {"summary": text}
        return self.ended(s, t, note)

    def leave_compaction(self, s, t, now):
        """Without a summary: what asked for it is done with, and the context stays."""
        self.end_turn(s, "aborted", False)
        for r in s.with_status("processing"):
            if r.turn == t.id:
                r.status = "delivered"
        s.run, s.beat = "ready", now
        return self.ended(s, t, True)

    def turn_fail(self, turn, token, error, now, retry_after=None):
        s, t = self.holder(turn, token)
        self.end_turn(s, "failed", False)
        self.give_back(s, t, None if retry_after is None else now + retry_after)
        s.run, s.beat = "idle", now
        off = {"cancelled": self.called} if self.called else {}
        return {**self.ended(s, t, retry_after is not None and t.output), **off}

    def turn_abort(self, turn, token, reason, now, keep=1, requeue=0):
        s, t = self.holder(turn, token)
        stopped = []
        self.end_turn(s, "aborted", keep and not requeue and not t.compacts, s.run == "interrupted")
        if requeue:
            for r in s.with_status("processing"):
                if r.turn == t.id:
                    r.status, r.turn = "pending", None
        else:
            stopped = self.stop(s, t)
        s.run, s.beat = "idle", now
        return {**self.ended(s, t), **({"cancelled": stopped} if stopped else {})}

    def turnstile_startup(self, owner, now, all=0):
        report = {"sessions": [], "runs_reset": 0, "sessions_suspended": 0, "items_given_back": 0}
        for label in sorted(self.sessions):
            s = self.sessions[label]
            if s.run is None or s.run == "idle":
                continue
            expired = s.expires is not None and s.expires <= now
            if owner and not all and s.turn is not None and s.run in LIVE_RUN and not expired:
                continue  # a name is no proof that nobody works
            if (s.owner == owner) if owner else (all or expired):
                report["sessions"].append(label)
                report["runs_reset"] += 1
                report["items_given_back"] += self.take_over(s)
                if s.status == "active":
                    s.status = "suspended"
                    report["sessions_suspended"] += 1
        return report

    def session_run(self, label, owner, state, data, now, token=None, dead=0):
        s = self.session(label)
        if s.run not in (None, "idle") and s.owner != owner:
            raise Refused("another's")
        if state != (s.run or "idle") and state not in RUNS[s.run or "idle"]:
            raise Refused("move")
        if s.turn is not None and state == "ready":
            raise Refused("turn runs")
        if s.turn is not None and state in ("idle", "error"):
            live = s.run in LIVE_RUN and s.expires is not None and s.expires > now
            if not dead and token is not None and token != s.token:
                raise Refused("token")
            if not dead and token is None and live:
                raise Refused("a name is no proof")
            self.give_back(s, self.end_turn(s, "failed", False))
            s.token += 1
        s.run, s.owner, s.beat = state, owner, now
        return state

    def session_sweep(self, now):
        report = {"leases_expired": 0, "runs_stopped": 0, "tasks_committed": 0}
        for s in self.sessions.values():
            if s.state in TASK_OVER:
                self.commit_left_behind(s, now)
                report["tasks_committed"] += 1
            if s.run in LIVE_RUN and s.expires is not None and s.expires <= now:
                self.take_over(s)
                report["leases_expired"] += 1
            elif s.run == "ready" and s.beat + self.setting(s, "run_idle_timeout") < now:
                s.run = "idle"
                report["runs_stopped"] += 1
        return report

    # -- The tree

    def turn_append(self, label, messages, now):
        s = self.make(label)
        if s.status == "error":
            raise Refused("in error")
        if s.live(now):
            raise Refused("busy")
        if s.turn is not None:
            self.take_over(s)
        self.resume(s)
        turn = self.new_turn(s, s.head)
        turn.status, turn.phase, turn.on_path = "completed", None, 1
        self.resumes(s, turn)
        said = [m["content"] for m in messages]
        for r in s.with_status("handed"):
            if not r.awaits or r.text in said:
                r.status, r.turn = "delivered", turn.id
        self.move(s, turn.id)
        return turn.id

    def path(self, turn):
        while turn is not None:
            yield turn
            turn = self.turns[turn].parent

    def session_rewind(self, label, turn, now):
        s = self.session(label)
        if s.live(now):
            raise Refused("busy")
        if turn is not None and turn not in self.turns:
            raise Refused("no turn")
        if turn is not None and turn not in [*self.path(s.head), *self.path(s.tip)]:
            raise Refused("off the path")
        if s.turn is not None:
            self.take_over(s)
        stand = s.places.get(turn)
        if turn == s.head:
            stand = s.left[0] if s.left else s.task and s.task.stand()
        same = stand and s.task and stand[0] == s.task.root
        if stand and stand[2] in TASK_OVER and not (same and s.state == stand[2]):
            stand = None
        forwards = (turn or 0) & 0xFFFFFF > (s.head or 0) & 0xFFFFFF or bool(turn and not s.head)
        tried = [r for r in s.rows.values() if self.was_tried(r, turn, forwards)]
        if turn == s.head and not s.failed_turn and stand == (s.task and s.task.stand()) and not tried:
            return {"head": turn, "state": s.state, "previous_state": s.state, **self.off()}
        before = s.state
        self.move(s, turn, s.tip or s.head or 0)
        s.failed_turn = None
        if s.choice:
            self.release(s, now)
        returned = self.unclaimed(s)
        for r in returned:
            r.status, r.cls, r.mode, r.attempts = "pending", None, None, max(0, r.attempts - 1)
        self.take_up(s)  # its host has begun with it
        for r in tried:
            r.status = "cancelled"
            self.called.append(r.id)
        self.take_along(s, stand, now)
        for r in returned:  # what they were said to stands again
            if r.met and s.task and r.met == s.task.asks():
                s.task.asked_after = min(s.task.asked_after, r.delivery - 1)
        self.called += [r.id for r in returned if r.status == "cancelled" and r.id not in self.called]
        back = {"returned": sorted(r.id for r in returned if r.status == "pending")}
        return {
            "head": turn,
            "state": s.state,
            "previous_state": before,
            **self.off(),
            **(back if back["returned"] else {}),
        }

    def off(self):
        return {"cancelled": self.called} if self.called else {}

    def has_left(self, turn, head):
        """Is a turn none that the conversation has come by, nor one that failed and was gone on from?"""
        if head is None or turn & 0xFFFFFF > head & 0xFFFFFF:
            return True
        there = next(t for t in self.path(head) if t & 0xFFFFFF == turn & 0xFFFFFF)
        if there == turn:
            return False
        t = self.turns[turn]
        return bool(t.on_path) or self.turns[there].parent != t.parent or t.nth > self.turns[there].nth

    def was_tried(self, r, head, forwards):
        """Had a turn it that the head leaves, and is it to be tried again?"""
        if r.status == "failed":
            return self.has_left(r.turn, head) if r.turn else not forwards and r.attempts > 0
        if r.status not in QUEUE_WAITS or r.status == "handed" and not r.awaits:
            return False
        attempts = r.attempts - (r.status == "handed")
        if attempts <= 0 and not (r.again and r.last):
            return False
        return self.has_left(r.last, head) if r.last else not forwards and attempts > 0

    def take_along(self, s, stand, now):
        if s.task and s.task.stand() == stand:
            return
        if s.state in TASK_OVER:
            self.end_task(s, now, True)
        if s.task and not (stand and stand[0] == s.task.root):
            if s.task.root != s.task.id and not s.task.own:
                s.task.work = False  # the commit before has it all
            self.end_task(s, now)
        if stand and not s.task:
            self.start_task(s, stand[1])
            s.task.root, s.task.work = stand[0], True
        if s.task:
            s.task.asked_after = self.last_delivery
            s.task.state, s.task.data = stand[2], copy.deepcopy(stand[3])
            s.task.work = True

    def session_fork(self, turn, label, now):
        if turn not in self.turns:
            raise Refused("no turn")
        if not self.turns[turn].on_path:
            raise Refused("not kept")
        if label in self.sessions:
            raise Refused("taken")
        self.make(label).head = turn
        return label

    # -- Delivering

    def session_deliver(
        self,
        label,
        text,
        now,
        source="user",
        channel="",
        sender="",
        message_id=None,
        mode=None,
        owner=None,
        **more,
    ):
        key = (message_id, channel, sender)
        if (
            message_id is not None
            and label in self.sessions
            and key in self.sessions[label].seen_ids
        ):
            first, decision = self.sessions[label].seen_ids[key]
            conflict = {"conflict": True} if first != text else {}
            return {"action": "duplicate", "duplicate": True, **conflict, "first": decision}
        s = self.make(label)
        if s.turn is not None and not s.live(now):
            self.take_over(s)
        before = s.state
        kept = self.stand() if self.is_full(s) else None
        row = Row(None, self.last_delivery + 1, text, source, channel, sender, mode, now)
        row.met = s.task and s.task.asks()
        row.cls = more.get("class")
        row.given = row.cls is not None
        d = self.rouse(s, self.decide(s, row, now), now)
        d = {"class": None, "previous_state": before, "state": s.state, **d}
        if self.called:
            d["cancelled"] = d.get("cancelled", []) + self.called
        if d["action"] == "rejected":
            if kept:
                self.back_to(kept)
                d["state"] = before
            d.pop("cancelled", None)
            return d
        self.last_delivery += 1
        if (
            owner
            and not s.live(now)
            and d["action"] in ("start", "continue", "answer")
            and "queue_id" in d
        ):
            listed = len(self.called)
            turn = self.begin(s, owner, now)
            if self.called[listed:]:
                d["cancelled"] = d.get("cancelled", []) + self.called[listed:]
            if turn:  # else there was only a "/compact" with nothing to compact
                d["turn"] = turn
            d["state"] = s.state
        if message_id is not None:
            s.seen_ids[key] = (text, d)
        return d

    def is_full(self, s):
        """Can something be refused for want of room?"""
        full = len(s.with_status("pending")) >= self.setting(s, "queue_cap")
        return self.setting(s, "queue_full") == "reject" and (full or s.choice)

    def stand(self):
        """Everything, as it is: a message that is rejected changes nothing."""
        return copy.deepcopy({k: v for k, v in vars(self).items() if k not in ("given", "config", "touched")})

    def back_to(self, stand):
        vars(self).update(stand)

    def wait(self, s, row, now, action, rank=0):
        """The message goes into the queue, if there is room."""
        dropped = [] if row.held else self.make_room(s, now, row)  # what was held has been accepted already
        if dropped is None:
            return {"action": "rejected", "class": row.cls}
        row.mode = self.stored_mode(s, row, action)
        row.rank = rank
        self.enter(s, row, now)
        return {
            "action": action,
            "class": row.cls,
            "queue_id": row.id,
            **({"cancelled": dropped} if dropped else {}),
        }

    def stored_mode(self, s, row, action):
        """What neither steers nor interrupts waits in line."""
        mode = self.mode_for(s, row.source, row.mode)
        if is_request(row):
            return "queue"
        return "queue" if action not in ("steer", "interrupt") and mode in STEERED else mode

    def keeps_turns(self, s):
        """Does the host that delivers? An owner does, whatever the setting says."""
        return bool(self.owner or self.setting(s, "keeps_turns"))

    def hand(self, s, rows):
        """They are handed to the caller. What a host without turns was handed before is taken up."""
        keeps = self.keeps_turns(s)
        if rows:
            self.leave(s)
        self.take_up(s)
        for r in rows:
            r.status, r.due = "handed", None
            r.awaits = keeps
            r.attempts += 1

    def rouse(self, s, d, now):
        """An "ok" where nobody may be at work hands over again what no turn has taken."""
        ok = d["action"] == "acknowledge" and d["class"] == "Confirmation" and "inputs" not in d
        rows = [r for r in self.unclaimed(s) if not is_compact(r.text)]
        if not ok or not rows or s.busy(now) or s.choice or not self.keeps_turns(s):
            return d
        asks = all(r.cls in CLASS_WORDS for r in rows)
        return {**d, "action": "answer" if asks else "continue", **self.hand_all(s)}

    def decide(self, s, row, now):
        live = s.live(now)
        if s.status == "error":
            cls, compacts = row.cls or class_of(row.text), live and self.turns[s.turn].compacts
            if not compacts or row.cls != "Abandon" or not asks_something(row):
                row.cls = None
            off = self.call_off_early(s, row, cls)
            if off is not None and live and not compacts:
                off = off + self.fence(s)
            d = self.wait(s, row, now, "blocked")
            off = (off or []) + d.get("cancelled", [])
            return {**d, "class": None, **({"cancelled": off} if off else {})}
        if s.status == "archived":
            if row.source != "user" and not live:
                row.cls = None
                return self.wait(s, row, now, "queue")
            if row.source == "user" and self.setting(s, "on_archived") == "reject":
                return {"action": "rejected", "class": None}
        if s.status == "suspended" or row.source == "user" or not live:
            s.status = "active"
        if live and self.turns[s.turn].compacts:
            cls = row.cls or class_of(row.text)
            if row.cls != "Abandon" or not asks_something(row):
                row.cls = None  # it is looked at when it is taken; a command means nothing
            off = self.call_off_early(s, row, cls) or []
            d = self.wait(s, row, now, "queue")
            off = off + d.get("cancelled", [])
            return {**d, "class": None, **({"cancelled": off} if off else {})}
        busy = live or s.delayed(now)
        if not busy or asks_something(row):
            self.commit_left_behind(s, now)
        if not asks_something(row):
            row.cls = None
            if busy:
                mode = self.mode_for(s, row.source, row.mode)
                steers = live and row.source != "user" and mode in ("steer", "steer-backlog")
                steers = steers and not is_compact(row.text)
                return self.wait(s, row, now, "steer" if steers else "queue")
        if is_compact(row.text):
            row.mode = "queue"
            self.enter(s, row, now)
            self.hand(s, [row])
            return {"action": "compact", "queue_id": row.id}
        if row.source != "user":
            return self.from_others(s, row, now)
        if row.cls is None:
            row.cls = class_of(row.text)
        if s.choice:
            return self.at_choice(s, row, now, busy)
        return self.by_table(s, row, now, busy)

    def call_off_early(self, s, row, cls):
        """What a refusal calls off that is only looked at later: nothing when it takes back what a choice holds. →
        which that is, or None"""
        if cls != "Abandon" or not asks_something(row):
            return None
        if s.choice and (s.choice.kind != "UnclearChoice" or row.text in ANSWERS or row.text == "yes"):
            return None
        return self.cancel_mine(s, row)

    def ask(self, s, row):
        s.choice = Choice(row.cls + "Choice", row)
        row.held = True
        return {"action": "prompt", "class": row.cls}

    def in_force(self, s, row):
        if s.state == "PendingComplete" and row.text == "yes":
            row.cls = "Confirmation"
        if s.state == "AwaitingUser" and row.cls == "Confirmation":
            row.cls = "Response"
        return row.cls

    def by_table(self, s, row, now, live, closes=False):
        """closes: a refusal that closes a choice lists what the run had behind what no turn had taken."""
        d, cancelled = self.decide_by_table(s, row, now, live, closes)
        cancelled = cancelled + d.get("cancelled", [])
        return {**d, **({"cancelled": cancelled} if cancelled else {})}

    def decide_by_table(self, s, row, now, live, closes):
        """Step 8 and 9: class × state. → the decision, and what was called off"""
        cls, state, stopped = self.in_force(s, row), s.state, []
        if live:
            ends = (
                cls == "Confirmation"
                and state == "PendingComplete"
                or cls == "Abandon"
                and state != "None"
            )
            switch = (
                cls == "NewTask"
                and state != "None"
                and self.setting(s, "new_task_policy") == "switch"
            )
            if not ends and not switch and cls != "Abandon":
                return self.by_table_live(s, row, now, cls, state), []
            mine = self.cancel_mine(s, row) if cls == "Abandon" else []
            stopped = self.fence(s) if s.live(now) else []
        elif cls == "Abandon":
            mine = self.cancel_mine(s, row)
        if cls == "Abandon":
            unclaimed = self.cancel_unclaimed(s, row)
            mine += unclaimed + stopped if closes else stopped + unclaimed
            if state == "None":
                return {"action": "acknowledge", "class": cls}, mine
            mine += self.call_off(s)
            self.take_up(s)
            self.end_task(s, now)
            return {"action": "abandon", "class": cls}, mine
        return self.apply(s, row, now, cls, state), stopped

    def apply(self, s, row, now, cls, state):
        if cls in ("Response", "Modification"):
            if state == "None":
                self.start_task(s, row.text)
                return self.work(s, row, now, "start")
            self.to_running(s)
            return self.work(s, row, now, "continue")
        if cls == "NewTask":
            if state == "None":
                self.start_task(s, row.text)
                return self.work(s, row, now, "start")
            if self.setting(s, "new_task_policy") == "switch":
                self.take_up(s)
                ended = s.task
                self.end_task(s, now)
                off = self.give_way(s, row, ended)
                self.start_task(s, row.text)
                return {**self.work(s, row, now, "start"), **({"cancelled": off} if off else {})}
            return self.ask(s, row)
        if cls == "Unclear" and state != "None":
            return self.ask(s, row)
        if cls in CLASS_WORDS:
            return self.work(s, row, now, "answer")
        if cls == "Confirmation":
            if state == "PendingComplete":
                self.take_up(s)
                self.end_task(s, now, True)
                return {"action": "complete", "class": cls}
            return self.acknowledge(s, row, now)

    def cancel_mine(self, s, row):
        mine = [
            r
            for r in s.with_status("pending", "failed")
            if r.source == "user" and (r.channel, r.sender) == (row.channel, row.sender)
        ]
        for r in mine:
            r.status = "cancelled"
        return [r.id for r in mine]

    def work(self, s, row, now, action):
        """The message asks for work: it is handed over, behind all that waited."""
        if s.delayed(now):  # another task began, and something else waits for its time still
            row.held = True
            return self.wait(s, row, now, "queue")
        self.enter(s, row, now)
        if s.task and (action != "start" or row.source != "user"):  # what waited has begun it
            s.task.work = True
        return {"action": action, "class": row.cls, **self.hand_all(s)}

    def acknowledge(self, s, row, now):
        """An approval that approves nothing: the newest of users' messages that wait decides."""
        done = self.waiting_decides(s, now)
        off = {"cancelled": self.called_off} if self.called_off else {}
        if done == "handed":
            if not s.with_status("pending"):
                return {"action": "acknowledge", "class": row.cls, **off}
            return {"action": self.last_action, "class": row.cls, **off, **self.hand_all(s)}
        return {"action": done, "class": row.cls, **off}

    def waiting_decides(self, s, now):
        """→ "handed": it is work, for which see last_action; else the action that ended it."""
        self.last_action, self.called_off = "continue", []
        users = sorted(filter(asks_something, s.line()), key=lambda r: r.delivery)
        while users:
            row = users.pop()
            self.classify(s, row)
            cls, state = self.taken_as(s, row), s.state
            said, row.cls = row.cls, row.cls if row.tried() else cls
            if cls in ("Response", "Modification", "NewTask"):
                if state == "None":
                    self.start_task(s, row.text)
                    self.last_action = "start"
                self.go_on(s, row, said)
                return "handed"
            if cls in CLASS_WORDS:
                self.last_action = "answer"
                return "handed"
            row.status = "delivered"
            if cls == "Abandon":
                self.called_off += self.cancel_unclaimed(s, row)
                if state != "None":
                    self.called_off += self.call_off(s)
                self.called_off += self.cancel_before(s, row)
                users = [r for r in users if r.status == "pending"]
            if cls == "Confirmation" and state == "PendingComplete":
                self.take_up(s)
                self.end_task(s, now, True)
                return "complete"
            if cls == "Abandon" and state != "None":
                self.take_up(s)
                self.end_task(s, now)
                return "abandon"
        return "handed"

    def from_others(self, s, row, now):
        if s.choice:  # what is said meanwhile passes by, unless a user's message waits
            if any(r.source == "user" for r in s.line()):
                return self.wait(s, row, now, "queue")
            return self.work(s, row, now, "continue")
        done = self.waiting_decides(s, now)
        off = self.called_off
        if done != "handed":
            d = self.wait(s, row, now, "queue")
        else:
            d = self.work(s, row, now, "start" if self.last_action == "start" else "continue")
        off = off + d.get("cancelled", [])
        return {**d, **({"cancelled": off} if off else {})}

    def at_choice(self, s, row, now, live):
        choice, cls = s.choice, row.cls
        if row.text in ANSWERS:
            row.cls = "Response"  # to what was asked
            return self.settle(s, OPTIONS[choice.kind][ANSWERS[row.text]], row, now, live)
        if row.text == "yes" or cls == "Unclear":
            if row.text != "yes" and len(row.text.split()) > 1:  # words that are no answer
                row.cls, row.mode = "Modification", None
                choice.later.append(row)
            return {"action": "prompt", "class": cls}
        if cls == "Clarification":
            return self.by_table(s, row, now, live)
        if cls == "NewTask":
            stopped = self.fence(s) if s.live(now) else []
            d = self.fresh(s, choice.held, row, now)
            stopped = stopped + d.get("cancelled", [])
            return {**d, **({"cancelled": stopped} if stopped else {})}
        if cls == "Abandon":
            return self.take_back(s, row, now, live)
        if cls != "Confirmation" and not self.belongs(s, row):
            row.cls = "Modification"  # what it comes to, should the choice be settled
            row.mode = None
            choice.later.append(row)
            return {"action": "prompt", "class": cls}
        if cls == "Confirmation" and s.state == "PendingComplete":
            return self.by_table(s, row, now, live)
        if choice.kind == "NewTaskChoice":  # nobody has said that the request is not to be started
            if cls == "Confirmation" and s.state != "AwaitingUser":
                return {"action": "acknowledge", "class": cls}
            return self.by_table(s, row, now, live)
        d = self.close_with_continue(s, now, live)
        row.held = True  # what has settled a choice is not refused
        waits = {"queue_id": d["queue_id"]} if live else {}
        if self.in_force(s, row) == "Confirmation" and s.state != "PendingComplete":
            if live:
                return {"action": "acknowledge", "class": "Confirmation", **waits}
            return {"action": "continue", "class": "Confirmation", **self.hand_all(s)}
        d = self.by_table(s, row, now, live)
        return d if d["action"] == "rejected" else {**waits, **d}

    def belongs(self, s, row):
        """Does the message go on with the task? Its caller has said so, or it speaks of it: not of the request
        that would take its place."""
        said, task, held = words_of(row.text), words_of(s.task.description), words_of(s.choice.held.text)
        if s.choice.kind == "NewTaskChoice":
            return row.given or bool(said & task - held) and not said & held
        return row.given or bool(said & (task | held))

    def take_back(self, s, row, now, live):
        """An Abandon: over a new request this is what is taken back, without a run or where it is spoken of, else
        the task with all that was held. What is another's waits."""
        choice, s.choice = s.choice, None
        takes_request = choice.kind == "NewTaskChoice" and not (
            s.live(now) and not words_of(row.text) & words_of(choice.held.text)
        )
        off = [] if takes_request else self.cancel_mine(s, row)
        for held in choice.all():
            if (held.channel, held.sender) != (row.channel, row.sender):
                self.put_back(s, held, now)
        if takes_request:
            return {"action": "acknowledge", "class": "Abandon"}
        d = self.by_table(s, row, now, live, True)
        off += d.get("cancelled", [])
        return {**d, **({"cancelled": off} if off else {})}

    def close_with_continue(self, s, now, live):
        """A held request is only noted; a held unclear message counts as a change to the task, and so does what was
        said after either. → what became of the last of them with a live run, else what is held itself, if any"""
        choice, s.choice = s.choice, None
        rows, d = choice.later if choice.kind == "NewTaskChoice" else choice.all(), None
        for row in rows:
            row.cls, row.held = "Modification", True
            if live:
                d = self.by_table_live(s, row, now, "Modification", s.state)
            else:
                self.go_on(s, row, row.cls)
                s.task.work = True
                d = self.enter(s, row, now)
        return d

    def fresh(self, s, held, row, now):
        """The old task ends, a new one starts with what was held, or with the newer message."""
        self.take_up(s)
        later, s.choice = s.choice.later, None
        ended = s.task
        self.end_task(s, now)
        off = self.give_way(s, row or held, ended)
        off = {"cancelled": off} if off else {}
        if s.delayed(now):
            self.start_task(s, (row or held).text)
            for r in filter(None, (held, *later, row)):
                r.held = True
                d = self.wait(s, r, now, "queue")
            return {**d, "class": row.cls if row else None, **off}
        for r in filter(None, (held, *later, row)):
            self.enter(s, r, now)
        self.start_task(s, (row or held).text)
        return {"action": "start", "class": row.cls if row else None, **off, **self.hand_all(s)}

    def settle(self, s, action, row, now, live):
        cls = row.cls if row else None
        if action == "start_fresh":
            stopped = self.fence(s) if s.live(now) else []
            d = {**self.fresh(s, s.choice.held, None, now), "class": cls}
            stopped = stopped + d.get("cancelled", [])
            return {**d, **({"cancelled": stopped} if stopped else {})}
        if row is None and s.choice.kind == "UnclearChoice":
            cls = "Modification"  # that of what was held
        d = self.close_with_continue(s, now, live)
        if d is None:
            return {"action": "continue", "class": cls}
        if live:
            return {**d, "class": cls}
        return {"action": "continue", "class": cls, **self.hand_all(s)}

    def hand_all(self, s):
        """All that waits is handed over."""
        rows = s.line()
        for r in rows:
            if asks_something(r) and r.cls is None:
                r.cls = class_of(r.text)
        again = []
        if self.keeps_turns(s):
            again = [r for r in self.unclaimed(s) if not is_compact(r.text)]
        self.hand(s, rows)
        given = sorted(rows + again, key=Row.place)
        return {"queue_id": given[-1].id, "inputs": [r.id for r in given]}

    def session_choose(self, label, choice, now):
        s = self.session(label)
        if not s.choice:
            raise Refused("no choice")
        if s.state in TASK_OVER:
            raise Refused("choice over")
        if s.status == "error":
            raise Refused("in error")
        s.status = "active"
        before = s.state
        action = OPTIONS[s.choice.kind][ANSWERS[choice]] if choice in ANSWERS else choice
        d = self.settle(s, action, None, now, s.busy(now))
        off = d.get("cancelled", []) + self.called
        return {"class": None, "previous_state": before, "state": s.state, **d, **({"cancelled": off} if off else {})}

    def by_table_live(self, s, row, now, cls, state):
        mode = self.mode_for(s, row.source, row.mode) if s.live(now) else "queue"
        if cls == "Confirmation" or cls == "Abandon":
            return {"action": "acknowledge", "class": cls}
        if cls in ("NewTask", "Unclear") and state != "None":
            return self.ask(s, row)
        if cls in ("Response", "Modification"):
            if mode == "interrupt":
                d = self.wait(s, row, now, "interrupt", -1)
                if d["action"] != "rejected":
                    self.interrupt_task(s, row.text)
                    s.run = "interrupted"
                return d
            if mode in STEERED:
                d = self.wait(s, row, now, "steer")
                if d["action"] != "rejected":
                    self.interrupt_task(s, row.text)
                return d
            return self.wait(s, row, now, "queue")
        steered = cls == "Clarification" and mode in ("steer", "steer-backlog")
        return self.wait(s, row, now, "steer" if steered else "queue")


# ---- The database --------------------------------------------------------------------------------


LOOK = """SELECT s.status, s.thread_id, s.queue_mode, s.pending_choice ->> '$.kind',
  s.pending_choice ->> '$.delivery_id', s.pending_choice -> '$.earlier', t.id, t.state, t.state_data, t.description, r.owner,
  r.token, r.run_state, r.turn_id, r.expires_at, r.failed_turn_id
FROM sessions AS s LEFT JOIN tasks AS t ON t.id = s.open_task_id
LEFT JOIN session_runs AS r ON r.session_label = s.label
WHERE s.label = ?"""
ROWS = """SELECT id, status, mode, class, attempts, turn_id, iif(status = 'cancelled', 0, rank), due_at
FROM session_queue
WHERE session_label = ? ORDER BY id"""
TURN = "SELECT id, parent_turn_id, status, phase, on_path, resumes_turn_id FROM turns WHERE id = ?"
RESULTS = (
    "action class state previous_state queue_id duplicate conflict token parent expires_at status "
    "on_path head waiting late "
    "interrupted steering phase"
).split()


def seen_of(result):
    """What is compared of a result: as the model says it."""
    if not isinstance(result, str) or not result.startswith("{"):
        return result
    r = json.loads(result)
    if "runs_reset" in r:
        return {
            k: r[k] for k in ("sessions", "runs_reset", "sessions_suspended", "items_given_back")
        } | {"sessions": sorted(r["sessions"])}
    if "leases_expired" in r:
        return {k: r[k] for k in ("leases_expired", "runs_stopped", "tasks_committed")}
    seen = {k: r[k] for k in RESULTS if k in r}
    if "action" in r and r["action"] in HANDING and "queue_id" in r:
        seen["inputs"] = [i["queue_id"] for i in r["inputs"]] if "inputs" in r else [r["queue_id"]]
    if "messages" in r:
        seen["inputs"] = [m["queue_id"] for m in r["messages"] if "queue_id" in m]
    if "cancelled" in r:
        seen["cancelled"] = sorted(c["queue_id"] for c in r["cancelled"])
    if "returned" in r:
        seen["returned"] = sorted(i["queue_id"] for i in r["returned"])
    if "waiting" in r:
        seen["note"] = "note" in r
    if "first" in r:
        seen["first"] = seen_of(json.dumps(r["first"]))
    if "turn" in r:
        seen["turn"] = seen_of(json.dumps(r["turn"])) if isinstance(r["turn"], dict) else r["turn"]
    return seen


def word_of(error):
    text = str(error)
    return next((word for word, pattern in ERRORS if re.search(pattern, text)), text)


class Database:
    def __init__(self, path, door):
        self.db = db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=400)
        db.enable_load_extension(True)
        db.load_extension(path)
        db.create_function("class_of", -1, lambda message, *rest: class_of(message))
        db.execute("SELECT turnstile_install(?)", (json.dumps({"uuid": UUID}),)).fetchall()
        db.execute("SELECT turnstile_classifier('class_of')").fetchall()
        for key, value in (
            ("ask_threshold", "9000 days"),
            ("auto_compact_threshold", "9000 days"),
            ("archive_after", "9000 days"),
        ):
            db.execute("SELECT turnstile_config(?, ?)", (key, value)).fetchall()
        self.door = door

    def run(self, entry):
        command, args, options = entry
        try:
            if command == "plain_sql":
                archived = ", archived_at = iif(?2 = 'archived', ?3, NULL)"
                self.db.execute(
                    f"UPDATE sessions SET {args[1]} = ?2{archived if args[1] == 'status' else ''} "
                    "WHERE label = ?1 AND ?3 > 0",
                    (args[0], args[2], options["now"]),
                )
                return None, None
            if self.door:
                sql = "INSERT INTO turnstile VALUES (?, ?) RETURNING turnstile_result()"
                result = self.db.execute(sql, (command, json.dumps([*args, options]))).fetchall()[
                    0
                ][0]
            else:
                values = [json.dumps(v) if isinstance(v, (dict, list)) else v for v in args] + [
                    json.dumps(options)
                ]
                result = self.db.execute(
                    f"SELECT {command}({', '.join('?' * len(values))})", values
                ).fetchone()[0]
            return result, None
        except sqlite3.Error as e:
            return None, str(e)

    def look(self, label):
        row = self.db.execute(LOOK, (label,)).fetchone()
        if row is None:
            return None
        row = list(row)
        row[5] = json.loads(row[5]) if row[5] else []
        row[8] = json.loads(row[8]) if row[8] else None
        return row, self.db.execute(ROWS, (label,)).fetchall()

    def turn(self, id):
        return self.db.execute(TURN, (id,)).fetchone()


def look_of_model(m, label):
    s = m.sessions.get(label)
    if s is None:
        return None
    t, c = s.task, s.choice
    return (
        [
            s.status,
            s.head,
            s.queue_mode,
            c and c.kind,
            c and c.held.delivery,
            [r.delivery for r in c.later] if c else [],
            t and t.id,
            t and t.state,
            t and t.data,
            t and t.description,
            s.owner,
            s.token if s.run else None,
            s.run,
            s.turn,
            s.expires,
            s.failed_turn,
        ],
        [r.seen() for r in s.rows.values()],
    )


# its own: columns, not axes
NAMES = (
    "status head queue_mode choice held later task state state_data description owner token run turn "
    "expires failed_turn"
).split()


def difference(model, database):
    """The first few differences of two looks, in words."""
    if model is None or database is None:
        return f"session: model {model}, database {database}"
    words = [
        f"{name}: model {a!r}, database {b!r}"
        for name, a, b in zip(NAMES, model[0], database[0])
        if a != b
    ]
    a, b = {r[0]: r for r in model[1]}, {r[0]: r for r in database[1]}
    words += [
        f"queue row: model {a.get(i)}, database {b.get(i)}"
        for i in sorted(a.keys() | b.keys())
        if a.get(i) != b.get(i)
    ]
    return "; ".join(words[:6])


# ---- Histories -----------------------------------------------------------------------------------


class Maker:
    """Makes up operations. It looks at the model, so that most of them are worth something."""

    def __init__(self, seed, model):
        self.r, self.m, self.now, self.n, self.calls = random.Random(seed), model, START, 0, 0
        self.labels = ["a", "b", "c"][: self.r.choice([1, 1, 2, 3])]
        self.owners = ["A", "B"]
        self.table = [
            (22, self.deliver),
            (12, self.begin),
            (26, self.work),
            (8, self.end),
            (7, self.push),
            (6, self.queue),
            (3, self.transition),
            (1, self.restart),
            (2, self.report),
            (1, self.sweep),
            (2, self.config),
            (1, self.status),
            (1, self.tree),
            (2, self.choose),
            (1, self.compact),
        ]
        self.weights = [w for w, _ in self.table]
        self.makers = [m for _, m in self.table]

    def next(self):
        r = self.r
        x = r.random()
        if x > 0.6:
            self.now += r.choice([1, SECOND, SECOND, 10 * SECOND, MINUTE])
        if x > 0.97:
            self.now += r.choice([4, 6, 6, 20]) * MINUTE
        label = r.choice(self.labels)
        command, args, options = r.choices(self.makers, self.weights)[0](label)
        return command, args, {**options, "now": self.now}

    def text(self):
        self.n += 1
        return f"m{self.n} {self.r.choices(CLASS, [4, 6, 3, 2, 4, 3, 2])[0]}"

    def message(self, label, options):
        r = self.r
        if r.random() < 0.3:
            options["source"] = r.choice(SOURCE)
        if r.random() < 0.4:
            options["sender"] = r.choice(["u1", "u2"])
        if r.random() < 0.3:
            options["mode"] = r.choice(MODES)
        if r.random() < 0.1:
            options["message_id"] = f"id{r.randrange(8)}"
            if r.random() < 0.5:
                options["channel"] = "wa"
        return options

    def deliver(self, label):
        r, s = self.r, self.m.sessions.get(label)
        options = self.message(label, {})
        text = self.text()
        if s and s.choice and r.random() < 0.4 and options.get("source", "user") == "user":
            text = r.choice(["A", "B", "A", "B", "yes"])
        elif r.random() < 0.03:
            text = r.choice(["/compact", "/compact the design"])
        elif r.random() < 0.02:
            text = "yes"
        if (
            r.random() < 0.5
            and options.get("source", "user") == "user"
            and text not in ANSWERS
            and text != "yes"
        ):
            options["class"] = r.choice(CLASS)
        if r.random() < 0.3:
            options["owner"] = r.choice(self.owners)
        return "session_deliver", [label, text], options

    def push(self, label):
        return (
            "queue_push",
            [label, self.text() if self.r.random() > 0.05 else "/compact it"],
            self.message(label, {}),
        )

    def begin(self, label):
        r = self.r
        busy = [l for l, s in self.m.sessions.items() if s.line() or s.with_status("handed")]
        if busy and r.random() < 0.7:
            label = r.choice(busy)
        options = {}
        if r.random() < 0.1:
            options |= {
                "messages": [{"role": "user", "content": "by hand"}],
                "source": r.choice(["user", "user", "timer"]),
            }
        if r.random() < 0.2:
            options["lease"] = r.choice([SECOND, MINUTE, 60 * MINUTE])
        return "turn_begin", [label, r.choice(self.owners)], options

    def token(self, label):
        """A turn and a token: mostly those of a run that is there, sometimes old or wrong ones."""
        r, m = self.r, self.m
        held = [(s.turn, s.token) for s in m.sessions.values() if s.turn]
        if held and r.random() < 0.85:
            return r.choice(held)
        if m.given and r.random() < 0.9:
            turn, token = r.choice(m.given[-6:])
            return (
                (turn, token) if r.random() < 0.8 else (r.choice(m.given)[0], r.choice(m.given)[1])
            )
        return r.choice([16777216, 99, 33554432]), r.randrange(1, 4)

    def work(self, label):
        r = self.r
        turn, token = self.token(label)
        t = self.m.turns.get(turn)
        x = r.random()
        if x < 0.3:
            return "turn_steering", [turn, token], {}
        if x < 0.5:
            return "turn_message", [turn, token, {"role": "assistant", "content": "so far"}], {}
        if x < 0.65:
            self.calls += 1
            return "turn_tool_call", [turn, token, f"c{self.calls}", "bash", None], {}
        if x < 0.75:
            call = r.choice(t.calls) if t and t.calls else "c0"
            return "turn_tool_result", [turn, token, call, "ok"], {}
        if x < 0.85:
            return "turn_phase", [turn, token, r.choice(list(PHASES))], {}
        return (
            "turn_heartbeat",
            [turn, token],
            {"lease": r.choice([MINUTE, 9 * MINUTE])} if r.random() < 0.2 else {},
        )

    def end(self, label):
        r = self.r
        turn, token = self.token(label)
        x = r.random()
        if x < 0.5:
            result = {"content": "done"} if r.random() < 0.6 else {}
            if r.random() < 0.6:
                result["outcome"] = r.choice(["question", "done"])
                if r.random() < 0.3:
                    result |= {"question": "Which?", "summary": "All of it"}
            return "turn_complete", [turn, token, result or None], {}
        if x < 0.75:
            later = {"retry_after": r.choice([SECOND, 30 * SECOND, 5 * MINUTE])}
            return "turn_fail", [turn, token, "it broke"], later if r.random() < 0.4 else {}
        return "turn_abort", [turn, token, "stopped"], r.choice([{}, {"keep": 0}, {"keep": 1}, {"requeue": 1}])

    def queue(self, label):
        r = self.r
        rows = [row for s in self.m.sessions.values() for row in s.rows.values()]
        some = (
            [row for row in rows if row.status in ("pending", "failed") or row.status == "cancelled" and row.turn]
            if r.random() < 0.8
            else rows
        )
        if not some:
            return self.push(label)
        later = [row for row in some if row.status == "pending" and row.due is not None]
        row = r.choice(later if later and r.random() < 0.3 else some)
        fit = {"pending": ["queue_front", "queue_cancel"], "failed": ["queue_retry"]}.get(
            row.status, ["queue_retry"] if row.status == "cancelled" else []
        )
        if row.due is not None:
            fit = ["queue_front", "queue_cancel", "queue_retry", "queue_retry"]
        command = (
            r.choice(fit)
            if fit and r.random() < 0.9
            else r.choice(["queue_front", "queue_cancel", "queue_retry"])
        )
        return command, [row.id if r.random() < 0.97 else 9999], {}

    def transition(self, label):
        s = self.m.sessions.get(label)
        moves = sorted(MOVES.get(s.state, ())) if s else []
        state = (
            self.r.choice(moves)
            if moves and self.r.random() < 0.8
            else self.r.choice(sorted(MOVES))
        )
        if state in TASK_OVER and self.r.random() < 0.5:
            state = "PendingComplete"
        data = {
            "AwaitingUser": {"question": "Which one?"},
            "Interrupted": {"user_message": "not so fast"},
            "PendingComplete": {"summary": "It is done"},
            "Aborted": {"reason": "of no use"},
        }.get(state)
        return "session_transition", [label, state, data], {}

    def compact(self, label):
        return "session_compact", [label, None], {}

    def restart(self, label):
        r = self.r
        if r.random() < 0.6:
            return "turnstile_startup", [r.choice(self.owners)], r.choice([{}, {"all": 1}])
        return "turnstile_startup", [None], r.choice([{}, {"all": 1}])

    def report(self, label):
        """A process tells its state by itself."""
        r, s = self.r, self.m.sessions.get(label)
        owner = s.owner if s and s.owner and r.random() < 0.8 else r.choice(self.owners)
        moves = sorted(RUNS[s.run or "idle"]) if s else []
        state = r.choice(moves) if moves and r.random() < 0.8 else r.choice(sorted(RUNS))
        options = [{}, {"dead": 1}] + ([{"token": s.token}, {"token": s.token + 1}] if s and s.token else [])
        return "session_run", [label, owner, state, None], r.choice(options)

    def sweep(self, label):
        return "session_sweep", [], {}

    def config(self, label):
        key, value = self.r.choice(
            [
                ("queue_cap", 2),
                ("queue_cap", 3),
                ("queue_cap", 1),
                ("queue_full", "drop-oldest"),
                ("max_attempts", 1),
                ("max_attempts", 2),
                ("collect_debounce", 30 * SECOND),
                ("collect_max_wait", 40 * SECOND),
                ("queue_mode", self.r.choice(MODES)),
                ("new_task_policy", "switch"),
                ("lease", MINUTE),
                ("queue_mode_user", self.r.choice(MODES + ["inherit"])),
                ("queue_mode_timer", self.r.choice(MODES + ["inherit"])),
                ("on_archived", "reject"),
                ("keeps_turns", self.r.choice([0, 0, 1])),
            ]
        )
        options = (
            {"session": label}
            if label in self.m.sessions
            and self.r.random() < 0.6
            and not key.startswith("queue_mode_")
            else {}
        )
        if self.r.random() < 0.5:
            return "turnstile_config", [key, None], {**options, "reset": 1}
        return "turnstile_config", [key, value], options

    def status(self, label):
        s = self.m.sessions.get(label)
        if not s:
            return self.deliver(label)
        if self.r.random() < 0.3:
            return "plain_sql", [label, "queue_mode", self.r.choice(MODES + [None, None])], {}
        # its own: which statuses plain SQL may set from which
        to = self.r.choice(
            {
                "active": ["error", "suspended", "archived"],
                "error": ["active"],
                "suspended": ["active", "error"],
                "archived": ["active"],
            }[s.status]
        )
        return "plain_sql", [label, "status", to], {}

    def tree(self, label):
        r = self.r
        turn = r.choice(sorted(self.m.turns)) if self.m.turns else 16777216
        x = r.random()
        if x < 0.4:
            return "turn_append", [label, [{"role": "user", "content": "aside"}]], {}
        if x < 0.8:
            s = self.m.sessions.get(label)
            path = list(self.m.path(r.choice((s.head, s.head, s.tip)))) if s else []
            place = r.choice(path) if path and r.random() < 0.8 else r.choice((turn, turn, None))
            return "session_rewind", [label, place], {}
        self.m.forks += 1
        name = f"f{self.m.forks}"
        self.labels = self.labels[:3] + [name]
        return "session_fork", [turn, name], {}

    def choose(self, label):
        asked = [l for l, s in self.m.sessions.items() if s.choice]
        if not asked and self.r.random() < 0.8:
            return self.deliver(label)
        return (
            "session_choose",
            [self.r.choice(asked or [label]), self.r.choice(["A", "B", "continue", "start_fresh"])],
            {},
        )


def deed(entry, model):
    """What is to come in a run of the usual length beside each command and action: looked at before the command."""
    command, args, options = entry
    if command == "turn_fail" and "retry_after" in options:
        turn = model.turns.get(args[0])
        return "due_input" if turn and turn.status == "running" and not turn.output else None
    if command == "turn_abort" and options.get("requeue"):
        return "requeued"
    if command == "queue_retry":
        rows = [s.rows[args[0]] for s in model.sessions.values() if args[0] in s.rows]
        if rows and rows[0].status == "cancelled" and rows[0].turn:
            return "retried_after_stop"
        if rows and rows[0].status == "pending" and rows[0].due is not None:
            return "retried_before_due"
    return None


def unordered(expected):
    """What was cancelled, as seen_of() shows it: no order is promised. So in the decision that a duplicate repeats."""
    if not isinstance(expected, dict):
        return expected
    more = {"cancelled": sorted(expected["cancelled"])} if "cancelled" in expected else {}
    if "first" in expected:
        more["first"] = unordered(expected["first"])
    return {**expected, **more}


def check(entry, model, database, labels):
    """One operation on both sides. → what it came to."""
    command = entry[0]
    expected, refused = model.run(entry)
    result, error = database.run(entry)
    word = word_of(error) if error else None
    if word != refused:
        raise Failure(
            f"{command}: model {refused or 'succeeds'}, database {word or 'succeeds'}",
            f"{error or result}; model says {expected}",
        )
    if command in ("session_compact", "turnstile_config"):
        expected = result = None
    result = seen_of(result)
    expected = unordered(expected)
    if result != expected:
        keys = (
            sorted(k for k in expected.keys() | result.keys() if expected.get(k) != result.get(k))
            if isinstance(expected, dict) and isinstance(result, dict)
            else []
        )
        raise Failure(f"{command}: result {' '.join(keys)}", f"model {expected}, database {result}")
    for label in labels:
        a, b = look_of_model(model, label), database.look(label)
        if a != b:
            raise Failure(f"{command}: {difference(a, b).split(':')[0]}", difference(a, b))
    for id in model.touched:
        a, b = model.turns[id].seen(), database.turn(id)
        if a != b:
            raise Failure(f"{command}: turn", f"model {a}, database {b}")
    return refused or (expected.get("action") if isinstance(expected, dict) else None)


# ---- What always holds ---------------------------------------------------------------------------


EVERY_ROW = """SELECT q.session_label, q.id, q.delivery_id, q.status
FROM session_queue AS q LEFT JOIN queue_list AS l ON l.queue_id = q.id
ORDER BY q.session_label, l.position, q.id"""
EVERY_SESSION = """SELECT s.label, s.pending_choice ->> '$.delivery_id',
  s.pending_choice ->> '$.held',
  r.token, r.turn_id, (SELECT count(*) FROM turns WHERE id = r.turn_id AND status = 'running'),
  (SELECT on_path FROM turns WHERE id = s.thread_id), s.thread_id IS NULL
FROM sessions AS s LEFT JOIN session_runs AS r ON r.session_label = s.label"""
NO_RESULT = """WITH c AS MATERIALIZED (SELECT * FROM session_context(?1))
SELECT a.tool_call_id FROM c AS a WHERE a.kind = 'tool_call' AND a.turn_id IS NOT ?2 AND NOT EXISTS
  (SELECT 1 FROM c AS b WHERE b.kind = 'tool_result' AND b.tool_call_id = a.tool_call_id)"""


class Invariants:
    """What holds whatever the model says: looked at in the database alone, after every command."""

    def __init__(self, database):
        self.database, self.db = database, database.db
        self.tokens, self.lines, self.held, self.dead, self.fronted = {}, {}, {}, [], set()
        self.n = 0

    def ensure(self, ok, name, *detail):
        if not ok:
            raise Failure("always: " + name, "; ".join(map(str, detail)))

    def check(self, entry, thorough):
        self.n += 1
        lines, open_rows = collections.defaultdict(list), collections.Counter()
        rows = self.db.execute(EVERY_ROW).fetchall()
        for label, id, delivery, status in rows:
            open_rows[delivery] += 1
            if status == "pending":
                lines[label].append(id)
        double = [d for d, n in open_rows.items() if n > 1]
        self.ensure(not double, "a message is in the queue once", double)
        if entry[0] != "queue_front":
            for label, line in lines.items():
                before = [i for i in self.lines.get(label, []) if i in line]
                now = [i for i in line if i in before]
                self.ensure(before == now, "what waits keeps its order", label, before, now)
        running = self.db.execute("SELECT count(*) FROM turns WHERE status = 'running'").fetchone()[
            0
        ]
        runs = 0
        for label, held, text, token, turn, runs_turn, on_path, no_head in self.db.execute(
            EVERY_SESSION
        ).fetchall():
            self.ensure(held not in open_rows, "a held message is in no queue", label, held)
            was = self.held.get(label)
            if was and was[0] != held and was[0] not in open_rows:
                self.ensure(self.noted(label, was[1]), "a held message is not lost", label, was)
            self.held[label] = (held, text) if held else None
            old_token, old_turn = self.tokens.get(label, (0, None))
            self.ensure((token or 0) >= old_token, "tokens grow", label, old_token, token)
            if turn and turn != old_turn:
                self.ensure(
                    token > old_token, "a turn that begins has a new token", label, old_token, token
                )
            if old_turn and turn != old_turn:
                self.dead.append((old_turn, old_token))
            self.tokens[label] = token or 0, turn
            self.ensure(runs_turn == (turn is not None), "a run's turn is running", label, turn)
            self.ensure(no_head or on_path == 1, "a head is on the path", label)
            runs += runs_turn
            if entry[0] in (
                "turn_complete",
                "turn_fail",
                "turn_abort",
                "session_deliver",
                "turn_begin",
            ):
                missing = self.db.execute(NO_RESULT, (label, turn)).fetchall()
                self.ensure(not missing, "a call in a context has a result", label, missing)
        self.ensure(runs == running, "one running turn per run", running, runs)
        self.lines = lines
        if self.dead and self.n % 3 == 0:
            self.late(entry)
        if thorough:
            for name, sql in INVARIANTS:
                if "a session's status" not in name:  # plain SQL sets it here, without an event
                    found = self.db.execute(sql).fetchall()
                    found = [r for r in found if r[0] not in ("session_status", "event_chain")]
                    self.ensure(not found, name, found[:3])

    def noted(self, label, text):
        """A held request that was not acted on is noted down, as asked for or as taken back."""
        return self.db.execute(
            "SELECT count(*) FROM observations WHERE session_label = ? AND instr(data, ?)",
            (label, text),
        ).fetchone()[0]

    def late(self, entry):
        """A token that has died is refused by every call, and the call changes nothing."""
        turn, token = self.dead[self.n * 7919 % len(self.dead)]
        calls = [
            ("turn_message", [{"role": "assistant", "content": "late"}]),
            ("turn_heartbeat", []),
            ("turn_steering", []),
            ("turn_complete", [{"content": "late"}]),
            ("turn_fail", ["late"]),
            ("turn_abort", ["late"]),
            ("turn_tool_call", ["late", "bash", None]),
            ("turn_tool_result", ["never called", "late"]),
            ("turn_phase", ["streaming"]),
        ]
        command, args = calls[self.n % len(calls)]
        before = self.db.total_changes
        result, error = self.database.run((command, [turn, token, *args], {"now": entry[2]["now"]}))
        self.ensure(error is not None, "a late token is refused", command, turn, token, result)
        changed = self.db.total_changes - before
        self.ensure(
            changed == 0 or self.database.door, "a refused call changes nothing", command, changed
        )


def replay(path, history):
    model, database = Model(), Database(path, False)
    invariants = Invariants(database)
    try:
        for i, entry in enumerate(history):
            try:
                check(entry, model, database, list(model.sessions))
                invariants.check(entry, len(history) == i + 1)
            except Failure as f:
                return f, history[: i + 1]
        return None, history
    finally:
        database.db.close()


def as_sql(entry):
    command, args, options = entry
    if command == "plain_sql":
        value = "NULL" if args[2] is None else f"'{args[2]}'"
        return f"UPDATE sessions SET {args[1]} = {value} WHERE label = '{args[0]}';"
    return call(command, [*args, options])


def main():
    path = library(sys.argv[1])[:-3]
    total = int(sys.argv[2]) if len(sys.argv) > 2 else 30_000
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failures, done, seed, came = Failures(), 0, first, collections.Counter()
    tally = Tally(30)
    known, began = failures.known, time.monotonic()
    while done < total:
        model, database = Model(), Database(path, seed % 2)
        maker, history, invariants = Maker(seed, model), [], Invariants(database)
        for i in range(300):
            entry = maker.next()
            history.append(entry)
            done += 1
            try:
                did = deed(entry, model)
                word = check(entry, model, database, list(model.sessions) or ["a"])
                came[entry[0], word] += 1
                tally.add(entry[0], [*entry[1], entry[2]], word if word in REFUSALS else None)
                if did and word not in REFUSALS:
                    came[did, None] += 1
                invariants.check(entry, i % 100 == 99)
            except Failure as f:
                failures.add(f, seed, history, lambda shorter: replay(path, shorter), as_sql, 10)
                break
        database.db.close()
        seed += 1
    for name, n in sorted(known.items(), key=lambda x: -x[1]):
        print(f"  {n} {name}")
    print(f"{done} operations in {time.monotonic() - began:.1f} s, {seed - first} histories")
    succeeded = {command for command, word in came if word not in REFUSALS}
    missing = sorted((set(COMMANDS) | DEEDS) - succeeded) + sorted(ACTIONS - {word for _, word in came})
    if missing and total >= 10_000:  # else the histories prove nothing
        known["never came: " + ", ".join(missing)] = 1
        print("  never came:", ", ".join(missing))
    # None is where a task goes by its end alone.
    if tally.always(("session_transition 1=None",)):
        known["refused each time"] = 1
        print("  refused each time:", tally.always(("session_transition 1=None",)))
    print(f"lease: {done} passed, {sum(known.values())} failed")
    sys.exit(1 if known else 0)


if __name__ == "__main__":
    main()
