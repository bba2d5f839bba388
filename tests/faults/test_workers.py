"""What is loaded before the workers part: they share it, and one that was killed is back without loading anything."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.faults.conftest import PATIENCE, ROOT, Site
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
"""


@contextmanager
def served(site: Site, tmp_path: Path, workers: int) -> Iterator[subprocess.Popen]:
    """As on a server, with what each worker found when it began."""
    (tmp_path / "told.py").write_text(TOLD.format(folder=tmp_path))
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
