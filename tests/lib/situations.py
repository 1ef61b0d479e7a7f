"""A file in which something of everything has happened, for the suites that need one."""

import json

from harness import one

START = 1_700_000_000_000
HOUR = 3_600_000


def call(db, command, *args):
    values = [json.dumps(a) if isinstance(a, (dict, list)) else a for a in args]
    return one(db, f"SELECT {command}({', '.join('?' * len(values))})", *values)


def said(text, calls=()):
    return [
        {"role": "user", "content": f"question {text}"},
        {"role": "assistant", "content": f"answer {text}", "tool_calls": list(calls)},
    ]


def build(db):
    """Sessions in every situation. The turns of s are branch 1, those of its fork f branch 2."""

    def at(hours):
        call(db, "turnstile_clock", START + int(hours * HOUR))

    at(0)
    call(db, "turnstile_config", "ask_threshold", "20h")
    call(db, "turnstile_config", "queue_mode", "collect", {"session": "s"})
    call(db, "session_deliver", "s", "write the report", {"class": "NewTask", "message_id": "m1"})
    look = {"id": "k1", "name": "ls", "params": {"a": 1}, "result": "a.c"}
    call(db, "turn_append", "s", said("one", [look, {"id": "k2", "name": "cat"}]))
    answer = [{"role": "tool", "tool_call_id": "k2", "content": "text"}]
    call(db, "turn_append", "s", answer + said("two")[1:])
    call(db, "session_observe", "s", "FileWrite", {"path": "report.md"}, "# Report")
    call(db, "session_flush", "s")
    call(db, "session_note", "s", "half done")
    call(db, "session_note", "s", "nearly done")
    call(db, "session_relate", "s", {"file": "report.md"}, "About", {"task": "1"})
    call(db, "session_compact", "s", "the report is written")
    call(db, "session_start", "s", "mail the report")
    call(db, "session_note", "s", "to whom?")
    call(db, "session_transition", "s", "Aborted", {"reason": "no address"})
    call(db, "session_compact", "s", "given up")
    call(db, "session_start", "s", "translate the report")
    call(db, "session_note", "s", "into which language?")
    call(db, "session_transition", "s", "AwaitingUser", {"question": "Into which language?"})
    at(1)
    call(db, "turn_append", "s", said("three"))
    call(db, "turn_compact", "s", "They talked.", {"keep_turns": 1})
    call(db, "turn_append", "s", said("four"))
    head = {}
    for parent, label in ((1 << 24 | 1, "f"), (1 << 24 | 3, "g")):
        call(db, "session_fork", parent, label)
        head[label] = call(db, "turn_append", label, said(label))
    for before, label in (("f", "h"), ("h", "i"), ("i", "j")):
        call(db, "session_fork", head[before], label)
        call(db, "turn_append", before, said("on"))  # so that the fork begins a branch
        head[label] = call(db, "turn_append", label, said(label))
    # A run at work on an input, one whose turn failed with output, and one that goes on from it.
    call(db, "session_deliver", "live", "count the lines", {"class": "NewTask", "owner": "host"})
    call(db, "session_deliver", "live", "and the words", {"source": "agent", "sender": "w"})
    for label in ("broken", "mended"):
        begun = json.loads(call(db, "session_deliver", label, "go", {"class": "NewTask"}))
        assert begun["action"] == "start", begun
        begun = json.loads(call(db, "turn_begin", label, "host"))
        message = {"role": "assistant", "content": "I look."}
        call(db, "turn_message", begun["turn"], begun["token"], message)
        call(db, "turn_fail", begun["turn"], begun["token"], "a network error")
    call(db, "turn_append", "mended", said("again"))
    # Each state of a task, each kind of session.
    for label in ("pending", "stopped", "aborted"):
        call(db, "session_start", label, f"task of {label}")
        call(db, "session_note", label, "something")
    call(db, "session_transition", "pending", "PendingComplete", {"summary": "done"})
    call(db, "session_transition", "stopped", "Interrupted", {"user_message": "wait"})
    call(db, "session_transition", "stopped", "Interrupted", {"user_message": "no, go"})
    call(db, "session_transition", "aborted", "Aborted", {"reason": "no"})
    call(db, "session_start", "choice", "paint the house")
    call(db, "session_note", "choice", "bought paint")
    call(db, "session_deliver", "choice", "build a shop", {"class": "NewTask"})
    call(db, "session_spawn", "s", "find the callers", {"label": "worker"})
    call(db, "session_start", "away", "nothing")
    call(db, "session_note", "away", "something")
    call(db, "session_archive", "away")
    # Somebody's two sessions become one.
    call(db, "identity_link", "mail", "ann", "rosa")
    call(db, "turn_append", "dm:rosa", said("mail"))
    call(db, "session_deliver", "dm:wa:1", "hello", {"class": "NewTask", "sender": "1"})
    call(db, "identity_link", "wa", "1", "rosa")
    call(db, "session_alias", "report", "s")
    call(db, "session_note", "s", "kept", {"request_id": "r1"})
    call(db, "session_deliver", "s", "ping", {"source": "timer"})
    call(db, "turnstile_clock", None)
