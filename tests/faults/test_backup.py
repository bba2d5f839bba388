"""A backup taken while answers arrive, restored into an empty place, gives the same report."""

import json
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.faults.conftest import Clients, Site, Survey
from tests.postgres import Postgres

REPORT = """
import json
from surveys.models import Instrument
from surveys.reporting.report import report
from surveys.reporting.travelling import as_json
print(json.dumps(as_json(report(Instrument.objects.get(survey__slug={slug!r})))))
"""


def report(site: Site, survey: Survey) -> dict:
    return json.loads(site.shell(REPORT.format(slug=survey.slug)))


def filled(site: Site) -> Survey:
    """A survey with a report, and another one for answers to arrive at."""
    survey = site.survey()
    for _ in range(50):
        survey.send()
    site.manage("seal")
    return survey


def compare(site: Site, other: Site, take_and_restore: object) -> None:
    site.start()
    survey, busy = filled(site), site.survey()
    with Clients(busy, number=4) as clients:
        clients.wait_for(30)
        before = clients.acknowledged
        take_and_restore()
        clients.wait_for(10)
    expected = report(site, survey)
    assert expected["n"] == 30
    assert report(other, survey) == expected
    restored = Survey(other, busy.slug, busy.sha256).count()
    assert before <= restored["waiting"] + restored["held"] + restored["batches"] <= clients.acknowledged + 4


def test_sqlite_is_backed_up_and_restored_under_load(tmp_path: Path) -> None:
    site = Site(tmp_path, f"sqlite:///{tmp_path / 'site.sqlite3'}")
    site.manage("migrate", "--verbosity", "0")
    other = Site(tmp_path, f"sqlite:///{tmp_path / 'restored.sqlite3'}")

    def take_and_restore() -> None:
        with sqlite3.connect(tmp_path / "site.sqlite3") as connection:
            connection.execute(f"VACUUM INTO '{tmp_path / 'restored.sqlite3'}'")

    try:
        compare(site, other, take_and_restore)
    finally:
        site.kill()


def test_postgres_is_dumped_and_restored_under_load(tmp_path: Path, postgres: Postgres) -> None:
    if not (postgres.bin / "pg_dump").exists():
        pytest.fail("pg_dump belongs to PostgreSQL's client programs; install them to test backups.")
    site, other = (Site(tmp_path, postgres.fresh_database()) for _ in range(2))
    site.manage("migrate", "--verbosity", "0")

    def take_and_restore() -> None:
        dump = tmp_path / "candor.dump"
        command = [postgres.bin / "pg_dump", "--format", "custom", "--file", dump, site.database]
        subprocess.run(command, check=True)
        command = [
            postgres.bin / "pg_restore",
            "--clean",
            "--if-exists",
            "--no-owner",
            "--dbname",
            other.database,
            dump,
        ]
        subprocess.run(command, check=True)

    try:
        compare(site, other, take_and_restore)
    finally:
        site.kill()
