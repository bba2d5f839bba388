"""The change of a question since an earlier version: its statements, and its figures."""

from dataclasses import dataclass, replace
from typing import Self

from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.groups.figure import difference_row, statement_row
from surveys.results.analysis.groups.values import GroupEstimate
from surveys.results.figures.axes import differences_axis, numbers_axis
from surveys.results.figures.dot_plot import Figure, Row, figure_of
from surveys.statements.changes import Change, too_few_to_compare, unclear_changes
from surveys.statements.comparisons import Comparison


@dataclass(frozen=True)
class QuestionName:
    """The name of a question, or of one answer to it, in sentences.

    text: the words of the question, which stand beneath.
    """

    key: str
    short: str
    text: str
    answer: str = ""

    @classmethod
    def for_question(cls, question: QuestionDefinition) -> Self:
        """Return the name of a question."""
        return cls(
            key=question.key,
            short=question.short or question.full_text,
            text=question.full_text,
        )

    @property
    def with_answer(self) -> str:
        """The short name, with the answer if the question has several."""
        if not self.answer:
            return self.short
        return f"{self.short}, “{self.answer}”"


@dataclass(frozen=True)
class AnswerChange:
    """The change of the share of one answer, or of the mean.

    now, earlier: what the reports of both versions say.
    change: the statement about their difference.
    """

    name: QuestionName
    now: GroupEstimate
    earlier: GroupEstimate
    change: Change

    @property
    def comparison(self) -> Comparison:
        """The comparison of both versions."""
        return self.change.comparison

    @property
    def is_mean(self) -> bool:
        """True if it is the change of a mean."""
        return self.now.variable.choice is None

    @property
    def sentence(self) -> str:
        """The statement in words."""
        return self.change.sentence

    def row(self) -> Row:
        """Return the row of the change. Its label is the answer, or else the verdict."""
        row = difference_row(self.comparison)
        verdict = self.change.verdict_name
        if not self.name.answer:
            return replace(row, label=verdict, note="")
        return replace(row, label=self.name.answer, note=verdict)


@dataclass(frozen=True)
class ChangedQuestion:
    """A question of both versions, with the changes of its answers.

    then, now: the days of both versions, as briefly as sentences name them.
    """

    name: QuestionName
    kind: str
    then: str
    now: str
    changes: tuple[AnswerChange, ...]

    @property
    def is_clear(self) -> bool:
        """True if some change is clear."""
        return any(change.comparison.is_clear for change in self.changes)

    @property
    def main(self) -> AnswerChange:
        """The change of the card's title: the largest clear one, else that of the longest range."""
        clear = [change for change in self.changes if change.comparison.is_clear]
        return max(clear or self.changes, key=lambda change: change.comparison.largest_size)

    @property
    def line(self) -> str:
        """The sentence about a question without a clear change."""
        if len(self.changes) == 1 or self.is_clear:
            return self.main.sentence
        changes = [change.change for change in self.changes]
        if all(change.comparison.has_too_few for change in changes):
            return too_few_to_compare(changes, self.name.short).sentence
        return unclear_changes(changes, self.name.short).sentence

    @property
    def levels(self) -> Figure:
        """The shares or means of both versions, those of the earlier one in grey."""
        rows = []
        for change in self.changes:
            if change.name.answer:
                rows.append(Row(change.name.answer, is_heading=True))
            rows.append(statement_row(change.earlier.statement, self.then, is_grey=True))
            rows.append(statement_row(change.now.statement, self.now))
        if not self.main.is_mean:
            return figure_of(rows, values="share", ranges=self._ranges)
        values = self.main.now.variable.item.answer_values
        return Figure(
            tuple(rows),
            numbers_axis(float(values[0]), float(values[-1])),
            values="mean",
            ranges=self._ranges,
        )

    @property
    def differences(self) -> Figure:
        """The changes of all answers."""
        intervals = [change.comparison.possible_interval for change in self.changes]
        return Figure(
            tuple(change.row() for change in self.changes),
            differences_axis(intervals, of_shares=not self.main.is_mean),
            values="change",
            ranges=self._ranges,
            dots="change and its range",
        )

    @property
    def _ranges(self) -> str:
        return self.main.comparison.family.range_name
