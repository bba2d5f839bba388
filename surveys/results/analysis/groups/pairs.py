"""Pairs of groups: differences of shares or means, with tests and intervals that allow for all pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from mechanisms import benjamini_hochberg, holm
from surveys.results.analysis.effect_wording import higher_or_lower
from surveys.results.analysis.groups.values import Value
from surveys.results.analysis.measures import POINTS, Measure
from surveys.site.number_format import level


@dataclass(frozen=True)
class Pair:
    """Two groups. difference: of their shares or means, the first less the second; the interval holds with all others.

    p_value: of the pair by itself; p_holm, p_bh: allowed for all pairs, by Holm and by Benjamini and Hochberg.
    """

    first: str
    second: str
    difference: float
    standard_error: float
    interval: tuple[float, float]
    p_value: float
    p_holm: float
    p_bh: float
    measure: Measure = POINTS

    @property
    def signed(self) -> str:
        return self.measure.signed(self.difference, self.interval)

    @property
    def signed_range(self) -> str:
        return self.measure.signed_range(self.interval)

    def words(self, confidence: float) -> str:
        """ "“North”: 8.2 percentage points higher than “South” (95% interval 2.9 to 13.5 higher)", where Holm's
        procedure has found which is higher: what an interval holds of the other side is cut off.
        """
        low, high = self.interval
        ends = (max(low, 0), high) if self.difference > 0 else (low, min(high, 0))
        said = higher_or_lower(self.difference, *ends, self.measure)
        return f"“{self.first}”: {said.size} than “{self.second}” ({level(confidence)} interval {said.range})."


def pairs(groups: Sequence[Value], confidence: float) -> tuple[Pair, ...]:
    """All pairs of groups, in their order."""
    couples = list(combinations(groups, 2))
    alpha = (1 - confidence) / len(couples)
    values = [one.p_value(other) for one, other in couples]
    rows = zip(couples, values, holm(values), benjamini_hochberg(values), strict=True)
    return tuple(_pair(couple, alpha, (p, float(by_holm), float(by_bh))) for couple, p, by_holm, by_bh in rows)


def _pair(couple: tuple[Value, Value], alpha: float, values: tuple[float, float, float]) -> Pair:
    """The interval of the difference from those of the two (Newcombe 1998; Zou and Donner 2008)."""
    one, other = couple
    a, b = (each.ends(1 - alpha) for each in couple)
    difference = one.value - other.value
    below = ((one.value - a[0]) ** 2 + (b[1] - other.value) ** 2) ** 0.5
    above = ((a[1] - one.value) ** 2 + (other.value - b[0]) ** 2) ** 0.5
    error = (one.standard_error**2 + other.standard_error**2) ** 0.5
    ends = difference - below, difference + above
    return Pair(one.name, other.name, difference, error, ends, *values, measure=one.measure)
