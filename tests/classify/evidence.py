#!/usr/bin/env python3
"""evidence.py BUILDDIR [--write] - what classify says of some hundred messages, class by class.

Each message of evidence.txt is classified in the situation that its heading names, and the scores and what they are made
of are compared with the lines below it: what state, length and form say, the words that weigh most, and what all rules
together weigh. So a change that was not meant shows, of however little weight. --write writes the lines anew: after a
change of rules or weights that was meant, look at the difference.
"""
import json
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, connect, library, one  # noqa: E402

FILE = os.path.join(here, "evidence.txt")


def headings():
    """(heading, lines) for each message of the file, and what stands before the first."""
    begins, found = [], []
    with open(FILE, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("== "):
                found.append((line, []))
            elif found and line:
                found[-1][1].append(line)
            elif not found:
                begins.append(line)
    return "\n".join(begins), found


def said(db, heading):
    """The lines of a message: a class, its score, and what it is made of."""
    state, task, question, message = (json.loads(p) for p in heading[3:].split(" | "))
    lines = []
    for cls, score, confidence, evidence in db.execute(
        "SELECT class, score, confidence, evidence FROM classify(?, ?, ?, ?)", (message, state, task, question)
    ):
        rules, parts = 0, []
        for row in json.loads(evidence):
            if "rule" in row:
                rules += row["weight"]
            else:
                parts.append(f"{json.dumps(row.get('shape', row.get('word')), ensure_ascii=False)} {row['weight']:g}")
        parts += [f"rules {rules:g}"] if rules else []
        lines.append(f"{cls} {score:.2f} {confidence:.2f}: {', '.join(parts)}")
    return lines


suite = Suite("evidence")
base = connect(":memory:", library(sys.argv[1]))
one(base, "SELECT turnstile_install()")
before, told = headings()
now = [(heading, said(base, heading)) for heading, _ in told]
if "--write" in sys.argv:
    with open(FILE, "w", encoding="utf-8") as out:
        out.write(before + "\n" + "\n\n".join("\n".join([heading, *lines]) for heading, lines in now) + "\n")
else:
    for (heading, lines), (_, was) in zip(now, told):
        suite.check(heading[3:], lines, was)
suite.check("there are messages", len(now) > 200)
suite.done()
