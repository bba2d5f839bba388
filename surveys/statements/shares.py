"""Statements about the share of an answer."""

from dataclasses import dataclass, replace
from functools import cached_property

from mechanisms import Estimate
from surveys.site.number_format import format_count
from surveys.statements.family import ALONE, Family
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.rounding import Rounding
from surveys.statements.sentences import SENTENCES, Text, after_condition
from surveys.statements.statement import Printed, State, Statement

# How far a simple fraction may be from the estimate, as a part of the rarer side.
NEAR = 0.1
# The fractions in which people speak of shares.
_ONE_IN = (3, 4, 5, 6, 7, 8, 9, 10, 20, 25, 30, 40, 50, 100, 150, 200, 250, 300, 400, 500, 1000)
_SEVERAL_IN_TEN = ((3, 10), (4, 10), (6, 10), (7, 10), (8, 10), (9, 10))
_OTHER_FRACTIONS = ((2, 3), (3, 4), (19, 20), (99, 100))
# The bounds in words, in per cent. Above the last one, bounds are whole per cents.
SIMPLE_BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5)
# From so many on, a bound is said as "1 in 20" instead of "5%".
LEAST_ONE_IN = 20


@dataclass(frozen=True)
class ShareStatement(Statement):
    """A statement about the share of an answer. The values are fractions."""

    @property
    def is_counted(self) -> bool:
        """True if the share was counted, so that it is known without a range."""
        return False

    @property
    def words(self) -> str:
        """The share as people say it: "about 1 in 4", "at most 1 in 20", "between 12% and 40%"."""
        if self.state == State.AT_MOST:
            return self._at_most()
        if self.state == State.AT_LEAST:
            return self._at_least()
        if self.state == State.NUMBER:
            return f"about {self._fraction()}"
        return self.number_in_words

    @cached_property
    def text(self) -> Text:
        """The sentence, the detail behind it, and the words that carry it."""
        key = str(self.state)
        low, high = self.interval
        if self.state == State.WITHHELD and low <= 0 and high >= 1:
            key = "anything"
        named = "named" if self.quantity.name else "unnamed"
        words = self.words
        template = SENTENCES[f"share {key} {named}"]
        sentence = template.sentence.format(
            name=self.quantity.name,
            answer=self.quantity.answer,
            words=words,
            capitalized_words=words[:1].upper() + words[1:],
            range=self.range_in_words,
            side=self._impossible_side,
            end=self._impossible_end,
        )
        detail = template.detail.format(
            number=self.number,
            range_name=self.family.range_name,
            range=self.range_in_words,
            unbiased=self.unbiased_text,
            computed_range=self.computed_range,
            side=self._impossible_side,
            end=self._impossible_end,
            surveys=format_count(round(2 / self.family.alpha)),
        )
        stress = words.removeprefix("about ") if self.is_shown else ""
        if stress and stress not in sentence:
            stress = stress[:1].upper() + stress[1:]
        text = Text(sentence=sentence, detail=detail, stress=stress)
        return after_condition(self.quantity.among, text, self.quantity.name)

    @property
    def sentence(self) -> str:
        """The statement in words: "Copied in an exam: about 1 in 4."."""
        return self.text.sentence

    @property
    def detail(self) -> str:
        """The number and its range: "26.8% (95% range 24.1% to 29.5%)."."""
        return self.text.detail

    @property
    def stress(self) -> str:
        """The words of the sentence that carry it: "1 in 4"."""
        return self.text.stress

    @property
    def _impossible_side(self) -> str:
        """The side of an impossible range: "below" or "above" all possible shares."""
        return "below" if self.interval[1] < 0 else "above"

    @property
    def _impossible_end(self) -> str:
        """The possible share that is nearest to an impossible range."""
        return "0%" if self.interval[1] < 0 else "100%"

    @property
    def computed_range(self) -> str:
        """The range as it was computed, which can hold impossible shares."""
        low, high = self.interval
        rounding = Rounding.for_range(100 * low, 100 * high)
        return f"{rounding.text(rounding.low)}% to {rounding.text(rounding.high)}%"

    def _fraction(self) -> str:
        """Return the estimate as a simple fraction that lies in the range, or as per cents."""
        low, high = self.interval
        rarer = min(self.estimate, 1 - self.estimate)
        value, words = _nearest_fraction(self.estimate)
        if abs(value - self.estimate) <= NEAR * rarer and low <= value <= high:
            return words
        hundredths = round(100 * self.estimate)
        if low <= hundredths / 100 <= high and 2 <= hundredths <= 98:
            return f"{hundredths} in 100"
        return self.estimate_text

    def _at_most(self) -> str:
        """Return the upper bound in words, which may be coarser than the printed end."""
        bound = simple_bound(self.rounding.high)
        one_in = 100 / bound
        if one_in >= LEAST_ONE_IN and one_in.is_integer():
            return f"at most 1 in {one_in:,.0f}"
        return f"at most {bound:g}%"

    def _at_least(self) -> str:
        """Return the lower bound in words, which may be coarser than the printed end."""
        rest = simple_bound(100 - self.rounding.low)
        one_in = 100 / rest
        if one_in >= LEAST_ONE_IN and one_in.is_integer():
            return f"at least {one_in - 1:,.0f} in {one_in:,.0f}"
        return f"at least {round(100 - rest, 2):g}%"


@dataclass(frozen=True)
class CountedShare(ShareStatement):
    """A statement about the share of an answer that was not scrambled: what was counted is known.

    It has whole per cents and no range.
    """

    @property
    def is_counted(self) -> bool:
        """True: the share was counted."""
        return True

    @cached_property
    def state(self) -> State:
        """The number is known, so it is always shown."""
        return State.NUMBER

    @cached_property
    def rounding(self) -> Rounding:
        """The share as whole per cents."""
        percent = round(100 * self.estimate) + 0.0
        return Rounding(low=percent, high=percent, decimals=0)

    @property
    def range(self) -> str:
        """The share has no range, but a count: "667 of 1,000"."""
        return f"{format_count(round(self.estimate * self.n))} of {format_count(self.n)}"

    @property
    def printed(self) -> Printed:
        """The share as whole per cents, without a range."""
        return replace(super().printed, low=None, high=None)


def counted_share(value: float, *, n: int, name: str = "", answer: str = "") -> CountedShare:
    """Return the statement about the share of an answer that was not scrambled.

    value: the counted share, as a fraction.
    n: the number of responses.
    """
    return CountedShare(
        quantity=Quantity(kind=Kind.SHARE, name=name, answer=answer, is_scrambled=False),
        n=n,
        estimate=value,
        interval=(value, value),
        method="counted",
    )


def _nearest_fraction(share: float) -> tuple[float, str]:
    """Return the simple fraction that is nearest to a share: its value, and its words."""
    fractions = [(1 / 2, "half")]
    fractions += [(1 / n, f"1 in {n}") for n in _ONE_IN]
    fractions += [(k / n, f"{k} in {n}") for k, n in (*_SEVERAL_IN_TEN, *_OTHER_FRACTIONS)]
    return min(fractions, key=lambda fraction: abs(fraction[0] - share))


def share_statement(
    estimate: Estimate,
    code: int,
    *,
    name: str = "",
    answer: str = "",
    group: str = "",
    among: str = "",
    is_scrambled: bool = True,
    least_n: int = 0,
) -> ShareStatement:
    """Return the statement about the share of one answer in the reports to a question.

    estimate: what the library estimated of all answers.
    code: the code of the answer.
    name, answer, group, among, is_scrambled: as of `Quantity`.
    """
    low, high = estimate.intervals[code].tolist()
    return share_of(
        float(estimate.proportions[code]),
        (low, high),
        n=int(estimate.informative_reports[code]),
        method=estimate.interval,
        family=Family.for_level(estimate.level, estimate.confidence),
        name=name,
        answer=answer,
        group=group,
        among=among,
        is_scrambled=is_scrambled,
        least_n=least_n,
    )


def share_of(
    value: float,
    interval: tuple[float, float],
    *,
    n: int = 0,
    method: str = "",
    family: Family = ALONE,
    name: str = "",
    answer: str = "",
    group: str = "",
    among: str = "",
    is_scrambled: bool = True,
    least_n: int = 0,
) -> ShareStatement:
    """Return the statement about a share that was computed elsewhere.

    value, interval: the estimate and its interval, as fractions.
    """
    quantity = Quantity(
        kind=Kind.SHARE,
        name=name,
        answer=answer,
        group=group,
        among=among,
        is_scrambled=is_scrambled,
    )
    return ShareStatement(
        quantity=quantity,
        n=n,
        estimate=value,
        interval=interval,
        method=method,
        family=family,
        least_n=least_n,
    )


def simple_bound(percent: float) -> float:
    """Return a per cent that people say easily and that is at least `percent`."""
    for bound in SIMPLE_BOUNDS:
        if bound >= percent - 1e-9:
            return bound
    whole = int(percent)
    return whole if whole >= percent - 1e-9 else whole + 1
