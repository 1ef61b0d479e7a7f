"""claims.py - what the pages promise, and which test holds it.

A sentence of README.md or docs/*.md that says never, always, only or nothing promises something. Each of them
stands in tests/suites/claims.txt with the case that would fail if it were false:

    # docs/door.md
    A command uses no other clock and nothing random.
        replay.py

The sentence is in one line, as it is read: line breaks are spaces, marks of code and links are off. The lines
below it, indented, name tests: a file of tests/ alone, whose whole purpose it is, or a file and a case, as
`deliver/queue.sql: a run that is over`. A case is a text that stands in the file: in SQL what a SELECT 'case' begins with,
or, for names that come about while the file runs, a part that is put to them (name || ': it waits'). `docs/door.md` alone stands for the
examples of that page, which are run as well. `no claim: …` says why the sentence promises nothing of the library.

tests/suites/docs.py asks problems(): that every sentence is listed, that none is listed which is gone, and that every
test that is named is there. By hand:

    /usr/bin/python3 tests/suites/claims.py           what is wrong, and the lines that are missing
    /usr/bin/python3 tests/suites/claims.py --write   the list made anew: in the order of the pages, missing sentences
                                               with ??? below them, those that are gone left out. A sentence
                                               that has changed little keeps its tests, with ??? before them.
"""

import difflib
import functools
import glob
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIST = os.path.join(ROOT, "tests", "suites", "claims.txt")
WORDS = re.compile(r"\b(never|always|only|nothing)\b", re.IGNORECASE)
OPEN = "???"


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def pages():
    return ["README.md"] + sorted(
        os.path.relpath(path, ROOT) for path in glob.glob(f"{ROOT}/docs/*.md")
    )


# ---- The sentences of a page -----------------------------------------------------------------------


def pieces(text):
    """Paragraphs, items of lists and cells of tables, each in one line."""
    text = re.sub(r"(?ms)^[ >]*```.*?^[ >]*```", "\n\n", text)
    piece = []
    for line in text.splitlines() + [""]:
        stripped = line.strip()
        begins = re.match(r"([-*] |[0-9]+\. |#+ |\|)", stripped)
        if (not stripped or begins) and piece:
            yield " ".join(piece)
            piece = []
        if stripped.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", stripped.strip("|")):
                yield cell.strip()
        elif stripped and not stripped.startswith("#"):
            piece.append(re.sub(r"^([-*]|[0-9]+\.) ", "", stripped))


def plain(text):
    """A piece as it is read."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("`", "").replace("**", "").replace("\\|", "|")
    return re.sub(r"\s+", " ", re.sub(r"(?<!\w)\*([^*]+)\*(?!\w)", r"\1", text)).strip()


def sentences(text):
    for piece in pieces(text):
        for sentence in re.split(r"(?<=[.!?])\)?\s+(?=[A-Z0-9(\"'])", plain(piece)):
            yield sentence.strip()


def claims(page):
    """The sentences that promise something, in order and once each."""
    return list(dict.fromkeys(s for s in sentences(read(page)) if WORDS.search(s)))


# ---- The list --------------------------------------------------------------------------------------


def listed():
    """page → sentence → the lines below it."""
    found, page, sentence = {}, None, None
    for line in read(LIST).splitlines() if os.path.exists(LIST) else []:
        if line.startswith("# "):
            page = line[2:].strip()
            found.setdefault(page, {})
        elif line.startswith("    "):
            found[page][sentence].append(line.strip())
        elif line.strip():
            sentence = line.strip()
            found[page][sentence] = []
    return found


@functools.lru_cache(maxsize=None)
def source(name):
    """What a test file says, with the quotes of SQL and the escapes of others taken off."""
    path = name if name.startswith("docs/") or name == "README.md" else f"tests/{name}"
    if not os.path.isfile(os.path.join(ROOT, path)):
        return None
    return re.sub(r"\s+", " ", read(path).replace("''", "'").replace('\\"', '"'))


def wrong_with(line):
    """What is wrong with a line that names a test; None: nothing."""
    if line.startswith(OPEN):
        return "no test is named"
    if line.startswith("no claim: ") and len(line) > len("no claim: "):
        return None
    name, _, case = line.partition(": ")
    text = source(name)
    if text is None:
        return f"there is no test {name}"
    if name.endswith(".sql") and not case:
        return "a case of the file must be named"
    if name.endswith(".sql"):
        there = f"SELECT '{case}" in text or f"|| '{case}" in text
        return None if there else f"{name} has no case '{case}'"
    return None if case in text else f"{name} does not contain '{case}'"


def problems():
    found, known = [], listed()
    for page in pages():
        said, kept = claims(page), known.pop(page, {})
        for sentence in said:
            if not kept.get(sentence):
                found.append(f"{page}: this promises something (never, always, only, nothing) and has no test in "
                             f"tests/suites/claims.txt; claims.py --write adds it, then name a test: {sentence}")
        for sentence, lines in kept.items():
            if sentence not in said:
                found.append(f"{page}: in tests/suites/claims.txt, and not on the page: {sentence}")
            found += [f"{page}: {w}: {sentence}" for w in map(wrong_with, lines) if w]
    return found + [f"{page}: in tests/suites/claims.txt, and no page" for page in known]


def write():
    known, out = listed(), []
    for page in pages():
        said, kept = claims(page), known.get(page, {})
        if said:
            out.append(f"# {page}\n")
        gone = [sentence for sentence in kept if sentence not in said]
        for sentence in said:
            lines = kept.get(sentence)
            if not lines:
                near = difflib.get_close_matches(sentence, gone, 1, 0.6)
                lines = [f"{OPEN} {line}" for line in kept[near[0]]] if near else [OPEN]
            out += [sentence] + ["    " + line for line in lines] + [""]
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("\n".join(out).rstrip("\n") + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    complaints = problems()
    print("\n".join(complaints + [f"claims: {len(complaints)} to mend"]))
    sys.exit(bool(complaints))
