"""The database gone, locked, read-only or full: 503 with Retry-After, and the same bytes succeed later."""

import sqlite3
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.faults.conftest import Clients, Site, Survey, migrated_database, migrated_file, serving
from tests.faults.test_crashes import FILL, assert_whole
from tests.servers.inbox_keys import draw_inbox_key
from tests.servers.postgres import Postgres


def assert_try_again(answer: tuple[int, dict, dict]) -> None:
    status, headers, document = answer
    assert (status, document["type"]) == (503, "/problems/try-again")
    assert headers["Content-Type"] == "application/problem+json"
    assert int(headers["Retry-After"]) > 0
    assert document.keys() <= {"type", "title", "status"}


def complaint(site: Site, command: str) -> str:
    """The one line with which a timer's command ends."""
    code, printed, complained = site.commands.run_unchecked(command)
    (line,) = complained.splitlines()
    assert (code, printed) == (1, "")
    return line


def assert_told_once(site: Site, survey: Survey, line: str) -> None:
    """One line for all the requests of a minute, of all workers, which names neither page nor survey."""
    _, *logged = (site.folder / "log").read_text().splitlines()
    assert len(logged) == 1, logged
    assert logged[0].startswith(f"ERROR surveys.site.outages: {line}")
    assert survey.slug not in logged[0]


@pytest.fixture
def sqlite(tmp_path: Path):
    yield from serving(Site(tmp_path, migrated_file(tmp_path)))


def test_postgres_is_gone_and_comes_back(tmp_path: Path) -> None:
    server = Postgres()
    site = Site(tmp_path, server.url)
    site.environment["METRICS_TOKEN"] = "a-token-of-more-than-twenty-characters"
    try:
        site.manage("migrate", "--verbosity", "0")
        survey = site.survey()
        site.start()
        body = survey.body()
        assert survey.send()[0] == 201
        server.stop("immediate")
        assert_try_again(survey.send(body))
        for page in (
            f"/s/{survey.slug}/",
            "/surveys/",
            "/admin/login/",
            f"/api/v1/surveys/{survey.slug}/instrument/",
        ):
            answer = httpx.get(
                f"http://127.0.0.1:{site.port}{page}", cookies={"sessionid": "x" * 32}
            )
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5"), page
        assert_probes_say_so(site)
        for command in ("seal", "deliver"):
            assert complaint(site, command).startswith(
                "CommandError: The database can’t be used (connection "
            )
        server.start()
        assert survey.send(body)[0] == 201
        assert survey.send(body)[0] == 200
        assert_whole(survey, 2)
        assert_told_once(site, survey, "The database can’t be used (connection ")
    finally:
        site.kill()
        server.remove()


def assert_probes_say_so(site: Site) -> None:
    """No process is restarted because of it, and whoever watches learns where to look."""
    address, token = (
        f"http://127.0.0.1:{site.port}",
        {"Authorization": f"Bearer {site.environment['METRICS_TOKEN']}"},
    )
    assert httpx.get(f"{address}/healthz").text == "ok\n"
    assert [httpx.get(f"{address}/readyz").status_code, httpx.get(f"{address}/readyz").text] == [
        503,
        "not ok\n",
    ]
    (check,) = httpx.get(f"{address}/readyz", headers=token).json()["checks"]
    assert (check["name"], check["ok"]) == ("database", False)
    assert "candor_database_up 0\n" in httpx.get(f"{address}/metrics", headers=token).text


def test_postgres_restarts_in_mid_load(tmp_path: Path) -> None:
    server = Postgres()
    site = Site(tmp_path, server.url)
    try:
        site.manage("migrate", "--verbosity", "0")
        survey = site.survey()
        site.start()
        with Clients(survey) as clients:
            for mode in ("fast", "immediate"):
                clients.wait_for(50)
                server.stop(mode)
                server.start()
            clients.wait_for(50)
        assert_whole(survey, clients.acknowledged)
    finally:
        site.kill()
        server.remove()


def test_postgres_is_read_only(tmp_path: Path, postgres: Postgres) -> None:
    url = migrated_database(postgres, tmp_path)
    site = Site(tmp_path, url)
    survey = site.survey()
    body = survey.body()
    name = url.rpartition("/")[2]
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        site.start()
        assert_try_again(survey.send(body))
        site.kill()
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
    site.start()
    assert survey.send(body)[0] == 201
    site.kill()


def test_postgres_is_locked(tmp_path: Path, postgres: Postgres) -> None:
    """As while an update changes the table. Nobody waits for the end of it; the threads stay free."""
    site = Site(tmp_path, migrated_database(postgres, tmp_path))
    survey = site.survey()
    body = survey.body()
    site.start()
    try:
        with psycopg.connect(site.database) as holder:
            holder.execute("LOCK TABLE surveys_response IN ACCESS EXCLUSIVE MODE")
            assert_try_again(survey.send(body))
        assert survey.send(body)[0] == 201
        assert_whole(survey, 1)
    finally:
        site.kill()


CROWD = """
INSERT INTO surveys_response (key, instrument_id, record, sealed_on)
SELECT gen_random_uuid(), (SELECT id FROM surveys_instrument), NULL, '2020-01-01' FROM generate_series(1, 5000)
"""


def crowd(connection: psycopg.Connection) -> None:
    for _ in range(100):
        connection.execute(CROWD)


def test_postgres_has_no_more_room(tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: the table cannot grow."""
    server = Postgres()
    site = Site(tmp_path, server.url)
    try:
        site.manage("migrate", "--verbosity", "0")
        survey = site.survey()
        body = survey.body()
        server.stop()
        server.start(largest_file=18_000_000)  # a little more than a piece of its write-ahead log
        with (
            psycopg.connect(server.url, autocommit=True) as connection,
            pytest.raises(psycopg.Error, match="extend"),
        ):
            crowd(connection)
        site.start()
        answers = [
            survey.send() for _ in range(120)
        ]  # what room is left in the last page is used up first
        stored = [answer[0] for answer in answers].count(201)
        assert_try_again(survey.send(body))
        server.stop()
        server.start()
        assert survey.send(body)[0] == 201
        found = survey.count()
        assert found["waiting"] == stored + 1
    finally:
        site.kill()
        server.remove()


def test_sqlite_is_gone_and_comes_back(tmp_path: Path) -> None:
    """As when the disk that holds it is not mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    site = Site(tmp_path, migrated_file(folder))
    draw_inbox_key(site.database, tmp_path / "inbox-keys")
    survey = site.survey()
    body = survey.body()
    site.start()
    try:
        folder.rename(tmp_path / "elsewhere")
        assert_try_again(survey.send(body))
        (tmp_path / "elsewhere").rename(folder)
        assert survey.send(body)[0] == 201
        assert_whole(survey, 1)
    finally:
        site.kill()


def test_sqlite_has_no_more_room_to_seal(sqlite: Site) -> None:
    """What waits goes on waiting, and whoever runs the site is told why."""
    survey = sqlite.survey()
    sqlite.shell(FILL.format(slug=survey.slug, n=4000))
    sqlite.environment["DJANGO_SETTINGS_MODULE"] = "tests.faults.full"
    assert complaint(sqlite, "seal") == (
        "CommandError: The disk of the database is full (database or disk is full). Free some space. "
        "Nothing is lost. The next run continues."
    )
    sqlite.start()
    for _ in range(200):
        last = survey.send()
    assert_try_again(last)
    assert_told_once(sqlite, survey, "The disk of the database is full")
    sqlite.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    sqlite.manage("seal")
    assert survey.count()["held"] + survey.count()["batches"] >= 4000


def test_sqlite_is_locked(sqlite: Site) -> None:
    survey = sqlite.survey()
    sqlite.start()
    body = survey.body()
    holder = sqlite3.connect(sqlite.folder / "site.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert_try_again(survey.send(body))
    holder.execute("ROLLBACK")
    holder.close()
    assert survey.send(body)[0] == 201


def test_sqlite_is_read_only(sqlite: Site) -> None:
    survey = sqlite.survey()
    body = survey.body()
    sqlite.environment["DJANGO_SETTINGS_MODULE"] = "tests.faults.read_only"
    sqlite.start()
    assert_try_again(survey.send(body))
    sqlite.kill()
    sqlite.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    sqlite.start()
    assert survey.send(body)[0] == 201


def test_sqlite_has_no_more_room(sqlite: Site) -> None:
    """A limit on the size of files stands for the full disk: the write fails in the same place."""
    survey = sqlite.survey()
    body = survey.body()
    sqlite.start(largest_file=4096)
    assert_try_again(survey.send(body))
    sqlite.kill()
    sqlite.start()
    assert survey.send(body)[0] == 201
    assert_whole(survey, 1)
