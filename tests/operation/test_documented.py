"""docs/deployment.md by the letter: its commands install, back up, update, restore and go back.

The tests follow each other as the days of a server do. tests/operation/fake_programs.py names what is not real.
"""

import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.faults.conftest import MAKE, Clients, Survey
from tests.operation import fake_programs
from tests.operation.documented_server import HOST, Server
from tests.servers.postgres import Postgres

REPORT = """
import json
from surveys.models import Instrument, Response
from surveys.results.estimates.report import report
from surveys.results.report.shape import ReportResult
from surveys.site.shape import as_json
found = Instrument.objects.get(survey__slug={slug!r})
arrived = Response.objects.filter(instrument__survey__slug={busy!r}).count()
print(json.dumps(as_json(ReportResult.tell(report(found))) | dict(arrived=arrived)))
"""
NEWER = """
from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("surveys", {last!r})]
    operations = [migrations.CreateModel("Newer", [
        ("id", models.BigAutoField(primary_key=True)),
        ("survey", models.ForeignKey("surveys.survey", models.CASCADE)),
    ])]
"""


class Days:
    """A server, and what is in it."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def install(self, *but: str) -> None:
        for section in (
            "What you need",
            "The program",
            "The database",
            "The environment",
            "The services",
            "The web server",
        ):
            if section not in but:
                self.said = self.server.run(section)

    def fill(self) -> None:
        """A survey with a report, and one that takes answers, of which some wait."""
        self.survey, self.busy = (
            Survey(self.server, *self.server.shell(MAKE.format(name=name)).split())
            for name in ("grace", "ida")
        )
        for _ in range(50):
            assert self.survey.send()[0] == 201
        self.server.start("candor-seal.service")

    def read(self) -> dict:
        return json.loads(
            self.server.shell(REPORT.format(slug=self.survey.slug, busy=self.busy.slug))
        )

    def backups(self) -> list[Path]:
        return sorted((self.server.folder / "var/backups/candor").iterdir())

    def get(self, path: str) -> int:
        return self.answer(path).status_code

    def page(self, path: str) -> str:
        return self.answer(path).raise_for_status().text

    def answer(self, path: str) -> httpx.Response:
        headers = {"Host": HOST, "X-Forwarded-Proto": "https"}
        answer = httpx.get(
            f"http://127.0.0.1:{self.server.port}{path}", headers=headers, timeout=60
        )
        assert answer.status_code < 500, (self.server.folder / "log").read_text()
        return answer

    def tables(self) -> str:
        return self.server.shell(
            "from django.db import connection; print(connection.introspection.table_names())"
        )


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres(owner="postgres", ask_for_passwords=True)
    yield server
    server.remove()


@pytest.fixture(scope="module")
def days(postgres: Postgres) -> Iterator[Days]:
    """PostgreSQL, with two options in its address and a letter in the password that means something to a shell."""
    options = "?sslmode=prefer&prepare_threshold=None"
    server = Server(
        postgres, f"postgres://candor:{{password}}@127.0.0.1:{postgres.port}/candor{options}"
    )
    yield Days(server)
    server.remove()


@pytest.fixture(scope="module")
def file_days() -> Iterator[Days]:
    server = Server(None, "sqlite:////opt/candor/var/candor.sqlite3")
    yield Days(server)
    server.remove()


def of_account(path: Path) -> bool:
    """Whether the account of the service owns it; where tests cannot act as one, whoever runs them owns all."""
    return path.owner() == fake_programs.ACCOUNT


def program_files(program: Path) -> Iterator[Path]:
    """Yield what the account of the service reads, whatever umask root has: all but what the account itself owns."""
    for folder, folders, files in os.walk(program):
        folders[:] = [name for name in folders if name not in (".git", "var")]
        paths = [Path(folder, name) for name in (*folders, *files)]
        yield from (path for path in paths if not path.is_symlink())


def assert_fenced(server: Server) -> None:
    """The service's account owns what the program writes, and nothing of the program."""
    program = server.folder / "opt/candor"
    said = (server.folder / "stand-ins/adduser.said").read_text().split()
    assert {"--system", "--group", "--no-create-home", "/nonexistent"} <= set(said)
    assert not [
        path
        for path in (program, *program.iterdir())
        if path.stat().st_mode & 0o002 and not path.is_symlink()
    ]
    assert not [path for path in program_files(program) if path.stat().st_mode & 0o004 == 0]
    assert stat.S_IMODE((server.folder / "etc/candor/environment").stat().st_mode) == 0o640
    for folder in (program / "var", server.folder / "var/backups/candor"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    if server.before:
        assert [path.name for path in (program, *program.iterdir()) if of_account(path)] == ["var"]
        assert all(of_account(path) for path in (program / "var").rglob("*"))
        assert of_account(server.folder / "var/backups/candor")


def test_installing(days: Days) -> None:
    days.install()
    assert_fenced(days.server)
    assert set(days.server.active) == {
        "candor.service",
        "candor-seal.timer",
        "candor-deliver.timer",
        "candor-backup.timer",
    }
    assert days.get("/") == 200
    days.fill()
    assert days.read()["n"] == 30


def test_a_backup_while_answers_arrive(days: Days) -> None:
    with Clients(days.busy, number=4) as clients:
        clients.wait_for(30)
        before = clients.acknowledged
        said = days.server.type("candor backup /var/backups/candor")
        clients.wait_for(10)
    (file,) = days.backups()
    assert said == f"{file} is complete. Surveys: 2; responses in their reports: 30.\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    days.server.values["FILE"] = str(file)
    assert days.server.run("Backup").endswith(said)
    days.before, days.at_most = before, clients.acknowledged + 4


def test_the_site_is_set_up_right(days: Days) -> None:
    assert days.server.run("Is it set up right?").endswith("\nNo problems.\n")


def test_a_damaged_backup_is_told(days: Days) -> None:
    whole = days.backups()[0].read_bytes()
    damaged = days.server.folder / "damaged.dump"
    for cut in (whole[: len(whole) // 2], whole[:-9], b"", b"PGDMP and no more"):
        damaged.write_bytes(cut)
        assert days.server.complaint("check_backup", str(damaged)).startswith(
            f"{damaged} can’t be read. pg_restore: "
        )
    complaint = days.server.complaint("backup", "/nowhere")
    assert complaint == "There is no folder /nowhere. Create it first, or name another one."


def test_an_update(days: Days) -> None:
    """To a version with one more table, which refers to what there was; that version is what visitors then meet."""
    server = days.server
    days.old = server.git("rev-parse", "HEAD", at="opt/candor")
    migrations = server.folder / "origin/surveys/migrations"
    last = sorted(migrations.glob("0*.py"))[-1].stem
    (migrations / "9999_newer.py").write_text(NEWER.format(last=last))
    foot = server.folder / "origin/templates/base.html"
    foot.write_text(foot.read_text().replace("<li>Candor", "<li>Candor, newer"))
    assert "Candor, newer" not in days.page("/login/")
    server.commit("A newer release")
    server.run("Updates", block=0)
    assert (
        days.old
        != server.git("rev-parse", "HEAD", at="opt/candor")
        == server.git("rev-parse", "HEAD")
    )
    assert_fenced(server)
    assert "Candor, newer" in days.page("/login/")
    assert "surveys_newer" in days.tables()


def test_the_way_back_restores_over_a_newer_schema(days: Days) -> None:
    server, before = days.server, days.read()
    server.values["COMMIT"] = days.old
    server.run("Updates", block=1)
    server.run("Restore", block=0)
    assert server.git("rev-parse", "HEAD", at="opt/candor") == days.old
    assert "surveys_newer" not in days.tables()
    after = days.read()
    assert days.before <= after.pop("arrived") <= days.at_most
    assert after == {name: said for name, said in before.items() if name != "arrived"}
    assert days.get(f"/s/{days.survey.slug}/") == 200
    assert days.survey.send()[0] == 201


def test_what_was_restored_is_brought_up_to_a_newer_program(days: Days) -> None:
    days.server.type("cd /opt/candor; git pull --quiet; candor migrate")
    assert "surveys_newer" in days.tables()
    assert days.read()["n"] == 30


def test_when_people_leave(days: Days) -> None:
    days.server.values |= {"SLUG": days.survey.slug, "NAME": "ada", "TITLE": "'A survey'"}
    days.server.run("When people leave, and when data must go")
    assert days.get(f"/s/{days.survey.slug}/") == 404


def test_sqlite_by_the_letter(file_days: Days) -> None:
    """Installed, backed up two nights, lost, restored: the service can write all along."""
    days, server = file_days, file_days.server
    days.install("The database")
    assert_fenced(server)
    days.fill()
    server.start("candor-backup.service")
    (first,) = days.backups()
    first.rename(first.with_name("candor-2020-01-01-030000.sqlite3"))  # years ago
    server.start("candor-backup.service")
    assert len(days.backups()) == 2
    assert_damage_is_told(server, days.backups()[-1])
    before = days.read()
    database = server.folder / "opt/candor/var/candor.sqlite3"
    database.unlink()
    server.values["FILE"] = str(days.backups()[-1])
    server.run("Restore", block=1)
    assert days.read() == before
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    assert_fenced(server)
    assert days.survey.send()[0] == 201


def assert_damage_is_told(server: Server, backup: Path) -> None:
    damaged = server.folder / "damaged.sqlite3"

    def complaint(content: bytes, change: str = "") -> str:
        damaged.unlink(missing_ok=True)
        damaged.write_bytes(content)
        if change:
            with closing(sqlite3.connect(damaged, isolation_level=None)) as database:
                database.execute(change)
        return server.complaint("check_backup", str(damaged)).removeprefix(f"{damaged} ")

    whole = backup.read_bytes()
    missing = "is incomplete: responses of a report are missing."
    assert complaint(whole, "DELETE FROM surveys_batch") == missing
    newer = "INSERT INTO django_migrations (app, name, applied) VALUES ('surveys', '9998_later', '2030-01-01')"
    assert (
        complaint(whole, newer)
        == "is from a newer version of Candor, with 9998_later. This version can’t open it."
    )
    assert complaint(whole[: len(whole) // 2]).startswith(("is damaged: ", "can’t be read: "))
    assert (
        complaint(whole, "DROP TABLE django_migrations")
        == "can’t be read: no such table: django_migrations."
    )
