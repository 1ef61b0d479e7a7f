"""Damaged turn trees: corrupt.py BUILDDIR [NAME]

Rows of the turn tree are changed, deleted and made up by plain SQL behind the guards: loops,
missing turns and branches, wrong depths, shortcuts that lead nowhere, compactions that keep what
is not there. Then every function that reads the tree and every command that writes it is called
all over each damaged file, in a child process, under a watchdog. Never a crash, never a hang.
Only these ends of a call are allowed:

  - An error. It begins with the function's name and names a damaged row or its neighbour: a turn,
    branch or session, by a number that the damage changed or that stands next to one. (Or the turn
    that was asked for, where that is not there or not on the path; or a limit that the damage has
    brought near.) A command that fails changes nothing.
  - The answer that the undamaged file gives. The damage doesn't matter to it (a wrong shortcut
    that is not taken), or was seen through. Turns that it names must still be there; only a context
    may show the messages of a turn whose own row is gone, for it shows messages.
  - The answer that a recursive CTE gives over the damaged rows, as long as these are consistent:
    parents exist, depths count up, no loop. Where rows were changed into another tree that could
    as well be whole, no other answer could be expected.
  - The answer that ids and rows of branches give, if every turn that it names is there and hangs on
    the one that they say. Damage elsewhere on the path was not looked at. Seen from above, a
    tree is what the rows of branches lead down to; where one is gone, its turns are an error only
    from their own end.
  - For a context: the turns that the damaged rows themselves ask for (the compaction that
    context_turn_id names, kept from first_kept_turn_id on), if these exist and lie on the path.
  - For a command that writes: a new turn under the parent that was asked for, which exists and may
    have turns below it; at the right depth, in its parent's branch or in a new one. Nothing else
    of the tree has changed. The damage may be further up, where the command has no need to look.
  - For the id 0, nothing: no turn has it, and a row that names it names none.

Calls about a tree that has no damage must give their old answers.

No error has the code SQLITE_CORRUPT itself: inside BEGIN SQLite would then keep the connection
from writing until a ROLLBACK, and lose what went well before. Its extended code
SQLITE_CORRUPT_VTAB does not.
"""

import json
import mmap
import os
import re
import signal
import sqlite3
import sys
import traceback

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, library, one  # noqa: E402

MAX, MIN = 2**63 - 1, -(2**63)
FAR = (99, 99 << 24, 0, -1, MAX, MIN)  # turns that no file here has
DEPTH = 0xFFFFFF
SECONDS = 20  # for fifty calls, before one counts as a hang
LOG = 300  # bytes of the call that is being made, shared with the parent
STEPS = 5_000_000  # of SQLite's machine, for one call
CORRUPT, CORRUPT_VTAB = 11, 267

ALL = "turns branches compactions sessions messages tool_calls session_runs session_history".split()


# ---- The file that gets damaged ---------------------------------------------------------------


def call(db, command, *args):
    values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
    return one(db, f"SELECT {command}({', '.join('?' * len(values))})", *values)


def messages(text):
    """A turn with a question, a tool call with its result, and an answer."""
    tool = {"id": f"call {text}", "name": "look", "params": {"at": text}, "result": f"saw {text}"}
    return [
        {"role": "user", "content": f"question {text}"},
        {"role": "assistant", "content": f"thinking {text}", "tool_calls": [tool]},
        {"role": "assistant", "content": f"answer {text}"},
    ]


def build(path, lib):
    """Two trees. turn: name → id, branch: label → number; t7 is the turn of depth 7 that the
    session t made. Branches lie nested eight deep, contexts begin with compactions in their own
    branch and in one above it. r has a turn that is running, x one that failed."""
    db, turn, branch = connect(path, lib), {}, {}
    db.execute("PRAGMA page_size = 1024")
    one(db, "SELECT turnstile_install()")
    db.execute("DELETE FROM message_rules")

    def add(label, n):
        for _ in range(n):
            note(label, call(db, "turn_append", label, messages(label)))

    def note(label, id):
        turn[f"{label}{id & DEPTH}"] = id
        branch.setdefault(label, id >> 24)

    def fork(at, label, n):
        call(db, "session_fork", turn[at], label)
        add(label, n)

    def compact(label, keep):
        answer = call(db, "turn_compact", label, f"summary of {label}", {"keep_turns": keep})
        note(label, json.loads(answer)["turn"])

    add("s", 6)
    compact("s", 2)  # s6
    add("s", 3)  # s9
    fork("s3", "f", 4)  # f4 … f7
    fork("f5", "g", 2)
    compact("g", 2)  # g8
    add("g", 2)  # g10
    fork("g9", "h", 2)  # h10, h11
    for before, label, depth in (("h", "i", 11), ("i", "j", 12), ("j", "k", 13), ("k", "l", 14)):
        fork(f"{before}{depth - 1}", label, 2)
    fork("s4", "r", 1)
    fork("s4", "x", 1)
    add("z", 3)
    fork("z1", "y", 2)
    for label in ("r", "x"):
        options = {"messages": messages(label)[:1], "lease": "300 days"}
        begun = json.loads(call(db, "turn_begin", label, "owner", options))
        turn[f"{label}{begun['turn'] & DEPTH}"] = begun["turn"]
        if label == "x":
            call(db, "turn_fail", begun["turn"], begun["token"], "a network error")
        else:
            turn["token"] = begun["token"]
    db.execute("VACUUM")
    db.close()
    return {"turn": turn, "branch": branch}


# ---- The damages: name, statements, may a limit be reached? -----------------------------------


def damages(names):
    T, B = names["turn"], names["branch"]
    out = []

    def add(name, *sql, limit=False):
        out.append((name, sql, limit))

    def update(table, key, id, column, value):
        value = "NULL" if value is None else value if isinstance(value, str) else str(value)
        return f"UPDATE {table} SET {column} = {value} WHERE {key} = {id!r}"

    def turn(which, column, value, limit=False):
        sql = update("turns", "id", T[which], column, T.get(value, value))
        add(f"turn {which}: {column} = {value}", sql, limit=limit)

    def branch(which, column, value, limit=False):
        sql = update("branches", "id", B[which], column, T.get(value, value))
        add(f"branch of {which}: {column} = {value}", sql, limit=limit)

    def compaction(which, column, value):
        sql = update("compactions", "turn_id", T[which], column, T.get(value, value))
        add(f"compaction {which}: {column} = {value}", sql)

    def session(which, column, value, limit=False):
        sql = update("sessions", "label", which, column, T.get(value, value))
        add(f"session {which}: {column} = {value}", sql, limit=limit)

    # Parents: loops of one, of two, of many; nothing; elsewhere.
    for which in ("s0", "s2", "s9", "f4", "s6"):
        turn(which, "parent_turn_id", which)
    for which, parent in (("s2", "s3"), ("s0", "s9"), ("s0", "l15"), ("f4", "l15"), ("g6", "g8"),
                          ("s5", "s3"), ("f4", "s2"), ("f4", "s9"), ("g6", "z2"), ("f4", "x6"),
                          ("s0", "z2"), ("z0", "s0"), ("s9", "r6")):  # fmt: skip
        turn(which, "parent_turn_id", parent)
    for which in ("s2", "s9", "f4", "z0"):
        for parent in (None, *FAR):
            if which != "z0" or parent is not None:
                turn(which, "parent_turn_id", parent)

    # Turns that are gone.
    for which in ("s0", "s2", "s6", "s9", "f4", "f5", "g6", "g9", "l15", "z1"):
        add(f"turn {which} is gone", f"DELETE FROM turns WHERE id = {T[which]}")
    gone = f"BETWEEN {T['s5']} AND {T['s7']}"
    add("turns s5 to s7 are gone", f"DELETE FROM turns WHERE id {gone}")
    for which in ("s2", "s4", "f5", "s9"):
        add(
            f"turn {which} is gone, with its messages",
            f"DELETE FROM turns WHERE id = {T[which]}",
            f"DELETE FROM messages WHERE turn_id = {T[which]}",
            f"DELETE FROM tool_calls WHERE turn_id = {T[which]}",
        )
    add("all turns of f are gone", f"DELETE FROM turns WHERE id >> 24 = {B['f']}")
    add("all turns are gone", "DELETE FROM turns")

    # Branches: where they begin, how deep they lie, where their shortcuts lead.
    for which in ("s", "f", "k"):
        for value in (0, 3, 7, DEPTH, DEPTH + 1, -1, MAX, MIN):
            if (which, value) != ("s", 0):
                branch(which, "first_depth", value)
    for which in ("s", "g", "l"):
        for value in (0, 1, 2, 5, 100, -1, MAX, MIN):
            if (which, value) not in (("s", 0), ("g", 2)):
                branch(which, "level", value)
    for which in ("s", "f", "g", "k"):
        for label in ("s", "f", "g", "i", "z", which):
            if (which, label) not in (("f", "s"), ("g", "f")):  # what they hold
                branch(which, "jump_id", B[label])
        for value in (None, *FAR):
            if which != "s" or value is not None:
                branch(which, "jump_id", value)
    for which in ("f", "g", "k"):
        for value in (None, 1, 5, 100, -1, MAX):
            branch(which, "jump_depth", value)
    add(
        "shortcuts in a circle",
        update("branches", "id", B["g"], "jump_id", B["k"]),
        update("branches", "id", B["k"], "jump_id", B["g"]),
    )
    add("all shortcuts lead to the branch itself", "UPDATE branches SET jump_id = id")
    add("all shortcuts lead down", "UPDATE branches SET jump_id = id + 1")
    for which in ("s", "f", "g", "h", "l", "y", "z"):
        add(f"branch of {which} is gone", f"DELETE FROM branches WHERE id = {B[which]}")
    add("all branches are gone", "DELETE FROM branches")
    for which, parent in (("f", "f5"), ("f", "f4"), ("f", "g6"), ("f", "l15"), ("f", "z1"),
                          ("f", "s2"), ("f", "s9"), ("f", "x6"), ("g", "f7"), ("g", "f4"),
                          ("s", "s0"), ("s", "f4"), ("s", "l15"), ("s", "z2"), ("z", "s3"),
                          ("l", "s2"), ("h", "z2")):  # fmt: skip
        branch(which, "parent_turn_id", parent)
    for which in ("f", "l", "s"):
        for value in (None, *FAR):
            if which != "s" or value is not None:
                branch(which, "parent_turn_id", value)
    branch("g", "parent_turn_id", T["f7"] + 2)
    add(
        "two branches in a circle",
        update("branches", "id", B["f"], "parent_turn_id", T["g6"]),
        update("branches", "id", B["s"], "parent_turn_id", T["f4"]),
    )
    for id in (0, -5, MIN, 2**27 - 1, 2**27, 2**39, MAX):
        add(
            f"a branch {id}",
            f"INSERT INTO branches VALUES ({id}, {T['s2']}, 3, 1, {B['s']}, 0, 0)",
            limit=True,
        )
    sql = f"INSERT INTO branches VALUES (90, {T['s2']}, 3, 1, {B['s']}, 0, 0)"
    add("a branch without turns", sql)

    # Turns that nothing leads to, or that lie outside of what an id can say.
    insert = "INSERT INTO turns(id, parent_turn_id, status, on_path, source, started_at) VALUES "
    for id in (0, 1, MIN, MAX, 99 << 24, B["f"] << 24 | 2, B["s"] << 24 | 20, B["s"] << 24 | DEPTH):
        for parent in (T["s9"], "NULL", id):
            add(
                f"a turn {id} under {parent}",
                f"{insert} ({id}, {parent}, 'completed', 1, 'user', 1)",
                update("sessions", "label", "s", "thread_id", id),
                limit=True,
            )
    add("a turn of negative branch", f"{insert} ({-(7 << 24)}, NULL, 'completed', 1, 'user', 1)")

    # What contexts begin with.
    for which in ("s8", "s9", "l15", "r5"):
        for value in (None, "s2", "s6", "g8", "x6", "z1", which, *FAR):
            turn(which, "context_turn_id", value)
    turn("s5", "context_turn_id", "s6")
    turn("s6", "context_turn_id", "g8")
    for which in ("s6", "g8"):
        for value in (None, "s0", "s1", "s5", "f6", "s8", "s6", "g8", "l15", "z1", "x6", *FAR):
            compaction(which, "first_kept_turn_id", value)
        for value in (None, "z1", *FAR):
            compaction(which, "summarized_through_turn_id", value)
        for column, value in (("summary", "''"), ("summary_tokens", -1), ("summary_tokens", MAX),
                              ("turns_kept", MIN), ("compaction_type", "'x'")):  # fmt: skip
            compaction(which, column, value)
        add(f"compaction {which} is gone", f"DELETE FROM compactions WHERE turn_id = {T[which]}")
        turn(which, "turn_type", "'normal'")
    turn("s8", "turn_type", "'compaction'")
    turn("s8", "turn_type", "'nonsense'")
    turn("s9", "turn_type", "'compaction'")
    for id in (T["s3"], T["z1"], 99, -1, MAX):
        columns = "turns_summarized, turns_kept, compaction_type, trigger, tokens_before, "
        columns += "tokens_after, summary_tokens, created_at, summary"
        add(
            f"a compaction row {id}",
            f"INSERT INTO compactions(turn_id, {columns}) "
            f"VALUES ({id}, 1, 0, 'full', 'manual', 1, 1, 1, 1, 'made up')",
        )

    # Heads.
    for value in ("r6", "x6", "z2", "s2", "s6", None, T["s9"] + 1, *FAR):
        session("s", "thread_id", value)
    session("r", "thread_id", "r6")
    session("x", "thread_id", "x6")

    # Values of turns.
    for which in ("s3", "s9", "r6", "x6"):
        for column, values in (
            ("status", ("'nonsense'", "'running'", "'failed'", "'completed'")),
            ("phase", ("'nonsense'",)),
            ("on_path", (0, 1, 7, -1)),
            ("source", ("'nonsense'",)),
            ("thread_tokens", (-1, MAX, MIN)),
            ("total_tokens", (-1, MAX, MIN)),
            ("answers_turn_id", ("s2", "z1", which, 99, MAX)),
        ):
            for value in values:
                turn(which, column, value, limit=column.endswith("tokens"))
    for column in ("turns", "input_tokens", "total_tokens"):
        for value in (MAX, MIN):
            session("s", column, value, limit=True)

    # Messages and calls in places of no turn, and in each other's.
    for place in (0, -1, MIN, MAX, 99 << 36, T["s9"] + 1 << 12, T["s9"] << 12 | 4095,
                  T["r6"] << 12 | 4095, T["r6"] << 12 | 4094):  # fmt: skip
        add(
            f"a message at {place >> 12}, {place & 4095}",
            "INSERT INTO messages(place, role, created_at, content) "
            f"VALUES ({place}, 'user', 1, 'made up')",
            limit=True,
        )
        add(
            f"a call at {place >> 12}, {place & 4095}",
            "INSERT INTO tool_calls(place, id, tool_name, status, started_at, params) "
            f"VALUES ({place}, 'made up', 't', 'pending', 1, '[')",
            limit=True,
        )
    calls = f"WHERE turn_id = {T['s8']}"
    add("messages are gone", f"DELETE FROM messages {calls}")
    add("calls are gone", f"DELETE FROM tool_calls {calls}")
    add("a call is pending", f"UPDATE tool_calls SET status = 'pending', result = NULL {calls}")
    add("a call's status is nonsense", f"UPDATE tool_calls SET status = 'nonsense' {calls}")
    add("a call's params are no JSON", f"UPDATE tool_calls SET params = '{{\"a' {calls}")
    add("two calls have one id", f"UPDATE tool_calls SET id = 'one' WHERE turn_id >= {T['s7']}")
    add(
        "a call and a message in one place",
        "INSERT INTO tool_calls(place, id, tool_name, status, started_at, params) SELECT place, "
        f"'made up ' || place, 't', 'pending', 1, '{{}}' FROM messages {calls}",
    )
    add("roles are nonsense", f"UPDATE messages SET role = 'nonsense' {calls}")
    add("results of no call", f"UPDATE messages SET role = 'tool', tool_call_id = 'none' {calls}")
    add("metadata is no JSON", f"UPDATE messages SET metadata = '{{\"a' {calls}")

    # Runs.
    for value in ("s9", "x6", "z2", None, *FAR):
        value = T.get(value, value)
        add(
            f"the run's turn is {value}",
            update("session_runs", "session_label", "r", "turn_id", value),
        )
    sql = update("session_runs", "session_label", "r", "token", MAX)
    add(f"the run's token is {MAX}", sql, limit=True)
    add("the run of r is gone", "DELETE FROM session_runs WHERE session_label = 'r'")
    add("the session of r is gone", "DELETE FROM sessions WHERE label = 'r'")
    return out


def damage(db, sql):
    """Opens the guards, changes rows, closes them."""
    db.execute("INSERT INTO turnstile_meta(key, value) VALUES ('unguarded', 1)")
    changed = 0
    for statement in sql:
        changed += db.execute(statement).rowcount
    db.execute("DELETE FROM turnstile_meta WHERE key = 'unguarded'")
    return changed


# ---- In the child: one damaged file -----------------------------------------------------------


def rows_of(db, tables):
    """table → key → row, the key being the table's first column."""
    out = {}
    for table in tables:
        rows = db.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in rows.description]
        out[table] = {row[0]: dict(zip(names, row)) for row in rows}
    return out


def dump(db):
    names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").fetchall()
    return [(n, db.execute(f'SELECT * FROM "{n}"').fetchall()) for (n,) in names]


class Rows:
    """What the rows of a file say about the tree, by parents alone."""

    def __init__(self, db, tables=ALL):
        self.rows = rows_of(db, tables)
        self.turns = self.rows["turns"]
        self.stored = {id: dict(row) for id, row in self.turns.items()}
        # No turn has the id 0: a row that names it names none.
        for table, column in (
            ("turns", "parent_turn_id"),
            ("turns", "context_turn_id"),
            ("compactions", "first_kept_turn_id"),
            ("sessions", "thread_id"),
        ):
            for row in self.rows[table].values():
                row[column] = row[column] or None
        self.below = {}
        for id, row in self.turns.items():
            self.below.setdefault(row["parent_turn_id"], []).append(id)

    def path(self, turn):
        """[(turn, depth, parent)] from the root, or None where the rows contradict each other."""
        out = []
        while turn is not None:
            row = self.turns.get(turn)
            if row is None or len(out) > len(self.turns):
                return None
            out.append((turn, turn & DEPTH, row["parent_turn_id"]))
            turn = row["parent_turn_id"]
        out.reverse()
        return out if all(i == depth for i, (_, depth, _) in enumerate(out)) else None

    def by_id(self, turn, depth):
        """The turn at a depth of the path, as ids and branches say: a row like those of path, or
        None where it is missing or hangs on another one."""
        branches = self.rows["branches"]
        for _ in range(len(branches) + 1):
            branch = branches.get(turn >> 24)
            if branch is None or (turn & DEPTH) < branch["first_depth"]:
                return None
            first, up = branch["first_depth"], branch["parent_turn_id"]
            if depth >= first:
                id = turn >> 24 << 24 | depth
                above = self.turns[id]["parent_turn_id"] if id in self.turns else -1
                return (id, depth, above) if above == (up if depth == first else id - 1) else None
            if up is None:
                return None
            turn = up
        return None

    def ids(self, turn):
        """The same for the whole path, or None."""
        if turn & DEPTH > 99:
            return None
        rows = [self.by_id(turn, depth) for depth in range((turn & DEPTH) + 1)]
        return None if None in rows else rows

    def tree(self, turn, by_branches=False):
        """The same of all that is below a turn, with levels, in no order. by_branches: as the rows
        of branches lead down. Where one is gone, or leads elsewhere, its turns are not seen from
        above; from their own end they are an error."""
        out, level, row = [], 0, [turn]
        while row:
            for id in row:
                if (id & DEPTH) != (turn & DEPTH) + level or len(out) > len(self.turns):
                    return None
                out.append((id, level, id & DEPTH, self.turns[id]["parent_turn_id"]))
            row = [
                child
                for id in row
                for child in self.below.get(id, ())
                if not by_branches or child == id + 1 or self.begins(child >> 24) == (child, id)
            ]
            level += 1
        return sorted(out)

    def begins(self, id):
        """The first turn of a branch, and the one above it."""
        branch = self.rows["branches"].get(id)
        return branch and (id << 24 | branch["first_depth"], branch["parent_turn_id"])

    def context(self, turn):
        """(the compaction or None, the turns shown after it), or None if they contradict."""
        path = self.path(turn) or self.ids(turn)
        if path is None:
            return None
        shown = ids = [id for id, _, _ in path]
        begin = self.turns[turn]["context_turn_id"]
        if begin is not None:
            # The compaction lies on the path, or beside a turn that was running: its parent does.
            compaction, above = self.rows["compactions"].get(begin), self.turns.get(begin)
            if compaction is None or above is None or above["turn_type"] != "compaction":
                return None
            if above["parent_turn_id"] not in ids:
                return None
            if above["parent_turn_id"] == turn and begin != turn:
                return None
            kept, after = compaction["first_kept_turn_id"], ids.index(above["parent_turn_id"]) + 1
            if kept is not None and kept not in ids[:after]:
                return None
            shown = ids[after:] if kept is None else ids[ids.index(kept) :]
        shown = [id for id in shown if self.turns[id]["turn_type"] != "compaction"]
        return begin, shown


class Child:
    """Calls everything over one damage. answers: what calls give in the undamaged file."""

    def __init__(self, lib, base, names, damaged, log, answers):
        self.suite = Suite("child")
        self.log, self.answers = log, answers
        self.lib, self.base, self.base_db = lib, base, None
        self.db = self.copy()
        name, sql, self.limit = damaged
        self.suite.check("is a damage", damage(self.db, sql) > 0 or not sql)
        self.T, self.token = dict(names["turn"]), names["turn"]["token"]
        del self.T["token"]
        self.old, self.now = Rows(base), Rows(self.db)
        self.image = self.db.serialize()
        self.calls = self.count = 0
        self.at = self.places()
        self.whole = {id for id in self.T.values() if self.untouched(id)}

    def places(self):
        """The numbers and labels that an error may name: changed rows, and what is next to them."""
        at = set()
        for table in ALL:
            old, now = self.old.rows[table], self.now.rows[table]
            for key in old.keys() | now.keys():
                if old.get(key) == now.get(key):
                    continue
                one, other = old.get(key) or {}, now.get(key) or {}
                for column in one.keys() | other.keys():
                    pair = {one.get(column), other.get(column)}
                    if len(pair) == 2 or column.endswith(("id", "label")):
                        at |= pair
        for row in (*self.old.rows["branches"].values(), *self.now.rows["branches"].values()):
            first = row["id"] << 24 | row["first_depth"]
            if row["id"] in at or row["parent_turn_id"] in at or first in at:
                at |= {row["id"], first, row["parent_turn_id"], row["jump_id"]}
        for id in [i for i in at if isinstance(i, int) and abs(i) < 2**62]:
            at |= {id - 1, id + 1, *self.old.below.get(id, ()), *self.now.below.get(id, ())}
            if id >> 24 in self.old.rows["branches"]:
                at.add(id >> 24)
        for label, row in self.now.rows["sessions"].items():
            if row["thread_id"] in at:
                at.add(label)
        at.discard(None)
        return {str(a) for a in at}

    def untouched(self, id):
        """Is the tree that a turn was in as it was, with all that belongs to it?"""
        root = self.old.path(id)
        if root is None:
            return False
        for other, _, _, _ in self.old.tree(root[0][0]):
            if self.old.stored.get(other) != self.now.stored.get(other):
                return False
            for table, key in (("branches", other >> 24), ("compactions", other)):
                if self.old.rows[table].get(key) != self.now.rows[table].get(key):
                    return False
        for table in ("messages", "tool_calls"):
            if self.now.rows[table] != self.old.rows[table]:
                return False
        # Nothing else may hang on it, or say so.
        tree = self.old.tree(root[0][0])
        ids = {row[0] for row in tree}
        for id, branch in self.now.rows["branches"].items():
            if branch["parent_turn_id"] in ids and branch != self.old.rows["branches"].get(id):
                return False
        branches = {id >> 24 for id in ids}
        if any(id >> 24 in branches for id in self.now.turns.keys() - ids):
            return False
        return tree == self.now.tree(root[0][0])

    def run(self, db, sql, args):
        """Rows, or an error."""
        self.log[:LOG] = f"{sql} {args}".encode()[:LOG].ljust(LOG)
        if self.calls % 50 == 0:
            signal.alarm(SECONDS)
        self.calls += 1
        self.count = 0
        try:
            return db.execute(sql, args).fetchall(), None
        except sqlite3.Error as error:
            if error.sqlite_errorcode == CORRUPT:
                self.suite.check(f"{sql} {args}: the code is SQLITE_CORRUPT: {error}", False)
            return None, str(error)

    def answer(self, sql, args):
        """Of the undamaged file."""
        key = sql, args
        if key not in self.answers:
            self.answers[key] = self.run(self.undamaged(), sql, args)
        return self.answers[key]

    def copy(self):
        db = connect(":memory:", self.lib)
        self.base.backup(db)
        return db

    def undamaged(self):
        if self.base_db is None:
            self.base_db = self.copy()
        return self.base_db

    def watch(self):
        def handler():
            self.count += 1
            return int(self.count * 10_000 > STEPS)

        self.db.set_progress_handler(handler, 10_000)

    def named(self, what, function, error, asked):
        """Does the error say who says it and where the damage is?"""
        s = self.suite
        s.check(f"{what}: a hang", "interrupted" in error, False)
        if not s.check(f"{what}: {error}", error.startswith(function + ": ")):
            return
        words = set(re.findall(r"-?\d+|[\w-]+", error[len(function) :]))
        if self.limit and re.search(r"can't hold more|can lie deeper", error):
            return
        if "would stand for no turn" in error:
            return  # of so short a context nothing is left to be summarised
        places = set(self.at)
        if re.search(r"is not on the path|there is no turn", error):
            places |= set(re.findall(r"-?\d+", repr(asked)))
        missing = re.search(r"turn (-?\d+) is damaged: it is missing", error)
        if missing and int(missing[1]) not in self.now.turns:
            places.add(str(missing[1]))
        names = re.search(r"turn|branch|session|compaction|message|call", error)
        s.check(f"{what}: names a place: {error}", bool(names and words & places))

    # ---- Reading ----

    def read(self, function, sql, args, right, whole):
        """One call; right(rows, rows of the undamaged file) says whether an answer will do."""
        got, error = self.run(self.db, sql, args)
        before, error_before = self.answer(sql, args)
        what = f"{sql} {args}"
        if whole:
            self.suite.check(f"{what}: an undamaged tree", (got, error), (before, error_before))
        elif error is not None:
            if error != error_before:
                self.named(what, function, error, args)
        elif error_before is not None or not right(got, before):
            self.wrong(what, got, before)
        else:
            self.suite.passed += 1

    def wrong(self, what, got, before):
        before = "" if before is None else f"\n  before   {before[:12]}"
        self.suite.check(f"{what}: not right\n  answer   {got[:12]}{before}", False)

    def there(self, *ids):
        return all(id is None or id in self.now.turns for id in ids)

    def read_all(self):
        T, now = self.T, self.now
        labels = list(self.old.rows["sessions"])
        extra = [id for id in now.turns if id not in self.old.turns]
        turns = list(T.values()) + extra
        for turn in turns:
            whole = turn in self.whole
            self.read_turn(turn, turn, whole)
        for label in labels:
            row, old = now.rows["sessions"].get(label), self.old.rows["sessions"][label]
            whole = row == old and old["thread_id"] in self.whole and label != "r"
            self.read_turn(label, row and row["thread_id"], whole)
            for sql, args in (
                ("SELECT session_usage(?)", (label,)),
                ("SELECT session_needs_compaction(?, 100)", (label,)),
            ):
                self.read(sql[7 : sql.index("(")], sql, args, lambda got, _: len(got) == 1, whole)
        some = [T[n] for n in ("s0", "s2", "s6", "s9", "f4", "f5", "g6", "g9", "h11", "k14", "l15",
                               "r6", "z1", "y3")] + extra  # fmt: skip
        for a in some:
            for b in some:
                self.read_pair(a, b, a in self.whole and b in self.whole)

    def read_turn(self, which, turn, whole):
        now = self.now
        path = now.path(turn) if turn is not None else []
        last = -1 if turn is None else turn & DEPTH

        def right_path(depths):
            def check(got, before):
                got = [(id, depth, parent or None) for id, depth, parent in got]
                if got == before and self.there(*(row[0] for row in got)):
                    return True
                if path is not None and got == [path[d] for d in depths]:
                    return True
                return len(depths) < 100 and got == [now.by_id(turn, d) for d in depths]

            # What is asked for the turn 0, or for no turn at all, is nothing.
            return check if turn else lambda got, _: got == []

        columns = "turn_id, depth, parent_turn_id"
        sql = f"SELECT {columns} FROM turn_path(?)"
        if turn not in self.old.turns or isinstance(which, str):
            # The undamaged file doesn't know this turn: only the rows can be right.
            before = self.read_new
        else:
            before = self.read
        before("turn_path", sql, (which,), right_path(range(last + 1)), whole)
        before(
            "turn_path",
            f"{sql} ORDER BY depth DESC LIMIT 3",
            (which,),
            right_path(range(last, max(-1, last - 3), -1)),
            whole,
        )
        before(
            "turn_path",
            f"{sql} WHERE depth BETWEEN 3 AND 5",
            (which,),
            right_path(range(3, min(5, last) + 1)),
            whole,
        )
        context = now.context(turn) if turn is not None else (None, [])
        for budget in (None, 0, 60, 200):
            self.read_context(which, turn, context, budget, whole, before)
        if isinstance(which, str):
            return
        trees = [now.tree(turn, by) if turn in now.turns else None for by in (False, True)]

        def right_tree(got, old, levels=99):
            if turn == 0:
                return got == []
            if got == old and self.there(*(row[0] for row in got)):
                return True
            got = sorted((*row[:3], row[3] or None) for row in got)
            return any(
                tree is not None and got == [row for row in tree if row[1] <= levels]
                for tree in trees
            )

        sql = "SELECT turn_id, level, depth, parent_turn_id FROM turn_tree(?)"
        before("turn_tree", sql, (turn,), right_tree, whole)
        before(
            "turn_tree",
            f"{sql} WHERE level <= 1",
            (turn,),
            lambda got, old: right_tree(got, old, 1),
            whole,
        )
        depth = turn & DEPTH
        for d in sorted({0, 3, depth // 2, depth, depth + 1}):

            def right_ancestor(got, old, d=d):
                if got == old and self.there(got[0][0]):
                    return True
                if d > depth or turn == 0:
                    return got == [(None,)]
                if d == depth:
                    return got == [(turn,)]
                by_id = now.by_id(turn, d)
                return got[0] in [path and path[d][:1], by_id and by_id[:1]]

            before(
                "turn_ancestor", "SELECT turn_ancestor(?, ?)", (turn, d), right_ancestor, whole
            )

    def read_new(self, function, sql, args, right, whole):
        """The same where the undamaged file can't be asked, or answers for another head."""
        label = args[0]
        if isinstance(label, str):
            now, old = (r.rows["sessions"].get(label) for r in (self.now, self.old))
            if now == old:
                return self.read(function, sql, args, right, whole)
            if now and now["thread_id"] in self.old.turns:
                # As if the head's own turn were asked for.
                args_old = (now["thread_id"], *args[1:])
                before = self.answer(sql, args_old)[0]
            else:
                before = None
        else:
            before = None
        got, error = self.run(self.db, sql, args)
        if error is not None:
            self.named(f"{sql} {args}", function, error, args)
        elif not right(got, before):
            self.wrong(f"{sql} {args}", got, before)
        else:
            self.suite.passed += 1

    def read_context(self, which, turn, context, budget, whole, read):
        marks = "?" if budget is None else "?, ?"
        sql = f"SELECT turn_id, sequence, kind, role, content FROM session_context({marks})"
        running = isinstance(which, str) and which == "r"

        def right(got, old):
            # The messages are all there. A turn without a row may have some, and be shown.
            if got == old:
                return True
            if turn == 0:
                return got == []
            if context is None:
                return False
            begin, shown = context
            seen = []
            for id, _, kind, _, _ in got:
                if kind != "summary" and (not seen or seen[-1] != id):
                    seen.append(id)
            summary = [row[0] for row in got if row[2] == "summary"]
            if running and seen and seen[-1] == self.T["r6"]:
                seen.pop()
            used = {p >> 12 for t in ("messages", "tool_calls") for p in self.now.rows[t]}
            shown = [id for id in shown if id in used]
            if summary not in ([], [begin]):
                return False
            if budget is None:
                return seen == shown and bool(summary) == (begin is not None)
            return seen == shown[len(shown) - len(seen) :]

        args = (which,) if budget is None else (which, budget)
        read("session_context", sql, args, right, whole)

    def read_pair(self, a, b, whole):
        now = self.now
        meets = []  # as the rows say, and as the ids do
        paths = now.path(a), now.path(b)
        if None not in paths:
            both = [row[0] for row in paths[0] if row in paths[1]]
            meets.append(both[-1] if both else None)
        for d in range(min(a & DEPTH, b & DEPTH, 99), -1, -1):
            row = now.by_id(a, d)
            if row is not None and row == now.by_id(b, d):
                meets.append(row[0])
                break
        else:
            meets.append(None)
        depth = a & DEPTH
        path = now.path(b)
        over = depth <= b & DEPTH and a in (now.by_id(b, depth) or ())
        overs = {int(over), int((a, depth) in [row[:2] for row in path]) if path else int(over)}

        def right(answer):
            def check(got, old):
                if a == b:
                    return got == [(a if answer == "meet" else 1,)]
                if answer == "meet":
                    return (got == old and self.there(got[0][0])) or got[0][0] in meets
                return got == old or got[0][0] in overs

            return check

        known = a in self.old.turns and b in self.old.turns
        for function, answer in (("turn_common_ancestor", "meet"), ("turn_is_ancestor", "over")):
            read = self.read if known else self.read_new
            read(function, f"SELECT {function}(?, ?)", (a, b), right(answer), whole)

    # ---- Writing ----

    def write(self, what, work):
        """Runs commands in a transaction that is taken back; work(do) calls do(command, …)."""
        if what not in self.answers:
            self.answers[what] = self.attempt(self.undamaged(), work, None)[1]
            self.base_db.execute("ROLLBACK")
        expected = self.answers[what]
        turn, error = self.attempt(self.db, work, lambda *ends: self.failed(what, expected, *ends))
        if error is None:
            self.written(what, self.now, Rows(self.db, ALL[:4]), turn)
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")
            self.suite.passed += 1
        else:
            self.suite.check(f"{what}: still in the transaction", False)

    def same(self, image):
        """Is the file as it was? Equal bytes are; others may hold equal rows."""
        if self.db.serialize() == image:
            return True
        db = sqlite3.connect(":memory:")
        db.deserialize(image)
        return dump(self.db) == dump(db)

    def attempt(self, db, work, failed):
        """In a transaction: what the work answers, or the first error. Leaves it open."""
        errors = []

        def do(command, *args):
            if errors:
                return None
            start = failed and db.serialize()
            values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
            sql = f"SELECT {command}({', '.join('?' * len(values))})"
            got, error = self.run(db, sql, tuple(values))
            if error is None:
                return got[0][0]
            errors.append(error)
            if failed:
                failed(command, args, error, start)
            return None

        db.execute("BEGIN")
        return work(do), errors[0] if errors else None

    def failed(self, what, expected, command, args, error, start):
        """An error must say where the damage is, unless the undamaged file gives it as well."""
        name = f"{what}: {command} {args}"[:200]
        if error != expected:
            self.named(name, command, error, args)
        if self.suite.check(f"{name}: no rollback", self.db.in_transaction):
            self.suite.check(f"{name}: changes nothing", self.same(start))

    def written(self, what, old, now, new):
        """A new turn is where it was asked for, and nothing else of the tree has changed."""
        s = self.suite
        added = sorted(now.turns.keys() - old.turns.keys())
        running = {id for id, row in old.turns.items() if row["status"] == "running"}
        for id, row in old.turns.items():
            if id not in running and now.turns.get(id) != row:
                s.check(f"{what}: turn {id}", now.turns.get(id), row)
        for id, row in old.rows["branches"].items():
            if now.rows["branches"].get(id) != row:
                s.check(f"{what}: branch {id}", now.rows["branches"].get(id), row)
        known = set(old.turns)
        for id in added:
            row, branch = now.turns[id], now.rows["branches"].get(id >> 24)
            parent = row["parent_turn_id"]
            above = now.turns.get(parent)
            good = branch is not None and id >> 24 in range(1, 2**27)
            if parent is None:
                good = good and id & DEPTH == 0 and branch["parent_turn_id"] is None
            else:
                good = good and parent in known and above["on_path"] == 1
                good = good and id & DEPTH == (parent & DEPTH) + 1
                if id != parent + 1:
                    good = good and branch["parent_turn_id"] == parent
                    good = good and branch["first_depth"] == id & DEPTH
                    good = good and id >> 24 not in old.rows["branches"]
            s.check(f"{what}: turn {id} of {parent} in {branch}", bool(good))
            if row["on_path"] and above:
                own = row["thread_tokens"] - above["thread_tokens"]
                s.check(f"{what}: tokens of {id}: {own}", 0 <= own < 1000)
            known.add(id)
        s.check(f"{what}: made {added}, said {new}", new in added or not added)
        for id in now.rows["compactions"].keys() - old.rows["compactions"].keys():
            kept, path = now.rows["compactions"][id]["first_kept_turn_id"], now.path(id)
            if path is not None and kept is not None:
                ids = [turn for turn, _, _ in path]
                s.check(f"{what}: keeps {kept} of the path", kept in ids[:-1])
        for label, row in now.rows["sessions"].items():
            before = old.rows["sessions"].get(label)
            if row["thread_id"] is None or (before and before["thread_id"] == row["thread_id"]):
                continue
            head = now.turns.get(row["thread_id"])
            s.check(f"{what}: head of {label}", bool(head and head["on_path"] == 1))

    def write_all(self):
        T = self.T
        text = [{"role": "user", "content": "more"}]
        reply = {"content": "done", "usage": {"input_tokens": 5, "output_tokens": 6}}

        def turn_of(answer):
            return json.loads(answer)["turn"] if answer else None

        def live(label, end):
            def work(do):
                begun = do("turn_begin", label, "owner", {"messages": text})
                if begun is None:
                    return None
                begun = json.loads(begun)
                turn, token = begun["turn"], begun["token"]
                do("turn_message", turn, token, {"role": "assistant", "content": "well"})
                do("turn_tool_call", turn, token, "c1", "look", {"a": 1})
                do("turn_tool_result", turn, token, "c1", "seen")
                do("turn_phase", turn, token, "streaming")
                do("turn_heartbeat", turn, token)
                if end == "turn_complete":
                    do(end, turn, token, reply)
                else:
                    do(end, turn, token, "a reason")
                return turn

            self.write(f"{label}: turn_begin to {end}", work)

        for label in ("s", "f", "g", "l", "x", "z"):
            self.write(f"append to {label}", lambda do: do("turn_append", label, text))
            options = {"usage": {"input_tokens": 5, "output_tokens": 6}}
            self.write(f"append: {label}", lambda do: do("turn_append", label, text, options))
            live(label, "turn_complete")
            live(label, "turn_abort")
            live(label, "turn_fail")
            for options in (
                {"keep_turns": 1},
                {"keep_turns": 100},
                {"keep_turns": 0},
                {"keep_tokens": 30},
                {"first_kept_turn_id": T["z1" if label == "z" else "s3"]},
            ):
                self.write(
                    f"compact {label} {options}",
                    lambda do: turn_of(do("turn_compact", label, "summary", options)),
                )
        for name in ("s0", "s2", "s3", "s5", "s6", "s9", "f4", "f5", "g8", "h11", "l15", "z1"):
            parent = {"parent": T[name]}
            self.write(f"append under {name}", lambda do: do("turn_append", "x", text, parent))
            self.write(f"fork at {name}", lambda do: do("session_fork", T[name], "new") and None)

            def fork(do):
                do("session_fork", T[name], "new")
                return do("turn_append", "new", text)

            self.write(f"fork at {name}, append", fork)
        for label, names in (("s", "s0 s2 s6 s8"), ("l", "s2 f4 g8 g9 k13 l14"), ("y", "z1 y2")):
            for name in names.split():

                def rewind(do):
                    do("session_rewind", label, T[name])
                    return do("turn_append", label, text)

                self.write(f"rewind {label} to {name}", rewind)
        turn, token = T["r6"], self.token
        for command, *args in (
            ("turn_message", {"role": "assistant", "content": "well"}),
            ("turn_tool_call", "c1", "look"),
            ("turn_phase", "streaming"),
            ("turn_heartbeat",),
            ("turn_complete", reply),
            ("turn_abort", "a reason"),
            ("turn_fail", "a reason"),
        ):
            self.write(f"running: {command}", lambda do: do(command, turn, token, *args) and None)
        for trigger in ("context_limit", "overflow_recovery"):
            options = {"keep_turns": 1, "trigger": trigger, "turn": turn, "token": token}
            self.write(
                f"running: compact for {trigger}",
                lambda do: turn_of(do("turn_compact", "r", "summary", options)),
            )

    def go(self):
        self.watch()
        self.read_all()
        self.write_all()
        self.suite.check("no transaction is left open", self.db.in_transaction, False)
        self.suite.check("integrity", one(self.db, "PRAGMA integrity_check"), "ok")
        self.suite.done()


# ---- In the parent ----------------------------------------------------------------------------


class Job:
    """A child, from its start to its end."""

    def __init__(self, suite, number, lib, base, names, damaged, answers):
        self.name = damaged[0]
        self.out = suite.path(f"{number}.out")
        self.log = mmap.mmap(-1, LOG)
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid:
            return
        out = os.open(self.out, os.O_CREAT | os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        code = 2
        try:
            Child(lib, base, names, damaged, self.log, answers).go()
        except SystemExit as end:
            code = end.code
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(code)

    def end(self, suite, status, told):
        """Adds what the child has counted."""
        with open(self.out) as file:
            text = file.read()
        line = re.search(r"^child: (\d+) passed, (\d+) failed$", text, re.M)
        if line is None:
            last = self.log[:].decode(errors="replace").strip()
            code = os.waitstatus_to_exitcode(status)
            suite.check(f"{self.name}: ended with {code} in: {last}\n{text}", False)
            return
        suite.passed += int(line[1])
        suite.failed += int(line[2])
        text = text[: line.start()].strip()
        kind = self.name.split(":")[0]
        told[kind] = told.get(kind, 0) + bool(text)
        if text and told[kind] <= 3:
            print(f"--- {self.name}\n{text[:2500]}", flush=True)


# ---- Codes ------------------------------------------------------------------------------------

# What damages a row that each call then meets: name, statements, calls. T stands for a turn.
WRONG = "UPDATE turns SET parent_turn_id = 99 WHERE id = :s2"
CODES = [
    ("a turn", [WRONG, "UPDATE turns SET thread_tokens = -1 WHERE id = :s9"], [
        "SELECT turn_append('s', '[{\"role\":\"user\",\"content\":\"x\"}]')",
        "INSERT INTO turnstile(command, args) VALUES('turn_append', "
        "'[\"s\",[{\"role\":\"user\",\"content\":\"x\"}]]')",
        "INSERT INTO turnstile(command, args) SELECT 'turn_compact', json_array('s', 'x')",
        "SELECT session_usage('s')",
        "SELECT session_diagram('s')",
        "SELECT session_needs_compaction('s', 100)",
        "SELECT * FROM turn_path('s')",
        "SELECT * FROM turn_tree(:s0)",
        "SELECT * FROM session_context('s')",
        "SELECT * FROM session_context(:s9, 5)",
        "CREATE TABLE copy AS SELECT * FROM session_context('s')",
        "INSERT INTO turnstile_config(key, value) SELECT 'x', content FROM session_context('s')",
    ]),
    ("a branch", ["UPDATE branches SET jump_id = 99"], [
        "SELECT turn_ancestor(:l15, 0)",
        "SELECT turn_common_ancestor(:l15, :s0)",
        "SELECT turn_is_ancestor(:s0, :l15)",
        "SELECT session_rewind('l', :s0)",
        "SELECT * FROM session_context('l')",
    ]),
    ("a status", ["UPDATE sessions SET status = 'nonsense' WHERE label = 's'"], [
        "SELECT session_deliver('s', 'hello')",
        "INSERT INTO turnstile(command, args) VALUES('session_deliver', '[\"s\",\"hello\"]')",
        "SELECT session_state('s')",
        "SELECT * FROM turn_path('s')",
    ]),
    ("a merge", ["UPDATE sessions SET superseded_by = 'f' WHERE label = 's'",
                 "UPDATE sessions SET superseded_by = 's' WHERE label = 'f'"], [
        "SELECT session_deliver('s', 'hello')",
        "SELECT session_usage('s')",
        "SELECT * FROM session_context('s')",
    ]),
    ("a choice", ["UPDATE sessions SET pending_choice = '{}' WHERE label = 's'"], [
        "SELECT session_deliver('s', 'hello')",
    ]),
    ("counters", [f"UPDATE sessions SET turns = {MAX} WHERE label = 's'"], [
        "SELECT turn_append('s', '[{\"role\":\"user\",\"content\":\"x\"}]')",
    ]),
    ("a policy", ["DROP TRIGGER session_policies_check_insert",
                  "INSERT INTO session_policies(priority, name, key_template) "
                  "VALUES(99, 'p', 'k:{nonsense}')"], [
        "SELECT session_route('{\"channel\":\"c\",\"sender_id\":\"1\"}')",
    ]),
    ("the door", ["DROP TRIGGER turnstile_door",
                  "CREATE TRIGGER turnstile_door INSTEAD OF INSERT ON turnstile BEGIN "
                  "SELECT 1; END"], [
        "SELECT session_start('new', 'something')",
    ]),
]  # fmt: skip


def test_codes(suite, lib, base, names):
    """Inside BEGIN an error of any call leaves a transaction that can go on and be committed."""
    T = names["turn"]
    for name, sql, calls in CODES:
        for statement in calls:
            db = connect(":memory:", lib)
            base.backup(db)
            damage(db, [fill(s, T) for s in sql])
            what = f"codes: {name}: {statement}"
            db.execute("BEGIN")
            db.execute("INSERT INTO turnstile_config(key, value) VALUES('before', '1')")
            try:
                db.execute(fill(statement, T)).fetchall()
                suite.check(f"{what}: an error", False)
            except sqlite3.Error as error:
                suite.check(f"{what}: {error}", error.sqlite_errorcode, CORRUPT_VTAB)
                suite.check(f"{what}: its primary code", error.sqlite_errorcode & 0xFF, CORRUPT)
            try:
                db.execute("INSERT INTO turnstile_config(key, value) VALUES('after', '1')")
                db.execute("COMMIT")
            except sqlite3.Error as error:
                suite.check(f"{what}: the transaction goes on: {error}", False)
                continue
            rows = "SELECT count(*) FROM turnstile_config WHERE key IN ('before', 'after')"
            suite.check(f"{what}: what was done is there", one(db, rows), 2)
            db.close()
    # The code that SQLite itself gives is passed on as it is: pages of nonsense.
    path = suite.path("pages.db")
    with open(path, "wb") as file:
        file.write(base.serialize())
    db = connect(path, lib)
    root = one(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'messages'")
    size = one(db, "PRAGMA page_size")
    db.close()
    with open(path, "r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    db = connect(path, lib)
    for statement in (
        f"SELECT count(*) FROM session_context({T['s9']})",
        "SELECT turn_append('s', '[{\"role\":\"user\",\"content\":\"x\"}]')",
    ):
        try:
            db.execute(statement).fetchall()
            suite.check(f"codes: a damaged page: {statement}", False)
        except sqlite3.Error as error:
            suite.check(f"codes: a damaged page: {error}", error.sqlite_errorcode, CORRUPT)
    db.close()


def fill(sql, T):
    return re.sub(r":([a-z]\d+)", lambda m: str(T[m[1]]), sql)


def main():
    suite = Suite("corrupt")
    lib = library(sys.argv[1])
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    names = build(suite.path("base.db"), lib)
    base = sqlite3.connect(":memory:")
    with open(suite.path("base.db"), "rb") as file:
        base.deserialize(file.read())
    # What the undamaged file answers is found once, and known to all children.
    answers, told, running = {}, {}, {}
    nothing = ("no damage", (), False)
    first = Child(lib, base, names, nothing, bytearray(LOG), answers)
    first.watch()
    first.read_all()
    first.write_all()
    signal.alarm(0)
    suite.check("no damage", first.suite.failed, 0)
    if only in "codes":
        test_codes(suite, lib, base, names)
    jobs = [d for d in damages(names) if only in d[0]]
    for number, damaged in enumerate(jobs):
        while len(running) >= (os.cpu_count() or 2):
            pid, status = os.wait()
            running.pop(pid).end(suite, status, told)
        job = Job(suite, number, lib, base, names, damaged, answers)
        running[job.pid] = job
    while running:
        pid, status = os.wait()
        running.pop(pid).end(suite, status, told)
    suite.done()


if __name__ == "__main__":
    main()
