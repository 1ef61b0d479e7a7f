#!/usr/bin/env python3
"""rules_fuzz.py - whatever passes the check of rules stops no delivery.

    tests/classify/rules_fuzz.py BUILDDIR [patterns [seed]]

Random patterns out of what PCRE2 knows, alone and in each other: recursion, look-around, repeats,
conditions, callouts, verbs, comments, quotes. Each is inserted; those that are taken stand together in the
rules, and messages made of the same letters are delivered. Half of the rows are also put into a file whose
triggers are gone, as in a stranger's: then every row is there, and still every message is taken.
"""
import os
import random
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from harness import Suite, connect, error_of, library, one  # noqa: E402

ATOMS = ["a", "b", "x", "ok", "é", "好", ".", r"\w", r"\s", r"\d", r"\b", "^", "$", r"\A", r"\z", "[ab]", "[^a]", "[[:alpha:]]", r"\R", r"\X",
         r"\p{L}", r"\1", r"\g{1}", r"\k<n>", r"\K", r"\C", r"\N", r"\G", r"\h", r"\x41", r"\Qa(\E", r"\c\(", "", "|", r"\.", r"\\", "(?R)", "(?0)",
         "(?1)", "(?-1)", "(?+1)", "(?&n)", "(?P>n)", "(?P=n)", r"\g<1>", r"\g'n'", "(?C)", "(?C1)", "(*FAIL)", "(*ACCEPT)", "(*COMMIT)", "(*SKIP)",
         "(?i)", "(?x)", "(?s)", "(?#c)", "(?#\\)", "#\\Q\n", "(?(R)a|b)", "(?(1)a|b)", "(?(DEFINE)(?<n>a))", "(?(n)a)"]
QUANTIFIERS = ["*", "+", "?", "*?", "+?", "*+", "++", "{2}", "{0}", "{2,5}", "{,3}", "{1,65535}", "{0,400}", "{3,}"]
GROUPS = ["({})", "(?:{})", "(?>{})", "(?={})", "(?!{})", "(?<={})", "(?<!{})", "(?<n>{})", "(?|{}|{})", "(?i:{})", "(?(?={})a|{})", "[{}]", "(*atomic:{})"]
PIECES = ["a", "b", "x", "ok ", "é", "好", " ", "\n", "1", "(", ".", "!", "aa", "ab"]


def pattern(rng, depth=0):
    out = []
    for _ in range(rng.randint(1, 3)):
        if depth < 4 and rng.random() < 0.45:
            shape = rng.choice(GROUPS)
            piece = shape.format(*(pattern(rng, depth + 1) for _ in range(shape.count("{}"))))
        else:
            piece = rng.choice(ATOMS)
        if rng.random() < 0.4:
            piece += rng.choice(QUANTIFIERS)
        out.append(piece)
    return rng.choice(["", "", "|"]).join(out)


def message(rng):
    if rng.random() < 0.5:
        return rng.choice(PIECES) * rng.randint(1, 300) + rng.choice(PIECES)
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 80)))


def main():
    suite = Suite("rules_fuzz")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    lib = library(sys.argv[1])
    db = connect(":memory:", lib)
    db.execute("SELECT turnstile_install()")
    strange = connect(":memory:", lib)
    strange.execute("SELECT turnstile_install()")
    strange.execute("DROP TRIGGER message_rules_check_insert")
    taken = refused = noted = 0
    for i in range(count):
        text = pattern(rng)
        cls = rng.choice(["Abandon", "Affirmation", "NewTask", "Response"])  # its own: classes of rules
        error = error_of(db.execute, "INSERT INTO message_rules(class, pattern, weight) VALUES (?, ?, 1)", (cls, text))
        if error:
            refused += 1
            suite.holds(f"refused {text!r}", error, "message_rules: ")
        else:
            taken += 1
        error_of(strange.execute, "INSERT INTO message_rules(class, pattern, weight) VALUES (?, ?, 1)", (cls, text))
        if i % 25:
            continue
        for which in (db, strange):
            error = decision = None
            try:
                decision = one(which, "SELECT session_deliver(?, ?)", f"s{i % 7}", message(rng) + ".")
            except sqlite3.Error as e:
                error = str(e)
            suite.check(f"after {text!r}", error, None)
            noted += "classified without" in (decision or "")
        if i % 500 == 0:
            db.execute("DELETE FROM message_rules WHERE origin = 'user' AND id % 2")
            strange.execute("DELETE FROM message_rules WHERE origin = 'user' AND id % 2")
    suite.check("some are taken, some refused, some of a stranger's left out", (taken > count // 20, refused > count // 20, noted > 0), (True, True, True))
    suite.done()


if __name__ == "__main__":
    main()
