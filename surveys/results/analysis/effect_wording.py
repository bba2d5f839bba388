"""Differences and shares in words, which never say more than their interval does."""

from typing import NamedTuple

from surveys.results.analysis.measures import POINTS, Measure
from surveys.results.estimates.share_wording import Said
from surveys.site.number_format import level


class Size(NamedTuple):
    """size: "8.2 percentage points higher". range: "2.9 to 13.5 higher"."""

    size: str
    range: str


def higher_or_lower(difference: float, low: float, high: float, measure: Measure = POINTS) -> Size:
    """A difference with its interval."""
    ends = low, high
    amounts, (below, above) = [measure.amount(end, ends) for end in ends], measure.ways
    if low >= 0:
        said = f"{amounts[0]} to {amounts[1]} {above}"
    elif high <= 0:
        said = f"{amounts[1]} to {amounts[0]} {below}"
    else:
        said = f"{amounts[0]} {below} to {amounts[1]} {above}"
    return Size(measure.size(difference, ends), said)


def share_in_words(estimate: float, interval: tuple[float, float], confidence: float) -> str:
    """ "58% (95% range 46 to 70%)", or its bounds alone where they are too wide for a number."""
    share = Said(estimate, *interval)
    if share.is_wide or share.is_impossible:
        return f"{share.bounds} ({level(confidence)} range)"
    return f"{share.number} ({level(confidence)} range {share.range})"
