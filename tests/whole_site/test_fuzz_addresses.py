"""Every address but Django's own admin, asked and told odd things: no 5xx, and nothing is stored that is not valid.

Where a page has a form, the form is what is filled in oddly; where the API says what it takes, its examples are what
is changed. After every so many requests what they did is looked at, and undone.
"""

import contextlib
import hashlib
import os
import random
import re
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.db.models import Field, Model
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import URLPattern, URLResolver, get_resolver

from features.xlsform.tests.test_xlsform import workbook
from surveys.accounts.account import link_to_set_password
from surveys.accounts.team import invite
from surveys.accounts.tokens import issue_token
from surveys.definition.freezing import build_definition
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import (
    AccessToken,
    Choice,
    Instrument,
    Invitation,
    Membership,
    Question,
    Response,
    Survey,
)
from surveys.operation import timers
from surveys.site.errors import Refused
from surveys.web.api.authentication import TokenThrottle
from surveys.web.respondent import submission
from tests.factories import surveys
from tests.factories.responses import add_responses
from tests.releases.surveys import EVERYTHING
from tests.security import fuzzing

pytestmark = pytest.mark.django_db
MANY = int(
    os.environ.get("FUZZED_REQUESTS", "10000")
)  # to each address in the long run, which takes hours
ROUND = 200  # requests, then all that they did is undone
DEEDS = ("GET", "GET", "GET", "POST", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
ANYTHING = ("0", "1", "9" * 30, "x")  # for parts of an address that this file knows nothing of
FEW = (
    0,
    0,
    0,
    1,
    2,
    3,
)  # the API refuses what it does not know in an address before it looks further
FORM = "application/x-www-form-urlencoded"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ASKED = """
    confidence interval sort group by show next page cursor format page_size status project search ordering kind design
    choices seed n
""".split()  # noqa: SIM905 (as a list it would fill a page)


def addresses(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        elif route != "/admin/":  # Django's own
            yield from addresses(pattern, route)


ADDRESSES = sorted(addresses(get_resolver()))


@dataclass
class World:
    """A site in use. `names` are what the parts of an address in <> can be, right and wrong."""

    owner: Any
    token: str
    names: dict[str, list[str]]
    examples: list[Any]  # bodies that the API takes
    book: bytes
    client: Client  # one for all: each new one would read the whole folder of static files


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(
        TokenThrottle, "THROTTLE_RATES", {"api": None}
    )  # else nothing more would come through
    owner = surveys.create_researcher()
    instrument, closed = surveys.create_published(owner), surveys.create_published(owner)
    add_responses(instrument, 40)
    add_responses(closed, 40)
    close_survey(closed.survey)
    for command in timers.PATIENCE:
        timers.note(command)  # else the site would rightly say 503 of itself
    draft = surveys.create_draft(owner)
    surveys.add_yes_no(draft)
    surveys.add_choice(draft)
    surveys.add_background(draft)
    secret = invite(survey=instrument.survey, by=owner, role="editor")
    member = Membership.objects.create(
        survey=instrument.survey, user=surveys.create_researcher("grace"), role="analyst"
    )
    token = issue_token(owner, "all")
    uid, link_token = link_to_set_password(member.user).split("/")[3:5]
    keys = [Invitation.objects.get().pk, member.pk, AccessToken.objects.get().pk]
    names = {
        "slug": [*(survey.slug for survey in (instrument.survey, closed.survey, draft)), "nowhere"],
        "key": ["tax", "fruit", "region", "none"],
        "pk": [*map(str, keys), str(uuid.uuid4())],
        "secret": [secret, "x"],
        "uidb64": [uid, "x"],
        "token": [link_token, "set-password", "x"],
        "sha256": [instrument.sha256, "0" * 64, "x"],
        "rest": ["x", "é/\x00", "../.."],
    }
    client = Client(raise_request_exception=False)
    return World(
        owner, token, names, examples(client), workbook([("yes-no", "tax", "Taxes?")]), client
    )


def examples(client: Client) -> list[Any]:
    """Every example of a body in the API's own description, and a survey with every kind of question."""
    found: list[Any] = [EVERYTHING]
    described = client.get("/api/v1/schema/?format=json").json()
    for methods in described["paths"].values():
        for method in methods.values():
            for content in method.get("requestBody", {}).get("content", {}).values():
                found += [example["value"] for example in content.get("examples", {}).values()]
    return found


class Fuzzer:
    """Odd requests to one address."""

    def __init__(self, world: World, route: str, seed: int) -> None:
        self.world, self.route = world, route
        self.rng = random.Random(f"{route} {seed}")
        self.answers: Counter[int] = Counter()
        self.offered = self._forms()

    def _forms(self) -> dict[str, list[str]]:
        """What the pages at this address offer to fill in."""
        found: dict[str, list[str]] = {}
        if self.route.startswith("/api/"):
            return found
        self.world.client.force_login(self.world.owner)
        for slug in self.world.names["slug"][:3]:
            answer = self.world.client.get(self._address(slug))
            if not answer.streaming and answer.get("Content-Type", "").startswith("text/html"):
                found |= fuzzing.fields(answer.content.decode())
        return found

    def _address(self, slug: str = "") -> str:
        def fill(match: re.Match[str]) -> str:
            if match[1] == "slug" and slug:
                return slug
            return quote(self.rng.choice(self.world.names.get(match[1], ANYTHING)), safe="/")

        return re.sub(r"<\w+:(\w+)>", fill, self.route)

    def run(self, number: int) -> None:
        for start in range(0, number, ROUND):
            with transaction.atomic():
                self._round(min(ROUND, number - start))
                all_is_valid()
                transaction.set_rollback(True)
            cache.clear()
            submission.PUBLISHED_CACHE.clear()  # it may know surveys that are undone now

    def _round(self, number: int) -> None:
        client = self.world.client
        for turn in range(number):
            if turn % 25 == 0:
                self._come_in(client)
            self._ask(client)

    def _come_in(self, client: Client) -> None:
        """Mostly as the owner; as a stranger at times, and mostly where one logs in."""
        if self.rng.random() < (0.9 if self.route == "/login/" else 0.1):
            client.cookies.clear()
        else:
            client.force_login(self.world.owner)

    def _ask(self, client: Client) -> None:
        deed, address, (content_type, content) = (
            self.rng.choice(DEEDS),
            self._address(),
            self._content(),
        )
        asked = {
            self.rng.choice(ASKED): self.rng.choice(fuzzing.WORDS)
            for _ in range(self.rng.choice(FEW))
        }
        if deed in ("GET", "HEAD"):
            content_type, content = "", b""
        told = (deed, address, asked, content_type, content)
        try:
            options = {"QUERY_STRING": urlencode(asked), **self._headers()}
            answer = client.generic(deed, address, content, content_type, **options)
            if answer.streaming:
                b"".join(answer.streaming_content)
        except Exception as failure:
            raise AssertionError(told) from failure
        assert answer.status_code < 500, told
        self.answers[answer.status_code] += 1

    def _headers(self) -> dict[str, str]:
        """Mostly the session says who asks, sometimes a token, good or bad."""
        if self.rng.random() < 0.8:
            return {}
        token = self.rng.choice(
            [f"Token {self.world.token}", "Token x", "Token", "Basic eDp4", "Token \xe9"]
        )
        return {"HTTP_AUTHORIZATION": token}

    def _content(self) -> tuple[str, bytes]:
        """Content type and body: for the API mostly JSON, for pages mostly their form, and anything else at times."""
        rng, kind = self.rng, self.rng.random()
        if self.route.startswith("/api/") and kind < 0.75:
            return "application/json", self._told()
        if kind < 0.8:
            return FORM, urlencode(fuzzing.filled(self.offered, rng)).encode()
        book = fuzzing.workbook(self.world.book, rng)
        if kind < 0.9:
            name = rng.choice(["survey.xlsx", "survey.json", "../x", ""])
            file = SimpleUploadedFile(name or "x", rng.choice([book, self._told()]))
            content = encode_multipart(BOUNDARY, fuzzing.filled(self.offered, rng) | {"file": file})
            return MULTIPART_CONTENT, rng.choice([content, fuzzing.garble(content, rng)])
        types = [
            SHEET,
            FORM,
            MULTIPART_CONTENT,
            "text/csv",
            "application/json; charset=x",
            "application/json",
            "",
            "x",
        ]
        return rng.choice(types), rng.choice([book, fuzzing.garble(b"{}", rng)])

    def _told(self) -> bytes:
        return fuzzing.as_json(
            fuzzing.change(self.rng.choice(self.world.examples), self.rng), self.rng
        )


def all_is_valid() -> None:
    """Whatever is stored fits its model, drafts say at worst what is missing, and what was frozen is unchanged."""
    for model in (Survey, Question, Choice, Membership, Invitation, AccessToken):
        for stored in model.objects.all():
            stored.clean_fields(
                exclude={field.name for field in model._meta.fields if _is_empty(stored, field)}
            )
            stored.validate_constraints()
    for survey in Survey.objects.filter(status=Survey.Status.DRAFT):
        with contextlib.suppress(Refused):
            build_definition(survey)
    for instrument in Instrument.objects.all():
        assert hashlib.sha256(instrument.content.encode()).hexdigest() == instrument.sha256
        assert instrument.tally.get("n", 0) == sum(batch.n for batch in instrument.batches.all())
    assert not Response.objects.filter(record__isnull=True, sealed_on__isnull=True).exists()


def _is_empty(stored: Model, field: Field) -> bool:
    """Whether nothing stands in a field that may be empty in the database, though not in an author's form."""
    return field.null and getattr(stored, field.attname) is None


def test_fuzzed_addresses(world: World) -> None:
    for route in ADDRESSES:
        Fuzzer(world, route, seed=3).run(6)


@pytest.mark.long
@pytest.mark.parametrize("route", ADDRESSES)
def test_very_many_fuzzed_requests_to_each_address(world: World, route: str) -> None:
    fuzzer = Fuzzer(world, route, seed=4)
    start = datetime.now(UTC)
    fuzzer.run(MANY)
    print(
        route, dict(sorted(fuzzer.answers.items())), datetime.now(UTC) - start
    )  # python -m pytest -m long -s
