"""The rows of a model: the groups by themselves, and their differences from a reference group."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from features.regression.model.design_matrix import Design
from features.regression.model.fits import Fit
from mechanisms import ContrastCells, Tally, holm
from surveys.results.analysis.cells import Cells
from surveys.results.analysis.groups.values import GroupEstimate
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.predictors import NUMBER, TRUTH, Level
from surveys.results.disclosure.subgroups import is_enough
from surveys.statements.comparisons import Interval, mean_difference, share_difference
from surveys.statements.contrasts import (
    Contrast,
    LinkedDifference,
    PredictorKind,
    contrast_cells,
    contrast_errors,
    slope_of,
)
from surveys.statements.family import Family
from surveys.statements.means import MeanStatement
from surveys.statements.quantity import Quantity
from surveys.statements.shares import ShareStatement, share_statement


@dataclass(frozen=True)
class ModelRow:
    """One group, or a number for each 10 more, and one answer of the outcome.

    Shares are fractions. If the outcome is a mean, everything that is said of shares is about
    means, in the unit of its numbers.

    answer: the code of the answer; None for a mean.
    observed: the received share in the group; None for a number and for a mean.
    alone: the statement about the share or mean of the group alone; None for a number, and if
        nobody is seen to give one.
    reference: the group that it is compared with; None for itself and for a number.
    statement: the statement about the difference of adjusted shares; None for the reference.
    p_holm: the p-value adjusted by Holm, which decides nothing.
    coefficient: of the logit, or of least squares the difference; None if there is none.
    standard_error, robust_error: of the coefficient.
    odds_ratio, odds_interval: of the logit; None if there is none.
    """

    level: Level
    answer: int | None
    n: int
    observed: float | None = None
    alone: ShareStatement | MeanStatement | None = None
    reference: Level | None = None
    statement: LinkedDifference | None = None
    p_holm: float | None = None
    coefficient: float | None = None
    standard_error: float | None = None
    robust_error: float | None = None
    odds_ratio: float | None = None
    odds_interval: Interval | None = None

    @property
    def corrected(self) -> float | None:
        """The estimated share or mean of the group alone."""
        return None if self.alone is None else self.alone.estimate

    @property
    def corrected_interval(self) -> Interval | None:
        """The interval of the share or mean of the group alone."""
        return None if self.alone is None else self.alone.interval

    @property
    def estimate(self) -> str:
        """The share or mean of the group alone, as printed; "" if no number is supported."""
        if isinstance(self.alone, MeanStatement):
            return self.alone.number_without_unit
        return "" if self.alone is None else self.alone.number

    @property
    def difference(self) -> float | None:
        """The difference of adjusted shares or means; None for the reference."""
        return None if self.statement is None else self.statement.estimate

    @property
    def difference_error(self) -> float | None:
        """The standard error of the difference."""
        return None if self.statement is None else self.statement.standard_error

    @property
    def interval(self) -> Interval | None:
        """The interval of the difference, for this one alone."""
        return None if self.statement is None else self.statement.interval_alone

    @property
    def together(self) -> Interval | None:
        """The interval of the difference that holds for all differences of the model together."""
        return None if self.statement is None else self.statement.interval

    @property
    def p(self) -> float | None:
        """The p-value of this difference alone."""
        return None if self.statement is None else self.statement.p

    @property
    def p_together(self) -> float | None:
        """The p-value that allows for all differences of the model (Bonferroni)."""
        return None if self.statement is None else self.statement.p_together

    @property
    def clear(self) -> bool | None:
        """Whether the page names the higher side; None for the reference."""
        return None if self.statement is None else self.statement.is_clear

    @property
    def verdict(self) -> str | None:
        """The verdict on the difference; None for the reference."""
        return None if self.statement is None else self.statement.verdict

    @property
    def is_number(self) -> bool:
        """True if the row is about a number that explains."""
        return self.level.term.way == NUMBER


def comparisons(
    part: SurveyVariable, cells: Cells, made: Design, fit: Fit, confidence: float
) -> tuple[ModelRow, ...]:
    """Return the rows by answer, then by question and group as asked.

    A group has no row if it, or all others together, are too few people.
    """
    rows_by_level = []
    for level in made.levels:
        rows = _rows_of_group(part, cells, level, confidence)
        if not level.kinds or is_enough(rows[0].n, cells.n):
            rows_by_level.append(_with_coefficients(made.levels, fit, rows, confidence))
    ordered = []
    for place in range(len(part.answers)):
        ordered += [rows[place] for rows in rows_by_level]
    return _with_differences(ordered, part, cells, made, fit, confidence=confidence)


def _with_coefficients(
    levels: Sequence[Level], fit: Fit, rows: list[ModelRow], confidence: float
) -> list[ModelRow]:
    """Return the rows of one group, one for each answer, with reference and coefficients."""
    level = rows[0].level
    if level.is_reference:
        return rows
    reference = None
    for other in levels:
        if other.term == level.term and other.is_reference:
            reference = other
    return [
        replace(row, reference=reference, **fit.coefficient(level, place, confidence))
        for place, row in enumerate(rows)
    ]


def _with_differences(
    rows: list[ModelRow],
    part: SurveyVariable,
    cells: Cells,
    made: Design,
    fit: Fit,
    *,
    confidence: float,
) -> tuple[ModelRow, ...]:
    """Return the rows with statements about their differences, which are one family."""
    compared = [row for row in rows if not row.level.is_reference]
    if not compared:
        return tuple(rows)
    family = Family(size=len(compared), confidence=confidence)
    if has_cells(part, [level.term.way for level in made.levels]):
        statements = _decide_by_cells(part, cells, made, compared, family)
    else:
        statements = _decide_by_errors(part, made, fit, compared, family)
    adjusted = holm([statement.p for statement in statements]).tolist()
    decided = iter(zip(statements, adjusted, strict=True))
    finished = []
    for row in rows:
        if row.level.is_reference:
            finished.append(row)
        else:
            statement, p_holm = next(decided)
            finished.append(replace(row, statement=statement, p_holm=p_holm))
    return tuple(finished)


def _rows_of_group(
    part: SurveyVariable, cells: Cells, level: Level, confidence: float
) -> list[ModelRow]:
    """Return what is known of a group by itself, a row for each answer."""
    if not level.kinds:
        return [ModelRow(level, answer, cells.n) for answer in part.answers]
    members = np.isin(cells.of(level.term.part), level.kinds)
    kinds = cells.of(part)[members]
    people = cells.counts[members]
    if part.is_mean:
        tally = part.mechanism.tally(np.repeat(kinds, people))
        estimate = part.mechanism.estimate(tally, confidence)
        group = GroupEstimate(name=level.label, variable=part, estimate=estimate)
        mean = group.statement if group.is_known else None
        return [ModelRow(level, None, tally.n, alone=mean)]
    tally = Tally(int(people.sum()), part.counts(kinds, people))
    kind = "wilson" if part.mechanism.line() is not None else "wald"
    estimate = part.mechanism.estimate(tally, confidence, kind)
    observed = tally.counts / tally.n
    codes = [part.answer] if part.choice is not None else range(len(observed))
    rows = []
    for answer, code in zip(part.answers, codes, strict=True):
        share = share_statement(estimate, code, group=level.label, is_scrambled=part.is_scrambled)
        rows.append(ModelRow(level, answer, tally.n, observed=float(observed[code]), alone=share))
    return rows


def has_cells(part: SurveyVariable, ways: Iterable[str]) -> bool:
    """Return whether the reports of each cell depend on nothing but its share of the answer.

    Then the rule for differences of shares decides, as between groups.
    """
    if part.is_mean or TRUTH in ways:
        return False
    return part.is_of_two or (part.mechanism.line() is not None and not part.mechanism.in_groups)


def _decide_by_cells(
    part: SurveyVariable, cells: Cells, made: Design, rows: Sequence[ModelRow], family: Family
) -> list[LinkedDifference]:
    """Return the statements about the differences of rows, from the shares of all cells."""
    statements: dict[int, LinkedDifference] = {}
    for answer in dict.fromkeys(row.answer for row in rows):
        places = [place for place, row in enumerate(rows) if row.answer == answer]
        levels = [rows[place].level for place in places]
        vectors = [made.people @ (made.at(level) - made.reference(level)) for level in levels]
        decided = contrast_cells(
            [_contrast(part, made, rows[place]) for place in places],
            _contrast_cells(part, cells, made, answer),
            vectors=np.array(vectors) / cells.n,
            members=np.array([made.members(level) for level in levels]),
            family=family,
        )
        statements |= dict(zip(places, decided, strict=True))
    return [statements[place] for place in range(len(rows))]


def _decide_by_errors(
    part: SurveyVariable, made: Design, fit: Fit, rows: Sequence[ModelRow], family: Family
) -> list[LinkedDifference]:
    """Return the statements about the differences of rows, from their standard errors."""
    values = []
    errors = []
    for row in rows:
        differences, standard_errors = fit.differences(row.level)
        place = part.answers.index(row.answer)
        values.append(float(differences[place]))
        errors.append(float(standard_errors[place]))
    contrasts = [_contrast(part, made, row) for row in rows]
    return contrast_errors(contrasts, np.array(values), np.array(errors), family)


def _contrast(part: SurveyVariable, made: Design, row: ModelRow) -> Contrast:
    """Return the difference of a row, before it is decided."""
    term = row.level.term
    others = dict.fromkeys(level.term for level in made.levels if level.term != term)
    kind = PredictorKind.GROUP
    group = row.level.label
    predictor = term.short
    if row.is_number:
        kind = PredictorKind.NUMBER
    elif term.way == TRUTH:
        kind = PredictorKind.TRUTH
        group = term.part.item.choices[term.part.choice]
        predictor = term.part.item.short or term.text
    return Contrast(
        quantity=replace(_difference(part, row), group=group),
        n=row.n,
        versus=row.reference.label if row.reference else "",
        kind=kind,
        predictor=predictor,
        adjusted_for=tuple(other.short for other in others),
    )


def _difference(part: SurveyVariable, row: ModelRow) -> Quantity:
    """Return the quantity of a row: a difference, or of a number a slope."""
    name = part.short
    if part.is_mean:
        quantity = mean_difference(part.item, name)
    else:
        if len(part.answers) > 1:
            name = f"{name}, “{part.item.choices[row.answer]}”"
        quantity = share_difference(name)
    return slope_of(quantity) if row.is_number else quantity


def _contrast_cells(
    part: SurveyVariable, cells: Cells, made: Design, answer: int | None
) -> ContrastCells:
    """Return the reports about an answer in each combination of answers that explain."""
    code = part.answer if part.is_of_two else answer
    line = part.mechanism.line()
    hits = part.supports(cells.of(part), code) * cells.counts
    hits_of_patterns = np.bincount(made.of_cells, hits, len(made.people))
    return ContrastCells(
        made.people, hits_of_patterns, made.table, line.slope[code], line.offset[code]
    )
