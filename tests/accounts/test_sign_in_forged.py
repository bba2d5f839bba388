"""Logins through a provider that says what no honest one does. Nothing is created, and no session begins."""

import json
import secrets
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from surveys.accounts import identities, provider_requests
from surveys.models import Identity
from tests.accounts.forged_provider import KEY, OTHER_KEY, PEM, Forged, forging, public
from tests.factories.surveys import create_researcher

pytestmark = pytest.mark.django_db
LATE = "This login came too late, or began in another browser. Start again."
DOWN = "Example University isn’t answering. Try again in a few minutes."
STRANGER = "You have no account here."


@pytest.fixture(scope="module")
def server() -> Iterator[Forged]:
    with forging() as forged:
        yield forged


@pytest.fixture
def forged(server: Forged, settings: Any) -> Forged:
    server.good()
    provider_requests._document_cache.clear()
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = (
        server.issuer,
        "candor",
        "secret",
    )
    settings.OIDC_NAME, settings.OIDC_ADMIT = "Example University", ["*"]
    return server


def log_in(client: Client, forged: Forged, query: str = "", **answer: str | None) -> Any:
    """There and back; how the way back is answered."""
    there = client.get(f"/login/provider/{query}")
    assert there.status_code == 302, there.content
    return client.get("/login/provider/back/", forged.log_in(there["Location"], **answer))


def assert_refused(client: Client, response: Any, status: int, sentence: str) -> None:
    page = response.content.decode()
    assert (response.status_code, sentence in page) == (status, True), page
    assert "You are not logged in" in page
    assert 'href="/login/">Back to login</a>' in page
    assert not client.cookies["sign-in"].value
    assert not Session.objects.exists()
    assert not Identity.objects.exists()


def test_someone_new_is_logged_in_and_only_the_identity_is_kept(
    client: Client, forged: Forged
) -> None:
    forged.claims = {
        "preferred_username": "ada@example.edu",
        "email": "ada.l@example.edu",
        "email_verified": True,
    }
    response = log_in(client, forged)
    assert (response.status_code, response["Location"]) == (302, "/surveys/")
    user = get_user_model().objects.get()
    assert (user.username, user.email, user.has_usable_password(), user.is_staff) == (
        "ada",
        "",
        False,
        False,
    )
    identity = Identity.objects.get()
    assert (identity.user, identity.issuer, identity.subject) == (user, forged.issuer, "person-1")
    assert client.get("/surveys/").status_code == 200
    assert forged.asked == ["/.well-known/openid-configuration", "/token", "/keys"]
    kept = "".join(
        str(row) for table in connection.introspection.table_names() for row in rows(table)
    )
    assert "person-1" in kept
    assert not [
        claim for claim in ("example.edu", "ada.l", *forged.nonces.values()) if claim in kept
    ]
    log_in(client, forged)
    assert get_user_model().objects.count() == 1


@pytest.mark.once
def test_a_session_ends_after_twelve_hours_however_much_it_is_used(
    client: Client, forged: Forged
) -> None:
    log_in(client, forged)
    end = Session.objects.get().expire_date
    session = client.session
    session["used"] = True
    session.save()
    assert Session.objects.get().expire_date == end
    assert 43_000 < client.session.get_expiry_age() <= 43_200


def rows(table: str) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')
        return cursor.fetchall()


def now(seconds: int) -> int:
    return int(time.time()) + seconds


GOOD = {
    "its audience is a list of us": lambda forged: {"claims": {"aud": ["candor"]}},
    "expired 59 seconds ago": lambda forged: {"claims": {"exp": now(-58)}},
    "59 seconds from the future": lambda forged: {"claims": {"iat": now(59)}},
    "a key without an algorithm": lambda forged: {
        "keys": [{**public(KEY, "first"), "alg": None}],
        "algorithm": "PS256",
    },
    "one key, not named": lambda forged: {"header": {}},
}


@pytest.mark.once
@pytest.mark.parametrize("case", GOOD)
def test_a_token_that_will_do(client: Client, forged: Forged, case: str) -> None:
    vars(forged).update(GOOD[case](forged))
    assert log_in(client, forged).status_code == 302, case
    assert client.get("/surveys/").status_code == 200


@pytest.mark.once
def test_a_key_of_today_is_found_where_yesterdays_are_kept(client: Client, forged: Forged) -> None:
    log_in(client, forged)
    forged.key, forged.header, forged.keys = (
        OTHER_KEY,
        {"kid": "second"},
        [public(OTHER_KEY, "second")],
    )
    forged.asked.clear()
    assert log_in(Client(), forged).status_code == 302
    assert forged.asked == ["/token", "/keys"]


BAD = {
    "another nonce": {"claims": {"nonce": "another"}},
    "no nonce": {"claims": {"nonce": None}},
    "another issuer": {"claims": {"iss": "https://login.example.org"}},
    "another audience": {"claims": {"aud": "another"}},
    "a second audience": {"claims": {"aud": ["candor", "another"]}},
    "no algorithm": {"algorithm": "none", "key": None},
    "the public key as a secret": {"algorithm": "HS256", "key": PEM},
    "a key that nobody knows": {"header": {"kid": "unknown"}},
    "somebody else’s key": {"key": OTHER_KEY},
    "another algorithm than the key’s": {"algorithm": "RS384"},
    "a subject that is not there": {"claims": {"sub": None}},
    "an empty subject": {"claims": {"sub": ""}},
    "a subject of 256 letters": {"claims": {"sub": "x" * 256}},
    "a subject that no database takes": {"claims": {"sub": "a\0b"}},
    "a subject that is a number": {"claims": {"sub": 7}},
    "no time": {"claims": {"iat": None}},
    "no end": {"claims": {"exp": None}},
    "an end that is no time": {"claims": {"exp": float("inf")}},
}


@pytest.mark.once
@pytest.mark.parametrize("case", BAD)
def test_a_token_that_is_refused(
    client: Client, forged: Forged, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if case == "the public key as a secret":  # PyJWT would not sign with it
        monkeypatch.setattr("jwt.algorithms.HMACAlgorithm.prepare_key", lambda _, key: key)
    vars(forged).update(BAD[case])
    assert_refused(client, log_in(client, forged), 400, LATE)
    assert not get_user_model().objects.exists()


@pytest.mark.once
@pytest.mark.parametrize(("claim", "seconds"), [("exp", -62), ("iat", 62)])
def test_clocks_that_are_apart_are_logged_in_seconds(
    client: Client, forged: Forged, claim: str, seconds: int, caplog: pytest.LogCaptureFixture
) -> None:
    forged.claims = {claim: now(seconds), "email": "ada@example.edu"}
    assert_refused(client, log_in(client, forged), 400, LATE)
    (line,) = caplog.messages
    assert f"{claim} {seconds:+} s" in line or f"{claim} {seconds - 1:+} s" in line
    assert not [word for word in ("person-1", "ada", "code-", "candor") if word in line]


ODD_ANSWERS = {
    "no code": {"code": None},
    "an empty code": {"code": ""},
    "two codes": {"code": ["one", "two"]},
    "no state": {"state": None},
    "another state": {"state": "another"},
    "another issuer": {"iss": "https://login.example.org"},
}


@pytest.mark.once
@pytest.mark.parametrize("case", ODD_ANSWERS)
def test_an_answer_that_is_refused_before_anyone_is_asked(
    client: Client, forged: Forged, case: str
) -> None:
    assert_refused(client, log_in(client, forged, **ODD_ANSWERS[case]), 400, LATE)
    assert "/token" not in forged.asked


HTML = b"<!doctype html><title>Not Found</title>"
DISCOVERY = "/.well-known/openid-configuration"
BROKEN = {
    "a failure": (500, {}, b"{}"),
    "a redirect": (302, {"Location": "/elsewhere"}, b""),
    "not JSON": (200, {}, HTML),
    "a list": (200, {}, b"[]"),
    "deep": (200, {}, b"[" * 100_000),
    "too much": None,
}


@pytest.mark.once
@pytest.mark.parametrize("path", [DISCOVERY, "/token", "/keys"])
def test_a_provider_that_is_out_of_order(
    client: Client, forged: Forged, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    for case, answer in BROKEN.items():
        provider_requests._document_cache.clear()
        forged.broken, forged.long = ({path: answer}, set()) if answer else ({}, {path})
        response = client.get("/login/provider/") if path == DISCOVERY else log_in(client, forged)
        assert response.status_code == 503, case
        assert DOWN in response.content.decode()
        assert "/elsewhere" not in forged.asked
        assert (Session.objects.count(), get_user_model().objects.count()) == (0, 0)
    assert len([line for line in caplog.messages if path in line]) == len(BROKEN)
    assert not [line for line in caplog.messages if "code-" in line]


@pytest.mark.once
@pytest.mark.parametrize(
    "about",
    [
        {"issuer": "https://login.example.org"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": None},
    ],
)
def test_a_provider_that_says_odd_things_of_itself(
    client: Client, forged: Forged, about: dict
) -> None:
    forged.about = about
    response = client.get("/login/provider/")
    assert (response.status_code, DOWN in response.content.decode()) == (503, True)


@pytest.mark.once
def test_a_wrong_secret_is_the_sites_failure_and_a_used_code_the_persons(
    client: Client, forged: Forged
) -> None:
    forged.broken = {"/token": (401, {}, b'{"error": "invalid_client"}')}
    assert_refused(client, log_in(client, forged), 503, DOWN)
    forged.broken = {"/token": (400, {}, b'{"error": "unauthorized_client"}')}
    assert_refused(client, log_in(client, forged), 503, DOWN)
    forged.broken = {"/token": (400, {}, b'{"error": "invalid_grant"}')}
    assert_refused(client, log_in(client, forged), 400, LATE)
    forged.broken = {"/token": (200, {}, b'{"access_token": "only"}')}
    assert_refused(client, log_in(client, forged), 503, DOWN)


@pytest.mark.once
def test_a_provider_that_sends_byte_by_byte_is_left_and_passwords_go_on(
    client: Client, forged: Forged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After ten seconds for all that a login asks; here after half of one."""
    assert provider_requests.LOGIN_SECONDS == 10
    monkeypatch.setattr(provider_requests, "LOGIN_SECONDS", 0.5)
    forged.slow = {DISCOVERY}
    begun = time.monotonic()
    assert client.get("/login/provider/").status_code == 503
    assert 0.5 <= time.monotonic() - begun < 5
    create_researcher()
    assert (
        client.post("/login/", {"username": "ada", "password": "correct horse"}).status_code == 302
    )


ADMITTED = {
    "": 403,
    '{"email_verified": true}': 403,
    '{"email": "ada@example.edu"}': 403,
    '{"email": "ada@example.edu", "email_verified": false}': 403,
    '{"email": "ada@example.edu", "email_verified": "true"}': 403,
    '{"email": "ada@example.org", "email_verified": true}': 403,
    '{"email": "ada@x.example.edu", "email_verified": true}': 403,
    '{"email": "x@example.edu.evil", "email_verified": true}': 403,
    '{"email": "@example.edu", "email_verified": true}': 403,
    '{"email": ["ada@example.edu"], "email_verified": true}': 403,
    '{"email": "Ada@Example.EDU", "email_verified": true}': 302,
}


@pytest.mark.once
@pytest.mark.parametrize("claims", ADMITTED)
def test_with_domains_only_a_verified_address_there_makes_an_account(
    client: Client, forged: Forged, settings: Any, claims: str
) -> None:
    settings.OIDC_ADMIT, forged.claims = ["example.edu", "uni.example"], json.loads(claims or "{}")
    response = log_in(client, forged)
    if ADMITTED[claims] == 302:
        assert (response.status_code, get_user_model().objects.get().username) == (302, "Ada")
    else:
        assert_refused(client, response, 403, STRANGER)
        assert not get_user_model().objects.exists()


@pytest.mark.once
def test_names_are_in_our_letters_and_nobody_elses(client: Client, forged: Forged) -> None:
    create_researcher("Ada")
    for number, (claims, name) in enumerate(
        (
            ({"preferred_username": "ada"}, "ada-2"),
            ({"preferred_username": "a d\0a"}, "ada-3"),
            ({"email": "lovelace@example.edu"}, "lovelace"),
            ({"preferred_username": "<>"}, "researcher"),
            ({"preferred_username": ["x"], "email": 7}, "x"),
            ({}, "researcher-2"),
            ({"preferred_username": "y" * 500}, "y" * 100),
        )
    ):
        forged.claims = {"sub": f"person-{number}", **claims}
        assert log_in(Client(), forged).status_code == 302
        assert Identity.objects.get(subject=f"person-{number}").user.username == name


@pytest.mark.once
@pytest.mark.parametrize(
    ("moment", "status"),
    [(None, 400), (-120, 400), ("now", 400), (True, 400), (-58, 302), (0, 302)],
)
def test_a_login_to_connect_must_be_a_fresh_one(
    client: Client, forged: Forged, moment: int | str | None, status: int
) -> None:
    client.force_login(create_researcher())
    forged.claims = {"auth_time": now(moment) if type(moment) is int else moment}
    page = client.post("/account/provider/", {"password": "correct horse"}).content.decode()
    assert (
        'href="/login/provider/?connect&amp;next=/account/"' in page
        or "?connect&next=/account/" in page
    )
    response = log_in(client, forged, "?connect&next=/account/")
    assert (response.status_code, Identity.objects.exists()) == (status, status == 302)
    if status == 400:
        assert "Nothing has changed" in response.content.decode()
        assert get_user_model().objects.get().has_usable_password()
        assert client.get("/surveys/").status_code == 200


def test_an_identity_that_came_first_in_the_same_moment_wins(
    forged: Forged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in tests/faults/test_first_logins.py, without the luck that a race needs."""
    claims = {"iss": forged.issuer, "sub": "person-1", "preferred_username": "ada"}
    first = identities.user_for_claims(claims)
    looked, look = [], identities._find_identity
    monkeypatch.setattr(
        identities,
        "_find_identity",
        lambda claims: looked.append(1) or (look(claims) if looked[1:] else None),
    )
    assert identities.user_for_claims(claims) == first
    assert get_user_model().objects.count() == 1


@pytest.mark.once
@pytest.mark.parametrize(
    "there", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/" + "x" * 2000]
)
def test_nobody_is_led_elsewhere(client: Client, forged: Forged, there: str) -> None:
    assert log_in(client, forged, f"?next={there}")["Location"] == "/surveys/"


@pytest.mark.once
def test_the_way_there_asks_for_no_more_than_is_needed(
    client: Client, forged: Forged, settings: Any
) -> None:
    secret = secrets.token_urlsafe(8)
    forged.about = {"authorization_endpoint": f"{forged.issuer}/auth?policy={secret}"}
    response = client.get("/login/provider/")
    assert f"/auth?policy={secret}&response_type=code&client_id=candor" in response["Location"]
    assert "scope=openid+profile+email" in response["Location"]
    assert "code_challenge_method=S256" in response["Location"]
    cookie = client.cookies["sign-in"]
    assert (cookie["path"], cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (
        "/login/",
        600,
        True,
        "Lax",
    )
    assert not Session.objects.exists()
    settings.OIDC_ADMIT = []
    assert "scope=openid&" in client.get("/login/provider/")["Location"]
    assert_refused(client, log_in(client, forged), 403, STRANGER)
    assert client.post("/login/provider/").status_code == 405
