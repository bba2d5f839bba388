"""The schema is valid and complete, and the API keeps to it whatever is sent."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import schemathesis
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import spectacular_settings
from hypothesis import HealthCheck, Phase, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig

from config.wsgi import application
from features.xlsform.api import KINDS
from surveys.accounts.tokens import issue_token
from surveys.definition.parsing import parse_instrument
from surveys.export import earlier_names
from surveys.export.formats import GONE
from surveys.models import AccessToken
from surveys.web.api import views
from surveys.web.api.views.docs import shape_of
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_published

ADDRESS = "/api/v1/schema/?format=json"
# Not "unsupported method": HEAD and OPTIONS answer as the framework has them.
NAMES = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


@schemathesis.serializer(*KINDS[:2])
def as_it_is(context: object, value: object) -> bytes:
    """A workbook that is none."""
    return getattr(value, "data", None) or str(value).encode()


# Without the boundary values of every field, some forty requests an operation: they come with the long runs.
FEW = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}}})
schema = schemathesis.openapi.from_wsgi(ADDRESS, application, config=FEW)
in_full = schemathesis.openapi.from_wsgi(ADDRESS, application)
AS_IT_COMES = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["openapi-json", "openapi"])
def test_every_operation_names_the_successful_response_first(form: str, tmp_path: Path) -> None:
    """Some generated clients accept only the media type of the response that comes first."""
    target = tmp_path / "schema"
    call_command("spectacular", "--format", form, "--file", str(target))
    described = yaml.safe_load(target.read_text())  # JSON is YAML too
    operations = [operation for path in described["paths"].values() for operation in path.values()]
    assert len(operations) > 100
    for operation in operations:
        codes = list(operation["responses"])
        successes = [code for code in codes if code.startswith("2")]
        assert codes[: len(successes)] == successes, operation["operationId"]


@pytest.fixture
def survey(db: None) -> dict[str, str]:
    instrument = create_published()
    add_invented_responses(instrument, 50)
    token = issue_token(instrument.survey.owner, "schemathesis")
    return {
        "slug": parse_instrument(instrument).survey,
        "sha256": instrument.sha256,
        "authorization": f"Token {token}",
    }


@pytest.mark.usefixtures("connection_stays_open")
@schema.parametrize()
@AS_IT_COMES
def test_whatever_is_sent_the_answer_is_as_documented(
    case: schemathesis.Case, survey: dict[str, str]
) -> None:
    answers_as_documented(case, survey)


@pytest.mark.long
@pytest.mark.usefixtures("connection_stays_open")
@in_full.parametrize()
@AS_IT_COMES
def test_at_every_boundary_the_answer_is_as_documented(
    case: schemathesis.Case, survey: dict[str, str]
) -> None:
    answers_as_documented(case, survey)


def answers_as_documented(case: schemathesis.Case, survey: dict[str, str]) -> None:
    for name in ("slug", "sha256"):
        if name in (case.path_parameters or {}):
            case.path_parameters[name] = survey[name]
    headers = {"Authorization": survey["authorization"]}
    case.call_and_validate(headers=headers, checks=CHECKS.get_by_names(NAMES))
    assert AccessToken.objects.exists()


@pytest.mark.django_db
def test_no_shape_is_described_by_the_signature_of_its_class() -> None:
    shapes = Client().get(ADDRESS).json()["components"]["schemas"]
    assert [
        name
        for name, shape in shapes.items()
        if re.match(r"\w+\(\w+: ", shape.get("description", ""))
    ] == []


def test_every_address_of_the_api_is_described() -> None:
    described = Client().get(ADDRESS).json()
    patterns = [
        "/" + prefix + str(pattern.pattern)
        for prefix, resolver in (
            (
                "api/v1/",
                next(p for p in get_resolver().url_patterns if str(p.pattern) == "api/v1/"),
            ),
        )
        for pattern in resolver.url_patterns
        if isinstance(pattern, URLPattern)
    ]
    plain = {
        path.replace("<slug:", "{")
        .replace("<uuid:", "{")
        .replace("<str:", "{")
        .replace("<int:", "{")
        .replace(">", "}")
        .replace("{pk}", "{id}")
        for path in patterns
    }
    earlier = {
        f"/api/v1/surveys/{{slug}}/export/{form.name}" for form in earlier_names()
    }  # names that forms of files had once
    # Files that are no longer written: their addresses answer 410.
    earlier |= {f"/api/v1/surveys/{{slug}}/export/{name}" for name in GONE}
    plain -= {"/api/v1/schema/", "/api/v1/docs/", "/api/v1/<path:rest}"} | earlier
    assert plain <= set(described["paths"])


@pytest.mark.django_db
def test_the_schema_is_valid_and_every_body_has_its_shape() -> None:
    described = Client().get(ADDRESS).json()
    for name, shape in described["components"]["schemas"].items():
        Draft202012Validator.check_schema(shape)
        assert shape.get("properties") or shape.get("enum"), name
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (path, method)
            assert operation["responses"], (path, method)


def test_the_schema_comes_without_a_warning(tmp_path: Path) -> None:
    call_command(
        "spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml")
    )


@pytest.mark.django_db
def test_the_documentation_shows_every_operation_and_runs_no_script() -> None:
    described = Client().get(ADDRESS).json()
    answer = Client().get("/api/v1/docs/")
    page = answer.content.decode()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert f"{method.upper()} {path}" in page
            assert f'id="{operation["operationId"]}"' in page
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "<script" not in page
    assert "curl -H" in page


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Every schema that is made from now on, in a process that has not made any."""
    found: list[object] = []
    make = SchemaGenerator.get_schema

    def counted(self: SchemaGenerator, *args: object, **options: object) -> dict:
        found.append(make(self, *args, **options))
        return found[-1]

    monkeypatch.setattr(SchemaGenerator, "get_schema", counted)
    forget()
    yield found
    forget()


def forget() -> None:
    for made_once in (
        views.schema_view._described,
        views.schema_view._rendered,
        views.docs._page,
        views.docs._read,
    ):
        made_once.cache_clear()


@pytest.mark.django_db
def test_the_schema_is_made_once_however_many_ask_for_it_and_its_page(made: list[object]) -> None:
    asked = [f"{ADDRESS}", "/api/v1/schema/", "/api/v1/docs/"] * 3
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda address: Client().get(address), asked))
    assert {answer.status_code for answer in answers} == {200}
    assert len(made) == 1
    assert len({answer.content for answer in answers}) == 3


@pytest.mark.parametrize("address", [ADDRESS, "/api/v1/schema/?format=yaml"])
def test_whoever_has_the_schema_is_not_sent_it_again(address: str) -> None:
    first = Client().get(address)
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert "no-store" not in again["Cache-Control"]


def test_another_build_has_another_etag(
    made: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Client().get(ADDRESS)
    forget()
    assert Client().get(ADDRESS)["ETag"] == first["ETag"]
    forget()
    monkeypatch.setattr(spectacular_settings, "VERSION", "2")
    later = Client().get(ADDRESS, headers={"If-None-Match": first["ETag"]})
    assert later.status_code == 200
    assert later.json()["info"]["version"] == "2"
    assert later["ETag"] != first["ETag"]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"type": "array", "items": {"$ref": "#/components/schemas/Survey"}}, "list of Survey"),
        ({"type": ["string", "null"]}, "text or null"),
        ({"enum": ["a", "b"]}, "one of a, b"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of whole number"),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, "whole number or text"),
        ({}, "anything"),
    ],
)
def test_a_shape_is_said_in_words(shape: dict, words: str) -> None:
    assert shape_of(shape) == words
