"""What is loaded before the workers part: they share it, and one that was killed is back without loading anything."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.faults.conftest import PATIENCE, ROOT, Site, Survey
from tests.servers import subprocesses

SLOW = [
    "dask",
    "openpyxl",
    "pandas",
    "pyarrow",
    "pyreadstat",
    "pyxform",
]  # to load; most workers never need them
TOLD = """
import json, os, runpy, sys, threading
ours = runpy.run_path("gunicorn.conf.py")
globals().update(ours)

def post_fork(server, worker):
    from django.db import connections
    open_before = [c.alias for c in connections.all(initialized_only=True) if c.connection is not None]
    ours["post_fork"](server, worker)
    told = {{"loaded": sorted(sys.modules), "threads": at_fork[0], "open": open_before}}
    open(f"{folder}/{{worker.age}}.json", "w").write(json.dumps(told))

def pre_fork(server, worker):
    at_fork[:] = [threading.active_count()]
    ours["pre_fork"](server, worker)

at_fork = []
lifetimes = {lifetimes}
if lifetimes:
    constants = ours["post_request"].__globals__
    constants["LIFETIME"], constants["LONGEST_LIFETIME"] = lifetimes
"""


@contextmanager
def served(
    site: Site, tmp_path: Path, workers: int, lifetimes: tuple[float, float] | None = None
) -> Iterator[subprocess.Popen]:
    """As on a server, with what each worker found when it began.

    lifetimes: the seconds after which a worker ends, without other requests and in any case; None for those of
        a server.
    """
    (tmp_path / "told.py").write_text(TOLD.format(folder=tmp_path, lifetimes=lifetimes))
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi",
        "--config",
        str(tmp_path / "told.py"),
    ]
    command += ["--bind", f"127.0.0.1:{site.port}", "--workers", str(workers)]
    with (tmp_path / "log").open("wb") as log:
        master = subprocess.Popen(command, cwd=ROOT, env=site.environment, stdout=log, stderr=log)
    try:
        until(site.is_listening, master, tmp_path)
        yield master
    finally:
        master.terminate()
        master.wait()


def until(happens: object, master: subprocess.Popen, folder: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        subprocesses.expect_running(master, folder / "log")
        assert time.monotonic() < end, (folder / "log").read_text()
        time.sleep(0.02)


def children_of(process: int) -> list[int]:
    return list(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))


def get(site: Site) -> int:
    connection = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/login/")
        return connection.getresponse().status
    finally:
        connection.close()


def test_workers_part_with_all_loaded_one_thread_and_no_connection(
    site: Site, tmp_path: Path
) -> None:
    """Also the worker that follows one that was killed while it answered from the database."""
    survey = site.survey()
    with served(site, tmp_path, workers=1) as master:
        until((tmp_path / "1.json").exists, master, tmp_path)
        assert survey.send()[0] == 201
        (worker,) = children_of(master.pid)
        os.kill(worker, signal.SIGKILL)
        until((tmp_path / "2.json").exists, master, tmp_path)
        assert get(site) == 200
        assert survey.send()[0] == 201
    assert (
        len((tmp_path / "starts").read_text().splitlines()) == 2
    )  # the master, and the worker that took its place
    first, second = (json.loads((tmp_path / f"{age}.json").read_text()) for age in (1, 2))
    for told in (first, second):
        assert told["threads"] == 1
        assert told["open"] == []
        assert {"config.wsgi", "surveys.web.respondent.pages"} <= set(told["loaded"])
        assert not set(SLOW) & set(told["loaded"])


@pytest.mark.parametrize("site", ["sqlite"], indirect=True)
def test_usr2_starts_the_program_beside_the_old_one_and_refuses_nobody(
    site: Site, tmp_path: Path
) -> None:
    """As upgrading.md has it: the old master goes once the new one answers."""
    with served(site, tmp_path, workers=1) as master:
        master.send_signal(signal.SIGUSR2)
        until(
            lambda: len(children_of(master.pid)) == 2, master, tmp_path
        )  # its worker, and the new master
        new = max(children_of(master.pid))
        try:
            until(lambda: children_of(new), master, tmp_path)
            assert get(site) == 200
            master.terminate()
            master.wait()
            assert get(site) == 200
        finally:
            os.kill(new, signal.SIGTERM)
            while site.is_listening():
                time.sleep(0.05)


@pytest.mark.parametrize("site", ["sqlite"], indirect=True)
def test_hup_says_that_it_keeps_the_old_program(site: Site, tmp_path: Path) -> None:
    """Whoever is used to it would otherwise believe that a new version runs."""
    with served(site, tmp_path, workers=1) as master:
        master.send_signal(signal.SIGHUP)
        until(
            lambda: "HUP keeps the program that is loaded." in (tmp_path / "log").read_text(),
            master,
            tmp_path,
        )
        assert get(site) == 200


def started_workers(folder: Path) -> int:
    return len(list(folder.glob("*.json")))


class Visitors:
    """Several clients at once, each of whom loads a page, sends a response, and begins again."""

    def __init__(self, survey: Survey, number: int) -> None:
        self.survey = survey
        self.statuses: list[int] = []
        self.failures: list[Exception] = []
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._visit) for _ in range(number)]

    def _visit(self) -> None:
        while not self._is_over.is_set():
            try:
                self.statuses.append(get(self.survey.site))
                self.statuses.append(self.survey.send()[0])
            except Exception as failure:
                self.failures.append(failure)

    def __enter__(self) -> "Visitors":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()


def test_workers_end_after_their_lifetime_and_no_request_fails(site: Site, tmp_path: Path) -> None:
    """Under load, and nobody is told that the site keeps dying."""
    survey = site.survey()
    with served(site, tmp_path, workers=2, lifetimes=(3600, 1)) as master:
        with Visitors(survey, number=3) as visitors:
            until(lambda: started_workers(tmp_path) >= 6, master, tmp_path)
        ended = started_workers(tmp_path) - 2
    assert visitors.failures == []
    assert set(visitors.statuses) == {200, 201}
    assert ended >= 4
    assert len((tmp_path / "starts").read_text().splitlines()) == 1  # the master
    assert survey.count()["waiting"] == visitors.statuses.count(201)


@pytest.mark.parametrize("site", ["sqlite"], indirect=True)
def test_idle_worker_ends_with_its_next_request(site: Site, tmp_path: Path) -> None:
    with served(site, tmp_path, workers=1, lifetimes=(0, 3600)) as master:
        until(lambda: started_workers(tmp_path) == 1, master, tmp_path)
        (worker,) = children_of(master.pid)
        assert get(site) == 200
        until(lambda: started_workers(tmp_path) == 2, master, tmp_path)
        assert worker not in children_of(master.pid)
        os.kill(children_of(master.pid)[0], signal.SIGKILL)
        until(lambda: started_workers(tmp_path) == 3, master, tmp_path)
    # Only the master and the worker that was killed count as starts.
    assert len((tmp_path / "starts").read_text().splitlines()) == 2
