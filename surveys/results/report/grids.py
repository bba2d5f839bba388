"""The rows of a grid as one section of the report: a sentence, and a figure with all rows.

Rows that are not scrambled are stacked bars, sorted by the share that agrees; scrambled rows keep their ranges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from django.conf import settings

from mechanisms.estimation.intervals import wilson
from surveys.results.estimates.answer_order import display_order
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.figures.axes import numbers_axis
from surveys.results.figures.dot_plot import Figure, Row, choice_row, figure_of
from surveys.results.figures.means import mean_row
from surveys.results.figures.stacked import Stack, stacked
from surveys.results.report.headlines import Finding, Verdict, finding
from surveys.site.number_format import format_count, format_percent, join_with_and
from surveys.statements.family import Family
from surveys.statements.rankings import RowRanking
from surveys.statements.sentences import RANKINGS, ROWS
from surveys.statements.shares import ShareStatement, share_of

LEAST_FOR_TWO = 4  # answers of a scale of which the two lowest and the two highest are put together; else one of each


@dataclass(frozen=True)
class Agreement:
    """One row that is not scrambled: its answers from the lowest to the highest, without those who declined.

    shares: fractions of those who answered; empty where they are too few, or not shown. n: those who answered.
    """

    question: QuestionReport
    label: str
    n: int
    shares: tuple[float, ...]

    @property
    def ends(self) -> int:
        return 2 if len(self.shares) >= LEAST_FOR_TWO else 1

    @property
    def low(self) -> float:
        return sum(self.shares[: self.ends])

    @property
    def high(self) -> float:
        return sum(self.shares[-self.ends :])


@dataclass(frozen=True)
class GridReport:
    """heading: of the grid. questions: its rows as asked. sentence, detail: what they say together."""

    heading: str
    questions: tuple[QuestionReport, ...]
    sentence: str
    detail: str
    figure: Figure | None

    @property
    def is_scrambled(self) -> bool:
        return self.questions[0].design is not None


def grid_sections(questions: Sequence[QuestionReport]) -> dict[str, GridReport | None]:
    """Return the section of each grid by the key of its first row; None for the other rows."""
    sections: dict[str, GridReport | None] = {}
    for (heading, *_), rows in groupby(
        questions, lambda each: (each.grid, each.design is None, each.kind)
    ):
        members = tuple(rows)
        if heading and len(members) > 1:
            made = (
                _scrambled(heading, members) if members[0].design else _agreement(heading, members)
            )
            sections |= {each.key: None for each in members} | {members[0].key: made}
    return sections


def row_label(question: QuestionReport) -> str:
    """The text of a row without the heading."""
    return question.text.removeprefix(f"{question.grid} – ")


def _agreement(heading: str, questions: tuple[QuestionReport, ...]) -> GridReport:
    answers = [choice.label for choice in questions[0].choices[: questions[0].declined]]
    is_reversed = _agrees(answers[:1]) and not _agrees(answers[-1:])
    answers = answers[::-1] if is_reversed else answers
    rows = [_row(question, is_reversed=is_reversed) for question in questions]
    rows.sort(key=lambda each: -each.high)
    shown = [each for each in rows if each.shares]
    if not shown:
        first = finding(questions[0])
        return GridReport(heading, questions, first.sentence, first.detail, None)
    ends = shown[0].ends
    low, high = _end_labels(answers, ends)
    stacks = [_stack(each, low, high) for each in rows]
    figure = stacked(stacks, answers, ranges="")
    return GridReport(
        heading, questions, _agreement_in_words(shown, high), _population_text(shown), figure
    )


def _row(question: QuestionReport, *, is_reversed: bool) -> Agreement:
    given = 1 - question.share_declined
    n = round(given * question.n) if question.basis is not None else 0
    if n < max(settings.FEW_RESPONSES, 1):
        return Agreement(question, row_label(question), n, ())
    shares = tuple(float(each) / given for each in question.basis.observed[: question.declined])
    return Agreement(question, row_label(question), n, shares[::-1] if is_reversed else shares)


def _agrees(answers: Sequence[str]) -> bool:
    return all("agree" in each.lower() and "disagree" not in each.lower() for each in answers)


def _end_labels(answers: Sequence[str], ends: int) -> tuple[str, str]:
    """Return what the lowest and the highest answers are called."""
    if _agrees(answers[-ends:]) and all("disagree" in each.lower() for each in answers[:ends]):
        return "disagree", "agree"
    low, high = (
        join_with_and([f"“{each}”" for each in part], "or")
        for part in (answers[:ends], answers[-ends:])
    )
    return low, high


def _stack(row: Agreement, low: str, high: str) -> Stack:
    if not row.shares:
        why = row.question.told or f"Too few responses to report: {format_count(row.n)}."
        return Stack(row.label, note=why)
    people = f"{format_count(row.n)} answers"
    left = f"{format_percent(row.low, 0)} {low}"
    return Stack(
        row.label,
        format_percent(row.high, 0),
        high,
        note=left,
        shares=row.shares,
        low=left,
        people=people,
    )


def _agreement_in_words(rows: Sequence[Agreement], high: str) -> str:
    """Return the headline of the rows that are not scrambled.

    high: the name of their highest answers.
    """
    numbers = [format_percent(row.high, 0) for row in rows]
    if len(set(numbers)) == 1:
        labels = join_with_and([f"“{row.label}”" for row in rows])
        verb = "agree" if high == "agree" else f"answered {high}"
        return ROWS["alike"].sentence.format(number=numbers[0], verb=verb, labels=labels)
    name = "agreement" if high == "agree" else f"share of {high}"
    shares = [_share_of_row(row, len(rows)) for row in rows]
    return RowRanking(rows=shares, numbers=numbers, name=name).sentence


def _share_of_row(row: Agreement, size: int) -> ShareStatement:
    """Return the share of the row's highest answers, with an interval for a pair of rows.

    size: the number of rows that are compared.
    """
    family = Family.for_pairs(size, row.question.confidence)
    interval = (row.high, row.high)
    if row.question.sampling:
        count = np.array([round(row.high * row.n)])
        low, high = wilson(count, row.n, 1 - family.alpha)[0].tolist()
        interval = (low, high)
    return share_of(row.high, interval, n=row.n, method="wilson", family=family, name=row.label)


def _population_text(rows: Sequence[Agreement]) -> str:
    """Return whom the shares are about, and how many preferred not to say."""
    total = sum(each.question.n for each in rows)
    share = sum(each.question.n - each.n for each in rows) / total
    if not share:
        return "Shares of people who answered."
    number = f"{round(100 * share)} in 100" if share >= 0.005 else "fewer than 1 in 100"
    return f"Shares of people who answered; {number} preferred not to say."


def _scrambled(heading: str, questions: tuple[QuestionReport, ...]) -> GridReport:
    results = [finding(each) for each in questions]
    two_answers = all(each.is_yes_no and len(each.choices) == 2 for each in questions)
    sentence = _yes_in_words(questions, results) if two_answers else heading
    drawable = [
        (each, result) for each, result in zip(questions, results, strict=True) if each.has_figure
    ]
    if not drawable:
        return GridReport(heading, questions, results[0].sentence, results[0].detail, None)
    return GridReport(heading, questions, sentence, "", _ranges(drawable, two_answers=two_answers))


def _yes_in_words(questions: Sequence[QuestionReport], results: Sequence[Finding]) -> str:
    """Return the headline of scrambled rows with two answers."""
    if any(result.verdict is not Verdict.CLEAR for result in results):
        return RANKINGS["withheld"].sentence
    rows = []
    numbers = []
    for question in questions:
        yes = question.choices[YES]
        family = Family.for_pairs(len(questions), question.confidence)
        low, high = question.basis.conf_int(family.alpha)[YES].tolist()
        row = share_of(yes.estimate, (low, high), n=yes.n, family=family, name=row_label(question))
        rows.append(row)
        numbers.append(question.statement(yes).number_in_words)
    name = f"share of “{questions[0].choices[YES].label}”"
    return RowRanking(rows=rows, numbers=numbers, name=name).sentence


def _ranges(drawable: Sequence[tuple[QuestionReport, Finding]], *, two_answers: bool) -> Figure:
    """One row for Yes; of more answers a heading and a row for each; of questions made for the mean their means."""
    first = drawable[0][0]
    ranges = f"{first.level_name} range"
    if not first.choices:
        axis = numbers_axis(float(first.average.numbers[0]), float(first.average.numbers[-1]))
        means = tuple(mean_row(each.average.statement, row_label(each)) for each, _ in drawable)
        return Figure(means, axis, values="mean", ranges=ranges)
    rows: list[Row] = []
    for question, result in drawable:
        if two_answers:
            yes = question.choices[YES]
            label = row_label(question)
            rows.append(choice_row(question, yes, label=label, is_pale=result.is_pale))
        else:
            rows.append(Row(row_label(question), is_heading=True))
            for _, choice in display_order(question):
                rows.append(choice_row(question, choice, is_pale=result.is_pale))
    return figure_of(rows, ranges=ranges)
