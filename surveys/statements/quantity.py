"""Quantities: the kind of a number, its names, its unit, and the values that it can have."""

from dataclasses import dataclass
from enum import StrEnum

# A range that is longer than this part of all possible values supports no number.
WIDEST = 0.20


class Kind(StrEnum):
    """The kinds of quantities that statements are about."""

    SHARE = "share"
    MEAN = "mean"
    QUARTILE = "quartile"
    DIFFERENCE = "difference"
    SLOPE = "slope"
    ASSOCIATION = "association"
    TEXT_SHARE = "text_share"
    MARGIN = "margin"
    POWER = "power"


# Their values are fractions, and they are printed in per cent or in percentage points.
KINDS_OF_SHARES = (Kind.SHARE, Kind.TEXT_SHARE)


@dataclass(frozen=True)
class Quantity:
    """The quantity that a number is about.

    kind: the kind of the number.
    name: the short name of the question; "" if it has none.
    answer: the label of the answer whose share it is; "" for other kinds.
    group: the group that it is about; "" for all people.
    among: a clause that says who was asked, if not everyone was: answered “Female” to “Sex”.
    unit: what stands behind the printed number: "%", " hours", " points".
    factor: what a value is multiplied by to be printed: 100 for shares.
    lowest, highest: the possible values.
    is_scrambled: False for the share of an answer that was sent as it is. A count is known, so no
        range is too wide for it.
    """

    kind: Kind
    name: str = ""
    answer: str = ""
    group: str = ""
    among: str = ""
    unit: str = "%"
    factor: float = 100
    lowest: float = 0.0
    highest: float = 1.0
    is_scrambled: bool = True

    @property
    def has_bounds(self) -> bool:
        """True if a range that reaches the lowest or highest value is a bound, as for shares.

        Nobody takes part in a mean that is “at most 3”: such a range is an ordinary one.
        """
        return self.kind in KINDS_OF_SHARES

    @property
    def noun(self) -> str:
        """The word for the quantity in sentences: "share" or "mean"."""
        if self.kind in KINDS_OF_SHARES:
            return "share"
        return str(self.kind)

    def is_too_wide(self, interval: tuple[float, float]) -> bool:
        """Return whether an interval is too long for a number.

        It is measured before anything is cut off. A range that lies mostly outside the possible
        values is not narrow for that reason.
        """
        if not self.is_scrambled:
            return False
        low, high = interval
        return high - low > WIDEST * (self.highest - self.lowest)

    def is_impossible(self, interval: tuple[float, float]) -> bool:
        """Return whether an interval holds no possible value."""
        low, high = interval
        return high < self.lowest or low > self.highest

    def clip(self, value: float) -> float:
        """Return the possible value that is nearest."""
        return min(max(value, self.lowest), self.highest)
