"""Codex: its app server over standard input and output. Its model is an address on this machine that nobody serves."""
import json
import os
import subprocess

SETTINGS = {"model_provider": "none", "model_providers.none.name": "none", "model_providers.none.base_url": "http://127.0.0.1:9/v1",
            "model_providers.none.wire_api": "responses", "model_providers.none.supports_websockets": False,
            "analytics.enabled": False, "check_for_update_on_startup": False}


class Peer:
    name = "Codex, app server"
    more = "a server of its own, asked over a pipe; lines of JSON in a file for each thread, tables beside it"
    less = "no states, no queue for others; what is put into a thread's history is not read back (thread/inject_items)"
    operations = ["store", "fork", "disk"]

    def open(self, folder):
        home, log = os.path.join(folder, "home"), open(os.path.join(self.setup["scratch"], "codex.log"), "a", encoding="utf-8")
        os.makedirs(home)
        program = [os.path.join(self.setup["scratch"], "node", "node_modules", ".bin", "codex")]
        for key, value in SETTINGS.items():
            program += ["-c", f"{key}={json.dumps(value)}"]
        self.server = subprocess.Popen(program + ["app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=home,
                                       text=True, env={**os.environ, "CODEX_HOME": home, "HOME": home})
        self.id, self.threads, self.home = 0, {}, home
        self.call("initialize", clientInfo={"name": "bench", "version": "1"}, capabilities={"experimentalApi": True})
        self.send(method="initialized")

    def send(self, **message):
        self.server.stdin.write(json.dumps(message) + "\n")
        self.server.stdin.flush()

    def call(self, method, **params):
        self.id += 1
        self.send(id=self.id, method=method, params=params)
        for line in self.server.stdout:
            reply = json.loads(line)
            if reply.get("id") == self.id and "error" in reply:
                raise RuntimeError(f"{method}: {reply['error']}")
            if reply.get("id") == self.id and "result" in reply:
                return reply["result"]
        raise RuntimeError("the app server has ended")

    def begin(self, label):
        started = self.call("thread/start", cwd=self.home, sandbox="read-only", approvalPolicy="never")
        self.threads[label] = started["thread"]["id"]

    def put(self, label, texts):
        items = []
        for user, answer in texts:
            items.append({"type": "message", "role": "user", "content": [{"type": "input_text", "text": user}]})
            items.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]})
        self.call("thread/inject_items", threadId=self.threads[label], items=items)

    def store(self, label, user, answer):
        self.put(label, [(user, answer)])

    def fill(self, label, texts):
        for k in range(0, len(texts), 500):
            self.put(label, texts[k:k + 500])

    def fork(self, label, to):
        self.call("thread/fork", threadId=self.threads[label], excludeTurns=True)

    def close(self):
        self.server.stdin.close()
        self.server.wait(20)
