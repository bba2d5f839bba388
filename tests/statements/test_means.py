"""Statements about means and quartiles: their state, their digits and their words."""

from collections.abc import Iterator

import numpy as np
import pytest

from mechanisms import Functional, Tally, Window
from mechanisms.estimation.intervals import normal_quantile
from mechanisms.estimation.quantiles import Quantile
from surveys.statements.means import (
    MeanStatement,
    QuartileStatement,
    known_median,
    mean_statement,
    quartile_statements,
)
from surveys.statements.statement import NO_NUMBER, State

HOURS = range(51)
POINTS = ("Never", "Rarely", "Sometimes", "Often", "Always")
# The epsilon of the level “Balanced”.
BALANCED = 1.0987
SURVEYS = 2000


def mean_of_hours(
    value: float, interval: tuple[float, float], least_n: int = 0, name: str = "Work"
) -> MeanStatement:
    mean = Functional(value=value, standard_error=0.1, interval=interval)
    return mean_statement(
        mean, HOURS, n=900, confidence=0.95, name=name, unit="hours", least_n=least_n
    )


def quartile_of_hours(
    value: int, interval: tuple[int, int], share: float = 0.5
) -> QuartileStatement:
    quantile = Quantile(at=share, value=value, interval=interval)
    (statement,) = quartile_statements([quantile], HOURS, n=900, confidence=0.95, unit="hours")
    return statement


@pytest.mark.parametrize(
    ("mean", "state", "number", "shown_range", "sentence"),
    [
        (
            mean_of_hours(4.81, (4.41, 5.18)),
            State.NUMBER,
            "4.8 hours",
            "4.4 to 5.2 hours",
            "Work: 4.8 hours on average (95% range 4.4 to 5.2).",
        ),
        (
            mean_of_hours(11.1, (7.83, 14.02)),
            State.NUMBER,
            "11 hours",
            "7 to 15 hours",
            "Work: 11 hours on average (95% range 7 to 15).",
        ),
        # A range that reaches an end is no bound, since nobody takes part in “at most 1.2 hours”.
        (
            mean_of_hours(0.4, (-0.3, 1.13)),
            State.NUMBER,
            "0.4 hours",
            "0 to 1.2 hours",
            "Work: 0.4 hours on average (95% range 0 to 1.2).",
        ),
        (
            mean_of_hours(20.1, (9.5, 30.7)),
            State.WITHHELD,
            "",
            "9 to 31 hours",
            "Work: too uncertain for one number (9 to 31 hours).",
        ),
        # It is measured before anything is cut off.
        (
            mean_of_hours(1.0, (-8.2, 10.3)),
            State.WITHHELD,
            "",
            "0 to 11 hours",
            "Work: too uncertain for one number (0 to 11 hours).",
        ),
        (
            mean_of_hours(-2.0, (-3.5, -0.5)),
            State.IMPOSSIBLE,
            "",
            "",
            "Work: the estimate is below the lowest possible answer.",
        ),
    ],
)
def test_range_of_a_mean_decides_what_is_shown(
    mean: MeanStatement, state: State, number: str, shown_range: str, sentence: str
) -> None:
    assert (mean.state, mean.number, mean.range) == (state, number, shown_range)
    assert mean.sentence == sentence


def test_mean_of_a_question_without_a_short_name_begins_with_the_number() -> None:
    mean = mean_of_hours(4.81, (4.41, 5.18), name="")
    assert mean.sentence == "4.8 hours on average (95% range 4.4 to 5.2)."
    assert mean.sentence == mean_of_hours(4.81, (4.41, 5.18)).sentence_without_name
    wide = mean_of_hours(20.1, (9.5, 30.7), name="")
    assert wide.sentence == "Too uncertain for one number (9 to 31 hours)."


def test_mean_on_a_scale_names_the_ends_of_the_scale() -> None:
    functional = Functional(value=3.42, standard_error=0.1, interval=(3.21, 3.63))
    mean = mean_statement(functional, range(1, 6), n=900, confidence=0.9, labels=POINTS)
    assert mean.sentence == "3.42 on average, from 1 (“Never”) to 5 (“Always”)."
    assert mean.detail == "90% range 3.21 to 3.63."
    assert mean.stress == "3.42 on average"
    assert mean.number_with_range == "3.42 (90% range 3.21 to 3.63)"


def test_impossible_mean_sends_people_to_the_checks() -> None:
    mean = mean_of_hours(52.3, (50.6, 54.0))
    assert mean.sentence == "Work: the estimate is above the highest possible answer."
    assert mean.detail == ("The whole range (50.6 to 54.0) is above 50. Look at Data checks first.")
    assert mean.number_with_range == "no possible mean"
    assert mean.number_or_dash == NO_NUMBER


def test_too_few_numbers_support_no_mean() -> None:
    mean = mean_of_hours(4.81, (4.41, 5.18), least_n=901)
    assert (mean.state, mean.number, mean.is_grey) == (State.TOO_FEW, "", True)
    assert mean.sentence == "Work: too few people gave a number."


def test_withheld_mean_has_a_grey_range_and_a_dash() -> None:
    mean = mean_of_hours(20.1, (9.5, 30.7))
    assert (mean.is_grey, mean.is_withheld, mean.number_or_dash) == (True, True, NO_NUMBER)
    assert mean.number_with_range == "between 9 and 31 hours (95% range)"
    assert (mean.printed.number, mean.printed.low, mean.printed.high) == (None, 9, 31)


def test_mean_of_equal_numbers_is_printed_as_it_is() -> None:
    mean = mean_of_hours(5.0, (5.0, 5.0))
    assert mean.sentence == "Work: 5 hours on average (95% range 5 to 5)."


@pytest.mark.parametrize(
    ("value", "interval", "share", "sentence"),
    [
        (4, (3, 5), 0.5, "The median is 4 hours (95% range 3 to 5)."),
        (4, (3, 5), 0.25, "The lower quartile is 4 hours (95% range 3 to 5)."),
        (3, (3, 3), 0.5, "The median is 3 hours."),
        (0, (0, 0), 0.5, "At least half answered 0 hours."),
        (50, (50, 50), 0.5, "At least half answered 50 hours."),
        (0, (0, 0), 0.25, "The lower quartile is 0 hours."),
        # Longer than a fifth of what can be answered.
        (20, (15, 26), 0.5, ""),
    ],
)
def test_quartile_is_said_with_possible_values(
    value: int, interval: tuple[int, int], share: float, sentence: str
) -> None:
    assert quartile_of_hours(value, interval, share).sentence == sentence


def test_quartile_is_printed_with_possible_values() -> None:
    quartile = quartile_of_hours(4, (3, 5))
    assert quartile.number_with_range == "4 hours (3 to 5)"
    assert (quartile.printed.number, quartile.printed.low, quartile.printed.high) == (4, 3, 5)
    assert quartile.printed.decimals == 0
    assert quartile_of_hours(0, (0, 12)).is_withheld


def test_quartile_of_steps_and_negative_numbers_is_one_of_them() -> None:
    degrees = range(-40, 60, 10)
    quantiles = [Quantile(at=0.75, value=2, interval=(1, 3))]
    (quartile,) = quartile_statements(quantiles, degrees, n=900, confidence=0.95)
    assert quartile.number_with_range == "−20 (−30 to −10)"
    assert not quartile.is_shown


@pytest.mark.parametrize(
    ("median", "sentence"), [(0, "At least half answered 0."), (3, "The median is 3.")]
)
def test_median_of_counted_answers_is_known(median: int, sentence: str) -> None:
    assert known_median(median, range(5), n=100).sentence == sentence


@pytest.mark.parametrize("n", [1500, 4000])
@pytest.mark.parametrize("true_mean", [3.401, 3.499])
def test_printed_ranges_of_five_point_means_hold_the_true_mean(n: int, true_mean: float) -> None:
    """With ranges rounded to the nearest, 0.87 to 0.92 of the surveys held it."""
    mechanism = Window(5, BALANCED)
    # All answers are equally frequent, except that some people move from 1 to 5.
    moved = (true_mean - 3) / 4
    shares = np.full(5, 0.2) + moved * np.array([-1, 0, 0, 0, 1])
    probabilities = shares @ np.array(mechanism.probabilities(), dtype=float)
    counts = np.random.default_rng(7).multinomial(n, probabilities, size=SURVEYS)

    held = 0
    for functional in means_of_points(mechanism, counts):
        mean = mean_statement(functional, range(1, 6), n=n, confidence=0.95)
        assert mean.is_shown
        held += mean.printed.low <= true_mean <= mean.printed.high

    assert held / SURVEYS >= 0.945


def means_of_points(mechanism: Window, counts: np.ndarray) -> Iterator[Functional]:
    """Yield the mean of the points 1 to 5 for each row of counts, with its normal interval.

    The library is asked for the first one only, since it estimates everything else, too.
    """
    points = np.arange(1.0, 6.0)
    weights = mechanism.unbiased_weights(points)
    n = counts[0].sum()
    values = counts @ weights / n
    errors = np.sqrt((counts @ weights**2 / n - values**2) / n)
    lows = values - normal_quantile(0.95) * errors
    highs = values + normal_quantile(0.95) * errors
    first = mechanism.estimate(Tally(int(n), counts[0])).functional(points)
    assert first.interval == pytest.approx((lows[0], highs[0]))
    rows = zip(values.tolist(), errors.tolist(), lows.tolist(), highs.tolist(), strict=True)
    for value, error, low, high in rows:
        yield Functional(value=value, standard_error=error, interval=(low, high))
