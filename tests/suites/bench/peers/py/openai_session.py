"""OpenAI Agents: SQLiteSession."""
import os
import sqlite3

from agents import SQLiteSession


class Peer:
    name = "OpenAI Agents SQLiteSession"
    more = ""
    less = "a list of items, without turns, forks, states or a queue"
    by_hand = ["stale"]
    operations = ["store", "read", "last", "stale", "disk"]

    def open(self, folder):
        self.path, self.sessions = os.path.join(folder, "agents.db"), {}

    def make(self, label):
        return SQLiteSession(label, self.path)

    async def begin(self, label):
        self.sessions[label] = self.make(label)
        await self.sessions[label].get_items(1)

    async def store(self, label, user, answer):
        await self.sessions[label].add_items([{"role": "user", "content": user}, {"role": "assistant", "content": answer}])

    async def fill(self, label, texts):
        for k in range(0, len(texts), 500):
            items = []
            for user, answer in texts[k:k + 500]:
                items += [{"role": "user", "content": user}, {"role": "assistant", "content": answer}]
            await self.sessions[label].add_items(items)

    async def read(self, label):
        return len(await self.sessions[label].get_items())

    async def last(self, label, n):
        return len(await self.sessions[label].get_items(n))

    async def fill_stale(self, n):
        await self.begin("s")
        self.db = sqlite3.connect(self.path)
        rows = ((f"s{i:07}", "2026-01-01 00:00:00" if i % (n // 100) else "2025-01-01 00:00:00") for i in range(1, n + 1))
        self.db.executemany("INSERT INTO agent_sessions(session_id, updated_at) VALUES (?, ?)", rows)
        self.db.commit()

    def stale(self):
        rows = self.db.execute("SELECT session_id, updated_at FROM agent_sessions WHERE updated_at < '2025-12-31 00:00:00'")
        return len(rows.fetchall())

    def close(self):
        for session in self.sessions.values():
            session.close()
