#!/usr/bin/env python3
"""written.py - what each command writes, and what it runs: counted, and held to what stands in written.txt.

    tests/suites/written.py BUILDDIR                 pages, rows, and bytes of the file
    tests/suites/written.py BUILDDIR instructions    what the processor is told to do, by valgrind
    tests/suites/written.py BUILDDIR … --write       writes what was counted into written.txt

Pages are the frames that a command adds to the write-ahead log, each in a transaction of its own; the b-tree that
a page belongs to is looked up in dbstat. Rows are what sqlite3_total_changes counts, those of triggers too. Both are
counted

  - for the common commands in a file of 2,000 sessions, each with a task and a turn, as the mean of 200 calls, each
    in another session;
  - for every command, in the small file of matrix.py, once.

Bytes are those of the file after the main job: 3,000 messages, each answered by a turn, over 60 sessions; per byte
that was said. Instructions are the mean of the calls after the first ones of a connection, nested statements and all.

Nothing depends on the machine, its clock or its load. A figure that is more than 2 % above the one in written.txt
is a failure. One that fell is named, so that the file can be lowered. On another version of SQLite than those that the
file names pages and rows may lie a tenth above; instructions are held to what the same compiler and version took.
"""
import json
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import matrix  # noqa: E402
from harness import Suite, connect, library, one  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BUDGET = os.path.join(HERE, "written.txt")
START = 1767225600000
LATER = START + 40 * 60000  # after what is prepared, and before any of it is stale
SESSIONS, CALLS = 2000, 200
ABOVE = 1.02
TOLERANCE = 1.1
JOB_MESSAGES, JOB_SESSIONS, ANSWER_BYTES = 3000, 60, 700

suite = Suite("written")
WORDS = """add retries to the client and write a test for each of them so that a page which is slow does not stop the
list from being shown when somebody looks at it again later make header smaller move it left please check what changes in
between those files before you go on with other parts of this work""".split()


class Said:
    """Texts of a length, always the same ones in the same order."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, size):
        words, n = [], -1
        while n < size:
            words.append(WORDS[int(self.random.random() * len(WORDS))])
            n += len(words[-1]) + 1
        return " ".join(words)[:size].strip().ljust(size, ".")

    def size(self, least, most):
        return least + int(self.random.random() * (most - least + 1))


# ---- Files ------------------------------------------------------------------------------------------


def opened(path, lib):
    """A connection that counts: nothing of the log is written back, nothing is synchronized, and time stands still."""
    con = connect(path, lib)
    con.execute("PRAGMA journal_mode = WAL")
    con.execute("PRAGMA synchronous = OFF")
    con.execute("PRAGMA wal_autocheckpoint = 0")
    one(con, "SELECT turnstile_clock(?)", LATER)
    return con


def prepared(lib):
    """2,000 sessions, each with a running task and one completed turn. Closed."""
    path = suite.path("prepared.db")
    con = connect(path, lib)
    said = Said(1)
    one(con, "SELECT turnstile_clock(?)", START)
    one(con, "SELECT turnstile_install(?)", '{"uuid":"00000000-0000-4000-8000-000000000000"}')
    con.execute("PRAGMA synchronous = OFF")
    con.execute("BEGIN")
    for i in range(SESSIONS):
        one(con, "SELECT turnstile_clock(?)", START + i * 1000)
        began = json.loads(one(con, "SELECT session_deliver(?, ?, ?)", label(i), said.text(said.size(60, 300)),
                               '{"class":"NewTask","owner":"w"}'))["turn"]
        one(con, "SELECT turn_complete(?, ?, ?)", began["turn"], began["token"],
            json.dumps({"content": said.text(said.size(200, 900))}))
    con.execute("COMMIT")
    con.close()
    return path


def label(i):
    return f"dm:chat:{i:05}"


def frames(path, since):
    """The pages of each frame of the log behind so many bytes."""
    with open(path + "-wal", "rb") as wal:
        size = struct.unpack(">I", wal.read(32)[8:12])[0]
        wal.seek(max(since, 32))
        data = wal.read()
    return [struct.unpack(">I", data[at : at + 4])[0] for at in range(0, len(data), 24 + size)]


def length(path):
    return os.path.getsize(path + "-wal") if os.path.exists(path + "-wal") else 0


def trees(con):
    """page → the table or index that it belongs to."""
    return dict(con.execute("SELECT pageno, name FROM dbstat"))


class Counted:
    """What calls have written: pages by b-tree, and rows."""

    def __init__(self):
        self.calls, self.pages, self.rows = 0, [], 0

    def call(self, con, path, run):
        before, changes = length(path), con.total_changes
        run()
        self.calls += 1
        self.pages += frames(path, before) if length(path) > before else []
        self.rows += con.total_changes - changes

    def by_tree(self, con):
        """(name, pages per call), the most first."""
        owners, n = trees(con), {}
        for page in self.pages:
            name = owners.get(page, "free")
            n[name] = n.get(name, 0) + 1
        return sorted(((name, count / self.calls) for name, count in n.items()), key=lambda x: (-x[1], x[0]))


# ---- Common commands, in a file of many sessions -------------------------------------------------------

NOTE = "a note of some forty characters or so..."
MESSAGE = "also make the header a bit smaller and move it to the left"
REQUEST = "build a small web shop that sells tea, with a list of products and a checkout"
ANSWER = "The list is done. Shall I go on with the checkout, or do you want to look at it first? " * 8
TURN = json.dumps([{"role": "user", "content": MESSAGE}, {"role": "assistant", "content": ANSWER}])


def begun(con, i):
    """A session's turn that runs: its turn and token."""
    turn = json.loads(one(con, "SELECT session_deliver(?, ?, ?)", label(i), MESSAGE, '{"class":"Modification","owner":"w"}'))["turn"]
    return turn["turn"], turn["token"]


def head(con, i):
    return one(con, "SELECT thread_id FROM sessions WHERE label = ?", label(i))


# name → (what is done before and not counted, the SQL that is counted, its values of (i, what came before)).
COMMON = {
    "session_deliver, a change of a running task": (None, "SELECT session_deliver(?, ?)", lambda i, _: (label(i), MESSAGE)),
    "session_deliver, the same with message_id": (
        None, "SELECT session_deliver(?, ?, ?)", lambda i, _: (label(i), MESSAGE, json.dumps({"message_id": f"m-{i}"}))),
    "session_deliver, a new session": (None, "SELECT session_deliver(?, ?)", lambda i, _: (f"dm:more:{i:05}", REQUEST)),
    "session_deliver with owner": (
        None, "SELECT session_deliver(?, ?, ?)", lambda i, _: (label(i), MESSAGE, '{"owner":"w"}')),
    "session_deliver, a live run": (begun, "SELECT session_deliver(?, ?)", lambda i, _: (label(i), MESSAGE)),
    "session_transition, a question": (
        None, "SELECT session_transition(?, 'AwaitingUser', ?)", lambda i, _: (label(i), '{"question":"How many of them?"}')),
    "session_note": (None, "SELECT session_note(?, ?)", lambda i, _: (label(i), NOTE)),
    "session_observe": (
        None, "SELECT session_observe(?, 'FileRead', ?, ?)",
        lambda i, _: (label(i), '{"path":"src/upload.c"}', f"{i} int main(void) {{ return 0; }}")),
    "turn_append, two messages": (None, "SELECT turn_append(?, ?)", lambda i, _: (label(i), TURN)),
    "turn_complete, with a question": (
        begun, "SELECT turn_complete(?, ?, ?)",
        lambda i, turn: (*turn, json.dumps({"content": ANSWER, "outcome": "question", "question": "Shall I go on?"}))),
    "turn_begin": (
        lambda con, i: one(con, "SELECT queue_push(?, ?)", label(i), MESSAGE), "SELECT turn_begin(?, 'w')", lambda i, _: (label(i),)),
    "turn_message": (
        begun, "SELECT turn_message(?, ?, ?)", lambda i, turn: (*turn, json.dumps({"role": "assistant", "content": NOTE}))),
    "turn_tool_call": (
        begun, "SELECT turn_tool_call(?, ?, 'c1', 'bash', ?)", lambda i, turn: (*turn, '{"command":"make test"}')),
    "turn_heartbeat": (begun, "SELECT turn_heartbeat(?, ?)", lambda i, turn: turn),
    "queue_push": (None, "SELECT queue_push(?, ?)", lambda i, _: (label(i), MESSAGE)),
    "session_fork": (head, "SELECT session_fork(?, ?)", lambda i, turn: (turn, f"fork:{i:05}")),
    "session_compact": (None, "SELECT session_compact(?, ?)", lambda i, _: (label(i), "The header is smaller now.")),
}


def spread(n):
    """Sessions all over the file, none of them twice."""
    return [(i * 797 + 11) % SESSIONS for i in range(n)]


def common(lib, source, only=None):
    for name, (before, sql, values) in COMMON.items():
        if only and only != name:
            continue
        path = suite.path("common.db")
        for end in ("", "-wal", "-shm"):
            if os.path.exists(path + end):
                os.remove(path + end)
        shutil.copy(source, path)
        con = opened(path, lib)
        counted = Counted()
        for k, i in enumerate(spread(CALLS)):
            one(con, "SELECT turnstile_clock(?)", LATER + k * 1000)
            came = before(con, i) if before else None
            one(con, "SELECT turnstile_clock(?)", LATER + k * 1000 + 200)
            counted.call(con, path, lambda: one(con, sql, *values(i, came)))
        yield name, counted, con
        con.close()


# ---- Every command, in the small file -----------------------------------------------------------------


def every(lib):
    """The calls of matrix.py, each in a copy of its file."""
    matrix.LIBRARY, seen = lib, {}
    matrix.find_doubted(matrix.base())
    for n, cmd in enumerate(matrix.COMMANDS):
        path = suite.path(f"every{n}.db")
        source = matrix.base()
        target = sqlite3.connect(path)
        source.backup(target)
        target.close()
        source.close()
        con = opened(path, lib)
        one(con, "SELECT turnstile_clock(?)", matrix.NOW)
        counted = Counted()
        args = matrix.as_json(cmd) + ([cmd.options] if cmd.options else [])
        counted.call(con, path, lambda: matrix.door(con, cmd.name, args))
        seen[str(cmd)] = seen.get(str(cmd), 0) + 1
        yield " ".join(str(cmd).split()) + (f" again, {seen[str(cmd)]}" if seen[str(cmd)] > 1 else ""), counted, con
        con.close()


# ---- The main job ------------------------------------------------------------------------------------


def job(lib):
    """The file after the job, and the bytes that were said."""
    path, said, bytes_said = suite.path("job.db"), Said(2), 0
    con = connect(path, lib)
    con.execute("PRAGMA journal_mode = WAL")
    con.execute("PRAGMA synchronous = OFF")
    one(con, "SELECT turnstile_clock(?)", START)
    one(con, "SELECT turnstile_install(?)", '{"uuid":"00000000-0000-4000-8000-000000000000"}')
    con.execute("BEGIN")
    empty = one(con, "SELECT sum(pgsize) FROM dbstat")
    for i in range(JOB_MESSAGES):
        one(con, "SELECT turnstile_clock(?)", START + i * 60000)
        message, answer = said.text(said.size(60, 900)), said.text(ANSWER_BYTES)
        question = "Shall I go on with the next part?"
        turn = json.loads(one(con, "SELECT session_deliver(?, ?, ?)", label(i % JOB_SESSIONS), message, json.dumps(
            {"message_id": f"chat-{i:08}", "channel": "chat", "sender": f"user-{i % JOB_SESSIONS:04}", "owner": "worker-1",
             "class": "NewTask" if i < JOB_SESSIONS else "Response"})))["turn"]
        one(con, "SELECT turn_complete(?, ?, ?)", turn["turn"], turn["token"], json.dumps(
            {"content": answer, "outcome": "question", "question": question}))
        bytes_said += len(message) + len(answer) + len(question)
    con.execute("COMMIT")
    con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return con, os.path.getsize(path) - empty, bytes_said


# ---- The budget --------------------------------------------------------------------------------------


def read_budget():
    """version → section → name → {unit: figure}"""
    out, version, section = {}, None, None
    if not os.path.exists(BUDGET):
        return out
    with open(BUDGET, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("[") and line.endswith("]"):
                section, version = line[1:-1].rsplit(", ", 1)
                out.setdefault(section, {})[version] = {}
            elif line and not line.startswith(("#", " ")):
                name, figures = line.split("  ", 1)
                out[section][version][name] = {unit: float(value) for value, unit in re.findall(r"([\d.]+) ([a-z ]+)", figures)}
    return out


def shown(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def write_budget(section, version, counted):
    """Puts what was counted in place of the section. counted: name → ({unit: figure}, [(b-tree, pages)])."""
    with open(BUDGET, encoding="utf-8") as file:
        parts = re.split(r"(?m)^(?=\[)", file.read())
    title = f"[{section}, {version}]"
    text = title + "\n"
    for name, (figures, below) in counted.items():
        text += name + "  " + ", ".join(f"{shown(value)} {unit}" for unit, value in figures.items()) + "\n"
        line = "   "
        for i, (tree, pages) in enumerate(below):
            word = f" {tree} {shown(pages)}" + ("," if i + 1 < len(below) else "")
            if len(line) + len(word) > 120:
                text, line = text + line + "\n", "   "
            line += word
        text += line + "\n" if below else ""
    kept = [part for part in parts if not part.startswith(title + "\n")]
    for part in kept[1:]:
        kept[kept.index(part)] = part.rstrip("\n") + "\n\n"
    with open(BUDGET, "w", encoding="utf-8") as file:
        file.write("".join([kept[0].rstrip("\n") + "\n\n", *sorted([*kept[1:], text + "\n"])]).rstrip("\n") + "\n")


def judge(section, version, counted, tolerance):
    """Holds what was counted to the section of this version, or of another one with some tolerance."""
    budget = read_budget().get(section, {})
    own = version in budget
    if not own and tolerance is None:
        return print(f"{os.path.basename(BUDGET)} has no {section} of {version}; they are held to nothing")
    allowed, above = (budget[version], ABOVE) if own else (next(iter(budget.values()), {}), tolerance)
    fell = []
    for name, (figures, below) in counted.items():
        for unit, value in figures.items():
            limit = allowed.get(name, {}).get(unit)
            if limit is None:
                suite.check(f"{name}: {unit}", f"counted {shown(value)}", f"a figure in {os.path.basename(BUDGET)}: written.py … --write")
                continue
            good = float(shown(value)) <= limit * above + (0 if own else 1)
            where = ": " + ", ".join(f"{tree} {shown(pages)}" for tree, pages in below) if below else ""
            suite.check(f"{name}: {unit}{'' if good else where}", f"{shown(value)}, allowed are {shown(limit)}" if not good else True)
            if own and value < limit / ABOVE:
                fell.append(f"  {name}: {shown(limit)} → {shown(value)} {unit}")
    gone = sorted(set(allowed) - set(counted))
    suite.check(f"{section}: what the file names is counted", gone, [])
    if fell:
        print(f"{len(fell)} figures fell; written.py BUILDDIR --write lowers {os.path.basename(BUDGET)}:", *fell, sep="\n")


# ---- What is counted ---------------------------------------------------------------------------------


def counted_pages(lib):
    version, source = f"SQLite {sqlite3.sqlite_version}", prepared(lib)
    plain = {name: ({"pages": len(c.pages) / c.calls, "rows": c.rows / c.calls}, c.by_tree(con)) for name, c, con in common(lib, source)}
    small = {name: ({"pages": len(c.pages), "rows": c.rows}, []) for name, c, con in every(lib)}
    con, size, said = job(lib)
    tables = con.execute("SELECT name, sum(pgsize) * 1.0 / ? FROM dbstat GROUP BY name ORDER BY 2 DESC, 1", (said,)).fetchall()
    con.close()
    work = {"3,000 messages, each answered by a turn with a question, over 60 sessions": (
        {"bytes of the file per byte said": size / said}, [row for row in tables if row[1] >= 0.01])}
    return version, {"common commands": plain, "every command": small, "main job": work}


def quoted(value):
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def literal(sql, values):
    """The statement with its values in place of its question marks."""
    values = iter(values)
    return "".join(quoted(next(values)) if part == "?" else part for part in re.split(r"(\?)", sql))


WARM, RUNS = 4, 16


def script(con):
    """What count_commands reads. What comes before each call has been done."""
    at = LATER
    yield f"-SELECT turnstile_clock({at})"
    sessions = iter(spread(SESSIONS))
    for name, (before, sql, values) in COMMON.items():
        for k in range(WARM + RUNS):
            i, at = next(sessions), at + 1000
            one(con, "SELECT turnstile_clock(?)", at)
            came = before(con, i) if before else None
            yield f"-SELECT turnstile_clock({at + 200})"
            yield ("-" if k < WARM else ":") + literal(sql, values(i, came))
        yield "=" + name


def counted_instructions(lib):
    program = os.path.join(sys.argv[1], "bench", "count_commands")
    path = prepared(lib)
    con = opened(path, lib)
    lines = "\n".join(script(con)) + "\n"
    con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    con.close()
    out = suite.path("callgrind")
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--toggle-collect=count_this", "--dump-after=counted", f"--callgrind-out-file={out}", program, path],
        input=lines, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stderr)
    figures = {}
    for i, name in enumerate(run.stdout.splitlines(), 1):
        with open(f"{out}.{i}", encoding="utf-8") as dump:
            total = [line for line in dump if line.startswith(("summary:", "totals:"))][-1].split()[1]
        figures[name] = ({"thousand instructions": int(total) / RUNS / 1000}, [])
        suite.check(f"{name}: something was counted", int(total) > 10000 * RUNS)
    suite.check("all were counted", list(figures), list(COMMON))
    compiler = subprocess.run([os.environ.get("CC", "cc"), "-dumpfullversion", "-dumpmachine"], capture_output=True, text=True, check=False)
    return f"SQLite {sqlite3.sqlite_version} on {'-'.join(compiler.stdout.split())}", {"instructions": figures}


def main():
    lib = library(sys.argv[1])
    instructions = "instructions" in sys.argv[2:]
    version, sections = (counted_instructions if instructions else counted_pages)(lib)
    for section, counted in sections.items():
        if "--write" in sys.argv[2:]:
            write_budget(section, version, counted)
        else:
            judge(section, version, counted, None if instructions else TOLERANCE)
    suite.done()


if __name__ == "__main__":
    main()
