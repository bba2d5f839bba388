"""The choices of a long list that are clearly above 0, and the smallest share that can be detected.

All choices are looked at, so their intervals are exact ones that hold together, whatever kind of
interval a reader asks for. Otherwise some of 20,000 choices would be found by chance alone.
"""

from dataclasses import dataclass

import numpy as np

from mechanisms import Estimate, planning
from mechanisms.planning import Channel
from surveys.definition.instrument import QuestionDefinition
from surveys.site.number_format import digits_in_view, format_count, format_percent
from surveys.site.shape import ApiResult, api_field
from surveys.statements.rankings import MOST_NAMED
from surveys.statements.results import StatementFields, statement_fields
from surveys.statements.shares import ShareStatement, share_statement


@dataclass(frozen=True, kw_only=True)
class FoundChoice(StatementFields):
    """A choice that is clearly above 0."""

    code: int = api_field("its place among the choices")
    label: str = api_field()
    estimate: float = api_field()
    interval: tuple[float, float] = api_field("for the whole list at once")
    share: ShareStatement = api_field(sent=False)


@dataclass(frozen=True)
class Found(ApiResult):
    """The choices clearly above 0, with exact intervals for the whole list at once."""

    choices: tuple[FoundChoice, ...] = api_field("the largest estimate first")
    least: float | None = api_field(
        "with so many responses an estimate below this may be only chance; null where they are too few for any"
    )
    size: int = api_field("number of choices in the list", name="of")


def detect_choices(item: QuestionDefinition, estimate: Estimate | None) -> Found | None:
    """Return the choices of a long list that are clearly above 0, or None for other questions."""
    if estimate is None or item.mechanism is None or not item.is_list:
        return None
    together = estimate.simultaneous_estimate
    codes = np.flatnonzero(together.intervals[:, 0] > 0)
    largest_first = np.argsort(-estimate.proportions[codes], kind="stable")
    choices = []
    for code in codes[largest_first].tolist():
        share = share_statement(together, code, name=item.short, answer=item.choices[code])
        choice = FoundChoice(
            code=code,
            label=item.choices[code],
            estimate=share.estimate,
            interval=share.interval,
            share=share,
            **statement_fields(share),
        )
        choices.append(choice)
    least = float(
        planning.smallest_detectable_share(
            Channel.of(item.mechanism), estimate.n, item.size, estimate.confidence
        )
    )
    return Found(
        choices=tuple(choices),
        least=None if np.isnan(least) else least,
        size=item.size,
    )


@dataclass(frozen=True)
class DetectedChoicesText:
    """The detected choices in words.

    n: the number of responses.
    level: the confidence level in words: "95%".
    """

    found: Found
    n: int
    level: str

    @property
    def sentence(self) -> str:
        """How many choices are above 0: "3 of 2,000 choices are clearly above 0."."""
        if not self.found.choices:
            return "No choice is clearly above 0 yet."
        verb = "is" if len(self.found.choices) == 1 else "are"
        return f"{self.stress} {verb} clearly above 0."

    @property
    def stress(self) -> str:
        """The words that carry the sentence: "3 of 2,000 choices"."""
        n_detected = format_count(len(self.found.choices))
        return f"{n_detected} of {format_count(self.found.size)} choices"

    @property
    def detail(self) -> str:
        """The choices with the highest estimates, and the least share that can be detected."""
        if not self.found.choices:
            return self.least
        plural = "" if len(self.found.choices) == 1 else "s"
        return (
            f"Highest estimate{plural}: {self._named}. The ranges hold for the whole list at once "
            f"({self.level}). {self.least}"
        )

    @property
    def least(self) -> str:
        """The share below which so many responses detect nothing."""
        plural = "" if self.n == 1 else "s"
        responses = f"With {format_count(self.n)} response{plural}"
        least = self.found.least
        if least is None:
            return f"{responses}, no share can be detected."
        percent = format_percent(least, digits_in_view(least))
        return f"{responses}, a share below {percent} can’t be detected."

    @property
    def _named(self) -> str:
        """The labels of the first choices, with their shares unless these are withheld."""
        names = []
        for choice in self.found.choices[:MOST_NAMED]:
            number = "" if choice.share.is_withheld else f" {choice.share.number_in_words}"
            names.append(f"“{choice.label}”{number}")
        return ", ".join(names)
