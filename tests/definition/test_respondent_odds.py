"""The numbers that respondents read, and the sentences around them."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    Matrix,
    Mechanism,
    TwoCoin,
    UnaryEncoding,
    Warner,
    Window,
    from_spec,
)
from surveys.definition.designs.construction import build
from surveys.definition.designs.levels import EPSILONS, recommend_design
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.kinds import KINDS
from surveys.definition.odds import as_people, odds
from surveys.models import Question, Survey

F = Fraction
SENTENCE = (
    "If you choose Yes, Yes is sent 75 times in 100. If you choose No, Yes is sent 25 times in 100."
)


def item(
    mechanism: Mechanism | None, kind: str = Question.Kind.CHOICE, *choices: str
) -> QuestionDefinition:
    labels = choices or tuple(f"Answer {number}" for number in range(mechanism.size))
    return QuestionDefinition("key", kind, "Text?", "", labels, mechanism)


def scrambled(question: QuestionDefinition) -> str:
    context = {"item": question, "odds": odds(question, 1 if question.kind == "yes-no" else 0)}
    text = render_to_string("respondent/parts/scrambled.html", context)
    return " ".join(re.sub(r"</?(bdi|b)>", "", text).split())


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ((F(3, 4), F(1, 4)), (100, (75, 25), False)),
        ((F(5, 6), F(1, 6)), (6, (5, 1), False)),
        ((F(1, 3), F(1, 2)), (6, (2, 3), False)),
        ((F(475, 1000), F(175, 1000)), (1000, (475, 175), False)),
        ((F(8808, 10000), F(1192, 10000)), (100, (88, 12), True)),
        ((F(5547, 10000), F(4453, 10000)), (100, (55, 45), True)),
        ((F(5021, 10000), F(4979, 10000)), (1_000, (502, 498), True)),
        ((F(9999, 10000), F(1, 10000)), (10_000, (9999, 1), False)),
        ((F(17, 23), F(1, 23)), (100, (74, 4), True)),
        ((F(3, 2**32), F(1, 2)), (1_000_000, (0, 500_000), True)),
        ((F(1, 7000), F(1, 2)), (10_000, (1, 5000), True)),
    ],
)
def test_chances_become_people(chances: tuple[F, ...], expected: tuple) -> None:
    """Exactly up to 1,000 people, else rounded, and then without a 0 where there is a chance, or two chances as one."""
    assert as_people(*chances) == expected


def test_the_page_works_out_the_same_numbers() -> None:
    """tests/javascript/respond.test.mjs has the same list: the page compares what it shows with what it finds."""
    for case in json.loads((Path(__file__).parents[1] / "vectors" / "odds.json").read_text()):
        shape, chosen, other = from_spec(case["spec"]).contrast(case["first"])
        of, counts, _ = as_people(chosen, other)
        assert [shape, of, *counts] == [case["shape"], *case["stated"]], case["spec"]


@pytest.mark.parametrize("language", Survey.Language.values)
def test_in_every_language_whoever_chooses_comes_first_and_in_bold(language: str) -> None:
    """The order in which static/respondent/odds.js reads them."""
    for mechanism, kind in (
        (TwoCoin(), "yes-no"),
        (DirectEncoding(4, 1), "choice"),
        (Window(11, 1), "quantity"),
    ):
        question = item(
            mechanism,
            kind,
            *(["No", "Yes"] if kind == "yes-no" else [f"{one}." for one in "abcdefghijk"]),
        )
        shown = odds(question, 1 if kind == "yes-no" else 0)
        with override(language):
            text = render_to_string(
                "respondent/parts/scrambled.html", {"item": question, "odds": shown}
            )
        said = [shown.recorded_if_chosen]
        if shown.shape != "direct":
            said.append(shown.recorded_if_other)
        assert [int(re.sub(r"\D", "", one)) for one in re.findall("<b>(.*?)</b>", text)] == said


@pytest.mark.parametrize(
    ("mechanism", "sentence"),
    [
        (Warner("3/4"), SENTENCE),
        (TwoCoin(), SENTENCE),
        (
            ForcedResponse("1/2", "1/3", "1/6"),
            "If you choose Yes, Yes is sent 5 times in 6. If you choose No, Yes is sent 2 times in 6.",
        ),
    ],
)
def test_the_sentence_of_a_yes_no_question(mechanism: Mechanism, sentence: str) -> None:
    assert scrambled(item(mechanism, Question.Kind.YES_NO, "No", "Yes")) == sentence


def test_the_sentence_of_a_direct_question() -> None:
    assert scrambled(item(DirectEncoding(4, 1.0, den="survey"))) == (
        "Your answer is sent 475 times in 1,000, otherwise one of the others."
    )


def test_the_sentence_of_a_unary_question() -> None:
    assert scrambled(item(UnaryEncoding(14, "3/4", "1/4"))) == (
        "A ticked box is sent as ticked 75 times in 100, an unticked one 25 times."
    )


@pytest.mark.parametrize("size", [2, 3, 5, 8, 20, 100])
@pytest.mark.parametrize(("level", "epsilon"), [*EPSILONS.items(), ("most", "4.59")])
@pytest.mark.parametrize("kind", ["choice", "any"])
def test_no_sentence_says_all_or_none_of_the_people(
    kind: str, level: str, epsilon: str, size: int
) -> None:
    found = recommend_design(size, epsilon, KINDS[kind].select)
    said = odds(item(build(found.design, size, found.parameters, KINDS[kind].select), kind))
    assert 0 < said.recorded_if_other < said.recorded_if_chosen < said.total
    assert said.total <= 1_000


def test_rounded_numbers_are_called_about() -> None:
    said = scrambled(item(Warner("17/23"), Question.Kind.YES_NO, "No", "Yes"))
    assert said == (
        "If you choose Yes, Yes is sent about 74 times in 100. If you choose No, Yes is sent about 26 times in 100."
    )


def test_a_matrix_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="no words"):
        odds(item(Matrix([[6, 2, 2], [1, 8, 1], [2, 2, 6]], 10)))
