#!/usr/bin/python3
"""walk.py - every state that two owners and two messages can bring a session into.

    tests/turn/walk.py BUILDDIR [states [walk]]

Breadth first from an empty file: in every state every operation is done that fits there. Messages
of all classes, modes and of another source are delivered or pushed; turns begin, work, are steered,
end in all ways, lose their lease; inputs are cancelled, tried again, put first; choices are
answered; processes start anew. A state is expanded once. Two states are the same when they differ
in nothing that later operations could see: ids, times, tokens and what is done with are left out,
and so are pairs of modes and classes that mean the same (queue and followup, steer and
steer-backlog, Response and Modification). So the walk is finite; it ends at closure, or after so
many states, and says how deep it was then.

After every operation:

  - a token is greater than all before it, and there is one running turn at most, the run's own,
    right below the head;
  - every message is in one place: a row of the queue, or held by the choice, or noted down, or done
    with by its own decision;
  - what waits keeps its order, except for what queue_front puts first; what a turn began with comes
    back before it; a turn and a decision list inputs as they were delivered;
  - a user's "/compact" waits in line, and turn_steering gives all that it can and nothing else;
  - turn_begin finds nothing only where nothing waits;
  - a refused call changes nothing.

In every new state, too: every token that was ever given out and is not the run's own is refused and
changes nothing, and so are the numbers beside the run's own; the context shows no call without a
result unless its turn runs; the invariants of all suites (lib/harness.py) hold.

A failure is printed with the shortest history that leads to it."""
import collections
import json
import os
import sqlite3
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import CHECK, INVARIANTS, Tally, library  # noqa: E402
from histories import Failure, call  # noqa: E402
from vocabulary import CLASS, LIVE_RUN, MODES, QUEUE_END, QUEUE_OPEN, QUEUE_WAITS, STEERED, TASK_OVER, WORK_ACTION, commands  # noqa: E402

UUID = "00000000-0000-4000-8000-00000000d0d0"
START, LEASE = 1_000_000_000_000, 300_000
MESSAGES = ("m1", "m2")
SAME = {
    "followup": "queue",
    "steer-backlog": "steer",
    "Response": "Modification",
    None: "-",
}


def short(word):
    return SAME.get(word, word)


# ---- The database --------------------------------------------------------------------------------

SESSION = """SELECT s.status, s.thread_id, s.pending_choice, t.state, t.description, r.owner,
  r.token, r.run_state, r.turn_id, r.expires_at, r.failed_turn_id, s.open_task_id
FROM sessions AS s LEFT JOIN tasks AS t ON t.id = s.open_task_id
LEFT JOIN session_runs AS r ON r.session_label = s.label WHERE s.label = 's'"""
TURN = """SELECT t.phase, t.parent_turn_id, t.resumes_turn_id IS NOT NULL,
  (SELECT count(*) FROM messages WHERE turn_id = t.id) +
  (SELECT count(*) FROM tool_calls WHERE turn_id = t.id) > t.inputs,
  (SELECT count(*) FROM tool_calls WHERE turn_id = t.id AND status = 'pending')
FROM turns AS t WHERE t.id = ?"""
ROWS = """SELECT q.id, q.delivery_id, q.message, q.status, q.mode, q.class, q.attempts, q.turn_id,
  q.rank, q.source FROM session_queue AS q LEFT JOIN queue_list AS l ON l.queue_id = q.id
ORDER BY l.position, q.id"""
Row = collections.namedtuple("Row", "id delivery text status mode cls attempts turn rank source")
Session = collections.namedtuple(
    "Session",
    "status head choice state task owner token run turn expires failed task_id",
)


class State:
    """What is in the database now, read once."""

    def __init__(self, world):
        db, now = world.db, world.now
        self.now = now
        row = db.execute(SESSION).fetchone()
        self.s = s = Session(*row) if row else None
        self.rows = [Row(*r) for r in db.execute(ROWS)] if s else []
        self.line = [r for r in self.rows if r.status == "pending"]
        self.choice = json.loads(s.choice) if s and s.choice else None
        self.held = self.choice["delivery_id"] if self.choice else None
        self.turn = db.execute(TURN, (s.turn,)).fetchone() if s and s.turn else None
        self.live = bool(s and s.run in LIVE_RUN and s.expires is not None and s.expires > now)
        self.token = s.token or 0 if s else 0

    def meaning(self, row):
        """A class that is not known yet is the text's last word."""
        if row.text.startswith("/compact"):
            return "/compact"
        return short(row.cls or "?" + row.text.split()[-1])

    def key(self):
        """All that later operations can see."""
        s = self.s
        if s is None:
            return None
        rows, open_rows = [], [r for r in self.rows if r.status not in ("delivered", "cancelled")]
        ranks = sorted({r.rank for r in open_rows if r.rank < 0})
        ids = sorted(r.delivery for r in open_rows)
        for r in open_rows:
            what = (ids.index(r.delivery), r.status, short(r.mode), self.meaning(r), r.source)
            if r.status != "failed":
                rank = ranks.index(r.rank) - len(ranks) if r.rank < 0 else 0
                what += (r.attempts, rank, r.id < max(x.id for x in open_rows))
            rows.append(what)
        choice = self.choice and (
            self.choice["kind"],
            short(self.choice.get("held_mode")),
            short(self.choice["held_class"]),
            all(self.held < d for d in ids),
        )
        run = (
            "live"
            if s.run in ("starting", "running")
            else "rest"
            if s.run in ("idle", "ready")
            else s.run
        )
        return (
            s.status,
            choice,
            s.state,
            self.token > 0,
            run,
            bool(s.turn),
            self.live,
            self.turn and self.turn[3:],
            s.failed is not None,
            tuple(rows),
        )


class World:
    def __init__(self, path):
        self.db = db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=1000)
        db.enable_load_extension(True)
        db.load_extension(path)
        db.create_function("class_of", -1, lambda message, *rest: message.split()[-1])
        db.execute("SELECT turnstile_install(?)", (json.dumps({"uuid": UUID}),)).fetchall()
        db.execute("SELECT turnstile_classifier('class_of')").fetchall()
        for key, value in (
            ("ask_threshold", "9000 days"),
            ("auto_compact_threshold", "9000 days"),
            ("archive_after", "9000 days"),
            ("max_attempts", 2),
            ("lease", LEASE),
        ):
            db.execute("SELECT turnstile_config(?, ?)", (key, value)).fetchall()
        self.now = START
        # Turn, token and what the turn began with, in the order in which they were given out.
        self.given = []

    def call_with(self, command, args, options):
        sql = f"SELECT {command}({', '.join('?' * (len(args) + 1))})"
        return self.db.execute(sql, (*args, json.dumps({**options, "now": self.now}))).fetchone()[0]

    def do(self, op):
        """→ (result, error). A turn that begins is remembered."""
        command, args, options = op
        if command == "expire":
            self.now += LEASE + 1
            return None, None
        try:
            result = self.call_with(
                command,
                [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args],
                options,
            )
        except sqlite3.Error as e:
            return None, str(e)
        if isinstance(result, str) and '"token":' in result:
            r = json.loads(result)
            r = r if "token" in r else r["turn"]
            taken = [m["queue_id"] for m in r["messages"] if "queue_id" in m]
            self.given.append((r["turn"], r["token"], taken))
        return result, None


# ---- What can be done ----------------------------------------------------------------------------


def every_kind(m, live):
    """A message of every class and source in every mode, delivered and pushed."""
    # Without a live run the mode is only stored.
    for mode in MODES if live else ("queue", "collect", "steer", "interrupt"):
        for cls in CLASS:
            yield "session_deliver", ["s", f"{m} {cls}"], {"class": cls, "mode": mode}
        yield "session_deliver", ["s", f"{m} tick"], {"source": "timer", "mode": mode}
        yield "session_deliver", ["s", "/compact " + m], {"mode": mode}
    for cls in CLASS:
        if not live:
            yield "session_deliver", ["s", f"{m} {cls}"], {"class": cls, "owner": "A"}
        yield "queue_push", ["s", f"{m} {cls}"], {"mode": "steer"}
        yield "queue_push", ["s", f"{m} {cls}"], {"mode": "queue"}


def plain(m, live):
    """A new task."""
    yield "session_deliver", ["s", f"{m} NewTask"], {"class": "NewTask", "mode": "queue"}
    if not live:
        yield "session_deliver", ["s", f"{m} NewTask"], {"class": "NewTask", "owner": "A"}


def modes_only(m, live):
    """A change to the task in every mode, delivered and pushed."""
    for mode in ("queue", "collect", "steer", "interrupt"):
        yield "session_deliver", ["s", m], {"class": "Modification", "mode": mode}
    if not live:
        yield "session_deliver", ["s", m], {"class": "Modification", "owner": "A"}
    yield "session_deliver", ["s", m], {"source": "timer", "mode": "queue"}


def operations(state, alphabet):
    """Every operation that fits this state."""
    s, rows = state.s, state.rows
    new = len(state.said - {None})
    if new < len(alphabet):
        yield from alphabet[new](MESSAGES[new], state.live)
    if s is None:
        return
    for owner in ("A", "B"):
        yield "turn_begin", ["s", owner], {}
        if s.run != "idle" and (s.turn or s.owner == owner):
            yield "turnstile_startup", [owner], {"all": 1}
    yield "turn_begin", ["s", "B"], {
        "messages": [{"role": "user", "content": "by hand"}],
        "source": "user",
    }
    if s.turn:
        me = [s.turn, s.token]
        yield "turn_message", [*me, {"role": "assistant", "content": "so far"}], {}
        if state.turn[4]:
            yield "turn_tool_result", [*me, "c", "ok"], {}
        elif not state.turn[3]:
            yield "turn_tool_call", [*me, "c", "bash", None], {}
        yield "turn_steering", me, {}
        yield "turn_phase", [*me, "streaming"], {}
        yield "turn_heartbeat", me, {}
        for result in ({}, {"outcome": "done"}, {"outcome": "question"}):
            yield "turn_complete", [*me, {"content": "Well.", **result}], {}
        yield "turn_fail", [*me, "it broke"], {}
        yield "turn_abort", [*me, "stopped"], {"keep": 0}
        yield "turn_abort", [*me, "stopped"], {"keep": 1}
        for run in ("ready", "idle", "error"):
            yield "session_run", ["s", s.owner, run, None], {"token": s.token}
        if state.live:
            yield "expire", [], {}
        yield "session_sweep", [], {}
    elif s.token:
        yield "turn_append", ["s", [{"role": "user", "content": "aside"}]], {}
    for r in rows:
        if r.status in QUEUE_WAITS:
            yield "queue_cancel", [r.id], {}
        if r.status == "pending":
            yield "queue_front", [r.id], {}
        if r.status == "failed":
            yield "queue_retry", [r.id], {}
    if state.choice:
        yield "session_choose", ["s", "continue"], {}
        yield "session_choose", ["s", "start_fresh"], {}
    if s.task_id:
        yield "session_compact", ["s", None], {}
        if s.state not in TASK_OVER:
            yield "session_transition", ["s", "Aborted", {"reason": "of no use"}], {}


# ---- What must hold ------------------------------------------------------------------------------


def ensure(ok, name, *detail):
    if not ok:
        raise Failure(name, "; ".join(map(str, detail)))


def stand_in_order(places, what):
    ensure(places == sorted(places), "order: " + what, places)


def check_step(world, before, op, result, error, after):
    """What must hold between two states."""
    command, args, options = op
    s, was = after.s, before.s
    ensure(after.token >= before.token, "a token never shrinks", before.token, after.token)
    if error is not None:
        ensure(after.key() == before.key(), "a refused call changes nothing", error)
        return
    if s is None:
        return
    began = s.turn if s.turn and (was is None or s.turn != was.turn) else None
    if began:
        ensure(
            s.token > before.token, "a turn that begins has a greater token", before.token, s.token
        )
        ensure(not before.live or command != "turn_begin", "no turn begins beside a live run")
    if (
        was
        and was.turn
        and s.turn != was.turn
        and command not in ("turn_complete", "turn_fail", "turn_abort")
    ):
        ensure(
            s.token > before.token,
            "a run that is ended by others loses its token",
            before.token,
            s.token,
        )
        fenced = {"session_deliver", "session_choose"}
        harmless = fenced | {"turnstile_startup", "session_run"}
        ensure(not before.live or command in harmless, "a live run is ended by " + command)
    check_places(world, before, op, result, after)
    check_order(world, before, op, result, after, began)
    for r in after.line:
        if r.mode in STEERED and r.source == "user":
            ensure(not r.text.startswith("/compact"), "a request to compact waits in line", r)
    if command == "turn_steering":
        left = [
            r
            for r in after.line
            if r.mode in STEERED and r.cls in (None, "Response", "Modification", "Clarification")
        ]
        ensure(not left, "steering takes all it can", left)
        for m in json.loads(result)["messages"]:
            ensure(
                m["class"] in (None, "Response", "Modification", "Clarification"),
                "what steering gives",
                m,
            )
            ensure("action" not in m, "steering gives no request to compact", m)
        ensure(s.run != "interrupted", "an interrupt is over once it is taken", s.run)
        if was.task_id and s.state == "Interrupted":
            ensure(not json.loads(result)["messages"], "work goes on with what was taken")
    if command == "turn_begin" and result is None:
        ensure(
            not after.line and not any(r.status == "handed" for r in after.rows),
            "nothing to begin with, but inputs wait",
            after.line,
        )


def check_places(world, before, op, result, after):
    """Every message in one place."""
    rows = collections.Counter(r.delivery for r in after.rows)
    ensure(all(n == 1 for n in rows.values()), "a message is in the queue twice", rows)
    if after.held is not None:
        ensure(after.held not in rows, "a held message is in the queue as well", after.held)
    gone = {r.delivery for r in before.rows} - set(rows)
    ensure(not gone, "a row has gone", gone)
    if before.held is not None and before.held != after.held and before.held not in rows:
        text = before.choice["held"]
        notes = world.db.execute(
            "SELECT count(*) FROM observations WHERE instr(data, ?) "
            "AND (instr(data, 'Asked for meanwhile') OR instr(data, 'Taken back'))",
            (text,),
        ).fetchone()[0]
        ensure(notes, "a held message is lost", text)
    if op[0] in ("session_deliver", "queue_push"):
        decision, id = world.db.execute(
            "SELECT decision, id FROM deliveries ORDER BY id DESC LIMIT 1"
        ).fetchone()
        d = json.loads(decision)
        has_row = id in rows
        needs = {*WORK_ACTION, "steer", "interrupt"}
        if d["action"] == "prompt":
            ensure(after.held is not None, "a prompt without a choice")
            ensure(
                has_row + (after.held == id) == (before.choice is None)
                or before.choice is not None,
                "a prompt holds its message",
            )
        elif d["action"] in needs and d["class"] != "Confirmation":
            ensure(has_row, f"action {d['action']} without a row", decision)
        elif d["action"] in ("complete", "abandon"):
            ensure(not has_row, f"action {d['action']} with a row", decision)
        if "queue_id" in d:
            ensure(any(r.id == d["queue_id"] for r in after.rows), "queue_id is a row's", decision)


def check_order(world, before, op, result, after, began):
    """Nothing that waits is overtaken."""
    command = op[0]
    waited = [r.id for r in before.line]
    still = [r.id for r in after.line]
    if command not in ("queue_front",):
        both = [i for i in waited if i in still]
        ensure(both == [i for i in still if i in both], "order: what waits", waited, still)
    # What a turn began with comes back before everything that was not put first.
    if before.turn:
        begun = next((taken for turn, _, taken in world.given if turn == before.s.turn), [])
        back = [r.id for r in after.line if r.id in begun and r.id not in waited]
        at = [i for i in begun if i in back]
        ensure(back == at, "order: what comes back comes as it went", begun, still)
        for i in back:
            ahead = [
                x for x in still[: still.index(i)] if x not in begun and x not in world.fronted
            ]
            ensure(
                not ahead or command == "queue_retry",
                "order: what comes back stands first",
                i,
                ahead,
            )
    if isinstance(result, str) and result.startswith("{"):
        d = json.loads(result)
        place = {r.id: (r.rank, r.delivery) for r in after.rows}
        if "inputs" in d:
            stand_in_order([place[i["queue_id"]] for i in d["inputs"]], "inputs of a decision")
        if command == "session_deliver" and "turn" in d:
            d = d["turn"]
        if began and "messages" in d:
            taken = [m["queue_id"] for m in d["messages"] if "queue_id" in m]
            if (
                command == "turn_begin"
                and taken
                and not any(r.status == "handed" for r in before.rows)
            ):
                first = next((i for i in still if i in waited), None)
                if first is not None and before.turn is None:
                    ensure(
                        waited.index(taken[0]) < waited.index(first)
                        if taken[0] in waited
                        else True,
                        "order: a turn takes what stands first",
                        waited,
                        taken,
                    )
            if any(r.status == "handed" for r in before.rows) or command == "session_deliver":
                stand_in_order([place[i] for i in taken], "inputs of a turn")


CONTEXT = """WITH c AS MATERIALIZED
  (SELECT kind, tool_call_id AS id, turn_id FROM session_context('s'))
SELECT id FROM c WHERE kind = 'tool_call' AND turn_id IS NOT ?1
  AND id NOT IN (SELECT id FROM c WHERE kind = 'tool_result')
UNION ALL SELECT id FROM c WHERE kind = 'tool_result'
  AND id NOT IN (SELECT id FROM c WHERE kind = 'tool_call')"""


def check_state(world, state):
    """What must hold in a state that was not seen before."""
    s = state.s
    if s is None:
        return
    running = world.db.execute("SELECT id FROM turns WHERE status = 'running'").fetchall()
    ensure(
        [s.turn] * bool(s.turn) == [r[0] for r in running],
        "one running turn, the run's own",
        running,
        s.turn,
    )
    if s.turn:
        ensure(
            state.turn[1] == s.head, "the running turn lies below the head", state.turn[1], s.head
        )
        ensure(s.expires is not None, "a running turn has a lease")
    else:
        ensure(
            not any(r.status == "processing" for r in state.rows),
            "an input is processed by nobody",
            state.rows,
        )
        ensure(s.run not in LIVE_RUN, "a run without a turn is not live", s.run)
    tokens = [token for _, token, _ in world.given]
    ensure(tokens == sorted(set(tokens)), "tokens grow", tokens)
    ensure(
        world.db.execute(CONTEXT, (s.turn,)).fetchall() == [],
        "the context shows a call without a result",
    )
    before = None
    wrong = [(s.turn, s.token - 1), (s.turn, s.token + 1)] if s.turn else []
    for i, (turn, token) in enumerate(wrong + [given[:2] for given in world.given]):
        if (turn, token) == (s.turn, s.token):
            continue
        before = before or state.key()
        for op in late_calls(turn, token, i):
            result, error = world.do(op)
            ensure(error is not None, f"{op[0]} with a late token", op, result)
    if before:
        ensure(State(world).key() == before, "a late call changes something")
    for name, sql in INVARIANTS:
        if sql == CHECK:  # session by session, which takes a hundredth of the time
            sql = "SELECT found.* FROM sessions, turnstile_check(sessions.label) AS found"
        found = world.db.execute(sql).fetchall()[:3]
        ensure(not found, name, found)


def late_calls(turn, token, i):
    """One that a process may make after its token died, and one that ends the turn, in turns."""
    calls = [
        ("turn_message", [turn, token, {"role": "assistant", "content": "late"}], {}),
        ("turn_tool_call", [turn, token, "late", "bash", None], {}),
        ("turn_tool_result", [turn, token, "c", "late"], {}),
        ("turn_steering", [turn, token], {}),
        ("turn_phase", [turn, token, "streaming"], {}),
        ("turn_heartbeat", [turn, token], {}),
    ]
    ends = [
        ("turn_complete", [turn, token, {"content": "late"}], {}),
        ("turn_fail", [turn, token, "late"], {}),
        ("turn_abort", [turn, token, "late"], {"keep": 1}),
    ]
    return calls[(turn + i) % 6], ends[(turn + i) % 3]


# ---- The walk ------------------------------------------------------------------------------------


def said(op):
    """The message that an operation brings, if it does."""
    if op[0] not in ("session_deliver", "queue_push"):
        return None
    return op[1][1].replace("/compact ", "").split()[0]


def as_sql(op, now):
    command, args, options = op
    if command == "expire":
        return "-- the lease runs out"
    return call(command, [*args, {**options, "now": now}])


class Walk:
    def __init__(self, path, most, alphabet, opening, only=None):
        self.world, self.most, self.alphabet = World(path), most, alphabet
        self.only = only  # the commands that are done; None: all
        for op in opening:
            self.world.do(op)
        self.opening, self.opened = opening, self.world.given
        self.steps = self.states = self.depth = 0
        self.failures = collections.Counter()
        self.came, self.statuses = set(), set()

    def redo(self, path):
        """From the empty file along a path."""
        w = self.world
        w.now, w.given, w.fronted = START, list(self.opened), set()
        spoken = set()
        for op in path:
            w.do(op)
            if op[0] == "queue_front":
                w.fronted.add(op[1][0])
            spoken.add(said(op))
        return spoken

    def run(self):
        w, db = self.world, self.world.db
        seen = {(State(w).key(), 0)}
        frontier = collections.deque([()])
        while frontier and self.states < self.most:
            path = frontier.popleft()
            self.states += 1
            self.depth = len(path)
            db.execute("SAVEPOINT root")
            spoken = self.redo(path)
            here = State(w)
            here.said = spoken
            now, given, fronted = w.now, list(w.given), set(w.fronted)
            for op in operations(here, self.alphabet):
                if self.only and op[0] not in self.only:
                    continue
                w.now, w.given, w.fronted = now, list(given), set(fronted)
                db.execute("SAVEPOINT step")
                self.steps += 1
                try:
                    result, error = w.do(op)
                    if op[0] == "queue_front":
                        w.fronted.add(op[1][0])
                    after = State(w)
                    tally.add(op[0], [*op[1], op[2]], error)
                    if error is None:
                        self.came.add(op[0])
                        self.statuses.update(r.status for r in after.rows)
                    check_step(w, here, op, result, error, after)
                    key = (after.key(), len((spoken | {said(op)}) - {None}))
                    if key not in seen:
                        seen.add(key)
                        check_state(w, after)
                        frontier.append(path + (op,))
                except Failure as f:
                    self.failures[f.name] += 1
                    if self.failures[f.name] == 1:
                        self.tell(path + (op,), f)
                db.execute("ROLLBACK TO step")
                db.execute("RELEASE step")
            db.execute("ROLLBACK TO root")
            db.execute("RELEASE root")
        self.left = len(frontier)

    def tell(self, path, failure):
        print(f"  {failure.name}: {failure.detail}")
        now = START
        for op in [*self.opening, *path]:
            now += LEASE + 1 if op[0] == "expire" else 0
            print(f"    {as_sql(op, now)}")
        sys.stdout.flush()


def held(m, live):
    """What a choice holds."""
    for mode in ("queue", "interrupt"):
        yield "session_deliver", ["s", f"{m} NewTask"], {"class": "NewTask", "mode": mode}
        yield "session_deliver", ["s", f"{m} Unclear"], {"class": "Unclear", "mode": mode}


TASK = [("session_start", ["s", "the task"], {})]
EARLIER = [
    ("turn_begin", ["s", "A"], {"messages": [{"role": "user", "content": "hello"}]}),
    ("turn_complete", [16777216, 1, {"content": "Well."}], {}),
]
# What has to do with leases, order and modes.
LEASES = set(
    """session_deliver turn_begin turn_message turn_steering turn_complete turn_fail turn_abort expire
    turnstile_startup queue_cancel queue_front""".split()
)
# Name, what comes first, what the first and the second message can be, the commands in question.
WALKS = [
    ("one message", [], [every_kind], None),
    ("two messages in all modes", TASK, [modes_only, modes_only], LEASES),
    ("a new task, and a message", [], [plain, every_kind], None),
    ("a choice, and a message", TASK + EARLIER, [held, every_kind], None),
    ("two messages over a task", TASK, [every_kind, every_kind], None),
]


# What every walk of the usual size has seen succeed; without it a walk would prove nothing.
COMMANDS = commands("turn deliver", beside="session_sweep",
                    # What lease_model.py leaves out; and other branches of the tree: states would have no end.
                    but="""session_spawn session_report session_stop session_archive session_start session_fork session_rewind
                    turn_compact turn_compact_begin delivery_classify delivery_correct""") + ["expire"]
tally = Tally()
STATUSES = {*QUEUE_OPEN, *QUEUE_END}


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: tests/turn/walk.py BUILDDIR [states [walk]]")
    which = sys.argv[3] if len(sys.argv) > 3 else None
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    steps, failed, came, statuses = 0, 0, set(), set()
    for name, opening, alphabet, only in WALKS:
        if which not in (None, name):
            continue
        began = time.monotonic()
        walk = Walk(library(sys.argv[1])[:-3], most, alphabet, opening, only)
        walk.run()
        for failure, n in walk.failures.most_common():
            print(f"  {n} times: {failure}")
        end = "closure" if not walk.left else f"depth {walk.depth}, {walk.left} states not expanded"
        took = time.monotonic() - began
        print(
            f"  {name}: {walk.states} states, {walk.steps} operations, {took:.0f} s: {end}",
            flush=True,
        )
        steps += walk.steps
        failed += sum(walk.failures.values())
        came |= walk.came
        statuses |= walk.statuses
    missing = [c for c in COMMANDS if c not in came] + sorted(STATUSES - statuses)
    if which and end != "closure":
        print("  it did not end at closure")
        failed += 1
    if missing and most >= 1000 and not which:
        print(f"  never came: {', '.join(missing)}")
        failed += 1
    always = tally.always(("session_run 2=ready",))  # a turn is at work, or nobody has begun a run
    if always:
        print(f"  refused each time: {always}")
        failed += 1
    print(f"walk: {steps - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
