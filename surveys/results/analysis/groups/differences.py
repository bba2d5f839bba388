"""Differences of shares or means between groups: one interval decides what page, file and API say.

Of shares the rule of mechanisms.Differences; of means, and of answers whose reports depend on other shares too, the
normal interval with the error of mechanisms.mean_error.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import numpy as np
from scipy.special import ndtr

from mechanisms import Differences, GroupReports, benjamini_hochberg, holm, mean_error
from mechanisms.checks import FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.analysis.groups.values import Value, together
from surveys.results.analysis.measures import Interval, Measure
from surveys.site.number_format import format_level
from surveys.site.shape import ApiResult, api_field

OTHERS = "all other groups"
CLEAR = ("higher", "lower")
Verdict = Literal["higher", "lower", "no_clear_difference", "too_few_answers"]
VERDICTS = get_args(Verdict)


@dataclass(frozen=True)
class Difference(ApiResult):
    """A group's share or mean minus that of another, or of all others together."""

    group: str = api_field("the first group")
    versus: str = api_field("the second, or all other groups")
    n: int = api_field("number of reports of the first group")
    difference: float = api_field("of the shares or means, the first minus the second")
    standard_error: float = api_field()
    interval: Interval = api_field("for this difference alone")
    simultaneous: Interval = api_field("for all differences together; decides the verdict")
    p: float = api_field("for this difference alone")
    p_together: float = api_field("for all differences together (Bonferroni)")
    p_holm: float = api_field("adjusted by Holm; decides nothing")
    p_bh: float = api_field("adjusted by Benjamini and Hochberg; decides nothing")
    clear: bool = api_field("whether the page names the higher one")
    verdict: Verdict = api_field()
    measure: Measure = api_field(sent=False)

    @property
    def verdict_name(self) -> str:
        return self.verdict.replace("_", " ").capitalize()

    @property
    def signed(self) -> str:
        return self.measure.signed(self.difference, self.simultaneous)

    @property
    def signed_range(self) -> str:
        return self.measure.signed_range(self.simultaneous)

    @property
    def reach(self) -> float:
        """The larger end of its interval, by size."""
        return max(map(abs, self.simultaneous))

    @property
    def mirrored(self) -> "Difference":
        """The other group less this one."""
        ways: dict[Verdict, Verdict] = {"higher": "lower", "lower": "higher"}
        alone, simultaneous = (
            cast(Interval, (-high, -low)) for low, high in (self.interval, self.simultaneous)
        )
        turned = {
            "group": self.versus,
            "versus": self.group,
            "interval": alone,
            "simultaneous": simultaneous,
        }
        return replace(
            self,
            difference=-self.difference,
            verdict=ways.get(self.verdict, self.verdict),
            **turned,
        )

    def sentence(self, what: str, confidence: float) -> str:
        """ "“Yes”: 8.2 points higher in “North” than in “South” (95% range 2.9 to 13.5)." Of a clear difference."""
        ends = [
            self.measure.amount(end, self.simultaneous)
            for end in sorted(self.simultaneous, key=abs)
        ]
        size = f"{self.measure.amount(self.difference, self.simultaneous)}{self.measure.short_unit}"
        versus = f"“{self.versus}”" if self.versus != OTHERS else "the other groups"
        way = f"{size} {self.measure.way(self.difference)} in “{self.group}” than in {versus}"
        return f"{what}: {way} ({format_level(confidence)} range {' to '.join(ends)})."


Couple = tuple[Value, Value]
Decided = tuple[FloatArray, FloatArray, FloatArray, list[Verdict]]


def against_others(
    answers: Sequence[Sequence[Value]], confidence: float, comparisons: int = 0
) -> list[tuple[Difference, ...]]:
    """Of each answer, whose groups are given: each group against the pooled reports of all others; of two groups the
    first against the second. comparisons: of the family that shares the confidence; unless given, these alone.

    Decided together, since a page of hundreds of comparisons takes long one answer at a time.
    """
    couples = [_couples(groups) for groups in answers]
    return _differences(couples, confidence, comparisons or sum(map(len, couples)))


def differences(couples: Sequence[Couple], confidence: float) -> tuple[Difference, ...]:
    """Of couples of groups, which are one family of comparisons."""
    return _differences([couples], confidence, len(couples))[0]


def _differences(
    answers: Sequence[Sequence[Couple]], confidence: float, family: int
) -> list[tuple[Difference, ...]]:
    shares = _of_shares([each for each in answers if _is_of_shares(each)], confidence, family)
    decided = [
        next(shares) if _is_of_shares(each) else _of_means(each, confidence, family)
        for each in answers
    ]
    return [_told(*each, family) for each in zip(answers, decided, strict=True)]


def _couples(groups: Sequence[Value]) -> list[Couple]:
    if len(groups) == 2:
        return [(groups[0], groups[1])]
    return [
        (group, together([other for other in groups if other is not group], OTHERS))
        for group in groups
    ]


def _told(couples: Sequence[Couple], decided: Decided, family: int) -> tuple[Difference, ...]:
    alone, simultaneous, p_values, verdicts = decided
    columns = (
        *(alone.tolist(), simultaneous.tolist(), p_values.tolist()),
        *(np.minimum(family * p_values, 1.0).tolist(), holm(p_values).tolist()),
        *(
            benjamini_hochberg(p_values).tolist(),
            [verdict in CLEAR for verdict in verdicts],
            verdicts,
        ),
    )
    return tuple(
        Difference(
            *(one.name, other.name, one.n, one.value - other.value),
            *(
                math.hypot(one.standard_error, other.standard_error),
                tuple(ends),
                tuple(wide),
                *rest,
            ),
            measure=one.measure,
        )
        for (one, other), ends, wide, *rest in zip(couples, *columns, strict=True)
    )


def _is_of_shares(couples: Sequence[Couple]) -> bool:
    return all(value.side is not None for couple in couples for value in couple)


def _of_shares(
    answers: Sequence[Sequence[Couple]], confidence: float, family: int
) -> Iterator[Decided]:
    if not answers:
        return
    couples = [couple for answer in answers for couple in answer]
    both = Differences(*map(_side, zip(*couples, strict=True)), confidence, comparisons=family)
    verdicts = np.array([verdict.replace(" ", "_") for verdict in both.verdicts])
    places = np.cumsum([len(answer) for answer in answers])[:-1]
    arrays = (
        np.split(each, places)
        for each in (both.separate_intervals, both.simultaneous_intervals, both.p_values, verdicts)
    )
    for alone, simultaneous, p_values, own in zip(*arrays, strict=True):
        yield alone, simultaneous, p_values, own.tolist()


def _side(values: Sequence[Value]) -> GroupReports:
    names = ("n", "hits", "slope", "intercept")
    return GroupReports(
        *(np.concatenate([getattr(value.side, name) for value in values]) for name in names)
    )


def _of_means(couples: Sequence[Couple], confidence: float, family: int) -> Decided:
    values = np.array([one.value - other.value for one, other in couples])
    errors = np.array([_error(one, other) for one, other in couples])
    z = np.divide(values, errors, out=np.zeros_like(values), where=errors > 0)
    quantiles = [normal_quantile(1 - (1 - confidence) / m) for m in (1, family)]
    alone, simultaneous = (
        np.stack([values - quantile * errors, values + quantile * errors], axis=1)
        for quantile in quantiles
    )
    clear = np.abs(z) > quantiles[1]
    ways = np.where(values > 0, "higher", "lower")
    verdicts = np.where(
        errors == 0, "too_few_answers", np.where(clear, ways, "no_clear_difference")
    )
    return alone, simultaneous, 2 * ndtr(-np.abs(z)), verdicts.tolist()


def _error(one: Value, other: Value) -> float:
    """Nan where nothing is known of a mean."""
    n, variances = np.array([one.n, other.n]), np.array([one.variance, other.variance])
    return (
        mean_error([1, -1], n, variances, one.least_variance)
        if np.isfinite(variances).all()
        else float("nan")
    )
