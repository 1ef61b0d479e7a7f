"""answer_eval.py - how well are answers to a choice understood?

    /usr/bin/python3 tests/deliver/answer_eval.py BUILD FILE.jsonl … [--wrong] [--least 0.95]

Each line of a file: {"lang", "task", "held", "answer", "expected", "words_beside"}. A session with the task
is left for 30 hours, the held message opens the stale choice, and the answer comes. What then is so decides:

    continue          the task goes on                  start_fresh  it is saved, what was held starts
    unclear           the choice is shown again         question     answered, and the choice is open
    abandon           the task is abandoned             new_instruction  it is saved, the answer starts

With words_beside it is right only when the answer itself is handed over, too; after "start fresh" either may
be the task that starts. Prints the share that is right, over all, for what is expected, and per language;
--wrong lists the others. With --least it fails below that share.
"""

import collections
import json
import sqlite3
import sys

HOUR = 3600000
START = 1767225600000


def one(db, sql, *args):
    return db.execute(sql, args).fetchone()[0]


def outcome(db, label, item):
    """What the answer led to, and what was handed over."""
    now = START
    one(db, "SELECT session_start(?, ?, ?)", label, item["task"], json.dumps({"now": now}))
    one(db, "SELECT session_note(?, 'begun', ?)", label, json.dumps({"now": now + 1000}))
    now += 30 * HOUR
    first = json.loads(one(db, "SELECT session_deliver(?, ?, ?)", label, item["held"], json.dumps({"now": now})))
    if first.get("kind") != "StaleSessionChoice":
        sys.exit(f"choices_eval.py: {label}: no choice was opened: {first}")
    now += 60000
    decision = json.loads(one(db, "SELECT session_deliver(?, ?, ?)", label, item["answer"], json.dumps({"now": now})))
    is_open = one(db, "SELECT pending_choice IS NOT NULL FROM sessions WHERE label = ?", label)
    commits = [c for (c,) in db.execute("SELECT commit_type FROM commits WHERE session_label = ?", (label,))]
    handed = [m for (m,) in db.execute("SELECT message FROM session_queue WHERE session_label = ? AND status <> 'pending'", (label,))]
    task = one(db, "SELECT session_state(?) ->> '$.task'", label)
    action = decision["action"]
    if action == "prompt":
        return "unclear", handed
    if is_open:
        return "question", handed
    if action == "continue" and not commits:
        return "continue", handed
    if action == "abandon" and commits == ["Abandoned"]:
        return "abandon", handed
    if action == "start" and commits == ["InterruptedByNewTask"]:
        return ("new_instruction" if task[:20] == item["answer"][:20] else "start_fresh"), handed
    return action, handed


def is_right(item, got, handed):
    beside = item.get("words_beside")
    allowed = {item["expected"]}
    if item["expected"] == "start_fresh" and beside:
        allowed.add("new_instruction")
    return got in allowed and (not beside or item["answer"] in handed)


def main(arguments):
    least = float(arguments[arguments.index("--least") + 1]) if "--least" in arguments else 0.0
    build, *files = [a for i, a in enumerate(arguments) if not a.startswith("--") and arguments[i - 1] != "--least"]
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(f"{build}/turnstile")
    one(db, "SELECT turnstile_install()")
    items = [json.loads(line) for name in files for line in open(name, encoding="utf-8") if line.strip()]
    total, right = collections.Counter(), collections.Counter()
    for n, item in enumerate(items):
        got, handed = outcome(db, f"{n}", item)
        fine = is_right(item, got, handed)
        keys = ("all", item["expected"] + (" + words" if item.get("words_beside") else ""), "lang " + item["lang"])
        for key in keys:
            total[key] += 1
            right[key] += fine
        if not fine and "--wrong" in arguments:
            print("wrong:", item["lang"], item["expected"], got, item["answer"], sep="\t")
    for key in sorted(total):
        print(f"{key}\t{right[key]}/{total[key]}")
    share = right["all"] / max(1, total["all"])
    print(f"{share:.3f}")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
