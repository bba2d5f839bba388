"""The key result of a question: a sentence, a number if the range supports one, and bars."""

from dataclasses import dataclass
from enum import StrEnum

from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.site.number_format import format_count
from surveys.statements.shares import ShareStatement

TOO_UNCERTAIN = "These results are too uncertain to use."


class Verdict(StrEnum):
    """The verdicts on a key result: whether it supports a statement, and if not, why."""

    CLEAR = "clear"
    OVERLAP = "cannot be told apart"
    WIDE = "too wide"
    FEW = "too few"
    IMPOSSIBLE = "impossible"
    EMPTY = "nothing yet"
    FILTERED = "filtered"
    WITHHELD = "not shown"


@dataclass(frozen=True)
class Bar:
    """A bar on the scale that all questions share.

    estimate, low, high: as they were estimated, without a cut. Fractions, or the unit of a number.
    is_withheld: True if the range supports no number, so that no mark shows its middle.
    range: the printed range of a share.
    """

    label: str
    estimate: float
    low: float
    high: float
    is_withheld: bool = False
    range: str = ""

    @classmethod
    def of(cls, share: ShareStatement) -> "Bar":
        """Return the bar of a share."""
        low, high = share.interval
        return cls(
            label=share.quantity.answer,
            estimate=share.estimate,
            low=low,
            high=high,
            is_withheld=share.is_withheld,
            range=share.range,
        )


@dataclass(frozen=True)
class Finding:
    """A key result.

    stress: the words of the sentence that carry it.
    number, range: empty if no number is supported.
    scale: the smallest and the largest number allowed, for a question whose bars are numbers and
        not shares.
    """

    verdict: Verdict
    sentence: str
    detail: str = ""
    stress: str = ""
    number: str = ""
    range: str = ""
    bars: tuple[Bar, ...] = ()
    scale: tuple[float, float] | None = None

    @property
    def is_pale(self) -> bool:
        """True if the bars show how little is known, and no result."""
        return self.verdict in (Verdict.FEW, Verdict.WIDE, Verdict.IMPOSSIBLE)

    @property
    def is_withheld(self) -> bool:
        """True if the number is withheld as too uncertain, so that no mark may show it."""
        return self.verdict in (Verdict.FEW, Verdict.WIDE)

    @property
    def headline(self) -> str:
        """The sentence with its detail."""
        return f"{self.sentence} {self.detail}".strip()


def few(question: QuestionReport, n: int) -> Finding:
    """Return the key result of a question with too few answers.

    n: the number of answers that it could be about.
    """
    sentence = f"Too few responses to report: {format_count(n)}."
    if question.picks:
        sentence = (
            f"Too few responses to report: {format_count(n)}; each option was picked at least "
            f"{format_count(question.fewest)} times."
        )
    bars: tuple[Bar, ...] = ()
    if question.is_yes_no and question.design:
        bars = (Bar.of(question.statement(question.choices[YES])),)
    return Finding(Verdict.FEW, sentence, TOO_UNCERTAIN, bars=bars)
