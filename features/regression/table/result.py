"""A table of two questions, in numbers and in words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from features.regression.model.wording import ASSOCIATION
from features.regression.table.conditionals import (
    TOO_FEW,
    TOO_FEW_REASON,
    OfThose,
    of_those,
    share_of_those_in_words,
)
from mechanisms import Association, CrossTable
from mechanisms.analysis.independence import ENOUGH_EXPECTED, Independence
from mechanisms.designs.matrix import MatrixMechanism
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.estimates.question_report import YES, ChoiceReport
from surveys.results.estimates.share_wording import Said
from surveys.results.figures.dot_plot import Figure, Row, figure_of, row
from surveys.site.number_format import (
    decimals_excluding_zero,
    format_count,
    format_level,
    format_p_value,
)

MARKS = "Each person can choose several of these answers, so their errors don’t show whether they are associated."

TOO_FEW_RESPONSES = "Too few responses to measure the association."


@dataclass(frozen=True)
class CrossTabulation:
    """left_out: people who were not asked both questions, or are in no group. rows, columns: the answers of each side,
    small groups together. seen: what the reader may see of background answers. test_independence:
    returns the test of independence, or raises ValueError where the counts do not say it.
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
        return f"“{self.first.item.full_text}” and “{self.second.item.full_text}”"

    @property
    def short(self) -> str:
        """Both by their short names."""
        return f"{self.first.short} and {self.second.short}"

    @property
    def n(self) -> int:
        return self.table.n

    @property
    def confidence(self) -> float:
        return self.table.confidence

    @property
    def is_two_by_two(self) -> bool:
        return len(self.rows) == len(self.columns) == 2

    @cached_property
    def of_rows(self) -> tuple[tuple[OfThose, ...], ...]:
        """The answers of the second question among those with each answer of the first."""
        return of_those(self.table.rows())

    @cached_property
    def of_columns(self) -> tuple[tuple[OfThose, ...], ...]:
        """The answers of the first question among those with each answer of the second; by rows as well."""
        return of_those(self.table.columns())

    @property
    def cells(self) -> list[dict]:
        """The table cell by cell, as the page lists it."""
        shares, intervals, constrained = (
            self.table.shares,
            self.table.intervals,
            self.table.constrained,
        )
        return [
            {
                "row": row,
                "column": column,
                "share": float(shares[u, v]),
                "interval": tuple(map(float, intervals[u, v])),
                "is_wide": Said(float(shares[u, v]), *map(float, intervals[u, v])).is_wide,
                "constrained": float(constrained[u, v]),
                "of_row": self._in_words(self.of_rows[u][v]),
                "of_column": self._in_words(self.of_columns[u][v]),
            }
            for u, row in enumerate(self.rows)
            for v, column in enumerate(self.columns)
        ]

    def _in_words(self, cell: OfThose) -> str:
        return share_of_those_in_words(cell, self.confidence)

    @cached_property
    def independence(self) -> Independence | None:
        """The test of whether the answers are unrelated.

        None where the counts do not say it: see `missing_reason`.
        """
        try:
            return self.test_independence()
        except ValueError:
            return None

    @cached_property
    def phi(self) -> Association | None:
        return self.table.phi() if self.is_two_by_two else None

    @cached_property
    def odds_ratio(self) -> Association | None:
        return self.table.odds_ratio() if self.is_two_by_two else None

    @property
    def missing_reason(self) -> str:
        """Why there is no test, no phi or no odds ratio; empty if there is."""
        if self.independence is None:
            return MARKS
        if not self.is_two_by_two:
            return "Only a table of two by two answers has a strength (phi) and an odds ratio."
        if self.phi is None:
            return f"{TOO_FEW_RESPONSES} There is no phi: {self.table.reason}."
        return "" if self.odds_ratio else f"There is no odds ratio: {self.table.reason}."

    @property
    def is_associated(self) -> bool:
        """Whether an association is said: the test shows one, and of two answers and two so does phi’s interval."""
        if self.independence is None or self.independence.p_value >= 1 - self.confidence:
            return False
        return not self.is_two_by_two or (
            self.phi is not None and not holds_zero(self.phi.interval)
        )

    @property
    def is_strong(self) -> bool:
        """Whether phi is estimated beyond 1, so that only the other end of its interval is known."""
        return self.phi is not None and abs(self.phi.value) > 1

    @property
    def sentences(self) -> list[str]:
        sentences = [self._association]
        if self.is_associated:
            if not self.is_two_by_two:
                sentences.append(self._test_in_words)
            sentences.append(ASSOCIATION)
        sentences += self._shares()
        if self._has_too_few_answers:
            reason = TOO_FEW_REASON[:1].lower() + TOO_FEW_REASON[1:]
            sentences.append(f"“{TOO_FEW.capitalize()}” means: {reason}")
        return sentences

    @property
    def _has_too_few_answers(self) -> bool:
        rows = [*self.of_rows, *self.of_columns]
        return any(cell.state == "too_few" for cell in chain.from_iterable(rows))

    def _shares(self) -> Iterator[str]:
        """Of those who ... : of a table of two and two both rows, of a larger one where it is most unlike the rest."""
        at = (
            [(1, YES), (0, YES)]
            if self.is_two_by_two
            else [self._most_unlike]
            if self.is_associated
            else []
        )
        for u, v in at:
            cell = self.of_rows[u][v]
            if cell.interval is None and not self.is_two_by_two:
                continue
            share = self._in_words(cell)
            second, first = (
                part.item.short or f"“{part.item.full_text}”" for part in (self.second, self.first)
            )
            if cell.state == "too_few":
                yield (
                    "Too few answers for a statement about people who answered "
                    f"“{self.rows[u]}” to {first}."
                )
                continue
            among = f"Among people who answered “{self.rows[u]}” to {first}"
            yield f"{among}: “{self.columns[v]}” to {second}, {share}.{self._farthest}"

    @property
    def _farthest(self) -> str:
        return "" if self.is_two_by_two else " No other two answers are farther from independence."

    @cached_property
    def _most_unlike(self) -> tuple[int, int]:
        """The cell that is farthest from what it would be without any relation, in standard errors."""
        shares, errors = self.table.shares, self.table.standard_errors
        tallies = (
            (self.table.first, self.table.tally.first),
            (self.table.second, self.table.tally.second),
        )
        alone = np.outer(
            *(mechanism.decode(tally.counts / tally.n) for mechanism, tally in tallies)
        )
        away = np.divide(
            np.abs(shares - alone), errors, out=np.zeros_like(shares), where=errors > 0
        )
        u, v = np.unravel_index(int(away.argmax()), away.shape)
        return int(u), int(v)

    @property
    def _association(self) -> str:
        both = self.short
        if self.independence is None:
            return MARKS
        if self.is_two_by_two and self.phi is None:
            return TOO_FEW_RESPONSES
        if not self.is_associated:
            return f"No clear association between {both}."
        if self.phi is None:
            return f"{both} are associated."
        low, high = self.phi.interval
        digits = decimals_excluding_zero(self.phi.interval, 2)
        if self.is_strong:
            end = (
                f"at least {_signed(low, digits)}"
                if low > 0
                else f"at most {_signed(high, digits)}"
            )
            return f"Strong association (phi {end})."
        range_ = f"{format_level(self.confidence)} range {_signed(low, digits)} to {_signed(high, digits)}"
        return f"{both} are associated (phi {_signed(self.phi.value, digits)}, {range_})."

    @property
    def _test_in_words(self) -> str:
        """The method of the test and its p-value."""
        test = self.independence
        if test.method == "permutation":
            return f"Permutation test, {format_p_value(test.p_value)}."
        return (
            f"Chi-square test ({test.statistic:.1f}, {test.degrees} df), "
            f"{format_p_value(test.p_value)}."
        )

    @property
    def methods(self) -> str:
        """For a paper."""
        return (
            f"Shares of {self.headline} together (n = {format_count(self.n)}) are means of "
            "products of the decoded reports "
            f"(Chaudhuri and Mukerjee 1988), with score intervals at {format_level(self.confidence)}; "
            f"{self._conditional_methods}. {self._independence_methods}Possible shares: "
            f"{self.table.constrained_by}."
        )

    @property
    def _independence_methods(self) -> str:
        """How independence was tested, with a space behind it; empty where it was not."""
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
        """Of those with each answer of the first question, the shares of the second one's answers."""
        rows: list[Row] = []
        places = [YES] if len(self.columns) == 2 else range(len(self.columns))
        for u, name in enumerate(self.rows):
            rows.append(Row(f"Of those with “{name}”", is_heading=True))
            rows += [_row(self.columns[v], self.of_rows[u][v]) for v in places]
        return figure_of(rows, ranges=f"{format_level(self.confidence)} range")


def _row(label: str, cell: OfThose) -> Row:
    if cell.interval is None:
        return Row(label, note=TOO_FEW)
    return row(
        ChoiceReport(label, None, cell.share, cell.standard_error, cell.interval), recorded=False
    )


def _signed(value: float, digits: int) -> str:
    return f"{value + 0.0:.{digits}f}".replace("-", "−")


def holds_zero(interval: tuple[float, float]) -> bool:
    return interval[0] <= 0 <= interval[1]
