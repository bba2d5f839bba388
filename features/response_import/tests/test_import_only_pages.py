"""What researchers see of a survey that takes its responses from files: infinite epsilon is marked everywhere."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.definition.parsing import parse_instrument
from surveys.export.codebook import as_markdown
from surveys.fieldwork import lifecycle
from surveys.fieldwork.responses.release import add_to_report
from surveys.models import Instrument, Survey
from tests.helpers.html_forms import errors

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client: Client) -> Survey:
    owner = User.objects.create_user("ada", password="right horse")
    client.force_login(owner)
    survey = create_survey(owner=owner, title="On paper", import_only=True)
    save_question(
        survey=survey,
        text="Taxes?",
        key="tax",
        kind="yes-no",
        design="mangat",
        parameters={"p": "3/4"},
    )
    save_question(survey=survey, text="Drugs?", key="drugs", kind="yes-no", design="two-coin")
    return survey


@pytest.fixture
def filled(survey: Survey) -> Instrument:
    """40 responses: 10 x Yes to tax and 20 x Yes to drugs."""
    instrument = lifecycle.lock_questions(survey)
    records = b"\1\1\0" * 10 + b"\0\1\0" * 10 + b"\0\0\0" * 20  # no report is missing
    assert add_to_report(instrument, records) == 40
    return Instrument.objects.get(pk=instrument.pk)


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_the_form_asks_where_the_responses_come_from_once(client: Client, survey: Survey) -> None:
    assert 'name="import_only"' in text(client, "/surveys/new/")
    assert 'name="import_only"' not in text(client, f"/surveys/{survey.slug}/welcome/")
    client.post("/surveys/new/", {"title": "By telephone", "import_only": "on"})
    assert Survey.objects.get(title="By telephone").import_only


def test_the_draft_says_that_a_recorded_answer_can_prove_the_truth(
    client: Client, survey: Survey
) -> None:
    draft_page = text(client, f"/surveys/{survey.slug}/")
    assert "Not protected" in draft_page
    assert "can never be published to respondents" in draft_page
    assert f"/surveys/{survey.slug}/prepare/" in draft_page
    assert f"/surveys/{survey.slug}/publish/" not in draft_page
    page = text(client, f"/surveys/{survey.slug}/prepare/")
    assert (
        "<strong>privacy loss ε = infinite</strong>: some received answers prove what a person chose."
        in page
    )
    assert "A true Yes reported as Yes with probability 1, a true No with 1/4." in page
    assert "nan" not in page + draft_page


def test_the_panel_speaks_of_what_happened_to_an_answer(client: Client, survey: Survey) -> None:
    asked = {
        "text": "Kuk?",
        "kind": "yes-no",
        "design": "mangat",
        "mangat-p": "1/2",
        "show": "panel",
    }
    response = client.post(f"/surveys/{survey.slug}/questions/new/", asked)
    page = " ".join(response.content.decode().split())
    assert "What happened to an answer" in page
    assert "An answer received can prove the true one: epsilon is infinite." in page


def test_it_is_prepared_on_a_page_that_shows_all_that_becomes_fixed(
    client: Client, survey: Survey
) -> None:
    page = text(client, f"/surveys/{survey.slug}/prepare/")
    assert "Taxes?" in page
    assert "Drugs?" in page
    stale = client.post(f"/surveys/{survey.slug}/prepare/", {"instrument": "0" * 64})
    assert stale.status_code == 409
    assert client.post(f"/surveys/{survey.slug}/prepare/").status_code == 302
    page = text(client, f"/surveys/{survey.slug}/")
    assert "Takes files" in page
    assert f"/surveys/{survey.slug}/import/" in page
    assert "Invite people" not in page
    assert f"/s/{survey.slug}/" not in page


@pytest.mark.parametrize("page", ["poster/", "qr.svg", "qr.png", "preview/", "publish/"])
def test_no_page_for_respondents_can_be_had(client: Client, survey: Survey, page: str) -> None:
    assert client.get(f"/surveys/{survey.slug}/{page}").status_code == 409
    lifecycle.lock_questions(survey)
    assert client.get(f"/surveys/{survey.slug}/{page}").status_code == 409


def test_the_report_marks_what_proves_a_truth(client: Client, filled: Instrument) -> None:
    page = text(client, f"/surveys/{filled.survey.slug}/report/?everything=yes")
    assert "<strong>infinite</strong>. Some answers show what a person chose." in page
    assert "privacy loss ε = infinite. Some answers show what a person chose." in page
    assert "imported from files" in page
    assert "nan" not in page.lower()
    quality = text(client, f"/surveys/{filled.survey.slug}/report/quality/")
    assert "on the device" not in quality


def test_the_methods_text_claims_no_protection_that_there_is_not(
    client: Client, filled: Instrument
) -> None:
    methods = client.get(f"/surveys/{filled.survey.slug}/report/methods.txt").content.decode()
    assert "imported from files" in methods
    assert "The privacy loss per respondent is infinite: some reports to tax prove" in methods
    assert "answered in the browser" not in methods
    assert "Mangat, N. S. (1994)" in methods


def test_a_program_is_told_null_where_the_loss_is_infinite(
    client: Client, filled: Instrument
) -> None:
    report = client.get(f"/api/v1/surveys/{filled.survey.slug}/report/").json()
    assert report["epsilon"] is None
    tax, drugs = report["questions"]
    assert (tax["design"], tax["epsilon"]) == ("mangat", None)
    assert drugs["epsilon"] == pytest.approx(1.0986, abs=1e-4)
    # lambda = 10/40 = pi + (1 - pi)/4, so pi = 0
    assert tax["choices"][1]["estimate"] == pytest.approx(0)


def test_the_codebook_says_infinite(filled: Instrument) -> None:
    assert "infinite (a report can prove the true answer)" in as_markdown(
        parse_instrument(filled), filled.tally
    )


def test_the_table_says_infinite(client: Client, filled: Instrument) -> None:
    rows = (
        client.get(f"/surveys/{filled.survey.slug}/report/shares.csv").content.decode().splitlines()
    )
    assert ",mangat,infinite," in rows[1]


def test_a_new_survey_asks_for_title_target_and_language_and_folds_what_few_need(
    client: Client, survey: Survey
) -> None:
    page = client.get("/surveys/new/").content.decode()
    before, fold, below = page.partition('<details class="fold">')
    assert fold
    asked = set(re.findall(r'name="(\w+)"', before)) - {"csrfmiddlewaretoken", "viewport"}
    assert (asked, re.findall(r'name="(\w+)"', below)) == (
        {"title", "target", "language"},
        ["import_only"],
    )


@pytest.mark.parametrize(
    ("typed", "is_open"), [({"title": ""}, False), ({"title": "", "import_only": "1"}, True)]
)
def test_the_fold_opens_where_something_in_it_is_chosen(
    client: Client, survey: Survey, typed: dict[str, str], is_open: bool
) -> None:
    response = client.post("/surveys/new/", typed)
    assert errors(response)
    assert ('<details class="fold" open>' in response.content.decode()) == is_open
