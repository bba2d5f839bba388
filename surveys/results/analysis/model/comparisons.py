"""The groups of a model: how many are in each, their shares as observed and corrected, and their differences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.conf import settings
from scipy.special import ndtr

from mechanisms import Tally, holm
from mechanisms.checks import BoolArray, FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.analysis.cells import Cells
from surveys.results.analysis.measures import POINTS, Interval, Measure, measure
from surveys.results.analysis.model.fits import Fit
from surveys.results.analysis.outcome import Part
from surveys.results.analysis.predictors import NUMBER, Level


@dataclass(frozen=True)
class Comparison:
    """One group (or a number per 10 more) and one answer of the outcome. Shares are fractions; where the outcome is a
    mean, all that is said of shares is of means, in the unit of its numbers.

    answer: the index of the answer, None of a mean. observed, corrected: of the group by itself; None for a number, and
    nothing is observed of a mean. reference: the group that it is compared with, None of itself and of a number.
    difference to p_holm: of adjusted shares; None of the reference, and of a group with too few people for a statement.
    interval: for this comparison alone; together: such that all of the model hold at once (Bonferroni). coefficient to
    odds_interval: of the logit, None where there is none; of least squares the coefficient is the difference. measure:
    in what the difference is told.
    """

    level: Level
    answer: int | None
    n: int
    observed: float | None = None
    corrected: float | None = None
    reference: Level | None = None
    difference: float | None = None
    difference_error: float | None = None
    interval: Interval | None = None
    together: Interval | None = None
    p: float | None = None
    p_holm: float | None = None
    coefficient: float | None = None
    standard_error: float | None = None
    robust_error: float | None = None
    odds_ratio: float | None = None
    odds_interval: Interval | None = None
    measure: Measure = POINTS

    @property
    def signed(self) -> str:
        """The difference, as tables and figures have it."""
        return self.measure.signed(self.difference, self.interval)

    @property
    def signed_range(self) -> str:
        return self.measure.signed_range(self.interval)

    @property
    def estimate(self) -> str:
        """The group by itself."""
        return self.measure.value(self.corrected, self.interval)

    @property
    def is_small(self) -> bool:
        """Whether the group has too few people for a statement."""
        return self.n < settings.FEW_RESPONSES

    @property
    def is_number(self) -> bool:
        return self.level.term.way == NUMBER


def comparisons(
    part: Part, cells: Cells, levels: Sequence[Level], fit: Fit, confidence: float
) -> tuple[Comparison, ...]:
    """By answer, then by question and group as asked."""
    found = [_of_level(levels, fit, level, _of_group(part, cells, level), confidence) for level in levels]
    rows = [of_level[place] for place in range(len(part.answers)) for of_level in found]
    return _together(tuple(rows), confidence)


def _of_level(
    levels: Sequence[Level], fit: Fit, level: Level, rows: list[Comparison], confidence: float
) -> list[Comparison]:
    """Of one group, one for each answer. rows: what is known of it by itself."""
    if level.is_reference or rows[0].is_small:
        return rows
    z, (differences, errors) = normal_quantile(confidence), fit.differences(level)
    reference = next((each for each in levels if each.term == level.term and each.is_reference), None)
    return [
        replace(
            row,
            reference=reference,
            difference=float(difference),
            difference_error=float(error),
            interval=(float(difference - z * error), float(difference + z * error)),
            p=float(2 * ndtr(-abs(difference) / error)) if error > 0 else None,
            **fit.coefficient(level, answer, confidence),
        )
        for answer, (row, difference, error) in enumerate(zip(rows, differences, errors, strict=True))
    ]


def _of_group(part: Part, cells: Cells, level: Level) -> list[Comparison]:
    """What is known of a group by itself."""
    if not level.kinds:
        return [Comparison(level, answer, cells.n, measure=measure(part)) for answer in part.answers]
    members = np.isin(cells.of(level.term.part), level.kinds)
    if part.is_mean:
        n, value = mean(part, cells, members)
        return [Comparison(level, None, n, None, value, measure=measure(part))]
    n, observed, corrected = shares(part, cells, members)
    if part.choice is not None:
        return [Comparison(level, part.choice, n, float(observed[part.answer]), float(corrected[part.answer]))]
    return [
        Comparison(level, answer, n, *map(float, pair))
        for answer, pair in enumerate(zip(observed, corrected, strict=True))
    ]


def shares(part: Part, cells: Cells, members: BoolArray) -> tuple[int, FloatArray, FloatArray]:
    """n, observed and corrected shares of the answers of `part.mechanism`, of some cells with somebody in them."""
    people = cells.counts[members]
    tally = Tally(int(people.sum()), part.counts(cells.of(part)[members], people))
    return tally.n, tally.counts / tally.n, part.mechanism.estimate(tally).proportions


def mean(part: Part, cells: Cells, members: BoolArray) -> tuple[int, float | None]:
    """n, and the mean of those who gave a number; None where it is not seen that anybody did."""
    kinds, people, (scores, given) = cells.of(part)[members], cells.counts[members], part.scores
    among = people.sum() if given is None else people @ given[kinds]
    return int(people.sum()), float(people @ scores[kinds] / among) if among > 0 else None


def _together(rows: tuple[Comparison, ...], confidence: float) -> tuple[Comparison, ...]:
    """With Holm's p-values, and intervals that hold for all comparisons at once."""
    tested = [place for place, row in enumerate(rows) if row.p is not None]
    if not tested:
        return rows
    adjusted = dict(zip(tested, holm([rows[place].p for place in tested]), strict=True))
    z = normal_quantile(1 - (1 - confidence) / len(tested))
    return tuple(
        replace(row, p_holm=float(adjusted[place]), together=_around(row, z)) if place in adjusted else row
        for place, row in enumerate(rows)
    )


def _around(row: Comparison, z: float) -> Interval:
    return row.difference - z * row.difference_error, row.difference + z * row.difference_error
