"""The OpenID provider that tests log in at: npm’s oidc-provider, pinned with all it needs. Run as a module it installs.

Once installed it needs no network. Where it cannot be installed the tests that need it skip, and say so.
"""

import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest

from tests.javascript import node
from tests.servers import ports, subprocesses

FOLDER = Path(__file__).resolve().parent
PROGRAM = FOLDER / "node_modules" / "oidc-provider"
CLIENT, SECRET = "candor", "a secret: %, + and &"
PATIENCE = 60  # seconds for each of its answers
MISSING = "the OpenID provider is not installed: python -m tests.provider.program"


def install() -> None:
    """Where npm or its registry is missing, the tests skip and say so."""
    try:
        if npm := shutil.which("npm"):
            subprocesses.run(
                [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=FOLDER
            )
    except AssertionError as error:
        print(error)
        shutil.rmtree(FOLDER / "node_modules", ignore_errors=True)


class Provider:
    """A running one. Stopped and started again it has another key, and knows nobody any more."""

    def __init__(self, *redirect_uris: str, port: int | None = None) -> None:
        if not PROGRAM.exists() or node.find() is None:
            pytest.skip(MISSING)
        self.redirect_uris, self.port = redirect_uris, port or ports.find_free_port()
        self.issuer = f"http://localhost:{self.port}"
        self.start()

    def start(self) -> None:
        command = [node.find(), "provider.mjs", str(self.port), *self.redirect_uris]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.process = subprocess.Popen(command, cwd=FOLDER, **streams)
        lines = []
        while not lines or lines[-1] != "listening\n":
            line = self.process.stdout.readline()
            assert line, f"The OpenID provider did not start:\n{''.join(lines)}"
            lines.append(line)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Person:
    """Who types a name at the provider, in a browser that keeps its cookies there."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.browser = httpx.Client(timeout=PATIENCE)

    def log_in(self, url: str, *, cancel: bool = False) -> str:
        """Follow the way from this address to the one to which the provider leads back at last."""
        issuer = url.partition("/auth")[0]
        typed = []
        while url.startswith(issuer):
            answer = self.browser.get(url)
            if answer.status_code == 200:
                prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)[1]
                typed.append(prompt)
                if cancel:
                    url = urljoin(url, re.search(r'href="([^"]+/abort)"', answer.text)[1])
                    continue
                form = {"prompt": prompt, "login": self.name, "password": "any"}
                answer = self.browser.post(
                    re.search(r'<form[^>]+action="([^"]+)"', answer.text)[1], data=form
                )
            assert answer.is_redirect, answer.text
            url = urljoin(url, answer.headers["Location"])
        self.typed = typed
        return url


if __name__ == "__main__":
    if not PROGRAM.exists() and node.find():
        install()
    print(
        "OpenID provider:",
        PROGRAM if PROGRAM.exists() else "none to be had; the tests that need it skip",
    )
