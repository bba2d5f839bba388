"""What authors read of the margin of a mean: it holds whatever people answer."""

import html
import math
import re
from fractions import Fraction

import pytest
from django.test import Client

from mechanisms import Window, Written
from surveys.authoring.planning.precision import aims, at_most, shows_no_number, verdict
from surveys.definition.freezing import build_definition
from surveys.models import Survey
from surveys.templatetags.shares import off, wanted_off
from tests.api.test_reading import client_of
from tests.factories.surveys import add_quantity, add_scale, add_yes_no, create_draft

pytestmark = pytest.mark.django_db


def hours(target: int, **more: object) -> Survey:
    """Return a draft with a number from 0 to 30 at epsilon ln 3."""
    survey = create_draft(target=target)
    add_quantity(survey, minimum=0, maximum=30, parameters={"epsilon": "1.0987"}, **more)
    return survey


def text_of(page: bytes) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.decode())).split())


@pytest.mark.parametrize(("values", "odds", "people"), [(31, 3, 484), (31, 9, 184), (5, 3, 418)])
def test_the_grade_changes_at_the_number_of_people_that_is_planned(
    values: int, odds: int, people: int
) -> None:
    window = Window(values, math.log(odds))
    enough, too_few = (verdict("quantity", window, n) for n in (people, people - 1))

    assert (enough.people_for_number, enough.grade, too_few.grade) == (people, "rough", "nothing")
    assert verdict("quantity", window, enough.needed).is_useful
    assert not verdict("quantity", window, enough.needed - 1).is_useful


def test_of_a_question_that_half_are_asked_twice_as_many_people_are_needed() -> None:
    half = verdict("quantity", Window(31, math.log(3)), 968, Fraction(1, 2))

    assert (half.people_for_number, half.asked, half.grade) == (968, 484, "rough")


def test_a_margin_that_no_answers_exceed_is_never_rounded_down() -> None:
    found = verdict("quantity", Window(31, math.log(3)), 1_000, step=1, unit="hours")

    assert 2.06 < found.mean_margin < 2.1
    assert off(found) == "at most ±2.1 hours in the mean"
    assert wanted_off(found) == "at most ±1.5 hours in the mean"


def test_how_many_people_show_a_text_depends_on_the_text() -> None:
    found = verdict("written", Written(2.1973), 1_000)

    assert not found.is_of_mean
    assert found.people_in_words.endswith("people to show a number")


def test_where_people_may_decline_the_number_holds_if_everyone_gives_one() -> None:
    window, apart = Window(31, math.log(3)), Window(31, math.log(3), aside=True)
    plain, declined = (verdict("quantity", each, 1_000) for each in (window, apart))

    assert plain.people_in_words == "about 490 people to show a number, whatever they answer"
    assert declined.people_in_words == (
        "about 640 people to show a number, if everyone gives a number"
    )


def test_the_share_up_to_a_number_and_both_aims_are_planned_at_the_worst_answers() -> None:
    window = Window(11, math.log(3))
    cut = at_most(window, 1_000)
    both = aims("quantity", 11, math.log(3), 1_000)

    assert cut.value == 5
    assert cut.asked > 1.96 * math.sqrt(window.variance([1] * 6 + [0] * 5) / 1_000)
    assert both.mean == verdict("quantity", window, 1_000)


def test_pages_say_that_the_number_holds_whatever_people_answer() -> None:
    survey = hours(400)
    client = Client()
    client.force_login(survey.owner)

    said = text_of(client.get(f"/surveys/{survey.slug}/").content)

    assert "Needs about 490 people to show a number, whatever they answer." in said
    assert "no number" in said
    assert "±3.4" not in said
    assert shows_no_number(build_definition(survey), 400, {})
    assert not shows_no_number(build_definition(survey), 490, {})


def test_the_editor_says_at_most_and_for_which_answers() -> None:
    survey = hours(1_000)
    question = survey.questions.get()
    client = Client()
    client.force_login(survey.owner)

    said = text_of(client.get(f"/surveys/{survey.slug}/questions/{question.key}/").content)

    assert "At most ±2.1 hours with 1,000 responses, whatever they answer." in said
    assert "would have a margin of up to ±" in said


def test_programs_read_the_same_numbers() -> None:
    survey = hours(400)
    add_scale(survey)
    add_yes_no(survey)
    answer = client_of(survey.owner).get(f"/api/v1/surveys/{survey.slug}/protection/").json()
    told = answer["questions"][0]["verdict"]

    assert (told["for_number"], told["grade"], told["state"]) == (484, "nothing", "withheld")
    assert told["sentence"] == "Needs about 490 people to show a number, whatever they answer."
    assert told["printed"]["number"] is None
    assert told["margin"] == pytest.approx(0.11, abs=0.003)
