"""A headless Chromium, driven over a pipe by its DevTools protocol: no driver, no port.

    with Chrome() as chrome:
        page = chrome.page(width=1280, height=900)
        page.open("file:///…")
        page.run("document.title")
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAM = next((p for p in ("chromium", "chromium-browser", "google-chrome")
                if shutil.which(p)), None)
FLAGS = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
         "--disable-extensions", "--disable-background-networking", "--disable-sync",
         "--disable-component-update", "--disable-default-apps", "--mute-audio",
         "--hide-scrollbars", "--disable-dev-shm-usage", "--force-color-profile=srgb",
         "--autoplay-policy=user-gesture-required", "--lang=en"]
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36,
        "End": 35, " ": 32, "Tab": 9, "Enter": 13}


class Chrome:
    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="pbm-chrome-")
        to_chrome, self.out = os.pipe()
        self.into, from_chrome = os.pipe()
        flags = FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else [])

        def as_3_and_4():
            a, b = os.dup(to_chrome), os.dup(from_chrome)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [PROGRAM, *flags, "--user-data-dir=" + self.home, "about:blank"],
            preexec_fn=as_3_and_4, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_chrome)
        os.close(from_chrome)
        self.rest, self.last, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
        except OSError:
            pass
        self.process.wait(30)
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.home, ignore_errors=True)

    def read(self):
        """The next message.  A browser that says nothing for ten minutes is hung."""
        while b"\0" not in self.rest:
            if not select.select([self.into], [], [], 600)[0]:
                raise OSError("the browser says nothing")
            block = os.read(self.into, 1 << 20)
            if not block:
                raise OSError("the browser ended")
            self.rest += block
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, session=None, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        return self.last

    def call(self, method, session=None, **params):
        wanted = self.send(method, session, **params)
        while True:
            message = self.read()
            if message.get("id") == wanted:
                if "error" in message:
                    raise OSError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def page(self, **look):
        return Page(self, **look)


class Asked:
    """What tabs of all browsers do by asking the page."""

    def until(self, expression, what=None):
        """Until the expression is true; at most two thousand questions."""
        for _ in range(2000):
            value = self.run(expression)
            if value:
                return value
            time.sleep(0.005)
        raise AssertionError("did not come: " + (what or expression))

    def middle(self, selector):
        """The point in the middle of an element, which is scrolled into view."""
        return self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")


class Page(Asked):
    """One tab.  `faults` collects console errors, exceptions and requests outside `home`."""

    def __init__(self, chrome, width=1280, height=900, dark=False, scripts=True, phone=False,
                 block=()):
        self.chrome, self.faults, self.requests = chrome, [], []
        target = chrome.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = chrome.call("Target.attachToTarget", targetId=target,
                                   flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        if block:
            self.call("Network.setBlockedURLs", urls=list(block))
        self.size(width, height, phone)
        self.media(dark)
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def call(self, method, **params):
        return self.chrome.call(method, self.session, **params)

    def close(self):
        self.chrome.call("Target.closeTarget", targetId=self.target)

    def size(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)

    def media(self, dark=False, calm=True, print_=False):
        self.call("Emulation.setEmulatedMedia", media="print" if print_ else "", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])

    def open(self, url):
        if "loaderId" in self.call("Page.navigate", url=url):  # not within the same page
            self.wait("Page.loadEventFired")
        self.listen()

    def wait(self, method):
        """Until the browser reports this event."""
        while True:
            for event in self.chrome.events:
                if event["method"] == method and event.get("sessionId") == self.session:
                    self.chrome.events.remove(event)
                    return event["params"]
            message = self.chrome.read()
            if "method" in message:
                self.chrome.events.append(message)

    def listen(self):
        """Takes note of what the browser has reported so far."""
        mine = [e for e in self.chrome.events if e.get("sessionId") == self.session]
        self.chrome.events = [e for e in self.chrome.events if e not in mine]
        for event in mine:
            p = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                d = p["exceptionDetails"]
                self.faults.append(d.get("exception", {}).get("description", d["text"]))
            elif event["method"] == "Runtime.consoleAPICalled" and p["type"] in (
                    "error", "warning", "assert"):
                self.faults.append(str([a.get("value") for a in p["args"]]))
            elif event["method"] == "Log.entryAdded" and p["entry"]["level"] in (
                    "error", "warning"):
                self.faults.append(p["entry"]["text"] + " " + p["entry"].get("url", ""))
            elif event["method"] == "Network.requestWillBeSent":
                self.requests.append(p["request"]["url"])

    def run(self, expression):
        """The value of an expression, awaited if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        self.listen()
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def key(self, key):
        press = {"key": key, "windowsVirtualKeyCode": KEYS.get(key) or ord(key.upper())}
        self.call("Input.dispatchKeyEvent", type="keyDown" if len(key) == 1 else "rawKeyDown",
                  **press, **({"text": key} if len(key) == 1 else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **press)

    def click(self, selector):
        x, y = self.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def swipe(self, x, y, dx):
        for kind, at in (("touchStart", x), ("touchMove", x + dx / 2), ("touchMove", x + dx)):
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": at, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def shoot(self, path, whole=False):
        """Writes a PNG of what is seen, or of the whole page."""
        clip = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"captureBeyondViewport": True, "clip": {
                "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        data = self.call("Page.captureScreenshot", format="png", **clip)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))

    def pdf(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.printToPDF", paperWidth=8.27,
                                               paperHeight=11.69)["data"]))
