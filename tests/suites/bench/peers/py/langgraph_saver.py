"""LangGraph: SqliteSaver, called as a graph calls it, but once a turn."""
import os
from datetime import datetime, timezone

from langgraph.checkpoint.base import uuid6
from langgraph.checkpoint.sqlite import SqliteSaver


class Peer:
    name = "LangGraph SqliteSaver"
    more = "each checkpoint holds the whole state, so that any of them is read at once"
    less = "no list by age, no queue; one put a turn, where a graph makes two or more and reads the state first"
    operations = ["store", "read", "last", "fork", "disk"]

    def open(self, folder):
        self.opened = SqliteSaver.from_conn_string(os.path.join(folder, "checkpoints.db"))
        self.saver, self.states, self.configs, self.step = self.opened.__enter__(), {}, {}, 0

    def begin(self, label):
        self.states[label] = []
        self.configs[label] = {"configurable": {"thread_id": label, "checkpoint_ns": ""}}

    def put(self, config, messages):
        self.step += 1
        version = f"{self.step:032}.0"
        checkpoint = {"v": 4, "id": str(uuid6(clock_seq=self.step)), "ts": datetime.now(timezone.utc).isoformat(),
                      "channel_values": {"messages": messages}, "channel_versions": {"messages": version},
                      "versions_seen": {}, "updated_channels": ["messages"]}
        return self.saver.put(config, checkpoint, {"source": "loop", "step": self.step, "parents": {}}, {"messages": version})

    def store(self, label, user, answer):
        self.states[label] += [{"role": "user", "content": user}, {"role": "assistant", "content": answer}]
        self.configs[label] = self.put(self.configs[label], self.states[label])

    def fill(self, label, texts):
        """The state after all turns. The checkpoints before it would hold the square of it."""
        for user, answer in texts:
            self.states[label] += [{"role": "user", "content": user}, {"role": "assistant", "content": answer}]
        self.configs[label] = self.put(self.configs[label], self.states[label])

    def messages(self, label):
        found = self.saver.get_tuple({"configurable": {"thread_id": label, "checkpoint_ns": ""}})
        return found.checkpoint["channel_values"]["messages"]

    def read(self, label):
        return len(self.messages(label))

    def last(self, label, n):
        return len(self.messages(label)[-n:])

    def fork(self, label, to):
        """What update_state does: the state at a checkpoint, put as its new child."""
        found = self.saver.get_tuple(self.configs[label])
        self.put(found.config, found.checkpoint["channel_values"]["messages"])

    def close(self):
        self.opened.__exit__(None, None, None)
