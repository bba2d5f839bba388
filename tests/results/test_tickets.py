"""Reports of surveys with tickets: how many were invited, and errors of exactly those who answered."""

import csv
import io

import pytest
from django.test import Client

from mechanisms import FiniteEstimate
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.tickets import invitees
from surveys.models import Survey
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates import on_request
from surveys.results.estimates.report import report
from surveys.results.report.methods import methods
from surveys.site.errors import Invalid
from tests.api.test_reading import client_of
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_yes_no,
    create_draft,
    create_published,
    publish_survey,
)
from tests.factories.ticket_surveys import client_for, make_invitee_rows, take_ticket, take_tickets

pytestmark = pytest.mark.django_db
N = 190  # quartiles are told from 200 on, and take long


@pytest.fixture
def survey() -> Survey:
    survey = create_draft(tickets="one")
    add_yes_no(survey)
    add_choice(survey, design="direct", parameters={"epsilon": "1"})
    add_quantity(survey)
    add_background(survey, cut=True)
    invitees.invite(survey, make_invitee_rows(25))
    publish_survey(survey)
    survey.refresh_from_db()
    add_invented_responses(survey.instrument, N)
    return survey


def test_replaced_tickets_are_told_of_everywhere(survey: Survey) -> None:
    take_tickets(survey, 22)
    release(survey.instrument)
    for invitee in survey.invitees.order_by("label")[:2]:
        invitees.replace(invitee)
        take_ticket(survey.invitees.get(pk=invitee.pk))
    said = "25 people were invited, and 20 took a ticket. 22 tickets for 25 invited people: up to 2 duplicates"
    assert said in client_for(survey.owner).get(f"/surveys/{survey.slug}/report/").content.decode()
    ada = client_of(survey.owner)
    path = f"/api/v1/surveys/{survey.slug}/report/"
    first = ada.get(path)
    found = first.json()["invited"]
    assert found["words"].startswith(said)
    assert {name: found[name] for name in ("invited", "fetched", "tickets", "duplicates")} == {
        **{"invited": 25, "fetched": 20, "tickets": 22, "duplicates": 2}
    }
    assert said in ada.get(f"{path}methods.txt").content.decode()
    assert (
        "The ranges describe only the people who answered."
        in ada.get(f"{path}methods.txt").content.decode()
    )
    take_ticket(survey.invitees.order_by("label").last())
    assert (
        ada.get(path, headers={"if-none-match": first["ETag"]}).status_code == 304
    )  # nobody sees one more at once
    Survey.objects.update(status="closed")
    assert (
        ada.get(path, headers={"if-none-match": first["ETag"]}).json()["invited"]["fetched"] == 23
    )


def test_what_tickets_do_not_stop_is_in_the_quality_part(survey: Survey) -> None:
    page = client_for(survey.owner).get(f"/surveys/{survey.slug}/report/quality/").content.decode()
    assert "doesn’t stop the people who invite" in page
    found = client_of(survey.owner).get(f"/api/v1/surveys/{survey.slug}/report/quality/").json()
    assert "doesn’t stop the people who invite" in found["tickets"]


def test_errors_of_exactly_those_who_answered_are_narrower_and_of_the_same_estimate(
    survey: Survey,
) -> None:
    seen = view_for_reader(survey.instrument, has_rows=True)
    wide, narrow = (
        report(survey.instrument, sampling=sampling, seen=seen) for sampling in (True, False)
    )
    for before, after in zip(wide.questions, narrow.questions, strict=True):
        assert after.basis.proportions == pytest.approx(before.basis.proportions)
        for one, other in zip(before.choices, after.choices, strict=True):
            assert other.standard_error < one.standard_error or one.standard_error == 0
            assert (
                one.interval[1] - one.interval[0] > other.interval[1] - other.interval[0]
                or not other.standard_error
            )
    tax, _, hours, region = narrow.questions
    assert tax.choices[1].standard_error == pytest.approx((0.75 * 0.25 / N) ** 0.5 / 0.5)
    assert hours.average.mean.standard_error < wide.questions[2].average.mean.standard_error
    assert [choice.standard_error for choice in region.choices] == pytest.approx([0, 0], abs=1e-9)
    assert isinstance(tax.basis, FiniteEstimate)


def test_page_api_files_and_methods_say_whose_errors_they_are(survey: Survey) -> None:
    owner, ada = client_for(survey.owner), client_of(survey.owner)
    usual = owner.get(f"/surveys/{survey.slug}/report/").content.decode()
    assert "Exactly the respondents (only randomization)" in usual
    page = owner.get(f"/surveys/{survey.slug}/report/?sampling=no&test-tax=30")
    assert page.status_code == 200
    text = page.content.decode()
    assert "They are about exactly the people who answered" in text
    assert "95% Wilson interval of the randomization alone" in text
    assert "score test, chi-square" in text
    path = f"/api/v1/surveys/{survey.slug}/report"
    assert ada.get(f"{path}/?sampling=false").json()["sampling"] is False
    table = csv.DictReader(
        io.StringIO(ada.get(f"{path}/shares.csv?sampling=false").content.decode())
    )
    assert {row["errors_hold"] for row in table} == {"randomization"}
    said = ada.get(f"{path}/methods.txt?sampling=false").content.decode()
    assert "They are about exactly the respondents, a finite population" in said
    assert "Warner, S. L. (1965)" in said
    assert "simple random sample" not in said
    assert ada.get(f"{path}/tax/likelihood.svg?sampling=false").status_code == 404
    assert ada.get(f"{path}/tax/shares.svg?sampling=false").status_code == 200
    assert ada.get(f"{path}/region/shares.svg?sampling=false").status_code == 200


def test_the_score_test_contradicts_what_its_interval_leaves_out(survey: Survey) -> None:
    tax = report(survey.instrument, sampling=False).questions[0]
    low, high = tax.choices[1].interval
    for share, is_out in (
        (low - 0.001, True),
        (low + 0.001, False),
        (high - 0.001, False),
        (high + 0.001, True),
    ):
        if 0 <= share <= 1:
            assert on_request.test_share(tax, share).is_contradicted is is_out


def test_what_there_is_not_is_refused_with_a_reason(survey: Survey) -> None:
    ada = client_of(survey.owner)
    answer = ada.get(f"/api/v1/surveys/{survey.slug}/report/?sampling=false&interval=exact")
    assert (answer.status_code, "Wilson or Wald" in answer.json()["errors"]["interval"]) == (
        422,
        True,
    )
    answer = client_for(survey.owner).get(
        f"/surveys/{survey.slug}/report/?sampling=no&interval=likelihood"
    )
    assert (answer.status_code, "Choose Wilson or Wald intervals" in answer.content.decode()) == (
        422,
        True,
    )
    open_to_all = create_published(survey.owner)
    with pytest.raises(Invalid, match="Only a survey with tickets"):
        report(open_to_all, sampling=False)
    answer = client_of(survey.owner).get(
        f"/api/v1/surveys/{parse_instrument(open_to_all).survey}/report/?sampling=false"
    )
    assert answer.status_code == 422
    page = client_for(survey.owner).get(
        f"/surveys/{parse_instrument(open_to_all).survey}/report/?sampling=no"
    )
    assert "Exactly the respondents" not in page.content.decode()
    assert "people were invited" not in page.content.decode()
    assert Client().get(f"/api/v1/surveys/{survey.slug}/report/").status_code == 401


def test_methods_of_a_filtered_report_say_how_many_were_invited_in_all(survey: Survey) -> None:
    said = str(
        methods(parse_instrument(survey.instrument), report(survey.instrument), "region is North")
    )
    assert "25 people were invited" in said
