"""Counts with noise, as a trusted server may publish them: the law of the drawing, its bound, and what is refused."""

import math
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from mechanisms import central
from mechanisms.chance import draw, laplace

RATES = [Fraction(1, 3), Fraction(2, 3), Fraction(4, 3), Fraction(11, 10), Fraction(3)]


def pmf(rate: Fraction, x: int) -> float:
    return math.tanh(rate / 2) * math.exp(-rate * abs(x))


class Restarted(Exception):  # no error: a branch that ends
    """The drawing has begun anew."""


class Unread(Exception):
    """The drawing asks for more than was laid down. chances: of each thing that could come."""

    def __init__(self, chances: dict[object, float]) -> None:
        self.chances = chances


def law(rate: Fraction, monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Every way through one round of the drawing with its chance; a round that begins anew is like the first."""
    script: list[object] = []
    at = [0, 0]  # how much of the script is read, and how often the drawing stood at its beginning

    def asked(chances: dict[object, float]) -> object:
        if at[0] == len(script):
            raise Unread(chances)
        at[0] += 1
        return script[at[0] - 1]

    def below(limit: int, _: draw.NextUint32) -> object:
        at[1] += limit == rate.denominator
        if at[1] > 1:
            raise Restarted
        return asked(dict.fromkeys(range(limit), 1 / limit))

    def survives(by: Fraction, _: draw.NextUint32) -> object:
        return asked({True: math.exp(-by), False: 1 - math.exp(-by)})

    monkeypatch.setattr(laplace, "uniform_below", below)
    monkeypatch.setattr(laplace, "_survives", survives)
    found: dict[int, float] = defaultdict(float)
    todo: list[tuple[list[object], float]] = [([], 1.0)]
    while todo:
        (script, chance), at[:] = todo.pop(), [0, 0]
        try:
            found[laplace.discrete_laplace(rate, lambda: 0)] += chance
        except Restarted:
            pass
        except Unread as unread:
            todo += [
                ([*script, v], chance * p) for v, p in unread.chances.items() if chance * p > 1e-14
            ]
    return {x: chance / sum(found.values()) for x, chance in found.items()}


@pytest.mark.parametrize("rate", RATES, ids=str)
def test_every_way_through_the_drawing_adds_up_to_the_discrete_laplace(
    rate: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = law(rate, monkeypatch)
    assert len(found) > 10
    for x, chance in found.items():
        assert chance == pytest.approx(pmf(rate, x), abs=1e-11)


@pytest.mark.parametrize(
    "rate", [Fraction(0), Fraction(1, 3), Fraction(4, 7), Fraction(1)], ids=str
)
def test_the_coin_survives_with_the_exponential_chance_exactly(
    rate: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its chance as a fraction after so many places, which must enclose exp(-rate) like the partial sums it is."""
    survived = Fraction(0)
    for last in range(1, 20):
        limits: list[int] = []

        def below(
            limit: int, _: draw.NextUint32, last: int = last, limits: list[int] = limits
        ) -> int:
            limits.append(limit)
            return (
                0 if len(limits) < last else limit - 1
            )  # succeeds before the last place, fails there

        monkeypatch.setattr(laplace, "uniform_below", below)
        if rate == 1 and last == 1:
            continue  # the first place cannot fail
        survives = laplace._survives(rate, lambda: 0)
        if rate == 0:
            assert survives
            return
        assert limits == [rate.denominator * place for place in range(1, last + 1)]
        still = math.prod(
            (Fraction(rate.numerator, limit) for limit in limits[:-1]), start=Fraction(1)
        )
        survived += survives * still * (1 - Fraction(rate.numerator, limits[-1]))
    assert float(survived) == pytest.approx(math.exp(-rate), abs=1e-11)


def test_a_number_below_a_limit_is_uniform_whatever_its_length() -> None:
    words = Random(1)
    for limit in (1, 2, 7, 2**32, 2**32 + 1, 10**16, 10**40):
        drawn = [laplace.uniform_below(limit, lambda: words.getrandbits(32)) for _ in range(4000)]
        cells = min(limit, 8)
        counts = np.bincount([number * cells // limit for number in drawn], minlength=cells)
        assert counts.sum() == 4000
        assert limit == 1 or chisquare(counts).pvalue > 1e-4
    script = [7, 2**32 - 1, 5]
    assert (
        laplace.uniform_below(10, iter(script).__next__)
        == draw.uniform(10, iter(script).__next__)
        == 7
    )
    assert (
        laplace.uniform_below(10, iter([2**32 - 1, 3]).__next__) == 3
    )  # from the incomplete last round
    assert laplace.uniform_below(2**40, iter([1, 2]).__next__) == 2**32 + 2


@pytest.mark.parametrize(
    ("epsilon", "changed"), [("1", 1), ("1", 2), ("0.1", 2), ("3", 1), (1.0986122886681098, 2)]
)
def test_released_counts_have_the_noise_that_is_told(epsilon: str | float, changed: int) -> None:
    words = Random(2)
    rate = Fraction(str(epsilon)) / changed
    released = central.release([1000] * 8000, epsilon, changed, lambda: words.getrandbits(32))
    check(np.array(released) - 1000, rate)
    assert np.abs(np.array(released) - 1000).mean() == pytest.approx(
        central.noise_error(float(epsilon), changed), rel=0.06
    )


@pytest.mark.parametrize(("epsilon", "changed"), [(0.1, 2), (1, 2), (1, 1), (5, 2)])
def test_simulated_counts_have_the_same_law(epsilon: float, changed: int) -> None:
    drawn = central.simulate([40, 0], epsilon, changed, draws=20_000, rng=3)
    assert drawn.shape == (20_000, 2)
    check(drawn[:, 0] - 40, Fraction(str(epsilon)) / changed)
    check(drawn[:, 1], Fraction(str(epsilon)) / changed)
    assert (central.simulate([40, 0], epsilon, changed, draws=20_000, rng=3) == drawn).all()


def check(noise: np.ndarray, rate: Fraction) -> None:
    """Chi-square on single values, and on all that are far out together."""
    far = max(1, math.ceil(math.log(len(noise) * math.tanh(rate / 2) / 20) / rate))
    counts = np.bincount(np.clip(noise, -far, far) + far, minlength=2 * far + 1)
    expected = np.array([pmf(rate, x) for x in range(-far, far + 1)])
    expected[[0, -1]] = (1 - expected[1:-1].sum()) / 2
    assert chisquare(counts, expected * len(noise)).pvalue > 1e-4


@pytest.mark.parametrize(
    ("epsilon", "changed"), [(Fraction(1), 1), (Fraction(2, 3), 2), (Fraction(11, 10), 3)]
)
def test_what_one_person_answered_changes_no_chance_by_more_than_epsilon(
    epsilon: Fraction, changed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the law as it is drawn: all counts that one person changes move by one, up or down."""
    found = law(epsilon / changed, monkeypatch)
    likely = {x: chance for x, chance in found.items() if chance > 1e-9}
    worst = 0.0
    moves = [move for move in product((-1, 1), repeat=changed) if move[0] == 1]
    for move in moves:
        ratios = [
            max(chance / likely[x + step] for x, chance in likely.items() if x + step in likely)
            for step in move
        ]
        worst = max(worst, math.prod(ratios))
    assert worst == pytest.approx(math.exp(epsilon), rel=1e-4)
    assert math.log(worst) <= epsilon + 1e-4


def test_mean_and_reach_of_the_noise_are_those_of_its_law() -> None:
    for epsilon, changed, confidence in product((0.1, 1, 5, 30), (1, 2, 5), (0.5, 0.95, 0.99)):
        rate = Fraction(str(epsilon)) / changed
        chances = {x: pmf(rate, x) for x in range(-2500, 2501)}
        assert central.noise_error(epsilon, changed) == pytest.approx(
            sum(abs(x) * p for x, p in chances.items())
        )
        reach = central.noise_reach(epsilon, changed, confidence)
        within = sum(p for x, p in chances.items() if abs(x) <= reach)
        assert within >= confidence - 1e-12
        assert reach == 0 or within - 2 * chances[reach] < confidence


def test_how_many_counts_one_person_changes() -> None:
    asked = [(2, "one"), (2, "any"), (5, "one"), (5, "any")]
    assert [central.counts_changed(size, select) for size, select in asked] == [1, 2, 2, 5]


@pytest.mark.parametrize("epsilon", ["1/1000000007", 1e-9, 10**9, Fraction(1, 10**30)])
def test_any_epsilon_above_zero_can_be_drawn(epsilon: float) -> None:
    (found,) = central.release([0], epsilon)
    assert isinstance(found, int)
    assert abs(found) < 10**3 / Fraction(str(epsilon)) + 1


@pytest.mark.parametrize("epsilon", [Fraction(11, 10), "11/10", "1.1", 1.1, Decimal("1.1")])
def test_a_float_means_the_decimal_number_that_is_printed(epsilon: float) -> None:
    words = Random(5)
    released = central.release([5, 6, 7], epsilon, next_uint32=lambda: words.getrandbits(32))
    again = Random(5)
    assert released == central.release(
        [5, 6, 7], "11/10", next_uint32=lambda: again.getrandbits(32)
    )


@pytest.mark.parametrize(
    ("attempt", "name"),
    [
        (lambda: central.release([1], 0), "epsilon"),
        (lambda: central.release([1], -1), "epsilon"),
        (lambda: central.release([1], "x"), "epsilon"),
        (lambda: central.release([1], "1/0"), "epsilon"),
        (lambda: central.release([1], math.inf), "epsilon"),
        (lambda: central.release([1], math.nan), "epsilon"),
        (lambda: central.release([1], True), "epsilon"),
        (lambda: central.release([-1], 1), "counts"),
        (lambda: central.release([1.5], 1), "counts"),
        (lambda: central.release([], 1), "counts"),
        (lambda: central.release(7, 1), "counts"),
        (lambda: central.release("12", 1), "counts"),
        (lambda: central.release([1], 1, 0), "changed"),
        (lambda: central.simulate([1], 0), "epsilon"),
        (lambda: central.simulate([2**80], 1), "counts"),
        (lambda: central.simulate([1], 1, draws=0), "draws"),
        (lambda: central.noise_error(0), "epsilon"),
        (lambda: central.noise_reach(1, confidence=1), "confidence"),
        (lambda: central.counts_changed(1), "size"),
        (lambda: central.counts_changed(2, "some"), "select"),
    ],
)
def test_it_is_refused_with_a_reason(attempt, name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name} is .*allowed"):
        attempt()
