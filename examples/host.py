#!/usr/bin/python3
"""host.py DATABASE [LIBRARY] - the loop of a chat host: one line in, one reply out.

Everything about the conversation is in the database, so this program can be stopped and started
between any two lines, and so can any number of others like it. Put your agent where `agent` is.
"""
import json
import sqlite3
import sys


def agent(db, session, action, inputs):
    """Stands for a model and its tools. Returns the reply, and what it means for the task."""
    if action == "answer":
        return "(an answer to: " + inputs[-1] + ")", None
    if action == "start":
        return "Should that go into the settings page?", "AwaitingUser"
    command(db, "session_observe", session, "FileWrite", {"path": "settings.html"})
    return "Done: " + "; ".join(inputs), "PendingComplete"


def connect(path, library="turnstile"):
    db = sqlite3.connect(path, timeout=10, isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(library)
    db.execute("SELECT turnstile_install()")
    # This host keeps no turns: what it is handed, it works on at once.
    db.execute("INSERT INTO turnstile VALUES ('turnstile_config', '[\"keeps_turns\",0]')")
    return db


def command(db, name, *args):
    """One command, through the door: an INSERT, which every driver and pool takes for a write."""
    sql = "INSERT INTO turnstile(command, args) VALUES (?, ?) RETURNING turnstile_result()"
    return db.execute(sql, (name, json.dumps(args))).fetchall()[0][0]


def handle(db, session, message):
    """One message: what to do about it is what the decision's action says."""
    decision = json.loads(command(db, "session_deliver", session, message))
    action = decision["action"]
    if action == "compact":  # the user wrote /compact: shorten the model's context here
        return "(context shortened)"
    if action in ("queue", "blocked") or "queue_id" not in decision:
        return decision.get("message", "(kept for later)")  # there is nothing to work on now
    # A "/compact" that waited is among them; it is done with here, and no words for the model.
    inputs = [i["message"] for i in decision.get("inputs", [{"message": message}]) if i.get("action") != "compact"]
    reply, state = agent(db, session, action, inputs)  # start, continue or answer
    if state:
        data = {"question" if state == "AwaitingUser" else "summary": reply}
        command(db, "session_transition", session, state, data)
    return reply


def main():
    db = connect(*sys.argv[1:3])
    for line in filter(str.strip, sys.stdin):
        print("> " + line.strip(), handle(db, "main", line.strip()), "", sep="\n", flush=True)
    db.close()


if __name__ == "__main__":
    main()
