"""How numbers are written in sentences."""

import pytest

from surveys.definition.question_subset import subset_problem
from surveys.results.analysis.refusals import TooFew, enough_for_a_model, require_enough
from surveys.site.number_format import (
    count_of,
    format_p_value,
    format_upper_bound,
    round_up_to_two_digits,
)


def test_a_count_has_the_words_for_one_thing_or_for_several() -> None:
    assert count_of(1, "person is", "people are") == "1 person is"
    assert count_of(0, "person is", "people are") == "0 people are"
    assert count_of(32_561, "person is", "people are") == "32,561 people are"


def test_refusals_count_one_person_in_the_singular() -> None:
    with pytest.raises(TooFew, match=r"^1 person has answered these questions"):
        require_enough(1)
    with pytest.raises(
        TooFew,
        match=r"^1 person has answered all of these questions\. 1 more has no answer to one of",
    ):
        enough_for_a_model(1, 1)


def test_of_two_questions_each_person_can_get_one() -> None:
    assert subset_problem(2, 2) == "Each person can get 1 of these 2 questions, not 2."
    assert subset_problem(3, 3) == "Each person can get 1 to 2 of these 3 questions, not 3."


@pytest.mark.parametrize(
    ("p_value", "text"),
    [(0.0432, "p = 0.043"), (0.5, "p = 0.5"), (0.000043, "p = 0.000043"), (9e-7, "p < 0.000001")],
)
def test_p_value_is_written_without_an_exponent(p_value: float, text: str) -> None:
    assert format_p_value(p_value).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.41, "1.5"),
        (1.4, "1.4"),
        (0.031, "0.031"),
        (0.0311, "0.032"),
        (9.95, "10"),
        (123.0, "130"),
    ],
)
def test_an_upper_bound_of_two_digits_is_never_rounded_down(value: float, text: str) -> None:
    assert format_upper_bound(value) == text


@pytest.mark.parametrize(("number", "rounded"), [(7, 7), (99, 99), (484, 490), (8_341, 8_400)])
def test_a_number_of_people_is_rounded_up_to_two_digits(number: int, rounded: int) -> None:
    assert round_up_to_two_digits(number) == rounded
