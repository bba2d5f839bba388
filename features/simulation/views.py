"""The pages of invented people: a survey's simulation, and what a trusted server would have shown."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from features.simulation import simulation
from features.simulation.assumed_difference import Difference, Shares
from features.simulation.forms import LessonForm, RehearsalForm
from features.simulation.trusted_server import Beside
from surveys.accounts.access import Right
from surveys.authoring.planning.precision import target_or_default
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.link import current_definition
from surveys.models import Survey
from surveys.results.estimates.answer_order import choices_in_figure
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.figures.dot_plot import Figure
from surveys.results.report.figures import has_drawing, question_figure
from surveys.results.report.headlines import finding
from surveys.site.number_format import format_percent
from surveys.web.workspace.access import survey_page


@dataclass(frozen=True)
class AnswerRow:
    """An answer, or the mean, as the table of a question shows it. truth: what was assumed."""

    label: str
    estimate: str
    truth: str


@dataclass(frozen=True)
class SimulatedQuestion:
    """A question of the simulated report.

    shares: the assumed share of each answer.
    trusted: what a trusted server would have shown; None if the question is not compared.
    """

    item: QuestionDefinition
    report: QuestionReport
    shares: list[float]
    trusted: Beside | None

    @property
    def text(self) -> str:
        """The text of the question."""
        return self.report.text

    @property
    def headline(self) -> str:
        """What the report finds."""
        return finding(self.report).headline

    @property
    def figure(self) -> Figure | None:
        """The drawing of the report, or None."""
        return question_figure(self.report) if has_drawing(self.report) else None

    @property
    def rows(self) -> list[AnswerRow]:
        """Each answer in the order of the figure, and the mean."""
        rows = []
        for index, choice in choices_in_figure(self.report, by_size=False):
            truth = format_percent(self.shares[index])
            rows.append(AnswerRow(choice.label, _estimate_text(self.report, choice), truth))
        if self.report.average is not None:
            unit = f" ({self.item.unit})" if self.item.unit else ""
            truth = f"{simulation.true_mean(self.item, self.shares):.4g}"
            rows.append(AnswerRow(f"Mean{unit}", _mean_text(self.report.average), truth))
        return rows

    @property
    def ranges_with_truth(self) -> list[bool]:
        """Whether each range of a sensitive question holds what was assumed.

        A range of No says the same as that of Yes, so only one of them counts.
        """
        held = []
        for answer in simulation.asked(self.item) if self.item.mechanism else ():
            interval = self.report.choices[answer].interval
            # There is no interval if no device picked the answer.
            if interval:
                low, high = interval
                held.append(low <= self.shares[answer] <= high)
        if not self.item.tells_shares and self.report.average:
            low, high = self.report.average.mean.interval
            held.append(low <= simulation.true_mean(self.item, self.shares) <= high)
        return held


@survey_page(Right.SEE)
def simulate(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the report of invented people. Nothing is stored.

    The method is GET, so that a simulation can be bookmarked.
    """
    definition = current_definition(survey)
    form = RehearsalForm(request.GET, items=definition.items, n=target_or_default(survey))
    context = {"survey": survey, "form": form, "was_asked": bool(request.GET)}
    shares = form.attempt(form.shares)
    difference = form.attempt(form.difference, shares=shares) if shares else None
    if shares and not form.errors:
        context |= _simulated(definition, form, shares, difference, "people" in request.GET)
    status = 422 if form.errors else 200
    return render(request, "simulation/simulation.html", context, status=status)


@require_safe
def teach(request: HttpRequest) -> HttpResponse:
    """Show everybody what a trusted server would have shown.

    The address says who is invented, and which chance.
    """
    form, lesson = LessonForm(request.GET), simulation.LESSON
    context = {"form": form, "lesson": lesson, "was_asked": bool(request.GET)}
    shares = form.attempt(form.shares)
    if shares:
        context["comparisons"] = simulation.lesson(shares[lesson.key], form.people(), form.draw())
    status = 422 if form.errors else 200
    return render(request, "simulation/trusted.html", context, status=status)


def _simulated(
    definition: SurveyDefinition,
    form: RehearsalForm,
    shares: Shares,
    difference: Difference | None,
    with_people: bool,
) -> dict[str, Any]:
    """Return what the page shows of a simulation."""
    simulated = simulation.rehearse(
        definition, shares, form.people(), difference=difference, with_people=with_people
    )
    questions = []
    for item, report in zip(definition.items, simulated.report.questions, strict=True):
        question = SimulatedQuestion(
            item=item,
            report=report,
            shares=shares[item.key],
            trusted=simulated.trusted.get(item.key),
        )
        questions.append(question)
    held = []
    for question in questions:
        held += question.ranges_with_truth
    return {
        "report": simulated.report,
        "questions": questions,
        "ranges": len(held),
        "ranges_with_truth": sum(held),
        "supposed": simulated.supposed,
        "has_trusted": bool(simulated.trusted),
    }


def _mean_text(average: Average) -> str:
    """Return the mean with its digits, whose unit stands in the label of its row."""
    if not average.statement.is_shown:
        return "too uncertain"
    return average.statement.number_without_unit


def _estimate_text(question: QuestionReport, choice: ChoiceReport) -> str:
    if choice.estimate is None:
        return "no one was asked"
    return question.statement(choice).number or "too uncertain"
