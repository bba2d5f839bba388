"""Results for everybody, once a survey is closed and its author wants that: a page, figures to embed, and JSON.

They show what any reader without the right to rows sees of the whole survey, and nothing that a reader could ask for:
there is one page, the same for all.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.progress import is_settled
from surveys.fieldwork.responses.released import read_released
from surveys.models import Survey
from surveys.results.disclosure.access import PublicView
from surveys.results.estimates import intervals, maximum_likelihood
from surveys.results.estimates.answer_order import display_order
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.estimates.report import SurveyReport, report
from surveys.results.figures.dot_plot import Figure
from surveys.results.report import impossible_shares
from surveys.results.report.cards import Card, cards
from surveys.results.report.correction import correction
from surveys.results.report.figures import has_drawing, question_figure, shares_file
from surveys.results.report.grids import GridReport, grid_sections
from surveys.results.report.header import field_period
from surveys.results.report.headlines import Finding, Verdict, finding
from surveys.results.report.methods import Methods, methods
from surveys.results.report.shape import ReportResult
from surveys.results.report.summary import Glance, glance, statements_of
from surveys.site.errors import Refused
from surveys.site.shape import as_json

NOT_OVER = "Close the survey first. You can make results public once they no longer change."
NOT_YET = "Try again later. The last update comes within an hour after closing."
NOTHING = "There are no responses in the report to publish."


@transaction.atomic
def set_public(survey: Survey, by: AbstractBaseUser | None = None, *, public: bool) -> Survey:
    """Let everybody read the results, or nobody but the team again. What is so already is done again by doing nothing.

    Raises Refused for a survey that is not closed, or whose closing has not shown all that it will.
    """
    survey = survey.locked()
    if not public:
        hide_results(survey, by)
    elif not survey.public_results:
        require_results(survey)
        survey.public_results = True
        survey.save(update_fields=["public_results"])
        history.record(survey, by, history.What.SHOWN)
    return survey


def hide_results(survey: Survey, by: AbstractBaseUser | None) -> None:
    """Let nobody but the team read the results any more, in a transaction that holds the survey."""
    if survey.public_results:
        survey.public_results = False
        survey.save(update_fields=["public_results"])
        history.record(survey, by, history.What.HIDDEN)


def require_results(survey: Survey) -> None:
    """Raises Refused until there are results that no longer change."""
    if not survey.is_over:
        raise Refused(NOT_OVER)
    if not is_settled(survey):
        raise Refused(NOT_YET)
    if not read_released(survey.instrument).tally["n"]:
        raise Refused(NOTHING)


def public_survey(slug: str) -> Survey | None:
    """The survey whose results everybody may read at this moment."""
    row = Survey.objects.select_related("instrument").filter(slug=slug, public_results=True).first()
    return row if row and row.is_over else None


@dataclass(frozen=True)
class Result:
    """One question as the page shows it; the names are those that the report's templates use."""

    question: QuestionReport
    finding: Finding
    choices: list[tuple[int, ChoiceReport]]
    figure: Figure | None
    outside: str
    checks: tuple = ()
    correction: str = ""
    cards: tuple[Card, ...] = ()
    grid: GridReport | None = None  # of the first row of a grid: the section of all its rows
    rows: tuple["Result", ...] = ()  # and these rows
    is_in_grid: bool = False
    number: int = 0  # the place of the question in the survey


class Readable:
    """A report with what stands around it on a page for everybody."""

    paper: SurveyDefinition
    report: SurveyReport
    reason = ""  # that its author gave for publishing

    @cached_property
    def methods(self) -> Methods:
        return methods(self.paper, self.report, reason=self.reason)

    @property
    def intervals(self) -> tuple[str, str]:
        """What they mean, in short and in full."""
        level = self.report.confidence, self.report.simultaneous
        return intervals.in_short(*level), intervals.confidence_explanation(*level, filtered=False)

    @cached_property
    def results(self) -> list[Result]:
        """The result of each question that readers may see something of; the others are left out."""
        results = []
        for number, question in enumerate(self.report.questions, 1):
            result = replace(_result(question), number=number)
            if result.finding.verdict is not Verdict.WITHHELD:
                results.append(result)
        sections = grid_sections([result.question for result in results])
        return [
            _in_grid(result, results, sections) if result.question.key in sections else result
            for result in results
        ]

    @property
    def glance(self) -> Glance:
        """Return what stands first on the page: a line for each sensitive question, and who answered."""
        numbered = [(result.number, result.question, result.finding) for result in self.results]
        return glance(numbered, statements_of(self.paper))


class Publication(Readable):
    """All that is public of one survey."""

    def __init__(self, survey: Survey) -> None:
        self.survey, self.instrument, self.reason = survey, survey.instrument, survey.reason

    @cached_property
    def seen(self) -> PublicView:
        return PublicView(self.instrument)

    @cached_property
    def paper(self) -> SurveyDefinition:
        return self.seen.definition

    @cached_property
    def report(self) -> SurveyReport:
        return report(self.instrument, seen=self.seen)

    @property
    def days(self) -> str:
        return field_period(self.survey)

    @property
    def tag(self) -> str:
        """Another one whenever something else is shown of the same survey."""
        possible = maximum_likelihood.stored_shares(self.instrument, self.instrument.tally["n"])
        made_of = [
            self.instrument.sha256,
            self.instrument.tally,
            possible,
            self.seen.cache_version,
            self.days,
        ]
        made_of += [str(self.instrument.deleted_on), self.survey.invented]
        return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:32]

    def told(self) -> dict[str, Any]:
        """The report as the API gives it, with what stands around it on the page."""
        told = {"title": self.report.title, "days": self.days, "methods": str(self.methods)}
        return told | as_json(ReportResult.tell(self.report, seen=self.seen))

    def figure(self, key: str) -> str:
        """The figure of a question as an SVG file. StopIteration where there is no such question."""
        return shares_file(
            self.report, next(each for each in self.report.questions if each.key == key)
        )


def _result(question: QuestionReport) -> Result:
    result, choices = finding(question), display_order(question, by_size=True)
    if question.is_list:
        choices = question.told_apart()
    if question.is_number:
        choices = [(code, choice) for code, choice in choices if choice.observed]
    drawn = question_figure(question, result) if has_drawing(question) else None
    outside = impossible_shares.note(question) if question.basis else ""
    more = {"correction": correction(question), "cards": cards(question)}
    return Result(question, result, choices, drawn, outside, **more)


def _in_grid(one: Result, each: list[Result], sections: dict[str, GridReport | None]) -> Result:
    grid = sections[one.question.key]
    rows = tuple(other for other in each if grid and other.question in grid.questions)
    return replace(one, grid=grid, rows=rows, is_in_grid=True)
