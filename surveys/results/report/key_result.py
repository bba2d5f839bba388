"""A key result: what every headline is made of."""

from dataclasses import dataclass, replace
from enum import StrEnum

from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.estimates.share_wording import Said
from surveys.site.number_format import format_count, format_percent

TOO_WIDE = "Four times as many responses would halve the range."
TOO_UNCERTAIN = "These results are too uncertain to use."
LOOK = "Look at Data checks first."


class Verdict(StrEnum):
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
    """What the shared scale draws: unbiased, as estimated, not cut. Fractions; of a number its own unit."""

    label: str
    estimate: float
    low: float
    high: float

    @classmethod
    def of(cls, choice: ChoiceReport) -> "Bar":
        return cls(choice.label, choice.estimate, *choice.interval)


@dataclass(frozen=True)
class Finding:
    """stress: the words of the sentence that carry it. number, range: empty where no number is supported.

    scale: the least and the largest number allowed, for a question whose bars are numbers and not shares.
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
        """Whether the bars show how little is known, and no result."""
        return self.verdict in (Verdict.FEW, Verdict.WIDE, Verdict.IMPOSSIBLE)

    @property
    def is_withheld(self) -> bool:
        """True if the number is withheld as too uncertain, so that no mark may show it."""
        return self.verdict in (Verdict.FEW, Verdict.WIDE)

    @property
    def headline(self) -> str:
        """All of it in words."""
        return f"{self.sentence} {self.detail}".strip()

    def without_number(self, verdict: Verdict, sentence: str, detail: str) -> "Finding":
        """The same bars, and no number in words."""
        return replace(
            self, verdict=verdict, sentence=sentence, detail=detail, stress="", number="", range=""
        )


def named(question: QuestionReport, words: str) -> str:
    """ "Copied in an exam: about 1 in 4.": the words after the question's short name, where it has one."""
    return f"{question.short}: {words}" if question.short else f"{words[:1].upper()}{words[1:]}"


def few(question: QuestionReport, n: int) -> Finding:
    """n: answers that it could be about."""
    sentence = f"Too few responses to report: {format_count(n)}."
    if question.picks:
        sentence = (
            f"Too few responses to report: {format_count(n)}; each option was picked at least "
            f"{format_count(question.fewest)} times."
        )
    bars = (Bar.of(question.choices[1]),) if question.is_yes_no and question.design else ()
    return Finding(Verdict.FEW, sentence, TOO_UNCERTAIN, bars=bars)


def impossible(question: QuestionReport, choice: ChoiceReport, name: str) -> Finding:
    """An interval misses now and then, so this is no proof of anything; the check of the received shares decides.

    name: of what is below 0% or above 100%.
    """
    low, high = choice.interval
    way, end = ("below", "0%") if high < 0 else ("above", "100%")
    digits = Said(choice.estimate, low, high).digits
    one_in = round(2 / (1 - question.basis.level))
    detail = (
        f"The whole range ({format_percent(low, digits)} to "
        f"{format_percent(high, digits)}) is {way} {end}. If the true share is "
        f"{end}, chance does this in about 1 in {format_count(one_in)} surveys. {LOOK}"
    )
    return Finding(
        Verdict.IMPOSSIBLE, f"{name}: the estimate is {way} {end}.", detail, bars=(Bar.of(choice),)
    )
