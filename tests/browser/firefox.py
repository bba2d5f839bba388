"""A Firefox as its makers ship it, driven by WebDriver BiDi: Playwright drives only one that was built for it."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from itertools import count
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

from tests.servers import subprocesses

SECONDS = 120  # until an answer counts as missing


def find() -> str | None:
    return shutil.which("firefox") or shutil.which("firefox-esr")


class Tab:
    """One tab of a Firefox, with every request that it makes."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.requests: list[tuple[str, str]] = []  # method and address
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["network.beforeRequestSent"])
        self._context = self.call("browsingContext.create", type="tab")["context"]

    def open_window(self, address: str, script: str = "") -> "Tab":
        """Open a window from this tab as `window.survey`, run a script here, and return the window as a tab."""
        before = self._contexts()
        self.call(
            "script.evaluate",
            expression=f"window.survey = window.open({json.dumps(address)}); {script}; 0",
            awaitPromise=False,
            userActivation=True,  # without one a blocker of windows would stop it
            target={"context": self._context},
        )
        while not (opened := self._contexts() - before):
            time.sleep(0.05)
        window = copy(self)
        window._context = opened.pop()
        window.evaluate_until("() => document.readyState", "complete")
        return window

    def _contexts(self) -> set[str]:
        tree = self.call("browsingContext.getTree", maxDepth=0)
        return {context["context"] for context in tree["contexts"]}

    def evaluate_until(self, function: str, text: str) -> bool:
        """Call a function until it returns this text. Return False if it does not within a minute."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if self.evaluate(function) == text:
                    return True
            except AssertionError:
                pass  # The page was being loaded again.
            time.sleep(0.1)
        return False

    def call(self, method: str, **params: object) -> dict:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=SECONDS))
            if message.get("method") == "network.beforeRequestSent":
                request = message["params"]["request"]
                self.requests.append((request["method"], request["url"]))
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def before_every_page(self, script: str) -> None:
        self.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def goto(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, function: str, *texts: str) -> str:
        """Call a function of JavaScript with texts. Return its text, or nothing if it returns none."""
        done = self.call(
            "script.callFunction",
            functionDeclaration=function,
            awaitPromise=True,
            target={"context": self._context},
            arguments=[{"type": "string", "value": text} for text in texts],
        )
        assert done["type"] == "success", done
        return done["result"].get("value", "")


@contextmanager
def tab(profile: Path) -> Iterator[Tab]:
    """A new Firefox with an empty profile in this folder, and one tab of it."""
    profile.mkdir()
    command = [
        find(),
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--remote-debugging-port",
        "0",
    ]
    log = profile.with_suffix(".log")
    with log.open("wb") as out:
        firefox = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        with connect(
            f"{_address(firefox, log)}/session", max_size=None, open_timeout=SECONDS
        ) as socket:
            yield Tab(socket)
    finally:
        firefox.terminate()
        firefox.wait(SECONDS)


def _address(firefox: subprocess.Popen, log: Path) -> str:
    for _ in range(10 * SECONDS):
        if found := re.search(
            r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace")
        ):
            return found[1]
        try:
            firefox.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        break
    subprocesses.expect_running(firefox, log)
    raise AssertionError(log.read_text(errors="replace"))
