#!/usr/bin/env python3
"""instructions.py - what it costs to read a message, in instructions: instructions.py BUILDDIR

Nothing is measured in seconds: valgrind counts what the processor is told to do while count_classify classifies
some messages of 100 and of 10,000 characters, reads those of 100 as answers to a choice, and of such of a million
to whom they are said, and what reports of 20,000 ask in which much begins and nothing ends, and classifies the
first message of a connection ("load"). The budgets are a fifth above what was counted when they were
written (gcc 12, PCRE2 10.42, x86-64), so that another compiler fits in, and a rule or a loop that costs
much more is noticed.
"""
import glob
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite  # noqa: E402

BUDGETS = {
    "short": 101700,
    "order": 77100,
    "german": 81400,
    "russian": 112700,
    "chinese": 77700,
    "long": 1082000,
    "long log": 700000,
    "long russian": 840000,
    "choice, short": 157000,
    "choice, order": 270000,
    "choice, german": 210000,
    "choice, russian": 149000,
    "choice, chinese": 169000,
    "address, names": 1550000,
    "address, mentions": 670000,
    "address, unseen": 3170000,
    "address, blanks": 6920000,
    "address, brackets": 259000,
    "address, one mention": 262000,
    "address, tags": 497000,
    "address, marks": 137000,
    "report, quotes": 9990000,
    "report, links": 12350000,
    "report, comments": 9610000,
    "report, quotations": 17770000,
    "report, words": 9490000,
    "report, code": 6010000,
    "load": 82700000,
}


def counted(program):
    """Per message: its name, its characters and the instructions. Each return of count_this writes a file."""
    with tempfile.TemporaryDirectory() as where:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=count_this", "--dump-after=count_this", f"--callgrind-out-file={where}/out", program, "sql/rules"],
            capture_output=True, text=True, check=False)
        if run.returncode:
            raise SystemExit(run.stderr)
        lines = [line.split(" ", 2) for line in run.stdout.splitlines()]
        for i, (_, chars, name) in enumerate(lines, 1):
            with open(f"{where}/out.{i}", encoding="utf-8") as dump:
                totals = [line for line in dump if line.startswith(("summary:", "totals:"))]
            yield name, int(chars), int(totals[-1].split()[1])


suite = Suite("instructions")
names = set()
for name, chars, n in counted(os.path.join(sys.argv[1], "tests", "classify", "count_classify")):
    print(f"{name:14} {chars:6} characters {n:9} instructions")
    suite.check(f"{name}: {n} instructions, budget {BUDGETS.get(name)}", n <= BUDGETS.get(name, 0))
    suite.check(f"{name}: something was counted", n > 10000)
    names.add(name)
suite.check("all were counted", names, set(BUDGETS))
suite.done()
