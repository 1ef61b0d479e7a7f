"""Runs the peers of py/ for run.py: host.py REPLIES SETUP

A line on standard input is one request, a line on the descriptor REPLIES is its answer. What a peer prints goes to
standard error. A block of calls is timed here, so that the pipe is no part of it: the processor time of this program
and of a server that a peer has begun; or, where waiting for the disk is
a part of it, time as it passes.
"""
import asyncio
import importlib
import inspect
import json
import logging
import os
import sys
import time
import traceback
import warnings

here = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(here, "py"))
warnings.simplefilter("ignore")
logging.disable(logging.ERROR)
peers = {}


async def settled(value):
    return await value if inspect.isawaitable(value) else value


def size_of(folder):
    return sum(os.path.getsize(os.path.join(at, f)) for at, _, files in os.walk(folder) for f in files)


def processor_time(root):
    """Of a process and all below it, in seconds."""
    below, spent, tick = {}, {}, os.sysconf("SC_CLK_TCK")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        below.setdefault(int(fields[1]), []).append(int(pid))
        spent[int(pid)] = (int(fields[11]) + int(fields[12])) / tick
    total, ahead = 0, [root]
    while ahead:
        pid = ahead.pop()
        total += spent.get(pid, 0)
        ahead += below.get(pid, [])
    return total


class Timed:
    """One open peer, and the operations in blocks: each gives microseconds a call."""

    def __init__(self, module, setup, folder, waits):
        os.makedirs(folder)
        self.waits = waits
        self.folder, self.texts, self.next = folder, setup["texts"], 0
        self.peer = importlib.import_module(module).Peer()
        self.turns = min(setup["turns"], getattr(self.peer, "turns_cap", setup["turns"]))
        self.peer.setup = setup

    def text(self):
        self.next += 1
        return self.texts[self.next % len(self.texts)]

    def clock(self):
        if self.waits:
            return time.perf_counter()
        server = getattr(self.peer, "server", None)
        return time.process_time() + (processor_time(server.pid) if server else 0)

    async def each(self, calls):
        begun = self.clock()
        for call, args, expected in calls:
            got = call(*args)
            if inspect.isawaitable(got):
                got = await got
            if expected is not None and got != expected:
                raise RuntimeError(f"{call.__name__} gave {got}, not {expected}")
        return (self.clock() - begun) * 1e6 / len(calls)

    async def open(self, n):
        await settled(self.peer.open(self.folder))

    async def fill(self, n):
        await settled(self.peer.begin("long"))
        await settled(self.peer.fill("long", [self.text() for _ in range(self.turns)]))

    async def fill_stale(self, n):
        await settled(self.peer.fill_stale(n))

    async def store(self, n):
        label = f"s{self.next}"
        await settled(self.peer.begin(label))
        return await self.each([(self.peer.store, (label, *self.text()), None) for _ in range(n)])

    async def read(self, n):
        return await self.each([(self.peer.read, ("long",), self.turns * 2)] * n)

    async def last(self, n):
        return await self.each([(self.peer.last, ("long", 40), min(40, self.turns * 2))] * n)

    async def fork(self, n):
        self.next += n
        return await self.each([(self.peer.fork, ("long", f"f{self.next - i}"), None) for i in range(n)])

    async def stale(self, n):
        return await self.each([(self.peer.stale, (), 100)] * n)

    async def push(self, n):
        return await self.each([(self.peer.push, (i, self.text()[0]), None) for i in range(n)])

    async def take(self, n):
        return await self.each([(self.peer.take, (i,), None) for i in range(n)])

    async def move(self, n):
        return await self.each([(self.peer.move, (i,), None) for i in range(n)])

    async def disk(self, n):
        """Bytes in files for each byte of text: sessions that grow interleaved, a turn at a time."""
        said, labels = 0, [f"d{i}" for i in range(max(1, n // 50))]
        for label in labels:
            await settled(self.peer.begin(label))
        for i in range(n):
            user, answer = self.text()
            said += len(user.encode()) + (len(answer.encode()) if getattr(self.peer, "stores_answer", True) else 0)
            await settled(self.peer.store(labels[i % len(labels)], user, answer))
        await self.close(0)
        return size_of(self.folder) / said

    async def close(self, n):
        await settled(self.peer.close())


async def answer(request, setup):
    module, do, n = request["peer"], request["do"], request.get("n", 1)
    if do == "about":
        peer = importlib.import_module(module).Peer
        return {k: getattr(peer, k) for k in ("name", "more", "less", "operations", "by_hand", "stale_cap", "turns_cap") if hasattr(peer, k)}
    key = (module, request.get("as", ""))
    if do == "open":
        peers[key] = Timed(module, setup, request["folder"], request.get("waits"))
    return await getattr(peers[key], do)(n)


def main():
    replies = os.fdopen(int(sys.argv[1]), "w")
    with open(sys.argv[2], encoding="utf-8") as f:
        setup = json.load(f)
    os.dup2(2, 1)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    for line in sys.stdin:
        try:
            reply = {"ok": loop.run_until_complete(answer(json.loads(line), setup))}
        except Exception as error:
            traceback.print_exc()
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


main()
