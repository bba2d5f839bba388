"""The dial of protection: what it makes of each kind of question, what that comes to, and what is said of it.

protection_values.json has values that were computed apart from this program.
"""

import json
import math
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from mechanisms import Mechanism
from surveys.authoring.planning.precision import verdict
from surveys.definition import protection, protection_wording
from surveys.definition.designs.construction import build
from surveys.definition.instrument import QuestionDefinition, total_loss
from surveys.definition.kinds import KINDS
from surveys.definition.protection import (
    LEVELS,
    Losses,
    automatic_subset,
    combine_versions,
    derive_method,
    guess_rate_of_pair,
    validate_protection,
)
from surveys.definition.response_format import QuestionSubset
from surveys.definition.routing.conditions import Among
from surveys.models import Question
from surveys.site.errors import Invalid

VALUES: dict[str, Any] = json.loads(Path(__file__).with_name("protection_values.json").read_text())
KINDS_THERE = {
    name: (each["kind"], each["answers"], each["aim"]) for name, each in VALUES["kinds"].items()
}
CASES = [(name, level) for name in KINDS_THERE for level in LEVELS]


def mechanism(name: str, level: str) -> Mechanism:
    kind, size, aim = KINDS_THERE[name]
    return build(*_placed(derive_method(level, size, kind, aim=aim), size), KINDS[kind].select)


def frozen_item(key: str, design: Mechanism, mode: str = "automatic") -> QuestionDefinition:
    kind = "yes-no" if design.name in ("two-coin", "warner") else "choice"
    return QuestionDefinition(key, kind, f"About {key}?", "", ("No", "Yes"), design, mode)


def _placed(method: protection.Method, size: int) -> tuple[str, int, dict[str, str]]:
    return method[0], size, method[1]


@pytest.mark.parametrize(("name", "level"), CASES)
def test_every_kind_gets_the_reference_design_at_every_level(name: str, level: str) -> None:
    stored, (kind, size, aim) = VALUES["kinds"][name]["levels"][level], KINDS_THERE[name]
    assert derive_method(level, size, kind, aim=aim) == (stored["design"], stored["parameters"])
    made = mechanism(name, level)
    assert made.epsilon == pytest.approx(stored["epsilon"], abs=1e-12)
    assert made.epsilon <= math.nextafter(LEVELS[level].epsilon, math.inf)
    shows = verdict(kind, made, 1_000)
    assert (shows.least is None) == (stored["least_share"] is None)
    if (
        shows.candidates or shows.least
    ):  # exact where the values stored are an approximation that promises too much
        least = shows.margin if shows.candidates else shows.least
        assert 1 <= least / (stored["least_share"] or stored["margin_all_asked_n1000"]) < 1.07
        assert shows.people_for_number == pytest.approx(stored["asked_for_number"], rel=0.07)
    else:
        assert shows.margin == pytest.approx(stored["margin_all_asked_n1000"], abs=1e-5)
        assert shows.people_for_number == stored["asked_for_number"]


@pytest.mark.parametrize("name", VALUES["surveys"])
def test_of_more_than_two_questions_each_person_gets_two(name: str) -> None:
    """The two numbers, what each question shows, and how many people a number takes."""
    stored = VALUES["surveys"][name]
    questions = [
        Question(key=f"q{number}", kind=KINDS_THERE[each][0])
        for number, each in enumerate(stored["questions"])
    ]
    draw = automatic_subset(questions)
    assert (draw.count if draw else len(questions)) == stored["asked"]
    part = draw.share_asked if draw else Fraction(1)
    for level, of in stored["levels"].items():
        for each in dict.fromkeys(stored["questions"]):
            made = mechanism(each, level)
            for n, margin in of["margins"][each].items():
                shows = verdict(KINDS_THERE[each][0], made, int(n), part)
                is_exact = shows.least or shows.candidates
                there = min(margin, 1.0) if is_exact else margin  # no share is above 1
                least, most = (0.999, 1.2) if is_exact else (1 - 2e-3, 1 + 2e-3)
                assert least <= (shows.least or shows.margin) / there <= most, (each, n)
            assert shows.people_for_number == pytest.approx(
                of["people_for_number"][each], rel=0.07 if is_exact else 1e-12
            )
        items = [
            frozen_item(f"q{number}", mechanism(each, level))
            for number, each in enumerate(stored["questions"])
        ]
        loss = protection.summarize_losses(
            [(item.key, item.epsilon) for item in items], of["together_epsilon"]
        )
        assert loss.max_guess_rates == (of["one_times"], of["together_times"])
        assert loss.grade_colour == ("calm" if level != "light" or len(items) == 1 else "amber")


@pytest.mark.parametrize("level", LEVELS)
def test_the_numbers_of_a_level(level: str) -> None:
    stored, one = VALUES["levels"][level], LEVELS[level].epsilon
    assert one == stored["epsilon"]
    assert Losses(one, 2 * one).max_guess_rates == (stored["one_times"], stored["together_times"])
    assert {
        f"{each:g}": guess_rate_of_pair(one, each) for each in protection_wording.CORRELATIONS
    } == stored["correlation_times"]
    twice = combine_versions([Losses(one, 2 * one)] * 2)
    assert {"one": twice.one, "together": twice.all} == stored["two_versions_times"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_yes_is_sent_as_yes_exactly_so_often(level: str) -> None:
    """Also with a spinner, and by hand, where a die, two coins and ten slips draw it."""
    kept = Fraction(VALUES["levels"][level]["yes_sent_as_yes"])
    for mode in Question.Mode.values:
        key, numbers = derive_method(level, 2, "yes-no", mode=mode)
        assert build(key, 2, numbers).probabilities()[1][1] == kept, mode
    by_hand = VALUES["levels"][level]["by_hand"]
    key, numbers = derive_method(level, 2, "yes-no", mode="by-hand")
    assert key == by_hand["design"]
    assert numbers in ({}, {name: by_hand[name] for name in ("truth", "yes", "no")})


def test_a_number_is_half_for_each_answer_and_none_is_for_a_hand() -> None:
    times = [Losses(e / 2, e).max_guess_rates for e in (1, 2, 3, 4)]
    assert times == [(63, 74), (74, 89), (82, 96), (89, 99)]
    assert derive_method("2", 4, "choice") == ("direct", {"epsilon": "1.0"})
    key, numbers = derive_method("2", 2, "yes-no", mode="spinner")
    assert (key, build(key, 2, numbers).epsilon <= 1) == ("warner", True)
    with pytest.raises(Invalid, match="Questions answered by hand need Strong, Balanced or Light"):
        derive_method("2", 2, "yes-no", mode="by-hand")


def test_what_may_be_chosen() -> None:
    assert [validate_protection(each) for each in ("strong", None, "", "2.50", "0.2", "4.59")] == [
        "strong",
        "",
        "",
        "2.5",
        "0.2",
        "4.59",
    ]
    for wrong in ("weak", "0.19", "4.6", "nan", "inf", "-1", 2.5, True, [], "1e-1000000000"):
        with pytest.raises(ValueError, match="Choose strong, balanced or light"):
            validate_protection(wrong)


def question(key: str, kind: str = "yes-no", **more: Any) -> Question:
    return Question(key=key, kind=kind, text=f"About {key}?", **more)


def test_one_question_may_be_asked_of_everyone() -> None:
    """Then the selection is one of the others; those with a method of their own and on paths are in it."""
    asked = [
        question("a", design="unary"),
        question("b", when={}),
        question("c"),
        question("d", mode="spinner"),
    ]
    assert automatic_subset([*asked, question("sex", "background")]) == QuestionSubset(
        2, ("a", "b", "c", "d")
    )
    asked[2].everyone = True
    assert automatic_subset(asked) == QuestionSubset(1, ("a", "b", "d"))
    assert automatic_subset(asked[1:3]) is None
    said = protection.everyone_problem(asked[0], asked[1:], has_condition=False)
    assert said == "Only one question can be asked of everyone; “About c?” already is."
    assert protection.everyone_problem(asked[2], asked[:2], has_condition=True).startswith(
        "Only a question without"
    )
    assert protection.everyone_problem(asked[2], asked[:2], has_condition=False) == ""


@pytest.mark.parametrize(
    ("one", "together", "colour"),
    [
        (math.log(3), 2 * math.log(3), "calm"),
        (math.log(4), math.log(4), "calm"),
        (math.log(4) + 1e-6, math.log(4) + 1e-6, "amber"),
        (math.log(9), math.log(9), "amber"),
        (1, math.log(19), "amber"),
        (1, math.log(9) + 1e-6, "amber"),
        (1, math.log(19) + 1e-6, "red"),
        (math.log(9) + 1e-6, math.log(9) + 1e-6, "red"),
        (math.log(3), 3 * math.log(3), "red"),
    ],
)
def test_one_rule_for_the_colour(one: float, together: float, colour: str) -> None:
    assert Losses(one, together).grade_colour == colour


BALANCED = Losses(math.log(3), 2 * math.log(3))
ALONE = Losses(math.log(3), math.log(3))
FIRST = "By pure chance, a guess between two answers is right 50 times in 100."


def test_respondents_read_both_numbers_and_what_they_amount_to() -> None:
    guesses = protection_wording.guess_rates_for_respondents
    assert guesses(BALANCED) == (
        f"{FIRST} With one of your scrambled answers: at most 75. With all of them: at most 90. "
        "That is a hint, not a certainty."
    )
    assert guesses(ALONE) == f"{FIRST} With your scrambled answer: at most 75. That is a weak hint."
    strong = guesses(Losses(5, 10), stressed="<b>{}</b>".format)
    assert strong.endswith("With all of them: <b>more than 99</b>. That is strong evidence.")
    with override("de"):
        assert "Mit Ihrer durch Zufall veränderten Antwort: höchstens 75." in guesses(ALONE)


def test_respondents_read_who_scrambles_and_what_arrives() -> None:
    coins, other = (
        frozen_item("a", mechanism("yes/no", "balanced")),
        frozen_item("b", mechanism("one of 4", "strong")),
    )
    by_hand = frozen_item("c", mechanism("yes/no", "balanced"), mode="by-hand")
    device = "Your device scrambles each sensitive answer before sending it: it mixes in chance."
    assert (
        protection_wording.scrambling_text([coins, other])
        == f"{device} A Yes that arrives may be yours, or may be chance."
    )
    assert (
        protection_wording.scrambling_text([other])
        == f"{device} What arrives may be your answer, or may be chance."
    )
    assert protection_wording.scrambling_text([by_hand]).startswith(
        "Each sensitive answer is scrambled by chance before"
    )


def test_respondents_and_authors_read_who_gets_what() -> None:
    items = [frozen_item(f"q{number}", mechanism("yes/no", "balanced")) for number in range(6)]
    keys, texts = [item.key for item in items], [(item.key, item.text) for item in items]
    every, others = QuestionSubset(2, tuple(keys)), QuestionSubset(1, tuple(keys[1:]))
    picked, who_gets = protection_wording.subset_text, protection_wording.who_gets
    assert (
        picked(every, items)
        == "You get 2 of the 6 sensitive questions. Your device picks them at random."
    )
    assert picked(QuestionSubset(1, every.of), items).endswith("Your device picks it at random.")
    assert picked(others, items) == (
        "Everyone gets one of the sensitive questions. Your device picks 1 of the other 5 at random."
    )
    assert (
        who_gets(every, texts)
        == "Each person gets 2 of the 6 sensitive questions, picked by their device."
    )
    assert who_gets(every, texts, ["q3"]).startswith("Each person gets at most 2 of the 6")
    assert who_gets(others, texts) == (
        "Each person gets “About q0?” and 1 of the other 5 sensitive questions, picked by their device."
    )


def test_questions_outside_the_subset_are_counted_with_those_that_a_person_gets() -> None:
    items = [frozen_item(f"q{number}", mechanism("yes/no", "balanced")) for number in range(5)]
    texts = [(item.key, item.text) for item in items]
    draw = QuestionSubset(count=1, of=("q2", "q3", "q4"))

    expected = {
        "en": "Everyone gets 2 of the sensitive questions. Your device picks 1 of the other 3 at random.",
        "de": "2 der heiklen Fragen bekommen alle. Von den anderen 3 wählt Ihr Gerät zufällig 1 aus.",
    }
    for language, sentence in expected.items():
        with override(language):
            assert protection_wording.subset_text(draw, items) == sentence
    assert protection_wording.who_gets(draw, texts) == (
        "Each person gets 2 of the 5 sensitive questions, and 1 of the other 3, picked by their device."
    )


def test_question_with_a_condition_outside_the_subset_is_not_said_to_come_to_everyone() -> None:
    items = [frozen_item(f"q{number}", mechanism("yes/no", "balanced")) for number in range(3)]
    items[0] = replace(items[0], when=Among(of="region", answers=(1,)))
    texts = [(item.key, item.text) for item in items]
    draw = QuestionSubset(count=1, of=("q1", "q2"))

    respondents_sentence = protection_wording.subset_text(draw, items)
    authors_sentence = protection_wording.who_gets(draw, texts, conditional=["q0"])

    assert "Everyone gets" not in respondents_sentence
    assert "About q0?" not in authors_sentence


def test_authors_read_both_numbers() -> None:
    assert protection_wording.guess_rates_text(BALANCED) == (
        "One answer alone: guessed right at most 75 times in 100. All answers together: at most 90. Pure chance "
        "between two answers: 50."
    )
    assert (
        protection_wording.guess_rates_text(ALONE)
        == "Guessed right at most 75 times in 100. Pure chance between two answers: 50."
    )
    assert "All answers together: more than 99." in protection_wording.guess_rates_text(
        Losses(1, 5)
    )
    assert protection_wording.both_versions(combine_versions([BALANCED, BALANCED])) == (
        "Someone may answer both versions and get the same question twice. Then one answer alone: guessed right at "
        "most 90 times in 100. All answers together: at most 98.8. Pure chance between two answers: 50."
    )
    assert "more than 99.9" in protection_wording.both_versions(
        combine_versions([Losses(5, 10)] * 2)
    )
    assert protection_wording.methods_sentences(BALANCED, QuestionSubset(2, tuple("abcdef"))) == (
        "Each respondent was asked 2 of 6 sensitive questions, drawn uniformly on the device. The privacy loss of one "
        "answer is at most 1.0987, of a whole response at most 2.1973 (sum over the questions asked, costliest path). "
        "Choosing between two answers held equally likely, a reader of one report alone is right at most 75 times in "
        "100, a reader of all reports at most 90 times in 100, however the answers are related. If people left because "
        "of the question they were asked, its share is too low; a check of the questions asked sees this only when "
        "it is strong. For one question fewer than 20 reports may have been added at a time."
    )


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        (
            Losses(math.log(3), 3 * math.log(3)),
            "All answers together: guessed right at most 97 times in 100.",
        ),
        (Losses(2.7, 2.9), "One answer alone: guessed right at most 94 times in 100."),
        (Losses(2.7, 2.7), "Guessed right at most 94 times in 100."),
    ],
)
def test_red_needs_a_reason(loss: Losses, said: str) -> None:
    assert (
        protection_wording.weak_protection_text(loss)
        == f"{said} Say why this is justified, or choose Balanced."
    )


def test_a_reason_has_20_to_500_characters() -> None:
    assert (
        protection_wording.validate_reason("  We need all answers \n of each person. ")
        == "We need all answers of each person."
    )
    for wrong in ("Because.", "x" * 501, " " * 40):
        with pytest.raises(ValueError, match="20 to 500 are allowed"):
            protection_wording.validate_reason(wrong)


def test_the_fold_says_what_the_numbers_mean() -> None:
    lines = protection_wording.loss_explanation(BALANCED, is_selection=True)
    assert any("0: 75, 0.1: 77, 0.3: 81, 0.5: 84, 0.8: 88, 1: 90" in line for line in lines)
    assert (
        "Other prior odds grow at most 3-fold (alone), 9-fold (together): 10 in 100 becomes at most 25, 50."
        in lines
    )
    assert lines[-2:] == [protection_wording.LEAVING_NOTE, protection_wording.RELEASE_NOTE]
    assert len(protection_wording.loss_explanation(ALONE, is_selection=False)) == len(lines) - 2


def random_questions(rng: random.Random, size: int) -> tuple[list[Question], dict[str, int]]:
    """Of every kind, by hand and with a spinner, at most one of everyone; and how many answers each has."""
    made, sizes = [], {}
    for number in range(size):
        kind, sizes[f"q{number}"], aim = KINDS_THERE[rng.choice(list(KINDS_THERE))]
        is_plain = (kind, sizes[f"q{number}"]) == ("yes-no", 2)
        modes = list(Question.Mode) if is_plain else [Question.Mode.AUTOMATIC]
        made.append(Question(key=f"q{number}", kind=kind, aim=aim or "", mode=rng.choice(modes)))
    made[rng.randrange(size)].everyone = rng.random() < 0.3
    return made, sizes


def loss_of(question: Question, level: str, sizes: dict[str, int]) -> float:
    method = derive_method(
        level, sizes[question.key], question.kind, mode=question.mode, aim=question.aim
    )
    select = KINDS[question.kind].select
    return build(method[0], sizes[question.key], method[1], select).epsilon


@pytest.mark.parametrize("number", [400, pytest.param(10_000, marks=pytest.mark.long)])
def test_random_surveys_on_random_paths_keep_both_numbers(number: int) -> None:
    """And one question more changes the odds of no other."""
    rng = random.Random(7)
    bounds = {"strong": (67, 80), "balanced": (75, 90), "light": (80, 95)}
    for _ in range(number):
        level, (questions, sizes) = (
            rng.choice(list(bounds)),
            random_questions(rng, rng.randint(1, 9)),
        )
        each = [(question.key, loss_of(question, level, sizes)) for question in questions]
        draw = automatic_subset(questions)
        conditional = [
            question.key for question in questions if not question.everyone and rng.random() < 0.4
        ]
        paths = [frozenset(key for key in conditional if rng.random() < 0.5) for _ in range(3)]
        loss = protection.summarize_losses(each, total_loss(each, draw, paths))
        assert loss.max_guess_rates[0] <= bounds[level][0], (level, questions)
        assert loss.max_guess_rates[1] <= bounds[level][1], (level, questions)
        assert loss.together <= 2 * LEVELS[level].epsilon + 1e-9
        more = [*questions, Question(key="one_more", kind="yes-no")]
        assert [
            (key, loss_of(question, level, sizes))
            for (key, _), question in zip(each, more, strict=False)
        ] == each
        assert (
            automatic_subset(more) is None
            or automatic_subset(more).count + any(q.everyone for q in more) == protection.MOST_ASKED
        )
