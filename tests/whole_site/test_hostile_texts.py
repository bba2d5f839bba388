"""No text that somebody types or sends freezes a worker: no regular expression sees a long one."""

import json
import re
import re._parser as parser
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from http.cookies import SimpleCookie
from itertools import chain
from re._constants import IN, LITERAL, MAX_REPEAT, NOT_LITERAL
from typing import Any, NamedTuple

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from surveys.models import Survey
from tests.factories.ticket_surveys import client_for
from tests.whole_site.malicious_bodies import JSON, Shape, operations, places
from tests.whole_site.malicious_texts import FormParser, WebForm, observe_expressions
from tests.whole_site.pages_without_forms import HAS_NO_FORM
from tests.whole_site.route_permissions import OF_FILES, OF_SHEETS, RULES, asks_invited, state
from tests.whole_site.test_workspace_access import OF_VERSIONS, address, query, survey_for

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LONG = 40_000
LONGEST = 500  # characters that an expression may see: a question has as many
# Expressions that must see a whole text, and why this takes no more than its length.
SEE_WHOLE_TEXTS = {
    "surveys.site.json_depth._TOKENS": "each match begins where the last one ended",
    "surveys.site.files.formulas.ESCAPED_START": "between two separators only one match can begin",
    "surveys.authoring.files.other_tools.PAGES": "no part of a match is longer than 99 characters",
}
UNREAD = (401, 403, 404, 405, 415, 429)  # answers to what was not looked at
FLOOR = 0.05  # seconds that no text is too slow for
MOST_TIMES = 6  # the time of LONG characters, as a multiple of the time of a quarter of them
TRIES = 4


def tags(length: int) -> str:
    return ("a<@" * length)[: length - 2] + ",x"


# Each has a place where an expression may begin to look, again and again.
TEXTS: dict[str, Callable[[int], str]] = {
    "address": lambda length: "<" + "@" * (length - 3) + ",x",
    "blanks": lambda length: "x" + " " * (length - 2) + "x",
    "digits": lambda length: "1" * (length - 1) + "x",
}


class Field(NamedTuple):
    """A field of a form or of a body; send posts a text in it."""

    name: str
    send: Callable[[str], HttpResponse]


def bodies_by_route() -> dict[str, list[tuple[str, str, Shape]]]:
    """Return (method, content type, shape) of all that each route of the API takes."""
    bodies = defaultdict(list)
    names = {
        "slug": "<slug:slug>",
        "key": "<slug:key>",
        "number": "<int:number>",
        "sha256": "<slug:sha256>",
    }
    names["id"] = "<uuid:pk>"
    for method, path, content_type, shape in operations():
        route = re.sub(r"\{(\w+)\}", lambda name: names[name[1]], path.lstrip("/"))
        bodies[route].append((method, content_type, shape))
    return bodies


def survey_traits(route: str) -> tuple:
    """Return all that survey_of looks at, so that routes with the same traits can share a survey."""
    has_end = route.endswith
    of_versions = any(part in route for part in OF_VERSIONS)
    files = has_end(OF_FILES), has_end(OF_SHEETS)
    is_own = has_end("/invented-answers/"), of_versions, OF_A_GRID in route
    return state(route), asks_invited(route), *files, *is_own, query(route)


def survey_of(route: str) -> Survey:
    """Return the survey that a route needs, with a grid where the route is about one."""
    survey = survey_for(route)
    if OF_A_GRID in route:
        survey.questions.update(grid="Statements")
    return survey


def routes_by_survey(routes: Iterable[str]) -> dict[str, list[str]]:
    """Return routes by the first one that needs the same survey."""
    together = defaultdict(list)
    first_route: dict[tuple, str] = {}
    for route in routes:
        like = LIKE.get(route.partition("<uuid:pk>")[0], route)
        together[first_route.setdefault(survey_traits(like), like)].append(route)
    return together


def is_page(route: str) -> bool:
    return not route.startswith(("api/", "admin/")) and "." not in route.rpartition("/")[2]


OF_A_GRID = "grids/<slug:key>/"
BODIES = bodies_by_route()
# Routes that need a survey in another state than their own to read what is sent.
IMPORTS = "api/v1/surveys/<slug:slug>/imports/"
LIKE = {
    IMPORTS: "surveys/<slug:slug>/import/",
    "api/v1/surveys/<slug:slug>/tickets/": "surveys/<slug:slug>/invite/",
    "surveys/<slug:slug>/report/links/": "surveys/<slug:slug>/reopen/",
}
PAGES = [route for route in RULES if is_page(route) and "<path:" not in route]
PAGES_BY_SURVEY = routes_by_survey(PAGES)
ROUTES = routes_by_survey(
    route for route in RULES if route in BODIES or (route in PAGES and route not in HAS_NO_FORM)
)


def form_fields(client: Client, page: str, seen: set[tuple | str]) -> Iterator[Field]:
    """Yield the fields of the forms of a page, without forms that have been seen.

    seen: the forms, and the names of radio buttons, that other pages had.
    """
    answer = client.get(page)
    if (
        answer.streaming
        or answer.status_code != 200
        or not answer["Content-Type"].startswith("text/html")
    ):
        return
    for form in FormParser(answer.content.decode(), page).forms:
        known = (form.address, *form.values)
        if form.method == "post" and known not in seen:
            in_short = "kind" in seen
            seen |= {known, *form.options}
            for number, (name, _) in enumerate(form.filled_in("", in_short=in_short)):
                yield Field(
                    f"{form.address} {name}", posting(client, form, number, in_short=in_short)
                )


def posting(
    client: Client, form: WebForm, number: int, *, in_short: bool
) -> Callable[[str], HttpResponse]:
    def send(text: str) -> HttpResponse:
        _, values = list(form.filled_in(text, in_short=in_short))[number]
        return client.post(form.address, values)

    return send


def body_fields(client: Client, path: str, route: str) -> Iterator[Field]:
    """Yield the fields of the bodies that a route of the API takes; a body that is no JSON is one field."""
    for method, content_type, shape in BODIES[route]:
        for place, value in places(shape):
            if method != "post" and place.startswith("questions."):
                continue  # a new survey has the same ones
            yield Field(
                f"{method} {route} {place}", sending(client, method, path, content_type, value)
            )


def sending(
    client: Client, method: str, path: str, content_type: str, value: Callable[[str], Any]
) -> Callable[[str], HttpResponse]:
    def send(text: str) -> HttpResponse:
        body = value(text)
        if content_type == "multipart/form-data":
            files = {
                name: SimpleUploadedFile("file.csv", content.encode())
                for name, content in body.items()
            }
            return client.generic(
                method, path, encode_multipart(BOUNDARY, files), MULTIPART_CONTENT
            )
        data = json.dumps(body) if content_type == JSON else body
        return client.generic(method, path, data, content_type)

    return send


def route_fields(
    client: Client, survey: Survey, route: str, seen: set[tuple | str]
) -> Iterator[Field]:
    """Yield each field of the forms and bodies of a route, without forms that have been seen."""
    path = address(route, survey.slug)
    if route.startswith(IMPORTS + "<"):
        begun = client.post(address(IMPORTS, survey.slug), {"parts": 1}, JSON).json()
        path = address(
            route.replace("<uuid:pk>", begun["id"]).replace("<int:number>", "1"), survey.slug
        )
    if route.startswith("api/"):
        yield from body_fields(client, path, route)
    elif route == "login/":
        yield from form_fields(Client(), path, seen)
    else:
        yield from form_fields(client, path, seen)


def all_fields(client: Client, survey: Survey, routes: list[str]) -> list[Field]:
    """Return each field of the forms and bodies of routes that share a survey."""
    seen: set[tuple | str] = set()
    fields = []
    for route in routes:
        fields += route_fields(client, survey, route, seen)
    assert fields
    return fields


def send_and_undo(client: Client, field: Field, text: str) -> None:
    """Post a text in a field, and undo whatever it changed."""
    cookies = client.cookies.copy()
    with transaction.atomic():
        answer = field.send(text)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)  # whoever logs out loses the session
    assert answer.status_code < 500, field.name
    assert answer.status_code not in UNREAD, f"{field.name}: {answer.status_code}"


def is_one_class(pattern: str) -> bool:
    """Return whether an expression is one class of characters, perhaps repeated: it sees each character once."""
    parts = list(parser.parse(pattern))
    if len(parts) == 1 and parts[0][0] is MAX_REPEAT:
        parts = list(parts[0][1][2])
    return len(parts) == 1 and parts[0][0] in (IN, LITERAL, NOT_LITERAL)


@pytest.mark.parametrize("first_route", ROUTES)
def test_no_expression_sees_a_long_text(first_route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = survey_of(first_route)
    client = client_for(survey.owner)
    fields = all_fields(client, survey, ROUTES[first_route])
    observed = observe_expressions(monkeypatch)

    for field in fields:
        observed.place = field.name
        send_and_undo(client, field, tags(LONG))

    too_long = {
        name: f"{length} characters of {observed.places[name]}"
        for name, length in observed.longest.items()
        if length > LONGEST
        and name not in SEE_WHOLE_TEXTS
        and not is_one_class(observed.patterns[name])
    }
    assert too_long == {}


def test_each_body_of_the_api_is_sent() -> None:
    sent = {*chain.from_iterable(ROUTES.values())}
    assert [route for route in BODIES if route not in sent] == []


@pytest.mark.parametrize("first_route", PAGES_BY_SURVEY)
def test_each_page_without_a_form_is_named(first_route: str) -> None:
    """A page whose forms are not seen, as behind a redirect, would have none of its fields tried."""
    survey = survey_of(first_route)
    client = client_for(survey.owner)
    pages = PAGES_BY_SURVEY[first_route]
    without = [route for route in pages if not list(route_fields(client, survey, route, set()))]
    assert without == [route for route in pages if route in HAS_NO_FORM]


def test_only_pages_are_named_as_pages_without_a_form() -> None:
    assert [route for route in HAS_NO_FORM if route not in PAGES] == []


def processor_time(client: Client, field: Field, text: str) -> float:
    start = time.thread_time()
    send_and_undo(client, field, text)
    return time.thread_time() - start


def is_slow(client: Client, field: Field, text: Callable[[int], str]) -> bool:
    """Return whether a long text takes more than its share of time, each time that it is tried.

    The time of a text is the shortest that was measured, because a busy machine only makes it longer.
    """
    shorter, longer = [], []
    for _ in range(TRIES):
        longer.append(processor_time(client, field, text(LONG)))
        if min(longer) <= FLOOR:
            return False
        shorter.append(processor_time(client, field, text(LONG // 4)))
        if min(longer) <= MOST_TIMES * min(shorter):
            return False
    return True


@pytest.mark.long
@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("first_route", ROUTES)
def test_the_time_does_not_grow_with_the_square_of_a_text(first_route: str, kind: str) -> None:
    survey = survey_of(first_route)
    client = client_for(survey.owner)
    fields = all_fields(client, survey, ROUTES[first_route])
    assert [field.name for field in fields if is_slow(client, field, TEXTS[kind])] == []
