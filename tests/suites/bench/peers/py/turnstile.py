"""Turnstile through Python's sqlite3."""
import json
import os
import sqlite3

LAST = """SELECT m.role, m.content
  FROM (SELECT turn_id, depth FROM turn_path(?1) ORDER BY depth DESC LIMIT ?2 / 2) p
  JOIN messages m ON m.place BETWEEN p.turn_id << 12 AND p.turn_id << 12 | 4095
 ORDER BY p.depth, m.place"""


class Peer:
    name = "Turnstile"
    more = "guards, history, a tree of turns, usage; taking an input stores its turn, under a lease with a fencing token"
    less = ""
    operations = ["store", "read", "last", "fork", "stale", "push", "take", "move", "disk"]

    def open(self, folder):
        self.db = sqlite3.connect(os.path.join(folder, "turnstile.db"), isolation_level=None)
        self.db.enable_load_extension(True)
        self.db.execute("SELECT load_extension(?, 'sqlite3_turnstile_init')", (self.setup["library"],))
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        self.one("SELECT turnstile_install()")
        self.moves, self.turn = {}, None

    def one(self, sql, *args):
        return self.db.execute(sql, args).fetchall()[0][0]

    def begin(self, label):
        pass

    def store(self, label, user, answer):
        messages = [{"role": "user", "content": user}, {"role": "assistant", "content": answer}]
        return self.one("SELECT turn_append(?, ?)", label, json.dumps(messages, ensure_ascii=False))

    def fill(self, label, texts):
        for user, answer in texts:
            self.turn = self.store(label, user, answer)

    def read(self, label):
        return len(self.db.execute("SELECT role, content FROM session_context(?)", (label,)).fetchall())

    def last(self, label, n):
        return len(self.db.execute(LAST, (label, n)).fetchall())

    def fork(self, label, to):
        self.one("SELECT session_fork(?, ?)", self.turn, to)

    def fill_stale(self, n):
        """A hundred lie for two days, all others for an hour or less."""
        now = 10_000_000_000
        rows = ((i, now - (i % 3600 * 1000 if i % (n // 100) else 172_800_000)) for i in range(1, n + 1))
        self.db.execute("BEGIN")
        self.db.executemany("INSERT INTO sessions(label, open_task_id, created_at, updated_at, last_activity) "
                            "VALUES (printf('s%07d', ?1), ?1, 0, 0, ?2)", rows)
        self.db.executemany("INSERT INTO tasks(id, session_label, description, started_at, last_activity) "
                            "VALUES (?1, printf('s%07d', ?1), 'a task', 0, 0)", ((i,) for i in range(1, n + 1)))
        self.db.execute("COMMIT")
        self.now = now

    def stale(self):
        return len(self.db.execute("SELECT label, state, task, idle_ms FROM stale_sessions(?)", (self.now,)).fetchall())

    def push(self, i, text):
        self.one("SELECT queue_push(?, ?)", f"q{i}", text)

    def take(self, i):
        run = json.loads(self.one("SELECT turn_begin(?, 'worker')", f"q{i}"))
        self.one("SELECT turn_complete(?, ?)", run["turn"], run["token"])

    def move(self, i):
        label = f"m{i % 50}"
        if label not in self.moves:
            self.moves[label] = "Running"
            self.one("SELECT session_start(?, 'a task')", label)
        if self.moves[label] == "Running":
            self.moves[label] = self.one("SELECT session_transition(?, 'AwaitingUser', '{\"question\":\"Which one?\"}')", label)
        else:
            self.moves[label] = self.one("SELECT session_transition(?, 'Running')", label)

    def close(self):
        self.db.close()
