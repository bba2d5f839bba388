"""Every refusal is a ValueError that names the argument, its value and what is allowed."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms import (
    Crosswise,
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Matrix,
    SubsetSelection,
    Tally,
    TwoCoin,
    UnaryEncoding,
    Warner,
    checks,
    from_spec,
)

NAN = math.nan
UNARY = UnaryEncoding(9, "3/4", "1/4")
ANY = UnaryEncoding(3, "3/4", "1/4", "any")
SUBSET = SubsetSelection(5, 1, 2)
GENERAL = Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)


def spec(mechanism, **changes):
    return {**mechanism.spec(), **changes}


def without(mechanism, key):
    return {name: value for name, value in mechanism.spec().items() if name != key}


REFUSED = {
    # probabilities
    "p of nothing": (lambda: Warner(None), "p is None; allowed"),
    "p above 1": (lambda: Warner("5/4"), "p is '5/4'; allowed"),
    "p below 0": (lambda: Warner(-0.1), "p is -0.1; allowed"),
    "p not a number": (lambda: Warner(NAN), "p is nan; allowed"),
    "p infinite": (lambda: Warner(math.inf), "p is inf; allowed"),
    "p a word": (lambda: Warner("half"), "p is 'half'; allowed"),
    "p divided by zero": (lambda: Warner("1/0"), "p is '1/0'; allowed"),
    "p a truth value": (lambda: Warner(True), "p is True; allowed"),
    "p with an exponent": (lambda: Warner("1e-999999999"), "p is '1e-999999999'; allowed"),
    "p = 1/2": (lambda: Warner(0.5), "p = 1/2 makes .* allowed"),
    "prevalence 1/2": (lambda: Crosswise("1/2"), "prevalence = 1/2 makes .* allowed"),
    "p + q = 1": (lambda: GeneralizedResponse("0.3", "0.7"), "p = 3/10, q = 7/10 makes .* allowed"),
    "a third as a decimal": (lambda: Warner(1 / 3), "den is .* allowed is at most 2"),
    "forced sum": (lambda: ForcedResponse("1/2", "1/4", "1/8"), "truth, yes, no is .* sum to 1"),
    "forced sum off by a little": (lambda: ForcedResponse("0.5", "0.25", "0.2500001"), "sum to 1"),
    "forced without truth": (lambda: ForcedResponse(0, "1/2", "1/2"), "truth = 0, .* allowed"),
    "unary p = q": (lambda: UnaryEncoding(4, "1/3", "1/3"), "p is 1/3 and q is 1/3; allowed"),
    "gamma 0": (lambda: GeneralizedResponse.from_gamma(0), "gamma is 0; allowed"),
    "gamma above 1/2": (lambda: GeneralizedResponse.from_gamma("0.6"), "gamma is 3/5; allowed"),
    # epsilon
    **{
        f"epsilon {value!r}": (lambda value=value: DirectEncoding(3, value), "epsilon is .*; allowed")
        for value in (0, -1, NAN, math.inf, "1", None, True)
    },
    "epsilon too small": (lambda: DirectEncoding(3, 1e-12), "epsilon is 1e-12.*allowed is a larger epsilon"),
    "epsilon too small for den": (lambda: DirectEncoding(3, 0.1, 10), "epsilon is 0.1.*larger den"),
    "unary epsilon": (lambda: UnaryEncoding.symmetric(3, 0), "epsilon is 0; allowed"),
    "optimized epsilon": (lambda: UnaryEncoding.optimized(3, NAN), "epsilon is nan; allowed"),
    "subset epsilon": (lambda: SubsetSelection(3, -2), "epsilon is -2; allowed"),
    "generalized epsilon": (lambda: GeneralizedResponse.from_epsilon(0), "epsilon is 0; allowed"),
    # sizes and denominators
    "direct of one": (lambda: DirectEncoding(1, 1), "size is 1; allowed"),
    "unary of one": (lambda: UnaryEncoding(1, 0.75, 0.25), "size is 1; allowed"),
    "size with a point": (lambda: UnaryEncoding(2.0, 0.75, 0.25), "size is 2.0; allowed"),
    "matrix of one": (lambda: Matrix([[1]], 1), "size is 1; allowed"),
    "den over 2**32": (lambda: DirectEncoding(3, 1, 2**32 + 1), "den is 4294967297; allowed"),
    "den of a word": (lambda: DirectEncoding(3, 1, "fine"), "den is 'fine'; allowed"),
    "den not a multiple": (lambda: Warner("3/4", den=10), "den is 10; allowed is a multiple of 4"),
    "odd den for optimized": (lambda: UnaryEncoding.optimized(3, 1, den=101), "den is 101; allowed is a multiple"),
    "select": (lambda: UnaryEncoding(3, 0.75, 0.25, "some"), "select is 'some'; allowed is one of 'one', 'any'"),
    "width": (lambda: SubsetSelection(3, 1, 3), "width is 3; allowed is a whole number from 1 to 2"),
    "keep that tells nothing": (lambda: SubsetSelection.from_integers(4, 2, 5, 10), "keep is 5; allowed"),
    # matrices
    "row sum": (lambda: Matrix([[3, 1], [1, 2]], 4), r"rows holds \[1, 2\]; allowed"),
    "row length": (lambda: Matrix([[3, 1, 0], [1, 3]], 4), "rows holds .* allowed are 2 whole numbers"),
    "negative weight": (lambda: Matrix([[-1, 5], [1, 3]], 4), "rows is -1; allowed"),
    "fractional weight": (lambda: Matrix([[0.5, 0.5], [1, 0]], 1), "allowed"),
    "singular": (lambda: Matrix([[2, 2], [2, 2]], 4), "singular matrix; allowed"),
    "singular of three": (lambda: Matrix([[4, 0, 0], [0, 4, 0], [2, 2, 0]], 4), "singular matrix; allowed"),
    # truths and reports
    "truth out of range": (lambda: TwoCoin().randomize([0, 2], 1), "truths holds 2; allowed"),
    "truth negative": (lambda: UNARY.randomize([-1], 1), "truths holds -1; allowed"),
    "truth not a number": (lambda: TwoCoin().randomize([NAN], 1), "truths holds 1 missing value; allowed"),
    "a seed of text": (lambda: TwoCoin().randomize([0, 1], "seed"), "rng is 'seed'; allowed"),
    "a negative seed": (lambda: UNARY.randomize([0, 1], -1), "rng is -1; allowed"),
    "truths of two dimensions": (lambda: TwoCoin().randomize([[0, 1]], 1), r"truths has shape \(1, 2\); allowed is"),
    "any truths of one dimension": (lambda: ANY.randomize([0, 1, 1], 1), r"truths has shape \(3,\); allowed"),
    "any truths of 2": (lambda: ANY.randomize([[0, 1, 2]], 1), "truths holds 2; allowed is 0 or 1"),
    "drawn truth": (lambda: TwoCoin().randomize_one(2, lambda: 0), "truth is 2; allowed"),
    "drawn truth of any": (lambda: ANY.randomize_one(1, lambda: 0), "truth is 1; allowed is a list"),
    "drawn truth of any twice": (lambda: ANY.randomize_one([1, 1], lambda: 0), ("truth is .* allowed is each "
    "number once")),
    "report out of range": (lambda: TwoCoin().tally([0, 5]), "reports holds 5; allowed"),
    "reports as text": (lambda: TwoCoin().tally(["0"]), "reports holds '0'; allowed are whole numbers"),
    "bits of the wrong width": (lambda: UNARY.tally([[0] * 8]), r"reports has shape .* allowed is \(n, 9\)"),
    "bits of 2": (lambda: UNARY.tally(np.full((1, 9), 2)), "reports holds 2; allowed is 0 or 1"),
    "a string too short": (lambda: UNARY.tally(["01"]), "reports holds '01'; allowed"),
    "a string of letters": (lambda: UNARY.tally(["01010101x"]), "reports holds '01010101x'; allowed"),
    "strings and others": (lambda: UNARY.tally(["010101010", 5]), "reports holds 5; allowed"),
    "ragged rows": (lambda: UNARY.tally([[0, 1], [0]]), "reports has rows of different lengths; allowed"),
    "packed of the wrong width": (lambda: UNARY.tally_packed(np.zeros((2, 1), np.uint8)), "packed has shape"),
    "packed of the wrong type": (lambda: UNARY.tally_packed(np.zeros((2, 2), int)), "packed has .* dtype uint8"),
    "packed with ones behind": (lambda: UNARY.tally_packed(np.array([[0, 1]], np.uint8)), "packed has ones after"),
    "subset of the wrong width": (lambda: SUBSET.tally([[1, 1, 1, 0, 0]]), "ones; allowed is width = 2"),
    # tallies
    "count above n": (lambda: Tally(3, [0, 4]), "counts holds 4; allowed"),
    "count below 0": (lambda: Tally(3, [0, -1]), "counts holds -1; allowed"),
    "count with a point": (lambda: Tally(3, [0.5, 2.5]), "counts has .* allowed are whole numbers"),
    "n negative": (lambda: Tally(-1, [0, 0]), "n is -1; allowed"),
    "n with a point": (lambda: Tally(3.0, [1, 2]), "n is 3.0; allowed"),
    "tallies of different sizes": (lambda: Tally(1, [0, 1]) + Tally(1, [0, 1, 0]), "counts has shape"),
    "pairs that contradict": (lambda: Tally(2, [1, 2], [[1, 1], [1, 1]]), "pairs has shape"),
    # estimates
    "no reports": (lambda: TwoCoin().estimate(Tally(0, [0, 0])), "tally has n = 0; allowed"),
    "counts of another size": (lambda: TwoCoin().estimate(Tally(3, [1, 1, 1])), "counts is .* allowed"),
    "counts that miss some": (lambda: TwoCoin().estimate(Tally(3, [1, 1])), "counts is .* sum to n"),
    "counts of another width": (lambda: SUBSET.estimate(Tally(2, [1, 1, 1, 0, 0])), "counts is .* allowed"),
    "not a tally": (lambda: TwoCoin().estimate("12"), "tally is .* allowed is a Tally"),
    "confidence 95": (lambda: TwoCoin().estimate(Tally(2, [1, 1]), 95), "confidence is 95; allowed"),
    "confidence 1": (lambda: TwoCoin().estimate(Tally(2, [1, 1]), 1), "confidence is 1; allowed"),
    "interval": (lambda: TwoCoin().estimate(Tally(2, [1, 1]), interval="score"), "interval is 'score'; allowed"),
    "interval of a general matrix": (
        lambda: GENERAL.estimate(Tally(3, [1, 1, 1]), interval="wilson"),
        "interval is 'wilson'; allowed .* 'wald'",
    ),
    "total out of range": (lambda: TwoCoin().estimate(Tally(2, [1, 1])).total([2]), "choices holds 2; allowed"),
    "total twice": (lambda: TwoCoin().estimate(Tally(2, [1, 1])).total([1, 1]), "choices is .* once"),
    "covariance of any": (lambda: ANY.estimate(Tally(2, [1, 1, 0])).covariance, "tally has only counts; allowed"),
    # specs
    "spec of nothing": (lambda: from_spec(None), "spec is None; allowed"),
    "kind": (lambda: from_spec(spec(UNARY, kind="laplace")), "kind is 'laplace'; allowed"),
    "kind a list": (lambda: from_spec(spec(UNARY, kind=[])), r"kind is \[\]; allowed"),
    "unknown key": (lambda: from_spec(spec(UNARY, colour="red")), "spec has the keys .* allowed"),
    "missing key": (lambda: from_spec(without(TwoCoin(), "den")), "spec has the keys .* allowed"),
    "design": (lambda: from_spec(spec(TwoCoin(), design="three-coin")), "design is 'three-coin'; allowed"),
    "unknown parameter": (lambda: from_spec(spec(TwoCoin(), parameters={"p": "1/2"})), "parameters has the keys"),
    "parameters of a list": (lambda: from_spec(spec(TwoCoin(), parameters=[])), "parameters is .* allowed"),
    "parameter not in its form": (lambda: from_spec(spec(Warner("3/4"), parameters={"p": "0.75"})), "parameters"),
    "rows against parameters": (lambda: from_spec(spec(TwoCoin(), rows=[[2, 2], [1, 3]])), "rows is .* allowed"),
    "rows of text": (lambda: from_spec(spec(TwoCoin(), rows="3113")), "rows is '3113'; allowed"),
    "no rows": (lambda: from_spec(spec(TwoCoin(), rows=[])), r"rows is \[\]; allowed"),
    "den of the spec": (lambda: from_spec(spec(UNARY, den=2**33)), "den is 8589934592; allowed"),
    "unary rows": (lambda: from_spec(spec(UNARY, rows=[[3, 1]])), "rows is .* allowed"),
    "unary row sums": (lambda: from_spec(spec(UNARY, rows=[[3, 1], [1, 2]])), "rows is .* allowed"),
    "unary size": (lambda: from_spec(spec(UNARY, size="9")), "size is '9'; allowed"),
    "direct rows": (lambda: from_spec(spec(DirectEncoding(3, 2, 10), rows=[[6, 2, 2]] * 3)), "rows is .* allowed"),
    "direct against the truth": (
        lambda: from_spec(spec(DirectEncoding(2, 2, 10), rows=[[3, 7], [7, 3]])),
        "rows has 3 on the diagonal; allowed",
    ),
    "subset width": (lambda: from_spec(spec(SUBSET, width=5)), "width is 5; allowed"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_a_reason(name):
    attempt, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        attempt()


def test_exact_probabilities_in_every_spelling():
    spellings = ["3/4", " 3 / 4 ", "0.75", ".75", 0.75, np.float64(0.75), Fraction(3, 4)]
    assert {Warner(p) for p in spellings} == {Warner("3/4")}
    assert Warner(0.7).spec()["rows"] == [[7, 3], [3, 7]]
    assert Warner(1).spec()["rows"] == Warner("1").spec()["rows"] == [[2, 0], [0, 2]]


@pytest.mark.parametrize("dtype", ["i1", "u1", "<i2", ">i2", "<u2", ">u4", "<i8", ">i8", "u8"])
@pytest.mark.parametrize("size", [5, 127, 128, 129, 300])
def test_numbers_outside_are_seen_in_every_form_of_integer(dtype, size):
    limits = np.iinfo(dtype)
    inside = np.array([0, min(size - 1, limits.max)], dtype)
    assert checks.indices("truths", inside, size).tolist() == inside.tolist()
    for wrong in {limits.min, -1, size, limits.max}:
        if limits.min <= wrong <= limits.max and not 0 <= wrong < size:
            with pytest.raises(ValueError, match="truths holds"):
                checks.indices("truths", np.array([0, wrong], dtype), size)
