#!/usr/bin/env python3
"""statements.py - calls in C fit the statements that they run: statements.py BUILDDIR

The headings of sql/statements say how many parameters a statement has and how its columns are called; sql/embed.awk has
written that into BUILDDIR/gen/statements.h and statement_texts.h, and tests/core/test_statements.c holds it to the SQL. Here ext/ is read:

- a call of ts_query, ts_exec, ts_insert_new or ts_insert_as has one letter for each parameter. Where the statement comes
  in a variable, it is held to the letters of the calls that it can come to;
- columns are read by their names, and not by numbers;
- a name is one of the statement that is read. Where a function reads the rows of its caller, it is held to what the
  caller runs.

Where turns and messages lie is said in include/turnstile.h alone: SQL that is embedded has the numbers from there, and
scripts, which are run without the library, have the same ones.
"""

import glob
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXT = os.path.join(ROOT, "ext")
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
from harness import Suite  # noqa: E402

RUNS = {"ts_query": 1, "ts_exec": 1, "ts_insert_new": 2, "ts_insert_as": 3}  # where the statement stands
RUN = re.compile(rf"\b({'|'.join(RUNS)})\s*\(")
READ = re.compile(r"\b(ts_col_\w+|sqlite3_column_(?!count|name)\w+|resultColumn|textAt|intAt)\s*\(")
# Statements that are prepared by hand have no headings.
BY_HAND = {"stmt", "each"}
# Binds the values of a document by itself: what it takes in comes out again in tests/handoff.
BINDS = {"handoff/import.c"}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def uncommented(text):
    """C whose comments are blanks, so that places stay what they are."""
    blank = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
    return blank.sub(lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]), text)


def arguments(text, at):
    """The arguments of the call whose parenthesis is at `at`."""
    found, depth, begin = [], 0, at + 1
    for m in re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|[(\[{,)\]}]').finditer(text, at):
        if m[0] in "([{":
            depth += 1
        elif m[0] in ")]}":
            depth -= 1
            if depth == 0:
                return found + [text[begin : m.start()].strip()]
        elif m[0] == "," and depth == 1:
            found.append(text[begin : m.start()].strip())
            begin = m.end()
    raise ValueError(text[at : at + 80])


class Function:
    def __init__(self, path, line, name, parameters, body):
        self.path, self.line, self.name, self.body = path, line, name, body
        self.parameters = [p.strip() for p in parameters.split(",")]
        self.queries = {}  # parameters that are queries: name → place
        for i, p in enumerate(self.parameters):
            m = re.fullmatch(r"(?:const )?Query \*?(\w+)", p)
            if m:
                self.queries[m[1]] = i
        # variable → [(place, statements that it runs from there on)]
        self.runs = {}
        for m in re.finditer(r"([\w.>\[\]-]+)\s*=\s*ts_query\s*\(", body):
            statements = re.findall(r"\bSQL_(\w+)", arguments(body, m.end() - 1)[1])
            self.runs.setdefault(m[1], []).append((m.start(), statements))

    def where(self, at):
        return f"ext/{self.path}:{self.line + self.body.count(chr(10), 0, at)} ({self.name})"

    def statements(self, variable, at):
        """What a variable runs at a place, or [] when it isn't known here."""
        runs = [run for run in self.runs.get(variable, []) if run[0] < at]
        return runs[-1][1] if runs else []


def functions(path, text):
    head = r"^(?!typedef|struct|enum|union|#|extern)[A-Za-z_][\w \*]*?\b(\w+)\(([^;{}]*)\)\s*\{"
    for m in re.finditer(head, text, re.M):
        end = text.find("\n}", m.end())
        yield Function(path, text.count("\n", 0, m.start()) + 1, m[1], m[2], text[m.start() : end])


class Statements:
    def __init__(self, header, enums):
        texts = re.findall(r"^  /\* SQL_(\w+) \*/", header, re.M)
        shapes = re.findall(r'^  \{(\d+), "([^"]*)"\},$', header, re.M)
        self.parameters = {name: int(n) for name, (n, _) in zip(texts, shapes)}
        self.columns = {name: columns.upper().split() for name, (_, columns) in zip(texts, shapes)}
        self.places = {}  # COL_… → (place, its last part)
        for line in re.findall(r"^enum \{ (COL_.*) \};$", enums, re.M):
            names = line.split(", ")
            common = os.path.commonprefix([f"{name}\n" for name in names])
            for statement in self.columns:
                if [f"COL_{statement}_{c}" for c in self.columns[statement]] == names:
                    common = f"COL_{statement}_"
            self.places.update((name, (i, name[len(common) :])) for i, name in enumerate(names))

    def has(self, statement, column):
        """Is this the name of a column that the statement gives, at its place?"""
        columns = self.columns[statement]
        if column in ("COL_ONLY", "COL_KEY"):
            return len(columns) == 1 or (column == "COL_KEY" and len(columns) > 1)
        place, name = self.places[column]
        return place < len(columns) and columns[place] == name

    def fits(self, ran, column):
        """The same of one of several: the others have it too, or end before it."""
        place = self.places.get(column, (0,))[0]
        reach = [statement for statement in ran if len(self.columns[statement]) > place]
        return bool(reach) and all(self.has(statement, column) for statement in reach)


def letters(argument):
    """The numbers of letters that a format may have: it may be one of two strings."""
    return {len(text) for text in re.findall(r'"([^"]*)"', re.sub(r'"\s+"', "", argument))}


def variable_letters(function):
    """The numbers of letters with which a function runs statements that come in variables."""
    found = set()
    for m in RUN.finditer(function.body):
        given = arguments(function.body, m.end() - 1)
        if len(given) > RUNS[m[1]] + 1 and "SQL_" not in given[RUNS[m[1]]]:
            found |= letters(given[RUNS[m[1]] + 1])
    return found


def check_letters(suite, statements, all_functions, texts):
    by_name = {f.name: f for f in all_functions}
    seen = set()
    of_file = {}
    for f in all_functions:
        of_file.setdefault(f.path, set()).update(variable_letters(f))
        for m in RUN.finditer(f.body):
            given = arguments(f.body, m.end() - 1)
            if f.path == "core/statement.c" and f.name in RUNS:
                continue
            for name in re.findall(r"\bSQL_(\w+)", given[RUNS[m[1]]]):
                seen.add(name)
                suite.check(
                    f"{f.where(m.start())}: letters for the {statements.parameters[name]} parameters of {name.lower()}",
                    statements.parameters[name] in letters(given[RUNS[m[1]] + 1]),
                )
    # The others stand in tables, or are given to a function.
    for path, text in texts.items():
        for m in re.finditer(r"\bSQL_([A-Z]\w*)", text):
            if m[1] in seen or m[1] not in statements.parameters:
                continue
            before = text[: m.start()]
            callee = re.search(r"\b(\w+)\s*\((?:[^();]*,)?\s*$", before)
            f = by_name.get(callee[1]) if callee else None
            fits = variable_letters(f) if f else set()
            seen.add(m[1])
            if path in BINDS:
                continue
            suite.check(
                f"ext/{path}:{before.count(chr(10)) + 1}: {m[1].lower()} comes to a call with as many letters",
                statements.parameters[m[1]] in (fits or of_file[path]),
            )
    at = {name for name in statements.parameters if name.endswith("_AT") and name[:-3] in seen}
    suite.check("every statement is run", sorted(set(statements.parameters) - seen - at), [])


def reads(function):
    """(place, variable, column) of each column that is read of a query."""
    for m in READ.finditer(function.body):
        try:
            given = arguments(function.body, m.end() - 1)
        except ValueError:
            continue
        if len(given) < 2 or given[-2] in BY_HAND:
            continue
        variable = re.sub(r"(->|\.)stmt$", "", given[-2].lstrip("&").strip())
        for column in re.findall(r"\bCOL_\w+|(?<!\[)\b\d+\b", given[-1]):
            yield m.start(), variable, column


def check_columns(suite, statements, all_functions):
    of_caller = {}  # (file, function) → {place of a parameter: columns}
    at_home = {(f.path, f.name) for f in all_functions}
    path_of = {f.name: f.path for f in all_functions}  # of what is not static
    for f in all_functions:
        for at, variable, column in reads(f):
            if not column.startswith("COL_"):
                suite.check(f"{f.where(at)}: a column is read by its name, not as number {column}", False)
                continue
            ran = f.statements(variable, at)
            if ran:
                suite.check(f"{f.where(at)}: {column} is a column of {ran}", statements.fits(ran, column))
            if variable in f.queries and not f.statements(variable, at):
                of_caller.setdefault((f.path, f.name), {}).setdefault(f.queries[variable], set()).add(column)
    for f in all_functions:
        for m in re.finditer(r"\b(\w+)\s*\(", f.body):
            path = f.path if (f.path, m[1]) in at_home else path_of.get(m[1])
            if (path, m[1]) not in of_caller or m.start() < f.body.index("{"):
                continue
            given = arguments(f.body, m.end() - 1)
            for place, columns in of_caller[path, m[1]].items():
                for statement in f.statements(given[place].lstrip("&"), m.start()):
                    wrong = {c for c in columns if not statements.has(statement, c)}
                    suite.check(f"{f.where(m.start())}: {m[1]} reads {statement.lower()}", wrong, set())


def check_numbers(suite):
    header = read(ROOT, "include", "turnstile.h")
    depth, sequence = (
        int(re.search(rf"^#define TURNSTILE_{what}_BITS (\d+)$", header, re.M)[1]) for what in ("DEPTH", "SEQUENCE")
    )
    right = {"<<": {depth, sequence}, ">>": {depth, sequence}, "&": {2**depth - 1, 2**sequence - 1}, "|": {2**sequence - 1}}
    for path in glob.glob(f"{ROOT}/sql/s*/**/*.sql", recursive=True):
        name = os.path.relpath(path, ROOT)
        text = re.sub(r"--[^\n]*|'(?:[^']|'')*'", "", read(path))
        for operator, number in re.findall(r"(<<|>>|&|\|(?!\|)) ?~?(\d{2,})\b", text):
            if name.startswith("sql/scripts/"):
                suite.check(f"{name}: {operator} {number} is as in turnstile.h", int(number) in right[operator])
            else:
                suite.check(f"{name}: {operator} {number} is a name of turnstile.h's", False)


def main():
    suite = Suite("statements")
    statements = Statements(*(read(sys.argv[1], "gen", name) for name in ("statement_texts.h", "statements.h")))
    paths = sorted(glob.glob(f"{EXT}/*/*.c"))
    texts = {os.path.relpath(path, EXT): uncommented(read(path)) for path in paths}
    all_functions = [f for path, text in texts.items() for f in functions(path, text)]
    check_letters(suite, statements, all_functions, texts)
    check_columns(suite, statements, all_functions)
    check_numbers(suite)
    return suite.done()


if __name__ == "__main__":
    sys.exit(main())
