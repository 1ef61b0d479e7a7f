"""Google ADK: DatabaseSessionService on SQLite."""
import json
import os
import sqlite3
from datetime import datetime, timedelta

from google.adk.events import Event
from google.adk.sessions import DatabaseSessionService
from google.adk.sessions.base_session_service import GetSessionConfig
from google.genai import types


def said(author, text):
    role = "user" if author == "user" else "model"
    return Event(author=author, invocation_id="i", content=types.Content(role=role, parts=[types.Part(text=text)]))


class Peer:
    name = "Google ADK DatabaseSessionService"
    more = "state of app, user and session; a check that nobody else has written; other databases through SQLAlchemy"
    less = "no fork, no queue; its list gives all sessions, and the host looks for the old ones"
    operations = ["store", "read", "last", "stale", "disk"]
    stale_cap = 100_000

    async def open(self, folder):
        self.path = os.path.join(folder, "adk.db")
        self.service, self.sessions = DatabaseSessionService(f"sqlite+aiosqlite:///{self.path}"), {}
        await self.service.prepare_tables()

    async def begin(self, label):
        self.sessions[label] = await self.service.create_session(app_name="a", user_id="u", session_id=label)

    async def store(self, label, user, answer):
        await self.service.append_event(self.sessions[label], said("user", user))
        await self.service.append_event(self.sessions[label], said("agent", answer))

    async def fill(self, label, texts):
        """The rows that the service writes for one turn, again for the others: it takes milliseconds for each."""
        await self.store(label, *texts[0])
        db = sqlite3.connect(self.path)
        columns = [row[1] for row in db.execute("PRAGMA table_info(events)")]
        two = [dict(zip(columns, row)) for row in db.execute("SELECT * FROM events WHERE session_id = ? ORDER BY timestamp, id", (label,))]
        two.sort(key=lambda row: json.loads(row["event_data"])["author"] != "user")
        for i, pair in enumerate(texts[1:], 1):
            for k, (row, text) in enumerate(zip(two, pair)):
                event, new = json.loads(row["event_data"]), f"{i:08}-{k}"
                event["content"]["parts"][0]["text"] = text
                if "id" in event:
                    event["id"] = new
                at = str(datetime.fromisoformat(row["timestamp"]) + timedelta(milliseconds=2 * i))
                copied = {**row, "id": new, "timestamp": at, "event_data": json.dumps(event)}
                db.execute(f"INSERT INTO events({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", [copied[c] for c in columns])
        db.commit()
        db.close()

    async def read(self, label):
        return len((await self.service.get_session(app_name="a", user_id="u", session_id=label)).events)

    async def last(self, label, n):
        config = GetSessionConfig(num_recent_events=n)
        return len((await self.service.get_session(app_name="a", user_id="u", session_id=label, config=config)).events)

    async def fill_stale(self, n):
        db = sqlite3.connect(self.path)
        rows = ((f"s{i:07}", "2026-01-01 00:00:00.000000" if i % (n // 100) else "2025-01-01 00:00:00.000000") for i in range(1, n + 1))
        db.executemany("INSERT INTO sessions(app_name, user_id, id, state, create_time, update_time) VALUES ('b', 'u', ?1, '{}', ?2, ?2)", rows)
        db.commit()
        db.close()

    async def stale(self):
        listed = await self.service.list_sessions(app_name="b", user_id="u")
        return len([s for s in listed.sessions if s.last_update_time < 1_767_139_200])

    async def close(self):
        await self.service.db_engine.dispose()
