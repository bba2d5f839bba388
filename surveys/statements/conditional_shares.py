"""Statements about shares among the people who gave one answer to another question."""

import math
from dataclasses import dataclass
from functools import cached_property

from mechanisms.analysis.conditional_shares import Conditional
from surveys.statements.family import Family
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.sentences import SENTENCES, Text
from surveys.statements.shares import ShareStatement
from surveys.statements.statement import Printed, State

# What tables print in place of a number.
TOO_FEW = "too few to tell"


@dataclass(frozen=True)
class ConditionalShare(ShareStatement):
    """A statement about the share of an answer among people with one answer to another question.

    Its quantity has the name of the question whose share it is, and the other answer as its group.
    The estimate and the interval are not numbers (NaN) in the state `too_few`.

    condition_name: the name of the other question.
    """

    condition_name: str = ""

    @cached_property
    def state(self) -> State:
        """What the range supports. Nothing is said if no possible share agrees with the reports."""
        return State.TOO_FEW if math.isnan(self.estimate) else super().state

    @property
    def number_with_range(self) -> str:
        """The number and its range in a table, or why there is none."""
        if self.state == State.TOO_FEW:
            return TOO_FEW
        return super().number_with_range

    @property
    def range(self) -> str:
        """The range beside a number; "" without one."""
        return "" if self.state == State.TOO_FEW else super().range

    @property
    def printed(self) -> Printed:
        """The number and its range for programs."""
        if self.state == State.TOO_FEW:
            return Printed(number=None, low=None, high=None, decimals=0, unit=self.quantity.unit)
        return super().printed

    @cached_property
    def text(self) -> Text:
        """The sentence: "Among people who answered “South” to Region: “Yes” to Tax, 12% (…)."."""
        key = "conditional too_few" if self.state == State.TOO_FEW else "conditional"
        sentence = SENTENCES[key].sentence.format(
            condition=self.quantity.group,
            condition_name=self.condition_name,
            answer=self.quantity.answer,
            name=self.quantity.name,
            number_with_range=self.number_with_range,
        )
        return Text(sentence)


@dataclass(frozen=True)
class TableSide:
    """One side of a table of two questions.

    name: the short name of the question.
    labels: its answers, or the groups that they make.
    is_scrambled: True if the answers are scrambled.
    """

    name: str
    labels: tuple[str, ...]
    is_scrambled: bool


def conditional_shares(
    computed: Conditional, rows: TableSide, columns: TableSide, *, n: int, confidence: float
) -> tuple[tuple[ConditionalShare, ...], ...]:
    """Return the statements about a table, row by row.

    computed: the shares of the column's answers among people with each answer of the row.
    n: the number of people in the table.
    """
    method = "score" if rows.is_scrambled else "wilson"
    statements = []
    for row, condition in enumerate(rows.labels):
        statements_of_row = []
        for column, answer in enumerate(columns.labels):
            low, high = computed.intervals[row, column].tolist()
            quantity = Quantity(
                kind=Kind.SHARE,
                name=columns.name,
                answer=answer,
                group=condition,
                is_scrambled=rows.is_scrambled or columns.is_scrambled,
            )
            statement = ConditionalShare(
                quantity=quantity,
                n=n,
                estimate=float(computed.shares[row, column]),
                interval=(low, high),
                method=method,
                family=Family(confidence=confidence),
                condition_name=rows.name,
            )
            statements_of_row.append(statement)
        statements.append(tuple(statements_of_row))
    return tuple(statements)
