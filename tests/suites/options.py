"""options.py - every command, and every option that the reference names, is tried by the suites that try every command.

    tests/suites/options.py [BUILDDIR]

ext/commands.c lists the commands: each stands in all of places(). docs/reference.md has a table of options for each command:
each option stands in a call of tests/suites/matrix.py and in a case of tests/suites/faults/cases.c, and
tests/suites/replay.py asks documented() which its log has to hold, taken without an error.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# No commands of the door: statements of their own, which matrix.py and replay.py do not play.
STATEMENTS = ("turnstile_install", "turnstile_renew", "policy_replay")


def read(*path):
    with open(os.path.join(HERE, "..", "..", *path), encoding="utf-8") as file:
        return file.read()


def commands():
    return re.findall(r"&ts_(\w+),", read("ext", "commands.c"))


def documented():
    """The options of each command, as the reference lists them."""
    entries = re.split(r"\n### ", read("docs", "reference.md"))[1:]
    options = {}
    for entry in entries:
        name, inside = entry.split("\n", 1)[0].strip(), False
        for line in entry.split("\n"):
            if line.startswith("| option |"):
                inside = True
            elif inside and not line.startswith("|"):
                inside = False
            elif inside and not line.startswith("| ---"):
                options.setdefault(name, []).extend(re.findall(r"`([a-z_]+)`", line.split("|")[1]))
    return options


def in_matrix():
    import matrix

    tried = {}
    for command in matrix.COMMANDS:
        tried.setdefault(command.name, set()).update(command.options)
    return tried


def in_cases():
    """The rows of cases.c: {name, setup, command, arguments, hours, flags}."""
    source = read("tests", "suites", "faults", "cases.c")
    source = source.replace(" DELIVER,", ' "session_deliver",').replace("\nDELIVER,", '\n"session_deliver",')
    tried = {}
    for row in re.split(r"\n    \{", source)[1:]:
        command = re.search(r'"([a-z]+_[a-z_]+)",\s*("\[.*?|ANSWERED.*?),\s*-?\d+,\s*[A-Z_0-9| ]+\}', row, re.S)
        if command:
            tried.setdefault(command[1], set()).update(re.findall(r'\\"([a-z_]+)\\"\s*:', re.sub(r'"\s*"', "", command[2])))
        # Whole statements, also those that a macro of the file makes.
        row = re.sub(r'"\s*"', "", row.replace("IMPORT(", "session_import("))
        for name, said in re.findall(r"\b(turnstile_install|turnstile_renew|policy_replay|session_import)\((.*?)\)", row, re.S):
            tried.setdefault(name, set()).update(re.findall(r'[\'"]([a-z_]+)\\*[\'"]\s*[:,]', said))
    return tried


def places():
    """Where every command is listed: the place, what it lists, and what to write there."""
    import replay

    exported = re.findall(r"^(?:same .* \")?(\w+) -1 direct$", read("tests", "suites", "exports.sh"), re.M)
    door = read("tests", "suites", "fuzz", "fuzz_door.c").split("commands[] = {")[1].split("}")[0]
    return (
        ("tests/suites/exports.sh", exported, "the line '{} -1 direct'"),
        ("tests/suites/matrix.py", in_matrix(), "a Command in COMMANDS"),
        ("tests/suites/replay.py", replay.PLACES, "its arguments in PLACES, and a call in EVERYTHING"),
        ("tests/suites/faults/cases.c", in_cases(), "a row"),
        ("tests/suites/fuzz/fuzz_door.c", re.findall(r'"(\w+)"', door), "its name in commands[]"),
    )


def main():
    passed, missing = 0, [] if commands() else ["  ext/commands.c lists no command in a way that is read here"]
    for place, listed, entry in places():
        for command in commands():
            if command in listed:
                passed += 1
            else:
                missing.append(f"  {place} has no {command}; it needs {entry.format(command)}")
    for place, tried, left_out in (("tests/suites/matrix.py", in_matrix(), STATEMENTS), ("tests/suites/faults/cases.c", in_cases(), ())):
        for command, options in sorted(documented().items()):
            wanted = [] if command in left_out else options
            lacks = [option for option in wanted if option not in tried.get(command, ())]
            passed += len(wanted) - len(lacks)
            missing += [f"  {place} has no {command} with the option {option}" for option in lacks]
    print("\n".join(missing + [f"options: {passed} passed, {len(missing)} failed"]))
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
