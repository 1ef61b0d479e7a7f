"""opencode: its server over HTTP on this machine. No model is asked (noReply)."""
import http.client
import json
import os
import socket
import subprocess
import time

QUIET = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
         "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_CONFIG_CONTENT": '{"share":"disabled","autoupdate":false}'}
MODEL = {"providerID": "none", "modelID": "none"}


class Peer:
    name = "opencode, server"
    more = "a server of its own, asked over HTTP; parts of messages, events to watch"
    less = "stores the user's message alone, for an answer comes from a model; a fork copies all messages; no queue"
    operations = ["store", "read", "last", "fork", "disk"]
    stores_answer = False

    def open(self, folder):
        self.folder, self.sessions, self.server = folder, {}, None
        homes = {f"XDG_{k}_HOME": os.path.join(folder, k.lower()) for k in ("DATA", "CONFIG", "CACHE", "STATE")}
        self.env = {**os.environ, **QUIET, **homes, "HOME": folder}
        self.program = os.path.join(self.setup["scratch"], "node", "node_modules", ".bin", "opencode")
        self.serve()

    def serve(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        with open(os.path.join(self.setup["scratch"], "opencode.log"), "a", encoding="utf-8") as log:
            self.server = subprocess.Popen([self.program, "serve", "--port", str(port)], cwd=self.folder, env=self.env, stdout=log, stderr=log)
        # A request that comes while it begins may never be answered.
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        end = time.monotonic() + 90
        while time.monotonic() < end:
            try:
                self.call("GET", "/session")
                self.http.close()
                self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
                return
            except (OSError, http.client.HTTPException):
                self.http.close()
                time.sleep(0.2)
        self.stop()
        raise RuntimeError("the server does not answer")

    def call(self, method, path, body=None):
        self.http.request(method, path, json.dumps(body) if body is not None else None, {"content-type": "application/json"})
        reply = self.http.getresponse()
        text = reply.read()
        if reply.status >= 300:
            raise RuntimeError(f"{path}: {reply.status} {text[:200]}")
        return json.loads(text)

    def begin(self, label):
        self.sessions[label] = self.call("POST", "/session", {"title": label})["id"]

    def store(self, label, user, answer):
        parts = [{"type": "text", "text": user}]
        self.call("POST", f"/session/{self.sessions[label]}/message", {"noReply": True, "agent": "build", "model": MODEL, "parts": parts})

    def fill(self, label, texts):
        """Imported from a file, as `opencode export` writes it."""
        session = self.sessions[label]
        info, messages = self.call("GET", f"/session/{session}"), []
        for i, text in enumerate(t for pair in texts for t in pair):
            message = f"msg_{i:012x}{'0' * 14}"
            messages.append({"info": {"id": message, "sessionID": session, "role": "user", "time": {"created": 1767225600000 + i},
                                      "agent": "build", "model": MODEL},
                             "parts": [{"id": f"prt_{i:012x}{'0' * 14}", "sessionID": session, "messageID": message, "type": "text", "text": text}]})
        path = os.path.join(self.folder, "import.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"info": info, "messages": messages}, f)
        self.stop()
        subprocess.run([self.program, "import", path], cwd=self.folder, env=self.env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.remove(path)
        self.serve()

    def read(self, label):
        return len(self.call("GET", f"/session/{self.sessions[label]}/message"))

    def last(self, label, n):
        return len(self.call("GET", f"/session/{self.sessions[label]}/message?limit={n}"))

    def fork(self, label, to):
        self.call("POST", f"/session/{self.sessions[label]}/fork", {})

    def stop(self):
        self.http.close()
        self.server.terminate()
        try:
            self.server.wait(60)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def close(self):
        self.stop()
