"""The disk of the database is lost: a synchronous standby has every response that was confirmed."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.conftest import PATIENCE, Clients, Site, serving
from tests.servers.postgres import Postgres


class Standby(Postgres):
    """A server that receives all changes of another one, as docs/deployment.md sets it up."""

    def __init__(self, primary: Postgres) -> None:
        self.primary = primary
        super().__init__()

    def _create_data(self, owner: str, ask_for_passwords: bool) -> None:
        """Copy the data of the primary, with the settings by which this server follows it."""
        source = ["--host", "127.0.0.1", "--port", self.primary.port, "--username", owner]
        options = ["--pgdata", self.data, "--write-recovery-conf", "--checkpoint", "fast"]
        self.data.rmdir()
        self._run("pg_basebackup", *source, *options)

    def promote(self) -> None:
        """Let this server take the place of the primary, which no standby confirms then."""
        self._run("pg_ctl", "--pgdata", self.data, "--wait", "promote")
        set_standbys(self, None)


def set_standbys(server: Postgres, names: str | None) -> None:
    """Name the standbys that confirm each commit, or none of them."""
    change = "RESET synchronous_standby_names"
    if names:
        change = f"SET synchronous_standby_names = '{names}'"
    with psycopg.connect(server.url, autocommit=True) as connection:
        # While no standby answers, this commit must not wait for one.
        connection.execute("SET synchronous_commit = local")
        connection.execute(f"ALTER SYSTEM {change}")
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture
def servers() -> Iterator[tuple[Postgres, Standby]]:
    primary = Postgres()
    if not (primary.bin / "pg_basebackup").exists():
        primary.remove()
        pytest.skip("This PostgreSQL has no pg_basebackup.")
    standby = Standby(primary)
    yield primary, standby
    standby.remove()
    shutil.rmtree(primary.folder, ignore_errors=True)


@pytest.fixture
def replicated(servers: tuple[Postgres, Standby], tmp_path: Path) -> Iterator[Site]:
    """A site with the addresses of both servers."""
    primary, standby = servers
    hosts = f"127.0.0.1:{primary.port},127.0.0.1:{standby.port}"
    address = f"postgres://candor@{hosts}/postgres?target_session_attrs=read-write"
    yield from serving(Site(tmp_path, address))


def wait_for_doctor(site: Site, line: str) -> None:
    """Wait until the command says this: a server reads new settings a moment after it is told."""
    end = time.monotonic() + PATIENCE
    while line not in site.commands.run_unchecked("doctor")[1]:
        assert time.monotonic() < end, site.commands.run_unchecked("doctor")[1]


def test_no_confirmed_response_is_lost_with_the_disk_of_the_database(
    replicated: Site, servers: tuple[Postgres, Standby]
) -> None:
    primary, standby = servers
    replicated.manage("migrate", "--verbosity", "0")
    survey = replicated.survey()
    wait_for_doctor(replicated, "A second copy confirms each answer: no.")
    set_standbys(primary, "ANY 1 (*)")
    wait_for_doctor(replicated, "A second copy confirms each answer: yes.")
    replicated.start()

    with Clients(survey) as clients:
        clients.wait_for(200)
        primary.stop("immediate")
        shutil.rmtree(primary.data)
        standby.promote()
        clients.wait_for(50)

    # A response that broke off was sent again under its key, so none is there twice.
    found = survey.count()
    assert found["waiting"] + found["held"] + found["batches"] == clients.acknowledged
    wait_for_doctor(replicated, "A second copy confirms each answer: no.")
