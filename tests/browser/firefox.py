"""A headless Firefox, driven over a web socket by WebDriver BiDi: no driver.  Its pages do what
those of chrome.py do, as far as the tests of both browsers ask for it."""
import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time

from chrome import Asked

PROGRAM = next((p for p in ("firefox-esr", "firefox") if shutil.which(p)), None)
PREFS = {"browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
         "app.update.enabled": False, "browser.startup.page": 0, "ui.prefersReducedMotion": 1,
         "extensions.update.enabled": False, "network.captive-portal-service.enabled": False,
         "network.connectivity-service.enabled": False, "intl.accept_languages": "en",
         "browser.safebrowsing.update.enabled": False, "services.settings.server": "data:,"}
KEYS = {"Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014",
        "ArrowDown": "\ue015", "End": "\ue010"}


class Firefox:
    def __init__(self, **prefs):
        self.home = tempfile.mkdtemp(prefix="pbm-firefox-")
        with open(self.home + "/user.js", "w", encoding="utf-8") as f:
            for name, value in {**PREFS, **prefs}.items():
                f.write("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)))
        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-remote", "--profile", self.home, "--remote-debugging-port=0"],
            env={**os.environ, "HOME": self.home}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.home + "/said", "wb"))
        self.rest, self.last, self.events, self.socket = b"", 0, [], None

    def __enter__(self):
        try:
            self.socket = socket.create_connection(("127.0.0.1", self.find_port()), 600)
            self.greet()
            self.call("session.new", capabilities={})
            self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        except OSError:
            self.process.kill()
            raise
        return self

    def __exit__(self, *_):
        try:
            self.call("browser.close")
        except OSError:
            self.process.kill()
        self.process.wait(60)
        self.socket.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def find_port(self):
        for _ in range(6000):
            with open(self.home + "/said", encoding="utf-8", errors="replace") as f:
                found = re.search(r"ws://127\.0\.0\.1:(\d+)", f.read())
            if found:
                return int(found[1])
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise OSError("Firefox did not start")

    # RFC 6455

    def greet(self):
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(("GET /session HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n"
                             % (*self.socket.getpeername(), key)).encode())
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise OSError(head.decode(errors="replace"))

    def more(self):
        block = self.socket.recv(1 << 20)
        if not block:
            raise OSError("the browser ended")
        self.rest += block

    def take(self, n):
        while len(self.rest) < n:
            self.more()
        got, self.rest = self.rest[:n], self.rest[n:]
        return got

    def read(self):
        text, last = b"", False
        while not last:
            first, n = self.take(2)
            if n > 125:
                n = struct.unpack(*((">H", self.take(2)) if n == 126 else (">Q", self.take(8))))[0]
            part, last = self.take(n), bool(first & 0x80)
            if first & 0x08:  # a ping; nobody waits long enough for its answer
                last = False
            else:
                text += part
        return json.loads(text)

    def call(self, method, **params):
        self.last += 1
        data = json.dumps({"id": self.last, "method": method, "params": params}).encode()
        n, mask = len(data), os.urandom(4)
        data = bytes(b ^ mask[i % 4] for i, b in enumerate(data))
        size = bytes([n]) if n < 126 else struct.pack(">BH", 126, n) if n < 1 << 16 else struct.pack(">BQ", 127, n)
        self.socket.sendall(b"\x81" + bytes([size[0] | 0x80]) + size[1:] + mask + data)
        while True:
            message = self.read()
            if message.get("id") == self.last:
                if message["type"] == "error":
                    raise OSError(f"{method}: {message['message']}")
                return message["result"]
            if message["type"] == "event":
                self.events.append(message)

    def page(self, **look):
        return Page(self, **look)


def plain(value):
    """A value as BiDi serializes it."""
    kind, inner = value["type"], value.get("value")
    if kind in ("array", "set", "htmlcollection", "nodelist"):
        return [plain(v) for v in inner]
    if kind == "object":
        return {k: plain(v) for k, v in inner}
    return inner


class Page(Asked):
    """One tab, with the methods of chrome.py's."""

    def __init__(self, firefox, width=1280, height=900, **_):
        self.firefox, self.faults, self.requests = firefox, [], []
        self.tab = firefox.call("browsingContext.create", type="tab")["context"]
        firefox.call("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def close(self):
        self.firefox.call("browsingContext.close", context=self.tab)

    def open(self, url):
        self.firefox.call("browsingContext.navigate", context=self.tab, url=url, wait="complete")
        # The answer may be about a change of the old page's address, which came at the same time.
        self.until("document.readyState === 'complete' && location.href.split('#')[0] === "
                   + json.dumps(url.split("#")[0]), url)

    def listen(self):
        for event in self.firefox.events:
            p = event["params"]
            if p.get("context", p.get("source", {}).get("context")) != self.tab:
                continue
            if event["method"] == "network.beforeRequestSent":
                self.requests.append(p["request"]["url"])
            elif p["level"] in ("error", "warn"):
                self.faults.append(p["text"])
        self.firefox.events = []

    def run(self, expression):
        answer = self.firefox.call("script.evaluate", expression=expression, awaitPromise=True,
                                   target={"context": self.tab})
        self.listen()
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return plain(answer["result"])

    def act(self, kind, actions, **more):
        self.firefox.call("input.performActions", context=self.tab,
                          actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    def key(self, key):
        value = KEYS.get(key, key)
        self.act("key", [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}])

    def click(self, selector):
        x, y = self.middle(selector)
        self.act("pointer", [{"type": "pointerMove", "x": round(x), "y": round(y)},
                             {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def shoot(self, path):
        data = self.firefox.call("browsingContext.captureScreenshot", context=self.tab)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
