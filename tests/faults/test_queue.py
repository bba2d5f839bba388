"""Writers on SQLite stand in one queue, and whoever is killed in it holds up nobody."""

import fcntl
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.conftest import PATIENCE, Clients, Site, migrated_file, serving
from tests.faults.test_crashes import assert_whole
from tests.faults.test_database import assert_try_again

HOLD = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Site]:
    yield from serving(Site(tmp_path, migrated_file(tmp_path)))


def queue(site: Site) -> Path:
    return site.folder / "site.sqlite3-queue"


@contextmanager
def killed_at_the_end(site: Site) -> Iterator[None]:
    """A process has its turn meanwhile, and is killed in it."""
    command = [sys.executable, "-c", HOLD, queue(site)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


def wait_until_somebody_waits(site: Site) -> None:
    """As the system lists it: "1: -> FLOCK ADVISORY WRITE 123 08:01:INODE 0 EOF"."""
    inode, end = f":{queue(site).stat().st_ino} ", time.monotonic() + PATIENCE
    while not any(
        "->" in line and inode in line for line in Path("/proc/locks").read_text().splitlines()
    ):
        assert time.monotonic() < end, "nobody waits"
        time.sleep(0.01)


def test_an_answer_waits_for_its_turn_and_not_for_the_dead(sqlite: Site) -> None:
    survey = sqlite.survey()
    sqlite.start()
    assert survey.send()[0] == 201
    with ThreadPoolExecutor() as pool:
        with killed_at_the_end(sqlite):
            waiting = [pool.submit(survey.send) for _ in range(3)]
            wait_until_somebody_waits(sqlite)
            assert not any(answer.done() for answer in waiting)
        assert [answer.result()[0] for answer in waiting] == [201] * 3
    assert_whole(survey, 4)


def test_whoever_has_waited_for_too_long_is_told_to_come_again(sqlite: Site) -> None:
    survey = sqlite.survey()
    sqlite.environment["DATABASE_PATIENCE"] = "0"
    sqlite.start()
    body = survey.body()
    assert survey.send()[0] == 201
    with ThreadPoolExecutor() as pool:
        with killed_at_the_end(sqlite):
            waiting = pool.submit(survey.send, body)
            wait_until_somebody_waits(sqlite)
        assert_try_again(waiting.result())
    assert survey.send(body)[0] == 201
    assert_whole(survey, 2)


def test_nobody_keeps_a_turn(sqlite: Site) -> None:
    """Neither after answers that are stored, nor after retries, refusals and a survey that is closed."""
    survey = sqlite.survey()
    sqlite.start()
    with Clients(survey) as clients:
        clients.wait_for(50)
    body = survey.body()
    assert [survey.send(body)[0] for _ in range(2)] == [201, 200]
    sqlite.shell("from surveys.models import Survey; Survey.objects.update(status='closed')")
    assert survey.send()[0] == 403
    with queue(sqlite).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert queue(sqlite).stat().st_size == 0
    assert queue(sqlite).stat().st_mode & 0o777 == 0o600
