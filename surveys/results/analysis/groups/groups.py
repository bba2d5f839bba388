"""Groups compared: a corrected share, or a mean, in each group, whether the groups differ, and which pairs of them do.

The groups are those of surveys.results.report.groups, with its rules; here are the tests. All pairs are allowed for
by Holm's procedure, and the intervals of their differences hold together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isnan

from mechanisms import Significance, equal_groups_test, equal_values_test
from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis import selection
from surveys.results.analysis.groups.pairs import Pair, pairs
from surveys.results.analysis.groups.values import Mean, Share, Value
from surveys.results.analysis.measures import Measure
from surveys.results.analysis.model.wording import NO_CAUSE, NO_CAUSES
from surveys.results.analysis.outcome import Part as Outcome
from surveys.results.analysis.refusals import TooFew, enough, expected, part_asked
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, Group
from surveys.results.estimates.intervals import Asked
from surveys.results.estimates.report import EVERYBODY, ChoiceReport, QuestionReport
from surveys.results.figures.axes import numbers_axis
from surveys.results.figures.dot_plot import Figure, figure_of
from surveys.results.report.groups import Part, SideBySide, comparable, side_by_side
from surveys.site.errors import Invalid
from surveys.site.number_format import chance, count, level, listed

MOST_SENTENCES = 6
ALL_ALIKE = "All answers of a group are the same, so its mean has no error to test by."
NO_COMMON_TEST = "The design is a matrix of more than two answers: its groups are compared two by two only."


@dataclass(frozen=True)
class Compared:
    """One answer, or the mean, in all groups that have enough reports. choice: None of a mean. test: whether all are
    one; None where `why` says.
    """

    found: SideBySide
    item: FrozenQuestion
    question: QuestionReport
    choice: int | None
    parts: tuple[tuple[Part, QuestionReport], ...]
    values: tuple[Value, ...]

    @property
    def headline(self) -> str:
        """What was compared, above table and figure."""
        of = f"Mean of “{self.question.text}”" if self.is_mean else f"“{self.answer}” in “{self.question.text}”"
        return f"{of}, by “{self.found.by.whole}”"

    @property
    def is_mean(self) -> bool:
        return self.choice is None

    @property
    def measure(self) -> Measure:
        return self.values[0].measure

    @property
    def answer(self) -> str:
        """What was compared: an answer's label, or the mean with its unit."""
        if self.is_mean:
            return f"mean ({self.item.unit})" if self.item.unit else "mean"
        return self.question.choices[self.choice].label

    @property
    def confidence(self) -> float:
        return self.question.confidence

    @property
    def n(self) -> int:
        return sum(value.n for value in self.values)

    @property
    def shares(self) -> list[tuple[Part, int, ChoiceReport]]:
        """Each group, how many of its reports speak of the answer, and its share; none of a mean."""
        pairs = [] if self.is_mean else self.parts
        return [(part, (choice := question.choices[self.choice]).n, choice) for part, question in pairs]

    @cached_property
    def test(self) -> Significance | None:
        """By the likelihood ratio; of means by Cochran's. See mechanisms.equal_groups_test and equal_values_test."""
        if self.is_mean:
            errors = [value.standard_error for value in self.values]
            return equal_values_test([value.value for value in self.values], errors) if all(errors) else None
        bases = [question.basis for _, question in self.parts]
        if bases[0].mechanism.line() is None:
            return None
        return equal_groups_test([(basis.mechanism, basis.tally) for basis in bases], self.choice)

    @property
    def why(self) -> str:
        """Why there is no test of all groups at once."""
        return "" if self.test else ALL_ALIKE if self.is_mean else NO_COMMON_TEST

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        return pairs(self.values, self.confidence)

    @property
    def sentences(self) -> list[str]:
        """What the pairs say, the largest difference first; then what stands behind all of it."""
        alpha = 1 - self.confidence
        clear = sorted((pair for pair in self.pairs if pair.p_holm < alpha), key=lambda pair: -abs(pair.difference))
        said = [pair.words(self.confidence) for pair in clear[:MOST_SENTENCES]]
        return [*said, *self._rest(len(clear)), f"{NO_CAUSES if len(clear) > 1 else NO_CAUSE} {self._allowed_for}"]

    def _rest(self, clear: int) -> Iterator[str]:
        left = len(self.pairs) - clear
        if clear > MOST_SENTENCES:
            yield f"{count(clear - MOST_SENTENCES)} more pairs differ; the table below has them all."
        if not clear:
            unclear = f"These reports do not show that {self._who} differ in their {self._what}."
        else:
            unclear = f"Of the other {'pair' if left == 1 else f'{left} pairs'} these reports show no difference."
        if left:
            yield f"{unclear} That does not show that they are alike."

    @property
    def _what(self) -> str:
        return "mean" if self.is_mean else f"share of “{self.answer}”"

    @property
    def _who(self) -> str:
        return "the two groups" if len(self.parts) == 2 else f"any of the {len(self.parts)} groups"

    @property
    def _allowed_for(self) -> str:
        if len(self.pairs) == 1:
            return "No other comparison is allowed for: if many are looked at, some differ by chance."
        return (
            f"The intervals hold for all {len(self.pairs)} pairs together, and Holm’s procedure allows for them; other "
            "answers, questions and groups that were looked at are not allowed for."
        )

    @property
    def test_in_words(self) -> str:
        """The test of all groups at once, as experts read it."""
        if self.test is None:
            return self.why
        way = "one common mean (Cochran)" if self.is_mean else "one common share, by the likelihood ratio"
        return (
            f"All {len(self.parts)} groups against {way}: chi-square "
            f"{self.test.statistic:.2f} with {self.test.degrees} degree{'s' if self.test.degrees > 1 else ''} of "
            f"freedom, {chance(self.test.p_value)}."
        )

    @property
    def methods(self) -> str:
        """For a paper."""
        if self.is_mean:
            return self._of_means
        common = "" if self.test is None else " by the likelihood-ratio test of one common share, and"
        return (
            f"Shares of “{self.answer}” ({self.question.key}) were compared between {len(self.parts)} groups by "
            f"“{self.found.by.whole}” (n = {count(self.n)}){common} in pairs by z tests with the standard error at the "
            "common share, p-values adjusted by Holm’s (1979) procedure. Intervals of differences were made from those "
            f"of the two shares (Newcombe 1998), at {level(self.confidence)} for all pairs together (Bonferroni)."
        )

    @property
    def _of_means(self) -> str:
        who = f", of those who gave a number instead of “{self.item.choices[-1]}”" if self.item.aside else ""
        decoded = "" if self.item.mechanism is None else " of the decoded reports"
        return (
            f"Means{decoded} to “{self.question.text}” ({self.question.key}){who} were compared between "
            f"{len(self.values)} groups by “{self.found.by.whole}” (n = {count(self.n)}) by Cochran’s (1954) test of "
            "one common mean, and in pairs by z tests, p-values adjusted by Holm’s (1979) procedure. Intervals of "
            f"differences are Wald’s, at {level(self.confidence)} for all pairs together (Bonferroni)."
        )

    @cached_property
    def figure(self) -> Figure:
        """The groups in rows, as on the page of groups side by side."""
        rows, ranges = [value.row() for value in self.values], f"{level(self.confidence)} range"
        if not self.is_mean:
            return figure_of(rows, ranges=ranges)
        first, last = float(self.item.numbers[0]), float(self.item.numbers[-1])
        return Figure(tuple(rows), numbers_axis(first, last), values=self.item.unit or "mean", ranges=ranges)


def comparison(
    seen: ReaderView, by: str, outcome: str, *, asked: Asked | None = None, group: Group = EVERYBODY
) -> Compared:
    """As `compare`, for what an address names: "region", "tax:1". Raises what `side_by_side` does too."""
    part = selection.outcome(seen, outcome)
    return compare(side_by_side(seen, by, asked=asked, group=group), part.item, part.choice)


def compare(found: SideBySide, item: FrozenQuestion, choice: int | None) -> Compared:
    """One answer to a question, or with choice None its mean. Invalid for the question that makes the groups; TooFew
    where fewer than two groups have MINIMUM reports to it, or all together too few for a statement.
    """
    if item.key == found.by.key:
        raise Invalid({"outcome": f"“{item.whole}” makes the groups. Choose another question."})
    pairs = [(part, next(each for each in part.result.questions if each.key == item.key)) for part in found.parts]
    lot = sum(part.result.n for part in found.parts), part_asked(pairs[0][0].result.draw, [Outcome(item, choice)])
    there = [((part, question), _value(part, question, item, choice)) for part, question in pairs]
    kept = [(pair, value) for pair, value in there if value.n >= MINIMUM and not isnan(value.value)]
    if len(kept) < 2:
        few = listed([f"{value.name}: {count(value.n)}" for _, value in there])
        why = f"At least two groups with {MINIMUM} reports are needed to compare them. There are {few}."
        raise TooFew(why + expected(*lot))
    parts, values = zip(*kept, strict=True)
    enough(sum(value.n for value in values), *lot)
    return Compared(found, item, pairs[0][1], choice, parts, values)


def _value(part: Part, question: QuestionReport, item: FrozenQuestion, choice: int | None) -> Value:
    return Mean(part.name, question, Outcome(item)) if choice is None else Share(part.name, question, choice)


def can_compare(seen: ReaderView) -> bool:
    return bool(comparable(seen) and selection.sensitive(seen))
