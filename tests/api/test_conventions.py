"""What programs of others rely on: how one says who one is, conditions, addresses of what is made, problems, files."""

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from openapi_spec_validator import validate

from surveys.accounts.tokens import SCOPES, issue_token
from surveys.authoring.files import survey_file
from surveys.models import Event, Survey
from surveys.site.problems import KINDS
from surveys.web.api.views import base
from tests.api.test_reading import client_of
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
)
from tests.helpers.source_files import CODE, python_files

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
QUESTION = {"key": "tax", "kind": "yes-no", "text": "Taxes?", "design": "two-coin"}


@pytest.fixture
def survey() -> Survey:
    return create_draft(create_researcher())


@pytest.fixture
def client(survey: Survey) -> Client:
    return client_of(survey.owner)


@pytest.fixture(scope="module")
def described() -> dict:
    return Client().get("/api/v1/schema/?format=json").json()


def at(survey: Survey, rest: str = "") -> str:
    return f"/api/v1/surveys/{survey.slug}/{rest}"


def patched(client: Client, survey: Survey, **headers: str) -> HttpResponse:
    return client.patch(
        at(survey), {"title": "Other"}, content_type="application/json", headers=headers
    )


# Who asks


@pytest.mark.parametrize("word", ["Token", "Bearer", "bearer"])
def test_a_token_is_read_after_either_word(survey: Survey, word: str) -> None:
    client = Client(headers={"authorization": f"{word} {issue_token(survey.owner, 'x')}"})
    assert client.get("/api/v1/surveys/").status_code == 200


# The schema


def test_the_schema_is_valid_openapi_with_server_and_licence(described: dict) -> None:
    validate(described)
    assert described["servers"][0]["url"] == "/"
    assert described["info"]["license"] == {"name": "MIT", "identifier": "MIT"}
    assert (
        described["info"]["title"] == "Candor API"
    )  # generators name a package after it, and candor_client is ours


def operations(described: dict) -> list[tuple[str, str, dict]]:
    return [
        (path, method, each)
        for path, methods in described["paths"].items()
        for method, each in methods.items()
    ]


def test_every_operation_names_its_scope_and_no_docstring(described: dict) -> None:
    scopes = {}
    for path, method, operation in operations(described):
        assert "`parameters`:" not in operation.get("description", "")
        wanted = [each["token"] for each in operation["security"] if "token" in each]
        assert wanted or operation["security"] == []
        scopes[method, path] = wanted and wanted[0]
    assert {scope for found in scopes.values() for scope in found} == set(SCOPES)
    root = "/api/v1/surveys/{slug}/"
    assert scopes["get", f"{root}export/responses.csv"] == ["rows"]
    assert (
        scopes["get", f"{root}export/codebook.json"]
        == scopes["get", f"{root}report/"]
        == ["reports"]
    )
    assert scopes["post", f"{root}publish/"] == ["write"]
    assert scopes["post", f"{root}responses/"] == []


def test_files_have_their_own_type_and_say_what_they_are(described: dict) -> None:
    for path, _, operation in operations(described):
        kinds = [
            kind for answer in operation["responses"].values() for kind in answer.get("content", {})
        ]
        assert not [kind for kind in kinds if "*" in kind], path
    found = described["paths"]["/api/v1/surveys/{slug}/export/responses.parquet"]["get"]
    # The other one for generated clients, which leave out what they do not know.
    kinds = ["application/vnd.apache.parquet", "application/octet-stream"]
    assert list(found["responses"]["200"]["content"]) == kinds
    assert "responses.parquet" in found["summary"]


def test_bodies_take_nothing_else_and_no_shape_is_anything(described: dict) -> None:
    shapes = described["components"]["schemas"]
    for name in (
        "SurveyInput",
        "Question",
        "Begin",
        "Plan",
        "TokenInput",
        "Publish",
        "PatchedSurveyInput",
    ):
        assert shapes[name]["additionalProperties"] is False, name
    assert '{"oneOf": [{}' not in json.dumps(shapes)
    assert {"two-coin", "unary-any", "matrix", "automatic"} <= set(shapes["DesignEnum"]["enum"])
    assert "DesignEnum" in json.dumps(shapes["Question"]["properties"]["design"])


# What is asked wrongly


def test_a_parameter_stands_once_and_within_its_bounds(client: Client) -> None:
    for asked in (
        "status=draft&status=open",
        "page_size=1000",
        "page_size=101",
        "page_size=0",
        "page_size=abc",
    ):
        answer = client.get(f"/api/v1/surveys/?{asked}")
        assert (answer.status_code, answer.json()["type"]) == (400, "/problems/wrong-parameter"), (
            asked
        )
    assert client.get("/api/v1/surveys/?page_size=100").status_code == 200


@pytest.mark.parametrize(
    ("address", "body", "place"),
    [
        ("planning/", {"design": "two-coin", "share": 0.1, "null": False}, "null"),
        ("planning/", {"design": "two-coin", "n": "1000"}, "n"),
        ("planning/", {"design": "two-coin", "n": True}, "n"),
        ("planning/", {"design": "two-coin", "sided": "2"}, "sided"),
        ("planning/", {"design": 2}, "design"),
        ("planning/", {"design": "two-coin", "parameters": {"x": "0"}}, "parameters.x"),
        (
            "simulation/",
            {"design": "two-coin", "shares": [0.9, 0.1], "n": 9, "parameters": {"p": "3/4"}},
            "p",
        ),
        ("surveys/", {"title": "x", "limit_reason": 5}, "limit_reason"),
        (
            "surveys/",
            {"title": "x", "questions": [QUESTION | {"parameters": {"p": "3/4"}}]},
            "questions.0.p",
        ),
        ("tokens/", {"name": 5, "scopes": ["rows"]}, "name"),
    ],
)
def test_what_the_schema_does_not_allow_is_refused_at_its_place(
    address: str, body: dict, place: str
) -> None:
    client = Client()
    client.force_login(create_researcher())
    answer = client.post(f"/api/v1/{address}", body, content_type="application/json")
    assert answer.status_code == 422, answer.content
    assert set(answer.json()["errors"]) == {place}


def test_what_power_costs_has_a_bound(client: Client) -> None:
    asked = {"design": "two-coin", "share": 0.1, "other": 0.2, "n": 10**9}
    at_n = client.post("/api/v1/planning/", asked, content_type="application/json").json()["at_n"]
    assert at_n["power_of_groups"] == pytest.approx(1)
    assert at_n["power_of_groups_exact"] is None


# Designs


def test_programs_learn_which_designs_there_are(client: Client) -> None:
    found = client.get("/api/v1/designs/").json()
    designs = {each["key"]: each for each in found["designs"]}
    assert [each["name"] for each in designs["forced-response"]["parameters"]] == [
        "truth",
        "yes",
        "no",
    ]
    assert designs["forced-response"]["kinds"] == ["yes-no", "choice"]
    assert designs["marks"]["kinds"] == ["any"]
    assert "quantity" in designs["window"]["kinds"]
    assert (designs["kuk"]["import_only"], designs["warner"]["import_only"]) == (True, False)
    levels = {each["key"]: each["epsilon"] for each in found["levels"]}
    assert levels["automatic"] is None
    assert levels.keys() == {"strong", "balanced", "light", "automatic"}


def test_an_error_about_a_design_names_the_keys_that_are_allowed(client: Client) -> None:
    def said(**question: object) -> str:
        body = {"title": "x", "questions": [QUESTION | question]}
        answer = client.post("/api/v1/surveys/", body, content_type="application/json")
        return answer.json()["errors"]["questions.0.design"]

    assert "unrelated-question" in said(design="magic")
    assert "“Direct” (direct)" in said(kind="choice", choices=["a", "b", "c"])
    assert "(unary-any)" in said(kind="any", choices=["a", "b", "c"])


# Conditions


def test_what_is_read_is_not_sent_again(client: Client, survey: Survey) -> None:
    for address in (
        at(survey),
        at(survey, "schedule/"),
        "/api/v1/designs/",
        "/api/v1/surveys/",
    ):
        first = client.get(address)
        again = client.get(address, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


def test_nobody_changes_or_deletes_what_they_have_not_seen(client: Client, survey: Survey) -> None:
    seen = client.get(at(survey))["ETag"]
    assert patched(client, survey, **{"If-Match": seen}).status_code == 200
    for answer in (
        patched(client, survey, **{"If-Match": seen}),
        patched(client, survey, **{"If-None-Match": "*"}),
        client.put(
            at(survey, "schedule/"),
            {},
            content_type="application/json",
            headers={"If-Match": '"other"'},
        ),
        client.delete(at(survey), headers={"If-Match": seen}),
        client.get(at(survey), headers={"If-Match": seen}),
    ):
        assert (answer.status_code, answer.json()["type"]) == (412, "/problems/precondition-failed")
    assert patched(client, survey, **{"If-Match": "*"}).status_code == 200
    assert (
        client.delete(at(survey), headers={"If-Match": client.get(at(survey))["ETag"]}).status_code
        == 204
    )


@pytest.mark.parametrize("tag", ["0a1b", "", "0a1b, 2c3d"])
def test_a_condition_without_quotation_marks_is_refused(
    client: Client, survey: Survey, tag: str
) -> None:
    for answer in (
        patched(client, survey, **{"If-Match": tag}),
        patched(client, survey, **{"If-None-Match": tag}),
        client.delete(at(survey), headers={"If-Match": tag}),
        client.get(at(survey), headers={"If-Match": tag}),
    ):
        assert (answer.status_code, answer.json()["type"]) == (400, "/problems/wrong-condition")
        assert "in its quotation marks" in answer.json()["detail"]
    assert Survey.objects.get().title == survey.title
    assert client.get(at(survey), headers={"If-None-Match": tag}).status_code == 200


def test_where_nothing_is_read_no_condition_is_heeded(survey: Survey, described: dict) -> None:
    client = Client()
    client.force_login(survey.owner)
    issue_token(survey.owner, "x")
    address = f"/api/v1/tokens/{survey.owner.access_tokens.get().pk}/"
    assert client.delete(address, headers={"If-Match": '"other"'}).status_code == 204
    heed = {
        path
        for path, method, each in operations(described)
        if method == "delete" and "412" in each["responses"]
    }
    assert "/api/v1/surveys/{slug}/" in heed
    assert "/api/v1/tokens/{id}/" not in heed


def test_a_survey_is_held_from_the_comparison_to_the_change(
    client: Client, survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Locked in a transaction of its own before anything is compared, which goes on until the change is made."""
    told, outside = [], len(connection.atomic_blocks)

    def noting(what: str, function: Callable) -> Callable:
        def noted(*args: object) -> object:
            told.append((what, connection.atomic_blocks[outside:][:1]))
            return function(*args)

        return noted

    monkeypatch.setattr(Survey, "locked", noting("locked", Survey.locked))
    monkeypatch.setattr(base, "matches", noting("compared", base.matches))
    seen = client.get(at(survey, "schedule/"))["ETag"]
    told.clear()
    body = {"target": 50}
    headers = {"If-Match": seen}
    answer = client.put(
        at(survey, "schedule/"), body, content_type="application/json", headers=headers
    )
    assert answer.json()["target"] == 50
    assert [what for what, _ in told] == ["locked", "compared", "locked"]
    assert all(held for _, held in told)
    assert len({id(held[0]) for _, held in told}) == 1


def test_what_is_made_has_an_address(client: Client, survey: Survey) -> None:
    add_yes_no(survey)
    body, kind = {"title": "x"}, "application/json"
    made = [
        client.post("/api/v1/surveys/", body, content_type=kind),
        client.post(at(survey, "duplicate/"), {}, content_type=kind),
        client.post("/api/v1/files/", survey_file.write(survey), content_type=kind),
        client.post(
            at(survey, "webhooks/"),
            {"url": "https://1.1.1.1/", "events": ["survey.closed"]},
            content_type=kind,
        ),
    ]
    for answer in made:
        assert answer.status_code == 201, answer.content
        assert client.get(answer["Location"]).status_code == 200
    invited = client.post(at(survey, "team/invitations/"), {"role": "analyst"}, content_type=kind)
    assert client.delete(invited["Location"]).status_code == 204


def test_who_asks_for_the_head_of_a_file_leaves_no_history(client: Client) -> None:
    instrument = create_published(create_researcher("other"))
    add_invented_responses(instrument, 40)
    client = client_of(instrument.survey.owner)
    for rest in ("responses/", "export/responses.csv"):
        assert client.head(at(instrument.survey, rest)).status_code == 200
    downloads = Event.objects.filter(what="exported")
    assert not downloads.exists()
    client.get(at(instrument.survey, "export/responses.csv")).getvalue()
    assert downloads.count() == 1


def test_options_say_what_an_address_allows_and_nothing_else(client: Client) -> None:
    instrument = create_published(create_researcher("other"))
    answer = client_of(instrument.survey.owner).options(at(instrument.survey, "responses/"))
    assert (answer.status_code, answer.content) == (204, b"")
    assert {each.strip() for each in answer["Allow"].split(",")} == {
        "GET",
        "HEAD",
        "OPTIONS",
        "POST",
    }


# Files


def test_a_file_comes_in_a_form_as_well(client: Client, survey: Survey) -> None:
    add_choice(survey)
    file = json.dumps(survey_file.write(survey)).encode()
    for made in (
        client.post("/api/v1/files/", {"file": SimpleUploadedFile("survey.json", file)}),
        client.generic("POST", "/api/v1/files/", file, "application/octet-stream"),
        client.post(
            "/api/v1/xlsform/",
            {"file": SimpleUploadedFile("f.xlsx", client.get(at(survey, "xlsform/")).content)},
        ),
    ):
        assert made.status_code == 201, made.content


def test_in_a_form_stands_one_file_and_nothing_else(client: Client) -> None:
    two = {name: SimpleUploadedFile(f"{name}.json", b"{}") for name in "ab"}
    for form in (two, {"a": two["a"], "note": "hello"}):
        answer = client.post("/api/v1/files/", form)
        assert (answer.status_code, answer.json()["type"]) == (400, "/problems/parse-error")
    large = SimpleUploadedFile("a.json", b" " * 1_600_000)
    assert client.post("/api/v1/files/", {"file": large}).status_code == 413


def test_a_form_of_somebody_who_is_logged_in_is_taken(survey: Survey) -> None:
    """The check of its token has read the form before the parser does."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(survey.owner)
    client.get("/surveys/new/")
    form = {
        "file": SimpleUploadedFile("survey.json", json.dumps(survey_file.write(survey)).encode())
    }
    assert client.post("/api/v1/files/", form).status_code == 403
    client.cookies["csrftoken"] = "a" * 32
    headers = {"X-CSRFToken": "a" * 32}
    form["file"].seek(0)
    assert client.post("/api/v1/files/", form, headers=headers).status_code == 201


# Problems


def test_titles_are_sentences_and_no_templates(client: Client) -> None:
    wrong = [
        client.patch("/api/v1/surveys/"),
        client.post("/api/v1/surveys/", "x", content_type="text/css"),
    ]
    assert [answer.status_code for answer in wrong] == [405, 415]
    for answer in wrong:
        assert not {"{", "}"} & set(answer.json()["title"])


def test_every_kind_of_problem_leads_to_a_page() -> None:
    client = Client()
    for name, kind in KINDS.items():
        page = client.get(f"/problems/{name}")
        assert page["Content-Type"].startswith("text/html")
        assert kind.advice in page.content.decode()
    assert client.get("/problems/nothing").status_code == 404
    assert all(
        f'href="/problems/{name}"' in client.get("/problems/").content.decode() for name in KINDS
    )


def test_every_problem_that_the_code_names_is_among_the_kinds() -> None:
    named = set()
    for file in python_files(*CODE, "config"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "problem_response",
                "Rejected",
            ):
                named |= {arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)}
            if (
                isinstance(node, ast.Assign)
                and getattr(node.targets[0], "id", "") == "default_code"
            ):
                named.add(node.value.value.replace("_", "-"))
    assert len(named) > 20
    assert named <= set(KINDS)
