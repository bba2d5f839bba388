"""The result of weighting to known shares, in numbers and in words."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from features.weighting.known_margins import Margin
from features.weighting.strata import Strata
from mechanisms import WeightedEstimate
from surveys.definition.instrument import QuestionDefinition
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.question_report import YES, ChoiceReport
from surveys.results.figures.axes import numbers_axis
from surveys.results.figures.dot_plot import Figure, Row, figure_of, share_row
from surveys.results.figures.means import mean_row
from surveys.site.number_format import count_of, format_count, format_level, join_with_and
from surveys.statements.family import Family
from surveys.statements.means import MeanStatement
from surveys.statements.shares import ShareStatement, share_of

FAR_APART = 10  # times, from which on a few people decide what comes out


@dataclass(frozen=True)
class WeightedChoice:
    """An answer with its weighted and its unweighted share.

    confidence: the confidence level of both intervals.
    method: how the unweighted interval was computed.
    weighted_method: how the weighted interval was computed.
    """

    label: str
    plain: ChoiceReport
    weighted: WeightedEstimate
    confidence: float
    method: str
    weighted_method: str

    @cached_property
    def statement(self) -> ShareStatement:
        """The statement about the weighted share."""
        return share_of(
            self.weighted.share,
            self.weighted.interval,
            n=self.weighted.n,
            method=self.weighted_method,
            family=Family(confidence=self.confidence),
            answer=self.label,
        )

    @cached_property
    def plain_statement(self) -> ShareStatement:
        """The statement about the unweighted share of the same people."""
        return share_of(
            self.plain.estimate,
            self.plain.interval,
            n=self.weighted.n,
            method=self.method,
            family=Family(confidence=self.confidence),
            answer=self.label,
        )


@dataclass(frozen=True)
class WeighedMean:
    """The mean of a question that was made for it, in the unit of its numbers.

    plain: the unweighted mean of the same people.
    weighted: an estimate whose share is the weighted mean.
    """

    plain: Average
    weighted: WeightedEstimate

    @property
    def label(self) -> str:
        """The name of the number in tables, with its unit: "mean (hours)"."""
        if self.plain.unit:
            return f"mean ({self.plain.unit})"
        return "mean"

    @property
    def plain_statement(self) -> MeanStatement:
        """The statement about the unweighted mean."""
        return self.plain.statement

    @cached_property
    def statement(self) -> MeanStatement:
        """The statement about the weighted mean."""
        weighted = self.weighted
        return replace(
            self.plain.statement,
            n=weighted.n,
            estimate=weighted.share,
            interval=weighted.interval,
        )

    @property
    def figure(self) -> Figure:
        """The weighted mean above the unweighted one."""
        numbers = self.plain.numbers
        rows = (
            mean_row(self.statement, "Mean"),
            mean_row(self.plain_statement, "Mean, unweighted"),
        )
        axis = numbers_axis(float(numbers[0]), float(numbers[-1]))
        return Figure(
            rows,
            axis,
            values=self.plain.unit or "mean",
            ranges=self.statement.family.range_name,
        )


@dataclass(frozen=True)
class WeighedQuestion:
    """n: people who were asked, and whose groups are known. refused: why there are no shares and no mean, or nothing.
    mean: of a question that was made for it, which has no answers.
    """

    item: QuestionDefinition
    n: int
    answers: tuple[WeightedChoice, ...] = ()
    refused: str = ""
    mean: WeighedMean | None = None

    @property
    def shown(self) -> tuple[WeightedChoice, ...]:
        """The answers in figures and sentences: of two answers only Yes, which says all."""
        return (
            self.answers[YES : YES + 1]
            if self.item.traits.has_yes and self.item.size == 2
            else self.answers
        )


@dataclass(frozen=True)
class WeightingResult:
    """The result of weighting to known shares."""

    margins: tuple[Margin, ...]
    strata: Strata
    weights: np.ndarray
    questions: tuple[WeighedQuestion, ...]
    confidence: float
    seen: str = ""

    @property
    def headline(self) -> str:
        """The heading above table and figure, which names the questions with known shares."""
        names = [margin.item.short or f"“{margin.item.full_text}”" for margin in self.margins]
        return f"Weighted to known shares of {join_with_and(names)}"

    @property
    def n(self) -> int:
        return self.strata.n

    @cached_property
    def _people(self) -> np.ndarray:
        return np.array([tally["n"] for tally in self.strata.tallies.values()])

    @property
    def effective_n(self) -> float:
        """Kish's."""
        return float((self._people @ self.weights) ** 2 / (self._people @ self.weights**2))

    @property
    def design_effect(self) -> float:
        return self.n / self.effective_n

    @property
    def times_apart(self) -> float:
        return float(self.weights.max() / self.weights.min())

    @property
    def groups(self) -> list[tuple[Margin, list[tuple[str, float, float]]]]:
        """The questions with their groups: (name, share among respondents, known share)."""
        return [
            (
                margin,
                list(zip(margin.item.choices, self._here(axis), margin.known, strict=True))[
                    : margin.item.decline_code
                ],
            )
            for axis, margin in enumerate(self.margins)
        ]

    def _here(self, axis: int) -> list[float]:
        table = self.strata.table(self._people.tolist())
        margin = table.sum(axis=tuple(each for each in range(table.ndim) if each != axis))
        return (margin / self.n).tolist()

    @property
    def sentences(self) -> list[str]:
        return [*self._yes(), *self._means(), *self._warnings()]

    def _means(self) -> Iterator[str]:
        for question in self.questions:
            mean = question.mean
            if mean is None:
                continue
            name = question.item.short or question.item.full_text
            weighted = mean.statement.number_with_range
            if not mean.statement.is_impossible:
                weighted += " on average"
            if mean.statement.scale_in_words:
                weighted += f", {mean.statement.scale_in_words}"
            plain = mean.plain_statement.number_with_range
            yield f"{name}: {weighted}, weighted; {plain} unweighted."

    def _yes(self) -> Iterator[str]:
        for question in self.questions:
            if not question.item.traits.has_yes:
                continue
            name = question.item.short or question.item.full_text
            for answer in question.shown:
                weighted = answer.statement.number_with_range
                plain = answer.plain_statement.number_with_range
                yield f"{name}: {weighted} weighted, {plain} unweighted."

    def _warnings(self) -> Iterator[str]:
        yield (
            f"{format_count(self.n)} weighted responses are as precise as about "
            f"{format_count(round(self.effective_n))} unweighted "
            f"ones (design effect {self.design_effect:.2f})."
        )
        yield "Weighting corrects only for these groups, not for other reasons why people did or didn’t answer."
        if self.times_apart >= FAR_APART:
            yield (
                f"Take care: the largest weight is {self.times_apart:.0f} times the smallest. A few people decide much "
                "of the result."
            )
        merged = [name for margin in self.margins for name in margin.merged]
        if merged:
            names = join_with_and([f"“{name}”" for name in merged])
            yield f"Known shares were added up for {names}, which are merged here."
        if self.strata.left_out:
            left_out = count_of(self.strata.left_out, "person is", "people are")
            yield f"{left_out} left out because the group is not known."

    @property
    def methods(self) -> str:
        """The description of the methods for a paper."""
        by = join_with_and([f"“{margin.item.full_text}” ({margin.key})" for margin in self.margins])
        how = "post-stratified" if len(self.margins) == 1 else "raked (Deming and Stephan 1940)"
        return (
            f"Respondents (n = {format_count(self.n)}) were {how} to known shares of {by}, "
            "taken as exact; weights are from "
            f"{self.weights.min():.2f} to {self.weights.max():.2f}, and Kish’s (1965) effective n is "
            f"{format_count(round(self.effective_n))}. Weighted shares and means are means of the decoded "
            f"reports{self._ratio_clause}; their variance is that of the residuals of a "
            "weighted regression on the groups "
            "(Deville and Särndal 1992). Intervals of shares are Wilson’s at the number of respondents that has this "
            "variance; those of means, and of matrices of more than two answers, Wald’s, at "
            f"{format_level(self.confidence)}."
        )

    @property
    def _ratio_clause(self) -> str:
        """Return the clause of the methods on means of those who gave a number."""
        some = any(question.mean and question.item.aside for question in self.questions)
        return ", among those who gave a number as ratios that were linearized" if some else ""

    @cached_property
    def figure(self) -> Figure:
        """The figure of all shares, weighted and below that unweighted.

        Means, which have scales of their own, are in `means`.
        """
        rows: list[Row] = []
        for question in self.questions:
            rows += [Row(question.item.full_text, is_heading=True)] if question.answers else []
            for answer in question.shown:
                rows.append(share_row(answer.statement, label=answer.label))
                label = f"{answer.label}, unweighted"
                rows.append(share_row(answer.plain_statement, label=label))
        return figure_of(rows, ranges=f"{format_level(self.confidence)} range")

    @cached_property
    def means(self) -> list[tuple[WeighedQuestion, Figure]]:
        """Pairs of a question with a mean, and the figure of this mean."""
        figures = []
        for question in self.questions:
            if question.mean:
                figures.append((question, question.mean.figure))
        return figures
