"""A served site on each database, which the tests here kill, starve and restart. Everything stays on the loopback."""

import atexit
import json
import os
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
from django.conf import settings as settings_module

from tests.servers import ports, subprocesses
from tests.servers.commands import Commands
from tests.servers.inbox_keys import draw_inbox_key
from tests.servers.postgres import Postgres

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60  # seconds until a client gives up

MAKE = """
from tests.factories import surveys
instrument = surveys.create_published(surveys.create_researcher({name!r}))
print(instrument.survey.slug, instrument.sha256)
"""
COUNT = """
import json
from surveys.fieldwork.responses.records import count_reports, decode
from surveys.models import Batch, Instrument, Response
from surveys.definition.parsing import parse_instrument
instrument = Instrument.objects.get(survey__slug={slug!r})
batches = list(instrument.batches.all())
frozen = parse_instrument(instrument)
rows = [decode(frozen, bytes(batch.records)) for batch in batches]
print(json.dumps(dict(
    waiting=Response.objects.filter(instrument=instrument, record__isnull=False).count(),
    held=sum(row.n for row in instrument.held.all()),
    batches=sum(batch.n for batch in batches),
    rows=sum(map(len, rows)),
    tally=instrument.tally.get("n", 0),
    counted=[sum(count_reports(frozen, part)["tax"][v] for part in rows) for v in (0, 1)],
    tallied=instrument.tally.get("counts", {{}}).get("tax", [0, 0]),
)))
"""


class Site:
    def __init__(self, folder: Path, database: str, settings: str = "config.settings") -> None:
        self.folder = folder
        self.database = database
        self.port = ports.find_free_port()
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": settings,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "HTTPS": "0",
            "DATABASE_URL": database,
            "DATABASE_PATIENCE": "2",
            "VAR": str(folder),
            "STATIC_ROOT": str(settings_module.STATIC_ROOT),  # collected for this run already
        }
        self.commands = Commands(self.environment)

    def manage(self, *arguments: str) -> str:
        return self.commands.run(*arguments).strip()

    def shell(self, code: str) -> str:
        return self.manage("shell", "--no-imports", "-c", code)

    def survey(self) -> "Survey":
        return Survey(self, *self.shell(MAKE.format(name=f"r{uuid.uuid4().hex[:8]}")).split())

    def start(self, largest_file: int | None = None) -> None:
        """The server in a process group of its own, so that a kill takes master and workers at once."""
        bind = ("--bind", f"127.0.0.1:{self.port}", "--workers", "2", "--threads", "4")
        log = self.folder / "log"
        self.server = self.commands.start(
            "gunicorn", "config.wsgi", *bind, log=log, largest_file=largest_file
        )
        end = time.monotonic() + PATIENCE
        while not self.is_listening():
            subprocesses.expect_running(self.server, log)
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.02)

    def kill(self) -> None:
        os.killpg(self.server.pid, signal.SIGKILL)
        self.server.wait()
        while self.is_listening():  # a worker takes a moment longer to be gone than its master
            time.sleep(0.01)

    def is_listening(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def post(self, path: str, body: bytes) -> tuple[int, dict, dict]:
        """Status, headers, document. Raises OSError or HTTPException where nobody answers."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), json.loads(answer.read() or b"{}")
        finally:
            connection.close()


class Survey:
    """An open survey and what clients send to it."""

    def __init__(self, site: Site, slug: str, sha256: str) -> None:
        self.site, self.slug, self.sha256 = site, slug, sha256
        self.path = f"/api/v1/surveys/{slug}/responses/"

    def body(self) -> bytes:
        key = str(uuid.uuid4())
        reports = {"tax": int(key[0], 16) % 2, "fruit": "01001", "region": 0}
        return json.dumps({"instrument": self.sha256, "key": key, "reports": reports}).encode()

    def send(self, body: bytes | None = None) -> tuple[int, dict, dict]:
        return self.site.post(self.path, body or self.body())

    def deliver(self) -> None:
        """As a respondent's page does: one body, tried again until it is acknowledged."""
        body, end = self.body(), time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                status, _, answer = self.send(body)
            except (OSError, HTTPException, ValueError):
                time.sleep(0.05)
                continue
            if answer.get("status") == "recorded":
                assert status in (200, 201)
                return
            assert status == 503, (status, answer)
            time.sleep(0.05)
        raise AssertionError("never acknowledged")

    def count(self) -> dict:
        return json.loads(self.site.shell(COUNT.format(slug=self.slug)))


class Clients:
    """Concurrent respondents; `acknowledged` is how many responses the site said it has."""

    def __init__(self, survey: Survey, number: int = 8) -> None:
        self.survey = survey
        self.acknowledged = 0
        self.failures: list[BaseException] = []
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._work) for _ in range(number)]

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                self.survey.deliver()
                with self._lock:
                    self.acknowledged += 1
        except BaseException as failure:
            self.failures.append(failure)

    def __enter__(self) -> "Clients":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        assert not self.failures, self.failures

    def wait_for(self, more: int) -> None:
        """Until so many more responses are acknowledged."""
        goal, end = self.acknowledged + more, time.monotonic() + PATIENCE
        while self.acknowledged < goal and not self.failures:
            assert time.monotonic() < end, "nothing is acknowledged any more"
            time.sleep(0.01)


@cache
def _template() -> Path:
    """SQLite's file as `migrate` leaves it, made once."""
    folder = Path(tempfile.mkdtemp(prefix="candor-template-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Site(folder, f"sqlite:///{folder / 'site.sqlite3'}").manage("migrate", "--verbosity", "0")
    return folder / "site.sqlite3"


def migrated_file(folder: Path) -> str:
    """The address of a new SQLite in that folder, with all tables."""
    shutil.copy(_template(), folder / "site.sqlite3")
    database = f"sqlite:///{folder / 'site.sqlite3'}"
    draw_inbox_key(database, folder / "inbox-keys")
    return database


def migrated_database(server: Postgres, folder: Path) -> str:
    """The address of a new database of that server, with all tables. folder: that of the site which uses it."""
    if not hasattr(server, "migrated"):
        server.migrated = server.fresh_database()
        Site(server.folder, server.migrated).manage("migrate", "--verbosity", "0")
    database = server.fresh_database(server.migrated)
    draw_inbox_key(database, folder / "inbox-keys")
    return database


def serving(site: Site) -> Iterator[Site]:
    """For fixtures: a site that is stopped after the test, wherever that left it."""
    yield site
    if getattr(site, "server", None) and site.server.poll() is None:
        site.kill()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """A fresh site on a fresh database, prepared but not yet started."""
    if request.param == "sqlite":
        database = migrated_file(tmp_path)
    else:
        database = migrated_database(request.getfixturevalue("postgres"), tmp_path)
    yield from serving(Site(tmp_path, database))
