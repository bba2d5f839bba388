"""A table of two questions, in numbers and in words."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from features.regression.table.conditionals import TOO_FEW_REASON, OfThose
from mechanisms import Association as Phi, CrossTable
from mechanisms.analysis.conditional_shares import Conditional
from mechanisms.analysis.independence import ENOUGH_EXPECTED, Independence
from mechanisms.checks import FloatArray
from mechanisms.designs.matrix import MatrixMechanism
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.estimates.question_report import YES
from surveys.results.figures.dot_plot import Figure, Row, figure_of, share_row
from surveys.site.number_format import format_count, format_level
from surveys.statements.associations import Association
from surveys.statements.conditional_shares import (
    TOO_FEW,
    ConditionalShare,
    TableSide,
    conditional_shares,
)
from surveys.statements.family import Family
from surveys.statements.sentences import ASSOCIATION_NOTE
from surveys.statements.shares import ShareStatement, share_of
from surveys.statements.statement import State

NO_OTHERS_ARE_FARTHER = "No other two answers are farther from independence."


@dataclass(frozen=True)
class Cell:
    """One cell of a table, as the page lists it.

    row, column: the answers to both questions.
    share: the share of the people who gave both answers.
    constrained: the same, adjusted to a possible share.
    of_row, of_column: the share among the people with one of the answers.
    """

    row: str
    column: str
    share: ShareStatement
    constrained: float
    of_row: ConditionalShare
    of_column: ConditionalShare


@dataclass(frozen=True)
class CrossTabulation:
    """A table of two questions.

    left_out: the number of people who were not asked both questions, or are in no group.
    rows, columns: the answers of each side; small groups are together.
    seen: a note about what the reader may see of background answers.
    test_independence: returns the test of independence, or raises ValueError if the counts do not
        say it.
    """

    first: SurveyVariable
    second: SurveyVariable
    table: CrossTable
    left_out: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    seen: str
    test_independence: Callable[[], Independence]

    @property
    def headline(self) -> str:
        """The full texts of both questions."""
        return f"“{self.first.item.full_text}” and “{self.second.item.full_text}”"

    @property
    def n(self) -> int:
        """The number of people in the table."""
        return self.table.n

    @property
    def confidence(self) -> float:
        """The confidence level of each interval."""
        return self.table.confidence

    @property
    def is_two_by_two(self) -> bool:
        """True if both sides have two answers."""
        return len(self.rows) == len(self.columns) == 2

    @cached_property
    def of_rows(self) -> tuple[tuple[ConditionalShare, ...], ...]:
        """The answers of the second question among people with each answer of the first one."""
        return self._conditional_shares(self.table.rows(), self._row_side, self._column_side)

    @cached_property
    def of_columns(self) -> tuple[tuple[ConditionalShare, ...], ...]:
        """The answers of the first question among people with each answer of the second one.

        The statements stand by rows, as in the table.
        """
        computed = self.table.columns()
        by_columns = Conditional(
            shares=computed.shares.T,
            standard_errors=computed.standard_errors.T,
            intervals=computed.intervals.transpose(1, 0, 2),
            too_few=computed.too_few.T,
        )
        statements = self._conditional_shares(by_columns, self._column_side, self._row_side)
        return tuple(zip(*statements, strict=True))

    @property
    def results_of_rows(self) -> tuple[tuple[OfThose, ...], ...]:
        """The statements of `of_rows` for programs."""
        return _results(self.of_rows, self.table.rows().standard_errors)

    @property
    def results_of_columns(self) -> tuple[tuple[OfThose, ...], ...]:
        """The statements of `of_columns` for programs."""
        return _results(self.of_columns, self.table.columns().standard_errors)

    def _conditional_shares(
        self, computed: Conditional, rows: TableSide, columns: TableSide
    ) -> tuple[tuple[ConditionalShare, ...], ...]:
        """Return the statements about shares among people with one answer."""
        return conditional_shares(computed, rows, columns, n=self.n, confidence=self.confidence)

    @property
    def _row_side(self) -> TableSide:
        """The side of the first question."""
        return _side(self.first, self.rows)

    @property
    def _column_side(self) -> TableSide:
        """The side of the second question."""
        return _side(self.second, self.columns)

    @cached_property
    def shares(self) -> list[list[ShareStatement]]:
        """The shares of the people who gave both answers, by rows."""
        statements = []
        for u in range(len(self.rows)):
            statements.append([self._share(u, v) for v in range(len(self.columns))])
        return statements

    def _share(self, u: int, v: int) -> ShareStatement:
        """Return the statement about the people with the answers u and v."""
        low, high = self.table.intervals[u, v].tolist()
        return share_of(
            float(self.table.shares[u, v]),
            (low, high),
            n=self.n,
            method="score",
            family=Family(confidence=self.confidence),
        )

    @property
    def cells(self) -> list[Cell]:
        """The table cell by cell, as the page lists it."""
        cells = []
        for u, row in enumerate(self.rows):
            for v, column in enumerate(self.columns):
                cell = Cell(
                    row=row,
                    column=column,
                    share=self.shares[u][v],
                    constrained=float(self.table.constrained[u, v]),
                    of_row=self.of_rows[u][v],
                    of_column=self.of_columns[u][v],
                )
                cells.append(cell)
        return cells

    @cached_property
    def independence(self) -> Independence | None:
        """The test of whether the answers are unrelated; None if the counts do not say it."""
        try:
            return self.test_independence()
        except ValueError:
            return None

    @cached_property
    def phi(self) -> Phi | None:
        """The strength of the association in a table of two by two answers."""
        return self.table.phi() if self.is_two_by_two else None

    @cached_property
    def odds_ratio(self) -> Phi | None:
        """The odds ratio of a table of two by two answers."""
        return self.table.odds_ratio() if self.is_two_by_two else None

    @cached_property
    def association(self) -> Association:
        """The statement about whether the answers go together."""
        return Association(
            name=f"{self.first.short} and {self.second.short}",
            independence=self.independence,
            is_two_by_two=self.is_two_by_two,
            phi=self.phi,
            family=Family(confidence=self.confidence),
        )

    @property
    def missing_reason(self) -> str:
        """Why there is no test, no phi or no odds ratio; "" if there is."""
        if self.independence is None:
            return self.association.text.sentence
        if not self.is_two_by_two:
            return "Only a table of two by two answers has a strength (phi) and an odds ratio."
        if self.phi is None:
            return f"{self.association.text.sentence} There is no phi: {self.table.reason}."
        return "" if self.odds_ratio else f"There is no odds ratio: {self.table.reason}."

    @property
    def sentences(self) -> list[str]:
        """The key sentences, the most important one first."""
        text = self.association.text
        sentences = [text.sentence]
        if self.association.is_clear:
            if text.detail:
                sentences.append(text.detail)
            sentences.append(ASSOCIATION_NOTE)
        sentences += self._sentences_about_shares()
        if self._has_too_few_answers:
            reason = TOO_FEW_REASON[:1].lower() + TOO_FEW_REASON[1:]
            sentences.append(f"“{TOO_FEW.capitalize()}” means: {reason}")
        return sentences

    @property
    def _has_too_few_answers(self) -> bool:
        """True if some cell has no share among the people with one of its answers."""
        cells = chain.from_iterable([*self.of_rows, *self.of_columns])
        return any(cell.state == State.TOO_FEW for cell in cells)

    def _sentences_about_shares(self) -> list[str]:
        """Return sentences about shares among people with one answer.

        A table of two by two answers has one for each row. A larger one has a sentence about the
        cell that is most unlike the rest, if there is an association.
        """
        if self.is_two_by_two:
            return [self.of_rows[1][YES].sentence, self.of_rows[0][YES].sentence]
        if not self.association.is_clear:
            return []
        u, v = self._most_unlike
        share = self.of_rows[u][v]
        if share.state == State.TOO_FEW:
            return []
        return [f"{share.sentence} {NO_OTHERS_ARE_FARTHER}"]

    @cached_property
    def _most_unlike(self) -> tuple[int, int]:
        """The cell that is farthest, in standard errors, from a table without any relation."""
        table = self.table
        row_shares = table.first.decode(table.tally.first.counts / table.tally.first.n)
        column_shares = table.second.decode(table.tally.second.counts / table.tally.second.n)
        distances = np.abs(table.shares - np.outer(row_shares, column_shares))
        errors = table.standard_errors
        in_errors = np.divide(distances, errors, out=np.zeros_like(distances), where=errors > 0)
        u, v = np.unravel_index(int(in_errors.argmax()), in_errors.shape)
        return int(u), int(v)

    @property
    def methods(self) -> str:
        """How the numbers were made, for a paper."""
        return (
            f"Shares of {self.headline} together (n = {format_count(self.n)}) are means of "
            "products of the decoded reports "
            f"(Chaudhuri and Mukerjee 1988), with score intervals at {format_level(self.confidence)}; "
            f"{self._conditional_methods}. {self._independence_methods}Possible shares: "
            f"{self.table.constrained_by}."
        )

    @property
    def _independence_methods(self) -> str:
        """How independence was tested, with a space behind it; "" if it was not."""
        if self.independence is None:
            return ""
        statistic = "the covariance of the decoded answers"
        permutations = "permutations of the reports to one question"
        mechanisms = (self.table.first, self.table.second)
        if all(isinstance(mechanism, MatrixMechanism) for mechanism in mechanisms):
            statistic = "Pearson’s chi-square of the reports"
            permutations = "random tables with the margins of the reports"
        if self.independence.method == "chi-square":
            return f"Independence was tested with {statistic} by a chi-square test. "
        return (
            f"Independence was tested with {statistic} by a permutation test "
            f"({format_count(self.independence.draws)} {permutations}; Agresti, Wackerly & Boyett "
            f"1979), since fewer than {ENOUGH_EXPECTED} reports of some kind were expected. "
        )

    @property
    def _conditional_methods(self) -> str:
        """How the intervals of shares among people with one answer were made."""
        groups = "shares within a group have the intervals of the group by itself"
        ratios = (
            "shares among people with a scrambled answer have intervals that invert a score test "
            "(Mee 1984; Miettinen & Nurminen 1985)"
        )
        methods = []
        if not (self.first.is_scrambled and self.second.is_scrambled):
            methods.append(groups)
        if self.first.is_scrambled or self.second.is_scrambled:
            methods.append(ratios)
        return "; ".join(methods)

    @property
    def in_figure(self) -> str:
        """What the figure shows."""
        what = f"“{self.columns[YES]}” to" if len(self.columns) == 2 else "each answer to"
        second, first = self.second.item.full_text, self.first.item.full_text
        return f"The share of {what} “{second}”, among those with each answer to “{first}”."

    @cached_property
    def figure(self) -> Figure:
        """The shares of the second question's answers among people with each answer of the first."""
        rows: list[Row] = []
        columns = [YES] if len(self.columns) == 2 else range(len(self.columns))
        for u, name in enumerate(self.rows):
            rows.append(Row(f"Of those with “{name}”", is_heading=True))
            for v in columns:
                rows.append(_figure_row(self.of_rows[u][v]))
        return figure_of(rows, ranges=f"{format_level(self.confidence)} range")


def _side(variable: SurveyVariable, labels: tuple[str, ...]) -> TableSide:
    """Return one side of the table."""
    item = variable.item
    name = item.short or f"“{item.full_text}”"
    return TableSide(name=name, labels=labels, is_scrambled=variable.is_scrambled)


def _results(
    statements: tuple[tuple[ConditionalShare, ...], ...], errors: FloatArray
) -> tuple[tuple[OfThose, ...], ...]:
    """Return statements for programs, row by row, with their standard errors."""
    results = []
    for statements_of_row, errors_of_row in zip(statements, errors.tolist(), strict=True):
        pairs = zip(statements_of_row, errors_of_row, strict=True)
        results.append(tuple(OfThose.from_statement(*pair) for pair in pairs))
    return tuple(results)


def _figure_row(share: ConditionalShare) -> Row:
    """Return the row of a share in the figure."""
    label = share.quantity.answer
    if share.state == State.TOO_FEW:
        return Row(label, note=TOO_FEW)
    return share_row(share, label=label)
