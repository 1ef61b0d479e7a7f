#!/usr/bin/python3
"""docs.py BUILDDIR - the documentation, held to what the library does.

Examples. Every ```sql block of README.md, docs/*.md and examples/*.md runs in a new database with
the extension loaded, the schema installed and the clock pinned at 2026-01-01 00:00 UTC. The lines
`-- …` right below a statement are what it gives: a row a line, columns separated by |, NULL as
NULL; an error as `-- Error: message`. A line that begins `--   ` may go on with the one above it;
… stands for anything. Below a blank line, `--` is only a comment. The programs of examples/ are run
too, and print what examples/README.md says.

Facts. Every function and table-valued function that the library registers has an entry in
docs/reference.md, in alphabetical order; every error quoted in an entry is one that the sources
contain; docs/schema.md has exactly the tables and columns that installing makes, and names each index; the tables of
moves, of class × state and of class × state × mode are those of the library; every link leads
somewhere. Each sentence that says never, always, only or nothing names the test that holds it (claims.py).
No page has one of the phrases of BANNED, nor has a comment of the rooms in PLAIN_ROOMS.
"""
import glob
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import claims

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import harness  # noqa: E402
from harness import Suite  # noqa: E402

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build"))
LIBRARY = os.path.join(BUILD, "turnstile")
NEW_YEAR = 1767225600000  # 2026-01-01 00:00 UTC
PAGES = ["README.md"] + [
    os.path.relpath(path, ROOT)
    for path in sorted(glob.glob(f"{ROOT}/docs/*.md") + glob.glob(f"{ROOT}/examples/*.md"))
]

suite = Suite("docs")
check = suite.check


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def connect(path=":memory:"):
    return harness.connect(path, LIBRARY)


def prepared():
    db = connect()
    db.execute("SELECT turnstile_install()")
    db.execute("SELECT turnstile_clock(?)", (NEW_YEAR,))
    return db


# ---- SQL examples -------------------------------------------------------------------------------


def blocks(path, language):
    """(line number, text) of every fenced block of a language."""
    fence, start, lines = None, 0, []
    for number, line in enumerate(read(path).splitlines(), 1):
        if fence is None and line.startswith("```"):
            fence, start, lines = line[3:].strip(), number + 1, []
        elif line.startswith("```"):
            if fence == language:
                yield start, "\n".join(lines)
            fence = None
        else:
            lines.append(line)


def statements(text):
    """(line offset, SQL, expected lines or None) of a block."""
    sql, start, found = "", 0, []
    expecting = False
    for number, line in enumerate(text.splitlines()):
        if not sql and line.startswith("--"):
            if expecting:
                found[-1][2].append(line[2:].removeprefix(" "))
            continue
        if not sql and (not line.strip() or line.startswith(".")):
            expecting = False
            continue
        if not sql:
            start = number
        sql += line + "\n"
        if sqlite3.complete_statement(sql):
            found.append((start, sql, []))
            sql, expecting = "", True
    if sql:
        found.append((start, sql, []))
    return found


def shown(value):
    return "NULL" if value is None else str(value)


def run(db, sql):
    try:
        return "\n".join("|".join(map(shown, row)) for row in db.execute(sql).fetchall())
    except sqlite3.Error as error:
        return f"Error: {error}"


def matches(lines, got):
    """Is this what was expected? … is anything; indented lines may be one long line, wrapped."""
    plain, joined = "\n".join(lines), ""
    for line in lines:
        joined += line.strip() if joined and line.startswith("  ") else f"\n{line}"
    return any(
        re.fullmatch(".*?".join(map(re.escape, text.strip("\n").split("…"))), got, re.DOTALL)
        for text in (plain, joined)
    )


def check_sql(path):
    for line, block in blocks(path, "sql"):
        db = prepared()
        for offset, sql, expected in statements(block):
            where = f"{path}:{line + offset}: {' '.join(sql.split())[:60]}"
            got = run(db, sql).strip("\n")
            if expected:
                want = "\n".join(expected)
                check(where, want if matches(expected, got) else got, want)
            else:
                check(where + " (no result shown)", got.startswith("Error: ") and got, False)
        db.close()


# ---- Programs -----------------------------------------------------------------------------------


def output(command, stdin="", env=None):
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, env={**os.environ, **(env or {})}
    )
    return done.stdout + done.stderr


def sessions(path):
    """The $ commands of every console block with what they print."""
    for line, block in blocks(path, "console"):
        found = re.split(r"(?m)^\$ ", block)[1:]
        yield line, found


def check_host(work):
    commands = [s for _, block in sessions("examples/README.md") for s in block if "host.py" in s]
    script, expected = commands[0].split("\nEND\n")
    messages = script.split("\n", 1)[1] + "\n"
    database = os.path.join(work, "host.db")
    got = output([sys.executable, f"{ROOT}/examples/host.py", database, LIBRARY], messages)
    check("examples/host.py", got.rstrip(), expected.rstrip())
    modules = os.environ.get("NODE_PATH", os.path.join(ROOT, "node_modules"))
    if shutil.which("node") and os.path.isdir(os.path.join(modules, "better-sqlite3")):
        database = os.path.join(work, "node.db")
        command = ["node", f"{ROOT}/examples/host.mjs", database, LIBRARY]
        got = output(command, messages, {"NODE_PATH": modules})
        check("examples/host.mjs", got.rstrip(), expected.rstrip())
    else:
        print("docs: examples/host.mjs is not run (no better-sqlite3; NODE_PATH can name its place)")
    check_cron(work, database)


def check_cron(work, database):
    cron = ["sh", f"{ROOT}/examples/cron.sh", database, LIBRARY]
    check("examples/cron.sh has nothing to say", output(cron), "")
    db = connect(database)
    old = NEW_YEAR - 400 * 86400000
    db.execute("SELECT turnstile_config('sweep_batch', 2)")
    for label in ("a", "b", "c"):
        db.execute("SELECT session_start(?, 'old', ?)", (label, json.dumps({"now": old})))
        db.execute("SELECT session_note(?, 'work', ?)", (label, json.dumps({"now": old})))
    reports = output(cron).splitlines()
    saved = [json.loads(report)["sessions_compacted"] for report in reports]
    check("examples/cron.sh goes on while there is more", saved, [2, 1, 0][: len(saved)])
    check("examples/cron.sh saved them", sum(saved), 3)
    gone = output(["sh", f"{ROOT}/examples/cron.sh", os.path.join(work, "none.db"), LIBRARY])
    check("examples/cron.sh without a database", gone.startswith("cron.sh: there is no "), True)
    for given in ([os.path.join(work, "none")], []):
        said = output(["sh", f"{ROOT}/examples/cron.sh", database, *given], env={**os.environ, "LD_LIBRARY_PATH": ""})
        if not given and not said.strip():
            continue  # it is installed here
        check("examples/cron.sh without a library: one line", said.strip().count("\n"), 0)
        check("examples/cron.sh without a library", said.startswith("cron.sh: can't load "), True)
        check("examples/cron.sh without a library: what to do", "give LIBRARY" in said, True)
    db.execute("SELECT turnstile_config('sweep_batch', NULL, '{\"reset\":1}')")
    db.execute("SELECT session_start('d', 'old', ?)", (json.dumps({"now": old}),))
    db.execute("SELECT session_note('d', 'work', ?)", (json.dumps({"now": old}),))
    db.close()
    check_scripts(database)


def check_scripts(database):
    """sql/scripts/sweep.sql and sql/scripts/status.sql, as the sqlite3 shell reads them."""
    shell = ["sqlite3", "-batch", "-init", os.devnull, database]
    before = output(shell, read("sql/scripts/status.sql"))
    check("sql/scripts/status.sql without the extension", "rror" in before, False)
    check("sql/scripts/status.sql lists what is stale", "will be saved" in before, True)
    sweep = read("sql/scripts/sweep.sql").replace(".load turnstile", f".load '{LIBRARY}'")
    reports = output(shell, sweep).splitlines()
    done = [json.loads(report)["sessions_compacted"] for report in reports]
    check("sql/scripts/sweep.sql", done, [1, 0, 0, 0])
    after = output(shell, read("sql/scripts/status.sql"))
    check("sql/scripts/status.sql afterwards", "will be saved" in after, False)
    check("sql/scripts/status.sql shows the commit", "StaleAutoCompact" in after, True)


def check_ctx(work):
    """The console session in examples/README.md, command by command."""
    env = {"CTX_EXTENSION": LIBRARY, "CTX_DB": os.path.join(work, "ctx.db")}
    for line, commands in sessions("examples/README.md"):
        for command in commands:
            call, _, expected = command.partition("\n")
            if not call.startswith("ctx "):
                continue
            script = f"ctx() {{ sh '{ROOT}/examples/ctx' \"$@\"; }}; {call}"
            got = output(["sh", "-c", script], env=env).rstrip()
            same = matches(expected.rstrip().splitlines(), got)
            check(f"examples/README.md:{line}: {call}", expected if same else got, expected)


def check_demo(work):
    library = [name for name in os.listdir(BUILD) if re.fullmatch(r"turnstile\.(so|dylib)", name)]
    for name in library:
        os.symlink(os.path.join(BUILD, name), os.path.join(work, name))
    got = output([sys.executable, f"{ROOT}/examples/demo.py", work])
    shown_blocks = [text for _, text in blocks("examples/README.md", "text") if "03-12" in text]
    check("examples/README.md shows the demo", len(shown_blocks), 2)
    for text in shown_blocks:
        lines = [line.rstrip() for line in got.splitlines()]
        for line in text.splitlines():
            check(f"the demo prints: {line}", line.rstrip() in lines)


def check_python(path):
    """```python blocks: run as they are; the comment behind print(…) is what it prints."""
    for line, block in blocks(path, "python"):
        code = block.replace('"turnstile"', json.dumps(LIBRARY)).replace('"agent.db"', '":memory:"')
        want = re.findall(r"(?m)^print\(.*\)  # (.*)$", block)
        got = output([sys.executable, "-c", code]).splitlines()
        check(f"{path}:{line}: python", got, want)


def check_without_extension(work):
    """What docs/install.md says about a file that is opened without the extension."""
    path = os.path.join(work, "plain.db")
    db = connect(path)
    db.execute("SELECT turnstile_install()")
    db.execute("SELECT session_start('main', 'Add retries')")
    db.close()
    plain = sqlite3.connect(path, isolation_level=None)
    copy = sqlite3.connect(":memory:", isolation_level=None)
    copy.executescript("\n".join(plain.iterdump()))
    tasks = "SELECT session_label, description, state FROM tasks"
    check("without the extension: dumped and restored", run(copy, tasks), run(plain, tasks))
    for sql in (
        "VACUUM",
        "ALTER TABLE commits RENAME TO other",
        "ALTER TABLE other RENAME TO commits",
        "ALTER TABLE commits ADD COLUMN mine TEXT",
        "ALTER TABLE commits DROP COLUMN mine",
    ):
        check(f"without the extension: {sql}", run(plain, sql), "")
    for sql, error in (
        ("DELETE FROM session_events", "session_events: append-only"),
        ("INSERT INTO turnstile(command) VALUES ('x')", "no such function: turnstile_dispatch"),
        ("UPDATE message_rules SET weight = 1", "no such function: turnstile_rule_check"),
    ):
        check(f"without the extension: {sql}", run(plain, sql), f"Error: {error}")
    plain.close()


# ---- Facts --------------------------------------------------------------------------------------


def registered():
    """Names that loading the extension adds: functions and table-valued functions."""
    plain, loaded = sqlite3.connect(":memory:"), connect()
    names = set()
    for source in ("pragma_function_list", "pragma_module_list"):
        query = f"SELECT DISTINCT name FROM {source}"
        names |= {r[0] for r in loaded.execute(query)} - {r[0] for r in plain.execute(query)}
    return names


def rows_below(path, heading):
    """The cells of the table that follows a heading, without its head."""
    text = read(path).split(f"{heading}\n", 1)[1]
    table = []
    for line in text.splitlines():
        if line.startswith("|"):
            table.append([cell.strip() for cell in line.strip("|").split(" | ")])
        elif table:
            break
    return table[2:]


PIECE = r'"(?:[^"\\\n]|\\.)*"'


def source_errors():
    """Formats of messages in the sources, as patterns: a conversion stands for anything."""
    found = set(re.findall(r"(?:RAISE\(FAIL, |^FAILS )'([^']*)'", read("sql/schema/guards.sql"), re.M))
    for path in glob.glob(f"{ROOT}/ext/**/*.c", recursive=True):
        text = read(os.path.relpath(path, ROOT))
        for literal in re.findall(f"{PIECE}(?:\\s*{PIECE})*", text):
            joined = "".join(piece[1:-1] for piece in re.findall(PIECE, literal))
            found.add(joined.replace('\\"', '"').replace("\\\\", "\\"))
    patterns = []
    for message in found:
        parts = re.split(r"(?:%[-!+0-9.*l]*[a-zA-Z])+", message)
        if len("".join(parts)) >= 8:  # a format of hardly more than conversions says nothing
            patterns.append(re.compile(".+".join(map(re.escape, parts))))
    return patterns


def check_reference():
    path = "docs/reference.md"
    entries = re.findall(r"(?m)^### `?([a-z_]+)", read(path))
    names = registered()
    check("reference: every function has an entry", sorted(names - set(entries)), [])
    extra = set(entries) - names - {"turnstile"}  # the view is the one entry that loading adds not
    check("reference: every entry is a function", sorted(extra), [])
    check("reference: in alphabetical order", entries, sorted(entries))
    known = source_errors()
    for error in re.findall(r"(?m)^- `([^`]+)`", read(path)):
        check(f"reference: the error '{error}'", any(p.fullmatch(error) for p in known))
    for name, body in re.findall(r"(?ms)^### `?([a-z_]+).*?$(.*?)(?=^### |\Z)", read(path)):
        check(f"reference: {name} has an example", "```sql" in body)


def check_schema():
    db = prepared()
    documented, indexes = {}, []
    for section in re.split(r"(?m)^### ", read("docs/schema.md"))[1:]:
        name = section.split("\n", 1)[0].strip("` ")
        named = set(re.findall(r"[a-z_]+", section))
        made = db.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?", (name,))
        indexes += [index for (index,) in made if index not in named]
        documented[name] = re.findall(r"(?m)^\| `([a-z_]+)`", section)
    tables = db.execute(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )
    names = [row[0] for row in tables]
    check("schema: the tables", sorted(documented), names)
    check("schema: each index stands with its table", indexes, [])
    for name in names:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info('{name}')")]
        check(f"schema: the columns of {name}", documented.get(name), columns)


def check_moves():
    """The moves in docs/tasks.md are the task machine's."""
    db = prepared()
    stored = db.execute(
        'SELECT from_state, to_state, "trigger" FROM state_transitions WHERE axis = \'task\''
    )
    moves = {tuple(row) for row in stored}
    shown_moves = {tuple(row[:3]) for row in rows_below("docs/tasks.md", "## Moves")}
    check("tasks: the moves", sorted(shown_moves), sorted(moves))


REACH = {  # how a task gets into a state
    "None": [],
    "Running": [("session_start", "build it")],
    "AwaitingUser": [("session_transition", "AwaitingUser", '{"question":"Which?"}')],
    "Interrupted": [("session_transition", "Interrupted", '{"user_message":"wait"}')],
    "PendingComplete": [("session_transition", "PendingComplete", '{"summary":"built"}')],
}


def check_cells():
    """The class × state table in docs/delivering.md, cell by cell."""
    path, heading = "docs/delivering.md", "## Class and state"
    head = [cell.strip() for cell in read(path).split(f"{heading}\n", 1)[1].split("|")[2:7]]
    check("delivering: the states", head, list(REACH))
    for name, *cells in rows_below(path, heading):
        for state, cell in zip(head, cells):
            db = prepared()
            steps = ([] if state in ("None", "Running") else REACH["Running"]) + REACH[state]
            for command, *args in steps:
                marks = ", ".join("?" * (len(args) + 1))
                db.execute(f"SELECT {command}({marks})", ("s", *args)).fetchall()
            if state != "None":
                db.execute("SELECT session_note('s', 'some work')")
            message = "please make the second one larger too"
            options = json.dumps({"class": name})
            decision = json.loads(
                db.execute("SELECT session_deliver('s', ?, ?)", (message, options)).fetchone()[0]
            )
            got = decision["action"]
            if decision["state"] != state:
                got += f" → {decision['state']}"
            check(f"delivering: {name} in {state}", got, cell.replace("`", ""))
            db.close()


def check_live():
    """The class × state × mode table in docs/queue.md, cell by cell, while a run is live."""
    path, heading = "docs/queue.md", "## A message for a live run"
    text = read(path).split(f"{heading}\n", 1)[1]
    head = next(line for line in text.splitlines() if line.startswith("| class |"))
    columns = [cell.strip() for cell in head.strip("|").split(" | ")][2:]
    seen = set()
    for name, states, *cells in rows_below(path, heading):
        name, _, policy = name.partition(", new_task_policy = ")
        for state in states.partition(":")[0].split(", "):
            for modes, cell in zip(columns, cells):
                for mode in modes.split(", "):
                    seen.add((name, state, mode, policy))
                    db = prepared()
                    setting = "SELECT turnstile_config('new_task_policy', ?)"
                    db.execute(setting, (policy or "prompt",))
                    if state != "None":
                        db.execute("SELECT session_start('s', 'build it')")
                        db.execute("SELECT session_note('s', 'some work')")
                    db.execute(
                        "SELECT turn_begin('s', 'w', "
                        "'{\"messages\":[{\"role\":\"user\",\"content\":\"go\"}]}')"
                    )
                    for command, *args in REACH[state] if state != "Running" else []:
                        marks = ", ".join("?" * (len(args) + 1))
                        db.execute(f"SELECT {command}({marks})", ("s", *args)).fetchall()
                    message = "please make the second one larger too"
                    options = json.dumps({"class": name, "mode": mode})
                    call = "SELECT session_deliver('s', ?, ?)"
                    decision = json.loads(db.execute(call, (message, options)).fetchone()[0])
                    live = db.execute("SELECT turn_id IS NOT NULL FROM session_runs").fetchone()[0]
                    got = decision["action"] if live else f"**{decision['action']}**"
                    if decision["state"] != state:
                        got += f" → {decision['state']}"
                    check(f"queue: {name} in {state}, {mode}, {policy}", got, cell)
                    db.close()
    check("queue: all cells of the table", len({s for s in seen if not s[3]}), 7 * 5 * 6)


def check_diagrams(path):
    """State diagrams are what state_diagram() draws; a session's picture is an example's result."""
    db = prepared()
    known = [
        run(db, f"SELECT state_diagram('mermaid', '{axis}')").strip()
        for axis in ("task", "status", "run", "turn")
    ]
    for line, block in blocks(path, "mermaid"):
        if block.startswith("stateDiagram-v2"):
            check(f"{path}:{line}: state diagram", block.strip() in known)
        if "    head([" in block:
            above = "\n".join(read(path).splitlines()[:line])
            results = re.sub(r"(?m)^-- ", "", above)
            shown = re.sub(r"(?<=Normal )[0-9a-f]{12}", "…", block.strip())
            check(f"{path}:{line}: the picture of a session", shown in results)


def check_texts():
    """The texts in docs/delivering.md are the library's, all of them."""
    db = prepared()
    keys = set(re.findall(r'(?m)^    \{"([a-z_.]+)",', read("ext/core/text.c")))
    rows = rows_below("docs/delivering.md", "## Texts")
    check("delivering: the keys of texts", {row[0].strip("`") for row in rows}, keys)
    for key, fields, text in rows:
        got = run(db, f"SELECT turnstile_config('text.{key.strip('`')}')")
        want = text.replace(" ⏎⏎ ", "\n\n").replace(" ⏎ ", "\n").replace("\\|", "|")
        check(f"delivering: text {key}", got, want)
        used = ", ".join(re.findall(r"{\w+}", text))
        check(f"delivering: placeholders of {key}", used, fields)


def anchors(path):
    """The anchors of a page's headings, as web views make them."""
    found = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", read(path)):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        found.add(slug)
    return found


BANNED = (  # what reads as translated; each has a plain word
    "no matter", "is none", "are none", "such a one", "a one", "told of", "gone on with", "as good as none",
    "anew", "called off", "done with", "is no one", "that of the", "are let in",
)


def banned(text):
    text = re.sub(r"\s+", " ", re.sub(r"`[^`]*`", "", text))
    return [p for p in BANNED if re.search(rf"(?<!there )\b{p}\b", text)]


def check_language(path):
    """Pages and the public header without the phrases above. Code and quoted errors say what they say."""
    text = re.sub(r"(?ms)^[ >]*```.*?^[ >]*```", "", read(path))
    check(f"{path}: plain words", banned(text), [])


PLAIN_ROOMS = ("care", "core", "deliver", "handoff", "identity", "route", "session", "turn")
COMMENT = {  # or a text, which is not one
    ".c": r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(/\*.*?\*/)',
    ".sql": r"'[^']*'|(--[^\n]*)",
}


def check_comments():
    """The same for comments of PLAIN_ROOMS, in C and in statements."""
    paths = [
        path
        for room in PLAIN_ROOMS
        for path in sorted(glob.glob(f"ext/{room}/*.[ch]", root_dir=ROOT) + glob.glob(f"sql/statements/{room}/*.sql", root_dir=ROOT))
    ]
    check("comments: files", len(paths) > 150)
    for path in paths:
        form = COMMENT[".sql" if path.endswith(".sql") else ".c"]
        text = " ".join(re.sub(r"(?m)^\s*(\*\*|--)", "", found) for found in re.findall(form, read(path), re.S))
        check(f"{path}: plain words", banned(text), [])


def check_links(path):
    text = re.sub(r"(?ms)^```.*?^```", "", read(path))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if check(f"{path}: link {target}", os.path.exists(os.path.join(ROOT, full))) and anchor:
            check(f"{path}: anchor {target}", anchor in anchors(full))


def main():
    for path in PAGES:
        check_sql(path)
        check_python(path)
        check_links(path)
        check_diagrams(path)
    with tempfile.TemporaryDirectory() as work:
        check_host(work)
        check_ctx(work)
        check_demo(work)
        check_without_extension(work)
    check_reference()
    check_schema()
    check_moves()
    check_cells()
    check_live()
    check_texts()
    for path in ["CONTRIBUTING.md", "include/turnstile.h", *PAGES]:
        check_language(path)
    check_comments()
    check("claims: each sentence has its test", claims.problems(), [])
    suite.done()


if __name__ == "__main__":
    main()
