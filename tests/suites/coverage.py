"""Which branches of ext/ the suites take: coverage.py BUILDDIR [left] [faults]

BUILDDIR was built with --coverage and has been used (make coverage). Prints for every file how many
of its lines ran and how many of its branches were taken, and the total; with "left" also every branch
that was never taken, as file:line function. What the library counted (obj) and what the programs did
that it is linked into (core) are added.

With "faults" (the fault suites have run, too) the tree is then held to coverage-left.txt: of the files
below, each function that has a branch left is named there behind its file, "door.c  runSugar …". One that
is not is a failure: a test is to take it, the code is to do without it, or the list is to say why it is
left. So is one that is named and does not exist. Without the fault suites much is left that they take, so it is only said.
"""

import collections
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
EXPLAINED = os.path.join(HERE, "coverage-left.txt")
# The door and installing; rules; answers to a choice, and what becomes of it; the turn tree.
HELD = (
    "ext/core/door.c",
    "ext/core/dispatch.c",
    "ext/core/result.c",
    "ext/core/use.c",
    "ext/core/clock.c",
    "ext/core/install.c",
    "ext/core/schema.c",
    "ext/core/renew.c",
    "ext/classify/rules.c",
    "ext/classify/rule_*.[ch]",
    "ext/classify/answer*.c",
    "ext/session/choice.c",
    "ext/deliver/choose.c",
    "ext/deliver/settle_choice.c",
    "ext/turn/tree.c",
)


def reports(build):
    """What gcov says of every object: one document per source file."""
    for kind in ("obj", "core"):
        folder = os.path.join(build, kind)
        data = sorted(glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True))
        for path in data:
            out = subprocess.run(
                ["gcov", "-b", "--json-format", "--stdout", os.path.abspath(path)],
                capture_output=True,
                check=True,
                cwd=folder,
            ).stdout
            for document in out.splitlines():
                yield from json.loads(document)["files"]


def explained(text):
    """What coverage-left.txt names: (file, function). Names of functions stand behind that of their file; a line
    that begins further in goes on with them, and what stands in brackets is none."""
    named = set()
    file = None
    text = text[text.index("Branches of the door") :]
    for line in re.sub(r"\([^)]*\)", "", text).splitlines():
        first = re.match(r"  (\w+\.[ch]) +", line)
        file = first[1] if first else file if line.startswith("   ") else None
        if file:
            named.update((file, word) for word in re.findall(r"\w+", line[first.end() if first else 0 :]))
    return named


def gone(named):
    """Which of them are not there any more."""
    code = {}
    for path in glob.glob("ext/*.[ch]") + glob.glob("ext/*/*.[ch]"):
        with open(path, encoding="utf-8") as f:
            code[os.path.basename(path)] = f.read()
    return sorted(n for n in named if not re.search(rf"\b{n[1]}\(", code.get(n[0], "")))


def hold(missing, functions):
    """Is each function of the files that are held, of which a branch is left, explained?"""
    with open(EXPLAINED, encoding="utf-8") as f:
        named = explained(f.read())
    open_ = collections.Counter()
    for (name, number), n in missing.items():
        if any(fnmatch.fnmatch(name, pattern) for pattern in HELD):
            open_[(name, functions[(name, number)])] += n
    missed = gone(named)
    for name, function in missed:
        print(f"{name}: {function}: tests/suites/coverage-left.txt names it, and it is not there")
    failed = len(missed)
    for (name, function), n in sorted(open_.items()):
        if (os.path.basename(name), function) in named:
            continue
        failed += 1
        print(f"{name}: {function}: {n} left, and tests/suites/coverage-left.txt does not say why")
    return len(open_) + len(missed) - failed, failed


def main(build, left, faults):
    lines = collections.Counter()
    branches = collections.Counter()
    functions = {}
    for file in reports(build):
        name = file["file"]
        if not (name.startswith("ext/") and name.endswith((".c", ".h"))):
            continue
        for line in file["lines"]:
            at = (name, line["line_number"])
            lines[at] += line["count"]
            functions[at] = line.get("function_name", functions.get(at, ""))
            for i, branch in enumerate(line["branches"]):
                branches[(*at, i)] += branch["count"]
    if not branches:
        sys.exit(f"coverage: nothing in {build} was built with --coverage and has run")
    files = sorted({name for name, _ in lines})
    print(f"{'file':32} {'lines':>7} {'branches':>9} {'taken':>7} {'left':>6}")

    def show(name, counted, of):
        done = sum(count > 0 for key, count in counted.items() if name in (None, key[0]))
        whole = sum(1 for key in counted if name in (None, key[0]))
        ran = sum(count > 0 for key, count in of.items() if name in (None, key[0]))
        code = sum(1 for key in of if name in (None, key[0]))
        print(
            f"{name or 'all':32} {100 * ran / max(code, 1):6.1f}% {whole:9} "
            f"{100 * done / max(whole, 1):6.1f}% {whole - done:6}"
        )

    for name in files:
        show(name, branches, lines)
    show(None, branches, lines)
    missing = collections.Counter(key[:2] for key, count in branches.items() if count == 0)
    if left:
        for (name, number), n in sorted(missing.items()):
            print(f"{name}:{number} {functions[(name, number)]} ({n})")
    passed, failed = hold(missing, functions)
    if faults:
        print(f"coverage: {passed} passed, {failed} failed")
    return failed > 0 if faults else 0


asked = sys.argv[2:]
sys.exit(main(sys.argv[1], "left" in asked, "faults" in asked))
