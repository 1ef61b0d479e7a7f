"""persist-queue: SQLiteAckQueue."""
from persistqueue import SQLiteAckQueue


class Peer:
    name = "persist-queue SQLiteAckQueue"
    more = "any Python object, pickled"
    less = "one queue for all; no sessions, no fencing"
    operations = ["push", "take"]

    def open(self, folder):
        self.queue = SQLiteAckQueue(folder)

    def push(self, i, text):
        self.queue.put(text)

    def take(self, i):
        self.queue.ack(self.queue.get())

    def close(self):
        self.queue.close()
