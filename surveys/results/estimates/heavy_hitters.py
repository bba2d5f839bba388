"""What a long list shows: the choices whose share is above 0, and how small a share the responses can tell from it.

All choices are looked at, so their intervals are exact ones that hold together, whatever kind a reader asks for; else
some of 20,000 would be found by chance alone.
"""

from dataclasses import dataclass

import numpy as np

from mechanisms import Estimate, planning
from mechanisms.planning import Channel
from surveys.definition.instrument import QuestionDefinition
from surveys.results.estimates.share_wording import Said
from surveys.site.number_format import digits_in_view, format_count, format_percent
from surveys.site.shape import ApiResult, api_field

MOST_NAMED = 4  # of many choices; beyond that a list of names tells nobody anything


@dataclass(frozen=True)
class FoundChoice(ApiResult):
    code: int = api_field("its place among the choices")
    label: str = api_field()
    estimate: float = api_field()
    interval: tuple[float, float] = api_field("for the whole list at once")


@dataclass(frozen=True)
class Found(ApiResult):
    """The choices clearly above 0, with exact intervals for the whole list at once."""

    choices: tuple[FoundChoice, ...] = api_field("the largest estimate first")
    least: float | None = api_field(
        "with so many responses an estimate below this may be only chance; null where they are too few for any"
    )
    size: int = api_field("number of choices in the list", name="of")


def detect_choices(item: QuestionDefinition, estimate: Estimate | None) -> Found | None:
    """Return the choices of a long list that are clearly above 0, or None."""
    if estimate is None or item.mechanism is None or not item.is_list:
        return None
    together, shares = estimate.simultaneous_estimate, estimate.proportions
    above = np.flatnonzero(together.intervals[:, 0] > 0)
    places = above[np.argsort(-shares[above], kind="stable")].tolist()
    ends = together.intervals[places].tolist()
    choices = (
        FoundChoice(place, item.choices[place], float(shares[place]), (low, high))
        for place, (low, high) in zip(places, ends, strict=True)
    )
    least = planning.smallest_detectable_share(
        Channel.of(item.mechanism), estimate.n, item.size, estimate.confidence
    )
    return Found(tuple(choices), None if np.isnan(least) else float(least), item.size)


@dataclass(frozen=True)
class DetectedChoicesText:
    """The detected choices in words."""

    found: Found
    n: int
    level: str

    @property
    def sentence(self) -> str:
        many, of = len(self.found.choices), f"of {format_count(self.found.size)} choices"
        if not many:
            return "No choice is clearly above 0 yet."
        return f"{format_count(many)} {of} {'is' if many == 1 else 'are'} clearly above 0."

    @property
    def stress(self) -> str:
        return f"{format_count(len(self.found.choices))} of {format_count(self.found.size)} choices"

    @property
    def detail(self) -> str:
        if not self.found.choices:
            return self.least
        highest = f"Highest estimate{'' if len(self.found.choices) == 1 else 's'}: {self._named}."
        return f"{highest} The ranges hold for the whole list at once ({self.level}). {self.least}"

    @property
    def least(self) -> str:
        """What so many responses cannot find."""
        responses, least = (
            f"With {format_count(self.n)} response{'' if self.n == 1 else 's'}",
            self.found.least,
        )
        if least is None:
            return f"{responses}, no share can be detected."
        return f"{responses}, a share below {format_percent(least, digits_in_view(least))} can’t be detected."

    @property
    def _named(self) -> str:
        """With their shares, unless a range is too wide for a number."""
        shares = [
            (each.label, Said(each.estimate, *each.interval))
            for each in self.found.choices[:MOST_NAMED]
        ]
        return ", ".join(
            f"“{label}”" if share.is_wide else f"“{label}” {share.number}"
            for label, share in shares
        )
