"""Clients that go away in the middle: nothing stays open for them, the next ones are answered, and nobody is blamed."""

import socket
import struct
import time

import httpx
import psycopg

from tests.faults.conftest import PATIENCE, Site, Survey

FILL = """
from surveys.models import Instrument
from tests.factories.many_responses import add_invented_responses
instrument = Instrument.objects.get(survey__slug={slug!r})
add_invented_responses(instrument, {n})
from surveys.accounts.tokens import issue_token
print(issue_token(instrument.survey.owner, "reading"))
"""
N = 300_000  # responses: several megabytes, more than sockets hold between here and there
FILES = (
    "responses/?format=csv",
    "responses/?format=json",
    "export/responses.csv",
    "export/responses.parquet",
)


def ask(site: Site, survey: Survey, file: str, token: str) -> socket.socket:
    """Asks for a file and reads its beginning. As long as another is on its way it is told to come again."""
    end = time.monotonic() + PATIENCE
    while True:
        raw = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        of = f"/api/v1/surveys/{survey.slug}/{file}"
        raw.sendall(
            f"GET {of} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token {token}\r\n\r\n".encode()
        )
        if (status := raw.recv(12)) == b"HTTP/1.1 200":
            return raw
        assert status == b"HTTP/1.1 409", raw.recv(4096)
        assert time.monotonic() < end, "whoever hung up still has the turn"
        raw.close()
        time.sleep(0.05)


def hang_up(raw: socket.socket, *, rudely: bool) -> None:
    if rudely:  # a reset instead of a goodbye, as when a telephone loses its network
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.close()


def open_in_postgres(site: Site) -> list[tuple]:
    """What the site's connections are doing, but for waiting for their next statement."""
    with psycopg.connect(site.database) as connection:
        return connection.execute(
            "SELECT state, query FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND state IS DISTINCT FROM 'idle'"
        ).fetchall()


def wait_until_nothing_is_open(site: Site) -> None:
    end = time.monotonic() + PATIENCE
    while found := open_in_postgres(site):
        assert time.monotonic() < end, found
        time.sleep(0.1)


def test_a_download_that_is_cut_off_leaves_nothing_behind(site: Site) -> None:
    """More of them than the server has threads, so that it would stand still if each held one."""
    survey = site.survey()
    token = site.shell(FILL.format(slug=survey.slug, n=N))
    site.start()
    for number in range(12):
        hang_up(ask(site, survey, FILES[number % len(FILES)], token), rudely=number % 2 == 0)
    assert survey.send()[0] == 201
    if site.database.startswith("postgres"):
        wait_until_nothing_is_open(site)
    ask(site, survey, FILES[0], token).close()  # whoever hung up before has no turn any more
    path, headers = f"/api/v1/surveys/{survey.slug}/{FILES[0]}", {"Authorization": f"Token {token}"}
    end, lines = time.monotonic() + PATIENCE, 0
    while not lines:
        with httpx.stream(
            "GET", f"http://127.0.0.1:{site.port}{path}", headers=headers, timeout=60
        ) as answer:
            lines = sum(1 for _ in answer.iter_lines()) if answer.status_code == 200 else 0
        assert time.monotonic() < end
    assert lines == 1 + N
    site.kill()
    assert (site.folder / "log").read_text().count("\n") == 1  # where it answers


def test_an_answer_that_is_cut_off_is_not_stored_and_not_logged(site: Site) -> None:
    survey = site.survey()
    site.start()
    for length in range(0, 100, 9):
        raw = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE)
        body = survey.body()
        head = (
            f"POST {survey.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        )
        raw.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:length])
        hang_up(raw, rudely=length % 2 == 0)
    assert survey.send()[0] == 201
    site.kill()
    assert survey.count()["waiting"] == 1
    assert (site.folder / "log").read_text().count("\n") == 1
