"""Accounts that log in through an organization: their tokens, the site without a provider, and its settings."""

import json
import os
import re
import runpy
import sys
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client

from surveys.accounts import identities
from surveys.accounts.account import link_to_set_password
from surveys.accounts.tokens import issue_token
from tests.factories.surveys import create_researcher
from tests.servers import subprocesses

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
CLAIMS = {"iss": "https://login.example.edu", "sub": "person-1"}
PAUSED = "This token’s owner has not logged in for 90 days. It works again after their next login."
TODAY = date(2026, 5, 1)


@pytest.fixture
def ada(monkeypatch: pytest.MonkeyPatch) -> User:
    """Connected; today is the first of May, and the password would be “correct horse” otherwise."""
    monkeypatch.setattr("surveys.accounts.tokens.today", lambda: TODAY)
    user = create_researcher()
    identities.connect(user, CLAIMS)
    return user


def days_ago(user: User, days: int) -> None:
    user.last_login = datetime(TODAY.year, TODAY.month, TODAY.day, 0, 5, tzinfo=UTC) - timedelta(
        days=days
    )
    user.save()


def asked(token: str) -> tuple[int, str]:
    answer = Client(headers={"Authorization": f"Bearer {token}"}).get("/api/v1/tokens/")
    return answer.status_code, json.dumps(answer.json(), ensure_ascii=False)


def test_tokens_pause_90_days_after_the_last_login(ada: User) -> None:
    token = issue_token(ada, "laptop")
    days_ago(ada, 90)
    assert asked(token)[0] == 200
    days_ago(ada, 91)
    status, said = asked(token)
    assert (status, PAUSED in said) == (401, True)
    days_ago(ada, 0)
    status, said = asked(token)
    assert (status, '"pauses_after": "2026-07-30"' in said) == (200, True)
    days_ago(ada, 91)
    ada.set_password("battery staple 7")
    ada.save()
    status, said = asked(token)
    assert (status, '"pauses_after": null' in said) == (200, True)
    ada.is_active = False
    ada.save()
    assert asked(token)[0] == 401


def test_tokens_of_a_password_do_not_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surveys.accounts.tokens.today", lambda: TODAY)
    user = create_researcher()
    days_ago(user, 900)
    assert asked(issue_token(user, "laptop"))[0] == 200


@pytest.mark.once
def test_the_list_of_tokens_shows_the_day(client: Client, ada: User) -> None:
    issue_token(ada, "laptop")
    client.force_login(ada)
    days_ago(ada, 0)
    day = "They pause after 2026-07-30 UTC, unless you log in before then."
    assert day in client.get("/surveys/tokens/").content.decode()
    bob = create_researcher("bob")
    issue_token(bob, "laptop")
    client.force_login(bob)
    assert "They pause after" not in client.get("/surveys/tokens/").content.decode()


@pytest.mark.once
def test_without_a_provider_nothing_of_it_shows(client: Client, settings: Any) -> None:
    """404, and pages as they would be without it to the last byte: around each place that has something of it."""
    for path in ("/login/provider/", "/login/provider/back/", "/account/provider/"):
        for method in ("get", "post"):
            assert getattr(client, method)(path).status_code == 404, path
    user = create_researcher()
    pages = {}
    for issuer in ("", CLAIMS["iss"]):
        settings.OIDC_ISSUER, settings.OIDC_NAME = issuer, "Example University"
        browser, visitor = Client(), Client()
        browser.force_login(user)
        shown = [
            visitor.get("/login/"),
            visitor.get(link_to_set_password(user), follow=True),
            browser.get("/account/"),
        ]
        pages[bool(issuer)] = [page.content.decode() for page in shown]
    assert all("Example University" in page and "/provider/" in page for page in pages[True])
    assert not [
        page for page in pages[False] if "Example University" in page or "/provider/" in page
    ]
    login, link, account = pages[False]
    assert (
        'to answer a survey.</p>\n  \n  <form method="post" action="/login/" novalidate>\n' in login
    )
    assert '\n    <button class="btn btn--main">Log in</button>\n  </form>\n' in login
    assert '<button class="btn btn--main">Set the password</button>\n  </form>\n  \n</div>' in link
    for before, after in (
        ("Email", "Password"),
        ("Password", "Time zone"),
        ("Language", "Second factor"),
    ):
        assert re.search(
            rf"<dt>{before}</dt>\n.*\n    </div>\n    <div>\n      <dt>{after}</dt>\n", account
        ), after
    assert re.search(
        r"<dt>Second factor</dt>\n.*\n    </div>\n    <div>\n      <dt>Last login</dt>\n", account
    )


def test_an_account_stays_connected_where_the_site_has_no_provider_any_more(
    client: Client, ada: User
) -> None:
    """A password by link is the way back. Until then nothing says that there is one."""
    client.force_login(ada)
    page = client.get("/account/").content.decode()
    assert "Through your organization" in page
    assert "/account/password/" not in page
    assert client.get("/account/password/")["Location"] == "/account/"
    assert client.post("/logout/")["Location"] == "/"


@pytest.mark.once
def test_the_command_says_how_an_account_logs_in_until_then(ada: User, settings: Any) -> None:
    settings.OIDC_ISSUER, settings.OIDC_NAME, said = CLAIMS["iss"], "Example University", {}
    for name in ("ada", create_researcher("bob").get_username()):
        printed = StringIO()
        call_command("researcher", name, stdout=printed)
        said[name] = printed.getvalue()
        assert (
            "The page also offers to log in through Example University from now on." in said[name]
        )
    assert (
        "ada (existing account; logs in through Example University until the link is used)"
        in said["ada"]
    )
    assert "bob (existing account; the old password works until the link is used)" in said["bob"]


OIDC = {"OIDC_ISSUER": CLAIMS["iss"], "OIDC_CLIENT_ID": "candor", "OIDC_CLIENT_SECRET": "secret"}
GOOGLE = {"OIDC_ISSUER": "https://accounts.google.com"}
BOTH = "Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, as the provider shows them."
WRONG = [
    ({"OIDC_CLIENT_ID": ""}, BOTH),
    ({"OIDC_CLIENT_SECRET": ""}, BOTH),
    ({"OIDC_ISSUER": "http://login.example.edu"}, "OIDC_ISSUER must begin with https://."),
    (GOOGLE | {"OIDC_ADMIT": "*"}, "OIDC_ADMIT=* would let in anyone with a Google account."),
]
RIGHT = [
    ({"OIDC_ADMIT": "@Example.edu, uni.example,"}, ["example.edu", "uni.example"]),
    ({"OIDC_ADMIT": "*"}, ["*"]),
    (GOOGLE | {"OIDC_ADMIT": "example.edu"}, ["example.edu"]),
    ({"OIDC_ISSUER": "http://localhost:3000", "DEBUG": "1"}, []),
    ({"OIDC_ISSUER": "", "OIDC_CLIENT_ID": "", "OIDC_CLIENT_SECRET": ""}, []),
]


def settings_with(monkeypatch: pytest.MonkeyPatch, change: dict[str, str]) -> dict[str, Any]:
    for name, value in (OIDC | change).items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "config" / "settings.py"))


@pytest.mark.once
@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_settings_that_are_wrong(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, str], sentence: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=re.escape(sentence)):
        settings_with(monkeypatch, change)


@pytest.mark.once
@pytest.mark.parametrize(("change", "admits"), RIGHT)
def test_settings_that_are_right(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, str], admits: list[str]
) -> None:
    assert settings_with(monkeypatch, change)["OIDC_ADMIT"] == admits


@pytest.mark.once
def test_every_command_says_what_is_missing() -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "OIDC_ISSUER": CLAIMS["iss"],
    }
    done = subprocesses.run(
        [sys.executable, "manage.py", "check"], code=1, cwd=ROOT, env=environment
    )
    assert BOTH in done.stderr
