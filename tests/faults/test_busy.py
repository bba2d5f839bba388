"""Timers on a database that others hold, or that is slow to take connections: they try again, and stop in the end."""

import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg

from tests.faults.conftest import Site, Survey, migrated_database, migrated_file
from tests.faults.test_crashes import FILL, assert_whole, sealer
from tests.faults.test_database import complaint
from tests.servers.postgres import Postgres

A_WHILE = 5  # seconds; a statement here waits for 2
N = 40  # of them a first release shows 20
STOPPED = "CommandError: The database is busy ({}). 4 tries failed. Nothing is lost. The next run continues."


@contextmanager
def held(site: Site, survey: Survey) -> Iterator[None]:
    """Another program holds the row of a survey; of SQLite it holds the file."""
    with locked(
        site, f"SELECT 1 FROM surveys_instrument WHERE sha256 = '{survey.sha256}' FOR UPDATE"
    ):
        yield


@contextmanager
def locked(site: Site, statement: str) -> Iterator[None]:
    """Another program holds what it has locked with a statement; of SQLite it holds the file."""
    if site.database.startswith("sqlite"):
        with closing(sqlite3.connect(site.folder / "site.sqlite3", isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(site.database) as holder:
            holder.execute(statement)
            yield


def filled(site: Site) -> Survey:
    survey = site.survey()
    site.shell(FILL.format(slug=survey.slug, n=N))
    return survey


def assert_sealed_once(survey: Survey) -> None:
    assert_whole(survey, N)
    numbers = survey.count()
    assert (numbers["waiting"], numbers["batches"]) == (0, 20)


def test_what_is_held_for_a_while_is_sealed_in_the_same_run(site: Site) -> None:
    survey = filled(site)
    with held(site, survey):
        process = sealer(site)
        time.sleep(A_WHILE)
    process.finish()
    assert_sealed_once(survey)


def test_a_survey_that_is_held_for_good_keeps_none_of_the_others(
    postgres: Postgres, tmp_path: Path
) -> None:
    site = Site(tmp_path, migrated_database(postgres, tmp_path))
    first, *others = [filled(site) for _ in range(3)]
    with held(site, first):
        assert complaint(site, "seal") == STOPPED.format("canceling statement due to lock timeout")
        assert first.count()["waiting"] == N
        for survey in others:
            assert_sealed_once(survey)
    site.manage("seal")
    for survey in (first, *others):
        assert_sealed_once(survey)


def test_a_file_that_is_held_for_good_is_sealed_later(tmp_path: Path) -> None:
    site = Site(tmp_path, migrated_file(tmp_path))
    survey = filled(site)
    with held(site, survey):
        assert complaint(site, "seal") == STOPPED.format("database is locked")
        assert survey.count()["waiting"] == N
    site.manage("seal")
    assert_sealed_once(survey)


def test_a_server_that_is_slow_to_take_connections_is_waited_for(
    postgres: Postgres, tmp_path: Path
) -> None:
    """As on a machine with too much to do."""
    site = Site(tmp_path, migrated_database(postgres, tmp_path))
    survey = filled(site)
    server = int((postgres.data / "postmaster.pid").read_text().split()[0])
    os.kill(server, signal.SIGSTOP)  # who is connected goes on
    try:
        process = sealer(site)
        time.sleep(A_WHILE)
    finally:
        os.kill(server, signal.SIGCONT)
    process.finish()
    assert_sealed_once(survey)
