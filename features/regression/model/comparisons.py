"""The groups of a model: how many are in each, their shares as observed and corrected, and their differences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from features.regression.model.design_matrix import Design
from features.regression.model.fits import Fit
from mechanisms import CellContrasts, ContrastCells, Tally, holm
from mechanisms.checks import BoolArray, FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.analysis.cells import Cells
from surveys.results.analysis.measures import POINTS, Interval, Measure, measure
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.predictors import NUMBER, TRUTH, Level
from surveys.results.disclosure.subgroups import is_enough
from surveys.results.estimates.share_wording import Said


@dataclass(frozen=True)
class Comparison:
    """One group (or a number per 10 more) and one answer of the outcome. Shares are fractions; where the outcome is a
    mean, all that is said of shares is of means, in the unit of its numbers.

    answer: the index of the answer, None of a mean. observed, corrected: of the group alone; None for a number, and
    nothing is observed of a mean. reference: the group that it is compared with, None of itself and of a number.
    difference to verdict: of adjusted shares; None of the reference.
    interval: for this comparison alone; together: such that all of the model hold at once, which decides the verdict.
    coefficient to odds_interval: of the logit, None where there is none; of least squares the coefficient is the
    difference. measure: in what the difference is told.
    """

    level: Level
    answer: int | None
    n: int
    observed: float | None = None
    corrected: float | None = None
    corrected_interval: Interval | None = None
    reference: Level | None = None
    difference: float | None = None
    difference_error: float | None = None
    interval: Interval | None = None
    together: Interval | None = None
    p: float | None = None
    p_together: float | None = None
    p_holm: float | None = None
    clear: bool | None = None
    verdict: str | None = None
    coefficient: float | None = None
    standard_error: float | None = None
    robust_error: float | None = None
    odds_ratio: float | None = None
    odds_interval: Interval | None = None
    measure: Measure = POINTS

    @property
    def signed(self) -> str:
        """The difference, as tables and figures have it."""
        return self.measure.signed(self.difference, self.together)

    @property
    def signed_range(self) -> str:
        return self.measure.signed_range(self.together)

    @property
    def estimate(self) -> str:
        """The group by itself; nothing where its range is too wide for a number."""
        ends = self.corrected_interval
        if self.corrected is None or (ends and Said(self.corrected, *ends).is_wide):
            return ""
        return self.measure.value(self.corrected, self.together)

    @property
    def verdict_name(self) -> str:
        return (self.verdict or "").replace("_", " ").capitalize()

    @property
    def is_number(self) -> bool:
        return self.level.term.way == NUMBER


def comparisons(
    part: SurveyVariable, cells: Cells, made: Design, fit: Fit, confidence: float
) -> tuple[Comparison, ...]:
    """By answer, then by question and group as asked. A group of which it, or all others, are too few has no row."""
    groups = [(level, _of_group(part, cells, level)) for level in made.levels]
    large = [
        (level, rows) for level, rows in groups if not level.kinds or is_enough(rows[0].n, cells.n)
    ]
    by_level = [_of_level(made.levels, fit, level, rows, confidence) for level, rows in large]
    rows = [of_level[place] for place in range(len(part.answers)) for of_level in by_level]
    tested = [row for row in rows if row.difference is not None]
    if not tested:
        return tuple(rows)
    decide = _by_cells if has_cells(part, [level.term.way for level in made.levels]) else _by_errors
    stated = _stated(list(decide(part, cells, made, tested, confidence)))
    return tuple(next(stated) if row.difference is not None else row for row in rows)


def _of_level(
    levels: Sequence[Level], fit: Fit, level: Level, rows: list[Comparison], confidence: float
) -> list[Comparison]:
    """Of one group, one for each answer. rows: what is known of it by itself."""
    if level.is_reference:
        return rows
    differences, errors = fit.differences(level)
    reference = next(
        (each for each in levels if each.term == level.term and each.is_reference), None
    )
    return [
        replace(
            row,
            reference=reference,
            difference=float(difference),
            difference_error=float(error),
            **fit.coefficient(level, answer, confidence),
        )
        for answer, (row, difference, error) in enumerate(
            zip(rows, differences, errors, strict=True)
        )
    ]


def _of_group(part: SurveyVariable, cells: Cells, level: Level) -> list[Comparison]:
    """What is known of a group by itself."""
    if not level.kinds:
        told_in = measure(part, is_slope=level.term.way == NUMBER)
        return [Comparison(level, answer, cells.n, measure=told_in) for answer in part.answers]
    members = np.isin(cells.of(level.term.part), level.kinds)
    if part.is_mean:
        n, value = mean(part, cells, members)
        return [Comparison(level, None, n, None, value, measure=measure(part))]
    n, observed, corrected, ends = shares(part, cells, members)
    answers = [part.answer] if part.choice is not None else range(len(observed))
    return [
        Comparison(
            level,
            answer,
            n,
            float(observed[place]),
            float(corrected[place]),
            tuple(ends[place].tolist()),
        )
        for answer, place in zip(part.answers, answers, strict=True)
    ]


def shares(
    part: SurveyVariable, cells: Cells, members: BoolArray
) -> tuple[int, FloatArray, FloatArray, FloatArray]:
    """n, observed and corrected shares with their intervals, of the answers of `part.mechanism`, of some cells with
    people in them.
    """
    people = cells.counts[members]
    tally = Tally(int(people.sum()), part.counts(cells.of(part)[members], people))
    kind = "wilson" if part.mechanism.line() is not None else "wald"
    estimate = part.mechanism.estimate(tally, interval=kind)
    return tally.n, tally.counts / tally.n, estimate.proportions, estimate.intervals


def mean(part: SurveyVariable, cells: Cells, members: BoolArray) -> tuple[int, float | None]:
    """n, and the mean of those who gave a number; None where it is not seen that anybody did."""
    kinds, people, (scores, given) = (
        cells.of(part)[members],
        cells.counts[members],
        part.unbiased_values,
    )
    among = people.sum() if given is None else people @ given[kinds]
    return int(people.sum()), float(people @ scores[kinds] / among) if among > 0 else None


def has_cells(part: SurveyVariable, ways: Iterable[str]) -> bool:
    """Whether the reports of each cell depend on nothing but its share of the answer: then the rule of
    mechanisms.Differences decides, as between groups.
    """
    if part.is_mean or TRUTH in ways:
        return False
    return part.is_of_two or (part.mechanism.line() is not None and not part.mechanism.in_groups)


# A row with its difference, error, interval alone and together, p and verdict.
Statement = tuple[Comparison, float, float, FloatArray, FloatArray, float, str]


def _by_cells(
    part: SurveyVariable, cells: Cells, made: Design, rows: list[Comparison], confidence: float
) -> Iterator[Statement]:
    for answer in dict.fromkeys(row.answer for row in rows):
        of_answer = [row for row in rows if row.answer == answer]
        levels = [row.level for row in of_answer]
        contrasts = CellContrasts(
            _contrast_cells(part, cells, made, answer),
            np.array(
                [
                    made.people @ (made.at(level) - made.reference(level)) / cells.n
                    for level in levels
                ]
            ),
            np.array([made.members(level) for level in levels]),
            confidence,
            comparisons=len(rows),
        )
        errors, ends = contrasts.standard_errors, (contrasts.alone, contrasts.intervals)
        yield from zip(
            of_answer,
            contrasts.values,
            errors,
            *ends,
            contrasts.p_values,
            contrasts.verdicts,
            strict=True,
        )


def _contrast_cells(
    part: SurveyVariable, cells: Cells, made: Design, answer: int | None
) -> ContrastCells:
    place = part.answer if part.is_of_two else answer
    line, hits = part.mechanism.line(), part.supports(cells.of(part), place) * cells.counts
    of_patterns = np.bincount(made.of_cells, hits, len(made.people))
    return ContrastCells(
        made.people, of_patterns, made.table, line.slope[place], line.offset[place]
    )


def _by_errors(
    part: SurveyVariable, cells: Cells, made: Design, rows: list[Comparison], confidence: float
) -> Iterator[Statement]:
    alone, together = (normal_quantile(1 - (1 - confidence) / family) for family in (1, len(rows)))
    for row in rows:
        value, error = row.difference, row.difference_error
        z = value / error if error > 0 else 0.0
        verdict = ("higher" if z > 0 else "lower") if abs(z) > together else "no clear difference"
        ends = (
            np.array([value - quantile * error, value + quantile * error])
            for quantile in (alone, together)
        )
        yield (
            row,
            value,
            error,
            *ends,
            float(2 * ndtr(-abs(z))),
            verdict if error > 0 else "too few answers",
        )


def _stated(statements: Sequence[Statement]) -> Iterator[Comparison]:
    """With what the family of all comparisons allows."""
    adjusted = holm([p for *_, p, _ in statements])
    for (row, value, error, alone, together, p, verdict), p_holm in zip(
        statements, adjusted.tolist(), strict=True
    ):
        yield replace(
            row,
            difference=float(value),
            difference_error=float(error),
            interval=tuple(alone.tolist()),
            together=tuple(together.tolist()),
            p=float(p),
            p_together=min(len(statements) * float(p), 1.0),
            p_holm=p_holm,
            clear=verdict in ("higher", "lower"),
            verdict=verdict.replace(" ", "_"),
        )
