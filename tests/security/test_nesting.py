"""Bodies nested thousands deep are refused before they are parsed; the parser's stack is never what stops them."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, strategies as st

from surveys.models import Response
from surveys.site.json_depth import is_deeper
from surveys.web.api import parsers
from surveys.web.respondent.request_body import MOST_LEVELS
from tests.api.test_reading import client_of
from tests.factories.surveys import (
    create_published,
    create_researcher,
    post_response,
    response_body,
)

TEXTS = st.text('[]{}"\\ a,é\x00', max_size=8)
JSON = st.recursive(
    st.none() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=20
)


def depth(content: Any) -> int:
    parts = (
        content.values()
        if isinstance(content, dict)
        else content
        if isinstance(content, list)
        else None
    )
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)


@given(JSON.filter(depth), st.booleans())
def test_levels_are_counted_as_they_are_after_parsing(content: Any, is_ascii: bool) -> None:
    text = json.dumps(content, ensure_ascii=is_ascii)
    assert is_deeper(text, depth(content)) is False
    assert is_deeper(text, depth(content) - 1) is True


@given(TEXTS)
def test_text_that_is_no_json_is_counted_too(text: str) -> None:
    assert is_deeper("[" * 3 + text, 2)
    assert not is_deeper(text, len(text))


LONG = {
    "lists": ("[" * 500_000, True),
    "objects": ('{"a":' * 200_000, True),
    "a text that never ends": ('"' + "[" * 500_000, False),
    "empty texts, then lists": ('""' * 250_000 + "[[[", True),
    "backslashes": ('"' + "\\" * 500_001 + "[[[", False),
    "what was never opened": ("]" * 500_000 + "[[[", False),
}


@pytest.mark.parametrize("text", LONG)
def test_a_long_text_is_read_once(text: str) -> None:
    """It would take hours otherwise."""
    content, expected = LONG[text]
    assert is_deeper(content, 2) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("deep", [b'{"a": {"b": []}}', b"[[[", b"[" * 60_000, b'{"":' * 12_000])
def test_a_submission_has_two_levels(deep: bytes) -> None:
    instrument = create_published()
    assert depth(response_body(instrument)) == MOST_LEVELS
    answer = post_response(instrument, deep)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["type"] == "/problems/too-deep"
    assert not Response.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("deep", [b"[" * 7, b"[" * 500_000, b'{"title":' * 100_000])
def test_the_api_reads_a_few_levels(deep: bytes) -> None:
    """Whatever encoding the body claims: only UTF-8 is read."""
    client = client_of(create_researcher())
    for claimed in ("", "; charset=utf-7", "; charset=zlib_codec", "; charset=x"):
        answer = client.generic("POST", "/api/v1/surveys/", deep, f"application/json{claimed}")
        assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
        assert answer.json()["type"] == "/problems/too-deep"


@pytest.mark.django_db
def test_every_body_that_the_api_describes_fits() -> None:
    described = Client().get("/api/v1/schema/?format=json").json()
    methods = [
        method
        for path in described["paths"].values()
        for method in path.values()
        if "requestBody" in method
    ]
    found = [
        each
        for method in methods
        for each in method["requestBody"]["content"].values()
        if "examples" in each
    ]
    values = [example["value"] for each in found for example in each["examples"].values()]
    assert values
    assert max(map(depth, values)) <= parsers.LEVELS


@pytest.mark.django_db
def test_the_api_reads_no_more_than_the_longest_list(settings: object) -> None:
    client, most = client_of(create_researcher()), settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    answer = client.post(
        "/api/v1/surveys/", b'"' + b"a" * most + b'"', content_type="application/json"
    )
    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/too-large")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong", [b'{"title": "\xff"}', b'{"title": NaN}', b'{"a": ' + b"9" * 9000 + b"}", b"{", b" "]
)
def test_what_is_no_json_is_said_so(wrong: bytes) -> None:
    answer = client_of(create_researcher()).post(
        "/api/v1/surveys/", wrong, content_type="application/json"
    )
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["type"] == "/problems/parse-error"
