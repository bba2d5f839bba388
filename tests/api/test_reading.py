"""Reading by program: surveys, instrument, report, rows."""

import csv
import hashlib
import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from surveys.accounts.tokens import issue_token
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import AccessToken, Survey
from tests.factories.surveys import (
    create_draft,
    create_published,
    create_researcher,
    post_response,
    response_body,
)

pytestmark = pytest.mark.django_db
HEADER = b"tax,fruit_1,fruit_2,fruit_3,fruit_4,fruit_5,region"


def client_of(user: object) -> Client:
    return Client(headers={"authorization": f"Token {issue_token(user, 'test')}"})


def url(instrument: object, part: str) -> str:
    return f"/api/v1/surveys/{parse_instrument(instrument).survey}/{part}"


def with_responses(n: int) -> object:
    instrument = create_published()
    for number in range(n):
        reports = {"tax": number % 2, "fruit": f"{number % 32:05b}", "region": 0}
        assert (
            post_response(instrument, response_body(instrument, reports=reports)).status_code == 201
        )
    return instrument


def test_the_list_shows_ones_own_surveys_only() -> None:
    instrument = create_published()
    create_draft(create_researcher("eve"), title="Not yours")
    found = client_of(instrument.survey.owner).get("/api/v1/surveys/").json()["results"]
    assert [survey["title"] for survey in found] == ["A survey"]
    assert found[0]["instrument"] == instrument.sha256


def test_the_list_takes_the_same_queries_for_many(
    django_assert_num_queries, django_assert_max_num_queries
) -> None:
    owner = create_researcher()
    client = client_of(owner)
    client.get("/api/v1/surveys/")  # notes that the token was used today
    with django_assert_num_queries(2):
        client.get("/api/v1/surveys/")
    for _ in range(30):
        create_draft(owner)
    with django_assert_num_queries(2):
        assert len(client.get("/api/v1/surveys/").json()["results"]) == 30


def test_the_instrument_is_public_and_is_its_hash() -> None:
    instrument = create_published()
    answer = Client().get(url(instrument, "instrument/"))
    assert hashlib.sha256(answer.content).hexdigest() == instrument.sha256
    assert answer["Content-Type"] == "application/json"


def test_the_instrument_of_a_survey_that_opens_later_is_not_public_yet() -> None:
    instrument = create_published()
    Survey.objects.update(opens=timezone.now() + timedelta(days=1))
    for address in (url(instrument, "instrument/"), f"/api/v1/instruments/{instrument.sha256}/"):
        assert Client().get(address).status_code == 404
        Survey.objects.update(opens=timezone.now() - timedelta(days=1))
        assert Client().get(address).status_code == 200
        Survey.objects.update(opens=timezone.now() + timedelta(days=1))


def test_the_report_has_the_documented_shape() -> None:
    instrument = with_responses(40)
    call_command("seal")
    report = client_of(instrument.survey.owner).get(url(instrument, "report/")).json()
    rest = {"confidence", "simultaneous", "sampling", "invited", "invented", "draw", "deleted_on"}
    assert (
        report.keys()
        == {"survey", "instrument", "n", "waiting", "epsilon", "cut", "questions"} | rest
    )
    assert report["draw"] is report["deleted_on"] is report["invited"] is None
    assert (report["n"], report["waiting"]) == (20, 20)
    tax, fruit, region = report["questions"]
    how = {"interval_kind", "constrained_by", "correction", "finding", "if_denied"}
    assert (
        tax.keys()
        == {
            "key",
            "text",
            "design",
            "epsilon",
            "n",
            "asked_of",
            "on_path",
            "choices",
            "number",
            "found",
        }
        | how
    )
    assert tax["finding"].keys() == {
        "verdict",
        "sentence",
        "detail",
        "number",
        "range",
        "bars",
        "scale",
    }
    observed = tax["choices"][1]["observed"]
    assert tax["choices"][1]["estimate"] == pytest.approx((observed - 0.25) / 0.5)
    assert len(fruit["choices"]) == 5
    assert (region["design"], region["epsilon"]) == (None, None)
    assert report["epsilon"] == pytest.approx(tax["epsilon"] + fruit["epsilon"])


def test_a_report_without_responses_shows_no_number() -> None:
    instrument = with_responses(3)
    report = client_of(instrument.survey.owner).get(url(instrument, "report/")).json()
    assert (report["n"], report["waiting"]) == (0, 0)
    assert report["questions"][0]["choices"][1]["estimate"] is None


def test_rows_as_csv_and_json_agree() -> None:
    instrument = with_responses(25)
    close_survey(instrument.survey)
    client = client_of(instrument.survey.owner)
    as_csv = client.get(url(instrument, "responses/?format=csv"))
    assert as_csv["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(as_csv.getvalue().decode())))
    objects = json.loads(client.get(url(instrument, "responses/")).getvalue())
    assert len(rows) == len(objects) == 25
    assert [{key: str(value) for key, value in one.items()} for one in objects] == rows
    by_header = client.get(url(instrument, "responses/"), headers={"accept": "text/csv"})
    assert by_header.getvalue().splitlines()[0] == HEADER


def test_rows_hold_released_responses_only() -> None:
    instrument = with_responses(25)
    call_command("seal")
    client = client_of(instrument.survey.owner)
    assert json.loads(client.get(url(instrument, "responses/")).getvalue()) == []
    assert client.get(url(instrument, "responses/?format=csv")).getvalue() == HEADER + b"\r\n"


@pytest.mark.parametrize(
    "accept",
    [
        "application/problem+json",
        "application/problem+json;q=0.5",
        "text/html, application/problem+json",
        "Application/Problem+JSON",
    ],
)
@pytest.mark.parametrize("part", ["", "report/", "responses/"])
def test_a_program_that_accepts_problem_documents_only_gets_json(part: str, accept: str) -> None:
    instrument = create_published()
    answer = client_of(instrument.survey.owner).get(
        url(instrument, part), headers={"accept": accept}
    )
    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (
        200,
        "application/json",
    )
    json.loads(answer.getvalue())


def test_a_program_that_accepts_neither_json_nor_problem_documents_gets_406() -> None:
    answer = client_of(create_researcher()).get("/api/v1/surveys/", headers={"accept": "text/html"})
    assert (answer.status_code, answer.json()["type"]) == (406, "/problems/not-acceptable")


@pytest.mark.parametrize("part", ["", "report/", "responses/"])
def test_a_strangers_survey_does_not_exist(part: str) -> None:
    instrument = create_published()
    answer = client_of(create_researcher("eve")).get(url(instrument, part))
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["", "x/", "x/report/", "x/responses/"])
@pytest.mark.parametrize("header", [None, "Token wrong", "Token", "Bearer x", "Token \xff"])
def test_without_a_valid_token_401(path: str, header: str | None) -> None:
    headers = {"authorization": header} if header else {}
    answer = Client().get(f"/api/v1/surveys/{path}", headers=headers)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")
    assert answer["Content-Type"] == "application/problem+json"


def test_a_person_who_may_not_log_in_may_not_read_either() -> None:
    user = create_researcher()
    client = client_of(user)
    user.is_active = False
    user.save()
    assert client.get("/api/v1/surveys/").status_code == 401


def test_tokens_are_kept_as_hashes() -> None:
    token = issue_token(create_researcher(), "laptop")
    assert token not in str(AccessToken.objects.values())


def test_a_method_that_is_not_allowed_is_a_problem_document() -> None:
    instrument = create_published()
    answer = client_of(instrument.survey.owner).put(url(instrument, "report/"))
    assert (answer.status_code, answer.json()["type"]) == (405, "/problems/method-not-allowed")


def test_the_number_of_queries_of_a_report_does_not_grow_with_responses(settings) -> None:
    from django.db import connection

    instrument = with_responses(25)
    call_command("seal")
    post_response(instrument, response_body(instrument))
    client = client_of(instrument.survey.owner)
    client.get(url(instrument, "report/"))  # notes that the token was used today
    with CaptureQueriesContext(connection) as few:
        client.get(url(instrument, "report/"))
    for _ in range(10):
        post_response(instrument, response_body(instrument))
    with CaptureQueriesContext(connection) as more:
        client.get(url(instrument, "report/"))
    assert len(more) == len(few)


def test_the_schema_names_every_address() -> None:
    schema = Client().get("/api/v1/schema/?format=json").json()
    assert schema["openapi"].startswith("3.1")
    paths = schema["paths"]
    assert "/api/v1/surveys/{slug}/export/everything.zip" in paths
    assert paths["/api/v1/surveys/{slug}/responses/"].keys() == {"get", "post"}


@pytest.mark.parametrize(
    "path", ["nothing/", "surveys", "surveys/x/y/", "tokens/1/", "surveys/x/export/y.doc", "//"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_where_there_is_nothing_a_problem_document_says_so(path: str, method: str) -> None:
    answer = getattr(Client(enforce_csrf_checks=True), method)(f"/api/v1/{path}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_database_that_fails_is_a_problem_that_passes(monkeypatch) -> None:
    from django.db import OperationalError

    def fail(*args: object) -> None:
        raise OperationalError("gone")

    client = client_of(create_researcher())
    monkeypatch.setattr("surveys.accounts.access.surveys_of", fail)
    answer = client.get("/api/v1/surveys/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "gone" not in answer.content.decode()
