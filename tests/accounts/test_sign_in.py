"""Logging in through an organization, at a real OpenID provider: from there and back, connecting, and the way out.

tests/accounts/test_sign_in_forged.py has what no honest provider answers.
"""

import base64
import re
import time
from collections.abc import Iterator
from io import StringIO
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.management import call_command
from django.test import Client
from django_otp.oath import totp

from surveys.accounts import provider_requests, second_factor, team
from surveys.accounts.account import LOGIN_TIME_KEY
from surveys.accounts.tokens import SCOPES, issue_token
from surveys.models import AccessToken, Event, Identity
from tests.factories.surveys import create_draft, create_researcher
from tests.helpers.html_forms import Form, errors
from tests.provider.program import CLIENT, SECRET, Person, Provider

pytestmark = pytest.mark.django_db
ONCE = pytest.mark.once  # its statements are those of the tests beside it
PASSWORD, NEW = "correct horse", "battery staple 7"
BOTH = {"new_password1": NEW, "new_password2": NEW}
BACK = "/login/provider/back/"
LATE = "This login came too late, or began in another browser. Start again."
STRANGER = "You have no account here."
CONNECTED = "From now on you log in through Example University."


@pytest.fixture(scope="module")
def server() -> Iterator[Provider]:
    server = Provider(f"http://testserver{BACK}")
    yield server
    server.stop()


@pytest.fixture
def provider(server: Provider, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Provider:
    provider_requests._document_cache.clear()
    monkeypatch.setattr("surveys.accounts.login_delays.MOST_SECONDS", 0)  # nobody waits
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = (
        server.issuer,
        CLIENT,
        SECRET,
    )
    settings.OIDC_NAME, settings.OIDC_ADMIT = "Example University", []
    return server


def to_provider(client: Client, query: str = "") -> str:
    response = client.get(f"/login/provider/{query}")
    assert response.status_code == 302, response.content.decode()
    return response["Location"]


def there_and_back(client: Client, person: Person, query: str = "", **way: bool) -> Any:
    return come_back(client, person.log_in(to_provider(client, query), **way))


def come_back(client: Client, address: str) -> Any:
    return client.get(BACK, dict(parse_qsl(urlsplit(address).query)))


def assert_refused(response: Any, status: int, sentence: str) -> None:
    page = response.content.decode()
    assert (response.status_code, sentence in page) == (status, True), page
    assert not response.cookies["sign-in"].value


def connect(client: Client, person: Person, password: str = PASSWORD) -> Any:
    assert client.post("/account/provider/", {"password": password}).status_code == 200
    return there_and_back(client, person, "?connect&next=/account/")


def connected(person: Person, name: str = "ada") -> tuple[User, Client]:
    """An account that logs in as this person, and a browser in which it has."""
    user, client = create_researcher(name), Client()
    client.force_login(user)
    assert connect(client, person).status_code == 302
    user.refresh_from_db()
    return user, client


def is_in(client: Client) -> bool:
    return client.get("/surveys/").status_code == 200


def link(name: str) -> str:
    printed = StringIO()
    call_command("researcher", name, stdout=printed)
    return re.search(r"https?://[\w.]+(/account/set-password/\S+/)", printed.getvalue())[1]


def opened(client: Client, path: str) -> tuple[str, str]:
    """The page of a link, and its way to the provider, or nothing where it offers none."""
    page = client.get(path, follow=True).content.decode()
    offered = re.search(r'href="/login/provider/(\?link=\w+)"', page)
    return page, offered[1] if offered else ""


def test_connecting_takes_the_password_away_and_keeps_all_else(
    client: Client, provider: Provider
) -> None:
    user, elsewhere = create_researcher(), Client()
    second_factor.turn_on(second_factor.unconfirmed_app(user))
    survey, token = create_draft(user, title="Ada’s"), issue_token(user, "laptop")
    for browser in (client, elsewhere):
        browser.force_login(user)
    page = client.get("/account/").content.decode()
    assert "By password<br>" in page
    assert 'href="/account/provider/">Log in through Example University instead</a>' in page
    assert (
        errors(client.post("/account/provider/", {"password": "wrong"}))["password"]
        == "This is not your password."
    )
    assert client.get("/login/provider/?connect").status_code == 400  # without the password
    person = Person("ada")
    response = connect(client, person)
    assert response["Location"] == "/account/"
    assert person.typed == ["login", "consent"]
    page = client.get("/account/").content.decode()
    assert CONNECTED in page
    assert "Through Example University" in page
    assert not [
        way for way in ("password", "two-factor", "provider") if f'href="/account/{way}' in page
    ]
    assert (is_in(client), is_in(elsewhere)) == (True, False)
    assert second_factor.app_of(user) is None
    assert second_factor.count_recovery_codes(user) == 0
    assert Client().post("/login/", {"username": "ada", "password": PASSWORD}).status_code == 422
    for path in (
        "password/",
        "provider/",
        "two-factor/",
        "two-factor/codes/",
        "two-factor/code.svg",
    ):
        assert client.get(f"/account/{path}")["Location"] == "/account/", path
    assert "Ada’s" in client.get("/surveys/").content.decode()
    programs = Client(headers={"Authorization": f"Bearer {token}"})
    assert programs.get(f"/api/v1/surveys/{survey.slug}/").status_code == 200


@ONCE
def test_only_the_account_whose_password_was_typed_is_connected(
    client: Client, provider: Provider
) -> None:
    client.force_login(create_researcher("ada"))
    client.post("/account/provider/", {"password": PASSWORD})
    address = Person("ada").log_in(to_provider(client, "?connect&next=/account/"))
    client.force_login(create_researcher("bob"))
    assert_refused(come_back(client, address), 400, LATE)
    assert not Identity.objects.exists()
    assert is_in(client)


@ONCE
def test_teams_and_history_go_on(client: Client, provider: Provider) -> None:
    _, browser = connected(Person("ada"))
    survey = create_draft(create_researcher("bob"), title="Bob’s")
    secret = team.invite(survey=survey, by=survey.owner, role="editor")
    assert browser.get(f"/surveys/join/{secret}/").status_code == 200
    assert browser.post(f"/surveys/join/{secret}/").status_code == 302
    assert browser.get(f"/surveys/{survey.slug}/").status_code == 200
    assert "ada" in Event.objects.filter(survey=survey).values_list("name", flat=True)


def test_logging_in_again_finds_the_account_by_its_identity_alone(
    client: Client, provider: Provider
) -> None:
    person = Person("ada")
    user, _ = connected(person, "lovelace")
    page = client.get("/login/?next=/account/").content.decode()
    (way,) = re.findall(
        r'class="btn btn--main" href="/login/provider/(\S+)">Log in through Example University</a>',
        page,
    )
    assert "<h2>With a password</h2>" in page
    assert there_and_back(client, person, way)["Location"] == "/account/"
    assert person.typed == []
    assert client.session["_auth_user_id"] == str(user.pk)
    assert client.session.get_expiry_age() <= 43_200
    assert "The one before: " in client.get("/account/").content.decode()


def test_a_name_or_an_e_mail_joins_nobody(
    client: Client, provider: Provider, settings: Any
) -> None:
    create_researcher("ada", email="ada@example.edu")
    assert_refused(there_and_back(client, Person("ada")), 403, STRANGER)
    assert not Session.objects.exists()
    settings.OIDC_ADMIT = ["example.edu"]
    assert there_and_back(client, Person("ada")).status_code == 302
    assert Identity.objects.get().user.username == "ada-2"
    assert "/surveys/new/" in client.get("/surveys/").content.decode()


def test_a_link_connects_once(client: Client, provider: Provider) -> None:
    path, other = link("ada"), Client()
    page, way = opened(client, path)
    assert "Or use no password here. <a " in page
    assert ">Log in through Example University</a>, now and from now on." in page
    opened(other, path)
    assert there_and_back(client, Person("ada"), way)["Location"] == "/surveys/"
    assert CONNECTED in client.get("/surveys/").content.decode()
    assert other.get(f"/login/provider/{way}").status_code == 400
    assert "This link no longer works" in opened(Client(), path)[0]
    assert Client().get(f"/login/provider/{way}").status_code == 400  # without the link’s secret


@ONCE
def test_a_link_does_not_get_past_a_second_factor(client: Client, provider: Provider) -> None:
    user = create_researcher()
    _, way = opened(client, link("ada"))
    address = Person("ada").log_in(to_provider(client, way))
    second_factor.turn_on(second_factor.unconfirmed_app(user))  # meanwhile
    assert_refused(come_back(client, address), 400, LATE)
    assert client.get(f"/login/provider/{way}").status_code == 400
    assert opened(Client(), link("ada"))[1] == ""
    user.refresh_from_db()
    assert user.has_usable_password()


def test_an_identity_is_one_accounts(client: Client, provider: Provider) -> None:
    person = Person("ada")
    connected(person)
    client.force_login(create_researcher("bob"))
    assert_refused(connect(client, person), 409, "Another account here already uses this login.")
    assert is_in(client)
    _, way = opened(browser := Client(), link("carol"))
    assert_refused(
        there_and_back(browser, person, way), 409, "Another account here already uses this login."
    )
    assert get_user_model().objects.get(username="bob").has_usable_password()


def test_a_password_by_link_is_the_way_back(client: Client, provider: Provider) -> None:
    person = Person("ada")
    user, browser = connected(person)
    path = link("ada")
    page = client.get(path)["Location"]
    assert client.post(page, BOTH)["Location"] == "/login/"
    assert not is_in(browser)
    assert not Identity.objects.exists()
    assert client.post("/login/", {"username": "ada", "password": NEW}).status_code == 302
    assert_refused(there_and_back(Client(), person), 403, STRANGER)
    assert connect(client, person, NEW).status_code == 302  # and there again
    user.refresh_from_db()
    assert not user.has_usable_password()


@ONCE
def test_a_password_from_the_administration_puts_the_connection_out(
    client: Client, provider: Provider
) -> None:
    person = Person("ada")
    user, browser = connected(person)
    client.force_login(create_researcher("olga", is_staff=True, is_superuser=True))
    typed = {"password1": NEW, "password2": NEW, "set-password": "1", "usable_password": "true"}
    assert client.post(f"/admin/auth/user/{user.pk}/password/", typed).status_code == 302
    assert not is_in(browser)
    assert_refused(there_and_back(browser, person), 403, STRANGER)
    assert browser.post("/login/", {"username": "ada", "password": NEW}).status_code == 302
    assert "By password" in browser.get("/account/").content.decode()
    assert connect(browser, person, NEW).status_code == 302


@ONCE
def test_an_account_that_is_switched_off_stays_out(client: Client, provider: Provider) -> None:
    person = Person("ada")
    user, browser = connected(person)
    get_user_model().objects.filter(pk=user.pk).update(is_active=False)
    assert not is_in(browser)
    assert_refused(there_and_back(client, person), 403, STRANGER)


@ONCE
def test_a_changed_name_asks_for_a_fresh_login_of_the_same_person(
    client: Client, provider: Provider
) -> None:
    person = Person("ada")
    user, browser = connected(person)
    page = browser.get("/account/name/")
    assert set(Form(page).values) >= {"username", "email"}
    assert 'type="password"' not in page.content.decode()
    session = browser.session
    session[LOGIN_TIME_KEY] = "2026-01-01T00:00:00+00:00"
    session.save()
    away = browser.post("/account/name/", {"username": "lovelace"})["Location"]
    assert away == "/login/provider/?again&next=/account/name/"
    assert browser.get("/account/name/")["Location"] == away
    assert_refused(there_and_back(browser, Person("eve"), "?again&next=/account/name/"), 400, LATE)
    assert (
        there_and_back(browser, person, "?again&next=/account/name/")["Location"]
        == "/account/name/"
    )
    assert person.typed == ["login"]
    assert browser.post("/account/name/", {"username": "lovelace"})["Location"] == "/account/"
    user.refresh_from_db()
    assert user.get_username() == "lovelace"


def test_a_token_with_all_rights_is_kept_while_people_log_in_again(provider: Provider) -> None:
    person = Person("ada")
    _, browser = connected(person)
    session = browser.session
    session[LOGIN_TIME_KEY] = "2020-01-01T00:00:00+00:00"
    session.save()
    asked = {"name": "laptop", "scopes": [*SCOPES], "expires": "2999-12-31"}
    page = browser.post("/surveys/tokens/", asked)
    assert (page.status_code, errors(page).keys()) == (422, {"scopes"})
    assert '<a href="/login/provider/?again&amp;next=/surveys/tokens/">' in page.content.decode()
    back = there_and_back(browser, person, "?again&next=/surveys/tokens/")
    form = Form(browser.get(back["Location"]))
    assert form.data["scopes"] == asked["scopes"]
    assert (form.values["name"], form.values["expires"]) == ("laptop", "2999-12-31")
    assert browser.post("/surveys/tokens/", asked).status_code == 200
    assert AccessToken.objects.get().scopes == asked["scopes"]


@ONCE
def test_an_answer_is_good_once_and_in_one_browser(
    client: Client, provider: Provider, settings: Any
) -> None:
    settings.OIDC_ADMIT, person = ["*"], Person("ada")
    address = person.log_in(to_provider(client))
    assert "iss=http" in address
    cookie = client.cookies["sign-in"].value
    assert_refused(come_back(Client(), address), 400, LATE)
    other = Client()
    to_provider(other)
    assert_refused(come_back(other, address), 400, LATE)
    assert come_back(client, address).status_code == 302
    client.post("/logout/")
    assert_refused(come_back(client, address), 400, LATE)  # replayed, its cookie gone
    client.cookies["sign-in"] = cookie
    assert_refused(come_back(client, address), 400, LATE)  # the code was used
    assert not is_in(client)


@ONCE
def test_a_login_takes_at_most_ten_minutes(
    client: Client, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = time.time
    for seconds, status in ((590, 403), (660, 400)):  # nobody has an account here
        with monkeypatch.context() as patched:
            patched.setattr(signing.time, "time", lambda ago=seconds: clock() - ago)
            address = to_provider(client)
        assert_refused(come_back(client, Person("ada").log_in(address)), status, "")


@ONCE
def test_whoever_cancels_there_is_told(client: Client, provider: Provider) -> None:
    response = there_and_back(client, Person("ada"), cancel=True)
    assert_refused(
        response, 400, "Example University did not log you in, or you cancelled. Try again."
    )
    assert not Session.objects.exists()
    assert client.get(BACK, {"error": "access_denied"}).status_code == 400


@ONCE
def test_logged_out_here_is_not_logged_out_there(client: Client, provider: Provider) -> None:
    person = Person("ada")
    _, browser = connected(person)
    page = browser.post("/logout/", follow=True).content.decode()
    assert "You are logged out here. Example University may still know this browser." in page
    assert not is_in(browser)
    assert there_and_back(browser, person).status_code == 302
    assert person.typed == []
    client.force_login(create_researcher("bob"))
    assert client.post("/logout/")["Location"] == "/"


@ONCE
def test_a_provider_that_stops_is_the_providers_failure(client: Client, provider: Provider) -> None:
    person, gone = Person("ada"), "Example University isn’t answering. Try again in a few minutes."
    user, _ = connected(person)
    address = person.log_in(to_provider(client))
    provider.stop()
    assert_refused(come_back(client, address), 503, gone)
    provider_requests._document_cache.clear()
    assert client.get("/login/provider/").status_code == 503
    create_researcher("bob")
    assert client.post("/login/", {"username": "bob", "password": PASSWORD}).status_code == 302
    provider.start()
    assert there_and_back(Client(), Person("ada")).status_code == 302  # by a new key
    assert user.pk == get_user_model().objects.get(identity__subject="ada").pk


@ONCE
def test_a_wrong_secret_is_the_sites_failure(
    client: Client, provider: Provider, settings: Any
) -> None:
    settings.OIDC_CLIENT_SECRET = "wrong"
    assert_refused(
        there_and_back(client, Person("ada")), 503, "Example University isn’t answering."
    )


@ONCE
def test_the_provider_itself_wants_what_we_send(client: Client, provider: Provider) -> None:
    """Or our tests would not show that we send it."""
    address = to_provider(client)
    bare = re.sub(r"&code_challenge\w*=[^&]*", "", address)
    assert "error=invalid_request" in httpx.get(bare).headers["Location"]
    form = {
        "grant_type": "authorization_code",
        "redirect_uri": f"http://testserver{BACK}",
        "code_verifier": "x" * 43,
    }
    form["code"] = dict(parse_qsl(urlsplit(Person("ada").log_in(address)).query))["code"]
    secret = base64.b64encode(b"candor:a%20secret%3A%20%25%2C%20%2B%20and%20%26").decode()
    answer = httpx.post(
        f"{provider.issuer}/token", data=form, headers={"Authorization": f"Basic {secret}"}
    )
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


@ONCE
def test_an_app_set_up_before_is_asked_for_until_the_account_is_connected(
    client: Client, provider: Provider
) -> None:
    user = create_researcher()
    device = second_factor.unconfirmed_app(user)
    second_factor.turn_on(device)
    typed = {"username": "ada", "password": PASSWORD}
    assert client.post("/login/", typed).status_code == 422
    code = f"{totp(device.bin_key):06d}"
    assert client.post("/login/", typed | {"code": code}).status_code == 302
    assert connect(client, Person("ada")).status_code == 302
    assert Client().post("/login/", typed | {"code": code}).status_code == 422
