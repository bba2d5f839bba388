"""A change of one share or mean since an earlier version: its numbers, its verdict, its sentence and its figure."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.groups.values import Value
from surveys.results.analysis.measures import POINTS, Interval, Measure
from surveys.results.estimates.numeric import WIDE as WIDE_MEAN
from surveys.results.estimates.share_wording import WIDE, Said
from surveys.results.figures.axes import numbers_axis
from surveys.results.figures.dot_plot import Figure, Mark, Row, figure_of
from surveys.site.number_format import format_level, format_percent

Verdict = Literal["up", "down", "no_clear_change", "too_few_answers"]


@dataclass(frozen=True)
class Named:
    """What a sentence calls a question, or one answer of it. text: the question's own words, which stand beneath."""

    key: str
    short: str
    text: str
    answer: str = ""

    @classmethod
    def of(cls, item: QuestionDefinition) -> Self:
        return cls(item.key, item.short or item.full_text, item.full_text)

    @property
    def whole(self) -> str:
        return f"{self.short}, “{self.answer}”" if self.answer else self.short


@dataclass(frozen=True)
class Level:
    """The share or mean of one version, with the range that the report has."""

    value: Value

    @property
    def n(self) -> int:
        return self.value.n

    @property
    def estimate(self) -> float:
        return self.value.value

    @cached_property
    def interval(self) -> Interval:
        mark = self.value.row().mark
        if mark is None or mark.low is None or mark.high is None:
            raise TypeError("A level has a range.")
        return mark.low, mark.high

    @property
    def is_mean(self) -> bool:
        return self.value.part.is_mean

    @property
    def withheld(self) -> bool:
        """Whether its range is too wide for a number."""
        low, high = self.interval
        return high - low > (_span(self.value) * WIDE_MEAN if self.is_mean else WIDE)

    @property
    def is_impossible(self) -> bool:
        return not self.is_mean and Said(self.estimate, *self.interval).is_impossible

    @property
    def number(self) -> str:
        """With one decimal, for a change beside two shares is that of the printed ones; of a bound the bound."""
        if self.withheld or self.is_impossible:
            return ""
        if self.is_mean:
            return self.value.measure.value(self.estimate, self.interval)
        share = Said(self.estimate, *self.interval)
        return format_percent(self.estimate) if share.low > 0 and share.high < 1 else share.headline

    @property
    def range(self) -> str:
        if self.is_mean:
            return " to ".join(
                self.value.measure.value(end, self.interval) for end in self.interval
            )
        return (
            "no possible share" if self.is_impossible else Said(self.estimate, *self.interval).range
        )

    def row(self, label: str, *, is_now: bool) -> Row:
        mark = Mark(
            self.estimate,
            *self.interval,
            is_pale=not is_now or self.withheld,
            is_withheld=self.withheld,
        )
        return Row(label, self.number, self.range, mark)


def _span(value: Value) -> float:
    numbers = value.part.item.answer_values
    return float(numbers[-1] - numbers[0])


@dataclass(frozen=True)
class Change:
    """values: of now and of then. interval: of this change alone; simultaneous: of the whole family, which decides."""

    values: tuple[Value, Value]
    interval: Interval
    simultaneous: Interval
    p: float
    p_together: float
    verdict: Verdict
    confidence: float
    since: str
    name: Named

    @property
    def now(self) -> Level:
        return Level(self.values[0])

    @property
    def earlier(self) -> Level:
        return Level(self.values[1])

    @property
    def difference(self) -> float:
        return self.values[0].value - self.values[1].value

    @property
    def measure(self) -> Measure:
        return self.values[0].measure

    @property
    def clear(self) -> bool:
        return self.verdict in ("up", "down")

    @property
    def verdict_name(self) -> str:
        return self.verdict.replace("_", " ").capitalize()

    @property
    def withheld(self) -> bool:
        """Whether the range of the change is too wide for a number."""
        low, high = self.simultaneous
        return high - low > (_span(self.values[0]) * WIDE_MEAN if self.now.is_mean else WIDE)

    @property
    def _printed(self) -> float:
        """Beside two shares with one decimal the difference of these, unless the range needs more decimals."""
        if self.measure is not POINTS or self.measure.digits(self.simultaneous) > 1:
            return self.difference
        return round(round(self.values[0].value, 3) - round(self.values[1].value, 3), 3)

    @property
    def signed(self) -> str:
        return (
            ""
            if self.withheld or not self.clear
            else self.measure.signed(self._printed, self.simultaneous)
        )

    @property
    def signed_range(self) -> str:
        return self.measure.signed_range(self.simultaneous)

    @property
    def unit(self) -> str:
        return " points" if self.measure is POINTS else self.measure.unit

    @property
    def headline(self) -> str:
        """What a card has as its title: no range, and no number that its range is too wide for."""
        if self.verdict == "too_few_answers":
            return f"Too few answers for a statement about “{self.name.whole}”"
        if not self.clear:
            return f"{self.name.whole}: {self._unclear[0].lower()}{self._unclear[1:]}"
        size = (
            self._range if self.withheld else self.measure.amount(self._printed, self.simultaneous)
        )
        return f"{self.name.whole}: {self.verdict} {size}{self.unit} since {self.since}"

    @property
    def sentence(self) -> str:
        if not self.clear or self.withheld:
            name = f" ({format_level(self.confidence)} range)" if self.clear else ""
            return f"{self.headline}{name}."
        return f"{self.headline} ({format_level(self.confidence)} range {self._range})."

    @property
    def _range(self) -> str:
        """Of a clear change, by size."""
        low, high = sorted(map(abs, self.simultaneous))
        return f"{self.measure.amount(low, self.simultaneous)} to {self.measure.amount(high, self.simultaneous)}"

    @property
    def _unclear(self) -> str:
        """How large a change can be, rounded up."""
        down, up = (self.measure.up_to(abs(end)) for end in self.simultaneous)
        return f"No clear change since {self.since}: between {down} down and {up} up"

    def row(self) -> Row:
        mark = Mark(
            self.difference,
            *self.simultaneous,
            is_pale=not self.clear or self.withheld,
            is_withheld=self.withheld,
        )
        return Row(self.verdict_name, self.signed, self.signed_range, mark)


@dataclass(frozen=True)
class Question:
    """A question of both versions. days: of then and of now."""

    name: Named
    kind: str
    days: tuple[str, str]
    changes: tuple[Change, ...]

    @property
    def is_clear(self) -> bool:
        return any(change.clear for change in self.changes)

    @property
    def main(self) -> Change:
        """The one that a card's title is about: the clear one whose change is largest, else the widest range."""
        clear = [change for change in self.changes if change.clear]
        return max(clear or self.changes, key=lambda change: max(map(abs, change.simultaneous)))

    @property
    def line(self) -> str:
        """Of a question without a clear change: how large one can be."""
        if len(self.changes) == 1 or self.is_clear:
            return self.main.sentence
        if all(change.verdict == "too_few_answers" for change in self.changes):
            return f"Too few answers for a statement about “{self.name.short}”."
        down = min(change.simultaneous[0] for change in self.changes)
        up = max(change.simultaneous[1] for change in self.changes)
        measure = self.main.measure
        sizes = f"between {measure.up_to(abs(down))} down and {measure.up_to(abs(up))} up"
        return f"{self.name.short}: no clear change of any answer since {self.main.since}: {sizes}."

    @property
    def levels(self) -> Figure:
        """Shares or means, then in grey and now."""
        rows = []
        for change in self.changes:
            rows += [Row(change.name.answer, is_heading=True)] if change.name.answer else []
            rows += [
                change.earlier.row(self.days[0], is_now=False),
                change.now.row(self.days[1], is_now=True),
            ]
        head = {"values": "mean" if self.main.now.is_mean else "share", "ranges": self._ranges}
        if not self.main.now.is_mean:
            return figure_of(rows, **head)
        numbers = self.main.values[0].part.item.answer_values
        return Figure(tuple(rows), numbers_axis(float(numbers[0]), float(numbers[-1])), **head)

    @property
    def differences(self) -> Figure:
        rows = []
        for change in self.changes:
            row = change.row()
            rows.append(
                Row(change.name.answer or row.label, row.value, row.range, row.mark, row.label)
            )
        rows = [
            row if row.label != row.note else Row(row.label, row.value, row.range, row.mark)
            for row in rows
        ]
        axis = self.main.measure.axis([change.simultaneous for change in self.changes])
        return Figure(
            tuple(rows), axis, values="change", ranges=self._ranges, dots="change and its range"
        )

    @property
    def _ranges(self) -> str:
        return f"{format_level(self.main.confidence)} range"
