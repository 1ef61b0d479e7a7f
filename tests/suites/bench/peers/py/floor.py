"""The floor through Python's sqlite3: plain tables, the least rows that a competent person would write for the job."""
import os
import sqlite3
import time

TABLES = """
CREATE TABLE message(id INTEGER PRIMARY KEY, session INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
                     at INTEGER NOT NULL);
CREATE INDEX message_by_session ON message(session, id);
CREATE TABLE session(id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, parent INTEGER, parent_message INTEGER,
                     state TEXT, data TEXT, last_activity INTEGER NOT NULL);
CREATE INDEX session_by_activity ON session(last_activity);
CREATE TABLE job(id INTEGER PRIMARY KEY, message TEXT NOT NULL, status INTEGER NOT NULL DEFAULT 0,
                 token INTEGER NOT NULL DEFAULT 0, owner TEXT);
CREATE INDEX job_waiting ON job(id) WHERE status = 0;
"""
STORE = "INSERT INTO message(session, role, content, at) VALUES (?1, 'user', ?2, ?4), (?1, 'assistant', ?3, ?4)"
TAKE = """UPDATE job SET status = 1, token = token + 1, owner = 'worker'
 WHERE id = (SELECT id FROM job WHERE status = 0 ORDER BY id LIMIT 1) RETURNING id, token, message"""
MOVE = "UPDATE session SET state = ?2, data = ?3, last_activity = ?4 WHERE label = ?1 AND state = ?5"


def now():
    return int(time.time() * 1000)


class Peer:
    name = "plain tables"
    more = ""
    less = "no history, no guards, no look at what is asked; a stored turn does not touch its session"
    operations = ["store", "read", "last", "fork", "stale", "push", "take", "move", "disk"]

    def open(self, folder):
        self.db = sqlite3.connect(os.path.join(folder, "plain.db"), isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        self.db.executescript(TABLES)
        self.ids, self.moves = {}, {}

    def begin(self, label):
        add = "INSERT INTO session(label, state, last_activity) VALUES (?, 'Running', ?)"
        self.ids[label] = self.db.execute(add, (label, now())).lastrowid

    def store(self, label, user, answer):
        self.db.execute(STORE, (self.ids[label], user, answer, now()))

    def fill(self, label, texts):
        for user, answer in texts:
            self.store(label, user, answer)

    def read(self, label):
        rows = self.db.execute("SELECT role, content FROM message WHERE session = ? ORDER BY id", (self.ids[label],))
        return len(rows.fetchall())

    def last(self, label, n):
        rows = self.db.execute("SELECT role, content FROM message WHERE session = ? ORDER BY id DESC LIMIT ?", (self.ids[label], n))
        return len(rows.fetchall()[::-1])

    def fork(self, label, to):
        self.db.execute("INSERT INTO session(label, parent, parent_message, last_activity) "
                        "SELECT ?2, ?1, max(id), ?3 FROM message WHERE session = ?1", (self.ids[label], to, now()))

    def fill_stale(self, n):
        rows = ((f"s{i:07}", 10_000_000_000 - (i % 3600 * 1000 if i % (n // 100) else 172_800_000)) for i in range(1, n + 1))
        self.db.execute("BEGIN")
        self.db.executemany("INSERT INTO session(label, state, last_activity) VALUES (?, 'Running', ?)", rows)
        self.db.execute("COMMIT")

    def stale(self):
        rows = self.db.execute("SELECT label, state, data, 10000000000 - last_activity FROM session WHERE last_activity < ?",
                               (10_000_000_000 - 86_400_000,))
        return len(rows.fetchall())

    def push(self, i, text):
        self.db.execute("INSERT INTO job(message) VALUES (?)", (text,))

    def take(self, i):
        job, token, _ = self.db.execute(TAKE).fetchall()[0]
        self.db.execute("UPDATE job SET status = 2 WHERE id = ? AND token = ?", (job, token))

    def move(self, i):
        label = f"m{i % 50}"
        if label not in self.moves:
            self.begin(label)
            self.moves[label] = "Running"
        to = "AwaitingUser" if self.moves[label] == "Running" else "Running"
        self.db.execute(MOVE, (label, to, '{"question":"Which one?"}', now(), self.moves[label]))
        self.moves[label] = to

    def close(self):
        self.db.close()
