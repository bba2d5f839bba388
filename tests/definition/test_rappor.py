"""RAPPOR as a design of written answers, from its author to the report."""

import json

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from mechanisms import Rappor
from surveys.authoring.drafts.question_plan import plan_question
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument, Survey
from surveys.site.errors import Invalid
from tests.definition.test_written import answer
from tests.factories import surveys
from tests.factories.surveys import publish_survey
from tests.helpers.exports import csv_of, export_file, json_rows

pytestmark = pytest.mark.django_db
LETTERS = {"hashes": "1", "f": "1/5", "p": "9/10", "q": "1/10"}
DRUGS = ("Heroin", "Cocaine", "Crack")


@pytest.fixture
def survey(ada: User) -> Survey:
    survey = surveys.create_draft(ada, title="Drugs")
    surveys.add_text_question(survey, candidates=DRUGS, design="rappor", parameters=LETTERS)
    return survey


@pytest.fixture
def instrument(survey: Survey) -> Instrument:
    return publish_survey(survey)


def asked(**letters: str) -> dict:
    return {
        "kind": "written",
        "design": "rappor",
        "parameters": LETTERS | letters,
        "choices": ["a"],
    }


@pytest.mark.parametrize(
    ("letters", "field", "message"),
    [
        ({"hashes": "5"}, "hashes", "1 to 4 bits, not 5"),
        ({"hashes": "1.5"}, "hashes", "1 to 4 bits, not 1.5"),
        ({"f": "0"}, "f", "could prove the true one"),
        ({"f": "1"}, "f", "could prove the true one"),
        ({"p": "1/2", "q": "1/2"}, "q", "q must be below p"),
        ({"p": "x"}, "p", "is not a number"),
        ({"f": "0.00000000001"}, "hashes", "Round them"),
        ({"hashes": "4", "f": "1/1000"}, "hashes", "almost nothing is protected"),
    ],
)
def test_what_cannot_be_asked_is_refused_where_it_stands(
    letters: dict, field: str, message: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        plan_question(**asked(**letters))
    assert message in wrong.value.errors[field]


def test_files_bring_no_such_reports() -> None:
    with pytest.raises(Invalid, match="works only on devices"):
        plan_question(**asked(), import_only=True)


def test_it_is_for_written_answers_only() -> None:
    with pytest.raises(Invalid, match="doesn’t fit"):
        plan_question(kind="choice", choices=["a", "b"], design="rappor", parameters=LETTERS)


def test_the_loss_of_the_survey_is_the_one_that_holds_for_ever(instrument: Instrument) -> None:
    (item,) = parse_instrument(instrument).items
    mechanism = Rappor(hashes=1, f="1/5", p="9/10", q="1/10")
    assert item.mechanism == mechanism
    assert item.has_permanent_step
    assert (
        parse_instrument(instrument).epsilon
        == item.epsilon
        == mechanism.epsilon
        > mechanism.epsilon_once
    )


def test_the_author_reads_both_losses_and_the_cost_beside_a_hash(
    client: Client, survey: Survey
) -> None:
    page = client.get(f"/surveys/{survey.slug}/questions/drug/").content.decode()
    assert "One report alone has epsilon" in page
    assert "times the respondents of the hash" in page
    assert "the device forgets the first one." in page


def test_the_respondents_page_keeps_nothing_of_it(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    """Both steps are drawn for one response; an imprint that is kept would join what a person sends to two versions."""
    page = " ".join(
        client.get(f"/s/{survey.slug}/").content.decode().partition("<script>")[0].split()
    )
    assert "Your device sends a row of marks made from your text." in page
    assert "later version" not in page


@pytest.mark.parametrize(
    "report", ["0:01", "64:" + "0" * 128, 5, "0:" + "2" * 128, "0" * 128, ["0"], True, None]
)
def test_another_report_is_refused(
    client: Client, survey: Survey, instrument: Instrument, report: object
) -> None:
    body = {
        "instrument": instrument.sha256,
        "key": "6e1f6b0c-6d9a-4c4f-8d6e-0f2b7f0f9a11",
        "reports": {"drug": report},
    }
    address = f"/api/v1/surveys/{survey.slug}/responses/"
    answered = client.post(address, body, content_type="application/json")
    assert answered.status_code in (400, 422)
    assert "0" * 128 not in answered.content.decode()


def test_a_report_travels_and_comes_back(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    report = "12:" + "01" * 64
    body = {
        "instrument": instrument.sha256,
        "key": "6e1f6b0c-6d9a-4c4f-8d6e-0f2b7f0f9a11",
        "reports": {"drug": report},
    }
    frozen = parse_instrument(instrument)
    assert len(json.dumps(body, separators=(",", ":"))) <= frozen.length
    answered = client.post(
        f"/api/v1/surveys/{survey.slug}/responses/", body, content_type="application/json"
    )
    assert answered.status_code == 201


def test_a_row_has_the_cohort_and_every_bit(instrument: Instrument) -> None:
    answer(instrument, 60)
    (batch,) = instrument.batches.all()
    head, *rows = csv_of(instrument).split()
    assert head.startswith("drug_cohort,drug_1,drug_2,")
    wire = parse_instrument(instrument).items[0].report_format
    stored = np.frombuffer(bytes(batch.records), wire.field)
    spread = {f"{cohort}:{''.join(bits)}" for cohort, *bits in (row.split(",") for row in rows)}
    assert spread == set(wire.reports(stored))
    assert json_rows(instrument)[0]["drug_128"] in (0, 1)


def test_methods_and_codebook_say_which_epsilon_it_is(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    answer(instrument, 500)
    text = client.get(f"/surveys/{survey.slug}/report/methods.txt").content.decode()
    assert "for all reports together that a device ever draws from one answer" in text
    book = json.loads(export_file(instrument, "codebook.json"))["variables"][0]
    assert book["epsilon"] > book["epsilon_of_one_report"] > 1
    assert book["report"].startswith("129 columns: the cohort")


def test_the_api_takes_such_a_question(client: Client, ada: User) -> None:
    """Its parameters are named as in the library."""
    question = {
        "text": "Which drug?",
        "key": "drug",
        "kind": "written",
        "design": "rappor",
        "parameters": LETTERS,
    }
    content = {"title": "By program", "questions": [question]}
    client.force_login(ada)
    made = client.post("/api/v1/surveys/", content, content_type="application/json")
    assert made.status_code == 201, made.content
    (item,) = build_definition(Survey.objects.get(title="By program")).items
    assert item.mechanism == Rappor(hashes=1, f="1/5", p="9/10", q="1/10")
