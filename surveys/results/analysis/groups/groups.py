"""Groups compared: a corrected share, or a mean, in each group, and which groups differ from all others.

The groups are those of surveys.results.report.groups, with its rules; here are the statements.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isnan

from mechanisms import Significance, Tally, equal_groups_test, equal_values_test
from mechanisms.designs.unary import untouched
from surveys.definition.instrument import FrozenQuestion
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.results.analysis import selection
from surveys.results.analysis.groups.differences import Difference, against_others, differences
from surveys.results.analysis.groups.values import Mean, Share, Value, together
from surveys.results.analysis.measures import Measure
from surveys.results.analysis.model.wording import NO_CAUSE, NO_CAUSES
from surveys.results.analysis.outcome import Part as Outcome
from surveys.results.analysis.refusals import TooFew, enough, expected, part_asked
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, Group
from surveys.results.estimates.intervals import Asked
from surveys.results.estimates.report import EVERYBODY, QuestionReport
from surveys.results.figures.axes import numbers_axis
from surveys.results.figures.dot_plot import Figure, figure_of
from surveys.results.report.groups import Part, SideBySide, comparable, side_by_side
from surveys.site.errors import Invalid
from surveys.site.number_format import chance, count, level, listed

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

    @cached_property
    def test(self) -> Significance | None:
        """By the likelihood ratio; of means by Cochran's. See mechanisms.equal_groups_test and equal_values_test."""
        if self.is_mean:
            errors = [value.standard_error for value in self.values]
            return equal_values_test([value.value for value in self.values], errors) if all(errors) else None
        estimates = [value.estimate for value in self.values]
        if estimates[0].mechanism.line() is None:
            return None
        return equal_groups_test([(estimate.mechanism, estimate.tally) for estimate in estimates], self.choice)

    @property
    def why(self) -> str:
        """Why there is no test of all groups at once."""
        return "" if self.test else ALL_ALIKE if self.is_mean else NO_COMMON_TEST

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Each group against all others; of two groups one against the other. The family that the page shows."""
        return against_others(self.values, self.confidence)

    @cached_property
    def pairs(self) -> tuple[Difference, ...]:
        """All pairs of groups, a family of their own."""
        return differences(list(combinations(self.values, 2)), self.confidence)

    @property
    def sentences(self) -> list[str]:
        """What is clear, the largest difference first; what is not; and what stands behind all of it."""
        clear = sorted((each for each in self.differences if each.clear), key=lambda each: -abs(each.difference))
        sentences = [each.sentence(self._what, self.confidence) for each in clear]
        few = [each.group for each in self.differences if each.verdict == "too_few_answers"]
        sentences += [f"Too few answers for a statement about “{name}”." for name in few]
        if not clear and len(few) < len(self.differences):
            sentences.append(self._no_difference)
        cause = [NO_CAUSES if len(clear) > 1 else NO_CAUSE] if clear else []
        return [*sentences, *cause, self._family]

    @property
    def _no_difference(self) -> str:
        most = self.measure.up_to(max(each.reach for each in self.differences))
        return f"{self._what}: no clear difference between the groups. Differences of up to {most} are still possible."

    @property
    def _what(self) -> str:
        return "Mean" if self.is_mean else f"“{self.answer}”"

    @property
    def _family(self) -> str:
        times = f"{100 * (1 - self.confidence):.4g}"
        return f"Without any real difference, up to about {times} in 100 surveys would show one somewhere on this page."

    @property
    def test_in_words(self) -> str:
        """The test of all groups at once, as experts read it."""
        if self.test is None:
            return self.why
        way = "one common mean (Cochran)" if self.is_mean else "one common share, by the likelihood ratio"
        return (
            f"All {len(self.values)} groups against {way}: chi-square "
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
            f"Shares of “{self.answer}” ({self.question.key}) were compared between {len(self.values)} groups by "
            f"“{self.found.by.whole}” (n = {count(self.n)}){common} {self._against} by score intervals (Mee 1984; "
            "Miettinen & Nurminen 1985), where reports are nearly certain by Newcombe’s (1998) from Clopper–Pearson "
            f"ends, at {level(self.confidence)} for all these differences together (Bonferroni). A difference was "
            "called clear only where an exact test agreed."
        )

    @property
    def _against(self) -> str:
        return "one with the other" if len(self.values) == 2 else "each with the pooled reports of all others"

    @property
    def _of_means(self) -> str:
        who = f", of those who gave a number instead of “{self.item.choices[-1]}”" if self.item.aside else ""
        decoded = "" if self.item.mechanism is None else " of the decoded reports"
        return (
            f"Means{decoded} to “{self.question.text}” ({self.question.key}){who} were compared between "
            f"{len(self.values)} groups by “{self.found.by.whole}” (n = {count(self.n)}) by Cochran’s (1954) test of "
            f"one common mean, and {self._against}. Intervals of differences are Wald’s, with the larger of the errors "
            f"with own and with common variances{self._least}, at {level(self.confidence)} for all these differences "
            "together (Bonferroni)."
        )

    @property
    def _least(self) -> str:
        return "" if self.item.mechanism is None else ", each at least what the design allows"

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
    questions = [next(each for each in part.result.questions if each.key == item.key) for part in found.parts]
    lot = sum(part.result.n for part in found.parts), part_asked(found.parts[0].result.draw, [Outcome(item, choice)])
    values = [_value(part, questions[0], item, choice) for part in found.parts]
    kept = _large_enough([value for value in values if value])
    if len(kept) < 2:
        why = f"Groups are compared where {MINIMUM} people or more of at least two groups were asked this."
        raise TooFew(why + expected(*lot))
    enough(sum(value.n for value in kept), *lot)
    return Compared(found, item, questions[0], choice, tuple(kept))


def _large_enough(values: Sequence[Value]) -> list[Value]:
    """The groups of which MINIMUM were asked; of smaller ones those that are as many together, as one. What is still
    too small is nowhere.
    """
    kept = [value for value in values if value.n >= MINIMUM]
    small = [value for value in values if value.n < MINIMUM]
    if sum(value.n for value in small) >= MINIMUM:
        kept.append(together(small, listed([value.name for value in small])))
    return [value for value in kept if not isnan(value.value)]


def _value(part: Part, question: QuestionReport, item: FrozenQuestion, choice: int | None) -> Value | None:
    n = part.tally.get("answered", {}).get(item.key, part.tally["n"])
    if not n:
        return None
    tally = Tally(n, unpack(part.tally["counts"][item.key]))
    mechanism = item.mechanism or untouched(item.size)
    estimate = mechanism.estimate(tally, question.confidence, question.interval_kind)
    return (Mean if choice is None else Share)(part.name, estimate, Outcome(item, choice))


def can_compare(seen: ReaderView) -> bool:
    return bool(comparable(seen) and selection.sensitive(seen))
