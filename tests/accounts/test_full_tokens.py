"""A token with all rights takes the password, or a new login through the organization.

With all rights is a token that has every scope. One with fewer scopes is made without either.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.accounts import identities
from surveys.accounts.account import LOGIN_TIME_KEY
from surveys.accounts.tokens import SCOPES, find_token
from surveys.models import AccessToken
from tests.factories.surveys import create_researcher
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db
PAGE, API, PASSWORD = "/surveys/tokens/", "/api/v1/tokens/", "correct horse"
ALL, FEWER = [*SCOPES], [*SCOPES][:-1]
AGAIN = "/login/provider/?again&amp;next=/surveys/tokens/"


@pytest.fixture
def ada(client: Client) -> User:
    user = create_researcher()
    client.force_login(user)
    return user


@pytest.fixture
def connected(client: Client, ada: User, settings: Any) -> User:
    """Ada, whose last login through her organization was eleven minutes ago."""
    settings.OIDC_ISSUER, settings.OIDC_NAME = "https://login.example.edu", "Example University"
    identities.connect(ada, {"iss": "https://login.example.edu", "sub": "person-1"})
    client.force_login(ada)
    logged_in_at(client, minutes_ago=11)
    return ada


def logged_in_at(client: Client, minutes_ago: int) -> None:
    session = client.session
    session[LOGIN_TIME_KEY] = (timezone.now() - timedelta(minutes=minutes_ago)).isoformat()
    session.save()


def by_page(client: Client, scopes: list[str], **more: str) -> Any:
    return client.post(
        PAGE, {"name": "my laptop", "scopes": scopes, "expires": "2999-12-31"} | more
    )


def by_program(client: Client, scopes: list[str], **more: str) -> Any:
    body = {"name": "my laptop", "scopes": scopes} | more
    return client.post(API, body, content_type="application/json")


@pytest.mark.parametrize(
    ("password", "message"), [("", "Type your password."), ("x", "This is not your password.")]
)
def test_a_browser_that_was_left_open_makes_no_token_with_all_rights(
    client: Client, ada: User, password: str, message: str
) -> None:
    page = by_page(client, ALL, password=password)
    assert (page.status_code, errors(page)) == (422, {"password": message})
    form = Form(page)
    assert (form.values["name"], form.values["expires"]) == ("my laptop", "2999-12-31")
    assert form.data["scopes"] == ALL
    assert not form.values["password"]
    answer = by_program(client, ALL, **({"password": password} if password else {}))
    assert answer.status_code == 422
    assert answer.json()["type"] == "/problems/invalid"
    assert answer.json()["errors"].keys() == {"password"}
    assert not AccessToken.objects.exists()


def test_guesses_of_the_password_have_to_wait(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    monkeypatch.setattr("surveys.accounts.login_delays._now", lambda: now)
    by_program(client, ALL, password="x")
    assert (
        by_program(client, ALL, password=PASSWORD).json()["errors"]["password"].startswith("Wait ")
    )
    assert errors(by_page(client, ALL, password=PASSWORD))["password"].startswith("Wait ")
    assert not AccessToken.objects.exists()


def test_the_password_makes_a_token_with_all_rights(client: Client, ada: User) -> None:
    assert by_page(client, ALL, password=PASSWORD).status_code == 200
    answer = by_program(client, ALL, password=PASSWORD)
    assert answer.status_code == 201
    assert find_token(answer.json()["token"]).scopes == ALL
    assert AccessToken.objects.count() == 2


def test_a_scope_that_is_named_twice_hides_no_token_with_all_rights(
    client: Client, ada: User
) -> None:
    assert errors(by_page(client, [*ALL, ALL[0], "other"])).keys() == {"password"}
    assert not AccessToken.objects.exists()


def test_a_token_with_fewer_scopes_takes_no_password(client: Client, ada: User) -> None:
    assert by_page(client, FEWER).status_code == 200
    assert by_program(client, FEWER).status_code == 201
    assert AccessToken.objects.count() == 2


def test_the_password_is_not_looked_at_before_all_else_is_right(client: Client, ada: User) -> None:
    assert errors(by_page(client, ALL, name="", password="x")).keys() == {"name"}
    assert by_page(client, ALL, password=PASSWORD).status_code == 200  # nobody has to wait


def test_accounts_of_an_organization_log_in_there_again_and_lose_nothing(
    client: Client, connected: User
) -> None:
    page = by_page(client, ALL)
    assert (page.status_code, errors(page).keys()) == (422, {"scopes"})
    assert f'<a href="{AGAIN}">Log in through Example University again</a>' in page.content.decode()
    assert "password" not in Form(page).values
    assert not AccessToken.objects.exists()
    logged_in_at(client, minutes_ago=1)  # as coming back from there does
    form = Form(client.get(PAGE))
    assert (form.values["name"], form.values["expires"]) == ("my laptop", "2999-12-31")
    assert form.data["scopes"] == ALL
    assert by_page(client, ALL).status_code == 200
    assert AccessToken.objects.get().scopes == ALL
    assert Form(client.get(PAGE)).values["name"] == ""


def test_programs_of_an_organization_read_that_a_new_login_is_needed(
    client: Client, connected: User
) -> None:
    answer = by_program(client, ALL)
    assert answer.status_code == 422
    assert "log in through your organization" in answer.json()["errors"]["scopes"]
    assert by_program(client, FEWER).status_code == 201
    logged_in_at(client, minutes_ago=1)
    assert by_program(client, ALL).status_code == 201


def test_where_the_organization_is_gone_the_operator_helps(
    client: Client, connected: User, settings: Any
) -> None:
    settings.OIDC_ISSUER = ""
    page = by_page(client, ALL)
    assert errors(page).keys() == {"scopes"}
    assert "/login/provider/" not in page.content.decode()
    assert "Ask the site’s operator for a link to set a password." in page.content.decode()
