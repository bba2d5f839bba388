"""Statements about the mean and the quartiles of numbers, which can be the points of a scale."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from mechanisms import Functional
from mechanisms.estimation.quantiles import Quantile
from surveys.statements.family import ALONE, Family
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.rounding import MINUS, Rounding
from surveys.statements.sentences import SENTENCES, Text, after_name
from surveys.statements.statement import State, Statement

MEDIAN = 0.5
QUARTILES = {0.25: "lower quartile", MEDIAN: "median", 0.75: "upper quartile"}


@dataclass(frozen=True)
class MeanStatement(Statement):
    """A statement about the mean of the answers to a question, in the unit of their numbers.

    labels: the labels of the points, if the numbers are the points of a scale.
    """

    labels: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The statement in words: "Hours: 4.8 hours on average (95% range 4.4 to 5.2)."."""
        return after_name(self.quantity.name, self._text.sentence)

    @property
    def sentence_without_name(self) -> str:
        """The same, where the question is named before."""
        return after_name("", self._text.sentence)

    @property
    def detail(self) -> str:
        """The range of a mean on a scale, whose sentence has the ends of the scale instead."""
        return self._text.detail

    @property
    def stress(self) -> str:
        """The words of the sentence that carry it: "4.8 hours on average"."""
        return self._text.stress

    @property
    def scale_in_words(self) -> str:
        """The ends of the scale: "from 1 (“Never”) to 5 (“Always”)"; "" for other numbers."""
        if not self.labels:
            return ""
        lowest, highest = self._possible_ends
        return f"from {lowest} (“{self.labels[0]}”) to {highest} (“{self.labels[-1]}”)"

    @cached_property
    def _text(self) -> Text:
        """The sentence, the detail and the stressed words, without the name of the question."""
        key = f"mean {self.state}"
        if self.labels and self.state == State.NUMBER:
            key = "mean shown scale"
        template = SENTENCES[key]
        lowest, highest = self._possible_ends
        side, end, end_name = "above", highest, "highest"
        if self.interval[1] < self.quantity.lowest:
            side, end, end_name = "below", lowest, "lowest"
        words = {
            "number": self.number,
            "range_name": self.family.range_name,
            "range": self.range_in_words,
            "range_with_unit": self.range,
            "scale": self.scale_in_words,
            "computed_range": self._computed_range,
            "side": side,
            "end": end,
            "end_name": end_name,
        }
        return Text(
            sentence=template.sentence.format(**words),
            detail=template.detail.format(**words),
            stress=template.stress.format(**words),
        )

    @property
    def _possible_ends(self) -> tuple[str, str]:
        """The lowest and the highest number that can be answered, as texts."""
        lowest = number_text(self.quantity.lowest)
        highest = number_text(self.quantity.highest)
        return lowest, highest

    @property
    def _computed_range(self) -> str:
        """The range as it was computed, which can hold impossible means."""
        low, high = self.interval
        rounding = Rounding.for_range(low, high)
        return f"{rounding.text(rounding.low)} to {rounding.text(rounding.high)}"


@dataclass(frozen=True)
class QuartileStatement(Statement):
    """A statement about a quartile, which is a number that can be answered, as both ends are.

    share: at least this share of the answers are at most the quartile: 0.25, 0.5 or 0.75.
    """

    share: float = MEDIAN

    @property
    def name(self) -> str:
        """The name of the quartile: "lower quartile", "median" or "upper quartile"."""
        return QUARTILES[self.share]

    @property
    def is_median(self) -> bool:
        """True if half of the answers are at most the quartile."""
        return self.share == MEDIAN

    @cached_property
    def rounding(self) -> Rounding:
        """The range as it is, since its ends are whole numbers that can be answered."""
        low, high = self.interval
        return Rounding(low=low, high=high, decimals=0)

    @property
    def number_with_range(self) -> str:
        """The quartile and its range, with the unit once: "4 days (3 to 5)"."""
        return f"{self.estimate_text} ({self.range_in_words})"

    @property
    def sentence(self) -> str:
        """The statement in words; "" for a quartile that is not shown."""
        if not self.is_shown:
            return ""
        low, high = self.interval
        ends = (self.quantity.lowest, self.quantity.highest)
        if low < high:
            key = "quartile"
        elif self.is_median and low in ends:
            # A median at an end of what can be answered is the answer of at least half.
            key = "median at an end"
        else:
            key = "quartile of one value"
        return SENTENCES[key].sentence.format(
            quartile=self.name,
            number=self.number,
            range_name=self.family.range_name,
            range=self.range_in_words,
        )


def mean_statement(
    mean: Functional,
    values: Sequence[int],
    *,
    n: int,
    confidence: float,
    method: str = "wald",
    name: str = "",
    group: str = "",
    unit: str = "",
    labels: tuple[str, ...] = (),
    least_n: int = 0,
) -> MeanStatement:
    """Return the statement about a mean.

    mean: its estimate, in the unit of the answers.
    values: the numbers that can be answered, in increasing order. “Prefer not to say” is none of
        them, so a mean of those who gave a number is as wide as these numbers allow.
    confidence: the confidence level of the interval.
    unit: the unit of the numbers without a space: "hours"; "" if they have none.
    """
    quantity = _quantity_of_numbers(Kind.MEAN, values, name=name, group=group, unit=unit)
    return MeanStatement(
        quantity=quantity,
        n=n,
        estimate=mean.value,
        interval=mean.interval,
        method=method,
        family=Family(confidence=confidence),
        least_n=least_n,
        labels=labels,
    )


def quartile_statements(
    quartiles: Iterable[Quantile],
    values: Sequence[int],
    *,
    n: int,
    confidence: float,
    name: str = "",
    unit: str = "",
) -> tuple[QuartileStatement, ...]:
    """Return the statements about estimated quartiles.

    quartiles: as the library estimated them, as indexes of `values`.
    values, confidence, unit: as of `mean_statement`.
    """
    quantity = _quantity_of_numbers(Kind.QUARTILE, values, name=name, unit=unit)
    statements = []
    for quartile in quartiles:
        low, high = quartile.interval
        statement = QuartileStatement(
            quantity=quantity,
            n=n,
            estimate=values[quartile.value],
            interval=(values[low], values[high]),
            method="bootstrap",
            family=Family(confidence=confidence),
            share=quartile.at,
        )
        statements.append(statement)
    return tuple(statements)


def known_median(median: int, values: Sequence[int], *, n: int) -> QuartileStatement:
    """Return the statement about the median of answers that were counted as they are.

    values: the numbers that could be answered, in increasing order.
    """
    return QuartileStatement(
        quantity=_quantity_of_numbers(Kind.QUARTILE, values),
        n=n,
        estimate=median,
        interval=(median, median),
        method="counted",
        family=ALONE,
    )


def number_text(value: float) -> str:
    """Return a number that can be answered as text, with a real minus sign."""
    return f"{value:.0f}".replace("-", MINUS)


def _quantity_of_numbers(
    kind: Kind, values: Sequence[int], *, name: str = "", group: str = "", unit: str = ""
) -> Quantity:
    """Return the quantity of numbers, which are printed as they are."""
    space = " " if unit else ""
    return Quantity(
        kind=kind,
        name=name,
        group=group,
        unit=f"{space}{unit}",
        factor=1,
        lowest=float(values[0]),
        highest=float(values[-1]),
    )
