"""What an author may choose as a design, and what is said of a wrong choice."""

import math
import re
import time

import pytest

from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.construction import build
from surveys.definition.designs.design import in_page_order
from surveys.definition.designs.external import ALL_DESIGNS
from surveys.definition.designs.levels import recommend_design
from surveys.site.errors import Invalid

GOOD = {
    "two-coin": {},
    "warner": {"p": "3/4"},
    "forced-response": {"truth": "2/3", "yes": "1/6", "no": "1/6"},
    "unrelated-question": {"p": "2/3", "prevalence": "1/2"},
    "generalized": {"p": "0.7", "q": "0.6"},
    "gamma": {"gamma": "1/4"},
    "direct": {"epsilon": "2"},
    "unary": {"p": "0.75", "q": "0.25"},
    "unary-symmetric": {"epsilon": "2"},
    "unary-optimized": {"epsilon": "2"},
    "subset": {"epsilon": "2"},
    "geometry": {"epsilon": "2"},
    "marks": {"epsilon": "2"},
    "unary-any": {"epsilon": "2"},
    "window": {"epsilon": "2"},
    "written": {"epsilon": "2"},
    "rappor": {"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"},
}


def errors(key: str, size: int = 2, **parameters: str) -> dict[str, str]:
    """What is wrong with a design whose other parameters are good."""
    with pytest.raises(Invalid) as raised:
        build(key, size, GOOD.get(key, {}) | parameters)
    return raised.value.errors


@pytest.mark.parametrize("key", DESIGNS)
def test_every_design_can_be_built_and_published(key: str) -> None:
    mechanism = build(key, 2, GOOD[key], DESIGNS[key].select)
    assert mechanism.size == (0 if DESIGNS[key].select == "text" else 2)
    assert mechanism.publishable


def test_a_design_for_one_answer_does_not_serve_several_at_once() -> None:
    assert "doesn’t fit this question type" in errors("unary-any", 4)["design"]
    with pytest.raises(Invalid, match="Choose “Some marks picked by chance"):
        build("unary", 4, GOOD["unary"], "any")


def test_several_answers_at_once_share_one_epsilon() -> None:
    for key in ("marks", "unary-any"):
        assert 1.98 <= build(key, 4, {"epsilon": "2"}, "any").epsilon <= 2


@pytest.mark.parametrize(
    ("key", "epsilon"),
    [
        ("two-coin", 1.0986122887),
        ("warner", 1.0986122887),
        ("unary", 2.1972245773),
        ("generalized", 0.6931471806),
    ],
)
def test_epsilon_comes_from_the_exact_numbers(key: str, epsilon: float) -> None:
    assert build(key, 2, GOOD[key]).epsilon == pytest.approx(epsilon, abs=1e-10)


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "2.1972245773", "10", "20"])
@pytest.mark.parametrize("size", [2, 5, 101])
@pytest.mark.parametrize("key", ["direct", "unary-symmetric", "unary-optimized"])
def test_a_declared_epsilon_is_never_exceeded(key: str, size: int, epsilon: str) -> None:
    spent = build(key, size, {"epsilon": epsilon}).epsilon
    assert 0.98 * float(epsilon) < spent <= float(epsilon)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "Enter a number"),
        ("   ", "Enter a number"),
        ("abc", "“abc” is not a number"),
        ("nan", "“nan” is not a number"),
        ("inf", "“inf” is not a number"),
        ("-inf", "“-inf” is not a number"),
        ("1e-5", "“1e-5” is not a number"),
        ("1_0", "“1_0” is not a number"),
        ("1/0", "“1/0” is not a number"),
        ("1 2", "“1 2” is not a number"),
        ("\u0663/\u0664", "is not a number"),  # digits of another script
        ("0,75", "Write 0.75, with a point and no comma"),
        ("-1", "between 0 and 1, not -1"),
        ("3/2", "between 0 and 1, not 3/2"),
        ("0", "could prove the true one"),
        ("1", "could prove the true one"),
        ("1.0", "could prove the true one"),
        ("1/2", "nothing can be estimated"),
        ("0.500", "nothing can be estimated"),
        ("0.50000001", "say almost nothing"),
        ("0.999999999", "almost nothing is protected"),
        ("0.3333333333333", "too many digits"),
    ],
)
def test_a_wrong_probability_gets_a_message_at_its_own_parameter(typed: str, message: str) -> None:
    found = errors("warner", p=typed)
    assert list(found) == ["p"]
    assert message in found["p"]


@pytest.mark.parametrize("typed", ["0", "-1", "-0.5", "0.001", "20.1", "1000", "9" * 19])
@pytest.mark.parametrize("key", ["direct", "unary-symmetric", "unary-optimized"])
def test_an_epsilon_out_of_range_is_refused(key: str, typed: str) -> None:
    assert "from 0.01 to 20" in errors(key, epsilon=typed)["epsilon"]


@pytest.mark.parametrize(
    "typed", ["nan", "inf", "abc", "1e400", "1e999999999", "9" * 5000, "0." + "3" * 5000]
)
def test_an_epsilon_that_is_no_short_number_is_refused_at_once(typed: str) -> None:
    start = time.perf_counter()
    message = errors("direct", epsilon=typed)["epsilon"]
    assert "is not a number" in message
    assert len(message) < 100
    assert time.perf_counter() - start < 0.5


def test_three_probabilities_must_sum_to_one() -> None:
    assert (
        "must sum to 1, not 13/12"
        in errors("forced-response", truth="2/3", yes="1/6", no="1/4")["no"]
    )


def test_each_wrong_parameter_has_its_message() -> None:
    assert set(errors("forced-response", truth="x", yes="0", no="")) == {"truth", "yes", "no"}


def test_p_plus_q_of_one_says_nothing() -> None:
    assert "nothing can be estimated" in errors("generalized", p="0.3", q="7/10")["q"]


def test_gamma_is_a_letter_for_both_chances() -> None:
    """At 1/4 it is two coins; both are kept with probability 1/2 + gamma, and published as such."""
    for typed, kept, epsilon in (("1/4", "3/4", math.log(3)), ("0.4", "9/10", math.log(9))):
        mechanism = build("gamma", 2, {"gamma": typed})
        assert mechanism.spec() == build("generalized", 2, {"p": kept, "q": kept}).spec()
        assert mechanism.epsilon == pytest.approx(epsilon)


@pytest.mark.parametrize("typed", ["0", "1/2", "0.51", "1", "-1/4"])
def test_gamma_lies_below_a_half(typed: str) -> None:
    for import_only in (False, True):
        with pytest.raises(Invalid) as raised:
            build("gamma", 2, {"gamma": typed}, import_only=import_only)
        assert raised.value.errors["gamma"] == f"Enter a gamma above 0 and below 1/2, not {typed}."


def test_equal_chances_for_chosen_and_other_answers_say_nothing() -> None:
    assert "nothing can be estimated" in errors("unary", size=4, p="1/3", q="1/3")["q"]


def test_a_zero_cell_is_refused_wherever_it_can_be_typed() -> None:
    for key, parameters in GOOD.items():
        for letter in parameters:
            if letter != "epsilon" and key != "rappor":  # test_rappor.py has its letters
                assert set(errors(key, **{letter: "1"})) == {letter}
                assert set(errors(key, **{letter: "0"})) == {letter}


@pytest.mark.parametrize("key", [key for key, design in DESIGNS.items() if design.two_answers_only])
def test_a_design_for_two_answers_names_what_to_take_for_three(key: str) -> None:
    message = errors(key, size=3)["design"]
    assert DESIGNS[key].title in message
    assert "Choose “Direct”" in message


@pytest.mark.parametrize("key", ["", "recommended", "random", "__class__"])
def test_an_unknown_design_is_refused(key: str) -> None:
    assert errors(key) == {"design": "Choose a design."}


@pytest.mark.parametrize("size", [201, 20_001])
def test_a_long_list_is_reported_as_one_number(size: int) -> None:
    found = recommend_design(size, "1.0987")
    assert (found.design, found.parameters) == ("geometry", {"epsilon": "1.0987"})
    assert re.search(
        "No known design would need more than [1-4]% fewer respondents, and its reports",
        found.reason,
    )
    assert build(found.design, size, found.parameters).wire.longest <= 6
    assert recommend_design(200, "1.0987").design == "subset"


@pytest.mark.parametrize("key", ["direct", "unary", "unary-symmetric", "unary-optimized", "subset"])
def test_other_designs_do_not_serve_a_long_list(key: str) -> None:
    start = time.perf_counter()
    message = errors(key, 20_000)["design"]
    assert (
        "works for up to 200 answers; this question has 20,000. Choose “Geometry” (geometry)."
        in message
    )
    assert time.perf_counter() - start < 1


def test_the_page_lists_every_row_of_the_table_once_and_the_usual_ones_first() -> None:
    keys = [design.key for design in in_page_order(ALL_DESIGNS.values())]
    assert sorted(keys) == sorted(ALL_DESIGNS)
    assert [*keys[:7], *keys[-2:]] == [*list(DESIGNS)[:7], "one-sided", "matrix"]
    assert keys[7:12] == ["subset", "unary-optimized", "unary", "unary-symmetric", "geometry"]


def test_a_level_takes_only_designs_that_fit_its_questions() -> None:
    places = {design.level.questions: design for design in DESIGNS.values()}
    assert {*places} == {"", "two", "one", "list", "any", "ordered", "text"}
    for size, select in (
        (2, "one"),
        (5, "one"),
        (300, "one"),
        (5, "any"),
        (5, "ordered"),
        (5, "shares"),
        (0, "text"),
    ):
        for epsilon in ("0.5", "1.0987", "4"):
            taken = recommend_design(size, epsilon, select)
            kind = "ordered" if select == "shares" else select
            assert build(taken.design, size, taken.parameters, kind).epsilon <= float(epsilon)
            assert taken.reason
