#!/usr/bin/python3
"""deliver_model.py - a random tester of session_deliver and of what surrounds it.

    tests/deliver/deliver_model.py BUILDDIR [seeds [steps]]

Each seed makes up a history: messages of all sources, classes and senders, answers to choices,
work, sweeps, restarts, statuses changed by plain SQL, settings, over a clock that jumps and
sometimes goes back. After every command the database is looked at, and what must hold is computed
here, from the tables and the answer alone (docs/delivering.md and docs/stale.md say it in words):

  - a message is in one open place (a queue row, or held by the choice) until something that is on
    record finishes it, and what finished it was allowed to;
  - a decision fits what is stored, and tells a host nothing that it can't act on;
  - inputs are handed over in the order in which they stood: what interrupts first, all else as it came;
  - events are chained along the tables of moves and end where the session stands;
  - last_activity is now when somebody was there, also after a clock that was ahead, and else stays;
  - below a floor no guess ends a task, and where the host is asked, nothing moves until it answers;
  - an error names its command and changes nothing, and neither does a repeated message.

Every command also goes through the door of a second database: the answers agree, and in the end
all rows do.

A history that fails is shrunk to the commands that matter and printed as SQL, once per kind of
failure."""
import json
import os
import random
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Tally  # noqa: E402
from histories import Failure, Failures, call  # noqa: E402
from vocabulary import ACTION, CLASS, CLASS_WORDS, SOURCE, TASK_OVER  # noqa: E402

UUID = "00000000-0000-4000-8000-00000000d0d0"
SECOND, HOUR, DAY = 1000, 3_600_000, 86_400_000
START = 1_000_000_000_000
LABELS = ["a", "b", "c"]
# What is meant to be refused: a letter that no choice has, and a run that nobody has started.
MEANT = ("session_choose 1=C", "session_run 2=ready")
TASKS = ["add retries", "port the parser", "write the report"]
TEXTS = ["use jitter", "make it five, not three", "also log it", "add a dark mode", "what does that do?", "hmm, tuesday",
         "build an invoice export", "move the cron jobs", "new task: pool the connections", "forget about that", "looks good to me"]
ANSWERS = {"A", "b", "B", "2", "1", "continue", "start fresh", "option a", "the second one"}
BARE = {"yes", "ok", "sure", "thanks", "looks good"}
BESIDE = ["B, but keep the branch", "continue, and use the staging server", "neither. write a poem instead", "the shed wants green walls"]
SHORT = sorted(ANSWERS | BARE) + ["never mind", "stop"] + BESIDE
AGREES = "that seems fine for now I guess"
ENDINGS = ["discard the task", "cancel this task please", AGREES, "all done", "mark it as done"]
tally = Tally()
HANDING = {"start", "continue", "answer", "compact"}
DATA = {"AwaitingUser": {"question": "Which one?"}, "Interrupted": {"user_message": "not so fast"},
        "PendingComplete": {"summary": "It is done"}, "Aborted": {"reason": "of no use"}}


# ---- Databases ------------------------------------------------------------------------------------


def connect(library):
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(library)
    db.execute("SELECT turnstile_install(?)", (json.dumps({"uuid": UUID}),)).fetchall()
    return db


def by_sugar(db, command, args):
    values = [json.dumps(v) if isinstance(v, (dict, list)) else v for v in args]
    return db.execute(f"SELECT {command}({', '.join('?' * len(values))})", values).fetchone()[0]


def by_door(db, command, args):
    return db.execute("INSERT INTO turnstile VALUES (?, ?) RETURNING turnstile_result()", (command, json.dumps(args))).fetchall()[0][0]


def outcome(db, call, entry):
    """The result, and the error if there was one."""
    try:
        if entry[0] == "sql":
            return db.execute(entry[1]).fetchall() and None, None
        return call(db, *entry), None
    except sqlite3.Error as e:
        return None, str(e)


def dump(db, but=None):
    """All rows, without the columns of one name."""
    rows = {}
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall():
        names = [f'"{c[1]}"' for c in db.execute(f'PRAGMA table_info("{table}")') if c[1] != but]
        rows[table] = sorted(map(repr, db.execute(f'SELECT {", ".join(names)} FROM "{table}"')))
    # Installing has drawn it by chance.
    rows["turnstile_meta"] = [row for row in rows["turnstile_meta"] if "door_key" not in row]
    return rows


def as_sql(entry):
    if entry[0] == "sql":
        return entry[1] + ";"
    return call(*entry)


class Shot:
    """What the checks need of a database, at one moment."""

    def __init__(self, db):
        db.row_factory = sqlite3.Row
        self.sessions = {r["label"]: r for r in db.execute("SELECT * FROM sessions")}
        self.open_tasks = list(db.execute("SELECT id, session_label, state, description FROM tasks WHERE ended_at IS NULL"))
        self.queue = {r["id"]: r for r in db.execute("SELECT * FROM session_queue")}
        self.run_states = {r[0]: r[1] for r in db.execute("SELECT session_label, run_state FROM session_runs")}
        self.last_event = db.execute("SELECT ifnull(max(id), 0) FROM session_events").fetchone()[0]
        self.last_note = db.execute("SELECT ifnull(max(id), 0) FROM observations").fetchone()[0]
        self.commits = db.execute("SELECT count(*) FROM commits").fetchone()[0]
        self.steps = db.execute("SELECT count(*) FROM steps").fetchone()[0]
        db.row_factory = None
        self.choices = {label: json.loads(s["pending_choice"]) for label, s in self.sessions.items() if s["pending_choice"]}

    def task(self, label):
        return next((t for t in self.open_tasks if t["session_label"] == label), None)

    def state(self, label):
        task = self.task(label)
        return task["state"] if task else "None"

    def rows(self, label, *statuses):
        return [r for r in self.queue.values() if r["session_label"] == label and r["status"] in statuses]

    def held(self, label):
        """Ids of the deliveries that the open choice holds, oldest first."""
        choice = self.choices.get(label, {})
        return choice.get("earlier", []) + ([choice["delivery_id"]] if choice.get("delivery_id") else [])

    def places(self, label):
        """Delivery id → its open places."""
        places = {}
        for row in self.rows(label, "pending", "handed", "processing"):
            places.setdefault(row["delivery_id"], []).append(f"queue row {row['id']} {row['status']}")
        for held in self.held(label):
            places.setdefault(held, []).append("held by the choice")
        return places


# ---- The checks ------------------------------------------------------------------------------------


class World:
    """Two databases, and what is known of their history."""

    def __init__(self, library):
        self.db, self.second = connect(library), connect(library)
        self.passed = 0
        self.moves = {}
        for axis, a, b in self.db.execute("SELECT axis, from_state, to_state FROM state_transitions"):
            self.moves.setdefault(axis, set()).add((a, b))
        self.at = {}  # (label, axis) → where the events have got to
        self.work = {}  # label → whose message the present work answers
        self.now_shot = Shot(self.db)

    def check(self, name, ok, *detail):
        if not ok:
            raise Failure(name, " ".join(str(d) for d in detail))
        self.passed += 1

    def step(self, entry):
        before, image = self.now_shot, self.db.serialize()
        result, error = outcome(self.db, by_sugar, entry)
        tally.add(entry[0], entry[1] if entry[0] != "sql" else (), error)
        self.check("both doors give the same", (result, error) == outcome(self.second, by_door, entry), result, error)
        same = self.db.serialize() == image
        if error is not None:
            self.check("an error changes nothing", same, error)
            self.check("an error begins with its command", entry[0] == "sql" or error.startswith(entry[0] + ": "), error)
            self.check(f"it can't fail: {error}", self.may_fail(entry, before))
            return
        if entry[0] in ("session_state", "session_progress") or (entry[0] == "session_sweep" and entry[1][-1].get("dry_run")):
            self.check("reading changes nothing", same, entry)
            return
        self.now_shot = after = Shot(self.db)
        if entry[0] == "sql":
            for label, s in after.sessions.items():
                self.at[label, "status"] = s["status"]
            return
        decision = json.loads(result) if entry[0] in ("session_deliver", "session_choose") else None
        if decision and (decision.get("duplicate") or decision["action"] == "rejected"):
            noted = decision["action"] == "rejected" and not decision.get("duplicate") or decision.get("conflict")
            self.check("a repeated or rejected message changes nothing", same or noted, result)
            if noted:
                was = sqlite3.connect(":memory:")
                was.deserialize(image)
                self.check("but that it was not taken", dump(self.db, "refused") == dump(was, "refused"), result)
                was.close()
                refused = json.loads(after.sessions[entry[1][0]]["refused"])
                self.check("the message shows", refused["message"] == entry[1][1], refused)
            self.check_repeated(entry, decision)
            return
        self.check_events(before, after)
        self.check_sessions(after)
        step = Step(entry, before, after, decision, self.db)
        self.check_places(step)
        if decision:
            self.check_decision(step)
            self.check_floor(step)
            self.check_order(step)
        self.check_activity(step)

    def may_fail(self, entry, before):
        """Delivering never fails, whatever the state; a choice that is open and offered can be taken."""
        command, args = entry
        if command == "session_deliver":
            return not args[1].strip()
        if command == "session_choose":
            over = before.state(args[0]) in TASK_OVER  # by a move, and no commit yet
            return args[0] not in before.choices or args[1] == "C" or before.sessions[args[0]]["status"] == "error" or over
        return command not in ("sql", "session_recover", "session_sweep", "turnstile_startup", "turnstile_config")

    def finish(self):
        odd = self.db.execute("SELECT class, confidence, decision FROM deliveries WHERE (class IS NULL) <> (confidence IS NULL)").fetchone()
        self.check("a delivery has a class and a confidence, or neither", odd is None, odd)
        self.check("both databases hold the same rows", dump(self.db) == dump(self.second))

    def close(self):
        self.db.close()
        self.second.close()

    # -- Sessions, tasks, events

    def check_sessions(self, after):
        for label, s in after.sessions.items():
            tasks = [t["id"] for t in after.open_tasks if t["session_label"] == label]
            self.check("at most one task is open", len(tasks) <= 1, label, tasks)
            self.check("open_task_id is the open task", [s["open_task_id"]] == (tasks or [None]), label, tasks)
            kind, state = after.choices.get(label, {}).get("kind"), after.state(label)
            self.check(f"a {kind} has its task", kind is None or (state == "None") == (kind == "SavedTaskChoice"), label, state)
            self.check("the task's events end in its state", self.at.get((label, "task"), "None") == after.state(label), label)
            self.check("the status's events end in it", self.at.get((label, "status")) == s["status"], label)
            self.check("the choice's events end in it", self.at.get((label, "choice")) == after.choices.get(label, {}).get("kind"), label)
            self.check("the run's events end in it", self.at.get((label, "run"), "idle") == after.run_states.get(label, "idle"), label)

    def check_events(self, before, after):
        rows = self.db.execute("SELECT id, session_label, axis, from_state, to_state, \"trigger\" FROM session_events WHERE id > ? ORDER BY id",
                               (before.last_event,)).fetchall()
        first = {"task": "None", "run": "idle"}
        self.check("events have no gaps", [r[0] for r in rows] == list(range(before.last_event + 1, after.last_event + 1)), rows)
        for _, label, axis, a, b, trigger in rows:
            self.check(f"a {axis} event begins where the last ended", a == self.at.get((label, axis), first.get(axis)), label, a, b, trigger)
            if axis in ("task", "run") or (axis == "status" and a is not None):
                self.check(f"a {axis} event is a known move", (a, b) in self.moves[axis], label, a, b, trigger)
            self.at[label, axis] = b

    def check_repeated(self, entry, decision):
        label, message, options = entry[1]
        key = (label, options.get("message_id"), options.get("channel", ""), options.get("sender", ""))
        seen = self.db.execute("SELECT message FROM deliveries WHERE (session_label, message_id, channel, sender) = (?, ?, ?, ?)", key).fetchone()
        if decision["action"] == "rejected" and not decision.get("duplicate"):
            self.check("only archived sessions reject", self.now_shot.sessions[label]["status"] == "archived", label)
        else:
            self.check("a duplicate has been seen", seen is not None, key)
            self.check("a conflict is another text", decision.get("conflict", False) == (seen[0] != message), decision)

    # -- Nothing is lost, nothing is in two places

    def check_places(self, step):
        after, before = step.after, step.before
        for label in after.sessions:
            was, places = before.places(label), after.places(label)
            for delivery, where in places.items():
                self.check("a message is in one open place", len(where) == 1, label, delivery, where)
                if delivery not in was and not (step.label == label and delivery == step.delivery):
                    self.check("what is finished stays finished", False, label, delivery, where)
            for delivery, where in was.items():
                if delivery not in places:
                    reason = step.how_it_ended(label, delivery, where[0])
                    self.check("what was open is accounted for", not reason, label, f"delivery {delivery} was {where[0]}:", reason)
        if step.delivery and step.delivery not in after.places(step.label):
            reason = step.why_nowhere()
            self.check("a new message is kept", not reason, reason, step.decision)
        was_handed = {i for i, row in before.queue.items() if row["status"] == "handed"}
        handed = {i for i, row in after.queue.items() if row["status"] == "handed"} - was_handed
        given = set(step.handed_ids())
        # What waits for a turn, and nobody may be at work on, is handed over again.
        again = {i for i in given & was_handed if after.queue[i]["awaits_turn"]}
        self.check("what is handed over is in the decision", handed <= given and (given - again == handed or not step.decision), handed, given)
        for i, row in before.queue.items():
            self.check("a finished queue row stays so", row["delivered_at"] is None or after.queue[i]["status"] == row["status"], i)

    # -- Decisions

    def check_decision(self, step):
        d, after, before, label = step.decision, step.after, step.before, step.label
        action, session = d["action"], step.after.sessions[step.label]
        self.check("the decision names the session", d["session"] == label, d)
        self.check("state is the stored state", d["state"] == after.state(label), d, after.state(label))
        self.check("previous_state is the state before", d["previous_state"] == before.state(label), d)
        inputs = d.get("inputs", [])
        if action in HANDING:
            self.check("nothing goes on with a task that is over", d["state"] not in TASK_OVER, d)
            running = action == "continue" and d["state"] in ("Running", "Interrupted")
            self.check("there is something to do, or to show", "queue_id" in d or d.get("message") or running, d)
        if action in ("complete", "abandon", "acknowledge", "prompt"):
            self.check(f"{action} hands nothing over", not inputs and "queue_id" not in d, d)
            self.check(f"{action} says something", d.get("message"), d)
        if action in ("queue", "blocked", "classify"):
            self.check("what waits is pending", after.queue[d["queue_id"]]["status"] == "pending" and not inputs, d)
        for part in inputs:
            row = after.queue[part["queue_id"]]
            self.check("an input is its row", (row["message"], row["source"]) == (part["message"], part["source"]), part)
        self.check("choices come with a prompt and only with it", ("choices" in d) == (action == "prompt"), d)
        if action == "prompt":
            self.check("the prompt is the open choice, or the question", d["choices"] == after.choices.get(label, {}).get("options", []), d)
            self.check("a prompt names its kind", d["kind"] == after.choices.get(label, {"kind": "Question"})["kind"], d)
        if action == "start":
            task = after.task(label)
            self.check("start: a task runs", task and task["state"] == "Running" and task["id"] == d["task_id"], d)
        if action in ("complete", "abandon"):
            self.check(f"{action}: no task is open", after.task(label) is None, d)
        if action == "compact":
            self.check("compact has a focus", isinstance(d.get("focus"), str), d)
            self.check("compact leaves what waits", not self.no_longer_pending(step), d)
        if action in ("prompt", "complete", "abandon"):
            gone = self.no_longer_pending(step)
            was_handed = {r["id"] for r in before.rows(label, "handed")}
            # What waited may itself have ended the task, when its turn came before the message that arrived.
            ended = {i for i in gone if action == "abandon" and (after.queue[i]["status"], after.queue[i]["class"]) == ("delivered", "Abandon")}
            self.check("at most one ends a task", len(ended) <= 1, d, ended)
            gone -= ended
            self.check(f"{action} leaves what waits", gone == {c["queue_id"] for c in d.get("cancelled", [])} - was_handed | step.moved_to_choice(gone), d, gone)
        if action == "continue" and step.source not in (None, "user") and step.choice is None:
            self.check("a timer takes along what waited", not after.rows(label, "pending"), d)
        if "commit_id" in d:
            self.check("the commit is there", self.db.execute("SELECT 1 FROM commits WHERE id = ?", (d["commit_id"],)).fetchone(), d)
        self.check("a commit is named", ("commit_id" in d) == (after.commits > before.commits), d)
        for c in d.get("cancelled", []):
            self.check("cancelled is cancelled", after.queue[c["queue_id"]]["status"] == "cancelled", d)
        if step.source is None:
            return
        stored = self.db.execute("SELECT message, action, decision, class, confidence FROM deliveries WHERE id = ?", (step.delivery,)).fetchone()
        self.check("the delivery is recorded", stored[:2] == (step.message, action) and json.loads(stored[2]) == d, stored)
        self.check("and its class", stored[3] == d["class"], stored)
        if d["confidence"] is not None:
            self.check("and its confidence", abs(stored[4] - d["confidence"]) < 0.01, stored, d)
        self.check("class and confidence go together", (d["class"] is None) == (d["confidence"] is None), d)
        if step.source != "user" or action in ("blocked", "queue", "compact"):
            self.check("no class", d["class"] is None, d)
        status = before.sessions[label]["status"] if label in before.sessions else "active"
        self.check("error blocks", (action == "blocked") == (status == "error"), d)
        if status in ("suspended", "archived") and action != "queue":
            self.check("a delivery revives", session["status"] == "active", session["status"])

    def setting(self, label, key, preset):
        rows = self.db.execute("SELECT value FROM turnstile_config WHERE key = ? AND session_label IN (?, '') ORDER BY session_label DESC", (key, label))
        return next((value for (value,) in rows), preset)

    def check_floor(self, step):
        """Below a floor of 1 every class that nobody gave is a guess. What came from others, or is an answer, is none."""
        d, label, action = step.decision, step.label, step.decision["action"]
        below = self.setting(label, "classify_below", "guess") if self.setting(label, "classify_floor", 0) else "guess"
        guessed = step.source == "user" and not step.given and not step.answered and step.message not in BARE
        self.check("the host is asked about guesses alone, where that is set", action != "classify" or guessed and below == "ask", below, d)
        self.check("it is asked with a prompt", (action == "classify") == ("second_opinion" in d), d)
        if action == "classify":
            opinion, row = d["second_opinion"], [r for r in step.after.rows(label, "pending") if r["delivery_id"] == step.delivery]
            self.check("what the host is asked about waits", len(row) == 1 and opinion["delivery"] == step.delivery and opinion["prompt"], d)
            same = step.before.state(label) == step.after.state(label) and step.before.choices.get(label) == step.after.choices.get(label)
            self.check("until it answers nothing moves", same, d)
        works = step.before.state(label) not in ("None", "Complete", "Aborted")
        if guessed and below != "guess" and step.choice is None and works and action in ("complete", "abandon", "start"):
            waited = {r["id"] for r in step.before.rows(label, "pending")}
            lay = step.now - step.before.sessions[label]["last_activity"] > 3 * HOUR
            self.check("no guess ends a task", waited or lay, below, d)

    def no_longer_pending(self, step):
        return {r["id"] for r in step.before.rows(step.label, "pending")} - {r["id"] for r in step.after.rows(step.label, "pending")}

    def check_order(self, step):
        d, label = step.decision, step.label
        rows = [step.after.queue[i] for i in step.handed_ids()]
        came = [r["delivery_id"] for r in rows]
        places = [(r["rank"], r["delivery_id"]) for r in rows]
        self.check("inputs are in the order in which they stood", places == sorted(places), places, d)
        # What a choice holds, or lets go of in this very command, may be passed by.
        if rows and d["action"] != "compact" and label not in step.after.choices:
            left = [r["delivery_id"] for r in step.after.rows(label, "pending") if r["delivery_id"] < max(came)]
            left = sorted(set(left) - set(step.before.held(label)))
            self.check("nothing older goes on waiting", not left, left, d)

    # -- last_activity

    def check_activity(self, step):
        d, command = step.decision, step.entry[0]
        for label, s in step.after.sessions.items():
            is_new = label not in step.before.sessions
            old = s["created_at"] if is_new else step.before.sessions[label]["last_activity"]
            moves = label == step.label and self.counts(step)
            right = [step.now if moves else old]
            if command == "session_sweep" and not step.entry[1][0].get("dry_run") and old > step.now + 60 * SECOND:
                right.append(step.now)  # a clock that was ahead has written it down
            self.check(f"last_activity {'moves' if moves else 'stays'} with {command} {d['action'] if d else ''}",
                       s["last_activity"] in right, label, d, self.work.get(label))
        if step.label in step.after.sessions:
            self.follow_work(step)

    def counts(self, step):
        d, command, label = step.decision, step.entry[0], step.label
        if command == "session_deliver":
            opened = label not in step.before.choices and step.after.choices.get(label, {}).get("kind") == "StaleSessionChoice"
            return step.source == "user" and d["action"] not in ("blocked", "queue") and not opened
        if command in ("session_choose", "session_start"):
            return True
        if command == "session_compact" and step.before.task(label) is None:
            return False
        if command == "session_flush" and step.before.steps == step.after.steps:
            return False
        work = command in ("session_note", "session_observe", "session_transition", "session_flush", "session_compact")
        return work and self.work[label] == "user"

    def follow_work(self, step):
        """Whose message the work answers from here on."""
        sources = [step.after.queue[i]["source"] for i in step.handed_ids()]
        if step.entry[0] == "session_start" or "user" in sources:
            self.work[step.label] = "user"
        elif sources:
            self.work[step.label] = sources[0]
        elif step.entry[0] in ("session_choose", "session_deliver") and step.answered and step.decision["action"] == "continue":
            self.work[step.label] = "user"
        elif step.label not in self.work:
            self.work[step.label] = step.source or "user"


class Step:
    """One command that succeeded, with what was before and after it."""

    def __init__(self, entry, before, after, decision, db):
        self.entry, self.before, self.after, self.decision, self.db = entry, before, after, decision, db
        command, args = entry
        self.now = args[-1]["now"]
        self.label = args[0] if command not in ("session_sweep", "turnstile_startup", "turnstile_config") else None
        self.message = args[1] if command == "session_deliver" else None
        self.source = args[-1].get("source", "user") if command == "session_deliver" else None
        self.given = command == "session_deliver" and "class" in args[-1]
        self.delivery = db.execute("SELECT max(id) FROM deliveries").fetchone()[0] if command == "session_deliver" else None
        self.choice = before.choices.get(self.label)
        self.answered = self.choice is not None and (command == "session_choose" or self.message in ANSWERS)
        self.notes = [json.loads(r[0]).get("text", "") for r in
                      db.execute("SELECT data FROM observations WHERE id > ? AND auto = 1", (before.last_note,))]

    def handed_ids(self):
        d = self.decision
        if not d or d["action"] in ("queue", "blocked", "classify"):
            return []
        if "inputs" in d:
            return [part["queue_id"] for part in d["inputs"]]
        return [d["queue_id"]] if "queue_id" in d else []

    def moved_to_choice(self, rows):
        held = self.after.held(self.label)
        return {i for i in rows if self.before.queue[i]["delivery_id"] in held}

    def how_it_ended(self, label, delivery, where):
        """None, or what is wrong with the end of a message that was open before."""
        rows = [r for r in self.before.queue.values() if r["delivery_id"] == delivery and r["delivered_at"] is None]
        for row in rows:
            new = self.after.queue[row["id"]]
            if new["status"] == "cancelled":
                d = self.decision or {}
                mine = self.entry[1][-1] if isinstance(self.entry[1][-1], dict) else {}
                if row["status"] == "handed" and not row["awaits_turn"]:
                    return "taken back from a host that works on it"
                if row["source"] != "user":
                    return "cancelled without its sender's Abandon"
                if new["error"] == "another task was begun instead":
                    was, now = self.before.task(label), self.after.task(label)
                    return None if was and (not now or was["id"] != now["id"]) and self.is_listed(new["id"]) else "no other task was begun"
                if row["status"] == "handed" and row["class"] not in CLASS_WORDS and self.is_called_off(label):
                    listed = d.get("class") != "Abandon" or d["action"] != "abandon" or self.is_listed(new["id"])
                    return None if listed else "called off and not listed"
                said = d.get("class") == "Abandon" or d.get("action") == "blocked" or self.has_waited(label, row)
                if not said:
                    return "cancelled without its sender's Abandon"
                if (row["channel"], row["sender"]) != (mine.get("channel", ""), mine.get("sender", "")) and not self.has_waited(label, row):
                    return "cancelled by another sender"
                return None if self.is_listed(new["id"]) else "cancelled and not listed"
            if new["status"] != "delivered":
                return f"its row is {new['status']}"
            if row["status"] == "handed" and row["awaits_turn"]:
                return "settled without a turn"
            if row["status"] == "handed":
                return None if self.takes_up(label) else "taken up by a command that is no work"
            return None if new["class"] in ("Confirmation", "Abandon") else f"its row was finished as {new['class']} without being handed over"
        # It was held by the choice. The choice may have let go of it, and the rest happened at once.
        for row in self.after.queue.values():
            if row["delivery_id"] == delivery and row["id"] not in self.before.queue:
                mine = row["status"] == "cancelled" and row["id"] in [c["queue_id"] for c in (self.decision or {}).get("cancelled", [])]
                settled = row["status"] == "delivered" and row["class"] in ("Confirmation", "Abandon")
                return None if mine or settled else f"its new row is {row['status']}"
        text = self.db.execute("SELECT message FROM deliveries WHERE id = ?", (delivery,)).fetchone()[0]
        if f"Taken back: {text}" in self.notes or f"Asked for meanwhile, not started: {text}" in self.notes:
            return None
        choice, action = self.before.choices[label], (self.decision or {}).get("action")
        settled = choice.get("held_class") in ("Confirmation", "Abandon") or choice.get("held_affirmation")
        if delivery == choice.get("delivery_id") and settled and self.decision:
            return None  # applied: an approval, or a refusal, needs no work
        return f"no row, no note; the decision was {action}"

    def is_listed(self, queue_id):
        return queue_id in [c["queue_id"] for c in (self.decision or {}).get("cancelled", [])]

    def is_called_off(self, label):
        """Has its task ended as abandoned?"""
        task = self.before.task(label)
        if not task:
            return False
        (last,) = self.db.execute("SELECT max(id) FROM session_events WHERE task_id = ? AND to_state = 'Aborted'", (task["id"],)).fetchone()
        return bool(last)

    def has_waited(self, label, row):
        """Was a refusal of its sender dealt with now, which had waited behind it?"""
        return any(r["status"] == "pending" and r["id"] > row["id"] and self.after.queue[r["id"]]["class"] == "Abandon"
                   and (r["channel"], r["sender"]) == (row["channel"], row["sender"]) and self.after.queue[r["id"]]["status"] == "delivered"
                   for r in self.before.rows(label, "pending"))

    def takes_up(self, label):
        command, d = self.entry[0], self.decision
        if command in ("session_transition", "session_flush", "session_compact", "session_start"):
            return label == self.label
        if self.after.commits > self.before.commits or (d and d["action"] in ("abandon", "complete")):
            return True
        return d is not None and (bool(self.handed_ids()) or self.before.task(label) is not None)

    def why_nowhere(self):
        """None, or what is wrong with a new message that is in no open place."""
        d, message = self.decision, self.message
        if d["action"] in ("acknowledge", "complete", "abandon"):
            quiet = d["class"] in ("Confirmation", "Abandon") or self.answered or message in BARE
            return None if quiet else f"{d['action']}, and nothing was kept of it"
        if self.answered or (self.choice is not None and message == AGREES):
            return None  # a choice takes an approval for its first answer
        if d["action"] == "prompt" and d["kind"] == "Question":
            return None if message in ANSWERS else "the question was asked again"
        if d["action"] == "prompt":
            if self.choice is None or self.choice != self.after.choices.get(self.label):
                return "a choice was opened that doesn't hold it"
            return None if d["class"] == "Unclear" or message in BARE or message in ENDINGS else "the choice was shown again"
        if d.get("inputs") and (d["class"] in ("Confirmation", "Abandon") or message in BARE):
            return None  # it only said "ok", and something waited
        return f"{d['action']}, but it is not among the inputs"


# ---- Histories -------------------------------------------------------------------------------------


class Maker:
    """Makes up commands, knowing the state so that most of them succeed."""

    def __init__(self, seed):
        self.r, self.now, self.n = random.Random(seed), START, 0
        self.labels = LABELS[:self.r.choice([1, 2, 3])]
        self.scene = []  # what comes next, without chance

    def next(self, shot):
        r = self.r
        if self.scene:
            self.now += r.choice([0, SECOND, HOUR])
            maker, label = self.scene.pop(0)
            return maker(shot, label)
        x = r.random()
        if x < 0.86:
            self.now += r.choice([0, SECOND, SECOND, 60 * SECOND, HOUR])
        elif x < 0.98:
            self.now += r.choice([25 * HOUR, 25 * HOUR, 30 * HOUR, 8 * DAY, 8 * DAY, 40 * DAY])
        else:
            self.now -= r.choice([SECOND, HOUR, 2 * DAY])
        makers = [(40, self.deliver), (6, self.choose), (9, self.transition), (11, self.note), (4, self.flush), (4, self.compact),
                  (3, self.start), (4, self.recover), (3, self.sweep), (1, self.startup), (3, self.run), (9, self.status), (3, self.config), (2, self.floor),
                  (1, self.look), (6, self.trouble)]
        return r.choices([m for _, m in makers], [w for w, _ in makers])[0](shot, r.choice(self.labels))

    def options(self, **more):
        return {"now": self.now, **more}

    def deliver(self, shot, label):
        r, options = self.r, self.options()
        if label in shot.choices and r.random() < 0.5 or r.random() < 0.15:
            message = r.choice(SHORT)
        elif r.random() < 0.05:
            message = r.choice(["/compact", "/compact the design", " /compact\n"])
        elif r.random() < 0.02:
            message = " "
        else:
            self.n += 1
            message = f"{r.choice(TEXTS)} ({self.n})"
        if r.random() < 0.6:
            options["class"] = r.choice(CLASS)
        if r.random() < 0.2:
            options["source"] = r.choice(SOURCE[1:])
        if r.random() < 0.5:
            options["sender"] = r.choice(["u1", "u2"])
        if r.random() < 0.3:
            options |= {"message_id": f"m{r.randrange(12)}", "channel": r.choice(["wa", "tg"])}
        return ["session_deliver", [label, message, options]]

    def choose(self, shot, label):
        asked = sorted(shot.choices) or [label]
        return ["session_choose", [self.r.choice(asked), self.r.choice(["A", "B", "a", "continue", "start_fresh", "C"]), self.options()]]

    def transition(self, shot, label):
        moves = {"Running": ["AwaitingUser", "AwaitingUser", "PendingComplete", "PendingComplete", "Interrupted", "Aborted"],
                 "AwaitingUser": ["Running", "AwaitingUser", "Aborted"], "Interrupted": ["Running", "Interrupted"],
                 "PendingComplete": ["Running", "Complete", "PendingComplete"], "None": ["Running"]}.get(shot.state(label), ["Running"])
        to = self.r.choice(moves)
        data = {"task": "a task by a move"} if shot.state(label) == "None" and self.r.random() < 0.5 else DATA.get(to)
        return ["session_transition", [label, to, data, self.options()]]

    def note(self, shot, label):
        if self.r.random() < 0.5:
            return ["session_note", [label, "seen", self.options()]]
        return ["session_observe", [label, "FileRead", {"path": "a.c"}, None, self.options()]]

    def flush(self, shot, label):
        return ["session_flush", [label, None, self.options()]]

    def compact(self, shot, label):
        return ["session_compact", [label, self.r.choice([None, "done"]), self.options()]]

    def start(self, shot, label):
        return ["session_start", [label, self.r.choice(TASKS), self.options()]]

    def recover(self, shot, label):
        return ["session_recover", [label, self.options()]]

    def sweep(self, shot, label):
        return ["session_sweep", [self.options(**self.r.choice([{}, {}, {"limit": 1}, {"dry_run": 1}]))]]

    def startup(self, shot, label):
        return ["turnstile_startup", [self.r.choice([None, "A1"]), self.options(**self.r.choice([{}, {"all": 1}]))]]

    def run(self, shot, label):
        # its own: states that a host reports
        return ["session_run", [label, "A1", self.r.choice(["starting", "running", "ready", "error", "idle"]), None,
                                self.options(**self.r.choice([{}, {"dead": 1}]))]]

    def look(self, shot, label):
        return [self.r.choice(["session_state", "session_progress"]), [label, self.options()]]

    def trouble(self, shot, label):
        """Something goes wrong, messages come, and it is put right."""
        if label not in shot.sessions or shot.sessions[label]["status"] not in ("active", "suspended"):
            return self.deliver(shot, label)
        self.scene = [(self.deliver, label)] * self.r.choice([1, 1, 2, 3]) + [(self.reopen, label)]
        return ["sql", f"UPDATE sessions SET status = 'error' WHERE label = '{label}'"]

    def reopen(self, shot, label):
        return ["sql", f"UPDATE sessions SET status = 'active' WHERE label = '{label}'"]

    def status(self, shot, label):
        session = shot.sessions.get(label)
        if not session:
            return self.deliver(shot, label)
        # its own: which statuses plain SQL may set from which, and how often each is tried
        to = self.r.choice({"active": ["error", "error", "suspended", "archived", "archived"], "error": ["active", "active", "active", "archived"],
                            "suspended": ["active", "error"], "archived": ["active"]}[session["status"]])
        at = self.now if to == "archived" else "NULL"
        return ["sql", f"UPDATE sessions SET status = '{to}', archived_at = {at} WHERE label = '{label}'"]

    def floor(self, shot, label):
        """A floor, and what is done below it, for some messages, often to a report."""
        below = ["turnstile_config", ["classify_below", self.r.choice(["prompt", "prompt", "ask", "guess"]), self.options(session=label)]]
        report = lambda *_: ["session_transition", [label, "PendingComplete", DATA["PendingComplete"], self.options()]]
        self.scene = [(lambda *_: below, label)] + [(report, label)] * (shot.state(label) == "Running") + self.r.choices([(self.deliver, label), (self.ending, label)], k=self.r.choice([1, 2, 4, 8]))
        return ["turnstile_config", ["classify_floor", self.r.choice([1, 1, 1, 0]), self.options(session=label)]]

    def ending(self, shot, label):
        """What ends a task by its words."""
        return ["session_deliver", [label, self.r.choice(ENDINGS + sorted(BARE)), self.options()]]

    def config(self, shot, label):
        key, value = self.r.choice([("new_task_policy", "switch"), ("on_archived", "reject"), ("ask_threshold", "3h"), ("archive_after", "9 days"),
                                    ("keeps_turns", 0), ("keeps_turns", 0)])
        session = {"session": label} if self.r.random() < 0.7 else {}
        if self.r.random() < 0.6:
            return ["turnstile_config", [key, None, self.options(reset=1, **session)]]
        return ["turnstile_config", [key, value, self.options(**session)]]


def replay(library, history):
    """The failure that a history leads to, or None, and the history."""
    world = World(library)
    try:
        for entry in history:
            world.step(entry)
        world.finish()
    except Failure as failure:
        return failure, history
    finally:
        world.close()
    return None, history


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: tests/deliver/deliver_model.py BUILDDIR [seeds [steps]]")
    library = os.path.abspath(os.path.join(sys.argv[1], "turnstile"))
    seeds = sys.argv[2] if len(sys.argv) > 2 else "120"
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    first, _, last = seeds.partition("-")  # a number of seeds, or a range of them
    seeds = range(int(first), int(last) + 1) if last else range(1, int(first) + 1)
    passed = failed = 0
    failures, actions = Failures(), set()
    for seed in seeds:
        world, maker, history = World(library), Maker(seed), []
        try:
            for _ in range(steps):
                history.append(maker.next(world.now_shot))
                world.step(history[-1])
            world.finish()
        except Failure as failure:
            failed += 1
            failures.add(failure, seed, history, lambda shorter: replay(library, shorter), as_sql, 4)
        actions |= {row[0] for row in world.db.execute("SELECT action FROM deliveries")}
        passed += world.passed
        world.close()
    for name, count in failures.known.items():
        print(f"  {count} of {len(seeds)} histories: {name}")
    missing = set(ACTION) - {"steer", "interrupt", "rejected"} - actions
    if len(seeds) >= 20 and missing:
        failed += 1
        print(f"  no history came to: {', '.join(sorted(missing))}")
    if tally.always(MEANT):
        failed += 1
        print(f"  refused each time: {tally.always(MEANT)}")
    print(f"model: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
