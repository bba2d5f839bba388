"""Statements about whether the answers to two questions go together."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from mechanisms import Association as Phi
from mechanisms.analysis.independence import Independence
from surveys.site.number_format import format_p_value
from surveys.statements.family import ALONE, Family
from surveys.statements.rounding import Rounding
from surveys.statements.sentences import TABLES, Text


class AssociationState(StrEnum):
    """The states of a statement about an association."""

    CLEAR = "clear"
    NOT_CLEAR = "not_clear"
    TOO_FEW = "too_few"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Association:
    """A statement about the association of two questions.

    name: the short names of both: "Tax and Region".
    independence: the test of independence, or None if the errors of the counts are not known.
    is_two_by_two: True for a table of two by two answers, which has a strength (phi).
    phi: its strength, or None if it can't be measured.
    """

    name: str
    independence: Independence | None
    is_two_by_two: bool
    phi: Phi | None
    family: Family = ALONE

    @cached_property
    def state(self) -> AssociationState:
        """Whether an association is clear.

        The test has to show it, and in a table of two by two answers the interval of phi, too.
        """
        if self.independence is None:
            return AssociationState.UNKNOWN
        if self.is_two_by_two and self.phi is None:
            return AssociationState.TOO_FEW
        if self.independence.p_value >= self.family.alpha:
            return AssociationState.NOT_CLEAR
        if self.phi is not None and _holds_zero(self.phi.interval):
            return AssociationState.NOT_CLEAR
        return AssociationState.CLEAR

    @property
    def is_clear(self) -> bool:
        """True if the sentence says that both are associated."""
        return self.state == AssociationState.CLEAR

    @property
    def is_strong(self) -> bool:
        """True if phi is estimated beyond 1, so only the other end of its interval is known."""
        return self.phi is not None and abs(self.phi.value) > 1

    @cached_property
    def rounding(self) -> Rounding:
        """The possible part of the interval of phi, rounded outwards. There must be a phi."""
        low, high = self.phi.interval
        return Rounding.for_range(max(low, -1.0), min(high, 1.0))

    @property
    def phi_text(self) -> str:
        """Phi as it is printed: "0.31"."""
        return self.rounding.text(self.rounding.round(self.phi.value))

    @property
    def method(self) -> str:
        """The method of the test: "chi-square", "permutation", or "" without a test."""
        return "" if self.independence is None else self.independence.method

    @cached_property
    def text(self) -> Text:
        """The sentence, and for a larger table the test behind it."""
        key = str(self.state)
        words: dict[str, object] = {"name": self.name}
        if self.is_clear and self.is_strong:
            key = "clear strong"
        elif self.is_clear and self.phi:
            key = "clear phi"
        if self.is_clear and self.phi:
            low, high = self.rounding.low, self.rounding.high
            words["phi"] = self.phi_text
            words["range_name"] = self.family.range_name
            words["range"] = f"{self.rounding.text(low)} to {self.rounding.text(high)}"
            words["bound"] = f"at least {self.rounding.text(low)}"
            if high < 0:
                words["bound"] = f"at most {self.rounding.text(high)}"
        template = TABLES[key]
        detail = self._test_in_words if key == "clear" else ""
        return Text(template.sentence.format(**words), detail)

    @property
    def _test_in_words(self) -> str:
        """The method of the test with its p-value."""
        test = self.independence
        if test.method == "permutation":
            return f"Permutation test, {format_p_value(test.p_value)}."
        numbers = f"{test.statistic:.1f}, {test.degrees} df"
        return f"Chi-square test ({numbers}), {format_p_value(test.p_value)}."


def _holds_zero(interval: tuple[float, float]) -> bool:
    """Return whether an interval includes 0."""
    low, high = interval
    return low <= 0 <= high
