"""Google ADK: DatabaseSessionService on SQLite."""
import os
import sqlite3

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
        for user, answer in texts:
            await self.store(label, user, answer)

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
