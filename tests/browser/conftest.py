"""A real site for real browsers: gunicorn, collected static files, a temporary SQLite."""

import os
import secrets
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.browser import chromium
from tests.faults.conftest import PATIENCE, migrated_file
from tests.servers import ports, subprocesses
from tests.servers.commands import Commands

ROOT = Path(__file__).resolve().parents[2]
expect.set_options(timeout=30_000)  # milliseconds: other tests keep the machine busy meanwhile
MAKE = """
from tests.factories import surveys
surveys.create_researcher({name!r}, {password!r})
"""


class Site:
    """A served site and the means to prepare it, all from outside its process."""

    def __init__(self, folder: Path, static: Path | None = None) -> None:
        """static: where its static files are collected, or have been already."""
        self.folder = folder
        self.port = ports.find_free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "HTTPS": "0",
            "ALLOWED_HOSTS": "localhost,127.0.0.1,survey.test",
            "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
            "VAR": str(folder),
            "STATIC_ROOT": str(static or folder / "static"),
        }
        self.commands = Commands(self.environment)

    def manage(self, *arguments: str) -> str:
        return self.commands.run(*arguments)

    def shell(self, code: str) -> str:
        """Run Python inside the site's Django; returns what it printed."""
        return self.manage("shell", "--no-imports", "-c", code).strip()

    def researcher(self, name: str) -> tuple[str, str]:
        """A new account; returns (name, password)."""
        password = secrets.token_urlsafe(12)
        self.shell(MAKE.format(name=name, password=password))
        return name, password

    def start(self) -> None:
        program = "tests.browser.slow_server" if "LATE" in os.environ else "config.wsgi"
        bind = ("--bind", f"127.0.0.1:{self.port}", "--threads", "8", "--workers", "2")
        self.server = self.commands.start(
            "gunicorn", program, *bind, log=self.folder / "server.log"
        )
        end = time.monotonic() + PATIENCE
        while not self.answers():
            subprocesses.expect_running(self.server, self.folder / "server.log")
            assert time.monotonic() < end, (self.folder / "server.log").read_text()
            time.sleep(0.05)

    def answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.url}/login/", timeout=PATIENCE).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        self.server.terminate()
        self.server.wait()


def prepared(folder: Path) -> Site:
    """On a copy of the migrated database, with the static files that are collected for this run; not started yet."""
    migrated_file(folder)
    return Site(folder, Path(settings.STATIC_ROOT))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = prepared(tmp_path_factory.mktemp("site"))
    site.start()
    yield site
    site.stop()


@pytest.fixture(autouse=True)
def _anew(request: pytest.FixtureRequest) -> None:
    """A second try makes again what the module has kept from the first; tests.factories gives it the same names."""
    if getattr(request.node, "execution_count", 1) > 1:
        for each in vars(request.module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    path = chromium.find()
    if path is None:
        pytest.fail(
            "There is no Chromium for the browser tests: set CHROMIUM, or install the package chromium."
        )
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
    quiet += ["--disable-component-update", "--disable-sync", "--no-first-run"]
    quiet += [f"--disable-features={','.join(chromium.WITHOUT)}"]
    return {**browser_type_launch_args, "executable_path": path, "args": quiet}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {**browser_context_args, "locale": "en-GB"}
