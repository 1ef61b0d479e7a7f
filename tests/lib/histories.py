"""histories.py - what the models that play made-up histories share: failures, and how they are shown.

A history is a list of commands. One that fails is made shorter as long as it fails in the same way, and the
first of each kind is printed as SQL, to be pasted into a shell.
"""
import json
import time


class Failure(Exception):
    """What must hold and doesn't: a name that stays the same while the history shrinks, and details."""

    def __init__(self, name, detail=""):
        super().__init__(name)
        self.name, self.detail = name, detail


def literal(value):
    """A value of a command's as SQL."""
    value = json.dumps(value) if isinstance(value, (dict, list)) else value
    if value is None or isinstance(value, (int, float)):
        return "NULL" if value is None else str(value)
    return "'" + value.replace("'", "''") + "'"


def call(command, values):
    return f"SELECT {command}({', '.join(map(literal, values))});"


def shrink(replay, history, failure, seconds):
    """A shorter history with the same failure: chunks are left out, big ones first.

    replay(history) gives the failure that a history leads to, or None, and the history up to there."""
    size, stop = max(1, len(history) // 2), time.monotonic() + seconds
    while size and time.monotonic() < stop:
        i = 0
        while i < len(history) and time.monotonic() < stop:
            found, cut = replay(history[:i] + history[i + size :])
            if found and found.name == failure.name:
                history, failure = cut, found
            else:
                i += size
        size //= 2
    return history, failure


class Failures:
    """How often what has failed."""

    def __init__(self):
        self.known = {}

    def add(self, failure, seed, history, replay, as_sql, seconds):
        self.known[failure.name] = self.known.get(failure.name, 0) + 1
        if self.known[failure.name] > 1:
            return
        history, failure = shrink(replay, history, failure, seconds)
        print(f"  {failure.name}\n    seed {seed}: {failure.detail}")
        print("".join(f"    {as_sql(entry)}\n" for entry in history), end="", flush=True)
