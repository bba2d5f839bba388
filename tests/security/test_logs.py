"""What the served site writes down of its visitors: nothing; and of its own failures, nothing about whom they met."""

import io
import json
import logging
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.urls.converters import PathConverter, SlugConverter, StringConverter

from config.logs import FORMATTERS, JSON, WithoutSecrets
from surveys.accounts import account
from surveys.web.account.login import SetPassword
from tests.factories.surveys import create_researcher
from tests.faults.conftest import Site, Survey, migrated_file, serving

AGENT, MARKER = "Zanzibar/7.2", "MARKER-9917"
BREAK = """
from surveys.models import Instrument
Instrument.objects.filter(survey__slug={slug!r}).update(content='{{')
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
        f"POST {survey.path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: "
        f"{AGENT}\r\nContent-Type: application/json\r\n"
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
        answer = client.post(
            survey.path,
            content=body,
            headers={"Content-Type": "application/json", "Referer": MARKER},
        )
    assert (answer.status_code, answer.json()["type"]) == (500, "/problems/failed")
    site.kill()
    written = log(site)
    assert survey.path in written
    assert "Traceback" in written
    assert not [
        trace for trace in (AGENT, MARKER, "127.0.0.1", survey.sha256) if trace in written
    ], written


@pytest.mark.django_db
def test_a_failure_behind_a_link_that_sets_a_password_keeps_the_link(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20. The link is good for three days."""
    path = account.link_to_set_password(create_researcher())
    token = path.split("/")[-2]
    written = io.StringIO()
    (handler,) = [one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler]
    monkeypatch.setattr(handler, "stream", written)

    def fail(*_: object) -> None:
        raise RuntimeError(f"The page {path} failed.")

    monkeypatch.setattr(SetPassword, "get_user", fail)
    client.raise_request_exception = False
    assert client.get(path).status_code == 500
    assert "Internal Server Error: /account/set-password/" in written.getvalue()
    assert "RuntimeError: The page /account/set-password/" in written.getvalue()
    assert token not in written.getvalue()


def text_parameters() -> Iterator[str]:
    """Yield the name of each parameter of a route that is any text at all."""
    for resolver in (get_resolver(), *every_resolver(get_resolver())):
        for pattern in resolver.url_patterns:
            for name, converter in getattr(pattern.pattern, "converters", {}).items():
                if isinstance(converter, StringConverter) and not isinstance(
                    converter, SlugConverter | PathConverter
                ):
                    yield name


def every_resolver(resolver: URLResolver) -> Iterator[URLResolver]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield pattern
            yield from every_resolver(pattern)


def test_every_secret_in_an_address_is_known() -> None:
    """A new parameter is added here, and to config/logs.py if whoever knows it may use it."""
    assert set(text_parameters()) == {"id", "secret", "token", "uidb64"}


SECRETS = [
    f"/r/link/{MARKER}/",  # of the feature shared_reports
    reverse("workspace:join", args=[MARKER]),
    reverse("api:join", args=[MARKER]),
    reverse("set-password", args=["MQ", MARKER]),
    f"{reverse('provider-back')}?code={MARKER}&state={MARKER}",
]


@pytest.mark.parametrize("address", SECRETS)
def test_no_secret_of_an_address_is_written_down(address: str) -> None:
    """20. Neither from the message nor from the traceback of a failure, in either form."""
    assert MARKER in address
    try:
        raise ValueError(f"No page at https://survey.example.org{address}")
    except ValueError:
        record = logging.LogRecord(
            "django", logging.ERROR, "", 0, "Error at %s", (address,), sys.exc_info()
        )
    assert WithoutSecrets().filter(record)
    for formatter in (JSON(), logging.Formatter(FORMATTERS["plain"]["format"])):
        line = formatter.format(record)
        assert "…" in line
        assert "Traceback" in line
        assert MARKER not in line


def test_as_json_the_log_says_the_same_and_no_more(site: Site) -> None:
    """20. One object in a line, with four keys at most, the line that says where the site answers included."""
    site.environment["LOG_FORMAT"] = "json"
    survey = site.survey()
    site.shell(BREAK.format(slug=survey.slug))
    site.start()
    with visitor(site) as client:
        client.get(f"/s/{MARKER}/", headers={"Referer": MARKER})
        client.post(
            survey.path,
            content=survey.body(),
            headers={"Content-Type": "application/json", "Referer": MARKER},
        )
    assert b"400" in say(site, f"{MARKER} nonsense\r\n\r\n".encode())
    site.kill()
    written = (site.folder / "log").read_text()
    began, *failures = [json.loads(line) for line in written.splitlines()]
    assert began["message"].startswith("Candor answers at")
    assert [(one["level"], one["logger"]) for one in failures] == [("ERROR", "django.request")]
    assert failures[0].keys() == {"level", "logger", "message", "traceback"}
    assert survey.path in failures[0]["message"]
    assert not [trace for trace in (AGENT, MARKER, survey.sha256) if trace in written], written
