"""The study of misconduct as everyone may see it, on every site: a report, and how its first number came about.

Both are made of the invented answers themselves, by what makes every report. Nothing is read from the database or
stored in it, and answers that people add to a study that was loaded do not count here.
"""

import base64
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from features.demo import misconduct
from features.shared_reports.publication import Readable
from features.simulation.invented import InventedView
from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.records import count_responses, decode, has_report
from surveys.results.analysis.groups.figure import groups_figure
from surveys.results.analysis.groups.groups import ComparedAnswer, compare_by_address
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.report import SurveyReport, summarize
from surveys.results.figures.dot_plot import Figure
from surveys.results.report.figures import question_figure
from surveys.statements.shares import ShareStatement

FIRST = (
    "copied"  # the question that is explained, and compared between groups; its design has a line
)
BY = "faculty"
DRAWN, A_LINE = 100, 10  # dots


@dataclass(frozen=True)
class Corrected:
    """From what was recorded to the corrected share of Yes: share = (recorded - by_chance) / told. Fractions.

    by_chance: of people who would answer No, those of whom Yes is recorded. told: how much more often Yes is recorded
    of people who would answer Yes. some: DRAWN of the recorded answers, 1 for Yes.
    """

    question: QuestionReport
    recorded: float
    by_chance: float
    told: float
    share: ShareStatement
    some: tuple[int, ...]

    @property
    def figure(self) -> Figure:
        return question_figure(self.question, recorded=False)

    def dots(self, answer: int) -> str:
        """A path with a point for each place of this answer in a square of 10 by 10."""
        at = (divmod(place, A_LINE) for place, each in enumerate(self.some) if each == answer)
        return "".join(f"M{10 * column + 5} {10 * line + 5}h0" for line, column in at)

    @property
    def dots_yes(self) -> str:
        return self.dots(YES)

    @property
    def dots_no(self) -> str:
        return self.dots(1 - YES)


class Sample(Readable):
    """The report, and what stands around it, as the page and the home page show it."""

    @cached_property
    def paper(self) -> SurveyDefinition:
        return misconduct.published()

    @cached_property
    def rows(self) -> np.ndarray:
        """The records, a structured array of shape (PEOPLE,)."""
        return decode(self.paper, misconduct.records(self.paper))

    @cached_property
    def report(self) -> SurveyReport:
        return summarize(self.paper, count_responses(self.paper, self.rows))

    @cached_property
    def first(self) -> QuestionReport:
        return next(question for question in self.report.questions if question.key == FIRST)

    @cached_property
    def corrected(self) -> Corrected:
        line, yes = self.first.basis.mechanism.line(), self.first.choices[YES]
        return Corrected(
            question=self.first,
            recorded=yes.observed,
            by_chance=float(line.offset[YES]),
            told=float(line.slope[YES]),
            share=self.first.statement(yes),
            some=_typical(self.rows[FIRST][has_report(self.paper, self.rows, FIRST)]),
        )

    @cached_property
    def compared(self) -> ComparedAnswer:
        """The same share in groups."""
        return compare_by_address(InventedView(self.paper, self.rows), BY, f"{FIRST}:{YES}")

    @property
    def compared_figure(self) -> Figure:
        """The figure of the share in each group."""
        return groups_figure(self.compared)


def logo(sha256: str) -> bytes | None:
    """The PNG of its sender, where that is the one with this hash."""
    picture = misconduct.published().logo
    if picture is None or picture.sha256 != sha256:
        return None
    return base64.b64decode(misconduct.document()["logo"])


def _typical(reports: np.ndarray) -> tuple[int, ...]:
    """The first DRAWN answers in a row among which Yes is as common as among all, to the whole per cent."""
    share = round(DRAWN * float(reports.mean()))
    sums = np.convolve(reports, np.ones(DRAWN, int), mode="valid")
    start = int(np.abs(sums - share).argmin())
    return tuple(reports[start : start + DRAWN].tolist())
