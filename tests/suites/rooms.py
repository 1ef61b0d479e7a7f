#!/usr/bin/env python3
"""rooms.py - the rooms of ext/ stand on one another: rooms.py BUILDDIR [--write]

ext/rooms.mk lists them from the ground up. A file includes headers of its own room and of those below it, and calls
functions that are defined there; the compiler sees to the first, as it is given no other folder. No files call one
another in a circle, and no file is longer than a thousand lines. Folders of tests/ and sql/statements/ have the rooms'
names. Statements that give or take the same columns name them in one order, since one function reads the rows of all;
parameters of a VALUES stand in the order of their numbers.

docs/source.md has a table of all functions with their source, statements, test and page: tests/lib/words.py prints it
from the tree, and --write writes it. What does not have its function's word is listed in words.txt.

No suite in Python types the words that sql/word_lists.txt has: tests/lib/vocabulary.py reads them.
"""

import glob
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXT = os.path.join(ROOT, "ext")
OTHER_FOLDERS = {"lib", "suites", "scripts", "data", "messages"}
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
import vocabulary  # noqa: E402
import words  # noqa: E402
from harness import Suite  # noqa: E402


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def variable(name):
    """A list of ext/rooms.mk."""
    text = read(EXT, "rooms.mk").replace("\\\n", " ")
    return re.search(rf"^{name} =(.*)$", text, re.M)[1].split()


ROOMS = variable("ROOMS")


def room(path):
    """core/args.c stands in core; turnstile.c, which knows all rooms, above them."""
    return path.split("/")[0] if "/" in path else "(above)"


def floor(path):
    return ROOMS.index(room(path)) if room(path) in ROOMS else len(ROOMS)


def code(text):
    """C without comments and strings."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def sources():
    """path below ext → text"""
    paths = glob.glob(f"{EXT}/**/*.[ch]", recursive=True)
    return {os.path.relpath(path, EXT): read(path) for path in sorted(paths)}


def definitions(files):
    """What is not static → the file that defines it: functions, and tables of constants."""
    found = {}
    for path, text in files.items():
        if not path.endswith(".c"):
            continue
        text = code(text)
        functions = r"^(?!static|typedef|extern)[A-Za-z_][\w \*]*?\b(\w+)\([^;{}]*\)\s*\{"
        tables = r"^(?:const|int|char)\b[\w \*]*?\b(ts_\w+)(?:\[[^\]]*\])*\s*="
        for pattern in (functions, tables):
            found.update((name, path) for name in re.findall(pattern, text, re.M))
    return found


def arrows(files):
    """(file, what it needs): a header, or a file and what is called there."""
    heads = {os.path.basename(path): path for path in files if path.endswith(".h")}
    defined = definitions(files)
    for path, text in files.items():
        for name in re.findall(r'^#include "(?:[^"]*/)?([\w.]+)"', text, re.M):
            if name in heads:
                yield path, heads[name], None
        for word in sorted(set(re.findall(r"\b\w+\b", code(text)))) if path.endswith(".c") else []:
            if defined.get(word, path) != path:
                yield path, defined[word], word


def look_up(files):
    """The arrows that lead up, and how many others there are."""
    up, level = [], 0
    for path, to, word in arrows(files):
        if floor(to) > floor(path):
            up.append(f"{path} -> {to}: {word or 'its header'}")
        else:
            level += 1
    return up, level


def circles(files):
    """Files that call one another, in whatever way round: groups of more than one, the largest first. commands.c, which
    knows all commands, is left out."""
    calls = {path: set() for path in files if path.endswith(".c") and path != "commands.c"}
    for path, to, word in arrows(files):
        if word and path in calls and to in calls:
            calls[path].add(to)
    reach = {}
    for path in calls:
        todo, known = list(calls[path]), set()
        while todo:
            at = todo.pop()
            if at not in known:
                known.add(at)
                todo.extend(calls[at])
        reach[path] = known
    groups = {frozenset({b for b in reach[a] if a in reach[b]} | {a}) for a in calls}
    return sorted((sorted(group) for group in groups if len(group) > 1), key=lambda g: (-len(g), g))


# Nothing but numbers.
TABLES = {"classify/word_weights.c"}


# ---- Functions and comments ------------------------------------------------------------------------------------------

# Declared for the tests and tools in C, which look at what lies below the commands.
FOR_TESTS = {"ts_classify_rules", "ts_exp", "ts_jump_level", "ts_rule_check", "ts_rules_count", "ts_rules_jit", "ts_text_key"}
# Names in comments that are examples, or of other programs.
EXAMPLES = {"a.c", "alma.c", "main.c", "xDestroy", "iNUMBER", "tBYTES"}
# What the macros of core/table.h define, for whichever name.
EXAMPLES |= {"nameOpen", "nameClose", "nameReset", "nameConnect"}


def unused(files):
    """What a header gives away and no other file takes; what a macro names, its users take."""
    defined = definitions(files)
    words = {path: set(re.findall(r"\w+", code(text))) for path, text in files.items()}
    macros = "".join(m for p, t in files.items() if p.endswith(".h") for m in re.findall(r"^#define (?:.*\\\n)*.*", code(t), re.M))
    in_macros = set(re.findall(r"\w+", macros))
    declared = {n for p, t in files.items() if p.endswith(".h") for n in re.findall(r"\b(ts_\w+)\s*[(\[;]", code(t))}
    for name in sorted(declared - in_macros):
        if not any(name in words[path] for path in files if path.endswith(".c") and path != defined.get(name)):
            inline = any(re.search(rf"\binline\b[^;{{]*\b{name}\(", text) for text in files.values())
            if not inline:
                yield name


def strange(files):
    """Names of files and of C in comments that are nowhere."""
    known = {os.path.basename(path) for path in glob.glob(os.path.join(ROOT, "**", "*"), recursive=True)}
    known |= {word for text in files.values() for word in re.findall(r"\w+", code(text))} | EXAMPLES
    for path, text in files.items():
        for comment in re.findall(r"/\*.*?\*/", text, re.S):
            names = re.findall(r"\b\w+\.(?:c|h|sql|py|awk|md)\b|\bts_\w+\b|\b[a-z]+[A-Z]\w*\b", comment)
            yield from (f"{path}: {name}" for name in names if name not in known and not name.startswith("ts_script"))


def statements():
    """(name, text) of every statement, without comments."""
    for path in sorted(glob.glob(os.path.join(ROOT, "sql", "statements", "*", "*.sql"))):
        for part in re.split(r"(?m)^-- :", read(path))[1:]:
            heading, _, text = part.partition("\n")
            yield heading.split()[0], re.sub(r"--[^\n]*", "", text)


def disordered(texts):
    """Statements whose columns are those of another one in another order, and whose parameters are out of order."""
    column, first = r"(?:\w+\.)?\w+", {}
    for name, text in texts:
        for m in re.finditer(rf"(?:SELECT|INTO #\w+\s*\()\s*({column}(?:,\s+{column}){{4,}})\s*(?=FROM\b|\))", text):
            names = re.findall(r"(\w+)(?:,|$)", m.group(1))
            if first.setdefault(frozenset(names), names) != names:
                yield f"{name}: {', '.join(names)}"
        for values in re.findall(r"VALUES\s*\(((?:\?\d+(?:,\s*)?)+)", text):
            numbers = [int(n) for n in re.findall(r"\d+", values)]
            if numbers != sorted(numbers):
                yield f"{name}: {values}"


def main(suite):
    files = sources()
    for path in files:
        suite.check(f"{path} stands in a room", room(path) in ROOMS or path in ("turnstile.c", "commands.c", "commands.h"))
    found, level = look_up(files)
    suite.check("no arrow leads up", found, [])
    suite.check("arrows were found", level > 1000)
    planted = {"core/a.c": "int ts_a(void) {\n return ts_b();\n}\n", "turn/b.c": "int ts_b(void) {\n return 1;\n}\n"}
    suite.check("one that does is seen", look_up(planted)[0], ["core/a.c -> turn/b.c: ts_b"])
    suite.check("no files call one another in a circle", circles(files), [])
    planted = {f"core/{a}.c": f"int ts_{a}(void) {{\n return ts_{b}();\n}}\n" for a, b in ("ab", "bc", "ca", "da")}
    suite.check("those that do are seen", circles(planted), [["core/a.c", "core/b.c", "core/c.c"]])
    long = [path for path, text in files.items() if text.count("\n") > 1000 and path not in TABLES]
    suite.check("no file has more than 1,000 lines", long, [])
    for folder in ("tests", "sql/statements"):
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            if glob.glob(os.path.join(ROOT, folder, name, "*.[schpjt]*")):
                suite.check(f"{folder}/{name} is a room", name in ROOMS or folder == "tests" and name in OTHER_FOLDERS)
    suite.check("what a header declares, another file uses", set(unused(files)) - FOR_TESTS, set())
    suite.check("comments name what is there", list(strange(files)), [])
    suite.check("columns and parameters in one order", list(disordered(statements())), [])
    swapped = [("a", "SELECT id, b.at, c, d, e FROM t"), ("b", "INSERT INTO #t(id, at, d, c, e) VALUES (?1, ?3, ?2, 0)")]
    suite.check("one that is not is seen", list(disordered(swapped)), ["b: id, at, d, c, e", "b: ?1, ?3, ?2, "])
    words.check(suite, "--write" in sys.argv)
    vocabulary.check(suite)


if __name__ == "__main__":
    suite = Suite("rooms")
    main(suite)
    suite.done()
