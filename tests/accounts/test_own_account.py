"""A person's own account: name, password and its link, time zone, and where it is logged in."""

import re
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.management import CommandError, call_command
from django.test import Client

from surveys.accounts.tokens import issue_token
from surveys.models import AccessToken, Preferences
from tests.factories.surveys import create_researcher
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db
PASSWORD, NEW = "correct horse", "battery staple 7"
BOTH = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """tests/accounts/test_login_delays.py is about waiting."""
    monkeypatch.setattr("surveys.accounts.login_delays.MOST_SECONDS", 0)


def log_in(client: Client, name: str = "ada", password: str = PASSWORD) -> int:
    return client.post("/login/", {"username": name, "password": password}).status_code


def is_in(client: Client) -> bool:
    return client.get("/surveys/").status_code == 200


@pytest.fixture
def elsewhere(client: Client) -> Client:
    """Ada is logged in in two browsers; this is the other one."""
    create_researcher()
    other = Client()
    assert (log_in(client), log_in(other)) == (302, 302)
    return other


def test_the_name_in_the_header_leads_to_the_account(client: Client, elsewhere: Client) -> None:
    page = client.get("/surveys/").content.decode()
    assert '<a href="/account/"><bdi>ada</bdi></a>' in page
    account = client.get("/account/").content.decode()
    assert "In 2 browsers" in account
    assert all(f'href="{way}"' in account for way in ("/surveys/tokens/", "/account/sessions/"))
    assert 'action="/logout/"' in account
    for path in ("name", "password", "time-zone", "sessions", "two-factor"):
        assert f'href="/account/{path}/"' in account


def test_a_changed_password_ends_other_sessions_and_keeps_this_one(
    client: Client, elsewhere: Client
) -> None:
    issue_token(get_user_model().objects.get(), "laptop")
    assert (
        client.post("/account/password/", {"password": PASSWORD} | BOTH)["Location"] == "/account/"
    )
    assert is_in(client)
    assert not is_in(elsewhere)
    assert AccessToken.objects.exists()
    assert log_in(elsewhere) == 422
    assert log_in(elsewhere, password=NEW) == 302


def test_tokens_end_with_the_password_if_asked(client: Client, elsewhere: Client) -> None:
    assert "end_tokens" not in client.get("/account/password/").content.decode()  # there is none
    issue_token(get_user_model().objects.get(), "laptop")
    assert "Revoke all API tokens too" in client.get("/account/password/").content.decode()
    client.post("/account/password/", {"password": PASSWORD, "end_tokens": "1"} | BOTH)
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"password": "x"} | BOTH, "password", "This is not your password"),
        (BOTH, "password", "Type your password"),
        (
            {"password": PASSWORD, "new_password1": NEW, "new_password2": "other"},
            "new_password2",
            "match",
        ),
        (
            {"password": PASSWORD, "new_password1": "short", "new_password2": "short"},
            "new_password2",
            "too short",
        ),
        (
            {"password": PASSWORD, "new_password1": "12345678", "new_password2": "12345678"},
            "new_password2",
            "common",
        ),
    ],
)
def test_a_password_that_cannot_be_changed_says_why(
    client: Client, elsewhere: Client, typed: dict[str, str], field: str, message: str
) -> None:
    assert message in errors(client.post("/account/password/", typed))[field]
    assert is_in(elsewhere)


def test_name_and_e_mail_change_for_the_password(client: Client, elsewhere: Client) -> None:
    create_researcher("bob")
    typed = {"username": "lovelace", "email": "ada@example.org"}
    assert "password" in errors(client.post("/account/name/", typed))
    taken = client.post("/account/name/", typed | {"username": "BOB", "password": PASSWORD})
    assert "This one is taken" in errors(taken)["username"]
    assert '<a href="/account/"><bdi>ada</bdi></a>' in taken.content.decode()
    wrong = errors(
        client.post("/account/name/", {"username": "a b", "email": "ada", "password": PASSWORD})
    )
    assert set(wrong) == {"username", "email"}
    assert client.post("/account/name/", typed | {"password": PASSWORD})["Location"] == "/account/"
    account = client.get("/account/").content.decode()
    assert "lovelace" in account
    assert "ada@example.org" in account
    assert log_in(Client(), name="lovelace") == 302


def test_everything_else_ends_with_one_button(client: Client, elsewhere: Client) -> None:
    user = get_user_model().objects.get()
    other = Client()
    other.force_login(create_researcher("bob"))
    issue_token(user, "laptop")
    page = client.get("/account/sessions/").content.decode()
    assert (page.count("This browser"), page.count("Another browser")) == (1, 1)
    stolen = client.cookies["sessionid"].value
    assert client.post("/account/sessions/")["Location"] == "/account/sessions/"
    assert (is_in(client), is_in(elsewhere), is_in(other)) == (True, False, True)
    assert AccessToken.objects.exists()
    thief = Client()
    thief.cookies["sessionid"] = stolen
    assert not is_in(thief)
    log_in(elsewhere)
    shown = client.post("/account/sessions/", {"tokens": "all"}, follow=True).content.decode()
    assert "logged out in 1 other browser. 1 API token is revoked." in shown
    assert (is_in(client), is_in(elsewhere), AccessToken.objects.count()) == (True, False, 0)


def command(*arguments: str) -> str:
    printed = StringIO()
    call_command("researcher", *arguments, stdout=printed)
    return printed.getvalue()


def link(printed: str) -> str:
    return re.search(r"https?://[\w.]+(/account/set-password/\S+/)", printed)[1]


def opened(client: Client, path: str) -> str:
    """The page to which the link leads on, so that the link is in no address any more."""
    return client.get(path)["Location"]


def test_a_link_sets_the_first_password_once_and_logs_nobody_in(client: Client) -> None:
    printed = command("ada")
    assert "password" not in printed.replace("sets the password", "").replace("set-password", "")
    assert "Anyone who has it can use it, once, until" in printed
    page = opened(client, link(printed))
    assert "Set the password of" in client.get(page).content.decode()
    assert "new_password2" in errors(client.post(page, BOTH | {"new_password2": "other"}))
    assert client.post(page, BOTH)["Location"] == "/login/"
    assert not is_in(client)
    assert "The password of ada is set" in client.get("/login/").content.decode()
    assert log_in(client, password=NEW) == 302
    for again in (client.get(link(printed)), client.post(page, BOTH), Client().get(page)):
        assert again.status_code == 404
        assert "This link no longer works" in again.content.decode()


def test_whoever_is_logged_in_stays_who_they_are(client: Client) -> None:
    client.force_login(create_researcher("bob"))
    page = opened(client, link(command("ada")))
    client.post(page, BOTH)
    assert '<a href="/account/"><bdi>bob</bdi></a>' in client.get("/surveys/").content.decode()


def test_an_account_that_is_there_gets_a_new_link(client: Client, elsewhere: Client) -> None:
    issue_token(get_user_model().objects.get(), "laptop")
    path = link(command("ada"))
    assert is_in(elsewhere)
    page = opened(Client(), path)
    fresh = Client()
    page = opened(fresh, path)
    assert "Revoke all API tokens too" in fresh.get(page).content.decode()
    fresh.post(page, BOTH | {"end_tokens": "1"})
    assert not is_in(elsewhere)
    assert not AccessToken.objects.exists()
    assert "known-device" in fresh.cookies  # strangers who guess do not keep it waiting


def test_a_link_expires_and_is_not_for_everybody(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = link(command("ada"))
    later = datetime.now() + timedelta(days=3, minutes=1)
    with monkeypatch.context() as patched:
        patched.setattr(PasswordResetTokenGenerator, "_now", lambda _: later)
        assert client.get(path).status_code == 404
    assert client.get(path).status_code == 302
    get_user_model().objects.update(is_active=False)
    assert client.get(path).status_code == 404
    with pytest.raises(CommandError, match="inactive"):
        command("ada")
    other = create_researcher("bob")
    assert (
        client.get(path.replace(path.split("/")[3], "Mg" if other.pk == 2 else "OTk")).status_code
        == 404
    )


def test_the_command_for_operators(settings: object) -> None:
    settings.ALLOWED_HOSTS = ["*", ".example.org", "survey.example.org"]
    printed = command("olga", "--operator", "--token")
    assert "http://survey.example.org/account/" in printed
    assert "API token:" in printed
    assert get_user_model().objects.get().is_superuser
    assert command("olga", "--operator")
    create_researcher("ada")
    with pytest.raises(CommandError, match="already"):
        command("ada", "--operator")
    assert "https://other.example:8443/account/" in command(
        "ada", "--site", "https://other.example:8443/"
    )


def test_an_operator_sets_a_password_and_ends_the_tokens(client: Client, elsewhere: Client) -> None:
    user = get_user_model().objects.get()
    issue_token(user, "laptop")
    operator = Client()
    operator.force_login(create_researcher("olga", is_staff=True, is_superuser=True))
    path = f"/admin/auth/user/{user.pk}/password/"
    assert "Revoke all API tokens of this person too" in operator.get(path).content.decode()
    typed = {"password1": NEW, "password2": NEW, "set-password": "1", "usable_password": "true"}
    assert operator.post(path, typed).status_code == 302
    assert (is_in(client), AccessToken.objects.count()) == (False, 1)
    assert operator.post(path, typed | {"end_tokens": "on"}).status_code == 302
    assert not AccessToken.objects.exists()


def test_a_time_zone_is_chosen_from_those_that_there_are(client: Client, elsewhere: Client) -> None:
    page = client.get("/account/time-zone/").content.decode()
    assert '<option value="UTC" selected>UTC</option>' in page
    for wrong in ("", "Mars/Olympus", "../../etc/passwd", "Etc/GMT+5"):
        assert (
            "for example Europe/Berlin"
            in errors(client.post("/account/time-zone/", {"time_zone": wrong}))["time_zone"]
        )
    assert (
        client.post("/account/time-zone/", {"time_zone": "Asia/Kathmandu"})["Location"]
        == "/account/"
    )
    assert "Asia/Kathmandu" in elsewhere.get("/account/").content.decode()
    Preferences.objects.update(time_zone="Asia/Nowhere")  # as where a machine knows fewer
    assert "UTC" in client.get("/account/").content.decode()


def test_the_pages_are_kept_by_no_cache(client: Client, elsewhere: Client) -> None:
    for path in ("", "name/", "password/", "time-zone/", "sessions/", "two-factor/"):
        assert "no-store" in client.get(f"/account/{path}")["Cache-Control"], path


def test_the_last_login_is_shown(client: Client) -> None:
    user = create_researcher()
    user.last_login = datetime(2026, 1, 31, 14, 30, tzinfo=UTC)
    user.save()
    log_in(client)
    client.post("/account/time-zone/", {"time_zone": "Europe/Berlin"})
    assert "31 January 2026, 15:30 Europe/Berlin" in client.get("/account/").content.decode()


def test_a_password_is_not_shown_again(client: Client, elsewhere: Client) -> None:
    refused = client.post(
        "/account/password/", {"password": PASSWORD, "new_password1": NEW, "new_password2": "other"}
    )
    values = Form(refused).values
    assert NEW not in values.values()
    assert PASSWORD not in values.values()
