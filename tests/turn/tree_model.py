#!/usr/bin/python3
"""tree_model.py - the turn tree against recursive CTEs.

    tests/turn/tree_model.py BUILDDIR [seeds]

Random trees of 1 to 100,000 turns are built through the commands: turn_append under the head,
with the option parent, after session_fork, after session_rewind, and turns that fail or are still
running. Every function that reads the tree is then compared with a recursive CTE over
turns(id, parent_turn_id) alone, which knows nothing of branches or of what an id tells. Small
trees are compared completely, large ones in samples.

The last part counts steps of SQLite's machine instead of seconds: what is said to cost the same in
a short and in a long thread does. Each count has a counterpart that must be large, so that a
counter that sees nothing is a failure.
"""

import json
import os
import random
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, door, error_of, library, one  # noqa: E402
from vocabulary import ROLE  # noqa: E402

BIG = 100_000
MAX = 2**63 - 1

COLUMNS = (
    "turn_type status source model provider input_tokens output_tokens cached_input_tokens "
    "cache_write_tokens reasoning_tokens total_tokens thread_tokens context_turn_id external_id "
    "started_at completed_at error"
).split()

# The path to :turn, from its end: back counts the steps.
UP = """WITH RECURSIVE up(id, parent, back) AS (
  SELECT id, parent_turn_id, 0 FROM turns WHERE id = :turn
  UNION ALL
  SELECT t.id, t.parent_turn_id, up.back + 1 FROM up JOIN turns AS t ON t.id = up.parent)
"""

# What the CTEs find is kept here while it is compared. link is the tree as it is stored, way the
# path to one turn, down the turns below one turn, above all pairs of a turn and one above it.
SCRATCH = f"""
CREATE TEMP TABLE link(id INTEGER PRIMARY KEY, parent INTEGER);
CREATE INDEX temp.link_by_parent ON link(parent);
CREATE TEMP TABLE known(id INTEGER PRIMARY KEY, depth INTEGER, root INTEGER);
CREATE TEMP TABLE above(id INTEGER, top INTEGER, depth INTEGER);
CREATE TEMP TABLE way(turn_id INTEGER, depth INTEGER, parent_turn_id INTEGER,
  {", ".join(COLUMNS)});
CREATE TEMP TABLE down(turn_id INTEGER, level INTEGER, depth INTEGER, parent_turn_id INTEGER,
  {", ".join(COLUMNS)});
"""

KNOW = """WITH RECURSIVE down(id, depth, root) AS (
  SELECT id, 0, id FROM link WHERE parent IS NULL
  UNION ALL
  SELECT l.id, down.depth + 1, down.root FROM down JOIN link AS l ON l.parent = down.id)
INSERT INTO known SELECT id, depth, root FROM down
"""

ABOVE = """WITH RECURSIVE up(id, top, parent) AS (
  SELECT id, id, parent FROM link
  UNION ALL
  SELECT up.id, l.id, l.parent FROM up JOIN link AS l ON l.id = up.parent)
INSERT INTO above SELECT up.id, up.top, k.depth FROM up JOIN known AS k ON k.id = up.top
"""

WAY = f"""{UP} INSERT INTO way
SELECT t.id, (SELECT max(back) FROM up) - up.back, t.parent_turn_id,
       {", ".join("t." + c for c in COLUMNS)}
FROM up JOIN turns AS t ON t.id = up.id ORDER BY up.back DESC
"""

BELOW = f"""WITH RECURSIVE below(id, level) AS (
  SELECT id, 0 FROM link WHERE id = :turn
  UNION ALL
  SELECT l.id, below.level + 1 FROM below JOIN link AS l ON l.parent = below.id)
SELECT t.id, below.level, k.depth, t.parent_turn_id, {", ".join("t." + c for c in COLUMNS)}
FROM below JOIN turns AS t ON t.id = below.id JOIN known AS k ON k.id = below.id
"""

# The paths of all sessions at once.
SESSIONS = """WITH RECURSIVE up(label, id, parent, back) AS (
  SELECT s.label, t.id, t.parent_turn_id, 0 FROM sessions AS s JOIN turns AS t ON t.id = s.thread_id
  UNION ALL
  SELECT up.label, t.id, t.parent_turn_id, up.back + 1
  FROM up JOIN turns AS t ON t.id = up.parent)
SELECT label, row_number() OVER (PARTITION BY label ORDER BY back DESC) - 1, id FROM up
ORDER BY 1, 2
"""

# What must not exist in a tree of any shape.
SHAPE = [
    (
        "a turn's branch is there and begins at or above it",
        "SELECT t.id FROM turns AS t LEFT JOIN branches AS b ON b.id = t.id >> 24 "
        "WHERE b.first_depth IS NULL OR b.first_depth > t.id & 16777215",
    ),
    (
        "an id holds the depth",
        "SELECT id FROM known WHERE id & 16777215 <> depth",
    ),
    ("every turn hangs on a root", "SELECT id FROM turns WHERE id NOT IN (SELECT id FROM known)"),
    (
        "a branch's first turn is where the branch says",
        "SELECT b.id FROM branches AS b LEFT JOIN turns AS t ON t.id = b.id << 24 | b.first_depth "
        "WHERE t.id IS NULL OR t.parent_turn_id IS NOT b.parent_turn_id",
    ),
    (
        "the other turns of a branch follow each other",
        "SELECT t.id FROM turns AS t JOIN branches AS b ON b.id = t.id >> 24 "
        "WHERE t.id & 16777215 > b.first_depth AND t.parent_turn_id IS NOT t.id - 1",
    ),
    (
        "a branch begins one below its parent turn",
        "SELECT b.id FROM branches AS b LEFT JOIN known AS k ON k.id = b.parent_turn_id "
        "WHERE b.first_depth IS NOT ifnull(k.depth + 1, 0)",
    ),
    (
        "a branch lies one level below its parent",
        "SELECT b.id FROM branches AS b LEFT JOIN branches AS p ON p.id = b.parent_turn_id >> 24 "
        "WHERE b.level IS NOT ifnull(p.level + 1, 0)",
    ),
    (
        "a shortcut leads up, and a root has none",
        "SELECT b.id FROM branches AS b LEFT JOIN branches AS j ON j.id = b.jump_id "
        "WHERE (b.parent_turn_id IS NULL) <> (b.jump_id IS NULL) OR j.level >= b.level "
        "OR (b.jump_id IS NOT NULL AND j.id IS NULL) OR j.first_depth IS NOT b.jump_depth",
    ),
    (
        "branches are numbered without gaps",
        "SELECT * FROM (SELECT count(*) AS n, max(id) AS last FROM branches) WHERE n <> last",
    ),
    (
        "thread_tokens only grow along a path",
        "SELECT t.id FROM turns AS t JOIN turns AS p ON p.id = t.parent_turn_id "
        "WHERE t.thread_tokens < p.thread_tokens AND t.on_path = 1",
    ),
]

# A shortcut leads to a branch that really lies above. Quadratic, so only in small trees.
SHORTCUT = """WITH RECURSIVE up(id, top) AS (
  SELECT id, parent_turn_id >> 24 FROM branches
  UNION ALL
  SELECT up.id, b.parent_turn_id >> 24 FROM up JOIN branches AS b ON b.id = up.top)
SELECT id FROM branches AS b WHERE jump_id IS NOT NULL
AND NOT EXISTS (SELECT 1 FROM up WHERE up.id = b.id AND up.top = b.jump_id)
"""

# Run over turn_path and over the table that holds the same rows.
JOINS = [
    "SELECT p.depth, t.id FROM {path} AS p JOIN turns AS t ON t.id = p.turn_id ORDER BY p.depth",
    "SELECT p.depth, t.id FROM {path} AS p CROSS JOIN turns AS t ON t.id = p.turn_id "
    "ORDER BY p.depth DESC",
    "SELECT p.depth, t.id FROM turns AS t CROSS JOIN {path} AS p ON t.id = p.turn_id "
    "ORDER BY p.depth",
    "SELECT p.depth, m.content FROM {path} AS p JOIN messages AS m ON m.place BETWEEN "
    "p.turn_id << 12 AND p.turn_id << 12 | 4095 ORDER BY p.depth, m.place",
    "SELECT p.depth, m.content FROM messages AS m CROSS JOIN {path} AS p ON m.turn_id = p.turn_id "
    "WHERE p.depth >= 1 ORDER BY p.depth, m.place",
    "SELECT s.label, p.depth FROM sessions AS s JOIN {path} AS p ON p.turn_id = s.thread_id "
    "ORDER BY 1",
    "SELECT s.label, p.depth FROM {path} AS p CROSS JOIN sessions AS s ON p.turn_id = s.thread_id "
    "ORDER BY 1",
    "SELECT s.label, p.depth FROM sessions AS s LEFT JOIN {path} AS p ON p.turn_id = s.thread_id "
    "ORDER BY 1",
    "SELECT a.turn_id, b.turn_id FROM {path} AS a JOIN {path} AS b ON b.depth = a.depth + 1 "
    "ORDER BY 1",
    "SELECT a.depth, b.depth FROM {path} AS a JOIN {path} AS b ON b.turn_id = a.turn_id ORDER BY 1",
    "SELECT a.depth, b.depth FROM {path} AS a LEFT JOIN {path} AS b ON b.turn_id = a.parent_turn_id "
    "AND b.depth > 1 ORDER BY 1",
    "WITH n(x) AS (VALUES (16777217), (16777217.0), ('16777217'), (16777217.5), (NULL), (-1), (0), "
    "(1), (33554433), (9223372036854775807), (-9223372036854775808), (1e300), (x'00')) "
    "SELECT n.x, (SELECT count(*) FROM {path} AS p WHERE p.turn_id = n.x), (SELECT p.depth FROM "
    "{path} AS p WHERE p.turn_id = n.x AND p.depth <= 3 ORDER BY p.depth DESC LIMIT 1) FROM n",
    "SELECT turn_id FROM {path} WHERE turn_id = 16777218 AND depth = 3",
    "SELECT a.turn_id FROM {path} AS a WHERE NOT EXISTS "
    "(SELECT 1 FROM {path} AS b WHERE b.parent_turn_id = a.turn_id)",
    "SELECT count(*), min(depth), max(depth), sum(depth) FROM {path}",
    "SELECT count(*) FROM {path} WHERE turn_id IN (SELECT thread_id FROM sessions)",
    "WITH n(x) AS (VALUES (0), (3), (NULL), (-1), (1), (16777216)) "
    "SELECT n.x, p.turn_id FROM n CROSS JOIN {path} AS p ON p.depth = n.x",
    "WITH n(x) AS (VALUES (3), (0), (NULL), (-1)) SELECT n.x, (SELECT count(*) FROM {path} AS p "
    "WHERE p.depth > n.x), (SELECT p.turn_id FROM {path} AS p WHERE p.depth <= n.x "
    "ORDER BY p.depth DESC LIMIT 1) FROM n",
]

suite = Suite("tree")
lib = library(sys.argv[1])
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 1


def same(what, got, expected):
    """Compares two lists; shows only where they part."""
    if got == expected:
        return suite.check(what, True)
    for i, pair in enumerate(zip(got, expected)):
        if pair[0] != pair[1]:
            return suite.check(f"{what}: row {i} of {len(expected)}", *pair)
    return suite.check(f"{what}: rows", len(got), len(expected))


# ---- Shapes: the parent of each turn, None for a root -----------------------------------------


def chain(r, n):
    return [None, *range(n - 1)]


def star(r, n):
    return [None] + [0] * (n - 1)


def comb(r, n):
    """A spine, then teeth on it."""
    spine = max(1, n // 2)
    parents = [None, *range(spine - 1)]
    while len(parents) < n:
        parents.append(r.randrange(spine))
        for _ in range(min(r.randrange(4), n - len(parents))):
            parents.append(len(parents) - 1)
    return parents


def nested(r, n):
    """Forks of forks: every fork leaves the fork before it."""
    parents, at = [None], 0
    while len(parents) < n:
        parents.append(at)
        if len(parents) < n:
            parents.append(at)
            at = len(parents) - 1
    return parents


def scattered(r, n):
    return [None] + [r.randrange(i) for i in range(1, n)]


def recent(r, n):
    """Deep, and forking everywhere."""
    return [None] + [max(0, i - r.choice((1, 1, 1, 2, 3, 10))) for i in range(1, n)]


def mixture(r, n, roots=0.0):
    """Pieces of all shapes, each hanging on some turn that is there."""
    parents = []
    while len(parents) < n:
        start = len(parents)
        hang = None
        if start and r.random() >= roots:
            hang = r.choice((start - 1, r.randrange(start), r.randrange(start)))
        piece = r.choice((chain, chain, star, comb, nested, scattered, recent))
        size = min(n - start, r.randint(1, max(1, n // 5)))
        parents += [hang if p is None else start + p for p in piece(r, size)]
    return parents


def forest(r, n):
    return mixture(r, n, 0.3)


SHAPES = (chain, star, comb, nested, scattered, recent, mixture, forest)


# ---- Building ---------------------------------------------------------------------------------


def size(message):
    """Of a message, in tokens."""
    return (len(message["content"].encode()) + 3) // 4


class Tree:
    """A database with a tree that was built through the commands, and what was asked for."""

    APPEND = "SELECT turn_append(?, ?)"
    APPEND_WITH = "SELECT turn_append(?, ?, ?)"

    def __init__(self, shape, n, seed):
        self.name = f"{shape.__name__} of {n}, seed {seed}"
        self.r = random.Random(f"{shape.__name__} {n} {seed}")
        self.big = n > 1000
        self.columns = "turn_id, depth, parent_turn_id, thread_tokens" if self.big else "*"
        self.parents = shape(self.r, n)
        self.leaves = set(range(n)) - set(self.parents)
        self.ids, self.tokens = [], []  # by number: the turn's id, the size of its own content
        self.good = []  # may it be a parent?
        self.heads, self.at = {}, {}  # label → number of its head, and the other way round
        self.busy = set()  # labels of sessions with a turn that is running
        self.outer = {}  # number → external id
        self.used, self.branches = set(), 0
        self.seen = {}  # branches as they were first seen
        self.db = connect(":memory:", lib)
        self.db.execute("PRAGMA temp_store = MEMORY")
        one(self.db, "SELECT turnstile_install()")
        self.db.executescript(SCRATCH)
        self.db.execute("BEGIN")
        for i, parent in enumerate(self.parents):
            self.add(i, parent)
            if i & (i + 1) == 0:
                self.look_at_branches()
        self.look_at_branches()
        self.db.execute("COMMIT")

    def call(self, command, *args):
        marks = ", ".join("?" * len(args))
        values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
        return one(self.db, f"SELECT {command}({marks})", *values)

    def add(self, i, parent):
        wanted = None if parent is None else self.ids[parent]
        expected = self.predict(wanted)
        messages, tokens, options = self.content(i)
        good = True
        if self.big:
            turn = self.append(i, parent, messages, options)
        elif i in self.leaves and parent is not None and self.r.random() < 0.15:
            turn, good, tokens = self.begin(i, parent, messages)
        else:
            turn = self.append(i, parent, messages, options)
        if turn != expected:
            suite.check(f"{self.name}: the id of turn {i}", turn, expected)
        self.ids.append(turn)
        self.used.add(turn)
        self.good.append(good)
        self.tokens.append(tokens)

    def predict(self, parent):
        """The id that a turn under this one gets."""
        if parent is not None and parent + 1 not in self.used:
            return parent + 1
        self.branches += 1
        return self.branches << 24 | (0 if parent is None else (parent & 0xFFFFFF) + 1)

    def content(self, i):
        """Messages as JSON, their size, and options."""
        if self.big:
            return '[{"role":"user","content":"a word"}]', 2, {}
        r, options = self.r, {}
        messages = [
            {
                "role": r.choice(ROLE[:3]),
                "content": f"{i}.{k} " + "é" * r.randrange(9),
            }
            for k in range(r.choice((1, 1, 2, 3)))
        ]
        tokens = sum(size(m) for m in messages)
        if r.random() < 0.2:
            options["tokens"] = tokens = r.randrange(50)
        if r.random() < 0.2:
            options["external_id"] = self.outer[i] = f"outer-{i}"
        if r.random() < 0.2:
            options["usage"] = {"input_tokens": r.randrange(99), "output_tokens": r.randrange(99)}
            options["model"] = "m"
        return json.dumps(messages), tokens, options

    def move(self, label, i):
        """The head of a session is now turn number i."""
        if label in self.heads:
            self.at[self.heads[label]].discard(label)
        self.heads[label] = i
        self.at.setdefault(i, set()).add(label)

    def append(self, i, parent, messages, options):
        r, db = self.r, self.db
        there = self.at.get(parent) if parent is not None else None
        way = r.random()
        if parent is None:
            label = f"s{i}"
        elif there and way < 0.6:
            label = min(there) if len(there) < 5 else next(iter(there))
        elif way < 0.8:
            # Any session, also one that looks at another tree, or a new one.
            label = r.choice((next(iter(self.heads)), f"s{i}")) if not self.big else "s0"
            outer = self.outer.get(parent)
            options["parent"] = outer if outer and way < 0.7 else self.ids[parent]
        else:
            label = self.rewind(parent)
            if label is None:
                label = f"f{i}"
                forked = one(db, "SELECT session_fork(?, ?)", self.ids[parent], label)
                if forked != label:
                    suite.check(f"{self.name}: fork", forked, label)
        if options:
            turn = one(db, self.APPEND_WITH, label, messages, json.dumps(options))
        else:
            turn = one(db, self.APPEND, label, messages)
        self.move(label, i)
        return turn

    def rewind(self, parent):
        """Moves a session back to this turn, when one is found whose path it lies on."""
        label = next(iter(self.heads)) if self.big else self.r.choice(list(self.heads))
        if label in self.busy:
            return None
        step = self.heads[label]
        for _ in range(50):
            if step is None or step == parent:
                break
            step = self.parents[step]
        if step != parent:
            return None
        turn = one(self.db, "SELECT session_rewind(?, ?) ->> '$.head'", label, self.ids[parent])
        if turn != self.ids[parent]:
            suite.check(f"{self.name}: rewind", turn, self.ids[parent])
        return label

    def begin(self, i, parent, messages):
        """A turn that is begun, and fails, is aborted or goes on running."""
        label = f"b{i}"
        self.call("session_fork", self.ids[parent], label)
        self.move(label, parent)
        inputs = [{**m, "role": "user"} for m in json.loads(messages)]
        tokens = sum(size(m) for m in inputs)
        begun = json.loads(self.call("turn_begin", label, "o", {"messages": inputs}))
        turn, token, end = begun["turn"], begun["token"], self.r.randrange(4)
        if end == 0:
            self.call("turn_fail", turn, token, "a network error")
        elif end == 1:
            self.call("turn_abort", turn, token, "stopped")
        elif end == 2:
            self.call("turn_message", turn, token, {"role": "assistant", "content": "a part"})
            self.call("turn_abort", turn, token, "stopped")
            self.move(label, i)
            return turn, True, tokens + 2
        else:
            # Goes on running: nothing can be appended to this session.
            self.at[parent].discard(label)
            self.busy.add(label)
        return turn, False, None

    def look_at_branches(self):
        """Rows of branches never change."""
        if self.big and len(self.seen) > 2000 and len(self.ids) < len(self.parents):
            return
        rows = {row[0]: row for row in self.db.execute("SELECT * FROM branches")}
        for branch, row in self.seen.items():
            if rows.get(branch) != row:
                suite.check(f"{self.name}: branch {branch}", rows.get(branch), row)
        self.seen = rows

    def learn(self):
        """Lets the CTEs find the tree."""
        db = self.db
        db.execute("INSERT INTO link SELECT id, parent_turn_id FROM turns")
        db.execute(KNOW)
        if len(self.ids) <= 100:
            db.execute(ABOVE)
        self.depth = dict(db.execute("SELECT id, depth FROM known"))
        asked = [
            (id, None if p is None else self.ids[p]) for id, p in zip(self.ids, self.parents)
        ]
        stored = db.execute("SELECT id, parent FROM link ORDER BY id").fetchall()
        same(f"{self.name}: as asked for", stored, sorted(asked))
        heads = {label: self.ids[i] for label, i in self.heads.items()}
        stored = dict(db.execute("SELECT label, thread_id FROM sessions"))
        suite.check(f"{self.name}: heads", stored, heads)

    def walk(self, turn):
        """Fills way with the path to a turn."""
        self.db.execute("DELETE FROM way")
        self.db.execute(WAY, {"turn": turn})

    def sample(self, n):
        """Turns of all kinds: the last, a deepest, some."""
        if len(self.ids) <= n:
            return list(self.ids)
        deepest = max(self.ids, key=self.depth.get)
        return [self.ids[-1], deepest, *self.r.sample(self.ids, n - 2)]


# ---- Comparing --------------------------------------------------------------------------------


def condition(r, column, depth, lists):
    """A condition on depth or level, sensible or not. A list breaks the order of a tree."""
    values = [-1, 0, 1, depth // 2, depth - 1, depth, depth + 1, r.randint(0, depth)] * 3
    values += [2**24, 2**40, MAX, -MAX - 1, "NULL", "'3'", "2.5", "-0.5", "'x'", "x'01'", "1e300"]
    a, b = r.choice(values), r.choice(values)
    form = r.randrange(14)
    if form == 0:
        return f"{column} BETWEEN {a} AND {b}"
    if form == 1 and lists:
        return f"{column} IN ({a}, {b}, {r.randint(0, depth)})"
    if form == 2:
        return f"{a} {r.choice(('<', '<=', '=', '>', '>='))} {column}"
    if form == 3:
        return f"({column} < {a} OR {column} > {b})"
    if form == 4:
        return f"{column} IS {a}"
    if form == 5:
        return f"{column} <> {a}"
    if form == 6:
        return f"{column} + 0 >= {a}"
    return f"{column} {r.choice(('=', '<', '<=', '>', '>=', '<', '<=', '>', '>='))} {a}"


def query(r, columns, depth, orders):
    """The first and the last part of a query, to be put around a source."""
    every = f"{', '.join(columns)}, turn_id"
    what = r.choice((every, every, every, every, "count(*)", "max(depth), min(depth)"))
    order = r.choice(orders)
    lists = bool(order) or len(columns) == 1
    conditions = [
        condition(r, r.choice(columns), depth, lists) for _ in range(r.choice((0, 1, 1, 2, 3)))
    ]
    tail = f"WHERE {' AND '.join(conditions)} " if conditions else ""
    tail += order
    if r.random() < 0.5:
        k, j = (r.choice((0, 1, 2, 10, depth, depth + 1, MAX)) for _ in range(2))
        tail += r.choice((f" LIMIT {k}", f" LIMIT {k} OFFSET {j}", f" LIMIT -1 OFFSET {j}"))
    return f"SELECT {what}", tail


def compare_path(tree, turn, queries, joins):
    db, r, name = tree.db, tree.r, f"{tree.name}, turn {turn}"
    tree.walk(turn)
    depth = one(db, "SELECT max(depth) FROM way")
    suite.check(f"{name}: depth", depth, tree.depth[turn])
    rows = db.execute(f"SELECT {tree.columns} FROM way").fetchall()
    got = db.execute(f"SELECT {tree.columns} FROM turn_path(?)", (turn,)).fetchall()
    same(f"{name}: path", got, rows)
    up = f"SELECT {tree.columns} FROM turn_path(?) ORDER BY depth DESC"
    same(f"{name}: path up", db.execute(up, (turn,)).fetchall(), rows[::-1])
    orders = ("", "ORDER BY depth", "ORDER BY depth DESC", "ORDER BY turn_id", "ORDER BY turn_id DESC",
              "ORDER BY depth DESC, turn_id", "ORDER BY -depth")  # fmt: skip
    for _ in range(queries):
        head, tail = query(r, ["depth"], depth, orders)
        got = db.execute(f"{head} FROM turn_path({turn}) {tail}").fetchall()
        expected = db.execute(f"{head} FROM way {tail}").fetchall()
        same(f"{name}: {head} FROM turn_path {tail}", got, expected)
    if joins:
        for sql in JOINS:
            got = db.execute(sql.format(path=f"turn_path({turn})")).fetchall()
            same(f"{name}: {sql}", got, db.execute(sql.format(path="way")).fetchall())


def compare_tree(tree, turn, queries):
    db, r, name = tree.db, tree.r, f"{tree.name}, below {turn}"
    got = db.execute("SELECT * FROM turn_tree(?)", (turn,)).fetchall()
    expected = db.execute(BELOW, {"turn": turn}).fetchall()
    same(f"{name}: turns", sorted(got), sorted(expected))
    # In preorder the parent of every row is one of the rows above it that are still open.
    open_rows, broken = [], []
    for id, level, _, parent, *_ in got:
        while open_rows and open_rows[-1] != parent:
            open_rows.pop()
        if not open_rows and id != turn:
            broken.append(id)
        elif level != len(open_rows):
            broken.append((id, level))
        open_rows.append(id)
    suite.check(f"{name}: preorder", broken[:5], [])
    if not queries:
        return
    db.execute("DELETE FROM down")
    db.executemany(f"INSERT INTO down VALUES ({', '.join('?' * len(got[0]))})", got)
    low = max(row[2] for row in got)
    for _ in range(queries):
        head, tail = query(r, ["level", "depth"], low, ("", "", "ORDER BY level, turn_id"))
        got = db.execute(f"{head} FROM turn_tree({turn}) {tail}").fetchall()
        expected = db.execute(f"{head} FROM down {tail}").fetchall()
        same(f"{name}: {head} FROM turn_tree {tail}", got, expected)


def compare_all_pairs(tree):
    """turn_ancestor, turn_common_ancestor and turn_is_ancestor for everything."""
    db = tree.db
    got = db.execute(
        "WITH n(depth) AS (SELECT value FROM json_each(?)) SELECT k.id, n.depth, "
        "turn_ancestor(k.id, n.depth) FROM known AS k, n ORDER BY 1, 2",
        (json.dumps([*range(max(tree.depth.values()) + 2), 2**24, 2**53 - 1]),),
    ).fetchall()
    top = {(a, d): t for a, t, d in db.execute("SELECT id, top, depth FROM above")}
    expected = [(a, d, top.get((a, d))) for a, d, _ in got]
    same(f"{tree.name}: turn_ancestor", got, expected)
    got = db.execute(
        "SELECT a.id, b.id, turn_common_ancestor(a.id, b.id), turn_is_ancestor(a.id, b.id) "
        "FROM known AS a, known AS b ORDER BY 1, 2"
    ).fetchall()
    common = {
        (a, b): t
        for a, b, t, _ in db.execute(
            "SELECT x.id, y.id, x.top, max(x.depth) FROM above AS x JOIN above AS y "
            "ON y.top = x.top GROUP BY 1, 2"
        )
    }
    over = {(t, a) for (a, _), t in top.items()}
    expected = [(a, b, common.get((a, b)), int((a, b) in over)) for a, b, _, _ in got]
    same(f"{tree.name}: pairs", got, expected)


def compare_pairs(tree, n):
    """The same for a sample."""
    db, r = tree.db, tree.r
    for a in tree.sample(n):
        b = r.choice(tree.ids)
        if r.random() < 0.3:
            path = db.execute(UP + "SELECT id FROM up", {"turn": a}).fetchall()
            b = r.choice(path)[0]
        # The path to b, in way; how far the path to a runs along it.
        tree.walk(b)
        meet = db.execute(
            UP + "SELECT up.id FROM up JOIN way ON way.turn_id = up.id ORDER BY up.back LIMIT 1",
            {"turn": a},
        ).fetchone()
        meet = meet and meet[0]
        name = f"{tree.name}, {a} and {b}"
        suite.check(f"{name}: common", one(db, "SELECT turn_common_ancestor(?, ?)", a, b), meet)
        suite.check(f"{name}: again", one(db, "SELECT turn_common_ancestor(?, ?)", b, a), meet)
        suite.check(
            f"{name}: over", one(db, "SELECT turn_is_ancestor(?, ?)", a, b), int(meet == a)
        )
        suite.check(
            f"{name}: under", one(db, "SELECT turn_is_ancestor(?, ?)", b, a), int(meet == b)
        )
        depth = tree.depth[b]
        for d in {0, depth, depth + 1, *(r.randint(0, depth) for _ in range(5))}:
            expected = one(db, "SELECT turn_id FROM way WHERE depth = ?", d)
            got = one(db, "SELECT turn_ancestor(?, ?)", b, d)
            suite.check(f"{tree.name}: ancestor of {b} at {d}", got, expected)


def compare_sessions(tree):
    """turn_path with the label, and with an argument from another table."""
    db, name = tree.db, tree.name
    expected = db.execute(SESSIONS).fetchall()
    for source in (
        "sessions AS s, turn_path(s.thread_id) AS p",
        "turn_path(s.thread_id) AS p, sessions AS s",
        "sessions AS s JOIN turn_path(s.label) AS p",
    ):
        got = db.execute(f"SELECT s.label, p.depth, p.turn_id FROM {source} ORDER BY 1, 2")
        same(f"{name}: {source}", got.fetchall(), expected)
    heads = {label: (depth, id) for label, depth, id in expected}
    got = db.execute(
        "SELECT s.label, (SELECT max(depth) FROM turn_path(s.label)), (SELECT turn_id FROM "
        "turn_path(s.thread_id) ORDER BY depth DESC LIMIT 1) FROM sessions AS s ORDER BY 1"
    )
    same(f"{name}: in a subquery", got.fetchall(), [(k, *heads[k]) for k in sorted(heads)])
    if tree.big:
        return
    got = db.execute(
        "SELECT a.label, b.label, (SELECT x.turn_id FROM turn_path(a.thread_id) AS x JOIN "
        "turn_path(b.thread_id) AS y USING (turn_id) ORDER BY x.depth DESC LIMIT 1), "
        "turn_common_ancestor(a.thread_id, b.thread_id) FROM (SELECT * FROM sessions LIMIT 7) AS a,"
        "(SELECT * FROM sessions ORDER BY label DESC LIMIT 5) AS b ORDER BY 1, 2"
    ).fetchall()
    suite.check(f"{name}: where two paths part", [r for r in got if r[2] != r[3]], [])


def compare_content(tree, turn):
    """session_context without a compaction is the path's messages; tokens add up along it."""
    db, r, name = tree.db, tree.r, f"{tree.name}, turn {turn}"
    number = tree.ids.index(turn)
    if not tree.good[number]:
        return
    tree.walk(turn)
    rows = db.execute(
        "SELECT m.turn_id, m.sequence, 'message', m.role, m.content, NULL, NULL, NULL, m.source, "
        "m.metadata, m.created_at FROM way AS w JOIN messages AS m ON m.turn_id = w.turn_id "
        "ORDER BY w.depth, m.place"
    ).fetchall()
    opening = (None, None, "opening", "user", "(The conversation goes on.)", *[None] * 6)

    def shown(rows):
        """Where the agent would speak first, a few words of the user come before."""
        first = next((i for i, row in enumerate(rows) if row[3] != "system"), len(rows))
        if first < len(rows) and rows[first][3] == "assistant":
            rows = [*rows[:first], opening, *rows[first:]]
        return [(i, *row) for i, row in enumerate(rows)]

    context = (
        "SELECT position, turn_id, sequence, kind, role, content, tool_call_id, tool_name, status, "
        "source, metadata, created_at FROM session_context"
    )
    got = db.execute(f"{context}(?)", (turn,)).fetchall()
    same(f"{name}: context", got, shown(rows))
    for label in sorted(tree.at.get(number, ()))[:1]:
        got = db.execute(f"{context}(?)", (label,)).fetchall()
        same(f"{name}: context of {label}", got, shown(rows))
    # From the end: what each turn adds, and the whole turns that fit.
    own, numbers = [], {id: i for i, id in enumerate(tree.ids)}
    for (id,) in db.execute("SELECT turn_id FROM way ORDER BY depth"):
        own.append((id, tree.tokens[numbers[id]]))
    total, sums = 0, []
    for id, tokens in own:
        total += tokens
        sums.append((id, total))
    got = db.execute("SELECT turn_id, thread_tokens FROM turn_path(?)", (turn,)).fetchall()
    same(f"{name}: thread_tokens", got, sums)
    for budget in {0, 1, total - 1, total, total + 1, r.randint(0, total + 1)} - {-1}:
        left, fits = budget, set()
        for id, tokens in reversed(own):
            left -= tokens
            if left < 0:
                break
            fits.add(id)
        kept = shown([row for row in rows if row[0] in fits])
        got = db.execute(f"{context}(?, ?)", (turn, budget)).fetchall()
        same(f"{name}: context of {budget} tokens", got, kept)


def compare_shape(tree):
    for what, sql in SHAPE:
        suite.check(f"{tree.name}: {what}", tree.db.execute(sql).fetchall()[:5], [])
    if not tree.big:
        suite.check(f"{tree.name}: shortcuts", tree.db.execute(SHORTCUT).fetchall()[:5], [])


def small(shape, n, seed):
    """A tree of up to 100 turns: everything."""
    tree = Tree(shape, n, seed)
    tree.learn()
    compare_shape(tree)
    compare_all_pairs(tree)
    compare_sessions(tree)
    few = set(tree.sample(8))
    for turn in tree.ids:
        compare_path(tree, turn, 12 if turn in few else 2, turn in few)
        compare_tree(tree, turn, 12 if turn in few else 2)
        compare_content(tree, turn)
    tree.db.close()


def middle(shape, n, seed):
    """A tree of 1,000 turns: samples."""
    tree = Tree(shape, n, seed)
    tree.learn()
    compare_shape(tree)
    compare_sessions(tree)
    compare_pairs(tree, 12)
    for turn in [tree.ids[0], *tree.sample(4)]:
        compare_path(tree, turn, 10, False)
        compare_tree(tree, turn, 10)
        compare_content(tree, turn)
    tree.db.close()


def large(shape, n, seed):
    """A tree of 100,000 turns."""
    tree = Tree(shape, n, seed)
    tree.learn()
    compare_shape(tree)
    compare_pairs(tree, 4)
    compare_tree(tree, tree.ids[0], 2)
    for turn in tree.sample(2):
        compare_path(tree, turn, 2, False)
        compare_tree(tree, turn, 0)
    return tree


# ---- Arguments --------------------------------------------------------------------------------


def test_arguments():
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    turn = one(db, """SELECT turn_append('s', '[{"role":"user","content":"hello"}]')""")
    suite.check("the first turn of a file", turn, 16777216)
    other = one(db, """SELECT turn_append('z', '[{"role":"user","content":"hello"}]')""")
    door(db, "session_deliver", "empty", "write a poem")
    for sql in (
        "turn_path(NULL)",
        "turn_path('empty')",
        "turn_tree(NULL)",
        "session_context(NULL)",
        "session_context('empty')",
    ):
        suite.check(sql, db.execute(f"SELECT * FROM {sql}").fetchall(), [])
    suite.check("other trees", one(db, "SELECT turn_common_ancestor(?, ?)", turn, other), None)
    suite.check("other trees: over", one(db, "SELECT turn_is_ancestor(?, ?)", turn, other), 0)
    suite.check("itself", one(db, "SELECT turn_is_ancestor(?, ?)", turn, turn), 1)
    suite.check("itself: common", one(db, "SELECT turn_common_ancestor(?, ?)", turn, turn), turn)
    for unknown in (0, 1, -1, turn + 1, turn - 1, 99 << 24, 2**53 - 1, 2**53, MAX, -MAX - 1):
        # Beyond what an argument may be, the error is about that.
        no_turn = "there is no turn {}" if 0 <= unknown < 2**53 else " is {}; it must be from 0 to"
        for function in ("turn_path", "turn_tree", "session_context"):
            error = error_of(one, db, f"SELECT * FROM {function}({unknown})")
            suite.holds(f"{function}({unknown})", error, f"{function}: ", f"no turn {unknown}")
        for call in ("turn_ancestor({}, 0)", "turn_common_ancestor({}, 16777216)",
                     "turn_common_ancestor(16777216, {})", "turn_is_ancestor({}, 16777216)",
                     "turn_is_ancestor(16777216, {})"):  # fmt: skip
            call = call.format(unknown)
            error = error_of(one, db, f"SELECT {call}")
            suite.holds(call, error, call.split("(")[0] + ": ", no_turn.format(unknown))
    for function in ("turn_path", "session_context"):
        # A text is always a label.
        for label in ("nobody", "16777216"):
            error = error_of(one, db, f"SELECT * FROM {function}('{label}')")
            suite.holds(f"{function} of an unknown label", error, f"{function}: ", label)
    for sql in (
        "UPDATE branches SET level = level",
        "DELETE FROM branches",
        "INSERT OR REPLACE INTO branches SELECT * FROM branches",
    ):
        suite.holds(sql, error_of(one, db, sql), "branches: append-only")
    for sql in (
        "SELECT turn_id FROM turn_path(16777216) ORDER BY depth",
        "SELECT turn_id FROM turn_path(16777216) ORDER BY depth DESC LIMIT 10",
        "SELECT turn_id FROM turn_path(16777216) WHERE depth BETWEEN 3 AND 9 ORDER BY depth DESC",
    ):
        plan = " ".join(row[3] for row in db.execute("EXPLAIN QUERY PLAN " + sql))
        suite.check(f"{sql}: no sorting", "TEMP B-TREE" in plan, False)
    db.close()


# ---- Steps ------------------------------------------------------------------------------------


STATEMENT = 40  # more than a nested statement that finds one row takes


def steps(db, sql, *args):
    """How many loops and ends of statements SQLite's machine ran through, nested ones included."""
    count = 0

    def handler():
        nonlocal count
        count += 1
        return 0

    # Once before, so that statements are prepared.
    db.execute("SAVEPOINT steps")
    db.execute(sql, args).fetchall()
    db.execute("ROLLBACK TO steps")
    db.set_progress_handler(handler, 1)
    try:
        db.execute(sql, args).fetchall()
    finally:
        db.set_progress_handler(None, 0)
        db.execute("ROLLBACK TO steps")
        db.execute("RELEASE steps")
    return count


# As docs/turns.md shows it.
NEWEST = """SELECT m.role, m.content
FROM (SELECT turn_id FROM turn_path(?) ORDER BY depth DESC LIMIT 10) AS p
JOIN messages AS m ON m.place BETWEEN p.turn_id << 12 AND p.turn_id << 12 | 4095
ORDER BY m.place DESC LIMIT 10"""


def test_steps(short, long, deep):
    """What must cost the same in a thread of 10 and of 100,000 turns, and below 50,000 forks."""
    messages = '[{"role":"user","content":"a word"}]'

    def calls(tree, n):
        """The calls in question, at the end of a thread, in its middle and at its root."""
        top, middle, tip = (one(tree.db, "SELECT turn_ancestor(?, ?)", tree.ids[-1], d)
                            for d in (0, n // 2, n - 1))  # fmt: skip
        label = one(tree.db, "SELECT label FROM sessions WHERE thread_id = ?", tip)
        path = "SELECT turn_id, depth, thread_tokens FROM turn_path(?)"
        return [
            ("the end of a path", f"{path} ORDER BY depth DESC LIMIT 10", tip),
            ("the end of a path, by label", f"{path} ORDER BY depth DESC LIMIT 10", label),
            ("the end of a path, by ids", f"{path} ORDER BY turn_id DESC LIMIT 10", tip),
            ("the end of a path, and more", f"{path} ORDER BY depth DESC, status LIMIT 10", tip),
            ("its messages", NEWEST, label),
            ("the end of a context", "SELECT role, content, tool_name FROM session_context(?) "
             "ORDER BY position DESC LIMIT 10", label),
            ("the end of a turn's context", "SELECT content FROM session_context(?) "
             "WHERE kind = 'message' ORDER BY position DESC LIMIT 3 OFFSET 4", tip),
            ("the beginning", f"{path} LIMIT 10", tip),
            ("the beginning, in order", f"{path} ORDER BY depth LIMIT 10", tip),
            ("a range", f"{path} WHERE depth BETWEEN {n // 2} AND {n // 2 + 4}", tip),
            ("one turn", f"{path} WHERE depth = {n // 2}", tip),
            ("one turn by its id", f"{path} WHERE turn_id = {middle}", tip),
            ("turns joined by their ids", f"WITH n(x) AS (VALUES ({middle}), ({top})) SELECT depth "
             "FROM n CROSS JOIN turn_path(?) AS p ON p.turn_id = n.x", tip),
            ("below a depth", f"{path} WHERE depth < 5", tip),
            ("above a depth", f"{path} WHERE depth >= {n - 5}", tip),
            ("nothing", f"{path} WHERE depth > 5 AND depth < 3", tip),
            ("beyond", f"{path} WHERE depth > {n + 5}", tip),
            ("by a join", "WITH n(x) AS (VALUES (1), (3)) SELECT turn_id FROM n CROSS JOIN "
             "turn_path(?) AS p ON p.depth = n.x", tip),
            ("the top of a tree", "SELECT turn_id FROM turn_tree(?) WHERE level <= 3", top),
            ("the top of a tree, by depth", "SELECT turn_id FROM turn_tree(?) WHERE depth <= 3",
             top),
            ("the first of a tree", "SELECT turn_id FROM turn_tree(?) LIMIT 5", top),
            ("an ancestor", f"SELECT turn_ancestor(?, {n // 2})", tip),
            ("common", "SELECT turn_common_ancestor(?, ?)", tip, middle),
            ("is above", "SELECT turn_is_ancestor(?, ?)", top, tip),
            ("a context within a budget", "SELECT content FROM session_context(?, 8)", tip),
            ("append", "SELECT turn_append(?, ?)", label, messages),
            ("append under a parent", f"SELECT turn_append('x', ?, '{{\"parent\":{middle}}}')",
             messages),
            ("fork", "SELECT session_fork(?, 'new')", middle),
            ("fork the end", "SELECT session_fork(?, 'new')", tip),
            ("rewind", "SELECT session_rewind(?, ?)", label, middle),
            ("rewind to the root", "SELECT session_rewind(?, ?)", label, top),
            ("begin", "SELECT turn_begin(?, 'o', ?)", label, f'{{"messages":{messages}}}'),
            ("usage", "SELECT session_usage(?)", label),
            ("does it need a compaction", "SELECT session_needs_compaction(?, 1000)", label),
        ]  # fmt: skip

    n = len(long.ids)
    searches = n.bit_length()
    # Searches by halves for where the budget ends, so it looks at a few turns more.
    logarithmic = "a context within a budget"
    for (what, sql, *args), (_, sql2, *args2) in zip(calls(short, len(short.ids)), calls(long, n)):
        few, many = steps(short.db, sql, *args), steps(long.db, sql2, *args2)
        suite.check(f"steps at 10: {what}: {few}", few < 2000)
        # The turns of one thread hold more entries than those of the other.
        bound = few * 2 if "context" in what and "end" in what else few
        bound += STATEMENT * searches if what == logarithmic else STATEMENT
        suite.check(f"steps at {n}: {what}: {few} grew to {many}", many <= bound)
    # A join reads turns as long as it needs more: without a sort it ends with its LIMIT.
    joined = ("SELECT m.content FROM turn_path(?) AS p JOIN messages AS m ON m.place BETWEEN p.turn_id << 12 "
              "AND p.turn_id << 12 | 4095 ORDER BY p.depth DESC LIMIT 10")  # fmt: skip
    few, many = steps(short.db, joined, short.ids[-1]), steps(long.db, joined, long.ids[-1])
    suite.check(f"steps at {n}: the newest of a join: {few} grew to {many}", many <= 2 * few)
    full = steps(long.db, "SELECT turn_id FROM turn_path(?)", long.ids[-1])
    suite.check("steps: a whole path", full >= n)
    full = steps(long.db, "SELECT content FROM session_context(?)", long.ids[-1])
    suite.check("steps: a whole context", full >= n)
    full = steps(long.db, "SELECT turn_id FROM turn_tree(?)", long.ids[0])
    suite.check("steps: a whole tree", full >= n)
    # Forks of forks: as many branches as a path can have. A walk visits O(log n) of them.
    tip = deep.ids[-1]
    depth = deep.depth[tip]
    walk = STATEMENT * 2 * depth.bit_length()
    suite.check("forks of forks", one(deep.db, "SELECT max(level) FROM branches") > 40_000)
    pairs = zip(calls(short, len(short.ids)), calls(deep, depth + 1))
    for (what, sql, *args), (_, sql2, *args2) in pairs:
        few, many = steps(short.db, sql, *args), steps(deep.db, sql2, *args2)
        bound = few + (walk * depth.bit_length() if what == logarithmic else 2 * walk)
        said = f"steps below {depth} forks: {what}: {few} grew to {many}, allowed {bound}"
        suite.check(said, many <= bound)


CALL = json.dumps([{"role": "assistant", "tool_calls": [{"id": "call_0", "name": "look"}]}])
RESULT = json.dumps([{"role": "tool", "tool_call_id": "call_0", "content": "seen"}])
OTHER_RESULT = json.dumps([{"role": "tool", "tool_call_id": "call_0", "content": "unseen"}])
WORD = '[{"role":"user","content":"a word"}]'


def pairs(n, others=0, forked=False):
    """A thread of n calls, each answered in the next turn, all under one id. others: so many
    sessions with the same, half of them older, half newer. forked: each turn in a branch of its
    own."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    db.execute("BEGIN")

    def beside(numbers):
        for i in numbers:
            one(db, "SELECT turn_append(?, ?)", f"o{i}", CALL)
            if i % 2:
                one(db, "SELECT turn_append(?, ?)", f"o{i}", RESULT)

    beside(range(others // 2))
    one(db, "SELECT turn_append('s', ?)", WORD)
    for _ in range(n):
        for messages in (CALL, RESULT):
            turn = one(db, "SELECT turn_append('s', ?)", messages)
            if forked:
                # Something else takes the place behind it.
                one(db, "SELECT session_fork(?, ?)", turn, f"f{turn}")
                other = RESULT if messages is CALL else CALL
                one(db, "SELECT turn_append(?, ?)", f"f{turn}", other)
    beside(range(others // 2, others))
    db.execute("COMMIT")
    return db


def linked(n):
    """Steps a turn, in a thread in which every turn answers the call of the one before."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    db.execute("BEGIN")
    one(db, "SELECT turn_append('s', ?)", WORD)  # for the summary to stand for
    one(db, "SELECT turn_append('s', ?)", CALL)
    for _ in range(n - 1):
        one(db, "SELECT turn_append('s', ?)", json.dumps(json.loads(RESULT) + json.loads(CALL)))
    db.execute("COMMIT")
    suite.check("a chain: nothing", one(db, "SELECT count(*) FROM session_context('s', 60)"), 0)
    compact = "SELECT turn_compact('s', 'x', '{\"keep_turns\":1}')"
    found = {
        "a budget": steps(db, f"SELECT content FROM session_context('s', {14 * n})") / n,
        "a compaction": steps(db, compact) / n,
    }
    moved = json.loads(one(db, compact))
    suite.check("a chain: all", (moved["moved"], moved["turns_kept"]), (True, n))
    found["its context"] = steps(db, "SELECT content FROM session_context('s')") / n
    db.close()
    return found


def test_ids():
    """Ids of calls that repeat: what a row of a context costs, and a result that comes in."""

    def refused(db, said, sql, *args):
        """Steps of a call that fails."""
        n = 0

        def handler():
            nonlocal n
            n += 1
            return 0

        error_of(one, db, sql, *args)
        db.set_progress_handler(handler, 1)
        error = error_of(one, db, sql, *args)
        db.set_progress_handler(None, 0)
        suite.holds("a second result", error, said)
        return n

    def count(db):
        rows = one(db, "SELECT count(*) FROM session_context('s')")
        tokens = "SELECT sum(tokens) FROM session_context('s')"
        found = {
            "a row": steps(db, "SELECT content FROM session_context('s')") / rows,
            "a row's size": steps(db, tokens) / rows,
            "a budget": steps(db, "SELECT content FROM session_context('s', 60)"),
        }
        db.execute("SAVEPOINT ids")
        one(db, "SELECT turn_append('s', ?)", CALL)
        found["a result"] = steps(db, "SELECT turn_append('s', ?)", RESULT)
        one(db, "SELECT turn_append('s', ?)", RESULT)
        found["the result again"] = refused(db, "are there already", "SELECT turn_append('s', ?)", RESULT)
        found["a second result"] = refused(
            db, "has its result already", "SELECT turn_append('s', ?)", OTHER_RESULT
        )
        db.execute("ROLLBACK TO ids")
        db.execute("RELEASE ids")
        db.close()
        return found

    few, forked = count(pairs(500)), count(pairs(100, 0, True))
    # Beside many branches a walk takes O(log n) steps, and a budget O(log n) walks.
    for name, before, db, most in (
        ("4,000 pairs", few, pairs(4000), {}),
        ("beside 4,000 sessions", few, pairs(500, 4000), {}),
        ("1,000 pairs in 2,000 branches", forked, pairs(1000, 0, True), {"a budget": 2.0}),
    ):
        many = count(db)
        for what, n in before.items():
            said = f"one id: {name}: {what}: {n:.1f} grew to {many[what]:.1f}"
            bound = most.get(what, 1.5 if before is forked else 1.2)
            suite.check(said, many[what] <= n * bound)
    # Every turn answers the one before and calls again: a boundary anywhere would part a pair.
    short, long = linked(500), linked(4000)
    for what, n in short.items():
        said = f"a chain of answers: {what}: {n:.1f} a turn grew to {long[what]:.1f}"
        suite.check(said, long[what] <= n * 1.2)
    # A counter that sees nothing is a failure.
    suite.check("one id: a row takes steps", few["a row"] > 20)


def main():
    test_arguments()
    test_ids()
    for seed in range(SEEDS):
        for shape in SHAPES:
            small(shape, 1, seed)
            small(shape, 2, seed)
            for more in range(6):
                small(shape, 10, f"{seed}.{more}")
            for more in range(2):
                small(shape, 100, f"{seed}.{more}")
            middle(shape, 1000, seed)
    long = large(chain, BIG, 0)
    deep = large(nested, BIG, 0)
    large(mixture, BIG, 0).db.close()
    short = Tree(chain, 10, 0)
    short.learn()
    test_steps(short, long, deep)
    suite.done()


if __name__ == "__main__":
    main()
