"""The pages of invented people: a survey's rehearsal, and what a trusted server would have shown."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from features.simulation import simulation
from features.simulation.forms import LessonForm, RehearsalForm
from surveys.accounts.access import Right
from surveys.authoring.planning.precision import target_or_default
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.link import current_definition
from surveys.models import Survey
from surveys.results.estimates.answer_order import choices_in_figure
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.figures.dot_plot import Figure
from surveys.results.report.figures import has_drawing, question_figure
from surveys.results.report.headlines import finding
from surveys.site.number_format import format_percent
from surveys.web.workspace.access import survey_page


@survey_page(Right.SEE)
def simulate(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Stores nothing: the report is made for this one answer. GET, so that a rehearsal can be bookmarked."""
    frozen = current_definition(survey)
    form = RehearsalForm(request.GET, items=frozen.items, n=target_or_default(survey))
    context = {"survey": survey, "form": form, "was_asked": bool(request.GET)}
    shares = form.attempt(form.shares)
    difference = form.attempt(form.difference, shares=shares) if shares else None
    if shares and not form.errors:
        found = simulation.rehearse(
            frozen,
            shares,
            form.people(),
            difference=difference,
            with_people="people" in request.GET,
        )
        report = found.report
        rows = [
            (
                each,
                finding(each).headline,
                _rows(item, each, shares[each.key]),
                _figure(each),
                found.trusted.get(each.key),
            )
            for item, each in zip(frozen.items, report.questions, strict=True)
        ]
        context |= {
            "report": report,
            "questions": rows,
            "kept": _kept(frozen, report, shares),
            "supposed": found.supposed,
            "has_trusted": bool(found.trusted),
        }
    return render(
        request, "simulation/simulation.html", context, status=422 if form.errors else 200
    )


@require_safe
def teach(request: HttpRequest) -> HttpResponse:
    """What a trusted server would have shown, for everybody: the address says who is invented and which chance."""
    form, lesson = LessonForm(request.GET), simulation.LESSON
    context = {"form": form, "lesson": lesson, "was_asked": bool(request.GET)}
    shares = form.attempt(form.shares)
    if shares:
        context["comparisons"] = simulation.lesson(shares[lesson.key], form.people(), form.draw())
    return render(request, "simulation/trusted.html", context, status=422 if form.errors else 200)


def _figure(question: QuestionReport) -> Figure | None:
    return question_figure(question) if has_drawing(question) else None


def _rows(
    item: QuestionDefinition, question: QuestionReport, shares: list[float]
) -> list[tuple[str, str, str]]:
    """Each answer as people read them: its label, its estimate, and the truth that was assumed."""
    rows = [
        (choice.label, _estimate(question, choice), format_percent(shares[index]))
        for index, choice in choices_in_figure(question, by_size=False)
    ]
    if question.average is None:
        return rows
    unit = f" ({item.unit})" if item.unit else ""
    mean = simulation.true_mean(item, shares)
    return [*rows, (f"Mean{unit}", _mean(question.average), f"{mean:.4g}")]


def _mean(average: Average) -> str:
    """Return the mean with its digits, whose unit stands in the label of its row."""
    if not average.statement.is_shown:
        return "too uncertain"
    return average.statement.number_without_unit


def _estimate(question: QuestionReport, choice: ChoiceReport) -> str:
    if choice.estimate is None:
        return "no one was asked"
    return question.statement(choice).number or "too uncertain"


def _kept(
    frozen: SurveyDefinition, report: SurveyReport, shares: dict[str, list[float]]
) -> tuple[int, int]:
    """How many of the intervals of sensitive questions hold the truth, and how many there are; No is that of Yes."""
    held = []
    for item, question in zip(frozen.items, report.questions, strict=True):
        for answer in simulation.asked(item) if item.mechanism else ():
            if interval := question.choices[
                answer
            ].interval:  # none where no device picked the answer
                held.append(interval[0] <= shares[item.key][answer] <= interval[1])
        if not item.tells_shares and question.average:
            low, high = question.average.mean.interval
            held.append(low <= simulation.true_mean(item, shares[item.key]) <= high)
    return sum(held), len(held)
