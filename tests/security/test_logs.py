"""What the served site writes down of its visitors: nothing; and of its own failures, nothing about whom they met."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.faults.conftest import Site, Survey, migrated_file, serving

AGENT, MARKER = "Zanzibar/7.2", "MARKER-9917"
BREAK = """
from surveys.models import Instrument
Instrument.objects.filter(survey__slug={slug!r}).update(content='{{')
"""
LINK = """
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
from surveys.results.report import links
from tests.filling import fill
survey = Survey.objects.get(slug={slug!r})
fill(survey.instrument, 45)
close_survey(survey, survey.owner)
print(links.create(survey=survey, by=survey.owner)[1])
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield from serving(Site(tmp_path, migrated_file(tmp_path)))


def log(site: Site) -> str:
    """All that the server printed, without the line that says where it answers."""
    first, _, rest = (site.folder / "log").read_text().partition("\n")
    assert first.startswith("Candor answers at")
    return rest


def say(site: Site, content: bytes) -> bytes:
    """Bytes to the server itself; what it answers until it, or we, have enough."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=60) as raw:
        raw.sendall(content)
        raw.shutdown(socket.SHUT_WR)
        return raw.recv(200)


def answers(survey: Survey) -> list[bytes]:
    """Bodies that are recorded, refused, and broken off."""
    good = survey.body()
    bad = good.replace(b'"key": "', b'"key": "' + MARKER.encode())
    return [good, good, bad, b"[" * 9000, b"x" * 70_000, b"{", b""]


def visitor(site: Site) -> httpx.Client:
    """A connection for each request: one that is kept may be closed by the server just when the next is sent."""
    each = httpx.Limits(max_keepalive_connections=0)
    address = f"http://127.0.0.1:{site.port}"
    return httpx.Client(base_url=address, headers={"User-Agent": AGENT}, timeout=60, limits=each)


def test_nobodys_visit_is_written_down(site: Site) -> None:
    """20. Neither of answers, good or wrong, nor of pages, nor of requests that break off or are no HTTP."""
    survey = site.survey()
    site.start()
    with visitor(site) as client:
        for body in answers(survey):
            client.post(survey.path, content=body, headers={"Content-Type": "application/json"})
        for path in (
            f"/s/{survey.slug}/",
            "/s/nowhere/",
            "/leave/",
            f"/help/{survey.slug}/",
            f"/trust/{survey.slug}/",
            f"/s/{MARKER}",
            "/x/",
        ):
            client.get(path, headers={"Referer": MARKER, "Cookie": f"a={MARKER}"})
        client.post(f"/s/{survey.slug}/", data={"q-tax": MARKER})
    begun = (
        f"POST {survey.path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: {AGENT}\r\nContent-Type: application/json\r\n"
    )
    say(site, f"{begun}Content-Length: 500\r\n\r\n{{".encode())
    assert b"400" in say(site, f"{begun}Bad Header: {MARKER}\r\n\r\n".encode())
    assert b"400" in say(site, f"{MARKER} nonsense\r\n\r\n".encode())
    site.kill()
    assert log(site) == ""


def test_a_failure_names_the_page_and_nobody(site: Site) -> None:
    """20. Whoever runs the site learns where and why it failed."""
    survey = site.survey()
    site.shell(BREAK.format(slug=survey.slug))
    site.start()
    with visitor(site) as client:
        body = survey.body() + MARKER.encode()
        answer = client.post(survey.path, content=body, headers={"Content-Type": "application/json", "Referer": MARKER})
    assert (answer.status_code, answer.json()["type"]) == (500, "/problems/failed")
    site.kill()
    written = log(site)
    assert survey.path in written
    assert "Traceback" in written
    assert not [trace for trace in (AGENT, MARKER, "127.0.0.1", survey.sha256) if trace in written], written


@pytest.mark.parametrize("form", ["plain", "json"])
def test_a_failure_behind_a_secret_link_keeps_the_secret(site: Site, form: str) -> None:
    """Nor does the log have it where all is well, or where the link has ended."""
    site.environment["LOG_FORMAT"] = form
    survey = site.survey()
    secret = site.shell(LINK.format(slug=survey.slug)).split()[-1]
    site.start()
    with visitor(site) as client:
        assert client.get(f"/r/link/{secret}/").status_code == 200
        assert client.get(f"/r/link/{secret}x/").status_code == 404
        site.shell(BREAK.format(slug=survey.slug))
        answer = client.get(f"/r/link/{secret}/")
    assert answer.status_code == 500
    assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    site.kill()
    written = (site.folder / "log").read_text()
    assert "/r/link/…" in written
    assert secret not in written


def test_as_json_the_log_says_the_same_and_no_more(site: Site) -> None:
    """20. One object in a line, with four keys at most, the line that says where the site answers included."""
    site.environment["LOG_FORMAT"] = "json"
    survey = site.survey()
    site.shell(BREAK.format(slug=survey.slug))
    site.start()
    with visitor(site) as client:
        client.get(f"/s/{MARKER}/", headers={"Referer": MARKER})
        client.post(survey.path, content=survey.body(), headers={"Content-Type": "application/json", "Referer": MARKER})
    assert b"400" in say(site, f"{MARKER} nonsense\r\n\r\n".encode())
    site.kill()
    written = (site.folder / "log").read_text()
    began, *failures = [json.loads(line) for line in written.splitlines()]
    assert began["message"].startswith("Candor answers at")
    assert [(one["level"], one["logger"]) for one in failures] == [("ERROR", "django.request")]
    assert failures[0].keys() == {"level", "logger", "message", "traceback"}
    assert survey.path in failures[0]["message"]
    assert not [trace for trace in (AGENT, MARKER, survey.sha256) if trace in written], written
