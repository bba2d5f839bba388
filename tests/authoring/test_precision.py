"""What a question will show with as many respondents as are wanted, and what helps where that is too little."""

import math

import pytest
from django.test import Client

from mechanisms import TwoCoin
from surveys.authoring.drafts import drafts
from surveys.authoring.planning import remedies
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.precision import verdict
from surveys.models import Question, Survey
from surveys.site.errors import Invalid
from tests.api.test_reading import client_of
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = pytest.mark.django_db
FIVE = ("Cannabis", "Cocaine", "Ecstasy", "Ritalin", "None of these")


def any_of_five(survey: Survey, epsilon: str = "1.0987") -> Question:
    return add_choice(
        survey, "any", kind="any", labels=FIVE, design="unary-any", parameters={"epsilon": epsilon}
    )


def lines(survey: Survey) -> dict:
    return {line.key: line for line in survey_overview(Survey.objects.get(pk=survey.pk)).lines}


@pytest.mark.parametrize(
    ("n", "grade"),
    [(100_000, "useful"), (1_600, "useful"), (1_400, "rough"), (410, "rough"), (350, "nothing")],
)
def test_grades_of_two_coins(n: int, grade: str) -> None:
    """Two coins double the margin of asking directly: 0.98 / sqrt(n) becomes 1.96 / sqrt(n)."""
    found = verdict("yes-no", TwoCoin(), n)
    assert found.margin == pytest.approx(1.96 / n**0.5, rel=0.01)
    assert found.grade == grade
    assert found.needed == pytest.approx((1.96 / 0.05) ** 2, abs=8)
    assert verdict("yes-no", TwoCoin(), found.needed).grade == "useful"
    assert verdict("yes-no", TwoCoin(), found.needed - 1).grade == "rough"


def test_background_answers_have_the_margin_of_asking_directly_and_numbers_none() -> None:
    assert verdict("background", None, 1_000).margin == pytest.approx(0.98 / 1_000**0.5, rel=0.01)
    assert verdict("number", None, 1_000) is None


def test_an_uncertain_question_says_what_would_show_more_with_its_result() -> None:
    survey = create_draft(target=1_000, protection="balanced")
    asked = [add_choice(survey, "any", kind="any", labels=FIVE, design="", parameters={})]
    asked += [add_yes_no(survey, f"q{number}", design="") for number in range(3)]
    (fewer, people, light) = lines(survey)["any"].remedies
    assert [each.choice for each in (fewer, people, light)] == ["fewer", "people", "light"]
    now = lines(survey)["any"].verdict
    assert (fewer.number, people.number, now.asked) == (3, now.needed, 500)
    assert fewer.verdict.margin == pytest.approx(now.margin * math.sqrt(3 / 4), rel=1e-2)
    assert people.verdict.is_useful
    drafts.update_settings(survey, {"protection": "light"})
    assert lines(survey)["any"].verdict == light.verdict
    drafts.update_settings(survey, {"protection": "balanced"})
    drafts.delete_question(survey=survey, question=asked[-1])
    assert lines(survey)["any"].verdict == fewer.verdict


def test_four_questions_offer_three() -> None:
    """The published example: at two coins and 1,000 people the margin of one of four falls from 8.7 to 7.6 and 7.3."""
    survey = create_draft(target=1_000, protection="balanced")
    for number in range(4):
        add_yes_no(survey, f"q{number}", design="")
    line = lines(survey)["q0"]
    told = [(each.choice, each.number, each.verdict.number) for each in line.remedies]
    assert (line.verdict.number, told) == (
        "±8.7",
        [("fewer", 3, "±7.6"), ("people", 3_066, "±5.0"), ("light", 0, "±7.3")],
    )


def test_any_of_many_becomes_rows_which_all_others_pay_for() -> None:
    """Any of 12 among 10 questions: 43 points become 20, and so do the 14 of the yes/no questions."""
    survey = create_draft(target=1_000, protection="light")
    question = add_choice(
        survey,
        "any",
        kind="any",
        labels=[f"Choice {n}" for n in range(12)],
        design="",
        parameters={},
    )
    for number in range(9):
        add_yes_no(survey, f"q{number}", design="")
    add_background(survey)
    rows = lines(survey)["any"].remedies[-1]
    assert (rows.choice, rows.number) == ("rows", 12)
    remedies.ask_as_rows(survey=survey, question=question, by=survey.owner)
    found = lines(survey)
    assert [line.text for line in found.values()][:12] == [f"Choice {n}" for n in range(12)]
    assert {line.grid for line in [*found.values()][:12]} == {question.text}
    assert {line.verdict for line in [*found.values()][:21]} == {rows.verdict}
    assert [*found][-1] == "region"
    publish_survey(survey)


@pytest.mark.parametrize(
    ("own", "more"),
    [
        ({"protection": "balanced"}, {}),  # nobody said how many people are expected
        ({"target": 100_000, "protection": "balanced"}, {}),  # enough
        ({"target": 500}, {"parameters": {"p": "3/4"}, "design": "warner"}),  # set by itself
    ],
)
def test_nothing_is_offered_where_nothing_is_missing_or_the_author_sets_it(
    own: dict, more: dict
) -> None:
    survey = create_draft(**own)
    for number in range(3):
        add_yes_no(survey, f"q{number}", **{"design": ""} | more)
    assert all(line.remedies == () for line in lines(survey).values())


def test_a_method_of_its_own_is_not_changed_by_a_level() -> None:
    survey = create_draft(target=500, protection="balanced")
    add_yes_no(survey, design="warner", parameters={"p": "3/5"})
    assert [each.choice for each in lines(survey)["tax"].remedies] == ["people"]


@pytest.mark.parametrize("level", ["balanced", ""])
def test_only_a_choose_all_question_under_a_level_becomes_rows(level: str) -> None:
    survey = create_draft(protection=level)
    question = add_yes_no(survey) if level else any_of_five(survey)
    with pytest.raises(Invalid):
        remedies.ask_as_rows(survey=survey, question=question)
    assert survey.questions.get() == question


def test_programs_read_the_same_verdicts() -> None:
    survey = create_draft(target=5_000)
    any_of_five(survey)
    said = (
        client_of(survey.owner)
        .get(f"/api/v1/surveys/{survey.slug}/protection/")
        .json()["questions"][0]
    )
    (line,) = lines(survey).values()
    assert said["verdict"] == {
        "n": 5_000,
        "margin": line.verdict.margin,
        "grade": "nothing",
        "needed": line.verdict.needed,
        "asked": 5_000,
        "for_number": line.verdict.people_for_number,
        "sentence": line.verdict.sentence,
        "state": "withheld",
        "method": "wilson",
        "family": {"size": 1, "confidence": 0.95},
        "printed": {"number": None, "low": -13.0, "high": 13.0, "decimals": 0, "unit": "points"},
    }
    assert said["remedies"] == []


def test_a_published_survey_has_verdicts_but_nothing_to_mend(client: Client) -> None:
    survey = create_draft(target=100)
    add_yes_no(survey)
    publish_survey(survey)
    (line,) = lines(survey).values()
    assert line.verdict.is_withheld
    assert line.remedies == ()
