"""How many people will probably be the only ones with their background answers, on every page that says it."""

from itertools import product

import pytest

from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.uniqueness import Uniqueness, uniqueness_of
from surveys.models import Survey
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey
from tests.factories.ticket_surveys import client_for


def unique(people: int, combinations: int) -> Uniqueness:
    return Uniqueness(
        people=people, combinations=combinations, is_draft=False, is_new_version=False
    )


@pytest.mark.parametrize(
    ("people", "combinations"), [(1, 5), (2, 1), (2, 3), (3, 2), (4, 3), (5, 4), (6, 2)]
)
def test_expected_number_of_unique_people_is_that_of_all_cases(
    people: int, combinations: int
) -> None:
    """Counted over every way in which the people can have the combinations."""
    ways = list(product(range(combinations), repeat=people))
    total = sum(way.count(combination) == 1 for way in ways for combination in way)
    assert unique(people, combinations).expected == pytest.approx(total / len(ways))


def test_sentence_says_none_one_or_how_many() -> None:
    assert unique(2_500, 12).sentence == (
        "Probably none of the 2,500 people will be the only one with their combination of background answers, if "
        "all 12 combinations are equally common."
    )
    assert unique(10, 4).sentence.startswith(
        "About 1 of the 10 people will probably be the only one with their"
    )
    assert unique(30, 248_832).sentence == (
        "About 30 of the 30 people will probably be the only ones with their combination of background answers, if "
        "all 248,832 combinations are equally common. Someone who knows a person’s background answers may recognize "
        "their response."
    )


def draft_with_background(target: int | None) -> Survey:
    survey = create_draft(target=target)
    add_yes_no(survey)
    for number in range(3):
        add_background(survey, f"trait{number}", [f"Answer {place}" for place in range(12)])
    return survey


EXPECTED = "About 94 of the 100 people"
FOLLOWED = "This is a new version, so these people can be followed from version to version."


@pytest.mark.django_db
def test_every_survey_with_a_target_is_told_before_publishing() -> None:
    """On the page that publishes."""
    survey = draft_with_background(target=100)
    client = client_for(survey.owner)
    (point,) = [
        point for point in points(survey, survey_overview(survey)) if "unique" in point.short
    ]
    assert (point.severity, point.short) == ("think", "About 94 unique")
    assert point.sentence.startswith(EXPECTED)
    assert point.sentence.endswith("Ask fewer background questions, or with fewer choices.")
    assert EXPECTED in client.get(f"/surveys/{survey.slug}/publish/").content.decode()


@pytest.mark.django_db
def test_nothing_is_said_without_a_number_of_people_or_a_background_question() -> None:
    assert uniqueness_of(draft_with_background(target=None), [12, 12]) is None
    assert uniqueness_of(create_draft(target=100), []) is None
    assert uniqueness_of(draft_with_background(target=1), [12, 12]) is None


@pytest.mark.django_db
def test_author_of_a_new_version_reads_that_people_can_be_followed() -> None:
    survey = draft_with_background(target=100)
    publish_survey(survey)
    client = client_for(survey.owner)
    client.post(f"/surveys/{survey.slug}/version/")
    version = Survey.objects.get(predecessor=survey)
    assert FOLLOWED in client.get(f"/surveys/{version.slug}/publish/").content.decode()
