"""vocabulary.py - the words of the library, for the suites: no suite types them.

What columns hold stands in sql/word_lists.txt, from which C and SQL have it too: vocabulary.CLASS, vocabulary.QUEUE_MODE, …
are the words in its order. retyped() finds the lists in the suites that repeat one. A line that has its own copy on purpose,
so that a change in the library shows, says why: `# its own: …`, beside it or in the three lines above. typed() finds them in
the library's own C and SQL.
"""

import ast
import glob
import os
import re

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LISTS = os.path.join(ROOT, "sql", "word_lists.txt")


def read_lists(text):
    lines = (line.split() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return {name: words for name, *words in lines}


with open(LISTS, encoding="utf-8") as lists:
    WHOLE, PARTS = map(read_lists, lists.read().split("\n# Parts "))
WORDS = WHOLE | PARTS
globals().update(WORDS)
MODES = [mode for mode in WORDS["QUEUE_MODE"] if mode != "inherit"]  # of a message: inherit is a setting's
STEERED = [mode for mode in MODES if mode.startswith(("steer", "interrupt"))]  # what a live turn is told


def read_commands():
    """command → (its room, its flags), as the CommandSpecs of ext/ROOM/*.c have them."""
    for path in glob.glob(os.path.join(ROOT, "ext", "*", "*.c")):
        with open(path, encoding="utf-8") as file:
            for name, flags in re.findall(r'CommandSpec \w+ = \{"(\w+)",\s*\w+,\s*([\w| ]+),', file.read()):
                yield name, (os.path.basename(os.path.dirname(path)), flags)


SPECS = dict(read_commands())
COMMANDS = {name: room for name, (room, flags) in SPECS.items() if "COMMAND_READ" not in flags}


def commands(rooms, beside="", but=""):
    """The commands of these rooms that write, and others beside them; but: those that a walk leaves out. A new command
    is in the walk or is named there."""
    beside, but = beside.split(), but.split()
    found = {name for name, room in COMMANDS.items() if room in rooms.split()}
    astray = [name for name in beside if name not in COMMANDS or name in found] + [name for name in but if name not in found]
    assert not astray, f"no such command here: {astray}"
    return sorted(found - set(but) | set(beside))


def strings(node):
    """The strings of a list, set or tuple, of a dict's keys, or of "…".split(); None: it is something else."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        parts = node.elts
    elif isinstance(node, ast.Dict):
        parts = node.keys
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split" and not node.args:
        text = node.func.value
        return text.value.split() if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
    else:
        return None
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def repeats(said):
    """The lists that these strings repeat: whole, or but for one word of four or more; or most of them are words of one
    list of four or more, and one is in no list, as a wrong word is. Of parts of lists, those that they are."""
    said, known = set(said), {word for words in WORDS.values() for word in words}
    yield from (name for name, words in PARTS.items() if said == set(words))
    for name, words in WHOLE.items():
        common = said & set(words)
        if len(common) < 3 or len(common) * 2 < len(said):
            continue
        whole = len(common) >= len(words) - (len(words) > 3)
        wrong = len(words) > 3 and len(common) * 2 > len(said) and said - known
        if whole or wrong:
            yield name


def retyped(source):
    """(line, list): where a source repeats the words of a list and does not say why."""
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        said = strings(node)
        if said is None or any("# its own:" in lines[i] for i in range(max(0, node.lineno - 4), node.end_lineno)):
            continue
        yield from ((node.lineno, name) for name in repeats(said))


def typed(source):
    """(line, list): where C or SQL of the library types a list of word_lists.txt: {"a", "b"}, IN ('a', 'b'), or
    x = 'a' OR x = 'b'."""
    word = r"""["'][\w-]+["']"""
    lists = rf"[{{(]\s*({word}(?:,\s*{word})+)\s*[)}}]"
    compared = rf"(?<![\w.])([\w.]+) (=|<>) ({word}(?: (?:OR|AND) \1 \2 {word})+)"
    for found in [*re.finditer(lists, source), *re.finditer(compared, source)]:
        said = re.findall(r"""["']([\w-]+)["']""", found[0])
        yield from ((source.count("\n", 0, found.start()) + 1, name) for name in WORDS if sorted(WORDS[name]) == sorted(said))


def library():
    """path → source, of C and SQL that is embedded. Migrations and scripts say what was so when they were written."""
    for pattern in ("ext/**/*.[ch]", "sql/schema/*.sql", "sql/statements/*/*.sql"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, ROOT), file.read()


def suites():
    """path below tests/ → source, of every suite in Python."""
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "**", "*.py"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            yield os.path.relpath(path, os.path.join(ROOT, "tests")), file.read()


def check(suite):
    for path, source in suites():
        suite.check(f"tests/{path} takes these lists from tests/lib/vocabulary.py, or says why it has its own", list(retyped(source)), [])
    for path, source in library():
        suite.check(f"{path} takes these lists from sql/word_lists.txt", list(typed(source)), [])
    for source, found in (
        ("WHERE state IN ('Complete', 'Aborted')", ["TASK_OVER"]),
        ("WHERE (t.mode = 'steer' OR t.mode = 'steer-backlog' OR t.mode = 'interrupt')", ["QUEUE_STEERS"]),
        ("AND status <> 'archived' AND status <> 'error'", ["STATUS_CLOSED"]),
        ('names[] = {"active", "suspended", "archived",\n  "error"};', ["STATUS"]),
        ("status = 'archived' OR other = 'error'", []),
        ("IN ('failed', 'aborted', 'completed', 'lost')", []),
    ):
        suite.check(f"typed in {source!r}", [name for _, name in typed(source)], found)
    with open(os.path.join(ROOT, "ext", "commands.c"), encoding="utf-8") as file:
        listed = re.findall(r"&ts_(\w+),", file.read())
    inside = [name for name, (room, _) in SPECS.items() if room != "core"]  # core's make the door by which all others come
    suite.check("all commands have been found", sorted(inside), sorted(listed))
    # What the rule sees: a whole list, a word left out, a wrong word, one that is split; and what it lets be.
    for source, found in (
        ('X = ["active", "suspended", "archived", "error"]', ["STATUS"]),
        ('X = {"active": 1, "suspended": 2, "error": 3}', ["STATUS"]),
        ('X = ["NewTask", "Response", "Approval", "Abandon"]', ["CLASS"]),
        ('X = ("Complete", "Aborted")', ["TASK_OVER"]),
        ('X = {"Running": 1, "Complete": 2, "Aborted": 3}', []),
        ('X = "queue followup collect steer steer-backlog interrupt".split()', ["QUEUE_MODE"]),
        ('# its own: the rule again\nX = ["active", "suspended", "archived", "error"]', []),
        ('X = ["start", "continue", "answer"]', []),
    ):
        suite.check(f"seen in {source!r}", [name for _, name in retyped(source)], found)
