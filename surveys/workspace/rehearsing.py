"""The page of a rehearsal: what the report would say if so many people answered, and these were the truths."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from surveys import rehearsal
from surveys.authoring.verdicts import wanted
from surveys.models import Survey
from surveys.people.access import Right
from surveys.publishing.instruments import Paper
from surveys.publishing.sharing import frozen_paper
from surveys.reporting.figures import question_figure
from surveys.reporting.findings import finding
from surveys.reporting.report import ChoiceReport, QuestionReport, SurveyReport
from surveys.workspace.access import survey_page
from surveys.workspace.rehearsal_form import RehearsalForm


@survey_page(Right.SEE)
def rehearse(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Stores nothing: the report is made for this one answer. GET, so that a rehearsal can be bookmarked."""
    frozen = frozen_paper(survey)
    form = RehearsalForm(request.GET, frozen=frozen, n=wanted(survey))
    context = {"survey": survey, "form": form, "was_asked": bool(request.GET)}
    shares = form.attempt(form.shares)
    if shares:
        report = rehearsal.rehearse(frozen, shares, form.people())
        rows = [
            (each, finding(each).headline, _rows(each, shares[each.key]), question_figure(each))
            for each in report.questions
        ]
        context |= {"report": report, "questions": rows, "kept": _kept(frozen, report, shares)}
    return render(request, "workspace/rehearsal.html", context, status=422 if form.errors else 200)


def _rows(question: QuestionReport, shares: list[float]) -> list[tuple[ChoiceReport, float]]:
    """Each answer as people read them, with the truth that was assumed."""
    return [(choice, shares[index]) for index, choice in question.ordered()]


def _kept(frozen: Paper, report: SurveyReport, shares: dict[str, list[float]]) -> tuple[int, int]:
    """How many of the intervals of sensitive questions hold the truth, and how many there are; No is that of Yes."""
    held = []
    for item, question in zip(frozen.items, report.questions, strict=True):
        for answer in rehearsal.asked(item) if item.mechanism else ():
            low, high = question.choices[answer].interval
            held.append(low <= shares[item.key][answer] <= high)
    return sum(held), len(held)
