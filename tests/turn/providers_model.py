#!/usr/bin/python3
"""providers_model.py - what providers take: every context of random histories, held against their rules.

    tests/turn/providers_model.py BUILDDIR [histories]

Histories are made through the commands: turns that are appended, begun, steered, failed and gone on
from; calls whose results come at once, later in the turn, in a later turn, twice or never, with errors
for turns that have ended, too, twice the same, and under ids that repeat, that no provider gives and that another call is shown under; names with blanks,
dots and letters of all kinds; empty contents, half surrogate pairs, parameters that are broken or no
object; compactions, also of a running turn; forks, rewinds, documents taken to another file. After each step, for every session and
with random budgets, the rows of session_context are made into a request as docs/context.md says, and

  - the request keeps the rules of both providers below, at any moment;
  - while a run goes on, what a context has shown is the beginning of what it shows later (a compaction
    in the run begins anew);
  - everything that was recorded in the turns that are shown is in it, once: nothing is lost. Only calls
    whose results a running turn waits for may be missing, with what the agent said behind them.

The rules were written down from the providers' pages, not from the library:

  OpenAI, API reference "Create chat completion" and the guide "Function calling": an assistant message
  with tool_calls must be followed by tool messages responding to each tool_call_id, and a message of
  role tool must be a response to a preceding message with tool_calls; content is a string. An id is at
  most 40 characters long, a function's name at most 64 of a-z, A-Z, 0-9, underscores and dashes; its
  arguments are an object.
  Anthropic, API reference "Messages" and the pages "Tool use" (handling results) and "Errors": tool
  results follow their tool use immediately, all of them in the next user message, before any text
  there; a text is not empty nor white space alone; roles user and assistant take turns, the user
  begins; instructions stand apart from the messages. A tool use has an id of ^[a-zA-Z0-9_-]+$ that no
  other one in the request has, a name of ^[a-zA-Z0-9_-]{1,64}$ and an input that is an object.
"""

import json
import os
import random
import re
import sqlite3
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
from harness import Suite, Tally, connect, library, one  # noqa: E402
from vocabulary import ROLE  # noqa: E402

suite, tally = Suite("providers"), Tally()
lib = library(sys.argv[1])
HISTORIES = int(sys.argv[2]) if len(sys.argv) > 2 else 50
STEPS = 40
IDS = ("call_0", "call_1", "call_2", "call_3", "call 0", "call_0-1-0", "fran\u00e7ais.7", "\u547c" * 30,
       "x" * 41, "-", " ")  # fmt: skip
TOOLS = ("look", "look", "fs.read file", "\u67e5\u627e", "n" * 70, "a/b:c", "\ud800")
ID, NAME = re.compile(r"[a-zA-Z0-9_-]{1,40}"), re.compile(r"[a-zA-Z0-9_-]{1,64}")
BLANKS = ("", " \n", "\t", "\u00a0", "\u3000\u2028", "\x1c\x85 ")
DEPTH = 0xFFFFFF
ROWS = (
    "SELECT kind, role, content, tool_call_id, tool_name, metadata FROM session_context(?, ?) "
    "ORDER BY position"
)


# ---- The rules -------------------------------------------------------------------------------------


def openai(rows):
    """The rows as messages of a chat completion."""
    messages = []
    for kind, role, content, call, tool, _ in rows:
        last = messages[-1] if messages else {}
        if kind == "tool_call":
            if last.get("role") != "assistant":
                last = {"role": "assistant", "content": None}
                messages.append(last)
            last.setdefault("tool_calls", []).append({"id": call, "name": tool, "arguments": content})
        elif kind == "tool_result":
            messages.append({"role": "tool", "tool_call_id": call, "content": content})
        else:
            messages.append({"role": role, "content": content})
    return messages


def against_openai(messages):
    """What is wrong with them."""
    waiting, ids = [], set()
    for at, m in enumerate(messages):
        if m["role"] == "tool":
            if m["tool_call_id"] not in waiting:
                return f"message {at}: no call waits for the result of {m['tool_call_id']}"
            waiting.remove(m["tool_call_id"])
            continue
        if waiting:
            return f"message {at}: {waiting} got no result"
        # its own: the roles that a provider takes beside tools
        if m["role"] not in ("system", "user", "assistant"):
            return f"message {at}: role {m['role']}"
        calls = m.get("tool_calls", [])
        if not calls and not isinstance(m["content"], str):
            return f"message {at}: no content"
        waiting = [c["id"] for c in calls]
        if len(set(waiting)) != len(waiting) or ids & set(waiting):
            return f"message {at}: an id twice in {waiting}"
        ids |= set(waiting)
        for call in calls:
            if not ID.fullmatch(call["id"]) or not NAME.fullmatch(call["name"]):
                return f"message {at}: {call} has an id or a name that is refused"
            if not isinstance(json.loads(call["arguments"]), dict):
                return f"message {at}: the arguments of {call} are no object"
    return f"at the end: {waiting} got no result" if waiting else None


def anthropic(rows):
    """The rows as a request: what the system says first apart, neighbours of one role together."""
    messages, instructions = [], True
    for kind, role, content, call, tool, _ in rows:
        instructions = instructions and role == "system"
        if instructions:
            continue
        if kind == "tool_call":
            role = "assistant"
            block = {"type": "tool_use", "id": call, "name": tool, "input": json.loads(content)}
        elif kind == "tool_result":
            role, block = "user", {"type": "tool_result", "tool_use_id": call}
        else:
            role = "user" if role == "system" else role
            block = {"type": "text", "text": content}
        if not messages or messages[-1]["role"] != role:
            messages.append({"role": role, "content": []})
        messages[-1]["content"].append(block)
    return messages


def against_anthropic(messages):
    uses, ids = [], []
    for at, m in enumerate(messages):
        if m["role"] != ("user", "assistant")[at % 2]:
            return f"message {at}: the roles don't take turns, or the agent begins"
        if not m["content"]:
            return f"message {at} is empty"
        texts = [b["text"] for b in m["content"] if b["type"] == "text"]
        if any(not text.strip() for text in texts):
            return f"message {at}: an empty text"
        n = len(uses)
        results = [b.get("tool_use_id") for b in m["content"][:n]]
        if sorted(map(str, results)) != sorted(uses):
            return f"message {at}: results {results} behind the calls {uses}"
        if any(b["type"] == "tool_result" for b in m["content"][n:]):
            return f"message {at}: a result that is no call's, or behind a text"
        blocks = [b["type"] for b in m["content"]]
        if "tool_use" in blocks and "text" in blocks[blocks.index("tool_use") :]:
            return f"message {at}: a text behind a call"
        made = [b for b in m["content"] if b["type"] == "tool_use"]
        for use in made:
            if not re.fullmatch("[a-zA-Z0-9_-]+", use["id"]) or not NAME.fullmatch(use["name"]):
                return f"message {at}: {use} has an id or a name that is refused"
            if not isinstance(use["input"], dict):
                return f"message {at}: the input of {use} is no object"
        uses = [use["id"] for use in made]
        ids += uses
    if len(set(ids)) != len(ids):
        return f"an id twice in {ids}"
    return f"at the end: {uses} got no result" if uses else None


def whole(value):
    """Is there no half of a surrogate pair in a JSON value?"""
    if isinstance(value, str):
        return not any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return all(whole(k) and whole(v) for k, v in value.items())
    return not isinstance(value, list) or all(map(whole, value))


def against_json(rows):
    for kind, _, content, _, _, metadata in rows:
        for text in ([content] if kind == "tool_call" else []) + ([metadata] if metadata else []):
            try:
                if not whole(json.loads(text)):
                    return f"half a surrogate pair in {text!r}"
            except ValueError:
                return f"{text!r} is not JSON"
    return None


# ---- Histories -------------------------------------------------------------------------------------


class History:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.name = f"history {seed}"
        self.db = connect(":memory:", lib)
        self.labels, self.running, self.n = ["s"], {}, 0
        self.marks = {}  # turn → the marks that were recorded there, in order
        self.fresh = []  # marks of the command that is being made
        self.seen = {}  # running turn → the rows that its context had
        self.done = set()
        self.ended, self.told = [], {}  # turns that have ended, with their tokens; input → the marks that it tells
        one(self.db, "SELECT turnstile_install()")
        one(self.db, "SELECT session_start('s', 'look around')")

    def command(self, name, *args):
        """A command by the door. None: it was refused, and nothing of it may be there."""
        texts = json.dumps(args)
        try:
            result = one(self.db, "INSERT INTO turnstile VALUES (?, ?) RETURNING turnstile_result()",
                         name, texts)  # fmt: skip
        except sqlite3.IntegrityError as error:
            tally.add(name, args, error)
            refused = "tool call '" in str(error) or "already" in str(error)
            refused = refused or "nothing" in str(error) or "no turn" in str(error) or "token" in str(error)
            suite.check(f"{self.name}: {name} {texts}", refused or str(error))
            self.fresh = []
            return None
        tally.add(name, args)
        marks, self.fresh = self.fresh, []
        if isinstance(result, str) and result[:1] == "{":
            result = json.loads(result)
            if result.get("duplicate"):
                return result
            if result.get("late") and "queue_id" in result:
                self.told[result["queue_id"]] = marks
                return result
        turn = result["turn"] if name == "turn_begin" else result if name == "turn_append" else args[0]
        if name in ("turn_append", "turn_begin", "turn_message", "turn_tool_call", "turn_tool_result",
                    "turn_complete"):  # fmt: skip
            self.marks.setdefault(turn, []).extend(marks)
        return result

    def text(self):
        self.n += 1
        mark = f"#{self.n}#"
        self.fresh.append(mark)
        return mark + self.r.choice(("", " ok", " \ud83d", " \udc00x", "\u0000", " x" * 40))

    def params(self):
        text = self.text()
        return self.r.choice(({"at": text}, text, [text, "\ud800"], json.dumps({"a": text})[:-1],
                              json.dumps(text), " " + json.dumps([text])))  # fmt: skip

    def tool(self):
        return self.r.choice(TOOLS)

    def call_of(self, id):
        call = {"id": id, "name": self.tool(), "params": self.params()}
        if self.r.random() < 0.1:
            self.fresh.pop()
            call["params"] = self.r.choice((None, "", 7, True, "null", '""', [], "\n"))
        way = self.r.random()
        if way < 0.15:
            call["result"] = self.text()
        elif way < 0.25:
            call["error"] = self.text()
        return call

    def message(self):
        r, way = self.r, self.r.random()
        if way < 0.25:
            return {"role": "user", "content": self.text(), "metadata": {"x": "\udfff"}}
        if way < 0.3:
            return {"role": "system", "content": self.text()}
        if way < 0.36:
            return {"role": r.choice(ROLE[:3]), "content": r.choice(BLANKS)}
        if way < 0.45:
            return {"role": "assistant", "content": self.text()}
        if way < 0.7:
            return {"role": "tool", "tool_call_id": r.choice(IDS), "content": self.text(),
                    "is_error": r.random() < 0.2}  # fmt: skip
        calls = [self.call_of(id) for id in r.sample(IDS, r.choice((1, 1, 2, 3)))]
        message = {"role": "assistant", "tool_calls": calls}
        if r.random() < 0.6:
            message["content"] = r.choice(BLANKS) if r.random() < 0.5 else self.text()
        return message

    def step(self):
        r = self.r
        label = r.choice(self.labels)
        if label in self.running:
            return self.run(label, *self.running[label])
        if self.ended and r.random() < 0.15:
            return self.give_late()
        way = r.random()
        head = one(self.db, "SELECT thread_id FROM sessions WHERE label = ?", label)
        if way < 0.3 or not head:
            made = self.command("turn_append", label, [self.message() for _ in range(r.choice((1, 1, 2, 4)))])
            return self.done.add("append" if made else "refused")
        if way < 0.65:
            begun = self.command("turn_begin", label, "w", {"messages": [
                self.message() for _ in range(r.choice((1, 1, 2)))]})  # fmt: skip
            if begun:
                self.running[label] = begun["turn"], begun["token"]
            return None
        if way < 0.8:
            return self.compact(label)
        turns = [t for (t,) in self.db.execute("SELECT turn_id FROM turn_path(?)", (label,))]
        if way < 0.9 and len(self.labels) < 4:
            self.labels.append(f"f{len(self.labels)}")
            self.done.add("fork")
            return self.command("session_fork", r.choice(turns), self.labels[-1])
        self.done.add("rewind")
        return self.command("session_rewind", label, r.choice(turns))

    def give_late(self):
        """A result for a call of a turn that has ended, and once more the same."""
        turn, token = self.r.choice(self.ended[-3:])
        sql = "SELECT id FROM tool_calls WHERE turn_id = ? AND status = 'pending'"
        calls = [id for (id,) in self.db.execute(sql, (turn,))] or IDS
        args = [turn, token, self.r.choice(calls), self.text()]
        given = self.command("turn_tool_result", *args)
        if given:
            again = self.command("turn_tool_result", *args)
            suite.check(f"{self.name}: {args} once more", again and again.get("duplicate"))
            self.done.add("told" if "queue_id" in given else "given late")

    def run(self, label, turn, token):
        r, way = self.r, self.r.random()
        if self.ended and r.random() < 0.1:
            return self.give_late()
        if r.random() < 0.1:
            took = self.command("turn_steering", turn, token)
            for message in took["messages"] if took else ():
                self.marks.setdefault(turn, []).extend(self.told.get(message["queue_id"], ()))
            return None
        if way < 0.2:
            blank = {"role": r.choice(ROLE[:3]), "content": r.choice(BLANKS)}
            self.command("turn_message", turn, token, blank if r.random() < 0.3 else self.message())
        elif way < 0.45:
            self.command("turn_tool_call", turn, token, r.choice(IDS), self.tool(), self.params())
        elif way < 0.8:
            options = {"error": 1} if r.random() < 0.2 else {}
            self.command("turn_tool_result", turn, token, r.choice(IDS), self.text(), options)
        elif way < 0.85:
            if r.random() < 0.4:
                self.go_on(label, turn, token)
            elif turn & DEPTH:
                self.compact(label, turn, token)
        else:
            end = r.choice(("turn_complete", "turn_complete", "turn_fail", "turn_abort"))
            result = {"content": self.text()} if r.random() < 0.5 else {}
            if end != "turn_complete":
                self.fresh = []
            if self.command(end, turn, token, result if end == "turn_complete" else "it broke"):
                self.done.add(end)
                self.ended.append((turn, token))
                del self.running[label]

    def compact(self, label, turn=None, token=None):
        options = {"turn": turn, "token": token} if turn else {}
        options[self.r.choice(("keep_turns", "keep_tokens"))] = self.r.randrange(5)
        if self.command("turn_compact", label, "the summary", options):
            self.done.add("beside" if turn else "compact")
            self.seen.pop(turn, None)

    def go_on(self, label, turn, token):
        """The run has filled the context itself: it goes on behind a summary of its own turn."""
        made = self.command("turn_compact", label, "the summary", {
            "turn": turn, "token": token, "summarized_through_turn_id": turn})  # fmt: skip
        if made:
            self.running[label] = made["running_turn"], token
            said = self.db.execute("SELECT content FROM messages WHERE turn_id = ? AND role IN ('user', 'system')", (turn,))
            self.marks[made["running_turn"]] = [m for (text,) in said for m in re.findall(r"#\d+#", text)]
            self.done.add("goes on")

    # ---- What is checked -----------------------------------------------------------------------

    def context(self, start, budget=None):
        rows = self.db.execute(ROWS, (start, budget)).fetchall()
        back = self.db.execute(ROWS + " DESC", (start, budget)).fetchall()
        suite.check(f"{start} with {budget}, read backwards", back, rows[::-1])
        return rows

    def shown(self, label):
        """The turns whose messages the context of a session shows."""
        db = self.db
        run, head, failed = db.execute(
            "SELECT r.turn_id, s.thread_id, r.failed_turn_id FROM sessions AS s "
            "LEFT JOIN session_runs AS r ON r.session_label = s.label WHERE s.label = ?", (label,)
        ).fetchone()  # fmt: skip
        last, turns = run or head, []
        parent = failed and one(db, "SELECT parent_turn_id FROM turns WHERE id = ?", failed)
        beside = not run and failed and parent == head
        begin = one(db, "SELECT context_turn_id FROM turns WHERE id = ?", last)
        if beside:
            begin = one(db, "SELECT context_turn_id FROM turns WHERE id = ?", failed) or begin
        depth = 0
        if begin:
            kept, above = db.execute(
                "SELECT c.first_kept_turn_id, t.parent_turn_id FROM compactions AS c "
                "JOIN turns AS t ON t.id = c.turn_id WHERE c.turn_id = ?", (begin,)
            ).fetchone()  # fmt: skip
            depth = kept & DEPTH if kept else (above & DEPTH) + 1
        if beside and not one(
            db, "SELECT 1 FROM (SELECT place FROM messages UNION ALL SELECT place FROM tool_calls) "
            "WHERE place BETWEEN (?1 << 12) + (SELECT inputs FROM turns WHERE id = ?1) "
            "AND ?1 << 12 | 4095", failed
        ):  # fmt: skip
            failed = one(db, "SELECT resumes_turn_id FROM turns WHERE id = ?", failed)
        path = db.execute("SELECT turn_id FROM turn_path(?) WHERE depth >= ?", (last, depth)) if last else ()
        ends = [t for (t,) in path] + ([failed] if beside and failed else [])
        for turn in ends:
            while turn:
                turns.append(turn)
                turn = one(db, "SELECT resumes_turn_id FROM turns WHERE id = ?", turn)
        return turns

    def waits(self, turn):
        """What a running turn may keep back: marks behind the last word that is not the agent's."""
        first, last = turn << 12, turn << 12 | 4095
        spoken = max((place for place, content, metadata in self.db.execute(
            "SELECT place, content, metadata FROM messages WHERE place BETWEEN ? AND ? "
            "AND role IN ('user', 'system')", (first, last)) if content.strip() or metadata), default=None)  # fmt: skip
        if not one(self.db, "SELECT 1 FROM tool_calls WHERE place BETWEEN ? AND ? "
                   "AND status = 'pending'", spoken or first, last):  # fmt: skip
            return ""
        return " ".join(text for (text,) in self.db.execute(
            "SELECT content FROM messages WHERE place BETWEEN ?1 AND ?2 UNION ALL "
            "SELECT params || ' ' || coalesce(result, error, '') FROM tool_calls "
            "WHERE place BETWEEN ?1 AND ?2", (spoken or first, last)))  # fmt: skip

    def check(self, label, last=False):
        name = f"{self.name}, {label}"
        rows = self.context(label)
        self.rules(name, rows)
        total = one(self.db, "SELECT sum(tokens) FROM session_context(?)", label) or 0
        every = last and total <= 400
        for budget in range(total + 1) if every else self.r.sample(range(total + 1), min(3, total + 1)):
            self.rules(f"{name} with {budget} tokens", self.context(label, budget))
        self.stable(name, label, rows)
        told = " ".join(row[2] for row in rows)
        waiting = self.waits(self.running[label][0]) if label in self.running else ""
        for turn in self.shown(label):
            for mark in self.marks.get(turn, []):
                n = told.count(mark)
                if n != 1 and not (n == 0 and mark in waiting):
                    suite.check(f"{name}: {mark} of turn {turn} is shown {n} times in {rows}", False)
        suite.check(f"{name}: is looked at", True)
        for row in rows:
            self.done.add(row[0])
            if "earlier tool call" in row[2]:
                self.done.add("late" if "has come" in row[2] else "orphan")

    def rules(self, name, rows):
        wrong = against_openai(openai(rows)) or against_anthropic(anthropic(rows)) or against_json(rows)
        suite.check(f"{name}: {rows}" if wrong else name, wrong, None)

    def stable(self, name, label, rows):
        turn = self.running.get(label, (None,))[0]
        if turn:
            before = self.seen.get(turn, [])
            suite.check(f"{name}: the beginning of turn {turn}", rows[: len(before)], before)
            self.seen[turn] = rows

    def carry(self):
        """A document shows the same elsewhere."""
        for label in self.labels:
            if label in self.running:
                continue
            document = one(self.db, "SELECT session_export(?)", label)
            if not document:
                continue
            other = connect(":memory:", lib)
            one(other, "SELECT turnstile_install()")
            one(other, "SELECT session_import(?)", document)
            got = other.execute(ROWS, (label, None)).fetchall()
            # An input has another number there, and none when it is another session's.
            numbers = lambda rows: re.sub(r"""'\{"queue_id": ?(\d+|null)\}'""", "None", repr(rows))
            suite.check(f"{self.name}, {label}: in another file", numbers(got), numbers(self.context(label)))
            suite.check(f"{self.name}, {label}: sound there", other.execute(
                "SELECT rule, ref FROM turnstile_check").fetchall(), [])  # fmt: skip
            other.close()


def main():
    done = set()
    for seed in range(HISTORIES):
        history = History(seed)
        for _ in range(STEPS):
            history.step()
            for label in history.labels:
                history.check(label)
        for label in history.labels if seed % 5 == 0 else ():
            history.check(label, last=True)  # with every budget
        history.carry()
        suite.check(f"{history.name}: sound", history.db.execute(
            "SELECT rule, ref FROM turnstile_check").fetchall(), [])  # fmt: skip
        done |= history.done
        history.db.close()
    wanted = {"append", "refused", "fork", "rewind", "compact", "beside", "goes on", "turn_complete", "turn_fail",
              "turn_abort", "summary", "opening", "message", "tool_call", "tool_result", "late",
              "orphan", "told", "given late"}  # fmt: skip
    suite.check("what came up", done, wanted)
    suite.check("nothing is refused each time", tally.always(), {})
    suite.done()


if __name__ == "__main__":
    main()
