"""Which part of the people is expected on the path of a question, and what planning makes of it."""

from fractions import Fraction

import pytest

from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.planning.expected import expected_shares_draft, expected_shares_published
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.parsing import parse_instrument
from surveys.definition.routing.filters import build_branching
from surveys.models import Survey
from surveys.site.errors import Invalid
from tests.factories.surveys import add_yes_no, create_draft, publish_survey

pytestmark = pytest.mark.django_db
THIRD = {"of": "year", "in": ["Third"]}
YOUNG = {"of": "age", "from": 18, "to": 37}


@pytest.fixture
def survey() -> Survey:
    survey = create_draft(target=3_000, protection="balanced")
    save_question(
        survey=survey,
        key="year",
        text="Year?",
        kind="background",
        choices=["First", "Second", "Third"],
    )
    save_question(
        survey=survey,
        key="age",
        text="Age?",
        kind="number",
        minimum="18",
        maximum="97",
        decline=True,
    )
    save_question(
        survey=survey,
        key="work",
        text="?",
        kind="background",
        choices=["Yes", "No"],
        when=THIRD,
        decline=False,
    )
    return survey


@pytest.mark.parametrize(
    ("when", "part"),
    [
        (THIRD, Fraction(1, 3)),  # “Prefer not to say” is no answer of the author's
        (YOUNG, Fraction(20, 80)),
        ({"all": [THIRD, YOUNG]}, Fraction(1, 12)),
        ({"any": [THIRD, YOUNG]}, 1 - Fraction(2, 3) * Fraction(3, 4)),
        ({"of": "work", "in": ["Yes"]}, Fraction(1, 6)),  # of those who were asked it
    ],
)
def test_where_nothing_is_said_answers_are_equally_frequent(
    survey: Survey, when: dict, part: Fraction
) -> None:
    add_yes_no(survey, "tax", design="", when=when)
    assert expected_shares_draft(build_branching(list(survey.questions.all())))["tax"] == part
    assert (
        expected_shares_published(parse_instrument(publish_survey(survey)), survey)["tax"] == part
    )


def test_the_author_says_how_many_and_planning_follows(survey: Survey) -> None:
    """A third of 3,000 where nothing is said, half of them where the author expects that."""
    add_yes_no(survey, "tax", design="", when=THIRD)
    now = survey_overview(Survey.objects.get()).lines[-1].verdict
    assert (now.n, now.asked) == (3_000, 1_000)
    question = survey.questions.get(key="tax")
    whole = {"kind": "yes-no", "text": "Tax?", "key": "tax", "when": THIRD}
    save_question(survey=survey, question=question, expected_asked="50%", **whole)
    now = survey_overview(Survey.objects.get()).lines[-1].verdict
    assert now.asked == 1_500
    assert now.needed == 2 * yes_no_needed()
    published = publish_survey(survey).survey
    assert survey_overview(published).lines[-1].verdict == now


def yes_no_needed() -> int:
    """People for five points, where all are asked."""
    survey = create_draft(target=3_000, protection="balanced")
    add_yes_no(survey, design="")
    return survey_overview(survey).lines[0].verdict.needed


@pytest.mark.parametrize("typed", ["0", "101", "-3", "many", "1.5"])
def test_a_number_that_is_none_is_told_at_its_field(survey: Survey, typed: str) -> None:
    with pytest.raises(Invalid) as wrong:
        save_question(survey=survey, text="Tax?", kind="yes-no", expected_asked=typed)
    assert [*wrong.value.errors] == ["expected_asked"]
