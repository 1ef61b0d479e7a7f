"""Which branches of ext/ the suites take: coverage.py BUILDDIR [left]

BUILDDIR was built with --coverage and has been used (make coverage). Prints for every file how many
of its lines ran and how many of its branches were taken, and the total; with "left" also every branch
that was never taken, as file:line function. What the library counted (obj) and what the programs did
that it is linked into (core) are added.
"""

import collections
import glob
import json
import os
import subprocess
import sys


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


def main(build, left):
    lines = collections.Counter()
    branches = collections.Counter()
    functions = {}
    for file in reports(build):
        name = file["file"]
        if not (name.startswith("ext/") and name.endswith(".c")):
            continue
        for line in file["lines"]:
            at = (name, line["line_number"])
            lines[at] += line["count"]
            functions[at] = line.get("function_name", "")
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
    if left:
        missing = collections.Counter(key[:2] for key, count in branches.items() if count == 0)
        for (name, number), n in sorted(missing.items()):
            print(f"{name}:{number} {functions[(name, number)]} ({n})")


main(sys.argv[1], "left" in sys.argv[2:])
