"""What a question will show with as many respondents as are wanted, and what helps where that is too little."""

import math
from itertools import pairwise

import pytest
from django.test import Client

from mechanisms import Marks, TwoCoin, UnaryEncoding
from mechanisms.planning import half_width
from mechanisms.planning.channels import Channel
from surveys.authoring.drafts import drafts
from surveys.authoring.planning import remedies
from surveys.authoring.planning.overview import overview
from surveys.authoring.planning.precision import verdict
from surveys.models import Event, Question, Survey
from surveys.site.errors import Invalid, Refused
from tests.api.test_reading import client_of
from tests.making import background, choice, draft, publish, yes_no

pytestmark = pytest.mark.django_db
FIVE = ("Cannabis", "Cocaine", "Ecstasy", "Ritalin", "None of these")


def any_of_five(survey: Survey, epsilon: str = "1.0987") -> Question:
    return choice(survey, "any", kind="any", labels=FIVE, design="unary-any", parameters={"epsilon": epsilon})


def lines(survey: Survey) -> dict:
    return {line.key: line for line in overview(Survey.objects.get(pk=survey.pk)).lines}


@pytest.mark.parametrize(
    ("n", "grade"), [(100_000, "useful"), (1_600, "useful"), (1_400, "rough"), (410, "rough"), (350, "nothing")]
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


def test_a_choose_all_question_of_five_shows_nothing_and_says_what_would() -> None:
    survey = draft(target=5_000)
    any_of_five(survey)
    (line,) = lines(survey).values()
    expected = UnaryEncoding.symmetric(5, 1.0987, select="any", den="survey")
    assert line.verdict.margin == pytest.approx(float(half_width(Channel.of(expected), 5_000)))
    assert line.verdict.shows_nothing
    assert [each.choice for each in line.remedies] == ["pick", "light", "yes-no"]
    pick, light, singly = line.remedies
    assert (pick.questions, light.questions, singly.questions) == (1, 1, 5)
    picking = Marks(5, 1.09, den="survey")
    assert pick.verdict.margin == pytest.approx(float(half_width(Channel.of(picking), 5_000)))
    assert pick.epsilon <= expected.epsilon
    assert pick.verdict.needed < line.verdict.needed / 4
    assert light.verdict.margin < pick.verdict.margin
    assert singly.verdict.is_useful
    assert 4.4 < singly.epsilon <= math.log(99)


def test_no_remedy_costs_more_than_the_budget_leaves() -> None:
    survey = draft(target=500)
    any_of_five(survey)
    yes_no(survey, design="two-coin")
    (singly,) = [each for each in lines(survey)["any"].remedies if each.choice == "yes-no"]
    assert singly.epsilon <= math.log(99) - 1.0986
    yes_no(survey, "much", parameters={"p": "97/100"})
    assert not [each for each in lines(survey)["any"].remedies if each.choice == "light"]


@pytest.mark.parametrize("chosen", ["pick", "light", "yes-no"])
def test_a_remedy_keeps_its_word(chosen: str) -> None:
    survey = draft(target=5_000)
    yes_no(survey, design="warner", parameters={"p": "3/5"})
    question = any_of_five(survey)
    background(survey)
    (offered,) = [each for each in lines(survey)["any"].remedies if each.choice == chosen]
    remedies.mend(survey=survey, question=question, choice=chosen, by=survey.owner)
    found = lines(survey)
    made = [line for key, line in found.items() if key not in ("tax", "region")]
    assert next(iter(found)) == "tax"
    assert list(found)[-1] == "region"
    assert len(made) == offered.questions
    assert sum(line.protection.epsilon for line in made) == pytest.approx(offered.epsilon)
    assert [line.verdict for line in made] == [offered.verdict] * len(made)
    if chosen == "yes-no":
        assert [line.text.partition(" – ")[2] for line in made] == list(FIVE)
    publish(survey)


def test_a_question_too_long_to_be_asked_singly_loses_no_answer() -> None:
    survey = draft(target=5_000)
    question = any_of_five(survey)
    survey.questions.update(text="x" * 490)
    with pytest.raises(Invalid, match="at most 500"):
        remedies.mend(survey=survey, question=survey.questions.get(), choice="yes-no")
    assert survey.questions.get() == question


def test_asking_singly_is_told_once_for_each_question() -> None:
    survey = draft(target=5_000)
    remedies.mend(survey=survey, question=any_of_five(survey), choice="yes-no")
    details = list(Event.objects.order_by("pk").values_list("detail", flat=True))
    assert [detail.rpartition(" ")[2] for detail in details] == ["added"] * 5 + ["deleted"]


def test_what_no_remedy_offers_is_refused() -> None:
    survey = draft()
    plain, sensitive = background(survey), yes_no(survey)
    for question, asked in [(plain, "light"), (sensitive, "yes-no"), (sensitive, "stronger"), (plain, "")]:
        with pytest.raises(Invalid):
            remedies.mend(survey=survey, question=question, choice=asked)
    assert not Event.objects.exists()


def balanced(survey: Survey, number: int) -> float | None:
    new = drafts.save_question(survey=survey, text=f"Question {number}?", kind="yes-no", design="balanced")
    return remedies.share_if_alike(survey=survey, new=new, by=survey.owner)


def test_defaults_alone_never_go_over_the_budget() -> None:
    """Four at two coins fit a budget of 5; from the fifth on all cost the same and less.

    Together they stay at what a guess is right 99 times in 100, ln 99, above which publishing asks for confirmation.
    """
    survey = draft()
    shared = [balanced(survey, number) for number in range(12)]
    assert shared[:4] == [None] * 4
    assert shared[4] == pytest.approx(0.91)
    assert all(later < earlier for earlier, later in pairwise(shared[4:]))
    spent = [line.protection.epsilon for line in lines(survey).values()]
    assert 4.4 < sum(spent) <= math.log(99)
    publish(survey)


def test_the_newest_question_may_stand_anywhere() -> None:
    """As the copy of another does: after that one, before the rest."""
    survey = draft()
    for key in ("a", "b", "c", "d"):
        drafts.save_question(
            survey=survey, text="?", key=key, kind="yes-no", design="automatic", parameters={"epsilon": "1.05"}
        )
    new = drafts.save_question(survey=survey, text="?", key="fresh", kind="yes-no", design="balanced", after="a")
    assert remedies.share_if_alike(survey=survey, new=new) == pytest.approx(0.91)


def test_whoever_chose_different_protections_is_not_overruled() -> None:
    survey = draft()
    yes_no(survey, "a", parameters={"p": "2/3"})
    yes_no(survey, "b", parameters={"p": "9/10"})
    assert balanced(survey, 1) is None
    assert overview(survey).epsilon > 3


def test_sharing_equally_leaves_what_people_draw_themselves() -> None:
    survey = draft()
    yes_no(survey, "drawn", mode="spinner", parameters={"p": "3/4"})
    yes_no(survey, "a", parameters={"p": "9/10"})
    any_of_five(survey, "3")
    assert remedies.share_equally(survey=survey, by=survey.owner) == pytest.approx(1.0987)
    found = lines(survey)
    assert found["drawn"].protection.epsilon == pytest.approx(1.0986, abs=1e-4)
    assert sum(line.protection.epsilon for line in found.values()) <= math.log(99)
    assert Event.objects.get().detail == "budget shared equally: epsilon 1.10 each"


def test_a_budget_that_leaves_nothing_is_not_shared() -> None:
    survey = draft()
    yes_no(survey, "drawn", mode="spinner", parameters={"p": "99/100"})
    yes_no(survey, "a", parameters={"p": "9/10"})
    with pytest.raises(Refused):
        remedies.share_equally(survey=survey)


def test_programs_read_the_same_verdicts() -> None:
    survey = draft(target=5_000)
    any_of_five(survey)
    said = client_of(survey.owner).get(f"/api/v1/surveys/{survey.slug}/budget/").json()["questions"][0]
    (line,) = lines(survey).values()
    assert said["verdict"] == {
        "n": 5_000,
        "margin": line.verdict.margin,
        "grade": "nothing",
        "needed": line.verdict.needed,
        "asked": 5_000,
    }
    assert [each["choice"] for each in said["remedies"]] == ["pick", "light", "yes-no"]


def test_a_published_survey_has_verdicts_but_nothing_to_mend(client: Client) -> None:
    survey = draft(target=100)
    yes_no(survey)
    publish(survey)
    (line,) = lines(survey).values()
    assert line.verdict.shows_nothing
    assert line.remedies == ()
