"""A served site as people and programs use it: by its addresses alone, which outlive the code behind them."""

import base64
import json
import re
import secrets
import uuid
from collections.abc import Iterable
from typing import Any

import httpx
from django_otp.oath import totp

from tests.faults.conftest import Site

CODE = re.compile(r"\b[A-Z2-7]{32}\b")
# What devices send: no page is opened here, so the library draws for them.
SENT = """
import json
from surveys.models import Instrument
from tests.factories.responses import make_responses
print(json.dumps(make_responses(Instrument.objects.get(survey__slug={slug!r}), {times}, {seed})))
"""
TICKET = """
from surveys.models import Instrument
from tests.helpers import ticket_device
print(ticket_device.fetch_ticket(Instrument.objects.get(survey__slug={slug!r}), {code!r}))
"""


def messages(
    site: Site, survey: dict[str, Any], times: int, seed: int, tickets: Iterable[str] = ()
) -> list[bytes]:
    """What so many respondents' pages send to a survey of `given`; each with a ticket, where there are any."""
    drawn = json.loads(site.shell(SENT.format(slug=survey["slug"], times=times, seed=seed)))
    ways = [{"ticket": ticket} for ticket in tickets] or [{"key": str(uuid.uuid4())} for _ in drawn]
    return [
        json.dumps({"instrument": survey["sha256"], "reports": reports} | way).encode()
        for reports, way in zip(drawn, ways, strict=True)
    ]


def take_ticket(site: Site, survey: dict[str, Any], code: str) -> str:
    return site.shell(TICKET.format(slug=survey["slug"], code=code))


def set_password(site: Site, printed: str) -> str:
    """Follow the link that `manage.py researcher` has printed; returns the password."""
    password = secrets.token_urlsafe(12)
    with httpx.Client(
        base_url=f"http://127.0.0.1:{site.port}", timeout=60, follow_redirects=True
    ) as web:
        page = web.get(re.search(r"/account/set-password/\S+", printed)[0])
        typed = {
            "new_password1": password,
            "new_password2": password,
            "csrfmiddlewaretoken": web.cookies["csrftoken"],
        }
        answer = web.post(page.url, data=typed)
        assert answer.url.path == "/login/", answer.text
    return password


class Person:
    """Somebody who logs in, with a code from an authenticator app where there is a secret for one."""

    def __init__(self, site: Site, name: str, password: str, secret: str = "") -> None:
        self.web = httpx.Client(base_url=f"http://127.0.0.1:{site.port}", timeout=60)
        self.password = password
        typed = {"username": name, "password": password, "code": code(secret) if secret else ""}
        self.post("/login/", typed)

    def get(self, path: str) -> str:
        answer = self.web.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    def post(self, path: str, typed: dict[str, str] | None = None) -> httpx.Response:
        """Sends the form of a page; what the form refuses fails."""
        if "csrftoken" not in self.web.cookies:
            self.get(path)
        headers = {"X-CSRFToken": self.web.cookies["csrftoken"]}
        answer = self.web.post(path, data=typed or {}, headers=headers)
        assert answer.status_code in (200, 302), (path, answer.status_code, answer.text)
        return answer

    def set_up_codes(self) -> str:
        """Turns on codes from an app; returns the secret that the app would keep."""
        secret = CODE.search(self.get("/account/two-factor/"))[0]
        self.post("/account/two-factor/", {"code": code(secret), "password": self.password})
        return secret


def code(secret: str) -> str:
    return f"{totp(base64.b32decode(secret)):06d}"


class Program:
    """A researcher's program with a token."""

    def __init__(self, site: Site, token: str) -> None:
        headers = {"Authorization": f"Token {token}"}
        self.web = httpx.Client(
            base_url=f"http://127.0.0.1:{site.port}/api/v1", headers=headers, timeout=60
        )

    def get(self, path: str) -> httpx.Response:
        answer = self.web.get(path)
        assert answer.status_code == 200, (path, answer.text)
        return answer

    def post(self, path: str, content: dict[str, Any] | None = None) -> Any:
        return self.send("POST", path, json=content or {})

    def send(self, method: str, path: str, **content: Any) -> Any:
        answer = self.web.request(method, path, **content)
        assert answer.is_success, (path, answer.text)
        return answer.json()
