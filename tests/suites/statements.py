#!/usr/bin/env python3
"""statements.py - calls in C fit the statements that they run: statements.py BUILDDIR

The headings of sql/statements say how many parameters a statement has and how its columns are called; sql/embed.awk has
written that into BUILDDIR/gen/statements.h and statement_texts.h, and tests/core/test_statements.c holds it to the SQL. Here ext/ is read:

- a call of ts_query, ts_exec, ts_insert_new or ts_insert_as has one letter for each parameter. Where the statement comes
  in a variable, it is held to the letters of the calls that it can come to;
- columns are read by their names, and not by numbers;
- a name is one of the statement that is read. Where a function reads the rows of its caller, it is held to what the
  caller runs.

The phrases of sql/answers/ are read by BUILDDIR/gen/compile_words, the words of sql/cues/ by sql/cues.awk: what can't be
meant so ends the build, with the file and the line.

Where turns and messages lie is said in include/turnstile.h alone: SQL that is embedded has the numbers from there, and
scripts, which are run without the library, have the same ones.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

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
            if f.path in ("core/statement.c", "core/ids.c") and f.name in RUNS:
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


# ---- Phrases -----------------------------------------------------------------------------------------------------------

# A file of phrases below the headings "places" and "doubt", and what the build says to it: the line, and how it goes on.
REFUSED = [
    ("one that is there", "[doubt]\nmaybe a|b c\n\nmaybe  a|b\n  c\n", "4: this phrase stands in two.txt:2 already"),
    ("one of another file", "[doubt]\nmaybe hm|er\n", "2: this phrase stands in one.txt:2 already"),
    ("one that is there when its name is written out", "x = hm\n[doubt]\nmaybe {x}|er\n", "3: this phrase stands in one.txt:2 already"),
    ("an unknown meaning", "[doubt]\nmaybe a\nperhaps b\n", '3: "perhaps" is no meaning: ext/classify/answer_words.h has them'),
    ("a meaning in capitals", "[doubt]\nMAYBE b\n", '2: "MAYBE" is no meaning'),
    ("an empty phrase", "[doubt]\nmaybe\n", '2: "maybe" has no words behind it'),
    ("one of blanks", "[doubt]\nmaybe \t \n", '2: "maybe" has no words behind it'),
    ("an empty alternative", "[doubt]\nmaybe a||b\n", '2: an alternative has no words: "a||b"'),
    ("one at the end", "[doubt]\nmaybe a|\n  b|\n# c\n", '2: an alternative has no words: "a|b|"'),
    ("one at the beginning", "[doubt]\nmaybe a |b\n", '2: an alternative has no words: "|b"'),
    ("one that may be missing", "[doubt]\nmaybe a ?\n", '2: an alternative has no words: "?"'),
    ("nothing without typos", "[doubt]\nmaybe a|=\n", '2: an alternative has no words: "a|="'),
    ("an alternative of signs", "[doubt]\nmaybe a|--\n", '2: an alternative has no words: "a|--"'),
    ("a long word", f"[doubt]\nmaybe a|{25 * 'b'}\n", "2: a word is too long"),
    ("a ? within a step", "[doubt]\nmaybe a?|b\n", "2: a ? stands behind the last alternative of a step"),
    ("a = within a word", "[doubt]\nmaybe a=b\n", "2: a = stands before a word"),
    ("@task with others", "[doubt]\nmaybe a|@task\n", "2: only a step of its own can be @task"),
    ("another @", "[doubt]\nmaybe @work\n", "2: only a step of its own can be @task"),
    ("a string of C", '[doubt]\nmaybe "a|b"\n', "2: there is a sign that means nothing in a pattern"),
    ("a comment behind a phrase", "[doubt]\nmaybe a # b\n", "2: there is a sign that means nothing in a pattern"),
    ("no heading", "maybe a\n", "1: a phrase stands below a heading: headings.txt has them"),
    ("an unknown heading", "[doubt]\nmaybe a\n\n[doubts]\nmaybe b\n", "4: headings.txt has no heading [doubts]"),
    ("a heading twice", "[doubt]\nmaybe a\n[places]\nfirst a\n[doubt]\n", "5: [doubt] stands twice in this file"),
    ("half a heading", "[doubt\nmaybe a\n", "1: a heading is [some words]"),
    ("a heading of nothing", "# a\n[doubt]\n\n[places]\nfirst a\n", "2: no phrase stands below [doubt]"),
    ("the last heading of nothing", "[doubt]\nmaybe a\n[places]\n", "3: no phrase stands below [places]"),
    ("a line that goes on with an empty one", "[doubt]\nmaybe a|\n\n  b\n", '2: an alternative has no words: "a|"'),
    ("one that goes on with a comment", "[doubt]\nmaybe a\n# b\n  c\n", "4: a line that begins with a blank goes on with a phrase"),
    ("an unknown name", "[doubt]\nmaybe a {x}\n", "2: no {x} is above it in this file"),
    ("a name of another file", "[doubt]\nmaybe a {work}\n", "2: no {work} is above it in this file"),
    ("a name above its text", "[doubt]\nmaybe a {x}\nx = b\n", "2: no {x} is above it in this file"),
    ("a name that does not end", "x = b\n[doubt]\nmaybe a {x\n\nmaybe c\n", "3: a { without a }"),
    ("a name twice", "x = a\ny = b\nx = c\n", "3: {x} stands in line 1 already"),
    ("a name of nothing", "x =\n[doubt]\nmaybe {x}\n", '1: "x =" has no words behind it'),
    ("a name that nothing uses", "[doubt]\nx = a\nmaybe a\n", "2: nothing in this file uses {x}"),
    ("a mistake in a name's text", "x = a|\n[doubt]\nmaybe {x}\n", '3: an alternative has no words: "a|"'),
    ("what is not UTF-8", "[doubt]\nmaybe a\udce9\n", "2: this is not UTF-8"),
    ("a zero", "[doubt]\nmaybe a\0b\n", "2: a line is too long, or has a zero in it"),
    ("a long phrase", "[doubt]\nmaybe a" + 20 * ("\n  " + 1000 * "|b") + "\n", "2: a phrase is too long"),
    ("a long line", f"[doubt]\nmaybe {'a|' * 3000}b\n", "2: a line is too long, or has a zero in it"),
]


def compiled(folder, mode, *files):
    """(status, output, errors) of the program that reads the phrases."""
    program = os.path.abspath(os.path.join(sys.argv[1], "gen", "compile_words"))
    ran = subprocess.run([program, mode, *files], cwd=folder, capture_output=True, text=True, timeout=60)
    return ran.returncode, ran.stdout, ran.stderr


def check_phrases(suite):
    enum = re.search(r"typedef enum WordsMeaning \{(.*?)\}", read(EXT, "classify", "answer_words.h"), re.S)[1]
    meanings = re.findall(r"\bWORDS_(\w+)\b", enum)[:-1]  # behind the last one their number
    with tempfile.TemporaryDirectory() as folder:

        def write(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(text)

        write("headings.txt", "# all\n[places]\n[doubt]\n")
        write("one.txt", "[doubt]\nmaybe hm|er\n\n[places]\nwork = work|job?\nfirst the  first\t{work}")
        for what, text, message in REFUSED:
            write("two.txt", text)
            status, printed, said = compiled(folder, "tables", "headings.txt", "one.txt", "two.txt")
            suite.check(f"phrases: {what} is refused", (status, printed, said.count("\n")), (1, "", 1))
            suite.check(f"phrases: {what}, and where", said[: len("two.txt:" + message)], "two.txt:" + message)
        write("two.txt", "# by heading\r\n[doubt]\r\n\r\nx = y|\r\n   z\r\nmaybe {x}|a\r\n  b? @task\r\n[places]\r\nlast {x}\r\n")
        status, printed, said = compiled(folder, "rows", "headings.txt", "one.txt", "two.txt")
        patterns = re.findall(r'"(.*)"', printed)
        suite.check("phrases: heading by heading", patterns, ["the first work|job?", "y|z", "hm|er", "y|z|a b? @task"])
        suite.check("phrases: nothing is said", (status, said), (0, ""))
        write("two.txt", "[doubt]\n" + "".join(f"{meaning.lower()} a\n" for meaning in meanings))
        status, printed, said = compiled(folder, "rows", "headings.txt", "two.txt")
        numbers = [int(n) for n in re.findall(r"^\{\(WordsMeaning\)(\d+)", printed, re.M)]
        suite.check("phrases: every meaning has its name", (numbers, said), (list(range(len(meanings))), ""))
        write("headings.txt", "[doubt]\nmaybe a\n")
        status, _, said = compiled(folder, "tables", "headings.txt", "two.txt")
        suite.check("phrases: headings stand alone", (status, said), (1, "headings.txt:2: the first file has headings only\n"))
        write("headings.txt", "[doubt]\n")
        status, _, said = compiled(folder, "tables", "headings.txt", "gone.txt")
        suite.check("phrases: a file that is not there", (status, said), (1, "gone.txt: the file can't be read\n"))
    written = "".join(read(path) for path in glob.glob(f"{ROOT}/sql/answers/*.txt"))
    written = re.findall(r"^([a-z_]+) +(?!=)\S", re.sub(r"\n[ \t]+(?=\S)", " ", written), re.M)
    rows = re.findall(r"^\{0x\w+, (\d+)\},$", read(sys.argv[1], "gen", "choice_patterns.c"), re.M)
    suite.check("phrases: all files are read", len(rows), len(written))
    suite.check("phrases: each meaning has some", {meanings[int(row)].lower() for row in rows}, set(written))


# What a file of sql/cues/ can't hold, and what is said to it.
REFUSED_CUES = [
    ("one that is there", "[bye]\nso long\nciao | so long\n", '3: "so long" stands in two.txt:2 already'),
    ("one of another file", "[bye]\nhm | good bye\n", '2: "good bye" stands in one.txt:2 already'),
    ("an empty word", "[bye]\na || b\n", "2: a word has no letters"),
    ("one at the end", "[bye]\na |\n", "2: a word has no letters"),
    ("one of a blank", "[bye]\na | _\n", "2: a word has no letters"),
    ("a capital", "[bye]\na | Ciao\n", "2: a word with a capital of ASCII is never found: Ciao"),
    ("a string of C", '[bye]\n"a"\n', '2: there is a sign that means nothing here: "a"'),
    ("a _ within a word", "[bye]\nso_long\n", "2: a blank inside of a word is a blank: so_long"),
    ("no heading", "a\n", "1: a word stands below a heading: headings.txt has them"),
    ("an unknown heading", "[bye]\na\n\n[byes]\nb\n", "4: headings.txt has no heading [byes]"),
    ("a heading twice", "[bye]\na\n[bye]\nb\n", "3: [bye] stands twice in this file"),
    ("half a heading", "[bye\na\n", "1: a heading is [some words]"),
    ("a heading of nothing", "[bye]\n# a\n[hello]\nb\n", "1: no word stands below [bye]"),
    ("the last heading of nothing", "[bye]\na\n[hello]\n", "3: no word stands below [hello]"),
]


def check_cues(suite):
    script = os.path.join(ROOT, "sql", "cues.awk")
    with tempfile.TemporaryDirectory() as folder:

        def write(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                file.write(text)

        def made(mode, *files):
            ran = subprocess.run(["awk", "-v", f"mode={mode}", "-f", script, *files], cwd=folder, capture_output=True, text=True, timeout=60)
            return ran.returncode, ran.stdout, ran.stderr

        write("headings.txt", "# all\n[hello]\n# said first\n[bye]\n")
        write("one.txt", "[bye]\ngood bye | ciao_\n[hello]\n_hi\n")
        for what, text, message in REFUSED_CUES:
            write("two.txt", text)
            status, _, said = made("lists", "headings.txt", "one.txt", "two.txt")
            suite.check(f"cues: {what} is refused", (status, said), (1, f"two.txt:{message}\n"))
        write("two.txt", "# a comment\r\n[bye]\r\n\r\nso long|до встречи\r\nby\r\n")
        status, printed, said = made("lists", "headings.txt", "one.txt", "two.txt")
        lists = [re.findall(r'"(.*)",', part) for part in re.findall(r"\[\] = \{\n(.*?)\};", printed, re.S)]
        suite.check("cues: heading by heading", lists, [[" hi"], ["good bye", "ciao ", "so long", "до встречи", "by"]])
        suite.check("cues: nothing is said", (status, said), (0, ""))
        names = re.findall(r"\b(CUE\w+)", made("names", "headings.txt")[1])
        suite.check("cues: their names", names, ["CUE_HELLO", "CUE_BYE", "CUES"])
        for text, message in (("[bye]\nby\n", "2: the first file has headings only"), ("[bye]\n[bye]\n", "2: [bye] stands twice in this file")):
            write("headings.txt", text)
            suite.check(f"cues: {message}", made("names", "headings.txt")[::2], (1, f"headings.txt:{message}\n"))
        write("headings.txt", "[bye]\n[hello]\n[thanks]\n")
        suite.check("cues: a list without words", made("lists", "headings.txt", "one.txt")[2], "one.txt:4: no file has a word below [thanks]\n")
    written = [read(path) for path in glob.glob(f"{ROOT}/sql/cues/*.txt")]
    lines = [line for text in written for line in text.split("\n") if line and line[0] not in "[#"]
    made_of = read(sys.argv[1], "gen", "cue_lists.c")
    suite.check("cues: all files are read", len(re.findall(r'^    ".*",$', made_of, re.M)), sum(line.count("|") + 1 for line in lines))
    used = " ".join(read(path) for path in glob.glob(f"{EXT}/classify/*.c"))
    headings = re.findall(r"^\[(.*)\]$", read(ROOT, "sql", "cues", "headings.txt"), re.M)
    unused = [h for h in headings if not re.search(rf"\bCUE_{h.upper().replace(' ', '_')}\b", used)]
    suite.check("cues: each list is used", unused, [])


def main():
    suite = Suite("statements")
    statements = Statements(*(read(sys.argv[1], "gen", name) for name in ("statement_texts.h", "statements.h")))
    paths = sorted(glob.glob(f"{EXT}/*/*.c"))
    texts = {os.path.relpath(path, EXT): uncommented(read(path)) for path in paths}
    all_functions = [f for path, text in texts.items() for f in functions(path, text)]
    check_letters(suite, statements, all_functions, texts)
    check_columns(suite, statements, all_functions)
    check_numbers(suite)
    check_phrases(suite)
    check_cues(suite)
    return suite.done()


if __name__ == "__main__":
    sys.exit(main())
