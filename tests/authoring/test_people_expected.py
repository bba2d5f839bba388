"""Margins and checks of a draft use the smaller of the target and the number of people invited."""

import pytest
from django.test import Client

from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.levels import prices
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.precision import ASSUMED, target_or_default
from surveys.fieldwork.tickets import invitees
from surveys.models import Survey
from tests.factories.surveys import add_yes_no, create_draft
from tests.factories.ticket_surveys import make_invitee_rows

pytestmark = pytest.mark.django_db


def invited(people: int, **settings: object) -> Survey:
    survey = create_draft(
        tickets="two", protection="balanced", contact="ada@example.org", **settings
    )
    add_yes_no(survey, design="", parameters={})
    if people:
        invitees.invite(survey, make_invitee_rows(people))
    return Survey.objects.get(pk=survey.pk)


@pytest.mark.parametrize(
    ("people", "target", "expected"),
    [(30, 2500, 30), (30, 20, 20), (30, None, 30), (0, 2500, 2500), (0, None, None)],
)
def test_the_people_expected_are_the_smaller_number(
    people: int, target: int | None, expected: int | None
) -> None:
    survey = invited(people, target=target)
    assert survey.expected_people == expected
    assert target_or_default(survey) == (expected or ASSUMED)


def test_a_survey_for_everyone_with_the_link_expects_its_target() -> None:
    survey = invited(30, target=2500)
    survey.tickets = ""
    assert survey.expected_people == 2500


def test_thirty_invited_people_give_no_number_whatever_the_target_says() -> None:
    survey = invited(30, target=2500)
    (line,) = survey_overview(survey).lines
    assert line.verdict.n == 30
    assert line.verdict.is_withheld
    said = [point.sentence for point in points(survey, survey_overview(survey))]
    assert "With 30 people, probably no sensitive question will have a number." in said
    assert "With 30 people, one question will probably have no number." in said
    assert not any("2,500" in sentence for sentence in said)
    assert all(price.lacks_people for price in prices(survey, survey_overview(survey).questions))


def test_the_pages_of_a_draft_use_the_number_of_people_invited(client: Client) -> None:
    survey = invited(30, target=2500)
    client.force_login(survey.owner)
    for page in ("", "publish/"):
        text = client.get(f"/surveys/{survey.slug}/{page}").content.decode()
        assert "30 responses" in text
        assert "2,500 responses" not in text
