#!/usr/bin/env python3
"""matrix.py - every command in every way of calling it.

    tests/suites/matrix.py BUILDDIR [N [FIRST]]      all, or every Nth command from a first one on (0)

COMMANDS lists the commands with a call each. The plain call, sugar in autocommit, is the measure:
every other way (the door by place and by name, inside a transaction, in a user's trigger, under a
prefix, in an attached file, …) has to return the same and leave the same rows, and every way that
must fail has to leave none. TABLES lists table-valued functions, whose rows have to be the same
wherever they are read.
"""
import functools
import itertools
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import harness  # noqa: E402
from harness import Suite, library, one, through as door  # noqa: E402
from images import Images  # noqa: E402

UUID = "00000000-0000-4000-8000-00000000000a"
NOW = 10_000_000_000
DAY = 86_400_000

suite = Suite("matrix", width=600)
check = suite.check


class Command:
    """A call: positional arguments, options, and what each must be.

    Types: text, json, object (JSON), any (text or a number), int; options also bool, weight,
    duration, id and turn. A capital letter in front means that the argument is required.
    """

    def __init__(self, name, places, args, options=None, types=None, reads=False):
        self.name, self.places, self.args = name, places, args
        self.options, self.types, self.reads = options or {}, types or {}, reads

    def __str__(self):
        args = [text if len(text) < 30 else text[:29] + "…" for text in map(str, self.args)]
        return f"{self.name}({', '.join(args)})"

    def full(self):
        """The arguments with NULLs up to the last place: options can follow."""
        return self.args + [None] * (len(self.places) - len(self.args))

    def names(self):
        return [place.split(":")[0] for place in self.places]


def turn(branch, depth):
    return branch << 24 | depth


# The turns that SETUP makes, and the ids of its inputs: test_setup looks whether they are right.
FIRST, FORKED, BUSY, LATE = turn(1, 0), turn(2, 2), turn(3, 1), turn(4, 1)
STEERED, TRIED, DEAD, WORKED_AT = turn(6, 0), turn(7, 0), turn(8, 0), turn(10, 0)
HANDED, FIRST_IN, SECOND, THIRD, TAKEN, HINT, FAILED, REPORTED = 1, 2, 3, 4, 6, 7, 9, 23
CHILDS = 14  # the task of a worker
DOUBTED = "doubted"  # stands for the delivery that waits for a second opinion: test_setup finds it

ASKED = json.dumps([{"role": "user", "content": "list the files"}])
WORKED = json.dumps(
    [
        {
            "role": "user",
            "content": "list the files",
            "source": "agent",
            "metadata": {"lang": "en"},
        },
        {
            "role": "assistant",
            "content": "I look.",
            "created_at": 5,
            "tool_calls": [
                {"id": "k5", "name": "ls", "params": {"dir": "."}, "result": "a.c"},
                {"id": "k6", "name": "cat", "params": {"path": "a.c"}},
                {"id": "k7", "name": "rm", "error": "no"},
            ],
        },
        {"role": "tool", "tool_call_id": "k6", "content": "int main(void);"},
        {"role": "tool", "tool_call_id": "k2", "content": "late", "is_error": True},
        {"role": "assistant", "content": "There is a.c."},
    ]
)
USAGE = {
    "input_tokens": 100,
    "output_tokens": 20,
    "cached_input_tokens": 50,
    "cache_write_tokens": 10,
    "reasoning_tokens": 5,
}

APPEND = ["label:Text", "messages:Json"]
APPEND_OPTIONS = {
    "source": "text",
    "model": "text",
    "provider": "text",
    "persona": "text",
    "usage": "object",
    "tokens": "int",
    "resume_cursor": "text",
    "started_at": "time",
    "external_id": "id",
    "parent": "turn",
}
BEGIN = ["label:Text", "owner:Text"]
BEGIN_OPTIONS = {
    "messages": "json",
    "lease": "duration",
    "source": "text",
    "model": "text",
    "provider": "text",
    "persona": "text",
    "external_id": "id",
}
LIVE = ["turn:Int", "token:Int"]
COMPACT = ["label:Text", "summary:Text"]
COMPACT_OPTIONS = {
    "keep_turns": "int",
    "keep_tokens": "int",
    "first_kept_turn_id": "int",
    "summarized_through_turn_id": "int",
    "model_limit": "int",
    "started_at": "int",
    "external_id": "id",
    "parent": "turn",
    "trigger": "text",
    "focus": "text",
    "model": "text",
    "provider": "text",
    "usage": "object",
    "duration_ms": "int",
    "metadata": "object",
    "turn": "int",
    "token": "int",
}
PAIR = ["a:Int", "b:Int"]

DELIVER = ["label:Text", "message:Text"]
DELIVER_OPTIONS = {"message_id": "id", "source": "text", "channel": "text", "sender": "id",
                   "mode": "text", "class": "text", "persona": "text", "owner": "text",
                   "opened_at": "time", "asked_at": "time", "keeps_turns": "bool"}
ABORT_OPTIONS = {"keep": "bool", "usage": "object", "requeue": "bool", "resume_cursor": "text"}
FAIL_OPTIONS = {"usage": "object", "retry_after": "duration", "resume_cursor": "text"}
CHOOSE_OPTIONS = {"opened_at": "time", "keeps_turns": "bool"}
OPINION_OPTIONS = {"owner": "text", "keeps_turns": "bool"}
PUSH_OPTIONS = {"message_id": "id", "source": "text", "channel": "text", "sender": "id",
                "mode": "text"}
QUEUE_ID = ["queue_id:Int"]
SPAWN = ["parent:Text", "task:Text"]
SPAWN_OPTIONS = {"turn": "int", "tool_call_id": "text", "persona": "text", "label": "text", "timeout": "duration"}
REPORT = ["worker:Text", "status:Text", "result:Text"]
# A document as session_export wrote it, which every later version can read.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "export_v1.json"), encoding="utf-8") as file:
    DOCUMENT = file.read().strip()

COMMANDS = [
    Command("session_deliver", DELIVER, ["s", "make it five"],
            {"class": "Modification", "message_id": "m9", "channel": "wa", "sender": "u1"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["new", "add retries"],
            {"class": "NewTask", "source": "user", "persona": "p1", "mode": "queue"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["ready", "looks good"], {"class": "Confirmation"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["old", "something new"], {"class": "NewTask"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["choice", "start fresh"], {}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["s", "beat"], {"source": "timer"}, DELIVER_OPTIONS),
    # With an owner: a task that starts, one whose turn is taken over, one in a full queue.
    Command("session_deliver", DELIVER, ["owned", "add retries"],
            {"class": "NewTask", "owner": "A3", "channel": "wa", "sender": "u1", "message_id": "m8",
             "mode": "collect"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["ready", "and a test"],
            {"class": "Modification", "owner": "A3"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["dead", "go on"], {"class": "Response", "owner": "A3"},
            DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["line", "beat"], {"source": "timer", "owner": "A3"},
            DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["full", "one more"],
            {"class": "Modification", "mode": "queue"}, DELIVER_OPTIONS),
    # For a live run: what waits, steers, interrupts or ends it.
    *(Command("session_deliver", DELIVER, ["steered", "no, five"],
              {"class": "Modification", "mode": mode, "owner": "A3"}, DELIVER_OPTIONS)
      for mode in ("collect", "steer", "interrupt")),
    Command("session_deliver", DELIVER, ["steered", "what?"],
            {"class": "Clarification", "mode": "steer"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["steered", "ping"],
            {"source": "agent", "sender": "x", "mode": "steer"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["steered", "a readme"], {"class": "NewTask"},
            DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["steered", "forget it"],
            {"class": "Abandon", "owner": "A3"}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["parent", "forget it"], {"class": "Abandon"},
            DELIVER_OPTIONS),
    # What it answers is named; a host that keeps no turns.
    Command("session_deliver", DELIVER, ["choice", "B"], {"opened_at": NOW, "keeps_turns": 0}, DELIVER_OPTIONS),
    Command("session_deliver", DELIVER, ["questioned", "five"], {"asked_at": NOW}, DELIVER_OPTIONS),
    Command("queue_push", DELIVER, ["line", "a fourth"],
            {"message_id": "m9", "source": "agent", "channel": "wa", "sender": "u1",
             "mode": "collect"}, PUSH_OPTIONS),
    Command("queue_push", DELIVER, ["fresh", "the first"], {}, PUSH_OPTIONS),
    Command("queue_push", DELIVER, ["dropping", "one more"], {"mode": "steer"}, PUSH_OPTIONS),
    Command("queue_cancel", QUEUE_ID, [SECOND]),
    Command("queue_cancel", QUEUE_ID, [HANDED]),
    Command("queue_retry", QUEUE_ID, [FAILED]),
    Command("queue_front", QUEUE_ID, [THIRD]),
    Command("queue_front", QUEUE_ID, [HINT]),
    Command("session_spawn", SPAWN, ["busy", "find the callers"],
            {"turn": BUSY, "tool_call_id": "k4", "persona": "p2", "label": "callers", "timeout": "5m"},
            SPAWN_OPTIONS),
    Command("session_spawn", SPAWN, ["s", "find the callers"], {}, SPAWN_OPTIONS),
    Command("session_spawn", SPAWN, ["child", "look into tests/"], {"turn": FIRST}, SPAWN_OPTIONS),
    Command("session_report", REPORT, ["child", "completed", "12 callers"], {"task_id": CHILDS}, {"task_id": "int"}),
    Command("session_report", REPORT, ["at work", "failed", "there are none"], {}, {"task_id": "int"}),
    Command("session_report", REPORT, ["stopped", "failed", "too late"], {}, {"task_id": "int"}),
    Command("session_stop", ["label:Text", "turn:Int", "reason:Text"], ["busy", BUSY, "enough"], {"keep": 0}, {"keep": "bool"}),
    Command("session_deliver", DELIVER, ["at work", "and the tests"], {"source": "agent"}, DELIVER_OPTIONS),
    Command("session_choose", ["label:Text", "choice:Text"], ["choice", "A"], {"keeps_turns": 0}, CHOOSE_OPTIONS),
    Command("session_choose", ["label:Text", "choice:Text"], ["asked", "B"], {"opened_at": NOW}, CHOOSE_OPTIONS),
    Command("delivery_classify", ["delivery:Int", "class:text"], [DOUBTED, "NewTask"], {"owner": "A3"}, OPINION_OPTIONS),
    Command("delivery_correct", ["delivery:Int", "class:text"], [DOUBTED, "Abandon"]),
    Command("delivery_correct", ["delivery:Int", "class:text"], [1, None]),
    Command("delivery_classify", ["delivery:Int", "class:text"], [DOUBTED, None], {"keeps_turns": 0}, OPINION_OPTIONS),
    Command("session_start", ["label:Text", "task:Text"], ["new", "add retries"], {"persona": "p1"}, {"persona": "text"}),
    Command("session_transition", ["label:Text", "state:Text", "data:object"],
            ["s", "AwaitingUser", '{"question":"Which?","asked_at":5}']),
    Command("session_state", ["label:Text"], ["s"], {"own": 1}, {"own": "bool"}, reads=True),
    Command("session_note", ["label:Text", "text:Text"], ["s", "read the code"]),
    Command("session_observe", ["label:Text", "kind:Text", "data:Any", "content:text"],
            ["s", "FileRead", '{"path":"src/a.c"}', "int main(void);"]),
    Command("session_relate", ["label:Text", "from:Text", "edge:Text", "to:Text"],
            ["s", "file:a.c", "DependsOn", "file:b.h"], {"weight": 0.5, "evidence": "#include"},
            {"weight": "weight", "evidence": "text"}),
    Command("session_flush", ["label:Text", "kind:text"], ["s", "Plan"]),
    Command("session_compact", ["label:Text", "message:text"], ["s", "Retries added"]),
    Command("session_recover", ["label:Text"], ["old"]),
    Command("session_recover", ["label:Text"], ["s"], {"dry_run": 0}, {"dry_run": "bool", "own": "bool"}),
    Command("session_recover", ["label:Text"], ["s"], {"dry_run": 1, "own": 1}, {"dry_run": "bool", "own": "bool"}, reads=True),
    Command("session_progress", ["label:Text"], ["s"], {"own": 1}, {"own": "bool"}, reads=True),
    Command("session_run", ["label:Text", "owner:Text", "run_state:Text", "data:json"],
            ["served", "A1", "ready", '{"exit_code":0}'], {}, {"token": "int", "dead": "bool"}),
    Command("session_run", ["label:Text", "owner:Text", "run_state:Text", "data:json"],
            ["busy", "A2", "idle"], {"token": 1}, {"token": "int", "dead": "bool"}),
    Command("session_run", ["label:Text", "owner:Text", "run_state:Text", "data:json"],
            ["steered", "A2", "idle"], {"dead": 1}, {"token": "int", "dead": "bool"}),
    Command("session_sweep", [], [], {"limit": 5, "dry_run": 0, "auto_compact_threshold": "7d", "archive_after": 30 * DAY},
            {"limit": "int", "dry_run": "bool", "auto_compact_threshold": "duration", "archive_after": "duration"}),
    Command("turnstile_startup", ["owner:text"], ["A1"], {"all": 1}, {"all": "bool"}),
    Command("turnstile_config", ["key:Text", "value:any"], ["lease", "90s"], {"session": "s"},
            {"session": "text", "reset": "bool"}),
    Command("turnstile_config", ["key:Text", "value:any"], ["lease"], {}, {"session": "text", "reset": "bool"}, reads=True),
    Command("turnstile_config", ["key:Text", "value:any"], ["names", "Alma, bot"], {}, {"session": "text", "reset": "bool"}),
    Command("turnstile_config", ["key:Text", "value:any"], ["queue_cap"], {"session": "full", "reset": 1},
            {"session": "text", "reset": "bool"}),
    Command(
        "turn_append",
        APPEND,
        ["t", WORKED],
        {
            "source": "agent",
            "model": "m",
            "provider": "p",
            "persona": "p1",
            "usage": USAGE,
            "tokens": 70,
            "resume_cursor": "c9",
            "started_at": NOW - 5,
            "external_id": "x9",
        },
        APPEND_OPTIONS,
    ),
    Command("turn_append", APPEND, ["fresh", ASKED], {}, APPEND_OPTIONS),
    Command("turn_append", APPEND, ["f", ASKED], {"parent": "x1"}, APPEND_OPTIONS),
    Command("turn_append", APPEND, ["late", ASKED], {"parent": FORKED}, APPEND_OPTIONS),
    Command("turn_begin", BEGIN, ["waiting", "A3"], {}, BEGIN_OPTIONS),
    Command("turn_begin", BEGIN, ["line", "A3"], {"lease": "1h"}, BEGIN_OPTIONS),
    Command("turn_begin", BEGIN, ["collected", "A3"], {}, BEGIN_OPTIONS),
    Command("turn_begin", BEGIN, ["dead", "A3"], {}, BEGIN_OPTIONS),
    Command("turn_begin", BEGIN, ["child", "A3"], {}, BEGIN_OPTIONS),
    Command(
        "turn_begin",
        BEGIN,
        ["t", "A3"],
        {
            "messages": json.loads(ASKED),
            "lease": "2h",
            "source": "webhook",
            "model": "m",
            "provider": "p",
            "persona": "p1",
            "external_id": "x9",
        },
        BEGIN_OPTIONS,
    ),
    Command("turn_begin", BEGIN, ["late", "A3"], {"messages": json.loads(ASKED)}, BEGIN_OPTIONS),
    Command(
        "turn_message",
        LIVE + ["message:Object"],
        [
            BUSY,
            1,
            '{"role":"assistant","content":"I read.","tool_calls":[{"id":"k8","name":"cat"}]}',
        ],
    ),
    Command(
        "turn_message",
        LIVE + ["message:Object"],
        [BUSY, 1, '{"role":"tool","tool_call_id":"k3","content":"int main(void);"}'],
    ),
    Command(
        "turn_tool_call",
        LIVE + ["call_id:Text", "tool_name:Text", "params:any"],
        [BUSY, 1, "k8", "cat", '{"path":"a.c"}'],
        {"spawned_session_label": "worker:1"},
        {"spawned_session_label": "text"},
    ),
    Command(
        "turn_tool_result",
        LIVE + ["call_id:Text", "result:Any"],
        [BUSY, 1, "k4", "a.c"],
        {"error": 0},
        {"error": "bool"},
    ),
    Command(
        "turn_tool_result",
        LIVE + ["call_id:Text", "result:Any"],
        [BUSY, 1, "k3", "late"],
        {"error": 1},
        {"error": "bool"},
    ),
    Command("turn_phase", LIVE + ["phase:Text"], [BUSY, 1, "streaming"]),
    Command("turn_heartbeat", LIVE, [BUSY, 1], {"lease": "2h"}, {"lease": "duration"}),
    Command("turn_steering", LIVE, [STEERED, 1]),
    Command("turn_complete", LIVE + ["result:object"],
            [WORKED_AT, 1, '{"content":"Which one?","outcome":"question","question":"Which?"}']),
    Command("turn_complete", LIVE + ["result:object"],
            [WORKED_AT, 1, '{"content":"Built.","outcome":"done","summary":"Five tries."}']),
    Command("turn_fail", LIVE + ["error:Text"], [STEERED, 1, "boom"], {"retry_after": "30s"}, FAIL_OPTIONS),
    Command("turn_fail", LIVE + ["error:Text"], [BUSY, 1, "the thread is gone"], {"resume_cursor": ""}, FAIL_OPTIONS),
    Command("turn_abort", LIVE + ["reason:Text"], [STEERED, 1, "once more"], {"requeue": 1}, ABORT_OPTIONS),
    Command("turn_abort", LIVE + ["reason:Text"], [WORKED_AT, 1, "enough"], {"keep": 0, "resume_cursor": "thread_11"},
            ABORT_OPTIONS),
    Command(
        "turn_complete",
        LIVE + ["result:object"],
        [
            BUSY,
            1,
            json.dumps(
                {
                    "content": "There is a.c.",
                    "usage": USAGE,
                    "model": "m",
                    "provider": "p",
                    "tokens": 9,
                    "resume_cursor": "c2",
                    "messages": [{"role": "tool", "tool_call_id": "k4", "content": "a.c"}],
                }
            ),
        ],
    ),
    Command(
        "turn_fail", LIVE + ["error:Text"], [BUSY, 1, "boom"], {"usage": USAGE}, FAIL_OPTIONS
    ),
    Command(
        "turn_abort",
        LIVE + ["reason:Text"],
        [BUSY, 1, "enough"],
        {"usage": USAGE},
        ABORT_OPTIONS,
    ),
    Command(
        "turn_abort",
        LIVE + ["reason:Text"],
        [BUSY, 1, "enough"],
        {"keep": 0},
        ABORT_OPTIONS,
    ),
    Command(
        "turn_compact",
        COMPACT,
        ["t", "They listed files."],
        {
            "keep_turns": 1,
            "trigger": "periodic",
            "focus": "files",
            "model": "m",
            "provider": "p",
            "usage": {"input_tokens": 9, "output_tokens": 3},
            "duration_ms": 7,
            "metadata": {"a": [1]},
        },
        COMPACT_OPTIONS,
    ),
    Command(
        "turn_compact",
        COMPACT,
        ["f", "They listed files."],
        {"model_limit": 1, "summarized_through_turn_id": FIRST},
        COMPACT_OPTIONS,
    ),
    Command("turn_compact", COMPACT, ["t", "They listed files."], {"first_kept_turn_id": FIRST + 2}, COMPACT_OPTIONS),
    Command("turn_compact", COMPACT, ["t", "They listed files."],
            {"keep_turns": 0, "parent": "x1", "external_id": "c1", "started_at": NOW - 5}, COMPACT_OPTIONS),
    Command("turn_compact_begin", BEGIN[:2], ["f", "A3"], {"lease": "1h"}, {"lease": "duration"}),
    Command(
        "turn_compact",
        COMPACT,
        ["busy", "They listed files."],
        {"turn": BUSY, "token": 1, "trigger": "overflow_recovery", "keep_tokens": 0},
        COMPACT_OPTIONS,
    ),
    Command("turn_ancestor", ["turn:Int", "depth:Int"], [FORKED, 0], reads=True),
    Command("turn_common_ancestor", PAIR, [FORKED, FIRST + 2], reads=True),
    Command("turn_is_ancestor", PAIR, [FIRST + 1, FORKED], reads=True),
    Command(
        "session_fork",
        ["turn:Int", "label:text"],
        [FIRST + 1, "g"],
        {"persona": "p2"},
        {"persona": "text"},
    ),
    Command("session_fork", ["turn:Int", "label:text"], [FORKED], {}, {"persona": "text"}),
    Command("session_rewind", ["label:Text", "turn:int"], ["t", FIRST]),
    Command("session_usage", ["label:Text"], ["busy"], {"own": 1}, {"own": "bool"}, reads=True),
    Command("session_diagram", ["label:Text", "format:text"], ["t"], {}, {"turns": "int"},
            reads=True),
    Command("session_diagram", ["label:Text", "format:text"], ["busy", "text"], {"turns": 2},
            {"turns": "int"}, reads=True),
    Command("session_delete", ["label:Text"], ["t"], {"dry_run": 0}, {"dry_run": "bool", "force": "bool"}),
    Command("session_export", ["label:Text"], ["t"], reads=True),
    Command("session_export", ["label:Text"], ["busy"], reads=True),
    Command("session_import", ["json:Object"], [DOCUMENT], {}, {"as": "text", "replace": "bool"}),
    Command(
        "session_import", ["json:Object"], [DOCUMENT], {"as": "s", "replace": 1}, {"as": "text", "replace": "bool"}
    ),
    Command(
        "session_delete",
        ["label:Text"],
        ["busy"],
        {"force": 1},
        {"dry_run": "bool", "force": "bool"},
    ),
    Command(
        "session_needs_compaction",
        ["label:Text", "model_limit:Int", "extra_tokens:int"],
        ["t", 100, 9],
        reads=True,
    ),
]

# Keys, policies, identities and a session's status.
LINK = ["channel:Text", "sender:Id", "entity:Id"]
KNOWN = {"channel": "wa", "sender_id": "+1"}
ENVELOPE = {**KNOWN, "peer_kind": "group", "peer_id": "g", "thread_id": 7}
STATUS_OPTIONS = {"reason": "text"}
ARCHIVE_OPTIONS = {"reason": "text", "force": "bool"}
IDENTITY_COMMANDS = [
    Command(
        "session_deliver",
        ["label:text", "message:Text"],
        [None, "make it five"],
        {"class": "Modification", "message_id": "m9", "envelope": ENVELOPE},
        {**DELIVER_OPTIONS, "envelope": "object"},
    ),
    Command(
        "session_deliver",
        ["label:text", "message:Text"],
        ["s", "make it five"],
        {"class": "Modification", "envelope": KNOWN},
        {**DELIVER_OPTIONS, "envelope": "object"},
    ),
    Command("session_route", ["envelope:Object"], [json.dumps(ENVELOPE)], reads=True),
    Command("resolve_session", ["label:Text"], ["dm:rosa"], reads=True),
    Command("session_alias", ["alias:Text", "label:text"], ["nick", "dm:rosa"]),
    Command("session_alias", ["alias:Text", "label:text"], ["old nick"]),
    Command("identity_link", LINK, ["tg", "new", "rosa"], {"force": 0}, {"force": "bool"}),
    Command("identity_link", LINK, ["mail", "r@x", "rosa"], {}, {"force": "bool"}),
    Command("identity_link", LINK, ["tg", "new", "rosa"], {"envelope": {"region": "eu"}}, {"force": "bool", "envelope": "object"}),
    Command("identity_link", LINK, ["wa", "+1", "bo"], {"force": 1}, {"force": "bool"}),
    Command("identity_unlink", ["channel:Text", "sender:Id"], ["wa", "+1"]),
    Command("session_archive", ["label:Text"], ["s"], {"reason": "done"}, ARCHIVE_OPTIONS),
    Command("session_archive", ["label:Text"], ["busy"], {"force": 1}, ARCHIVE_OPTIONS),
    Command("session_unarchive", ["label:Text"], ["put away"]),
    Command("session_suspend", ["label:Text"], ["s"], {"reason": "later"}, STATUS_OPTIONS),
    Command("session_resume", ["label:Text"], ["paused"]),
    Command("session_fail", ["label:Text", "reason:Text"], ["s", "broken"]),
    Command("session_reopen", ["label:Text"], ["broken"]),
]
COMMANDS += IDENTITY_COMMANDS

# Table-valued functions: a call, and what must come first in it.
TABLES = [
    ("turn_path", ["t"], FIRST),
    ("turn_path", [FORKED], FIRST),
    ("turn_tree", [FIRST], FIRST),
    ("session_context", ["t"], 0),
    ("session_context", [BUSY], 0),
    ("session_context", ["f", 40], 0),
    ("session_context", ["compacted"], 0),
    ("session_context", ["steered"], 0),
    ("session_context", ["tried"], 0),
    ("policy_replay", ['{"classify_floor":0,"rules":[{"class":"Abandon","pattern":".","weight":50}]}'], DOUBTED),
]
# What tells one row of a table from another.
ROW = {"session_context": "turn_id, sequence, kind", "policy_replay": "delivery"}

SETUP = [
    ("session_start", ["s", "port the parser"]),
    ("session_note", ["s", "first"]),
    ("session_flush", ["s"]),
    ("session_note", ["s", "second"]),
    ("session_start", ["ready", "add a flag"]),
    ("session_note", ["ready", "added"]),
    ("session_transition", ["ready", "PendingComplete", {"summary": "Flag added"}]),
    ("session_start", ["choice", "add retries"]),
    ("session_note", ["choice", "read"]),
    ("session_deliver", ["choice", "pool the connections", {"class": "NewTask"}]),
    ("session_start", ["served", "x"]),
    ("session_run", ["served", "A1", "starting"]),
    ("session_run", ["served", "A1", "running"]),
    ("session_start", ["old", "an old task", {"now": NOW - 9 * DAY}]),
    ("session_note", ["old", "begun", {"now": NOW - 9 * DAY}]),
    ("session_start", ["left", "a task left behind"]),
    ("session_transition", ["left", "Aborted", {"reason": "no use"}]),
    ("session_deliver", ["idle", "thanks", {"class": "Confirmation", "now": NOW - 31 * DAY}]),
    # A path of three turns with a fork after the second; then a session with a live turn, one whose
    # turn has lost its lease, one with an input that waits, and one with a compaction.
    (
        "turn_append",
        ["t", json.loads(ASKED), {"external_id": "x1", "usage": USAGE, "resume_cursor": "c1"}],
    ),
    (
        "turn_append",
        [
            "t",
            [
                {
                    "role": "assistant",
                    "content": "I look.",
                    "tool_calls": [
                        {"id": "k1", "name": "ls", "params": {"dir": "."}, "result": "a.c"},
                        {"id": "k2", "name": "cat"},
                    ],
                }
            ],
        ],
    ),
    (
        "turn_append",
        ["t", [{"role": "user", "content": "and?"}, {"role": "assistant", "content": "Nothing."}]],
    ),
    ("session_fork", [FIRST + 1, "f"]),
    ("turn_append", ["f", [{"role": "user", "content": "what is in it?"}]]),
    ("turn_append", ["busy", [{"role": "assistant", "tool_calls": [{"id": "k3", "name": "cat"}]}]]),
    ("turn_begin", ["busy", "A2", {"messages": json.loads(ASKED), "lease": "1h"}]),
    ("turn_message", [BUSY, 1, {"role": "assistant", "content": "I look."}]),
    ("turn_tool_call", [BUSY, 1, "k4", "ls", {"dir": "."}]),
    ("turn_append", ["late", json.loads(ASKED), {"now": NOW - DAY}]),
    (
        "turn_begin",
        ["late", "A2", {"messages": json.loads(ASKED), "lease": "1h", "now": NOW - DAY}],
    ),
    ("session_deliver", ["waiting", "write a poem", {"class": "NewTask"}]),
    ("turn_append", ["compacted", json.loads(ASKED)]),
    ("turn_append", ["compacted", [{"role": "user", "content": "and?"}]]),
    ("turn_compact", ["compacted", "They listed files.", {"keep_turns": 1}]),
    # The queue: three inputs in line; a live turn whose task is interrupted, with an input taken
    # into it and others that it may take; an input that failed after its turn had done something;
    # a run that has died with its input; a choice put to a live run; inputs to be taken together;
    # queues that are full.
    ("queue_push", ["line", "one", {"source": "timer", "message_id": "m1", "channel": "cron"}]),
    ("queue_push", ["line", "two", {"source": "agent", "sender": "x"}]),
    ("queue_push", ["line", "three"]),
    ("session_deliver", ["steered", "add three tries", {"class": "NewTask", "owner": "A2"}]),
    ("turn_message", [STEERED, 1, {"role": "assistant", "content": "Three it is."}]),
    ("session_deliver", ["steered", "log each", {"class": "Modification", "mode": "steer"}]),
    ("turn_steering", [STEERED, 1]),
    ("queue_push", ["steered", "a hint", {"source": "agent", "mode": "steer-backlog"}]),
    ("session_deliver", ["steered", "no, ten", {"class": "Modification"}]),
    ("session_deliver", ["tried", "restart it", {"class": "NewTask", "owner": "A2"}]),
    ("turn_tool_call", [TRIED, 1, "k9", "bash", {"command": "restart"}]),
    ("turn_fail", [TRIED, 1, "the machine went down"]),
    (
        "session_deliver",
        ["dead", "write a poem", {"class": "NewTask", "owner": "A2", "now": NOW - DAY // 4}],
    ),
    ("session_deliver", ["asked", "add tries", {"class": "NewTask", "owner": "A2"}]),
    ("session_deliver", ["asked", "a readme", {"class": "NewTask"}]),
    ("turnstile_config", ["queue_mode", "collect", {"session": "collected"}]),
    ("queue_push", ["collected", "one"]),
    ("queue_push", ["collected", "two"]),
    ("queue_push", ["collected", "three", {"mode": "queue"}]),
    ("session_deliver", ["full", "add tries", {"class": "NewTask", "owner": "A2"}]),
    ("turnstile_config", ["queue_cap", 1, {"session": "full"}]),
    ("turnstile_config", ["queue_full", "drop-oldest", {"session": "full"}]),
    ("queue_push", ["full", "log each"]),
    ("turnstile_config", ["queue_cap", 1, {"session": "dropping"}]),
    ("turnstile_config", ["queue_full", "drop-oldest", {"session": "dropping"}]),
    ("queue_push", ["dropping", "log each"]),
    ("turnstile_config", ["queue_cap", 1, {"session": "rejecting"}]),
    ("queue_push", ["rejecting", "log each"]),
    # Workers: one that waits, one at work with a worker of its own, one that is done.
    ("session_start", ["parent", "rename post()"]),
    ("session_spawn", ["parent", "find the callers", {"label": "child"}]),
    ("session_spawn", ["parent", "read the docs", {"label": "at work"}]),
    ("turn_begin", ["at work", "A2"]),
    ("session_spawn", ["at work", "read a page", {"label": "below"}]),
    ("session_spawn", ["parent", "count them", {"label": "done"}]),
    ("session_report", ["done", "completed", "there are 12"]),
    ("session_start", ["former", "rename get()"]),
    ("session_spawn", ["former", "find the callers", {"label": "stopped"}]),
    ("session_deliver", ["former", "forget it", {"class": "Abandon"}]),
]

# Somebody known, with a session; the session that a second link merges into it, with a task of its
# own and an input that waits; aliases; sessions of each status.
IDENTITY_SETUP = [
    ("identity_link", ["wa", "+1", "rosa"]),
    ("session_deliver", [None, "book a flight", {"class": "NewTask", "envelope": KNOWN}]),
    (
        "session_deliver",
        [
            None,
            "paint it",
            {"class": "NewTask", "envelope": {"channel": "mail", "sender_id": "r@x"}},
        ],
    ),
    ("session_note", ["dm:mail:r@x", "half done"]),
    ("queue_push", ["dm:mail:r@x", "and the door", {"channel": "mail", "sender": "r@x"}]),
    ("session_alias", ["old nick", "s"]),
    ("session_start", ["put away", "x"]),
    ("session_archive", ["put away"]),
    ("session_start", ["paused", "x"]),
    ("session_suspend", ["paused"]),
    ("session_start", ["broken", "x"]),
    ("session_fail", ["broken", "x"]),
]
SETUP += IDENTITY_SETUP
# A message about which the host is asked.
SETUP += [
    ("turnstile_config", ["classify_floor", 1, {"session": "doubted"}]),
    ("turnstile_config", ["classify_below", "ask", {"session": "doubted"}]),
    ("session_deliver", ["doubted", "hm the other one rather", {"message_id": "m1"}]),
    # A question that a message can name.
    ("session_start", ["questioned", "add retries"]),
    ("session_transition", ["questioned", "AwaitingUser", {"question": "How many?"}]),
]

LIBRARY = ""
BASES = {}


def connect(path=":memory:", **how):
    con = harness.connect(path, LIBRARY, **how)
    con.execute("SELECT turnstile_clock(?)", (NOW,))
    return con


def sugar(con, command, args, tail=""):
    marks = ", ".join("?" * len(args))
    return one(con, f"SELECT {command}({marks}){tail}", *args)


def install(con, prefix="", schema="main"):
    sugar(con, "turnstile_install", [json.dumps({"prefix": prefix, "schema": schema, "uuid": UUID})])
    # The messages here are English. Every connection compiles the rules, most of which are of other languages.
    con.execute(f'DELETE FROM "{schema}"."{prefix}message_rules" WHERE lang NOT IN (\'any\', \'en\')')
    for command, args in SETUP:
        door(con, command, args, f'"{schema}"."{prefix}turnstile"')


def base(prefix="", schema="main", encoding="UTF-8", more=""):
    """A fresh connection on a copy of the prepared database, with more that a user has made."""
    key = prefix, schema, encoding, more
    if key not in BASES:
        con = connect(encoding=encoding)
        if schema != "main":
            con.execute(f"ATTACH ':memory:' AS {schema}")
        install(con, prefix, schema)
        con.executescript(more)
        if schema == "main":
            con.execute("VACUUM")
        BASES[key] = con
    source, con = BASES[key], connect(encoding=encoding)
    if schema != "main":
        con.execute(f"ATTACH ':memory:' AS {schema}")
        copied = sqlite3.connect(":memory:")
        source.backup(copied, name=schema)
        # Into the attached one: by way of a file, as backup() only writes to main.
        path = suite.path("attached.db")
        if os.path.exists(path):
            os.remove(path)
        copied.execute("VACUUM INTO ?", (path,))
        con.execute(f"DETACH {schema}")
        con.execute(f"ATTACH '{path}' AS {schema}")
    else:
        source.backup(con)
    return con


@Images
def dump(con, prefix="", schema="main"):
    """Every row of every table, without the prefix."""
    tables = [row[0] for row in con.execute(
        f"SELECT name FROM \"{schema}\".sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
    rows = {}
    for table in tables:
        if table.startswith(prefix) and not table.startswith("mine"):
            # The rules are many, and no command writes them: sums will do.
            what = "count(*), total(id), total(weight), total(length(pattern)), total(enabled)"
            what = what if table.endswith("message_rules") else "*"
            found = con.execute(f'SELECT {what} FROM "{schema}"."{table}"')
            rows[table[len(prefix):]] = sorted(map(repr, found))
    # Installing has drawn it by chance; no command uses it.
    rows["turnstile_meta"] = [r for r in rows.get("turnstile_meta", []) if "door_key" not in r]
    return rows


def difference(a, b):
    """The tables in which two dumps differ, with the rows that only one has."""
    return {t: (sorted(set(a.get(t, [])) - set(b.get(t, [])))[:3], sorted(set(b.get(t, [])) - set(a.get(t, [])))[:3])
            for t in sorted(set(a) | set(b)) if a.get(t) != b.get(t)}


def same_dump(name, got, expected):
    return check(f"{name}: the same rows", difference(got, expected), {})


def positional(cmd):
    """Arguments of the sugar call."""
    return cmd.full() + [json.dumps(cmd.options)] if cmd.options else cmd.args


def as_json(cmd):
    """The positional arguments for the door; JSON is sent as JSON."""
    out = []
    for place, value in zip(cmd.places, cmd.full()):
        kind = place.split(":")[1].lower()
        out.append(json.loads(value) if kind in ("object", "json") and value is not None else value)
    return out


def by_name(cmd, nested):
    named = dict(zip(cmd.names(), as_json(cmd)))
    if nested:
        return {**named, "options": cmd.options}
    return {**named, **cmd.options}


def error_of(con, run):
    """The message of the error that it ends with, or None."""
    error = harness.error_of(run, con)
    return None if error is None else str(error)


def fails(name, con, run, beginning, contains="", **where):
    """It fails cleanly: the message begins right, nothing has changed, the next command works."""
    before = dump(con, **where)
    message = error_of(con, run)
    if not check(f"{name}: fails", message is not None, True):
        return
    check(f"{name}: the error begins right", message[:len(beginning)], beginning)
    if contains:
        check(f"{name}: the error has '{contains}'", message if contains not in message else contains, contains)
    same_dump(f"{name}: nothing changed", dump(con, **where), before)


@functools.lru_cache(maxsize=4)
def expected_of(cmd):
    """What the plain call returns, all rows after it, and before."""
    con = base()
    before = dump(con)
    result = sugar(con, cmd.name, positional(cmd))
    return result, dump(con), before


# ---- Ways that have to come to the same ------------------------------------------------------

def in_transaction(con, run):
    con.execute("BEGIN")
    result = run()
    check("the transaction is the caller's", con.in_transaction, True)
    con.execute("COMMIT")
    return result


def in_user_trigger(con, cmd):
    con.execute("CREATE TABLE mine_in(command, args)")
    con.execute("CREATE TRIGGER mine_arrived AFTER INSERT ON mine_in BEGIN "
                "INSERT INTO turnstile(command, args) VALUES (NEW.command, NEW.args); END")
    con.execute("INSERT INTO mine_in VALUES (?, ?)", (cmd.name, json.dumps(as_json(cmd) + [cmd.options])))
    # What a trigger has done is not what the connection asked for: there is no result to take.
    try:
        return con.execute("SELECT turnstile_result()").fetchone()[0]
    except sqlite3.OperationalError as error:
        return "no result" if "no command has run" in str(error) else str(error)


def in_from(con, cmd):
    con.execute("CREATE TABLE mine_t(x)")
    con.execute("INSERT INTO mine_t VALUES (1)")
    return sugar(con, cmd.name, positional(cmd), " FROM mine_t")


def after_pragma(con, pragma, run):
    con.execute(pragma)
    return run()


def ways(cmd):
    args = positional(cmd)
    array = as_json(cmd) + ([cmd.options] if cmd.options else [])
    return {
        "sugar with options": lambda c: sugar(c, cmd.name, cmd.full() + [json.dumps(cmd.options)]),
        "the door by place": lambda c: door(c, cmd.name, array),
        "the door by place, with options": lambda c: door(c, cmd.name, as_json(cmd) + [cmd.options]),
        "the door by place, JSON as text": lambda c: door(c, cmd.name, cmd.full() + [cmd.options]),
        "the door by name": lambda c: door(c, cmd.name, by_name(cmd, False)),
        "the door by name, options apart": lambda c: door(c, cmd.name, by_name(cmd, True)),
        "the door, qualified": lambda c: door(c, cmd.name, array, "main.turnstile"),
        "sugar in a transaction": lambda c: in_transaction(c, lambda: sugar(c, cmd.name, args)),
        "the door in a transaction": lambda c: in_transaction(c, lambda: door(c, cmd.name, array)),
        "a batch": lambda c: c.execute(
            "INSERT INTO turnstile SELECT ?, ? RETURNING turnstile_result()", (cmd.name, json.dumps(array))).fetchall()[0][0],
        "a user's trigger": lambda c: in_user_trigger(c, cmd),
        "sugar FROM a table": lambda c: in_from(c, cmd),
        "now as an option": lambda c: sugar(c, cmd.name, cmd.full() + [json.dumps({**cmd.options, "now": NOW})]),
        "trusted_schema = OFF, sugar": lambda c: after_pragma(c, "PRAGMA trusted_schema = OFF", lambda: sugar(c, cmd.name, args)),
        "trusted_schema = OFF, door": lambda c: after_pragma(c, "PRAGMA trusted_schema = OFF", lambda: door(c, cmd.name, array)),
        "recursive_triggers": lambda c: after_pragma(c, "PRAGMA recursive_triggers = ON", lambda: sugar(c, cmd.name, args)),
        "foreign_keys": lambda c: after_pragma(c, "PRAGMA foreign_keys = ON", lambda: door(c, cmd.name, array)),
        "reverse_unordered_selects": lambda c: after_pragma(c, "PRAGMA reverse_unordered_selects = ON", lambda: sugar(c, cmd.name, args)),
        "INSERT OR IGNORE": lambda c: c.execute(
            "INSERT OR IGNORE INTO turnstile VALUES (?, ?) RETURNING turnstile_result()", (cmd.name, json.dumps(array))).fetchall()[0][0],
        "INSERT OR FAIL": lambda c: c.execute(
            "INSERT OR FAIL INTO turnstile VALUES (?, ?) RETURNING turnstile_result()", (cmd.name, json.dumps(array))).fetchall()[0][0],
    }


def test_ways(cmd):
    result, after, before = expected_of(cmd)
    check(f"{cmd}: changes something" if not cmd.reads else f"{cmd}: changes nothing", after != before, not cmd.reads)
    for way, run in ways(cmd).items():
        name = f"{cmd} / {way}"
        con = base()
        expected = "no result" if way == "a user's trigger" else result
        message = error_of(con, lambda c: check(f"{name}: the same result", run(c), expected))
        check(f"{name}: no error", message, None)
        same_dump(name, dump(con), after)
        check(f"{name}: no transaction is left open", con.in_transaction, False)
        con.close()


def test_elsewhere(cmd):
    result, after, _ = expected_of(cmd)
    for name, where in {"under a prefix": {"prefix": "p_"}, "in an attached file": {"schema": "side"},
                        "in an attached file, under a prefix": {"prefix": "p_", "schema": "side"}}.items():
        view = f'{where.get("schema", "main")}.{where.get("prefix", "")}turnstile'
        con = base(**where)
        sugar(con, "turnstile_use", [where.get("schema", "main"), where.get("prefix", "")])
        check(f"{cmd} / {name}, sugar: the same result", sugar(con, cmd.name, positional(cmd)), result)
        same_dump(f"{cmd} / {name}, sugar", dump(con, **where), after)
        con.close()
        con = base(**where)
        check(f"{cmd} / {name}, door: the same result", door(con, cmd.name, by_name(cmd, False), view), result)
        same_dump(f"{cmd} / {name}, door", dump(con, **where), after)
        con.close()


def test_encodings(cmd):
    result, after, _ = expected_of(cmd)
    for encoding in ("UTF-16le", "UTF-16be"):
        for way, run in {"sugar": lambda c: sugar(c, cmd.name, positional(cmd)),
                         "door": lambda c: door(c, cmd.name, by_name(cmd, False))}.items():
            con = base(encoding=encoding)
            check(f"{cmd} / {encoding}, {way}: the same result", run(con), result)
            same_dump(f"{cmd} / {encoding}, {way}", dump(con), after)
            con.close()


# ---- Undone ------------------------------------------------------------------------------------

def test_undone(cmd):
    args = positional(cmd)
    for way, run in {"sugar": lambda c: sugar(c, cmd.name, args), "door": lambda c: door(c, cmd.name, by_name(cmd, False))}.items():
        con = base()
        before = dump(con)
        con.execute("BEGIN")
        run(con)
        con.execute("ROLLBACK")
        same_dump(f"{cmd} / {way}, rolled back", dump(con), before)
        con.execute("BEGIN")
        con.execute("SAVEPOINT a")
        run(con)
        con.execute("ROLLBACK TO a")
        con.execute("COMMIT")
        same_dump(f"{cmd} / {way}, rolled back to a savepoint", dump(con), before)
        con.close()
    # And then it can still be done, with the same outcome.
    result, after, _ = expected_of(cmd)
    con = base()
    con.execute("BEGIN")
    sugar(con, cmd.name, args)
    con.execute("ROLLBACK")
    check(f"{cmd} / after a rollback: the same result", sugar(con, cmd.name, args), result)
    same_dump(f"{cmd} / after a rollback", dump(con), after)
    con.close()


def test_half_way(cmd):
    """A user's trigger fails on each table that the command writes, in each way. Returns where one stops it: tables,
    with the event."""
    _, after, before = expected_of(cmd)
    changed = [t for t in after if after[t] != before.get(t)]
    check(f"{cmd} / half-way: it writes to some table", len(changed) > 0, True)
    stopped, where = 0, {}
    for table, event, how in itertools.product(changed, ("INSERT", "UPDATE", "DELETE"), ("ABORT", "FAIL", "ROLLBACK")):
        con = base()
        con.execute(f"CREATE TRIGGER mine AFTER {event} ON {table} BEGIN SELECT RAISE({how}, 'not today'); END")
        absent, works = False, lambda: error_of(con, lambda c: sugar(c, cmd.name, positional(cmd)))
        for inside in (False, True):
            for way, run in {"sugar": lambda c: sugar(c, cmd.name, positional(cmd)),
                             "door": lambda c: door(c, cmd.name, by_name(cmd, False))}.items():
                if absent:
                    continue
                name = f"{cmd} / RAISE({how}) at {event} on {table}, {way}{', in a transaction' if inside else ''}"
                con.execute("SAVEPOINT undo" if inside else "SELECT 1")
                if inside:
                    # A row of the user's own, in a table without the trigger.
                    if table == "session_aliases":
                        con.execute("INSERT INTO turnstile_config VALUES ('', 'queue_cap', 9)")
                    else:
                        con.execute("INSERT INTO session_aliases VALUES ('mine', 's', 'manual', 1)")
                start = dump(con)
                message = error_of(con, run)
                if message is None:
                    # That event does not occur, in no way: nothing to see, and the command has worked.
                    absent, works = True, lambda: message
                    continue
                stopped += 1
                where[table, event] = True
                check(f"{name}: the error", "not today" in message, True)
                if inside and con.in_transaction:
                    same_dump(name, dump(con), start)
                    con.execute("ROLLBACK TO undo")
                    con.execute("RELEASE undo")
                check(f"{name}: no transaction is left open", con.in_transaction, False)
                same_dump(f"{name}, in the end", dump(con), before)
        con.execute("DROP TRIGGER mine")
        check(f"{cmd} / after RAISE({how}) at {event} on {table}: works", works(), None)
        con.close()
    check(f"{cmd} / half-way: some trigger stopped it", stopped > 0, True)
    return list(where)


# ---- Statements of several commands --------------------------------------------------------------


def stop(table, event):
    """A user's trigger that stops whatever writes there."""
    return f"CREATE TRIGGER mine_stop AFTER {event} ON {table} BEGIN SELECT RAISE(FAIL, 'not today'); END"


GOOD, BAD = "(:good, :good_args)", "(:bad, :bad_args)"
STATEMENTS = [
    f"INSERT {how} INTO {text}"
    for how in ("", "OR ABORT", "OR FAIL", "OR IGNORE", "OR REPLACE", "OR ROLLBACK")
    for text in (f"turnstile VALUES {BAD}", f"turnstile VALUES {GOOD}, {BAD}",
                 f"mine_in VALUES {GOOD}, {BAD}", f"mine_view VALUES {GOOD}, {BAD}")
] + [
    f"REPLACE INTO turnstile VALUES {BAD}",
    f"INSERT INTO turnstile SELECT * FROM (VALUES {GOOD}, {BAD})",
    f"INSERT INTO turnstile VALUES {GOOD}, {BAD} RETURNING turnstile_result()",
    "UPDATE mine_out SET command = command",
    "DELETE FROM mine_out",
]
TABLES_WITH_TRIGGERS = """
CREATE TABLE mine_in(command, args);
CREATE TRIGGER mine_arrived AFTER INSERT ON mine_in BEGIN
  INSERT INTO turnstile VALUES (NEW.command, NEW.args);
END;
CREATE VIEW mine_view(command, args) AS SELECT * FROM mine_in;
CREATE TRIGGER mine_passed INSTEAD OF INSERT ON mine_view BEGIN
  INSERT OR FAIL INTO turnstile VALUES (NEW.command, NEW.args);
END;
CREATE TABLE mine_out(command, args);
CREATE TRIGGER mine_changed AFTER UPDATE ON mine_out BEGIN
  INSERT OR IGNORE INTO turnstile VALUES (NEW.command, NEW.args);
END;
CREATE TRIGGER mine_gone BEFORE DELETE ON mine_out BEGIN
  INSERT OR REPLACE INTO turnstile VALUES (OLD.command, OLD.args);
END;
"""


def test_half_way_in_statements(cmd, where):
    """In a transaction a statement is all or nothing, whatever its form and whoever sends the commands:
    the second one fails half-way, and the first is undone with it."""
    for i, statement in enumerate(STATEMENTS):
        table, event = where[i % len(where)]
        name = f"{cmd} / stopped at {event} on {table}: {statement}"
        good = ("turnstile_config", '["queue_cap",7,{"session":"mine"}]')
        if table == "turnstile_config":
            good = ("session_note", '["s","good"]')
        bad = (cmd.name, json.dumps(as_json(cmd) + [cmd.options]))
        con = base(more=TABLES_WITH_TRIGGERS)
        con.execute(stop(table, event))
        con.execute("BEGIN")
        con.executemany("INSERT INTO mine_out VALUES (?, ?)", (good, bad))
        start = dump(con)
        values = {"good": good[0], "good_args": good[1], "bad": bad[0], "bad_args": bad[1]}
        message = error_of(con, lambda c: c.execute(statement, values).fetchall())
        check(f"{name}: the error", message if "not today" not in (message or "") else "not today", "not today")
        check(f"{name}: the transaction goes on", con.in_transaction, True)
        same_dump(name, dump(con), start)
        check(f"{name}: the user's rows", con.execute("SELECT * FROM mine_out").fetchall(), [good, bad])
        check(f"{name}: the first alone is done", error_of(con, lambda c: door(c, good[0], json.loads(good[1]))), None)
        check(f"{name}: and changes something", dump(con) != start, True)
        con.close()
    for way, run in {"RETURNING that fails": lambda c: c.execute(
            "INSERT INTO turnstile VALUES (?, ?) RETURNING abs(-9223372036854775808)", bad).fetchall(),
                     "a RAISE behind it": lambda c: c.execute("INSERT INTO mine_in VALUES (?, ?)", bad)}.items():
        con = base(more=TABLES_WITH_TRIGGERS)
        con.execute("CREATE TRIGGER mine_first BEFORE INSERT ON mine_in BEGIN INSERT INTO turnstile VALUES (NEW.command, NEW.args); END")
        con.execute("CREATE TRIGGER mine_last AFTER INSERT ON mine_in BEGIN SELECT RAISE(ABORT, 'not today'); END")
        con.execute("DROP TRIGGER mine_arrived")
        con.execute("BEGIN")
        start = dump(con)
        check(f"{cmd} / {way}: fails", error_of(con, run) is not None, True)
        same_dump(f"{cmd} / {way}", dump(con), start)
        con.close()


def test_dry_runs():
    """A dry run changes nothing, wherever it is called."""
    for cmd in COMMANDS:
        if "dry_run" not in cmd.types:
            continue
        options = {**cmd.options, "dry_run": 1}
        args = json.dumps(as_json(cmd) + [options])
        sent = {"sugar": lambda c: sugar(c, cmd.name, cmd.full() + [json.dumps(options)])}
        for statement in STATEMENTS:
            if GOOD not in statement and BAD in statement:
                sent[statement] = lambda c, s=statement: c.execute(s, {"bad": cmd.name, "bad_args": args}).fetchall()
        for table in ("mine_in", "mine_view"):
            sent[table] = lambda c, t=table: c.execute(f"INSERT INTO {t} VALUES (?, ?)", (cmd.name, args))
        for way, run in sent.items():
            for inside in (False, True):
                con = base(more=TABLES_WITH_TRIGGERS)
                if inside:
                    con.execute("BEGIN")
                    con.execute("INSERT INTO session_aliases VALUES ('mine', 's', 'manual', 1)")
                start = dump(con)
                name = f"{cmd}, a dry run / {way}{', in a transaction' if inside else ''}"
                check(f"{name}: no error", error_of(con, run), None)
                same_dump(name, dump(con), start)
                check(f"{name}: the transaction", con.in_transaction, inside)
                con.close()


def test_checked_rows():
    """Rules and policies that are refused take the statement's other rows with them."""
    for table, columns, good, bad in (
            ("message_rules", "class, weight, pattern", "'NewTask', 1.0", ("fine", "not (fine")),
            ("session_policies", 'priority, "match", name, key_template', "5, '{}'", ("fine', 'a:{delivery.channel}", "bad', 'a:{"))):
        last = columns.split(", ")[-1]
        for how in ("", "OR FAIL", "OR IGNORE", "OR REPLACE"):
            con = base()
            con.execute("BEGIN")
            start = dump(con)
            rows = ", ".join(f"({good}, '{end}')" for end in bad)
            for statement in (f"INSERT {how} INTO {table}({columns}) VALUES {rows}",
                              # Some that are taken come before the one that is refused: a new pattern costs.
                              f"UPDATE {how} {table} SET {last} = iif(id = (SELECT max(id) FROM {table}), 'not ({{', {last} || 'x') "
                              f"WHERE id > (SELECT max(id) - 9 FROM {table})"):
                message = error_of(con, lambda c: c.execute(statement)) or "none"
                check(f"{statement}: refused", message[:len(table)], table)
                same_dump(statement, dump(con), start)
            check(f"{table}: the first row alone is taken", error_of(
                con, lambda c: c.execute(f"INSERT {how} INTO {table}({columns}) VALUES ({good}, '{bad[0]}')")), None)
            con.close()


# ---- Refused -------------------------------------------------------------------------------------

WRONG = {
    "text": [5, 1.5, b"x"], "object": [5, 1.5, b"x", "no JSON", "[1]", "{", '"x"'], "json": [5, 1.5, b"x", "no JSON", "{"],
    "any": [b"x"], "id": [1.5, [1], {"a": 1}, True, ""], "int": ["many", 1.5, -1, 2**53, [1], True],
    "time": ["now", 1.5, -1, 2**53, [1], True, 1767225600, 1767225600 * 10**6], "bool": ["yes", 2, -1, 1.5, [1]],
    "weight": ["much", -0.1, 1.1, [1], True], "duration": ["soon", -1, 1.5, [1], "", True],
    "turn": [1.5, -1, 2**53, [1], True, ""],
}


def test_wrong_arguments(cmd):
    beginning = cmd.name + ": "
    con = base()
    for i, place in enumerate(cmd.places):
        name, kind = place.split(":")
        required, kind = kind[0].isupper(), kind.lower()
        given = cmd.full() + [json.dumps(cmd.options)]
        for value in WRONG[kind]:
            wrong = given[:i] + [value] + given[i + 1:]
            if isinstance(value, (list, dict, bool)):  # no SQL values
                wrong = by_name(cmd, False) | {name: value}
                what = f"{cmd} / door, {name} = {value!r}"
                fails(what, con, lambda c: door(c, cmd.name, wrong), beginning + name)
                continue
            fails(f"{cmd} / {name} = {value!r}", con, lambda c: sugar(c, cmd.name, wrong), beginning + name)
        for value in [[1], {"a": 1}] if kind == "text" else []:
            wrong = by_name(cmd, False) | {name: value}
            fails(f"{cmd} / door, {name} = {value!r}", con, lambda c: door(c, cmd.name, wrong), beginning + name)
        if kind == "text":
            wrong = by_name(cmd, False) | {name: True}
            fails(f"{cmd} / door, {name} = true", con, lambda c: door(c, cmd.name, wrong), beginning + name)
        if required:
            missing = given[:i] + [None] + given[i + 1:]
            fails(f"{cmd} / {name} = NULL", con, lambda c: sugar(c, cmd.name, missing), f"{beginning}{name} is missing")
            left = {k: v for k, v in by_name(cmd, False).items() if k != name}
            fails(f"{cmd} / door without {name}", con, lambda c: door(c, cmd.name, left), f"{beginning}{name} is missing")
            if kind == "text":
                empty = given[:i] + [""] + given[i + 1:]
                fails(f"{cmd} / {name} = ''", con, lambda c: sugar(c, cmd.name, empty), beginning + name)
        else:
            fresh = base()
            skipped = given[:i] + [None] + given[i + 1:]
            message = error_of(fresh, lambda c: sugar(c, cmd.name, skipped))
            check(f"{cmd} / {name} = NULL: skipped, or refused in words", message is None or message.startswith(beginning), True)
            fresh.close()
    for name, kind in {**cmd.types, "now": "time", "request_id": "id"}.items():
        for value in WRONG[kind] + ([[1], {"a": 1}, True] if kind == "text" else []):
            if isinstance(value, bytes):
                continue
            wrong = cmd.full() + [json.dumps({**cmd.options, name: value})]
            fails(f"{cmd} / option {name} = {value!r}", con, lambda c: sugar(c, cmd.name, wrong), beginning + name)
    fails(f"{cmd} / an unknown option", con, lambda c: sugar(c, cmd.name, cmd.full() + ['{"colour":"red"}']), beginning + "unknown option 'colour'")
    fails(f"{cmd} / an unknown name", con, lambda c: door(c, cmd.name, {**by_name(cmd, False), "colour": "red"}), beginning + "unknown argument 'colour'")
    fails(f"{cmd} / too many arguments", con, lambda c: sugar(c, cmd.name, cmd.full() + ["{}", "{}"]), beginning)
    fails(f"{cmd} / options that are none", con, lambda c: sugar(c, cmd.name, cmd.full() + ["[]"]), beginning)
    con.close()


def test_read_only(cmd, path):
    def refused(name, con):
        for way, run in {"sugar": lambda c: sugar(c, cmd.name, positional(cmd)), "door": lambda c: door(c, cmd.name, by_name(cmd, False))}.items():
            if cmd.reads and way == "sugar":
                check(f"{cmd} / {name}: a read works", error_of(con, run), None)
            elif way == "sugar":
                fails(f"{cmd} / {name}, {way}", con, run, cmd.name + ": ", "readonly")
            else:
                check(f"{cmd} / {name}, {way}: refused", "readonly" in (error_of(con, run) or ""), True)

    con = connect(f"file:{path}?mode=ro", uri=True)
    refused("a read-only file", con)
    con.close()
    con = base()
    con.execute("PRAGMA query_only = ON")
    refused("query_only", con)
    con.close()


def test_not_installed(cmd):
    args = positional(cmd)
    con = connect()
    fails(f"{cmd} / before installing", con, lambda c: sugar(c, cmd.name, args), cmd.name + ": ", "turnstile_install()")
    check(f"{cmd} / before installing: nothing was made", con.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0], 0)
    con.close()
    for warm in (False, True):
        con = base()
        if warm:
            con.execute("BEGIN")
            sugar(con, cmd.name, args)
            con.execute("ROLLBACK")
        for (view,) in con.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
            con.execute(f"DROP VIEW {view}")
        for (table,) in con.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall():
            con.execute("DROP TRIGGER IF EXISTS sessions_keep")
            for (trigger,) in con.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                con.execute(f"DROP TRIGGER {trigger}")
            con.execute(f"DROP TABLE {table}")
        fails(f"{cmd} / after the schema was dropped{', used before' if warm else ''}", con,
              lambda c: sugar(c, cmd.name, args), cmd.name + ": ", "turnstile_install()")
        sugar(con, "turnstile_install", [])
        check(f"{cmd} / installed again: a session can begin", error_of(con, lambda c: sugar(c, "session_start", ["z", "x"])), None)
        con.close()


def test_unsafe_places(cmd):
    con = base()
    marks = ", ".join(f"'{a}'" for a in positional(cmd))
    con.execute("CREATE TABLE mine_t(x)")
    con.execute(f"CREATE TRIGGER mine_sugar AFTER INSERT ON mine_t BEGIN SELECT {cmd.name}({marks}); END")
    fails(f"{cmd} / sugar in a trigger", con, lambda c: c.execute("INSERT INTO mine_t VALUES (1)"), "unsafe use of " + cmd.name)
    con.execute("DROP TRIGGER mine_sugar")
    con.execute(f"CREATE VIEW mine_v AS SELECT {cmd.name}({marks}) AS x")
    fails(f"{cmd} / sugar in a view", con, lambda c: c.execute("SELECT * FROM mine_v").fetchall(), "unsafe use of " + cmd.name)
    con.close()


def test_repeat(cmd):
    """A request_id: the first result once more, whatever the door, and nothing changes."""
    con = base()
    if cmd.reads:
        return
    options = {**cmd.options, "request_id": "r1"}
    result = sugar(con, cmd.name, cmd.full() + [json.dumps(options)])
    after = dump(con)
    check(f"{cmd} / repeated: the same result", sugar(con, cmd.name, cmd.full() + [json.dumps(options)]), result)
    check(f"{cmd} / repeated through the door: the same result", door(con, cmd.name, {**by_name(cmd, False), "request_id": "r1"}), result)
    check(f"{cmd} / repeated later: the same result", door(con, cmd.name, {**by_name(cmd, False), "request_id": "r1", "now": NOW + 5}), result)
    same_dump(f"{cmd} / repeated", dump(con), after)
    other = "session_note" if cmd.name != "session_note" else "session_flush"
    fails(f"{cmd} / its id with another command", con, lambda c: door(c, other, {"label": "s", "text": "x", "request_id": "r1"}
          if other == "session_note" else {"label": "s", "request_id": "r1"}), f"{other}: request_id 'r1' was used before")
    con.close()


def test_turns():
    """Turns that can't be what they are given as, and tokens that are none."""
    con = base()
    for parent, why in (
        (0, "there is no turn 0"),
        (99, "there is no turn 99"),
        (BUSY, "is processing"),
        ("nobody", "parent: there is no turn with external_id 'nobody'"),
    ):
        fails(
            f"turn_append, parent {parent!r}",
            con,
            lambda c: door(c, "turn_append", ["idle", json.loads(ASKED), {"parent": parent}]),
            "turn_append: ",
            why,
        )
    for cmd in COMMANDS:
        if cmd.places[:2] == LIVE:
            for turn_id, token, why in (
                (99, 1, "there is no turn 99"),
                (BUSY, 0, "token 0"),
                (BUSY, 2, "token 2"),
                (FIRST, 1, "is completed"),
                (LATE, 2, "token 2"),
            ):
                fails(
                    f"{cmd} / turn {turn_id}, token {token}",
                    con,
                    lambda c: sugar(c, cmd.name, [turn_id, token] + cmd.full()[2:]),
                    cmd.name + ": ",
                    why,
                )
    for command, args, why in (
        ("turn_append", ["busy", ASKED], "'A2' executes turn"),
        ("turn_begin", ["busy", "A2"], "'A2' executes turn"),
        ("turn_compact", ["busy", "x"], "'A2' executes turn"),
        ("session_rewind", ["busy", BUSY - 1], "'A2' executes turn"),
        ("session_rewind", ["t", FORKED], "is not on the path"),
        ("session_rewind", ["t", 99], "there is no turn 99"),
        ("session_rewind", ["nobody", FIRST], "nobody"),
        ("session_fork", [99], "there is no turn 99"),
        ("session_fork", [BUSY], "is processing"),
        ("session_fork", [FIRST, "s"], "is taken"),
        ("session_delete", ["busy"], "'A2' executes it"),
        ("session_delete", ["nobody"], "nobody"),
        ("session_import", [DOCUMENT, '{"as":"t"}'], "label 't' is taken"),
        ("session_import", [DOCUMENT, '{"as":"busy","replace":1}'], "'A2' executes it"),
        ("turn_compact", ["s", "x"], "no turns"),
        ("turn_compact", ["nobody", "x"], "nobody"),
        ("turn_ancestor", [99, 0], "there is no turn 99"),
        ("session_diagram", ["t", "svg"], "format is 'svg'"),
        ("session_diagram", ["t", "dot", '{"turns":201}'], "turns is 201"),
        ("turn_common_ancestor", [FIRST, 99], "there is no turn 99"),
        ("turn_is_ancestor", [99, FIRST], "there is no turn 99"),
        ("session_needs_compaction", ["nobody", 5], "nobody"),
        ("session_needs_compaction", ["t", 0], "model_limit"),
        ("turn_begin", ["steered", "A2"], "'A2' executes turn"),
        ("turn_steering", [TRIED, 1], "is failed"),
        ("turn_steering", [DEAD, 2], "token 2"),
    ):
        fails(
            f"{command}{tuple(args)}", con, lambda c: sugar(c, command, args), command + ": ", why
        )
    for command, args, expected in (
        ("turn_ancestor", [FIRST, 1], None),
        ("turn_common_ancestor", [FIRST, BUSY], None),
        ("turn_is_ancestor", [FORKED, FIRST], 0),
        ("session_usage", ["nobody"], None),
        ("session_diagram", ["nobody"], None),
        ("turn_begin", ["t", "A1"], None),
        ("turn_begin", ["nobody", "A1"], None),
        ("queue_push", ["line", "one", '{"message_id":"m1","channel":"cron"}'], FIRST_IN),
        ("session_report", ["done", "completed", "there are 12"], REPORTED),
        ("turn_begin", ["tried", "A1"], None),
        (
            "turn_steering",
            [BUSY, 1],
            '{"messages":[],"expires_at":%d,"interrupted":false,"steering":0}' % (NOW + DAY // 24),
        ),
    ):
        before = dump(con)
        check(f"{command}{tuple(args)}", sugar(con, command, args), expected)
        same_dump(f"{command}{tuple(args)}: changes nothing", dump(con), before)
    con.close()


def test_queue():
    """What the queue and the workers refuse."""
    con = base()
    for command, args, why in (
        ("queue_push", ["s", "  "], "message is empty"),
        ("queue_push", ["s", "x", '{"mode":"later"}'], "mode is 'later'; it must be one of"),
        ("queue_push", ["s", "x", '{"source":"me"}'], "source is 'me'; it must be one of"),
        ("queue_push", ["s", "x", '{"owner":"A1"}'], "unknown option 'owner'"),
        ("queue_push", ["rejecting", "x"], "the queue of session 'rejecting' is full (queue_cap)"),
        ("queue_push", ["rejecting", "x", '{"message_id":"m1"}'], "is full (queue_cap)"),
        ("queue_push", ["line", "two", '{"message_id":"m1","channel":"cron"}'], "another message"),
        ("session_report", ["done", "completed", "other words"], "with another result"),
        ("session_report", ["done", "failed", "there are 12"], "has reported before, completed;"),
        ("session_deliver", ["s", "x", '{"mode":"later"}'], "mode is 'later'; it must be one of"),
        ("queue_cancel", [999], "there is no input 999 in the queue"),
        ("delivery_classify", [999, "NewTask"], "there is no delivery 999"),
        ("delivery_correct", [999, "NewTask"], "there is no delivery 999"),
        ("delivery_correct", [DOUBTED, "Maybe"], "class is 'Maybe'; it must be one of"),
        ("delivery_classify", [DOUBTED, "Maybe"], "class is 'Maybe'; it must be one of"),
        ("delivery_classify", [DOUBTED, "NewTask", '{"owner":"A1","keeps_turns":0}'], "give one of them"),
        ("queue_retry", [999], "there is no input 999 in the queue"),
        ("queue_front", [999], "there is no input 999 in the queue"),
        ("queue_cancel", [TAKEN], "is processing; it must be pending, handed or failed"),
        ("queue_retry", [SECOND], "is pending; it must be failed"),
        ("queue_retry", [TAKEN], "is processing; it must be failed"),
        ("queue_front", [FAILED], "is failed; it must be pending"),
        ("queue_front", [HANDED], "is handed; it must be pending"),
        ("session_spawn", ["nobody", "x"], "nobody"),
        ("session_spawn", ["s", " "], "task is empty"),
        ("session_spawn", ["s", "x", '{"timeout":0}'], "timeout must be longer than 0 ms"),
        ("session_report", ["child", "completed", "x", '{"task_id":1}'], "task_id is 1, which is not a task of worker 'child'"),
        ("session_stop", ["busy", FIRST, "enough"], "session 'busy' executes turn %d now, not %d" % (BUSY, FIRST)),
        ("session_stop", ["s", FIRST, "enough"], "session 's' executes no turn now"),
        ("session_run", ["busy", "A2", "idle"], "its own process gives the option token"),
        ("session_run", ["busy", "A2", "error", None, '{"token":9}'], "token 9 is not the one"),
        ("session_spawn", ["s", "x", '{"label":"t"}'], "label 't' is taken"),
        ("session_spawn", ["s", "x", '{"turn":99}'], "there is no turn 99"),
        ("session_spawn", ["s", "x", '{"tool_call_id":"k1"}'], "tool_call_id needs a turn"),
        ("session_spawn", ["busy", "x", '{"tool_call_id":"k1"}'], "has no tool call 'k1'"),
        ("session_report", ["nobody", "completed", "x"], "there is no worker 'nobody'"),
        ("session_report", ["s", "completed", "x"], "this session is not a worker: 's'"),
        ("session_report", ["child", "done", "x"], "status is 'done'; it must be one of"),
        ("session_report", ["child", "completed", ""], "result is empty"),
    ):
        fails(
            f"{command}{tuple(args)}", con, lambda c: sugar(c, command, args), command + ": ", why
        )
    con.close()
    for key, value, parent, why in (
        ("max_spawn_depth", 1, "child", "would lie 2 levels deep; max_spawn_depth allows 1"),
        ("max_children", 2, "parent", "has 2 workers at work; max_children allows 2"),
    ):
        con = base()
        sugar(con, "turnstile_config", [key, value])
        fails(key, con, lambda c: sugar(c, "session_spawn", [parent, "x"]), "session_spawn: ", why)
        con.close()
    # A full queue refuses a message for a live run in words, and remembers nothing of it.
    con = base()
    sugar(con, "turnstile_config", ["queue_full", "reject", '{"session":"full"}'])
    before = dump(con)
    options = '{"source":"timer","message_id":"m1"}'
    decision = json.loads(sugar(con, "session_deliver", ["full", "beat", options]))
    check("a full queue: rejected", decision["action"], "rejected")
    check("a full queue: an answer for the sender", bool(decision["message"]), True)
    refused = json.loads(con.execute("SELECT refused FROM sessions WHERE label = 'full'").fetchone()[0])
    check("a full queue: it shows", (refused["why"], refused["message"]), ("queue_full", "beat"))
    con.execute("UPDATE sessions SET refused = NULL WHERE label = 'full'")
    same_dump("a full queue: nothing else is remembered", dump(con), before)
    con.close()


def find_doubted(con):
    """Puts the delivery's id where COMMANDS and errors have its stand-in."""
    global DOUBTED
    doubted = con.execute("SELECT id FROM deliveries WHERE action = 'classify'").fetchall()
    if not check("SETUP: a message that is doubted", len(doubted), 1):
        sys.exit(1)
    for cmd in COMMANDS:
        cmd.args = [doubted[0][0] if arg is DOUBTED else arg for arg in cmd.args]
    DOUBTED = doubted[0][0]


def test_setup():
    """SETUP has made what the constants above name."""
    con = base()
    inputs = con.execute("SELECT id, session_label, status FROM session_queue").fetchall()
    for expected in (
        (HANDED, "waiting", "handed"),
        (FIRST_IN, "line", "pending"),
        (SECOND, "line", "pending"),
        (THIRD, "line", "pending"),
        (TAKEN, "steered", "processing"),
        (HINT, "steered", "pending"),
        (FAILED, "tried", "failed"),
        (REPORTED, "parent", "pending"),
    ):
        check(f"SETUP: {expected}", expected if expected in inputs else None, expected)
    find_doubted(con)
    runs = con.execute(
        "SELECT t.id, r.session_label, coalesce(r.run_state, t.status) FROM turns AS t "
        "LEFT JOIN session_runs AS r ON r.turn_id = t.id WHERE t.status IN ('running', 'failed')"
    ).fetchall()
    for expected in (
        (BUSY, "busy", "running"),
        (LATE, "late", "starting"),
        (STEERED, "steered", "interrupted"),
        (TRIED, None, "failed"),
        (DEAD, "dead", "starting"),
        (WORKED_AT, "full", "starting"),
    ):
        check(f"SETUP: {expected}", expected if expected in runs else None, expected)
    con.close()


# ---- Table-valued functions --------------------------------------------------------------------


def rows_of(con, name, args):
    marks = ", ".join("?" * len(args))
    return con.execute(f"SELECT * FROM {name}({marks})", args).fetchall()


def columns_of(con, name, args):
    marks = ", ".join("?" * len(args))
    return [d[0] for d in con.execute(f"SELECT * FROM {name}({marks})", args).description]


def in_join(con, name, args):
    con.execute("CREATE TEMP TABLE mine_a(a, b)")
    con.execute("INSERT INTO mine_a VALUES (?, ?)", (args + [None])[:2])
    more = ", a.b" if len(args) > 1 else ""
    return con.execute(f"SELECT x.* FROM mine_a AS a, {name}(a.a{more}) AS x").fetchall()


def test_table(name, args, first):
    what = f"{name}{tuple(args)}"
    con = base()
    before = dump(con)
    rows = rows_of(con, name, args)
    check(f"{what}: rows", len(rows) > (name != "policy_replay"), True)
    check(f"{what}: the first", rows[0][0], DOUBTED if first == "doubted" else first)
    same_dump(f"{what}: reads", dump(con), before)
    check(f"{what}: in a join", in_join(con, name, args), rows)
    marks = ", ".join("?" * len(args))
    check(
        f"{what}: in a subquery",
        con.execute(f"SELECT (SELECT count(*) FROM {name}({marks}))", args).fetchone()[0],
        len(rows),
    )
    both = con.execute(
        f"SELECT a.* FROM {name}({marks}) AS a JOIN {name}({marks}) AS b USING ({ROW.get(name, 'turn_id, depth')})",
        args + args,
    ).fetchall()
    check(
        f"{what}: twice in one statement",
        [r for r in rows if r[0] is not None and r not in both],
        [r for r in rows if name == "session_context" and r[2] is None],
    )
    con.execute("BEGIN")
    check(f"{what}: in a transaction", rows_of(con, name, args), rows)
    con.execute("INSERT INTO session_aliases VALUES ('mine', 't', 'manual', 1)")
    check(f"{what}: after a write", rows_of(con, name, args), rows)
    con.execute("ROLLBACK")
    for pragma in ("query_only = ON", "trusted_schema = OFF", "reverse_unordered_selects = ON"):
        con.execute(f"PRAGMA {pragma}")
        check(f"{what}: {pragma}", rows_of(con, name, args), rows)
    con.close()
    for where in ({"prefix": "p_"}, {"schema": "side"}, {"prefix": "p_", "schema": "side"}):
        con = base(**where)
        fails(
            f"{what} / {where} not in use",
            con,
            lambda c: rows_of(c, name, args),
            name + ": ",
            "turnstile_install()",
            **where,
        )
        sugar(con, "turnstile_use", [where.get("schema", "main"), where.get("prefix", "")])
        check(f"{what} / {where}: the same rows", rows_of(con, name, args), rows)
        con.close()
    con = base(encoding="UTF-16le")
    check(f"{what} / UTF-16: the same rows", rows_of(con, name, args), rows)
    con.close()
    # Not from what a file holds.
    con = base()
    literal = ", ".join(repr(a) for a in args)
    con.execute(f"CREATE VIEW mine_v AS SELECT * FROM {name}({literal})")
    fails(
        f"{what} / in a view",
        con,
        lambda c: c.execute("SELECT * FROM mine_v").fetchall(),
        f'unsafe use of virtual table "{name}"',
    )
    con.execute("CREATE TABLE mine_t(x)")
    con.execute(
        f"CREATE TRIGGER mine_a AFTER INSERT ON mine_t BEGIN SELECT * FROM {name}({literal}); END"
    )
    fails(
        f"{what} / in a trigger",
        con,
        lambda c: c.execute("INSERT INTO mine_t VALUES (1)"),
        f'unsafe use of virtual table "{name}"',
    )
    fails(
        f"{what} / written to",
        con,
        lambda c: c.execute(f"DELETE FROM {name}"),
        f"table {name} may not be modified",
    )
    con.close()


TABLE_ERRORS = [
    ("turn_path", [], "turn_path: it needs a session's label or a turn's id"),
    ("turn_path", [1.5], "turn_path: it needs a session's label or a turn's id"),
    ("turn_path", [b"t"], "turn_path: it needs a session's label or a turn's id"),
    ("turn_path", ["nobody"], "turn_path: "),
    ("turn_path", [99], "turn_path: there is no turn 99"),
    ("turn_path", [-1], "turn_path: there is no turn -1"),
    ("turn_path", ["t", "t", 1], "too many arguments on turn_path() - max 2"),
    ("turn_tree", [], "turn_tree: it needs the id of a turn"),
    ("turn_tree", ["t"], "turn_tree: it needs the id of a turn"),
    ("turn_tree", [99], "turn_tree: there is no turn 99"),
    ("session_context", [], "session_context: it needs a session's label or a turn's id"),
    ("session_context", [1.5], "session_context: it needs a session's label or a turn's id"),
    ("session_context", [b"t"], "session_context: it needs a session's label or a turn's id"),
    ("session_context", ["nobody"], "session_context: "),
    ("session_context", [99], "session_context: there is no turn 99"),
    ("session_context", ["t", -1], "session_context: token_budget must be a number of tokens"),
    ("session_context", ["t", "many"], "session_context: token_budget must be a number of tokens"),
    ("session_context", ["t", 1.5], "session_context: token_budget must be a number of tokens"),
    ("policy_replay", ["[]"], "policy_replay: options must be a JSON object"),
    ("policy_replay", ['{"limit":-1}'], "policy_replay: limit must be an integer"),
    ("policy_replay", ['{"floor":1}'], "policy_replay: option is 'floor'; it must be one of"),
]


def test_tables():
    for name, args, first in TABLES:
        test_table(name, args, first)
    con = base()
    for name, args, beginning in TABLE_ERRORS:
        fails(f"{name}{tuple(args)}", con, lambda c: rows_of(c, name, args), beginning)
    for name, args in (
        ("turn_path", [None]),
        ("turn_tree", [None]),
        ("session_context", [None]),
        ("turn_path", ["s"]),
        ("session_context", ["s"]),
        ("session_context", ["t", 0]),
    ):
        check(f"{name}{tuple(args)}: no rows", rows_of(con, name, args), [])
    con.close()
    con = connect()
    for name, args, _ in TABLES:
        fails(
            f"{name}{tuple(args)} / before installing",
            con,
            lambda c: rows_of(c, name, args),
            name + ": ",
            "turnstile_install()",
        )
    con.close()
    con = base()
    path = (
        "turn_id depth parent_turn_id turn_type status source model provider input_tokens "
        "output_tokens cached_input_tokens cache_write_tokens reasoning_tokens total_tokens thread_tokens "
        "context_turn_id external_id started_at completed_at error"
    )
    check("turn_path: columns", columns_of(con, "turn_path", ["t"]), path.split())
    check(
        "turn_tree: columns",
        columns_of(con, "turn_tree", [FIRST]),
        path.replace(" ", " level ", 1).split(),
    )
    check(
        "session_context: columns",
        columns_of(con, "session_context", ["t"]),
        "position turn_id sequence kind role content tool_call_id tool_name status tokens source "
        "metadata created_at".split(),
    )
    con.close()


# ---- Beside the commands ---------------------------------------------------------------------------


def test_batch():
    """Each row of a batch returns its own result: RETURNING is evaluated after the trigger."""
    con = base()
    rows = con.execute("INSERT INTO turnstile SELECT 'session_note', json_array('s', value) FROM json_each('[\"a\",\"b\",\"c\"]') "
                       "RETURNING turnstile_result()").fetchall()
    texts = [con.execute("SELECT data ->> '$.text' FROM observations WHERE id = ?", row).fetchone()[0] for row in rows]
    check("a batch returns a result per row", texts, ["a", "b", "c"])
    rows = con.execute("INSERT INTO turnstile VALUES ('session_state', '[\"s\"]'), ('session_flush', '[\"s\"]'), "
                       "('session_recover', '[\"nobody\"]') RETURNING turnstile_result()").fetchall()
    check("a batch of several commands", (json.loads(rows[0][0])["task_state"], len(rows[1][0]), rows[2][0]), ("Running", 64, None))
    con.close()


def test_without_extension(path):
    """The file is read, dumped, restored, vacuumed and guarded without the extension."""
    con = sqlite3.connect(path, isolation_level=None)
    check("without the extension: reading", con.execute("SELECT count(*) FROM sessions").fetchone()[0] > 5, True)
    before = dump(con)
    check("without the extension: a guard", error_of(con, lambda c: c.execute("DELETE FROM commits")), "commits: append-only"
          if con.execute("SELECT count(*) FROM commits").fetchone()[0] else None)
    check("without the extension: the door", "turnstile_dispatch" in (error_of(con, lambda c: c.execute("INSERT INTO turnstile VALUES ('session_note', '[]')")) or ""), True)
    con.execute("ALTER TABLE sessions RENAME COLUMN routing_key TO routing")
    con.execute("ALTER TABLE sessions RENAME COLUMN routing TO routing_key")
    con.execute("VACUUM")
    check("without the extension: integrity", con.execute("PRAGMA integrity_check").fetchone()[0], "ok")
    same_dump("without the extension: VACUUM", dump(con), before)
    script = "\n".join(con.iterdump())
    copy = connect()
    copy.executescript(script)
    same_dump("without the extension: dumped and restored", dump(copy), before)
    check("a restored dump works", error_of(copy, lambda c: sugar(c, "session_note", ["s", "restored"])), None)
    copy.close()
    con.close()


def main():
    global LIBRARY
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: tests/suites/matrix.py BUILDDIR [N [FIRST]]")
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    first = int(sys.argv[3]) % every if len(sys.argv) > 3 else 0
    LIBRARY = library(sys.argv[1])
    path = suite.path("file.db")
    con = connect(path)
    install(con)
    con.close()
    test_setup()
    for cmd in COMMANDS[first::every]:
        for test in (test_ways, test_elsewhere, test_encodings, test_undone, test_wrong_arguments, test_not_installed, test_unsafe_places, test_repeat):
            test(cmd)
        test_read_only(cmd, path)
        if not cmd.reads:
            test_half_way_in_statements(cmd, test_half_way(cmd))
    test_dry_runs()
    test_checked_rows()
    test_turns()
    test_queue()
    test_tables()
    test_batch()
    test_without_extension(path)
    suite.done()


if __name__ == "__main__":
    main()
