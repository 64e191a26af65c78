# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven through the DevTools protocol over a pair of pipes."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_browser():
    """Path of a browser; None: there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. Messages are JSON that ends with NUL: the browser reads them from descriptor 3 and writes to 4."""

    def __init__(self, program, width=1400, height=900, arguments=()):
        self.profile = tempfile.TemporaryDirectory()
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()
        self.process = subprocess.Popen(
            # The shell gives the pipes their numbers.
            [
                "sh",
                "-c",
                f'exec "$0" "$@" 3<&{commands} 4>&{answers}',
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={self.profile.name}",
                f"--window-size={width},{height}",
                *arguments,
                "about:blank",
            ],
            pass_fds=(commands, answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self.count = 0
        self.rest = b""
        self.events = []
        targets = self.call("Target.getTargets", session=None)["targetInfos"]
        target = next(one for one in targets if one["type"] == "page")
        self.session = self.call(
            "Target.attachToTarget", session=None, targetId=target["targetId"], flatten=True
        )["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.profile.name, ignore_errors=True)
        self.profile.cleanup()

    def _read(self):
        while b"\0" not in self.rest:
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session="", **parameters):
        """Result of a command. Events that come first are kept in `events`."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data) :]
        while True:
            answer = self._read()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while True:
            for number, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(number)["params"]
            self.events.append(self._read())

    def open(self, path, fragment=""):
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        self.wait_for("Page.loadEventFired")
        self.frame()

    def evaluate(self, expression):
        """Value of an expression of the page's language, once its promise is kept."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def resize(self, width, height, scale=1):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )

    def prefer(self, **features):
        """What the page learns of the user: prefer(color_scheme="dark")."""
        self.call(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()
            ],
        )
        self.frame()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def errors(self):
        """What the page has complained about."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
                found.append(str(parameters["args"]))
            elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
        return found
