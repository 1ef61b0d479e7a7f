"""Turnstile beside others: python3 tests/suites/bench/peers/run.py BUILD [option=value …]

  rounds=5      the median of the rounds is shown
  turns=10000   turns in the thread that is read and forked
  stale=1000000 sessions among which a hundred are stale
  block=200     stored turns, inputs, moves in a block; disk=3000 turns for the bytes on disk
  programs=py   the peers of one program; default py,js
  only=a,b      some peers (files of py/ and js/); the floor and Turnstile are there always
  scratch=DIR   where it installs, default turnstile-peers beside other temporary files; data=DIR: of the databases
  write=DIR     writes the tables and the plot there, as report.py says; default: the tables are printed
  smoke=1       tiny sizes, to see that each peer does what it says

pinned.json has the versions. A peer that can't be installed, or fails, is named with its error. Two programs run the
peers, host.py and host.mjs; each has Turnstile and the floor as well, through its own driver. One block runs at a time.
In each round all peers of a program do an operation one after the other, beginning with another one each time.
"""
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True
import report  # noqa: E402

OPTIONS = {"rounds": 5, "turns": 10_000, "stale": 1_000_000, "block": 200, "disk": 3000, "only": "", "programs": "py,js", "smoke": 0, "write": "",
           "scratch": os.path.join(tempfile.gettempdir(), "turnstile-peers"), "data": ""}
SMOKE = {"rounds": 2, "turns": 30, "stale": 1000, "block": 5, "disk": 100}
# Peers by program, each with the group of pinned.json that it needs.
PEERS = {"py": {"turnstile": None, "floor": None, "openai_session": "openai", "openai_advanced": "openai", "langgraph_saver": "langgraph",
                "adk": "adk", "persist_queue": "persist_queue", "opencode": "node:opencode", "codex": "node:codex"},
         "js": {"turnstile": None, "floor": None, "langgraph_saver": "langgraph", "mastra": "mastra", "plainjob": "plainjob",
                "xstate": "xstate"}}
SLOW = 1e6  # µs: a block is made smaller until it takes no longer; a call that does is measured in one round


def options(args):
    given = dict(a.split("=", 1) for a in args)
    unknown = set(given) - set(OPTIONS)
    if unknown:
        sys.exit(f"there is no option {', '.join(sorted(unknown))}; there are {', '.join(OPTIONS)}")
    chosen = {**OPTIONS, **(SMOKE if given.get("smoke", "0") != "0" else {}), **given}
    return {k: int(v) if isinstance(OPTIONS[k], int) else v for k, v in chosen.items()}


def said(seed=7):
    """Turns as people have them: a message of 60 to 900 bytes, an answer of about 700."""
    words = ("the file test build error retry queue session please could you look at why this fails again when a worker stops "
             "and what should happen then, with für naïve größer ready done state table index row of message answer").split()
    rng = random.Random(seed)

    def text(size):
        out = ""
        while len(out.encode()) < size:
            out += rng.choice(words) + " "
        return out.strip()
    return [[text(int(60 * 15 ** rng.random())), text(rng.randint(500, 900))] for _ in range(1009)]


class Scratch:
    """What is installed, outside the tree: one virtual environment, one node_modules."""

    def __init__(self, folder):
        self.folder, self.errors = os.path.abspath(folder), {}
        self.python = os.path.join(self.folder, "python", "bin", "python3")
        self.node = os.path.join(self.folder, "node")
        os.makedirs(self.node, exist_ok=True)
        with open(os.path.join(here, "pinned.json"), encoding="utf-8") as f:
            self.pinned = json.load(f)

    def run(self, group, packages, *steps):
        """Whether a group is there now. A mark says which versions were installed."""
        mark = os.path.join(self.folder, group.replace("/", "-") + ".installed")
        if os.path.exists(mark) and open(mark, encoding="utf-8").read() == " ".join(packages):
            return
        print(f"installing {' '.join(packages)}", file=sys.stderr, flush=True)
        for step in steps:
            done = subprocess.run(step, cwd=self.node, capture_output=True, text=True, check=False)
            if done.returncode:
                self.errors[group] = (done.stderr or done.stdout).strip().splitlines()[-1][:200]
                return
        with open(mark, "w", encoding="utf-8") as f:
            f.write(" ".join(packages))

    def install(self, groups):
        if not os.path.exists(self.python):
            subprocess.run([os.environ.get("PYTHON", "/usr/bin/python3"), "-m", "venv", os.path.dirname(os.path.dirname(self.python))], check=True)
        if not os.path.exists(os.path.join(self.node, "package.json")):
            with open(os.path.join(self.node, "package.json"), "w", encoding="utf-8") as f:
                f.write('{"private": true, "type": "module"}\n')
        for group, packages in self.pinned["python"].items():
            if group in groups:
                self.run(group, packages, [self.python, "-m", "pip", "install", "-q", *packages])
        npm = ["npm", "install", "--no-audit", "--no-fund", "--save-exact", "--silent"]
        if not shutil.which("npm"):
            npm = [sys.executable, "-c", "import sys; sys.exit('there is no npm')"]
        for group, packages in self.pinned["node"].items():
            if f"node:{group}" not in groups:
                continue
            steps = [npm + packages]
            if group in ("better-sqlite3", "opencode"):  # they compile, or lay out, a program of their own
                name = packages[0].rsplit("@", 1)[0]
                steps += [["sh", "-c", f"npm install-scripts approve {name} >/dev/null 2>&1; npm rebuild {name} --foreground-scripts"]]
            self.run(f"node:{group}", packages, *steps)


class Host:
    def __init__(self, kind, program, setup):
        self.kind, (got, give) = kind, os.pipe()
        log = open(os.path.join(os.path.dirname(setup), f"{kind}.log"), "w", encoding="utf-8")
        self.process = subprocess.Popen(program + [str(give), setup], stdin=subprocess.PIPE, stderr=log, pass_fds=(give,), text=True,
                                        start_new_session=True)
        os.close(give)
        self.replies = os.fdopen(got)

    def ask(self, peer, do, **more):
        self.process.stdin.write(json.dumps({"peer": peer, "do": do, **more}) + "\n")
        self.process.stdin.flush()
        line = self.replies.readline()
        if not line:
            return {"error": "the program has ended"}
        return json.loads(line)

    def end(self):
        """With the servers that its peers have begun and may have left."""
        self.process.stdin.close()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Run:
    def __init__(self, kind, host, peers, o, data):
        self.kind, self.host, self.o, self.data = kind, host, o, data
        self.about, self.errors, self.figures, self.notes, self.sizes = {}, {}, {}, {}, {}
        for peer in peers:
            self.try_to(peer, "about", keep=self.about)

    def try_to(self, peer, do, keep=None, **more):
        begun = time.monotonic()
        reply = self.host.ask(peer, do, **more)
        if time.monotonic() - begun > 10:
            print(f"  {self.kind} {peer} {do}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        if "error" in reply:
            self.errors.setdefault(peer, {})[do] = reply["error"]
            print(f"  {self.kind} {peer} {do}: {reply['error']}", file=sys.stderr, flush=True)
            return None
        if keep is not None:
            keep[peer] = reply["ok"]
        return reply["ok"]

    def failed(self, peer, *what):
        return any(w in self.errors.get(peer, {}) for w in what)

    def can(self, peer, do):
        return do in self.about[peer]["operations"]

    def prepare(self):
        for peer in self.about:
            folder = os.path.join(self.data, self.kind, peer)
            self.try_to(peer, "open", folder=folder)
            if not self.failed(peer, "open") and any(self.can(peer, do) for do in ("read", "last", "fork")):
                self.try_to(peer, "fill")
                cap = self.about[peer].get("turns_cap") or self.o["turns"]
                if cap < self.o["turns"]:
                    self.notes.update({(peer, do): f"{cap:,} turns" for do in ("read", "last", "fork")})
            if not self.failed(peer, "open") and self.can(peer, "stale"):
                # In a file of its own, so that the other operations find the same file everywhere.
                cap = self.about[peer].get("stale_cap") or self.o["stale"]
                self.try_to(peer, "open", folder=folder + "-stale", **{"as": "-stale"})
                if not self.try_to(peer, "fill_stale", n=min(cap, self.o["stale"]), **{"as": "-stale"}) and cap < self.o["stale"]:
                    self.notes[peer, "stale"] = f"{cap:,} sessions"

    def measure(self):
        blocks = {"store": self.o["block"], "push": self.o["block"], "take": self.o["block"], "move": self.o["block"],
                  "read": 1, "last": 20, "stale": 3}
        self.rounds(blocks)
        self.rounds({"fork": 3})  # last: what copies a thread may be at it for long

    def rounds(self, blocks):
        for number in range(self.o["rounds"]):
            for do, n in blocks.items():
                peers = [p for p in self.about if self.can(p, do) and not self.failed(p, "open", do, {"push": "push", "take": "push"}.get(do, "fill"))]
                turned = peers[number % len(peers):] + peers[:number % len(peers)] if peers else []
                for peer in turned:
                    self.block(peer, do, n)
            print(f"  {self.kind}: round {number + 1} of {self.o['rounds']}", file=sys.stderr, flush=True)

    def block(self, peer, do, n):
        measured, name = self.figures.setdefault((peer, do), []), {"as": "-stale"} if do == "stale" else {}
        if not measured:
            # The first calls open pages and compile statements: they are not counted. They say how many fit into a block.
            first = min(n, 1 if n < 50 else 20)
            call = self.try_to(peer, do, n=first, **name)
            if call is None or call > SLOW:
                measured.append(call)
                return
            self.sizes[peer, do] = max(1, min(n, int(SLOW / call)))
        elif measured[0] is None or measured[0] > SLOW:
            measured.append(None)
            return
        measured.append(self.try_to(peer, do, n=self.sizes[peer, do], **name))

    def disk(self):
        for peer in self.about:
            if self.can(peer, "disk") and not self.failed(peer, "open", "store"):
                self.try_to(peer, "open", folder=os.path.join(self.data, self.kind, peer + "-disk"), **{"as": "-disk"})
                turns = self.o["disk"]
                if self.figures[peer, "store"][0] > SLOW / 50:
                    turns //= 10
                    self.notes[peer, "disk"] = f"{turns:,} turns"
                self.figures[peer, "disk"] = [self.try_to(peer, "disk", n=turns, **{"as": "-disk"})]

    def flushed(self, folder):
        """Storing a turn once more, in files on the disk, as each peer opens them."""
        able = [p for p in self.about if self.can(p, "store") and not self.failed(p, "open", "store")]
        for peer in able:
            self.try_to(peer, "open", folder=os.path.join(folder, self.kind, peer), waits=True, **{"as": "-flushed"})
        for number in range(self.o["rounds"]):
            for peer in able[number % len(able):] + able[:number % len(able)]:
                got = self.try_to(peer, "store", n=max(5, self.o["block"] // 4), **{"as": "-flushed"})
                self.figures.setdefault((peer, "flushed"), []).append(got)
        for peer in able:
            self.try_to(peer, "close", **{"as": "-flushed"})

    def close(self):
        for peer in self.about:
            if not self.failed(peer, "open"):
                self.try_to(peer, "close")
                if self.can(peer, "stale"):
                    self.try_to(peer, "close", **{"as": "-stale"})

    def result(self):
        """For each peer and operation the median, and the median of its ratios to Turnstile in the same round."""
        out = {}
        for (peer, do), values in self.figures.items():
            pairs = [(v, t) for v, t in zip(values, self.figures.get(("turnstile", do), [])) if v is not None and t]
            if pairs:
                out.setdefault(peer, {})[do] = {"value": statistics.median(v for v, _ in pairs), "ratio": statistics.median(v / t for v, t in pairs),
                                                "least": min(v / t for v, t in pairs), "most": max(v / t for v, t in pairs), "rounds": len(pairs)}
        return {"kind": self.kind, "about": self.about, "figures": out, "errors": self.errors, "notes": {f"{p} {d}": v for (p, d), v in self.notes.items()}}


def library(build):
    for name in ("turnstile.so", "turnstile.dylib"):
        if os.path.exists(os.path.join(build, name)):
            return os.path.abspath(os.path.join(build, name))
    sys.exit(f"there is no turnstile library in {build}")


def sane(o, pinned, missing, results):
    """The plot is XML, and rows of a table have the columns of its head."""
    xml.etree.ElementTree.fromstring(report.plot(o, results))
    for part in report.markdown(o, pinned, missing, results).split("\n\n"):
        rows = [line.count("|") for line in part.splitlines() if line.startswith("|")]
        if len(set(rows)) > 1:
            sys.exit(f"a table has rows of different lengths: {rows}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    o = options(sys.argv[2:])
    scratch = Scratch(o["scratch"])
    chosen = {kind: {p: g for p, g in peers.items() if g is None or not o["only"] or p in o["only"].split(",")} for kind, peers in PEERS.items() if kind in o["programs"].split(",")}
    groups = {"node:better-sqlite3", *(g for g in chosen.get("py", {}).values() if g), *(f"node:{g}" for g in chosen.get("js", {}).values() if g)}
    scratch.install(groups)
    missing = {g: e for g, e in scratch.errors.items()}
    # Node finds packages beside the file that imports them.
    for name in ("host.mjs", "js"):
        to = os.path.join(scratch.node, name)
        (shutil.copytree(os.path.join(here, name), to, dirs_exist_ok=True) if name == "js" else shutil.copy(os.path.join(here, name), to))
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    data = tempfile.mkdtemp(prefix="turnstile-peers-", dir=o["data"] or memory)
    disk = tempfile.mkdtemp(prefix="data-", dir=scratch.folder)
    setup = os.path.join(scratch.folder, "setup.json")
    with open(setup, "w", encoding="utf-8") as f:
        json.dump({"library": library(sys.argv[1]), "turns": o["turns"], "texts": said(), "scratch": scratch.folder}, f)
    programs = {"py": [scratch.python, os.path.join(here, "host.py")], "js": [shutil.which("node") or "node", os.path.join(scratch.node, "host.mjs")]}
    results = []
    try:
        for kind in chosen:
            if kind == "js" and ("node:better-sqlite3" in missing or not shutil.which("node")):
                continue
            host = Host(kind, programs[kind], setup)
            lacks = {p: missing[g if kind == "py" else f"node:{g}"] for p, g in chosen[kind].items() if g and (g if kind == "py" else f"node:{g}") in missing}
            try:
                run = Run(kind, host, [p for p in chosen[kind] if p not in lacks], o, data)
                run.prepare()
                run.measure()
                run.disk()
                run.flushed(disk)
                run.close()
            finally:
                host.end()
            results.append({**run.result(), "missing": lacks})
            with open(os.path.join(scratch.folder, "results.json"), "w", encoding="utf-8") as f:
                json.dump({"options": o, "pinned": scratch.pinned, "missing": missing, "results": results}, f, indent=1)
    finally:
        shutil.rmtree(data, ignore_errors=True)
        shutil.rmtree(disk, ignore_errors=True)
    report.write(o, scratch.pinned, missing, results, o["write"])
    if o["smoke"]:
        sane(o, scratch.pinned, missing, results)
    bad = [f"{r['kind']} {p} {d}: {e}" for r in results for p, what in r["errors"].items() for d, e in what.items()]
    measured = sum(len(f) for r in results for f in r["figures"].values())
    if o["smoke"]:
        print(f"{measured} passed, {len(bad) + len(missing)} failed")
    sys.exit(1 if o["smoke"] and (bad or missing or len(results) < len(chosen)) else 0)


main()
