#!/usr/bin/env python3
"""mutation.py BUILDDIR [N] [seed] [only=ext/turn] [fast] [with=SUITE…] [at=SITE…] - do the tests notice a fault?

Plants one realistic fault at a time in a copy of the source: a comparison turned round, a condition left out, a
call forgotten, two columns swapped, a clause of a WHERE missing. Each copy is built, and the suites of `make test`
run until one fails; of the tests in SQL and C, those alone that come to the line. A fault that no suite notices is a
survivor: it is printed with its line, and is a hole in the tests, or changes nothing that can be seen. Those of the
second kind are explained in mutation.txt, a line each:

    file | function or statement | the line as it is | the line with the fault | why nothing can tell them apart

N: how many faults (100). seed: which ones. only: faults in files whose path begins so. fast: the tests in SQL and C
only, and no faults in sql/scripts, which those don't run. with: of the suites in Python, this one alone (as often as
there are any). at: these sites, as the list of survivors names them. At least 95 % of the faults have to be noticed or
explained. JOBS says how many processors compile. Takes long, since a survivor takes as long as `make test`; it is no
part of it.

Some kinds of fault are not planted. `if (c->rc != SQLITE_OK) return` left out: errors are sticky, so that code goes on
without doing anything, and what such a guard keeps from crashing is memory that ran out. `make faults` lets every
allocation and every statement fail, and looks for that. What a function returns after ts_fail: nobody reads it. And
a call that gives memory back, or says that there is none: `make asan`, `make valgrind` and `make faults` look for those. Nor
a call that only fetches ahead, and "<=" for "<" where the smaller of two is taken.
"""

import glob
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXPLAINED = os.path.join(TREE, "tests", "suites", "mutation.txt")
JOBS = int(os.environ.get("JOBS") or os.cpu_count() or 1)

# Data, not code: what is learnt or measured; and what people run beside the library.
LEFT_OUT = ("ext/classify/word_weights.c", "ext/classify/words/", "sql/rules/", "sql/migrate/", "sql/embed.awk")

C_SWAPS = [
    ("comparison", r" < (?=[\w(!-])", " <= "),
    ("comparison", r" <= ", " < "),
    ("comparison", r" > (?=[\w(!-])", " >= "),
    ("comparison", r" >= ", " > "),
    ("equality", r" == ", " != "),
    ("equality", r" != ", " == "),
    ("logic", r" && ", " || "),
    ("logic", r" \|\| ", " && "),
    ("negation", r"(?<=[(&| ])!(?=[a-z*(])", ""),
    ("constant", r"(?<=return )0(?=;)", "1"),
    ("constant", r"(?<=return )1(?=;)", "0"),
    ("constant", r" \+ 1\b", ""),
    ("constant", r" - 1\b", ""),
    ("constant", r"(?<= = )0(?=;)", "1"),
    ("constant", r"(?<= = )1(?=;)", "0"),
    ("condition", r"(?<=\bif \()(?=[^{}]*\) (return|break|continue|goto))", "0 && "),
]
SQL_SWAPS = [
    ("comparison", r" < ", " <= "),
    ("comparison", r" <= ", " < "),
    ("comparison", r" > ", " >= "),
    ("comparison", r" >= ", " > "),
    ("equality", r"(?<=\w) = (?=[\w?'(])", " <> "),
    ("equality", r" <> ", " = "),
    ("null", r" IS NOT NULL", " IS NULL"),
    ("null", r" IS NULL", " IS NOT NULL"),
    ("null", r" IS (?=[?\w]+\.|\?)", " IS NOT "),
    ("exists", r"\bNOT EXISTS", "EXISTS"),
    ("exists", r"(?<!NOT )\bEXISTS", "NOT EXISTS"),
    ("order", r"(?<=ORDER BY )(\w+(\.\w+)?)(?=[,;)\n]| LIMIT)", r"\1 DESC"),
    ("order", r" DESC\b", ""),
    ("constant", r"(?<=, )0(?=\))", "1"),
    ("constant", r"(?<![\w.?])(?<!BY )1(?=[,)])", "0"),
    ("function", r"\bmax\(", "min("),
    ("function", r"\bmin\(", "max("),
    ("parameters", r"\?(\d+), \?(\d+)", r"?\2, ?\1"),
    ("columns", r"(?<=[ .(])([a-z_]{3,}), ([a-z_]{3,})(?=[,\n])", r"\2, \1"),
]


class Site:
    def __init__(self, path, line, kind, old, new, start, where):
        self.path, self.line, self.kind, self.old, self.new, self.start = path, line, kind, old, new, start
        self.where = where

    def name(self):
        return f"{self.path}:{self.line}:{self.kind}:{self.start}"

    def explained_as(self):
        return self.path, self.where, self.old.strip(), self.new.strip()


def masked(text, sql):
    """The text with comments and literals blanked, as long as it was."""
    pattern = r"--[^\n]*|'(?:[^']|'')*'|\"[^\"\n]*\"" if sql else r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"

    def blank(m):
        return re.sub(r"[^\n]", "\0", m.group(0))

    return re.sub(pattern, blank, text, flags=re.S)


# The smaller or the greater of two, which are equal where it makes a difference which is asked for.
OF_TWO = r"([^\s(]+) [<>]=? ([^\s?]+) \? (?:\1 : \2|\2 : \1)(?=[;,)]|$)|if \((\S+) [<>]=? (\S+)\) (?:\3 = \4|\4 = \3);"


def is_void(sql, kind, code, at, before):
    """Is it no fault: an assignment that is none, which SQLite refuses; or what the heading says?"""
    if sql:
        return kind == "equality" and re.search(r"(^|SET |, )\s*\w+$", code[:at]) is not None
    if kind == "comparison":
        return any(m.start() <= at < m.end() for m in re.finditer(OF_TWO, code))
    if kind == "condition":
        return code[at:].startswith("c->rc != SQLITE_OK)")
    return kind == "constant" and "return" in code[:at] and re.search(r"\b(ts_|\w+_)?fail\([^;{}]*;\s*$", before) is not None


def sites_of(path):
    """Every fault that can be planted in a file."""
    with open(os.path.join(TREE, path), encoding="utf-8") as f:
        text = f.read()
    sql = path.endswith(".sql")
    lines, shown = text.split("\n"), masked(text, sql).split("\n")
    found, where = [], ""
    for n, (line, code) in enumerate(zip(lines, shown), 1):
        begins = re.match(r"-- :(\w+)", line) if sql else re.match(r"\w[^;]*?(\w+)\([^;]*$", code)
        where = begins.group(1) if begins else where
        if not code.strip("\0 ") or code.lstrip().startswith(("#", "_Static_assert")) or "INDEXED BY" in code and "WHERE" not in code:
            continue
        # A prototype or a macro's definition is no statement.
        for kind, pattern, to in SQL_SWAPS if sql else C_SWAPS:
            for m in re.finditer(pattern, code + "\n"):
                new = m.expand(to) if "\\" in to else to
                if not is_void(sql, kind, code, m.start(), "\n".join(shown[max(0, n - 4) : n - 1])):
                    found.append(Site(path, n, kind, line, line[: m.start()] + new + line[m.end() :], m.start(), where))
        if sql:
            m = re.search(r"(?<= )AND [^\n]*$|^\s*AND [^\n]*$", code)
            if m and code.count("(", m.start()) == code.count(")", m.start()) and "\0;" not in code and "BETWEEN" not in code:
                tail = ";" if code.rstrip().endswith(";") else ""
                found.append(Site(path, n, "clause", line, line[: m.start()].rstrip() + tail, m.start(), where))
        elif re.match(r"\s+(?!sqlite3_free\b|ts_fail_nomem\b|__builtin_prefetch\b)\w+\([^\n]*\);$", code) and code.count("(") == code.count(")"):
            found.append(Site(path, n, "call", line, re.match(r"\s+", line).group(0) + ";", 0, where))
    return [s for s in found if s.new != s.old]


def files():
    out = subprocess.run(["git", "ls-files", "ext", "sql"], cwd=TREE, capture_output=True, text=True, check=True).stdout
    return [f for f in out.split() if f.endswith((".c", ".sql")) and not f.startswith(LEFT_OUT)]


def explained():
    rows = {}
    if os.path.exists(EXPLAINED):
        for line in open(EXPLAINED, encoding="utf-8"):
            parts = [p.strip() for p in line.rstrip("\n").split(" | ")]
            if len(parts) == 5 and not line.startswith("#"):
                rows[tuple(parts[:4])] = parts[4]
    return rows


def suites():
    """The names of the suites of `make test` that are neither SQL nor C, the quick ones first."""
    with open(os.path.join(TREE, "tests", "lib", "all.sh"), encoding="utf-8") as f:
        words = re.findall(r"\b[a-z]+/[a-z_]+\b", f.read())
    names = [w for w in dict.fromkeys(words) if any(os.path.exists(os.path.join(TREE, "tests", w + e)) for e in (".py", ".sh"))]
    slow = ["deliver/deliver_model", "suites/replay", "suites/matrix", "care/check", "suites/costs", "handoff/handoff_model", "suites/hostile"]
    return [n for n in names if n not in slow and n != "lib/run"] + [n for n in slow if n in names]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Reach:
    """Which tests in SQL and C come to which line, as gcov counts it. Kept in BUILDDIR until the source changes."""

    def __init__(self, copy, kept):
        self.copy, self.kept, self.rows = copy, kept, {}
        self.sources = {p: read(os.path.join(copy.folder, p)) for p in files()}
        digest = hashlib.sha256(json.dumps(self.sources, sort_keys=True).encode())
        for name in sorted(glob.glob(os.path.join(copy.folder, "ext", "*", "*.h"))):
            digest.update(read(name).encode())
        digest = digest.hexdigest()
        if os.path.exists(kept):
            known = json.loads(read(kept))
            self.rows = known["rows"] if known["source"] == digest else {}
        tests = copy.sql_tests() + copy.unit_tests()
        self.rows = {t: row for t, row in self.rows.items() if t in tests}
        stale = [t for t in tests if self.rows.get(t, {}).get("test") != self.test_digest(t)]
        if stale:
            self.count(stale)
        self.digest = digest
        # The lines that name a statement.
        self.named = {}
        for path, text in self.sources.items():
            if path.endswith(".c"):
                for n, line in enumerate(text.split("\n"), 1):
                    for name in re.findall(r"\bSQL_[A-Z_0-9]+\b", line):
                        self.named.setdefault(name, []).append((path, n))

    def passed(self, spent):
        """All tests pass without a fault: they need not be run again before the source or they change."""
        for test, row in self.rows.items():
            row["seconds"] = spent.get(test, row.get("seconds", 100))
        os.makedirs(os.path.dirname(self.kept), exist_ok=True)
        with open(self.kept, "w", encoding="utf-8") as f:
            json.dump({"source": self.digest, "rows": self.rows}, f)

    def test_digest(self, test):
        ext = ".c" if "/test_" in test else ".sql"
        return hashlib.sha256(read(os.path.join(self.copy.folder, "tests", test + ext)).encode()).hexdigest()

    def count(self, tests):
        built = ["make", "-s", f"-j{JOBS}", "BUILD=build/counted", "CFLAGS=-O0 --coverage", "WARNINGS=-std=c11 -w"]
        targets = ["build/counted/turnstile.so", "build/counted/tests/error_of.so"]
        targets += [f"build/counted/tests/{t}" for t in tests if "/test_" in t]
        if self.copy.run(built + targets, 3600)[0] != 0:
            sys.exit("mutation: the source does not build with --coverage")
        for test in tests:
            for name in glob.glob(os.path.join(self.copy.folder, "build", "counted", "**", "*.gcda"), recursive=True):
                os.remove(name)
            self.copy.run(self.copy.command(test, "build/counted"), 3600)
            counts = [
                os.path.relpath(n, self.copy.folder)
                for n in glob.glob(os.path.join(self.copy.folder, "build", "counted", "**", "*.gcda"), recursive=True)
            ]
            said = subprocess.run(
                ["gcov", "--json-format", "--stdout", *counts], cwd=self.copy.folder, capture_output=True, text=True, check=False
            ).stdout
            lines = {}
            for row in filter(None, said.split("\n")):
                for file in json.loads(row)["files"]:
                    path = os.path.relpath(os.path.join(self.copy.folder, file["file"]), self.copy.folder)
                    if path in self.sources:
                        for line in file["lines"]:
                            lines.setdefault(path, {})[line["line_number"]] = line["count"] > 0
            self.rows[test] = {
                "test": self.test_digest(test),
                "ran": {p: [n for n, ran in sorted(of.items()) if ran] for p, of in lines.items()},
                "left": {p: [n for n, ran in sorted(of.items()) if not ran] for p, of in lines.items()},
            }

    def comes_to(self, test, path, line):
        """Does a test come to a line? One that gcov does not count belongs to the next above it that it does."""
        row = self.rows[test]
        ran = max((n for n in row["ran"].get(path, []) if n <= line), default=0)
        return ran > 0 and ran >= max((n for n in row["left"].get(path, []) if n <= line), default=0)

    def tests(self, site):
        """Those that can notice a fault."""
        every = list(self.rows)
        if site.path.endswith(".c"):
            return [t for t in every if self.comes_to(t, site.path, site.line)]
        if not site.path.startswith("sql/statements/"):
            return every
        name = f"SQL_{site.where.upper()}"
        at = self.named.get(name, []) + self.named.get(name + "_AT", [])
        # A statement's name may stand in a table, which is no line that runs.
        counted = all(any(n in r["ran"].get(p, []) + r["left"].get(p, []) for r in self.rows.values()) for p, n in at)
        if not at or not counted:
            return every
        return [t for t in every if "/test_statements" in t or any(self.comes_to(t, p, n) for p, n in at)]


class Copy:
    """The source in a folder of its own, built there."""

    def __init__(self, folder):
        self.folder = folder
        tracked = subprocess.run(["git", "ls-files"], cwd=TREE, capture_output=True, text=True, check=True).stdout.split("\n")
        for name in filter(None, tracked):
            if os.path.exists(os.path.join(TREE, name)):
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                shutil.copy(os.path.join(TREE, name), os.path.join(folder, name))
        self.spent = {}

    def make(self, *targets):
        return self.run(["make", "-s", f"-j{JOBS}", "CFLAGS=-O1", "WARNINGS=-std=c11 -w", *targets], 3600)[0] == 0

    def run(self, command, seconds, **env):
        """(status, output); a suite that does not end is one that fails."""
        ran = subprocess.Popen(
            command, cwd=self.folder, env={**os.environ, **env}, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )
        try:
            out = ran.communicate(timeout=seconds)[0]
            return ran.returncode, out
        except subprocess.TimeoutExpired:
            os.killpg(ran.pid, signal.SIGKILL)
            ran.wait()
            return 99, "did not end"

    def build(self):
        """After one file was changed. What does not build is no fault that could be committed, and is not counted."""
        return self.make("build/turnstile.so")

    def failing(self, name, command, **env):
        """Does a suite fail? It gets thirty times what it took without a fault, or a minute."""
        began = time.monotonic()
        status, out = self.run(command, max(60, 30 * self.spent.get(name, 100)), **env)
        self.spent.setdefault(name, time.monotonic() - began)
        return status != 0 or re.search(r": \d+ passed, [1-9]\d* failed", out) is not None

    def sql_tests(self):
        return sorted(
            f"{r}/{n[:-4]}" for r in os.listdir(os.path.join(self.folder, "tests"))
            if os.path.isdir(os.path.join(self.folder, "tests", r)) and r not in ("lib", "data", "messages")
            for n in os.listdir(os.path.join(self.folder, "tests", r)) if n.endswith(".sql")
        )

    def unit_tests(self):
        return sorted(n[len(self.folder) + 7 : -2] for n in glob.glob(os.path.join(self.folder, "tests", "*", "test_*.c")))

    def command(self, test, build="build"):
        return [os.path.join(build, "tests", test)] if "/test_" in test else ["sh", "tests/lib/run.sh", build, test]

    def noticed_by(self, site, tests, then):
        """The first of some tests and suites that fails, or None: those of the fault's own word first, the quick ones
        first, those in C last, since each of them is linked anew."""
        room, word = site.path.split("/")[-2], os.path.basename(site.path).split(".")[0]
        tests = sorted(tests, key=lambda t: ("/test_" in t, not t.endswith("/" + word), t.split("/")[0] != room, self.spent.get(t, 0)))
        units = [f"build/tests/{t}" for t in tests if "/test_" in t]
        for test in tests:
            if units and "/test_" in test:
                if not self.make(*units):
                    return "unit"
                units = []
            if self.failing(test, self.command(test)):
                return test
        for name in then:
            if self.failing(name, ["sh", "tests/lib/all.sh", "build"], ONLY=name):
                return name
        return None


def main():
    plain = [a for a in sys.argv[2:] if "=" not in a and a != "fast"]
    only = [a[5:] for a in sys.argv if a.startswith("only=")]
    at = [a[3:] for a in sys.argv if a.startswith("at=")]
    then = [a[5:] for a in sys.argv if a.startswith("with=")]
    if "fast" not in sys.argv:
        then = then or suites()
    count, seed = int((plain + [100])[0]), int((plain + [100, 1])[1])
    sites = [
        s for f in files() if not (only and not f.startswith(tuple(only)) or "fast" in sys.argv and f.startswith("sql/scripts/"))
        for s in sites_of(f)
    ]
    if at:
        sites = [s for s in sites if s.name() in at]
    else:
        random.Random(seed).shuffle(sites)
    known = explained()
    noticed, survivors, told, planted = 0, [], 0, 0
    # In memory, where there is room.
    scratch = subprocess.run(["sh", os.path.join(TREE, "tests", "lib", "scratch.sh")], capture_output=True, text=True, check=True)
    os.environ["TMPDIR"] = tempfile.tempdir = scratch.stdout.strip()
    try:
        folder = os.path.join(tempfile.tempdir, "copy")
        copy = Copy(folder)
        if not copy.make("all"):
            sys.exit("mutation: the source does not build")
        reach = Reach(copy, os.path.join(TREE, sys.argv[1], "mutation.json"))
        copy.spent = {t: row["seconds"] for t, row in reach.rows.items() if "seconds" in row}
        new = [t for t in reach.rows if t not in copy.spent]
        first = copy.noticed_by(Site("ext/core/door.c", 1, "none", "", "", 0, ""), new, then)
        if first:
            sys.exit(f"mutation: {first} fails without a fault")
        reach.passed(copy.spent)
        print(f"{len(sites)} faults can be planted", flush=True)
        for site in sites:
            if planted == count and not at:
                break
            file = os.path.join(folder, site.path)
            with open(file, encoding="utf-8") as f:
                whole = f.read()
            lines = whole.split("\n")
            lines[site.line - 1] = site.new
            with open(file, "w", encoding="utf-8") as f:
                f.write("\n".join(lines))
            # What a fault before this one changed is built anew with it.
            if copy.build():
                planted += 1
                by = copy.noticed_by(site, reach.tests(site), then)
                if by:
                    noticed += 1
                elif site.explained_as() in known:
                    told += 1
                    by = "nobody, as explained"
                else:
                    survivors.append(site)
                print(f"{planted} {site.name()} {'noticed by ' + by if by else 'SURVIVES'}", flush=True)
                if not by:
                    print(f"  - {site.old.strip()}\n  + {site.new.strip()}", flush=True)
            with open(file, "w", encoding="utf-8") as f:
                f.write(whole)
    finally:
        shutil.rmtree(tempfile.tempdir, ignore_errors=True)
    enough = noticed + told >= 0.95 * planted
    for site in survivors:
        print(f"SURVIVES at={site.name()} in {site.where}\n  - {site.old.strip()}\n  + {site.new.strip()}")
    print(f"{planted} faults: {noticed} noticed, {told} explained, {len(survivors)} survive")
    print(f"mutation: {int(enough)} passed, {int(not enough)} failed")
    sys.exit(not enough)


main()
