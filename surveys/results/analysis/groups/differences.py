"""Differences of shares or means between groups: one interval decides what page, file and API say.

Of shares the rule of mechanisms.Differences; of means, and of answers whose reports depend on other shares too, the
normal interval with the error of mechanisms.mean_error.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import numpy as np
from scipy.special import ndtr

from mechanisms import Differences, Side, benjamini_hochberg, holm, mean_error
from mechanisms.checks import FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.analysis.groups.values import Value, together
from surveys.results.analysis.measures import Interval, Measure
from surveys.site.number_format import level
from surveys.site.shape import Result, of

OTHERS = "all other groups"
CLEAR = ("higher", "lower")
Verdict = Literal["higher", "lower", "no_clear_difference", "too_few_answers"]
VERDICTS = get_args(Verdict)


@dataclass(frozen=True)
class Difference(Result):
    """A group's share or mean minus that of another, or of all others together."""

    group: str = of("the first group")
    versus: str = of("the second, or all other groups")
    n: int = of("number of reports of the first group")
    difference: float = of("of the shares or means, the first minus the second")
    standard_error: float = of()
    interval: Interval = of("for this difference alone")
    simultaneous: Interval = of("for all differences together; decides the verdict")
    p: float = of("for this difference alone")
    p_together: float = of("for all differences together (Bonferroni)")
    p_holm: float = of("adjusted by Holm; decides nothing")
    p_bh: float = of("adjusted by Benjamini and Hochberg; decides nothing")
    clear: bool = of("whether the page names the higher one")
    verdict: Verdict = of()
    measure: Measure = of(sent=False)

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
        alone, simultaneous = (cast(Interval, (-high, -low)) for low, high in (self.interval, self.simultaneous))
        turned = {"group": self.versus, "versus": self.group, "interval": alone, "simultaneous": simultaneous}
        return replace(self, difference=-self.difference, verdict=ways.get(self.verdict, self.verdict), **turned)

    def sentence(self, what: str, confidence: float) -> str:
        """ "“Yes”: 8.2 points higher in “North” than in “South” (95% range 2.9 to 13.5)." Of a clear difference."""
        ends = [self.measure.amount(end, self.simultaneous) for end in sorted(self.simultaneous, key=abs)]
        size = f"{self.measure.amount(self.difference, self.simultaneous)}{self.measure.short_unit}"
        versus = f"“{self.versus}”" if self.versus != OTHERS else "the other groups"
        way = f"{size} {self.measure.way(self.difference)} in “{self.group}” than in {versus}"
        return f"{what}: {way} ({level(confidence)} range {' to '.join(ends)})."


def against_others(groups: Sequence[Value], confidence: float, comparisons: int = 0) -> tuple[Difference, ...]:
    """Each group against the pooled reports of all others; of two groups the first against the second. comparisons: of
    the family that shares the confidence, these among them; unless given, these alone.
    """
    if len(groups) == 2:
        return differences([(groups[0], groups[1])], confidence, comparisons)
    rest = [together([other for other in groups if other is not group], OTHERS) for group in groups]
    return differences(list(zip(groups, rest, strict=True)), confidence, comparisons)


def differences(
    couples: Sequence[tuple[Value, Value]], confidence: float, comparisons: int = 0
) -> tuple[Difference, ...]:
    """Of couples of groups, which are one family of comparisons unless a larger one is given."""
    family = comparisons or len(couples)
    ones, others = zip(*couples, strict=True)
    values = np.array([one.value - other.value for one, other in couples])
    errors = np.array([np.hypot(one.standard_error, other.standard_error) for one, other in couples])
    decided = _of_shares(ones, others, confidence, family)
    decided = decided or _of_means(ones, others, values, confidence, family)
    alone, simultaneous, p_values, verdicts = decided
    columns = (
        *(alone.tolist(), simultaneous.tolist(), p_values.tolist()),
        *(np.minimum(family * p_values, 1.0).tolist(), holm(p_values).tolist()),
        *(benjamini_hochberg(p_values).tolist(), [verdict in CLEAR for verdict in verdicts], verdicts),
    )
    return tuple(
        Difference(
            *(one.name, other.name, one.n, float(value), float(error)),
            *(tuple(ends), tuple(wide), *rest),
            measure=one.measure,
        )
        for one, other, value, error, ends, wide, *rest in zip(ones, others, values, errors, *columns, strict=True)
    )


Decided = tuple[FloatArray, FloatArray, FloatArray, list[Verdict]]


def _of_shares(ones: Sequence[Value], others: Sequence[Value], confidence: float, family: int) -> Decided | None:
    sides = [_side(each) for each in (ones, others)]
    if sides[0] is None or sides[1] is None:
        return None
    both = Differences(sides[0], sides[1], confidence, comparisons=family)
    verdicts = [verdict.replace(" ", "_") for verdict in both.verdicts]
    return both.alone, both.intervals, both.p_values, verdicts  # type: ignore[return-value]


def _side(values: Sequence[Value]) -> Side | None:
    sides = [value.side for value in values]
    if any(side is None for side in sides):
        return None
    names = ("n", "hits", "slope", "intercept")
    return Side(*(np.concatenate([getattr(side, name) for side in sides]) for name in names))


def _of_means(
    ones: Sequence[Value], others: Sequence[Value], values: FloatArray, confidence: float, family: int
) -> Decided:
    errors = np.array([_error(one, other) for one, other in zip(ones, others, strict=True)])
    z = np.divide(values, errors, out=np.zeros_like(values), where=errors > 0)
    quantiles = [normal_quantile(1 - (1 - confidence) / m) for m in (1, family)]
    alone, simultaneous = (
        np.stack([values - quantile * errors, values + quantile * errors], axis=1) for quantile in quantiles
    )
    clear = np.abs(z) > quantiles[1]
    ways = np.where(values > 0, "higher", "lower")
    verdicts = np.where(errors == 0, "too_few_answers", np.where(clear, ways, "no_clear_difference"))
    return alone, simultaneous, 2 * ndtr(-np.abs(z)), verdicts.tolist()


def _error(one: Value, other: Value) -> float:
    """Nan where nothing is known of a mean."""
    n, variances = np.array([one.n, other.n]), np.array([one.variance, other.variance])
    return mean_error([1, -1], n, variances, one.least_variance) if np.isfinite(variances).all() else float("nan")
