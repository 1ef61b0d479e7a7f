"""OpenAI Agents: AdvancedSQLiteSession."""
from agents.extensions.memory import AdvancedSQLiteSession

import openai_session


class Peer(openai_session.Peer):
    name = "OpenAI Agents AdvancedSQLiteSession"
    more = "numbers of turns, branches, tool names and usage of a run; a branch has a row for each message, the text is shared"
    less = "no states, no queue"
    operations = ["store", "read", "last", "fork", "disk"]

    def make(self, label):
        return AdvancedSQLiteSession(session_id=label, db_path=self.path, create_tables=True)

    async def fork(self, label, to):
        """From the last user message on: the branch holds what is before it. Then back to the thread that was forked."""
        session = self.sessions[label]
        await session.create_branch_from_turn(self.setup["turns"], to)
        await session.switch_to_branch("main")
