#!/usr/bin/python3
"""context_model.py - what contexts show and count, against sums over their own rows.

    tests/turn/context_model.py BUILDDIR [threads]

Random threads are made through the commands: turns that are appended, run, fail and go on, calls
that are answered turns later or never, under ids that repeat, compactions of all kinds, also of a
running turn, forks and rewinds. No turn has the option `tokens`, so that every size is that of
rows. After each step, for every session:

  - the tokens of session_context's rows add up to session_usage's context_tokens, which is what
    session_needs_compaction looks at;
  - for every budget the context shows the rows that a search over all cuts finds: the summary when
    it fits, and as many of the newest turns as fit without a call on one side and its result on
    the other;
  - the next turn, begun or appended, gets the same rows, and what it adds is what it says;
  - turn_compact says how large the context was and is, and keeps what keep_tokens has room for.
"""

import json
import os
import random
import re
import sqlite3
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, Tally, connect, library, one  # noqa: E402

ROWS = (
    "SELECT turn_id, sequence, kind, role, tool_call_id, status, content, tokens "
    "FROM session_context(?, ?) WHERE kind <> 'opening'"
)
TURN, SEQUENCE, KIND, ROLE, CALL, STATUS, CONTENT, TOKENS = range(8)
DEPTH = 0xFFFFFF
IDS = ("call_0", "call_1", "call_2")
CHANGED = re.compile(r"\b(call_\d)(-\d+){2,3}")

suite, tally = Suite("context_model"), Tally()
lib = library(sys.argv[1])
THREADS = int(sys.argv[2]) if len(sys.argv) > 2 else 60


def context(db, start, budget=None):
    """The rows of a context, with the ids that were recorded: which of two calls with one id is shown
    under another one depends on what else is shown (providers.py looks at that)."""
    rows = []
    for row in map(list, db.execute(ROWS, (start, budget))):
        row[CALL] = row[CALL] and CHANGED.sub(r"\1", row[CALL])
        if "an earlier tool call" in row[CONTENT]:
            row[CONTENT] = CHANGED.sub(r"\1", row[CONTENT])
        rows.append(tuple(row))
    return rows


ALL = "rowid, position, turn_id, sequence, kind, role, content, tool_call_id, tool_name, status, tokens, source, metadata, created_at, session"


def backwards(db, start, budget=None, n=3):
    """Read from the last row to the first, a context has the same rows: with what needs those in front of it, and
    without; all of them, and the newest n."""
    for columns in (ALL, "content, tokens, kind", "tool_call_id"):
        sql = f"SELECT {columns} FROM session_context(?, ?)"
        rows = db.execute(sql, (start, budget)).fetchall()
        for tail, expected in (("", rows[::-1]), (f" LIMIT {n}", rows[::-1][:n]), (" LIMIT 2 OFFSET 1", rows[::-1][1:3])):
            got = db.execute(sql + " ORDER BY position DESC" + tail, (start, budget)).fetchall()
            if got != expected:
                suite.check(f"backwards{tail}, of {start} with {budget}: {columns[:9]}", got, expected)
                return
    suite.check("backwards", True)


class Thread:
    """A database with a few sessions of one tree, and the steps that made it."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.name = f"thread {seed}"
        self.db = connect(":memory:", lib)
        self.running = {}  # label → turn, token
        self.labels = ["s"]
        self.told = 0
        self.done = set()
        one(self.db, "SELECT turnstile_install()")
        self.call("turn_append", "s", [{"role": "user", "content": "begin"}])

    def call(self, command, *args):
        marks = ", ".join("?" * len(args))
        values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
        result = one(self.db, f"SELECT {command}({marks})", *values)
        return json.loads(result) if isinstance(result, str) and result[:1] == "{" else result

    def may(self, command, *args):
        """A step that the state may refuse: an id that is taken, a call that doesn't wait."""
        try:
            result = self.call(command, *args)
        except sqlite3.IntegrityError as error:
            tally.add(command, args, error)
            known = ("tool call '", "would stand for no turn", "has recovered from an overflow already")
            suite.check(f"{self.name}: {command}", any(k in str(error) for k in known) or str(error))
            return None
        tally.add(command, args)
        return result

    def text(self):
        self.told += 1
        return f"{self.told} " + "x" * self.r.choice((0, 1, 5, 17, 60, 200))

    def messages(self, n):
        r, some = self.r, []
        for _ in range(n):
            way = r.random()
            if way < 0.35:
                some.append({"role": "user", "content": self.text()})
            elif way < 0.6:
                some.append({"role": "tool", "tool_call_id": r.choice(IDS),
                             "content": self.text(), "is_error": r.random() < 0.2})  # fmt: skip
            else:
                calls = [{"id": id, "name": "look", "params": {"at": self.text()}}
                         for id in r.sample(IDS, r.choice((1, 1, 2)))]  # fmt: skip
                if r.random() < 0.3:
                    calls[0]["result"] = self.text()
                some.append({"role": "assistant", "content": self.text(), "tool_calls": calls})
        return some

    def step(self):
        r = self.r
        label = r.choice(self.labels)
        if label in self.running:
            return self.run(label, *self.running[label])
        way = r.random()
        if way < 0.35:
            self.done.add("append")
            return self.may("turn_append", label, self.messages(r.choice((1, 2, 3))))
        if way < 0.7:
            begun = self.may("turn_begin", label, "w", {"messages": self.messages(1)})
            if begun:
                self.running[label] = begun["turn"], begun["token"]
            return None
        if way < 0.9:
            return self.compact(label)
        turns = [t for (t,) in self.db.execute("SELECT turn_id FROM turn_path(?)", (label,))]
        if way < 0.95 and len(self.labels) < 4:
            self.labels.append(f"f{len(self.labels)}")
            return self.call("session_fork", r.choice(turns), self.labels[-1])
        return self.call("session_rewind", label, r.choice(turns[len(turns) // 2 :]))

    def run(self, label, turn, token):
        r, way = self.r, self.r.random()
        if way < 0.3:
            self.may("turn_message", turn, token, self.messages(1)[0])
        elif way < 0.5:
            self.may("turn_tool_call", turn, token, r.choice(IDS), "look", {"at": self.text()})
        elif way < 0.65:
            self.may("turn_tool_result", turn, token, r.choice(IDS), self.text())
        elif way < 0.75:
            if turn & DEPTH:
                self.compact(label, turn, token)
        else:
            end = r.choice(("turn_complete", "turn_fail", "turn_fail", "turn_abort"))
            self.call(end, turn, token, *(() if end == "turn_complete" else ("it broke",)))
            self.done.add(end)
            del self.running[label]

    def compact(self, label, turn=None, token=None):
        r, db, options = self.r, self.db, {}
        before = context(db, turn or label)
        head = one(db, "SELECT parent_turn_id FROM turns WHERE id = ?", turn) if turn else one(
            db, "SELECT thread_id FROM sessions WHERE label = ?", label
        )
        if turn:
            options = {"turn": turn, "token": token}
            taken = one(db, "SELECT 1 FROM compactions WHERE recovered_turn_id = ?", turn)
            if not taken and r.random() < 0.8:
                options["trigger"] = "overflow_recovery"
        budget = None
        way = r.random()
        if way < 0.4:
            options["keep_turns"] = r.randrange(4)
        elif way < 0.8:
            options["keep_tokens"] = budget = r.randrange(150)
        else:
            normal = "SELECT turn_id FROM turn_path(?) WHERE turn_type = 'normal'"
            options["first_kept_turn_id"] = r.choice([t for (t,) in db.execute(normal, (head,))])
        made = self.may("turn_compact", label, self.text(), options)
        if not made:
            self.done.add("refused")
            same = context(db, turn or label)
            return suite.check(f"{self.name}, turn_compact {options}: refused", same, before)
        self.done.add("beside" if turn else "compact")
        self.done.add("moved" if made["moved"] else "as asked")
        after = context(db, turn or label)
        name = f"{self.name}, turn_compact {options}"
        suite.check(f"{name}: tokens_before", made["tokens_before"], size(before))
        suite.check(f"{name}: tokens_after", made["tokens_after"], size(after))
        if budget is None or made["moved"]:
            return
        # The newest turns of the path that fit, and the next older one would not.
        units = [u for u in self.units(before, head) if u[0] <= head & DEPTH]
        first = made["first_kept_turn_id"]
        first = (head & DEPTH) + 1 if first is None else first & DEPTH
        kept = sum(size(rows) for depth, rows in units if depth >= first)
        older = [size(rows) for depth, rows in units if depth < first and rows]
        suite.check(f"{name}: what is kept fits", kept <= budget)
        suite.check(f"{name}: no more would", not older or kept + older[-1] > budget)

    def units(self, rows, last):
        """The rows of a context by the depth that they are shown at, oldest first: of a turn of the
        path to `last` its own and those of failed turns that it resumes; behind it those of a
        failed turn that the next one will."""
        db = self.db
        shown = {}  # turn → depth
        for turn, depth, failed in db.execute(
            "SELECT p.turn_id, p.depth, t.resumes_turn_id FROM turn_path(?) AS p "
            "JOIN turns AS t ON t.id = p.turn_id", (last,)
        ).fetchall():  # fmt: skip
            shown[turn] = depth
            while failed:
                shown[failed] = depth
                failed = one(db, "SELECT resumes_turn_id FROM turns WHERE id = ?", failed)
        end = (last & DEPTH) + 1
        units = {depth: [] for depth in shown.values()}
        for row in rows:
            if row[KIND] != "summary":
                units.setdefault(shown.get(row[TURN], end), []).append(row)
        return sorted(units.items())

    def expected(self, rows, last, budget):
        """What a context shows within a budget, searched for among all cuts."""
        summary = [row for row in rows if row[KIND] == "summary" and row[TOKENS] <= budget]
        budget -= size(summary)
        units = self.units(rows, last)
        calls, pairs = {}, []
        own = {(row[TURN], row[SEQUENCE]) for row in rows if row[KIND] == "tool_call"}
        path = {t for (t,) in self.db.execute("SELECT turn_id FROM turn_path(?)", (last,))}
        for depth, unit in units:
            new = {}
            for row in unit:
                if row[KIND] == "tool_call" and row[STATUS] == "pending" and row[TURN] in path:
                    new[row[CALL]] = depth
                elif row[KIND] == "tool_result" and (row[TURN], row[SEQUENCE]) not in own:
                    pairs.append((calls[row[CALL]], depth))
            calls.update(new)
        self.done.update(["pair"] * bool(pairs))
        depths = [depth for depth, _ in units]
        for cut in [*depths, depths[-1] + 1]:
            if any(call < cut <= answer for call, answer in pairs):
                continue
            kept = {id(row) for depth, unit in units if depth >= cut for row in unit}
            shown = [row for row in rows if id(row) in kept]
            if size(shown) <= budget:
                return summary + shown
        return None


def size(rows):
    return sum(row[TOKENS] for row in rows)


def check_budgets(t, start, last):
    db = t.db
    rows = context(db, start)
    backwards(db, start)
    total = size(rows)
    budgets = set(range(total + 2))
    if total > 40:
        edges = {0, total - 1, total, total + 1}
        budgets = edges | set(t.r.sample(sorted(budgets), 25))
    before = -1
    for budget in sorted(budgets):
        got = context(db, start, budget)
        backwards(db, start, budget)
        name = f"{t.name}, context of {start} with {budget} of {total} tokens"
        suite.check(name, got, t.expected(rows, last, budget))
        suite.check(f"{name}: fits", size(got) <= budget)
        # A larger budget never shows less, but where the summary comes in.
        if before >= 0 and got and got[0][KIND] == "summary" and hadSummary:
            suite.check(f"{name}: not less", len(got) >= before)
        before, hadSummary = len(got), bool(got) and got[0][KIND] == "summary"
    for row in rows:
        t.done.add(row[KIND] if row[KIND] != "tool_result" else row[STATUS])
        if row[KIND] == "message" and row[CONTENT].startswith("The result of an earlier tool call"):
            t.done.add("orphan")
        if row[KIND] == "message" and "), an earlier tool call, has come:" in row[CONTENT]:
            t.done.add("late")
    if rows and rows[-1][TURN] not in {r[0] for r in db.execute(
        "SELECT turn_id FROM turn_path(?)", (last,))}:  # fmt: skip
        t.done.add("failed at the end")


def check_session(t, label):
    db, name = t.db, f"{t.name}, {label}"
    rows = context(db, label)
    usage = t.call("session_usage", label)
    suite.check(f"{name}: context_tokens", usage["context_tokens"], size(rows))
    for limit in (max(1, size(rows) * 100 // 85), size(rows) * 100 // 85 + 1):
        needs = t.call("session_needs_compaction", label, limit)
        suite.check(f"{name}: needs_compaction {limit}", needs, int(size(rows) * 100 > limit * 85))
    head = one(db, "SELECT thread_id FROM sessions WHERE label = ?", label)
    if label in t.running:
        return check_budgets(t, label, t.running[label][0])
    check_budgets(t, label, head)
    # What the next turn gets.
    message = {"role": "user", "content": "what comes next"}
    for way in ("turn_begin", "turn_append"):
        db.execute("SAVEPOINT next")
        if way == "turn_begin":
            turn = t.call(way, label, "w", {"messages": [message]})["turn"]
        else:
            turn = t.call(way, label, [message])
        got = context(db, label)
        same = [row for row in got if row[TURN] != turn]
        suite.check(f"{name}: {way}: the same rows before it", same, rows)
        after = t.call("session_usage", label)["context_tokens"]
        suite.check(f"{name}: {way}: what it adds", after, usage["context_tokens"] + 4)
        suite.check(f"{name}: {way}: the sum", after, size(got))
        if way == "turn_begin":
            token = one(db, "SELECT token FROM session_runs WHERE session_label = ?", label)
            t.call("turn_complete", turn, token)
            after = t.call("session_usage", label)["context_tokens"]
            suite.check(f"{name}: completed: what it adds", after, usage["context_tokens"] + 4)
        db.execute("ROLLBACK TO next")
        db.execute("RELEASE next")
    return None


def check_turn(t):
    """The context of any turn of the path by its id."""
    path = [i for (i,) in t.db.execute("SELECT turn_id FROM turn_path('s')")]
    turn = t.r.choice(path)
    check_budgets(t, turn, turn)


def test_threads():
    done = set()
    for seed in range(THREADS):
        t = Thread(seed)
        for step in range(30):
            t.step()
            for label in t.labels:
                if step % 3 == 0 or label in t.running or t.r.random() < 0.3:
                    check_session(t, label)
            if step % 5 == 0:
                check_turn(t)
        suite.check(f"{t.name}: integrity", one(t.db, "PRAGMA integrity_check"), "ok")
        done |= t.done
        t.db.close()
    # Everything that is said to be looked at has come up.
    wanted = {"append", "turn_complete", "turn_fail", "turn_abort", "compact", "beside", "moved",
              "as asked", "pair", "orphan", "failed at the end", "summary", "message", "tool_call",
              "completed", "failed", "interrupted", "pending", "late", "refused"}  # fmt: skip
    suite.check("what came up", done, wanted)


def main():
    test_threads()
    suite.check("nothing is refused each time", tally.always(), {})
    suite.done()


if __name__ == "__main__":
    main()
