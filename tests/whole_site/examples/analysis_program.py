"""The analysis of test_analysis.py in the copy of the program that has it: page, API, schema, files and client."""

import csv
import io

import httpx
import pytest
from django.test import Client

from candor_client import Candor
from config.wsgi import application
from surveys.accounts.tokens import issue_token
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.models import Instrument
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_published

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _inside_the_transaction(connection_stays_open: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Candor, "transport", httpx.WSGITransport(app=application))


@pytest.fixture
def instrument() -> Instrument:
    instrument = create_published()
    add_invented_responses(instrument, 400)
    return Instrument.objects.get(pk=instrument.pk)


def test_it_is_everywhere(instrument: Instrument) -> None:
    reports = unpack(instrument.tally["counts"]["tax"]).tolist()
    page, at = Client(), f"/surveys/{instrument.survey.slug}/report/"
    shown = f"/surveys/{instrument.survey.slug}/compare/reports-counted/"
    page.force_login(instrument.survey.owner)
    assert "Reports counted" in page.get(shown).content.decode()
    assert (
        "These are reports, and not answers. 400 people."
        in page.get(f"{shown}?question=tax").content.decode()
    )
    wrong = page.get(f"{shown}?question=nobody")
    assert wrong.status_code == 422
    by_api = f"/api/v1{at}reports-counted"
    told = page.get(f"{by_api}/?question=tax").json()
    assert [each["reports"] for each in told["said"]] == reports
    assert page.get(f"{by_api}/?question=nobody").json()["errors"].keys() == {"question"}
    assert page.get(f"{by_api}/?nothing=1").status_code == 400
    for form in ("csv", "svg", "png", "txt"):
        pair = (
            page.get(f"{at}reports-counted.{form}?question=tax"),
            page.get(f"{by_api}.{form}?question=tax"),
        )
        assert {answer.status_code for answer in pair} == {200}, form
        assert pair[0].content == pair[1].content, form
    rows = list(
        csv.DictReader(io.StringIO(page.get(f"{by_api}.csv?question=tax").content.decode()))
    )
    assert rows[1] == {
        "variable": "tax",
        "answer": "Yes",
        "reports": str(reports[1]),
        "group": "everybody",
    }
    schema = page.get("/api/v1/schema/?format=json").json()
    operation = schema["paths"]["/api/v1/surveys/{slug}/report/reports-counted/"]["get"]
    assert operation["tags"] == ["Read results"]
    assert {each["name"] for each in operation["parameters"]} >= {"question", "confidence", "where"}
    assert (
        schema["components"]["schemas"]["Toy"]["description"] == "How many reports say each answer."
    )
    client = Candor("http://localhost", issue_token(instrument.survey.owner, "toy"))
    frame = client.analysis(instrument.survey.slug, "reports-counted", question="tax")
    assert (frame["reports"].tolist(), frame.attrs["n"]) == (reports, 400)
    assert "reports-counted.csv" in page.get("/api/v1/docs/").content.decode()
