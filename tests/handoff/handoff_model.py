#!/usr/bin/python3
"""handoff_model.py - session_export and session_import: nothing is lost, and nothing is believed.

    tests/handoff/handoff_model.py BUILDDIR [seeds]

Round trips: random logs (those of replay.py) are played, and every session of the result is exported
and imported into a file that has other sessions already, so that no id is what it was. What is exported
from there is the same, byte for byte, also when the session has another label there; contexts, paths,
states and inputs show the same; the same further commands return the same, ids aside. A document may
have gone through a JSON tool on its way.

Mutations: every value of a document is changed. As long as its digest is that of the old content, it is
refused. With the digest made right, by a second implementation of it here, it is refused or the file is
sound afterwards; and whatever is refused has changed nothing.

Then processes are killed in the middle of an import, and steps of SQLite's machine are counted: both take
what their session takes, whatever else the file holds.
"""

import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "suites"))
sys.path.insert(0, os.path.join(here, "..", "lib"))
import replay  # noqa: E402
from harness import INVARIANTS, Suite, Tally, connect, door, error_of, library, one  # noqa: E402

suite, tally = Suite("handoff"), Tally()
lib = library(sys.argv[1])
replay.LIBRARY = lib
SEEDS = int(sys.argv[2]) if len(sys.argv) == 3 else 3
LENGTH = 500
EVERY = SEEDS > 20  # every mutant
NOW = 1_700_000_000_000

# ---- The digest once more ------------------------------------------------------------------------

# The fields of each section, in the order in which they count; not those that follow from the rest.
TOKENS = "input_tokens output_tokens cached_input_tokens cache_write_tokens reasoning_tokens total_tokens"
SECTIONS = {
    "session": "status status_reason persona_id routing_key work_source queue_mode pending_choice "
    "resume_cursor head failed_turn open_task offered_at created_at updated_at last_activity "
    "archived_at " + TOKENS + " refused head_events",
    "tasks": "n description state state_data started_at last_activity ended_at head_step base_commit "
    "commit worked continues asked_after",
    "steps": "n task parent step_kind state state_data payload created_at",
    "observations": "n task turn kind auto hash object step created_at data",
    "objects": "n id kind size data",
    "edges": "from_kind from_ref to_kind to_ref label weight evidence created_at task",
    "commits": "n parent task message commit_type type_data head_step created_at",
    "turns": "n parent turn_type status on_path source model provider persona_id "
    + TOKENS
    + " context answers resumes inputs thread_tokens external_id started_at completed_at error nth",
    "messages": "turn sequence role source tool_call_id created_at metadata content",
    "tool_calls": "turn sequence id tool_name status spawned_session_label started_at completed_at "
    "error params result",
    "compactions": "turn summarized_through first_kept recovered turns_summarized turns_kept "
    "compaction_type trigger focus model provider tokens_before tokens_after summary_tokens "
    "summarization_input_tokens summarization_output_tokens duration_ms created_at metadata_json "
    "summary",
    "history": "turn task changed_at reason events",
    "events": "task axis from_state to_state trigger data at",
    "deliveries": "n message_id channel sender source class confidence action decision at message corrected",
    "queue": "n delivery source channel sender mode message_id class status attempts turn "
    "enqueued_at delivered_at error rank message held awaits_turn shown_turn exempt due_at due_after opened_at asked_at task",
    "aliases": "alias created_at",
    "config": "key value",
}


# What version 1 did not have.
NEW = {
    "session": "refused head_events",
    "tasks": "worked continues asked_after",
    "edges": "task",
    "turns": "nth",
    "history": "events",
    "deliveries": "corrected",
    "queue": "held awaits_turn shown_turn exempt due_at due_after opened_at asked_at task",
}


def fields_of(version):
    if version > 1:
        return SECTIONS
    return {
        section: " ".join(f for f in fields.split() if f not in NEW.get(section, "").split())
        for section, fields in SECTIONS.items()
    }


def digest(content, version=2):
    parts = [b"export\0"]
    for section, fields in fields_of(version).items():
        rows = content[section] if section != "session" else [content[section]]
        parts.append(f"S{section}:{len(rows)}\n".encode())
        for row in rows:
            for field in fields.split():
                value = row[field]
                if value is None:
                    parts.append(b"n")
                elif isinstance(value, int):
                    parts.append(f"i{value};".encode())
                else:
                    text = value.encode(errors="surrogatepass")
                    parts.append(b"t%d:%s" % (len(text), text))
    return hashlib.sha256(b"".join(parts)).hexdigest()


# ---- Files and documents -------------------------------------------------------------------------


def new_file(noise=True):
    """A file whose ids are not those that another one begins with."""
    db = connect(":memory:", lib)
    one(db, "SELECT turnstile_install()")
    one(db, f"SELECT turnstile_clock({NOW})")
    if noise:
        for i in range(7):
            door(db, "session_deliver", f"noise {i}", "make some noise", {"owner": "n"})
            door(db, "session_note", f"noise {i}", "noted")
            door(db, "turn_append", f"other {i}", [{"role": "user", "content": "x"}])
    return db


def export(db, label):
    return one(db, "SELECT session_export(?)", label)


def take(db, doc, **options):
    text = doc if isinstance(doc, str) else json.dumps(doc)
    report = one(db, "SELECT session_import(?, ?)", text, json.dumps(options))
    return json.loads(report)


def sound(what, db):
    wrong = {
        name: db.execute(sql).fetchmany(2) for name, sql in INVARIANTS if "gapless" not in name
    }
    return suite.check(f"{what}: sound", {k: v for k, v in wrong.items() if v}, {})


def differs(a, b):
    """Where two contents differ, to be shown."""
    for section in a:
        if a[section] != b[section]:
            if isinstance(a[section], dict):
                return section, {
                    k: (v, b[section][k]) for k, v in a[section].items() if v != b[section][k]
                }
            if len(a[section]) != len(b[section]):
                return section, len(a[section]), len(b[section])
            for i, (x, y) in enumerate(zip(a[section], b[section])):
                if x != y:
                    return section, i, {k: (v, y[k]) for k, v in x.items() if v != y[k]}
    return None


def first_difference(x, y):
    """Both, or of two lists the first rows that differ."""
    if isinstance(x, list) and len(x) == len(y):
        return next(((a, b) for a, b in zip(x, y) if a != b), (None, None))
    return x, y


def numbered(content):
    """A content with the ids of steps and commits taken out."""
    return json.dumps(content).replace('"id": "', '"id": "', 1) and {
        section: [
            {k: v for k, v in row.items() if not (k == "id" and section in ("steps", "commits"))}
            for row in rows
        ]
        if isinstance(rows, list)
        else rows
        for section, rows in content.items()
    }


# ---- What a session shows ------------------------------------------------------------------------


def shown(db, label):
    """What is seen of a session, without the ids of anything."""
    context = [
        row
        for row in db.execute(
            "SELECT position, sequence, kind, role, content, tool_call_id, tool_name, status, tokens, source, "
            "iif(metadata LIKE '{\"queue_id\":%', NULL, metadata), created_at FROM session_context(?)",
            (label,),
        )
    ]
    path = db.execute(
        "SELECT p.turn_type, p.status, p.source, p.model, p.provider, p.input_tokens, p.output_tokens, "
        "p.total_tokens, p.thread_tokens, p.started_at, p.completed_at, p.error, (SELECT group_concat(m.role || m.content) FROM messages AS m "
        "WHERE m.place BETWEEN p.turn_id << 12 AND p.turn_id << 12 | 4095) FROM turn_path(?) AS p",
        (label,),
    ).fetchall()
    queue = db.execute(
        "SELECT source, channel, sender, mode, message_id, class, status, attempts, enqueued_at, "
        "message, held, awaits_turn, exempt, due_at, due_after, opened_at, asked_at FROM session_queue WHERE session_label = ? AND delivered_at IS NULL "
        "ORDER BY rank, delivery_id, id",
        (label,),
    ).fetchall()
    usage = json.loads(one(db, "SELECT session_usage(?)", label))
    progress = one(db, "SELECT session_progress(?)", label)
    return {"context": context, "path": path, "queue": queue, "usage": usage, "progress": progress}


IDS = re.compile(
    r'"(turn|token|task_id|queue_id|delivery|delivery_id|parent|head|previous_head|dropped_turn|first_kept_turn_id|summarized_through_turn_id|id)":'
    r"(\d+)"
)


# What a process that served the session has left behind, and where the session came from.
RUN = re.compile(
    r'"(run|last_run)":(null|\{(?:[^{}]|\{[^{}]*\})*\})|"(origin|run_state)":"[^"]*"|"owner":(null|"[^"]*")'
)


def without_ids(result):
    """A result with its ids taken out."""
    if isinstance(result, int):
        return "a number"
    text = IDS.sub(lambda m: f'"{m[1]}":N', str(result))
    text = re.sub(r'"earlier":\[[\d,]+\]', '"earlier":[N]', text)
    return re.sub(r"\b\d{7,12}\b", "N", re.sub(r"(turn|task|input) \d+", r"\1 N", text))


def result_of(db, command, *args):
    try:
        result = door(db, command, *args)
        tally.add(command, args)
        return result
    except Exception as error:  # noqa: BLE001 - an error is a result
        tally.add(command, args, error)
        return f"error: {error}"


def by_id(r, label, a, b, now):
    """A command on one row of each: a place of the thread to go back to, or an input."""
    if r.random() < 0.5:
        sql = "SELECT turn_id FROM turn_path(?) ORDER BY depth"
        commands = [lambda row: ("session_rewind", [label, row, {"now": now}])]
    else:
        sql = (
            "SELECT id FROM session_queue WHERE session_label = ? AND status IN ('failed', 'pending') "
            "ORDER BY id"
        )
        commands = [
            lambda row: ("queue_retry", [row, {"now": now}]),
            lambda row: ("queue_cancel", [row, {"now": now}]),
        ]
    rows = [[row for (row,) in db.execute(sql, (label,))] for db in (a, b)]
    if not rows[0] or len(rows[0]) != len(rows[1]):
        return [("session_state", [label, {"now": now}])] * 2
    i, command = r.randrange(len(rows[0])), r.choice(commands)
    return [command(of[i]) for of in rows]


def came_tried(db, label):
    """How many inputs were tried in a turn that is not known? A document doesn't tell of turns of another session,
    in which an input was before a merge: in the copy an undo takes it for one that was tried at the head."""
    return one(
        db,
        "SELECT count(*) FROM session_queue WHERE session_label = ? AND attempts > 0 AND shown_turn_id IS NULL "
        "AND (delivered_at IS NULL OR status = 'failed')",
        label,
    )


def go_on(label, a, b, what):
    """The same commands on both; they return the same."""
    r = random.Random(what)  # another walk for each session
    turns = [None, None]
    for i in range(30):
        now = NOW + 60_000 * (i + 1)
        kind = r.randrange(15)
        live = turns[0] and turns[1]
        if live and kind < 6:
            command = r.choice(
                ["turn_message", "turn_complete", "turn_tool_call", "turn_fail", "turn_steering"]
            )
            rest = {
                "turn_message": [{"role": "assistant", "content": f"step {i}"}],
                "turn_complete": [
                    {"content": f"done {i}", "outcome": r.choice(["done", "question"])}
                ],
                "turn_tool_call": [f"call{i}", "ls", {"path": "."}],
                "turn_fail": ["it broke"],
                "turn_steering": [],
            }[command]
            more = {"retry_after": "3m"} if command == "turn_fail" and r.random() < 0.5 else {}
            calls = [
                (command, [t["turn"], t["token"], *rest, {"now": now, **more}]) for t in turns
            ]
        elif kind >= 13:
            calls = by_id(r, label, a, b, now)
        elif kind == 12:
            state = one(
                a, "SELECT coalesce(pending_choice, state_data, '{}') FROM sessions AS s LEFT JOIN tasks AS t "
                "ON t.id = s.open_task_id WHERE label = ?", label,
            )
            asked = json.loads(state)
            named = {k: asked[k] for k in ("opened_at", "asked_at") if k in asked}
            calls = [
                r.choice(
                    [
                        ("session_deliver", [label, "five of them", {"now": now, **named}]),
                        ("session_deliver", [label, "and log it", {"now": now, "keeps_turns": 0}]),
                        ("turnstile_config", ["keeps_turns", r.choice([0, 1]), {"session": label}]),
                    ]
                )
            ] * 2
        elif kind < 4:
            text = r.choice(replay.MESSAGES[:30])
            calls = [("session_deliver", [label, text, {"now": now}])] * 2
        else:
            calls = [
                r.choice(
                    [
                        ("turn_begin", [label, "w", {"now": now}]),
                        (
                            "turn_begin",
                            [
                                label,
                                "w",
                                {"now": now, "messages": [{"role": "user", "content": "go"}]},
                            ],
                        ),
                        ("session_note", [label, f"note {i}", {"now": now}]),
                        (
                            "session_transition",
                            [
                                label,
                                r.choice(["Running", "AwaitingUser", "PendingComplete", "Aborted"]),
                                {"question": "q", "summary": "s", "reason": "r"},
                                {"now": now},
                            ],
                        ),
                        ("session_deliver", [label, "paint the door", {"now": now, "class": "NewTask"}]),
                        ("session_flush", [label, None, {"now": now}]),
                        ("session_compact", [label, "enough", {"now": now}]),
                        ("session_recover", [label, {"now": now}]),
                        ("turn_compact", [label, "what was said", {"now": now, "keep_turns": 1}]),
                        (
                            "turn_append",
                            [label, [{"role": "user", "content": f"t{i}"}], {"now": now}],
                        ),
                        ("session_choose", [label, "A", {"now": now}]),
                        ("session_state", [label, {"now": now}]),
                        (
                            "session_deliver",
                            [
                                label,
                                "yes",
                                {"now": now, "message_id": "m3", "channel": "wa", "sender": "u1"},
                            ],
                        ),
                    ]
                )
            ] * 2
        if calls[0][0] == "session_rewind" and came_tried(a, label) != came_tried(b, label):
            continue
        got = [result_of(db, c, *args) for db, (c, args) in zip((a, b), calls)]
        if calls[0][0] in ("session_state", "session_recover"):
            got = [RUN.sub("", str(g)) for g in got]
        if not suite.check(f"{what}: {calls[0]}", without_ids(got[1]), without_ids(got[0])):
            return
        if calls[0][0] == "turn_begin" and got[0] and not got[0].startswith("error"):
            turns = [json.loads(g) for g in got]
        if calls[0][0] in ("turn_complete", "turn_fail") and not got[0].startswith("error"):
            turns = [None, None]
    x, y = (json.loads(export(db, label))["content"] for db in (a, b))
    for content in (x, y):
        for row in (*content["history"], content["session"]):
            key = "events" if "events" in row else "head_events"
            if row[key] is not None:
                row[key] = sum(e["axis"] != "run" for e in content["events"][: row[key]])
        content["events"] = [e for e in content["events"] if e["axis"] != "run"]
        content["turns"] = [{**turn, "external_id": None} for turn in content["turns"]]
    suite.check(f"{what}: what they export in the end", differs(x, y), None)


def as_old(doc):
    """The same as a document of version 1; None where one could not say it."""
    old = json.loads(json.dumps(doc))
    content = old["content"]
    if any('"retries_turn_id"' in (m["metadata"] or "") for m in content["messages"]):
        return None
    if any(row["turn"] is None for row in content["history"]):
        return None
    head = content["session"]["head"] or 0
    known = {row[key] for row in content["turns"] for key in ("context", "resumes")}
    known.add(content["session"]["failed_turn"])
    if any(row["n"] > head and row["n"] not in known for row in content["turns"]):
        return None
    for section, fields in NEW.items():
        for row in content[section] if section != "session" else [content[section]]:
            for field in fields.split():
                del row[field]
    old["turnstile_export"] = 1
    old["hash"] = digest(content, 1)
    return old


def of_old(b, doc, what):
    """A document of before is taken, and says the same as far as it goes."""
    old = as_old(doc)
    if not old:
        return
    label = f"old {doc['label']}"
    old["content"]["aliases"] = []
    for turn in old["content"]["turns"]:
        turn["external_id"] = None
    old["hash"] = digest(old["content"], 1)
    error = error_of(lambda: take(b, old, **{"as": label}))
    if not suite.check(f"{what}: version 1 is taken", error and str(error), None):
        return
    back = as_old(json.loads(export(b, label)))["content"]
    suite.check(f"{what}: as version 1 the same", differs(numbered(old["content"]), numbered(back)), None)
    again = take(b, old, replace=1, **{"as": label})
    suite.check(f"{what}: again changes nothing, as version 1", again["unchanged"], True)
    mixed = {**doc, "turnstile_export": 1}
    suite.check(
        f"{what}: version 1 has no fields of version 2",
        "has no field" in str(error_of(lambda: take(b, mixed, **{"as": "mixed"}))),
    )
    counts["old"] = counts.get("old", 0) + 1


def copy_of(db):
    other = connect(":memory:", lib)
    db.backup(other)
    one(other, f"SELECT turnstile_clock({NOW})")
    return other


def without_corrections_of_others(db, label):
    """What was corrected counts in its whole file, and where a session is taken in that one alone."""
    for (delivery,) in db.execute("SELECT id FROM deliveries WHERE corrected IS NOT NULL AND session_label <> ?", (label,)).fetchall():
        one(db, "SELECT delivery_correct(?, NULL)", delivery)
    return db


def crashed(a, b, label, turn, what):
    """A turn that runs is not in a document: it is as if its process had died."""
    recorded = one(
        a,
        "SELECT EXISTS (SELECT 1 FROM tool_calls WHERE place BETWEEN (t.id << 12) + t.inputs AND t.id << 12 | 4095) "
        "OR EXISTS (SELECT 1 FROM messages WHERE place BETWEEN (t.id << 12) + t.inputs AND t.id << 12 | 4095) "
        "FROM turns AS t WHERE id = ?",
        turn,
    )
    after = copy_of(a)
    one(after, "SELECT turnstile_startup(NULL, '{\"all\":1}')")
    x, y = shown(b, label), shown(after, label)
    for rows in (x, y):  # the crash has made it one that takes no inputs, and has a time
        rows["queue"] = [(*row[:10], *row[11:13]) for row in rows["queue"]]
    suite.check(f"{what}: what waits, as after a crash", *first_difference(x["queue"], y["queue"]))
    if not recorded:
        suite.check(
            f"{what}: the context, as after a crash", *first_difference(x["context"], y["context"])
        )
    sql = "SELECT message FROM session_queue WHERE session_label = ? AND status = 'failed' ORDER BY id"
    if not one(a, "SELECT count(*) FROM session_queue WHERE goes_to IS NOT NULL"):
        # (What a crash would move to where its sender's messages go now stays with the document.)
        suite.check(
            f"{what}: what failed, as after a crash",
            *(db.execute(sql, (label,)).fetchall() for db in (b, after)),
        )
    counts["running"] += 1


def round_trips(seed):
    log = replay.make_log(seed, LENGTH)
    a = replay.connect(":memory:")
    replay.play(a, log, replay.by_sugar)
    one(a, f"SELECT turnstile_clock({NOW})")
    one(a, "SELECT session_alias('seen as', 'main')") if one(
        a, "SELECT resolve_session('main')"
    ) else None
    b = new_file()
    for row in a.execute(
        "SELECT key, value FROM turnstile_config WHERE session_label = ''"
    ).fetchall():
        b.execute("INSERT INTO turnstile_config(key, value) VALUES (?, ?)", row)
    r = random.Random(seed)
    # Where a file says itself whether its host keeps turns, that holds, whatever a single delivery has said.
    a.execute(
        "UPDATE session_queue AS q SET awaits_turn = (SELECT value <> 0 FROM turnstile_config "
        "WHERE session_label = '' AND key = 'keeps_turns') WHERE status = 'handed' "
        "AND EXISTS (SELECT 1 FROM turnstile_config WHERE session_label = '' AND key = 'keeps_turns') "
        "AND NOT EXISTS (SELECT 1 FROM turnstile_config AS c WHERE c.session_label = q.session_label "
        "AND key = 'keeps_turns')"
    )
    for (label,) in a.execute("SELECT label FROM sessions ORDER BY label").fetchall():
        what = f"seed {seed}, {label}"
        text = export(a, label)
        doc = json.loads(text)
        label = doc["label"]
        counts["documents"] += 1
        for section, rows in doc["content"].items():
            counts[section] = counts.get(section, 0) + len(rows)
        if not suite.check(f"{what}: the digest", doc["hash"], digest(doc["content"])):
            continue
        if one(b, "SELECT resolve_session(?)", label):
            continue
        # A JSON tool in between.
        way = r.randrange(4)
        sent = [
            text,
            json.dumps(doc, indent=2),
            json.dumps(doc, sort_keys=True, ensure_ascii=False),
            json.dumps(dict(reversed(list(doc.items()))), ensure_ascii=True, separators=(",", ":")),
        ][way]
        ids = [t["external_id"] for t in doc["content"]["turns"] if t["external_id"]]
        taken = b.execute(
            f"SELECT external_id FROM turns WHERE external_id IN ({','.join('?' * len(ids))})", ids
        ).fetchall()
        error = error_of(take, b, sent)
        if not suite.check(f"{what}: it is imported", error and str(error), None):
            continue
        back = json.loads(export(b, label))
        for turn in doc["content"]["turns"]:
            turn["external_id"] = None if (turn["external_id"],) in taken else turn["external_id"]
        suite.check(f"{what}: the same content", differs(doc["content"], back["content"]), None)
        if not taken:
            suite.check(f"{what}: the same digest", back["hash"], doc["hash"])
        for turn in doc["content"]["turns"]:
            turn["external_id"] = None
        elsewhere = take(b, sent, **{"as": f"copy of {label}"})
        suite.check(
            f"{what}: left out {elsewhere['aliases_left_out']}",
            elsewhere["aliases_left_out"],
            [row["alias"] for row in doc["content"]["aliases"]],
        )
        other = json.loads(export(b, f"copy of {label}"))
        hidden = {"aliases": [], "turns": None}
        x, y = ({**numbered(d["content"]), **hidden} for d in (doc, other))
        suite.check(f"{what}: the same under another label", differs(x, y), None)
        again = take(b, sent)
        suite.check(f"{what}: again changes nothing", again["unchanged"], True)
        again = take(b, sent, replace=1)
        suite.check(f"{what}: nor does replacing it", again["unchanged"], True)
        again = take(b, sent, replace=1, **{"as": f"copy of {label}"})
        suite.check(f"{what}: nor the one under another label", again["unchanged"], True)
        of_old(b, doc, what)
        running = one(a, "SELECT turn_id FROM session_runs WHERE session_label = ?", label)
        merged = one(a, "SELECT superseded_by FROM sessions WHERE label = ?", label)
        if running and not merged:
            crashed(a, b, label, running, what)
        if running or merged:
            continue
        x, y = shown(b, label), shown(a, label)
        for part in x:
            suite.check(f"{what}: it shows the same {part}", *first_difference(x[part], y[part]))
        worker = one(
            a,
            "SELECT is_subagent OR EXISTS (SELECT 1 FROM sessions WHERE parent_session_label = s.label) "
            "OR EXISTS (SELECT 1 FROM sessions WHERE superseded_by = s.label) "
            "FROM sessions AS s WHERE label = ?",
            label,
        )
        if not worker:
            go_on(label, without_corrections_of_others(copy_of(a), label), copy_of(b), f"{what}, going on")
            counts["gone on"] += 1
    sound(f"seed {seed}", b)
    before = b.execute("SELECT label FROM sessions").fetchall()
    for (label,) in before:
        one(b, "SELECT session_delete(?, '{\"force\":1}')", label)
    for table in ("turns", "branches", "messages", "objects", "steps", "session_events"):
        suite.check(
            f"seed {seed}: deleting all leaves no {table}",
            one(b, f"SELECT count(*) FROM {table}"),
            0,
        )


# ---- A document that somebody else has written ---------------------------------------------------


def hashed(kind, text):
    content = text.encode(errors="surrogatepass")
    return hashlib.sha256(
        b"%s %d\0%s" % (kind.encode(errors="surrogatepass"), len(content), content)
    ).hexdigest()


def canonical(pairs):
    """Canonical JSON; raw values are JSON already."""
    parts = []
    for key, value, raw in pairs:
        shown = value if raw and value is not None else json.dumps(value, ensure_ascii=False)
        parts.append(f'"{key}":{shown}')
    return "{" + ",".join(parts) + "}"


def edge_hash(content, row):
    """Of what a relation names, a note is its hash, a task its beginning."""

    def end(kind, ref):
        if not isinstance(row[ref], int):
            return row[ref]
        if row[kind] == "note":
            return content["observations"][row[ref] - 1]["hash"]
        task = content["tasks"][row[ref] - 1]
        return f"{task['started_at']} {task['description']}"

    return hashed(
        "edge",
        canonical(
            [
                ("from_kind", row["from_kind"], 0),
                ("from", end("from_kind", "from_ref"), 0),
                ("to_kind", row["to_kind"], 0),
                ("to", end("to_kind", "to_ref"), 0),
                ("label", row["label"], 0),
                ("weight", row["weight"], 0),
                ("evidence", row["evidence"], 0),
                ("created_at", row["created_at"], 0),
            ]
        ),
    )


LISTED = {}  # which relations each step lists, by number: a document that was changed does not tell


def find_listed(doc):
    edges = [edge_hash(doc["content"], row) for row in doc["content"]["edges"]]
    for row in doc["content"]["steps"]:
        LISTED[row["n"]] = [edges.index(h) for h in json.loads(row["payload"]) if h in edges]


def made_right(doc):
    """Every id, hash and size of a document anew from its content, and the digest."""
    content, label = doc["content"], doc["label"]

    def get(section, n, field):
        return content[section][n - 1][field] if n else None

    try:
        for row in content["objects"]:
            row["size"] = len(row["data"].encode(errors="surrogatepass"))
            row["id"] = hashed(row["kind"], row["data"])
        payloads = {}
        for row in content["observations"]:
            row["hash"] = hashed(
                "observation",
                canonical(
                    [
                        ("kind", row["kind"], 0),
                        ("data", row["data"], 1),
                        ("content", get("objects", row["object"], "id"), 0),
                        ("created_at", row["created_at"], 0),
                    ]
                ),
            )
            payloads.setdefault(row["step"], []).append(row["hash"])
        for row in content["steps"]:
            related = [edge_hash(content, content["edges"][i]) for i in LISTED.get(row["n"], [])]
            row["payload"] = json.dumps(
                payloads.get(row["n"], []) + related, separators=(",", ":")
            )

        def steps_of(task):
            for row in content["steps"]:
                if row["task"] != task["n"]:
                    continue
                row["id"] = hashed(
                    "step",
                    canonical(
                        [
                            ("parent", get("steps", row["parent"], "id"), 0),
                            ("base", get("commits", task["base_commit"], "id"), 0),
                            ("session", label, 0),
                            ("task", task["description"], 0),
                            ("step_kind", row["step_kind"], 0),
                            ("state", row["state"], 0),
                            ("state_data", row["state_data"], 1),
                            ("payload", row["payload"], 1),
                            ("created_at", row["created_at"], 0),
                        ]
                    ),
                )

        for row in content["commits"]:
            task = content["tasks"][row["task"] - 1]
            steps_of(task)
            row["id"] = hashed(
                "commit",
                canonical(
                    [
                        ("parent", get("commits", row["parent"], "id"), 0),
                        ("session", label, 0),
                        ("task", task["description"], 0),
                        ("message", row["message"], 0),
                        ("commit_type", row["commit_type"], 0),
                        ("type_data", row["type_data"], 1),
                        ("head_step", get("steps", row["head_step"], "id"), 0),
                        ("created_at", row["created_at"], 0),
                    ]
                ),
            )
        for task in content["tasks"]:
            if not task["commit"]:
                steps_of(task)
    except (TypeError, IndexError, AttributeError, KeyError):
        pass  # it is so wrong that nothing can be made of it
    try:
        doc["hash"] = digest(content)
    except (TypeError, KeyError, AttributeError):
        pass
    return doc


def rich():
    """A session with something in every section."""
    db = new_file(noise=False)

    def do(command, *args):
        return (
            json.loads(door(db, command, *args) or "null")
            if command in ("session_deliver", "turn_begin")
            else door(db, command, *args)
        )

    do("turnstile_config", "queue_cap", 50, {"session": "main"})
    do("turnstile_config", "text.acknowledge", "Fine.", {"session": "main"})
    turn = do(
        "session_deliver",
        "main",
        "add retries",
        {"message_id": "m1", "channel": "wa", "sender": "u1", "owner": "w"},
    )["turn"]
    do("turn_tool_call", turn["turn"], turn["token"], "c1", "grep", {"q": 1})
    do("turn_tool_result", turn["turn"], turn["token"], "c1", "a.c:1")
    do("turn_tool_call", turn["turn"], turn["token"], "c2", "make")
    do("turn_tool_result", turn["turn"], turn["token"], "c2", "no", {"error": 1})
    do("session_observe", "main", "FileWrite", {"path": "a.c"}, "int main;")
    do("session_flush", "main")
    do(
        "turn_complete",
        turn["turn"],
        turn["token"],
        {"content": "done", "outcome": "done", "usage": {"input_tokens": 5}},
    )
    do("session_deliver", "main", "perfect, ship it", {"message_id": "m2", "class": "Confirmation"})
    do("session_deliver", "main", "now the export", {"class": "NewTask"})
    do("delivery_correct", one(db, "SELECT max(id) FROM deliveries"), "NewTask")
    do("session_observe", "main", "CommandRun", {"command": "make"}, "int main;")
    turn = do("turn_begin", "main", "w")
    do("turn_tool_call", turn["turn"], turn["token"], "c3", "ls")
    do("turn_fail", turn["turn"], turn["token"], "it broke")
    do(
        "turn_append",
        "main",
        [{"role": "user", "content": "go on"}, {"role": "assistant", "content": "I do"}],
        {"external_id": "e1", "model": "m", "provider": "p"},
    )
    turn = do("turn_begin", "main", "w", {"messages": [{"role": "user", "content": "more"}]})
    do(
        "turn_compact",
        "main",
        "what was said",
        {
            "turn": turn["turn"],
            "token": turn["token"],
            "trigger": "overflow_recovery",
            "keep_turns": 1,
            "metadata": {"a": 1},
        },
    )
    do("turn_complete", turn["turn"], turn["token"], {"content": "yes", "outcome": "question"})
    do(
        "turn_compact",
        "main",
        "all of it",
        {"keep_turns": 0, "model": "m", "duration_ms": 5, "usage": {"input_tokens": 2}},
    )
    do("turn_append", "main", [{"role": "user", "content": "after"}])
    do(
        "session_relate",
        "main",
        "file:a.c",
        "DependsOn",
        "task:1",
        {"weight": 0.3, "evidence": "include"},
    )
    do("session_alias", "other name", "main")
    do("session_deliver", "main", "something else: a readme", {"class": "NewTask"})
    turn = do("turn_begin", "main", "w", {"messages": [{"role": "user", "content": "again"}]})
    do("turn_tool_call", turn["turn"], turn["token"], "c4", "ls")
    do("turn_fail", turn["turn"], turn["token"], "it broke again")
    do("queue_push", "main", "later", {"source": "timer", "message_id": "t1"})
    do("queue_push", "main", "much later", {"source": "webhook"})
    # What waits for a time and was shown, answers something by name, was handed to a host without turns, was
    # held, refused; a task that goes on with one that had ended.
    do("session_choose", "main", "start_fresh")
    do("session_compact", "main", "done with it")
    do("turn_append", "main", [{"role": "user", "content": "on"}])
    places = [row[0] for row in db.execute("SELECT turn_id FROM turn_path('main') ORDER BY depth")]
    do("session_rewind", "main", places[-2])
    do("session_transition", "main", "AwaitingUser", {"question": "how many?"})
    do("turnstile_config", "queue_cap", 4, {"session": "main"})
    do("turnstile_config", "retry_backoff", "2m", {"session": "main"})
    asked = one(db, "SELECT max(state_data ->> '$.asked_at') FROM tasks WHERE state = 'AwaitingUser'")
    do("session_deliver", "main", "five", {"asked_at": asked})
    turn = do("turn_begin", "main", "w")
    do("turn_fail", turn["turn"], turn["token"], "no network")
    for i in range(4):
        do("session_deliver", "main", f"one more, {i}", {"source": "webhook"})
    do("session_relate", "main", "file:a.c", "DependsOn", "file:b.c")
    do("session_transition", "main", "AwaitingUser", {"question": "how long between them?"})
    db.execute("UPDATE session_queue SET awaits_turn = 0, held = 1 WHERE status = 'delivered'")
    db.execute("UPDATE session_queue SET opened_at = asked_at")
    return json.loads(export(db, "main"))


def mutants(value):
    if value is None:
        return [1, 0, "x", "{}"]
    if isinstance(value, int):
        made = [value + 1, value - 1, 0, -1, 2**53, 1, None, "x", 1.5, True]
        return [m for m in made if m != value or m is True]
    made = [
        value + "x",
        value[1:],
        "",
        None,
        7,
        "None",
        "completed",
        "[]",
        "{}",
        "\u0000",
        "\ud800",
        "null",
    ]
    if value[:1] == "{":
        for old, new in (
            ('":1', '":2'),
            ('":2', '":1'),
            ('":', '": '),
            ('":null', '":1'),
            ('"queue_id"', '"queue\\u005fid"'),
            ('":1', '":99'),
            ('":"', '":7,"x":"'),
            ('":1', '":"1"'),
            ("{", '{"queue_id":1,"turn":1,'),
        ):
            made.append(value.replace(old, new))
    return [m for m in made if m != value]


def try_out(db, what, doc):
    """Whatever it holds, it is refused and nothing has changed, or it has become a sound session."""
    db.execute("SAVEPOINT trial")
    error = error_of(take, db, doc)
    if error:
        counts["refused"] += 1
        words = str(error)
        if not words.startswith("session_import: "):
            suite.check(f"{what}: the error", words, "session_import: …")
        rows = tuple(one(db, f"SELECT count(*) FROM {t}") for t in COUNTED)
        if rows != still:
            suite.check(f"{what}: nothing has changed", rows, still)
    else:
        counts["taken"] += 1
        sound(what, db)
        for sql in (
            "SELECT session_export('main')",
            "SELECT session_recover('main')",
            "SELECT count(*) FROM session_context('main')",
            "SELECT count(*) FROM turn_path('main')",
            "SELECT session_deliver('main', 'go on')",
            "SELECT turn_begin('main', 'w')",
            "SELECT session_delete('main', '{\"force\":1}')",
        ):
            error = error_of(one, db, sql)
            if error and not re.match(
                r"session_recover: |turn_begin: |session_deliver: |session_\w+: |turn_path: ",
                str(error),
            ):
                suite.check(f"{what}: {sql}", str(error), None)
    db.execute("ROLLBACK TO trial")
    db.execute("RELEASE trial")
    return error


COUNTED = (
    "sessions",
    "tasks",
    "steps",
    "observations",
    "objects",
    "edges",
    "commits",
    "turns",
    "branches",
    "messages",
    "tool_calls",
    "compactions",
    "session_history",
    "session_events",
    "deliveries",
    "session_queue",
    "session_aliases",
    "turnstile_config",
    "turnstile_meta",
    "session_runs",
)


def mutations():
    global still
    doc = rich()
    text = json.dumps(doc)
    for section in SECTIONS:
        suite.check(f"the rich document holds {section}", bool(doc["content"][section]))
    for section, fields in NEW.items():
        rows = doc["content"][section]
        for field in fields.split():
            suite.check(
                f"the rich document says something of {section}.{field}",
                any(row[field] for row in (rows if isinstance(rows, list) else [rows])),
            )
    find_listed(doc)
    suite.check("some relations are in steps", any(LISTED.values()))
    suite.check("made right it is itself", made_right(json.loads(text)), doc)
    db = new_file()
    still = tuple(one(db, f"SELECT count(*) FROM {t}") for t in COUNTED)
    suite.check("the rich document is taken", error_of(take, db, doc), None)
    with open(os.path.join(here, "..", "data", "export_v1.json"), encoding="utf-8") as file:
        stored = json.load(file)
    suite.check(
        "a stored document of version 1 is taken",
        error_of(lambda: take(db, stored, **{"as": "stored"})),
        None,
    )
    kept = as_old(json.loads(export(db, "stored")))["content"]
    for content in (kept, stored["content"]):
        content["aliases"] = []
        for turn in content["turns"]:
            turn["external_id"] = None
    suite.check("and is what it was", differs(numbered(kept), numbered(stored["content"])), None)
    one(db, "SELECT session_delete('stored', '{\"force\":1}')")
    one(db, "SELECT session_delete('main', '{\"force\":1}')")
    still = tuple(one(db, f"SELECT count(*) FROM {t}") for t in COUNTED)
    r = random.Random(1)
    # Values. Not in the digest: when and where it was made, and what it says of the progress.
    places = [(key,) for key in doc if key not in ("content",)]
    for section, rows in doc["content"].items():
        for i, row in enumerate(rows if isinstance(rows, list) else [rows]):
            places += [("content", section, i, field) for field in row]
    for place in places:
        for to in mutants(
            json.loads(text)[place[0]]
            if len(place) == 1
            else (
                doc["content"][place[1]][place[2]]
                if place[1] != "session"
                else doc["content"]["session"]
            )[place[3]]
        ):
            for right in (0, 1):
                if len(place) > 1 and not EVERY and r.random() < (0.45 if right else 0.7):
                    continue  # enough of each value are left; EVERY takes all
                mutant = json.loads(text)
                if len(place) == 1:
                    mutant[place[0]] = to
                else:
                    rows = mutant["content"][place[1]]
                    (rows[place[2]] if isinstance(rows, list) else rows)[place[3]] = to
                if right and place[0] == "content":
                    made_right(mutant)
                if right and place[0] == "hash":
                    continue
                what = f"{'.'.join(map(str, place))} is {str(to)[:60]!r}, {'made right' if right else 'as it was'}"
                error = try_out(db, what, mutant)
                if not right and place[0] not in ("exported_at", "uuid", "progress_summary"):
                    suite.check(f"{what}: refused", bool(error))
    # Rows and sections.
    for section, rows in doc["content"].items():
        many = isinstance(rows, list)
        changes = [
            lambda c, s=section: c.pop(s),
            lambda c, s=section: c.update({s: []}),
            lambda c, s=section: c.update({s: {}}),
            lambda c, s=section: c.update({s: [5]}),
            lambda c, s=section: c.update({s: None}),
            lambda c, s=section: c.update({s: [{}]}),
            lambda c, s=section: c.update({s + "x": []}),
        ]
        for i in range(len(rows) if many else 0):
            changes += [
                lambda c, s=section, i=i: c[s].pop(i),
                lambda c, s=section, i=i: c[s].insert(i, dict(c[s][i])),
                lambda c, s=section, i=i: c[s].insert(0, c[s].pop(i)),
                lambda c, s=section, i=i: c[s][i].update(x=1),
                lambda c, s=section, i=i: c[s][i].pop(list(c[s][i])[-1]),
            ]
        for i, change in enumerate(changes):
            for renumber in (0, 1):
                mutant = json.loads(text)
                change(mutant["content"])
                for rows in mutant["content"].values():
                    for n, row in enumerate(rows if renumber and isinstance(rows, list) else []):
                        if isinstance(row, dict) and "n" in row:
                            row["n"] = n + 1
                try_out(db, f"{section}, change {i}, {renumber}", made_right(mutant))
    suite.check(
        "some mutants are taken, most are refused",
        counts["taken"] > 100 and counts["refused"] > 1000,
        True,
    )
    for bad in (
        "",
        "[]",
        "5",
        "null",
        "{",
        "{}",
        '"x"',
        '{"turnstile_export":2}',
        '{"turnstile_export":3}',
        text[:-1],
        text + "x",
        "[" * 3000,
        text.replace("{", "[", 1),
        text.replace('"hash"', '"hash":1,"hash"', 1),
        text.replace('"tasks"', '"tasks":[],"tasks"', 1),
    ):
        suite.check(f"{bad[:30]!r} is refused", bool(try_out(db, bad[:30], bad)))


# ---- Killed in the middle --------------------------------------------------------------------------


def child(path):
    """Imports a document again and again, and tells of each that is durable."""
    db = connect(path, lib, 30)
    text = sys.stdin.read()
    for i in range(1_000_000):
        options = json.dumps({"as": f"k{i % 40}", "replace": int(i >= 40)})
        if i >= 40:
            door(db, "session_note", f"k{i % 40}", "so that it has gone on")
        one(db, "SELECT session_import(?, ?)", text, options)
        os.write(1, f"{i}\n".encode())


def kills(rounds):
    doc = rich()
    doc["content"]["aliases"] = []  # there can be one of them only
    for turn in doc["content"]["turns"]:
        turn["external_id"] = None
    want = doc["hash"] = digest(doc["content"])
    text = json.dumps(doc)
    for i in range(rounds):
        path = suite.path(f"killed {i}.db")
        db = connect(path, lib)
        db.execute(f"PRAGMA journal_mode = {'WAL' if i % 2 else 'DELETE'}")
        db.execute("PRAGMA synchronous = OFF")
        one(db, "SELECT turnstile_install()")
        db.close()
        process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), sys.argv[1], "child", path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        process.stdin.write(text.encode())
        process.stdin.close()
        for _ in range(random.Random(i).randrange(1, 60)):
            process.stdout.readline()
        time.sleep(random.Random(i).random() * 0.01)
        process.send_signal(signal.SIGKILL)
        told = process.stdout.read().split()
        process.wait()
        db = connect(path, lib)
        suite.check(f"killed {i}: integrity", one(db, "PRAGMA integrity_check"), "ok")
        sound(f"killed {i}", db)
        labels = [row[0] for row in db.execute("SELECT label FROM sessions")]
        suite.check(f"killed {i}: what was told of is there", len(labels) >= len(told[:40]))
        # The last one may have got its note and not yet been replaced.
        odd = [
            name for name in labels if one(db, "SELECT session_export(?) ->> 'hash'", name) != want
        ]
        suite.check(f"killed {i}: each is whole", len(odd) <= 1, True)
        db.close()
        counts["killed"] += 1


# ---- Steps ------------------------------------------------------------------------------------------


def steps(db, sql, *args):
    """How many steps of SQLite's machine a statement takes; it is undone."""
    count = 0

    def handler():
        nonlocal count
        count += 1
        return 0

    db.execute("SAVEPOINT steps")
    db.execute(sql, args).fetchall()
    db.execute("ROLLBACK TO steps")
    db.set_progress_handler(handler, 1)
    db.execute(sql, args).fetchall()
    db.set_progress_handler(None, 0)
    db.execute("ROLLBACK TO steps")
    db.execute("RELEASE steps")
    return count


def crowd(others, turns):
    db = new_file(noise=False)
    db.execute("BEGIN")
    for i in range(others):
        door(db, "session_deliver", f"other {i}", "port the parser", {"class": "NewTask"})
        door(db, "turn_append", f"other {i}", [{"role": "user", "content": "x"}])
        door(db, "session_observe", f"other {i}", "FileRead", "a.c", f"text {i}")
    door(db, "session_deliver", "ours", "port the parser", {"class": "NewTask", "message_id": "m1"})
    for i in range(turns):
        door(db, "turn_append", "ours", [{"role": "user", "content": f"{i}"}])
        door(db, "session_note", "ours", f"note {i}")
    db.execute("COMMIT")
    return db


def count_steps():
    few, many, longer = crowd(10, 20), crowd(3000, 20), crowd(10, 200)
    text, long_text = export(few, "ours"), export(longer, "ours")
    for what, sql, short, long in (
        ("an export", "SELECT session_export('ours')", [], []),
        ("an import", 'SELECT session_import(?, \'{"as":"copy"}\')', [text], [long_text]),
    ):
        a, b, c = steps(few, sql, *short), steps(many, sql, *short), steps(longer, sql, *long)
        suite.check(f"steps of {what} beside few sessions, {a}, and many, {b}", b <= a * 1.05)
        suite.check(f"steps of {what} of 20 turns, {a}, and of 200, {c}", 5 * a < c < 13 * a)


if len(sys.argv) > 3 and sys.argv[2] == "child":
    child(sys.argv[3])

counts = {"refused": 0, "taken": 0, "killed": 0}
kills(12)
count_steps()
still = ()
mutations()
print("handoff:", ", ".join(f"{n} {what}" for what, n in counts.items()))
counts = {"documents": 0, "gone on": 0, "running": 0}
for seed in range(1, SEEDS + 1):
    round_trips(seed)
print("handoff:", ", ".join(f"{n} {what}" for what, n in counts.items()))
for section in SECTIONS:
    suite.check(f"some document holds {section}", counts.get(section, 0) > 0)
suite.check("nothing is refused each time", tally.always(), {})
suite.done()
