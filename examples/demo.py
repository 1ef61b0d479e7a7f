#!/usr/bin/python3
"""demo.py BUILDDIR - a recorded conversation, run through a database message by message.

examples/transcript.jsonl is a session of a coding agent, one JSON entry a line: user messages, the
agent's replies, its tool calls and their results. Whatever the user said goes to session_deliver,
and the decision that comes back is printed: what the message was taken for, what the host is to do,
and where the task stood before and after. The agent's side of the recording moves the task the way
a host would: tool results are observations, a reply that asks makes the task wait for the user, a
reply that reports makes it wait for approval. `now` is always the entry's own time, so the day and
the nine days that pass in the recording pass here too.

Then the same file is imported as turns (sql/scripts/import_transcript.sql) into a session beside it, and
forked in the middle.

The database stays in BUILDDIR/demo.db.
"""
import json
import os
import re
import sqlite3
import sys
from datetime import datetime, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
TRANSCRIPT = os.path.join(HERE, "transcript.jsonl")
IMPORTER = os.path.join(HERE, "..", "sql", "scripts", "import_transcript.sql")
SESSION = "uploader"
RECORDING = "uploader/recording"  # the session that the turns are imported into
FORK = "uploader/shell-loop"
FORKED_AT = 10  # the depth of the turn that asks: a shell loop, or a C program?

# ---- The database -------------------------------------------------------------------------------


def library(build):
    """The extension in a build directory, without the suffix: SQLite adds the platform's own."""
    path = os.path.join(build, "turnstile")
    if not any(os.path.exists(path + suffix) for suffix in (".so", ".dylib", ".dll")):
        sys.exit(f"demo: there is no turnstile library in '{build}'; run make first")
    return path


def connect(build, path):
    db = sqlite3.connect(path, isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(library(build))
    db.enable_load_extension(False)
    db.execute("SELECT turnstile_install()")
    return db


def call(db, command, *args, **options):
    """One command through the door. Arguments and options travel as one JSON array."""
    cursor = db.execute(
        "INSERT INTO turnstile(command, args) VALUES (?, ?) RETURNING turnstile_result()",
        (command, json.dumps([*args, options])),
    )
    return cursor.fetchall()[0][0]  # to the end: only then is the command durable


# ---- The recording ------------------------------------------------------------------------------


def entries(path):
    """(who, time in ms, content, stop reason) of every entry."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            at = datetime.fromisoformat(entry["timestamp"].replace("Z", "+00:00"))
            message = entry["message"]
            content = message["content"]
            if isinstance(content, str):
                content = [{"type": "text", "text": content}]
            yield entry["type"], round(at.timestamp() * 1000), content, message.get("stop_reason")


def clock(ms):
    return datetime.fromtimestamp(ms / 1000, timezone.utc).strftime("%m-%d %H:%M:%S")


# ---- What the agent's own turns mean ------------------------------------------------------------

TOOLS = {
    "Read": "FileRead",
    "Edit": "FileWrite",
    "Write": "FileWrite",
    "Bash": "CommandRun",
    "Grep": "CommandRun",
}
INTERRUPTED = "[Request interrupted by user]"
OPTION = re.compile(r"\n[A-Z0-9][.)] .*$")
PLEASANTRY = re.compile(r"\b(anything else|does (this|that|it) look)\b[^.?!]*\?$", re.I)
OFFER = re.compile(r"\b(shall i|should i|want me to|unless you want)\b[^.?!]*[.?]$", re.I)
PLAN = re.compile(r"\b(i will|i'll|let me|i am going to)\b[^.?!]*\.$", re.I)


def meaning(reply):
    """'ask', 'report' or 'plan': what a reply that ends the agent's turn means for the task."""
    end = reply.rstrip()
    while OPTION.search(end):  # a list of options belongs to the question above it
        end = OPTION.sub("", end).rstrip()
    if PLEASANTRY.search(end):
        return "report"
    if end.endswith("?") or OFFER.search(end):
        return "ask"
    return "plan" if PLAN.search(end) else "report"


def observe(db, tool, result, now):
    """A tool call with its result, as an observation of the open task."""
    data = dict(tool["input"])
    if tool["name"] == "Grep":
        data = {"command": f"grep {data['pattern']} {data['path']}"}
    if result.get("is_error"):
        data["error"] = True
    kind = TOOLS[tool["name"]]
    call(db, "session_observe", SESSION, kind, data, result["content"], now=now)


def agent_replied(db, text, last_action, now):
    state = json.loads(call(db, "session_state", SESSION, now=now))["task_state"]
    if state == "None" or last_action == "answer":
        return  # nothing is open, or the reply only answered a question of the user's
    means = meaning(text)
    if means == "ask":
        call(db, "session_transition", SESSION, "AwaitingUser", {"question": text}, now=now)
    elif means == "report":
        call(db, "session_transition", SESSION, "PendingComplete", {"summary": text}, now=now)


# ---- The run ------------------------------------------------------------------------------------


def run(db, path):
    """Runs the recording. Yields a row for everything the user said or chose."""
    tools, number, action = {}, 0, None
    for who, now, content, stop in entries(path):
        texts = [part["text"] for part in content if part["type"] == "text"]
        text = "\n\n".join(texts)
        for part in content:
            if part["type"] == "tool_use":
                tools[part["id"]] = part
            elif part["type"] == "tool_result":
                observe(db, tools.pop(part["tool_use_id"]), part, now)
        if who == "assistant":
            if stop == "end_turn":
                agent_replied(db, text, action, now)
        elif text == INTERRUPTED:
            data = {"user_message": text}
            call(db, "session_transition", SESSION, "Interrupted", data, now=now)
        elif text:
            number += 1
            decision = json.loads(call(db, "session_deliver", SESSION, text, now=now))
            yield row(db, number, now, text, decision)
            if decision["action"] == "prompt":  # the person in this demo always goes on
                decision = json.loads(call(db, "session_choose", SESSION, "continue", now=now))
                yield row(db, None, now, "(chosen: continue)", decision)
            action = decision["action"]


def row(db, number, now, text, decision):
    commit = db.execute(
        "SELECT commit_type, message FROM commits WHERE id = ?", (decision.get("commit_id"),)
    ).fetchone()
    choice = json.loads(call(db, "session_state", SESSION, now=now))["pending_choice"]
    return {
        "number": number,
        "at": now,
        "message": text,
        "class": decision["class"],
        "action": decision["action"],
        "before": decision["previous_state"],
        "after": decision["state"],
        "commit": commit,
        "choice": choice["kind"] if choice else None,
        "shown": decision.get("message") if decision["action"] == "prompt" else None,
    }


# ---- The same recording as turns ----------------------------------------------------------------


def import_turns(db, path):
    """Imports the transcript. Returns the report of the import."""
    db.execute("CREATE TEMP TABLE IF NOT EXISTS import_source(label TEXT, transcript TEXT)")
    db.execute("DELETE FROM import_source")
    with open(path, encoding="utf-8") as file:
        db.execute("INSERT INTO import_source VALUES (?, ?)", (RECORDING, file.read()))
    with open(IMPORTER, encoding="utf-8") as file:
        db.executescript(file.read())
    columns = ("entries", "turns_made", "turns_there", "tool_calls")
    values = db.execute(f"SELECT {', '.join(columns)} FROM import_report").fetchone()
    return dict(zip(columns, values))


def turns(db, label):
    """The path to a session's head: (depth, when, prompt, tool calls, tokens in, out, thread)."""
    return db.execute(
        "SELECT p.depth, p.started_at, m.content,"
        " (SELECT count(*) FROM tool_calls AS c"
        "  WHERE c.place BETWEEN p.turn_id << 12 AND p.turn_id << 12 | 4095),"
        " p.input_tokens, p.output_tokens, p.thread_tokens "
        "FROM turn_path(?) AS p JOIN messages AS m ON m.place = p.turn_id << 12 ORDER BY p.depth",
        (label,),
    ).fetchall()


def fork(db):
    """Forks where the agent asked, and answers differently."""
    turn = db.execute(
        "SELECT turn_id FROM turn_path(?) WHERE depth = ?", (RECORDING, FORKED_AT)
    ).fetchone()[0]
    now = db.execute("SELECT completed_at FROM turns WHERE id = ?", (turn,)).fetchone()[0]
    call(db, "session_fork", turn, FORK, now=now)
    messages = [
        {"role": "user", "content": "the shell loop"},
        {"role": "assistant", "content": "tools/load.sh starts 200 curls and waits for them."},
    ]
    call(db, "turn_append", FORK, messages, now=now + 60000)


def context(db, label):
    """What the model is shown: (turns, messages, tool calls, tokens)."""
    return db.execute(
        "SELECT count(DISTINCT turn_id), sum(kind = 'message'), sum(kind = 'tool_call'),"
        " sum(tokens) FROM session_context(?)",
        (label,),
    ).fetchone()


# ---- The table ----------------------------------------------------------------------------------


def short(text, width):
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def print_row(r):
    number = r["number"] or ""  # what was chosen belongs to the message above it
    states = r["after"] if r["before"] == r["after"] else f"{r['before']} → {r['after']}"
    if r["commit"] and r["action"] == "start":
        states = f"{r['before']} → {r['after']}, of a new task"
    print(
        f"{number:>3}  {clock(r['at'])}  {short(r['message'], 44):<44}  "
        f"{r['class']:<13}  {r['action']:<9}  {states}"
    )
    if r["shown"]:
        print(f"         {r['choice']}:")
        for line in r["shown"].splitlines():
            print(f"         │ {line}".rstrip())
    if r["commit"]:
        print(f"         saved as {r['commit'][0]}: {short(r['commit'][1], 84)}")


def print_commits(db):
    print("\nCommits")
    for at, kind, message in db.execute(
        "SELECT created_at, commit_type, message FROM commits ORDER BY seq"
    ):
        print(f"  {clock(at)}  {kind:<17} {short(message, 84)}")


def print_turns(db, report):
    print(
        f"\nTurns: {report['entries']} entries became {report['turns_made']} turns"
        f" with {report['tool_calls']} tool calls"
    )
    for depth, at, prompt, tools, given, made, thread in turns(db, RECORDING):
        calls = f"{tools} call{' ' if tools == 1 else 's'}" if tools else ""
        used = f"{given:>5} in {made:>4} out" if given else ""
        mark = f"  ← {FORK} begins here" if depth == FORKED_AT else ""
        print(
            f"{depth + 1:>3}  {clock(at)}  {short(prompt, 44):<44}  {calls:<7}  {used:<17}", end=""
        )
        print(f"  {thread:>4} so far{mark}")
    for label in (RECORDING, FORK):
        n, messages, tools, tokens = context(db, label)
        print(f"     the context of {label}: {n} turns, {messages} messages,", end="")
        print(f" {tools} tool calls, {tokens} tokens")


def print_timeline(db):
    print("\nTimeline")
    for at, task, axis, old, new, trigger in db.execute(
        'SELECT at, task_id, axis, from_state, to_state, "trigger" FROM session_events '
        "WHERE session_label = ? ORDER BY id",
        (SESSION,),
    ):
        move = f"{old or '·'} → {new or '·'}"
        print(f"  {clock(at)}  {axis:<6}  {move:<34}  {trigger:<12}", end="")
        print(f"  task {task}" if task else "")


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "build")
    path = os.path.join(build, "demo.db")
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    db = connect(build, path)
    print(f"{'#':>3}  {'time (UTC)':<14}  {'the user says':<44}  ", end="")
    print(f"{'taken for':<13}  {'the host':<9}  task state")
    print("─" * 132)
    for r in run(db, TRANSCRIPT):
        print_row(r)
    print_commits(db)
    report = import_turns(db, TRANSCRIPT)
    fork(db)
    print_turns(db, report)
    print_timeline(db)
    db.close()
    print(f"\nThe database is {path}. To look around: sqlite3 {path}")


if __name__ == "__main__":
    main()
