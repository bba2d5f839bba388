"""Tokens: shown once, kept as a hash, good for what they say and as long as they say, and gone when revoked."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.settings import api_settings

from surveys.accounts.tokens import SCOPES, find_token, issue_token, today
from surveys.models import AccessToken
from surveys.site.errors import Invalid
from surveys.web.api.authentication import TokenThrottle
from tests.api.test_reading import url
from tests.factories.surveys import create_draft, create_published, create_researcher

pytestmark = pytest.mark.django_db
PAGE = "/surveys/tokens/"


def with_scopes(user: object, *scopes: str, **more: object) -> Client:
    return Client(headers={"authorization": f"Token {issue_token(user, 'test', scopes, **more)}"})


def logged_in(user: object) -> Client:
    client = Client()
    client.force_login(user)
    return client


ASKED = {
    "reports": [
        ("get", ""),
        ("get", "report/"),
        ("get", "tallies/"),
        ("get", "export/codebook.md"),
    ],
    "rows": [
        ("get", "responses/"),
        ("get", "export/responses.csv"),
        ("get", "export/everything.zip"),
    ],
    "write": [
        ("post", "publish/"),
        ("post", "close/"),
        ("post", "reopen/"),
        ("post", "duplicate/"),
        ("patch", ""),
    ],
}


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_is_good_for_its_scope_only(scope: str) -> None:
    instrument = create_published()
    client = with_scopes(instrument.survey.owner, scope)
    for needed, requests in ASKED.items():
        for method, part in requests:
            answer = getattr(client, method)(url(instrument, part), content_type="application/json")
            assert (answer.status_code == 403) == (needed != scope), (method, part)
            if needed != scope:
                assert answer["Content-Type"] == "application/problem+json"
                assert f"may not be used to {SCOPES[needed]}" in answer.json()["detail"]


def test_a_token_is_good_to_the_end_of_its_last_day() -> None:
    user = create_researcher()
    client = with_scopes(user, "reports", expires=today())
    assert client.get("/api/v1/surveys/").status_code == 200
    AccessToken.objects.update(expires=today() - timedelta(days=1))
    answer = client.get("/api/v1/surveys/")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")
    assert "expired" in answer.json()["detail"]


def test_the_last_use_is_noted_by_the_day_and_no_finer(django_assert_num_queries) -> None:
    token = issue_token(create_researcher(), "laptop")
    assert AccessToken.objects.get().last_used is None
    find_token(token)
    assert AccessToken.objects.get().last_used == today()
    with django_assert_num_queries(1):
        find_token(token)


def test_only_the_hash_is_kept() -> None:
    token = issue_token(create_researcher(), "laptop")
    assert token not in str(AccessToken.objects.values())
    assert len(token) >= 43


@pytest.mark.parametrize(
    ("name", "scopes", "days", "field"),
    [
        ("", ["rows"], 1, "name"),
        ("x" * 101, ["rows"], 1, "name"),
        ("a\x00b", ["rows"], 1, "name"),
        ("a", [], 1, "scopes"),
        ("a", ["everything"], 1, "scopes"),
        ("a", ["rows"], -1, "expires"),
    ],
)
def test_a_token_without_name_or_purpose_or_time_is_refused(
    name: str, scopes: list, days: int, field: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        issue_token(create_researcher(), name, scopes, today() + timedelta(days=days))
    assert set(wrong.value.errors) == {field}
    assert not AccessToken.objects.exists()


def test_a_person_has_only_so_many_tokens() -> None:
    user = create_researcher()
    AccessToken.objects.bulk_create(
        AccessToken(user=user, name="x", sha256=str(n)) for n in range(99)
    )
    issue_token(user, "the last one")
    with pytest.raises(Invalid, match=r"Revoke a token first\. You have 100, the most allowed\."):
        issue_token(user, "one more")


def test_a_login_makes_lists_and_revokes_tokens_by_program() -> None:
    user = create_researcher()
    client = logged_in(user)
    asked = {"name": "laptop", "scopes": ["rows", "reports"], "expires": "2999-12-31"}
    made = client.post("/api/v1/tokens/", asked, content_type="application/json")
    assert made.status_code == 201
    token = made.json()["token"]
    (listed,) = client.get("/api/v1/tokens/").json()
    assert (listed["name"], listed["scopes"], listed["expires"]) == (
        "laptop",
        ["reports", "rows"],
        "2999-12-31",
    )
    assert token not in str(listed)
    assert client.delete(f"/api/v1/tokens/{listed['id']}/").status_code == 204
    assert find_token(token) is None


def test_making_a_token_by_program_needs_the_form_token_of_the_login() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(create_researcher())
    answer = client.post(
        "/api/v1/tokens/", {"name": "x", "scopes": ["rows"]}, content_type="application/json"
    )
    assert answer.status_code == 403
    assert not AccessToken.objects.exists()


def test_a_token_makes_no_token_and_sees_and_ends_only_itself() -> None:
    user = create_researcher()
    issue_token(user, "another")
    client = with_scopes(user, *SCOPES)
    asked = {"name": "child", "scopes": ["rows"]}
    assert client.post("/api/v1/tokens/", asked, content_type="application/json").status_code == 403
    (own,) = client.get("/api/v1/tokens/").json()
    other = AccessToken.objects.get(name="another")
    assert client.delete(f"/api/v1/tokens/{other.pk}/").status_code == 404
    assert client.delete(f"/api/v1/tokens/{own['id']}/").status_code == 204
    assert client.get("/api/v1/tokens/").status_code == 401


def test_the_page_says_that_a_token_is_revoked_once() -> None:
    user = create_researcher()
    issue_token(user, "laptop")
    token, client = AccessToken.objects.get(), Client()
    client.force_login(user)
    said = [
        client.post(PAGE, {"revoke": str(token.pk)}, follow=True).content.decode() for _ in range(2)
    ]
    assert ["The token is revoked." in page for page in said] == [True, False]


def test_nobody_revokes_somebody_elses_token() -> None:
    issue_token(create_researcher(), "ada’s")
    token = AccessToken.objects.get()
    eve = logged_in(create_researcher("eve"))
    assert eve.delete(f"/api/v1/tokens/{token.pk}/").status_code == 404
    eve.post(PAGE, {"revoke": str(token.pk)})
    assert AccessToken.objects.filter(pk=token.pk).exists()


def test_a_login_may_do_over_the_api_what_it_may_do_in_the_workspace() -> None:
    survey = create_draft()
    assert logged_in(survey.owner).get(f"/api/v1/surveys/{survey.slug}/").status_code == 200


def test_the_page_shows_a_new_token_this_one_time() -> None:
    client = logged_in(create_researcher())
    answer = client.post(PAGE, {"name": "laptop", "scopes": ["reports"], "expires": ""})
    assert "no-store" in answer["Cache-Control"]
    page = answer.content.decode()
    (entry,) = AccessToken.objects.all()
    token = page.split('role="status"')[1].split('candor-code">')[1].split("<")[0]
    assert find_token(token) == entry
    assert token not in client.get(PAGE).content.decode()
    client.post(PAGE, {"revoke": str(entry.pk)})
    assert find_token(token) is None


@pytest.mark.parametrize("expires", ["soon", "2020-01-01", "2025-02-30"])
def test_the_page_says_what_is_wrong_and_keeps_what_was_typed(expires: str) -> None:
    client = logged_in(create_researcher())
    answer = client.post(PAGE, {"name": "my <b>laptop", "scopes": ["rows"], "expires": expires})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'href="#id_expires"' in page
    assert "my &lt;b&gt;laptop" in page
    assert 'value="rows" autocomplete="off" checked' in page
    assert not AccessToken.objects.exists()


def test_too_many_requests_of_one_token_are_told_to_wait(monkeypatch) -> None:
    monkeypatch.setattr(TokenThrottle, "THROTTLE_RATES", {"api": "3/minute"})
    cache.clear()
    user = create_researcher()
    client = with_scopes(user, "reports")
    assert [client.get("/api/v1/surveys/").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = client.get("/api/v1/surveys/")
    assert 0 < int(refused["Retry-After"]) <= 60
    assert refused.json()["type"] == "/problems/throttled"
    assert (
        with_scopes(user, "reports").get("/api/v1/surveys/").status_code == 200
    )  # another token has its own count
    assert api_settings.DEFAULT_THROTTLE_RATES["api"]
    cache.clear()
