"""words.py - one word per function: whoever knows a function's name finds its source, statements, test and page.

A function's word is its name without the family in front (session_note: note), or the noun that several small functions
share (queue_cancel, queue_front: queue). Files that are about a function have its word: ext/ROOM/WORD.c defines it,
sql/statements/ROOM/WORD.sql holds the statements that this file alone uses, tests/ROOM/WORD.sql calls it, and the page to
which its entry in docs/reference.md leads names it. What several functions use stands in the file of its table.

Where a function is defined is read from the source, so the table of docs/source.md follows the files. What does not
keep its word yet is listed in tests/suites/words.txt. That list only grows shorter.
"""

import collections
import glob
import os
import re

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIST = os.path.join(ROOT, "tests", "suites", "words.txt")
PAGE = os.path.join(ROOT, "docs", "source.md")
# Words that many names have: they lead nowhere.
COMMON = {"session", "turn", "turnstile", "is", "from", "needs", "check"}
HEAD = "| function | `ext/` | `sql/statements/` | `tests/` | `docs/` |\n| --- | --- | --- | --- | --- |\n"


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def functions():
    """What the library gives away, by tests/suites/exports.sh."""
    text = read("tests", "suites", "exports.sh")
    listed = text[text.index('same "functions and modules"') :].split('"$got" "')[1].split('"')[0]
    return sorted({line.split()[0] for line in listed.splitlines()})


def words_of(name):
    """The words by which a function is looked for, the fullest first: turn_tool_call, tool_call, …"""
    parts = name.split("_")
    runs = {"_".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}
    return sorted((run for run in runs if run not in COMMON or name == "turnstile_" + run), key=lambda w: (-len(w), w))


def word(path):
    """The word of a file: turn/test_tree.c and turn/tree_model.py are about tree, deliver/queue_commands.c about queue."""
    stem = os.path.basename(path).split(".")[0]
    return re.sub(r"^test_|_(commands?|functions?|model)$", "", stem)


class Tree:
    """Files of the source by what is in them."""

    def __init__(self):
        self.sources = self.read_all("ext", "*.c")
        self.statements = {
            name.upper(): path
            for path, text in self.read_all("sql/statements", "*.sql").items()
            for name in re.findall(r"^-- :(\w+)", text, re.M)
        }
        self.tests = {
            path: text
            for suffix in ("sql", "py", "c")
            for path, text in self.read_all("tests", f"*.{suffix}").items()
            if path.split("/")[0] not in ("lib", "suites", "scripts")
        }
        self.users = collections.defaultdict(collections.Counter)
        for path, text in self.sources.items():
            for name in re.findall(r"\bSQL_(\w+?)(?:_AT)?\b", text):
                self.users[name][path] += 1
        self.defined = {name: self.definition(name) for name in functions()}
        self.entries = dict(
            (entry.split("\n")[0], entry) for entry in re.split(r"^### ", read("docs", "reference.md"), flags=re.M)[1:]
        )

    @staticmethod
    def read_all(folder, pattern):
        paths = sorted(glob.glob(os.path.join(ROOT, folder, "*", pattern)))
        return {os.path.relpath(path, os.path.join(ROOT, folder)): read(path) for path in paths}

    def definition(self, name):
        """The file with the function that runs it: named by its CommandSpec, in a table of functions, or its module."""
        patterns = (
            rf'CommandSpec \w+ = \{{"{name}",\s*(\w+)',
            rf'\{{"{name}",\s*-?\d+,[^{{}}]*?(\w+)\}}',
            rf'\(\w+, "{name}",\s*&(\w+)',
        )
        for pattern in patterns:
            for path, text in self.sources.items():
                found = re.search(pattern, text)
                if found:
                    return self.defines(found[1], path)
        return None

    def defines(self, runner, listed):
        """The file that defines a function or module: the one that lists it, or another one."""
        shape = re.compile(rf"^[\w ]*\b\**{runner}(\(|\s*=)", re.M)
        if shape.search(self.sources[listed]):
            return listed
        return next((path for path, text in self.sources.items() if shape.search(text)), listed)

    def uses(self, source):
        """Files of statements that a source uses → how often."""
        files = collections.Counter()
        for name, path in self.statements.items():
            if self.users[name][source]:
                files[path] += 1
        return files

    def statement_file(self, name):
        """Its own statements, else those that its source uses most."""
        files = self.uses(self.defined[name])
        own = [path for w in words_of(name) for path in files if word(path) == w]
        return own[0] if own else min(files, key=lambda path: (-files[path], path)) if files else "–"

    def test(self, name):
        """Its test, and whether that has the function's word. A test beside the source comes first, and one in SQL."""
        calls = [path for path, text in self.tests.items() if re.search(rf"\b{name}\b", text)]
        room = self.defined[name].split("/")[0]
        words = words_of(name)
        own = [path for path in calls if word(path) in words]
        if own:
            own.sort(key=lambda p: (not p.startswith(room + "/"), words.index(word(p)), not p.endswith(".sql"), p))
            return own[0], True
        often = {path: len(re.findall(rf"\b{name}\b", self.tests[path])) for path in calls}
        return (min(often, key=lambda path: (-often[path], path)) if often else "–"), False

    def page(self, name):
        """The page to which its entry in the reference leads: [tasks.md](tasks.md), or a part of it."""
        found = re.search(r"\[(\w+\.md)\]\(\1(?:#[\w-]+)?\)", self.entries.get(name, ""))
        return found[1] if found else "–"

    def row(self, name):
        return name, self.defined[name] or "–", self.statement_file(name), self.test(name)[0], self.page(name)

    def astray(self):
        """What does not have its word: lines of words.txt."""
        at = collections.defaultdict(list)
        for name, path in self.defined.items():
            at[path].append(name)
            if word(path) not in words_of(name) and not word(path).startswith(name + "_"):
                yield f"{name}: ext/{path}"
            if not self.test(name)[1]:
                yield f"{name}: no test of its word"
            page = self.page(name)
            if page == "–" or not re.search(rf"\b{name}\b", read("docs", page)):
                yield f"{name}: no page names it to which its entry in reference.md leads"
        for statement, path in self.statements.items():
            users = self.users[statement]
            names = at[next(iter(users))] if len(users) == 1 else []
            fits = names and all(word(next(iter(users))) in words_of(name) for name in names)
            if fits and not any(word(path) in words_of(name) for name in names):
                yield f"{statement.lower()}: sql/statements/{path}, and only {next(iter(users))} uses it"


def table(tree):
    rows = (f"| `{row[0]}` | " + " | ".join(row[1:]) + " |\n" for row in map(tree.row, tree.defined))
    return HEAD + "".join(rows)


def write(tree):
    """The table anew, and the list without what has its word by now."""
    text = read(PAGE)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text[: text.index(HEAD)] + table(tree))
    kept = set(read(LIST).splitlines()) & set(tree.astray())
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in sorted(kept)))


def check(suite, writes):
    tree = Tree()
    for name, path in tree.defined.items():
        suite.check(f"{name} is defined somewhere", path is not None)
    if writes:
        write(tree)
        tree = Tree()
    listed, found = set(read(LIST).splitlines()), set(tree.astray())
    for line in sorted(listed | found):
        suite.check(f"listed in words.txt, and there: {line}", (line in listed, line in found), (True, True))
    text = read(PAGE)
    for got, want in zip(text[text.index(HEAD) :].splitlines(), table(tree).splitlines()):
        suite.check("the table of docs/source.md (rooms.py --write prints it)", got, want)
    suite.check("nothing else in the table of docs/source.md", text[text.index(HEAD) :], table(tree))
